/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cli/cycles_budget.c -- `crosscheck --cycles`: a prediction's error against the cycle simulator,
 * in its parts, of loads:
 *
 *   policy error   model - functional: what the model of the policy errs on its own stream
 *   timing error   functional - cycles: what another order, and data on its way, make of it
 *   total error    model - cycles, their sum
 *
 * Pending hits are hits here, whatever count_pending says: without time there are none, so that
 * to count them as misses would only make them timing errors.
 */
#include "cli/cycles.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

const enum ws_col cycles_budget_columns[] = {
	WS_COL_MACHINE, WS_COL_KERNEL, WS_COL_LEVEL, WS_COL_POLICY, WS_COL_SIZE_BYTES, WS_COL_SETS,
	WS_COL_WAYS, WS_COL_LINE_BYTES, WS_COL_KIND, WS_COL_REQUESTS, WS_COL_MODEL_MISS_RATIO,
	WS_COL_EXACT_MISS_RATIO, WS_COL_CYCLES_MISS_RATIO, WS_COL_POLICY_ERROR_PP,
	WS_COL_TIMING_ERROR_PP, WS_COL_TOTAL_ERROR_PP, WS_COL_MODEL_BASIS, WS_COL_CONFIDENCE,
	WS_COL_ORDER, WS_COL_PENDING_RATIO, WS_COL_CYCLES,
};
const size_t cycles_budget_count = WS_COUNT(cycles_budget_columns);

uint64_t crosscheck_units(double points)
{
	return (uint64_t)llround(CROSSCHECK_UNITS * fabs(points));
}

/* Without requests there are no ratios, and no errors. */
static void ratio_cells(struct cycles_budget *b, struct ws_table *t,
			const struct ws_row *r)
{
	double model = ws_miss_ratio(&r->check->model.kind[WS_LOAD], false);
	double functional = ws_miss_ratio(&r->check->exact[WS_LOAD], false);
	double cycles = cycles_miss_ratio(r->timed, false);
	const double ratio[] = { model, functional, cycles };
	const double error[] = { model - functional, functional - cycles, model - cycles };

	for (unsigned i = 0; i < WS_COUNT(ratio) && r->timed->requests; i++)
		ws_cell_f64(t, WS_COL_MODEL_MISS_RATIO + i, ratio[i]);
	for (unsigned i = 0; i < WS_COUNT(error); i++) {
		if (r->timed->requests)
			ws_cell_f64(t, WS_COL_POLICY_ERROR_PP + i, 100 * error[i]);
		b->sums.error[i] += crosscheck_units(100 * error[i]);
	}
	if (crosscheck_units(100 * error[2]) > b->sums.max)
		b->sums.max = crosscheck_units(100 * error[2]);
	b->sums.outside += b->bound >= 0 && 100 * fabs(error[2]) > b->bound;
}

void cycles_budget_cells(struct cycles_budget *b, struct ws_table *t,
			 const struct ws_row *r)
{
	ws_cell_str(t, WS_COL_KIND, ws_kind_names[WS_LOAD]);
	ws_cell_u64(t, WS_COL_REQUESTS, r->timed->requests);
	ratio_cells(b, t, r);
	ws_cell_str(t, WS_COL_MODEL_BASIS, ws_basis_names[r->check->model.basis]);
	ws_cell_str(t, WS_COL_CONFIDENCE, ws_confidence_name(r->check->model.low_confidence));
	ws_cell_ratio(t, WS_COL_PENDING_RATIO, (double)r->timed->pending,
		      (double)r->timed->requests);
	ws_cell_u64(t, WS_COL_CYCLES, r->cycles);
	b->sums.rows++;
}

void cycles_budget_end(const struct cycles_budget *b, struct cli_call *call,
		       struct cli_report *report)
{
	const struct crosscheck_sums *s = &b->sums;
	double rows = CROSSCHECK_UNITS * (s->rows ? (double)s->rows : 1);

	cli_report_remark(report, "mean_abs_policy_error_pp=%.6f mean_abs_timing_error_pp=%.6f "
			"mean_abs_total_error_pp=%.6f max_abs_total_error_pp=%.6f "
			"configurations=%" PRIu64 " rows=%" PRIu64 " outside=%" PRIu64,
			(double)s->error[0] / rows, (double)s->error[1] / rows,
			(double)s->error[2] / rows, (double)s->max / CROSSCHECK_UNITS,
			s->configurations, s->rows, s->outside);
	if (!s->outside)
		return;
	call->no = true;
	cli_note(call, "%" PRIu64 " of %" PRIu64 " rows are outside the bound", s->outside,
		 s->rows);
}
