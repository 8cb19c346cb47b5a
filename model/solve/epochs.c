/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * model/solve/epochs.c -- ageing in epochs.
 *
 * RRIP evicts the lowest way that has the largest value, and all values grow when none is at the
 * top.  An epoch is the time from one growth to the next.  The victims of an epoch are in ascending
 * order of their ways.  So RRIP is a clock whose hand sweeps the ways once an epoch.  R, the number
 * of evictions in an epoch, is unknown.
 *
 *   A line fetched into way x, when the hand is at x, is evicted one epoch later, after R evictions
 *   (under SRRIP, which inserts one below the top).
 *   A line used when the hand is at y is evicted after A + x - y epochs (A = 2^bits - 1).  With
 *   phase = frac(y - x) these are A - phase epochs with probability 1 - phase, and A + 1 - phase
 *   with probability phase.
 *
 * f_i, the probability that a reference of type i finds its line, is the probability that its
 * window has fewer evictions than the line had left.  The number of evictions in a window is a sum
 * over the references inside, of 1 - f each (reuse.h: with Hajek's correction, and as a binomial).
 * What the line had left depends on the type of its previous reference, and on whether that was a
 * hit.  The phase after a hit is the phase before plus evictions / R.  The more evictions vary, the
 * less certain it is.
 *
 * The closure: the mean number of resident lines equals what fits, T.  It is O = sum of n * t *
 * (fraction of the window for which the line stays) / N, over references and end windows.  O grows
 * with R: a bracket on ln R is cut until O = T.  If O jumps over T, the answer is interpolated.
 *
 * f is found by iteration, and there may be several solutions (a loop that is a little longer than
 * the set is all hits or all misses).  So four guesses are made: A from LRU's hits; B from an empty
 * cache; G from LRU's hits, with windows of the average composition instead of each type's own; and
 * LRU's misses themselves.  The answer is the median of A, B, G and twice LRU: LRU's misses unless
 * the three others lie on one side of it, then the nearest of these.  Its error is smaller than
 * that of each guess (figures in paper/notes-rrip.md).  The guesses' distances determine the
 * confidence.
 *
 * Not modelled: growth by more than one when no line is near the top; hits that are in step with
 * the hand; changes of the epochs' length during a kernel.
 *
 * O(rows * terms) a sweep over the rows, some 300 of them; 30 KB.  2.5 ms, 10 ms at most (streams
 * of tests/streams/, 192 ways included).
 */
#include "model/solve/epochs.h"
#include "model/constants.h"
#include "model/solve/law.h"
#include "model/solve/solver.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PHASES 12u
#define ROWS (WS_TYPES + WS_END_CLASSES)
#define COUNTED_MOST 40.0	/* mean evictions beyond which the law is normal */
#define SD_LEAST 0.1		/* of the normal law: exact loops */

#define SWEEPS 14u		/* at one R */
#define SWEEPS_LEAST 9u
#define SETTLED 1e-3		/* the largest change of a hit probability at which sweeps end */
#define EPOCH_LEAST 0.15
#define BRACKETS 20u		/* cuts of the bracket of ln R */
#define BRACKET_NARROW 0.003
#define OCCUPIED_NEAR 1e-3	/* of T */
#define BITS_MOST 6.0		/* with more, a line that was hit is hardly ever evicted */

#define LIVES (2 * PHASES + 1)
#define FRESH PHASES

struct life {			/* how many residencies a line that is not used again may have */
	unsigned phase;		/* of lines left at this phase; FRESH: of fetched lines */
	double fraction, epochs;
};

struct clock {
	const struct ws_reuse *w;
	struct ws_epochs rule;
	double ways, evicting, resident;
	bool mixed;		/* windows of the average composition */
	bool empty;		/* start from an empty cache */
	double epoch;		/* R */
	bool swept;		/* at this R */
	double variance, occupied;
	double hit[ROWS], stays[ROWS];
	double x[WS_TYPES], xy[WS_TYPES];	/* weight, weight * hit */
	double phase[ROWS][PHASES], next[ROWS][PHASES];
	struct life life[LIVES];	/* ascending by epochs */
	struct ws_law law;	/* of the current window */
};

struct outcome {		/* at one R */
	double occupied, missing;
	double hit[WS_TYPES];
};

/* ---- the law of evictions ----------------------------------------------------------------- */

/* -1: sure either way, or normal. */
static void law_make(struct clock *c, double mean, double square)
{
	double least = c->life[0].epochs * c->epoch, most = c->life[LIVES - 1].epochs * c->epoch;
	double sd = sqrt(fmax(0, mean - square));
	int max = mean < COUNTED_MOST ? (int)fmin(WS_LAW_MAX, ceil(mean + 6 * sd + 2)) : -1;

	if (mean + 7 * sd + 3 < least || mean - 7 * sd - 3 > most)
		max = -1;
	ws_law_make(&c->law, mean, square, max, 0);
}

/* ---- one row ------------------------------------------------------------------------------- */

struct line {			/* a line as its window begins */
	double fresh;		/* probability that it was fetched */
	double used[PHASES];	/* probability that it was hit and left at the phase */
};

static bool returns(const struct ws_reuse_row *r)
{
	return r->sort != WS_ROW_COLD && r->sort != WS_ROW_RELOAD && r->before.count;
}

static void window_weigh(struct clock *c, size_t row, double *mean, double *square)
{
	const struct ws_reuse_row *r = c->w->row + row;
	double repelled = c->swept ? (1 - c->stays[row]) / fmax(c->variance, 1e-6) : 0;
	double m = 0, s = 0, per = fmax(0, r->time - 1) / c->w->references;
	size_t terms = c->mixed ? c->w->types : r->within.count;

	for (size_t k = 0; k < terms; k++) {
		size_t j = c->mixed ? k : r->within.term[k].row;
		double n = c->mixed ? per * c->w->row[k].count : r->within.term[k].value;
		double x = c->x[j] + c->xy[j] * repelled;

		x = x < 1 ? x : 1;
		m += n * x;
		s += n * x * x;
	}
	*mean = m;
	*square = s;
}

static void line_before(const struct clock *c, const struct ws_reuse_row *r, struct line *l)
{
	memset(l, 0, sizeof *l);
	for (size_t k = 0; k < r->before.count; k++) {
		size_t j = r->before.term[k].row;
		double fraction = r->before.term[k].value, hit = fraction * c->hit[j];

		l->fresh += fraction - hit;
		for (unsigned p = 0; p < PHASES; p++)
			l->used[p] += hit * c->phase[j][p];
	}
}

/* The phase of a line after a hit, if it was at `phase` (FRESH: fetched) so many epochs before.
 * With frequency priority: how much it has left.  Both are in PHASES equal parts. */
static unsigned phase_after(const struct clock *c, unsigned phase, double epochs)
{
	double at = phase == FRESH ? 0 : (phase + 0.5) / PHASES, left;

	if (c->rule.more <= 0) {
		at += epochs;
		return (unsigned)((at - floor(at)) * PHASES) % PHASES;
	}
	left = phase == FRESH ? c->rule.fresh : at * c->rule.used;
	left = fmax(0, left - epochs) + c->rule.more;
	return (unsigned)fmin(PHASES - 1, left / c->rule.used * PHASES);
}

/* Phases after the row.  The more uncertain the evictions, the more uniform they are. */
static void phases_next(struct clock *c, double *next, const double alive[PHASES + 1])
{
	double epochs = c->law.mean / c->epoch, all = 0;
	double even = c->rule.more > 0 ? 0 : fmin(1, 2 * c->law.deviation / c->epoch);

	for (unsigned p = 0; p < PHASES; p++)
		next[p] = 0;
	for (unsigned p = 0; p <= PHASES; p++) {
		if (alive[p] > 0)
			next[phase_after(c, p, epochs)] += alive[p];
		all += alive[p];
	}
	for (unsigned p = 0; p < PHASES; p++)
		next[p] = all > 1e-12 ? (1 - even) * next[p] / all + even / PHASES : 1.0 / PHASES;
}

/* The fraction of the window for which the line stays.  e evictions divide it into e + 1 about
 * equal parts, and a line that the L-th one evicts sees L of them.  (L / e would give a line too
 * many in a loop.)  *square: the mean square of the fraction. */
static double stay(const struct clock *c, const struct line *l, double *square)
{
	double left = 1, from = 0, mean = 0, per = c->epoch / (c->law.mean + 1);

	*square = 0;
	for (unsigned i = 0; i < LIVES && from < 1; i++) {
		const struct life *a = c->life + i;
		double to = a->epochs * per < 1 ? a->epochs * per : 1;

		mean += left * (to - from);
		*square += left * left * (to - from);
		from = to;
		left -= a->fraction * (a->phase == FRESH ? l->fresh : l->used[a->phase]);
		left = left > 0 ? left : 0;
	}
	mean += left * (1 - from);
	*square += left * left * (1 - from);
	return mean;
}

/* The probability of a hit; alive[]: its parts by phase. */
static double row_hit(struct clock *c, const struct line *l, double alive[PHASES + 1])
{
	double hit = 0;

	memset(alive, 0, (PHASES + 1) * sizeof *alive);
	for (unsigned i = 0; i < LIVES; i++) {
		const struct life *a = c->life + i;
		double fraction = a->fraction * (a->phase == FRESH ? l->fresh : l->used[a->phase]);

		if (fraction > 1e-9)
			alive[a->phase] += fraction *
				ws_law_below(&c->law, a->epochs * c->epoch, SD_LEAST);
	}
	for (unsigned p = 0; p <= PHASES; p++)
		hit += alive[p];
	return fmin(1, hit);
}

/* ---- sweeps over all rows ------------------------------------------------------------------ */

/* Returns the largest change. */
static double sweep(void *context, unsigned number)
{
	struct clock *c = context;
	double change = 0, occupied = 0, variance = 0;

	ws_reuse_weigh(c->w, c->hit, c->evicting, c->x);
	for (size_t j = 0; j < c->w->types; j++)
		c->xy[j] = c->x[j] * c->hit[j];
	for (size_t i = 0; i < c->w->rows; i++) {
		const struct ws_reuse_row *r = c->w->row + i;
		double mean, square, alive[PHASES + 1], hit;
		struct line line;

		if (!returns(r))
			continue;
		window_weigh(c, i, &mean, &square);
		law_make(c, mean, square);
		line_before(c, r, &line);
		hit = row_hit(c, &line, alive);
		phases_next(c, c->next[i], alive);
		c->stays[i] = stay(c, &line, &square);
		occupied += r->count * r->time * c->stays[i];
		variance += r->count * r->time * fmax(0, c->stays[i] - square);
		hit = 0.5 * (hit + c->hit[i]);
		change = fmax(change, fabs(hit - c->hit[i]));
		c->hit[i] = hit;
	}
	for (size_t i = 0; i < c->w->rows; i++)
		for (unsigned p = 0; p < PHASES && returns(c->w->row + i); p++)
			c->phase[i][p] = 0.5 * (c->phase[i][p] + c->next[i][p]);
	variance /= c->w->references;
	c->variance = number < 3 ? variance : 0.5 * (c->variance + variance);
	c->occupied = occupied / c->w->references;
	c->swept = true;
	return change;
}

static void begin_clock(struct clock *c)
{
	c->swept = false;
	ws_reuse_lru(c->w, (uint64_t)c->ways, c->hit);
	for (size_t i = 0; i < c->w->rows; i++) {
		const struct ws_reuse_row *r = c->w->row + i;

		if (i >= c->w->types || (c->empty && !(r->sort == WS_ROW_FINITE && r->type == 0)))
			c->hit[i] = 0;
		c->stays[i] = 1;
		for (unsigned p = 0; p < PHASES; p++)
			c->phase[i][p] = 1.0 / PHASES;
	}
}

static void settle_clock(struct clock *c, double log_epoch, struct outcome *out)
{
	const struct ws_sweeping sweeps = { .sweep = sweep, .context = c, .settled = SETTLED,
					    .least = SWEEPS_LEAST, .most = SWEEPS };

	c->epoch = exp(log_epoch);
	begin_clock(c);
	(void)ws_sweep(&sweeps);
	out->occupied = c->occupied;
	memcpy(out->hit, c->hit, c->w->types * sizeof *c->hit);
	out->missing = ws_reuse_missing(c->w, c->hit);
}

/* ---- the closure --------------------------------------------------------------------------- */

struct closing {
	struct clock *clock;
	struct outcome low, high, last;
};

static double occupied_at(void *context, double log_epoch)
{
	struct closing *c = context;

	settle_clock(c->clock, log_epoch, &c->last);
	return c->last.occupied;
}

static void keep(void *context, bool upper)
{
	struct closing *c = context;

	*(upper ? &c->high : &c->low) = c->last;
}

/* Interpolates; returns the miss ratio's jump where O crosses T. */
static double between(const struct closing *c, struct outcome *out)
{
	const struct outcome *low = &c->low, *high = &c->high;
	double fraction = high->occupied > low->occupied
		? (c->clock->resident - low->occupied) / (high->occupied - low->occupied) : 0;

	*out = *low;
	for (size_t i = 0; i < c->clock->w->types; i++)
		out->hit[i] += fraction * (high->hit[i] - low->hit[i]);
	out->missing = ws_reuse_missing(c->clock->w, out->hit);
	return fabs(high->missing - low->missing);
}

/* Cuts the bracket on ln R until O = T; returns what between() does. */
static double close_up(struct clock *clock, struct outcome *out)
{
	struct closing c = { .clock = clock };
	const struct ws_cutting cutting = {
		.measure = occupied_at, .keep = keep, .context = &c, .rule = WS_CUT_ILLINOIS,
		.target = clock->resident, .near = OCCUPIED_NEAR, .narrow = BRACKET_NARROW,
		.most = BRACKETS,
	};
	struct ws_bracket b = { .low = log(EPOCH_LEAST), .high = log(4 * clock->ways + 4) };

	settle_clock(clock, b.low, &c.low);
	settle_clock(clock, b.high, &c.high);
	b.at_low = c.low.occupied;
	b.at_high = c.high.occupied;
	if (b.at_low >= clock->resident || b.at_high <= clock->resident) {
		*out = b.at_low >= clock->resident ? c.low : c.high;
		return 0;
	}
	ws_bracket_cut(&cutting, &b);
	if (b.near)
		c.low = c.high = c.last;
	return between(&c, out);
}

/* ---- the answer ----------------------------------------------------------------------------- */

enum { LOCAL, EMPTY, MIXED, LRU, GUESSES };

struct guesses {
	struct outcome of[GUESSES];
	double jump;
};

static int by_epochs(const void *a, const void *b)
{
	double x = ((const struct life *)a)->epochs, y = ((const struct life *)b)->epochs;

	return x < y ? -1 : x > y;
}

static void clock_init(struct clock *c, const struct ws_query *q, const struct ws_epochs *rule)
{
	c->w = q->windows;
	c->rule = *rule;
	c->ways = (double)q->cache->ways;
	c->evicting = ws_evicting(c->w->detail, q->cache->ways);
	c->resident = ws_resident(c->w, q->cache->ways);
	ws_law_init(&c->law);
	for (unsigned i = 0; i < 2 * PHASES; i++) {
		unsigned p = PHASES - 1 - i % PHASES;
		double phase = (p + 0.5) / PHASES;
		struct life *l = c->life + i;

		if (rule->more > 0)
			*l = (struct life){ p, 0.5, rule->used * phase };
		else if (i < PHASES)
			*l = (struct life){ p, 1 - phase, rule->used - phase };
		else
			*l = (struct life){ p, phase, rule->used + 1 - phase };
	}
	c->life[2 * PHASES] = (struct life){ FRESH, 1, rule->fresh };
	qsort(c->life, LIVES, sizeof *c->life, by_epochs);
}

static enum ws_status guess(const struct ws_query *q, const struct ws_epochs *rule,
			    struct guesses *g, struct ws_err *err)
{
	struct clock *c = ws_alloc_zero(1, sizeof *c);

	if (!c)
		return ws_fail_memory(err, "epochs of ageing");
	clock_init(c, q, rule);
	g->jump = close_up(c, g->of + LOCAL);
	c->empty = true;
	(void)close_up(c, g->of + EMPTY);
	c->empty = false;
	c->mixed = true;
	(void)close_up(c, g->of + MIXED);
	ws_reuse_lru(c->w, q->cache->ways, g->of[LRU].hit);
	g->of[LRU].missing = ws_reuse_missing(c->w, g->of[LRU].hit);
	free(c);
	return WS_OK;
}

/* The guess with two of the five on either side; LRU counts twice. */
static unsigned median(const struct guesses *g)
{
	double lru = g->of[LRU].missing, nearest = HUGE_VAL;
	unsigned best = LRU, above = 0, below = 0;

	for (unsigned i = 0; i < LRU; i++) {
		above += g->of[i].missing > lru;
		below += g->of[i].missing < lru;
	}
	for (unsigned i = 0; i < LRU && (above == LRU || below == LRU); i++)
		if (fabs(g->of[i].missing - lru) < nearest) {
			nearest = fabs(g->of[i].missing - lru);
			best = i;
		}
	return best;
}

/* The distance of the guesses from the chosen one. */
static double apart(const struct guesses *g, unsigned best)
{
	double off[GUESSES];

	for (unsigned i = 0; i < GUESSES; i++)
		off[i] = fabs(g->of[i].missing - g->of[best].missing);
	return off[LOCAL] + off[LRU] + WS_EPOCHS_MIXED * off[MIXED] +
	       WS_EPOCHS_EMPTY * fmin(off[EMPTY], WS_EPOCHS_EMPTY_MOST);
}

struct ws_epochs ws_epochs_srrip(double bits, bool frequency)
{
	double used = exp2(fmin(bits, BITS_MOST)) - 1;

	return (struct ws_epochs){ .fresh = 1, .used = used, .more = frequency && bits > 1 };
}

/* The error grows with the bits; for two bits the factor is 1. */
static struct ws_epochs_uncertainty uncertainty_of(const struct ws_epochs *rule)
{
	double more = fmin(3, fmax(1, log2(rule->used + 1) - 1));

	struct ws_epochs_uncertainty uncertainty = WS_EPOCHS_UNCERTAINTY;

	uncertainty.close *= more;
	uncertainty.apart *= more;
	uncertainty.low_confidence *= sqrt(more);
	return uncertainty;
}

enum ws_status ws_epochs_near_lru(const struct ws_query *q, const struct ws_epochs *rule,
				  struct ws_solution *out, struct ws_err *err)
{
	const struct ws_epochs_uncertainty uncertainty = WS_EPOCHS_UNCERTAINTY_LRU;
	struct guesses g;
	enum ws_status status = guess(q, rule, &g, err);

	if (status != WS_OK)
		return status;
	out->lru = true;
	ws_epochs_judge(q, &uncertainty, apart(&g, LRU), out);
	return WS_OK;
}

enum ws_status ws_epochs_solve(const struct ws_query *q, const struct ws_epochs *rule,
			       struct ws_solution *out, struct ws_err *err)
{
	struct ws_epochs_uncertainty uncertainty = uncertainty_of(rule);
	struct guesses g;
	enum ws_status status;
	unsigned best;

	if (rule->used <= 1)
		return ws_epochs_near_lru(q, rule, out, err);
	status = guess(q, rule, &g, err);
	if (status != WS_OK)
		return status;
	best = median(&g);
	out->lru = best == LRU;
	if (!out->lru)
		ws_reuse_answer(q->windows, g.of[best].hit, out->hit);
	ws_epochs_judge(q, &uncertainty, apart(&g, best), out);
	return WS_OK;
}
