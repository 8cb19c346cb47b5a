/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * study/measured.c -- the machines that a configuration's stream and its profile are made for.
 */
#include "study/private.h"

/* Takes the configuration's sets and ways if the machine's own do not go with what else is given: a
 * hash, say, that does not suit them. */
static enum ws_status make_whole(const struct ws_study_plan *plan, uint64_t config,
				 struct ws_machine *m, struct ws_err *err)
{
	struct ws_err inner = { 0 };
	struct ws_machine own;
	enum ws_status status;

	/* A sector for longer lines than the machine's own: not sectored. */
	if (m->l1.sector_bytes > m->l1.line_bytes)
		m->l1.sector_bytes = m->l1.line_bytes;
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

/* Sectors are told from a profile of sectors, all else from one of lines, whatever was named. */
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

/* What the simulation was not told of the L2. */
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
