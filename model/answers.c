/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * model/answers.c -- a profile prepared for many queries: the sums of its histograms from each cell
 * on, which LRU predictions read.
 *
 * All sums are in one array, len + 1 for each of a histogram's two tables, in the
 * order of the profile: section by section, first its geometries' kinds, then
 * its sites.  O(cells) to make, 8 B a cell.
 */
#include "model/answers.h"

#include <stdlib.h>

/* Histogram i of a section, in the order of ws_model; NULL past the last. */
static const struct ws_histogram *histogram(const struct ws_section *s, size_t i)
{
	size_t kinds = s->geometries * WS_KINDS;

	if (i < kinds)
		return s->geometry[i / WS_KINDS].kind + i % WS_KINDS;
	return i - kinds < s->sites ? &s->site[i - kinds].count : NULL;
}

/* Room for all; counts what there is. */
static enum ws_status make_sums(struct ws_model *a, struct ws_err *err)
{
	const struct ws_profile *p = a->profile;
	size_t tails = 0, sums = 0, places = 0;

	a->first = ws_alloc(p->sections + 1, sizeof *a->first);
	a->place = ws_alloc(p->sections + 1, sizeof *a->place);
	if (!a->first || !a->place)
		return ws_fail_memory(err, "the sums of a profile");
	for (size_t i = 0; i < p->sections; i++) {
		const struct ws_histogram *h;

		a->first[i] = tails;
		a->place[i] = places;
		places += p->section[i].geometries;
		for (size_t j = 0; (h = histogram(p->section + i, j)); j++, tails++)
			sums += 2 * (h->len + 1);
	}
	a->tail = ws_alloc(tails + 1, sizeof *a->tail);
	a->sum = ws_alloc(sums + 1, sizeof *a->sum);
	if (!a->tail || !a->sum)
		return ws_fail_memory(err, "the sums of a profile");
	return ws_shared_new(&a->shared, places, err);
}

static uint64_t *add_up(const uint64_t *count, size_t len, uint64_t *sum)
{
	sum[len] = 0;
	for (size_t i = len; i-- > 0;)
		sum[i] = sum[i + 1] + count[i];
	return sum + len + 1;
}

static void fill_sums(struct ws_model *a)
{
	struct ws_tail *tail = a->tail;
	uint64_t *sum = a->sum;

	for (size_t i = 0; i < a->profile->sections; i++) {
		const struct ws_histogram *h;

		for (size_t j = 0; (h = histogram(a->profile->section + i, j)); j++, tail++) {
			tail->distance = sum;
			sum = add_up(h->distance, h->len, sum);
			tail->capacity = sum;
			sum = add_up(h->capacity, h->len, sum);
		}
	}
}

static enum ws_status prepare_behind(struct ws_model *a, struct ws_err *err)
{
	const struct ws_profile *p = a->profile;
	enum ws_status status = WS_OK;

	a->behind = ws_alloc_zero(p->behinds + 1, sizeof *a->behind);
	if (!a->behind)
		return ws_fail_memory(err, "the sums of a profile");
	for (size_t i = 0; i < p->behinds && status == WS_OK; i++)
		status = ws_model_new(a->behind + i, p->behind[i].l2, err);
	return status;
}

enum ws_status ws_model_new(struct ws_model **out, const struct ws_profile *p,
			      struct ws_err *err)
{
	struct ws_model *a = ws_alloc_zero(1, sizeof *a);
	enum ws_status status;

	*out = NULL;
	if (!a)
		return ws_fail_memory(err, "the sums of a profile");
	a->profile = p;
	status = make_sums(a, err);
	if (status == WS_OK)
		status = prepare_behind(a, err);
	if (status != WS_OK) {
		ws_model_free(a);
		return status;
	}
	fill_sums(a);
	*out = a;
	return WS_OK;
}

void ws_model_free(struct ws_model *a)
{
	if (!a)
		return;
	ws_shared_free(a->shared);
	for (size_t i = 0; a->behind && i < a->profile->behinds; i++)
		ws_model_free(a->behind[i]);
	free(a->behind);
	free(a->first);
	free(a->place);
	free(a->tail);
	free(a->sum);
	free(a);
}
