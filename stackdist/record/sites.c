/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * stackdist/record/sites.c -- counting by instruction and array (sites.h).
 *
 * What occurs is numbered as it occurs: a *place* is an instruction, a kind and
 * an array, found through a table by instruction and kind where the instruction
 * has one array, else through a hash table.  Places of equal names become one
 * site when they are added to the section.
 *
 * Memory is bounded: where there are too many places or sites, or their histograms are too large,
 * those of all arrays are counted together, and if that is not enough those of all
 * instructions.  Whether there are too many is asked of what all threads have seen, so
 * that it does not depend on how requests were divided among them: what is too much for one is
 * too much for all.
 */
#include "stackdist/record/sites.h"

#include "stackdist/profile.h"

#include <stdlib.h>
#include <string.h>

#define PLACE_NONE UINT32_MAX
#define PLACES_MAX (1u << 18)	/* of a launch */
#define CELLS_MAX (1u << 24)	/* of their histograms, 16 bytes each; and of a section's sites */

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
	unsigned level;		/* enum ws_site_level */
	uint64_t cells;		/* of all places' tallies */
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

static void clear_places(struct place *place, size_t count)
{
	for (size_t i = 0; i < count; i++)
		ws_tally_clear(&place[i].tally);
	free(place);
}

void ws_sites_free(struct ws_sites *s)
{
	if (!s)
		return;
	clear_places(s->place, s->count);
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
	if (!WS_ROOM(s->place, s->cap, s->count + 1))
		return PLACE_NONE;
	s->place[s->count] = (struct place){ .instruction = instruction, .array = array, .kind = kind };
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

static uint32_t by_array(struct ws_sites *s, uint32_t instruction, unsigned kind, uint32_t array)
{
	size_t slot;

	if (2 * s->count >= s->slots && !enlarge(s))
		return PLACE_NONE;
	slot = find_slot(s, instruction, kind, array);
	if (s->slot[slot] == PLACE_NONE)
		s->slot[slot] = add_place(s, instruction, kind, array);
	return s->slot[slot];
}

static uint32_t array_of(struct ws_sites *s, const struct ws_request *r)
{
	unsigned sector = 0;

	while (sector < 31 && !(r->sectors >> sector & 1))
		sector++;
	return find_array(s, r->address + (r->sectors ? sector * WS_SECTOR_BYTES : 0));
}

/* Has the instruction one array, or does it not matter which it has? */
static bool one_array(const struct ws_sites *s, uint32_t instruction)
{
	const struct ws_launch *l = s->launch;

	return s->level != WS_SITES_ALL ||
	       (instruction < l->instructions && l->instruction[instruction].array < l->arrays);
}

/* array: of an instruction that has one, not looked at. */
static uint32_t find_place(struct ws_sites *s, uint32_t instruction, unsigned kind, uint32_t array)
{
	const struct ws_launch *l = s->launch;
	uint32_t *direct;

	if (!one_array(s, instruction))
		return by_array(s, instruction, kind, array);
	if (s->level == WS_SITES_NONE)
		instruction = (uint32_t)l->instructions;
	direct = s->direct + (size_t)instruction * WS_KINDS + kind;
	if (*direct == PLACE_NONE)
		*direct = add_place(s, instruction, kind,
				    s->level == WS_SITES_ALL ? l->instruction[instruction].array
							     : (uint32_t)l->arrays);
	return *direct;
}

static uint32_t place_of(struct ws_sites *s, const struct ws_request *r)
{
	const struct ws_launch *l = s->launch;
	uint32_t i = r->instruction < l->instructions ? r->instruction : (uint32_t)l->instructions;

	return find_place(s, i, r->kind, one_array(s, i) ? 0 : array_of(s, r));
}

/* Moves what was counted of a place to the place that is its now. */
static bool add_tally(struct ws_sites *s, struct place *from)
{
	uint32_t at = find_place(s, from->instruction, from->kind, from->array);
	size_t before;

	if (at == PLACE_NONE)
		return false;
	before = s->place[at].tally.len;
	if (!ws_tally_add(&s->place[at].tally, &from->tally))
		return false;
	s->cells += s->place[at].tally.len - before;
	return true;
}

/* Until there are not too many. */
static bool bound(struct ws_sites *s)
{
	bool ok = true;

	while (ok && s->level < WS_SITES_NONE && (s->count > PLACES_MAX || s->cells > CELLS_MAX)) {
		struct place *old = s->place;
		size_t count = s->count;

		s->place = NULL;
		s->count = s->cap = 0;
		s->cells = 0;
		s->level++;
		memset(s->direct, 0xff, (s->launch->instructions + 1) * WS_KINDS *
					sizeof(*s->direct));
		for (size_t i = 0; i < count && ok; i++)
			ok = add_tally(s, old + i);
		clear_places(old, count);
	}
	return ok;
}

bool ws_sites_count(struct ws_sites *s, const struct ws_request *r, uint32_t d, uint32_t capacity)
{
	uint32_t place = place_of(s, r);
	struct ws_tally *t;
	size_t before;

	if (place == PLACE_NONE)
		return false;
	t = &s->place[place].tally;
	before = t->len;
	if (!ws_tally_count(t, d, capacity))
		return false;
	s->cells += t->len - before;
	return (s->count <= PLACES_MAX && s->cells <= CELLS_MAX) || bound(s);
}

bool ws_sites_add(struct ws_sites *s, struct ws_sites *from)
{
	bool ok = true;

	/* What was too much for one is too much for all. */
	while (ok && s->level < from->level) {
		s->cells = CELLS_MAX + 1ull;
		ok = bound(s);
	}
	for (size_t i = 0; i < from->count && ok; i++)
		ok = add_tally(s, from->place + i) && bound(s);
	return ok;
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

static bool is_named(const struct ws_site *site, unsigned level)
{
	return (level >= WS_SITES_LINES && site->array[0]) ||
	       (level >= WS_SITES_NONE && (site->file[0] || site->line));
}

/* What the level does not tell apart; texts are the site's own. */
static void forget(struct ws_site *site, unsigned level)
{
	if (level >= WS_SITES_LINES)
		site->array[0] = '\0';
	if (level < WS_SITES_NONE)
		return;
	site->file[0] = '\0';
	site->line = 0;
}

/* Adds one histogram of a site to another, which takes its arrays over if they are longer. */
static void fold(struct ws_histogram *to, struct ws_histogram *from)
{
	struct ws_histogram longer = *from;

	if (from->len > to->len) {
		from->distance = to->distance;
		from->capacity = to->capacity;
		from->len = to->len;
		to->distance = longer.distance;
		to->capacity = longer.capacity;
		to->len = longer.len;
	}
	for (size_t i = 0; i < from->len; i++) {
		to->distance[i] += from->distance[i];
		to->capacity[i] += from->capacity[i];
	}
	to->requests += from->requests;
	to->cold += from->cold;
	to->uncached += from->uncached;
}

static void clear_site(struct ws_site *site)
{
	ws_histogram_clear(&site->count);
	free(site->array);
	free(site->file);
}

static int by_name(const void *a, const void *b)
{
	return ws_site_compare(a, b);
}

static void coarsen(struct ws_section *s, unsigned level)
{
	size_t kept = 0;

	for (size_t i = 0; i < s->sites; i++)
		forget(s->site + i, level);
	qsort(s->site, s->sites, sizeof(*s->site), by_name);
	for (size_t i = 0; i < s->sites; i++) {
		if (kept && !ws_site_compare(s->site + kept - 1, s->site + i)) {
			fold(&s->site[kept - 1].count, &s->site[i].count);
			clear_site(s->site + i);
		} else {
			s->site[kept++] = s->site[i];
		}
	}
	s->sites = kept;
}

void ws_sites_bound(struct ws_section *s)
{
	for (;;) {
		uint64_t cells = 0;
		bool named = false;

		for (size_t i = 0; i < s->sites; i++) {
			cells += s->site[i].count.len;
			named |= is_named(s->site + i, s->sites_level);
		}
		if (named)
			coarsen(s, s->sites_level);
		else if (s->sites_level == WS_SITES_NONE ||
			 (s->sites <= WS_SITES_MAX && cells <= CELLS_MAX))
			return;
		else
			s->sites_level++;
	}
}

/* ---- what was counted as sites ------------------------------------------------------ */

struct named {			/* a place under its name, whose texts are the launch's */
	struct ws_site name;
	struct ws_tally *tally;
};

/* Adds what was counted to the section's sites of those names; of other names new ones are made, in
 * order. */
static bool take(struct ws_section *section, struct named *from, size_t count,
		 struct ws_site *made, size_t *makes)
{
	size_t at = 0;

	for (size_t i = 0; i < count; i++) {
		struct ws_site *site, *last = *makes ? made + *makes - 1 : NULL;
		uint64_t sum = 0;

		while (at < section->sites &&
		       ws_site_compare(section->site + at, &from[i].name) < 0)
			at++;
		if (at < section->sites && !ws_site_compare(section->site + at, &from[i].name)) {
			site = section->site + at;
		} else if (last && !ws_site_compare(last, &from[i].name)) {
			site = last;
		} else {
			site = made + (*makes)++;
			*site = from[i].name;
			site->array = ws_strdup(from[i].name.array);
			site->file = ws_strdup(from[i].name.file);
			if (!site->array || !site->file)
				return false;
		}
		if (!ws_tally_take(&site->count, from[i].tally, &sum))
			return false;
		site->count.requests += sum;
	}
	return true;
}

/* Two lists in order, of which the first has room for both. */
static void merge(struct ws_section *s, const struct ws_site *made, size_t makes)
{
	size_t i = s->sites, j = makes;

	s->sites += makes;
	while (j) {
		bool mine = i && ws_site_compare(s->site + i - 1, made + j - 1) > 0;

		s->site[i + j - 1] = mine ? s->site[i - 1] : made[j - 1];
		mine ? i-- : j--;
	}
}

static bool take_named(struct ws_section *section, struct named *from, size_t count)
{
	struct ws_site *made = ws_alloc_zero(count, sizeof(*made));
	size_t makes = 0, cap = section->sites;
	bool ok = made != NULL;

	if (ok) {
		qsort(from, count, sizeof(*from), by_name); /* the name comes first */
		ok = take(section, from, count, made, &makes);
	}
	ok = ok && WS_ROOM(section->site, cap, section->sites + makes);
	if (ok) {
		merge(section, made, makes);
		makes = 0;
	}
	while (makes)
		clear_site(made + --makes);
	free(made);
	return ok;
}

enum ws_status ws_sites_take(struct ws_sites *s, struct ws_section *section, struct ws_err *err)
{
	struct named *named = ws_alloc(s->count, sizeof(*named));
	char none[] = "";
	bool ok = named != NULL;

	if (s->count == 0) {
		free(named);
		return WS_OK;
	}
	for (size_t i = 0; i < s->count && ok; i++)
		named[i] = (struct named){ name(s->launch, s->place + i, none),
					   &s->place[i].tally };
	ok = ok && take_named(section, named, s->count);
	free(named);
	if (!ok)
		return ws_fail_memory(err, "the sites of a kernel");
	if (section->sites_level < s->level)
		section->sites_level = s->level;
	ws_sites_bound(section);
	return WS_OK;
}
