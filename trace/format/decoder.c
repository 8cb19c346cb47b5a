/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/format/decoder.c -- the bytes of a CTA as steps.
 *
 * A decoder keeps one chunk unpacked and the addresses of one step expanded;
 * it mirrors encoder.c.  Any bytes are safe: every step takes at least one of
 * them, ranges are checked before use, and what does not decode is an error
 * that names the file, the chunk's offset and the CTA.
 *
 * Costs: seek O(log chunks) and unpacking on leaving a chunk; a step is a pass
 * over the active lanes per instruction.
 */
#include "base/bits.h"
#include "trace/format/lone.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define NO_CHUNK SIZE_MAX

struct ws_decoder {
	const struct ws_trace *trace;
	const struct ws_trace_section *section;
	size_t launch;
	/* the chunk */
	size_t chunk;			/* NO_CHUNK: none */
	struct ws_buf raw;
	uint64_t *start;		/* of its CTAs in raw, and the end */
	size_t start_cap;
	/* the CTA */
	uint64_t cta, epoch;
	struct ws_cursor c;
	bool ended;
	uint32_t next;			/* segment expected */
	struct ws_lanes lanes;
	struct ws_vector_state *state;	/* per instruction */
	uint64_t *words, **address;	/* one row of lanes per instruction of a segment */
	struct ws_plane *plane;		/* likewise; NULL: not wanted */
	size_t rows;
	struct ws_lone_reader *lone;	/* of a list; else NULL */
};

/* Also makes all that follows in the CTA fail. */
static enum ws_status corrupt(struct ws_decoder *d, const char *what, struct ws_err *err)
{
	d->c.bad = true;
	return ws_fail(err, WS_EFORMAT,
		       "%s: offset %" PRIu64 ": launch %zu, CTA %" PRIu64 ": %s: corrupt",
		       ws_trace_name(d->trace), d->section->chunk[d->chunk].offset, d->launch,
		       d->cta, what);
}

/* ws_get_var with the common case inline. */
static inline uint64_t get_var(struct ws_cursor *c)
{
	if (c->p < c->end && *c->p < 0x80)
		return *c->p++;
	return ws_get_var(c);
}

/* ---- chunks ------------------------------------------------------------------- */

/* The CTAs' places in the chunk, c being at their lengths. */
static bool find_ctas(struct ws_decoder *d, struct ws_cursor *c, size_t count)
{
	uint64_t at = 0;

	for (size_t i = 0; i < count; i++) {
		uint64_t len = get_var(c);

		d->start[i] = at;
		if (c->bad || len < 1 || len > d->raw.len - at)
			return false;
		at += len;
	}
	if (at != (uint64_t)(c->end - c->p))
		return false;
	for (size_t i = 0; i < count; i++)
		d->start[i] += (uint64_t)(c->p - d->raw.data);
	d->start[count] = d->raw.len;
	return true;
}

static enum ws_status unpack(struct ws_decoder *d, size_t chunk, struct ws_err *err)
{
	const struct ws_trace_chunk *k = &d->section->chunk[chunk];
	const struct ws_in *in = &d->trace->in;
	size_t count = (size_t)(k[1].first - k[0].first);
	struct ws_block block;
	struct ws_cursor c;
	enum ws_status status = ws_block_at(in, k->offset, &block, err);
	uint64_t launch, first, ctas;

	d->chunk = NO_CHUNK;
	if (status == WS_OK && (block.type != WST_CHUNK || block.next != k[1].offset))
		return ws_fail(err, WS_EFORMAT, "%s: offset %" PRIu64
			       ": the block is not the chunk that the index says: corrupt",
			       in->name, k->offset);
	if (status == WS_OK)
		status = ws_block_unpack(in, &block, &d->raw, err);
	if (status != WS_OK)
		return status;
	if (!WS_ROOM(d->start, d->start_cap, count + 1))
		return ws_fail_memory(err, "the places of CTAs");
	c = (struct ws_cursor){ .p = d->raw.data, .end = d->raw.data + d->raw.len };
	launch = ws_get_var(&c);
	first = ws_get_var(&c);
	ctas = ws_get_var(&c);
	if (c.bad || launch != d->launch || first != k->first || ctas != count)
		return ws_fail(err, WS_EFORMAT,
			       "%s: offset %" PRIu64 ": a chunk of %" PRIu64 " CTAs from %" PRIu64
			       " of launch %" PRIu64 ", want %zu from %" PRIu64
			       " of launch %zu: corrupt",
			       in->name, k->offset, ctas, first, launch, count, k->first,
			       d->launch);
	if (!find_ctas(d, &c, count))
		return ws_fail(err, WS_EFORMAT, "%s: offset %" PRIu64
			       ": the lengths of the CTAs do not add up to the chunk's: corrupt",
			       in->name, k->offset);
	d->chunk = chunk;
	return WS_OK;
}

enum ws_status ws_decoder_seek(struct ws_decoder *d, uint64_t cta, struct ws_err *err)
{
	const struct ws_trace_chunk *k = d->section->chunk;
	size_t low = 0, high = d->section->chunks;
	enum ws_status status;

	d->ended = true;
	if (cta >= d->section->launch.ctas)
		return ws_fail(err, WS_EINVAL, "CTA %" PRIu64 " of launch %zu, want 0..%" PRIu64,
			       cta, d->launch, d->section->launch.ctas - 1);
	if (d->lone) {
		ws_lone_rewind(d->lone);
		ws_lanes_full(&d->lanes);
		d->ended = false;
		return WS_OK;
	}
	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;

		if (k[middle].first <= cta)
			low = middle;
		else
			high = middle;
	}
	if (low != d->chunk) {
		status = unpack(d, low, err);
		if (status != WS_OK)
			return status;
	}
	d->cta = cta;
	d->c = (struct ws_cursor){ .p = d->raw.data + d->start[cta - k[low].first],
				   .end = d->raw.data + d->start[cta - k[low].first + 1] };
	d->epoch++;
	d->next = 0;
	d->ended = false;
	ws_lanes_full(&d->lanes);
	return WS_OK;
}

/* ---- vectors ------------------------------------------------------------------ */

static void expand(const struct ws_lanes *l, const struct ws_vector_state *s, uint64_t *out)
{
	for (const struct ws_lane_run *r = l->run, *end = r + l->runs; r < end; r++) {
		uint64_t at = s->base + ws_reach(s->stride, r), stride = s->stride[0];
		uint64_t *o = out + r->lane;
		size_t i = 0;

		for (; i + 8 <= r->len; i += 8, at += 8 * stride)
			for (size_t j = 0; j < 8; j++)
				o[i + j] = at + j * stride;
		for (; i < r->len; i++, at += stride)
			o[i] = at;
	}
}

/* word: zigzag differences of bytes each, one fewer than there are lanes. */
static inline void expand_words(const struct ws_lanes *l, uint64_t base, const uint8_t *word,
				unsigned shift, unsigned bytes, uint64_t *out)
{
	const struct ws_lane_run *r = l->run, *end = r + l->runs;
	size_t i = 1;

	out[r->lane] = base;
	for (; r < end; r++, i = 0) {
		for (; i < r->len; i++, word += bytes) {
			base += ws_unzigzag(ws_word_get(word, bytes)) << shift;
			out[r->lane + i] = base;
		}
	}
}

static void expand_list(struct ws_decoder *d, uint64_t base, uint64_t *out)
{
	unsigned head = ws_get_u8(&d->c), bytes = 1u << (head & 3), shift = head >> 2;
	const uint8_t *word = ws_get_bytes(&d->c, (d->lanes.active - 1) * bytes);

	if (!word)
		return; /* d->c.bad */
	if (bytes == 1)
		expand_words(&d->lanes, base, word, shift, 1, out);
	else if (bytes == 2)
		expand_words(&d->lanes, base, word, shift, 2, out);
	else if (bytes == 4)
		expand_words(&d->lanes, base, word, shift, 4, out);
	else
		expand_words(&d->lanes, base, word, shift, 8, out);
}

static void get_vector(struct ws_decoder *d, struct ws_vector_state *s, uint64_t *out,
		       struct ws_plane *plane)
{
	unsigned code = ws_get_u8(&d->c);

	if (s->epoch != d->epoch)
		*s = (struct ws_vector_state){ .epoch = d->epoch };
	if (code > (WST_LIST | WST_DELTA)) {
		d->c.bad = true;
		return;
	}
	if (code & WST_DELTA)
		s->delta = ws_unzigzag(get_var(&d->c));
	s->base += s->delta;
	for (int i = 0; code & WST_STRIDES && i < 3; i++)
		s->stride[i] = ws_unzigzag(get_var(&d->c));
	if (plane)
		*plane = (struct ws_plane){ !(code & WST_LIST), s->base,
					    { s->stride[0], s->stride[1], s->stride[2] } };
	if (code & WST_LIST)
		expand_list(d, s->base, out);
	else if (!d->c.bad && !plane)
		expand(&d->lanes, s, out);
}

/* ---- steps --------------------------------------------------------------------- */

static bool get_range(struct ws_decoder *d, uint64_t *mask)
{
	uint64_t first = get_var(&d->c), more = get_var(&d->c);

	if (d->c.bad || first >= d->lanes.threads || more >= d->lanes.threads - first)
		return false;
	for (uint64_t lane = first; lane <= first + more; lane++)
		ws_bit_set(mask, lane);
	return true;
}

static bool get_bits(struct ws_decoder *d, uint64_t *mask)
{
	size_t bytes = (d->lanes.threads + 7) / 8;
	const uint8_t *p = ws_get_bytes(&d->c, bytes);
	uint64_t any = 0, past;

	for (size_t i = 0; p && i < bytes; i++) {
		mask[i / 8] |= (uint64_t)p[i] << i % 8 * 8;
		any |= p[i];
	}
	past = mask[d->lanes.words - 1] & ~d->lanes.all[d->lanes.words - 1];
	return any && !past;
}

static bool get_mask(struct ws_decoder *d, enum ws_mask_code how)
{
	uint64_t mask[WST_MASK_WORDS] = { 0 };

	if (how == WST_MASK_FULL)
		ws_lanes_full(&d->lanes);
	if (how == WST_MASK_FULL || how == WST_MASK_SAME)
		return true;
	if (how == WST_MASK_RANGE ? !get_range(d, mask) : !get_bits(d, mask))
		return false;
	memcpy(d->lanes.mask, mask, sizeof mask);
	ws_lanes_update(&d->lanes);
	return true;
}

static void fill_step(const struct ws_decoder *d, uint64_t segment, struct ws_step *step)
{
	*step = (struct ws_step){ .segment = (uint32_t)segment, .mask = d->lanes.mask,
				  .words = d->lanes.words, .address = d->address,
				  .plane = d->plane, .run = d->lanes.run, .runs = d->lanes.runs };
}

static enum ws_status next_of_list(struct ws_decoder *d, struct ws_step *step, bool *more,
				   struct ws_err *err)
{
	uint64_t address;
	uint32_t segment;
	enum ws_status status = ws_lone_next(d->lone, &segment, &address, more, err);

	d->ended = !*more;
	if (!*more)
		return status;
	if (d->rows && d->plane)
		d->plane[0] = (struct ws_plane){ .even = true, .base = address };
	if (d->rows)
		d->address[0][0] = address;
	fill_step(d, segment, step);
	return WS_OK;
}

enum ws_status ws_decoder_next(struct ws_decoder *d, struct ws_step *step, bool *more,
			       struct ws_err *err)
{
	const struct ws_launch *l = &d->section->launch;
	const struct ws_segment *s;
	uint64_t code, segment;

	*more = false;
	if (d->ended)
		return WS_OK;
	if (d->lone)
		return next_of_list(d, step, more, err);
	code = get_var(&d->c);
	if (d->c.bad)
		return corrupt(d, "the bytes end within a step", err);
	if (code == 0) {
		if (d->c.p != d->c.end)
			return corrupt(d, "bytes follow the last step", err);
		d->ended = true;
		return WS_OK;
	}
	segment = d->next + ws_unzigzag((code - 1) >> 2);
	if (segment >= l->segments)
		return corrupt(d, "a step of a segment that is not there", err);
	if (!get_mask(d, (enum ws_mask_code)((code - 1) & 3)))
		return corrupt(d, "an active mask that is short, empty or passes the CTA", err);
	s = &l->segment[segment];
	for (uint32_t i = 0; i < s->count && !d->c.bad; i++)
		get_vector(d, &d->state[s->first + i], d->address[i],
			   d->plane ? &d->plane[i] : NULL);
	if (d->c.bad)
		return corrupt(d, "addresses that are short or of unknown form", err);
	d->next = (uint32_t)segment + 1;
	fill_step(d, segment, step);
	*more = true;
	return WS_OK;
}

/* ---- life ------------------------------------------------------------------------ */

static enum ws_status make_rows(struct ws_decoder *d, struct ws_err *err)
{
	const struct ws_launch *l = &d->section->launch;
	/* rows of a power of two would share their cache sets */
	size_t row = (d->lanes.threads + 7) / 8 * 8 + 8, rows = 0;

	for (size_t i = 0; i < l->segments; i++)
		if (l->segment[i].count > rows)
			rows = l->segment[i].count;
	d->rows = rows;
	d->state = ws_alloc_zero(l->instructions, sizeof *d->state);
	d->words = ws_alloc(rows, row * sizeof *d->words);
	d->address = ws_alloc(rows, sizeof *d->address);
	if (!d->state || !d->words || !d->address)
		return ws_fail_memory(err, "the addresses of a step");
	for (size_t i = 0; i < rows; i++)
		d->address[i] = d->words + i * row;
	return WS_OK;
}

enum ws_status ws_decoder_new(struct ws_decoder **out, const struct ws_trace *t, size_t launch,
			      struct ws_err *err)
{
	struct ws_decoder *d;
	enum ws_status status;

	*out = NULL;
	if (launch >= t->sections)
		return ws_fail(err, WS_EINVAL, "%s: launch %zu, but it has %zu", t->in.name, launch,
			       t->sections);
	d = ws_alloc_zero(1, sizeof *d);
	if (!d)
		return ws_fail_memory(err, "a decoder");
	d->trace = t;
	d->section = &t->section[launch];
	d->launch = launch;
	d->chunk = NO_CHUNK;
	d->ended = true;
	status = ws_lanes_init(&d->lanes, d->section->launch.block, err);
	if (status == WS_OK)
		status = make_rows(d, err);
	if (status == WS_OK && t->lone)
		status = ws_lone_reader_new(&d->lone, t, launch, err);
	if (status != WS_OK) {
		ws_decoder_free(d);
		return status;
	}
	*out = d;
	return WS_OK;
}

void ws_decoder_free(struct ws_decoder *d)
{
	if (!d)
		return;
	ws_lanes_clear(&d->lanes);
	ws_buf_clear(&d->raw);
	free(d->start);
	free(d->state);
	free(d->words);
	free(d->address);
	free(d->plane);
	ws_lone_reader_free(d->lone);
	free(d);
}

enum ws_status ws_decoder_planes(struct ws_decoder *d, struct ws_err *err)
{
	if (!d->plane)
		d->plane = ws_alloc(d->rows, sizeof *d->plane);
	return d->plane ? WS_OK : ws_fail_memory(err, "the addresses of a step");
}
