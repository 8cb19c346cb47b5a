/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * model/solve/frequency.h -- private: the analytic faces of the policies that count uses.
 *
 * All three need reuse windows and retained lines (WS_RECORD_WINDOWS | WS_RECORD_LINES).
 */
#ifndef WS_SOLVE_FREQUENCY_H
#define WS_SOLVE_FREQUENCY_H

#include "model/reuse.h"
#include "model/shared.h"

/* Least frequently used, without ageing. */
enum ws_status ws_solve_lfu(const struct ws_query *query, struct ws_solution *out,
			    struct ws_err *err);
/* The same with counts that are halved at every param[0]-th access to the set.  lfu: the policy
 * without ageing. */
enum ws_status ws_solve_lfu_age(const struct ws_query *query, const struct ws_policy *lfu,
				struct ws_solution *out, struct ws_err *err);
/* Most frequently used. */
enum ws_status ws_solve_mfu(const struct ws_query *query, struct ws_solution *out,
			    struct ws_err *err);

/* ---- shared between the three ------------------------------------------------------ */

/* The lines that LFU retains: ways - 1 in each set (frequency.c). */
struct ws_retained {
	double fraction[WS_TYPES];	/* by row: the fraction of references to retained lines; 0
				 * if the row is not finite */
	double mass, top;	/* fractions of all references: to retained lines, and to the
				 * ways - 1 most used lines of each set */
	double alive;		/* the mean fraction of the retained lines that will be used
				 * again */
	double variance;	/* of the number of retained lines among those in use, if lines
				 * were retained independently */
};

void ws_retained_find(const struct ws_reuse *w, uint64_t ways, struct ws_retained *out);

/* Sets out->hit[WS_TYPE_EVICT] from the other types' hits: the positions of stores that evict their
 * line are only in the histogram of distances. */
void ws_frequency_evictions(const struct ws_query *query, struct ws_solution *out);

#endif
