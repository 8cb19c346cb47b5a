/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * model/policy/brrip_kumar.c -- the BRRIP of Kumar, Kalyanaraman and Patil.
 *
 * Exact face: kumar.h.  A line is inserted with value 2^(n-2) with probability param[0], else with
 * 2^(n-1).  Each fill draws once.
 *
 * Analytic face: ageing epochs (model/solve/epochs.c) of half the range.  The few lines that are
 * inserted lower are neglected, which is a large error in loops.
 */
#include "model/policy/kumar.h"
#include "model/constants.h"
#include "model/solve/epochs.h"

#include <math.h>

#define PROBABILITY 0.05	/* their default */

static enum ws_status brrip_kumar_parse(const char *text, struct ws_use *use, struct ws_err *err)
{
	return ws_bimodal_parse(text, PROBABILITY, use, err);
}

static void brrip_kumar_fill(struct ws_set *set, unsigned way)
{
	bool high = ws_bimodal_high(set, set->use->param[0]);

	ws_rrip_put(set, way, high ? ws_kumar_long(set) : ws_kumar_distant(set));
}

/* Misses at distances of 1 to 4 times the ways, in points.  They could be hits: in a loop, the few
 * lines that are inserted lower stay in the cache. */
static double loops_pp(const struct ws_query *q, const struct ws_solution *s)
{
	const struct ws_reuse *w = q->windows;
	double ways = (double)q->cache->ways, sum = 0;

	for (size_t i = 0; i < w->types; i++) {
		const struct ws_reuse_row *r = w->row + i;
		double first = r->sort == WS_ROW_FINITE ? ws_bin_first(r->type) : 0;

		if (first >= ways && first < 4 * ways)
			sum += r->count * (s->lru ? 1 : 1 - s->hit[r->type]);
	}
	return 100 * sum / w->references;
}

/* A fetched line is evicted one epoch later, a line that was hit two epochs later.  That a few stay
 * longer is neglected. */
static enum ws_status brrip_kumar_solve(const struct ws_query *q, struct ws_solution *out,
					struct ws_err *err)
{
	static const struct ws_epochs rule = { .fresh = 1, .used = 2 };
	enum ws_status status = ws_epochs_solve(q, &rule, out, err);
	double loops = status != WS_OK ? 0 : loops_pp(q, out);

	if (loops > WS_BRRIP_KUMAR_LOOPS_PP) {
		out->below_pp = fmin(100, out->below_pp + loops);
		out->error_pp = fmin(100, out->error_pp + loops / 4);
		out->low_confidence = true;
	}
	return status;
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
	.parse = brrip_kumar_parse,
	.way_words = 1, .set_words = 1,
	.on_hit = ws_rrip_hit,
	.on_fill = brrip_kumar_fill,
	.victim = ws_kumar_victim,
	.settle = ws_rrip_settle,
	.needs = WS_RECORD_DETAIL,
	.solve = brrip_kumar_solve,
};
