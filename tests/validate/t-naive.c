/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The simulator against a slow and obvious one on random streams: every
 * policy, write policy, set-index function and sector size.  The slow one
 * keeps three plain arrays of lines, compares every tag, and finds the least recent by its
 * time of last use.
 */
#include "tests/validate/stream.h"

#define LINES 48u	/* distinct ones in a stream */
#define REQUESTS 200u
#define SECTORS 32u

struct slow_line {
	bool resident;
	uint64_t address, used;
	bool valid[SECTORS], ever[SECTORS];
};

struct slow {
	const struct ws_cache *cache;
	const struct ws_policy *policy;
	struct slow_line *way, *full, *infinite; /* sets * ways; sets * ways; LINES */
	uint64_t *meta, *clock, now;
	struct ws_counts kind[WS_KINDS + 1];
};

static struct slow_line *slow_find(struct slow_line *in, size_t count, uint64_t address)
{
	for (size_t i = 0; i < count; i++)
		if (in[i].resident && in[i].address == address)
			return &in[i];
	return NULL;
}

static struct slow_line *slow_invalid(struct slow_line *in, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (!in[i].resident)
			return &in[i];
	return NULL;
}

/* Are all sectors asked for in `have`? */
static bool slow_has(const struct slow *s, const bool *have, uint32_t asked)
{
	uint64_t bytes = s->cache->sector_bytes;

	for (uint64_t b = 0; b < s->cache->line_bytes; b += WS_SECTOR_BYTES)
		if (asked >> b / WS_SECTOR_BYTES & 1 && !have[b / bytes])
			return false;
	return true;
}

static void slow_fetch(const struct slow *s, struct slow_line *line, uint32_t asked)
{
	uint64_t bytes = s->cache->sector_bytes;

	for (uint64_t b = 0; b < s->cache->line_bytes; b += WS_SECTOR_BYTES)
		if (asked >> b / WS_SECTOR_BYTES & 1)
			line->valid[b / bytes] = line->ever[b / bytes] = true;
}

/* Takes a line into a place where there was another or none. */
static void slow_take(const struct slow *s, struct slow_line *place, const struct ws_request *r)
{
	*place = (struct slow_line){ .resident = true, .address = r->address, .used = s->now };
	slow_fetch(s, place, r->sectors);
}

static void slow_ways(struct slow *s, const struct ws_request *r, bool fetch, bool evict)
{
	uint64_t set = ws_set_index(s->cache, r->address);
	size_t ways = (size_t)s->cache->ways;
	struct slow_line *first = &s->way[set * ways], *line = slow_find(first, ways, r->address);
	struct ws_set view = { .meta = &s->meta[set * ways], .ways = (unsigned)ways,
			       .clock = ++s->clock[set] };

	if (line && evict) {
		line->resident = false;
	} else if (line) {
		if (fetch)
			slow_fetch(s, line, r->sectors);
		if (s->policy->on_hit)
			s->policy->on_hit(&view, (unsigned)(line - first));
	} else if (fetch && ways) {
		line = slow_invalid(first, ways);
		if (!line)
			line = &first[s->policy->victim(&view)];
		slow_take(s, line, r);
		if (s->policy->on_fill)
			s->policy->on_fill(&view, (unsigned)(line - first));
	}
}

static void slow_full(struct slow *s, const struct ws_request *r, bool fetch, bool evict)
{
	size_t count = (size_t)(s->cache->sets * s->cache->ways);
	struct slow_line *line = slow_find(s->full, count, r->address);

	if (line && evict) {
		line->resident = false;
	} else if (line) {
		line->used = s->now;
		if (fetch)
			slow_fetch(s, line, r->sectors);
	} else if (fetch && count) {
		line = slow_invalid(s->full, count);
		if (!line) {
			line = s->full;
			for (size_t i = 1; i < count; i++)
				if (s->full[i].used < line->used)
					line = &s->full[i];
		}
		slow_take(s, line, r);
	}
}

static void slow_count(struct slow *s, const struct ws_request *r, bool fetch)
{
	size_t lines = (size_t)(s->cache->sets * s->cache->ways);
	const struct slow_line *way = slow_find(s->way, lines, r->address);
	const struct slow_line *full = slow_find(s->full, lines, r->address);
	const struct slow_line *kept = slow_find(s->infinite, LINES, r->address);
	struct ws_counts *c = &s->kind[r->kind];

	for (unsigned bit = 0; bit < 32; bit++) {
		uint32_t sector = r->sectors & UINT32_C(1) << bit;

		if (!sector)
			continue;
		c->sectors++;
		c->sectors_missed += r->kind == WS_ATOMIC ||
				     !(way && slow_has(s, way->valid, sector));
	}
	c->requests++;
	if (r->kind != WS_ATOMIC && way && slow_has(s, way->valid, r->sectors)) {
		c->hits++;
		return;
	}
	c->misses++;
	if (r->kind == WS_ATOMIC)
		c->uncached++;
	else if (fetch && !(kept && slow_has(s, kept->ever, r->sectors)))
		c->cold++;
	else if (!(kept && slow_has(s, kept->valid, r->sectors)))
		c->uncached++;
	else if (!(full && slow_has(s, full->valid, r->sectors)))
		c->capacity++;
	else
		c->conflict++;
}

static void slow_push(struct slow *s, const struct ws_request *r)
{
	enum ws_write write = s->cache->write;
	bool evict = r->kind == WS_STORE && write == WS_WRITE_EVICT;
	bool fetch = !evict && !(r->kind == WS_STORE && write == WS_WRITE_THROUGH);
	struct slow_line *kept;

	s->now++;
	slow_count(s, r, fetch);
	if (r->kind == WS_ATOMIC)
		return;
	slow_ways(s, r, fetch, evict);
	slow_full(s, r, fetch, evict);
	kept = slow_find(s->infinite, LINES, r->address);
	if (kept && evict)
		memset(kept->valid, 0, sizeof kept->valid);
	else if (kept && fetch)
		slow_fetch(s, kept, r->sectors);
	else if (fetch)
		slow_take(s, slow_invalid(s->infinite, LINES), r);
}

static void slow_run(struct slow *s, const struct ws_cache *cache, const struct ws_policy *policy,
		     const struct ws_request *r, size_t count)
{
	size_t lines = (size_t)(cache->sets * cache->ways);

	*s = (struct slow){ .cache = cache, .policy = policy };
	s->way = calloc(lines, sizeof *s->way);
	s->full = calloc(lines, sizeof *s->full);
	s->infinite = calloc(LINES, sizeof *s->infinite);
	s->meta = calloc(lines, sizeof *s->meta);
	s->clock = calloc((size_t)cache->sets, sizeof *s->clock);
	for (size_t i = 0; i < count; i++)
		slow_push(s, &r[i]);
	for (int k = 0; k < WS_KINDS; k++)
		ws_counts_add(&s->kind[WS_KINDS], &s->kind[k]);
	free(s->way);
	free(s->full);
	free(s->infinite);
	free(s->meta);
	free(s->clock);
}

/* One cache, one stream; the simulator has run another one before and is flushed. */
static bool same(const struct ws_cache *cache, const struct ws_policy *policy, unsigned shape,
		 struct ws_rng *rng)
{
	static struct ws_request r[REQUESTS];
	struct ws_counts first[WS_KINDS + 1], both[WS_KINDS + 1];
	struct slow slow;
	struct ws_sim *sim;
	bool good;

	if (ws_sim_new_policy(&sim, cache, policy, NULL))
		return false;
	stream_random(r, REQUESTS, cache, LINES, shape, rng);
	good = !ws_sim_push(sim, r, REQUESTS, NULL);
	ws_sim_counts(sim, first);
	ws_sim_flush(sim);
	stream_random(r, REQUESTS, cache, 1 + ws_rng_below(rng, LINES), shape, rng);
	good &= !ws_sim_push(sim, r, REQUESTS, NULL);
	ws_sim_counts(sim, both);
	ws_sim_free(sim);
	slow_run(&slow, cache, policy, r, REQUESTS);
	for (int k = 0; k <= WS_KINDS; k++) {
		ws_counts_add(&first[k], &slow.kind[k]);
		if (!counts_same(&first[k], &both[k]) || !ws_counts_check(&both[k])) {
			counts_print("slow", &first[k]);
			counts_print("fast", &both[k]);
			good = false;
		}
	}
	return good;
}

static void all(const struct ws_policy *policy, enum ws_write write, struct ws_rng *rng)
{
	static const uint64_t sets[] = { 1, 2, 3, 4, 7, 16 }, ways[] = { 0, 1, 2, 3, 4, 7, 20 };
	static const char *const hash[] = { "modulo", "xor", "fermi", "ipoly" };
	static const uint64_t line[][2] = { { 128, 128 }, { 128, 32 }, { 256, 64 }, { 1024, 32 } };
	unsigned runs = 0, bad = 0;

	for (size_t s = 0; s < WS_COUNT(sets); s++) {
		for (size_t w = 0; w < WS_COUNT(ways); w++) {
			for (unsigned shape = 0; shape < 8; shape++) {
				const uint64_t *bytes = line[shape % 4];
				struct ws_cache c = cache_make(
					sets[s], ways[w], bytes[0], bytes[1],
					hash[ws_is_pow2(sets[s]) ? shape / 2 : 0], write);

				runs++;
				bad += !same(&c, policy, shape, rng);
			}
		}
	}
	test_ok(!bad, "%s, %s: %u of %u runs differ", policy->name, write_names[write], bad, runs);
}

int main(void)
{
	static const struct ws_policy *const policies[] = { &policy_lru, &policy_fifo, &policy_lfu,
							    &policy_any };
	struct ws_rng rng;

	ws_rng_seed(&rng, test_seed(20240611));
	for (size_t p = 0; p < WS_COUNT(policies); p++)
		for (int write = WS_WRITE_BACK; write <= WS_WRITE_EVICT; write++)
			all(policies[p], (enum ws_write)write, &rng);
	return test_done();
}
