/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * stackdist/stack/invalid_ways.c -- the invalid ways of a set, newest first (invalid_ways.h).
 */
#include "stackdist/stack/invalid_ways.h"

#include <stdlib.h>
#include <string.h>

bool ws_invalid_ways_grow(struct ws_invalid_ways *h)
{
	return WS_ROOM(h->heap, h->cap, h->count + 1);
}

void ws_invalid_ways_push(struct ws_invalid_ways *h, uint32_t slot)
{
	size_t i = h->count++;

	while (i > 0 && h->heap[(i - 1) / 2] < slot) {
		h->heap[i] = h->heap[(i - 1) / 2];
		i = (i - 1) / 2;
	}
	h->heap[i] = slot;
}

/* Puts slot at the root and lets it sink. */
static void sink(struct ws_invalid_ways *h, uint32_t slot)
{
	size_t i = 0, child;

	while ((child = 2 * i + 1) < h->count) {
		if (child + 1 < h->count && h->heap[child + 1] > h->heap[child])
			child++;
		if (h->heap[child] <= slot)
			break;
		h->heap[i] = h->heap[child];
		i = child;
	}
	h->heap[i] = slot;
}

uint32_t ws_invalid_ways_pop(struct ws_invalid_ways *h)
{
	uint32_t newest = h->heap[0], last = h->heap[--h->count];

	if (h->count)
		sink(h, last);
	return newest;
}

uint32_t ws_invalid_ways_swap(struct ws_invalid_ways *h, uint32_t slot)
{
	uint32_t newest = h->heap[0];

	sink(h, slot);
	return newest;
}

void ws_invalid_ways_clear(struct ws_invalid_ways *h)
{
	free(h->heap);
	memset(h, 0, sizeof *h);
}
