/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * study/fit_choose.c -- the combination that some of the launches speak for, and what they cannot
 * tell.
 */
#include "study/fit_private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NOISE_LEAST 0.1		/* points: of what model and simulation agree in */
#define TELLS 1.92		/* half the 95 % quantile of chi squared, one degree of freedom */
#define SAME 1e-9		/* points */

const char *const ws_determined_names[] = { "no", "partly", "yes" };

double ws_fit_error_of(const struct ws_fit *fit, const struct fit_tried *t, const bool *in)
{
	double sum = 0;
	size_t count = 0;

	for (size_t i = 0; t->hit && i < fit->points; i++) {
		if (in && !in[i])
			continue;
		sum += fabs(t->hit[i] - fit->point[i].hit.median);
		count++;
	}
	return count ? sum / (double)count : (double)NAN;
}

struct fit_scale {		/* from errors to likelihoods */
	const struct ws_fit *fit;
	const bool *in;
	double count, noise;
	const bool *held;	/* [keys]: at the start; NULL: none */
};

/* Of the mean half of p10 .. p90. */
static void find_scale(struct fit_scale *s)
{
	double known = 0;

	for (size_t i = 0; i < s->fit->points; i++) {
		const struct ws_measured *m = &s->fit->point[i].hit;

		if (s->in && !s->in[i])
			continue;
		s->count++;
		if (isfinite(m->p90 - m->p10)) {
			s->noise += (m->p90 - m->p10) / 2;
			known++;
		}
	}
	s->noise = fmax(known > 0 ? s->noise / known : 0, NOISE_LEAST);
}

/* 0 or below. */
static double likelihood(const struct fit_scale *s, double error, double least)
{
	return s->count * log(fmax(least, s->noise) / fmax(error, s->noise));
}

static size_t at_start(const struct ws_fit *fit, const struct fit_tried *t)
{
	size_t count = 0;

	for (size_t k = 0; k < fit->keys; k++)
		count += ws_fit_digit(fit, t->number, k) == fit->key[k].start;
	return count;
}

static bool is_held(const struct fit_scale *s, const struct fit_tried *t)
{
	for (size_t k = 0; s->held && k < s->fit->keys; k++)
		if (s->held[k] && ws_fit_digit(s->fit, t->number, k) != s->fit->key[k].start)
			return false;
	return true;
}

/* The least error of those with key at digit (key = keys: of all); of equal ones more keys at the
 * start, then the first.  NULL: none is possible. */
static const struct fit_tried *least_of(const struct fit_scale *s, size_t key, size_t digit,
					double *error)
{
	const struct ws_fit *fit = s->fit;
	const struct fit_tried *best = NULL;

	*error = (double)NAN;
	for (uint64_t i = 0; i < fit->tried; i++) {
		const struct fit_tried *t = &fit->combination[i];
		double e = ws_fit_error_of(fit, t, s->in);

		if (isnan(e) || !is_held(s, t) ||
		    (key < fit->keys && ws_fit_digit(fit, t->number, key) != digit))
			continue;
		if (best && (e > *error + SAME || (e > *error - SAME &&
						   at_start(fit, t) <= at_start(fit, best))))
			continue;
		best = t;
		*error = e;
	}
	return best;
}

/* ---- which keys stay at the start -------------------------------------------------- */

/* Holds the free key that costs least to hold; false: none can be. */
static bool hold_one(struct fit_scale *s, bool *held, double least)
{
	size_t which = s->fit->keys;
	double cheapest = (double)INFINITY, error;

	for (size_t k = 0; k < s->fit->keys; k++) {
		if (held[k] || !least_of(s, k, s->fit->key[k].start, &error) ||
		    likelihood(s, error, least) < -TELLS || error >= cheapest)
			continue;
		cheapest = error;
		which = k;
	}
	if (which < s->fit->keys)
		held[which] = true;
	return which < s->fit->keys;
}

/* ---- profiles ---------------------------------------------------------------------- */

static void judge_key(const struct fit_scale *s, size_t k, const struct fit_tried *best,
		      double least, struct ws_fit_key *key)
{
	size_t values = s->fit->vary[k].count, told = 0;

	key->best = ws_fit_digit(s->fit, best->number, k);
	for (size_t i = 0; i < values; i++) {
		struct ws_fit_value *v = &key->value[i];

		least_of(s, k, i, &v->error);
		v->log_likelihood = isnan(v->error) ? (double)NAN
						    : likelihood(s, v->error, least);
		v->told = isnan(v->error) || v->log_likelihood < -TELLS;
		told += v->told;
	}
	key->determined = told + 1 == values ? WS_DETERMINED_YES
			: told ? WS_DETERMINED_PARTLY : WS_DETERMINED_NO;
}

enum ws_status ws_fit_choose(const struct ws_fit *fit, const bool *in, struct ws_fit_key *key,
			     struct fit_choice *c, struct ws_err *err)
{
	struct fit_scale s = { .fit = fit, .in = in };
	bool *held = ws_alloc_zero(fit->keys, sizeof *held);
	double least, ignored;

	if (!held)
		return ws_fail_memory(err, "the free keys");
	find_scale(&s);
	c->noise = s.noise;
	c->best = least_of(&s, fit->keys, 0, &least);
	for (size_t k = 0; k < fit->keys && key && c->best; k++)
		judge_key(&s, k, c->best, least, &key[k]);
	s.held = held;
	while (c->best && hold_one(&s, held, least))
		;
	c->fitted = least_of(&s, fit->keys, 0, &ignored);
	for (size_t k = 0; k < fit->keys && key && c->fitted; k++)
		key[k].fitted = ws_fit_digit(fit, c->fitted->number, k);
	free(held);
	return c->best ? WS_OK : ws_fail(err, WS_EINVAL, "no machine can have any of the "
					 "combinations that were tried");
}
