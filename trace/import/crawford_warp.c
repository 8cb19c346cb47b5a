/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/import/crawford_warp.c -- work-items' traces made warp instructions again.
 *
 * Crawford (Edinburgh 2014), section 5.3.2: each lane of a warp has a pointer into its own
 * accesses.  Of those pointed to, one that comes first in the program is taken, with all that
 * are the same instruction in the same iterations of the same loops; these lanes go on.  A
 * lane at a barrier waits until all of the warp are there or have ended.
 *
 * What comes first: of two in the same outermost loop, the one in the lower iteration of it, in
 * the same iteration the same question for the next loop; else, neither or only one of them
 * being in a loop, the lower instruction, since names rise in the order of the program.  (The
 * thesis looks at loop numbers before that, which rise in the same order, but would take
 * one in a loop before one in none that precedes it.)
 */
#include "trace/import/crawford.h"

#include <stdlib.h>
#include <string.h>

#define FIELD_BITS 20u

/* ---- loops --------------------------------------------------------------------------- */

struct nest {
	unsigned depth;
	uint32_t loop[WS_CRAWFORD_LOOPS], turn[WS_CRAWFORD_LOOPS];
};

/* Outermost first: no loop is within one of a higher number. */
static struct nest unpack(uint64_t loops)
{
	struct nest n = { 0 };

	for (unsigned i = WS_CRAWFORD_LOOPS; i-- > 0;) {
		uint32_t field = (uint32_t)(loops >> i * FIELD_BITS) & ((1u << FIELD_BITS) - 1);
		unsigned at = n.depth;

		if (!(field & 0xffff))
			continue;
		for (; at && n.loop[at - 1] > field >> 16; at--) {
			n.loop[at] = n.loop[at - 1];
			n.turn[at] = n.turn[at - 1];
		}
		n.loop[at] = field >> 16;
		n.turn[at] = field & 0xffff;
		n.depth++;
	}
	return n;
}

/* When different lanes of a warp are at them. */
static bool goes_before(const struct ws_crawford *a, const struct ws_crawford *b)
{
	struct nest x, y;

	if (a->loops != b->loops) {
		x = unpack(a->loops);
		y = unpack(b->loops);
		for (unsigned i = 0; i < x.depth && i < y.depth && x.loop[i] == y.loop[i]; i++)
			if (x.turn[i] != y.turn[i])
				return x.turn[i] < y.turn[i];
	}
	return a->instruction < b->instruction;
}

/* ---- a warp ---------------------------------------------------------------------------- */

struct entry_lane {
	const struct ws_crawford *at, *end;
};

struct read_warp {
	struct ws_packed *s;
	struct ws_builder *b;
	uint64_t cta;
	uint32_t number;
	struct entry_lane lane[WS_CRAWFORD_WARP];
};

/* The first of the lanes' accesses; NULL: all that go on are at barriers. */
static const struct ws_crawford *first_of(const struct read_warp *w, bool *any)
{
	const struct ws_crawford *first = NULL;

	*any = false;
	for (unsigned i = 0; i < WS_CRAWFORD_WARP; i++) {
		const struct ws_crawford *e = w->lane[i].at;

		if (e == w->lane[i].end)
			continue;
		*any = true;
		if (e->instruction != WS_CRAWFORD_BARRIER &&
		    (!first || goes_before(e, first)))
			first = e;
	}
	return first;
}

static enum ws_status access_together(struct read_warp *w, const struct ws_crawford *first,
				      struct ws_err *err)
{
	uint64_t address[WS_CRAWFORD_WARP], lanes = 0;
	struct ws_built_access a = {
		.cta = w->cta, .warp = w->number, .pc = first->instruction,
		.kind = first->store ? WS_STORE : WS_LOAD, .space = WS_SPACE_GLOBAL,
		.bytes = WS_TEXT_BYTES, .address = address,
	};
	struct ws_err why = { 0 };
	enum ws_status status;

	for (unsigned i = 0; i < WS_CRAWFORD_WARP; i++) {
		struct entry_lane *lane = &w->lane[i];

		if (lane->at == lane->end || !ws_crawford_together(lane->at, first))
			continue;
		address[i] = WS_TEXT_WORD(lane->at->address);
		lanes |= 1ull << i;
		lane->at++;
	}
	a.lanes = lanes;
	status = ws_builder_access(w->b, &a, &why);
	return status == WS_OK ? WS_OK : ws_text_blame(w->s, status, &why, err);
}

static enum ws_status run_warp(struct read_warp *w, struct ws_err *err)
{
	enum ws_status status = WS_OK;
	bool any = true;

	while (status == WS_OK) {
		const struct ws_crawford *first = first_of(w, &any);

		if (first) {
			status = access_together(w, first, err);
			continue;
		}
		if (!any)
			break;
		for (unsigned i = 0; i < WS_CRAWFORD_WARP; i++)
			if (w->lane[i].at != w->lane[i].end)
				w->lane[i].at++;
		status = ws_builder_barrier(w->b, w->cta, w->number, err);
	}
	return status;
}

/* ---- a launch ----------------------------------------------------------------------------- */

#define FIELD(item, d) ((item) >> (d) * FIELD_BITS & ((1u << FIELD_BITS) - 1))

/* Gives each entry its CTA and lane in place of the work-item; the grid is as large as they
 * need. */
static void place_entries(const uint64_t local[3], struct ws_crawford *entry, size_t count,
			  uint64_t grid[3])
{
	for (unsigned d = 0; d < 3; d++)
		grid[d] = 1;
	for (size_t i = 0; i < count; i++)
		for (unsigned d = 0; d < 3; d++)
			if (FIELD(entry[i].item, d) / local[d] >= grid[d])
				grid[d] = FIELD(entry[i].item, d) / local[d] + 1;
	for (size_t i = 0; i < count; i++) {
		uint64_t cta = 0, lane = 0;

		for (unsigned d = 3; d-- > 0;) {
			cta = cta * grid[d] + FIELD(entry[i].item, d) / local[d];
			lane = lane * local[d] + FIELD(entry[i].item, d) % local[d];
		}
		entry[i].item = cta * WS_CTA_THREADS_MAX + lane;
	}
}

static int compare_entries(const void *a, const void *b)
{
	const struct ws_crawford *x = a, *y = b;

	if (x->item != y->item)
		return x->item < y->item ? -1 : 1;
	return x->number < y->number ? -1 : 1;
}

/* The next warp's lanes, from entry *i on. */
static void gather_lanes(struct read_warp *w, const struct ws_crawford *entry, size_t count,
			 size_t *i)
{
	uint64_t number = entry[*i].item / WS_CRAWFORD_WARP;

	w->cta = entry[*i].item / WS_CTA_THREADS_MAX;
	w->number = (uint32_t)(number % (WS_CTA_THREADS_MAX / WS_CRAWFORD_WARP));
	memset(w->lane, 0, sizeof w->lane);
	while (*i < count && entry[*i].item / WS_CRAWFORD_WARP == number) {
		struct entry_lane *lane = &w->lane[entry[*i].item % WS_CRAWFORD_WARP];

		lane->at = lane->at ? lane->at : &entry[*i];
		lane->end = &entry[++*i];
	}
}

enum ws_status ws_crawford_launch(struct ws_packed *s, struct ws_builder *b,
				  const uint64_t local[3], struct ws_crawford *entry, size_t count,
				  struct ws_err *err)
{
	struct ws_built_launch launch = { .kernel = WS_TEXT_KERNEL,
					  .warp_width = WS_CRAWFORD_WARP };
	struct read_warp w = { .s = s, .b = b };
	struct ws_err why = { 0 };
	enum ws_status status;

	memcpy(launch.block, local, sizeof launch.block);
	place_entries(local, entry, count, launch.grid);
	status = ws_builder_launch(b, &launch, &why); /* checks grid and block */
	if (status != WS_OK)
		return ws_text_blame(s, status, &why, err);
	if (count)
		qsort(entry, count, sizeof *entry, compare_entries);
	for (size_t i = 0; i < count && status == WS_OK;) {
		gather_lanes(&w, entry, count, &i);
		status = run_warp(&w, err);
	}
	return status;
}
