/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * model/policy/duel.h -- set duelling.  A few leader sets always insert as the static policy does,
 * and as many as the bimodal policy does.  Fills of the former increment a counter of the whole
 * cache, fills of the latter decrement it.  The counter decides how all other sets insert.
 *
 * param[0]: the counter's bits.  It begins in the middle of its range; shared[0] is its distance
 * from there, modulo 2^64.
 */
#ifndef WS_POLICY_DUEL_H
#define WS_POLICY_DUEL_H

#include "model/policy/bimodal.h"

#define WS_DUEL_BITS 10u
#define WS_DUEL_BITS_MAX 20u

static inline enum ws_status ws_duel_parse(const char *text, struct ws_use *use, struct ws_err *err)
{
	use->params = 1;
	use->param[0] = WS_DUEL_BITS;
	return *text ? ws_param_whole(text, 1, WS_DUEL_BITS_MAX, use->param, err) : WS_OK;
}

static inline uint64_t ws_duel_period(uint64_t sets)
{
	return sets >= 16 ? 8 : sets >= 4 ? 4 : 2;
}

/* Counts a fill; returns whether the line is inserted as the bimodal policy does. */
static inline bool ws_duel_bimodal(struct ws_set *set)
{
	uint64_t period = ws_duel_period(set->sets), place = set->index % period;
	uint64_t half = UINT64_C(1) << ((unsigned)set->use->param[0] - 1);
	uint64_t counter = half + set->shared[0];

	if (place == 0) {
		set->shared[0] += counter < 2 * half - 1;
		return false;
	}
	if (place == period / 2) {
		set->shared[0] -= counter > 0;
		return true;
	}
	return counter >= half;
}

/* For settle(): a leader set never reads the counter. */
static inline void ws_duel_settle(struct ws_set *set)
{
	if (set->sets == 1)
		set->shared[0] = 0;
}

#endif
