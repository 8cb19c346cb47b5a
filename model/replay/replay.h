/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * model/replay/replay.h -- private: a policy's own hooks on a profile's sample of sets (struct
 * ws_set_sample), and from what hits there to all requests.
 *
 * Of the requests of a kind at a stack distance in a bin, whose number the profile has exactly,
 * as many hit as of those in the sample (post-stratification).  So LRU, of which distances say
 * all, would be exact from any sample, and where a policy is like LRU, so is the estimate.
 *
 * If all sets are in the sample, which is so of few requests, hits and misses are those that a
 * simulation counts.  Else the variance is that of the jackknife (Wolter, Introduction to Variance
 * Estimation, 2007, chapter 4): the sets are put into G groups, and with r(g) the miss ratio if
 * group g had not been in the sample, and a fraction f of the requests in it,
 *
 *   variance = (1 - f) (G - 1) / G * sum over g of (r(g) - mean of r)^2
 *
 * Policies that draw random numbers are replayed several times, and vary that much besides.
 *
 * State that all sets share (struct ws_policy: cache_words, table_bytes) sees the sets of the
 * sample alone; a policy that has such state and a solve() is replayed of all sets only.
 */
#ifndef WS_MODEL_REPLAY_REPLAY_H
#define WS_MODEL_REPLAY_REPLAY_H

#include "model/model.h"

struct ws_replay;	/* a sample that is prepared: read-only, for any number of threads */

/* Is there a sample from which the policy can be answered? */
bool ws_replay_suits(const struct ws_geometry *g, const struct ws_policy *policy);
/* Has the sample times? */
bool ws_replay_timed(const struct ws_geometry *g);
/* O(requests log lines); 26 B a request, 42 with times.  cache: of the geometry; its
 * policy and ways do not matter. */
enum ws_status ws_replay_new(struct ws_replay **out, const struct ws_geometry *g,
			     const struct ws_cache *cache, struct ws_err *err) WS_MUST_CHECK;
void ws_replay_free(struct ws_replay *r); /* NULL is fine */

/* *out is zeroed; becomes replayed.  O(requests in the sample) and the hooks. */
enum ws_status ws_replay_solve(const struct ws_replay *r, const struct ws_query *q,
			       struct ws_solution *out, struct ws_err *err) WS_MUST_CHECK;

#endif
