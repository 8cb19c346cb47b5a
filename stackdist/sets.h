/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * stackdist/sets.h -- private: the stacks of all sets of a cache.
 *
 * What struct ws_stack is without the table from addresses to line numbers,
 * so that the stacks of one SM, one per set count, share one table (lines.h).
 * The write policy decides what is kept beside the time slots (slots.h):
 * nothing, holes (holes.h) or pins (pins.h).
 */
#ifndef WS_STACKDIST_SETS_H
#define WS_STACKDIST_SETS_H

#include "stackdist/stackdist.h"

struct ws_sets;

/* WS_EINVAL: no sets, or a sector size that does not divide the line into at
 * most 32 of a multiple of 32 B. */
enum ws_status ws_sets_new(struct ws_sets **out, const struct ws_cache *cache,
			   struct ws_err *err) WS_MUST_CHECK;
/* id[i] is what ws_lines_number gave for request[i], all since the first.
 * After a failure the stacks are good for nothing but to be freed. */
enum ws_status ws_sets_push(struct ws_sets *s, const struct ws_request *request,
			    const uint32_t *id, size_t count, uint32_t *distance,
			    struct ws_err *err) WS_MUST_CHECK;
void ws_sets_free(struct ws_sets *s);

#endif
