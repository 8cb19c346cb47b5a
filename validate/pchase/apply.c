/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * validate/pchase/apply.c -- what was found, as keys of a machine.
 */
#include "validate/pchase.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static enum ws_status apply_text(struct ws_machine *m, const char *key, const char *value,
				 struct ws_err *err)
{
	char text[WS_CHASE_TEXT + WS_NAME_MAX];

	snprintf(text, sizeof text, "%s=%s", key, value);
	return ws_machine_set(m, text, err);
}

static enum ws_status apply_value(struct ws_machine *m, const char *key, struct ws_chase_value v,
				  struct ws_err *err)
{
	char number[24];

	if (!(v.confidence > 0))
		return WS_OK;
	snprintf(number, sizeof number, "%" PRIu64, v.value);
	return apply_text(m, key, number, err);
}

/* Levels from the L1 on, each on top of the one before. */
static enum ws_status apply_latencies(const struct ws_chase *found, struct ws_machine *m,
				      struct ws_err *err)
{
	static const char *const key[] = { "l1.latency", "l2.latency", "dram.latency" };
	enum ws_status status = WS_OK;
	double before = 0;

	for (size_t i = 0; i < found->levels && i < WS_COUNT(key) && status == WS_OK; i++) {
		struct ws_chase_value v = {
			(uint64_t)rint(found->level[i].cycles - before), 1,
		};

		status = apply_value(m, key[i], v, err);
		before = found->level[i].cycles;
	}
	return status;
}

enum ws_status ws_chase_apply(const struct ws_chase *found, struct ws_machine *m,
			      struct ws_err *err)
{
	char policy[WS_CHASE_TEXT];
	enum ws_status status;

	if (found->unequal)
		return ws_fail(err, WS_EINVAL, "sets of unequal size: no key of a machine says so");
	if (found->contradictory)
		return ws_fail(err, WS_EINVAL, "the evidence is contradictory: sets hold other "
			       "numbers of lines together than alone");
	snprintf(policy, sizeof policy, "%.*s", (int)strcspn(found->policy, " "), found->policy);
	status = apply_value(m, "coalesce.line", found->line, err);
	if (status == WS_OK)
		status = apply_value(m, "l1.line", found->line, err);
	if (status == WS_OK)
		status = apply_value(m, "l1.sector", found->sector, err);
	if (status == WS_OK)
		status = apply_value(m, "l1.sets", found->sets, err);
	if (status == WS_OK)
		status = apply_value(m, "l1.ways", found->ways, err);
	if (status == WS_OK && found->hash_confidence > 0)
		status = apply_text(m, "l1.hash", found->hash, err);
	if (status == WS_OK && found->policy_confidence > 0)
		status = apply_text(m, "l1.policy", policy, err);
	if (status == WS_OK)
		status = apply_latencies(found, m, err);
	return status == WS_OK ? ws_machine_check(m, err) : status;
}
