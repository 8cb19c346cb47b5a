/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * stackdist/sample/chosen.c -- chosen lines (sample.h): what is counted of old requests to them.
 *
 * A batch of requests goes through the levels from the highest rate down; each keeps those
 * whose lines it has chosen too.  Only the active level is counted.
 */
#include "stackdist/sample/part.h"

#include <assert.h>
#include <string.h>

#define BATCH WS_SAMPLE_BATCH
#define BLOCK_BITS 16	/* log2 of the lines that share an offset */

/* A line is in the levels whose `last` is not below its place. */
static inline uint64_t place_of_address(struct ws_sampler *s, uint64_t address)
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

	assert(place <= l->last);
	return group < WS_SAMPLE_GROUPS ? group : WS_SAMPLE_GROUPS - 1;
}

/* What counts a request, or a sector asked for, to a chosen line; NULL: nothing. */
static inline struct ws_old *old_of(struct ws_sampler *s, unsigned what, unsigned kind,
				    uint64_t age, uint64_t when)
{
	if (s->exact || when < s->exact_until)
		return NULL;
	if (age > s->burst / 2)
		return s->old[what] + kind;
	return s->part[what][kind].all > 0 ? NULL : s->late[what] + kind;
}

/* d[stack * stride]: positions among chosen lines. */
static bool count_old(struct ws_sampler *s, struct ws_old *o, const uint32_t *d, size_t stride,
		      double weight)
{
	bool ok = true;

	assert(weight >= 1);
	o->count++;
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
		double fraction = *d / (double)s->sets[i], off = d[i * BATCH] - fraction;

		s->even[i].square += off * off;
		s->even[i].expected += fraction;
		s->even[i].weight += fraction * fraction;
	}
}

static bool count_chosen(struct ws_sampler *s, const struct ws_level *l, size_t i)
{
	const struct ws_chosen *c = &s->chosen;
	const uint32_t *d = s->found.distance + i;
	unsigned kind = c->request[i].kind;
	struct ws_old *o = old_of(s, WS_SAMPLE_REQUESTS, kind, s->found.age[i], c->when[i]);
	struct ws_sample_group *g;

	if (!o)
		return true;
	g = (o == s->old[WS_SAMPLE_REQUESTS] + kind ? s->group : s->late_group)[kind];
	g += group_of(l, c->place[i]);
	g->seen += 1 / l->rate;
	if (*d > WS_DISTANCE_MAX) {
		g->ended += 1 / l->rate;
	} else {
		g->bin[ws_sample_bin((*d + 0.5) / l->rate)] += 1 / l->rate;
		count_even(s, d);
	}
	return count_old(s, o, d, BATCH, 1 / l->rate);
}

static bool count_active(struct ws_sampler *s, const struct ws_level *l)
{
	const struct ws_chosen *c = &s->chosen;
	size_t at = 0;
	bool ok = true;

	for (size_t i = 0; i < c->count && ok; i++) {
		uint32_t mask = s->sectored ? ws_watch_mask(l->watch, c->request[i].sectors) : 0;

		ok = count_chosen(s, l, i);
		for (; mask && ok; mask &= mask - 1, at++) {
			struct ws_old *o = old_of(s, WS_SAMPLE_SECTORS, c->request[i].kind,
						  s->found.sector_age[at], c->when[i]);

			if (o)
				ok = count_old(s, o, s->found.sector + at,
					       BATCH * l->watch->by.count, 1 / l->rate);
		}
	}
	return ok;
}

/* How far positions in the level below are from their fraction of those in the active one. */
static void count_scatter(struct ws_sampler *s, const struct ws_level *l)
{
	double fraction = l->rate / l[-1].rate;

	for (size_t i = 0; i < s->chosen.count; i++) {
		uint32_t e = s->chosen.above[i], d = s->found.distance[i];
		struct ws_scatter *x;

		if (e > WS_DISTANCE_MAX || d > WS_DISTANCE_MAX)
			continue;
		x = s->scatter + ws_sample_bin(e / l[-1].rate);
		x->square += (d - fraction * e) * (d - fraction * e);
		x->expected += e * fraction * (1 - fraction);
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

/* The level's stacks, when the first of its lines comes. */
static enum ws_status begin_level(const struct ws_sampler *s, struct ws_level *l,
				  struct ws_err *err)
{
	return l->watch ? WS_OK : ws_watch_new(&l->watch, &s->cache, s->sets, s->stacks, err);
}

static enum ws_status give_up(struct ws_sampler *s, struct ws_err *err)
{
	struct ws_level *l = s->level + s->active++;
	bool ok = true;

	assert(s->active < s->levels);
	for (unsigned k = 0; k < 2 * WS_KINDS; k++)
		ok = ok && ws_old_spread(s->old[k / WS_KINDS] + k % WS_KINDS, s->stacks, l) &&
		     ws_old_spread(s->late[k / WS_KINDS] + k % WS_KINDS, s->stacks, l);
	memset(s->scatter, 0, sizeof s->scatter);
	ws_watch_free(l->watch);
	l->watch = NULL;
	return ok ? begin_level(s, l + 1, err) : ws_fail_memory(err, "the counts of a sampler");
}

static enum ws_status count_level(struct ws_sampler *s, size_t level, struct ws_err *err)
{
	struct ws_chosen *c = &s->chosen;
	struct ws_level *l = s->level + level;
	enum ws_status status = begin_level(s, l, err);

	if (status == WS_OK)
		status = ws_watch_push(l->watch, c->request, c->when, c->count, &s->found, err);
	if (status == WS_OK && level == s->active && !count_active(s, l))
		status = ws_fail_memory(err, "the counts of a sampler");
	else if (status == WS_OK && level == s->active + 1)
		count_scatter(s, l);
	return status;
}

enum ws_status ws_sampler_flush(struct ws_sampler *s, struct ws_err *err)
{
	struct ws_chosen *c = &s->chosen;
	enum ws_status status = WS_OK;

	assert(c->count <= BATCH && (!s->levels || s->active < s->levels));
	for (size_t i = s->active; i < s->levels && status == WS_OK; i++) {
		if (i > s->active)
			keep_chosen(s, s->level[i].last);
		if (!c->count)
			break;
		status = count_level(s, i, err);
	}
	c->count = 0;
	while (s->lines_max && s->active + 1 < s->levels && status == WS_OK &&
	       s->level[s->active].watch->lines.count > s->lines_max)
		status = give_up(s, err);
	return status;
}

enum ws_status ws_sampler_choose(struct ws_sampler *s, const struct ws_request *request,
				 size_t count, struct ws_err *err)
{
	struct ws_chosen *c = &s->chosen;
	enum ws_status status = WS_OK;

	for (size_t i = 0; i < count && status == WS_OK; i++) {
		uint64_t place = place_of_address(s, request[i].address);

		if (place > s->level[s->active].last || request[i].kind == WS_ATOMIC)
			continue;
		assert(c->count < BATCH);
		c->request[c->count] = request[i];
		c->when[c->count] = s->now + i;
		c->place[c->count++] = place;
		if (c->count == BATCH)
			status = ws_sampler_flush(s, err);
	}
	return status;
}
