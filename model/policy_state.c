/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * model/policy_state.c -- the state that caches keep for policies' hooks (model.h).
 */
#include <stdlib.h>
#include <string.h>

#include "model/model.h"

enum ws_status ws_policy_state_new(struct ws_policy_state *out, const struct ws_policy *policy,
				   uint64_t sets, uint64_t ways, struct ws_err *err)
{
	*out = (struct ws_policy_state){
		.set_meta = (size_t)ways * policy->way_words, .set_own = policy->set_words,
		.shared_words = policy->cache_words, .table_bytes = policy->table_bytes,
	};
	out->meta = ws_alloc_zero((size_t)sets, out->set_meta * sizeof *out->meta);
	out->own = ws_alloc_zero((size_t)sets, out->set_own * sizeof *out->own);
	out->shared = ws_alloc_zero(out->shared_words, sizeof *out->shared);
	out->table = ws_alloc_zero(out->table_bytes, 1);
	return out->meta && out->own && out->shared && out->table ? WS_OK
		: ws_fail_memory(err, "a policy's state");
}

void ws_policy_state_flush_set(struct ws_policy_state *s, size_t set)
{
	memset(s->meta + set * s->set_meta, 0, s->set_meta * sizeof *s->meta);
	memset(s->own + set * s->set_own, 0, s->set_own * sizeof *s->own);
}

void ws_policy_state_flush_shared(struct ws_policy_state *s)
{
	memset(s->shared, 0, s->shared_words * sizeof *s->shared);
	memset(s->table, 0, s->table_bytes);
}

void ws_policy_state_clear(struct ws_policy_state *s)
{
	free(s->meta);
	free(s->own);
	free(s->shared);
	free(s->table);
	*s = (struct ws_policy_state){ 0 };
}
