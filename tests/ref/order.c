/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/ref/order.c -- the machine of trace/order/sm.h, cycle by cycle.
 *
 * Every cycle looks at every warp and works out anew whether it may issue.  What a warp does is in
 * order_program.c.
 */
#include "tests/ref/front.h"
#include "tests/ref/order_program.h"

#include <stdlib.h>
#include <string.h>

/* ---- streams ----------------------------------------------------------------------- */

void ref_stream_add(struct ref_stream *s, const struct ref_issue *item)
{
	if (!WS_ROOM(s->item, s->cap, s->count + 1))
		abort();
	s->item[s->count++] = *item;
}

void ref_stream_clear(struct ref_stream *s)
{
	free(s->item);
	*s = (struct ref_stream){ 0 };
}

void ref_stream_sort(struct ref_stream *s)
{
	struct ref_stream sorted = { .cycles = s->cycles };

	for (uint64_t sm = 0; sorted.count < s->count; sm++) {
		for (size_t i = 0; i < s->count; i++) {
			if (s->item[i].sm == sm)
				ref_stream_add(&sorted, &s->item[i]);
		}
	}
	free(s->item);
	*s = sorted;
}

uint64_t ref_latency(const struct ws_request *r, uint64_t span)
{
	uint64_t x = r->address ^ (uint64_t)r->cta << 40 ^ (uint64_t)r->warp << 20 ^ r->instruction;

	x = (x + 1) * 0x9e3779b97f4a7c15ull;
	x ^= x >> 29;
	return (x >> 7) % span;
}

/* ---- the machine ------------------------------------------------------------------------ */

struct ref_sm {
	struct ref_cta *cta;	/* [slot] */
	uint64_t dispatched;
	uint64_t *last;		/* [scheduler]: slot issued last + 1; 0: none */
	uint64_t *last_age;	/* and the age of its CTA + 1 */
	bool *active;		/* [warp slot] */
	uint64_t *since;	/* [warp slot]: ready from then on; UINT64_MAX: is not */
	uint64_t *line;		/* of code: when it is there; UINT64_MAX: not asked for */
	size_t last_fetched;	/* slot */
	uint64_t *unit;		/* [scheduler]: until when its unit has work */
	struct ref_pipe *pipe;	/* of sm.pipeline; or NULL */
	struct ref_front *front; /* likewise */
	uint64_t given;		/* the next CTA is, from that cycle on at first */
};

struct ref_machine {
	const struct ref_launch *l;
	const struct ws_machine *m;
	struct ref_sm *sm;
	size_t warps, slots;	/* of a CTA; CTA slots */
	uint64_t cycle;
	uint64_t *deal, *taken, next;
	const struct ref_unit *unit;
	uint64_t *end;		/* [sm] */
	uint64_t start;		/* no warp issues before, nor is fetched for */
	bool coded;		/* sm.pipeline executes the launch */
	bool front;		/* ... and sm.front fetches it */
	size_t last;		/* SM that got a CTA */
};

static bool all_issued(const struct ref_warp *w)
{
	return w->next == w->ops;
}

static bool data_is_back(const struct ref_machine *x, struct ref_warp *w)
{
	uint64_t number = w->op[w->next].number;

	for (size_t i = 0; x->coded && i < w->next; i++)
		if (ref_pipe_needs(&x->l->launch, &w->op[w->next].code, &w->op[i].code))
			return false;
	if (x->coded)
		return true;
	while (w->settled < w->next && w->op[w->settled].back <= x->cycle)
		w->settled++;
	for (size_t i = w->settled; i < w->next; i++) {
		const struct ref_op *op = &w->op[i];
		const struct ws_instruction *in = &x->l->launch.instruction[op->instruction];

		if (op->what != REF_OP_MEMORY || in->kind == WS_STORE)
			continue;
		if (op->number + (in->use ? in->use : 1) <= number && op->back > x->cycle)
			return false;
	}
	return true;
}

/* Had an SM a CTA of a launch before? */
static bool had_some(const struct ref_machine *x, size_t sm)
{
	return x->l->held && x->l->held[(x->l->before + sm) % x->m->sm_count];
}

/* What is fetched may be issued in the same cycle. */
static bool at_once(const struct ws_machine *m)
{
	return m->sm_buffer && m->sm_fetch > 1 && m->sm_scheduler != WS_SCHED_TWO_LEVEL;
}

static struct ref_warp *warp_at(const struct ref_machine *x, const struct ref_sm *sm, size_t slot)
{
	struct ref_cta *c = &sm->cta[slot / x->warps];
	uint64_t late = at_once(x->m) && !x->front;

	if (!c->resident ||
	    c->start + slot % x->warps * x->m->sm_launch_cycles + late > x->cycle ||
	    (x->cycle < x->start + late && !had_some(x, (size_t)(sm - x->sm))))
		return NULL;
	return &c->warp[slot % x->warps];
}

/* Its CTA has started, the warp has not. */
static bool unstarted(const struct ref_machine *x, const struct ref_sm *sm, size_t slot)
{
	const struct ref_cta *c = &sm->cta[slot / x->warps];

	/* One that has nothing to do is there until its CTA starts. */
	return c->resident && !warp_at(x, sm, slot) &&
	       (c->start > x->cycle || c->warp[slot % x->warps].ops);
}

/* Asks for the lines of the run that a warp is at the beginning of. */
static void ask_for_code(const struct ref_machine *x, struct ref_sm *sm, struct ref_warp *w)
{
	const struct ref_op *op = &w->op[w->next];
	uint64_t line = x->m->sm_code_line;

	if (w->opened == op->run + 1)
		return;
	w->opened = op->run + 1;
	w->open = 0;
	for (uint64_t i = op->low / (line ? line : 1); line && i <= op->high / line &&
	     op->low <= op->high; i++) {
		bool kept = i < x->l->kept_lines && x->l->kept[i];

		if (sm->line[i] == UINT64_MAX)
			sm->line[i] = x->cycle + (kept ? x->m->sm_code_cycles
						       : x->m->sm_start_cycles);
		w->open = sm->line[i] > w->open ? sm->line[i] : w->open;
	}
}

/* Is its next op one that could be issued now, but for data and the LSU? */
static bool is_there(const struct ref_machine *x, const struct ref_warp *w)
{
	const struct ref_op *op = &w->op[w->next];

	if (w->open > x->cycle)
		return false;
	if (x->m->sm_buffer && x->m->sm_fetch) {
		if (w->next == w->fetched || w->fetched_from > x->cycle)
			return false;
	} else if (x->m->sm_buffer && w->next && w->next % x->m->sm_buffer == 0 &&
		   w->issued + 2 > x->cycle) {
		return false;
	}
	return !op->link || x->coded || w->link + x->m->sm_alu_cycles <= x->cycle;
}

static void fetch(const struct ref_machine *x, struct ref_sm *sm)
{
	size_t slots = x->slots * x->warps, first = sm->last_fetched + 1;

	for (uint64_t n = 0; n < x->m->sm_fetch && x->m->sm_buffer; n++) {
		for (size_t i = 0; i < slots; i++) {
			size_t slot = (first + i) % slots;
			struct ref_warp *w = warp_at(x, sm, slot);

			if (!w || all_issued(w) || w->fetched > w->next || w->open > x->cycle + 1)
				continue;
			w->fetched += x->m->sm_buffer;
			w->fetched_from = x->cycle + (!at_once(x->m) || n + 1 == x->m->sm_fetch);
			sm->last_fetched = slot;
			break;
		}
		first = sm->last_fetched + 1;
	}
}

/* Nothing but the LSU or a unit could be in its way. */
static bool ready(const struct ref_machine *x, const struct ref_sm *sm, size_t slot)
{
	struct ref_warp *w = warp_at(x, sm, slot);

	return w && !all_issued(w) && !w->at_barrier && data_is_back(x, w) && is_there(x, w);
}

static bool candidate(const struct ref_machine *x, const struct ref_sm *sm, size_t slot)
{
	const struct ref_warp *w = warp_at(x, sm, slot);

	if (!sm->active[slot]) /* so it is not ready: see choose_active */
		return false;
	if (x->coded)
		return ref_pipe_takes(sm->pipe, slot % x->m->sm_schedulers,
				      &w->op[w->next].code);
	if (w->op[w->next].what != REF_OP_MEMORY &&
	    sm->unit[slot % x->m->sm_schedulers] >
	    x->cycle + x->m->sm_alu_queue * x->m->sm_alu_interval)
		return false;
	return w->op[w->next].what != REF_OP_MEMORY ||
	       x->unit->free(x->unit->context, (size_t)(sm - x->sm), x->cycle);
}

static size_t pick_round_robin(const struct ref_machine *x, const struct ref_sm *sm, size_t g)
{
	size_t n = x->slots * x->warps, s = (size_t)x->m->sm_schedulers;

	for (size_t slot = g; slot < n; slot += s) {
		if (slot >= sm->last[g] && candidate(x, sm, slot))
			return slot;
	}
	for (size_t slot = g; slot < n; slot += s) {
		if (candidate(x, sm, slot))
			return slot;
	}
	return SIZE_MAX;
}

static size_t pick_oldest(const struct ref_machine *x, const struct ref_sm *sm, size_t g)
{
	size_t best = SIZE_MAX, s = (size_t)x->m->sm_schedulers;

	for (size_t slot = g; slot < x->slots * x->warps; slot += s) {
		const struct ref_cta *c = &sm->cta[slot / x->warps];

		if (!candidate(x, sm, slot))
			continue;
		if (slot + 1 == sm->last[g] && (x->front || c->age + 1 == sm->last_age[g]))
			return slot;
		if (best == SIZE_MAX || c->age < sm->cta[best / x->warps].age)
			best = slot;
	}
	return best;
}

/* Active warps that wait step back; those ready longest take their places. */
static void choose_active(const struct ref_machine *x, struct ref_sm *sm, size_t g)
{
	size_t s = (size_t)x->m->sm_schedulers, n = x->slots * x->warps, active = 0;
	bool bounded = x->m->sm_scheduler == WS_SCHED_TWO_LEVEL;

	for (size_t slot = g; slot < n; slot += s) {
		bool is = ready(x, sm, slot);

		sm->active[slot] &= is;
		if (!is)
			sm->since[slot] = UINT64_MAX;
		else if (sm->since[slot] == UINT64_MAX)
			sm->since[slot] = x->cycle;
		active += sm->active[slot];
	}
	while (!bounded || active < x->m->sm_active_warps) {
		size_t best = SIZE_MAX;

		for (size_t slot = g; slot < n; slot += s) {
			if (!sm->active[slot] && sm->since[slot] != UINT64_MAX &&
			    (best == SIZE_MAX || sm->since[slot] < sm->since[best]))
				best = slot;
		}
		if (best == SIZE_MAX)
			break;
		sm->active[best] = true;
		active++;
	}
}

static void issue_memory(struct ref_machine *x, size_t sm, size_t slot, struct ref_op *op,
			 uint64_t cycle)
{
	const struct ws_instruction *in = &x->l->launch.instruction[op->instruction];
	bool waits;

	for (size_t i = 0; i < op->count; i++) {
		op->request[i].instruction = op->instruction;
		op->request[i].warp = (uint16_t)(slot % x->warps);
		op->request[i].kind = in->past ? WS_ATOMIC : in->kind;
		op->request[i].past = !in->past ? 0 : in->kind == WS_LOAD ? 1 : 2;
		op->request[i].cycle = cycle + i;
		op->request[i].follows = i > 0;
		op->request[i].part = slot / x->m->sm_schedulers % x->m->l1_parts & 0x1f;
	}
	waits = in->kind != WS_STORE ||
		(op->count && x->m->sm_stores == WS_STORES_ACKNOWLEDGED);
	op->back = waits ? UINT64_MAX : 0;
	x->unit->issue(x->unit->context, sm, op->request, op->count,
		       waits ? &op->back : NULL, &op->parts, cycle);
}

struct handing_over {
	struct ref_machine *x;
	size_t sm;
};

static bool lsu_is_free(void *context, uint64_t cycle)
{
	struct handing_over *h = context;

	return h->x->unit->free(h->x->unit->context, h->sm, cycle);
}

static const uint64_t *hand_over(void *context, size_t slot, void *which,
				 const struct ref_parts **parts, uint64_t cycle)
{
	struct handing_over *h = context;
	struct ref_op *op = which;

	*parts = &op->parts;
	issue_memory(h->x, h->sm, slot, op, cycle);
	return h->x->l->launch.instruction[op->instruction].kind == WS_STORE ? NULL : &op->back;
}

static bool barrier_opens(const struct ref_machine *x, const struct ref_cta *c)
{
	for (size_t w = 0; w < x->warps; w++) {
		if (!c->warp[w].at_barrier && !all_issued(&c->warp[w]))
			return false;
	}
	return true;
}

/* Why no warp of the scheduler could issue. */
static enum ref_slot why(const struct ref_machine *x, const struct ref_sm *sm, size_t g)
{
	size_t warps = 0, at_barrier = 0, data = 0, n = x->slots * x->warps;

	for (size_t slot = g; slot < n; slot += (size_t)x->m->sm_schedulers) {
		struct ref_warp *w = warp_at(x, sm, slot);
		bool opens = w && barrier_opens(x, &sm->cta[slot / x->warps]);

		if (sm->active[slot] && w->op[w->next].code.unit == WS_UNIT_MEMORY &&
		    (x->coded || w->op[w->next].what == REF_OP_MEMORY))
			return REF_LSU; /* else it could */
		warps += unstarted(x, sm, slot);
		if (!w || (all_issued(w) && (!w->at_barrier || opens)))
			continue;
		warps++;
		if (w->at_barrier)
			at_barrier += !opens;
		else
			data += !data_is_back(x, w);
	}
	return !warps ? REF_EMPTY : data ? REF_DATA : at_barrier == warps ? REF_BARRIER : REF_OTHER;
}

static void issue(struct ref_machine *x, size_t sm, size_t g)
{
	struct ref_sm *s = &x->sm[sm];
	size_t slot = x->m->sm_scheduler == WS_SCHED_GTO ? pick_oldest(x, s, g)
							 : pick_round_robin(x, s, g);
	struct ref_warp *w;
	struct ref_op *op;

	x->unit->slot(x->unit->context, sm, slot == SIZE_MAX ? why(x, s, g) : REF_ISSUED);
	if (slot == SIZE_MAX)
		return;
	w = warp_at(x, s, slot);
	op = &w->op[w->next];
	op->issued = true;
	w->issued = x->cycle;
	if (op->link || w->next == op->run)
		w->link = x->cycle;
	w->next++;
	if (op->what != REF_OP_MEMORY && x->m->sm_alu_interval > 1)
		s->unit[g] = (s->unit[g] > x->cycle ? s->unit[g] : x->cycle) +
			     x->m->sm_alu_interval;
	s->last[g] = slot + 1;
	s->last_age[g] = s->cta[slot / x->warps].age + 1;
	if (x->coded)
		ref_pipe_issue(s->pipe, slot, &op->code, op->what == REF_OP_MEMORY ? op : NULL);
	else if (op->what == REF_OP_MEMORY)
		issue_memory(x, sm, slot, op, x->cycle);
	if (op->what == REF_OP_BARRIER) {
		w->at_barrier = true;
		s->active[slot] = false;
		s->since[slot] = UINT64_MAX;
	}
}

static void open_barriers(const struct ref_machine *x, struct ref_sm *sm)
{
	for (size_t c = 0; c < x->slots; c++) {
		bool all;

		if (!sm->cta[c].resident || sm->cta[c].start > x->cycle)
			continue;
		all = barrier_opens(x, &sm->cta[c]);
		for (size_t w = 0; all && w < x->warps; w++)
			sm->cta[c].warp[w].at_barrier = false;
	}
}

/* A warp at a last barrier has issued everything, but its CTA waits for it. */
static bool cta_ended(const struct ref_machine *x, const struct ref_cta *c)
{
	if (!c->resident || c->start > x->cycle)
		return false;
	for (size_t w = 0; w < x->warps; w++) {
		if (x->front && !c->warp[w].gone)
			return false;
		if (!all_issued(&c->warp[w]) || c->warp[w].at_barrier)
			return false;
	}
	for (size_t w = 0; w < x->warps && x->coded; w++)
		for (size_t i = 0; i < c->warp[w].ops; i++)
			if (!c->warp[w].op[i].code.done)
				return false;
	for (size_t w = 0; w < x->warps; w++) {
		struct ref_warp *warp = &c->warp[w];

		while (warp->settled < warp->ops && warp->op[warp->settled].back <= x->cycle)
			warp->settled++;
		if (warp->settled < warp->ops)
			return false;
	}
	return true;
}

/* The next CTA for an SM, if any. */
static bool next_cta(struct ref_machine *x, size_t sm, uint64_t *cta)
{
	uint64_t i = x->m->sm_assign == WS_ASSIGN_DYNAMIC ? x->next
		   : sm + x->taken[sm] * x->m->sm_count;

	if (i >= x->l->launch.ctas)
		return false;
	x->next++;
	x->taken[sm]++;
	*cta = x->deal[i];
	return true;
}

static bool place(struct ref_machine *x, size_t sm, size_t slot, uint64_t start)
{
	struct ref_cta *c = &x->sm[sm].cta[slot];
	uint64_t cta;

	if (!next_cta(x, sm, &cta))
		return false;
	if (x->front && start < x->sm[sm].given)
		start = x->sm[sm].given;
	x->sm[sm].given = start + 1;
	x->last = sm;
	ref_cta_build(c, x->l, cta, x->m, x->warps);
	for (size_t w = 0; w < x->warps; w++) {
		x->sm[sm].active[slot * x->warps + w] = false;
		x->sm[sm].since[slot * x->warps + w] = UINT64_MAX;
		for (size_t i = 0; i < c->warp[w].ops; i++) {
			for (size_t r = 0; r < c->warp[w].op[i].count; r++)
				c->warp[w].op[i].request[r].cta = (uint32_t)cta;
		}
	}
	c->start = start;
	c->age = x->sm[sm].dispatched++;
	c->resident = true;
	return true;
}

static void deal(struct ref_machine *x, uint64_t seed)
{
	uint64_t n = x->l->launch.ctas;
	struct ws_rng rng;

	x->deal = ws_alloc_zero((size_t)n, sizeof *x->deal);
	x->taken = ws_alloc_zero((size_t)x->m->sm_count, sizeof *x->taken);
	ws_rng_seed(&rng, seed);
	for (uint64_t i = 0; i < n; i++) {
		uint64_t j = x->m->sm_assign == WS_ASSIGN_RANDOM ? ws_rng_below(&rng, i + 1) : i;

		x->deal[i] = x->deal[j];
		x->deal[j] = i;
	}
}

static void set_up(struct ref_machine *x)
{
	size_t sms = (size_t)x->m->sm_count, schedulers = (size_t)x->m->sm_schedulers;
	size_t lines = x->m->sm_code_line ? (size_t)(WS_CODE_MAX / x->m->sm_code_line + 1) : 1;

	x->sm = ws_alloc_zero(sms, sizeof *x->sm);
	for (size_t i = 0; i < sms; i++) {
		struct ref_sm *sm = &x->sm[i];

		sm->cta = ws_alloc_zero(x->slots, sizeof *sm->cta);
		sm->last = ws_alloc_zero(schedulers, sizeof *sm->last);
		sm->last_age = ws_alloc_zero(schedulers, sizeof *sm->last_age);
		sm->active = ws_alloc_zero(x->slots * x->warps, sizeof *sm->active);
		sm->since = ws_alloc_zero(x->slots * x->warps, sizeof *sm->since);
		for (size_t w = 0; w < x->slots * x->warps; w++)
			sm->since[w] = UINT64_MAX;
		sm->unit = ws_alloc_zero(schedulers, sizeof *sm->unit);
		sm->pipe = x->coded ? ref_pipe_new(x->m, &x->l->launch) : NULL;
		sm->front = x->front ? x->l->front[i] : NULL;
		if (x->front)
			ref_front_begin(sm->front, x->slots * x->warps);
		sm->line = ws_alloc_zero(lines, sizeof *sm->line);
		for (size_t line = 1; line < lines; line++)
			sm->line[line] = UINT64_MAX;
	}
	for (size_t slot = 0; slot < x->slots; slot++) {
		for (size_t i = 0; i < sms; i++)
			place(x, i, slot, x->front ? slot + 1 : 0);
	}
}

static void run_pipe(struct ref_machine *x, size_t sm)
{
	struct handing_over h = { x, sm };
	const struct ref_pipe_unit lsu = { &h, lsu_is_free, hand_over };

	x->unit->advance(x->unit->context, sm, x->cycle);
	ref_pipe_cycle(x->sm[sm].pipe, &lsu, x->cycle);
}

/* ---- sm.front ------------------------------------------------------------------------------- */

static bool is_hungry(void *context, size_t slot, uint64_t *pc, bool *known)
{
	const struct handing_over *h = context;
	const struct ref_warp *w = warp_at(h->x, &h->x->sm[h->sm], slot);
	const struct ws_code_op *op;

	if (!w || all_issued(w) || w->fetched > w->next)
		return false;
	op = w->op[w->next ? w->next - 1 : 0].code.op;
	*known = op != NULL;
	*pc = op ? op->pc + (w->next ? 16 : 0) : 0;
	return true;
}

static bool leaves(void *context, size_t slot)
{
	const struct handing_over *h = context;
	const struct ref_cta *c = &h->x->sm[h->sm].cta[slot / h->x->warps];
	const struct ref_warp *w = c->resident ? &c->warp[slot % h->x->warps] : NULL;

	if (!w || c->start > h->x->cycle || w->gone || !all_issued(w) || w->at_barrier)
		return false;
	for (size_t i = 0; i < w->ops; i++)
		if (!w->op[i].code.done || w->op[i].back > h->x->cycle)
			return false;
	return true;
}

static void end_warp(void *context, size_t slot)
{
	const struct handing_over *h = context;

	h->x->sm[h->sm].cta[slot / h->x->warps].warp[slot % h->x->warps].gone = true;
}

static void decode(void *context, size_t slot)
{
	const struct handing_over *h = context;
	struct ref_warp *w = warp_at(h->x, &h->x->sm[h->sm], slot);

	w->fetched += h->x->m->sm_buffer;
	w->fetched_from = h->x->cycle + 1;
}

static bool ask(void *context, uint64_t address, uint64_t bytes, size_t number)
{
	const struct handing_over *h = context;

	return h->x->unit->code(h->x->unit->context, h->sm, address, bytes, number);
}

static void run_front(struct ref_machine *x, size_t sm)
{
	struct handing_over h = { x, sm };
	const struct ref_front_unit u = {
		&h, x->slots * x->warps, is_hungry, leaves, end_warp, decode, ask,
	};
	bool has_cta = false;

	ref_front_cycle(x->sm[sm].front, &u);
	for (size_t slot = 0; slot < x->slots; slot++)
		has_cta |= x->sm[sm].cta[slot].resident && x->sm[sm].cta[slot].start <= x->cycle;
	if (has_cta)
		ref_front_turns(x->sm[sm].front);
}

/* CTAs that ended make room for others; SMs come in turn from the one on that is behind the last
 * one that got a CTA. */
static bool replace(struct ref_machine *x)
{
	size_t first = x->front ? x->last + 1 : 0;
	bool busy = false;

	for (size_t n = 0; n < x->m->sm_count; n++) {
		size_t i = (first + n) % x->m->sm_count;

		for (size_t slot = 0; slot < x->slots; slot++) {
			struct ref_cta *c = &x->sm[i].cta[slot];

			if (cta_ended(x, c)) {
				x->end[i] = x->cycle + 1;
				ref_cta_clear(c, x->warps);
				place(x, i, slot, x->cycle + 1);
			}
			busy |= c->resident;
		}
	}
	return busy;
}

/* The n-th scheduler of a cycle. */
static void take_turn(struct ref_machine *x, size_t sm, size_t n)
{
	struct ref_sm *s = &x->sm[sm];
	size_t g = (size_t)((x->front ? ref_front_turn(s->front) : x->cycle) + n) %
		   (size_t)x->m->sm_schedulers;

	if (x->front) {		/* barriers may have opened */
		open_barriers(x, s);
		choose_active(x, s, g);
	}
	issue(x, sm, g);
}

/* True while any CTA is on its way. */
static bool cycle(struct ref_machine *x)
{
	size_t schedulers = (size_t)x->m->sm_schedulers;
	const struct ref_unit *u = x->unit;
	bool busy;

	for (size_t i = 0; i < x->m->sm_count; i++) {
		if (x->coded)
			ref_pipe_port(x->sm[i].pipe, x->cycle);
		u->receive(u->context, i, x->cycle);
		if (x->coded)
			run_pipe(x, i);
		for (size_t slot = 0; slot < x->slots * x->warps; slot++) {
			struct ref_warp *w = warp_at(x, &x->sm[i], slot);

			if (w && !all_issued(w) && !w->at_barrier && !x->front)
				ask_for_code(x, &x->sm[i], w);
		}
		if (!x->front)
			fetch(x, &x->sm[i]);
		for (size_t g = 0; g < schedulers; g++)
			choose_active(x, &x->sm[i], g);
		for (size_t g = 0; g < schedulers; g++)
			take_turn(x, i, g);
		open_barriers(x, &x->sm[i]);
		if (x->front)
			run_front(x, i);
		if (!x->coded)
			u->advance(u->context, i, x->cycle);
	}
	u->rest(u->context, x->cycle);
	busy = replace(x);
	x->cycle++;
	return busy;
}

static void tear_down(struct ref_machine *x)
{
	for (size_t i = 0; i < x->m->sm_count; i++) {
		free(x->sm[i].cta);
		free(x->sm[i].last);
		free(x->sm[i].last_age);
		free(x->sm[i].active);
		free(x->sm[i].since);
		free(x->sm[i].line);
		free(x->sm[i].unit);
		ref_pipe_free(x->sm[i].pipe);
	}
	free(x->sm);
	free(x->deal);
	free(x->taken);
}

size_t ref_machine_run(const struct ref_launch *l, const struct ws_machine *m, uint64_t seed,
		       const struct ref_unit *unit, uint64_t *end)
{
	struct ref_machine x = { .l = l, .m = m, .unit = unit, .end = end };
	uint64_t threads = ws_launch_threads(&l->launch), slots, plain;

	plain = (threads + m->warp_width - 1) / m->warp_width;
	x.warps = (size_t)((plain + ref_warp_rows(m) - 1) / ref_warp_rows(m));
	slots = m->sm_ctas;
	while (slots * plain > m->sm_warps || slots * plain * m->warp_width > m->sm_threads)
		slots--;
	x.slots = (size_t)slots;
	x.start = m->sm_code_line && l->kept_lines && l->kept[0] ? m->sm_code_cycles
								 : m->sm_start_cycles;
	x.start -= m->sm_fetch && m->sm_buffer && !at_once(m) && x.start;
	x.coded = unit->codes && ws_launch_has_pipeline(&l->launch, m);
	x.front = x.coded && ws_machine_has_front(m);
	x.start = x.front ? 0 : x.start;
	deal(&x, seed);
	set_up(&x);
	while (cycle(&x))
		continue;
	for (; unit->busy(unit->context); x.cycle++) {
		for (size_t i = 0; i < m->sm_count; i++) {
			unit->receive(unit->context, i, x.cycle);
			unit->advance(unit->context, i, x.cycle);
		}
		unit->rest(unit->context, x.cycle);
	}
	if (l->last && x.front)
		*l->last = x.last;
	tear_down(&x);
	return x.slots;
}
