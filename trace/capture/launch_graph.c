/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/capture/launch_graph.c -- random graphs in compressed rows.
 *
 * The graph is R-MAT (Chakrabarti, Zhan, Faloutsos 2004) with probabilities
 * 146, 49, 49 and 12 of 256 (Graph500's 0.57, 0.19, 0.19, 0.05), which gives degrees
 * a power law; nodes are shuffled, each row's columns are sorted, and repeated
 * edges and loops are kept.  A uniform one has both nodes of each edge drawn evenly
 * instead, a symmetric one each edge drawn in both rows.
 * The other kind is road-like: a grid of junctions numbered by rows, each joined
 * in both directions to the next one and the one below, but for as many edges, drawn
 * without repetition (selection sampling: Knuth, volume 2, algorithm S), as are missing.
 * Integers only, so it is the same everywhere.
 *
 * Costs: 16 bytes a node, 8 bytes an edge while columns are made; time linear
 * in edges x log nodes.
 */
#include "trace/capture/launch.h"

#include <stdlib.h>
#include <string.h>

struct graph {
	uint64_t *label; /* shuffled names of the nodes */
	uint64_t *row;	 /* nodes + 1 */
	uint64_t *column;
};

struct draw { /* of edges, one after another */
	const struct ws_init *init;
	struct ws_rng rng;
	uint64_t next; /* of a grid: node * 2 + (1: down, 0: to the right) */
	uint64_t left; /* of a grid: edges from there on, kept or not */
	uint64_t want; /* of a grid: of those, to be kept */
};

/* One edge; quadrants are drawn from a byte per level. */
static void draw_rmat(struct ws_rng *rng, uint64_t nodes, uint64_t *from, uint64_t *to)
{
	unsigned levels = nodes > 1 ? ws_log2(nodes - 1) + 1 : 0;

	do {
		uint64_t bytes = 0;

		*from = *to = 0;
		for (unsigned i = 0; i < levels; i++, bytes >>= 8) {
			unsigned u;

			if (i % 8 == 0)
				bytes = ws_rng_u64(rng);
			u = bytes & 255;
			*from = *from << 1 | (u >= 195);
			*to = *to << 1 | ((u >= 146 && u < 195) || u >= 244);
		}
	} while (*from >= nodes || *to >= nodes);
}

/* The next edge of the grid that is kept; there is one. */
static void draw_road(struct draw *d, uint64_t *from, uint64_t *to)
{
	uint64_t width = d->init->width;
	bool edge, kept = false;

	do {
		bool down = d->next & 1;

		*from = d->next++ / 2;
		*to = *from + (down ? width : 1);
		edge = down ? *to < d->init->nodes : *to % width != 0;
		if (edge)
			kept = ws_rng_below(&d->rng, d->left--) < d->want;
	} while (!edge || !kept);
	d->want--;
}

static void draw_uniform(struct ws_rng *rng, uint64_t nodes, uint64_t *from, uint64_t *to)
{
	*from = ws_rng_below(rng, nodes);
	*to = ws_rng_below(rng, nodes);
}

static void draw_edge(struct draw *d, uint64_t *from, uint64_t *to)
{
	if (d->init->width)
		draw_road(d, from, to);
	else if (d->init->uniform)
		draw_uniform(&d->rng, d->init->nodes, from, to);
	else
		draw_rmat(&d->rng, d->init->nodes, from, to);
}

static int by_value(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* Junctions keep their places. */
static void shuffle_labels(struct graph *g, const struct ws_init *init, struct ws_rng *rng)
{
	for (uint64_t i = 0; i < init->nodes; i++)
		g->label[i] = i;
	for (uint64_t i = init->width ? 0 : init->nodes; i > 1; i--) {
		uint64_t j = ws_rng_below(rng, i), label = g->label[j];

		g->label[j] = g->label[i - 1];
		g->label[i - 1] = label;
	}
}

static void put_column(struct graph *g, uint64_t from, uint64_t to)
{
	g->column[g->row[g->label[from]]++] = g->label[to];
}

/* Draws the edges twice: to count them by row, then to put them there. */
static void build_graph(struct graph *g, const struct ws_init *init)
{
	uint64_t drawn = init->symmetric ? init->edges / 2 : init->edges, from, to;
	struct draw d = { .init = init, .left = init->grid_edges, .want = drawn }, again;

	ws_rng_seed(&d.rng, init->seed);
	shuffle_labels(g, init, &d.rng);
	again = d;
	for (uint64_t e = 0; e < drawn; e++) {
		draw_edge(&d, &from, &to);
		g->row[g->label[from] + 1]++;
		if (init->symmetric)
			g->row[g->label[to] + 1]++;
	}
	for (uint64_t i = 0; i < init->nodes; i++)
		g->row[i + 1] += g->row[i];
	if (!g->column)
		return;
	for (uint64_t e = 0; e < drawn; e++) {
		draw_edge(&again, &from, &to);
		put_column(g, from, to);
		if (init->symmetric)
			put_column(g, to, from);
	}
	/* Each row's start has moved to its end, the next one's start. */
	memmove(g->row + 1, g->row, init->nodes * sizeof *g->row);
	g->row[0] = 0;
	for (uint64_t i = 0; i < init->nodes; i++)
		qsort(g->column + g->row[i], g->row[i + 1] - g->row[i], sizeof *g->column,
		      by_value);
}

enum ws_status ws_graph_fill(struct ws_buffer *b, const struct ws_init *init,
				 struct ws_err *err)
{
	enum ws_status status = WS_OK;
	const uint64_t *value;
	struct graph g = { 0 };

	g.label = ws_alloc(init->nodes, sizeof *g.label);
	g.row = ws_alloc_zero(init->nodes + 1, sizeof *g.row);
	if (init->columns)
		g.column = ws_alloc(init->edges, sizeof *g.column);
	value = init->columns ? g.column : g.row;
	if (g.label && g.row && value) {
		build_graph(&g, init);
		WS_EACH_COMPONENT(b, to)
			ws_elem_store_int(to, b->elem, *value++);
	} else {
		status = ws_fail_memory(err, "a graph");
	}
	free(g.label);
	free(g.row);
	free(g.column);
	return status;
}
