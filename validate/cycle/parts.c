/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * validate/cycle/parts.c -- counts by instruction and array.
 *
 * Parts are made as they occur and stay where they are, in chunks.  That of an instruction with one
 * array is found in a table by instruction, others in a hash table.  If memory is out what is
 * counted goes to a part of its own and the table is marked; adding it up then fails.
 */
#include "validate/cycle/run.h"

#include <stdlib.h>
#include <string.h>

#define CHUNK 64u
#define NONE UINT32_MAX

struct ws_part_table {
	const struct ws_launch *launch;
	struct ws_cycle_part **chunk;	/* of CHUNK parts each */
	size_t count, chunks;		/* parts; room for chunks */
	uint32_t *direct;		/* [instruction]: part, or NONE */
	uint32_t *slot;			/* open addressing: part, or NONE */
	size_t slots;			/* power of two, at most half full */
	const struct ws_array **order;	/* those that are not empty, by ascending base */
	size_t arrays, near;		/* of them; where the last address was found */
	struct ws_cycle_part lost;
	bool failed;
};

static int by_base(const void *a, const void *b)
{
	const struct ws_array *x = *(const struct ws_array *const *)a;
	const struct ws_array *y = *(const struct ws_array *const *)b;

	return x->base != y->base ? (x->base > y->base) - (x->base < y->base)
				  : (x > y) - (x < y);
}

enum ws_status ws_parts_new(struct ws_part_table **out, const struct ws_launch *launch,
			    struct ws_err *err)
{
	struct ws_part_table *p = ws_alloc_zero(1, sizeof *p);

	if (!p)
		return ws_fail_memory(err, "counts by instruction");
	p->launch = launch;
	p->slots = 64;
	p->direct = ws_alloc(launch->instructions + 1, sizeof *p->direct);
	p->slot = ws_alloc(p->slots, sizeof *p->slot);
	p->order = ws_alloc(launch->arrays + 1, sizeof(*p->order));
	if (!p->direct || !p->slot || !p->order) {
		ws_parts_free(p);
		return ws_fail_memory(err, "counts by instruction");
	}
	memset(p->direct, 0xff, (launch->instructions + 1) * sizeof *p->direct);
	memset(p->slot, 0xff, p->slots * sizeof *p->slot);
	for (size_t i = 0; i < launch->arrays; i++) {
		if (launch->array[i].bytes)
			p->order[p->arrays++] = &launch->array[i];
	}
	qsort(p->order, p->arrays, sizeof(*p->order), by_base);
	*out = p;
	return WS_OK;
}

void ws_parts_free(struct ws_part_table *p)
{
	if (!p)
		return;
	for (size_t i = 0; i * CHUNK < p->count; i++)
		free(p->chunk[i]);
	free(p->chunk);
	free(p->direct);
	free(p->slot);
	free(p->order);
	free(p);
}

/* ---- arrays by address ----------------------------------------------------------------- */

/* order[i] is the last array that begins at or below the address. */
static bool is_last(const struct ws_part_table *p, size_t i, uint64_t address)
{
	return p->order[i]->base <= address &&
	       (i + 1 == p->arrays || p->order[i + 1]->base > address);
}

/* Of arrays that overlap it is the one that begins last or none, as in profiles. */
static uint32_t array_at(struct ws_part_table *p, uint64_t address)
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

/* ---- parts ----------------------------------------------------------------------------- */

static struct ws_cycle_part *part(const struct ws_part_table *p, size_t i)
{
	return &p->chunk[i / CHUNK][i % CHUNK];
}

/* NONE if memory is out. */
static uint32_t add_part(struct ws_part_table *p, uint32_t instruction, uint32_t array)
{
	if (p->count % CHUNK == 0) {
		if (!WS_ROOM(p->chunk, p->chunks, p->count / CHUNK + 1))
			return NONE;
		p->chunk[p->count / CHUNK] = ws_alloc_zero(CHUNK, sizeof **p->chunk);
		if (!p->chunk[p->count / CHUNK])
			return NONE;
	}
	part(p, p->count)->instruction = instruction;
	part(p, p->count)->array = array;
	return (uint32_t)p->count++;
}

static size_t find_slot(const struct ws_part_table *p, uint32_t instruction, uint32_t array)
{
	uint64_t key = (uint64_t)instruction * 0x9e3779b97f4a7c15u + array;
	size_t i = (size_t)(key * 0xff51afd7ed558ccdu >> 32) & (p->slots - 1);

	for (; p->slot[i] != NONE; i = (i + 1) & (p->slots - 1)) {
		const struct ws_cycle_part *at = part(p, p->slot[i]);

		if (at->instruction == instruction && at->array == array)
			break;
	}
	return i;
}

static bool enlarge(struct ws_part_table *p)
{
	size_t old = p->slots;
	uint32_t *from = p->slot, *grown = ws_alloc(2 * old, sizeof *grown);

	if (!grown)
		return false;
	memset(grown, 0xff, 2 * old * sizeof *grown);
	p->slot = grown;
	p->slots = 2 * old;
	for (size_t i = 0; i < old; i++) {
		const struct ws_cycle_part *at = from[i] == NONE ? NULL : part(p, from[i]);

		if (at)
			grown[find_slot(p, at->instruction, at->array)] = from[i];
	}
	free(from);
	return true;
}

static uint32_t hashed(struct ws_part_table *p, uint32_t instruction, uint32_t array)
{
	size_t slot;

	if (2 * p->count >= p->slots && !enlarge(p))
		return NONE;
	slot = find_slot(p, instruction, array);
	if (p->slot[slot] == NONE)
		p->slot[slot] = add_part(p, instruction, array);
	return p->slot[slot];
}

/* The instruction's own array, or WS_NO_ARRAY. */
static uint32_t own_array(const struct ws_part_table *p, uint32_t instruction)
{
	uint32_t array = instruction < p->launch->instructions
		? p->launch->instruction[instruction].array : WS_NO_ARRAY;

	return array < p->launch->arrays ? array : WS_NO_ARRAY;
}

static struct ws_cycle_part *found(struct ws_part_table *p, uint32_t i)
{
	if (i != NONE)
		return part(p, i);
	p->failed = true;
	return &p->lost;
}

static struct ws_cycle_part *of_array(struct ws_part_table *p, uint32_t instruction,
				      uint32_t array)
{
	uint32_t *direct;

	if (own_array(p, instruction) == WS_NO_ARRAY)
		return found(p, hashed(p, instruction, array));
	direct = &p->direct[instruction];
	if (*direct == NONE)
		*direct = add_part(p, instruction, array);
	return found(p, *direct);
}

struct ws_cycle_part *ws_parts_at(struct ws_part_table *p, uint32_t instruction, uint64_t address)
{
	uint32_t array;

	if (!p || instruction == UINT32_MAX)
		return NULL;
	if (instruction < p->launch->instructions && p->direct[instruction] != NONE)
		return part(p, p->direct[instruction]);
	array = own_array(p, instruction);
	return of_array(p, instruction, array == WS_NO_ARRAY ? array_at(p, address) : array);
}

/* ---- sums ------------------------------------------------------------------------------ */

enum ws_status ws_parts_add(struct ws_part_table *to, const struct ws_part_table *from,
			    struct ws_err *err)
{
	for (size_t i = 0; i < from->count; i++) {
		const struct ws_cycle_part *p = part(from, i);
		struct ws_cycle_part *sum = of_array(to, p->instruction, p->array);

		ws_cycle_counts_add(&sum->l1, &p->l1);
		ws_cycle_counts_add(&sum->l2, &p->l2);
	}
	return from->failed || to->failed ? ws_fail_memory(err, "counts by instruction") : WS_OK;
}

static int by_place(const void *a, const void *b)
{
	const struct ws_cycle_part *x = a, *y = b;

	return x->instruction != y->instruction
		? (x->instruction > y->instruction) - (x->instruction < y->instruction)
		: (x->array > y->array) - (x->array < y->array);
}

enum ws_status ws_parts_list(const struct ws_part_table *p, struct ws_cycle_part **out,
			     size_t *count, struct ws_err *err)
{
	struct ws_cycle_part *list = ws_alloc(p->count + 1, sizeof *list);
	size_t n = 0;

	if (!list || p->failed) {
		free(list);
		return ws_fail_memory(err, "counts by instruction");
	}
	for (size_t i = 0; i < p->count; i++) {
		const struct ws_cycle_part *from = part(p, i);

		if (from->l1.requests || from->l2.requests)
			list[n++] = *from;
	}
	qsort(list, n, sizeof *list, by_place);
	*out = list;
	*count = n;
	return WS_OK;
}
