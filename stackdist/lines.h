/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * stackdist/lines.h -- private: numbers for the lines of a stream.
 *
 * Lines are numbered 0, 1, 2, ... in the order in which they are first asked
 * for by a request that allocates, so all stacks of one SM can share the
 * numbers and need no table of their own.
 *
 * Open addressing with linear probing, at most five eighths full.
 *
 * ws_lines_number   O(1) expected per request
 * memory            26 to 51 bytes per line
 */
#ifndef WS_STACKDIST_LINES_H
#define WS_STACKDIST_LINES_H

#include "trace/trace.h"

#define WS_LINE_NONE UINT32_MAX
/* Distinct lines of one SM in one launch.  Keeps slots and distances in 32
 * bits, and a histogram of a profile within 1 GiB. */
#define WS_LINES_MAX (1u << 27)

struct ws_line {
	uint64_t address;
	uint32_t id;		/* WS_LINE_NONE: free */
};

struct ws_lines {		/* all zero: empty */
	struct ws_line *table;
	size_t size;		/* power of two */
	uint32_t count;
};

/* True if a store brings its line in, as a load does. */
static inline bool ws_store_allocates(enum ws_write write)
{
	return write == WS_WRITE_BACK || write == WS_WRITE_THROUGH_ALLOCATE;
}

/* id[i]: the number of request[i]'s line; WS_LINE_NONE for an atomic, and for
 * a store that does not allocate to a line that was never allocated. */
enum ws_status ws_lines_number(struct ws_lines *l, enum ws_write write,
			       const struct ws_request *request, size_t count,
			       uint32_t *id, struct ws_err *err) WS_MUST_CHECK;
void ws_lines_clear(struct ws_lines *l);

#endif
