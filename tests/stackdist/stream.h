/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/stackdist/stream.h -- small random caches and streams, and what went
 * wrong in them.
 */
#ifndef WS_TEST_STREAM_H
#define WS_TEST_STREAM_H

#include "stackdist/stackdist.h"

static const char *const stream_write_names[] = {
	"write-back", "write-through", "write-through-allocate", "write-evict",
};

/* A cache whose geometry is small and whose hash function takes it. */
static inline struct ws_cache stream_cache(struct ws_rng *rng)
{
	static const uint64_t lines[] = { 32, 64, 128, 128, 128, 256, 1024 };
	struct ws_cache c = { .ways = 4, .hash_low = 7, .hash_high = 9 };
	size_t hashes = 0;

	while (ws_hashes[hashes])
		hashes++;
	c.line_bytes = lines[ws_rng_below(rng, WS_COUNT(lines))];
	c.sector_bytes = c.line_bytes >> ws_rng_below(rng, 6);
	if (c.sector_bytes < WS_SECTOR_BYTES)
		c.sector_bytes = c.line_bytes;
	c.sets = 1 + ws_rng_below(rng, 8);
	c.size_bytes = c.sets * c.ways * c.line_bytes;
	c.hash = ws_hashes[ws_rng_below(rng, hashes)];
	if (c.hash->check && c.hash->check(&c, NULL))
		c.hash = ws_hash_find("modulo");
	return c;
}

/* stores, atomics: their share in 1/16. */
static inline void stream_fill(struct ws_rng *rng, const struct ws_cache *c, unsigned lines,
			       unsigned stores, unsigned atomics, struct ws_request *r,
			       size_t count)
{
	uint64_t stride = 1 + ws_rng_below(rng, 3);
	uint32_t all = c->line_bytes == WS_LINE_MAX ? UINT32_MAX :
		((uint32_t)1 << c->line_bytes / WS_SECTOR_BYTES) - 1;

	for (size_t i = 0; i < count; i++) {
		uint64_t line = ws_rng_below(rng, lines), kind = ws_rng_below(rng, 16);
		uint32_t mask = (uint32_t)ws_rng_u64(rng) & (uint32_t)ws_rng_u64(rng) & all;

		if (ws_rng_below(rng, 4) == 0)
			line = ws_rng_below(rng, 1 + lines / 3);
		r[i] = (struct ws_request){
			.address = 4096 + line * stride * c->line_bytes,
			.sectors = mask ? mask : 1,
			.kind = kind < stores ? WS_STORE :
				kind < stores + atomics ? WS_ATOMIC : WS_LOAD,
		};
	}
}

static inline void stream_print(const struct ws_cache *c, const struct ws_request *r, size_t upto)
{
	printf("# %s, %s, %llu sets, line %llu, sector %llu\n", stream_write_names[c->write],
	       c->hash->name, (unsigned long long)c->sets, (unsigned long long)c->line_bytes,
	       (unsigned long long)c->sector_bytes);
	for (size_t i = 0; i <= upto; i++)
		printf("#   %zu %s %llx sectors %x\n", i,
		       r[i].kind == WS_LOAD ? "load" : r[i].kind == WS_STORE ? "store" : "atomic",
		       (unsigned long long)r[i].address, (unsigned)r[i].sectors);
}

#endif
