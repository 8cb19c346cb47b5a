/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * model/policy/lfu.c -- least frequently used since the line was fetched, without ageing.
 *
 * Exact face: count.h.  The victim has the least word: the smallest count, and of equal counts the
 * least recent use.
 *
 * Analytic face: model/solve/frequency.c.
 */
#include "model/policy/count.h"
#include "model/solve/frequency.h"

static unsigned lfu_victim(struct ws_set *set)
{
	return ws_order_least(set);
}

extern const struct ws_policy ws_policy_lfu;
const struct ws_policy ws_policy_lfu = {
	.name = "lfu",
	.summary = "least frequently used while in the cache, among equals least recently",
	.source = "Robinson, Devarakonda: Data cache management using frequency-based replacement, "
		  "SIGMETRICS 1990; retained lines and one way that churns",
	.basis = WS_APPROX,
	.mean_pp = 0.08, .max_pp = 1.19,
	.way_words = 1,
	.on_hit = ws_count_hit,
	.on_fill = ws_count_fill,
	.victim = lfu_victim,
	.endless = "counts uses without an end",
	.needs = WS_RECORD_DETAIL,
	.solve = ws_solve_lfu,
};
