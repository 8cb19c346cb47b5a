/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * model/model.c -- from a profile and a cache to counts: checks that the profile
 * can answer, asks the policy, adds the kinds up.
 *
 * A profile answers for every number of ways, every policy and the set counts
 * that it holds; what shaped its distances (line, sector, hash, write policy)
 * must be as it was when the profile was made.
 */
#include "model/model.h"

#include <inttypes.h>
#include <string.h>

const char *const ws_basis_names[] = { "exact", "approx", "simulated", NULL };

double ws_miss_ratio(const struct ws_counts *c, bool count_pending)
{
	uint64_t misses = c->misses + (count_pending ? c->pending : 0);

	return c->requests ? (double)misses / (double)c->requests : 0;
}

void ws_counts_add(struct ws_counts *to, const struct ws_counts *from)
{
	to->requests += from->requests;
	to->hits += from->hits;
	to->pending += from->pending;
	to->misses += from->misses;
	to->cold += from->cold;
	to->capacity += from->capacity;
	to->conflict += from->conflict;
	to->uncached += from->uncached;
}

/* Whether parts add up to whole without overflow. */
static bool adds_up(uint64_t whole, const uint64_t *part, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (part[i] > whole)
			return false;
		whole -= part[i];
	}
	return whole == 0;
}

bool ws_counts_check(const struct ws_counts *c)
{
	const uint64_t all[] = { c->hits, c->pending, c->misses };
	const uint64_t missed[] = { c->cold, c->capacity, c->conflict, c->uncached };

	return adds_up(c->requests, all, WS_COUNT(all)) &&
	       adds_up(c->misses, missed, WS_COUNT(missed));
}

/* ---- can the profile answer? ------------------------------------------------------ */

static const char *policy_name(size_t i, const void *context)
{
	(void)context;
	return ws_policies[i]->name;
}

static enum ws_status unknown_policy(const char *name, struct ws_err *err)
{
	size_t count = 0, len = 0;
	char list[512] = "";
	int near;

	while (ws_policies[count])
		count++;
	near = ws_nearest_name(name, count, policy_name, NULL);
	if (near >= 0)
		return ws_fail(err, WS_EINVAL, "no policy \"%.*s\"; did you mean \"%s\"?",
			       WS_NAME_MAX, name, ws_policies[near]->name);
	for (size_t i = 0; i < count && len < sizeof(list); i++)
		len += (size_t)snprintf(list + len, sizeof(list) - len, "%s%s", i ? ", " : "",
					ws_policies[i]->name);
	return ws_fail(err, WS_EINVAL, "no policy \"%.*s\"; there are: %s", WS_NAME_MAX, name,
		       list);
}

static enum ws_status check_key(const struct ws_machine *has, const struct ws_machine *asked,
				const struct ws_key *key, struct ws_err *err)
{
	char want[2 * WS_NAME_MAX], got[2 * WS_NAME_MAX];

	ws_machine_get(has, key, want, sizeof(want));
	ws_machine_get(asked, key, got, sizeof(got));
	if (!strcmp(want, got))
		return WS_OK;
	return ws_fail(err, WS_EINVAL, "the profile was made with %s = %s, not %s: profile the "
		       "trace again with %s=%s", key->name, want, got, key->name, got);
}

/* What shaped the distances is compared as the texts of its keys. */
static enum ws_status check_cache(const struct ws_profile *p, const struct ws_cache *cache,
				  struct ws_err *err)
{
	static const char *const fixed[] = { "l1.line", "l1.sector", "l1.hash", "l1.write" };
	struct ws_machine asked = p->machine;
	enum ws_status status = WS_OK;

	asked.l1 = *cache;
	for (size_t i = 0; i < WS_COUNT(fixed) && !status; i++)
		status = check_key(&p->machine, &asked, ws_key_find(fixed[i]), err);
	if (!status && cache->ways == 0)
		status = ws_fail(err, WS_EINVAL, "a cache of 0 ways: expected at least 1");
	return status;
}

static enum ws_status no_geometry(const struct ws_section *s, uint64_t sets, struct ws_err *err)
{
	char list[512] = "";
	size_t len = 0;

	for (size_t i = 0; i < s->geometries && len < sizeof(list) - 32; i++)
		len += (size_t)snprintf(list + len, sizeof(list) - len, "%s%" PRIu64,
					i ? ", " : "", s->geometry[i].sets);
	return ws_fail(err, WS_EINVAL, "the profile holds no distances for %" PRIu64 " sets, but "
		       "for %s%s: profile the trace again for them", sets, list,
		       len < sizeof(list) - 32 ? "" : ", ...");
}

enum ws_status ws_predict(const struct ws_profile *p, size_t section,
			  const struct ws_cache *cache, struct ws_prediction *out,
			  struct ws_err *err)
{
	const struct ws_policy *policy = ws_policy_find(cache->policy);
	struct ws_counts *all = out->kind + WS_KINDS;
	enum ws_status status;

	if (section >= p->sections)
		return ws_fail(err, WS_EINVAL, "kernel %zu of a profile of %zu", section,
			       p->sections);
	if (!policy)
		return unknown_policy(cache->policy, err);
	status = check_cache(p, cache, err);
	if (status)
		return status;
	if (!ws_section_geometry(p->section + section, cache->sets))
		return no_geometry(p->section + section, cache->sets, err);
	memset(out, 0, sizeof(*out));
	out->basis = policy->basis;
	status = policy->predict(cache, p->section + section, out, err);
	for (unsigned kind = 0; kind < WS_KINDS && !status; kind++) {
		ws_counts_add(all, out->kind + kind);
		if (!ws_counts_check(out->kind + kind))
			status = ws_fail(err, WS_EIO, "internal error: the counts of policy %s do "
					 "not add up", policy->name);
	}
	return status;
}
