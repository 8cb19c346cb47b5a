/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * plots/html/rows.c -- predictions of a profile, kept for figures and tables.
 */
#include "plots/html/private.h"

#include <stdlib.h>
#include <string.h>

static void clear_row(struct ws_report_row *r)
{
	free(r->kernel);
	free(r->array);
	free(r->file);
}

void ws_report_rows_clear(struct ws_report_rows *rows)
{
	for (size_t i = 0; i < rows->count; i++)
		clear_row(&rows->row[i]);
	free(rows->row);
	*rows = (struct ws_report_rows){ 0 };
}

static char *copy_of(const char *text, bool *failed)
{
	char *copy = text ? ws_strdup(text) : NULL;

	*failed |= text && !copy;
	return copy;
}

static enum ws_status keep_row(void *context, const struct ws_row *r, struct ws_err *err)
{
	struct ws_report_rows *rows = context;
	struct ws_report_row *to;
	bool failed = false;

	if (!WS_ROOM(rows->row, rows->cap, rows->count + 1))
		return ws_fail_memory(err, "the rows of a report");
	to = &rows->row[rows->count++];
	*to = (struct ws_report_row){
		.sets = r->machine->l1.sets, .ways = r->machine->l1.ways,
		.size_bytes = r->machine->l1.size_bytes,
		.counts = r->prediction->kind[r->kind], .ratio = ws_row_miss_ratio(r),
		.kernel = copy_of(r->kernel, &failed),
		.array = copy_of(r->part ? r->part->array : NULL, &failed),
		.file = copy_of(r->part ? r->part->file : NULL, &failed),
		.line = r->part ? r->part->line : 0,
	};
	if (r->plan->shown)
		snprintf(to->label, sizeof to->label, "%s", ws_study_plan_value(r->plan, r->config,
										0));
	return failed ? ws_fail_memory(err, "the rows of a report") : WS_OK;
}

enum ws_status ws_report_ask(struct ws_report_rows *rows, const struct ws_report_input *in,
			     const struct ws_report_query *query, struct ws_err *err)
{
	struct ws_study_options o = *in->study;
	struct ws_study_input input = { .profile = in->profile };
	struct ws_study_plan plan = { 0 };
	enum ws_status status;

	o.vary = query->vary;
	o.by = query->by;
	o.kind = query->kind ? query->kind : "all";
	o.search = query->search;
	o.budget = query->budget;
	o.levels = WS_STUDY_L1;
	o.progress = false;
	o.note = o.detail = NULL;
	status = ws_study_plan_init(&plan, &o, in->profile, NULL, err);
	if (status == WS_OK)
		status = ws_study_predict(&o, &plan, &input, keep_row, rows, err);
	ws_study_plan_clear(&plan);
	return status;
}
