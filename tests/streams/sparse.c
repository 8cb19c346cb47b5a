/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/streams/sparse.c -- kernels on sparse matrices and graphs.
 *
 * Arrays: 0 row offsets, 1 columns, 2 values, 3 and 4 vectors, 5 others.
 */
#include "tests/streams/gen.h"

#define WORD 4u

struct sparse {
	struct gen_graph m;
	uint32_t *order, *level;	/* rows by level; where each level begins in it */
	uint32_t levels;
};

static uint64_t place(unsigned array, uint64_t i)
{
	return gen_array(array) + i * WORD;
}

/* n: rows, degree, local columns in percent, their reach. */
static void sparse_setup(struct gen *g)
{
	struct sparse *s = gen_alloc(g, 1, sizeof *s);

	g->data = s;
	if (s)
		s->m = gen_graph(g, g->n[0], g->n[1], g->spec->skew, g->n[2] / 100.0,
				 g->n[3] ? g->n[3] : 1);
}

static size_t rows_by_warp(struct gen *g, size_t phase)
{
	return phase ? 0 : g->n[0];
}

static size_t rows_by_lane(struct gen *g, size_t phase)
{
	return phase ? 0 : g->n[0] / LANES;
}

/* ---- spmv-vector: a warp has a row ---------------------------------------------------- */

static void spmv_vector_work(struct gen *g, size_t phase, size_t unit)
{
	const struct gen_graph *m = &((struct sparse *)g->data)->m;
	uint64_t a[LANES];

	(void)phase;
	gen_row(g, WS_LOAD, place(0, unit), WORD, 2);
	for (uint32_t e = m->first[unit]; e < m->first[unit + 1]; e += LANES) {
		uint32_t lanes = m->first[unit + 1] - e < LANES ? m->first[unit + 1] - e : LANES;

		for (uint32_t i = 0; i < lanes; i++)
			a[i] = place(3, m->column[e + i]);
		gen_row(g, WS_LOAD, place(1, e), WORD, lanes);
		gen_row(g, WS_LOAD, place(2, e), WORD, lanes);
		gen_lanes(g, WS_LOAD, a, lanes);
	}
	gen_row(g, WS_STORE, place(4, unit), WORD, 1);
}

/* ---- a lane has a row: lanes of a warp at their e-th entries ----------------------------- */

struct lane_rows {
	const uint32_t *row;	/* NULL: from `from` on */
	uint32_t from, lanes;
};

static uint32_t row_of(const struct lane_rows *r, uint32_t lane)
{
	return r->row ? r->row[r->from + lane] : r->from + lane;
}

/* Columns, and, if asked for, values and what array `gather` has at the columns. */
static void walk(struct gen *g, const struct gen_graph *m, const struct lane_rows *r, bool values,
		 unsigned gather)
{
	uint64_t column[LANES], value[LANES], x[LANES];
	uint32_t lanes = 1;

	for (uint32_t e = 0; lanes; e++) {
		lanes = 0;
		for (uint32_t lane = 0; lane < r->lanes; lane++) {
			uint32_t at = m->first[row_of(r, lane)] + e;

			if (at >= m->first[row_of(r, lane) + 1])
				continue;
			column[lanes] = place(1, at);
			value[lanes] = place(2, at);
			x[lanes++] = place(gather, m->column[at]);
		}
		gen_lanes(g, WS_LOAD, column, lanes);
		if (values)
			gen_lanes(g, WS_LOAD, value, lanes);
		gen_lanes(g, WS_LOAD, x, lanes);
	}
}

static void rows_lanes(struct gen *g, enum ws_kind kind, unsigned array, const struct lane_rows *r)
{
	uint64_t a[LANES];

	for (uint32_t lane = 0; lane < r->lanes; lane++)
		a[lane] = place(array, row_of(r, lane));
	gen_lanes(g, kind, a, r->lanes);
}

static void spmv_scalar_work(struct gen *g, size_t phase, size_t unit)
{
	const struct sparse *s = g->data;
	struct lane_rows r = { NULL, (uint32_t)unit * LANES, LANES };

	(void)phase;
	rows_lanes(g, WS_LOAD, 0, &r);
	walk(g, &s->m, &r, true, 3);
	rows_lanes(g, WS_STORE, 4, &r);
}

/* ---- pagerank: sweeps that pull ranks of neighbours; n[4]: sweeps ------------------------ */

static size_t pagerank_units(struct gen *g, size_t phase)
{
	return phase < g->n[4] ? g->n[0] / LANES : 0;
}

static void pagerank_work(struct gen *g, size_t phase, size_t unit)
{
	const struct sparse *s = g->data;
	struct lane_rows r = { NULL, (uint32_t)unit * LANES, LANES };

	rows_lanes(g, WS_LOAD, 0, &r);
	walk(g, &s->m, &r, false, 3 + phase % 2);
	rows_lanes(g, WS_LOAD, 5, &r); /* out-degrees */
	rows_lanes(g, WS_STORE, 4 - phase % 2, &r);
}

/* ---- levels: breadth-first from row 0, or how late a row can be solved ------------------- */

/* s->order and s->level from each row's level, UINT32_MAX: none. */
static void sort_by_level(struct gen *g, struct sparse *s, const uint32_t *of)
{
	uint32_t done = 0;

	for (uint32_t r = 0; r < s->m.rows; r++)
		if (of[r] != UINT32_MAX && of[r] + 1 > s->levels)
			s->levels = of[r] + 1;
	s->order = gen_alloc(g, s->m.rows, sizeof *s->order);
	s->level = gen_alloc(g, s->levels + 1, sizeof *s->level);
	if (g->failed)
		return;
	for (uint32_t r = 0; r < s->m.rows; r++)
		if (of[r] != UINT32_MAX)
			s->level[of[r] + 1]++;
	for (uint32_t l = 0; l < s->levels; l++)
		s->level[l + 1] += s->level[l];
	for (uint32_t r = 0; r < s->m.rows; r++)
		if (of[r] != UINT32_MAX)
			s->order[s->level[of[r]]++] = r;
	for (uint32_t l = 0; l < s->levels; l++) { /* back to the beginnings */
		uint32_t end = s->level[l];

		s->level[l] = done;
		done = end;
	}
}

static void search_setup(struct gen *g)
{
	struct sparse *s;
	uint32_t *of, *queue, tail = 1;

	sparse_setup(g);
	s = g->data;
	of = gen_alloc(g, g->n[0], sizeof *of);
	queue = gen_alloc(g, g->n[0], sizeof *queue);
	if (g->failed)
		return;
	for (uint32_t r = 1; r < s->m.rows; r++)
		of[r] = UINT32_MAX;
	for (uint32_t head = 0; head < tail; head++)
		for (uint32_t e = s->m.first[queue[head]]; e < s->m.first[queue[head] + 1]; e++)
			if (of[s->m.column[e]] == UINT32_MAX) {
				of[s->m.column[e]] = of[queue[head]] + 1;
				queue[tail++] = s->m.column[e];
			}
	sort_by_level(g, s, of);
}

static struct lane_rows level_rows(const struct sparse *s, size_t level, size_t unit)
{
	uint32_t from = s->level[level] + (uint32_t)unit * LANES, end = s->level[level + 1];

	return (struct lane_rows){ s->order, from, end - from < LANES ? end - from : LANES };
}

static size_t level_units(struct gen *g, size_t phase)
{
	const struct sparse *s = g->data;

	return phase < s->levels
		? (s->level[phase + 1] - s->level[phase] + LANES - 1) / LANES : 0;
}

/* bfs-frontier: a queue of vertices a level; neighbours' levels are read, the new ones
 * written and queued. */
static void frontier_work(struct gen *g, size_t phase, size_t unit)
{
	const struct sparse *s = g->data;
	struct lane_rows r = level_rows(s, phase, unit);

	gen_row(g, WS_LOAD, place(5 + phase % 2, unit * LANES), WORD, r.lanes);
	rows_lanes(g, WS_LOAD, 0, &r);
	walk(g, &s->m, &r, false, 3);
	if (phase + 1 < s->levels && unit < level_units(g, phase + 1)) {
		struct lane_rows found = level_rows(s, phase + 1, unit);

		rows_lanes(g, WS_STORE, 3, &found);
		gen_row(g, WS_STORE, place(6 - phase % 2, unit * LANES), WORD, found.lanes);
	}
}

/* bfs: all vertices look at their flag in each level, those of the frontier go on. */
static size_t bfs_units(struct gen *g, size_t phase)
{
	const struct sparse *s = g->data;

	return phase < s->levels ? g->n[0] / LANES : 0;
}

static void bfs_setup(struct gen *g)
{
	struct sparse *s;
	uint32_t *level;

	search_setup(g);
	s = g->data;
	level = gen_alloc(g, g->n[0], sizeof *level);
	if (g->failed)
		return;
	for (uint32_t l = 0; l < s->levels; l++)
		for (uint32_t i = s->level[l]; i < s->level[l + 1]; i++)
			level[s->order[i]] = l + 1;
	s->order = level; /* of a row, from 1; 0: not reached */
}

static void bfs_work(struct gen *g, size_t phase, size_t unit)
{
	const struct sparse *s = g->data;
	struct lane_rows all = { NULL, (uint32_t)unit * LANES, LANES };
	uint32_t row[LANES];
	struct lane_rows r = { row, 0, 0 };

	rows_lanes(g, WS_LOAD, 5, &all);
	for (uint32_t lane = 0; lane < LANES; lane++)
		if (s->order[all.from + lane] == phase + 1)
			row[r.lanes++] = all.from + lane;
	if (!r.lanes)
		return;
	rows_lanes(g, WS_STORE, 5, &r);
	rows_lanes(g, WS_LOAD, 0, &r);
	walk(g, &s->m, &r, false, 3);
}

/* ---- sptrsv: rows of a triangular matrix by levels --------------------------------------- */

static void sptrsv_setup(struct gen *g)
{
	struct sparse *s;
	uint32_t *of;

	sparse_setup(g);
	s = g->data;
	of = gen_alloc(g, g->n[0], sizeof *of);
	if (g->failed)
		return;
	for (uint32_t r = 0; r < s->m.rows; r++)
		for (uint32_t e = s->m.first[r]; e < s->m.first[r + 1]; e++) {
			uint32_t *c = s->m.column + e;

			*c = *c < r ? *c : r ? *c % r : 0; /* below the diagonal */
			if (*c < r && of[*c] + 1 > of[r])
				of[r] = of[*c] + 1;
		}
	sort_by_level(g, s, of);
}

static void sptrsv_work(struct gen *g, size_t phase, size_t unit)
{
	const struct sparse *s = g->data;
	struct lane_rows r = level_rows(s, phase, unit);

	rows_lanes(g, WS_LOAD, 0, &r);
	walk(g, &s->m, &r, true, 3);
	rows_lanes(g, WS_LOAD, 4, &r);
	rows_lanes(g, WS_STORE, 3, &r);
}

const struct gen_family gen_sparse[] = {
	{ "spmv-vector", sparse_setup, rows_by_warp, spmv_vector_work },
	{ "spmv-scalar", sparse_setup, rows_by_lane, spmv_scalar_work },
	{ "pagerank", sparse_setup, pagerank_units, pagerank_work },
	{ "bfs", bfs_setup, bfs_units, bfs_work },
	{ "bfs-frontier", search_setup, level_units, frontier_work },
	{ "sptrsv", sptrsv_setup, level_units, sptrsv_work },
	{ NULL, NULL, NULL, NULL },
};
