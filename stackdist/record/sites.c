/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * stackdist/record/sites.c -- counting by instruction and array (sites.h).
 *
 * What occurs is numbered as it occurs, by place (trace/places.h).  Places of equal names
 * become one site when they are added to the section.
 *
 * Memory is bounded: where there are too many places or sites, or their histograms are too large,
 * those of all arrays are counted together, and if that is not enough those of all
 * instructions.  Whether there are too many is asked of what all threads have seen, so
 * that it does not depend on how requests were divided among them: what is too much for one is
 * too much for all.
 */
#include "stackdist/record/sites.h"

#include "stackdist/profile.h"
#include "trace/places.h"

#include <stdlib.h>
#include <string.h>

#define PLACES_MAX (1u << 18)	/* of a launch */
#define CELLS_MAX (1u << 24)	/* of their histograms, 16 bytes each; and of a section's sites */

struct ws_sites {
	struct ws_places places;
	struct ws_distance_tally *tally;	/* [count], by place */
	size_t count, cap;
	unsigned level;		/* enum ws_site_level */
	uint64_t cells;		/* of all places' tallies */
};

/* ---- life ------------------------------------------------------------------- */

enum ws_status ws_sites_new(struct ws_sites **out, const struct ws_launch *launch,
			    struct ws_err *err)
{
	struct ws_sites *s = ws_alloc_zero(1, sizeof *s);

	if (!s || !ws_places_init(&s->places, launch, WS_KINDS)) {
		ws_sites_free(s);
		return ws_fail_memory(err, "the sites of a launch");
	}
	*out = s;
	return WS_OK;
}

static void clear_tallies(struct ws_distance_tally *tally, size_t count)
{
	for (size_t i = 0; i < count; i++)
		ws_tally_clear(&tally[i]);
	free(tally);
}

void ws_sites_free(struct ws_sites *s)
{
	if (!s)
		return;
	clear_tallies(s->tally, s->count);
	ws_places_clear(&s->places);
	free(s);
}

/* ---- places ---------------------------------------------------------------------- */

static uint64_t address_of(const struct ws_request *r)
{
	return r->address + (r->sectors ? ws_lowest_bit(r->sectors) * WS_SECTOR_BYTES : 0);
}

/* NULL: out of memory, also if it was for the number. */
static struct ws_distance_tally *tally_of(struct ws_sites *s, uint32_t number)
{
	if (number < s->count)
		return &s->tally[number];
	if (number == WS_MAP_NONE || !WS_ROOM(s->tally, s->cap, (size_t)number + 1))
		return NULL;
	while (s->count <= number)
		s->tally[s->count++] = (struct ws_distance_tally){ 0 };
	return &s->tally[number];
}

/* Adds what was counted of a place. */
static bool add_tally(struct ws_sites *s, struct ws_place place, struct ws_distance_tally *from)
{
	struct ws_distance_tally *to = tally_of(s, ws_places_put(&s->places, place));
	size_t before = to ? to->len : 0;

	if (!to || !ws_tally_add(to, from))
		return false;
	s->cells += to->len - before;
	return true;
}

/* Tells less apart, by one level. */
static bool lower(struct ws_sites *s)
{
	struct ws_sites old = *s;
	bool ok = true;

	s->places.key = (struct ws_keys){ 0 };
	s->tally = NULL;
	s->count = s->cap = 0;
	s->cells = 0;
	s->level++;
	ws_places_merge(&s->places, true, s->level == WS_SITES_NONE);
	for (size_t i = 0; i < old.count && ok; i++)
		ok = add_tally(s, ws_places_get(&old.places, i), old.tally + i);
	clear_tallies(old.tally, old.count);
	ws_keys_clear(&old.places.key);
	return ok;
}

/* Until there are not too many. */
static bool bound(struct ws_sites *s)
{
	bool ok = true;

	while (ok && s->level < WS_SITES_NONE && (s->count > PLACES_MAX || s->cells > CELLS_MAX))
		ok = lower(s);
	return ok;
}

bool ws_sites_count(struct ws_sites *s, const struct ws_request *r, uint32_t d, uint32_t capacity)
{
	uint32_t number = ws_places_known(&s->places, r->instruction, r->kind);
	struct ws_distance_tally *t;
	size_t before;

	if (number == WS_MAP_NONE)
		number = ws_places_new(&s->places, r->instruction, r->kind, address_of(r));
	t = tally_of(s, number);
	if (!t)
		return false;
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
		ok = add_tally(s, ws_places_get(&from->places, i), from->tally + i) && bound(s);
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
static struct ws_site name(const struct ws_launch *l, struct ws_place p, char *none)
{
	struct ws_site site = { .array = none, .file = none, .kind = p.kind };

	if (p.array < l->arrays && l->array[p.array].name)
		site.array = l->array[p.array].name;
	if (p.instruction < l->instructions) {
		const struct ws_instruction *i = l->instruction + p.instruction;

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
static void forget_names(struct ws_site *site, unsigned level)
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
		forget_names(s->site + i, level);
	qsort(s->site, s->sites, sizeof *s->site, by_name);
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
	struct ws_distance_tally *tally;
};

/* Adds what was counted to the section's sites of those names; of other names new ones are made, in
 * order. */
static bool take_sites(struct ws_section *section, struct named *from, size_t count,
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
	struct ws_site *made = ws_alloc_zero(count, sizeof *made);
	size_t makes = 0, cap = section->sites;
	bool ok = made != NULL;

	if (ok) {
		qsort(from, count, sizeof *from, by_name); /* the name comes first */
		ok = take_sites(section, from, count, made, &makes);
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
	struct named *named = ws_alloc(s->count, sizeof *named);
	char none[] = "";
	bool ok = named != NULL;

	if (s->count == 0) {
		free(named);
		return WS_OK;
	}
	for (size_t i = 0; i < s->count && ok; i++)
		named[i] = (struct named){ name(s->places.launch, ws_places_get(&s->places, i),
						none), s->tally + i };
	ok = ok && take_named(section, named, s->count);
	free(named);
	if (!ok)
		return ws_fail_memory(err, "the sites of a kernel");
	if (section->sites_level < s->level)
		section->sites_level = s->level;
	ws_sites_bound(section);
	return WS_OK;
}
