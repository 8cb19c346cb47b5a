/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * validate/counters/agreement.c -- how far predictions are from what was measured.
 */
#include "validate/dataset.h"

#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>

/* Ranks of values that are all the same are no ranks. */
static bool varied(const double *x, size_t count)
{
	for (size_t i = 1; i < count; i++)
		if (x[i] < x[0] || x[i] > x[0])
			return true;
	return false;
}

enum ws_status ws_agreement_of(const double *predicted, const double *measured, size_t count,
			       struct ws_agreement *out, struct ws_err *err)
{
	double *work = ws_alloc(2 * count + 1, sizeof *work);
	const double none = (double)NAN;

	if (!work)
		return ws_fail_memory(err, "the ranks");
	*out = (struct ws_agreement){ count, none, none, none, none };
	if (varied(predicted, count) && varied(measured, count))
		out->rank = gsl_stats_spearman(predicted, 1, measured, 1, count, work);
	free(work);
	if (!count)
		return WS_OK;
	out->mean_abs = out->bias = out->largest = 0;
	for (size_t i = 0; i < count; i++) {
		double d = predicted[i] - measured[i];

		out->mean_abs += fabs(d) / (double)count;
		out->bias += d / (double)count;
		if (fabs(d) > fabs(out->largest))
			out->largest = d;
	}
	return WS_OK;
}

struct ws_error_budget ws_error_budget_of(double model, double simulated, double nominal,
					  double measured)
{
	return (struct ws_error_budget){
		.policy = model - simulated, .time = nominal - simulated,
		.machine = simulated - measured, .total = model - measured,
	};
}
