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

#define DECIMALS 6

const char *const cycles_budget_columns[] = {
	"kernel", "level", "policy", "size_bytes", "sets", "ways", "line_bytes", "requests",
	"model_miss_ratio", "functional_miss_ratio", "cycles_miss_ratio", "policy_error_pp",
	"timing_error_pp", "total_error_pp", "policy_basis", "policy_confidence",
	"pending_ratio", "cycles", NULL,
};

void cycles_budget_row(struct cycles_budget *b, struct ws_table *t, const struct ws_row *r)
{
	const struct ws_cache *cache = r->l2 ? &r->machine->l2 : &r->machine->l1;
	const struct ws_check *c = r->check;
	const uint64_t geometry[] = { cache->size_bytes, cache->sets, cache->ways,
				      cache->line_bytes };
	double model = ws_miss_ratio(&c->model.kind[WS_LOAD], false);
	double functional = ws_miss_ratio(&c->exact[WS_LOAD], false);
	double cycles = cycles_miss_ratio(r->timed, false);
	const double ratio[] = { model, functional, cycles };
	const double error[] = { model - functional, functional - cycles, model - cycles };

	ws_cell_str(t, r->kernel);
	ws_cell_str(t, r->l2 ? "L2" : "L1");
	ws_cell_str(t, cache->policy);
	for (size_t i = 0; i < WS_COUNT(geometry); i++)
		ws_cell_u64(t, geometry[i]);
	ws_cell_u64(t, r->timed->requests);
	for (size_t i = 0; i < WS_COUNT(ratio); i++)
		ws_cell_f64(t, ratio[i], DECIMALS);
	for (size_t i = 0; i < WS_COUNT(error); i++) {
		ws_cell_f64(t, 100 * error[i], DECIMALS);
		b->sum[i] += 100 * fabs(error[i]);
	}
	ws_cell_str(t, ws_basis_names[c->model.basis]);
	ws_cell_str(t, cli_confidence(&c->model));
	ws_cell_f64(t, r->timed->requests ? (double)r->timed->pending / (double)r->timed->requests : 0,
		    DECIMALS);
	ws_cell_u64(t, r->cycles);
	b->max = fmax(b->max, 100 * fabs(error[2]));
	b->outside += b->bound >= 0 && 100 * fabs(error[2]) > b->bound;
	b->rows++;
}

void cycles_budget_end(const struct cycles_budget *b, struct cli_call *call, struct ws_table *t,
		       uint64_t configurations)
{
	double rows = b->rows ? (double)b->rows : 1;

	ws_table_remark(t, "mean_abs_policy_error_pp=%.6f mean_abs_timing_error_pp=%.6f "
			"mean_abs_total_error_pp=%.6f max_abs_total_error_pp=%.6f "
			"configurations=%" PRIu64 " rows=%" PRIu64 " outside=%" PRIu64,
			b->sum[0] / rows, b->sum[1] / rows, b->sum[2] / rows, b->max,
			configurations, b->rows, b->outside);
	if (!b->outside)
		return;
	call->no = true;
	cli_note(call, "%" PRIu64 " of %" PRIu64 " rows are outside the bound", b->outside,
		 b->rows);
}
