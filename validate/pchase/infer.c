/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * validate/pchase/infer.c -- the steps of the inference, one after the other.
 */
#include "validate/pchase/probe.h"

#include <math.h>
#include <stdlib.h>

#define ATTEMPTS 10u
#define LINE_LEAST 16u	/* bytes; no processor has shorter ones */

static enum ws_status take_steps(struct ws_probe *p, struct ws_err *err)
{
	const struct ws_chase *found = p->found;
	bool plain = !p->target->orders;
	enum ws_status status = plain ? ws_chase_tlbs(p, err) : WS_OK;

	if (status == WS_OK)
		status = ws_probe_levels(p, err);
	if (status != WS_OK || found->levels < 2)
		return status;
	if (!p->target->orders)
		status = ws_chase_sector(p, err);
	if (status == WS_OK)
		status = ws_chase_ways(p, err);
	if (status == WS_OK && found->ways.confidence > 0)
		status = ws_chase_line(p, err);
	if (status == WS_OK && found->line.confidence > 0)
		status = p->target->page ? ws_chase_colours(p, err) : ws_chase_index(p, err);
	if (status == WS_OK && p->indexed)
		status = ws_chase_sets(p, err);
	if (status == WS_OK && found->line.confidence > 0 && !p->target->orders)
		status = ws_chase_policy(p, err);
	return status;
}

static enum ws_status infer_once(struct ws_chase *out, const struct ws_chase_target *target,
				 uint64_t budget, double until, uint64_t seed, struct ws_err *err)
{
	struct ws_probe p = { .found = out, .target = target, .budget = budget, .until = until };
	enum ws_status status;

	*out = (struct ws_chase){ 0 };
	ws_rng_seed(&p.rng, seed);
	status = take_steps(&p, err);
	for (size_t i = 0; i < out->levels; i++) {
		out->level[i].cycles -= target->offset;
		out->level[i].low = fmax(0, out->level[i].low - target->offset);
		out->level[i].high -= target->offset;
	}
	ws_chase_list_clear(&p.program);
	ws_chase_list_clear(&p.full);
	ws_chase_list_clear(&p.trial);
	ws_chase_list_clear(&p.batch);
	free(p.cycles);
	return status;
}

static bool same_cache(const struct ws_chase *a, const struct ws_chase *b)
{
	return a->size.confidence > 0 && b->size.confidence > 0 && a->line.value >= LINE_LEAST &&
		a->size.value == b->size.value && a->ways.value == b->ways.value &&
		a->line.value == b->line.value;
}

static void forget_cache(struct ws_chase *c)
{
	c->line.confidence = c->ways.confidence = c->sets.confidence = c->size.confidence = 0;
	c->hash_confidence = c->policy_confidence = 0;
	c->unequal = c->contradictory = false;
}

/* What else runs on a processor may spoil an attempt from its first step: two have to agree. */
static enum ws_status infer_twice(struct ws_chase *out, const struct ws_chase_target *target,
				  uint64_t budget, double until, uint64_t seed,
				  struct ws_err *err)
{
	struct ws_chase *found = ws_alloc_zero(ATTEMPTS, sizeof *found);
	uint64_t loads = 0;
	bool agreed = false;
	enum ws_status status = found ? WS_OK : ws_fail_memory(err, "the attempts");

	for (unsigned k = 0; k < ATTEMPTS && status == WS_OK && !agreed && loads < budget; k++) {
		if (k && target->renew)
			status = target->renew(target->state, err);
		if (status == WS_OK)
			status = infer_once(&found[k], target, budget - loads, until, seed + k,
					    err);
		loads += found[k].loads;
		for (unsigned i = 0; i < k && !agreed; i++)
			agreed = same_cache(&found[i], &found[k]);
		if (k == 0 || !found[k].exhausted)
			*out = found[k];
		out->exhausted = found[k].exhausted;
	}
	if (status == WS_OK && !agreed)
		forget_cache(out);
	out->loads = loads;
	free(found);
	return status;
}

enum ws_status ws_chase_infer(struct ws_chase *out, const struct ws_chase_target *target,
			      const struct ws_chase_options *options, struct ws_err *err)
{
	uint64_t budget = options && options->loads ? options->loads : WS_CHASE_LOADS;
	double seconds = options ? options->seconds : 0;
	double until = seconds > 0 ? ws_seconds() + seconds : 0;
	uint64_t seed = options ? options->seed : 1;

	*out = (struct ws_chase){ 0 };
	return target->orders
		? infer_twice(out, target, budget, until, seed, err)
		: infer_once(out, target, budget, until, seed, err);
}
