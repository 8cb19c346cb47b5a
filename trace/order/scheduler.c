/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/order/scheduler.c -- the table of warp schedulers, and what they did in their issue slots.
 *
 * A pick looks only at bitmasks of ready warps: O(1) for up to 64 warps a
 * scheduler, except that gto goes through the resident CTAs when its warp
 * stalls.
 */
#include "trace/order/sm.h"

#include <assert.h>

/* The first candidate in [from, to), or WS_NO_WARP. */
static inline size_t first_in(const struct ws_warp_group *g, bool other, bool lsu, size_t from,
			      size_t to)
{
	for (size_t w = from / 64; w * 64 < to; w++) {
		uint64_t bits = (other ? g->other[w] : 0) | (lsu ? g->memory[w] : 0);
		size_t i;

		if (w == from / 64)
			bits &= UINT64_MAX << from % 64;
		if (!bits)
			continue;
		i = w * 64 + ws_lowest_bit(bits);
		return i < to ? i : WS_NO_WARP;
	}
	return WS_NO_WARP;
}

static size_t pick_lrr(const struct ws_sm *sm, size_t group, bool other, bool lsu)
{
	const struct ws_warp_group *g = &sm->group[group];
	size_t from = g->last + 1; /* WS_NO_WARP + 1 is 0 */
	size_t i = first_in(g, other, lsu, from, sm->words * 64);

	return i == WS_NO_WARP && from ? first_in(g, other, lsu, 0, from) : i;
}

/* pick_gto of up to 64 warps. */
static inline size_t pick_gto_word(const struct ws_sm *sm, size_t group, bool other, bool lsu)
{
	const struct ws_warp_group *g = &sm->group[group];
	uint64_t ready = (other ? g->other[0] : 0) | (lsu ? g->memory[0] : 0), own = 0;

	assert(sm->words == 1);
	if (!ready)
		return WS_NO_WARP;
	if (g->last != WS_NO_WARP && ready >> g->last & 1)
		return g->last;
	for (size_t j = 0; !own && j < sm->resident; j++)
		own = ready & sm->own[sm->oldest[j] * sm->schedulers + group];
	return own ? ws_lowest_bit(own) : WS_NO_WARP;
}

static size_t pick_gto(const struct ws_sm *sm, size_t group, bool other, bool lsu)
{
	const struct ws_warp_group *g = &sm->group[group];
	size_t all = sm->schedulers;

	if (sm->words == 1)
		return pick_gto_word(sm, group, other, lsu);
	if (g->last != WS_NO_WARP &&
	    ((other && ws_bit(g->other, g->last)) || (lsu && ws_bit(g->memory, g->last))))
		return g->last;
	if (first_in(g, other, lsu, 0, sm->words * 64) == WS_NO_WARP)
		return WS_NO_WARP;
	for (size_t j = 0; j < sm->resident; j++) {
		const size_t *range = &sm->first[sm->oldest[j] * all + group];
		size_t from = range[0], to = range[all];
		size_t i = from < to ? first_in(g, other, lsu, from, to) : WS_NO_WARP;

		if (i != WS_NO_WARP)
			return i;
	}
	return WS_NO_WARP;
}

static const struct ws_scheduler_row lrr = {
	.name = "lrr",
	.summary = "loose round robin: the next ready warp after the one issued last",
	.source = "GPGPU-Sim 4, gpgpu-sim/shader.cc, lrr_scheduler",
	.pick = pick_lrr, .rotates = true,
};

static const struct ws_scheduler_row gto = {
	.name = "gto",
	.summary = "greedy, then oldest: one warp while it is ready, then the oldest",
	.source = "Rogers, O'Connor and Aamodt, MICRO 2012, section 2",
	.pick = pick_gto,
};

static const struct ws_scheduler_row two_level = {
	.name = "two-level",
	.summary = "sm.active-warps active warps take turns; one that waits makes room for a "
		   "ready one",
	.source = "Narasiman et al., MICRO 2011, section 3.2; Gebhart et al., ISCA 2011, section "
		  "3.2",
	.pick = pick_lrr, .rotates = true, .seats = true,
};

static const struct ws_scheduler_row sequential = {
	.name = "sequential",
	.summary = "untimed: a warp runs to its end or to a barrier before the next",
	.source = "Crawford 2014, section 5.2",
	.drain = ws_drain_sequential,
};

static const struct ws_scheduler_row round_robin = {
	.name = "round-robin",
	.summary = "untimed: warps take turns, one memory instruction each",
	.source = "Crawford 2014, section 5.2",
	.drain = ws_drain_round_robin,
};

static const struct ws_scheduler_row random_order = {
	.name = "random",
	.summary = "untimed: a random warp makes each memory instruction",
	.source = "Crawford 2014, section 5.2",
	.drain = ws_drain_random,
};

const struct ws_scheduler_row *const ws_scheduler_rows[] = {
	[WS_SCHED_LRR] = &lrr,
	[WS_SCHED_GTO] = &gto,
	[WS_SCHED_TWO_LEVEL] = &two_level,
	[WS_SCHED_SEQUENTIAL] = &sequential,
	[WS_SCHED_ROUND_ROBIN] = &round_robin,
	[WS_SCHED_RANDOM] = &random_order,
};
const size_t ws_scheduler_count = WS_COUNT(ws_scheduler_rows);

/* ---- issue slots ------------------------------------------------------------------------ */

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
