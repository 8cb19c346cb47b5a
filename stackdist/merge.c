/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * stackdist/merge.c -- profiles add (ws_profile_merge).
 *
 * The sum is built apart and replaces *to when it is complete, so a failure leaves *to unchanged.
 * Sums of sums are the same in any order; only the order of sections is that of the profiles, and
 * variances are rounded up each time.
 *
 * O(size of both); memory: a third profile while it is made.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "stackdist/record/detail.h"
#include "stackdist/profile.h"
#include "stackdist/promises.h"
#include "stackdist/record/series.h"
#include "stackdist/record/sites.h"
#include "stackdist/sample/set_sample.h"

#define VALUE_TEXT (2 * WS_NAME_MAX)

static enum ws_status too_many(struct ws_err *err)
{
	return ws_fail(err, WS_EINVAL, "the sums of both are 2^64 or more");
}

/* ---- may they be added? ---------------------------------------------------------- */

/* Keys that decided what was measured, the stream's line, and with sites also their line and sets.
 * In the order of the cycle simulator all keys, as cycles are predicted relative to the
 * machine's. */
static bool decides(const struct ws_key *key, enum ws_order order, bool sites, bool l2)
{
	if (order == WS_ORDER_CYCLES)
		return key->stage != WS_STAGE_LABEL;
	return key->stage <= WS_STAGE_PROFILE || !strcmp(key->name, "l1.line") ||
	       (l2 && key->stage == WS_STAGE_L2_PROFILE) ||
	       (sites && !strcmp(key->name, "l1.sets"));
}

static enum ws_status same_machine(const struct ws_machine *a, const struct ws_machine *b,
				   enum ws_order order, bool sites, bool l2, struct ws_err *err)
{
	char have[VALUE_TEXT], want[VALUE_TEXT];

	for (const struct ws_key *key = ws_keys; key->name; key++) {
		if (!decides(key, order, sites, l2))
			continue;
		ws_machine_get(a, key, have, sizeof have);
		ws_machine_get(b, key, want, sizeof want);
		if (strcmp(have, want))
			return ws_fail(err, WS_EINVAL, "%s is %s, and %s in what it is added to",
				       key->name, want, have);
	}
	return WS_OK;
}

static enum ws_status same_measure(const struct ws_profile *a, const struct ws_profile *b,
				   struct ws_err *err)
{
	if (a->seed != b->seed)
		return ws_fail(err, WS_EINVAL, "the seed is %" PRIu64 ", and %" PRIu64
			       " in what it is added to", b->seed, a->seed);
	if (a->order != b->order)
		return ws_fail(err, WS_EINVAL, "the order is %s, and %s in what it is added to",
			       ws_order_names[b->order], ws_order_names[a->order]);
	if (memcmp(&a->sample_rate, &b->sample_rate, sizeof a->sample_rate) ||
	    a->sample_lines != b->sample_lines)
		return ws_fail(err, WS_EINVAL, "the sample is %g of the lines and at most %" PRIu64
			       " (0: any), and %g and %" PRIu64 " in what it is added to",
			       b->sample_rate, b->sample_lines, a->sample_rate, a->sample_lines);
	return WS_OK;
}

enum sms {
	SMS_SAME,
	SMS_NEXT,	/* the same, in launches after those there, sampled by themselves */
	SMS_OTHER,
	SMS_MIXED,
};

static enum sms compare_sms(const struct ws_profile *a, const struct ws_profile *b)
{
	bool same = true, common = false;

	for (size_t i = 0; i < WS_SM_WORDS; i++) {
		same = same && a->sm[i] == b->sm[i];
		common = common || (a->sm[i] & b->sm[i]);
	}
	return same ? SMS_SAME : common ? SMS_MIXED : SMS_OTHER;
}

static bool same_chunks(const struct ws_section *a, const struct ws_section *b)
{
	bool same = a->chunkeds == b->chunkeds && a->grains.period == b->grains.period;

	for (size_t i = 0; same && i < a->chunkeds; i++)
		same = a->chunked[i].sets == b->chunked[i].sets;
	return same;
}

static enum ws_status same_shapes(const struct ws_section *a, const struct ws_section *b,
				  struct ws_err *err)
{
	bool same = a->geometries == b->geometries;

	for (size_t i = 0; same && i < a->geometries; i++) {
		const struct ws_geometry *g = a->geometry + i, *h = b->geometry + i;

		same = g->line_bytes == h->line_bytes && g->sector_bytes == h->sector_bytes &&
		       g->sets == h->sets;
		if (same && !g->detail != !h->detail)
			return ws_fail(err, WS_EINVAL, "one of the two has details that the other "
				       "has not");
		if (same && !g->sample != !h->sample)
			return ws_fail(err, WS_EINVAL, "one of the two has samples of sets, which "
				       "the other has not");
	}
	if (same && !same_chunks(a, b))
		return ws_fail(err, WS_EINVAL, "one of the two has chunks, or windows of them, "
			       "that the other has not");
	return same ? WS_OK : ws_fail(err, WS_EINVAL, "it has other line sizes and set counts "
				      "than what it is added to");
}

/* All sections of both. */
static enum ws_status same_geometries(const struct ws_profile *a, const struct ws_profile *b,
				      struct ws_err *err)
{
	const struct ws_section *first = a->sections ? a->section : b->section;
	enum ws_status status = WS_OK;

	for (size_t i = 0; i < a->sections && status == WS_OK; i++)
		status = same_shapes(first, a->section + i, err);
	for (size_t i = 0; i < b->sections && status == WS_OK; i++)
		status = same_shapes(first, b->section + i, err);
	return status;
}

static bool any_sites(const struct ws_profile *p)
{
	for (size_t i = 0; i < p->sections; i++)
		if (p->section[i].sites)
			return true;
	return false;
}

/* Every request has a site, if there are sites. */
static bool lacks_sites(const struct ws_profile *p)
{
	for (size_t i = 0; i < p->sections; i++)
		for (unsigned kind = 0; kind < WS_KINDS; kind++)
			if (p->section[i].sites == 0 && p->section[i].geometries &&
			    p->section[i].geometry->kind[kind].requests)
				return true;
	return false;
}

static const struct ws_section *find_section(const struct ws_profile *p, const char *kernel)
{
	for (size_t i = 0; i < p->sections; i++)
		if (!strcmp(p->section[i].kernel, kernel))
			return p->section + i;
	return NULL;
}

/* Of the same launches on other SMs. */
static bool same_launches(const struct ws_section *a, const struct ws_section *b)
{
	return !memcmp(a->grid, b->grid, sizeof a->grid) &&
	       !memcmp(a->block, b->block, sizeof a->block) && a->launches == b->launches &&
	       a->ctas == b->ctas && a->warp_instructions == b->warp_instructions &&
	       a->cycles == b->cycles && a->issued == b->issued && a->waits == b->waits &&
	       a->resident_ctas == b->resident_ctas &&
	       a->demand.shared_bytes == b->demand.shared_bytes &&
	       a->demand.threads == b->demand.threads &&
	       a->demand.registers == b->demand.registers && a->demand.ctas == b->demand.ctas;
}

static enum ws_status same_run(const struct ws_profile *a, const struct ws_profile *b,
			       struct ws_err *err)
{
	for (size_t i = 0; i < b->sections; i++) {
		const struct ws_section *s = find_section(a, b->section[i].kernel);

		if (!s || a->sections != b->sections)
			return ws_fail(err, WS_EINVAL, "it is of other SMs and of other kernels: "
				       "profiles of other SMs are to be of the same launches");
		if (!same_launches(s, b->section + i))
			return ws_fail(err, WS_EINVAL, "it is of other SMs and of other launches "
				       "of %.64s", s->kernel);
	}
	return a->sections == b->sections ? WS_OK :
	       ws_fail(err, WS_EINVAL, "it is of other SMs and of no kernel");
}

/* With L2s both are of all SMs, hence of the same. */
static enum ws_status same_behinds(const struct ws_profile *a, const struct ws_profile *b,
				   struct ws_err *err)
{
	bool same = a->behinds == b->behinds;
	enum ws_status status = WS_OK;

	for (size_t i = 0; same && i < a->behinds; i++)
		same = !ws_filter_compare(&a->behind[i].l1, &b->behind[i].l1);
	if (!same)
		return ws_fail(err, WS_EINVAL, a->behinds && b->behinds
			       ? "its L2s are behind other L1s than those of what it is added to"
			       : "one of the two has an L2 that the other has not");
	for (size_t i = 0; i < a->behinds && status == WS_OK; i++)
		status = same_geometries(a->behind[i].l2, b->behind[i].l2, err);
	return status;
}

static enum ws_status check_machines(const struct ws_profile *a, const struct ws_profile *b,
				     enum sms sms,
				     struct ws_err *err);

static enum ws_status same_orders(const struct ws_profile *a, const struct ws_profile *b,
				  enum sms sms, struct ws_err *err)
{
	enum ws_status status = WS_OK;

	if (a->others != b->others)
		return ws_fail(err, WS_EINVAL, "it has %zu other orders, and what it is added to "
			       "has %zu",
			       b->others, a->others);
	for (size_t i = 0; i < a->others && status == WS_OK; i++)
		status = check_machines(a->other[i], b->other[i], sms, err);
	return status;
}

static enum ws_status check_machines(const struct ws_profile *a, const struct ws_profile *b,
				     enum sms sms,
				     struct ws_err *err)
{
	bool sites = any_sites(a), other = any_sites(b);
	enum ws_status status = same_machine(&a->machine, &b->machine, a->order, sites && other,
					     a->behinds && b->behinds, err);

	if (status == WS_OK)
		status = same_measure(a, b, err);
	if (status == WS_OK)
		status = same_geometries(a, b, err);
	if (status == WS_OK)
		status = same_behinds(a, b, err);
	if (status == WS_OK)
		status = same_orders(a, b, sms, err);
	if (status != WS_OK)
		return status;
	if ((sites || other) && (lacks_sites(a) || lacks_sites(b)))
		return ws_fail(err, WS_EINVAL, "one of the two has sites, and the other has none");
	if (sms == SMS_MIXED)
		return ws_fail(err, WS_EINVAL, "some of its SMs, not all, are counted in what it "
			       "is added to");
	return sms == SMS_OTHER ? same_run(a, b, err) : WS_OK;
}

/* ---- counts ----------------------------------------------------------------------- */

/* *to += x, all of count; false: past 2^64. */
static bool add_counts(uint64_t *to, const uint64_t *from, size_t count)
{
	bool ok = true;

	for (size_t i = 0; i < count; i++) {
		ok &= from[i] <= UINT64_MAX - to[i];
		to[i] += from[i];
	}
	return ok;
}

static bool lengthen(uint64_t **array, size_t from, size_t to)
{
	uint64_t *longer = ws_alloc_zero(to, sizeof *longer);

	if (!longer)
		return false;
	if (from)
		memcpy(longer, *array, from * sizeof *longer);
	free(*array);
	*array = longer;
	return true;
}

static bool room(struct ws_histogram *to, const struct ws_histogram *from)
{
	if (from->len > to->len) {
		if (!lengthen(&to->distance, to->len, from->len) ||
		    !lengthen(&to->capacity, to->len, from->len))
			return false;
		to->len = from->len;
	}
	if (from->sector_len > to->sector_len) {
		if (!lengthen(&to->sector, to->sector_len, from->sector_len))
			return false;
		to->sector_len = from->sector_len;
	}
	return true;
}

static enum ws_status add_histogram(struct ws_histogram *to, const struct ws_histogram *from,
				    struct ws_err *err)
{
	bool ok;

	if (!room(to, from))
		return ws_fail_memory(err, "a histogram");
	ok = add_counts(&to->requests, &from->requests, 1) &&
	     add_counts(&to->cold, &from->cold, 1) &&
	     add_counts(&to->uncached, &from->uncached, 1) &&
	     add_counts(to->distance, from->distance, from->len) &&
	     add_counts(to->capacity, from->capacity, from->len) &&
	     add_counts(&to->sectors, &from->sectors, 1) &&
	     add_counts(&to->sector_cold, &from->sector_cold, 1) &&
	     add_counts(&to->sector_uncached, &from->sector_uncached, 1) &&
	     add_counts(to->sector, from->sector, from->sector_len);
	return ok ? WS_OK : too_many(err);
}

/* (sqrt(a) + sqrt(b))^2, rounded up.  (Of equal ones it is exact: the root of a rounded square
 * is what was squared.) */
static uint64_t of_one_sample(uint64_t a, uint64_t b)
{
	double rest = ceil(2 * sqrt((double)a * (double)b));

	return ws_add_sat(ws_add_sat(a, b), rest < 0x1p64 ? (uint64_t)rest : UINT64_MAX);
}

/* Each SM is sampled by itself, in each launch of a trace.  On the same SMs both may else be of one
 * sample, of which nothing is known but that its errors are correlated: at worst the standard
 * deviations add. */
static enum ws_status add_variance(struct ws_histogram *to, const struct ws_histogram *from,
				   enum sms sms, struct ws_err *err)
{
	if (!from->variance)
		return WS_OK;
	if (!to->variance && !lengthen(&to->variance, 0, WS_BINS))
		return ws_fail_memory(err, "a histogram's variances");
	for (unsigned i = 0; i < WS_BINS; i++) {
		uint64_t a = to->variance[i], b = from->variance[i];

		to->variance[i] = sms == SMS_SAME ? of_one_sample(a, b) : ws_add_sat(a, b);
	}
	return WS_OK;
}

/* All kinds together stay below 2^64 too; with details, whose changes have a sign, 2^63. */
static bool few_enough(const struct ws_geometry *g)
{
	uint64_t sum = 0;
	bool ok = true;

	for (unsigned kind = 0; kind < WS_KINDS; kind++)
		ok = ok && add_counts(&sum, &g->kind[kind].requests, 1);
	return ok && (!g->detail || sum <= INT64_MAX);
}

static bool fit(const uint64_t *a, const uint64_t *b, size_t count)
{
	bool ok = true;

	for (size_t i = 0; i < count; i++)
		ok &= a[i] <= UINT64_MAX - b[i];
	return ok;
}

/* All else in a detail is at most one of these, or the requests. */
static bool detail_fits(const struct ws_detail *a, const struct ws_detail *b)
{
	return fit(a->time, b->time, WS_TYPES) && fit(a->end_time, b->end_time, WS_END_CLASSES) &&
	       fit(a->fill, b->fill, WS_DEPTH_CELLS);
}

static enum ws_status add_detail(struct ws_geometry *to, const struct ws_detail *from,
				 struct ws_err *err)
{
	if (to->detail && !detail_fits(to->detail, from))
		return too_many(err);
	if (!to->detail)
		to->detail = ws_alloc_zero(1, sizeof *to->detail);
	return to->detail ? ws_detail_add(to->detail, from, err) : ws_fail_memory(err, "a detail");
}

static enum ws_status add_geometry(struct ws_geometry *to, const struct ws_geometry *from,
				   enum sms sms, struct ws_err *err)
{
	enum ws_status status = WS_OK;

	for (unsigned kind = 0; kind < WS_KINDS && status == WS_OK; kind++) {
		status = add_histogram(to->kind + kind, from->kind + kind, err);
		if (status == WS_OK)
			status = add_variance(to->kind + kind, from->kind + kind, sms, err);
	}
	if (status == WS_OK && !few_enough(to))
		status = too_many(err);
	if (status == WS_OK && from->detail)
		status = add_detail(to, from->detail, err);
	return status;
}

/* Two samples become one of the halvings of the one that has more. */
static enum ws_status add_sample(const struct ws_machine *m, struct ws_geometry *to,
				 const struct ws_geometry *from, uint64_t after,
				 struct ws_err *err)
{
	struct ws_cache cache = ws_geometry_cache(m, from->line_bytes, from->sector_bytes,
						  from->sets);
	enum ws_status status;

	if (!from->sample)
		return WS_OK;
	if (!to->sample)
		to->sample = ws_alloc_zero(1, sizeof *to->sample);
	if (!to->sample)
		return ws_fail_memory(err, "a sample of sets");
	status = ws_set_sample_add(to->sample, from->sample, after, err);
	return status == WS_OK ? ws_set_sample_bound(to->sample, &cache, err) : status;
}

/* ---- sites ------------------------------------------------------------------------- */

static enum ws_status add_site(struct ws_section *s, const struct ws_site *from,
			       struct ws_err *err)
{
	struct ws_site *site = s->site + s->sites;

	if (s->sites == 0 || ws_site_compare(site - 1, from)) {
		*site = (struct ws_site){ .array = ws_strdup(from->array),
					  .file = ws_strdup(from->file),
					  .line = from->line, .kind = from->kind };
		s->sites++;
		if (!site->array || !site->file)
			return ws_fail_memory(err, "a site");
	} else {
		site--;
	}
	return add_histogram(&site->count, &from->count, err);
}

/* Two ascending lists into an empty third. */
static enum ws_status add_sites(struct ws_section *sum, const struct ws_section *a,
				const struct ws_section *b, struct ws_err *err)
{
	size_t i = 0, j = 0, of_b = b ? b->sites : 0;
	enum ws_status status = WS_OK;

	if (a->sites + of_b == 0)
		return WS_OK;
	sum->site = ws_alloc_zero(a->sites + of_b, sizeof *sum->site);
	if (!sum->site)
		return ws_fail_memory(err, "sites");
	while ((i < a->sites || j < of_b) && status == WS_OK) {
		bool first = j == of_b ||
			     (i < a->sites && ws_site_compare(a->site + i, b->site + j) <= 0);

		status = add_site(sum, first ? a->site + i++ : b->site + j++, err);
	}
	if (status == WS_OK) {
		sum->sites_level = b && b->sites_level > a->sites_level ? b->sites_level
									: a->sites_level;
		ws_sites_bound(sum);
	}
	return status;
}

/* ---- sections ------------------------------------------------------------------------ */

static enum ws_status add_launches(struct ws_section *to, const struct ws_section *from,
				   struct ws_err *err)
{
	bool ok = add_counts(&to->launches, &from->launches, 1) &&
		  add_counts(&to->ctas, &from->ctas, 1) &&
		  add_counts(&to->warp_instructions, &from->warp_instructions, 1) &&
		  add_counts(&to->cycles, &from->cycles, 1) &&
		  add_counts(&to->issued, &from->issued, 1) &&
		  add_counts(&to->waits, &from->waits, 1) && add_counts(&to->warm, &from->warm, 1);

	for (unsigned j = 0; ok && j < 2 * WS_KINDS; j++) {
		struct ws_missed *sum = &to->simulated[j / WS_KINDS][j % WS_KINDS];
		const struct ws_missed *more = &from->simulated[j / WS_KINDS][j % WS_KINDS];

		ok = add_counts(&sum->requests, &more->requests, 1) &&
		     add_counts(&sum->misses, &more->misses, 1);
	}
	ws_demand_add(&to->demand, from->demand);
	return ok ? WS_OK : too_many(err);
}

/* The launches of *from come `after` those that are there. */
static enum ws_status add_geometries(const struct ws_machine *m, struct ws_section *to,
				     const struct ws_section *from, uint64_t after, enum sms sms,
				     struct ws_err *err)
{
	enum ws_status status = WS_OK;

	for (size_t i = 0; i < from->geometries && status == WS_OK; i++) {
		struct ws_geometry *g = to->geometry + i;

		g->line_bytes = from->geometry[i].line_bytes;
		g->sector_bytes = from->geometry[i].sector_bytes;
		g->sets = from->geometry[i].sets;
		status = add_geometry(g, from->geometry + i, sms, err);
		if (status == WS_OK)
			status = add_sample(m, g, from->geometry + i, after, err);
	}
	return status;
}

static enum ws_status add_chunks(struct ws_section *to, const struct ws_section *from,
				 struct ws_err *err)
{
	enum ws_status status = WS_OK;

	for (size_t i = 0; i < from->chunkeds && status == WS_OK; i++) {
		to->chunked[i].sets = from->chunked[i].sets;
		for (unsigned j = 0; j < WS_FORMS * WS_KINDS && status == WS_OK; j++)
			status = add_histogram(to->chunked[i].kind[j / WS_KINDS] + j % WS_KINDS,
					       from->chunked[i].kind[j / WS_KINDS] + j % WS_KINDS,
					       err);
		for (unsigned j = 0; j < WS_GRAINS && status == WS_OK && from->grains.period; j++)
			if (!ws_grain_cells_append(to->chunked[i].window + j, to->grains.windows,
						   from->chunked[i].window + j,
						   from->grains.windows))
				status = ws_fail_memory(err, "windows of requests");
	}
	if (status == WS_OK && from->chunkeds && !ws_grain_runs_append(&to->grains, &from->grains))
		status = ws_fail_memory(err, "windows of requests");
	return status;
}

/* *sum, which is empty: a, and b if it is there. */
static enum ws_status add_sections(const struct ws_machine *m, struct ws_section *sum,
				   const struct ws_section *a, const struct ws_section *b,
				   enum sms sms, struct ws_err *err)
{
	enum ws_status status = WS_OK;

	*sum = *a;
	sum->kernel = ws_strdup(a->kernel);
	sum->geometry = ws_alloc_zero(a->geometries, sizeof *sum->geometry);
	sum->site = NULL;
	sum->sites = 0;
	sum->grains = (struct ws_grain_runs){ .period = a->grains.period };
	sum->chunked = ws_alloc_zero(a->chunkeds + 1, sizeof *sum->chunked);
	if (!sum->geometry)
		sum->geometries = 0;
	if (!sum->chunked)
		sum->chunkeds = 0;
	if (!sum->kernel || !sum->geometry || !sum->chunked)
		return ws_fail_memory(err, "a section of the profile");
	if (b && sms != SMS_OTHER)
		status = add_launches(sum, b, err);
	if (status == WS_OK)
		status = add_geometries(m, sum, a, 0, sms, err);
	if (status == WS_OK && b)
		status = add_geometries(m, sum, b, sms == SMS_OTHER ? 0 : a->launches, sms, err);
	if (status == WS_OK)
		status = add_chunks(sum, a, err);
	if (status == WS_OK && b)
		status = add_chunks(sum, b, err);
	return status != WS_OK ? status : add_sites(sum, a, b, err);
}

static enum ws_status add_all(struct ws_profile *sum, const struct ws_profile *a,
			      const struct ws_profile *b, enum sms sms, struct ws_err *err)
{
	enum ws_status status = WS_OK;

	sum->section = ws_alloc_zero(a->sections + b->sections, sizeof *sum->section);
	if (!sum->section)
		return ws_fail_memory(err, "sections");
	for (size_t i = 0; i < a->sections && status == WS_OK; i++)
		status = add_sections(&sum->machine, sum->section + sum->sections++, a->section + i,
				      find_section(b, a->section[i].kernel), sms, err);
	for (size_t i = 0; i < b->sections && status == WS_OK; i++)
		if (!find_section(a, b->section[i].kernel))
			status = add_sections(&sum->machine, sum->section + sum->sections++,
					      b->section + i, NULL, sms, err);
	return status;
}

/* The orders of both, which are of the same machines. */
static enum ws_status add_orders(struct ws_profile *sum, const struct ws_profile *a,
				 const struct ws_profile *b, enum sms sms, struct ws_err *err)
{
	enum ws_status status = WS_OK;

	if (!a->others)
		return WS_OK;
	sum->other = ws_alloc_zero(a->others, sizeof *sum->other);
	if (!sum->other)
		return ws_fail_memory(err, "an order");
	for (; sum->others < a->others && status == WS_OK; sum->others++) {
		const struct ws_profile *x = a->other[sum->others], *y = b->other[sum->others];
		struct ws_profile *to = ws_alloc_zero(1, sizeof *to);

		sum->other[sum->others] = to;
		if (!to)
			return ws_fail_memory(err, "an order");
		*to = *x;
		to->section = NULL;
		to->sections = 0;
		for (size_t i = 0; i < WS_SM_WORDS; i++)
			to->sm[i] |= y->sm[i];
		status = add_all(to, x, y, sms, err);
	}
	return status;
}

/* Sections and all into *sum, which has what `a` has besides. */
static enum ws_status add_levels(struct ws_profile *sum, const struct ws_profile *a,
				 const struct ws_profile *b, enum sms sms, struct ws_err *err)
{
	enum ws_status status = add_all(sum, a, b, sms, err);

	if (status == WS_OK)
		status = add_orders(sum, a, b, sms, err);
	if (status != WS_OK || !a->behinds)
		return status;
	sum->behind = ws_alloc_zero(a->behinds, sizeof *sum->behind);
	if (!sum->behind)
		return ws_fail_memory(err, "an L2");
	for (; sum->behinds < a->behinds && status == WS_OK; sum->behinds++) {
		struct ws_next_level *to = sum->behind + sum->behinds;
		const struct ws_next_level *x = a->behind + sum->behinds,
					   *y = b->behind + sum->behinds;

		to->l1 = x->l1;
		to->l2 = ws_alloc_zero(1, sizeof *to->l2);
		if (!to->l2)
			return ws_fail_memory(err, "an L2");
		*to->l2 = *x->l2;
		to->l2->section = NULL;
		to->l2->sections = 0;
		status = add_all(to->l2, x->l2, y->l2, SMS_SAME, err);
	}
	return status;
}

static enum ws_status add_profile(struct ws_profile *to, const struct ws_profile *from,
				  enum sms sms, struct ws_err *err)
{
	enum ws_status status = check_machines(to, from, sms, err);
	struct ws_profile *sum, old = *to;

	if (status != WS_OK)
		return status;
	sum = ws_alloc_zero(1, sizeof *sum);
	if (!sum)
		return ws_fail_memory(err, "a profile");
	*sum = *to;
	sum->section = NULL;
	sum->sections = 0;
	sum->behind = NULL;
	sum->behinds = 0;
	sum->other = NULL;
	sum->others = 0;
	for (size_t i = 0; i < WS_SM_WORDS; i++)
		sum->sm[i] |= from->sm[i];
	status = add_levels(sum, to, from, sms, err);
	if (status == WS_OK) {
		ws_promise_profile(sum);
		*to = *sum;
		*sum = old;
	}
	ws_profile_free(sum);
	return status;
}

enum ws_status ws_profile_merge(struct ws_profile *to, const struct ws_profile *from,
				struct ws_err *err)
{
	return add_profile(to, from, compare_sms(to, from), err);
}

enum ws_status ws_profile_append(struct ws_profile *to, const struct ws_profile *from,
				 struct ws_err *err)
{
	if (compare_sms(to, from) != SMS_SAME)
		return ws_fail(err, WS_EINVAL, "its launches follow on other SMs than those of "
			       "what it is added to");
	return add_profile(to, from, SMS_NEXT, err);
}
