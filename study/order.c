/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * study/order.c -- the order in which a row was measured, and the error that it adds.
 */
#include "study/private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define VALUE_TEXT (2 * WS_NAME_MAX)

/* ---- which order ------------------------------------------------------------------------ */

bool ws_order_timeless(const struct ws_machine *m)
{

	return m->sm_scheduler >= WS_SCHED_SEQUENTIAL && ws_cycles_check(m, NULL) != WS_OK;
}

/* A key whose value follows from others that are compared, or that decides nothing. */
static bool follows(const struct ws_key *key)
{
	return key->stage == WS_STAGE_LABEL ||
	       key->offset == offsetof(struct ws_machine, l1.sets) ||
	       key->offset == offsetof(struct ws_machine, l2.sets) ||
	       key->offset == offsetof(struct ws_machine, count_pending);
}

static bool same_key(const struct ws_machine *a, const struct ws_machine *b,
		     const struct ws_key *key)
{
	/* Both are not sectored, however long their lines are. */
	if (key->offset == offsetof(struct ws_machine, l1.sector_bytes) &&
	    a->l1.sector_bytes == a->l1.line_bytes && b->l1.sector_bytes == b->l1.line_bytes)
		return true;
	return ws_key_same(a, b, key);
}

bool ws_order_own(const struct ws_machine *own, const struct ws_machine *anchor, bool policies)
{
	uint64_t blocks = ws_machine_blocks(own, anchor);

	for (const struct ws_key *key = ws_keys; key->name; key++)
		if (!ws_key_elsewhere(key, blocks) && !follows(key) &&
		    (policies || !ws_policies_key(key)) && !same_key(own, anchor, key))
			return false;
	return true;
}

/* As far as there is room, with a NUL; *used grows by all of it. */
static void add_text(char text[WS_ORDER_TEXT], size_t *used, const char *more)
{
	size_t len = strlen(more), room = *used < WS_ORDER_TEXT ? WS_ORDER_TEXT - *used - 1 : 0;

	if (room) {
		memcpy(text + *used, more, len < room ? len : room);
		text[*used + (len < room ? len : room)] = '\0';
	}
	*used += len;
}

/* If the key's values differ. */
static void add_key(const struct ws_machine *own, const struct ws_machine *anchor,
		    const struct ws_key *key, char text[WS_ORDER_TEXT], size_t *used)
{
	char value[VALUE_TEXT];

	if (same_key(own, anchor, key))
		return;
	ws_machine_get(anchor, key, value, sizeof value);
	if (*used)
		add_text(text, used, " ");
	add_text(text, used, key->name);
	add_text(text, used, "=");
	add_text(text, used, value);
}

void ws_order_text(const struct ws_machine *own, const struct ws_machine *anchor,
		   char text[WS_ORDER_TEXT])
{
	uint64_t blocks = ws_machine_blocks(own, anchor);
	size_t used = 0;

	for (const struct ws_key *key = ws_keys; key->name && used < WS_ORDER_TEXT; key++)
		if (!ws_key_elsewhere(key, blocks) && !follows(key))
			add_key(own, anchor, key, text, &used);
	if (!used)
		add_text(text, &used, "own");
}

enum ws_status ws_study_plan_order_text(const struct ws_study_plan *plan, uint64_t config,
					char text[WS_ORDER_TEXT], struct ws_err *err)
{
	enum ws_order order = ws_study_plan_order(plan, config);
	struct ws_machine own, anchor;
	enum ws_status status = ws_study_plan_machine(plan, config, &own, err);

	if (status == WS_OK)
		status = ws_study_plan_anchor(plan, config, &anchor, err);
	if (status != WS_OK)
		return status;
	if (order == WS_ORDER_CYCLES)
		ws_order_text(&own, &anchor, text);
	else
		snprintf(text, WS_ORDER_TEXT, "%s", ws_order_timeless(&own) ||
			 ws_plan_single_file(plan, &own) ? "own" : ws_order_names[order]);
	return WS_OK;
}

/* ---- of all configurations ----------------------------------------------------------------
 *
 * A plan says in which bytes its machines differ.  Only keys that are there, or in which the first
 * is not as the anchor, are compared for each row: some ten, and not hundreds.
 */

/* May the key have another value in another configuration?  Of keys that are longer, or are read
 * from other bytes too, yes. */
static bool may_vary(const struct ws_key *key, uint64_t blocks)
{
	return !ws_key_elsewhere(key, blocks) ||
	       key->offset == offsetof(struct ws_machine, l1.sector_bytes);
}

enum ws_status ws_suspects_find(struct ws_suspects *s, const struct ws_study_plan *plan,
				const struct ws_machine *anchor, struct ws_err *err)
{
	size_t keys = 0;

	while (ws_keys[keys].name)
		keys++;
	s->anchor = anchor;
	s->count = 0;
	s->key = ws_alloc(keys, sizeof *s->key);
	if (!s->key)
		return ws_fail_memory(err, "the keys");
	for (const struct ws_key *key = ws_keys; key->name; key++)
		if (!follows(key) && (!plan->passed || may_vary(key, plan->blocks) ||
				      !same_key(&plan->first, anchor, key)))
			s->key[s->count++] = key;
	return WS_OK;
}

void ws_suspects_clear(struct ws_suspects *s)
{
	free(s->key);
	*s = (struct ws_suspects){ .count = 0 };
}

bool ws_suspects_own(const struct ws_suspects *s, const struct ws_machine *own, bool policies)
{
	for (size_t i = 0; i < s->count; i++)
		if (!same_key(own, s->anchor, s->key[i]) &&
		    (policies || !ws_policies_key(s->key[i])))
			return false;
	return true;
}

void ws_suspects_text(const struct ws_suspects *s, const struct ws_machine *own,
		      char text[WS_ORDER_TEXT])
{
	size_t used = 0;

	for (size_t i = 0; i < s->count && used < WS_ORDER_TEXT; i++)
		add_key(own, s->anchor, s->key[i], text, &used);
	if (!used)
		add_text(text, &used, "own");
}

/* ---- which of several ------------------------------------------------------------------- */

static double octaves(uint64_t a, uint64_t b)
{
	return fabs(log2((double)a / (double)b));
}

/* Can that order's profile answer for such an L1 of LRU? */
static bool holds(const struct ws_profile *p, size_t section, const struct ws_cache *l1)
{

	return ws_section_geometry(&p->section[section], l1->line_bytes, l1->sets) &&
	       ws_predict_check(p, section, l1, NULL) == WS_OK;
}

size_t ws_order_pick(const struct ws_profile *p, size_t section, const struct ws_machine *m,
		     bool first)
{
	bool lru = ws_policy_as_lru(&m->l1);
	double nearest = octaves(m->l1.size_bytes, p->machine.l1.size_bytes);
	size_t best = 0;

	for (size_t i = 0; i < p->others && lru && !first && ws_organised_plainly(&m->l1); i++) {
		const struct ws_profile *other = p->other[i];
		double far = octaves(m->l1.size_bytes, other->machine.l1.size_bytes);

		if (far < nearest && holds(other, section, &m->l1)) {
			nearest = far;
			best = i + 1;
		}
	}
	return best;
}

/* ---- what that leaves open ---------------------------------------------------------------
 *
 * The law is measured (paper/order-law.md).  Of LRU's miss ratio e in the order of another cache,
 * which misses d more or less there, where half and twice the ways would differ by g, and e by s at
 * most between the orders at hand, with n = 1 - cold, all but 5 % lie within a half width h of what
 * they are in their own order:
 *
 *   one order         h = 0.001 n + 0.72 sqrt(g d)           expected 0.16 sqrt(g d)
 *   several           h = 0.001 n + 0.40 sqrt(g d) + 1.2 s   expected 0.07 sqrt(g d) + 0.24 s
 *   the nominal one   h = 0.009 n + 0.75 m                   expected 0.0013 n + 0.13 m
 *
 * where m = sqrt((e - cold) (1 - e)).  In an order of the same caches under LRU, the miss ratio of
 * another policy, which differs from LRU's by d, lies within
 *
 *   another policy    h = 0.002 n + 0.25 sqrt(m d)           expected 0.06 sqrt(m d)
 *
 * and where both differ the two add up.
 */
struct error_law {
	double reused, curve, spread, mean_reused, mean_curve, mean_spread;
};

static const struct error_law one_order = { 0.001, 0.72, 0, 0.0001, 0.16, 0 };
static const struct error_law several = { 0.001, 0.40, 1.2, 0.0001, 0.07, 0.24 };
static const struct error_law nominal = { 0.009, 0.75, 0, 0.0013, 0.13, 0 };
static const struct error_law policy = { 0.002, 0.25, 0, 0.0001, 0.06, 0 };
#define POINTS 100.0

struct uncertainty {			/* of a miss ratio */
	double half, mean, cold;
};

static void add_uncertainty(struct uncertainty *d, const struct error_law *law, double curve,
			    double spread)
{
	double n = 1 - d->cold;

	d->half += law->reused * n + law->curve * curve + law->spread * spread;
	d->mean += law->mean_reused * n + law->mean_curve * curve + law->mean_spread * spread;
}

static struct uncertainty uncertainty_of(const struct ws_held *held, const struct ws_counts *c,
					 unsigned kind)
{
	double e = ws_miss_ratio(c, false), lru = held->policy ? held->lru[kind] : e;
	struct uncertainty d = { 0 };
	double m;

	d.cold = c->requests ? (double)c->cold / (double)c->requests : 0;
	m = sqrt(fmax(0, e - d.cold) * (1 - e));
	if (held->order != WS_ORDER_CYCLES || held->at_anchor[kind] < 0)
		add_uncertainty(&d, &nominal, m, 0);
	else if (held->other)
		add_uncertainty(&d, held->spread ? &several : &one_order,
			  sqrt(fmax(0, held->steepness[kind]) * fabs(lru - held->at_anchor[kind])),
			  held->spread ? held->spread[kind] : 0);
	if (held->policy)
		add_uncertainty(&d, &policy, sqrt(m * fabs(e - lru)), 0);
	return d;
}

static void widen(struct ws_prediction *p, unsigned kind, double below, double above)
{
	p->low[kind] = fmax(0, p->low[kind] - below);
	p->high[kind] = fmin(1, p->high[kind] + above);
}

static void judge_foreign(const struct ws_held *held, struct ws_prediction *p)
{
	for (unsigned kind = 0; kind <= WS_KINDS; kind++) {
		struct uncertainty d = uncertainty_of(held, &p->kind[kind], kind);

		if (!p->kind[kind].requests)
			continue;
		/* Cold misses hardly depend on the order. */
		widen(p, kind, fmin(d.half, fmax(d.half / 8, p->low[kind] - d.cold)), d.half);
		p->error_pp[kind] = fmin(POINTS, p->error_pp[kind] + POINTS * d.mean);
		p->low_confidence = p->low_confidence || d.half > WS_LOW_CONFIDENCE;
	}
	if (p->basis == WS_EXACT)
		p->basis = WS_APPROX;
}

/* In its own order the simulation itself says how far LRU is off. */
static void judge_own(const struct ws_missed simulated[WS_KINDS], struct ws_prediction *p)
{
	struct ws_missed all = { 0, 0 };

	for (unsigned kind = 0; kind <= WS_KINDS; kind++) {
		const struct ws_missed *s = kind < WS_KINDS ? &simulated[kind] : &all;
		double off;

		all.requests += kind < WS_KINDS ? s->requests : 0;
		all.misses += kind < WS_KINDS ? s->misses : 0;
		if (s->requests != p->kind[kind].requests || !s->requests)
			continue;
		off = ((double)s->misses - (double)p->kind[kind].misses) / (double)s->requests;
		if (off == 0)
			continue;
		widen(p, kind, fmax(0, -off), fmax(0, off));
		p->error_pp[kind] = fmin(POINTS, p->error_pp[kind] + POINTS * fabs(off));
		p->low_confidence = p->low_confidence || fabs(off) > WS_LOW_CONFIDENCE;
		if (p->basis == WS_EXACT)
			p->basis = WS_APPROX;
	}
}

/* With R requests behind LRU's L1s and R (1 + more) behind the others', of which what is cold stays
 * and the rest misses as before, the miss ratio lies within h = 0.001 + 1.3 f of one of the two, f
 * = |1 - R / R'|, and is expected 0.2 f off (paper/order-law.md). */
void ws_order_behind(const double *more, struct ws_prediction *l2)
{
	for (unsigned kind = 0; kind <= WS_KINDS; kind++) {
		const struct ws_counts *c = &l2->kind[kind];
		double e = ws_miss_ratio(c, false), f = fabs(1 - 1 / (1 + more[kind])), other, half;

		if (!c->requests || !(more[kind] > -1))
			continue;
		other = (double)c->cold / (double)c->requests / (1 + more[kind]);
		other = fmin(1, other + e - (double)c->cold / (double)c->requests);
		half = 0.001 + 1.3 * f;
		l2->low[kind] = fmax(0, fmin(e, other) - half);
		l2->high[kind] = fmin(1, fmax(e, other) + half);
		l2->error_pp[kind] = fmin(POINTS, POINTS * (0.2 * f + fabs(e - other)));
		l2->low_confidence = (kind && l2->low_confidence) || half > WS_LOW_CONFIDENCE;
	}
}

void ws_order_judge(const struct ws_held *held, struct ws_prediction *p)
{
	if (held->own && held->simulated)
		judge_own(held->simulated, p);
	if (!held->own)
		judge_foreign(held, p);
}
