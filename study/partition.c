/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * study/partition.c -- groups configurations that share a stream, and those that share a profile;
 * the machines that a group's are made for.
 *
 * A few numbers decide: the digits of the varied keys that matter, and the geometry of the
 * simulated machine.  Distinct ones are kept in order, and numbered as they come.
 */
#include "study/private.h"

#include <stdlib.h>
#include <string.h>

#define NUMBERS 6u

struct decided {
	uint64_t number[NUMBERS];
	uint32_t group;
};

struct decisions {		/* ascending by number */
	struct decided *one;
	size_t count, cap;
};

static int compare_decided(const struct decided *a, const struct decided *b)
{
	for (unsigned i = 0; i < NUMBERS; i++)
		if (a->number[i] != b->number[i])
			return a->number[i] < b->number[i] ? -1 : 1;
	return 0;
}

/* The group of what has decided so; a new one if nothing has. */
static enum ws_status number_group(struct decisions *d, struct decided *what, struct ws_err *err)
{
	size_t low = 0, high = d->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		int order = compare_decided(&d->one[middle], what);

		if (order == 0) {
			what->group = d->one[middle].group;
			return WS_OK;
		}
		if (order < 0)
			low = middle + 1;
		else
			high = middle;
	}
	if (!WS_ROOM(d->one, d->cap, d->count + 1))
		return ws_fail_memory(err, "groups of configurations");
	memmove(d->one + low + 1, d->one + low, (d->count - low) * sizeof *d->one);
	what->group = (uint32_t)d->count++;
	d->one[low] = *what;
	return WS_OK;
}

/* ---- what decides ------------------------------------------------------------------------- */

/* The digits of the keys that `take` takes, as one number. */
static uint64_t digits(const struct ws_study_plan *plan, uint64_t config,
		       bool (*take)(const struct ws_study_plan *plan, const struct ws_key *key))
{
	uint64_t all = 0;

	for (size_t v = 0; v < plan->varies; v++)
		if (take(plan, plan->vary[v].key))
			all = all * plan->vary[v].count + ws_study_plan_digit(plan, config, v);
	return all;
}

static bool told(const struct ws_study_plan *plan, const struct ws_key *key)
{
	return ws_study_is_machine(key) || ws_anchor_told(plan, key);
}

bool ws_plan_single_file(const struct ws_study_plan *plan, const struct ws_machine *m)
{
	return plan->ctas <= 1 && plan->threads <= m->warp_width;
}

bool ws_profile_single_file(const struct ws_profile *p)
{
	for (size_t i = 0; i < p->sections; i++) {
		const struct ws_section *s = &p->section[i];

		if (s->ctas > s->launches ||
		    s->block[0] * s->block[1] * s->block[2] > p->machine.warp_width)
			return false;
	}
	return true;
}

/* The order that a configuration's stream is made in, and its simulation's machine if it has
 * one. */
static enum ws_status find_order(const struct ws_study_plan *plan, uint64_t config,
				 enum ws_order *order, struct ws_machine *anchor,
				 struct ws_err *err)
{
	struct ws_err inner = { 0 };
	enum ws_status status;

	*order = WS_ORDER_NOMINAL;
	if (!plan->simulated)
		return WS_OK;
	status = ws_anchor_machine(plan, config, anchor, err);
	if (status != WS_OK || (ws_plan_single_file(plan, anchor) && !plan->asked))
		return status;
	status = ws_cycles_check(anchor, &inner);
	if (status == WS_OK)
		*order = WS_ORDER_CYCLES;
	else if (plan->asked)
		return ws_fail_as(err, &inner);
	return WS_OK;
}

static enum ws_status stream_of(struct ws_study_plan *plan, uint64_t config, struct decided *what,
				enum ws_order *order, struct ws_err *err)
{
	struct ws_machine m;
	enum ws_status status = find_order(plan, config, order, &m, err);

	*what = (struct decided){ .number = { *order } };
	if (status != WS_OK)
		return status;
	what->number[1] = digits(plan, config,
				 *order == WS_ORDER_CYCLES ? told : ws_plan_decides_order);
	if (*order != WS_ORDER_CYCLES)
		return WS_OK;
	what->number[2] = m.l1.sets;
	what->number[3] = m.l1.ways;
	what->number[4] = m.l2.sets;
	what->number[5] = m.l2.ways;
	return WS_OK;
}

/* ---- partitions ------------------------------------------------------------------------------ */

static enum ws_status begin_partition(struct ws_partition *p, uint64_t count, struct ws_err *err)
{
	p->group = ws_alloc(count, sizeof *p->group);
	p->member = ws_alloc(count, sizeof *p->member);
	return p->group && p->member ? WS_OK : ws_fail_memory(err, "groups of configurations");
}

/* Sorts the members by group: a counting sort, so that each group's ascend. */
static enum ws_status gather_members(struct ws_partition *p, uint64_t count, struct ws_err *err)
{
	p->first = ws_alloc_zero(p->groups + 2, sizeof *p->first);
	if (!p->first)
		return ws_fail_memory(err, "groups of configurations");
	for (uint64_t i = 0; i < count; i++)
		p->first[p->group[i] + 2]++;
	for (uint64_t g = 2; g <= p->groups + 1; g++)
		p->first[g] += p->first[g - 1];
	for (uint64_t i = 0; i < count; i++)
		p->member[p->first[p->group[i] + 1]++] = (uint32_t)i;
	return WS_OK;
}

static enum ws_status partition_streams(struct ws_study_plan *plan, struct decisions *d,
					struct ws_err *err)
{
	enum ws_status status = begin_partition(&plan->streams, plan->count, err);
	size_t cap = 0;

	for (uint64_t i = 0; i < plan->count && status == WS_OK; i++) {
		enum ws_order order;
		struct decided what;

		status = stream_of(plan, i, &what, &order, err);
		if (status == WS_OK)
			status = number_group(d, &what, err);
		if (status != WS_OK)
			break;
		plan->streams.group[i] = what.group;
		if (!WS_ROOM(plan->order_of, cap, d->count))
			return ws_fail_memory(err, "groups of configurations");
		plan->order_of[what.group] = order;
	}
	plan->streams.groups = d->count;
	return status == WS_OK ? gather_members(&plan->streams, plan->count, err) : status;
}

static enum ws_status partition_profiles(struct ws_study_plan *plan, struct decisions *d,
					 struct ws_err *err)
{
	enum ws_status status = begin_partition(&plan->profiles, plan->count, err);

	for (uint64_t i = 0; i < plan->count && status == WS_OK; i++) {
		struct decided what = { .number = { plan->streams.group[i],
						    digits(plan, i, ws_plan_decides_profile) } };

		status = number_group(d, &what, err);
		plan->profiles.group[i] = what.group;
	}
	plan->profiles.groups = d->count;
	return status == WS_OK ? gather_members(&plan->profiles, plan->count, err) : status;
}

enum ws_status ws_study_plan_partition(struct ws_study_plan *plan, struct ws_err *err)
{
	struct decisions streams = { 0 }, profiles = { 0 };
	enum ws_status status = partition_streams(plan, &streams, err);

	if (status == WS_OK)
		status = partition_profiles(plan, &profiles, err);
	free(streams.one);
	free(profiles.one);
	return status;
}

void ws_partition_clear(struct ws_partition *p)
{
	free(p->group);
	free(p->member);
	free(p->first);
	*p = (struct ws_partition){ 0 };
}

/* ---- asking one --------------------------------------------------------------- */

uint64_t ws_partition_groups(const struct ws_partition *p)
{
	return p->group ? p->groups : 1;
}

uint64_t ws_partition_members(const struct ws_partition *p, uint64_t group, uint64_t count)
{
	return p->group ? p->first[group + 1] - p->first[group] : count;
}

uint64_t ws_partition_member(const struct ws_partition *p, uint64_t group, uint64_t member)
{
	return p->group ? p->member[p->first[group] + member] : member;
}

uint64_t ws_partition_group(const struct ws_partition *p, uint64_t config)
{
	return p->group ? p->group[config] : 0;
}

/* ---- its machines ------------------------------------------------------------- */

/* Takes the configuration's sets and ways if the machine's own do not go with the other keys, as
 * with a hash that does not suit them. */
static enum ws_status make_whole(const struct ws_study_plan *plan, uint64_t config,
				 struct ws_machine *m, struct ws_err *err)
{
	struct ws_err inner = { 0 };
	struct ws_machine own;
	enum ws_status status;

	ws_plan_limit_sector(&m->l1);
	if (ws_machine_check(m, &inner) == WS_OK)
		return WS_OK;
	status = ws_study_plan_machine(plan, config, &own, err);
	if (status != WS_OK)
		return status;
	m->l1.sets = own.l1.sets;
	m->l1.ways = own.l1.ways;
	return ws_machine_check(m, err);
}

enum ws_order ws_study_plan_order(const struct ws_study_plan *plan, uint64_t config)
{
	return plan->simulated ? plan->order_of[ws_partition_group(&plan->streams, config)]
			       : plan->order;
}

enum ws_status ws_study_plan_anchor(const struct ws_study_plan *plan, uint64_t config,
				    struct ws_machine *m, struct ws_err *err)
{
	enum ws_status status;

	if (plan->simulated && ws_study_plan_order(plan, config) == WS_ORDER_CYCLES)
		return ws_anchor_machine(plan, config, m, err);
	status = ws_study_plan_apply(plan, config, ws_plan_decides_order, m, err);
	return status == WS_OK ? make_whole(plan, config, m, err) : status;
}

/* Profiles are of sectors for a configuration of sectors, and of whole lines for all others. */
static enum ws_status organise(const struct ws_study_plan *plan, uint64_t config,
			       struct ws_machine *m, struct ws_err *err)
{
	struct ws_machine own;
	enum ws_status status = ws_study_plan_machine(plan, config, &own, err);
	const struct ws_organisation *as = ws_organisations;

	if (status == WS_OK && ws_organisation_of(&own.l1)->sectors)
		as = ws_organisation_of(&own.l1);
	if (status != WS_OK || ws_organisation_of(&m->l1) == as)
		return status;
	return ws_machine_set_key(m, ws_key_find("l1.organisation"), as->name, err);
}

/* The keys of the L2 that the simulation need not know. */
static void take_l2(struct ws_machine *m, const struct ws_machine *from)
{
	m->l2 = from->l2;
	m->l2_slices = from->l2_slices;
	m->l2_interleave_bytes = from->l2_interleave_bytes;
	m->l2_slice_hash = from->l2_slice_hash;
	m->l2_slice_order = from->l2_slice_order;
	m->l2_start = from->l2_start;
}

enum ws_status ws_study_plan_measured(const struct ws_study_plan *plan, uint64_t config,
				      struct ws_machine *m, struct ws_err *err)
{
	struct ws_machine anchor;
	enum ws_status status = ws_study_plan_apply(plan, config, ws_plan_decides_profile, m, err);

	if (status == WS_OK && !plan->of_profile)
		status = organise(plan, config, m, err);
	if (status == WS_OK && plan->simulated &&
	    ws_study_plan_order(plan, config) == WS_ORDER_CYCLES) {
		status = ws_anchor_machine(plan, config, &anchor, err);
		anchor.l1.organised = m->l1.organised;
		anchor.l1.sector_bytes = m->l1.sector_bytes;
		anchor.l1.sector_else = m->l1.sector_else;
		if (plan->l2_what_if)
			take_l2(&anchor, m);
		*m = anchor;
	}
	return status == WS_OK ? make_whole(plan, config, m, err) : status;
}
