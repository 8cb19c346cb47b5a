/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * base/heap.h -- what comes first of many: a binary heap; not installed.
 *
 * The item of the smallest key is on top, of equal keys that of the smallest id; so an order of
 * items does not depend on how they came.  Only item[1] and item[2] can follow it.
 *
 * push, pop, change_top   O(log count)
 */
#ifndef WS_BASE_HEAP_H
#define WS_BASE_HEAP_H

#include "base/base.h"

#include <assert.h>
#include <stdlib.h>

struct ws_heap_item {
	uint64_t key;		/* a cycle */
	size_t id;		/* whose */
};

struct ws_heap {		/* all zero: empty */
	struct ws_heap_item *item;
	size_t count, cap;
};

static inline bool ws_heap_before(const struct ws_heap_item *a, const struct ws_heap_item *b)
{
	return a->key < b->key || (a->key == b->key && a->id < b->id);
}

/* Room for `need` items in all; false: out of memory. */
static inline bool ws_heap_room(struct ws_heap *h, size_t need)
{
	return WS_ROOM(h->item, h->cap, need);
}

/* There must be room. */
static inline void ws_heap_push(struct ws_heap *h, uint64_t key, size_t id)
{
	struct ws_heap_item new_item = { key, id }, *item = h->item;
	size_t i = h->count++;

	assert(h->count <= h->cap);
	for (; i && ws_heap_before(&new_item, &item[(i - 1) / 2]); i = (i - 1) / 2)
		item[i] = item[(i - 1) / 2];
	item[i] = new_item;
}

/* Puts `sinking` in the place of the top. */
static inline void ws_heap_replace_top(struct ws_heap *h, struct ws_heap_item sinking)
{
	struct ws_heap_item *item = h->item;
	size_t i = 0;

	for (size_t child; (child = 2 * i + 1) < h->count; i = child) {
		child += child + 1 < h->count && ws_heap_before(&item[child + 1], &item[child]);
		if (!ws_heap_before(&item[child], &sinking))
			break;
		item[i] = item[child];
	}
	item[i] = sinking;
}

static inline void ws_heap_change_top(struct ws_heap *h, uint64_t key)
{
	assert(h->count);
	ws_heap_replace_top(h, (struct ws_heap_item){ key, h->item[0].id });
}

/* Takes the top out and returns its id; the heap must not be empty. */
static inline size_t ws_heap_pop(struct ws_heap *h)
{
	size_t id = h->item[0].id;

	assert(h->count);
	if (--h->count)
		ws_heap_replace_top(h, h->item[h->count]);
	return id;
}

static inline void ws_heap_clear(struct ws_heap *h) /* frees */
{
	free(h->item);
	*h = (struct ws_heap){ 0 };
}

#endif
