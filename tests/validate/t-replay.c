/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/validate/t-replay.c -- policies on samples of sets: of all sets the hits are the
 * simulator's, for every policy, write policy, sector and number of ways; of some, they are what
 * the strata of replay.h make of the simulator's hits, asked one by one; and intervals hold the
 * simulator's ratio as often as they say.
 */
#include "tests/test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/model.h"
#include "tests/validate/stream.h"
#include "validate/sim/sim.h"

#define SMS 4u
#define REQUESTS 3000u
#define SETS 64u

struct fixture {
	struct ws_machine machine;
	struct ws_request request[SMS][REQUESTS];
	struct ws_profile *profile;
};

static bool profile(struct fixture *f, uint64_t most)
{
	const struct ws_shape shape = { f->machine.l1.line_bytes, f->machine.l1.sets };
	struct ws_profile_options o = { .shape = &shape, .shapes = 1, .threads = 1,
					.record = WS_RECORD_DETAIL | WS_RECORD_SETS,
					.set_sample = most };
	struct ws_launch launch = { .kernel = (char[]){ "k" }, .grid = { SMS, 1, 1 },
				    .block = { 32, 1, 1 }, .ctas = SMS };
	struct ws_order_stats stats = { .resident_ctas = 1 };
	struct ws_profiler *p;
	bool ok = !ws_profiler_new(&p, &f->machine, &o, NULL) &&
		  !ws_profiler_launch(p, &launch, NULL);

	for (unsigned sm = 0; ok && sm < SMS; sm++)
		ok = !ws_profiler_push(p, sm, f->request[sm], REQUESTS, NULL);
	ok = ok && !ws_profiler_end(p, &stats, NULL) && !ws_profiler_finish(p, &f->profile, NULL);
	ws_profiler_free(p);
	return ok;
}

/* Hot lines are neighbours, and would all be in a few sets: an interval from some sets cannot know
 * of the others. */
static void scatter(struct ws_request *r)
{
	uint64_t line = r->address / 128;

	r->address = (line * 0x9e3779b1u & 0xffffffffu) * 128;
}

static bool made(struct fixture *f, enum ws_write write, uint64_t sector, uint64_t sets,
		 uint64_t most, struct ws_rng *rng)
{
	f->profile = NULL;
	if (ws_machine_load(&f->machine, WS_MACHINE_DEFAULT, NULL))
		return false;
	f->machine.sm_count = SMS;
	f->machine.l1 = cache_make(sets, 4, 128, sector, "modulo", write);
	for (unsigned sm = 0; sm < SMS; sm++) {
		stream_random(f->request[sm], REQUESTS, &f->machine.l1,
			      sets * (4 + ws_rng_below(rng, 12)),
			      sm + (unsigned)ws_rng_below(rng, 9), rng);
		for (size_t i = 0; i < REQUESTS; i++)
			scatter(f->request[sm] + i);
	}
	return profile(f, most);
}

/* Counts of all SMs, each with an empty cache; false: refused. */
static bool simulated(const struct fixture *f, const struct ws_cache *cache,
		      struct ws_counts *kind)
{
	struct ws_sim *sim;
	bool ok = !ws_sim_new(&sim, cache, NULL);

	for (unsigned sm = 0; ok && sm < SMS; sm++) {
		ws_sim_flush(sim);
		ok = !ws_sim_push(sim, f->request[sm], REQUESTS, NULL);
	}
	if (ok)
		ws_sim_counts(sim, kind);
	ws_sim_free(sim);
	return ok;
}

/* By chance, or in time, which a sample of sets does not tell all of: held to its interval. */
static bool draws(const char *policy)
{
	static const char *const names[] = { "random", "brrip", "drrip", "bip", "dip", "prob",
					      "select" };

	for (size_t i = 0; i < WS_COUNT(names); i++)
		if (!strncmp(policy, names[i], strlen(names[i])))
			return true;
	return false;
}

/* ---- all sets ------------------------------------------------------------------------------ */

struct coverage { unsigned rows, inside; };

static void compare(const struct fixture *f, const struct ws_cache *cache, struct coverage *drawn)
{
	struct ws_counts exact[WS_KINDS + 1];
	struct ws_prediction p;
	struct ws_err err = { 0 };
	bool same = true;
	double ratio;

	if (ws_predict(f->profile, 0, cache, &p, &err) || !simulated(f, cache, exact)) {
		test_ok(false, "%s: %s", cache->policy, err.text);
		return;
	}
	ratio = ws_miss_ratio(exact + WS_KINDS, false);
	if (draws(cache->policy)) {
		drawn->rows++;
		drawn->inside += ratio >= p.low[WS_KINDS] - 1e-9 &&
				 ratio <= p.high[WS_KINDS] + 1e-9;
		return;
	}
	for (unsigned kind = 0; kind < WS_KINDS; kind++)
		same = same && p.kind[kind].requests == exact[kind].requests &&
		       p.kind[kind].hits == exact[kind].hits &&
		       p.kind[kind].cold == exact[kind].cold &&
		       p.kind[kind].uncached == exact[kind].uncached;
	test_ok(same && p.error_pp[WS_KINDS] <= 0 &&
		fabs(p.high[WS_KINDS] - p.low[WS_KINDS]) <= 0, "%s, %llu x %llu: hits of each kind",
		cache->policy, (unsigned long long)cache->sets, (unsigned long long)cache->ways);
}

static void all_policies(const struct fixture *f, struct coverage *drawn)
{
	static const uint64_t ways[] = { 1, 2, 4, 6 };
	static const char *const more[] = { "srrip:3,fp", "lfu-age:8", "drrip:6" };

	for (size_t w = 0; w < WS_COUNT(ways); w++) {
		struct ws_cache cache = f->machine.l1;
		struct ws_use use;

		cache.ways = ways[w];
		cache.size_bytes = cache.sets * cache.ways * cache.line_bytes;
		for (size_t i = 0; ws_policies[i]; i++) {
			snprintf(cache.policy, sizeof cache.policy, "%s", ws_policies[i]->name);
			if (ws_use_of(&use, &cache, NULL) || ws_policies[i]->predict ||
			    (use.policy->check && use.policy->check(&use, &cache, NULL)))
				continue;
			compare(f, &cache, drawn);
		}
		for (size_t i = 0; i < WS_COUNT(more); i++) {
			snprintf(cache.policy, sizeof cache.policy, "%s", more[i]);
			compare(f, &cache, drawn);
		}
	}
}

static void every_set(struct fixture *f, struct ws_rng *rng)
{
	static const struct {
		enum ws_write write;
		uint64_t sector, sets;
	} of[] = {
		{ WS_WRITE_BACK, 128, 16 }, { WS_WRITE_THROUGH, 128, 8 },
		{ WS_WRITE_EVICT, 128, 20 },
		{ WS_WRITE_THROUGH_ALLOCATE, 32, 16 }, { WS_WRITE_EVICT, 32, 4 },
		{ WS_WRITE_THROUGH, 64, 1 },
	};
	struct coverage drawn = { 0, 0 };

	for (size_t i = 0; i < WS_COUNT(of); i++) {
		if (!test_ok(made(f, of[i].write, of[i].sector, of[i].sets, UINT64_MAX, rng),
			     "a profile"))
			continue;
		all_policies(f, &drawn);
		ws_profile_free(f->profile);
	}
	test_ok(drawn.inside * 10 >= drawn.rows * 9, "policies that draw numbers: %u of %u in "
		"their interval, want 90 %%", drawn.inside, drawn.rows);
}

/* ---- some sets ----------------------------------------------------------------------------- */

struct strata {
	double all[WS_KINDS][WS_BINS], sampled[WS_KINDS][WS_BINS], hits[WS_KINDS][WS_BINS];
};

/* All requests by kind and bin; of the sets in the sample those that hit, asked one by one. */
static bool by_strata(const struct fixture *f, const struct ws_cache *cache, unsigned halvings,
		      struct strata *s)
{
	static uint32_t distance[REQUESTS];
	bool ok = true;

	memset(s, 0, sizeof *s);
	for (unsigned sm = 0; ok && sm < SMS; sm++) {
		struct ws_stack *stack = NULL;
		struct ws_sim *sim = NULL;

		ok = !ws_stack_new(&stack, cache, 1, NULL) &&
		     !ws_stack_push(stack, f->request[sm], REQUESTS, distance, NULL) &&
		     !ws_sim_new(&sim, cache, NULL);
		for (size_t i = 0; ok && i < REQUESTS; i++) {
			const struct ws_request *r = f->request[sm] + i;
			bool in = ws_set_sampled(sm, ws_set_index(cache, r->address), halvings);
			struct ws_counts before[WS_KINDS + 1], after[WS_KINDS + 1];
			unsigned bin = distance[i] <= WS_DISTANCE_MAX ? ws_bin(distance[i]) : 0;

			ws_sim_counts(sim, before);
			ok = !ws_sim_push(sim, r, 1, NULL);
			ws_sim_counts(sim, after);
			if (distance[i] > WS_DISTANCE_MAX)
				continue;
			s->all[r->kind][bin]++;
			s->sampled[r->kind][bin] += in;
			s->hits[r->kind][bin] += in && after[WS_KINDS].hits > before[WS_KINDS].hits;
		}
		ws_stack_free(stack);
		ws_sim_free(sim);
	}
	return ok;
}

/* NAN: a stratum has nothing in the sample. */
static double expected_hits(const struct strata *s, unsigned kind)
{
	double hits = 0;

	for (unsigned b = 0; b < WS_BINS; b++)
		if (s->all[kind][b] > 0)
			hits += s->sampled[kind][b] > 0 ? s->all[kind][b] * s->hits[kind][b] /
							  s->sampled[kind][b] : (double)NAN;
	return hits;
}

static void some_sets(struct fixture *f, struct ws_rng *rng, struct coverage *c)
{
	static const char *const policy[] = { "fifo", "srrip", "lfu", "plru", "nru", "mfu", "lru" };
	struct ws_cache cache = f->machine.l1;
	struct strata s;

	(void)rng;
	for (size_t i = 0; i < WS_COUNT(policy); i++) {
		const struct ws_geometry *g = f->profile->section->geometry;
		struct ws_counts exact[WS_KINDS + 1];
		struct ws_prediction p;
		double ratio;

		snprintf(cache.policy, sizeof cache.policy, "%s", policy[i]);
		if (!test_ok(!ws_predict(f->profile, 0, &cache, &p, NULL) &&
			     simulated(f, &cache, exact) &&
			     by_strata(f, &cache, g->sample->halvings, &s), "%s", policy[i]))
			continue;
		ratio = ws_miss_ratio(exact + WS_KINDS, false);
		if (strcmp(policy[i], "lru")) {
			c->rows++;
			c->inside += ratio >= p.low[WS_KINDS] && ratio <= p.high[WS_KINDS];
		}
		for (unsigned kind = 0; kind < WS_KINDS; kind++) {
			double want = strcmp(policy[i], "lru") ? expected_hits(&s, kind)
							       : (double)exact[kind].hits;

			if (!isnan(want))
				test_abs((double)p.kind[kind].hits, want, 0.5001, policy[i]);
		}
	}
}

int main(void)
{
	struct fixture *f = ws_alloc_zero(1, sizeof *f);
	struct coverage c = { 0, 0 };
	struct ws_rng rng;

	setenv("WARPSTACK_DATA", "data", 0);
	ws_rng_seed(&rng, test_seed(7337));
	if (!f)
		return 1;
	every_set(f, &rng);
	for (int i = 0; i < 24; i++) {
		if (!test_ok(made(f, (enum ws_write)(i % 4), i % 3 ? 128 : 32, SETS, 4000, &rng),
			     "a profile"))
			continue;
		test_ok(f->profile->section->geometry->sample->halvings > 0,
			"some sets are sampled");
		some_sets(f, &rng, &c);
		ws_profile_free(f->profile);
	}
	test_ok(c.inside * 100 >= c.rows * 90, "%u of %u ratios in their interval, want 90 %%",
		c.inside, c.rows);
	free(f);
	return test_done();
}
