/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * validate/cycle/tags.h -- a cache's tags.  tags.c looks up and fills, tags_life.c makes, empties
 * and frees them.
 *
 * Invariants: slot[record's set * ways + way] is that record; on-miss, coming and valid are
 * disjoint, and set.reserved counts the ways with coming sectors; each coming sector is of one MSHR
 * in the record's list.
 */
#ifndef WS_CYCLE_TAGS_H
#define WS_CYCLE_TAGS_H

#include "model/ways.h"
#include "validate/cycle/cycle.h"
#include "validate/cycle/mshr.h"

struct ws_tag_set {
	uint64_t clock;		/* as struct ws_set's; 0: untouched since the flush */
	struct ws_ways ways;	/* valid: they hold a line */
	uint32_t reserved;	/* on-miss: how many of the valid ways are reserved */
};

struct ws_tag_grain {			/* groups of 32-byte sectors, a power of two in each */
	uint32_t low;		/* the lowest sector of each group */
	uint32_t all;		/* all sectors of the first group */
	unsigned sectors;
};

struct ws_tags {
	struct ws_cache cache;
	struct ws_use use;
	const struct ws_policy *policy;
	struct ws_rng rng;
	bool on_fill;		/* l1.alloc */
	enum ws_act store;	/* what a store does */
	bool through;		/* a store goes on to the next level */
	bool modified;		/* a sector was modified since the flush */
	uint32_t line_mask;	/* the 32-byte sectors of a line */
	uint8_t kinds;		/* kinds below this enum ws_kind are looked up */
	struct ws_tag_grain sector, piece; /* the cache's sector; what one packet can hold */
	uint32_t pieces_most;	/* pieces of a line */

	struct ws_tag_set *set;
	uint32_t *ways;		/* of each set; NULL: cache.ways, which is the most */
	uint32_t *slot;		/* [set * ways + way]: number of a record + 1; 0: no line */
	struct ws_policy_state state;
	struct ws_set view;	/* what the policy sees of the set at hand */

	struct ws_tag_lines lines;
	uint32_t *partial;	/* [partials], by record: valid sectors that were written in part
				 * and cannot be read; later records have none */
	uint32_t *written;	/* [record * sectors of a line + sector]: bytes of partial ones */
	size_t partials, partial_cap, written_cap;
	struct ws_mshrs mshrs;
	/* A policy's state, kept until the queue is known to have room; while a way is searched. */
	struct ws_policy_kept queue, search;
};

/* The lowest sector of each group that `sectors` touch. */
static inline uint32_t ws_tag_groups(const struct ws_tag_grain *g, uint32_t sectors)
{
	if (g->low == 1)
		return sectors != 0;
	for (unsigned by = 1; by < g->sectors; by *= 2)
		sectors |= sectors >> by;
	return sectors & g->low;
}

static inline uint32_t ws_tag_pieces(const struct ws_tags *t, uint32_t sectors)
{
	return t->piece.low == 1 ? sectors != 0 : ws_popcount(ws_tag_groups(&t->piece, sectors));
}

static inline uint64_t ws_tags_in_flight(const struct ws_tags *t) /* MSHRs in use */
{
	return t->mshrs.live;
}

#endif
