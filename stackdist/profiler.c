/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * stackdist/profiler.c -- request streams of many SMs to histograms.
 *
 * Requests are gathered in one arena, as runs of one SM, and worked off when
 * it is full, in two passes over independent items, in parallel:
 *
 *   1. per SM: line numbers (lines.h), then the fully associative distance q;
 *   2. per SM and set count: the set distance d, counted with q.
 *
 * Each SM has one table of line numbers and one struct ws_sets per set count;
 * an SM without requests has none.  Threads count into their own tallies, which
 * are added up when the launch ends; sums of integers do not depend on who
 * took which item, so neither does the profile.
 *
 * Memory: O(distinct lines) per SM and set count; O(largest distance) per
 * thread and set count; 40 bytes per request of the arena.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "stackdist/lines.h"
#include "stackdist/profile.h"
#include "stackdist/sets.h"
#include "stackdist/tally.h"

#define ARENA (1u << 18)	/* requests gathered before they are worked off */
#define PIECE 1024u		/* distances at a time */
#define RUN_NONE SIZE_MAX

struct run {			/* requests of one SM, side by side in the arena */
	size_t first, count;
	size_t next;		/* run of the same SM, or RUN_NONE */
};

struct sm {
	struct ws_lines lines;
	struct ws_sets **sets;	/* by set count; NULL: no request yet */
	size_t first, last;	/* of its runs in the arena, or RUN_NONE */
};

struct ws_profiler {
	struct ws_profile *profile;
	uint64_t *sets;		/* ascending; the first is 1 */
	size_t set_counts;
	bool one_asked;		/* for 1 set too; else it is here for q alone */
	unsigned threads;
	struct sm *sm;
	size_t sms;
	struct ws_request *request;
	uint32_t *id, *full;	/* line number and q of request[i] */
	size_t count;
	struct run *run;
	size_t runs, runs_cap;
	size_t *busy, busy_count; /* SMs with runs in the arena */
	struct ws_tally *tally;	/* [thread][set count][kind] */
	uint32_t *distance;	/* [thread][PIECE] */
	uint64_t pushed[WS_KINDS]; /* in this launch */
	size_t section;		/* of this launch */
	bool launched;
};

/* ---- life ------------------------------------------------------------------- */

static int by_value(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* The set counts asked for, ascending and once each, with 1 before them. */
static enum ws_status take_sets(struct ws_profiler *p, const struct ws_machine *m,
				const uint64_t *sets, size_t count, struct ws_err *err)
{
	size_t n = 1;

	if (count == 0)
		return ws_fail(err, WS_EINVAL, "no set count to profile: expected at least one");
	p->sets = count < SIZE_MAX ? ws_alloc(count + 1, sizeof(*p->sets)) : NULL;
	if (!p->sets)
		return ws_fail_memory(err, "set counts");
	for (size_t i = 0; i < count; i++) {
		enum ws_status status = ws_profile_check_sets(m, sets[i], err);

		if (status)
			return status;
	}
	memcpy(p->sets + 1, sets, count * sizeof(*sets));
	qsort(p->sets + 1, count, sizeof(*sets), by_value);
	p->sets[0] = 1;
	p->one_asked = p->sets[1] == 1;
	for (size_t i = 1; i <= count; i++)
		if (p->sets[i] != p->sets[n - 1])
			p->sets[n++] = p->sets[i];
	p->set_counts = n;
	return WS_OK;
}

static bool allocate(struct ws_profiler *p)
{
	size_t tallies = p->threads * p->set_counts * WS_KINDS;

	p->sm = ws_alloc_zero(p->sms, sizeof(*p->sm));
	p->busy = ws_alloc(p->sms, sizeof(*p->busy));
	p->request = ws_alloc(ARENA, sizeof(*p->request));
	p->id = ws_alloc(ARENA, sizeof(*p->id));
	p->full = ws_alloc(ARENA, sizeof(*p->full));
	p->tally = ws_alloc_zero(tallies, sizeof(*p->tally));
	p->distance = ws_alloc(p->threads, PIECE * sizeof(*p->distance));
	p->profile = ws_alloc_zero(1, sizeof(*p->profile));
	return p->sm && p->busy && p->request && p->id && p->full && p->tally &&
	       p->distance && p->profile;
}

enum ws_status ws_profiler_new(struct ws_profiler **out, const struct ws_machine *m,
			       const uint64_t *set_counts, size_t count, unsigned threads,
			       struct ws_err *err)
{
	struct ws_profiler *p = ws_alloc_zero(1, sizeof(*p));
	enum ws_status status;

	if (!p)
		return ws_fail_memory(err, "a profiler");
	p->threads = ws_threads(threads);
	p->sms = (size_t)m->sm_count;
	status = take_sets(p, m, set_counts, count, err);
	if (!status && !allocate(p))
		status = ws_fail_memory(err, "a profiler");
	if (status) {
		ws_profiler_free(p);
		return status;
	}
	for (size_t i = 0; i < p->sms; i++)
		p->sm[i].first = RUN_NONE;
	p->profile->machine = *m;
	*out = p;
	return WS_OK;
}

static void empty_caches(struct ws_profiler *p)
{
	for (size_t i = 0; p->sm && i < p->sms; i++) {
		struct sm *sm = p->sm + i;

		for (size_t j = 0; sm->sets && j < p->set_counts; j++)
			ws_sets_free(sm->sets[j]);
		free(sm->sets);
		ws_lines_clear(&sm->lines);
		*sm = (struct sm){ .first = RUN_NONE };
	}
}

void ws_profiler_free(struct ws_profiler *p)
{
	if (!p)
		return;
	empty_caches(p);
	for (size_t i = 0; p->tally && i < p->threads * p->set_counts * WS_KINDS; i++)
		ws_tally_clear(p->tally + i);
	ws_profile_free(p->profile);
	free(p->sets);
	free(p->sm);
	free(p->busy);
	free(p->request);
	free(p->id);
	free(p->full);
	free(p->run);
	free(p->tally);
	free(p->distance);
	free(p);
}

/* ---- counting ------------------------------------------------------------------ */

static enum ws_status count(const struct ws_profiler *p, unsigned thread, size_t set_count,
			    size_t first, const uint32_t *distance, size_t n, struct ws_err *err)
{
	struct ws_tally *t = p->tally + (thread * p->set_counts + set_count) * WS_KINDS;
	uint64_t sets = p->sets[set_count];

	for (size_t i = 0; i < n; i++)
		if (!ws_tally_count(t + p->request[first + i].kind, distance[i],
			       p->full[first + i] / sets))
			return ws_fail_memory(err, "a histogram of distances");
	return WS_OK;
}

/* Pass 1, item: a busy SM. */
static enum ws_status full_run(struct ws_profiler *p, struct sm *sm, const struct run *run,
			       unsigned thread, struct ws_err *err)
{
	const struct ws_request *r = p->request + run->first;
	enum ws_status status;

	status = ws_lines_number(&sm->lines, p->profile->machine.l1.write, r, run->count,
				 p->id + run->first, err);
	if (!status)
		status = ws_sets_push(sm->sets[0], r, p->id + run->first, run->count,
				      p->full + run->first, err);
	if (!status && p->one_asked)
		status = count(p, thread, 0, run->first, p->full + run->first, run->count, err);
	return status;
}

static enum ws_status full_pass(void *context, size_t i, unsigned thread, struct ws_err *err)
{
	struct ws_profiler *p = context;
	struct sm *sm = p->sm + p->busy[i];
	enum ws_status status = WS_OK;

	for (size_t j = sm->first; j != RUN_NONE && !status; j = p->run[j].next)
		status = full_run(p, sm, p->run + j, thread, err);
	return status;
}

/* Pass 2, item: a busy SM and a set count other than 1. */
static enum ws_status set_pass(void *context, size_t i, unsigned thread, struct ws_err *err)
{
	struct ws_profiler *p = context;
	struct sm *sm = p->sm + p->busy[i / (p->set_counts - 1)];
	size_t which = 1 + i % (p->set_counts - 1);
	uint32_t *distance = p->distance + (size_t)thread * PIECE;
	enum ws_status status = WS_OK;

	for (size_t j = sm->first; j != RUN_NONE; j = p->run[j].next) {
		size_t at = p->run[j].first, end = at + p->run[j].count, n;

		for (; at < end && !status; at += n) {
			n = end - at < PIECE ? end - at : PIECE;
			status = ws_sets_push(sm->sets[which], p->request + at, p->id + at, n,
					      distance, err);
			if (!status)
				status = count(p, thread, which, at, distance, n, err);
		}
	}
	return status;
}

static enum ws_status work_off(struct ws_profiler *p, struct ws_err *err)
{
	enum ws_status status = ws_parallel(p->threads, p->busy_count, full_pass, p, err);

	if (!status && p->set_counts > 1)
		status = ws_parallel(p->threads, p->busy_count * (p->set_counts - 1), set_pass,
				     p, err);
	for (size_t i = 0; i < p->busy_count; i++)
		p->sm[p->busy[i]].first = RUN_NONE;
	p->count = p->runs = p->busy_count = 0;
	return status;
}

/* ---- gathering -------------------------------------------------------------------- */

static enum ws_status first_use(struct ws_profiler *p, struct sm *sm, struct ws_err *err)
{
	struct ws_cache cache = p->profile->machine.l1;
	enum ws_status status = WS_OK;

	sm->sets = ws_alloc_zero(p->set_counts, sizeof(*sm->sets));
	if (!sm->sets)
		return ws_fail_memory(err, "an SM's stacks");
	for (size_t i = 0; i < p->set_counts && !status; i++) {
		cache.sets = p->sets[i];
		status = ws_sets_new(sm->sets + i, &cache, err);
	}
	return status;
}

static enum ws_status add_run(struct ws_profiler *p, size_t index, size_t n, struct ws_err *err)
{
	struct sm *sm = p->sm + index;
	struct run *last = sm->first == RUN_NONE ? NULL : p->run + sm->last, *run;

	if (last && last->first + last->count == p->count) {
		last->count += n;
		return WS_OK;
	}
	run = ws_grow(p->run, &p->runs_cap, p->runs + 1, sizeof(*run));
	if (!run)
		return ws_fail_memory(err, "runs of requests");
	p->run = run;
	if (last)
		run[sm->last].next = p->runs;
	else
		p->busy[p->busy_count++] = index;
	if (!last)
		sm->first = p->runs;
	sm->last = p->runs;
	run[p->runs++] = (struct run){ p->count, n, RUN_NONE };
	return WS_OK;
}

static enum ws_status gather(struct ws_profiler *p, size_t sm, const struct ws_request *r,
			     size_t n, struct ws_err *err)
{
	enum ws_status status = add_run(p, sm, n, err);

	if (status)
		return status;
	memcpy(p->request + p->count, r, n * sizeof(*r));
	p->count += n;
	return p->count == ARENA ? work_off(p, err) : WS_OK;
}

static enum ws_status count_kinds(struct ws_profiler *p, const struct ws_request *r, size_t n,
				  struct ws_err *err)
{
	for (size_t i = 0; i < n; i++) {
		if (r[i].kind >= WS_KINDS)
			return ws_fail(err, WS_EINVAL, "a request of kind %u: expected 0 to %u",
				       r[i].kind, WS_KINDS - 1);
		p->pushed[r[i].kind]++;
	}
	return WS_OK;
}

enum ws_status ws_profiler_push(struct ws_profiler *p, uint64_t sm, const struct ws_request *r,
				size_t count, struct ws_err *err)
{
	enum ws_status status = WS_OK;
	size_t n;

	if (!p->launched)
		return ws_fail(err, WS_EINVAL, "requests outside a launch");
	if (sm >= p->sms)
		return ws_fail(err, WS_EINVAL, "requests of SM %" PRIu64 ": expected 0 to %zu", sm,
			       p->sms - 1);
	status = count_kinds(p, r, count, err);
	if (!status && count && !p->sm[sm].sets)
		status = first_use(p, p->sm + sm, err);
	for (; count && !status; r += n, count -= n) {
		n = count < ARENA - p->count ? count : ARENA - p->count;
		status = gather(p, (size_t)sm, r, n, err);
	}
	return status;
}

/* ---- launches ---------------------------------------------------------------------- */

static enum ws_status new_section(struct ws_profiler *p, const struct ws_launch *launch,
				  struct ws_err *err)
{
	struct ws_profile *profile = p->profile;
	size_t cap = profile->sections, skip = p->one_asked ? 0 : 1;
	struct ws_section *s = ws_grow(profile->section, &cap, cap + 1, sizeof(*s));

	if (!s)
		return ws_fail_memory(err, "a section of the profile");
	profile->section = s;
	s += profile->sections;
	*s = (struct ws_section){ .kernel = ws_strdup(launch->kernel) };
	profile->sections++;
	memcpy(s->grid, launch->grid, sizeof(s->grid));
	memcpy(s->block, launch->block, sizeof(s->block));
	s->geometry = ws_alloc_zero(p->set_counts - skip, sizeof(*s->geometry));
	if (!s->kernel || !s->geometry)
		return ws_fail_memory(err, "a section of the profile");
	s->geometries = p->set_counts - skip;
	for (size_t i = 0; i < s->geometries; i++)
		s->geometry[i].sets = p->sets[i + skip];
	return WS_OK;
}

enum ws_status ws_profiler_launch(struct ws_profiler *p, const struct ws_launch *launch,
				  struct ws_err *err)
{
	struct ws_profile *profile = p->profile;

	if (p->launched || !profile)
		return ws_fail(err, WS_EINVAL, "a launch begins before the last one has ended");
	for (p->section = 0; p->section < profile->sections; p->section++)
		if (!strcmp(profile->section[p->section].kernel, launch->kernel))
			break;
	if (p->section == profile->sections) {
		enum ws_status status = new_section(p, launch, err);

		if (status)
			return status;
	}
	profile->section[p->section].ctas += launch->ctas;
	memset(p->pushed, 0, sizeof(p->pushed));
	p->launched = true;
	return WS_OK;
}

static enum ws_status add_kind(struct ws_profiler *p, size_t set_count, unsigned kind,
			       struct ws_histogram *h, struct ws_err *err)
{
	uint64_t sum = 0;

	for (unsigned thread = 0; thread < p->threads; thread++)
		if (!ws_tally_take(h, p->tally + (thread * p->set_counts + set_count) * WS_KINDS +
			       kind, &sum))
			return ws_fail_memory(err, "a histogram of distances");
	h->requests += p->pushed[kind];
	if (sum != p->pushed[kind])
		return ws_fail(err, WS_EIO, "internal error: %" PRIu64 " sets counted %" PRIu64
			       " of %" PRIu64 " requests", p->sets[set_count], sum,
			       p->pushed[kind]);
	return WS_OK;
}

static void add_stats(struct ws_section *s, const struct ws_order_stats *stats)
{
	if (s->launches++ == 0)
		s->resident_ctas = stats->resident_ctas;
	s->warp_instructions += stats->warp_instructions;
	s->cycles += stats->cycles;
}

enum ws_status ws_profiler_end(struct ws_profiler *p, const struct ws_order_stats *stats,
			       struct ws_err *err)
{
	size_t skip = p->one_asked ? 0 : 1;
	struct ws_section *s;
	enum ws_status status;

	if (!p->launched)
		return ws_fail(err, WS_EINVAL, "a launch ends that has not begun");
	status = work_off(p, err);
	s = p->profile->section + p->section;
	for (size_t i = 0; i < s->geometries && !status; i++)
		for (unsigned kind = 0; kind < WS_KINDS && !status; kind++)
			status = add_kind(p, i + skip, kind, s->geometry[i].kind + kind, err);
	add_stats(s, stats);
	empty_caches(p);
	p->launched = false;
	return status;
}

enum ws_status ws_profiler_finish(struct ws_profiler *p, struct ws_profile **out,
				  struct ws_err *err)
{
	if (p->launched || !p->profile)
		return ws_fail(err, WS_EINVAL, "a profile is taken before the last launch has ended");
	*out = p->profile;
	p->profile = NULL;
	return WS_OK;
}
