/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/validate/t-pchase-walk.c -- walks over arrays: what is derived is what a machine answers,
 * and the P100's L1 shows what was measured of it.
 */
#include "tests/test.h"
#include "validate/pchase.h"

#define WALKS 400u
#define WORD 4u

static struct ws_rng rng;

static uint64_t pick(uint64_t low, uint64_t high)
{
	return low + ws_rng_below(&rng, high - low + 1);
}

static bool set_keys(struct ws_machine *m, const char *name, char *keys)
{
	struct ws_err err = { 0 };
	char *save, *key;
	bool good = ws_machine_load(m, name, &err) == WS_OK;

	for (key = strtok_r(keys, ";", &save); key && good; key = strtok_r(NULL, ";", &save))
		good = ws_machine_set(m, key, &err) == WS_OK;
	return good && ws_machine_check(m, &err) == WS_OK;
}

/* Small enough for walks that overflow both levels. */
static void draw_machine(struct ws_machine *m, char *text, size_t len)
{
	static const char *const hashes[] = { "modulo", "xor", "bits:8-20", "matrix:180/700" };
	char copy[512];

	do {
		uint64_t line = 32ull << pick(0, 2), l2_line = 32ull << pick(0, 2);

		snprintf(text, len, "l1.line=%" PRIu64 ";l1.sector=%" PRIu64 ";l1.sets=%" PRIu64
			 ";l1.ways=%" PRIu64 ";l1.hash=%s;l2.line=%" PRIu64 ";l2.sector=32;"
			 "l2.slices=%" PRIu64 ";l2.sets=%" PRIu64 ";l2.ways=%" PRIu64
			 ";l2.hash=modulo;l2.interleave=256;l2.slice-hash=modulo;l1.policy=lru",
			 line, pick(0, 1) ? 32 : line, (uint64_t)4, pick(1, 12),
			 hashes[pick(0, 3)], l2_line, pick(1, 3), pick(1, 8), pick(1, 9));
		if (pick(0, 3) == 0)
			snprintf(strstr(text, "l1.ways="), 80, "l1.sets.ways=%" PRIu64 "+2x%" PRIu64
				 "+4;l1.policy=lru", pick(1, 9), pick(1, 9));
		snprintf(copy, sizeof copy, "%s", text);
	} while (!set_keys(m, "gtx480", copy));
}

/* Misses of the L1 and the latencies' sum of the second pass, load by load. */
static bool walk_twice(const struct ws_machine *m, const struct ws_chase_point *w,
		       uint64_t *misses, double *sum)
{
	uint64_t pass = (w->array - 1) / w->stride + 1, count = pass + w->loads;
	uint64_t *offset = ws_alloc((size_t)count, sizeof *offset);
	double *cycles = ws_alloc((size_t)count, sizeof *cycles);
	struct ws_chase_target target = { 0 };
	struct ws_err err = { 0 };
	bool good = offset && cycles && ws_chase_machine(&target, m, NULL, &err) == WS_OK;

	for (uint64_t i = 0; i < count && good; i++)
		offset[i] = i % pass * w->stride;
	good = good && target.run(target.state, offset, (size_t)count, true, cycles, &err) == WS_OK;
	*misses = 0;
	*sum = 0;
	for (uint64_t i = pass; i < count && good; i++) {
		*misses += cycles[i] > (double)m->l1.latency_cycles;
		*sum += cycles[i];
	}
	ws_chase_close(&target);
	free(offset);
	free(cycles);
	return good;
}

static void derived_is_simulated(void)
{
	uint64_t wrong = 0;
	char text[512], first[600] = "";

	for (unsigned i = 0; i < WALKS; i++) {
		struct ws_chase_point w = { .array = pick(1, 1u << pick(5, 15)) };
		struct ws_chase_answer answer;
		struct ws_machine m;
		struct ws_err err = { 0 };
		uint64_t misses;
		double sum;

		draw_machine(&m, text, sizeof text);
		w.stride = pick(0, 1) ? 32 : pick(1, 300);
		w.loads = pick(1, (w.array - 1) / w.stride + 1);
		if (ws_chase_answer(&answer, &m, &w, 1, &err) == WS_OK &&
		    answer.basis == WS_EXACT && walk_twice(&m, &w, &misses, &sum) &&
		    fabs(answer.miss_ratio * (double)w.loads - (double)misses) < 1e-6 &&
		    fabs(answer.cycles * (double)w.loads - sum) < 1e-3)
			continue;
		if (!wrong++)
			snprintf(first, sizeof first, "%s array %" PRIu64 " stride %" PRIu64, text,
				 w.array, w.stride);
	}
	test_ok(wrong == 0, "%" PRIu64 " of %u walks are not as simulated %s", wrong, WALKS, first);
}

static void others_are_simulated(void)
{
	struct ws_chase_point w = { .array = 20000, .stride = 128 };
	struct ws_chase_answer answer;
	struct ws_machine m;
	struct ws_err err = { 0 };
	uint64_t misses;
	double sum;

	w.loads = 157;
	test_ok(set_keys(&m, "gtx480", (char[]){ "l1.policy=fifo;l1.hash=modulo" }) &&
		ws_chase_answer(&answer, &m, &w, 1, &err) == WS_OK &&
		answer.basis == WS_SIMULATED && walk_twice(&m, &w, &misses, &sum) &&
		fabs(answer.miss_ratio - (double)misses / 157) < 1e-9 &&
		fabs(answer.cycles - sum / 157) < 1e-9, "FIFO is simulated: %s", err.text);
	w.loads = 300;
	test_ok(set_keys(&m, "gtx480", (char[]){ "" }) &&
		ws_chase_answer(&answer, &m, &w, 1, &err) == WS_OK &&
		answer.basis == WS_SIMULATED, "so are two passes");
	w = (struct ws_chase_point){ .stride = 12, .loads = 63 };
	test_ok(ws_chase_answer(&answer, &m, &w, 1, &err) == WS_OK &&
		set_keys(&m, "p100", (char[]){ "" }) &&
		ws_chase_answer(&answer, &m, &w, 1, &err) == WS_OK &&
		fabs(answer.miss_ratio - 23 / 63.0) < 1e-9, "fresh memory: every new sector");
	w = (struct ws_chase_point){ .array = 1ull << 40, .stride = 1 };
	test_ok(ws_chase_answer(&answer, &m, &w, 1, &err) == WS_EINVAL, "%s", err.text);
}

/* ---- the P100 ---------------------------------------------------------------------------
 *
 * The texture L1 as its pointer chase showed it: the first miss with 6145 words, seven hits after
 * each miss, 4 sets of 192 lines, a set having words 1 to 32 and 129 to 160 of the array, and so
 * on; one line more misses a whole set's lines, 6248 words all of them. */

#define FITS 6144u

static uint64_t p100_misses(const struct ws_machine *m, uint64_t words, uint64_t stride)
{
	struct ws_chase_point w = { .array = words * WORD, .stride = stride * WORD };
	struct ws_chase_answer answer;
	struct ws_err err = { 0 };
	uint64_t pass = (words - 1) / stride + 1;

	if (ws_chase_answer(&answer, m, &w, 1, &err) != WS_OK || answer.basis != WS_EXACT)
		return UINT64_MAX;
	return (uint64_t)llround(answer.miss_ratio * (double)pass);
}

static void p100_misses_as_measured(const struct ws_machine *m)
{
	test_u64(p100_misses(m, FITS, 1), 0, "P100: 6144 words fit");
	test_u64(p100_misses(m, FITS + 1, 1), 193, "P100: one more, and a set's lines miss");
	test_u64(p100_misses(m, FITS, 8), 0, "P100: in steps of a line they fit, too");
	for (unsigned set = 1; set <= 4; set++)
		test_u64(p100_misses(m, FITS + 32 * (set - 1) + 8, 8), 193 + 196ull * (set - 1),
			 "P100: a line more of each set");
	test_u64(p100_misses(m, 6248, 8), 6248 / 8, "P100: with 6248 words nothing hits");
}

/* Seven hits after each miss: lines of eight words. */
static void p100_line(const struct ws_machine *m)
{
	static uint64_t offset[3 * (FITS + 1)];
	static double cycles[3 * (FITS + 1)];
	struct ws_chase_target target;
	struct ws_err err = { 0 };
	uint64_t misses = 0, wrong = 0;

	for (size_t i = 0; i < WS_COUNT(offset); i++)
		offset[i] = i % (FITS + 1) * WORD;
	if (!test_ok(ws_chase_machine(&target, m, NULL, &err) == WS_OK &&
		     target.run(target.state, offset, WS_COUNT(offset), true, cycles, &err) ==
		     WS_OK, "P100: a walk"))
		return;
	ws_chase_close(&target);
	for (size_t i = FITS + 1; i < WS_COUNT(offset); i++) {
		if (cycles[i] <= (double)m->l1.latency_cycles)
			continue;
		misses++;
		if (offset[i] == FITS * WORD) /* the last line of the array has one word */
			continue;
		for (size_t k = 1; k < 8; k++)
			wrong += cycles[i + k] > (double)m->l1.latency_cycles;
		wrong += offset[i] % 32 != 0;
	}
	test_u64(misses, 2 * 193, "P100: misses of two passes over 6145 words");
	test_u64(wrong, 0, "P100: words that miss within seven after a miss");
}

/* The table of sets: word, from 1, of the first of each line. */
static void p100_sets(const struct ws_machine *m)
{
	static const unsigned first[4][6] = {
		{ 1, 9, 17, 25, 129, 2969 }, { 33, 41, 49, 57, 161, 3001 },
		{ 65, 73, 81, 89, 193, 3033 }, { 97, 105, 113, 121, 225, 3065 },
	};
	uint64_t lines[4] = { 0 };

	for (unsigned set = 0; set < 4; set++)
		for (unsigned i = 0; i < 6; i++)
			test_u64(ws_set_index(&m->l1, (first[set][i] - 1) * WORD), set,
				 "P100: the set of a line");
	for (uint64_t at = 0; at < FITS * WORD; at += 32)
		lines[ws_set_index(&m->l1, at)]++;
	for (unsigned set = 0; set < 4; set++)
		test_u64(lines[set], 192, "P100: lines of a set");
}

/* ---- shared memory ----------------------------------------------------------------------- */

/* Thirty-two threads, thirty-two banks of four bytes: as many turns as the greatest common divisor
 * of 32 and the stride in words. */
static void banks(const struct ws_machine *m)
{
	uint64_t address[32], wrong = 0;

	for (uint64_t words = 1; words <= 200; words++) {
		uint64_t a = words, b = 32;

		while (b) {
			uint64_t rest = a % b;

			a = b;
			b = rest;
		}
		wrong += ws_chase_stride_turns(m, words * WORD) != a;
	}
	test_u64(wrong, 0, "strides whose turns are not gcd(32, words)");
	test_u64(ws_chase_stride_turns(m, 0), 1, "all threads load one word");
	for (size_t t = 0; t < 32; t++)
		address[t] = t % 2 ? 128 * (t / 4) : 4 * t; /* 0, 128, 256, ...: one bank */
	test_u64(ws_chase_turns(m, address, 32), 8, "rows of a bank, each once");
	test_abs(ws_chase_shared_cycles(m, 8), (double)(m->shared_latency_cycles +
		 7 * m->shared_conflict_cycles), 0, "their latency");
}

int main(void)
{
	struct ws_machine p100;

	ws_rng_seed(&rng, test_seed(1));
	derived_is_simulated();
	others_are_simulated();
	if (test_ok(set_keys(&p100, "p100", (char[]){ "" }), "preset p100")) {
		p100_misses_as_measured(&p100);
		p100_line(&p100);
		p100_sets(&p100);
		banks(&p100);
	}
	return test_done();
}
