/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/opencl/handles.c -- records of a platform's objects, found by handle.
 */
#include "trace/opencl/layer.h"

static uint32_t find(const struct ws_handles *t, const void *key)
{
	return ws_map_find(&t->map, t->entry, sizeof *t->entry, (uint64_t)(uintptr_t)key);
}

struct ws_handle *ws_handles_get(const struct ws_handles *t, const void *key)
{
	uint32_t number = find(t, key);

	return number == WS_MAP_NONE ? NULL : t->entry[number].handle;
}

struct ws_handle *ws_handles_put(struct ws_handles *t, struct ws_handle *h)
{
	struct ws_handle *before = ws_handles_get(t, h->key);
	uint64_t key = (uint64_t)(uintptr_t)h->key;

	if (before)
		ws_handles_remove(t, before);
	if (!ws_map_room(&t->map, t->entry, sizeof *t->entry, t->count + 1) ||
	    !WS_ROOM(t->entry, t->cap, t->count + 1))
		return before;
	t->entry[t->count++] = (struct ws_handle_entry){ key, h };
	*ws_map_slot(&t->map, t->entry, sizeof *t->entry, key) = (uint32_t)t->count;
	return before;
}

/* The last entry takes its place. */
void ws_handles_remove(struct ws_handles *t, const struct ws_handle *h)
{
	uint32_t number = find(t, h->key);

	if (number == WS_MAP_NONE || t->entry[number].handle != h)
		return;
	ws_map_remove(&t->map, t->entry, sizeof *t->entry, number);
	if (number < --t->count) {
		const struct ws_handle_entry *last = &t->entry[t->count];

		*ws_map_slot(&t->map, t->entry, sizeof *last, last->key) = number + 1;
		t->entry[number] = *last;
	}
}
