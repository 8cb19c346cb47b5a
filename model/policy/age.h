/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * model/policy/age.h -- counts (count.h) that are halved, rounded down, at every period-th access
 * to the set.
 *
 * Halving is lazy.  clock / period halvings have happened so far, and a word holds the clock of its
 * last use.  So the number of halvings since that use is known, and the count is shifted right by
 * it when it is read.
 */
#ifndef WS_POLICY_AGE_H
#define WS_POLICY_AGE_H

#include "model/policy/count.h"

static inline uint64_t ws_age_word(const struct ws_set *set, unsigned way, uint64_t period)
{
	uint64_t used = set->meta[way] & UINT32_MAX, count = set->meta[way] >> 32;
	uint64_t missed;

	if (!count)
		return used;
	missed = ws_count_now(set) / period - used / period;
	return (missed < 32 ? count >> missed : 0) << 32 | used;
}

static inline void ws_age_hit(struct ws_set *set, unsigned way, uint64_t period)
{
	ws_count_put(set, way, (ws_age_word(set, way, period) >> 32) + 1);
}

static inline unsigned ws_age_victim(const struct ws_set *set, uint64_t period)
{
	uint64_t least = ws_age_word(set, 0, period);
	unsigned found = 0;

	for (unsigned way = 1; way < set->ways; way++) {
		uint64_t word = ws_age_word(set, way, period);

		found = word < least ? way : found;
		least = word < least ? word : least;
	}
	return found;
}

/* For settle().  The r-th least recent use is moved to clock r, and the stored count is made so
 * large that the halvings since then leave the present count. */
static inline uint64_t ws_age_settle(struct ws_set *set, uint64_t period)
{
	uint64_t word[WS_SETTLE_WAYS], clock = set->clock % period;

	assert(set->ways <= WS_SETTLE_WAYS);
	while (clock < set->ways)
		clock += period;
	for (unsigned way = 0; way < set->ways; way++)
		word[way] = ws_age_word(set, way, period) >> 32;
	for (unsigned way = 0; way < set->ways; way++) {
		uint64_t used = 0;

		for (unsigned i = 0; i < set->ways; i++)
			used += (set->meta[i] & UINT32_MAX) < (set->meta[way] & UINT32_MAX);
		word[way] = word[way] << (clock / period - used / period) << 32 | used;
	}
	for (unsigned way = 0; way < set->ways; way++)
		set->meta[way] = word[way];
	return clock;
}

#endif
