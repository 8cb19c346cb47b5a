/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * model/policy/draw.h -- random choices of hooks.  Each takes one number of the cache's generator.
 * While a Markov chain is built, it makes the choice instead (struct ws_draws).
 */
#ifndef WS_POLICY_DRAW_H
#define WS_POLICY_DRAW_H

#include "model/model.h"

static inline bool ws_draw_chance(const struct ws_set *set, double probability)
{
	return set->draws ? set->draws->chance(set->draws, probability)
			  : ws_rng_double(set->rng) < probability;
}

/* 0 .. n - 1, all equally likely. */
static inline unsigned ws_draw_even(const struct ws_set *set, unsigned n)
{
	return set->draws ? set->draws->among(set->draws, NULL, n)
			  : (unsigned)ws_rng_below(set->rng, n);
}

/* 0 .. n - 1, with probabilities proportional to the weights. */
static inline unsigned ws_draw_weighted(const struct ws_set *set, const double *weight, unsigned n)
{
	unsigned last = 0;
	double sum = 0, u;

	if (set->draws)
		return set->draws->among(set->draws, weight, n);
	for (unsigned i = 0; i < n; i++)
		sum += weight[i];
	u = ws_rng_double(set->rng) * sum;
	sum = 0;
	for (unsigned i = 0; i < n; i++) {
		sum += weight[i];
		if (u < sum)
			return i;
		if (weight[i] > 0)
			last = i;
	}
	return last;		/* reached if rounding made u too large */
}

/* The settle() of a policy that has no state, or whose equivalent states are equal already. */
static inline uint64_t ws_settle_nothing(struct ws_set *set)
{
	(void)set;
	return 0;
}

#endif
