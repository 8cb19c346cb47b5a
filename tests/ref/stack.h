/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/ref/stack.h -- stack distances the slow way: a cache of every number
 * of ways is simulated, request by request, and the distance is the smallest
 * number that hits, less one.  Nothing here knows of stacks but
 * ref_list_distances, which is the plain list of Mattson et al. 1970.
 */
#ifndef WS_REF_STACK_H
#define WS_REF_STACK_H

#include "stackdist/stackdist.h"

/* Simulates cache->sets sets of `ways` ways, LRU, and cache->write; hit[i] for
 * each request.  O(count * ways). */
void ref_simulate(const struct ws_cache *cache, unsigned ways, const struct ws_request *r,
		  size_t count, bool *hit);
/* distance[i] by caches of 1 .. ways ways, which must be enough for all lines of
 * a set.  False if a request hits in some number of ways and misses in a
 * larger one: then LRU would not be a stack algorithm. */
bool ref_distances(const struct ws_cache *cache, unsigned ways, const struct ws_request *r,
		   size_t count, uint32_t *distance);
/* Loads only, one set, any depth: O(count * depth). */
void ref_list_distances(const struct ws_request *r, size_t count, uint32_t *distance);

#endif
