/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * base/map.h -- records found by a 64-bit key; not installed.
 *
 * The records are the caller's array, numbered from 0, and each begins with its key: `record` and
 * `size` below are the array (NULL while there is none) and the bytes of an element.  The map keeps
 * numbers alone, 4 bytes a slot, at most half of them in use: open addressing with linear probing
 * after a multiplication by the golden ratio (Knuth 1973, 6.4).  What is removed leaves no mark, as
 * the slots after it are moved back.  There is no order: walk the array instead.
 *
 * A record told apart by more than 64 bits has a hash as its key (ws_map_mix); where another record
 * has that key, the next is tried, so that keys differ.  Such records are not removed.
 *
 * ws_map_slot, ws_map_find, ws_map_remove   O(1) expected
 * ws_map_room                               O(1) amortised
 * memory                                    8 to 16 bytes a record
 */
#ifndef WS_BASE_MAP_H
#define WS_BASE_MAP_H

#include "base/base.h"

#include <string.h>

#define WS_MAP_NONE UINT32_MAX
#define WS_MAP_GOLDEN UINT64_C(0x9e3779b97f4a7c15)

struct ws_map {			/* all zero: empty */
	uint32_t *slot;		/* number of a record + 1; 0: free */
	size_t slots;		/* 0 or a power of two */
	unsigned shift;		/* 64 - log2(slots) */
};

static inline size_t ws_map_home(const struct ws_map *m, uint64_t key)
{
	return (size_t)(key * WS_MAP_GOLDEN >> m->shift);
}

static inline uint64_t ws_map_key(const void *record, size_t size, uint32_t number)
{
	uint64_t key;

	memcpy(&key, (const char *)record + number * size, sizeof key);
	return key;
}

/* The slot that holds 1 + the number of the record of that key, or the one, 0, where the caller may
 * put it.  There must have been room for one record. */
static inline uint32_t *ws_map_slot(const struct ws_map *m, const void *record, size_t size,
				    uint64_t key)
{
	size_t i = ws_map_home(m, key);

	while (m->slot[i] && ws_map_key(record, size, m->slot[i] - 1) != key)
		i = (i + 1) & (m->slots - 1);
	return &m->slot[i];
}

/* The number of the record of that key, or WS_MAP_NONE. */
static inline uint32_t ws_map_find(const struct ws_map *m, const void *record, size_t size,
				   uint64_t key)
{
	return m->slots ? *ws_map_slot(m, record, size, key) - 1 : WS_MAP_NONE;
}

bool ws_map_grow(struct ws_map *m, const void *record, size_t size, size_t need);

/* Makes room for `need` records in all; slots that were found move.  False: out of memory, or more
 * than 2^32 - 1 records. */
static inline bool ws_map_room(struct ws_map *m, const void *record, size_t size, size_t need)
{
	return 2 * need <= m->slots || ws_map_grow(m, record, size, need);
}

/* Takes out a record that is in it. */
void ws_map_remove(struct ws_map *m, const void *record, size_t size, uint32_t number);
/* Empties it; `count` records were in it.  Keeps the memory unless it is too much for so few. */
void ws_map_flush(struct ws_map *m, size_t count);
void ws_map_clear(struct ws_map *m); /* frees */

/* A hash of what h is one of and v. */
static inline uint64_t ws_map_mix(uint64_t h, uint64_t v)
{
	h = (h ^ v) * WS_MAP_GOLDEN;
	return h ^ h >> 29;
}

/* ---- a set: distinct keys, numbered in the order in which they came ------------------------ */

struct ws_keys {		/* all zero: empty */
	uint64_t *key;		/* [count] */
	size_t count, cap;
	struct ws_map map;
};

/* The key's number, which is keys->count - 1 of a new one; WS_MAP_NONE: out of memory. */
uint32_t ws_keys_add(struct ws_keys *keys, uint64_t key);
/* Empties it and keeps the memory, as ws_map_flush. */
static inline void ws_keys_flush(struct ws_keys *keys)
{
	ws_map_flush(&keys->map, keys->count);
	keys->count = 0;
}

void ws_keys_clear(struct ws_keys *keys); /* frees */

#endif
