/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * validate/pchase/infer.c -- the steps of the inference, one after the other.
 */
#include "validate/pchase/probe.h"

#include <stdlib.h>

static enum ws_status take_steps(struct ws_probe *p, struct ws_err *err)
{
	const struct ws_chase *found = p->found;
	enum ws_status status = ws_probe_levels(p, err);

	if (status != WS_OK || found->levels < 2)
		return status;
	status = ws_chase_sector(p, err);
	if (status == WS_OK)
		status = ws_chase_ways(p, err);
	if (status == WS_OK && found->ways.confidence > 0)
		status = ws_chase_line(p, err);
	if (status == WS_OK && found->line.confidence > 0)
		status = ws_chase_index(p, err);
	if (status == WS_OK && p->indexed)
		status = ws_chase_sets(p, err);
	if (status == WS_OK && found->line.confidence > 0)
		status = ws_chase_policy(p, err);
	return status;
}

enum ws_status ws_chase_infer(struct ws_chase *out, const struct ws_chase_target *target,
			      const struct ws_chase_options *options, struct ws_err *err)
{
	struct ws_probe p = { .found = out, .target = target, .budget = WS_CHASE_LOADS };
	enum ws_status status;

	*out = (struct ws_chase){ 0 };
	if (options && options->loads)
		p.budget = options->loads;
	ws_rng_seed(&p.rng, options ? options->seed : 1);
	status = take_steps(&p, err);
	ws_chase_list_clear(&p.program);
	ws_chase_list_clear(&p.full);
	ws_chase_list_clear(&p.trial);
	ws_chase_list_clear(&p.batch);
	free(p.cycles);
	return status;
}
