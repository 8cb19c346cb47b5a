/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * stackdist/changes.h -- private: counting of interval changes.
 *
 * A change is +1 or -1 at a kind, a cell of intervals and a number of ways.  A kind's
 * cell is a *row*.  Changes at few ways, the bulk of them, are counted in a
 * table; those at more in a hash table: open addressing, linear probing, at most
 * three quarters full.  As that may be far larger than a cache, changes wait
 * until there are enough of them to fetch their slots ahead.
 *
 * Sums are 32 bits wide; every WS_TURNS_MAX turns, and in the end, they are
 * moved to a sorted list of wide ones.
 *
 * ws_changes_turn   O(1) expected
 * ws_changes_take   O(different changes)
 * memory            8 to 22 bytes per different change, and 3.4 MiB of which only what is
 *                   used is touched
 */
#ifndef WS_STACKDIST_CHANGES_H
#define WS_STACKDIST_CHANGES_H

#include "stackdist/detail.h"

#define WS_FLIGHT_WAYS 65536u	/* the most that is counted */
#define WS_FLIGHT_ROWS (WS_KINDS * WS_FLIGHT_CELLS)
#define WS_ROW_NONE WS_FLIGHT_ROWS /* of intervals that are not counted */
#define WS_CHANGES_NEAR 2048u	/* ways of the table */
#define WS_CHANGES_BLOCK 64u	/* counters that are looked at together */
#define WS_CHANGES_WAIT 1024u
#define WS_TURNS_MAX (1u << 24)

struct ws_slot {		/* of the hash table */
	uint32_t key;		/* (row << 16) + ways; 0: free */
	uint32_t sum;		/* modulo 2^32, as all short sums */
};

struct ws_sum {
	uint32_t key;
	int64_t sum;
};

struct ws_changes {
	uint32_t *near;		/* [row * WS_CHANGES_NEAR + ways - 1], and a row for nothing */
	bool *used;		/* by block of near: not all zero */
	struct ws_slot *slot;
	size_t slots, taken;	/* slots: a power of two, or 0 */
	struct ws_sum *sum;	/* ascending by key; none is 0 */
	size_t sums;
	uint32_t turns;		/* since sums were moved */
	uint32_t waiting[WS_CHANGES_WAIT]; /* key << 1 | (1: -1) */
	size_t waits;		/* at most WS_CHANGES_WAIT - 2 between calls */
	bool failed;		/* out of memory: until the next take */
	uint16_t cell[WS_FLIGHT_MAX + 1]; /* by cycles */
};

void ws_changes_work(struct ws_changes *c);	/* counts what waits */
void ws_changes_settle(struct ws_changes *c);	/* moves all to the list of sums */

static inline uint32_t ws_changes_row(const struct ws_changes *c, unsigned kind, uint32_t cycles)
{
	return kind * WS_FLIGHT_CELLS + c->cell[cycles];
}

static inline void ws_changes_near(struct ws_changes *c, uint32_t from, uint32_t to, uint32_t ways)
{
	uint32_t less = from * WS_CHANGES_NEAR + ways - 1, more = to * WS_CHANGES_NEAR + ways - 1;

	c->near[less]--;
	c->near[more]++;
	c->used[less / WS_CHANGES_BLOCK] = true;
	c->used[more / WS_CHANGES_BLOCK] = true;
}

static inline void ws_changes_far(struct ws_changes *c, uint32_t from, uint32_t to, uint32_t ways)
{
	uint32_t other = (from != to) & (ways <= WS_FLIGHT_WAYS);

	c->waiting[c->waits] = ((from << 16) + ways) << 1 | 1;
	c->waits += other & (from != WS_ROW_NONE);
	c->waiting[c->waits] = ((to << 16) + ways) << 1;
	c->waits += other & (to != WS_ROW_NONE);
	if (c->waits > WS_CHANGES_WAIT - 2)
		ws_changes_work(c);
}

/* A request that is in row `from` with fewer ways is in row `to` with these.  ways: at
 * most WS_FLIGHT_WAYS + 1. */
static inline void ws_changes_turn(struct ws_changes *c, uint32_t from, uint32_t to, uint32_t ways)
{
	if (ways <= WS_CHANGES_NEAR)
		ws_changes_near(c, from, to, ways);
	else
		ws_changes_far(c, from, to, ways);
}

/* To be told of the turns of each request. */
static inline void ws_changes_made(struct ws_changes *c, uint32_t turns)
{
	c->turns += turns;
	if (c->turns >= WS_TURNS_MAX)
		ws_changes_settle(c);
}

#endif
