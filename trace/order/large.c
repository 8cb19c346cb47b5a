/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/order/large.c -- large warps: sub-warps formed of the active lanes of several warps.
 *
 * A large warp is `rows` warps of a CTA that go through the program together: it executes a step if
 * any of its lanes is active in it.  Lane i of a row stays in column i, as its registers are in
 * that lane's bank.  Sub-warp j of a step has from each column the j-th row that is active there;
 * so a step has as many sub-warps as the fullest column has rows, and each is coalesced by itself.
 *
 * Narasiman et al., "Improving GPU performance via large warps and two-level warp scheduling",
 * MICRO 2011, section 3.1.  What is left out: trace/order/sm.h.
 */
#include "base/bits.h"
#include "trace/order/order.h"

void ws_sub_warps_form(struct ws_sub_warps *s, const struct ws_step *step, size_t first,
		       size_t width, size_t rows)
{
	s->count = 0;
	for (size_t column = 0; column < width; column++) {
		size_t depth = 0;

		for (size_t row = 0; row < rows; row++) {
			size_t lane = first + row * width + column;

			if (lane / 64 >= step->words || !ws_bit(step->mask, lane))
				continue;
			if (depth == s->count)
				s->mask[s->count++] = 0;
			s->mask[depth] |= 1ull << column;
			s->lane[depth++][column] = (uint16_t)lane;
		}
	}
}

size_t ws_sub_warp_coalesce(const struct ws_plan *plan, const struct ws_sub_warps *s, size_t which,
			    const uint64_t *address, uint32_t bytes, struct ws_request *out)
{
	uint64_t own[64];

	for (uint64_t mask = s->mask[which]; mask; mask &= mask - 1) {
		unsigned column = ws_lowest_bit(mask);

		own[column] = address[s->lane[which][column]];
	}
	return ws_coalesce(plan->machine, own, s->mask[which], bytes, out);
}

/* ---- when data is needed ------------------------------------------------------------------ */

bool ws_await(struct ws_awaited *a, size_t warp, uint32_t op, uint64_t slot, uint64_t instruction)
{
	if (!WS_ROOM(a->load, a->load_cap, a->loads + 1))
		return false;
	a->load[a->loads++] = (struct ws_awaited_load){ instruction, slot, (uint32_t)warp, op };
	if (instruction < a->progress[warp].soonest)
		a->progress[warp].soonest = instruction;
	return true;
}

/* The loads whose data is needed by one of the next `count` instructions, which take `each` slots:
 * how far that is from their own. */
static void tell_waits(struct ws_awaited *a, struct ws_op *op, size_t warp, uint64_t count,
		       uint64_t each)
{
	struct ws_warp_progress *p = &a->progress[warp];
	size_t kept = 0;

	p->soonest = UINT64_MAX;
	for (size_t i = 0; i < a->loads; i++) {
		const struct ws_awaited_load l = a->load[i];
		uint64_t slot = p->slots + (l.instruction - p->instructions) * each - l.slot;

		if (l.warp == warp && l.instruction < p->instructions + count) {
			op[l.op].wait = slot < WS_WAIT_NEVER ? (uint32_t)slot : WS_WAIT_NEVER;
			continue;
		}
		if (l.warp == warp && l.instruction < p->soonest)
			p->soonest = l.instruction;
		a->load[kept++] = l;
	}
	a->loads = kept;
}

void ws_warp_goes_on(struct ws_awaited *a, struct ws_op *op, size_t warp, uint64_t count,
		     uint64_t each)
{
	struct ws_warp_progress *p = &a->progress[warp];

	if (p->soonest < p->instructions + count)
		tell_waits(a, op, warp, count, each);
	p->instructions += count;
	p->slots += count * each;
}
