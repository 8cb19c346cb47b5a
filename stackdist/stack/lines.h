/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * stackdist/stack/lines.h -- private: numbers for the lines of a stream.
 *
 * Lines are numbered 0, 1, 2, ... in the order in which they are first asked
 * for by a request that allocates, so all stacks of one SM can share the
 * numbers and need no table of their own.
 *
 * Kernels walk through arrays, so the table is one of *pages*: the numbers of
 * 16 lines side by side in the address space are side by side in 64 bytes.  A
 * page is found by open addressing with linear probing, at most half full; four
 * pages that are neighbours have places that are neighbours, and the table itself has the keys.  It
 * is not base/map.h for these two, on which a batch's look-ups side by side depend.
 * What counts as a line is found out from the addresses: the largest power of two, up to 2^12, that
 * divides all of them.  If that shrinks the table is made anew, at most twelve times.  A batch is
 * looked up in stages, and what the next stage will read is fetched meanwhile.
 *
 * ws_lines_number   O(1) expected per request
 * memory            dense addresses: 6 to 12 bytes per line; at worst, a line a page:
 *                   96 to 192
 */
#ifndef WS_STACKDIST_LINES_H
#define WS_STACKDIST_LINES_H

#include "trace/trace.h"

#define WS_LINE_NONE UINT32_MAX
/* Distinct lines of one SM in one launch.  Keeps slots and distances in 32
 * bits, and a histogram of a profile within 1 GiB. */
#define WS_LINES_MAX (1u << 27)

#define WS_PAGE_LINES 16u

struct ws_page {
	uint64_t key;		/* of its lines: address >> shift, without the four lowest bits */
	uint32_t page;		/* 0: free */
};

struct ws_lines {		/* all zero: empty */
	struct ws_page *table;
	size_t size;		/* power of two */
	unsigned bits;		/* its log2 */
	unsigned shift;		/* of the addresses */
	uint32_t *number;	/* [page * WS_PAGE_LINES + line], or WS_LINE_NONE; page 0 is a
				 * page without numbers, for those that are not there */
	size_t pages, cap;	/* cap: of number */
	uint32_t count;		/* lines */
	bool atomics;		/* an atomic brings its line in, as in an L2; set by the owner */
};

/* True if an atomic is performed in this cache: it is an L2. */
static inline bool ws_atomics_allocate(const struct ws_cache *cache)
{
	return cache->slices > 0;
}

/* id[i]: the number of request[i]'s line; WS_LINE_NONE for an atomic (but in an L2), and for
 * a store that does not allocate to a line that was never allocated. */
enum ws_status ws_lines_number(struct ws_lines *l, enum ws_write write,
			       const struct ws_request *request, size_t count,
			       uint32_t *id, struct ws_err *err) WS_MUST_CHECK;
/* The same of some requests only, request[index[i]], i < count; id[i] is of that. */
enum ws_status ws_lines_number_some(struct ws_lines *l, enum ws_write write,
				    const struct ws_request *request, const uint32_t *index,
				    size_t count, uint32_t *id, struct ws_err *err) WS_MUST_CHECK;
void ws_lines_clear(struct ws_lines *l);

#endif
