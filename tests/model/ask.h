/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/model/ask.h -- a policy's prediction for one set of so many ways, checked for soundness.
 */
#ifndef WS_TEST_ASK_H
#define WS_TEST_ASK_H

#include <inttypes.h>

#include "model/model.h"
#include "tests/test.h"

static inline bool sound(const struct ws_prediction *p)
{
	bool ok = true;

	for (unsigned kind = 0; kind <= WS_KINDS; kind++) {
		double m = ws_miss_ratio(p->kind + kind, false);

		ok = ok && ws_counts_check(p->kind + kind) && p->low[kind] >= 0 &&
		     p->low[kind] <= m && m <= p->high[kind] && p->high[kind] <= 1 &&
		     p->error_pp[kind] >= 0 && p->error_pp[kind] <= 100;
	}
	return ok;
}

static inline struct ws_prediction ask(const struct ws_profile *p, const char *policy,
				       uint64_t ways)
{
	struct ws_cache cache = p->machine.l1;
	struct ws_prediction out = { 0 };
	struct ws_err err = { 0 };

	cache.sets = 1;
	cache.ways = ways;
	cache.size_bytes = ways * cache.line_bytes;
	snprintf(cache.policy, sizeof cache.policy, "%s", policy);
	test_ok(!ws_predict(p, 0, &cache, &out, &err) && sound(&out), "%s, %" PRIu64 " ways %s",
		policy, ways, err.text);
	return out;
}

static inline double miss(const struct ws_profile *p, const char *policy, uint64_t ways)
{
	struct ws_prediction out = ask(p, policy, ways);

	return ws_miss_ratio(out.kind + WS_KINDS, false);
}

#endif
