/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/trace/t-encode.c -- steps to bytes and back: random launches, masks and
 * addresses come back equal; known bytes; and what affine streams cost.
 */
#include "tests/test.h"
#include "tests/trace/wstfile.h"

#define LAUNCHES 120

/* ---- round trip -------------------------------------------------------------------- */

static bool same_step(const struct steps *s, const struct ws_step *step)
{
	size_t threads = (size_t)ws_launch_threads(s->l);

	if (step->segment != s->segment || step->words != (threads + 63) / 64 ||
	    memcmp(step->mask, s->mask, step->words * 8) != 0)
		return false;
	for (uint32_t a = 0; a < s->l->segment[s->segment].count; a++)
		for (size_t i = 0; i < threads; i++)
			if (is_active(s->mask, i) && step->address[a][i] != s->address[a][i])
				return false;
	return true;
}

static void count(const struct steps *s, uint64_t accesses[WS_KINDS])
{
	const struct ws_segment *g = &s->l->segment[s->segment];

	for (uint32_t a = 0; a < g->count; a++)
		for (size_t i = 0; i < ws_launch_threads(s->l); i++)
			if (s->l->instruction[g->first + a].space == WS_SPACE_GLOBAL)
				accesses[s->l->instruction[g->first + a].kind] += is_active(s->mask,
											    i);
}

static bool same_cta(struct ws_decoder *d, struct steps *s, uint64_t accesses[WS_KINDS])
{
	struct ws_step step;
	bool more;

	while (steps_next(s)) {
		if (ws_decoder_next(d, &step, &more, NULL) || !more || !same_step(s, &step))
			return false;
		count(s, accesses);
	}
	return !ws_decoder_next(d, &step, &more, NULL) && !more &&
	       !ws_decoder_next(d, &step, &more, NULL) && !more;
}

/* Its CTAs in order, then some of them out of order. */
static bool same_launch(const struct ws_trace *t, size_t number, const struct ws_launch *l,
			uint64_t seed)
{
	uint64_t accesses[WS_KINDS] = { 0 }, ignored[WS_KINDS] = { 0 };
	struct ws_decoder *d;
	struct steps s;
	bool same = !ws_decoder_new(&d, t, number, NULL);

	steps_new(&s);
	for (uint64_t i = 0; same && i < l->ctas + 5; i++) {
		uint64_t cta = i < l->ctas ? i : (i * 7919 + seed) % l->ctas;

		steps_begin(&s, l, cta_seed(seed, number, cta));
		same = !ws_decoder_seek(d, cta, NULL) &&
		       same_cta(d, &s, i < l->ctas ? accesses : ignored);
	}
	same = same && memcmp(accesses, ws_trace_launch(t, number)->accesses, sizeof accesses) == 0;
	ws_decoder_free(d);
	steps_free(&s);
	return same;
}

static void round_trip(void)
{
	uint64_t seed = test_seed(2026), bad = 0;
	struct ws_rng rng;

	ws_rng_seed(&rng, seed);
	for (uint64_t i = 0; i < LAUNCHES; i++) {
		struct ws_launch l[2] = { random_launch(&rng), random_launch(&rng) };
		struct file f = write_file(l, 2, seed + i, pick(&rng, 1, 5));
		struct ws_trace *t;
		bool same = !open_bytes(&t, f.data, f.len, NULL);

		same = same && same_launch(t, 0, &l[0], seed + i) &&
		       same_launch(t, 1, &l[1], seed + i);
		if (!same)
			printf("# launch pair %" PRIu64 " differs\n", i);
		bad += !same;
		ws_trace_close(t);
		ws_launch_clear(&l[0]);
		ws_launch_clear(&l[1]);
		free(f.data);
	}
	test_u64(bad, 0, "random launches come back");
}

/* ---- one instruction, by hand --------------------------------------------------------- */

static struct ws_launch one_load(uint64_t x, uint64_t y, uint64_t z)
{
	struct ws_launch l = { .kernel = ws_strdup("k"), .grid = { 1, 1, 1 }, .block = { x, y, z },
			       .instructions = 1, .segments = 2, .ctas = 1 };

	l.instruction = ws_alloc_zero(1, sizeof *l.instruction);
	l.instruction[0] = (struct ws_instruction){ .bytes = 4, .array = WS_NO_ARRAY, .use = 1 };
	l.segment = ws_alloc_zero(2, sizeof *l.segment);
	l.segment[1].count = 1;
	return l;
}

static void expect(struct ws_encoder *e, const char *want, const char *what)
{
	uint64_t accesses[WS_KINDS] = { 0 };
	struct ws_buf out = { 0 };
	char text[256] = "";

	must(!ws_encoder_end(e, &out, accesses, NULL), "ws_encoder_end");
	for (size_t i = 0; i < out.len && i < 80; i++)
		snprintf(text + 3 * i, sizeof text - 3 * i, "%02x ", out.data[i]);
	test_str(text, want, what);
	ws_buf_clear(&out);
	ws_encoder_begin(e);
}

/* The bytes of warpstack-trace(5), worked out by hand. */
static void known_bytes(void)
{
	struct ws_launch l = one_load(4, 2, 1);
	const uint64_t full = 0xff, odd = 0xaa, tail = 0xf0;
	uint64_t a[8], *address = a;
	const uint64_t *const *at = (const uint64_t *const *)&address;
	struct ws_encoder *e;

	must(!ws_encoder_new(&e, &l, NULL), "ws_encoder_new");
	expect(e, "00 ", "a CTA without steps");
	for (size_t i = 0; i < 8; i++)
		a[i] = 0x100 + i % 4 * 4 + i / 4 * 64;
	ws_encoder_step(e, 1, &full, at); /* segment +1: 1 + (2 << 2); strides 4, 64, 0 */
	ws_encoder_step(e, 1, &odd, at);  /* segment -1: 1 + (1 << 2 | 2); same base, new delta 0 */
	for (size_t i = 0; i < 8; i++)
		a[i] -= 1;
	ws_encoder_step(e, 1, &odd, at);  /* the same mask; delta -1 */
	ws_encoder_step(e, 1, &tail, at); /* lanes 4..7; delta 0 again */
	ws_encoder_step(e, 0, &full, at); /* no instruction: one byte, segment -2 */
	expect(e, "09 03 80 04 08 80 01 00 07 aa 01 00 06 01 01 08 04 03 01 00 0d 00 ",
	       "affine steps");
	ws_encoder_free(e);
	ws_launch_clear(&l);
}

/* Extents of 1 move to the end: in 1 x 4 x 2 threads the strides are y's, z's, and none. */
static void known_extents(void)
{
	struct ws_launch l = one_load(1, 4, 2);
	const uint64_t full = 0xff;
	uint64_t a[8], *address = a;
	struct ws_encoder *e;

	must(!ws_encoder_new(&e, &l, NULL), "ws_encoder_new");
	for (size_t i = 0; i < 8; i++)
		a[i] = 0x100 + i % 4 * 4 + i / 4 * 64;
	ws_encoder_step(e, 1, &full, (const uint64_t *const *)&address);
	expect(e, "09 03 80 04 08 80 01 00 00 ", "a block of extents 1, 4, 2");
	ws_encoder_free(e);
	ws_launch_clear(&l);
}

/* A list: differences -64, 64, -64 are -1, 1, -1 times 2^6, one byte each;
 * then ones that take 2, 4 and 8 bytes. */
static void known_lists(void)
{
	static const char *const want[] = {
		"09 05 80 02 18 01 02 01 00 ",
		"09 05 80 02 01 02 08 01 08 02 08 00 ",
		"09 05 80 02 02 02 00 00 02 01 00 00 02 02 00 00 02 00 ",
		("09 05 80 02 03 fe ff ff ff ff ff ff ff fd ff ff ff ff ff ff ff fe ff ff ff ff ff "
		 "ff ff 00 "),
	};
	const uint64_t far[] = { 0u - 64ull, 1025, (1ull << 24) + 1, UINT64_MAX >> 1 };
	struct ws_launch l = one_load(4, 1, 1);
	const uint64_t full = 0xf;
	uint64_t a[4], *address = a;
	struct ws_encoder *e;

	must(!ws_encoder_new(&e, &l, NULL), "ws_encoder_new");
	for (size_t i = 0; i < WS_COUNT(want); i++) {
		for (size_t j = 0; j < 4; j++)
			a[j] = 0x80 + (j % 2 ? far[i] : 0);
		ws_encoder_step(e, 1, &full, (const uint64_t *const *)&address);
		expect(e, want[i], "a list");
	}
	ws_encoder_free(e);
	ws_launch_clear(&l);
}

/* ---- what is affine ------------------------------------------------------------------ */

/* Bytes of one step with the addresses of an affine function of x, y, z, of
 * which so many lanes (at random, 1 in sparse) are active.  sparse 0: the fewest
 * that tell, a lane of the first plane, and of the second four in two rows. */
static size_t affine_bytes(const struct ws_launch *l, struct ws_rng *rng, uint64_t sparse)
{
	uint64_t a[WS_CTA_THREADS_MAX], *address = a, mask[STEP_WORDS] = { 0 }, at[3], s[3];
	uint64_t accesses[WS_KINDS] = { 0 }, base = ws_rng_u64(rng);
	struct ws_buf out = { 0 };
	struct ws_encoder *e;
	size_t len;

	for (int i = 0; i < 3; i++)
		s[i] = ws_rng_below(rng, 1 << 20) - (1 << 19);
	for (size_t i = 0; i < ws_launch_threads(l); i++) {
		where_is(l, i, at);
		a[i] = base + at[0] * s[0] + at[1] * s[1] + at[2] * s[2];
		if (sparse ? i % 64 == 5 || one_in(rng, sparse) :
			     i == 11 || i - 70 < 3 || i == 79)
			mask[i / 64] |= 1ull << i % 64;
	}
	must(!ws_encoder_new(&e, l, NULL), "ws_encoder_new");
	ws_encoder_step(e, 1, mask, (const uint64_t *const *)&address);
	must(!ws_encoder_end(e, &out, accesses, NULL), "ws_encoder_end");
	ws_encoder_free(e);
	len = out.len;
	ws_buf_clear(&out);
	return len;
}

static void affine_is_found(void)
{
	const uint64_t block[][3] = { { 1024, 1, 1 }, { 1, 1, 512 }, { 32, 16, 1 }, { 7, 9, 11 } };
	struct ws_rng rng;
	uint64_t bad = 0;

	ws_rng_seed(&rng, test_seed(7));
	for (uint64_t i = 0; i < 400; i++) {
		const uint64_t *b = block[i % 4];
		struct ws_launch l = one_load(b[0], b[1], b[2]);
		uint64_t threads = ws_launch_threads(&l);

		/* step, mask, code, base, strides of 20 bits and sign, end */
		bad += affine_bytes(&l, &rng, i % 3 + 1) > 1 + (threads + 7) / 8 + 1 + 10 + 9 + 1;
		ws_launch_clear(&l);
	}
	for (uint64_t i = 0; i < 50; i++) {
		struct ws_launch l = one_load(7, 9, 2);

		bad += affine_bytes(&l, &rng, 0) > 1 + 16 + 1 + 10 + 9 + 1;
		ws_launch_clear(&l);
	}
	test_u64(bad, 0, "affine addresses under sparse masks that are no list");
}

/* C = A * B of 1024 x 1024 floats, a 16 x 16 tile per CTA: before any compression. */
static void matmul_is_small(void)
{
	struct ws_launch l = one_load(16, 16, 1);
	const uint64_t full[4] = { UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX };
	uint64_t a[2][256], *address[2] = { a[0], a[1] }, accesses[WS_KINDS] = { 0 };
	struct ws_buf out = { 0 };
	struct ws_encoder *e;

	l.instruction = realloc(l.instruction, 2 * sizeof *l.instruction);
	l.instruction[1] = l.instruction[0];
	l.instructions = l.segment[1].count = 2;
	must(!ws_encoder_new(&e, &l, NULL), "ws_encoder_new");
	for (uint64_t k = 0; k < 1024; k++) {
		for (uint64_t i = 0; i < 256; i++) {
			a[0][i] = 0x100000000 + (i / 16 * 1024 + k) * 4;
			a[1][i] = 0x100400000 + (k * 1024 + i % 16) * 4;
		}
		ws_encoder_step(e, 1, full, (const uint64_t *const *)address);
	}
	must(!ws_encoder_end(e, &out, accesses, NULL), "ws_encoder_end");
	test_u64(accesses[WS_LOAD], 1024 * 512, "accesses of a matrix product");
	/* three bytes a step: segment, and one per vector */
	test_ok(out.len < 3 * 1024 + 64, "a matrix product takes %zu bytes, %.4f per access",
		out.len, (double)out.len / (1024 * 512));
	ws_encoder_free(e);
	ws_buf_clear(&out);
	ws_launch_clear(&l);
}

/* ---- bytes that no encoder makes --------------------------------------------------------- */

/* A file of one launch whose only CTA has these bytes, decoded. */
static enum ws_status decode_bytes(const struct ws_launch *l, const void *cta, size_t len,
				   struct ws_err *err)
{
	struct file f = { NULL, 0 };
	struct ws_out out = { .file = open_memstream(&f.data, &f.len) };
	struct ws_buf data = { 0 }, packed = { 0 };
	const uint64_t accesses[WS_KINDS] = { 0 };
	uint64_t lens = len;
	struct ws_trace_writer *w;
	enum ws_status status;

	ws_put_bytes(&data, cta, len);
	must(!ws_trace_writer_new(&w, &out, NULL) && !ws_trace_writer_launch(w, l, NULL) &&
	     !ws_chunk_pack(&packed, 0, 0, &data, &lens, 1, NULL) &&
	     !ws_trace_writer_chunk(w, &packed, 0, 1, accesses, NULL) &&
	     !ws_trace_writer_end(w, NULL), "decode_bytes");
	fclose(out.file);
	status = try_bytes(f.data, f.len, err);
	ws_trace_writer_free(w);
	ws_buf_clear(&data);
	ws_buf_clear(&packed);
	free(f.data);
	return status;
}

static void bad_bytes(void)
{
	static const struct {
		const char *bytes;
		size_t len;
		const char *what, *says;
	} bad[] = {
		{ "\x01", 1, "no end", "within a step" },
		{ "\x00\x00", 2, "a byte after the end", "follow the last step" },
		{ "\x05\x00", 2, "segment -1", "segment that is not there" },
		{ "\x11\x00", 2, "segment 2 of 2", "segment that is not there" },
		{ "\xfd\xff\xff\xff\xff\xff\xff\xff\xff\x01\x00", 11, "segment 2^61", "not there" },
		{ "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02\x00", 11, "70 bits", "within a step" },
		{ "\x03\x00\x00\x00", 4, "an empty mask", "active mask" },
		{ "\x03\x00\x08\x00", 4, "a mask past the CTA", "active mask" },
		{ "\x03\xff", 2, "half a mask", "active mask" },
		{ "\x04\x0b\x00\x00", 4, "a range from past the CTA", "active mask" },
		{ "\x04\x0a\x01\x00", 4, "a range to past the CTA", "active mask" },
		{ "\x04\x01\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\x00", 13, "a range around 2^64",
		  "active mask" },
		{ "\x09\x06\x00\x00\x00\x00", 6, "strides and a list", "addresses" },
		{ "\x09\x80\x00", 3, "code 128", "addresses" },
		{ "\x09\x03\x80", 3, "half a base", "addresses" },
		{ "\x09\x04\x00\x01\x02\x03\x04\x05\x06\x07\x08\x09", 12, "a short list",
		  "addresses" },
		{ "\x09", 1, "no address", "addresses" },
	};
	static const char good[] =
		"\x04\x0a\x00\x01\x04\xfc\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a\x00";
	struct ws_launch l = one_load(11, 1, 1);
	uint64_t ends[2] = { 0, 0 };
	struct ws_rng rng;

	for (size_t i = 0; i < WS_COUNT(bad); i++) {
		struct ws_err err = { 0 };
		enum ws_status status = decode_bytes(&l, bad[i].bytes, bad[i].len, &err);

		test_ok(status == WS_EFORMAT && strstr(err.text, "memory.wst: offset ") &&
			strstr(err.text, bad[i].says), "%s: %s", bad[i].what, err.text);
	}
	test_ok(decode_bytes(&l, good, sizeof good - 1, NULL) == WS_OK, "bytes as they should be");
	ws_rng_seed(&rng, test_seed(11));
	for (int i = 0; i < 1000; i++) {
		uint8_t noise[24];
		size_t len = pick(&rng, 1, sizeof noise);

		for (size_t j = 0; j < len; j++)
			noise[j] = (uint8_t)(one_in(&rng, 3) ? pick(&rng, 0, 255)
							     : pick(&rng, 0, 12));
		noise[len - 1] = 0;
		ends[decode_bytes(&l, noise, len, NULL) == WS_OK]++;
	}
	test_ok(ends[0] > 0 && ends[1] > 0, "noise: %" PRIu64 " refused, %" PRIu64 " decoded",
		ends[0], ends[1]);
	ws_launch_clear(&l);
}

int main(void)
{
	round_trip();
	known_bytes();
	known_extents();
	known_lists();
	affine_is_found();
	matmul_is_small();
	bad_bytes();
	return test_done();
}
