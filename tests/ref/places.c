/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/ref/places.c -- positions and distances, twice (places.h): by the rules of
 * stackdist/stackdist.h on a list, and by caches of every number of ways.
 */
#include "tests/ref/places.h"

#include <string.h>

#include "tests/ref/must.h"

#define COLD WS_DISTANCE_COLD
#define UNCACHED WS_DISTANCE_UNCACHED

static bool allocates(const struct ws_cache *c, const struct ws_request *r)
{
	return r->kind == WS_LOAD ||
	       (r->kind == WS_STORE && (c->write == WS_WRITE_BACK ||
					c->write == WS_WRITE_THROUGH_ALLOCATE));
}

/* The cache's own sectors that a request of 32 B sectors asks for. */
static uint32_t asked_of(const struct ws_cache *c, uint32_t sectors)
{
	uint32_t asked = 0;

	for (unsigned s = 0; s < REF_SECTORS_MAX; s++)
		if (sectors >> s & 1)
			asked |= (uint32_t)1 << s * WS_SECTOR_BYTES / c->sector_bytes;
	return asked;
}

static bool has(uint32_t mask, unsigned sector)
{
	return mask >> sector & 1;
}

static void begin(const struct ws_cache *c, const struct ws_request *r, struct ref_access *a)
{
	memset(a, 0, sizeof *a);
	a->r = *r;
	a->set = ws_set_index(c, r->address);
	a->asked = asked_of(c, r->sectors);
	a->before = SIZE_MAX;
}

/* COLD > UNCACHED > any number: a request with one sector never fetched is cold. */
static void settle(struct ref_access *a)
{
	a->distance = 0;
	for (unsigned s = 0; s < REF_SECTORS_MAX; s++)
		if (has(a->asked, s) && a->m[s] > a->distance)
			a->distance = a->m[s];
}

/* The smallest position of a bin: 0 .. 7, then four to the octave. */
static uint32_t bin_first(unsigned bin)
{
	return bin < 8 ? bin : (uint32_t)(4 + bin % 4) << (bin / 4 - 1);
}

static unsigned type_of(const struct ws_cache *c, const struct ref_access *a)
{
	unsigned bin = 0;

	if (!allocates(c, &a->r))
		return a->r.kind == WS_STORE && c->write == WS_WRITE_EVICT &&
		       a->position <= WS_DISTANCE_MAX ? WS_TYPE_EVICT : WS_TYPE_NONE;
	if (a->position == COLD)
		return WS_TYPE_COLD;
	if (a->position == UNCACHED)
		return WS_TYPE_RELOAD;
	while (bin + 1 < WS_BINS && bin_first(bin + 1) <= a->position)
		bin++;
	return bin;
}

/* ---- the list ------------------------------------------------------------------- */

struct line {
	uint64_t address, used;
	uint32_t ever, fetched;	/* sectors: in this launch; and not thrown out since */
	uint32_t m[REF_SECTORS_MAX];
};

struct list {			/* of one set */
	struct line **at;	/* from the top; NULL: an invalid way */
	size_t depth;
	struct line **line;	/* all there ever were */
	size_t lines;
};

static struct line *line_of(struct list *l, uint64_t address)
{
	for (size_t i = 0; i < l->lines; i++)
		if (l->line[i]->address == address)
			return l->line[i];
	l->line[l->lines] = must(1, sizeof(struct line));
	l->line[l->lines]->address = address;
	return l->line[l->lines++];
}

/* Its position, or depth. */
static size_t find(const struct list *l, const struct line *line)
{
	size_t k = 0;

	while (k < l->depth && l->at[k] != line)
		k++;
	return k;
}

/* Brings the line at k (depth: none) to the top; its time is the latest already. */
static void bring_up(struct list *l, struct line *line, size_t k)
{
	struct line *handed = line;
	size_t hole = find(l, NULL);

	if (hole < k) {
		memmove(l->at + 1, l->at, hole * sizeof *l->at);
		l->at[0] = line;
		if (k < l->depth)
			l->at[k] = NULL;
		return;
	}
	for (size_t p = 0; p < k; p++)
		if (l->at[p]->used < handed->used) {
			struct line *less = l->at[p];

			l->at[p] = handed;
			handed = less;
		}
	l->at[k] = handed;
	l->depth += k == l->depth;
}

static void list_access(struct list *l, const struct ws_cache *c, struct ref_access *a,
			uint64_t now)
{
	struct line *line = line_of(l, a->r.address);
	bool fetches = allocates(c, &a->r);
	size_t k = find(l, line);
	bool there = k < l->depth;

	for (unsigned s = 0; s < REF_SECTORS_MAX && there; s++)
		if (has(line->fetched, s) && line->m[s] < k)
			line->m[s] = (uint32_t)k;
	a->position = there ? (uint32_t)k : fetches && !line->ever ? COLD : UNCACHED;
	for (unsigned s = 0; s < REF_SECTORS_MAX; s++)
		a->m[s] = has(line->fetched, s) ? line->m[s] :
			fetches && !has(line->ever, s) ? COLD : UNCACHED;
	if (fetches) {
		line->used = now;
		bring_up(l, line, k);
		line->ever |= a->asked;
		line->fetched |= a->asked;
		for (unsigned s = 0; s < REF_SECTORS_MAX; s++)
			line->m[s] = has(a->asked, s) ? 0 : line->m[s];
	} else if (there && c->write == WS_WRITE_EVICT) {
		l->at[k] = NULL;
		line->fetched = 0;
	} else if (there) {
		line->used = now;
	}
}

static void atomic_access(struct ref_access *a)
{
	a->position = UNCACHED;
	for (unsigned s = 0; s < REF_SECTORS_MAX; s++)
		a->m[s] = UNCACHED;
}

static void list_set(const struct ws_cache *c, uint64_t set, struct ref_access *a, size_t count)
{
	struct list l = { .at = must(count, sizeof *l.at),
			  .line = must(count, sizeof *l.line) };

	for (size_t i = 0; i < count; i++) {
		if (a[i].set != set)
			continue;
		if (a[i].r.kind == WS_ATOMIC)
			atomic_access(a + i);
		else
			list_access(&l, c, a + i, i + 1);
		settle(a + i);
		a[i].type = type_of(c, a + i);
	}
	for (size_t i = 0; i < l.lines; i++)
		free(l.line[i]);
	free(l.line);
	free(l.at);
}

void ref_listed(const struct ws_cache *cache, const struct ws_request *r, size_t count,
		struct ref_access *a)
{
	for (size_t i = 0; i < count; i++)
		begin(cache, r + i, a + i);
	for (uint64_t set = 0; set < cache->sets; set++)
		list_set(cache, set, a, count);
}

/* ---- caches of every number of ways ------------------------------------------------- */

struct way {
	bool valid;
	uint64_t address, used;
	uint32_t sectors;	/* valid ones */
	uint64_t fetched[REF_SECTORS_MAX]; /* the cycle after; 0: a store brought it */
};

static struct way *resident(struct way *set, unsigned ways, uint64_t address)
{
	for (unsigned w = 0; w < ways; w++)
		if (set[w].valid && set[w].address == address)
			return set + w;
	return NULL;
}

static struct way *victim(struct way *set, unsigned ways)
{
	struct way *oldest = set;

	for (unsigned w = 0; w < ways; w++) {
		if (!set[w].valid)
			return set + w;
		if (set[w].used < oldest->used)
			oldest = set + w;
	}
	return oldest;
}

static void bring(struct way *way, uint32_t asked, uint64_t fetched)
{
	for (unsigned s = 0; s < REF_SECTORS_MAX; s++)
		if (has(asked, s) && !has(way->sectors, s))
			way->fetched[s] = fetched;
	way->sectors |= asked;
}

/* One request in a cache of `ways` ways; notes what it finds that no smaller one had.
 * False if a smaller one had more. */
static bool cache_access(const struct ws_cache *c, struct way *set, unsigned ways,
			 struct ref_access *a, uint64_t now)
{
	struct way *way = resident(set, ways, a->r.address);
	bool nested = way || a->position > WS_DISTANCE_MAX;

	if (way && a->position > WS_DISTANCE_MAX)
		a->position = ways - 1;
	for (unsigned s = 0; s < REF_SECTORS_MAX; s++) {
		bool valid = way && has(way->sectors, s);

		nested = nested && (valid || a->m[s] > WS_DISTANCE_MAX);
		if (valid && a->m[s] > WS_DISTANCE_MAX)
			a->m[s] = ways - 1;
	}
	if (allocates(c, &a->r)) {
		if (!way) {
			way = victim(set, ways);
			*way = (struct way){ .valid = true, .address = a->r.address };
		}
		bring(way, a->asked, a->r.kind == WS_STORE ? 0 : a->r.cycle + 1);
	} else if (way && c->write == WS_WRITE_EVICT) {
		way->valid = false;
	}
	if (way)
		way->used = now;
	return nested;
}

/* What a[i] is where it misses in all caches. */
static void missed(const struct ws_cache *c, struct ref_access *a, size_t i)
{
	bool line = false;
	uint32_t ever = 0;

	for (size_t j = 0; j < i; j++)
		if (a[j].r.address == a[i].r.address && allocates(c, &a[j].r)) {
			line = true;
			ever |= a[j].asked;
		}
	a[i].position = allocates(c, &a[i].r) && !line ? COLD : UNCACHED;
	for (unsigned s = 0; s < REF_SECTORS_MAX; s++)
		a[i].m[s] = allocates(c, &a[i].r) && !has(ever, s) ? COLD : UNCACHED;
}

bool ref_simulated(const struct ws_cache *cache, unsigned ways, const struct ws_request *r,
		   size_t count, struct ref_access *a)
{
	bool nested = true;

	for (size_t i = 0; i < count; i++) {
		begin(cache, r + i, a + i);
		missed(cache, a, i);
	}
	for (unsigned w = 1; w <= ways; w++) {
		struct way *all = must((size_t)cache->sets * w, sizeof *all);

		for (size_t i = 0; i < count; i++)
			if (r[i].kind != WS_ATOMIC)
				nested = cache_access(cache, all + a[i].set * w, w, a + i, i + 1) &&
					 nested;
		free(all);
	}
	for (size_t i = 0; i < count; i++) {
		settle(a + i);
		a[i].type = type_of(cache, a + i);
	}
	return nested;
}

/* Cycles since the last fetch of a sector that a hit asks for. */
static uint64_t interval(const struct ws_cache *c, struct way *set, unsigned ways,
			 const struct ref_access *a)
{
	const struct way *way = resident(set, ways, a->r.address);
	uint64_t last = 0;

	if (!allocates(c, &a->r) || !way || (way->sectors & a->asked) != a->asked)
		return UINT64_MAX;
	for (unsigned s = 0; s < REF_SECTORS_MAX; s++)
		if (has(a->asked, s) && way->fetched[s] > last)
			last = way->fetched[s];
	return last ? a->r.cycle + 1 - last : UINT64_MAX;
}

void ref_intervals(const struct ws_cache *cache, unsigned ways, const struct ws_request *r,
		   size_t count, uint64_t *cycles)
{
	struct way *all = must((size_t)cache->sets * ways, sizeof *all);

	for (size_t i = 0; i < count; i++) {
		struct ref_access a;
		struct way *set;

		begin(cache, r + i, &a);
		set = all + a.set * ways;
		cycles[i] = interval(cache, set, ways, &a);
		if (r[i].kind != WS_ATOMIC)
			cache_access(cache, set, ways, &a, i + 1);
	}
	free(all);
}
