/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * stackdist/sample.c -- bursts and chosen lines (sample.h): what is counted of them.
 * What is concluded from the counts is in sample_estimate.c.
 *
 * Requests are worked off in blocks that end where the count of all is a multiple of BATCH, and
 * so do bursts and periods; chosen ones are gathered into batches.  So what is
 * counted does not depend on how the stream is cut into pushes.
 */
#include "stackdist/sample_part.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define BATCH WS_SAMPLE_BATCH
#define SHRINK 4.0	/* rate of a level by that of the next */
#define BLOCK_BITS 16	/* log2 of the lines that share an offset */

enum { REQUESTS, SECTORS };

/* ---- life ------------------------------------------------------------------------ */

static bool new_part(struct ws_part *p, size_t stacks, bool capacity)
{
	p->distance = ws_alloc_zero(stacks, sizeof(*p->distance));
	p->capacity = capacity ? ws_alloc_zero(stacks, sizeof(*p->capacity)) : NULL;
	return p->distance && (p->capacity || !capacity);
}

static bool new_parts(struct ws_sampler *s, struct ws_part (*part)[WS_KINDS])
{
	bool ok = true;

	for (unsigned k = 0; k < WS_KINDS; k++) {
		ok = ok && new_part(part[REQUESTS] + k, s->stacks, true);
		if (s->sectored)
			ok = ok && new_part(part[SECTORS] + k, s->stacks, false);
	}
	return ok;
}

static bool new_old(struct ws_sampler *s)
{
	bool ok = true;

	for (struct ws_old *o = *s->old; o < *s->old + 2 * WS_KINDS && ok; o++) {
		o->placed = ws_alloc_zero(s->stacks, sizeof(*o->placed));
		o->before = ws_alloc_zero(s->stacks, sizeof(*o->before));
		ok = o->placed && o->before;
	}
	return ok;
}

static void clear_old(struct ws_sampler *s)
{
	for (struct ws_old *o = *s->old; o < *s->old + 2 * WS_KINDS; o++) {
		for (size_t i = 0; i < s->stacks; i++) {
			if (o->placed)
				free(o->placed[i].at);
			if (o->before)
				free(o->before[i].at);
		}
		free(o->placed);
		free(o->before);
	}
}

static void clear_parts(struct ws_part (*part)[WS_KINDS], size_t stacks)
{
	for (struct ws_part *p = *part; p < *part + 2 * WS_KINDS; p++) {
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
	s->stack_of = ws_alloc(set_counts + 1, sizeof(*s->stack_of));
	s->sets = ws_alloc(set_counts + 1, sizeof(*s->sets));
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
	s->drift = ws_alloc_zero(s->stacks, sizeof(*s->drift));
	s->share = ws_alloc_zero(s->stacks, sizeof(*s->share));
	f->distance = ws_alloc(s->stacks * BATCH, sizeof(*f->distance));
	if (sectors) {
		f->sector = ws_alloc(s->stacks * BATCH * sectors, sizeof(*f->sector));
		f->sector_age = ws_alloc(BATCH * sectors, sizeof(*f->sector_age));
	}
	s->even = ws_alloc_zero(s->stacks, sizeof(*s->even));
	return s->drift && s->share && s->even && new_old(s) && f->distance && (!sectors || (f->sector && f->sector_age)) &&
	       new_parts(s, s->sure) && new_parts(s, s->part) && new_parts(s, s->now_part);
}

static enum ws_status add_level(struct ws_sampler *s, double rate, struct ws_err *err)
{
	struct ws_level *l = s->level + s->levels++;
	double places = ldexp(rate, 64);

	l->last = places < 1 ? 0 : (uint64_t)places - 1;
	l->rate = ldexp((double)l->last + 1, -64);
	return ws_watch_new(&l->watch, &s->cache, s->sets, s->stacks, err);
}

/* The rate asked for and one to compare it with; with a limit, all that may be needed. */
static enum ws_status new_levels(struct ws_sampler *s, double rate, struct ws_err *err)
{
	enum ws_status status;
	size_t most = s->lines_max ? WS_SAMPLE_LEVELS : 2;

	if (rate >= 1 && !s->lines_max)
		return WS_OK;
	s->group = ws_alloc_zero(WS_KINDS, sizeof(*s->group));
	if (!s->group)
		return ws_fail_memory(err, "a sampler");
	rate = rate >= 1 ? 1 / SHRINK : rate;
	status = add_level(s, rate, err);
	while (s->levels < most && (s->levels < 2 || rate > 1e-9) && !status) {
		rate /= SHRINK;
		status = add_level(s, rate, err);
	}
	return status;
}

static enum ws_status start(struct ws_sampler *s, const uint64_t *sets, size_t set_counts,
			    double rate, struct ws_err *err)
{
	enum ws_status status;

	if (!new_stacks(s, sets, set_counts))
		return ws_fail_memory(err, "a sampler");
	status = ws_watch_new(&s->watch, &s->cache, s->sets, s->stacks, err);
	if (!status && !new_counts(s))
		status = ws_fail_memory(err, "a sampler");
	return status ? status : new_levels(s, rate, err);
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
	s = ws_alloc_zero(1, sizeof(*s));
	if (!s)
		return ws_fail_memory(err, "a sampler");
	s->cache = *cache;
	s->sectored = cache->sector_bytes != cache->line_bytes;
	while (cache->line_bytes >> s->shift > 1 && !(cache->line_bytes >> s->shift & 1))
		s->shift++;
	s->exact = true;
	s->lines_max = lines_max;
	s->exact_until = rate < 1 ? 0 : UINT64_MAX;
	ws_sampler_burst(s, WS_SAMPLE_BURST);
	s->block = UINT64_MAX;
	ws_rng_seed(&s->rng, seed);
	s->offset = ws_rng_u64(&s->rng);
	status = start(s, sets, set_counts, rate, err);
	if (status) {
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
	clear_old(s);
	free(s->even);
	free(s->group);
	free(s->drift);
	free(s->share);
	free(s->found.distance);
	free(s->found.sector);
	free(s->found.sector_age);
	free(s->stack_of);
	free(s->sets);
	free(s);
}

uint64_t ws_sampler_lines(const struct ws_sampler *s)
{
	uint64_t lines = s->watch ? s->watch->lines.count : 0;

	for (size_t i = 0; i < s->levels; i++)
		lines += s->level[i].watch ? s->level[i].watch->lines.count : 0;
	return lines;
}

/* ---- counting ---------------------------------------------------------------------- */

/* As ws_bin, without its end. */
unsigned ws_sample_bin(double q)
{
	uint64_t x = q < 4e9 ? (uint64_t)q : 4000000000u;
	unsigned o;

	if (x < 8)
		return (unsigned)x;
	o = ws_log2(x);
	return 8 + 4 * (o - 3) + (x >> (o - 2) & 3);
}

double ws_sample_bin_first(unsigned bin)
{
	return bin < 8 ? bin : ldexp(4 + (bin - 8) % 4, (int)((bin - 8) / 4 + 1));
}

static bool grow(struct ws_mass *m, uint32_t cell)
{
	double *at = ws_grow(m->at, &m->cap, (size_t)cell + 1, sizeof(*at));

	if (!at)
		return false;
	for (size_t i = m->len; i <= cell; i++)
		at[i] = 0;
	m->at = at;
	m->len = (size_t)cell + 1;
	return true;
}

bool ws_mass_add(struct ws_mass *m, uint32_t d, double weight)
{
	uint32_t cell = d >> WS_DISTANCE_BITS ? ws_cell(d, WS_DISTANCE_BITS) : d;

	if (cell >= m->len && !grow(m, cell))
		return false;
	m->at[cell] += weight;
	return true;
}

/* d[stack * BATCH]: distances; q / sets is what a fully associative cache would need. */
static bool count_finite(const struct ws_sampler *s, struct ws_part *p, const uint32_t *d,
			 double weight)
{
	bool ok = ws_mass_add(p->distance, d[0], weight);

	for (size_t i = 1; i < s->stacks && ok; i++) {
		uint32_t share = (uint32_t)(d[0] / s->sets[i]), here = d[i * BATCH];

		ok = ws_mass_add(p->distance + i, here, weight) &&
		     ws_mass_add(p->capacity + i, here < share ? here : share, weight);
	}
	return ok;
}

/* Distances of a young request as shares of the burst, and how those near to being old
 * lie about a share of those with one set. */
static void count_drift(struct ws_sampler *s, unsigned kind, const uint32_t *d, uint64_t age,
			double weight)
{
	s->spread[kind].all += weight;
	if (d[0] > WS_DISTANCE_MAX)
		return;
	for (size_t i = 0; i < s->stacks; i++)
		s->drift[i][kind].share[ws_bin(d[i * BATCH])] += weight;
	if (age < s->burst / 4)
		return;
	for (size_t i = 1; i < s->stacks; i++) {
		double mean = d[0] / (double)s->sets[i], off = d[i * BATCH] - mean;

		s->share[i].square += off * off;
		s->share[i].expected += mean;
	}
}

/* Of the exact beginning. */
static bool count_sure(struct ws_sampler *s, struct ws_part *p, const uint32_t *d)
{
	p->all++;
	p->cold += *d == WS_DISTANCE_COLD;
	p->uncached += *d == WS_DISTANCE_UNCACHED;
	return *d > WS_DISTANCE_MAX || count_finite(s, p, d, 1);
}

/* Of a burst; 0: not young. */
static inline double weight_of(const struct ws_sampler *s, uint64_t age)
{
	return age > s->burst / 2 ? 0 : (double)s->burst / (double)(s->burst - age);
}

static bool count_young(struct ws_sampler *s, struct ws_part *p, const uint32_t *d, double weight)
{
	if (*d > WS_DISTANCE_MAX) {
		p->uncached += weight;
		return true;
	}
	return count_finite(s, p, d, weight);
}

static bool count_watched(struct ws_sampler *s, const struct ws_request *request, size_t count)
{
	const struct ws_watched *f = &s->found;
	bool ok = true;

	for (size_t i = 0; i < count && ok; i++) {
		unsigned kind = request[i].kind;
		double weight = weight_of(s, f->age[i]);

		if (kind == WS_ATOMIC)
			continue;
		s->burst_requests[REQUESTS][kind]++;
		if (s->exact)
			ok = count_sure(s, s->sure[REQUESTS] + kind, f->distance + i);
		if (weight <= 0)
			continue;
		if (s->exact)
			weight = 1;
		else
			ok = count_young(s, s->now_part[REQUESTS] + kind, f->distance + i, weight);
		count_drift(s, kind, f->distance + i, f->age[i], weight);
	}
	return ok;
}

static bool count_sector(struct ws_sampler *s, unsigned kind, size_t at, double weight)
{
	struct ws_part *p = (s->exact ? s->sure : s->now_part)[SECTORS] + kind;
	const uint32_t *m = s->found.sector + at;
	size_t stride = BATCH * (size_t)s->watch->sectors;
	bool ok = true;

	s->burst_requests[SECTORS][kind]++;
	if (s->exact) {
		p->all++;
		p->cold += *m == WS_DISTANCE_COLD;
		weight = 1;
	}
	if (weight > 0)
		p->uncached += *m == WS_DISTANCE_UNCACHED ? weight : 0;
	if (weight <= 0 || *m > WS_DISTANCE_MAX)
		return true;
	for (size_t i = 0; i < s->stacks && ok; i++)
		ok = ws_mass_add(p->distance + i, m[i * stride], weight);
	return ok;
}

static bool count_sectors(struct ws_sampler *s, const struct ws_request *request, size_t count)
{
	size_t at = 0;
	bool ok = true;

	for (size_t i = 0; i < count && ok; i++) {
		uint32_t mask = ws_watch_mask(s->watch, request[i].sectors);

		for (; mask && ok; mask &= mask - 1, at++)
			if (request[i].kind != WS_ATOMIC)
				ok = count_sector(s, request[i].kind, at,
						  weight_of(s, s->found.sector_age[at]));
	}
	return ok;
}

static enum ws_status push_watched(struct ws_sampler *s, const struct ws_request *request,
				   size_t count, struct ws_err *err)
{
	uint64_t when[BATCH];
	enum ws_status status;

	for (size_t i = 0; i < count; i++)
		when[i] = s->now + i;
	status = ws_watch_push(s->watch, request, when, count, &s->found, err);
	if (!status && (!count_watched(s, request, count) ||
			(s->sectored && !count_sectors(s, request, count))))
		status = ws_fail_memory(err, "the counts of a sampler");
	return status;
}

/* ---- bursts and periods ---------------------------------------------------------------- */

/* Shares of the burst below each bin; how far they are from those of the burst before. */
static void end_drift(struct ws_drift *d, double n, double off_all, bool first)
{
	double sum = 0;

	for (unsigned i = 0; i < WS_BINS; i++) {
		double below = sum / n, off = below - d->last[i];

		sum += d->share[i];
		d->share[i] = 0;
		d->last[i] = below;
		if (first)
			continue;
		d->square[i] += off * off;
		d->product[i] += off * off_all;
	}
}

static void end_drifts(struct ws_sampler *s)
{
	for (unsigned k = 0; k < WS_KINDS; k++) {
		struct ws_spread *x = s->spread + k;
		double n = (double)s->burst_requests[REQUESTS][k], off;
		bool first = s->exact || x->last < 0;

		if (n <= 0)
			continue;
		off = x->all / n - x->last;
		for (size_t i = 0; i < s->stacks; i++)
			end_drift(s->drift[i] + k, n, off, first);
		x->square += first ? 0 : off * off;
		x->count += !first;
		x->last = x->all / n;
		x->all = 0;
	}
}

static void end_burst(struct ws_sampler *s)
{
	end_drifts(s);
	if (s->exact)
		memset(s->burst_requests, 0, sizeof(s->burst_requests));
}

static bool add_mass(struct ws_mass *to, struct ws_mass *from, double scale)
{
	if (from->len > to->len && !grow(to, (uint32_t)from->len - 1))
		return false;
	for (size_t i = 0; i < from->len; i++)
		to->at[i] += scale * from->at[i];
	from->len = 0;
	return true;
}

/* The burst stands for its period: n of its requests for N. */
static bool add_part(const struct ws_sampler *s, struct ws_part *to, struct ws_part *from,
		     double scale)
{
	bool ok = true;

	to->cold += scale * from->cold;
	to->uncached += scale * from->uncached;
	from->all = from->cold = from->uncached = 0;
	for (size_t i = 0; i < s->stacks && ok; i++) {
		ok = add_mass(to->distance + i, from->distance + i, scale);
		if (to->capacity)
			ok = ok && add_mass(to->capacity + i, from->capacity + i, scale);
	}
	return ok;
}

/* Without a whole burst nothing is added: see `orphans` in sample_estimate.c. */
bool ws_sampler_end_period(struct ws_sampler *s)
{
	bool whole = s->now >= s->begin + s->burst, ok = true;

	for (unsigned what = 0; what < 2; what++)
		for (unsigned k = 0; k < WS_KINDS; k++) {
			double all = (double)s->period_requests[what][k];
			double n = (double)s->burst_requests[what][k];
			double scale = whole && n > 0 ? all / n : 0;

			if (!s->part[what][k].distance)
				continue;
			ok = ok && add_part(s, s->part[what] + k, s->now_part[what] + k, scale);
			s->part[what][k].all += scale > 0 ? all : 0;
			if (what == REQUESTS && scale > 0)
				s->spread[k].squared += all * all;
		}
	memset(s->period_requests, 0, sizeof(s->period_requests));
	memset(s->burst_requests, 0, sizeof(s->burst_requests));
	return ok;
}

static void begin_period(struct ws_sampler *s)
{
	uint64_t length = s->now / 2 / BATCH * BATCH;

	length = length < 2 * s->burst ? 2 * s->burst : length;
	length = length > WS_SAMPLE_PERIOD * s->burst ? WS_SAMPLE_PERIOD * s->burst : length;
	s->period_end = s->now + length;
	s->begin = s->now + ws_rng_below(&s->rng, (length - s->burst) / BATCH + 1) * BATCH;
}

static void end_exact(struct ws_sampler *s)
{
	ws_watch_free(s->watch);
	s->watch = NULL;
	s->exact = false;
	memset(s->burst_requests, 0, sizeof(s->burst_requests));
	memset(s->period_requests, 0, sizeof(s->period_requests));
	s->exact_until = s->now;
	for (unsigned k = 0; k < WS_KINDS; k++) {
		s->spread[k].all = 0;
		for (size_t i = 0; i < s->stacks; i++)
			memset(s->drift[i][k].share, 0, sizeof(s->drift[i][k].share));
	}
	begin_period(s);
}

/* What begins or ends here: now is a multiple of BATCH. */
static enum ws_status turn(struct ws_sampler *s, struct ws_err *err)
{
	if (s->exact) {
		if (s->now && s->now % s->burst == 0)
			end_burst(s);
		if (s->now < s->exact_until &&
		    (!s->lines_max || s->watch->lines.count <= s->lines_max))
			return WS_OK;
		end_exact(s);
	}
	if (s->watch && s->now == s->begin + s->burst) {
		end_burst(s);
		ws_watch_free(s->watch);
		s->watch = NULL;
	}
	if (s->now == s->period_end) {
		if (!ws_sampler_end_period(s))
			return ws_fail_memory(err, "the counts of a sampler");
		begin_period(s);
	}
	if (s->now == s->begin)
		return ws_watch_new(&s->watch, &s->cache, s->sets, s->stacks, err);
	return WS_OK;
}

/* ---- chosen lines ------------------------------------------------------------------------- */

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
	return count_old(s, s->old[REQUESTS] + kind, d, BATCH, 1 / l->rate);
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
				ok = count_old(s, s->old[SECTORS] + c->request[i].kind,
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
		ok = ok && ws_old_spread(s->old[REQUESTS] + k, s->stacks, l) &&
		     ws_old_spread(s->old[SECTORS] + k, s->stacks, l);
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

/* ---- all -------------------------------------------------------------------------------------- */

static enum ws_status choose(struct ws_sampler *s, const struct ws_request *request, size_t count,
			     struct ws_err *err)
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

/* Whatever is watched, its sectors are the same. */
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
		s->period_requests[REQUESTS][k] += kinds[k];
	}
	for (size_t i = 0; i < count && s->sectored; i++) {
		unsigned kind = request[i].kind;

		for (uint32_t m = mask_of(s, request[i].sectors); m; m &= m - 1) {
			s->sectors[kind]++;
			s->period_requests[SECTORS][kind]++;
		}
	}
	return WS_OK;
}

static enum ws_status push_block(struct ws_sampler *s, const struct ws_request *request,
				 size_t count, struct ws_err *err)
{
	enum ws_status status = WS_OK;

	if (s->now % BATCH == 0)
		status = turn(s, err);
	if (!status)
		status = count_all(s, request, count, err);
	if (!status && s->watch)
		status = push_watched(s, request, count, err);
	if (!status && s->levels)
		status = choose(s, request, count, err);
	s->now += count;
	return status;
}

enum ws_status ws_sampler_push(struct ws_sampler *s, const struct ws_request *request,
			       size_t count, struct ws_err *err)
{
	enum ws_status status = WS_OK;

	for (size_t i = 0, n; i < count && !status; i += n) {
		n = BATCH - (size_t)(s->now % BATCH);
		n = n < count - i ? n : count - i;
		status = push_block(s, request + i, n, err);
	}
	return status;
}
