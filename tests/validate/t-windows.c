/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/validate/t-windows.c -- the cycle simulator's result does not depend on the number of
 * threads nor on the length of windows: counts, sites, samples and requests of random traces on
 * random machines, byte for byte.  And what must hold of any result: sums, and packets conserved.
 */
#include <stdlib.h>

#include "tests/test.h"
#include "tests/validate/written.h"
#include "validate/cycle/cycle.h"

#define CASES 24u
#define CTAS 24u
#define LANES 96u	/* of a CTA: 3 warps of 32 */
#define STEPS 8u
#define LAUNCHES 2u

static struct ws_array arrays[3] = {
	{ .base = 0x10000, .bytes = 0x4000 }, { .base = 0x20000, .bytes = 0x8000 },
	{ .base = 0x40000, .bytes = 0x1000 },
};
static char names[3][2] = { "a", "b", "c" }, kernels[LAUNCHES][6] = { "first", "other" };
static struct ws_instruction instructions[4] = {
	{ .kind = WS_LOAD, .bytes = 4, .array = 0, .use = 2 },
	{ .kind = WS_LOAD, .bytes = 8, .array = WS_NO_ARRAY, .use = 1, .gap = 2 },
	{ .kind = WS_STORE, .bytes = 4, .array = WS_NO_ARRAY, .gap = 3 },
	{ .kind = WS_ATOMIC, .bytes = 4, .array = 2, .use = 1 },
};
static struct ws_segment segments[2] = { { .first = 0, .count = 3, .tail = 1, .barrier = true },
					 { .first = 3, .count = 1 } };

static struct ws_launch launch_make(size_t number)
{
	for (size_t i = 0; i < 3; i++)
		arrays[i].name = names[i];
	return (struct ws_launch){
		.kernel = kernels[number], .grid = { CTAS, 1, 1 }, .block = { LANES, 1, 1 },
		.array = arrays, .arrays = 3, .instruction = instructions, .instructions = 4,
		.segment = segments, .segments = 2, .ctas = CTAS,
	};
}

static void steps(struct ws_encoder *e, uint64_t cta, struct ws_rng *rng)
{
	static uint64_t room[3][LANES];
	const uint64_t *address[3] = { room[0], room[1], room[2] };
	const uint64_t mask[2] = { UINT64_MAX, UINT32_MAX };
	uint64_t count = 1 + ws_rng_below(rng, STEPS);

	(void)cta;
	for (uint64_t s = 0; s < count; s++) {
		uint64_t stride = 4u << ws_rng_below(rng, 6), from = ws_rng_below(rng, 64) * 128;
		bool atomic = ws_rng_below(rng, 4) == 0;

		for (uint64_t lane = 0; lane < LANES; lane++) {
			const struct ws_array *any = &arrays[ws_rng_below(rng, 2)];

			room[0][lane] = atomic ? arrays[2].base + ws_rng_below(rng, 32) * 32
				: arrays[0].base + (from + lane * stride) % arrays[0].bytes;
			room[1][lane] = arrays[1].base + (from + lane * 8) % arrays[1].bytes;
			room[2][lane] = any->base + (from * 2 + lane * stride) % any->bytes;
		}
		ws_encoder_step(e, atomic, mask, address);
	}
}

static const struct written trace = { launch_make, steps, LAUNCHES };

static const char *const choices[][5] = {
	{ "sm.count=1", "sm.count=2", "sm.count=3", "sm.count=7" },
	{ "sm.scheduler=lrr", "sm.scheduler=gto", "sm.scheduler=two-level" },
	{ "sm.ctas=1", "sm.ctas=2", "sm.ctas=8" },
	{ "sm.assign=dynamic", "sm.assign=random", "sm.assign=round-robin" },
	{ "l1.size=2K", "l1.size=4K", "l1.size=16K" },
	{ "l1.sector=32", "l1.sector=128" },
	{ "l1.policy=lru", "l1.policy=random", "l1.policy=fifo" },
	{ "l1.write=write-evict", "l1.write=write-through", "l1.write=write-back",
	  "l1.write=write-through-allocate" },
	{ "l1.alloc=on-miss", "l1.alloc=on-fill" },
	{ "l1.banks=1", "l1.banks=2", "l1.banks=4" },
	{ "l1.queue=1", "l1.queue=4", "l1.queue=16" },
	{ "l1.mshr=1", "l1.mshr=4", "l1.mshr=64" },
	{ "l1.mshr.merge=1", "l1.mshr.merge=4" },
	{ "l2.mshr=1", "l2.mshr=4", "l2.mshr=64" },
	{ "l2.mshr.merge=1", "l2.mshr.merge=4" },
	{ "l2.size=24K", "l2.size=96K", "l2.size=768K" },
	{ "l2.policy=lru", "l2.policy=random", "l2.policy=srrip" },
	{ "l2.write=write-back", "l2.write=write-through", "l2.write=write-evict" },
	{ "l2.start=cold", "l2.start=warm", "l2.start=copies", "l2.start=keep" },
	{ "l2.latency=4", "l2.latency=50", "l2.latency=120" },
	{ "icnt.latency=0", "icnt.latency=5", "icnt.latency=21" },
	{ "icnt.width=4", "icnt.width=32", "icnt.width=1024" },
	{ "icnt.credits=1", "icnt.credits=4", "icnt.credits=64" },
	{ "dram.bandwidth=1", "dram.bandwidth=253", "dram.bandwidth=5000" },
	{ "dram.latency=0", "dram.latency=100" },
	{ "dram.channels=0", "dram.channels=1", "dram.channels=6" },
};

static bool machine_make(struct ws_machine *m, struct ws_rng *rng, struct ws_err *err)
{
	if (ws_machine_load(m, "gtx480", err))
		return false;
	for (size_t i = 0; i < WS_COUNT(choices); i++) {
		uint64_t n = 0;

		while (n < 5 && choices[i][n])
			n++;
		if (ws_machine_set(m, choices[i][ws_rng_below(rng, n)], err))
			return false;
	}
	return !ws_machine_check(m, err);
}

/* ---- what a run says ------------------------------------------------------------------------ */

struct seen {
	uint64_t sum, samples, issued[8]; /* sum: of samples, in their order */
	uint64_t request[8];		/* of SMs, in their order */
	uint64_t progress, done;
};

static void mix(uint64_t *sum, const void *data, size_t len)
{
	const unsigned char *p = data;

	for (size_t i = 0; i < len; i++)
		*sum = (*sum ^ p[i]) * 0x100000001b3u;
}

static void see_sample(void *context, const struct ws_cycle_sample *s)
{
	struct seen *seen = context;

	mix(&seen->sum, s, sizeof *s); /* nothing but 64-bit numbers */
	seen->issued[s->sm] += s->issued;
	seen->samples++;
}

static enum ws_status see_requests(void *context, uint64_t sm, const struct ws_request *r,
				   size_t count, struct ws_err *err)
{
	struct seen *seen = context;

	(void)err;
	for (size_t i = 0; i < count; i++) {
		mix(&seen->request[sm], &r[i].address, sizeof r->address);
		mix(&seen->request[sm], &r[i].cycle, sizeof r->cycle);
		mix(&seen->request[sm], &r[i].cta, sizeof r->cta);
	}
	return WS_OK;
}

static void see_progress(void *context, uint64_t done, uint64_t total)
{
	struct seen *seen = context;

	seen->progress += done <= total && done > seen->done;
	seen->done = done;
}

struct outcome {
	struct ws_cycle_result *r;
	size_t launches;
	struct seen seen;
};

static bool run(struct outcome *o, const struct ws_trace *t, const struct ws_machine *m,
		unsigned threads, uint64_t window)
{
	struct ws_sink sink = { .context = &o->seen, .requests = see_requests };
	const struct ws_cycle_options options = {
		.seed = 3, .threads = threads, .sites = true, .period = 40, .sample = see_sample,
		.sink = &sink, .progress = see_progress, .context = &o->seen,
	};
	struct ws_err err = { 0 };

	*o = (struct outcome){ .r = NULL };
	if (!ws_cycles_windows(&o->r, &o->launches, t, m, &options, window, &err))
		return true;
	printf("# %s\n", err.text);
	return false;
}

static bool equal(const struct ws_cycle_result *x, const struct ws_cycle_result *y)
{
	return x->cycles == y->cycles && x->sites == y->sites && x->sms == y->sms &&
	       x->launch == y->launch && !strcmp(x->kernel, y->kernel) &&
	       !memcmp(x->sm, y->sm, x->sms * sizeof *x->sm) &&
	       !memcmp(x->slice, y->slice, x->slices * sizeof *x->slice) &&
	       !memcmp(x->site, y->site, x->sites * sizeof *x->site);
}

static bool same(const struct outcome *a, const struct outcome *b)
{
	bool good = a->launches == b->launches && a->seen.sum == b->seen.sum &&
		    a->seen.samples == b->seen.samples &&
		    !memcmp(a->seen.request, b->seen.request, sizeof a->seen.request);

	for (size_t i = 0; good && i < a->launches; i++)
		good = equal(&a->r[i], &b->r[i]);
	return good;
}

/* ---- launch by launch ------------------------------------------------------------------- */

struct told {
	const struct outcome *kept;
	size_t launches, equal, stop; /* stop: after so many, with an error */
};

static enum ws_status hear(void *context, const struct ws_cycle_result *r, struct ws_err *err)
{
	struct told *t = context;

	t->equal += t->launches < t->kept->launches && equal(r, &t->kept->r[t->launches]);
	return ++t->launches == t->stop ? ws_fail(err, WS_EINVAL, "enough") : WS_OK;
}

/* Results told are those returned, nothing is returned then, and an error ends it. */
static bool tells(const struct outcome *kept, const struct ws_trace *t, const struct ws_machine *m)
{
	struct told told = { .kept = kept }, stopped = { .kept = kept, .stop = 1 };
	struct ws_cycle_options options = { .seed = 3, .threads = 1, .sites = true,
					    .launched = hear, .context = &told };
	struct ws_cycle_result *r = NULL;
	struct ws_err err = { 0 };
	size_t launches = 9;
	bool good = !ws_cycles_run(&r, &launches, t, m, &options, &err) && !r && !launches &&
		    told.launches == kept->launches && told.equal == told.launches;

	options.context = &stopped;
	return good && ws_cycles_run(&r, &launches, t, m, &options, &err) == WS_EINVAL && !r &&
	       !strcmp(err.text, "enough") && stopped.launches == 1;
}

/* ---- what holds of any ---------------------------------------------------------------- */

static bool adds_up(const struct ws_cycle_counts *n)
{
	return n->requests == n->hits + n->pending + n->misses && n->sector_misses <= n->misses;
}

static bool sound(const struct ws_cycle_result *r, const struct ws_machine *m)
{
	struct ws_cycle_counts l1[WS_KINDS + 1], l2[WS_KINDS + 1], part1 = { 0 }, part2 = { 0 };
	struct ws_core_stats sum;
	uint64_t stalls = 0;
	bool good = true;

	ws_cycle_l1(r, l1);
	ws_cycle_l2(r, l2);
	ws_cycle_sm(r, &sum);
	for (size_t k = 0; k <= WS_KINDS; k++)
		good = good && adds_up(&l1[k]) && adds_up(&l2[k]);
	for (size_t k = 0; k < WS_STALLS; k++)
		stalls += sum.stalls[k];
	good = good && sum.slots == sum.issued + stalls &&
	       sum.slots == r->cycles * m->sm_count * m->sm_schedulers;
	good = good && sum.sent_packets == l2[WS_KINDS].requests;
	good = good && sum.received_packets == l2[WS_LOAD].requests + l2[WS_ATOMIC].requests;
	for (size_t i = 0; i < r->sites; i++) {
		good = good && adds_up(&r->site[i].l1) && adds_up(&r->site[i].l2);
		part1.requests += r->site[i].l1.requests;
		part1.misses += r->site[i].l1.misses;
		part2.requests += r->site[i].l2.requests;
	}
	/* Lines thrown out of the L1 are no instruction's. */
	return good && part1.requests == l1[WS_KINDS].requests &&
	       part1.misses == l1[WS_KINDS].misses && part2.requests <= l2[WS_KINDS].requests &&
	       (m->l1.write == WS_WRITE_BACK || part2.requests == l2[WS_KINDS].requests) &&
	       ws_cycle_latency(&sum, 1) >= sum.latency_sum / (sum.loads ? sum.loads : 1);
}

static void one(uint64_t number, struct ws_rng *rng)
{
	static const struct { unsigned threads; uint64_t window; } other[] = {
		{ 1, 1 }, { 1, 3 }, { 2, 0 }, { 5, 2 },
	};
	struct ws_err err = { 0 };
	struct ws_trace *t = written(&trace, rng);
	struct ws_machine m;
	struct outcome first;
	bool good = t && machine_make(&m, rng, &err), holds = true, ends = true;

	if (!good || !run(&first, t, &m, 1, 0)) {
		test_ok(false, "case %" PRIu64 " runs %s", number, err.text);
		ws_trace_close(t);
		return;
	}
	for (size_t i = 0; i < WS_COUNT(other); i++) {
		struct outcome o;
		bool agrees = run(&o, t, &m, other[i].threads, other[i].window) && same(&first, &o);

		if (!agrees)
			printf("# case %" PRIu64 ": %u threads, windows of %" PRIu64 " differ\n",
			       number, other[i].threads, other[i].window);
		good = good && agrees;
		ws_cycle_results_free(o.r, o.launches);
	}
	for (size_t i = 0; i < first.launches; i++)
		holds = holds && sound(&first.r[i], &m);
	for (size_t sm = 0; sm < m.sm_count; sm++)
		ends = ends && first.seen.issued[sm] ==
			first.r[0].sm[sm].issued + first.r[1].sm[sm].issued;
	test_ok(good, "case %" PRIu64 ": the same in any windows and threads", number);
	test_ok(holds, "case %" PRIu64 ": sums", number);
	test_ok(ends && first.seen.done == LAUNCHES * CTAS, "case %" PRIu64 ": samples add up, "
		"progress ends", number);
	test_ok(tells(&first, t, &m), "case %" PRIu64 ": results launch by launch", number);
	ws_cycle_results_free(first.r, first.launches);
	ws_trace_close(t);
}

int main(void)
{
	struct ws_rng rng;

	ws_rng_seed(&rng, test_seed(1));
	for (uint64_t i = 0; i < CASES; i++)
		one(i, &rng);
	return test_done();
}
