/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/stackdist/t-bounded.c -- stack distances up to a depth: those of the exact stack
 * below the depth, COLD else, by every kind of instructions that this processor has.
 */
#include "tests/test.h"

#include "stackdist/stack/bounded.h"
#include "tests/stackdist/stream.h"

#define COUNT 3000u

static const char *const simd_names[] = { "portable", "AVX2", "AVX-512" };

static uint32_t cut(uint32_t distance)
{
	return distance == WS_DISTANCE_UNCACHED || distance < WS_BOUNDED_DEPTH ? distance :
										 WS_DISTANCE_COLD;
}

static bool exact(const struct ws_cache *c, const struct ws_request *r, size_t n, uint32_t *d)
{
	struct ws_stack *s = NULL;
	bool ok = !ws_stack_new(&s, c, 1, NULL) && !ws_stack_push(s, r, n, d, NULL);

	ws_stack_free(s);
	for (size_t i = 0; ok && i < n; i++)
		d[i] = cut(d[i]);
	return ok;
}

/* In two pushes; 1: right, 0: wrong, -1: there are no such instructions. */
static int push(const struct ws_cache *c, enum ws_simd simd, const struct ws_request *r, size_t n,
		const uint32_t *want)
{
	static uint32_t got[COUNT];
	struct ws_bounded *b = NULL;
	int result = 0;

	memset(got, 0, sizeof(got));
	if (ws_bounded_new(&b, c, NULL))
		return 0;
	if (!ws_bounded_push_by(b, simd, r, n / 3, got) ||
	    !ws_bounded_push_by(b, simd, r + n / 3, n - n / 3, got + n / 3))
		result = -1;
	else
		result = !memcmp(got, want, n * sizeof *got);
	ws_bounded_free(b);
	if (result == 0)
		stream_print(c, r, 0);
	return result;
}

static void at_random(uint64_t seed, enum ws_simd simd)
{
	static struct ws_request r[COUNT];
	static uint32_t want[COUNT];
	int streams = 0, result = 1;
	struct ws_rng rng;

	ws_rng_seed(&rng, seed);
	for (; streams < 200 && result == 1; streams += result == 1) {
		struct ws_cache c = stream_cache(&rng);
		unsigned lines = 2 + (unsigned)ws_rng_below(&rng, 60 * c.sets);
		size_t n = 1 + ws_rng_below(&rng, COUNT);

		c.write = WS_WRITE_BACK;
		c.sector_bytes = c.line_bytes;
		stream_fill(&rng, &c, lines, 4, ws_rng_below(&rng, 2) ? 1 : 0, r, n);
		result = exact(&c, r, n, want) ? push(&c, simd, r, n, want) : 0;
	}
	if (result < 0)
		test_skip(simd_names[simd], "not on this processor");
	else
		test_ok(result, "%s: %d random streams as by the exact stack", simd_names[simd],
			streams);
}

/* A cycle of one line less than, as many as, and one more than the depth. */
static void edges(enum ws_simd simd)
{
	static struct ws_request r[COUNT];
	static uint32_t want[COUNT];
	struct ws_cache c = { .sets = 1, .line_bytes = 128, .sector_bytes = 128,
			      .hash = ws_hash_find("modulo") };

	for (uint32_t lines = WS_BOUNDED_DEPTH - 1; lines <= WS_BOUNDED_DEPTH + 1; lines++) {
		int result;

		for (uint32_t i = 0; i < COUNT; i++) {
			r[i].address = (uint64_t)(i % lines) * 128;
			want[i] = cut(i < lines ? WS_DISTANCE_COLD : lines - 1);
		}
		result = push(&c, simd, r, COUNT, want);
		if (result >= 0)
			test_ok(result, "%s: a cycle of %u", simd_names[simd], lines);
	}
}

int main(void)
{
	uint64_t seed = test_seed(7101);
	struct ws_cache none = { .line_bytes = 128, .sector_bytes = 128 };
	struct ws_bounded *b = NULL;
	struct ws_err err = { 0 };

	for (unsigned simd = WS_SIMD_NONE; simd <= WS_SIMD_AVX512; simd++) {
		at_random(seed, (enum ws_simd)simd);
		edges((enum ws_simd)simd);
	}
	test_ok(ws_bounded_new(&b, &none, &err) == WS_EINVAL && !b, "no sets: %s", err.text);
	ws_bounded_free(NULL);
	return test_done();
}
