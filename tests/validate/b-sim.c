/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Time per request of the exact simulator (and, with it, of full LRU and the
 * infinite cache), LRU, on 2 M requests, 500 k where a set has many ways: lines by
 * Zipf's law with exponent 1 over 65536 lines in scattered places, a fifth
 * of them stores.
 */
#include "tests/validate/stream.h"

#define REQUESTS 2000000u
#define REQUESTS_MANY_WAYS 500000u
#define LINES 65536u

static size_t rank_of(const double *sum, double u)
{
	size_t low = 0, high = LINES - 1;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (sum[middle] < u)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static bool zipf(struct ws_request *r, const struct ws_cache *c)
{
	double *sum = ws_alloc(LINES, sizeof *sum), total = 0;
	struct ws_rng rng;

	if (!sum)
		return false;
	ws_rng_seed(&rng, 1);
	for (size_t i = 0; i < LINES; i++)
		sum[i] = total += 1 / (double)(i + 1);
	for (size_t i = 0; i < REQUESTS; i++) {
		uint64_t rank = rank_of(sum, ws_rng_double(&rng) * total);
		/* An odd factor permutes the ranks over the lines. */
		uint64_t line = rank * 40503 % LINES;

		r[i] = request_make(c, ws_rng_below(&rng, 5) ? WS_LOAD : WS_STORE, line,
				    1u << ws_rng_below(&rng, 4));
	}
	free(sum);
	return true;
}

static int bench(const struct ws_cache *c, const struct ws_request *r)
{
	struct ws_counts kind[WS_KINDS + 1];
	size_t count = c->ways > 1000 ? REQUESTS_MANY_WAYS : REQUESTS;
	struct ws_sim *sim;
	double start, ns;

	if (ws_sim_new(&sim, c, NULL))
		return 1;
	start = ws_seconds();
	if (ws_sim_push(sim, r, count, NULL)) {
		ws_sim_free(sim);
		return 1;
	}
	ns = (ws_seconds() - start) * 1e9 / (double)count;
	ws_sim_counts(sim, kind);
	printf("{\"bench\": \"sim\", \"cache\": \"%" PRIu64 "x%" PRIu64 " sector %" PRIu64 " %s\", "
	       "\"ns_per_request\": %.1f, \"miss_ratio\": %.6f}\n", c->sets, c->ways,
	       c->sector_bytes, write_names[c->write], ns,
	       ws_miss_ratio(&kind[WS_KINDS], false));
	ws_sim_free(sim);
	return 0;
}

int main(void)
{
	const struct ws_cache caches[] = {
		cache_make(32, 4, 128, 128, "modulo", WS_WRITE_EVICT),
		cache_make(32, 4, 128, 32, "modulo", WS_WRITE_THROUGH),
		cache_make(64, 6, 128, 128, "fermi", WS_WRITE_EVICT),
		cache_make(1, 4096, 128, 128, "modulo", WS_WRITE_EVICT),
		cache_make(1, 4096, 128, 128, "modulo", WS_WRITE_THROUGH),
	};
	struct ws_request *r = ws_alloc(REQUESTS, sizeof *r);
	int failed = !r || !zipf(r, &caches[0]);

	for (size_t i = 0; i < WS_COUNT(caches) && !failed; i++)
		failed = bench(&caches[i], r);
	free(r);
	return failed;
}
