/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * stackdist/stack/invalid_ways.h -- private: the invalid ways that write-evict stores leave in a
 * set.
 *
 * An invalid way is an occupied slot without a line.  Only the newest one is ever
 * filled, so a binary heap with the largest slot on top holds them all.
 * Renumbering keeps the order of slots, hence the heap.  It is not base/heap.h: a set may have
 * as many invalid ways as lines, and they take 4 bytes each here, 16 there.
 *
 * push, swap, pop   O(log invalid ways)
 */
#ifndef WS_STACKDIST_INVALID_WAYS_H
#define WS_STACKDIST_INVALID_WAYS_H

#include "base/base.h"

struct ws_invalid_ways {		/* all zero: none */
	uint32_t *heap;		/* heap[0]: the newest */
	size_t count, cap;
};

bool ws_invalid_ways_grow(struct ws_invalid_ways *h);

/* Room for one more; false: out of memory. */
static inline bool ws_invalid_ways_room(struct ws_invalid_ways *h)
{
	return h->count < h->cap || ws_invalid_ways_grow(h);
}

void ws_invalid_ways_push(struct ws_invalid_ways *h, uint32_t slot);
uint32_t ws_invalid_ways_pop(struct ws_invalid_ways *h); /* the newest, which leaves */
uint32_t ws_invalid_ways_swap(struct ws_invalid_ways *h, uint32_t slot); /* pop, then push(slot) */
void ws_invalid_ways_clear(struct ws_invalid_ways *h);

#endif
