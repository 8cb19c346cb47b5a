/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * validate/sim/oldest.h -- private: rows of entries that are free or were used at some time; which
 * of a row is the first that is free, or else was used longest ago.
 *
 * A tournament of each row: a node of its tree has the number of the entry that comes first below
 * it, counted from the first below it, so that zeros are a row that is free.
 *
 * ws_oldest_set     O(log entries of a row); O(1) for what was used last and is used again
 * ws_oldest_first   O(1)
 * memory            12 to 16 bytes per entry
 */
#ifndef WS_OLDEST_H
#define WS_OLDEST_H

#include "base/base.h"

struct ws_oldest {
	uint32_t width, leaves;	/* entries of a row, and a power of two of them or more */
	uint64_t *used;		/* [row * width + entry]; 0: free */
	uint32_t *first;	/* [row * leaves + node]; nodes 2 n and 2 n + 1 are below n */
};

/* All free.  False: out of memory; o is to be cleared then, too. */
bool ws_oldest_new(struct ws_oldest *o, size_t rows, uint32_t width);
void ws_oldest_clear(struct ws_oldest *o);
/* used: 0: free, or of all in the row different. */
void ws_oldest_set(struct ws_oldest *o, size_t row, uint32_t entry, uint64_t used);

static inline uint32_t ws_oldest_first(const struct ws_oldest *o, size_t row)
{
	return o->leaves > 1 ? o->first[row * o->leaves + 1] : 0;
}

#endif
