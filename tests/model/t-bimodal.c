/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/model/t-bimodal.c -- the models of BRRIP, BIP, DRRIP and DIP (model/solve/), where the
 * answer is known: loops, independent references, lines that thrash one way between them, a
 * probability of 0 or 1, one set; and profiles that nobody measured, for every number of ways.
 */
#include "tests/model/ask.h"
#include "tests/model/oneset.h"
#include "tests/test.h"

#include "model/model.h"
#include "tests/stackdist/made.h"

#define REQUESTS 42000u

static struct ws_rng rng;

/* ---- streams ------------------------------------------------------------------------- */

static struct ws_profile *stream(uint32_t (*line)(uint32_t i, uint32_t n), uint32_t n)
{
	return one_set_rule(line, n, REQUESTS, WS_RECORD_DETAIL);
}

static uint32_t loop(uint32_t i, uint32_t n)
{
	return i % n;
}

static uint32_t draw(uint32_t i, uint32_t n)
{
	(void)i;
	return (uint32_t)ws_rng_below(&rng, n);
}

/* Groups of n lines, asked for in turn TURNS times, then never again. */
#define TURNS 14u
static uint32_t turns(uint32_t i, uint32_t n)
{
	return i / (n * TURNS) * n + i % n;
}

/* ---- known answers --------------------------------------------------------------------------- */

/* W - 1 lines stay, the others take the last way by turns. */
static void loops(void)
{
	static const struct {
		uint32_t ways, lines;
	} at[] = { { 4, 5 }, { 4, 13 }, { 16, 17 }, { 16, 23 }, { 64, 65 }, { 64, 150 } };
	static const char *const policies[] = { "brrip", "bip", "brrip:1/60", "bip:1/200" };

	for (size_t i = 0; i < WS_COUNT(at); i++) {
		struct ws_profile *p = stream(loop, at[i].lines);

		for (size_t j = 0; p && j < WS_COUNT(policies); j++) {
			test_abs(miss(p, policies[j], at[i].ways),
				 1 - (at[i].ways - 1.0) / at[i].lines, 0.05, "loop too long");
			test_abs(miss(p, policies[j], at[i].lines), at[i].lines / (double)REQUESTS,
				 1e-9, "loop that fits");
		}
		ws_profile_free(p);
	}
}

/* The first lines of all stay: W or W - 1 of them. */
static void never(void)
{
	struct ws_profile *p = stream(loop, 53);

	if (p) {
		test_abs(miss(p, "brrip:0", 16), 1 - 15.5 / 53, 0.03, "nothing is ever kept");
		test_abs(miss(p, "bip:0", 40), 1 - 39.5 / 53, 0.03, "nothing is ever kept");
	}
	ws_profile_free(p);
}

/* Lines that are all as likely at any time: whatever is resident, W of n hit. */
static void draws(void)
{
	static const uint64_t ways[] = { 2, 4, 7, 20, 39 };
	static const char *const policies[] = { "brrip", "bip", "brrip:1", "brrip:0", "drrip",
						"dip" };
	struct ws_profile *p = stream(draw, 40);

	for (size_t j = 0; p && j < WS_COUNT(policies); j++)
		for (size_t i = 0; i < WS_COUNT(ways); i++)
			test_abs(miss(p, policies[j], ways[i]), 1 - (double)ways[i] / 40, 0.06,
				 "independent references");
	ws_profile_free(p);
}

/* Each line is thrown out by the next before it is used, until it is kept: after k turns with
 * probability 1 - (1 - eps)^k.  LRU misses the first time only.  The model keeps some more: types
 * do not say how often a line was asked for. */
static void thrash(void)
{
	struct ws_profile *p = stream(turns, 12);
	double expected = 0;

	for (unsigned k = 0; k < TURNS; k++)
		expected += pow(1 - 1.0 / 32, k) / TURNS;
	if (p) {
		test_abs(miss(p, "lru", 64), 1.0 / TURNS, 1e-3, "LRU keeps them");
		test_abs(miss(p, "brrip", 64), expected, 0.11, "BRRIP keeps few");
		test_abs(miss(p, "bip", 64), expected, 0.11, "as does BIP");
	}
	ws_profile_free(p);
}

/* Always inserted higher: SRRIP, whose model is another one. */
static void always(void)
{
	static const uint64_t ways[] = { 3, 8, 40 };
	struct ws_profile *p = stream(turns, 12), *q = stream(loop, 18);

	for (size_t i = 0; p && q && i < WS_COUNT(ways); i++) {
		test_abs(miss(p, "brrip:1", ways[i]), miss(p, "srrip", ways[i]), 0.08, "turns");
		test_abs(miss(q, "brrip:1", ways[i]), miss(q, "srrip", ways[i]), 0.08, "loop");
	}
	ws_profile_free(p);
	ws_profile_free(q);
}

static void one_set(void)
{
	struct ws_profile *p = stream(turns, 12);
	struct ws_prediction drrip, srrip, dip, lru;

	if (!p)
		return;
	drrip = ask(p, "drrip", 8);
	srrip = ask(p, "srrip", 8);
	dip = ask(p, "dip", 8);
	lru = ask(p, "lru", 8);
	test_ok(!memcmp(&drrip, &srrip, sizeof drrip), "one set of DRRIP leads SRRIP");
	test_u64(dip.kind[WS_KINDS].hits, lru.kind[WS_KINDS].hits, "one set of DIP leads LRU");
	ws_profile_free(p);
}

/* ---- whatever a profile says ----------------------------------------------------------- */

static const uint64_t all_ways[] = { 1, 2, 3, 4, 7, 16, 63, 64, 65, 192, 1000, 65536, 1u << 20 };
static const char *const all_policies[] = { "brrip", "brrip:0", "brrip:1", "bip", "drrip", "dip",
					    "brrip-kumar" };

/* Of one geometry; how many are not sound. */
static unsigned ask_all(const struct ws_profile *p, size_t section, const struct ws_geometry *g,
			unsigned *asked)
{
	unsigned bad = 0;

	for (size_t i = 0; i < WS_COUNT(all_ways) * WS_COUNT(all_policies); i++) {
		struct ws_cache cache = p->machine.l1;
		struct ws_prediction out;
		struct ws_err err = { 0 };

		cache.ways = all_ways[i % WS_COUNT(all_ways)];
		cache.line_bytes = g->line_bytes;
		cache.sector_bytes = g->sector_bytes;
		cache.sets = g->sets;
		snprintf(cache.policy, sizeof cache.policy, "%s",
			 all_policies[i / WS_COUNT(all_ways)]);
		if (ws_predict(p, section, &cache, &out, &err))
			continue;
		++*asked;
		bad += !sound(&out);
	}
	return bad;
}

static void hostile(unsigned profiles)
{
	unsigned asked = 0, bad = 0;

	for (unsigned i = 0; i < profiles; i++) {
		struct ws_err err = { 0 };
		struct ws_profile *p = made_profile(&rng, &err);

		for (size_t s = 0; p && s < p->sections; s++)
			for (size_t g = 0; g < p->section[s].geometries; g++)
				bad += ask_all(p, s, p->section[s].geometry + g, &asked);
		ws_profile_free(p);
	}
	test_ok(asked > 100 && bad == 0, "%u answers, %u of them none", asked, bad);
}

int main(void)
{
	ws_rng_seed(&rng, test_seed(41));
	loops();
	never();
	draws();
	thrash();
	always();
	one_set();
	hostile(6);
	return test_done();
}
