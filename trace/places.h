/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/places.h -- where requests come from, for counts by instruction and array; not installed.
 *
 * A *place* is an instruction, a kind and an array of a launch; those that occur are numbered as
 * they occur, from 0.  The array is the instruction's own where it is known to have one, else the
 * one that holds the address: of arrays that overlap the one that begins last or none, whatever
 * was asked for before.
 *
 * ws_places_init   O(instructions + arrays log arrays)
 * ws_places_at     O(1) expected where the instruction has its own array, else O(log arrays)
 */
#ifndef WS_TRACE_PLACES_H
#define WS_TRACE_PLACES_H

#include "base/map.h"
#include "trace/trace.h"

struct ws_place {
	uint32_t instruction;	/* launch->instructions: none of the table, or not told apart */
	uint32_t array;		/* WS_NO_ARRAY: none, or not told apart */
	unsigned kind;
};

struct ws_places {
	const struct ws_launch *launch;
	unsigned kinds;		/* kind is below it */
	bool all_arrays, all_instructions; /* not told apart */
	struct ws_keys key;	/* of places, by number; key.count are there */
	uint32_t *direct;	/* [instruction * kinds + kind]: the only one, or WS_MAP_NONE */
	const struct ws_array **order; /* arrays that are not empty, by ascending base */
	size_t arrays, near;	/* of them; where the last address was found */
};

/* The launch must stay as it is.  False: out of memory; *p is to be cleared then, too. */
bool ws_places_init(struct ws_places *p, const struct ws_launch *launch, unsigned kinds);
void ws_places_clear(struct ws_places *p);
/* No place is there any more, and these are not told apart from now on. */
void ws_places_merge(struct ws_places *p, bool all_arrays, bool all_instructions);

struct ws_place ws_places_get(const struct ws_places *p, size_t number);
/* The number of a place; WS_MAP_NONE: out of memory. */
uint32_t ws_places_put(struct ws_places *p, struct ws_place place);
uint32_t ws_places_new(struct ws_places *p, uint32_t instruction, unsigned kind, uint64_t address);

/* The same if it follows from instruction and kind, else WS_MAP_NONE. */
static inline uint32_t ws_places_known(const struct ws_places *p, uint32_t instruction,
				       unsigned kind)
{
	return instruction < p->launch->instructions
		? p->direct[(size_t)instruction * p->kinds + kind] : WS_MAP_NONE;
}

static inline uint32_t ws_places_at(struct ws_places *p, uint32_t instruction, unsigned kind,
				    uint64_t address)
{
	uint32_t known = ws_places_known(p, instruction, kind);

	return known != WS_MAP_NONE ? known : ws_places_new(p, instruction, kind, address);
}

#endif
