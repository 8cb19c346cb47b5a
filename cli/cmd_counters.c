/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cli/cmd_counters.c -- hardware counters of profilers' files, as rows.
 */
#include "cli/cli.h"
#include "validate/counters.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct counters_options {
	struct cli_options common;
	const char *profiler, *gpu, *sms;
	bool aggregate, list;
};

#define AT(member) offsetof(struct counters_options, member)

static const struct ws_option table[] = {
	{ .name = "from", .type = WS_OPT_CHOICE, .offset = AT(profiler), .arg = "PROFILER",
	  .choices = "ncu nvprof rocprof",
	  .brief = "the profiler, if the file does not say",
	  .help = "takes each FILE for this profiler's; its header says which it is if left out" },
	{ .name = "aggregate", .type = WS_OPT_FLAG, .offset = AT(aggregate),
	  .brief = "one row for repeated launches: median, p10, p90",
	  .help = "a row for each counter of the launches, of all files, that have GPU, kernel, "
		  "grid, block, registers and shared memory in common: median, p10, p90 and "
		  "runs.  Of nvprof's tables over many launches these are mean, least and most" },
	{ .name = "list", .type = WS_OPT_FLAG, .offset = AT(list),
	  .brief = "lists the counters",
	  .help = "reads no file: rows of the profilers' counters that are known, of --from or "
		  "all" },
	{ .name = "gpu", .type = WS_OPT_STRING, .offset = AT(gpu), .arg = "NAME",
	  .brief = "the name of the GPU, for column gpu",
	  .help = "the GPU's name, whatever the files say; ncu and rocprof say none" },
	{ .name = "sms", .type = WS_OPT_STRING, .offset = AT(sms), .arg = "COUNTED/ALL",
	  .help = "counters of SMs were counted on so many of all SMs, as 1/15: they are scaled.  "
		  "ncu and nvprof have done so by themselves" },
	{ 0 },
};

/* ---- rows ------------------------------------------------------------------------- */

static const enum ws_col both[] = {
	WS_COL_GPU, WS_COL_KERNEL, WS_COL_GRID_X, WS_COL_GRID_Y, WS_COL_GRID_Z, WS_COL_BLOCK_X,
	WS_COL_BLOCK_Y, WS_COL_BLOCK_Z, WS_COL_REGISTERS, WS_COL_SHARED_BYTES, WS_COL_COUNTER,
	WS_COL_UNIT, WS_COL_COUNTED_AS,
};
static const enum ws_col alone[] = { WS_COL_FILE, WS_COL_LAUNCH, WS_COL_COUNTED, WS_COL_SAMPLES };
static const enum ws_col together[] = {
	WS_COL_MEDIAN, WS_COL_P10, WS_COL_P90, WS_COL_RUNS,
};

static void known(struct ws_table *t, unsigned id, uint64_t value, uint64_t unknown)
{
	if (value != unknown)
		ws_cell_u64(t, id, value);
}

static void launch_cells(struct ws_table *t, const struct counters_options *o,
			 const struct ws_counters_launch *l)
{
	ws_cell_str(t, WS_COL_GPU, o->gpu ? o->gpu : l->gpu);
	ws_cell_str(t, WS_COL_KERNEL, l->kernel);
	for (unsigned i = 0; i < 3; i++) {
		known(t, WS_COL_GRID_X + i, l->grid[i], 0);
		known(t, WS_COL_BLOCK_X + i, l->block[i], 0);
	}
	known(t, WS_COL_REGISTERS, l->registers, UINT64_MAX);
	known(t, WS_COL_SHARED_BYTES, l->shared_bytes, UINT64_MAX);
}

static void counter_cells(struct ws_table *t, enum ws_counter counter,
			  const struct ws_counters_name *from, bool told)
{
	ws_cell_str(t, WS_COL_COUNTER, ws_counter_rows[counter].name);
	ws_cell_str(t, WS_COL_UNIT, from->unit);
	ws_cell_str(t, WS_COL_COUNTED_AS, told ? "by two others" : from->name);
}

static void launch_rows(struct ws_table *t, const struct counters_options *o, const char *file,
			const struct ws_counters_launch *l)
{
	for (unsigned k = 0; k < WS_COUNTERS; k++) {
		const struct ws_counter_value *v = &l->value[k];

		if (!v->from)
			continue;
		ws_cell_str(t, WS_COL_FILE, file);
		launch_cells(t, o, l);
		known(t, WS_COL_LAUNCH, l->number, 0);
		counter_cells(t, (enum ws_counter)k, v->from, v->told);
		ws_cell_f64(t, WS_COL_COUNTED, v->value);
		ws_cell_u64(t, WS_COL_SAMPLES, l->samples);
		ws_row_end(t);
	}
}

static void group_rows(struct ws_table *t, const struct counters_options *o,
		       const struct ws_counters_group *g)
{
	for (unsigned k = 0; k < WS_COUNTERS; k++) {
		const struct ws_counters_spread *s = &g->value[k];

		if (!s->from)
			continue;
		launch_cells(t, o, g->launch);
		counter_cells(t, (enum ws_counter)k, s->from, s->told);
		ws_cell_f64(t, WS_COL_MEDIAN, s->median);
		ws_cell_f64(t, WS_COL_P10, s->p10);
		ws_cell_f64(t, WS_COL_P90, s->p90);
		ws_cell_u64(t, WS_COL_RUNS, s->runs);
		ws_row_end(t);
	}
}

/* ---- files ------------------------------------------------------------------------- */

struct counter_files {
	struct ws_counters **file;
	size_t count;
};

static void note_file(const struct cli_call *call, const char *name, const struct ws_counters *c)
{
	bool any = false;

	for (size_t i = 0; i < c->launches && !any; i++)
		for (unsigned k = 0; k < WS_COUNTERS && !any; k++)
			any = c->launch[i].value[k].from != NULL;
	if (c->launches == 0)
		cli_note(call, "%s: no launch is in it", name);
	else if (!any)
		cli_note(call, "%s: none of its counters is one that `warpstack help counters` "
			 "lists", name);
	if (c->missing)
		cli_note(call, "%s: %s could not count %" PRIu64 " value%s, left out", name,
			 ws_gpu_profiler_titles[c->profiler], c->missing,
			 c->missing == 1 ? "" : "s");
	cli_say(call, "%s: %zu launches of %s", name, c->launches,
		ws_gpu_profiler_titles[c->profiler]);
}

static enum ws_status read_files(struct counter_files *f, struct cli_call *call,
				 const struct ws_counters_options *how, struct ws_err *err)
{
	size_t count = call->operands.count ? call->operands.count : 1;
	enum ws_status status = WS_OK;

	f->file = ws_alloc_zero(count, sizeof *f->file);
	if (!f->file)
		return ws_fail_memory(err, "the files");
	for (; f->count < count && status == WS_OK; f->count++) {
		struct ws_in in = { 0 };

		status = cli_input_bytes(&in, call, f->count, err);
		if (status == WS_OK)
			status = cli_want_text(&in, "counters wants the csv that a profiler writes",
					       err);
		if (status == WS_OK)
			status = ws_counters_read(&f->file[f->count], &in, how, err);
		if (status == WS_OK)
			note_file(call, in.name, f->file[f->count]);
		ws_in_close(&in);
	}
	return status;
}

static void files_clear(struct counter_files *f)
{
	for (size_t i = 0; i < f->count; i++)
		ws_counters_free(f->file[i]);
	free(f->file);
}

static enum ws_status write_groups(struct ws_table *t, const struct counters_options *o,
				   const struct counter_files *f, struct ws_err *err)
{
	struct ws_counters_group *group;
	size_t groups;
	enum ws_status status = ws_counters_gather(&group, &groups, f->file, f->count, err);

	for (size_t i = 0; i < groups && status == WS_OK; i++)
		group_rows(t, o, &group[i]);
	free(group);
	return status;
}

static void write_launches(struct ws_table *t, const struct cli_call *call,
			   const struct counter_files *f)
{
	const struct counters_options *o = (const void *)call->options;

	for (size_t i = 0; i < f->count; i++) {
		const char *name = i < call->operands.count ? call->operands.item[i] : "-";

		for (size_t k = 0; k < f->file[i]->launches; k++)
			launch_rows(t, o, name, &f->file[i]->launch[k]);
	}
}

/* ---- the table of names ---------------------------------------------------------------- */

static const enum ws_col listed[] = {
	WS_COL_COUNTER, WS_COL_PROFILER, WS_COL_COUNTED_AS, WS_COL_UNIT, WS_COL_SCALE, WS_COL_NOTE,
};

static enum ws_status list_names(struct cli_call *call, const struct counters_options *o,
				 struct ws_err *err)
{
	struct cli_report report = { 0 };
	enum ws_status status;

	if (call->operands.count)
		return cli_usage(call->command, err, "--list reads no FILE, but %s is given",
				 call->operands.item[0]);
	status = cli_report_begin(&report, call, NULL, listed, WS_COUNT(listed), err);
	for (const struct ws_counters_name *n = ws_counters_names; n->name && status == WS_OK;
	     n++) {
		const char *profiler = ws_gpu_profiler_names[n->profiler];

		if (o->profiler && strcmp(o->profiler, profiler) != 0)
			continue;
		counter_cells(report.table, n->counter, n, false);
		ws_cell_str(report.table, WS_COL_PROFILER, profiler);
		ws_cell_f64(report.table, WS_COL_SCALE, n->scale);
		ws_cell_str(report.table, WS_COL_NOTE, n->note);
		ws_row_end(report.table);
	}
	return cli_report_end(&report, status, err);
}

/* "1/15": 15. */
static enum ws_status parse_sms(const struct cli_call *call, const char *text, double *sms,
				struct ws_err *err)
{
	const char *slash = strchr(text, '/');
	char counted[24];
	uint64_t some, all;

	if (!slash || (size_t)(slash - text) >= sizeof counted)
		return cli_usage(call->command, err, "--sms=%.64s: want COUNTED/ALL, as 1/15",
				 text);
	memcpy(counted, text, (size_t)(slash - text));
	counted[slash - text] = '\0';
	if (!ws_parse_u64(counted, &some) || !ws_parse_u64(slash + 1, &all) || some == 0 ||
	    all < some || all > 65536)
		return cli_usage(call->command, err, "--sms=%.64s: want COUNTED/ALL, as 1/15, with "
				 "1 <= COUNTED <= ALL <= 65536", text);
	*sms = (double)all / (double)some;
	return WS_OK;
}

static enum ws_status run_counters(struct cli_call *call, struct ws_err *err)
{
	const struct counters_options *o = (const void *)call->options;
	struct ws_counters_options how = { .profiler = o->profiler };
	struct counter_files files = { 0 };
	struct cli_report report = { 0 };
	enum ws_col column[WS_COUNT(both) + WS_COUNT(alone) + WS_COUNT(together)];
	size_t columns = 0;
	enum ws_status status = o->sms ? parse_sms(call, o->sms, &how.sms, err) : WS_OK;

	if (status == WS_OK && o->list)
		return list_names(call, o, err);
	if (status == WS_OK)
		status = read_files(&files, call, &how, err);
	cli_columns_add(column, &columns, both, WS_COUNT(both));
	if (o->aggregate)
		cli_columns_add(column, &columns, together, WS_COUNT(together));
	else
		cli_columns_add(column, &columns, alone, WS_COUNT(alone));
	if (status == WS_OK)
		status = cli_report_begin(&report, call, NULL, column, columns, err);
	if (status == WS_OK && o->aggregate)
		status = write_groups(report.table, o, &files, err);
	else if (status == WS_OK)
		write_launches(report.table, call, &files);
	files_clear(&files);
	return cli_report_end(&report, status, err);
}

const struct cli_command cli_cmd_counters = {
	.name = "counters",
	.summary = "reads counters of Nsight Compute, nvprof or rocprof",
	.usage = "[options] [FILE...]",
	.description =
		"Reads what profilers write as comma-separated values and gives a row for each "
		"counter of each launch, under names that are the same for all GPUs.  Read are, "
		"told apart by their headers: Nsight Compute's csv (the raw page, and the "
		"details page, in base units or others), nvprof's csv of events and metrics (over "
		"all launches of a kernel, and of each as its GPU trace), results.csv of rocprof "
		"and rocprofv2, and counter_collection.csv of rocprofv3.  Lines before the header "
		"and those that begin with == are passed over; numbers may have commas between "
		"thousands.\n"
		"\n"
		"Counters of slices and subpartitions add up.  Where a file has one counter in two "
		"ways, as sectors and as bytes, the one that stands first in the list below "
		"counts.  Of queries, hits and misses that are of the same unit two tell the "
		"third.  What the profiler could not count (n/a, <OVERFLOW>) is left out.\n"
		"\n"
		"Counters are not all what their names say; the list has what they count.  Units "
		"that are not base units are rounded by ncu: have it print base units.  rocprof "
		"gives grid and block as products, which are grid_x and block_x here.\n"
		"\n"
		"`--aggregate --format csv` writes what a data set of counters holds.",
	.examples =
		"warpstack counters ncu.csv\n"
		"warpstack counters run*.csv --aggregate --gpu h100 --format csv -o h100.csv\n"
		"warpstack counters k40.nvprof.csv --where counter=l2_read_misses",
	.table = { table, cli_report, cli_general },
	.size = sizeof(struct counters_options),
	.operands_max = SIZE_MAX,
	.complete = "file",
	.lists = CLI_LIST_COUNTERS,
	.run = run_counters,
};
