/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * base/map.c -- see map.h.
 */
#include "base/map.h"

#include <stdlib.h>

#define SLOTS_MIN 64u
#define SLOTS_SPARE 64u	/* slots a record beyond which clearing them costs too much */

bool ws_map_grow(struct ws_map *m, const void *record, size_t size, size_t need)
{
	struct ws_map grown = { .slots = m->slots ? m->slots : SLOTS_MIN };

	if (need >= WS_MAP_NONE)
		return false;
	while (grown.slots < 2 * need)
		grown.slots *= 2;
	grown.shift = 64 - ws_log2(grown.slots);
	grown.slot = ws_alloc_zero(grown.slots, sizeof *grown.slot);
	if (!grown.slot)
		return false;
	for (size_t i = 0; i < m->slots; i++) {
		if (m->slot[i])
			*ws_map_slot(&grown, record, size,
				     ws_map_key(record, size, m->slot[i] - 1)) = m->slot[i];
	}
	free(m->slot);
	*m = grown;
	return true;
}

/* The slots that follow are moved back where their probes pass the gap. */
void ws_map_remove(struct ws_map *m, const void *record, size_t size, uint32_t number)
{
	size_t mask = m->slots - 1, gap = ws_map_home(m, ws_map_key(record, size, number));

	while (m->slot[gap] != number + 1)
		gap = (gap + 1) & mask;
	for (size_t i = (gap + 1) & mask; m->slot[i]; i = (i + 1) & mask) {
		size_t home = ws_map_home(m, ws_map_key(record, size, m->slot[i] - 1));

		if (((i - home) & mask) >= ((i - gap) & mask)) {
			m->slot[gap] = m->slot[i];
			gap = i;
		}
	}
	m->slot[gap] = 0;
}

void ws_map_flush(struct ws_map *m, size_t count)
{
	if (count < m->slots / SLOTS_SPARE)
		ws_map_clear(m);
	else if (m->slots)
		memset(m->slot, 0, m->slots * sizeof *m->slot);
}

void ws_map_clear(struct ws_map *m)
{
	free(m->slot);
	*m = (struct ws_map){ 0 };
}

uint32_t ws_keys_add(struct ws_keys *keys, uint64_t key)
{
	uint32_t *slot;

	if (!ws_map_room(&keys->map, keys->key, sizeof *keys->key, keys->count + 1) ||
	    !WS_ROOM(keys->key, keys->cap, keys->count + 1))
		return WS_MAP_NONE;
	slot = ws_map_slot(&keys->map, keys->key, sizeof *keys->key, key);
	if (!*slot) {
		keys->key[keys->count++] = key;
		*slot = (uint32_t)keys->count;
	}
	return *slot - 1;
}

void ws_keys_clear(struct ws_keys *keys)
{
	free(keys->key);
	ws_map_clear(&keys->map);
	*keys = (struct ws_keys){ 0 };
}
