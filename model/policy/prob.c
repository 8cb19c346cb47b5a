/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * model/policy/prob.c -- a random victim, with a weight for each way.
 *
 * Exact face: each victim takes one draw; param[] are the weights.
 *
 * Analytic face: model/solve/random.c.
 */
#include "model/policy/draw.h"
#include "model/solve/solve.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* A number that is not negative, or a fraction of two. */
static enum ws_status weight(char *text, double *out, struct ws_err *err)
{
	char *slash = strchr(text, '/');
	double below = 1;
	bool good;

	if (slash)
		*slash = '\0';
	good = ws_parse_double(text, out) && *out >= 0 &&
	       (!slash || (ws_parse_double(slash + 1, &below) && below > 0)) &&
	       isfinite(*out / below);
	if (slash)
		*slash = '/';
	*out = good ? *out / below : 0;
	return good ? WS_OK
		: ws_fail(err, WS_EINVAL, "\"%s\" is not a weight: want a number from 0, such as "
			  "1/6, 0.5 or 2", text);
}

static enum ws_status prob_parse(const char *text, struct ws_use *use, struct ws_err *err)
{
	enum ws_status status = WS_OK;
	double sum = 0;

	for (const char *at = text; at && status == WS_OK;) {
		size_t len = strcspn(at, ",");
		char one[WS_NAME_MAX];

		if (use->params == WS_PARAMS_MAX)
			return ws_fail(err, WS_EINVAL, "more than %u weights", WS_PARAMS_MAX);
		if (len >= sizeof one)
			return ws_fail(err, WS_EINVAL, "a weight of more than %zu characters",
				       sizeof one - 1);
		snprintf(one, sizeof one, "%.*s", (int)len, at);
		status = weight(one, use->param + use->params, err);
		sum += use->param[use->params++];
		at = at[len] ? at + len + 1 : NULL;
	}
	if (status == WS_OK && !(sum > 0 && isfinite(sum)))
		return ws_fail(err, WS_EINVAL, "weights whose sum is %g", sum);
	return status;
}

static enum ws_status prob_check(const struct ws_use *use, const struct ws_cache *cache,
				 struct ws_err *err)
{
	if (ws_cache_lines(cache) != cache->sets * cache->ways)
		return ws_fail(err, WS_EINVAL, "policy prob has a weight for each way: want sets "
			       "of equal ways");
	if (use->params == cache->ways)
		return WS_OK;
	return ws_fail(err, WS_EINVAL, "policy prob: %u weights for %" PRIu64 " ways", use->params,
		       cache->ways);
}

static unsigned prob_victim(struct ws_set *set)
{
	return ws_draw_weighted(set, set->use->param, set->ways);
}

static enum ws_status prob_solve(const struct ws_query *q, struct ws_solution *out,
				 struct ws_err *err)
{
	return ws_solve_random(q, q->use->param, out, err);
}

extern const struct ws_policy ws_policy_prob;
const struct ws_policy ws_policy_prob = {
	.name = "prob",
	.params = "W0,W1,...",
	.summary = "each way goes with a probability of its own; Fermi's L1: prob:1/6,1/2,1/6,1/6",
	.source = "Mei, Chu: Dissecting GPU memory hierarchy through microbenchmarking, IEEE TPDS "
		  "28(1), 2017: the four ways of Fermi's L1; as random, by classes of ways",
	.variant = true,
	.basis = WS_APPROX,
	.parse = prob_parse,
	.check = prob_check,
	.victim = prob_victim,
	.settle = ws_settle_nothing,
	.needs = WS_RECORD_DETAIL,
	.solve = prob_solve,
};
