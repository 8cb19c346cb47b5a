/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * validate/chain/system.c -- linear equations in whole numbers, solved exactly.
 *
 * Method: Dixon, "Exact solution of linear equations using p-adic expansions", Numerische
 * Mathematik 40, 1982.  The matrix is factored modulo a prime p < 2^31; each further digit of the
 * solution to the base p costs one substitution, and one product with the sparse matrix.  Only the
 * sum that is asked for is kept.  It is a fraction whose numerator and denominator Hadamard's
 * inequality bounds, and two such fractions that agree modulo more than twice the product of the
 * bounds are one: Euclid's algorithm finds it.
 *
 * Time: O(n^3 + n^2 d), d the digits, about n times the logarithm of an entry; memory 4 n^2 B.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "validate/chain/markov.h"

#define PRIMES_TRIED 4u
#define PRIME_FIRST 2147480000u	/* some 2^31 - 3648: the next primes are taken */

struct factored {		/* L U of the rows in the order of `row`, modulo p */
	size_t n;
	uint32_t p, minus_inverse; /* -1 / p modulo 2^32 */
	uint32_t *cell;		/* [n * n]: each times 2^32, but 1 / pivot on the diagonal */
	uint32_t *row;		/* [n] */
};

/* ---- modulo p: Montgomery's product ------------------------------------------------------ */

/* t / 2^32 modulo p, t < p 2^32; below p. */
static inline uint32_t reduce(const struct factored *f, uint64_t t)
{
	uint32_t m = (uint32_t)t * f->minus_inverse;
	uint64_t r = (t + (uint64_t)m * f->p) >> 32;

	return (uint32_t)(r >= f->p ? r - f->p : r);
}

static uint32_t to_cell(const struct factored *f, uint64_t value) /* below p */
{
	return (uint32_t)((value << 32) % f->p);
}

/* 1 / a, both times 2^32. */
static uint32_t invert(const struct factored *f, uint32_t a)
{
	uint32_t power = f->p - 2, out = to_cell(f, 1);

	for (; power; power >>= 1) {
		if (power & 1)
			out = reduce(f, (uint64_t)out * a);
		a = reduce(f, (uint64_t)a * a);
	}
	return out;
}

/* ---- factors ------------------------------------------------------------------------------ */

static bool find_pivot(struct factored *f, size_t k)
{
	for (size_t i = k; i < f->n; i++) {
		uint32_t other = f->row[i];

		if (!f->cell[other * f->n + k])
			continue;
		f->row[i] = f->row[k];
		f->row[k] = other;
		return true;
	}
	return false;
}

/* to -= times * from, of cells [k, n). */
static void subtract_row(const struct factored *f, uint32_t *to, const uint32_t *from,
			 uint32_t times, size_t k)
{
	uint32_t less = f->p - times;

	for (size_t j = k; j < f->n; j++) {
		uint32_t sum = to[j] + reduce(f, (uint64_t)less * from[j]);

		to[j] = sum >= f->p ? sum - f->p : sum;
	}
}

static bool factor(struct factored *f)
{
	for (size_t k = 0; k < f->n; k++) {
		uint32_t *pivot;

		if (!find_pivot(f, k))
			return false;
		pivot = f->cell + f->row[k] * f->n;
		pivot[k] = invert(f, pivot[k]);
		for (size_t i = k + 1; i < f->n; i++) {
			uint32_t *cell = f->cell + f->row[i] * f->n;

			if (!cell[k])
				continue;
			cell[k] = reduce(f, (uint64_t)cell[k] * pivot[k]);
			subtract_row(f, cell, pivot, cell[k], k + 1);
		}
	}
	return true;
}

static bool factor_modulo(struct factored *f, const struct ws_system *s, uint32_t p)
{
	uint32_t inverse = 1;

	f->p = p;
	for (unsigned i = 0; i < 5; i++) /* Newton: bits that are right double */
		inverse *= 2 - p * inverse;
	f->minus_inverse = 0 - inverse;
	memset(f->cell, 0, f->n * f->n * sizeof *f->cell);
	for (size_t i = 0; i < s->entries; i++) {
		const struct ws_system_entry *e = &s->entry[i];
		uint64_t size = (uint64_t)(e->value < 0 ? -e->value : e->value) % p;
		uint32_t *cell = &f->cell[e->row * f->n + e->column];
		uint32_t more = to_cell(f, e->value < 0 && size ? p - size : size);

		*cell = (uint32_t)(((uint64_t)*cell + more) % p);
	}
	for (size_t i = 0; i < f->n; i++)
		f->row[i] = (uint32_t)i;
	return factor(f);
}

/* The sum of cell[i] x[i] over [from, to), over 2^32, modulo p.  Halves of products are added up,
 * as that needs no division. */
static uint32_t product(const struct factored *f, const uint32_t *cell, const uint32_t *x,
			size_t from, size_t to)
{
	uint64_t low = 0, high = 0;

	for (size_t j = from; j < to; j++) {
		uint64_t part = (uint64_t)cell[j] * x[j];

		low += part & UINT32_MAX;
		high += part >> 32;
	}
	return (uint32_t)((reduce(f, low % f->p) + high) % f->p);
}

/* x of A x = r modulo p. */
static void substitute(const struct factored *f, const uint32_t *r, uint32_t *x)
{
	for (size_t k = 0; k < f->n; k++) {
		const uint32_t *cell = f->cell + f->row[k] * f->n;

		x[k] = (r[f->row[k]] + (f->p - product(f, cell, x, 0, k))) % f->p;
	}
	for (size_t k = f->n; k-- > 0;) {
		const uint32_t *cell = f->cell + f->row[k] * f->n;
		uint64_t rest = x[k] + (f->p - product(f, cell, x, k + 1, f->n));

		x[k] = reduce(f, rest % f->p * cell[k]);
	}
}

/* ---- digits -------------------------------------------------------------------------------- */

struct bounds {
	mpz_t numerator, denominator;
	size_t bits;		/* of twice their product */
};

/* Hadamard: a determinant is at most the product of its columns' lengths. */
static enum ws_status find_bounds(const struct ws_system *s, const mpz_t *weight, struct bounds *b,
				  struct ws_err *err)
{
	double *square = ws_alloc_zero(s->unknowns, sizeof *square), bits = 0;
	mpz_t sum;

	if (!square)
		return ws_fail_memory(err, "equations");
	for (size_t i = 0; i < s->entries; i++)
		square[s->entry[i].column] += (double)s->entry[i].value *
					      (double)s->entry[i].value;
	for (size_t i = 0; i < s->unknowns; i++)
		bits += log2(fmax(1, square[i])) / 2 + 1e-9;
	free(square);
	mpz_init(sum);
	for (size_t i = 0; i < s->unknowns; i++) {
		if (mpz_sgn(weight[i]) >= 0)
			mpz_add(sum, sum, weight[i]);
		else
			mpz_sub(sum, sum, weight[i]);
	}
	mpz_set_ui(b->denominator, 1);
	mpz_mul_2exp(b->denominator, b->denominator, (mp_bitcnt_t)ceil(bits) + 1);
	mpz_mul(b->numerator, b->denominator, sum);
	mpz_add_ui(b->numerator, b->numerator, 1);
	b->bits = mpz_sizeinbase(b->numerator, 2) + mpz_sizeinbase(b->denominator, 2) + 1;
	mpz_clear(sum);
	return WS_OK;
}

struct lift {
	const struct ws_system *s;
	const struct factored *f;
	uint32_t *rest_mod, *digit; /* [n] */
	mpz_t *rest;		/* [n]: the right-hand side that is left */
	mpz_t sum, power;	/* of the digits so far; p to their number */
};

/* rest = (rest - A digit) / p, without remainder. */
static void take_digit(struct lift *l)
{
	const struct ws_system *s = l->s;
	mpz_t value;

	mpz_init(value);
	for (size_t i = 0; i < s->entries; i++) {
		const struct ws_system_entry *e = &s->entry[i];

		mpz_set_si(value, e->value);
		mpz_submul_ui(l->rest[e->row], value, l->digit[e->column]);
	}
	for (size_t i = 0; i < s->unknowns; i++)
		mpz_divexact_ui(l->rest[i], l->rest[i], l->f->p);
	mpz_clear(value);
}

static void next_digit(struct lift *l, const mpz_t *weight)
{
	mpz_t sum;

	for (size_t i = 0; i < l->s->unknowns; i++)
		l->rest_mod[i] = (uint32_t)mpz_fdiv_ui(l->rest[i], l->f->p);
	substitute(l->f, l->rest_mod, l->digit);
	take_digit(l);
	mpz_init(sum);
	for (size_t i = 0; i < l->s->unknowns; i++)
		mpz_addmul_ui(sum, weight[i], l->digit[i]);
	mpz_addmul(l->sum, sum, l->power);
	mpz_mul_ui(l->power, l->power, l->f->p);
	mpz_clear(sum);
}

static enum ws_status lift_sum(struct lift *l, const mpz_t *weight, size_t bits,
			       struct ws_err *err)
{
	size_t n = l->s->unknowns;

	l->rest_mod = ws_alloc(n, sizeof *l->rest_mod);
	l->digit = ws_alloc(n, sizeof *l->digit);
	l->rest = ws_alloc(n, sizeof *l->rest);
	if (l->rest_mod && l->digit && l->rest) {
		for (size_t i = 0; i < n; i++)
			mpz_init_set_ui(l->rest[i], i == l->s->unit);
		while (mpz_sizeinbase(l->power, 2) <= bits)
			next_digit(l, weight);
		for (size_t i = 0; i < n; i++)
			mpz_clear(l->rest[i]);
	}
	free(l->rest_mod);
	free(l->digit);
	free(l->rest);
	return l->rest_mod && l->digit && l->rest ? WS_OK : ws_fail_memory(err, "equations");
}

/* The fraction of at most that numerator which is `sum` modulo `power`. */
static void reconstruct(const struct lift *l, const mpz_t most, mpq_t out)
{
	mpz_t r[2], t[2], q;

	mpz_init_set(r[0], l->power);
	mpz_init(r[1]);
	mpz_mod(r[1], l->sum, l->power);
	mpz_init_set_ui(t[0], 0);
	mpz_init_set_ui(t[1], 1);
	mpz_init(q);
	while (mpz_cmp(r[1], most) > 0) {
		mpz_fdiv_q(q, r[0], r[1]);
		mpz_submul(r[0], q, r[1]);
		mpz_swap(r[0], r[1]);
		mpz_submul(t[0], q, t[1]);
		mpz_swap(t[0], t[1]);
	}
	mpq_set_num(out, r[1]);
	mpq_set_den(out, t[1]);
	mpq_canonicalize(out);
	mpz_clears(r[0], r[1], t[0], t[1], q, NULL);
}

static enum ws_status solve_factored(const struct ws_system *s, const struct factored *f,
				     const mpz_t *weight, mpq_t sum, struct ws_err *err)
{
	struct lift l = { .s = s, .f = f };
	enum ws_status status;
	struct bounds b;

	mpz_inits(b.numerator, b.denominator, l.sum, NULL);
	mpz_init_set_ui(l.power, 1);
	status = find_bounds(s, weight, &b, err);
	if (status == WS_OK)
		status = lift_sum(&l, weight, b.bits, err);
	if (status == WS_OK)
		reconstruct(&l, b.numerator, sum);
	mpz_clears(b.numerator, b.denominator, l.sum, l.power, NULL);
	return status;
}

/* ---- */

bool ws_system_add(struct ws_system *s, size_t row, size_t column, int64_t value)
{
	if (!WS_ROOM(s->entry, s->cap, s->entries + 1))
		return false;
	s->entry[s->entries++] = (struct ws_system_entry){ (uint32_t)row, (uint32_t)column, value };
	return true;
}

enum ws_status ws_system_solve(const struct ws_system *s, const mpz_t *weight, mpq_t sum,
			       struct ws_err *err)
{
	struct factored f = { .n = s->unknowns };
	enum ws_status status = WS_OK;
	bool done = false;
	mpz_t prime;

	f.cell = ws_alloc(f.n, f.n * sizeof *f.cell);
	f.row = ws_alloc(f.n, sizeof *f.row);
	if (!f.cell || !f.row)
		status = ws_fail_memory(err, "equations");
	mpz_init_set_ui(prime, PRIME_FIRST);
	for (unsigned i = 0; i < PRIMES_TRIED && status == WS_OK && !done; i++) {
		mpz_nextprime(prime, prime);
		done = factor_modulo(&f, s, (uint32_t)mpz_get_ui(prime));
	}
	if (status == WS_OK && !done)
		status = ws_fail(err, WS_EINVAL, "%zu equations without a solution, or with many",
				 s->unknowns);
	if (status == WS_OK)
		status = solve_factored(s, &f, weight, sum, err);
	mpz_clear(prime);
	free(f.cell);
	free(f.row);
	return status;
}
