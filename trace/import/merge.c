/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/import/merge.c -- a launch ends: warps' records become the steps of CTAs.
 *
 * Items become segments, numbered by their pc: loops have lower numbers than what follows them, as
 * a compiler lays code out.  Of a CTA's warps those that stand at the lowest segment make
 * the next step together, as warpstack-trace(5) has it, so warps that did the same make few
 * large steps, whatever order the file had them in.  Each warp's own order is kept: a step takes
 * the next record of each warp in it and of no other.
 */
#include "base/bits.h"
#include "trace/import/builder.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define CHUNK_BYTES (1u << 20)
#define CHUNK_CTAS (1u << 16)

struct warp_reader {		/* of a warp's records */
	const struct ws_store_block *block;
	const uint8_t *p, *end;
	uint64_t mask, base;
	uint32_t lane;		/* the warp's first */
	uint32_t segment;	/* of the record at hand; ENDED */
	unsigned flags;
};
#define ENDED UINT32_MAX

struct merge {
	struct ws_builder *b;
	struct ws_encoder *encoder;
	uint32_t *segment;	/* [item] */
	uint32_t *order;	/* [log]: by CTA, then warp */
	struct warp_reader *reader;
	size_t readers;
	uint64_t *address;	/* [lane] */
	/* the chunk */
	struct ws_buf data, packed;
	uint64_t lens[CHUNK_CTAS], first, accesses[WS_KINDS];
	size_t count;
};

/* ---- the static part ---------------------------------------------------------------- */

struct code_place {
	uint64_t pc;
	uint32_t item;
	bool last;	/* after the access at pc */
};

static int by_place(const void *a, const void *b)
{
	const struct code_place *x = a, *y = b;

	if (x->pc != y->pc)
		return x->pc < y->pc ? -1 : 1;
	if (x->last != y->last)
		return x->last ? 1 : -1;
	return (x->item > y->item) - (x->item < y->item);
}

static uint32_t array_of(const struct ws_launch *l, const struct ws_item *item)
{
	size_t low = 0, high = l->arrays;

	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;

		if (l->array[middle].base <= item->low)
			low = middle;
		else
			high = middle;
	}
	if (item->space != WS_SPACE_GLOBAL || low >= l->arrays || item->low < l->array[low].base ||
	    item->high - l->array[low].base >= l->array[low].bytes)
		return WS_NO_ARRAY;
	return (uint32_t)low;
}

static void add_segment(struct ws_launch *l, const struct ws_item *item)
{
	struct ws_segment *s = &l->segment[l->segments++];
	uint32_t path = l->codes ? item->path : 0;

	*s = (struct ws_segment){ .first = (uint32_t)l->instructions };
	if (item->kind >= WS_KINDS) {
		s->tail = item->gap;
		s->pace = item->pace;
		s->path = path;
		s->barrier = item->kind == WS_ITEM_BARRIER;
		return;
	}
	s->count = 1;
	l->instruction[l->instructions++] = (struct ws_instruction){
		.kind = item->kind, .space = item->space, .bytes = item->bytes,
		.array = array_of(l, item), .file = item->file ? item->file - 1 : 0,
		.line = item->line, .gap = item->gap, .pace = item->pace,
		.path = path,
		.use = item->use ? item->use : item->used ? WS_GAP_MAX : 1,
	};
}

enum ws_status ws_builder_number(struct ws_builder *b, uint32_t **segment, struct ws_err *err)
{
	struct ws_launch *l = &b->launch;
	struct code_place *place = ws_alloc(b->items + 1, sizeof *place);

	*segment = ws_alloc(b->items + 1, sizeof **segment);
	l->instruction = ws_alloc_zero(b->items + 1, sizeof *l->instruction);
	l->segment = ws_alloc_zero(b->items + 1, sizeof *l->segment);
	if (!place || !*segment || !l->instruction || !l->segment) {
		free(place);
		return ws_fail_memory(err, "the instructions of a launch");
	}
	for (size_t i = 0; i < b->items; i++)
		place[i] = (struct code_place){ b->item[i].pc, (uint32_t)i,
					   b->item[i].kind >= WS_KINDS };
	qsort(place, b->items, sizeof *place, by_place);
	for (size_t i = 0; i < b->items; i++) {
		(*segment)[place[i].item] = (uint32_t)i;
		add_segment(l, &b->item[place[i].item]);
	}
	free(place);
	return WS_OK;
}

/* ---- records -------------------------------------------------------------------------- */

static inline uint64_t get_var(const uint8_t **at)
{
	const uint8_t *p = *at;
	uint64_t v = *p & 0x7f;

	for (unsigned shift = 7; *p++ & 0x80; shift += 7)
		v |= (uint64_t)(*p & 0x7f) << shift;
	*at = p;
	return v;
}

/* On to the next record. */
static void next_record(const struct merge *m, struct warp_reader *r)
{
	uint64_t head;

	if (r->p == r->end && r->block) {
		r->p = r->block->data;
		r->end = r->p + r->block->used;
		r->block = r->block->next;
	}
	if (r->p == r->end) {
		r->segment = ENDED;
		return;
	}
	head = get_var(&r->p);
	r->flags = (unsigned)head & ((1u << WS_RECORD_BITS) - 1);
	r->segment = m->segment[head >> WS_RECORD_BITS];
	if (r->flags & WS_RECORD_MASK) {
		r->mask = ws_word_get(r->p, 8);
		r->p += 8;
	}
}

static void get_addresses(struct warp_reader *r, uint64_t *address)
{
	uint64_t left = r->mask, stride, at;

	at = r->base += ws_unzigzag(get_var(&r->p));
	address[ws_lowest_bit(left)] = at;
	left &= left - 1;
	if (!left)
		return;
	if (r->flags & WS_RECORD_LIST) {
		for (; left; left &= left - 1)
			address[ws_lowest_bit(left)] = at += ws_unzigzag(get_var(&r->p));
		return;
	}
	stride = ws_unzigzag(get_var(&r->p));
	for (; left; left &= left - 1)
		address[ws_lowest_bit(left)] = at += stride;
}

/* ---- steps ---------------------------------------------------------------------------- */

static void add_lanes(uint64_t *word, uint32_t lane, uint64_t mask)
{
	word[lane / 64] |= mask << lane % 64;
	if (lane % 64 && mask >> (64 - lane % 64))
		word[lane / 64 + 1] |= mask >> (64 - lane % 64);
}

/* The lanes that a warp without an access is active with: all. */
static uint64_t all_lanes(const struct ws_builder *b, const struct warp_reader *r)
{
	uint64_t threads = ws_launch_threads(&b->launch) - r->lane;

	return ws_first_bits(threads < b->width ? threads : b->width);
}

/* The warps at the lowest segment go on; false if all have ended. */
static bool step_warps(struct merge *m)
{
	uint64_t mask[WST_MASK_WORDS + 1] = { 0 };
	const uint64_t *address[1] = { m->address };
	uint32_t lowest = ENDED;
	bool access;

	for (size_t i = 0; i < m->readers; i++)
		if (m->reader[i].segment < lowest)
			lowest = m->reader[i].segment;
	if (lowest == ENDED)
		return false;
	access = m->b->launch.segment[lowest].count > 0;
	for (size_t i = 0; i < m->readers; i++) {
		struct warp_reader *r = &m->reader[i];

		if (r->segment != lowest)
			continue;
		add_lanes(mask, r->lane, access ? r->mask : all_lanes(m->b, r));
		if (access)
			get_addresses(r, m->address + r->lane);
		next_record(m, r);
	}
	ws_encoder_step(m->encoder, lowest, mask, address);
	return true;
}

/* ---- CTAs ----------------------------------------------------------------------------- */

static enum ws_status flush_segment(struct merge *m, struct ws_err *err)
{
	enum ws_status status;

	if (!m->count)
		return WS_OK;
	m->packed.len = 0;
	status = ws_chunk_pack(&m->packed, m->b->number, m->first, &m->data, m->lens, m->count,
			       err);
	if (status == WS_OK)
		status = ws_trace_writer_chunk(m->b->writer, &m->packed, m->first, m->count,
					       m->accesses, err);
	m->first += m->count;
	m->count = m->data.len = 0;
	memset(m->accesses, 0, sizeof m->accesses);
	return status;
}

/* A CTA of the warps order[0..count-1]. */
static enum ws_status write_cta(struct merge *m, const uint32_t *order, size_t count,
				struct ws_err *err)
{
	size_t before;
	enum ws_status status;

	ws_encoder_begin(m->encoder);
	m->readers = count;
	for (size_t i = 0; i < count; i++) {
		const struct ws_warp_log *log = &m->b->log[order[i]];

		m->reader[i] = (struct warp_reader){ .block = log->first,
						.lane = log->warp * m->b->width };
		next_record(m, &m->reader[i]);
	}
	while (!ws_encoder_full(m->encoder) && step_warps(m))
		continue;
	if (m->data.len >= CHUNK_BYTES || m->count == CHUNK_CTAS) {
		status = flush_segment(m, err);
		if (status != WS_OK)
			return status;
	}
	before = m->data.len;
	status = ws_encoder_end(m->encoder, &m->data, m->accesses, err);
	m->lens[m->count++] = m->data.len - before;
	return status;
}

static int by_warp(const void *a, const void *b, void *context)
{
	const struct ws_warp_log *log = context;
	const struct ws_warp_log *x = &log[*(const uint32_t *)a], *y = &log[*(const uint32_t *)b];

	if (x->cta != y->cta)
		return x->cta < y->cta ? -1 : 1;
	return (x->warp > y->warp) - (x->warp < y->warp);
}

/* A header may claim any grid: what is not told of is bounded. */
static enum ws_status check_silent(struct merge *m, struct ws_err *err)
{
	struct ws_builder *b = m->b;
	uint64_t busy = 0, silent, most;

	for (size_t i = 0; i < b->logs; i++)
		busy += i == 0 || b->log[m->order[i]].cta != b->log[m->order[i - 1]].cta;
	silent = b->ctas - busy;
	b->busy += busy; /* at most 2^32 logs a launch: far from overflow */
	most = WS_BUILT_SILENT_MAX + WS_BUILT_SILENT_EACH * b->busy;
	if (b->silent > most || silent > most - b->silent)
		return ws_fail(err, WS_EFORMAT,
			       "launch %" PRIu64 " of %" PRIu64 " CTAs: %" PRIu64
			       " of them do nothing, want at most %" PRIu64
			       " in a file with %" PRIu64 " that do something",
			       b->number, b->ctas, silent, most, b->busy);
	b->silent += silent;
	return WS_OK;
}

static enum ws_status write_ctas(struct merge *m, struct ws_err *err)
{
	const struct ws_builder *b = m->b;
	enum ws_status status;
	size_t at = 0;

	for (size_t i = 0; i < b->logs; i++)
		m->order[i] = (uint32_t)i;
	if (b->logs)
		qsort_r(m->order, b->logs, sizeof *m->order, by_warp, b->log);
	status = check_silent(m, err);
	for (uint64_t cta = 0; cta < b->ctas && status == WS_OK; cta++) {
		size_t end = at;

		while (end < b->logs && b->log[m->order[end]].cta == cta)
			end++;
		status = write_cta(m, m->order + at, end - at, err);
		at = end;
	}
	return status == WS_OK ? flush_segment(m, err) : status;
}

/* ---- launches ---------------------------------------------------------------------------- */

static enum ws_status prepare_merge(struct merge *m, struct ws_err *err)
{
	struct ws_builder *b = m->b;
	enum ws_status status = WS_OK;

	if (b->arrays)
		status = ws_builder_ranges(b, err);
	if (status == WS_OK)
		status = ws_builder_number(b, &m->segment, err);
	if (status != WS_OK)
		return status;
	m->order = ws_alloc(b->logs + 1, sizeof *m->order);
	m->reader = ws_alloc(b->warps, sizeof *m->reader);
	m->address = ws_alloc_zero((size_t)b->warps * b->width, sizeof *m->address);
	if (!m->order || !m->reader || !m->address)
		return ws_fail_memory(err, "the warps of a launch");
	status = ws_trace_writer_launch(b->writer, &b->launch, err);
	return status == WS_OK ? ws_encoder_new(&m->encoder, &b->launch, err) : status;
}

enum ws_status ws_builder_write(struct ws_builder *b, struct ws_err *err)
{
	struct merge *m = ws_alloc_zero(1, sizeof *m);
	struct ws_err own = { 0 };
	enum ws_status status;

	if (!m)
		return ws_fail_memory(err, "a launch to be written");
	m->b = b;
	status = prepare_merge(m, &own);
	if (status == WS_OK)
		status = write_ctas(m, &own);
	/* What a trace cannot hold is the file's fault here, not the caller's. */
	if (status != WS_OK)
		status = ws_fail(err, status == WS_EINVAL ? WS_EFORMAT : status, "%s", own.text);
	ws_encoder_free(m->encoder);
	free(m->segment);
	free(m->order);
	free(m->reader);
	free(m->address);
	ws_buf_clear(&m->data);
	ws_buf_clear(&m->packed);
	free(m);
	return status;
}
