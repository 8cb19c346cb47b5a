/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * model/solve/residency.c -- see residency.h.
 *
 * One vector is iterated (anderson.h): hits, weighted by the fractions of references; ln V; tune.
 */
#include "model/solve/residency.h"
#include "model/constants.h"
#include "model/solve/anderson.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SETTLED 3e-6		/* mean change of hits at which iterations end */
#define TUNED 2e-3		/* change of tune at which they end */
#define PLAIN 3u		/* iterations before acceleration: V begins far off */
#define LEAST_V 1e-6
#define FAR 1e9			/* V before there is one: no pull */
#define PULL_MOST 2.0		/* of its tune */
#define PULL_GAIN 0.5
#define EVICTING_GAIN 2.0
#define SIDE 0.05		/* weight of ln V and of tune; the weights of hits have the sum 1 */
#define POINTS 100.0

/* ---- room ---------------------------------------------------------------------------- */

enum ws_status ws_survival_init(struct ws_survival *s, const struct ws_reuse *windows,
				uint64_t ways, struct ws_err *err)
{
	size_t types = windows->types, rows = windows->rows;

	s->windows = windows;
	s->ways = (double)ways;
	s->resident = ws_resident(windows, ways);
	s->room = ws_alloc_zero(4 * types + 2 * rows + ws_anderson_room(types + 2),
				sizeof *s->room);
	if (!s->room)
		return ws_fail_memory(err, "a model's hits");
	s->hit = s->room;
	s->x = s->hit + types;
	s->more = s->x + types;
	s->opens = s->more + types;
	s->stay = s->opens + types;
	s->own = s->stay + rows;
	return WS_OK;
}

void ws_survival_clear(struct ws_survival *s)
{
	free(s->room);
	s->room = NULL;
}

static struct ws_anderson vector(const struct ws_survival *s)
{
	const struct ws_reuse *w = s->windows;
	struct ws_anderson t;

	ws_anderson_begin(&t, w->types + 2, s->own + w->rows);
	t.careful = s->careful;
	t.plain = PLAIN;
	for (size_t i = 0; i < w->types; i++)
		t.weight[i] = w->row[i].count / w->references;
	t.weight[w->types] = t.weight[w->types + 1] = SIDE;
	return t;
}

/* ---- an iteration ------------------------------------------------------------------------- */

void ws_survival_moments(const struct ws_survival *s, size_t row, double pull, double *moment,
			 unsigned count)
{
	const struct ws_terms *c = &s->windows->row[row].within;

	for (unsigned k = 0; k < count; k++)
		moment[k] = 0;
	for (size_t i = 0; i < c->count; i++) {
		size_t j = c->term[i].row;
		double x = s->x[j] + s->more[j] * pull, power = c->term[i].value;

		x = x < 1 ? x : 1;
		for (unsigned k = 0; k < count; k++)
			moment[k] += power *= x;
	}
}

static void weigh(struct ws_survival *s)
{
	double evicting = s->evicting[0];

	if (s->tunes == WS_TUNE_EVICTING)
		evicting += s->tune * (s->evicting[1] - s->evicting[0]);
	ws_reuse_weigh_net(s->windows, s->hit, evicting, s->tunes == WS_TUNE_PULL, s->x);
	for (size_t i = 0; i < s->windows->types; i++)
		s->more[i] = s->windows->row[i].sort == WS_ROW_FINITE ? s->hit[i] * s->x[i] : 0;
}

/* What of V each reference opens. */
static void open_windows(struct ws_survival *s)
{
	const struct ws_reuse *w = s->windows;

	memset(s->opens, 0, w->types * sizeof *s->opens);
	for (size_t i = 0; i < w->rows; i++) {
		const struct ws_terms *before = &w->row[i].before;
		double part = w->row[i].count * w->row[i].time * s->own[i];

		for (size_t k = 0; k < before->count; k++)
			s->opens[before->term[k].row] += part * before->term[k].value;
	}
	for (size_t i = 0; i < w->types; i++)
		s->opens[i] /= w->row[i].count;
}

/* V during a window of the row: that of the windows opened in it, and its own. */
static double local_variance(const struct ws_survival *s, size_t row)
{
	const struct ws_reuse_row *r = s->windows->row + row;
	double sum = s->own[row] * r->time;

	for (size_t i = 0; i < r->within.count; i++)
		sum += r->within.term[i].value * s->opens[r->within.term[i].row];
	return sum / r->time;
}

static double pull(const struct ws_survival *s, size_t row)
{
	double v = s->variance, factor = s->tunes == WS_TUNE_PULL ? exp(s->tune) : 1;

	if (v < FAR / 2)
		v = WS_LIVES_LOCAL * local_variance(s, row) + (1 - WS_LIVES_LOCAL) * v;
	v = fmax(v - s->less * s->own[row], v / 4);
	return factor * (1 - s->stay[row]) / fmax(v, LEAST_V);
}

static double tune_within(const struct ws_survival *s, double tune)
{
	if (s->tunes == WS_TUNE_PULL)
		return fmin(PULL_MOST, fmax(-PULL_MOST, tune));
	return fmin(1, fmax(0, tune));
}

static double tuned(const struct ws_survival *s)
{
	double off = fmax(1e-6, s->occupancy);

	return tune_within(s, s->tune + (s->tunes == WS_TUNE_PULL ? PULL_GAIN * log(off)
					 : EVICTING_GAIN * (off - 1)));
}

/* Evaluates the map at `at` into `to`. */
static void iterate(struct ws_survival *s, struct ws_anderson *t, bool pulls)
{
	const struct ws_reuse *w = s->windows;
	double occupied = 0, variance = 0;

	memcpy(s->hit, t->at, w->types * sizeof *s->hit);
	s->variance = exp(t->at[w->types]);
	s->tune = t->at[w->types + 1];
	weigh(s);
	open_windows(s);
	for (size_t i = 0; i < w->rows; i++) {
		const struct ws_reuse_row *row = w->row + i;
		double weight = row->count * row->time;
		struct ws_life life = { 0, 0, 0 };

		s->live(s, i, pulls ? pull(s, i) : 0, &life);
		if (i < w->types)
			t->to[i] = life.hit;
		s->stay[i] = life.stay;
		s->own[i] = fmax(0, life.stay - life.square);
		occupied += weight * life.stay;
		variance += weight * s->own[i];
	}
	s->occupancy = s->resident > 0 ? occupied / w->references / s->resident : 1;
	t->to[w->types] = log(fmax(LEAST_V, variance / w->references));
	t->to[w->types + 1] = pulls || s->tunes != WS_TUNE_PULL ? tuned(s) : 0;
}

/* ---- all iterations ---------------------------------------------------------------------- */

static void begin_steps(struct ws_survival *s, struct ws_anderson *t, enum ws_survival_start start)
{
	const struct ws_reuse *w = s->windows;

	if (start == WS_START_HERE)
		memcpy(t->at, s->hit, w->types * sizeof *t->at);
	else
		ws_reuse_lru(w, (uint64_t)s->ways, t->at);
	for (size_t i = 0; i < w->types && start == WS_START_LEAST; i++)
		if (w->row[i].sort == WS_ROW_FINITE)
			t->at[i] = w->row[i].type == 0;
	for (size_t i = 0; i < w->rows; i++) {
		s->stay[i] = i < w->types ? t->at[i] : 1;
		s->own[i] = 0;
	}
	t->at[w->types] = log(FAR);
	t->at[w->types + 1] = s->tunes == WS_TUNE_PULL ? 0 : 0.5;
}

/* Hits are ratios.  ln V and tune are taken from the map itself until V is established. */
static void within_limits(const struct ws_survival *s, struct ws_anderson *t)
{
	size_t types = s->windows->types;

	for (size_t i = 0; i < types; i++)
		t->at[i] = fmin(1, fmax(0, t->at[i]));
	if (s->iterations < PLAIN)
		memcpy(t->at + types, t->to + types, 2 * sizeof *t->at);
	t->at[types] = fmin(log(FAR), t->at[types]);
}

void ws_survival_solve(struct ws_survival *s, enum ws_survival_start start, bool pulls,
		       unsigned iterations)
{
	struct ws_anderson t = vector(s);
	size_t types = s->windows->types;
	double best = 0;

	begin_steps(s, &t, start);
	for (s->iterations = 0; s->iterations < iterations; s->iterations++) {
		double change = 0, side;

		iterate(s, &t, pulls);
		for (size_t i = 0; i < types; i++)
			change += t.weight[i] * fabs(t.to[i] - t.at[i]);
		side = fabs(t.to[types + 1] - t.at[types + 1]);
		if (ws_anderson_better(&t, change + SIDE * side))
			best = s->occupancy;
		if (s->iterations > PLAIN && change < SETTLED && side < TUNED)
			break;
		ws_anderson_step(&t, change + SIDE * side);
		within_limits(s, &t);
	}
	memcpy(s->hit, t.best, types * sizeof *s->hit);
	s->occupancy = best;
	s->missing = ws_reuse_missing(s->windows, s->hit);
}

/* ---- how sure ------------------------------------------------------------------------ */

double ws_survival_lru(struct ws_survival *s)
{
	ws_reuse_lru(s->windows, (uint64_t)s->ways, s->x);
	return ws_reuse_missing(s->windows, s->x);
}

static double apart(double a, double b)
{
	return fmin(WS_LIVES_UNCERTAINTY_MOST, POINTS * fabs(a - b));
}

void ws_survival_judge(struct ws_solution *out, const struct ws_survival *s,
		       const struct ws_residency_uncertainty *uncertainty,
		    const struct ws_survival_other *other)
{
	double m = fmin(1, fmax(0, s->missing));
	double chance = POINTS * sqrt(m * (1 - m) / fmax(1, s->windows->references));

	out->error_pp = uncertainty->least + uncertainty->lru * apart(m, other->lru) +
			uncertainty->pull * apart(m, other->plain) +
			uncertainty->start * apart(m, other->start) + uncertainty->chance * chance;
	out->error_pp = fmin(POINTS, out->error_pp);
	out->below_pp = out->above_pp = fmin(POINTS, uncertainty->wide * out->error_pp);
	out->low_confidence = out->error_pp > uncertainty->low_confidence;
}
