/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/opencl/handles.c -- a hash table of handles, chained, doubled when as full as it is long.
 */
#include "trace/opencl/layer.h"

#include <stdlib.h>

static size_t slot(const struct ws_handles *t, const void *key)
{
	return (size_t)((uint64_t)(uintptr_t)key * UINT64_C(0x9e3779b97f4a7c15) >> 20) &
	       (t->buckets - 1);
}

static bool grow(struct ws_handles *t)
{
	size_t before = t->buckets;
	struct ws_handle **old = t->bucket, **new;

	new = ws_alloc_zero(before ? 2 * before : 64, sizeof(struct ws_handle *));
	if (!new)
		return before > 0;
	t->bucket = new;
	t->buckets = before ? 2 * before : 64;
	for (size_t i = 0; i < before; i++) {
		for (struct ws_handle *h = old[i], *next; h; h = next) {
			size_t at = slot(t, h->key);

			next = h->next;
			h->next = new[at];
			new[at] = h;
		}
	}
	free(old);
	return true;
}

struct ws_handle *ws_handles_put(struct ws_handles *t, struct ws_handle *h)
{
	struct ws_handle *before = ws_handles_get(t, h->key);
	size_t at;

	if (before)
		ws_handles_remove(t, before);
	if (t->count >= t->buckets && !grow(t))
		return before;
	at = slot(t, h->key);
	h->next = t->bucket[at];
	t->bucket[at] = h;
	t->count++;
	return before;
}

struct ws_handle *ws_handles_get(const struct ws_handles *t, const void *key)
{
	struct ws_handle *h = t->buckets ? t->bucket[slot(t, key)] : NULL;

	while (h && h->key != key)
		h = h->next;
	return h;
}

void ws_handles_remove(struct ws_handles *t, const struct ws_handle *h)
{
	struct ws_handle **at = t->buckets ? &t->bucket[slot(t, h->key)] : NULL;

	while (at && *at && *at != h)
		at = &(*at)->next;
	if (at && *at) {
		*at = h->next;
		t->count--;
	}
}
