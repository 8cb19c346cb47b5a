/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/model/t-solver.c -- roots, brackets of functions that jump, fixed points: known answers,
 * what is given where nothing settles, and that an error of GSL ends no program; laws of events
 * beside GSL's distributions.
 */
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_errno.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/test.h"

#include "model/solve/anderson.h"
#include "model/solve/law.h"
#include "model/solve/solver.h"

/* ---- roots ------------------------------------------------------------------------------- */

static double cubic(double x, void *context)
{
	return x * x * x - *(const double *)context;
}

static struct ws_root root(double of, double low, double high)
{
	const struct ws_equation equation = { cubic, &of };
	struct ws_root out = { .steps = 0 };
	struct ws_err err = { 0 };

	test_ok(!ws_root_find(&equation, low, high, &out, &err), "root %s", err.text);
	return out;
}

static void roots(void)
{
	struct ws_root r = root(7.3, 0, 100);

	test_ok(r.settled && r.steps < 40, "%u steps", r.steps);
	test_abs(r.x, cbrt(7.3), 1e-15, "a cube root");
	r = root(7.3, -1, cbrt(7.3));
	test_abs(r.x, cbrt(7.3), 1e-15, "at an end");
	r = root(7.3, 2, 3);
	test_ok(!r.settled, "both above");
	test_abs(r.x, 2, 0, "the nearer end");
	r = root(7.3, -3, 1.5);
	test_ok(!r.settled, "both below");
	test_abs(r.x, 1.5, 0, "the nearer end");
}

/* Nothing but halving finds it. */
static double jump(double x, void *context)
{
	return x < *(const double *)context ? -1 : 2;
}

static void at_a_jump(void)
{
	double where = 0.7391;
	struct ws_root out = { .steps = 0 };

	test_ok(!ws_root_find(&(struct ws_equation){ jump, &where }, 0, 5, &out, NULL) &&
		out.settled, "%u steps", out.steps);
	test_abs(out.x, where, 1e-15, "a jump");
}

/* The same in a process of its own, with GSL's handler as it is there. */
static int calls;

static void count(const char *reason, const char *file, int line, int code)
{
	(void)reason;
	(void)file;
	(void)line;
	calls += code == GSL_EINVAL;
}

static int child(bool own)
{
	pid_t pid;
	int status = -1;

	fflush(stdout);
	pid = fork();
	if (!pid) {
		double of = 7.3;
		struct ws_root out;

		if (own)
			gsl_set_error_handler(count);
		_exit(ws_root_find(&(struct ws_equation){ cubic, &of }, 2, 3, &out, NULL) ||
		      out.settled || calls != own);
	}
	return waitpid(pid, &status, 0) == pid ? status : -1;
}

/* ---- brackets ---------------------------------------------------------------------------- */

struct jumping {		/* a + x, and `jump` more from `where` on */
	double a, where, jump;
	double at, low, high;	/* measured last; kept */
	unsigned measured;
};

static double measure(void *context, double x)
{
	struct jumping *j = context;

	j->measured++;
	return j->at = j->a + x + (x < j->where ? 0 : j->jump);
}

static void keep(void *context, bool upper)
{
	struct jumping *j = context;

	*(upper ? &j->high : &j->low) = j->at;
}

static struct ws_bracket cut(struct jumping *j, enum ws_cut_rule rule, double target)
{
	const struct ws_cutting c = { .measure = measure, .keep = keep, .context = j, .rule = rule,
				      .target = target, .near = 1e-6, .narrow = 1e-3,
				      .most = 40 };
	struct ws_bracket b = { .low = 0, .high = 10 };

	if (rule == WS_CUT_ILLINOIS) {
		b.at_low = j->low = measure(j, b.low);
		b.at_high = j->high = measure(j, b.high);
	}
	j->measured = 0;
	ws_bracket_cut(&c, &b);
	test_u64(b.cuts, j->measured, "cuts");
	return b;
}

static void brackets(enum ws_cut_rule rule)
{
	struct jumping j = { .a = 2, .where = 7.1, .jump = 3 };
	struct ws_bracket b = cut(&j, rule, 6.4);

	test_ok(b.near, "a target that is met");
	test_abs(j.at, 6.4, 6.4e-6, "measured last");
	test_ok(b.cuts <= 12, "in %u cuts", b.cuts);
	b = cut(&j, rule, 11.1);
	test_ok(!b.near && b.under && b.over && b.cuts <= 17, "a jump over the target: %u cuts",
		b.cuts);
	test_ok(b.low < 7.1 && b.high >= 7.1 && b.high - b.low <= 1e-3, "is between the ends");
	test_abs(j.low, 2 + b.low, 1e-12, "what the low end kept");
	test_abs(j.high, 5 + b.high, 1e-12, "what the high end kept");
	test_ok(b.at_low == j.low && b.at_high == j.high, "as measured");
}

/* Never reached. */
static void out_of_reach(void)
{
	struct jumping j = { .a = 2, .where = 11 };
	struct ws_bracket b = cut(&j, WS_CUT_THIRDS, 30);

	test_ok(!b.near && b.under && !b.over, "all below");
	b = cut(&j, WS_CUT_THIRDS, 1);
	test_ok(!b.near && !b.under && b.over, "all above");
}

/* ---- fixed points ------------------------------------------------------------------------ */

struct halving {
	double x, until;
	unsigned swept;
};

static double halve(void *context, unsigned number)
{
	struct halving *h = context;

	if (number != h->swept++)
		return (double)NAN;
	h->x /= 2;
	return h->x;
}

static bool enough(const void *context)
{
	const struct halving *h = context;

	return h->x < h->until;
}

static void sweeps(void)
{
	struct halving h = { .x = 16 };
	struct ws_sweeping s = { .sweep = halve, .context = &h, .settled = 1, .least = 2,
				 .most = 9 };
	struct ws_swept out = ws_sweep(&s);

	/* 8, 4, 2, 1 */
	test_ok(out.settled && out.sweeps == 4 && out.change <= 1, "settled in %u", out.sweeps);
	h = (struct halving){ .x = 16 };
	s.least = 7;
	out = ws_sweep(&s);
	test_ok(out.settled && out.sweeps == 7, "at least %u", out.sweeps);
	h = (struct halving){ .x = 16 };
	s.most = 3;
	out = ws_sweep(&s);
	test_ok(!out.settled && out.sweeps == 3, "at most %u", out.sweeps);
	h = (struct halving){ .x = 16, .until = 5 };
	s = (struct ws_sweeping){ .sweep = halve, .context = &h, .enough = enough, .most = 9 };
	out = ws_sweep(&s);
	test_ok(!out.settled && out.sweeps == 2, "enough after %u", out.sweeps);
}

/* x = M x + b, of a matrix whose plain iteration gains a digit in 43 rounds: eigenvalues 0.947, 0.3
 * and -0.5 on the axes of a rotation. */
static void map(const double *x, double *to)
{
	const double c = 0.6, s = 0.8;
	double u = c * x[0] + s * x[1], v = c * x[1] - s * x[0];

	u = 0.947 * u + 1;
	v = -0.5 * v + 2;
	to[0] = c * u - s * v;
	to[1] = s * u + c * v;
	to[2] = 0.3 * x[2] + 0.7;
}

static void accelerated(bool careful)
{
	double room[64], u = 1 / (1 - 0.947), v = 2 / 1.5, change = 1;
	const double want[] = { 0.6 * u - 0.8 * v, 0.8 * u + 0.6 * v, 1 };
	struct ws_anderson a;
	unsigned rounds = 0;

	if (!test_ok(ws_anderson_room(3) <= WS_COUNT(room), "room"))
		return;
	ws_anderson_begin(&a, 3, room);
	a.careful = careful;
	for (unsigned i = 0; i < 3; i++) {
		a.at[i] = 0;
		a.weight[i] = 1;
	}
	for (; rounds < 400 && change > 1e-12; rounds++) {
		map(a.at, a.to);
		change = 0;
		for (unsigned i = 0; i < 3; i++)
			change += fabs(a.to[i] - a.at[i]);
		(void)ws_anderson_better(&a, change);
		ws_anderson_step(&a, change);
	}
	test_ok(rounds < 100, "%u rounds, plain iteration takes 500", rounds);
	for (unsigned i = 0; i < 3; i++)
		test_abs(a.best[i], want[i], 1e-9, "the fixed point");
}

/* ---- laws -------------------------------------------------------------------------------- */

static struct ws_law law;

static void laws(void)
{
	double most = 0;

	ws_law_init(&law);
	/* n = 10 of chance 0.3 */
	ws_law_make(&law, 3, 0.9, 12, 0);
	for (unsigned k = 1; k <= 11; k++)
		most = fmax(most, fabs(ws_law_below(&law, k, 1) -
				       gsl_cdf_binomial_P(k - 1, 0.3, 10)));
	test_abs(most, 0, 1e-14, "a binomial");
	test_abs(ws_law_below(&law, 2.25, 1), 0.75 * gsl_cdf_binomial_P(1, 0.3, 10) +
		 0.25 * gsl_cdf_binomial_P(2, 0.3, 10), 1e-14, "between whole numbers");
	/* n = 10.4 */
	ws_law_make(&law, 3.12, 0.936, 12, 0);
	test_abs(ws_law_below(&law, 4, 1), 0.6 * gsl_cdf_binomial_P(3, 0.3, 10) +
		 0.4 * gsl_cdf_binomial_P(3, 0.3, 11), 1e-14, "no whole number of parts");
	ws_law_make(&law, 3, 0.03, 12, 0.02);
	test_abs(ws_law_below(&law, 5, 1), gsl_cdf_poisson_P(4, 3), 1e-14, "small parts");
	ws_law_make(&law, 4.99, 4.98, 12, 0);
	test_ok(ws_law_below(&law, 5, 1) <= 0 && ws_law_below(&law, 6, 1) >= 1, "a loop");
	ws_law_make(&law, 4.7, 4.69, 12, 0);
	test_abs(ws_law_below(&law, 5, 1), 0.3, 1e-12, "a loop between");
	ws_law_make(&law, 50, 25, -1, 0);
	test_abs(ws_law_below(&law, 53, 1), gsl_cdf_gaussian_P(2.5, 5), 1e-14, "many are normal");
	test_abs(ws_law_below(&law, 53, 10), gsl_cdf_gaussian_P(2.5, 10), 1e-14,
		 "but no less wide");
	ws_law_make(&law, 3, 0.9, 5, 0);
	test_ok(ws_law_below(&law, 6, 1) >= 1, "beyond what is counted all are there");
}

int main(void)
{
	test_ok(child(false) == 0, "an error is no abort");
	test_ok(child(true) == 0, "a handler that the program has set is called");
	roots();
	at_a_jump();
	brackets(WS_CUT_ILLINOIS);
	brackets(WS_CUT_THIRDS);
	out_of_reach();
	sweeps();
	accelerated(false);
	accelerated(true);
	laws();
	return test_done();
}
