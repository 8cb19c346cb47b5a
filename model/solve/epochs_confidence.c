/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * model/solve/epochs_confidence.c -- the expected error of the model of epochs (epochs.h), from the
 * distance of its guesses and from the number of references in doubt.
 *
 * Only references at distances near the ways are in doubt.  Under any policy that resembles LRU,
 * distances below ways / WS_EPOCHS_REACH hit, and distances above ways * WS_EPOCHS_REACH miss.
 */
#include "model/solve/epochs.h"
#include "model/constants.h"

#include <math.h>

#define POINTS 100.0

static double close_calls(const struct ws_reuse *w, double ways)
{
	double sum = 0;

	for (size_t i = 0; i < w->types; i++) {
		const struct ws_reuse_row *r = w->row + i;
		double first = r->sort == WS_ROW_FINITE ? ws_bin_first(r->type) : 0;

		if (first * WS_EPOCHS_REACH >= ways && first < ways * WS_EPOCHS_REACH)
			sum += r->count;
	}
	return w->references > 0 ? sum / w->references : 0;
}

void ws_epochs_judge(const struct ws_query *q, const struct ws_epochs_uncertainty *uncertainty,
		     double apart, struct ws_solution *out)
{
	double close = POINTS * close_calls(q->windows, (double)q->cache->ways);
	double half = uncertainty->least + uncertainty->close * fmin(close, uncertainty->close_most)
		+ uncertainty->apart * POINTS * apart;

	out->below_pp = out->above_pp = half;
	out->error_pp = WS_EPOCHS_EXPECTED * half;
	out->low_confidence = POINTS * apart > uncertainty->low_confidence;
}
