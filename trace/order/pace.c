/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/order/pace.c -- what delays instructions that do not access memory: dependence chains, the
 * instruction buffer, instruction fetches and functional units (sm.h).
 *
 * A warp's state holds no more than its last issue and its last link; where it stands in its run
 * follows from what is left of it.
 */
#include "trace/order/sm.h"

#include <stdlib.h>

#define FETCH 2u	/* cycles from an issue to that of what was fetched after it */

bool ws_machine_paces(const struct ws_machine *m)
{
	return m->sm_alu_cycles > 1 || m->sm_alu_interval > 1 || m->sm_buffer || m->sm_code_line;
}

/* ---- code ---------------------------------------------------------------------------------- */

static void mark_lines(struct ws_code *c, const struct ws_pace *p, uint64_t line)
{
	if (!p->code_end)
		return;
	for (uint64_t i = p->code / line; i <= p->code_end / line && i < c->lines; i++)
		c->kept[i] = true;
}

static void mark_launch(struct ws_code *c, const struct ws_launch *l, uint64_t line)
{
	c->kept[0] = true;
	for (size_t i = 0; i < l->instructions; i++)
		mark_lines(c, &l->instruction[i].pace, line);
	for (size_t i = 0; i < l->segments; i++)
		mark_lines(c, &l->segment[i].pace, line);
}

enum ws_status ws_code_init(struct ws_code *c, const struct ws_launch *launch,
			    const struct ws_trace *t, size_t number, const struct ws_machine *m,
			    struct ws_err *err)
{
	uint64_t last = 0, line = m->sm_code_line;

	*c = (struct ws_code){ .start = m->sm_start_cycles };
	if (!line)
		return WS_OK;
	for (size_t i = 0; i < launch->instructions; i++)
		last = launch->instruction[i].pace.code_end > last ?
		       launch->instruction[i].pace.code_end : last;
	for (size_t i = 0; i < launch->segments; i++)
		last = launch->segment[i].pace.code_end > last ?
		       launch->segment[i].pace.code_end : last;
	c->lines = (size_t)(last / line + 1);
	c->kept = ws_alloc_zero(c->lines, sizeof *c->kept);
	if (!c->kept)
		return ws_fail_memory(err, "lines of code");
	c->trace = m->l2_start == WS_L2_KEEP ? t : NULL;
	c->launch = number;
	for (size_t i = 0; c->trace && i < number; i++)
		mark_launch(c, ws_trace_launch(t, i), line);
	if (c->kept[0])
		c->start = m->sm_code_cycles;
	return WS_OK;
}

bool ws_code_begun(const struct ws_code *c, uint64_t sm, uint64_t sms)
{
	uint64_t first = 0;	/* CTAs before */
	bool ran = false;

	for (size_t i = 0; c->trace && i < c->launch; i++)
		first += ws_trace_launch(c->trace, i)->ctas;
	sm = (first + sm) % sms;
	first = 0;
	for (size_t i = 0; c->trace && i < c->launch && !ran; i++) {
		uint64_t ctas = ws_trace_launch(c->trace, i)->ctas;

		ran = (sm + sms - first % sms) % sms < ctas;
		first += ctas;
	}
	return ran;
}

void ws_code_clear(struct ws_code *c)
{
	free(c->kept);
	*c = (struct ws_code){ 0 };
}

/* ---- runs ---------------------------------------------------------------------------------- */

static inline const struct ws_cta_program *program_of(const struct ws_sm *sm,
						      const struct ws_warp *w)
{
	return sm->cta[w->slot].program;
}

void ws_pace_enter(struct ws_sm *sm, struct ws_warp *w, uint64_t cycle)
{
	const struct ws_pace *p = &program_of(sm, w)->pace[w->op];
	uint64_t bytes = sm->run->machine.sm_code_line;

	w->entered = true;
	w->open = 0;
	if (!bytes || p->code > p->code_end || sm->front)
		return;
	for (uint64_t i = p->code / bytes; i <= p->code_end / bytes; i++) {
		if (sm->line[i] == WS_NEVER)
			sm->line[i] = cycle + (sm->run->code.kept[i] ?
					       sm->run->machine.sm_code_cycles :
					       sm->run->machine.sm_start_cycles);
		w->open = sm->line[i] > w->open ? sm->line[i] : w->open;
	}
}

struct place {			/* of a warp's next op in its run */
	uint64_t at, ops;	/* 1 .. ops */
	uint64_t chain;		/* 0: nothing is to be looked at */
};

static struct place place_of(const struct ws_sm *sm, const struct ws_warp *w)
{
	const struct ws_cta_program *p = program_of(sm, w);
	const struct ws_op *op = &p->op[w->op];
	struct place place = { .at = (uint64_t)op->before - w->left + 1,
			       .ops = (uint64_t)op->before + (op->action != WS_DO_NOTHING) };

	if (sm->run->machine.sm_alu_cycles > 1 && !sm->pipe)
		place.chain = p->pace[w->op].chain;
	return place;
}

/* Links among the ops 1 .. at. */
static uint64_t links(const struct place *p, uint64_t at)
{
	return p->ops > 1 ? (at - 1) * p->chain / (p->ops - 1) : 0;
}

static bool is_link(const struct place *p)
{
	return p->chain && p->at > 1 && links(p, p->at) > links(p, p->at - 1);
}

uint64_t ws_pace_ready(const struct ws_sm *sm, const struct ws_warp *w)
{
	const struct ws_machine *m = &sm->run->machine;
	struct place place = place_of(sm, w);
	uint64_t ready = w->open;

	if (w->hungry)
		return WS_NEVER;
	if (sm->fetches)
		ready = w->fetched > ready ? w->fetched : ready;
	else if (w->last != WS_NEVER && m->sm_buffer && !w->issued && w->last + FETCH > ready)
		ready = w->last + FETCH;
	if (is_link(&place) && w->link + m->sm_alu_cycles > ready)
		ready = w->link + m->sm_alu_cycles;
	return ready;
}

uint64_t ws_pace_free(const struct ws_sm *sm, const struct ws_warp *w)
{
	struct place place = place_of(sm, w);
	uint64_t most = sm->run->machine.sm_buffer, next;

	most = most ? most - w->issued : UINT64_MAX;
	if (!place.chain)
		return most;
	if (place.at == 1 || is_link(&place)) /* the cycle of its issue is to be kept */
		return 1;
	next = links(&place, place.at - 1) + 1; /* the next link's number, and its op */
	next = 1 + (next * (place.ops - 1) + place.chain - 1) / place.chain - place.at;
	return next < most ? next : most;
}

/* Are ops left once `count` more are issued? */
static bool has_more(const struct ws_sm *sm, const struct ws_warp *w, uint64_t count)
{
	const struct ws_op *op = &program_of(sm, w)->op[w->op];

	return w->left + (op->action != WS_DO_NOTHING) > count || op->next != WS_NO_OP;
}

void ws_pace_issued(struct ws_sm *sm, struct ws_warp *w, uint64_t count, uint64_t cycle)
{
	struct place place = place_of(sm, w);
	uint64_t buffer = sm->run->machine.sm_buffer;

	if (place.chain && (place.at == 1 || is_link(&place)))
		w->link = cycle;
	w->last = cycle;
	if (buffer)
		w->issued = (uint32_t)((w->issued + count) % buffer);
	if (sm->fetches && !w->issued && has_more(sm, w, count))
		ws_pace_ask(sm, w);
}

/* ---- fetch --------------------------------------------------------------------------------- */

void ws_pace_ask(struct ws_sm *sm, struct ws_warp *w)
{
	size_t slot = (size_t)(w - sm->warp);

	w->hungry = true;
	ws_bit_set(sm->hungry, slot);
	sm->hungries++;
}

void ws_pace_feed(struct ws_sm *sm, size_t slot, uint64_t from)
{
	struct ws_warp *w = &sm->warp[slot];

	ws_bit_clear(sm->hungry, slot);
	sm->hungries--;
	w->hungry = false;
	w->fetched = from;
	if (w->starved)
		ws_heap_push(&sm->wake, ws_pace_ready(sm, w), slot);
	w->starved = false;
}

/* The first in [from, to) whose code is there, or `to`. */
static size_t find_hungry(const struct ws_sm *sm, size_t from, size_t to, uint64_t cycle)
{
	for (size_t word = from / 64; word * 64 < to; word++) {
		uint64_t bits = sm->hungry[word];

		if (word == from / 64)
			bits &= UINT64_MAX << from % 64;
		for (; bits; bits &= bits - 1) {
			size_t slot = word * 64 + ws_lowest_bit(bits);

			if (slot >= to)
				return to;
			if (sm->warp[slot].open <= cycle + 1)
				return slot;
		}
	}
	return to;
}

void ws_pace_fetch(struct ws_sm *sm, uint64_t cycle)
{
	size_t slots = sm->slots * sm->run->plan.warps;

	for (uint64_t n = 0; n < sm->run->machine.sm_fetch && sm->hungries; n++) {
		size_t from = sm->last_fetched + 1;
		size_t slot = find_hungry(sm, from, slots, cycle);

		if (slot == slots) {
			slot = find_hungry(sm, 0, from, cycle);
			if (slot == from)
				return;
		}
		sm->last_fetched = slot;
		ws_pace_feed(sm, slot, cycle + (!ws_fetches_at_once(sm) ||
						n + 1 == sm->run->machine.sm_fetch));
	}
}

uint64_t ws_pace_next_fetch(const struct ws_sm *sm, uint64_t cycle)
{
	size_t words = (sm->slots * sm->run->plan.warps + 63) / 64;
	uint64_t next = WS_NEVER;

	for (size_t word = 0; sm->hungries && word < words; word++)
		for (uint64_t bits = sm->hungry[word]; bits; bits &= bits - 1) {
			uint64_t open = sm->warp[word * 64 + ws_lowest_bit(bits)].open;

			open = open > cycle + 1 ? open - 1 : cycle + 1;
			next = open < next ? open : next;
		}
	return next;
}

/* ---- units --------------------------------------------------------------------------------- */

uint64_t ws_pace_unit(const struct ws_sm *sm, const struct ws_warp_group *g)
{
	const struct ws_machine *m = &sm->run->machine;
	uint64_t ahead = m->sm_alu_queue * m->sm_alu_interval;

	return g->alu_busy > ahead ? g->alu_busy - ahead : 0;
}

void ws_pace_take(const struct ws_sm *sm, struct ws_warp_group *g, uint64_t cycle)
{
	uint64_t from = g->alu_busy > cycle ? g->alu_busy : cycle;

	if (sm->run->machine.sm_alu_interval > 1)
		g->alu_busy = from + sm->run->machine.sm_alu_interval;
}
