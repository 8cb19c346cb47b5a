/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * model/replay/estimate.c -- estimates the hits of all requests from those in a sample of sets
 * (replay.h).
 */
#include "model/replay/parts.h"
#include "model/constants.h"
#include "model/reuse.h"

#include <gsl/gsl_cdf.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define POINTS 100.0
#define REPEATS_MOST 8u		/* of a policy that draws random numbers */
#define REPEATS_LEAST 3u
#define REPEATS_REQUESTS (1u << 17) /* more repeats than the least if all together have fewer */

struct repeats {
	unsigned repeats;
	double ratio[REPEATS_MOST]; /* hits of finite requests in the sample, by repeat */
};

struct strata {
	double all[WS_KINDS][WS_BINS]; /* of the geometry */
	double count[WS_KINDS][WS_BINS]; /* in the sample */
	double finite;		/* sum of all[] */
	double unseen;		/* of them, those in strata without a request in the sample */
	double sampled;		/* finite requests in the sample */
	uint64_t hits[WS_REPLAY_CELLS]; /* in the sample, of all repeats */
};

/* Adds up the hits so far; returns those of finite requests. */
static double hits_so_far(const struct ws_replayed *p, uint64_t hits[WS_REPLAY_CELLS])
{
	const uint16_t *cell = p->r->cell;
	const uint8_t *hit = p->hits;
	const size_t items = p->r->items;
	uint64_t finite = 0;

	memset(hits, 0, WS_REPLAY_CELLS * sizeof *hits);
	for (size_t i = 0; i < items; i++)
		hits[cell[i] & WS_REPLAY_CELL_MASK] += hit[i];
	for (size_t i = WS_REPLAY_CELL(0, 0, 0); i < WS_REPLAY_CELLS; i++)
		finite += hits[i];
	return (double)finite;
}

static enum ws_status replay_all(struct ws_replayed *p, struct repeats *e, struct strata *s,
				 struct ws_err *err)
{
	unsigned most = REPEATS_LEAST;
	struct ws_rng before;
	enum ws_status status = WS_OK;
	double hits = 0, all;

	if (p->r->items && REPEATS_REQUESTS / p->r->items > most)
		most = (unsigned)(REPEATS_REQUESTS / p->r->items);
	ws_rng_seed(&p->rng, 1);
	before = p->rng;
	for (e->repeats = 0; e->repeats < most && e->repeats < REPEATS_MOST; e->repeats++) {
		status = ws_replayed_pass(p, err);
		if (status != WS_OK)
			return status;
		all = hits_so_far(p, s->hits);
		e->ratio[e->repeats] = all - hits;
		hits = all;
		if (!memcmp(&before, &p->rng, sizeof before))
			most = 1; /* it draws no numbers: all repeats would be alike */
	}
	return WS_OK;
}

/* The geometry's finite requests of a kind, by bin. */
static void finite_of(const struct ws_histogram *h, double *count)
{
	memset(count, 0, WS_BINS * sizeof *count);
	for (uint32_t i = 0; i < h->len; i++)
		count[ws_bin(ws_cell_first(i, WS_DISTANCE_BITS))] += (double)h->distance[i];
}

/* The sample's requests by kind and bin, summed over groups. */
static void add_groups(const struct ws_replayed *p, struct strata *s, struct ws_solution *out)
{
	memset(s->count, 0, sizeof s->count);
	memset(out->at, 0, sizeof out->at);
	for (unsigned group = 0; group < p->r->groups; group++)
		for (unsigned kind = 0; kind < WS_KINDS; kind++)
			for (unsigned b = 0; b < WS_BINS; b++) {
				size_t cell = WS_REPLAY_CELL(group, kind, b);

				s->count[kind][b] += (double)p->r->count[cell];
				out->at[kind][b] += (double)s->hits[cell];
			}
	for (unsigned kind = 0; kind < WS_KINDS; kind++)
		out->beyond[kind] = (double)s->hits[kind];
}

static void stratify(const struct ws_replayed *p, unsigned repeats, struct strata *s,
		     struct ws_solution *out)
{
	double guess[WS_BINS], missing = 0;

	s->finite = s->unseen = s->sampled = 0;
	add_groups(p, s, out);
	for (unsigned kind = 0; kind < WS_KINDS; kind++) {
		const double *count = s->count[kind];

		finite_of(p->q->geometry->kind + kind, s->all[kind]);
		for (unsigned b = 0; b < WS_BINS; b++) {
			guess[b] = ws_type_lru(b, p->ways);
			if (count[b] > 0)
				out->at[kind][b] /= count[b] * repeats;
			else
				s->unseen += s->all[kind][b];
			s->sampled += count[b];
			s->finite += s->all[kind][b];
		}
		ws_positions_fill(count, guess, out->at[kind]);
		for (unsigned b = 0; b < WS_BINS; b++)
			missing += s->all[kind][b] * (1 - out->at[kind][b]);
	}
	for (unsigned kind = 0; kind < WS_KINDS; kind++)
		out->beyond[kind] *= (s->sampled > 0 ? s->finite / s->sampled : 1) / repeats;
	out->missing = s->finite > 0 ? missing / s->finite : 0;
}

/* One of the equal parts of a run. */
static void part_in_time(const struct ws_replayed *p, const struct ws_replay_run *run, size_t part,
			 unsigned repeats, double scale, struct ws_solution_part *to)
{
	size_t from = (part * run->items + WS_SOLUTION_PARTS - 1) / WS_SOLUTION_PARTS;
	size_t end = ((part + 1) * run->items + WS_SOLUTION_PARTS - 1) / WS_SOLUTION_PARTS;
	const unsigned past = p->store == WS_ACT_FETCH ? 0 : WS_REPLAY_STORE; /* does not fill */
	const uint16_t *cell = p->r->cell;
	uint64_t fills = 0, finite = 0, hits = 0;
	unsigned filling[4], counted[4]; /* by an item's flags: all bits, or none */

	for (unsigned flags = 0; flags < 4; flags++) {
		filling[flags] = flags * WS_REPLAY_FINITE & past ? 0 : UINT_MAX;
		counted[flags] = flags & 1 ? UINT_MAX : 0;
	}
	for (size_t i = run->item + from; i < run->item + end; i++) {
		unsigned flags = cell[i] / WS_REPLAY_FINITE, hit = p->hits[i];

		fills += (repeats - hit) & filling[flags];
		finite += counted[flags] & 1;
		hits += hit & counted[flags];
	}
	to->fills += (double)fills * scale;
	to->finite += (double)(repeats * finite) * scale;
	to->hits += (double)hits * scale;
}

/* Means of an SM in a launch.  Runs that have no set in the sample are not counted; they are few as
 * long as the sample has more than one set of a cache. */
static void in_time(const struct ws_replayed *p, unsigned repeats, struct ws_solution *out)
{
	const struct ws_replay *r = p->r;
	double scale = ldexp(1, (int)r->halvings) / repeats / fmax(1, (double)r->runs);

	if (scale * repeats * (double)r->runs > (double)p->q->cache->sets)
		scale *= (double)p->q->cache->sets / ldexp(1, (int)r->halvings);
	for (size_t k = 0; k < r->runs; k++)
		for (size_t part = 0; part < WS_SOLUTION_PARTS; part++)
			part_in_time(p, r->run + k, part, repeats, scale, out->part + part);
}

/* The miss ratio of the finite requests without the group's sets. */
static double without(const struct ws_replayed *p, unsigned repeats, const struct strata *s,
		      const struct ws_solution *of, unsigned group)
{
	double missing = 0;

	for (unsigned kind = 0; kind < WS_KINDS; kind++)
		for (unsigned b = 0; b < WS_BINS; b++) {
			size_t cell = WS_REPLAY_CELL(group, kind, b);
			double count = s->count[kind][b], at = of->at[kind][b];
			double left = count - (double)p->r->count[cell];

			if (!(s->all[kind][b] > 0))
				continue;
			if (left > 0.5)
				at = (count * at - (double)s->hits[cell] / repeats) / left;
			else if (count > 0)
				at = ws_type_lru(b, p->ways);
			missing += s->all[kind][b] * (1 - at);
		}
	return s->finite > 0 ? missing / s->finite : 0;
}

/* Variance of the miss ratio between samples of 2 groups or more.  *freedom: its effective degrees
 * of freedom (Satterthwaite 1946), fewer than groups if a few groups make most of it. */
static double between_sets(const struct ws_replayed *p, unsigned repeats, const struct strata *s,
			   const struct ws_solution *of, double *freedom)
{
	double mean = 0, sum = 0, fourth = 0, ratio[WS_REPLAY_GROUPS];
	unsigned groups = p->r->groups;

	for (unsigned i = 0; i < groups; i++) {
		ratio[i] = without(p, repeats, s, of, i);
		mean += ratio[i] / groups;
	}
	for (unsigned i = 0; i < groups; i++) {
		double square = (ratio[i] - mean) * (ratio[i] - mean);

		sum += square;
		fourth += square * square;
	}
	/* 2 / (variance of the variance / its square), from the squares' kurtosis. */
	*freedom = fourth > 0 ? 2 * groups / fmax(1, groups * fourth / (sum * sum) - 1)
			      : groups - 1;
	return sum * (groups - 1) / groups;
}

/* The same as if each request of a stratum hit independently of the others. */
static double between_requests(const struct strata *s, const struct ws_solution *of)
{
	double sum = 0;

	for (unsigned kind = 0; kind < WS_KINDS; kind++)
		for (unsigned b = 0; b < WS_BINS; b++) {
			double count = s->count[kind][b], at = of->at[kind][b];
			double weight = s->finite > 0 ? s->all[kind][b] / s->finite : 0;

			if (count > 0)
				sum += weight * weight * at * (1 - at) / count;
		}
	return sum;
}

/* Variance of the hit ratio between runs of a policy that draws random numbers. */
static double between_repeats(const struct repeats *e, double sampled)
{
	double mean = 0, sum = 0;

	for (unsigned i = 0; i < e->repeats; i++)
		mean += e->ratio[i] / e->repeats;
	for (unsigned i = 0; i < e->repeats; i++)
		sum += (e->ratio[i] - mean) * (e->ratio[i] - mean);
	return e->repeats > 1 && sampled > 0 ? sum / (e->repeats - 1) / (sampled * sampled) : 0;
}

/* Has the policy state that only sets of the sample train? */
static bool shares(const struct ws_replayed *p)
{
	return p->policy->cache_words || p->policy->table_bytes;
}

/* What the choice of sets adds to the variance; *t: how much wider Student's law is than the normal
 * law. */
static void judge_sets(const struct ws_replayed *p, unsigned repeats, const struct strata *s,
		       struct ws_solution *out, double *variance, double *t)
{
	double f = s->finite > 0 ? fmin(1, s->sampled / s->finite) : 1, freedom, between;

	out->low_confidence = p->r->clusters < WS_REPLAY_SETS_FEW || shares(p);
	if (p->r->groups < 2)
		return;
	between = between_sets(p, repeats, s, out, &freedom);
	*variance += (1 - f) * fmax(between, between_requests(s, out));
	freedom = fmin(p->r->groups - 1, fmax(WS_REPLAY_FREEDOM_LEAST, freedom));
	*t = fmax(*t, WS_REPLAY_WIDER * gsl_cdf_tdist_Pinv(0.975, freedom) / WS_REPLAY_NORMAL);
}

static void judge(const struct ws_replayed *p, const struct repeats *e, const struct strata *s,
		  struct ws_solution *out)
{
	double f = s->finite > 0 ? fmin(1, s->sampled / s->finite) : 1, t = 1, half;
	double noise = between_repeats(e, s->sampled), variance = noise / e->repeats + noise * f;

	if (e->repeats > 1)
		t = gsl_cdf_tdist_Pinv(0.975, e->repeats - 1) / WS_REPLAY_NORMAL;
	if (p->r->halvings)
		judge_sets(p, e->repeats, s, out, &variance, &t);
	half = POINTS * (WS_REPLAY_NORMAL * t * sqrt(variance) +
			 (s->finite > 0 ? s->unseen / s->finite : 0));
	if (p->r->halvings)
		half += WS_REPLAY_LEAST_PP * (1 - f) + (shares(p) ? WS_REPLAY_SHARED_PP : 0);
	out->error_pp = fmin(POINTS, WS_REPLAY_EXPECTED * half);
	out->below_pp = out->above_pp = fmin(POINTS, half);
	out->low_confidence = out->low_confidence || half > WS_REPLAY_WIDE_PP;
}

enum ws_status ws_replay_solve(const struct ws_replay *r, const struct ws_query *q,
			       struct ws_solution *out, struct ws_err *err)
{
	struct ws_replayed p = { .r = r, .q = q, .policy = q->use->policy,
			      .store = ws_store_act(q->cache->write),
			      .ways = (unsigned)q->cache->ways,
			      .late = q->late && r->time && !q->use->policy->offline };
	struct repeats e;
	struct strata *s = ws_alloc(1, sizeof *s);
	enum ws_status status = ws_policy_state_new(&p.state, p.policy, r->sets_most + 1,
						    q->cache->ways, err);

	p.reserves = p.late && q->cache->alloc == WS_ALLOC_ON_MISS;
	if (status == WS_OK && (!s || !ws_replayed_room(&p)))
		status = ws_fail_memory(err, "a sample of sets");
	if (status == WS_OK)
		status = replay_all(&p, &e, s, err);
	if (status == WS_OK) {
		out->replayed = true;
		stratify(&p, e.repeats, s, out);
		in_time(&p, e.repeats, out);
		judge(&p, &e, s, out);
	}
	ws_replayed_clear(&p);
	free(s);
	return status;
}
