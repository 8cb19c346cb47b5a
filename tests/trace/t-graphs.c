/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The graph kernels of data/kernel/, on a power-law graph and on a road-like one: each result is
 * compared with what a plain sequential algorithm, another one where there is one, finds.  The
 * large graphs take seconds and are looked at only if WS_TEST_ROUNDS is set.
 */
#include "tests/trace/kernels.h"

#include <math.h>

#define NONE UINT32_MAX

struct graph {
	const uint32_t *row, *column;
	size_t nodes;
};

static struct graph graph_of(const struct ws_program *p)
{
	struct graph g = { .row = u32(p, "row"), .column = u32(p, "column") };

	f32(p, "row", &g.nodes);
	g.nodes--;
	return g;
}

static uint32_t *words(size_t count, uint32_t value)
{
	uint32_t *w = malloc((count ? count : 1) * sizeof *w);

	if (!w)
		abort();
	for (size_t i = 0; i < count; i++)
		w[i] = value;
	return w;
}

/* Nodes by a queue, nearest first, no further than `levels`; queue and level are the caller's. */
static size_t search(const struct graph *g, uint32_t root, uint32_t levels, uint32_t *queue,
		     uint32_t *level)
{
	size_t head = 0, tail = 0;

	for (size_t v = 0; v < g->nodes; v++)
		level[v] = NONE;
	level[root] = 0;
	queue[tail++] = root;
	while (head < tail) {
		uint32_t v = queue[head++];

		for (uint32_t e = g->row[v]; level[v] < levels && e < g->row[v + 1]; e++) {
			if (level[g->column[e]] != NONE)
				continue;
			level[g->column[e]] = level[v] + 1;
			queue[tail++] = g->column[e];
		}
	}
	return tail;
}

static uint32_t root_of(const struct graph *g, const uint32_t *distance)
{
	for (uint32_t v = 0; v < g->nodes; v++)
		if (distance[v] == 0)
			return v;
	return 0;
}

/* How many launches of the kernel there are. */
static uint32_t rounds(const struct ws_program *p, const char *kernel)
{
	uint32_t n = 0;

	for (size_t i = 0; i < p->launches; i++)
		n += strcmp(p->launch[i].kernel, kernel) == 0;
	return n;
}

static uint64_t wrong_bfs(const struct ws_program *p)
{
	const struct graph g = graph_of(p);
	const uint32_t *depth = u32(p, "depth");
	uint32_t *queue = words(g.nodes, 0), *level = words(g.nodes, 0);
	size_t reached = search(&g, root_of(&g, depth), rounds(p, "bfs_expand"), queue, level);
	uint64_t bad = reached < 200;

	for (size_t v = 0; v < g.nodes; v++)
		bad += depth[v] != level[v];
	free(queue);
	free(level);
	return bad;
}

/* Brandes's algorithm as it is written: the queue's order there, its reverse back. */
static uint64_t wrong_betweenness(const struct ws_program *p)
{
	const struct graph g = graph_of(p);
	const float *got = f32(p, "dependency", NULL);
	uint32_t *queue = words(g.nodes, 0), *level = words(g.nodes, 0);
	size_t reached = search(&g, root_of(&g, u32(p, "level")), rounds(p, "bc_forward"), queue,
				level);
	double *paths = calloc(g.nodes, sizeof *paths), *sum = calloc(g.nodes, sizeof *sum);
	uint64_t bad = reached < 200;

	if (!paths || !sum)
		abort();
	paths[queue[0]] = 1;
	for (size_t i = 0; i < reached; i++)
		for (uint32_t v = queue[i], e = g.row[v]; e < g.row[v + 1]; e++)
			if (level[g.column[e]] == level[v] + 1)
				paths[g.column[e]] += paths[v];
	for (size_t i = reached; i-- > 0;)
		for (uint32_t v = queue[i], e = g.row[v]; e < g.row[v + 1]; e++)
			if (level[v] == level[g.column[e]] + 1)
				sum[g.column[e]] += paths[g.column[e]] / paths[v] * (1 + sum[v]);
	for (size_t v = 0; v < g.nodes; v++)
		bad += u32(p, "paths")[v] != paths[v] ||
		       fabs((double)got[v] - sum[v]) > 1e-4 * (1 + sum[v]);
	free(queue);
	free(level);
	free(paths);
	free(sum);
	return bad;
}

/* The smallest node of each component: whoever reaches a node first is it. */
static uint64_t wrong_components(const struct ws_program *p)
{
	const struct graph g = graph_of(p);
	uint32_t *queue = words(g.nodes, 0), *level = words(g.nodes, 0);
	uint32_t *least = words(g.nodes, NONE);
	uint64_t bad = 0, components = 0;

	for (uint32_t v = 0; v < g.nodes; v++) {
		size_t reached;

		if (least[v] == NONE) {
			components++;
			reached = search(&g, v, NONE, queue, level);
			for (size_t i = 0; i < reached; i++)
				least[queue[i]] = v;
		}
		bad += u32(p, "parent")[v] != least[v];
	}
	free(queue);
	free(level);
	free(least);
	return bad + (components < 10);
}

static uint64_t wrong_degree(const struct ws_program *p)
{
	const struct graph g = graph_of(p);
	uint32_t *in = words(g.nodes, 0);
	uint64_t bad = 0;

	for (uint32_t e = 0; e < g.row[g.nodes]; e++)
		in[g.column[e]]++;
	for (size_t v = 0; v < g.nodes; v++)
		bad += u32(p, "in")[v] != in[v] || u32(p, "out")[v] != g.row[v + 1] - g.row[v];
	free(in);
	return bad;
}

/* No edge joins two nodes of a colour, and a colour is the first round in which its node's
 * larger neighbours all had theirs. */
static uint64_t wrong_colouring(const struct ws_program *p)
{
	const struct graph g = graph_of(p);
	const uint32_t *colour = u32(p, "colour"), *priority = u32(p, "priority");
	uint32_t all = rounds(p, "colouring");
	uint64_t bad = 0, coloured = 0;

	for (uint32_t v = 0; v < g.nodes; v++) {
		uint32_t first = 0;

		coloured += colour[v] != NONE;
		for (uint32_t e = g.row[v]; e < g.row[v + 1]; e++) {
			uint32_t w = g.column[e];

			bad += w != v && colour[w] == colour[v] && colour[v] != NONE;
			if (priority[w] < priority[v] || w == v)
				continue;
			if (colour[w] >= first)
				first = colour[w] == NONE ? NONE : colour[w] + 1;
		}
		bad += colour[v] != (first < all ? first : NONE);
	}
	return bad + (coloured < g.nodes / 2);
}

/* Of all paths of at most so many edges the shortest: Bellman and Ford's recurrence. */
static uint64_t wrong_sssp(const struct ws_program *p)
{
	const struct graph g = graph_of(p);
	const uint32_t *got = u32(p, "distance"), *weight = u32(p, "weight");
	uint32_t *old = words(g.nodes, INT32_MAX), *new = words(g.nodes, INT32_MAX);
	uint64_t bad = 0, reached = 0;

	old[root_of(&g, got)] = new[root_of(&g, got)] = 0;
	for (uint32_t round = rounds(p, "sssp_relax"); round; round--) {
		for (size_t v = 0; v < g.nodes; v++)
			for (uint32_t e = g.row[v]; e < g.row[v + 1]; e++)
				if (old[v] + weight[e] < new[g.column[e]])
					new[g.column[e]] = old[v] + weight[e];
		memcpy(old, new, g.nodes * sizeof *old);
	}
	for (size_t v = 0; v < g.nodes; v++) {
		bad += got[v] != new[v];
		reached += new[v] != INT32_MAX;
	}
	free(old);
	free(new);
	return bad + (reached < 200);
}

/* For each path of two edges upwards, is there the third?  By a mark for each neighbour. */
static uint64_t wrong_triangles(const struct ws_program *p)
{
	const struct graph g = graph_of(p);
	uint32_t *mark = words(g.nodes, NONE), *from = words(g.nodes, NONE);
	uint32_t *end = words(g.nodes, NONE), all = 0;
	uint64_t bad = 0;

	for (uint32_t a = 0; a < g.nodes; a++) {
		uint32_t found = 0;

		for (uint32_t e = g.row[a]; e < g.row[a + 1]; e++)
			mark[g.column[e]] = a;
		for (uint32_t e = g.row[a]; e < g.row[a + 1]; e++) {
			uint32_t b = g.column[e];

			if (b <= a || from[b] == a)
				continue;
			from[b] = a;
			for (uint32_t f = g.row[b]; f < g.row[b + 1]; f++) {
				uint32_t c = g.column[f];

				found += c > b && mark[c] == a && end[c] != b;
				end[c] = b;
			}
			for (uint32_t f = g.row[b]; f < g.row[b + 1]; f++)
				end[g.column[f]] = NONE;
		}
		bad += u32(p, "mine")[a] != found;
		all += found;
	}
	free(mark);
	free(from);
	free(end);
	return bad + (all < 1000 && strncmp(p->buffer[0].init, "csr-", 4) == 0);
}

int main(void)
{
	struct ws_err why = { 0 };
	static const struct {
		const char *name, *large;
		uint64_t (*wrong)(const struct ws_program *p);
	} kernels[] = {
		{ "bfs-mask", "-64k", wrong_bfs },
		{ "betweenness", "-64k", wrong_betweenness },
		{ "components", "-64k", wrong_components },
		{ "degree", "-64k", wrong_degree },
		{ "colouring", "-64k", wrong_colouring },
		{ "sssp", "-64k", wrong_sssp },
		{ "triangles", "-16k", wrong_triangles },
	};

	if (ws_capture_load(&why) != WS_OK) {
		test_skip("the graph kernels' results", why.text);
		return test_done();
	}
	for (size_t i = 0; i < WS_COUNT(kernels); i++) {
		const char *const sizes[] = { "", "-4k", kernels[i].large, "-road", "-road-64k" };

		for (size_t k = 0; k < WS_COUNT(sizes); k++) {
			char file[40];

			if ((sizes[k] == kernels[i].large || strcmp(sizes[k], "-road-64k") == 0) &&
			    !getenv("WS_TEST_ROUNDS"))
				continue;
			snprintf(file, sizeof file, "%s%s", kernels[i].name, sizes[k]);
			run(file, kernels[i].wrong, 2);
		}
	}
	return test_done();
}
