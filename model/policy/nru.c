/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * model/policy/nru.c -- not recently used: one bit a line.
 *
 * Exact face: a way's bit is 1 if it was not used since all bits were last set.  They are set when
 * a victim is needed and no bit is 1.  Way w is bit w % 64 of word w / 64, so a victim costs O(ways
 * / 64).
 *
 * Analytic face: LRU, whose error is smaller than that of a clock model.  The clock of ageing
 * epochs (model/solve/epochs.c) estimates how large the error may be.
 */
#include "base/bits.h"
#include "model/policy/draw.h"
#include "model/solve/epochs.h"

static void nru_touch(struct ws_set *set, unsigned way)
{
	ws_bit_clear(set->meta, way);
}

static unsigned nru_victim(struct ws_set *set)
{
	unsigned words = (set->ways + 63) / 64;

	for (unsigned i = 0; i < words; i++)
		if (set->meta[i])
			return i * 64 + ws_lowest_bit(set->meta[i]);
	for (unsigned i = 0; i < words; i++)
		set->meta[i] = UINT64_MAX;
	set->meta[words - 1] >>= words * 64 - set->ways;
	return 0;
}

static enum ws_status nru_solve(const struct ws_query *q, struct ws_solution *out,
				struct ws_err *err)
{
	struct ws_epochs rule = ws_epochs_srrip(1, false);

	return ws_epochs_near_lru(q, &rule, out, err);
}

extern const struct ws_policy ws_policy_nru;
const struct ws_policy ws_policy_nru = {
	.name = "nru",
	.summary = "not recently used: a bit a line, cleared by a use; the lowest set one goes",
	.source = "Jaleel, Theobald, Steely, Emer: High performance cache replacement using "
		  "re-reference interval prediction (RRIP), ISCA 2010",
	.basis = WS_APPROX,
	.mean_pp = 0.01, .max_pp = 0.17,
	.way_words = 1,
	.on_hit = nru_touch,
	.on_fill = nru_touch,
	.victim = nru_victim,
	.settle = ws_settle_nothing,
	.needs = WS_RECORD_DETAIL,
	.solve = nru_solve,
};
