/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cli/cmd_report.c -- a report on kernels and their caches, as one HTML file.
 */
#include "cli/cli.h"
#include "plots/report.h"

#include <stdlib.h>
#include <string.h>

struct report_options {
	struct cli_options common;
	const char *sources, *counters;
	bool no_advice;
};

#define AT(member) offsetof(struct report_options, member)

static const struct ws_option table[] = {
	CLI_OPT_OUTPUT("the report; standard output if left out"),
	CLI_OPT_MACHINE, CLI_OPT_SET,
	{ .name = "sources", .type = WS_OPT_STRING, .offset = AT(sources), .arg = "DIR",
	  .complete = "file",
	  .brief = "a folder with the kernels' sources",
	  .help = "a folder in which the source files are looked for first, then where the trace "
		  "says they are; the folder that FILE is in, if left out" },
	{ .name = "counters", .type = WS_OPT_STRING, .offset = AT(counters), .arg = "FILE",
	  .complete = "file",
	  .brief = "what a GPU counted of the kernels",
	  .help = "a file of Nsight Compute, nvprof or rocprof (`warpstack counters`) of the same "
		  "kernels, by name: hits of loads that were counted, beside those predicted" },
	{ .name = "no-advice", .type = WS_OPT_FLAG, .offset = AT(no_advice),
	  .brief = "without what `advise` finds",
	  .help = "leaves out what `warpstack advise` finds, which takes some 10 to 60 simulations "
		  "of each kernel, or of a sample of its CTAs" },
	CLI_OPT_PER, CLI_OPT_SEED, CLI_OPT_THREADS, CLI_OPT_FROM_LAUNCH, { 0 },
};

struct reporting {
	struct cli_call *call;
	struct cli_input input;
	struct ws_study_plan plan;
	struct ws_advice_list advice;
	struct ws_counters *counters;	/* NULL: none asked for */
	bool advised;
};

static enum ws_status make_profile(struct reporting *r, struct ws_err *err)
{
	struct ws_source source = { .options = cli_ask(r->call), .trace = r->input.trace,
				    .seed = r->call->seed, .record = WS_RECORD_DEFAULT };
	enum ws_status status = ws_source_machines(&source, &r->plan, 0, err);

	source.record |= ws_study_plan_needs(&r->plan);
	source.grain_period = ws_study_plan_period(&r->plan, 0);
	if (status == WS_OK)
		status = ws_report_shapes(&r->plan.machine, &source.shapes, err);
	if (status == WS_OK)
		status = ws_source_profile(&source, &r->input.profile, err);
	ws_shapes_clear(&source.shapes);
	return status;
}

static enum ws_status read_counters(struct reporting *r, struct ws_err *err)
{
	const struct report_options *o = (const void *)r->call->options;
	struct ws_in in;
	enum ws_status status;

	if (!o->counters)
		return WS_OK;
	status = ws_in_open(&in, o->counters, err);
	if (status != WS_OK)
		return status;
	status = ws_counters_read(&r->counters, &in, NULL, err);
	ws_in_close(&in);
	return status;
}

static void show_progress(void *context, uint64_t done, uint64_t total)
{
	struct ws_progress *p = context;

	p->total = total;
	ws_progress_step(p, done);
}

static enum ws_status find_advice(struct reporting *r, struct ws_err *err)
{
	const struct report_options *o = (const void *)r->call->options;
	struct ws_progress progress;
	const struct ws_advise_options how = { .study = cli_ask(r->call), .context = &progress,
					       .progress = show_progress };
	enum ws_status status;

	if (o->no_advice || !r->input.trace)
		return WS_OK;
	status = ws_machine_single(&r->plan.machine, err);
	if (status != WS_OK)
		return status;
	ws_progress_begin(&progress, "trying changes", 0, r->call->options->quiet);
	status = ws_advise(r->input.trace, &r->plan.machine, &how, &r->advice, err);
	ws_progress_end(&progress);
	r->advised = status == WS_OK;
	return status;
}

/* --sources, or the folder that the input is in; allocated. */
static char *sources_of(const struct cli_call *call)
{
	const struct report_options *o = (const void *)call->options;
	const char *name = call->operands.count ? call->operands.item[0] : "";
	const char *slash = strrchr(name, '/');
	char *folder = ws_strdup(o->sources ? o->sources : slash ? name : ".");

	if (folder && !o->sources && slash)
		folder[slash == name ? 1 : slash - name] = '\0';
	return folder;
}

static void put_commands(const struct reporting *r, char *text, size_t len)
{
	char sets[200];

	ws_report_sets(r->input.profile, &r->plan.machine, sets, sizeof sets);
	snprintf(text, len, "%swarpstack profile FILE -o FILE.wsp\n"
		 "warpstack predict FILE.wsp --kind all\n"
		 "warpstack predict FILE.wsp --kind all --by site\n"
		 "warpstack sweep FILE.wsp --kind all --vary %s --vary l1.ways=1,2,4,8,16\n"
		 "warpstack sweep FILE.wsp --kind all --vary l1.policy=all\n"
		 "warpstack plot reuse FILE.wsp -o reuse.svg",
		 r->advised ? "warpstack advise FILE\n" : "", sets);
}

static enum ws_status write_report(struct reporting *r, struct ws_err *err)
{
	const struct report_options *o = (const void *)r->call->options;
	char *made = cli_provenance(r->call, &r->plan);
	const char *name = r->call->operands.count ? r->call->operands.item[0] : "standard input";
	const char *slash = strrchr(name, '/');
	char *sources = sources_of(r->call);
	struct ws_study_options study = *cli_ask(r->call);
	char commands[1024];
	struct ws_report_input in = {
		.profile = r->input.profile, .trace = r->input.trace,
		.counters = r->counters, .machine = &r->plan.machine, .study = &study,
		.advice = r->advised ? &r->advice : NULL, .sources = sources,
		.name = slash ? slash + 1 : name, .made = made ? made : "", .commands = commands,
	};
	struct ws_buf html = { 0 };
	enum ws_status status;

	put_commands(r, commands, sizeof commands);
	/* The profile was made with them. */
	if (r->input.trace) {
		study.machine = NULL;
		study.set = (struct ws_list){ 0 };
	}
	status = ws_report_make(&in, &html, err);
	if (status == WS_OK)
		status = cli_write_text(r->call, o->common.output, &html, "a report", err);
	ws_buf_clear(&html);
	free(made);
	free(sources);
	return status;
}

static enum ws_status run_report(struct cli_call *call, struct ws_err *err)
{
	struct reporting r = { .call = call };
	enum ws_status status = read_counters(&r, err);

	if (status == WS_OK)
		status = cli_input_open(&r.input, call, 0, CLI_TRACE | CLI_PROFILE, err);
	if (status == WS_OK)
		status = cli_plan_init(&r.plan, call, r.input.profile, r.input.trace, err);
	if (status == WS_OK && r.input.trace)
		status = make_profile(&r, err);
	if (status == WS_OK)
		status = find_advice(&r, err);
	if (status == WS_OK)
		status = write_report(&r, err);
	ws_advice_list_clear(&r.advice);
	ws_counters_free(r.counters);
	ws_study_plan_clear(&r.plan);
	cli_input_close(&r.input);
	return status;
}

const struct cli_command cli_cmd_report = {
	.name = "report",
	.summary = "writes an HTML page on kernels and their caches",
	.usage = "[options] [FILE]",
	.description =
		"Reads a trace, a launch file or a profile, and writes one HTML file, which needs "
		"nothing else and no network:\n"
		"\n"
		"- what would help most: the first three changes of `warpstack advise`, and a "
		"table of all; not from a profile, which has no addresses.\n"
		"\n"
		"- for each kernel, its source with the requests, sectors a request, hits, and "
		"misses by cause of each line, and the arrays that it accesses.\n"
		"\n"
		"- with --counters, the hits of loads that a GPU counted, beside those predicted.\n"
		"\n"
		"- of a trace, loads that miss and cycles without an instruction against time, by "
		"the cycle simulator, and a picture of which addresses are accessed when.\n"
		"\n"
		"- misses against size and ways, with a cursor; replacement policies and "
		"organisations side by side, with their intervals; reuse distances.\n"
		"\n"
		"- how it was made, and the commands that print the same numbers.\n"
		"\n"
		"Each figure is a table as well.  A trace of a program has the "
		"sources of its kernels.  Others are read from --sources, from beside FILE or from "
		"where the trace says they are; lines near an access are shown.  All but advice, "
		"timelines and accesses is predicted from one profile; a trace is profiled "
		"first.  The 12 kernels with the most requests have sections.",
	.examples =
		"warpstack report mm.wst -m gtx480 -o mm.html\n"
		"warpstack report mm.wst --counters ncu.csv -o mm.html\n"
		"warpstack report mm.wsp --sources src -o mm.html\n"
		"warpstack report data/kernel/mt-16x10.launch --no-advice -o mt.html",
	.table = { table, cli_general },
	.size = sizeof(struct report_options),
	.operands_max = 1,
	.complete = "file",
	.run = run_report,
};
