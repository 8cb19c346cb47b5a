/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * model/solve/epochs_confidence.c -- how far off a guess of the rounds may be (epochs.h), from how far
 * apart several are and how much there is to be wrong about.
 *
 * Only references at distances near the ways can go either way: those below REACH
 * times fewer are found, those beyond as many times more missed, under anything that is like LRU
 * at all.
 */
#include "model/solve/epochs.h"

#include <math.h>

#define REACH 4.0
#define POINTS 100.0
#define EXPECTED 0.27		/* the mean error, of half the interval */

static double close_calls(const struct ws_reuse *w, double ways)
{
	double sum = 0;

	for (size_t i = 0; i < w->types; i++) {
		const struct ws_row *r = w->row + i;
		double first = r->sort == WS_ROW_FINITE ? ws_bin_first(r->type) : 0;

		sum += first * REACH >= ways && first < ways * REACH ? r->count : 0;
	}
	return w->references > 0 ? sum / w->references : 0;
}

void ws_rounds_judge(const struct ws_question *q, const struct ws_rounds_doubt *doubt,
		     double apart, struct ws_solution *out)
{
	double close = POINTS * close_calls(q->windows, (double)q->cache->ways);
	double half = doubt->least + doubt->close * fmin(close, doubt->close_most)
		+ doubt->apart * POINTS * apart;

	out->below_pp = out->above_pp = half;
	out->error_pp = EXPECTED * half;
	out->unsure = POINTS * apart > doubt->unsure;
}
