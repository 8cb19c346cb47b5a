/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * model/chunks.c -- hits of chunks of lines and of sectors, from their distances (stackdist.h).
 *
 * Elastic-Cache of chunks of g words and W ways:   hits = sum over d < W of distance[d],
 *
 * and of the other requests, the tail of capacity[] at W are capacity misses.  DyCache is replayed
 * (grains.c); the fraction of capacity misses among its misses under a grain is that of the grain
 * alone.  The errors of both against what validate/grain/grain.h defines were measured
 * (validate/grains.csv), as were the bounds below.  Sectors as chunks are exact.
 */
#include "model/answers.h"
#include "model/constants.h"
#include "model/grains.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#define REGION_BITS 22u		/* of smaller regions are sets with words of several */
#define POINTS 100.0

bool ws_chunks_asked(const struct ws_profile *p, const struct ws_cache *cache)
{
	const struct ws_cache *own = &p->machine.l1;

	if (!ws_organisation_of(cache)->sectors)
		return ws_organisation_of(cache)->sub_sectors;
	return own->sector_bytes == own->line_bytes && p->sections && p->section->chunkeds &&
	       cache->line_bytes == WS_GRAIN_LINE && cache->sector_bytes == WS_SECTOR_BYTES;
}

static enum ws_status find_chunked(const struct ws_profile *p, size_t section,
				   const struct ws_cache *cache, const struct ws_chunked **out,
				   struct ws_err *err)
{
	char text[WS_NAME_MAX];

	ws_organisation_text(&cache->organised, text, sizeof text);
	if (section >= p->sections)
		return ws_fail(err, WS_EINVAL, "kernel %zu of a profile of %zu", section,
			       p->sections);
	*out = ws_section_chunked(p->section + section, cache->sets);
	if (cache->line_bytes == WS_GRAIN_LINE && *out)
		return WS_OK;
	if (!p->section[section].chunkeds)
		return ws_fail_remedy(err, WS_REMEDY_CHUNKS, "l1.organisation = %s is predicted "
				      "from chunks, and the profile has none: profile the trace "
				      "again with chunks", text);
	return ws_fail(err, WS_EINVAL, "the profile holds no chunks for %" PRIu64 " sets of lines "
		       "of %" PRIu64 " B: profile the trace again for them", cache->sets,
		       cache->line_bytes);
}

static enum ws_status check_windows(const struct ws_grain_runs *runs, const struct ws_cache *cache,
				    struct ws_err *err)
{
	if (!runs->period)
		return ws_fail_remedy(err, WS_REMEDY_WINDOWS, "l1.organisation = %s is "
				      "replayed from windows of time, and the profile has none: "
				      "profile the trace again with windows of %" PRIu64,
				      ws_organisation_of(cache)->name, cache->grain_period);
	if (cache->grain_period % runs->period)
		return ws_fail_remedy(err, WS_REMEDY_WINDOWS, "l1.grain.period = %" PRIu64 " is no "
				      "multiple of the profile's windows of %" PRIu64 " requests: "
				      "profile the trace again with windows of %" PRIu64,
				      cache->grain_period, runs->period, cache->grain_period);
	return WS_OK;
}

static enum ws_status check_chunks(const struct ws_profile *p, size_t section,
				   const struct ws_cache *cache, const struct ws_use *use,
				   const struct ws_chunked **out, struct ws_err *err)
{
	const struct ws_organisation *organisation = ws_organisation_of(cache);
	enum ws_status status;

	if (!organisation->predicted)
		return ws_fail_remedy(err, WS_REMEDY_SIMULATE, "l1.organisation: there is no model "
				      "of %s, only a simulation", organisation->name);
	if (!use->policy->of_words)
		return ws_fail(err, WS_EINVAL, "policy %s of chunks or sectors: this profile tells "
			       "those of lru", use->policy->name);
	status = ws_answer_check_keys(p, cache, err);
	if (status == WS_OK && cache->ways > WS_CHUNK_LINES && organisation->chunks)
		status = ws_fail(err, WS_EINVAL, "chunks in %" PRIu64 " ways: up to %u are "
				 "predicted", cache->ways, WS_CHUNK_LINES);
	if (status == WS_OK)
		status = find_chunked(p, section, cache, out, err);
	if (status == WS_OK && organisation->dynamic)
		status = check_windows(&p->section[section].grains, cache, err);
	return status;
}

enum ws_status ws_chunks_check(const struct ws_profile *p, size_t section,
			       const struct ws_cache *cache, const struct ws_use *use,
			       struct ws_err *err)
{
	const struct ws_chunked *c;

	return check_chunks(p, section, cache, use, &c, err);
}

static enum ws_chunk_form form_of(const struct ws_cache *cache)
{
	if (ws_organisation_of(cache)->sectors)
		return WS_FORM_SECTORS;
	return cache->organised.parameter == WS_SECTOR_BYTES ? WS_FORM_32 : WS_FORM_64;
}

/* Cold and uncached misses are certain, except for DyCache. */
static void margins(const struct ws_cache *cache, struct ws_prediction *out)
{
	bool dynamic = ws_organisation_of(cache)->dynamic;
	double half = (dynamic ? WS_CHUNKS_DYCACHE_HALF : WS_CHUNKS_ELASTIC_HALF) / POINTS;

	out->basis = WS_APPROX;
	out->low_confidence = cache->chunk_victim != WS_CHUNK_ANY ||
		      cache->chunk_invalid != WS_CHUNK_INVALID_FIRST ||
		      ws_region_shift(cache) < REGION_BITS;
	for (unsigned kind = 0; kind <= WS_KINDS; kind++) {
		const struct ws_counts *c = out->kind + kind;
		double ratio = out->low[kind], certain = 0;

		if (c->requests && !dynamic)
			certain = (double)(c->cold + c->uncached) / (double)c->requests;
		out->error_pp[kind] = dynamic ? WS_CHUNKS_DYCACHE_ERROR : WS_CHUNKS_ELASTIC_ERROR;
		out->low[kind] = fmax(certain, out->low_confidence ? 0 : ratio - half);
		out->high[kind] = out->low_confidence ? 1 : fmin(1, ratio + half);
	}
}

/* Counts with one grain, or with sectors, for the cache's ways. */
static enum ws_status static_form(const struct ws_chunked *c, enum ws_chunk_form form,
				  const struct ws_cache *cache, struct ws_prediction *out,
				  struct ws_err *err)
{
	struct ws_geometry g = { 0 };
	const struct ws_query q = { .cache = cache, .geometry = &g };

	memcpy(g.kind, c->kind[form], sizeof g.kind);
	return ws_plain_policy()->predict(&q, out, err);
}

static uint64_t rounded(double x, uint64_t most)
{
	return x > 0 ? x < (double)most ? (uint64_t)(x + 0.5) : most : 0;
}

/* out->kind[] must hold the counts of whole lines. */
static enum ws_status dynamic(const struct ws_section *s, const struct ws_chunked *c,
			      const struct ws_cache *cache, struct ws_prediction *out,
			      struct ws_err *err)
{
	struct ws_prediction of[WS_GRAINS] = { { .low_confidence = false } };
	struct ws_grain_replay r;
	enum ws_status status = static_form(c, WS_FORM_128, cache, out, err);

	for (unsigned i = 0; i < WS_GRAINS && status == WS_OK; i++)
		status = static_form(c, (enum ws_chunk_form)i, cache, of + i, err);
	ws_grain_replay(s, c, cache, &r);
	for (unsigned kind = WS_LOAD; kind <= WS_STORE && status == WS_OK; kind++) {
		struct ws_counts *n = out->kind + kind;
		double capacity = 0;

		for (unsigned i = 0; i < WS_GRAINS; i++) {
			const struct ws_counts *alone = of[i].kind + kind;
			uint64_t all = alone->capacity + alone->conflict;

			if (all)
				capacity += r.finite[kind][i] * (double)alone->capacity /
					    (double)all;
		}
		n->hits = rounded(r.hits[kind], n->requests);
		n->misses = n->requests - n->hits;
		n->uncached = rounded(r.uncached[kind], n->misses);
		n->cold = rounded(r.cold[kind], n->misses - n->uncached);
		n->capacity = rounded(capacity, n->misses - n->uncached - n->cold);
		n->conflict = n->misses - n->uncached - n->cold - n->capacity;
	}
	return status;
}

enum ws_status ws_chunks_predict(const struct ws_profile *p, size_t section,
				 const struct ws_cache *cache, const struct ws_use *use,
				 struct ws_prediction *out, struct ws_err *err)
{
	const struct ws_chunked *c = NULL;
	enum ws_status status = check_chunks(p, section, cache, use, &c, err);

	memset(out, 0, sizeof *out);
	if (status != WS_OK)
		return status;
	status = ws_organisation_of(cache)->dynamic
		? dynamic(p->section + section, c, cache, out, err)
		: static_form(c, form_of(cache), cache, out, err);
	for (unsigned kind = 0; kind < WS_KINDS; kind++)
		ws_counts_add(out->kind + WS_KINDS, out->kind + kind);
	ws_prediction_close(out);
	out->basis = WS_EXACT;
	if (ws_organisation_of(cache)->chunks)
		margins(cache, out);
	return status;
}
