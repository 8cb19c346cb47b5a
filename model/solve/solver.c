/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * model/solve/solver.c -- see solver.h.
 */
#include "model/solve/solver.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_roots.h>
#include <math.h>
#include <pthread.h>

#define ROOT_STEPS 100u
#define LEAST 1e-9		/* the least measure whose logarithm is taken */
#define ROOT_EXACT 4e-16	/* relative width at which a bracket cannot be cut any more */

/* ---- roots --------------------------------------------------------------------------------- */

static pthread_once_t once = PTHREAD_ONCE_INIT;

/* GSL's default error handler aborts.  A handler that the program has set is kept. */
static void turn_off(void)
{
	gsl_error_handler_t *own = gsl_set_error_handler_off();

	if (own)
		gsl_set_error_handler(own);
}

static void iterate(gsl_root_fsolver *s, struct ws_root *out)
{
	int status = GSL_CONTINUE;

	while (status == GSL_CONTINUE && out->steps < ROOT_STEPS) {
		out->steps++;
		if (gsl_root_fsolver_iterate(s))
			break;
		out->x = gsl_root_fsolver_root(s);
		status = gsl_root_test_interval(gsl_root_fsolver_x_lower(s),
						gsl_root_fsolver_x_upper(s), 0, ROOT_EXACT);
	}
	out->settled = status == GSL_SUCCESS;
}

enum ws_status ws_root_find(const struct ws_equation *e, double low, double high,
			    struct ws_root *out, struct ws_err *err)
{
	gsl_function f = { .function = e->value, .params = e->context };
	gsl_root_fsolver *s;

	pthread_once(&once, turn_off);
	s = gsl_root_fsolver_alloc(gsl_root_fsolver_brent);
	if (!s)
		return ws_fail_memory(err, "the root of an equation");
	*out = (struct ws_root){ .x = low };
	if (!gsl_root_fsolver_set(s, &f, low, high))
		iterate(s, out);
	else if (fabs(e->value(high, e->context)) < fabs(e->value(low, e->context)))
		out->x = high;
	gsl_root_fsolver_free(s);
	return WS_OK;
}

/* ---- brackets ------------------------------------------------------------------------------ */

/* Where the line through both ends is zero, as a fraction from the low end. */
static double between(double below, double above)
{
	return fmin(0.9, fmax(0.1, below / (below + above)));
}

/* Both ends' distances from the target, and the state of the Illinois method. */
struct ends {
	double below, above;
	double width, before;	/* widths of the last bracket and of the one before it */
	int last;		/* the end that moved last; 1: the upper one */
};

static double illinois(const struct ws_cutting *c, const struct ws_bracket *b, struct ends *e)
{
	bool slow = b->high - b->low > 0.5 * e->before;

	(void)c;
	e->before = e->width;
	e->width = b->high - b->low;
	return slow ? 0.5 : between(e->below, e->above);
}

static double thirds(const struct ws_cutting *c, const struct ws_bracket *b, struct ends *e)
{
	(void)e;
	if (b->cuts % 3 == 2 || !(b->at_low > 0 && b->at_high > b->at_low))
		return 0.5;
	return fmin(0.9, fmax(0.1, (c->target - b->at_low) / (b->at_high - b->at_low)));
}

/* An end that stays for a second time gets half its distance. */
static void weigh(const struct ws_cutting *c, double at, struct ends *e)
{
	if (at >= c->target) {
		e->above = log(at / c->target);
		e->below *= e->last > 0 ? 0.5 : 1;
		e->last = 1;
	} else {
		e->below = log(c->target / fmax(at, LEAST));
		e->above *= e->last < 0 ? 0.5 : 1;
		e->last = -1;
	}
}

static void move(const struct ws_cutting *c, struct ws_bracket *b, double x, double at)
{
	bool upper = at >= c->target;

	*(upper ? &b->high : &b->low) = x;
	*(upper ? &b->at_high : &b->at_low) = at;
	*(upper ? &b->over : &b->under) = true;
	c->keep(c->context, upper);
}

void ws_bracket_cut(const struct ws_cutting *c, struct ws_bracket *b)
{
	double (*fraction)(const struct ws_cutting *, const struct ws_bracket *, struct ends *) =
		c->rule == WS_CUT_ILLINOIS ? illinois : thirds;
	struct ends e = { .below = log(c->target / fmax(b->at_low, LEAST)),
			  .above = log(b->at_high / c->target),
			  .width = HUGE_VAL, .before = HUGE_VAL };

	for (; b->cuts < c->most && b->high - b->low > c->narrow && !b->near; b->cuts++) {
		double width = b->high - b->low, x = b->low + fraction(c, b, &e) * width;
		double at = c->measure(c->context, x);

		move(c, b, x, at);
		weigh(c, at, &e);
		b->near = fabs(at - c->target) < c->near * c->target;
	}
}

/* ---- fixed points -------------------------------------------------------------------------- */

struct ws_swept ws_sweep(const struct ws_sweeping *s)
{
	struct ws_swept out = { .change = HUGE_VAL };

	while (out.sweeps < s->most && !out.settled) {
		out.change = s->sweep(s->context, out.sweeps++);
		if (out.sweeps < s->least)
			continue;
		if (s->enough && s->enough(s->context))
			break;
		out.settled = out.change <= s->settled;
	}
	return out;
}
