/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * validate/chain/markov.h -- what the parts of chains share.
 *
 *	law.c     the probabilities of lines
 *	build.c   hooks to states and steps
 *	join.c    joins states that act alike
 *	classes.c those that are never left
 *	system.c  equations, solved in fractions
 *	long_run.c  the long run of a class: a fraction, or two bounds
 *	solve.c   all of it
 *	beside.c  the same by model and by simulation
 */
#ifndef WS_CHAIN_MARKOV_H
#define WS_CHAIN_MARKOV_H

#include <gmp.h>

#include "validate/chain.h"

struct ws_markov {		/* state 0 is the first */
	size_t states, steps;
	size_t *first;		/* [states + 1]: a state's steps are [first[s], first[s + 1]) */
	uint32_t *to;		/* [steps] */
	uint64_t *chance;	/* [steps], of `whole` */
	uint64_t *miss;		/* [states]: chance that the next reference misses, of `whole` */
	uint64_t whole;		/* at most WS_MARKOV_WHOLE */
	size_t first_cap, to_cap, chance_cap;
};

#define WS_MARKOV_WHOLE (UINT64_C(1) << 53)

void ws_markov_clear(struct ws_markov *c);
enum ws_status ws_markov_build(struct ws_markov *out, const char *policy, unsigned ways,
			       const struct ws_line_law *law, struct ws_err *err) WS_MUST_CHECK;
/* The least chain that misses as often in every number of references. */
enum ws_status ws_markov_join(struct ws_markov *out, const struct ws_markov *from,
			      struct ws_err *err) WS_MUST_CHECK;
/* class[s]: number of the set of states that s is in if that is never left, else WS_TRANSIENT. */
#define WS_TRANSIENT UINT32_MAX
enum ws_status ws_markov_classes(const struct ws_markov *c, uint32_t *class, size_t *classes,
				 struct ws_err *err) WS_MUST_CHECK;
/* The states of one class. */
enum ws_status ws_markov_part(struct ws_markov *out, const struct ws_markov *c,
			      const uint32_t *class, uint32_t which,
			      struct ws_err *err) WS_MUST_CHECK;

/* A chain of one class: the share of references that miss. */
enum ws_status ws_markov_exact(const struct ws_markov *c, mpq_t ratio,
			       struct ws_err *err) WS_MUST_CHECK;
enum ws_status ws_markov_bracket(const struct ws_markov *c, double *low, double *high,
				 struct ws_err *err) WS_MUST_CHECK;
/* The mean of the classes' ratios, as likely as state 0 ends in them. */
enum ws_status ws_markov_mean(const struct ws_markov *c, const uint32_t *class, mpq_t *ratio,
			      mpq_t mean, struct ws_err *err) WS_MUST_CHECK;

/* ---- equations in whole numbers: system.c --------------------------------------- */

struct ws_system {		/* sum over i of value x[column] = (row == unit), of each row */
	size_t unknowns, entries, unit;
	struct ws_system_entry {
		uint32_t row, column;
		int64_t value;
	} *entry;
	size_t cap;
};

bool ws_system_add(struct ws_system *s, size_t row, size_t column, int64_t value);
/* sum of weight[i] x[i]; exact.  WS_EINVAL: no solution, or many. */
enum ws_status ws_system_solve(const struct ws_system *s, const mpz_t *weight, mpq_t sum,
			       struct ws_err *err) WS_MUST_CHECK;

/* The fraction that a number of at most 15 digits was meant as: the first convergent of its
 * continued fraction that is the same double. */
void ws_chain_fraction(mpq_t out, double value);

#endif
