/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/validate/t-chain.c -- the long-run miss ratio of small sets, three times over: a Markov
 * chain solved in rationals (tests/ref/chain.c), the same chain in doubles (GSL), and a long
 * simulation of the policy's exact face.
 *
 * Rationals and doubles agree to 1e-9.  A simulation of N references is within six standard errors
 * of its mean over ten batches (or 1e-5 of it, where chance plays no part).
 */
#include <gsl/gsl_linalg.h>
#include <math.h>
#include <stdlib.h>

#include "tests/ref/chain.h"
#include "tests/validate/stream.h"

#define NEAR 1e-9
#define BATCHES 10u
#define BATCH 40000u
#define WARM 2000u
#define STATES_MOST 4000u

/* pi (P - 1) = 0 with the last equation replaced by sum pi = 1. */
static double in_doubles(const struct ref_chain *c)
{
	size_t n = c->states;
	gsl_matrix *a = gsl_matrix_calloc(n, n);
	gsl_vector *b = gsl_vector_calloc(n), *pi = gsl_vector_alloc(n);
	gsl_permutation *p = gsl_permutation_alloc(n);
	double ratio = 0;
	int sign;

	for (size_t i = 0; i < c->steps; i++)
		*gsl_matrix_ptr(a, c->step[i].to, c->step[i].from) += mpq_get_d(c->step[i].chance);
	for (size_t i = 0; i < n; i++) {
		*gsl_matrix_ptr(a, i, i) -= 1;
		gsl_matrix_set(a, n - 1, i, 1);
	}
	for (size_t i = 0; i < n; i++)
		gsl_matrix_set(a, n - 1, i, 1);
	gsl_vector_set(b, n - 1, 1);
	gsl_linalg_LU_decomp(a, p, &sign);
	gsl_linalg_LU_solve(a, p, b, pi);
	for (size_t i = 0; i < n; i++)
		ratio += gsl_vector_get(pi, i) * mpq_get_d(c->miss[i]);
	gsl_permutation_free(p);
	gsl_vector_free(b);
	gsl_vector_free(pi);
	gsl_matrix_free(a);
	return ratio;
}

/* ---- simulation ------------------------------------------------------------------------- */

static unsigned draw(struct ws_rng *rng, const struct ref_chain_question *q, uint64_t at)
{
	uint64_t all = 0, u;
	unsigned line = 0;

	for (unsigned i = 0; i < q->lines; i++)
		all += q->weight[i];
	if (!all)
		return (unsigned)(at % q->lines);
	for (u = ws_rng_below(rng, all); u >= q->weight[line]; line++)
		u -= q->weight[line];
	return line;
}

static double batch(struct ws_sim *sim, struct ws_rng *rng, const struct ref_chain_question *q,
		    uint64_t *at, size_t count)
{
	struct ws_counts before[WS_KINDS + 1], after[WS_KINDS + 1];

	ws_sim_counts(sim, before);
	for (size_t i = 0; i < count; i++) {
		struct ws_request r = { .address = 128u * draw(rng, q, (*at)++), .sectors = 15 };

		if (ws_sim_push(sim, &r, 1, NULL))
			abort();
	}
	ws_sim_counts(sim, after);
	return (double)(after[WS_KINDS].misses - before[WS_KINDS].misses) / (double)count;
}

static void simulated(const char *policy, const struct ref_chain_question *q, double want)
{
	struct ws_cache cache = { .sets = 1, .ways = q->ways, .line_bytes = 128,
				  .sector_bytes = 128 };
	struct ws_sim *sim;
	struct ws_rng rng;
	uint64_t at = 0;
	double sum = 0, squares = 0, mean, error;

	snprintf(cache.policy, sizeof cache.policy, "%s", policy);
	if (!test_ok(!ws_sim_new(&sim, &cache, NULL), "%s can be simulated", policy))
		return;
	ws_rng_seed(&rng, 20240229);
	batch(sim, &rng, q, &at, WARM);
	for (unsigned i = 0; i < BATCHES; i++) {
		double ratio = batch(sim, &rng, q, &at, BATCH);

		sum += ratio;
		squares += ratio * ratio;
	}
	mean = sum / BATCHES;
	error = sqrt(fmax(0, squares / BATCHES - mean * mean) / (BATCHES - 1));
	test_ok(fabs(mean - want) <= 6 * error + 1e-5, "%s: simulated %.6f, chain %.6f, standard "
		"error %.6f", policy, mean, want, error);
	ws_sim_free(sim);
}

/* ---- cases ---------------------------------------------------------------------------------- */

static double solve(const char *policy, const struct ref_chain_question *q)
{
	struct ref_chain c;
	double exact, doubles;
	mpq_t ratio;

	mpq_init(ratio);
	ref_chain_build(&c, q, STATES_MOST);
	ref_chain_solve(&c, ratio);
	exact = mpq_get_d(ratio);
	doubles = in_doubles(&c);
	test_ok(fabs(exact - doubles) <= NEAR, "%s, %u ways, %u lines, %s: %zu states, rational "
		"%.12f, double %.12f", policy, q->ways, q->lines,
		q->weight[0] ? "independent" : "loop",
		c.states, exact, doubles);
	ref_chain_clear(&c);
	mpq_clear(ratio);
	simulated(policy, q, exact);
	return exact;
}

static const struct {
	const char *policy;
	struct ref_chain_question q;
} cases[] = {
	{ "lru", { .policy = REF_CHAIN_LRU } },
	{ "fifo", { .policy = REF_CHAIN_FIFO } },
	{ "random", { .policy = REF_CHAIN_RANDOM } },
	{ "plru", { .policy = REF_CHAIN_PLRU } },
	{ "nru", { .policy = REF_CHAIN_RRIP, .bits = 1, .near = 1, .of = 1 } },
	{ "srrip", { .policy = REF_CHAIN_RRIP, .bits = 2, .near = 1, .of = 1 } },
	{ "srrip:3", { .policy = REF_CHAIN_RRIP, .bits = 3, .near = 1, .of = 1 } },
	{ "brrip", { .policy = REF_CHAIN_RRIP, .bits = 2, .near = 1, .of = 32 } },
	{ "brrip:1/20", { .policy = REF_CHAIN_RRIP, .bits = 2, .near = 1, .of = 20 } },
	{ "bip", { .policy = REF_CHAIN_BIP, .near = 1, .of = 32 } },
	{ "bip:1/4", { .policy = REF_CHAIN_BIP, .near = 1, .of = 4 } },
};

static double ask(size_t i, unsigned ways, unsigned lines, const unsigned *weight)
{
	struct ref_chain_question q = cases[i].q;

	q.ways = ways;
	q.lines = lines;
	for (unsigned line = 0; weight && line < lines; line++)
		q.weight[line] = weight[line];
	return solve(cases[i].policy, &q);
}

int main(void)
{
	static const unsigned even[] = { 1, 1, 1, 1 }, skewed[] = { 7, 4, 2, 1 };
	double lru = 0;

	for (size_t i = 0; i < WS_COUNT(cases); i++) {
		double ratio = ask(i, 2, 4, even);

		/* Whatever stays, half of the lines is out. */
		test_ok(fabs(ratio - 0.5) < NEAR, "%s: equal lines: half of them miss",
			cases[i].policy);
		ratio = ask(i, 2, 4, skewed);
		lru = i ? lru : ratio;
		test_ok(ratio > 3.0 / 14 && ratio < 0.75, "%s: between the best lines and the "
			"worst", cases[i].policy);
		ratio = ask(i, 2, 3, NULL);
		if (cases[i].q.policy == REF_CHAIN_LRU || cases[i].q.policy == REF_CHAIN_FIFO)
			test_ok(ratio > 1 - NEAR, "a loop past the size misses always");
		if (cases[i].q.of > 1 || cases[i].q.policy == REF_CHAIN_RANDOM)
			ask(i, 3, 4, NULL);
	}
	/* King 1971: LRU of 2 ways = sum p_i p_j / (1 - p_i) (1 - p_i - p_j). */
	{
		double want = 0;

		for (size_t i = 0; i < 4; i++)
			for (size_t j = 0; j < 4; j++)
				if (i != j)
					want += skewed[i] * skewed[j] / 14.0 / (14.0 - skewed[i]) *
						(1 - (skewed[i] + skewed[j]) / 14.0);
		test_ok(fabs(want - lru) < NEAR, "lru: King's formula %.12f", want);
	}
	return test_done();
}
