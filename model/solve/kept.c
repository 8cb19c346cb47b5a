/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * model/solve/kept.c -- BRRIP's and BIP's answer: hits by bimodal.c, and how sure they are.
 *
 * The model errs most where few lines that are used keep out the rest, or do not: where lines
 * that come back together evict each other (what it says of that has one constant, so the
 * answer is made for another one too), and where a set that never forgets would miss much more
 * (LFU's model, frequency.h: bursts that fill the set with dead lines), unless LRU itself is far
 * from here; and in launches so short that the sets' first lines are still there.
 */
#include "model/shared.h"
#include "model/solve/bimodal.h"

#include <math.h>

#define POINTS 100.0
#define HALF_PP 7.0		/* half the 95 % interval where all is well and 10 to 90 % miss */
#define HALF_RESTLESS 0.4	/* for each point */
#define HALF_FROZEN 0.4		/* for each point that a set which never forgets is off */
#define HALF_SHORT 150.0	/* over references per way */
#define EXPECTED 0.27		/* the mean error, of half the interval */
#define UNSURE_RESTLESS 8.0
#define UNSURE_FROZEN 20.0	/* if LRU misses about as many: NEAR_LRU */
#define UNSURE_LESS 7.0		/* points fewer, likewise */
#define NEAR_LRU 15.0
#define UNSURE_SHORT 16.0	/* references per way */
#define YOUNG 90.0		/* the same: what was frozen first still counts */
#define UNSURE_YOUNG 11.0
#define FEW 4u			/* ways: with fewer it was not developed, and errs more */
#define FEW_WIDER 1.5
#define PLAIN 1.5		/* without count types everything is so much wider */
#define UNSURE_PLAIN 13.0

/* Miss ratio of a solution, in points. */
static double missing_pp(const struct ws_question *q, const struct ws_solution *s, double *lru)
{
	double hit[WS_TYPES], hits = 0;

	ws_reuse_lru(q->windows, q->cache->ways, hit);
	*lru = POINTS * ws_reuse_missing(q->windows, hit);
	for (size_t i = 0; i < q->windows->types; i++)
		hits += q->windows->row[i].count * s->hit[q->windows->row[i].type];
	return s->lru ? *lru : POINTS * (1 - hits / q->windows->references);
}

/* From what changes the answer: how much lines that come back together matter; what a set that
 * keeps its first lines for ever would miss (LFU's); how long the launch is. */
static void judge(const struct ws_question *q, const struct ws_bimodal *b, bool plain,
		  const struct ws_solution *frozen, struct ws_solution *out)
{
	const struct ws_reuse *w = q->windows;
	double lru, apart = missing_pp(q, frozen, &lru) - POINTS * b->missing;
	double missing = POINTS * b->missing, restless = POINTS * b->restless;
	double per_way = w->references / fmax(1, w->sets) / (double)q->cache->ways;
	double edge = fmin(1, (5 + fmin(missing, POINTS - missing)) / 15);
	double half = HALF_PP * edge + HALF_RESTLESS * restless + HALF_SHORT / per_way;
	double wider = (plain ? PLAIN : 1) * (q->cache->ways < FEW ? FEW_WIDER : 1);
	bool near = fabs(missing - lru) < NEAR_LRU;

	out->below_pp = fmin(POINTS, wider * (half + HALF_FROZEN * fmax(0, -apart)));
	out->above_pp = fmin(POINTS, wider * (half + HALF_FROZEN * fmax(0, apart) *
					      (near ? 1 : 0.3)));
	out->error_pp = EXPECTED * fmax(out->below_pp, out->above_pp);
	out->unsure = restless > UNSURE_RESTLESS ||
		(near && (apart > UNSURE_FROZEN || apart < -UNSURE_LESS)) ||
		per_way < UNSURE_SHORT || (per_way < YOUNG && fabs(apart) > UNSURE_YOUNG) ||
		(plain && fabs(apart) > UNSURE_PLAIN) || q->cache->ways < FEW;
}

enum ws_status ws_bimodal_solve(const struct ws_question *q, double kept, struct ws_solution *out,
				struct ws_err *err)
{
	const struct ws_reuse *windows = q->counted ? q->counted : q->windows;
	struct ws_solution frozen;
	struct ws_bimodal b;
	enum ws_status status = ws_bimodal_hits(&b, windows, q->cache->ways, kept, err);

	if (!status)
		status = ws_shared_solve(q, "lfu", &frozen, err);
	if (!status) {
		ws_reuse_answer(windows, b.hit, out->hit);
		judge(q, &b, !q->counted, &frozen, out);
	}
	ws_bimodal_clear(&b);
	return status;
}
