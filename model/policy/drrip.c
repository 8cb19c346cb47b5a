/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * model/policy/drrip.c -- dynamic re-reference interval prediction: SRRIP and BRRIP duel.
 *
 * Exact face: rrip.h, two bits; duel.h decides how a line is inserted.
 *
 * Analytic face: model/solve/duel.c.
 */
#include "model/policy/duel.h"
#include "model/policy/rrip.h"
#include "model/solve/duel.h"

static void drrip_fill(struct ws_set *set, unsigned way)
{
	if (ws_duel_bimodal(set))
		ws_rrip_fill_bimodal(set, way, WS_BIMODAL);
	else
		ws_rrip_fill_static(set, way);
}

static unsigned drrip_victim(struct ws_set *set)
{
	return ws_rrip_victim(set, WS_RRIP_TOP);
}

static uint64_t drrip_settle(struct ws_set *set)
{
	ws_duel_settle(set);
	return ws_rrip_settle(set);
}

extern const struct ws_policy ws_policy_srrip, ws_policy_brrip;

static enum ws_status drrip_solve(const struct ws_query *q, struct ws_solution *out,
				  struct ws_err *err)
{
	static const struct ws_duel duel = { &ws_policy_srrip, &ws_policy_brrip };

	return ws_duel_solve(q, &duel, out, err);
}

extern const struct ws_policy ws_policy_drrip;
const struct ws_policy ws_policy_drrip = {
	.name = "drrip",
	.params = "BITS",
	.summary = "dynamic RRIP: SRRIP or BRRIP (1/32) by a duel of sets, a counter of BITS (10)",
	.source = "Jaleel, Theobald, Steely, Emer: High performance cache replacement using "
		  "re-reference interval prediction (RRIP), ISCA 2010",
	.basis = WS_APPROX,
	.mean_pp = 0.11, .max_pp = 3.93,
	.parse = ws_duel_parse,
	.way_words = 1, .set_words = 1, .cache_words = 1,
	.on_hit = ws_rrip_hit,
	.on_fill = drrip_fill,
	.victim = drrip_victim,
	.settle = drrip_settle,
	.needs = WS_RECORD_DETAIL,
	.solve = drrip_solve,
};
