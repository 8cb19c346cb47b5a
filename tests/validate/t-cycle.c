/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The cycle simulator: everything it counts against the slow reference (tests/ref/cycle.c) on
 * random launches and machines, and what must hold whatever they are.  Scenarios worked out by
 * hand are in t-cycle-known.c.
 *
 * WS_TEST_ROUNDS: random launches.  Round i of seed s is round 0 of seed s + i.
 */
#include "tests/random_code.h"
#include "tests/validate/random_machine.h"

#define ROUNDS 300u

/* ---- random launches ------------------------------------------------------------------------- */

/* Arrays over parts of the addresses, some instructions of one of them. */
static void random_arrays(struct ws_launch *l, struct ws_rng *rng, uint64_t bytes)
{
	l->arrays = (size_t)ws_rng_below(rng, 4);
	l->array = ws_alloc_zero(l->arrays, sizeof *l->array);
	for (size_t i = 0; i < l->arrays; i++) {
		uint64_t share = bytes / l->arrays / 256 * 256;

		l->array[i] = (struct ws_array){ ws_strdup("array"), 4096 + i * share,
						 ws_rng_below(rng, share + 1) };
	}
	for (size_t i = 0; i < l->instructions; i++) {
		if (l->arrays && chance(rng, 2))
			l->instruction[i].array = (uint32_t)ws_rng_below(rng, l->arrays);
	}
}

static struct ref_shape random_shape(struct ws_rng *rng)
{
	uint64_t size = chance(rng, 3) ? 12 : 5;

	return (struct ref_shape){
		.ctas = between(rng, 1, size), .threads = between(rng, 1, 10 * size),
		.steps = chance(rng, 3) ? 12 : 5, .gap = chance(rng, 4) ? 8 : 1,
		.bytes = 1024u << ws_rng_below(rng, 5), .barriers = chance(rng, 2),
		.paced = !chance(rng, 4),
	};
}

static void describe(const struct ws_machine *m, uint64_t seed)
{
	struct ws_buf text = { 0 };

	ws_machine_write(m, &text);
	ws_put_u8(&text, 0);
	printf("# seed %" PRIu64 "; its machine:\n", seed);
	for (const char *p = (const char *)text.data, *end; *p; p = end + 1) {
		end = strchr(p, '\n');
		if (!end)
			break;
		if (strncmp(p, "title", 5) != 0 && *p != '#')
			printf("#   %.*s\n", (int)(end - p), p);
	}
	ws_buf_clear(&text);
}

static bool adds_up(const struct ws_cycle_counts *c)
{
	return c->requests == c->hits + c->pending + c->misses && c->sector_misses <= c->misses;
}

/* What holds of any result. */
static bool consistent(const struct ws_cycle_result *r, uint64_t schedulers)
{
	bool ok = true;

	for (size_t i = 0; i < r->sms; i++) {
		const struct ws_core_stats *s = &r->sm[i];
		uint64_t slots = s->issued, cells = 0;

		for (size_t k = 0; k < WS_STALLS; k++)
			slots += s->stalls[k];
		for (size_t k = 0; k < WS_LATENCY_CELLS; k++)
			cells += s->latency[k];
		for (size_t k = 0; k < WS_KINDS; k++)
			ok &= adds_up(&s->l1[k]);
		ok &= slots == s->slots && slots == schedulers * r->cycles && cells == s->loads;
		ok &= ws_cycle_latency(s, 1) == s->latency_max &&
		      ws_cycle_latency(s, 0.5) <= s->latency_max;
	}
	for (size_t i = 0; i < r->slices; i++) {
		for (size_t k = 0; k < WS_KINDS; k++)
			ok &= adds_up(&r->slice[i].l2[k]);
	}
	return ok;
}

/* Sub-warps of a step: in each large warp as many as the fullest column has lanes. */
static uint64_t sub_warps_of(const struct ref_step *step, uint64_t threads, uint64_t width,
			     uint64_t rows)
{
	uint64_t n = 0;

	for (uint64_t first = 0; first < threads; first += width * rows) {
		uint64_t fullest = 0;

		for (uint64_t column = first; column < first + width; column++) {
			uint64_t lanes = 0;

			for (uint64_t lane = column; lane < first + width * rows && lane < threads;
			     lane += width)
				lanes += step->mask[lane / 64] >> lane % 64 & 1;
			fullest = lanes > fullest ? lanes : fullest;
		}
		n += fullest;
	}
	return n;
}

/* Loads and atomics that a launch has: one for each sub-warp of a step. */
static uint64_t loads_of(const struct ref_launch *l, const struct ws_machine *m)
{
	uint64_t n = 0;

	for (uint64_t cta = 0; cta < l->launch.ctas; cta++) {
		for (size_t s = 0; s < l->steps[cta]; s++) {
			const struct ref_step *step = &l->step[cta][s];
			const struct ws_segment *segment = &l->launch.segment[step->segment];
			uint64_t each = 0;

			for (uint32_t a = 0; a < segment->count; a++) {
				const struct ws_instruction *in =
					&l->launch.instruction[segment->first + a];

				each += in->kind != WS_STORE && in->space == WS_SPACE_GLOBAL;
			}
			n += each * sub_warps_of(step, ws_launch_threads(&l->launch),
						 m->warp_width, m->sm_large_warp);
		}
	}
	return n;
}

struct tally {
	uint64_t rounds, same, sound, requests, cycles;
	struct ws_core_stats words; /* of those with an L1 of words */
};

static void one_round(uint64_t seed, struct tally *t)
{
	struct ref_launch l[2];
	struct side got, want, order = { .result = NULL };
	struct ws_machine m;
	struct memory trace;
	struct ws_rng rng;
	bool ok, sound;
	size_t launches;

	ws_rng_seed(&rng, seed);
	launches = chance(&rng, 6) ? 2 : 1;
	random_machine(&m, &rng);
	for (size_t i = 0; i < launches; i++) {
		const struct ref_shape shape = random_shape(&rng);

		ref_launch_random(&l[i], &rng, &shape);
		random_arrays(&l[i].launch, &rng, shape.bytes);
		if (!chance(&rng, 3))
			random_code(&l[i].launch, &rng);
		if (chance(&rng, 3))
			random_copies(&l[i].launch, &rng, 4096, shape.bytes);
	}
	memory_write(&trace, l, launches);
	want = by_reference(l, launches, &m, seed);
	got = simulated(&trace, &m, seed, 1 + seed % 2, seed % 3 > 0);
	ok = same_sides(&got, &want, seed % 3 > 0) &&
	     ordered(&trace, &m, seed, 1 + (unsigned)(seed % 3), &order) &&
	     same_order(&order, &want);
	sound = got.ok;
	for (size_t i = 0; i < launches; i++) {
		struct ws_core_stats sum;

		t->cycles += want.result[i].cycles;
		if (!got.ok)
			break;
		ws_cycle_sm(&got.result[i], &sum);
		sound &= consistent(&got.result[i], m.sm_schedulers) &&
			 sum.loads == loads_of(&l[i], &m);
		if (m.l1.organised.as >= WS_DECOUPLED)
			ws_core_stats_add(&t->words, &sum);
	}
	for (size_t i = 0; i < L1S_MAX; i++)
		t->requests += want.streams.sm[i].count;
	if (!ok || !sound)
		describe(&m, seed);
	t->same += ok;
	t->sound += sound;
	t->rounds++;
	side_clear(&got);
	side_clear(&want);
	side_clear(&order);
	memory_free(&trace);
	for (size_t i = 0; i < launches; i++)
		ref_launch_clear(&l[i]);
}

/* All that an L1 of words can do has been compared. */
static bool tally_has_words(const struct ws_core_stats *s)
{
	const struct ws_grain_stats *g = &s->grain;
	bool all = g->partial && g->invalidated && g->written_back && g->finer && g->coarser &&
		   g->flushed && g->size[0] && g->size[1] && g->size[2] && s->l1[WS_LOAD].pending &&
		   s->l1[WS_STORE].pending && s->l1[WS_STORE].fails[WS_FAIL_LINE];

	for (size_t i = 0; i < WS_FAILS; i++)
		all = all && s->l1[WS_LOAD].fails[i];
	return all;
}

static void test_random(uint64_t seed, uint64_t rounds)
{
	struct tally t = { 0 };

	for (uint64_t i = 0; i < rounds && t.rounds - t.same < 5; i++)
		one_round(seed + i, &t);
	test_ok(t.same == rounds, "equal the reference: %" PRIu64 " of %" PRIu64 " rounds, %" PRIu64
		" requests, %" PRIu64 " cycles", t.same, t.rounds, t.requests, t.cycles);
	test_ok(tally_has_words(&t.words) || rounds < ROUNDS / 2,
		"words: %" PRIu64 " partial hits, %" PRIu64 " flushed, %" PRIu64
		" written back, %" PRIu64 " failed for want of places",
		t.words.grain.partial, t.words.grain.flushed, t.words.grain.written_back,
		t.words.l1[WS_LOAD].fails[WS_FAIL_LINE] + t.words.l1[WS_STORE].fails[WS_FAIL_LINE]);
	test_ok(t.sound == rounds, "counts add up and every load comes back once: %" PRIu64,
		t.sound);
}

/* ---- what must hold -------------------------------------------------------------------------- */

/* One SM, no latencies, all the room there is. */
static void ideal(struct ws_machine *m, struct ws_rng *rng)
{
	random_machine(m, rng);
	m->profile = WS_BEHAVES_HARDWARE; /* a functional cache knows no bytes */
	m->sm_count = 1;
	m->warp_width = 16;
	m->l1.latency_cycles = m->l2.latency_cycles = m->icnt_latency_cycles = 0;
	m->dram_latency_cycles = m->l1_mshr_cycles = 0;
	m->dram_bandwidth = m->icnt_width = 1u << 20;
	if (m->icnt_queues == WS_QUEUES_ROUTER)
		m->icnt_queues = WS_QUEUES_INPUT;
	m->l2_rate = 0;
	m->dram_atom = 32;
	m->l1.mshr_entries = m->l1.mshr_merge = m->l2.mshr_entries = m->l2.mshr_merge = 1u << 20;
	m->l1_queue = m->icnt_credits = 1u << 20;
}

/* The counts of the functional cache, of the same requests, added. */
static void functional(const struct ws_machine *m, uint64_t seed, const struct ref_stream *s,
		       struct ws_counts kind[WS_KINDS + 1])
{
	struct ws_counts of[WS_KINDS + 1];
	struct ws_sim *sim;

	must_be(!ws_sim_new(&sim, &m->l1, NULL), "ws_sim_new");
	ws_sim_seed(sim, seed);
	for (size_t i = 0; i < s->count; i++) {
		const struct ref_issue *q = &s->item[i];
		const struct ws_request r = { .address = q->address, .sectors = q->sectors,
					      .instruction = q->instruction,
					      .kind = (uint8_t)q->kind };

		must_be(!ws_sim_push(sim, &r, 1, NULL), "ws_sim_push");
	}
	ws_sim_counts(sim, of);
	for (size_t k = 0; k <= WS_KINDS; k++)
		ws_counts_add(&kind[k], &of[k]);
	ws_sim_free(sim);
}

/* What a functional cache of words counts beside. */
static bool same_grain(const struct ws_machine *m, const struct ref_stream *s,
		       const struct ws_grain_stats *got)
{
	struct ws_grain_stats want;
	struct ws_counts all = { 0 };
	struct ws_grain *g;

	if (m->l1.organised.as < WS_DECOUPLED)
		return true;
	must_be(!ws_grain_new(&g, &m->l1, NULL), "ws_grain_new");
	for (size_t i = 0; i < s->count; i++) {
		const struct ws_request r = { .address = s->item[i].address,
					      .sectors = s->item[i].sectors,
					      .kind = (uint8_t)s->item[i].kind };

		must_be(r.kind == WS_ATOMIC || !ws_grain_request(g, &r, &all, NULL),
			"ws_grain_request");
	}
	ws_grain_stats(g, &want);
	ws_grain_free(g);
	return equal(memcmp(got, &want, sizeof want) == 0, 1, "what words did", 0, 0);
}

/* A lane whose loads are waited for, so that no way is ever reserved when a victim is chosen. */
static void one_by_one(struct ref_launch *l, struct ws_rng *rng)
{
	const struct ref_shape shape = { 1, 1, 300, 1, 8192, false, false };

	ref_launch_random(l, rng, &shape);
	for (size_t i = 0; i < l->launch.instructions; i++)
		l->launch.instruction[i].use = 1;
}

/* The functional cache has the counts of an SM's L1. */
static bool as_found(const struct side *got, const struct ws_machine *m, uint64_t seed, size_t sm)
{
	struct ws_counts kind[WS_KINDS + 1] = { 0 };
	bool ok = true;

	for (uint64_t i = 0; i < m->l1_parts; i++)
		functional(m, seed, &got->streams.sm[sm * m->l1_parts + i], kind);
	told = 0;
	for (size_t k = 0; ok && k < WS_KINDS; k++) {
		const struct ws_cycle_counts *c = &got->result[0].sm[sm].l1[k];

		ok = equal(c->requests, kind[k].requests, "requests", sm, k) &
		     equal(c->hits + c->pending, kind[k].hits, "hits", sm, k) &
		     equal(c->misses, kind[k].misses, "misses", sm, k);
	}
	return ok;
}

static bool as_functional(uint64_t seed)
{
	struct ref_launch l;
	struct memory trace;
	struct ws_machine m;
	struct side got;
	struct ws_rng rng;
	bool ok;

	ws_rng_seed(&rng, seed);
	ideal(&m, &rng);
	if (seed % 2 || strchr(m.l1.policy, '/')) /* who choose together meet in launches alone */
		snprintf(m.l1.policy, sizeof m.l1.policy, "lru");
	else
		m.l1.alloc = WS_ALLOC_ON_MISS;
	one_by_one(&l, &rng);
	memory_write(&trace, &l, 1);
	got = simulated(&trace, &m, seed, 1, false);
	ok = got.ok && as_found(&got, &m, seed, 0);
	if (!ok)
		describe(&m, seed);
	side_clear(&got);
	memory_free(&trace);
	ref_launch_clear(&l);
	return ok;
}

/* Many warps, and fetches of any latency, on SMs with one set of ways.  If fewer look-ups are made
 * while a fetch is under way than there are ways, LRU's victim is none that is reserved, and
 * nothing but the order of requests is left of time. */
static struct ref_launch many_warps(struct ws_machine *m, struct ws_rng *rng)
{
	const struct ref_shape shape = { 12, 100, 12, 1, 32768, chance(rng, 2), false };
	struct ref_launch l;

	ideal(m, rng);
	m->sm_count = between(rng, 1, 3);
	m->dram_latency_cycles = between(rng, 0, 20);
	snprintf(m->dram_timing, sizeof m->dram_timing, "none");
	m->l1_banks = 1;
	m->l1.alloc = WS_ALLOC_ON_MISS;
	m->l1.organised = (struct ws_organised){ .as = WS_LINES };
	m->l1.sets = 1;
	m->l1.set_ways.runs = 0;
	m->l1.ways = between(rng, 250, 400);
	m->l1.line_bytes = m->l1.sector_bytes = 32;
	m->l1.size_bytes = m->l1.ways * m->l1.line_bytes;
	m->l1.mshr_entries = between(rng, 8, 64);
	m->l1.mshr_merge = between(rng, 4, 64);
	m->coalesce_line = 32u << ws_rng_below(rng, 4);
	snprintf(m->l1.policy, sizeof m->l1.policy, "lru");
	ref_launch_random(&l, rng, &shape);
	return l;
}

static bool only_order(uint64_t seed, uint64_t *looked_at)
{
	struct ref_launch l;
	struct memory trace;
	struct ws_machine m;
	struct side got;
	struct ws_rng rng;
	bool ok;

	ws_rng_seed(&rng, seed);
	l = many_warps(&m, &rng);
	memory_write(&trace, &l, 1);
	got = simulated(&trace, &m, seed, 1, false);
	ok = got.ok;
	for (size_t sm = 0; ok && sm < m.sm_count; sm++) {
		if (got.result[0].sm[sm].latency_max >= m.l1.ways)
			continue;
		ok = as_found(&got, &m, seed, sm);
		++*looked_at;
	}
	ok = ok && same_grain(&m, &got.streams.sm[0], &got.result[0].sm[0].grain);
	if (!ok)
		describe(&m, seed);
	side_clear(&got);
	memory_free(&trace);
	ref_launch_clear(&l);
	return ok;
}

static void test_only_order(uint64_t seed, uint64_t rounds)
{
	uint64_t good = 0, looked_at = 0;

	while (good < rounds && only_order(seed + good, &looked_at))
		good++;
	test_ok(good == rounds && looked_at >= rounds,
		"many warps, no victim reserved: LRU in their order: %" PRIu64 " of %" PRIu64
		", %" PRIu64 " SMs", good, rounds, looked_at);
}

/* Twice the ways, one warp, LRU. */
static bool ways_help(uint64_t seed)
{
	uint64_t before = UINT64_MAX, misses = 0;
	struct ref_launch l;
	struct memory trace;
	struct ws_machine m;
	struct ws_rng rng;

	ws_rng_seed(&rng, seed);
	random_machine(&m, &rng);
	m.profile = WS_BEHAVES_HARDWARE; /* stores in part make misses */
	m.sm_count = 1;
	m.l1.organised = (struct ws_organised){ .as = WS_LINES }; /* chunks of a region are no
								   * stack */
	snprintf(m.l1.policy, sizeof m.l1.policy, "lru");
	one_by_one(&l, &rng);
	memory_write(&trace, &l, 1);
	m.l1.set_ways.runs = 0;
	for (m.l1.ways = 1; m.l1.ways <= 16 && misses <= before; m.l1.ways *= 2) {
		struct side got = simulated(&trace, &m, seed, 1, false);

		before = m.l1.ways == 1 ? UINT64_MAX : misses;
		misses = 0;
		m.l1.size_bytes = m.l1.sets * m.l1.ways * m.l1.line_bytes;
		for (size_t k = 0; got.ok && k < WS_KINDS; k++)
			misses += got.result[0].sm[0].l1[k].misses;
		side_clear(&got);
	}
	if (misses > before)
		describe(&m, seed);
	memory_free(&trace);
	ref_launch_clear(&l);
	return misses <= before;
}

static bool threads_agree(uint64_t seed)
{
	struct ref_shape shape;
	struct side one, two, three;
	struct ref_launch l;
	struct memory trace;
	struct ws_machine m;
	struct ws_rng rng;
	bool ok;

	ws_rng_seed(&rng, seed);
	random_machine(&m, &rng);
	m.sm_count = between(&rng, 3, SMS_MAX);
	shape = random_shape(&rng);
	shape.ctas = between(&rng, 8, 30);
	ref_launch_random(&l, &rng, &shape);
	memory_write(&trace, &l, 1);
	one = simulated(&trace, &m, seed, 1, true);
	two = simulated(&trace, &m, seed, 2, true);
	three = simulated(&trace, &m, seed, 3, true);
	ok = same_sides(&two, &one, true) && same_sides(&three, &one, true);
	side_clear(&one);
	side_clear(&two);
	side_clear(&three);
	memory_free(&trace);
	ref_launch_clear(&l);
	return ok;
}

/* Read by no launch: those of pchase, and what a row says of pending hits. */
static bool is_aside(const struct ws_key *key)
{
	return strncmp(key->name, "shared.", 7) == 0 || strcmp(key->name, "count_pending") == 0;
}

/* A key of the cycle simulator that the random machines above leave out is compared with no
 * reference. */
static void test_keys(uint64_t seed)
{
	struct ws_machine first, m;
	bool varies[128] = { false };
	struct ws_rng rng;

	ws_rng_seed(&rng, seed);
	random_machine(&first, &rng);
	for (unsigned i = 0; i < 200; i++) {
		random_machine(&m, &rng);
		for (size_t k = 0; ws_keys[k].name; k++)
			varies[k] |= !ws_key_same(&first, &m, &ws_keys[k]);
	}
	for (size_t k = 0; ws_keys[k].name; k++)
		if (ws_keys[k].stage == WS_STAGE_CYCLES && !is_aside(&ws_keys[k]))
			test_ok(varies[k], "%s is drawn by random_machine()", ws_keys[k].name);
}

static void holds(const char *what, bool (*does)(uint64_t seed), uint64_t seed, uint64_t rounds)
{
	uint64_t good = 0;

	while (good < rounds && does(seed + good))
		good++;
	test_ok(good == rounds, "%s: %" PRIu64 " of %" PRIu64, what, good, rounds);
}

int main(void)
{
	const char *text = getenv("WS_TEST_ROUNDS");
	uint64_t seed = test_seed(20261122), rounds = ROUNDS;

	if (text && !ws_parse_u64(text, &rounds))
		rounds = ROUNDS;
	test_keys(seed);
	test_random(seed, rounds);
	holds("one warp without latencies: the functional cache", as_functional, seed, rounds / 4);
	test_only_order(seed, rounds / 20);
	holds("more ways under LRU, never more misses", ways_help, seed, rounds / 20);
	holds("1, 2 and 3 threads agree", threads_agree, seed, rounds / 20);
	return test_done();
}
