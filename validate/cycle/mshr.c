/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * validate/cycle/mshr.c -- records of lines, MSHRs and waiting requests in pools.
 */
#include "validate/cycle/mshr.h"

#include <assert.h>
#include <stdlib.h>

/* ---- lines --------------------------------------------------------------------------------- */

static enum ws_status record_take(struct ws_tag_lines *l, uint32_t *number, struct ws_err *err)
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

enum ws_status ws_tag_lines_add(struct ws_tag_lines *l, uint64_t address, uint32_t *number,
			    struct ws_err *err)
{
	enum ws_status status;

	/* A quarter full: most of what is looked for is not there. */
	if (!ws_map_room(&l->map, l->line, sizeof *l->line, 2 * ((size_t)l->live + 1)))
		return ws_fail_memory(err, "the lines of a cache");
	status = record_take(l, number, err);
	if (status != WS_OK)
		return status;
	l->live++;
	l->line[*number] = (struct ws_tag_line){ .address = address, .way = WS_NONE,
						 .mshr = WS_NONE };
	*ws_map_slot(&l->map, l->line, sizeof *l->line, address) = *number + 1;
	return WS_OK;
}

void ws_tag_lines_remove(struct ws_tag_lines *l, uint32_t number)
{
	assert(number < l->used && l->live);
	ws_map_remove(&l->map, l->line, sizeof *l->line, number);
	l->line[number].mshr = l->free;
	l->free = number + 1;
	l->live--;
}

void ws_tag_lines_flush(struct ws_tag_lines *l)
{
	ws_map_flush(&l->map, l->live);
	l->used = l->free = l->live = 0;
}

void ws_tag_lines_clear(struct ws_tag_lines *l)
{
	free(l->line);
	ws_map_clear(&l->map);
	*l = (struct ws_tag_lines){ 0 };
}

/* ---- MSHRs --------------------------------------------------------------------------------- */

enum ws_status ws_mshrs_add(struct ws_mshrs *m, uint64_t address, uint32_t fetch, uint32_t *number,
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

enum ws_status ws_mshrs_wait(struct ws_mshrs *m, uint32_t number, uint32_t name, struct ws_err *err)
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

void ws_mshrs_remove(struct ws_mshrs *m, uint32_t number)
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

void ws_mshrs_flush(struct ws_mshrs *m)
{
	m->used = m->free = m->live = m->waiters = m->free_waiter = 0;
}

void ws_mshrs_clear(struct ws_mshrs *m)
{
	free(m->mshr);
	free(m->waiter);
	free(m->woken);
	*m = (struct ws_mshrs){ 0 };
}
