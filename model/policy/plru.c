/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * model/policy/plru.c -- pseudo-LRU by a binary tree.
 *
 * Exact face: ways are the leaves of a complete tree, numbered as in a heap: the root is 1, the
 * children of n are 2n and 2n + 1.  A node's bit points to the half that has the victim: 0 lower, 1
 * upper, 0 at first.  A use points the bits on its path away from its way.  If the number of ways
 * is no power of two, W = m 2^k with m odd, there are m such trees, and the least recently used
 * tree gives the victim.  One unbalanced tree would protect some ways far better than others: a
 * loop a little longer than the cache would then hit, which it never does under LRU.
 *
 * A tree uses the words of its ways.  The first is the clock of its last use; bits follow, that of
 * node n in bit n % 64 of word 1 + n / 64.  O(m + k).
 *
 * Analytic face: LRU.  Its error is assumed to be that of NRU (model/solve/epochs.c).
 */
#include "model/policy/order.h"
#include "model/solve/epochs.h"

/* The ways of one tree: the largest power of two that divides the number of ways. */
static unsigned leaves_of(unsigned ways)
{
	return ways & -ways;
}

static void plru_touch(struct ws_set *set, unsigned way)
{
	unsigned leaves = leaves_of(set->ways);
	uint64_t *tree = set->meta + (way & ~(leaves - 1));

	tree[0] = set->clock;
	for (unsigned child = leaves + (way & (leaves - 1)); child > 1; child /= 2) {
		unsigned node = child / 2;
		uint64_t bit = UINT64_C(1) << node % 64;

		if (child % 2)
			tree[1 + node / 64] &= ~bit;
		else
			tree[1 + node / 64] |= bit;
	}
}

static unsigned plru_victim(struct ws_set *set)
{
	unsigned leaves = leaves_of(set->ways), first = 0, node = 1;

	for (unsigned tree = leaves; tree < set->ways; tree += leaves)
		if (set->meta[tree] < set->meta[first])
			first = tree;
	while (node < leaves)
		node = 2 * node + (set->meta[first + 1 + node / 64] >> node % 64 & 1);
	return first + node - leaves;
}

/* Only the order of the trees' clocks matters. */
static uint64_t plru_settle(struct ws_set *set)
{
	ws_order_rank(set, leaves_of(set->ways), 0);
	return set->ways;
}

static enum ws_status plru_solve(const struct ws_query *q, struct ws_solution *out,
				 struct ws_err *err)
{
	struct ws_epochs rule = ws_epochs_srrip(1, false);

	return ws_epochs_near_lru(q, &rule, out, err);
}

extern const struct ws_policy ws_policy_plru;
const struct ws_policy ws_policy_plru = {
	.name = "plru",
	.summary = "pseudo-LRU: a tree of bits that point away from what was used",
	.source = "Al-Zoubi, Milenkovic, Milenkovic: Performance evaluation of cache replacement "
		  "policies for the SPEC CPU2000 benchmark suite, ACM-SE 2004",
	.basis = WS_APPROX,
	.mean_pp = 0.00, .max_pp = 0.68,
	.way_words = 1,
	.on_hit = plru_touch,
	.on_fill = plru_touch,
	.victim = plru_victim,
	.settle = plru_settle,
	.needs = WS_RECORD_DETAIL,
	.solve = plru_solve,
};
