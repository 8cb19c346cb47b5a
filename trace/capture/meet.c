/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/capture/meet.c -- lanes of a warp that wait for each other and see each other's values:
 * CUDA's shuffles, votes and __syncwarp.
 *
 * A lane that meets names the lanes it waits for (a mask), and stops.  When no lane of the warp can
 * continue, lanes meet if all lanes of their mask that have not ended have stopped with the same
 * mask.  If no such lanes exist, lanes without a mask meet (__activemask, and intrinsics older than
 * CUDA 9), and lanes whose mask does not contain themselves: all that stopped at the
 * first place in the code.  They do not meet while another lane of the warp waits for memory to
 * change, since that lane may reach the same place afterwards; unless the whole launch waits
 * (r->apart).  Each lane gets a copy of all lanes' values, so that none waits until another has
 * read them.
 *
 * Warps are 32 work-items in the order of their numbers, as in CUDA, whatever the warp width of the
 * machine for which the trace is ordered.
 */
#include "trace/capture/lockstep.h"

#include <string.h>

static size_t lanes_of(const struct ws_cta_run *r, size_t warp)
{
	return r->lanes - warp < WS_MEETING_LANES ? r->lanes - warp : WS_MEETING_LANES;
}

static bool waits(const struct ws_cta_run *r, size_t lane)
{
	return r->lane[lane].state == LANE_MEET && r->lane[lane].rd == r->lane[lane].p;
}

/* The lanes that have stopped with the same mask; 0: some lanes of the mask have not. */
static uint32_t all_of_mask(const struct ws_cta_run *r, size_t warp, size_t lane)
{
	uint32_t mask = r->meeting[warp + lane].mask, come = 0;

	for (size_t i = 0; i < lanes_of(r, warp); i++) {
		if (!(mask >> i & 1) || r->lane[warp + i].state == LANE_DONE)
			continue;
		if (!waits(r, warp + i) || r->meeting[warp + i].mask != mask)
			return 0;
		come |= UINT32_C(1) << i;
	}
	return come;
}

/* Those without a mask that wait at the first place of which any do: the others may come there. */
static uint32_t all_of_place(const struct ws_cta_run *r, size_t warp)
{
	uint32_t come = 0, first = UINT32_MAX;

	for (size_t i = 0; i < lanes_of(r, warp); i++) {
		const struct ws_lane_ctx *x = &r->lane[warp + i];

		if (!waits(r, warp + i) || r->meeting[warp + i].mask || x->waiting > first)
			continue;
		come = x->waiting < first ? 0 : come;
		first = x->waiting;
		come |= UINT32_C(1) << i;
	}
	return come;
}

/* The lanes get each other's values and continue.  Lanes of a bare kernel read them before they
 * stop again, and all continue before any can meet again: one copy is enough. */
static void exchange(struct ws_cta_run *r, size_t warp, uint32_t come)
{
	uint64_t value[WS_MEETING_LANES] = { 0 };
	struct ws_meeting *first = NULL;

	for (uint32_t left = come; left; left &= left - 1) {
		size_t i = (size_t)__builtin_ctz(left);

		value[i] = r->meeting[warp + i].mine;
	}
	for (uint32_t left = come; left; left &= left - 1) {
		struct ws_meeting *m = &r->meeting[warp + (size_t)__builtin_ctz(left)];

		if (!first || !r->config->kernel->bare) {
			memcpy(m->value, value, sizeof value);
			m->lanes = come;
			first = m;
		}
		m->seen = first;
		m->met = true;
	}
}

/* Finds the warp's meetings by mask; true: there is one. */
static bool find_masked(struct ws_cta_run *r, size_t warp)
{
	bool any = false;

	for (size_t i = warp; i < warp + lanes_of(r, warp); i++) {
		uint32_t come;

		if (!waits(r, i) || r->meeting[i].met || !r->meeting[i].mask)
			continue;
		come = all_of_mask(r, warp, i - warp);
		exchange(r, warp, come);
		any |= come != 0;
	}
	return any;
}

/* May one that goes on without the others come to the first place, too? */
static bool may_still_come(const struct ws_cta_run *r, size_t warp)
{
	bool may = false;

	for (size_t i = warp; i < warp + lanes_of(r, warp) && !may; i++) {
		const struct ws_lane_ctx *x = &r->lane[i];

		may = x->state == LANE_FULL || x->state == LANE_NEW ||
		      (x->state == LANE_WAIT && r->waits && !r->apart) ||
		      (x->state == LANE_MEET && x->rd != x->p);
	}
	return may;
}

bool ws_warp_meets(struct ws_cta_run *r, size_t warp)
{
	uint32_t come = 0;

	if (find_masked(r, warp))
		return true;
	if (r->apart || !may_still_come(r, warp))
		come = all_of_place(r, warp);
	exchange(r, warp, come);
	return come != 0;
}

bool ws_meeting_stuck(struct ws_cta_run *r)
{
	size_t lane = 0;

	while (lane < r->lanes && !waits(r, lane))
		lane++;
	r->fault_lane = (uint32_t)lane;
	return lane < r->lanes;
}
