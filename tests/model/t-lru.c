/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/model/t-lru.c -- predictions of LRU: a profile worked by hand, what must
 * hold of any profile, equality with simulated caches, and questions that a
 * profile cannot answer.
 */
#include "tests/test.h"

#include "model/model.h"
#include "tests/ref/stack.h"
#include "tests/stackdist/memory.h"

/* Two sets, by hand.  Loads: 20, of which 4 cold, 1 uncached,
 * d: 5 at 0, 6 at 1, 4 at 3; min(d, q / 2): 7 at 0, 6 at 1, 2 at 2.
 * Stores: 3, all uncached. */
static struct ws_profile by_hand(struct ws_machine *m, struct ws_section *s, struct ws_geometry *g)
{
	static uint64_t distance[] = { 5, 6, 0, 4 }, capacity[] = { 7, 6, 2, 0 };

	g->sets = 2;
	g->kind[WS_LOAD] = (struct ws_histogram){ 20, 4, 1, distance, capacity, 4 };
	g->kind[WS_STORE] = (struct ws_histogram){ 3, 0, 3, NULL, NULL, 0 };
	g->kind[WS_ATOMIC] = (struct ws_histogram){ 0, 0, 0, NULL, NULL, 0 };
	s->geometry = g;
	s->geometries = 1;
	return (struct ws_profile){ .machine = *m, .section = s, .sections = 1 };
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
	test_ok(out.basis == WS_EXACT && out.error_pp == 0, "exact");
	test_abs(ws_miss_ratio(out.kind, false), 0.25, 1e-15, "miss ratio");
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

/* Misses fall with ways; one set has no conflicts. */
static void identities(const struct ws_machine *m, const struct ws_profile *p)
{
	bool falls = true, capacity_falls = true, no_conflict = true;
	struct ws_prediction now, before = { 0 };

	for (size_t i = 0; i < p->section->geometries; i++) {
		struct ws_cache c = m->l1;

		c.sets = p->section->geometry[i].sets;
		for (c.ways = 1; c.ways < 350; c.ways++) {
			if (ws_predict(p, 0, &c, &now, NULL))
				falls = false;
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
	struct ws_launch launch = { .kernel = (char[]){ "k" } };
	struct ws_order_stats stats = { 0 };
	struct ws_profiler *p = NULL;
	struct ws_profile *profile = NULL;
	bool ok;

	m.l1 = stream_cache(rng);
	m.l1.hash = ws_hash_find("modulo");
	m.l1.write = (enum ws_write)write;
	snprintf(m.l1.policy, sizeof(m.l1.policy), "lru");
	stream_fill(rng, &m.l1, LINES, 4, 1, r, COUNT);
	ok = !ws_profiler_new(&p, &m, sets, 3, 1, NULL) && !ws_profiler_launch(p, &launch, NULL) &&
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
	snprintf(c.policy, sizeof(c.policy), "lrv");
	refused(p, c, "did you mean \"lru\"");
	snprintf(c.policy, sizeof(c.policy), "belady");
	refused(p, c, "there are: lru");
	c = m->l1;
	c.sets = 8;
	refused(p, c, "for 8 sets, but for 1, 4, 32, 64");
	c = m->l1;
	c.line_bytes = 64;
	refused(p, c, "l1.line");
	c = m->l1;
	c.sector_bytes = 32;
	refused(p, c, "l1.sector");
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
	refused(p, c, "0 ways");
}

int main(void)
{
	static const uint64_t sets[] = { 1, 4, 32, 64 };
	uint64_t seed = test_seed(7004);
	struct ws_err err = { 0 };
	struct ws_profile *p;
	struct ws_machine m;

	if (!test_ok(memory_machine(&m, &err), "machine: %s", err.text))
		return test_done();
	hand(&m);
	ratios();
	p = memory_profile(&m, seed, 1, sets, WS_COUNT(sets), &err);
	if (test_ok(p != NULL, "a profile: %s", err.text)) {
		identities(&m, p);
		errors(&m, p);
	}
	ws_profile_free(p);
	simulated(&m, seed);
	return test_done();
}
