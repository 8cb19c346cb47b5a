/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/trace/t-untimed.c -- the naive orders: worked by hand where they are
 * determined, by their properties where they are random.
 */
#include "tests/trace/steps.h"
#include "tests/test.h"

/* Each of two CTAs of two warps: L, then S and a barrier, then L; instructions 0, 1, 2. */
static struct ref_launch barrier_launch(void)
{
	struct ref_launch l = { .launch = {
		.kernel = ws_strdup("barrier"), .ctas = 2, .grid = { 2, 1, 1 }, .block = { 64, 1,
		1 },
		.instructions = 3, .segments = 3,
		.instruction = ws_alloc_zero(3, sizeof *l.launch.instruction),
		.segment = ws_alloc_zero(3, sizeof *l.launch.segment),
	} };

	for (uint32_t i = 0; i < 3; i++) {
		l.launch.instruction[i] = (struct ws_instruction){
			.kind = i == 1 ? WS_STORE : WS_LOAD, .bytes = 4, .gap = i, .use = 1 };
		l.launch.segment[i] = (struct ws_segment){ .first = i, .count = 1,
							   .barrier = i == 1 };
	}
	l.step = ws_alloc_zero(2, sizeof *l.step);
	l.steps = ws_alloc_zero(2, sizeof *l.steps);
	for (uint64_t c = 0; c < 2; c++) {
		l.step[c] = ws_alloc_zero(3, sizeof **l.step);
		l.steps[c] = 3;
		for (uint32_t s = 0; s < 3; s++) {
			struct ref_step *step = &l.step[c][s];

			step->segment = s;
			step->mask[0] = UINT64_MAX;
			step->address = ws_alloc_zero(1, sizeof *step->address);
			step->address[0] = ws_alloc_zero(64, sizeof **step->address);
			for (uint64_t lane = 0; lane < 64; lane++)
				step->address[0][lane] = 4 * lane;
		}
	}
	return l;
}

/* The same, but warp 0 alone comes to the barrier, first, and warp 1 ends while it
 * waits there: warp 0 makes 1 and 2, warp 1 makes 0 and 2. */
static struct ref_launch uneven_launch(void)
{
	struct ref_launch l = barrier_launch();

	for (uint64_t c = 0; c < 2; c++) {
		l.step[c][0].segment = 1;
		l.step[c][0].mask[0] = 0x00000000ffffffff;
		l.step[c][1].segment = 0;
		l.step[c][1].mask[0] = 0xffffffff00000000;
	}
	return l;
}

/* want: "CTA warp instruction" of each request, in order, or NULL for eight of
 * them in any order; clears l. */
static void expect(struct ref_launch l, enum ws_scheduler scheduler, const char *what,
		   const char *want)
{
	struct ws_machine m = small_machine();
	struct ref_stream got = { 0 };
	char text[256] = "";
	size_t len = 0;
	bool ordinal = true;

	m.sm_scheduler = scheduler;
	m.sm_ctas = 1; /* not heeded */
	if (order_array(&l, &m, NULL, &got, NULL) != WS_OK)
		test_ok(false, "%s failed", what);
	for (size_t i = 0; i < got.count && len < sizeof text; i++) {
		len += (size_t)snprintf(text + len, sizeof text - len, "%u%u%u ", got.item[i].cta,
					got.item[i].warp, got.item[i].instruction);
		ordinal &= got.item[i].cycle == i;
	}
	if (want)
		test_str(text, want, what);
	else
		test_ok(got.count == 8, "%s: all eight, %s", what, text);
	test_ok(ordinal && got.cycles == got.count, "%s: cycles are ordinals", what);
	ref_stream_clear(&got);
	ref_launch_clear(&l);
}

/* What each warp does, in its order: sorted by CTA, then warp, stably. */
static int by_warp(const void *a, const void *b)
{
	const struct ref_issue *x = a, *y = b;
	uint64_t k = (uint64_t)x->cta << 32 | x->warp, l = (uint64_t)y->cta << 32 | y->warp;

	return k != l ? (k < l ? -1 : 1) : x->cycle < y->cycle ? -1 : x->cycle > y->cycle;
}

static bool same_warps(struct ref_stream *a, struct ref_stream *b)
{
	bool same = a->count == b->count;

	if (!same || !a->count)
		return same;
	qsort(a->item, a->count, sizeof *a->item, by_warp);
	qsort(b->item, b->count, sizeof *b->item, by_warp);
	for (size_t i = 0; i < a->count && same; i++)
		same = a->item[i].address == b->item[i].address &&
		       a->item[i].sectors == b->item[i].sectors &&
		       a->item[i].instruction == b->item[i].instruction &&
		       a->item[i].warp == b->item[i].warp && a->item[i].cta == b->item[i].cta;
	return same;
}

/* Whatever the order, each warp makes the same requests in the same order. */
static void test_program_order(uint64_t seed)
{
	unsigned good = 0, trials = 30;
	struct ws_rng rng;

	ws_rng_seed(&rng, seed);
	for (unsigned t = 0; t < trials; t++) {
		const struct ref_shape shape = {
			1 + ws_rng_below(&rng, 6), 1 + ws_rng_below(&rng, 99), 8, 3, 1u << 14, true,
			false
		};
		const struct ws_order_options options = { .seed = t, .threads = 1 + t % 3 };
		struct ws_machine m = small_machine();
		struct ref_stream lrr = { 0 };
		struct ref_launch l;
		bool ok;

		m.sm_count = 1 + ws_rng_below(&rng, 3);
		m.warp_width = 1 + ws_rng_below(&rng, 64);
		m.sm_warps = 1024;
		m.sm_assign = (enum ws_assign)ws_rng_below(&rng, 3);
		ref_launch_random(&l, &rng, &shape);
		ok = order_array(&l, &m, &options, &lrr, NULL) == WS_OK;
		for (unsigned s = WS_SCHED_GTO; s <= WS_SCHED_RANDOM; s++) {
			struct ref_stream other = { 0 };

			m.sm_scheduler = (enum ws_scheduler)s;
			ok = ok && order_array(&l, &m, &options, &other, NULL) == WS_OK &&
			     same_warps(&lrr, &other);
			ref_stream_clear(&other);
		}
		good += ok;
		ref_stream_clear(&lrr);
		ref_launch_clear(&l);
	}
	test_u64(good, trials, "launches whose warps make the same requests under all six "
		 "schedulers");
}

/* Which of the four warps goes first is uniform over seeds; barriers hold. */
static void test_random(void)
{
	struct ref_launch l = barrier_launch();
	struct ws_machine m = small_machine();
	unsigned first[4] = { 0 }, early = 0, seeds = 2000;
	double chi2 = 0;

	m.sm_scheduler = WS_SCHED_RANDOM;
	for (unsigned s = 0; s < seeds; s++) {
		const struct ws_order_options options = { .seed = s, .threads = 1 };
		struct ref_stream got = { 0 };
		unsigned stored[2] = { 0 };

		if (order_array(&l, &m, &options, &got, NULL) != WS_OK)
			break;
		first[got.item[0].cta * 2 + got.item[0].warp]++;
		for (size_t i = 0; i < got.count; i++) {
			stored[got.item[i].cta] += got.item[i].instruction == 1;
			early += got.item[i].instruction == 2 && stored[got.item[i].cta] < 2;
		}
		ref_stream_clear(&got);
	}
	for (unsigned i = 0; i < 4; i++)
		chi2 += (first[i] - seeds / 4.0) * (first[i] - seeds / 4.0) / (seeds / 4.0);
	test_u64(early, 0, "random: loads before the CTA's barrier was complete");
	test_ok(chi2 < 16.27, "random: the first warp is uniform, chi2 %.2f (3 degrees, 0.1 %%)",
		chi2);
	ref_launch_clear(&l);
}

int main(void)
{
	uint64_t seed = test_seed(5);

	expect(barrier_launch(), WS_SCHED_SEQUENTIAL, "sequential",
	       "000 001 010 011 002 012 100 101 110 111 102 112 ");
	expect(barrier_launch(), WS_SCHED_ROUND_ROBIN, "round-robin",
	       "000 010 100 110 001 011 101 111 002 012 102 112 ");
	expect(uneven_launch(), WS_SCHED_SEQUENTIAL, "sequential, a warp ends at the barrier",
	       "001 010 012 002 101 110 112 102 ");
	expect(uneven_launch(), WS_SCHED_ROUND_ROBIN, "round-robin, a warp ends at the barrier",
	       "001 010 101 110 012 112 002 102 ");
	expect(uneven_launch(), WS_SCHED_RANDOM, "random, a warp ends at the barrier", NULL);
	test_program_order(seed);
	test_random();
	return test_done();
}
