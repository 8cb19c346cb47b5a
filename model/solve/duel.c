/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * model/solve/duel.c -- leaders, and followers of the better one.
 *
 * Of S sets, so many always insert as the one policy and so many as the other (policy/duel.h
 * says which); the rest follow the counter, that is, whichever of the leaders misses less:
 *
 *   hit = (plain leaders * plain + bimodal leaders * bimodal) / S + followers / S *
 *         ((1 - slow) * better + slow * worse)
 *
 * slow: the counter begins on the bimodal side, and is late when a kernel changes.  One set alone
 * is a leader of the plain policy.
 *
 * Not modelled: phases, of which each may have another winner (the exact ratio is then below
 * both); sets that differ, so that the leaders are no fair sample (a column of a matrix all in one
 * set, or four sets in all).
 */
#include "model/solve/duel.h"
#include "model/shared.h"
#include "model/constants.h"

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

static enum ws_status solve_side(const struct ws_query *q, const char *policy, struct side *side,
				 struct ws_err *err)
{
	const struct ws_reuse *w = q->windows;
	double hits = 0;
	enum ws_status status = WS_OK;

	side->solution = (struct ws_solution){ .lru = !policy };
	if (policy)
		status = ws_shared_solve(q, policy, &side->solution, err);
	if (!status && side->solution.lru)
		lru_hits(q, &side->solution);
	for (size_t i = 0; i < w->types; i++)
		hits += w->row[i].count * side->solution.hit[w->row[i].type];
	side->missing = w->references > 0 ? 1 - hits / w->references : 0;
	return status;
}

/* Sets whose number is `first` modulo the period. */
static double leaders(uint64_t sets, uint64_t period, uint64_t first)
{
	return first < sets ? (double)((sets - 1 - first) / period + 1) / (double)sets : 0;
}

/* Low confidence, of a kind that is not small. */
static bool uncertain(const struct ws_solution *s)
{
	return s->low_confidence && fmax(s->below_pp, s->above_pp) > WS_DUELING_UNCERTAIN_PP;
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
	uint64_t sets = q->cache->sets, period = sets >= 16 ? 8 : sets >= 4 ? 4 : 2;
	struct side plain = { .leaders = leaders(sets, period, 0) };
	struct side bimodal = { .leaders = leaders(sets, period, period / 2) };
	enum ws_status status = solve_side(q, duel->plain, &plain, err);

	if (!status && sets == 1) {
		*out = plain.solution;
		return WS_OK;
	}
	if (!status)
		status = solve_side(q, duel->bimodal, &bimodal, err);
	if (!status)
		mix(&plain, &bimodal, sets < WS_DUELING_FEW, out);
	return status;
}
