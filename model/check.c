/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * model/check.c -- whether a profile can answer for a cache.
 *
 * It can for every number of ways, every policy, and the lines and set counts that it holds.
 * Distances also depend on sector, hash and write policy: these must be those of the profile.
 */
#include "model/answers.h"

#include <inttypes.h>
#include <string.h>

/* Does what the profile holds of such an L1 depend on the key?  Two keys are exceptions: l1.sector
 * is that of the profile's lines, which may be longer or shorter than its machine's
 * (ws_shape_sector); l1.chunk.tag only matters if there are chunks. */
static bool decides(const struct ws_key *key, const struct ws_cache *l1)
{
	if (key->offset == offsetof(struct ws_machine, l1.sector_bytes))
		return false;
	return key->offset != offsetof(struct ws_machine, l1.chunk_tag_bits) ||
	       ws_organisation_of(l1)->chunks;
}

/* Do the L1s differ only in keys that do not matter (size, policy, times)?  True is certain. */
static bool alike(const struct ws_cache *has, const struct ws_cache *l1)
{
	struct ws_cache as = *l1;

	as.size_bytes = has->size_bytes;
	as.sets = has->sets;
	as.ways = has->ways;
	as.line_bytes = has->line_bytes;
	as.sector_bytes = has->sector_bytes;
	as.sector_else = has->sector_else;
	as.given = has->given;
	as.policy_line = has->policy_line;
	as.latency_cycles = has->latency_cycles;
	as.mshr_entries = has->mshr_entries;
	as.mshr_merge = has->mshr_merge;
	as.alloc = has->alloc;
	memcpy(as.policy, has->policy, sizeof as.policy);
	return memcmp(&as, has, sizeof as) == 0;
}

const struct ws_key *ws_key_other(const struct ws_machine *has, const struct ws_cache *l1,
				  const struct ws_machine *l2)
{
	if (!l2 && alike(&has->l1, l1))
		return NULL;
	for (const struct ws_key *key = ws_keys; key->name; key++) {
		if (key->stage == WS_STAGE_PROFILE && decides(key, l1) &&
		    !ws_key_same_l1(&has->l1, l1, key))
			return key;
		if (l2 && key->stage == WS_STAGE_L2_PROFILE && !ws_key_same(has, l2, key))
			return key;
	}
	return NULL;
}

enum ws_status ws_key_other_fail(const struct ws_machine *has, const struct ws_machine *asked,
				 const struct ws_key *key, const char *what, struct ws_err *err)
{
	char want[2 * WS_NAME_MAX], got[2 * WS_NAME_MAX];

	ws_machine_get(has, key, want, sizeof want);
	ws_machine_get(asked, key, got, sizeof got);
	return ws_fail(err, WS_EINVAL, "the profile%s with %s = %s, not %s: profile the trace "
		       "again with %s=%s", what, key->name, want, got, key->name, got);
}

/* own: the line of the requests.  Sectors of that size are the same as lines. */
static enum ws_status other_sector(const struct ws_cache *cache, uint64_t sector, uint64_t own,
				   struct ws_err *err)
{
	if (cache->sector_bytes >= own && cache->sector_bytes < cache->line_bytes)
		return ws_fail(err, WS_EINVAL, "l1.sector = %" PRIu64 " in lines of %" PRIu64
			       " bytes: with requests for lines of %" PRIu64 ", sectors are "
			       "measured that are shorter than those, or whole lines",
			       cache->sector_bytes, cache->line_bytes, own);
	return ws_fail(err, WS_EINVAL, "the profile has l1.sector = %" PRIu64 " for lines of %"
		       PRIu64 " bytes, not %" PRIu64 ": profile the trace again with l1.sector=%"
		       PRIu64, sector, cache->line_bytes, cache->sector_bytes,
		       cache->sector_bytes);
}

/* Distances beyond 2^WS_DISTANCE_BITS are counted in cells: only whole ones can be told apart. */
static enum ws_status check_ways(uint64_t ways, struct ws_err *err)
{
	if (ways < 1u << WS_DISTANCE_BITS || ways > WS_DISTANCE_MAX ||
	    ws_cell_first(ws_cell((uint32_t)ways, WS_DISTANCE_BITS), WS_DISTANCE_BITS) == ways)
		return WS_OK;
	return ws_fail(err, WS_EINVAL, "a cache of %" PRIu64 " ways: more than %u want 16 to 31 "
		       "times a power of two", ways, 1u << WS_DISTANCE_BITS);
}

enum ws_status ws_answer_check_keys(const struct ws_profile *p, const struct ws_cache *cache,
				    struct ws_err *err)
{
	const struct ws_key *key = ws_key_other(&p->machine, cache, NULL);
	struct ws_machine asked;

	if (key) {
		asked = p->machine;
		asked.l1 = *cache;
		return ws_key_other_fail(&p->machine, &asked, key, " was made", err);
	}
	return check_ways(cache->ways, err);
}

static enum ws_status check_cache(const struct ws_profile *p, const struct ws_cache *cache,
				  struct ws_err *err)
{
	uint64_t sector = ws_shape_sector(&p->machine, cache->line_bytes);

	if (cache->sector_bytes != sector)
		return other_sector(cache, sector, p->machine.l1.line_bytes, err);
	return ws_answer_check_keys(p, cache, err);
}

/* "1, 8, 16 of 128 B; 1, 32 of 32 B": the sets of each line. */
static void list_shapes(const struct ws_section *s, char *list, size_t size)
{
	size_t len = 0, i;

	for (i = 0; i < s->geometries && len < size - 48; i++) {
		const struct ws_geometry *g = s->geometry + i;
		bool last = i + 1 == s->geometries || g[1].line_bytes != g->line_bytes;

		len += (size_t)snprintf(list + len, size - len, "%" PRIu64, g->sets);
		if (last)
			len += (size_t)snprintf(list + len, size - len, " of %" PRIu64 " B",
						g->line_bytes);
		if (i + 1 < s->geometries)
			len += (size_t)snprintf(list + len, size - len, last ? "; " : ", ");
	}
	if (i < s->geometries)
		snprintf(list + len, size - len, "...");
}

static enum ws_status no_geometry(const struct ws_section *s, const struct ws_cache *cache,
				  struct ws_err *err)
{
	char list[512] = "";

	list_shapes(s, list, sizeof list);
	return ws_fail(err, WS_EINVAL, "the profile holds no distances for %" PRIu64 " sets of "
		       "lines of %" PRIu64 " B, but for %s: profile the trace again for them",
		       cache->sets, cache->line_bytes, list);
}

/* Does the profile hold what the policy's model reads? */
static enum ws_status check_policy(const struct ws_policy *policy, const struct ws_geometry *g,
				   const struct ws_cache *cache, struct ws_err *err)
{
	if (policy->predict || (cache->ways == 1 && !policy->bypass) ||
	    ws_replay_suits(g, policy))
		return WS_OK;
	if (!policy->solve)
		return ws_fail_remedy(err, WS_REMEDY_DETAIL, "policy %s is predicted from a sample "
				      "of sets, and the profile has none that is enough",
				      policy->name);
	if (!g->detail) /* what is found is told from its references */
		return ws_fail_remedy(err, WS_REMEDY_DETAIL, "policy %s is predicted from reuse "
				      "windows, and the profile holds distances alone: profile all "
				      "lines of the trace again, with details", policy->name);
	return WS_OK;
}

enum ws_status ws_plain_check(const struct ws_cache *cache, const char *what, struct ws_err *err)
{
	if (!ws_organisation_of(cache)->sub_sectors)
		return WS_OK;
	return ws_fail(err, WS_EINVAL, "l1.organisation: %s known of line and sector only, not of "
		       "%s", what, ws_organisation_of(cache)->name);
}

enum ws_status ws_equal_check(const struct ws_cache *cache, const char *what, struct ws_err *err)
{
	char text[2 * WS_NAME_MAX];

	if (!cache->set_ways.runs)
		return WS_OK;
	ws_set_ways_text(&cache->set_ways, text, sizeof text);
	return ws_fail_remedy(err, WS_REMEDY_SIMULATE, "l1.sets.ways = %s: %s predicted of sets of "
			      "equal ways only", text, what);
}

static enum ws_status check_equal(const struct ws_cache *cache, struct ws_err *err)
{
	char what[WS_NAME_MAX + 24];

	if (ws_policy_as_lru(cache))
		return WS_OK;
	snprintf(what, sizeof what, "policy %s is", cache->policy);
	return ws_equal_check(cache, what, err);
}

enum ws_status ws_answer_check(const struct ws_profile *p, size_t section,
			       const struct ws_cache *cache, const struct ws_use *use,
			       const struct ws_geometry **geometry, struct ws_err *err)
{
	enum ws_status status;

	if (section >= p->sections)
		return ws_fail(err, WS_EINVAL, "kernel %zu of a profile of %zu", section,
			       p->sections);
	status = ws_plain_check(cache, "what each array misses is", err);
	if (status == WS_OK)
		status = check_equal(cache, err);
	if (status == WS_OK && use->policy->check)
		status = use->policy->check(use, cache, err);
	if (status == WS_OK)
		status = check_cache(p, cache, err);
	if (status != WS_OK)
		return status;
	*geometry = ws_section_geometry(p->section + section, cache->line_bytes, cache->sets);
	if (!*geometry)
		return no_geometry(p->section + section, cache, err);
	return check_policy(use->policy, *geometry, cache, err);
}
