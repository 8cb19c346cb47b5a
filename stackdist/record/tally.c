/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * stackdist/record/tally.c -- histograms that grow while they are counted (tally.h).
 */
#include "stackdist/record/tally.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static bool enlarge_array(uint64_t **array, size_t *cap, size_t from, size_t to)
{
	if (!WS_ROOM(*array, *cap, to))
		return false;
	memset(*array + from, 0, (to - from) * sizeof **array);
	return true;
}

bool ws_tally_grow(struct ws_distance_tally *t, uint32_t cell)
{
	size_t len = (size_t)cell + 1;

	if (!enlarge_array(&t->distance, &t->distance_cap, t->len, len) ||
	    (!t->full && !enlarge_array(&t->capacity, &t->capacity_cap, t->len, len)))
		return false;
	t->len = len;
	return true;
}

bool ws_tally_grow_sector(struct ws_distance_tally *t, uint32_t cell)
{
	size_t len = (size_t)cell + 1;

	if (!enlarge_array(&t->sector, &t->sector_cap, t->sector_len, len))
		return false;
	t->sector_len = len;
	return true;
}

void ws_tally_clear(struct ws_distance_tally *t)
{
	free(t->distance);
	free(t->capacity);
	free(t->sector);
	memset(t, 0, sizeof *t);
}

bool ws_tally_add(struct ws_distance_tally *to, struct ws_distance_tally *from)
{
	assert(!to->full && !from->full);
	if ((from->len > to->len && !ws_tally_grow(to, (uint32_t)from->len - 1)) ||
	    (from->sector_len > to->sector_len &&
	     !ws_tally_grow_sector(to, (uint32_t)from->sector_len - 1)))
		return false;
	for (size_t i = 0; i < from->len; i++) {
		to->distance[i] += from->distance[i];
		to->capacity[i] += from->capacity[i];
	}
	for (size_t i = 0; i < from->sector_len; i++)
		to->sector[i] += from->sector[i];
	to->cold += from->cold;
	to->uncached += from->uncached;
	to->sector_cold += from->sector_cold;
	to->sector_uncached += from->sector_uncached;
	ws_tally_clear(from);
	return true;
}

static bool make_room_in_histogram(struct ws_histogram *h, const struct ws_distance_tally *t)
{
	if (t->len > h->len) {
		size_t distance_cap = h->len, capacity_cap = h->len;

		if (!enlarge_array(&h->distance, &distance_cap, h->len, t->len) ||
		    !enlarge_array(&h->capacity, &capacity_cap, h->len, t->len))
			return false;
		h->len = t->len;
	}
	if (t->sector_len > h->sector_len) {
		size_t cap = h->sector_len;

		if (!enlarge_array(&h->sector, &cap, h->sector_len, t->sector_len))
			return false;
		h->sector_len = t->sector_len;
	}
	return true;
}

bool ws_tally_take(struct ws_histogram *h, struct ws_distance_tally *t, uint64_t *sum)
{
	if (!make_room_in_histogram(h, t))
		return false;
	for (size_t i = 0; i < t->len; i++) {
		h->distance[i] += t->distance[i];
		h->capacity[i] += t->full ? t->distance[i] : t->capacity[i];
		*sum += t->distance[i];
	}
	for (size_t i = 0; i < t->sector_len; i++) {
		h->sector[i] += t->sector[i];
		h->sectors += t->sector[i];
	}
	h->cold += t->cold;
	h->uncached += t->uncached;
	h->sector_cold += t->sector_cold;
	h->sector_uncached += t->sector_uncached;
	h->sectors += t->sector_cold + t->sector_uncached;
	*sum += t->cold + t->uncached;
	ws_tally_clear(t);
	return true;
}
