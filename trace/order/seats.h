/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/order/seats.h -- which ready warps a scheduler looks at: those with seats, of which there
 * are sm.active-warps, or one for each.
 *
 * In a header, as sm.c does it for each op that is issued.
 */
#ifndef WS_TRACE_ORDER_SEATS_H
#define WS_TRACE_ORDER_SEATS_H

#include "trace/order/pipeline.h"
#include "trace/order/sm.h"

/* From when on a group that is not running could issue a memory op. */
static inline void ws_seats_await_unit(const struct ws_sm *sm, struct ws_warp_group *g,
				       uint64_t cycle)
{
	uint64_t next = sm->lsu_free > cycle ? sm->lsu_free : cycle;

	g->next = next < g->next ? next : g->next;
}

static inline void ws_seats_show(struct ws_sm *sm, size_t slot)
{
	struct ws_warp_group *g = ws_group_of(sm, slot);

	if (sm->pipe) {
		ws_pipe_show(sm, slot);
		g->next = sm->now < g->next ? sm->now : g->next;
	} else if (sm->warp[slot].memory) {
		ws_bit_set(g->memory, sm->warp[slot].index);
		sm->lsu_queue++;
		if (!g->running)
			ws_seats_await_unit(sm, g, sm->now);
	} else {
		ws_bit_set(g->other, sm->warp[slot].index);
		if (!g->running && g->next > sm->now)
			g->next = sm->now;
	}
}

static inline void ws_seats_give(struct ws_sm *sm, size_t slot)
{
	ws_group_of(sm, slot)->seated++;
	sm->warp[slot].seated = true;
	ws_seats_show(sm, slot);
}

/* A warp that is ready from `cycle` on. */
static inline void ws_seats_admit(struct ws_sm *sm, size_t slot, uint64_t cycle)
{
	struct ws_warp *w = &sm->warp[slot];

	if (w->seated) {
		ws_seats_show(sm, slot);
	} else if (ws_group_of(sm, slot)->seated < sm->seats) {
		ws_seats_give(sm, slot);
	} else {
		w->since = cycle;
		ws_bit_set(ws_group_of(sm, slot)->pending, sm->warp[slot].index);
	}
}

/* A warp that is not ready gives its seat to the one that waits longest for one, ties to the lower
 * slot.  Its bits are clear. */
static inline void ws_seats_leave(struct ws_sm *sm, size_t slot)
{
	struct ws_warp_group *g = ws_group_of(sm, slot);
	size_t best = WS_NO_WARP;

	if (!sm->warp[slot].seated)
		return;
	sm->warp[slot].seated = false;
	g->seated--;
	if (sm->seats == SIZE_MAX)
		return;
	for (size_t i = 0; i < sm->words; i++) {
		for (uint64_t bits = g->pending[i]; bits; bits &= bits - 1) {
			size_t other = (i * 64 + ws_lowest_bit(bits)) * sm->schedulers +
				       sm->warp[slot].group;

			if (best == WS_NO_WARP || sm->warp[other].since < sm->warp[best].since)
				best = other;
		}
	}
	if (best != WS_NO_WARP) {
		ws_bit_clear(g->pending, sm->warp[best].index);
		ws_seats_give(sm, best);
	}
}

#endif
