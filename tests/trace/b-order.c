/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/trace/b-order.c -- coalescing and ordering: ns a lane access.
 *
 * The launch is a naive 256 x 256 matrix product, CTAs of 16 x 16, in one trace
 * held in memory: 256 times two loads and four other instructions a thread,
 * then a store; 33.6 M lane accesses, 1 M warp instructions, 6 M ops.
 */
#include "tests/test.h"
#include "tests/trace/steps.h"
#include "tests/trace/wstfile.h"
#include "trace/order/sm.h"

enum { N = 256, TILE = 16 };

static struct ws_launch matmul(void)
{
	struct ws_launch l = { .kernel = ws_strdup("mm"), .grid = { N / TILE, N / TILE, 1 },
			       .block = { TILE, TILE, 1 }, .ctas = (N / TILE) * (N / TILE),
			       .instructions = 3, .segments = 2, .files = 1 };

	l.instruction = ws_alloc_zero(3, sizeof *l.instruction);
	l.segment = ws_alloc_zero(2, sizeof *l.segment);
	l.file = ws_alloc_zero(1, sizeof *l.file);
	l.file[0] = ws_strdup("mm.cl");
	for (uint32_t i = 0; i < 3; i++)
		l.instruction[i] = (struct ws_instruction){
			.kind = i == 2 ? WS_STORE : WS_LOAD, .bytes = 4, .array = WS_NO_ARRAY,
			.gap = i == 1, .use = 2 - i % 2 };
	l.segment[0] = (struct ws_segment){ .first = 0, .count = 2, .tail = 3 };
	l.segment[1] = (struct ws_segment){ .first = 2, .count = 1, .tail = 1 };
	return l;
}

static void encode_cta(struct ws_encoder *e, uint64_t cta, uint64_t **address)
{
	static const uint64_t all[4] = { UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX };
	uint64_t row = cta / (N / TILE) * TILE, column = cta % (N / TILE) * TILE;

	ws_encoder_begin(e);
	for (uint64_t k = 0; k <= N; k++) {
		for (uint64_t lane = 0; lane < TILE * TILE; lane++) {
			uint64_t y = row + lane / TILE, x = column + lane % TILE;

			address[0][lane] = k == N ? 0x100000 + 4 * (y * N + x) : 4 * (y * N + k);
			address[1][lane] = 0x80000 + 4 * (k * N + x);
		}
		ws_encoder_step(e, k == N, all, (const uint64_t *const *)address);
	}
}

static struct file write_matmul(struct ws_launch *l)
{
	struct file f = { NULL, 0 };
	struct ws_out out = { .file = open_memstream(&f.data, &f.len) };
	struct ws_buf data = { 0 }, packed = { 0 };
	uint64_t room[2][TILE * TILE], *address[2] = { room[0], room[1] }, lens[16];
	struct ws_trace_writer *w;
	struct ws_encoder *e;

	must(!ws_trace_writer_new(&w, &out, NULL) && !ws_trace_writer_launch(w, l, NULL) &&
	     !ws_encoder_new(&e, l, NULL), "writer");
	for (uint64_t cta = 0; cta < l->ctas; cta += 16) {
		uint64_t accesses[WS_KINDS] = { 0 };

		data.len = packed.len = 0;
		for (uint64_t i = 0; i < 16; i++) {
			size_t before = data.len;

			encode_cta(e, cta + i, address);
			must(!ws_encoder_end(e, &data, accesses, NULL), "encoder");
			lens[i] = data.len - before;
		}
		must(!ws_chunk_pack(&packed, 0, cta, &data, lens, 16, NULL) &&
		     !ws_trace_writer_chunk(w, &packed, cta, 16, accesses, NULL), "chunk");
	}
	must(!ws_trace_writer_end(w, NULL) && !fclose(out.file), "end");
	ws_trace_writer_free(w);
	ws_encoder_free(e);
	ws_buf_clear(&data);
	ws_buf_clear(&packed);
	return f;
}

static void report(const char *what, double seconds, double accesses)
{
	printf("{\"bench\": \"%s\", \"ns_per_access\": %.3f, \"seconds\": %.3f}\n", what,
	       1e9 * seconds / accesses, seconds);
	fflush(stdout);
}

/* What a sink costs at the least: a look at every request. */
static enum ws_status look(void *context, uint64_t sm, const struct ws_request *r, size_t count,
			   struct ws_err *err)
{
	uint64_t *sum = context;

	(void)err;
	for (size_t i = 0; i < count; i++)
		*sum += r[i].address ^ r[i].cycle ^ sm;
	return WS_OK;
}

static void bench_order(const struct ws_trace *t, enum ws_scheduler s, unsigned threads,
			bool together)
{
	struct ws_machine m = small_machine();
	uint64_t sum = 0;
	struct ws_order_options options = { .seed = 1, .threads = threads };
	const struct ws_sink sink = { .context = &sum, .requests = look };
	const struct ws_launch *l = ws_trace_launch(t, 0);
	char what[64];
	double best = 1e9;

	m.sm_count = 15;
	m.sm_schedulers = 2;
	m.sm_scheduler = s;
	if (together)
		must(!ws_nominal_new(&options.memory, &m, NULL), "ws_nominal_new");
	for (int i = 0; i < 3; i++) { /* the best: the machine may have other work */
		double start = ws_seconds(), took;

		must(!ws_order_run(t, 0, &m, &options, &sink, NULL, NULL), "ws_order_run");
		took = ws_seconds() - start;
		best = took < best ? took : best;
	}
	snprintf(what, sizeof what, "order %s, %u thread%s%s", ws_scheduler_rows[s]->name, threads,
		 threads == 1 ? "" : "s", together ? ", SMs in step" : "");
	report(what, best, (double)(l->accesses[WS_LOAD] + l->accesses[WS_STORE]));
	if (together)
		options.memory->free(options.memory);
}

static void bench_decode(const struct ws_trace *t)
{
	const struct ws_launch *l = ws_trace_launch(t, 0);
	double start = ws_seconds();

	must(!decode_all(t, l->ctas, NULL), "decode_all");
	report("decode alone", ws_seconds() - start,
	       (double)(l->accesses[WS_LOAD] + l->accesses[WS_STORE]));
}

static void bench_coalesce(const char *what, unsigned run, uint64_t stride, uint64_t jump)
{
	static struct ws_request out[WS_COALESCE_MAX(32, 4)];
	struct ws_machine m = small_machine();
	uint64_t address[32], requests = 0;
	unsigned times = 400000;
	double start;

	for (unsigned i = 0; i < 32; i++)
		address[i] = 4096 + i % run * stride + i / run * jump;
	start = ws_seconds();
	for (unsigned i = 0; i < times; i++) {
		address[0] ^= 4; /* not the same work over and over */
		requests += ws_coalesce(&m, address, 0xffffffff, 4, out);
	}
	must(requests >= times, "requests");
	report(what, ws_seconds() - start, 32.0 * times);
}

int main(void)
{
	struct ws_launch l = matmul();
	struct file f = write_matmul(&l);
	struct ws_trace *t;

	bench_coalesce("coalesce a row of floats", 32, 4, 0);
	bench_coalesce("coalesce two rows of 16", 16, 4, 1024);
	bench_coalesce("coalesce a column", 32, 1024, 0);
	must(!open_bytes(&t, f.data, f.len, NULL), "open_bytes");
	bench_decode(t);
	for (unsigned s = 0; s <= WS_SCHED_RANDOM; s++)
		bench_order(t, (enum ws_scheduler)s, 1, false);
	bench_order(t, WS_SCHED_GTO, 2, false);
	bench_order(t, WS_SCHED_GTO, 1, true);
	ws_trace_close(t);
	ws_launch_clear(&l);
	free(f.data);
	return 0;
}
