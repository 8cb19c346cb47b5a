/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * model/solve/kept.c -- BRRIP's and BIP's answer: the hits of bimodal.c, and their confidence.
 *
 * The model errs most in three cases.  Lines that come back together evict each other: this has one
 * fitted constant, so the answer is computed with another value, too.  A set that never forgets
 * would miss much more (LFU's model, frequency.h: bursts fill the set with dead lines), unless
 * LRU's answer is far away as well.  The launch is so short that the sets' first lines are still
 * resident.
 */
#include "model/shared.h"
#include "model/constants.h"
#include "model/solve/bimodal.h"

#include <math.h>

#define POINTS 100.0

/* Miss ratio of a solution, in points. */
static double missing_pp(const struct ws_query *q, const struct ws_solution *s, double *lru)
{
	double hit[WS_TYPES], hits = 0;

	ws_reuse_lru(q->windows, q->cache->ways, hit);
	*lru = POINTS * ws_reuse_missing(q->windows, hit);
	for (size_t i = 0; i < q->windows->types; i++)
		hits += q->windows->row[i].count * s->hit[q->windows->row[i].type];
	return s->lru ? *lru : POINTS * (1 - hits / q->windows->references);
}

/* Sets the confidence, from the effect of lines that come back together, the misses of a set that
 * keeps its first lines for ever (LFU's), and the launch's length. */
static void judge(const struct ws_query *q, const struct ws_bimodal *b,
		  const struct ws_solution *retained, struct ws_solution *out)
{
	const struct ws_reuse *w = q->windows;
	double lru, apart = missing_pp(q, retained, &lru) - POINTS * b->missing;
	double missing = POINTS * b->missing, restless = POINTS * b->restless;
	double per_way = w->references / fmax(1, w->sets) / (double)q->cache->ways;
	double edge = fmin(1, (WS_KEPT_EDGE_FROM + fmin(missing, POINTS - missing)) /
			      WS_KEPT_EDGE_TO);
	double half = WS_KEPT_HALF_PP * edge + WS_KEPT_HALF_RESTLESS * restless +
		      WS_KEPT_HALF_SHORT / per_way;
	double wider = q->cache->ways < WS_KEPT_FEW ? WS_KEPT_FEW_WIDER : 1;
	bool near = fabs(missing - lru) < WS_KEPT_NEAR_LRU;

	out->below_pp = fmin(POINTS, wider * (half + WS_KEPT_HALF_RETAINED * fmax(0, -apart)));
	out->above_pp = fmin(POINTS, wider * (half + WS_KEPT_HALF_RETAINED * fmax(0, apart) *
					      (near ? 1 : WS_KEPT_FAR)));
	out->error_pp = WS_KEPT_EXPECTED * fmax(out->below_pp, out->above_pp);
	out->low_confidence =
		restless > WS_KEPT_LOW_CONFIDENCE_RESTLESS ||
		(near && apart < -WS_KEPT_LOW_CONFIDENCE_LESS) ||
		per_way < WS_KEPT_LOW_CONFIDENCE_SHORT ||
		(per_way < WS_KEPT_YOUNG && fabs(apart) > WS_KEPT_LOW_CONFIDENCE_YOUNG) ||
		fabs(apart) > WS_KEPT_LOW_CONFIDENCE_RETAINED ||
		q->cache->ways < WS_KEPT_FEW;
}

enum ws_status ws_bimodal_solve(const struct ws_query *q, double kept, const struct ws_policy *lfu,
				struct ws_solution *out, struct ws_err *err)
{
	struct ws_solution retained;
	struct ws_bimodal b;
	enum ws_status status = ws_bimodal_hits(&b, q->windows, q->cache->ways, kept, err);

	if (status == WS_OK)
		status = ws_shared_solve_default(q, lfu, &retained, err);
	if (status == WS_OK) {
		ws_reuse_answer(q->windows, b.hit, out->hit);
		judge(q, &b, &retained, out);
	}
	return status;
}
