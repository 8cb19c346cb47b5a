/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/trace/t-cycles.c -- small launches whose schedule was worked out by
 * hand.  Data is back 10 cycles after a request was looked up.  In the comments
 * o is another op, L a load, S a store, B a barrier; "w0 o" that warp 0 issues.
 */
#include "tests/trace/steps.h"
#include "tests/test.h"

static uint64_t ten_cycles(struct ws_memory *self, uint64_t sm, const struct ws_request *r,
			   size_t count, uint64_t cycle)
{
	(void)self;
	(void)sm;
	(void)r;
	return cycle + count - 1 + 10;
}

/* A step of a CTA: lanes [first, last], lane i at address base + i * stride. */
struct step {
	uint64_t cta;
	uint32_t segment;
	unsigned first, last;
	uint64_t base, stride;
};

struct scenario {
	const char *what;
	uint64_t ctas, threads;
	const struct ws_instruction *instruction;
	size_t instructions;
	const struct ws_segment *segment;
	size_t segments;
	const struct step *step;
	size_t steps;
};

struct want {
	uint64_t sm, cycle;
	uint32_t cta, warp;
};

#define SCENARIO(name, of, size, in, seg, list) { \
	(name), (of), (size), (in), WS_COUNT(in), (seg), WS_COUNT(seg), (list), WS_COUNT(list) }

static void build(struct ref_launch *l, const struct scenario *s)
{
	*l = (struct ref_launch){ .launch = {
		.kernel = ws_strdup(s->what), .ctas = s->ctas, .grid = { s->ctas, 1, 1 },
		.block = { s->threads, 1, 1 },
		.instructions = s->instructions, .segments = s->segments,
		.instruction = ws_alloc(s->instructions, sizeof *l->launch.instruction),
		.segment = ws_alloc(s->segments, sizeof *l->launch.segment),
	} };
	memcpy(l->launch.instruction, s->instruction, s->instructions * sizeof *s->instruction);
	memcpy(l->launch.segment, s->segment, s->segments * sizeof *s->segment);
	l->step = ws_alloc_zero((size_t)s->ctas, sizeof *l->step);
	l->steps = ws_alloc_zero((size_t)s->ctas, sizeof *l->steps);
	for (uint64_t c = 0; c < s->ctas; c++)
		l->step[c] = ws_alloc_zero(s->steps, sizeof **l->step);
	for (size_t i = 0; i < s->steps; i++) {
		const struct step *from = &s->step[i];
		struct ref_step *to = &l->step[from->cta][l->steps[from->cta]++];
		uint32_t count = s->segment[from->segment].count;

		to->segment = from->segment;
		to->address = ws_alloc_zero(count, sizeof *to->address);
		for (uint32_t a = 0; a < count; a++)
			to->address[a] = ws_alloc_zero((size_t)s->threads, sizeof **to->address);
		for (unsigned lane = from->first; lane <= from->last; lane++) {
			to->mask[lane / 64] |= 1ull << lane % 64;
			for (uint32_t a = 0; a < count; a++)
				to->address[a][lane] = from->base + lane * from->stride;
		}
	}
}

static void expect(const struct scenario *s, const struct ws_machine *m, const struct want *want,
		   size_t n, uint64_t cycles)
{
	struct ws_memory memory = { ten_cycles, NULL, NULL };
	const struct ws_order_options options = { .seed = 1, .threads = 1, .memory = &memory };
	struct ref_stream got = { 0 };
	struct ws_err err = { 0 };
	struct ref_launch l;
	bool ok;

	build(&l, s);
	ok = order_array(&l, m, &options, &got, &err) == WS_OK && got.count == n;
	for (size_t i = 0; i < n && ok; i++)
		ok = got.item[i].sm == want[i].sm && got.item[i].cycle == want[i].cycle &&
		     got.item[i].cta == want[i].cta && got.item[i].warp == want[i].warp;
	if (!test_ok(ok && got.cycles == cycles, "%s", s->what)) {
		printf("# %s; %" PRIu64 " cycles, want %" PRIu64 "\n", err.text, got.cycles,
		       cycles);
		for (size_t i = 0; i < got.count; i++)
			printf("# SM %" PRIu64 " cycle %" PRIu64 " CTA %u warp %u\n",
			       got.item[i].sm, got.item[i].cycle, got.item[i].cta,
			       got.item[i].warp);
	}
	ref_stream_clear(&got);
	ref_launch_clear(&l);
}

/* o o L o o S; the load's data is needed two ops later, by the second o. */
static const struct ws_instruction load_use_2[] = {
	{ .kind = WS_LOAD, .bytes = 4, .gap = 2, .use = 2 },
	{ .kind = WS_STORE, .bytes = 4 },
};
static const struct ws_segment load_then_store[] = {
	{ .first = 0, .count = 1, .tail = 2 }, { .first = 1, .count = 1 },
};
static const struct step two_warps[] = {
	{ 0, 0, 0, 63, 0, 4 }, { 0, 1, 0, 63, 0, 4 },
};

static void test_use(void)
{
	static const struct scenario s = SCENARIO("lrr: gap, use and tail of two warps", 1, 64,
						  load_use_2, load_then_store, two_warps);
	static const struct scenario g = SCENARIO("gto: gap, use and tail of two warps", 1, 64,
						  load_use_2, load_then_store, two_warps);
	/* 0 w0 o, 1 w1 o, 2 w0 o, 3 w1 o, 4 w0 L (back at 14), 5 w1 L (15), 6 w0 o, 7 w1 o,
	 * 14 w0 o, 15 w1 o, 16 w0 S, 17 w1 S */
	static const struct want lrr[] = { { 0, 4, 0, 0 }, { 0, 5, 0, 1 }, { 0, 16, 0, 0 },
					   { 0, 17, 0, 1 } };
	/* 0 w0 o, 1 w0 o, 2 w0 L (back at 12), 3 w0 o, 4 w1 o, 5 w1 o, 6 w1 L (16), 7 w1 o,
	 * 12 w0 o, 13 w0 S, 16 w1 o, 17 w1 S */
	static const struct want gto[] = { { 0, 2, 0, 0 }, { 0, 6, 0, 1 }, { 0, 13, 0, 0 },
					   { 0, 17, 0, 1 } };
	struct ws_machine m = small_machine();

	expect(&s, &m, lrr, WS_COUNT(lrr), 18);
	m.sm_scheduler = WS_SCHED_GTO;
	expect(&g, &m, gto, WS_COUNT(gto), 18);
}

/* L L, three requests each, nothing waits for data. */
static void test_lsu(void)
{
	static const struct ws_instruction in[] = {
		{ .kind = WS_LOAD, .bytes = 4, .use = 100 }, { .kind = WS_LOAD, .bytes = 4,
		  .use = 100 },
	};
	static const struct ws_segment seg[] = { { .first = 0, .count = 2 } };
	static const struct step step[] = {
		{ 0, 0, 0, 2, 0, 128 }, { 0, 0, 32, 34, 0, 128 },
	};
	static const struct scenario s = SCENARIO("the LSU takes a request a cycle; schedulers "
						  "take turns to be first", 1, 64, in, seg, step);
	/* 0 w0 L until 2.  At 3 scheduler 1 is first: w1 L until 5, at 6 scheduler 0: w0 L
	 * until 8, at 9 w1 L: the last data is back at 11 + 10. */
	static const struct want want[] = {
		{ 0, 0, 0, 0 }, { 0, 1, 0, 0 }, { 0, 2, 0, 0 }, { 0, 3, 0, 1 }, { 0, 4, 0, 1 },
		{ 0, 5, 0, 1 }, { 0, 6, 0, 0 }, { 0, 7, 0, 0 }, { 0, 8, 0, 0 }, { 0, 9, 0, 1 },
		{ 0, 10, 0, 1 }, { 0, 11, 0, 1 },
	};
	struct ws_machine m = small_machine();

	m.sm_schedulers = 2;
	expect(&s, &m, want, WS_COUNT(want), 22);
}

static void test_barrier(void)
{
	static const struct ws_instruction in[] = {
		{ .kind = WS_LOAD, .bytes = 4, .use = 1 }, { .kind = WS_STORE, .bytes = 4 },
	};
	static const struct ws_segment seg[] = {
		{ .first = 0, .count = 1 }, { .tail = 1, .barrier = true },
		{ .first = 1, .count = 1 }, { .tail = 2 }, { .barrier = true },
	};
	static const struct step late[] = {
		{ 0, 0, 0, 31, 0, 4 }, { 0, 1, 0, 63, 0, 0 }, { 0, 2, 0, 63, 0, 4 },
	};
	static const struct step gone[] = {
		{ 0, 3, 32, 63, 0, 0 }, { 0, 4, 0, 31, 0, 0 }, { 0, 2, 0, 31, 0, 4 },
	};
	static const struct scenario waits = SCENARIO("a barrier waits for the last warp", 1, 64,
						      in, seg, late);
	static const struct scenario ends = SCENARIO("a barrier does not wait for a warp that "
						     "ended", 1, 64, in, seg, gone);
	/* 0 w0 L (back at 10), 1 w1 o, 2 w1 B, 10 w0 o, 11 w0 B, 12 w1 S (w0 was last), 13 w0 S */
	static const struct want after[] = { { 0, 0, 0, 0 }, { 0, 12, 0, 1 }, { 0, 13, 0, 0 } };
	/* 0 w0 B, 1 w1 o, 2 w1 o and ends, 3 w0 S */
	static const struct want alone[] = { { 0, 3, 0, 0 } };
	struct ws_machine m = small_machine();

	expect(&waits, &m, after, WS_COUNT(after), 14);
	expect(&ends, &m, alone, WS_COUNT(alone), 4);
}

/* One warp a CTA; each L waits for the one before. */
static const struct ws_instruction chain[] = { { .kind = WS_LOAD, .bytes = 4, .use = 1 } };
static const struct ws_segment chain_segment[] = { { .first = 0, .count = 1 } };

static void test_dispatch(void)
{
	static const struct step step[] = { /* CTA 0: three loads, 1 and 2: one */
		{ 0, 0, 0, 31, 0, 4 }, { 0, 0, 0, 31, 0, 4 }, { 0, 0, 0, 31, 0, 4 },
		{ 1, 0, 0, 31, 0, 4 }, { 2, 0, 0, 31, 0, 4 },
	};
	static const struct step equal[] = {
		{ 0, 0, 0, 31, 0, 4 }, { 1, 0, 0, 31, 0, 4 }, { 2, 0, 0, 31, 0, 4 },
		{ 3, 0, 0, 31, 0, 4 },
	};
	static const struct scenario first = SCENARIO("dynamic: the next CTA goes where one ends "
						      "first", 3, 32, chain, chain_segment, step);
	static const struct scenario fixed = SCENARIO("round-robin: the next CTA waits for its SM",
						      3, 32, chain, chain_segment, step);
	static const struct scenario tie = SCENARIO("dynamic: ties go to the lower SM", 4, 32,
						    chain, chain_segment, equal);
	/* CTA 0: L at 0, 10, 20, ends at 30; CTA 1 ends at 10, so 2 starts at 11 on SM 1. */
	static const struct want dynamic[] = { { 0, 0, 0, 0 }, { 0, 10, 0, 0 }, { 0, 20, 0, 0 },
					       { 1, 0, 1, 0 }, { 1, 11, 2, 0 } };
	static const struct want round_robin[] = { { 0, 0, 0, 0 }, { 0, 10, 0, 0 }, { 0, 20, 0, 0 },
						   { 0, 31, 2, 0 }, { 1, 0, 1, 0 } };
	static const struct want lower[] = { { 0, 0, 0, 0 }, { 0, 11, 2, 0 }, { 1, 0, 1, 0 },
					     { 1, 11, 3, 0 } };
	struct ws_machine m = small_machine();

	m.sm_count = 2;
	m.sm_ctas = 1;
	expect(&first, &m, dynamic, WS_COUNT(dynamic), 31);
	expect(&tie, &m, lower, WS_COUNT(lower), 22);
	m.sm_assign = WS_ASSIGN_ROUND_ROBIN;
	expect(&fixed, &m, round_robin, WS_COUNT(round_robin), 42);
}

static void test_two_level(void)
{
	static const struct ws_instruction in[] = {
		{ .kind = WS_LOAD, .bytes = 4, .gap = 1, .use = 1 },
		{ .kind = WS_STORE, .bytes = 4 },
	};
	static const struct ws_segment seg[] = { { .first = 0, .count = 2 } };
	static const struct step step[] = { { 0, 0, 0, 95, 0, 4 } };
	static const struct scenario s = SCENARIO("two-level: a warp that waits makes room", 1, 96,
						  in, seg, step);
	/* With one seat: 0 w0 o, 1 w0 L (back at 11), 2 w1 o, 3 w1 L (13), 4 w2 o, 5 w2 L (15),
	 * then the stores as data comes. */
	static const struct want want[] = { { 0, 1, 0, 0 }, { 0, 3, 0, 1 }, { 0, 5, 0, 2 },
					    { 0, 11, 0, 0 }, { 0, 13, 0, 1 }, { 0, 15, 0, 2 } };
	struct ws_machine m = small_machine();

	m.sm_scheduler = WS_SCHED_TWO_LEVEL;
	m.sm_active_warps = 1;
	expect(&s, &m, want, WS_COUNT(want), 16);
}

/* Constant and shared memory count as ops, and make no requests. */
static void test_spaces(void)
{
	static const struct ws_instruction in[] = {
		{ .kind = WS_LOAD, .space = WS_SPACE_CONSTANT, .bytes = 4, .use = 1 },
		{ .kind = WS_STORE, .space = WS_SPACE_LOCAL, .bytes = 4, .gap = 1 },
		{ .kind = WS_ATOMIC, .bytes = 4, .use = 1 },
		{ .kind = WS_STORE, .bytes = 4 },
	};
	static const struct ws_segment seg[] = { { .first = 0, .count = 4 } };
	static const struct step step[] = { { 0, 0, 0, 31, 0, 4 } };
	static const struct scenario s = SCENARIO("other spaces count as ops; an atomic is waited "
						  "for", 1, 32, in, seg, step);
	/* three ops, 3 the atomic (back at 13), 13 S */
	static const struct want want[] = { { 0, 3, 0, 0 }, { 0, 13, 0, 0 } };
	struct ws_machine m = small_machine();

	expect(&s, &m, want, WS_COUNT(want), 14);
}

/* A gap of 2^32 - 1 twice, with company: issued in leaps, in no time. */
static void test_long(void)
{
	static const struct ws_instruction in[] = {
		{ .kind = WS_STORE, .bytes = 4, .gap = UINT32_MAX },
	};
	static const struct ws_segment seg[] = { { .first = 0, .count = 1, .tail = UINT32_MAX } };
	static const struct step step[] = { { 0, 0, 0, 63, 0, 4 }, { 0, 0, 0, 31, 0, 4 } };
	static const struct scenario s = SCENARIO("gaps of 2^32 - 1", 1, 64, in, seg, step);
	/* With G = 2^32 - 1: both warps G ops by turns, S at 2G and 2G + 1; then G (w1) and
	 * 2G (w0) by turns until w1 ends at 4G + 1, w0 has G more to 5G + 1, S at 5G + 2, G
	 * more. */
	static const struct want want[] = {
		{ 0, 2ull * UINT32_MAX, 0, 0 }, { 0, 2ull * UINT32_MAX + 1, 0, 1 },
		{ 0, 5ull * UINT32_MAX + 2, 0, 0 },
	};
	struct ws_machine m = small_machine();

	expect(&s, &m, want, WS_COUNT(want), 6ull * UINT32_MAX + 3);
}

int main(void)
{
	test_use();
	test_lsu();
	test_barrier();
	test_dispatch();
	test_two_level();
	test_spaces();
	test_long();
	return test_done();
}
