/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * model/model.c -- from a profile and a cache to counts: checks that the profile
 * can answer, asks the policy, adds the kinds up, says how sure it is.
 *
 * A profile answers for every number of ways, every policy, and the lines and set counts
 * that it holds; what else shaped its distances (sector, hash, write policy)
 * must be as it was when the profile was made.
 *
 * Of a sampled profile the misses of a kind with W ways are an estimate, whose
 * variance the histogram has at a few distances; it falls towards longer ones or rises, so
 * that of W is taken as the larger of its neighbours'.  What kinds are
 * estimated from are the same lines: for all kinds standard deviations add.
 */
#include "model/answers.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#define NORMAL_95 1.959963984540054	/* 95 % of a normal distribution lie within so many s.d. */
#define POINTS 100.0			/* percentage points of a ratio of 1 */

const char *const ws_basis_names[] = { "exact", "approx", "simulated", NULL };

double ws_miss_ratio(const struct ws_counts *c, bool count_pending)
{
	uint64_t misses = c->misses + (count_pending ? c->pending : 0);

	return c->requests ? (double)misses / (double)c->requests : 0;
}

void ws_prediction_close(struct ws_prediction *p)
{
	for (unsigned kind = 0; kind <= WS_KINDS; kind++)
		p->low[kind] = p->high[kind] = ws_miss_ratio(p->kind + kind, false);
}

void ws_counts_add(struct ws_counts *to, const struct ws_counts *from)
{
	to->requests += from->requests;
	to->hits += from->hits;
	to->pending += from->pending;
	to->misses += from->misses;
	to->cold += from->cold;
	to->capacity += from->capacity;
	to->conflict += from->conflict;
	to->uncached += from->uncached;
	to->sectors += from->sectors;
	to->sectors_missed += from->sectors_missed;
}

static bool same_counts(const struct ws_counts *a, const struct ws_counts *b)
{
	bool both = a->sectors && b->sectors;

	return a->requests == b->requests && a->hits == b->hits && a->pending == b->pending &&
	       a->misses == b->misses && a->cold == b->cold && a->capacity == b->capacity &&
	       a->conflict == b->conflict && a->uncached == b->uncached &&
	       (!both || (a->sectors == b->sectors && a->sectors_missed == b->sectors_missed));
}

bool ws_counts_equal(const struct ws_counts *a, const struct ws_counts *b, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!same_counts(&a[i], &b[i]))
			return false;
	return true;
}

/* Whether parts add up to whole without overflow. */
static bool adds_up(uint64_t whole, const uint64_t *part, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (part[i] > whole)
			return false;
		whole -= part[i];
	}
	return whole == 0;
}

bool ws_counts_check(const struct ws_counts *c)
{
	const uint64_t all[] = { c->hits, c->pending, c->misses };
	const uint64_t missed[] = { c->cold, c->capacity, c->conflict, c->uncached };

	return adds_up(c->requests, all, WS_COUNT(all)) &&
	       adds_up(c->misses, missed, WS_COUNT(missed));
}

/* ---- can the profile answer? ------------------------------------------------------ */

/* What it was made with, as the key's texts. */
static enum ws_status other_key(const struct ws_machine *has, const struct ws_cache *cache,
				const char *name, struct ws_err *err)
{
	const struct ws_key *key = ws_key_find(name);
	char want[2 * WS_NAME_MAX], got[2 * WS_NAME_MAX];
	struct ws_machine asked = *has;

	asked.l1 = *cache;
	ws_machine_get(has, key, want, sizeof(want));
	ws_machine_get(&asked, key, got, sizeof(got));
	return ws_fail(err, WS_EINVAL, "the profile was made with %s = %s, not %s: profile the "
		       "trace again with %s=%s", name, want, got, name, got);
}

/* own: the line of the requests.  Sectors as long as that say no more than lines do. */
static enum ws_status other_sector(const struct ws_cache *cache, uint64_t sector, uint64_t own,
				   struct ws_err *err)
{
	if (cache->sector_bytes >= own && cache->sector_bytes < cache->line_bytes)
		return ws_fail(err, WS_EINVAL, "l1.sector = %" PRIu64 " in lines of %" PRIu64
			       " bytes: with requests for lines of %" PRIu64 ", sectors are "
			       "measured that are shorter than those, or whole lines",
			       cache->sector_bytes, cache->line_bytes, own);
	return ws_fail(err, WS_EINVAL, "the profile has l1.sector = %" PRIu64 " for lines of %"
		       PRIu64 " bytes, not %" PRIu64 ": profile the trace again with l1.sector=%"
		       PRIu64, sector, cache->line_bytes, cache->sector_bytes,
		       cache->sector_bytes);
}

static bool same_hash(const struct ws_cache *a, const struct ws_cache *b)
{
	bool bits = a->hash && a->hash == ws_hash_find("bits");

	return a->hash == b->hash &&
	       (!bits || (a->hash_low == b->hash_low && a->hash_high == b->hash_high));
}

/* Distances beyond 2^WS_DISTANCE_BITS are counted in cells: only whole ones can be told apart. */
static enum ws_status check_ways(uint64_t ways, struct ws_err *err)
{
	if (ways == 0)
		return ws_fail(err, WS_EINVAL, "a cache of 0 ways: expected at least 1");
	if (ways < 1u << WS_DISTANCE_BITS || ways > WS_DISTANCE_MAX ||
	    ws_cell_first(ws_cell((uint32_t)ways, WS_DISTANCE_BITS), WS_DISTANCE_BITS) == ways)
		return WS_OK;
	return ws_fail(err, WS_EINVAL, "a cache of %" PRIu64 " ways: more than %u want 16 to 31 "
		       "times a power of two", ways, 1u << WS_DISTANCE_BITS);
}

enum ws_status ws_answer_check_keys(const struct ws_profile *p, const struct ws_cache *cache,
				    struct ws_err *err)
{
	const struct ws_cache *own = &p->machine.l1;

	if (!same_hash(own, cache))
		return other_key(&p->machine, cache, "l1.hash", err);
	if (own->write != cache->write)
		return other_key(&p->machine, cache, "l1.write", err);
	if (cache->organised.as >= WS_ELASTIC && own->chunk_tag_bits != cache->chunk_tag_bits)
		return other_key(&p->machine, cache, "l1.chunk.tag", err);
	return check_ways(cache->ways, err);
}

static enum ws_status check_cache(const struct ws_profile *p, const struct ws_cache *cache,
				  struct ws_err *err)
{
	uint64_t sector = ws_shape_sector(&p->machine, cache->line_bytes);

	if (cache->sector_bytes != sector)
		return other_sector(cache, sector, p->machine.l1.line_bytes, err);
	return ws_answer_check_keys(p, cache, err);
}

/* "1, 8, 16 of 128 B; 1, 32 of 32 B": the sets of each line. */
static void list_shapes(const struct ws_section *s, char *list, size_t size)
{
	size_t len = 0, i;

	for (i = 0; i < s->geometries && len < size - 48; i++) {
		const struct ws_geometry *g = s->geometry + i;
		bool last = i + 1 == s->geometries || g[1].line_bytes != g->line_bytes;

		len += (size_t)snprintf(list + len, size - len, "%" PRIu64, g->sets);
		if (last)
			len += (size_t)snprintf(list + len, size - len, " of %" PRIu64 " B",
						g->line_bytes);
		if (i + 1 < s->geometries)
			len += (size_t)snprintf(list + len, size - len, last ? "; " : ", ");
	}
	if (i < s->geometries)
		snprintf(list + len, size - len, "...");
}

static enum ws_status no_geometry(const struct ws_section *s, const struct ws_cache *cache,
				  struct ws_err *err)
{
	char list[512] = "";

	list_shapes(s, list, sizeof(list));
	return ws_fail(err, WS_EINVAL, "the profile holds no distances for %" PRIu64 " sets of "
		       "lines of %" PRIu64 " B, but for %s: profile the trace again for them",
		       cache->sets, cache->line_bytes, list);
}

/* Has the profile what the policy's model reads? */
static enum ws_status check_policy(const struct ws_policy *policy, const struct ws_geometry *g,
				   const struct ws_cache *cache, struct ws_err *err)
{
	if (policy->predict || cache->ways == 1)
		return WS_OK;
	if (!policy->solve)
		return ws_fail_remedy(err, WS_REMEDY_SIMULATE, "policy %s has no model, only a "
				      "simulation", policy->name);
	if (!g->detail) /* what is found is told from its references */
		return ws_fail_remedy(err, WS_REMEDY_DETAIL, "policy %s is predicted from reuse "
				      "windows, and the profile holds distances alone: profile all "
				      "lines of the trace again, with details", policy->name);
	return WS_OK;
}

enum ws_status ws_plain_check(const struct ws_cache *cache, const char *what, struct ws_err *err)
{
	if (cache->organised.as <= WS_SECTORS)
		return WS_OK;
	return ws_fail(err, WS_EINVAL, "l1.organisation: %s known of line and sector only, not of "
		       "%s", what, ws_organisation_names[cache->organised.as]);
}

enum ws_status ws_answer_check(const struct ws_profile *p, size_t section,
			       const struct ws_cache *cache, struct ws_use *use,
			       const struct ws_geometry **geometry, struct ws_err *err)
{
	enum ws_status status;

	if (section >= p->sections)
		return ws_fail(err, WS_EINVAL, "kernel %zu of a profile of %zu", section,
			       p->sections);
	status = ws_plain_check(cache, "what each array misses is", err);
	if (status)
		return status;
	status = ws_use_parse(use, cache->policy, err);
	if (!status && use->policy->check)
		status = use->policy->check(use, cache, err);
	if (!status)
		status = check_cache(p, cache, err);
	if (status)
		return status;
	*geometry = ws_section_geometry(p->section + section, cache->line_bytes, cache->sets);
	if (!*geometry)
		return no_geometry(p->section + section, cache, err);
	return check_policy(use->policy, *geometry, cache, err);
}

/* ---- how sure ------------------------------------------------------------------------ */

/* The standard deviation of the misses with so many ways. */
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

/* Opens the 95 % interval of a kind's miss ratio, as far as ratios go. */
static void open_up(struct ws_prediction *p, unsigned kind, double sd)
{
	uint64_t requests = p->kind[kind].requests;
	double half = requests ? NORMAL_95 * sd / (double)requests : 0;
	double ratio = p->low[kind];

	p->low[kind] = fmax(0, ratio - half);
	p->high[kind] = fmin(1, ratio + half);
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

static void unsure(const struct ws_question *q, struct ws_prediction *p)
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

/* With one way, or nothing ever thrown out, all policies are LRU. */
static bool same_as_lru(const struct ws_question *q)
{
	const struct ws_detail *d = q->geometry->detail;

	return q->cache->ways == 1 || (d && ws_evicting(d, q->cache->ways) <= 0);
}

static enum ws_status solve(struct ws_question *q, struct ws_prediction *out, struct ws_err *err)
{
	const struct ws_policy *policy = q->use->policy;
	struct ws_solution solution;
	enum ws_status status = WS_OK;

	if (policy->needs & WS_RECORD_WINDOWS)
		status = ws_shared_reuse(q->shared, q->place, q->geometry, false, &q->windows, err);
	if (!status && policy->needs & WS_RECORD_COUNTED)
		status = ws_shared_reuse(q->shared, q->place, q->geometry, true, &q->counted, err);
	if (!status)
		status = ws_shared_solve(q, q->cache->policy, &solution, err);
	return status ? status : ws_finish(q, &solution, out, err);
}

/* Of all kinds; each kind's ends were set as distances from its ratio. */
static void intervals(struct ws_prediction *p)
{
	for (unsigned kind = 0; kind <= WS_KINDS; kind++) {
		double ratio = ws_miss_ratio(p->kind + kind, false);

		p->low[kind] = fmax(0, ratio - p->low[kind]);
		p->high[kind] = fmin(1, ratio + p->high[kind]);
	}
}

enum ws_status ws_answer(struct ws_question *q, struct ws_prediction *out, struct ws_err *err)
{
	const struct ws_policy *policy = q->use->policy, *by = policy;
	bool same = !policy->predict && same_as_lru(q);
	enum ws_status status;

	memset(out, 0, sizeof(*out));
	if (same)
		by = ws_plain_policy();
	out->basis = by->basis;
	status = by->predict ? by->predict(q, out, err) : solve(q, out, err);
	for (unsigned kind = 0; kind < WS_KINDS && !status; kind++) {
		ws_counts_add(out->kind + WS_KINDS, out->kind + kind);
		if (!ws_counts_check(out->kind + kind))
			status = ws_fail(err, WS_EIO, "internal error: the counts of policy %s do "
					 "not add up", policy->name);
	}
	if (!status)
		intervals(out);
	return status;
}

static enum ws_status predict(const struct ws_profile *p, const struct ws_answers *a,
			      struct ws_shared *shared, size_t section, const struct ws_cache *cache,
			      struct ws_prediction *out, struct ws_err *err)
{
	struct ws_use use;
	struct ws_question q = { .cache = cache, .use = &use, .shared = shared };
	size_t geometry;
	enum ws_status status;

	if (ws_chunks_asked(p, cache))
		return ws_chunks_predict(p, section, cache, out, err);
	status = ws_answer_check(p, section, cache, &use, &q.geometry, err);
	if (status)
		return status;
	geometry = (size_t)(q.geometry - p->section[section].geometry);
	if (a) {
		q.tail = ws_answers_geometry(a, section, geometry);
		q.place = a->place[section] + geometry;
	}
	status = ws_answer(&q, out, err);
	if (!status && sampled(p, q.geometry))
		unsure(&q, out);
	return status;
}

enum ws_status ws_predict_check(const struct ws_profile *p, size_t section,
				const struct ws_cache *cache, struct ws_err *err)
{
	struct ws_use use;
	const struct ws_geometry *geometry;

	if (ws_chunks_asked(p, cache))
		return ws_chunks_check(p, section, cache, err);
	return ws_answer_check(p, section, cache, &use, &geometry, err);
}

enum ws_status ws_predict(const struct ws_profile *p, size_t section,
			  const struct ws_cache *cache, struct ws_prediction *out,
			  struct ws_err *err)
{
	struct ws_shared *shared;
	enum ws_status status = ws_shared_new(&shared, 1, err);

	if (!status)
		status = predict(p, NULL, shared, section, cache, out, err);
	ws_shared_free(shared);
	if (!status)
		out->instructions = p->section[section].warp_instructions;
	return status;
}

enum ws_status ws_answers_predict(const struct ws_answers *a, size_t section,
				  const struct ws_cache *cache, struct ws_prediction *out,
				  struct ws_err *err)
{
	enum ws_status status = predict(a->profile, a, a->shared, section, cache, out, err);

	if (!status)
		out->instructions = a->profile->section[section].warp_instructions;
	return status;
}
