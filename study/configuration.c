/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * study/configuration.c -- a configuration's values, and two of its machines (study.h): its own and
 * the anchor, whose simulation makes the order of its requests.
 *
 * A configuration is a number, of an element of the product: that one's digits, the last varied
 * key's fastest, choose the values.
 */
#include "study/private.h"

#include <assert.h>
#include <string.h>

/* No key of a machine: it chooses the machine whose other keys are set. */
const struct ws_key ws_study_machine_key = {
	.name = "machine", .type = WS_KEY_TEXT, .stage = WS_STAGE_ORDER,
	.help = "a preset, a .conf file or a gpgpusim.config",
};

bool ws_study_is_machine(const struct ws_key *key)
{
	return key == &ws_study_machine_key;
}

static uint64_t element(const struct ws_study_plan *plan, uint64_t config)
{
	assert(config < plan->count);
	return plan->element ? plan->element[config] : config;
}

size_t ws_study_plan_digit(const struct ws_study_plan *plan, uint64_t config, size_t v)
{
	assert(v < plan->varies && plan->vary[v].count);
	config = element(plan, config);
	for (size_t i = plan->varies; i-- > v + 1;)
		config /= plan->vary[i].count;
	return (size_t)(config % plan->vary[v].count);
}

const char *ws_study_plan_value(const struct ws_study_plan *plan, uint64_t config, size_t v)
{
	return plan->vary[v].value[ws_study_plan_digit(plan, config, v)];
}

static const struct ws_machine *named_machine(const struct ws_study_plan *plan, uint64_t config)
{
	size_t v = plan->machine_vary;

	return &plan->named[v < plan->varies ? ws_study_plan_digit(plan, config, v) : 0];
}

enum ws_status ws_study_plan_apply(const struct ws_study_plan *plan, uint64_t config,
				   bool (*take)(const struct ws_study_plan *plan,
						const struct ws_key *key),
				   struct ws_machine *m, struct ws_err *err)
{
	enum ws_status status = WS_OK;

	*m = *named_machine(plan, config);
	for (size_t i = 0; i < plan->set.count && status == WS_OK; i++)
		if (!take || take(plan, ws_assigned_key(plan->set.item[i])))
			status = ws_machine_set(m, plan->set.item[i], err);
	for (size_t v = 0; v < plan->varies && status == WS_OK; v++)
		if (v != plan->machine_vary && (!take || take(plan, plan->vary[v].key)))
			status = ws_machine_set_key(m, plan->vary[v].key,
						    ws_study_plan_value(plan, config, v), err);
	return status;
}

enum ws_status ws_study_plan_machine(const struct ws_study_plan *plan, uint64_t config,
				     struct ws_machine *m, struct ws_err *err)
{
	enum ws_status status;

	if (plan->machine_vary == plan->varies) { /* `set` is in it already */
		status = ws_vary_set(&plan->machine, plan->vary, plan->varies,
				     element(plan, config), m, err);
		if (status == WS_OK)
			status = plan->passed ? ws_machine_settle(m, err)
				: ws_machine_check_like(m, plan->checked ? &plan->first : NULL,
							err);
		return status == WS_OK ? ws_machine_single(m, err) : status;
	}
	status = ws_study_plan_apply(plan, config, NULL, m, err);
	if (status == WS_OK)
		status = ws_machine_single(m, err);
	return status == WS_OK ? ws_machine_check(m, err) : status;
}

enum ws_status ws_study_plan_check(const struct ws_study_plan *plan, uint64_t config,
				   struct ws_beside *beside, struct ws_machine *m,
				   struct ws_err *err)
{
	enum ws_status status;

	if (plan->machine_vary < plan->varies) {
		status = ws_study_plan_machine(plan, config, m, err);
		if (status == WS_OK && beside->like)
			beside->blocks = ws_machine_blocks(m, beside->like);
		return status;
	}
	status = ws_vary_set(&plan->machine, plan->vary, plan->varies, element(plan, config), m,
			     err);
	if (status == WS_OK)
		status = ws_machine_check_beside(m, beside, err);
	return status == WS_OK ? ws_machine_single(m, err) : status;
}

/* ---- what is asked about, and when a key is read ----------------------------------------- */

void ws_study_plan_levels(struct ws_study_plan *plan, const struct ws_study_options *o,
			  const struct ws_profile *profile)
{
	unsigned levels = o->levels ? o->levels : WS_STUDY_L1;

	plan->l1 = levels & WS_STUDY_L1;
	plan->l2 = levels & WS_STUDY_L2;
	plan->timed = o->latency;
	plan->behind = plan->l2 || (o->latency && (!profile || profile->behinds));
}

static bool among(const char *name, const char *const *list)
{
	for (; *list; list++)
		if (strcmp(name, *list) == 0)
			return true;
	return false;
}

static bool varied(const struct ws_study_plan *plan, const struct ws_key *key)
{
	for (size_t v = 0; v < plan->varies; v++)
		if (plan->vary[v].key == key)
			return true;
	return false;
}

bool ws_anchor_told(const struct ws_study_plan *plan, const struct ws_key *key)
{
	static const char *const never[] = { "l1.size", "l1.sets", "l1.ways", "l2.size", "l2.sets",
					     "l2.ways", "l1.line", "count_pending", NULL };
	static const char *const what_if[] = { "l1.policy", "l2.policy", "l1.organisation", NULL };

	if (key->stage == WS_STAGE_LABEL || among(key->name, never))
		return false;
	if (plan->l2_what_if && strncmp(key->name, "l2.", 3) == 0 && varied(plan, key))
		return false;
	return plan->own || (!among(key->name, what_if) &&
			     strncmp(key->name, "l1.chunk.", 9) != 0 &&
			     strncmp(key->name, "l1.grain.", 9) != 0);
}

/* Is a sectored L1 asked about?  It needs a profile of its own; all others are answered by one of
 * whole lines. */
static bool apart(const struct ws_study_plan *plan)
{
	const struct ws_organisation *o;

	for (size_t v = 0; v < plan->varies; v++) {
		if (plan->vary[v].key->type != WS_KEY_ORGANISATION)
			continue;
		for (size_t i = 0; i < plan->vary[v].count; i++) {
			o = ws_organisation_find(plan->vary[v].value[i]);
			if (o && o->sectors) /* what is none will be refused */
				return true;
		}
		return false;
	}
	return ws_organisation_of(&plan->machine.l1)->sectors;
}

enum ws_stage ws_study_plan_stage(const struct ws_study_plan *plan, const struct ws_key *key)
{
	if (plan->simulated && (ws_study_is_machine(key) || ws_anchor_told(plan, key)))
		return WS_STAGE_ORDER;
	if (key->stage == WS_STAGE_L2_PROFILE)
		return plan->behind ? WS_STAGE_PROFILE : WS_STAGE_CYCLES;
	if (key->stage == WS_STAGE_L2_PREDICT)
		return plan->behind ? WS_STAGE_PREDICT : WS_STAGE_CYCLES;
	/* A trace's windows of chunks are as long as the period. */
	if (!plan->of_profile && (strcmp(key->name, "l1.grain.period") == 0 ||
				  (key->type == WS_KEY_ORGANISATION && apart(plan))))
		return WS_STAGE_PROFILE;
	return key->stage;
}

bool ws_plan_decides_order(const struct ws_study_plan *plan, const struct ws_key *key)
{
	return ws_study_plan_stage(plan, key) <= WS_STAGE_ORDER;
}

bool ws_plan_decides_profile(const struct ws_study_plan *plan, const struct ws_key *key)
{
	return ws_study_plan_stage(plan, key) <= WS_STAGE_PROFILE;
}

/* ---- the anchor -----------------------------------------------------
 *
 * It is the configuration's own machine, except for what-ifs and for sizes between those of the
 * grid.  It depends on the configuration alone, and a range of sizes shares few simulations.
 */

/* The nearest of 4, 5, 6, 7 times a power of two; of two as near, the smaller. */
static uint64_t on_grid(uint64_t size)
{
	unsigned low_bits;
	uint64_t below, above;

	if (size < 4)
		return size;
	low_bits = ws_log2(size) - 2;
	below = size >> low_bits << low_bits;
	above = below + (UINT64_C(1) << low_bits);
	assert(below <= size && size < above);
	return (double)size * (double)size <= (double)below * (double)above ? below : above;
}

/* Gives the cache that many sets and ways, if they make up the size and suit the hash. */
static bool fits(struct ws_cache *c, uint64_t size, uint64_t slices, uint64_t sets, uint64_t ways)
{
	struct ws_cache with = *c;

	if (!sets || !ways || size != slices * sets * ways * c->line_bytes)
		return false;
	with.size_bytes = size;
	with.sets = sets;
	with.ways = ways;
	if (c->hash->check && c->hash->check(&with, NULL) != WS_OK)
		return false;
	*c = with;
	return true;
}

/* c: the named machine's cache, with the keys that are told; own: the configuration's. */
static void place_on_grid(struct ws_cache *c, const struct ws_cache *own, uint64_t slices,
			  uint64_t named_size, bool exactly)
{
	const unsigned all = WS_GIVEN_SIZE | WS_GIVEN_SETS | WS_GIVEN_WAYS;
	uint64_t size = exactly || own->size_bytes == named_size ? own->size_bytes
								 : on_grid(own->size_bytes);
	uint64_t lines = size / c->line_bytes / slices, sets = own->sets, ways = own->ways;
	bool placed = size == own->size_bytes && fits(c, size, slices, sets, ways);

	/* Of another size the sets stay, of another line the ways. */
	placed = placed ||
		 (own->line_bytes == c->line_bytes && fits(c, size, slices, sets, lines / sets)) ||
		 fits(c, size, slices, ways ? lines / ways : 0, ways) ||
		 fits(c, size, slices, c->ways ? lines / c->ways : 0, c->ways) ||
		 fits(c, size, slices, c->sets, lines / c->sets);
	if (!placed) { /* as it is, then */
		c->sets = sets;
		c->ways = ways;
		c->size_bytes = slices * sets * ways * c->line_bytes;
	}
	c->given = own->given & all ? all : 0;
}

void ws_plan_limit_sector(struct ws_cache *c)
{
	if (c->sector_bytes > c->line_bytes)
		c->sector_bytes = c->line_bytes;
}

enum ws_status ws_anchor_machine(const struct ws_study_plan *plan, uint64_t config,
				 struct ws_machine *m, struct ws_err *err)
{
	const struct ws_machine *named = named_machine(plan, config);
	struct ws_machine own;
	enum ws_status status = ws_study_plan_machine(plan, config, &own, err);

	if (status == WS_OK)
		status = ws_study_plan_apply(plan, config, ws_anchor_told, m, err);
	if (status != WS_OK)
		return status;
	ws_plan_limit_sector(&m->l1);
	place_on_grid(&m->l1, &own.l1, 1, named->l1.size_bytes, plan->own);
	place_on_grid(&m->l2, &own.l2, m->l2_slices, named->l2.size_bytes, plan->own);
	return ws_machine_check(m, err);
}
