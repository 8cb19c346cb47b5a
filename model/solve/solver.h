/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * model/solve/solver.h -- private: numerical methods: roots, brackets of functions that jump, and
 * fixed points.  Each has a limit of steps and reports whether it converged; what its result is if
 * it did not is documented with it.  Built on GSL, whose errors become statuses.
 */
#ifndef WS_MODEL_SOLVE_SOLVER_H
#define WS_MODEL_SOLVE_SOLVER_H

#include "base/base.h"

/* ---- a root of a continuous function ------------------------------------------------------- */

struct ws_equation {		/* value(x) = 0; value rises */
	double (*value)(double x, void *context);
	void *context;
};

struct ws_root {
	double x;
	unsigned steps;
	bool settled;
};

/* By Brent's method, to the last digits of x.  It does not settle in two cases: value has the same
 * sign at low and high, then x is the end where it is nearer to 0; or ROOT_STEPS (solver.c) were
 * made, then x is the best so far.  WS_ENOMEM. */
enum ws_status ws_root_find(const struct ws_equation *equation, double low, double high,
			    struct ws_root *out, struct ws_err *err) WS_MUST_CHECK;

/* ---- a bracket of a function that jumps ---------------------------------------------------- */

/* For models with several states, whose measure jumps as a function of x, so that no x may give the
 * target.  The bracket is cut until it is narrow, or the measure is near the target.  The states at
 * both ends are kept, so that the answer can be interpolated. */
struct ws_bracket {
	double low, high;	/* of x */
	double at_low, at_high;	/* measures at both ends; not above 0: not measured yet */
	bool under, over;	/* an end's measure is below, above the target */
	unsigned cuts;
	bool near;		/* the last cut is near enough */
};

enum ws_cut_rule {
	/* Regula falsi on the logarithm of measures, with the Illinois rule: an end that stays gets
	 * half its distance.  If this does not halve the bracket in two cuts: the middle.  Both
	 * ends must be measured, one below the target, one above. */
	WS_CUT_ILLINOIS,
	/* Where the line through both ends crosses the target; the middle at every third cut, and
	 * until both ends are measured. */
	WS_CUT_THIRDS,
};

struct ws_cutting {
	double (*measure)(void *context, double x);
	/* The state that was measured last becomes that of the upper end, or of the lower one. */
	void (*keep)(void *context, bool upper);
	void *context;
	enum ws_cut_rule rule;
	double target, near;	/* near: fraction of the target */
	double narrow;		/* width of x */
	unsigned most;		/* cuts */
};

/* No cut is nearer to an end than a tenth of the width.  If the result is not near, the target is
 * between the ends or, if under or over is not set, beyond the end that is missing. */
void ws_bracket_cut(const struct ws_cutting *c, struct ws_bracket *b);

/* ---- fixed points -------------------------------------------------------------------------- */

struct ws_sweeping {		/* plain iteration; the sweep damps itself */
	double (*sweep)(void *context, unsigned number); /* updates all; returns the change */
	bool (*enough)(const void *context); /* ends the iteration early; NULL: never */
	void *context;
	double settled;		/* the change at which sweeps end */
	unsigned least, most;	/* sweeps */
};

struct ws_swept {
	double change;		/* of the last sweep */
	unsigned sweeps;
	bool settled;		/* if not, the state is that of the last sweep */
};

struct ws_swept ws_sweep(const struct ws_sweeping *s);

#endif
