/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * model/policy/clock.c -- second chance: one bit a line, and a hand that circulates.
 *
 * Exact face: a way's word is 1 if the line was used since the hand passed it.  The set's word is
 * the hand's position.
 */
#include "model/policy/draw.h"

static void clock_touch(struct ws_set *set, unsigned way)
{
	set->meta[way] = 1;
}

static unsigned clock_victim(struct ws_set *set)
{
	unsigned way = (unsigned)set->own[0];

	for (; set->meta[way]; way = (way + 1) % set->ways)
		set->meta[way] = 0;
	set->own[0] = (way + 1) % set->ways;
	return way;
}

extern const struct ws_policy ws_policy_clock;
const struct ws_policy ws_policy_clock = {
	.name = "clock",
	.summary = "second chance: a bit a line, a hand that goes around and clears them",
	.source = "Corbato: A paging experiment with the Multics system, 1968",
	.basis = WS_APPROX,
	.variant = true,
	.way_words = 1, .set_words = 1,
	.on_hit = clock_touch,
	.on_fill = clock_touch,
	.victim = clock_victim,
	.settle = ws_settle_nothing,
};
