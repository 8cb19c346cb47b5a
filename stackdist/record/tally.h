/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * stackdist/record/tally.h -- private: a histogram while it is counted, one thread's
 * of one launch, geometry and kind of request (or site).
 *
 * ws_tally_count, _sector   O(1) amortised
 * ws_tally_take             O(cells)
 */
#ifndef WS_STACKDIST_TALLY_H
#define WS_STACKDIST_TALLY_H

#include "stackdist/stackdist.h"

struct ws_distance_tally {		/* all zero: empty */
	uint64_t cold, uncached, sector_cold, sector_uncached;
	uint64_t *distance, *capacity, *sector; /* by cell; capacity NULL: as distance */
	size_t len, distance_cap, capacity_cap, sector_len, sector_cap;
	bool full;		/* of one set, so that both are the same */
};

bool ws_tally_grow(struct ws_distance_tally *t, uint32_t cell);	/* distance and capacity */
bool ws_tally_grow_sector(struct ws_distance_tally *t, uint32_t cell);

/* ws_cell(d, WS_DISTANCE_BITS) without a branch: near or far, no processor guesses which. */
static inline uint32_t ws_distance_cell(uint32_t d)
{
	const uint32_t end = 1u << WS_DISTANCE_BITS;
	unsigned octave = ws_log2(d | end);
	uint32_t far = end + ((octave - WS_DISTANCE_BITS) << 4) + (d >> (octave - 4) & 15);
	uint32_t near = 0u - (d < end);

	return (d & near) | (far & ~near);
}

/* One request at distance d (or cold, or uncached), of which a fully associative cache needs
 * `capacity` times as many lines as there are sets.  False: out of memory. */
static inline bool ws_tally_count(struct ws_distance_tally *t, uint32_t d, uint32_t capacity)
{
	uint32_t cell;

	if (d > WS_DISTANCE_MAX) {
		t->cold += d == WS_DISTANCE_COLD;
		t->uncached += d == WS_DISTANCE_UNCACHED;
		return true;
	}
	cell = ws_distance_cell(d);
	if (cell >= t->len && !ws_tally_grow(t, cell))
		return false;
	t->distance[cell]++;
	t->capacity[ws_distance_cell(d < capacity ? d : capacity)]++;
	return true;
}

/* The same at one set: capacity is d.  All of a tally is counted so, or none. */
static inline bool ws_tally_count_full(struct ws_distance_tally *t, uint32_t d)
{
	uint32_t cell = ws_distance_cell(d);

	if (d > WS_DISTANCE_MAX) {
		t->cold += d == WS_DISTANCE_COLD;
		t->uncached += d == WS_DISTANCE_UNCACHED;
		return true;
	}
	t->full = true;
	if (cell >= t->len && !ws_tally_grow(t, cell))
		return false;
	t->distance[cell]++;
	return true;
}

/* One sector of a request. */
static inline bool ws_tally_sector(struct ws_distance_tally *t, uint32_t d)
{
	uint32_t cell;

	if (d > WS_DISTANCE_MAX) {
		t->sector_cold += d == WS_DISTANCE_COLD;
		t->sector_uncached += d == WS_DISTANCE_UNCACHED;
		return true;
	}
	cell = ws_distance_cell(d);
	if (cell >= t->sector_len && !ws_tally_grow_sector(t, cell))
		return false;
	t->sector[cell]++;
	return true;
}

/* Moves the tally into a histogram: all but h->requests.  *sum grows by the requests it held.
 * False: out of memory. */
bool ws_tally_take(struct ws_histogram *h, struct ws_distance_tally *t, uint64_t *sum);
/* Moves one tally into another.  False: out of memory. */
bool ws_tally_add(struct ws_distance_tally *to, struct ws_distance_tally *from);
void ws_tally_clear(struct ws_distance_tally *t);

#endif
