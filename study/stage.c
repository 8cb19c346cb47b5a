/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * study/stage.c -- the caches of the rows, and the stage at which each key is read.
 */
#include "study/private.h"

#include <string.h>

void ws_study_plan_levels(struct ws_study_plan *plan, const struct ws_study_options *o,
			  const struct ws_profile *profile)
{
	unsigned levels = o->levels ? o->levels : WS_STUDY_L1;

	plan->l1 = levels & WS_STUDY_L1;
	plan->l2 = levels & WS_STUDY_L2;
	plan->timed = o->latency;
	plan->behind = plan->l2 || (o->latency && (!profile || profile->behinds));
}

/* Sectors are a profile of their own; all else is told from that of lines. */
static bool apart(const struct ws_study_plan *plan)
{
	const struct ws_organisation *o;

	for (size_t v = 0; v < plan->varies; v++) {
		if (plan->vary[v].key->type != WS_KEY_ORGANISATION)
			continue;
		for (size_t i = 0; i < plan->vary[v].count; i++) {
			o = ws_organisation_find(plan->vary[v].value[i]);
			if (o && o->sectors) /* what is none will be refused */
				return true;
		}
		return false;
	}
	return ws_organisation_of(&plan->machine.l1)->sectors;
}

enum ws_stage ws_study_plan_stage(const struct ws_study_plan *plan, const struct ws_key *key)
{
	if (plan->simulated && (ws_study_is_machine(key) || ws_anchor_told(plan, key)))
		return WS_STAGE_ORDER;
	if (key->stage == WS_STAGE_L2_PROFILE)
		return plan->behind ? WS_STAGE_PROFILE : WS_STAGE_CYCLES;
	if (key->stage == WS_STAGE_L2_PREDICT)
		return plan->behind ? WS_STAGE_PREDICT : WS_STAGE_CYCLES;
	/* A trace's windows of chunks are as long as the period. */
	if (!plan->of_profile && (strcmp(key->name, "l1.grain.period") == 0 ||
				  (key->type == WS_KEY_ORGANISATION && apart(plan))))
		return WS_STAGE_PROFILE;
	return key->stage;
}

bool ws_plan_decides_order(const struct ws_study_plan *plan, const struct ws_key *key)
{
	return ws_study_plan_stage(plan, key) <= WS_STAGE_ORDER;
}

bool ws_plan_decides_profile(const struct ws_study_plan *plan, const struct ws_key *key)
{
	return ws_study_plan_stage(plan, key) <= WS_STAGE_PROFILE;
}
