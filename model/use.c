/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * model/use.c -- NAME:PARAMETERS of a policy.
 */
#include "model/shared.h"

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
	enum ws_status status;
	struct ws_err inner;

	inner.status = WS_OK;	/* its text is not cleared for each row */
	*out = (struct ws_use){ .policy = policy, .among = ws_policies };
	if (!policy)
		return unknown(text, err);
	if (!policy->parse)
		return colon ? ws_fail(err, WS_EINVAL, "policy \"%.*s\": %s takes no parameters",
				       WS_NAME_MAX, text, policy->name) : WS_OK;
	status = policy->parse(colon ? colon + 1 : "", out, &inner);
	if (status == WS_OK && colon && !colon[1])
		status = ws_fail(&inner, WS_EINVAL, "nothing after the colon");
	return status != WS_OK
	       ? ws_fail(err, status, "policy \"%.*s\": %s; want %s:%s", WS_NAME_MAX, text,
				inner.text, policy->name, policy->params) : WS_OK;
}

enum ws_status ws_use_of(struct ws_use *out, const struct ws_cache *cache, struct ws_err *err)
{
	enum ws_status status = ws_use_parse(out, cache->policy, err);

	if (!cache->ways)
		*out = (struct ws_use){ .policy = ws_policies[0], .among = ws_policies };
	return status;
}

enum ws_status ws_use_solve(const struct ws_query *query, const char *policy,
			    struct ws_solution *out, struct ws_err *err)
{
	struct ws_query q = *query;
	const struct ws_replay *replay;
	struct ws_use use;
	enum ws_status status = ws_use_parse(&use, policy, err);

	q.use = &use;
	q.text = policy;
	q.model = query;
	memset(out, 0, sizeof *out);
	if (status == WS_OK && ws_replay_suits(q.geometry, use.policy)) {
		status = ws_shared_replay(&q, &replay, err);
		return status == WS_OK ? ws_replay_solve(replay, &q, out, err) : status;
	}
	if (status == WS_OK && !use.policy->solve)
		status = ws_fail(err, WS_EINVAL, "policy %s has no solution of its own",
				 use.policy->name);
	return status != WS_OK ? status : use.policy->solve(&q, out, err);
}
