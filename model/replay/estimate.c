/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * model/replay/estimate.c -- from what hits in a sample of sets to all requests (replay.h).
 */
#include "model/replay/parts.h"
#include "model/constants.h"
#include "model/reuse.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define POINTS 100.0
#define GROUPS 32u		/* of sets, to see how they vary */
#define REPEATS_MOST 8u		/* of a policy that draws random numbers */
#define REPEATS_LEAST 3u
#define REPEATS_REQUESTS (1u << 17) /* of all repeats, if they are more than the least */

struct repeats {
	unsigned repeats;
	double ratio[REPEATS_MOST]; /* hits of finite requests in the sample, by repeat */
};

/* Hits so far, of finite requests. */
static double hits_so_far(const struct ws_replayed *p)
{
	double hits = 0;

	for (size_t i = 0; i < p->r->items; i++)
		hits += p->r->item[i].bin != WS_REPLAY_NOT_FINITE ? p->hits[i] : 0;
	return hits;
}

static enum ws_status replay_all(struct ws_replayed *p, struct repeats *e, struct ws_err *err)
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
		all = hits_so_far(p);
		e->ratio[e->repeats] = all - hits;
		hits = all;
		if (!memcmp(&before, &p->rng, sizeof before))
			most = 1; /* it draws no numbers: all repeats would be alike */
	}
	return WS_OK;
}

/* Of the geometry's finite requests of a kind: by bin. */
static void finite_of(const struct ws_histogram *h, double *count)
{
	memset(count, 0, WS_BINS * sizeof *count);
	for (uint32_t i = 0; i < h->len; i++)
		count[ws_bin(ws_cell_first(i, WS_DISTANCE_BITS))] += (double)h->distance[i];
}

struct strata {
	double all[WS_KINDS][WS_BINS]; /* of the geometry */
	double finite;		/* sum of all[] */
	double unseen;		/* of them, of strata with nothing in the sample */
	double sampled;		/* finite ones in the sample */
};

static void stratify(const struct ws_replayed *p, unsigned repeats, struct strata *s,
		     struct ws_solution *out)
{
	double guess[WS_BINS], missing = 0;

	*s = (struct strata){ 0 };
	memset(out->at, 0, sizeof out->at);
	memset(out->beyond, 0, sizeof out->beyond);
	for (size_t i = 0; i < p->r->items; i++) {
		const struct ws_replay_item *item = p->r->item + i;
		bool finite = item->bin != WS_REPLAY_NOT_FINITE;

		*(finite ? &out->at[item->kind][item->bin] : &out->beyond[item->kind]) +=
			p->hits[i];
	}
	for (unsigned kind = 0; kind < WS_KINDS; kind++) {
		const double *count = p->r->count[kind];

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

/* Of an SM in a launch, in the mean.  A run without sets in the sample is not known of; where one
 * set is less than the sample has of a cache, they are few. */
static void in_time(const struct ws_replayed *p, unsigned repeats, struct ws_solution *out)
{
	const struct ws_replay *r = p->r;
	double scale = ldexp(1, (int)r->halvings) / repeats / fmax(1, (double)r->runs);

	if (scale * repeats * (double)r->runs > (double)p->q->cache->sets)
		scale *= (double)p->q->cache->sets / ldexp(1, (int)r->halvings);
	for (size_t k = 0; k < r->runs; k++)
		for (size_t i = 0; i < r->run[k].items; i++) {
			const struct ws_replay_item *item = r->item + r->run[k].item + i;
			double hits = p->hits[r->run[k].item + i];
			struct ws_solution_part *part =
				out->part + i * WS_SOLUTION_PARTS / r->run[k].items;

			if (item->kind != WS_STORE || p->store == WS_ACT_FETCH)
				part->fills += (repeats - hits) * scale;
			if (item->bin == WS_REPLAY_NOT_FINITE)
				continue;
			part->finite += repeats * scale;
			part->hits += hits * scale;
		}
}

struct group {			/* of sets: what they have in the sample */
	double count[WS_KINDS][WS_BINS], hits[WS_KINDS][WS_BINS];
};

static void group_sets(const struct ws_replayed *p, unsigned repeats, unsigned groups,
		       struct group *group)
{
	const struct ws_replay *r = p->r;

	for (size_t k = 0; k < r->runs; k++)
		for (size_t i = 0; i < r->run[k].items; i++) {
			const struct ws_replay_run *run = r->run + k;
			const struct ws_replay_item *item = r->item + run->item + i;
			size_t set = run->cluster + r->set[run->line + item->line];
			struct group *g = group + set % groups;

			if (item->bin == WS_REPLAY_NOT_FINITE)
				continue;
			g->count[item->kind][item->bin]++;
			g->hits[item->kind][item->bin] += (double)p->hits[run->item + i] / repeats;
		}
}

/* The miss ratio of the finite requests, had the group's sets not been in the sample. */
static double without(const struct ws_replayed *p, const struct strata *s,
		      const struct ws_solution *of, const struct group *g)
{
	double missing = 0;

	for (unsigned kind = 0; kind < WS_KINDS; kind++)
		for (unsigned b = 0; b < WS_BINS; b++) {
			double count = p->r->count[kind][b], left = count - g->count[kind][b];
			double at = of->at[kind][b];

			if (left > 0.5)
				at = (count * at - g->hits[kind][b]) / left;
			else if (count > 0)
				at = ws_type_lru(b, p->ways);
			missing += s->all[kind][b] * (1 - at);
		}
	return s->finite > 0 ? missing / s->finite : 0;
}

/* Variance of the miss ratio between samples; groups: into how many the sets are put, 2 or more.
 * *freedom: of how many independent squares it is a sum, so to speak: fewer than of groups where a
 * few of these make most of it (Satterthwaite 1946). */
static double between_sets(const struct ws_replayed *p, unsigned repeats, const struct strata *s,
			   const struct ws_solution *of, unsigned groups, struct group *group,
			   double *freedom)
{
	double mean = 0, sum = 0, fourth = 0, ratio[GROUPS];

	memset(group, 0, groups * sizeof *group);
	group_sets(p, repeats, groups, group);
	for (unsigned i = 0; i < groups; i++) {
		ratio[i] = without(p, s, of, group + i);
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

/* The same if hits of a stratum were drawn one by one. */
static double between_requests(const struct ws_replayed *p, const struct strata *s,
			       const struct ws_solution *of)
{
	double sum = 0;

	for (unsigned kind = 0; kind < WS_KINDS; kind++)
		for (unsigned b = 0; b < WS_BINS; b++) {
			double count = p->r->count[kind][b], at = of->at[kind][b];
			double weight = s->finite > 0 ? s->all[kind][b] / s->finite : 0;

			if (count > 0)
				sum += weight * weight * at * (1 - at) / count;
		}
	return sum;
}

/* Variance of the hit ratio that is drawn anew by each run of the policy. */
static double between_repeats(const struct repeats *e, double sampled)
{
	double mean = 0, sum = 0;

	for (unsigned i = 0; i < e->repeats; i++)
		mean += e->ratio[i] / e->repeats;
	for (unsigned i = 0; i < e->repeats; i++)
		sum += (e->ratio[i] - mean) * (e->ratio[i] - mean);
	return e->repeats > 1 && sampled > 0 ? sum / (e->repeats - 1) / (sampled * sampled) : 0;
}

/* State that only sets of the sample train. */
static bool shares(const struct ws_replayed *p)
{
	return p->policy->cache_words || p->policy->table_bytes;
}

/* What the choice of sets adds to the variance; *t: how much wider the law is than the normal
 * one. */
static enum ws_status judge_sets(const struct ws_replayed *p, unsigned repeats,
				 const struct strata *s, struct ws_solution *out, double *variance,
				 double *t, struct ws_err *err)
{
	unsigned groups = p->r->clusters < GROUPS ? (unsigned)p->r->clusters : GROUPS;
	struct group *group = ws_alloc(groups + 1, sizeof *group);

	out->low_confidence = p->r->clusters < WS_REPLAY_SETS_FEW || shares(p);
	if (!group)
		return ws_fail_memory(err, "a sample of sets");
	if (groups > 1) {
		double f = s->finite > 0 ? fmin(1, s->sampled / s->finite) : 1, freedom;
		double between = between_sets(p, repeats, s, out, groups, group, &freedom);

		*variance += (1 - f) * fmax(between, between_requests(p, s, out));
		freedom = fmin(groups - 1, fmax(WS_REPLAY_FREEDOM_LEAST, freedom));
		*t = fmax(*t, WS_REPLAY_WIDER * gsl_cdf_tdist_Pinv(0.975, freedom) /
				      WS_REPLAY_NORMAL);
	}
	free(group);
	return WS_OK;
}

static enum ws_status judge(const struct ws_replayed *p, const struct repeats *e,
			    const struct strata *s, struct ws_solution *out, struct ws_err *err)
{
	double f = s->finite > 0 ? fmin(1, s->sampled / s->finite) : 1, t = 1, half;
	double noise = between_repeats(e, s->sampled), variance = noise / e->repeats + noise * f;
	enum ws_status status = WS_OK;

	if (e->repeats > 1)
		t = gsl_cdf_tdist_Pinv(0.975, e->repeats - 1) / WS_REPLAY_NORMAL;
	if (p->r->halvings)
		status = judge_sets(p, e->repeats, s, out, &variance, &t, err);
	half = POINTS * (WS_REPLAY_NORMAL * t * sqrt(variance) +
			 (s->finite > 0 ? s->unseen / s->finite : 0));
	if (p->r->halvings)
		half += WS_REPLAY_LEAST_PP * (1 - f) + (shares(p) ? WS_REPLAY_SHARED_PP : 0);
	out->error_pp = fmin(POINTS, WS_REPLAY_EXPECTED * half);
	out->below_pp = out->above_pp = fmin(POINTS, half);
	out->low_confidence = out->low_confidence || half > WS_REPLAY_WIDE_PP;
	return status;
}

enum ws_status ws_replay_solve(const struct ws_replay *r, const struct ws_query *q,
			       struct ws_solution *out, struct ws_err *err)
{
	struct ws_replayed p = { .r = r, .q = q, .policy = q->use->policy,
			      .store = ws_store_act(q->cache->write),
			      .ways = (unsigned)q->cache->ways,
			      .late = q->late && r->time && !q->use->policy->offline };
	struct repeats e;
	struct strata s;
	enum ws_status status = ws_policy_state_new(&p.state, p.policy, r->sets_most + 1,
						    q->cache->ways, err);

	p.reserves = p.late && q->cache->alloc == WS_ALLOC_ON_MISS;
	if (status == WS_OK && !ws_replayed_room(&p))
		status = ws_fail_memory(err, "a sample of sets");
	if (status == WS_OK)
		status = replay_all(&p, &e, err);
	if (status == WS_OK) {
		out->replayed = true;
		stratify(&p, e.repeats, &s, out);
		in_time(&p, e.repeats, out);
		status = judge(&p, &e, &s, out, err);
	}
	ws_replayed_clear(&p);
	return status;
}
