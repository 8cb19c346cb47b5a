/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * model/solve/duel.h -- private: the analytic face of set-dueling policies: DRRIP and DIP.
 */
#ifndef WS_MODEL_SOLVE_DUEL_H
#define WS_MODEL_SOLVE_DUEL_H

#include "model/reuse.h"

/* The two policies with default parameters.  plain: NULL for LRU. */
struct ws_duel {
	const struct ws_policy *plain, *bimodal;
};

enum ws_status ws_duel_solve(const struct ws_query *query, const struct ws_duel *duel,
			     struct ws_solution *out, struct ws_err *err) WS_MUST_CHECK;

#endif
