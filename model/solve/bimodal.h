/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * model/solve/bimodal.h -- private: the analytic face of policies that insert most lines at the
 * eviction end: BRRIP and BIP.
 */
#ifndef WS_MODEL_SOLVE_BIMODAL_H
#define WS_MODEL_SOLVE_BIMODAL_H

#include "model/reuse.h"

/* kept: the fraction of fetched lines, drawn at random, that are inserted higher.  By count types
 * if the profile has them. */
enum ws_status ws_bimodal_solve(const struct ws_query *query, double kept,
				struct ws_solution *out, struct ws_err *err) WS_MUST_CHECK;

/* Its parts, for tests: from windows, plain or counted. */
struct ws_bimodal {
	double *hit;		/* [types of the windows] */
	double missing;		/* miss ratio of references */
	double jump;		/* error of the miss ratio where O jumps over T */
	double restless;	/* its change if lines came back together more often */
	double life;		/* R */
	unsigned sweeps;
};

enum ws_status ws_bimodal_hits(struct ws_bimodal *out, const struct ws_reuse *windows,
			       uint64_t ways, double kept, struct ws_err *err) WS_MUST_CHECK;
void ws_bimodal_clear(struct ws_bimodal *b);

#endif
