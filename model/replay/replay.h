/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * model/replay/replay.h -- private: runs a policy's own hooks on a profile's sample of sets (struct
 * ws_set_sample), and estimates the hits of all requests from the hits there.
 *
 * The profile has the exact number of requests of each kind and bin of stack distances (a stratum).
 * The fraction of them that hit is taken from the sample (post-stratification).  LRU's hits depend
 * on the distance alone, so LRU would be exact from any sample.  The more a policy is like LRU, the
 * better is its estimate.
 *
 * A short trace has all sets in its sample.  Then hits and misses are those that a simulation
 * counts.  Else the variance is that of the jackknife (Wolter, Introduction to Variance
 * Estimation, 2007, chapter 4).  The sets are put into G groups.  Let r(g) be the miss ratio
 * without group g, and f the fraction of all requests that are in the sample.  Then
 *
 *   variance = (1 - f) (G - 1) / G * sum over g of (r(g) - mean of r)^2
 *
 * Policies that draw random numbers are replayed several times; the variance between these runs is
 * added.
 *
 * State that all sets share (struct ws_policy: cache_words, table_bytes) is trained by the sets of
 * the sample alone.  So a policy that has such state and a solve() is replayed only if all sets are
 * in the sample.
 */
#ifndef WS_MODEL_REPLAY_REPLAY_H
#define WS_MODEL_REPLAY_REPLAY_H

#include "model/model.h"

struct ws_replay;	/* a sample that is prepared: read-only, for any number of threads */

/* Is there a sample from which the policy can be answered? */
bool ws_replay_suits(const struct ws_geometry *g, const struct ws_policy *policy);
/* Has the sample times? */
bool ws_replay_timed(const struct ws_geometry *g);
/* O(requests log lines); 26 B a request, 42 with times.  cache: the geometry's; policy and ways are
 * not read. */
enum ws_status ws_replay_new(struct ws_replay **out, const struct ws_geometry *g,
			     const struct ws_cache *cache, struct ws_err *err) WS_MUST_CHECK;
void ws_replay_free(struct ws_replay *r); /* NULL is fine */

/* *out is zeroed first, and is marked as replayed.  O(requests in the sample) calls of hooks. */
enum ws_status ws_replay_solve(const struct ws_replay *r, const struct ws_query *q,
			       struct ws_solution *out, struct ws_err *err) WS_MUST_CHECK;

#endif
