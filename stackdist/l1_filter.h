/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * stackdist/l1_filter.h -- private: one SM's L1 as a filter: the requests that it passes on to the
 * L2.
 *
 * A functional LRU cache without time: fetched data is there at once.  Its output is cut into
 * pieces of one line of the L2 (`out_line`), by ascending address, at the cycle of the request:
 *
 *   load     the L1's sectors that it asks for and that are not there, as a load; none: nothing
 *   store    write-evict, write-through: the sectors stored.  write-through-allocate: the same, and
 *            the line is brought in without a fetch.  write-back: nothing; the line is brought in,
 *            its sectors are modified
 *   atomic   the sectors asked for; the L1 is not looked at
 *   a line thrown out that has modified sectors: these as a store, before what threw it out
 *
 * "Sectors stored" and "of an atomic" are the 32-byte ones asked for; fetched and modified are
 * whole sectors of the L1; of one without ways everything passes as it was asked.  Modified sectors
 * at the end of the launch are not written back.
 *
 * ws_l1_filter_push   O(1) expected per request, whatever the ways: lines are found by a hash
 *                     table, and a set is a list in order of use, empty ways last
 * memory              32 to 40 B a line
 */
#ifndef WS_STACKDIST_L1_FILTER_H
#define WS_STACKDIST_L1_FILTER_H

#include "stackdist/stackdist.h"

struct ws_l1_filter;

struct ws_queue {		/* of requests to the L2; all zero: empty */
	struct ws_request *request;
	size_t head, count, cap; /* request[head .. count - 1] are there */
};

/* Policy and latency of the L1 are not read. */
enum ws_status ws_l1_filter_new(struct ws_l1_filter **out, const struct ws_cache *l1,
				uint64_t out_line, struct ws_err *err) WS_MUST_CHECK;
/* Requests of the L1's lines, with sectors. */
enum ws_status ws_l1_filter_push(struct ws_l1_filter *f, const struct ws_request *request,
				 size_t count, struct ws_queue *to,
				 struct ws_err *err) WS_MUST_CHECK;
void ws_l1_filter_free(struct ws_l1_filter *f);

#endif
