/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/model/t-frequency.c -- the models of LFU, LFU with ageing and MFU: what they must say of
 * streams whose answer is known, and that hostile profiles get an answer at all.
 */
#include "tests/test.h"

#include "tests/stackdist/made.h"
#include "validate/sim/sim.h"

#define LINE 128u
#define MOST 20000u

/* ---- streams of one set ------------------------------------------------------------ */

struct lines {
	struct ws_request r[MOST];
	size_t count;
};

static void add(struct lines *s, uint64_t line)
{
	if (s->count < MOST)
		s->r[s->count++] = (struct ws_request){ .address = line * LINE, .sectors = 1,
							 .cycle = s->count };
}

/* `hot` lines round and round; after `warm` rounds, `cold` new ones a round with them. */
static void hot_and_cold(struct lines *s, unsigned hot, unsigned cold, unsigned warm,
			 unsigned rounds)
{
	uint64_t fresh = 1000;

	s->count = 0;
	for (unsigned i = 0; i < rounds; i++) {
		for (unsigned j = 0; j < hot; j++)
			add(s, j);
		for (unsigned j = 0; j < cold && i >= warm; j++)
			add(s, fresh++);
	}
}

static void loop(struct lines *s, unsigned lines)
{
	hot_and_cold(s, lines, 0, 0, 4000 / lines);
}

static void bursts(struct lines *s, unsigned lines, unsigned length)
{
	s->count = 0;
	for (unsigned i = 0; i < lines; i++)
		for (unsigned j = 0; j < length; j++)
			add(s, i);
}

/* Any of `lines`, each as likely, independent. */
static void at_random(struct lines *s, struct ws_rng *rng, unsigned lines)
{
	s->count = 0;
	while (s->count < MOST)
		add(s, ws_rng_below(rng, lines));
}

/* ---- asking ------------------------------------------------------------------------ */

static struct ws_cache cache_of(unsigned ways, const char *policy)
{
	struct ws_cache c = { .size_bytes = ways * LINE, .sets = 1, .ways = ways,
			      .line_bytes = LINE, .sector_bytes = LINE,
			      .hash = ws_hash_find("modulo"), .write = WS_WRITE_BACK };

	snprintf(c.policy, sizeof c.policy, "%s", policy);
	return c;
}

static struct ws_profile *profile(const struct lines *s, struct ws_err *err)
{
	char name[] = "k";
	struct ws_launch launch = { .kernel = name, .grid = { 1, 1, 1 }, .block = { 32, 1, 1 },
				    .ctas = 1 };
	struct ws_order_stats stats = { .resident_ctas = 1 };
	struct ws_shape shape = { LINE, 1 };
	struct ws_profile_options options = { .shape = &shape, .shapes = 1, .threads = 1,
					      .record = WS_RECORD_DETAIL };
	struct ws_machine m = { .sm_count = 1, .l1_parts = 1, .warp_width = 32,
				.coalesce_line = LINE,
				.l1 = cache_of(4, "lru") };
	struct ws_profiler *p = NULL;
	struct ws_profile *out = NULL;

	if (ws_profiler_new(&p, &m, &options, err) || ws_profiler_launch(p, &launch, err) ||
	    ws_profiler_push(p, 0, s->r, s->count, err) || ws_profiler_end(p, &stats, err) ||
	    ws_profiler_finish(p, &out, err))
		printf("# %s\n", err->text);
	ws_profiler_free(p);
	return out;
}

static struct ws_prediction predict(const struct ws_profile *p, unsigned ways, const char *policy)
{
	struct ws_cache c = cache_of(ways, policy);
	struct ws_prediction out = { 0 };
	struct ws_err err = { 0 };

	if (!p || ws_predict(p, 0, &c, &out, &err))
		printf("# %s\n", err.text);
	return out;
}

static double exact(const struct lines *s, unsigned ways, const char *policy)
{
	struct ws_cache c = cache_of(ways, policy);
	struct ws_counts kind[WS_KINDS + 1] = { 0 };
	struct ws_err err = { 0 };
	struct ws_sim *sim = NULL;

	if (ws_sim_new(&sim, &c, &err) || ws_sim_push(sim, s->r, s->count, &err))
		printf("# %s\n", err.text);
	else
		ws_sim_counts(sim, kind);
	ws_sim_free(sim);
	return ws_miss_ratio(&kind[WS_KINDS], false);
}

static void near(const struct lines *s, unsigned ways, const char *policy, double tolerance,
		 const char *what)
{
	struct ws_err err = { 0 };
	struct ws_profile *p = profile(s, &err);
	struct ws_prediction got = predict(p, ways, policy);
	double ratio = ws_miss_ratio(&got.kind[WS_KINDS], false), want = exact(s, ways, policy);

	test_abs(ratio, want, tolerance, what);
	test_ok(got.low[WS_KINDS] <= want + 1e-9 && want <= got.high[WS_KINDS] + 1e-9,
		"%s: %.4f in %.4f..%.4f", what, want, got.low[WS_KINDS], got.high[WS_KINDS]);
	ws_profile_free(p);
}

/* ---- what they must say ----------------------------------------------------------------- */

static bool same_as_lru(const struct ws_profile *p, unsigned ways, const char *policy)
{
	struct ws_prediction a = predict(p, ways, policy), b = predict(p, ways, "lru");

	for (unsigned kind = 0; kind <= WS_KINDS; kind++)
		if (memcmp(a.kind + kind, b.kind + kind, sizeof a.kind[kind]))
			return false;
	return a.kind[WS_KINDS].requests > 0;
}

static void ageing_at_once(struct lines *s, struct ws_rng *rng)
{
	struct ws_err err = { 0 };
	struct ws_profile *p;
	bool same = true, sure = true, kumar = true, slow = true;

	at_random(s, rng, 40);
	p = profile(s, &err);
	for (unsigned ways = 2; ways <= 48; ways++) {
		struct ws_prediction out = predict(p, ways, "lfu-age:1");

		same = same && same_as_lru(p, ways, "lfu-age:1");
		sure = sure && out.error_pp[WS_KINDS] == 0 && !out.low_confidence &&
		       out.low[WS_KINDS] == out.high[WS_KINDS];
		kumar = kumar && same_as_lru(p, ways, "lfu-kumar");
		slow = slow && (ways >= 24 || !same_as_lru(p, ways, "lfu-age:4096"));
	}
	test_ok(same, "lfu-age:1 has LRU's counts");
	test_ok(sure, "and leaves nothing open");
	test_ok(kumar, "so has lfu-kumar");
	test_ok(slow, "lfu-age:4096 has not");
	test_ok(same_as_lru(p, 32, "lfu-age:16"), "nor is there a difference up to half the ways");
	ws_profile_free(p);
}

/* Long periods come to LFU: what is not halved in the launch is not halved. */
static void ageing_never(struct lines *s, struct ws_rng *rng)
{
	struct ws_err err = { 0 };
	struct ws_profile *p;
	struct ws_prediction lfu, aged;

	at_random(s, rng, 40);
	p = profile(s, &err);
	lfu = predict(p, 8, "lfu");
	aged = predict(p, 8, "lfu-age:20000");
	test_u64(aged.kind[WS_KINDS].misses, lfu.kind[WS_KINDS].misses,
		 "a period of the launch is LFU");
	ws_profile_free(p);
}

static void known(struct lines *s, struct ws_rng *rng)
{
	hot_and_cold(s, 7, 4, 3, 400);
	test_abs(exact(s, 8, "lru"), 1, 0.01, "new lines throw hot ones out of LRU");
	near(s, 8, "lfu", 0.002, "LFU keeps ways - 1 hot lines");
	loop(s, 9);
	near(s, 8, "lfu", 0, "a loop of ways + 1: LFU");
	near(s, 8, "mfu", 0, "a loop of ways + 1: MFU");
	near(s, 8, "lfu-age", 0, "a loop of ways + 1: LFU with ageing");
	bursts(s, 500, 4);
	near(s, 8, "lfu", 0, "bursts: LFU");
	near(s, 8, "mfu", 0, "bursts: MFU");
	near(s, 8, "lfu-age:64", 0, "bursts: LFU with ageing");
	at_random(s, rng, 20);
	near(s, 8, "lfu", 0.01, "independent references: LFU");
	near(s, 2, "lfu", 0.01, "two ways, independent references: LFU");
	near(s, 8, "mfu", 0.05, "independent references: MFU");
	near(s, 8, "lfu-age:64", 0.05, "independent references: LFU with ageing");
}

/* ---- hostile profiles --------------------------------------------------------------------- */

static bool sound(const struct ws_prediction *p)
{
	for (unsigned kind = 0; kind <= WS_KINDS; kind++) {
		double ratio = ws_miss_ratio(p->kind + kind, false);

		if (!ws_counts_check(p->kind + kind) || !(ratio >= 0 && ratio <= 1) ||
		    !(p->low[kind] >= 0 && p->low[kind] <= ratio + 1e-9) ||
		    !(p->high[kind] <= 1 && p->high[kind] >= ratio - 1e-9) ||
		    !(p->error_pp[kind] >= 0 && p->error_pp[kind] <= 100))
			return false;
	}
	return true;
}

/* Returns the number of answers, 0 at the first that is none. */
static size_t ask_all(const struct ws_profile *p, size_t section, const struct ws_geometry *g)
{
	static const char *const policy[] = { "lfu", "mfu", "lfu-age", "lfu-age:7",
					      "lfu-age:4294967296" };
	struct ws_cache c = p->machine.l1;
	size_t answers = 0;

	c.line_bytes = g->line_bytes;
	c.sector_bytes = g->sector_bytes;
	c.sets = g->sets;
	for (c.ways = 1; c.ways < 3000; c.ways += c.ways < 20 ? 1 : 1 + c.ways / 2)
		for (size_t i = 0; i < WS_COUNT(policy); i++) {
			struct ws_prediction out;
			struct ws_err err = { 0 };

			c.size_bytes = c.sets * c.ways * c.line_bytes;
			snprintf(c.policy, sizeof c.policy, "%s", policy[i]);
			if (ws_predict(p, section, &c, &out, &err) || !sound(&out)) {
				printf("# %s, %llu ways, %llu sets: %s\n", policy[i],
				       (unsigned long long)c.ways, (unsigned long long)c.sets,
				       err.text);
				return 0;
			}
			answers++;
		}
	return answers;
}

static void hostile(struct ws_rng *rng)
{
	size_t asked = 0;
	bool ok = true;

	for (unsigned i = 0; i < 60 && ok; i++) {
		struct ws_err err = { 0 };
		struct ws_profile *p = made_profile(rng, &err);

		for (size_t s = 0; p && s < p->sections && ok; s++)
			for (size_t j = 0; j < p->section[s].geometries && ok; j++) {
				const struct ws_geometry *g = p->section[s].geometry + j;
				size_t answers = g->detail ? ask_all(p, s, g) : 1;

				ok = answers > 0;
				asked += g->detail ? answers : 0;
			}
		ok = ok && p;
		ws_profile_free(p);
	}
	test_ok(ok && asked > 1000, "hostile profiles: %zu answers, all sound", asked);
}

int main(void)
{
	static struct lines s;
	struct ws_rng rng;

	ws_rng_seed(&rng, test_seed(41));
	ageing_at_once(&s, &rng);
	ageing_never(&s, &rng);
	known(&s, &rng);
	hostile(&rng);
	return test_done();
}
