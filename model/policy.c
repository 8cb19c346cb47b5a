/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * model/policy.c -- the one list of replacement policies.  How to add one is
 * in model.h.
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

const struct ws_policy *ws_policy_find(const char *text)
{
	size_t len = strcspn(text, ":");

	for (size_t i = 0; ws_policies[i]; i++) {
		const struct ws_policy *p = ws_policies[i];

		if (strlen(p->name) == len && memcmp(p->name, text, len) == 0)
			return p;
		if (p->gpgpusim && text[0] == p->gpgpusim && len == 1)
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
