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

#if defined(__GNUC__)
#define WS_RARELY(x) __builtin_expect(!!(x), 0)
#else
#define WS_RARELY(x) (x)
#endif

#define WS_SPAN 64u		/* types worked on at a time */
#define WS_LOG_BLOCK_MAX 1024u	/* references of a block, at most */

static inline bool ws_has_window(unsigned type)
{
	return type != WS_TYPE_COLD && type != WS_TYPE_RELOAD;
}

/* Where rows go: within [types][types], time [types] (the sum over j is added to it). */
struct ws_pairs_to {
	uint64_t *within, *time;
};

struct ws_pairs {
	unsigned types;		/* WS_TYPES or WS_COUNT_TYPES */
	int16_t *sum;		/* [j][i], in `memory` on a line of the processor's cache */
	int32_t *room;		/* by j */
	struct ws_pairs_to to;
	struct ws_pairs_to folded; /* WS_COUNT_TYPES: the same by types alone */
	void *memory;
};

/* False: out of memory. */
bool ws_pairs_new(struct ws_pairs *p, unsigned types);
void ws_pairs_flush(struct ws_pairs *p); /* all rows to p->to */
void ws_pairs_clear(struct ws_pairs *p);

/* One version of the loops.  excess [types]: as above, of the whole block.  factor[] < 2^31 but
 * for add_product of version 0, |by| < 2^15. */
struct ws_pairs_loops {
	const char *name;
	/* of WS_TYPES, types a byte; count <= 256 */
	void (*walk)(struct ws_pairs *p, const uint8_t *type, const uint8_t *end, unsigned count,
		     int16_t *excess);
	/* of WS_COUNT_TYPES; count <= WS_LOG_BLOCK_MAX */
	void (*walk_counted)(struct ws_pairs *p, const uint16_t *type, const uint16_t *end,
			     unsigned count, int16_t *excess);
	/* row[j] += factor[j] * by, WS_SPAN of them */
	void (*add_product)(uint64_t *row, const uint64_t *factor, int by);
};

/* By enum ws_simd; version 0 is plain C.  NULL if the build does not have it. */
const struct ws_pairs_loops *ws_pairs_version(enum ws_simd simd);

#endif
