/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * model/policy/srrip.c -- static re-reference interval prediction.
 *
 * Exact face: rrip.h, with values of param[0] bits.  A line is inserted one below the top.  A hit
 * sets the value to 0 (hit priority) or, with param[1], decrements it (frequency priority).
 *
 * Analytic face: ageing epochs (model/solve/epochs.c).
 */
#include "model/policy/rrip.h"
#include "model/solve/epochs.h"

#include <string.h>

#define BITS 2u
#define BITS_MAX 16u

static enum ws_status srrip_parse(const char *text, struct ws_use *use, struct ws_err *err)
{
	size_t digits = strcspn(text, ",");
	char bits[WS_NAME_MAX];

	use->params = 2;
	use->param[0] = BITS;
	use->param[1] = 0;
	if (!*text)
		return WS_OK;
	if (text[digits]) {
		if (strcmp(text + digits, ",fp"))
			return ws_fail(err, WS_EINVAL, "\"%.*s\" is not fp (frequency priority)",
				       WS_NAME_MAX, text + digits + 1);
		use->param[1] = 1;
	}
	snprintf(bits, sizeof bits, "%.*s", (int)digits, text);
	return ws_param_whole(digits < sizeof bits ? bits : text, 1, BITS_MAX, use->param, err);
}

static uint64_t top(const struct ws_set *set)
{
	return (UINT64_C(1) << (unsigned)set->use->param[0]) - 1;
}

static void srrip_hit(struct ws_set *set, unsigned way)
{
	uint64_t value = set->use->param[1] > 0 ? ws_rrip_value(set, way) : 0;

	ws_rrip_put(set, way, value ? value - 1 : 0);
}

static void srrip_fill(struct ws_set *set, unsigned way)
{
	ws_rrip_put(set, way, top(set) - 1);
}

static unsigned srrip_victim(struct ws_set *set)
{
	return ws_rrip_victim(set, top(set));
}

static enum ws_status srrip_solve(const struct ws_query *q, struct ws_solution *out,
				  struct ws_err *err)
{
	struct ws_epochs rule = ws_epochs_srrip(q->use->param[0], q->use->param[1] > 0);

	return ws_epochs_solve(q, &rule, out, err);
}

extern const struct ws_policy ws_policy_srrip;
const struct ws_policy ws_policy_srrip = {
	.name = "srrip",
	.params = "M[,fp]",
	.summary = "static re-reference interval prediction, M bits (2), hit or frequency priority",
	.source = "Jaleel, Theobald, Steely, Emer: High performance cache replacement using "
		  "re-reference interval prediction (RRIP), ISCA 2010",
	.basis = WS_APPROX,
	.mean_pp = 0.02, .max_pp = 0.67,
	.parse = srrip_parse,
	.way_words = 1, .set_words = 1,
	.on_hit = srrip_hit,
	.on_fill = srrip_fill,
	.victim = srrip_victim,
	.settle = ws_rrip_settle,
	.needs = WS_RECORD_DETAIL,
	.solve = srrip_solve,
};
