/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/trace/t-order.c -- the timed engine against the machine simulated cycle
 * by cycle (tests/ref/order.c): the same requests at the same cycles, for every
 * timed scheduler, with plain and large warps, on random launches and machines.
 */
#include "tests/trace/steps.h"
#include "tests/test.h"
#include "trace/order/sm.h"

struct latency {
	struct ws_memory memory;
	uint64_t span, cycle, sm;
	bool in_order;	/* calls by (cycle, SM) so far */
};

static uint64_t by_request(struct ws_memory *self, uint64_t sm, const struct ws_request *r,
			   size_t count, uint64_t cycle)
{
	struct latency *l = (struct latency *)self;
	uint64_t last = 0;

	l->in_order &= cycle > l->cycle || (cycle == l->cycle && sm >= l->sm);
	l->cycle = cycle;
	l->sm = sm;
	for (size_t i = 0; i < count; i++) {
		uint64_t back = cycle + i + ref_latency(&r[i], l->span);

		last = back > last ? back : last;
	}
	return last;
}

static void random_machine(struct ws_machine *m, struct ws_rng *rng)
{
	*m = small_machine();
	m->sm_count = 1 + ws_rng_below(rng, 4);
	m->sm_schedulers = 1 + ws_rng_below(rng, 4);
	m->sm_scheduler = (enum ws_scheduler)ws_rng_below(rng, 3);
	m->sm_active_warps = 1 + ws_rng_below(rng, 4);
	m->sm_launch_cycles = ws_rng_below(rng, 2) ? ws_rng_below(rng, 30) : 0;
	m->sm_start_cycles = ws_rng_below(rng, 3) ? 0 : ws_rng_below(rng, 40);
	m->sm_alu_cycles = ws_rng_below(rng, 2) ? ws_rng_below(rng, 12) : 0;
	m->sm_alu_interval = ws_rng_below(rng, 3) ? 0 : ws_rng_below(rng, 5);
	m->sm_alu_queue = ws_rng_below(rng, 4);
	m->sm_buffer = ws_rng_below(rng, 2) ? ws_rng_below(rng, 4) : 0;
	m->sm_code_line = ws_rng_below(rng, 2) ? 50 + ws_rng_below(rng, 300) : 0;
	m->sm_assign = (enum ws_assign)ws_rng_below(rng, 3);
	m->sm_ctas = 1 + ws_rng_below(rng, 5);
	m->l1_parts = 1 + (ws_rng_below(rng, 3) ? 0 : ws_rng_below(rng, 4));
	m->warp_width = 1 + ws_rng_below(rng, ws_rng_below(rng, 2) ? 64 : 16);
	m->sm_warps = 512;
	m->sm_large_warp = ws_rng_below(rng, 2) ? ws_rng_below(rng, 6) : ws_rng_below(rng, 33);
	m->l1.line_bytes = 32u << ws_rng_below(rng, 4);
	m->coalesce_line = 32u << ws_rng_below(rng, 4);
}

/* The L1 in place of the SM. */
static void name_l1s(struct ref_stream *s, const struct ws_machine *m)
{
	for (size_t i = 0; i < s->count; i++) {
		s->item[i].sm = s->item[i].sm * m->l1_parts + s->item[i].part;
		s->item[i].part = 0;
	}
}

static bool same(const struct ref_stream *got, const struct ref_stream *want, uint64_t trial)
{
	size_t n = got->count < want->count ? got->count : want->count;

	for (size_t i = 0; i < n; i++) {
		const struct ref_issue *a = &got->item[i], *b = &want->item[i];

		if (memcmp(a, b, sizeof *a) == 0)
			continue;
		printf("# trial %" PRIu64 ", request %zu: SM %" PRIu64 " cycle %" PRIu64
		       " CTA %u warp %u instruction %u, want SM %" PRIu64 " cycle %" PRIu64
		       " CTA %u warp %u instruction %u\n", trial, i, a->sm, a->cycle, a->cta,
		       a->warp, a->instruction, b->sm, b->cycle, b->cta, b->warp, b->instruction);
		return false;
	}
	if (got->count != want->count || got->cycles != want->cycles)
		printf("# trial %" PRIu64 ": %zu requests in %" PRIu64 " cycles, want %zu in %"
		       PRIu64 "\n", trial, got->count, got->cycles, want->count, want->cycles);
	return got->count == want->count && got->cycles == want->cycles;
}

static bool one_trial(struct ws_rng *rng, uint64_t trial, const struct ref_shape *shape,
		      uint64_t *requests)
{
	struct latency memory = { { by_request, NULL, NULL }, 1 + ws_rng_below(rng, 120), 0, 0,
				  true };
	const struct ws_order_options options = { .seed = trial, .threads = 1 + trial % 2,
						  .memory = &memory.memory };
	struct ref_stream got = { 0 }, want = { 0 };
	struct ws_err err = { 0 };
	struct ref_launch l;
	struct ws_machine m;
	bool ok;

	random_machine(&m, rng);
	ref_launch_random(&l, rng, shape);
	ok = order_array(&l, &m, &options, &got, &err) == WS_OK;
	if (!ok)
		printf("# trial %" PRIu64 ": %s\n", trial, err.text);
	ref_order(&l, &m, trial, memory.span, &want);
	name_l1s(&want, &m);
	ref_stream_sort(&want);
	ok = ok && same(&got, &want, trial) && memory.in_order;
	if (!ok)
		printf("# %s, %s CTAs, %" PRIu64 " SMs, %" PRIu64 " schedulers, width %" PRIu64
		       ", large warps of %" PRIu64 "%s\n", ws_scheduler_rows[m.sm_scheduler]->name,
		       ws_key_find("sm.assign")->choices[m.sm_assign], m.sm_count,
		       m.sm_schedulers, m.warp_width, m.sm_large_warp,
		       memory.in_order ? "" : "; memory not called in order");
	*requests += want.count;
	ref_stream_clear(&got);
	ref_stream_clear(&want);
	ref_launch_clear(&l);
	return ok;
}

/* The larger the gaps, the smaller the rest: the reference pays for each cycle. */
static void test_equal(uint64_t seed, const char *what, unsigned trials, unsigned gap,
		       unsigned steps)
{
	uint64_t size = gap > 50 ? 4 : 9;
	uint64_t requests = 0;
	unsigned good = 0;
	struct ws_rng rng;

	ws_rng_seed(&rng, seed);
	for (unsigned t = 0; t < trials; t++) {
		const struct ref_shape shape = {
			.ctas = 1 + ws_rng_below(&rng, size),
			.threads = 1 + ws_rng_below(&rng, 8 * size),
			.steps = steps, .gap = gap, .bytes = 1u << 14,
			.barriers = ws_rng_below(&rng, 2), .paced = ws_rng_below(&rng, 4),
		};

		good += one_trial(&rng, t, &shape, &requests);
	}
	test_ok(good == trials, "%s: %u of %u launches, %" PRIu64 " requests, equal the reference",
		what, good, trials, requests);
}

/* Without a memory of the caller's SMs run ahead of each other: no difference. */
static void test_modes(uint64_t seed)
{
	struct ws_rng rng;
	unsigned good = 0, trials = 40;

	ws_rng_seed(&rng, seed);
	for (unsigned t = 0; t < trials; t++) {
		const struct ref_shape shape = { 1 + ws_rng_below(&rng, 30),
						 1 + ws_rng_below(&rng, 200),
						 6,
						 5,
						 1u << 15,
						 true, true };
		struct ref_stream apart = { 0 }, together = { 0 };
		struct ws_order_options options = { .seed = t, .threads = 1 };
		struct ref_launch l;
		struct ws_machine m;
		bool ok;

		random_machine(&m, &rng);
		ref_launch_random(&l, &rng, &shape);
		ok = order_array(&l, &m, &options, &apart, NULL) == WS_OK;
		options.threads = 4;
		ok = ok && ws_nominal_new(&options.memory, &m, NULL) == WS_OK &&
		     order_array(&l, &m, &options, &together, NULL) == WS_OK;
		options.memory->free(options.memory);
		good += ok && same(&together, &apart, t);
		ref_stream_clear(&apart);
		ref_stream_clear(&together);
		ref_launch_clear(&l);
	}
	test_u64(good, trials, "SMs in step on 4 threads, or one after the other on 1: same "
		 "streams");
}

static void test_table(void)
{
	const char *const *choices = ws_key_find("sm.scheduler")->choices;
	size_t i = 0;

	for (; i < ws_scheduler_count; i++) {
		const struct ws_scheduler_row *row = ws_scheduler_rows[i];

		test_ok(choices[i] && strcmp(choices[i], row->name) == 0 && row->summary &&
			row->source && !row->pick == !!row->drain, "scheduler %s is complete",
			row->name);
	}
	test_ok(!choices[i], "sm.scheduler has no others");
}

int main(void)
{
	uint64_t seed = test_seed(7);

	test_table();
	test_equal(seed, "short gaps", 100, 2, 8);
	test_equal(seed + 1, "longer gaps", 40, 13, 5);
	test_equal(seed + 2, "leaps", 40, 70, 3);
	test_modes(seed + 3);
	return test_done();
}
