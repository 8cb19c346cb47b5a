/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * model/solve/anderson.c -- see anderson.h.
 */
#include "model/solve/anderson.h"

#include <math.h>
#include <string.h>

#define DEPTH WS_ANDERSON_DEPTH
#define MIX 0.7			/* weight of the new values, at first */
#define MIX_LESS 0.7		/* factor whenever the change grows, down to */
#define MIX_LEAST 0.15
#define FARTHEST 30.0		/* times the map's own change: the longest step, if careful */
#define WORSE 1.5		/* times the previous change: the change has grown */

void ws_anderson_begin(struct ws_anderson *a, size_t len, double *room)
{
	*a = (struct ws_anderson){ .len = len, .at = room, .mix = MIX, .change = HUGE_VAL,
				   .least = HUGE_VAL };
	a->to = a->at + len;
	a->last_at = a->to + len;
	a->last_to = a->last_at + len;
	a->best = a->last_to + len;
	a->weight = a->best + len;
	a->d_change = a->weight + len;
	a->d_to = a->d_change + DEPTH * len;
}

static void forget(struct ws_anderson *a)
{
	a->held = a->next = 0;
}

static void keep(struct ws_anderson *a)
{
	double *change = a->d_change + a->next * a->len, *to = a->d_to + a->next * a->len;

	for (size_t i = 0; i < a->len; i++) {
		to[i] = a->to[i] - a->last_to[i];
		change[i] = to[i] - (a->at[i] - a->last_at[i]);
	}
	a->next = (a->next + 1) % DEPTH;
	a->held += a->held < DEPTH;
}

/* Solves a x = b for a symmetric positive a, in place; b becomes x.  GSL's Cholesky is not used: it
 * rounds differently, and the answer of an iteration that does not converge depends on rounding (by
 * a point, in one of 1 400 answers for FIFO). */
static void solve(double a[DEPTH][DEPTH], double *b, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		for (unsigned j = i + 1; j < count; j++) {
			double factor = a[j][i] / a[i][i];

			for (unsigned k = i; k < count; k++)
				a[j][k] -= factor * a[i][k];
			b[j] -= factor * b[i];
		}
	for (unsigned i = count; i-- > 0;) {
		for (unsigned j = i + 1; j < count; j++)
			b[i] -= a[i][j] * b[j];
		b[i] /= a[i][i];
	}
}

/* The weights of the held differences that minimise the change; drops all if there are none. */
static void combine(struct ws_anderson *t, double *fraction)
{
	double a[DEPTH][DEPTH];

	for (unsigned i = 0; i < t->held; i++) {
		const double *di = t->d_change + i * t->len;

		fraction[i] = 0;
		for (size_t k = 0; k < t->len; k++)
			fraction[i] += t->weight[k] * di[k] * (t->to[k] - t->at[k]);
		for (unsigned j = 0; j < t->held; j++) {
			const double *dj = t->d_change + j * t->len;

			a[i][j] = 0;
			for (size_t k = 0; k < t->len; k++)
				a[i][j] += t->weight[k] * di[k] * dj[k];
		}
	}
	for (unsigned i = 0; i < t->held; i++)
		a[i][i] = a[i][i] * (1 + 1e-8) + 1e-24;
	solve(a, fraction, t->held);
	for (unsigned i = 0; i < t->held; i++)
		if (!isfinite(fraction[i]))
			forget(t);
}

/* Is the combined step much longer than the map's own?  It may then lead to another fixed point. */
static bool too_far(const struct ws_anderson *t, const double *fraction)
{
	double plain = 0, far = 0;

	for (size_t i = 0; i < t->len; i++) {
		double change = t->to[i] - t->at[i], more = change;

		for (unsigned k = 0; k < t->held; k++)
			more -= fraction[k] * t->d_to[k * t->len + i];
		plain += t->weight[i] * fabs(change);
		far += t->weight[i] * fabs(more);
	}
	return far > FARTHEST * plain;
}

bool ws_anderson_better(struct ws_anderson *a, double change)
{
	if (a->iterations < a->plain || !(change < a->least))
		return false;
	a->least = change;
	memcpy(a->best, a->to, a->len * sizeof *a->best);
	return true;
}

void ws_anderson_step(struct ws_anderson *t, double change)
{
	double fraction[DEPTH];

	if (t->iterations > t->plain)
		keep(t);
	if (t->iterations > t->plain && change > WORSE * t->change) {
		forget(t);
		t->mix = fmax(MIX_LEAST, t->mix * MIX_LESS);
	}
	t->change = change;
	combine(t, fraction);
	if (t->careful && too_far(t, fraction))
		forget(t);
	for (size_t i = 0; i < t->len; i++) {
		double was = t->at[i], to = t->to[i], residue = to - was;

		for (unsigned k = 0; k < t->held; k++) {
			to -= fraction[k] * t->d_to[k * t->len + i];
			residue -= fraction[k] * t->d_change[k * t->len + i];
		}
		t->last_at[i] = was;
		t->last_to[i] = t->to[i];
		t->at[i] = to - (1 - t->mix) * residue;
	}
	t->iterations++;
}
