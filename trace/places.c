/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/places.c -- see places.h.
 */
#include "trace/places.h"

#include <stdlib.h>
#include <string.h>

static int by_base(const void *a, const void *b)
{
	const struct ws_array *x = *(const struct ws_array *const *)a;
	const struct ws_array *y = *(const struct ws_array *const *)b;

	return x->base != y->base ? (x->base > y->base) - (x->base < y->base)
				  : (x > y) - (x < y);
}

static size_t directs(const struct ws_places *p)
{
	return (p->launch->instructions + 1) * p->kinds;
}

bool ws_places_init(struct ws_places *p, const struct ws_launch *launch, unsigned kinds)
{
	*p = (struct ws_places){ .launch = launch, .kinds = kinds };
	p->direct = ws_alloc(directs(p), sizeof *p->direct);
	p->order = ws_alloc(launch->arrays + 1, sizeof *p->order);
	if (!p->direct || !p->order)
		return false;
	memset(p->direct, 0xff, directs(p) * sizeof *p->direct);
	for (size_t i = 0; i < launch->arrays; i++)
		if (launch->array[i].bytes)
			p->order[p->arrays++] = &launch->array[i];
	qsort(p->order, p->arrays, sizeof *p->order, by_base);
	return true;
}

void ws_places_clear(struct ws_places *p)
{
	ws_keys_clear(&p->key);
	free(p->direct);
	free(p->order);
	*p = (struct ws_places){ 0 };
}

void ws_places_merge(struct ws_places *p, bool all_arrays, bool all_instructions)
{
	p->all_arrays = all_arrays;
	p->all_instructions = all_instructions;
	ws_keys_flush(&p->key);
	memset(p->direct, 0xff, directs(p) * sizeof *p->direct);
}

/* ---- arrays by address --------------------------------------------------------------------- */

/* order[i] is the last array that begins at or below the address. */
static bool is_last(const struct ws_places *p, size_t i, uint64_t address)
{
	return p->order[i]->base <= address &&
	       (i + 1 == p->arrays || p->order[i + 1]->base > address);
}

static uint32_t array_at(struct ws_places *p, uint64_t address)
{
	size_t low = 0, high = p->arrays;

	if (!p->arrays)
		return WS_NO_ARRAY;
	if (is_last(p, p->near, address))
		low = high = p->near + 1;
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (p->order[middle]->base <= address)
			low = middle + 1;
		else
			high = middle;
	}
	if (!low || address - p->order[low - 1]->base >= p->order[low - 1]->bytes)
		return WS_NO_ARRAY;
	p->near = low - 1;
	return (uint32_t)(p->order[low - 1] - p->launch->array);
}

/* ---- places -------------------------------------------------------------------------------- */

/* Instructions are at most 2^24 (WST_ITEMS_MAX) and kinds few. */
static uint64_t key_of(const struct ws_places *p, struct ws_place place)
{
	return ((uint64_t)place.instruction * p->kinds + place.kind) << 32 | place.array;
}

struct ws_place ws_places_get(const struct ws_places *p, size_t number)
{
	uint64_t key = p->key.key[number], which = key >> 32;

	return (struct ws_place){ .instruction = (uint32_t)(which / p->kinds),
				  .array = (uint32_t)key, .kind = (unsigned)(which % p->kinds) };
}

/* The instruction's own array, or WS_NO_ARRAY. */
static uint32_t own_array(const struct ws_launch *l, uint32_t instruction)
{
	uint32_t array = instruction < l->instructions ? l->instruction[instruction].array
						       : WS_NO_ARRAY;

	return array < l->arrays ? array : WS_NO_ARRAY;
}

uint32_t ws_places_put(struct ws_places *p, struct ws_place place)
{
	uint32_t none = (uint32_t)p->launch->instructions, number;
	uint32_t instruction = place.instruction < none ? place.instruction : none;
	bool only = p->all_arrays || own_array(p->launch, instruction) != WS_NO_ARRAY;

	place.instruction = p->all_instructions ? none : instruction;
	if (p->all_arrays)
		place.array = WS_NO_ARRAY;
	number = ws_keys_add(&p->key, key_of(p, place));
	if (only && number != WS_MAP_NONE)
		p->direct[(size_t)instruction * p->kinds + place.kind] = number;
	return number;
}

uint32_t ws_places_new(struct ws_places *p, uint32_t instruction, unsigned kind, uint64_t address)
{
	uint32_t array = own_array(p->launch, instruction);

	if (array == WS_NO_ARRAY && !p->all_arrays)
		array = array_at(p, address);
	return ws_places_put(p, (struct ws_place){ instruction, array, kind });
}
