/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/trace/wstfile.h -- traces in memory, random launches and steps to fill
 * them, and files put together by hand with right checksums, whatever they say.
 */
#ifndef WS_TESTS_TRACE_WSTFILE_H
#define WS_TESTS_TRACE_WSTFILE_H

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "tests/random_code.h"
#include "trace/trace.h"

#define FILE_LAUNCH WS_BLOCK_TYPE('L', 'N', 'C', 'H')
#define FILE_CHUNK WS_BLOCK_TYPE('C', 'H', 'N', 'K')
#define FILE_INDEX WS_BLOCK_TYPE('I', 'N', 'D', 'X')
#define FILE_END WS_BLOCK_TYPE('W', 'E', 'N', 'D')
#define STEP_WORDS (WS_CTA_THREADS_MAX / 64)

static inline void must(bool ok, const char *what)
{
	if (ok)
		return;
	printf("Bail out! %s\n", what);
	exit(1);
}

/* ---- random launches and steps ----------------------------------------------- */

static inline uint64_t pick(struct ws_rng *rng, uint64_t low, uint64_t high)
{
	return low + ws_rng_below(rng, high - low + 1);
}

static inline bool one_in(struct ws_rng *rng, uint64_t n)
{
	return ws_rng_below(rng, n) == 0;
}

static inline void random_block(struct ws_rng *rng, uint64_t block[3])
{
	static const uint64_t shape[][3] = {
		{ 1, 1, 1 }, { 256, 1, 1 }, { 16, 16, 1 }, { 1, 37, 1 }, { 1, 1, 64 }, { 63, 1, 1 },
		{ 65, 3, 1 }, { 8, 8, 8 }, { 1, 5, 7 }, { 4096, 1, 1 }, { 1, 64, 64 }, { 3, 1,
		  128 },
	};

	if (one_in(rng, 2)) {
		memcpy(block, shape[ws_rng_below(rng, WS_COUNT(shape))], sizeof shape[0]);
		return;
	}
	for (int i = 0; i < 3; i++)
		block[i] = pick(rng, 1, 11);
}

static inline struct ws_launch random_launch(struct ws_rng *rng)
{
	struct ws_launch l = { .kernel = ws_strdup("kernel \xc3\xa9"), .shared_bytes = pick(rng, 0,
			       99999),
			       .registers = pick(rng, 0, 255), .arrays = pick(rng, 0, 4),
			       .files = pick(rng, 1, 2), .instructions = pick(rng, 0, 9) };

	random_block(rng, l.block);
	for (int i = 0; i < 3; i++)
		l.grid[i] = pick(rng, 1, 3);
	l.ctas = l.grid[0] * l.grid[1] * l.grid[2];
	l.segments = l.instructions + 2;
	l.file = ws_alloc_zero(l.files, sizeof *l.file);
	l.array = ws_alloc_zero(l.arrays, sizeof *l.array);
	l.instruction = ws_alloc_zero(l.instructions, sizeof *l.instruction);
	l.segment = ws_alloc_zero(l.segments, sizeof *l.segment);
	for (size_t i = 0; i < l.files; i++)
		l.file[i] = ws_strdup(i ? "" : "dir/a file.cl");
	for (size_t i = 0; i < l.arrays; i++)
		l.array[i] = (struct ws_array){ ws_strdup("A"), ws_rng_u64(rng) >> 1,
						pick(rng, 0, 1 << 30) };
	for (size_t i = 0; i < l.instructions; i++)
		l.instruction[i] = (struct ws_instruction){
			.kind = (uint8_t)pick(rng, 0, 2), .space = (uint8_t)pick(rng, 0, 2),
			.bytes = (uint32_t)pick(rng, 1, WS_ACCESS_BYTES_MAX),
			.array = l.arrays && one_in(rng, 2) ? (uint32_t)pick(rng, 0, l.arrays - 1) :
							      WS_NO_ARRAY,
			.file = (uint32_t)pick(rng, 0, l.files - 1),
			.line = (uint32_t)ws_rng_u64(rng),
			.gap = (uint32_t)pick(rng, 0, WS_GAP_MAX), .use = (uint32_t)pick(rng, 1,
			UINT32_MAX),
		};
	for (size_t i = 0; i < l.instructions; i++)
		l.instruction[i].texture = l.instruction[i].space == WS_SPACE_GLOBAL &&
					   l.instruction[i].kind != WS_ATOMIC &&
					   l.instruction[i].line % 2;
	for (size_t i = 0; i < l.instructions; i++)
		l.instruction[i].past = l.instruction[i].space == WS_SPACE_GLOBAL &&
					l.instruction[i].kind != WS_ATOMIC &&
					l.instruction[i].line % 3 == 0;
	for (size_t i = 0; i < l.instructions; i += 2) {
		struct ws_instruction *in = &l.instruction[i];

		in->pace.chain = (uint32_t)pick(rng, 0, in->gap);
		in->pace.code = (uint32_t)pick(rng, 0, 2000);
		in->pace.code_end = in->pace.code + (uint32_t)pick(rng, 0, 300);
	}
	for (size_t i = 0; i < l.segments; i++) {
		struct ws_segment *s = &l.segment[i];

		s->first = (uint32_t)pick(rng, 0, l.instructions);
		s->count = (uint32_t)
			pick(rng, 0, l.instructions - s->first > 4 ? 4 : l.instructions - s->first);
		s->tail = (uint32_t)pick(rng, 0, WS_GAP_MAX);
		s->barrier = one_in(rng, 2);
		s->pace.chain = one_in(rng, 2) ? s->tail : 0;
		if (one_in(rng, 3))
			s->tail = s->pace.chain = 0;
	}
	if (one_in(rng, 2))
		random_code(&l, rng);
	if (one_in(rng, 2))
		random_copies(&l, rng, ws_rng_u64(rng) >> 1, 1 << 20);
	l.executed = one_in(rng, 2) ? ws_rng_u64(rng) : 0;
	return l;
}

/* The next step of a CTA; the same seed gives the same steps. */
struct steps {
	const struct ws_launch *l;
	struct ws_rng rng;
	size_t left, active;
	uint32_t segment;
	uint64_t mask[STEP_WORDS], stride[3], base;
	uint64_t *address[4]; /* of 4096 each */
};

static inline void steps_new(struct steps *s)
{
	*s = (struct steps){ .left = 0 };
	for (size_t i = 0; i < 4; i++)
		s->address[i] = ws_alloc_zero(WS_CTA_THREADS_MAX, 8);
}

static inline void steps_free(struct steps *s)
{
	for (size_t i = 0; i < 4; i++)
		free(s->address[i]);
}

static inline void steps_begin(struct steps *s, const struct ws_launch *l, uint64_t seed)
{
	s->l = l;
	ws_rng_seed(&s->rng, seed);
	s->left = pick(&s->rng, 0, 9);
	s->base = s->active = 0;
	memset(s->mask, 0, sizeof s->mask);
	memset(s->stride, 0, sizeof s->stride);
}

static inline bool is_active(const uint64_t *mask, size_t lane)
{
	return mask[lane / 64] >> lane % 64 & 1;
}

/* x, y, z of a lane by the book. */
static inline void where_is(const struct ws_launch *l, size_t lane, uint64_t at[3])
{
	at[0] = lane % l->block[0];
	at[1] = lane / l->block[0] % l->block[1];
	at[2] = lane / l->block[0] / l->block[1];
}

static inline void random_mask(struct steps *s)
{
	size_t threads = (size_t)ws_launch_threads(s->l), low, high;
	uint64_t how = ws_rng_below(&s->rng, 8), at[3], want[3];

	if (how == 0 && s->active && is_active(s->mask, s->active - 1))
		return; /* as before */
	low = ws_rng_below(&s->rng, threads);
	high = pick(&s->rng, low, threads - 1);
	where_is(s->l, low, want);
	memset(s->mask, 0, sizeof s->mask);
	for (size_t i = 0; i < threads; i++) {
		bool on = how < 3;

		where_is(s->l, i, at);
		on |= how == 3 && i <= low;
		on |= how == 4 && i >= low && i <= high;
		on |= how == 5 && (one_in(&s->rng, 2) || i == low);
		on |= how == 6 && at[0] == want[0];
		on |= how == 7 && at[low % 3] % 3 == want[low % 3] % 3;
		if (on) {
			s->mask[i / 64] |= 1ull << i % 64;
			s->active = i + 1; /* the last one, plus 1 */
		}
	}
}

static inline uint64_t odd_address(struct ws_rng *rng)
{
	static const uint64_t edge[] = {
		0, 1, UINT64_MAX, 1ull << 63, (1ull << 63) - 1, 1ull << 32
	};

	return edge[ws_rng_below(rng, WS_COUNT(edge))];
}

static inline void random_strides(struct steps *s)
{
	for (int i = 0; i < 3; i++) {
		uint64_t v = ws_rng_u64(&s->rng) >> ws_rng_below(&s->rng, 64);

		s->stride[i] = one_in(&s->rng, 2)   ? 4 * pick(&s->rng, 0, 300)
			       : one_in(&s->rng, 2) ? v
						    : 0 - v;
	}
}

static inline void random_addresses(struct steps *s, uint64_t *address)
{
	size_t threads = (size_t)ws_launch_threads(s->l);
	uint64_t how = ws_rng_below(&s->rng, 9), spread = pick(&s->rng, 1, 60), at[3];

	if (how == 0)
		random_strides(s);
	s->base = how == 1 ? odd_address(&s->rng) : one_in(&s->rng, 3) ? s->base + 256 :
								      ws_rng_u64(&s->rng);
	for (size_t i = 0; i < threads; i++) {
		where_is(s->l, i, at);
		address[i] = s->base + at[0] * s->stride[0] + at[1] * s->stride[1] +
			     at[2] * s->stride[2];
		if (how == 4)
			address[i] = s->base;
		else if (how == 5)
			address[i] = s->base + (ws_rng_u64(&s->rng) >> spread) * 8;
		else if (how == 6)
			address[i] = odd_address(&s->rng);
		else if (how == 7)
			address[i] = s->base + i / 16 * 4096 + i % 16 * 4;
	}
	if (how == 8)
		address[ws_rng_below(&s->rng, threads)] += 1ull << ws_rng_below(&s->rng, 64);
}

/* False at the end of the CTA. */
static inline bool steps_next(struct steps *s)
{
	if (!s->left)
		return false;
	s->left--;
	s->segment = (uint32_t)ws_rng_below(&s->rng, s->l->segments);
	random_mask(s);
	for (uint32_t a = 0; a < s->l->segment[s->segment].count; a++)
		random_addresses(s, s->address[a]);
	return true;
}

/* ---- files in memory ------------------------------------------------------------ */

struct file {
	char *data;
	size_t len;
};

/* The seed of a CTA's steps. */
static inline uint64_t cta_seed(uint64_t seed, size_t launch, uint64_t cta)
{
	return seed * 1000003 + launch * 5003 + cta;
}

/* Writes the launches with steps by the seed, in chunks of 1..most CTAs. */
static inline void write_launch(struct ws_trace_writer *w, const struct ws_launch *l, size_t number,
				uint64_t seed, uint64_t most)
{
	struct ws_encoder *e;
	struct ws_buf data = { 0 }, packed = { 0 };
	struct ws_err err = { 0 };
	struct steps s;
	struct ws_rng rng;

	ws_rng_seed(&rng, seed);
	steps_new(&s);
	must(!ws_trace_writer_launch(w, l, &err) && !ws_encoder_new(&e, l, &err), err.text);
	for (uint64_t cta = 0, count; cta < l->ctas; cta += count) {
		uint64_t lens[64], accesses[WS_KINDS] = { 0 };

		count = pick(&rng, 1, most);
		count = count > l->ctas - cta ? l->ctas - cta : count;
		data.len = packed.len = 0;
		for (uint64_t i = 0; i < count; i++) {
			size_t before = data.len;

			ws_encoder_begin(e);
			steps_begin(&s, l, cta_seed(seed, number, cta + i));
			while (steps_next(&s))
				ws_encoder_step(e, s.segment, s.mask,
						(const uint64_t *const *)s.address);
			must(!ws_encoder_end(e, &data, accesses, NULL), "ws_encoder_end");
			lens[i] = data.len - before;
		}
		must(!ws_chunk_pack(&packed, number, cta, &data, lens, count, NULL) &&
		     !ws_trace_writer_chunk(w, &packed, cta, count, accesses, NULL), "chunk");
	}
	ws_encoder_free(e);
	steps_free(&s);
	ws_buf_clear(&data);
	ws_buf_clear(&packed);
}

static inline void write_trace(struct ws_out *out, const struct ws_launch *l, size_t launches,
			       uint64_t seed, uint64_t most)
{
	struct ws_trace_writer *w;

	must(!ws_trace_writer_new(&w, out, NULL), "ws_trace_writer_new");
	for (size_t i = 0; i < launches; i++)
		write_launch(w, &l[i], i, seed, most);
	must(!ws_trace_writer_end(w, NULL), "ws_trace_writer_end");
	ws_trace_writer_free(w);
}

static inline struct file write_file(const struct ws_launch *l, size_t launches, uint64_t seed,
				     uint64_t most)
{
	struct file f = { NULL, 0 };
	struct ws_out out = { .file = open_memstream(&f.data, &f.len) };

	must(out.file, "open_memstream");
	write_trace(&out, l, launches, seed, most);
	must(!fclose(out.file) && !out.failed, "fclose");
	return f;
}

/* data must outlive the trace. */
static inline enum ws_status open_bytes(struct ws_trace **t, const void *data, size_t len,
					struct ws_err *err)
{
	struct ws_in in = { .data = data, .len = len, .name = ws_strdup("memory.wst") };
	enum ws_status status = ws_trace_open_in(t, &in, err);

	ws_in_close(&in);
	return status;
}

/* Decodes everything, at most most CTAs a launch. */
static inline enum ws_status decode_all(const struct ws_trace *t, uint64_t most, struct ws_err *err)
{
	enum ws_status status = WS_OK;

	for (size_t l = 0; status == WS_OK && l < ws_trace_launches(t); l++) {
		uint64_t ctas = ws_trace_launch(t, l)->ctas;
		struct ws_decoder *d;
		struct ws_step step;
		bool more = true;

		status = ws_decoder_new(&d, t, l, err);
		for (uint64_t cta = 0; status == WS_OK && cta < ctas && cta < most; cta++) {
			status = ws_decoder_seek(d, cta, err);
			more = true;
			while (status == WS_OK && more)
				status = ws_decoder_next(d, &step, &more, err);
		}
		ws_decoder_free(d);
	}
	return status;
}

/* Opens a copy of the bytes, so that a sanitizer sees a read past their end,
 * and decodes them all. */
static inline enum ws_status try_bytes(const void *data, size_t len, struct ws_err *err)
{
	uint8_t *copy = malloc(len ? len : 1);
	struct ws_trace *t;
	enum ws_status status;

	must(copy, "malloc");
	if (len)
		memcpy(copy, data, len);
	status = open_bytes(&t, copy, len, err);
	if (status == WS_OK)
		status = decode_all(t, 4096, err);
	ws_trace_close(t);
	free(copy);
	return status;
}

/* ---- files by hand ---------------------------------------------------------------- */

static inline void hand_begin(struct ws_buf *file)
{
	file->len = 0;
	ws_put_bytes(file, "WSTRACE", 8);
	ws_put_u32(file, 1);
	ws_put_u32(file, 0);
}

/* Returns the length of the block. */
static inline uint64_t hand_block(struct ws_buf *file, uint32_t type, const struct ws_buf *raw)
{
	size_t before = file->len;

	must(!ws_block_pack(file, type, raw->data, raw->len, NULL), "ws_block_pack");
	return file->len - before;
}

static inline void hand_end(struct ws_buf *file, uint64_t index, uint64_t len)
{
	struct ws_buf record = { 0 };

	ws_put_u32(&record, FILE_END);
	ws_put_u64(&record, index);
	ws_put_u64(&record, len);
	ws_put_u32(file, FILE_END);
	ws_put_u32(file, (uint32_t)crc32(0, record.data, (uInt)record.len));
	ws_put_bytes(file, record.data + 4, 16);
	ws_buf_clear(&record);
}

/* ---- inputs of the fuzzer ------------------------------------------------------------ */

static inline void put_slice(struct ws_buf *buf, struct ws_cursor *c, size_t len)
{
	size_t left = (size_t)(c->end - c->p);

	ws_put_bytes(buf, c->p, len < left ? len : left);
	c->p += len < left ? len : left;
}

/* Either a file, or what goes into one with right checksums: a form and two
 * lengths (5 bytes), a launch block, then
 *   form even: varints of CTAs, accesses and CTAs of the chunk; the chunk block
 *   form odd:  the bytes of the only CTA. */
static inline enum ws_status try_input(const uint8_t *data, size_t size, struct ws_err *err)
{
	struct ws_cursor c = { .p = data, .end = data + size };
	struct ws_buf file = { 0 }, raw = { 0 }, index = { 0 };
	unsigned form = ws_get_u8(&c);
	size_t first, second;
	enum ws_status status;
	uint64_t at;

	if (ws_trace_recognise(data, size) || size < 5)
		return try_bytes(data, size, err);
	first = ws_get_u8(&c);
	first |= (size_t)ws_get_u8(&c) << 8;
	second = ws_get_u8(&c);
	second |= (size_t)ws_get_u8(&c) << 8;
	hand_begin(&file);
	put_slice(&raw, &c, first);
	ws_put_var(&index, 1);
	ws_put_var(&index, hand_block(&file, FILE_LAUNCH, &raw));
	raw.len = 0;
	if (form % 2) {
		for (int i = 0; i < 3; i++)
			ws_put_var(&raw, i == 2);
		ws_put_var(&raw, (uint64_t)(c.end - c.p));
		ws_put_bytes(&index, "\1\0\0\0\1\1", 6);
	} else {
		put_slice(&index, &c, second);
	}
	put_slice(&raw, &c, SIZE_MAX);
	ws_put_var(&index, hand_block(&file, FILE_CHUNK, &raw));
	at = file.len;
	hand_block(&file, FILE_INDEX, &index);
	hand_end(&file, at, file.len + 24);
	status = try_bytes(file.data, file.len, err);
	ws_buf_clear(&file);
	ws_buf_clear(&raw);
	ws_buf_clear(&index);
	return status;
}

#endif
