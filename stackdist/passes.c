/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * stackdist/passes.c -- the two passes over an arena of requests (profiler.h).
 *
 *   first pass, per busy SM and grain: the requests as pieces of the grain's line
 *     size, line numbers (lines.h), the fully associative distances q, and all of
 *     one set's records if it was asked for;
 *   second pass, per busy SM and geometry of more sets: distances and records.
 *
 * Items of one pass share no state, nor do the second pass of an arena and the first pass of the
 * next: only the first pass uses the stack of one set and the line numbers.  So both passes form
 * one list of items for the threads.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "stackdist/profiler.h"

/* ---- caches of an SM --------------------------------------------------------- */

static struct ws_cache cache_of(const struct ws_profiler *p, const struct ws_line_size *g,
				uint64_t sets)
{
	return ws_geometry_cache(&p->profile->machine, g->line, g->sector, sets);
}

static enum ws_status new_unit(const struct ws_profiler *p, const struct ws_line_size *g, size_t i,
			       size_t sm, struct ws_sm_cache *u, struct ws_err *err)
{
	struct ws_cache cache = cache_of(p, g, g->sets[i]);
	const struct ws_set_recording of = {
		.launch = p->profile->section[p->section].launches, .sm = (uint32_t)sm,
		.timed = p->options.record & WS_RECORD_TIMES &&
			 p->options.order == WS_ORDER_CYCLES && !cache.slices,
	};
	enum ws_status status = ws_sets_new(&u->sets, &cache, err);

	if (status != WS_OK || !ws_has_detail(p, g, i))
		return status;
	status = ws_windows_new(&u->windows, cache.sets, err);
	if (status == WS_OK)
		status = ws_lifetimes_new(&u->lifetimes, cache.sets, err);
	if (status == WS_OK)
		status = ws_fill_recorder_new(&u->fill_recorder, &cache, err);
	if (status == WS_OK && !cache.slices)
		status = ws_reservation_new(&u->reservation, cache.sets, err);
	if (status == WS_OK && p->options.record & WS_RECORD_SETS)
		status = ws_set_recorder_new(&u->sets_kept, &cache, &of, p->halvings[g->first + i],
					     err);
	return status;
}

/* Of the kernel that is measured, those of others too. */
static uint64_t launches_before(const struct ws_profiler *p, const struct ws_section *s)
{
	uint64_t launches = s->launches;

	for (size_t i = 0; i < p->skips; i++)
		if (!strcmp(p->skipped[i].kernel, s->kernel))
			launches += p->skipped[i].launches;
	return launches;
}

/* Each SM, launch and grain samples other lines, else their errors would not even out as
 * their variances say. */
static uint64_t sample_seed(const struct ws_profiler *p, const struct ws_line_size *g, size_t sm)
{
	const struct ws_section *s = p->profile->section + p->section;
	uint64_t seed = p->profile->seed;
	struct ws_rng rng;

	for (const char *c = s->kernel; *c; c++)
		seed = seed * 0x100000001b3u ^ (unsigned char)*c; /* FNV-1a's prime */
	ws_rng_seed(&rng, seed);
	ws_rng_seed(&rng, ws_rng_u64(&rng) ^ launches_before(p, s));
	ws_rng_seed(&rng, ws_rng_u64(&rng) ^ (sm << 16 | g->line));
	return ws_rng_u64(&rng);
}

static enum ws_status new_core(const struct ws_profiler *p, const struct ws_line_size *g, size_t sm,
			       struct ws_sm_at_size *c, struct ws_err *err)
{
	enum ws_status status = WS_OK;
	struct ws_cache cache = cache_of(p, g, 1);

	if (ws_sampled(p))
		return ws_sampler_new(&c->sampler, &cache, g->sets, g->set_counts,
				      p->profile->sample_rate, p->profile->sample_lines,
				      sample_seed(p, g, sm), err);
	c->lines.atomics = ws_atomics_allocate(&cache);
	c->unit = ws_alloc_zero(g->set_counts, sizeof *c->unit);
	if (!c->unit)
		return ws_fail_memory(err, "an SM's stacks");
	for (size_t i = 0; i < g->set_counts && status == WS_OK; i++)
		status = new_unit(p, g, i, sm, c->unit + i, err);
	return status;
}

enum ws_status ws_profiler_first_use(struct ws_profiler *p, size_t sm, struct ws_err *err)
{
	struct ws_sm_at_size *core = ws_alloc_zero(p->grains, sizeof *core);
	enum ws_status status = WS_OK;

	if (!core)
		return ws_fail_memory(err, "an SM's stacks");
	p->sm[sm].core = core;
	for (size_t g = 0; g < p->grains && status == WS_OK; g++)
		status = new_core(p, p->grain + g, sm, core + g, err);
	if (status == WS_OK && p->chunk_counts)
		status = ws_chunks_new(&p->sm[sm].chunks, &p->profile->machine.l1, p->chunk_sets,
				       p->chunk_counts, p->options.grain_period, err);
	return status;
}

static void free_core(const struct ws_line_size *g, struct ws_sm_at_size *c)
{
	ws_lines_clear(&c->lines);
	ws_sampler_free(c->sampler);
	for (size_t i = 0; c->unit && i < g->set_counts; i++) {
		ws_sets_free(c->unit[i].sets);
		ws_windows_free(c->unit[i].windows);
		ws_lifetimes_free(c->unit[i].lifetimes);
		ws_fill_recorder_free(c->unit[i].fill_recorder);
		ws_reservation_free(c->unit[i].reservation);
		ws_set_recorder_free(c->unit[i].sets_kept);
	}
	free(c->unit);
}

void ws_profiler_empty(struct ws_profiler *p)
{
	for (size_t i = 0; p->sm && i < p->sms; i++) {
		for (size_t g = 0; p->sm[i].core && g < p->grains; g++)
			free_core(p->grain + g, p->sm[i].core + g);
		free(p->sm[i].core);
		p->sm[i].core = NULL;
		ws_chunks_free(p->sm[i].chunks);
		p->sm[i].chunks = NULL;
	}
}

/* ---- a piece of a run at one geometry ---------------------------------------------- */

struct run_piece {
	struct ws_profiler *p;
	const struct ws_line_size *grain;
	struct ws_sm_cache *unit;
	struct ws_account *account;
	struct ws_scratch *scratch;
	size_t geometry;
	uint64_t sets;
	unsigned shift;		/* log2 of sets, or 64: no power of two */
	uint32_t missing;	/* lines, to sets of equal ways */
	unsigned thread;
};

static struct run_piece piece_of(struct ws_profiler *p, const struct ws_line_size *g,
				 struct ws_sm_at_size *core,
				 size_t i, unsigned thread)
{
	const struct ws_cache *l1 = &p->profile->machine.l1;
	bool unequal = l1->set_ways.runs && g->sets[i] == l1->sets;

	assert(i < g->set_counts && thread < p->threads);
	return (struct run_piece){
		.p = p, .grain = g, .unit = core->unit + i,
		.account = ws_account_of(p, thread, g->first + i),
		.scratch = p->scratch + thread,
		.geometry = g->first + i,
		.sets = g->sets[i],
		.shift = ws_is_pow2(g->sets[i]) ? ws_log2(g->sets[i]) : 64,
		.missing = unequal ? (uint32_t)(l1->sets * l1->ways - ws_cache_lines(l1)) : 0,
		.thread = thread,
	};
}

/* floor(q / sets); what is not finite stays large.  Of sets that differ, as many as there are ways
 * at most if and only if q is all lines. */
static inline uint32_t share(const struct run_piece *w, uint32_t q)
{
	q = q < UINT32_MAX - w->missing ? q + w->missing : UINT32_MAX;
	return w->shift < 64 ? q >> w->shift : q / (uint32_t)w->sets;
}

static bool count_requests(const struct run_piece *w, const struct ws_request *r,
			   const uint32_t *distance, const uint32_t *full, size_t n)
{
	struct ws_distance_tally *kind = w->account->kind;
	bool ok = true;

	if (w->sets == 1 && !w->missing) {
		for (size_t i = 0; i < n; i++)
			ok &= ws_tally_count_full(kind + r[i].kind, full[i]);
		return ok;
	}
	for (size_t i = 0; i < n; i++)
		ok &= ws_tally_count(kind + r[i].kind, distance[i], share(w, full[i]));
	return ok;
}

static bool count_sectors(const struct run_piece *w, const struct ws_request *r,
			  const struct ws_set_places *places, size_t n)
{
	struct ws_sectoring by = ws_sectoring_of(w->grain->line, w->grain->sector);
	size_t at = 0;
	bool ok = true;

	for (size_t i = 0; i < n; i++)
		for (uint32_t left = ws_sectors_asked(by, r[i].sectors); left; left &= left - 1)
			ok &= ws_tally_sector(w->account->kind + r[i].kind, places->sector[at++]);
	return ok;
}

static bool count_sites(const struct run_piece *w, const struct ws_request *r,
			const uint32_t *distance, const uint32_t *full, size_t n)
{
	struct ws_sites *sites = w->p->sites[w->thread];
	bool ok = true;

	for (size_t i = 0; i < n; i++)
		ok &= ws_sites_count(sites, r + i, distance[i], share(w, full[i]));
	return ok;
}

static enum ws_status record(const struct run_piece *w, const struct ws_request *r,
			     const uint32_t *id, const struct ws_set_places *places, size_t n,
			     struct ws_err *err)
{
	const struct ws_scratch *s = w->scratch;
	const struct ws_batch batch = {
		.count = n, .request = r, .id = id, .set = places->set,
		.position = places->position, .distance = places->distance, .type = s->type,
		.sector = places->sector,
	};
	enum ws_status status;

	ws_types(w->p->profile->machine.l1.write, r, id, places->position, n, s->type);
	if (w->unit->reservation)
		ws_reservation_push(w->unit->reservation, &batch, w->account->detail);
	status = ws_windows_push(w->unit->windows, &batch, w->account->detail, err);
	if (status == WS_OK)
		status = ws_lifetimes_push(w->unit->lifetimes, &batch, w->account->detail, err);
	if (status == WS_OK)
		status = ws_fill_recorder_push(w->unit->fill_recorder, &batch, w->account->changes,
					       err);
	if (status == WS_OK && w->unit->sets_kept)
		status = ws_set_recorder_push(w->unit->sets_kept, &batch, err);
	return status;
}

/* full: where q is; at one set it is written here. */
static enum ws_status one_piece(const struct run_piece *w, const struct ws_request *r,
				const uint32_t *id, uint32_t *full, size_t n, struct ws_err *err)
{
	bool asked = w->sets > 1 || w->grain->one_asked;
	bool detail = asked && w->unit->windows;
	struct ws_scratch *s = w->scratch;
	struct ws_set_places places = {
		.distance = w->sets == 1 ? full : s->distance,
		.position = detail ? s->position : NULL,
		.set = detail ? s->set : NULL,
		.sector = asked && w->grain->sector < w->grain->line ? s->sector : NULL,
	};
	enum ws_status status = ws_sets_push(w->unit->sets, r, id, n, &places, err);
	bool ok;

	if (status != WS_OK || !asked)
		return status;
	ok = count_requests(w, r, places.distance, full, n);
	if (places.sector)
		ok = count_sectors(w, r, &places, n) && ok;
	if (w->geometry == w->p->own && w->p->sites && w->p->sites[w->thread])
		ok = count_sites(w, r, places.distance, full, n) && ok;
	if (!ok)
		return ws_fail_memory(err, "a histogram of distances");
	return detail ? record(w, r, id, &places, n, err) : WS_OK;
}

static enum ws_status all_pieces(const struct run_piece *w, const struct ws_request *r,
				 const uint32_t *id, uint32_t *full, size_t count,
				 struct ws_err *err)
{
	enum ws_status status = WS_OK;

	if (count && w->unit->windows)
		status = ws_account_use(w->account, err);
	for (size_t n; count && status == WS_OK; r += n, id += n, full += n, count -= n) {
		n = count < WS_PIECE ? count : WS_PIECE;
		status = one_piece(w, r, id, full, n, err);
	}
	return status;
}

/* ---- passes ---------------------------------------------------------------------------- */

static const struct ws_request *pieces_of(const struct ws_arena *a, const struct ws_line_size *g,
					  const struct ws_cut_arena *s,
					  const struct ws_arena_run *run)
{
	return s->request ? s->request + run->first * g->factor : a->request + run->first;
}

static size_t cut_run(const struct ws_profiler *p, struct ws_arena *a, size_t grain,
		      const struct ws_arena_run *run)
{
	const struct ws_line_size *g = p->grain + grain;
	const struct ws_machine *m = &p->profile->machine;
	struct ws_cut_arena *s = a->cut.grain + grain;

	if (!s->request)
		return run->count;
	return ws_recut(m->coalesce_line, m->l1.line_bytes, g->line, a->request + run->first,
			run->count, s->request + run->first * g->factor);
}

static void count_pushed(uint64_t pushed[WS_KINDS], const struct ws_request *r, size_t n)
{
	for (size_t i = 0, end; i < n; i = end) {
		for (end = i + 1; end < n && r[end].kind == r[i].kind;)
			end++;
		pushed[r[i].kind] += end - i;
	}
}

static enum ws_status first_run(struct ws_profiler *p, struct ws_arena *a, size_t sm, size_t grain,
				size_t number, unsigned thread, struct ws_err *err)
{
	const struct ws_line_size *g = p->grain + grain;
	struct ws_sm_at_size *core = p->sm[sm].core + grain;
	struct ws_cut_arena *s = a->cut.grain + grain;
	const struct ws_arena_run *run = a->run + number;
	size_t at = run->first * g->factor, n = cut_run(p, a, grain, run);
	const struct ws_request *r = pieces_of(a, g, s, run);
	struct ws_account *account = ws_account_of(p, thread, g->first);
	struct run_piece w;
	enum ws_status status;

	s->count[number] = n;
	count_pushed(account->pushed, r, n);
	if (core->sampler)
		return ws_sampler_push(core->sampler, r, n, err);
	status = ws_lines_number(&core->lines, p->profile->machine.l1.write, r, n, s->id + at, err);
	if (status != WS_OK)
		return status;
	w = piece_of(p, g, core, 0, thread);
	return all_pieces(&w, r, s->id + at, s->full + at, n, err);
}

static enum ws_status first_pass(struct ws_profiler *p, struct ws_arena *a, size_t item,
				 unsigned thread, struct ws_err *err)
{
	size_t sm = a->busy[item / p->grains], grain = item % p->grains;
	enum ws_status status = WS_OK;

	for (size_t i = a->head[sm]; i != WS_RUN_NONE && status == WS_OK; i = a->run[i].next)
		status = first_run(p, a, sm, grain, i, thread, err);
	return status;
}

static enum ws_status second_pass(struct ws_profiler *p, struct ws_arena *a, size_t sm,
				  size_t geometry, unsigned thread, struct ws_err *err)
{
	size_t grain = ws_profiler_grain(p, geometry);
	const struct ws_line_size *g;
	const struct ws_cut_arena *s;
	enum ws_status status = WS_OK;
	struct run_piece w;

	g = p->grain + grain;
	s = a->cut.grain + grain;
	w = piece_of(p, g, p->sm[sm].core + grain, geometry - g->first, thread);
	for (size_t i = a->head[sm]; i != WS_RUN_NONE && status == WS_OK; i = a->run[i].next) {
		const struct ws_arena_run *run = a->run + i;
		size_t at = run->first * g->factor;

		status = all_pieces(&w, pieces_of(a, g, s, run), s->id + at, s->full + at,
				    s->count[i], err);
	}
	return status;
}

/* An SM's requests through one of its L1s before the L2, whole warp instructions at a time. */
static enum ws_status filter(struct ws_profiler *p, struct ws_arena *a, size_t item,
			    struct ws_err *err)
{
	size_t filters = ws_back_filters(p->back), sm = a->busy[item / filters];
	enum ws_status status = WS_OK;

	for (size_t i = a->head[sm]; i != WS_RUN_NONE && status == WS_OK; i = a->run[i].next)
		status = ws_back_filter(p->back, item % filters, sm, a->request + a->run[i].first,
				       a->run[i].count, err);
	return status;
}

/* An SM's requests in one form of chunks. */
static enum ws_status chunks(struct ws_profiler *p, struct ws_arena *a, size_t item,
			     struct ws_err *err)
{
	size_t sm = a->busy[item / WS_FORMS];
	enum ws_status status = WS_OK;

	for (size_t i = a->head[sm]; i != WS_RUN_NONE && status == WS_OK; i = a->run[i].next)
		status = ws_chunks_push(p->sm[sm].chunks, (enum ws_chunk_form)(item % WS_FORMS),
					a->request + a->run[i].first, a->run[i].count, err);
	return status;
}

/* Items: the first pass of arena[1], its L1 filters, its chunks, then the second pass of arena[2]
 * per SM and geometry, of which those of one set are none. */
static enum ws_status work_item(void *context, size_t item, unsigned thread, struct ws_err *err)
{
	struct ws_profiler *p = context;
	struct ws_arena *new = p->arena + 1, *old = p->arena + 2;
	size_t first = new->busy_count * p->grains, geometry;
	size_t filters = new->busy_count * ws_back_filters(p->back);
	size_t forms = p->chunk_counts ? new->busy_count * WS_FORMS : 0;

	if (item < first)
		return first_pass(p, new, item, thread, err);
	item -= first;
	if (item < filters)
		return filter(p, new, item, err);
	item -= filters;
	if (item < forms)
		return chunks(p, new, item, err);
	item -= forms;
	geometry = item % p->geometries;
	for (size_t g = 0; g < p->grains; g++)
		if (p->grain[g].first == geometry)
			return WS_OK;
	return second_pass(p, old, old->busy[item / p->geometries], geometry, thread, err);
}

/* ---- samples of sets ------------------------------------------------------------------- */

static struct ws_set_recorder *sets_kept(const struct ws_profiler *p, size_t sm, size_t grain,
					 size_t i)
{
	const struct ws_sm_at_size *core = p->sm[sm].core;

	return core && core[grain].unit ? core[grain].unit[i].sets_kept : NULL;
}

/* Would so many halvings leave more than a sample may be, of all sets of all SMs together?  What is
 * more now is more at the end, as requests and sets only grow. */
static bool over(const struct ws_profiler *p, size_t grain, size_t i, unsigned halvings)
{
	struct ws_sets_left left = { 0, 0 };

	for (size_t sm = 0; sm < p->sms; sm++) {
		const struct ws_set_recorder *r = sets_kept(p, sm, grain, i);

		if (r)
			ws_set_recorder_left(r, halvings, &left);
	}
	return ws_set_sample_over(left.requests, left.sets, p->options.set_sample);
}

/* Here no thread is at work on an arena, so it does not matter how many there are. */
static enum ws_status bound_sample(struct ws_profiler *p, size_t grain, size_t i,
				   struct ws_err *err)
{
	unsigned *halvings = p->halvings + p->grain[grain].first + i, before = *halvings;
	enum ws_status status = WS_OK;

	while (*halvings < WS_SET_HALVINGS_MAX && over(p, grain, i, *halvings))
		(*halvings)++;
	for (size_t sm = 0; sm < p->sms && *halvings > before && status == WS_OK; sm++) {
		struct ws_set_recorder *r = sets_kept(p, sm, grain, i);

		if (r)
			status = ws_set_recorder_thin_out(r, *halvings, err);
	}
	return status;
}

static enum ws_status bound_one(void *context, size_t geometry, unsigned thread,
				struct ws_err *err)
{
	struct ws_profiler *p = context;
	size_t grain = ws_profiler_grain(p, geometry);

	(void)thread;
	return bound_sample(p, grain, geometry - p->grain[grain].first, err);
}

static enum ws_status bound_samples(struct ws_profiler *p, struct ws_err *err)
{
	if (!(p->options.record & WS_RECORD_SETS))
		return WS_OK;
	return ws_pool_run(p->pool, p->geometries, bound_one, p, err);
}

/* ---- arenas in turn --------------------------------------------------------------------- */

enum ws_status ws_profiler_wait(struct ws_profiler *p, struct ws_err *err)
{
	enum ws_status status;

	if (!p->under_way)
		return WS_OK;
	p->under_way = false;
	status = ws_pool_end(p->pool, err);
	if (status == WS_OK && p->back)
		status = ws_back_merge(p->back, err);
	return status == WS_OK ? bound_samples(p, err) : status;
}

/* The arena enters the first pass. */
static bool give_cuts(const struct ws_profiler *p, struct ws_arena *a, struct ws_cuts *from)
{
	a->cut = *from;
	*from = (struct ws_cuts){ 0 };
	if (a->cut.counts_cap >= a->runs_cap)
		return true;
	for (size_t i = 0; i < p->grains; i++) {
		size_t *count = realloc(a->cut.grain[i].count, a->runs_cap * sizeof *count);

		if (!count)
			return false;
		a->cut.grain[i].count = count;
	}
	a->cut.counts_cap = a->runs_cap;
	return true;
}

/* Nobody is at work.  The arena that was in the second pass is filled next. */
static bool rotate(struct ws_profiler *p)
{
	struct ws_arena *a = p->arena, spent = a[2];

	for (size_t i = 0; i < spent.busy_count; i++)
		spent.head[spent.busy[i]] = WS_RUN_NONE;
	spent.count = spent.runs = spent.busy_count = 0;
	if (spent.cut.grain)
		p->spare = spent.cut;
	spent.cut = (struct ws_cuts){ 0 };
	a[2] = a[1];
	a[1] = a[0];
	a[0] = spent;
	return give_cuts(p, a + 1, &p->spare);
}

/* Few requests are worked off sooner than threads, and what they count in, are made; who asks for
 * threads has them. */
static enum ws_status make_pool(struct ws_profiler *p, struct ws_err *err)
{
	unsigned threads = p->requests < WS_FEW && !p->options.threads ? 1 : p->threads;

	if (p->pool_threads == threads || p->pool_threads == p->threads)
		return WS_OK;
	ws_pool_free(p->pool);
	p->pool = NULL;
	p->pool_threads = threads;
	return ws_pool_new(&p->pool, threads, err);
}

enum ws_status ws_profiler_work(struct ws_profiler *p, struct ws_err *err)
{
	enum ws_status status = ws_profiler_wait(p, err);
	size_t first, second;

	if (status == WS_OK && !rotate(p))
		status = ws_fail_memory(err, "runs of requests");
	p->requests += p->arena[1].count;
	if (status == WS_OK)
		status = make_pool(p, err);
	if (status != WS_OK)
		return status;
	second = ws_sampled(p) ? 0 : p->arena[2].busy_count * p->geometries;
	first = p->arena[1].busy_count * (p->grains + ws_back_filters(p->back) +
					  (p->chunk_counts ? WS_FORMS : 0));
	ws_pool_begin(p->pool, first + second, work_item, p);
	p->under_way = true;
	return WS_OK;
}

/* ---- the end of a launch ---------------------------------------------------------------- */

/* Item: an SM's cache of one geometry. */
static enum ws_status close_unit(void *context, size_t item, unsigned thread, struct ws_err *err)
{
	struct ws_profiler *p = context;
	size_t geometry = item % p->geometries, grain = ws_profiler_grain(p, geometry);
	const struct ws_profiled_sm *sm = p->sm + item / p->geometries;
	struct ws_account *account = ws_account_of(p, thread, geometry);
	enum ws_status status;
	struct ws_sm_cache *u;

	if (!sm->core || !sm->core[grain].unit)
		return WS_OK;
	u = sm->core[grain].unit + (geometry - p->grain[grain].first);
	if (!u->windows)
		return WS_OK;
	status = ws_account_use(account, err);
	if (status != WS_OK)
		return status;
	if (u->reservation)
		ws_reservation_end(u->reservation, account->detail);
	ws_windows_end(u->windows, account->detail);
	return ws_lifetimes_end(u->lifetimes, account->detail, err);
}

enum ws_status ws_profiler_close(struct ws_profiler *p, struct ws_err *err)
{
	if (ws_sampled(p))
		return WS_OK;
	return ws_pool_run(p->pool, p->sms * p->geometries, close_unit, p, err);
}
