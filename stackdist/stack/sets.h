/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * stackdist/stack/sets.h -- private: the stacks of all sets of a cache.
 *
 * What struct ws_stack is without the table from addresses to line numbers,
 * so that the stacks of one SM, one per set count, share one table (lines.h).
 * The write policy decides what is kept beside the time slots (slots.h):
 * nothing, invalid ways (invalid_ways.h) or pins (deferred.h).
 */
#ifndef WS_STACKDIST_SETS_H
#define WS_STACKDIST_SETS_H

#include "machine/sectors.h"
#include "stackdist/stack/cpu.h"
#include "stackdist/stackdist.h"

struct ws_sets;

/* WS_EINVAL: no sets, or a sector size that does not divide the line into at
 * most 32 of a multiple of 32 B. */
enum ws_status ws_sets_new(struct ws_sets **out, const struct ws_cache *cache,
			   struct ws_err *err) WS_MUST_CHECK;
/* Where the requests of a batch were found: arrays of count, or NULL if not wanted. */
struct ws_set_places {
	uint32_t *distance;	/* as ws_stack_push gives it; always wanted */
	uint32_t *position;	/* of the line; WS_DISTANCE_COLD: never referenced before;
				 * WS_DISTANCE_UNCACHED: not in the stack (thrown out), or no
				 * line */
	uint32_t *set;		/* of the line, where id is one */
	uint32_t *sector;	/* sectored only: the distance of each of the cache's sectors asked
				 * for, ascending, request after request (atomics and stores to
				 * lines without a number too: UNCACHED); room for count * sectors
				 * of a line */
	size_t sectors;		/* set: entries of sector */
};

/* id[i] is what ws_lines_number gave for request[i], all since the first.
 * After a failure the stacks are good for nothing but to be freed. */
enum ws_status ws_sets_push(struct ws_sets *s, const struct ws_request *request,
			    const uint32_t *id, size_t count, struct ws_set_places *to,
			    struct ws_err *err) WS_MUST_CHECK;
/* The same of some requests only, request[index[i]], i < count; id[i] and distance[i] are of
 * that. */
enum ws_status ws_sets_push_some(struct ws_sets *s, const struct ws_request *request,
				 const uint32_t *index, const uint32_t *id, size_t count,
				 uint32_t *distance, struct ws_err *err) WS_MUST_CHECK;
/* Uses these instructions at most, and of them what this processor has. */
void ws_sets_limit(struct ws_sets *s, enum ws_simd most);
void ws_sets_free(struct ws_sets *s);

#endif
