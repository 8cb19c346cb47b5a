/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cli/best.c -- sweep --best: only the best rows.
 */
#include "cli/cli.h"

#include <inttypes.h>
#include <string.h>

enum ws_status cli_search_options(struct cli_search *s, struct cli_call *call, struct ws_err *err)
{
	struct cli_options *o = call->options;
	struct ws_err inner = { 0 };

	*s = (struct cli_search){ .call = call };
	if (!o->best)
		return o->budget ? cli_usage(call->command, err, "--budget: is of a search: want "
					     "--best")
				 : WS_OK;
	if (ws_goal_parse(&s->goal, o->best, &inner) != WS_OK)
		return cli_usage(call->command, err, "--best: %s", inner.text);
	if (o->by)
		return cli_usage(call->command, err, "--best and --by: want one of them");
	if (ws_goal_timed(&s->goal) && !o->latency)
		return cli_usage(call->command, err, "--best=%s: want --latency, which predicts it",
				 o->best);
	s->top = o->top; /* of each kernel, not of the table */
	o->top = 0;
	return WS_OK;
}

enum ws_status cli_search_begin(struct cli_search *s, const struct ws_profile *profile,
				struct ws_err *err)
{
	struct cli_options *o = s->call->options;
	enum ws_status status = WS_OK;

	if (!o->best)
		return WS_OK;
	if (!o->vary.count) {
		status = ws_search_init(&s->ranges, cli_ask(s->call), profile, err);
		o->vary = s->ranges.vary;
		o->budget = s->ranges.budget;
	}
	return status == WS_OK ? ws_best_new(&s->best, &s->goal, o->budget, err) : status;
}

void cli_search_say(const struct cli_search *s, const struct ws_study_plan *plan)
{
	const struct ws_list *vary = &s->ranges.vary;
	char text[768] = ""; /* a note's */

	for (size_t i = 0; i < vary->count; i++) {
		size_t len = strlen(text);

		snprintf(text + len, sizeof text - len, "%s%s", i ? ", " : "", vary->item[i]);
	}
	if (vary->count)
		cli_note(s->call, "searched without --vary: %" PRIu64 " configurations that are "
			 "possible and fit into %" PRIu64 " bytes, of %s", plan->count,
				 s->call->options->budget,
			 text);
	else if (s->best && (plan->impossible || plan->too_large))
		cli_say(s->call, "%" PRIu64 " configurations; left out: %" PRIu64 " that are "
			"impossible, %"
			PRIu64 " that are too large", plan->count, plan->impossible,
				plan->too_large);
}

/* Of how many rows they are, and how many the errors leave. */
static void remark(const struct cli_search *s, struct cli_rows *rows,
		   const struct ws_best_summary *of)
{
	const char *column = ws_columns[s->goal.column].name, *which = s->goal.most ? "most"
			     : "least";
	char without[64] = "", others[96];

	if (of->without)
		snprintf(without, sizeof without, " (%" PRIu64 " more have none)", of->without);
	if (of->could > 1)
		snprintf(others, sizeof others, "%" PRIu64 " other%s could be %s", of->could - 1,
			 of->could > 2 ? "s" : "", of->stated ? "as good, within the errors"
				 : "as good");
	else
		snprintf(others, sizeof others, "no other could be as good");
	cli_report_remark(&rows->report,
			  "%s %s %s: the %s %s of %" PRIu64 " configurations%s; %s%s",
			  of->kernel, of->l2 ? "L2" : "L1", ws_kind_names[of->kind], which, column,
			  of->rows, without, others, of->stated ? ""
				  : " (no error is stated of it)");
}

enum ws_status cli_search_rows(const struct cli_search *s, struct cli_rows *rows,
			       struct ws_err *err)
{
	struct ws_best_summary of;
	enum ws_status status = ws_best_rows(s->best, s->top, cli_rows_put, rows, err);

	for (size_t i = 0; status == WS_OK && ws_best_of(s->best, i, &of); i++)
		remark(s, rows, &of);
	return status;
}

void cli_search_clear(struct cli_search *s)
{
	if (s->ranges.vary.count)
		s->call->options->vary = (struct ws_list){ 0 };
	ws_best_free(s->best);
	ws_search_clear(&s->ranges);
	*s = (struct cli_search){ .call = s->call };
}
