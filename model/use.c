/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * model/use.c -- NAME:PARAMETERS of a policy.
 */
#include "model/model.h"

#include <string.h>

static const char *policy_name(size_t i, const void *context)
{
	(void)context;
	return ws_policies[i]->name;
}

static enum ws_status unknown(const char *text, struct ws_err *err)
{
	size_t count = 0, len = 0;
	char list[512] = "", name[WS_NAME_MAX];
	int near;

	snprintf(name, sizeof name, "%.*s", (int)strcspn(text, ":"), text);
	while (ws_policies[count])
		count++;
	near = ws_nearest_name(name, count, policy_name, NULL);
	if (near >= 0)
		return ws_fail(err, WS_EINVAL, "no policy \"%s\"; did you mean \"%s\"?", name,
			       ws_policies[near]->name);
	for (size_t i = 0; i < count && len < sizeof list; i++)
		len += (size_t)snprintf(list + len, sizeof list - len, "%s%s", i ? ", " : "",
					ws_policies[i]->name);
	return ws_fail(err, WS_EINVAL, "no policy \"%s\"; there are: %s", name, list);
}

enum ws_status ws_use_parse(struct ws_use *out, const char *text, struct ws_err *err)
{
	const struct ws_policy *policy = ws_policy_find(text);
	const char *colon = strchr(text, ':');
	struct ws_err inner = { 0 };
	enum ws_status status;

	*out = (struct ws_use){ .policy = policy };
	if (!policy)
		return unknown(text, err);
	if (!policy->parse)
		return colon ? ws_fail(err, WS_EINVAL, "policy \"%.*s\": %s takes no parameters",
				       WS_NAME_MAX, text, policy->name) : WS_OK;
	status = policy->parse(colon ? colon + 1 : "", out, &inner);
	if (!status && colon && !colon[1])
		status = ws_fail(&inner, WS_EINVAL, "nothing after the colon");
	return status ? ws_fail(err, status, "policy \"%.*s\": %s; want %s:%s", WS_NAME_MAX, text,
				inner.text, policy->name, policy->params) : WS_OK;
}

enum ws_status ws_param_whole(const char *text, uint64_t low, uint64_t high, double *out,
			      struct ws_err *err)
{
	uint64_t value;

	if (!ws_parse_u64(text, &value) || value < low || value > high)
		return ws_fail(err, WS_EINVAL, "\"%.*s\" is not a whole number from %llu to %llu",
			       WS_NAME_MAX, text, (unsigned long long)low, (unsigned long long)high);
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
		return ws_fail(err, WS_EINVAL, "\"%.*s\" is not a fraction from 0 to 1, such as 1/32 "
			       "or 0.05", WS_NAME_MAX, text);
	*out = above / below;
	return WS_OK;
}
