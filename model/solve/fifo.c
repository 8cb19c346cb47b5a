/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * model/solve/fifo.c -- first in, first out (solve.h).
 *
 * The W-th fetch after a line's own evicts it, whether or not it is hit, and whether or not fetches
 * find a free way.  So all COLD references count, from the first.  A line's age is the number of
 * fetches since its own.  g_i[a] is the distribution of ages after a reference of type i.  With K
 * fetches in the window, distributed as ws_eviction_law says,
 *
 *   pre = sum p(before) g,  h[a] = sum pre[a - k] P(K = k),  hit_i = sum of h below W,
 *   g_i = h, and 1 - hit_i at age 0.
 *
 * If a type follows itself, g_i is solved for directly: h = L (rest + p g_i), L being lower
 * triangular.  With more than CELLS ways, ages are kept in CELLS equal cells, and K / cell has the
 * same mean and variance.  O(rows * cells^2) an iteration.
 */
#include "model/solve/solve.h"
#include "model/constants.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CELLS 64u
#define ITERATIONS 50u
#define ROUNDS_OTHER 25u
#define ROUNDS_PLAIN 10u
#define POINTS 100.0
#define RARE 1e-11		/* smallest probability that is kept of a law */
#define OFTEN 0.02		/* types that follow themselves so often are solved for directly */

struct ages {
	size_t cells;
	double cell;		/* fetches in a cell */
	double *after;		/* [rows][cells]: g */
	double *pre, *law, *rest, *born; /* [cells]; law [cells + 1] */
	size_t from, to;	/* the range of the law that is kept */
};

/* ---- one window ---------------------------------------------------------------------- */

static double law(struct ages *g, double mean, double square)
{
	double m = mean / g->cell, spread = (mean - square) / (g->cell * g->cell);

	ws_eviction_law(m, m - spread, g->cells - 1, g->law);
	g->from = 0;
	g->to = g->cells;
	while (g->from < g->to && g->law[g->from] < RARE)
		g->from++;
	while (g->to > g->from && g->law[g->to - 1] < RARE)
		g->to--;
	return m;
}

/* to = L from */
static void move(const struct ages *g, const double *from, double *to)
{
	memset(to, 0, g->cells * sizeof *to);
	for (size_t a = 0; a + g->from < g->cells; a++) {
		size_t end = g->to < g->cells - a ? g->to : g->cells - a;

		if (from[a] > 0)
			for (size_t k = g->from; k < end; k++)
				to[a + k] += from[a] * g->law[k];
	}
}

/* h = source + p L h, in place; returns its sum. */
static double follow_ages(const struct ages *g, double p, double *h)
{
	double stands = g->from == 0 ? g->law[0] : 0, sum = 0;

	for (size_t a = 0; a < g->cells; a++) {
		for (size_t k = g->from > 1 ? g->from : 1; k < g->to && k <= a; k++)
			h[a] += p * g->law[k] * h[a - k];
		h[a] /= fmax(1e-9, 1 - p * stands);
		sum += h[a];
	}
	return sum;
}

/* Ages at the window's begin, without those that the type itself left; returns their fraction. */
static double from_before(const struct ages *g, const struct ws_terms *before, size_t row,
			  double *rest)
{
	double own = 0;

	memset(rest, 0, g->cells * sizeof *rest);
	if (before->count == 0)
		rest[0] = 1;
	for (size_t i = 0; i < before->count; i++) {
		double fraction = before->term[i].value;
		const double *after = g->after + before->term[i].row * g->cells;

		if (before->term[i].row == row && fraction > OFTEN)
			own = fraction;
		else
			for (size_t a = 0; a < g->cells; a++)
				rest[a] += fraction * after[a];
	}
	return own;
}

/* A line of age a is evicted at the fraction (W - a) / mean of the window. */
static void stays(const struct ages *g, double mean, struct ws_life *life)
{
	double s = 1, at = 0;

	for (size_t a = g->cells; a-- > 0 && at < 1;) {
		double dies = fmin(1, (double)(g->cells - a) / fmax(mean, 1e-9));

		life->stay += s * (dies - at);
		life->square += s * s * (dies - at);
		at = dies;
		s = fmax(0, s - g->pre[a]);
	}
}

static void live(struct ws_survival *s, size_t row, double pull, struct ws_life *life)
{
	struct ages *g = s->state;
	double *after = g->after + row * g->cells, moment[2], mean, own, sum = 0;

	if (ws_survival_fetches(s->windows->row + row))
		return;
	ws_survival_moments(s, row, pull, moment, 2);
	mean = law(g, moment[0], moment[1]);
	own = from_before(g, &s->windows->row[row].before, row, g->rest);
	move(g, g->rest, after);
	if (own > 0) {
		double fetched;

		memset(g->born, 0, g->cells * sizeof *g->born);
		g->born[0] = 1;
		fetched = (1 - follow_ages(g, own, after)) / follow_ages(g, own, g->born);
		fetched = fmin(1, fmax(0, fetched));
		for (size_t a = 0; a < g->cells; a++)
			after[a] += fetched * g->born[a];
		life->hit = 1 - fetched;
	} else {
		for (size_t a = 0; a < g->cells; a++)
			sum += after[a];
		life->hit = fmin(1, sum);
		after[0] += 1 - life->hit;
	}
	for (size_t a = 0; a < g->cells; a++)
		g->pre[a] = g->rest[a] + own * after[a];
	stays(g, mean, life);
}

/* With random victims: leads to a state with hits, if there is one. */
static void live_drawn(struct ws_survival *s, size_t row, double pull, struct ws_life *life)
{
	double moment[2], wear;

	if (ws_survival_fetches(s->windows->row + row))
		return;
	ws_survival_moments(s, row, pull, moment, 2);
	wear = fmax(1e-9, (moment[0] + moment[1] / (2 * s->ways)) / s->ways);
	life->hit = exp(-wear);
	life->stay = -expm1(-wear) / wear;
	life->square = -expm1(-2 * wear) / (2 * wear);
}

/* ---- answers ------------------------------------------------------------------------- */

/* If the model hits far more than LRU, its one state stands for a mixture: sets and times with few
 * misses, and others that miss always.  So the answer is moved towards LRU's. */
static void towards_lru(struct ws_survival *s, double lru, double fraction)
{
	double gap = lru - s->missing;

	fraction *= gap > WS_FIFO_FAR_OFF ? 1 - WS_FIFO_FAR_OFF / gap : 0;
	ws_survival_lru(s);
	for (size_t i = 0; i < s->windows->types && fraction > 0; i++)
		if (s->windows->row[i].sort == WS_ROW_FINITE)
			s->hit[i] += fraction * (s->x[i] - s->hit[i]);
	s->missing = ws_reuse_missing(s->windows, s->hit);
}

static double once(struct ws_survival *s, enum ws_survival_start start, bool pulls,
		   unsigned iterations)
{
	const struct ages *g = s->state;

	memset(g->after, 0, s->windows->rows * g->cells * sizeof *g->after);
	for (size_t i = 0; i < s->windows->rows; i++)
		g->after[i * g->cells] = 1;
	ws_survival_solve(s, start, pulls, iterations);
	return s->missing;
}

struct fifo_found {			/* an answer */
	double missing, variance;
};

/* Solves from LRU's hits and from none, and takes the answer whose resident lines better fill the
 * set; its hits go to `keep`. */
static struct fifo_found near_lru(struct ws_survival *s, struct ws_survival_other *other,
				  double *keep)
{
	double occupancy;

	other->start = once(s, WS_START_LEAST, true, ROUNDS_OTHER);
	occupancy = s->occupancy;
	once(s, WS_START_LRU, true, ITERATIONS);
	if (fabs(log(occupancy)) < fabs(log(s->occupancy)) - WS_FIFO_CLEAR) {
		other->start = s->missing;
		once(s, WS_START_LEAST, true, ITERATIONS);
	}
	memcpy(keep, s->hit, s->windows->types * sizeof *keep);
	return (struct fifo_found){ s->missing, s->variance };
}

/* Starts from the hits of random victims, which lead to a second state, if there is one.  Returns
 * how much less it misses than the first, and leaves its hits in s.  A set whose lines hardly
 * depend on chance (V below that of one coin) never reaches it.  If V is at least that, but small
 * compared with the ways, only a distant state counts (WS_FIFO_APART). */
static double second_gap(struct ws_survival *s, struct fifo_found first)
{
	double gap;

	if (first.variance <= fmin(WS_FIFO_LOOK * s->ways, WS_FIFO_COIN))
		return 0;
	s->live = live_drawn;
	ws_survival_solve(s, WS_START_LRU, true, ROUNDS_OTHER);
	s->live = live;
	gap = first.missing - once(s, WS_START_HERE, true, ROUNDS_OTHER);
	return gap > WS_FIFO_APART || first.variance > WS_FIFO_LOOK * s->ways ? gap : 0;
}

/* In a loop that does not fit, nothing hits.  With some disorder, a few lines that outlive an
 * iteration of the loop make the next ones live longer: a second state, with hits.  The set stays
 * in it, or alternates between the two.  The amount of disorder decides which state is the answer.
 * Returns how far to move towards LRU. */
static double choose_kept(struct ws_survival *s, struct ws_survival_other *other, double *keep)
{
	struct fifo_found first = near_lru(s, other, keep);
	double gap = second_gap(s, first);

	if (gap > WS_FIFO_APART && first.variance > WS_FIFO_DISORDER * s->ways) {
		other->start = first.missing;
		return WS_FIFO_SHARE_SECOND;
	}
	if (gap > fabs(other->start - first.missing))
		other->start = first.missing - gap;
	memcpy(s->hit, keep, s->windows->types * sizeof *keep);
	s->missing = first.missing;
	return WS_FIFO_SHARE;
}

/* Extends the interval to the other state, and more_pp beyond it. */
static void reach(struct ws_solution *out, double away_pp, double more_pp)
{
	if (away_pp > WS_FIFO_APART * POINTS)
		out->above_pp = fmin(POINTS, fmax(out->above_pp, away_pp + more_pp));
	if (-away_pp > WS_FIFO_APART * POINTS)
		out->below_pp = fmin(POINTS, fmax(out->below_pp, more_pp - away_pp));
}

static void solve_ages(const struct ws_query *q, struct ws_survival *s, struct ws_solution *out,
		       double *keep)
{
	static const struct ws_residency_uncertainty uncertainty = WS_FIFO_UNCERTAINTY;
	struct ws_survival_other other = { .lru = ws_survival_lru(s) };
	double fraction;

	other.plain = once(s, WS_START_LRU, false, ROUNDS_PLAIN);
	fraction = choose_kept(s, &other, keep);
	ws_survival_judge(out, s, &uncertainty, &other);
	towards_lru(s, other.lru, fraction);
	reach(out, POINTS * (other.start - s->missing), uncertainty.wide * uncertainty.least);
	ws_reuse_answer(q->windows, s->hit, out->hit);
}

enum ws_status ws_solve_fifo(const struct ws_query *q, struct ws_solution *out,
			     struct ws_err *err)
{
	uint64_t ways = q->cache->ways;
	size_t cells = ways < CELLS ? (size_t)ways : CELLS, rows = q->windows->rows;
	struct ages g = { .cells = cells, .cell = (double)ways / (double)cells };
	struct ws_survival s = { .live = live, .tunes = WS_TUNE_PULL, .state = &g,
			      .evicting = { 1, 1 } };
	enum ws_status status = ws_survival_init(&s, q->windows, ways, err);

	g.after = ws_alloc((rows + 5) * cells + q->windows->types, sizeof *g.after);
	if (status == WS_OK && !g.after)
		status = ws_fail_memory(err, "a model's ages");
	if (status == WS_OK) {
		g.pre = g.after + rows * cells;
		g.law = g.pre + cells;
		g.rest = g.law + cells;
		g.born = g.rest + cells;
		solve_ages(q, &s, out, g.born + cells);
	}
	free(g.after);
	ws_survival_clear(&s);
	return status;
}
