/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * model/solve/bimodal.h -- private: the analytic face of policies that insert most lines at the
 * eviction end: BRRIP and BIP.
 */
#ifndef WS_MODEL_SOLVE_BIMODAL_H
#define WS_MODEL_SOLVE_BIMODAL_H

#include "model/reuse.h"

/* kept: the probability that a fetched line is inserted higher.  lfu: the policy whose solution
 * gives the misses of a set that keeps its first lines. */
enum ws_status ws_bimodal_solve(const struct ws_query *query, double kept,
				const struct ws_policy *lfu, struct ws_solution *out,
				struct ws_err *err) WS_MUST_CHECK;

/* The model's results, from which ws_bimodal_solve judges its confidence. */
struct ws_bimodal {
	double hit[WS_TYPES];	/* by row of the windows */
	double missing;		/* miss ratio of references */
	double restless;	/* missing's change if lines came back together more often */
};

enum ws_status ws_bimodal_hits(struct ws_bimodal *out, const struct ws_reuse *windows,
			       uint64_t ways, double kept, struct ws_err *err) WS_MUST_CHECK;

#endif
