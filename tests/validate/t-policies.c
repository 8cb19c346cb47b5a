/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The exact face of every policy against tests/ref/policy.c, request by request, on random
 * streams: all numbers of ways up to 16 and some beyond, several sets, now and then of different
 * ways, all write policies, whole and sectored lines, flushes.  Then what is known of policies
 * whatever the stream: which are the same, and that none misses less than opt, which misses as
 * little as any choice of victims.
 *
 * A round is one stream in each geometry, and two duels; WS_TEST_ROUNDS asks for more of them.
 */
#include "tests/ref/policy.h"
#include "tests/ref/set_ways.h"
#include "tests/validate/stream.h"

#define REQUESTS 6000u
#define FEW 900u	/* requests of most streams */
#define LAUNCHES 3u
#define WAYS 18u	/* 1 .. 16, and two beyond */
#define ROUNDS 3u	/* unless more are asked for */
#define TINY 12u

/* How policies are asked for besides by their names.  prob's weights are drawn for each stream. */
static const char *const more[] = {
	"srrip:1", "srrip:2", "srrip:3", "srrip:16", "srrip:1,fp", "srrip:2,fp", "srrip:4,fp",
	"brrip:0", "brrip:1", "brrip:1/3", "brrip:0.75", "brrip:1/32", "drrip:1", "drrip:3",
	"drrip:20", "bip:0", "bip:1", "bip:1/3", "bip:0.75", "dip:1", "dip:3", "dip:20",
	"lfu-age:1", "lfu-age:2", "lfu-age:3", "lfu-age:7", "lfu-age:100", "lfu-age:4294967296",
	"brrip-kumar:0", "brrip-kumar:1", "brrip-kumar:1/3", "L", "F", "S", "B", "H",
};
#define ASKED_MAX 128u
static const char *asked[ASKED_MAX]; /* lru the first */
static size_t asked_count;

/* The same hits on every stream; sets, ways: only with that many, 0: with any. */
static const struct same {
	const char *one, *other;
	uint64_t sets, ways;
} sames[] = {
	{ "lfu-age:1", "lru", 0, 0 }, { "lfu-kumar", "lru", 0, 0 },
	{ "srrip:1", "nru", 0, 0 }, { "srrip:1,fp", "nru", 0, 0 },
	{ "srrip", "srrip:2", 0, 0 }, { "brrip", "brrip:1/32", 0, 0 },
	{ "brrip:1", "srrip", 0, 0 }, { "bip:1", "lru", 0, 0 },
	{ "brrip-kumar:1", "srrip-kumar", 0, 0 }, { "lfu-age:4294967296", "lfu", 0, 0 },
	{ "drrip", "srrip", 1, 0 }, { "dip", "lru", 1, 0 }, { "plru", "lru", 0, 2 },
	{ "L", "lru", 0, 0 }, { "F", "fifo", 0, 0 }, { "S", "srrip-kumar", 0, 0 },
	{ "B", "brrip-kumar", 0, 0 }, { "H", "lfu-kumar", 0, 0 },
};

struct input {
	struct ws_cache cache;
	struct ws_request r[REQUESTS];
	size_t end[LAUNCHES];	/* of each launch; the last: of all */
	char weights[WS_NAME_MAX]; /* "prob:..."; empty if that would be too long */
	uint64_t seed;		/* of the draws; 0: not given */
	uint64_t again;		/* WS_TEST_SEED that has this stream in its first round */
	bool allocates;		/* every request does, or is an atomic, and finds its line whole */
};

struct outcome {
	bool ran, each;		/* each: hit[] is known */
	bool hit[REQUESTS];
	struct ws_counts kind[WS_KINDS + 1];
};

struct tally {
	uint64_t runs[ASKED_MAX], bad[ASKED_MAX];
	uint64_t same[WS_COUNT(sames)], differ[WS_COUNT(sames)];
	uint64_t bounds, beaten, alone, strays, requests;
};

/* ---- streams --------------------------------------------------------------------- */

/* Weights as long as a policy's name leaves room for. */
static void weights_random(struct input *in, struct ws_rng *rng)
{
	static const char *const brief[] = { "0", "1", "2", "7" };
	static const char *const plain[] = { "0", "1/6", "3", "0.5", "2/3", "0" };
	uint64_t ways = in->cache.ways, some = ws_rng_below(rng, ways);
	size_t len = 5;

	snprintf(in->weights, sizeof in->weights, "prob:");
	for (uint64_t way = 0; way < ways && len < sizeof in->weights; way++) {
		const char *weight = ways > 15 ? brief[ws_rng_below(rng, WS_COUNT(brief))]
			: plain[ws_rng_below(rng, WS_COUNT(plain))];

		len += (size_t)snprintf(in->weights + len, sizeof in->weights - len, "%s%s",
					way ? "," : "", way == some ? "5" : weight);
	}
	if (len >= sizeof in->weights || in->cache.set_ways.runs)
		in->weights[0] = '\0';
}

struct maker {			/* of lines in one set */
	uint64_t lines, fresh, at, left;
	unsigned pattern;
};

/* A while of a loop, of jumps, of few lines, of lines never met before, of repeats. */
static uint64_t line_next(struct maker *m, struct ws_rng *rng)
{
	if (!m->left--) {
		m->pattern = (unsigned)ws_rng_below(rng, 5);
		m->left = ws_rng_below(rng, 2 * m->lines);
	}
	switch (m->pattern) {
	case 0:
		return ++m->at % m->lines;
	case 1:
		return ws_rng_below(rng, m->lines);
	case 2:
		return ws_rng_below(rng, 1 + m->lines / 4);
	case 3:
		return m->lines + m->fresh++;
	default:
		m->at += ws_rng_below(rng, 2);
		return m->at % m->lines;
	}
}

static uint32_t sectors_random(const struct ws_cache *c, struct ws_rng *rng)
{
	uint32_t sectors = (uint32_t)ws_rng_u64(rng) & line_sectors(c);

	if (ws_rng_below(rng, 2))
		sectors &= (uint32_t)ws_rng_u64(rng);
	return sectors ? sectors : 1;
}

/* Sets that matter to duels among them; few, so that they are filled. */
static unsigned sets_random(uint64_t sets, uint64_t set[4], struct ws_rng *rng)
{
	unsigned count = (unsigned)(1 + ws_rng_below(rng, sets < 4 ? sets : 4));

	for (unsigned i = 0; i < count; i++)
		set[i] = ws_rng_below(rng, sets);
	if (ws_rng_below(rng, 2))
		set[0] = ws_rng_below(rng, 1 + (sets - 1) / 8) * 8;
	if (count > 1 && ws_rng_below(rng, 2))
		set[1] = (sets > 1 ? sets / 4 : 0) % 5;
	return count;
}

/* As lines are asked for, mostly; among the others some that tables cannot tell apart, and
 * nobody. */
static uint32_t instruction_random(unsigned pattern, struct ws_rng *rng)
{
	static const uint32_t other[] = { 5, 128, 16384, 16385, 0x10004, UINT32_MAX };

	return ws_rng_below(rng, 8) ? pattern : other[ws_rng_below(rng, WS_COUNT(other))];
}

/* In a few sets; loads alone, or at times mostly stores. */
static void requests_random(struct input *in, size_t count, struct ws_rng *rng)
{
	static const uint64_t percent[] = { 0, 15, 30, 97 };
	const struct ws_cache *c = &in->cache;
	uint64_t set[4], stores = 0, atomics = ws_rng_below(rng, 2) * 4;
	unsigned sets = sets_random(c->sets, set, rng);
	bool loads = !ws_rng_below(rng, 3);
	struct maker maker[4];

	for (unsigned i = 0; i < sets; i++)
		maker[i] = (struct maker){ .lines = 1 + ws_rng_below(rng, 2 * c->ways + 2) };
	for (size_t i = 0; i < count; i++) {
		uint64_t m = ws_rng_below(rng, sets), k = ws_rng_below(rng, 100);
		uint64_t line = line_next(&maker[m], rng) * c->sets + set[m];

		if (i % 100 == 0 && !loads)
			stores = percent[ws_rng_below(rng, WS_COUNT(percent))];
		in->r[i] = request_make(c, k < stores ? WS_STORE : k < stores + atomics
					? WS_ATOMIC : WS_LOAD, line, sectors_random(c, rng));
		in->r[i].instruction = instruction_random(maker[m].pattern, rng);
	}
	in->allocates = c->sector_bytes == c->line_bytes &&
		(loads || c->write == WS_WRITE_BACK || c->write == WS_WRITE_THROUGH_ALLOCATE);
}

/* Long sweeps of one leading set or the other, so that PSEL goes from end to end, with a look
 * at what a following set does between them.  4 to 15 sets. */
static void requests_duel(struct input *in, struct ws_rng *rng)
{
	uint64_t fresh = 0, set = 0, left = 0, lines = 0;

	for (size_t i = 0; i < REQUESTS; i++) {
		uint64_t line;

		if (!left--) {
			set = ws_rng_below(rng, 4);
			lines = set % 2 ? in->cache.ways + 1 : 0;
			left = set % 2 ? 40 : ws_rng_below(rng, 700);
		}
		line = lines ? i % lines : 1000 + fresh++;
		in->r[i] = request_make(&in->cache, WS_LOAD, line * in->cache.sets + set, 1);
	}
	in->allocates = in->cache.sector_bytes == in->cache.line_bytes;
}

static void launches_random(struct input *in, size_t count, struct ws_rng *rng)
{
	for (unsigned l = 0; l < LAUNCHES; l++)
		in->end[l] = (size_t)ws_rng_below(rng, count);
	if (in->end[0] > in->end[1])
		in->end[0] = in->end[1];
	in->end[LAUNCHES - 1] = count;
}

static void input_random(struct input *in, bool duel, struct ws_rng *rng)
{
	uint64_t few = 30 + ws_rng_below(rng, 50 + 12 * in->cache.ways);

	in->seed = ws_rng_below(rng, 4) ? 1 + ws_rng_u64(rng) / 2 : 0;
	weights_random(in, rng);
	if (duel)
		requests_duel(in, rng);
	else
		requests_random(in, few < FEW ? few : FEW, rng);
	launches_random(in, duel ? REQUESTS : few < FEW ? few : FEW, rng);
}

/* ---- one policy, one stream ------------------------------------------------------ */

static bool counts_agree(const struct ws_counts *sim, const struct ws_counts *ref)
{
	for (int k = 0; k < WS_KINDS; k++)
		if (sim[k].requests != ref[k].requests || sim[k].hits != ref[k].hits ||
		    sim[k].misses != ref[k].misses)
			return false;
	return true;
}

static void reference(struct ref_cache *ref, const struct ws_request *r, size_t count, size_t i,
		      struct ws_counts *kind)
{
	struct ws_counts *c = &kind[r[i].kind];
	bool hit = ref_cache_request(ref, r, count, i);

	c->requests++;
	c->hits += hit;
	c->misses += !hit;
}

/* A launch, r[0 .. count - 1].  Returns the first request after which the counts differ, or count;
 * of an offline policy 0 or count. */
static size_t launch(struct ws_sim *sim, struct ref_cache *ref, const struct ws_request *r,
		     size_t count, struct ws_counts *expected, struct outcome *out, bool *hit)
{
	if (!out->each) {
		for (size_t i = 0; i < count; i++)
			reference(ref, r, count, i, expected);
		if (ws_sim_push(sim, r, count, NULL))
			return 0;
		ws_sim_counts(sim, out->kind);
		return counts_agree(out->kind, expected) ? count : 0;
	}
	for (size_t i = 0; i < count; i++) {
		uint64_t before = out->kind[WS_KINDS].hits;

		reference(ref, r, count, i, expected);
		if (ws_sim_push(sim, &r[i], 1, NULL))
			return i;
		ws_sim_counts(sim, out->kind);
		hit[i] = out->kind[WS_KINDS].hits > before;
		if (!counts_agree(out->kind, expected))
			return i;
	}
	return count;
}

static void differs(const struct input *in, const char *policy, size_t at, bool hit)
{
	const struct ws_cache *c = &in->cache;

	printf("# %s differs at request %zu%s: %" PRIu64 " sets, %" PRIu64 " ways, line %" PRIu64
	       ", sector %" PRIu64 ", %s, flushes before %zu and %zu, draws of seed %" PRIu64
	       "; WS_TEST_SEED=%" PRIu64 " WS_TEST_ROUNDS=1\n", policy, at, hit ? " (a hit)" : "",
	       c->sets, c->ways, c->line_bytes, c->sector_bytes, write_names[c->write],
	       in->end[0], in->end[1], in->seed ? in->seed : 1, in->again);
	if (at < 60)
		stream_print(in->r, at + 1, c);
}

static bool run(const struct input *in, const char *policy, struct outcome *out)
{
	struct ws_counts expected[WS_KINDS + 1] = { { 0 } };
	const struct ws_policy *found = ws_policy_find(policy);
	struct ws_cache cache = in->cache;
	struct ref_cache *ref;
	struct ws_sim *sim;
	struct ws_err err = { 0 };
	size_t first = 0, same = 0, count = 0;

	memset(out->kind, 0, sizeof out->kind);
	snprintf(cache.policy, sizeof cache.policy, "%s", policy);
	ref = ref_cache_new(&cache, in->seed ? in->seed : 1);
	if (!found || !ref || ws_sim_new(&sim, &cache, &err)) {
		printf("# %s: %s\n", policy, ref ? err.text : "no reference");
		ref_cache_free(ref);
		return false;
	}
	out->ran = true;
	out->each = !found->offline;
	if (in->seed)
		ws_sim_seed(sim, in->seed);
	for (unsigned l = 0; l < LAUNCHES && same == count; l++) {
		count = in->end[l] - first;
		same = launch(sim, ref, in->r + first, count, expected, out, out->hit + first);
		first += same;
		ws_sim_flush(sim);
		ref_cache_flush(ref);
	}
	if (same < count)
		differs(in, policy, first, out->each && out->hit[first]);
	ws_sim_free(sim);
	ref_cache_free(ref);
	return same == count;
}

/* ---- all policies, one stream ---------------------------------------------------- */

static const struct outcome *outcome_of(const struct outcome *outs, const char *policy)
{
	for (size_t i = 0; i < asked_count; i++)
		if (!strcmp(asked[i], policy) && outs[i].ran)
			return &outs[i];
	return NULL;
}

/* Hit for hit where that is known of both. */
static bool hits_same(const struct input *in, const struct outcome *a, const struct outcome *b)
{
	if (a->kind[WS_KINDS].hits != b->kind[WS_KINDS].hits)
		return false;
	return !a->each || !b->each || !memcmp(a->hit, b->hit, in->end[LAUNCHES - 1]);
}

static void compare(const struct input *in, const struct outcome *outs, struct tally *t)
{
	const struct outcome *opt = outcome_of(outs, "opt");

	for (size_t i = 0; i < WS_COUNT(sames); i++) {
		const struct outcome *one = outcome_of(outs, sames[i].one);
		const struct outcome *other = outcome_of(outs, sames[i].other);

		if (!one || !other || (sames[i].sets && sames[i].sets != in->cache.sets) ||
		    (sames[i].ways && sames[i].ways != in->cache.ways))
			continue;
		t->same[i]++;
		t->differ[i] += !hits_same(in, one, other);
	}
	for (size_t i = 0; i < asked_count; i++) {
		if (!outs[i].ran)
			continue;
		if (ws_policy_find(asked[i])->bypass)
			continue;
		if (in->cache.ways == 1) {
			t->alone++;
			t->strays += !outs[0].ran || !hits_same(in, &outs[0], &outs[i]);
		}
		if (in->allocates && opt) {
			t->bounds++;
			t->beaten += outs[i].kind[WS_KINDS].misses < opt->kind[WS_KINDS].misses;
		}
	}
}

static void stream(const struct input *in, struct tally *t)
{
	static struct outcome outs[ASKED_MAX];

	for (size_t i = 0; i < asked_count; i++) {
		const char *policy = strcmp(asked[i], "prob") ? asked[i] : in->weights;

		outs[i].ran = false;
		if (!policy[0])
			continue;
		t->runs[i]++;
		t->requests += in->end[LAUNCHES - 1];
		if (!run(in, policy, &outs[i])) {
			t->bad[i]++;
			outs[i].ran = false;
		}
	}
	compare(in, outs, t);
}

/* Every geometry once, and two duels. */
static void pass(uint64_t seed, struct tally *t)
{
	static const uint64_t sets[] = { 1, 2, 3, 4, 16, 32 };
	static const uint64_t line[][2] = { { 128, 128 }, { 32, 32 }, { 128, 32 }, { 256, 64 } };
	static struct input in;
	struct ws_rng rng;

	ws_rng_seed(&rng, seed);
	in.again = seed;
	for (size_t s = 0; s < WS_COUNT(sets); s++) {
		for (uint64_t w = 1; w <= WAYS; w++) {
			uint64_t ways = w < 17 ? w : w == 17 ? 17 + ws_rng_below(&rng, 64) : 64;

			for (int write = WS_WRITE_BACK; write <= WS_WRITE_EVICT; write++) {
				const uint64_t *bytes = line[ws_rng_below(&rng, WS_COUNT(line))];

				in.cache = cache_make(sets[s], ways, bytes[0], bytes[1], "modulo",
						      (enum ws_write)write);
				if (sets[s] > 1 && !ws_rng_below(&rng, 4))
					ref_draw_set_ways(&in.cache, ways, &rng);
				input_random(&in, false, &rng);
				stream(&in, t);
			}
		}
	}
	for (unsigned i = 0; i < 2; i++) {
		in.cache = cache_make(4 + 3 * i, 2 + ws_rng_below(&rng, 3), 128, 128, "modulo",
				      WS_WRITE_BACK);
		input_random(&in, true, &rng);
		stream(&in, t);
	}
}

/* ---- the tests ------------------------------------------------------------------- */

/* Policies and references name each other, and each is asked for. */
static void complete(void)
{
	for (size_t i = 0; ws_policies[i]; i++) {
		size_t ref = 0;

		while (ref_policy_name(ref) && strcmp(ref_policy_name(ref), ws_policies[i]->name))
			ref++;
		test_ok(ref_policy_name(ref), "%s has a rule in tests/ref/policy.c",
			ws_policies[i]->name);
		if (ref_policy_name(ref))
			asked[asked_count++] = ws_policies[i]->name;
	}
	for (size_t i = 0; i < WS_COUNT(more); i++)
		asked[asked_count++] = more[i];
	for (size_t i = 0; ref_policy_name(i); i++)
		test_ok(ws_policy_find(ref_policy_name(i)), "%s is in the table",
			ref_policy_name(i));
}

static void report(const struct tally *t)
{
	for (size_t i = 0; i < asked_count; i++)
		test_ok(t->runs[i] && !t->bad[i], "%s: %" PRIu64 " of %" PRIu64 " streams differ",
			asked[i], t->bad[i], t->runs[i]);
	for (size_t i = 0; i < WS_COUNT(sames); i++)
		test_ok(t->same[i] && !t->differ[i], "%s as %s: %" PRIu64 " of %" PRIu64
			" streams differ", sames[i].one, sames[i].other, t->differ[i], t->same[i]);
	test_ok(t->alone && !t->strays, "one way: %" PRIu64 " of %" PRIu64 " streams are not lru's",
		t->strays, t->alone);
	test_ok(t->bounds && !t->beaten, "opt is beaten by %" PRIu64 " of %" PRIu64, t->beaten,
		t->bounds);
	printf("# %" PRIu64 " requests of a policy, each compared\n", t->requests);
}

/* Few enough requests to try every victim.  Two sets: each is a set alone. */
static bool least(uint64_t sets, uint64_t ways, struct ws_rng *rng)
{
	struct ws_cache cache = cache_make(sets, ways, 128, 128, "modulo", WS_WRITE_BACK);
	uint64_t lines = sets * (ways + 1 + ws_rng_below(rng, 3)), of[TINY], fewest = 0;
	struct ws_counts kind[WS_KINDS + 1];
	struct ws_request r[TINY];
	struct ws_sim *sim;
	bool good;

	snprintf(cache.policy, sizeof cache.policy, "opt");
	if (ws_sim_new(&sim, &cache, NULL))
		return false;
	for (size_t i = 0; i < TINY; i++)
		r[i] = request_make(&cache, ws_rng_below(rng, 3) ? WS_LOAD : WS_STORE,
				    ws_rng_below(rng, lines), 1);
	for (uint64_t set = 0; set < sets; set++) {
		size_t n = 0;

		for (size_t i = 0; i < TINY; i++)
			if (r[i].address / 128 % sets == set)
				of[n++] = r[i].address;
		fewest += ref_fewest_misses((unsigned)ways, of, n);
	}
	good = !ws_sim_push(sim, r, TINY, NULL);
	ws_sim_counts(sim, kind);
	ws_sim_free(sim);
	if (good && kind[WS_KINDS].misses != fewest)
		stream_print(r, TINY, &cache);
	return good && kind[WS_KINDS].misses == fewest;
}

static void all_victims(uint64_t seed, uint64_t rounds)
{
	uint64_t good = 0, runs = 120 * rounds;
	struct ws_rng rng;

	ws_rng_seed(&rng, seed);
	while (good < runs && least(1 + good % 2, 1 + good % 5, &rng))
		good++;
	test_ok(good == runs, "opt misses as little as possible: %" PRIu64 " of %" PRIu64, good,
		runs);
}

int main(void)
{
	static struct tally tally;
	const char *text = getenv("WS_TEST_ROUNDS");
	uint64_t seed = test_seed(20250412), rounds = ROUNDS;

	if (text && !ws_parse_u64(text, &rounds))
		rounds = ROUNDS;
	complete();
	for (uint64_t i = 0; i < rounds; i++)
		pass(seed + i, &tally);
	report(&tally);
	all_victims(seed, rounds);
	return test_done();
}
