/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * model/ways.h -- the ways of a set, and what its policy is told: one set of rules for requests one
 * by one (validate/sim/), in cycles (validate/cycle/), and on samples of sets (model/replay/); not
 * installed.
 *
 * slot[way] is the number of the line there + 1; 0: the way is invalid.  A line goes into the
 * lowest invalid way; in a full set into the one that the policy names, whose line is thrown out
 * first.
 */
#ifndef WS_MODEL_WAYS_H
#define WS_MODEL_WAYS_H

#include "model/model.h"

#include <assert.h>

struct ws_ways {		/* of a set; all zero: empty */
	uint32_t valid;		/* how many are */
	uint32_t search;	/* no invalid way below */
};

/* The lowest invalid way of a set that is not full. */
static inline unsigned ws_ways_invalid(struct ws_ways *w, const uint32_t *slot)
{
	while (slot[w->search])
		w->search++;
	return w->search;
}

/* Line `number` goes into an invalid way. */
static inline void ws_ways_fill(struct ws_ways *w, uint32_t *slot, unsigned way, uint32_t number,
				struct ws_set *view)
{
	const struct ws_policy *policy = view->use->policy;

	assert(way < view->ways && !slot[way] && w->valid < view->ways);
	slot[way] = number + 1;
	w->valid++;
	if (policy->on_fill)
		policy->on_fill(view, way);
}

/* The way's line is thrown out; returns its number. */
static inline uint32_t ws_ways_evict(struct ws_ways *w, uint32_t *slot, unsigned way,
				     struct ws_set *view)
{
	const struct ws_policy *policy = view->use->policy;
	uint32_t number = slot[way] - 1;

	assert(way < view->ways && slot[way] && w->valid);
	if (policy->on_evict)
		policy->on_evict(view, way);
	slot[way] = 0;
	w->valid--;
	if (way < w->search)
		w->search = way;
	return number;
}

/* Does the policy let a request go past whose line is not there? */
static inline bool ws_ways_bypassed(struct ws_set *view)
{
	const struct ws_policy *policy = view->use->policy;

	return policy->bypass && view->access->kind != WS_ATOMIC && policy->bypass(view);
}

/* ---- a choice that is taken back ------------------------------------------------------------ */

struct ws_policy_kept {		/* what hooks may change, but for tables */
	uint64_t *word;		/* of one set, and of all */
	struct ws_rng rng;
};

/* False: memory is out.  ws_policy_kept_clear even then. */
bool ws_policy_kept_new(struct ws_policy_kept *k, const struct ws_policy_state *s) WS_MUST_CHECK;
void ws_policy_kept_clear(struct ws_policy_kept *k);
void ws_policy_keep(struct ws_policy_kept *k, const struct ws_policy_state *s,
		    const struct ws_set *view);
void ws_policy_put_back(const struct ws_policy_kept *k, const struct ws_policy_state *s,
			const struct ws_set *view);

/* The policy has named a way that is reserved: which would it name if that was not a choice?  It is
 * asked at most twice for each way, then it is the lowest that is not reserved; one must not be.
 * k is used.  Returns view->ways or more if the policy does. */
unsigned ws_ways_pass_over(unsigned way, struct ws_set *view, struct ws_policy_kept *k,
			   const struct ws_policy_state *s,
			   bool (*reserved)(const void *context, unsigned way),
			   const void *context);

#endif
