/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/stackdist/b-stack.c -- what a stack distance costs: 2M requests each
 * of three streams, per write policy and set count, beside the textbook tree
 * of tests/ref/fenwick.h (which treats every request as a load and knows one
 * set) on the same stream in the same run.
 */
#include "tests/ref/fenwick.h"
#include "tests/test.h"

#include "stackdist/stackdist.h"

#define ACCESSES 2000000u
#define BATCH 4096u

/* Ranks of a zipf law over 2^20 lines, by inversion of its continuous form
 * with exponent 1: rank = lines^u; spread over addresses by an odd factor. */
static void zipf(struct ws_request *r, struct ws_rng *rng)
{
	for (size_t i = 0; i < ACCESSES; i++) {
		uint64_t rank = (uint64_t)exp2(20 * ws_rng_double(rng));

		r[i].address = (rank * 0x9e3779b1u & 0xfffff) * 128;
	}
}

static void sweep(struct ws_request *r, struct ws_rng *rng)
{
	(void)rng;
	for (size_t i = 0; i < ACCESSES; i++)
		r[i].address = i % 200000 * 128;
}

/* C = A * B, 1024 x 1024 floats, 16 x 16 tiles, 48 warps in turn: each warp of
 * two tile rows loads a line of A, one of B, and every 16 steps stores to C. */
static void tiled(struct ws_request *r, struct ws_rng *rng)
{
	size_t n = 0;

	(void)rng;
	for (uint64_t step = 0; n + 3 <= ACCESSES; step++)
		for (uint64_t warp = 0; warp < 48 && n + 3 <= ACCESSES; warp++) {
			uint64_t tile = step / 64 * 6 + warp / 8, row = warp % 8 * 2;
			uint64_t y = tile / 64 % 64 * 16 + row, x = tile % 64 * 16, k = step % 64;

			r[n++].address = ((y * 1024 + k * 16) * 4) & ~127ull;
			r[n++].address = (1 << 22 | ((k * 16 + row) * 1024 + x) * 4) & ~127ull;
			if (k % 16 == 15) {
				r[n].kind = WS_STORE;
				r[n++].address = (1 << 23 | (y * 1024 + x) * 4) & ~127ull;
			}
		}
	for (; n < ACCESSES; n++)
		r[n].address = r[n - 1].address;
}

static double textbook(const struct ws_request *r, uint32_t *d)
{
	struct ref_fenwick *f = ref_fenwick_new();
	double start = ws_seconds();

	for (size_t i = 0; i < ACCESSES; i += BATCH)
		ref_fenwick_push(f, r + i, ACCESSES - i < BATCH ? ACCESSES - i : BATCH, d);
	start = ws_seconds() - start;
	ref_fenwick_free(f);
	return start;
}

static double library(const struct ws_cache *c, const struct ws_request *r, uint32_t *d)
{
	struct ws_stack *s = NULL;
	double start = ws_seconds();
	bool ok = !ws_stack_new(&s, c, NULL);

	for (size_t i = 0; ok && i < ACCESSES; i += BATCH)
		ok = !ws_stack_push(s, r + i, ACCESSES - i < BATCH ? ACCESSES - i : BATCH, d,
				    NULL);
	start = ws_seconds() - start;
	ws_stack_free(s);
	return ok ? start : -1;
}

static const struct {
	const char *name;
	enum ws_write write;
	uint64_t sets, sector;
} run[] = {
	{ "lru", WS_WRITE_BACK, 1, 128 },
	{ "lru-32-sets", WS_WRITE_BACK, 32, 128 },
	{ "lru-sectored", WS_WRITE_BACK, 1, 32 },
	{ "write-evict", WS_WRITE_EVICT, 1, 128 },
	{ "write-through", WS_WRITE_THROUGH, 1, 128 },
};

static bool stream(const char *name, void (*make)(struct ws_request *r, struct ws_rng *rng))
{
	struct ws_request *r = ws_alloc_zero(ACCESSES, sizeof(*r));
	uint32_t *d = ws_alloc(BATCH, sizeof(*d));
	struct ws_rng rng;
	double base = 0;
	bool ok = r && d;

	if (ok) {
		ws_rng_seed(&rng, 1);
		make(r, &rng);
		for (size_t i = 0; i < ACCESSES; i++)
			r[i].sectors = 15;
		base = textbook(r, d);
	}
	for (size_t i = 0; ok && i < WS_COUNT(run); i++) {
		struct ws_cache c = { .sets = run[i].sets, .line_bytes = 128,
				      .sector_bytes = run[i].sector, .write = run[i].write,
				      .hash = ws_hash_find("modulo") };
		double seconds = library(&c, r, d);

		ok = seconds >= 0;
		printf("{\"name\": \"stack/%s/%s\", \"ns_per_access\": %.1f, \"accesses\": %u, "
		       "\"ratio_to_fenwick\": %.3f}\n", name, run[i].name,
		       seconds * 1e9 / ACCESSES, ACCESSES, seconds / base);
	}
	free(r);
	free(d);
	return ok;
}

int main(void)
{
	return !(stream("zipf", zipf) && stream("sweep", sweep) && stream("tiled", tiled));
}
