/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cli/plan.c -- turns the command line's options into a study's, and a study's messages into the
 * command line's words.
 */
#include "cli/cli.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- options --------------------------------------------------------------------- */

static void note(void *context, const char *text)
{
	cli_note(context, "%s", text);
}

static void detail(void *context, const char *text)
{
	cli_say(context, "%s", text);
}

static unsigned levels_of(const char *level)
{
	if (!level || strcmp(level, "l1") == 0)
		return WS_STUDY_L1;
	return strcmp(level, "l2") == 0 ? WS_STUDY_L2 : WS_STUDY_L1 | WS_STUDY_L2;
}

const struct ws_study_options *cli_ask(struct cli_call *call)
{
	const struct cli_options *o = call->options;
	bool of_configurations = cli_has_option(call->command, "part");
	bool samples = cli_has_option(call->command, "sample");
	bool own = o->order && strcmp(o->order, "own") == 0;

	call->ask = (struct ws_study_options){
		.machine = o->machine, .set = o->set, .vary = o->vary,
		.order = own ? ws_order_names[WS_ORDER_CYCLES] : o->order,
		.own = own || call->own_order, .band = call->band,
		.levels = levels_of(o->level), .latency = o->latency, .seed = call->seed,
		.runs = o->runs, .kind = o->kind, .by = o->cycles ? NULL : o->by,
		.verify = o->verify, .cycles = o->cycles, .threads = (unsigned)o->threads,
			  .sample = o->sample,
		.sample_lines = o->sample_lines, .context = call, .note = note, .detail = detail,
		.progress = !o->quiet,
		.hint = samples && o->sample == 0 && !o->sample_lines
			? "--sample 0.1 is quicker" : NULL,
		.search = o->best != NULL, .budget = o->budget,
		.part = of_configurations ? call->part : 0,
		.parts = of_configurations ? call->parts : 0,
	};
	return &call->ask;
}

enum ws_status cli_machine(struct cli_call *call, struct ws_machine *m, struct ws_err *err)
{
	return ws_study_machine(cli_ask(call), m, err);
}

/* ---- what a profile does not hold -------------------------------------------- */

static void put_text(struct ws_buf *text, const char *what)
{
	ws_put_bytes(text, what, strlen(what));
}

static void put_list(struct ws_buf *text, const uint64_t *value, size_t count)
{
	char number[24];

	for (size_t i = 0; i < count; i++) {
		snprintf(number, sizeof number, "%s%" PRIu64, i ? "," : "", value[i]);
		put_text(text, number);
	}
}

/* Puts value into the ascending list, once. */
static void insert(uint64_t *list, size_t *count, uint64_t value)
{
	size_t at = *count;

	while (at && list[at - 1] > value)
		at--;
	if (at && list[at - 1] == value)
		return;
	memmove(list + at + 1, list + at, (*count - at) * sizeof *list);
	list[at] = value;
	++*count;
}

#define HINT_MAX 64u /* set counts that are worth typing */

/* " --lines 64 --sets 8,16" for `warpstack profile`; false if that cannot say it shortly. */
static bool put_hint(struct ws_buf *text, const struct ws_shapes *needed, uint64_t own)
{
	uint64_t lines[HINT_MAX + 1], sets[HINT_MAX + 1];
	size_t line_count = 0, set_count = 0;
	bool listed = false;

	for (size_t i = 0; i < needed->count; i++) {
		const struct ws_shape *s = &needed->shape[i];
		uint64_t bytes = s->sets * s->line_bytes;

		if (set_count == HINT_MAX || (s->sets > 1 && bytes % own))
			return false;
		insert(lines, &line_count, s->line_bytes);
		listed |= s->line_bytes != own && s->line_bytes != 32 && s->line_bytes != 128;
		insert(sets, &set_count, s->sets > 1 ? bytes / own : 1);
	}
	if (listed) {
		put_text(text, " --lines ");
		put_list(text, lines, line_count);
	}
	put_text(text, " --sets ");
	put_list(text, sets, set_count);
	return true;
}

/* What the study said, and which command makes a profile that can answer. */
static enum ws_status not_held(const struct ws_study_plan *plan, const struct ws_profile *profile,
			       const struct ws_err *why, struct ws_err *err)
{
	struct ws_buf hint = { 0 };
	bool can = put_hint(&hint, &plan->missing, profile->machine.l1.line_bytes);
	enum ws_status status;

	ws_put_u8(&hint, 0);
	if (hint.failed)
		status = ws_fail_memory(err, "a message");
	else if (can)
		status = ws_fail(err, why->status, "%s: `warpstack profile%s` measures all that is "
				 "asked for; or want the trace instead of the profile", why->text,
				 (const char *)hint.data);
	else
		status = ws_fail(err, why->status, "%s: want the trace instead of the profile",
				 why->text);
	ws_buf_clear(&hint);
	return status;
}

/* ---- plans --------------------------------------------------------------------------- */

static void note_unused(const struct ws_study_plan *plan, const struct cli_call *call,
			const struct ws_key *key)
{
	bool timed = call->options->cycles || call->options->latency;
	enum ws_stage unused = timed ? WS_STAGE_LABEL : WS_STAGE_CYCLES;

	if (key && ws_study_plan_stage(plan, key) >= unused)
		cli_note(call, "%s has no effect on %s%s", key->name, call->command->name,
			 key->stage != WS_STAGE_CYCLES ? ""
			 : cli_has_option(call->command, "cycles") ? " without --cycles"
			 : cli_has_option(call->command, "latency") ? " without --latency" : "");
}

enum ws_status cli_plan_init(struct ws_study_plan *plan, struct cli_call *call,
			     const struct ws_profile *profile, const struct ws_trace *trace,
			     struct ws_err *err)
{
	struct ws_err inner = { 0 };
	enum ws_status status = ws_study_plan_init(plan, cli_ask(call), profile, trace, &inner);

	if (status != WS_OK && plan->missing.count)
		return not_held(plan, profile, &inner, err);
	if (status != WS_OK)
		return ws_fail_as(err, &inner);
	if (!profile && !call->options->machine && plan->machine_vary == plan->varies)
		cli_note(call, "no machine named: " WS_MACHINE_DEFAULT " (-m names another)");
	for (size_t i = 0; i < plan->set.count; i++)
		note_unused(plan, call, ws_assigned_key(plan->set.item[i]));
	for (size_t v = 0; v < plan->shown; v++)
		note_unused(plan, call, plan->vary[v].key);
	return WS_OK;
}

void cli_policy_form(const struct ws_policy *policy, char *text, size_t len)
{
	struct ws_use use = { .policy = policy, .among = ws_policies };
	bool optional = !policy->parse || policy->parse("", &use, NULL) == WS_OK;

	if (!policy->params)
		snprintf(text, len, "%s", policy->name);
	else
		snprintf(text, len, optional ? "%s[:%s]" : "%s:%s", policy->name, policy->params);
}

