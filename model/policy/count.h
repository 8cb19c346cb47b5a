/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * model/policy/count.h -- for policies that rank lines by their number of uses, and lines of equal
 * count by recency.  A way's word has the count at its last use, and the set's clock at that use:
 *
 *   word = count * 2^32 + clock
 *
 * Both saturate at 2^32 - 1.  So a set with more accesses than that between two flushes is no
 * longer exact.  (The request stream of such a launch takes 128 GiB.)
 */
#ifndef WS_POLICY_COUNT_H
#define WS_POLICY_COUNT_H

#include "model/policy/order.h"

static inline uint64_t ws_count_now(const struct ws_set *set)
{
	return set->clock < UINT32_MAX ? set->clock : UINT32_MAX;
}

static inline uint64_t ws_count_of(const struct ws_set *set, unsigned way)
{
	return set->meta[way] >> 32;
}

static inline void ws_count_put(struct ws_set *set, unsigned way, uint64_t count)
{
	set->meta[way] = (count < UINT32_MAX ? count : UINT32_MAX) << 32 | ws_count_now(set);
}

static inline void ws_count_fill(struct ws_set *set, unsigned way)
{
	ws_count_put(set, way, 0);
}

static inline void ws_count_hit(struct ws_set *set, unsigned way)
{
	ws_count_put(set, way, ws_count_of(set, way) + 1);
}

#endif
