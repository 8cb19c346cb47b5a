/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * validate/cycle/mshr.h -- a record for every line that is in a cache or being fetched, found by
 * address, and the MSHRs that fetch lines, with their waiting requests.
 *
 * Lines: O(1) expected; 32 B, so that none is in two lines of a host's cache, and 16 to 32 B of map
 * per line.  MSHRs and waiting requests are in pools with free lists: memory is allocated only for
 * a new maximum.
 */
#ifndef WS_CYCLE_MSHR_H
#define WS_CYCLE_MSHR_H

#include "base/map.h"
#include "model/model.h"

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

/* Adds a line without sectors and way.  Records may move. */
enum ws_status ws_tag_lines_add(struct ws_tag_lines *l, uint64_t address, uint32_t *number,
			    struct ws_err *err) WS_MUST_CHECK;
void ws_tag_lines_remove(struct ws_tag_lines *l, uint32_t number);
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
enum ws_status ws_mshrs_add(struct ws_mshrs *m, uint64_t address, uint32_t fetch, uint32_t *number,
			    struct ws_err *err) WS_MUST_CHECK;
enum ws_status ws_mshrs_wait(struct ws_mshrs *m, uint32_t number, uint32_t name,
			     struct ws_err *err) WS_MUST_CHECK;
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
void ws_mshrs_remove(struct ws_mshrs *m, uint32_t number);
void ws_mshrs_flush(struct ws_mshrs *m);
void ws_mshrs_clear(struct ws_mshrs *m); /* frees */
#endif
