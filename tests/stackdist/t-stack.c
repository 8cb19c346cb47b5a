/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/stackdist/t-stack.c -- exact stack distances: hand-worked answers, then
 * equality with simulated caches of every number of ways (tests/ref/stack.h); then
 * streams long and wide enough for all levels of the slots, with the textbook tree
 * (tests/ref/fenwick.h); then any number of threads.
 */
#include "tests/test.h"

#include "tests/ref/fenwick.h"
#include "tests/ref/stack.h"
#include "tests/stackdist/stream.h"

#define STREAM_MAX 160
#define COLD WS_DISTANCE_COLD
#define UNCACHED WS_DISTANCE_UNCACHED

/* Distances by a fresh stack, in batches of odd sizes; by several threads all but the first at
 * once. */
static bool distances_by(unsigned threads, const struct ws_cache *c, const struct ws_request *r,
			 size_t count, uint32_t *d)
{
	struct ws_stack *s = NULL;
	struct ws_err err = { 0 };
	bool ok = !ws_stack_new(&s, c, threads, &err);

	for (size_t i = 0, n = 1; ok && i < count; i += n,
	     n = threads > 1 ? count : n % 700 * 2 + 1) {
		n = n < count - i ? n : count - i;
		ok = !ws_stack_push(s, r + i, n, d + i, &err);
	}
	ws_stack_free(s);
	if (!ok)
		printf("# %s\n", err.text);
	return ok;
}

static bool distances(const struct ws_cache *c, const struct ws_request *r, size_t count,
		      uint32_t *d)
{
	return distances_by(1, c, r, count, d);
}

static struct ws_cache cache(enum ws_write write, uint64_t sets)
{
	return (struct ws_cache){ .sets = sets, .line_bytes = 128, .sector_bytes = 128,
				  .hash = ws_hash_find("modulo"), .write = write };
}

/* A stream in letters: a load of line A..Z, a store a..z, '*' before: atomic. */
static void spelled(const char *what, const struct ws_cache *c, const char *stream,
		    const uint32_t *want)
{
	struct ws_request r[64] = { 0 };
	uint32_t got[64];
	size_t n = 0, bad = 0;
	bool atomic = false;

	for (const char *p = stream; *p; p++) {
		bool store = *p >= 'a';

		if (*p == '*') {
			atomic = true;
			continue;
		}
		r[n++] = (struct ws_request){
			.address = (uint64_t)(*p - (store ? 'a' : 'A')) * 128, .sectors = 15,
			.kind = atomic ? WS_ATOMIC : store ? WS_STORE : WS_LOAD,
		};
		atomic = false;
	}
	bad = !distances(c, r, n, got);
	for (size_t i = 0; !bad && i < n; i++)
		if (got[i] != want[i]) {
			printf("# request %zu: got %u want %u\n", i, got[i], want[i]);
			bad++;
		}
	test_ok(!bad, "%s: %s", what, stream);
}

#define SPELLED(what, cache, stream, ...) \
	spelled(what, cache, stream, (const uint32_t[]){ __VA_ARGS__ })

static void by_hand(void)
{
	struct ws_cache back = cache(WS_WRITE_BACK, 1), through = cache(WS_WRITE_THROUGH, 1);
	struct ws_cache evict = cache(WS_WRITE_EVICT, 1), two = cache(WS_WRITE_BACK, 2);

	/* A textbook string: each distance is the number of distinct letters between. */
	SPELLED("LRU", &back, "ABCABDDAC", COLD, COLD, COLD, 2, 2, COLD, 0, 2, 3);
	SPELLED("a store is a load", &back, "AbcaB", COLD, COLD, COLD, 2, 2);
	SPELLED("atomics touch nothing", &back, "AB*A*bA", COLD, COLD, UNCACHED, UNCACHED, 1);
	/* Even letters in one set, odd ones in the other. */
	SPELLED("two sets", &two, "ABCDEACB", COLD, COLD, COLD, COLD, COLD, 2, 2, 1);
	/* The store to A is at position 1: with one way it changes nothing; with two it makes B
	 * the victim of C.  So A stays second, B goes third. */
	SPELLED("lifted by a store", &through, "ABaCAB", COLD, COLD, 1, COLD, 1, 2);
	SPELLED("absent", &through, "aAa", UNCACHED, COLD, 0);
	/* In two ways the victim of C is B as before, that of D then is A (used before C). */
	SPELLED("lifted, then passed", &through, "ABaCDA", COLD, COLD, 1, COLD, COLD, 2);
	/* A is thrown out at position 1 of C B A -> wait at 2; D fills the invalid way. */
	SPELLED("a hole is filled", &evict, "ABCaDBA", COLD, COLD, COLD, 2, COLD, 2, UNCACHED);
	/* b leaves the invalid way at 1; the load of A at 2 moves the invalid way there; D fills
	 * it: the stack is D A C. */
	SPELLED("a hole moves down", &evict, "ABCbADAC", COLD, COLD, COLD, 1, 2, COLD, 1, 2);
	SPELLED("thrown out twice", &evict, "AaaA", COLD, 0, UNCACHED, UNCACHED);
}

static void sectors_by_hand(void)
{
	struct ws_cache c = cache(WS_WRITE_BACK, 1);
	struct ws_request r[] = {
		{ .address = 0, .sectors = 1 },	  /* cold */
		{ .address = 128, .sectors = 1 }, /* cold */
		{ .address = 0, .sectors = 2 },	  /* this sector was never there */
		{ .address = 0, .sectors = 1 },	  /* sector 0 was seen at position 1 */
		{ .address = 0, .sectors = 3 },	  /* both are there now */
		{ .address = 128, .sectors = 9 }, /* one of the two is new */
	};
	const uint32_t want[] = { COLD, COLD, COLD, 1, 0, COLD };
	const uint32_t evicted[] = { COLD, COLD, UNCACHED, COLD, UNCACHED, COLD };
	uint32_t got[WS_COUNT(r)];

	c.sector_bytes = 32;
	test_ok(distances(&c, r, WS_COUNT(r), got) && !memcmp(got, want, sizeof(got)), "sectors");
	/* 2 and 4 become: a store to a sector not held throws the line out; then
	 * a load of a new sector is cold and one of a sector thrown out uncached. */
	c.write = WS_WRITE_EVICT;
	r[2].kind = WS_STORE;
	r[3].sectors = 4;
	r[4].sectors = 1;
	test_ok(distances(&c, r, WS_COUNT(r), got) && !memcmp(got, evicted, sizeof(got)),
		"sectors thrown out");
}

/* One random cache and stream against the reference; prints what differs. */
static bool same_as_simulated(struct ws_rng *rng, enum ws_write write)
{
	struct ws_request r[STREAM_MAX];
	uint32_t want[STREAM_MAX], got[STREAM_MAX];
	struct ws_cache c = stream_cache(rng);
	unsigned lines = 2 + (unsigned)ws_rng_below(rng, 13);
	unsigned stores = (unsigned)ws_rng_below(rng, 12), atomics = ws_rng_below(rng, 3) == 0;
	unsigned threads;
	size_t n = 1 + ws_rng_below(rng, STREAM_MAX);

	c.write = write;
	if (ws_rng_below(rng, 4) == 0 && c.hash == ws_hash_find("modulo"))
		c.sets = 1 + ws_rng_below(rng, 64);
	stream_fill(rng, &c, lines, stores, atomics, r, n);
	if (!ref_distances(&c, lines, r, n, want)) {
		stream_print(&c, r, n - 1);
		return test_ok(false, "contents nest");
	}
	threads = 1 + (unsigned)ws_rng_below(rng, 4);
	if (!distances_by(threads, &c, r, n, got))
		return false;
	for (size_t i = 0; i < n; i++)
		if (got[i] != want[i]) {
			stream_print(&c, r, i);
			printf("# got %u want %u, %u threads\n", got[i], want[i], threads);
			return false;
		}
	return true;
}

static void at_random(uint64_t seed)
{
	const int streams = 500;
	struct ws_rng rng;

	for (unsigned write = WS_WRITE_BACK; write <= WS_WRITE_EVICT; write++) {
		int same = 0;

		ws_rng_seed(&rng, seed + write);
		while (same < streams && same_as_simulated(&rng, (enum ws_write)write))
			same++;
		test_ok(same == streams, "%s: %d random streams as simulated",
			stream_write_names[write], same);
	}
}

/* Depths that need several blocks of slots and many renumberings. */
static void deep(uint64_t seed, unsigned lines, size_t n)
{
	struct ws_request *r = ws_alloc_zero(n, sizeof *r);
	uint32_t *want = ws_alloc(n, sizeof *want), *got = ws_alloc(n, sizeof *got);
	struct ws_cache c = cache(WS_WRITE_BACK, 1);
	struct ws_rng rng;

	ws_rng_seed(&rng, seed);
	for (size_t i = 0; r && i < n; i++) /* now wide, now narrow */
		r[i].address = 128 * ws_rng_below(&rng, i % 1000 < 700 ? lines : 1 + lines / 20);
	if (r && want && got) {
		ref_list_distances(r, n, want);
		test_ok(distances(&c, r, n, got) && !memcmp(got, want, n * sizeof *got),
			"%u lines, %zu loads as by the list", lines, n);
	}
	free(r);
	free(want);
	free(got);
}

/* Deep stacks with invalid ways and pins: few caches, checked at three sizes only. */
static void deep_writes(uint64_t seed, enum ws_write write)
{
	static const unsigned ways[] = { 3, 40, 333 };
	enum { COUNT = 12000, LINES = 700 };
	static struct ws_request r[COUNT];
	static uint32_t d[COUNT];
	static bool hit[COUNT];
	struct ws_cache c = cache(write, 1);
	struct ws_rng rng;
	size_t bad = 0, hits = 0;

	ws_rng_seed(&rng, seed);
	stream_fill(&rng, &c, LINES, 5, 0, r, COUNT);
	bad = !distances(&c, r, COUNT, d);
	for (size_t w = 0; w < WS_COUNT(ways); w++) {
		ref_simulate(&c, ways[w], r, COUNT, hit);
		for (size_t i = 0; i < COUNT; i++) {
			bad += hit[i] != (d[i] < ways[w]);
			hits += hit[i];
		}
	}
	test_ok(!bad && hits > 1000, "%s: %d lines in 3, 40, 333 ways, %zu hits, %zu wrong",
		stream_write_names[write], LINES, hits, bad);
}

/* N lines in a cycle: all at N - 1, so N - 1 ways never hit and N always do. */
static void cycle(void)
{
	enum { LINES = 3000, ROUNDS = 7 };
	static struct ws_request r[LINES * ROUNDS];
	static uint32_t d[LINES * ROUNDS];
	struct ws_cache c = cache(WS_WRITE_BACK, 1);
	size_t bad = 0;

	for (size_t i = 0; i < WS_COUNT(r); i++)
		r[i].address = i % LINES * 128;
	bad = !distances(&c, r, WS_COUNT(r), d);
	for (size_t i = 0; i < WS_COUNT(r); i++)
		bad += d[i] != (i < LINES ? COLD : LINES - 1);
	test_ok(!bad, "cycle of %d lines: all at %d", LINES, LINES - 1);
	/* 24 sets share them evenly. */
	c.sets = 24;
	bad = !distances(&c, r, WS_COUNT(r), d);
	for (size_t i = 0; i < WS_COUNT(r); i++)
		bad += d[i] != (i < LINES ? COLD : LINES / 24 - 1);
	test_ok(!bad, "the same in 24 sets: all at %d", LINES / 24 - 1);
}

static void refused(const char *what, struct ws_cache c)
{
	struct ws_stack *s = NULL;
	struct ws_err err = { 0 };

	test_ok(ws_stack_new(&s, &c, 1, &err) == WS_EINVAL && err.text[0] && !s, "%s: %s", what,
		err.text);
	ws_stack_free(s);
}

static void errors(void)
{
	struct ws_cache c = cache(WS_WRITE_BACK, 0);
	struct ws_request r = { .kind = 9 };
	struct ws_err err = { 0 };
	struct ws_stack *s;
	uint32_t d;
	struct ws_request wide[3] = { { .address = 0 }, { .address = 128, .kind = 3 } };
	uint32_t wide_d[3];

	refused("no sets", c);
	c.sets = UINT64_MAX;
	refused("all the sets", c);
	c = cache(WS_WRITE_BACK, 4);
	c.sector_bytes = 48;
	refused("odd sectors", c);
	c.line_bytes = 4096;
	c.sector_bytes = 32;
	refused("too many sectors", c);
	c = cache(WS_WRITE_BACK, 4);
	if (!ws_stack_new(&s, &c, 1, &err)) {
		test_ok(ws_stack_push(s, &r, 1, &d, &err) == WS_EINVAL, "kind 9: %s", err.text);
		ws_stack_free(s);
	}
	err = (struct ws_err){ 0 };
	if (!ws_stack_new(&s, &c, 2, &err)) {
		test_ok(ws_stack_push(s, wide, 3, wide_d, &err) == WS_EINVAL,
			"kind 3 among two threads: %s", err.text);
		ws_stack_free(s);
	}
	ws_stack_free(NULL);
}

/* ---- long streams ------------------------------------------------------------------ */

struct arrays {
	struct ws_request *r;
	uint32_t *want, *got;
};

static bool arrays_new(struct arrays *a, size_t n)
{
	a->r = ws_alloc_zero(n, sizeof *a->r);
	a->want = ws_alloc_zero(n, sizeof *a->want);
	a->got = ws_alloc_zero(n, sizeof *a->got);
	return a->r && a->want && a->got;
}

static void arrays_free(struct arrays *a)
{
	free(a->r);
	free(a->want);
	free(a->got);
}

/* One textbook tree per set. */
static void textbook(const struct ws_cache *c, const struct ws_request *r, size_t n,
		     uint32_t *want)
{
	struct ref_fenwick *set[64];

	for (size_t i = 0; i < c->sets; i++)
		set[i] = ref_fenwick_new();
	for (size_t i = 0; i < n; i++)
		ref_fenwick_push(set[ws_set_index(c, r[i].address)], r + i, 1, want + i);
	for (size_t i = 0; i < c->sets; i++)
		ref_fenwick_free(set[i]);
}

static void same_as_textbook(const char *what, uint64_t sets, const char *hash, struct arrays *a,
			     size_t n)
{
	struct ws_cache c = cache(WS_WRITE_BACK, sets);
	size_t bad = 0;

	c.hash = ws_hash_find(hash);
	textbook(&c, a->r, n, a->want);
	for (unsigned threads = 1; threads <= 4 && threads <= sets; threads++) {
		memset(a->got, 0, n * sizeof *a->got);
		bad += !distances_by(threads, &c, a->r, n, a->got);
		bad += memcmp(a->got, a->want, n * sizeof *a->got) != 0;
	}
	test_ok(!bad, "%s, %llu sets %s: %zu loads as by the textbook tree", what,
		(unsigned long long)sets, hash, n);
}

/* Lines mostly near the last ones, sometimes anywhere: at all depths. */
static void wander(struct ws_rng *rng, struct ws_request *r, size_t n, uint64_t lines,
		   uint64_t stride)
{
	for (size_t i = 0; i < n; i++) {
		uint64_t reach = (uint64_t)1 << ws_rng_below(rng, ws_log2(lines) + 1);

		r[i].address = 128 * stride * ((i / 7 + ws_rng_below(rng, reach)) % lines);
	}
}

static void long_streams(uint64_t seed)
{
	enum { COUNT = 150000 };
	struct arrays a;
	struct ws_rng rng;

	ws_rng_seed(&rng, seed);
	if (arrays_new(&a, COUNT)) {
		wander(&rng, a.r, COUNT, 9000, 1);
		same_as_textbook("wandering", 1, "modulo", &a, COUNT);
		same_as_textbook("wandering", 64, "ipoly", &a, COUNT);
		same_as_textbook("wandering", 5, "modulo", &a, COUNT);
		wander(&rng, a.r, COUNT, 300, 257);
		same_as_textbook("a few lines many times", 1, "modulo", &a, COUNT);
		same_as_textbook("a few lines many times", 4, "xor", &a, COUNT);
		for (size_t i = 0; i < COUNT; i++)
			a.r[i].address = i % 40000 * 128;
		same_as_textbook("cycle", 1, "modulo", &a, COUNT);
	}
	arrays_free(&a);
}

/* More than 2^19 lines of one set, hence all levels of the slots. */
static void widest(uint64_t seed)
{
	enum { LINES = 560000, COUNT = 2 * LINES };
	struct arrays a;
	struct ws_rng rng;

	ws_rng_seed(&rng, seed);
	if (arrays_new(&a, COUNT)) {
		for (size_t i = 0; i < COUNT; i++)
			a.r[i].address = 128 * (i < LINES || i % 2 ? i % LINES :
						ws_rng_below(&rng, LINES));
		same_as_textbook("560000 lines", 1, "modulo", &a, COUNT);
		same_as_textbook("560000 lines", 2, "modulo", &a, COUNT);
	}
	arrays_free(&a);
}

/* What a line is shows late; and addresses that have nothing in common. */
static void addresses(uint64_t seed)
{
	enum { COUNT = 30000 };
	struct arrays a;
	struct ws_rng rng;

	ws_rng_seed(&rng, seed);
	if (arrays_new(&a, COUNT)) {
		for (size_t i = 0; i < COUNT; i++) {
			uint64_t shift = i < 1000 ? 20 : i < 5000 ? 11 : i < 20000 ? 8 : 7;

			a.r[i].address = ws_rng_below(&rng, 700) << shift;
		}
		same_as_textbook("ever finer addresses", 2, "modulo", &a, COUNT);
		for (size_t i = 0; i < COUNT; i++) {
			uint64_t line = ws_rng_below(&rng, 3000);

			a.r[i].address = (line * 0x9e3779b97f4a7c15u) << 7;
		}
		same_as_textbook("scattered addresses", 8, "modulo", &a, COUNT);
		for (size_t i = 0; i < COUNT; i++)
			a.r[i].address = ws_rng_below(&rng, 2000) << 52;
		same_as_textbook("addresses far apart", 1, "modulo", &a, COUNT);
	}
	arrays_free(&a);
}

/* Every policy and kind of request, in one thread and in several. */
static void threads(uint64_t seed, enum ws_write write)
{
	enum { COUNT = 70000, LINES = 3000 };
	struct arrays a;
	struct ws_cache c = cache(write, 48);
	struct ws_rng rng;
	size_t bad = 0;

	ws_rng_seed(&rng, seed);
	c.sector_bytes = write % 2 ? 32 : 128;
	if (arrays_new(&a, COUNT)) {
		stream_fill(&rng, &c, LINES, 4, 1, a.r, COUNT);
		bad = !distances(&c, a.r, COUNT, a.want);
		for (unsigned n = 2; n <= 4; n++) {
			bad += !distances_by(n, &c, a.r, COUNT, a.got);
			bad += memcmp(a.got, a.want, COUNT * sizeof *a.got) != 0;
		}
		test_ok(!bad, "%s: 1, 2, 3, 4 threads", stream_write_names[write]);
	}
	arrays_free(&a);
}

int main(void)
{
	uint64_t seed = test_seed(7001);

	by_hand();
	sectors_by_hand();
	at_random(seed);
	deep(seed, 90, 20000);
	deep(seed + 1, 2900, 30000);
	for (unsigned write = WS_WRITE_BACK; write <= WS_WRITE_EVICT; write++)
		deep_writes(seed + write, (enum ws_write)write);
	cycle();
	long_streams(seed + 10);
	widest(seed + 11);
	addresses(seed + 12);
	for (unsigned write = WS_WRITE_BACK; write <= WS_WRITE_EVICT; write++)
		threads(seed + 20 + write, (enum ws_write)write);
	errors();
	return test_done();
}
