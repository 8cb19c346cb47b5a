/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * model/parts.c -- misses by array and source line.
 *
 * A profile has, for each site (an instruction of the source at an array), the histogram of its
 * requests at the machine's own line and sets.  The counts of an exact policy are sums over
 * requests, so each site is predicted as if it were a kernel, and the predictions of a group's
 * sites add up.
 */
#include "model/answers.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- groups -------------------------------------------------------------------------- */

static int compare_text(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) : !b - !a;
}

static int compare_parts(const void *a, const void *b)
{
	const struct ws_part *x = a, *y = b;
	int order = compare_text(x->array, y->array);

	if (!order)
		order = compare_text(x->file, y->file);
	return order ? order : (x->line > y->line) - (x->line < y->line);
}

static struct ws_part part_of(const struct ws_site *site, enum ws_by by)
{
	struct ws_part part = { .array = by == WS_BY_LINE ? NULL : site->array };

	if (by != WS_BY_ARRAY) {
		part.file = site->file;
		part.line = site->line;
	}
	return part;
}

static void add_part(struct ws_part *to, const struct ws_part *from)
{
	for (unsigned kind = 0; kind <= WS_KINDS; kind++)
		ws_counts_add(to->prediction.kind + kind, from->prediction.kind + kind);
}

/* Sorts by name, adds up those of one group; returns the number of groups. */
static size_t gather_parts(struct ws_part *part, size_t count)
{
	size_t groups = 0;

	if (count)
		qsort(part, count, sizeof *part, compare_parts);
	for (size_t i = 0; i < count; i++) {
		if (groups && compare_parts(part + groups - 1, part + i) == 0)
			add_part(part + groups - 1, part + i);
		else
			part[groups++] = part[i];
	}
	for (size_t i = 0; i < groups; i++)
		ws_prediction_close(&part[i].prediction);
	return groups;
}

/* Most misses of a kind first; the rest stays by name. */
static void rank(struct ws_part *part, size_t count, unsigned kind)
{
	for (size_t i = 1; i < count; i++) {
		struct ws_part moved = part[i];
		size_t at = i;

		for (; at && part[at - 1].prediction.kind[kind].misses <
				     moved.prediction.kind[kind].misses; at--)
			part[at] = part[at - 1];
		part[at] = moved;
	}
}

/* ---- questions ----------------------------------------------------------------------- */

static uint64_t requests(const struct ws_geometry *g)
{
	uint64_t all = 0;

	for (unsigned kind = 0; kind < WS_KINDS; kind++)
		all += g->kind[kind].requests;
	return all;
}

enum ws_status ws_parts_check(const struct ws_machine *own, const struct ws_cache *cache,
			      struct ws_err *err)
{
	const struct ws_policy *policy = ws_policy_find(cache->policy);

	if (cache->line_bytes != own->l1.line_bytes || cache->sets != own->l1.sets)
		return ws_fail(err, WS_EINVAL, "misses by array and line are known for the "
			       "machine's own l1.line = %" PRIu64 " and l1.sets = %" PRIu64
			       " alone, with any l1.ways; not for l1.line = %" PRIu64
			       " and l1.sets = %" PRIu64,
			       own->l1.line_bytes, own->l1.sets, cache->line_bytes, cache->sets);
	if (!policy || policy->basis != WS_EXACT)
		return ws_fail(err, WS_EINVAL, "misses by array and line are predicted for exact "
			       "policies, as lru, not for %.*s", WS_NAME_MAX, cache->policy);
	return WS_OK;
}

/* The prediction of site i alone. */
static enum ws_status predict_site(const struct ws_model *a, size_t section, size_t i,
				   const struct ws_geometry *geometry, struct ws_query *q,
				   struct ws_prediction *out, struct ws_err *err)
{
	const struct ws_site *site = a->profile->section[section].site + i;
	struct ws_geometry alone = { .line_bytes = geometry->line_bytes,
				     .sector_bytes = geometry->sector_bytes,
				     .sets = geometry->sets };
	struct ws_tail tail[WS_KINDS] = { { NULL, NULL } };

	alone.kind[site->kind] = site->count;
	tail[site->kind] = *ws_model_site(a, section, i);
	q->geometry = &alone;
	q->tail = tail;
	return ws_answer(q, out, err);
}

enum ws_status ws_model_parts(const struct ws_model *a, size_t section,
				const struct ws_cache *cache, enum ws_by by, unsigned most,
				struct ws_part **part, size_t *count, struct ws_err *err)
{
	struct ws_use use;
	const struct ws_geometry *geometry;
	const struct ws_section *s;
	enum ws_status status;

	*part = NULL;
	*count = 0;
	status = ws_use_of(&use, cache, err);
	if (status == WS_OK)
		status = ws_answer_check(a->profile, section, cache, &use, &geometry, err);
	if (status == WS_OK)
		status = ws_parts_check(&a->profile->machine, cache, err);
	if (status != WS_OK)
		return status;
	s = a->profile->section + section;
	if (!s->sites && requests(geometry))
		return ws_fail_remedy(err, WS_REMEDY_DETAIL, "the profile has no misses by "
				      "array and line: profile all lines of the trace again, "
				      "with details");
	*part = ws_alloc(s->sites + 1, sizeof **part);
	if (!*part)
		return ws_fail_memory(err, "the parts of a kernel");
	for (size_t i = 0; i < s->sites && status == WS_OK; i++) {
		struct ws_query q = { .cache = cache, .use = &use };

		(*part)[i] = part_of(s->site + i, by);
		status = predict_site(a, section, i, geometry, &q, &(*part)[i].prediction, err);
	}
	if (status != WS_OK) {
		free(*part);
		*part = NULL;
		return status;
	}
	*count = gather_parts(*part, s->sites);
	rank(*part, *count, most);
	return WS_OK;
}
