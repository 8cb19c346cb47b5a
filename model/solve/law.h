/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * model/solve/law.h -- private: the distribution of the number of events (evictions, admissions) in
 * a window.
 *
 * A window has c references of each type, each an event with probability x; mean = sum c x and
 * square = sum c x^2.  The number of events is taken to be binomial with that mean and the variance
 * mean - square: q = square / mean, n = mean / q.  If n is no whole number, it is a mixture of the
 * two nearest.
 */
#ifndef WS_MODEL_SOLVE_LAW_H
#define WS_MODEL_SOLVE_LAW_H

#include "base/base.h"

#include <gsl/gsl_cdf.h>

#define WS_LAW_MAX 160u
#define WS_LAW_SURE 6.0		/* deviations from the mean of the normal law */

struct ws_law {
	double mean, deviation;
	int max;		/* -1: normal */
	double below[WS_LAW_MAX + 2]; /* [k], up to max + 1: probability of fewer than k */
	double per[WS_LAW_MAX + 2]; /* 1 / k */
};

void ws_law_init(struct ws_law *l);
/* max: at most WS_LAW_MAX; -1: the normal law.  poisson: below this q, Poisson's law is used. */
void ws_law_make(struct ws_law *l, double mean, double square, int max, double poisson);

/* The probability of fewer than `life` events, interpolated between whole numbers.  least: the
 * smallest standard deviation of the normal law.  Inline, since ageing epochs call it 25 times a
 * window. */
static inline double ws_law_below(const struct ws_law *l, double life, double least)
{
	double deviation = l->deviation > least ? l->deviation : least, at, z;
	int whole;

	if (l->max < 0) {
		z = (life - 0.5 - l->mean) / deviation;
		return z > WS_LAW_SURE ? 1 : z < -WS_LAW_SURE ? 0 : gsl_cdf_ugaussian_P(z);
	}
	if (life >= l->max + 1)
		return 1;
	whole = (int)life;
	at = l->below[whole] + (life - whole) * (l->below[whole + 1] - l->below[whole]);
	return at < 1 ? at : 1;
}

#endif
