/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/validate/t-oldest.c -- which entry of a row is free or was used longest ago, against a walk
 * through the row, for widths that are powers of two and others.
 */
#include "tests/test.h"
#include "validate/sim/oldest.h"

#define ROWS 3u

static uint32_t slow(const uint64_t *used, uint32_t width)
{
	uint32_t first = 0;

	for (uint32_t i = 1; i < width; i++)
		if (used[i] < used[first])
			first = i;
	return first;
}

static bool try(struct ws_rng *rng, uint32_t width)
{
	uint64_t used[ROWS][70] = { { 0 } };
	struct ws_oldest o;
	bool ok = ws_oldest_new(&o, ROWS, width);

	for (uint64_t clock = 1; ok && clock < 2000; clock++) {
		size_t row = ws_rng_below(rng, ROWS);
		uint32_t i = (uint32_t)ws_rng_below(rng, width);

		/* As a cache does, mostly, and at random. */
		i = ws_rng_below(rng, 2) ? ws_oldest_first(&o, row) : i;
		used[row][i] = ws_rng_below(rng, 8) ? clock : 0;
		ws_oldest_set(&o, row, i, used[row][i]);
		for (row = 0; ok && row < ROWS; row++)
			ok = ws_oldest_first(&o, row) == slow(used[row], width);
	}
	ws_oldest_clear(&o);
	return ok;
}

int main(void)
{
	uint64_t seed = test_seed(20261122);
	struct ws_rng rng;
	uint32_t width = 1;

	ws_rng_seed(&rng, seed);
	while (width <= 70 && try(&rng, width))
		width++;
	test_ok(width == 71, "rows of up to %u entries", width - 1);
	return test_done();
}
