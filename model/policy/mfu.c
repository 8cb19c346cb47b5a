/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * model/policy/mfu.c -- most frequently used since the line was fetched.
 *
 * Exact face: count.h with the count's bits inverted.  The victim has the least word: the largest
 * count, and of equal counts the least recent use.
 *
 * Analytic face: model/solve/most_used.c; often of low confidence.
 */
#include "model/policy/count.h"
#include "model/solve/frequency.h"

static unsigned mfu_victim(struct ws_set *set)
{
	const uint64_t count = (uint64_t)UINT32_MAX << 32;
	uint64_t least = set->meta[0] ^ count;
	unsigned found = 0;

	for (unsigned way = 1; way < set->ways; way++) {
		uint64_t word = set->meta[way] ^ count;

		found = word < least ? way : found;
		least = word < least ? word : least;
	}
	return found;
}

extern const struct ws_policy ws_policy_mfu;
const struct ws_policy ws_policy_mfu = {
	.name = "mfu",
	.summary = "most frequently used while in the cache, among equals least recently",
	.source = "Silberschatz, Galvin, Gagne: Operating System Concepts, 2018, section 10.4.6; "
		  "a queue of used lines beside LRU",
	.basis = WS_APPROX,
	.mean_pp = 0.03, .max_pp = 1.23,
	.way_words = 1,
	.on_hit = ws_count_hit,
	.on_fill = ws_count_fill,
	.victim = mfu_victim,
	.endless = "counts uses without an end",
	.needs = WS_RECORD_DETAIL,
	.solve = ws_solve_mfu,
};
