/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The cycle simulator: scenarios worked out by hand, with what each counts.
 */
#include "tests/validate/sides.h"

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
	m.dram_atom = 32;
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

/* 2^25 instructions of code are what a CTA may have: a file of some bytes could ask for more. */
static void much_code(void)
{
	const struct ws_instruction in = { .kind = LOAD, .use = FAR, .gap = WS_GAP_MAX };
	const struct ws_segment segment = { .count = 1 };
	struct hand_step step[32];
	struct ws_code_op op = { .unit = WS_UNIT_INT };
	struct ws_machine m = hand_machine();
	const struct ws_cycle_options options = { .seed = 1 };
	struct ws_cycle_result *result;
	struct ws_err err = { 0 };
	struct ref_launch l;
	struct memory t;
	size_t launches;

	for (size_t i = 0; i < WS_COUNT(step); i++)
		step[i] = (struct hand_step){ .mask = 1, .base = A };
	snprintf(m.sm_pipeline, sizeof m.sm_pipeline, "int=1/1");
	l = by_hand(1, 1, &in, &segment, 1, step, WS_COUNT(step));
	l.launch.code = &op;
	l.launch.codes = 1;
	memory_write(&t, &l, 1);
	test_ok(ws_cycles_run(&result, &launches, t.trace, &m, &options, &err) == WS_EINVAL &&
		strstr(err.text, "more than 33554432 instructions of machine code"),
		"much code: %s", err.text);
	l.launch.code = NULL;
	l.launch.codes = 0;
	memory_free(&t);
	ref_launch_clear(&l);
}

int main(void)
{
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
	much_code();
	return test_done();
}
