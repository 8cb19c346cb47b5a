/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * model/policy/brrip_kumar.c -- the BRRIP of Kumar, Kalyanaraman and Patil.
 *
 * Exact face: kumar.h; inserted at 2^(n-1), with probability param[0] at 2^(n-2): one draw for
 * each fill.
 */
#include "model/policy/kumar.h"
#include "model/solve/rounds.h"

#define PROBABILITY 0.05	/* theirs */

static enum ws_status parse(const char *text, struct ws_use *use, struct ws_err *err)
{
	return ws_bimodal_parse(text, PROBABILITY, use, err);
}

static void fill(struct ws_set *set, unsigned way)
{
	bool high = ws_bimodal_high(set, set->use->param[0]);

	ws_rrip_put(set, way, high ? ws_kumar_long(set) : ws_kumar_distant(set));
}

/* A fetched line goes in the round after the one it came in, a used one in the next but one; that a
 * few go later is left out. */
static enum ws_status solve(const struct ws_question *q, struct ws_solution *out,
			    struct ws_err *err)
{
	static const struct ws_rounds rule = { .fresh = 1, .used = 2 };

	return ws_rounds_solve(q, &rule, out, err);
}

extern const struct ws_policy ws_policy_brrip_kumar;
const struct ws_policy ws_policy_brrip_kumar = {
	.name = "brrip-kumar",
	.params = "EPS",
	.summary = "srrip-kumar, but inserted in mid range save with probability EPS (0.05)",
	.source = "Kumar, Kalyanaraman, Patil: Extending cache replacement policies of GPGPU-Sim "
		  "(SRRIP, BRRIP, LFU), North Carolina State University",
	.gpgpusim = 'B',
	.variant = true,
	.basis = WS_APPROX,
	.parse = parse,
	.on_hit = ws_rrip_hit,
	.on_fill = fill,
	.victim = ws_kumar_victim,
	.needs = WS_RECORD_DETAIL,
	.solve = solve,
};
