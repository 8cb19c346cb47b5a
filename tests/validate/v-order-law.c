/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/validate/v-order-law.c -- how far off a miss ratio is that was measured in another L1's
 * order of requests: fits the law and says what it covers.
 *
 *   v-order-law [--kind all] [--worst N] [--swap] [--what-ifs FILE] validate/order-law.csv
 *
 * A profile's order is that of a simulation with one L1, the anchor A.  Asked about another L1, G,
 * it answers e, LRU's misses of G in A's order; t is LRU's in the order of a simulation with just
 * G, c what that simulation counted.  The law says how far t may be from e, from what the profile
 * knows:
 *
 *   d   |e(G) - e(GA)|, GA being A's own L1: how differently the two behave in the same order
 *   g   e of as many sets and half the ways, less e of twice the ways: how steep the curve is at G
 *   s   the largest |e - e in another anchor's order|, where there are several (A is the nearest)
 *   m   sqrt((e - cold) * (1 - e)): how far e is from where no order can move it
 *   n   1 - cold: what is not cold
 *
 *   single    one anchor, A               half width = a0 n + a1 sqrt(g d)
 *   spread    A/4 ... 4A, factors of 2    half width = a0 n + a1 sqrt(g d) + a2 s
 *   nominal   the nominal order           half width = a0 n + a1 m
 *   policy    another policy in LRU's order; d is to LRU's e
 *   keys      keys that the simulation was not told; d is to e without the key
 *             both: half width = a0 n + a1 sqrt(m d)
 *   l2        L2 behind another policy's L1s, e being that behind LRU's with the cold misses over
 *             the requests behind that policy's, whose share f is fewer or more
 *             half width = a0 + a1 f
 *
 * Coefficients are the least pinball loss at TAU on the rows of the kernels in dev[], all kernels
 * weighing the same; the expected error has the same form, fitted as the mean of an exponential
 * distribution.  Coverage is that of the other kernels, which had no part in the choice of the form
 * either: their rows were made after it.  --swap fits on those, and says what that covers of dev[].
 */
#include <gsl/gsl_multimin.h>

#include "tests/validate/order_law.h"

#define TAU 0.975	/* the interval is one of 95 %; the rest is for kernels not seen */
#define FLOOR 0.001	/* of a0, in the half width: nothing but the anchor itself is certain */
#define TERMS 3u

struct row {			/* of a law */
	const struct line *line;
	unsigned anchor;
	bool fit;		/* of a kernel in dev[] */
	double e, error, counted, term[TERMS], weight, half, expected;
};

struct law {
	const char *name;
	unsigned terms;
	const char *term[TERMS];
	struct row *row;
	size_t rows, room;
	double half[TERMS], expected[TERMS];
};

/* ---- features ------------------------------------------------------------------------- */

static double steep(const struct line *l, unsigned a)
{
	const struct line *half = l->ways > 1 ? with(l, l->sets, l->ways / 2) : NULL;
	const struct line *twice = with(l, l->sets, 2 * l->ways);

	return (half ? half->e[a] : 1) - (twice ? twice->e[a] : l->cold);
}

static double movable(double e, double cold)
{
	return e > cold ? sqrt((e - cold) * (1 - e)) : 0;
}

static struct row *add(struct law *law, const struct line *l, double e, double t)
{
	struct row *r;

	law->row = grown(law->row, law->rows, sizeof *r);
	r = &law->row[law->rows++];
	*r = (struct row){ .line = l, .fit = all.fit[l->family], .e = e, .error = fabs(t - e),
			    .counted = fabs(l->c - e) };
	return r;
}

static bool in_group(unsigned a, unsigned middle) /* middle / 4 ... middle * 4, factors of 2 */
{
	return anchor[a] == middle || anchor[a] * 2 == middle || anchor[a] * 4 == middle ||
	       anchor[a] == middle * 2 || anchor[a] == middle * 4;
}

static double distance(const struct line *l, unsigned a)
{
	return fabs(log2(size(l) / anchor[a]));
}

/* The anchor nearest to l of those around `middle`, or 0. */
static unsigned nearest(const struct line *l, unsigned middle)
{
	unsigned best = 0;

	for (unsigned a = 1; a < ORDERS; a++)
		if (in_group(a, middle) && !isnan(l->e[a]) &&
		    (!best || distance(l, a) < distance(l, best)))
			best = a;
	return best;
}

static double spread(const struct line *l, unsigned a, unsigned middle)
{
	double s = 0;

	for (unsigned b = 1; b < ORDERS; b++)
		if (in_group(b, middle) && !isnan(l->e[b]))
			s = fmax(s, fabs(l->e[b] - l->e[a]));
	return s;
}

static void add_anchored(struct law *law, const struct line *l, unsigned a, unsigned middle)
{
	const struct line *at = own(l, a);
	struct row *r;

	if (isnan(l->e[a]) || !at || at == l || isnan(at->t))
		return;
	r = add(law, l, l->e[a], l->t);
	r->anchor = a;
	r->term[0] = 1 - l->cold;
	r->term[1] = sqrt(fmax(0, steep(l, a)) * fabs(l->e[a] - at->e[a]));
	if (middle)
		r->term[2] = spread(l, a, middle);
}

static void add_line(struct law *single, struct law *several, struct law *nominal,
		     const struct line *l)
{
	static const unsigned middles[] = { 16, 32, 96 };
	struct row *r;

	for (unsigned a = 1; a < ORDERS; a++)
		add_anchored(single, l, a, 0);
	for (unsigned i = 0; i < (volta(l) ? 3u : 2u); i++)
		add_anchored(several, l, nearest(l, middles[i]), middles[i]);
	r = add(nominal, l, l->e[0], l->t);
	r->term[0] = 1 - l->cold;
	r->term[1] = movable(l->e[0], l->cold);
}

/* ---- the fit -------------------------------------------------------------------------- */

struct fit {
	const struct law *law;
	bool mean;
};

static double applied(const double *c, const struct row *r, unsigned terms)
{
	double h = 0;

	for (unsigned k = 0; k < terms; k++)
		h += c[k] * r->term[k];
	return h;
}

/* Coefficients are squares of what is searched for, so that none is negative. */
static void squared(const struct fit *f, const gsl_vector *x, double *c)
{
	for (unsigned k = 0; k < f->law->terms; k++) {
		double root = gsl_vector_get(x, k);

		c[k] = root * root + (k == 0 && !f->mean ? FLOOR : 0);
	}
}

static double loss(const gsl_vector *x, void *context)
{
	const struct fit *f = context;
	double c[TERMS], sum = 0;

	squared(f, x, c);
	for (const struct row *r = f->law->row; r < f->law->row + f->law->rows; r++) {
		double h = applied(c, r, f->law->terms), over = r->error - h;

		if (!r->fit)
			continue;
		if (f->mean)
			sum += r->weight * (r->error / (h + 1e-4) + log(h + 1e-4));
		else
			sum += r->weight * (over > 0 ? TAU : TAU - 1) * over * 100;
	}
	return sum;
}

static void fitted(const struct law *law, bool mean, double *c)
{
	struct fit f = { .law = law, .mean = mean };
	gsl_multimin_function target = { .f = loss, .n = law->terms, .params = &f };
	gsl_multimin_fminimizer *search =
		gsl_multimin_fminimizer_alloc(gsl_multimin_fminimizer_nmsimplex2, law->terms);
	gsl_vector *x = gsl_vector_alloc(law->terms), *step = gsl_vector_alloc(law->terms);
	double best = (double)INFINITY;

	for (unsigned start = 0; start < 4; start++) {
		gsl_vector_set_all(x, 0.2 + 0.2 * start);
		gsl_vector_set_all(step, 0.2);
		gsl_multimin_fminimizer_set(search, &target, x, step);
		for (unsigned i = 0; i < 400 && !gsl_multimin_fminimizer_iterate(search) &&
				     gsl_multimin_fminimizer_size(search) > 1e-4; i++)
			;
		if (search->fval < best) {
			best = search->fval;
			squared(&f, search->x, c);
		}
	}
	gsl_multimin_fminimizer_free(search);
	gsl_vector_free(x);
	gsl_vector_free(step);
}

static void fit(struct law *law)
{
	size_t n[KERNELS] = { 0 };

	for (size_t i = 0; i < law->rows; i++)
		n[law->row[i].line->family]++;
	for (size_t i = 0; i < law->rows; i++)
		law->row[i].weight = 1.0 / (double)n[law->row[i].line->family];
	fitted(law, false, law->half);
	fitted(law, true, law->expected);
	for (size_t i = 0; i < law->rows; i++) {
		struct row *r = &law->row[i];

		r->half = fmin(1, applied(law->half, r, law->terms));
		r->expected = fmin(1, applied(law->expected, r, law->terms));
	}
}

/* ---- what it covers ------------------------------------------------------------------- */

struct tally {
	double rows, covered, counted, inexact, inexact_covered, half, expected, error, most;
};

static void count(struct tally *t, const struct row *r, double weight)
{
	bool covered = r->error <= r->half + 1e-9;

	t->rows += weight;
	t->covered += weight * covered;
	t->counted += isnan(r->counted) ? (double)NAN : weight * (r->counted <= r->half + 1e-9);
	t->inexact += weight * (r->error > 0);
	t->inexact_covered += weight * (covered && r->error > 0);
	t->half += weight * r->half;
	t->expected += weight * r->expected;
	t->error += weight * r->error;
	t->most = fmax(t->most, r->error);
}

static void print(const char *what, const struct tally *t, double n)
{
	if (n == 0)
		return;
	printf("  %-24s rows %6.0f  within %6.2f%% (of those not exact, %5.1f%%: %6.2f%%; c "
	       "%6.2f%%)  half width %6.3f  error %.3f, expected %.3f, most %.2f\n",
	       what, n, 100 * t->covered / t->rows, 100 * t->inexact / t->rows,
	       t->inexact > 0 ? 100 * t->inexact_covered / t->inexact : 100,
	       100 * t->counted / t->rows, 100 * t->half / t->rows,
	       100 * t->error / t->rows, 100 * t->expected / t->rows, 100 * t->most);
}

/* Rows of the kernels that were not fitted for which `of` says class k. */
static void by(const struct law *law, const char *what, unsigned classes,
	       int (*of)(const struct row *))
{
	for (unsigned k = 0; k < classes; k++) {
		struct tally t = { 0 };
		char name[40];

		for (size_t i = 0; i < law->rows; i++)
			if (!law->row[i].fit && of(&law->row[i]) == (int)k)
				count(&t, &law->row[i], 1);
		snprintf(name, sizeof name, "%s %u", what, k);
		print(name, &t, t.rows);
	}
}

static int octaves(const struct row *r)
{
	return (int)floor(distance(r->line, r->anchor) + 0.5);
}

static int log_ways(const struct row *r)
{
	return (int)log2(r->line->ways);
}

static int width_class(const struct row *r)
{
	static const double limit[] = { 0.0025, 0.01, 0.03, 0.1, 0.3 };
	int k = 0;

	while (k < 5 && r->half > limit[k])
		k++;
	return k;
}

static int which_machine(const struct row *r)
{
	return volta(r->line);
}

static int furthest_out(const void *x, const void *y)
{
	const struct row *a = x, *b = y;
	double p = a->error - a->half, q = b->error - b->half;

	return (p < q) - (p > q);
}

/* Rows of other kernels that are sure enough by each limit of the half width, and the rest. */
static void confidence(const struct law *law)
{
	static const double limit[] = { 0.01, 0.02, 0.03, 0.05, 0.1 };

	for (unsigned k = 0; k < sizeof limit / sizeof *limit; k++) {
		double n[2] = { 0 }, error[2] = { 0 }, most[2] = { 0 }, past = 0;

		for (size_t i = 0; i < law->rows; i++) {
			const struct row *r = &law->row[i];
			bool low = r->half > limit[k];

			if (r->fit)
				continue;
			n[low]++;
			error[low] += r->error;
			most[low] = fmax(most[low], r->error);
			past += !low && r->error > limit[k];
		}
		if (n[0] + n[1] == 0)
			return;
		printf("  low above %4.0f points: %4.1f%% of rows are, error %.3f, most %.2f; of "
		       "the rest %.3f, most %.2f, %.2f%% past the limit\n",
		       100 * limit[k], 100 * n[1] / (n[0] + n[1]), 100 * error[1] / fmax(1, n[1]),
		       100 * most[1], 100 * error[0] / fmax(1, n[0]), 100 * most[0],
		       100 * past / fmax(1, n[0]));
	}
}

static void report(struct law *law, unsigned worst)
{
	if (!law->rows)
		return;
	fit(law);
	printf("%s\n  half width =", law->name);
	for (unsigned k = 0; k < law->terms; k++)
		printf("%s %.4f %s", k ? " +" : "", law->half[k], law->term[k]);
	printf("\n  expected   =");
	for (unsigned k = 0; k < law->terms; k++)
		printf("%s %.4f %s", k ? " +" : "", law->expected[k], law->term[k]);
	putchar('\n');
	for (int fitted_on = 1; fitted_on >= 0; fitted_on--) {
		struct tally rows = { 0 }, kernels = { 0 };
		size_t n = 0;

		for (size_t i = 0; i < law->rows; i++)
			if (law->row[i].fit == fitted_on) {
				count(&rows, &law->row[i], 1);
				count(&kernels, &law->row[i], law->row[i].weight);
				n++;
			}
		print(fitted_on ? "fitted" : "others", &rows, (double)n);
		print(fitted_on ? "fitted, by kernel" : "others, by kernel", &kernels, (double)n);
	}
	confidence(law);
	by(law, "machine", 2, which_machine);
	if (law->row[0].anchor)
		by(law, "octaves", 7, octaves);
	by(law, "log2 ways", 9, log_ways);
	by(law, "width class", 6, width_class);
	for (unsigned f = 0; f < all.families; f++) {
		struct tally t = { 0 };

		for (size_t i = 0; i < law->rows; i++)
			if (law->row[i].line->family == f)
				count(&t, &law->row[i], 1);
		if (!all.fit[f])
			print(all.family[f], &t, t.rows);
	}
	qsort(law->row, law->rows, sizeof *law->row, furthest_out);
	for (size_t i = 0; i < law->rows && worst; i++) {
		const struct row *r = &law->row[i];

		if (r->fit)
			continue;
		printf("  out by %6.2f: %s %s %s, anchor %u KB, %u x %u, e %.4f, error %.2f, half "
		       "width %.2f\n",
		       100 * (r->error - r->half), r->line->file, r->line->machine, r->line->kernel,
		       anchor[r->anchor], r->line->sets, r->line->ways, r->e, 100 * r->error,
		       100 * r->half);
		worst--;
	}
}

/* ---- the errors themselves ------------------------------------------------------------ */

struct sample {
	double *value;
	size_t n;
};

static void put(struct sample *s, double value)
{
	s->value = grown(s->value, s->n, sizeof *s->value);
	s->value[s->n++] = value;
}

static int ascending(const void *x, const void *y)
{
	double a = *(const double *)x, b = *(const double *)y;

	return (a > b) - (a < b);
}

/* Prints and empties it. */
static void say(struct sample *s, const char *what, const char *machine)
{
	double sum = 0;
	size_t exact = 0;

	if (s->n) {
		qsort(s->value, s->n, sizeof *s->value, ascending);
		for (size_t i = 0; i < s->n; i++) {
			sum += s->value[i];
			exact += s->value[i] == 0;
		}
		printf("  %-46s %-7s rows %6zu  mean %6.3f  95%% %6.3f  99%% %6.3f  most %6.2f  "
		       "exact %5.1f%%\n", what, machine, s->n, 100 * sum / (double)s->n,
		       100 * s->value[s->n * 95 / 100], 100 * s->value[s->n * 99 / 100],
		       100 * s->value[s->n - 1], 100.0 * (double)exact / (double)s->n);
	}
	free(s->value);
	*s = (struct sample){ 0 };
}

#define LINES(l, v) \
	for (const struct line *l = all.line; l < all.line + all.lines; l++) \
		if (!isnan(l->t) && volta(l) == (v))

static bool machines_ways(const struct line *l) /* what l1.size alone makes */
{
	return volta(l) ? l->sets == 4 : l->ways == 4;
}

/* The anchor of the size `factor` times l's, or 0. */
static unsigned sized(const struct line *l, double factor)
{
	for (unsigned a = 1; a < ORDERS; a++)
		if (anchor[a] == size(l) * factor && !isnan(l->e[a]))
			return a;
	return 0;
}

static void errors_of(bool v)
{
	const char *machine = v ? "v100" : "gtx480";
	const unsigned itself = v ? 8 : 3; /* 96 KB, 16 KB */
	struct sample s = { 0 };
	char what[80];

	LINES(l, v)
		if (sized(l, 1) && own(l, sized(l, 1)) != l)
			put(&s, fabs(l->t - l->e[sized(l, 1)]));
	say(&s, "anchor of the same size, other ways", machine);
	for (int anyhow = 0; anyhow < 2; anyhow++) {
		const char *ways = anyhow ? "any ways" : "machine's ways";

		for (int k = -3; k <= 3; k++) {
			LINES(l, v) {
				unsigned a = sized(l, pow(2, k));

				if (a && (anyhow || machines_ways(l)) && own(l, a) != l)
					put(&s, fabs(l->t - l->e[a]));
			}
			snprintf(what, sizeof what, "anchor of %g times the size, %s", pow(2, k),
				 ways);
			say(&s, what, machine);
		}
		LINES(l, v)
			if ((anyhow || machines_ways(l)) && own(l, itself) != l)
				put(&s, fabs(l->t - l->e[itself]));
		snprintf(what, sizeof what, "the machine's own L1 as anchor, %s", ways);
		say(&s, what, machine);
		LINES(l, v) {
			unsigned a = nearest(l, anchor[itself]);

			if ((anyhow || machines_ways(l)) && own(l, itself) != l)
				put(&s, fabs(l->t - l->e[a]));
		}
		snprintf(what, sizeof what, "the nearest of five, %s", ways);
		say(&s, what, machine);
		LINES(l, v)
			if (anyhow || machines_ways(l))
				put(&s, fabs(l->t - l->e[0]));
		snprintf(what, sizeof what, "the nominal order, %s", ways);
		say(&s, what, machine);
		LINES(l, v)
			if (anyhow || machines_ways(l))
				put(&s, fabs(l->c - l->t));
		snprintf(what, sizeof what, "counted, in its own order, %s", ways);
		say(&s, what, machine);
	}
	for (unsigned w = 1; w <= 32; w *= 2) {
		LINES(l, v)
			if (l->ways == w)
				put(&s, fabs(l->c - l->t));
		snprintf(what, sizeof what, "counted, in its own order, %u ways", w);
		say(&s, what, machine);
	}
	for (unsigned k = 4; k <= 128; k *= 2) {
		LINES(l, v)
			if (size(l) == k)
				put(&s, fabs(l->c - l->t));
		snprintf(what, sizeof what, "counted, in its own order, %u KB", k);
		say(&s, what, machine);
	}
	for (unsigned k = 0; k < 5; k++) {
		static const double limit[] = { -1, 0, 1e-4, 1e-3, 1e-2, 1 };

		LINES(l, v) {
			const struct line *at = own(l, itself);
			double u = at ? fabs(at->c - at->t) : (double)NAN;

			if (at && at != l && u > limit[k] && u <= limit[k + 1])
				put(&s, fabs(l->c - l->t));
		}
		snprintf(what, sizeof what, "counted, where at the anchor it is <= %g",
			 limit[k + 1]);
		say(&s, what, machine);
	}
}

static double all_agree(const struct line *l, unsigned a, unsigned middle)
{
	return spread(l, a, middle);
}

static double is_flat(const struct line *l, unsigned a, unsigned middle)
{
	(void)middle;
	return steep(l, a);
}

static double both(const struct line *l, unsigned a, unsigned middle)
{
	return fmax(spread(l, a, middle), steep(l, a));
}

static double is_anchors(const struct line *l, unsigned a, unsigned middle)
{
	(void)middle;
	return own(l, a) ? fabs(l->e[a] - own(l, a)->e[a]) : (double)NAN;
}

static double agree_and_is_anchors(const struct line *l, unsigned a, unsigned middle)
{
	return fmax(spread(l, a, middle), is_anchors(l, a, middle));
}

static void certificates(bool v)
{
	static const struct {
		const char *what;
		double (*of)(const struct line *, unsigned, unsigned);
	} sign[] = { { "s", all_agree },
		     { "g", is_flat },
		     { "max(s, g)", both },
		     { "d", is_anchors },
		     { "max(s, d)", agree_and_is_anchors } };
	static const double limit[] = { -1, 0, 1e-4, 1e-3, 1e-2, 1 };
	struct sample s = { 0 };
	char what[80];

	for (unsigned i = 0; i < sizeof sign / sizeof *sign; i++)
		for (unsigned k = 0; k < 5; k++) {
			LINES(l, v) {
				unsigned middle = v ? 96 : 16, a = nearest(l, middle);
				double x = sign[i].of(l, a, middle);

				if (own(l, a) != l && x > limit[k] && x <= limit[k + 1])
					put(&s, fabs(l->t - l->e[a]));
			}
			snprintf(what, sizeof what, "nearest of five, %s <= %g", sign[i].what,
				 limit[k + 1]);
			say(&s, what, v ? "v100" : "gtx480");
		}
}

/* ---- what-ifs ------------------------------------------------------------------------- */

#define WHAT_FIELDS 16u

enum { POLICY, KEYS, L2, L2_NOMINAL, WHAT_IFS };

static struct law *what_if(struct law *law, const char *what, const char *asked)
{
	if (!strcmp(what, "policy"))
		return &law[POLICY];
	if (!strcmp(what, "keys"))
		return &law[KEYS];
	if (strcmp(what, "l2") != 0 || !strcmp(asked, "lru"))
		return NULL;
	return &law[strcmp(asked, "nominal") ? L2 : L2_NOMINAL];
}

static void add_what_if(struct law *law, char **field, const char *kind)
{
	struct law *to = what_if(law, field[4], field[6]);
	double requests, e, t_requests, cold;
	struct line *l;
	struct row *r;

	if (!to || strcmp(field[3], kind))
		return;
	l = calloc(1, sizeof *l); /* lives as long as the program */
	if (!l)
		die("out of memory", field[0]);
	snprintf(l->file, sizeof l->file, "%s", field[0]);
	snprintf(l->machine, sizeof l->machine, "%s", field[1]);
	snprintf(l->kernel, sizeof l->kernel, "%.15s:%.15s:%.10s", field[2], field[6], field[5]);
	l->family = family(field[0]);
	l->sets = l->ways = 1;
	requests = strtod(field[9], NULL);
	t_requests = strtod(field[12], NULL);
	if (requests == 0 || t_requests == 0)
		return;
	l->c = ratio(field[15], strtod(field[14], NULL));
	cold = ratio(field[10], requests);
	e = ratio(field[11], requests);
	if (to == &law[L2]) { /* cold misses stay as many, others are the same share of requests */
		e = fmin(1, e - cold + cold * requests / t_requests);
		cold = fmin(1, cold * requests / t_requests);
	}
	r = add(to, l, e, ratio(field[13], t_requests));
	r->term[0] = to == &law[L2] ? 1 : 1 - cold;
	if (to == &law[L2])
		r->term[1] = fabs(1 - requests / t_requests);
	else if (to == &law[L2_NOMINAL])
		r->term[1] = movable(e, cold);
	else
		r->term[1] = sqrt(movable(e, cold) *
				  fabs(e - ratio(field[8], strtod(field[7], NULL))));
}

static void read_what_ifs(const char *name, const char *kind, struct law *law)
{
	char text[1024], *field[WHAT_FIELDS];
	FILE *file = opened(name);

	if (!fgets(text, sizeof text, file))
		die("empty", name);
	while (fgets(text, sizeof text, file)) {
		if (split(text, field, WHAT_FIELDS) != WHAT_FIELDS)
			die("too few fields", name);
		add_what_if(law, field, kind);
	}
	fclose(file);
}

int main(int argc, char **argv)
{
	struct law single = { .name = "single", .terms = 2, .term = { "n", "sqrt(g d)" } };
	struct law several = { .name = "spread", .terms = 3, .term = { "n", "sqrt(g d)", "s" } };
	struct law nominal = { .name = "nominal", .terms = 2, .term = { "n", "m" } };
	struct law if_[WHAT_IFS] = {
		[POLICY] = { .name = "policy", .terms = 2, .term = { "n", "sqrt(m d)" } },
		[KEYS] = { .name = "keys", .terms = 2, .term = { "n", "sqrt(m d)" } },
		[L2] = { .name = "l2", .terms = 2, .term = { "1", "f" } },
		[L2_NOMINAL] = { .name = "l2, nominal", .terms = 2, .term = { "n", "m" } },
	};
	const char *kind = "load", *what_ifs = NULL, *name = NULL;
	unsigned worst = 0;
	bool swap = false;

	for (int i = 1; i < argc; i++) {
		if (!strcmp(argv[i], "--kind") && i + 1 < argc)
			kind = argv[++i];
		else if (!strcmp(argv[i], "--worst") && i + 1 < argc)
			worst = (unsigned)strtoul(argv[++i], NULL, 10);
		else if (!strcmp(argv[i], "--swap"))
			swap = true;
		else if (!strcmp(argv[i], "--what-ifs") && i + 1 < argc)
			what_ifs = argv[++i];
		else
			name = argv[i];
	}
	if (!name) {
		fputs("usage: v-order-law [--kind all] [--worst N] [--swap] [--what-ifs FILE] "
		      "FILE\n",
		      stderr);
		return 2;
	}
	read_lines(name, kind);
	for (unsigned f = 0; swap && f < all.families; f++)
		all.fit[f] = !all.fit[f];
	for (const struct line *l = all.line; l < all.line + all.lines; l++)
		if (!isnan(l->t))
			add_line(&single, &several, &nominal, l);
	puts("errors");
	errors_of(false);
	errors_of(true);
	certificates(false);
	certificates(true);
	if (what_ifs)
		read_what_ifs(what_ifs, kind, if_);
	report(&single, worst);
	report(&several, worst);
	report(&nominal, worst);
	for (unsigned i = 0; i < WHAT_IFS; i++)
		report(&if_[i], worst);
	return 0;
}
