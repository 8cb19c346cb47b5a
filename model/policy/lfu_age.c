/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * model/policy/lfu_age.c -- least frequently used, with counts that age.
 *
 * Exact face: age.h, with a period of param[0].
 *
 * Analytic face: model/solve/ageing.c.  A period of 1 is exactly LRU.
 */
#include "model/policy/age.h"
#include "model/solve/frequency.h"

#define PERIOD 32u
#define PERIOD_MAX (UINT64_C(1) << 32)

static enum ws_status lfu_age_parse(const char *text, struct ws_use *use, struct ws_err *err)
{
	use->params = 1;
	use->param[0] = PERIOD;
	return *text ? ws_param_whole(text, 1, PERIOD_MAX, use->param, err) : WS_OK;
}

static void lfu_age_hit(struct ws_set *set, unsigned way)
{
	ws_age_hit(set, way, (uint64_t)set->use->param[0]);
}

static uint64_t lfu_age_settle(struct ws_set *set)
{
	return ws_age_settle(set, (uint64_t)set->use->param[0]);
}

static unsigned lfu_age_victim(struct ws_set *set)
{
	return ws_age_victim(set, (uint64_t)set->use->param[0]);
}

extern const struct ws_policy ws_policy_lfu;

static enum ws_status lfu_age_solve(const struct ws_query *q, struct ws_solution *out,
				    struct ws_err *err)
{
	return ws_solve_lfu_age(q, &ws_policy_lfu, out, err);
}

extern const struct ws_policy ws_policy_lfu_age;
const struct ws_policy ws_policy_lfu_age = {
	.name = "lfu-age",
	.params = "P",
	.summary = "LFU whose counts are halved at every P-th access to the set (32)",
	.source = "Robinson, Devarakonda: Data cache management using frequency-based replacement, "
		  "SIGMETRICS 1990; lines protected by the level of their count, closure of "
		  "capacity",
	.basis = WS_APPROX,
	.mean_pp = 0.06, .max_pp = 0.78,
	.parse = lfu_age_parse,
	.way_words = 1,
	.on_hit = lfu_age_hit,
	.on_fill = ws_count_fill,
	.victim = lfu_age_victim,
	.settle = lfu_age_settle, .ways_alike = true,
	.needs = WS_RECORD_DETAIL,
	.solve = lfu_age_solve,
};
