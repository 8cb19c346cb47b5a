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

#endif
