/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * model/policy/order.h -- for policies that order the lines of a set by their words: the least
 * goes first.
 *
 * A word is 0 at first, so MIDDLE + clock is above all that were placed before, MIDDLE - clock
 * below them: the clock never stands still.
 */
#ifndef WS_POLICY_ORDER_H
#define WS_POLICY_ORDER_H

#include "model/model.h"

#define WS_ORDER_MIDDLE (UINT64_C(1) << 63)

/* The lowest way of the least word. */
static inline unsigned ws_order_least(const struct ws_set *set)
{
	uint64_t least = set->meta[0];
	unsigned found = 0;

	for (unsigned way = 1; way < set->ways; way++) {
		uint64_t word = set->meta[way];

		found = word < least ? way : found;
		least = word < least ? word : least;
	}
	return found;
}

static inline void ws_order_last(struct ws_set *set, unsigned way)
{
	set->meta[way] = WS_ORDER_MIDDLE + set->clock;
}

static inline void ws_order_first(struct ws_set *set, unsigned way)
{
	set->meta[way] = WS_ORDER_MIDDLE - set->clock;
}

#endif
