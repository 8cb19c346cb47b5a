/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/ref/select.c -- the policy select, from the text of model/policy/select.c: each candidate
 * is a cache of its own that is told which way each line went to, and is asked for victims while it
 * is in charge.  All draw from the one cache's random numbers.
 */
#include "tests/ref/policy.h"

#include <stdlib.h>
#include <string.h>

#include "tests/ref/policy_sets.h"

bool ref_select_parse(struct ref_cache *c, const char *text)
{
	char copy[WS_NAME_MAX], *at = copy;
	uint64_t number[2] = { 32768, 0 };
	unsigned numbers = 0;

	snprintf(copy, sizeof copy, "%s", text ? text : "lru,srrip,lfu");
	while (at) {
		char *end = strpbrk(at, ",/");

		if (end)
			*end++ = 0;
		if (*at >= '0' && *at <= '9') {
			number[numbers++] = strtoull(at, NULL, 10);
		} else {
			struct ws_cache one = c->cache;

			snprintf(one.policy, sizeof one.policy, "%s", at);
			c->peer[c->peers++] = ref_cache_new(&one, 1);
		}
		at = end;
	}
	c->period = number[0];
	c->monitor = numbers == 2 ? number[1] : c->period / 8;
	return true;
}

/* Peer i and its set are up to date, and have the draws. */
static struct ref_cache *lend(struct ref_cache *c, unsigned i, const struct set *s,
			      struct set **set)
{
	struct ref_cache *p = c->peer[i];

	p->rng = c->rng;
	p->ways = c->ways;
	p->r = c->r;
	p->count = c->count;
	p->now = c->now;
	*set = &p->set[s - c->set];
	return p;
}

void ref_select_begin(struct ref_cache *c, struct set *s)
{
	for (unsigned i = 0; i < c->peers; i++) {
		struct set *set;
		struct ref_cache *p = lend(c, i, s, &set);

		set->clock++;
		if (p->rule->begin)
			p->rule->begin(p, set);
		c->rng = p->rng;
	}
}

void ref_select_hit(struct ref_cache *c, struct set *s, unsigned way)
{
	c->hits++;
	for (unsigned i = 0; i < c->peers; i++) {
		struct set *set;
		struct ref_cache *p = lend(c, i, s, &set);

		list_to_front(&set->recent, way);
		if (p->rule->hit)
			p->rule->hit(p, set, way);
		c->rng = p->rng;
	}
}

void ref_select_fill(struct ref_cache *c, struct set *s, unsigned way)
{
	c->fills++;
	for (unsigned i = 0; i < c->peers; i++) {
		struct set *set;
		struct ref_cache *p = lend(c, i, s, &set);

		set->line[way].valid = true;
		set->line[way].address = s->line[way].address;
		list_to_front(&set->recent, way);
		list_to_front(&set->filled, way);
		if (p->rule->fill)
			p->rule->fill(p, set, way);
		c->rng = p->rng;
	}
}

unsigned ref_select_victim(struct ref_cache *c, struct set *s)
{
	struct set *set;
	struct ref_cache *p = lend(c, c->charge, s, &set);
	unsigned way = p->rule->victim(p, set);

	c->rng = p->rng;
	return way;
}

void ref_select_leave(struct ref_cache *c, struct set *s, unsigned way)
{
	for (unsigned i = 0; i < c->peers; i++) {
		struct set *set;

		lend(c, i, s, &set);
		set->line[way].valid = false;
		list_remove(&set->recent, way);
		list_remove(&set->filled, way);
	}
}

/* a hits and b fills against c and d: has the first the lower share of fills? */
static bool fewer_fills(uint64_t a, uint64_t b, uint64_t c, uint64_t d)
{
	return a + b && (!(c + d) || b * (c + d) < d * (a + b));
}

void ref_select_meet(struct ref_cache *const *c, size_t caches, uint64_t cycle)
{
	uint64_t period = cycle / c[0]->period, in = cycle % c[0]->period;
	uint64_t hits[PEERS] = { 0 }, fills[PEERS] = { 0 };
	unsigned best = 0;

	if (in != 0 && in != c[0]->monitor)
		return;
	for (size_t i = 0; i < caches; i++) {
		hits[(i + period) % c[i]->peers] += c[i]->hits;
		fills[(i + period) % c[i]->peers] += c[i]->fills;
	}
	for (unsigned i = 1; i < c[0]->peers; i++)
		if (fewer_fills(hits[i], fills[i], hits[best], fills[best]))
			best = i;
	for (size_t i = 0; i < caches; i++) {
		c[i]->charge = in ? best : (unsigned)((i + period) % c[i]->peers);
		c[i]->hits = c[i]->fills = 0;
	}
}
