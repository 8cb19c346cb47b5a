/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * model/policy/rrip.h -- re-reference prediction values, shared by SRRIP, BRRIP, DRRIP and their
 * variants: 0 is "soon", the largest value (top) is "late".
 *
 * Ageing adds the same to all lines of a set, so the sum is kept once: a way's word is its value
 * less own[0], modulo 2^64, and ageing is one addition.
 */
#ifndef WS_POLICY_RRIP_H
#define WS_POLICY_RRIP_H

#include "model/policy/bimodal.h"

#define WS_RRIP_TOP 3u		/* with two bits */

static inline uint64_t ws_rrip_value(const struct ws_set *set, unsigned way)
{
	return set->meta[way] + set->own[0];
}

static inline void ws_rrip_put(struct ws_set *set, unsigned way, uint64_t value)
{
	set->meta[way] = value - set->own[0];
}

static inline void ws_rrip_hit(struct ws_set *set, unsigned way)
{
	ws_rrip_put(set, way, 0);
}

/* The lowest way that has the largest value; all values grow until that one is top.  O(ways). */
static inline unsigned ws_rrip_victim(struct ws_set *set, uint64_t top)
{
	uint64_t largest = ws_rrip_value(set, 0);
	unsigned victim = 0;

	for (unsigned way = 1; way < set->ways && largest < top; way++) {
		uint64_t value = ws_rrip_value(set, way);

		if (value > largest) {
			largest = value;
			victim = way;
		}
	}
	set->own[0] += top - largest;
	return victim;
}

/* The settle() for such values; the clock does not matter. */
static inline uint64_t ws_rrip_settle(struct ws_set *set)
{
	for (unsigned way = 0; way < set->ways; way++)
		set->meta[way] += set->own[0];
	set->own[0] = 0;
	return 0;
}

/* Insertion with two bits: SRRIP's, then BRRIP's. */
static inline void ws_rrip_fill_static(struct ws_set *set, unsigned way)
{
	ws_rrip_put(set, way, WS_RRIP_TOP - 1);
}

static inline void ws_rrip_fill_bimodal(struct ws_set *set, unsigned way, double probability)
{
	ws_rrip_put(set, way, ws_bimodal_high(set, probability) ? WS_RRIP_TOP - 1 : WS_RRIP_TOP);
}

#endif
