/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * validate/pchase/apply.c -- what was found, as keys of a machine.
 */
#include "validate/pchase.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static enum ws_status apply_text(struct ws_machine *m, const char *key, const char *value,
				 struct ws_err *err)
{
	char text[WS_CHASE_TEXT + WS_NAME_MAX];

	snprintf(text, sizeof text, "%s=%s", key, value);
	return ws_machine_set(m, text, err);
}

static enum ws_status apply_value(struct ws_machine *m, const char *key, struct ws_chase_value v,
				  struct ws_err *err)
{
	char number[24];

	if (!(v.confidence > 0))
		return WS_OK;
	snprintf(number, sizeof number, "%" PRIu64, v.value);
	return apply_text(m, key, number, err);
}

/* Levels from the L1 on, each on top of the one before. */
static enum ws_status apply_latencies(const struct ws_chase *found, struct ws_machine *m,
				      struct ws_err *err)
{
	static const char *const key[] = { "l1.latency", "l2.latency", "dram.latency" };
	enum ws_status status = WS_OK;
	double before = 0;

	for (size_t i = 0; i < found->levels && i < WS_COUNT(key) && status == WS_OK; i++) {
		double cycles = i && found->tlbs ? found->behind[i - 1] : found->level[i].cycles;
		struct ws_chase_value v = { (uint64_t)rint(cycles - before), 1 };

		status = apply_value(m, key[i], v, err);
		before = cycles;
	}
	return status;
}

/* Sets and ways; sets that differ. */
static enum ws_status apply_sets(const struct ws_chase *found, struct ws_machine *m,
				 struct ws_err *err)
{
	struct ws_set_ways differ = { .runs = 0 };
	char text[2 * WS_NAME_MAX];
	bool fits = true;
	enum ws_status status = WS_OK;

	m->l1.given &= ~(unsigned)(WS_GIVEN_SIZE | WS_GIVEN_SETS | WS_GIVEN_WAYS);
	for (size_t i = 0; found->unequal && i < found->sets.value && fits; i++)
		fits = ws_set_ways_add(&differ, 1, found->set_ways[i]);
	if (!fits || ws_set_ways_text(&differ, text, sizeof text) >= sizeof text)
		return ws_fail(err, WS_EINVAL, "%" PRIu64 " sets of unequal size, in more runs "
			       "than l1.sets.ways takes", found->sets.value);
	if (found->unequal || found->ways.confidence > 0)
		status = apply_text(m, "l1.sets.ways", found->unequal ? text : "equal", err);
	if (status == WS_OK && !found->unequal)
		status = apply_value(m, "l1.sets", found->sets, err);
	if (status == WS_OK && !found->unequal)
		status = apply_value(m, "l1.ways", found->ways, err);
	return status;
}

static enum ws_status apply_tlb(const struct ws_chase *found, unsigned i, struct ws_machine *m,
				struct ws_err *err)
{
	static const char *const key[] = { "tlb.l1", "tlb.l2" };
	static const char *const miss[] = { "tlb.l1.miss", "tlb.l2.miss" };
	const struct ws_chase_tlb *tlb = &found->tlb[i];
	char text[2 * WS_NAME_MAX];
	enum ws_status status = WS_OK;

	if (i >= found->tlbs)
		return apply_text(m, key[i], "none", err);
	if (ws_set_ways_text(&tlb->entries, text, sizeof text) >= sizeof text)
		return ws_fail(err, WS_EINVAL, "a TLB whose sets differ in more runs than %s "
			       "takes", key[i]);
	if (tlb->confidence > 0)
		status = apply_text(m, key[i], text, err);
	return status == WS_OK ? apply_value(m, miss[i], (struct ws_chase_value){
			(uint64_t)rint(tlb->cycles), 1 }, err) : status;
}

static enum ws_status apply_tlbs(const struct ws_chase *found, struct ws_machine *m,
				 struct ws_err *err)
{
	enum ws_status status = apply_value(m, "tlb.page", found->page, err);

	for (unsigned i = 0; i < 2 && status == WS_OK && found->levels; i++)
		status = apply_tlb(found, i, m, err);
	return status;
}

enum ws_status ws_chase_apply(const struct ws_chase *found, struct ws_machine *m,
			      struct ws_err *err)
{
	char policy[WS_CHASE_TEXT];
	enum ws_status status;

	if (found->contradictory)
		return ws_fail(err, WS_EINVAL, "the evidence is contradictory: sets hold other "
			       "numbers of lines together than alone");
	snprintf(policy, sizeof policy, "%.*s", (int)strcspn(found->policy, " "), found->policy);
	status = apply_value(m, "coalesce.line", found->line, err);
	if (status == WS_OK)
		status = apply_value(m, "l1.line", found->line, err);
	if (status == WS_OK)
		status = apply_value(m, "l1.sector", found->sector, err);
	if (status == WS_OK)
		status = apply_sets(found, m, err);
	if (status == WS_OK && found->hash_confidence > 0)
		status = apply_text(m, "l1.hash", found->hash, err);
	if (status == WS_OK && found->policy_confidence > 0)
		status = apply_text(m, "l1.policy", policy, err);
	if (status == WS_OK)
		status = apply_latencies(found, m, err);
	if (status == WS_OK)
		status = apply_tlbs(found, m, err);
	return status == WS_OK ? ws_machine_check(m, err) : status;
}
