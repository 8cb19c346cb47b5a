/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * model/policy/select.c -- caches try several policies side by side, then all use the best one.
 *
 * Time is divided into periods of PERIOD cycles from the launch's start.  In the first MONITOR
 * cycles of period k, cache i (the number of an L1 among all SMs', or of a slice) runs candidate (i
 * + k) modulo their number, and counts its fills and its hits: requests that find their line.  Then
 * the counts of all caches are added up by candidate.  The candidate with the least fills / (fills
 * + hits), the first of equals, runs all caches until the period ends.  A candidate whose caches
 * had no requests is not chosen, unless none had any: then it is the first.
 *
 * Lines stay when the policy changes.  Each candidate has words of its own for all lines, for each
 * set and for the cache, and sees all hits and fills; the candidate in charge chooses victims.
 * Candidates take no parameters.  A cache that meets no others runs the first candidate.
 *
 * shared: who is in charge, hits, fills, then the candidates' words.
 *
 * Analytic face: the candidates' own answers for each part of the launch's time (as samples of sets
 * have them), combined from period to period.  A launch has the mean length in cycles; if that is
 * unknown, it has as many periods as there are parts.  While caches monitor, requests hit as the
 * candidates do on average; then as the chosen one does.  Candidate i, of hit ratio h(i) in that
 * time, is chosen with a probability proportional to exp(h(i) / TIE), since requests are not spread
 * evenly over SMs and cycles.  Not modelled: that a policy inherits the lines that another one
 * kept.  So the interval extends from below the best of each part to above the worst of all.
 */
#include "model/policy/order.h"
#include "model/reuse.h"
#include "model/shared.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CANDIDATES 4u
#define PERIOD 32768u		/* cycles */
#define MONITOR 4096u
#define CYCLES_MOST (UINT64_C(1) << 40)
#define BASE 3u			/* shared words before the candidates' */
#define POINTS 100.0
#define UNSURE_PP 4.0		/* points between candidates from which wrong choices matter */
#define TIE 0.02		/* difference of hit ratios below which either may be chosen */
#define APART 0.1		/* of their distance: for the lines that another policy left */

enum { IN_CHARGE, HITS, FILLS };

enum { OF_PERIOD, OF_MONITOR, OF_COUNT, OF_CANDIDATES }; /* param */
#define OF_PARAMS (OF_CANDIDATES + CANDIDATES)
#define PARAMS_EACH 2u		/* a candidate's parameters: its defaults */

/* ---- the candidates --------------------------------------------------------------------- */

static unsigned candidates(const struct ws_use *use)
{
	return (unsigned)use->param[OF_COUNT];
}

static const struct ws_policy *candidate(const struct ws_use *use, unsigned i)
{
	return use->among[(size_t)use->param[OF_CANDIDATES + i]];
}

/* The set as candidate i sees it. */
static const struct ws_policy *seen_by(const struct ws_set *set, unsigned i, struct ws_set *view,
				       struct ws_use *use)
{
	const struct ws_policy *policy = candidate(set->use, i);

	*view = *set;
	view->meta += (size_t)i * set->ways;
	view->own += i;
	view->shared += BASE + i;
	use->policy = policy;
	use->among = set->use->among;
	use->params = PARAMS_EACH;
	memcpy(use->param, set->use->param + OF_PARAMS + PARAMS_EACH * i,
	       PARAMS_EACH * sizeof *use->param);
	view->use = use;
	return policy;
}

static void select_hit(struct ws_set *set, unsigned way)
{
	set->shared[HITS]++;
	for (unsigned i = 0; i < candidates(set->use); i++) {
		struct ws_set view;
		struct ws_use use;
		const struct ws_policy *policy = seen_by(set, i, &view, &use);

		if (policy->on_hit)
			policy->on_hit(&view, way);
	}
}

static void select_fill(struct ws_set *set, unsigned way)
{
	set->shared[FILLS]++;
	for (unsigned i = 0; i < candidates(set->use); i++) {
		struct ws_set view;
		struct ws_use use;
		const struct ws_policy *policy = seen_by(set, i, &view, &use);

		if (policy->on_fill)
			policy->on_fill(&view, way);
	}
}

static unsigned select_victim(struct ws_set *set)
{
	struct ws_set view;
	struct ws_use use;

	return seen_by(set, (unsigned)set->shared[IN_CHARGE], &view, &use)->victim(&view);
}

/* ---- meetings: a period begins, its monitoring ends, ... ---------------------------------- */

static uint64_t select_meeting(const struct ws_use *use, uint64_t n)
{
	return n / 2 * (uint64_t)use->param[OF_PERIOD] +
	       (n % 2 ? (uint64_t)use->param[OF_MONITOR] : 0);
}

static unsigned monitored(const struct ws_use *use, uint64_t n, size_t cache)
{
	return (unsigned)((cache + n / 2) % candidates(use));
}

static unsigned best(const struct ws_use *use, uint64_t n, uint64_t *const *shared, size_t caches)
{
	uint64_t hits[CANDIDATES] = { 0 }, fills[CANDIDATES] = { 0 };
	double least = HUGE_VAL;
	unsigned chosen = 0;

	for (size_t i = 0; i < caches; i++) {
		hits[monitored(use, n, i)] += shared[i][HITS];
		fills[monitored(use, n, i)] += shared[i][FILLS];
	}
	for (unsigned i = 0; i < candidates(use); i++) {
		double ratio = (double)fills[i] / (double)(hits[i] + fills[i]);

		if (hits[i] + fills[i] && ratio < least) {
			least = ratio;
			chosen = i;
		}
	}
	return chosen;
}

static void select_meet(const struct ws_use *use, uint64_t n, uint64_t *const *shared,
			size_t caches)
{
	unsigned chosen = n % 2 ? best(use, n, shared, caches) : 0;

	for (size_t i = 0; i < caches; i++) {
		shared[i][IN_CHARGE] = n % 2 ? chosen : monitored(use, n, i);
		shared[i][HITS] = shared[i][FILLS] = 0;
	}
}

/* ---- the analytic face -------------------------------------------------------------------- */

struct select_side {
	struct ws_solution solution;
	double missing, weight;
};

static enum ws_status solve_side(const struct ws_query *q, const struct ws_policy *policy,
				 struct select_side *side, struct ws_err *err)
{
	const struct ws_reuse *w = q->windows;
	double hit[WS_TYPES], hits = 0;
	enum ws_status status = WS_OK;

	if (policy->predict && !ws_replay_suits(q->geometry, policy)) {
		ws_reuse_lru(w, q->cache->ways, hit);
		ws_reuse_answer(w, hit, side->solution.hit);
	} else {
		status = ws_shared_solve_default(q, policy, &side->solution, err);
	}
	if (status == WS_OK && side->solution.lru) {
		ws_reuse_lru(w, q->cache->ways, hit);
		ws_reuse_answer(w, hit, side->solution.hit);
	}
	side->missing = side->solution.missing;
	if (side->solution.replayed || status != WS_OK)
		return status;
	for (size_t i = 0; i < w->types; i++)
		hits += w->row[i].count * side->solution.hit[w->row[i].type];
	side->missing = w->references > 0 ? 1 - hits / w->references : 0;
	return WS_OK;
}

/* The candidates' requests between two moments of the launch, 0 .. 1 each. */
struct select_span {
	double finite, hits[CANDIDATES];
};

static struct select_span look(const struct select_side *side, unsigned n, double from, double to)
{
	struct select_span s = { 0 };

	for (unsigned t = 0; t < WS_SOLUTION_PARTS; t++) {
		double first = fmax(from * WS_SOLUTION_PARTS, t);
		double share = fmin(to * WS_SOLUTION_PARTS, t + 1) - first;

		if (share <= 0)
			continue;
		s.finite += share * side->solution.part[t].finite;
		for (unsigned i = 0; i < n; i++)
			s.hits[i] += share * side[i].solution.part[t].hits;
	}
	return s;
}

/* Hits between the two moments if each candidate is in charge of its share. */
static double charge(struct select_side *side, unsigned n, double from, double to,
		     const double *share)
{
	struct select_span s = look(side, n, from, to);
	double hits = 0;

	for (unsigned i = 0; i < n; i++) {
		side[i].weight += share[i] * s.finite;
		hits += share[i] * s.hits[i];
	}
	return hits;
}

static unsigned most_hits(const struct select_span *s, unsigned n)
{
	unsigned first = 0;

	for (unsigned i = 1; i < n; i++)
		if (s->hits[i] > s->hits[first])
			first = i;
	return first;
}

/* The probability that each is chosen after monitoring; NULL: all are equally likely. */
static void choices(const struct select_span *s, unsigned n, double *share)
{
	unsigned first = s ? most_hits(s, n) : 0;
	double sum = 0;

	for (unsigned i = 0; i < n; i++) {
		share[i] = s && s->finite > 0
			? exp((s->hits[i] - s->hits[first]) / s->finite / TIE) : 1;
		sum += share[i];
	}
	for (unsigned i = 0; i < n; i++)
		share[i] /= sum;
}

/* The miss ratio if the best candidate of each part of time was in charge. */
static double always_best(const struct select_side *side, unsigned n)
{
	double finite = 0, hits = 0;

	for (unsigned t = 0; t < WS_SOLUTION_PARTS; t++) {
		struct select_span s = look(side, n, (double)t / WS_SOLUTION_PARTS,
				     (t + 1.0) / WS_SOLUTION_PARTS);

		finite += s.finite;
		hits += s.hits[most_hits(&s, n)];
	}
	return finite > 0 ? 1 - hits / finite : 1;
}

/* Adds up the candidates' weights, fractions of the launch, over its periods; returns the hits. */
static double in_time(struct select_side *side, unsigned n, double period, double monitor)
{
	struct select_span all = look(side, n, 0, 1);
	double chosen = 0, evenly = 0;

	for (double from = 0; from < 1; from += period) {
		double middle = from + monitor;
		struct select_span s = look(side, n, from, middle);
		double share[CANDIDATES];

		choices(NULL, n, share);
		chosen += charge(side, n, from, middle, share);
		choices(&s, n, share);
		chosen += charge(side, n, middle, from + period, share);
	}
	for (unsigned i = 0; i < n; i++) {
		side[i].weight = all.finite > 0 ? side[i].weight / all.finite : 1.0 / n;
		evenly += side[i].weight * all.hits[i];
	}
	return evenly > 0 ? chosen / evenly : 1;
}

static void at_all_times(struct select_side *side, unsigned n, double monitor)
{
	unsigned first = 0;

	for (unsigned i = 1; i < n; i++)
		if (side[i].missing < side[first].missing)
			first = i;
	for (unsigned i = 0; i < n; i++)
		side[i].weight = monitor / n + (i == first ? 1 - monitor : 0);
}

static void judge(const struct select_side *side, unsigned n, struct ws_solution *out)
{
	double least = out->replayed ? always_best(side, n) : 1, best = 1, most = 0, apart, own = 0;

	for (unsigned i = 0; i < n; i++) {
		const struct ws_solution *s = &side[i].solution;

		best = fmin(best, side[i].missing);
		most = fmax(most, side[i].missing);
		own = fmax(own, fmax(s->below_pp, s->above_pp));
		out->error_pp += side[i].weight * s->error_pp;
		out->low_confidence = out->low_confidence || s->low_confidence;
	}
	least = fmin(least, best);
	apart = POINTS * (most - best);
	out->below_pp = fmin(POINTS, own + APART * apart +
			     POINTS * fmax(0, out->missing - least));
	out->above_pp = fmin(POINTS, own + APART * apart + POINTS * fmax(0, most - out->missing));
	out->error_pp = fmin(POINTS, out->error_pp + APART * apart);
	out->low_confidence = out->low_confidence || apart > UNSURE_PP;
}

static void mix(const struct ws_query *q, struct select_side *side, unsigned n,
		struct ws_solution *out)
{
	double period = q->use->param[OF_PERIOD], monitor = q->use->param[OF_MONITOR];
	double parts = q->cycles > 0 ? period / q->cycles : 0; /* a period, of the launch */
	bool replayed = true;
	double scale = 1, hitting = 0;

	for (unsigned i = 0; i < n; i++)
		replayed = replayed && side[i].solution.replayed;
	parts = fmax(parts, 1.0 / WS_SOLUTION_PARTS);
	if (replayed)
		scale = in_time(side, n, parts, parts * monitor / period);
	else
		at_all_times(side, n, monitor / period);
	out->replayed = replayed;
	for (unsigned i = 0; i < n; i++) {
		const struct ws_solution *s = &side[i].solution;

		hitting += side[i].weight * (1 - side[i].missing);
		for (unsigned t = 0; t < WS_TYPES; t++)
			out->hit[t] += side[i].weight * s->hit[t];
		for (unsigned k = 0; k < WS_KINDS; k++) {
			out->beyond[k] += side[i].weight * s->beyond[k];
			for (unsigned b = 0; b < WS_BINS; b++)
				out->at[k][b] += side[i].weight * s->at[k][b];
		}
	}
	for (unsigned k = 0; k < WS_KINDS; k++)
		for (unsigned b = 0; b < WS_BINS; b++)
			out->at[k][b] = fmin(1, scale * out->at[k][b]);
	out->missing = fmax(0, 1 - scale * hitting);
	judge(side, n, out);
}

static enum ws_status select_solve(const struct ws_query *q, struct ws_solution *out,
				   struct ws_err *err)
{
	unsigned n = candidates(q->use);
	struct select_side *side = ws_alloc_zero(n, sizeof *side);
	enum ws_status status = side ? WS_OK : ws_fail_memory(err, "a solution");

	for (unsigned i = 0; i < n && status == WS_OK; i++)
		status = solve_side(q, candidate(q->use, i), &side[i], err);
	if (status == WS_OK)
		mix(q, side, n, out);
	free(side);
	return status;
}

/* ---- parameters --------------------------------------------------------------------------- */

/* Needs the policy at most one word of a way, of a set and of the cache? */
static bool may_be_selected(const struct ws_policy *p)
{
	return p->victim && !p->offline && !p->bypass && !p->check && !p->meet && !p->on_evict &&
	       p->way_words <= 1 && p->set_words <= 1 && p->cache_words <= 1 && !p->table_bytes;
}

static enum ws_status add_candidate(struct ws_use *use, const char *name, struct ws_err *err)
{
	unsigned n = candidates(use);
	struct ws_use own = { .among = use->among };
	size_t i = 0;
	enum ws_status status = WS_OK;

	while (use->among && use->among[i] && strcmp(use->among[i]->name, name) != 0)
		i++;
	if (!use->among || !use->among[i])
		return ws_fail(err, WS_EINVAL, "\"%s\" is neither a policy nor a number of cycles",
			       name);
	if (!may_be_selected(use->among[i]))
		return ws_fail(err, WS_EINVAL, "%s cannot be selected: it looks ahead, goes past "
			       "the cache, has tables, or wants parameters", name);
	if (n == CANDIDATES)
		return ws_fail(err, WS_EINVAL, "more than %u policies", CANDIDATES);
	for (unsigned k = 0; k < n; k++)
		if ((size_t)use->param[OF_CANDIDATES + k] == i)
			return ws_fail(err, WS_EINVAL, "%s is there twice", name);
	own.policy = use->among[i];
	if (own.policy->parse)
		status = own.policy->parse("", &own, err);
	use->param[OF_CANDIDATES + n] = (double)i;
	memcpy(use->param + OF_PARAMS + PARAMS_EACH * n, own.param,
	       PARAMS_EACH * sizeof *own.param);
	use->param[OF_COUNT] = n + 1;
	return status;
}

static enum ws_status add_item(struct ws_use *use, const char *item, unsigned *numbers,
			       struct ws_err *err)
{
	if (*item < '0' || *item > '9')
		return *numbers ? ws_fail(err, WS_EINVAL, "\"%s\" after a number of cycles", item)
				: add_candidate(use, item, err);
	if (*numbers == 2)
		return ws_fail(err, WS_EINVAL, "more than two numbers of cycles");
	return ws_param_whole(item, 1, CYCLES_MOST,
			      use->param + (++*numbers == 1 ? OF_PERIOD : OF_MONITOR), err);
}

static enum ws_status select_parse(const char *text, struct ws_use *use, struct ws_err *err)
{
	const char *at = *text ? text : "lru/srrip/lfu";
	enum ws_status status = WS_OK;
	unsigned numbers = 0;

	use->params = OF_PARAMS + CANDIDATES * PARAMS_EACH;
	use->param[OF_PERIOD] = PERIOD;
	while (at && status == WS_OK) {
		size_t len = strcspn(at, ",/");
		char item[WS_NAME_MAX];

		if (len >= sizeof item)
			return ws_fail(err, WS_EINVAL, "a name of more than %zu characters",
				       sizeof item - 1);
		snprintf(item, sizeof item, "%.*s", (int)len, at);
		status = add_item(use, item, &numbers, err);
		at = at[len] ? at + len + 1 : NULL;
	}
	if (numbers < 2) /* an eighth */
		use->param[OF_MONITOR] = floor(use->param[OF_PERIOD] * MONITOR / PERIOD);
	if (status == WS_OK && candidates(use) < 2)
		status = ws_fail(err, WS_EINVAL, "fewer than two policies to choose from");
	if (status == WS_OK && !(use->param[OF_MONITOR] >= 1 &&
				 use->param[OF_MONITOR] < use->param[OF_PERIOD]))
		status = ws_fail(err, WS_EINVAL, "monitoring for %.0f of %.0f cycles: want 1 or "
				 "more, and less than the period", use->param[OF_MONITOR],
				 use->param[OF_PERIOD]);
	return status;
}

extern const struct ws_policy ws_policy_select;
const struct ws_policy ws_policy_select = {
	.name = "select",
	.params = "P/P/...",
	.summary = "SMs (slices of the L2) try 2 to 4 policies for the first 4096 of 32768 cycles, "
		   "then all take the best; two more parameters are PERIOD and MONITOR",
	.source = "Future work of Kumar, Kalyanaraman, Patil: monitors on GPU cores that run "
		  "different policies; rules and periods ours",
	.variant = true,
	.basis = WS_APPROX,
	.parse = select_parse,
	.way_words = CANDIDATES, .set_words = CANDIDATES, .cache_words = BASE + CANDIDATES,
	.on_hit = select_hit,
	.on_fill = select_fill,
	.victim = select_victim,
	.meeting = select_meeting,
	.meet = select_meet,
	.endless = "asks many caches, of which a chain has one",
	.needs = WS_RECORD_DETAIL,
	.solve = select_solve,
};
