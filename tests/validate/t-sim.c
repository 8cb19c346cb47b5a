/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The simulator's known answers, worked out by hand.
 *
 * A stream is written as tokens: L, S or A (load, store, atomic), a line
 * number, and /m with m the hexadecimal mask of 32 B sectors (left out: all);
 * `|` is a flush.  The outcome has one letter per request: h hit, o cold,
 * a capacity miss, f conflict miss, u uncached.
 */
#include "tests/validate/stream.h"

/* Counts hits of a way, not of a line: fills do not clear its word. */
static const struct ws_policy policy_sticky = {
	.name = "test-sticky", .way_words = 1, .on_hit = policy_count, .victim = policy_least,
};

struct scenario {
	const char *what;
	const struct ws_policy *policy;
	uint64_t sets, ways, line, sector;
	const char *hash;
	enum ws_write write;
	const char *stream, *outcome;
};

#define WB WS_WRITE_BACK
#define WT WS_WRITE_THROUGH
#define WTA WS_WRITE_THROUGH_ALLOCATE
#define WE WS_WRITE_EVICT

static const struct scenario scenarios[] = {
	/* Replacement. */
	{ "LRU, 1 set: the least recent goes", &policy_lru, 1, 2, 128, 128, "modulo", WB,
	  "L1 L2 L1 L3 L1 L2 L3", "oohohaa" },
	{ "FIFO, 1 set: a hit does not refresh; a miss that full LRU avoids is no capacity miss",
	  &policy_fifo, 1, 2, 128, 128, "modulo", WB,
	  /* after L3: {2,3}; L1 throws 2 out: {1,3}; L2 throws 3 out; L3 throws 1 out */
	  "L1 L2 L1 L3 L1 L2 L3", "oohofaa" },
	{ "FIFO hits what full LRU has lost", &policy_fifo, 1, 3, 128, 128, "modulo", WB,
	  /* FIFO {1,2,3} -> 4 replaces 1 -> {4,2,3}; LRU had 1 refreshed: 4 replaces 2. */
	  "L1 L2 L3 L1 L4 L2", "ooohoh" },
	{ "LFU keeps what was hit", &policy_lfu, 1, 2, 128, 128, "modulo", WB,
	  /* 1 has two hits; 2, 3, 4 churn in way 1 */
	  "L1 L1 L1 L2 L3 L4 L1 L2", "ohhoooha" },
	{ "one way, one set", &policy_lru, 1, 1, 128, 128, "modulo", WB, "L1 L1 L2 L1 L2",
	  "ohoaa" },
	/* Three Cs and set-index functions. */
	{ "conflict: 2 sets of 1, lines 0 and 2 share set 0, full LRU of 2 holds both",
	  &policy_lru, 2, 1, 128, 128, "modulo", WB, "L0 L2 L0 L2", "ooff" },
	{ "capacity: lines 0, 2, 4 in set 0 are more than 2", &policy_lru, 2, 1, 128, 128,
	  "modulo", WB, "L0 L2 L4 L0", "oooa" },
	{ "a set-associative hit where full LRU misses", &policy_lru, 2, 1, 128, 128,
	  "modulo", WB, /* 1 stays in set 1 while 0, 2 pass through set 0 */
	  "L1 L0 L2 L1", "oooh" },
	{ "3 sets: line modulo 3", &policy_lru, 3, 1, 128, 128, "modulo", WB,
	  "L0 L1 L2 L0 L3 L0 L1 L2", "ooohofhh" },
	{ "xor of 4 sets: 0 and 5 share set 0 (5 = 01 01), 4 goes to set 1", &policy_lru, 4, 1,
	  128, 128, "xor", WB, "L0 L4 L0 L5 L0", "oohof" },
	{ "the same under modulo: 0 and 4 share, 5 does not", &policy_lru, 4, 1, 128, 128,
	  "modulo", WB, "L0 L4 L0 L5 L0", "oofoh" },
	{ "lines of 32 B", &policy_lru, 1, 2, 32, 32, "modulo", WB, "L1 L2 L3 L1", "oooa" },
	/* Write policies, not sectored. */
	{ "write-back allocates", &policy_lru, 1, 2, 128, 128, "modulo", WB, "S1 L1 S1 S2 S3 L1",
	  "ohhooa" },
	{ "write-through-allocate has the same contents", &policy_lru, 1, 2, 128, 128, "modulo",
	  WTA,
	  "S1 L1 S1 S2 S3 L1", "ohhooa" },
	{ "write-through does not allocate", &policy_lru, 1, 2, 128, 128, "modulo", WT,
	  "S1 S1 L1 S1 L1", "uuohh" },
	{ "write-through: a store hit refreshes", &policy_lru, 1, 2, 128, 128, "modulo", WT,
	  "L1 L2 S1 L3 L1 L2", "oohoha" },
	{ "write-through: a store to a line that was lost does not bring it back", &policy_lru, 1,
	  2,
	  128, 128, "modulo", WT, "L1 L2 L3 S1 L2 L3 L1", "oooahha" },
	{ "write-through: a store lost in its set refreshes full LRU", &policy_lru, 2, 1, 128,
	  128, "modulo", WT, /* S0 is a conflict miss, and so 4 throws 2 out there, not 0 */
	  "L0 L2 S0 L4 L0 L2", "oofofa" },
	{ "FIFO, write-through: a store hit is no insertion", &policy_fifo, 1, 2, 128, 128,
	  "modulo",
	  WT, "L1 L2 S1 L3 L1", "oohof" },
	{ "write-evict throws out on a hit; the next load is uncached", &policy_lru, 1, 2, 128, 128,
	  "modulo", WE, "S1 L1 S1 S1 L1 L1", "uohuuh" },
	{ "write-evict: the hole is filled before anything is thrown out", &policy_lru, 1, 2, 128,
	  128, "modulo", WE, "L1 L2 S2 L3 L1", "oohoh" },
	{ "write-evict: a lost line that a store reaches is gone from the infinite cache too",
	  &policy_lru, 1, 1, 128, 128, "modulo", WE, "L1 L2 S1 L1", "ooau" },
	{ "write-evict: a store makes room in full LRU too", &policy_lru, 2, 1, 128, 128, "modulo",
	  WE,
	  /* full LRU {0,2}; S2 leaves {0}; 4 fills: {4,0}; L0: lost in set 0, not in full LRU */
	  "L0 L2 S2 L4 L0", "oohof" },
	{ "atomics change nothing", &policy_lru, 1, 2, 128, 128, "modulo", WB,
	  "A1 L1 A1 L1 L2 A1 L3 A2 L1", "uouhououa" },
	/* Sectors. */
	{ "a sector miss fetches what is missing", &policy_lru, 1, 2, 128, 32, "modulo", WB,
	  "L1/1 L1/2 L1/3 L1/7 L1/4 L1/8", "oohoho" },
	{ "a sector miss refreshes", &policy_lru, 1, 2, 128, 32, "modulo", WB,
	  "L1/1 L2/1 L1/2 L3/1 L1/3 L2/1", "ooooha" },
	{ "a replaced line loses all its sectors", &policy_lru, 1, 1, 128, 32, "modulo", WB,
	  "L1/3 L2/1 L1/1 L1/2 L1/3", "ooaah" },
	{ "partly lost: cold wins over capacity", &policy_lru, 1, 1, 128, 32, "modulo", WB,
	  "L1/1 L2/1 L1/3 L1/3", "oooh" },
	{ "not sectored: any sector brings the line", &policy_lru, 1, 2, 128, 128, "modulo", WB,
	  "L1/1 L1/8 L1/2", "ohh" },
	{ "64 B sectors of 128 B: 32 B sectors 0, 1 and 2, 3 go together", &policy_lru, 1, 2, 128,
	  64, "modulo", WB, "L1/1 L1/2 L1/4 L1/8 L2/6 L2/9", "ohohoh" },
	{ "32 sectors", &policy_lru, 1, 2, 1024, 32, "modulo", WB,
	  "L1/80000000 L1/1 L1/80000001 L1/7fffffff L1", "oohoh" },
	{ "a store that allocates fetches its sectors only", &policy_lru, 1, 2, 128, 32, "modulo",
	  WB,
	  "S1/1 L1/1 L1/2 S1/4 L1/4", "ohooh" },
	{ "write-through fetches no sectors", &policy_lru, 1, 2, 128, 32, "modulo", WT,
	  "L1/1 S1/3 L1/2 S1/3 L1/1", "ouohh" },
	{ "write-through: a store refreshes whenever the tag matches", &policy_lru, 1, 2, 128, 32,
	  "modulo", WT, "L1/1 L2/1 S1/2 L3/1 L1/1", "oouoh" },
	{ "write-through: the lost sector of a kept line", &policy_lru, 2, 1, 128, 32, "modulo", WT,
	  /* Line 0 is back with sector 0 only, while full LRU never lost the other. */
	  "L0/3 L2/1 L0/1 S0/2 L0/2 S0/2", "oofffh" },
	{ "write-through fetches nothing in full LRU either", &policy_lru, 1, 1, 128, 32, "modulo",
	  WT, "L1/3 L2/1 L1/1 S1/2 S1/2", "ooaaa" },
	{ "write-evict throws out the whole line, hit or not", &policy_lru, 1, 2, 128, 32, "modulo",
	  WE, "L1/1 S1/2 L1/1 S1/1 L1/2", "ouuho" },
	{ "write-evict: cold wins over uncached", &policy_lru, 1, 2, 128, 32, "modulo", WE,
	  "L1/1 S1/1 L1/3 L1/3 S1/2 L1/2", "ohohhu" },
	/* Launches. */
	{ "a flush empties all three caches", &policy_lru, 1, 2, 128, 32, "modulo", WE,
	  "L1/1 L2/1 S2/1 | L1/1 L2/1 L1/1 | L2/1", "oohooho" },
	{ "a flush clears the policy's words", &policy_sticky, 1, 2, 128, 128, "modulo", WB,
	  /* else way 0 were kept for its two hits and 5 replaced 4 */
	  "L1 L1 L1 L2 | L3 L4 L4 L5 L4", "ohhooohoh" },
};

static const char letters[] = "hoafu";

static unsigned long counted(const struct ws_counts *c, size_t letter)
{
	const uint64_t n[] = { c->hits, c->cold, c->capacity, c->conflict, c->uncached };

	return (unsigned long)n[letter];
}

/* Pushes one request and returns the letter of what it was counted as. */
static char outcome(struct ws_sim *sim, const struct ws_request *r)
{
	struct ws_counts before[WS_KINDS + 1], after[WS_KINDS + 1];
	char found = '?';

	ws_sim_counts(sim, before);
	if (ws_sim_push(sim, r, 1, NULL))
		return 'E';
	ws_sim_counts(sim, after);
	for (size_t i = 0; letters[i]; i++) {
		unsigned long more = counted(&after[r->kind], i) - counted(&before[r->kind], i);

		if (more && (more > 1 || found != '?'))
			return '!';
		if (more)
			found = letters[i];
	}
	if (after[WS_KINDS].requests != before[WS_KINDS].requests + 1)
		return '#';
	return found;
}

static void play(const struct scenario *t)
{
	struct ws_cache cache = cache_make(t->sets, t->ways, t->line, t->sector, t->hash, t->write);
	char got[64] = "";
	size_t n = 0;
	struct ws_sim *sim;

	if (ws_sim_new_policy(&sim, &cache, t->policy, NULL)) {
		test_ok(false, "%s: no simulator", t->what);
		return;
	}
	for (const char *p = t->stream; *p && n < sizeof got - 1;) {
		const char *kind = strchr("LSA", *p);
		uint32_t sectors = line_sectors(&cache);
		struct ws_request r;
		uint64_t line;
		char *end;

		if (*p == '|')
			ws_sim_flush(sim);
		if (!kind) {
			p++;
			continue;
		}
		line = strtoull(p + 1, &end, 10);
		if (*end == '/')
			sectors = (uint32_t)strtoul(end + 1, &end, 16);
		r = request_make(&cache, (enum ws_kind)(kind - "LSA"), line, sectors);
		got[n++] = outcome(sim, &r);
		p = end;
	}
	test_str(got, t->outcome, t->what);
	ws_sim_free(sim);
}

static unsigned victim_highest(struct ws_set *set)
{
	return set->ways - 1;
}

static const struct ws_policy policy_highest = { .name = "test-highest", .victim = victim_highest };

static void way_order(void)
{
	/* Always way 3 is thrown out of 4.  Lines 1..4 fill ways 0..3; stores throw out 3, then 1
	 * (ways 2 and 0); 5 must fill way 0 and 6 way 2: then 7 replaces way 3 (line 4). */
	static const struct scenario t[] = {
		{ "invalid ways first, the lowest-numbered", &policy_highest, 1, 4, 128, 128,
		  "modulo", WE, "L1 L2 L3 L4 S3 S1 L5 L6 L7 L5 L6 L2 L7 L4", "oooohhooohhhha" },
		/* Ways 3 and 1 are thrown out; 5 fills way 1, 6 way 3, so 7 replaces 6. */
		{ "a hole below one that is there already", &policy_highest, 1, 4, 128, 128,
		  "modulo", WE, "L1 L2 L3 L4 S4 S2 L5 L6 L7 L5 L6 L7", "oooohhooohff" },
	};

	for (size_t i = 0; i < WS_COUNT(t); i++)
		play(&t[i]);
}

static unsigned victim_beyond(struct ws_set *set)
{
	return set->ways;
}

static void refuse_cache(const char *what, const struct ws_cache *cache, const char *says)
{
	struct ws_err err = { 0 };
	struct ws_sim *sim;
	enum ws_status status = ws_sim_new_policy(&sim, cache, &policy_lru, &err);

	test_ok(status == WS_EINVAL && !sim && strstr(err.text, says), "refuses %s: %s", what,
		err.text);
}

static void refuse_request(const char *what, struct ws_request r, const char *says)
{
	struct ws_cache cache = cache_make(4, 2, 128, 32, "modulo", WB);
	struct ws_err err = { 0 };
	struct ws_counts kind[WS_KINDS + 1];
	enum ws_status status;
	struct ws_sim *sim;

	if (ws_sim_new_policy(&sim, &cache, &policy_lru, NULL)) {
		test_ok(false, "no simulator");
		return;
	}
	status = ws_sim_push(sim, &r, 1, &err);
	ws_sim_counts(sim, kind);
	test_ok(status == WS_EINVAL && strstr(err.text, says) && !kind[WS_KINDS].requests,
		"refuses %s: %s", what, err.text);
	ws_sim_free(sim);
}

static void errors(void)
{
	static const struct ws_policy beyond = { .name = "beyond", .victim = victim_beyond };
	static const struct ws_policy none = { .name = "none" };
	struct ws_cache good = cache_make(1, 1, 128, 128, "modulo", WB), c;
	struct ws_request two[2] = { { .address = 0, .sectors = 1 }, { .address = 128,
				       .sectors = 1 } };
	struct ws_err err = { 0 };
	struct ws_sim *sim = NULL;

	c = good, c.ways = 65537, refuse_cache("65537 ways", &c, "65537 ways");
	c = good, c.sets = 0, refuse_cache("0 sets", &c, "0 sets");
	c = good, c.sets = UINT64_MAX, refuse_cache("2^64 - 1 sets", &c, "18446744073709551615 "
						    "sets");
	c = good, c.line_bytes = 0, refuse_cache("lines of 0", &c, "line of 0 bytes");
	c = good, c.line_bytes = 2048, refuse_cache("lines of 2048", &c, "line of 2048 bytes");
	c = good, c.line_bytes = 96, refuse_cache("lines of 96", &c, "line of 96 bytes");
	c = good, c.sector_bytes = 0, refuse_cache("sectors of 0", &c, "sector of 0 bytes");
	c = good, c.sector_bytes = 96, refuse_cache("sectors of 96", &c, "sector of 96 bytes");
	c = good, c.sets = 2, c.hash = NULL, refuse_cache("no set index", &c, "set-index");
	c = cache_make(3, 1, 128, 128, "xor", WB), refuse_cache("xor of 3 sets", &c, "xor");
	c = good, c.write = (enum ws_write)9, refuse_cache("write policy 9", &c, "write policy 9");
	test_ok(ws_sim_new_policy(&sim, &good, &none, NULL) == WS_EINVAL && !sim,
		"refuses a policy without victim");
	snprintf(c.policy, sizeof c.policy, "no-such");
	test_ok(ws_sim_new(&sim, &c, &err) == WS_EINVAL && !sim && strstr(err.text, "\"no-such\""),
		"refuses a policy that is not in the table: %s", err.text);

	refuse_request("kind 3", (struct ws_request){ .sectors = 1, .kind = 3 }, "kind 3");
	refuse_request("no sectors", (struct ws_request){ .sectors = 0 }, "sectors 0x0");
	refuse_request("sector 4 of 4", (struct ws_request){ .sectors = 0x10 }, "some of 0xf");
	refuse_request("a misaligned address", (struct ws_request){ .address = 64, .sectors = 1 },
		       "0x40");
	if (!ws_sim_new_policy(&sim, &good, &beyond, NULL))
		test_ok(ws_sim_push(sim, two, 2, NULL) == WS_EINVAL, "refuses a victim beyond");
	ws_sim_free(sim);
	ws_sim_free(NULL);
}

/* Addresses at the very end of the space, and flushes between very different launches. */
static void extremes(void)
{
	struct ws_cache cache = cache_make(4096, 512, 128, 32, "modulo", WE);
	struct ws_request r[3] = { { .address = UINT64_MAX - 127, .sectors = 8 },
				   { .address = 0, .sectors = 1 },
				   { .address = UINT64_MAX - 127, .sectors = 8 } };
	struct ws_counts kind[WS_KINDS + 1];
	bool good = true;
	struct ws_sim *sim;

	if (ws_sim_new_policy(&sim, &cache, &policy_fifo, NULL)) {
		test_skip("2^21 lines", "no memory");
		return;
	}
	for (uint64_t launch = 0; launch < 4; launch++) {
		for (uint64_t i = 0; launch == 1 && i < 100000; i++) {
			struct ws_request many = request_make(&cache, WS_LOAD, (i + 1) * 977, 1);

			good &= !ws_sim_push(sim, &many, 1, NULL);
		}
		ws_sim_flush(sim);
		good &= !ws_sim_push(sim, r, 3, NULL);
	}
	ws_sim_counts(sim, kind);
	test_ok(good && kind[WS_LOAD].requests == 100012 && kind[WS_LOAD].hits == 4
		&& kind[WS_LOAD].cold == 100008, "2^21 lines, addresses at both ends, four "
		"launches");
	ws_sim_free(sim);
}

int main(void)
{
	for (size_t i = 0; i < WS_COUNT(scenarios); i++)
		play(&scenarios[i]);
	way_order();
	errors();
	extremes();
	return test_done();
}
