/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/ref/grain.h -- caches of 32 B words as validate/grain/grain.h defines them, slow and plain:
 * every word is looked for in every place, addresses are compared whole, orders are times.
 */
#ifndef WS_REF_GRAIN_H
#define WS_REF_GRAIN_H

#include "trace/trace.h"

struct ref_grain;

struct ref_grain_stats {
	uint64_t partial, invalidated, written_back, changes, flushed, finer, coarser, size[3];
};

struct ref_grain *ref_grain_new(const struct ws_cache *cache); /* decoupled, elastic or dycache */
/* 'h' hit, 'o' cold, 'a' capacity, 'f' conflict, 'u' uncached; loads and stores. */
char ref_grain_request(struct ref_grain *g, const struct ws_request *r);
void ref_grain_flush(struct ref_grain *g);
struct ref_grain_stats ref_grain_stats(const struct ref_grain *g);
unsigned ref_grain_now(const struct ref_grain *g); /* bytes; 0: decoupled */
void ref_grain_free(struct ref_grain *g);

/* ---- in time, for cycle.c: words are RESERVED while `fetch`, of whatever type, brings them
 * ---- */

struct ref_grain_timed {
	bool hit;
	bool there;		/* words of the block; decoupled: of the line */
	bool room;		/* false: for want of places; the cache is in disorder, to be put
				 * back */
	uint32_t block;		/* what a miss fetches, of the line */
	void *wait[32];		/* distinct fetches of words that are asked for and stay */
	size_t waits;
	uint64_t *gone;		/* addresses of MODIFIED words thrown out, ascending; the cache's */
	size_t gones;
};

/* All that a request does but the grain's control.  fetch: the one of a load that misses. */
void ref_grain_timed(struct ref_grain *g, const struct ws_request *r, void *fetch,
		     struct ref_grain_timed *out);
/* The request counts for the grain; gone: as above, of a larger one. */
void ref_grain_control(struct ref_grain *g, const struct ws_request *r, bool hit,
		       struct ref_grain_timed *out);
void ref_grain_arrive(struct ref_grain *g, const void *fetch);
struct ref_grain *ref_grain_copy(const struct ref_grain *g);
#endif
