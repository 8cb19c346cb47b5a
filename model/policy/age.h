/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * model/policy/age.h -- counts (count.h) that are halved, rounded down, at every period-th access
 * to the set.
 *
 * Nothing is done then.  Halvings so far are clock / period, and a word knows the clock of its
 * last use, hence how many it has missed since: its count now is count >> missed.
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

/* For settle().  A use that is the r-th least recent is said to have been at clock r, and the count
 * to have been so large that the halvings since leave what it is now. */
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
