/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * model/solve/anderson.h -- private: fixed points of a map of vectors with Anderson's acceleration
 * (D. G. Anderson, J. ACM 12, 1965).  The next vector is the combination of the last iterations
 * whose change is least, in weighted squares.
 *
 * The caller iterates: it evaluates the map at `at` into `to`, asks for the next `at`, and stops if
 * the change is small or there were too many iterations.  `best` is the result of the iteration
 * with the least change.  If the change grows, earlier iterations are dropped and the next step is
 * damped.
 */
#ifndef WS_MODEL_SOLVE_ANDERSON_H
#define WS_MODEL_SOLVE_ANDERSON_H

#include "base/base.h"

#define WS_ANDERSON_DEPTH 5u	/* iterations that are combined */

struct ws_anderson {
	size_t len;
	double *at, *to;	/* [len] */
	double *best;		/* [len] */
	double *weight;		/* [len]; set by the caller */
	bool careful;		/* drops steps much longer than the map's own */
	unsigned plain;		/* iterations before acceleration begins; set by the caller */
	unsigned iterations;	/* done */
	double least;		/* least change of all iterations that are not plain */
	/* Its own: */
	double *last_at, *last_to;
	double *d_change, *d_to; /* [WS_ANDERSON_DEPTH][len]: differences of iterations */
	unsigned held, next;
	double mix, change;	/* damping; change of the last iteration */
};

/* The number of doubles that vectors of this length take. */
static inline size_t ws_anderson_room(size_t len)
{
	return (6 + 2 * (size_t)WS_ANDERSON_DEPTH) * len;
}

/* room: ws_anderson_room(len) doubles, which need not be set. */
void ws_anderson_begin(struct ws_anderson *a, size_t len, double *room);
/* Call after `to` is set, with its change; true: it is the least so far. */
bool ws_anderson_better(struct ws_anderson *a, double change);
/* Sets the next `at`, which the caller may then change to keep it within limits. */
void ws_anderson_step(struct ws_anderson *a, double change);

#endif
