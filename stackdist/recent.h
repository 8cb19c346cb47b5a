/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * stackdist/recent.h -- private: the most recent lines of a stream, in the stacks of several
 * set counts at once.
 *
 * Stack 0 has one set, stack i the i-th of the set counts asked for.  All stacks hold the same
 * lines.  Unbounded, that is every line of the stream; bounded, the `limit` lines used last,
 * and then positions below limit in stack 0 are exact, and so are those of the same requests in the
 * other stacks: all lines of a set that are newer than a line in stack 0 are in stack 0 too.
 *
 * Write policies are those of sets.h, with holes for write-evict; but under write-through a
 * store to a line that is there makes it the newest in all stacks (a small cache would have
 * missed), which is not exact.  Sectors are as in sets.h.
 *
 * Each set of each stack has time slots (slots.h) and, by slot, the line in it, so the
 * oldest line is found and slots are renumbered without a list of the lines.
 *
 * ws_recent_push   O(stacks) per request, the time slots' O(log lines) apart
 * memory           12 + stacks * (30 to 60) bytes per line, twice the table's 8 bytes; + 200
 *                  bytes per set
 */
#ifndef WS_STACKDIST_RECENT_H
#define WS_STACKDIST_RECENT_H

#include "stackdist/stackdist.h"

#define WS_RECENT_BATCH 256u

struct ws_recent;

struct ws_found {		/* of a batch; WS_DISTANCE_COLD: the line (or sector) is not known
				 * here; WS_DISTANCE_UNCACHED: as in stackdist.h */
	uint32_t *distance;	/* [request * stacks + stack] */
	uint32_t *sector;	/* sectored only: [sector asked for * stacks + stack] */
};

/* Errors of ws_sets_new. */
enum ws_status ws_recent_new(struct ws_recent **out, const struct ws_cache *cache,
			     const uint64_t *sets, size_t set_counts,
			     struct ws_err *err) WS_MUST_CHECK;
/* request[pick[i]], i < count <= WS_RECENT_BATCH; none of them an atomic. */
enum ws_status ws_recent_push(struct ws_recent *r, const struct ws_request *request,
			      const uint32_t *pick, size_t count, struct ws_found *to,
			      struct ws_err *err) WS_MUST_CHECK;
/* Forgets all but the newest `limit` lines, now and from now on.  limit > 0. */
enum ws_status ws_recent_bound(struct ws_recent *r, size_t limit,
			       struct ws_err *err) WS_MUST_CHECK;
size_t ws_recent_lines(const struct ws_recent *r);
void ws_recent_free(struct ws_recent *r);

/* The cache's own sectors, of the 32 B ones asked for; sectors > 1 per line. */
uint32_t ws_recent_mask(const struct ws_recent *r, uint32_t sectors);

#endif
