/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * validate/cycle/mshr.h -- a record for every line that is in a cache or being fetched, found by
 * address, and the MSHRs that fetch lines, with their waiting requests.
 *
 * Lines: O(1) expected; 32 B, so that none is in two lines of a host's cache, and 16 to 32 B of map
 * per line.  MSHRs and waiting requests are in pools with free lists: memory is allocated only for
 * a new maximum.  What each request passes is inline.
 */
#ifndef WS_CYCLE_MSHR_H
#define WS_CYCLE_MSHR_H

#include "base/map.h"
#include "model/model.h"

#include <assert.h>

#define WS_NONE UINT32_MAX

struct ws_tag_line {
	uint64_t address;
	uint32_t valid;		/* 32-byte sectors that can be read */
	uint32_t coming;	/* those that MSHRs bring.  on-miss: RESERVED, and not in valid */
	uint32_t modified;	/* with valid: MODIFIED; with coming only: will be */
	uint32_t set, way;	/* way WS_NONE: not in the cache */
	uint32_t mshr;		/* the first that brings sectors of it, or WS_NONE */
};

struct ws_tag_lines {		/* zero is empty */
	struct ws_tag_line *line;
	size_t cap;
	uint32_t used;		/* records ever used since the flush */
	uint32_t free;		/* number + 1 of the first free one among them, chained by mshr, or
				 * 0 */
	uint32_t live;
	struct ws_map map;
};

/* The line's number, or WS_NONE. */
static inline uint32_t ws_tag_lines_find(const struct ws_tag_lines *l, uint64_t address)
{
	return ws_map_find(&l->map, l->line, sizeof *l->line, address); /* WS_MAP_NONE is WS_NONE */
}

WS_MUST_CHECK static inline enum ws_status ws_tag_record_take(struct ws_tag_lines *l,
							    uint32_t *number, struct ws_err *err)
{
	if (l->free) {
		*number = l->free - 1;
		l->free = l->line[*number].mshr;
		return WS_OK;
	}
	if (!WS_ROOM(l->line, l->cap, l->used + (size_t)1))
		return ws_fail_memory(err, "the lines of a cache");
	*number = l->used++;
	return WS_OK;
}

/* Adds a line without sectors and way.  Records may move. */
WS_MUST_CHECK static inline enum ws_status ws_tag_lines_add(struct ws_tag_lines *l,
							  uint64_t address, uint32_t *number,
							  struct ws_err *err)
{
	enum ws_status status;

	/* A quarter full: most of what is looked for is not there. */
	if (!ws_map_room(&l->map, l->line, sizeof *l->line, 2 * ((size_t)l->live + 1)))
		return ws_fail_memory(err, "the lines of a cache");
	status = ws_tag_record_take(l, number, err);
	if (status != WS_OK)
		return status;
	l->live++;
	l->line[*number] = (struct ws_tag_line){ .address = address, .way = WS_NONE,
						 .mshr = WS_NONE };
	*ws_map_slot(&l->map, l->line, sizeof *l->line, address) = *number + 1;
	return WS_OK;
}

static inline void ws_tag_lines_remove(struct ws_tag_lines *l, uint32_t number)
{
	assert(number < l->used && l->live);
	ws_map_remove(&l->map, l->line, sizeof *l->line, number);
	l->line[number].mshr = l->free;
	l->free = number + 1;
	l->live--;
}

void ws_tag_lines_flush(struct ws_tag_lines *l);
void ws_tag_lines_clear(struct ws_tag_lines *l); /* frees */

struct ws_mshr {
	uint64_t address;	/* of the line */
	uint32_t fetch;		/* 32-byte sectors */
	uint32_t line;		/* the line's number; WS_NONE: it was thrown out, or goes past */
	uint32_t next;		/* of the line's MSHRs, or of the free ones */
	uint32_t requests;	/* that wait, the first included */
	uint32_t first, last;	/* of those who wait */
	struct ws_access access; /* on-fill: the request that began it */
};

struct ws_waiter {
	uint32_t name, next;
};

struct ws_mshrs {		/* zero is empty */
	struct ws_mshr *mshr;
	size_t cap;
	uint32_t used, free;	/* as of lines */
	uint32_t live;
	struct ws_waiter *waiter;
	size_t waiter_cap;
	uint32_t waiters, free_waiter;
	uint32_t *woken;	/* what ws_mshrs_wake gives */
	size_t woken_cap;
};

/* Nobody waits for it yet. */
WS_MUST_CHECK static inline enum ws_status ws_mshrs_add(struct ws_mshrs *m, uint64_t address,
						      uint32_t fetch, uint32_t *number,
						      struct ws_err *err)
{
	if (m->free) {
		*number = m->free - 1;
		m->free = m->mshr[*number].next;
	} else {
		if (!WS_ROOM(m->mshr, m->cap, m->used + (size_t)1))
			return ws_fail_memory(err, "MSHRs");
		*number = m->used++;
	}
	m->live++;
	m->mshr[*number] = (struct ws_mshr){ .address = address, .fetch = fetch, .line = WS_NONE,
					     .next = WS_NONE, .first = WS_NONE, .last = WS_NONE };
	return WS_OK;
}

WS_MUST_CHECK static inline enum ws_status ws_mshrs_wait(struct ws_mshrs *m, uint32_t number,
						       uint32_t name, struct ws_err *err)
{
	struct ws_mshr *mshr = &m->mshr[number];
	uint32_t waiter;

	assert(number < m->used && !mshr->requests == (mshr->first == WS_NONE));
	if (m->free_waiter) {
		waiter = m->free_waiter - 1;
		m->free_waiter = m->waiter[waiter].next;
	} else {
		if (!WS_ROOM(m->waiter, m->waiter_cap, m->waiters + (size_t)1))
			return ws_fail_memory(err, "requests that wait");
		waiter = m->waiters++;
	}
	m->waiter[waiter] = (struct ws_waiter){ name, WS_NONE };
	if (mshr->requests++)
		m->waiter[mshr->last].next = waiter;
	else
		mshr->first = waiter;
	mshr->last = waiter;
	return WS_OK;
}

/* The requests that wait for it, in order of arrival; valid until the next call. */
WS_MUST_CHECK static inline enum ws_status ws_mshrs_wake(struct ws_mshrs *m, uint32_t number,
							 const uint32_t **waiter,
							 size_t *count, struct ws_err *err)
{
	const struct ws_mshr *mshr = &m->mshr[number];
	size_t n = 0;

	if (!WS_ROOM(m->woken, m->woken_cap, mshr->requests))
		return ws_fail_memory(err, "requests that wait");
	for (uint32_t w = mshr->first; w != WS_NONE; w = m->waiter[w].next)
		m->woken[n++] = m->waiter[w].name;
	*waiter = m->woken;
	*count = n;
	return WS_OK;
}

/* Frees it and its waiting requests. */
static inline void ws_mshrs_remove(struct ws_mshrs *m, uint32_t number)
{
	struct ws_mshr *mshr = &m->mshr[number];

	assert(number < m->used && m->live);
	for (uint32_t w = mshr->first, next; w != WS_NONE; w = next) {
		next = m->waiter[w].next;
		m->waiter[w].next = m->free_waiter;
		m->free_waiter = w + 1;
	}
	mshr->next = m->free;
	m->free = number + 1;
	m->live--;
}

void ws_mshrs_flush(struct ws_mshrs *m);
void ws_mshrs_clear(struct ws_mshrs *m); /* frees */
#endif
