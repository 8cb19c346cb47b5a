/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cli/cmd_profile.c -- a trace's stack distances, measured once and kept.
 */
#include "cli/cli.h"

#include <stdlib.h>
#include <string.h>

struct options {
	struct cli_options common;
	const char *sets;
};

static const struct ws_option table[] = {
	CLI_OPT_MACHINE, CLI_OPT_SET,
	{ .name = "sets", .type = WS_OPT_STRING, .offset = offsetof(struct options, sets),
	  .arg = "LIST",
	  .help = "set counts to measure: a,b,c or LO:HI:xFACTOR or LO:HI:+STEP; the machine's "
		  "own is always among them.  If left out: that and every power of two from 1 to "
		  "4096 that the machine's hash is defined for" },
	CLI_OPT_OUTPUT("the profile; standard output if left out, unless that is a terminal"),
	CLI_OPT_SEED, CLI_OPT_THREADS, { 0 },
};

/* A list of set counts has the form and the range of l1.sets. */
static enum ws_status read_sets(const char *list, uint64_t own, struct cli_source *source,
				struct ws_err *err)
{
	struct ws_buf spec = { 0 };
	struct ws_vary v = { 0 };
	enum ws_status status;

	ws_put_bytes(&spec, "l1.sets=", strlen("l1.sets="));
	ws_put_bytes(&spec, list, strlen(list) + 1);
	status = spec.failed ? ws_fail_memory(err, "--sets")
			     : ws_vary_parse(&v, (const char *)spec.data, err);
	ws_buf_clear(&spec);
	if (status != WS_OK)
		return status;
	source->sets = ws_alloc(v.count + 1, sizeof *source->sets);
	if (!source->sets)
		status = ws_fail_memory(err, "--sets");
	for (size_t i = 0; i < v.count && status == WS_OK; i++)
		if (!ws_parse_size(v.value[i], &source->sets[source->count++]))
			status = ws_fail(err, WS_EINVAL, "--sets %s: want whole numbers",
					 v.value[i]);
	if (status == WS_OK)
		source->sets[source->count++] = own;
	ws_vary_clear(&v);
	return status;
}

static enum ws_status measure(struct ws_profile **out, struct cli_call *call,
			      const struct ws_trace *t, struct ws_err *err)
{
	const struct options *o = (const struct options *)(const void *)call->options;
	struct cli_source source = { .call = call, .trace = t, .seed = call->seed };
	struct cli_plan plan;
	enum ws_status status = cli_plan_init(&plan, call, NULL, err);

	if (status == WS_OK)
		status = cli_plan_stream(&plan, 0, &source.machine, err);
	if (status == WS_OK && o->sets)
		status = read_sets(o->sets, plan.machine.l1.sets, &source, err);
	if (status == WS_OK)
		status = cli_profile_make(&source, out, err);
	/* What predict starts from: the keys that were measured are the same. */
	if (status == WS_OK)
		(*out)->machine = plan.machine;
	free(source.sets);
	cli_plan_clear(&plan);
	return status;
}

static enum ws_status run(struct cli_call *call, struct ws_err *err)
{
	struct ws_profile *profile = NULL;
	struct ws_out out = { 0 };
	struct cli_input input;
	enum ws_status status = cli_input_open(&input, call, 0, CLI_TRACE, err);

	if (status != WS_OK)
		return status;
	status = cli_binary_open(&out, call, "profile", err);
	if (status == WS_OK)
		status = measure(&profile, call, input.trace, err);
	if (status == WS_OK)
		status = ws_profile_write(profile, &out, err);
	if (status == WS_OK)
		status = ws_out_commit(&out, err);
	ws_out_abort(&out);
	ws_profile_free(profile);
	cli_input_close(&input);
	return status;
}

const struct cli_command cli_cmd_profile = {
	.name = "profile",
	.summary = "measures a trace once: a small file that answers what-ifs",
	.usage = "[options] [FILE]",
	.description =
		"Reads a trace or a launch file, orders its requests as the machine's SMs "
		"would issue "
		"them, and writes the histograms of their stack distances: the profile, from which "
		"`warpstack predict` and `warpstack sweep` compute miss rates of any cache "
		"size and associativity it has sets for without the trace.\n"
		"\n"
		"The machine's keys of the stages order and profile (see `warpstack machine "
		"-k`) are "
		"part of what is measured; the others are kept as what predict starts from.",
	.examples =
		"warpstack profile mm.wst -m gtx480 -o mm.wsp\n"
		"warpstack profile mm.wst --set l1.hash=xor --sets 32,64 -o xor.wsp\n"
		"warpstack trace mm.launch | warpstack profile | warpstack predict",
	.table = { table, cli_general },
	.size = sizeof(struct options),
	.operands_max = 1,
	.complete = "file",
	.run = run,
};
