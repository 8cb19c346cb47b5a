/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * model/policy/kumar.h -- the RRIP of Kumar, Kalyanaraman and Patil.  They take n, in the paper the
 * bits of a value, to be the associativity: values are at most 2^n - 1, and a line is inserted with
 * 2^(n-2) or 2^(n-1).  The line of the largest value is evicted, and the others grow by what it
 * lacked to the top.  (Here the victim's value grows, too, which has no effect: the way is filled
 * next.)
 *
 * n is at most 62, so that values fit into a word.
 */
#ifndef WS_POLICY_KUMAR_H
#define WS_POLICY_KUMAR_H

#include "model/policy/rrip.h"

#define WS_KUMAR_BITS 62u

static inline unsigned ws_kumar_bits(const struct ws_set *set)
{
	return set->ways < WS_KUMAR_BITS ? set->ways : WS_KUMAR_BITS;
}

static inline unsigned ws_kumar_victim(struct ws_set *set)
{
	return ws_rrip_victim(set, (UINT64_C(1) << ws_kumar_bits(set)) - 1);
}

static inline uint64_t ws_kumar_long(const struct ws_set *set)
{
	unsigned bits = ws_kumar_bits(set);

	return bits < 2 ? 1 : UINT64_C(1) << (bits - 2);
}

static inline uint64_t ws_kumar_distant(const struct ws_set *set)
{
	return UINT64_C(1) << (ws_kumar_bits(set) - 1);
}

#endif
