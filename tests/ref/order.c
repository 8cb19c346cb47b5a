/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/ref/order.c -- the machine of trace/order/sm.h, cycle by cycle.
 *
 * A warp's program is one entry per op here, gaps written out.  Every cycle
 * looks at every warp and works out anew whether it may issue.  Of a large warp every instruction
 * is an op for each sub-warp, which is dealt out lane by lane.
 */
#include "tests/ref/order.h"

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

/* ---- coalescing ---------------------------------------------------------------------- */

size_t ref_coalesce(const struct ws_machine *m, const uint64_t *address, uint64_t mask,
		    uint32_t bytes, struct ws_request *out)
{
	static uint64_t segment[WS_COALESCE_MAX(64, WS_ACCESS_BYTES_MAX)];
	uint64_t most = m->coalesce_line;
	size_t n = 0;

	if (m->profile == WS_BEHAVES_GPGPUSIM && bytes == 1)
		most = 32;
	if (m->profile == WS_BEHAVES_GPGPUSIM && bytes == 2 && most > 64)
		most = 64;

	for (unsigned lane = 0; lane < 64; lane++) {
		for (uint32_t b = 0; b < bytes && (mask >> lane & 1); b++) {
			uint64_t at = address[lane] + b, line, offset;
			size_t i = 0;

			if (at < address[lane])
				break; /* past the end of memory */
			line = at / m->l1.line_bytes * m->l1.line_bytes;
			offset = at - line;
			while (i < n && (out[i].address != line ||
					 segment[i] != at / most))
				i++;
			if (i == n) {
				out[n].address = line;
				out[n].sectors = 0;
				segment[n++] = at / most;
			}
			out[i].sectors |= (uint32_t)1 << offset / 32;
		}
	}
	return n;
}

/* Each lane's sectors go to the first request that has no byte of it. */
static size_t coalesce_atomics(const struct ws_machine *m, const uint64_t *address, uint64_t mask,
			       uint32_t bytes, struct ws_request *out)
{
	static bool taken[WS_COALESCE_MAX(64, 32)][32];
	size_t n = 0;

	memset(taken, 0, sizeof taken);
	for (unsigned lane = 0; lane < 64; lane++) {
		for (uint32_t b = 0; b < bytes && (mask >> lane & 1);) {
			uint64_t at = address[lane] + b, line = at - at % m->l1.line_bytes;
			uint32_t sector = (uint32_t)1 << (at - line) / 32, end = b;
			size_t i = 0;
			bool fits = false;

			while (end < bytes && (address[lane] + end) / 32 == at / 32)
				end++;
			for (; i < n && !fits; i += !fits) {
				fits = out[i].address == line && out[i].sectors == sector;
				for (uint32_t k = b; k < end; k++)
					fits = fits && !taken[i][(address[lane] + k) % 32];
			}
			if (i == n) {
				out[n].address = line;
				out[n++].sectors = sector;
			}
			for (; b < end; b++)
				taken[i][(address[lane] + b) % 32] = true;
		}
	}
	return n;
}

/* What the lanes write, to where the requests' .fetch say. */
static void find_written(const struct ws_machine *m, const uint64_t *address, uint64_t mask,
			 uint32_t bytes, struct ws_request *r, size_t n, struct ws_written *out)
{
	for (size_t i = 0; i < n; i++)
		r[i].fetch = (uint64_t)(uintptr_t)&out[i];
	for (unsigned lane = 0; lane < 64; lane++) {
		for (uint32_t b = 0; b < bytes && (mask >> lane & 1); b++) {
			uint64_t at = address[lane] + b, line = at - at % m->l1.line_bytes;
			size_t i = 0;

			while (r[i].address != line || !(r[i].sectors >> (at - line) / 32 & 1))
				i++;
			out[i].byte[at / 32 % 4] |= (uint32_t)1 << at % 32;
		}
	}
}

uint64_t ref_latency(const struct ws_request *r, uint64_t span)
{
	uint64_t x = r->address ^ (uint64_t)r->cta << 40 ^ (uint64_t)r->warp << 20 ^ r->instruction;

	x = (x + 1) * 0x9e3779b97f4a7c15ull;
	x ^= x >> 29;
	return (x >> 7) % span;
}

/* ---- programs ------------------------------------------------------------------------- */

enum what { OTHER, MEMORY, BARRIER };

struct ref_op {
	enum what what;
	uint32_t instruction;
	struct ws_request *request;
	struct ws_written *written; /* of a store, with profile = gpgpusim: where .fetch points */
	size_t count;
	uint64_t number;	/* of its instruction, among those of the warp that are no
				 * barriers */
	uint64_t back;		/* of a load, once issued */
	bool issued;
	size_t run;		/* number of its run's first op among the warp's */
	bool link;		/* comes after the run's link before, or its first op */
	uint64_t low, high;	/* the run's code; low > high: unknown */
};

struct ref_warp {
	struct ref_op *op;
	size_t ops, cap, next;
	size_t settled;		/* the data of all before is back */
	bool at_barrier;
	uint64_t issued;	/* the cycle in which the op before `next` was */
	uint64_t link;		/* ... and the run's last link, or its first op */
	uint64_t open;		/* the cycle from which the run's code is there */
	size_t opened;		/* 1 + the first op of that run; 0: of none */
	size_t fetched;		/* ops, with sm.fetch */
	uint64_t fetched_at;	/* the last of them */
	/* while the program is built: the run's first op, steps of its chains, its code */
	size_t run;
	uint64_t chain, low, high;
};

struct ref_cta {
	struct ref_warp *warp;
	uint64_t start, age;
	bool resident;
};

/* again: of the same instruction as the op before. */
static struct ref_op *add_op(struct ref_warp *w, enum what what, bool again)
{
	struct ref_op *op;

	if (!WS_ROOM(w->op, w->cap, w->ops + 1))
		abort();
	op = &w->op[w->ops];
	*op = (struct ref_op){ .what = what };
	if (w->ops)
		op->number = op[-1].number + (op[-1].what != BARRIER && !again);
	w->ops++;
	return op;
}

/* More of the run at hand. */
static void add_pace(struct ref_warp *w, const struct ws_pace *p, bool large)
{
	w->chain += large ? 0 : p->chain;
	if (p->code_end) {
		w->low = p->code < w->low ? p->code : w->low;
		w->high = p->code_end > w->high ? p->code_end : w->high;
	}
}

/* The run at hand ends with the op added last: its chain is spread over it. */
static void end_run(struct ref_warp *w)
{
	uint64_t n = w->ops - w->run, c = w->chain;

	c = n && c > n - 1 ? n - 1 : c;
	for (uint64_t j = 1; j <= n; j++) {
		struct ref_op *op = &w->op[w->run + j - 1];

		op->run = w->run;
		op->link = j > 1 && (j - 1) * c / (n - 1) > (j - 2) * c / (n - 1);
		op->low = w->low;
		op->high = w->high;
	}
	w->run = w->ops;
	w->chain = w->high = 0;
	w->low = UINT64_MAX;
}

struct ref_sub_warps {		/* which lane of the CTA is in which column */
	size_t count, lane[64][64];
	uint64_t mask[64];
};

/* Columns hand out their lanes from the top, one for each sub-warp, until none is left. */
static void deal_lanes(struct ref_sub_warps *s, const struct ref_step *step, size_t first,
		       size_t width, size_t rows, size_t threads)
{
	bool left[WS_CTA_THREADS_MAX] = { false }, any = true;

	for (size_t lane = first; lane < first + width * rows && lane < threads; lane++)
		left[lane] = step->mask[lane / 64] >> lane % 64 & 1;
	for (s->count = 0; any; s->count += any) {
		any = false;
		s->mask[s->count] = 0;
		for (size_t column = 0; column < width; column++) {
			size_t lane = first + column;

			while (lane < first + width * rows && lane < threads && !left[lane])
				lane += width;
			if (lane >= first + width * rows || lane >= threads)
				continue;
			left[lane] = false;
			any = true;
			s->mask[s->count] |= 1ull << column;
			s->lane[s->count][column] = lane;
		}
	}
}

static size_t rows_of(const struct ws_machine *m)
{
	return m->sm_large_warp ? (size_t)m->sm_large_warp : 1;
}

static void add_others(struct ref_warp *w, uint32_t count, size_t sub_warps)
{
	for (uint32_t i = 0; i < count; i++)
		for (size_t k = 0; k < sub_warps; k++)
			add_op(w, OTHER, k > 0);
}

static void add_instruction(struct ref_warp *w, const struct ref_launch *l,
			    const struct ws_machine *m, uint32_t instruction,
			    const uint64_t *address, const struct ref_sub_warps *s)
{
	const struct ws_instruction *in = &l->launch.instruction[instruction];

	add_others(w, in->gap, s->count);
	add_pace(w, &in->pace, rows_of(m) > 1);
	for (size_t k = 0; k < s->count; k++) {
		struct ref_op *op = add_op(w, in->space == WS_SPACE_GLOBAL ? MEMORY : OTHER, k > 0);
		uint64_t own[64] = { 0 };

		if (op->what != MEMORY)
			continue;
		for (size_t column = 0; column < 64; column++)
			if (s->mask[k] >> column & 1)
				own[column] = address[s->lane[k][column]];
		op->instruction = instruction;
		op->request = ws_alloc_zero(WS_COALESCE_MAX(64, in->bytes), sizeof *op->request);
		op->count = m->profile == WS_BEHAVES_GPGPUSIM && in->kind == WS_ATOMIC &&
			in->bytes <= 32
			? coalesce_atomics(m, own, s->mask[k], in->bytes, op->request)
			: ref_coalesce(m, own, s->mask[k], in->bytes, op->request);
		if (m->profile == WS_BEHAVES_GPGPUSIM && in->kind == WS_STORE) {
			op->written = ws_alloc_zero(op->count + 1, sizeof *op->written);
			find_written(m, own, s->mask[k], in->bytes, op->request, op->count,
				     op->written);
		}
		end_run(w);
	}
}

static void build(struct ref_cta *c, const struct ref_launch *l, uint64_t cta,
		  const struct ws_machine *m, size_t warps)
{
	size_t threads = (size_t)ws_launch_threads(&l->launch);
	size_t width = (size_t)m->warp_width, rows = rows_of(m);
	struct ref_sub_warps s;

	c->warp = ws_alloc_zero(warps, sizeof *c->warp);
	for (size_t w = 0; w < warps; w++)
		c->warp[w].low = UINT64_MAX;
	for (size_t k = 0; k < l->steps[cta]; k++) {
		const struct ref_step *step = &l->step[cta][k];
		const struct ws_segment *segment = &l->launch.segment[step->segment];

		for (size_t w = 0; w < warps; w++) {
			deal_lanes(&s, step, w * width * rows, width, rows, threads);
			for (uint32_t a = 0; s.count && a < segment->count; a++)
				add_instruction(&c->warp[w], l, m, segment->first + a,
						step->address[a], &s);
			if (!s.count)
				continue;
			add_others(&c->warp[w], segment->tail, s.count);
			add_pace(&c->warp[w], &segment->pace, rows > 1);
			if (segment->barrier) {
				add_op(&c->warp[w], BARRIER, false);
				end_run(&c->warp[w]);
			}
		}
	}
	for (size_t w = 0; w < warps; w++)
		end_run(&c->warp[w]);
}

static void clear(struct ref_cta *c, size_t warps)
{
	for (size_t w = 0; w < warps; w++) {
		for (size_t i = 0; i < c->warp[w].ops; i++) {
			free(c->warp[w].op[i].request);
			free(c->warp[w].op[i].written);
		}
		free(c->warp[w].op);
	}
	free(c->warp);
	*c = (struct ref_cta){ 0 };
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
};

static bool all_issued(const struct ref_warp *w)
{
	return w->next == w->ops;
}

static bool data_is_back(const struct ref_machine *x, struct ref_warp *w)
{
	uint64_t number = w->op[w->next].number;

	while (w->settled < w->next && w->op[w->settled].back <= x->cycle)
		w->settled++;
	for (size_t i = w->settled; i < w->next; i++) {
		const struct ref_op *op = &w->op[i];
		const struct ws_instruction *in = &x->l->launch.instruction[op->instruction];

		if (op->what != MEMORY || in->kind == WS_STORE)
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

static struct ref_warp *warp_at(const struct ref_machine *x, const struct ref_sm *sm, size_t slot)
{
	struct ref_cta *c = &sm->cta[slot / x->warps];

	if (!c->resident || c->start + slot % x->warps * x->m->sm_launch_cycles > x->cycle ||
	    (x->cycle < x->start && !had_some(x, (size_t)(sm - x->sm))))
		return NULL;
	return &c->warp[slot % x->warps];
}

/* Its CTA has started, the warp has not. */
static bool unstarted(const struct ref_machine *x, const struct ref_sm *sm, size_t slot)
{
	const struct ref_cta *c = &sm->cta[slot / x->warps];

	return c->resident && c->start <= x->cycle && !warp_at(x, sm, slot) &&
	       c->warp[slot % x->warps].ops;
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
		if (w->next == w->fetched || w->fetched_at == x->cycle)
			return false;
	} else if (x->m->sm_buffer && w->next && w->next % x->m->sm_buffer == 0 &&
		   w->issued + 2 > x->cycle) {
		return false;
	}
	return !op->link || w->link + x->m->sm_alu_cycles <= x->cycle;
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
			w->fetched_at = x->cycle;
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
	if (w->op[w->next].what != MEMORY &&
	    sm->unit[slot % x->m->sm_schedulers] >
	    x->cycle + x->m->sm_alu_queue * x->m->sm_alu_interval)
		return false;
	return w->op[w->next].what != MEMORY ||
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
		if (slot + 1 == sm->last[g] && c->age + 1 == sm->last_age[g])
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

static void issue_memory(struct ref_machine *x, size_t sm, size_t slot, struct ref_op *op)
{
	const struct ws_instruction *in = &x->l->launch.instruction[op->instruction];
	bool waits;

	for (size_t i = 0; i < op->count; i++) {
		op->request[i].instruction = op->instruction;
		op->request[i].warp = (uint16_t)(slot % x->warps);
		op->request[i].kind = in->kind;
		op->request[i].cycle = x->cycle + i;
		op->request[i].follows = i > 0;
		op->request[i].part = slot / x->m->sm_schedulers % x->m->l1_parts & 0x3f;
	}
	waits = in->kind != WS_STORE ||
		(op->count && x->m->sm_stores == WS_STORES_ACKNOWLEDGED);
	op->back = waits ? UINT64_MAX : 0;
	x->unit->issue(x->unit->context, sm, op->request, op->count,
		       waits ? &op->back : NULL, x->cycle);
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

		if (sm->active[slot] && w->op[w->next].what == MEMORY)
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
	if (op->what != MEMORY && x->m->sm_alu_interval > 1)
		s->unit[g] = (s->unit[g] > x->cycle ? s->unit[g] : x->cycle) +
			     x->m->sm_alu_interval;
	s->last[g] = slot + 1;
	s->last_age[g] = s->cta[slot / x->warps].age + 1;
	if (op->what == MEMORY)
		issue_memory(x, sm, slot, op);
	if (op->what == BARRIER) {
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
		if (!all_issued(&c->warp[w]) || c->warp[w].at_barrier)
			return false;
	}
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
	build(c, x->l, cta, x->m, x->warps);
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
		sm->line = ws_alloc_zero(lines, sizeof *sm->line);
		for (size_t line = 1; line < lines; line++)
			sm->line[line] = UINT64_MAX;
	}
	for (size_t slot = 0; slot < x->slots; slot++) {
		for (size_t i = 0; i < sms; i++)
			place(x, i, slot, 0);
	}
}

/* True while any CTA is on its way. */
static bool cycle(struct ref_machine *x)
{
	size_t schedulers = (size_t)x->m->sm_schedulers;
	const struct ref_unit *u = x->unit;
	bool busy = false;

	for (size_t i = 0; i < x->m->sm_count; i++) {
		u->receive(u->context, i, x->cycle);
		for (size_t slot = 0; slot < x->slots * x->warps; slot++) {
			struct ref_warp *w = warp_at(x, &x->sm[i], slot);

			if (w && !all_issued(w) && !w->at_barrier)
				ask_for_code(x, &x->sm[i], w);
		}
		fetch(x, &x->sm[i]);
		for (size_t g = 0; g < schedulers; g++)
			choose_active(x, &x->sm[i], g);
		for (size_t g = 0; g < schedulers; g++)
			issue(x, i, (size_t)(x->cycle + g) % schedulers);
		open_barriers(x, &x->sm[i]);
		u->advance(u->context, i, x->cycle);
	}
	u->rest(u->context, x->cycle);
	for (size_t i = 0; i < x->m->sm_count; i++) {
		for (size_t slot = 0; slot < x->slots; slot++) {
			struct ref_cta *c = &x->sm[i].cta[slot];

			if (cta_ended(x, c)) {
				x->end[i] = x->cycle + 1;
				clear(c, x->warps);
				place(x, i, slot, x->cycle + 1);
			}
			busy |= c->resident;
		}
	}
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
	x.warps = (size_t)((plain + rows_of(m) - 1) / rows_of(m));
	slots = m->sm_ctas;
	while (slots * plain > m->sm_warps || slots * plain * m->warp_width > m->sm_threads)
		slots--;
	x.slots = (size_t)slots;
	x.start = m->sm_code_line && l->kept_lines && l->kept[0] ? m->sm_code_cycles
								 : m->sm_start_cycles;
	x.start -= m->sm_fetch && m->sm_buffer && x.start;
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
	tear_down(&x);
	return x.slots;
}
