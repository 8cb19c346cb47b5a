/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/streams/dense.c -- kernels on dense arrays of floats: products of matrices, transposes,
 * stencils, convolutions, LU, n-body.
 *
 * CTAs are of 8 warps.  One SM gets every stride-th CTA where a family takes a stride.
 */
#include "tests/streams/gen.h"

#define WARPS 8u		/* of a CTA */
#define FLOAT 4u

static size_t at_least_one(size_t n)
{
	return n ? n : 1;
}

/* ---- mm: C = A B, a thread an element.  n: order, stride ------------------------------ */

static size_t mm_units(struct gen *g, size_t phase)
{
	size_t order = g->n[0];

	return phase ? 0 : at_least_one(order / LANES * (order / WARPS) / g->n[1]) * WARPS;
}

static void mm_work(struct gen *g, size_t phase, size_t unit)
{
	uint64_t order = g->n[0], cta = unit / WARPS * g->n[1];
	uint64_t i = cta / (order / LANES) % (order / WARPS) * WARPS + unit % WARPS;
	uint64_t j = cta % (order / LANES) * LANES;

	(void)phase;
	for (uint64_t k = 0; k < order; k++) {
		gen_load(g, gen_array(0) + (i * order + k) * FLOAT);
		gen_row(g, WS_LOAD, gen_array(1) + (k * order + j) * FLOAT, FLOAT, LANES);
	}
	gen_row(g, WS_STORE, gen_array(2) + (i * order + j) * FLOAT, FLOAT, LANES);
}

/* ---- mm-tiled: tiles in shared memory.  n: order, tile (16 or 32), stride ---------------- */

static size_t mm_tiled_units(struct gen *g, size_t phase)
{
	size_t tiles = g->n[0] / g->n[1];

	return phase ? 0 : at_least_one(tiles * tiles / g->n[2]) * WARPS;
}

/* The warp's rows of a tile at (row, column) of an array; a warp of tiles of 16 has two at once. */
static void tile_rows(struct gen *g, enum ws_kind kind, unsigned array, uint64_t row,
		      uint64_t column, size_t warp)
{
	uint64_t order = g->n[0], tile = g->n[1], at_once = LANES / tile;
	uint64_t a[LANES];

	for (uint64_t r = warp * at_once; r < tile; r += WARPS * at_once) {
		for (uint64_t lane = 0; lane < LANES; lane++)
			a[lane] = gen_array(array) +
				((row + r + lane / tile) * order + column + lane % tile) * FLOAT;
		gen_lanes(g, kind, a, LANES);
	}
}

static void mm_tiled_work(struct gen *g, size_t phase, size_t unit)
{
	uint64_t order = g->n[0], tile = g->n[1], tiles = order / tile;
	uint64_t cta = unit / WARPS * g->n[2] % (tiles * tiles), warp = unit % WARPS;
	uint64_t i = cta / tiles * tile, j = cta % tiles * tile;

	(void)phase;
	for (uint64_t k = 0; k < order; k += tile) {
		tile_rows(g, WS_LOAD, 0, i, k, warp);
		tile_rows(g, WS_LOAD, 1, k, j, warp);
	}
	tile_rows(g, WS_STORE, 2, i, j, warp);
}

/* ---- transpose: rows are read, columns written.  n: rows, columns, bytes of an element --- */

static size_t transpose_units(struct gen *g, size_t phase)
{
	return phase ? 0 : (size_t)g->n[0] / LANES * (g->n[1] / LANES) * LANES;
}

static void transpose_work(struct gen *g, size_t phase, size_t unit)
{
	uint64_t rows = g->n[0], columns = g->n[1], size = g->n[2], cta = unit / LANES;
	uint64_t i = cta / (columns / LANES) * LANES + unit % LANES;
	uint64_t j = cta % (columns / LANES) * LANES;

	(void)phase;
	gen_row(g, WS_LOAD, gen_array(0) + (i * columns + j) * size, size, LANES);
	gen_row(g, WS_STORE, gen_array(1) + (j * rows + i) * size, rows * size, LANES);
}

/* ---- transpose-blocked: by tiles in shared memory, a warp has 4 rows of a tile.
 * n: rows, columns, bytes of an element, tiles of a CTA side by side.  Rows need not begin with
 * a line, and the matrix is transposed twice. ---------------------------------------------- */

static size_t blocked_units(struct gen *g, size_t phase)
{
	size_t across = g->n[1] / LANES / g->n[3];

	return phase < 2 ? g->n[0] / LANES * at_least_one(across) * WARPS : 0;
}

static void blocked_work(struct gen *g, size_t phase, size_t unit)
{
	uint64_t rows = g->n[0], columns = g->n[1], size = g->n[2], cta = unit / WARPS;
	uint64_t across = at_least_one(columns / LANES / g->n[3]);
	unsigned from = phase ? 1 : 0;

	for (uint64_t t = 0; t < g->n[3]; t++) {
		uint64_t i = cta / across * LANES + unit % WARPS;
		uint64_t j = (cta % across * g->n[3] + t) * LANES;

		for (unsigned r = 0; r < LANES; r += WARPS)
			gen_row(g, WS_LOAD, gen_array(from) + ((i + r) * columns + j) * size, size,
				LANES);
		i -= unit % WARPS;
		j += unit % WARPS;
		for (unsigned r = 0; r < LANES; r += WARPS)
			gen_row(g, WS_STORE, gen_array(1 - from) + ((j + r) * rows + i) * size,
				size, LANES);
	}
}

/* ---- stencil: seven points in three dimensions.  n: side, stride, planes a warp goes through,
 * sweeps ----------------------------------------------------------------------------------- */

static size_t stencil_units(struct gen *g, size_t phase)
{
	size_t n = g->n[0];

	return phase < g->n[3] ? at_least_one(n / LANES * (n / WARPS) * (n / g->n[2]) / g->n[1])
		* WARPS : 0;
}

struct point { int64_t x, y, z; };

static void stencil_read(struct gen *g, unsigned array, struct point p)
{
	int64_t n = g->n[0];
	uint64_t a[LANES];
	size_t lanes = 0;

	if (p.y < 0 || p.y >= n || p.z < 0 || p.z >= n)
		return;
	for (int64_t x = p.x; x < p.x + LANES; x++)
		if (x >= 0 && x < n)
			a[lanes++] = gen_array(array) + (uint64_t)((p.z * n + p.y) * n + x) * FLOAT;
	gen_lanes(g, WS_LOAD, a, lanes);
}

static void stencil_work(struct gen *g, size_t phase, size_t unit)
{
	int64_t n = g->n[0], depth = g->n[2], cta = (int64_t)(unit / WARPS) * g->n[1];
	int64_t wide = n / LANES, high = n / WARPS;
	int64_t x = cta % wide * LANES, y = cta / wide % high * WARPS + (int64_t)(unit % WARPS);
	int64_t from = cta / wide / high * depth % n;
	unsigned in = phase % 2, out = 1 - in;

	for (int64_t z = from; z < from + depth; z++) {
		stencil_read(g, in, (struct point){ x, y, z });
		stencil_read(g, in, (struct point){ x - 1, y, z });
		stencil_read(g, in, (struct point){ x + 1, y, z });
		stencil_read(g, in, (struct point){ x, y - 1, z });
		stencil_read(g, in, (struct point){ x, y + 1, z });
		if (z == from) /* later it is in a register */
			stencil_read(g, in, (struct point){ x, y, z - 1 });
		stencil_read(g, in, (struct point){ x, y, z + 1 });
		gen_row(g, WS_STORE, gen_array(out) + (uint64_t)((z * n + y) * n + x) * FLOAT,
			FLOAT, LANES);
	}
}

/* ---- conv: each thread a pixel, all channels.  n: side, channels, mask, stride ----------- */

static size_t conv_units(struct gen *g, size_t phase)
{
	size_t n = g->n[0];

	return phase ? 0 : at_least_one(n / LANES * (n / WARPS) / g->n[3]) * WARPS;
}

static void conv_work(struct gen *g, size_t phase, size_t unit)
{
	uint64_t n = g->n[0], mask = g->n[2], cta = unit / WARPS * g->n[3];
	uint64_t x = cta % (n / LANES) * LANES;
	uint64_t y = cta / (n / LANES) % (n / WARPS) * WARPS + unit % WARPS, pitch = n + mask;

	(void)phase;
	for (uint64_t c = 0; c < g->n[1]; c++)
		for (uint64_t k = 0; k < mask * mask; k++) {
			uint64_t at = (c * pitch + y + k / mask) * pitch + x + k % mask;

			gen_row(g, WS_LOAD, gen_array(0) + at * FLOAT, FLOAT, LANES);
			gen_load(g, gen_array(1) + (c * mask * mask + k) * FLOAT);
		}
	gen_row(g, WS_STORE, gen_array(2) + (y * n + x) * FLOAT, FLOAT, LANES);
}

/* ---- conv-halo: a window slides down columns of tiles; its rows come in once a CTA, with a
 * halo at both sides.  n: width, height, halo, columns of lanes of a CTA ------------------- */

static size_t halo_units(struct gen *g, size_t phase)
{
	return phase ? 0 : at_least_one(g->n[0] / (LANES * g->n[3])) * (g->n[1] / 64) * WARPS;
}

static void halo_work(struct gen *g, size_t phase, size_t unit)
{
	uint64_t width = g->n[0], halo = g->n[2], wide = g->n[3] * LANES, cta = unit / WARPS;
	uint64_t across = at_least_one(width / wide), pitch = width + 2 * halo;
	uint64_t x = cta % across * wide, top = cta / across * 64;

	(void)phase;
	for (uint64_t y = top + unit % WARPS; y < top + 64 + 2 * halo; y += WARPS) {
		uint64_t row = gen_array(0) + (y * pitch + x) * FLOAT;

		for (uint64_t c = 0; c < wide; c += LANES)
			gen_row(g, WS_LOAD, row + c * FLOAT, FLOAT, LANES);
		gen_row(g, WS_LOAD, row + wide * FLOAT, FLOAT, 2 * halo);
		if (y < top + 2 * halo)
			continue;
		for (uint64_t c = 0; c < wide; c += LANES)
			gen_row(g, WS_STORE, gen_array(1) +
				((y - 2 * halo) * width + x + c) * FLOAT, FLOAT, LANES);
	}
}

/* ---- lud: panels of 32, the rest smaller with each.  n: order, first panel, stride ------- */

static size_t lud_units(struct gen *g, size_t phase)
{
	size_t done = (g->n[1] + phase + 1) * LANES, left = g->n[0] > done ? g->n[0] - done : 0;

	return left ? at_least_one(left * (left / LANES) / g->n[2]) : 0;
}

static void lud_work(struct gen *g, size_t phase, size_t unit)
{
	uint64_t order = g->n[0], from = (g->n[1] + phase) * LANES, left = order - from - LANES;
	uint64_t row = from + LANES + unit * g->n[2] % left;
	uint64_t column = from + LANES + unit * g->n[2] / left * LANES;
	uint64_t own = gen_array(0) + (row * order + column) * FLOAT;

	gen_row(g, WS_LOAD, own, FLOAT, LANES);
	for (uint64_t k = from; k < from + LANES; k++) {
		gen_load(g, gen_array(0) + (row * order + k) * FLOAT);
		gen_row(g, WS_LOAD, gen_array(0) + (k * order + column) * FLOAT, FLOAT, LANES);
	}
	gen_row(g, WS_STORE, own, FLOAT, LANES);
}

/* ---- nbody: all pairs, 16 B a body.  n: bodies, 1: tiles in shared memory, steps --------- */

static size_t nbody_units(struct gen *g, size_t phase)
{
	return phase < g->n[2] ? g->n[0] / LANES : 0;
}

static void nbody_work(struct gen *g, size_t phase, size_t unit)
{
	uint64_t bodies = g->n[0], tile = WARPS * LANES, warp = unit % WARPS;
	unsigned in = phase % 2;

	gen_row(g, WS_LOAD, gen_array(in) + unit * LANES * 16, 16, LANES);
	if (g->n[1])
		for (uint64_t b = 0; b + tile <= bodies; b += tile)
			gen_row(g, WS_LOAD, gen_array(in) + (b + warp * LANES) * 16, 16, LANES);
	else
		for (uint64_t b = 0; b < bodies; b++)
			gen_load(g, gen_array(in) + b * 16);
	gen_row(g, WS_LOAD, gen_array(2) + unit * LANES * 16, 16, LANES); /* velocities */
	gen_row(g, WS_STORE, gen_array(1 - in) + unit * LANES * 16, 16, LANES);
}

const struct gen_family gen_dense[] = {
	{ "mm", NULL, mm_units, mm_work },
	{ "mm-tiled", NULL, mm_tiled_units, mm_tiled_work },
	{ "transpose", NULL, transpose_units, transpose_work },
	{ "transpose-blocked", NULL, blocked_units, blocked_work },
	{ "stencil", NULL, stencil_units, stencil_work },
	{ "conv", NULL, conv_units, conv_work },
	{ "conv-halo", NULL, halo_units, halo_work },
	{ "lud", NULL, lud_units, lud_work },
	{ "nbody", NULL, nbody_units, nbody_work },
	{ NULL, NULL, NULL, NULL },
};
