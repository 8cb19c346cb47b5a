/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cli/cmd_validate.c -- predictions held against the hardware counters of a data set.
 *
 * study/hardware.c runs the launches; this prints launches, means and what alternatives move.
 */
#include "cli/hardware.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct validate_options {
	struct cli_launches of;
	const char *machines;
	bool means;
};

#define AT(member) offsetof(struct validate_options, member)

static const struct ws_option table[] = {
	{ .name = "machine", .letter = 'm', .type = WS_OPT_STRING, .offset = AT(machines),
	  .arg = "DIR",
	  .help = "a folder of machines that stand in place of the data set's, under the same "
		  "names" },
	CLI_OPT_SET, CLI_OPT_QUICK,
	{ .name = "all", .type = WS_OPT_FLAG, .offset = AT(of.all),
	  .help = "also runs launches that are scored at no level" },
	CLI_OPT_GPU_KERNEL,
	CLI_OPT_LAUNCH_LEVEL("the caches that rows are of; all if left out"), CLI_OPT_ROWS,
	{ .name = "means", .type = WS_OPT_FLAG, .offset = AT(means),
	  .brief = "mean errors alone",
	  .help = "leaves out the rows of single launches" },
	CLI_OPT_LAUNCH_BUDGET, CLI_OPT_STATE,
	CLI_OPT_SEED, CLI_OPT_THREADS, CLI_OPT_KERNEL_TIMEOUT(""), { 0 },
};

static const enum ws_col columns[] = {
	WS_COL_ITEM, WS_COL_MACHINE, WS_COL_GPU, WS_COL_KERNEL, WS_COL_LEVEL, WS_COL_SHAPE,
	WS_COL_ALTERNATIVE, WS_COL_SCORED, WS_COL_MEASURED_HIT, WS_COL_MEASURED_HIT_P10,
	WS_COL_MEASURED_HIT_P90, WS_COL_PREDICTED_HIT, WS_COL_PREDICTED_HIT_LOW,
	WS_COL_PREDICTED_HIT_HIGH, WS_COL_HIT_DIFFERENCE_PP, WS_COL_INSIDE,
	WS_COL_MEASURED_SECTORS, WS_COL_PREDICTED_SECTORS, WS_COL_PREDICTED_SECTORS_LOW,
	WS_COL_PREDICTED_SECTORS_HIGH, WS_COL_SECTORS_DIFFERENCE, WS_COL_SCORED_LAUNCHES,
	WS_COL_INSIDE_LAUNCHES, WS_COL_MEAN_ABS_PP, WS_COL_BIAS_PP, WS_COL_LARGEST_PP,
	WS_COL_RANK_CORRELATION, WS_COL_NONTRIVIAL_LAUNCHES, WS_COL_NONTRIVIAL_MEAN_ABS_PP,
	WS_COL_NOISE_PP, WS_COL_SECTORS_ERROR, WS_COL_POLICY_PP, WS_COL_TIME_PP,
	WS_COL_MACHINE_PP, WS_COL_MOVE_PP,
};

struct validating {
	struct cli_call *call;
	const struct validate_options *o;
	struct ws_data_set set;
	struct ws_hardware h;
	struct cli_report report;
	bool level[WS_SET_LEVELS]; /* that rows are of */
};

/* ---- launches ------------------------------------------------------------------------- */

static void band_cells(struct ws_table *t, enum ws_col first, const struct ws_hardware_band *b)
{
	ws_cell_f64(t, first, b->central);
	ws_cell_f64(t, first + 1, b->low);
	ws_cell_f64(t, first + 2, b->high);
}

static void launch_row(struct ws_table *t, const struct ws_hardware_point *p)
{
	struct ws_error_budget b = ws_hardware_budget(p);

	ws_cell_str(t, WS_COL_ITEM, "launch");
	ws_cell_str(t, WS_COL_MACHINE, p->machine);
	ws_cell_str(t, WS_COL_GPU, ws_set_cell(&p->row, "gpu"));
	ws_cell_str(t, WS_COL_KERNEL, ws_set_cell(&p->row, "kernel"));
	ws_cell_str(t, WS_COL_LEVEL, cli_level_words[p->level]);
	ws_cell_str(t, WS_COL_SHAPE, p->label);
	ws_cell_str(t, WS_COL_SCORED, p->left_out ? p->left_out : "yes");
	ws_cell_f64(t, WS_COL_MEASURED_HIT, p->hit.median);
	ws_cell_f64(t, WS_COL_MEASURED_HIT_P10, p->hit.p10);
	ws_cell_f64(t, WS_COL_MEASURED_HIT_P90, p->hit.p90);
	band_cells(t, WS_COL_PREDICTED_HIT, &p->hit_predicted);
	ws_cell_f64(t, WS_COL_HIT_DIFFERENCE_PP, b.total);
	ws_cell_str(t, WS_COL_INSIDE, ws_hardware_inside(p) ? "yes" : "no");
	ws_cell_f64(t, WS_COL_MEASURED_SECTORS, p->sectors.median);
	band_cells(t, WS_COL_PREDICTED_SECTORS, &p->sectors_predicted);
	ws_cell_f64(t, WS_COL_SECTORS_DIFFERENCE,
		    p->sectors_predicted.central - p->sectors.median);
	ws_cell_f64(t, WS_COL_POLICY_PP, b.policy);
	ws_cell_f64(t, WS_COL_TIME_PP, b.time);
	ws_cell_f64(t, WS_COL_MACHINE_PP, b.machine);
	ws_row_end(t);
}

/* ---- means ------------------------------------------------------------------------------ */

static void sum_cells(struct ws_table *t, const struct ws_hardware_sum *s)
{
	ws_cell_u64(t, WS_COL_SCORED_LAUNCHES, s->all.count);
	ws_cell_u64(t, WS_COL_INSIDE_LAUNCHES, s->inside);
	ws_cell_f64(t, WS_COL_MEAN_ABS_PP, s->all.mean_abs);
	ws_cell_f64(t, WS_COL_BIAS_PP, s->all.bias);
	ws_cell_f64(t, WS_COL_LARGEST_PP, s->all.largest);
	ws_cell_f64(t, WS_COL_RANK_CORRELATION, s->all.rank);
	ws_cell_u64(t, WS_COL_NONTRIVIAL_LAUNCHES, s->nontrivial.count);
	ws_cell_f64(t, WS_COL_NONTRIVIAL_MEAN_ABS_PP, s->nontrivial.mean_abs);
	ws_cell_f64(t, WS_COL_NOISE_PP, s->noise);
	ws_cell_f64(t, WS_COL_SECTORS_ERROR, s->sectors_error);
	ws_cell_f64(t, WS_COL_POLICY_PP, s->policy);
	ws_cell_f64(t, WS_COL_TIME_PP, s->time);
	ws_cell_f64(t, WS_COL_MACHINE_PP, s->machine);
}

static void of_cells(struct ws_table *t, const char *item, const struct ws_hardware_of *of)
{
	ws_cell_str(t, WS_COL_ITEM, item);
	ws_cell_str(t, WS_COL_GPU, of->gpu);
	ws_cell_str(t, WS_COL_KERNEL, of->kernel);
	ws_cell_str(t, WS_COL_LEVEL, cli_level_words[of->level]);
}

static enum ws_status sum_row(struct validating *v, const char *item,
			      const struct ws_hardware_of *of, struct ws_err *err)
{
	struct ws_hardware_sum s;
	enum ws_status status = ws_hardware_sum_of(&v->h, of, &s, err);

	if (status != WS_OK || !s.all.count)
		return status;
	of_cells(v->report.table, item, of);
	sum_cells(v->report.table, &s);
	ws_row_end(v->report.table);
	return WS_OK;
}

static const char *gpu_of(const struct ws_hardware_point *p)
{
	return ws_set_cell(&p->row, "gpu");
}

/* Is the i-th point the first of its level and GPU and, where asked, its kernel? */
static bool first_of(const struct ws_hardware *h, size_t i, bool kernels)
{
	const struct ws_hardware_point *p = &h->point[i];

	for (size_t k = 0; k < i; k++) {
		const struct ws_hardware_point *q = &h->point[k];

		if (q->level == p->level && strcmp(gpu_of(q), gpu_of(p)) == 0 &&
		    (!kernels || strcmp(ws_set_cell(&q->row, "kernel"),
					ws_set_cell(&p->row, "kernel")) == 0))
			return false;
	}
	return true;
}

/* Means of each kernel on each GPU, or of each GPU. */
static enum ws_status sum_rows(struct validating *v, bool kernels, struct ws_err *err)
{
	enum ws_status status = WS_OK;

	for (size_t i = 0; i < v->h.points && status == WS_OK; i++) {
		const struct ws_hardware_point *p = &v->h.point[i];
		const struct ws_hardware_of of = {
			gpu_of(p), kernels ? ws_set_cell(&p->row, "kernel") : NULL, p->level,
		};

		if (v->level[p->level] && first_of(&v->h, i, kernels))
			status = sum_row(v, kernels ? "kernel" : "gpu", &of, err);
	}
	return status;
}

/* ---- alternatives ---------------------------------------------------------------------------- */

/* Is the k-th alternative of point i the first of its text, in order of points? */
static bool first_choice(const struct ws_hardware *h, size_t i, size_t k, enum ws_set_level level)
{
	const char *text = h->point[i].choice[k].text;

	for (size_t n = 0; n <= i; n++) {
		const struct ws_hardware_point *p = &h->point[n];

		for (size_t c = 0; c < (n == i ? k : p->choices); c++)
			if (p->level == level && strcmp(p->choice[c].text, text) == 0)
				return false;
	}
	return true;
}

static void move_rows(struct validating *v, const char *gpu, enum ws_set_level level)
{
	const struct ws_hardware_of of = { gpu, NULL, level };

	for (size_t i = 0; i < v->h.points; i++) {
		const struct ws_hardware_point *p = &v->h.point[i];

		for (size_t k = 0; p->level == level && k < p->choices; k++) {
			struct ws_hardware_move m;

			if (!first_choice(&v->h, i, k, level))
				continue;
			m = ws_hardware_move_of(&v->h, &of, p->choice[k].text);
			if (!m.count)
				continue;
			of_cells(v->report.table, "alternative", &of);
			ws_cell_str(v->report.table, WS_COL_ALTERNATIVE, p->choice[k].text);
			ws_cell_u64(v->report.table, WS_COL_SCORED_LAUNCHES, m.count);
			ws_cell_f64(v->report.table, WS_COL_MOVE_PP, m.move);
			ws_cell_f64(v->report.table, WS_COL_MEAN_ABS_PP, m.mean_abs);
			ws_row_end(v->report.table);
		}
	}
}

/* ---- the command ---------------------------------------------------------------- */

static enum ws_status put_rows(struct validating *v, struct ws_err *err)
{
	enum ws_status status = cli_report_begin(&v->report, v->call, NULL, columns,
						 WS_COUNT(columns), err);

	for (size_t i = 0; i < v->h.points && status == WS_OK && !v->o->means; i++)
		if (v->level[v->h.point[i].level])
			launch_row(v->report.table, &v->h.point[i]);
	if (status == WS_OK)
		status = sum_rows(v, true, err);
	if (status == WS_OK)
		status = sum_rows(v, false, err);
	for (unsigned l = 0; l < WS_SET_LEVELS && status == WS_OK; l++) {
		const struct ws_hardware_of of = { NULL, NULL, (enum ws_set_level)l };

		if (v->level[l])
			status = sum_row(v, "level", &of, err);
		if (v->level[l])
			move_rows(v, NULL, of.level);
	}
	return status;
}

/* Holds the means of a level against the set's limit. */
static enum ws_status limit_level(struct validating *v, enum ws_set_level level,
				  struct ws_err *err)
{
	const struct ws_set_section *s =
		ws_set_section_find(&v->set, "limit", ws_set_level_names[level], "");
	const struct ws_hardware_of of = { NULL, NULL, level };
	struct ws_hardware_sum sum;
	double limit;
	enum ws_status status = ws_hardware_sum_of(&v->h, &of, &sum, err);

	if (status != WS_OK || !s || !v->level[level] || !sum.nontrivial.count)
		return status;
	if (!ws_parse_double(ws_set_value(s, "mean"), &limit))
		return ws_fail(err, WS_EFORMAT, "%s:%zu: mean: want a number of points",
			       v->set.conf, s->line);
	if (sum.nontrivial.mean_abs <= limit)
		return WS_OK;
	v->call->no = true;
	cli_note(v->call, "%s: %.2f points off in the mean of %" PRIu64 " launches that are not "
		 "trivial: the set's limit is %.2f", cli_level_words[level],
		 sum.nontrivial.mean_abs, sum.nontrivial.count, limit);
	return WS_OK;
}

static enum ws_status conclude(struct validating *v, struct ws_err *err)
{
	enum ws_status status = WS_OK;

	cli_hardware_source(&v->report, &v->set);
	for (unsigned l = 0; l < WS_SET_LEVELS && status == WS_OK; l++)
		status = limit_level(v, (enum ws_set_level)l, err);
	return status;
}

static enum ws_status report_all(struct validating *v, struct ws_err *err)
{
	enum ws_status status;

	cli_hardware_left(v->call, &v->h);
	cli_say(v->call, "%" PRIu64 " launches were run, %" PRIu64 " were kept", v->h.computed,
		v->h.kept);
	status = put_rows(v, err);
	if (status == WS_OK)
		status = conclude(v, err);
	return cli_report_end(&v->report, status, err);
}

/* The results of a part are its notes; what follows the parts is the whole, which has them all. */
static void take_part(struct cli_call *call, struct ws_hardware_options *o,
		      char notes[CLI_NOTES_PATH])
{
	cli_notes_path(call, notes);
	o->state = notes;
	o->part = call->part;
	o->parts = call->parts;
	if (cli_follows(call))
		o->part = o->parts = call->part = call->parts = 0;
}

static enum ws_status run_validate(struct cli_call *call, struct ws_err *err)
{
	const struct validate_options *o =
		(const struct validate_options *)(const void *)call->options;
	struct validating v = { .call = call, .o = o };
	struct ws_hardware_options options = cli_hardware_options(call, o->machines);
	char notes[CLI_NOTES_PATH];
	enum ws_status status = ws_data_set_open(&v.set, call->operands.item[0], err);

	if (call->parts)
		take_part(call, &options, notes);

	cli_hardware_levels(call, v.level);
	if (status == WS_OK)
		status = cli_hardware_reads(call, &v.set, o->machines, err);
	if (status == WS_OK)
		status = ws_hardware_judge(&v.h, &v.set, &options, err);
	if (status == WS_OK)
		status = cli_hardware_any(call, &v.h, err);
	if (status == WS_OK && !options.parts)
		status = report_all(&v, err);
	ws_hardware_clear(&v.h);
	ws_data_set_close(&v.set);
	return status;
}

const struct cli_command cli_cmd_validate = {
	.name = "validate",
	.summary = "compares predictions with hardware counters",
	.usage = "[options] DATASET",
	.description =
		"Reads a data set, a folder of hardware counters: csv tables with a row for each "
		"launch, and set.conf, which says what they mean, how each launch is made, and on "
		"what machine.  Launches that it leaves out of all means are not run, unless "
		"--all says so.  A folder of tables without set.conf has that of the tool's own "
		"set, counters/ in its data folder.  Each launch is captured, ordered as on its "
		"machine, predicted and simulated, and its hit rates of loads in the L1s and the "
		"L2 are held against those that were measured.\n"
		"\n"
		"What a machine leaves open, as in sm.scheduler = gto|lrr|two-level, makes a band: "
		"predicted_hit is of the first of all alternatives, predicted_hit_low and "
		"predicted_hit_high are the least and the most of all their combinations, and "
		"inside says whether the counter is among them.  With l2.start = keep, alone or "
		"among others, each launch is made twice and the second one counts.\n"
		"\n"
		"Rows of item launch come first, then means: of each kernel on each GPU, of each "
		"GPU, of each level; then alternative, what each value that is not the first moves "
		"if it alone is chosen (move_pp), and what the error would be then "
		"(mean_abs_pp).  Launches that set.conf leaves out, as scored says, are in no "
		"mean.  "
		"Launches that stream, or hit in less than 2 or more than 98 %, are easy: "
		"nontrivial_mean_abs_pp is of the others.  noise_pp is what the counter itself "
		"varies by.\n"
		"\n"
		"The error is told in parts: policy_pp, the model of the replacement policy less a "
		"simulation of the same requests; machine_pp, that simulation less the counter; "
		"they add up to hit_difference_pp.  time_pp is what the order of requests changes: "
		"the nominal order less the order of cycles, both simulated.  In means all are "
		"without signs.\n"
		"\n"
		"The exit code is 1 if the mean error of a level, over launches that are not "
		"trivial, is above the set's limit.",
	.examples =
		"warpstack validate data/counters --quick\n"
		"warpstack validate data/counters --gpu Tesla-K40 --means --state k40.state\n"
		"warpstack validate data/counters --rows \"n <= 512\" --where item=launch "
		"--sort hit_difference_pp\n"
		"warpstack validate data/counters --quick --set sm.scheduler=lrr -m my-machines",
	.table = { table, cli_report, cli_general },
	.size = sizeof(struct validate_options),
	.operands_min = 1,
	.operands_max = 1,
	.complete = "file",
	.run = run_validate,
};
