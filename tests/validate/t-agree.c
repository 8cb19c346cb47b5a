/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model against simulator where both are exact: the LRU stack distances of one
 * pass (stackdist/) must give, for every number of ways, every count that
 * simulating that cache gives: hits, cold, capacity, conflict and uncached of every kind.
 * A difference is shrunk to a stream that cannot lose a request more and printed.
 */
#include "tests/validate/stream.h"

#define REQUESTS 600u
#define WAYS_MANY 24u	/* 0..: each of them is simulated, then some larger ones */

/* ---- counts from distances ------------------------------------------------------- */

static bool distances(const struct ws_cache *cache, uint64_t sets, const struct ws_request *r,
		      size_t count, uint32_t *distance)
{
	struct ws_cache c = *cache;
	struct ws_stack *stack;
	bool good;

	c.sets = sets;
	c.ways = c.size_bytes = 0; /* not read */
	if (ws_stack_new(&stack, &c, 1, NULL))
		return false;
	good = !ws_stack_push(stack, r, count / 2, distance, NULL)
		&& !ws_stack_push(stack, r + count / 2, count - count / 2, distance + count / 2,
				  NULL);
	ws_stack_free(stack);
	return good;
}

/* d: set distances; q: fully associative ones.  False if they contradict each other. */
static bool counts_of(const struct ws_cache *cache, const struct ws_request *r, size_t count,
		      const uint32_t *d, const uint32_t *q, struct ws_counts *kind)
{
	memset(kind, 0, (WS_KINDS + 1) * sizeof *kind);
	for (size_t i = 0; i < count; i++) {
		struct ws_counts *c = &kind[r[i].kind];

		if ((d[i] > WS_DISTANCE_MAX || q[i] > WS_DISTANCE_MAX) && d[i] != q[i])
			return false;
		c->requests++;
		if (d[i] < cache->ways) {
			c->hits++;
			continue;
		}
		c->misses++;
		if (d[i] == WS_DISTANCE_COLD)
			c->cold++;
		else if (d[i] == WS_DISTANCE_UNCACHED)
			c->uncached++;
		else if (q[i] >= cache->sets * cache->ways)
			c->capacity++;
		else
			c->conflict++;
	}
	for (int k = 0; k < WS_KINDS; k++)
		ws_counts_add(&kind[WS_KINDS], &kind[k]);
	return true;
}

static bool simulate(const struct ws_cache *cache, const struct ws_request *r, size_t count,
		     struct ws_counts *kind)
{
	struct ws_sim *sim;
	bool good;

	if (ws_sim_new_policy(&sim, cache, &policy_lru, NULL))
		return false;
	good = !ws_sim_push(sim, r, count, NULL);
	ws_sim_counts(sim, kind);
	ws_sim_free(sim);
	return good;
}

static bool agree(const struct ws_cache *cache, const struct ws_request *r, size_t count,
		  const uint32_t *d, const uint32_t *q)
{
	struct ws_counts model[WS_KINDS + 1], exact[WS_KINDS + 1];

	return counts_of(cache, r, count, d, q, model) && simulate(cache, r, count, exact)
		&& ws_counts_equal(model, exact, WS_COUNT(model));
}

/* ---- showing a difference ----------------------------------------------------------- */

static bool agree_alone(const struct ws_cache *cache, const struct ws_request *r, size_t count)
{
	uint32_t d[REQUESTS], q[REQUESTS];

	return distances(cache, cache->sets, r, count, d) && distances(cache, 1, r, count, q)
		&& agree(cache, r, count, d, q);
}

/* Leaves out requests as long as what is left still disagrees. */
static size_t shrink(const struct ws_cache *cache, struct ws_request *r, size_t count)
{
	for (size_t i = 0; i < count;) {
		struct ws_request fewer[REQUESTS];

		memcpy(fewer, r, i * sizeof *r);
		memcpy(fewer + i, r + i + 1, (count - i - 1) * sizeof *r);
		if (agree_alone(cache, fewer, count - 1)) {
			i++;
			continue;
		}
		memcpy(r, fewer, --count * sizeof *r);
		i = 0;
	}
	return count;
}

static void show(const struct ws_cache *c, const struct ws_request *r, size_t count)
{
	struct ws_request small[REQUESTS];
	struct ws_counts model[WS_KINDS + 1], exact[WS_KINDS + 1];
	uint32_t d[REQUESTS], q[REQUESTS];
	size_t n;

	memcpy(small, r, count * sizeof *r);
	n = shrink(c, small, count);
	printf("# sets %" PRIu64 " ways %" PRIu64 " line %" PRIu64 " sector %" PRIu64 " %s %s\n",
	       c->sets, c->ways, c->line_bytes, c->sector_bytes, c->hash->name,
	       write_names[c->write]);
	stream_print(small, n, c);
	if (!distances(c, c->sets, small, n, d) || !distances(c, 1, small, n, q)) {
		printf("# no distances\n");
		return;
	}
	printf("# d q:");
	for (size_t i = 0; i < n; i++)
		printf(" %d %d,", (int)d[i], (int)q[i]); /* -1 cold, -2 uncached */
	printf("%s\n", counts_of(c, small, n, d, q, model) ? "" : " contradict each other");
	for (int k = 0; k <= WS_KINDS; k++)
		counts_print("model", &model[k]);
	if (simulate(c, small, n, exact))
		for (int k = 0; k <= WS_KINDS; k++)
			counts_print("exact", &exact[k]);
}

/* ---- the runs ------------------------------------------------------------------------- */

/* All numbers of ways on one stream; returns how many disagree, shows the first ever. */
static unsigned differ(struct ws_cache *c, const struct ws_request *r, size_t count,
		       unsigned *runs)
{
	static const uint64_t larger[] = { 33, 64, 65, 100, 257 };
	static bool shown;
	uint32_t d[REQUESTS], q[REQUESTS];
	unsigned bad = 0;

	if (!distances(c, c->sets, r, count, d) || !distances(c, 1, r, count, q))
		return 1;
	for (uint64_t w = 0; w <= WAYS_MANY + WS_COUNT(larger); w++) {
		c->ways = w <= WAYS_MANY ? w : larger[w - WAYS_MANY - 1];
		c->size_bytes = c->sets * c->ways * c->line_bytes;
		++*runs;
		if (agree(c, r, count, d, q))
			continue;
		bad++;
		if (!shown)
			show(c, r, count);
		shown = true;
	}
	return bad;
}

static void all(const char *hash, enum ws_write write, struct ws_rng *rng)
{
	static const uint64_t sets[] = { 1, 2, 4, 8, 32, 64, 3, 5, 12 };
	static const uint64_t line[][2] = { { 128, 128 }, { 128, 32 }, { 128, 64 }, { 32, 32 },
					    { 1024, 32 } };
	struct ws_request r[REQUESTS];
	unsigned runs = 0, bad = 0, used = strcmp(hash, "modulo") ? 6 : WS_COUNT(sets);

	for (unsigned s = 0; s < used; s++) {
		for (unsigned shape = 0; shape < WS_COUNT(line); shape++) {
			struct ws_cache c = cache_make(sets[s], 1, line[shape][0], line[shape][1],
						       hash, write);
			uint64_t lines = shape % 2 ? 6 * sets[s] + 3 : 20 + ws_rng_below(rng, 200);

			stream_random(r, REQUESTS, &c, lines, shape + s, rng);
			bad += differ(&c, r, REQUESTS, &runs);
		}
	}
	test_ok(!bad, "%s, %s: %u of %u caches differ", hash, write_names[write], bad, runs);
}

/* Many short streams of few lines: what goes wrong is soon found and small. */
static void short_streams(enum ws_write write, struct ws_rng *rng)
{
	struct ws_request r[40];
	unsigned runs = 0, bad = 0;

	for (unsigned i = 0; i < 120; i++) {
		struct ws_cache c = cache_make(1 + i % 3, 1, 128, i % 2 ? 32 : 128, "modulo",
					       write);

		stream_random(r, WS_COUNT(r), &c, 3 + i % 7, i, rng);
		bad += differ(&c, r, WS_COUNT(r), &runs);
	}
	test_ok(!bad, "short streams, %s: %u of %u caches differ", write_names[write], bad, runs);
}

int main(void)
{
	static const char *const hash[] = { "modulo", "xor", "fermi", "ipoly" };
	struct ws_rng rng;

	ws_rng_seed(&rng, test_seed(7411));
	for (int write = WS_WRITE_BACK; write <= WS_WRITE_EVICT; write++) {
		short_streams((enum ws_write)write, &rng);
		for (size_t h = 0; h < WS_COUNT(hash); h++)
			all(hash[h], (enum ws_write)write, &rng);
	}
	return test_done();
}
