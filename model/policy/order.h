/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * model/policy/order.h -- for policies that order the lines of a set by their words: the least is
 * evicted first.
 *
 * The clock grows with every access to the set.  So a line with the word MIDDLE + clock is above
 * all lines that were placed before, and one with MIDDLE - clock is below them.
 */
#ifndef WS_POLICY_ORDER_H
#define WS_POLICY_ORDER_H

#include "model/model.h"

#include <assert.h>

#define WS_ORDER_MIDDLE (UINT64_C(1) << 63)

static inline uint64_t ws_order_lesser(uint64_t x, uint64_t y)
{
	return x < y ? x : y;
}

/* Keeps four minima: with one, each comparison would depend on the one before it. */
static inline unsigned ws_order_least_of_many(const struct ws_set *set)
{
	const uint64_t *word = set->meta;
	uint64_t least[4] = { word[0], word[0], word[0], word[0] };
	unsigned way = 0;

	for (; way + 4 <= set->ways; way += 4) {
		least[0] = ws_order_lesser(least[0], word[way]);
		least[1] = ws_order_lesser(least[1], word[way + 1]);
		least[2] = ws_order_lesser(least[2], word[way + 2]);
		least[3] = ws_order_lesser(least[3], word[way + 3]);
	}
	for (; way < set->ways; way++)
		least[0] = ws_order_lesser(least[0], word[way]);
	least[0] = ws_order_lesser(ws_order_lesser(least[0], least[1]),
				   ws_order_lesser(least[2], least[3]));
	for (way = 0; word[way] != least[0];)
		way++;
	return way;
}

#define WS_ORDER_MANY 32u

/* The lowest way that has the least word. */
static inline unsigned ws_order_least(const struct ws_set *set)
{
	uint64_t least = set->meta[0];
	unsigned found = 0;

	if (set->ways >= WS_ORDER_MANY)
		return ws_order_least_of_many(set);
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

/* For settle(): replaces words by `base` + their rank, 0 to ways - 1; equal words stay equal. */
static inline void ws_order_rank(struct ws_set *set, unsigned step, uint64_t base)
{
	uint64_t word[WS_SETTLE_WAYS];

	assert(set->ways <= WS_SETTLE_WAYS);
	for (unsigned way = 0; way < set->ways; way += step)
		word[way] = set->meta[way];
	for (unsigned way = 0; way < set->ways; way += step) {
		uint64_t less = 0;

		for (unsigned i = 0; i < set->ways; i += step)
			less += word[i] < word[way];
		set->meta[way] = base + less;
	}
}

/* The settle() for words that ws_order_last and ws_order_first wrote. */
static inline uint64_t ws_order_settle(struct ws_set *set)
{
	ws_order_rank(set, 1, WS_ORDER_MIDDLE);
	return set->ways;
}

#endif
