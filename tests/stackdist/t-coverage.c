/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/stackdist/t-coverage.c -- how often a sample's interval of 95 % covers the truth: of many
 * streams drawn anew, each sampled with a seed of its own.  The trials are independent, so their
 * number is binomial; with half of the variance, or twice as much, it is not within the bound.
 *
 * Each stream has one source of error at the size that is looked at, so that each part of the
 * variance is measured alone: what differs between bursts, and which lines were chosen.  Where
 * distances lie near the size, intervals are wider than that on purpose (sample.h).
 */
#include <gsl/gsl_cdf.h>

#include "tests/stackdist/sampled.h"
#include "trace/capture/confine.h"

/* A sanitizer sees in a hundred trials what it sees in a thousand, which other builds judge. */
#define TRIALS (WS_SANITIZED ? 100u : 1000u)
#define CHANCE 1e-6	/* that the test fails although all is right, on either side */

static struct ws_request stream[60000];

struct coverage {
	const char *name;
	void (*draw)(struct ws_request *r, size_t count, struct ws_rng *rng);
	size_t count;		/* requests */
	uint64_t burst, lines;	/* lines: the size looked at */
	double rate;
};

static void ask(struct ws_request *r, uint64_t line)
{
	*r = (struct ws_request){ .address = line * 128, .sectors = 15 };
}

/* Young requests: half of them to few lines, at random times. */
static void draw_young(struct ws_request *r, size_t count, struct ws_rng *rng)
{
	for (size_t i = 0; i < count; i++)
		ask(r + i, ws_rng_below(rng, 2) ? ws_rng_below(rng, 2000) : ws_rng_below(rng, 64));
}

/* Phases of random lengths, some `mean` requests, in which a few lines are asked for often, or
 * seldom. */
static void draw_phases(struct ws_request *r, size_t count, struct ws_rng *rng, uint64_t mean)
{
	uint64_t left = 0, often = 0;

	for (size_t i = 0; i < count; i++, left--) {
		if (!left) {
			often = 1 + ws_rng_below(rng, 9);
			left = mean / 2 + ws_rng_below(rng, mean);
		}
		ask(r + i, ws_rng_below(rng, 10) < often ? ws_rng_below(rng, 16)
							 : 64 + ws_rng_below(rng, 2000));
	}
}

/* Two bursts long, and less than a period: what a burst sees is not what its period has. */
static void draw_short_phases(struct ws_request *r, size_t count, struct ws_rng *rng)
{
	draw_phases(r, count, rng, 1000);
}

static void draw_long_phases(struct ws_request *r, size_t count, struct ws_rng *rng)
{
	draw_phases(r, count, rng, 2000);
}

/* Old requests: a third to lines of 1000 that are asked for again and again, unequally often; the
 * others each to a line that is never asked for again. */
static void draw_old(struct ws_request *r, size_t count, struct ws_rng *rng)
{
	uint64_t place[1000];

	for (unsigned i = 0; i < 1000; i++)
		place[i] = ws_rng_below(rng, UINT64_C(1) << 40);
	for (size_t i = 0; i < count; i++) {
		uint64_t known = place[(i / 3) % (250 + 750 * (i / 3000 % 2))];

		ask(r + i, i % 3 ? ws_rng_below(rng, UINT64_C(1) << 40) : known);
	}
}

/* Distances of `size` and more, and first references. */
static uint64_t exact_misses(const struct coverage *c)
{
	static uint32_t d[WS_COUNT(stream)];
	struct ws_cache cache = sampled_cache(1);
	struct ws_stack *s = NULL;
	uint64_t misses = 0;
	bool ok = !ws_stack_new(&s, &cache, 1, NULL) &&
		  !ws_stack_push(s, stream, c->count, d, NULL);

	ws_stack_free(s);
	for (size_t i = 0; i < c->count && ok; i++)
		misses += d[i] >= c->lines;
	return misses;
}

/* inside[k]: intervals that cover the truth, of half the variance, of all of it, of twice as
 * much. */
static bool run_trial(const struct coverage *c, struct ws_rng *rng, unsigned inside[3])
{
	static const double scale[3] = { 0.5, 1, 2 };
	struct ws_cache cache = sampled_cache(1);
	struct sampled_run run;
	double off, variance;

	c->draw(stream, c->count, rng);
	if (!sampled_run_burst(&run, &cache, stream, c->count, 1, c->rate, 0, ws_rng_u64(rng),
			       c->burst))
		return false;
	off = (double)sampled_misses(&run.kind[0][WS_LOAD], c->lines) - (double)exact_misses(c);
	variance = (double)sampled_variance(&run.kind[0][WS_LOAD], c->lines);
	for (unsigned k = 0; k < 3; k++)
		inside[k] += fabs(off) <= 1.96 * sqrt(scale[k] * variance) + 0.5;
	sampled_clear(&run);
	return true;
}

static void measure(const struct coverage *c, uint64_t seed)
{
	unsigned inside[3] = { 0 }, least = 0, most = TRIALS;
	struct ws_rng rng;
	bool ok = true;

	ws_rng_seed(&rng, seed);
	for (unsigned trial = 0; trial < TRIALS && ok; trial++)
		ok = run_trial(c, &rng, inside);
	while (gsl_cdf_binomial_P(least, 0.95, TRIALS) < CHANCE)
		least++;
	while (gsl_cdf_binomial_Q(most - 1, 0.95, TRIALS) < CHANCE)
		most--;
	test_ok(ok && inside[1] >= least && inside[1] <= most,
		"%s: %u of %u intervals cover the truth, want %u to %u", c->name, inside[1], TRIALS,
		least, most);
	if (WS_SANITIZED)
		return;
	test_ok(ok && inside[0] < least, "%s: with half the variance %u", c->name, inside[0]);
	test_ok(ok && inside[2] > most, "%s: with twice the variance %u", c->name, inside[2]);
}

int main(void)
{
	static const struct coverage young = { "bursts", draw_young, 60000, 512, 32, 0.1 };
	static const struct coverage old = { "chosen lines", draw_old, 20000, 512, 8192, 0.25 };
	static const struct coverage brief = { "short phases", draw_short_phases, 60000, 512, 32,
					       0.1 };
	static const struct coverage lasting = { "long phases", draw_long_phases, 60000, 512, 32,
						 0.1 };
	uint64_t seed = test_seed(1);

	measure(&young, seed);
	measure(&old, seed);
	measure(&brief, seed);
	measure(&lasting, seed);
	return test_done();
}
