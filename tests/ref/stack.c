/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/ref/stack.c -- stack distances the slow way (stack.h).
 */
#include "tests/ref/stack.h"

#include <stdlib.h>
#include <string.h>

struct way {
	bool valid;
	uint64_t address, used;
	uint32_t sectors;	/* valid ones, of 32 B */
};

static void *must(size_t count, size_t size)
{
	void *p = calloc(count ? count : 1, size);

	if (!p)
		abort();
	return p;
}

/* The 32 B sectors that come along when these are asked for. */
static uint32_t widen(const struct ws_cache *cache, uint32_t asked)
{
	uint64_t group = cache->sector_bytes / 32;
	uint32_t wide = 0;

	if (cache->sector_bytes == cache->line_bytes)
		return UINT32_MAX;
	for (uint64_t at = 0; at < cache->line_bytes / 32; at += group) {
		uint32_t mask = (((uint32_t)1 << group) - 1) << at;

		wide |= asked & mask ? mask : 0;
	}
	return wide;
}

static bool brings_in(const struct ws_cache *cache, const struct ws_request *r)
{
	return r->kind == WS_LOAD ||
	       (r->kind == WS_STORE && (cache->write == WS_WRITE_BACK ||
					cache->write == WS_WRITE_THROUGH_ALLOCATE));
}

static struct way *lookup(struct way *set, unsigned ways, uint64_t address)
{
	for (unsigned w = 0; w < ways; w++)
		if (set[w].valid && set[w].address == address)
			return set + w;
	return NULL;
}

static struct way *place(struct way *set, unsigned ways)
{
	struct way *oldest = set;

	for (unsigned w = 0; w < ways; w++)
		if (!set[w].valid)
			return set + w;
	for (unsigned w = 1; w < ways; w++)
		if (set[w].used < oldest->used)
			oldest = set + w;
	return oldest;
}

static bool access(const struct ws_cache *cache, struct way *set, unsigned ways,
		   const struct ws_request *r, uint64_t now)
{
	struct way *way = lookup(set, ways, r->address);
	uint32_t asked = widen(cache, r->sectors);
	bool hit = way && (way->sectors & asked) == asked;

	if (r->kind == WS_ATOMIC)
		return false;
	if (!way && !brings_in(cache, r))
		return false;
	if (!way) {
		way = place(set, ways);
		*way = (struct way){ true, r->address, now, 0 };
	}
	way->used = now;
	if (brings_in(cache, r))
		way->sectors |= asked;
	else if (cache->write == WS_WRITE_EVICT)
		way->valid = false;
	return hit;
}

void ref_simulate(const struct ws_cache *cache, unsigned ways, const struct ws_request *r,
		  size_t count, bool *hit)
{
	struct way *all = must((size_t)cache->sets * ways, sizeof *all);

	for (size_t i = 0; i < count; i++)
		hit[i] = access(cache, all + ws_set_index(cache, r[i].address) * ways, ways,
				r + i, i + 1);
	free(all);
}

/* Was every sector that request i asks for brought in before? */
static bool fetched_before(const struct ws_cache *cache, const struct ws_request *r, size_t i)
{
	uint32_t fetched = 0, asked = widen(cache, r[i].sectors);
	bool line = false;

	for (size_t j = 0; j < i; j++)
		if (r[j].address == r[i].address && brings_in(cache, r + j)) {
			fetched |= widen(cache, r[j].sectors);
			line = true;
		}
	return line && (fetched & asked) == asked;
}

bool ref_distances(const struct ws_cache *cache, unsigned ways, const struct ws_request *r,
		   size_t count, uint32_t *distance)
{
	bool *hit = must(count, sizeof *hit), *before = must(count, sizeof *before);
	bool nested = true;

	for (size_t i = 0; i < count; i++)
		distance[i] = brings_in(cache, r + i) && !fetched_before(cache, r, i) ?
			WS_DISTANCE_COLD : WS_DISTANCE_UNCACHED;
	for (unsigned w = 1; w <= ways; w++) {
		ref_simulate(cache, w, r, count, hit);
		for (size_t i = 0; i < count; i++) {
			if (hit[i] && !before[i])
				distance[i] = w - 1;
			nested = nested && (hit[i] || !before[i]);
			before[i] = hit[i];
		}
	}
	free(hit);
	free(before);
	return nested;
}

void ref_list_distances(const struct ws_request *r, size_t count, uint32_t *distance)
{
	uint64_t *list = must(count, sizeof *list);
	size_t depth = 0;

	for (size_t i = 0; i < count; i++) {
		size_t d = 0;

		while (d < depth && list[d] != r[i].address)
			d++;
		distance[i] = d < depth ? (uint32_t)d : WS_DISTANCE_COLD;
		depth += d == depth;
		memmove(list + 1, list, d * sizeof *list);
		list[0] = r[i].address;
	}
	free(list);
}
