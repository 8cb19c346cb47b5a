/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cli/cmd_policies.c -- the replacement policies there are.
 */
#include "cli/cli.h"

static const char *const columns[] = { "name", "basis", "summary", "source" };

static enum ws_status run(struct cli_call *call, struct ws_err *err)
{
	struct cli_report report = { 0 };
	enum ws_status status = cli_report_begin(&report, call, columns, WS_COUNT(columns), err);

	for (size_t i = 0; ws_policies[i] && status == WS_OK; i++) {
		ws_cell_str(&report.table, ws_policies[i]->name);
		ws_cell_str(&report.table, ws_basis_names[ws_policies[i]->basis]);
		ws_cell_str(&report.table, ws_policies[i]->summary);
		ws_cell_str(&report.table, ws_policies[i]->source);
	}
	return cli_report_end(&report, status, err);
}

const struct cli_command cli_cmd_policies = {
	.name = "policies",
	.summary = "lists the replacement policies: exactness, source",
	.usage = "[options]",
	.description =
		"Lists what l1.policy may be set to.  basis says how `warpstack predict` computes "
		"it: exact, equal to a simulation of the same request stream in every count, or "
		"approx, with an expected error.  All of them can be simulated exactly.",
	.examples = "warpstack policies\nwarpstack policies --format json",
	.table = { cli_report, cli_general },
	.size = sizeof(struct cli_options),
	.lists = CLI_LIST_POLICIES,
	.run = run,
};
