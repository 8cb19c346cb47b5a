/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * stackdist/stack/invalid_ways.h -- private: the holes that write-evict stores leave in a set.
 *
 * A hole is an occupied slot without a line.  Only the newest one is ever
 * filled, so a binary heap with the largest slot on top holds them all.
 * Renumbering keeps the order of slots, hence the heap.  It is not base/heap.h: a set may have
 * as many holes as lines, and they take 4 bytes each here, 16 there.
 *
 * push, swap, pop   O(log holes)
 */
#ifndef WS_STACKDIST_HOLES_H
#define WS_STACKDIST_HOLES_H

#include "base/base.h"

struct ws_holes {		/* all zero: none */
	uint32_t *heap;		/* heap[0]: the newest */
	size_t count, cap;
};

bool ws_holes_grow(struct ws_holes *h);

/* Room for one more; false: out of memory. */
static inline bool ws_holes_room(struct ws_holes *h)
{
	return h->count < h->cap || ws_holes_grow(h);
}

void ws_holes_push(struct ws_holes *h, uint32_t slot);
uint32_t ws_holes_pop(struct ws_holes *h); /* the newest, which leaves */
uint32_t ws_holes_swap(struct ws_holes *h, uint32_t slot); /* pop, then push(slot) */
void ws_holes_clear(struct ws_holes *h);

#endif
