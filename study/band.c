/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * study/band.c -- one row for all machines that a machine's alternatives make: that of the first,
 * with the least and the most that any of them has.
 */
#include "study/private.h"

#include <math.h>
#include <string.h>

/* Keeps the first machine's results: the others are not there yet. */
static enum ws_status keep_first(struct ws_emitter *e, uint64_t config, const struct ws_machine *m,
				 const struct ws_answered *result, struct ws_err *err)
{
	size_t runs = e->options->runs ? (size_t)e->options->runs : 1;
	size_t count = runs * e->kernels.count, bands = 2 * e->kernels.count * (WS_KINDS + 1);

	if (!e->first)
		e->first = ws_alloc(count + 1, sizeof *e->first);
	if (!e->band)
		e->band = ws_alloc(bands + 1, sizeof *e->band);
	if (!e->first || !e->band)
		return ws_fail_memory(err, "a machine's rows");
	e->config = config;
	e->machine = *m;
	memcpy(e->first, result, count * sizeof *result);
	for (size_t i = 0; i < bands; i++)
		e->band[i] = (struct ws_band){
			.machines = e->plan->alternatives, .low = (double)INFINITY,
			.high = -(double)INFINITY, .exact = true,
		};
	return WS_OK;
}

static void widen_band(struct ws_band *b, const struct ws_row *row)
{
	struct ws_interval i = ws_row_miss_ratio(row);

	if (!row->prediction->kind[row->kind].requests) /* there is no ratio */
		return;
	b->low = fmin(b->low, i.low);
	b->high = fmax(b->high, i.high);
	b->exact = b->exact && row->basis == WS_EXACT;
}

static enum ws_status widen_bands(struct ws_emitter *e, bool l2, size_t k,
				  const struct ws_machine *m, const struct ws_answered *result,
				  struct ws_err *err)
{
	struct ws_machine own;
	struct ws_row row = { .machine = &own, .l2 = l2 };
	struct ws_spread spread;
	enum ws_status status = ws_study_kernel_machine(&e->kernels, k, m, &own, err);

	for (unsigned kind = 0; kind <= WS_KINDS && status == WS_OK; kind++) {
		status = ws_emitter_kind(e, &row, kind, &result[k], &spread, err);
		if (status == WS_OK)
			widen_band(ws_band_of(e, l2, k, kind), &row);
	}
	return status;
}

enum ws_status ws_emitter_put(struct ws_emitter *e, uint64_t config, const struct ws_machine *m,
			      const struct ws_answered *result, struct ws_err *err)
{
	uint64_t alternatives = e->plan->alternatives;
	enum ws_status status = WS_OK;

	if (alternatives <= 1)
		return ws_emitter_rows(e, config, m, result, err);
	if (config % alternatives == 0)
		status = keep_first(e, config, m, result, err);
	for (unsigned level = 0; level < 2; level++)
		for (size_t k = 0; k < e->kernels.count && status == WS_OK; k++)
			if (level ? e->plan->l2 : e->plan->l1)
				status = widen_bands(e, level, k, m, result, err);
	if (status != WS_OK || config % alternatives + 1 < alternatives)
		return status;
	return ws_emitter_rows(e, e->config, &e->machine, e->first, err);
}
