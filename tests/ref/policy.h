/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/ref/policy.h -- a plain cache under each replacement policy, written from the policies'
 * definitions and not from their code: lines in ways, every order a list, the future scanned.
 */
#ifndef WS_REF_POLICY_H
#define WS_REF_POLICY_H

#include "trace/trace.h"

struct ref_cache;

/* The name of the i-th policy that there is a reference for; NULL past the last. */
const char *ref_policy_name(size_t i);

/* NULL: no reference for cache->policy, or not with such parameters.  seed: of the draws. */
struct ref_cache *ref_cache_new(const struct ws_cache *cache, uint64_t seed);
/* Takes request i of the count there are until the next flush; true if it hits. */
bool ref_cache_request(struct ref_cache *c, const struct ws_request *r, size_t count, size_t i);
void ref_cache_flush(struct ref_cache *c); /* the draws go on */
void ref_cache_free(struct ref_cache *c);
/* select.c: caches under the policy select, at a cycle before which all has been asked: a period
 * begins, its monitoring ends, or neither. */
void ref_select_meet(struct ref_cache *const *c, size_t caches, uint64_t cycle);

/* The fewest misses in one set, every reference allocating, over all choices of victims: each is
 * tried.  At most 16 ways; the work may be ways^count. */
unsigned ref_fewest_misses(unsigned ways, const uint64_t *line, size_t count);

#endif
