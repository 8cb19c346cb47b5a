/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * model/policy/opt.c -- Belady's optimal replacement, offline.
 *
 * Exact face: a way's word is the time of the next request for its line.  No policy has fewer
 * misses if every request allocates.  Under write-through and write-evict the rule is not proven
 * optimal: a store that does not allocate may make another choice better.  With sectors it still
 * ranks whole lines.
 */
#include "model/model.h"

static void opt_touch(struct ws_set *set, unsigned way)
{
	set->meta[way] = set->next;
}

static unsigned opt_victim(struct ws_set *set)
{
	uint64_t farthest = set->meta[0];
	unsigned found = 0;

	for (unsigned way = 1; way < set->ways; way++) {
		uint64_t next = set->meta[way];

		found = next > farthest ? way : found;
		farthest = next > farthest ? next : farthest;
	}
	return found;
}

extern const struct ws_policy ws_policy_opt;
const struct ws_policy ws_policy_opt = {
	.name = "opt",
	.summary = "offline: the line asked for last of all goes; no policy misses less",
	.source = "Belady: A study of replacement algorithms for a virtual-storage computer, IBM "
		  "Systems Journal 5(2), 1966",
	.variant = true,
	.offline = true,
	.basis = WS_APPROX,
	.way_words = 1,
	.on_hit = opt_touch,
	.on_fill = opt_touch,
	.victim = opt_victim,
	.endless = "looks ahead in the requests",
};
