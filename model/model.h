/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * model/model.h -- profiles to miss rates, and the table of replacement policies.
 *
 * A policy has two faces.  The exact one is three hooks on a set's words; the
 * simulator (validate/) owns lookup, placement and counting, a policy only
 * ranks.  The analytic one predicts the counts from a profile.
 *
 * To add a policy:
 *   1. model/policy/<name>.c with a `const struct ws_policy ws_policy_<name>`;
 *   2. its row in POLICIES in model/policy.c;
 *   3. its known answer in tests/model/t-policy.c, which fails until it is there.
 */
#ifndef WS_MODEL_H
#define WS_MODEL_H

#include "stackdist/stackdist.h"

#ifdef __cplusplus
extern "C" {
#endif

/* requests = hits + pending + misses;
 * misses = cold + capacity + conflict + uncached. */
struct ws_counts {
	uint64_t requests, hits, pending, misses;
	uint64_t cold, capacity, conflict, uncached;
};

enum ws_basis { WS_EXACT, WS_APPROX, WS_SIMULATED };
extern const char *const ws_basis_names[];

struct ws_prediction {
	struct ws_counts kind[WS_KINDS + 1]; /* [WS_KINDS]: all */
	enum ws_basis basis;
	double error_pp;	/* expected absolute error of the miss ratio, in points */
};

/* What a policy's hooks may use.  meta: the set's words, ways of them, zero at first. */
struct ws_set {
	uint64_t *meta;
	unsigned ways;
	uint64_t clock;		/* counts the set's accesses, from 1 */
};

struct ws_policy {
	const char *name;	/* what l1.policy takes: [a-z0-9-]+ */
	const char *summary;	/* one line for `warpstack policies` and the man page */
	const char *source;	/* paper, and the rule predict() uses */
	char gpgpusim;		/* its letter in a GPGPU-Sim configuration, or 0 */
	enum ws_basis basis;	/* of predict(): WS_EXACT or WS_APPROX */
	/* Exact.  on_hit and on_fill may be NULL; victim is asked only of a full set. */
	void (*on_hit)(struct ws_set *set, unsigned way);
	void (*on_fill)(struct ws_set *set, unsigned way);
	unsigned (*victim)(struct ws_set *set);
	/* Analytic.  cache->sets is one of the section's; loads, stores, atomics; the
	 * caller adds "all" and checks that counts add up. */
	enum ws_status (*predict)(const struct ws_cache *cache, const struct ws_section *section,
				  struct ws_prediction *out, struct ws_err *err);
};

extern const struct ws_policy *const ws_policies[]; /* NULL-terminated */
const struct ws_policy *ws_policy_find(const char *name); /* NULL if none */

/* The prediction for one kernel and one L1.  cache->policy names the policy.  Errors:
 * WS_EINVAL for an unknown policy, or sets, line, hash, sector or write policy that the
 * profile does not hold (the message lists what it holds). */
enum ws_status ws_predict(const struct ws_profile *p, size_t section,
			  const struct ws_cache *cache, struct ws_prediction *out,
			  struct ws_err *err) WS_MUST_CHECK;

double ws_miss_ratio(const struct ws_counts *c, bool count_pending); /* 0 without requests */
void ws_counts_add(struct ws_counts *to, const struct ws_counts *from);
/* True if both sums above hold. */
bool ws_counts_check(const struct ws_counts *c);

#ifdef __cplusplus
}
#endif
#endif
