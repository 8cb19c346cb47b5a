/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/validate/stream.h -- what the tests of the exact side share: policies
 * of their own, caches, requests, random streams.
 */
#ifndef WS_TEST_STREAM_H
#define WS_TEST_STREAM_H
#include "tests/test.h"
#include "validate/sim/sim.h"

/* ---- policies: the least (or, for `clock`, an arbitrary) word goes ------------- */

static inline void policy_stamp(struct ws_set *set, unsigned way)
{
	set->meta[way] = set->clock;
}

static inline unsigned policy_least(struct ws_set *set)
{
	unsigned least = 0;

	for (unsigned way = 1; way < set->ways; way++)
		if (set->meta[way] < set->meta[least])
			least = way;
	return least;
}

/* Frequency first, then the lowest way; a fill counts as none. */
static inline void policy_count(struct ws_set *set, unsigned way)
{
	set->meta[way]++;
}

static inline void policy_zero(struct ws_set *set, unsigned way)
{
	set->meta[way] = 0;
}

static inline unsigned policy_clock(struct ws_set *set)
{
	return (unsigned)((set->clock * 2654435761u >> 7) % set->ways);
}

static const struct ws_policy policy_lru = {
	.name = "test-lru", .way_words = 1,
	.on_hit = policy_stamp, .on_fill = policy_stamp, .victim = policy_least,
};
static const struct ws_policy policy_fifo = {
	.name = "test-fifo", .way_words = 1, .on_fill = policy_stamp, .victim = policy_least,
};
static const struct ws_policy policy_lfu = {
	.name = "test-lfu", .way_words = 1,
	.on_hit = policy_count, .on_fill = policy_zero, .victim = policy_least,
};
static const struct ws_policy policy_any = { .name = "test-any", .victim = policy_clock };

/* ---- caches and requests --------------------------------------------------------- */

static const char *const write_names[] = {
	"write-back", "write-through", "write-through-allocate", "write-evict",
};

static inline struct ws_cache cache_make(uint64_t sets, uint64_t ways, uint64_t line,
					 uint64_t sector, const char *hash, enum ws_write write)
{
	struct ws_cache c = {
		.size_bytes = sets * ways * line, .sets = sets, .ways = ways, .line_bytes = line,
		.sector_bytes = sector, .hash = ws_hash_find(hash), .write = write, .policy = "lru",
	};

	return c;
}

static inline uint32_t line_sectors(const struct ws_cache *c)
{
	return UINT32_MAX >> (32 - c->line_bytes / WS_SECTOR_BYTES);
}

static inline struct ws_request request_make(const struct ws_cache *c, enum ws_kind kind,
					     uint64_t line, uint32_t sectors)
{
	struct ws_request r = { .address = line * c->line_bytes, .sectors = sectors,
				.kind = (uint8_t)kind };

	return r;
}

/* A mixture of hot lines, sweeps and jumps over `lines` lines from one of a few
 * places, so that two streams often share some; stores and atomics; sectors
 * mostly few.  shape 0..: other proportions. */
static inline void stream_random(struct ws_request *r, size_t count, const struct ws_cache *c,
				 uint64_t lines, unsigned shape, struct ws_rng *rng)
{
	uint64_t base = ws_rng_below(rng, 3) * 0x5a3c1 + ws_rng_below(rng, 64), sweep = 0, line;
	uint64_t stores = shape % 3 * 20 + 10, far = shape % 2 ? 7 : 64;

	for (size_t i = 0; i < count; i++) {
		uint64_t u = ws_rng_below(rng, 100), k = ws_rng_below(rng, 100);
		uint32_t sectors = (uint32_t)ws_rng_u64(rng);

		if (u < 30)
			line = sweep++ % lines;
		else if (u < 70)
			line = ws_rng_below(rng, 1 + lines / 8);
		else
			line = ws_rng_below(rng, lines) * far % lines;
		if (u & 1)
			sectors &= (uint32_t)ws_rng_u64(rng) & (uint32_t)ws_rng_u64(rng);
		sectors &= line_sectors(c);
		r[i] = request_make(c, k < stores ? WS_STORE : k < stores + 4 ? WS_ATOMIC : WS_LOAD,
				    base + line, sectors ? sectors : 1);
	}
}

static inline bool counts_same(const struct ws_counts *a, const struct ws_counts *b)
{
	return ws_counts_equal(a, b, 1);
}

static inline void counts_print(const char *what, const struct ws_counts *c)
{
	printf("# %s: requests %" PRIu64 " hits %" PRIu64 " cold %" PRIu64 " capacity %" PRIu64
	       " conflict %" PRIu64 " uncached %" PRIu64 "\n", what, c->requests, c->hits, c->cold,
	       c->capacity, c->conflict, c->uncached);
}

static inline void stream_print(const struct ws_request *r, size_t count, const struct ws_cache *c)
{
	printf("# stream:");
	for (size_t i = 0; i < count; i++)
		printf(" %c%" PRIu64 "/%x", "LSA"[r[i].kind], r[i].address / c->line_bytes,
		       r[i].sectors);
	putchar('\n');
}
#endif
