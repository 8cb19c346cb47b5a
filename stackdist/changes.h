/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * stackdist/changes.h -- private: counting of interval changes.
 *
 * A change is +1 or -1 at a kind, a cell of intervals and a number of ways.  A kind's
 * cell is a *row* of a table.  Its counters are 32 bits wide, so that the table stays near
 * the processor; every WS_TURNS_MAX turns they are added to wide ones.
 *
 * ws_changes_turn   O(1)
 * ws_changes_take   O(size of the table)
 * memory            1.3 MiB, of which only what is used is touched
 */
#ifndef WS_STACKDIST_CHANGES_H
#define WS_STACKDIST_CHANGES_H

#include "stackdist/detail.h"

#define WS_FLIGHT_ROWS (WS_KINDS * WS_FLIGHT_CELLS)
#define WS_ROW_NONE WS_FLIGHT_ROWS /* of intervals that are not counted */
#define WS_RUNGS 256u		/* columns; WS_FLIGHT_WAYS of them are counted */
#define WS_TURNS_MAX (1u << 24)

struct ws_changes {
	uint32_t *count;	/* [row][rung], and a row for nothing; modulo 2^32 */
	int64_t *sum;		/* the same, up to the last settling */
	uint32_t turns;		/* since then */
	uint16_t cell[WS_FLIGHT_MAX + 1]; /* by cycles */
};

void ws_changes_settle(struct ws_changes *c);

/* Distances of one rung are alike for all numbers of ways that are counted: rung r stands for
 * distances that miss with up to r of these numbers, and WS_FLIGHT_WAYS for all larger ones. */
static inline uint32_t ws_rung(uint32_t d)
{
	if (d < 1u << WS_FLIGHT_WAYS_BITS)
		return d;
	return d < 65536 ? ws_cell(d, WS_FLIGHT_WAYS_BITS) : WS_FLIGHT_WAYS;
}

static inline uint32_t ws_changes_row(const struct ws_changes *c, unsigned kind, uint32_t cycles)
{
	return kind * WS_FLIGHT_CELLS + c->cell[cycles];
}

/* A request that is in row `from` up to this rung is in row `to` with more ways.  rung: at most
 * WS_FLIGHT_WAYS. */
static inline void ws_changes_turn(struct ws_changes *c, uint32_t from, uint32_t to, uint32_t rung)
{
	c->count[from * WS_RUNGS + rung]--;
	c->count[to * WS_RUNGS + rung]++;
}

/* To be told of the turns of each request. */
static inline void ws_changes_made(struct ws_changes *c, uint32_t turns)
{
	c->turns += turns;
	if (c->turns >= WS_TURNS_MAX)
		ws_changes_settle(c);
}

#endif
