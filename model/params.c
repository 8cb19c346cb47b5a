/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * model/params.c -- parameters of a policy: the default ones, and one from text.
 */
#include "model/model.h"

#include <inttypes.h>
#include <string.h>

enum ws_status ws_use_default(struct ws_use *out, const struct ws_policy *policy,
			      const struct ws_policy *const *among, struct ws_err *err)
{
	*out = (struct ws_use){ .policy = policy, .among = among };
	return policy->parse ? policy->parse("", out, err) : WS_OK;
}

enum ws_status ws_param_whole(const char *text, uint64_t low, uint64_t high, double *out,
			      struct ws_err *err)
{
	uint64_t value;

	if (!ws_parse_u64(text, &value) || value < low || value > high)
		return ws_fail(err, WS_EINVAL, "\"%.*s\" is not a whole number from %" PRIu64
			       " to %" PRIu64, WS_NAME_MAX, text, low, high);
	*out = (double)value;
	return WS_OK;
}

enum ws_status ws_param_fraction(const char *text, double *out, struct ws_err *err)
{
	char copy[WS_NAME_MAX], *slash;
	double above, below = 1;

	snprintf(copy, sizeof copy, "%s", text);
	slash = strchr(copy, '/');
	if (slash)
		*slash++ = '\0';
	if (strlen(text) >= sizeof copy || !ws_parse_double(copy, &above) ||
	    (slash && !ws_parse_double(slash, &below)) ||
	    !(below > 0) || !(above >= 0) || above > below)
		return ws_fail(err, WS_EINVAL, "\"%.*s\" is not a fraction from 0 to 1, such as "
			       "1/32 or 0.05", WS_NAME_MAX, text);
	*out = above / below;
	return WS_OK;
}
