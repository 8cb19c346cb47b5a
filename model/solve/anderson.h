/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * model/solve/anderson.h -- private: fixed points of a map of vectors with Anderson's acceleration
 * (D. G. Anderson, J. ACM 12, 1965): the next vector is the combination of the last iterations with
 * the least change, in weighted squares.
 *
 * The caller iterates: evaluates the map at `at` into `to`, asks for the next `at`, and stops when
 * changes are small or iterations too many; `best` is the result of the iteration of least change.
 * If the change grows, earlier iterations are dropped and the next step is damped.
 */
#ifndef WS_MODEL_SOLVE_ANDERSON_H
#define WS_MODEL_SOLVE_ANDERSON_H

#include "base/base.h"

#define WS_ANDERSON_DEPTH 5u	/* iterations that are combined */

struct ws_anderson {
	size_t len;
	double *at, *to;	/* [len] */
	double *best;		/* [len] */
	double *weight;		/* [len]: the caller's */
	bool careful;		/* drops steps much longer than the map's own */
	unsigned plain;		/* iterations before it begins, the caller's */
	unsigned iterations;	/* done */
	double least;		/* change of all iterations that are not plain */
	/* Its own: */
	double *last_at, *last_to;
	double *d_change, *d_to; /* [WS_ANDERSON_DEPTH][len]: differences of iterations */
	unsigned held, next;
	double mix, change;	/* damping; change of the last iteration */
};

/* Doubles that an iteration of that length takes. */
static inline size_t ws_anderson_room(size_t len)
{
	return (6 + 2 * (size_t)WS_ANDERSON_DEPTH) * len;
}

/* room: that many doubles, uninitialised. */
void ws_anderson_begin(struct ws_anderson *a, size_t len, double *room);
/* Call after `to` is set, with its change; true if it is the best so far. */
bool ws_anderson_better(struct ws_anderson *a, double change);
/* The next `at`; the caller may then change it, to keep it within limits. */
void ws_anderson_step(struct ws_anderson *a, double change);

#endif
