/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/model/t-policy.c -- every policy of the table: complete, its names as they
 * should be, and its hooks give the known answers below, worked by hand.  A policy may be without
 * one; none is without a rule in tests/ref/policy.c (tests/validate/t-policies.c).
 */
#include "tests/test.h"

#include "model/model.h"

#define WAYS_MAX 130u
#define SETS_MAX 20u

/* Lines are letters; line L is of set (L - 'A') % sets.  A capital asks for its line; a
 * small letter throws its line out, as a write-evict store does; . is an access to set 0 that
 * finds nothing and fetches nothing; a digit is the instruction that asks from here on.  hits: +
 * hit,
 * - miss, . neither.  In the comments a digit
 * is the policy's value of the line, and draws are those of the seed. */
static const struct known {
	const char *policy;
	unsigned ways, sets;
	uint64_t seed;
	const char *stream, *hits;
} known[] = {
	/* fill A B C; A again; D puts out B (oldest), so A and C stay, B misses and
	 * puts out the oldest of D, A, C, which is D. */
	{ "lru", 3, 1, 1, "ABCADACBD", "---+-++--" },
	{ "lru", 1, 1, 1, "AABA", "-+--" },

	/* D puts out A, just used, A puts out B, B puts out C; D is still there; C puts it out. */
	{ "fifo", 3, 1, 1, "ABCADABDC", "---+---+-" },
	/* B is thrown out; D takes its way, and is the youngest: E puts out A, F C, G D. */
	{ "fifo", 3, 1, 1, "ABCbDEFDGD", "---.---+--" },

	/* Draws of 0..2: 2 0 2 0 0.  D puts out C (way 2), C puts out A (0), A puts out D (2),
	 * D puts out C (0), C puts out D (0). */
	{ "random", 3, 1, 4, "ABCDCABDACB", "------+-+-+" },

	/* Nodes: 1 over ways 0 1 | 2 3, 2 over 0 | 1, 3 over 2 | 3.  Filled in order, all point
	 * left.  A turns 1 and 2 right; E: right, left: C's way, node 1 left; B turns 2 left and 1
	 * right; C: right, right: D's; D: left, left: A's; A: right, left: E's. */
	{ "plru", 4, 1, 1, "ABCDAEBCDA", "----+-+---" },
	/* Three pairs, the least recently used one is taken.  Filled: pairs last used at 2, 4, 6,
	 * all bits lower.  G puts out A (0); 7, upper.  A: C (2); 8, upper.  B: 9, lower.  C: E
	 * (4); 10, upper.  E: pair 1's upper, D (3); 11, lower.  F: 12.  D: G (0).  G: A (2). */
	{ "plru", 6, 1, 1, "ABCDEFGABCEFDGB", "--------+--+--+" },
	/* An odd number of ways: trees of one leaf, so LRU. */
	{ "plru", 3, 1, 1, "ABCDABDCAB", "------+---" },
	{ "plru", 5, 1, 1, "ABCDEFAEBDFACE", "-------+-+++--" },
	{ "plru", 1, 1, 1, "AABA", "-+--" },

	/* D: none is 1, so all become it, A goes: D0 B1 C1.  A puts out B: D0 A0 C1.  C0.  B: none
	 * again, D goes: B0 A1 C1.  C0.  D puts out A.  A: none again, B goes. */
	{ "nru", 3, 1, 1, "ABCDACBCDA", "-----+-+--" },

	/* A2 B2 C2, A0.  D: + 1, A1 B3 C3, B goes, D2.  B: C goes, B2.  A0.  C: + 1, A1 D3 B3, D
	 * goes, C2.  B0.  D: + 1, A1 C3 B1, C goes, D2.  A is there. */
	{ "srrip", 3, 1, 1, "ABCADBACBDA", "---+--+-+-+" },
	/* One bit is nru. */
	{ "srrip:1", 3, 1, 1, "ABCDACBCDA", "-----+-+--" },
	/* A0, then each miss finds the other line at 6 and adds 1: after C to H, A6. */
	{ "srrip:3", 2, 1, 1, "AABCDEFGHA", "-+-------+" },
	/* ... and at the next A7 I7: the lower way goes, A's. */
	{ "srrip:3", 2, 1, 1, "AABCDEFGHIA", "-+---------" },
	/* A2 A1 B2.  C: + 1, A2 B3, B goes, C2.  D: + 1, A3 C3, A goes.  A: D2 C3, C goes. */
	{ "srrip:2,fp", 2, 1, 1, "AABCDA", "-+----" },
	/* A2 A1 A0 A0 B2.  C: A1.  D: A2.  A is there. */
	{ "srrip:2,fp", 2, 1, 1, "AAAABCDA", "-+++---+" },
	/* C0.  The way B left is filled with D2.  E: + 1, A3 D3 C1, A goes, E2.  F: D goes, F2.
	 * C0 E0.  D: + 1, F goes. */
	{ "srrip", 3, 1, 1, "ABCCbDEFCED", "---+.---++-" },

	/* All inserted as srrip does. */
	{ "brrip:1", 3, 1, 1, "ABCADBACBDA", "---+--+-+-+" },
	/* A3 B3 C3, A0.  D puts out B, and B D, C0, D puts out B: A and C never grow. */
	{ "brrip:0", 3, 1, 1, "ABCADBCDA", "---+--+-+" },
	/* Of the draws the fourth alone is below 1/32.  D puts out A: D2 B3 C3.  E puts out B, F
	 * puts out E.  D0, C0.  B puts out F. */
	{ "brrip", 3, 1, 36, "ABCDEFDCB", "------++-" },

	/* One set leads for srrip. */
	{ "drrip", 3, 1, 1, "ABCADBACBDA", "---+--+-+-+" },
	/* Set 0 leads for srrip (A E I), set 2 for brrip (C), 1 and 3 follow (B F J N R are of
	 * 1).  No draw is below 1/32.  The counter, of one bit, is 1: B3 F3.  J, then B take way
	 * 0; F0.  C: 0.  J2 F0.  B: + 1, J goes, B2 F1.  J: + 1, J2 F2.  N: + 1, J goes, N2 F3.  B
	 * puts out F. */
	{ "drrip:1", 2, 4, 1, "BFJBFCJBJNBF", "----+-------" },
	/* The last F: + 1, N goes, F2 B3.  A: 1.  J puts out B, N J, R N, all at 3: F stays. */
	{ "drrip:1", 2, 4, 1, "BFJBFCJBJNBFAJNRF", "----+-----------+" },
	/* The counter, of two bits: 2, then A E I: 3 3 3, C G: 2 1: set 1 follows srrip.  B2 F2
	 * F0.  J puts out B: J2 F1.  N: N2 F2.  R: N3 F3, N goes: R2 F3.  B puts out F. */
	{ "drrip:2", 2, 4, 1, "AEICGBFFJNRBF", "-------+-----" },
	/* C G K: 1 0 0: srrip. */
	{ "drrip:2", 2, 4, 1, "CGKBFFJNRBF", "-----+-----" },
	/* C G K: 1 0 0, A E: 1 2: brrip.  B3 F0; J N R B take way 0. */
	{ "drrip:2", 2, 4, 1, "CGKAEBFFJNRBF", "-------+----+" },

	/* A1 B1 C1: D puts out A, of equals the least recent.  A puts out D0.  B2 C2.  D puts out
	 * A0. */
	{ "lfu", 3, 1, 1, "ABCABCDABCD", "---+++--++-" },
	/* A2 B1 C0: D puts out C, C puts out D. */
	{ "lfu", 3, 1, 1, "AAABBCDCAB", "-++-+---++" },
	/* A2 is thrown out: B0 in its way, C0, C1: D puts out B. */
	{ "lfu", 2, 1, 1, "AAAaBCCDB", "-++.--+--" },

	/* A count is 1 at most, and 0 at the next access: lru. */
	{ "lfu-age:1", 3, 1, 1, "ABCADACBD", "---+-++--" },
	/* A0 A1 A2, at the 4th access halved, then A2.  B0; C to H put out one another; A is halved
	 * at the 8th and at the 12th, when it hits. */
	{ "lfu-age:4", 2, 1, 1, "AAAABCDEFGHA", "-+++-------+" },
	/* H at the 12th: A0, used at the 4th, goes before I0, used at the 11th. */
	{ "lfu-age:4", 2, 1, 1, "AAAABCDEFGIHA", "-+++---------" },
	/* Accesses that find nothing count.  At the 12th A0, older than B0: C puts it out. */
	{ "lfu-age:4", 2, 1, 1, "AAAAB......CA", "-+++-......--" },
	{ "lfu-age:4", 2, 1, 1, "AAAAB.....CA", "-+++-.....-+" },
	/* Rounded down: A3 is A1 at the 5th.  B0 B1.  C puts out A, the older; A puts out C0. */
	{ "lfu-age:5", 2, 1, 1, "AAAABBCA", "-+++-+--" },
	/* A0 B1 C1: D puts out A.  At the 8th all are 0, and the least recent go: A puts out B,
	 * B C, C D. */
	{ "lfu-age:4", 3, 1, 1, "ABBBCCDABC", "--++-+----" },
	{ "lfu-age:100", 3, 1, 1, "ABBBCCDABC", "--++-+--++" }, /* A0 B2 C1, then A puts out D */
	/* By default nothing is halved before the 32nd. */
	{ "lfu-age", 3, 1, 1, "ABCABCDABCD", "---+++--++-" },
	{ "lfu-age:1", 2, 1, 1, "AAAABCA", "-+++---" },
	{ "lfu-kumar", 3, 1, 1, "ABCADACBD", "---+-++--" },
	{ "lfu-kumar", 2, 1, 1, "AAAABCA", "-+++---" },

	/* A1 B0 C0: D puts out A.  B1.  A puts out B: A0 C0 D0.  E puts out C, of equals the
	 * least recent, C D, D A. */
	{ "mfu", 3, 1, 1, "ABCADBAECD", "---+-+----" },

	/* All inserted as lru does. */
	{ "bip:1", 3, 1, 1, "ABCADACBD", "---+-++--" },
	/* Each below those before: D puts out C, C puts out D.  B and A go up; D puts out C. */
	{ "bip:0", 3, 1, 1, "ABCADCBADC", "---+--++--" },
	/* Of the draws the fourth alone is below 1/32: D puts out C and is the most recent; E puts
	 * out B, the lower of A and B, F E, B F. */
	{ "bip", 3, 1, 36, "ABCDEFDAB", "------++-" },

	{ "dip", 3, 1, 1, "ABCADACBD", "---+-++--" },
	/* Leaders and the counter as drrip:1 above.  1: F is put below B; J puts it out; B is the
	 * most recent; F puts out J.  C: 0.  J puts out F, the lower; N B, the older; B J; A: 1.
	 * R puts out N, V R; B is there. */
	{ "dip:1", 2, 4, 1, "BFJBFCJNBARVB", "---+--------+" },
	{ "dip:2", 2, 4, 1, "AEICGBFBJNB", "-------+---" }, /* 1: lru */
	{ "dip:2", 2, 4, 1, "CGKAEBFBJNB", "-------+--+" }, /* 2: bip */

	/* D puts out C (asked for next as the 10th), E D (11th), C A and D C, of those never asked
	 * for again the lowest way: 7 misses, the least there can be. */
	{ "opt", 3, 1, 1, "ABCDABEABCDE", "----++-++--+" },

	/* All are 1: D clears them and puts out A: D1 B0 C0, the hand at B.  A puts out B.  C1.  B
	 * clears C D A and puts out C: B1, the hand at D0.  D1.  C clears D and puts out A, A
	 * clears B and puts out D. */
	{ "clock", 3, 1, 1, "ABCADACBDCAD", "---+--+-+---" },

	/* D takes way 1, so does B. */
	{ "prob:0,1,0", 3, 1, 1, "ABCDACB", "----++-" },
	{ "prob:0,0,1", 3, 1, 1, "ABCDABC", "----++-" },
	/* Draws: .102 .726 .184 .748 .686 .236 .647, so ways 0 2 1 2 2 1 1: below 1/6, 4/6, 5/6.  E
	 * puts out A, F C, G B, H F, I H, J G, G J. */
	{ "prob:1/6,1/2,1/6,1/6", 4, 1, 2, "ABCDEFGDHIEGJDEIG", "-------+--++-+++-" },
	{ "prob:2,6.0,2,2", 4, 1, 2, "ABCDEFGDHIEGJDEIG", "-------+--++-+++-" },

	/* Values to 7.  A2 B2 C2, A0.  D: B goes, the others + 5: A5 C7, D2.  B: C goes, B2.  A0.
	 * C: D goes, + 5: A5 B7, C2.  D: B goes, D2.  E: A goes, + 2: C4 D4, E2.  A: C goes, + 3:
	 * E5 D7, A2. */
	{ "srrip-kumar", 3, 1, 1, "ABCADBACDEAE", "---+--+----+" },
	{ "srrip-kumar", 1, 1, 1, "AABA", "-+--" },
	{ "brrip-kumar:1", 3, 1, 1, "ABCADBACDEAE", "---+--+----+" },
	/* A4 B4 C4, A0.  D: B goes, + 3: A3 C7, D4.  B: C goes, B4.  A0.  C: D goes, + 3: A3 B7,
	 * C4.  D: B goes, D4.  E: C goes, + 3: A6 D7, E4. */
	{ "brrip-kumar:0", 3, 1, 1, "ABCADBACDEA", "---+--+---+" },
	/* The fourth draw alone: D puts out A, + 3: D2 B7 C7.  E puts out B, F C: D2 E4 F4.  B: E
	 * goes, + 3: D5 F7. */
	{ "brrip-kumar:1/32", 3, 1, 36, "ABCDEFBFD", "-------++" },
	{ "brrip-kumar", 1, 1, 1, "AABA", "-+--" },
};

/* ---- a cache around the hooks --------------------------------------------------- */

struct cache {
	struct ws_use use;
	unsigned ways;
	uint64_t sets, clock[SETS_MAX];
	uint32_t instruction;	/* that asks */
	struct ws_policy_state state;
	struct ws_rng rng;
	int line[SETS_MAX][WAYS_MAX]; /* 0: invalid */
};

static bool cache_begin(struct cache *c, const char *policy, unsigned ways, uint64_t sets,
			uint64_t seed)
{
	struct ws_cache shape = { .ways = ways, .sets = sets };
	struct ws_err err = { 0 };

	*c = (struct cache){ .ways = ways, .sets = sets };
	ws_rng_seed(&c->rng, seed);
	if (ws_use_parse(&c->use, policy, &err))
		return test_ok(false, "%s", err.text);
	if (c->use.policy->check && c->use.policy->check(&c->use, &shape, &err))
		return test_ok(false, "%s", err.text);
	if (ws_policy_state_new(&c->state, c->use.policy, sets, ways, &err)) {
		ws_policy_state_clear(&c->state);
		return test_ok(false, "%s", err.text);
	}
	return true;
}

static void cache_end(struct cache *c)
{
	ws_policy_state_clear(&c->state);
}

static struct ws_set cache_set(struct cache *c, uint64_t set, const struct ws_access *access)
{
	return (struct ws_set){
		.meta = c->state.meta + set * c->state.set_meta,
		.own = c->state.own + set * c->state.set_own,
		.shared = c->state.shared, .table = c->state.table, .ways = c->ways,
		.clock = c->clock[set], .index = set, .sets = c->sets, .next = UINT64_MAX,
		.access = access, .rng = &c->rng, .use = &c->use,
	};
}

/* The way of the line, else the lowest invalid one, else c->ways. */
static unsigned cache_way(const struct cache *c, uint64_t set, int line)
{
	for (unsigned way = 0; way < c->ways; way++)
		if (c->line[set][way] == line)
			return way;
	for (unsigned way = 0; way < c->ways; way++)
		if (!c->line[set][way])
			return way;
	return c->ways;
}

static unsigned cache_victim(struct cache *c, struct ws_set *view)
{
	const struct ws_policy *p = c->use.policy;
	unsigned way = p->victim(view);

	if (way >= c->ways) {
		test_ok(false, "%s throws out way %u of %u", p->name, way, c->ways);
		way = 0;
	}
	return way;
}

/* Victim and fill, which the simulators may take back, change no byte of the table. */
static void cache_fill(struct cache *c, struct ws_set *view, unsigned way, int line)
{
	const struct ws_policy *p = c->use.policy;
	uint8_t *before = ws_alloc(c->state.table_bytes, 1);
	bool same = before;

	if (before)
		memcpy(before, c->state.table, c->state.table_bytes);
	if (way == c->ways) {
		way = cache_victim(c, view);
		same = same && !memcmp(before, c->state.table, c->state.table_bytes);
		if (p->on_evict)
			p->on_evict(view, way);
		memcpy(before, c->state.table, c->state.table_bytes);
	}
	c->line[view->index][way] = line;
	if (p->on_fill)
		p->on_fill(view, way);
	if (!same || memcmp(before, c->state.table, c->state.table_bytes))
		test_ok(false, "%s: victim or on_fill changes the table", p->name);
	free(before);
}

static bool cache_access(struct cache *c, uint64_t set, int line, uint64_t next)
{
	const struct ws_access access = { .address = (uint64_t)line * 128, .sectors = 1,
					  .instruction = c->instruction, .kind = WS_LOAD };
	const struct ws_policy *p = c->use.policy;
	unsigned way = cache_way(c, set, line);
	bool hit = way < c->ways && c->line[set][way] == line;
	struct ws_set view;

	c->clock[set]++;
	view = cache_set(c, set, &access);
	view.next = next;
	if (hit && p->on_hit)
		p->on_hit(&view, way);
	if (hit)
		return true;
	if (!p->bypass || !p->bypass(&view))
		cache_fill(c, &view, way, line);
	else if (p->on_bypass)
		p->on_bypass(&view);
	return false;
}

static void cache_evict(struct cache *c, uint64_t set, int line)
{
	const struct ws_access access = { .address = (uint64_t)line * 128, .sectors = 1,
					  .instruction = c->instruction, .kind = WS_STORE };
	unsigned way = cache_way(c, set, line);
	struct ws_set view;

	c->clock[set]++;
	view = cache_set(c, set, &access);
	if (way == c->ways || c->line[set][way] != line)
		return;
	if (c->use.policy->on_evict)
		c->use.policy->on_evict(&view, way);
	c->line[set][way] = 0;
}

/* ---- known answers ----------------------------------------------------------------- */

static char step(struct cache *c, const char *at)
{
	const char *next = strchr(at + 1, at[0]);

	if (*at >= '0' && *at <= '9') {
		c->instruction = (uint32_t)(*at - '0');
		return '.';
	}
	if (*at == '.') {
		c->clock[0]++;
		return '.';
	}
	if (*at >= 'a') {
		cache_evict(c, (uint64_t)(*at - 'a') % c->sets, *at - 'a' + 'A');
		return '.';
	}
	return cache_access(c, (uint64_t)(*at - 'A') % c->sets, *at,
			    next ? (uint64_t)(next - at) + c->clock[0] : UINT64_MAX) ? '+' : '-';
}

static void answer(const struct known *k)
{
	struct cache c;
	char got[32] = "", what[64];

	if (!cache_begin(&c, k->policy, k->ways, k->sets, k->seed))
		return;
	for (size_t i = 0; k->stream[i] && i + 1 < sizeof got; i++)
		got[i] = step(&c, k->stream + i);
	snprintf(what, sizeof what, "%s, %u ways, %s", k->policy, k->ways, k->stream);
	test_str(got, k->hits, what);
	cache_end(&c);
}

/* Past 2^32 accesses to a set counts still count. */
static void late(const char *policy)
{
	const char *stream = "AABCA";
	char got[8] = "", what[64];
	struct cache c;

	if (!cache_begin(&c, policy, 2, 1, 1))
		return;
	c.clock[0] = (uint64_t)UINT32_MAX - 2;
	for (size_t i = 0; stream[i]; i++)
		got[i] = step(&c, stream + i);
	snprintf(what, sizeof what, "%s after 2^32 accesses", policy);
	test_str(got, "-+--+", what);
	cache_end(&c);
}

static void answers(const struct ws_policy *p)
{
	for (size_t i = 0; i < WS_COUNT(known); i++)
		if (ws_policy_find(known[i].policy) == p)
			answer(known + i);
}

/* ---- many ways ----------------------------------------------------------------------- */

static unsigned in_order(unsigned i, unsigned ways)
{
	return i % ways;
}

static unsigned newest(unsigned i, unsigned ways)
{
	(void)i;
	return ways - 1;
}

static unsigned lowest(unsigned i, unsigned ways)
{
	(void)i, (void)ways;
	return 0;
}

static unsigned bits_reversed(unsigned i, unsigned ways)
{
	unsigned out = 0;

	for (unsigned bit = 1; bit < ways; bit *= 2, i /= 2)
		out = 2 * out + i % 2;
	return out;
}

/* A set filled in order, and then asked for new lines only: who goes.  plru: each node is
 * passed left and right in turn, the root the fastest. */
static const struct sequence {
	const char *policy;
	unsigned ways;
	unsigned (*victim)(unsigned i, unsigned ways);
} sequences[] = {
	{ "lru", 130, in_order }, { "fifo", 130, in_order }, { "nru", 130, in_order },
	{ "nru", 64, in_order }, { "nru", 65, in_order }, { "srrip:16", 130, in_order },
	{ "lfu", 130, in_order }, { "lfu-age:3", 130, in_order }, { "mfu", 130, in_order },
	{ "plru", 128, bits_reversed }, { "bip:0", 130, newest }, { "opt", 130, lowest },
	{ "srrip-kumar", 61, in_order }, { "srrip-kumar", 62, in_order },
	{ "srrip-kumar", 130, in_order }, { "brrip-kumar:0", 130, in_order },
};

static void sequence(const struct sequence *s)
{
	static struct cache c;
	unsigned wrong = 0;

	if (!cache_begin(&c, s->policy, s->ways, 1, 1))
		return;
	for (unsigned i = 0; i < s->ways; i++)
		cache_access(&c, 0, (int)i + 1, UINT64_MAX);
	for (unsigned i = 0; i < 3 * s->ways; i++) {
		int line = (int)(s->ways + i) + 1;

		cache_access(&c, 0, line, UINT64_MAX);
		wrong += c.line[0][s->victim(i, s->ways)] != line;
	}
	test_ok(!wrong, "%s, %u ways: %u of %u victims are not those expected", s->policy, s->ways,
		wrong, 3 * s->ways);
	cache_end(&c);
}

/* ---- who leads in a duel ------------------------------------------------------------- */

/* Does a fill of the set draw?  `before`: fills of set `other` first. */
static bool draws(const char *policy, uint64_t sets, uint64_t set, uint64_t other, unsigned before)
{
	static struct cache c;
	struct ws_rng was;

	if (!cache_begin(&c, policy, 4, sets, 1))
		return false;
	for (unsigned i = 0; i < before; i++)
		cache_access(&c, other, (int)i + 1, UINT64_MAX);
	was = c.rng;
	cache_access(&c, set, 99, UINT64_MAX);
	cache_end(&c);
	return memcmp(&was, &c.rng, sizeof was) != 0;
}

/* S: never bimodal; B: always; f: as the counter says, which begins high and falls by a fill
 * of set `bimodal`. */
static void leaders(const char *policy, uint64_t sets, uint64_t bimodal, const char *want)
{
	char got[SETS_MAX + 1] = "", what[64];

	for (uint64_t set = 0; set < sets; set++) {
		bool high = draws(policy, sets, set, 0, 0);
		bool low = draws(policy, sets, set, bimodal, bimodal ? 1 : 0);

		got[set] = low ? 'B' : high ? 'f' : 'S';
	}
	snprintf(what, sizeof what, "%s, %u sets: leaders", policy, (unsigned)sets);
	test_str(got, want, what);
}

static void duels(const char *policy)
{
	leaders(policy, 1, 0, "S");
	leaders(policy, 2, 1, "SB");
	leaders(policy, 3, 1, "SBS");
	leaders(policy, 4, 2, "SfBf");
	leaders(policy, 15, 2, "SfBfSfBfSfBfSfB");
	leaders(policy, 16, 4, "SfffBfffSfffBfff");
	leaders(policy, 20, 12, "SfffBfffSfffBfffSfff");
}

/* ---- the table ----------------------------------------------------------------------- */

static void complete(const struct ws_policy *p)
{
	test_ok(p->name && p->name[0] && strlen(p->name) < WS_NAME_MAX &&
		strspn(p->name, "abcdefghijklmnopqrstuvwxyz0123456789-") == strlen(p->name),
		"name \"%s\"", p->name);
	test_ok(p->summary && p->summary[0] && !strchr(p->summary, '\n'), "%s: summary", p->name);
	test_ok(p->source && p->source[0], "%s: source", p->name);
	test_ok(!p->params == !p->parse, "%s: says which parameters it takes", p->name);
	test_ok(p->victim && p->basis == (p->predict ? WS_EXACT : WS_APPROX) &&
		!(p->predict && p->solve), "%s: its faces and basis", p->name);
	test_ok(!p->solve || p->needs, "%s: .needs says what .solve reads of a profile", p->name);
	test_ok(ws_policy_find(p->name) == p, "%s: found by its name, which is its own", p->name);
}

static void letters(void)
{
	static const char *const letter[][2] = {
		{ "L", "lru" }, { "F", "fifo" }, { "S", "srrip-kumar" }, { "B", "brrip-kumar" },
		{ "H", "lfu-kumar" },
	};

	for (size_t i = 0; i < WS_COUNT(letter); i++)
		test_ok(ws_policy_find(letter[i][0]) == ws_policy_find(letter[i][1]), "%s is %s",
			letter[i][0], letter[i][1]);
}

int main(void)
{
	size_t count = 0;

	for (; ws_policies[count]; count++) {
		complete(ws_policies[count]);
		answers(ws_policies[count]);
		for (size_t i = 0; ws_policies[count]->gpgpusim && i < count; i++)
			test_ok(ws_policies[i]->gpgpusim != ws_policies[count]->gpgpusim,
				"%s and %s: letters differ", ws_policies[i]->name,
				ws_policies[count]->name);
	}
	for (size_t i = 0; i < WS_COUNT(known); i++)
		test_ok(ws_policy_find(known[i].policy) != NULL, "\"%s\" is a policy",
			known[i].policy);
	for (size_t i = 0; i < WS_COUNT(sequences); i++)
		sequence(sequences + i);
	late("lfu");
	late("lfu-age:4294967296");
	duels("drrip");
	duels("dip");
	letters();
	test_ok(count > 0 && !ws_policy_find("") && !ws_policy_find("LRU"), "%zu policies", count);
	test_str(ws_basis_names[WS_EXACT], "exact", "basis");
	test_str(ws_basis_names[WS_SIMULATED], "simulated", "basis");
	return test_done();
}
