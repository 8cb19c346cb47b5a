/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cli/plan.c -- -m, --set and --vary made into machines; see struct cli_plan.
 *
 * A configuration is a number: its digits, the last varied key's fastest,
 * choose the values.  Groups are numbers of the digits whose keys decide the
 * stream (or the profile), so nothing is stored per configuration.
 */
#include "cli/cli.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define VALUE_TEXT (2 * WS_NAME_MAX)

/* ---- one machine --------------------------------------------------------- */

static const char *machine_name(const struct cli_call *call)
{
	return call->options->machine ? call->options->machine : WS_MACHINE_DEFAULT;
}

static enum ws_status settle(struct ws_machine *m, struct ws_err *err)
{
	enum ws_status status = ws_machine_check(m, err);

	return status == WS_OK ? cli_policy_check(m, err) : status;
}

static enum ws_status set_all(struct ws_machine *m, const struct ws_list *set, struct ws_err *err)
{
	enum ws_status status = WS_OK;

	for (size_t i = 0; i < set->count && status == WS_OK; i++)
		status = ws_machine_set(m, set->item[i], err);
	return status;
}

/* The machine of -m.  What its file gives cause to say is said once a command. */
static enum ws_status load(const struct cli_call *call, struct ws_machine *m, struct ws_err *err)
{
	struct ws_notes notes = { 0 };
	enum ws_status status = ws_machine_load_notes(m, machine_name(call), &notes, err);

	if (status == WS_OK)
		status = cli_policy_loaded(call, m, machine_name(call), err);
	for (size_t i = 0; i < notes.count && status == WS_OK && !*call->noted; i++) {
		const struct ws_note *n = &notes.note[i];

		if (n->kind == WS_NOTE_WARNING)
			cli_note(call, "%s", n->text);
		else
			cli_say(call, "%s %s%s", n->option, n->text,
				n->kind == WS_NOTE_UNMODELLED ? ": not modelled" : "");
	}
	*call->noted = *call->noted || status == WS_OK;
	ws_notes_clear(&notes);
	return status;
}

enum ws_status cli_machine(const struct cli_call *call, struct ws_machine *m, struct ws_err *err)
{
	enum ws_status status = load(call, m, err);

	if (status == WS_OK)
		status = set_all(m, &call->options->set, err);
	return status == WS_OK ? settle(m, err) : status;
}

/* ---- keys as the command line has them ----------------------------------- */

/* The key of "key=value"; NULL if there is none of that name. */
static const struct ws_key *key_of(const char *assignment)
{
	char name[WS_NAME_MAX];
	size_t from = strspn(assignment, " \t"), len = strcspn(assignment + from, "= \t");

	if (len >= sizeof name)
		return NULL;
	memcpy(name, assignment + from, len);
	name[len] = '\0';
	return ws_key_find(name);
}

static void note_unused(const struct cli_plan *plan, const struct cli_call *call,
			const struct ws_key *key)
{
	bool timed = call->options->cycles || call->options->latency;
	enum ws_stage unused = timed ? WS_STAGE_LABEL : WS_STAGE_CYCLES;

	if (key && cli_plan_stage(plan, key) >= unused)
		cli_note(call, "%s has no effect on %s%s", key->name, call->command->name,
			 key->stage != WS_STAGE_CYCLES ? ""
			 : cli_has_option(call->command, "cycles") ? " without --cycles"
			 : cli_has_option(call->command, "latency") ? " without --latency" : "");
}

/* A key that is varied is not set besides. */
static enum ws_status once(const struct cli_call *call, const struct ws_key *varied,
			   struct ws_err *err)
{
	for (size_t i = 0; i < call->options->set.count; i++)
		if (key_of(call->options->set.item[i]) == varied)
			return cli_usage(call->command, err, "--set %s and --vary %s: want one of "
					 "them", call->options->set.item[i], varied->name);
	return WS_OK;
}

static enum ws_status parse_varies(struct cli_plan *plan, const struct cli_call *call,
				   struct ws_err *err)
{
	const struct ws_list *vary = &call->options->vary;
	enum ws_status status = WS_OK;

	plan->vary = ws_alloc_zero(vary->count + 1, sizeof *plan->vary);
	if (!plan->vary)
		return ws_fail_memory(err, "the ranges");
	for (size_t i = 0; i < vary->count && status == WS_OK; i++) {
		status = ws_vary_parse(&plan->vary[i], vary->item[i], err);
		if (status == WS_OK)
			status = once(call, plan->vary[plan->varies++].key, err);
		if (status == WS_OK && cli_policies_key(plan->vary[i].key))
			status = cli_policies_list(&plan->vary[i], err);
		for (size_t j = 0; status == WS_OK && j < i; j++)
			if (plan->vary[j].key == plan->vary[i].key)
				status = ws_fail(err, WS_EINVAL, "--vary %s is given twice: want "
						 "one range a key", plan->vary[i].key->name);
	}
	if (status != WS_OK)
		return status;
	plan->count = ws_vary_product(plan->vary, plan->varies);
	if (plan->count > CLI_CONFIGURATIONS_MAX)
		return ws_fail(err, WS_EINVAL, "the ranges make %s%" PRIu64 " configurations: want "
			       "at most %u", plan->count == UINT64_MAX ? "over " : "",
			       plan->count, CLI_CONFIGURATIONS_MAX);
	return WS_OK;
}

/* Sectors are a profile of their own; all else is told from that of lines, as sectors are by a
 * profile that has them beside lines. */
static bool with_sectors(const struct cli_plan *plan)
{
	for (size_t v = 0; v < plan->varies; v++) {
		if (plan->vary[v].key->type != WS_KEY_ORGANISATION)
			continue;
		for (size_t i = 0; i < plan->vary[v].count; i++)
			if (!strcmp(plan->vary[v].value[i], ws_organisation_names[WS_SECTORS]))
				return true;
		return false;
	}
	return plan->machine.l1.organised.as == WS_SECTORS;
}

/* ---- digits -------------------------------------------------------------- */

static size_t digit(const struct cli_plan *plan, uint64_t config, size_t v)
{
	for (size_t i = plan->varies; i-- > v + 1;)
		config /= plan->vary[i].count;
	return (size_t)(config % plan->vary[v].count);
}

const char *cli_plan_value(const struct cli_plan *plan, uint64_t config, size_t v)
{
	return plan->vary[v].value[digit(plan, config, v)];
}

void cli_plan_cells(const struct cli_plan *plan, uint64_t config, struct ws_table *table)
{
	for (size_t v = 0; v < plan->varies; v++) {
		enum ws_key_type type = plan->vary[v].key->type;
		const char *text = cli_plan_value(plan, config, v);
		uint64_t value;

		if (type != WS_KEY_U64 && type != WS_KEY_SIZE)
			ws_cell_str(table, WS_COL_VARIED(v), text);
		else if (ws_parse_size(text, &value))
			ws_cell_u64(table, WS_COL_VARIED(v), value);
	}
}

static bool decides(const struct cli_plan *plan, size_t v, enum ws_stage depth)
{
	return cli_plan_stage(plan, plan->vary[v].key) <= depth;
}

struct cli_groups cli_plan_groups(const struct cli_plan *plan, enum ws_stage depth)
{
	struct cli_groups g = { 1, 1 };

	for (size_t v = 0; v < plan->varies; v++)
		*(decides(plan, v, depth) ? &g.groups : &g.members) *= plan->vary[v].count;
	return g;
}

uint64_t cli_plan_member(const struct cli_plan *plan, enum ws_stage depth, uint64_t group,
			 uint64_t member)
{
	uint64_t config = 0, weight = 1;

	for (size_t v = plan->varies; v-- > 0;) {
		uint64_t *from = decides(plan, v, depth) ? &group : &member;
		uint64_t count = plan->vary[v].count;

		config += *from % count * weight;
		*from /= count;
		weight *= count;
	}
	return config;
}

uint64_t cli_plan_group_of(const struct cli_plan *plan, enum ws_stage depth, uint64_t config)
{
	uint64_t group = 0;

	for (size_t v = 0; v < plan->varies; v++)
		if (decides(plan, v, depth))
			group = group * plan->vary[v].count + digit(plan, config, v);
	return group;
}

/* ---- machines of a configuration ----------------------------------------- */

enum ws_status cli_plan_machine(const struct cli_plan *plan, uint64_t config,
				struct ws_machine *m, struct ws_err *err)
{
	return ws_vary_machine(&plan->machine, plan->vary, plan->varies, config, m, err);
}

/* The machine of -m with the given keys of stages up to depth. */
static enum ws_status restricted(const struct cli_plan *plan, uint64_t config, enum ws_stage depth,
				 struct ws_machine *m, struct ws_err *err)
{
	enum ws_status status = WS_OK;

	*m = plan->named;
	for (size_t i = 0; i < plan->set.count && status == WS_OK; i++) {
		const struct ws_key *key = key_of(plan->set.item[i]);

		if (key && cli_plan_stage(plan, key) <= depth)
			status = ws_machine_set(m, plan->set.item[i], err);
	}
	for (size_t v = 0; v < plan->varies && status == WS_OK; v++)
		if (decides(plan, v, depth))
			status = ws_machine_set_key(m, plan->vary[v].key,
						    cli_plan_value(plan, config, v), err);
	return status;
}

enum ws_status cli_plan_stream(const struct cli_plan *plan, uint64_t config,
			       struct ws_machine *m, struct ws_err *err)
{
	uint64_t group = cli_plan_group_of(plan, WS_STAGE_ORDER, config);
	uint64_t first = cli_plan_member(plan, WS_STAGE_ORDER, group, 0);
	enum ws_status status = restricted(plan, first, WS_STAGE_ORDER, m, err);
	struct ws_err inner = { WS_OK, "" };
	struct ws_machine own;

	if (status != WS_OK || ws_machine_check(m, &inner) == WS_OK)
		return status;
	/* A size, say, that the machine's own ways do not divide: then the first configuration's. */
	status = cli_plan_machine(plan, first, &own, err);
	if (status != WS_OK)
		return status;
	m->l1.sets = own.l1.sets;
	m->l1.ways = own.l1.ways;
	return ws_machine_check(m, err);
}

enum ws_status cli_plan_measured(const struct cli_plan *plan, uint64_t config,
				 struct ws_machine *m, struct ws_err *err)
{
	enum ws_status status = restricted(plan, config, WS_STAGE_PROFILE, m, err);
	struct ws_err inner = { 0 };
	struct ws_machine own;

	if (status != WS_OK)
		return status;
	/* A sector for longer lines than the machine's own: not sectored. */
	if (m->l1.sector_bytes > m->l1.line_bytes)
		m->l1.sector_bytes = m->l1.line_bytes;
	if (ws_machine_check(m, &inner) == WS_OK)
		return WS_OK;
	/* A hash, say, that does not suit the machine's own sets: then those of the
	 * configuration. */
	status = cli_plan_machine(plan, config, &own, err);
	if (status != WS_OK)
		return status;
	m->l1.sets = own.l1.sets;
	m->l1.ways = own.l1.ways;
	return ws_machine_check(m, err);
}

/* ---- shapes ---------------------------------------------------------------- */

enum ws_status cli_plan_shapes(const struct cli_plan *plan, enum ws_stage depth, uint64_t group,
			       struct cli_shapes *shapes, struct ws_err *err)
{
	struct cli_groups g = cli_plan_groups(plan, depth);
	enum ws_status status = WS_OK;
	struct ws_machine m;

	for (uint64_t k = 0; k < g.members && status == WS_OK; k++) {
		status = cli_plan_machine(plan, cli_plan_member(plan, depth, group, k), &m, err);
		if (status == WS_OK)
			status = cli_shapes_add(shapes, m.l1.line_bytes, m.l1.sets, err);
	}
	cli_shapes_sort(shapes);
	return status;
}

/* ---- a plan -------------------------------------------------------------- */

/* A profile answers for its own stream alone: the keys that decide it must agree. */
static enum ws_status agree(const struct cli_plan *plan, const struct ws_profile *profile,
			    struct ws_err *err)
{
	char have[VALUE_TEXT], want[VALUE_TEXT];
	struct ws_machine m;
	enum ws_status status;

	for (size_t v = 0; v < plan->varies; v++)
		if (decides(plan, v, WS_STAGE_PROFILE))
			return ws_fail(err, WS_EINVAL, "--vary %s: one profile holds one value of "
				       "it: give the trace instead of the profile",
				       plan->vary[v].key->name);
	status = cli_plan_measured(plan, 0, &m, err);
	for (const struct ws_key *key = ws_keys; key->name && status == WS_OK; key++) {
		if (cli_plan_stage(plan, key) > WS_STAGE_PROFILE)
			continue;
		ws_machine_get(&profile->machine, key, have, sizeof have);
		ws_machine_get(&m, key, want, sizeof want);
		if (strcmp(have, want) != 0)
			return ws_fail(err, WS_EINVAL, "%s is %s in the profile and %s was asked "
				       "for: it decides what was measured, so profile the trace "
				       "again with it", key->name, have, want);
	}
	if (status == WS_OK && m.l1.line_bytes != profile->machine.l1.line_bytes)
		return ws_fail(err, WS_EINVAL, "the profile was made of requests for lines of %"
			       PRIu64 " bytes, and %s has lines of %" PRIu64 ": use --set l1.line=%"
			       PRIu64 " on the profile's own machine",
			       profile->machine.l1.line_bytes, m.name, m.l1.line_bytes,
			       m.l1.line_bytes);
	return status;
}

static enum ws_status check_shapes(const struct cli_plan *plan, const struct ws_profile *profile,
				   struct ws_err *err)
{
	struct cli_shapes needed = { 0 };
	enum ws_status status = cli_plan_shapes(plan, WS_STAGE_PROFILE, 0, &needed, err);

	if (status == WS_OK)
		status = cli_shapes_check(&needed, profile, err);
	cli_shapes_clear(&needed);
	return status;
}

static enum ws_status check_one(const struct cli_plan *plan, const struct ws_profile *profile,
				uint64_t config, struct ws_err *err)
{
	struct ws_machine m;
	enum ws_status status = cli_plan_machine(plan, config, &m, err);

	if (status == WS_OK)
		status = cli_policy_check(&m, err);
	if (status == WS_OK && plan->l2)
		status = cli_policy_check_l2(&m, err);
	if (status == WS_OK && profile && profile->sections && plan->l1)
		status = ws_predict_check(profile, 0, &m.l1, err);
	if (status == WS_OK && profile && profile->sections && plan->l2)
		status = ws_predict_l2_check(profile, 0, &m, err);
	return status;
}

/* Its warps come one after the other, whatever the machine. */
static bool single_file(const struct ws_trace *t, const struct ws_machine *m)
{
	for (size_t i = 0; i < ws_trace_launches(t); i++) {
		const struct ws_launch *l = ws_trace_launch(t, i);

		if (l->ctas > 1 || ws_launch_threads(l) > m->warp_width)
			return false;
	}
	return true;
}

/* Can the cycle simulator make all the streams? */
static bool can_simulate(struct cli_plan *plan)
{
	struct ws_err err = { WS_OK, "" };
	enum ws_status status = WS_OK;
	struct ws_machine m;
	uint64_t groups;

	groups = cli_plan_groups(plan, WS_STAGE_ORDER).groups;
	for (uint64_t g = 0; g < groups && status == WS_OK; g++) {
		status = cli_plan_stream(plan, cli_plan_member(plan, WS_STAGE_ORDER, g, 0), &m,
					 &err);
		if (status == WS_OK)
			status = ws_cycles_check(&m, &err);
	}
	return status == WS_OK;
}

static bool is_given(const struct cli_plan *plan, const char *key)
{
	bool given = false;

	for (size_t i = 0; i < plan->set.count && !given; i++) {
		const struct ws_key *k = key_of(plan->set.item[i]);

		given = k && strcmp(k->name, key) == 0;
	}
	for (size_t v = 0; v < plan->varies && !given; v++)
		given = strcmp(plan->vary[v].key->name, key) == 0;
	return given;
}

/* Has one order serve what would take too many of its own: so many, or 0. */
static uint64_t share(struct cli_plan *plan)
{
	uint64_t orders = cli_plan_groups(plan, WS_STAGE_ORDER).groups;

	plan->shared = orders > CLI_ORDERS_MAX;
	return plan->shared && cli_plan_groups(plan, WS_STAGE_ORDER).groups < orders ? orders : 0;
}

static enum ws_status find_order(struct cli_plan *plan, const struct cli_call *call,
				 const struct ws_profile *profile, const struct ws_trace *trace,
				 struct ws_err *err)
{
	const char *asked = call->options->order, *cycles = ws_order_names[WS_ORDER_CYCLES];
	uint64_t saved;

	plan->order = profile ? profile->order : WS_ORDER_NOMINAL;
	if (asked && profile && strcmp(asked, ws_order_names[plan->order]) != 0)
		return cli_usage(call->command, err, "--order=%s: the profile was made in order %s: "
				 "give the trace", asked, ws_order_names[plan->order]);
	if (!trace)
		return WS_OK;
	plan->simulated = asked ? strcmp(asked, cycles) == 0
				: !single_file(trace, &plan->machine);
	plan->sized = is_given(plan, "l1.size"); /* both decide what a group is */
	saved = share(plan);
	if (!asked && plan->simulated && !can_simulate(plan))
		plan->simulated = false;
	if (saved && plan->simulated)
		cli_note(call, "what is varied of the L1's size and of time shares a simulated order of "
			 "requests, that of the machine with --set: %" PRIu64 " orders are more than "
			 "the %u that are taken", saved, CLI_ORDERS_MAX);
	plan->order = plan->simulated ? WS_ORDER_CYCLES : WS_ORDER_NOMINAL;
	return WS_OK;
}

enum ws_status cli_plan_init(struct cli_plan *plan, const struct cli_call *call,
			     const struct ws_profile *profile, const struct ws_trace *trace,
			     struct ws_err *err)
{
	enum ws_status status = WS_OK;

	*plan = (struct cli_plan){ .set = call->options->set };
	cli_plan_levels(plan, call, profile);
	if (profile && !call->options->machine)
		plan->named = profile->machine;
	else
		status = load(call, &plan->named, err);
	plan->machine = plan->named;
	if (status == WS_OK)
		status = set_all(&plan->machine, &plan->set, err);
	if (status == WS_OK)
		status = parse_varies(plan, call, err);
	if (status == WS_OK)
		status = find_order(plan, call, profile, trace, err);
	plan->apart = !profile && with_sectors(plan);
	/* Settled with the varied keys, if any: they may be what makes it whole. */
	if (status == WS_OK && plan->varies == 0)
		status = settle(&plan->machine, err);
	if (status == WS_OK && profile)
		status = agree(plan, profile, err);
	if (status == WS_OK && profile && plan->l1)
		status = check_shapes(plan, profile, err);
	for (uint64_t i = 0; i < plan->count && status == WS_OK; i++)
		status = check_one(plan, profile, i, err);
	if (status != WS_OK)
		return status;
	for (size_t i = 0; i < plan->set.count; i++)
		note_unused(plan, call, key_of(plan->set.item[i]));
	for (size_t v = 0; v < plan->varies; v++)
		note_unused(plan, call, plan->vary[v].key);
	return WS_OK;
}

void cli_plan_clear(struct cli_plan *plan)
{
	for (size_t v = 0; v < plan->varies; v++)
		ws_vary_clear(&plan->vary[v]);
	free(plan->vary);
	plan->vary = NULL;
	plan->varies = 0;
}
