/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * validate/cycle/sites.c -- counts by instruction and array.
 *
 * One site for each place (trace/places.h) that occurs.  Sites are in chunks and never move.  If
 * memory is out, counts go to a spare site and the table is marked; adding it up then fails.
 */
#include "trace/places.h"
#include "validate/cycle/run.h"

#include <stdlib.h>
#include <string.h>

#define CHUNK 64u

struct ws_site_table {
	struct ws_places places;
	struct ws_cycle_site **chunk;	/* of CHUNK sites each */
	size_t count, chunks;		/* sites; room for chunks */
	struct ws_cycle_site lost;
	bool failed;
};

enum ws_status ws_site_table_new(struct ws_site_table **out, const struct ws_launch *launch,
				 struct ws_err *err)
{
	struct ws_site_table *p = ws_alloc_zero(1, sizeof *p);

	if (!p || !ws_places_init(&p->places, launch, 1)) {
		ws_site_table_free(p);
		return ws_fail_memory(err, "counts by instruction");
	}
	*out = p;
	return WS_OK;
}

void ws_site_table_free(struct ws_site_table *p)
{
	if (!p)
		return;
	for (size_t i = 0; i * CHUNK < p->count; i++)
		free(p->chunk[i]);
	free(p->chunk);
	ws_places_clear(&p->places);
	free(p);
}

/* ---- sites ----------------------------------------------------------------------------- */

static struct ws_cycle_site *site(const struct ws_site_table *p, size_t i)
{
	return &p->chunk[i / CHUNK][i % CHUNK];
}

static bool add_part(struct ws_site_table *p)
{
	struct ws_place place = ws_places_get(&p->places, p->count);

	if (p->count % CHUNK == 0) {
		if (!WS_ROOM(p->chunk, p->chunks, p->count / CHUNK + 1))
			return false;
		p->chunk[p->count / CHUNK] = ws_alloc_zero(CHUNK, sizeof **p->chunk);
		if (!p->chunk[p->count / CHUNK])
			return false;
	}
	p->count++;
	site(p, p->count - 1)->instruction = place.instruction;
	site(p, p->count - 1)->array = place.array;
	return true;
}

/* The site of a place by number; WS_MAP_NONE, or no memory: the lost one. */
static struct ws_cycle_site *numbered(struct ws_site_table *p, uint32_t number)
{
	bool ok = number != WS_MAP_NONE;

	while (ok && p->count <= number)
		ok = add_part(p);
	p->failed |= !ok;
	return ok ? site(p, number) : &p->lost;
}

struct ws_cycle_site *ws_site_table_at(struct ws_site_table *p, uint32_t instruction,
				       uint64_t address)
{
	return p && instruction != UINT32_MAX
		? numbered(p, ws_places_at(&p->places, instruction, 0, address)) : NULL;
}

/* ---- sums ------------------------------------------------------------------------------ */

enum ws_status ws_site_table_add(struct ws_site_table *to, const struct ws_site_table *from,
				 struct ws_err *err)
{
	for (size_t i = 0; i < from->count; i++) {
		const struct ws_cycle_site *p = site(from, i);
		struct ws_place place = { .instruction = p->instruction, .array = p->array };
		struct ws_cycle_site *sum = numbered(to, ws_places_put(&to->places, place));

		ws_cycle_counts_add(&sum->l1, &p->l1);
		ws_cycle_counts_add(&sum->l2, &p->l2);
	}
	return from->failed || to->failed ? ws_fail_memory(err, "counts by instruction") : WS_OK;
}

static int by_place(const void *a, const void *b)
{
	const struct ws_cycle_site *x = a, *y = b;

	return x->instruction != y->instruction
		? (x->instruction > y->instruction) - (x->instruction < y->instruction)
		: (x->array > y->array) - (x->array < y->array);
}

enum ws_status ws_site_table_list(const struct ws_site_table *p, struct ws_cycle_site **out,
				  size_t *count, struct ws_err *err)
{
	struct ws_cycle_site *list = ws_alloc(p->count + 1, sizeof *list);
	size_t n = 0;

	if (!list || p->failed) {
		free(list);
		return ws_fail_memory(err, "counts by instruction");
	}
	for (size_t i = 0; i < p->count; i++) {
		const struct ws_cycle_site *from = site(p, i);

		if (from->l1.requests || from->l2.requests)
			list[n++] = *from;
	}
	qsort(list, n, sizeof *list, by_place);
	*out = list;
	*count = n;
	return WS_OK;
}
