/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/streams/tables.c -- kernels that look things up: hash tables, histograms, nearest centres.
 */
#include "tests/streams/gen.h"

#define BUCKET 16u

static size_t n0_units(struct gen *g, size_t phase)
{
	return phase ? 0 : g->n[0];
}

/* ---- hash: look-ups, linear probing.  n: warps of keys, buckets, percent of second probes --- */

static void hash_setup(struct gen *g)
{
	struct gen_zipf *z = gen_alloc(g, 1, sizeof *z);

	g->data = z;
	if (z)
		*z = gen_zipf(g, g->n[1], g->spec->skew, true);
}

static void hash_work(struct gen *g, size_t phase, size_t unit)
{
	const struct gen_zipf *z = g->data;
	uint64_t first[LANES], second[LANES];
	size_t again = 0;

	(void)phase;
	for (unsigned lane = 0; lane < LANES; lane++) {
		uint32_t bucket = gen_zipf_draw(g, z);

		first[lane] = gen_array(1) + (uint64_t)bucket * BUCKET;
		if (gen_chance(g, g->n[2] / 100.0))
			second[again++] = gen_array(1) + (bucket + 1ull) % z->n * BUCKET;
	}
	gen_row(g, WS_LOAD, gen_array(0) + unit * LANES * 8, 8, LANES);
	gen_lanes(g, WS_LOAD, first, LANES);
	gen_lanes(g, WS_LOAD, second, again);
	gen_row(g, WS_STORE, gen_array(2) + unit * LANES * 4, 4, LANES);
}

/* ---- hash-join: build a table of chains, then probe it.  n: warps that build, warps that
 * probe, buckets, percent of probes that find something ------------------------------------ */

static size_t join_units(struct gen *g, size_t phase)
{
	return phase < 2 ? g->n[phase] : 0;
}

static void join_setup(struct gen *g)
{
	struct gen_zipf *z = gen_alloc(g, 1, sizeof *z);

	g->data = z;
	if (z)
		*z = gen_zipf(g, g->n[2], g->spec->skew, true);
}

static void join_work(struct gen *g, size_t phase, size_t unit)
{
	const struct gen_zipf *z = g->data;
	uint64_t head[LANES], tuple[LANES];
	size_t found = 0;

	for (unsigned lane = 0; lane < LANES; lane++) {
		bool uniform = !phase; /* keys of the small table are unique */

		uint64_t bucket = uniform ? gen_below(g, z->n) : gen_zipf_draw(g, z);

		head[lane] = gen_array(1) + bucket * 4;
		if (gen_chance(g, g->n[3] / 100.0)) /* its tuple is anywhere, but always there */
			tuple[found++] = gen_array(2) +
				(bucket * 2654435761u % (g->n[0] * LANES)) * 8;
	}
	gen_row(g, WS_LOAD, gen_array(phase ? 3 : 0) + unit * LANES * 8, 8, LANES);
	gen_lanes(g, WS_LOAD, head, LANES);
	if (!phase) {
		gen_lanes(g, WS_STORE, head, LANES);
		gen_row(g, WS_STORE, gen_array(2) + unit * LANES * 8, 8, LANES);
		return;
	}
	gen_lanes(g, WS_LOAD, tuple, found);
	gen_lanes(g, WS_LOAD, tuple, found / 3); /* chains of two */
	gen_row(g, WS_STORE, gen_array(4) + unit * LANES * 8, 8, found);
}

/* ---- histo: n: warps of keys, bins, 1: bins are stored too, 2: with atomics; hot bins, percent
 * of keys that fall into those; the set of hot bins moves every n[5] warps ----------------- */

static void histo_setup(struct gen *g)
{
	struct gen_zipf *z = gen_alloc(g, 1, sizeof *z);

	g->data = z;
	if (z)
		*z = gen_zipf(g, g->n[1], g->spec->skew, true);
}

static uint32_t bin(struct gen *g, size_t unit)
{
	const struct gen_zipf *z = g->data;
	uint64_t moved = g->n[5] ? unit / g->n[5] : 0;

	if (g->n[3] && gen_chance(g, g->n[4] / 100.0))
		return z->place[(gen_below(g, g->n[3]) + moved * g->n[3]) % z->n];
	return gen_zipf_draw(g, z);
}

static void histo_work(struct gen *g, size_t phase, size_t unit)
{
	uint64_t a[LANES];

	(void)phase;
	for (unsigned lane = 0; lane < LANES; lane++)
		a[lane] = gen_array(1) + bin(g, unit) * 4ull;
	gen_row(g, WS_LOAD, gen_array(0) + unit * LANES * 4, 4, LANES);
	gen_lanes(g, WS_LOAD, a, LANES);
	if (g->n[2])
		gen_lanes(g, g->n[2] == 1 ? WS_STORE : WS_ATOMIC, a, LANES);
}

/* ---- kmeans: a lane has a point, all look at the same centre.  n: warps of points, dimensions,
 * centres, passes -------------------------------------------------------------------------- */

static size_t kmeans_units(struct gen *g, size_t phase)
{
	return phase < g->n[3] ? g->n[0] : 0;
}

static void kmeans_end(struct gen *g, size_t unit)
{
	gen_row(g, WS_STORE, gen_array(2) + unit * LANES * 4, 4, LANES);
}

/* Points are rows; four dimensions a load. */
static void kmeans_rows_work(struct gen *g, size_t phase, size_t unit)
{
	uint64_t dimensions = g->n[1];

	(void)phase;
	for (uint64_t k = 0; k < g->n[2]; k++)
		for (uint64_t d = 0; d < dimensions; d += 4) {
			gen_row(g, WS_LOAD, gen_array(0) + (unit * LANES * dimensions + d) * 4,
				dimensions * 4, LANES);
			gen_load(g, gen_array(1) + (k * dimensions + d) * 4);
		}
	kmeans_end(g, unit);
}

/* Points are columns. */
static void kmeans_columns_work(struct gen *g, size_t phase, size_t unit)
{
	uint64_t dimensions = g->n[1], points = (uint64_t)g->n[0] * LANES;

	(void)phase;
	for (uint64_t k = 0; k < g->n[2]; k++)
		for (uint64_t d = 0; d < dimensions; d++) {
			gen_row(g, WS_LOAD, gen_array(0) + (d * points + unit * LANES) * 4, 4,
				LANES);
			gen_load(g, gen_array(1) + (k * dimensions + d) * 4);
		}
	kmeans_end(g, unit);
}

const struct gen_family gen_tables[] = {
	{ "hash", hash_setup, n0_units, hash_work },
	{ "hash-join", join_setup, join_units, join_work },
	{ "histo", histo_setup, n0_units, histo_work },
	{ "histo-hot", histo_setup, n0_units, histo_work },
	{ "kmeans-aos", NULL, kmeans_units, kmeans_rows_work },
	{ "kmeans-soa", NULL, kmeans_units, kmeans_columns_work },
	{ NULL, NULL, NULL, NULL },
};
