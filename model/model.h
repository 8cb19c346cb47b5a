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
	/* The miss ratio's 95 % interval, as far as sampling leaves it open: both ends are the
	 * ratio itself where all lines were counted. */
	double low[WS_KINDS + 1], high[WS_KINDS + 1];
	enum ws_basis basis;	/* that of the policy; WS_APPROX of a sampled profile */
	/* Expected absolute error of the miss ratio, in points, at most 100.  Of a sampled profile
	 * the distance of the interval's farther end is added: half its width, unless it is
	 * cut short at 0 or 1. */
	double error_pp[WS_KINDS + 1];
};

/* What a policy's hooks may use.  meta: the set's words, ways of them, zero at first. */
struct ws_set {
	uint64_t *meta;
	unsigned ways;
	uint64_t clock;		/* counts the set's accesses, from 1 */
};

/* ---- what is asked of a policy's predict ---------------------------------------- */

struct ws_tail {		/* of a histogram: sums over its cells from cell i on; [len] = 0 */
	const uint64_t *distance, *capacity;
};

struct ws_question {
	const struct ws_cache *cache;
	const struct ws_geometry *geometry; /* of the cache's line and sets */
	const struct ws_tail *tail; /* [WS_KINDS], its histograms'; NULL: not prepared */
};

struct ws_policy {
	const char *name;	/* what l1.policy takes: [a-z0-9-]+ */
	const char *summary;	/* one line for `warpstack policies` and the man page */
	const char *source;	/* paper, and the rule predict() uses */
	char gpgpusim;		/* its letter in a GPGPU-Sim configuration, or 0 */
	enum ws_basis basis;	/* of predict(): WS_EXACT or WS_APPROX.  The counts of an
				 * exact one are sums over requests: those of parts of a
				 * histogram add up to those of the whole */
	/* Exact.  on_hit and on_fill may be NULL; victim is asked only of a full set. */
	void (*on_hit)(struct ws_set *set, unsigned way);
	void (*on_fill)(struct ws_set *set, unsigned way);
	unsigned (*victim)(struct ws_set *set);
	/* Analytic: counts of loads, stores, atomics, and error_pp of each and of all; *out is
	 * zeroed.  The caller adds the counts of all and the intervals, and checks that counts
	 * add up. */
	enum ws_status (*predict)(const struct ws_question *question, struct ws_prediction *out,
				  struct ws_err *err);
};

extern const struct ws_policy *const ws_policies[]; /* NULL-terminated */
const struct ws_policy *ws_policy_find(const char *name); /* NULL if none */

/* ---- predictions ------------------------------------------------------------------ */

/* The prediction for one kernel and one L1.  cache->policy names the policy.  Errors:
 * WS_EINVAL for an unknown policy, or a line, sets, hash, sector or write policy that the
 * profile does not hold (the message lists what it holds).  O(distances). */
enum ws_status ws_predict(const struct ws_profile *p, size_t section,
			  const struct ws_cache *cache, struct ws_prediction *out,
			  struct ws_err *err) WS_MUST_CHECK;

/* The errors of ws_predict alone, O(log shapes). */
enum ws_status ws_predict_check(const struct ws_profile *p, size_t section,
				const struct ws_cache *cache, struct ws_err *err) WS_MUST_CHECK;

/* A profile prepared for many questions: LRU then answers each in O(log shapes), whatever the
 * distances.  Takes as much memory as the histograms; *p must outlive it.
 * Any number of threads may ask at once. */
struct ws_answers;

enum ws_status ws_answers_new(struct ws_answers **out, const struct ws_profile *p,
			      struct ws_err *err) WS_MUST_CHECK;
/* As ws_predict. */
enum ws_status ws_answers_predict(const struct ws_answers *a, size_t section,
				  const struct ws_cache *cache, struct ws_prediction *out,
				  struct ws_err *err) WS_MUST_CHECK;
void ws_answers_free(struct ws_answers *a);

/* Which array, which source line misses: a kernel's requests in parts, most misses first. */
enum ws_by { WS_BY_ARRAY, WS_BY_LINE, WS_BY_SITE };

struct ws_part {
	const char *array;	/* "": unknown; NULL: any (by line) */
	const char *file;	/* "": unknown; NULL: any (by array) */
	uint32_t line;		/* 0: unknown, or any */
	struct ws_prediction prediction;
};

/* The parts add up to what ws_answers_predict says.  Errors, besides its own: a line or sets
 * other than the machine's, a policy whose prediction is not exact, a profile without sites.
 * *part is allocated; caller frees.  most: the kind whose misses decide the order, WS_KINDS for
 * all.  O(sites log sites), and O(groups^2) moves at worst. */
enum ws_status ws_answers_parts(const struct ws_answers *a, size_t section,
				const struct ws_cache *cache, enum ws_by by, unsigned most,
				struct ws_part **part, size_t *count,
				struct ws_err *err) WS_MUST_CHECK;

/* Its error for a cache of another line or sets, or another than an exact policy. */
enum ws_status ws_parts_check(const struct ws_machine *own, const struct ws_cache *cache,
			      struct ws_err *err) WS_MUST_CHECK;

double ws_miss_ratio(const struct ws_counts *c, bool count_pending); /* 0 without requests */
/* low and high of a prediction that leaves nothing open. */
void ws_prediction_close(struct ws_prediction *p);
void ws_counts_add(struct ws_counts *to, const struct ws_counts *from);
/* True if both sums above hold. */
bool ws_counts_check(const struct ws_counts *c);

#ifdef __cplusplus
}
#endif
#endif
