/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Policies that caches choose together: the functional simulator's L1s and slices of an L2 against
 * references that are asked cycle by cycle (tests/ref/select.c), on random streams.
 */
#include <string.h>

#include "tests/ref/policy.h"
#include "tests/ref/policy_sets.h"
#include "tests/test.h"
#include "validate/validate.h"

#define ROUNDS 400u
#define SMS 5u
#define LAUNCHES 2u

static const char *const policies[] = {
	"select:lru,lfu,64,16", "select:lru/srrip/lfu/100/40", "select:brrip/fifo/dip/80/30",
	"select:random/nru/30/29", "select:clock/drrip/plru/mfu/200", "select:lfu-age/bip/50/1",
	"select:lru,mfu,400,200",
};

struct traffic {
	struct ws_streams launch[LAUNCHES];
	struct ws_stream stream[LAUNCHES][SMS];
	uint64_t last[LAUNCHES]; /* cycle */
};

static uint64_t below(struct ws_rng *rng, uint64_t n)
{
	return ws_rng_below(rng, n);
}

/* Loops that are a little too long, few lines, new lines: phases, so that choices change. */
static void stream_random(struct ws_stream *s, const struct ws_cache *c, bool atomics,
			  struct ws_rng *rng)
{
	uint64_t cycle = below(rng, 30), lines = 1 + below(rng, 3 * c->ways * c->sets), at = 0;
	uint64_t count = below(rng, 400), phase = 0;

	for (uint64_t i = 0; i < count; i++) {
		struct ws_request r = { .cycle = cycle, .instruction = (uint32_t)below(rng, 4) };
		uint64_t line = phase == 0 ? ++at % lines : phase == 1 ? below(rng, 8) : 500 + i;

		if (below(rng, 60) == 0)
			phase = below(rng, 3);
		r.address = line * c->line_bytes;
		r.sectors = 1u << below(rng, c->line_bytes / 32);
		r.kind = below(rng, 8) ? WS_LOAD : below(rng, 4) || !atomics ? WS_STORE : WS_ATOMIC;
		if (ws_stream_add(s, &r, 1, NULL))
			abort();
		cycle += below(rng, 20) ? below(rng, 4) : below(rng, 300);
	}
}

static void traffic_random(struct traffic *t, const struct ws_cache *c, size_t sms,
			   struct ws_rng *rng)
{
	memset(t, 0, sizeof *t);
	for (unsigned l = 0; l < LAUNCHES; l++) {
		t->launch[l] = (struct ws_streams){ .sm = t->stream[l], .sms = sms,
						    .kernel = (char *)"k",
						    .line_bytes = c->line_bytes,
						    .coalesce_line = c->line_bytes };
		for (size_t i = 0; i < sms; i++) {
			const struct ws_stream *s = &t->stream[l][i];

			stream_random(&t->stream[l][i], c, !c->slices, rng);
			if (s->count && s->request[s->count - 1].cycle > t->last[l])
				t->last[l] = s->request[s->count - 1].cycle;
		}
	}
	if (c->slices && t->stream[0]->count > 20 && below(rng, 2)) {
		t->launch[0].warm = 10;
		for (size_t i = 0; i < 10; i++) {
			t->stream[0]->request[i].cycle = 0;
			t->stream[0]->request[i].kind = WS_LOAD;
			t->stream[0]->request[i].address = i * c->line_bytes;
			t->stream[0]->request[i].sectors = UINT32_MAX >>
							   (32 - c->line_bytes / 32);
		}
	}
	if (c->slices)
		t->launch[1].keeps = below(rng, 2);
}

static void traffic_clear(struct traffic *t)
{
	for (unsigned l = 0; l < LAUNCHES; l++)
		for (size_t i = 0; i < SMS; i++)
			free(t->stream[l][i].request);
}

static void ask(struct ref_cache *c, const struct ws_request *r, struct ws_counts *kind)
{
	bool hit = ref_cache_request(c, r, 1, 0);

	kind[r->kind].requests++;
	kind[r->kind].hits += hit;
	kind[r->kind].misses += !hit;
}

/* L1s: in each cycle first they meet, then each takes what it is asked. */
static void reference_l1s(const struct traffic *t, const struct ws_cache *cache, size_t sms,
			  uint64_t seed, struct ws_counts *kind)
{
	for (unsigned l = 0; l < LAUNCHES; l++) {
		struct ref_cache *c[SMS];
		size_t at[SMS] = { 0 };

		for (size_t i = 0; i < sms; i++)
			c[i] = ref_cache_new(cache, seed + i);
		for (uint64_t cycle = 0; cycle <= t->last[l]; cycle++) {
			ref_select_meet(c, sms, cycle);
			for (size_t i = 0; i < sms; i++) {
				const struct ws_stream *s = &t->stream[l][i];

				while (at[i] < s->count && s->request[at[i]].cycle == cycle)
					ask(c[i], &s->request[at[i]++], kind);
			}
		}
		for (size_t i = 0; i < sms; i++)
			ref_cache_free(c[i]);
	}
}

/* Slices of an L2, one stream; their draws are of one generator. */
static void reference_slices(const struct traffic *t, const struct ws_cache *cache, uint64_t seed,
			     struct ws_counts *kind)
{
	struct ref_cache *c[SMS];
	struct ws_rng rng;

	ws_rng_seed(&rng, seed);
	for (size_t i = 0; i < cache->slices; i++)
		c[i] = ref_cache_new(cache, seed);
	for (unsigned l = 0; l < LAUNCHES; l++) {
		const struct ws_stream *s = t->stream[l];
		uint64_t cycle = 0;

		for (size_t i = 0; i < cache->slices && !t->launch[l].keeps; i++)
			ref_cache_flush(c[i]);
		for (size_t i = 0; i < s->count; i++) {
			uint64_t slice = ws_set_index(cache, s->request[i].address) /
					 (cache->sets / cache->slices);
			struct ws_counts no[WS_KINDS + 1] = { { 0 } };

			if (i >= t->launch[l].warm)
				for (; cycle <= s->request[i].cycle; cycle++)
					ref_select_meet(c, (size_t)cache->slices, cycle);
			c[slice]->rng = rng;
			ask(c[slice], &s->request[i], i < t->launch[l].warm ? no : kind);
			rng = c[slice]->rng;
		}
	}
	for (size_t i = 0; i < cache->slices; i++)
		ref_cache_free(c[i]);
}

static struct ws_cache cache_random(bool slices, struct ws_rng *rng)
{
	struct ws_cache c = { .ways = 1 + below(rng, 6), .sets = 1 + below(rng, 4),
			      .line_bytes = 32u << below(rng, 3), .hash = ws_hash_find("modulo"),
			      .write = (enum ws_write)below(rng, 4) };

	c.sector_bytes = below(rng, 2) ? 32 : c.line_bytes;
	if (slices) {
		c.slices = 1 + below(rng, SMS);
		c.sets *= c.slices;
		c.interleave_bytes = c.line_bytes << below(rng, 2);
		c.slice_hash = c.hash;
	}
	c.size_bytes = c.sets * c.ways * c.line_bytes;
	snprintf(c.policy, sizeof c.policy, "%s", policies[below(rng, WS_COUNT(policies))]);
	return c;
}

static bool one(bool slices, uint64_t seed, uint64_t *requests, bool *mattered)
{
	struct ws_counts kind[WS_KINDS + 1], want[WS_KINDS + 1] = { { 0 } }, first[WS_KINDS + 1];
	struct ws_rng rng;
	struct ws_cache cache;
	struct traffic t;
	struct ws_err err = { 0 };
	size_t sms;
	bool ok = true;

	ws_rng_seed(&rng, seed);
	cache = cache_random(slices, &rng);
	sms = slices ? 1 : 1 + (size_t)below(&rng, SMS);
	traffic_random(&t, &cache, sms, &rng);
	if (ws_simulate(t.launch, LAUNCHES, NULL, &cache, seed, kind, &err)) {
		printf("# %s\n", err.text);
		traffic_clear(&t);
		return false;
	}
	if (slices)
		reference_slices(&t, &cache, seed, want);
	else
		reference_l1s(&t, &cache, sms, seed, want);
	for (int k = 0; k < WS_KINDS; k++) {
		ok = ok && kind[k].requests == want[k].requests && kind[k].hits == want[k].hits &&
		     kind[k].misses == want[k].misses;
		*requests += want[k].requests;
	}
	if (!ok)
		printf("# %s, %zu L1s, %d slices, seed %llu: %llu hits of loads, want %llu\n",
		       cache.policy, sms, (int)cache.slices, (unsigned long long)seed,
		       (unsigned long long)kind[WS_LOAD].hits,
		       (unsigned long long)want[WS_LOAD].hits);
	snprintf(cache.policy, sizeof cache.policy, "lru");
	if (!ws_simulate(t.launch, LAUNCHES, NULL, &cache, seed, first, &err))
		*mattered = first[WS_LOAD].hits != kind[WS_LOAD].hits;
	traffic_clear(&t);
	return ok;
}

static void streams(bool slices, uint64_t seed)
{
	uint64_t same = 0, requests = 0, other = 0;

	for (uint64_t i = 0; i < ROUNDS; i++) {
		bool mattered = false;

		same += one(slices, seed + i, &requests, &mattered);
		other += mattered;
	}
	test_ok(same == ROUNDS, "%s as the reference: %llu of %u, %llu requests",
		slices ? "slices" : "L1s", (unsigned long long)same, ROUNDS,
		(unsigned long long)requests);
	test_ok(other > ROUNDS / 4, "%llu of them hit otherwise than lru",
		(unsigned long long)other);
}

static void parameters(void)
{
	static const char *const bad[] = {
		"select:lru", "select:lru/lru", "select:lru/opt", "select:lru/ship-pc",
		"select:lru/prob", "select:lru/select", "select:lru/pc-bypass", "select:lru/lrv",
		"select:lru/fifo/0", "select:lru/fifo/10/10", "select:lru/fifo/10/20/30",
		"select:lru/fifo/7", "select:lru/10/fifo", "select:lru/fifo/nru/mfu/lfu", "select:",
		"select:lru//fifo",
	};
	struct ws_use use;

	for (size_t i = 0; i < WS_COUNT(bad); i++) {
		struct ws_err err = { 0 };

		test_ok(ws_use_parse(&use, bad[i], &err) == WS_EINVAL, "%s: %s", bad[i], err.text);
	}
	test_ok(!ws_use_parse(&use, "select", NULL) && use.policy->meeting(&use, 3) == 32768 + 4096,
		"select alone: every 32768 cycles, of which 4096 monitor");
}

int main(void)
{
	uint64_t seed = test_seed(20261124);

	parameters();
	streams(false, seed);
	streams(true, seed);
	return test_done();
}
