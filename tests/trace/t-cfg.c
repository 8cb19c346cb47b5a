/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Orders of random control-flow graphs against the definition, by brute force:
 * strongly connected components (of the transitive closure) are contiguous and
 * in topological order, and inside each the same holds without the edges into its
 * first block.
 */
#include "tests/test.h"
#include "trace/capture/kernel.h"

#define MAX 12

struct graph {
	size_t blocks, first[MAX + 1];
	uint32_t succ[MAX * 3], order[MAX], position[MAX];
	bool edge[MAX][MAX];
};

static void random_graph(struct graph *g, struct ws_rng *rng)
{
	size_t n = 0;

	memset(g, 0, sizeof *g);
	g->blocks = 1 + ws_rng_below(rng, MAX);
	for (size_t b = 0; b < g->blocks; b++) {
		size_t out = ws_rng_below(rng, 4);

		g->first[b] = n;
		for (size_t i = 0; i < out; i++) {
			g->succ[n] = (uint32_t)ws_rng_below(rng, g->blocks);
			g->edge[b][g->succ[n++]] = true;
		}
	}
	g->first[g->blocks] = n;
}

static void closure(bool r[MAX][MAX], size_t n)
{
	for (size_t k = 0; k < n; k++)
		for (size_t i = 0; i < n; i++)
			for (size_t j = 0; j < n; j++)
				r[i][j] |= r[i][k] && r[k][j];
}

/* Checks order[from..to) with edge set e (by value: it is cut on the way down). */
static bool well_ordered(const struct graph *g, size_t from, size_t to, bool e[MAX][MAX])
{
	bool r[MAX][MAX] = { { false } };

	for (size_t i = from; i < to; i++)
		for (size_t j = from; j < to; j++)
			r[g->order[i]][g->order[j]] = e[g->order[i]][g->order[j]];
	closure(r, MAX);
	for (size_t i = from; i < to;) {
		uint32_t head = g->order[i];
		size_t end = i + 1;
		bool cut[MAX][MAX];

		while (end < to && r[head][g->order[end]] && r[g->order[end]][head])
			end++;
		for (size_t j = end; j < to; j++) {
			if (r[g->order[j]][head]) /* the component goes on, or an edge backward */
				return false;
			for (size_t k = i; k < end; k++) {
				if (r[g->order[j]][g->order[k]])
					return false;
			}
		}
		memcpy(cut, e, sizeof cut);
		for (size_t k = 0; k < MAX; k++)
			cut[k][head] = false;
		if (end - i > 1 && !well_ordered(g, i + 1, end, cut))
			return false;
		i = end;
	}
	return true;
}

static bool check_order(struct graph *g)
{
	bool seen[MAX] = { false }, reach[MAX][MAX];
	size_t reached = 1;

	if (ws_block_order(g->blocks, g->first, g->succ, g->order, NULL) != WS_OK ||
	    g->order[0] != 0)
		return false;
	for (size_t i = 0; i < g->blocks; i++) {
		if (g->order[i] >= g->blocks || seen[g->order[i]])
			return false;
		seen[g->order[i]] = true;
		g->position[g->order[i]] = (uint32_t)i;
	}
	memcpy(reach, g->edge, sizeof reach);
	closure(reach, MAX);
	while (reached < g->blocks && reach[0][g->order[reached]])
		reached++;
	for (size_t i = reached; i < g->blocks; i++) {
		if (reach[0][g->order[i]])
			return false;
	}
	return well_ordered(g, 0, reached, g->edge);
}

/* Every backward edge around a kept block starts at a kept block; nothing
 * else was added. */
static bool check_latches(const struct graph *g, const bool *before, const bool *keep)
{
	for (size_t b = 0; b < g->blocks; b++) {
		bool around = before[b];

		for (size_t t = 0; t < g->blocks; t++) {
			if (!g->edge[b][t])
				continue;
			for (size_t k = 0; k < g->blocks; k++)
				around |= keep[k] && g->position[k] >= g->position[t] &&
					  g->position[k] <= g->position[b] && (k != b || before[b]);
		}
		if (keep[b] != around)
			return false;
	}
	return true;
}

int main(void)
{
	uint64_t seed = test_seed(20), bad_order = 0, bad_latch = 0;
	struct ws_rng rng;
	struct graph g;

	ws_rng_seed(&rng, seed);
	for (int i = 0; i < 20000; i++) {
		bool before[MAX], keep[MAX];

		random_graph(&g, &rng);
		bad_order += !check_order(&g);
		for (size_t b = 0; b < MAX; b++)
			keep[b] = before[b] = ws_rng_below(&rng, 4) == 0;
		ws_keep_latches(g.blocks, g.first, g.succ, g.position, keep);
		bad_latch += !check_latches(&g, before, keep);
	}
	test_u64(bad_order, 0, "orders that are not loop-contiguous topological");
	test_u64(bad_latch, 0, "graphs with a latch too many or too few");
	return test_done();
}
