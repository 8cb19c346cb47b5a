/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Caches of words: the text's worked examples, answers worked out by hand, and random streams
 * beside the slow cache of tests/ref/grain.h.
 *
 * A stream is written as tokens: L or S, a line's number, and /m with m the hexadecimal mask of its
 * words (left out: all).  The outcome has a letter per request, as in t-sim.c.
 */
#include "tests/ref/grain.h"
#include "tests/ref/grain_hardware.h"
#include "tests/validate/stream.h"
#include "validate/grain/grain.h"

#define LINE 128u

static struct ws_cache cache_words(const char *organisation, uint64_t sets, uint64_t ways)
{
	struct ws_machine m;
	char text[64];

	if (ws_machine_load(&m, "gtx480", NULL))
		abort();
	snprintf(text, sizeof text, "l1.organisation=%s", organisation);
	if (ws_machine_set(&m, text, NULL))
		abort();
	m.l1.sets = sets;
	m.l1.ways = ways;
	m.l1.line_bytes = m.l1.sector_bytes = LINE;
	m.l1.size_bytes = sets * ways * LINE;
	m.l1.hash = ws_hash_find("modulo");
	m.l1.write = WS_WRITE_BACK;
	return m.l1;
}

/* ---- the text's examples -------------------------------------------------------------- */

/* Figure 4: 16 KB, 32 sets: 6 bits common, 16 of chunk, 5 of set, 5 of byte. */
static void split(void)
{
	struct ws_cache c = cache_words("dycache:50", 32, 4);
	struct ref_address a = ref_address_split(&c, 0xffffffff);

	test_u64(a.common, 0x3f, "Figure 4: 6 bits in common");
	test_u64(a.chunk, 0xffff, "16 of the chunk");
	test_u64(a.set, 0x1f, "5 of the set");
	test_u64(a.byte, 0x1f, "5 of the byte");
	a = ref_address_split(&c, 0x00001060);
	test_ok(a.chunk == 7 && a.set == 0 && a.common == 0 && a.byte == 0,
		"the two lowest bits of the chunk's tag are below the set's: 0x%x",
		(unsigned)a.chunk);
	/* Figure 6: 32 KB.  Of 8 ways it has the 32 sets of Figure 4; of 4, one bit less of
	 * chunk. */
	c = cache_words("dycache:50", 32, 8);
	a = ref_address_split(&c, 0x04000100);
	test_ok(a.common == 1 && a.chunk == 0 && a.set == 2, "Figure 6: common 1, chunk 0, set 2");
	c = cache_words("dycache:50", 64, 4);
	c.chunk_tag_bits = 15;
	a = ref_address_split(&c, 0x04000100);
	test_ok(a.common == 1 && a.chunk == 0 && a.set == 2, "and with 64 sets and 15 bits");
	for (unsigned sets = 1; sets <= 4096; sets *= 2) {
		uint64_t address = 0x9d3c75a1f2e4;
		unsigned bits = ws_log2(sets);

		c = cache_words("dycache:50", sets, 4);
		a = ref_address_split(&c, address);
		test_ok((a.common << (21 + bits) | a.chunk >> 2 << (7 + bits) | a.set << 7 |
			 (a.chunk & 3) << 5 | a.byte) == address &&
			a.set == (sets > 1 ? ws_set_index(&c, address) : 0) &&
			a.common == address >> ws_region_shift(&c),
			"%u sets: the parts make the address", sets);
	}
}

/* Figure 5, as far as the text spells it out, and what it says of the rest. */
static void masks(void)
{
	static const int8_t shown[WS_GRAIN_WORDS] = { 0, REF_TAG_VOID, 2, REF_TAG_VOID };

	test_ok(memcmp(ref_tag_masks[1][2], shown, sizeof shown) == 0,
		"Figure 6: 128 B under a grain of 64 B compare 0, -, +2, -");
	for (unsigned grain = 0; grain < 2; grain++) {
		for (unsigned size = 0; size < WS_GRAIN_SIZES; size++) {
			bool ok = true;

			for (int w = 0; w < (int)WS_GRAIN_WORDS; w++) {
				bool compared = w < 1 << size && w % (1 << grain) == 0;

				ok = ok && ref_tag_masks[grain][size][w] ==
					   (compared ? w : REF_TAG_VOID);
			}
			test_ok(ok, "grain of %u B, %u B asked for: one tag per chunk",
				32u << grain, 32u << size);
		}
	}
	test_u64(ws_request_block(0x1), 0x1, "a sector is 32 B");
	test_u64(ws_request_block(0xc), 0xc, "two of a half, 64 B");
	test_u64(ws_request_block(0x6), 0xf, "two of both halves, 128 B");
	test_u64(ws_request_block(0x5), 0xf, "far ones too");
	test_u64(ws_request_block(0x7), 0xf, "and three");
}

/* One request; what was counted. */
static char ask(struct ws_grain *g, const struct ws_request *r)
{
	struct ws_counts n = { 0 };

	if (ws_grain_request(g, r, &n, NULL) || n.requests != 1)
		return 'E';
	return n.hits ? 'h' : n.cold ? 'o' : n.capacity ? 'a' : n.conflict ? 'f' : 'u';
}

static const char *token(const char *at, struct ws_request *r)
{
	char *end;

	*r = (struct ws_request){ .kind = *at == 'S' ? WS_STORE : WS_LOAD };
	r->address = strtoull(at + 1, &end, 0) * LINE;
	r->sectors = 0xf;
	if (*end == '/')
		r->sectors = (uint32_t)strtoul(end + 1, &end, 16);
	return end + (*end == ' ');
}

/* Figure 6: a request of 128 B under a grain of 64 B hits the line that has its common tag and
 * chunk tags 0, 1, 2, 3. */
static void figure6(void)
{
	struct ws_cache c = cache_words("elastic:64", 32, 8);
	struct ws_request r = { .address = 0x04000100, .sectors = 0xf };
	struct ws_grain *g;

	if (ws_grain_new(&g, &c, NULL))
		abort();
	test_ok(ask(g, &r) == 'o', "Figure 6: not there at first");
	test_ok(ask(g, &r) == 'h', "then a hit");
	r.address = 0x00000100;
	test_ok(ask(g, &r) == 'o', "another common tag is another line");
	r.sectors = 0xc;
	r.address = 0x04000100;
	test_ok(ask(g, &r) == 'h', "64 B of it are there too");
	ws_grain_free(g);
}

/* ---- by hand ------------------------------------------------------------------------------ */

struct scenario {
	const char *what, *organisation;
	uint64_t sets, ways;
	enum ws_write write;
	enum ws_chunk_victim victim;
	enum ws_chunk_invalid invalid;
	const char *stream, *outcome;
	uint64_t partial, invalidated, written_back;
};

#define FAR "0x80000" /* a line of another region than 0, of 1 or 2 sets */

static const struct scenario scenarios[] = {
	{ "chunks of four lines in one", "elastic:32", 1, 1, WS_WRITE_BACK, 0, 0,
	  "L0/1 L1/2 L2/4 L3/8 L0/1 L1/2 L2/4 L3/8", "oooohhhh", 0, 0, 0 },
	{ "the chunk used longest ago goes", "elastic:32", 1, 1, WS_WRITE_BACK, 0, 0,
	  "L0/1 L1/2 L2/4 L3/8 L0/1 L4/1 L1/2 L0/1", "oooohoah", 0, 0, 0 },
	{ "64 B take two", "elastic:64", 1, 1, WS_WRITE_BACK, 0, 0,
	  "L0/1 L1/4 L0/2 L1/8 L2/1 L1/c L0/1", "oohhoha", 0, 0, 0 },
	{ "a line's words are of one region", "elastic:32", 1, 1, WS_WRITE_BACK, 0, 0,
	  "L0/1 L1/1 L" FAR "/1 L1/1", "ooof", 0, 0, 0 },
	{ "two regions in two ways", "elastic:32", 1, 2, WS_WRITE_BACK, 0, 0,
	  "L0/1 L" FAR "/1 L0/1 L" FAR "/1 L0/2 L0/1", "oohhoh", 0, 0, 0 },
	{ "partial hit: what is there is thrown out, and all fetched", "elastic:32", 1, 2,
	  WS_WRITE_BACK, 0, 0, "L0/1 L0/3 L0/1 L0/3", "oohh", 1, 1, 0 },
	{ "dirty words of a partial hit are written back", "elastic:32", 1, 2, WS_WRITE_BACK, 0, 0,
	  "S0/1 L0/3 L0/1", "ooh", 1, 1, 1 },
	{ "64 B in two halves of one line are a hit", "elastic:32", 1, 2, WS_WRITE_BACK, 0, 0,
	  "L0/1 L0/2 L0/3", "ooh", 0, 0, 0 },
	{ "in two lines they are a partial hit, a conflict", "elastic:32", 1, 2, WS_WRITE_BACK, 0,
	  0,
	  "L0/1 L1/1 L2/1 L3/1 L0/2 L0/3 L0/3", "ooooofh", 1, 2, 0 },
	{ "128 B take the line used longest ago", "elastic:32", 1, 2, WS_WRITE_BACK, 0, 0,
	  "L0 L1 L0/1 L2 L0 L1", "oohoha", 0, 0, 0 },
	{ "an invalid line before a chunk goes", "elastic:32", 1, 2, WS_WRITE_BACK, 0, 0,
	  "L0/1 L1/1 L2/1 L3/1 L4/1 L0/1", "oooooh", 0, 0, 0 },
	{ "or after", "elastic:32", 1, 2, WS_WRITE_BACK, 0, WS_CHUNK_INVALID_LAST,
	  "L0/1 L1/1 L2/1 L3/1 L4/1 L0/1", "ooooof", 0, 0, 0 },
	{ "the oldest of any line", "elastic:64", 1, 2, WS_WRITE_BACK, WS_CHUNK_ANY, 0,
	  /* line 0: 0 1, line 1: 2 3; 0 is used: 1 is the oldest, of the newest line */
	  "L0/3 L1/3 L2/3 L3/3 L0/3 L4/3 L1/3", "oooohoa", 0, 0, 0 },
	{ "the oldest of the oldest line", "elastic:64", 1, 2, WS_WRITE_BACK, WS_CHUNK_OLDEST, 0,
	  "L0/3 L1/3 L2/3 L3/3 L0/3 L4/3 L1/3 L2/3", "oooohoha", 0, 0, 0 },
	{ "the oldest of the newest line", "elastic:64", 1, 2, WS_WRITE_BACK, WS_CHUNK_NEWEST, 0,
	  /* that of 2 and 3, and there 2: its neighbours have been used since */
	  "L0/3 L1/3 L2/3 L3/3 L4/3 L2/3 L0/3", "ooooofh", 0, 0, 0 },
	{ "write-through stores use what is there", "elastic:32", 1, 1, WS_WRITE_THROUGH, 0, 0,
	  "L0/1 L1/1 L2/1 L3/1 S0/3 L4/1 L0/1 L1/1", "oooouoha", 0, 0, 0 },
	{ "write-evict stores throw the block out", "elastic:64", 1, 1, WS_WRITE_EVICT, 0, 0,
	  "L0/f S0/1 L0/4 L0/2", "ohhu", 0, 0, 0 },
	{ "dirty words are written back once", "elastic:32", 1, 1, WS_WRITE_BACK, 0, 0,
	  "S0/1 S1/1 L1/1 L2 L3", "oohoo", 0, 0, 2 },
	{ "decoupled: two lines' sectors in one way", "decoupled:2", 1, 1, WS_WRITE_BACK, 0, 0,
	  "L0/1 L1/2 L0/1 L1/2 L1/1 L0/1", "oohhof", 1, 0, 0 },
	{ "no more lines than tags", "decoupled:2", 1, 1, WS_WRITE_BACK, 0, 0,
	  "L0/1 L1/2 L2/4 L1/2 L0/1", "ooohf", 0, 0, 0 },
	{ "one tag a line: sectors of one line", "decoupled:1", 1, 1, WS_WRITE_BACK, 0, 0,
	  "S0/1 L0/2 L0/3 L1/4 L0/1", "oohof", 1, 0, 1 },
	{ "a tag without words is free", "decoupled:2", 1, 2, WS_WRITE_EVICT, 0, 0,
	  "L0/1 L1/1 L2/1 L3/2 S3/2 L4/4 L2/1 L1/1", "oooohohh", 0, 0, 0 },
};

static void play(const struct scenario *s)
{
	struct ws_cache c = cache_words(s->organisation, s->sets, s->ways);
	const char *at = s->stream;
	struct ws_grain_stats n;
	char found[64] = "";
	struct ws_grain *g;
	struct ws_request r;

	c.write = s->write;
	c.chunk_victim = s->victim;
	c.chunk_invalid = s->invalid;
	if (ws_grain_new(&g, &c, NULL))
		abort();
	for (size_t i = 0; *at && i + 1 < sizeof found; i++) {
		at = token(at, &r);
		found[i] = ask(g, &r);
	}
	ws_grain_stats(g, &n);
	test_ok(strcmp(found, s->outcome) == 0 && n.partial == s->partial &&
		n.invalidated == s->invalidated && n.written_back == s->written_back,
		"%s: %s want %s; %" PRIu64 " partial, %" PRIu64 " thrown, %" PRIu64 " back",
		s->what,
		found, s->outcome, n.partial, n.invalidated, n.written_back);
	ws_grain_free(g);
}

/* ---- decisions ---------------------------------------------------------------------------- */

static void decisions(void)
{
	static const struct {
		uint64_t misses, of32, of64;
		unsigned grain, want, choose;
	} rows[] = { /* of 100 requests, threshold 50 */
		{ 50, 100, 0, 4, 4, 4 }, { 51, 51, 0, 4, 1, 1 }, { 51, 50, 0, 4, 4, 4 },
		{ 51, 26, 26, 4, 2, 2 }, { 51, 27, 26, 4, 1, 1 }, { 100, 0, 50, 1, 4, 4 },
		{ 100, 0, 50, 2, 4, 4 }, { 100, 0, 51, 1, 1, 2 }, { 100, 51, 0, 2, 2, 1 },
		{ 0, 0, 0, 1, 1, 1 }, { 50, 0, 0, 2, 2, 2 },
	};

	for (size_t i = 0; i < WS_COUNT(rows); i++) {
		struct ws_grain_window w = {
			.requests = 100, .misses = rows[i].misses,
			.size = { rows[i].of32, rows[i].of64, 100 - rows[i].of32 - rows[i].of64 },
		};

		test_ok(ws_grain_decide(&w, rows[i].grain, 50, WS_GRAIN_KEEP) == rows[i].want &&
			ws_grain_decide(&w, rows[i].grain, 50, WS_GRAIN_CHOOSE) == rows[i].choose,
			"Figure 7: %d %% misses, %d of 32 B, %d of 64 B under %u words",
			(int)rows[i].misses, (int)rows[i].of32, (int)rows[i].of64, rows[i].grain);
	}
}

/* A period of 4: four misses of 32 B make the grain 32 B and keep the cache, four of 128 B make it
 * 128 B again and flush it, but for what is to be retained. */
static void grain_changes(bool retain)
{
	static const char *const stream =
		"L0/1 L1/1 L2/1 L3/1 L0/2 L1/2 L2/2 L3/2 "   /* then 32 B; all lines are there */
		"L4/1 L5/1 L6/1 L7 L8 L9 L10 L11 L11 L8 L4/1";
	struct ws_cache c = cache_words("dycache:50", 4, 4);
	struct ws_grain_stats n;
	char found[32] = "";
	const char *at = stream, *want = retain ? "oooohhhhoooooooohhh" : "oooohhhhooooooooffh";
	struct ws_request r;
	struct ws_grain *g;
	unsigned after4 = 0, after16 = 0;

	c.grain_period = 4;
	c.grain_retain = retain;
	if (ws_grain_new(&g, &c, NULL))
		abort();
	for (size_t i = 0; *at; i++) {
		at = token(at, &r);
		found[i] = ask(g, &r);
		after4 = i == 3 ? ws_grain_now(g) : after4;
		after16 = i == 15 ? ws_grain_now(g) : after16;
	}
	ws_grain_stats(g, &n);
	/* L4/1 was fetched under 32 B, alone in its line's first place: not retained. */
	test_ok(after4 == 32 && after16 == 128 && n.finer == 1 && n.coarser == 1,
		"32 B after 4 requests (%u), 128 B after 16 (%u)", after4, after16);
	test_ok(strncmp(found, want, 18) == 0 && found[18] == 'f', "%s: %s want %.18sf",
		retain ? "retained" : "flushed", found, want);
	test_ok(retain ? n.flushed == 3 : n.flushed == 9 * 4 + 3, "words flushed: %" PRIu64,
		n.flushed);
	ws_grain_flush(g);
	test_u64(ws_grain_now(g), 128, "a flush begins anew");
	test_ok(ask(g, &r) == 'o', "and empty");
	ws_grain_free(g);
}

static void periods(void)
{
	struct ws_cache c = cache_words("dycache:50", 4, 4);
	struct ws_grain_control k;
	uint64_t taken[16] = { 0 };
	unsigned n = 0;

	c.grain_period = 10;
	c.grain_period_max = 35;
	ws_grain_start(&k, &c);
	/* Misses of 32 B while the grain is 128 B, of 128 B else: every decision changes it. */
	for (unsigned i = 0; i < 1000 && n < 8; i++) {
		taken[n]++;
		n += ws_grain_take(&k, k.grain == 4 ? 0 : 2, true);
	}
	test_ok(taken[0] == 10 && taken[1] == 10 && taken[2] == 20 && taken[3] == 20 &&
		taken[4] == 35 && taken[5] == 35 && taken[6] == 35, "back and forth: 10 10 20 20 "
		"35 35");
	for (unsigned i = 0; i < 8 * 35; i++)
		ws_grain_take(&k, 0, false);
	test_u64(k.period, 17, "eight calm decisions halve it");
	for (unsigned i = 0; i < 8 * 17; i++)
		ws_grain_take(&k, 0, false);
	test_u64(k.period, 10, "down to the first");
	for (unsigned i = 0; i < 8 * 17; i++)
		ws_grain_take(&k, 0, false);
	test_u64(k.period, 10, "and no further");
}

/* ---- random ------------------------------------------------------------------------------- */

static void random_cache(struct ws_cache *c, struct ws_rng *rng)
{
	static const char *const names[] = { "elastic:32", "elastic:64", "dycache:0", "dycache:25",
					     "dycache:50", "dycache:75", "decoupled:1",
					     "decoupled:2", "decoupled:5" };
	static const char *const hashes[] = { "modulo", "xor", "ipoly" };
	uint64_t sets = 1u << ws_rng_below(rng, 4);

	*c = cache_words(names[ws_rng_below(rng, WS_COUNT(names))], sets, 1 + ws_rng_below(rng, 5));
	c->hash = ws_hash_find(hashes[ws_rng_below(rng, 3)]);
	if (ws_rng_below(rng, 5) == 0) {
		c->sets = 3;
		c->hash = ws_hash_find("modulo");
	}
	c->write = (enum ws_write)ws_rng_below(rng, 4);
	c->chunk_tag_bits = ws_rng_below(rng, 2) ? 16 : 2 + ws_rng_below(rng, 5);
	c->chunk_victim = (enum ws_chunk_victim)ws_rng_below(rng, 3);
	c->chunk_invalid = (enum ws_chunk_invalid)ws_rng_below(rng, 2);
	c->grain_period = 1 + ws_rng_below(rng, 40);
	c->grain_period_max = ws_rng_below(rng, 2) * 120;
	c->grain_retain = ws_rng_below(rng, 2);
	c->grain_fine = (enum ws_grain_fine)ws_rng_below(rng, 2);
	if (c->organised.as == WS_DECOUPLED)
		c->line_bytes = 32u << ws_rng_below(rng, 6);
	c->size_bytes = c->sets * c->ways * c->line_bytes;
}

/* Requests whose sizes go in phases: mostly 32 B, mostly 64 B, mostly whole lines. */
static void random_sizes(struct ws_request *r, size_t count, struct ws_rng *rng)
{
	for (size_t i = 0; i < count; i++) {
		unsigned words = 1u << ((i / 100 + (ws_rng_below(rng, 4) == 0)) % 3);
		unsigned first = (unsigned)ws_rng_below(rng, 4) / words * words;

		if (r[i].kind == WS_ATOMIC)
			r[i].kind = WS_LOAD;
		if (ws_rng_below(rng, 8))
			r[i].sectors = ((1u << words) - 1) << first;
	}
}

static bool stats_same(const struct ws_grain *g, const struct ref_grain *slow)
{
	struct ref_grain_stats b = ref_grain_stats(slow);
	struct ws_grain_stats a;

	ws_grain_stats(g, &a);
	return a.partial == b.partial && a.invalidated == b.invalidated &&
	       a.written_back == b.written_back && a.finer + a.coarser == b.changes &&
	       a.flushed == b.flushed && ws_grain_now(g) == ref_grain_now(slow);
}

static bool same_as_slow(struct ws_rng *rng, unsigned shape, uint64_t seen[4])
{
	struct ws_request r[600];
	struct ref_grain *slow;
	struct ws_grain_stats n;
	struct ws_cache c;
	struct ws_grain *g;
	char a = 'h', b = 'h';
	bool ok = true;
	size_t i;

	random_cache(&c, rng);
	stream_random(r, WS_COUNT(r), &c, 8 + ws_rng_below(rng, 80), shape, rng);
	if (c.organised.as != WS_DECOUPLED)
		random_sizes(r, WS_COUNT(r), rng);
	if (ws_grain_new(&g, &c, NULL))
		abort();
	slow = ref_grain_new(&c);
	for (i = 0; i < WS_COUNT(r) && ok; i++) {
		if (r[i].kind == WS_ATOMIC)
			continue;
		if (i == 450) {
			ws_grain_flush(g);
			ref_grain_flush(slow);
		}
		a = ask(g, &r[i]);
		b = ref_grain_request(slow, &r[i]);
		ok = a == b && stats_same(g, slow);
	}
	ws_grain_stats(g, &n);
	seen[0] += n.partial;
	seen[1] += n.finer;
	seen[2] += n.coarser;
	seen[3] += n.written_back;
	if (!ok)
		printf("# request %zu: %c want %c; %s:%u, %u sets of %u, write %d\n", i, a, b,
		       ws_organisation_of(&c)->name, c.organised.parameter,
		       (unsigned)c.sets, (unsigned)c.ways, (int)c.write);
	ws_grain_free(g);
	ref_grain_free(slow);
	return ok;
}

static void random_streams(void)
{
	struct ws_rng rng;
	uint64_t seen[4] = { 0 };
	unsigned bad = 0, runs = 400;

	ws_rng_seed(&rng, test_seed(20260));
	for (unsigned i = 0; i < runs; i++)
		bad += !same_as_slow(&rng, i % 6, seen);
	test_ok(bad == 0, "%u random streams as the slow cache has them, %u not", runs, bad);
	test_ok(seen[0] > 1000 && seen[1] > 100 && seen[2] > 100 && seen[3] > 1000,
		"with partial hits, changes of grain and dirty words");
}

/* One tag a line is a sector cache, whose simulator is another. */
static void as_sectors(void)
{
	struct ws_counts a[WS_KINDS + 1], b[WS_KINDS + 1];
	struct ws_request r[800];
	struct ws_rng rng;
	unsigned bad = 0;

	ws_rng_seed(&rng, test_seed(7));
	for (unsigned i = 0; i < 100; i++) {
		struct ws_cache c = cache_words("decoupled:1", 1u << i % 3, 1 + i % 4), s = c;
		struct ws_sim *one, *other;

		c.write = s.write = (enum ws_write)(i % 4);
		s.organised = (struct ws_organised){ .as = WS_SECTORS };
		stream_random(r, WS_COUNT(r), &c, 40, i % 6, &rng);
		if (ws_sim_new(&one, &c, NULL) || ws_sim_new(&other, &s, NULL) ||
		    ws_sim_push(one, r, WS_COUNT(r), NULL) ||
		    ws_sim_push(other, r, WS_COUNT(r), NULL))
			abort();
		ws_sim_counts(one, a);
		ws_sim_counts(other, b);
		for (unsigned k = 0; k < WS_KINDS; k++)
			bad += a[k].requests != b[k].requests || a[k].hits != b[k].hits ||
			       (c.write == WS_WRITE_BACK && a[k].cold != b[k].cold);
		ws_sim_free(one);
		ws_sim_free(other);
	}
	test_u64(bad, 0, "one tag a line: the hits of a sector cache");
}

int main(void)
{
	split();
	masks();
	figure6();
	for (size_t i = 0; i < WS_COUNT(scenarios); i++)
		play(&scenarios[i]);
	decisions();
	grain_changes(false);
	grain_changes(true);
	periods();
	random_streams();
	as_sectors();
	return test_done();
}
