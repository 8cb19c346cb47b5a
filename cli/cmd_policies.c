/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cli/cmd_policies.c -- lists the replacement policies.
 */
#include "cli/cli.h"

static const enum ws_col columns[] = {
	WS_COL_POLICY, WS_COL_PARAMETERS, WS_COL_BASIS, WS_COL_MEAN_PP, WS_COL_MAX_PP,
	WS_COL_GPGPUSIM, WS_COL_VARIANT, WS_COL_SUMMARY, WS_COL_REFERENCE,
};

static void row(struct ws_table *t, const struct ws_policy *p)
{
	const char letter[] = { p->gpgpusim, '\0' };

	ws_cell_str(t, WS_COL_POLICY, p->name);
	ws_cell_str(t, WS_COL_PARAMETERS, p->params);
	ws_cell_str(t, WS_COL_BASIS, ws_basis_names[p->basis]);
	if (p->basis == WS_EXACT || (p->basis == WS_APPROX && p->max_pp > 0)) {
		ws_cell_f64(t, WS_COL_MEAN_PP, p->mean_pp);
		ws_cell_f64(t, WS_COL_MAX_PP, p->max_pp);
	}
	ws_cell_str(t, WS_COL_GPGPUSIM, p->gpgpusim ? letter : NULL);
	ws_cell_str(t, WS_COL_VARIANT, p->variant ? "yes" : "no");
	ws_cell_str(t, WS_COL_SUMMARY, p->summary);
	ws_cell_str(t, WS_COL_REFERENCE, p->source);
	ws_row_end(t);
}

static enum ws_status run_policies(struct cli_call *call, struct ws_err *err)
{
	struct cli_report report = { 0 };
	enum ws_status status = cli_report_begin(&report, call, NULL, columns, WS_COUNT(columns),
						 err);

	for (size_t i = 0; ws_policies[i] && status == WS_OK; i++)
		row(report.table, ws_policies[i]);
	return cli_report_end(&report, status, err);
}

const struct cli_command cli_cmd_policies = {
	.name = "policies",
	.summary = "lists the replacement policies: exactness, measured error, source",
	.usage = "[options]",
	.description =
		"Lists what l1.policy may be set to: a name, or a name, a colon and parameters, "
		"as in srrip:3, brrip:1/20 or prob:1/6,1/2,1/6,1/6.  Decimals and whole numbers "
		"do where fractions stand.  All of them can be simulated exactly.\n"
		"\n"
		"basis says how `warpstack predict` computes it.  exact: equal to a simulation of "
		"the same request stream in every count.  approx: by the policy's own rules on "
		"the sets that the profile keeps, or, if it keeps none, by a model, with an "
		"expected error, an interval and a confidence in each row.\n"
		"\n"
		"mean_pp and max_pp are measured errors of the model's miss ratio, in percentage "
		"points: the mean over all rows of validate/results.csv that are for reporting "
		"(streams and caches that no model was fitted on), and the largest over those that "
		"are of high confidence; none where nothing was measured.\n"
		"\n"
		"gpgpusim is the policy's letter in a GPGPU-Sim configuration.  A variant is "
		"another policy with other details, one that wants parameters, or one that no "
		"hardware could have; a sweep of l1.policy=all leaves variants out.",
	.examples =
		"warpstack policies\n"
		"warpstack policies --format json",
	.table = { cli_report, cli_general },
	.size = sizeof(struct cli_options),
	.lists = CLI_LIST_POLICIES,
	.run = run_policies,
};
