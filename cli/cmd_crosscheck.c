/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cli/cmd_crosscheck.c -- compares model and simulator on the same streams.
 *
 * study/check.c makes the streams and their profiles; this prints its rows.
 */
#include "cli/cycles.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

struct crosscheck_options {
	struct cli_options common;
	const char *bound;
};

#define BOUND_OWN -1.0	/* that of an approximate basis is its own 95 % interval */
#define OUTSIDE_ONE_IN 20u /* rows may lie outside it, for which it is no more than 95 % */

static const struct ws_option table[] = {
	CLI_OPT_MACHINE, CLI_OPT_SET, CLI_OPT_VARY,
	{ .name = "bound", .type = WS_OPT_STRING,
	  .offset = offsetof(struct crosscheck_options, bound),
	  .arg = "PP",
	  .brief = "allowed error, in points of the miss ratio",
	  .help = "largest error of the miss ratio, in percentage points, that any approximate "
		  "prediction may have; if left out, the simulated miss ratio is to lie in the "
		  "prediction's own 95 % interval, in 95 % of the rows.  Exact predictions must "
		  "agree in every count.  With --cycles, of the total error; none if left out" },
	{ .name = "cycles", .type = WS_OPT_FLAG, .offset = CLI_AT(cycles),
	  .brief = "the cycle simulator beside both, too",
	  .help = "holds the prediction of loads against the cycle simulator: the error in its "
		  "parts, one row for each configuration, kernel and level" },
	{ .name = "level", .type = WS_OPT_CHOICE, .offset = CLI_AT(level), .arg = "LEVEL",
	  .choices = "l1 l2 all",
	  .help = "the caches that rows are of: the L1s, the L2 behind them, or both; l1 if left "
		  "out.  Of the L2 sets are those of a slice" },
	CLI_OPT_PART(".  The last line, with the means, is of no part"),
	CLI_OPT_ORDER(""),
	CLI_OPT_PER, CLI_OPT_SEED, CLI_OPT_THREADS, CLI_OPT_FROM_LAUNCH, { 0 },
};

static const enum ws_col columns[] = {
	WS_COL_MACHINE, WS_COL_KERNEL, WS_COL_LEVEL, WS_COL_POLICY, WS_COL_SIZE_BYTES, WS_COL_SETS,
	WS_COL_WAYS, WS_COL_LINE_BYTES, WS_COL_KIND, WS_COL_REQUESTS, WS_COL_MODEL_MISS_RATIO,
	WS_COL_EXACT_MISS_RATIO, WS_COL_DIFFERENCE_PP, WS_COL_MODEL_BASIS, WS_COL_WITHIN_BOUND,
	WS_COL_ERROR_PP, WS_COL_MISS_RATIO_LOW, WS_COL_MISS_RATIO_HIGH, WS_COL_CONFIDENCE,
	WS_COL_ORDER,
};

struct crosscheck_checking {
	struct cli_call *call;
	struct ws_study_plan plan;
	double bound;
	struct cli_report report;
	struct cycles_budget budget; /* its sums are of either kind of rows */
};

static enum ws_status begin_table(struct crosscheck_checking *c, struct ws_err *err)
{
	bool cycles = c->call->options->cycles;

	if (c->report.begun)
		return WS_OK;
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
	ws_cell_str(t, WS_COL_CONFIDENCE, ws_confidence_name(check->model.low_confidence));
	if (exact->requests)
		ws_cell_f64(t, WS_COL_EXACT_MISS_RATIO, ws_miss_ratio(exact, m->count_pending));
	if (!model->requests)
		return;
	ws_cell_f64(t, WS_COL_MODEL_MISS_RATIO, ws_miss_ratio(model, m->count_pending));
	ws_cell_f64(t, WS_COL_ERROR_PP, check->model.error_pp[WS_KINDS]);
	ws_cell_f64(t, WS_COL_MISS_RATIO_LOW, check->model.low[WS_KINDS]);
	ws_cell_f64(t, WS_COL_MISS_RATIO_HIGH, check->model.high[WS_KINDS]);
}

static void count_check(struct crosscheck_sums *s, const struct ws_check *check)
{
	uint64_t error = crosscheck_units(check->error_pp);

	s->rows++;
	s->approximate += check->model.basis == WS_APPROX;
	s->error[0] += error;
	s->max = error > s->max ? error : s->max;
	s->outside += !check->within_bound;
	s->wrong += !check->agree;
	s->low_confidence += check->model.low_confidence;
}

static enum ws_status put_row(void *context, const struct ws_row *r, struct ws_err *err)
{
	struct crosscheck_checking *c = context;
	enum ws_status status = begin_table(c, err);
	struct ws_table *t = c->report.table;

	if (status != WS_OK)
		return status;
	ws_cells_varied(t, &c->plan, r->config);
	ws_cell_str(t, WS_COL_KERNEL, r->kernel);
	ws_cells_cache(t, r->machine, r->l2);
	ws_cell_str(t, WS_COL_ORDER, r->order);
	if (r->timed) {
		cycles_budget_cells(&c->budget, t, r);
	} else {
		cells(t, r->machine, r->check);
		count_check(&c->budget.sums, r->check);
	}
	ws_row_end(t);
	return WS_OK;
}

/* ---- the command --------------------------------------------------------- */

/* The last line, and whether the answer is no. */
static void conclude(struct crosscheck_checking *c)
{
	const struct crosscheck_sums *s = &c->budget.sums;
	uint64_t spared = c->bound < 0 ? s->approximate / OUTSIDE_ONE_IN : 0;

	cli_report_remark(&c->report,
			"mean_abs_error_pp=%.6f max_abs_error_pp=%.6f configurations=%" PRIu64
			" rows=%" PRIu64 " outside=%" PRIu64 " low_confidence=%" PRIu64,
			s->rows ? (double)s->error[0] / CROSSCHECK_UNITS / (double)s->rows : 0.0,
			(double)s->max / CROSSCHECK_UNITS, s->configurations, s->rows, s->outside,
			s->low_confidence);
	if (!s->wrong && s->outside <= spared)
		return;
	c->call->no = true;
	if (s->wrong)
		cli_note(c->call, "%" PRIu64 " of %" PRIu64 " rows differ in counts that must "
			 "agree", s->wrong, s->rows);
	else
		cli_note(c->call, "%" PRIu64 " of %" PRIu64 " rows are outside %s", s->outside,
			 s->rows, c->bound < 0 ? "their intervals" : "the bound");
}

/* A part's sums are for what follows the parts. */
static enum ws_status write_sums(const struct crosscheck_checking *c, struct ws_err *err)
{
	const struct crosscheck_sums *s = &c->budget.sums;

	if (!c->call->asked ||
	    write(c->call->asked->notes, s, sizeof *s) == (ssize_t)sizeof *s)
		return WS_OK;
	return ws_fail(err, WS_EIO, "the sums of a part: %s", strerror(errno));
}

static void add_sums(struct crosscheck_sums *to, const struct crosscheck_sums *s)
{
	for (size_t i = 0; i < WS_COUNT(s->error); i++)
		to->error[i] += s->error[i];
	to->max = s->max > to->max ? s->max : to->max;
	to->configurations += s->configurations;
	to->rows += s->rows;
	to->approximate += s->approximate;
	to->outside += s->outside;
	to->wrong += s->wrong;
	to->low_confidence += s->low_confidence;
}

static enum ws_status read_sums(struct crosscheck_checking *c, struct ws_err *err)
{
	char path[CLI_NOTES_PATH];
	struct crosscheck_sums one;
	struct ws_in in = { 0 };
	enum ws_status status;

	cli_notes_path(c->call, path);
	status = ws_in_open(&in, path, err);
	for (size_t at = 0; status == WS_OK && at < in.len; at += sizeof one) {
		if (in.len - at < sizeof one) {
			status = ws_fail(err, WS_EFORMAT, "the sums of parts: cut off");
			break;
		}
		memcpy(&one, in.data + at, sizeof one);
		add_sums(&c->budget.sums, &one);
	}
	ws_in_close(&in);
	return status;
}

static enum ws_status bound_of(struct crosscheck_checking *c, const char *text, struct ws_err *err)
{
	c->bound = BOUND_OWN;
	if (text && (!ws_parse_double(text, &c->bound) || !(c->bound >= 0 && c->bound <= 100)))
		return cli_usage(c->call->command, err, "--bound=%s: want a number of percentage "
				 "points, 0..100", text);
	return WS_OK;
}

static enum ws_status check_rows(struct crosscheck_checking *c, struct ws_err *err)
{
	struct cli_call *call = c->call;
	struct cli_input input = { 0 };
	struct ws_study_input in = { NULL, NULL };
	enum ws_status status = cli_input_open(&input, call, 0, CLI_TRACE, err);

	if (status == WS_OK)
		status = cli_plan_init(&c->plan, call, NULL, input.trace, err);
	if (status == WS_OK)
		status = ws_study_plan_modelled(&c->plan, "there is nothing to check; use "
						"`warpstack simulate`", err);
	in.trace = input.trace;
	if (status == WS_OK && c->plan.count)
		status = ws_study_crosscheck(cli_ask(call), &c->plan, &in, c->bound, put_row, c,
					     err);
	c->budget.sums.configurations = c->plan.count;
	cli_input_close(&input);
	return status;
}

static enum ws_status run_crosscheck(struct cli_call *call, struct ws_err *err)
{
	const struct crosscheck_options *o =
		(const struct crosscheck_options *)(const void *)call->options;
	struct crosscheck_checking c = { .call = call };
	enum ws_status status = bound_of(&c, o->bound, err);

	c.budget.bound = c.bound;
	if (status == WS_OK)
		status = cli_part_options(call, err);
	if (status == WS_OK)
		status = cli_follows(call) ? read_sums(&c, err) : check_rows(&c, err);
	if (status == WS_OK)
		status = begin_table(&c, err);
	if (status == WS_OK && call->parts && !cli_follows(call))
		status = write_sums(&c, err);
	else if (status == WS_OK && call->options->cycles)
		cycles_budget_end(&c.budget, call, &c.report);
	else if (status == WS_OK)
		conclude(&c);
	status = cli_report_end(&c.report, status, err);
	ws_study_plan_clear(&c.plan);
	return status;
}

const struct cli_command cli_cmd_crosscheck = {
	.name = "crosscheck",
	.summary = "compares the model with the simulator",
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
		"total_error_pp is their sum.  Where the model, but not the exact simulation, "
		"has data that comes when it does (l1.alloc = on-fill; reserved lines that "
		"matter), the first two cancel as far as it is right.  "
		"model_basis and confidence are of the "
		"prediction on its own stream alone: exact, it has no policy error, but may well "
		"have one of timing.  pending_ratio is the share of loads that found their data "
		"on its way: they count as hits in all three ratios, whatever the machine's "
		"count_pending, as without time there are none.  The last line has the means of "
		"the absolute errors.  The streams are those of the machine's own L1, in the "
		"order of cycles of one of the size asked about; the cycle simulator runs with "
		"all that is.",
	.examples =
		"warpstack crosscheck mm.wst -m gtx480\n"
		"warpstack crosscheck mm.wst --vary l1.policy=all --vary l1.size=8K:64K:x2\n"
		"warpstack crosscheck mm.wst --vary l1.size=8K:128K:x2 --vary l1.hash=modulo,xor\n"
		"warpstack crosscheck mm.wst --vary l1.line=32,64,128 --vary l1.ways=1,4,16\n"
		"warpstack crosscheck data/kernel/mm-16x8.launch --set l1.policy=srrip --bound 2\n"
		"warpstack crosscheck mm.wst --level l2 --vary l1.policy=lru,fifo --vary "
		"l2.size=96K:768K:x2\n"
		"warpstack crosscheck mm.wst --cycles --level all --vary l1.size=16K,48K",
	.table = { table, cli_report, cli_general },
	.size = sizeof(struct crosscheck_options),
	.operands_max = 1,
	.complete = "file",
	.run = run_crosscheck,
};
