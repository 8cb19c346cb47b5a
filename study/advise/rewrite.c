/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * study/advise/rewrite.c -- the trace of a kernel as it would be after a change of its source.
 *
 * What the kernel computes with stays as it is: every step is there, with the same work-items.  An
 * array's bytes lie elsewhere (rows padded, or columns in place of rows), or work-items have other
 * numbers in their CTA.  Arrays keep their order, and the distances between them that are not due
 * to the change.  Or CTAs copy what they read of an array to shared memory first.
 */
#include "base/bits.h"
#include "base/map.h"
#include "study/advise/private.h"

#include <stdlib.h>
#include <string.h>

#define ARRAY_ALIGN 256u
#define COPY_BYTES 4u		/* a lane copies to shared memory */
#define COPY_OTHERS 6u		/* instructions with it: its store, and the loop around them */
#define READ_SAVES 2u		/* instructions, at most */
#define SHIFT_MAX 32u		/* times ARRAY_ALIGN */
#define DOWN (UINT64_C(1) << 40)	/* more than arrays grow by: the same sets and slices */

struct placed {			/* an array, by ascending old address */
	uint64_t base, bytes, moved; /* old place; what is added to it */
	uint32_t number;
	const struct ws_remap *remap; /* NULL: it stays */
	bool staged;
};

struct rewriting {
	const struct ws_trace *trace;
	const struct ws_change *change;
	struct ws_trace_writer *writer;
	size_t written;			/* launches */

	const struct ws_launch *from;
	struct ws_launch to;		/* texts and segments are from's */
	struct placed *placed;
	struct placed **by_number;
	struct ws_decoder *decoder;
	struct ws_encoder *encoder;
	size_t threads, words, most;	/* of a CTA; instructions of a segment */
	uint16_t *order;		/* [lane] = its lane before; NULL: the same */
	uint64_t *address;		/* [most][threads] */
	const uint64_t **vector;	/* [most] */
	uint64_t *mask;
	struct ws_keys copied;		/* sectors of the staged array that the CTA reads */
	struct ws_pieces pieces;

	struct ws_cta_chunks chunks;
};

/* ---- where arrays lie ---------------------------------------------------- */

static const struct ws_remap *remap_of(const struct ws_change *c, const char *name)
{
	if (c->remap.row && (!*c->remap.array || strcmp(c->remap.array, name) == 0))
		return &c->remap;
	for (size_t i = 0; i < WS_REMAPS_MORE && c->others[i].row; i++)
		if (strcmp(c->others[i].array, name) == 0)
			return &c->others[i];
	return NULL;
}

static bool is_staged(const struct ws_change *c, const char *name)
{
	return *c->staged && strcmp(c->staged, name) == 0;
}

static uint64_t up(uint64_t value, uint64_t to)
{
	return (value + to - 1) / to * to;
}

/* Bytes of an array once it is remapped. */
static uint64_t grown(const struct ws_remap *r, uint64_t bytes)
{
	uint64_t rows = (bytes + r->row - 1) / r->row;

	return rows * (r->element ? up(r->row, r->element) : r->row + r->pad);
}

/* Of a byte, in the array. */
static uint64_t remapped(const struct ws_remap *r, uint64_t bytes, uint64_t at)
{
	uint64_t row = at / r->row, in = at % r->row, rows = (bytes + r->row - 1) / r->row;

	if (!r->element)
		return at + row * r->pad;
	return (in / r->element * rows + row) * r->element + in % r->element;
}

static int by_base(const void *a, const void *b)
{
	const struct placed *x = a, *y = b;

	if (x->base != y->base)
		return x->base < y->base ? -1 : 1;
	return (x->number > y->number) - (x->number < y->number);
}

/* What would pass the end of the address space goes down, and all with it. */
static void stay_in_space(struct rewriting *w)
{
	const struct ws_launch *l = w->from;
	bool passes = false;

	for (size_t i = 0; i < l->arrays; i++) {
		const struct ws_array *a = &w->to.array[i];

		passes |= a->base < l->array[i].base || a->bytes > UINT64_MAX - a->base;
	}
	for (size_t i = 0; i < l->arrays && passes && w->placed[0].base >= DOWN; i++) {
		w->placed[i].moved -= DOWN;
		w->to.array[w->placed[i].number].base -= DOWN;
	}
}

static enum ws_status place_arrays(struct rewriting *w, struct ws_err *err)
{
	const struct ws_launch *l = w->from;
	struct ws_rng rng;
	uint64_t moved = 0;

	w->placed = ws_alloc(l->arrays, sizeof *w->placed);
	w->by_number = ws_alloc(l->arrays, sizeof *w->by_number);
	w->to.array = ws_alloc(l->arrays, sizeof *w->to.array);
	if (!w->placed || !w->by_number || !w->to.array)
		return ws_fail_memory(err, "arrays that are moved");
	for (size_t i = 0; i < l->arrays; i++)
		w->placed[i] = (struct placed){ l->array[i].base, l->array[i].bytes, 0, (uint32_t)i,
						remap_of(w->change, l->array[i].name),
						is_staged(w->change, l->array[i].name) };
	if (l->arrays)
		qsort(w->placed, l->arrays, sizeof *w->placed, by_base);
	ws_rng_seed(&rng, w->change->shift);
	for (size_t i = 0; i < l->arrays; i++) {
		struct placed *p = &w->placed[i];

		moved += i ? w->change->stagger : 0;
		if (w->change->shift && (!i || !w->change->together))
			moved += ARRAY_ALIGN * ws_rng_below(&rng, SHIFT_MAX);
		p->moved = moved;
		w->by_number[p->number] = p;
		w->to.array[p->number] = l->array[p->number];
		w->to.array[p->number].base += moved;
		if (!p->remap)
			continue;
		w->to.array[p->number].bytes = grown(p->remap, p->bytes);
		moved += up(w->to.array[p->number].bytes - p->bytes, ARRAY_ALIGN);
	}
	stay_in_space(w);
	return WS_OK;
}

/* The last array that begins at or before the address; NULL: none does. */
static const struct placed *array_at(const struct rewriting *w, uint64_t address)
{
	size_t low = 0, high = w->from->arrays;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (w->placed[middle].base <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low ? &w->placed[low - 1] : NULL;
}

static uint64_t address_of(const struct rewriting *w, uint64_t address, const struct placed *known)
{
	const struct placed *p = known;

	if (!p || address < p->base || address - p->base >= p->bytes)
		p = array_at(w, address);
	if (!p)
		return address;
	if (!p->remap || address - p->base >= p->bytes)
		return address + p->moved;
	return p->base + p->moved + remapped(p->remap, p->bytes, address - p->base);
}

/* ---- the launch's tables ---------------------------------------------------- */

/* Other lanes compute all their indexes anew. */
static bool is_indexed_anew(const struct rewriting *w, const struct ws_instruction *in)
{
	return w->change->lanes != WS_LANES_STAY || w->change->gap_all ||
	       (in->array < w->from->arrays && (w->by_number[in->array]->remap ||
						w->by_number[in->array]->staged));
}

static bool reads_staged(const struct rewriting *w, const struct ws_instruction *in)
{
	return in->kind == WS_LOAD && in->array < w->from->arrays &&
	       w->by_number[in->array]->staged;
}

/* What a compiler may save where an array is in shared memory: of each read two instructions that
 * computed its address, and reads that follow one another may be one. */
static void save_instructions(struct rewriting *w, struct ws_segment *s)
{
	uint32_t merged = 0;

	for (uint32_t i = 0; i < s->count; i++) {
		struct ws_instruction *in = &w->to.instruction[s->first + i];

		if (in->space != WS_SPACE_LOCAL || !reads_staged(w, in))
			continue;
		merged += i && !in->gap && reads_staged(w, in - 1);
		in->gap -= in->gap < READ_SAVES ? in->gap : READ_SAVES;
		if (in->pace.chain > in->gap)
			in->pace.chain = in->gap;
	}
	s->tail -= s->tail < merged ? s->tail : merged;
	if (s->pace.chain > s->tail)
		s->pace.chain = s->tail;
}

/* Each segment once more, where what reads the staged array reads shared memory; then the copying,
 * an element of 4 bytes a lane, and a barrier. */
static void double_segments(struct rewriting *w)
{
	const struct ws_launch *l = w->from;
	size_t n = l->instructions, segments = l->segments;
	struct ws_instruction *copy = &w->to.instruction[2 * n];

	for (size_t i = 0; i < segments; i++) {
		w->to.segment[segments + i] = w->to.segment[i];
		w->to.segment[segments + i].first += (uint32_t)n;
	}
	*copy = (struct ws_instruction){ .kind = WS_LOAD, .bytes = COPY_BYTES, .use = 1,
					 .array = WS_NO_ARRAY };
	for (size_t i = 0; i < n; i++) {
		struct ws_instruction *in = &w->to.instruction[n + i];

		*in = w->to.instruction[i];
		if (!reads_staged(w, in))
			continue;
		copy->array = in->array;
		copy->gap = w->change->gap;
		in->space = WS_SPACE_LOCAL;
		in->texture = in->past = false;
	}
	for (size_t i = 0; w->change->fewer && i < segments; i++)
		save_instructions(w, &w->to.segment[segments + i]);
	w->to.segment[2 * segments] = (struct ws_segment){ .first = (uint32_t)(2 * n), .count = 1,
							   .tail = COPY_OTHERS };
	w->to.segment[2 * segments + 1] = (struct ws_segment){ .first = (uint32_t)(2 * n),
							       .barrier = true };
	w->to.segments = 2 * segments + 2;
	w->to.instructions = 2 * n + 1;
}

static enum ws_status change_instructions(struct rewriting *w, struct ws_err *err)
{
	const struct ws_launch *l = w->from;

	w->to.instruction = ws_alloc(2 * l->instructions + 1, sizeof *w->to.instruction);
	w->to.segment = ws_alloc(2 * l->segments + 2, sizeof *w->to.segment);
	if (!w->to.instruction || !w->to.segment)
		return ws_fail_memory(err, "instructions that are changed");
	for (size_t i = 0; i < l->segments; i++)
		w->to.segment[i] = l->segment[i];
	for (size_t i = 0; i < l->instructions; i++) {
		struct ws_instruction *in = &w->to.instruction[i];

		*in = l->instruction[i];
		if (w->change->gap && is_indexed_anew(w, in) &&
		    in->gap < WS_GAP_MAX - w->change->gap)
			in->gap += w->change->gap;
	}
	/* Of no variant, so that all are counted alike. */
	ws_launch_drop_code(&w->to);
	if (*w->change->staged)
		double_segments(w);
	return WS_OK;
}

static void swap_sizes(uint64_t size[3])
{
	uint64_t x = size[0];

	size[0] = size[1];
	size[1] = x;
}

static void change_shape(struct rewriting *w)
{
	if (w->change->lanes == WS_LANES_SWAPPED) {
		swap_sizes(w->to.grid);
		swap_sizes(w->to.block);
	}
	if (w->change->shared_bytes > w->to.shared_bytes)
		w->to.shared_bytes = w->change->shared_bytes;
	w->to.unmet = NULL;
	w->to.unmets = 0;
}

static enum ws_status make_room(struct rewriting *w, struct ws_err *err)
{
	w->threads = (size_t)ws_launch_threads(w->from);
	w->words = (w->threads + 63) / 64;
	w->most = 1;
	for (size_t i = 0; i < w->from->segments; i++)
		if (w->from->segment[i].count > w->most)
			w->most = w->from->segment[i].count;
	w->address = ws_alloc(w->most * w->threads, sizeof *w->address);
	w->vector = ws_alloc(w->most, sizeof *w->vector);
	w->mask = ws_alloc_zero(w->words, sizeof *w->mask);
	if (w->change->lanes != WS_LANES_STAY)
		w->order = ws_alloc(w->threads, sizeof *w->order);
	if (!w->address || !w->vector || !w->mask ||
	    (w->change->lanes != WS_LANES_STAY && !w->order))
		return ws_fail_memory(err, "a CTA that is changed");
	for (size_t i = 0; i < w->most; i++)
		w->vector[i] = w->address + i * w->threads;
	return WS_OK;
}

/* ---- CTAs ---------------------------------------------------- */

/* x of the changed CTA is y of the old one. */
static void order_swapped(const struct rewriting *w)
{
	const uint64_t *block = w->to.block;

	for (size_t lane = 0; lane < w->threads; lane++) {
		uint64_t x = lane % block[0], y = lane / block[0] % block[1],
			 z = lane / block[0] / block[1];

		w->order[lane] = (uint16_t)(y + block[1] * (x + block[0] * z));
	}
}

static uint64_t cta_before(const struct rewriting *w, uint64_t cta)
{
	const uint64_t *grid = w->to.grid;

	if (w->change->lanes != WS_LANES_SWAPPED)
		return cta;
	return cta / grid[0] % grid[1] + grid[1] * (cta % grid[0] + grid[0] *
						    (cta / grid[0] / grid[1]));
}

/* The sectors of the staged array that lanes read in this step. */
static bool keep_sectors(struct rewriting *w, const struct ws_step *s)
{
	const struct ws_segment *segment = &w->from->segment[s->segment];
	bool good = true;

	for (uint32_t i = 0; i < segment->count; i++) {
		if (!reads_staged(w, &w->from->instruction[segment->first + i]))
			continue;
		for (size_t lane = 0; lane < w->threads; lane++)
			if (lane / 64 < s->words && ws_bit(s->mask, lane))
				good &= ws_keys_add(&w->copied, s->address[i][lane] /
							WS_SECTOR_BYTES) != WS_MAP_NONE;
	}
	return good;
}

static int by_number(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* All lanes copy neighbouring elements, as often as it takes, and wait. */
static void put_copying(struct rewriting *w)
{
	uint32_t copy = (uint32_t)(2 * w->from->segments);
	size_t in_sector = WS_SECTOR_BYTES / COPY_BYTES, elements = w->copied.count * in_sector;

	for (size_t first = 0; first < elements; first += w->threads) {
		memset(w->mask, 0, w->words * sizeof *w->mask);
		for (size_t lane = 0; lane < w->threads && first + lane < elements; lane++) {
			size_t at = first + lane;

			ws_bit_set(w->mask, lane);
			w->address[lane] =
				address_of(w, w->copied.key[at / in_sector] * WS_SECTOR_BYTES +
					   at % in_sector * COPY_BYTES, NULL);
		}
		ws_encoder_step(w->encoder, copy, w->mask, w->vector);
	}
	memset(w->mask, 0, w->words * sizeof *w->mask);
	for (size_t lane = 0; lane < w->threads; lane++)
		ws_bit_set(w->mask, lane);
	ws_encoder_step(w->encoder, copy + 1, w->mask, w->vector);
}

static enum ws_status copy_staged(struct rewriting *w, uint64_t cta, struct ws_err *err)
{
	struct ws_step step;
	bool more = true;
	enum ws_status status = WS_OK;

	ws_keys_flush(&w->copied);
	while (status == WS_OK && more) {
		status = ws_decoder_next(w->decoder, &step, &more, err);
		if (status == WS_OK && more && !keep_sectors(w, &step))
			status = ws_fail_memory(err, "what is in shared memory");
	}
	if (status == WS_OK)
		status = ws_decoder_seek(w->decoder, cta, err);
	if (status != WS_OK || !w->copied.count)
		return status;
	/* The order of a set of keys is of no matter to it once it is only emptied. */
	qsort(w->copied.key, w->copied.count, sizeof *w->copied.key, by_number);
	put_copying(w);
	return WS_OK;
}

static void put_step(struct rewriting *w, const struct ws_step *s)
{
	const struct ws_segment *segment = &w->from->segment[s->segment];

	memset(w->mask, 0, w->words * sizeof *w->mask);
	for (size_t lane = 0; lane < w->threads; lane++) {
		size_t before = w->order ? w->order[lane] : lane;

		if (before / 64 >= s->words || !ws_bit(s->mask, before))
			continue;
		ws_bit_set(w->mask, lane);
		for (uint32_t i = 0; i < segment->count; i++) {
			uint32_t array = w->from->instruction[segment->first + i].array;
			const struct placed *p = array < w->from->arrays ? w->by_number[array]
									 : NULL;

			w->address[i * w->threads + lane] = address_of(w, s->address[i][before], p);
		}
	}
	ws_encoder_step(w->encoder, s->segment + (*w->change->staged ? (uint32_t)w->from->segments
								     : 0), w->mask, w->vector);
}

/* Those of the turn; without pieces there is one. */
static enum ws_status put_steps(struct rewriting *w, uint32_t turn, struct ws_err *err)
{
	enum ws_status status = WS_OK;
	bool more = true;

	for (size_t n = 0; status == WS_OK; n++) {
		struct ws_step step;

		status = ws_decoder_next(w->decoder, &step, &more, err);
		if (status != WS_OK || !more)
			break;
		if (!w->change->pieces || ws_pieces_has(&w->pieces, n, turn, w->change->again))
			put_step(w, &step);
	}
	return status;
}

static enum ws_status put_pieces(struct rewriting *w, uint64_t cta, struct ws_err *err)
{
	enum ws_status status = ws_pieces_cut(&w->pieces, w->decoder, w->from, w->change->pieced,
					      w->change->pieces, err);

	for (uint32_t turn = 0; turn < w->pieces.turns && status == WS_OK; turn++) {
		status = ws_decoder_seek(w->decoder, cta, err);
		if (status == WS_OK)
			status = put_steps(w, turn, err);
	}
	return status;
}

static enum ws_status put_cta(struct rewriting *w, uint64_t cta, struct ws_err *err)
{
	enum ws_status status = ws_decoder_seek(w->decoder, cta_before(w, cta), err);

	if (status == WS_OK && w->change->lanes == WS_LANES_SORTED) {
		status = ws_lanes_sort(w->decoder, w->threads, w->order, err);
		if (status == WS_OK)
			status = ws_decoder_seek(w->decoder, cta, err);
	}
	ws_encoder_begin(w->encoder);
	if (status == WS_OK && *w->change->staged)
		status = copy_staged(w, cta, err);
	if (status == WS_OK)
		status = w->change->pieces ? put_pieces(w, cta, err) : put_steps(w, 0, err);
	return status == WS_OK ? ws_cta_chunks_put(&w->chunks, w->writer, w->encoder, err) : status;
}

/* ---- launches ---------------------------------------------------- */

static void clear_launch(struct rewriting *w)
{
	ws_decoder_free(w->decoder);
	ws_encoder_free(w->encoder);
	free(w->to.array);
	free(w->to.instruction);
	free(w->to.segment);
	free(w->placed);
	free(w->by_number);
	free(w->address);
	free(w->vector);
	free(w->mask);
	free(w->order);
	w->decoder = NULL;
	w->encoder = NULL;
	w->to = (struct ws_launch){ 0 };
	w->placed = NULL;
	w->by_number = NULL;
	w->address = NULL;
	w->vector = NULL;
	w->mask = NULL;
	w->order = NULL;
	w->chunks.first = 0;
}

static enum ws_status open_changed(struct rewriting *w, size_t launch, struct ws_err *err)
{
	enum ws_status status;

	w->from = ws_trace_launch(w->trace, launch);
	w->to = *w->from;
	w->to.array = NULL;
	w->to.instruction = NULL;
	w->to.segment = NULL;
	status = place_arrays(w, err);
	if (status == WS_OK)
		status = change_instructions(w, err);
	change_shape(w);
	if (status == WS_OK)
		status = make_room(w, err);
	if (status == WS_OK)
		status = ws_trace_writer_launch(w->writer, &w->to, err);
	if (status == WS_OK)
		status = ws_decoder_new(&w->decoder, w->trace, launch, err);
	if (status == WS_OK)
		status = ws_encoder_new(&w->encoder, &w->to, err);
	return status;
}

static enum ws_status put_launch(struct rewriting *w, size_t launch, struct ws_err *err)
{
	enum ws_status status = open_changed(w, launch, err);

	if (status == WS_OK && w->change->lanes == WS_LANES_SWAPPED)
		order_swapped(w);
	for (uint64_t cta = 0; cta < w->to.ctas && status == WS_OK; cta++)
		status = put_cta(w, cta, err);
	if (status == WS_OK)
		status = ws_cta_chunks_flush(&w->chunks, w->writer, err);
	w->written++;
	clear_launch(w);
	return status;
}

static enum ws_status put_launches(struct rewriting *w, const char *kernel, struct ws_err *err)
{
	enum ws_status status = WS_OK;

	for (size_t i = 0; i < ws_trace_launches(w->trace) && status == WS_OK; i++)
		if (strcmp(ws_trace_launch(w->trace, i)->kernel, kernel) == 0)
			status = put_launch(w, i, err);
	return status == WS_OK ? ws_trace_writer_end(w->writer, err) : status;
}

enum ws_status ws_rewrite(struct ws_trace **out, const struct ws_trace *t, const char *kernel,
			  const struct ws_change *change, struct ws_err *err)
{
	struct rewriting *w = ws_alloc_zero(1, sizeof *w);
	struct ws_out file = { 0 };
	enum ws_status status;

	*out = NULL;
	if (!w)
		return ws_fail_memory(err, "a changed trace");
	w->trace = t;
	w->change = change;
	status = ws_out_temporary(&file, err);
	if (status == WS_OK)
		status = ws_trace_writer_new(&w->writer, &file, err);
	if (status == WS_OK)
		status = put_launches(w, kernel, err);
	if (status == WS_OK)
		status = ws_trace_open_written(out, &file, ws_trace_name(t), err);
	ws_trace_writer_free(w->writer);
	ws_keys_clear(&w->copied);
	ws_pieces_clear(&w->pieces);
	ws_cta_chunks_clear(&w->chunks);
	ws_out_abort(&file);
	free(w);
	return status;
}
