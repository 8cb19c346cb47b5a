/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cli/cmd_merge.c -- adds up profiles of parts of a program.
 */
#include "cli/cli.h"

static const struct ws_option table[] = {
	CLI_OPT_OUTPUT("the sum; standard output if left out, unless that is a terminal"),
	{ 0 },
};

/* Only a profile: a trace would have to be measured first, and how is for its user to say. */
static enum ws_status read_profile(struct ws_profile **out, const struct ws_in *in,
				   struct ws_err *err)
{
	if (ws_profile_recognise(in->data, in->len))
		return ws_profile_read(out, in, err);
	if (ws_trace_recognise(in->data, in->len))
		return ws_fail(err, WS_EINVAL, "%s is a trace: merge wants profiles, which "
			       "`warpstack profile` makes", in->name);
	if (cli_is_text(in))
		return ws_fail(err, WS_EINVAL, "%s is no profile: merge wants profiles, which "
			       "`warpstack profile` makes", in->name);
	return cli_unknown_file(in, err);
}

/* Adds the operand to *sum, or begins it. */
static enum ws_status add_operand(struct ws_profile **sum, struct cli_call *call, size_t operand,
				  struct ws_err *err)
{
	struct ws_in in = { 0 };
	struct ws_profile *p = NULL;
	struct ws_err inner = { 0 };
	enum ws_status status = cli_input_bytes(&in, call, operand, err);

	if (status == WS_OK)
		status = read_profile(&p, &in, err);
	if (status == WS_OK && !*sum) {
		*sum = p;
		p = NULL;
	} else if (status == WS_OK) {
		status = ws_profile_merge(*sum, p, &inner);
		if (status != WS_OK)
			status = ws_fail(err, status, "%s: %s", in.name, inner.text);
	}
	ws_profile_free(p);
	ws_in_close(&in);
	return status;
}

static enum ws_status run_merge(struct cli_call *call, struct ws_err *err)
{
	struct ws_profile *sum = NULL;
	struct ws_out out = { 0 };
	enum ws_status status = cli_binary_open(&out, call, "profile", err);

	for (size_t i = 0; i < call->operands.count && status == WS_OK; i++)
		status = add_operand(&sum, call, i, err);
	if (status == WS_OK)
		status = ws_profile_write(sum, &out, err);
	if (status == WS_OK)
		status = ws_out_commit(&out, err);
	ws_out_abort(&out);
	ws_profile_free(sum);
	return status;
}

const struct cli_command cli_cmd_merge = {
	.name = "merge",
	.summary = "adds up profiles of launches, kernels or SMs",
	.usage = "[options] FILE...",
	.description =
		"Reads profiles and writes their sum, a profile.  Sections of the same kernel are "
		"added up, as if one profile's launches ran after the other's with the caches "
		"emptied in between; other kernels follow.\n"
		"\n"
		"All must have been made with the same machine keys of the stages order and "
		"profile (see `warpstack machine -k`), l1.line, order, seed, sampling, line sizes "
		"and set counts, and have recorded the same, those with misses by array and line "
		"with the same l1.sets too.  Give one machine to all: its own L1 decides the order "
		"of requests; in a simulated order cycles are told from those of its machine, so "
		"every key must agree.  Each must be of the same SMs as the sum of those "
		"before it, or of none of them; profiles of other SMs (see `warpstack profile`) "
		"must be of the same launches.  The first one's machine is kept.\n"
		"\n"
		"The errors of sampled profiles of the same SMs may be those of one sample, so "
		"their standard deviations add up; of other SMs the variances do.",
	.examples =
		"warpstack merge mm.wsp mm.wsp -o twice.wsp\n"
		"warpstack merge mm.wsp mm.wsp | warpstack predict",
	.table = { table, cli_general },
	.size = sizeof(struct cli_options),
	.operands_min = 1,
	.operands_max = SIZE_MAX,
	.complete = "file",
	.run = run_merge,
};
