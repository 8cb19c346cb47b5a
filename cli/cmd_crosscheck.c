/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cli/cmd_crosscheck.c -- the model beside the simulator, on the same streams.
 *
 * Streams are made once for each distinct set of ORDER keys, profiles of those
 * streams once for each distinct set of PROFILE keys among them, of what the policies' models
 * read, with just the line sizes and set counts that are asked for.
 */
#include "cli/cycles.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

struct options {
	struct cli_options common;
	const char *bound;
};

#define BOUND_OWN -1.0	/* that of an approximate basis is its own 95 % interval */
#define OUTSIDE_ONE_IN 20u /* rows may lie outside it, for which it is no more than 95 % */

static const struct ws_option table[] = {
	CLI_OPT_MACHINE, CLI_OPT_SET, CLI_OPT_VARY,
	{ .name = "bound", .type = WS_OPT_STRING, .offset = offsetof(struct options, bound),
	  .arg = "PP",
	  .help = "largest error of the miss ratio, in percentage points, that any approximate "
		  "prediction may have; if left out, the simulated miss ratio is to lie in the "
		  "prediction's own 95 % interval, in 95 % of the rows.  Exact predictions must "
		  "agree in every count.  With --cycles, of the total error; none if left out" },
	{ .name = "cycles", .type = WS_OPT_FLAG, .offset = CLI_AT(cycles),
	  .help = "holds the prediction of loads against the cycle simulator: the error in its "
		  "parts, one row for each configuration, kernel and level" },
	{ .name = "level", .type = WS_OPT_CHOICE, .offset = CLI_AT(level), .arg = "LEVEL",
	  .choices = "l1 l2 all",
	  .help = "the caches that rows are of: the L1s, the L2 behind them, or both; l1 if left out.  "
		  "Of the L2 sets are those of a slice" },
	CLI_OPT_ORDER(""),
	CLI_OPT_PER, CLI_OPT_SEED, CLI_OPT_THREADS, CLI_OPT_FROM, { 0 },
};

static const enum ws_col columns[] = {
	WS_COL_MACHINE, WS_COL_KERNEL, WS_COL_LEVEL, WS_COL_POLICY, WS_COL_SIZE_BYTES, WS_COL_SETS,
	WS_COL_WAYS, WS_COL_LINE_BYTES, WS_COL_KIND, WS_COL_REQUESTS, WS_COL_MODEL_MISS_RATIO,
	WS_COL_EXACT_MISS_RATIO, WS_COL_DIFFERENCE_PP, WS_COL_MODEL_BASIS, WS_COL_WITHIN_BOUND,
	WS_COL_ERROR_PP, WS_COL_MISS_RATIO_LOW, WS_COL_MISS_RATIO_HIGH, WS_COL_CONFIDENCE,
	WS_COL_ORDER,
};

struct measured { /* a profile of the streams at hand */
	uint64_t group;		/* of depth WS_STAGE_PROFILE */
	struct ws_profile *profile;
	struct ws_answers *answers; /* made of it */
};

struct checking {
	struct cli_call *call;
	struct cli_input input;
	struct cli_plan plan;
	struct cli_kernels kernels;
	struct ws_streams *streams;
	size_t launches;
	struct measured *measured;
	size_t count, cap;
	double bound;
	struct cli_report report;
	double error_sum, error_max;
	struct cycles_budget budget;
	uint64_t rows, approximate;
	uint64_t outside, wrong, unsure; /* wrong: counts differ that must not */
};

/* ---- profiles of the streams --------------------------------------------- */

static enum ws_status push_launch(struct ws_profiler *p, const struct ws_streams *s,
				  const struct ws_launch *launch, struct ws_err *err)
{
	enum ws_status status = ws_profiler_launch(p, launch, err);

	for (size_t sm = 0; sm < s->sms && status == WS_OK; sm++)
		status = ws_profiler_push(p, sm, s->sm[sm].request, s->sm[sm].count, err);
	return status == WS_OK ? ws_profiler_end(p, &s->stats, err) : status;
}

static enum ws_status measure(struct checking *c, uint64_t group, struct ws_profile **out,
			      struct ws_err *err)
{
	struct cli_shapes shapes = { 0 };
	struct cli_behind behind = { 0 };
	struct ws_profile_options options = {
		.threads = (unsigned)c->call->options->threads, .seed = c->call->seed,
		.order = c->plan.order, .record = cli_plan_needs(&c->plan),
		.grain_period = cli_plan_period(&c->plan),
	};
	struct ws_profiler *p = NULL;
	uint64_t first = cli_plan_member(&c->plan, WS_STAGE_PROFILE, group, 0), sms;
	struct ws_machine m;
	enum ws_status status = cli_plan_measured(&c->plan, first, &m, err);

	if (status == WS_OK)
		status = cli_plan_shapes(&c->plan, WS_STAGE_PROFILE, group, &shapes, err);
	if (status == WS_OK)
		status = cli_plan_behind(&c->plan, WS_STAGE_PROFILE, group, &behind, err);
	options.shape = shapes.shape;
	options.shapes = shapes.count;
	options.filter = behind.filter;
	options.filters = behind.filters;
	options.l2_sets = behind.sets;
	options.l2_set_counts = behind.set_counts;
	sms = status == WS_OK ? cli_busy_sms(c->input.trace, &m, options.sm) : 0;
	if (status == WS_OK)
		status = cli_shapes_fit(&shapes, c->call->command, &m, sms, c->kernels.count,
					options.record, err);
	if (status == WS_OK)
		status = ws_profiler_new(&p, &m, &options, err);
	for (size_t i = 0; i < c->launches && status == WS_OK; i++)
		status = push_launch(p, &c->streams[i], ws_trace_launch(c->input.trace, i), err);
	if (status == WS_OK)
		status = ws_profiler_finish(p, out, err);
	ws_profiler_free(p);
	cli_shapes_clear(&shapes);
	cli_behind_clear(&behind);
	return status;
}

static const struct measured *find(const struct checking *c, uint64_t group)
{
	for (size_t i = 0; i < c->count; i++)
		if (c->measured[i].group == group)
			return &c->measured[i];
	return NULL;
}

static enum ws_status add_profile(struct checking *c, uint64_t group, struct ws_err *err)
{
	struct measured *grown = c->measured, *new;
	enum ws_status status;

	if (find(c, group))
		return WS_OK;
	if (c->count == c->cap)
		grown = ws_grow(c->measured, &c->cap, c->count + 1, sizeof *grown);
	if (!grown)
		return ws_fail_memory(err, "the profiles");
	c->measured = grown;
	new = &c->measured[c->count];
	*new = (struct measured){ .group = group };
	status = measure(c, group, &new->profile, err);
	if (status != WS_OK)
		return status;
	c->count++;
	return ws_answers_new(&new->answers, new->profile, err);
}

static void forget(struct checking *c)
{
	for (size_t i = 0; i < c->count; i++) {
		ws_answers_free(c->measured[i].answers);
		ws_profile_free(c->measured[i].profile);
	}
	c->count = 0;
	ws_streams_free(c->streams, c->launches);
	c->streams = NULL;
	c->launches = 0;
}

/* ---- the engine's steps -------------------------------------------------- */

static enum ws_status prepare(void *context, uint64_t group, uint64_t run, struct ws_err *err)
{
	struct checking *c = context;
	uint64_t members = cli_plan_groups(&c->plan, WS_STAGE_ORDER).members;
	uint64_t first = cli_plan_member(&c->plan, WS_STAGE_ORDER, group, 0);
	struct cli_source source = {
		.call = c->call, .trace = c->input.trace, .seed = c->call->seed + run,
		.order = c->plan.order,
	};
	enum ws_status status = cli_plan_stream(&c->plan, first, &source.machine, err);

	forget(c);
	if (status == WS_OK)
		status = cli_streams_make(&source, &c->streams, &c->launches, err);
	for (uint64_t k = 0; k < members && status == WS_OK; k++) {
		uint64_t config = cli_plan_member(&c->plan, WS_STAGE_ORDER, group, k);

		status = add_profile(c, cli_plan_group_of(&c->plan, WS_STAGE_PROFILE, config), err);
	}
	return status;
}

/* Is the L2's stream, which the model has behind LRU, another one? */
static bool other_stream(const struct ws_machine *m)
{
	return m->l1.ways > 1 && ws_policy_find(m->l1.policy) != ws_policies[0];
}

/* All kernels at one level. */
static enum ws_status check_level(const struct checking *c, const struct measured *at,
				  const struct ws_machine *m, bool l2, struct cycles_checked *out,
				  struct ws_err *err)
{
	const struct ws_cache cache = l2 ? ws_l2_whole(m) : m->l1;
	const struct ws_streams *streams = c->streams;
	struct ws_streams *behind = NULL;
	enum ws_status status = WS_OK;

	if (l2)
		status = ws_streams_behind(&behind, c->streams, c->launches, m, c->call->seed, err);
	streams = l2 ? behind : streams;
	for (size_t i = 0; i < at->profile->sections && status == WS_OK; i++) {
		struct ws_check *check = &out[i].check;

		check->other_stream = l2 && other_stream(m);
		status = l2 ? ws_answers_predict_l2(at->answers, i, m, &check->model, err)
			    : ws_answers_predict(at->answers, i, &m->l1, &check->model, err);
		if (status == WS_OK)
			status = ws_simulate(streams, c->launches, at->profile->section[i].kernel,
					     &cache, c->call->seed, check->exact, err);
		if (status == WS_OK)
			ws_check_judge(check, m->count_pending, c->bound);
	}
	ws_streams_free(behind, c->launches);
	return status;
}

static enum ws_status compute(void *context, uint64_t config, const struct ws_machine *m,
			      void *result, struct ws_err *err)
{
	const struct checking *c = context;
	const struct measured *at = find(c, cli_plan_group_of(&c->plan, WS_STAGE_PROFILE, config));
	struct cycles_checked *checked = result;
	struct cycles_checked *l2 = c->plan.l1 ? checked + c->kernels.count : checked;
	enum ws_status status = WS_OK;

	if (c->plan.l1)
		status = check_level(c, at, m, false, checked, err);
	if (status == WS_OK && c->plan.l2)
		status = check_level(c, at, m, true, l2, err);
	if (status == WS_OK && c->call->options->cycles)
		status = cycles_budget_simulate(c->call, c->input.trace, &c->plan, m, &c->kernels,
						c->plan.l1 ? checked : NULL,
						c->plan.l2 ? l2 : NULL, err);
	return status;
}

static enum ws_status begin(struct checking *c, struct ws_err *err)
{
	bool cycles = c->call->options->cycles;

	return cli_report_begin(&c->report, c->call, &c->plan,
				cycles ? cycles_budget_columns : columns,
				cycles ? cycles_budget_count : WS_COUNT(columns), err);
}

static void cells(struct ws_table *t, const struct ws_machine *m, const struct ws_check *check)
{
	const struct ws_counts *model = &check->model.kind[WS_KINDS];
	const struct ws_counts *exact = &check->exact[WS_KINDS];

	ws_cell_str(t, WS_COL_KIND, ws_kind_names[WS_KINDS]);
	ws_cell_u64(t, WS_COL_REQUESTS, model->requests);
	ws_cell_f64(t, WS_COL_DIFFERENCE_PP, check->error_pp);
	ws_cell_str(t, WS_COL_MODEL_BASIS, ws_basis_names[check->model.basis]);
	ws_cell_str(t, WS_COL_WITHIN_BOUND, check->within_bound ? "yes" : "no");
	ws_cell_str(t, WS_COL_CONFIDENCE, cli_confidence(&check->model));
	if (exact->requests)
		ws_cell_f64(t, WS_COL_EXACT_MISS_RATIO, ws_miss_ratio(exact, m->count_pending));
	if (!model->requests)
		return;
	ws_cell_f64(t, WS_COL_MODEL_MISS_RATIO, ws_miss_ratio(model, m->count_pending));
	ws_cell_f64(t, WS_COL_ERROR_PP, check->model.error_pp[WS_KINDS]);
	ws_cell_f64(t, WS_COL_MISS_RATIO_LOW, check->model.low[WS_KINDS]);
	ws_cell_f64(t, WS_COL_MISS_RATIO_HIGH, check->model.high[WS_KINDS]);
}

static void count(struct checking *c, const struct ws_check *check)
{
	c->rows++;
	c->approximate += check->model.basis == WS_APPROX;
	c->error_sum += check->error_pp;
	c->error_max = fmax(c->error_max, check->error_pp);
	c->outside += !check->within_bound;
	c->wrong += !check->agree;
	c->unsure += check->model.unsure;
}

/* Those of the L2 after those of the L1s. */
static size_t rows_of(const struct checking *c)
{
	return (size_t)(c->plan.l1 + c->plan.l2) * c->kernels.count;
}

static enum ws_status print(void *context, uint64_t config, const struct ws_machine *m,
			    const void *result, struct ws_err *err)
{
	struct checking *c = context;
	const struct cycles_checked *checked = result;
	enum ws_status status = c->report.begun ? WS_OK : begin(c, err);

	for (size_t i = 0; i < rows_of(c) && status == WS_OK; i++) {
		struct ws_table *t = c->report.table;

		cli_plan_cells(&c->plan, config, t);
		ws_cell_str(t, WS_COL_KERNEL, c->kernels.name[i % c->kernels.count]);
		cli_cells_cache(t, m, !c->plan.l1 || i >= c->kernels.count);
		ws_cell_str(t, WS_COL_ORDER, cli_order_text(&c->plan));
		if (c->call->options->cycles) {
			cycles_budget_cells(&c->budget, t, &checked[i]);
		} else {
			cells(t, m, &checked[i].check);
			count(c, &checked[i].check);
		}
		ws_row_end(t);
	}
	return status;
}

/* ---- the command --------------------------------------------------------- */

/* The last line, and whether the answer is no. */
static void conclude(struct checking *c)
{
	uint64_t spared = c->bound < 0 ? c->approximate / OUTSIDE_ONE_IN : 0;

	cli_report_remark(&c->report,
			"mean_abs_error_pp=%.6f max_abs_error_pp=%.6f configurations=%" PRIu64
			" rows=%" PRIu64 " outside=%" PRIu64 " low_confidence=%" PRIu64,
			c->rows ? c->error_sum / (double)c->rows : 0.0, c->error_max,
			c->plan.count, c->rows, c->outside, c->unsure);
	if (!c->wrong && c->outside <= spared)
		return;
	c->call->no = true;
	if (c->wrong)
		cli_note(c->call, "%" PRIu64 " of %" PRIu64 " rows differ in counts that must "
			 "agree", c->wrong, c->rows);
	else
		cli_note(c->call, "%" PRIu64 " of %" PRIu64 " rows are outside %s", c->outside,
			 c->rows, c->bound < 0 ? "their intervals" : "the bound");
}

static enum ws_status work(struct checking *c, struct ws_err *err)
{
	struct cli_engine engine = {
		.call = c->call, .plan = &c->plan, .depth = WS_STAGE_ORDER, .runs = 1, .context = c,
		.prepare = prepare, .compute = compute, .print = print,
	};
	enum ws_status status = cli_kernels_find(&c->kernels, &c->input, err);

	if (status != WS_OK)
		return status;
	engine.size = rows_of(c) * sizeof(struct cycles_checked);
	status = cli_engine_run(&engine, err);
	if (status == WS_OK && c->call->options->cycles)
		cycles_budget_end(&c->budget, c->call, &c->report, c->plan.count);
	else if (status == WS_OK)
		conclude(c);
	return status;
}

static enum ws_status bound_of(struct checking *c, const char *text, struct ws_err *err)
{
	c->bound = BOUND_OWN;
	if (text && (!ws_parse_double(text, &c->bound) || !(c->bound >= 0 && c->bound <= 100)))
		return cli_usage(c->call->command, err, "--bound=%s: want a number of percentage "
				 "points, 0..100", text);
	return WS_OK;
}

static enum ws_status run(struct cli_call *call, struct ws_err *err)
{
	const struct options *o = (const struct options *)(const void *)call->options;
	struct checking c = { .call = call };
	enum ws_status status = bound_of(&c, o->bound, err);

	c.budget.bound = c.bound;
	if (status == WS_OK)
		status = cli_input_open(&c.input, call, 0, CLI_TRACE, err);
	if (status == WS_OK)
		status = cli_plan_init(&c.plan, call, NULL, c.input.trace, err);
	if (status == WS_OK)
		status = cli_plan_modelled(&c.plan, "there is nothing to check; use `warpstack "
					   "simulate`", err);
	if (status == WS_OK)
		status = work(&c, err);
	status = cli_report_end(&c.report, status, err);
	forget(&c);
	free(c.measured);
	cli_kernels_clear(&c.kernels);
	cli_plan_clear(&c.plan);
	cli_input_close(&c.input);
	return status;
}

const struct cli_command cli_cmd_crosscheck = {
	.name = "crosscheck",
	.summary = "the model beside the simulator, with errors",
	.usage = "[options] [FILE]",
	.description =
		"Reads a trace or a launch file, makes the request streams once, and gives "
		"them both "
		"to the model (through a profile) and to the simulator: one row for each "
		"configuration and kernel, over all kinds of requests.  The columns of the varied "
		"keys come first.  For an l1.line other than the machine's own, the model and the "
		"simulator cut or merge the same requests.\n"
		"\n"
		"An exact prediction (basis exact) must agree with the simulation in every count "
		"of every kind.  An approximate one comes with an error that is expected "
		"(error_pp), a 95 % interval of the miss ratio (miss_ratio_low to "
		"miss_ratio_high) and a confidence, low where its policy's model is known to err; "
		"within_bound says whether the simulated miss ratio lies in that interval or, with "
		"--bound, within so many points of the prediction.\n"
		"\n"
		"With --level l2 the simulated L2 is behind simulated L1s, of their policies.  The "
		"model has the L2 behind LRU; behind another policy the numbers of requests may "
		"differ, the interval is all of 0 to 1, and difference_pp says what that came to.\n"
		"\n"
		"The exit code is 1 if an exact row differs; with --bound, if any row is outside; "
		"without, if more than one in twenty of the approximate rows is.  The last line "
		"has the mean and the largest error over all rows, in percentage points, and the "
		"numbers of configurations, of rows, of those outside, and of those of low "
		"confidence.\n"
		"\n"
		"With --cycles each configuration is simulated in time as well (`warpstack help "
		"simulate`), and a row tells where the prediction of loads errs: "
		"policy_error_pp is model_miss_ratio less exact_miss_ratio, what the policy's "
		"model errs on its own stream; timing_error_pp is exact_miss_ratio less "
		"cycles_miss_ratio, what the order of the stream (--order) does not know of time; "
		"total_error_pp is their sum.  model_basis and confidence are of the "
		"prediction on its own stream alone: exact, it has no policy error, but may well "
		"have one of timing.  pending_ratio is the share of loads that found their data "
		"on its way: they count as hits in all three ratios, whatever the machine's "
		"count_pending, as without time there are none.  The last line has the means of the absolute errors.  "
		"The streams are those of the machine's own L1, in the order of cycles of one of the size asked "
		"about; the cycle simulator runs with all that is.",
	.examples =
		"warpstack crosscheck mm.wst -m gtx480\n"
		"warpstack crosscheck mm.wst --vary l1.policy=all --vary l1.size=8K:64K:x2\n"
		"warpstack crosscheck mm.wst --vary l1.size=8K:128K:x2 --vary l1.hash=modulo,xor\n"
		"warpstack crosscheck mm.wst --vary l1.line=32,64,128 --vary l1.ways=1,4,16\n"
		"warpstack crosscheck data/kernel/mm-16x8.launch --set l1.policy=srrip --bound 2\n"
		"warpstack crosscheck mm.wst --level l2 --vary l1.policy=lru,fifo --vary l2.size=96K:768K:x2\n"
		"warpstack crosscheck mm.wst --cycles --level all --vary l1.size=16K,48K",
	.table = { table, cli_report, cli_general },
	.size = sizeof(struct options),
	.operands_max = 1,
	.complete = "file",
	.run = run,
};
