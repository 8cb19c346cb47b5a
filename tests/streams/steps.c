/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/streams/steps.c -- kernels of many steps with all warps waiting in between: sorting
 * networks, FFT, scans and reductions, wavefronts; and short ones.
 */
#include "tests/streams/gen.h"

/* ---- bitonic: a sorting network, 4 B keys.  n: log2 of keys, log2 of the first stage done
 * ------------------------------------------------------------------------------------------ */

static size_t bitonic_units(struct gen *g, size_t phase)
{
	unsigned stage = g->n[1];

	for (; stage < g->n[0]; stage++) {
		if (phase <= stage)
			return ((size_t)1 << g->n[0]) / 2 / LANES;
		phase -= stage + 1;
	}
	return 0;
}

static void bitonic_work(struct gen *g, size_t phase, size_t unit)
{
	uint64_t low[LANES], high[LANES], distance;
	unsigned stage = g->n[1];

	for (; phase > stage; stage++)
		phase -= stage + 1;
	distance = (uint64_t)1 << (stage - phase);
	for (uint64_t lane = 0; lane < LANES; lane++) {
		uint64_t i = unit * LANES + lane;
		uint64_t at = i / distance * 2 * distance + i % distance;

		low[lane] = gen_array(0) + at * 4;
		high[lane] = gen_array(0) + (at + distance) * 4;
	}
	gen_lanes(g, WS_LOAD, low, LANES);
	gen_lanes(g, WS_LOAD, high, LANES);
	gen_lanes(g, WS_STORE, low, LANES);
	gen_lanes(g, WS_STORE, high, LANES);
}

/* ---- fft: butterflies in place, 8 B numbers.  n: log2 of points, transforms one after
 * the other, 1: the first step reads in bit-reversed order --------------------------------- */

static size_t fft_units(struct gen *g, size_t phase)
{
	return phase < (size_t)g->n[0] * g->n[1] ? ((size_t)1 << g->n[0]) / 2 / LANES : 0;
}

static uint64_t reversed(uint64_t i, unsigned bits)
{
	uint64_t out = 0;

	for (unsigned b = 0; b < bits; b++)
		out |= (i >> b & 1) << (bits - 1 - b);
	return out;
}

static void fft_work(struct gen *g, size_t phase, size_t unit)
{
	uint64_t low[LANES], high[LANES], twiddle[LANES], from[LANES];
	unsigned bits = g->n[0], step = (unsigned)(phase % bits), batch = (unsigned)(phase / bits);
	uint64_t distance = (uint64_t)1 << step, base = ((uint64_t)batch << bits) * 8;

	for (uint64_t lane = 0; lane < LANES; lane++) {
		uint64_t i = unit * LANES + lane;
		uint64_t at = i / distance * 2 * distance + i % distance;

		low[lane] = gen_array(0) + base + at * 8;
		high[lane] = gen_array(0) + base + (at + distance) * 8;
		from[lane] = gen_array(2) + base + reversed(at, bits) * 8;
		twiddle[lane] = gen_array(1) + (i % distance << (bits - 1 - step)) * 8;
	}
	gen_lanes(g, WS_LOAD, !step && g->n[2] ? from : low, LANES);
	gen_lanes(g, WS_LOAD, high, LANES);
	gen_lanes(g, WS_LOAD, twiddle, LANES);
	gen_lanes(g, WS_STORE, low, LANES);
	gen_lanes(g, WS_STORE, high, LANES);
}

/* ---- scan: sums by a tree up and down, or each step reads two and writes one elsewhere.
 * n: log2 of elements, 1: the latter, times ------------------------------------------------ */

static size_t scan_units(struct gen *g, size_t phase)
{
	unsigned bits = g->n[0], steps = g->n[1] ? bits : 2 * bits;
	unsigned step = (unsigned)(phase % steps), left;

	if (phase >= (size_t)steps * g->n[2])
		return 0;
	if (g->n[1])
		return ((size_t)1 << bits) / LANES;
	left = step < bits ? bits - 1 - step : step - bits;
	return left > 5 ? (size_t)1 << (left - 5) : 1;
}

static void scan_tree(struct gen *g, size_t step, size_t unit)
{
	unsigned bits = g->n[0], level = (unsigned)(step < bits ? step : 2 * bits - 1 - step);
	uint64_t half = (uint64_t)4 << level, pairs = (uint64_t)1 << (bits - 1 - level);
	size_t lanes = pairs < LANES ? (size_t)pairs : LANES;
	uint64_t left = gen_array(0) + (2 * unit * LANES + 1) * half - 4;

	gen_row(g, WS_LOAD, left, 2 * half, lanes);
	gen_row(g, WS_LOAD, left + half, 2 * half, lanes);
	if (step >= bits)
		gen_row(g, WS_STORE, left, 2 * half, lanes);
	gen_row(g, WS_STORE, left + half, 2 * half, lanes);
}

static void scan_work(struct gen *g, size_t phase, size_t unit)
{
	unsigned bits = g->n[0], in = phase % 2;
	uint64_t step, distance;

	if (!g->n[1]) {
		scan_tree(g, phase % (2 * bits), unit);
		return;
	}
	step = phase % bits;
	distance = (uint64_t)1 << step;
	gen_row(g, WS_LOAD, gen_array(in) + unit * LANES * 4, 4, LANES);
	if (unit * LANES >= distance)
		gen_row(g, WS_LOAD, gen_array(in) + (unit * LANES - distance) * 4, 4, LANES);
	gen_row(g, WS_STORE, gen_array(1 - in) + unit * LANES * 4, 4, LANES);
}

/* ---- wavefront: alignment of two sequences by diagonals of tiles, a warp a tile of 32
 * columns.  n: length, rows of a tile, letters of the alphabet ----------------------------- */

static size_t wavefront_units(struct gen *g, size_t phase)
{
	size_t wide = g->n[0] / LANES, high = g->n[0] / g->n[1];
	size_t first = phase < high ? 0 : phase - high + 1;

	return phase < wide + high - 1 ? (phase < wide ? phase + 1 : wide) - first : 0;
}

static void wavefront_work(struct gen *g, size_t phase, size_t unit)
{
	uint64_t rows = g->n[1], high = g->n[0] / rows, pitch = g->n[0] + 1;
	uint64_t x = unit + (phase < high ? 0 : phase - high + 1), y = phase - x, a[LANES];

	gen_row(g, WS_LOAD, gen_array(0) + x * LANES, 1, LANES);
	for (uint64_t i = y * rows; i < (y + 1) * rows; i++) {
		uint64_t above = gen_array(2) + (i * pitch + x * LANES) * 4;

		gen_load(g, gen_array(1) + i);
		for (unsigned lane = 0; lane < LANES; lane++)
			a[lane] = gen_array(3) + (gen_below(g, g->n[2]) * 32 + i % g->n[2]) * 4;
		gen_lanes(g, WS_LOAD, a, LANES);	/* the score of a pair of letters */
		gen_row(g, WS_LOAD, above, 4, LANES);
		gen_row(g, WS_STORE, above + (pitch + 1) * 4, 4, LANES);
	}
}

/* ---- vector-add, reduce: short.  n: warps of elements ------------------------------------ */

static size_t short_units(struct gen *g, size_t phase)
{
	return phase ? 0 : g->n[0];
}

static void add_work(struct gen *g, size_t phase, size_t unit)
{
	(void)phase;
	gen_row(g, WS_LOAD, gen_array(0) + unit * LANES * 4, 4, LANES);
	gen_row(g, WS_LOAD, gen_array(1) + unit * LANES * 4, 4, LANES);
	gen_row(g, WS_STORE, gen_array(2) + unit * LANES * 4, 4, LANES);
}

static size_t reduce_units(struct gen *g, size_t phase)
{
	return (size_t)g->n[0] >> phase;
}

static void reduce_work(struct gen *g, size_t phase, size_t unit)
{
	unsigned in = phase % 2;

	gen_row(g, WS_LOAD, gen_array(in) + unit * 2 * LANES * 4, 4, LANES);
	gen_row(g, WS_LOAD, gen_array(in) + (unit * 2 + 1) * LANES * 4, 4, LANES);
	gen_row(g, WS_STORE, gen_array(1 - in) + unit * LANES * 4, 4, LANES);
}

const struct gen_family gen_steps[] = {
	{ "bitonic", NULL, bitonic_units, bitonic_work },
	{ "fft", NULL, fft_units, fft_work },
	{ "scan", NULL, scan_units, scan_work },
	{ "wavefront", NULL, wavefront_units, wavefront_work },
	{ "vector-add", NULL, short_units, add_work },
	{ "reduce", NULL, reduce_units, reduce_work },
	{ NULL, NULL, NULL, NULL },
};
