/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * stackdist/stack/deferred.h -- private: the lines of a set that write-through stores lifted.
 *
 * Why LRU with write-through, no allocation, is a stack algorithm.  A store
 * that hits refreshes the line in the caches that hold it, and only in those.
 * A line that W ways hold has been there since its last load, which put it
 * into all caches; every store since then hit it in W ways and, by induction
 * on the contents, in W + 1.  So all caches that hold a line agree on the time
 * of its last use, and the victim of W + 1 ways is the older of the victim of
 * W and the one line more: contents stay nested, and Mattson's priority stack
 * applies.  A load of the line at position k lifts it to the top and hands
 * down, at every position above k, the older of what stands there and what is
 * handed down.
 *
 * How it is kept in O(log m).  Without stores the stack is in order of use and
 * a load shifts all above k by one.  A store to the line at position i > 0
 * makes it the newest but leaves it at i: it is *pinned* there while anything
 * above it is older, for what is handed down past it then is.  The other
 * lines *flow*: they stay in order of use and shift by one flowing position.
 * So it suffices to have the time slots of all lines, to count those of the
 * flowing ones only (slots.h), and to list the pinned ones by position:
 *
 *   the f-th flowing line stands at the f-th position that is not pinned;
 *   a pinned line joins the flow when its *gap* is 0: the positions above it
 *   that are not pinned, less the flowing lines newer than it.
 *
 * The gap shrinks by at most one per use of the set (a load, or a store that
 * pins), so it is looked at again only after as many uses as it was wide
 * (`due`).  Of lines that could join together the upper one joins first.
 *
 * ws_deferred_position           O(log pins)
 * ws_deferred_add, _remove       O(pins), moving 16 bytes each
 * ws_deferred_settle             O(1) unless a gap is due, then O(pins + due log m)
 */
#ifndef WS_STACKDIST_DEFERRED_H
#define WS_STACKDIST_DEFERRED_H

#include "stackdist/stack/slots.h"

#define WS_PIN_NONE UINT32_MAX

struct ws_pin {
	uint32_t position;
	uint32_t id;		/* of the line */
	uint64_t due;		/* uses of the set before which it cannot join the flow */
};

struct ws_deferred {		/* all zero: none */
	struct ws_pin *pin;	/* by ascending position */
	size_t count, cap;
	uint64_t uses, due;	/* of the set; the smallest due of any pin */
};

bool ws_deferred_grow(struct ws_deferred *p);

/* Room for one more; false: out of memory. */
static inline bool ws_deferred_room(struct ws_deferred *p)
{
	return p->count < p->cap || ws_deferred_grow(p);
}

/* The position of the flowing line with `newer` flowing lines above it. */
uint32_t ws_deferred_position(const struct ws_deferred *p, uint32_t newer);
void ws_deferred_add(struct ws_deferred *p, uint32_t position, uint32_t id);
void ws_deferred_remove(struct ws_deferred *p, uint32_t position);
void ws_deferred_clear(struct ws_deferred *p);

#endif
