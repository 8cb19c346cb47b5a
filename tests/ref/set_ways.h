/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/ref/set_ways.h -- caches whose sets differ in their ways: of a set, and drawn at random.
 */
#ifndef WS_REF_SET_WAYS_H
#define WS_REF_SET_WAYS_H

#include "machine/machine.h"

static inline uint64_t ref_set_ways(const struct ws_cache *c, uint64_t set)
{
	for (uint32_t i = 0; i < c->set_ways.runs; i++) {
		if (set < c->set_ways.run[i].sets)
			return c->set_ways.run[i].ways;
		set -= c->set_ways.run[i].sets;
	}
	return c->ways;
}

/* Sets of 1 .. most + 1 ways in up to 4 runs; of an L1. */
static inline void ref_draw_set_ways(struct ws_cache *c, uint64_t most, struct ws_rng *rng)
{
	uint64_t left = c->sets;

	c->set_ways.runs = 0;
	c->ways = c->size_bytes = 0;
	while (left) {
		uint64_t sets = c->set_ways.runs < 3 ? 1 + ws_rng_below(rng, left) : left;
		uint64_t ways = 1 + ws_rng_below(rng, most);

		if (c->set_ways.runs && c->set_ways.run[c->set_ways.runs - 1].ways == ways)
			ways++;
		c->set_ways.run[c->set_ways.runs].sets = (uint32_t)sets;
		c->set_ways.run[c->set_ways.runs++].ways = (uint32_t)ways;
		c->size_bytes += sets * ways * c->line_bytes;
		c->ways = ways > c->ways ? ways : c->ways;
		left -= sets;
	}
}

#endif
