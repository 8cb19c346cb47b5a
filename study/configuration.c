/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * study/configuration.c -- the values and the machine of a configuration.
 *
 * A configuration is a number, of an element of the product: that one's digits, the last varied
 * key's fastest, choose the values.
 */
#include "study/private.h"

#include <assert.h>

/* Not among the keys of a machine: it says which one the others are of. */
const struct ws_key ws_study_machine_key = {
	.name = "machine", .type = WS_KEY_TEXT, .stage = WS_STAGE_ORDER,
	.help = "a preset, a .conf file or a gpgpusim.config",
};

bool ws_study_is_machine(const struct ws_key *key)
{
	return key == &ws_study_machine_key;
}

static uint64_t element(const struct ws_study_plan *plan, uint64_t config)
{
	assert(config < plan->count);
	return plan->element ? plan->element[config] : config;
}

size_t ws_study_plan_digit(const struct ws_study_plan *plan, uint64_t config, size_t v)
{
	assert(v < plan->varies && plan->vary[v].count);
	config = element(plan, config);
	for (size_t i = plan->varies; i-- > v + 1;)
		config /= plan->vary[i].count;
	return (size_t)(config % plan->vary[v].count);
}

const char *ws_study_plan_value(const struct ws_study_plan *plan, uint64_t config, size_t v)
{
	return plan->vary[v].value[ws_study_plan_digit(plan, config, v)];
}

const struct ws_machine *ws_study_plan_named(const struct ws_study_plan *plan, uint64_t config)
{
	size_t v = plan->machine_vary;

	return &plan->named[v < plan->varies ? ws_study_plan_digit(plan, config, v) : 0];
}

enum ws_status ws_study_plan_apply(const struct ws_study_plan *plan, uint64_t config,
				   bool (*take)(const struct ws_study_plan *plan,
						const struct ws_key *key),
				   struct ws_machine *m, struct ws_err *err)
{
	enum ws_status status = WS_OK;

	*m = *ws_study_plan_named(plan, config);
	for (size_t i = 0; i < plan->set.count && status == WS_OK; i++)
		if (!take || take(plan, ws_assigned_key(plan->set.item[i])))
			status = ws_machine_set(m, plan->set.item[i], err);
	for (size_t v = 0; v < plan->varies && status == WS_OK; v++)
		if (v != plan->machine_vary && (!take || take(plan, plan->vary[v].key)))
			status = ws_machine_set_key(m, plan->vary[v].key,
						    ws_study_plan_value(plan, config, v), err);
	return status;
}

enum ws_status ws_study_plan_machine(const struct ws_study_plan *plan, uint64_t config,
				     struct ws_machine *m, struct ws_err *err)
{
	enum ws_status status;

	if (plan->machine_vary == plan->varies) { /* `set` is in it already */
		status = ws_vary_machine_like(&plan->machine, plan->checked ? &plan->first : NULL,
					      plan->vary, plan->varies, element(plan, config), m,
					      err);
		return status == WS_OK ? ws_machine_single(m, err) : status;
	}
	status = ws_study_plan_apply(plan, config, NULL, m, err);
	if (status == WS_OK)
		status = ws_machine_single(m, err);
	return status == WS_OK ? ws_machine_check(m, err) : status;
}
