/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * model/policy/lfu_kumar.c -- the LFU of Kumar, Kalyanaraman and Patil: counts are halved at every
 * access to the set.
 *
 * Exact face: age.h, with a period of 1.
 *
 * Analytic face: LRU, exactly.  Every access halves all counts before anything else.  A count is
 * therefore at most 1, and only until the next access.  When a victim is chosen all counts are 0,
 * and of equal counts the least recent use is evicted.
 */
#include "model/policy/age.h"

#define PERIOD 1u

extern const struct ws_policy ws_policy_lru;

static void lfu_kumar_hit(struct ws_set *set, unsigned way)
{
	ws_age_hit(set, way, PERIOD);
}

static uint64_t lfu_kumar_settle(struct ws_set *set)
{
	return ws_age_settle(set, PERIOD);
}

static unsigned lfu_kumar_victim(struct ws_set *set)
{
	return ws_age_victim(set, PERIOD);
}

static enum ws_status lfu_kumar_predict(const struct ws_query *q, struct ws_prediction *out,
					struct ws_err *err)
{
	return ws_policy_lru.predict(q, out, err);
}

extern const struct ws_policy ws_policy_lfu_kumar;
const struct ws_policy ws_policy_lfu_kumar = {
	.name = "lfu-kumar",
	.summary = "LFU whose counts are halved at every access to the set: lfu-age:1",
	.source = "Kumar, Kalyanaraman, Patil: Extending cache replacement policies of GPGPU-Sim "
		  "(SRRIP, BRRIP, LFU), North Carolina State University",
	.gpgpusim = 'H',
	.variant = true,
	.basis = WS_EXACT,
	.way_words = 1,
	.on_hit = lfu_kumar_hit,
	.on_fill = ws_count_fill,
	.victim = lfu_kumar_victim,
	.settle = lfu_kumar_settle, .ways_alike = true,
	.predict = lfu_kumar_predict,
};
