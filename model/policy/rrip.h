/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * model/policy/rrip.h -- re-reference prediction values, shared by SRRIP, BRRIP, DRRIP and their
 * variants: 0 is "soon", the largest, top, "late".
 *
 * That all lines of a set grow older by as much is kept once for the set: a way's word is its
 * value less own[0], modulo 2^64, and growing is one addition.
 */
#ifndef WS_POLICY_RRIP_H
#define WS_POLICY_RRIP_H

#include "model/policy/bimodal.h"

#define WS_RRIP_TOP 3u		/* of two bits */

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

/* The lowest way of the largest value; all grow until that is top.  O(ways), one pass. */
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

/* The settle() of values; no clock is looked at. */
static inline uint64_t ws_rrip_settle(struct ws_set *set)
{
	for (unsigned way = 0; way < set->ways; way++)
		set->meta[way] += set->own[0];
	set->own[0] = 0;
	return 0;
}

/* Two bits: as SRRIP inserts, and as BRRIP. */
static inline void ws_rrip_fill_static(struct ws_set *set, unsigned way)
{
	ws_rrip_put(set, way, WS_RRIP_TOP - 1);
}

static inline void ws_rrip_fill_bimodal(struct ws_set *set, unsigned way, double probability)
{
	ws_rrip_put(set, way, ws_bimodal_high(set, probability) ? WS_RRIP_TOP - 1 : WS_RRIP_TOP);
}

#endif
