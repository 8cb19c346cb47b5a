/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/capture/races.c -- which accesses of two lanes of a warp may race.
 *
 * Two accesses race if their bytes may overlap and at least one of them is a store.  Whether they
 * may overlap follows from the forms of their addresses (lane_form.h) and from the conditions that
 * dominate them.
 *
 * A load and a store in shared memory race unless it is known that they cannot.  In global memory,
 * and of two stores, they race only if it is known that they can: most unknown indices there differ
 * between lanes.
 */
#include "trace/capture/races.h"

#include <stdlib.h>
#include <string.h>

#include "base/bits.h"

#define WARP	  32u
#define PAIRS_MAX (UINT64_C(1) << 22) /* of lanes; beyond, accesses count as racing */
enum { PAIR_NOT_KNOWN, PAIR_APART, PAIR_RACES };

/* ---- control flow ---------------------------------------------------------------------------- */

static uint32_t common_dominator(const struct ws_racer *r, uint32_t a, uint32_t b)
{
	while (a != b) {
		if (ws_race_position(r, a) > ws_race_position(r, b))
			a = r->dominator[a];
		else
			b = r->dominator[b];
	}
	return a;
}

/* K. Cooper, T. Harvey and K. Kennedy, "A simple, fast dominance algorithm", 2001. */
void ws_race_dominators(struct ws_racer *r)
{
	const struct ws_flow *f = r->flow;
	bool more = true;

	for (size_t b = 0; b < f->blocks; b++)
		r->dominator[b] = WS_NO_BLOCK;
	r->dominator[f->order[0]] = f->order[0];
	while (more) {
		more = false;
		for (size_t i = 0; i < f->blocks; i++) {
			uint32_t b = f->order[i];

			for (size_t e = f->first_edge[b];
			     e < f->first_edge[b + 1] && r->dominator[b] != WS_NO_BLOCK; e++) {
				uint32_t *d = &r->dominator[f->edge[e]], was = *d;

				*d = was == WS_NO_BLOCK ? b : common_dominator(r, was, b);
				more |= *d != was;
			}
		}
	}
}

static int by_length(const void *a, const void *b)
{
	const struct raced_loop *x = a, *y = b;

	return (x->latch - x->head > y->latch - y->head) -
	       (x->latch - x->head < y->latch - y->head);
}

bool ws_race_loops(struct ws_racer *r)
{
	const struct ws_flow *f = r->flow;

	for (uint32_t b = 0; b < f->blocks; b++) {
		for (size_t e = f->first_edge[b]; e < f->first_edge[b + 1]; e++) {
			uint32_t to = f->edge[e];

			if (ws_race_position(r, to) > ws_race_position(r, b)) {
				r->forward[to]++;
				continue;
			}
			if (!WS_ROOM(r->loop, r->loop_cap, r->loops + 1))
				return false;
			r->loop[r->loops++] = (struct raced_loop){ ws_race_position(r, to),
								   ws_race_position(r, b) };
		}
	}
	if (r->loops)
		qsort(r->loop, r->loops, sizeof *r->loop, by_length);
	return true;
}

/* Is the block in every loop in which v is computed? */
static bool in_loops_of(const struct ws_racer *r, uint32_t block, LLVMValueRef v)
{
	uint32_t made = ws_flow_block(v);

	for (size_t k = 0; k < r->loops; k++) {
		const struct raced_loop *l = &r->loop[k];

		if (ws_race_in_loop(r, l, made) && !ws_race_in_loop(r, l, block))
			return false;
	}
	return true;
}

static bool is_made_in_loop(const struct ws_racer *r, LLVMValueRef v)
{
	uint32_t made = ws_flow_block(v);
	size_t k = 0;

	while (k < r->loops && !ws_race_in_loop(r, &r->loop[k], made))
		k++;
	return k < r->loops;
}

/* ---- conditions ------------------------------------------------------------------------------ */

static bool is_said_of(const struct raced_guard *h, size_t lane, int64_t a, int64_t b)
{
	a += h->a->constant + (h->a->lane ? h->a->lane[lane] : 0);
	b += h->b->constant + (h->b->lane ? h->b->lane[lane] : 0);
	return ws_form_compare(h->predicate, a, b, h->bits) == h->as_said;
}

static void add_condition(struct ws_racer *r, struct raced *a, LLVMValueRef c, bool as_said)
{
	struct raced_guard h = { .as_said = as_said };

	if (LLVMIsAInstruction(c) && LLVMGetInstructionOpcode(c) == (as_said ? LLVMAnd : LLVMOr)) {
		add_condition(r, a, LLVMGetOperand(c, 0), as_said);
		add_condition(r, a, LLVMGetOperand(c, 1), as_said);
		return;
	}
	if (!LLVMIsAICmpInst(c) || a->guards == WS_RACE_GUARDS ||
	    LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(c, 0))) != LLVMIntegerTypeKind)
		return;
	h.predicate = LLVMGetICmpPredicate(c);
	h.bits = LLVMGetIntTypeWidth(LLVMTypeOf(LLVMGetOperand(c, 0)));
	h.a = ws_form_of(r->forms, LLVMGetOperand(c, 0));
	h.b = ws_form_of(r->forms, LLVMGetOperand(c, 1));
	if (!h.a || !h.b || h.bits > 64)
		return;
	if (h.a->terms || h.b->terms) {
		a->guard[a->guards++] = h;
		return;
	}
	for (size_t i = 0; i < WS_FORM_LANES; i++) {
		if (!is_said_of(&h, i, 0, 0))
			ws_bit_clear(a->lanes, i);
	}
}

/* From the branches that dominate the access. */
void ws_race_guards(struct ws_racer *r, struct raced *a)
{
	uint32_t b = a->block, above = r->dominator[b];

	memset(a->lanes, 0xff, sizeof a->lanes);
	a->guards = 0;
	for (; above != WS_NO_BLOCK && above != b; b = above, above = r->dominator[b]) {
		LLVMValueRef end = LLVMGetBasicBlockTerminator(r->flow->block[above]);

		if (!LLVMIsABranchInst(end) || !LLVMIsConditional(end) || r->forward[b] != 1 ||
		    LLVMGetSuccessor(end, 0) == LLVMGetSuccessor(end, 1))
			continue;
		for (unsigned s = 0; s < 2; s++) {
			if (LLVMGetSuccessor(end, s) == r->flow->block[b])
				add_condition(r, a, LLVMGetCondition(end), s == 0);
		}
	}
}

/* ---- two accesses ---------------------------------------------------------------------------- */

/* The difference of two addresses, without the lanes' numbers. */
struct apart {
	int64_t step;	/* it is a multiple of this; 0: it is zero */
	LLVMValueRef by; /* the factor; NULL: any integer */
};

static int64_t divisor(int64_t a, int64_t b)
{
	a = a < 0 ? -a : a;
	b = b < 0 ? -b : b;
	while (b) {
		int64_t rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

/* Does the term have the same value in both accesses? */
static bool is_same(const struct ws_racer *r, const struct ws_form_term *t, const struct raced *a,
		    const struct raced *b, bool turned)
{
	if (!t->one || !LLVMIsAInstruction(t->value))
		return t->one;
	return in_loops_of(r, a->block, t->value) && in_loops_of(r, b->block, t->value) &&
	       !(turned && is_made_in_loop(r, t->value));
}

static int64_t times_in(const struct ws_form *f, LLVMValueRef v)
{
	for (size_t k = 0; k < f->terms; k++) {
		if (f->term[k].value == v)
			return f->term[k].by;
	}
	return 0;
}

/* Adds the terms of a less b.  Terms that both have are handled when `first`, and skipped in the
 * second call. */
static void add_apart(const struct ws_racer *r, struct apart *d, const struct raced *a,
		      const struct raced *b, bool turned, bool first)
{
	for (size_t k = 0; k < a->form->terms; k++) {
		const struct ws_form_term *t = &a->form->term[k];
		int64_t other = times_in(b->form, t->value), by = t->by;
		bool same = is_same(r, t, a, b, turned);

		if (same && other && !first)
			continue;
		by = same ? (first ? by - other : -by) : by;
		if (!by)
			continue;
		d->by = same && !d->step ? t->value : NULL;
		d->step = d->by ? by : divisor(d->step, by);
	}
}

/* May the condition hold in this lane if v has this value? */
static bool may_hold(const struct raced_guard *h, size_t lane, LLVMValueRef v, int64_t value)
{
	const struct ws_form *side[2] = { h->a, h->b };
	int64_t more[2] = { 0, 0 };

	for (unsigned s = 0; s < 2; s++) {
		if (side[s]->terms > 1 || (side[s]->terms && side[s]->term[0].value != v))
			return true;
		if (side[s]->terms)
			more[s] = side[s]->term[0].by * value;
	}
	return is_said_of(h, lane, more[0], more[1]);
}

static bool all_may_hold(const struct raced *a, size_t lane, LLVMValueRef v, int64_t value)
{
	bool may = true;

	for (size_t k = 0; k < a->guards && may; k++)
		may = may_hold(&a->guard[k], lane, v, value);
	return may;
}

static int64_t bytes_at(const struct raced *a, size_t lane)
{
	return a->form->constant + (a->form->lane ? a->form->lane[lane] : 0);
}

/* May access a of lane i overlap access b of lane j? */
static bool lanes_race(const struct raced *a, size_t i, const struct raced *b, size_t j,
		       const struct apart *d)
{
	int64_t from = bytes_at(a, i) - bytes_at(b, j), step = d->step < 0 ? -d->step : d->step;
	int64_t rest;

	if (!step)
		return from < b->bytes && -from < a->bytes;
	rest = from % step + (from % step < 0 ? step : 0);
	if (rest >= b->bytes && step - rest >= a->bytes)
		return false;
	if (!d->by)
		return true;
	/* Every multiple of the step for which they overlap. */
	for (int64_t left = rest; left > -a->bytes; left -= step) {
		int64_t value = (left - from) / d->step;

		if (left < b->bytes && all_may_hold(a, i, d->by, value) &&
		    all_may_hold(b, j, d->by, value))
			return true;
	}
	return false;
}

static bool warp_races(const struct raced *a, const struct raced *b, size_t warp,
		       const struct apart *d)
{
	for (size_t i = warp; i < warp + WARP; i++) {
		for (size_t j = warp; j < warp + WARP && ws_bit(a->lanes, i); j++) {
			if (i != j && ws_bit(b->lanes, j) && lanes_race(a, i, b, j, d))
				return true;
		}
	}
	return false;
}

/* Is it somewhere that lanes' numbers do not tell? */
static bool is_scattered(const struct raced *a)
{
	bool scattered = !a->form;

	for (size_t k = 0; a->form && k < a->form->terms; k++)
		scattered |= !a->form->term[k].one;
	return scattered;
}

/* Do they race only if they are known to? */
static bool must_be_known(const struct ws_racer *r, const struct raced *a, const struct raced *b)
{
	if (!a->shared && (r->waits || a->strays || b->strays))
		return true;
	return !(a->reads || b->reads) && !(a->is_volatile && b->is_volatile) &&
	       is_scattered(a) == is_scattered(b);
}

static bool forms_race(struct ws_racer *r, const struct raced *a, const struct raced *b,
		       bool turned)
{
	struct apart d = { 0 };
	bool known = must_be_known(r, a, b);

	if (a->bytes < 0 || b->bytes < 0 || !a->form || !b->form)
		return !known;
	add_apart(r, &d, a, b, turned, true);
	add_apart(r, &d, b, a, turned, false);
	if (known && d.step && !d.by)
		return false;
	for (size_t warp = 0; warp < WS_FORM_LANES; warp += WARP) {
		r->tried += WARP * WARP;
		if (r->tried > PAIRS_MAX || warp_races(a, b, warp, &d))
			return true;
	}
	return false;
}

/* ---- powers of two --------------------------------------------------------------------------- */

void ws_race_forget_powers(struct ws_racer *r)
{
	for (size_t p = 0; p < WS_RACE_POWERS; p++) {
		for (size_t k = 0; k < WS_RACE_CASES; k++) {
			ws_forms_free(r->fixed[p][k]);
			r->fixed[p][k] = NULL;
		}
	}
	r->powers = 0;
	r->cases_tried = 0;
}

void ws_race_powers(struct ws_racer *r)
{
	ws_race_forget_powers(r);
	for (size_t b = 0; b < r->flow->blocks; b++) {
		LLVMValueRef i = LLVMGetFirstInstruction(r->flow->block[b]);

		for (; i && LLVMIsAPHINode(i); i = LLVMGetNextInstruction(i)) {
			if (r->powers < WS_RACE_POWERS && ws_form_is_power(r->forms, i))
				r->power[r->powers++] = i;
		}
	}
}

/* NULL: out of memory, which is as if nothing were known. */
static struct ws_forms *forms_of_case(struct ws_racer *r, size_t p, size_t k)
{
	if (!r->fixed[p][k])
		r->fixed[p][k] = ws_forms_new(r->m, r->flow, r->shape, r->power[p],
					      k ? INT64_C(1) << (k - 1) : 0);
	return r->fixed[p][k];
}

static bool case_races(struct ws_racer *r, const struct raced *a, const struct raced *b, size_t p,
		       size_t k)
{
	struct ws_forms *forms = r->forms, *of_case = forms_of_case(r, p, k);
	struct raced pair[2] = { *a, *b };
	uint64_t tried = r->tried;
	bool races;

	if (!of_case || r->cases_tried > PAIRS_MAX * 4)
		return true;
	r->forms = of_case;
	for (unsigned i = 0; i < 2; i++) {
		pair[i].form = ws_form_of(of_case, pair[i].pointer);
		ws_race_guards(r, &pair[i]);
	}
	r->tried = 0;
	races = forms_race(r, &pair[0], &pair[1], false);
	r->cases_tried += r->tried;
	r->tried = tried;
	r->forms = forms;
	return races;
}

/* Are they apart whichever power of two something is that is one in the loops of both? */
static bool powers_apart(struct ws_racer *r, const struct raced *a, const struct raced *b)
{
	bool apart = false;

	for (size_t p = 0; p < r->powers && !apart; p++) {
		apart = in_loops_of(r, a->block, r->power[p]) &&
			in_loops_of(r, b->block, r->power[p]);
		for (size_t k = 0; k < WS_RACE_CASES && apart; k++)
			apart = !case_races(r, a, b, p, k);
	}
	return apart;
}

static bool race(struct ws_racer *r, const struct raced *a, const struct raced *b, bool turned)
{
	if (a->shared != b->shared || !(a->writes || b->writes) ||
	    (a->reads && a->writes && b->reads && b->writes)) /* atomics are not ordered */
		return false;
	if (a->root < 0 || b->root < 0)
		return a->shared && (a->reads || b->reads);
	return a->root == b->root && forms_race(r, a, b, turned) &&
	       (turned || !powers_apart(r, a, b));
}

/* Does any pending access race with access n? */
bool ws_races_any(struct ws_racer *r, size_t n)
{
	for (unsigned turned = 0; turned < 2; turned++) {
		for (size_t k = 0; k < r->accesses; k++) {
			uint8_t *pair = &r->pair[turned][k * r->accesses + n];

			if (!ws_bit(r->now[turned], k))
				continue;
			if (*pair == PAIR_NOT_KNOWN)
				*pair = race(r, &r->access[k], &r->access[n], turned)
						? PAIR_RACES : PAIR_APART;
			if (*pair == PAIR_RACES)
				return true;
		}
	}
	return false;
}
