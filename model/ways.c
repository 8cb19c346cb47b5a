/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * model/ways.c -- a policy's choices, taken back and made again.
 */
#include "model/ways.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

bool ws_policy_kept_new(struct ws_policy_kept *k, const struct ws_policy_state *s)
{
	k->word = ws_alloc(s->set_meta + s->set_own + s->shared_words + 1, sizeof *k->word);
	return k->word != NULL;
}

void ws_policy_kept_clear(struct ws_policy_kept *k)
{
	free(k->word);
	k->word = NULL;
}

static uint64_t *copy_words(uint64_t *to, const uint64_t *from, size_t words)
{
	if (words)
		memcpy(to, from, words * sizeof *to);
	return to + words;
}

void ws_policy_keep(struct ws_policy_kept *k, const struct ws_policy_state *s,
		    const struct ws_set *view)
{
	uint64_t *to = copy_words(k->word, view->meta, s->set_meta);

	to = copy_words(to, view->own, s->set_own);
	copy_words(to, view->shared, s->shared_words);
	k->rng = *view->rng;
}

void ws_policy_put_back(const struct ws_policy_kept *k, const struct ws_policy_state *s,
			const struct ws_set *view)
{
	const uint64_t *from = k->word;

	copy_words(view->meta, from, s->set_meta);
	copy_words(view->own, from + s->set_meta, s->set_own);
	copy_words(view->shared, from + s->set_meta + s->set_own, s->shared_words);
	*view->rng = k->rng;
}

unsigned ws_ways_pass_over(unsigned way, struct ws_set *view, struct ws_policy_kept *k,
			   const struct ws_policy_state *s,
			   bool (*reserved)(const void *context, unsigned way), const void *context)
{
	const struct ws_policy *policy = view->use->policy;

	ws_policy_keep(k, s, view);
	for (unsigned asked = 1; asked < 2 * view->ways && reserved(context, way); asked++) {
		if (policy->on_fill)
			policy->on_fill(view, way);
		way = policy->victim(view);
		if (way >= view->ways)
			return way;
	}
	ws_policy_put_back(k, s, view);
	if (reserved(context, way))
		for (way = 0; reserved(context, way); way++)
			assert(way + 1 < view->ways);
	return way;
}
