/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * stackdist/crowd.c -- how old the W-th last fetch of a set is when another comes.
 *
 * With W ways a load whose line is at a position >= W fetches it.  Each set has a ring of the cycles
 * of its last W fetches for each W that is counted, all rings of a set side by side: that of W
 * begins at W - 1.  Where a fetch is put is where the W-th last one was.  A fetch with W ways is one
 * with fewer ways, too, so a load has to do with the first rings only.
 *
 * Of cycles 32 bits are kept, plus FAR, so that zeros are too old to matter from the start; at least
 * every LAP cycles all that are too old are put forward, so that none is taken for a young one.  The
 * clock is that of the fetches; one that is set back stands still.
 *
 * Costs: O(WS_CROWD_WAYS) per fetch, a comparison per hit on the most recent line.  Memory: 260 bytes
 * per set.
 */
#include "stackdist/detail.h"

#include <stdlib.h>

#define RINGS ((1u << WS_CROWD_WAYS) - 1)
#define FAR (WS_FLIGHT_MAX + 1)
#define LAP ((uint64_t)1 << 31)

struct set {
	uint32_t cycle[RINGS];	/* + FAR */
	uint8_t next[WS_CROWD_WAYS]; /* place in the ring, modulo W */
};

struct ws_crowd {
	struct set *set;
	size_t sets;
	uint64_t now;
	uint64_t lap;		/* when one began */
	uint8_t cell[FAR];	/* of a number of cycles */
};

_Static_assert(WS_CROWD_WAYS <= 8, "places fit into a byte");
_Static_assert(WS_FLIGHT_CELLS <= 256, "cells fit into a byte");

enum ws_status ws_crowd_new(struct ws_crowd **out, uint64_t sets, struct ws_err *err)
{
	struct ws_crowd *c = ws_alloc_zero(1, sizeof(*c));

	if (c) {
		c->sets = (size_t)sets;
		c->set = ws_alloc_zero(c->sets, sizeof(*c->set));
	}
	if (!c || !c->set) {
		ws_crowd_free(c);
		return ws_fail_memory(err, "the fetches of sets");
	}
	for (uint32_t i = 0; i < FAR; i++)
		c->cell[i] = (uint8_t)ws_cell(i, WS_FLIGHT_BITS);
	*out = c;
	return WS_OK;
}

void ws_crowd_free(struct ws_crowd *c)
{
	if (!c)
		return;
	free(c->set);
	free(c);
}

/* Puts those forward that are too old at `cycle`. */
static void start_lap(struct ws_crowd *c, uint64_t cycle)
{
	bool all = cycle - c->now >= FAR;
	uint32_t now = (uint32_t)cycle;

	for (size_t i = 0; i < c->sets; i++)
		for (unsigned j = 0; j < RINGS; j++)
			if (all || now + FAR - c->set[i].cycle[j] >= FAR)
				c->set[i].cycle[j] = now;
	c->lap = cycle;
}

static inline void set_clock(struct ws_crowd *c, uint64_t cycle)
{
	if (cycle <= c->now)
		return;
	if (cycle - c->lap >= LAP)
		start_lap(c, cycle);
	c->now = cycle;
}

/* A load at such a position. */
static inline void fetch(const struct ws_crowd *c, struct set *s, uint32_t position,
			 struct ws_detail *to)
{
	uint32_t now = (uint32_t)c->now + FAR;

	for (unsigned i = 0; i < WS_CROWD_WAYS && position >> i; i++) {
		uint32_t *last = s->cycle + ((1u << i) - 1) + (s->next[i]++ & ((1u << i) - 1));
		uint32_t age = now - *last;

		*last = now;
		if (age < FAR)
			to->crowd[i][c->cell[age]]++;
	}
}

void ws_crowd_push(struct ws_crowd *c, const struct ws_batch *b, struct ws_detail *to)
{
	for (size_t i = 0; i < b->count; i++) {
		if (b->position[i] == 0 || b->type[i] >= WS_TYPE_EVICT ||
		    b->request[i].kind != WS_LOAD)
			continue;
		set_clock(c, b->request[i].cycle);
		fetch(c, c->set + b->set[i], b->position[i], to);
	}
}
