/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/ref/recut.h -- requests as a cache of other lines would get them (ws_recut of
 * trace/trace.h), sector by sector.
 */
#ifndef WS_REF_RECUT_H
#define WS_REF_RECUT_H

#include "trace/trace.h"

/* Every request is taken apart into its 32 B sectors, in order, ascending within a request; a
 * sector joins the piece of its warp instruction that has its segment of coalesce_line and
 * its new line, or begins one.  out: room for count * max(1, from_line / to_line).
 * O(sectors * pieces of a warp instruction). */
size_t ref_recut(uint64_t coalesce_line, uint64_t from_line, uint64_t to_line,
		 const struct ws_request *r, size_t count, struct ws_request *out);

#endif
