/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * stackdist/sample/sample.c -- a sampler (sample.h): bursts are in burst.c, chosen lines in
 * chosen.c, what is concluded from the counts of both in estimate.c.
 *
 * Requests are worked off in blocks that end where the count of all is a multiple of
 * BATCH, and so do bursts and periods; chosen ones are gathered into batches.  So
 * what is counted does not depend on how the stream is cut into pushes.
 */
#include "stackdist/sample/part.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define BATCH WS_SAMPLE_BATCH
#define SHRINK 4.0	/* rate of a level by that of the next */
/* Measured, on zipf streams of 10 million requests: requests to chosen lines are not near each
 * other, and go through two levels; of all requests it is looked whether theirs is chosen. */
#define COST_CHOSEN 2.0
#define COST_ANY 0.2

/* ---- life ------------------------------------------------------------------------ */

static bool new_part(struct ws_sample_part *p, size_t stacks, bool capacity)
{
	p->distance = ws_alloc_zero(stacks, sizeof *p->distance);
	p->capacity = capacity ? ws_alloc_zero(stacks, sizeof *p->capacity) : NULL;
	return p->distance && (p->capacity || !capacity);
}

static bool new_parts(struct ws_sampler *s, struct ws_sample_part (*part)[WS_KINDS])
{
	bool ok = true;

	for (unsigned k = 0; k < WS_KINDS; k++) {
		ok = ok && new_part(part[WS_SAMPLE_REQUESTS] + k, s->stacks, true);
		if (s->sectored)
			ok = ok && new_part(part[WS_SAMPLE_SECTORS] + k, s->stacks, false);
	}
	return ok;
}

static bool new_old(const struct ws_sampler *s, struct ws_old (*old)[WS_KINDS])
{
	bool ok = true;

	for (unsigned i = 0; i < 2 * WS_KINDS && ok; i++) {
		struct ws_old *o = old[i / WS_KINDS] + i % WS_KINDS;

		o->placed = ws_alloc_zero(s->stacks, sizeof *o->placed);
		o->before = ws_alloc_zero(s->stacks, sizeof *o->before);
		ok = o->placed && o->before;
	}
	return ok;
}

static void clear_old(struct ws_old (*old)[WS_KINDS], size_t stacks)
{
	for (unsigned k = 0; k < 2 * WS_KINDS; k++) {
		struct ws_old *o = old[k / WS_KINDS] + k % WS_KINDS;

		for (size_t i = 0; i < stacks; i++) {
			if (o->placed)
				free(o->placed[i].at);
			if (o->before)
				free(o->before[i].at);
		}
		free(o->placed);
		free(o->before);
	}
}

static void clear_parts(struct ws_sample_part (*part)[WS_KINDS], size_t stacks)
{
	for (unsigned k = 0; k < 2 * WS_KINDS; k++) {
		struct ws_sample_part *p = part[k / WS_KINDS] + k % WS_KINDS;

		for (size_t i = 0; i < stacks; i++) {
			if (p->distance)
				free(p->distance[i].at);
			if (p->capacity)
				free(p->capacity[i].at);
		}
		free(p->distance);
		free(p->capacity);
	}
}

/* Stack 0 has one set; the others are the other set counts, in their order. */
static bool new_stacks(struct ws_sampler *s, const uint64_t *sets, size_t set_counts)
{
	s->set_counts = set_counts;
	s->stacks = 1;
	s->stack_of = ws_alloc(set_counts + 1, sizeof *s->stack_of);
	s->sets = ws_alloc(set_counts + 1, sizeof *s->sets);
	if (!s->stack_of || !s->sets)
		return false;
	s->sets[0] = 1;
	for (size_t i = 0; i < set_counts; i++) {
		s->stack_of[i] = sets[i] == 1 ? 0 : s->stacks;
		if (sets[i] != 1)
			s->sets[s->stacks++] = sets[i];
	}
	return true;
}

static bool new_counts(struct ws_sampler *s)
{
	size_t sectors = s->sectored ? (size_t)(s->cache.line_bytes / s->cache.sector_bytes) : 0;
	struct ws_watched *f = &s->found;

	for (unsigned k = 0; k < WS_KINDS; k++)
		s->spread[k].last = -1;
	s->drift = ws_alloc_zero(s->stacks, sizeof *s->drift);
	s->fraction = ws_alloc_zero(s->stacks, sizeof *s->fraction);
	f->distance = ws_alloc(s->stacks * BATCH, sizeof *f->distance);
	if (sectors) {
		f->sector = ws_alloc(s->stacks * BATCH * sectors, sizeof *f->sector);
		f->sector_age = ws_alloc(BATCH * sectors, sizeof *f->sector_age);
	}
	s->even = ws_alloc_zero(s->stacks, sizeof *s->even);
	return s->drift && s->fraction && s->even && f->distance &&
	       (!sectors || (f->sector && f->sector_age)) && new_old(s, s->old) &&
	       new_old(s, s->late) && new_parts(s, s->sure) && new_parts(s, s->part) &&
	       new_parts(s, s->now_part);
}

static void add_level(struct ws_sampler *s, double rate)
{
	struct ws_level *l = s->level + s->levels++;
	double places = ldexp(rate, 64);

	l->last = places < 1 ? 0 : (uint64_t)places - 1;
	l->rate = ldexp((double)l->last + 1, -64);
}

/* The rate asked for and one to compare it with; with a limit, all that may be needed. */
static enum ws_status new_levels(struct ws_sampler *s, double rate, struct ws_err *err)
{
	size_t most = s->lines_max ? WS_SAMPLE_LEVELS : 2;

	if (rate >= 1 && !s->lines_max)
		return WS_OK;
	rate = rate >= 1 ? 1 / SHRINK : rate;
	add_level(s, rate);
	while (s->levels < most && (s->levels < 2 || rate > 1e-9)) {
		rate /= SHRINK;
		add_level(s, rate);
	}
	return ws_watch_new(&s->level->watch, &s->cache, s->sets, s->stacks, err);
}

static enum ws_status start_sampler(struct ws_sampler *s, const uint64_t *sets, size_t set_counts,
				    double rate, struct ws_err *err)
{
	enum ws_status status;

	if (!new_stacks(s, sets, set_counts))
		return ws_fail_memory(err, "a sampler");
	status = ws_watch_new(&s->watch, &s->cache, s->sets, s->stacks, err);
	if (status == WS_OK && !new_counts(s))
		status = ws_fail_memory(err, "a sampler");
	return status != WS_OK ? status : new_levels(s, rate, err);
}

enum ws_status ws_sampler_new(struct ws_sampler **out, const struct ws_cache *cache,
			      const uint64_t *sets, size_t set_counts, double rate,
			      uint64_t lines_max, uint64_t seed, struct ws_err *err)
{
	struct ws_sampler *s;
	enum ws_status status;

	if (!(rate > 0 && rate <= 1))
		return ws_fail(err, WS_EINVAL, "a sample of %g of the lines: expected more than 0, "
			       "at most 1", rate);
	s = ws_alloc_zero(1, sizeof *s);
	if (!s)
		return ws_fail_memory(err, "a sampler");
	s->cache = *cache;
	s->sectored = cache->sector_bytes != cache->line_bytes;
	while (cache->line_bytes >> s->shift > 1 && !(cache->line_bytes >> s->shift & 1))
		s->shift++;
	s->exact = true;
	s->lines_max = lines_max;
	if (lines_max && lines_max < WS_SAMPLE_LINES_MIN)
		s->lines_max = WS_SAMPLE_LINES_MIN;
	s->exact_until = rate < 1 ? 0 : UINT64_MAX;
	ws_sampler_burst(s, WS_SAMPLE_BURST);
	s->block = UINT64_MAX;
	ws_rng_seed(&s->rng, seed);
	s->offset = ws_rng_u64(&s->rng);
	status = start_sampler(s, sets, set_counts, rate, err);
	if (status != WS_OK) {
		ws_sampler_free(s);
		return status;
	}
	*out = s;
	return WS_OK;
}

void ws_sampler_burst(struct ws_sampler *s, uint64_t requests)
{
	s->burst = requests;
	if (s->exact_until != UINT64_MAX)
		s->exact_until = 2 * requests;
}

void ws_sampler_free(struct ws_sampler *s)
{
	if (!s)
		return;
	ws_watch_free(s->watch);
	for (size_t i = 0; i < s->levels; i++)
		ws_watch_free(s->level[i].watch);
	clear_parts(s->sure, s->stacks);
	clear_parts(s->part, s->stacks);
	clear_parts(s->now_part, s->stacks);
	clear_old(s->old, s->stacks);
	clear_old(s->late, s->stacks);
	free(s->even);
	free(s->group);
	free(s->late_group);
	free(s->drift);
	free(s->fraction);
	free(s->found.distance);
	free(s->found.sector);
	free(s->found.sector_age);
	free(s->stack_of);
	free(s->sets);
	free(s);
}

double ws_sample_cost(double requests, double rate)
{
	double sure = 2.0 * WS_SAMPLE_BURST, later = requests - sure;

	if (rate >= 1 || later <= 0)
		return requests;
	return sure + later * (1.0 / WS_SAMPLE_PERIOD + COST_ANY + COST_CHOSEN * rate);
}

uint64_t ws_sampler_lines(const struct ws_sampler *s)
{
	uint64_t lines = s->watch ? s->watch->lines.count : 0;

	for (size_t i = 0; i < s->levels; i++)
		lines += s->level[i].watch ? s->level[i].watch->lines.count : 0;
	return lines;
}

/* ---- requests ------------------------------------------------------------------------ */

/* Whatever is watched, its sectors are the same: of a burst, or of the active level. */
static uint32_t mask_of(const struct ws_sampler *s, uint32_t sectors)
{
	const struct ws_watch *w = s->watch ? s->watch : s->level[s->active].watch;

	return ws_watch_mask(w, sectors);
}

static enum ws_status count_all(struct ws_sampler *s, const struct ws_request *request,
				size_t count, struct ws_err *err)
{
	uint64_t kinds[WS_KINDS] = { 0 };
	uint64_t stores = 0, atomics = 0;

	for (size_t i = 0; i < count; i++) {
		unsigned kind = request[i].kind;

		if (kind >= WS_KINDS)
			return ws_fail(err, WS_EINVAL, "a request of kind %u: expected 0 to %u",
				       kind, WS_KINDS - 1);
		stores += kind == WS_STORE;
		atomics += kind == WS_ATOMIC;
	}
	kinds[WS_LOAD] = count - stores - atomics;
	kinds[WS_STORE] = stores;
	kinds[WS_ATOMIC] = atomics;
	for (unsigned k = 0; k < WS_KINDS; k++) {
		s->requests[k] += kinds[k];
		s->period_requests[WS_SAMPLE_REQUESTS][k] += kinds[k];
	}
	for (size_t i = 0; i < count && s->sectored; i++) {
		unsigned kind = request[i].kind;

		for (uint32_t m = mask_of(s, request[i].sectors); m; m &= m - 1) {
			s->sectors[kind]++;
			s->period_requests[WS_SAMPLE_SECTORS][kind]++;
		}
	}
	return WS_OK;
}

static enum ws_status push_block(struct ws_sampler *s, const struct ws_request *request,
				 size_t count, struct ws_err *err)
{
	enum ws_status status = WS_OK;

	if (s->now % BATCH == 0)
		status = ws_sampler_turn(s, err);
	if (status == WS_OK)
		status = count_all(s, request, count, err);
	if (status == WS_OK && s->watch)
		status = ws_sampler_watch(s, request, count, err);
	if (status == WS_OK && s->levels)
		status = ws_sampler_choose(s, request, count, err);
	s->now += count;
	return status;
}

enum ws_status ws_sampler_push(struct ws_sampler *s, const struct ws_request *request,
			       size_t count, struct ws_err *err)
{
	enum ws_status status = WS_OK;

	for (size_t i = 0, n; i < count && status == WS_OK; i += n) {
		n = BATCH - (size_t)(s->now % BATCH);
		n = n < count - i ? n : count - i;
		status = push_block(s, request + i, n, err);
	}
	return status;
}
