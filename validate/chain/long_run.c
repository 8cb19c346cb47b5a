/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * validate/chain/long_run.c -- the share of references that miss in the long run.
 *
 * Fractions.  The long-run shares y of the states solve y (P - 1) = 0 with sum y = 1; one equation
 * of the first is one too many, and the sum takes its place.  A state's chances are divided by what
 * they and the whole have in common, and its unknown is multiplied by it: so entries are small, and
 * with them the bounds of the fraction.
 *
 * Bounds.  For any numbers h of states the long-run share g of misses r is between the least and
 * the greatest of r + P h - h, as the long-run mean of P h - h is 0 (Puterman, "Markov Decision
 * Processes", 1994, section 8.5.5).  h is improved by itself, half a step at a time, so that loops
 * do not swing.
 */
#include <math.h>
#include <stdlib.h>

#include "validate/chain/markov.h"

#define NEAR 1e-12
#define WORK 6e9		/* steps looked at before the bounds are taken as they are */

static uint64_t divisor(uint64_t a, uint64_t b)
{
	while (b) {
		uint64_t rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

/* What all of a state's chances are multiples of. */
static uint64_t unit_of(const struct ws_markov *c, size_t s)
{
	uint64_t unit = divisor(c->whole, c->miss[s]);

	for (size_t i = c->first[s]; i < c->first[s + 1]; i++)
		unit = divisor(unit, c->chance[i]);
	return unit;
}

/* Column s: its steps into the rows of other states than the last, less what leaves it. */
static bool add_column(struct ws_system *x, const struct ws_markov *c, size_t s, uint64_t unit)
{
	uint64_t stays = 0;
	bool room = true;

	for (size_t i = c->first[s]; i < c->first[s + 1] && room; i++) {
		if (c->to[i] == s)
			stays += c->chance[i];
		else if (c->to[i] + (size_t)1 < c->states)
			room = ws_system_add(x, c->to[i], s, (int64_t)(c->chance[i] / unit));
	}
	if (s + 1 < c->states && room)
		room = ws_system_add(x, s, s, -(int64_t)((c->whole - stays) / unit));
	return room && ws_system_add(x, c->states - 1, s, (int64_t)(c->whole / unit));
}

enum ws_status ws_markov_exact(const struct ws_markov *c, mpq_t ratio, struct ws_err *err)
{
	struct ws_system x = { .unknowns = c->states, .unit = c->states - 1 };
	mpz_t *weight = ws_alloc(c->states, sizeof *weight);
	enum ws_status status = weight ? WS_OK : ws_fail_memory(err, "equations");

	for (size_t s = 0; s < c->states && weight; s++) {
		uint64_t unit = unit_of(c, s);

		mpz_init_set_ui(weight[s], c->miss[s] / unit);
		if (!add_column(&x, c, s, unit) && status == WS_OK)
			status = ws_fail_memory(err, "equations");
	}
	if (status == WS_OK)
		status = ws_system_solve(&x, weight, ratio, err);
	for (size_t s = 0; s < c->states && weight; s++)
		mpz_clear(weight[s]);
	free(weight);
	free(x.entry);
	return status;
}

/* ---- the mean over classes ---------------------------------------------------------------- */

/* Column `number` of a state that is left at last: one visit is one more of each it steps to. */
static bool add_visits(struct ws_system *x, const struct ws_markov *c, size_t s,
		       const uint32_t *class, const uint32_t *number)
{
	bool room = ws_system_add(x, number[s], number[s], (int64_t)c->whole);

	for (size_t i = c->first[s]; i < c->first[s + 1] && room; i++)
		if (class[c->to[i]] == WS_TRANSIENT)
			room = ws_system_add(x, number[c->to[i]], number[s],
					     -(int64_t)c->chance[i]);
	return room;
}

/* What a visit of s is worth: the ratios of classes that it steps into, as they are likely. */
static void worth(const struct ws_markov *c, size_t s, const uint32_t *class, mpq_t *ratio,
		  const mpz_t common, mpz_t out)
{
	mpz_t part;

	mpz_init(part);
	mpz_set_ui(out, 0);
	for (size_t i = c->first[s]; i < c->first[s + 1]; i++) {
		if (class[c->to[i]] == WS_TRANSIENT)
			continue;
		mpz_divexact(part, common, mpq_denref(ratio[class[c->to[i]]]));
		mpz_mul(part, part, mpq_numref(ratio[class[c->to[i]]]));
		mpz_addmul_ui(out, part, c->chance[i]);
	}
	mpz_clear(part);
}

static void common_denominator(const uint32_t *class, size_t states, mpq_t *ratio, mpz_t common)
{
	mpz_set_ui(common, 1);
	for (size_t s = 0; s < states; s++)
		if (class[s] != WS_TRANSIENT)
			mpz_lcm(common, common, mpq_denref(ratio[class[s]]));
}

/* Unknowns are the visits of the states that are left at last; state 0 is visited once more. */
static enum ws_status mean_of_visits(const struct ws_markov *c, const uint32_t *class,
				     const uint32_t *number, size_t count, mpq_t *ratio,
				     mpq_t mean, struct ws_err *err)
{
	struct ws_system x = { .unknowns = count, .unit = number[0] };
	mpz_t *weight = ws_alloc(count, sizeof *weight), common;
	enum ws_status status = weight ? WS_OK : ws_fail_memory(err, "equations");

	mpz_init(common);
	common_denominator(class, c->states, ratio, common);
	for (size_t s = 0; s < c->states && weight; s++) {
		if (class[s] != WS_TRANSIENT)
			continue;
		mpz_init(weight[number[s]]);
		worth(c, s, class, ratio, common, weight[number[s]]);
		if (!add_visits(&x, c, s, class, number) && status == WS_OK)
			status = ws_fail_memory(err, "equations");
	}
	if (status == WS_OK)
		status = ws_system_solve(&x, weight, mean, err);
	if (status == WS_OK) {
		mpz_mul(mpq_denref(mean), mpq_denref(mean), common);
		mpq_canonicalize(mean);
	}
	for (size_t i = 0; i < count && weight; i++)
		mpz_clear(weight[i]);
	mpz_clear(common);
	free(weight);
	free(x.entry);
	return status;
}

enum ws_status ws_markov_mean(const struct ws_markov *c, const uint32_t *class, mpq_t *ratio,
			      mpq_t mean, struct ws_err *err)
{
	uint32_t *number = ws_alloc(c->states, sizeof *number), count = 0;
	enum ws_status status;

	if (class[0] != WS_TRANSIENT) {
		mpq_set(mean, ratio[class[0]]);
		free(number);
		return WS_OK;
	}
	if (!number)
		return ws_fail_memory(err, "equations");
	for (size_t s = 0; s < c->states; s++)
		number[s] = class[s] == WS_TRANSIENT ? count++ : 0;
	status = count > WS_CHAIN_SOLVED
		? ws_fail(err, WS_EINVAL, "the long run depends on how the set was filled, and "
			  "that has %u states: want at most %u, so fewer ways or lines", count,
			  WS_CHAIN_SOLVED)
		: mean_of_visits(c, class, number, count, ratio, mean, err);
	free(number);
	return status;
}

/* ---- bounds ------------------------------------------------------------------------------ */

/* r + P h - h of a state. */
static double drift(const struct ws_markov *c, const double *chance, const double *h, size_t s)
{
	double sum = (double)c->miss[s] / (double)c->whole;

	for (size_t i = c->first[s]; i < c->first[s + 1]; i++)
		sum += chance[i] * (h[c->to[i]] - h[s]);
	return sum;
}

static void sweep(const struct ws_markov *c, const double *chance, const double *h, double *next,
		  double *low, double *high)
{
	*low = INFINITY;
	*high = -INFINITY;
	for (size_t s = 0; s < c->states; s++) {
		double d = drift(c, chance, h, s);

		*low = fmin(*low, d);
		*high = fmax(*high, d);
		next[s] = h[s] + d / 2;
	}
	for (size_t s = c->states; s-- > 0;)
		next[s] -= next[0];
}

enum ws_status ws_markov_bracket(const struct ws_markov *c, double *low, double *high,
				 struct ws_err *err)
{
	double *chance = ws_alloc(c->steps, sizeof *chance);
	double *h = ws_alloc_zero(c->states, sizeof *h), *next = ws_alloc(c->states, sizeof *next);
	double work = 0;

	*low = 0;
	*high = 1;
	for (size_t i = 0; i < c->steps && chance; i++)
		chance[i] = (double)c->chance[i] / (double)c->whole;
	while (chance && h && next && *high - *low > NEAR && work < WORK) {
		double from, to, *was = h;

		sweep(c, chance, h, next, &from, &to);
		*low = fmax(*low, from);
		*high = fmin(*high, to);
		h = next;
		next = was;
		work += (double)c->steps;
	}
	free(chance);
	free(h);
	free(next);
	return chance && h && next ? WS_OK : ws_fail_memory(err, "a chain");
}
