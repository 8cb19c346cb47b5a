/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cli/cmd_plot.c -- draws figures.
 */
#include "cli/cli.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

struct plot_options {
	struct cli_options common;
	const char *kernel, *order;
	uint64_t width, scale, period;
	const char *value, *groups, *bars, *base, *mean, *title, *keep, *caption;
	struct ws_list where;
};

#define AT(member) offsetof(struct plot_options, member)

static const struct ws_option table[] = {
	CLI_OPT_OUTPUT("the figure; its ending, .svg, .png, .pdf, .eps or .tex (LaTeX, with a .pdf "
		       "beside it), chooses the kind"),
	CLI_OPT_MACHINE, CLI_OPT_SET,
	{ .name = "kernel", .type = WS_OPT_STRING, .offset = AT(kernel), .arg = "NAME",
	  .brief = "the kernel to draw",
	  .help = "the kernel to show, or NAME#N: launch N of the trace, which is of that kernel; "
		  "the first if left out, but all of them in request-sizes" },
	{ .name = "order", .type = WS_OPT_CHOICE, .offset = AT(order), .arg = "ORDER",
	  .choices = "warp sequential round-robin random",
	  .help = "figures of accesses: the machine's own schedule of warps (the default), or one "
		  "of the orders that know no time" },
	{ .name = "width", .type = WS_OPT_U64, .offset = AT(width), .arg = "PIXELS",
	  .min = 240, .max = 1200,
	  .brief = "width of the figure in pixels",
	  .help = "width of the figure, 240 to 1200; 800 if left out.  Fonts keep their "
		  "size" },
	{ .name = "scale", .type = WS_OPT_U64, .offset = AT(scale), .arg = "N", .min = 1,
	  .max = 16,
	  .help = "of a .png: N by N pixels for each of --width, for print; 1 if left out" },
	{ .name = "period", .type = WS_OPT_U64, .offset = AT(period), .arg = "N", .min = 1,
	  .max = UINT64_MAX,
	  .help = "request-sizes: requests of all SMs in a step of the figure, or a few more; what "
		  "makes 250 steps if left out" },
	{ .name = "value", .type = WS_OPT_STRING, .offset = AT(value), .arg = "COLUMN",
	  .brief = "of bars: the column that is drawn",
	  .help = "bars: the column that is drawn; miss_ratio if left out" },
	{ .name = "groups", .type = WS_OPT_STRING, .offset = AT(groups), .arg = "COLUMN",
	  .brief = "of bars: the column of the groups",
	  .help = "bars: rows that agree in it are bars beside each other; kernel if left out.  "
		  "hardware-budget: gpu, kernel or level; gpu if left out" },
	{ .name = "bars", .type = WS_OPT_STRING, .offset = AT(bars), .arg = "COLUMN,...",
	  .brief = "of bars: the columns that tell bars apart",
	  .help = "bars: what tells the bars of a group apart; the first column if left out, which "
		  "in rows of --vary is the first varied key" },
	{ .name = "base", .type = WS_OPT_STRING, .offset = AT(base), .arg = "COLUMN=VALUE",
	  .help = "bars: divides each bar by the row that has this and else the same, which then "
		  "is no bar itself; means are geometric then" },
	{ .name = "mean", .type = WS_OPT_STRING, .offset = AT(mean), .arg = "COLUMN",
	  .help = "bars: means over the groups of each of its values, besides that of all" },
	{ .name = "where", .type = WS_OPT_LIST, .offset = AT(where), .arg = "COLUMN=VALUE",
	  .help = "bars: only rows that have this; repeated for the same column, any of them.  Of "
		  "kind and level those of all and L1, where there are such, if left out" },
	{ .name = "title", .type = WS_OPT_STRING, .offset = AT(title), .arg = "TEXT",
	  .brief = "another title",
	  .help = "the first line; what is drawn if left out.  '' leaves out both lines" },
	{ .name = "keep", .type = WS_OPT_STRING, .offset = AT(keep), .arg = "DIR",
	  .complete = "file",
	  .help = "a folder that gets the figure's gnuplot script, with the data in it: "
		  "mm.gp for -o mm.svg, which `gnuplot mm.gp` draws again.  It is made if it is "
		  "not there" },
	{ .name = "caption", .type = WS_OPT_STRING, .offset = AT(caption), .arg = "FILE",
	  .complete = "file",
	  .help = "a file that gets a text on what is drawn, of which kernel and machine: the "
		  "caption of a figure with --title ''" },
	CLI_OPT_PER, CLI_OPT_SEED, CLI_OPT_THREADS, CLI_OPT_FROM_LAUNCH, { 0 },
};

static const char *figure_name(size_t i, const void *context)
{
	(void)context;
	return ws_figures[i]->name;
}

static enum ws_status figure_unknown(const struct cli_call *call, const char *name,
				     struct ws_err *err)
{
	char names[512] = "";
	size_t count = 0, len = 0;
	int nearest;

	for (; ws_figures[count] && len < sizeof names; count++)
		len += (size_t)snprintf(names + len, sizeof names - len, "%s%s", count ? ", " : "",
					ws_figures[count]->name);
	nearest = ws_nearest_name(name, count, figure_name, NULL);
	if (nearest >= 0)
		return cli_usage(call->command, err, "unknown figure '%.64s', did you mean '%s'?",
				 name, ws_figures[nearest]->name);
	return cli_usage(call->command, err, "unknown figure '%.64s': want one of %s", name, names);
}

#define SETS_MAX 4096u

/* Figures show every power of two of sets that the machine's hash takes, and its own. */
static enum ws_status figure_shapes(struct ws_source *source, const struct ws_study_plan *plan,
				    struct ws_err *err)
{
	struct ws_cache cache = plan->machine.l1;
	enum ws_status status = ws_shapes_add(&source->shapes, cache.line_bytes, cache.sets, err);

	for (cache.sets = 1; cache.sets <= SETS_MAX && status == WS_OK; cache.sets *= 2)
		if (cache.sets == 1 || !cache.hash->check || !cache.hash->check(&cache, NULL))
			status = ws_shapes_add(&source->shapes, cache.line_bytes, cache.sets, err);
	return status;
}

/* A table is taken as it is. */
static enum ws_status draw_table(const struct ws_figure *f, struct ws_figure_input *in,
				 struct cli_call *call, struct ws_err *err)
{
	const struct plot_options *o = (const struct plot_options *)(const void *)call->options;
	struct ws_in rows = { 0 };
	enum ws_status status = cli_input_bytes(&rows, call, 1, err);

	if (status != WS_OK)
		return status;
	in->table = &rows;
	in->bars = (struct ws_bars){
		.value = o->value, .group = o->groups, .bar = o->bars, .base = o->base,
		.mean = o->mean, .where = o->where.item, .wheres = o->where.count,
	};
	status = ws_plot(f, in, o->common.output, (unsigned)o->width, err);
	ws_in_close(&rows);
	return status;
}

/* The figure's kind of input, made if it can be. */
static enum ws_status gather_input(struct ws_figure_input *in, struct cli_input *input,
				   struct cli_call *call, const struct ws_figure *f,
				   struct ws_study_plan *plan, struct ws_err *err)
{
	struct ws_source source = { .options = cli_ask(call) };
	enum ws_status status = cli_input_open(input, call, 1,
					       f->needs == WS_FIGURE_TRACE ? CLI_TRACE
									       : CLI_TRACE |
										       CLI_PROFILE,
					       err);

	if (status == WS_OK)
		status = cli_plan_init(plan, call, input->profile,
				       f->needs == WS_FIGURE_PROFILE ? input->trace : NULL, err);
	if (status == WS_OK && f->needs == WS_FIGURE_PROFILE && !input->profile) {
		source.trace = input->trace;
		source.seed = call->seed;
		source.record = ws_study_plan_needs(plan);
		source.grain_period = ws_study_plan_period(plan, 0);
		status = ws_source_machines(&source, plan, 0, err);
		if (status == WS_OK)
			status = figure_shapes(&source, plan, err);
		if (status == WS_OK)
			status = ws_source_profile(&source, &input->profile, err);
		ws_shapes_clear(&source.shapes);
	}
	in->profile = input->profile;
	in->trace = input->trace;
	in->machine = &plan->machine;
	in->seed = call->seed;
	return status;
}

static enum ws_status run_plot(struct cli_call *call, struct ws_err *err)
{
	const struct plot_options *o = (const struct plot_options *)(const void *)call->options;
	const struct ws_figure *f = ws_figure_find(call->operands.item[0]);
	struct ws_figure_input in = { .kernel = o->kernel, .order = o->order ? o->order : "warp",
				      .period = o->period, .title = o->title, .keep = o->keep,
				      .caption = o->caption, .scale = (unsigned)o->scale,
				      .no_sync = o->common.no_sync };
	struct cli_input input = { 0 };
	struct ws_study_plan plan = { 0 };
	enum ws_status status;

	if (!f)
		return figure_unknown(call, call->operands.item[0], err);
	if (!o->common.output)
		return cli_usage(call->command, err, "no -o FILE: want one that ends in %s",
				 ws_figure_endings);
	/* NAME#N is one launch, NAME all launches of a kernel. */
	if (o->kernel)
		call->options->per_usual = strchr(o->kernel, '#') ? "launch" : "kernel";
	call->options->cycles = f->cycles;
	/* If gnuplot dies, that is an error to report, not an end. */
	signal(SIGPIPE, SIG_IGN);
	if (f->needs == WS_FIGURE_TABLE)
		return draw_table(f, &in, call, err);
	status = gather_input(&in, &input, call, f, &plan, err);
	if (status == WS_OK)
		status = ws_plot(f, &in, o->common.output, (unsigned)o->width, err);
	ws_study_plan_clear(&plan);
	cli_input_close(&input);
	return status;
}

const struct cli_command cli_cmd_plot = {
	.name = "plot",
	.summary = "draws a figure",
	.usage = "FIGURE -o FILE [options] [FILE]",
	.description =
		"Draws a figure of a profile, a trace or a launch file.  Figures made of a profile "
		"take a trace too, which is then profiled first, for every power of two of sets; "
		"figures made of a trace need one.\n"
		"\n"
		"bars is made of a table: the rows of predict, sweep, simulate or any others, tsv "
		"or csv.  hardware is made of the rows of validate: each scored launch where it "
		"was measured and predicted, with the band of its alternatives.  hardware-budget "
		"is made of them, too: of each GPU (--groups kernel: of each kernel of each; "
		"level: of all) a bar of the L1 and one of the L2, which stack the mean "
		"magnitudes of what the policy's model errs, what the machine errs, and, pale, "
		"what a nominal order of requests would change (time); marks are the mean error "
		"and the noise of the counters.\n"
		"\n"
		"Those of pchase are made of the rows of its verbs; `warpstack pchase report` "
		"draws all of them.",
	.examples =
		"warpstack plot reuse mm.wsp -o reuse.svg\n"
		"warpstack plot missratio mm.wst -o missratio.svg\n"
		"warpstack plot access mm.wst --order sequential -o access.png\n"
		"warpstack plot missrate-time mm.wst --set l1.mshr=8 -o time.svg\n"
		"warpstack sweep mm.wsp --vary l1.ways=1,2,4 | warpstack plot bars -o bars.svg\n"
		"warpstack simulate mm.wst --vary l1.size=16K,32K,48K | warpstack plot bars "
		"--value misses --base l1.size=16K -o misses.svg\n"
		"warpstack validate data/counters | warpstack plot hardware -o hardware.svg\n"
		"warpstack validate data/counters | warpstack plot hardware-budget -o budget.svg\n"
		"warpstack pchase curve -m gtx480 | warpstack plot pchase-curve -o curve.svg\n"
		"warpstack plot request-sizes data/kernel/nw.launch -o sizes.svg\n"
		"warpstack plot softcache-lines data/kernel/records.launch -o lines.svg",
	.table = { table, cli_general },
	.size = sizeof(struct plot_options),
	.operands_min = 1,
	.operands_max = 2,
	.complete = "figure",
	.lists = CLI_LIST_FIGURES,
	.run = run_plot,
};
