/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cli/model.c -- what predict and sweep have in common: which options go together, and their rows.
 */
#include "cli/cli.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static enum ws_status check_parts(const struct cli_call *call, const struct ws_study_plan *plan,
				  struct ws_err *err)
{
	const struct cli_options *o = call->options;

	if (!o->by)
		return WS_OK;
	if (plan->l2)
		return cli_usage(call->command, err, "--by and --level=%s: misses by array and "
				 "line are of the L1s alone", o->level);
	if (o->runs)
		return cli_usage(call->command, err, "--by and --runs: want one of them");
	if (o->sample != 0 || o->sample_lines)
		return cli_usage(call->command, err, "--by and --sample: a sample has no misses "
				 "by array and line");
	return WS_OK;
}

static enum ws_status check_latency(const struct cli_call *call, struct ws_err *err)
{
	const struct cli_options *o = call->options;
	const char *other = o->by ? "by" : o->runs ? "runs" : o->verify ? "verify"
			  : o->sample != 0 || o->sample_lines ? "sample" : NULL;

	if (!o->latency)
		return WS_OK;
	if (other)
		return cli_usage(call->command, err, "--latency and --%s: want one of them", other);
	if (o->level && strcmp(o->level, "l2") == 0)
		return cli_usage(call->command, err, "--latency and --level=l2: time is of both: "
				 "want --level=all");
	return WS_OK;
}

/* A profile is of one run, sampled or not since it was made, and no requests are in it. */
static enum ws_status check_profile(const struct cli_call *call, struct ws_err *err)
{
	const struct cli_options *o = call->options;

	if (o->runs > 1)
		return cli_usage(call->command, err, "--runs=%" PRIu64 ": a profile is of one run: "
				 "want the trace", o->runs);
	if (o->sample != 0 || o->sample_lines)
		return cli_usage(call->command, err, "--sample%s: a profile is sampled when it is "
				 "made: want the trace", o->sample != 0 ? "" : "-lines");
	if (o->verify)
		return cli_usage(call->command, err, "--verify: a profile cannot be simulated: "
				 "want the trace");
	return WS_OK;
}

/* Can it be answered from a trace?  Said before the trace is profiled. */
static enum ws_status check_trace(const struct cli_call *call, const struct ws_study_plan *plan,
				  struct ws_err *err)
{
	const struct cli_options *o = call->options;
	bool sampled = o->sample != 0 || o->sample_lines;

	if (o->verify && sampled)
		return cli_usage(call->command, err, "--verify and --sample: want one of them: "
				 "samples are for what is too large to simulate");
	if (plan->l2 && (sampled || o->verify))
		return cli_usage(call->command, err, "--%s and --level=%s: want one of them",
				 o->verify ? "verify" : "sample", o->level);
	if (sampled && ws_study_plan_needs(plan))
		return cli_usage(call->command, err, "--sample: a sample holds distances alone, "
				 "which predict l1.policy lru and l1.organisation line or sector");
	return o->verify ? WS_OK : ws_study_plan_modelled(plan, "use `warpstack simulate`, or "
							  "--verify", err);
}

/* A format that is no table. */
struct model_export {
	struct cli_callgrind callgrind;
	struct cli_ncu ncu;
	ws_row_sink *put;	/* NULL: none */
	void *context;
};

static enum ws_status export_begin(struct model_export *x, struct cli_call *call,
				   struct ws_err *err)
{
	const char *format = call->options->format;

	*x = (struct model_export){ .callgrind.call = call, .ncu.call = call };
	if (strcmp(format, cli_callgrind_name) == 0) {
		x->put = cli_callgrind_put;
		x->context = &x->callgrind;
		return cli_callgrind_check(call, err);
	}
	if (strcmp(format, cli_ncu_name) == 0) {
		x->put = cli_ncu_put;
		x->context = &x->ncu;
		return cli_ncu_check(call, err);
	}
	return WS_OK;
}

static enum ws_status export_end(struct model_export *x, const struct ws_study_plan *plan,
				 struct ws_err *err)
{
	return x->context == &x->ncu ? cli_ncu_end(&x->ncu, plan, err)
				     : cli_callgrind_end(&x->callgrind, plan, err);
}

static void export_clear(struct model_export *x)
{
	ws_buf_clear(&x->callgrind.lines);
	cli_ncu_clear(&x->ncu);
}

/* seconds: --time, or 0. */
static enum ws_status predict_input(struct cli_call *call, const struct cli_input *input,
				    const struct cli_search *search, struct cli_rows *rows,
				    const struct model_export *export, double seconds,
				    struct ws_err *err)
{
	struct ws_study_input in = { .trace = input->trace, .profile = input->profile };
	const struct ws_study_options *ask = cli_ask(call);
	enum ws_status status = WS_OK;

	if (seconds > 0 && rows->plan->count) {
		struct ws_pilot pilot;

		status = ws_study_pilot(ask, rows->plan, &in, seconds, CLI_SAMPLE_MIN, &pilot,
					err);
		if (status != WS_OK)
			return status;
		ask = cli_sample_chosen(call, &pilot);
	}
	if (export->put)
		return ws_study_predict(ask, rows->plan, &in, export->put, export->context, err);
	if (!search->best)
		return ws_study_predict(ask, rows->plan, &in, cli_rows_put, rows, err);
	cli_search_say(search, rows->plan);
	status = ws_study_predict(ask, rows->plan, &in, ws_best_take, search->best, err);
	return status == WS_OK ? cli_search_rows(search, rows, err) : status;
}

enum ws_status cli_model(struct cli_call *call, const char *kind, struct ws_err *err)
{
	struct cli_rows rows = { .call = call };
	struct ws_study_plan plan = { 0 };
	struct cli_input input = { 0 };
	struct cli_search search;
	struct model_export export = { .put = NULL };
	double seconds = 0;
	enum ws_status status = cli_search_options(&search, call, err);

	call->band = true;
	if (status == WS_OK)
		status = cli_sample_time(call, &seconds, err);
	if (status == WS_OK)
		status = export_begin(&export, call, err);
	if (status == WS_OK)
		status = cli_input_open(&input, call, 0, export.context == &export.ncu
						? CLI_TRACE : CLI_TRACE | CLI_PROFILE, err);
	export.ncu.trace = input.trace;
	if (!call->options->kind)
		call->options->kind = kind;
	if (status == WS_OK)
		status = check_latency(call, err);
	if (status == WS_OK && input.profile)
		status = check_profile(call, err);
	if (status == WS_OK)
		status = cli_search_begin(&search, input.profile, err);
	if (status == WS_OK)
		status = cli_plan_init(&plan, call, input.profile, input.trace, err);
	if (status == WS_OK && input.trace)
		status = check_trace(call, &plan, err);
	if (status == WS_OK)
		status = check_parts(call, &plan, err);
	rows.plan = &plan;
	if (status == WS_OK)
		status = predict_input(call, &input, &search, &rows, &export, seconds, err);
	if (!export.put)
		status = cli_rows_end(&rows, status, err);
	else if (status == WS_OK)
		status = export_end(&export, &plan, err);
	export_clear(&export);
	ws_study_plan_clear(&plan);
	cli_search_clear(&search);
	cli_input_close(&input);
	return status;
}
