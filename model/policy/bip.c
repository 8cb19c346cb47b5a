/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * model/policy/bip.c -- bimodal insertion: LRU, but most lines are inserted at the LRU position.
 *
 * Exact face: order.h.  A line is inserted at the MRU position with probability param[0], else at
 * the LRU position.  Each fill draws once.
 *
 * Analytic face: that of BRRIP, model/solve/bimodal.c.
 */
#include "model/policy/bimodal.h"
#include "model/policy/order.h"
#include "model/solve/bimodal.h"

static enum ws_status bip_parse(const char *text, struct ws_use *use, struct ws_err *err)
{
	return ws_bimodal_parse(text, WS_BIMODAL, use, err);
}

static void bip_fill(struct ws_set *set, unsigned way)
{
	if (ws_bimodal_high(set, set->use->param[0]))
		ws_order_last(set, way);
	else
		ws_order_first(set, way);
}

static unsigned bip_victim(struct ws_set *set)
{
	return ws_order_least(set);
}

extern const struct ws_policy ws_policy_lfu;

static enum ws_status bip_solve(const struct ws_query *q, struct ws_solution *out,
				struct ws_err *err)
{
	return ws_bimodal_solve(q, q->use->param[0], &ws_policy_lfu, out, err);
}

extern const struct ws_policy ws_policy_bip;
const struct ws_policy ws_policy_bip = {
	.name = "bip",
	.params = "EPS",
	.summary = "bimodal insertion: LRU, inserted to go next save with probability EPS (1/32)",
	.source = "Qureshi, Jaleel, Patt, Steely, Emer: Adaptive insertion policies for high "
		  "performance caching, ISCA 2007",
	.basis = WS_APPROX,
	.mean_pp = 0.09, .max_pp = 1.09,
	.parse = bip_parse,
	.way_words = 1,
	.on_hit = ws_order_last,
	.on_fill = bip_fill,
	.victim = bip_victim,
	.settle = ws_order_settle, .ways_alike = true,
	.needs = WS_RECORD_DETAIL,
	.solve = bip_solve,
};
