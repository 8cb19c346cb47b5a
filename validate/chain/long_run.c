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
 * do not swing; where that is slow, by GMRES, whose answer need not be trusted for that.
 */
#include <gsl/gsl_errno.h>
#include <gsl/gsl_splinalg.h>
#include <gsl/gsl_spmatrix.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>

#include "validate/chain/markov.h"

#define NEAR 1e-12
#define SWEEPS 2e8		/* steps looked at before the equations are solved instead, */
#define WORK 2e10		/* and before the bounds are taken as they are */
#define KRYLOV_MOST 100u	/* vectors that GMRES keeps, */
#define KRYLOV_CELLS (1u << 22)	/* and numbers in them: more settle sooner, and cost more */

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
	*low = HUGE_VAL;
	*high = -HUGE_VAL;
	for (size_t s = 0; s < c->states; s++) {
		double d = drift(c, chance, h, s);

		*low = fmin(*low, d);
		*high = fmax(*high, d);
		next[s] = h[s] + d / 2;
	}
	for (size_t s = c->states; s-- > 0;)
		next[s] -= next[0];
}

struct bracket {
	const struct ws_markov *c;
	double *chance;		/* [steps] */
	double *h, *next;	/* [states] */
	double low, high, work;
};

static void narrow(struct bracket *b)
{
	double from, to;

	sweep(b->c, b->chance, b->h, b->next, &from, &to);
	b->low = fmax(b->low, from);
	b->high = fmin(b->high, to);
	b->work += (double)b->c->steps;
}

static bool is_wide(const struct bracket *b, double most)
{
	return b->high - b->low > NEAR && b->work < most;
}

static void sweep_on(struct bracket *b)
{
	while (is_wide(b, SWEEPS)) {
		double *was = b->h;

		narrow(b);
		b->h = b->next;
		b->next = was;
	}
}

/* ---- where chains mix slowly: GSL's GMRES ------------------------------------------------ */

static pthread_once_t once = PTHREAD_ONCE_INIT;

/* GSL's own handler of errors aborts; one that the program has set is the program's. */
static void turn_off(void)
{
	gsl_error_handler_t *own = gsl_set_error_handler_off();

	if (own)
		gsl_set_error_handler(own);
}

/* (1 - P) h + g = r, with h[0] = 0, so that its column is g's. */
static gsl_spmatrix *equations_of(const struct bracket *b)
{
	const struct ws_markov *c = b->c;
	gsl_spmatrix *m = gsl_spmatrix_alloc_nzmax(c->states, c->states, c->steps + 2 * c->states,
						   GSL_SPMATRIX_TRIPLET), *packed = NULL;
	bool good = m != NULL;

	for (size_t s = 0; s < c->states && good; s++) {
		good = !gsl_spmatrix_set(m, s, 0, 1) && (!s || !gsl_spmatrix_set(m, s, s, 1));
		for (size_t i = c->first[s]; i < c->first[s + 1] && good; i++) {
			size_t to = c->to[i];

			if (to)
				good = !gsl_spmatrix_set(m, s, to, gsl_spmatrix_get(m, s, to) -
									   b->chance[i]);
		}
	}
	if (good)
		packed = gsl_spmatrix_compress(m, GSL_SPMATRIX_CSR);
	gsl_spmatrix_free(m);
	return packed;
}

/* h from what solves the equations nearly, again and again. */
static bool solve_on(struct bracket *b)
{
	size_t n = b->c->states, kept = KRYLOV_CELLS / n;
	gsl_spmatrix *m = equations_of(b);
	gsl_vector *right = gsl_vector_alloc(n), *x = gsl_vector_calloc(n);
	gsl_splinalg_itersolve *w;
	bool good;

	kept = kept < KRYLOV_MOST ? kept : KRYLOV_MOST;
	kept = kept < n ? kept : n;
	w = gsl_splinalg_itersolve_alloc(gsl_splinalg_itersolve_gmres, n, kept);
	good = m && right && x && w;
	for (size_t s = 0; s < n && good; s++) {
		gsl_vector_set(right, s, (double)b->c->miss[s] / (double)b->c->whole);
		gsl_vector_set(x, s, s ? b->h[s] : b->low);
	}
	while (good && is_wide(b, WORK)) {
		gsl_splinalg_itersolve_iterate(m, right, NEAR / 1e3, x, w);
		for (size_t s = 0; s < n; s++)
			b->h[s] = s ? gsl_vector_get(x, s) : 0;
		narrow(b);
		b->work += (double)kept * ((double)b->c->steps + (double)kept * (double)n);
	}
	gsl_spmatrix_free(m);
	gsl_vector_free(right);
	gsl_vector_free(x);
	gsl_splinalg_itersolve_free(w);
	return good;
}

enum ws_status ws_markov_bracket(const struct ws_markov *c, double *low, double *high,
				 struct ws_err *err)
{
	struct bracket b = { .c = c, .low = 0, .high = 1 };
	bool good;

	pthread_once(&once, turn_off);
	b.chance = ws_alloc(c->steps, sizeof *b.chance);
	b.h = ws_alloc_zero(c->states, sizeof *b.h);
	b.next = ws_alloc(c->states, sizeof *b.next);
	good = b.chance && b.h && b.next;
	for (size_t i = 0; i < c->steps && good; i++)
		b.chance[i] = (double)c->chance[i] / (double)c->whole;
	if (good)
		sweep_on(&b);
	if (good && is_wide(&b, WORK))
		good = solve_on(&b);
	*low = b.low;
	*high = b.high;
	free(b.chance);
	free(b.h);
	free(b.next);
	return good ? WS_OK : ws_fail_memory(err, "a chain");
}
