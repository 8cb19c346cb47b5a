/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * stackdist/sample_chosen.c -- chosen lines (sample.h): what is counted of old requests to them.
 *
 * A batch of requests goes through the levels from the highest rate down; each keeps those
 * whose lines it has chosen too.  Only the active level is counted.
 */
#include "stackdist/sample_part.h"

#include <string.h>

#define BATCH WS_SAMPLE_BATCH
#define BLOCK_BITS 16	/* log2 of the lines that share an offset */

/* A line is in the levels whose `last` is not below its place. */
static inline uint64_t place_of(struct ws_sampler *s, uint64_t address)
{
	uint64_t line = address >> s->shift, block = line >> BLOCK_BITS;

	if (block != s->block) {
		uint64_t x = (block + s->offset) * 0xff51afd7ed558ccdu;

		x = (x ^ x >> 32) * 0xc4ceb9fe1a85ec53u;
		s->block = block;
		s->block_offset = x ^ x >> 32;
	}
	return line * 0x9e3779b97f4a7c15u + s->block_offset;
}

static unsigned group_of(const struct ws_level *l, uint64_t place)
{
	unsigned group = (unsigned)((double)place / ((double)l->last + 1) * WS_SAMPLE_GROUPS);

	return group < WS_SAMPLE_GROUPS ? group : WS_SAMPLE_GROUPS - 1;
}

static inline bool is_old(const struct ws_sampler *s, uint64_t age, uint64_t when)
{
	return !s->exact && when >= s->exact_until && age > s->burst / 2;
}

/* d[stack * stride]: positions among chosen lines. */
static bool count_old(struct ws_sampler *s, struct ws_old *o, const uint32_t *d, size_t stride,
		      double weight)
{
	bool ok = true;

	o->seen += weight;
	o->cold += *d == WS_DISTANCE_COLD ? weight : 0;
	o->uncached += *d == WS_DISTANCE_UNCACHED ? weight : 0;
	for (size_t i = 0; i < s->stacks && *d <= WS_DISTANCE_MAX && ok; i++)
		ok = ws_mass_add(o->placed + i, d[i * stride], weight);
	return ok;
}

static void count_even(struct ws_sampler *s, const uint32_t *d)
{
	for (size_t i = 1; i < s->stacks; i++) {
		double share = *d / (double)s->sets[i], off = d[i * BATCH] - share;

		s->even[i].square += off * off;
		s->even[i].expected += share;
		s->even[i].weight += share * share;
	}
}

static bool count_chosen(struct ws_sampler *s, const struct ws_level *l, size_t i)
{
	const struct ws_chosen *c = &s->chosen;
	const uint32_t *d = s->found.distance + i;
	unsigned kind = c->request[i].kind;
	struct ws_group *g = s->group[kind] + group_of(l, c->place[i]);

	if (!is_old(s, s->found.age[i], c->when[i]))
		return true;
	g->seen += 1 / l->rate;
	if (*d > WS_DISTANCE_MAX) {
		g->ended += 1 / l->rate;
	} else {
		g->bin[ws_sample_bin((*d + 0.5) / l->rate)] += 1 / l->rate;
		count_even(s, d);
	}
	return count_old(s, s->old[WS_SAMPLE_REQUESTS] + kind, d, BATCH, 1 / l->rate);
}

static bool count_active(struct ws_sampler *s, const struct ws_level *l)
{
	const struct ws_chosen *c = &s->chosen;
	size_t at = 0;
	bool ok = true;

	for (size_t i = 0; i < c->count && ok; i++) {
		uint32_t mask = s->sectored ? ws_watch_mask(l->watch, c->request[i].sectors) : 0;

		ok = count_chosen(s, l, i);
		for (; mask && ok; mask &= mask - 1, at++)
			if (is_old(s, s->found.sector_age[at], c->when[i]))
				ok = count_old(s, s->old[WS_SAMPLE_SECTORS] + c->request[i].kind,
					       s->found.sector + at, BATCH * l->watch->sectors,
					       1 / l->rate);
	}
	return ok;
}

/* How far positions in the level below are from their share of those in the active one. */
static void count_scatter(struct ws_sampler *s, const struct ws_level *l)
{
	double share = l->rate / l[-1].rate;

	for (size_t i = 0; i < s->chosen.count; i++) {
		uint32_t e = s->chosen.above[i], d = s->found.distance[i];
		struct ws_scatter *x;

		if (e > WS_DISTANCE_MAX || d > WS_DISTANCE_MAX)
			continue;
		x = s->scatter + ws_sample_bin(e / l[-1].rate);
		x->square += (d - share * e) * (d - share * e);
		x->expected += e * share * (1 - share);
	}
}

static void keep_chosen(struct ws_sampler *s, uint64_t last)
{
	struct ws_chosen *c = &s->chosen;
	size_t n = 0;

	for (size_t i = 0; i < c->count; i++) {
		if (c->place[i] > last)
			continue;
		c->request[n] = c->request[i];
		c->when[n] = c->when[i];
		c->place[n] = c->place[i];
		c->above[n++] = s->found.distance[i];
	}
	c->count = n;
}

static bool give_up(struct ws_sampler *s)
{
	struct ws_level *l = s->level + s->active++;
	bool ok = true;

	for (unsigned k = 0; k < WS_KINDS; k++)
		ok = ok && ws_old_spread(s->old[WS_SAMPLE_REQUESTS] + k, s->stacks, l) &&
		     ws_old_spread(s->old[WS_SAMPLE_SECTORS] + k, s->stacks, l);
	memset(s->scatter, 0, sizeof(s->scatter));
	ws_watch_free(l->watch);
	l->watch = NULL;
	return ok;
}

enum ws_status ws_sampler_flush(struct ws_sampler *s, struct ws_err *err)
{
	struct ws_chosen *c = &s->chosen;
	enum ws_status status = WS_OK;
	bool ok = true;

	for (size_t i = s->active; i < s->levels && c->count && !status; i++) {
		const struct ws_level *l = s->level + i;

		if (i > s->active)
			keep_chosen(s, l->last);
		status = ws_watch_push(l->watch, c->request, c->when, c->count, &s->found, err);
		if (!status && i == s->active)
			ok = count_active(s, l);
		else if (!status && i == s->active + 1)
			count_scatter(s, l);
	}
	c->count = 0;
	while (s->lines_max && s->active + 1 < s->levels && ok &&
	       s->level[s->active].watch->lines.count > s->lines_max)
		ok = give_up(s);
	return ok ? status : ws_fail_memory(err, "the counts of a sampler");
}

enum ws_status ws_sampler_choose(struct ws_sampler *s, const struct ws_request *request,
				 size_t count, struct ws_err *err)
{
	struct ws_chosen *c = &s->chosen;
	enum ws_status status = WS_OK;

	for (size_t i = 0; i < count && !status; i++) {
		uint64_t place = place_of(s, request[i].address);

		if (place > s->level[s->active].last || request[i].kind == WS_ATOMIC)
			continue;
		c->request[c->count] = request[i];
		c->when[c->count] = s->now + i;
		c->place[c->count++] = place;
		if (c->count == BATCH)
			status = ws_sampler_flush(s, err);
	}
	return status;
}
