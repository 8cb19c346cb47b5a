/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cli/cmd_fit.c -- values of a machine's keys that explain the counters of a data set.
 *
 * study/fit.c finds them; this prints what each value errs, whose errors there are, and writes the
 * machine.
 */
#include "cli/hardware.h"
#include "study/fit.h"

#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>

struct fit_options {
	struct cli_launches of;
	struct ws_list free;
	bool predicted;
	uint64_t most;		/* 0: not given */
};

#define AT(member) offsetof(struct fit_options, member)

static const struct ws_option table[] = {
	{ .name = "free", .type = WS_OPT_LIST, .offset = AT(free), .arg = "KEY[=A|B|C],...",
	  .complete = "key",
	  .brief = "keys to fit, and their values",
	  .help = "the keys that are fitted, with their candidates, or KEY=LO:HI:+STEP or "
		  "KEY=LO:HI:xFACTOR; the start's value is one, too.  Without candidates a key "
		  "has those that the machine leaves open, or else all its choices; the hashes "
		  "modulo, xor, fermi and ipoly; all policies but variants; a quarter, half, twice "
		  "and four times its number, of 0 10 to 80 cycles, or 1 to 64 of what else it "
		  "counts.  May be repeated" },
	{ .name = "machine", .letter = 'm', .type = WS_OPT_STRING, .offset = CLI_AT(machine),
	  .arg = "START", .complete = "machine",
	  .brief = "the machine to begin with",
	  .help = "where the fit begins: a machine for all launches, or a folder of machines that "
		  "stand in place of the data set's, under the same names; the data set's if left "
		  "out" },
	CLI_OPT_SET, CLI_OPT_QUICK, CLI_OPT_GPU_KERNEL,
	CLI_OPT_LAUNCH_LEVEL("the caches whose hit rates are fitted; all if left out"),
	CLI_OPT_ROWS,
	{ .name = "predicted", .type = WS_OPT_FLAG, .offset = AT(predicted),
	  .help = "fits the hit rate that the model predicts, not the simulated one" },
	{ .name = "most", .type = WS_OPT_U64, .offset = AT(most), .arg = "N", .min = 1,
	  .max = 10000,
	  .help = "all combinations of values are tried if they are at most N, 64 if left out; "
		  "else coordinate descents find the best, from the start and from two "
		  "combinations that --seed draws" },
	CLI_OPT_LAUNCH_BUDGET, CLI_OPT_STATE, CLI_OPT_SEED, CLI_OPT_THREADS,
	CLI_OPT_KERNEL_TIMEOUT(""),
	CLI_OPT_OUTPUT("writes the fitted machine there, a .conf file, with what was found in "
		       "comments; wants launches of one machine"),
	CLI_OPT_TABLE(CLI_FORMATS, CLI_FORMATS_HELP), { 0 },
};

static const enum ws_col columns[] = {
	WS_COL_ITEM, WS_COL_GPU, WS_COL_KEY, WS_COL_VALUE, WS_COL_CHOICE, WS_COL_SCORED_LAUNCHES,
	WS_COL_MEAN_ABS_PP, WS_COL_BIAS_PP, WS_COL_LARGEST_PP, WS_COL_START, WS_COL_FITTED,
	WS_COL_DETERMINED, WS_COL_LOG_LIKELIHOOD,
};

/* ---- rows ------------------------------------------------------------------------------- */

static void value_row(struct ws_table *t, const struct ws_fit *fit, size_t k, size_t i)
{
	const struct ws_vary *v = &fit->vary[k];
	const struct ws_fit_key *key = &fit->key[k];

	ws_cell_str(t, WS_COL_ITEM, "value");
	ws_cell_str(t, WS_COL_CHOICE, i == key->best ? ws_choice_names[WS_CHOICE_BEST]
			: key->value[i].told ? NULL : ws_choice_names[WS_CHOICE_WITHIN]);
	ws_cell_str(t, WS_COL_KEY, v->key->name);
	ws_cell_str(t, WS_COL_VALUE, v->value[i]);
	ws_cell_u64(t, WS_COL_SCORED_LAUNCHES, fit->points);
	ws_cell_f64(t, WS_COL_MEAN_ABS_PP, key->value[i].error);
	ws_cell_str(t, WS_COL_START, i == key->start ? "yes" : "no");
	ws_cell_str(t, WS_COL_FITTED, i == key->fitted ? "yes" : "no");
	ws_cell_str(t, WS_COL_DETERMINED, ws_determined_names[key->determined]);
	ws_cell_f64(t, WS_COL_LOG_LIKELIHOOD, key->value[i].log_likelihood);
	ws_row_end(t);
}

/* gpu NULL: of all. */
static enum ws_status error_row(struct ws_table *t, const struct ws_fit *fit, enum ws_fit_way way,
				const char *gpu, struct ws_err *err)
{
	struct ws_agreement a;
	enum ws_status status = ws_fit_errors(fit, way, gpu, &a, err);

	if (status != WS_OK || !a.count)
		return status;
	ws_cell_str(t, WS_COL_ITEM, ws_fit_way_names[way]);
	ws_cell_str(t, WS_COL_GPU, gpu);
	ws_cell_u64(t, WS_COL_SCORED_LAUNCHES, a.count);
	ws_cell_f64(t, WS_COL_MEAN_ABS_PP, a.mean_abs);
	ws_cell_f64(t, WS_COL_BIAS_PP, a.bias);
	ws_cell_f64(t, WS_COL_LARGEST_PP, a.largest);
	ws_row_end(t);
	return WS_OK;
}

static void tell_search(struct cli_report *r, const struct ws_fit *fit)
{
	if (!fit->descents)
		cli_report_remark(r, "All %" PRIu64 " combinations were tried", fit->tried);
	else
		cli_report_remark(r, "%" PRIu64 " of %" PRIu64 " combinations were tried, in %"
				  PRIu64 " descents, %" PRIu64 " of which ended at the best",
				  fit->tried, fit->combinations, fit->descents, fit->agreed);
	if (fit->trivial)
		cli_report_remark(r, "All launches are trivial: they stream, or hit in less than 2 "
				  "or more than 98 %%");
}

static enum ws_status put_rows(struct cli_report *r, struct cli_call *call,
			       const struct ws_fit *fit, const struct ws_data_set *set,
			       struct ws_err *err)
{
	enum ws_status status = cli_report_begin(r, call, NULL, columns, WS_COUNT(columns), err);

	for (size_t k = 0; k < fit->keys && status == WS_OK; k++)
		for (size_t i = 0; i < fit->vary[k].count; i++)
			value_row(r->table, fit, k, i);
	for (unsigned w = 0; w < WS_FIT_WAYS && status == WS_OK; w++) {
		for (size_t i = 0; ws_fit_gpu(fit, i) && status == WS_OK; i++)
			status = error_row(r->table, fit, (enum ws_fit_way)w, ws_fit_gpu(fit, i),
					   err);
		if (status == WS_OK && fit->gpus > 1)
			status = error_row(r->table, fit, (enum ws_fit_way)w, NULL, err);
	}
	if (status == WS_OK)
		tell_search(r, fit);
	if (status == WS_OK)
		cli_hardware_source(r, set);
	return status;
}

/* ---- the command -------------------------------------------------------------------------- */

static enum ws_status put_machine(const struct cli_call *call, const char *path,
				  const struct ws_fit *fit, const struct ws_data_set *set,
				  struct ws_err *err)
{
	struct ws_buf text = { 0 };
	enum ws_status status = ws_fit_conf(fit, set, &text, err);

	if (status == WS_OK)
		status = cli_write_text(call, path, &text, "the machine", err);
	ws_buf_clear(&text);
	return status;
}

static bool is_folder(const char *path)
{
	struct stat st;

	return path && stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

static enum ws_status fit_set(struct cli_call *call, const struct ws_data_set *set,
			      struct ws_fit *fit, struct ws_err *err)
{
	const struct fit_options *o = (const struct fit_options *)(const void *)call->options;
	const char *start = call->options->machine;
	struct ws_hardware_options launches =
		cli_hardware_options(call, is_folder(start) ? start : NULL);
	struct ws_fit_options options = {
		.hardware = &launches, .free = o->free, .predicted = o->predicted,
		.most = o->most ? o->most : WS_FIT_MOST,
		.one_machine = call->options->output != NULL,
	};
	enum ws_status status = cli_hardware_reads(call, set, launches.machines, err);

	launches.machine = is_folder(start) ? NULL : start;
	cli_hardware_levels(call, options.level);
	if (status == WS_OK)
		status = ws_fit_run(fit, set, &options, err);
	if (status == WS_OK)
		cli_hardware_left(call, &fit->h);
	if (status == WS_OK)
		cli_say(call, "%" PRIu64 " results were computed, %" PRIu64 " were kept",
			fit->h.computed, fit->h.kept);
	return status;
}

static enum ws_status run_fit(struct cli_call *call, struct ws_err *err)
{
	const char *path = call->options->output;
	struct ws_data_set set = { 0 };
	struct ws_fit fit = { 0 };
	struct cli_report report = { 0 };
	enum ws_status status;

	if (path && strcmp(path, "-") == 0)
		return cli_usage(call->command, err, "-o -: the rows go to standard output: want "
				 "-o FILE");
	status = ws_data_set_open(&set, call->operands.item[0], err);
	if (status == WS_OK)
		status = fit_set(call, &set, &fit, err);
	call->options->output = NULL; /* the rows' */
	if (status == WS_OK)
		status = put_rows(&report, call, &fit, &set, err);
	status = cli_report_end(&report, status, err);
	call->options->output = path;
	if (status == WS_OK && path)
		status = put_machine(call, path, &fit, &set, err);
	ws_fit_clear(&fit);
	ws_data_set_close(&set);
	return status;
}

const struct cli_command cli_cmd_fit = {
	.name = "fit",
	.summary = "finds a machine's keys that explain hardware counters",
	.usage = "[options] --free KEY[=A|B|C],... DATASET",
	.description =
		"Tries values of keys until the hit rates of a data set (`warpstack help "
		"validate`) are met as well as can be.  What counts is the mean absolute error of "
		"the simulated hit rate of loads, in points, over the launches that are scored; "
		"each weighs the same, with --level all at each level.  Trivial launches, which "
		"stream, or hit in less than 2 or more than 98 %, count only if there are no "
		"others.  A launch is captured once, and ordered once for all values of keys that "
		"leave the order alone in a sweep, as policies, sizes and ways of the L1, and all "
		"keys of the L2.\n"
		"\n"
		"Rows of item value are a profile: the least error with each value of each free "
		"key, whatever the others, of the combinations that were tried.  choice says which "
		"is best, and within, which others cannot be told from it: with errors as "
		"Laplace's distribution has them, log_likelihood is not below -1.92 (95 %).  A key "
		"is determined if nothing else is within; one whose start's value is within stays "
		"there.\n"
		"\n"
		"Then the errors, by GPU and of all: of the start; fitted; in the machine's own "
		"order where the sweep's is another (own order); and of each launch the error of "
		"what is best on all others but those of its kernel, or of its GPU: what to expect "
		"of launches that are not in the set.",
	.examples =
		"warpstack fit data/counters --gpu Tesla-K40 --quick --level l1 "
		"--free 'l1.hash,l1.ways=2|4|8'\n"
		"warpstack fit data/counters --gpu Tesla-K40 --level l1 --quick -m k40 "
		"--free 'sm.lsu=1|64,l1.policy=lru|fifo' --state k40.state -o k40-fitted.conf",
	.table = { table, cli_general },
	.size = sizeof(struct fit_options),
	.operands_min = 1,
	.operands_max = 1,
	.complete = "file",
	.run = run_fit,
};
