/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/ref/cycle_cache.c -- one cache for L1s and slices.
 *
 * A look-up does what the text of validate/cycle/cycle.h says in its order and, if it fails, gets a
 * copy of the set back; MSHRs are a list.  An L1 of words is grain.c's, of which there is a copy to
 * get back.  Sectors are those of 32 bytes throughout; a request asks for all of the cache's
 * sectors that it touches.
 */
#include "tests/ref/cycle_cache.h"

#include <stdlib.h>
#include <string.h>

#include "tests/ref/must.h"
#include "tests/ref/set_ways.h"

/* ---- lists -------------------------------------------------------------------------- */

void ref_list_add(struct ref_list *l, void *item)
{
	if (l->count == l->cap)
		l->item = more(l->item, l->cap = 2 * l->cap + 8, sizeof *l->item);
	l->item[l->count++] = item;
}

void *ref_list_take(struct ref_list *l, size_t i)
{
	void *item = l->item[i];

	l->count--;
	memmove(&l->item[i], &l->item[i + 1], (l->count - i) * sizeof *l->item);
	return item;
}

void ref_list_free(struct ref_list *l) /* and the items */
{
	for (size_t i = 0; i < l->count; i++)
		free(l->item[i]);
	free(l->item);
	*l = (struct ref_list){ 0 };
}

/* ---- a cache: tags, states, MSHRs ----------------------------------------------------- */

/* Of a set, of the policy; one more, that there is one. */
static size_t meta_words(const struct ref_timed_cache *c)
{
	return (size_t)c->of.ways * c->use.policy->way_words + 1;
}

static size_t own_words(const struct ref_timed_cache *c)
{
	return c->use.policy->set_words + 1;
}

void ref_timed_begin(struct ref_timed_cache *c, const struct ws_cache *of, uint64_t piece,
		     uint64_t seed)
{
	*c = (struct ref_timed_cache){ .of = *of, .sets = of->sets, .piece = piece };
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

static void mshr_free(struct ref_mshr *m)
{
	free(m->waiter.item);
	free(m);
}

void ref_timed_flush(struct ref_timed_cache *c)
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
		struct ref_mshr *m = ref_list_take(&c->mshr, 0);

		for (size_t i = 0; i < m->waiter.count; i++) {
			struct ref_waiter *w = m->waiter.item[i];

			if (--w->left == 0)
				free(w);
		}
		mshr_free(m);
	}
}

void ref_timed_end(struct ref_timed_cache *c)
{
	ref_timed_flush(c);
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

/* The cache's sectors that these touch, whole. */
static uint32_t whole_sectors(const struct ref_timed_cache *c, uint32_t sectors)
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
static uint32_t in_state(const struct ref_line *l, uint32_t asked, enum state state)
{
	uint32_t found = 0;

	for (unsigned s = 0; s < SECTORS; s++) {
		if (has(asked, s) && l->state[s] == state)
			found |= (uint32_t)1 << s;
	}
	return found;
}

static struct ref_line *find(struct ref_set *set, uint64_t address)
{
	for (size_t way = 0; way < set->ways; way++) {
		if (set->line[way].there && set->line[way].address == address)
			return &set->line[way];
	}
	return NULL;
}

static bool reserved(const struct ref_line *l)
{
	return l->there && in_state(l, UINT32_MAX, RESERVED);
}

static bool all_reserved(const struct ref_set *set)
{
	for (size_t way = 0; way < set->ways; way++) {
		if (!reserved(&set->line[way]))
			return false;
	}
	return true;
}

static struct ws_set view(struct ref_timed_cache *c, struct ref_set *set)
{
	return (struct ws_set){ .meta = set->meta, .own = set->own, .shared = c->shared,
				.table = c->table, .access = &c->asked,
				.ways = set->ways, .clock = set->clock,
				.index = (uint64_t)(set - c->set), .sets = c->sets,
				.rng = &c->rng, .use = &c->use };
}

static void on_hit(struct ref_timed_cache *c, struct ref_set *set, const struct ref_line *l)
{
	struct ws_set v = view(c, set);

	if (c->use.policy->on_hit)
		c->use.policy->on_hit(&v, (unsigned)(l - set->line));
}

static void on_fill(struct ref_timed_cache *c, struct ref_set *set, unsigned way)
{
	struct ws_set v = view(c, set);

	if (c->use.policy->on_fill)
		c->use.policy->on_fill(&v, way);
}

static void on_evict(struct ref_timed_cache *c, struct ref_set *set, unsigned way)
{
	struct ws_set v = view(c, set);

	if (c->use.policy->on_evict)
		c->use.policy->on_evict(&v, way);
}

/* Does what is asked, whose line is not there, go past?  Then that is so. */
static bool goes_past(struct ref_timed_cache *c, struct ref_set *set)
{
	struct ws_set v = view(c, set);

	if (c->asked.kind == WS_ATOMIC || !c->use.policy->bypass || !c->use.policy->bypass(&v))
		return false;
	if (c->use.policy->on_bypass)
		c->use.policy->on_bypass(&v);
	return true;
}

/* What a look-up that fails, or a question that is forgotten, must leave as it was: one block. */
struct kept {
	struct ref_line *line;
	uint64_t *meta, *own, clock, *shared, lives;
	uint8_t *table;
	struct ws_rng rng;
};

static struct kept keep(const struct ref_timed_cache *c, const struct ref_set *set)
{
	size_t ways = (size_t)c->of.ways, words = c->use.policy->cache_words;
	size_t bytes = c->use.policy->table_bytes;
	size_t line = ways * sizeof(struct ref_line), meta = meta_words(c), own = own_words(c);
	char *room = must(1, line + (meta + own + words) * sizeof(uint64_t) + bytes);
	uint64_t *word = (uint64_t *)(room + line);
	struct kept k = { .line = (struct ref_line *)room, .meta = word, .own = word + meta,
			  .shared = word + meta + own,
			  .table = (uint8_t *)(word + meta + own + words),
			  .clock = set->clock, .lives = c->lives, .rng = c->rng };

	memcpy(k.line, set->line, ways * sizeof *k.line);
	memcpy(k.meta, set->meta, meta * sizeof *k.meta);
	memcpy(k.own, set->own, own * sizeof *k.own);
	memcpy(k.shared, c->shared, words * sizeof *k.shared);
	memcpy(k.table, c->table, bytes);
	return k;
}

static void put_back(struct ref_timed_cache *c, struct ref_set *set, const struct kept *k)
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
}

static unsigned ask_victim(struct ref_timed_cache *c, struct ref_set *set)
{
	struct ws_set v = view(c, set);

	return c->use.policy->victim(&v);
}

static unsigned choose_victim(struct ref_timed_cache *c, struct ref_set *set)
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
static struct ref_line *take_way(struct ref_timed_cache *c, struct ref_set *set, uint64_t address,
				 struct ref_answer *a)
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
	set->line[way] = (struct ref_line){ .there = true, .address = address, .life = ++c->lives };
	on_fill(c, set, way);
	return &set->line[way];
}

/* A store of these sectors, or an atomic, once it is known to have them. */
static void modify(struct ref_line *l, uint32_t sectors)
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

unsigned ref_pieces(const struct ref_timed_cache *c, uint64_t address, uint32_t sectors)
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

void ref_fail(struct ref_answer *a, enum ws_fail cause)
{
	if (a->outcome != WS_FAILED)
		a->cause = cause;
	a->outcome = WS_FAILED;
}

/* MSHRs that fetch any of these sectors, of the line where it is or, on-fill, wherever. */
static bool fetches(const struct ref_timed_cache *c, const struct ref_mshr *m,
		    const struct ref_line *l,
		    uint64_t address, uint32_t sectors)
{
	if (m->life == PAST)
		return false;
	if (c->of.alloc == WS_ALLOC_ON_FILL)
		return m->line == address && (m->fetch & sectors);
	return l && m->life == l->life && (m->fetch & sectors);
}

static void wait_for(struct ref_mshr *m, struct ref_waiter *w)
{
	ref_list_add(&m->waiter, w);
	w->left++;
}

/* A load, or an atomic of a slice. */
static void look_up_load(struct ref_timed_cache *c, struct ref_set *set, uint64_t address,
			 uint32_t asked,
			 bool atomic, struct ref_waiter *w, uint64_t room, struct ref_answer *a)
{
	bool on_miss = c->of.alloc == WS_ALLOC_ON_MISS, merge_fails = false, past = false;
	struct ref_line *l = find(set, address);
	uint32_t missing = asked, coming = 0;
	uint64_t life = 0;

	if (l)
		missing &= ~(in_state(l, asked, VALID) | in_state(l, asked, MODIFIED));
	for (unsigned s = 0; s < SECTORS && l; s++)
		if (has(asked, s) && l->partial[s])
			missing |= whole_sectors(c, (uint32_t)1 << s);
	for (size_t i = 0; i < c->mshr.count; i++) {
		const struct ref_mshr *m = c->mshr.item[i];

		if (fetches(c, m, l, address, missing)) {
			coming |= m->fetch & missing;
			merge_fails |= m->waiter.count >= c->of.mshr_merge;
		}
	}
	a->hits = asked & ~missing;
	a->pending = missing & coming;
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
			ref_fail(a, WS_FAIL_LINE);
			return;
		}
		if (!l && !past && on_miss)
			l = take_way(c, set, address, a);
		else if (l)
			on_hit(c, set, l);
		life = past ? PAST : on_miss ? l->life : 0;
		if (ref_pieces(c, address, missing & ~coming) +
		    ref_pieces(c, a->victim, a->victim_sectors) > room)
			ref_fail(a, WS_FAIL_QUEUE);
	} else if (l) {
		on_hit(c, set, l);
	}
	if (missing && c->full)
		ref_fail(a, WS_FAIL_QUEUE);
	if (missing & ~coming && c->mshr.count + c->held >= c->of.mshr_entries)
		ref_fail(a, WS_FAIL_MSHR);
	if (merge_fails)
		ref_fail(a, WS_FAIL_MERGE);
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
		ref_list_add(&c->mshr, a->mshr);
		wait_for(a->mshr, w);
		for (unsigned s = 0; s < SECTORS && on_miss && !past; s++) {
			if (!has(a->mshr->fetch, s))
				continue;
			l->stored[s] = l->state[s] == MODIFIED;
			l->partial[s] = false;
			l->state[s] = RESERVED;
		}
	}
	if (atomic)
		modify(l, asked);
	a->waits = missing;
}

/* On-fill, the sectors that are being fetched. */
static uint32_t coming_to(const struct ref_timed_cache *c, uint64_t address)
{
	uint32_t coming = 0;

	for (size_t i = 0; i < c->mshr.count && c->of.alloc == WS_ALLOC_ON_FILL; i++) {
		const struct ref_mshr *m = c->mshr.item[i];

		if (m->line == address && m->life != PAST)
			coming |= m->fetch;
	}
	return coming;
}

/* A store wrote these bytes: a sector that it brought, or that had been written in part, can be
 * read once all of it is written. */
static void write_bytes(struct ref_line *l, uint64_t address, uint32_t asked, uint32_t sectors,
			uint32_t fresh, const struct ws_written *written)
{
	for (unsigned s = 0; s < SECTORS; s++) {
		uint32_t now = has(sectors, s) ? written->byte[(address / 32 + s) % 4] : 0;

		if (!has(asked, s) || (!has(fresh, s) && !l->partial[s]))
			continue;
		l->written[s] = has(fresh, s) ? now : l->written[s] | now;
		l->partial[s] = l->written[s] != UINT32_MAX;
	}
}

static void look_up_store(struct ref_timed_cache *c, struct ref_set *set, uint64_t address,
			  uint32_t sectors, const struct ws_written *written,
			  uint64_t room, struct ref_answer *a)
{
	uint32_t asked = whole_sectors(c, sectors), fresh = asked;
	struct ref_line *l = find(set, address);
	bool allocates = c->of.write == WS_WRITE_THROUGH_ALLOCATE || c->of.write == WS_WRITE_BACK;
	bool past = allocates && !l && goes_past(c, set);

	allocates = allocates && !past;
	a->outcome = l && !in_state(l, asked, INVALID) && !in_state(l, asked, RESERVED) ? WS_HIT
		   : l && !in_state(l, asked, INVALID) ? WS_PENDING
		   : l ? WS_SECTOR_MISS : WS_MISS;
	a->send = c->of.write == WS_WRITE_BACK && !past ? 0 : sectors;
	if (l) {
		a->pending = in_state(l, asked, RESERVED);
		a->hits = in_state(l, asked, VALID) | in_state(l, asked, MODIFIED);
		fresh = in_state(l, asked, INVALID) & ~coming_to(c, address);
	} else if (c->of.alloc == WS_ALLOC_ON_FILL) {
		fresh &= ~coming_to(c, address);
	}
	if (c->of.write == WS_WRITE_EVICT && l) {
		if (!c->stays || !reserved(l)) {
			on_evict(c, set, (unsigned)(l - set->line));
			l->there = false;
		}
	} else if (l) {
		on_hit(c, set, l);
	} else if (allocates && all_reserved(set)) {
		ref_fail(a, WS_FAIL_LINE);
		return;
	} else if (allocates) {
		l = take_way(c, set, address, a);
	}
	if (ref_pieces(c, address, a->send) + ref_pieces(c, a->victim, a->victim_sectors) > room ||
	    (c->full && (a->send || a->outcome != WS_HIT))) {
		ref_fail(a, WS_FAIL_QUEUE);
		return;
	}
	if (c->of.write == WS_WRITE_BACK && !past)
		modify(l, asked);
	for (unsigned s = 0;
	     s < SECTORS && c->of.write == WS_WRITE_THROUGH_ALLOCATE && !past; s++) {
		if (has(asked, s) && l->state[s] == INVALID)
			l->state[s] = VALID;
	}
	if (allocates && written)
		write_bytes(l, address, asked, sectors, fresh, written);
}

/* ---- a cache of words ---------------------------------------------------------------- */

/* Packets that MODIFIED words thrown out take: addresses are in ascending order. */
static unsigned gone_pieces(const struct ref_timed_cache *c, const struct ref_grain_timed *t)
{
	unsigned n = 0;

	for (size_t i = 0; i < t->gones; i++) {
		bool line = i && t->gone[i] / c->of.line_bytes == t->gone[i - 1] / c->of.line_bytes;
		bool piece = i && t->gone[i] / c->piece == t->gone[i - 1] / c->piece;

		n += !line || !piece;
	}
	return n;
}

static void check_words(const struct ref_timed_cache *c, const struct ws_request *r, bool fetch,
			uint64_t room, struct ref_answer *a)
{
	const struct ref_grain_timed *t = &a->words;

	if (!t->room)
		ref_fail(a, WS_FAIL_LINE);
	if (ref_pieces(c, r->address, fetch ? t->block : a->send) + gone_pieces(c, t) > room)
		ref_fail(a, WS_FAIL_QUEUE);
	if (fetch && c->mshr.count + c->held >= c->of.mshr_entries)
		ref_fail(a, WS_FAIL_MSHR);
	for (size_t i = 0; i < t->waits && r->kind == WS_LOAD; i++) {
		if (((struct ref_mshr *)t->wait[i])->waiter.count >= c->of.mshr_merge)
			ref_fail(a, WS_FAIL_MERGE);
	}
}

void ref_look_up_words(struct ref_timed_cache *c, const struct ws_request *r, struct ref_waiter *w,
			  uint64_t room, struct ref_answer *a)
{
	bool through = r->kind == WS_STORE && c->of.write != WS_WRITE_BACK;
	struct ref_grain *before = ref_grain_copy(c->words);
	struct ref_mshr *m = must(1, sizeof *m);
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
		ref_list_add(&c->mshr, m);
		wait_for(m, w);
		a->mshr = m;
	} else {
		mshr_free(m);
	}
	a->waits = r->kind == WS_LOAD && (fetch || t->waits);
}

/* w: who waits if it has to. */
struct ref_answer ref_look_up(struct ref_timed_cache *c, uint64_t set_index,
			      const struct ws_access *r, const struct ws_written *written,
			      struct ref_waiter *w, uint64_t room)
{
	struct ref_set *set = &c->set[set_index];
	uint64_t address = r->address;
	uint32_t sectors = r->sectors;
	uint8_t kind = r->kind;
	struct ref_answer a = { .waits = false };
	struct kept before = keep(c, set);

	c->asked = *r;
	set->clock += c->of.alloc == WS_ALLOC_ON_MISS || kind != WS_LOAD || find(set, address);
	if (kind == WS_STORE)
		look_up_store(c, set, address, sectors, written, room, &a);
	else
		look_up_load(c, set, address, whole_sectors(c, sectors), kind == WS_ATOMIC, w,
			     room, &a);
	if (a.outcome == WS_FAILED)
		put_back(c, set, &before);
	forget(&before);
	return a;
}

/* The fetch of an MSHR is here.  Those who waited are told, and it is free. */
void ref_fill(struct ref_timed_cache *c, uint64_t set_index, struct ref_mshr *m,
	      struct ref_answer *a,
		 void (*served)(void *context, struct ref_waiter *w), void *context)
{
	struct ref_set *set = &c->set[set_index];
	struct ref_line *l = find(set, m->line);
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
		if (!has(m->fetch, s))
			continue;
		l->partial[s] = false;
		if (l->state[s] == MODIFIED)
			continue;
		l->state[s] = l->stored[s] ? MODIFIED : VALID;
		l->stored[s] = false;
	}
	while (c->mshr.item[at] != m)
		at++;
	ref_list_take(&c->mshr, at);
	for (size_t i = 0; i < m->waiter.count; i++) {
		struct ref_waiter *w = m->waiter.item[i];

		w->left--;
		served(context, w);
		if (!w->left)
			free(w);
	}
	mshr_free(m);
}

void ref_count(struct ws_cycle_counts *c, const struct ref_answer *a, uint32_t sectors)
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
