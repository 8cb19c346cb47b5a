/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * stackdist/record/pairs.h -- private: the inner loops of the windows recorder (windows.c).
 *
 * A block is a run of references to one set.  Entry k has the type row[k], and end[k] is the
 * type of the reference that ended the window which k began, or no type at all.  Inside
 * the block
 *
 *   within[i][j] = pairs (q, k), q < k, of types row[q] = j, row[k] = i
 *                - pairs (q, k), q <= k, with row[q] = j, end[k] = i
 *
 * which is summed by q, backwards: excess[i] = entries after q of type i, less entries from q on
 * whose window i ended, is what q adds to column row[q].  It stays in registers, and the column
 * is a row of the transposed sums, 16 bits wide: one vector addition per reference.
 * `room` says what may still be added to a cell of a row; before it could overflow the row
 * goes to the matrix.  All sums are modulo 2^64 (sums: within 16 bits).
 *
 * Windows of COLD and RELOAD do not exist: what is summed up under them is dropped.
 */
#ifndef WS_STACKDIST_PAIRS_H
#define WS_STACKDIST_PAIRS_H

#include "stackdist/record/detail.h"

#include "stackdist/stack/cpu.h"

#define WS_LOG_BITS 8u
#define WS_LOG_BLOCK (1u << WS_LOG_BITS) /* references of a block, at most */

static inline bool ws_has_window(unsigned type)
{
	return type != WS_TYPE_COLD && type != WS_TYPE_RELOAD;
}

/* Where rows go: within [WS_TYPES][WS_TYPES], time [WS_TYPES] (the sum over j is added to it). */
struct ws_pairs_to {
	uint64_t *within, *time;
};

struct ws_pairs {
	int16_t *sum;		/* [j][i], in `memory` on a line of the processor's cache */
	int32_t room[WS_TYPES];	/* by j */
	struct ws_pairs_to to;
	void *memory;
};

/* False: out of memory. */
bool ws_pairs_new(struct ws_pairs *p);
void ws_pairs_flush(struct ws_pairs *p); /* all rows to p->to */
void ws_pairs_clear(struct ws_pairs *p);

/* One version of the loops.  excess [WS_TYPES]: as above, of the whole block.  factor[] < 2^31 but
 * for add_product of version 0, |by| < 2^15. */
struct ws_pairs_loops {
	const char *name;
	/* count <= WS_LOG_BLOCK */
	void (*walk)(struct ws_pairs *p, const uint8_t *type, const uint8_t *end, unsigned count,
		     int16_t *excess);
	/* row[j] += factor[j] * by, WS_TYPES of them */
	void (*add_product)(uint64_t *row, const uint64_t *factor, int by);
};

/* By enum ws_simd; version 0 is plain C.  NULL if the build does not have it. */
const struct ws_pairs_loops *ws_pairs_version(enum ws_simd simd);

#endif
