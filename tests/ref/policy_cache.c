/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/ref/policy_cache.c -- the plain cache of policy.h, and the fewest misses by all choices.
 */
#include "tests/ref/policy.h"

#include <stdlib.h>
#include <string.h>

#include "tests/ref/must.h"
#include "tests/ref/policy_sets.h"
#include "tests/ref/set_ways.h"

static bool fetches(const struct ref_cache *c, const struct ws_request *r)
{
	return r->kind == WS_LOAD || c->cache.write == WS_WRITE_BACK ||
	       c->cache.write == WS_WRITE_THROUGH_ALLOCATE;
}

/* Are all sectors asked for there?  With fetch they are brought. */
static bool sectors(const struct ref_cache *c, struct line *line, uint32_t asked, bool fetch)
{
	bool all = true;

	for (unsigned i = 0; i < SECTORS; i++) {
		uint64_t sector = i * WS_SECTOR_BYTES / c->cache.sector_bytes;

		if (!(asked >> i & 1))
			continue;
		all &= line->has[sector] || fetch;
		line->has[sector] |= fetch;
	}
	return all;
}

static void take(struct ref_cache *c, struct set *s, const struct ws_request *r)
{
	unsigned way = 0;

	while (way < c->ways && s->line[way].valid)
		way++;
	if (way == c->ways)
		way = c->rule->victim(c, s);
	if (s->line[way].valid && c->rule->leave)
		c->rule->leave(c, s, way);
	s->line[way].valid = true;
	s->line[way].address = r->address;
	memset(s->line[way].has, 0, sizeof s->line[way].has);
	sectors(c, &s->line[way], r->sectors, true);
	list_to_front(&s->recent, way);
	list_to_front(&s->filled, way);
	if (c->rule->fill)
		c->rule->fill(c, s, way);
}

static void found(struct ref_cache *c, struct set *s, unsigned way, const struct ws_request *r)
{
	if (r->kind == WS_STORE && c->cache.write == WS_WRITE_EVICT) {
		if (c->rule->leave)
			c->rule->leave(c, s, way);
		s->line[way].valid = false;
		list_remove(&s->recent, way);
		list_remove(&s->filled, way);
		return;
	}
	if (fetches(c, r))
		sectors(c, &s->line[way], r->sectors, true);
	list_to_front(&s->recent, way);
	if (c->rule->hit)
		c->rule->hit(c, s, way);
}

static bool ask_set(struct ref_cache *c, struct set *s, const struct ws_request *r, size_t count,
		    size_t i)
{
	bool hit;

	c->r = r;
	c->count = count;
	c->now = i;
	if (r[i].kind == WS_ATOMIC)
		return false;
	s->clock++;
	if (c->rule->begin)
		c->rule->begin(c, s);
	for (unsigned way = 0; way < c->ways; way++) {
		if (!s->line[way].valid || s->line[way].address != r[i].address)
			continue;
		hit = sectors(c, &s->line[way], r[i].sectors, false);
		found(c, s, way, &r[i]);
		return hit;
	}
	if (fetches(c, &r[i]) && !(c->rule->past && c->rule->past(c)))
		take(c, s, &r[i]);
	return false;
}

bool ref_cache_request(struct ref_cache *c, const struct ws_request *r, size_t count, size_t i)
{
	uint64_t set = ws_set_index(&c->cache, r[i].address);
	bool hit;

	c->ways = (unsigned)ref_set_ways(&c->cache, set);
	hit = ask_set(c, &c->set[set], r, count, i);
	c->ways = (unsigned)c->cache.ways;
	return hit;
}

void ref_cache_flush(struct ref_cache *c)
{
	for (uint64_t i = 0; i < c->cache.sets; i++) {
		struct set *s = &c->set[i];

		memset(s->line, 0, c->ways * sizeof *s->line);
		memset(s->right, 0, 2 * c->ways * sizeof *s->right);
		s->recent.count = s->filled.count = 0;
		s->clock = s->hand = 0;
	}
	c->psel = (uint64_t)1 << c->bits >> 1;
	memset(c->shct, 0, sizeof c->shct);
	memset(c->dead, 0, sizeof c->dead);
	memset(c->passed, 0, sizeof c->passed);
	c->charge = 0;
	c->hits = c->fills = 0;
	for (unsigned i = 0; i < c->peers; i++)
		ref_cache_flush(c->peer[i]);
}

struct ref_cache *ref_cache_new(const struct ws_cache *cache, uint64_t seed)
{
	const char *colon = strchr(cache->policy, ':');
	struct ref_cache *c = must(1, sizeof *c);

	c->cache = *cache;
	c->ways = (unsigned)cache->ways;
	ws_rng_seed(&c->rng, seed);
	c->rule = ref_rule_find(cache->policy);
	if (!c->rule || !c->rule->parse(c, colon ? colon + 1 : NULL)) {
		free(c);
		return NULL;
	}
	c->set = must((size_t)cache->sets, sizeof *c->set);
	for (uint64_t i = 0; i < cache->sets; i++) {
		c->set[i].line = must(c->ways, sizeof *c->set[i].line);
		c->set[i].recent.way = must(c->ways + 1, sizeof(unsigned));
		c->set[i].filled.way = must(c->ways + 1, sizeof(unsigned));
		c->set[i].right = must(2 * c->ways, sizeof(bool));
	}
	ref_cache_flush(c);
	return c;
}

void ref_cache_free(struct ref_cache *c)
{
	if (!c)
		return;
	for (unsigned i = 0; i < c->peers; i++)
		ref_cache_free(c->peer[i]);
	for (uint64_t i = 0; i < c->cache.sets; i++) {
		free(c->set[i].line);
		free(c->set[i].recent.way);
		free(c->set[i].filled.way);
		free(c->set[i].right);
	}
	free(c->set);
	free(c);
}

/* ---- all choices ----------------------------------------------------------------- */

/* From a set that holds the lines held[0 .. valid - 1]. */
static unsigned fewest(uint64_t *held, unsigned valid, unsigned ways, const uint64_t *line,
		       size_t count)
{
	unsigned least = UINT32_MAX;

	if (!count)
		return 0;
	for (unsigned way = 0; way < valid; way++)
		if (held[way] == line[0])
			return fewest(held, valid, ways, line + 1, count - 1);
	if (valid < ways) {
		held[valid] = line[0];
		return 1 + fewest(held, valid + 1, ways, line + 1, count - 1);
	}
	for (unsigned way = 0; way < ways; way++) {
		uint64_t old = held[way];
		unsigned misses;

		held[way] = line[0];
		misses = 1 + fewest(held, valid, ways, line + 1, count - 1);
		held[way] = old;
		if (misses < least)
			least = misses;
	}
	return least;
}

unsigned ref_fewest_misses(unsigned ways, const uint64_t *line, size_t count)
{
	uint64_t held[16] = { 0 };

	return fewest(held, 0, ways, line, count);
}
