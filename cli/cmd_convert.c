/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cli/cmd_convert.c -- converts traces of other tools to ours, and back.
 */
#include "cli/cli.h"
#include "trace/import.h"

#include <string.h>

struct convert_options {
	struct cli_options common;
	const char *to, *arrays;
};

#define AT(member) offsetof(struct convert_options, member)

static const struct ws_option table[] = {
	CLI_OPT_FROM_LAUNCH,
	{ .name = "to", .type = WS_OPT_STRING, .offset = AT(to), .arg = "FORMAT",
	  .complete = "format",
	  .brief = "the format to write; wst if left out",
	  .help = "the format to write; wst if left out" },
	{ .name = "arrays", .type = WS_OPT_CHOICE, .offset = AT(arrays), .arg = "HOW",
	  .choices = "auto none",
	  .help = "arrays of a trace that names none: auto (the default) takes each range of "
		  "addresses that is used without a large gap for one, none knows none" },
	CLI_OPT_OUTPUT("the converted trace; standard output if left out, unless that is a "
		       "terminal"),
	CLI_OPT_MACHINE, CLI_OPT_SET, CLI_OPT_ORDER(""), { 0 },
};

/* ---- conversion --------------------------------------------------------------- */

static enum ws_status merged(void *context, size_t launch, const struct ws_sink *sink,
			     struct ws_order_stats *stats, struct ws_err *err)
{
	return ws_orderer_merged(context, launch, sink, stats, err);
}

/* A stream comes in the order that a profile is made of (struct ws_study_plan). */
static enum ws_status write_trace(struct cli_call *call, const struct ws_trace *t,
				  const struct ws_study_plan *plan,
					  const struct ws_trace_format *to,
				  struct ws_out *out, struct ws_err *err)
{
	const struct ws_order_options options = { .seed = call->seed, .threads = 1 };
	struct ws_orderer *orderer = NULL;
	struct ws_machine m;
	bool simulated = ws_study_plan_order(plan, 0) == WS_ORDER_CYCLES;
	struct ws_writing how = { .machine = &m, .l1 = &plan->machine.l1,
				  .run = simulated ? merged : NULL,
				  .check = cli_replaces, .check_context = call };
	enum ws_status status = ws_study_plan_anchor(plan, 0, &m, err);

	if (status == WS_OK && simulated)
		status = ws_orderer_new(&orderer, WS_ORDER_CYCLES, t, &m, &options, err);
	how.context = orderer;
	if (status == WS_OK)
		status = to->write(t, &how, out, err);
	ws_orderer_free(orderer);
	return status;
}

static enum ws_status convert(struct cli_call *call, bool arrays, const struct ws_trace_format *to,
			      struct ws_err *err)
{
	struct ws_study_plan plan = { 0 };
	struct ws_trace *t = NULL;
	struct ws_out out = { 0 };
	enum ws_status status = cli_binary_open(&out, call, "trace", err);

	if (status == WS_OK)
		status = cli_trace_open(&t, call, 0, arrays, err);
	if (status == WS_OK)
		status = cli_plan_init(&plan, call, NULL, to && to->streams ? t : NULL, err);
	if (status == WS_OK && !to)
		ws_trace_copy(t, &out);
	else if (status == WS_OK)
		status = write_trace(call, t, &plan, to, &out, err);
	if (status == WS_OK)
		status = ws_out_commit(&out, err);
	ws_out_abort(&out);
	ws_trace_close(t);
	ws_study_plan_clear(&plan);
	return status;
}

static enum ws_status run_convert(struct cli_call *call, struct ws_err *err)
{
	const struct convert_options *o = (const struct convert_options *)(void *)call->options;
	const struct ws_trace_format *to;
	bool arrays = !o->arrays || strcmp(o->arrays, "none") != 0;
	enum ws_status status = cli_format_find(call, "to", o->to, &to, err);

	if (status == WS_OK && to && !to->write)
		status = cli_usage(call->command, err, "--to=%s: that format is read only",
				   to->name);
	if (status == WS_OK && call->options->order && !(to && to->streams))
		status = cli_usage(call->command, err, "--order: that is for din, "
				   "oracle-general and perfetto, streams of requests");
	return status == WS_OK ? convert(call, arrays, to, err) : status;
}

const struct cli_command cli_cmd_convert = {
	.name = "convert",
	.summary = "converts other tools' traces to warpstack's, and back",
	.usage = "[options] [FILE] [--to FORMAT] [-o OUT]",
	.description =
		"Reads a trace of any of the formats below, also one packed by gzip, xz or zstd, "
		"or a launch file, and writes it in another one; warpstack-formats(5) says what "
		"each of them keeps and what is lost.  Converting first is never needed: all "
		"commands that take a trace take one of these.\n"
		"\n"
		"Traces that know nothing of warps become one warp of one lane on one SM.  Those "
		"of warps, lanes or work-items keep them.\n"
		"\n"
		"din and oracle-general hold one stream of requests: written is what reaches the "
		"L1s of the machine (-m, --set), by cycle and then by SM.  With --set sm.count=1 "
		"that is one SM's stream, which other cache simulators can be fed with.  It is "
		"the stream that `warpstack predict` measures with the same -m and --set: "
		"l1.line and l1.sector of --set cut or merge requests; its keys that decide no "
		"order leave them as they are.  perfetto draws when each SM's CTAs and warps "
		"asked for what (ui.perfetto.dev opens it).  crawford-order holds the lanes' "
		"accesses in the nominal order.",
	.examples =
		"warpstack convert mm.wst --to din -m v100 --set sm.count=1 -o mm.din\n"
		"warpstack convert mm.wst --to perfetto -m gtx480 -o mm.json\n"
		"warpstack convert mm.din -o again.wst\n"
		"xz -c mm.din | warpstack convert | warpstack profile -o again.wsp",
	.table = { table, cli_general },
	.size = sizeof(struct convert_options),
	.operands_max = 1,
	.complete = "file",
	.lists = CLI_LIST_FORMATS,
	.run = run_convert,
};
