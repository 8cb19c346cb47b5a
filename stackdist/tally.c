/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * stackdist/tally.c -- histograms that grow while they are counted (tally.h).
 */
#include "stackdist/tally.h"

#include <stdlib.h>
#include <string.h>

static bool enlarge(uint64_t **array, size_t *cap, size_t from, size_t to)
{
	uint64_t *grown = ws_grow(*array, cap, to, sizeof(*grown));

	if (!grown)
		return false;
	*array = grown;
	memset(grown + from, 0, (to - from) * sizeof(*grown));
	return true;
}

bool ws_tally_count(struct ws_tally *t, uint32_t d, uint64_t capacity)
{
	if (d > WS_DISTANCE_MAX) {
		t->cold += d == WS_DISTANCE_COLD;
		t->uncached += d == WS_DISTANCE_UNCACHED;
		return true;
	}
	if (d >= t->len) {
		size_t len = (size_t)d + 1;

		if (!enlarge(&t->distance, &t->distance_cap, t->len, len) ||
		    !enlarge(&t->capacity, &t->capacity_cap, t->len, len))
			return false;
		t->len = len;
	}
	t->distance[d]++;
	t->capacity[d < capacity ? d : capacity]++;
	return true;
}

void ws_tally_clear(struct ws_tally *t)
{
	free(t->distance);
	free(t->capacity);
	memset(t, 0, sizeof(*t));
}

bool ws_tally_take(struct ws_histogram *h, struct ws_tally *t, uint64_t *sum)
{
	if (t->len > h->len) {
		size_t distance_cap = h->len, capacity_cap = h->len;

		if (!enlarge(&h->distance, &distance_cap, h->len, t->len) ||
		    !enlarge(&h->capacity, &capacity_cap, h->len, t->len))
			return false;
		h->len = t->len;
	}
	for (size_t i = 0; i < t->len; i++) {
		h->distance[i] += t->distance[i];
		h->capacity[i] += t->capacity[i];
		*sum += t->distance[i];
	}
	h->cold += t->cold;
	h->uncached += t->uncached;
	*sum += t->cold + t->uncached;
	ws_tally_clear(t);
	return true;
}
