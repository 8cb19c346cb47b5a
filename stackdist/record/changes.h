/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * stackdist/record/changes.h -- private: counting of interval changes.
 *
 * A change is +1 or -1 at a kind, a cell of intervals and a number of ways.  A kind's
 * cell is a *row* of a table, which has a place there once it is used.  Its counters are 32 bits
 * wide, so that the table stays near the processor; every WS_SPANS_MAX spans they are added to wide
 * ones, which few launches need.
 *
 * ws_changes_span   O(1)
 * ws_changes_take   O(size of the rows used)
 * memory            1 KiB a row that is used, or 3
 */
#ifndef WS_STACKDIST_CHANGES_H
#define WS_STACKDIST_CHANGES_H

#include "stackdist/record/detail.h"
#include "stackdist/stack/cpu.h"

#define WS_FILL_REUSE_ROWS (WS_KINDS * WS_FILL_REUSE_CELLS)
#define WS_WAY_CLASSES 256u		/* columns; WS_FILL_REUSE_WAYS of them are counted */
#define WS_SPANS_MAX (1u << 24)

struct ws_changes {
	uint32_t *count;	/* [place][way class]; modulo 2^32 */
	int64_t *sum;		/* the same, up to the last settling; NULL: there was none */
	uint16_t place[WS_FILL_REUSE_ROWS]; /* 0: none, the row is all 0 */
	size_t places, cap;	/* place 0, which nobody reads, is one; what is not used is 0 */
	bool failed;		/* no memory for them */
	uint32_t spans;		/* since the last settling or taking */
	uint16_t cell[WS_FILL_REUSE_MAX + 1]; /* by cycles */
};

void ws_changes_settle(struct ws_changes *c);
uint32_t ws_changes_place(struct ws_changes *c, uint32_t row); /* a place for it */

/* Distances of one way class are alike for all numbers of ways that are counted: way class r stands
 * for distances that miss with up to r of these numbers, and WS_FILL_REUSE_WAYS for all larger
 * ones. */
static inline uint32_t ws_way_class(uint32_t d)
{
	/* Hard to foresee, so without a branch. */
	uint32_t x = d < 65536 ? d : 65536, small = 0u - (x < 1u << WS_FILL_REUSE_WAYS_BITS);
	uint32_t wide = ws_octaves(x, 4) - ws_octaves(1u << WS_FILL_REUSE_WAYS_BITS, 4) +
			(1u << WS_FILL_REUSE_WAYS_BITS);

	return (x & small) | (wide & ~small);
}

static inline uint32_t ws_changes_row(const struct ws_changes *c, unsigned kind, uint32_t cycles)
{
	return kind * WS_FILL_REUSE_CELLS + c->cell[cycles];
}

/* A request is in the row with the ways of way class `from` up to, not including, way class `upto`:
 * at most WS_FILL_REUSE_WAYS.  Nothing if they are the same. */
static inline void ws_changes_span(struct ws_changes *c, uint32_t row, uint32_t from,
				   uint32_t upto)
{
	uint32_t place = c->place[row];

	if (WS_RARELY(!place))
		place = ws_changes_place(c, row);
	c->count[place * WS_WAY_CLASSES + from]++;
	c->count[place * WS_WAY_CLASSES + upto]--;
}

/* To be told of all spans, of less than 2^30 at a time. */
static inline void ws_changes_made(struct ws_changes *c, uint32_t spans)
{
	c->spans += spans;
	if (c->spans >= WS_SPANS_MAX)
		ws_changes_settle(c);
}

#endif
