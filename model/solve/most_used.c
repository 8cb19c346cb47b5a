/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * model/solve/most_used.c -- most frequently used: three kinds of resident lines.
 *
 *   0  not used since the fetch: evicted only if there is no other kind, in order of arrival
 *   1  used once
 *   2  used more often: evicted first
 *
 * Each miss evicts one line.  Per miss, p1 lines become kind 1 and p2 become kind 2.  As long as p
 * < 1, all of these are evicted again.  So kinds 1 and 2 are a queue that is served once a miss: a
 * line leaves it with probability 1 - p a miss (the mean stay in a queue of such a load), but at
 * least 1 / ways.  The remaining misses, 1 - p1 of them, evict lines of kind 0 in order:
 *
 *   s2 = exp(sum c ln(1 - (1 - p2) x)),  s1 the same with p1,
 *   s0 = P(K < ways - queue),  K of mean sum c x (1 - p1)     (ws_eviction_law)
 *   hit = u0 s0 + u1 s1 + u2 s2,  u: kinds at the beginning of the window, by `before`
 *
 * starting from LRU's hits.  The most used lines are the best victims if they are dead, and the
 * worst if they are in use.  Kinds by type of reference cannot tell which they are; in the former
 * case MFU is close to LRU.  So the answer is a mean of this and LRU, weighted by the fraction of
 * LFU's retained lines that are in use (ws_retained.alive).  If this misses less than LRU, which
 * MFU hardly ever does, the answer is LRU.
 *
 * The model cannot be trusted if it is far from LRU; then it says so (`low_confidence`).  O(terms *
 * iterations): a few ms.
 */
#include "model/solve/frequency.h"
#include "model/constants.h"
#include "model/solve/solver.h"

#include <math.h>
#include <stdlib.h>

#define POINTS 100.0
#define KINDS 3u
#define ITERATIONS 400u
#define WARM 30u		/* first iterations, with LRU's hits, to find p1 and p2 */
#define SETTLED 1e-4
#define DAMPING 0.2

struct most {
	const struct ws_reuse *w;
	double ways, evicting;
	double lru[WS_TYPES], hit[WS_TYPES], x[WS_TYPES];
	double kind[WS_TYPES][KINDS]; /* after a reference of the row */
	double p1, p2;
	double *law;		/* [ways + 1] */
};

static void most_begin(struct most *m)
{
	ws_reuse_lru(m->w, (uint64_t)m->ways, m->lru);
	for (size_t i = 0; i < m->w->types; i++) {
		if (m->w->row[i].sort != WS_ROW_FINITE)
			m->lru[i] = 0;
		m->hit[i] = m->kind[i][2] = m->lru[i];
		m->kind[i][0] = 1 - m->lru[i];
	}
}

/* P(K < room). */
static double in_order(struct most *m, double mean, double square, double room)
{
	size_t whole = (size_t)room;
	double sum = 0;

	ws_eviction_law(mean, square, whole, m->law);
	for (size_t k = 0; k < whole; k++)
		sum += m->law[k];
	return fmin(1, sum + (room - (double)whole) * m->law[whole]);
}

/* survives[]: by kind, the probability that a line survives row i's window. */
static void survive(struct most *m, size_t i, double *survives)
{
	const struct ws_terms *within = &m->w->row[i].within;
	double least = 1 / m->ways, goes1 = fmax(1 - m->p1, least), goes2 = fmax(1 - m->p2, least);
	double left = 1 - m->p1, mean = 0, square = 0, log1 = 0, log2 = 0;

	for (size_t k = 0; k < within->count; k++) {
		double c = within->term[k].value, x = m->x[within->term[k].row];

		mean += c * x * left;
		square += c * x * x * left * left;
		log1 += c * log1p(-fmin(0.999999, goes1 * x));
		log2 += c * log1p(-fmin(0.999999, goes2 * x));
	}
	survives[0] = in_order(m, mean, square,
			       fmax(1, m->ways - fmin(m->ways - 1, m->p1 / goes1)));
	survives[1] = exp(log1);
	survives[2] = exp(log2);
}

/* Iterates one row; adds to become[] the references after which lines are of kinds 1 and 2.
 * Returns the change. */
static double iterate_row(struct most *m, size_t i, bool warm, double *become)
{
	const struct ws_reuse_row *r = m->w->row + i;
	double u[KINDS] = { 0 }, s[KINDS] = { m->lru[i], m->lru[i], m->lru[i] };
	double hit, old = m->hit[i];

	if (!warm)
		survive(m, i, s);
	for (size_t k = 0; k < r->before.count; k++)
		for (unsigned j = 0; j < KINDS; j++)
			u[j] += r->before.term[k].value * m->kind[r->before.term[k].row][j];
	hit = u[0] * s[0] + u[1] * s[1] + u[2] * s[2];
	become[0] += r->count * u[0] * s[0];
	become[1] += r->count * u[1] * s[1];
	m->kind[i][0] += DAMPING * (1 - hit - m->kind[i][0]);
	m->kind[i][1] += DAMPING * (u[0] * s[0] - m->kind[i][1]);
	m->kind[i][2] += DAMPING * (hit - u[0] * s[0] - m->kind[i][2]);
	m->hit[i] = 1 - m->kind[i][0];
	return fabs(hit - old);
}

static double most_iteration(void *context, unsigned number)
{
	struct most *m = context;
	double become[2] = { 0, 0 }, misses = 0, change = 0;

	ws_reuse_weigh(m->w, m->hit, m->evicting, m->x);
	for (size_t i = 0; i < m->w->types; i++) {
		misses += m->w->row[i].count * m->x[i];
		if (m->w->row[i].sort == WS_ROW_FINITE)
			change = fmax(change, iterate_row(m, i, number < WARM, become));
	}
	misses = fmax(misses, 1e-300);
	m->p1 += DAMPING * (fmin(1, become[0] / misses) - m->p1);
	m->p2 += DAMPING * (fmin(1, become[1] / misses) - m->p2);
	return change;
}

static void most_solve(struct most *m)
{
	const struct ws_sweeping iterations = { .sweep = most_iteration, .context = m,
						.settled = SETTLED,
					    .least = WARM + 20, .most = ITERATIONS };

	most_begin(m);
	(void)ws_sweep(&iterations);
}

/* kinds, lru: misses of all references, by the model of kinds alone and by LRU. */
static void margins(const struct ws_query *q, double kinds, double lru,
		    struct ws_solution *out)
{
	double half[WS_TYPES], apart = POINTS * fabs(kinds - lru), steep;

	ws_reuse_lru(q->windows, (q->cache->ways + 1) / 2, half);
	steep = POINTS * (ws_reuse_missing(q->windows, half) - lru);
	out->error_pp = WS_MFU_LEAST + WS_MFU_APART * apart +
			WS_MFU_STEEP * fmin(WS_MFU_STEEP_COUNTS, fmax(0, steep));
	out->below_pp = out->above_pp = WS_MFU_HALF + WS_MFU_WIDE * out->error_pp;
	out->low_confidence = apart > WS_MFU_LOW_CONFIDENCE_APART;
}

enum ws_status ws_solve_mfu(const struct ws_query *q, struct ws_solution *out,
			    struct ws_err *err)
{
	const struct ws_reuse *w = q->windows;
	struct most m = { .w = w, .ways = (double)q->cache->ways,
			  .evicting = ws_evicting(w->detail, q->cache->ways) };
	struct ws_retained f;
	double hit[WS_TYPES], kinds, lru, weight;

	m.law = ws_alloc(q->cache->ways + 1, sizeof *m.law);
	if (!m.law)
		return ws_fail_memory(err, "the law of evictions");
	most_solve(&m);
	free(m.law);
	ws_retained_find(w, q->cache->ways, &f);
	kinds = ws_reuse_missing(w, m.hit);
	lru = ws_reuse_missing(w, m.lru);
	weight = kinds > lru ? (1 + f.alive) / 2 : 0;
	for (size_t i = 0; i < w->types; i++)
		hit[i] = w->row[i].sort != WS_ROW_FINITE ? 0
			: fmin(1, fmax(0, weight * m.hit[i] + (1 - weight) * m.lru[i]));
	ws_reuse_answer(w, hit, out->hit);
	ws_frequency_evictions(q, out);
	margins(q, kinds, lru, out);
	return WS_OK;
}
