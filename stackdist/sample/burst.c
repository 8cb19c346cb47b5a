/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * stackdist/sample/burst.c -- the exact beginning, bursts and their periods (sample.h): what is
 * counted of the requests in them.
 */
#include "stackdist/sample/part.h"

#include <assert.h>
#include <string.h>

#define BATCH WS_SAMPLE_BATCH

/* ---- counting ---------------------------------------------------------------------- */

/* d[stack * BATCH]: distances; q / sets is what a fully associative cache would need. */
static bool count_finite(const struct ws_sampler *s, struct ws_sample_part *p, const uint32_t *d,
			 double weight)
{
	bool ok = ws_mass_add(p->distance, d[0], weight);

	for (size_t i = 1; i < s->stacks && ok; i++) {
		uint32_t fraction = (uint32_t)(d[0] / s->sets[i]), here = d[i * BATCH];

		ok = ws_mass_add(p->distance + i, here, weight) &&
		     ws_mass_add(p->capacity + i, here < fraction ? here : fraction, weight);
	}
	return ok;
}

/* How distances of young requests that are nearly old lie about a fraction of those with one
 * set. */
static inline void count_share(struct ws_sampler *s, const uint32_t *d, uint64_t age)
{
	if (age < s->burst / 4 || *d > WS_DISTANCE_MAX)
		return;
	for (size_t i = 1; i < s->stacks; i++) {
		double mean = d[0] / (double)s->sets[i], off = d[i * BATCH] - mean;

		s->fraction[i].square += off * off;
		s->fraction[i].expected += mean;
	}
}

/* Of the exact beginning. */
static bool count_sure(struct ws_sampler *s, struct ws_sample_part *p, const uint32_t *d)
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

static bool count_young(struct ws_sampler *s, struct ws_sample_part *p, const uint32_t *d,
			double weight)
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
		s->burst_requests[WS_SAMPLE_REQUESTS][kind]++;
		if (s->exact) {
			ok = count_sure(s, s->sure[WS_SAMPLE_REQUESTS] + kind, f->distance + i);
			weight = weight > 0 && s->levels ? 1 : 0;
		}
		if (weight <= 0 || !ok)
			continue;
		ok = count_young(s, s->now_part[WS_SAMPLE_REQUESTS] + kind, f->distance + i,
				 weight);
		count_share(s, f->distance + i, f->age[i]);
	}
	return ok;
}

static bool count_sector(struct ws_sampler *s, unsigned kind, size_t at, double weight)
{
	struct ws_sample_part *p = (s->exact ? s->sure : s->now_part)[WS_SAMPLE_SECTORS] + kind;
	const uint32_t *m = s->found.sector + at;
	size_t stride = BATCH * (size_t)s->watch->by.count;
	bool ok = true;

	s->burst_requests[WS_SAMPLE_SECTORS][kind]++;
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

enum ws_status ws_sampler_watch(struct ws_sampler *s, const struct ws_request *request,
				size_t count, struct ws_err *err)
{
	uint64_t *when = s->when;
	enum ws_status status;

	assert(count <= BATCH);
	for (size_t i = 0; i < count; i++)
		when[i] = s->now + i;
	status = ws_watch_push(s->watch, request, when, count, &s->found, err);
	if (status == WS_OK && (!count_watched(s, request, count) ||
			(s->sectored && !count_sectors(s, request, count))))
		status = ws_fail_memory(err, "the counts of a sampler");
	return status;
}

/* ---- bursts and periods ---------------------------------------------------------------- */

static double sum(const struct ws_mass *m, size_t from, size_t to)
{
	double n = 0;

	for (size_t i = from; i < to && i < m->len; i++)
		n += m->at[i];
	return n;
}

/* Shares of the burst below each bin; how far they are from those of the burst before. */
static void end_drift(struct ws_drift *d, const struct ws_mass *m, double n, double off_all,
		      bool first)
{
	double below = 0;
	size_t cell = 0;

	for (unsigned i = 0; i < WS_BINS; i++) {
		size_t next = ws_cell(ws_bin_first(i), WS_DISTANCE_BITS);
		double off;

		below += sum(m, cell, next) / n;
		cell = next;
		off = below - d->last[i];
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
		const struct ws_sample_part *p = s->now_part[WS_SAMPLE_REQUESTS] + k;
		struct ws_sample_spread *x = s->spread + k;
		double n = (double)s->burst_requests[WS_SAMPLE_REQUESTS][k], all, off;
		bool first = s->exact || x->last < 0;

		if (n <= 0)
			continue;
		all = (sum(p->distance, 0, SIZE_MAX) + p->uncached) / n;
		off = all - x->last;
		for (size_t i = 0; i < s->stacks; i++)
			end_drift(s->drift[i] + k, p->distance + i, n, off, first);
		x->square += first ? 0 : off * off;
		x->count += !first;
		x->last = all;
	}
}

static void empty_parts(struct ws_sampler *s)
{
	for (unsigned k = 0; k < 2 * WS_KINDS; k++) {
		struct ws_sample_part *p = s->now_part[k / WS_KINDS] + k % WS_KINDS;

		p->cold = p->uncached = 0;
		for (size_t i = 0; i < s->stacks && p->distance; i++) {
			p->distance[i].len = 0;
			if (p->capacity)
				p->capacity[i].len = 0;
		}
	}
	memset(s->burst_requests, 0, sizeof s->burst_requests);
}

/* In the exact beginning, of as many requests as a burst has. */
static void end_burst(struct ws_sampler *s)
{
	end_drifts(s);
	if (s->exact)
		empty_parts(s);
}

/* The burst stands for its period: n of its requests for N. */
static bool add_part(const struct ws_sampler *s, struct ws_sample_part *to,
		     const struct ws_sample_part *from, double scale)
{
	bool ok = true;

	to->cold += scale * from->cold;
	to->uncached += scale * from->uncached;
	for (size_t i = 0; i < s->stacks && ok; i++) {
		ok = ws_mass_sum(to->distance + i, from->distance + i, scale);
		if (to->capacity)
			ok = ok && ws_mass_sum(to->capacity + i, from->capacity + i, scale);
	}
	return ok;
}

/* A kind that the burst did not have, or without a whole burst: all are old if the kind has
 * not had one before, else see `unmatched` in estimate.c. */
static bool end_period_of(struct ws_sampler *s, unsigned what, unsigned kind, bool whole)
{
	struct ws_sample_part *p = s->part[what] + kind;
	double all = (double)s->period_requests[what][kind];
	double n = (double)s->burst_requests[what][kind];
	bool ok = true, known = p->all > 0;

	if (!p->distance || kind == WS_ATOMIC)
		return true;
	if (whole && n > 0) {
		ok = add_part(s, p, s->now_part[what] + kind, all / n);
		if (what == WS_SAMPLE_REQUESTS)
			s->spread[kind].squared += all * all;
	} else if (!known) {
		ok = ws_late_add(s, what, kind);
	}
	if ((whole && n > 0) || !known)
		p->all += all;
	ws_late_empty(s, what, kind);
	return ok;
}

bool ws_sampler_end_period(struct ws_sampler *s)
{
	bool whole = s->now >= s->begin + s->burst, ok = true;

	for (unsigned what = 0; what < 2; what++)
		for (unsigned k = 0; k < WS_KINDS; k++)
			ok = ok && end_period_of(s, what, k, whole);
	memset(s->period_requests, 0, sizeof s->period_requests);
	empty_parts(s);
	return ok;
}

static void begin_period(struct ws_sampler *s)
{
	uint64_t length = s->now / 2 / BATCH * BATCH;

	length = length < 2 * s->burst ? 2 * s->burst : length;
	length = length > WS_SAMPLE_PERIOD * s->burst ? WS_SAMPLE_PERIOD * s->burst : length;
	s->period_end = s->now + length;
	s->begin = s->now + ws_rng_below(&s->rng, (length - s->burst) / BATCH + 1) * BATCH;
	assert(s->begin + s->burst <= s->period_end);
}

static bool end_exact(struct ws_sampler *s)
{
	s->group = ws_alloc_zero(WS_KINDS, sizeof *s->group);
	s->late_group = ws_alloc_zero(WS_KINDS, sizeof *s->late_group);
	if (!s->group || !s->late_group)
		return false;
	ws_watch_free(s->watch);
	s->watch = NULL;
	s->exact = false;
	memset(s->period_requests, 0, sizeof s->period_requests);
	empty_parts(s);
	s->exact_until = s->now;
	begin_period(s);
	return true;
}

static enum ws_status turn_period(struct ws_sampler *s, struct ws_err *err)
{
	enum ws_status status = ws_sampler_flush(s, err);

	if (status == WS_OK && !ws_sampler_end_period(s))
		status = ws_fail_memory(err, "the counts of a sampler");
	begin_period(s);
	return status;
}

/* What begins or ends here: now is a multiple of BATCH. */
enum ws_status ws_sampler_turn(struct ws_sampler *s, struct ws_err *err)
{
	enum ws_status status = WS_OK;

	assert(s->now % BATCH == 0);
	if (s->exact) {
		if (s->now && s->now % s->burst == 0)
			end_burst(s);
		if (s->now < s->exact_until &&
		    (!s->lines_max || s->watch->lines.count <= s->lines_max))
			return WS_OK;
		if (!end_exact(s))
			return ws_fail_memory(err, "the counts of a sampler");
	}
	if (s->watch && s->now == s->begin + s->burst) {
		end_burst(s);
		ws_watch_free(s->watch);
		s->watch = NULL;
	}
	if (s->now == s->period_end)
		status = turn_period(s, err);
	if (status == WS_OK && s->now == s->begin)
		status = ws_watch_new(&s->watch, &s->cache, s->sets, s->stacks, err);
	return status;
}
