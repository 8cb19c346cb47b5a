/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * stackdist/tally.h -- private: a histogram while it is counted, one thread's
 * of one launch, set count and kind of request.
 *
 * ws_tally_count   O(1) amortised
 * ws_tally_take    O(largest distance)
 */
#ifndef WS_STACKDIST_TALLY_H
#define WS_STACKDIST_TALLY_H

#include "stackdist/stackdist.h"

struct ws_tally {		/* all zero: empty */
	uint64_t cold, uncached;
	uint64_t *distance, *capacity;
	size_t len, distance_cap, capacity_cap;
};

/* One request at set distance d (or cold, or uncached), of which a fully
 * associative cache needs `capacity` times as many lines as there are sets.
 * False: out of memory. */
bool ws_tally_count(struct ws_tally *t, uint32_t d, uint64_t capacity);
/* Moves the tally into a histogram; *sum grows by the requests it held.
 * False: out of memory. */
bool ws_tally_take(struct ws_histogram *h, struct ws_tally *t, uint64_t *sum);
void ws_tally_clear(struct ws_tally *t);

#endif
