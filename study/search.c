/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * study/search.c -- the space of a search: default ranges, and which combinations are possible
 * machines and small enough.
 */
#include "study/private.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

const struct ws_cache *ws_study_plan_cache(const struct ws_study_plan *plan,
					   const struct ws_machine *m)
{
	return plan->l1 ? &m->l1 : &m->l2;
}

/* ---- what is left out ------------------------------------------------------------ */

/* Does the profile hold the caches, or is there none? */
static enum ws_status check_held(const struct ws_study_plan *plan, const struct ws_profile *profile,
				 const struct ws_machine *m, struct ws_err *err)
{
	struct ws_shapes one = { 0 };
	enum ws_status status = WS_OK;

	if (!profile || !profile->sections)
		return WS_OK;
	if (plan->l1)
		status = ws_shapes_add(&one, m->l1.line_bytes, m->l1.sets, err);
	if (status == WS_OK)
		status = ws_shapes_check(&one, profile, err);
	if (status == WS_OK && plan->l1)
		status = ws_predict_check(profile, 0, &m->l1, err);
	if (status == WS_OK && plan->l2)
		status = ws_predict_l2_check(profile, 0, m, err);
	ws_shapes_clear(&one);
	return status;
}

/* Chunks are told apart in so many ways only. */
static enum ws_status check_chunks(const struct ws_study_plan *plan, const struct ws_machine *m,
				   struct ws_err *err)
{
	if (!plan->l1 || !ws_organisation_of(&m->l1)->sub_sectors || m->l1.ways <= WS_CHUNK_LINES)
		return WS_OK;
	return ws_fail(err, WS_EINVAL, "chunks in %" PRIu64 " ways: up to %u are predicted",
		       m->l1.ways, WS_CHUNK_LINES);
}

/* An element's machine.  *why is WS_OK, or why there is no such machine.  What is wrong whatever
 * the other values are is an error. */
static enum ws_status try_element(const struct ws_study_plan *plan,
				  const struct ws_profile *profile,
				  uint64_t i, struct ws_machine *m, struct ws_err *why,
				  struct ws_err *err)
{
	enum ws_status status = ws_study_plan_apply(plan, i, NULL, m, err), possible;

	if (status == WS_OK)
		status = ws_policy_named(m, err);
	if (status != WS_OK)
		return status;
	*why = (struct ws_err){ 0 };
	possible = ws_machine_check(m, why);
	if (possible == WS_OK)
		possible = ws_policy_check(m, why);
	if (possible == WS_OK && plan->l2)
		possible = ws_policy_check_l2(m, why);
	if (possible == WS_OK)
		possible = check_chunks(plan, m, why);
	if (possible == WS_OK)
		possible = check_held(plan, profile, m, why);
	return possible == WS_ENOMEM ? ws_fail_as(err, why) : WS_OK;
}

enum ws_status ws_fits_none(uint64_t budget, uint64_t smallest, struct ws_err *err)
{
	return ws_fail(err, WS_EINVAL, "nothing fits into %" PRIu64 " bytes: the smallest of the "
		       "caches asked for has %" PRIu64, budget, smallest);
}

static enum ws_status none_left(const struct ws_study_plan *plan, const struct ws_study_options *o,
				uint64_t smallest, const struct ws_err *why, struct ws_err *err)
{
	if (plan->too_large)
		return ws_fits_none(o->budget, smallest, err);
	return ws_fail(err, WS_EINVAL, "none of the %" PRIu64 " combinations is possible; the "
		       "first: %s", plan->impossible, why->text);
}

enum ws_status ws_study_plan_leave_out(struct ws_study_plan *plan, const struct ws_study_options *o,
				       const struct ws_profile *profile, struct ws_err *err)
{
	uint32_t *kept = ws_alloc(plan->count, sizeof *kept);
	uint64_t smallest = UINT64_MAX, count = 0;
	struct ws_err why, first = { 0 };
	enum ws_status status = kept ? WS_OK : ws_fail_memory(err, "the configurations");
	struct ws_machine m;

	for (uint64_t i = 0; i < plan->count && status == WS_OK; i++) {
		uint64_t size;

		status = try_element(plan, profile, i, &m, &why, err);
		if (status != WS_OK)
			break;
		size = ws_study_plan_cache(plan, &m)->size_bytes;
		if (why.status != WS_OK) {
			if (!plan->impossible++)
				first = why;
		} else if (o->budget && size > o->budget && (!plan->l1 || !ws_machine_adapts(&m))) {
			plan->too_large++;
			smallest = size < smallest ? size : smallest;
		} else {
			assert(count <= i);
			kept[count++] = (uint32_t)i;
		}
	}
	assert(count <= plan->count);
	if (status == WS_OK && !count)
		status = none_left(plan, o, smallest, &first, err);
	if (status != WS_OK) {
		free(kept);
		return status;
	}
	plan->element = kept;
	plan->count = count;
	return WS_OK;
}

/* ---- ranges ------------------------------------------------------------------------- */

#define OCTAVES 3u		/* below the budget */
#define WAYS "1,2,4,8,16,32"

struct ranges {			/* texts that are being made */
	struct ws_search *search;
	const char *cache;	/* "l1" */
	size_t count;
};

static enum ws_status add_range(struct ranges *r, const char *key, const char *values,
				struct ws_err *err)
{
	struct ws_buf text = { 0 };
	const char *part[] = { r->cache, ".", key, "=", values };

	for (size_t i = 0; i < WS_COUNT(part); i++)
		ws_put_bytes(&text, part[i], strlen(part[i]));
	ws_put_u8(&text, 0);
	r->search->text[r->count++] = (char *)text.data;
	if (text.failed || !ws_list_add(&r->search->vary, (const char *)text.data))
		return ws_fail_memory(err, "the ranges");
	return WS_OK;
}

/* Puts the number behind the others of the list, if it is none of them. */
static void put_number(char *list, size_t len, uint64_t value)
{
	char number[24];
	size_t used = strlen(list), n = (size_t)snprintf(number, sizeof number, "%" PRIu64, value);

	for (const char *p = list; *p; p += strcspn(p, ","), p += *p == ',')
		if (strcspn(p, ",") == n && memcmp(p, number, n) == 0)
			return;
	snprintf(list + used, len - used, "%s%s", used ? "," : "", number);
}

/* The sizes, the smallest first: the budget's octaves, powers of two and the cache's own octaves
 * from an eighth of the budget on.  Those up to the cache's own size say what the smallest is. */
static void list_sizes(const struct ws_cache *own, uint64_t budget, char *list, size_t len)
{
	const uint64_t limit = ws_key_find("l1.size")->max;
	uint64_t least = budget >> OCTAVES, most = budget > own->size_bytes ? budget
			 : own->size_bytes;

	most = most < limit ? most : limit;
	least = least < most >> OCTAVES ? least : most >> OCTAVES; /* of a budget beyond all
								    * limits */
	least = least > own->line_bytes ? least : own->line_bytes;
	for (uint64_t two = UINT64_C(1) << ws_log2(least); two <= most; two *= 2) {
		const uint64_t base[] = { UINT64_C(1) << 63, budget, own->size_bytes };

		for (size_t i = 0; i < WS_COUNT(base); i++) { /* each has one in [two, 2 two) */
			unsigned up = ws_log2(two), at = ws_log2(base[i]);
			uint64_t size = at > up ? base[i] >> (at - up) : base[i] << (up - at);
			bool whole = at <= up || size << (at - up) == base[i];

			if (whole && size >= least && size <= most)
				put_number(list, len, size);
		}
	}
}

/* More ways than those that are usual: the cache's own, and those that keep its sets. */
static void list_ways(const struct ws_cache *own, uint64_t slices, const char *sizes, char *list,
		      size_t len)
{
	const uint64_t way = slices * own->sets * own->line_bytes;

	snprintf(list, len, WAYS);
	put_number(list, len, own->ways);
	for (const char *p = sizes; *p; p += strcspn(p, ","), p += *p == ',') {
		uint64_t size = strtoull(p, NULL, 10);

		if (size % way == 0 && size / way && size / way < 64)
			put_number(list, len, size / way);
	}
}

/* Has the model such an organisation for the cache, and does it say something else than lines do?
 * None of time in chunks, and none whose parameter would have to be chosen. */
static bool searched(const struct ws_organisation *o, const struct ws_cache *own, bool latency)
{
	if (!o->predicted || (o->high && !o->pow2))
		return false;
	if (o->chunks)
		return own->line_bytes == WS_GRAIN_LINE && !latency;
	return !o->sectors || (own->sector_bytes == own->line_bytes &&
			       own->line_bytes > WS_SECTOR_BYTES);
}

static enum ws_status add_organisations(struct ranges *r, const struct ws_cache *own, bool latency,
					struct ws_err *err)
{
	char list[128] = "", text[WS_NAME_MAX];
	size_t used = 0;

	if (!ws_organised_plainly(own)) /* it was asked for */
		return WS_OK;
	for (unsigned i = 0; i < WS_ORGANISATIONS; i++) {
		struct ws_organised one = { (enum ws_organised_as)i, ws_organisations[i].low };

		if (!searched(&ws_organisations[i], own, latency))
			continue;
		do {
			ws_organisation_text(&one, text, sizeof text);
			used += (size_t)snprintf(list + used, sizeof list - used, "%s%s",
						 used ? "," : "", text);
			one.parameter *= 2;
		} while (one.parameter && one.parameter <= ws_organisations[i].high);
	}
	return add_range(r, "organisation", list, err);
}

static bool is_set(const struct ws_study_options *o, const char *key)
{
	for (size_t i = 0; i < o->set.count; i++)
		if (ws_assigned_key(o->set.item[i]) == ws_key_find(key))
			return true;
	return false;
}

enum ws_status ws_search_init(struct ws_search *s, const struct ws_study_options *o,
			      const struct ws_profile *profile, struct ws_err *err)
{
	struct ranges r = { s, o->levels == WS_STUDY_L2 ? "l2" : "l1", 0 };
	char sizes[1024] = "", ways[512] = "";
	const struct ws_cache *own;
	struct ws_machine m;
	enum ws_status status = WS_OK;
	bool l1 = o->levels != WS_STUDY_L2;

	*s = (struct ws_search){ .text = { NULL } };
	if (profile && !o->machine)
		m = profile->machine;
	else
		status = ws_study_load(o, o->machine ? o->machine : WS_MACHINE_DEFAULT, false, &m,
				       err);
	if (status == WS_OK)
		status = ws_study_set(&m, &o->set, err);
	if (status == WS_OK)
		status = ws_machine_check(&m, err);
	if (status != WS_OK)
		return status;
	own = l1 ? &m.l1 : &m.l2;
	s->budget = o->budget ? o->budget : own->size_bytes;
	list_sizes(own, s->budget, sizes, sizeof sizes);
	list_ways(own, l1 ? 1 : m.l2_slices, sizes, ways, sizeof ways);
	if (!is_set(o, l1 ? "l1.size" : "l2.size"))
		status = add_range(&r, "size", sizes, err);
	if (status == WS_OK && !is_set(o, l1 ? "l1.ways" : "l2.ways"))
		status = add_range(&r, "ways", ways, err);
	if (status == WS_OK && l1 && !profile && !is_set(o, "l1.organisation"))
		status = add_organisations(&r, own, o->latency, err);
	if (status == WS_OK && !is_set(o, l1 ? "l1.policy" : "l2.policy"))
		status = add_range(&r, "policy", "all", err);
	return status;
}

void ws_search_clear(struct ws_search *s)
{
	for (size_t i = 0; i < WS_SEARCH_RANGES; i++)
		free(s->text[i]);
	ws_list_clear(&s->vary);
	*s = (struct ws_search){ .text = { NULL } };
}
