/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * stackdist/record/reservation.c -- how old the W-th last fetch of a set is when another comes.
 *
 * With W ways a load whose line is at a position >= W fetches it.  Each set has a ring of the
 * cycles of its last W fetches for each W that is counted, all rings of a set side by side: that of
 * W begins at word W, which leaves word 0 for the places in all of them.  Where a fetch is put is
 * where the W-th last one was.  A fetch with W ways is one with fewer ways, too, so a load has to
 * do with the first rings only.  How many these are is hard to foresee, so half of them or all are
 * gone through, those that it has nothing to do with to no effect.
 *
 * Of cycles 32 bits are kept, plus FAR, so that zeros are too old to matter from the start; at
 * least every LAP cycles all that are too old are put forward, so that none is taken for a young
 * one.  The clock is that of the fetches; one that is set back stands still.
 *
 * Costs: O(WS_RESERVATION_WAYS) per fetch, a few instructions per hit.  Memory: 256 bytes per set,
 * 10 KB.
 */
#include "stackdist/record/detail.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "stackdist/stack/cpu.h"

#define WORDS (1u << WS_RESERVATION_WAYS) /* of a set */
#define HALF (WS_RESERVATION_WAYS / 2) /* rings that all fetches go through */
#define FAR (WS_FILL_REUSE_MAX + 1)
#define LAP ((uint64_t)1 << 31)
#define CHUNK 256u		/* fetches that are gathered, then counted */
#define FETCHES_MAX (1u << 30)	/* in counters of 32 bits */

/* The places of a set: i + 2 bits from FIELD(i) on have the number of a word of ring i, that is 2^i
 * and more, and room for a carry. */
#define FIELD(i) ((i) * ((i) + 3) / 2)

struct reservation_level {			/* of fetches in so many rings */
	uint32_t busy[WS_RESERVATION_WAYS]; /* all ones for these rings, 0 for the others */
	uint32_t idle[WS_RESERVATION_WAYS]; /* the opposite */
	uint32_t step;		/* 1 in the places of these */
	uint32_t pad[3];
};

struct ws_reservation {
	uint32_t (*set)[WORDS];	/* cycles + FAR; word 0: places */
	size_t sets;
	uint64_t now;
	uint64_t lap;		/* when one began */
	uint32_t base, wrap;	/* of places: where rings begin, and their bits above that */
	struct reservation_level level[WS_RESERVATION_WAYS + 1];
	uint32_t fetches;	/* since the counters were 0 */
	uint32_t count[WS_RESERVATION_WAYS]
		      [WS_FILL_REUSE_CELLS + 1]; /* the last: too old, or no fetch */
	uint8_t rings[WORDS];	/* of a position; the last: of all above, too */
	uint8_t cell[FAR + 1];	/* of a number of cycles; the last: of all above, too */
};

struct lap_fetches {
	uint32_t set[CHUNK + 1], now[CHUNK + 1];
	uint8_t level[CHUNK + 1];
};

_Static_assert(FIELD(WS_RESERVATION_WAYS) <= 32, "places fit into a word");
_Static_assert(WS_FILL_REUSE_CELLS <= UINT8_MAX, "cells fit into a byte");

static void make_tables(struct ws_reservation *c)
{
	for (uint32_t i = 0; i < WS_RESERVATION_WAYS; i++) {
		c->base |= 1u << i << FIELD(i);
		c->wrap |= ((1u << i) - 1) << FIELD(i);
		c->level[i + 1].step = c->level[i].step | 1u << FIELD(i);
		for (uint32_t level = 0; level <= WS_RESERVATION_WAYS; level++)
			c->level[level].busy[i] = level > i ? UINT32_MAX : 0;
		for (uint32_t level = 0; level <= WS_RESERVATION_WAYS; level++)
			c->level[level].idle[i] = level > i ? 0 : UINT32_MAX;
		memset(c->rings + (1u << i), (int)i + 1, 1u << i);
	}
	for (uint32_t i = 0, first = 0, end; i < WS_FILL_REUSE_CELLS; i++, first = end) {
		end = ws_cell_first(i + 1, WS_FILL_REUSE_BITS);
		memset(c->cell + first, (int)i, end - first);
	}
	c->cell[FAR] = WS_FILL_REUSE_CELLS;
}

enum ws_status ws_reservation_new(struct ws_reservation **out, uint64_t sets, struct ws_err *err)
{
	struct ws_reservation *c = ws_alloc_zero(1, sizeof *c);

	if (c) {
		c->sets = (size_t)sets;
		c->set = ws_alloc_zero(c->sets, sizeof *c->set);
	}
	if (!c || !c->set) {
		ws_reservation_free(c);
		return ws_fail_memory(err, "the fetches of sets");
	}
	make_tables(c);
	for (size_t i = 0; i < c->sets; i++)
		c->set[i][0] = c->base;
	*out = c;
	return WS_OK;
}

void ws_reservation_free(struct ws_reservation *c)
{
	if (!c)
		return;
	free(c->set);
	free(c);
}

/* Puts those forward that are too old at `cycle`. */
static void start_lap(struct ws_reservation *c, uint64_t cycle)
{
	bool all = cycle - c->now >= FAR;
	uint32_t now = (uint32_t)cycle;

	assert(cycle >= c->lap);
	for (size_t i = 0; i < c->sets; i++)
		for (unsigned j = 1; j < WORDS; j++)
			if (all || now + FAR - c->set[i][j] >= FAR)
				c->set[i][j] = now;
	c->lap = cycle;
}

/* Of a set's words. */
static WS_INLINE void fetch(struct ws_reservation *c, uint32_t *word, uint32_t now,
			    const struct reservation_level *level)
{
	uint32_t places = *word;

	WS_UNROLL
	for (unsigned i = 0; i < WS_RESERVATION_WAYS; i++) {
		uint32_t at = places >> FIELD(i) & ((2u << i) - 1);
		uint32_t age = (now - word[at]) | level->idle[i];

		word[at & level->busy[i]] = now;
		c->count[i][c->cell[age < FAR ? age : FAR]]++;
		if (i + 1 == HALF && level->idle[HALF])
			break;
	}
	*word = ((places + level->step) & c->wrap) | c->base;
}

/* The fetches among b's requests *at .., up to CHUNK requests, until a lap is to begin. */
static size_t gather_fetches(struct ws_reservation *c, const struct ws_batch *b, size_t *at,
			     struct lap_fetches *to)
{
	const struct ws_request *request = b->request;
	const uint32_t *set = b->set, *position = b->position;
	const uint8_t *type = b->type;
	size_t i = *at, upto = b->count - i < CHUNK ? b->count : i + CHUNK, n = 0;
	uint64_t clock = c->now;

	for (; i < upto; i++) {
		uint32_t p = position[i] < WORDS - 1 ? position[i] : WORDS - 1;
		bool is = (p != 0) & (type[i] < WS_TYPE_EVICT) & (request[i].kind == WS_LOAD);
		uint64_t cycle = request[i].cycle & (0 - (uint64_t)is);

		cycle = cycle > clock ? cycle : clock;
		if (cycle - c->lap >= LAP)
			break;
		clock = cycle;
		to->set[n] = set[i];
		to->now[n] = (uint32_t)clock + FAR;
		to->level[n] = c->rings[p];
		n += is;
	}
	if (i < upto && n == 0)
		start_lap(c, request[i].cycle);
	c->now = clock;
	*at = i;
	return n;
}

static void settle_counts(struct ws_reservation *c, struct ws_detail *to)
{
	for (unsigned i = 0; i < WS_RESERVATION_WAYS; i++)
		for (unsigned cell = 0; cell < WS_FILL_REUSE_CELLS; cell++)
			to->reservation[i][cell] += c->count[i][cell];
	memset(c->count, 0, sizeof c->count);
	c->fetches = 0;
}

void ws_reservation_push(struct ws_reservation *c, const struct ws_batch *b, struct ws_detail *to)
{
	struct lap_fetches f;

	for (size_t at = 0, n; at < b->count; c->fetches += (uint32_t)n) {
		n = gather_fetches(c, b, &at, &f);
		if (c->fetches >= FETCHES_MAX)
			settle_counts(c, to);
		for (size_t i = 0; i < n; i++)
			fetch(c, c->set[f.set[i]], f.now[i], c->level + f.level[i]);
	}
}

void ws_reservation_end(struct ws_reservation *c, struct ws_detail *to)
{
	settle_counts(c, to);
}
