/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/ref/l2.c -- see l2.h.  A cache is an array of slots, each with its set, line, sectors and
 * the time of its last use; whatever is asked of it is found by looking at all of them.
 */
#include "tests/ref/l2.h"

#include <stdlib.h>
#include <string.h>

#include "tests/ref/must.h"
#include "tests/ref/own_kind.h"
#include "tests/ref/set_ways.h"

#define SECTORS (WS_LINE_MAX / WS_SECTOR_BYTES)

struct slot {
	bool there;
	uint64_t set, line, used;
	bool valid[SECTORS], dirty[SECTORS]; /* by 32 B */
};

struct cache {
	const struct ws_cache *is;
	struct slot *slot;
	uint64_t sets, clock;
};

struct seen {			/* what the L2 ever fetched */
	uint64_t *sector;	/* addresses / 32 */
	size_t count, cap;
};

struct ref_l2 {
	const struct ws_machine *m;
	struct cache *l1, l2;
	struct seen seen;
	struct ref_l2_counts *kind;
	bool counts;
};

static void make(struct cache *c, const struct ws_cache *is, uint64_t sets)
{
	c->is = is;
	c->sets = sets;
	c->clock = 0;
	c->slot = must((size_t)(sets * is->ways), sizeof *c->slot);
}

static struct slot *find(struct cache *c, uint64_t line)
{
	for (size_t i = 0; i < c->sets * c->is->ways; i++)
		if (c->slot[i].there && c->slot[i].line == line)
			return c->slot + i;
	return NULL;
}

/* An empty slot of the set, else the one unused for longest, as it is. */
static struct slot *choose(struct cache *c, uint64_t set)
{
	struct slot *first = c->slot + set * c->is->ways, *oldest = first;

	for (uint64_t i = 0; i < ref_set_ways(c->is, set); i++) {
		if (!first[i].there)
			return first + i;
		if (first[i].used < oldest->used)
			oldest = first + i;
	}
	return oldest;
}

/* Sectors of the cache that a request touches, whole, by 32 B. */
static void touched(const struct ws_cache *c, uint32_t asked, bool *out)
{
	uint64_t each = c->sector_bytes / WS_SECTOR_BYTES;

	memset(out, 0, SECTORS * sizeof *out);
	for (uint64_t i = 0; i < c->line_bytes / WS_SECTOR_BYTES; i++)
		if (asked >> i & 1)
			for (uint64_t j = i / each * each; j < (i / each + 1) * each; j++)
				out[j] = true;
}

/* ---- the L2 ----------------------------------------------------------------------- */

static bool was_seen(const struct seen *s, uint64_t sector)
{
	for (size_t i = 0; i < s->count; i++)
		if (s->sector[i] == sector)
			return true;
	return false;
}

static void see(struct seen *s, uint64_t sector)
{
	if (was_seen(s, sector))
		return;
	if (s->count == s->cap) {
		s->cap = 2 * s->cap + 64;
		s->sector = more(s->sector, s->cap, sizeof *s->sector);
	}
	s->sector[s->count++] = sector;
}

static uint64_t l2_set(const struct ws_machine *m, uint64_t line)
{
	uint64_t set = m->l2.sets > 1 ? m->l2.hash->index(ws_l2_local(m, line), &m->l2) : 0;

	return ws_l2_slice(m, line) * m->l2.sets + set;
}

static void ask_l2(struct ref_l2 *w, uint64_t line, uint32_t asked, unsigned kind)
{
	const struct ws_cache *is = &w->m->l2;
	bool allocates = kind != WS_STORE || is->write == WS_WRITE_BACK ||
			 is->write == WS_WRITE_THROUGH_ALLOCATE;
	struct slot *s = find(&w->l2, line);
	bool sector[SECTORS], hit = s != NULL, fresh = false;

	touched(is, asked, sector);
	for (unsigned i = 0; i < SECTORS; i++) {
		hit = hit && (!sector[i] || s->valid[i]);
		fresh = fresh || (sector[i] && !was_seen(&w->seen, line / 32 + i));
	}
	if (w->counts) {
		w->kind[kind].requests++;
		w->kind[kind].hits += hit;
		w->kind[kind].misses += !hit;
		w->kind[kind].cold += fresh && allocates;
		if (hit && fresh)
			abort();
	}
	w->l2.clock++;
	if (!s && allocates) {
		s = choose(&w->l2, l2_set(w->m, line));
		*s = (struct slot){ .there = true, .line = line };
	}
	if (!s)
		return;
	s->used = w->l2.clock;
	if (!allocates && is->write == WS_WRITE_EVICT)
		s->there = false;
	for (unsigned i = 0; allocates && i < SECTORS; i++)
		if (sector[i]) {
			s->valid[i] = true;
			see(&w->seen, line / 32 + i);
		}
}

/* Sectors of a line of an L1, by lines of the L2. */
static void ask_pieces(struct ref_l2 *w, uint64_t line, const bool *sector, unsigned kind)
{
	uint64_t at = line, end = line + w->m->l1.line_bytes;

	while (at < end) {
		uint64_t out = at / w->m->l2.line_bytes * w->m->l2.line_bytes;
		uint32_t mask = 0;

		for (; at < end && at < out + w->m->l2.line_bytes; at += WS_SECTOR_BYTES)
			if (sector[(at - line) / WS_SECTOR_BYTES])
				mask |= 1u << (at - out) / WS_SECTOR_BYTES;
		if (mask)
			ask_l2(w, out, mask, kind);
	}
}

/* ---- an L1 ------------------------------------------------------------------------- */

static bool any(const bool *sector)
{
	for (unsigned i = 0; i < SECTORS; i++)
		if (sector[i])
			return true;
	return false;
}

static struct slot *bring(struct ref_l2 *w, struct cache *l1, uint64_t line)
{
	struct slot *s = find(l1, line);

	if (s)
		return s;
	s = choose(l1, l1->sets > 1 ? l1->is->hash->index(line, l1->is) : 0);
	if (s->there && any(s->dirty))
		ask_pieces(w, s->line, s->dirty, WS_STORE);
	*s = (struct slot){ .there = true, .line = line };
	return s;
}

static void load(struct ref_l2 *w, struct cache *l1, const struct ws_request *r)
{
	struct slot *s = bring(w, l1, r->address);
	bool sector[SECTORS];

	s->used = l1->clock;
	touched(l1->is, r->sectors, sector);
	for (unsigned i = 0; i < SECTORS; i++) {
		sector[i] = sector[i] && !s->valid[i];
		s->valid[i] = s->valid[i] || sector[i];
	}
	ask_pieces(w, r->address, sector, WS_LOAD);
}

static void store(struct ref_l2 *w, struct cache *l1, const struct ws_request *r, const bool *asked)
{
	enum ws_write write = l1->is->write;
	bool brings = write == WS_WRITE_BACK || write == WS_WRITE_THROUGH_ALLOCATE;
	struct slot *s = brings ? bring(w, l1, r->address) : find(l1, r->address);
	bool sector[SECTORS];

	touched(l1->is, r->sectors, sector);
	if (s)
		s->used = l1->clock;
	if (s && write == WS_WRITE_EVICT)
		s->there = false;
	for (unsigned i = 0; brings && i < SECTORS; i++) {
		s->valid[i] = s->valid[i] || sector[i];
		s->dirty[i] = s->dirty[i] || (sector[i] && write == WS_WRITE_BACK);
	}
	if (write != WS_WRITE_BACK)
		ask_pieces(w, r->address, asked, WS_STORE);
}

static void ask_l1(struct ref_l2 *w, struct cache *l1, const struct ws_request *r)
{
	bool asked[SECTORS] = { false };

	for (unsigned i = 0; i < SECTORS; i++)
		asked[i] = r->sectors >> i & 1;
	l1->clock++;
	if (!w->m->l1.ways)
		ask_pieces(w, r->address, asked, ref_own_kind(r));
	else if (r->kind == WS_LOAD)
		load(w, l1, r);
	else if (r->kind == WS_STORE)
		store(w, l1, r, asked);
	else
		ask_pieces(w, r->address, asked, ref_own_kind(r));
}

/* ---- a launch ------------------------------------------------------------------------ */

static bool reads(const struct ws_launch *l, size_t array)
{
	for (size_t i = 0; i < l->instructions; i++)
		if (l->instruction[i].kind != WS_STORE &&
		    l->instruction[i].space != WS_SPACE_LOCAL &&
		    (l->instruction[i].array == array || l->instruction[i].array == WS_NO_ARRAY))
			return true;
	return false;
}

static void fill(struct ref_l2 *w, const struct ws_launch *launch)
{
	uint64_t line = w->m->l2.line_bytes;
	bool copies = w->m->l2_start == WS_L2_COPIES && launch->copies;

	for (size_t i = 0; copies && i < launch->copies; i++) {
		const struct ws_copy *c = launch->copy + i;

		for (uint64_t at = c->base / line * line; c->bytes && at < c->base + c->bytes &&
		     (w->m->profile != WS_BEHAVES_GPGPUSIM || at < UINT64_C(1) << 32); at += line)
			ask_l2(w, at, UINT32_MAX, WS_LOAD);
	}
	for (size_t i = 0; !copies && i < launch->arrays; i++) {
		const struct ws_array *a = launch->array + i;

		if (w->m->l2_start == WS_L2_COPIES && !reads(launch, i))
			continue;
		for (uint64_t at = a->base / line * line; a->bytes && at < a->base + a->bytes;
		     at += line)
			ask_l2(w, at, UINT32_MAX, WS_LOAD);
	}
}

/* The SM whose next request is first; SIZE_MAX: none is left. */
static size_t next(const struct ref_stream *sm, size_t sms, const size_t *done)
{
	size_t first = SIZE_MAX;

	for (size_t i = 0; i < sms; i++)
		if (done[i] < sm[i].count &&
		    (first == SIZE_MAX || sm[i].request[done[i]].cycle <
						  sm[first].request[done[first]].cycle))
			first = i;
	return first;
}

struct ref_l2 *ref_l2_new(const struct ws_machine *m)
{
	struct ref_l2 *r = must(1, sizeof *r);

	r->m = m;
	r->l1 = must((size_t)m->sm_count, sizeof *r->l1);
	for (size_t i = 0; i < m->sm_count; i++)
		make(r->l1 + i, &m->l1, m->l1.sets);
	make(&r->l2, &m->l2, m->l2.sets * m->l2_slices);
	return r;
}

static void empty(struct cache *c)
{
	memset(c->slot, 0, (size_t)(c->sets * c->is->ways) * sizeof *c->slot);
	c->clock = 0;
}

void ref_l2_launch(struct ref_l2 *r, const struct ws_launch *launch, const struct ref_stream *sm,
		   struct ref_l2_counts *kind)
{
	size_t sms = (size_t)r->m->sm_count, at;
	size_t *done = must(sms, sizeof *done);

	for (size_t i = 0; i < sms; i++)
		empty(r->l1 + i);
	if (r->m->l2_start != WS_L2_KEEP) {
		empty(&r->l2);
		r->seen.count = 0;
	}
	r->counts = false;
	if (r->m->l2_start == WS_L2_WARM || r->m->l2_start == WS_L2_COPIES)
		fill(r, launch);
	r->kind = kind;
	r->counts = kind != NULL;
	while ((at = next(sm, sms, done)) != SIZE_MAX)
		ask_l1(r, r->l1 + at, sm[at].request + done[at]++);
	free(done);
}

void ref_l2_free(struct ref_l2 *r)
{
	for (size_t i = 0; i < r->m->sm_count; i++)
		free(r->l1[i].slot);
	free(r->l1);
	free(r->l2.slot);
	free(r->seen.sector);
	free(r);
}
