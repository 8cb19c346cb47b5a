/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * model/answers.h -- private: checks and answers a query; prepares a profile for many.
 */
#ifndef WS_MODEL_QUERY_H
#define WS_MODEL_QUERY_H

#include "model/shared.h"

/* The tails of all histograms, one after the other in one array of sums. */
struct ws_model {
	const struct ws_profile *profile;
	uint64_t *sum;
	struct ws_tail *tail;	/* by section: [geometry][kind], then [site] */
	size_t *first;		/* [section]: its first in tail */
	size_t *place;		/* [section]: that of its first geometry in shared */
	struct ws_shared *shared;
	struct ws_model **behind; /* those of the profile's L2s */
};

static inline const struct ws_tail *ws_model_geometry(const struct ws_model *a, size_t section,
							size_t geometry)
{
	return a->tail + a->first[section] + geometry * WS_KINDS;
}

static inline const struct ws_tail *ws_model_site(const struct ws_model *a, size_t section,
						    size_t site)
{
	return ws_model_geometry(a, section, a->profile->section[section].geometries) + site;
}

/* The geometry that answers for the cache; use: its policy.  WS_EINVAL if the profile has none. */
enum ws_status ws_answer_check(const struct ws_profile *p, size_t section,
			       const struct ws_cache *cache, const struct ws_use *use,
			       const struct ws_geometry **geometry,
			       struct ws_err *err) WS_MUST_CHECK;
/* WS_EINVAL: its sets differ; "<what> predicted of sets of equal ways only". */
enum ws_status ws_equal_check(const struct ws_cache *cache, const char *what,
			      struct ws_err *err) WS_MUST_CHECK;
/* WS_EINVAL for chunks, for which `what` is not known. */
enum ws_status ws_plain_check(const struct ws_cache *cache, const char *what,
			      struct ws_err *err) WS_MUST_CHECK;
/* The first key that decides what a profile holds and that differs from the machine it was made
 * with: of stage PROFILE, and if l2 is not NULL of L2_PROFILE in that machine.  NULL: none differs.
 * ws_key_other_fail: the error that names the key. */
const struct ws_key *ws_key_other(const struct ws_machine *has, const struct ws_cache *l1,
				  const struct ws_machine *l2);
enum ws_status ws_key_other_fail(const struct ws_machine *has, const struct ws_machine *asked,
				 const struct ws_key *key, const char *what, struct ws_err *err);
/* WS_EINVAL: a key that the profile was made with differs (the sector may), or the ways are out of
 * its range. */
enum ws_status ws_answer_check_keys(const struct ws_profile *p, const struct ws_cache *cache,
				    struct ws_err *err) WS_MUST_CHECK;
/* Solves with the policy, adds up the kinds and checks the sums. */
enum ws_status ws_answer(struct ws_query *query, struct ws_prediction *out,
			 struct ws_err *err) WS_MUST_CHECK;
/* From a solution to counts of each kind (not of all), expected errors and intervals. */
enum ws_status ws_finish(const struct ws_query *query, const struct ws_solution *solution,
			 struct ws_prediction *out, struct ws_err *err) WS_MUST_CHECK;

/* Turns LRU's counts, of data that comes at once, into those of data that comes late: by how much
 * two solutions on the sample of sets differ, one with late data, one with data at once. */
void ws_finish_late(const struct ws_query *query, const struct ws_solution *late,
		    const struct ws_solution *once, struct ws_prediction *out);

/* chunks.c: organisations that the profile has chunks for, or may have.  The rest as ws_predict. */
bool ws_chunks_asked(const struct ws_profile *p, const struct ws_cache *cache);
enum ws_status ws_chunks_check(const struct ws_profile *p, size_t section,
			       const struct ws_cache *cache, const struct ws_use *use,
			       struct ws_err *err) WS_MUST_CHECK;
enum ws_status ws_chunks_predict(const struct ws_profile *p, size_t section,
				 const struct ws_cache *cache, const struct ws_use *use,
				 struct ws_prediction *out, struct ws_err *err) WS_MUST_CHECK;

/* What all policies are where nothing is thrown out: the first of the table, whose counts are
 * exact. */
static inline const struct ws_policy *ws_plain_policy(void)
{
	return ws_policies[0];
}

#endif
