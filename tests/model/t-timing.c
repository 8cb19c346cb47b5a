/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/model/t-timing.c -- time from a profile: pending hits as a slow simulation of fetches
 * counts them, sums, request streams worked by hand, every bound among them, and which way
 * predictions move with the machine.
 */
#include <math.h>

#include "tests/test.h"

#include "model/time/time.h"
#include "tests/ref/places.h"
#include "tests/stackdist/stream.h"

#define MOST 400u		/* requests */
#define LINES 24u

struct made {
	struct ws_machine m;
	struct ws_request r[MOST];
	size_t count;
	struct ws_order_stats stats;
	enum ws_order order;
	uint64_t sets;		/* profiled; 0: the machine's */
};

static bool machine(struct ws_machine *m)
{
	struct ws_err err = { 0 };

	setenv("WARPSTACK_DATA", "data", 0);
	return test_ok(!ws_machine_load(m, "gtx480", &err) &&
		       !ws_machine_set(m, "sm.count=1", &err) &&
		       !ws_machine_set(m, "l1.mshr.merge=4096", &err) &&
		       !ws_machine_check(m, &err), "machine: %s", err.text);
}

/* Of an L2, too, behind the machine's L1s, if asked for. */
static struct ws_profile *profile(const struct made *t, bool l2)
{
	struct ws_shape shape = { t->m.l1.line_bytes, t->sets ? t->sets : t->m.l1.sets };
	struct ws_filter filter = { shape.line_bytes, shape.sets, t->m.l1.ways };
	struct ws_profile_options options = {
		.shape = &shape, .shapes = 1, .seed = 1, .threads = 1,
		.record = WS_RECORD_DETAIL, .order = t->order,
		.filter = &filter, .filters = l2, .l2_sets = &t->m.l2.sets, .l2_set_counts = l2,
	};
	char kernel[] = "k";
	struct ws_launch launch = { .kernel = kernel, .grid = { 4, 1, 1 }, .block = { 64, 1, 1 },
				    .ctas = 4 };
	struct ws_profiler *p = NULL;
	struct ws_profile *out = NULL;
	struct ws_err err = { 0 };
	bool ok = !ws_profiler_new(&p, &t->m, &options, &err) &&
		  !ws_profiler_launch(p, &launch, &err) &&
		  !ws_profiler_push(p, 0, t->r, t->count, &err) &&
		  !ws_profiler_end(p, &t->stats, &err) && !ws_profiler_finish(p, &out, &err);

	if (!ok)
		printf("# %s\n", err.text);
	ws_profiler_free(p);
	return out;
}

static bool ask(const struct ws_profile *p, const struct ws_machine *m, struct ws_timing *out)
{
	struct ws_model *a = NULL;
	struct ws_err err = { 0 };
	bool ok = p && !ws_model_new(&a, p, &err) && !ws_model_timing(a, 0, m, out, &err);

	if (!ok)
		printf("# %s\n", err.text);
	ws_model_free(a);
	return ok;
}

/* ---- sums ---------------------------------------------------------------------------- */

static bool sums(const struct ws_prediction *p)
{
	struct ws_counts all = { 0 };
	bool ok = true;

	for (unsigned kind = 0; kind < WS_KINDS; kind++) {
		ok = ok && ws_counts_check(p->kind + kind);
		ws_counts_add(&all, p->kind + kind);
	}
	return ok && memcmp(&all, p->kind + WS_KINDS, sizeof(all)) == 0;
}

static bool sound(const struct ws_timing *t)
{
	double sum = 0, most = 0;

	for (unsigned i = 0; i < WS_BOUNDS; i++) {
		if (!(t->bound[i] >= 0))
			return false;
		sum += t->bound[i];
		most = fmax(most, t->bound[i]);
	}
	return sums(&t->l1) && sums(&t->l2) && t->bound[t->binds] >= most &&
	       (t->cycles <= 0 || t->anchor_cycles > 0 ||
		(t->cycles >= most * (1 - 1e-9) && t->cycles <= sum * (1 + 1e-9)));
}

/* ---- pending hits, beside a slow simulation ------------------------------------------ */

static void some(struct ws_rng *rng, struct made *t)
{
	uint64_t cycle = 0;

	t->m.l1.line_bytes = (uint64_t)64 << ws_rng_below(rng, 3);
	t->m.l1.sector_bytes = t->m.l1.line_bytes >> ws_rng_below(rng, 2);
	t->m.l1.sets = (uint64_t)1 << ws_rng_below(rng, 3);
	t->m.l1.ways = 1 + ws_rng_below(rng, 6);
	t->m.l1.size_bytes = t->m.l1.sets * t->m.l1.ways * t->m.l1.line_bytes;
	t->m.l1.hash = ws_hash_find("modulo");
	t->m.l1.write = (enum ws_write)ws_rng_below(rng, 4);
	t->m.coalesce_line = WS_LINE_MAX;
	t->count = 1 + ws_rng_below(rng, MOST);
	stream_fill(rng, &t->m.l1, LINES, 4, 1, t->r, t->count);
	for (size_t i = 0; i < t->count; i++) {
		cycle += ws_rng_below(rng, 1 + ws_rng_below(rng, 60));
		t->r[i].cycle = cycle;
	}
	t->stats = (struct ws_order_stats){ .cycles = cycle + 1, .warp_instructions = t->count,
					    .issued = 2 * t->count, .waits = t->count / 2,
					    .resident_ctas = 2 };
	/* Fetches that take as long as cells begin with. */
	t->m.l2.latency_cycles = ws_cell_first(16 + (uint32_t)ws_rng_below(rng, 80),
					       WS_FILL_REUSE_BITS);
	t->m.dram_latency_cycles = ws_cell_first(100 + (uint32_t)ws_rng_below(rng, 20),
						 WS_FILL_REUSE_BITS) - t->m.l2.latency_cycles;
}

/* Loads and stores that hit less than `fetch` cycles after the fetch. */
static void count(const struct made *t, uint64_t fetch, double share, double *pending)
{
	uint64_t cycles[MOST];

	ref_intervals(&t->m.l1, (unsigned)t->m.l1.ways, t->r, t->count, cycles);
	for (size_t i = 0; i < t->count; i++)
		if (cycles[i] < fetch)
			pending[t->r[i].kind] += share;
}

static bool pending_agrees(struct ws_rng *rng, struct made *t)
{
	uint64_t hit, miss;
	double pending[WS_KINDS] = { 0 }, asked, share;
	struct ws_timing timing;
	struct ws_profile *p;
	bool ok;

	some(rng, t);
	hit = t->m.l2.latency_cycles;
	miss = hit + t->m.dram_latency_cycles;
	p = profile(t, false);
	ok = ask(p, &t->m, &timing) && sound(&timing) && timing.l2_assumed;
	ws_profile_free(p);
	asked = (double)(timing.l1.kind[WS_LOAD].misses + timing.l1.kind[WS_ATOMIC].misses);
	share = asked > 0 ? (double)timing.l1.kind[WS_LOAD].cold / asked : 0;
	count(t, hit, 1 - share, pending);
	count(t, miss, share, pending);
	for (unsigned kind = 0; kind < WS_KINDS; kind++) {
		double got = (double)timing.l1.kind[kind].pending;

		if (fabs(got - pending[kind]) > 0.5 + 1e-6) {
			printf("# %s: %.0f pending, not %.3f\n", ws_kind_names[kind], got,
			       pending[kind]);
			ok = false;
		}
	}
	return ok;
}

static void test_pending(struct made *t, uint64_t seed)
{
	const unsigned rounds = 300;
	unsigned i = 0;
	struct ws_rng rng;

	ws_rng_seed(&rng, seed);
	while (i < rounds && pending_agrees(&rng, t))
		i++;
	test_ok(i == rounds, "%u streams: pending hits at cell boundaries as in a simulation", i);
}

/* ---- by hand ------------------------------------------------------------------------- */

static void hand_stream(struct made *t, unsigned first)
{
	static const uint64_t cycle[] = { 100, 110, 163, 164, 900 };

	t->count = WS_COUNT(cycle);
	for (size_t i = 0; i < t->count; i++)
		t->r[i] = (struct ws_request){ .address = 4096, .sectors = 1, .cycle = cycle[i],
					       .kind = (uint8_t)(i ? WS_LOAD : first) };
	t->stats = (struct ws_order_stats){ .cycles = 1000, .warp_instructions = 5, .issued = 10,
					    .waits = 5, .resident_ctas = 1 };
}

/* A fetch takes 64 cycles, whatever the L2 does. */
static void test_by_hand(struct made *t)
{
	struct ws_timing timing = { .cycles = 0 };
	struct ws_profile *p;

	t->m.l1.write = WS_WRITE_BACK;
	t->m.l2.latency_cycles = 64;
	t->m.dram_latency_cycles = 0;
	hand_stream(t, WS_LOAD);
	p = profile(t, false);
	test_ok(ask(p, &t->m, &timing) && sound(&timing), "by hand");
	/* 110 and 163 come before 164. */
	test_u64(timing.l1.kind[WS_LOAD].pending, 2, "pending");
	test_u64(timing.l1.kind[WS_LOAD].hits, 2, "hits");
	test_u64(timing.l1.kind[WS_LOAD].misses, 1, "misses");
	test_ok(fabs(timing.fetch_cycles - 64) < 1e-9, "fetch: %g", timing.fetch_cycles);
	/* They wait 54 cycles and, in a cell of the intervals 62 and 63, half a one more than 1. */
	test_ok(fabs(timing.access_cycles - (35 + (64 + 54 + 1.5) / 5)) < 1e-9, "access: %g",
		timing.access_cycles);
	t->m.l1.mshr_merge = 2;
	test_ok(ask(p, &t->m, &timing) && sound(&timing), "merge 2");
	test_u64(timing.l1.kind[WS_LOAD].pending, 1, "one may wait");
	t->m.l1.mshr_merge = 4096;
	ws_profile_free(p);
	hand_stream(t, WS_STORE);
	p = profile(t, false);
	test_ok(ask(p, &t->m, &timing) && sound(&timing), "after a store");
	test_u64(timing.l1.kind[WS_KINDS].pending, 0, "what a store brought is there");
	ws_profile_free(p);
}

/* What stands in the way of all warps, in a kernel whose warps wait for nothing. */
static double latency_bound(const struct ws_profile *p, const struct ws_machine *m,
			    enum ws_alloc_when alloc, uint64_t merge)
{
	struct ws_timing timing = { .cycles = 0 };
	struct ws_machine other = *m;

	other.l1.alloc = alloc;
	other.l1.mshr_merge = merge;
	return ask(p, &other, &timing) && sound(&timing) ? timing.bound[WS_BOUND_LATENCY] : -1;
}

/* One set of one way, and a fetch takes 64 cycles: b comes 20 cycles after a, which two
 * more ask for meanwhile. */
static void test_stand(struct made *t)
{
	static const uint64_t cycle[] = { 100, 110, 115, 120 };
	struct ws_machine was = t->m;
	struct ws_profile *p;
	double free, some;

	t->m.l1.sets = t->m.l1.ways = 1;
	t->m.l1.size_bytes = t->m.l1.line_bytes;
	t->m.l1.hash = ws_hash_find("modulo");
	t->m.l2.latency_cycles = 64;
	t->m.dram_latency_cycles = 0;
	t->count = WS_COUNT(cycle);
	for (size_t i = 0; i < t->count; i++)
		t->r[i] = (struct ws_request){ .address = i < 3 ? 4096 : 8192, .sectors = 1,
					       .cycle = cycle[i], .kind = WS_LOAD };
	t->stats = (struct ws_order_stats){ .cycles = 1000, .warp_instructions = 4, .issued = 10,
					    .resident_ctas = 1 };
	p = profile(t, false);
	free = latency_bound(p, &t->m, WS_ALLOC_ON_FILL, 4096);
	/* 44 cycles are left; two fetches through one way take 128. */
	some = latency_bound(p, &t->m, WS_ALLOC_ON_MISS, 4096) - free;
	test_ok(fabs(some - 44.0 * 128 / (44 + 128)) < 1e-6, "a full set: %g cycles", some);
	/* One waits for a fetch on average, so three requests and more with chance 1/4. */
	some = latency_bound(p, &t->m, WS_ALLOC_ON_FILL, 2) - free;
	test_ok(fabs(some - 2 * 64 / 4.0) < 1e-6, "full MSHRs: %g cycles", some);
	ws_profile_free(p);
	t->m = was;
}

/* One line, stored to n times, a packet a cycle; nobody waits. */
static double send_bound(struct made *t, unsigned n)
{
	struct ws_timing timing = { .cycles = 0 };
	struct ws_profile *p;

	t->count = n;
	for (size_t i = 0; i < t->count; i++)
		t->r[i] = (struct ws_request){ .address = 4096, .sectors = 1, .cycle = 10 * i,
					       .kind = WS_STORE };
	t->stats = (struct ws_order_stats){ .cycles = 10 * n, .warp_instructions = n,
					    .issued = 2 * n, .resident_ctas = 1 };
	p = profile(t, false);
	test_ok(ask(p, &t->m, &timing) && sound(&timing), "%u stores", n);
	ws_profile_free(p);
	return timing.bound[WS_BOUND_SEND];
}

static void test_send(struct made *t)
{
	struct ws_machine was = t->m;

	t->m.l1.write = WS_WRITE_EVICT;
	t->m.icnt_width = 4096;
	t->m.icnt_latency_cycles = 24;
	t->m.l1_queue = 8;
	t->m.icnt_credits = 48;
	/* The last eight are in the queue when the launch ends; of 40 none needs a credit twice. */
	test_ok(fabs(send_bound(t, 8)) < 1e-9 && fabs(send_bound(t, 48) - 40) < 1e-9,
		"what is left in the queue");
	t->m.icnt_credits = 4;
	/* 36 want one of 4 that come back after 48 cycles. */
	test_ok(fabs(send_bound(t, 48) - (4 + 36 * 48 / 4.0)) < 1e-9, "credits");
	t->m = was;
}

/* Each warp waits once, or twice as often, or 64 times: the share that nothing hides. */
static void test_alone(struct made *t)
{
	static const unsigned waits[] = { 8, 16, 512 };
	bool ok = true;

	hand_stream(t, WS_LOAD);
	for (unsigned i = 0; i < WS_COUNT(waits); i++) {
		double latency, most = 0, sum = 0, hidden, alone = 8.0 / waits[i];
		struct ws_timing timing;
		struct ws_profile *p;

		t->stats = (struct ws_order_stats){ .cycles = 1000, .warp_instructions = 5,
						    .issued = 600, .waits = waits[i],
						    .resident_ctas = 4 };
		p = profile(t, false);
		ok = ok && ask(p, &t->m, &timing) && sound(&timing);
		ws_profile_free(p);
		latency = timing.bound[WS_BOUND_LATENCY];
		for (unsigned b = 0; b < WS_BOUNDS; b++) {
			most = b == WS_BOUND_LATENCY ? most : fmax(most, timing.bound[b]);
			sum += pow(timing.bound[b], 4);
		}
		hidden = pow(sum, 0.25);
		ok = ok && fabs(timing.cycles - (hidden * (1 - alone) + (latency + most) * alone)) <
			   1e-6 * timing.cycles;
	}
	test_ok(ok, "first waits are hidden by nothing");
}

/* ---- all bounds by hand ---------------------------------------------------------------- */

/* Adds loads, stores or atomics of one line each. */
static void ask_for(struct made *t, enum ws_kind kind, uint32_t sectors, uint64_t line, unsigned n)
{
	for (; n--; line++, t->count++)
		t->r[t->count] = (struct ws_request){
			.address = 65536 + line * 128, .sectors = sectors,
			.cycle = 10000 * t->count, .kind = (uint8_t)kind };
}

/* One SM's share of a kernel, each request long after the one before, so that none is pending.  Of
 * the L1 (2 sets of 2 ways, write-evict) lines 0, 2 and 4 are in one set: 0 comes back and misses.
 * The L2 (2 slices of 1 set of 8 ways, write-back) has it still.
 *
 *              requests  miss in L1   of sectors  miss in L2
 *   loads      13        12           4           11
 *   stores     9         (sent) 9     2           9
 *   atomics    3         (sent) 3     1           3
 *
 * The L2 holds 16 lines of the 23 it misses, so 7 are thrown out, and 9 in 23 of these were
 * stored to. */
static void bounds_stream(struct made *t)
{
	t->count = 0;
	ask_for(t, WS_LOAD, 15, 0, 1);
	ask_for(t, WS_LOAD, 15, 2, 1);
	ask_for(t, WS_LOAD, 15, 4, 1);
	ask_for(t, WS_LOAD, 15, 0, 1);
	ask_for(t, WS_LOAD, 15, 8, 8);
	ask_for(t, WS_LOAD, 15, 15, 1);
	ask_for(t, WS_STORE, 3, 32, 9);
	ask_for(t, WS_ATOMIC, 1, 64, 3);
	t->stats = (struct ws_order_stats){ .cycles = 250000, .warp_instructions = 10,
					    .issued = 100, .waits = 12, .resident_ctas = 2 };
}

/* The profile's own L1 has one set, which it has no counts of: nothing is scaled. */
static void bounds_machine(struct made *t)
{
	t->m.sm_count = 3;
	t->m.l1.write = WS_WRITE_EVICT;
	t->m.l1.sets = 1;
	t->m.l1.ways = 2;
	t->m.l1.size_bytes = 256;
	t->m.l1.hash = ws_hash_find("modulo");
	t->m.l1.alloc = WS_ALLOC_ON_FILL;
	t->m.l1.mshr_entries = 7;
	t->m.l1_banks = 4;
	t->m.l1_queue = 2;
	t->m.l2_slices = 2;
	t->m.l2.sets = 1;
	t->m.l2.size_bytes = 2048;
	t->m.l2.latency_cycles = 120;
	t->m.dram_latency_cycles = 230;
	t->m.dram_bandwidth = 7;
	t->m.dram_atom = 32;
	t->m.icnt_width = 4;
	t->sets = 2;
}

/* The busiest of 3 SMs has 2 of 4 CTAs, half of the work, and 4 warps.  A packet is 8 bytes and its
 * sectors' 32 each, in cycles of 4 bytes: 34 with 4 sectors, 18 with 2, 10 with 1. */
static void bounds_answers(double *want)
{
	/* 15 fetches wait for the L2, 14 of them for DRAM. */
	double fetch = 120 + 14 / 15.0 * 230;
	/* 2.5 requests each, over 4 banks; 12 of 13 loads miss, 3 requests of 16 are atomics. */
	double load = (1 - pow(1 / 13.0, pow(2.5, 0.2))) * fetch;
	double wait = 35 + 1.5 / 4 + 13 / 16.0 * load + 3 / 16.0 * fetch;

	want[WS_BOUND_ISSUE] = 100 / 2.0 / 2;		/* schedulers */
	want[WS_BOUND_LSU] = (10 + 15 / 4.0) / 2;	/* ten, and the rest over 4 banks */
	want[WS_BOUND_LATENCY] = (100 + 12 * wait) / 2 / 4; /* warps */
	want[WS_BOUND_MSHR] = 12 / 2.0 * fetch / 7;
	/* Half of 12 + 9 * 18 + 3 * 10 cycles for 24 packets, but for the 2 that are left. */
	want[WS_BOUND_SEND] = 102 * 10 / 12.0;
	want[WS_BOUND_RECEIVE] = (12 * 34 + 3 * 10) / 2.0;
	/* Lines of 11 loads and 9 stores are in both slices, of 3 atomics in 1.5 of 256 bytes. */
	want[WS_BOUND_L2] = 12 / 2.0 + 9 / 2.0 + 3 / 1.5;
	want[WS_BOUND_REPLY] = 12 * 34 / 2.0 + 3 * 10 / 1.5;
	/* 14 fetches of 4 sectors; written back 7 * 9 / 23 lines of 2. */
	want[WS_BOUND_DRAM] = (14 * 4 + 63 / 23.0 * 2) * 32 / 7;
}

static void test_bounds(struct made *t)
{
	struct ws_machine was = t->m;
	double want[WS_BOUNDS];
	struct ws_timing timing = { .cycles = 0 };
	struct ws_profile *p;

	for (unsigned i = 0; i < WS_BOUNDS; i++)
		want[i] = (double)NAN;
	bounds_answers(want);
	bounds_machine(t);
	bounds_stream(t);
	t->order = WS_ORDER_CYCLES;
	p = profile(t, true);
	t->m.l1.sets = 2;
	t->m.l1.size_bytes = 512;
	test_ok(ask(p, &t->m, &timing) && sound(&timing) && timing.anchor_cycles <= 0,
		"bounds by hand");
	ws_profile_free(p);
	for (unsigned i = 0; i < WS_BOUNDS; i++)
		test_abs(timing.bound[i], want[i], 1e-9 * want[i], ws_bound_rows[i].what);
	/* Of its own machine it is known that it took 10^9 cycles.  The front is scaled by 4 at
	 * most. */
	t->stats.cycles = 1000000000;
	p = profile(t, true);
	test_ok(ask(p, &t->m, &timing), "a front that is not enough");
	ws_profile_free(p);
	test_abs(timing.bound[WS_BOUND_ISSUE], 4 * 25, 1e-9, "four times as many");
	test_abs(timing.bound[WS_BOUND_RECEIVE], 1.25 * want[WS_BOUND_RECEIVE],
		 1e-9 * want[WS_BOUND_RECEIVE], "the memory by a quarter");
	test_abs(timing.cycles, 1e9, 1, "the rest scales all");
	/* DRAM takes by far the most, and the first waits; it took a tenth more than that. */
	t->m.dram_bandwidth = 1;
	t->stats.cycles =
		(uint64_t)(1.1 * (7 * want[WS_BOUND_DRAM] + want[WS_BOUND_LATENCY] / 1.5));
	p = profile(t, true);
	test_ok(ask(p, &t->m, &timing), "a bandwidth that is less than it looks");
	ws_profile_free(p);
	test_abs(timing.bound[WS_BOUND_ISSUE], 25, 0.05, "the front is as it is");
	test_abs(timing.bound[WS_BOUND_DRAM] / (7 * want[WS_BOUND_DRAM]), 1.1, 0.03,
		 "the bandwidth has it");
	t->order = WS_ORDER_NOMINAL;
	t->sets = 0;
	t->m = was;
}

/* ---- which way ----------------------------------------------------------------------- */

static struct ws_timing with(const struct ws_profile *p, const struct ws_machine *m,
			     const char *assignment, bool *ok)
{
	struct ws_machine other = *m;
	struct ws_timing t = { .cycles = 0 };
	struct ws_err err = { 0 };

	*ok = *ok && !ws_machine_set(&other, assignment, &err) &&
	      !ws_machine_check(&other, &err) && ask(p, &other, &t) && sound(&t);
	return t;
}

/* From the first value to the second no fewer pending hits, no faster. */
static bool slower(const struct ws_profile *p, const struct ws_machine *m, const char *from,
		   const char *to)
{
	bool ok = true;
	struct ws_timing a = with(p, m, from, &ok), b = with(p, m, to, &ok);

	ok = ok && b.l1.kind[WS_KINDS].pending >= a.l1.kind[WS_KINDS].pending &&
	     b.access_cycles >= a.access_cycles * (1 - 1e-9) &&
	     b.cycles >= a.cycles * (1 - 1e-9);
	if (!ok)
		printf("# %s to %s: %g to %g cycles\n", from, to, a.cycles, b.cycles);
	return ok;
}

static bool ways_it_goes(struct ws_rng *rng, struct made *t)
{
	struct ws_profile *p;
	struct ws_timing timing;
	bool ok, l2 = ws_rng_below(rng, 2);

	some(rng, t);
	t->m.l1.given = 0;
	p = profile(t, l2);
	ok = ask(p, &t->m, &timing) && timing.l2_assumed == !l2 && timing.cycles > 0 &&
	     slower(p, &t->m, "l2.latency=60", "l2.latency=200") &&
	     slower(p, &t->m, "dram.latency=100", "dram.latency=600") &&
	     slower(p, &t->m, "dram.bandwidth=400", "dram.bandwidth=2") &&
	     slower(p, &t->m, "l1.mshr=64", "l1.mshr=1") &&
	     slower(p, &t->m, "l1.alloc=on-fill", "l1.alloc=on-miss") &&
	     slower(p, &t->m, "l1.mshr=2", "l1.mshr=1") &&
	     slower(p, &t->m, "icnt.width=64", "icnt.width=4") &&
	     slower(p, &t->m, "l1.banks=4", "l1.banks=1");
	with(p, &t->m, "l1.policy=fifo", &ok);
	with(p, &t->m, "l1.policy=random", &ok);
	ws_profile_free(p);
	return ok;
}

static void test_ways(struct made *t, uint64_t seed)
{
	const unsigned rounds = 100;
	unsigned i = 0;
	struct ws_rng rng;

	ws_rng_seed(&rng, seed);
	while (i < rounds && ways_it_goes(&rng, t))
		i++;
	test_ok(i == rounds, "%u streams: sums, and slower machines are slower", i);
}

/* ---- what the simulation took -------------------------------------------------------- */

static bool anchored(struct ws_rng *rng, struct made *t)
{
	bool ok, l2 = ws_rng_below(rng, 2);
	struct ws_timing timing;
	struct ws_profile *p;
	double took;

	some(rng, t);
	t->m.l1.given = 0;
	t->stats.cycles <<= ws_rng_below(rng, 8);
	took = (double)t->stats.cycles;
	p = profile(t, l2);
	ok = ask(p, &t->m, &timing) && fabs(timing.cycles - took) < 1e-6 * took &&
	     fabs(timing.anchor_cycles - took) < 1e-9 &&
	     slower(p, &t->m, "dram.latency=100", "dram.latency=600") &&
	     slower(p, &t->m, "dram.bandwidth=400", "dram.bandwidth=2") &&
	     slower(p, &t->m, "l1.mshr=64", "l1.mshr=1");
	if (!ok)
		printf("# %g cycles for %g\n", timing.cycles, took);
	ws_profile_free(p);
	/* Its own geometry is not in the profile. */
	t->sets = t->m.l1.sets * 2;
	p = profile(t, false);
	t->m.l1.sets *= 2;
	t->m.l1.size_bytes *= 2;
	ok = ok && ask(p, &t->m, &timing) && timing.cycles > 0 && timing.anchor_cycles <= 0;
	ws_profile_free(p);
	t->sets = 0;
	return ok;
}

static void test_anchor(struct made *t, uint64_t seed)
{
	const unsigned rounds = 100;
	unsigned i = 0;
	struct ws_rng rng;

	t->order = WS_ORDER_CYCLES;
	ws_rng_seed(&rng, seed);
	while (i < rounds && anchored(&rng, t))
		i++;
	t->order = WS_ORDER_NOMINAL;
	test_ok(i == rounds, "%u streams: cycles follow from what the own machine took", i);
}

/* ---- what cannot be said ------------------------------------------------------------- */

static void test_errors(struct made *t)
{
	struct ws_model *a = NULL;
	struct ws_timing timing;
	struct ws_profile *p;
	struct ws_err err = { 0 };

	hand_stream(t, WS_LOAD);
	t->stats.issued = t->stats.waits = 0;
	p = profile(t, false);
	test_ok(ask(p, &t->m, &timing) && timing.cycles <= 0 && timing.access_cycles > 0,
		"an untimed order has no cycles");
	if (p) {
		free(p->section->geometry->detail->fill_reuse[WS_LOAD].entry);
		free(p->section->geometry->detail);
		p->section->geometry->detail = NULL;
		test_ok(!ws_model_new(&a, p, &err) &&
			ws_model_timing(a, 0, &t->m, &timing, &err) == WS_EINVAL &&
			strstr(err.text, "distances alone"), "no intervals: %s", err.text);
		ws_model_free(a);
	}
	ws_profile_free(p);
}

int main(void)
{
	uint64_t seed = test_seed(20261206);
	static struct made t;

	if (!machine(&t.m))
		return test_done();
	test_by_hand(&t);
	test_stand(&t);
	test_send(&t);
	test_alone(&t);
	test_bounds(&t);
	test_errors(&t);
	test_pending(&t, seed);
	test_ways(&t, seed + 1);
	test_anchor(&t, seed + 2);
	return test_done();
}
