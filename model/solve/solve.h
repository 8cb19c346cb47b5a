/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * model/solve/solve.h -- private: analytic faces that are too long for their policy's file.
 *
 * Each is called as ws_policy.solve is (model.h), for policies that need WS_RECORD_DETAIL.
 */
#ifndef WS_MODEL_SOLVE_SOLVE_H
#define WS_MODEL_SOLVE_SOLVE_H

#include "model/solve/residency.h"

/* weight[ways], at least one > 0: relative probability that each way is the victim; NULL: all
 * equal. */
enum ws_status ws_solve_random(const struct ws_query *q, const double *weight,
			       struct ws_solution *out, struct ws_err *err) WS_MUST_CHECK;
enum ws_status ws_solve_fifo(const struct ws_query *q, struct ws_solution *out,
			     struct ws_err *err) WS_MUST_CHECK;

#endif
