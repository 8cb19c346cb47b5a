/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * study/plan.c -- makes machines of set and varied keys; see struct ws_study_plan.
 */
#include "study/private.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define VALUE_TEXT (2 * WS_NAME_MAX)
#define OPEN_MAX (WS_ALTERNATIVES_MAX / sizeof "k=a|b") /* keys with alternatives */

/* ---- ranges --------------------------------------------------------------- */

static enum ws_status add_name(struct ws_vary *v, size_t *cap, const char *text, size_t len,
			       struct ws_err *err)
{
	char *copy = WS_ROOM(v->value, *cap, v->count + 1) ? ws_alloc(len + 1, 1) : NULL;

	if (!copy)
		return ws_fail_memory(err, "the machines");
	memcpy(copy, text, len);
	copy[len] = '\0';
	v->value[v->count++] = copy;
	return WS_OK;
}

/* "machine=gtx480,v100,my.conf" */
static enum ws_status parse_machines(struct ws_vary *v, const char *names, struct ws_err *err)
{
	enum ws_status status = WS_OK;
	size_t cap = 0;

	v->key = &ws_study_machine_key;
	for (;; names++) {
		size_t len = strcspn(names, ",");

		if (!len)
			return ws_fail(err, WS_EINVAL, "machine=: want names of machines, "
				       "separated by commas");
		status = add_name(v, &cap, names, len, err);
		names += len;
		if (status != WS_OK || !*names)
			return status;
	}
}

static enum ws_status parse_vary(struct ws_vary *v, const char *spec, struct ws_err *err)
{
	size_t len = strlen(ws_study_machine_key.name);
	enum ws_status status;

	if (strncmp(spec, ws_study_machine_key.name, len) == 0 && spec[len] == '=')
		return parse_machines(v, spec + len + 1, err);
	status = ws_vary_parse(v, spec, err);
	if (status == WS_OK && v->key->stage == WS_STAGE_LABEL)
		return ws_fail(err, WS_EINVAL, "%s is a label, and changes nothing: want a key of "
			       "the machine, or machine=A,B to compare machines", v->key->name);
	return status == WS_OK && ws_policies_key(v->key) ? ws_policies_list(v, err) : status;
}

/* A key that is varied is not set besides, nor varied twice. */
static enum ws_status once(const struct ws_study_plan *plan, const struct ws_study_options *o,
			   struct ws_err *err)
{
	const struct ws_key *key = plan->vary[plan->varies - 1].key;

	for (size_t i = 0; i < o->set.count; i++)
		if (ws_assigned_key(o->set.item[i]) == key)
			return ws_fail(err, WS_EINVAL, "%s is set (%s) and varied: want one of "
				       "them", key->name, o->set.item[i]);
	if (ws_study_is_machine(key) && o->machine)
		return ws_fail(err, WS_EINVAL, "a machine is named (%s) and machines are varied: "
			       "want one of them", o->machine);
	for (size_t i = 0; i + 1 < plan->varies; i++)
		if (plan->vary[i].key == key)
			return ws_fail(err, WS_EINVAL, "%s is varied twice: want one range a key",
				       key->name);
	return WS_OK;
}

static enum ws_status parse_varies(struct ws_study_plan *plan, const struct ws_study_options *o,
				   struct ws_err *err)
{
	enum ws_status status = WS_OK;

	plan->vary = ws_alloc_zero(o->vary.count + OPEN_MAX + 1, sizeof *plan->vary);
	if (!plan->vary)
		return ws_fail_memory(err, "the ranges");
	for (size_t i = 0; i < o->vary.count && status == WS_OK; i++) {
		status = parse_vary(&plan->vary[plan->varies++], o->vary.item[i], err);
		if (status == WS_OK)
			status = once(plan, o, err);
	}
	plan->shown = plan->varies;
	return status;
}

/* "KEY=A|B|C" as one more range. */
static enum ws_status open_key(struct ws_study_plan *plan, char *text, struct ws_err *err)
{
	for (char *bar; (bar = strchr(text, '|')) != NULL;)
		*bar = ',';
	return parse_vary(&plan->vary[plan->varies++], text, err);
}

/* Alternatives that nobody chose from. */
static enum ws_status open_keys(struct ws_study_plan *plan, struct ws_err *err)
{
	char text[WS_ALTERNATIVES_MAX];
	enum ws_status status = WS_OK;

	for (size_t i = 0; status == WS_OK &&
	     ws_machine_alternatives(&plan->machine, i, text, sizeof text); i++) {
		const struct ws_key *key = ws_assigned_key(text);
		size_t v = 0;

		while (v < plan->shown && plan->vary[v].key != key)
			v++;
		if (v == plan->shown)
			status = open_key(plan, text, err);
	}
	plan->machine_vary = plan->varies; /* none, as before */
	return status;
}

static enum ws_status count_configurations(struct ws_study_plan *plan, struct ws_err *err)
{
	plan->count = ws_vary_product(plan->vary, plan->varies);
	plan->alternatives = ws_vary_product(plan->vary + plan->shown, plan->varies - plan->shown);
	if (plan->alternatives > WS_ALTERNATIVES_COUNT_MAX)
		return ws_fail(err, WS_EINVAL, "%s: its alternatives make over %u machines: want "
			       "some chosen", plan->machine.name, WS_ALTERNATIVES_COUNT_MAX);
	if (plan->count > WS_CONFIGURATIONS_MAX)
		return ws_fail(err, WS_EINVAL, "the ranges make %s%" PRIu64 " configurations: want "
			       "at most %u", plan->count == UINT64_MAX ? "over " : "",
			       plan->count, WS_CONFIGURATIONS_MAX);
	return WS_OK;
}

/* The part's configurations, those of a band together.  There may be none. */
static enum ws_status take_part(struct ws_study_plan *plan, const struct ws_study_options *o,
				struct ws_err *err)
{
	uint64_t bands = plan->count / plan->alternatives;
	uint64_t first, last;

	if (!o->parts)
		return WS_OK;
	if (!o->part || o->part > o->parts || o->parts > WS_PARTS_MAX || o->search)
		return ws_fail(err, WS_EINVAL, "part %" PRIu64 " of %" PRIu64 ": want one from 1 "
			       "to %u, and no search", o->part, o->parts, WS_PARTS_MAX);
	first = bands * (o->part - 1) / o->parts * plan->alternatives;
	last = bands * o->part / o->parts * plan->alternatives;
	plan->element = ws_alloc(last - first, sizeof *plan->element);
	if (!plan->element)
		return ws_fail_memory(err, "the configurations");
	plan->count = last - first;
	for (uint64_t i = 0; i < plan->count; i++)
		plan->element[i] = (uint32_t)(first + i);
	return WS_OK;
}

/* ---- the machines that are named -------------------------------------------- */

static enum ws_status load_named(struct ws_study_plan *plan, const struct ws_study_options *o,
				 const struct ws_profile *profile, struct ws_err *err)
{
	const struct ws_vary *varied = NULL;
	enum ws_status status = WS_OK;

	plan->machine_vary = plan->varies;
	for (size_t v = 0; v < plan->varies; v++)
		if (ws_study_is_machine(plan->vary[v].key))
			plan->machine_vary = v;
	if (plan->machine_vary < plan->varies)
		varied = &plan->vary[plan->machine_vary];
	plan->nameds = varied ? varied->count : 1;
	plan->named = ws_alloc_zero(plan->nameds, sizeof *plan->named);
	if (!plan->named)
		return ws_fail_memory(err, "the machines");
	if (profile && varied)
		return ws_fail(err, WS_EINVAL, "machine is varied, and a profile is of one "
			       "machine: want the trace");
	if (profile && !o->machine) {
		plan->named[0] = profile->machine;
		return WS_OK;
	}
	for (size_t i = 0; i < plan->nameds && status == WS_OK; i++)
		status = ws_study_load(o, varied ? varied->value[i] : o->machine ? o->machine
				       : WS_MACHINE_DEFAULT, true, &plan->named[i], err);
	return status;
}

/* ---- a profile that is to answer ------------------------------------------------ */

/* A profile answers for its own stream alone: the keys that decide it must agree. */
static enum ws_status agree(const struct ws_study_plan *plan, const struct ws_profile *profile,
			    struct ws_err *err)
{
	char have[VALUE_TEXT], want[VALUE_TEXT];
	struct ws_machine m;
	enum ws_status status;

	for (size_t v = 0; v < plan->varies; v++)
		if (ws_plan_decides_profile(plan, plan->vary[v].key))
			return ws_fail(err, WS_EINVAL, "%s %s, and one profile holds one value of "
				       "it: want the trace", plan->vary[v].key->name,
				       v < plan->shown ? "is varied" : "has alternatives");
	status = ws_study_plan_measured(plan, 0, &m, err);
	for (const struct ws_key *key = ws_keys; key->name && status == WS_OK; key++) {
		if (ws_study_plan_stage(plan, key) > WS_STAGE_PROFILE)
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
			       PRIu64 " bytes, and %s has lines of %" PRIu64 ": set l1.line=%"
			       PRIu64 " on the profile's own machine",
			       profile->machine.l1.line_bytes, m.name, m.l1.line_bytes,
			       m.l1.line_bytes);
	return status;
}

/* needed: becomes the plan's if the profile lacks some of it. */
static enum ws_status check_shapes(struct ws_study_plan *plan, const struct ws_profile *profile,
				   struct ws_shapes *needed, struct ws_err *err)
{
	enum ws_status status;

	ws_shapes_sort(needed);
	status = ws_shapes_check(needed, profile, err);
	if (status != WS_EINVAL)
		return status;
	plan->missing = *needed;
	*needed = (struct ws_shapes){ 0 };
	return status;
}

/* ---- a plan -------------------------------------------------------------- */

static enum ws_status check_one(const struct ws_study_plan *plan, const struct ws_profile *profile,
				const struct ws_machine *m, struct ws_err *err)
{
	enum ws_status status = ws_policy_check(m, err);

	if (status == WS_OK && plan->l2)
		status = ws_policy_check_l2(m, err);
	if (status == WS_OK && profile && profile->sections && plan->l1)
		status = ws_predict_check(profile, 0, &m->l1, err);
	if (status == WS_OK && profile && profile->sections && plan->l2)
		status = ws_predict_l2_check(profile, 0, m, err);
	return status;
}

/* Does it pass if the one before it did?  What is checked of a profile's machines is of their
 * caches. */
static bool passes_as(const struct ws_study_plan *plan, const struct ws_machine *m,
		      const struct ws_machine *before)
{
	return !plan->l2 && ws_model_same(&m->l1, &before->l1) &&
	       memcmp(&m->l2, &before->l2, sizeof m->l2) == 0;
}

/* Each machine beside the first; m has room for two, this one and the one before. */
static enum ws_status check_each(struct ws_study_plan *plan, const struct ws_profile *profile,
				 struct ws_machine m[2], struct ws_shapes *needed,
				 struct ws_err *wrong, struct ws_err *err)
{
	struct ws_beside beside = { .like = NULL };
	enum ws_status status = WS_OK;

	for (uint64_t i = 0; i < plan->count; i++) {
		struct ws_machine *own = &m[i & 1];

		status = ws_study_plan_check(plan, i, &beside, own, err);
		if (status == WS_OK && profile && plan->l1)
			status = ws_shapes_add(needed, own->l1.line_bytes, own->l1.sets, err);
		if (status != WS_OK)
			break;
		if (wrong->status == WS_OK && !(i && passes_as(plan, own, &m[!(i & 1)])) &&
		    check_one(plan, profile, own, wrong) != WS_OK && !(profile && plan->l1))
			break;
		if (plan->checked) {
			plan->blocks |= beside.blocks;
			continue;
		}
		plan->first = *own;
		plan->checked = true;
		beside.like = &plan->first;
	}
	return status;
}

/* That a profile lacks what they need is said before what else is wrong with one of them. */
static enum ws_status check_configurations(struct ws_study_plan *plan,
					   const struct ws_profile *profile, struct ws_err *err)
{
	struct ws_shapes needed = { 0 };
	struct ws_err wrong = { .status = WS_OK };
	struct ws_machine *m = ws_alloc(2, sizeof *m);
	enum ws_status status = m ? check_each(plan, profile, m, &needed, &wrong, err)
				  : ws_fail_memory(err, "the machines");

	free(m);
	plan->passed = status == WS_OK && plan->checked && wrong.status == WS_OK;
	if (status == WS_OK && profile && plan->l1)
		status = check_shapes(plan, profile, &needed, err);
	ws_shapes_clear(&needed);
	return status == WS_OK && wrong.status != WS_OK ? ws_fail_as(err, &wrong) : status;
}

/* The largest launch, in CTAs and in threads of one. */
static void measure_launches(struct ws_study_plan *plan, const struct ws_trace *t)
{
	for (size_t i = 0; i < ws_trace_launches(t); i++) {
		const struct ws_launch *l = ws_trace_launch(t, i);

		if (l->ctas > plan->ctas)
			plan->ctas = l->ctas;
		if (ws_launch_threads(l) > plan->threads)
			plan->threads = ws_launch_threads(l);
	}
}

static enum ws_status find_order(struct ws_study_plan *plan, const struct ws_study_options *o,
				 const struct ws_profile *profile, const struct ws_trace *trace,
				 struct ws_err *err)
{
	plan->order = profile ? profile->order : WS_ORDER_NOMINAL;
	if (o->order && profile && strcmp(o->order, ws_order_names[plan->order]) != 0)
		return ws_fail(err, WS_EINVAL,
			       "order %s was asked for, and the profile was made "
			       "in order %s: want the trace",
			       o->order, ws_order_names[plan->order]);
	if (!trace)
		return WS_OK;
	measure_launches(plan, trace);
	plan->asked = o->order != NULL;
	plan->own = o->own;
	plan->l2_what_if = o->l2_what_if;
	plan->simulated = !o->order || strcmp(o->order, ws_order_names[WS_ORDER_CYCLES]) == 0;
	return WS_OK;
}

static enum ws_status check_all(struct ws_study_plan *plan, const struct ws_profile *profile,
				struct ws_err *err)
{
	enum ws_status status = WS_OK;

	/* With varied keys each configuration is settled: the machine alone may lack some. */
	if (plan->varies == 0)
		status = ws_study_settle(&plan->machine, err);
	if (status == WS_OK && profile)
		status = agree(plan, profile, err);
	return status == WS_OK ? check_configurations(plan, profile, err) : status;
}

enum ws_status ws_study_plan_init(struct ws_study_plan *plan, const struct ws_study_options *o,
				  const struct ws_profile *profile, const struct ws_trace *trace,
				  struct ws_err *err)
{
	enum ws_status status;

	*plan = (struct ws_study_plan){ .set = o->set, .of_profile = profile != NULL };
	ws_study_plan_levels(plan, o, profile);
	status = parse_varies(plan, o, err);
	if (status == WS_OK)
		status = load_named(plan, o, profile, err);
	if (status == WS_OK) {
		plan->machine = plan->named[0];
		status = ws_study_set(&plan->machine, &plan->set, err);
	}
	/* Of several machines each would have its own. */
	if (status == WS_OK && o->band && !o->search && !o->by &&
	    plan->machine_vary == plan->varies)
		status = open_keys(plan, err);
	if (status == WS_OK)
		status = count_configurations(plan, err);
	if (status == WS_OK)
		status = take_part(plan, o, err);
	if (status == WS_OK)
		status = find_order(plan, o, profile, trace, err);
	if (!plan->count) /* of more parts than rows */
		return status;
	if (status == WS_OK && o->search)
		status = ws_study_plan_leave_out(plan, o, profile, err);
	if (status == WS_OK)
		status = check_all(plan, profile, err);
	return status == WS_OK && trace ? ws_study_plan_partition(plan, err) : status;
}

void ws_study_plan_clear(struct ws_study_plan *plan)
{
	for (size_t v = 0; v < plan->varies; v++)
		ws_vary_clear(&plan->vary[v]);
	free(plan->vary);
	free(plan->element);
	free(plan->named);
	free(plan->order_of);
	ws_partition_clear(&plan->streams);
	ws_partition_clear(&plan->profiles);
	ws_shapes_clear(&plan->missing);
	*plan = (struct ws_study_plan){ 0 };
}
