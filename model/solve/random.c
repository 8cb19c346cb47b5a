/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * model/solve/random.c -- a victim drawn among the ways, by weight (solve.h).
 *
 * A line in way w survives an eviction with probability 1 - p_w, and its window with
 *
 *   S_w = exp(sum c ln(1 - p_w x))
 *
 * A line that is fetched by an eviction is put into way w with probability p_w; if the set is not
 * full, all ways are equally likely.  The way of a line is unknown, but a hit makes some ways more
 * likely.  g_i[w], the distribution of ways after a reference of type i, is carried from window to
 * window (`before`) as g_i = pre S_w + (1 - hit_i) p_w.  Ways of equal weight are one class.
 *
 * COLD references: the first W of a set do not evict.  The fraction of all COLD references that do
 * is the fraction that come to a full set.  Of those inside lines' windows, a larger fraction does,
 * since later ones are inside more windows: the k-th line of a set comes in the windows (finite or
 * not) of the k - 1 lines before it.  The closure finds a value between the first fraction and half
 * way to the second.
 */
#include "model/solve/solve.h"
#include "model/constants.h"

#include <math.h>
#include <stdlib.h>

#define MOMENTS 6u		/* terms of ln(1 - p x) for p below SMALL: error at most 1e-5 */
#define SMALL 0.26
#define ITERATIONS 60u

struct class {			/* a class: ways of equal weight */
	double p;		/* probability that one of them is the victim */
	double ways, fraction;	/* their number, and that as a fraction of all ways */
	double filled;		/* p * ways: of the lines fetched by evictions */
};

struct ways {
	struct class class[WS_PARAMS_MAX];
	unsigned classes;
	double *in;		/* [rows][classes]: g */
};

static void classify(struct ways *w, const double *weight, uint64_t ways)
{
	double sum = 0;

	for (uint64_t i = 0; weight && i < ways; i++)
		sum += weight[i];
	for (uint64_t i = 0; weight && i < ways; i++) {
		unsigned c = 0;

		while (c < w->classes && w->class[c].p != weight[i] / sum)
			c++;
		w->classes += c == w->classes;
		w->class[c].p = weight[i] / sum;
		w->class[c].ways++;
	}
	if (!weight) {
		w->class[w->classes++] = (struct class){ .p = 1 / (double)ways,
							 .ways = (double)ways };
	}
	for (unsigned c = 0; c < w->classes; c++) {
		w->class[c].fraction = w->class[c].ways / (double)ways;
		w->class[c].filled = w->class[c].p * w->class[c].ways;
	}
}

/* ---- one window ---------------------------------------------------------------------- */

/* -sum c ln(1 - p x) */
static double wear(const struct ws_survival *s, size_t row, double pull, double p)
{
	const struct ws_terms *c = &s->windows->row[row].within;
	double sum = 0;

	for (size_t i = 0; i < c->count; i++) {
		size_t j = c->term[i].row;
		double x = fmin(1, s->x[j] + s->more[j] * pull);

		sum -= c->term[i].value * log1p(-fmin(p * x, 1 - 1e-12));
	}
	return sum;
}

static double wear_small(const double *moment, double p)
{
	double sum = 0, power = 1;

	for (unsigned k = 0; k < MOMENTS; k++)
		sum += (power *= p) * moment[k] / (k + 1);
	return sum;
}

/* mean of exp(-s u) over u in 0 .. 1 */
static double mean_decay(double s)
{
	return s > 1e-9 ? -expm1(-s) / s : 1;
}

static void enter(const struct ws_survival *s, size_t row, double *in)
{
	const struct ways *w = s->state;
	double evicts = s->windows->row[row].sort == WS_ROW_COLD ? s->evicting[0] : 1;

	for (unsigned c = 0; c < w->classes; c++)
		in[c] = evicts * w->class[c].filled + (1 - evicts) * w->class[c].fraction;
}

/* The distribution of ways at the window's begin, without what the type itself left; returns the
 * latter's fraction. */
static double from_before(const struct ws_survival *s, size_t row, double *pre)
{
	const struct ws_terms *before = &s->windows->row[row].before;
	const struct ways *w = s->state;
	double own = 0;

	for (unsigned c = 0; c < w->classes; c++)
		pre[c] = before->count ? 0 : w->class[c].fraction;
	for (size_t i = 0; i < before->count; i++) {
		const double *in = w->in + before->term[i].row * w->classes;

		if (before->term[i].row == row)
			own = before->term[i].value;
		for (unsigned c = 0; c < w->classes && before->term[i].row != row; c++)
			pre[c] += before->term[i].value * in[c];
	}
	return own;
}

/* Solves in = left (pre + own in) + fetched filled for `in`, whose sum is 1, and `fetched`.  Adds
 * to pre what follows the type itself. */
static double follow_ways(const struct ways *w, double own, const double *left, double *pre,
			  double *in)
{
	double found = 0, fetched = 0, fraction;

	for (unsigned c = 0; c < w->classes; c++) {
		double again = fmax(1e-9, 1 - own * left[c]);

		in[c] = left[c] * pre[c] / again;
		found += in[c];
		fetched += w->class[c].filled / again;
	}
	fraction = fmin(1, fmax(0, (1 - found) / fetched));
	for (unsigned c = 0; c < w->classes; c++) {
		in[c] += fraction * w->class[c].filled / fmax(1e-9, 1 - own * left[c]);
		pre[c] += own * in[c];
	}
	return fraction;
}

static void live(struct ws_survival *s, size_t row, double pull, struct ws_life *life)
{
	struct ways *w = s->state;
	double moment[MOMENTS], pre[WS_PARAMS_MAX], worn[WS_PARAMS_MAX], left[WS_PARAMS_MAX];
	double *in = w->in + row * w->classes, own;

	if (ws_survival_fetches(s->windows->row + row)) {
		enter(s, row, in);
		return;
	}
	ws_survival_moments(s, row, pull, moment, MOMENTS);
	for (unsigned c = 0; c < w->classes; c++) {
		double p = w->class[c].p;

		worn[c] = p < SMALL ? wear_small(moment, p) : wear(s, row, pull, p);
		left[c] = exp(-worn[c]);
	}
	own = from_before(s, row, pre);
	life->hit = 1 - follow_ways(w, own, left, pre, in);
	for (unsigned c = 0; c < w->classes; c++) {
		life->stay += pre[c] * mean_decay(worn[c]);
		for (unsigned d = 0; d <= c; d++)
			life->square += (d < c ? 2 : 1) * pre[c] * pre[d] *
					mean_decay(worn[c] + worn[d]);
	}
}

static void fresh(struct ws_survival *s)
{
	const struct ways *w = s->state;

	for (size_t i = 0; i < s->windows->rows; i++)
		for (unsigned c = 0; c < w->classes; c++)
			w->in[i * w->classes + c] = w->class[c].fraction;
}

/* ---- COLD references ----------------------------------------------------------------- */

/* The fraction of COLD references inside windows that come to a full set. */
static double evicting_seen(const struct ws_detail *detail, uint64_t ways)
{
	double all = 0, full = 0;

	for (uint32_t i = 0; i < WS_DEPTH_CELLS; i++) {
		double before = ws_cell_first(i, WS_DEPTH_BITS);

		all += before * (double)detail->arrivals[i];
		if (before >= (double)ways)
			full += before * (double)detail->arrivals[i];
	}
	return all > 0 ? full / all : 0;
}

/* ---- answers ------------------------------------------------------------------------- */

static double once(struct ws_survival *s, bool pulls)
{
	fresh(s);
	ws_survival_solve(s, WS_START_LRU, pulls, ITERATIONS);
	return s->missing;
}

/* Lines in ways that are never a victim are the first of their set: it is unknown which these are.
 * */
static bool any_stays(const struct ways *w)
{
	for (unsigned c = 0; c < w->classes; c++)
		if (w->class[c].p <= 0)
			return true;
	return false;
}

/* In a loop that does not fit, large steps may end in a state where everything hits: more lines are
 * certainly resident than fit. */
static void careful(struct ws_survival *s)
{
	once(s, true);
	s->careful = s->occupancy > WS_RANDOM_RESERVED && s->variance < WS_RANDOM_STILL * s->ways;
	if (s->careful)
		once(s, true);
}

static void solve_ways(const struct ws_query *q, struct ws_survival *s, struct ws_solution *out)
{
	struct ws_residency_uncertainty uncertainty = WS_RANDOM_UNCERTAINTY;
	struct ws_survival_other other = { .lru = ws_survival_lru(s), .plain = once(s, false) };

	careful(s);
	other.start = s->missing;
	if (any_stays(s->state))
		uncertainty.least = WS_RANDOM_STAYS_PP;
	ws_reuse_answer(q->windows, s->hit, out->hit);
	ws_survival_judge(out, s, &uncertainty, &other);
}

enum ws_status ws_solve_random(const struct ws_query *q, const double *weight,
			       struct ws_solution *out, struct ws_err *err)
{
	uint64_t ways = q->cache->ways;
	struct ways w = { .classes = 0 };
	struct ws_survival s = { .live = live, .tunes = WS_TUNE_EVICTING, .state = &w,
			      .less = WS_RANDOM_LESS,
			      .evicting = { ws_evicting(q->geometry->detail, ways), 0 } };
	enum ws_status status = ws_survival_init(&s, q->windows, ways, err);

	s.evicting[1] = (s.evicting[0] + evicting_seen(q->geometry->detail, ways)) / 2;
	classify(&w, weight, ways);
	w.in = ws_alloc(q->windows->rows * w.classes + 1, sizeof *w.in);
	if (status == WS_OK && !w.in)
		status = ws_fail_memory(err, "a model's ways");
	if (status == WS_OK)
		solve_ways(q, &s, out);
	free(w.in);
	ws_survival_clear(&s);
	return status;
}
