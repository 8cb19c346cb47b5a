/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * model/model.c -- from a profile and a cache to counts: checks that the profile can answer
 * (check.c), asks the policy, adds up the kinds, and sets the confidence.
 *
 * In a sampled profile the misses of a kind with W ways are an estimate.  The histogram has its
 * variance at a few distances, between which it is monotonic; the larger of the two neighbours' is
 * taken for W.  All kinds are estimated from the same lines, so standard deviations add up over
 * kinds.
 */
#include "model/answers.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#define NORMAL_95 1.959963984540054	/* deviations that hold 95 % of a normal law */
#define POINTS 100.0			/* percentage points of a ratio of 1 */

/* ---- how sure ------------------------------------------------------------------------ */

/* The standard deviation of the misses with this number of ways. */
static double deviation(const struct ws_histogram *h, uint64_t ways)
{
	unsigned bin = ws_bin(ways < UINT32_MAX ? (uint32_t)ways : UINT32_MAX);
	uint64_t variance;

	if (!h->variance)
		return 0;
	variance = h->variance[bin];
	if (ways > ws_bin_first(bin) && bin + 1 < WS_BINS && h->variance[bin + 1] > variance)
		variance = h->variance[bin + 1];
	return sqrt((double)variance);
}

/* Sets the 95 % interval of a kind's miss ratio, within 0 .. 1. */
static void open_up(struct ws_prediction *p, unsigned kind, double sd)
{
	uint64_t requests = p->kind[kind].requests;
	double half = requests ? NORMAL_95 * sd / (double)requests : 0;
	double ratio = p->low[kind];

	p->low[kind] = fmax(0, ratio - half);
	p->high[kind] = fmin(1, ratio + half);
	assert(p->low[kind] <= ratio && ratio <= p->high[kind]);
	half = fmax(ratio - p->low[kind], p->high[kind] - ratio);
	p->error_pp[kind] = fmin(POINTS, p->error_pp[kind] + POINTS * half);
}

static bool sampled(const struct ws_profile *p, const struct ws_geometry *g)
{
	bool any = p->sample_rate > 0 && p->sample_rate < 1;

	for (unsigned kind = 0; kind < WS_KINDS; kind++)
		any = any || g->kind[kind].variance;
	return any;
}

static void low_confidence(const struct ws_query *q, struct ws_prediction *p)
{
	double sum = 0;

	for (unsigned kind = 0; kind < WS_KINDS; kind++) {
		double sd = deviation(q->geometry->kind + kind, q->cache->ways);

		open_up(p, kind, sd);
		sum += sd;
	}
	p->basis = WS_APPROX;
	open_up(p, WS_KINDS, sum);
}

/* ---- answers ------------------------------------------------------------------------- */

/* With one way, or without evictions, all policies that never bypass are LRU. */
static bool same_as_lru(const struct ws_query *q)
{
	const struct ws_detail *d = q->geometry->detail;

	return !q->use->policy->bypass &&
	       (q->cache->ways == 1 || (d && ws_evicting(d, q->cache->ways) <= 0));
}

static enum ws_status solve_question(struct ws_query *q, struct ws_prediction *out,
				     struct ws_err *err)
{
	const struct ws_policy *policy = q->use->policy;
	struct ws_solution solution;
	bool replayed = ws_replay_suits(q->geometry, policy);
	enum ws_status status = WS_OK;

	if (!replayed && policy->needs & WS_RECORD_WINDOWS)
		status = ws_shared_reuse(q->shared, q->place, q->geometry, &q->windows, err);
	if (status == WS_OK)
		status = ws_shared_solve(q, q->use, &solution, err);
	if (status == WS_OK && solution.replayed)
		out->basis = WS_APPROX;
	return status != WS_OK ? status : ws_finish(q, &solution, out, err);
}

/* Corrects LRU's counts, which hold if data comes at once, for data that comes late. */
static enum ws_status come_late(const struct ws_query *query, struct ws_prediction *out,
				    struct ws_err *err)
{
	const struct ws_policy *lru = ws_plain_policy();
	struct ws_query q = *query;
	struct ws_solution late, once;
	enum ws_status status = ws_shared_solve_default(&q, lru, &late, err);

	q.late = false;
	if (status == WS_OK)
		status = ws_shared_solve_default(&q, lru, &once, err);
	if (status == WS_OK)
		ws_finish_late(query, &late, &once, out);
	return status;
}

/* Has the profile a sample of sets with the cycles in which data comes?  *empty: there is a sample,
 * but it holds none of this cache's sets. */
static bool comes_late(const struct ws_query *q, bool *empty)
{
	const struct ws_set_sample *s = q->geometry->sample;

	*empty = q->cache->alloc == WS_ALLOC_ON_FILL && q->cache->ways && s && s->halvings &&
		 !s->requests;
	return q->cache->ways && ws_replay_suits(q->geometry, ws_plain_policy()) &&
	       ws_replay_timed(q->geometry);
}

/* Sets the intervals of all kinds, whose ends are distances from the ratios so far. */
static void intervals(struct ws_prediction *p)
{
	for (unsigned kind = 0; kind <= WS_KINDS; kind++) {
		double ratio = ws_miss_ratio(p->kind + kind, false);

		p->low[kind] = fmax(0, ratio - p->low[kind]);
		p->high[kind] = fmin(1, ratio + p->high[kind]);
	}
}

enum ws_status ws_answer(struct ws_query *q, struct ws_prediction *out, struct ws_err *err)
{
	const struct ws_policy *policy = q->use->policy, *by = policy;
	bool same = !policy->predict && same_as_lru(q), empty;
	enum ws_status status;

	memset(out, 0, sizeof *out);
	q->late = comes_late(q, &empty);
	if (same)
		by = ws_plain_policy();
	out->basis = by->basis;
	status = by->predict ? by->predict(q, out, err) : solve_question(q, out, err);
	if (status == WS_OK && by->predict && q->late)
		status = come_late(q, out, err);
	if (empty) {
		out->basis = WS_APPROX;
		out->low_confidence = true;
	}
	for (unsigned kind = 0; kind < WS_KINDS && status == WS_OK; kind++) {
		ws_counts_add(out->kind + WS_KINDS, out->kind + kind);
		if (!ws_counts_check(out->kind + kind))
			status = ws_fail(err, WS_EIO, "internal error: the counts of policy %s do "
					 "not add up", policy->name);
	}
	if (status == WS_OK)
		intervals(out);
	return status;
}

static enum ws_status predict_cache(const struct ws_profile *p, const struct ws_model *a,
				    struct ws_shared *shared, size_t section,
					    const struct ws_cache *cache,
				    struct ws_prediction *out, struct ws_err *err)
{
	struct ws_use use;
	struct ws_query q = { .cache = cache, .use = &use, .shared = shared };
	size_t geometry;
	enum ws_status status = ws_use_of(&use, cache, err);

	if (status != WS_OK)
		return status;
	if (ws_chunks_asked(p, cache))
		return ws_chunks_predict(p, section, cache, &use, out, err);
	status = ws_answer_check(p, section, cache, &use, &q.geometry, err);
	if (status != WS_OK)
		return status;
	geometry = (size_t)(q.geometry - p->section[section].geometry);
	if (p->section[section].launches)
		q.cycles = (double)p->section[section].cycles /
			   (double)p->section[section].launches;
	if (a) {
		q.tail = ws_model_geometry(a, section, geometry);
		q.place = a->place[section] + geometry;
	}
	status = ws_answer(&q, out, err);
	if (status == WS_OK && sampled(p, q.geometry))
		low_confidence(&q, out);
	return status;
}

enum ws_status ws_predict_check(const struct ws_profile *p, size_t section,
				const struct ws_cache *cache, struct ws_err *err)
{
	const struct ws_geometry *geometry;
	struct ws_use use;
	enum ws_status status = ws_use_of(&use, cache, err);

	if (status != WS_OK)
		return status;
	if (ws_chunks_asked(p, cache))
		return ws_chunks_check(p, section, cache, &use, err);
	return ws_answer_check(p, section, cache, &use, &geometry, err);
}

enum ws_status ws_predict(const struct ws_profile *p, size_t section,
			  const struct ws_cache *cache, struct ws_prediction *out,
			  struct ws_err *err)
{
	struct ws_shared *shared;
	enum ws_status status = ws_shared_new(&shared, 1, err);

	if (status == WS_OK)
		status = predict_cache(p, NULL, shared, section, cache, out, err);
	ws_shared_free(shared);
	if (status == WS_OK)
		out->instructions = p->section[section].warp_instructions;
	return status;
}

enum ws_status ws_model_predict(const struct ws_model *a, size_t section,
				  const struct ws_cache *cache, struct ws_prediction *out,
				  struct ws_err *err)
{
	enum ws_status status = predict_cache(a->profile, a, a->shared, section, cache, out, err);

	if (status == WS_OK)
		out->instructions = a->profile->section[section].warp_instructions;
	return status;
}

/* Times and MSHRs are the cycle simulator's. */
bool ws_model_same(const struct ws_cache *a, const struct ws_cache *b)
{
	struct ws_cache as;

	if (a->ways != b->ways || a->sets != b->sets)
		return false;
	as = *a;
	as.latency_cycles = b->latency_cycles;
	as.mshr_entries = b->mshr_entries;
	as.mshr_merge = b->mshr_merge;
	return memcmp(&as, b, sizeof as) == 0;
}

/* ---- LRU alone ------------------------------------------------------------------------- */

/* The geometry whose distances alone say what LRU misses in such an L1, NULL: there is none. */
static const struct ws_geometry *of_distances(const struct ws_model *a, size_t section,
					      const struct ws_cache *l1)
{
	const struct ws_profile *p = a->profile;
	struct ws_query q = { .cache = l1 };
	bool empty;

	if (section >= p->sections || !l1->ways || l1->set_ways.runs ||
	    !ws_organised_plainly(l1) || ws_chunks_asked(p, l1) ||
	    l1->sector_bytes != ws_shape_sector(&p->machine, l1->line_bytes) ||
	    ws_key_other(&p->machine, l1, NULL))
		return NULL;
	q.geometry = ws_section_geometry(p->section + section, l1->line_bytes, l1->sets);
	return q.geometry && !comes_late(&q, &empty) ? q.geometry : NULL;
}

bool ws_model_lru(const struct ws_model *a, size_t section, const struct ws_cache *l1,
		  uint64_t ways, double ratio[WS_KINDS + 1])
{
	const struct ws_geometry *g = of_distances(a, section, l1);
	struct ws_counts all = { 0 }, one = { 0 };
	const struct ws_tail *tail;
	size_t from;

	if (!g || !ways || ways >= 1u << WS_DISTANCE_BITS)
		return false;
	tail = ws_model_geometry(a, section, (size_t)(g - a->profile->section[section].geometry));
	from = ws_cell((uint32_t)ways, WS_DISTANCE_BITS);
	for (unsigned kind = 0; kind < WS_KINDS; kind++) {
		const struct ws_histogram *h = &g->kind[kind];

		if (!tail[kind].distance)
			return false;
		one.requests = h->requests;
		one.misses = h->cold + h->uncached +
			     tail[kind].distance[from < h->len ? from : h->len];
		ratio[kind] = ws_miss_ratio(&one, false);
		all.requests += one.requests;
		all.misses += one.misses;
	}
	ratio[WS_KINDS] = ws_miss_ratio(&all, false);
	return true;
}
