/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/trace/b-wst.c -- what a lane access costs to encode and to decode, and
 * the bytes it takes, before and after compression.  One JSON line per kind of
 * address; CTAs of 16 x 16 threads with two loads a step.
 */
#include "tests/test.h"
#include "tests/trace/wstfile.h"

#define CTAS 8u
#define STEPS 128u /* so that all addresses, 4 MiB, stay near the core */
#define THREADS 256u
#define TURNS 9 /* the best of them counts */

struct stream {
	const char *name;
	uint64_t mask; /* of each 64 lanes */
	void (*address)(struct ws_rng *rng, uint64_t k, uint64_t *a, uint64_t *b);
};

/* A row of A and a column of B, 1024 x 1024 floats. */
static void affine(struct ws_rng *rng, uint64_t k, uint64_t *a, uint64_t *b)
{
	(void)rng;
	for (uint64_t i = 0; i < THREADS; i++) {
		a[i] = 0x100000000 + (i / 16 * 1024 + k) * 4;
		b[i] = 0x100400000 + (k * 1024 + i % 16) * 4;
	}
}

/* Anywhere in 16 MiB, as a gather from a table. */
static void gather(struct ws_rng *rng, uint64_t k, uint64_t *a, uint64_t *b)
{
	(void)k;
	for (uint64_t i = 0; i < THREADS; i++) {
		uint64_t r = ws_rng_u64(rng);

		a[i] = 0x100000000 + (r & 0x3fffff) * 4;
		b[i] = 0x101000000 + (r >> 32 & 0x3fffff) * 4;
	}
}

static const struct stream streams[] = {
	{ "affine", UINT64_MAX, affine },
	{ "affine-half", 0x5a5a5a5a5a5a5a5a, affine },
	{ "random", UINT64_MAX, gather },
	{ "random-half", 0x5a5a5a5a5a5a5a5a, gather },
};

static struct ws_launch two_loads(void)
{
	struct ws_launch l = { .kernel = ws_strdup("k"), .grid = { CTAS, 1, 1 }, 
			       .block = { 16, 16, 1 }, .instructions = 2,
			       .segments = 1, .ctas = CTAS };

	l.instruction = ws_alloc_zero(2, sizeof *l.instruction);
	l.segment = ws_alloc_zero(1, sizeof *l.segment);
	for (int i = 0; i < 2; i++)
		l.instruction[i] = (struct ws_instruction){ .bytes = 4, .array = WS_NO_ARRAY,
							    .use = 1 };
	l.segment[0].count = 2;
	return l;
}

/* Seconds; the chunk and its CTAs' lengths. */
static double encode(const struct ws_launch *l, const struct stream *s, uint64_t *address,
		     struct ws_buf *data, uint64_t *lens, uint64_t accesses[WS_KINDS])
{
	const uint64_t mask[4] = { s->mask, s->mask, s->mask, s->mask };
	struct ws_encoder *e;
	double start;

	must(!ws_encoder_new(&e, l, NULL), "ws_encoder_new");
	start = ws_seconds();
	for (size_t cta = 0; cta < CTAS; cta++) {
		size_t before = data->len;

		ws_encoder_begin(e);
		for (size_t k = 0; k < STEPS; k++) {
			const uint64_t *a = address + (cta * STEPS + k) * 2 * THREADS;
			const uint64_t *at[2] = { a, a + THREADS };

			ws_encoder_step(e, 0, mask, at);
		}
		must(!ws_encoder_end(e, data, accesses, NULL), "ws_encoder_end");
		lens[cta] = data->len - before;
	}
	start = ws_seconds() - start;
	ws_encoder_free(e);
	return start;
}

static struct file make_file(const struct ws_launch *l, const struct ws_buf *data,
			     const uint64_t *lens, const uint64_t accesses[WS_KINDS])
{
	struct file f = { NULL, 0 };
	struct ws_out out = { .file = open_memstream(&f.data, &f.len) };
	struct ws_buf packed = { 0 };
	struct ws_trace_writer *w;

	must(!ws_trace_writer_new(&w, &out, NULL) && !ws_trace_writer_launch(w, l, NULL) &&
	     !ws_chunk_pack(&packed, 0, 0, data, lens, CTAS, NULL) &&
	     !ws_trace_writer_chunk(w, &packed, 0, CTAS, accesses, NULL) &&
	     !ws_trace_writer_end(w, NULL), "make_file");
	fclose(out.file);
	ws_trace_writer_free(w);
	ws_buf_clear(&packed);
	return f;
}

/* Seconds: without and with unpacking. */
static double decode(const struct file *f, double *unpack)
{
	struct ws_decoder *d = NULL;
	struct ws_trace *t;
	double start, seek;

	must(!open_bytes(&t, f->data, f->len, NULL) && !ws_decoder_new(&d, t, 0, NULL),
	     "open_bytes");
	seek = ws_seconds();
	must(!ws_decoder_seek(d, 0, NULL), "ws_decoder_seek");
	start = ws_seconds();
	for (uint64_t cta = 0; cta < CTAS; cta++) {
		struct ws_step step;
		bool more = true;

		must(!ws_decoder_seek(d, cta, NULL), "ws_decoder_seek");
		while (more)
			must(!ws_decoder_next(d, &step, &more, NULL), "ws_decoder_next");
	}
	*unpack = start - seek;
	start = ws_seconds() - start;
	ws_decoder_free(d);
	ws_trace_close(t);
	return start;
}

static void measure(const struct stream *s)
{
	struct ws_launch l = two_loads();
	uint64_t *address = ws_alloc(2 * CTAS * STEPS * THREADS, sizeof *address), lens[CTAS];
	double encoding = 1e9, decoding = 1e9, unpacking = 1e9, n = 0;
	struct file f = { NULL, 0 };
	struct ws_rng rng;
	size_t raw = 0;

	ws_rng_seed(&rng, 1);
	for (uint64_t k = 0; k < CTAS * STEPS; k++)
		s->address(&rng, k, address + 2 * k * THREADS, address + (2 * k + 1) * THREADS);
	for (int turn = 0; turn < TURNS; turn++) {
		uint64_t accesses[WS_KINDS] = { 0 };
		struct ws_buf data = { 0 };
		double t = encode(&l, s, address, &data, lens, accesses), unpack;

		free(f.data);
		f = make_file(&l, &data, lens, accesses);
		n = (double)accesses[WS_LOAD];
		raw = data.len;
		encoding = fmin(encoding, t);
		decoding = fmin(decoding, decode(&f, &unpack));
		unpacking = fmin(unpacking, unpack);
		ws_buf_clear(&data);
	}
	printf("{\"name\": \"wst/%s\", \"encode_ns\": %.3f, \"decode_ns\": %.3f, "
	       "\"unpack_ns\": %.3f, \"raw_bytes\": %.4f, \"file_bytes\": %.4f}\n", s->name,
	       encoding / n * 1e9, decoding / n * 1e9, unpacking / n * 1e9, (double)raw / n,
	       (double)f.len / n);
	free(f.data);
	free(address);
	ws_launch_clear(&l);
}

int main(void)
{
	for (size_t i = 0; i < WS_COUNT(streams); i++)
		measure(&streams[i]);
	return 0;
}
