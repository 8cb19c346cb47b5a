/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * study/advise/regroup.c -- the trace of a kernel whose work-items, and the data that they index,
 * were sorted over the whole grid by the branches that they take.
 *
 * The i-th work-item in that order takes the i-th place.  What a place's number decides moves with
 * it: an instruction whose addresses grow by as much from each lane to the next, and by a multiple
 * of that from CTA to CTA, accesses the elements of the new place.  All other addresses stay.
 *
 * In a CTA that is put together so, the work-items that are furthest behind go next: those of the
 * lowest segment, as segments follow one another in the kernel.  Where that does not give the
 * first CTA's own steps back, the kernel is not regrouped.
 */
#include "base/bits.h"
#include "study/advise/private.h"

#include <stdlib.h>
#include <string.h>

#define ACCESSES_MAX (UINT64_C(1) << 25) /* of a launch, that are kept */

struct item {			/* a work-item */
	uint64_t steps, hash, number;
	size_t step, access;	/* its first ones */
	size_t filled, next;	/* accesses that are there; step that is next */
	size_t at;		/* access that is next */
};

struct linear {			/* an instruction */
	uint64_t stride;	/* from one lane to the next */
	bool known, other;	/* other: its addresses are not linear */
};

struct regrouping {
	const struct ws_launch *launch;
	enum ws_way_order ways;
	size_t threads, ctas, words, most;
	struct item *item;	/* [ctas * threads] */
	uint32_t *segment;	/* of all steps, item by item */
	uint64_t *address;	/* of all accesses, likewise */
	struct linear *linear;	/* [instructions] */
	uint64_t *origin;	/* [ctas][instructions]: what lane 0 first accesses */
	bool *seen;		/* likewise: it is known */
	struct item *order;	/* sorted */
	uint64_t *mask, *buffer;
	const uint64_t **vector;
	uint64_t first_steps;	/* of the first CTA, as it was */
	bool failed;		/* it cannot be regrouped */
	struct ws_encoder *encoder;
	struct ws_cta_chunks chunks;
};

/* ---- reading -------------------------------------------------------------------------------- */

static bool is_linear(const struct ws_step *s, uint32_t i, size_t threads, size_t *first,
		      uint64_t *stride)
{
	size_t lanes = 0, before = 0;

	for (size_t lane = 0; lane < threads && lane / 64 < s->words; lane++) {
		if (!ws_bit(s->mask, lane))
			continue;
		if (lanes == 1)
			*stride = (s->address[i][lane] - s->address[i][*first]) /
				  (lane - *first);
		else if (!lanes)
			*first = lane;
		if (lanes && s->address[i][lane] - s->address[i][before] !=
				     *stride * (lane - before))
			return false;
		before = lane;
		lanes++;
	}
	return lanes > 1;
}

/* How the addresses of an instruction follow the lanes, and where they begin in the CTA. */
static void look_at_access(struct regrouping *r, size_t cta, const struct ws_step *s, uint32_t i)
{
	size_t number = r->launch->segment[s->segment].first + i, first = 0, lanes = 0;
	size_t at = cta * r->launch->instructions + number;
	struct linear *l = &r->linear[number];
	uint64_t stride = 0;

	if (!is_linear(s, i, r->threads, &first, &stride)) {
		/* One lane tells nothing. */
		for (size_t w = 0; w < s->words; w++) {
			lanes += ws_popcount(s->mask[w]);
			l->other |= lanes > 1;
		}
		return;
	}
	l->other |= l->known && l->stride != stride;
	*l = (struct linear){ .stride = stride, .known = true, .other = l->other };
	if (!r->seen[at]) {
		r->seen[at] = true;
		r->origin[at] = s->address[i][first] - stride * first;
	}
}

static void count_step(struct regrouping *r, size_t cta, const struct ws_step *s)
{
	const struct ws_segment *segment = &r->launch->segment[s->segment];

	r->failed |= segment->barrier;
	r->first_steps += !cta;
	for (size_t lane = 0; lane < r->threads && lane / 64 < s->words; lane++) {
		struct item *item = &r->item[cta * r->threads + lane];

		if (!ws_bit(s->mask, lane))
			continue;
		item->steps++;
		item->filled += segment->count;
		item->hash = (item->hash ^ (s->segment + 1)) * UINT64_C(0x100000001b3);
	}
	for (uint32_t i = 0; i < segment->count; i++)
		look_at_access(r, cta, s, i);
}

static void keep_step(struct regrouping *r, size_t cta, const struct ws_step *s)
{
	const struct ws_segment *segment = &r->launch->segment[s->segment];

	for (size_t lane = 0; lane < r->threads && lane / 64 < s->words; lane++) {
		struct item *item = &r->item[cta * r->threads + lane];

		if (!ws_bit(s->mask, lane))
			continue;
		r->segment[item->step + item->next++] = s->segment;
		for (uint32_t i = 0; i < segment->count; i++)
			r->address[item->access + item->filled++] = s->address[i][lane];
	}
}

static enum ws_status read_steps(struct regrouping *r, struct ws_decoder *d,
				 void (*take)(struct regrouping *, size_t, const struct ws_step *),
				 struct ws_err *err)
{
	enum ws_status status = WS_OK;

	for (size_t cta = 0; cta < r->ctas && status == WS_OK && !r->failed; cta++) {
		struct ws_step step;
		bool more = true;

		status = ws_decoder_seek(d, cta, err);
		while (status == WS_OK && more) {
			status = ws_decoder_next(d, &step, &more, err);
			if (status == WS_OK && more)
				take(r, cta, &step);
		}
	}
	return status;
}

static enum ws_status make_room(struct regrouping *r, struct ws_err *err)
{
	const struct ws_launch *l = r->launch;
	size_t items = r->ctas * r->threads;

	r->most = 1;
	for (size_t i = 0; i < l->segments; i++)
		r->most = l->segment[i].count > r->most ? l->segment[i].count : r->most;
	r->words = (r->threads + 63) / 64;
	r->item = ws_alloc_zero(items, sizeof *r->item);
	r->order = ws_alloc_zero(items, sizeof *r->order);
	r->linear = ws_alloc_zero(l->instructions + 1, sizeof *r->linear);
	r->origin = ws_alloc_zero(r->ctas * l->instructions + 1, sizeof *r->origin);
	r->seen = ws_alloc_zero(r->ctas * l->instructions + 1, sizeof *r->seen);
	r->mask = ws_alloc(r->words, sizeof *r->mask);
	r->buffer = ws_alloc(r->most * r->threads, sizeof *r->buffer);
	r->vector = ws_alloc(r->most, sizeof *r->vector);
	if (!r->item || !r->order || !r->linear || !r->origin || !r->seen || !r->mask ||
	    !r->buffer || !r->vector)
		return ws_fail_memory(err, "work-items that are sorted");
	for (size_t i = 0; i < r->most; i++)
		r->vector[i] = r->buffer + i * r->threads;
	return WS_OK;
}

/* Where each work-item's steps and accesses will be. */
static enum ws_status place_items(struct regrouping *r, struct ws_err *err)
{
	size_t items = r->ctas * r->threads, steps = 0, accesses = 0;

	for (size_t i = 0; i < items; i++) {
		struct item *item = &r->item[i];

		item->number = i;
		item->step = steps;
		item->access = accesses;
		steps += item->steps;
		accesses += item->filled;
		item->filled = 0;
	}
	r->failed |= accesses > ACCESSES_MAX || steps > ACCESSES_MAX;
	if (r->failed)
		return WS_OK;
	r->segment = ws_alloc(steps + 1, sizeof *r->segment);
	r->address = ws_alloc(accesses + 1, sizeof *r->address);
	return r->segment && r->address ? WS_OK
					: ws_fail_memory(err, "work-items that are sorted");
}

static enum ws_status read_launch(struct regrouping *r, const struct ws_trace *t, size_t launch,
				  struct ws_err *err)
{
	struct ws_decoder *d = NULL;
	enum ws_status status = make_room(r, err);

	if (status == WS_OK)
		status = ws_decoder_new(&d, t, launch, err);
	if (status == WS_OK)
		status = read_steps(r, d, count_step, err);
	if (status == WS_OK)
		status = place_items(r, err);
	if (status == WS_OK && !r->failed)
		status = read_steps(r, d, keep_step, err);
	ws_decoder_free(d);
	return status;
}

/* ---- writing -------------------------------------------------------------------------------- */

static int by_hash(const void *a, const void *b)
{
	const struct item *x = a, *y = b;

	if (x->hash != y->hash)
		return x->hash < y->hash ? -1 : 1;
	return (x->number > y->number) - (x->number < y->number);
}

static int by_way(const void *a, const void *b)
{
	const struct item *x = a, *y = b;

	if (x->steps != y->steps)
		return x->steps > y->steps ? -1 : 1;
	return by_hash(a, b);
}

static void sort_items(struct regrouping *r)
{
	size_t items = r->ctas * r->threads;

	memcpy(r->order, r->item, items * sizeof *r->order);
	qsort(r->order, items, sizeof *r->order, r->ways == WS_WAYS_ANY ? by_hash : by_way);
	for (size_t i = 0; r->ways == WS_WAYS_SHORT_FIRST && i < items / 2; i++) {
		struct item first = r->order[i];

		r->order[i] = r->order[items - 1 - i];
		r->order[items - 1 - i] = first;
	}
}

static uint64_t moved(const struct regrouping *r, uint64_t address, size_t number, uint64_t from,
		      uint64_t to)
{
	const struct linear *l = &r->linear[number];
	size_t n = r->launch->instructions, old = from / r->threads * n + number,
	       new = to / r->threads * n + number;
	uint64_t rows = l->stride * r->threads;

	if (!l->known || l->other || !l->stride || !r->seen[old] || !r->seen[new] ||
	    (r->origin[new] - r->origin[old]) % rows)
		return address;
	return address + (r->origin[new] - r->origin[old]) +
	       l->stride * (to % r->threads - from % r->threads);
}

/* The lowest segment that a work-item of the CTA is to execute; false: all have ended. */
static bool find_next(const struct regrouping *r, const struct item *item, uint32_t *segment)
{
	bool any = false;

	for (size_t lane = 0; lane < r->threads; lane++) {
		uint32_t own;

		if (item[lane].next == item[lane].steps)
			continue;
		own = r->segment[item[lane].step + item[lane].next];
		*segment = !any || own < *segment ? own : *segment;
		any = true;
	}
	return any;
}

static void take_step(struct regrouping *r, struct item *item, size_t cta, uint32_t segment)
{
	const struct ws_segment *s = &r->launch->segment[segment];

	memset(r->mask, 0, r->words * sizeof *r->mask);
	for (size_t lane = 0; lane < r->threads; lane++) {
		struct item *own = &item[lane];

		if (own->next == own->steps || r->segment[own->step + own->next] != segment)
			continue;
		ws_bit_set(r->mask, lane);
		own->next++;
		for (uint32_t i = 0; i < s->count; i++)
			r->buffer[i * r->threads + lane] =
				moved(r, r->address[own->access + own->at++], s->first + i,
				      own->number, cta * r->threads + lane);
	}
}

static enum ws_status put_ctas(struct regrouping *r, struct ws_trace_writer *w, struct ws_err *err)
{
	enum ws_status status = WS_OK;

	for (size_t cta = 0; cta < r->ctas && status == WS_OK; cta++) {
		struct item *item = &r->order[cta * r->threads];
		uint32_t segment = 0;

		for (size_t lane = 0; lane < r->threads; lane++)
			item[lane].next = 0;
		ws_encoder_begin(r->encoder);
		while (find_next(r, item, &segment)) {
			take_step(r, item, cta, segment);
			ws_encoder_step(r->encoder, segment, r->mask, r->vector);
		}
		status = ws_cta_chunks_put(&r->chunks, w, r->encoder, err);
	}
	return status == WS_OK ? ws_cta_chunks_flush(&r->chunks, w, err) : status;
}

/* Would the first CTA have as many steps as it had? */
static bool steps_agree(struct regrouping *r)
{
	uint64_t steps = 0;
	uint32_t segment = 0;

	for (size_t lane = 0; lane < r->threads; lane++)
		r->item[lane].next = 0;
	while (find_next(r, r->item, &segment)) {
		take_step(r, r->item, 0, segment);
		steps++;
	}
	for (size_t lane = 0; lane < r->threads; lane++)
		r->item[lane].at = 0;
	return steps <= r->first_steps;
}

static void clear_launch(struct regrouping *r)
{
	ws_encoder_free(r->encoder);
	ws_cta_chunks_clear(&r->chunks);
	free(r->item);
	free(r->segment);
	free(r->address);
	free(r->linear);
	free(r->origin);
	free(r->seen);
	free(r->order);
	free(r->mask);
	free(r->buffer);
	free(r->vector);
}

static enum ws_status regroup_launch(struct ws_trace_writer *w, const struct ws_trace *t,
				     size_t launch, enum ws_way_order ways, bool *able,
				     struct ws_err *err)
{
	const struct ws_launch *l = ws_trace_launch(t, launch);
	struct regrouping *r = ws_alloc_zero(1, sizeof *r);
	enum ws_status status;

	if (!r)
		return ws_fail_memory(err, "work-items that are sorted");
	r->launch = l;
	r->ways = ways;
	r->threads = (size_t)ws_launch_threads(l);
	r->ctas = (size_t)l->ctas;
	r->failed = l->block[1] * l->block[2] * l->grid[1] * l->grid[2] > 1;
	status = r->failed ? WS_OK : read_launch(r, t, launch, err);
	*able = status == WS_OK && !r->failed && steps_agree(r);
	if (*able) {
		sort_items(r);
		status = ws_trace_writer_launch(w, l, err);
		if (status == WS_OK)
			status = ws_encoder_new(&r->encoder, l, err);
		if (status == WS_OK)
			status = put_ctas(r, w, err);
	}
	clear_launch(r);
	free(r);
	return status;
}

enum ws_status ws_regroup(struct ws_trace **out, const struct ws_trace *t, enum ws_way_order ways,
			  struct ws_err *err)
{
	struct ws_trace_writer *w = NULL;
	struct ws_out file = { 0 };
	bool able = true;
	enum ws_status status = ws_out_temporary(&file, err);

	*out = NULL;
	if (status == WS_OK)
		status = ws_trace_writer_new(&w, &file, err);
	for (size_t i = 0; i < ws_trace_launches(t) && status == WS_OK && able; i++)
		status = regroup_launch(w, t, i, ways, &able, err);
	if (status == WS_OK && able)
		status = ws_trace_writer_end(w, err);
	if (status == WS_OK && able)
		status = ws_trace_open_written(out, &file, ws_trace_name(t), err);
	ws_trace_writer_free(w);
	ws_out_abort(&file);
	return status;
}
