/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/softcache/softpass.h -- runs a program's kernels without and with software caches, and
 * counts what is not the same: bytes of buffers, and counts of the kernels themselves against the
 * model's.
 */
#ifndef TEST_SOFTPASS_H
#define TEST_SOFTPASS_H

#include "tests/test.h"
#include "cli/softcache_ran.h"
#include "softcache/softcache.h"

struct softpass {
	const struct ws_soft_cache *cache; /* to be tried, one after the other */
	size_t caches, next;
	struct ws_soft_record *record;
	const struct ws_launch *launch;
	uint64_t wrong, different;	/* bytes; structures whose counts are not the model's */
	uint64_t runs, chosen, hits, write_backs, atomics, left, instructions[2], plain;
	bool fences;
};

static inline enum ws_status softpass_begin(void *context, const struct ws_launch *l,
					    struct ws_err *err)
{
	struct softpass *c = context;

	ws_soft_record_free(c->record);
	c->record = NULL;
	c->launch = l;
	c->next = 0;
	return ws_soft_record_new(&c->record, l, NULL, err);
}

static inline void softpass_cta(void *context)
{
	ws_soft_record_cta(((struct softpass *)context)->record);
}

static inline enum ws_status softpass_step(void *context, const struct ws_step *s,
					   struct ws_err *err)
{
	return ws_soft_record_step(((struct softpass *)context)->record, s, err);
}

static inline enum ws_status softpass_next(void *context, struct ws_soft_cache *cache, bool *more,
					   struct ws_err *err)
{
	struct softpass *c = context;

	(void)err;
	*more = c->next < c->caches;
	if (*more)
		*cache = c->cache[c->next++];
	return WS_OK;
}

/* The choice, by what the kernel counted itself. */
static inline enum ws_status softpass_choose(void *context, const struct ws_soft_ran *ran,
					     int32_t *line, struct ws_err *err)
{
	const struct softpass *c = context;

	return softcache_choose(ran, c->launch, line, err);
}

static inline enum ws_status softpass_ran(void *context, const struct ws_soft_ran *ran,
					  struct ws_err *err)
{
	const struct ws_soft soft = { .line_bytes = ran->cache->line_bytes,
				      .threshold = ran->cache->threshold,
				      .lines = ran->cache->lines, .aliased = ran->cache->aliased };
	struct softpass *c = context;
	struct ws_soft_result model;
	enum ws_status status = ws_soft_predict(c->record, &soft, &model, err);

	if (status != WS_OK)
		return status;
	c->runs++;
	c->wrong += ran->wrong;
	c->different += softcache_differ(ran, &model);
	c->chosen += model.chosen;
	c->plain += model.instructions;
	c->left += ran->left;
	c->fences |= ran->fences;
	for (size_t i = 0; i < ran->structures; i++) {
		c->write_backs += ran->structure[i].write_backs;
		c->hits += ran->structure[i].hits[WS_LOAD] + ran->structure[i].hits[WS_STORE];
		c->atomics += ran->structure[i].atomics;
	}
	for (unsigned k = 0; k < 2; k++)
		c->instructions[k] += ran->instructions[k];
	ws_soft_result_clear(&model);
	return WS_OK;
}

static inline enum ws_status softpass_run(struct softpass *c, struct ws_program *p,
					  const struct ws_soft_run_options *options,
					  struct ws_err *err)
{
	const struct ws_soft_hooks hooks = { c, softpass_begin, softpass_cta, softpass_step,
					     softpass_next, softpass_choose, softpass_ran };
	enum ws_status status = ws_soft_run(p, options, &hooks, err);

	ws_soft_record_free(c->record);
	c->record = NULL;
	return status;
}

#endif
