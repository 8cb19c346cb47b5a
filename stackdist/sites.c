/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * stackdist/sites.c -- counting by instruction and array (sites.h).
 *
 * What occurs is numbered as it occurs: a *place* is an instruction, a kind and
 * an array, found through a table by instruction and kind where the instruction
 * has one array, else through a hash table.  Places of equal names become one
 * site when they are added to the section.
 */
#include "stackdist/sites.h"

#include <stdlib.h>
#include <string.h>

#define PLACE_NONE UINT32_MAX

struct place {
	uint32_t instruction;	/* launch->instructions: none of the table */
	uint32_t array;		/* launch->arrays: none */
	unsigned kind;
	struct ws_tally tally;
};

struct ws_sites {
	const struct ws_launch *launch;
	struct place *place;
	size_t count, cap;
	uint32_t *direct;	/* [instruction * WS_KINDS + kind]: place, or PLACE_NONE */
	uint32_t *slot;		/* open addressing: place, or PLACE_NONE */
	size_t slots;		/* power of two, at most half full */
	const struct ws_array **order; /* those that are not empty, by ascending base */
	size_t arrays;		/* of them */
	size_t near;		/* in order: where the last address was found */
};

/* ---- life ------------------------------------------------------------------- */

static int by_base(const void *a, const void *b)
{
	const struct ws_array *x = *(const struct ws_array *const *)a;
	const struct ws_array *y = *(const struct ws_array *const *)b;

	return x->base != y->base ? (x->base > y->base) - (x->base < y->base)
				  : (x > y) - (x < y);
}

static bool allocate(struct ws_sites *s, const struct ws_launch *launch)
{
	size_t direct = (launch->instructions + 1) * WS_KINDS;

	s->direct = ws_alloc(direct, sizeof(*s->direct));
	s->order = ws_alloc(launch->arrays + 1, sizeof(*s->order));
	s->slots = 64;
	s->slot = ws_alloc(s->slots, sizeof(*s->slot));
	if (!s->direct || !s->order || !s->slot)
		return false;
	memset(s->direct, 0xff, direct * sizeof(*s->direct));
	memset(s->slot, 0xff, s->slots * sizeof(*s->slot));
	for (size_t i = 0; i < launch->arrays; i++)
		if (launch->array[i].bytes)
			s->order[s->arrays++] = launch->array + i;
	qsort(s->order, s->arrays, sizeof(*s->order), by_base);
	return true;
}

enum ws_status ws_sites_new(struct ws_sites **out, const struct ws_launch *launch,
			    struct ws_err *err)
{
	struct ws_sites *s = ws_alloc_zero(1, sizeof(*s));

	if (s)
		s->launch = launch;
	if (!s || !allocate(s, launch)) {
		ws_sites_free(s);
		return ws_fail_memory(err, "the sites of a launch");
	}
	*out = s;
	return WS_OK;
}

void ws_sites_free(struct ws_sites *s)
{
	if (!s)
		return;
	for (size_t i = 0; i < s->count; i++)
		ws_tally_clear(&s->place[i].tally);
	free(s->place);
	free(s->direct);
	free(s->slot);
	free(s->order);
	free(s);
}

/* ---- arrays by address --------------------------------------------------------- */

static bool holds(const struct ws_array *a, uint64_t address)
{
	return address - a->base < a->bytes;
}

/* order[i] is the last array that begins at or below the address. */
static bool is_last(const struct ws_sites *s, size_t i, uint64_t address)
{
	return s->order[i]->base <= address &&
	       (i + 1 == s->arrays || s->order[i + 1]->base > address);
}

/* The array that holds the address, or launch->arrays.  Of arrays that overlap it is the
 * one that begins last or none, whatever was asked for before. */
static uint32_t find_array(struct ws_sites *s, uint64_t address)
{
	size_t low = 0, high = s->arrays;

	if (s->arrays == 0)
		return (uint32_t)s->launch->arrays;
	if (is_last(s, s->near, address))
		low = high = s->near + 1;
	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (s->order[mid]->base <= address)
			low = mid + 1;
		else
			high = mid;
	}
	if (low == 0 || !holds(s->order[low - 1], address))
		return (uint32_t)s->launch->arrays;
	s->near = low - 1;
	return (uint32_t)(s->order[low - 1] - s->launch->array);
}

/* ---- places ---------------------------------------------------------------------- */

static uint32_t add_place(struct ws_sites *s, uint32_t instruction, unsigned kind, uint32_t array)
{
	struct place *p = ws_grow(s->place, &s->cap, s->count + 1, sizeof(*p));

	if (!p)
		return PLACE_NONE;
	s->place = p;
	p[s->count] = (struct place){ .instruction = instruction, .array = array, .kind = kind };
	return (uint32_t)s->count++;
}

static size_t find_slot(const struct ws_sites *s, uint32_t instruction, unsigned kind,
			uint32_t array)
{
	uint64_t key = ((uint64_t)instruction * WS_KINDS + kind) * 0x9e3779b97f4a7c15u + array;
	size_t i = (size_t)(key * 0xff51afd7ed558ccdu >> 32) & (s->slots - 1);

	for (; s->slot[i] != PLACE_NONE; i = (i + 1) & (s->slots - 1)) {
		const struct place *p = s->place + s->slot[i];

		if (p->instruction == instruction && p->kind == kind && p->array == array)
			break;
	}
	return i;
}

static bool enlarge(struct ws_sites *s)
{
	size_t old = s->slots;
	uint32_t *from = s->slot, *grown = ws_alloc(2 * old, sizeof(*grown));

	if (!grown)
		return false;
	memset(grown, 0xff, 2 * old * sizeof(*grown));
	s->slot = grown;
	s->slots = 2 * old;
	for (size_t i = 0; i < old; i++)
		if (from[i] != PLACE_NONE) {
			const struct place *p = s->place + from[i];

			grown[find_slot(s, p->instruction, p->kind, p->array)] = from[i];
		}
	free(from);
	return true;
}

static uint32_t by_address(struct ws_sites *s, uint32_t instruction, const struct ws_request *r)
{
	unsigned sector = 0;
	uint32_t array;
	size_t slot;

	while (sector < 31 && !(r->sectors >> sector & 1))
		sector++;
	array = find_array(s, r->address + (r->sectors ? sector * WS_SECTOR_BYTES : 0));
	if (2 * s->count >= s->slots && !enlarge(s))
		return PLACE_NONE;
	slot = find_slot(s, instruction, r->kind, array);
	if (s->slot[slot] == PLACE_NONE)
		s->slot[slot] = add_place(s, instruction, r->kind, array);
	return s->slot[slot];
}

static uint32_t place_of(struct ws_sites *s, const struct ws_request *r)
{
	const struct ws_launch *l = s->launch;
	uint32_t i = r->instruction < l->instructions ? r->instruction : (uint32_t)l->instructions;
	uint32_t *direct = s->direct + (size_t)i * WS_KINDS + r->kind;

	if (*direct != PLACE_NONE)
		return *direct;
	if (i == l->instructions || l->instruction[i].array >= l->arrays)
		return by_address(s, i, r);
	return *direct = add_place(s, i, r->kind, l->instruction[i].array);
}

bool ws_sites_count(struct ws_sites *s, const struct ws_request *r, uint32_t d, uint32_t capacity)
{
	uint32_t place = place_of(s, r);

	return place != PLACE_NONE && ws_tally_count(&s->place[place].tally, d, capacity);
}

/* ---- sites of a section ------------------------------------------------------------- */

int ws_site_compare(const struct ws_site *a, const struct ws_site *b)
{
	int by_array = strcmp(a->array, b->array), by_file = strcmp(a->file, b->file);

	if (by_array || by_file)
		return by_array ? by_array : by_file;
	if (a->line != b->line)
		return a->line < b->line ? -1 : 1;
	return (a->kind > b->kind) - (a->kind < b->kind);
}

/* Names as they are in the launch; `none` (empty) where there is none. */
static struct ws_site name(const struct ws_launch *l, const struct place *p, char *none)
{
	struct ws_site site = { .array = none, .file = none, .kind = p->kind };

	if (p->array < l->arrays && l->array[p->array].name)
		site.array = l->array[p->array].name;
	if (p->instruction < l->instructions) {
		const struct ws_instruction *i = l->instruction + p->instruction;

		site.line = i->line;
		if (i->line && i->file < l->files)
			site.file = l->file[i->file];
	}
	return site;
}

/* The section's site of that name, made if it is not there; NULL: out of memory. */
static struct ws_site *site_of(struct ws_section *section, const struct ws_site *key)
{
	size_t low = 0, high = section->sites, cap = section->sites;
	struct ws_site *s, new = *key;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (ws_site_compare(section->site + mid, key) < 0)
			low = mid + 1;
		else
			high = mid;
	}
	if (low < section->sites && !ws_site_compare(section->site + low, key))
		return section->site + low;
	new.array = ws_strdup(key->array);
	new.file = ws_strdup(key->file);
	s = ws_grow(section->site, &cap, section->sites + 1, sizeof(*s));
	if (s)
		section->site = s;
	if (!s || !new.array || !new.file) {
		free(new.array);
		free(new.file);
		return NULL;
	}
	memmove(s + low + 1, s + low, (section->sites++ - low) * sizeof(*s));
	s[low] = new;
	return s + low;
}

enum ws_status ws_sites_take(struct ws_sites *s, struct ws_section *section, struct ws_err *err)
{
	char none[] = "";

	for (size_t i = 0; i < s->count; i++) {
		struct ws_site key = name(s->launch, s->place + i, none);
		struct ws_site *site = site_of(section, &key);
		uint64_t sum = 0;

		if (!site || !ws_tally_take(&site->count, &s->place[i].tally, &sum))
			return ws_fail_memory(err, "the sites of a kernel");
		site->count.requests += sum;
	}
	return WS_OK;
}
