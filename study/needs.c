/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * study/needs.c -- what a plan's policies and organisations need of a profile, and whether they
 * have models.
 */
#include "study/private.h"


/* A machine that is named, with what is set. */
static struct ws_machine asked(const struct ws_study_plan *plan, size_t i)
{
	struct ws_machine m = plan->named[i];

	/* What cannot be set was refused before. */
	return ws_study_set(&m, &plan->set, NULL) == WS_OK ? m : plan->named[i];
}

static unsigned needs_of(const struct ws_study_plan *plan, bool l2)
{
	const struct ws_key *key = ws_key_find(l2 ? "l2.policy" : "l1.policy");
	unsigned needs = 0;

	for (size_t v = 0; v < plan->varies; v++) {
		if (plan->vary[v].key != key)
			continue;
		for (size_t i = 0; i < plan->vary[v].count; i++)
			needs |= ws_policy_needs(plan->vary[v].value[i]);
		return needs;
	}
	for (size_t i = 0; i < plan->nameds; i++) {
		struct ws_machine m = asked(plan, i);

		needs |= ws_policy_needs(l2 ? m.l2.policy : m.l1.policy);
	}
	return needs;
}

/* The i-th of the organisations that are asked about; NULL: there are fewer. */
static const struct ws_organisation *organisation(const struct ws_study_plan *plan, size_t i)
{
	struct ws_machine m;

	for (size_t v = 0; v < plan->varies; v++)
		if (plan->vary[v].key->type == WS_KEY_ORGANISATION)
			return i < plan->vary[v].count
				? ws_organisation_find(plan->vary[v].value[i]) : NULL;
	if (i >= plan->nameds)
		return NULL;
	m = asked(plan, i);
	return ws_organisation_of(&m.l1);
}

uint64_t ws_study_plan_period(const struct ws_study_plan *plan, uint64_t config)
{
	const struct ws_organisation *o;
	struct ws_machine m;
	bool dynamic = false;

	for (size_t i = 0; plan->l1 && (o = organisation(plan, i)); i++)
		dynamic = dynamic || o->dynamic;
	if (!dynamic || ws_study_plan_machine(plan, config, &m, NULL) != WS_OK)
		return 0;
	return m.l1.grain_period;
}

unsigned ws_study_plan_needs(const struct ws_study_plan *plan)
{
	const struct ws_organisation *o;
	unsigned needs = 0;

	for (size_t i = 0; plan->l1 && (o = organisation(plan, i)); i++)
		needs |= o->chunks ? WS_RECORD_CHUNKS : 0;
	if (plan->l1 || plan->l2) /* what another policy lets through */
		needs |= needs_of(plan, false);
	if (plan->l2)
		needs |= needs_of(plan, true);
	/* Cycles are told from those of the machine that is simulated, which has its own
	 * policies. */
	for (size_t i = 0; i < plan->nameds && plan->timed; i++)
		needs |= ws_policy_needs(plan->named[i].l1.policy) |
			ws_policy_needs(plan->named[i].l2.policy);
	return needs;
}

enum ws_status ws_study_plan_modelled(const struct ws_study_plan *plan, const char *hint,
				 struct ws_err *err)
{
	enum ws_status status = WS_OK;
	struct ws_machine m;

	for (uint64_t i = 0; i < plan->count && status == WS_OK; i++) {
		status = ws_study_plan_machine(plan, i, &m, err);
		if (status == WS_OK && plan->l1)
			status = ws_policy_must_model(&m.l1, hint, err);
		if (status == WS_OK && plan->l2)
			status = ws_policy_must_model(&m.l2, "it can be simulated", err);
	}
	return status;
}
