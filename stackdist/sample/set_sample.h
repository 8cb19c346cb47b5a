/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * stackdist/sample/set_sample.h -- private: records the requests of some sets of an SM's cache
 * (struct ws_set_sample), and adds up such samples.
 *
 * ws_set_recorder_new    O(sets)
 * ws_set_recorder_push       O(1) per request
 * ws_set_recorder_left       O(sets), or O(1) at its own halvings
 * ws_set_recorder_thin_out   O(what is kept), or O(sets) if nothing is left out
 * memory                     4 B per distinct line, 13 B per set, 2 to 4 B per request kept
 */
#ifndef WS_STACKDIST_SET_SAMPLE_H
#define WS_STACKDIST_SET_SAMPLE_H

#include "stackdist/record/detail.h"

struct ws_set_recorder;

struct ws_set_recording {		/* the cache of an SM in a launch */
	uint64_t launch;	/* its number in the section */
	uint32_t sm;
	bool timed;		/* with the requests' times */
};

/* Sets of so many halvings. */
enum ws_status ws_set_recorder_new(struct ws_set_recorder **out, const struct ws_cache *cache,
				   const struct ws_set_recording *of, unsigned halvings,
				   struct ws_err *err) WS_MUST_CHECK;
enum ws_status ws_set_recorder_push(struct ws_set_recorder *r, const struct ws_batch *b,
				    struct ws_err *err) WS_MUST_CHECK;
/* Adds the requests, and the sets they are to, that so many halvings would leave, which are no
 * fewer than its own. */
struct ws_sets_left {
	uint64_t requests, sets;
};
void ws_set_recorder_left(const struct ws_set_recorder *r, unsigned halvings,
			  struct ws_sets_left *to);
/* Leaves out all but the sets of so many halvings, which are no fewer than before; from now on,
 * too. */
enum ws_status ws_set_recorder_thin_out(struct ws_set_recorder *r, unsigned halvings,
					struct ws_err *err) WS_MUST_CHECK;
void ws_set_recorder_free(struct ws_set_recorder *r); /* NULL is fine */

/* Moves what was recorded to the end of the sample, whose halvings become those of the one that has
 * more.  Runs are to be put in their order.  ws_set_sample_bound is to follow. */
enum ws_status ws_set_sample_put(struct ws_set_sample *to, struct ws_set_recorder *from,
				 struct ws_err *err) WS_MUST_CHECK;
/* Are so many requests of so many sets more than a sample may be? */
bool ws_set_sample_over(uint64_t requests, uint64_t sets, uint64_t most);
/* Leaves out sets until it is not over s->most requests, and all sets are of its halvings. */
enum ws_status ws_set_sample_bound(struct ws_set_sample *s, const struct ws_cache *cache,
				   struct ws_err *err) WS_MUST_CHECK;
/* Adds a copy of the runs of *from, whose launches come `after` those of *to.  Of the same cache.
 * Runs are sorted.  ws_set_sample_bound is to follow. */
enum ws_status ws_set_sample_add(struct ws_set_sample *to, const struct ws_set_sample *from,
				 uint64_t after, struct ws_err *err) WS_MUST_CHECK;
/* Of runs, all of its halvings. */
enum ws_status ws_set_sample_forget_times(struct ws_set_sample *s, const struct ws_cache *cache,
					  struct ws_err *err) WS_MUST_CHECK;
void ws_set_sample_free(struct ws_set_sample *s); /* NULL is fine */

#endif
