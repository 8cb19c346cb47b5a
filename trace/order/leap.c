/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/order/leap.c -- jumping over cycles in which warps only use up runs of
 * other instructions.
 *
 * If no warp can wake and no memory op can issue before some cycle, schedulers that rotate their
 * warps do nothing else until then, so these cycles can be simulated at once unless a run ends
 * among them.  Trying costs O(ready warps) and pays for long runs only: it is done every
 * WS_LEAP_EVERY cycles, sooner after a success, and for at least LEAP_LEAST cycles.  A scheduler
 * that stays with its warp needs no leaps: sm.c visits it again when the run ends.
 */
#include "trace/order/sm.h"

#define LEAP_LEAST 8u

/* The first cycle after this one in which anything but the ready warps can act, or WS_NEVER. */
static uint64_t horizon(const struct ws_sm *sm, uint64_t cycle)
{
	uint64_t next = sm->wake.count ? sm->wake.item[0].key : WS_NEVER;

	if (sm->lsu_queue && sm->lsu_free > cycle && sm->lsu_free < next)
		next = sm->lsu_free;
	if (sm->next_end != WS_NEVER && sm->next_end + 1 < next)
		next = sm->next_end + 1;
	if (sm->lsu && sm->lsu->due > cycle && sm->lsu->due < next)
		next = sm->lsu->due;
	return next;
}

/* How many cycles from `cycle` on a group issues nothing but other ops of the
 * warps ready now, none of them the last of its run. */
static uint64_t steady(const struct ws_sm *sm, const struct ws_warp_group *g)
{
	uint64_t least = WS_NEVER, ready = 0;
	size_t group = (size_t)(g - sm->group);

	for (size_t i = 0; i < sm->words; i++) {
		for (uint64_t bits = g->other[i]; bits; bits &= bits - 1) {
			size_t warp = i * 64 + ws_lowest_bit(bits);
			uint64_t run = sm->warp[warp * sm->schedulers + group].run;

			least = run < least ? run : least;
			ready++;
		}
	}
	if (!ready)
		return WS_NEVER;
	return least - 1 > UINT64_MAX / ready ? WS_NEVER - 1 : (least - 1) * ready;
}

/* Issues `cycles` other ops of a group, no more than steady. */
static void coast(struct ws_sm *sm, size_t group, uint64_t cycles)
{
	struct ws_warp_group *g = &sm->group[group];
	uint64_t ready = 0, rounds;

	if (!ws_any(sm, g->other))
		return;
	ws_sm_count(sm, g, sm->cycle);
	sm->stats.issued += cycles;
	g->counted = g->next = sm->cycle + cycles;
	for (size_t i = 0; i < sm->words; i++) {
		for (uint64_t bits = g->other[i]; bits; bits &= bits - 1)
			ready++;
	}
	if (ready > 1 && cycles >= ready) { /* whole rounds but one, which sets .last */
		rounds = (cycles - ready) / ready;
		cycles -= rounds * ready;
		for (size_t i = 0; i < sm->words; i++) {
			for (uint64_t bits = g->other[i]; bits; bits &= bits - 1)
				sm->warp[(i * 64 + ws_lowest_bit(bits)) * sm->schedulers +
					 group].run -= rounds;
		}
	}
	while (cycles) {
		size_t warp = sm->scheduler->pick(sm, group, true, false);
		uint64_t n = ready > 1 ? 1 : cycles;

		g->last = warp;
		sm->warp[warp * sm->schedulers + group].run -= n;
		cycles -= n;
	}
}

bool ws_sm_leap(struct ws_sm *sm)
{
	uint64_t cycle = sm->cycle, n = horizon(sm, cycle) - cycle;

	sm->plain = 0;
	if (sm->lsu_queue && sm->lsu_free <= cycle)
		return false;
	if (sm->lsu && sm->lsu->due <= cycle)
		return false;
	if (sm->lsu && n > sm->limit + 1 - cycle) /* what comes in then is not known yet */
		n = sm->limit + 1 - cycle;
	for (size_t g = 0; g < sm->schedulers && n > LEAP_LEAST; g++) {
		uint64_t s = steady(sm, &sm->group[g]);

		n = s < n ? s : n;
		n = sm->group[g].late == WS_NO_WARP ? n : 0; /* the next cycle decides */
	}
	if (n <= LEAP_LEAST || n > WS_NEVER / 2)
		return false;
	for (size_t g = 0; g < sm->schedulers; g++)
		coast(sm, g, n);
	sm->plain = WS_LEAP_EVERY - 2; /* more of the kind may follow */
	sm->cycle += n;
	sm->now = sm->cycle;
	return true;
}
