/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/stackdist/bench.h -- the streams that benchmarks run on, always the same.
 */
#ifndef WS_TEST_BENCH_H
#define WS_TEST_BENCH_H

#include <math.h>

#include "stackdist/stackdist.h"
#include "tests/test.h"

struct bench_stream {
	const char *name;
	void (*fill)(struct ws_request *r, size_t count, struct ws_rng *rng);
};

/* Ranks of a zipf law over 2^20 lines, by inversion of its continuous form
 * with exponent 1: rank = lines^u; spread over addresses by an odd factor. */
static inline void bench_zipf(struct ws_request *r, size_t count, struct ws_rng *rng)
{
	for (size_t i = 0; i < count; i++) {
		uint64_t rank = (uint64_t)exp2(20 * ws_rng_double(rng));

		r[i].address = (rank * 0x9e3779b1u & 0xfffff) * 128;
	}
}

static inline void bench_cyclic(struct ws_request *r, size_t count, struct ws_rng *rng)
{
	(void)rng;
	for (size_t i = 0; i < count; i++)
		r[i].address = i % 200000 * 128;
}

/* C = A * B, 1024 x 1024 floats, 16 x 16 tiles, 48 warps in turn: each warp of
 * two tile rows loads a line of A, one of B, and every 16 steps stores to C. */
static inline void bench_matmul(struct ws_request *r, size_t count, struct ws_rng *rng)
{
	size_t n = 0;

	(void)rng;
	for (uint64_t step = 0; n + 3 <= count; step++)
		for (uint64_t warp = 0; warp < 48 && n + 3 <= count; warp++) {
			uint64_t tile = step / 64 * 6 + warp / 8, row = warp % 8 * 2;
			uint64_t y = tile / 64 % 64 * 16 + row, x = tile % 64 * 16, k = step % 64;

			r[n++].address = ((y * 1024 + k * 16) * 4) & ~127ull;
			r[n++].address = (1 << 22 | ((k * 16 + row) * 1024 + x) * 4) & ~127ull;
			if (k % 16 == 15) {
				r[n].kind = WS_STORE;
				r[n++].address = (1 << 23 | (y * 1024 + x) * 4) & ~127ull;
			}
		}
	for (; n < count; n++)
		r[n].address = r[n - 1].address;
}

static const struct bench_stream bench_streams[] = {
	{ "zipf", bench_zipf },
	{ "cyclic", bench_cyclic },
	{ "matmul", bench_matmul },
};

/* One request a cycle, all sectors; the whole of r is written. */
static inline void bench_fill(const struct bench_stream *s, struct ws_request *r, size_t count)
{
	struct ws_rng rng;

	ws_rng_seed(&rng, 1);
	for (size_t i = 0; i < count; i++)
		r[i] = (struct ws_request){ .cycle = i, .sectors = 15 };
	s->fill(r, count, &rng);
}

#endif
