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
 * Edges are drawn once for rows and columns that follow each other, and put in order by two
 * counting sorts: by their second nodes and, keeping that order, by their first.
 *
 * Costs: 12 bytes a node, 8 bytes an edge, 16 while columns are made; time linear in edges x log
 * nodes to draw them, and in edges for the rest.
 */
#include "trace/capture/launch.h"

#include <stdlib.h>
#include <string.h>

#define FIRST  32u /* where an edge's nodes are in a word */
#define SECOND 0u

struct draw { /* of edges, one after another */
	const struct ws_init *init;
	struct ws_rng rng;
	uint64_t next; /* of a grid: node * 2 + (1: down, 0: to the right) */
	uint64_t left; /* of a grid: edges from there on, kept or not */
	uint64_t want; /* of a grid: of those, to be kept */
};

/* ---- an edge ---------------------------------------------------------------------------- */

#define BYTES UINT64_C(0x0101010101010101)

/* The highest bit of each byte that is at least `least`, which is above 127. */
static uint64_t at_least(uint64_t bytes, unsigned least)
{
	return ((bytes & 127 * BYTES) + (256 - least) * BYTES) & bytes & 128 * BYTES;
}

/* The highest bits of all bytes as one byte, that of the lowest byte first. */
static uint64_t gather(uint64_t bits)
{
	return (bits >> 7) * UINT64_C(0x8040201008040201) >> 56;
}

/* One edge; a quadrant is drawn from a byte per level, eight levels at once: a byte has a bit of
 * the first node, and one of the second. */
static void draw_rmat(struct draw *d, uint64_t *from, uint64_t *to)
{
	uint64_t nodes = d->init->nodes;
	unsigned levels = nodes > 1 ? ws_log2(nodes - 1) + 1 : 0, n;

	do {
		*from = *to = 0;
		for (unsigned left = levels; left; left -= n) {
			uint64_t bytes = ws_rng_u64(&d->rng), lower = at_least(bytes, 195);
			uint64_t right = (at_least(bytes, 146) & ~lower) | at_least(bytes, 244);

			n = left < 8 ? left : 8;
			*from = *from << n | gather(lower) >> (8 - n);
			*to = *to << n | gather(right) >> (8 - n);
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

/* ---- all -------------------------------------------------------------------------------- */

/* Junctions keep their places. */
static void shuffle_labels(uint32_t *label, const struct ws_init *init, struct ws_rng *rng)
{
	for (uint64_t i = 0; i < init->nodes; i++)
		label[i] = (uint32_t)i;
	for (uint64_t i = init->width ? 0 : init->nodes; i > 1; i--) {
		uint64_t j = ws_rng_below(rng, i);
		uint32_t was = label[j];

		label[j] = label[i - 1];
		label[i - 1] = was;
	}
}

#define BATCH 128u /* edges that are drawn at once, so that their labels are fetched meanwhile */

static void draw_edges(uint64_t *edge, const uint32_t *label, struct draw *d, uint64_t count)
{
	uint64_t from[BATCH], to[BATCH];

	for (uint64_t n; count; count -= n) {
		n = count < BATCH ? count : BATCH;
		for (uint64_t i = 0; i < n; i++) {
			draw_edge(d, &from[i], &to[i]);
			__builtin_prefetch(&label[from[i]]);
			__builtin_prefetch(&label[to[i]]);
		}
		for (uint64_t i = 0; i < n; i++) {
			uint64_t a = label[from[i]], b = label[to[i]];

			*edge++ = a << FIRST | b << SECOND;
			if (d->init->symmetric)
				*edge++ = b << FIRST | a << SECOND;
		}
	}
}

/* NULL: out of memory. */
static uint64_t *new_edges(const struct ws_init *init)
{
	uint64_t count = init->symmetric ? init->edges / 2 : init->edges;
	struct draw d = { .init = init, .left = init->grid_edges, .want = count };
	uint64_t *edge = ws_alloc(init->edges, sizeof *edge);
	uint32_t *label = ws_alloc(init->nodes, sizeof *label);

	if (edge && label) {
		ws_rng_seed(&d.rng, init->seed);
		shuffle_labels(label, init, &d.rng);
		draw_edges(edge, label, &d, count);
	} else {
		free(edge);
		edge = NULL;
	}
	free(label);
	return edge;
}

/* ---- rows and columns ------------------------------------------------------------------- */

static uint32_t node_of(uint64_t edge, unsigned which)
{
	return (uint32_t)(edge >> which);
}

/* row[i]: how many edges have a node before i. */
static void count_rows(const uint64_t *edge, const struct ws_init *init, unsigned which,
		       uint64_t *row)
{
	memset(row, 0, (init->nodes + 1) * sizeof *row);
	for (uint64_t e = 0; e < init->edges; e++)
		row[node_of(edge[e], which) + UINT64_C(1)]++;
	for (uint64_t i = 0; i < init->nodes; i++)
		row[i + 1] += row[i];
}

/* Edges of one node keep their order. */
static void sort_by(uint64_t *to, const uint64_t *edge, const struct ws_init *init, unsigned which,
		    uint64_t *row)
{
	count_rows(edge, init, which, row);
	for (uint64_t e = 0; e < init->edges; e++)
		to[row[node_of(edge[e], which)]++] = edge[e];
}

/* False: out of memory. */
static bool fill_rows(struct ws_buffer *b, const struct ws_init *init, const uint64_t *edge)
{
	uint64_t *row = ws_alloc(init->nodes + 1, sizeof *row), *value = row;

	if (!row)
		return false;
	count_rows(edge, init, FIRST, row);
	WS_EACH_COMPONENT(b, to)
		ws_elem_store_int(to, b->elem, *value++);
	free(row);
	return true;
}

/* Puts the edges in order, too. */
static bool fill_columns(struct ws_buffer *b, const struct ws_init *init, uint64_t *edge)
{
	uint64_t *row = ws_alloc(init->nodes + 1, sizeof *row), *value = edge;
	uint64_t *half = ws_alloc(init->edges, sizeof *half);
	bool good = row && half;

	if (good) {
		sort_by(half, edge, init, SECOND, row);
		sort_by(edge, half, init, FIRST, row);
		WS_EACH_COMPONENT(b, to)
			ws_elem_store_int(to, b->elem, node_of(*value++, SECOND));
	}
	free(row);
	free(half);
	return good;
}

static bool is_same(const struct ws_init *a, const struct ws_init *b)
{
	return a->nodes == b->nodes && a->edges == b->edges && a->seed == b->seed &&
	       a->width == b->width && a->grid_edges == b->grid_edges &&
	       a->symmetric == b->symmetric && a->uniform == b->uniform;
}

enum ws_status ws_graph_fill(struct ws_buffer *b, const struct ws_init *init,
			     struct ws_edges *last, struct ws_err *err)
{
	bool good;

	if (!last->edge || !is_same(&last->of, init)) {
		free(last->edge);
		*last = (struct ws_edges){ new_edges(init), *init };
	}
	good = last->edge && (init->columns ? fill_columns(b, init, last->edge)
					    : fill_rows(b, init, last->edge));
	return good ? WS_OK : ws_fail_memory(err, "a graph");
}
