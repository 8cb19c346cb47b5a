/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * study/policies.c -- l1.policy and l2.policy: lists with parameters, and `all`.
 */
#include "study/private.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define ALL "all"

/* ---- one policy ------------------------------------------------------------ */

static enum ws_status parse_policy(struct ws_use *use, const struct ws_cache *cache,
				   const char *key, struct ws_err *err)
{
	enum ws_status status;
	struct ws_err inner;

	inner.status = WS_OK;	/* its text is not cleared for each row */
	status = ws_use_parse(use, cache->policy, &inner);
	if (status != WS_OK && strcmp(cache->policy, ALL) == 0)
		return ws_fail(err, status, "%s=%s: want one policy; where it is varied it may be "
			       "%s", key, ALL, ALL);
	return status == WS_OK ? status : ws_fail(err, status, "%s: %s", key, inner.text);
}

static enum ws_status check_policy(const struct ws_cache *cache, const char *key,
				   struct ws_err *err)
{
	enum ws_status status;
	struct ws_err inner;
	struct ws_use use;

	inner.status = WS_OK;
	status = parse_policy(&use, cache, key, err);
	if (status != WS_OK)
		return status;
	if (ws_organisation_of(cache)->sub_sectors && !use.policy->of_words)
		return ws_fail(err, WS_EINVAL, "%s=%s: l1.organisation %s replaces by LRU alone: "
			       "want lru", key, cache->policy,
			       ws_organisation_of(cache)->name);
	if (use.policy->check)
		status = use.policy->check(&use, cache, &inner);
	return status == WS_OK ? WS_OK
		: ws_fail(err, status, "%s=%s: %s", key, cache->policy, inner.text);
}

enum ws_status ws_policy_named(const struct ws_machine *m, struct ws_err *err)
{
	struct ws_use use;
	enum ws_status status = parse_policy(&use, &m->l1, "l1.policy", err);

	return status == WS_OK ? parse_policy(&use, &m->l2, "l2.policy", err) : status;
}

enum ws_status ws_policy_check(const struct ws_machine *m, struct ws_err *err)
{
	struct ws_use use;
	enum ws_status status = check_policy(&m->l1, "l1.policy", err);

	return status == WS_OK ? parse_policy(&use, &m->l2, "l2.policy", err) : status;
}

enum ws_status ws_policy_check_l2(const struct ws_machine *m, struct ws_err *err)
{
	return check_policy(&m->l2, "l2.policy", err);
}

/* What is wrong with the cache's policy, as of the file. */
static enum ws_status at_line(const struct ws_cache *cache, const char *file, enum ws_status status,
			      const struct ws_err *inner, struct ws_err *err)
{
	if (status == WS_OK || status == WS_ENOMEM)
		return status == WS_OK ? status : ws_fail_memory(err, "a policy");
	if (cache->policy_line)
		return ws_fail(err, WS_EFORMAT, "%s:%" PRIu32 ": %s", file, cache->policy_line,
			       inner->text);
	return ws_fail(err, WS_EFORMAT, "%s: %s", file, inner->text);
}

enum ws_status ws_policy_loaded(const struct ws_study_options *o, const struct ws_machine *m,
				 const char *file, struct ws_err *err)
{
	struct ws_err inner = { 0 };
	struct ws_use use;
	enum ws_status status = parse_policy(&use, &m->l1, "l1.policy", &inner);

	/* Else the policy may suit the cache only with what is set or varied. */
	if (status == WS_OK && o->set.count == 0 && o->vary.count == 0 &&
	    (use.policy->check || ws_organisation_of(&m->l1)->sub_sectors))
		status = check_policy(&m->l1, "l1.policy", &inner);
	if (status != WS_OK)
		return at_line(&m->l1, file, status, &inner, err);
	status = parse_policy(&use, &m->l2, "l2.policy", &inner);
	return at_line(&m->l2, file, status, &inner, err);
}

bool ws_policy_modelled(const struct ws_cache *cache)
{
	const struct ws_policy *policy = ws_policy_find(cache->policy);

	if (!ws_organisation_of(cache)->predicted)
		return false;
	return ws_policy_as_lru(cache) || policy;
}

enum ws_status ws_policy_must_model(const struct ws_cache *cache, const char *hint,
				    struct ws_err *err)
{
	if (ws_policy_modelled(cache))
		return WS_OK;
	if (ws_organisation_of(cache)->sub_sectors)
		return ws_fail(err, WS_EINVAL, "l1.organisation %s has no model, only a "
			       "simulation: %s", ws_organisation_of(cache)->name, hint);
	return ws_fail(err, WS_EINVAL, "policy %s has no model, only a simulation: %s",
		       cache->policy, hint);
}

unsigned ws_policy_needs(const char *text)
{
	const struct ws_policy *policy = ws_policy_find(text);

	/* A sample of sets tells more of a policy than what its model reads besides. */
	return policy && !policy->predict ? WS_RECORD_DETAIL | WS_RECORD_SETS : 0;
}

size_t ws_policy_place(const struct ws_cache *cache)
{
	const struct ws_policy *policy = ws_policy_find(cache->policy);
	size_t i = 0;

	while (ws_policies[i] && ws_policies[i] != policy)
		i++;
	return i;
}

bool ws_policies_same(const struct ws_machine *a, const struct ws_machine *b, bool l2)
{
	return strcmp(a->l1.policy, b->l1.policy) == 0 &&
	       (!l2 || strcmp(a->l2.policy, b->l2.policy) == 0);
}

/* ---- lists ------------------------------------------------------- */

struct texts {
	char **value;
	size_t count, cap;
};

static void clear_texts(struct texts *t)
{
	for (size_t i = 0; i < t->count; i++)
		free(t->value[i]);
	free(t->value);
	*t = (struct texts){ 0 };
}

static enum ws_status add_text(struct texts *t, const char *text, struct ws_err *err)
{
	char *copy = WS_ROOM(t->value, t->cap, t->count + 1) ? ws_strdup(text) : NULL;

	if (!copy)
		return ws_fail_memory(err, "the policies");
	t->value[t->count++] = copy;
	return WS_OK;
}

/* Is the item no policy, but one more parameter of the one before it? */
static bool continues(const struct texts *t, const char *item)
{
	return t->count && strchr(t->value[t->count - 1], ':') && !ws_policy_find(item) &&
	       strcmp(item, ALL) != 0;
}

static enum ws_status append(struct texts *t, const struct ws_key *key, const char *item,
			     struct ws_err *err)
{
	char **last = &t->value[t->count - 1], joined[2 * WS_NAME_MAX], *copy;
	struct ws_machine scratch = { .name = "" };
	enum ws_status status;

	snprintf(joined, sizeof joined, "%s,%s", *last, item);
	status = ws_machine_set_key(&scratch, key, joined, err); /* it may be too long by now */
	if (status != WS_OK)
		return status;
	copy = ws_strdup(joined);
	if (!copy)
		return ws_fail_memory(err, "the policies");
	free(*last);
	*last = copy;
	return WS_OK;
}

static bool named(char *const *value, size_t count, const char *name)
{
	for (size_t i = 0; i < count; i++)
		if (strcmp(value[i], name) == 0)
			return true;
	return false;
}

static bool in_all(const struct ws_policy *policy)
{
	return !policy->variant && (policy->predict || policy->solve);
}

/* `all` stands for those that have a model, are no variant, and are not named besides. */
static enum ws_status expand(struct texts *out, const struct texts *in, struct ws_err *err)
{
	enum ws_status status = WS_OK;

	for (size_t i = 0; i < in->count && status == WS_OK; i++) {
		if (strcmp(in->value[i], ALL) != 0) {
			status = add_text(out, in->value[i], err);
			continue;
		}
		for (size_t p = 0; ws_policies[p] && status == WS_OK; p++)
			if (in_all(ws_policies[p]) &&
			    !named(in->value, in->count, ws_policies[p]->name) &&
			    !named(out->value, out->count, ws_policies[p]->name))
				status = add_text(out, ws_policies[p]->name, err);
	}
	return status;
}

bool ws_policies_key(const struct ws_key *key)
{
	return key->type == WS_KEY_NAME && (strcmp(key->name, "l1.policy") == 0 ||
					    strcmp(key->name, "l2.policy") == 0);
}

enum ws_status ws_policies_list(struct ws_vary *v, struct ws_err *err)
{
	struct texts joined = { 0 }, all = { 0 };
	enum ws_status status = WS_OK;

	for (size_t i = 0; i < v->count && status == WS_OK; i++)
		status = continues(&joined, v->value[i])
			? append(&joined, v->key, v->value[i], err)
			: add_text(&joined, v->value[i], err);
	if (status == WS_OK)
		status = expand(&all, &joined, err);
	clear_texts(&joined);
	if (status != WS_OK) {
		clear_texts(&all);
		return status;
	}
	joined = (struct texts){ v->value, v->count, 0 };
	clear_texts(&joined);
	v->value = all.value;
	v->count = all.count;
	return WS_OK;
}

