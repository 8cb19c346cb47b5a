/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * model/solve/law.h -- private: the distribution of the number of events (evictions, admissions) in
 * a window.
 *
 * Of c references of each type, each an event with chance x, mean = sum c x and square = sum c x^2.
 * It is the binomial distribution of that mean and variance mean - square: n = mean / q with q =
 * square / mean and, if n is no whole number, a mixture of its two neighbours.
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
	double below[WS_LAW_MAX + 2]; /* [k], up to max + 1: the chance of fewer than k */
	double per[WS_LAW_MAX + 2]; /* 1 / k */
};

void ws_law_init(struct ws_law *l);
/* max: WS_LAW_MAX at most; -1 for the normal distribution.  poisson: Poisson's for q below that. */
void ws_law_make(struct ws_law *l, double mean, double square, int max, double poisson);

/* The probability of fewer than `life` events, interpolated between whole numbers.  least: the
 * normal distribution's smallest deviation.  Inline: ageing epochs call it 25 times a window. */
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
