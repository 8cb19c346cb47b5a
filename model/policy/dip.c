/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * model/policy/dip.c -- dynamic insertion: LRU and BIP duel.
 *
 * Exact face: order.h; duel.h decides how a line is inserted.
 *
 * Analytic face: model/solve/duel.c.
 */
#include "model/policy/duel.h"
#include "model/policy/order.h"
#include "model/solve/duel.h"

static void dip_fill(struct ws_set *set, unsigned way)
{
	if (ws_duel_bimodal(set) && !ws_bimodal_high(set, WS_BIMODAL))
		ws_order_first(set, way);
	else
		ws_order_last(set, way);
}

static unsigned dip_victim(struct ws_set *set)
{
	return ws_order_least(set);
}

static uint64_t dip_settle(struct ws_set *set)
{
	ws_duel_settle(set);
	return ws_order_settle(set);
}

extern const struct ws_policy ws_policy_bip;

static enum ws_status dip_solve(const struct ws_query *q, struct ws_solution *out,
				struct ws_err *err)
{
	static const struct ws_duel duel = { NULL, &ws_policy_bip };

	return ws_duel_solve(q, &duel, out, err);
}

extern const struct ws_policy ws_policy_dip;
const struct ws_policy ws_policy_dip = {
	.name = "dip",
	.params = "BITS",
	.summary = "dynamic insertion: LRU or BIP (1/32) by a duel of sets, a counter of BITS (10)",
	.source = "Qureshi, Jaleel, Patt, Steely, Emer: Adaptive insertion policies for high "
		  "performance caching, ISCA 2007",
	.basis = WS_APPROX,
	.mean_pp = 0.12, .max_pp = 4.51,
	.parse = ws_duel_parse,
	.way_words = 1, .cache_words = 1,
	.on_hit = ws_order_last,
	.on_fill = dip_fill,
	.victim = dip_victim,
	.settle = dip_settle, .ways_alike = true,
	.needs = WS_RECORD_DETAIL,
	.solve = dip_solve,
};
