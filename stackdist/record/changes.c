/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * stackdist/record/changes.c -- counting of interval changes (changes.h).
 */
#include "stackdist/record/changes.h"

#include <stdlib.h>
#include <string.h>

#define COUNTERS ((size_t)WS_FILL_REUSE_ROWS * WS_WAY_CLASSES)

_Static_assert(WS_FILL_REUSE_WAYS < WS_WAY_CLASSES, "a way class for infinite distances");

enum ws_status ws_changes_new(struct ws_changes **out, struct ws_err *err)
{
	struct ws_changes *c = ws_alloc_zero(1, sizeof *c);

	if (c) {
		c->count = ws_alloc_zero(COUNTERS, sizeof *c->count);
		c->sum = ws_alloc_zero(COUNTERS, sizeof *c->sum);
	}
	if (!c || !c->count || !c->sum) {
		ws_changes_free(c);
		return ws_fail_memory(err, "fill-to-reuse times");
	}
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

void ws_changes_settle(struct ws_changes *c)
{
	for (size_t row = 0; row < WS_FILL_REUSE_ROWS; row++) {
		uint32_t *count = c->count + row * WS_WAY_CLASSES;

		for (size_t i = 0; c->used[row] && i < WS_WAY_CLASSES; i++) {
			c->sum[row * WS_WAY_CLASSES + i] += wide(count[i]);
			count[i] = 0;
		}
	}
	c->spans = 0;
}

/* Adds the rows of the kind and clears them.  room: for all of them. */
static enum ws_status take_kind(struct ws_changes *c, unsigned kind, struct ws_fill_reuse *room,
				struct ws_fill_reuses *to, struct ws_err *err)
{
	struct ws_fill_reuses from = { .entry = room };

	for (uint32_t cell = 0; cell < WS_FILL_REUSE_CELLS; cell++) {
		size_t number = kind * WS_FILL_REUSE_CELLS + cell;
		int64_t *row = c->sum + number * WS_WAY_CLASSES;

		if (!c->used[number])
			continue;
		c->used[number] = false;
		for (uint32_t way_class = 0; way_class < WS_FILL_REUSE_WAYS; way_class++)
			if (row[way_class])
				room[from.count++] = (struct ws_fill_reuse){
					cell, ws_cell_first(way_class + 1, WS_FILL_REUSE_WAYS_BITS),
					row[way_class] };
		memset(row, 0, WS_WAY_CLASSES * sizeof *row);
	}
	return from.count ? ws_fill_reuses_add(to, &from, err) : WS_OK;
}

enum ws_status ws_changes_take(struct ws_changes *c, struct ws_fill_reuses *fill_reuse,
			       struct ws_err *err)
{
	struct ws_fill_reuse *room =
		ws_alloc(WS_FILL_REUSE_CELLS * WS_FILL_REUSE_WAYS, sizeof *room);
	enum ws_status status = WS_OK;

	if (!room)
		return ws_fail_memory(err, "fill-to-reuse times");
	ws_changes_settle(c);
	for (unsigned kind = 0; kind < WS_KINDS && status == WS_OK; kind++)
		status = take_kind(c, kind, room, fill_reuse + kind, err);
	free(room);
	return status;
}
