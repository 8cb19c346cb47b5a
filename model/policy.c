/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * model/policy.c -- the one list of replacement policies, and NAME:PARAMETERS of one.  How to add
 * one is in model.h.
 */
#include "model/model.h"

#include <string.h>

#define POLICIES(X) \
	X(lru) \
	X(fifo) \
	X(random) \
	X(plru) \
	X(nru) \
	X(srrip) \
	X(brrip) \
	X(drrip) \
	X(ship_pc) \
	X(lfu) \
	X(lfu_age) \
	X(mfu) \
	X(bip) \
	X(dip) \
	X(opt) \
	X(prob) \
	X(clock) \
	X(pc_bypass) \
	X(select) \
	X(srrip_kumar) \
	X(brrip_kumar) \
	X(lfu_kumar)

#define DECLARE(name) extern const struct ws_policy ws_policy_##name;
#define ROW(name) &ws_policy_##name,

POLICIES(DECLARE)

const struct ws_policy *const ws_policies[] = { POLICIES(ROW) NULL };

static bool ends(char c)
{
	return c == '\0' || c == ':';
}

/* Sweeps ask for it some times a row. */
const struct ws_policy *ws_policy_find(const char *text)
{
	for (size_t i = 0; ws_policies[i]; i++) {
		const struct ws_policy *p = ws_policies[i];
		size_t len = 0;

		while (p->name[len] && p->name[len] == text[len])
			len++;
		if (!p->name[len] && ends(text[len]))
			return p;
		if (p->gpgpusim && text[0] == p->gpgpusim && ends(text[1]))
			return p;
	}
	return NULL;
}

bool ws_policy_as_lru(const struct ws_cache *cache)
{
	const struct ws_policy *policy = ws_policy_find(cache->policy);

	return policy == ws_policies[0] || !cache->ways ||
	       (cache->ways == 1 && !(policy && policy->bypass));
}

void ws_policy_set_lru(struct ws_cache *cache)
{
	memcpy(cache->policy, ws_policies[0]->name, strlen(ws_policies[0]->name) + 1);
}

/* ---- NAME:PARAMETERS ---------------------------------------------------------------------- */

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
