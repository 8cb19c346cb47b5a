/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/validate/t-late.c -- L1s whose data comes when it does, lines allocated on a miss, and then
 * reserved, or on a fill: in the order of a simulation of the very machine, with a sample of all
 * sets and their times, the model misses what the simulation misses, of each kind, for every policy
 * that draws nothing; a sample of some sets has it in its interval; and without times LRU is exact.
 */
#include "model/model.h"
#include "tests/validate/sides.h"
#include "validate/cycle/run.h"

#define ROUNDS 300u

struct measured {		/* by an order of cycles */
	struct ws_machine m;
	struct ws_profile *profile;
	struct ws_cycle_counts l1[WS_KINDS + 1];
};

static uint64_t between(struct ws_rng *rng, uint64_t low, uint64_t high)
{
	return low + ws_rng_below(rng, high - low + 1);
}

static bool draws(const struct ws_policy *p)
{
	static const char *const names[] = { "random", "brrip", "brrip-kumar", "drrip", "bip",
					     "dip", "prob" };

	for (size_t i = 0; i < WS_COUNT(names); i++)
		if (strcmp(p->name, names[i]) == 0)
			return true;
	return p->offline || !p->victim;
}

static void random_policy(struct ws_cache *c, struct ws_rng *rng)
{
	struct ws_use use;
	size_t n = 0;

	while (ws_policies[n])
		n++;
	snprintf(c->policy, sizeof c->policy, "%s", ws_policies[ws_rng_below(rng, n)]->name);
	if (ws_rng_below(rng, 3) == 0 || ws_use_parse(&use, c->policy, NULL) ||
	    draws(use.policy) || (use.policy->check && use.policy->check(&use, c, NULL)))
		snprintf(c->policy, sizeof c->policy, "lru");
}

static struct ws_machine random_machine(struct ws_rng *rng)
{
	struct ws_machine m = small_machine();
	struct ws_cache *c = &m.l1;

	m.sm_count = between(rng, 1, 3);
	m.l1_parts = between(rng, 1, 2);
	m.sm_schedulers = between(rng, 1, 3);
	m.sm_scheduler = (enum ws_scheduler)ws_rng_below(rng, 3);
	m.sm_lsu_ops = between(rng, 1, 3);
	m.l2_slices = 2;
	m.l2_interleave_bytes = 256;
	*c = (struct ws_cache){ .ways = between(rng, 1, 6), .sets = 1ull << ws_rng_below(rng, 5),
				.line_bytes = 128, .hash = ws_hash_find("modulo"),
				.write = (enum ws_write)ws_rng_below(rng, 4),
				.alloc = (enum ws_alloc_when)ws_rng_below(rng, 2),
				.mshr_entries = between(rng, 2, 60),
				.mshr_merge = between(rng, 1, 8),
				.latency_cycles = between(rng, 0, 20) };
	c->sector_bytes = 128 >> ws_rng_below(rng, 3);
	c->size_bytes = c->sets * c->ways * c->line_bytes;
	m.l2 = *c;
	m.l2.alloc = WS_ALLOC_ON_MISS;
	m.l2.sets = 16;
	m.l2.ways = 4;
	m.l2.size_bytes = m.l2_slices * 16 * 4 * 128;
	m.l2.latency_cycles = between(rng, 5, 80);
	snprintf(m.l2.policy, sizeof m.l2.policy, "lru");
	random_policy(c, rng);
	m.l1_banks = between(rng, 1, 3);
	m.l1_queue = m.icnt_credits = 32;
	m.icnt_width = between(rng, 8, 64);
	m.dram_latency_cycles = between(rng, 1, 200);
	m.dram_bandwidth = between(rng, 4, 100);
	return m;
}

static enum ws_status push(void *context, uint64_t l1, const struct ws_request *r, size_t count,
			   struct ws_err *err)
{
	return ws_profiler_push(context, l1, r, count, err);
}

/* most: requests of the sample; times: what more is recorded. */
static bool measure(struct measured *d, const struct ref_launch *l, uint64_t seed, uint64_t most,
		    unsigned times)
{
	const struct ws_shape shape = { d->m.l1.line_bytes, d->m.l1.sets };
	const struct ws_profile_options options = {
		.shape = &shape, .shapes = 1, .threads = 1, .order = WS_ORDER_CYCLES,
		.record = WS_RECORD_DETAIL | WS_RECORD_SETS | times,
		.set_sample = most,
	};
	const struct ws_order_options order = { .seed = seed, .threads = 1 };
	struct ws_order_stats stats = { 0 };
	struct ws_orderer *o = NULL;
	struct ws_profiler *p = NULL;
	struct ws_err err = { 0 };
	struct memory t;
	bool ok;

	memory_write(&t, l, 1);
	ok = !ws_orderer_new(&o, WS_ORDER_CYCLES, t.trace, &d->m, &order, &err) &&
	     !ws_profiler_new(&p, &d->m, &options, &err) &&
	     !ws_profiler_launch(p, ws_trace_launch(t.trace, 0), &err);
	if (ok) {
		const struct ws_sink sink = { .context = p, .requests = push };
		struct ws_cycle_counts l2[WS_KINDS + 1];

		ok = !ws_orderer_run(o, 0, &sink, &stats, &err) &&
		     !ws_profiler_end(p, &stats, &err) &&
		     !ws_profiler_finish(p, &d->profile, &err);
		ws_orderer_counts(o, d->l1, l2);
	}
	if (!ok)
		printf("# %s\n", err.text);
	ws_profiler_free(p);
	ws_orderer_free(o);
	memory_free(&t);
	return ok;
}

static bool same(const struct measured *d, const struct ws_prediction *p)
{
	bool ok = true;

	told = 0;
	for (unsigned kind = 0; kind < WS_KINDS; kind++)
		ok &= equal(p->kind[kind].requests, d->l1[kind].requests, "requests", kind, 0) &
		      equal(p->kind[kind].misses, d->l1[kind].misses, "misses", kind, 0);
	return ok;
}

struct tally {
	unsigned rounds, same, differ[WS_ALLOCS], exact, sure, inside;
};

/* Data comes at once. */
static void without_times(struct measured *d, const struct ref_launch *l, uint64_t seed,
			  struct tally *t)
{
	struct ws_cache lru = d->m.l1;
	struct ws_prediction p;

	if (!measure(d, l, seed, UINT64_MAX, 0) || ws_predict(d->profile, 0, &lru, &p, NULL))
		return;
	t->differ[lru.alloc] += p.kind[WS_LOAD].misses != d->l1[WS_LOAD].misses;
	ws_policy_set_lru(&lru);
	t->exact += !ws_predict(d->profile, 0, &lru, &p, NULL) && p.basis == WS_EXACT;
	ws_profile_free(d->profile);
	d->profile = NULL;
}

static void some_sets(struct measured *d, const struct ref_launch *l, uint64_t seed,
		      struct tally *t)
{
	struct ws_prediction p;
	double ratio;

	if (!measure(d, l, seed, 100, WS_RECORD_TIMES) || !d->l1[WS_KINDS].requests ||
	    ws_predict(d->profile, 0, &d->m.l1, &p, NULL) || p.low_confidence)
		return;
	ratio = (double)d->l1[WS_KINDS].misses / (double)d->l1[WS_KINDS].requests;
	t->sure++;
	t->inside += ratio >= p.low[WS_KINDS] - 1e-9 && ratio <= p.high[WS_KINDS] + 1e-9;
}

static void one_round(uint64_t seed, struct tally *t)
{
	const struct ref_shape shape = { .ctas = 4, .threads = 70, .steps = 12, .gap = 2,
					 .bytes = 1024u << seed % 5 };
	struct measured d = { .profile = NULL };
	struct ref_launch l;
	struct ws_prediction p;
	struct ws_rng rng;
	struct ws_err err = { 0 };
	bool ok;

	ws_rng_seed(&rng, seed);
	d.m = random_machine(&rng);
	ref_launch_random(&l, &rng, &shape);
	ok = measure(&d, &l, seed, UINT64_MAX, WS_RECORD_TIMES) &&
	     !ws_predict(d.profile, 0, &d.m.l1, &p, &err) && same(&d, &p);
	if (!ok)
		printf("# seed %" PRIu64 ", %s: %s\n", seed, d.m.l1.policy, err.text);
	t->rounds++;
	t->same += ok;
	ws_profile_free(d.profile);
	d.profile = NULL;
	without_times(&d, &l, seed, t);
	some_sets(&d, &l, seed, t);
	ws_profile_free(d.profile);
	ref_launch_clear(&l);
}

int main(void)
{
	uint64_t seed = test_seed(20261123);
	struct tally t = { 0 };

	for (unsigned i = 0; i < ROUNDS && t.rounds - t.same < 5; i++)
		one_round(seed + i, &t);
	test_ok(t.same == t.rounds, "misses of each kind are the simulation's: %u of %u", t.same,
		t.rounds);
	test_ok(t.differ[WS_ALLOC_ON_FILL] > t.rounds / 5 &&
		t.differ[WS_ALLOC_ON_MISS] > t.rounds / 20,
		"they are others if data comes at once: %u on-fill, %u on-miss",
		t.differ[WS_ALLOC_ON_FILL], t.differ[WS_ALLOC_ON_MISS]);
	test_ok(t.exact == t.rounds, "then LRU is exact: %u", t.exact);
	test_ok(t.inside * 20 >= t.sure * 19, "samples have them in their intervals: %u of %u",
		t.inside, t.sure);
	return test_done();
}
