/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/streams/loops.c -- plain patterns of lines, not of any one kernel: loops, scans beside hot
 * lines, chains of pointers, Zipf's law, phases of these.
 */
#include "tests/streams/gen.h"

#define FOREVER ((size_t)1 << 40)

static uint64_t line(unsigned array, uint64_t i)
{
	return gen_array(array) + i * STREAMS_LINE;
}

static size_t forever(struct gen *g, size_t phase)
{
	(void)g;
	return phase ? 0 : FOREVER;
}

/* ---- cyclic: n: lines, lines a unit takes ----------------------------------------------- */

static void cyclic_work(struct gen *g, size_t phase, size_t unit)
{
	(void)phase;
	for (uint64_t i = 0; i < g->n[1]; i++)
		gen_load(g, line(0, (unit * g->n[1] + i) % g->n[0]));
}

/* ---- scanmix: hot lines beside a scan.  n: hot lines, loads of hot lines in a unit, of the scan,
 * 1: hot lines in order, else at random; times each line of the scan is read --------------- */

static void scanmix_work(struct gen *g, size_t phase, size_t unit)
{
	uint64_t hot = g->n[1], scan = g->n[2], most = hot > scan ? hot : scan;

	(void)phase;
	for (uint64_t i = 0; i < most; i++) {
		if (i < hot)
			gen_load(g, line(0, g->n[3] ? (unit * hot + i) % g->n[0]
						    : gen_below(g, g->n[0])));
		for (uint64_t again = 0; i < scan && again < g->n[4]; again++)
			gen_load(g, line(1, unit * scan + i));
	}
}

/* ---- chase: each warp goes round a chain of its own.  n: lines of the shortest chain, more with
 * each warp, bytes of a node --------------------------------------------------------------- */

static void chase_setup(struct gen *g)
{
	uint32_t **chain = gen_alloc(g, g->spec->warps, sizeof *chain);

	g->data = chain;
	for (unsigned i = 0; chain && i < g->spec->warps && i < GEN_BLOCKS - 4; i++)
		chain[i] = gen_shuffle(g, g->n[0] + i * g->n[1]);
}

static size_t chase_units(struct gen *g, size_t phase)
{
	return phase ? 0 : g->spec->warps;
}

static void chase_work(struct gen *g, size_t phase, size_t unit)
{
	uint32_t *const *chain = g->data;
	uint32_t length = g->n[0] + (uint32_t)unit * g->n[1];

	(void)phase;
	for (size_t i = 0; i <= g->limit / g->spec->warps; i++) {
		uint64_t node = chain[unit][i % length];

		gen_load(g, gen_array((unsigned)unit) + node * g->n[2]);
	}
}

/* ---- zipf: n: lines, lanes --------------------------------------------------------------- */

static void zipf_setup(struct gen *g)
{
	struct gen_zipf *z = gen_alloc(g, 1, sizeof *z);

	g->data = z;
	if (z)
		*z = gen_zipf(g, g->n[0], g->spec->skew, true);
}

static void zipf_work(struct gen *g, size_t phase, size_t unit)
{
	uint64_t a[LANES];

	(void)phase;
	(void)unit;
	for (unsigned lane = 0; lane < g->n[1] && lane < LANES; lane++)
		a[lane] = line(0, gen_zipf_draw(g, g->data));
	gen_lanes(g, WS_LOAD, a, g->n[1]);
}

/* ---- phases: Zipf's law, a loop, a scan, tiles, in turn, at other places each time.
 * n: lines of Zipf's law, of the loop, of a tile, units a phase ---------------------------- */

static size_t phases_units(struct gen *g, size_t phase)
{
	return phase < 64 ? g->n[3] : 0;
}

static void phases_work(struct gen *g, size_t phase, size_t unit)
{
	uint64_t turn = phase / 4, loop = g->n[1], tile = g->n[2];

	switch (phase % 4) {
	case 0:
		gen_load(g, line(0, gen_zipf_draw(g, g->data)));
		break;
	case 1:
		gen_load(g, line(1, turn * loop + unit % loop));
		break;
	case 2:
		gen_load(g, line(2, turn * g->n[3] / 2 + unit / 2));
		break;
	default: /* eight times through a tile, then the next */
		gen_load(g, line(3, (turn * g->n[3] + unit) / (8 * tile) * tile + unit % tile));
	}
}

/* ---- repass: pieces read, and read again soon by another warp.  n: lines of the large array,
 * of the small one, lines a unit takes ----------------------------------------------------- */

static void repass_work(struct gen *g, size_t phase, size_t unit)
{
	(void)phase;
	for (uint64_t i = 0; i < g->n[2]; i++) {
		gen_load(g, line(0, (unit * g->n[2] + i) % g->n[0]));
		gen_load(g, line(1, (unit * g->n[2] + i) % g->n[1]));
	}
}

const struct gen_family gen_loops[] = {
	{ "cyclic", NULL, forever, cyclic_work },
	{ "scanmix", NULL, forever, scanmix_work },
	{ "chase", chase_setup, chase_units, chase_work },
	{ "zipf", zipf_setup, forever, zipf_work },
	{ "phases", zipf_setup, phases_units, phases_work },
	{ "repass", NULL, forever, repass_work },
	{ NULL, NULL, NULL, NULL },
};
