/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * model/policy/brrip.c -- bimodal re-reference interval prediction.
 *
 * Exact face: rrip.h, two bits.  A line is inserted with value 2 with probability param[0], else
 * with the top value, 3.  Each fill draws once.
 *
 * Analytic face: the two clocks of model/solve/bimodal.c.
 */
#include "model/policy/rrip.h"
#include "model/solve/bimodal.h"

static enum ws_status brrip_parse(const char *text, struct ws_use *use, struct ws_err *err)
{
	return ws_bimodal_parse(text, WS_BIMODAL, use, err);
}

static void brrip_fill(struct ws_set *set, unsigned way)
{
	ws_rrip_fill_bimodal(set, way, set->use->param[0]);
}

static unsigned brrip_victim(struct ws_set *set)
{
	return ws_rrip_victim(set, WS_RRIP_TOP);
}

extern const struct ws_policy ws_policy_lfu;

static enum ws_status brrip_solve(const struct ws_query *q, struct ws_solution *out,
				  struct ws_err *err)
{
	return ws_bimodal_solve(q, q->use->param[0], &ws_policy_lfu, out, err);
}

extern const struct ws_policy ws_policy_brrip;
const struct ws_policy ws_policy_brrip = {
	.name = "brrip",
	.params = "EPS",
	.summary = "bimodal RRIP: inserted to go next save with probability EPS (1/32)",
	.source = "Jaleel, Theobald, Steely, Emer: High performance cache replacement using "
		  "re-reference interval prediction (RRIP), ISCA 2010",
	.basis = WS_APPROX,
	.mean_pp = 0.13, .max_pp = 1.42,
	.parse = brrip_parse,
	.way_words = 1, .set_words = 1,
	.on_hit = ws_rrip_hit,
	.on_fill = brrip_fill,
	.victim = brrip_victim,
	.settle = ws_rrip_settle,
	.needs = WS_RECORD_DETAIL,
	.solve = brrip_solve,
};
