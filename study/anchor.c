/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * study/anchor.c -- the machine whose simulation makes the order of a configuration's requests.
 *
 * It is the configuration's own machine, except for what-ifs and for sizes between those of the
 * grid.  It depends on the configuration alone, and a range of sizes shares few simulations.
 */
#include "study/private.h"

#include <assert.h>
#include <string.h>

/* ---- what the simulation is told ------------------------------------------------------ */

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

/* ---- sizes ---------------------------------------------------------------------------- */

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

enum ws_status ws_anchor_machine(const struct ws_study_plan *plan, uint64_t config,
				 struct ws_machine *m, struct ws_err *err)
{
	const struct ws_machine *named = ws_study_plan_named(plan, config);
	struct ws_machine own;
	enum ws_status status = ws_study_plan_machine(plan, config, &own, err);

	if (status == WS_OK)
		status = ws_study_plan_apply(plan, config, ws_anchor_told, m, err);
	if (status != WS_OK)
		return status;
	/* A sector for longer lines than the machine's own: not sectored. */
	if (m->l1.sector_bytes > m->l1.line_bytes)
		m->l1.sector_bytes = m->l1.line_bytes;
	place_on_grid(&m->l1, &own.l1, 1, named->l1.size_bytes, plan->own);
	place_on_grid(&m->l2, &own.l2, m->l2_slices, named->l2.size_bytes, plan->own);
	return ws_machine_check(m, err);
}
