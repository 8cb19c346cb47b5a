/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/model/t-epochs.c -- the models of SRRIP, NRU and PLRU (model/solve/), where the answer is
 * known: loops, independent references, a hot set beside a scan; and profiles that nobody
 * measured, for every number of ways.
 */
#include "tests/model/ask.h"
#include "tests/model/oneset.h"
#include "tests/test.h"

#include "model/model.h"
#include "tests/stackdist/made.h"

#define REQUESTS 42000u

static struct ws_rng rng;

/* ---- streams ------------------------------------------------------------------------- */

static uint32_t loop(uint32_t i, uint32_t n)
{
	return i % n;
}

static uint32_t draw(uint32_t i, uint32_t n)
{
	(void)i;
	return (uint32_t)ws_rng_below(&rng, n);
}

/* Two lines, each asked for twice, then n that are never asked for again. */
static uint32_t scan(uint32_t i, uint32_t n)
{
	uint32_t at = i % (n + 4);

	return at < 4 ? at / 2 : 2 + i / (n + 4) * n + at - 4;
}

/* ---- known answers ------------------------------------------------------------------------- */

static const char *const policies[] = { "srrip", "srrip:3", "srrip:2,fp", "nru", "srrip-kumar" };

/* Without a hit all that these policies do is first in, first out. */
static void loops(void)
{
	static const uint32_t ways[] = { 2, 3, 4, 6, 16, 64, 192 };

	for (size_t i = 0; i < WS_COUNT(ways); i++) {
		struct ws_profile *p = one_set_rule(loop, ways[i] + 1, REQUESTS, WS_RECORD_DETAIL);

		for (size_t j = 0; p && j < WS_COUNT(policies); j++) {
			test_abs(miss(p, policies[j], ways[i]), 1, 0.02, "loop of a line too many");
			test_abs(miss(p, policies[j], ways[i] + 1),
				 (ways[i] + 1.0) / REQUESTS, 1e-9, "loop that fits");
		}
		ws_profile_free(p);
	}
}

/* Lines that are all as likely at any time: whatever is resident, W of n hit; more ways, more
 * hits. */
static void draws(void)
{
	static const uint64_t ways[] = { 2, 3, 4, 7, 12, 20, 39 };
	struct ws_profile *p = one_set_rule(draw, 40, REQUESTS, WS_RECORD_DETAIL);

	for (size_t j = 0; p && j < WS_COUNT(policies); j++) {
		double last = 1;

		for (size_t i = 0; i < WS_COUNT(ways); i++) {
			double now = miss(p, policies[j], ways[i]);

			test_abs(now, 1 - (double)ways[i] / 40, 0.02, "independent references");
			test_ok(now < last, "and fewer misses with more ways");
			last = now;
		}
	}
	ws_profile_free(p);
}

/* In 4 ways, 3 lines of a scan at a time: LRU loses the hot lines; SRRIP has two ways for the scan,
 * so a period is a round and a half, and the hot lines live two at least. */
static void scans(void)
{
	struct ws_profile *p = one_set_rule(scan, 3, REQUESTS, WS_RECORD_DETAIL);

	if (p) {
		test_abs(miss(p, "lru", 4), 5 / 7.0, 1e-3, "LRU loses what a scan passes");
		test_abs(miss(p, "srrip", 4), 3 / 7.0, 0.03, "SRRIP keeps it");
		test_abs(miss(p, "srrip:3", 4), 3 / 7.0, 0.03, "and with 3 bits");
	}
	ws_profile_free(p);
}

static void same(void)
{
	struct ws_profile *p = one_set_rule(draw, 23, REQUESTS, WS_RECORD_DETAIL);
	struct ws_prediction nru, srrip, lru, plru;

	if (!p)
		return;
	nru = ask(p, "nru", 8);
	srrip = ask(p, "srrip:1", 8);
	lru = ask(p, "lru", 8);
	plru = ask(p, "plru", 8);
	test_ok(!memcmp(&nru, &srrip, sizeof nru), "SRRIP of one bit is NRU");
	test_u64(plru.kind[WS_KINDS].hits, lru.kind[WS_KINDS].hits, "PLRU of 8 ways: LRU's");
	test_ok(plru.basis == WS_APPROX && plru.error_pp[WS_KINDS] > 0, "but not exactly");
	ws_profile_free(p);
}

/* ---- whatever a profile says --------------------------------------------------------------- */

static void hostile(unsigned profiles)
{
	static const uint64_t ways[] = {
		1, 2, 3, 4, 7, 16, 63, 64, 65, 192, 1000, 65536, 1u << 20
	};
	static const char *const policy[] = { "srrip", "srrip:16", "srrip:3,fp", "srrip:16,fp",
					      "nru", "plru", "srrip-kumar" };
	unsigned asked = 0, bad = 0;

	for (unsigned i = 0; i < profiles; i++) {
		struct ws_err err = { 0 };
		struct ws_profile *p = made_profile(&rng, &err);

		for (size_t j = 0; p && j < p->sections * WS_COUNT(ways) * WS_COUNT(policy); j++) {
			const struct ws_section *s = p->section + j % p->sections;
			size_t k = j / p->sections;
			struct ws_cache cache = p->machine.l1;
			struct ws_prediction out;

			cache.ways = ways[k % WS_COUNT(ways)];
			snprintf(cache.policy, sizeof cache.policy, "%s",
				 policy[k / WS_COUNT(ways)]);
			for (size_t g = 0; g < s->geometries; g++) {
				cache.line_bytes = s->geometry[g].line_bytes;
				cache.sets = s->geometry[g].sets;
				cache.sector_bytes = s->geometry[g].sector_bytes;
				if (ws_predict(p, j % p->sections, &cache, &out, &err))
					continue;
				asked++;
				bad += !sound(&out);
			}
		}
		ws_profile_free(p);
	}
	test_ok(asked > 100 && bad == 0, "%u answers, %u of them none", asked, bad);
}

int main(void)
{
	ws_rng_seed(&rng, test_seed(41));
	loops();
	draws();
	scans();
	same();
	hostile(7);
	return test_done();
}
