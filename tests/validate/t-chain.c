/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/validate/t-chain.c -- the long-run miss ratio of small sets: validate/chain.h's fraction is
 * that of a Markov chain written by hand (tests/ref/chain.c), and of closed forms (King 1971);
 * the reference's chain in doubles (GSL), and a long simulation of the policy's exact face, are
 * near it.
 *
 * Rationals and doubles agree to 1e-9.  A simulation of N references is within six standard errors
 * of its mean over ten batches (or 1e-5 of it, where chance plays no part).
 */
#include <gsl/gsl_linalg.h>
#include <math.h>
#include <stdlib.h>

#include "tests/ref/chain.h"
#include "tests/validate/stream.h"
#include "validate/chain/markov.h"

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

static struct ws_line_law law_of(const struct ref_chain_question *q)
{
	struct ws_line_law law = { .lines = q->lines, .loop = true };

	for (unsigned i = 0; i < q->lines; i++) {
		law.weight[i] = q->weight[i];
		law.loop = law.loop && !q->weight[i];
	}
	return law;
}

/* The double nearest to a fraction whose parts are below 2^53, else one that is near. */
static double nearest_to(const mpq_t value)
{
	return mpz_sizeinbase(mpq_numref(value), 2) <= 53 &&
	       mpz_sizeinbase(mpq_denref(value), 2) <= 53
		? mpz_get_d(mpq_numref(value)) / mpz_get_d(mpq_denref(value)) : -1;
}

/* Does the chain of the policy's hooks have this fraction? */
static void hooks(const char *policy, unsigned ways, const struct ws_line_law *law,
		  const mpq_t want)
{
	struct ws_chain_result r;
	struct ws_err err = { 0 };
	char *text = mpq_get_str(NULL, 10, want);
	bool solved = !ws_chain_solve(&r, policy, ways, law, &err);

	test_ok(solved && r.fraction && strcmp(r.fraction, text) == 0,
		"%s, %u ways, %u lines, %s: %s of %zu states, %zu joined, reference %s%s", policy,
		ways, law->lines, law->loop ? "loop" : "independent",
		r.fraction ? r.fraction : "nothing", r.states, r.joined, text, err.text);
	test_ok(solved && r.low == r.ratio && r.ratio == r.high &&
		fabs(r.ratio - mpq_get_d(want)) < NEAR &&
		(nearest_to(want) < 0 || r.ratio == nearest_to(want)), "%s: in decimals, too",
		policy);
	free(text);
	ws_chain_result_clear(&r);
}

static double solve(const char *policy, const struct ref_chain_question *q)
{
	struct ws_line_law law = law_of(q);

	struct ref_chain c;
	double exact, doubles;
	mpq_t ratio;

	mpq_init(ratio);
	ref_chain_build(&c, q, STATES_MOST);
	ref_chain_solve(&c, ratio);
	exact = mpq_get_d(ratio);
	hooks(policy, q->ways, &law, ratio);
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

/* ---- closed forms ------------------------------------------------------------------------- */

struct form {
	const struct ws_line_law *law;
	unsigned ways, sum;
	bool lru;
	bool used[WS_CHAIN_LINES];
	mpq_t weights, misses;	/* of the orders so far */
};

/* All ordered choices of lines, most recent first.  Under LRU one is as likely as the product of
 * p(i) / (1 - p of those before); under FIFO and Random as the product of p(i), normalised. */
static void orders(struct form *f, unsigned depth, unsigned gone, const mpq_t chance)
{
	mpq_t part;

	mpq_init(part);
	if (depth == f->ways) {
		mpq_add(f->weights, f->weights, chance);
		mpq_set_ui(part, f->sum - gone, f->sum);
		mpq_canonicalize(part);
		mpq_mul(part, part, chance);
		mpq_add(f->misses, f->misses, part);
	}
	for (unsigned i = 0; depth < f->ways && i < f->law->lines; i++) {
		unsigned p = (unsigned)f->law->weight[i];

		if (f->used[i])
			continue;
		f->used[i] = true;
		mpq_set_ui(part, p, f->lru ? f->sum - gone : f->sum);
		mpq_canonicalize(part);
		mpq_mul(part, part, chance);
		orders(f, depth + 1, gone + p, part);
		f->used[i] = false;
	}
	mpq_clear(part);
}

/* King, "Analysis of demand paging algorithms", IFIP Congress 1971. */
static void king(const char *policy, unsigned ways, const struct ws_line_law *law, bool lru)
{
	struct form f = { .law = law, .ways = ways, .lru = lru };
	mpq_t one;

	for (unsigned i = 0; i < law->lines; i++)
		f.sum += (unsigned)law->weight[i];
	mpq_inits(f.weights, f.misses, one, NULL);
	mpq_set_ui(one, 1, 1);
	orders(&f, 0, 0, one);
	mpq_div(f.misses, f.misses, f.weights);
	hooks(policy, ways, law, f.misses);
	mpq_clears(f.weights, f.misses, one, NULL);
}

static void check_king(void)
{
	static const struct {
		const char *law;
		unsigned ways, lines;
	} laws[] = {
		{ "zipf:1", 3, 5 }, { "zipf:2", 2, 6 }, { "weights:7,4,2,1,9", 4, 5 },
		{ "uniform", 3, 7 }, { "zipf:0", 2, 3 }, { "zipf:0.8", 1, 4 }, { "zipf:1", 4, 4 },
	};

	for (size_t i = 0; i < WS_COUNT(laws); i++) {
		struct ws_line_law law;

		if (!test_ok(!ws_line_law_parse(&law, laws[i].law, laws[i].lines, NULL),
			     "%s is a law", laws[i].law))
			continue;
		king("lru", laws[i].ways, &law, true);
		king("lfu-kumar", laws[i].ways, &law, true); /* LRU by another name */
		king("fifo", laws[i].ways, &law, false);
		king("random", laws[i].ways, &law, false);
	}
}

/* ---- others whose answer is known -------------------------------------------------------- */

static void expect(const char *policy, unsigned ways, const char *text, unsigned lines,
		   unsigned above, unsigned below)
{
	struct ws_line_law law;
	mpq_t want;

	mpq_init(want);
	mpq_set_ui(want, above, below);
	mpq_canonicalize(want);
	if (test_ok(!ws_line_law_parse(&law, text, lines, NULL), "%s is a law", text))
		hooks(policy, ways, &law, want);
	mpq_clear(want);
}

/* By hand.  bip:0 keeps what came first in all ways but one.  prob:1,0 never throws out way 1,
 * which has the second line that came. */
static void check_known(void)
{
	expect("lru", 5, "loop", 6, 1, 1);
	expect("lru", 6, "loop", 6, 0, 1);
	expect("fifo", 5, "loop", 6, 1, 1);
	expect("clock", 3, "loop", 4, 1, 1);
	expect("bip:0", 4, "loop", 9, 6, 9);
	expect("bip:1", 4, "loop", 9, 1, 1);
	expect("prob:1,0", 2, "loop", 5, 4, 5);
	expect("random", 1, "weights:3,1", 2, 6, 16);
	/* The second line to come, j, stays: so it is with sum over i of p(i) p(j) / (1 - p(i)).
	 * Way 0 has the last of the others: sum over i of p(i) (1 - p(j) - p(i)) / (1 - p(j))
	 * misses. */
	expect("prob:1,0", 2, "weights:3,2,1", 3, 5, 18);
	/* After a miss the next line is one of the two that may have gone, each as likely: a miss,
	 * or a hit and then a miss.  So two of three references miss. */
	expect("random", 2, "loop", 3, 2, 3);
	expect("lfu-age:1", 3, "loop", 4, 1, 1);
}

static double ratio_of(const char *policy, unsigned ways, const char *text, unsigned lines)
{
	struct ws_chain_result r;
	struct ws_line_law law;
	double out = -1;

	if (!ws_line_law_parse(&law, text, lines, NULL) &&
	    !ws_chain_solve(&r, policy, ways, &law, NULL)) {
		out = r.ratio;
		ws_chain_result_clear(&r);
	}
	return out;
}

/* One policy by two names has one fraction. */
static void check_same(void)
{
	static const struct {
		const char *one, *other;
		unsigned ways;
	} same[] = {
		{ "drrip", "srrip", 2 }, { "dip", "lru", 2 }, { "bip:1", "lru", 2 },
		{ "srrip:1", "nru", 2 }, { "brrip:1", "srrip", 2 }, { "prob:1,1", "random", 2 },
		{ "lfu-age:1", "lru", 2 }, { "plru", "lru", 3 }, { "lfu-kumar", "lru", 3 },
		/* Ways that are alike are sorted, those of prob are not. */
		{ "prob:1,1,1,1", "random", 4 }, { "prob:1,2,3,4", "fifo", 4 },
	};

	for (size_t i = 0; i < WS_COUNT(same); i++) {
		unsigned lines = same[i].ways < 4 ? 4 : 6;
		double a = ratio_of(same[i].one, same[i].ways, "zipf:1", lines);
		double b = ratio_of(same[i].other, same[i].ways, "zipf:1", lines);

		test_ok(a > 0 && a == b, "%s is %s: %.12f, %.12f", same[i].one, same[i].other, a,
			b);
	}
}

static void check_laws(void)
{
	static const struct {
		const char *text;
		uint64_t weight[4];
		bool rounded;
	} laws[] = {
		{ "zipf:1", { 12, 6, 4, 3 }, false }, { "zipf:2", { 144, 36, 16, 9 }, false },
		{ "zipf:0", { 1, 1, 1, 1 }, false }, { "uniform", { 1, 1, 1, 1 }, false },
		{ "weights:4,9,1,1000000", { 4, 9, 1, 1000000 }, false },
		{ "zipf:0.5", { 1000000, 707107, 577350, 500000 }, true },
	};

	for (size_t i = 0; i < WS_COUNT(laws); i++) {
		struct ws_line_law law = { 0 };

		test_ok(!ws_line_law_parse(&law, laws[i].text, 4, NULL) && !law.loop &&
			law.rounded == laws[i].rounded &&
			!memcmp(law.weight, laws[i].weight, sizeof laws[i].weight), "%s",
			laws[i].text);
	}
}

/* Where states are too many for a fraction, its bounds hold what simulation counts. */
static void check_bounds(const char *policy, unsigned lines)
{
	struct ws_chain_result r = { 0 };
	struct ws_chain_beside beside = { 0 };
	struct ws_line_law law;

	if (!test_ok(!ws_line_law_parse(&law, "zipf:1", lines, NULL) &&
		     !ws_chain_solve(&r, policy, 3, &law, NULL) &&
		     !ws_chain_beside(&beside, policy, 3, &law, 1, NULL), "many states"))
		return;
	test_ok(!r.fraction && r.joined > WS_CHAIN_SOLVED && r.low <= r.high &&
		r.high - r.low < NEAR, "%s: %zu states, %.12f to %.12f", policy, r.joined, r.low,
		r.high);
	test_ok(fabs(beside.simulated - r.ratio) < 6 * beside.standard_error,
		"simulated: %.6f +- %.6f", beside.simulated, beside.standard_error);
	ws_chain_result_clear(&r);
}

static void as_simulated(const char *policy, const struct ws_line_law *law)
{
	struct ws_chain_beside beside = { 0 };
	struct ws_chain_result r = { 0 };
	bool solved = !ws_chain_solve(&r, policy, 2, law, NULL) &&
		      !ws_chain_beside(&beside, policy, 2, law, 20240229, NULL);

	test_ok(solved && fabs(beside.simulated - r.ratio) < 4 * beside.standard_error + 1e-9,
		"%s: solved %.6f, simulated %.6f, standard error %.6f", policy, r.ratio,
		beside.simulated, beside.standard_error);
	ws_chain_result_clear(&r);
}

/* Every policy has a chain, which its simulation agrees with, or says why not. */
static void check_all(void)
{
	static const char *const more[] = {
		"prob:1,2", "lfu-age:3", "srrip:2,fp", "brrip:1/4", "bip:1/4",
	};
	struct ws_line_law law;

	test_ok(!ws_line_law_parse(&law, "weights:8,5,4,1", 4, NULL), "a law");
	for (size_t i = 0; ws_policies[i]; i++) {
		struct ws_use use;

		if (!ws_policies[i]->settle)
			test_ok(ws_policies[i]->endless != NULL, "%s has no chain, and says why",
				ws_policies[i]->name);
		else if (!ws_use_parse(&use, ws_policies[i]->name, NULL) &&
			 strcmp(ws_policies[i]->name, "lfu-age") != 0)
			as_simulated(ws_policies[i]->name, &law);
	}
	for (size_t i = 0; i < WS_COUNT(more); i++)
		as_simulated(more[i], &law);
}

/* The same, of chains small enough for both. */
static void check_bracket(void)
{
	static const char *const policies[] = { "fifo", "plru", "brrip", "clock" };

	for (size_t i = 0; i < WS_COUNT(policies); i++) {
		struct ws_markov built, joined;
		double low = 0, high = 0, want = ratio_of(policies[i], 2, "zipf:1", 4);
		struct ws_line_law law;

		if (ws_line_law_parse(&law, "zipf:1", 4, NULL))
			abort();
		test_ok(!ws_markov_build(&built, policies[i], 2, &law, NULL) &&
			!ws_markov_join(&joined, &built, NULL) &&
			!ws_markov_bracket(&joined, &low, &high, NULL) && low - NEAR < want &&
			want < high + NEAR && high - low < NEAR, "%s: %.12f in %.12f to %.12f",
			policies[i], want, low, high);
		ws_markov_clear(&built);
		ws_markov_clear(&joined);
	}
}

static void refuse(const char *policy, unsigned ways, const char *text, unsigned lines,
		   const char *what)
{
	struct ws_chain_result r = { 0 };
	struct ws_err err = { 0 };
	struct ws_line_law law;
	bool failed = ws_line_law_parse(&law, text, lines, &err) == WS_EINVAL ||
		      ws_chain_solve(&r, policy, ways, &law, &err) == WS_EINVAL;

	test_ok(failed && strstr(err.text, what), "%s, %u ways, %u lines, %s: %s", policy, ways,
		lines, text, err.text);
	ws_chain_result_clear(&r);
}

static void check_refusals(void)
{
	refuse("lfu", 4, "uniform", 6, "policy lfu has no chain: it counts uses without an end");
	refuse("opt", 4, "uniform", 6, "looks ahead");
	refuse("ship-pc", 4, "uniform", 6, "learns of instructions");
	refuse("lru", 17, "uniform", 20, "want 1 to 16");
	refuse("lru", 4, "uniform", 65, "65 lines: want 1 to 64");
	refuse("srrip", 8, "zipf:1", 40, "want fewer ways or lines");
	refuse("lfu-age", 8, "zipf:1", 20, "want fewer ways or lines");
	refuse("lru", 4, "zipf:9", 6, "want an exponent");
	refuse("lru", 4, "zipf:8", 60, "less often");
	refuse("lru", 4, "weights:1,2", 3, "2 weights for 3 lines");
	refuse("lru", 4, "weights:1,0,1", 3, "\"0\" is no weight");
	refuse("lru", 4, "poisson", 3, "no law of references");
	refuse("prob:1,2", 4, "uniform", 6, "2 weights for 4 ways");
	refuse("prob:0.123456789,1.23456789,3.3333337", 3, "weights:999983,999979,999961,7", 4,
	       "2^53");
}

/* The fraction a double was meant as. */
static void check_fractions(void)
{
	static const struct {
		double value;
		const char *text;
	} cases_of[] = { { 1.0 / 32, "1/32" }, { 0.05, "1/20" }, { 1.0 / 6, "1/6" }, { 2, "2" },
			 { 0.3, "3/10" }, { 0, "0" }, { 2.0 / 7, "2/7" } };
	mpq_t out;

	mpq_init(out);
	for (size_t i = 0; i < WS_COUNT(cases_of); i++) {
		char *text;

		ws_chain_fraction(out, cases_of[i].value);
		text = mpq_get_str(NULL, 10, out);
		test_ok(strcmp(text, cases_of[i].text) == 0, "%.17g is %s: %s", cases_of[i].value,
			cases_of[i].text, text);
		free(text);
	}
	mpq_clear(out);
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
	check_king();
	check_known();
	check_same();
	check_laws();
	check_all();
	check_bounds("srrip", 6);	/* by sweeps; */
	check_bounds("brrip", 5);	/* by GMRES */
	check_bracket();
	check_refusals();
	check_fractions();
	return test_done();
}
