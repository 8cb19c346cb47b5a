/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The cycle simulator: scenarios worked out by hand, everything it counts against the slow
 * reference (tests/ref/cycle.c) on random launches and machines, and what must hold whatever they
 * are.
 *
 * WS_TEST_ROUNDS: random launches.  Round i of seed s is round 0 of seed s + i.
 */
#include "tests/ref/cycle.h"
#include "tests/test.h"
#include "tests/trace/steps.h"
#include "validate/grain/grain.h"

#define ROUNDS 300u
#define SMS_MAX 8u

/* ---- traces in memory ------------------------------------------------------------------ */

struct memory {
	char *data;
	size_t len;
	struct ws_trace *trace;
};

static void must_be(bool ok, const char *what)
{
	if (ok)
		return;
	printf("Bail out! %s\n", what);
	exit(1);
}

static void write_one(struct ws_trace_writer *w, const struct ref_launch *l, size_t number)
{
	struct ws_encoder *e;
	struct ws_buf data = { 0 }, packed = { 0 };
	struct ws_err err = { 0 };

	must_be(!ws_trace_writer_launch(w, &l->launch, &err) &&
		!ws_encoder_new(&e, &l->launch, &err), err.text);
	for (uint64_t cta = 0; cta < l->launch.ctas; cta++) {
		uint64_t accesses[WS_KINDS] = { 0 }, length;

		data.len = packed.len = 0;
		ws_encoder_begin(e);
		for (size_t s = 0; s < l->steps[cta]; s++)
			ws_encoder_step(e, l->step[cta][s].segment, l->step[cta][s].mask,
					(const uint64_t *const *)l->step[cta][s].address);
		must_be(!ws_encoder_end(e, &data, accesses, NULL), "ws_encoder_end");
		length = data.len;
		must_be(!ws_chunk_pack(&packed, number, cta, &data, &length, 1, NULL) &&
			!ws_trace_writer_chunk(w, &packed, cta, 1, accesses, NULL), "a chunk");
	}
	ws_encoder_free(e);
	ws_buf_clear(&data);
	ws_buf_clear(&packed);
}

static void memory_write(struct memory *t, const struct ref_launch *l, size_t launches)
{
	struct ws_out out = { .file = open_memstream(&t->data, &t->len) };
	struct ws_in in = { .name = ws_strdup("memory.wst") };
	struct ws_trace_writer *w;
	struct ws_err err = { 0 };

	must_be(out.file && !ws_trace_writer_new(&w, &out, NULL), "a trace in memory");
	for (size_t i = 0; i < launches; i++)
		write_one(w, &l[i], i);
	must_be(!ws_trace_writer_end(w, NULL), "ws_trace_writer_end");
	ws_trace_writer_free(w);
	must_be(!fclose(out.file) && !out.failed, "fclose");
	in.data = (const uint8_t *)t->data;
	in.len = t->len;
	must_be(!ws_trace_open_in(&t->trace, &in, &err), err.text);
	ws_in_close(&in);
}

static void memory_free(struct memory *t)
{
	ws_trace_close(t->trace);
	free(t->data);
}

/* ---- both sides ------------------------------------------------------------------------- */

struct streams {		/* a stream each, as SMs may be in several threads */
	struct ref_stream sm[SMS_MAX];
};

static enum ws_status gather_sm(void *context, uint64_t sm, const struct ws_request *r,
				size_t count, struct ws_err *err)
{
	return gather(&((struct streams *)context)->sm[sm], sm, r, count, err);
}

struct side {
	struct ws_cycle_result *result;
	size_t launches;
	struct streams streams;
	uint64_t requests, instructions, issued; /* as an order has them */
	bool ok;
};

static struct side simulated(const struct memory *t, const struct ws_machine *m, uint64_t seed,
			     unsigned threads, bool sites)
{
	struct side s = { .result = NULL };
	const struct ws_sink sink = { .context = &s.streams, .requests = gather_sm };
	const struct ws_cycle_options options = { .seed = seed, .threads = threads,
						  .sites = sites, .sink = &sink };
	struct ws_err err = { 0 };

	s.ok = ws_cycles_run(&s.result, &s.launches, t->trace, m, &options, &err) == WS_OK;
	if (!s.ok)
		printf("# %s\n", err.text);
	return s;
}

/* The requests alone, launch by launch. */
static bool ordered(const struct memory *t, const struct ws_machine *m, uint64_t seed,
		    unsigned threads, struct side *out)
{
	const struct ws_order_options options = { .seed = seed, .threads = threads };
	const struct ws_sink sink = { .context = &out->streams, .requests = gather_sm };
	struct ws_order_stats stats[2] = { { 0 } };
	struct ws_orderer *o;
	struct ws_err err = { 0 };
	bool ok = !ws_orderer_new(&o, WS_ORDER_CYCLES, t->trace, m, &options, &err);

	out->launches = ws_trace_launches(t->trace);
	out->result = ws_alloc_zero(out->launches, sizeof *out->result);
	for (size_t i = 0; ok && i < out->launches && i < 2; i++) {
		ok = !ws_orderer_run(o, i, &sink, &stats[i], &err);
		out->result[i].cycles = stats[i].cycles;
		out->result[i].resident_ctas = stats[i].resident_ctas;
		out->requests += stats[i].requests;
		out->instructions += stats[i].warp_instructions;
		out->issued += stats[i].issued;
	}
	if (!ok)
		printf("# %s\n", err.text);
	ws_orderer_free(o);
	return out->ok = ok;
}

static struct side by_reference(const struct ref_launch *l, size_t launches,
				const struct ws_machine *m, uint64_t seed)
{
	struct side s = { .launches = launches, .ok = true };
	struct ref_gpu *gpu = ref_gpu_new(m, seed);

	s.result = ws_alloc_zero(launches, sizeof *s.result);
	for (size_t i = 0; i < launches; i++) {
		struct ref_stream all = { 0 };

		ref_gpu_launch(gpu, &l[i], i, &s.result[i], &all);
		for (size_t r = 0; r < all.count; r++)
			ref_stream_add(&s.streams.sm[all.item[r].sm], &all.item[r]);
		ref_stream_clear(&all);
	}
	ref_gpu_free(gpu);
	return s;
}

static void side_clear(struct side *s)
{
	if (s->ok)
		ws_cycle_results_free(s->result, s->launches);
	for (size_t i = 0; i < SMS_MAX; i++)
		ref_stream_clear(&s->streams.sm[i]);
}

/* ---- comparing ---------------------------------------------------------------------------- */

static unsigned told;		/* differences said so far, of one comparison */

static unsigned equal(uint64_t got, uint64_t want, const char *what, size_t number, size_t more)
{
	if (got == want)
		return 1;
	if (told++ < 12)
		printf("# %s [%zu] [%zu]: %" PRIu64 ", want %" PRIu64 "\n", what, number, more, got,
		       want);
	return 0;
}

#define SAME(a, b, member, number, more) equal((a)->member, (b)->member, #member, number, more)

static bool same_counts(const struct ws_cycle_counts *a, const struct ws_cycle_counts *b,
			const char *of, size_t number, size_t kind)
{
	bool ok = SAME(a, b, requests, number, kind) & SAME(a, b, hits, number, kind) &
		  SAME(a, b, pending, number, kind) & SAME(a, b, misses, number, kind) &
		  SAME(a, b, sector_misses, number, kind) & SAME(a, b, sectors, number, kind);

	for (size_t i = 0; i < WS_FAILS; i++)
		ok &= equal(a->fails[i], b->fails[i], ws_fail_names[i], number, kind);
	if (!ok && told < 12)
		printf("# ... of %s %zu, %s\n", of, number, ws_kind_names[kind]);
	return ok;
}

static bool same_sm(const struct ws_core_stats *a, const struct ws_core_stats *b, size_t i)
{
	bool ok = SAME(a, b, cycles, i, 0) & SAME(a, b, issued, i, 0) &
		  SAME(a, b, memory_instructions, i, 0) & SAME(a, b, slots, i, 0) &
		  SAME(a, b, loads, i, 0) & SAME(a, b, latency_sum, i, 0) &
		  SAME(a, b, latency_max, i, 0) &
		  SAME(a, b, mshrs_sum, i, 0) & SAME(a, b, sent_packets, i, 0) &
		  SAME(a, b, sent_bytes, i, 0) & SAME(a, b, received_packets, i, 0) &
		  SAME(a, b, received_bytes, i, 0);

	for (size_t k = 0; k < WS_KINDS; k++)
		ok &= same_counts(&a->l1[k], &b->l1[k], "SM", i, k);
	for (size_t k = 0; k < WS_STALLS; k++)
		ok &= equal(a->stalls[k], b->stalls[k], ws_stall_names[k], i, k);
	for (size_t k = 0; k < WS_GRAIN_SIZES; k++)
		ok &= SAME(a, b, grain.size[k], i, k);
	ok &= SAME(a, b, grain.partial, i, 0) & SAME(a, b, grain.invalidated, i, 0) &
	      SAME(a, b, grain.written_back, i, 0) & SAME(a, b, grain.finer, i, 0) &
	      SAME(a, b, grain.coarser, i, 0) & SAME(a, b, grain.flushed, i, 0);
	for (size_t k = 0; k < WS_LATENCY_CELLS; k++)
		ok &= equal(a->latency[k], b->latency[k], "latency", i, k);
	return ok;
}

static bool same_slice(const struct ws_slice_stats *a, const struct ws_slice_stats *b, size_t i)
{
	bool ok = SAME(a, b, dram_read_bytes, i, 0) & SAME(a, b, dram_write_bytes, i, 0) &
		  SAME(a, b, dram_wait_sum, i, 0) & SAME(a, b, mshrs_sum, i, 0);

	for (size_t k = 0; k < WS_KINDS; k++)
		ok &= same_counts(&a->l2[k], &b->l2[k], "slice", i, k);
	return ok;
}

static bool same_sites(const struct ws_cycle_result *a, const struct ws_cycle_result *b)
{
	bool ok = SAME(a, b, sites, 0, 0);

	for (size_t i = 0; ok && i < a->sites; i++) {
		const struct ws_cycle_site *p = &a->site[i], *q = &b->site[i];

		ok &= SAME(p, q, instruction, i, 0) & SAME(p, q, array, i, 0) &
		      same_counts(&p->l1, &q->l1, "site, L1", i, WS_KINDS) &
		      same_counts(&p->l2, &q->l2, "site, L2", i, WS_KINDS);
	}
	return ok;
}

static bool same_streams(const struct streams *a, const struct streams *b)
{
	bool ok = true;

	for (size_t sm = 0; sm < SMS_MAX; sm++) {
		const struct ref_stream *x = &a->sm[sm], *y = &b->sm[sm];

		ok &= equal(x->count, y->count, "requests in the stream", sm, 0);
		for (size_t i = 0; i < x->count && i < y->count; i++)
			ok &= equal(memcmp(&x->item[i], &y->item[i], sizeof x->item[i]) == 0, 1,
				    "request in the stream", sm, i);
	}
	return ok;
}

static bool same_sides(const struct side *a, const struct side *b, bool sites)
{
	bool ok = a->ok && b->ok;

	told = 0;
	ok = ok && equal(a->launches, b->launches, "launches", 0, 0);
	for (size_t l = 0; ok && l < a->launches; l++) {
		const struct ws_cycle_result *x = &a->result[l], *y = &b->result[l];

		ok &= strcmp(x->kernel, y->kernel) == 0 && SAME(x, y, launch, l, 0) &
		      SAME(x, y, cycles, l, 0) & SAME(x, y, resident_ctas, l, 0) &
		      SAME(x, y, sms, l, 0) & SAME(x, y, slices, l, 0);
		for (size_t i = 0; x->sms == y->sms && i < x->sms; i++)
			ok &= same_sm(&x->sm[i], &y->sm[i], i);
		for (size_t i = 0; x->slices == y->slices && i < x->slices; i++)
			ok &= same_slice(&x->slice[i], &y->slice[i], i);
		ok &= !sites || same_sites(x, y);
	}
	return ok && same_streams(&a->streams, &b->streams);
}

/* What an order tells of launches, and its requests, are the simulation's. */
static bool same_order(const struct side *order, const struct side *want)
{
	uint64_t requests = 0, instructions = 0, issued = 0;
	bool ok = order->ok && equal(order->launches, want->launches, "launches", 0, 0);

	for (size_t l = 0; ok && l < want->launches; l++) {
		const struct ws_cycle_result *x = &order->result[l], *y = &want->result[l];
		struct ws_core_stats sum;

		ws_cycle_sm(y, &sum);
		instructions += sum.memory_instructions;
		issued += sum.issued;
		ok = SAME(x, y, cycles, l, 0) & SAME(x, y, resident_ctas, l, 0);
	}
	for (size_t i = 0; i < SMS_MAX; i++)
		requests += want->streams.sm[i].count;
	return ok && equal(order->requests, requests, "requests of an order", 0, 0) &&
	       equal(order->instructions, instructions, "instructions of an order", 0, 0) &&
	       equal(order->issued, issued, "ops of an order", 0, 0) &&
	       same_streams(&order->streams, &want->streams);
}

/* ---- launches by hand ------------------------------------------------------------------------ */

/* Instruction i is segment i. */
struct hand_step {
	uint64_t cta, mask;
	uint32_t segment;
	uint64_t base, stride;	/* of the addresses of its lanes */
};

static struct ref_launch by_hand(uint64_t ctas, uint64_t threads,
				 const struct ws_instruction *in, const struct ws_segment *segment,
				 size_t segments, const struct hand_step *step, size_t steps)
{
	struct ref_launch l = { .launch = {
		.kernel = ws_strdup("hand"), .grid = { ctas, 1, 1 }, .block = { threads, 1, 1 },
		.ctas = ctas, .files = 1, .file = ws_alloc_zero(1, sizeof *l.launch.file),
		.segments = segments, .instructions = segments, .arrays = 1,
		.array = ws_alloc_zero(1, sizeof *l.launch.array),
		.instruction = ws_alloc_zero(segments, sizeof *in),
		.segment = ws_alloc_zero(segments, sizeof *segment),
	} };

	l.launch.file[0] = ws_strdup("hand.cl");
	l.launch.array[0] = (struct ws_array){ ws_strdup("a"), 4096, 1024 };
	for (size_t i = 0; i < segments; i++) {
		l.launch.instruction[i] = in[i];
		l.launch.instruction[i].array = WS_NO_ARRAY;
		l.launch.instruction[i].bytes = 4;
		l.launch.segment[i] = segment[i];
		l.launch.segment[i].first = (uint32_t)i;
	}
	l.step = ws_alloc_zero((size_t)ctas, sizeof *l.step);
	l.steps = ws_alloc_zero((size_t)ctas, sizeof *l.steps);
	for (size_t i = 0; i < steps; i++) {
		const struct hand_step *from = &step[i];
		struct ref_step *to;

		l.step[from->cta] = realloc(l.step[from->cta],
					    (l.steps[from->cta] + 1) * sizeof *to);
		must_be(l.step[from->cta] != NULL, "memory");
		to = &l.step[from->cta][l.steps[from->cta]++];
		*to = (struct ref_step){ .segment = from->segment, .mask = { from->mask } };
		if (!segment[from->segment].count)
			continue;
		to->address = ws_alloc_zero(1, sizeof *to->address);
		to->address[0] = ws_alloc_zero((size_t)threads, sizeof **to->address);
		for (uint64_t lane = 0; lane < threads; lane++)
			to->address[0][lane] = from->base + lane * from->stride;
	}
	return l;
}

/* Two lanes a warp.  N = 2, T = 4: 3 cycles for a hit in the L1, 3 + 2 * 2 + 4 = 11 in the L2, 21
 * else.  A fetch is 8 bytes, a cycle of a port; its reply 8 + 128 bytes, 5 cycles. */
static struct ws_machine hand_machine(void)
{
	struct ws_machine m = small_machine();

	m.warp_width = 2;
	m.l1 = (struct ws_cache){ .sets = 2, .ways = 2, .line_bytes = 128, .sector_bytes = 128,
				  .size_bytes = 512, .hash = ws_hash_find("modulo"),
				  .write = WS_WRITE_EVICT, .policy = "lru", .latency_cycles = 3,
				  .mshr_entries = 4, .mshr_merge = 4 };
	m.l2 = m.l1;
	m.l2.sets = m.l2.ways = 4;
	m.l2.size_bytes = 2048;
	m.l2.write = WS_WRITE_BACK;
	m.l2.latency_cycles = 8;
	m.l1_banks = m.sm_lsu_ops = 1;
	m.l1_queue = 8;
	m.l2_slices = 1;
	m.l2_interleave_bytes = 256;
	m.icnt_latency_cycles = 2;
	m.icnt_width = 32;
	m.icnt_credits = 8;
	m.dram_latency_cycles = 10;
	m.dram_bandwidth = 64;
	m.dram_channels = 0;
	return m;
}

enum { LOAD = WS_LOAD, STORE = WS_STORE, ATOMIC = WS_ATOMIC };
#define A 4096u			/* line 32: bank and set 0; then one line after the other */
#define LINE 128u
#define FAR 1000u		/* a use that does not come */

/* What is known of a scenario; counts are sums over SMs and slices, kinds, fails. */
struct known {
	uint64_t cycles, latency_sum;
	uint64_t l1[4], l2[4];	/* hits, pending, misses, failed look-ups */
	uint64_t dram_read, dram_wait, stalls[WS_STALLS];
	uint64_t received;	/* bytes; 0: not looked at */
	struct ws_grain_stats grain; /* what of it is not 0 */
};

struct scenario {
	const char *what;
	uint64_t ctas, threads;
	struct ws_instruction in[3];
	struct ws_segment segment[3];
	size_t segments;
	struct hand_step step[8];
	size_t steps;
	enum ws_fail cause;	/* of all fails, if there are any */
	struct known known;
};

static void add_known(uint64_t to[4], const struct ws_cycle_counts *c, enum ws_fail cause)
{
	to[0] += c->hits;
	to[1] += c->pending;
	to[2] += c->misses;
	for (unsigned i = 0; i < WS_FAILS; i++)
		to[3] += c->fails[i] * (i == (unsigned)cause ? 1 : 1000000);
}

static struct known known_of(const struct ws_cycle_result *r, enum ws_fail cause)
{
	struct known k = { .cycles = r->cycles };

	for (size_t i = 0; i < r->sms; i++) {
		k.latency_sum += r->sm[i].latency_sum;
		k.received += r->sm[i].received_bytes;
		k.grain = r->sm[i].grain;
		for (size_t s = 0; s < WS_STALLS; s++)
			k.stalls[s] += r->sm[i].stalls[s];
		for (size_t kind = 0; kind < WS_KINDS; kind++)
			add_known(k.l1, &r->sm[i].l1[kind], cause);
	}
	for (size_t i = 0; i < r->slices; i++) {
		k.dram_read += r->slice[i].dram_read_bytes;
		k.dram_wait += r->slice[i].dram_wait_sum;
		for (size_t kind = 0; kind < WS_KINDS; kind++)
			add_known(k.l2, &r->slice[i].l2[kind], cause);
	}
	return k;
}

static bool is_known(const struct side *s, const struct scenario *x)
{
	struct known k;

	if (!s->ok)
		return false;
	k = known_of(&s->result[0], x->cause);
	told = 0;
	return SAME(&k, &x->known, cycles, 0, 0) & SAME(&k, &x->known, latency_sum, 0, 0) &
	       SAME(&k, &x->known, dram_read, 0, 0) & SAME(&k, &x->known, dram_wait, 0, 0) &
	       SAME(&k, &x->known, l1[0], 0, 0) & SAME(&k, &x->known, l1[1], 0, 0) &
	       SAME(&k, &x->known, l1[2], 0, 0) & SAME(&k, &x->known, l1[3], 0, 0) &
	       SAME(&k, &x->known, l2[0], 0, 0) & SAME(&k, &x->known, l2[1], 0, 0) &
	       SAME(&k, &x->known, l2[2], 0, 0) & SAME(&k, &x->known, l2[3], 0, 0) &
	       SAME(&k, &x->known, stalls[0], 0, 0) & SAME(&k, &x->known, stalls[1], 0, 0) &
	       SAME(&k, &x->known, stalls[2], 0, 0) & SAME(&k, &x->known, stalls[3], 0, 0) &
	       SAME(&k, &x->known, stalls[4], 0, 0) &
	       (!x->known.received || SAME(&k, &x->known, received, 0, 0)) &
	       SAME(&k, &x->known, grain.partial, 0, 0) &
	       SAME(&k, &x->known, grain.invalidated, 0, 0) &
	       SAME(&k, &x->known, grain.finer, 0, 0) & SAME(&k, &x->known, grain.coarser, 0, 0) &
	       SAME(&k, &x->known, grain.flushed, 0, 0);
}

static void play(const struct scenario *x, const struct ws_machine *m)
{
	struct ref_launch l = by_hand(x->ctas, x->threads, x->in, x->segment, x->segments, x->step,
				      x->steps);
	struct memory t;
	struct side got, ref;

	memory_write(&t, &l, 1);
	ref = by_reference(&l, 1, m, 1);
	got = simulated(&t, m, 1, 1, true);
	test_ok(is_known(&ref, x), "%s: the reference knows", x->what);
	test_ok(is_known(&got, x) && same_sides(&got, &ref, true), "%s", x->what);
	side_clear(&got);
	side_clear(&ref);
	memory_free(&t);
	ref_launch_clear(&l);
}

/* Loads of lines by two warps or one, each warp once. */
static const struct scenario two_warps = {
	.ctas = 1, .threads = 4, .segments = 2,
	.in = { { .kind = LOAD, .use = FAR }, { .kind = LOAD, .use = FAR } },
	.segment = { { .count = 1 }, { .count = 1 } },
	.step = { { 0, 1, 0, A, 0 }, { 0, 4, 1, A, 0 } }, .steps = 2,
};

/* Issued and looked up at 0, sent at 0, looked up in the L2 at 2, data from DRAM at 2 + 10 = 12,
 * reply ready and sent at 12 + T = 16, received at 18, back at 21.  The load that uses it, issued
 * then, hits:  21 + 3 = 24.  Slots without an issue: 1 .. 20 wait for data; at 22 .. 24 no warp is
 * left. */
static void one_miss(void)
{
	struct scenario x = {
		.what = "one miss, one hit", .ctas = 1, .threads = 2, .segments = 2,
		.in = { { .kind = LOAD, .use = 1 }, { .kind = LOAD, .use = 1 } },
		.segment = { { .count = 1 }, { .count = 1 } },
		.step = { { 0, 1, 0, A, 0 }, { 0, 1, 1, A, 0 } }, .steps = 2,
		.known = { .cycles = 25, .latency_sum = 24, .l1 = { 1, 0, 1, 0 },
			   .l2 = { 0, 0, 1, 0 }, .dram_read = 128, .stalls = { 3, 0, 20, 0, 0 } },
	};
	struct ws_machine m = hand_machine();

	play(&x, &m);
	/* From the L2: 2 + T = 6, received at 8, back at 11; hit 11 .. 14. */
	m.l2_start = WS_L2_WARM;
	x.what = "from a warm L2";
	x.known = (struct known){ .cycles = 15, .latency_sum = 14, .l1 = { 1, 0, 1, 0 },
				  .l2 = { 1, 0, 0, 0 }, .stalls = { 3, 0, 10, 0, 0 } };
	play(&x, &m);
}

/* Warp 1 asks for the same line a cycle later, and has it when warp 0 has it, at 21. */
static void pending_hit(void)
{
	struct scenario x = two_warps;
	struct ws_machine m = hand_machine();

	x.what = "a pending hit";
	x.known = (struct known){ .cycles = 22, .latency_sum = 21 + 20, .l1 = { 0, 1, 1, 0 },
				  .l2 = { 0, 0, 1, 0 }, .dram_read = 128,
				  .stalls = { 20, 0, 0, 0, 0 } };
	play(&x, &m);
	m.l1.alloc = WS_ALLOC_ON_FILL;
	x.what = "a pending hit on a line that has no way yet";
	play(&x, &m);

	/* One request an MSHR: warp 1 fails at 1 .. 17; the reply of 18 makes it a hit, 18 + 3 =
	 * 21. */
	m = hand_machine();
	m.l1.mshr_merge = 1;
	x.what = "an MSHR that merges no more";
	x.cause = WS_FAIL_MERGE;
	x.known.l1[0] = x.known.l1[2] = 1;
	x.known.l1[1] = 0;
	x.known.l1[3] = 17;
	play(&x, &m);
}

/* Warp 1 asks for another line, fails at 1 .. 17 and misses at 18 when the first is filled: 18 + 21
 * = 39.  Its data from DRAM, asked for at 20, need not wait. */
static void no_room(void)
{
	struct scenario x = two_warps;
	struct ws_machine m = hand_machine();

	x.step[1].base = A + 2 * LINE;
	x.known = (struct known){ .cycles = 40, .latency_sum = 21 + 38, .l1 = { 0, 0, 2, 17 },
				  .l2 = { 0, 0, 2, 0 }, .dram_read = 256,
				  .stalls = { 38, 0, 0, 0, 0 } };
	m.l1.mshr_entries = 1;
	x.what = "all MSHRs in use";
	x.cause = WS_FAIL_MSHR;
	play(&x, &m);

	m = hand_machine();
	m.l1.ways = 1;
	m.l1.size_bytes = 256;
	x.what = "a set of reserved lines";
	x.cause = WS_FAIL_LINE;
	play(&x, &m);

	/* A queue of one whose packet is not sent, for want of a credit: the first arrives at 2, is
	 * accepted and its credit back at 4.  Warp 1's packet enters at 1 and leaves at 4; warp 2's
	 * fails at 2 and 3, and still at 4, as the queue is emptied after look-up; enters at 5 and
	 * leaves at 8, when warp 1's credit (6 + 2) is back.  L2 at 10, DRAM 20, ready 24, but the
	 * port: replies are sent at 16, 21 (the one ready at 20), 26: received at 28, back at 31,
	 * and 21 and 26 for the others. */
	m = hand_machine();
	m.l1_queue = 1;
	m.icnt_credits = 1;
	x.threads = 6;
	x.segments = 3;
	x.in[2] = x.in[1];
	x.segment[2] = x.segment[1];
	x.step[2] = (struct hand_step){ 0, 16, 2, A + LINE, 0 };
	x.steps = 3;
	x.what = "a full queue";
	x.cause = WS_FAIL_QUEUE;
	x.known = (struct known){ .cycles = 32, .latency_sum = 21 + 25 + 29,
				  .l1 = { 0, 0, 3, 3 }, .l2 = { 0, 0, 3, 0 },
				  .dram_read = 384, .stalls = { 29, 0, 0, 0, 0 } };
	play(&x, &m);
}

/* A load of lines 0 and 2, which share a bank of two: looked up at 0 and 1.  The first reply leaves
 * at 16, the port is free at 21, so the second is received at 23 and back at 26.  The load that
 * uses them hits at 26 and 27, 27 + 3 = 30.  DRAM: the second, asked for at 3, starts at 4. */
static void banks(void)
{
	struct scenario x = {
		.what = "a bank conflict", .ctas = 1, .threads = 2, .segments = 2,
		.in = { { .kind = LOAD, .use = 1 }, { .kind = LOAD, .use = 1 } },
		.segment = { { .count = 1 }, { .count = 1 } },
		.step = { { 0, 3, 0, A, 2 * LINE }, { 0, 3, 1, A, 2 * LINE } }, .steps = 2,
		.known = { .cycles = 31, .latency_sum = 26 + 4, .l1 = { 2, 0, 2, 0 },
			   .l2 = { 0, 0, 2, 0 }, .dram_read = 256, .dram_wait = 1,
			   .stalls = { 4, 0, 25, 0, 0 } },
	};
	struct ws_machine m = hand_machine();

	m.l1_banks = 2;
	play(&x, &m);
	/* Lines 0 and 1: both at 0, sent at 0 and 1 as before; but both hit at 26. */
	x.what = "banks without a conflict";
	x.step[0].stride = x.step[1].stride = LINE;
	x.known.cycles--;
	x.known.latency_sum--;
	x.known.stalls[WS_STALL_EMPTY]--;
	play(&x, &m);
}

/* Load, back at 21; a store of the line is issued, throws it out and is sent, 40 bytes, so the port
 * is busy until 23; a load at 22 misses, is sent at 23, hits in the L2 at 25, back at 23 + 11 =
 * 34. */
static void write_evict(void)
{
	const struct scenario x = {
		.what = "write-evict", .ctas = 1, .threads = 2, .segments = 3,
		.in = { { .kind = LOAD, .use = 1 }, { .kind = STORE }, { .kind = LOAD, .use = 1 } },
		.segment = { { .count = 1 }, { .count = 1 }, { .count = 1 } },
		.step = { { 0, 1, 0, A, 0 }, { 0, 1, 1, A, 0 }, { 0, 1, 2, A, 0 } }, .steps = 3,
		.known = { .cycles = 35, .latency_sum = 21 + 12, .l1 = { 1, 0, 2, 0 },
			   .l2 = { 2, 0, 1, 0 }, .dram_read = 128,
			   .stalls = { 12, 0, 20, 0, 0 } },
	};
	struct ws_machine m = hand_machine();

	play(&x, &m);
}

/* Both packets arrive at 2; SM 0's is looked up at 2, SM 1's at 3, pending.  Both replies are ready
 * at 16, but the slice's port sends the second at 21: back at 26. */
static void two_sms(void)
{
	const struct scenario x = {
		.what = "two SMs, one line of the L2", .ctas = 2, .threads = 2, .segments = 1,
		.in = { { .kind = LOAD, .use = FAR } }, .segment = { { .count = 1 } },
		.step = { { 0, 1, 0, A, 0 }, { 1, 1, 0, A, 0 } }, .steps = 2,
		.known = { .cycles = 27, .latency_sum = 21 + 26, .l1 = { 0, 0, 2, 0 },
			   .l2 = { 0, 1, 1, 0 }, .dram_read = 128,
			   .stalls = { 26 + 26, 0, 0, 0, 0 } },
	};
	struct ws_machine m = hand_machine();

	m.sm_count = 2;
	play(&x, &m);
}

/* 8 bytes a cycle: a line takes 16.  Four loads, issued at 0 .. 3, are asked for at 2 .. 5 and
 * start at 2, 18, 34, 50; data at 12, 28, 44, 60; the last is back at 60 + 4 + 2 + 3 = 69. */
static void bandwidth(void)
{
	const struct scenario x = {
		.what = "DRAM bandwidth", .ctas = 1, .threads = 2, .segments = 1,
		.in = { { .kind = LOAD, .use = FAR } }, .segment = { { .count = 1 } },
		.step = { { 0, 1, 0, A, 0 }, { 0, 1, 0, A + LINE, 0 }, { 0, 1, 0, A + 2 * LINE, 0 },
			  { 0, 1, 0, A + 3 * LINE, 0 } },
		.steps = 4,
		.known = { .cycles = 70, .latency_sum = 21 + 36 + 51 + 66, .l1 = { 0, 0, 4, 0 },
			   .l2 = { 0, 0, 4, 0 }, .dram_read = 512, .dram_wait = 15 + 30 + 45,
			   .stalls = { 66, 0, 0, 0, 0 } },
	};
	struct ws_machine m = hand_machine();

	m.dram_bandwidth = 8;
	play(&x, &m);
}

/* Two schedulers, a warp each.  Warp 0 comes to the barrier at 0.  Warp 1 has three others before,
 * at 0 .. 2, and comes to it at 3, when its scheduler goes first: so scheduler 0 waits at the
 * barrier at 1 and 2, and at 3 for the next cycle alone.  Both issue one more op at 4. */
static void barrier(void)
{
	const struct scenario x = {
		.what = "a barrier", .ctas = 1, .threads = 4, .segments = 3,
		.in = { { .use = 1 }, { .use = 1 }, { .use = 1 } },
		.segment = { { .tail = 3 }, { .barrier = true }, { .tail = 1 } },
		.step = { { 0, 4, 0, 0, 0 }, { 0, 5, 1, 0, 0 }, { 0, 5, 2, 0, 0 } }, .steps = 3,
		.known = { .cycles = 5, .stalls = { 0, 0, 0, 2, 1 } },
	};
	struct ws_machine m = hand_machine();

	m.sm_schedulers = 2;
	play(&x, &m);
}

/* One CTA at a time: the second starts after the first has its data, at 22, and hits: 25. */
static void dispatch(void)
{
	const struct scenario x = {
		.what = "a CTA that waits for a slot", .ctas = 2, .threads = 2, .segments = 1,
		.in = { { .kind = LOAD, .use = FAR } }, .segment = { { .count = 1 } },
		.step = { { 0, 1, 0, A, 0 }, { 1, 1, 0, A, 0 } }, .steps = 2,
		.known = { .cycles = 26, .latency_sum = 21 + 3, .l1 = { 1, 0, 1, 0 },
			   .l2 = { 0, 0, 1, 0 }, .dram_read = 128,
			   .stalls = { 21 + 3, 0, 0, 0, 0 } },
	};
	struct ws_machine m = hand_machine();

	m.sm_ctas = 1;
	play(&x, &m);
}

/* ---- L1s of words by hand -------------------------------------------------------------------- */

/* A reply with 32 bytes of data takes two cycles of a port, and DRAM is read by 32 bytes, too. */
static struct ws_machine words_machine(enum ws_organised_as as, uint32_t parameter)
{
	struct ws_machine m = hand_machine();

	m.l1.organised = (struct ws_organised){ as, parameter };
	m.l1.chunk_tag_bits = 16;
	m.l1.grain_period = 1;
	m.l2.sector_bytes = 32;
	return m;
}

/* As one_miss, but the second load is of the word beside it: a miss, 21 .. 42. */
static void one_word(void)
{
	const struct scenario x = {
		.what = "a word of 32 bytes, and its neighbour", .ctas = 1, .threads = 2,
		.segments = 2,
		.in = { { .kind = LOAD, .use = 1 }, { .kind = LOAD, .use = 1 } },
		.segment = { { .count = 1 }, { .count = 1 } },
		.step = { { 0, 1, 0, A, 0 }, { 0, 1, 1, A + 32, 0 } }, .steps = 2,
		.known = { .cycles = 43, .latency_sum = 42, .l1 = { 0, 0, 2, 0 },
			   .l2 = { 0, 0, 2, 0 }, .dram_read = 64, .stalls = { 21, 0, 20, 0, 0 },
			   .received = 2 * (8 + 32) },
	};
	struct ws_machine m = words_machine(WS_ELASTIC, 32);

	play(&x, &m);
}

/* Warp 1 asks for the neighbour at 1: at the L2 at 3, data at 13, ready at 17, the port free at 18,
 * received at 20, back at 23. */
static void neighbours(void)
{
	struct scenario x = two_warps;
	struct ws_machine m = words_machine(WS_ELASTIC, 32);

	x.step[1].base = A + 32;
	x.what = "a word whose neighbour is on its way";
	x.known = (struct known){ .cycles = 24, .latency_sum = 21 + 22, .l1 = { 0, 0, 2, 0 },
				  .l2 = { 0, 0, 2, 0 }, .dram_read = 64,
				  .stalls = { 22, 0, 0, 0, 0 }, .received = 2 * (8 + 32) };
	play(&x, &m);

	/* Both words: the one that is coming is thrown out, and both are fetched. */
	x.step[1] = (struct hand_step){ 0, 12, 1, A - 64, 32 }; /* of lanes 2 and 3 */
	x.what = "two words, of which one is on its way";
	x.known.received = 8 + 32 + 8 + 64;
	x.known.grain = (struct ws_grain_stats){ .partial = 1, .invalidated = 1 };
	play(&x, &m);

	/* One of a block of two, and the other: a pending hit, back with it at 21. */
	m = words_machine(WS_ELASTIC, 64);
	x.step[1] = (struct hand_step){ 0, 4, 1, A + 32, 0 };
	x.what = "a word that comes with its neighbour";
	x.known = (struct known){ .cycles = 22, .latency_sum = 21 + 20, .l1 = { 0, 1, 1, 0 },
				  .l2 = { 0, 0, 1, 0 }, .dram_read = 64,
				  .stalls = { 20, 0, 0, 0, 0 }, .received = 8 + 64 };
	play(&x, &m);
}

/* One line a set: a word of another region fails at 1 .. 17, as in no_room; one of the same shares
 * it. */
static void regions(void)
{
	struct scenario x = two_warps;
	struct ws_machine m = words_machine(WS_ELASTIC, 32);

	m.l1.ways = 1;
	m.l1.size_bytes = 256;
	x.step[1].base = A + 2 * LINE;
	x.what = "words of two lines in one";
	x.known = (struct known){ .cycles = 24, .latency_sum = 21 + 22, .l1 = { 0, 0, 2, 0 },
				  .l2 = { 0, 0, 2, 0 }, .dram_read = 64,
				  .stalls = { 22, 0, 0, 0, 0 } };
	play(&x, &m);
	m.l1.chunk_tag_bits = 2;
	x.what = "a line that is reserved by a word of another region";
	x.cause = WS_FAIL_LINE;
	x.known.cycles = 40;
	x.known.latency_sum = 21 + 38;
	x.known.l1[3] = 17;
	x.known.stalls[0] = 38;
	play(&x, &m);
}

/* Words 0 and 1 are fetched at 0; a store throws 1 out at 1, and is sent until 2; 1 is fetched
 * again at 2, sent at 3, and takes its place beside 0; who asks for both at 3 waits for both.  In
 * the L2 all but the first are pending, data at 12; replies leave at 16, three cycles, and 19,
 * received at 18 and 21. */
static void two_fetches(void)
{
	const struct scenario x = {
		.what = "two words of two fetches", .ctas = 1, .threads = 8, .segments = 2,
		.in = { { .kind = LOAD, .use = FAR }, { .kind = STORE } },
		.segment = { { .count = 1 }, { .count = 1 } },
		.step = { { 0, 3, 0, A, 32 }, { 0, 4, 1, A + 32, 0 }, { 0, 16, 0, A + 32, 0 },
			  { 0, 192, 0, A - 192, 32 } }, .steps = 4,
		.known = { .cycles = 25, .latency_sum = 21 + 22 + 21, .l1 = { 0, 2, 2, 0 },
			   .l2 = { 0, 2, 1, 0 }, .dram_read = 64,
			   .stalls = { 21, 0, 0, 0, 0 }, .received = 8 + 64 + 8 + 32 },
	};
	struct ws_machine m = words_machine(WS_ELASTIC, 32);

	play(&x, &m);
}

/* Decisions after each request, every miss too many.  The first, of a word, fetches a line, and
 * chooses 32 bytes; the second, of another whole line, 128: that flushes both lines, on their way
 * as they are.  So the third, of what the first asked for, misses, and chooses 32 again.  L2 at 2,
 * 3 and 4, the third pending there; DRAM: 2 .. 12, 4 .. 14; ready at 16, 16 and 18, but five cycles
 * of the port each: received at 18, 23 (the third) and 28, back at 21, 26, 31. */
static void flush_in_flight(void)
{
	const struct scenario x = {
		.what = "a larger grain while words are on their way", .ctas = 1, .threads = 6,
		.segments = 3,
		.in = { { .kind = LOAD, .use = FAR }, { .kind = LOAD, .use = FAR },
			{ .kind = LOAD, .use = FAR } },
		.segment = { { .count = 1 }, { .count = 1 }, { .count = 1 } },
		.step = { { 0, 1, 0, A, 0 }, { 0, 12, 1, A + 2 * LINE - 192, 96 },
			  { 0, 16, 2, A, 0 } }, .steps = 3,
		.known = { .cycles = 32, .latency_sum = 21 + 30 + 24, .l1 = { 0, 0, 3, 0 },
			   .l2 = { 0, 1, 2, 0 }, .dram_read = 256, .dram_wait = 1,
			   .stalls = { 29, 0, 0, 0, 0 }, .received = 3 * (8 + 128),
			   .grain = { .finer = 2, .coarser = 1, .flushed = 8 } },
	};
	struct ws_machine m = words_machine(WS_DYCACHE, 0);

	play(&x, &m);
}

/* ---- random machines and launches ------------------------------------------------------------ */

static bool chance(struct ws_rng *rng, uint64_t one_in)
{
	return ws_rng_below(rng, one_in) == 0;
}

static uint64_t between(struct ws_rng *rng, uint64_t low, uint64_t high)
{
	return low + ws_rng_below(rng, high - low + 1);
}

/* Mostly small, now and then far beyond need. */
static uint64_t limit(struct ws_rng *rng)
{
	return chance(rng, 3) ? 1000 : between(rng, 1, 6);
}

static void random_policy(struct ws_cache *c, struct ws_rng *rng)
{
	static const char *const more[] = { "lru", "srrip:3", "drrip:3", "random" };
	struct ws_use use;
	size_t n = 0, i;

	while (ws_policies[n])
		n++;
	i = ws_rng_below(rng, n + WS_COUNT(more));
	snprintf(c->policy, sizeof c->policy, "%s", i < n ? ws_policies[i]->name : more[i - n]);
	if (ws_use_parse(&use, c->policy, NULL) || use.policy->offline || !use.policy->victim ||
	    (use.policy->check && use.policy->check(&use, c, NULL)))
		snprintf(c->policy, sizeof c->policy, "lru");
}

static void random_cache(struct ws_cache *c, struct ws_rng *rng, uint64_t slices)
{
	size_t hashes = 0;

	*c = (struct ws_cache){ .ways = between(rng, 1, chance(rng, 3) ? 8 : 4),
				.line_bytes = 32u << ws_rng_below(rng, 4),
				.write = (enum ws_write)ws_rng_below(rng, 4),
				.mshr_entries = limit(rng), .mshr_merge = limit(rng) };
	c->sets = chance(rng, 4) ? between(rng, 1, 7) : 1ull << ws_rng_below(rng, 6);
	c->sector_bytes = chance(rng, 2) ? c->line_bytes : 32u << ws_rng_below(rng, 3);
	c->sector_bytes = c->sector_bytes > c->line_bytes ? c->line_bytes : c->sector_bytes;
	c->size_bytes = slices * c->sets * c->ways * c->line_bytes;
	while (ws_hashes[hashes])
		hashes++;
	c->hash = ws_hashes[ws_rng_below(rng, hashes)];
	c->hash_low = 5;
	c->hash_high = 5;
	if (strcmp(c->hash->name, "bits") == 0 || (c->hash->check && c->hash->check(c, NULL)))
		c->hash = ws_hash_find("modulo");
	random_policy(c, rng);
}

static void random_slices(struct ws_machine *m, struct ws_rng *rng)
{
	const char *const *names = ws_key_find("l2.slice-hash")->choices;
	struct ws_cache blocks = { .ways = 1 };
	const struct ws_hash *hash;

	m->l2_interleave_bytes = m->l2.line_bytes << ws_rng_below(rng, 3);
	m->l2_slice_hash = (unsigned)ws_rng_below(rng, 3);
	hash = ws_hash_find(names[m->l2_slice_hash]);
	blocks.hash = hash;
	blocks.sets = m->l2_slices;
	blocks.line_bytes = m->l2_interleave_bytes;
	blocks.size_bytes = blocks.sets * blocks.line_bytes;
	if (m->l2_slices == 1 || (hash->check && hash->check(&blocks, NULL)))
		m->l2_slice_hash = 0;
	do {
		m->dram_channels = ws_rng_below(rng, m->l2_slices + 1);
	} while (m->dram_channels && m->l2_slices % m->dram_channels);
}

static void random_sm(struct ws_machine *m, struct ws_rng *rng)
{
	*m = small_machine();
	m->sm_count = between(rng, 1, 4);
	m->sm_schedulers = between(rng, 1, 4);
	m->sm_scheduler = (enum ws_scheduler)ws_rng_below(rng, 3);
	m->sm_active_warps = between(rng, 1, 4);
	m->sm_assign = (enum ws_assign)ws_rng_below(rng, 3);
	m->sm_ctas = between(rng, 1, 5);
	m->sm_launch_cycles = chance(rng, 3) ? between(rng, 1, 30) : 0;
	m->sm_warps = 512;
	m->warp_width = between(rng, 1, chance(rng, 2) ? 64 : 16);
	m->coalesce_line = 32u << ws_rng_below(rng, 4);
}

/* An L1 of words in place of it. */
static void random_words(struct ws_cache *c, struct ws_rng *rng)
{
	static const enum ws_organised_as organisations[] = { WS_DECOUPLED, WS_ELASTIC, WS_DYCACHE,
							      WS_DYCACHE };

	c->organised.as = organisations[ws_rng_below(rng, WS_COUNT(organisations))];
	c->organised.parameter = c->organised.as == WS_ELASTIC ? 32u << ws_rng_below(rng, 2)
			       : c->organised.as == WS_DECOUPLED ? (uint32_t)between(rng, 1, 3)
			       : 10 * (uint32_t)ws_rng_below(rng, 10);
	if (c->organised.as != WS_DECOUPLED) {
		c->size_bytes = c->size_bytes / c->line_bytes * WS_GRAIN_LINE;
		c->line_bytes = WS_GRAIN_LINE;
	}
	c->sector_bytes = c->line_bytes;
	c->chunk_tag_bits = between(rng, 2, chance(rng, 2) ? 5 : 16);
	c->chunk_victim = (enum ws_chunk_victim)ws_rng_below(rng, 3);
	c->chunk_invalid = (enum ws_chunk_invalid)ws_rng_below(rng, 2);
	c->grain_period = between(rng, 1, chance(rng, 2) ? 4 : 40);
	c->grain_period_max = chance(rng, 2) ? 0 : c->grain_period * between(rng, 1, 5);
	c->grain_fine = (enum ws_grain_fine)ws_rng_below(rng, 2);
	c->grain_retain = chance(rng, 2);
	c->alloc = WS_ALLOC_ON_MISS;
	snprintf(c->policy, sizeof c->policy, "lru");
}

static void random_machine(struct ws_machine *m, struct ws_rng *rng)
{
	random_sm(m, rng);
	m->l2_slices = chance(rng, 5) ? 16 : between(rng, 1, 6);
	random_cache(&m->l1, rng, 1);
	random_cache(&m->l2, rng, m->l2_slices);
	m->l1.alloc = (enum ws_alloc_when)ws_rng_below(rng, 2);
	m->l1.latency_cycles = between(rng, 0, chance(rng, 2) ? 3 : 40);
	m->l2.latency_cycles = between(rng, 0, chance(rng, 2) ? 9 : 80);
	m->icnt_latency_cycles = chance(rng, 3) ? 0 : between(rng, 1, 20);
	m->l1_banks = chance(rng, 2) ? 1 : between(rng, 2, chance(rng, 3) ? 64 : 5);
	m->l1_queue = limit(rng);
	m->sm_lsu_ops = chance(rng, 2) ? 1 : between(rng, 2, chance(rng, 3) ? 64 : 4);
	m->icnt_credits = limit(rng);
	m->icnt_width = chance(rng, 3) ? 1024 : between(rng, 1, 64);
	m->l2_start = (enum ws_l2_start)ws_rng_below(rng, 2);
	m->dram_latency_cycles = between(rng, 0, chance(rng, 2) ? 5 : 100);
	m->dram_bandwidth = chance(rng, 3) ? between(rng, 1000, 4000) : between(rng, 1, 200);
	random_slices(m, rng);
	if (chance(rng, 2))
		random_words(&m->l1, rng);
}

/* Arrays over parts of the addresses, some instructions of one of them. */
static void random_arrays(struct ws_launch *l, struct ws_rng *rng, uint64_t bytes)
{
	l->arrays = (size_t)ws_rng_below(rng, 4);
	l->array = ws_alloc_zero(l->arrays, sizeof *l->array);
	for (size_t i = 0; i < l->arrays; i++) {
		uint64_t share = bytes / l->arrays / 256 * 256;

		l->array[i] = (struct ws_array){ ws_strdup("array"), 4096 + i * share,
						 ws_rng_below(rng, share + 1) };
	}
	for (size_t i = 0; i < l->instructions; i++) {
		if (l->arrays && chance(rng, 2))
			l->instruction[i].array = (uint32_t)ws_rng_below(rng, l->arrays);
	}
}

static struct ref_shape random_shape(struct ws_rng *rng)
{
	uint64_t size = chance(rng, 3) ? 12 : 5;

	return (struct ref_shape){
		.ctas = between(rng, 1, size), .threads = between(rng, 1, 10 * size),
		.steps = chance(rng, 3) ? 12 : 5, .gap = chance(rng, 4) ? 8 : 1,
		.bytes = 1024u << ws_rng_below(rng, 5), .barriers = chance(rng, 2),
	};
}

static void describe(const struct ws_machine *m, uint64_t seed)
{
	struct ws_buf text = { 0 };

	ws_machine_write(m, &text);
	ws_put_u8(&text, 0);
	printf("# seed %" PRIu64 "; its machine:\n", seed);
	for (const char *p = (const char *)text.data, *end; *p; p = end + 1) {
		end = strchr(p, '\n');
		if (!end)
			break;
		if (strncmp(p, "title", 5) != 0 && *p != '#')
			printf("#   %.*s\n", (int)(end - p), p);
	}
	ws_buf_clear(&text);
}

static bool adds_up(const struct ws_cycle_counts *c)
{
	return c->requests == c->hits + c->pending + c->misses && c->sector_misses <= c->misses;
}

/* What holds of any result. */
static bool consistent(const struct ws_cycle_result *r, uint64_t schedulers)
{
	bool ok = true;

	for (size_t i = 0; i < r->sms; i++) {
		const struct ws_core_stats *s = &r->sm[i];
		uint64_t slots = s->issued, cells = 0;

		for (size_t k = 0; k < WS_STALLS; k++)
			slots += s->stalls[k];
		for (size_t k = 0; k < WS_LATENCY_CELLS; k++)
			cells += s->latency[k];
		for (size_t k = 0; k < WS_KINDS; k++)
			ok &= adds_up(&s->l1[k]);
		ok &= slots == s->slots && slots == schedulers * r->cycles && cells == s->loads;
		ok &= ws_cycle_latency(s, 1) == s->latency_max &&
		      ws_cycle_latency(s, 0.5) <= s->latency_max;
	}
	for (size_t i = 0; i < r->slices; i++) {
		for (size_t k = 0; k < WS_KINDS; k++)
			ok &= adds_up(&r->slice[i].l2[k]);
	}
	return ok;
}

/* Loads and atomics that a launch has: one for each warp with a lane in a step. */
static uint64_t loads_of(const struct ref_launch *l, uint64_t width)
{
	uint64_t n = 0;

	for (uint64_t cta = 0; cta < l->launch.ctas; cta++) {
		for (size_t s = 0; s < l->steps[cta]; s++) {
			const struct ref_step *step = &l->step[cta][s];
			const struct ws_segment *segment = &l->launch.segment[step->segment];
			uint64_t warp = UINT64_MAX;

			for (uint64_t lane = 0; lane < ws_launch_threads(&l->launch); lane++) {
				if (!(step->mask[lane / 64] >> lane % 64 & 1) ||
				    lane / width == warp)
					continue;
				warp = lane / width;
				for (uint32_t a = 0; a < segment->count; a++) {
					const struct ws_instruction *in =
						&l->launch.instruction[segment->first + a];

					n += in->kind != WS_STORE && in->space == WS_SPACE_GLOBAL;
				}
			}
		}
	}
	return n;
}

struct tally {
	uint64_t rounds, same, sound, requests, cycles;
	struct ws_core_stats words; /* of those with an L1 of words */
};

static void one_round(uint64_t seed, struct tally *t)
{
	struct ref_launch l[2];
	struct side got, want, order = { .result = NULL };
	struct ws_machine m;
	struct memory trace;
	struct ws_rng rng;
	bool ok, sound;
	size_t launches;

	ws_rng_seed(&rng, seed);
	launches = chance(&rng, 6) ? 2 : 1;
	random_machine(&m, &rng);
	for (size_t i = 0; i < launches; i++) {
		const struct ref_shape shape = random_shape(&rng);

		ref_launch_random(&l[i], &rng, &shape);
		random_arrays(&l[i].launch, &rng, shape.bytes);
	}
	memory_write(&trace, l, launches);
	want = by_reference(l, launches, &m, seed);
	got = simulated(&trace, &m, seed, 1 + seed % 2, seed % 3 > 0);
	ok = same_sides(&got, &want, seed % 3 > 0) &&
	     ordered(&trace, &m, seed, 1 + (unsigned)(seed % 3), &order) &&
	     same_order(&order, &want);
	sound = got.ok;
	for (size_t i = 0; i < launches; i++) {
		struct ws_core_stats sum;

		t->cycles += want.result[i].cycles;
		if (!got.ok)
			break;
		ws_cycle_sm(&got.result[i], &sum);
		sound &= consistent(&got.result[i], m.sm_schedulers) &&
			 sum.loads == loads_of(&l[i], m.warp_width);
		if (m.l1.organised.as >= WS_DECOUPLED)
			ws_core_stats_add(&t->words, &sum);
	}
	for (size_t i = 0; i < SMS_MAX; i++)
		t->requests += want.streams.sm[i].count;
	if (!ok || !sound)
		describe(&m, seed);
	t->same += ok;
	t->sound += sound;
	t->rounds++;
	side_clear(&got);
	side_clear(&want);
	side_clear(&order);
	memory_free(&trace);
	for (size_t i = 0; i < launches; i++)
		ref_launch_clear(&l[i]);
}

/* All that an L1 of words can do has been compared. */
static bool tally_has_words(const struct ws_core_stats *s)
{
	const struct ws_grain_stats *g = &s->grain;
	bool all = g->partial && g->invalidated && g->written_back && g->finer && g->coarser &&
		   g->flushed && g->size[0] && g->size[1] && g->size[2] && s->l1[WS_LOAD].pending &&
		   s->l1[WS_STORE].pending && s->l1[WS_STORE].fails[WS_FAIL_LINE];

	for (size_t i = 0; i < WS_FAILS; i++)
		all = all && s->l1[WS_LOAD].fails[i];
	return all;
}

static void test_random(uint64_t seed, uint64_t rounds)
{
	struct tally t = { 0 };

	for (uint64_t i = 0; i < rounds && t.rounds - t.same < 5; i++)
		one_round(seed + i, &t);
	test_ok(t.same == rounds, "equal the reference: %" PRIu64 " of %" PRIu64 " rounds, %" PRIu64
		" requests, %" PRIu64 " cycles", t.same, t.rounds, t.requests, t.cycles);
	test_ok(tally_has_words(&t.words) || rounds < ROUNDS / 2,
		"words: %" PRIu64 " partial hits, %" PRIu64 " flushed, %" PRIu64
		" written back, %" PRIu64 " failed for want of places",
		t.words.grain.partial, t.words.grain.flushed, t.words.grain.written_back,
		t.words.l1[WS_LOAD].fails[WS_FAIL_LINE] + t.words.l1[WS_STORE].fails[WS_FAIL_LINE]);
	test_ok(t.sound == rounds, "counts add up and every load comes back once: %" PRIu64,
		t.sound);
}

/* ---- what must hold -------------------------------------------------------------------------- */

/* One SM, no latencies, all the room there is. */
static void ideal(struct ws_machine *m, struct ws_rng *rng)
{
	random_machine(m, rng);
	m->sm_count = 1;
	m->warp_width = 16;
	m->l1.latency_cycles = m->l2.latency_cycles = m->icnt_latency_cycles = 0;
	m->dram_latency_cycles = 0;
	m->dram_bandwidth = m->icnt_width = 1u << 20;
	m->l1.mshr_entries = m->l1.mshr_merge = m->l2.mshr_entries = m->l2.mshr_merge = 1u << 20;
	m->l1_queue = m->icnt_credits = 1u << 20;
}

/* The counts of the functional cache, of the same requests. */
static void functional(const struct ws_machine *m, uint64_t seed, const struct ref_stream *s,
		       struct ws_counts kind[WS_KINDS + 1])
{
	struct ws_sim *sim;

	must_be(!ws_sim_new(&sim, &m->l1, NULL), "ws_sim_new");
	ws_sim_seed(sim, seed);
	for (size_t i = 0; i < s->count; i++) {
		const struct ref_issue *q = &s->item[i];
		const struct ws_request r = { .address = q->address, .sectors = q->sectors,
					      .instruction = q->instruction,
					      .kind = (uint8_t)q->kind };

		must_be(!ws_sim_push(sim, &r, 1, NULL), "ws_sim_push");
	}
	ws_sim_counts(sim, kind);
	ws_sim_free(sim);
}

/* What a functional cache of words counts beside. */
static bool same_grain(const struct ws_machine *m, const struct ref_stream *s,
		       const struct ws_grain_stats *got)
{
	struct ws_grain_stats want;
	struct ws_counts all = { 0 };
	struct ws_grain *g;

	if (m->l1.organised.as < WS_DECOUPLED)
		return true;
	must_be(!ws_grain_new(&g, &m->l1, NULL), "ws_grain_new");
	for (size_t i = 0; i < s->count; i++) {
		const struct ws_request r = { .address = s->item[i].address,
					      .sectors = s->item[i].sectors,
					      .kind = (uint8_t)s->item[i].kind };

		must_be(r.kind == WS_ATOMIC || !ws_grain_request(g, &r, &all, NULL),
			"ws_grain_request");
	}
	ws_grain_stats(g, &want);
	ws_grain_free(g);
	return equal(memcmp(got, &want, sizeof want) == 0, 1, "what words did", 0, 0);
}

/* A lane whose loads are waited for, so that no way is ever reserved when a victim is chosen. */
static void one_by_one(struct ref_launch *l, struct ws_rng *rng)
{
	const struct ref_shape shape = { 1, 1, 300, 1, 8192, false };

	ref_launch_random(l, rng, &shape);
	for (size_t i = 0; i < l->launch.instructions; i++)
		l->launch.instruction[i].use = 1;
}

/* The functional cache has the counts of an SM's L1. */
static bool as_found(const struct side *got, const struct ws_machine *m, uint64_t seed, size_t sm)
{
	struct ws_counts kind[WS_KINDS + 1];
	bool ok = true;

	functional(m, seed, &got->streams.sm[sm], kind);
	told = 0;
	for (size_t k = 0; ok && k < WS_KINDS; k++) {
		const struct ws_cycle_counts *c = &got->result[0].sm[sm].l1[k];

		ok = equal(c->requests, kind[k].requests, "requests", sm, k) &
		     equal(c->hits + c->pending, kind[k].hits, "hits", sm, k) &
		     equal(c->misses, kind[k].misses, "misses", sm, k);
	}
	return ok;
}

static bool as_functional(uint64_t seed)
{
	struct ref_launch l;
	struct memory trace;
	struct ws_machine m;
	struct side got;
	struct ws_rng rng;
	bool ok;

	ws_rng_seed(&rng, seed);
	ideal(&m, &rng);
	if (seed % 2)
		snprintf(m.l1.policy, sizeof m.l1.policy, "lru");
	else
		m.l1.alloc = WS_ALLOC_ON_MISS;
	one_by_one(&l, &rng);
	memory_write(&trace, &l, 1);
	got = simulated(&trace, &m, seed, 1, false);
	ok = got.ok && as_found(&got, &m, seed, 0);
	if (!ok)
		describe(&m, seed);
	side_clear(&got);
	memory_free(&trace);
	ref_launch_clear(&l);
	return ok;
}

/* Many warps, and fetches of any latency, on SMs with one set of ways.  If fewer look-ups are made
 * while a fetch is under way than there are ways, LRU's victim is none that is reserved, and
 * nothing but the order of requests is left of time. */
static struct ref_launch many_warps(struct ws_machine *m, struct ws_rng *rng)
{
	const struct ref_shape shape = { 12, 100, 12, 1, 32768, chance(rng, 2) };
	struct ref_launch l;

	ideal(m, rng);
	m->sm_count = between(rng, 1, 3);
	m->dram_latency_cycles = between(rng, 0, 20);
	m->l1_banks = 1;
	m->l1.alloc = WS_ALLOC_ON_MISS;
	m->l1.organised = (struct ws_organised){ .as = WS_LINES };
	m->l1.sets = 1;
	m->l1.ways = between(rng, 250, 400);
	m->l1.line_bytes = m->l1.sector_bytes = 32;
	m->l1.size_bytes = m->l1.ways * m->l1.line_bytes;
	m->l1.mshr_entries = between(rng, 8, 64);
	m->l1.mshr_merge = between(rng, 4, 64);
	m->coalesce_line = 32u << ws_rng_below(rng, 4);
	snprintf(m->l1.policy, sizeof m->l1.policy, "lru");
	ref_launch_random(&l, rng, &shape);
	return l;
}

static bool only_order(uint64_t seed, uint64_t *looked_at)
{
	struct ref_launch l;
	struct memory trace;
	struct ws_machine m;
	struct side got;
	struct ws_rng rng;
	bool ok;

	ws_rng_seed(&rng, seed);
	l = many_warps(&m, &rng);
	memory_write(&trace, &l, 1);
	got = simulated(&trace, &m, seed, 1, false);
	ok = got.ok;
	for (size_t sm = 0; ok && sm < m.sm_count; sm++) {
		if (got.result[0].sm[sm].latency_max >= m.l1.ways)
			continue;
		ok = as_found(&got, &m, seed, sm);
		++*looked_at;
	}
	ok = ok && same_grain(&m, &got.streams.sm[0], &got.result[0].sm[0].grain);
	if (!ok)
		describe(&m, seed);
	side_clear(&got);
	memory_free(&trace);
	ref_launch_clear(&l);
	return ok;
}

static void test_only_order(uint64_t seed, uint64_t rounds)
{
	uint64_t good = 0, looked_at = 0;

	while (good < rounds && only_order(seed + good, &looked_at))
		good++;
	test_ok(good == rounds && looked_at >= rounds,
		"many warps, no victim reserved: LRU in their order: %" PRIu64 " of %" PRIu64
		", %" PRIu64 " SMs", good, rounds, looked_at);
}

/* Twice the ways, one warp, LRU. */
static bool ways_help(uint64_t seed)
{
	uint64_t before = UINT64_MAX, misses = 0;
	struct ref_launch l;
	struct memory trace;
	struct ws_machine m;
	struct ws_rng rng;

	ws_rng_seed(&rng, seed);
	random_machine(&m, &rng);
	m.sm_count = 1;
	m.l1.organised = (struct ws_organised){ .as = WS_LINES }; /* chunks of a region are no
								   * stack */
	snprintf(m.l1.policy, sizeof m.l1.policy, "lru");
	one_by_one(&l, &rng);
	memory_write(&trace, &l, 1);
	for (m.l1.ways = 1; m.l1.ways <= 16 && misses <= before; m.l1.ways *= 2) {
		struct side got = simulated(&trace, &m, seed, 1, false);

		before = m.l1.ways == 1 ? UINT64_MAX : misses;
		misses = 0;
		m.l1.size_bytes = m.l1.sets * m.l1.ways * m.l1.line_bytes;
		for (size_t k = 0; got.ok && k < WS_KINDS; k++)
			misses += got.result[0].sm[0].l1[k].misses;
		side_clear(&got);
	}
	if (misses > before)
		describe(&m, seed);
	memory_free(&trace);
	ref_launch_clear(&l);
	return misses <= before;
}

static bool threads_agree(uint64_t seed)
{
	struct ref_shape shape;
	struct side one, two, three;
	struct ref_launch l;
	struct memory trace;
	struct ws_machine m;
	struct ws_rng rng;
	bool ok;

	ws_rng_seed(&rng, seed);
	random_machine(&m, &rng);
	m.sm_count = between(&rng, 3, SMS_MAX);
	shape = random_shape(&rng);
	shape.ctas = between(&rng, 8, 30);
	ref_launch_random(&l, &rng, &shape);
	memory_write(&trace, &l, 1);
	one = simulated(&trace, &m, seed, 1, true);
	two = simulated(&trace, &m, seed, 2, true);
	three = simulated(&trace, &m, seed, 3, true);
	ok = same_sides(&two, &one, true) && same_sides(&three, &one, true);
	side_clear(&one);
	side_clear(&two);
	side_clear(&three);
	memory_free(&trace);
	ref_launch_clear(&l);
	return ok;
}

static void holds(const char *what, bool (*does)(uint64_t seed), uint64_t seed, uint64_t rounds)
{
	uint64_t good = 0;

	while (good < rounds && does(seed + good))
		good++;
	test_ok(good == rounds, "%s: %" PRIu64 " of %" PRIu64, what, good, rounds);
}

int main(void)
{
	const char *text = getenv("WS_TEST_ROUNDS");
	uint64_t seed = test_seed(20261122), rounds = ROUNDS;

	if (text && !ws_parse_u64(text, &rounds))
		rounds = ROUNDS;
	one_miss();
	pending_hit();
	no_room();
	banks();
	write_evict();
	two_sms();
	bandwidth();
	barrier();
	dispatch();
	one_word();
	neighbours();
	regions();
	two_fetches();
	flush_in_flight();
	test_random(seed, rounds);
	holds("one warp without latencies: the functional cache", as_functional, seed, rounds / 4);
	test_only_order(seed, rounds / 20);
	holds("more ways under LRU, never more misses", ways_help, seed, rounds / 20);
	holds("1, 2 and 3 threads agree", threads_agree, seed, rounds / 20);
	return test_done();
}
