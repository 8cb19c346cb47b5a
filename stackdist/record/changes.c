/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * stackdist/record/changes.c -- counting of interval changes (changes.h).
 */
#include "stackdist/record/changes.h"

#include <stdlib.h>
#include <string.h>

#define PLACES_MIN 16u

_Static_assert(WS_FILL_REUSE_WAYS < WS_WAY_CLASSES, "a way class for infinite distances");
_Static_assert(WS_FILL_REUSE_ROWS < UINT16_MAX, "a place for each row");

enum ws_status ws_changes_new(struct ws_changes **out, struct ws_err *err)
{
	struct ws_changes *c = ws_alloc_zero(1, sizeof *c);

	if (c)
		c->count = ws_alloc_zero(PLACES_MIN * WS_WAY_CLASSES, sizeof *c->count);
	if (!c || !c->count) {
		ws_changes_free(c);
		return ws_fail_memory(err, "fill-to-reuse times");
	}
	c->places = 1;
	c->cap = PLACES_MIN;
	for (uint32_t i = 0; i <= WS_FILL_REUSE_MAX; i++)
		c->cell[i] = (uint16_t)ws_cell(i, WS_FILL_REUSE_BITS);
	*out = c;
	return WS_OK;
}

void ws_changes_free(struct ws_changes *c)
{
	if (!c)
		return;
	free(c->count);
	free(c->sum);
	free(c);
}

/* Of a counter: WS_SPANS_MAX and the spans told of at a time are less than 2^31. */
static int64_t wide(uint32_t count)
{
	return count < 1u << 31 ? (int64_t)count : (int64_t)count - ((int64_t)1 << 32);
}

static bool grow(struct ws_changes *c)
{
	size_t cap = 2 * c->cap, old = c->cap * WS_WAY_CLASSES, new = cap * WS_WAY_CLASSES;
	uint32_t *count = realloc(c->count, new * sizeof *count);
	int64_t *sum = count && c->sum ? realloc(c->sum, new * sizeof *sum) : c->sum;

	c->count = count ? count : c->count;
	if (!count || (c->sum && !sum))
		return false;
	memset(count + old, 0, (new - old) * sizeof *count);
	if (sum)
		memset(sum + old, 0, (new - old) * sizeof *sum);
	c->sum = sum;
	c->cap = cap;
	return true;
}

uint32_t ws_changes_place(struct ws_changes *c, uint32_t row)
{
	if (c->places == c->cap && !grow(c)) {
		c->failed = true;
		return 0;
	}
	return c->place[row] = (uint16_t)c->places++;
}

void ws_changes_settle(struct ws_changes *c)
{
	if (!c->sum)
		c->sum = ws_alloc_zero(c->cap * WS_WAY_CLASSES, sizeof *c->sum);
	c->failed |= !c->sum;
	for (size_t i = WS_WAY_CLASSES; c->sum && i < c->places * WS_WAY_CLASSES; i++) {
		c->sum[i] += wide(c->count[i]);
		c->count[i] = 0;
	}
	c->spans = 0;
}

/* A counter, settled or not. */
static int64_t change_at(const struct ws_changes *c, size_t at)
{
	return (c->sum ? c->sum[at] : 0) + wide(c->count[at]);
}

/* No row has a place. */
static void clear(struct ws_changes *c)
{
	memset(c->count, 0, c->places * WS_WAY_CLASSES * sizeof *c->count);
	if (c->sum)
		memset(c->sum, 0, c->places * WS_WAY_CLASSES * sizeof *c->sum);
	memset(c->place, 0, sizeof c->place);
	c->places = 1;
	c->spans = 0;
}

/* Adds the rows of the kind.  room: for all of them. */
static enum ws_status take_kind(const struct ws_changes *c, unsigned kind,
				struct ws_fill_reuse *room, struct ws_fill_reuses *to,
				struct ws_err *err)
{
	struct ws_fill_reuses from = { .entry = room };

	for (uint32_t cell = 0; cell < WS_FILL_REUSE_CELLS; cell++) {
		size_t place = c->place[kind * WS_FILL_REUSE_CELLS + cell];

		for (uint32_t way_class = 0; place && way_class < WS_FILL_REUSE_WAYS; way_class++) {
			int64_t change = change_at(c, place * WS_WAY_CLASSES + way_class);

			if (change)
				room[from.count++] = (struct ws_fill_reuse){
					cell, ws_cell_first(way_class + 1, WS_FILL_REUSE_WAYS_BITS),
					change };
		}
	}
	return from.count ? ws_fill_reuses_add(to, &from, err) : WS_OK;
}

enum ws_status ws_changes_take(struct ws_changes *c, struct ws_fill_reuses *fill_reuse,
			       struct ws_err *err)
{
	struct ws_fill_reuse *room = c->failed ? NULL :
		ws_alloc(c->places * WS_FILL_REUSE_WAYS, sizeof *room);
	enum ws_status status = WS_OK;

	if (!room)
		return ws_fail_memory(err, "fill-to-reuse times");
	for (unsigned kind = 0; kind < WS_KINDS && status == WS_OK; kind++)
		status = take_kind(c, kind, room, fill_reuse + kind, err);
	clear(c);
	free(room);
	return status;
}
