/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cli/model.c -- what predict and sweep have in common: a profile for each
 * group of configurations, the model for each configuration.
 */
#include "cli/cli.h"

#include <stdlib.h>
#include <string.h>

struct model {
	struct cli_call *call;
	struct cli_input input;
	struct cli_plan plan;
	struct cli_rows rows;
	const struct ws_profile *profile; /* of the group at hand */
	struct ws_profile *own;		  /* the same, if it was made here */
};

static enum ws_status prepare(void *context, uint64_t group, uint64_t run, struct ws_err *err)
{
	struct model *w = context;
	uint64_t first = cli_plan_member(&w->plan, WS_STAGE_PROFILE, group, 0);
	struct cli_source source = {
		.call = w->call, .trace = w->input.trace, .seed = w->call->seed + run,
	};
	enum ws_status status;

	if (w->input.profile) {
		w->profile = w->input.profile;
		return WS_OK;
	}
	ws_profile_free(w->own);
	w->own = NULL;
	status = cli_plan_stream(&w->plan, first, &source.machine, err);
	if (status == WS_OK)
		status = cli_plan_sets(&w->plan, WS_STAGE_PROFILE, group, &source.sets,
				       &source.count, err);
	if (status == WS_OK)
		status = cli_profile_make(&source, &w->own, err);
	free(source.sets);
	w->profile = w->own;
	return status;
}

static enum ws_status compute(void *context, uint64_t config, const struct ws_machine *m,
			      void *result, struct ws_err *err)
{
	const struct model *w = context;
	struct ws_prediction *p = result;
	enum ws_status status = WS_OK;

	(void)config;
	for (size_t i = 0; i < w->profile->sections && status == WS_OK; i++)
		status = ws_predict(w->profile, i, &m->l1, &p[i], err);
	return status;
}

static enum ws_status print(void *context, uint64_t config, const struct ws_machine *m,
			    const void *result, struct ws_err *err)
{
	struct model *w = context;

	return cli_rows_print(&w->rows, config, m, result, err);
}

static unsigned kind_number(const char *kind)
{
	for (unsigned i = 0; i <= WS_KINDS; i++)
		if (strcmp(kind, ws_kind_names[i]) == 0)
			return i;
	return WS_KINDS;
}

static enum ws_status run(struct model *w, const char *kind, struct ws_err *err)
{
	struct cli_engine engine = {
		.call = w->call, .plan = &w->plan, .depth = WS_STAGE_PROFILE,
		.runs = w->call->options->runs ? w->call->options->runs : 1,
		.context = w, .prepare = prepare, .compute = compute, .print = print,
	};
	enum ws_status status = cli_kernels_find(&w->rows.kernels, &w->input, err);

	if (status != WS_OK)
		return status;
	engine.size = w->rows.kernels.count * sizeof(struct ws_prediction);
	w->rows.call = w->call;
	w->rows.plan = &w->plan;
	w->rows.runs = engine.runs;
	w->rows.spread = w->call->options->runs != 0;
	w->rows.each = strcmp(kind, "each") == 0;
	w->rows.kind = kind_number(kind);
	return cli_engine_run(&engine, err);
}

enum ws_status cli_model(struct cli_call *call, const char *kind, struct ws_err *err)
{
	struct model w = { .call = call };
	enum ws_status status = cli_input_open(&w.input, call, 0, CLI_TRACE | CLI_PROFILE, err);

	if (status == WS_OK && w.input.profile && call->options->runs > 1)
		status = cli_usage(call->command, err, "--runs=%llu: a profile is of one run: "
				   "give the trace", (unsigned long long)call->options->runs);
	if (status == WS_OK)
		status = cli_plan_init(&w.plan, call, w.input.profile, err);
	if (status == WS_OK)
		status = run(&w, kind, err);
	status = cli_rows_end(&w.rows, status, err);
	ws_profile_free(w.own);
	cli_plan_clear(&w.plan);
	cli_input_close(&w.input);
	return status;
}
