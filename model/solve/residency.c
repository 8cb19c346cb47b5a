/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * model/solve/residency.c -- see residency.h.
 *
 * What is iterated is one vector: hits, ln V, tune.  Anderson's acceleration takes the
 * combination of the last few rounds whose change is least, weighted by the share of references; it
 * begins anew where the change grows.
 */
#include "model/solve/residency.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SETTLED 3e-6		/* mean change of hits in a round */
#define TUNED 2e-3		/* change of tune */
#define PLAIN 3u		/* rounds before acceleration: V begins far off */
#define DEPTH 5u		/* rounds that are combined */
#define MIX 0.7			/* of the new values, at first */
#define MIX_LESS 0.7		/* times that whenever it goes wrong, down to */
#define MIX_LEAST 0.15
#define FARTHEST 30.0		/* times the round's own change: the most that is taken, if careful */
#define WORSE 1.5		/* times the change of the round before: wrong */
#define LOCAL 0.5		/* of V is that of the window's own time */
#define LEAST_V 1e-6
#define FAR 1e9			/* V before there is one: no pull */
#define PULL_MOST 2.0		/* of its tune */
#define PULL_GAIN 0.5
#define EVICTING_GAIN 2.0
#define SIDE 0.05		/* weight of ln V and tune, hits' adding up to 1 */
#define DOUBT_MOST 10.0		/* points */
#define POINTS 100.0

/* ---- room ---------------------------------------------------------------------------- */

/* One round's vector and change, and those of the last DEPTH as differences. */
struct steps {
	size_t len;
	double *at, *to, *last_at, *last_to;	/* [len] */
	double *best;				/* [len]: `to` of the round of least change */
	double *weight;				/* [len] */
	double *d_change, *d_to;		/* [DEPTH][len] */
	unsigned held, next;
	double mix, change, least;		/* of the last round; of all */
};

enum ws_status ws_lives_init(struct ws_lives *s, const struct ws_reuse *windows, uint64_t ways,
			     struct ws_err *err)
{
	size_t types = windows->types, rows = windows->rows, len = types + 2;

	s->windows = windows;
	s->ways = (double)ways;
	s->resident = ws_resident(windows, ways);
	s->room = ws_alloc_zero(4 * types + 2 * rows + (6 + 2 * (size_t)DEPTH) * len,
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

void ws_lives_clear(struct ws_lives *s)
{
	free(s->room);
	s->room = NULL;
}

static struct steps steps_begin(const struct ws_lives *s)
{
	const struct ws_reuse *w = s->windows;
	struct steps t = { .len = w->types + 2, .at = s->own + w->rows, .mix = MIX,
			   .change = HUGE_VAL, .least = HUGE_VAL };

	t.to = t.at + t.len;
	t.last_at = t.to + t.len;
	t.last_to = t.last_at + t.len;
	t.best = t.last_to + t.len;
	t.weight = t.best + t.len;
	t.d_change = t.weight + t.len;
	t.d_to = t.d_change + DEPTH * t.len;
	for (size_t i = 0; i < w->types; i++)
		t.weight[i] = w->row[i].count / w->references;
	t.weight[w->types] = t.weight[w->types + 1] = SIDE;
	return t;
}

/* ---- a round ------------------------------------------------------------------------- */

void ws_lives_moments(const struct ws_lives *s, size_t row, double pull, double *moment,
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

static void weigh(struct ws_lives *s)
{
	double evicting = s->evicting[0];

	if (s->tunes == WS_TUNE_EVICTING)
		evicting += s->tune * (s->evicting[1] - s->evicting[0]);
	ws_reuse_weigh_net(s->windows, s->hit, evicting, s->tunes == WS_TUNE_PULL, s->x);
	for (size_t i = 0; i < s->windows->types; i++)
		s->more[i] = s->windows->row[i].sort == WS_ROW_FINITE ? s->hit[i] * s->x[i] : 0;
}

/* What of V each reference opens. */
static void open_windows(struct ws_lives *s)
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

/* V while a window of the row lasts: that of the windows opened in it, and its own. */
static double local_variance(const struct ws_lives *s, size_t row)
{
	const struct ws_row *r = s->windows->row + row;
	double sum = s->own[row] * r->time;

	for (size_t i = 0; i < r->within.count; i++)
		sum += r->within.term[i].value * s->opens[r->within.term[i].row];
	return sum / r->time;
}

static double pull(const struct ws_lives *s, size_t row)
{
	double v = s->variance, factor = s->tunes == WS_TUNE_PULL ? exp(s->tune) : 1;

	if (v < FAR / 2)
		v = LOCAL * local_variance(s, row) + (1 - LOCAL) * v;
	v = fmax(v - s->less * s->own[row], v / 4);
	return factor * (1 - s->stay[row]) / fmax(v, LEAST_V);
}

static double tune_within(const struct ws_lives *s, double tune)
{
	if (s->tunes == WS_TUNE_PULL)
		return fmin(PULL_MOST, fmax(-PULL_MOST, tune));
	return fmin(1, fmax(0, tune));
}

static double tuned(const struct ws_lives *s)
{
	double off = fmax(1e-6, s->occupancy);

	return tune_within(s, s->tune + (s->tunes == WS_TUNE_PULL ? PULL_GAIN * log(off)
					 : EVICTING_GAIN * (off - 1)));
}

/* From the vector `at` to `to`. */
static void round_once(struct ws_lives *s, struct steps *t, bool pulls)
{
	const struct ws_reuse *w = s->windows;
	double occupied = 0, variance = 0;

	memcpy(s->hit, t->at, w->types * sizeof *s->hit);
	s->variance = exp(t->at[w->types]);
	s->tune = t->at[w->types + 1];
	weigh(s);
	open_windows(s);
	for (size_t i = 0; i < w->rows; i++) {
		const struct ws_row *row = w->row + i;
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

/* ---- acceleration -------------------------------------------------------------------- */

/* a x = b of so many equations, symmetric, positive; in place, x in b. */
static void solve(double a[DEPTH][DEPTH], double *b, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		for (unsigned j = i + 1; j < count; j++) {
			double factor = a[j][i] / a[i][i];

			for (unsigned k = i; k < count; k++)
				a[j][k] -= factor * a[i][k];
			b[j] -= factor * b[i];
		}
	for (unsigned i = count; i-- > 0;) {
		for (unsigned j = i + 1; j < count; j++)
			b[i] -= a[i][j] * b[j];
		b[i] /= a[i][i];
	}
}

static void keep(struct steps *t)
{
	double *change = t->d_change + t->next * t->len, *to = t->d_to + t->next * t->len;

	for (size_t i = 0; i < t->len; i++) {
		to[i] = t->to[i] - t->last_to[i];
		change[i] = to[i] - (t->at[i] - t->last_at[i]);
	}
	t->next = (t->next + 1) % DEPTH;
	t->held += t->held < DEPTH;
}

/* Weights of the held differences that leave the least change; none are held if there are none. */
static void combine(struct steps *t, double *share)
{
	double a[DEPTH][DEPTH];

	for (unsigned i = 0; i < t->held; i++) {
		const double *di = t->d_change + i * t->len;

		share[i] = 0;
		for (size_t k = 0; k < t->len; k++)
			share[i] += t->weight[k] * di[k] * (t->to[k] - t->at[k]);
		for (unsigned j = 0; j < t->held; j++) {
			const double *dj = t->d_change + j * t->len;

			a[i][j] = 0;
			for (size_t k = 0; k < t->len; k++)
				a[i][j] += t->weight[k] * di[k] * dj[k];
		}
	}
	for (unsigned i = 0; i < t->held; i++)
		a[i][i] = a[i][i] * (1 + 1e-8) + 1e-24;
	solve(a, share, t->held);
	for (unsigned i = 0; i < t->held; i++)
		if (!isfinite(share[i]))
			t->held = t->next = 0;
}

/* Whether the combination goes much farther than the round itself did: it may leave the state that
 * the rounds lead to. */
static bool too_far(const struct steps *t, const double *share)
{
	double plain = 0, far = 0;

	for (size_t i = 0; i < t->len; i++) {
		double change = t->to[i] - t->at[i], more = change;

		for (unsigned k = 0; k < t->held; k++)
			more -= share[k] * t->d_to[k * t->len + i];
		plain += t->weight[i] * fabs(change);
		far += t->weight[i] * fabs(more);
	}
	return far > FARTHEST * plain;
}

/* The next vector, in t->at. */
static void step(const struct ws_lives *s, struct steps *t, double change)
{
	double share[DEPTH];

	if (s->rounds > PLAIN)
		keep(t);
	if (s->rounds > PLAIN && change > WORSE * t->change) {
		t->held = t->next = 0;
		t->mix = fmax(MIX_LEAST, t->mix * MIX_LESS);
	}
	t->change = change;
	combine(t, share);
	if (s->careful && too_far(t, share))
		t->held = t->next = 0;
	for (size_t i = 0; i < t->len; i++) {
		double was = t->at[i], to = t->to[i], residue = to - was;

		for (unsigned k = 0; k < t->held; k++) {
			to -= share[k] * t->d_to[k * t->len + i];
			residue -= share[k] * t->d_change[k * t->len + i];
		}
		t->last_at[i] = was;
		t->last_to[i] = t->to[i];
		t->at[i] = to - (1 - t->mix) * residue;
		if (i + 2 < t->len)
			t->at[i] = fmin(1, fmax(0, t->at[i]));
		else if (s->rounds < PLAIN)
			t->at[i] = t->to[i];
	}
	t->at[t->len - 2] = fmin(log(FAR), t->at[t->len - 2]);
}

/* ---- all rounds ---------------------------------------------------------------------- */

static void begin(struct ws_lives *s, struct steps *t, enum ws_lives_start start)
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

void ws_lives_solve(struct ws_lives *s, enum ws_lives_start start, bool pulls, unsigned rounds)
{
	struct steps t = steps_begin(s);
	size_t types = s->windows->types;
	double best = 0;

	begin(s, &t, start);
	for (s->rounds = 0; s->rounds < rounds; s->rounds++) {
		double change = 0, side;

		round_once(s, &t, pulls);
		for (size_t i = 0; i < types; i++)
			change += t.weight[i] * fabs(t.to[i] - t.at[i]);
		side = fabs(t.to[types + 1] - t.at[types + 1]);
		if (s->rounds >= PLAIN && change + SIDE * side < t.least) {
			t.least = change + SIDE * side;
			memcpy(t.best, t.to, t.len * sizeof *t.best);
			best = s->occupancy;
		}
		if (s->rounds > PLAIN && change < SETTLED && side < TUNED)
			break;
		step(s, &t, change + SIDE * side);
	}
	memcpy(s->hit, t.best, types * sizeof *s->hit);
	s->occupancy = best;
	s->missing = ws_reuse_missing(s->windows, s->hit);
}

/* ---- how sure ------------------------------------------------------------------------ */

double ws_lives_lru(struct ws_lives *s)
{
	ws_reuse_lru(s->windows, (uint64_t)s->ways, s->x);
	return ws_reuse_missing(s->windows, s->x);
}

static double apart(double a, double b)
{
	return fmin(DOUBT_MOST, POINTS * fabs(a - b));
}

void ws_lives_judge(struct ws_solution *out, const struct ws_lives *s,
		    const struct ws_lives_doubt *doubt, const struct ws_lives_other *other)
{
	double m = fmin(1, fmax(0, s->missing));
	double chance = POINTS * sqrt(m * (1 - m) / fmax(1, s->windows->references));

	out->error_pp = doubt->least + doubt->lru * apart(m, other->lru) +
			doubt->pull * apart(m, other->plain) +
			doubt->start * apart(m, other->start) + doubt->chance * chance;
	out->error_pp = fmin(POINTS, out->error_pp);
	out->below_pp = out->above_pp = fmin(POINTS, doubt->wide * out->error_pp);
	out->unsure = out->error_pp > doubt->unsure;
}
