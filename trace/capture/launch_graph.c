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
 * Costs: 24 bytes a node, 8 bytes an edge while columns are made; time linear
 * in edges x log nodes.
 */
#include "trace/capture/launch.h"

#include <stdlib.h>
#include <string.h>

struct graph {
	uint64_t *label; /* shuffled names of the nodes */
	uint64_t *row;	 /* nodes + 1 */
	uint64_t *next;	 /* of each node before it is shuffled: its edges, then where they go on */
	uint64_t *column;
};

struct draw { /* of edges, one after another */
	const struct ws_init *init;
	struct ws_rng rng;
	uint64_t next; /* of a grid: node * 2 + (1: down, 0: to the right) */
	uint64_t left; /* of a grid: edges from there on, kept or not */
	uint64_t want; /* of a grid: of those, to be kept */
	const uint64_t *quadrant;
};

/* What a byte adds to an edge: a bit of its first node, in the upper half, and one of its
 * second. */
static void make_quadrants(uint64_t quadrant[256])
{
	for (unsigned u = 0; u < 256; u++)
		quadrant[u] = (uint64_t)(u >= 195) << 32 | ((u >= 146 && u < 195) || u >= 244);
}

/* One edge; quadrants are drawn from a byte per level.  Nodes have at most 32 bits. */
static void draw_rmat(struct draw *d, uint64_t *from, uint64_t *to)
{
	uint64_t nodes = d->init->nodes;
	unsigned levels = nodes > 1 ? ws_log2(nodes - 1) + 1 : 0;

	do {
		uint64_t bytes = 0, both = 0;

		for (unsigned i = 0; i < levels; i++, bytes >>= 8) {
			if (i % 8 == 0)
				bytes = ws_rng_u64(&d->rng);
			both = both << 1 | d->quadrant[bytes & 255];
		}
		*from = both >> 32;
		*to = both & UINT32_MAX;
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

static void draw_edge(struct draw *d, uint64_t *from, uint64_t *to)
{
	if (d->init->width) {
		draw_road(d, from, to);
	} else if (d->init->uniform) {
		*from = ws_rng_below(&d->rng, d->init->nodes);
		*to = ws_rng_below(&d->rng, d->init->nodes);
	} else {
		draw_rmat(d, from, to);
	}
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

/* Edges that are drawn at once, so that what they touch is fetched meanwhile. */
#define BATCH 128u

struct batch {
	size_t ends;	/* edges, a symmetric one twice */
	uint64_t from[2 * BATCH], to[2 * BATCH], at[2 * BATCH];
};

/* The next edges of `left`. */
static void draw_batch(const struct graph *g, struct draw *d, uint64_t left, struct batch *b)
{
	uint64_t from, to;

	b->ends = 0;
	for (uint64_t e = 0; e < left && e < BATCH; e++) {
		draw_edge(d, &from, &to);
		b->from[b->ends] = from;
		b->to[b->ends++] = to;
		__builtin_prefetch(&g->next[from], 1);
		__builtin_prefetch(&g->label[to]);
		if (!d->init->symmetric)
			continue;
		b->from[b->ends] = to;
		b->to[b->ends++] = from;
		__builtin_prefetch(&g->next[to], 1);
		__builtin_prefetch(&g->label[from]);
	}
}

/* Degrees become rows: next[i] is where the row of node i begins. */
static void place_rows(struct graph *g, uint64_t nodes)
{
	for (uint64_t i = 0; i < nodes; i++)
		g->row[g->label[i] + 1] = g->next[i];
	for (uint64_t i = 0; i < nodes; i++)
		g->row[i + 1] += g->row[i];
	for (uint64_t i = 0; i < nodes; i++)
		g->next[i] = g->row[g->label[i]];
}

static void put_columns(struct graph *g, struct batch *b)
{
	for (size_t i = 0; i < b->ends; i++) {
		b->at[i] = g->next[b->from[i]]++;
		__builtin_prefetch(&g->column[b->at[i]], 1);
	}
	for (size_t i = 0; i < b->ends; i++)
		g->column[b->at[i]] = g->label[b->to[i]];
}

/* Most rows are short. */
static void sort_row(uint64_t *column, uint64_t count)
{
	if (count > 24) {
		qsort(column, count, sizeof *column, by_value);
		return;
	}
	for (uint64_t i = 1; i < count; i++) {
		uint64_t value = column[i], j = i;

		for (; j && column[j - 1] > value; j--)
			column[j] = column[j - 1];
		column[j] = value;
	}
}

/* Draws the edges twice: to count them by node, then to put them into rows. */
static void build_graph(struct graph *g, const struct ws_init *init)
{
	uint64_t drawn = init->symmetric ? init->edges / 2 : init->edges, quadrant[256];
	struct draw d = { .init = init, .left = init->grid_edges, .want = drawn,
			  .quadrant = quadrant }, again;
	struct batch b;

	make_quadrants(quadrant);
	ws_rng_seed(&d.rng, init->seed);
	shuffle_labels(g, init, &d.rng);
	again = d;
	for (uint64_t e = 0; e < drawn; e += BATCH) {
		draw_batch(g, &d, drawn - e, &b);
		for (size_t i = 0; i < b.ends; i++)
			g->next[b.from[i]]++;
	}
	place_rows(g, init->nodes);
	if (!g->column)
		return;
	for (uint64_t e = 0; e < drawn; e += BATCH) {
		draw_batch(g, &again, drawn - e, &b);
		put_columns(g, &b);
	}
	for (uint64_t i = 0; i < init->nodes; i++)
		sort_row(g->column + g->row[i], g->row[i + 1] - g->row[i]);
}

enum ws_status ws_graph_fill(struct ws_buffer *b, const struct ws_init *init,
				 struct ws_err *err)
{
	enum ws_status status = WS_OK;
	const uint64_t *value;
	struct graph g = { 0 };

	g.label = ws_alloc(init->nodes, sizeof *g.label);
	g.row = ws_alloc_zero(init->nodes + 1, sizeof *g.row);
	g.next = ws_alloc_zero(init->nodes, sizeof *g.next);
	if (init->columns)
		g.column = ws_alloc(init->edges, sizeof *g.column);
	value = init->columns ? g.column : g.row;
	if (g.label && g.row && g.next && value) {
		build_graph(&g, init);
		WS_EACH_COMPONENT(b, to)
			ws_elem_store_int(to, b->elem, *value++);
	} else {
		status = ws_fail_memory(err, "a graph");
	}
	free(g.label);
	free(g.row);
	free(g.next);
	free(g.column);
	return status;
}
