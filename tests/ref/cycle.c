/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/ref/cycle.c -- the machine of validate/cycle/cycle.h, cycle by cycle.
 *
 * SMs' warps and schedulers are those of order.c.  Here is the rest: one cache for L1s and slices,
 * whose look-up does what the text says in its order and, if it fails, gets a copy of the set back;
 * MSHRs in a list; queues that are arrays.  An L1 of words is grain.c's, of which there is a copy
 * to get back.  Sectors are those of 32 bytes throughout; a request asks for all of the cache's
 * sectors that it touches.
 */
#include "tests/ref/cycle.h"

#include <stdlib.h>
#include <string.h>

#include "tests/ref/grain.h"
#include "tests/ref/must.h"
#include "tests/ref/set_ways.h"
#include "validate/cycle/cycle.h"

#define SECTORS (WS_LINE_MAX / WS_SECTOR_BYTES)

/* ---- lists -------------------------------------------------------------------------- */

struct list {			/* of pointers, in order */
	void **item;
	size_t count, cap;
};

static void list_add(struct list *l, void *item)
{
	if (l->count == l->cap)
		l->item = more(l->item, l->cap = 2 * l->cap + 8, sizeof *l->item);
	l->item[l->count++] = item;
}

static void *list_take(struct list *l, size_t i)
{
	void *item = l->item[i];

	l->count--;
	memmove(&l->item[i], &l->item[i + 1], (l->count - i) * sizeof *l->item);
	return item;
}

static void list_free(struct list *l) /* and the items */
{
	for (size_t i = 0; i < l->count; i++)
		free(l->item[i]);
	free(l->item);
	*l = (struct list){ 0 };
}

/* ---- a cache: tags, states, MSHRs ----------------------------------------------------- */

enum state { INVALID, RESERVED, VALID, MODIFIED };

struct line {
	bool there;
	uint64_t address, life;	/* life: which time a line was taken into a way */
	enum state state[SECTORS];
	bool stored[SECTORS];	/* RESERVED: MODIFIED when the data comes */
};

struct waiter {
	unsigned left;		/* MSHRs that it waits for */
	void *owner;		/* a struct load, or a packet that is to be answered */
};

#define PAST UINT64_MAX

struct mshr {
	uint64_t line, life;	/* life 0: of no way (on-fill); PAST: it goes past the cache */
	struct ws_access by;	/* who began it */
	uint32_t fetch;
	unsigned pieces;	/* replies that have not come */
	uint64_t due;		/* of a slice: when the data comes */
	struct list waiter;
};

struct set {			/* all that a look-up may change */
	struct line *line;
	uint64_t *meta, *own, clock;
	unsigned ways;		/* never changes */
};

struct cache {
	struct ws_cache of;
	uint64_t sets, lives;
	struct ws_use use;
	struct ws_rng rng;
	uint64_t *shared;	/* the policy's */
	uint8_t *table;
	struct ws_access asked;	/* at hand */
	struct set *set;
	struct list mshr;	/* in the order in which they were taken */
	uint64_t piece;		/* bytes of the lines of which packets are */
	struct ref_grain *words; /* in place of sets; NULL: lines */
};

struct answer {
	enum ws_outcome outcome;
	enum ws_fail cause;
	struct mshr *mshr;	/* takes the fetch; NULL: there is none */
	uint32_t send, victim_sectors;
	uint64_t victim;
	bool waits;
	struct ref_grain_timed words; /* .gone: as victim */
};

/* Of a set, of the policy; one more, that there is one. */
static size_t meta_words(const struct cache *c)
{
	return (size_t)c->of.ways * c->use.policy->way_words + 1;
}

static size_t own_words(const struct cache *c)
{
	return c->use.policy->set_words + 1;
}

static void cache_init(struct cache *c, const struct ws_cache *of, uint64_t piece, uint64_t seed)
{
	*c = (struct cache){ .of = *of, .sets = of->sets, .piece = piece };
	if (ws_use_parse(&c->use, of->policy, NULL) != WS_OK)
		abort();
	ws_rng_seed(&c->rng, seed);
	c->shared = must(c->use.policy->cache_words + 1, sizeof *c->shared);
	c->table = must(c->use.policy->table_bytes + 1, 1);
	c->set = must((size_t)c->sets, sizeof *c->set);
	for (size_t i = 0; i < c->sets; i++) {
		c->set[i].ways = (unsigned)ref_set_ways(of, i);
		c->set[i].line = must((size_t)of->ways, sizeof *c->set[i].line);
		c->set[i].meta = must(meta_words(c), sizeof *c->set[i].meta);
		c->set[i].own = must(own_words(c), sizeof *c->set[i].own);
	}
}

static void mshr_free(struct mshr *m)
{
	free(m->waiter.item);
	free(m);
}

static void cache_flush(struct cache *c)
{
	for (size_t i = 0; i < c->sets; i++) {
		memset(c->set[i].line, 0, (size_t)c->of.ways * sizeof *c->set[i].line);
		memset(c->set[i].meta, 0, meta_words(c) * sizeof *c->set[i].meta);
		memset(c->set[i].own, 0, own_words(c) * sizeof *c->set[i].own);
		c->set[i].clock = 0;
	}
	memset(c->shared, 0, c->use.policy->cache_words * sizeof *c->shared);
	memset(c->table, 0, c->use.policy->table_bytes);
	ref_grain_free(c->words);
	c->words = c->of.organised.as < WS_DECOUPLED ? NULL : ref_grain_new(&c->of);
	while (c->mshr.count) {
		struct mshr *m = list_take(&c->mshr, 0);

		for (size_t i = 0; i < m->waiter.count; i++) {
			struct waiter *w = m->waiter.item[i];

			if (--w->left == 0)
				free(w);
		}
		mshr_free(m);
	}
}

static void cache_clear(struct cache *c)
{
	cache_flush(c);
	ref_grain_free(c->words);
	for (size_t i = 0; i < c->sets; i++) {
		free(c->set[i].line);
		free(c->set[i].meta);
		free(c->set[i].own);
	}
	free(c->shared);
	free(c->table);
	free(c->set);
	free(c->mshr.item);
}

static bool has(uint32_t sectors, unsigned s)
{
	return sectors >> s & 1;
}

/* The cache's sectors that these touch, whole. */
static uint32_t whole_sectors(const struct cache *c, uint32_t sectors)
{
	uint32_t all = 0;

	for (unsigned s = 0; s < c->of.line_bytes / 32; s++) {
		for (unsigned t = 0; t < c->of.line_bytes / 32; t++) {
			if (has(sectors, s) &&
			    s * 32 / c->of.sector_bytes == t * 32 / c->of.sector_bytes)
				all |= (uint32_t)1 << t;
		}
	}
	return all;
}

/* Those of `asked` that are in that state. */
static uint32_t in_state(const struct line *l, uint32_t asked, enum state state)
{
	uint32_t found = 0;

	for (unsigned s = 0; s < SECTORS; s++) {
		if (has(asked, s) && l->state[s] == state)
			found |= (uint32_t)1 << s;
	}
	return found;
}

static struct line *find(struct set *set, uint64_t address)
{
	for (size_t way = 0; way < set->ways; way++) {
		if (set->line[way].there && set->line[way].address == address)
			return &set->line[way];
	}
	return NULL;
}

static bool reserved(const struct line *l)
{
	return l->there && in_state(l, UINT32_MAX, RESERVED);
}

static bool all_reserved(const struct set *set)
{
	for (size_t way = 0; way < set->ways; way++) {
		if (!reserved(&set->line[way]))
			return false;
	}
	return true;
}

static struct ws_set view(struct cache *c, struct set *set)
{
	return (struct ws_set){ .meta = set->meta, .own = set->own, .shared = c->shared,
				.table = c->table, .access = &c->asked,
				.ways = set->ways, .clock = set->clock,
				.index = (uint64_t)(set - c->set), .sets = c->sets,
				.rng = &c->rng, .use = &c->use };
}

static void on_hit(struct cache *c, struct set *set, const struct line *l)
{
	struct ws_set v = view(c, set);

	if (c->use.policy->on_hit)
		c->use.policy->on_hit(&v, (unsigned)(l - set->line));
}

static void on_fill(struct cache *c, struct set *set, unsigned way)
{
	struct ws_set v = view(c, set);

	if (c->use.policy->on_fill)
		c->use.policy->on_fill(&v, way);
}

static void on_evict(struct cache *c, struct set *set, unsigned way)
{
	struct ws_set v = view(c, set);

	if (c->use.policy->on_evict)
		c->use.policy->on_evict(&v, way);
}

/* Does what is asked, whose line is not there, go past?  Then that is so. */
static bool goes_past(struct cache *c, struct set *set)
{
	struct ws_set v = view(c, set);

	if (c->asked.kind == WS_ATOMIC || !c->use.policy->bypass || !c->use.policy->bypass(&v))
		return false;
	if (c->use.policy->on_bypass)
		c->use.policy->on_bypass(&v);
	return true;
}

/* What a look-up that fails, or a question that is forgotten, must leave as it was. */
struct kept {
	struct line *line;
	uint64_t *meta, *own, clock, *shared, lives;
	uint8_t *table;
	struct ws_rng rng;
};

static struct kept keep(const struct cache *c, const struct set *set)
{
	size_t ways = (size_t)c->of.ways, words = c->use.policy->cache_words;
	size_t bytes = c->use.policy->table_bytes;
	struct kept k = { .line = must(ways, sizeof *k.line),
			  .meta = must(meta_words(c), sizeof *k.meta),
			  .own = must(own_words(c), sizeof *k.own),
			  .shared = must(words + 1, sizeof *k.shared),
			  .table = must(bytes + 1, 1),
			  .clock = set->clock, .lives = c->lives, .rng = c->rng };

	memcpy(k.line, set->line, ways * sizeof *k.line);
	memcpy(k.meta, set->meta, meta_words(c) * sizeof *k.meta);
	memcpy(k.own, set->own, own_words(c) * sizeof *k.own);
	memcpy(k.shared, c->shared, words * sizeof *k.shared);
	memcpy(k.table, c->table, bytes);
	return k;
}

static void put_back(struct cache *c, struct set *set, const struct kept *k)
{
	memcpy(set->line, k->line, (size_t)c->of.ways * sizeof *k->line);
	memcpy(set->meta, k->meta, meta_words(c) * sizeof *k->meta);
	memcpy(set->own, k->own, own_words(c) * sizeof *k->own);
	memcpy(c->shared, k->shared, c->use.policy->cache_words * sizeof *k->shared);
	memcpy(c->table, k->table, c->use.policy->table_bytes);
	set->clock = k->clock;
	c->lives = k->lives;
	c->rng = k->rng;
}

static void forget(struct kept *k)
{
	free(k->line);
	free(k->meta);
	free(k->own);
	free(k->shared);
	free(k->table);
}

static unsigned ask_victim(struct cache *c, struct set *set)
{
	struct ws_set v = view(c, set);

	return c->use.policy->victim(&v);
}

static unsigned choose_victim(struct cache *c, struct set *set)
{
	struct kept before = keep(c, set);
	unsigned way = 0, asked = 0;

	for (; asked < 2 * set->ways; asked++) {
		way = ask_victim(c, set);
		if (!reserved(&set->line[way]))
			break;
		on_fill(c, set, way);
	}
	for (unsigned w = 0; asked == 2 * set->ways && w < set->ways; w++) {
		if (!reserved(&set->line[w])) {
			way = w;
			break;
		}
	}
	put_back(c, set, &before);
	forget(&before);
	ask_victim(c, set);
	return way;
}

/* A way for the line; the one thrown out for it in *a. */
static struct line *take_way(struct cache *c, struct set *set, uint64_t address, struct answer *a)
{
	unsigned way = 0;

	while (way < set->ways && set->line[way].there)
		way++;
	if (way == set->ways) {
		way = choose_victim(c, set);
		a->victim = set->line[way].address;
		a->victim_sectors = in_state(&set->line[way], UINT32_MAX, MODIFIED);
		on_evict(c, set, way);
	}
	set->line[way] = (struct line){ .there = true, .address = address, .life = ++c->lives };
	on_fill(c, set, way);
	return &set->line[way];
}

/* A store of these sectors, or an atomic, once it is known to have them. */
static void modify(struct line *l, uint32_t sectors)
{
	for (unsigned s = 0; s < SECTORS; s++) {
		if (!has(sectors, s))
			continue;
		if (l->state[s] == RESERVED)
			l->stored[s] = true;
		else
			l->state[s] = MODIFIED;
	}
}

static unsigned pieces(const struct cache *c, uint64_t address, uint32_t sectors)
{
	uint64_t last = UINT64_MAX;
	unsigned n = 0;

	for (unsigned s = 0; s < SECTORS; s++) {
		if (has(sectors, s) && (address + 32 * s) / c->piece != last) {
			last = (address + 32 * s) / c->piece;
			n++;
		}
	}
	return n;
}

static void fail(struct answer *a, enum ws_fail cause)
{
	if (a->outcome != WS_FAILED)
		a->cause = cause;
	a->outcome = WS_FAILED;
}

/* MSHRs that fetch any of these sectors, of the line where it is or, on-fill, wherever. */
static bool fetches(const struct cache *c, const struct mshr *m, const struct line *l,
		    uint64_t address, uint32_t sectors)
{
	if (m->life == PAST)
		return false;
	if (c->of.alloc == WS_ALLOC_ON_FILL)
		return m->line == address && (m->fetch & sectors);
	return l && m->life == l->life && (m->fetch & sectors);
}

static void wait_for(struct mshr *m, struct waiter *w)
{
	list_add(&m->waiter, w);
	w->left++;
}

/* A load, or an atomic of a slice. */
static void look_up_load(struct cache *c, struct set *set, uint64_t address, uint32_t asked,
			 bool atomic, struct waiter *w, uint64_t room, struct answer *a)
{
	bool on_miss = c->of.alloc == WS_ALLOC_ON_MISS, merge_fails = false, past = false;
	struct line *l = find(set, address);
	uint32_t missing = asked, coming = 0;
	uint64_t life = 0;

	if (l)
		missing &= ~(in_state(l, asked, VALID) | in_state(l, asked, MODIFIED));
	for (size_t i = 0; i < c->mshr.count; i++) {
		const struct mshr *m = c->mshr.item[i];

		if (fetches(c, m, l, address, missing)) {
			coming |= m->fetch & missing;
			merge_fails |= m->waiter.count >= c->of.mshr_merge;
		}
	}
	a->outcome = !missing ? WS_HIT : !(missing & ~coming) ? WS_PENDING
		   : l ? WS_SECTOR_MISS : WS_MISS;
	if (missing & ~coming && !l) {
		/* On-fill a load whose line is not there counts when it comes; what goes past
		 * now. */
		set->clock += !on_miss;
		past = goes_past(c, set);
		set->clock -= !on_miss && !past;
	}
	if (missing & ~coming) {
		if (!l && !past && on_miss && all_reserved(set)) {
			fail(a, WS_FAIL_LINE);
			return;
		}
		if (!l && !past && on_miss)
			l = take_way(c, set, address, a);
		else if (l)
			on_hit(c, set, l);
		life = past ? PAST : on_miss ? l->life : 0;
		if (pieces(c, address, missing & ~coming) +
		    pieces(c, a->victim, a->victim_sectors) > room)
			fail(a, WS_FAIL_QUEUE);
		if (c->mshr.count >= c->of.mshr_entries)
			fail(a, WS_FAIL_MSHR);
	} else if (l) {
		on_hit(c, set, l);
	}
	if (merge_fails)
		fail(a, WS_FAIL_MERGE);
	if (a->outcome == WS_FAILED)
		return;
	for (size_t i = 0; i < c->mshr.count; i++) {
		if (missing & coming && fetches(c, c->mshr.item[i], l, address, missing))
			wait_for(c->mshr.item[i], w);
	}
	if (missing & ~coming) {
		a->mshr = must(1, sizeof *a->mshr);
		a->mshr->line = address;
		a->mshr->life = life;
		a->mshr->by = c->asked;
		a->mshr->fetch = missing & ~coming;
		list_add(&c->mshr, a->mshr);
		wait_for(a->mshr, w);
		for (unsigned s = 0; s < SECTORS && on_miss && !past; s++) {
			if (has(a->mshr->fetch, s))
				l->state[s] = RESERVED;
		}
	}
	if (atomic)
		modify(l, asked);
	a->waits = missing;
}

static void look_up_store(struct cache *c, struct set *set, uint64_t address, uint32_t sectors,
			  uint64_t room, struct answer *a)
{
	uint32_t asked = whole_sectors(c, sectors);
	struct line *l = find(set, address);
	bool allocates = c->of.write == WS_WRITE_THROUGH_ALLOCATE || c->of.write == WS_WRITE_BACK;
	bool past = allocates && !l && goes_past(c, set);

	allocates = allocates && !past;
	a->outcome = l && !in_state(l, asked, INVALID) && !in_state(l, asked, RESERVED) ? WS_HIT
		   : l && !in_state(l, asked, INVALID) ? WS_PENDING
		   : l ? WS_SECTOR_MISS : WS_MISS;
	a->send = c->of.write == WS_WRITE_BACK && !past ? 0 : sectors;
	if (c->of.write == WS_WRITE_EVICT && l) {
		on_evict(c, set, (unsigned)(l - set->line));
		l->there = false;
	} else if (l) {
		on_hit(c, set, l);
	} else if (allocates && all_reserved(set)) {
		fail(a, WS_FAIL_LINE);
		return;
	} else if (allocates) {
		l = take_way(c, set, address, a);
	}
	if (pieces(c, address, a->send) + pieces(c, a->victim, a->victim_sectors) > room) {
		fail(a, WS_FAIL_QUEUE);
		return;
	}
	if (c->of.write == WS_WRITE_BACK && !past)
		modify(l, asked);
	for (unsigned s = 0;
	     s < SECTORS && c->of.write == WS_WRITE_THROUGH_ALLOCATE && !past; s++) {
		if (has(asked, s) && l->state[s] == INVALID)
			l->state[s] = VALID;
	}
}

/* ---- a cache of words ---------------------------------------------------------------- */

/* Packets that MODIFIED words thrown out take: addresses are in ascending order. */
static unsigned gone_pieces(const struct cache *c, const struct ref_grain_timed *t)
{
	unsigned n = 0;

	for (size_t i = 0; i < t->gones; i++) {
		bool line = i && t->gone[i] / c->of.line_bytes == t->gone[i - 1] / c->of.line_bytes;
		bool piece = i && t->gone[i] / c->piece == t->gone[i - 1] / c->piece;

		n += !line || !piece;
	}
	return n;
}

static void check_words(const struct cache *c, const struct ws_request *r, bool fetch,
			uint64_t room, struct answer *a)
{
	const struct ref_grain_timed *t = &a->words;

	if (!t->room)
		fail(a, WS_FAIL_LINE);
	if (pieces(c, r->address, fetch ? t->block : a->send) + gone_pieces(c, t) > room)
		fail(a, WS_FAIL_QUEUE);
	if (fetch && c->mshr.count >= c->of.mshr_entries)
		fail(a, WS_FAIL_MSHR);
	for (size_t i = 0; i < t->waits && r->kind == WS_LOAD; i++) {
		if (((struct mshr *)t->wait[i])->waiter.count >= c->of.mshr_merge)
			fail(a, WS_FAIL_MERGE);
	}
}

static void look_up_words(struct cache *c, const struct ws_request *r, struct waiter *w,
			  uint64_t room, struct answer *a)
{
	bool through = r->kind == WS_STORE && c->of.write != WS_WRITE_BACK;
	struct ref_grain *before = ref_grain_copy(c->words);
	struct mshr *m = must(1, sizeof *m);
	struct ref_grain_timed *t = &a->words;
	bool fetch;

	m->line = r->address;
	ref_grain_timed(c->words, r, m, t);
	fetch = r->kind == WS_LOAD && !t->hit;
	a->outcome = !t->hit && t->there ? WS_SECTOR_MISS : !t->hit ? WS_MISS
		   : t->waits ? WS_PENDING : WS_HIT;
	a->send = through ? r->sectors : 0;
	check_words(c, r, fetch, room, a);
	if (a->outcome == WS_FAILED) {
		ref_grain_free(c->words);
		c->words = before;
		mshr_free(m);
		return;
	}
	ref_grain_free(before);
	for (size_t i = 0; i < t->waits && r->kind == WS_LOAD; i++)
		wait_for(t->wait[i], w);
	if (fetch) {
		m->fetch = t->block;
		list_add(&c->mshr, m);
		wait_for(m, w);
		a->mshr = m;
	} else {
		mshr_free(m);
	}
	a->waits = r->kind == WS_LOAD && (fetch || t->waits);
}

/* w: who waits if it has to. */
static struct answer look_up(struct cache *c, uint64_t set_index, const struct ws_access *r,
			     struct waiter *w, uint64_t room)
{
	struct set *set = &c->set[set_index];
	uint64_t address = r->address;
	uint32_t sectors = r->sectors;
	uint8_t kind = r->kind;
	struct answer a = { .waits = false };
	struct kept before = keep(c, set);

	c->asked = *r;
	set->clock += c->of.alloc == WS_ALLOC_ON_MISS || kind != WS_LOAD || find(set, address);
	if (kind == WS_STORE)
		look_up_store(c, set, address, sectors, room, &a);
	else
		look_up_load(c, set, address, whole_sectors(c, sectors), kind == WS_ATOMIC, w,
			     room, &a);
	if (a.outcome == WS_FAILED)
		put_back(c, set, &before);
	forget(&before);
	return a;
}

/* The fetch of an MSHR is here.  Those who waited are told, and it is free. */
static void fill(struct cache *c, uint64_t set_index, struct mshr *m, struct answer *a,
		 void (*served)(void *context, struct waiter *w), void *context)
{
	struct set *set = &c->set[set_index];
	struct line *l = find(set, m->line);
	size_t at = 0;

	if (c->words)
		ref_grain_arrive(c->words, m);
	if (m->life && l && l->life != m->life)
		l = NULL; /* it was thrown out, and is there for another reason */
	if (!m->life && !l && !c->words) {
		set->clock++;
		c->asked = m->by;
		l = take_way(c, set, m->line, a);
	}
	for (unsigned s = 0; s < SECTORS && l; s++) {
		if (!has(m->fetch, s) || l->state[s] == MODIFIED)
			continue;
		l->state[s] = l->stored[s] ? MODIFIED : VALID;
		l->stored[s] = false;
	}
	while (c->mshr.item[at] != m)
		at++;
	list_take(&c->mshr, at);
	for (size_t i = 0; i < m->waiter.count; i++) {
		struct waiter *w = m->waiter.item[i];

		if (--w->left == 0) {
			served(context, w);
			free(w);
		}
	}
	mshr_free(m);
}

static void count(struct ws_cycle_counts *c, const struct answer *a, uint32_t sectors)
{
	if (a->outcome == WS_FAILED) {
		c->fails[a->cause]++;
		return;
	}
	c->requests++;
	c->hits += a->outcome == WS_HIT;
	c->pending += a->outcome == WS_PENDING;
	c->misses += a->outcome == WS_MISS || a->outcome == WS_SECTOR_MISS;
	c->sector_misses += a->outcome == WS_SECTOR_MISS;
	c->sectors += ws_popcount(sectors);
}

/* ---- SMs and slices --------------------------------------------------------------------- */

struct load {			/* a warp's load or atomic, on its way */
	uint64_t issued, latest, *back;
	size_t left;		/* requests whose data is not known to be back */
	bool store;		/* it is a store that is to be acknowledged */
};

struct fetch {			/* what a reply answers */
	struct mshr *mshr;	/* of the L1; NULL: an atomic */
	struct cache *l1;
	struct load *load;	/* the atomic's */
	unsigned pieces;	/* replies that have not come */
	size_t number;		/* in the stream, of the request that began it */
};

struct packet {
	uint64_t arrival, address, ready, number; /* number: of those that the slice accepted */
	uint32_t sectors, instruction, cta;
	uint16_t warp;
	size_t sm;
	uint8_t kind;
	struct fetch *fetch;	/* NULL: no reply is wanted */
	unsigned missed;	/* TLBs */
};

struct known_page {		/* in a TLB; used 0: none */
	uint64_t page, used;
};

struct tlb {			/* one level of an L1's */
	struct known_page *entry; /* of each set as many as there are in all */
	uint64_t clock;
};

struct op {			/* a memory op in the LSU */
	struct ws_request *request;
	size_t requests, next;	/* next: the first not accepted */
	struct load *load;	/* NULL: a store that nobody waits for */
};

struct sm {
	struct cache *l1;	/* [l1.parts] */
	struct tlb (*tlb)[2];	/* likewise */
	struct list walking;	/* packets that are being translated until .ready */
	struct list op;		/* whose turn it is, first */
	uint64_t issued;	/* the last cycle in which one came, + 1 */
	struct load *load;	/* of the request at hand */
	struct list to_l2, replies, credit; /* credit: their arrivals */
	uint64_t sending, receiving;	/* the ports are busy before */
	uint64_t credits;
	struct ws_core_stats *stats;
};

struct slice {
	struct cache l2;
	struct list queue, ready, served; /* served: by the fills of this cycle */
	uint64_t sending, accepted, looking; /* busy with look-ups before */
	struct ws_slice_stats *stats;
};

struct ref_gpu {
	struct ws_machine m;
	struct sm *sm;
	struct slice *slice;
	uint64_t *channel;	/* from when on it is free, in 1 / dram.bandwidth cycles */
	uint64_t *row, *last;	/* of each: open, + 1; when its last data come */
	uint64_t channels, seed;
	struct list fetches, loads; /* all of this launch, to be freed */
	const struct ws_launch *launch;
	struct ws_cycle_site *site; /* [instruction][array, and one for none] */
	struct ref_stream *stream;
	uint64_t cycle;
	struct sm *at_sm;	/* that is being served, */
	struct slice *at_slice;
};

static uint32_t array_at(const struct ws_launch *l, uint32_t instruction, uint64_t address)
{
	if (l->instruction[instruction].array != WS_NO_ARRAY)
		return l->instruction[instruction].array;
	for (uint32_t i = 0; i < l->arrays; i++) {
		if (address >= l->array[i].base && address - l->array[i].base < l->array[i].bytes)
			return i;
	}
	return WS_NO_ARRAY;
}

/* Where requests of that instruction at that address are counted; a spare one for lines thrown
 * out. */
static struct ws_cycle_site *site(struct ref_gpu *g, uint32_t instruction, uint64_t address)
{
	const struct ws_launch *l = g->launch;
	size_t row = l->arrays + 1, array;

	if (instruction == UINT32_MAX)
		return &g->site[l->instructions * row];
	array = array_at(l, instruction, address);
	return &g->site[instruction * row + (array == WS_NO_ARRAY ? l->arrays : array)];
}

static uint64_t first_sector(uint64_t line, uint32_t sectors)
{
	for (; !has(sectors, 0); sectors >>= 1)
		line += 32;
	return line;
}

static uint64_t size_of(uint32_t sectors)
{
	return WS_HEADER_BYTES + 32 * ws_popcount(sectors);
}

static uint64_t port_cycles(const struct ref_gpu *g, uint64_t bytes)
{
	return bytes / g->m.icnt_width + (bytes % g->m.icnt_width != 0);
}

/* ---- an SM: receive --------------------------------------------------------------------- */

static void request_back(struct load *l, uint64_t back)
{
	l->latest = back > l->latest ? back : l->latest;
	if (--l->left == 0)
		*l->back = l->latest;
}

static void load_done(struct ref_gpu *g, struct sm *sm, const struct load *l)
{
	uint64_t cycles = l->latest - l->issued;

	if (l->left)
		return;
	sm->stats->loads++;
	sm->stats->latency_sum += cycles;
	if (sm->stats->latency_max < cycles)
		sm->stats->latency_max = cycles;
	sm->stats->latency[ws_cell((uint32_t)cycles, WS_LATENCY_BITS)]++;
	(void)g;
}

static void request_served(struct ref_gpu *g, struct sm *sm, struct load *l, uint64_t cycle)
{
	request_back(l, cycle + g->m.l1.latency_cycles);
	load_done(g, sm, l);
}

static void waiter_served(void *context, struct waiter *w)
{
	struct ref_gpu *g = context;

	request_served(g, g->at_sm, w->owner, g->cycle);
}

/* Does the level not know the page?  Then it does. */
static bool page_misses(const struct ws_machine *m, unsigned level, struct tlb *t, uint64_t page)
{
	const struct ws_set_ways *of = &m->tlb[level];
	uint64_t all = ws_set_ways_sum(of), set = page % ws_set_ways_sets(of);
	struct ws_cache ways = { .set_ways = *of };
	struct known_page *first = t->entry + set * all, *oldest = first;

	t->clock++;
	for (uint64_t i = 0; i < ref_set_ways(&ways, set); i++) {
		if (first[i].used && first[i].page == page) {
			first[i].used = t->clock;
			return false;
		}
		if (first[i].used < oldest->used)
			oldest = &first[i];
	}
	*oldest = (struct known_page){ page, t->clock };
	return true;
}

static unsigned tlbs_missed(struct ref_gpu *g, struct sm *sm, uint64_t part, uint64_t address)
{
	unsigned missed = 0;

	if (!g->m.tlb[0].runs)
		return 0;
	sm->stats->tlb.requests++;
	while (missed < 2 && g->m.tlb[missed].runs &&
	       page_misses(&g->m, missed, &sm->tlb[part][missed], address / g->m.tlb_page))
		sm->stats->tlb.misses[missed++]++;
	return missed;
}

/* Packets of the sectors, one for each piece, enter the queue; by: NULL: nobody's. */
static unsigned enter_queue(struct ref_gpu *g, struct sm *sm, uint64_t part, uint8_t kind,
			    uint64_t address, uint32_t sectors, const struct ws_request *by,
			    struct fetch *f)
{
	unsigned n = 0, missed = sectors ? tlbs_missed(g, sm, part, address) : 0;
	uint64_t walk = (missed > 0) * g->m.tlb_miss_cycles[0] +
		(missed > 1) * g->m.tlb_miss_cycles[1];
	struct packet *p = NULL;

	for (unsigned s = 0; s < SECTORS; s++) {
		uint64_t at = address + 32 * s, line = at - at % g->m.l2.line_bytes;

		if (!has(sectors, s))
			continue;
		if (!p || p->address != line) {
			p = must(1, sizeof *p);
			*p = (struct packet){ .address = line,
					      .instruction = by ? by->instruction : UINT32_MAX,
					      .cta = by ? by->cta : 0,
					      .warp = by ? by->warp : 0, .sm = (size_t)(sm - g->sm),
					      .kind = kind,
					      .fetch = f, .ready = g->cycle + walk,
					      .missed = missed };
			list_add(walk ? &sm->walking : &sm->to_l2, p);
			n++;
		}
		p->sectors |= (uint32_t)1 << (at - line) / 32;
	}
	return n;
}

static uint64_t reply_size(const struct packet *p)
{
	return p->kind == WS_STORE ? WS_HEADER_BYTES : size_of(p->sectors);
}

static void receive(void *context, size_t number, uint64_t cycle)
{
	struct ref_gpu *g = context;
	struct sm *sm = &g->sm[number];
	struct packet *p = sm->replies.count ? sm->replies.item[0] : NULL;

	g->cycle = cycle;
	for (size_t i = 0; i < sm->credit.count;) {
		if (*(uint64_t *)sm->credit.item[i] > cycle) {
			i++;
			continue;
		}
		free(list_take(&sm->credit, i));
		sm->credits++;
	}
	if (!p || p->arrival > cycle || sm->receiving > cycle)
		return;
	list_take(&sm->replies, 0);
	sm->receiving = cycle + port_cycles(g, reply_size(p));
	sm->stats->received_packets++;
	sm->stats->received_bytes += reply_size(p);
	if (--p->fetch->pieces == 0 && p->fetch->mshr) {
		struct mshr *m = p->fetch->mshr;
		struct ref_issue *by = &g->stream->item[p->fetch->number];
		struct answer a = { .waits = false };

		by->fetch = cycle - by->cycle;
		g->at_sm = sm;
		fill(p->fetch->l1, ws_set_index(&g->m.l1, m->line), m, &a, waiter_served, g);
		enter_queue(g, sm, (uint64_t)(p->fetch->l1 - sm->l1), WS_STORE, a.victim,
			    a.victim_sectors, NULL, NULL);
	} else if (p->fetch->pieces == 0 && p->kind == WS_STORE) {
		request_back(p->fetch->load, cycle);
	} else if (p->fetch->pieces == 0) {
		request_served(g, sm, p->fetch->load, cycle);
	}
	free(p);
}

/* ---- an SM: issue, look up, send ------------------------------------------------------------ */

static bool lsu_free(void *context, size_t number, uint64_t cycle)
{
	const struct ref_gpu *g = context;
	const struct sm *sm = &g->sm[number];

	return sm->op.count < g->m.sm_lsu_ops && sm->issued != cycle + 1;
}

static int falling(const void *a, const void *b)
{
	const struct ws_request *p = a, *q = b;
	uint64_t first = first_sector(p->address, p->sectors);
	uint64_t second = first_sector(q->address, q->sectors);

	return (first < second) - (first > second);
}

static void issue(void *context, size_t number, const struct ws_request *r, size_t n,
		  uint64_t *back, uint64_t cycle)
{
	struct ref_gpu *g = context;
	struct sm *sm = &g->sm[number];

	struct op *op = must(1, sizeof *op);

	*op = (struct op){ .request = more(NULL, n + 1, sizeof *r), .requests = n };
	memcpy(op->request, r, n * sizeof *r);
	if (g->m.sm_lsu_requests == WS_REQUESTS_FALLING)
		qsort(op->request, n, sizeof *r, falling);
	sm->issued = cycle + 1;
	sm->stats->memory_instructions++;
	if (back) {
		op->load = must(1, sizeof *op->load);
		*op->load = (struct load){ .issued = cycle, .back = back, .left = n,
					   .store = n && r->kind == WS_STORE };
		list_add(&g->loads, op->load);
	}
	list_add(&sm->op, op);
}

static void log_accepted(struct ref_gpu *g, size_t number, const struct ws_request *r,
			 uint64_t cycle)
{
	const struct ref_issue item = {
		.sm = number, .cycle = cycle, .address = r->address, .sectors = r->sectors,
		.instruction = r->instruction, .cta = r->cta, .warp = r->warp, .kind = r->kind,
	};

	ref_stream_add(g->stream, &item);
}

static struct fetch *new_fetch(struct ref_gpu *g, struct cache *l1, struct mshr *m,
			       struct load *l)
{
	struct fetch *f = must(1, sizeof *f);

	*f = (struct fetch){ .mshr = m, .l1 = l1, .load = l };
	list_add(&g->fetches, f);
	return f;
}

/* An atomic, or anything where there is no L1. */
static struct answer l1_passed(struct ref_gpu *g, struct sm *sm, const struct ws_request *r,
			       uint64_t room)
{
	struct answer a = { .outcome = WS_MISS };
	struct fetch *f = NULL;
	unsigned n;

	if (pieces(sm->l1, r->address, r->sectors) > room) {
		fail(&a, WS_FAIL_QUEUE);
		return a;
	}
	if (sm->load)
		f = new_fetch(g, NULL, NULL, sm->load);
	n = enter_queue(g, sm, r->part, r->kind, r->address, r->sectors, r, f);
	if (f)
		f->pieces = n;
	return a;
}

static void enter_gone(struct ref_gpu *g, struct sm *sm, uint64_t part,
		       const struct ref_grain_timed *t)
{
	for (size_t i = 0; i < t->gones;) {
		uint64_t line = t->gone[i] - t->gone[i] % g->m.l1.line_bytes;
		uint32_t sectors = 0;

		for (; i < t->gones && t->gone[i] < line + g->m.l1.line_bytes; i++)
			sectors |= (uint32_t)1 << (t->gone[i] - line) / 32;
		enter_queue(g, sm, part, WS_STORE, line, sectors, NULL, NULL);
	}
}

static struct answer l1_cached(struct ref_gpu *g, struct sm *sm, const struct ws_request *r,
			       uint64_t room)
{
	struct cache *l1 = &sm->l1[r->part];
	struct waiter *w = must(1, sizeof *w);
	struct answer a;

	w->owner = sm->load;
	if (l1->words) {
		a = (struct answer){ .waits = false };
		look_up_words(l1, r, w, room, &a);
	} else {
		const struct ws_access by = {
			.address = r->address, .instruction = r->instruction,
			.sectors = r->sectors, .cta = r->cta, .warp = r->warp, .kind = r->kind,
		};

		a = look_up(l1, ws_set_index(&g->m.l1, r->address), &by, w, room);
	}
	if (!a.waits)
		free(w);
	if (a.outcome == WS_FAILED)
		return a;
	enter_queue(g, sm, r->part, WS_STORE, a.victim, a.victim_sectors, NULL, NULL);
	enter_gone(g, sm, r->part, &a.words);
	if (a.send && sm->load) {
		struct fetch *f = new_fetch(g, NULL, NULL, sm->load);

		f->pieces = enter_queue(g, sm, r->part, WS_STORE, r->address, a.send, r, f);
	} else {
		enter_queue(g, sm, r->part, WS_STORE, r->address, a.send, r, NULL);
	}
	if (!a.send && sm->load && r->kind == WS_STORE)
		request_back(sm->load, g->cycle);
	if (a.mshr) {
		struct fetch *f = new_fetch(g, l1, a.mshr, NULL);

		f->number = g->stream->count;
		f->pieces = enter_queue(g, sm, r->part, WS_LOAD, r->address,
					a.mshr->fetch, r, f);
	}
	if (l1->words) {
		ref_grain_control(l1->words, r, a.words.hit, &a.words);
		enter_gone(g, sm, r->part, &a.words);
	}
	if (r->kind == WS_LOAD && !a.waits)
		request_served(g, sm, sm->load, g->cycle);
	return a;
}

static bool l1_request(struct ref_gpu *g, struct sm *sm, const struct ws_request *r)
{
	uint64_t used = sm->to_l2.count + sm->walking.count;
	uint64_t room = !used ? UINT64_MAX : used < g->m.l1_queue ? g->m.l1_queue - used : 0;
	bool past = r->kind == WS_ATOMIC || !g->m.l1.ways;
	struct answer a = past ? l1_passed(g, sm, r, room) : l1_cached(g, sm, r, room);

	count(&sm->stats->l1[r->kind], &a, r->sectors);
	count(&site(g, r->instruction, first_sector(r->address, r->sectors))->l1, &a, r->sectors);
	return a.outcome != WS_FAILED;
}

static void send(struct ref_gpu *g, struct sm *sm, uint64_t cycle)
{
	struct packet *p;
	uint64_t size;

	for (unsigned missed = 1; missed <= 2; missed++)
		for (size_t i = 0; i < sm->walking.count;) {
			p = sm->walking.item[i];
			if (p->missed == missed && p->ready <= cycle)
				list_add(&sm->to_l2, list_take(&sm->walking, i));
			else
				i++;
		}
	if (sm->sending > cycle || !sm->to_l2.count || !sm->credits)
		return;
	p = list_take(&sm->to_l2, 0);
	size = p->kind == WS_LOAD ? WS_HEADER_BYTES : size_of(p->sectors);
	sm->credits--;
	sm->sending = cycle + port_cycles(g, size);
	sm->stats->sent_packets++;
	sm->stats->sent_bytes += size;
	p->arrival = cycle + ws_icnt_cycles(&g->m);
	list_add(&g->slice[ws_l2_slice(&g->m, p->address)].queue, p);
}

static void drop_done(struct sm *sm)
{
	while (sm->op.count) {
		struct op *op = sm->op.item[0];

		if (op->next < op->requests)
			return;
		list_take(&sm->op, 0);
		free(op->request);
		free(op);
	}
}

static void advance(void *context, size_t number, uint64_t cycle)
{
	struct ref_gpu *g = context;
	struct sm *sm = &g->sm[number];
	uint64_t used = 0; /* banks */

	drop_done(sm);
	for (uint64_t i = 0; i < g->m.l1_banks && sm->op.count; i++) {
		struct op *op = sm->op.item[0];
		const struct ws_request *r = &op->request[op->next];
		uint64_t of_bank = g->m.l1_banks_bytes ? g->m.l1_banks_bytes : g->m.l1.line_bytes;
		uint64_t bank = first_sector(r->address, r->sectors) / of_bank % g->m.l1_banks;

		sm->load = op->load;
		if (used >> bank & 1)
			sm->stats->bank_conflicts++;
		if (used >> bank & 1 || !l1_request(g, sm, r))
			break;
		used |= 1ull << bank;
		log_accepted(g, number * g->m.l1_parts + r->part, r, cycle);
		if (++op->next < op->requests && g->m.sm_lsu_order == WS_LSU_TURNS)
			list_add(&sm->op, list_take(&sm->op, 0));
		drop_done(sm);
	}
	send(g, sm, cycle);
	for (uint64_t i = 0; i < g->m.l1_parts; i++)
		sm->stats->mshrs_sum += sm->l1[i].mshr.count;
}

static void slot(void *context, size_t number, enum ref_slot what)
{
	struct ref_gpu *g = context;
	struct ws_core_stats *s = g->sm[number].stats;

	s->slots++;
	if (what == REF_ISSUED)
		s->issued++;
	else
		s->stalls[what - REF_EMPTY]++;
}

/* ---- slices and DRAM ------------------------------------------------------------------------- */

static uint64_t set_in_slice(const struct ref_gpu *g, uint64_t address)
{
	uint64_t local = ws_l2_local(&g->m, address);

	return g->m.l2.sets == 1 ? 0 : g->m.l2.hash->index(local, &g->m.l2);
}

/* Asks for the bytes at a cycle; returns when they come. */
static uint64_t dram(struct ref_gpu *g, size_t slice, uint64_t address, uint32_t sectors,
		     bool read, uint64_t cycle)
{
	uint64_t width = g->m.dram_bandwidth, bytes = 32 * ws_popcount(sectors), start, at;
	size_t channel = 0;

	while (slice >= (channel + 1) * (g->m.l2_slices / g->channels))
		channel++;
	start = cycle * width > g->channel[channel] ? cycle * width : g->channel[channel];
	g->channel[channel] = start + bytes / 32 * g->m.dram_atom * g->channels;
	at = start / width + (start % width != 0);
	if (read)
		g->slice[slice].stats->dram_read_bytes += bytes;
	else
		g->slice[slice].stats->dram_write_bytes += bytes;
	g->slice[slice].stats->dram_wait_sum += at - cycle;
	at += g->m.dram_latency_cycles;
	if (g->m.dram_row) {
		uint64_t local = ws_l2_local(&g->m, address) / g->m.dram_row;
		uint64_t row = local * g->m.l2_slices + slice + 1;

		at += g->row[channel] == row ? 0 : g->m.dram_row_miss_cycles;
		g->row[channel] = row;
	}
	at = at > cycle ? at : cycle + 1;
	if (g->m.dram_row && read) {
		at = at > g->last[channel] ? at : g->last[channel];
		g->last[channel] = at;
	}
	return at;
}

static void reply(struct ref_gpu *g, struct slice *s, struct packet *p, uint64_t cycle)
{
	p->ready = cycle + ws_l2_cycles(&g->m);
	list_add(&s->ready, p);
}

static void packet_served(void *context, struct waiter *w)
{
	struct ref_gpu *g = context;

	list_add(&g->at_slice->served, w->owner);
}

static void slice_fill(struct ref_gpu *g, struct slice *s)
{
	size_t i = 0;

	g->at_slice = s;
	while (i < s->l2.mshr.count) { /* the list is in the order in which they asked */
		struct mshr *m = s->l2.mshr.item[i];
		struct answer a = { .waits = false };

		if (m->due != g->cycle) {
			i++;
			continue;
		}
		fill(&s->l2, set_in_slice(g, m->line), m, &a, packet_served, g);
	}
	while (s->served.count) { /* whoever began to wait first, whatever fill it waited for */
		size_t first = 0;

		for (size_t k = 1; k < s->served.count; k++) {
			const struct packet *p = s->served.item[k], *q = s->served.item[first];

			first = p->number < q->number ? k : first;
		}
		reply(g, s, list_take(&s->served, first), g->cycle);
	}
}

static void credit_back(struct ref_gpu *g, struct sm *sm, uint64_t cycle)
{
	uint64_t *arrival = must(1, sizeof *arrival);

	*arrival = cycle + ws_icnt_cycles(&g->m);
	list_add(&sm->credit, arrival);
}

static void slice_look_up(struct ref_gpu *g, size_t number)
{
	struct slice *s = &g->slice[number];
	struct packet *p = s->queue.count ? s->queue.item[0] : NULL;
	struct ws_access by;
	struct waiter *w;
	struct answer a;
	uint64_t cycle = g->cycle; /* in which the look-up ends */

	if (!p || p->arrival > cycle || s->looking > cycle)
		return;
	w = must(1, sizeof *w);
	w->owner = p;
	by = (struct ws_access){ .address = p->address, .instruction = p->instruction,
				 .sectors = p->sectors, .cta = p->cta, .warp = p->warp,
				 .kind = p->kind };
	a = look_up(&s->l2, set_in_slice(g, p->address), &by, w, UINT64_MAX);
	if (!a.waits)
		free(w);
	count(&s->stats->l2[p->kind], &a, p->sectors);
	count(&site(g, p->instruction, first_sector(p->address, p->sectors))->l2, &a, p->sectors);
	if (a.outcome == WS_FAILED)
		return;
	list_take(&s->queue, 0);
	p->number = s->accepted++;
	for (uint64_t n = g->m.l2_rate; n && n < ws_popcount(p->sectors); n += g->m.l2_rate)
		cycle++;
	s->looking = cycle + 1;
	credit_back(g, &g->sm[p->sm], cycle);
	if (a.victim_sectors)
		dram(g, number, a.victim, a.victim_sectors, false, cycle);
	if (a.mshr)
		a.mshr->due = dram(g, number, p->address, a.mshr->fetch, true, cycle);
	if (a.send)
		dram(g, number, p->address, a.send, false, cycle);
	if (!p->fetch)
		free(p);
	else if (!a.waits)
		reply(g, s, p, cycle);
}

static void slice_send(struct ref_gpu *g, struct slice *s)
{
	struct packet *p = s->ready.count ? s->ready.item[0] : NULL;

	if (!p || p->ready > g->cycle || s->sending > g->cycle)
		return;
	list_take(&s->ready, 0);
	s->sending = g->cycle + port_cycles(g, reply_size(p));
	p->arrival = g->cycle + ws_icnt_cycles(&g->m);
	list_add(&g->sm[p->sm].replies, p);
}

/* The L1s, or the slices: is this cycle one in which they meet?  Every meeting is looked at. */
static void meet(struct ref_gpu *g, bool l2, uint64_t cycle)
{
	const struct ws_use *use = l2 ? &g->slice->l2.use : &g->sm->l1->use;
	uint64_t parts = g->m.l1_parts, caches = l2 ? g->m.l2_slices : g->m.sm_count * parts;
	uint64_t **shared;

	if (!use->policy->meet || (!l2 && !g->m.l1.ways))
		return;
	shared = must((size_t)caches, sizeof *shared);
	for (uint64_t i = 0; i < caches; i++)
		shared[i] = l2 ? g->slice[i].l2.shared : g->sm[i / parts].l1[i % parts].shared;
	for (uint64_t n = 0; use->policy->meeting(use, n) <= cycle; n++)
		if (use->policy->meeting(use, n) == cycle)
			use->policy->meet(use, n, shared, (size_t)caches);
	free(shared);
}

static void rest(void *context, uint64_t cycle)
{
	struct ref_gpu *g = context;

	g->cycle = cycle;
	if (cycle)
		meet(g, true, cycle);
	for (size_t i = 0; i < g->m.l2_slices; i++) {
		slice_fill(g, &g->slice[i]);
		slice_look_up(g, i);
		slice_send(g, &g->slice[i]);
		g->slice[i].stats->mshrs_sum += g->slice[i].l2.mshr.count;
	}
	meet(g, false, cycle + 1);
}

static bool busy(void *context)
{
	const struct ref_gpu *g = context;
	bool any = false;

	for (size_t i = 0; i < g->m.sm_count; i++) {
		const struct sm *sm = &g->sm[i];

		any |= sm->op.count || sm->to_l2.count || sm->replies.count ||
		       sm->walking.count;
	}
	for (size_t i = 0; i < g->m.l2_slices; i++) {
		const struct slice *s = &g->slice[i];

		any |= s->queue.count || s->ready.count || s->l2.mshr.count;
	}
	return any;
}

/* ---- launches -------------------------------------------------------------------------------- */

static size_t tlb_room(const struct ws_machine *m, unsigned level)
{
	return (size_t)(ws_set_ways_sum(&m->tlb[level]) * ws_set_ways_sets(&m->tlb[level]) + 1);
}

struct ref_gpu *ref_gpu_new(const struct ws_machine *m, uint64_t seed)
{
	struct ref_gpu *g = must(1, sizeof *g);

	*g = (struct ref_gpu){ .m = *m, .seed = seed };
	g->channels = ws_dram_channels(m);
	g->sm = must((size_t)m->sm_count, sizeof *g->sm);
	g->slice = must((size_t)m->l2_slices, sizeof *g->slice);
	g->channel = must((size_t)g->channels, sizeof *g->channel);
	g->row = must((size_t)g->channels, sizeof *g->row);
	g->last = must((size_t)g->channels, sizeof *g->last);
	for (size_t i = 0; i < m->sm_count; i++) {
		g->sm[i].l1 = must((size_t)m->l1_parts, sizeof *g->sm[i].l1);
		for (uint64_t p = 0; p < m->l1_parts; p++)
			cache_init(&g->sm[i].l1[p], &m->l1, m->l2.line_bytes, seed);
		g->sm[i].tlb = must((size_t)m->l1_parts, sizeof *g->sm[i].tlb);
		for (uint64_t p = 0; p < 2 * m->l1_parts; p++)
			g->sm[i].tlb[p / 2][p % 2].entry = must(tlb_room(m, p % 2),
								sizeof(struct known_page));
	}
	for (size_t i = 0; i < m->l2_slices; i++) {
		struct ws_cache l2 = m->l2;

		l2.alloc = WS_ALLOC_ON_MISS;
		cache_init(&g->slice[i].l2, &l2, l2.line_bytes, seed + i);
	}
	return g;
}

static void nobody(void *context, struct waiter *w)
{
	(void)context;
	(void)w;
}

static void warm_up(struct ref_gpu *g, uint64_t line)
{
	struct slice *s = &g->slice[ws_l2_slice(&g->m, line)];
	struct waiter *w = must(1, sizeof *w);
	uint32_t all = UINT32_MAX >> (32 - g->m.l2.line_bytes / 32);
	const struct ws_access by = { .address = line, .instruction = UINT32_MAX, .sectors = all,
				      .kind = WS_LOAD };
	uint64_t set = set_in_slice(g, line);
	struct answer a = look_up(&s->l2, set, &by, w, UINT64_MAX);

	if (a.mshr)
		fill(&s->l2, set, a.mshr, &a, nobody, NULL);
	else
		free(w);
}

static bool reads(const struct ws_launch *l, size_t array)
{
	for (size_t i = 0; i < l->instructions; i++)
		if (l->instruction[i].kind != WS_STORE &&
		    l->instruction[i].space != WS_SPACE_LOCAL &&
		    (l->instruction[i].array == array || l->instruction[i].array == WS_NO_ARRAY))
			return true;
	return false;
}

static void fill_l2(struct ref_gpu *g)
{
	for (size_t i = 0; i < g->launch->arrays; i++) {
		uint64_t base = g->launch->array[i].base, size = g->m.l2.line_bytes;

		if (g->m.l2_start == WS_L2_COPIES && !reads(g->launch, i))
			continue;
		for (uint64_t line = base - base % size; line < base + g->launch->array[i].bytes;
		     line += size)
			warm_up(g, line);
	}
}

/* What is on its way is dropped, and what was there is gone. */
static void empty(struct ref_gpu *g)
{
	for (size_t i = 0; i < g->m.sm_count; i++) {
		struct sm *sm = &g->sm[i];

		for (uint64_t p = 0; p < g->m.l1_parts; p++)
			cache_flush(&sm->l1[p]);
		for (uint64_t p = 0; p < 2 * g->m.l1_parts; p++)
			memset(sm->tlb[p / 2][p % 2].entry, 0, tlb_room(&g->m, p % 2) *
			       sizeof(struct known_page));
		list_free(&sm->op);
		list_free(&sm->to_l2);
		list_free(&sm->walking);
		list_free(&sm->replies);
		list_free(&sm->credit);
		sm->issued = 0;
		sm->sending = sm->receiving = 0;
		sm->credits = g->m.icnt_credits;
	}
	for (size_t i = 0; i < g->m.l2_slices; i++) {
		struct list *mshr = &g->slice[i].l2.mshr;

		for (size_t k = 0; k < mshr->count; k++) { /* packets that wait there */
			struct mshr *m = mshr->item[k];

			for (size_t n = 0; n < m->waiter.count; n++) {
				struct waiter *w = m->waiter.item[n];

				free(w->owner);
				w->owner = NULL;
			}
		}
		if (g->m.l2_start != WS_L2_KEEP)
			cache_flush(&g->slice[i].l2);
		list_free(&g->slice[i].queue);
		list_free(&g->slice[i].ready);
		list_free(&g->slice[i].served);
		g->slice[i].sending = g->slice[i].looking = 0;
	}
	memset(g->channel, 0, (size_t)g->channels * sizeof *g->channel);
	memset(g->row, 0, (size_t)g->channels * sizeof *g->row);
	memset(g->last, 0, (size_t)g->channels * sizeof *g->last);
	list_free(&g->fetches);
	list_free(&g->loads);
}

static void gather_parts(struct ref_gpu *g, struct ws_cycle_result *out)
{
	size_t row = g->launch->arrays + 1;

	out->site = must(g->launch->instructions * row, sizeof *out->site);
	for (size_t i = 0; i < g->launch->instructions * row; i++) {
		if (!g->site[i].l1.requests && !g->site[i].l2.requests)
			continue;
		out->site[out->sites] = g->site[i];
		out->site[out->sites].instruction = (uint32_t)(i / row);
		out->site[out->sites++].array = i % row == row - 1 ? WS_NO_ARRAY
								   : (uint32_t)(i % row);
	}
}

static void grain_add(struct ws_grain_stats *to, const struct ref_grain *words)
{
	struct ref_grain_stats s = ref_grain_stats(words);

	for (size_t i = 0; i < 3; i++)
		to->size[i] += s.size[i];
	to->partial += s.partial;
	to->invalidated += s.invalidated;
	to->written_back += s.written_back;
	to->finer += s.finer;
	to->coarser += s.coarser;
	to->flushed += s.flushed;
}

void ref_gpu_launch(struct ref_gpu *g, const struct ref_launch *l, size_t number,
		    struct ws_cycle_result *out, struct ref_stream *stream)
{
	const struct ref_unit unit = { g, receive, lsu_free, issue, advance, rest, slot,
				       busy };
	uint64_t *end = must((size_t)g->m.sm_count, sizeof *end);

	*out = (struct ws_cycle_result){ .kernel = ws_strdup(l->launch.kernel), .launch = number,
					 .sms = (size_t)g->m.sm_count,
					 .slices = (size_t)g->m.l2_slices };
	out->sm = must(out->sms, sizeof *out->sm);
	out->slice = must(out->slices, sizeof *out->slice);
	g->launch = &l->launch;
	g->stream = stream;
	g->site = must(l->launch.instructions * (l->launch.arrays + 1) + 1, sizeof *g->site);
	empty(g);
	if (g->m.l2_start == WS_L2_WARM || g->m.l2_start == WS_L2_COPIES)
		fill_l2(g);
	for (size_t i = 0; i < out->sms; i++)
		g->sm[i].stats = &out->sm[i];
	for (size_t i = 0; i < out->slices; i++)
		g->slice[i].stats = &out->slice[i];
	meet(g, true, 0);
	meet(g, false, 0);
	out->resident_ctas = ref_machine_run(l, &g->m, g->seed, &unit, end);
	for (size_t i = 0; i < out->sms; i++) {
		out->sm[i].cycles = end[i];
		out->cycles = end[i] > out->cycles ? end[i] : out->cycles;
	}
	for (size_t i = 0; i < out->sms && g->sm[i].l1->words; i++)
		for (uint64_t p = 0; p < g->m.l1_parts; p++)
			grain_add(&out->sm[i].grain, g->sm[i].l1[p].words);
	stream->cycles = out->cycles;
	gather_parts(g, out);
	free(g->site);
	free(end);
}

void ref_gpu_free(struct ref_gpu *g)
{
	empty(g);
	for (size_t i = 0; i < g->m.sm_count; i++) {
		for (uint64_t p = 0; p < g->m.l1_parts; p++)
			cache_clear(&g->sm[i].l1[p]);
		for (uint64_t p = 0; p < 2 * g->m.l1_parts; p++)
			free(g->sm[i].tlb[p / 2][p % 2].entry);
		free(g->sm[i].tlb);
		free(g->sm[i].l1);
	}
	for (size_t i = 0; i < g->m.l2_slices; i++)
		cache_clear(&g->slice[i].l2);
	free(g->sm);
	free(g->slice);
	free(g->channel);
	free(g->row);
	free(g->last);
	free(g);
}
