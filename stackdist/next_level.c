/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * stackdist/next_level.c -- see next_level.h.
 *
 * The order of the merge is (cycle, SM, position).  An SM's cycles never decrease, so all cycles
 * before the lowest last cycle of the SMs are complete.  The queues are merged by a heap of SMs by
 * the cycle of their first request, then their number: O(log SMs) a request.
 */
#include "stackdist/next_level.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/heap.h"
#include "stackdist/stack/lines.h"
#include "stackdist/profile.h"

#define BATCH 4096u		/* requests pushed to an L2 at once */

struct sm_lane {			/* an SM's way to an L2, in one launch */
	struct ws_l1_filter *filter;	/* NULL: it has had no request yet */
	struct ws_queue queue;
	uint64_t last;		/* cycle of its last request, one that hit in the L1 too */
	struct ws_request *cut;	/* requests as lines of the filter's size */
	size_t cap;
};

struct l2_level {			/* the L2 behind one geometry */
	struct ws_filter l1;
	void *l2;		/* what records it */
	struct sm_lane *lane;	/* [sm] */
	uint64_t *warm;		/* [section] */
	size_t sections;
};

struct ws_back {
	struct ws_machine machine;
	struct ws_machine l2;	/* ws_l2_machine of it */
	const struct ws_l2_recorder *recorder;
	struct l2_level *level;
	size_t levels, sms;
	size_t active;		/* L1s that may have requests in this launch: 0 .. active - 1 */
	struct ws_heap heap;	/* SMs by the cycle of their next request */
	struct ws_request *batch;
	struct ws_section *names; /* kernels so far: of ws_section only the name */
	size_t kernels, cap;
};

/* ---- machines and shapes --------------------------------------------------------- */

struct ws_machine ws_l2_machine(const struct ws_machine *m)
{
	struct ws_machine l2 = *m;

	l2.sm_count = l2.l1_parts = 1;
	l2.l1 = ws_l2_whole(m);
	l2.sm_carveout = WS_APART;
	return l2;
}

/* A slice's sets as sets of the whole; false: the hash is not defined for so many. */
static bool add_sets(const struct ws_machine *l2, uint64_t sets, struct ws_shape *shape,
		     size_t *count)
{
	struct ws_shape one = { l2->l1.line_bytes, sets * l2->l1.slices };

	if (sets == 0 || ws_profile_check_shape(l2, &one, NULL))
		return false;
	shape[(*count)++] = one;
	return true;
}

static enum ws_status find_shapes(const struct ws_machine *m, const struct ws_machine *l2,
				  const struct ws_profile_options *o, struct ws_shape **shape,
				  size_t *count, struct ws_err *err)
{
	uint64_t n = m->l2.sets;
	const uint64_t usual[] = { n % 4 ? 0 : n / 4, n % 2 ? 0 : n / 2, n, 2 * n, 4 * n };
	bool ok = true;

	*count = 0;
	*shape = ws_alloc(o->l2_set_counts + WS_COUNT(usual), sizeof **shape);
	if (!*shape)
		return ws_fail_memory(err, "set counts of an L2");
	for (size_t i = 0; i < o->l2_set_counts && ok; i++) {
		ok = add_sets(l2, o->l2_sets[i], *shape, count);
		if (!ok)
			return ws_fail(err, WS_EINVAL, "%" PRIu64 " sets in a slice of the L2: its "
				       "hash, %s, is not defined for them", o->l2_sets[i],
				       l2->l1.hash->name);
	}
	for (size_t i = 0; i < WS_COUNT(usual) && !o->l2_set_counts; i++)
		add_sets(l2, usual[i], *shape, count);
	return WS_OK;
}

/* ---- life ------------------------------------------------------------------------- */

static struct ws_cache l1_of(const struct ws_machine *m, const struct ws_filter *f)
{
	struct ws_cache l1 = m->l1;

	l1.line_bytes = f->line_bytes;
	l1.sector_bytes = ws_shape_sector(m, f->line_bytes);
	l1.sets = f->sets;
	l1.ways = f->ways;
	l1.size_bytes = f->sets * f->ways * f->line_bytes;
	if (f->sets != m->l1.sets || f->ways != m->l1.ways)
		l1.set_ways.runs = 0;
	return l1;
}

int ws_filter_compare(const struct ws_filter *a, const struct ws_filter *b)
{
	if (a->line_bytes != b->line_bytes)
		return a->line_bytes < b->line_bytes ? -1 : 1;
	if (a->sets != b->sets)
		return a->sets < b->sets ? -1 : 1;
	return (a->ways > b->ways) - (a->ways < b->ways);
}

static int by_filter(const void *a, const void *b)
{
	const struct l2_level *x = a, *y = b;

	return ws_filter_compare(&x->l1, &y->l1);
}

enum ws_status ws_filter_check(const struct ws_machine *m, const struct ws_filter *f,
			       struct ws_err *err)
{
	const struct ws_key *ways = ws_key_find("l1.ways"), *size = ws_key_find("l1.size");
	struct ws_shape shape = { f->line_bytes, f->sets };
	enum ws_status status = ws_profile_check_shape(m, &shape, err);

	if (status != WS_OK)
		return status;
	if (f->ways < ways->min || f->ways > ways->max ||
	    f->ways > size->max / f->sets / f->line_bytes)
		return ws_fail(err, WS_EINVAL,
			       "an L1 of %" PRIu64 " ways of %" PRIu64 " sets before "
			       "the L2: expected %" PRIu64 " bytes at most",
			       f->ways, f->sets, size->max);
	return WS_OK;
}

static enum ws_status add_levels(struct ws_back *b, const struct ws_profile_options *o,
				 struct ws_err *err)
{
	enum ws_status status = WS_OK;
	size_t kept = 0;

	b->level = ws_alloc_zero(o->filters, sizeof *b->level);
	if (!b->level)
		return ws_fail_memory(err, "an L2");
	for (size_t i = 0; i < o->filters && status == WS_OK; i++) {
		b->level[i].l1 = o->filter[i];
		status = ws_filter_check(&b->machine, o->filter + i, err);
	}
	qsort(b->level, o->filters, sizeof *b->level, by_filter);
	for (size_t i = 0; i < o->filters; i++)
		if (i == 0 || by_filter(b->level + i, b->level + kept - 1))
			b->level[kept++].l1 = b->level[i].l1;
	b->levels = kept;
	return status;
}

static enum ws_status open_levels(struct ws_back *b, const struct ws_profile_options *options,
				  struct ws_err *err)
{
	/* Details are of whole streams, from an empty cache on. */
	struct ws_profile_options o = {
		.record = b->machine.l2_start == WS_L2_KEEP
			? 0 : options->record & ~(unsigned)WS_RECORD_SITES,
		.order = options->order, .seed = options->seed, .threads = options->threads,
	};
	struct ws_shape *shape = NULL;
	enum ws_status status = find_shapes(&b->machine, &b->l2, options, &shape, &o.shapes, err);

	o.shape = shape;
	for (size_t i = 0; i < b->levels && status == WS_OK; i++) {
		b->level[i].lane = ws_alloc_zero(b->sms, sizeof *b->level[i].lane);
		status = b->level[i].lane ? b->recorder->create(&b->level[i].l2, &b->l2, &o, err)
					  : ws_fail_memory(err, "an L2");
	}
	free(shape);
	return status;
}

enum ws_status ws_back_new(struct ws_back **out, const struct ws_machine *m,
			   const struct ws_profile_options *options,
			   const struct ws_l2_recorder *recorder, struct ws_err *err)
{
	struct ws_back *b = ws_alloc_zero(1, sizeof *b);
	enum ws_status status;

	*out = b;
	if (!b)
		return ws_fail_memory(err, "an L2");
	b->machine = *m;
	b->l2 = ws_l2_machine(m);
	b->recorder = recorder;
	b->sms = (size_t)ws_l1s(m);
	b->batch = ws_alloc(BATCH, sizeof *b->batch);
	if (!b->batch || !ws_heap_room(&b->heap, b->sms))
		return ws_fail_memory(err, "an L2");
	status = add_levels(b, options, err);
	return status != WS_OK ? status : open_levels(b, options, err);
}

static void clear_lane(struct sm_lane *l)
{
	ws_l1_filter_free(l->filter);
	free(l->queue.request);
	free(l->cut);
	memset(l, 0, sizeof *l);
}

void ws_back_free(struct ws_back *b)
{
	if (!b)
		return;
	for (size_t i = 0; i < b->levels; i++) {
		for (size_t sm = 0; b->level[i].lane && sm < b->sms; sm++)
			clear_lane(b->level[i].lane + sm);
		free(b->level[i].lane);
		free(b->level[i].warm);
		b->recorder->free(b->level[i].l2);
	}
	for (size_t i = 0; i < b->kernels; i++)
		free(b->names[i].kernel);
	free(b->names);
	free(b->level);
	ws_heap_clear(&b->heap);
	free(b->batch);
	free(b);
}

size_t ws_back_filters(const struct ws_back *b)
{
	return b ? b->levels : 0;
}

/* ---- a warm start -------------------------------------------------------------------- */

struct fill {
	struct ws_back *b;
	struct l2_level *level;
	size_t count;		/* of the batch */
	uint64_t lines;
};

static enum ws_status fill_flush(struct fill *f, struct ws_err *err)
{
	size_t count = f->count;

	f->count = 0;
	return count ? f->b->recorder->push(f->level->l2, f->b->batch, count, err) : WS_OK;
}

static enum ws_status fill_one(void *context, const struct ws_request *line, struct ws_err *err)
{
	struct fill *f = context;

	f->lines++;
	f->b->batch[f->count++] = *line;
	return f->count == BATCH ? fill_flush(f, err) : WS_OK;
}

static enum ws_status fill_all(struct ws_back *b, struct l2_level *level, size_t section,
			       const struct ws_launch *launch, struct ws_err *err)
{
	struct fill f = { b, level, 0, 0 };
	enum ws_status status;

	if (!ws_l2_filled(b->machine.l2_start))
		return WS_OK;
	status = ws_warm_lines(launch, &b->machine, b->l2.l1.line_bytes, fill_one, &f, err);
	if (status == WS_OK)
		status = fill_flush(&f, err);
	level->warm[section] += f.lines;
	return status;
}

/* ---- launches ---------------------------------------------------------------------------- */

static enum ws_status find_section(struct ws_back *b, const char *kernel, size_t *section,
				   struct ws_err *err)
{
	for (*section = 0; *section < b->kernels; ++*section)
		if (!strcmp(b->names[*section].kernel, kernel))
			return WS_OK;
	if (!WS_ROOM(b->names, b->cap, b->kernels + 1))
		return ws_fail_memory(err, "a section of the profile");
	b->names[b->kernels] = (struct ws_section){ .kernel = ws_strdup(kernel) };
	b->kernels++;
	return b->names[*section].kernel ? WS_OK : ws_fail_memory(err, "a section of the profile");
}

static enum ws_status begin_level(struct ws_back *b, struct l2_level *level, size_t section,
				  const struct ws_launch *launch, struct ws_err *err)
{
	enum ws_status status = b->recorder->launch(level->l2, launch, err);
	uint64_t *warm;

	if (status == WS_OK && level->sections < b->kernels) {
		warm = realloc(level->warm, b->kernels * sizeof *warm);
		if (!warm)
			return ws_fail_memory(err, "an L2");
		level->warm = warm;
		while (level->sections < b->kernels)
			warm[level->sections++] = 0;
	}
	return status != WS_OK ? status : fill_all(b, level, section, launch, err);
}

enum ws_status ws_back_launch(struct ws_back *b, const struct ws_launch *launch,
			      struct ws_err *err)
{
	size_t section;
	enum ws_status status = find_section(b, launch->kernel, &section, err);

	b->active = launch->ctas < b->machine.sm_count
		? (size_t)(launch->ctas * b->machine.l1_parts) : b->sms;
	for (size_t i = 0; i < b->levels && status == WS_OK; i++)
		status = begin_level(b, b->level + i, section, launch, err);
	return status;
}

/* ---- through the L1s ------------------------------------------------------------------------ */

static enum ws_status check_order(struct sm_lane *l, const struct ws_request *r, size_t count,
				  size_t sm, struct ws_err *err)
{
	for (size_t i = 0; i < count; i++) {
		if (r[i].cycle < l->last)
			return ws_fail(err, WS_EINVAL,
				       "a request of SM %zu at cycle %" PRIu64 " after "
				       "one at %" PRIu64 ": an L2 wants them in order",
				       sm, r[i].cycle, l->last);
		l->last = r[i].cycle;
	}
	return WS_OK;
}

/* As lines of the filter's size: *r and *count. */
static enum ws_status recut(const struct ws_back *b, const struct l2_level *level,
			    struct sm_lane *l, const struct ws_request **r, size_t *count,
			    struct ws_err *err)
{
	uint64_t own = b->machine.l1.line_bytes, line = level->l1.line_bytes;
	size_t pieces = own > line ? (size_t)(own / line) : 1;

	if (line == own)
		return WS_OK;
	if (!WS_ROOM(l->cut, l->cap, *count * pieces))
		return ws_fail_memory(err, "requests of another line size");
	*count = ws_recut(b->machine.coalesce_line, own, line, *r, *count, l->cut);
	*r = l->cut;
	return WS_OK;
}

enum ws_status ws_back_filter(struct ws_back *b, size_t filter, size_t sm,
			     const struct ws_request *request, size_t count, struct ws_err *err)
{
	struct l2_level *level = b->level + filter;
	struct sm_lane *l = level->lane + sm;
	enum ws_status status = WS_OK;

	if (sm >= b->active)
		return ws_fail(err, WS_EINVAL, "requests of SM %zu in a launch of %zu CTAs: an L2 "
			       "wants SMs numbered below that", sm, b->active);
	if (!l->filter) {
		struct ws_cache l1 = l1_of(&b->machine, &level->l1);

		status = ws_l1_filter_new(&l->filter, &l1, b->l2.l1.line_bytes, err);
	}
	if (status == WS_OK)
		status = check_order(l, request, count, sm, err);
	if (status == WS_OK)
		status = recut(b, level, l, &request, &count, err);
	return status != WS_OK ? status
			       : ws_l1_filter_push(l->filter, request, count, &l->queue, err);
}

/* ---- the merge --------------------------------------------------------------------------- */

/* Drops the consumed part of a queue, if the rest is short. */
static void close_up(struct ws_queue *q)
{
	if (q->head < q->count - q->head)
		return;
	if (q->head < q->count)
		memmove(q->request, q->request + q->head,
			(q->count - q->head) * sizeof *q->request);
	q->count -= q->head;
	q->head = 0;
}

/* Requests before the cycle `end`, and all if it is UINT64_MAX. */
static enum ws_status merge_level(struct ws_back *b, struct l2_level *level, uint64_t end,
				  struct ws_err *err)
{
	/* What was there before was not fetched a moment ago. */
	uint64_t shift = ws_l2_filled(b->machine.l2_start) ? WS_FILL_REUSE_MAX + 1 : 0;
	enum ws_status status = WS_OK;
	struct ws_heap *heap = &b->heap;
	size_t count = 0;

	heap->count = 0;
	for (size_t sm = 0; sm < b->active; sm++) {
		const struct ws_queue *q = &level->lane[sm].queue;

		if (q->head < q->count)
			ws_heap_push(heap, q->request[q->head].cycle, sm);
	}
	while (heap->count && (heap->item[0].key < end || end == UINT64_MAX) && status == WS_OK) {
		struct ws_queue *q = &level->lane[heap->item[0].id].queue;

		b->batch[count] = q->request[q->head++];
		b->batch[count++].cycle += shift;
		if (q->head == q->count)
			ws_heap_pop(heap);
		else
			ws_heap_change_top(heap, q->request[q->head].cycle);
		if (count == BATCH) {
			status = b->recorder->push(level->l2, b->batch, count, err);
			count = 0;
		}
	}
	if (status == WS_OK && count)
		status = b->recorder->push(level->l2, b->batch, count, err);
	for (size_t sm = 0; sm < b->active; sm++)
		close_up(&level->lane[sm].queue);
	return status;
}

/* The cycle that all SMs have reached: no earlier request is missing. */
static uint64_t complete(const struct ws_back *b, const struct l2_level *level)
{
	uint64_t least = UINT64_MAX - 1;

	for (size_t sm = 0; sm < b->active; sm++)
		if (level->lane[sm].last < least)
			least = level->lane[sm].last;
	return least;
}

enum ws_status ws_back_merge(struct ws_back *b, struct ws_err *err)
{
	enum ws_status status = WS_OK;

	for (size_t i = 0; i < b->levels && status == WS_OK; i++)
		status = merge_level(b, b->level + i, complete(b, b->level + i), err);
	return status;
}

enum ws_status ws_back_end(struct ws_back *b, const struct ws_order_stats *stats,
			   struct ws_err *err)
{
	enum ws_status status = WS_OK;

	for (size_t i = 0; i < b->levels && status == WS_OK; i++) {
		struct l2_level *level = b->level + i;

		status = merge_level(b, level, UINT64_MAX, err);
		if (status == WS_OK)
			status = b->recorder->end(level->l2, stats, err);
		for (size_t sm = 0; sm < b->sms; sm++)
			clear_lane(level->lane + sm);
	}
	return status;
}

enum ws_status ws_back_finish(struct ws_back *b, struct ws_profile *to, struct ws_err *err)
{
	enum ws_status status = WS_OK;

	to->behind = ws_alloc_zero(b->levels, sizeof *to->behind);
	if (!to->behind)
		return ws_fail_memory(err, "an L2");
	to->behinds = b->levels;
	for (size_t i = 0; i < b->levels && status == WS_OK; i++) {
		to->behind[i].l1 = b->level[i].l1;
		status = b->recorder->finish(b->level[i].l2, &to->behind[i].l2, err);
		for (size_t s = 0; status == WS_OK && s < to->behind[i].l2->sections; s++)
			to->behind[i].l2->section[s].warm = b->level[i].warm[s];
	}
	return status;
}

const struct ws_next_level *ws_profile_behind(const struct ws_profile *p, const struct ws_cache *l1)
{
	const struct ws_filter want = { l1->line_bytes, l1->sets, l1->ways };

	for (size_t i = 0; i < p->behinds; i++)
		if (ws_filter_compare(&p->behind[i].l1, &want) == 0)
			return p->behind + i;
	return NULL;
}
