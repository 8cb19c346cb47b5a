/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * validate/sim/miss_stream.h -- the L1s' misses, write-backs and bypasses, as requests to the L2.
 *
 *   load     the L1's sectors that it asks for and that are not there; none: nothing
 *   store    write-back: nothing, its line is brought in; else the 32 B sectors stored
 *   atomic   the 32 B sectors asked for
 *   a line thrown out whose sectors were modified: these as a store, before what threw it out
 *
 * each cut into pieces of one line of the L2, by ascending address, at the cycle of the request.
 */
#ifndef WS_MISS_STREAM_H
#define WS_MISS_STREAM_H

#include "validate/validate.h"

struct ws_miss_stream {		/* all zero but for the lines: empty */
	uint64_t line, from_line; /* bytes: the L2's, the L1's */
	struct ws_stream stream;
	bool failed;		/* memory is out: something is missing */
};

/* Sectors of the line at `address` of the L1, because of the request *r. */
void ws_miss_stream_put(struct ws_miss_stream *to, const struct ws_request *r, uint64_t address,
		   uint32_t sectors, enum ws_kind kind);
#endif
