/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * model/policy/srrip_kumar.c -- the SRRIP of Kumar, Kalyanaraman and Patil.
 *
 * Exact face: kumar.h; a line is inserted with 2^(n-2).
 *
 * Analytic face: ageing epochs (model/solve/epochs.c) of a quarter of the range.  A fetched line
 * stays three epochs, a line that was hit nearly four: 4 - 0.3, fitted, since lines of equal value
 * are evicted in the order of ways.
 */
#include "model/policy/kumar.h"
#include "model/solve/epochs.h"

static void srrip_kumar_fill(struct ws_set *set, unsigned way)
{
	ws_rrip_put(set, way, ws_kumar_long(set));
}

static enum ws_status srrip_kumar_solve(const struct ws_query *q, struct ws_solution *out,
					struct ws_err *err)
{
	struct ws_epochs rule = { .fresh = 3, .used = 3.7 };

	return ws_epochs_solve(q, &rule, out, err);
}

extern const struct ws_policy ws_policy_srrip_kumar;
const struct ws_policy ws_policy_srrip_kumar = {
	.name = "srrip-kumar",
	.summary = "SRRIP with as many bits as ways, inserted at a quarter of the range",
	.source = "Kumar, Kalyanaraman, Patil: Extending cache replacement policies of GPGPU-Sim "
		  "(SRRIP, BRRIP, LFU), North Carolina State University",
	.gpgpusim = 'S',
	.variant = true,
	.basis = WS_APPROX,
	.way_words = 1, .set_words = 1,
	.on_hit = ws_rrip_hit,
	.on_fill = srrip_kumar_fill,
	.victim = ws_kumar_victim,
	.settle = ws_rrip_settle,
	.needs = WS_RECORD_DETAIL,
	.solve = srrip_kumar_solve,
};
