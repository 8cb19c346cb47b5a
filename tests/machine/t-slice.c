/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/machine/t-slice.c -- the L2 in slices: every line of a range has a slice and a place there
 * of its own, slices get equal shares, and the index of the whole equals arithmetic by division
 * and by polynomials; what is refused, and how latency is split.
 */
#include "tests/test.h"
#include "machine/machine.h"

#include <stdlib.h>

#define LINE 128u
#define RUNS 64u	/* of `slices` blocks */
#define SLICES_MAX 64u
#define BLOCK_MAX 4096u

static struct ws_machine gtx;

static const char *const hashes[] = { "modulo", "xor", "ipoly", "ipoly-skew" };
static const unsigned slice_counts[] = { 1, 2, 6, 12, 24, 32, 48, 64 };
static const unsigned interleaves[] = { 128, 256, 1024, BLOCK_MAX };

/* *m with this L2; false if it is refused. */
static bool make(struct ws_machine *m, const char *hash, uint64_t slices, uint64_t interleave,
		 const char *set_hash, uint64_t sets, struct ws_err *err)
{
	char text[6][64];
	bool ok = true;

	*m = gtx;
	*err = (struct ws_err){ .status = WS_OK };
	snprintf(text[0], sizeof text[0], "l2.slice-hash=%s", hash);
	snprintf(text[1], sizeof text[1], "l2.slices=%" PRIu64, slices);
	snprintf(text[2], sizeof text[2], "l2.interleave=%" PRIu64, interleave);
	snprintf(text[3], sizeof text[3], "l2.hash=%s", set_hash);
	snprintf(text[4], sizeof text[4], "l2.sets=%" PRIu64, sets);
	snprintf(text[5], sizeof text[5], "dram.channels=0");
	for (size_t i = 0; i < WS_COUNT(text) && ok; i++)
		ok = ws_machine_set(m, text[i], err) == WS_OK;
	return ok && ws_machine_check(m, err) == WS_OK;
}

/* ---- the slow way ------------------------------------------------------------------ */

static uint64_t remainder_gf2(uint64_t dividend, uint64_t polynomial, unsigned degree)
{
	for (unsigned bit = 63; bit >= degree; bit--) {
		if (dividend >> bit & 1)
			dividend ^= polynomial << (bit - degree);
	}
	return dividend;
}

static uint64_t slow_slice(const char *hash, uint64_t slices, uint64_t block)
{
	static const struct {
		unsigned polynomial, reach;
	} ipoly[] = { { 0, 0 }, { 0x3, 25 }, { 0x7, 25 }, { 0xb, 25 }, { 0x13, 17 }, { 0x25, 20 },
		      { 0x43, 25 } };
	unsigned degree = 0;
	uint64_t group;

	if (slices == 1)
		return 0;
	if (strcmp(hash, "modulo") == 0)
		return block % slices;
	if (strcmp(hash, "xor") == 0)
		return block % slices ^ block / slices % slices;
	while (slices % (2u << degree) == 0)
		degree++;
	group = block / (1u << degree);
	if (strcmp(hash, "ipoly-skew") == 0)
		group += remainder_gf2(block / slices % (1u << 25), 0x1053, 12);
	return group % (slices >> degree) * (1u << degree) +
	       (degree ? remainder_gf2(block % (1ull << ipoly[degree].reach),
				       ipoly[degree].polynomial, degree) : 0);
}

static uint64_t slow_local(uint64_t slices, uint64_t interleave, uint64_t addr)
{
	return addr / (interleave * slices) * interleave + addr % interleave;
}

/* slice, local and whole index of an address are what division says. */
static bool equals_slow(const struct ws_machine *m, const struct ws_cache *whole,
			const char *hash, uint64_t addr)
{
	uint64_t slices = m->l2_slices, interleave = m->l2_interleave_bytes;
	uint64_t slice = slow_slice(hash, slices, addr / interleave);
	uint64_t local = slices == 1 ? addr : slow_local(slices, interleave, addr);

	return ws_l2_slice(m, addr) == slice && ws_l2_local(m, addr) == local &&
	       ws_set_index(whole, addr) == slice * m->l2.sets + ws_set_index(&m->l2, local);
}

/* ---- properties ----------------------------------------------------------------------- */

/* Lines of RUNS runs from `first` on: counts those whose place is taken, or out of range, or not
 * what the slow way says; and whether slices have equal shares. */
static unsigned wrong_lines(const struct ws_machine *m, const char *hash, uint64_t first)
{
	static unsigned char seen[SLICES_MAX][RUNS * BLOCK_MAX / LINE];
	struct ws_cache whole = ws_l2_whole(m);
	uint64_t run = m->l2_slices * m->l2_interleave_bytes;
	uint64_t from = first * run, place0 = first * m->l2_interleave_bytes;
	uint64_t places = RUNS * m->l2_interleave_bytes / LINE, count[SLICES_MAX] = { 0 };
	unsigned wrong = 0;

	memset(seen, 0, sizeof seen);
	for (uint64_t addr = from; addr < from + RUNS * run; addr += LINE) {
		uint64_t slice = ws_l2_slice(m, addr), local = ws_l2_local(m, addr);
		uint64_t place = (local - place0) / LINE;
		bool fine = slice < m->l2_slices && local >= place0 && place < places &&
			    local % LINE == 0 && !seen[slice][place] &&
			    ws_set_index(&whole, addr) < whole.sets &&
			    ws_set_index(&whole, addr + LINE - 1) == ws_set_index(&whole, addr) &&
			    equals_slow(m, &whole, hash, addr);

		wrong += !fine;
		if (fine) {
			seen[slice][place] = 1;
			count[slice]++;
		}
	}
	for (uint64_t i = 0; i < m->l2_slices; i++)
		wrong += count[i] != places;
	return wrong;
}

static bool whole_is_all(const struct ws_machine *m)
{
	struct ws_cache whole = ws_l2_whole(m);

	return whole.sets == m->l2.sets * m->l2_slices && whole.slices == m->l2_slices &&
	       whole.size_bytes == m->l2.size_bytes && whole.ways == m->l2.ways;
}

static void one(const char *hash, unsigned slices, unsigned interleave, struct ws_rng *rng)
{
	/* A set hash and a number of sets that it takes, by turns. */
	static const struct {
		const char *hash;
		unsigned sets;
	} within[] = { { "modulo", 96 }, { "ipoly", 32 },     { "ipoly", 48 }, { "xor", 64 },
		       { "fermi", 32 },  { "bits:9-14", 16 }, { "modulo", 1 },
		       { "matrix:a080/100/4200/400/800/21000", 48 } };
	bool defined = strcmp(hash, "xor") != 0 || ws_is_pow2(slices);
	struct ws_machine m;
	struct ws_err err;

	for (size_t i = 0; i < WS_COUNT(within); i++) {
		bool made = make(&m, hash, slices, interleave, within[i].hash, within[i].sets,
				 &err);
		unsigned wrong = 0;

		if (!defined) {
			test_ok(!made && strstr(err.text, "l2.slice-hash = ") &&
				strstr(err.text, "l2.slices = "), "%s", err.text);
			return;
		}
		if (made) {
			uint64_t first = i < 2 ? 0 : ws_rng_below(rng, 1ull << 30);
			struct ws_cache whole = ws_l2_whole(&m);

			wrong = wrong_lines(&m, hash, first) + !whole_is_all(&m);
			for (unsigned n = 0; n < 200; n++)
				wrong += !equals_slow(&m, &whole, hash, ws_rng_u64(rng));
		}
		test_ok(made && wrong == 0, "%s of %u slices, blocks of %u, %s of %u sets: %u "
			"wrong %s", hash, slices, interleave, within[i].hash, within[i].sets, wrong,
			err.text);
	}
}

/* ---- known answers, and what is refused --------------------------------------------------- */

/* GTX 480: twelve slices, 256 bytes each in turn. */
static void by_hand(void)
{
	static const unsigned rows[][4] = { /* address, slice, local address, set of 64 */
		{ 0, 0, 0, 0 }, { 255, 0, 255, 1 }, { 256, 1, 0, 0 }, { 2816, 11, 0, 0 },
		{ 3072, 0, 256, 2 }, { 3072 + 256 + 130, 1, 256 + 130, 3 },
		{ 32 * 3072, 0, 8192, 0 },
	};
	struct ws_cache whole = ws_l2_whole(&gtx);

	for (size_t i = 0; i < WS_COUNT(rows); i++) {
		test_u64(ws_l2_slice(&gtx, rows[i][0]), rows[i][1], "slice");
		test_u64(ws_l2_local(&gtx, rows[i][0]), rows[i][2], "local");
		test_u64(ws_set_index(&whole, rows[i][0]), rows[i][1] * 64 + rows[i][3], "set");
	}
}

static void refused(void)
{
	static const char *const rows[][2] = {
		{ "l2.interleave=64", "l2.interleave = 64: want l2.line = 128 or more" },
		{ "l2.line=512", "l2.interleave = 256: want l2.line = 512 or more" },
		{ "l2.interleave=384", "l2.interleave = 384: want a power of two" },
		{ "l2.slice-hash=xor", "l2.slice-hash = xor is defined for a power of two of "
		  "slices, and l2.slices = 12: want modulo" },
		{ "l2.slice-hash=ipoly", NULL }, { "l2.slice-hash=ipoly-skew", NULL },
		{ "l2.slices=8192 l2.slice-hash=ipoly dram.channels=0", "l2.slice-hash = ipoly is "
		  "defined for 1..4096 times an odd number of slices, and l2.slices = 8192" },
		{ "l2.slices=7", NULL }, { "dram.channels=24", NULL },
		{ "dram.channels=12", NULL }, { "dram.channels=0 l2.slices=7", NULL },
		{ "l2.slices=8192 l2.slice-hash=xor dram.channels=1", NULL },
		{ "l2.slices=1 l2.slice-hash=ipoly dram.channels=1", NULL },
		{ "l2.line=1024 l2.interleave=1024", NULL },
	};

	for (size_t i = 0; i < WS_COUNT(rows); i++) {
		struct ws_err err = { .status = WS_OK };
		struct ws_machine m = gtx;
		char list[128], *save = NULL;
		bool ok = true;

		snprintf(list, sizeof list, "%s", rows[i][0]);
		for (char *set = strtok_r(list, " ", &save); ok && set;
		     set = strtok_r(NULL, " ", &save))
			ok = ws_machine_set(&m, set, &err) == WS_OK;
		ok = ok && ws_machine_check(&m, &err) == WS_OK;
		test_ok(rows[i][1] ? !ok && strstr(err.text, rows[i][1]) : ok, "%s: %s", rows[i][0],
			err.text);
	}
}

/* Both ways and the slice make l2.latency, as far as a cycle each way allows. */
static void latencies(void)
{
	/* l2.latency, icnt.latency, l1.mshr.latency, one way, slice, behind a router */
	static const unsigned rows[][6] = {
		{ 120, 0, 0, 30, 60, 104 }, { 120, 50, 0, 50, 20, 104 }, { 120, 70, 0, 70, 0, 104 },
		{ 3, 0, 0, 1, 1, 1 }, { 0, 0, 0, 1, 0, 1 }, { 189, 0, 0, 47, 95, 173 },
		{ 189, 0, 2, 47, 93, 171 }, { 120, 50, 21, 50, 0, 83 },
	};

	for (size_t i = 0; i < WS_COUNT(rows); i++) {
		struct ws_machine m = gtx;

		m.l2.latency_cycles = rows[i][0];
		m.icnt_latency_cycles = rows[i][1];
		m.l1_mshr_cycles = rows[i][2];
		test_u64(ws_icnt_cycles(&m), rows[i][3], "one way");
		test_u64(ws_l2_cycles(&m), rows[i][4], "the slice");
		test_u64(ws_router_wait_cycles(&m), rows[i][5], "behind a router");
	}
}

static void channels(void)
{
	static const unsigned rows[][3] = { /* l2.slices, dram.channels, channels */
		{ 12, 6, 6 }, { 12, 0, 12 }, { 7, 6, 1 }, { 8, 6, 2 }, { 12, 24, 12 }, { 1, 5, 1 },
	};

	for (size_t i = 0; i < WS_COUNT(rows); i++) {
		struct ws_machine m = gtx;

		m.l2_slices = rows[i][0];
		m.dram_channels = rows[i][1];
		test_u64(ws_dram_channels(&m), rows[i][2], "channels");
	}
}

int main(void)
{
	struct ws_rng rng;

	setenv("WARPSTACK_DATA", "data", 1);
	ws_rng_seed(&rng, test_seed(64));
	test_ok(ws_machine_load(&gtx, "gtx480", NULL) == WS_OK, "gtx480 loads");
	by_hand();
	refused();
	latencies();
	channels();
	for (size_t h = 0; h < WS_COUNT(hashes); h++) {
		for (size_t s = 0; s < WS_COUNT(slice_counts); s++) {
			for (size_t i = 0; i < WS_COUNT(interleaves); i++)
				one(hashes[h], slice_counts[s], interleaves[i], &rng);
		}
	}
	return test_done();
}
