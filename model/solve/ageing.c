/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * model/solve/ageing.c -- least frequently used with counts that are halved at every P-th access to
 * the set.
 *
 * P = 1 is exactly LRU: after each access, every count but that of the line just hit is 0, so the
 * victim is the least recent line.  Up to P = ways / 2, LRU is nearly exact: a line that is about
 * to be evicted was last used so long ago that its count is 0.
 *
 * For longer periods, two estimates of a type's hits are averaged.
 *
 * 1.  Protected lines.  The level of a count is 0 for 0, and l for 2^(l-1) .. 2^l - 1.  A halving
 *    lowers it by one.  So a line of level l is protected for l halvings, that is (l - u) P
 *    accesses with u uniform in [0, 1].  After that LRU decides, which keeps a line for theta
 *    accesses:
 *
 *      stays after a reference of type i   max(theta, (l - 1/2) P), in its window at most
 *      hits                                below(theta) + (1 - below(theta)) P(t < (l - u) P)
 *
 *    below: the probability that LRU finds it, given as many ways as lines are referenced in theta
 *    accesses.  The distribution of l after each type is carried from window to window (`before`):
 *    a miss sets l = 0, a window of t accesses lowers it by t / P, and a hit adds 1 to the count,
 *    which raises the level with probability 1, 1, 1/2, 1/4, ... .  Protected lines that are dead
 *    take room from LRU.  So theta is chosen such that the mean number of resident lines is what
 *    fits (ws_resident).  There may be several solutions, since few misses keep counts high and
 *    high counts keep misses few.  A cache begins as LRU, so the search goes down from LRU's theta.
 *    If even theta = 0 leaves too many lines, lines of levels up to some l0 are unprotected, too.
 * 2.  A mean of LRU and LFU.  The weight of LFU is 1 / (1 + (12 ways / P)^2), and 1 if the launch
 *    ends before the first halving.
 *
 * The weight of the first estimate is greatest for P = ways to 16 ways.  It falls beyond that,
 * where counts grow over the whole launch: levels by type of reference cannot represent this.
 * O(levels * entries of `before` * steps of theta): 1 ms, and up to 10 ms for P >> ways.
 */
#include "model/solve/frequency.h"
#include "model/constants.h"
#include "model/solve/solver.h"

#include <math.h>
#include <string.h>

#define POINTS 100.0
#define LEVELS 16u
#define ROWS (WS_TYPES + WS_END_CLASSES)

#define STEP 0.15		/* of ln(theta + 1), and of l0 */
#define SETTLED 1e-4		/* the largest change of a hit ratio at which iterations end */
#define SETTLE_LEAST 5u
#define SETTLE_FIRST 40u	/* iterations of the levels: at LRU's theta, */
#define SETTLE 10u		/* and after a step */

struct ageing {
	const struct ws_reuse *w;
	double period, ways;
	double theta, unprotected; /* accesses; levels (0 where theta > 0) */
	double resident;	/* lines on average */
	double below[ROWS];	/* by row: probability that LRU finds it within theta */
	double level[ROWS][LEVELS]; /* levels' probabilities after a hit; sum: the hit ratio */
	double hit[ROWS];
};

static double clamp(double x)
{
	return x < 0 ? 0 : x > 1 ? 1 : x;
}

/* ---- LRU's part ------------------------------------------------------------------ */

/* Mean number of lines referenced in the last theta accesses. */
static double recent(const struct ws_reuse *w, double theta)
{
	double sum = 0;

	for (size_t i = 0; i < w->rows; i++)
		sum += w->row[i].count * fmin(w->row[i].time, theta);
	return sum / w->references;
}

struct ageing_fitting {		/* finds the theta in which as many lines are referenced as fit */
	const struct ws_reuse *w;
	double fits;
};

static double too_many(double theta, void *context)
{
	const struct ageing_fitting *f = context;

	return recent(f->w, theta) - f->fits;
}

/* LRU's theta; the longest window if all lines fit. */
static enum ws_status lru_theta(const struct ws_reuse *w, double fits, double *theta,
				struct ws_err *err)
{
	struct ageing_fitting f = { w, fits };
	struct ws_root root;
	double longest = 1;
	enum ws_status status;

	for (size_t i = 0; i < w->rows; i++)
		longest = fmax(longest, w->row[i].time);
	status = ws_root_find(&(struct ws_equation){ too_many, &f }, 0, longest, &root, err);
	*theta = status != WS_OK ? 0 : root.x;
	return status;
}

/* z > 0: theta = e^z - 1; else theta = 0 and levels up to -z are unprotected. */
static void theta_set(struct ageing *a, double z, double fits)
{
	double ways;

	a->theta = z > 0 ? expm1(z) : 0;
	a->unprotected = z < 0 ? -z : 0;
	ways = fmax(1, recent(a->w, a->theta) * a->ways / fits);
	for (size_t i = 0; i < a->w->types; i++) {
		const struct ws_reuse_row *r = a->w->row + i;
		double first, past;

		if (r->sort != WS_ROW_FINITE)
			continue;
		first = ws_bin_first(r->type);
		past = r->type + 1 < WS_BINS ? ws_bin_first(r->type + 1) : 2 * first;
		a->below[i] = clamp((ways - first) / (past - first));
	}
}

/* ---- levels ------------------------------------------------------------------------ */

/* The distribution of the level at the beginning of row i's window. */
static void levels_before(const struct ageing *a, const struct ws_reuse_row *r, double *law)
{
	double all = 0;

	memset(law, 0, LEVELS * sizeof *law);
	for (size_t k = 0; k < r->before.count; k++) {
		const struct ws_term *p = r->before.term + k;

		all += p->value;
		for (unsigned l = 0; l < LEVELS; l++) {
			law[l] += p->value * a->level[p->row][l];
			all -= p->value * a->level[p->row][l];
		}
	}
	law[0] += fmax(0, all);
}

/* Adds to law the levels that `weight` at level l has after `halvings` and then a hit. */
static void level_hit(double *law, unsigned l, double halvings, double weight)
{
	double whole = floor(halvings);

	for (unsigned more = 0; more < 2; more++) {
		double fraction = more ? halvings - whole : 1 - (halvings - whole);
		double left = fmax(0, (double)l - whole - more);
		unsigned now = (unsigned)left;
		double up = now ? ldexp(1, 1 - (int)now) : 1;

		law[now + 1 < LEVELS ? now + 1 : LEVELS - 1] += weight * fraction * up;
		law[now] += weight * fraction * (1 - up);
	}
}

/* Iterates one row; returns how long its lines stay within its window. */
static double row_settle(struct ageing *a, size_t i)
{
	const struct ws_reuse_row *r = a->w->row + i;
	double before[LEVELS], after[LEVELS] = { 0 }, halvings = r->time / a->period, stays = 0;

	levels_before(a, r, before);
	for (unsigned l = 0; l < LEVELS; l++) {
		double level = (double)l - a->unprotected;
		double life = fmax(a->theta, (level - 0.5) * a->period);
		double finds = a->below[i] + (1 - a->below[i]) * clamp(level - halvings);

		stays += before[l] * fmin(r->time, fmax(life, a->below[i] * r->time));
		if (before[l] > 0 && r->sort == WS_ROW_FINITE)
			level_hit(after, l, halvings, before[l] * finds);
	}
	a->hit[i] = 0;
	for (unsigned l = 0; l < LEVELS; l++) {
		a->level[i][l] = (a->level[i][l] + after[l]) / 2;
		a->hit[i] += after[l];
	}
	return stays;
}

static double iterate(void *context, unsigned number)
{
	struct ageing *a = context;
	double change = 0;

	(void)number;
	a->resident = 0;
	for (size_t i = 0; i < a->w->rows; i++) {
		const struct ws_reuse_row *r = a->w->row + i;
		double old = a->hit[i];

		if (r->sort != WS_ROW_FINITE && r->sort != WS_ROW_END)
			continue;
		a->resident += r->count * row_settle(a, i) / a->w->references;
		change = fmax(change, fabs(a->hit[i] - old));
	}
	return change;
}

static enum ws_status protect(struct ageing *a, struct ws_err *err)
{
	struct ws_sweeping iterations = { .sweep = iterate, .context = a, .settled = SETTLED,
				      .least = SETTLE_LEAST, .most = SETTLE_FIRST };
	double fits = ws_resident(a->w, (uint64_t)a->ways), theta = 0;
	enum ws_status status = lru_theta(a->w, fits, &theta, err);

	for (double z = log1p(theta); status == WS_OK && z > -(double)LEVELS; z -= STEP) {
		theta_set(a, z, fits);
		(void)ws_sweep(&iterations);
		if (a->resident <= fits * 1.001)
			break;
		iterations.most = SETTLE;
	}
	return status;
}

/* ---- the answer ---------------------------------------------------------------------- */

/* The expected error, from the distance of the two estimates and from that of LRU and LFU. */
static void margins(double apart, double range, struct ws_solution *out)
{
	out->error_pp = WS_LFU_AGE_LEAST +
			WS_LFU_AGE_RANGE * fmin(WS_LFU_AGE_RANGE_COUNTS, POINTS * range) +
			WS_LFU_AGE_APART * POINTS * apart;
	out->below_pp = out->above_pp = WS_LFU_AGE_HALF + WS_LFU_AGE_WIDE * out->error_pp;
	out->low_confidence = out->error_pp > WS_LFU_AGE_LOW_CONFIDENCE;
}

/* first: the weight of the first estimate; lfu: of LFU in the second. */
static enum ws_status mix(const struct ws_query *q, const struct ws_solution *retained,
			  double first, double lfu, struct ws_solution *out, struct ws_err *err)
{
	const struct ws_reuse *w = q->windows;
	struct ageing a = { .w = w, .period = q->use->param[0], .ways = (double)q->cache->ways };
	double hit[ROWS] = { 0 }, lru[ROWS];
	double levels = 0, ends[2] = { 0, 0 }, mixed = 0; /* hits of all references */
	enum ws_status status = first > 0 ? protect(&a, err) : WS_OK;

	if (status != WS_OK)
		return status;
	ws_reuse_lru(w, q->cache->ways, lru);
	for (size_t i = 0; i < w->types; i++) {
		double fraction = w->row[i].count / w->references;
		double most = retained->hit[w->row[i].type],
		       second = lru[i] + lfu * (most - lru[i]);

		if (w->row[i].sort != WS_ROW_FINITE)
			continue;
		hit[i] = clamp(first > 0 ? first * a.hit[i] + (1 - first) * second : second);
		levels += fraction * (first > 0 ? a.hit[i] : hit[i]);
		ends[0] += fraction * lru[i];
		ends[1] += fraction * most;
		mixed += fraction * hit[i];
	}
	ws_reuse_answer(w, hit, out->hit);
	ws_frequency_evictions(q, out);
	margins(fabs(levels - mixed),
		fmax(levels, fmax(ends[0], ends[1])) - fmin(levels, fmin(ends[0], ends[1])), out);
	return WS_OK;
}

enum ws_status ws_solve_lfu_age(const struct ws_query *q, const struct ws_policy *lfu,
				struct ws_solution *out, struct ws_err *err)
{
	const struct ws_reuse *w = q->windows;
	double period = q->use->param[0], ratio = period / (double)q->cache->ways;
	double launch = fmin(1, period * w->sets / w->references); /* no count is halved yet */
	double first, like_lfu = 1 / (1 + pow(WS_LFU_AGE_HALF_WAY / ratio, 2));
	struct ws_solution retained;
	enum ws_status status;

	if (period < 2) {
		out->lru = true;
		return WS_OK;
	}
	if (ratio <= WS_LFU_AGE_LRU_UP_TO) {
		out->lru = true;
		out->error_pp = WS_LFU_AGE_LRU_ERROR;
		out->below_pp = out->above_pp = WS_LFU_AGE_LRU_BOUND;
		return WS_OK;
	}
	status = ws_shared_solve_default(q, lfu, &retained, err);
	if (status != WS_OK)
		return status;
	first = WS_LFU_AGE_PROTECTED / (1 + ratio / WS_LFU_AGE_FADES) * (1 - launch) *
		fmin(1, (ratio - WS_LFU_AGE_LRU_UP_TO) / (1 - WS_LFU_AGE_LRU_UP_TO));
	return mix(q, &retained, first, like_lfu + (1 - like_lfu) * launch, out, err);
}
