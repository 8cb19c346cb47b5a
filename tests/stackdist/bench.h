/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/stackdist/bench.h -- the streams that benchmarks run on, always the same; tests of
 * sampling use them too.
 */
#ifndef WS_TEST_BENCH_H
#define WS_TEST_BENCH_H

#include <math.h>

#include "stackdist/stackdist.h"
#include "tests/test.h"

/* Ranks of a zipf law over 2^bits lines, by inversion of its continuous form
 * with exponent 1: rank = lines^u; spread over addresses by an odd factor. */
static inline void bench_zipf(struct ws_request *r, size_t count, unsigned bits, uint64_t seed)
{
	struct ws_rng rng;

	ws_rng_seed(&rng, seed);
	for (size_t i = 0; i < count; i++) {
		uint64_t rank = (uint64_t)exp2(bits * ws_rng_double(&rng));

		r[i].address = (rank * 0x9e3779b1u & ((1u << bits) - 1)) * 128;
	}
}

static inline void bench_cyclic(struct ws_request *r, size_t count, uint64_t lines)
{
	for (size_t i = 0; i < count; i++)
		r[i].address = i % lines * 128;
}

/* C = A * B, 1024 x 1024 floats, 16 x 16 tiles, 48 warps in turn: each warp of
 * two tile rows loads a line of A, one of B, and every 16 steps stores to C. */
static inline void bench_matmul(struct ws_request *r, size_t count)
{
	size_t n = 0;

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

enum bench_stream { BENCH_ZIPF, BENCH_CYCLIC, BENCH_MATMUL, BENCH_STREAMS };
static const char *const bench_names[BENCH_STREAMS] = { "zipf", "cyclic", "matmul" };

/* The three streams.  One request a cycle, all sectors; the whole of r is written. */
static inline void bench_fill(enum bench_stream stream, struct ws_request *r, size_t count)
{
	for (size_t i = 0; i < count; i++)
		r[i] = (struct ws_request){ .cycle = i, .sectors = 15 };
	if (stream == BENCH_ZIPF)
		bench_zipf(r, count, 20, 1);
	else if (stream == BENCH_CYCLIC)
		bench_cyclic(r, count, 200000);
	else
		bench_matmul(r, count);
}

#endif
