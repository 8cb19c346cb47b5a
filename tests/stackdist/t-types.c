/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/stackdist/t-types.c -- cells and bins at their edges, types of references, and sums
 * of fill-to-reuse times and details against adding up in dense arrays.
 */
#include "stackdist/record/detail.h"
#include "stackdist/stack/lines.h"
#include "tests/test.h"

/* ---- cells -------------------------------------------------------------------------- */

/* The definition: x below 2^bits, else 2^bits + 2^fine (o - bits) + the bits below the highest. */
static uint32_t slow_cell(uint32_t x, unsigned bits, unsigned fine)
{
	unsigned o = 0;

	if (x < 1u << bits)
		return x;
	while (o < 31 && x >= 2u << o)
		o++;
	return (1u << bits) + (o - bits) * (1u << fine) +
	       (uint32_t)(((uint64_t)(x - (1u << o)) << fine) >> o);
}

static uint32_t distance_cell(uint32_t x) { return ws_cell(x, WS_DISTANCE_BITS); }
static uint32_t distance_first(uint32_t c) { return ws_cell_first(c, WS_DISTANCE_BITS); }
static uint32_t depth_cell(uint32_t x) { return ws_cell(x, WS_DEPTH_BITS); }
static uint32_t depth_first(uint32_t c) { return ws_cell_first(c, WS_DEPTH_BITS); }
static uint32_t interval_cell(uint32_t x) { return ws_cell(x, WS_FILL_REUSE_BITS); }
static uint32_t interval_first(uint32_t c) { return ws_cell_first(c, WS_FILL_REUSE_BITS); }
static uint32_t ways_cell(uint32_t x) { return ws_cell(x, WS_FILL_REUSE_WAYS_BITS); }
static uint32_t ways_first(uint32_t c) { return ws_cell_first(c, WS_FILL_REUSE_WAYS_BITS); }
static uint32_t bin_cell(uint32_t x) { return ws_bin(x); }
static uint32_t bin_first(uint32_t c) { return ws_bin_first(c); }

static const struct kind {
	const char *name;
	uint32_t (*cell)(uint32_t x), (*first)(uint32_t cell);
	unsigned bits, fine;
	uint32_t most;		/* the largest x */
	uint32_t cells;
} kinds[] = {
	{ "distances", distance_cell, distance_first, 16, 4, UINT32_MAX, 65536 + 16 * 16 },
	{ "depths", depth_cell, depth_first, 10, 4, (1u << 28) - 1, WS_DEPTH_CELLS },
	{ "intervals", interval_cell, interval_first, 5, 4, WS_FILL_REUSE_MAX,
	  WS_FILL_REUSE_CELLS },
	{ "ways", ways_cell, ways_first, 6, 4, 65535, WS_FILL_REUSE_WAYS },
	{ "bins", bin_cell, bin_first, 3, 2, 1u << 16, WS_BINS },
};

static bool right(const struct kind *k, uint32_t x)
{
	uint32_t cell = k->cell(x);

	return cell == slow_cell(x, k->bits, k->fine) && cell < k->cells && k->first(cell) <= x &&
	       (cell + 1 == k->cells || k->first(cell + 1) > x);
}

static void test_cells(const struct kind *k, struct ws_rng *rng)
{
	bool ok = k->cell(k->most) == k->cells - 1 && k->first(0) == 0;

	for (uint32_t cell = 1; cell < k->cells && ok; cell++)
		ok = right(k, k->first(cell)) && k->cell(k->first(cell)) == cell &&
		     k->cell(k->first(cell) - 1) == cell - 1;
	for (uint32_t x = 0; x < 20000 && x <= k->most && ok; x++)
		ok = right(k, x);
	for (int i = 0; i < 20000 && ok; i++)
		ok = right(k, (uint32_t)ws_rng_below(rng, (uint64_t)k->most + 1));
	test_ok(ok, "cells of %s: in order, without gaps, each begins at its first value", k->name);
}

static void test_known(void)
{
	bool ok;

	test_u64(ws_bin(7), 7, "bin of 7");
	test_u64(ws_bin(9), 8, "bin of 9, which is 8 to 9");
	test_u64(ws_bin(65535), 59, "bin of 65535");
	test_u64(ws_bin(UINT32_MAX - 2), 60, "bin of the largest position");
	test_u64(ws_cell(66, WS_FILL_REUSE_BITS), 48, "cell of 66 cycles, which is 64 to 67");
	test_u64(ws_cell_first(64, WS_FILL_REUSE_BITS), 128, "first of cell 64");
	ok = ws_retained_ways[0] == 2 && ws_retained_ways[WS_RETENTIONS - 1] == 1024;
	for (unsigned i = 1; i < WS_RETENTIONS; i++)
		ok &= ws_retained_ways[i] > ws_retained_ways[i - 1];
	test_ok(ok, "frozen ways ascend from 2 to 1024");
}

/* ---- types -------------------------------------------------------------------------- */

static unsigned slow_type(enum ws_write write, unsigned kind, uint32_t id, uint32_t position)
{
	bool finite = position <= WS_DISTANCE_MAX;

	if (id == WS_LINE_NONE)
		return WS_TYPE_NONE;
	if (kind == WS_STORE && write == WS_WRITE_THROUGH)
		return WS_TYPE_NONE;
	if (kind == WS_STORE && write == WS_WRITE_EVICT)
		return finite ? WS_TYPE_EVICT : WS_TYPE_NONE;
	if (!finite)
		return position == WS_DISTANCE_COLD ? WS_TYPE_COLD : WS_TYPE_RELOAD;
	return ws_bin(position);
}

static void test_types(struct ws_rng *rng)
{
	enum { COUNT = 4096 };
	static struct ws_request r[COUNT];
	static uint32_t id[COUNT], position[COUNT];
	static uint8_t type[COUNT];
	bool ok = true;

	for (int write = WS_WRITE_BACK; write <= WS_WRITE_EVICT; write++) {
		for (size_t i = 0; i < COUNT; i++) {
			r[i].kind = (uint8_t)ws_rng_below(rng, WS_KINDS);
			id[i] = ws_rng_below(rng, 8) ? (uint32_t)i : WS_LINE_NONE;
			position[i] = (uint32_t)(ws_rng_u64(rng) >> (32 + ws_rng_below(rng, 32)));
			if (ws_rng_below(rng, 8) == 0)
				position[i] = UINT32_MAX - (uint32_t)ws_rng_below(rng, 4);
		}
		ws_types((enum ws_write)write, r, id, position, COUNT, type);
		for (size_t i = 0; i < COUNT; i++)
			ok &= type[i] == slow_type((enum ws_write)write, r[i].kind, id[i],
						   position[i]);
	}
	test_ok(ok, "types by kind, position and write policy");
}

/* ---- sums --------------------------------------------------------------------------- */

enum { CELLS = 4, WAYS = 5 };

static size_t make_flights(struct ws_rng *rng, struct ws_fill_reuse *entry, int64_t *dense)
{
	size_t count = 0;

	for (uint32_t at = 0; at < CELLS * WAYS; at++) {
		int64_t change = (int64_t)ws_rng_below(rng, 7) - 3;

		if (!change || ws_rng_below(rng, 2))
			continue;
		entry[count++] = (struct ws_fill_reuse){ at / WAYS, 1 + at % WAYS * 1000, change };
		dense[at] += change;
	}
	return count;
}

static bool are(const struct ws_fill_reuses *f, const int64_t *dense)
{
	size_t at = 0;

	for (uint32_t i = 0; i < CELLS * WAYS; i++) {
		if (!dense[i])
			continue;
		if (at == f->count || f->entry[at].cell != i / WAYS ||
		    f->entry[at].ways != 1 + i % WAYS * 1000 || f->entry[at].change != dense[i])
			return false;
		at++;
	}
	return at == f->count;
}

static void test_flights(struct ws_rng *rng)
{
	bool ok = true;

	for (int times = 0; times < 500 && ok; times++) {
		int64_t dense[CELLS * WAYS] = { 0 };
		struct ws_fill_reuses sum = { 0 };

		for (int i = 0; i < 5 && ok; i++) {
			struct ws_fill_reuse entry[CELLS * WAYS];
			struct ws_fill_reuses f = { .entry = entry };

			f.count = make_flights(rng, entry, dense);
			ok = !ws_fill_reuses_add(&sum, &f, NULL) && are(&sum, dense);
		}
		free(sum.entry);
	}
	test_ok(ok, "sums of fill-to-reuse times are in order, complete and without zeros");
}

/* All numbers of a detail lie before its lists. */
static void test_details(struct ws_rng *rng)
{
	enum { NUMBERS = offsetof(struct ws_detail, fill_reuse) / sizeof(uint64_t) };
	struct ws_detail *from = ws_alloc_zero(1, sizeof *from);
	struct ws_detail *to = ws_alloc_zero(1, sizeof *to);
	uint64_t *want = ws_alloc_zero(NUMBERS, sizeof *want);
	int64_t dense[WS_KINDS][CELLS * WAYS] = { { 0 } };
	struct ws_fill_reuse entry[CELLS * WAYS];
	bool ok = from && to && want;

	for (int i = 0; i < 3 && ok; i++) {
		uint64_t *number = from->references[0];

		for (size_t at = 0; at < NUMBERS; at++)
			want[at] += number[at] = ws_rng_u64(rng);
		for (int kind = 0; kind < WS_KINDS; kind++) {
			from->fill_reuse[kind].entry = entry;
			from->fill_reuse[kind].count = make_flights(rng, entry, dense[kind]);
			ok = ok && !ws_fill_reuses_add(to->fill_reuse + kind,
						       from->fill_reuse + kind, NULL);
			from->fill_reuse[kind] = (struct ws_fill_reuses){ NULL, 0 };
		}
		from->fill_reuse[1].entry = entry;
		from->fill_reuse[1].count = make_flights(rng, entry, dense[1]);
		ok = ok && !ws_detail_add(to, from, NULL) &&
		     !memcmp(to->references, want, NUMBERS * sizeof *want);
		from->fill_reuse[1] = (struct ws_fill_reuses){ NULL, 0 };
		for (int kind = 0; kind < WS_KINDS; kind++)
			ok = ok && are(to->fill_reuse + kind, dense[kind]);
	}
	test_ok(ok, "all numbers and flights of details add up");
	ws_detail_free(to);
	free(from);
	free(want);
}

int main(void)
{
	struct ws_rng rng;

	ws_rng_seed(&rng, test_seed(77));
	for (size_t i = 0; i < WS_COUNT(kinds); i++)
		test_cells(kinds + i, &rng);
	test_known();
	test_types(&rng);
	test_flights(&rng);
	test_details(&rng);
	return test_done();
}
