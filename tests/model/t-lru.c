/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/model/t-lru.c -- predictions of LRU: a profile worked by hand, what must
 * hold of any profile, equality with simulated caches, intervals of sampled profiles, and
 * questions that a profile cannot answer.
 */
#include "tests/test.h"

#include "model/model.h"
#include "tests/ref/set_ways.h"
#include "tests/ref/stack.h"
#include "tests/stackdist/memory.h"
#include "validate/validate.h"

/* Two sets, by hand.  Loads: 20, of which 4 cold, 1 uncached,
 * d: 5 at 0, 6 at 1, 4 at 3; min(d, q / 2): 7 at 0, 6 at 1, 2 at 2.
 * Stores: 3, all uncached. */
static struct ws_profile by_hand(struct ws_machine *m, struct ws_section *s, struct ws_geometry *g)
{
	static uint64_t distance[] = { 5, 6, 0, 4 }, capacity[] = { 7, 6, 2, 0 };

	*g = (struct ws_geometry){ .line_bytes = 128, .sector_bytes = 128, .sets = 2 };
	g->kind[WS_LOAD] = (struct ws_histogram){ .requests = 20, .cold = 4, .uncached = 1,
						  .distance = distance, .capacity = capacity,
						  .len = 4 };
	g->kind[WS_STORE] = (struct ws_histogram){ .requests = 3, .uncached = 3 };
	s->geometry = g;
	s->geometries = 1;
	return (struct ws_profile){ .machine = *m, .section = s, .sections = 1,
				    .sample_rate = 1 };
}

static bool counts_are(const struct ws_counts *c, uint64_t hits, uint64_t misses, uint64_t capacity,
		       uint64_t conflict)
{
	return c->hits == hits && c->misses == misses && c->capacity == capacity &&
	       c->conflict == conflict && c->pending == 0;
}

static void hand(struct ws_machine *m)
{
	static const struct { uint64_t ways, hits, misses, capacity, conflict; } want[] = {
		{ 1, 5, 15, 8, 2 },	/* d >= 1: 10 finite misses, 8 of them capacity */
		{ 2, 11, 9, 2, 2 },
		{ 3, 11, 9, 0, 4 },
		{ 4, 15, 5, 0, 0 },	/* nothing but cold and uncached is left */
		{ 1000, 15, 5, 0, 0 },
		{ UINT64_MAX, 15, 5, 0, 0 },
	};
	struct ws_section s = { 0 };
	struct ws_geometry g;
	struct ws_profile p = by_hand(m, &s, &g);
	struct ws_prediction out;
	struct ws_err err = { 0 };

	for (size_t i = 0; i < WS_COUNT(want); i++) {
		struct ws_cache c = m->l1;

		c.sets = 2;
		c.ways = want[i].ways;
		if (!test_ok(!ws_predict(&p, 0, &c, &out, &err), "predict: %s", err.text))
			return;
		test_ok(counts_are(out.kind, want[i].hits, want[i].misses, want[i].capacity,
				   want[i].conflict), "%" PRIu64 " ways", want[i].ways);
		test_ok(out.kind[WS_STORE].uncached == 3 && out.kind[WS_KINDS].requests == 23 &&
			out.kind[WS_KINDS].uncached == 4 && out.kind[WS_KINDS].cold == 4 &&
			out.kind[WS_KINDS].misses == want[i].misses + 3, "stores, and all");
	}
	test_ok(out.basis == WS_EXACT && out.error_pp[WS_KINDS] == 0, "exact");
	test_abs(ws_miss_ratio(out.kind, false), 0.25, 1e-15, "miss ratio");
	test_abs(out.low[WS_LOAD], 0.25, 0, "low is the ratio");
	test_abs(out.high[WS_KINDS], 8.0 / 23, 1e-15, "high is the ratio");
}

/* ---- sampled ---------------------------------------------------------------------- */

/* s.d. of loads: 2 requests from d = 7 on, 4 from 8 on; of stores 1; 1.96 s.d. each way. */
static void sampled(const struct ws_machine *m)
{
	static const struct { uint64_t ways; double load, all; } want[] = {
		{ 7, 1.96 * 2 / 20, 1.96 * 3 / 23 },
		{ 8, 1.96 * 4 / 20, 1.96 * 5 / 23 },
		{ 9, 1.96 * 4 / 20, 1.96 * 5 / 23 },	/* between edges: the larger one */
	};
	struct ws_machine machine = *m;
	uint64_t loads[WS_BINS] = { 0 }, stores[WS_BINS];
	struct ws_section s = { 0 };
	struct ws_geometry g;
	struct ws_profile p = by_hand(&machine, &s, &g);
	struct ws_prediction out;

	for (unsigned i = 0; i < WS_BINS; i++)
		stores[i] = 1;
	loads[ws_bin(7)] = 4;
	loads[ws_bin(8)] = 16;
	g.kind[WS_LOAD].variance = loads;
	g.kind[WS_STORE].variance = stores;
	p.sample_rate = 0.5;
	for (size_t i = 0; i < WS_COUNT(want); i++) {
		struct ws_cache c = m->l1;

		c.sets = 2;
		c.ways = want[i].ways;
		if (!test_ok(!ws_predict(&p, 0, &c, &out, NULL), "predict of a sample"))
			return;
		test_ok(out.basis == WS_APPROX, "approximate");
		test_abs(out.low[WS_LOAD], fmax(0, 0.25 - want[i].load), 1e-5, "low of loads");
		test_abs(out.high[WS_LOAD], 0.25 + want[i].load, 1e-5, "high of loads");
		test_abs(out.high[WS_KINDS], fmin(1, 8.0 / 23 + want[i].all), 1e-5, "high of all");
		test_abs(out.high[WS_STORE], 1, 0, "not above 1");
		test_abs(out.error_pp[WS_LOAD], 100 * want[i].load, 1e-3, "error_pp of loads");
		test_abs(out.error_pp[WS_STORE], 100 * 1.96 / 3, 1e-2, "error_pp of stores");
		test_abs(out.error_pp[WS_KINDS], 100 * want[i].all, 1e-3, "error_pp of all");
		test_abs(out.error_pp[WS_ATOMIC], 0, 0, "none of no requests");
		test_abs(out.high[WS_ATOMIC], 0, 0, "no requests");
	}
	/* A sample that says nothing: the interval is all ratios, the error what lies between. */
	stores[WS_BINS - 1] = loads[ws_bin(8)] = UINT64_MAX;
	for (uint64_t ways = 8; ways <= 1u << 20; ways <<= 17) {
		struct ws_cache c = m->l1;

		c.sets = 2;
		c.ways = ways;
		if (!test_ok(!ws_predict(&p, 0, &c, &out, NULL), "predict of a bad sample"))
			return;
		if (ways == 8)
			test_abs(out.error_pp[WS_LOAD], 75, 1e-9, "from the ratio to 1");
		else
			test_abs(out.error_pp[WS_STORE], 100, 1e-9, "from the ratio to 0");
	}
	/* A kind without variance, and one of zeros, is sure. */
	memset(loads, 0, sizeof loads);
	g.kind[WS_STORE].variance = NULL;
	test_ok(!ws_predict(&p, 0, &(struct ws_cache){ .line_bytes = 128, .sector_bytes = 128,
			    .sets = 2, .ways = 2, .hash = m->l1.hash, .write = m->l1.write,
			    .policy = "lru" }, &out, NULL) && out.basis == WS_APPROX, "sure");
	for (unsigned kind = 0; kind <= WS_KINDS; kind++)
		test_ok(out.low[kind] == out.high[kind] && out.error_pp[kind] == 0, "width 0");
}

static void ratios(void)
{
	struct ws_counts c = { .requests = 10, .hits = 4, .pending = 3, .misses = 3, .cold = 1,
			       .capacity = 1, .conflict = 1 };
	struct ws_counts none = { 0 }, sum = c;

	test_abs(ws_miss_ratio(&c, false), 0.3, 1e-15, "pending is a hit");
	test_abs(ws_miss_ratio(&c, true), 0.6, 1e-15, "pending is a miss");
	test_abs(ws_miss_ratio(&none, true), 0, 0, "no requests");
	test_ok(ws_counts_check(&c) && ws_counts_check(&none), "they add up");
	ws_counts_add(&sum, &c);
	test_ok(ws_counts_check(&sum) && sum.requests == 20 && sum.pending == 6 &&
		sum.conflict == 2, "a sum adds up");
	c.cold++;
	test_ok(!ws_counts_check(&c), "one cold miss too many");
	c.hits = UINT64_MAX;	/* 10 = UINT64_MAX + 3 + 8, modulo 2^64 */
	c.misses = 8;
	c.conflict = 6;
	test_ok(!ws_counts_check(&c), "no wrapping around");
}

/* Misses fall with ways; one set has no conflicts; prepared answers are the same. */
static void identities(const struct ws_machine *m, const struct ws_profile *p)
{
	bool falls = true, capacity_falls = true, no_conflict = true, prepared, alone = true;
	double ratio[WS_KINDS + 1];
	struct ws_prediction now, before = { 0 }, again;
	struct ws_model *a;

	prepared = test_ok(!ws_model_new(&a, p, NULL), "a profile prepared for questions");

	for (size_t i = 0; i < p->section->geometries; i++) {
		struct ws_cache c = m->l1;

		c.sets = p->section->geometry[i].sets;
		for (c.ways = 1; c.ways < 350; c.ways++) {
			if (ws_predict(p, 0, &c, &now, NULL))
				falls = false;
			prepared = prepared && !ws_model_predict(a, 0, &c, &again, NULL) &&
				   !memcmp(&now, &again, sizeof now);
			alone = alone && ws_model_lru(a, 0, &c, c.ways, ratio);
			for (unsigned k = 0; k <= WS_KINDS && alone; k++)
				alone = ratio[k] == ws_miss_ratio(&now.kind[k], false);
			if (c.ways > 1) {
				falls = falls && now.kind[WS_KINDS].misses <=
						 before.kind[WS_KINDS].misses;
				capacity_falls = capacity_falls && now.kind[WS_KINDS].capacity <=
								   before.kind[WS_KINDS].capacity;
			}
			no_conflict = no_conflict && (c.sets > 1 ||
						      now.kind[WS_KINDS].conflict == 0);
			before = now;
		}
	}
	ws_model_free(a);
	test_ok(prepared, "its answers are the same");
	test_ok(alone, "LRU's ratios alone are the same");
	test_ok(falls, "misses fall with ways");
	test_ok(capacity_falls, "capacity misses fall with ways");
	test_ok(no_conflict, "one set has no conflict misses");
}

/* One stream on one SM, against a simulated cache of the same and one fully
 * associative: hits and the three Cs. */
static bool as_simulated(struct ws_rng *rng, struct ws_machine m, unsigned write)
{
	enum { COUNT = 500, LINES = 60 };
	static struct ws_request r[COUNT];
	static bool hit[COUNT], full_hit[COUNT];
	const uint64_t sets[] = { 1, 4, 6 };
	struct ws_shape shape[3];
	struct ws_profile_options o = { .shape = shape, .shapes = 3, .threads = 1 };
	struct ws_launch launch = { .kernel = (char[]){ "k" } };
	struct ws_order_stats stats = { 0 };
	struct ws_profiler *p = NULL;
	struct ws_profile *profile = NULL;
	bool ok;

	m.l1 = stream_cache(rng);
	m.l1.hash = ws_hash_find("modulo");
	m.l1.write = (enum ws_write)write;
	snprintf(m.l1.policy, sizeof m.l1.policy, "lru");
	stream_fill(rng, &m.l1, LINES, 4, 1, r, COUNT);
	for (unsigned i = 0; i < 3; i++)
		shape[i] = (struct ws_shape){ m.l1.line_bytes, sets[i] };
	ok = !ws_profiler_new(&p, &m, &o, NULL) && !ws_profiler_launch(p, &launch, NULL) &&
	     !ws_profiler_push(p, 0, r, COUNT, NULL) && !ws_profiler_end(p, &stats, NULL) &&
	     !ws_profiler_finish(p, &profile, NULL);
	for (unsigned i = 0; ok && i < 6; i++) {
		struct ws_cache c = m.l1, full = m.l1;
		struct ws_prediction out;
		struct ws_counts *all = out.kind + WS_KINDS;
		uint64_t hits = 0, conflict = 0;

		c.sets = sets[i % 3];
		c.ways = 1 + ws_rng_below(rng, 9);
		full.sets = 1;
		ok = !ws_predict(profile, 0, &c, &out, NULL);
		ref_simulate(&c, (unsigned)c.ways, r, COUNT, hit);
		ref_simulate(&full, (unsigned)(c.ways * c.sets), r, COUNT, full_hit);
		for (size_t j = 0; j < COUNT; j++) {
			hits += hit[j];
			conflict += !hit[j] && full_hit[j];
		}
		ok = ok && all->requests == COUNT && all->hits == hits &&
		     all->conflict == conflict;
	}
	ws_profile_free(profile);
	ws_profiler_free(p);
	return ok;
}

/* The same of a cache whose sets differ, by their profile alone, sectors too. */
static bool as_unequal(struct ws_rng *rng, struct ws_machine m, unsigned write)
{
	enum { COUNT = 500, LINES = 60 };
	static struct ws_request r[COUNT];
	struct ws_counts want[WS_KINDS + 1];
	struct ws_profile_options o = { .threads = 1 };
	struct ws_launch launch = { .kernel = (char[]){ "k" } };
	struct ws_order_stats stats = { 0 };
	struct ws_profiler *p = NULL;
	struct ws_profile *profile = NULL;
	struct ws_prediction out;
	struct ws_sim *sim = NULL;
	bool ok;

	m.l1 = stream_cache(rng);
	m.l1.hash = ws_hash_find("modulo");
	m.l1.write = (enum ws_write)write;
	m.l1.sets = 1 + ws_rng_below(rng, 9);
	ref_draw_set_ways(&m.l1, 9, rng);
	snprintf(m.l1.policy, sizeof m.l1.policy, "lru");
	stream_fill(rng, &m.l1, LINES, 4, 1, r, COUNT);
	ok = !ws_profiler_new(&p, &m, &o, NULL) && !ws_profiler_launch(p, &launch, NULL) &&
	     !ws_profiler_push(p, 0, r, COUNT, NULL) && !ws_profiler_end(p, &stats, NULL) &&
	     !ws_profiler_finish(p, &profile, NULL) && !ws_predict(profile, 0, &m.l1, &out, NULL) &&
	     !ws_sim_new(&sim, &m.l1, NULL) && !ws_sim_push(sim, r, COUNT, NULL);
	if (ok)
		ws_sim_counts(sim, want);
	for (unsigned kind = 0; ok && kind <= WS_KINDS; kind++)
		ok = out.kind[kind].requests == want[kind].requests &&
		     out.kind[kind].hits == want[kind].hits &&
		     out.kind[kind].cold == want[kind].cold &&
		     out.kind[kind].capacity == want[kind].capacity &&
		     out.kind[kind].conflict == want[kind].conflict &&
		     (m.l1.sector_bytes != WS_SECTOR_BYTES || m.l1.line_bytes == WS_SECTOR_BYTES ||
		      out.kind[kind].sectors_missed == want[kind].sectors_missed);
	ws_sim_free(sim);
	ws_profile_free(profile);
	ws_profiler_free(p);
	return ok;
}

static void simulated(const struct ws_machine *m, uint64_t seed)
{
	struct ws_rng rng;

	ws_rng_seed(&rng, seed);
	for (unsigned write = WS_WRITE_BACK; write <= WS_WRITE_EVICT; write++) {
		int same = 0;

		while (same < 40 && as_simulated(&rng, *m, write))
			same++;
		test_ok(same == 40, "%s: %d profiles predict what is simulated",
			stream_write_names[write], same);
		same = 0;
		while (same < 200 && as_unequal(&rng, *m, write))
			same++;
		test_ok(same == 200, "%s: %d profiles predict what is simulated of sets that "
			"differ", stream_write_names[write], same);
	}
}

static void refused(const struct ws_profile *p, struct ws_cache c, const char *says)
{
	struct ws_prediction out;
	struct ws_err err = { 0 };
	enum ws_status status = ws_predict(p, 0, &c, &out, &err);

	test_ok(status == WS_EINVAL && strstr(err.text, says), "%s: %s", says, err.text);
}

static void errors(const struct ws_machine *m, const struct ws_profile *p)
{
	struct ws_cache c = m->l1;
	struct ws_prediction out;

	test_ok(ws_predict(p, p->sections, &c, &out, NULL) == WS_EINVAL, "no such kernel");
	snprintf(c.policy, sizeof c.policy, "lrv");
	refused(p, c, "did you mean \"lru\"");
	snprintf(c.policy, sizeof c.policy, "belady");
	refused(p, c, "there are: lru");
	c = m->l1;
	c.sets = 8;
	refused(p, c, "for 8 sets of lines of 128 B, but for 32 of 64 B; 1, 4, 32, 64 of 128 B: ");
	c = m->l1;
	c.line_bytes = c.sector_bytes = 32;
	refused(p, c, "for 32 sets of lines of 32 B, but for");
	c.line_bytes = c.sector_bytes = 64;
	test_ok(!ws_predict(p, 0, &c, &out, NULL) && !ws_predict_check(p, 0, &c, NULL),
		"another line that the profile holds");
	c.sector_bytes = 32;
	refused(p, c, "l1.sector = 64 for lines of 64 bytes, not 32");
	c = m->l1;
	c.sector_bytes = 32;
	refused(p, c, "l1.sector = 128 for lines of 128 bytes, not 32");
	c = m->l1;
	c.hash = ws_hash_find("xor");
	refused(p, c, "l1.hash = fermi, not xor");
	c.hash = ws_hash_find("bits:7-12");
	c.hash_low = 7;
	c.hash_high = 12;
	refused(p, c, "bits:7-12");
	c = m->l1;
	c.write = WS_WRITE_BACK;
	refused(p, c, "l1.write = write-evict, not write-back");
	c = m->l1;
	c.ways = 0;
	test_ok(!ws_predict(p, 0, &c, &out, NULL) && out.kind[WS_KINDS].requests &&
		out.kind[WS_KINDS].misses == out.kind[WS_KINDS].requests, "no ways: all misses");
	c.ways = 65537;
	refused(p, c, "65537 ways");
	c.ways = 3 << 20;
	test_ok(!ws_predict(p, 0, &c, &out, NULL), "where a cell begins");
}

int main(void)
{
	static const struct ws_shape shape[] = { { 64, 32 }, { 128, 64 }, { 128, 1 }, { 128, 4 },
						 { 128, 32 } };
	struct ws_profile_options options = { .shape = shape, .shapes = WS_COUNT(shape),
					      .threads = 1 };
	uint64_t seed = test_seed(7004);
	struct memory_launch launch[] = { { "first", seed }, { "second", seed + 1 },
					  { "first", seed + 2 } };
	struct ws_err err = { 0 };
	struct ws_profile *p;
	struct ws_machine m;

	if (!test_ok(memory_machine(&m, &err), "machine: %s", err.text))
		return test_done();
	hand(&m);
	ratios();
	sampled(&m);
	p = memory_profile(&m, &options, launch, WS_COUNT(launch), &err);
	if (test_ok(p != NULL, "a profile: %s", err.text)) {
		identities(&m, p);
		errors(&m, p);
	}
	ws_profile_free(p);
	simulated(&m, seed);
	return test_done();
}
