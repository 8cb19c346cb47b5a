/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tags, sector states and MSHRs of the cycle simulator: each outcome and failure, what a failed
 * look-up leaves, which way is taken when some are reserved; and, with everything filled at
 * once, the simulator without time.
 */
#include "tests/validate/stream.h"
#include "validate/cycle/tags.h"

#define ANY UINT32_MAX
#define ALL 0xfu		/* sectors of a line of 128 bytes */

struct bench {			/* a cache of 128-byte lines */
	struct ws_tags *tags;
	struct ws_cache cache;
	struct ws_answer a;
	const uint32_t *woken;
	size_t count;
	uint64_t victim;
	uint32_t victim_sectors;
};

static struct ws_cache small(uint64_t ways, uint64_t sector, enum ws_write write,
			     const char *policy)
{
	struct ws_cache c = cache_make(1, ways, 128, sector, "modulo", write);

	c.mshr_entries = 8;
	c.mshr_merge = 3;
	snprintf(c.policy, sizeof c.policy, "%s", policy);
	return c;
}

/* The i-th policy, with a weight for each way if it wants parameters.  False if it is of no use. */
static bool policy_set(struct ws_cache *c, size_t i)
{
	char *text = c->policy;
	int n = snprintf(text, sizeof c->policy, "%s", ws_policies[i]->name);
	struct ws_use use;

	if (ws_policies[i]->offline)
		return false;
	if (!ws_use_parse(&use, text, NULL))
		return true;
	for (uint64_t way = 0; way < c->ways && n < WS_NAME_MAX; way++)
		n += snprintf(text + n, (size_t)(WS_NAME_MAX - n), "%c%" PRIu64,
			      way ? ',' : ':', 1 + way % 3);
	return n < WS_NAME_MAX;
}

static enum ws_status tags_new(struct ws_tags **out, const struct ws_cache *c, uint64_t sets,
			       uint64_t piece, struct ws_err *err)
{
	struct ws_use use;
	enum ws_status status = ws_use_parse(&use, c->policy, err);

	return status ? status : ws_tags_new(out, c, &use, sets, piece, 1, err);
}

static struct bench begin(struct ws_cache cache)
{
	struct bench b = { .cache = cache };
	struct ws_err err = { 0 };

	if (tags_new(&b.tags, &cache, cache.sets, 64, &err)) {
		test_ok(false, "tags of a cache: %s", err.text);
		exit(test_done());
	}
	return b;
}

/* A look-up of line `line`; returns the outcome, or 10 + cause. */
static unsigned ask(struct bench *b, enum ws_kind kind, uint64_t line, uint32_t sectors,
		    uint32_t waiter, uint32_t room)
{
	const struct ws_lookup l = {
		.access = { .address = line * b->cache.line_bytes, .sectors = sectors,
			    .kind = (uint8_t)kind },
		.waiter = waiter, .room = room,
		.set = ws_set_index(&b->cache, line * b->cache.line_bytes),
	};

	if (ws_tags_lookup(b->tags, &l, &b->a, NULL))
		return 99;
	return b->a.outcome == WS_FAILED ? 10u + b->a.cause : b->a.outcome;
}

static unsigned load(struct bench *b, uint64_t line, uint32_t sectors, uint32_t waiter)
{
	return ask(b, WS_LOAD, line, sectors, waiter, ANY);
}

static unsigned store(struct bench *b, uint64_t line, uint32_t sectors)
{
	return ask(b, WS_STORE, line, sectors, 0, ANY);
}

static void fill(struct bench *b, uint32_t mshr)
{
	if (ws_tags_fill(b->tags, mshr, &b->woken, &b->count, &b->victim, &b->victim_sectors,
			 NULL))
		test_ok(false, "fill");
}

/* A load that is filled at once. */
static void bring(struct bench *b, uint64_t line)
{
	load(b, line, ALL, 0);
	if (b->a.fetch)
		fill(b, b->a.mshr);
}

/* ---- outcomes ------------------------------------------------------------------------------ */

static void on_miss(void)
{
	struct bench b = begin(small(2, 32, WS_WRITE_THROUGH, "lru"));
	uint32_t first, second;

	test_u64(load(&b, 5, 0x1, 100), WS_MISS, "on-miss: a line that is not there");
	first = b.a.mshr;
	test_ok(b.a.fetch == 0x1 && b.a.waits == 1 && !b.a.victim_sectors,
		"  one sector is fetched");
	test_u64(load(&b, 5, 0x1, 101), WS_PENDING, "  a reserved sector");
	test_ok(!b.a.fetch && b.a.waits == 1, "  waits, fetches nothing");
	test_u64(load(&b, 5, 0x3, 102), WS_SECTOR_MISS, "  a reserved and an invalid one");
	second = b.a.mshr;
	test_ok(b.a.fetch == 0x2 && b.a.waits == 2 && second != first,
		"  fetches one, waits for two");
	test_u64(load(&b, 5, 0x1, 103), 10 + WS_FAIL_MERGE, "  a fourth request of the MSHR");
	test_u64(load(&b, 5, 0x5, 103), 10 + WS_FAIL_MERGE, "  and of one of two");
	test_u64(store(&b, 5, 0x3), WS_PENDING, "  a store to reserved sectors");
	test_u64(store(&b, 5, 0x5), WS_SECTOR_MISS, "  a store, one sector invalid");
	test_ok(b.a.send == 0x5, "  goes on");
	test_u64(ws_tags_in_flight(b.tags), 2, "  MSHRs");
	fill(&b, first);
	test_ok(b.count == 3 && b.woken[0] == 100 && b.woken[1] == 101 && b.woken[2] == 102,
		"  who waited, in order");
	test_u64(load(&b, 5, 0x1, 0), WS_HIT, "  filled");
	test_u64(load(&b, 5, 0x3, 104), WS_PENDING, "  the other not yet");
	fill(&b, second);
	test_ok(b.count == 2 && b.woken[0] == 102 && b.woken[1] == 104, "  its requests");
	test_u64(load(&b, 5, 0x3, 0), WS_HIT, "  filled, too");
	test_u64(ws_tags_in_flight(b.tags), 0, "  MSHRs after");
	ws_tags_flush(b.tags);
	test_u64(load(&b, 5, 0x3, 0), WS_MISS, "  flushed");
	ws_tags_free(b.tags);
}

static void on_fill(void)
{
	struct ws_cache c = small(1, 32, WS_WRITE_BACK, "lru");
	struct bench b;
	uint32_t first, second;

	c.alloc = WS_ALLOC_ON_FILL;
	c.mshr_merge = 4;
	b = begin(c);
	test_u64(load(&b, 1, 0x1, 1), WS_MISS, "on-fill: a line that is not there");
	first = b.a.mshr;
	test_u64(load(&b, 2, 0x3, 2), WS_MISS, "  another in a set of one way: none is reserved");
	second = b.a.mshr;
	test_u64(load(&b, 1, 0x1, 3), WS_PENDING, "  being fetched, not there");
	test_u64(load(&b, 1, 0x3, 4), WS_MISS, "  partly: still no line");
	test_ok(b.a.fetch == 0x2 && b.a.waits == 2, "  fetches the rest");
	fill(&b, b.a.mshr);
	test_ok(b.count == 1 && b.woken[0] == 4, "  which comes first");
	test_u64(load(&b, 1, 0x2, 5), WS_HIT, "  and takes the way");
	test_u64(load(&b, 1, 0x1, 5), WS_PENDING, "  the line is there, this sector on its way");
	test_u64(load(&b, 1, 0x4, 6), WS_SECTOR_MISS, "  the line is there, this sector nowhere");
	test_u64(store(&b, 1, 0x2), WS_HIT, "  a store");
	fill(&b, second);
	test_ok(b.victim == 128 && b.victim_sectors == 0x2,
		"  the other line throws it out, modified");
	fill(&b, first);
	test_ok(b.count == 4 && b.woken[0] == 1 && b.woken[3] == 5 && b.victim_sectors == 0,
		"  and is thrown out when its other sector comes");
	test_u64(load(&b, 1, 0x2, 7), WS_SECTOR_MISS, "  without the sector that it had before");
	ws_tags_free(b.tags);
}

static void failures(void)
{
	struct ws_cache c = small(2, 128, WS_WRITE_BACK, "lru");
	struct bench b;

	c.mshr_entries = 3;
	b = begin(c);
	bring(&b, 1);
	store(&b, 1, 0x1);
	test_u64(ask(&b, WS_LOAD, 2, 1, 0, 1), 10 + WS_FAIL_QUEUE, "room for one of two packets");
	test_u64(ask(&b, WS_LOAD, 2, 1, 0, 2), WS_MISS, "room for both");
	test_u64(ask(&b, WS_LOAD, 3, 1, 0, 3), 10 + WS_FAIL_QUEUE, "no room for the victim");
	test_u64(ask(&b, WS_LOAD, 3, 1, 0, 4), WS_MISS, "room for the victim");
	test_ok(b.a.victim == 128 && b.a.victim_sectors == ALL, "the victim");
	test_u64(load(&b, 1, 1, 0), 10 + WS_FAIL_LINE, "all ways are reserved");
	test_u64(ask(&b, WS_LOAD, 1, 1, 0, 0), 10 + WS_FAIL_LINE, "that comes before room");
	test_u64(store(&b, 1, 1), 10 + WS_FAIL_LINE, "a store that would take a way");
	test_u64(store(&b, 2, 1), WS_PENDING, "a store to a reserved line");
	fill(&b, 0);
	test_u64(load(&b, 4, 1, 0), WS_MISS, "a way is free again");
	test_ok(b.a.victim == 256 && b.a.victim_sectors == ALL, "modified when its data came");
	ws_tags_free(b.tags);
	c.ways = 8;
	b = begin(c);
	for (uint64_t line = 0; line < 3; line++)
		load(&b, line, 1, 0);
	test_u64(load(&b, 3, 1, 0), 10 + WS_FAIL_MSHR, "all MSHRs are in use");
	test_u64(ask(&b, WS_LOAD, 3, 1, 0, 1), 10 + WS_FAIL_QUEUE, "room comes before MSHRs");
	fill(&b, 1);
	test_u64(load(&b, 3, 1, 0), WS_MISS, "one is free");
	ws_tags_free(b.tags);
}

/* ---- stores -------------------------------------------------------------------------------- */

static void stores(void)
{
	struct bench b = begin(small(2, 32, WS_WRITE_EVICT, "lru"));

	load(&b, 1, 0x1, 7);
	test_u64(store(&b, 1, 0x1), WS_PENDING, "write-evict: a reserved line");
	test_u64(load(&b, 1, 0x1, 8), WS_MISS, "  is thrown out: a new miss");
	test_ok(b.a.mshr == 1 && b.a.waits == 1, "  of its own");
	fill(&b, 0);
	test_ok(b.count == 1 && b.woken[0] == 7, "  the first is served");
	test_u64(load(&b, 1, 0x1, 9), WS_PENDING, "  and does not fill");
	fill(&b, 1);
	test_u64(store(&b, 1, 0x1), WS_HIT, "  filled by the second");
	test_u64(store(&b, 1, 0x1), WS_MISS, "  and thrown out again");
	test_u64(ask(&b, WS_STORE, 1, 0x5, 0, 1), 10 + WS_FAIL_QUEUE, "  a store of two packets");
	ws_tags_free(b.tags);

	b = begin(small(2, 64, WS_WRITE_THROUGH_ALLOCATE, "lru"));
	test_u64(store(&b, 1, 0x2), WS_MISS, "write-through-allocate: a miss");
	test_ok(b.a.send == 0x2 && !b.a.fetch, "  sends what was stored");
	test_u64(load(&b, 1, 0x3, 0), WS_HIT, "  and holds the sector");
	test_u64(store(&b, 1, 0x4), WS_SECTOR_MISS, "  the other one");
	bring(&b, 2);
	bring(&b, 3);
	test_ok(!b.a.victim_sectors, "  nothing is modified");
	ws_tags_free(b.tags);

	b = begin(small(1, 64, WS_WRITE_BACK, "lru"));
	test_u64(store(&b, 1, 0x2), WS_MISS, "write-back: a miss");
	test_ok(!b.a.send && !b.a.fetch, "  sends nothing");
	test_u64(load(&b, 1, 0xc, 0), WS_SECTOR_MISS, "  the other sector");
	test_u64(store(&b, 2, 0x1), 10 + WS_FAIL_LINE, "  reserves the line");
	test_u64(ask(&b, WS_ATOMIC, 1, 0xc, 1, ANY), WS_PENDING, "  an atomic");
	fill(&b, 0);
	test_u64(store(&b, 2, 0x1), WS_MISS, "  another line");
	test_ok(b.a.victim == 128 && b.a.victim_sectors == ALL, "  throws out store and atomic");
	ws_tags_free(b.tags);
}

/* ---- victims ------------------------------------------------------------------------------- */

/* Lines 0 .. 3 of four ways in order; `again` is asked for once more; then the ways in `mask` are
 * reserved by fetches of a second sector.  The victim of the next miss. */
static uint64_t victim_of(const char *policy, uint64_t again, unsigned mask)
{
	struct bench b = begin(small(4, 64, WS_WRITE_THROUGH, policy));
	uint64_t found = 99;

	for (uint64_t line = 0; line < 4; line++) {
		load(&b, line, 0x1, 0);
		fill(&b, b.a.mshr);
	}
	if (again < 4)
		load(&b, again, 0x1, 0);
	for (uint64_t line = 0; line < 4; line++)
		if (mask >> line & 1)
			load(&b, line, 0x4, 0);
	load(&b, 10, 0x1, 0);
	for (uint64_t line = 0; line < 4; line++)
		if (store(&b, line, 0x1) == WS_MISS)
			found = found == 99 ? line : 98;
	ws_tags_free(b.tags);
	return found;
}

/* What it fills it throws out next: it names a way that is reserved for ever. */
static void obstinate(void)
{
	struct bench b = begin(small(4, 128, WS_WRITE_THROUGH, "bip:0"));

	for (uint64_t line = 0; line < 4; line++)
		bring(&b, line);
	load(&b, 4, 0x1, 0);
	test_u64(store(&b, 3, 0x1), WS_MISS, "bip:0: what was filled last is thrown out");
	load(&b, 5, 0x1, 0);
	test_u64(store(&b, 0, 0x1), WS_MISS, "bip:0: it is reserved: the lowest way that is not");
	ws_tags_free(b.tags);
}

/* A reserved way that was passed over is no younger for it. */
static void forgotten(void)
{
	struct bench b = begin(small(3, 64, WS_WRITE_THROUGH, "fifo"));

	for (uint64_t line = 0; line < 3; line++) {
		load(&b, line, 0x1, 0);
		fill(&b, b.a.mshr);
	}
	load(&b, 0, 0x4, 0);
	load(&b, 3, 0x1, 0);
	test_u64(store(&b, 1, 0x1), WS_MISS, "fifo: the oldest is reserved: the next");
	fill(&b, 0);
	fill(&b, 1);
	load(&b, 4, 0x1, 0);
	test_u64(store(&b, 0, 0x1), WS_MISS, "fifo: now the oldest goes");
	ws_tags_free(b.tags);
}

/* A line thrown out by a store leaves its way, the lowest, and no reservation. */
static void gaps(void)
{
	struct bench b = begin(small(2, 128, WS_WRITE_EVICT, "lru"));

	load(&b, 1, 0x1, 0);
	load(&b, 2, 0x1, 0);
	test_u64(load(&b, 3, 0x1, 0), 10 + WS_FAIL_LINE, "write-evict: both ways are reserved");
	store(&b, 1, 0x1);
	test_u64(load(&b, 3, 0x1, 0), WS_MISS, "  one is thrown out: its way is taken");
	test_u64(load(&b, 2, 0x1, 0), WS_PENDING, "  and not the other's");
	test_u64(load(&b, 4, 0x1, 0), 10 + WS_FAIL_LINE, "  both are reserved again");
	ws_tags_free(b.tags);
}

static void victims(void)
{
	unsigned seen = 0;

	test_u64(victim_of("lru", 9, 0), 0, "lru: none reserved");
	test_u64(victim_of("lru", 0, 0), 1, "lru: the first used again");
	test_u64(victim_of("lru", 9, 0x3), 2, "lru: the first two reserved");
	test_u64(victim_of("fifo", 0, 0), 0, "fifo: the first used again");
	test_u64(victim_of("fifo", 9, 0x1), 1, "fifo: the first reserved");
	test_u64(victim_of("fifo", 9, 0x7), 3, "fifo: all but one reserved");
	/* A hit makes the value 0 of those asked for again, or reserved; others are at 2. */
	test_u64(victim_of("srrip", 0, 0), 1, "srrip: the first used again");
	test_u64(victim_of("srrip", 0, 0x2), 2, "srrip: and the second reserved");
	/* They age together until one is at 3; filled anew it is at 2: the next is named. */
	test_u64(victim_of("srrip", 9, 0x7), 3, "srrip: all but the last reserved");
	for (unsigned mask = 0; mask < 15; mask++) {
		uint64_t way = victim_of("random", 9, mask);

		seen |= way > 3 || mask >> way & 1 ? 16 : 1u << way;
	}
	test_ok(!(seen & 16), "random: never a reserved way");
	obstinate();
	forgotten();
	gaps();
	for (size_t i = 0; ws_policies[i]; i++) {
		struct ws_cache c = { .ways = 4 };
		bool good = true, fit = policy_set(&c, i);

		for (unsigned mask = 0; mask < 15 && fit; mask++) {
			uint64_t way = victim_of(c.policy, mask % 5, mask);

			good &= way < 4 && !(mask >> way & 1);
		}
		test_ok(good, "%s: a way that is not reserved", ws_policies[i]->name);
	}
}

/* ---- failed look-ups leave no trace -------------------------------------------------------- */

static bool same_answer(const struct ws_answer *a, const struct ws_answer *b)
{
	return a->mshr == b->mshr && a->fetch == b->fetch && a->send == b->send
		&& a->victim == b->victim && a->victim_sectors == b->victim_sectors
		&& a->waits == b->waits;
}

/* Two caches get the same requests; one of them also those that fail, many times. */
static bool traceless(size_t policy, enum ws_write write, uint64_t alloc, struct ws_rng *rng)
{
	static struct ws_request r[600];
	struct ws_cache c = small(4, 32, write, "lru");
	struct bench one, two;
	uint32_t open[8];
	size_t opens = 0;
	unsigned fails = 0;
	bool good = true;

	if (!policy_set(&c, policy))
		return true;
	c.sets = 2;
	c.mshr_entries = 5;
	c.alloc = alloc ? WS_ALLOC_ON_FILL : WS_ALLOC_ON_MISS;
	one = begin(c);
	two = begin(c);
	stream_random(r, WS_COUNT(r), &c, 20, 1, rng);
	for (size_t i = 0; i < WS_COUNT(r) && good; i++) {
		enum ws_kind kind = r[i].kind == WS_STORE ? WS_STORE : WS_LOAD;
		uint64_t line = r[i].address / c.line_bytes;
		uint32_t room = (uint32_t)ws_rng_below(rng, 4);
		unsigned got = ask(&one, kind, line, r[i].sectors, 7, room), other;

		if (got >= 10) {
			fails++;
		} else {
			other = ask(&two, kind, line, r[i].sectors, 7, ANY);
			good &= got == other && same_answer(&one.a, &two.a);
			if (one.a.fetch)
				open[opens++] = one.a.mshr;
		}
		while (opens && (opens == 5 || ws_rng_below(rng, 3) == 0)) {
			size_t k = (size_t)ws_rng_below(rng, opens);

			fill(&one, open[k]);
			fill(&two, open[k]);
			good &= one.count == two.count && one.victim == two.victim
				&& one.victim_sectors == two.victim_sectors;
			open[k] = open[--opens];
		}
	}
	ws_tags_free(one.tags);
	ws_tags_free(two.tags);
	return good && fails > 10;
}

static void no_trace(struct ws_rng *rng)
{
	for (size_t i = 0; ws_policies[i]; i++) {
		bool good = true;

		for (unsigned k = 0; k < 16; k++)
			good &= traceless(i, (enum ws_write)(k % 4), k / 4 % 2, rng);
		test_ok(good, "%s: what fails leaves no trace", ws_policies[i]->name);
	}
}

/* ---- the simulator without time ------------------------------------------------------------ */

#define REQUESTS 400u

static bool timeless(struct ws_cache c, struct ws_rng *rng)
{
	static struct ws_request r[REQUESTS];
	struct bench b = begin(c);
	struct ws_counts all[WS_KINDS + 1];
	uint64_t misses[WS_KINDS] = { 0 }, hits[WS_KINDS] = { 0 };
	struct ws_sim *sim;
	bool good = !ws_sim_new(&sim, &c, NULL);

	stream_random(r, REQUESTS, &c, 3 * c.sets * c.ways / 2 + 2, 0, rng);
	for (size_t i = 0; i < REQUESTS && good; i++) {
		unsigned outcome;

		if (r[i].kind == WS_ATOMIC)
			continue;
		outcome = ask(&b, (enum ws_kind)r[i].kind, r[i].address / c.line_bytes,
			      r[i].sectors, 0, ANY);
		if (b.a.fetch)
			fill(&b, b.a.mshr);
		hits[r[i].kind] += outcome == WS_HIT;
		misses[r[i].kind] += outcome == WS_MISS || outcome == WS_SECTOR_MISS;
		good &= !ws_sim_push(sim, &r[i], 1, NULL);
		ws_sim_counts(sim, all);
		good &= all[r[i].kind].hits == hits[r[i].kind]
			&& all[r[i].kind].misses == misses[r[i].kind];
	}
	ws_sim_free(sim);
	ws_tags_free(b.tags);
	return good;
}

static void as_without_time(struct ws_rng *rng)
{
	static const uint64_t shape[][4] = { /* sets, ways, line, sector */
		{ 1, 1, 128, 128 }, { 4, 4, 128, 32 }, { 32, 4, 128, 128 }, { 7, 6, 256, 64 },
		{ 1, 48, 1024, 32 }, { 16, 2, 32, 32 },
	};

	for (size_t i = 0; ws_policies[i]; i++) {
		unsigned runs = 0, bad = 0;

		for (size_t k = 0; k < 8 * WS_COUNT(shape); k++) {
			const uint64_t *s = shape[k / 8];
			struct ws_cache c = cache_make(s[0], s[1], s[2], s[3], "modulo",
						       (enum ws_write)(k % 4));

			if (!policy_set(&c, i))
				continue;
			c.alloc = k / 4 % 2 ? WS_ALLOC_ON_FILL : WS_ALLOC_ON_MISS;
			c.mshr_entries = c.mshr_merge = 1;
			runs++;
			bad += !timeless(c, rng);
		}
		test_ok(bad == 0, "%s, filled at once: as ws_sim, request by request (%u of %u)",
			ws_policies[i]->name, runs - bad, runs);
	}
}

/* ---- every waiting request is served once -------------------------------------------------- */

static void served(struct ws_rng *rng)
{
	static struct ws_request r[4000];
	static unsigned left[WS_COUNT(r)];
	struct ws_cache c = small(4, 32, WS_WRITE_EVICT, "lru");
	struct bench b;
	uint32_t open[6];
	size_t opens = 0;
	bool good = true;

	c.sets = 4;
	c.mshr_entries = WS_COUNT(open);
	b = begin(c);
	stream_random(r, WS_COUNT(r), &c, 24, 0, rng);
	for (size_t i = 0; i < WS_COUNT(r) || opens;) {
		unsigned got = 10;

		if (i < WS_COUNT(r)) {
			got = ask(&b, r[i].kind == WS_STORE ? WS_STORE : WS_LOAD,
				  r[i].address / 128, r[i].sectors, (uint32_t)i, ANY);
			if (got < 10 && b.a.fetch)
				open[opens++] = b.a.mshr;
			if (got < 10)
				left[i++] = b.a.waits;
		}
		if (opens && (got >= 10 || ws_rng_below(rng, 4) == 0)) {
			size_t k = (size_t)ws_rng_below(rng, opens);

			fill(&b, open[k]);
			open[k] = open[--opens];
			for (size_t w = 0; w < b.count; w++)
				good &= left[b.woken[w]]-- > 0;
		}
		good &= ws_tags_in_flight(b.tags) == opens;
	}
	for (size_t i = 0; i < WS_COUNT(r); i++)
		good &= !left[i];
	test_ok(good, "each request is woken once for each MSHR that it waited for");
	ws_tags_free(b.tags);
}

static void refusals(void)
{
	struct ws_cache c = small(4, 32, WS_WRITE_EVICT, "opt");
	struct ws_tags *t;
	struct ws_err err = { 0 };
	struct bench b;

	test_ok(tags_new(&t, &c, 1, 128, &err) == WS_EINVAL && !t, "offline: %s", err.text);
	snprintf(c.policy, sizeof c.policy, "lru");
	err.status = WS_OK;
	test_ok(tags_new(&t, &c, 0, 128, &err) == WS_EINVAL && !t, "no sets: %s", err.text);
	b = begin(c);
	test_ok(load(&b, 1, 0, 0) == 99 && load(&b, 1, 0x10, 0) == 99, "no sectors, or too many");
	ws_tags_free(b.tags);
}

int main(void)
{
	struct ws_rng rng;

	ws_rng_seed(&rng, test_seed(20261122));
	on_miss();
	on_fill();
	failures();
	stores();
	victims();
	no_trace(&rng);
	as_without_time(&rng);
	served(&rng);
	refusals();
	return test_done();
}
