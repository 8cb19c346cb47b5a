/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * model/policy/random.c -- a random victim, all ways equally likely.
 *
 * Exact face: each victim takes one draw.
 *
 * Analytic face: model/solve/random.c with equal weights.
 */
#include "model/policy/draw.h"
#include "model/solve/solve.h"

static unsigned random_victim(struct ws_set *set)
{
	return ws_draw_even(set, set->ways);
}

static enum ws_status random_solve(const struct ws_query *q, struct ws_solution *out,
				   struct ws_err *err)
{
	return ws_solve_random(q, NULL, out, err);
}

extern const struct ws_policy ws_policy_random;
const struct ws_policy ws_policy_random = {
	.name = "random",
	.summary = "any line of the set, each as likely; seeded",
	.source = "Belady: A study of replacement algorithms for a virtual-storage computer, IBM "
		  "Systems Journal 5(2), 1966; reuse windows with Hajek's correction",
	.basis = WS_APPROX,
	.mean_pp = 0.04, .max_pp = 1.34,
	.victim = random_victim,
	.settle = ws_settle_nothing, .ways_alike = true,
	.needs = WS_RECORD_DETAIL,
	.solve = random_solve,
};
