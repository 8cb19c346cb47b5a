/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/order/issue_slots.c -- what the schedulers of an SM did in their issue slots.
 */
#include "trace/order/sm.h"

#include <assert.h>

/* Slots in which nothing was issued. */
static void count_stall(struct ws_sm *sm, const struct ws_warp_group *g, uint64_t n)
{
	assert(n && g->barred <= g->alive && g->data <= g->alive);
	if (!g->alive)
		sm->stats.empty += n;
	else if (ws_any(sm, g->memory))
		sm->stats.lsu += n;
	else if (g->data)
		sm->stats.data += n;
	else if (g->barred == g->alive)
		sm->stats.barrier += n;
	else
		sm->stats.other += n;
}

void ws_sm_count(struct ws_sm *sm, struct ws_warp_group *g, uint64_t cycle)
{
	if (g->counted >= cycle)
		return;
	if (g->running)
		sm->stats.issued += cycle - g->counted;
	else if (sm->lsu)
		count_stall(sm, g, cycle - g->counted);
	g->counted = cycle;
}

void ws_sm_count_all(struct ws_sm *sm, uint64_t cycle)
{
	for (size_t g = 0; g < sm->schedulers; g++)
		ws_sm_count(sm, &sm->group[g], cycle);
}
