/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * model/solve/duel.c -- set duelling: leader sets, and followers of the better policy.
 *
 * Of S sets, some always insert as the one policy and some as the other (policy/duel.h).  The rest
 * follow the counter, that is, the policy whose leaders miss less:
 *
 *   hit = (plain leaders * plain + bimodal leaders * bimodal) / S + followers / S *
 *         ((1 - slow) * better + slow * worse)
 *
 * slow: the counter begins on the bimodal side, and reacts late when a kernel changes.  A single
 * set is a leader of the plain policy.
 *
 * If both policies were estimated from a sample of sets (model/replay/), their fills are known over
 * time.  Then the counter is a random walk.  If the leaders fill a and b times on average, it moves
 * by a - b on average, with variance a + b (both are Poisson distributed), within the range of its
 * bits. p, the probability that it is on the bimodal side, follows from the normal law.  Then
 *
 *   hits = sum over parts of time of the leaders' and, of the followers',
 *          p * bimodal's + (1 - p) * plain's
 *
 * which assumes that the lines that one policy left do not matter to the other.
 *
 * Not modelled: differences between sets that make leaders a biased sample (a matrix column that
 * lies in one set, or four sets in all); without a sample, phases with different winners (the exact
 * miss ratio is then below both).
 */
#include "model/solve/duel.h"
#include "model/shared.h"
#include "model/constants.h"
#include "model/policy/duel.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

#define POINTS 100.0

struct side {
	struct ws_solution solution;
	double missing;		/* miss ratio */
	double leaders;		/* fraction of the sets */
};

static void lru_hits(const struct ws_query *q, struct ws_solution *s)
{
	double hit[WS_TYPES];

	ws_reuse_lru(q->windows, q->cache->ways, hit);
	ws_reuse_answer(q->windows, hit, s->hit);
}

static enum ws_status solve_side(const struct ws_query *q, const struct ws_policy *policy,
				 struct side *side, struct ws_err *err)
{
	const struct ws_reuse *w = q->windows;
	double hits = 0;
	enum ws_status status = WS_OK;

	side->solution = (struct ws_solution){ .lru = !policy };
	if (policy)
		status = ws_shared_solve_default(q, policy, &side->solution, err);
	if (status == WS_OK && side->solution.replayed) {
		side->missing = side->solution.missing;
		return WS_OK;
	}
	if (status == WS_OK && side->solution.lru)
		lru_hits(q, &side->solution);
	for (size_t i = 0; i < w->types; i++)
		hits += w->row[i].count * side->solution.hit[w->row[i].type];
	side->missing = w->references > 0 ? 1 - hits / w->references : 0;
	return status;
}

/* The fraction of sets whose number is `first` modulo the period. */
static double leaders(uint64_t sets, uint64_t period, uint64_t first)
{
	return first < sets ? (double)((sets - 1 - first) / period + 1) / (double)sets : 0;
}

/* Low confidence, of a kind that is not small. */
static bool uncertain(const struct ws_solution *s)
{
	return s->low_confidence && fmax(s->below_pp, s->above_pp) > WS_DUELING_UNCERTAIN_PP;
}

/* ---- in time ------------------------------------------------------------------------------- */

struct walk {			/* of the counter, relative to where it changes sides */
	double mean, variance, bound;
};

/* Returns how often the counter is on the bimodal side while leaders fill so many times; moves it.
 * */
static double walk_on(struct walk *w, double plain, double bimodal)
{
	double mean = w->mean + (plain - bimodal) / 2, variance;
	double fraction;

	variance = w->variance + (plain + bimodal) / 2;
	fraction = variance > 0 ? gsl_cdf_ugaussian_P(mean / sqrt(variance)) : mean > 0;
	w->mean += plain - bimodal;
	w->variance = fmin(w->variance + plain + bimodal, w->bound * w->bound / 3);
	if (fabs(w->mean) > w->bound) {
		w->mean = copysign(w->bound, w->mean);
		w->variance /= 2;
	}
	return fraction;
}

/* Hits of all finite requests if all sets had one policy, and with the duel. */
struct hits {
	double plain, bimodal, duel;
};

/* The fraction of followers' finite requests that come while the counter is on the bimodal side. */
static double in_time(const struct ws_query *q, const struct side *plain,
		      const struct side *bimodal, struct hits *h)
{
	struct walk walk = { .mean = 0.5, .bound = ldexp(1, (int)q->use->param[0] - 1) };
	double followers = 1 - plain->leaders - bimodal->leaders, side = 0, finite = 0;

	*h = (struct hits){ 0 };
	for (unsigned i = 0; i < WS_SOLUTION_PARTS; i++) {
		const struct ws_solution_part *p = plain->solution.part + i;
		const struct ws_solution_part *b = bimodal->solution.part + i;
		double fraction = walk_on(&walk, plain->leaders * p->fills,
					  bimodal->leaders * b->fills);
		double share = bimodal->leaders + followers * fraction;

		h->plain += p->hits;
		h->bimodal += b->hits;
		h->duel += share * b->hits + (1 - share) * p->hits;
		side += fraction * p->finite;
		finite += p->finite;
	}
	return finite > 0 ? side / finite : 0;
}

/* If both come from samples: a mixture with a fraction of bimodal sets, corrected for changes over
 * time. */
static void mix_in_time(const struct ws_query *q, const struct side *plain,
			const struct side *bimodal, struct ws_solution *out)
{
	const struct ws_solution *p = &plain->solution, *b = &bimodal->solution;
	double followers = 1 - plain->leaders - bimodal->leaders, fraction, evenly, scale;
	double apart = POINTS * followers * fabs(b->missing - p->missing);
	struct hits hits;

	fraction = bimodal->leaders + followers * in_time(q, plain, bimodal, &hits);
	evenly = (1 - fraction) * hits.plain + fraction * hits.bimodal;
	scale = evenly > 0 ? hits.duel / evenly : 1;
	out->replayed = true;
	for (unsigned i = 0; i < WS_KINDS; i++)
		for (unsigned j = 0; j < WS_BINS; j++)
			out->at[i][j] = fmin(1, scale * ((1 - fraction) * p->at[i][j] +
							 fraction * b->at[i][j]));
	out->missing = fmax(0, 1 - scale * (1 - (1 - fraction) * p->missing -
					     fraction * b->missing));
	out->below_pp = fmin(POINTS, (1 - fraction) * p->below_pp + fraction * b->below_pp +
			     WS_DUELING_IN_TIME * apart + WS_DUELING_IN_TIME_PP * followers);
	out->above_pp = out->below_pp; /* as for samples */
	out->error_pp = fmin(POINTS, (1 - fraction) * p->error_pp + fraction * b->error_pp +
			     WS_DUELING_EXPECTED * apart);
	out->low_confidence = p->low_confidence || b->low_confidence ||
			      apart > WS_DUELING_IN_TIME_LOW_PP;
}

static void mix(const struct side *plain, const struct side *bimodal, bool few,
		struct ws_solution *out)
{
	bool ahead = bimodal->missing < plain->missing;
	double followers = 1 - plain->leaders - bimodal->leaders, fraction;
	double apart = POINTS * followers * fabs(bimodal->missing - plain->missing);
	const struct ws_solution *b = &bimodal->solution, *p = &plain->solution;

	fraction = bimodal->leaders + followers * (ahead ? 1 - WS_DUELING_SLOW : WS_DUELING_SLOW);
	for (unsigned i = 0; i < WS_TYPES; i++)
		out->hit[i] = (1 - fraction) * p->hit[i] + fraction * b->hit[i];
	out->below_pp = fmin(POINTS, (1 - fraction) * p->below_pp + fraction * b->below_pp +
			     WS_DUELING_BELOW * apart + WS_DUELING_PHASES_PP * followers);
	out->above_pp = fmin(POINTS, (1 - fraction) * p->above_pp + fraction * b->above_pp +
			     (few ? WS_DUELING_FEW_ABOVE : WS_DUELING_ABOVE) * apart +
			     WS_DUELING_PHASES_PP * followers);
	out->error_pp = fmin(POINTS, (1 - fraction) * p->error_pp + fraction * b->error_pp +
			     WS_DUELING_EXPECTED * apart);
	out->low_confidence =
		uncertain(ahead ? b : p) ||
		apart > (few ? WS_DUELING_FEW_LOW_CONFIDENCE_PP : WS_DUELING_LOW_CONFIDENCE_PP);
}

enum ws_status ws_duel_solve(const struct ws_query *q, const struct ws_duel *duel,
			     struct ws_solution *out, struct ws_err *err)
{
	uint64_t sets = q->cache->sets, period = ws_duel_period(sets);
	struct side plain = { .leaders = leaders(sets, period, 0) };
	struct side bimodal = { .leaders = leaders(sets, period, period / 2) };
	const struct ws_policy *as_plain = duel->plain;
	enum ws_status status = WS_OK;

	if (sets > 1 || !as_plain)
		status = solve_side(q, duel->bimodal, &bimodal, err);
	if (!as_plain && bimodal.solution.replayed)
		as_plain = q->use->among[0];
	if (status == WS_OK)
		status = solve_side(q, as_plain, &plain, err);
	if (status == WS_OK && sets == 1) {
		*out = plain.solution;
		return WS_OK;
	}
	if (status == WS_OK && plain.solution.replayed && bimodal.solution.replayed)
		mix_in_time(q, &plain, &bimodal, out);
	else if (status == WS_OK)
		mix(&plain, &bimodal, sets < WS_DUELING_FEW, out);
	return status;
}
