/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * model/solve/law.c -- see law.h.  Terms are computed upwards from P(0) by the ratio of
 * neighbours.  This is fast, and exact enough while P(0) does not underflow: means are small here.
 */
#include "model/solve/law.h"

#include <math.h>

#define CERTAIN 0.995		/* beyond that a binomial is replaced by its mean */
#define NEAR_WHOLE 0.012	/* distance from a whole number that is rounding: exact loops */

void ws_law_init(struct ws_law *l)
{
	for (unsigned k = 1; k < WS_COUNT(l->per); k++)
		l->per[k] = 1.0 / k;
}

/* Adds weight * binomial(n, q), n whole.  below[k + 1] has P(k) until all are added. */
static void add(struct ws_law *l, double n, double q, double weight)
{
	double odds = q / (1 - q), p = weight * exp(n * log1p(-q));
	int most = n < l->max ? (int)n : l->max;

	for (int k = 0; k <= most; k++) {
		l->below[k + 1] += p;
		p *= (n - k) * l->per[k + 1] * odds;
	}
}

static void add_poisson(struct ws_law *l)
{
	double p = exp(-l->mean);

	for (int k = 0; k <= l->max; k++) {
		l->below[k + 1] = p;
		p *= l->mean * l->per[k + 1];
	}
}

static void add_whole(struct ws_law *l)
{
	double mean = fabs(l->mean - round(l->mean)) < NEAR_WHOLE ? round(l->mean) : l->mean;
	int whole = (int)mean;

	if (whole <= l->max)
		l->below[whole + 1] += 1 - (mean - whole);
	if (whole + 1 <= l->max)
		l->below[whole + 2] += mean - whole;
}

void ws_law_make(struct ws_law *l, double mean, double square, int max, double poisson)
{
	double q = fmin(1, square / fmax(mean, 1e-12)), n;

	l->mean = mean;
	l->deviation = sqrt(fmax(0, mean - square));
	l->max = max;
	for (int k = 0; k <= max + 1; k++)
		l->below[k] = 0;
	if (max >= 0 && mean < 1e-9) {
		l->below[1] = 1;
	} else if (max >= 0 && q > CERTAIN) {
		add_whole(l);
	} else if (max >= 0 && q < poisson) {
		add_poisson(l);
	} else if (max >= 0) {
		q = fmax(q, 1e-9);
		n = floor(mean / q);
		add(l, n, q, 1 - (mean / q - n));
		add(l, n + 1, q, mean / q - n);
	}
	for (int k = 1; k <= max + 1; k++)
		l->below[k] += l->below[k - 1];
}
