/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * stackdist/profiler.c -- request streams of many SMs to a profile.
 *
 * Requests are gathered in an arena, as runs of one SM.  A full arena is worked through two
 * passes (passes.c) over independent items, in parallel; while it is in the first, the
 * arena before it is in the second, and the next one is filled by who makes the requests.
 * Threads count into accounts of their own (account.c), which are added up when the launch ends;
 * sums of integers do not depend on who took which item, so neither does the profile.
 *
 * Memory: O(distinct lines) per SM and geometry; a struct ws_detail and O(largest distance) per
 * thread and geometry that it works for; 40 bytes and more per request of three arenas.
 */
#include "stackdist/profiler.h"
#include "stackdist/promises.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- grains ----------------------------------------------------------------- */

static int by_shape(const void *a, const void *b)
{
	const struct ws_shape *x = a, *y = b;

	if (x->line_bytes != y->line_bytes)
		return x->line_bytes < y->line_bytes ? -1 : 1;
	return (x->sets > y->sets) - (x->sets < y->sets);
}

static size_t sort_unique(struct ws_shape *shape, size_t count)
{
	size_t n = 0;

	qsort(shape, count, sizeof *shape, by_shape);
	for (size_t i = 0; i < count; i++)
		if (n == 0 || by_shape(shape + i, shape + n - 1))
			shape[n++] = shape[i];
	return n;
}

static bool among(const struct ws_shape *list, size_t count, const struct ws_shape *shape)
{
	for (size_t i = 0; i < count; i++)
		if (!by_shape(list + i, shape))
			return true;
	return false;
}

/* Are distances alone asked for?  p->options.shape: all the others.  Of sets that differ no policy
 * but LRU is predicted. */
static bool is_plain(const struct ws_profiler *p, const struct ws_machine *m,
		     const struct ws_shape *shape)
{
	if (m->l1.set_ways.runs && shape->sets == m->l1.sets)
		return true;
	return p->options.plains && !among(p->options.shape, p->options.shapes, shape);
}

/* A grain of count shapes of one line size. */
static bool add_grain(struct ws_profiler *p, const struct ws_machine *m,
		      const struct ws_shape *shape, size_t count)
{
	struct ws_line_size *g = p->grain + p->grains++;
	uint64_t own = m->l1.line_bytes;

	*g = (struct ws_line_size){
		.line = shape->line_bytes,
		.sector = ws_shape_sector(m, shape->line_bytes),
		.one_asked = shape->sets == 1,
		.first = p->geometries,
		.factor = own > shape->line_bytes ? (size_t)(own / shape->line_bytes) : 1,
	};
	g->sets = ws_alloc(count + 1, sizeof *g->sets);
	g->plain = ws_alloc_zero(count + 1, sizeof *g->plain);
	if (!g->sets || !g->plain)
		return false;
	g->plain[0] = g->one_asked && is_plain(p, m, shape);
	g->sets[g->set_counts++] = 1;
	for (size_t i = g->one_asked; i < count; i++) {
		g->plain[g->set_counts] = is_plain(p, m, shape + i);
		g->sets[g->set_counts++] = shape[i].sets;
	}
	p->cuts |= g->line != own;
	for (size_t i = 0; i < count; i++)
		if (g->line == own && shape[i].sets == m->l1.sets)
			p->own = g->first + i + !g->one_asked;
	p->geometries += g->set_counts;
	return true;
}

/* The set counts asked for at lines of 128 B, whose chunks are recorded. */
static enum ws_status take_chunks(struct ws_profiler *p, const struct ws_machine *m,
				  struct ws_err *err)
{
	const struct ws_line_size *g = p->grain;
	size_t first;

	if (!(p->options.record & WS_RECORD_CHUNKS))
		return WS_OK;
	if (m->l1.line_bytes != WS_GRAIN_LINE)
		return ws_fail(err, WS_EINVAL, "chunks of lines of %" PRIu64 " bytes: expected "
			       "l1.line = %u", m->l1.line_bytes, WS_GRAIN_LINE);
	while (g < p->grain + p->grains && g->line != WS_GRAIN_LINE)
		g++;
	first = g < p->grain + p->grains && g->one_asked ? 0 : 1;
	if (g == p->grain + p->grains || g->set_counts == first)
		return ws_fail(err, WS_EINVAL, "chunks without a set count of lines of %u bytes",
			       WS_GRAIN_LINE);
	p->chunk_sets = g->sets + first;
	p->chunk_counts = g->set_counts - first;
	return WS_OK;
}

static enum ws_status take_shapes(struct ws_profiler *p, const struct ws_machine *m,
				  struct ws_shape *shape, size_t count, struct ws_err *err)
{
	enum ws_status status = WS_OK;
	bool ok;
	size_t end;

	for (size_t i = 0; i < count && status == WS_OK; i++)
		status = ws_profile_check_shape(m, shape + i, err);
	if (status != WS_OK)
		return status;
	count = sort_unique(shape, count);
	p->grain = ws_alloc_zero(count, sizeof *p->grain);
	ok = p->grain != NULL;
	for (size_t i = 0; ok && i < count; i = end) {
		for (end = i + 1; end < count && shape[end].line_bytes == shape[i].line_bytes;)
			end++;
		ok = add_grain(p, m, shape + i, end - i);
	}
	return ok ? WS_OK : ws_fail_memory(err, "set counts");
}

/* The shapes asked for, or the default, and the plain ones. */
static enum ws_status take_options(struct ws_profiler *p, const struct ws_machine *m,
				   struct ws_err *err)
{
	struct ws_profile_options *o = &p->options;
	struct ws_shape *own = NULL, *all;
	enum ws_status status = WS_OK;

	if (!o->shape) {
		status = ws_profile_shapes(m, &own, &o->shapes, err);
		o->shape = own;
	} else if (o->shapes + o->plains == 0) {
		return ws_fail(err, WS_EINVAL, "no set count to profile: expected at least one");
	}
	all = status != WS_OK ? NULL : ws_alloc(o->shapes + o->plains, sizeof *all);
	if (status == WS_OK && !all)
		status = ws_fail_memory(err, "set counts");
	if (status == WS_OK) {
		if (o->shapes)
			memcpy(all, o->shape, o->shapes * sizeof *all);
		if (o->plains)
			memcpy(all + o->shapes, o->plain, o->plains * sizeof *all);
		status = take_shapes(p, m, all, o->shapes + o->plains, err);
	}
	if (status == WS_OK)
		status = take_chunks(p, m, err);
	free(all);
	free(own);
	o->shape = o->plain = NULL;
	return status;
}

/* ---- life ------------------------------------------------------------------- */

static bool allocate_arena(const struct ws_profiler *p, struct ws_arena *a)
{
	a->request = ws_alloc(WS_ARENA, sizeof *a->request);
	a->busy = ws_alloc(p->sms, sizeof *a->busy);
	a->head = ws_alloc(p->sms, sizeof *a->head);
	a->tail = ws_alloc(p->sms, sizeof *a->tail);
	if (!a->request || !a->busy || !a->head || !a->tail)
		return false;
	for (size_t i = 0; i < p->sms; i++)
		a->head[i] = WS_RUN_NONE;
	return true;
}

static bool allocate_cuts(const struct ws_profiler *p, struct ws_cuts *cuts)
{
	bool ok = true;

	cuts->grain = ws_alloc_zero(p->grains, sizeof *cuts->grain);
	for (size_t i = 0; cuts->grain && i < p->grains; i++) {
		struct ws_cut_arena *s = cuts->grain + i;
		size_t pieces = WS_ARENA * p->grain[i].factor;

		s->id = ws_alloc(pieces, sizeof *s->id);
		s->full = ws_alloc(pieces, sizeof *s->full);
		if (p->grain[i].line != p->profile->machine.l1.line_bytes) {
			s->request = ws_alloc(pieces, sizeof *s->request);
			ok = ok && s->request;
		}
		ok = ok && s->id && s->full;
	}
	return ok && cuts->grain;
}

static void free_cuts(const struct ws_profiler *p, struct ws_cuts *cuts)
{
	for (size_t i = 0; cuts->grain && i < p->grains; i++) {
		free(cuts->grain[i].request);
		free(cuts->grain[i].id);
		free(cuts->grain[i].full);
		free(cuts->grain[i].count);
	}
	free(cuts->grain);
}

static void free_arena(const struct ws_profiler *p, struct ws_arena *a)
{
	free_cuts(p, &a->cut);
	free(a->request);
	free(a->run);
	free(a->busy);
	free(a->head);
	free(a->tail);
}

static bool allocate_profiler(struct ws_profiler *p)
{
	bool ok;

	p->sm = ws_alloc_zero(p->sms, sizeof *p->sm);
	ok = p->sm && allocate_cuts(p, &p->spare) && allocate_cuts(p, &p->arena[1].cut);

	for (size_t i = 0; i < WS_COUNT(p->arena); i++)
		ok = ok && allocate_arena(p, p->arena + i);
	return ok;
}

static enum ws_status describe(struct ws_profiler *p, const struct ws_machine *m,
			       struct ws_err *err)
{
	const struct ws_profile_options *o = &p->options;
	uint64_t any = 0;

	p->profile = ws_alloc_zero(1, sizeof *p->profile);
	if (!p->profile)
		return ws_fail_memory(err, "a profile");
	p->profile->machine = *m;
	p->profile->seed = o->seed;
	p->profile->order = o->order;
	p->profile->sample_rate = o->sample_rate == 0 ? 1 : o->sample_rate;
	p->profile->sample_lines = o->sample_lines;
	if (!(p->profile->sample_rate > 0 && p->profile->sample_rate <= 1))
		return ws_fail(err, WS_EINVAL, "a sample of %g of the lines: expected more than 0, "
			       "at most 1", o->sample_rate);
	if (ws_sampled(p))
		p->options.record = 0;
	if (p->options.record & WS_RECORD_DETAIL)
		p->options.record |= WS_RECORD_DETAIL;
	if (!p->options.set_sample)
		p->options.set_sample = WS_SET_SAMPLE_MOST;
	for (size_t i = 0; i < WS_SM_WORDS; i++)
		any |= o->sm[i];
	for (size_t i = 0; i < p->sms; i++)
		p->profile->sm[i / 64] |= (any ? o->sm[i / 64] : UINT64_MAX) & 1ull << (i % 64);
	any = 0;
	for (size_t i = 0; i < WS_SM_WORDS; i++)
		any |= p->profile->sm[i];
	if (m->l1.set_ways.runs && ws_sampled(p))
		return ws_fail(err, WS_EINVAL, "a sample of an L1 whose sets differ "
			       "(l1.sets.ways): expected all lines to be counted");
	if (o->filters && ws_sampled(p))
		return ws_fail(err, WS_EINVAL, "an L2 of a sample: expected all lines to be "
			       "counted");
	for (size_t i = 0; o->filters && i < p->sms; i++)
		if (!(p->profile->sm[i / 64] >> (i % 64) & 1))
			return ws_fail(err, WS_EINVAL, "an L2 of some of the SMs: expected all to "
				       "be counted, as they share it");
	return any ? WS_OK : ws_fail(err, WS_EINVAL, "none of the SMs asked for is there: "
				     "expected some of 0 to %zu", p->sms - 1);
}

static const struct ws_l2_recorder l2_recorder;

enum ws_status ws_profiler_new(struct ws_profiler **out, const struct ws_machine *m,
			       const struct ws_profile_options *options, struct ws_err *err)
{
	struct ws_profiler *p = ws_alloc_zero(1, sizeof *p);
	enum ws_status status;

	if (!p)
		return ws_fail_memory(err, "a profiler");
	p->options = *options;
	p->threads = ws_threads(options->threads);
	p->sms = (size_t)ws_l1s(m);
	p->own = SIZE_MAX;
	status = describe(p, m, err);
	if (status == WS_OK)
		status = take_options(p, m, err);
	if (status == WS_OK && !allocate_profiler(p))
		status = ws_fail_memory(err, "a profiler");
	if (status == WS_OK)
		status = ws_account_new(p, err);
	if (status == WS_OK && options->filters)
		status = ws_back_new(&p->back, m, options, &l2_recorder, err);
	p->options.filter = NULL;
	p->options.l2_sets = NULL;
	if (status != WS_OK)
		ws_profiler_free(p);
	else
		*out = p;
	return status;
}

void ws_profiler_free(struct ws_profiler *p)
{
	struct ws_err ignored = { 0 };

	if (!p)
		return;
	if (ws_profiler_wait(p, &ignored) != WS_OK)
		p->failed = true;
	ws_pool_free(p->pool);
	ws_profiler_empty(p);
	ws_account_free(p);
	ws_back_free(p->back);
	free_cuts(p, &p->spare);
	for (size_t i = 0; i < WS_COUNT(p->arena); i++)
		free_arena(p, p->arena + i);
	ws_profile_free(p->profile);
	for (size_t i = 0; i < p->grains; i++) {
		free(p->grain[i].sets);
		free(p->grain[i].plain);
	}
	free(p->grain);
	free(p->skipped);
	free(p->sm);
	free(p);
}

/* ---- gathering -------------------------------------------------------------------- */

static enum ws_status add_run(struct ws_profiler *p, size_t sm, size_t n, struct ws_err *err)
{
	struct ws_arena *a = p->arena;
	struct ws_arena_run *last = a->head[sm] == WS_RUN_NONE ? NULL : a->run + a->tail[sm];

	if (last && last->first + last->count == a->count) {
		last->count += n;
		return WS_OK;
	}
	if (!WS_ROOM(a->run, a->runs_cap, a->runs + 1))
		return ws_fail_memory(err, "runs of requests");
	if (a->head[sm] == WS_RUN_NONE) {
		a->busy[a->busy_count++] = sm;
		a->head[sm] = a->runs;
	} else {
		a->run[a->tail[sm]].next = a->runs;
	}
	a->tail[sm] = a->runs;
	a->run[a->runs++] = (struct ws_arena_run){ a->count, n, WS_RUN_NONE };
	return WS_OK;
}

/* How many of the requests fit: all, or else up to the end of a warp instruction. */
static size_t fitting(const struct ws_arena *a, const struct ws_request *r, size_t count)
{
	size_t n = WS_ARENA - a->count;

	if (count <= n)
		return count;
	while (n > 0 && r[n].follows)
		n--;
	/* A warp instruction larger than an arena is none that a coalescer makes. */
	return n || a->count ? n : WS_ARENA;
}

static enum ws_status gather_requests(struct ws_profiler *p, size_t sm, const struct ws_request *r,
				      size_t count, struct ws_err *err)
{
	enum ws_status status = WS_OK;

	for (size_t n; count && status == WS_OK; r += n, count -= n) {
		n = fitting(p->arena, r, count);
		if (n > 0) {
			status = add_run(p, sm, n, err);
			if (status != WS_OK)
				break;
			memcpy(p->arena->request + p->arena->count, r, n * sizeof *r);
			p->arena->count += n;
		}
		if (n < count || p->arena->count == WS_ARENA)
			status = ws_profiler_work(p, err);
	}
	return status;
}

static enum ws_status check_request(const struct ws_profiler *p, const struct ws_request *r,
				    struct ws_err *err)
{
	uint64_t line = p->profile->machine.l1.line_bytes;

	if (r->kind >= WS_KINDS)
		return ws_fail(err, WS_EINVAL, "a request of kind %u: expected 0 to %u", r->kind,
			       WS_KINDS - 1);
	if (line < WS_LINE_MAX && r->sectors >> line / WS_SECTOR_BYTES)
		return ws_fail(err, WS_EINVAL, "a request of sectors 0x%" PRIx32 " in a line of %"
			       PRIu64 " bytes: expected %" PRIu64 " sectors at most", r->sectors,
			       line, line / WS_SECTOR_BYTES);
	if ((p->cuts || p->back) && (r->sectors == 0 || r->address % line))
		return ws_fail(err, WS_EINVAL, "a request of sectors 0x%" PRIx32 " at 0x%" PRIx64
			       ": expected some, and a line's address", r->sectors, r->address);
	return WS_OK;
}

/* Which are wrong is asked only if some may be. */
static enum ws_status check_requests(const struct ws_profiler *p, const struct ws_request *r,
				     size_t n, struct ws_err *err)
{
	uint64_t line = p->profile->machine.l1.line_bytes, addresses = 0, sectors = 0;
	uint64_t low = ws_is_pow2(line) ? line - 1 : UINT64_MAX;
	enum ws_status status = WS_OK;
	bool wrong = false;

	for (size_t i = 0; i < n; i++) {
		addresses |= r[i].address;
		sectors |= r[i].sectors;
		wrong |= (r[i].kind >= WS_KINDS) | (r[i].sectors == 0);
	}
	wrong |= addresses & low || sectors >> (line < WS_LINE_MAX ? line / WS_SECTOR_BYTES : 63);
	for (size_t i = 0; wrong && i < n && status == WS_OK; i++)
		status = check_request(p, r + i, err);
	return status;
}

/* What was counted is incomplete after a failure, so the profiler is spent. */
static enum ws_status spend_on_failure(struct ws_profiler *p, enum ws_status status)
{
	p->failed |= status != WS_OK;
	return status;
}

static enum ws_status check_state(const struct ws_profiler *p, bool launched, struct ws_err *err)
{
	if (p->failed || !p->profile)
		return ws_fail(err, WS_EINVAL, "a profiler that has %s is used again",
			       p->failed ? "failed" : "handed its profile over");
	if (launched && !p->launched)
		return ws_fail(err, WS_EINVAL, "requests, or an end, outside a launch");
	if (!launched && p->launched)
		return ws_fail(err, WS_EINVAL, "the last launch has not ended yet");
	return WS_OK;
}

enum ws_status ws_profiler_push(struct ws_profiler *p, uint64_t sm, const struct ws_request *r,
				size_t count, struct ws_err *err)
{
	enum ws_status status = check_state(p, true, err);

	if (status != WS_OK)
		return status;
	if (sm >= p->sms)
		return ws_fail(err, WS_EINVAL, "requests of SM %" PRIu64 ": expected 0 to %zu", sm,
			       p->sms - 1);
	if (!count || !(p->profile->sm[sm / 64] >> (sm % 64) & 1))
		return WS_OK;
	status = check_requests(p, r, count, err);
	if (status != WS_OK)
		return status;
	if (!p->sm[sm].core)
		status = spend_on_failure(p, ws_profiler_first_use(p, (size_t)sm, err));
	return status != WS_OK ? status
			       : spend_on_failure(p, gather_requests(p, (size_t)sm, r, count,
								     err));
}

/* ---- launches ---------------------------------------------------------------------- */

static enum ws_status new_geometries(const struct ws_profiler *p, struct ws_section *s,
				     struct ws_err *err)
{
	s->geometry = ws_alloc_zero(p->geometries, sizeof *s->geometry);
	if (!s->geometry)
		return ws_fail_memory(err, "a section of the profile");
	for (size_t g = 0; g < p->grains; g++)
		for (size_t i = p->grain[g].one_asked ? 0 : 1; i < p->grain[g].set_counts; i++) {
			struct ws_geometry *to = s->geometry + s->geometries++;

			to->line_bytes = p->grain[g].line;
			to->sector_bytes = p->grain[g].sector;
			to->sets = p->grain[g].sets[i];
			if (!ws_has_detail(p, p->grain + g, i) ||
			    !(p->options.record & WS_RECORD_SETS))
				continue;
			to->sample = ws_alloc_zero(1, sizeof *to->sample);
			if (!to->sample)
				return ws_fail_memory(err, "a section of the profile");
			to->sample->most = p->options.set_sample;
		}
	return WS_OK;
}

static enum ws_status new_section(struct ws_profiler *p, const struct ws_launch *launch,
				  struct ws_err *err)
{
	struct ws_profile *profile = p->profile;
	size_t cap = profile->sections;
	struct ws_section *s;

	if (!WS_ROOM(profile->section, cap, cap + 1))
		return ws_fail_memory(err, "a section of the profile");
	s = profile->section + profile->sections;
	*s = (struct ws_section){ .kernel = ws_strdup(launch->kernel) };
	profile->sections++;
	memcpy(s->grid, launch->grid, sizeof s->grid);
	memcpy(s->block, launch->block, sizeof s->block);
	s->demand = ws_launch_demand(launch);
	if (!s->kernel)
		return ws_fail_memory(err, "a section of the profile");
	if (p->chunk_counts && ws_chunked_new(s, p->chunk_sets, p->chunk_counts,
						   p->options.grain_period, err))
		return WS_ENOMEM;
	return new_geometries(p, s, err);
}

/* The samples of sets go on as those of the kernel's launches before are. */
static void begin_samples(struct ws_profiler *p)
{
	const struct ws_section *s = p->profile->section + p->section;
	size_t geometry = 0;

	for (size_t g = 0; g < p->grains; g++)
		for (size_t i = p->grain[g].one_asked ? 0 : 1; i < p->grain[g].set_counts; i++) {
			const struct ws_set_sample *sample = s->geometry[geometry++].sample;

			p->halvings[p->grain[g].first + i] = sample ? sample->halvings : 0;
		}
}

static enum ws_status begin_sites(struct ws_profiler *p, const struct ws_launch *launch,
				  struct ws_err *err)
{
	enum ws_status status = WS_OK;

	if (!(p->options.record & WS_RECORD_SITES) || p->own == SIZE_MAX)
		return WS_OK;
	for (unsigned i = 0; i < p->threads && status == WS_OK; i++)
		status = ws_sites_new(p->sites + i, launch, err);
	return status;
}

enum ws_status ws_profiler_skip(struct ws_profiler *p, const struct ws_launch *launch,
				struct ws_err *err)
{
	enum ws_status status = check_state(p, false, err);
	size_t i = 0;

	if (status != WS_OK || !ws_sampled(p)) /* nothing else depends on launches before */
		return status;
	while (i < p->skips && strcmp(p->skipped[i].kernel, launch->kernel))
		i++;
	if (i == p->skips) {
		if (!WS_ROOM(p->skipped, p->skips_cap, i + 1))
			return ws_fail_memory(err, "the launches before");
		p->skipped[p->skips++] = (struct ws_skipped){ .kernel = launch->kernel };
	}
	p->skipped[i].launches++;
	return WS_OK;
}

enum ws_status ws_profiler_launch(struct ws_profiler *p, const struct ws_launch *launch,
				  struct ws_err *err)
{
	struct ws_profile *profile = p->profile;
	enum ws_status status = check_state(p, false, err);

	if (status != WS_OK)
		return status;
	for (p->section = 0; p->section < profile->sections; p->section++)
		if (!strcmp(profile->section[p->section].kernel, launch->kernel))
			break;
	if (p->section == profile->sections)
		status = new_section(p, launch, err);
	if (status == WS_OK)
		begin_samples(p);
	if (status == WS_OK)
		status = begin_sites(p, launch, err);
	if (status == WS_OK && p->back)
		status = ws_back_launch(p->back, launch, err);
	if (status != WS_OK)
		return spend_on_failure(p, status);
	profile->section[p->section].ctas += launch->ctas;
	ws_demand_add(&profile->section[p->section].demand, ws_launch_demand(launch));
	p->launched = true;
	return WS_OK;
}

static void add_stats(struct ws_section *s, const struct ws_order_stats *stats)
{
	if (s->launches++ == 0)
		s->resident_ctas = stats->resident_ctas;
	s->warp_instructions += stats->warp_instructions;
	s->cycles += stats->cycles;
	s->issued += stats->issued;
	s->waits += stats->waits;
}

enum ws_status ws_profiler_end(struct ws_profiler *p, const struct ws_order_stats *stats,
			       struct ws_err *err)
{
	struct ws_section *s;
	enum ws_status status = check_state(p, true, err);

	if (status != WS_OK)
		return status;
	s = p->profile->section + p->section;
	status = ws_profiler_work(p, err);	/* the arena at hand: its first pass, */
	if (status == WS_OK)
		status = ws_profiler_work(p, err); /* and its second */
	if (status == WS_OK)
		status = ws_profiler_wait(p, err);
	if (status == WS_OK)
		status = ws_profiler_close(p, err);
	if (status == WS_OK && p->back)
		status = ws_back_end(p->back, stats, err);
	if (status == WS_OK)
		status = ws_account_take(p, s, err);
	for (size_t i = 0; i < p->sms && status == WS_OK; i++)
		if (p->sm[i].chunks)
			status = ws_chunks_take(p->sm[i].chunks, s, err);
	add_stats(s, stats);
	if (!ws_profile_keeps(p->profile))
		ws_profiler_empty(p);
	p->launched = false;
	return spend_on_failure(p, status);
}

enum ws_status ws_profiler_finish(struct ws_profiler *p, struct ws_profile **out,
				  struct ws_err *err)
{
	enum ws_status status = check_state(p, false, err);

	if (status == WS_OK && p->back)
		status = spend_on_failure(p, ws_back_finish(p->back, p->profile, err));
	if (status != WS_OK)
		return status;
	ws_promise_profile(p->profile);
	*out = p->profile;
	p->profile = NULL;
	return WS_OK;
}

/* ---- the L2 behind the SMs: a profiler of one SM -------------------------------------- */

static enum ws_status l2_create(void **out, const struct ws_machine *l2,
				const struct ws_profile_options *options, struct ws_err *err)
{
	struct ws_profiler *p = NULL;
	enum ws_status status = ws_profiler_new(&p, l2, options, err);

	*out = p;
	return status;
}

static enum ws_status l2_launch(void *l2, const struct ws_launch *launch, struct ws_err *err)
{
	return ws_profiler_launch(l2, launch, err);
}

static enum ws_status l2_push(void *l2, const struct ws_request *request, size_t count,
			      struct ws_err *err)
{
	return ws_profiler_push(l2, 0, request, count, err);
}

static enum ws_status l2_end(void *l2, const struct ws_order_stats *stats, struct ws_err *err)
{
	return ws_profiler_end(l2, stats, err);
}

static enum ws_status l2_finish(void *l2, struct ws_profile **out, struct ws_err *err)
{
	return ws_profiler_finish(l2, out, err);
}

static void l2_free(void *l2)
{
	ws_profiler_free(l2);
}

static const struct ws_l2_recorder l2_recorder = {
	l2_create, l2_launch, l2_push, l2_end, l2_finish, l2_free,
};
