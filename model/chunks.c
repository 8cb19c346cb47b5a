/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * model/chunks.c -- what chunks of lines, and sectors, hit, from their distances (stackdist.h).
 *
 * Elastic-Cache of chunks of g words and W ways:   hits = sum over d < W of distance[d],
 *
 * and of the rest the tail of capacity[] at W are capacity misses.  How far that is from what
 * validate/grain.h defines was measured (validate/grains.csv), and so were the bounds below.  Sectors
 * alike, exactly.
 */
#include "model/answers.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* Points that an Elastic-Cache's miss ratio is off: on average, and in 95 % of cases at most. */
#define ELASTIC_ERROR 0.2
#define ELASTIC_HALF 1.0
#define POINTS 100.0

bool ws_chunks_asked(const struct ws_profile *p, const struct ws_cache *cache)
{
	const struct ws_cache *own = &p->machine.l1;

	if (cache->organised.as != WS_SECTORS)
		return cache->organised.as > WS_SECTORS;
	return own->sector_bytes == own->line_bytes && p->sections && p->section->chunkeds &&
	       cache->line_bytes == WS_GRAIN_LINE && cache->sector_bytes == WS_SECTOR_BYTES;
}

static enum ws_status find(const struct ws_profile *p, size_t section,
			   const struct ws_cache *cache, const struct ws_chunked **out,
			   struct ws_err *err)
{
	char text[WS_NAME_MAX];

	ws_organisation_text(&cache->organised, text, sizeof(text));
	if (section >= p->sections)
		return ws_fail(err, WS_EINVAL, "kernel %zu of a profile of %zu", section,
			       p->sections);
	*out = ws_section_chunked(p->section + section, cache->sets);
	if (cache->line_bytes == WS_GRAIN_LINE && *out)
		return WS_OK;
	if (!p->section[section].chunkeds)
		return ws_fail(err, WS_EINVAL, "l1.organisation = %s is predicted from chunks, and the "
			       "profile has none: profile the trace again with --chunks", text);
	return ws_fail(err, WS_EINVAL, "the profile holds no chunks for %" PRIu64 " sets of lines "
		       "of %" PRIu64 " B: profile the trace again for them", cache->sets,
		       cache->line_bytes);
}

static enum ws_status check(const struct ws_profile *p, size_t section,
			    const struct ws_cache *cache, const struct ws_chunked **out,
			    struct ws_err *err)
{
	struct ws_use use;
	enum ws_status status = ws_use_parse(&use, cache->policy, err);

	if (status)
		return status;
	if (cache->organised.as == WS_DECOUPLED || cache->organised.as == WS_DYCACHE)
		return ws_fail(err, WS_EINVAL, "l1.organisation: there is a model of line, sector "
			       "and elastic only, and %s can be simulated: use `warpstack "
			       "simulate`", ws_organisation_names[cache->organised.as]);
	if (!use.policy->of_words)
		return ws_fail(err, WS_EINVAL, "policy %s of chunks or sectors: this profile tells "
			       "those of lru", use.policy->name);
	status = ws_answer_check_keys(p, cache, err);
	if (!status && cache->ways > WS_CHUNK_LINES && cache->organised.as != WS_SECTORS)
		status = ws_fail(err, WS_EINVAL, "chunks in %" PRIu64 " ways: up to %u are predicted",
				 cache->ways, WS_CHUNK_LINES);
	return status ? status : find(p, section, cache, out, err);
}

enum ws_status ws_chunks_check(const struct ws_profile *p, size_t section,
			       const struct ws_cache *cache, struct ws_err *err)
{
	const struct ws_chunked *c;

	return check(p, section, cache, &c, err);
}

static enum ws_chunk_form form_of(const struct ws_cache *cache)
{
	if (cache->organised.as == WS_SECTORS)
		return WS_FORM_SECTORS;
	return cache->organised.parameter == WS_SECTOR_BYTES ? WS_FORM_32 : WS_FORM_64;
}

/* What is cold or uncached is certain. */
static void margins(const struct ws_cache *cache, struct ws_prediction *out)
{
	bool meant = cache->chunk_victim == WS_CHUNK_ANY &&
		     cache->chunk_invalid == WS_CHUNK_INVALID_FIRST;

	out->basis = WS_APPROX;
	out->unsure = !meant;
	for (unsigned kind = 0; kind <= WS_KINDS; kind++) {
		const struct ws_counts *c = out->kind + kind;
		double ratio = out->low[kind], certain = 0;

		if (c->requests)
			certain = (double)(c->cold + c->uncached) / (double)c->requests;
		out->error_pp[kind] = ELASTIC_ERROR;
		out->low[kind] = fmax(certain, meant ? ratio - ELASTIC_HALF / POINTS : 0);
		out->high[kind] = meant ? fmin(1, ratio + ELASTIC_HALF / POINTS) : 1;
	}
}

enum ws_status ws_chunks_predict(const struct ws_profile *p, size_t section,
				 const struct ws_cache *cache, struct ws_prediction *out,
				 struct ws_err *err)
{
	struct ws_geometry g = { 0 };
	const struct ws_question q = { .cache = cache, .geometry = &g };
	const struct ws_chunked *c = NULL;
	enum ws_status status = check(p, section, cache, &c, err);

	memset(out, 0, sizeof(*out));
	if (status)
		return status;
	memcpy(g.kind, c->kind[form_of(cache)], sizeof(g.kind));
	status = ws_plain_policy()->predict(&q, out, err);
	for (unsigned kind = 0; kind < WS_KINDS; kind++)
		ws_counts_add(out->kind + WS_KINDS, out->kind + kind);
	ws_prediction_close(out);
	out->basis = WS_EXACT;
	if (cache->organised.as != WS_SECTORS)
		margins(cache, out);
	return status;
}
