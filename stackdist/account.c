/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * stackdist/account.c -- the counts of each thread, added up when a launch ends (profiler.h).
 */
#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "stackdist/profiler.h"

/* ---- life ------------------------------------------------------------------- */

static bool new_scratch(struct ws_scratch *s)
{
	s->distance = ws_alloc(WS_PIECE, sizeof *s->distance);
	s->position = ws_alloc(WS_PIECE, sizeof *s->position);
	s->set = ws_alloc(WS_PIECE, sizeof *s->set);
	s->sector = ws_alloc(WS_PIECE, WS_LINE_MAX / WS_SECTOR_BYTES * sizeof *s->sector);
	s->type = ws_alloc(WS_PIECE, sizeof *s->type);
	return s->distance && s->position && s->set && s->sector && s->type;
}

/* Many a thread never works for many a geometry. */
enum ws_status ws_account_use(struct ws_account *a, struct ws_err *err)
{
	a->used = true;
	if (!a->detail)
		a->detail = ws_alloc_zero(1, sizeof *a->detail);
	if (!a->detail)
		return ws_fail_memory(err, "the tables of a profile");
	return a->changes ? WS_OK : ws_changes_new(&a->changes, err);
}

enum ws_status ws_account_new(struct ws_profiler *p, struct ws_err *err)
{
	p->account = ws_alloc_zero(p->threads * p->geometries, sizeof *p->account);
	p->scratch = ws_alloc_zero(p->threads, sizeof *p->scratch);
	p->sites = ws_alloc_zero(p->threads, sizeof *p->sites);
	p->halvings = ws_alloc_zero(p->geometries, sizeof *p->halvings);
	if (!p->account || !p->scratch || !p->sites || !p->halvings)
		return ws_fail_memory(err, "the tables of a profile");
	for (unsigned i = 0; i < p->threads; i++)
		if (!new_scratch(p->scratch + i))
			return ws_fail_memory(err, "the tables of a profile");
	return WS_OK;
}

static void free_account(struct ws_account *a)
{
	for (unsigned kind = 0; kind < WS_KINDS; kind++)
		ws_tally_clear(a->kind + kind);
	free(a->detail);	/* while it is counted it holds nothing */
	ws_changes_free(a->changes);
}

void ws_account_free(struct ws_profiler *p)
{
	for (size_t i = 0; p->account && i < p->threads * p->geometries; i++)
		free_account(p->account + i);
	for (size_t i = 0; p->scratch && i < p->threads; i++) {
		free(p->scratch[i].distance);
		free(p->scratch[i].position);
		free(p->scratch[i].set);
		free(p->scratch[i].sector);
		free(p->scratch[i].type);
	}
	for (size_t i = 0; p->sites && i < p->threads; i++)
		ws_sites_free(p->sites[i]);
	free(p->account);
	free(p->scratch);
	free(p->sites);
	free(p->halvings);
}

struct ws_account *ws_account_of(const struct ws_profiler *p, unsigned thread, size_t geometry)
{
	assert(thread < p->threads && geometry < p->geometries);
	return p->account + thread * p->geometries + geometry;
}

/* ---- adding up ------------------------------------------------------------------ */

static uint64_t pushed(const struct ws_profiler *p, const struct ws_line_size *g, unsigned kind)
{
	uint64_t sum = 0;

	for (unsigned i = 0; i < p->threads; i++)
		sum += ws_account_of(p, i, g->first)->pushed[kind];
	return sum;
}

static enum ws_status take_kind(struct ws_profiler *p, const struct ws_line_size *g,
				size_t geometry, unsigned kind, struct ws_histogram *h,
				struct ws_err *err)
{
	uint64_t sum = 0, want = pushed(p, g, kind);

	for (unsigned i = 0; i < p->threads; i++)
		if (!ws_tally_take(h, ws_account_of(p, i, geometry)->kind + kind, &sum))
			return ws_fail_memory(err, "a histogram of distances");
	h->requests += want;
	if (sum != want)
		return ws_fail(err, WS_EIO, "internal error: %" PRIu64 " sets counted %" PRIu64
			       " of %" PRIu64 " requests", g->sets[geometry - g->first], sum, want);
	return WS_OK;
}

static enum ws_status take_detail(struct ws_profiler *p, size_t geometry, struct ws_geometry *to,
				  struct ws_err *err)
{
	enum ws_status status = WS_OK;

	for (unsigned i = 0; i < p->threads && status == WS_OK; i++) {
		struct ws_account *a = ws_account_of(p, i, geometry);

		if (!a->used)
			continue;
		a->used = false;
		if (to->detail) {
			status = ws_detail_add(to->detail, a->detail, err);
			memset(a->detail, 0, sizeof *a->detail);
		} else {	/* a thread's own becomes the profile's */
			to->detail = a->detail;
			a->detail = NULL;
		}
		if (status == WS_OK)
			status = ws_changes_take(a->changes, to->detail->fill_reuse, err);
	}
	if (!to->detail && !(to->detail = ws_alloc_zero(1, sizeof *to->detail)))
		return ws_fail_memory(err, "the tables of a profile");
	return status;
}

/* Of all SMs, in their order. */
static enum ws_status take_sets(struct ws_profiler *p, size_t grain, size_t i,
				struct ws_set_sample *to, struct ws_err *err)
{
	const struct ws_line_size *g = p->grain + grain;
	struct ws_cache cache = ws_geometry_cache(&p->profile->machine, g->line, g->sector,
						  g->sets[i]);
	enum ws_status status = WS_OK;

	for (size_t sm = 0; sm < p->sms && status == WS_OK; sm++)
		if (p->sm[sm].core && p->sm[sm].core[grain].unit[i].sets_kept)
			status = ws_set_sample_put(to, p->sm[sm].core[grain].unit[i].sets_kept,
						   err);
	return status == WS_OK ? ws_set_sample_bound(to, &cache, err) : status;
}

static enum ws_status take_geometry(struct ws_profiler *p, size_t grain, size_t i,
				    struct ws_geometry *to, struct ws_err *err)
{
	const struct ws_line_size *g = p->grain + grain;
	enum ws_status status = WS_OK;

	for (unsigned kind = 0; kind < WS_KINDS && status == WS_OK; kind++)
		status = take_kind(p, g, g->first + i, kind, to->kind + kind, err);
	if (status == WS_OK && ws_has_detail(p, g, i))
		status = take_detail(p, g->first + i, to, err);
	return status == WS_OK && to->sample ? take_sets(p, grain, i, to->sample, err) : status;
}

/* Sampled: what the SMs' samplers estimate, for all geometries of the grain. */
static enum ws_status take_sampled(const struct ws_profiler *p, size_t grain,
				   struct ws_geometry *to, struct ws_err *err)
{
	const struct ws_line_size *g = p->grain + grain;
	struct ws_histogram hidden[WS_KINDS] = { { 0 } };
	struct ws_histogram **kind = ws_alloc(g->set_counts, sizeof *kind);
	enum ws_status status = WS_OK;

	assert(ws_sampled(p) && grain < p->grains);
	if (!kind)
		return ws_fail_memory(err, "a histogram of distances");
	kind[0] = g->one_asked ? to->kind : hidden;
	for (size_t i = 1; i < g->set_counts; i++)
		kind[i] = to[i - !g->one_asked].kind;
	for (size_t sm = 0; sm < p->sms && status == WS_OK; sm++)
		if (p->sm[sm].core && p->sm[sm].core[grain].sampler)
			status = ws_sampler_end(p->sm[sm].core[grain].sampler, kind, err);
	for (unsigned i = 0; i < WS_KINDS; i++)
		ws_histogram_clear(hidden + i);
	free(kind);
	return status;
}

/* All threads' together, so that it does not matter what each of them saw. */
static enum ws_status take_sites(struct ws_profiler *p, struct ws_section *s,
				 enum ws_status status, struct ws_err *err)
{
	struct ws_sites *all = p->sites ? p->sites[0] : NULL;

	for (unsigned i = 1; all && i < p->threads && status == WS_OK; i++)
		if (p->sites[i] && !ws_sites_add(all, p->sites[i]))
			status = ws_fail_memory(err, "the sites of a kernel");
	if (all && status == WS_OK)
		status = ws_sites_take(all, s, err);
	for (unsigned i = 0; p->sites && i < p->threads; i++) {
		ws_sites_free(p->sites[i]);
		p->sites[i] = NULL;
	}
	return status;
}

struct taking {
	struct ws_profiler *profiler;
	struct ws_section *section;
};

/* Item: a geometry, hidden ones too. */
static enum ws_status take_one(void *context, size_t item, unsigned thread, struct ws_err *err)
{
	const struct taking *t = context;
	struct ws_profiler *p = t->profiler;
	size_t grain = ws_profiler_grain(p, item), hidden = 0;
	const struct ws_line_size *g = p->grain + grain;

	(void)thread;
	for (size_t n = 0; n <= grain; n++)
		hidden += !p->grain[n].one_asked;
	if (ws_sampled(p) && item == g->first)
		return take_sampled(p, grain, t->section->geometry + item - hidden +
						      !g->one_asked, err);
	if (ws_sampled(p) || (item == g->first && !g->one_asked))
		return WS_OK;
	return take_geometry(p, grain, item - g->first, t->section->geometry + item - hidden, err);
}

enum ws_status ws_account_take(struct ws_profiler *p, struct ws_section *s, struct ws_err *err)
{
	struct taking taking = { p, s };
	enum ws_status status = ws_pool_run(p->pool, p->geometries, take_one, &taking, err);

	for (size_t n = 0; n < p->grains; n++)
		for (unsigned i = 0; i < p->threads; i++)
			memset(ws_account_of(p, i, p->grain[n].first)->pushed, 0,
			       sizeof p->account->pushed);
	return take_sites(p, s, status, err);
}
