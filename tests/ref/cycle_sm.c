/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/ref/cycle_sm.c -- an SM of validate/cycle/cycle.h behind its schedulers,
	 which are order.c's:
 * the load-store unit, the L1 and the ports.  Queues are arrays.
 */
#include "tests/ref/cycle_gpu.h"

#include <stdlib.h>
#include <string.h>

#include "tests/ref/front.h"
#include "tests/ref/must.h"
#include "tests/ref/own_kind.h"
#include "tests/ref/set_ways.h"

static uint32_t array_at(const struct ws_launch *l, uint32_t instruction, uint64_t address)
{
	if (l->instruction[instruction].array != WS_NO_ARRAY)
		return l->instruction[instruction].array;
	for (uint32_t i = 0; i < l->arrays; i++) {
		if (address >= l->array[i].base && address - l->array[i].base < l->array[i].bytes)
			return i;
	}
	return WS_NO_ARRAY;
}

/* Where requests of that instruction at that address are counted; a spare one for lines thrown
 * out. */
struct ws_cycle_site *ref_site(struct ref_gpu *g, uint32_t instruction, uint64_t address)
{
	const struct ws_launch *l = g->launch;
	size_t row = l->arrays + 1, array;

	if (instruction == UINT32_MAX)
		return &g->site[l->instructions * row];
	array = array_at(l, instruction, address);
	return &g->site[instruction * row + (array == WS_NO_ARRAY ? l->arrays : array)];
}

uint64_t ref_first_sector(uint64_t line, uint32_t sectors)
{
	for (; !has(sectors, 0); sectors >>= 1)
		line += 32;
	return line;
}

static uint64_t size_of(uint32_t sectors)
{
	return WS_HEADER_BYTES + 32 * ws_popcount(sectors);
}

uint64_t ref_port_cycles(const struct ref_gpu *g, uint64_t bytes)
{
	return bytes / g->m.icnt_width + (bytes % g->m.icnt_width != 0);
}

/* ---- an SM: receive --------------------------------------------------------------------- */

static void request_back(struct ref_load *l, uint64_t back)
{
	l->latest = back > l->latest ? back : l->latest;
	if (--l->left == 0)
		*l->back = l->latest;
}

static void load_done(struct ref_gpu *g, struct ref_timed_sm *sm, const struct ref_load *l)
{
	uint64_t cycles = l->latest - l->issued;

	if (l->left)
		return;
	sm->stats->loads++;
	sm->stats->latency_sum += cycles;
	if (sm->stats->latency_max < cycles)
		sm->stats->latency_max = cycles;
	sm->stats->latency[ws_cell((uint32_t)cycles, WS_LATENCY_BITS)]++;
	(void)g;
}

static void request_served(struct ref_gpu *g, struct ref_timed_sm *sm, struct ref_load *l,
			   uint64_t cycle)
{
	uint64_t all = g->m.l1.latency_cycles, before = g->m.l1_lookup_cycles + g->front;

	request_back(l, cycle + (all > before ? all - before : 0));
	load_done(g, sm, l);
}

/* Is the data of loads written to registers one after the other? */
static bool has_port(const struct ref_gpu *g)
{
	return g->front && g->m.l1_mshr_rate == 1 && g->m.l1_mshr_cycles > 1;
}

static struct ref_part *add_part(struct ref_gpu *g, struct ref_load *l, uint64_t cycle)
{
	uint64_t all = g->m.l1.latency_cycles, before = g->m.l1_lookup_cycles + g->front;
	struct ref_parts *p = l->parts;

	if (!WS_ROOM(p->part, p->cap, p->count + 1))
		abort();
	p->part[p->count] = must(1, sizeof(struct ref_part));
	p->part[p->count]->from = cycle + (all > before ? all - before : 0);
	return p->part[p->count++];
}

/* Data that came in this cycle waits to be written. */
static struct ref_part *add_waiting(struct ref_gpu *g, struct ref_timed_sm *sm,
				    struct ref_load *l)
{
	struct ref_part *part = add_part(g, l, g->cycle + g->m.l1_mshr_cycles - 1);

	part->number = sm->came++;
	part->waits = true;
	part->load = l;
	ref_list_add(&sm->coming, part);
	return part;
}

/* What the port wrote in this cycle. */
static void take_written(struct ref_gpu *g, struct ref_timed_sm *sm)
{
	for (size_t i = 0; i < sm->coming.count;) {
		struct ref_part *part = sm->coming.item[i];
		struct ref_load *l = part->load;

		if (!part->written) {
			i++;
			continue;
		}
		ref_list_take(&sm->coming, i);
		if (part->all) {
			request_back(l, g->cycle);
			load_done(g, sm, l);
		}
	}
}

/* The place in front of the port is taken by data that went past the L1. */
static bool place_is_taken(const struct ref_timed_sm *sm)
{
	for (size_t i = 0; i < sm->coming.count; i++) {
		const struct ref_part *part = sm->coming.item[i];

		if (part->past && !part->taken)
			return true;
	}
	return false;
}

static void waiter_served(void *context, struct ref_waiter *w)
{
	struct ref_gpu *g = context;

	struct ref_timed_sm *sm = g->at_sm;

	if (has_port(g)) {
		struct ref_part *part = add_waiting(g, sm, w->owner);

		part->all = !w->left;
		part->l1 = g->at_l1;
		g->at_last = part;
		return;
	}
	if (sm->served_in < g->cycle || (g->m.l1_mshr_rate && sm->served == g->m.l1_mshr_rate)) {
		sm->served_in = sm->served_in < g->cycle ? g->cycle : sm->served_in + 1;
		sm->served = 0;
	}
	sm->served++;
	g->served_at = g->m.l1_mshr_rate ? sm->served_in : g->cycle;
	add_part(g, w->owner, g->m.l1_mshr_cycles +
		 (g->m.l1_mshr_rate ? sm->served_in : g->cycle));
	if (!w->left)
		request_served(g, sm, w->owner, g->m.l1_mshr_cycles +
			       (g->m.l1_mshr_rate ? sm->served_in : g->cycle));
}

/* Does the level not know the page?  Then it does. */
static bool page_misses(const struct ws_machine *m, unsigned level, struct ref_tlb *t,
			uint64_t page)
{
	const struct ws_set_ways *of = &m->tlb[level];
	uint64_t all = ws_set_ways_sum(of), set = page % ws_set_ways_sets(of);
	struct ws_cache ways = { .set_ways = *of };
	struct ref_page *first = t->entry + set * all, *oldest = first;

	t->clock++;
	for (uint64_t i = 0; i < ref_set_ways(&ways, set); i++) {
		if (first[i].used && first[i].page == page) {
			first[i].used = t->clock;
			return false;
		}
		if (first[i].used < oldest->used)
			oldest = &first[i];
	}
	*oldest = (struct ref_page){ page, t->clock };
	return true;
}

static unsigned tlbs_missed(struct ref_gpu *g, struct ref_timed_sm *sm, uint64_t part,
			    uint64_t address)
{
	unsigned missed = 0;

	if (!g->m.tlb[0].runs)
		return 0;
	sm->stats->tlb.requests++;
	while (missed < 2 && g->m.tlb[missed].runs &&
	       page_misses(&g->m, missed, &sm->tlb[part][missed], address / g->m.tlb_page))
		sm->stats->tlb.misses[missed++]++;
	return missed;
}

static const struct ws_written *written_by(const struct ws_request *r)
{
	return (const struct ws_written *)(uintptr_t)r->fetch;
}

/* Packets of the sectors, one for each piece, enter the queue; by: NULL: nobody's.  How many
 * replies there will be. */
static unsigned enter_queue(struct ref_gpu *g, struct ref_timed_sm *sm, uint64_t part, uint8_t kind,
			    uint64_t address, uint32_t sectors, const struct ws_request *by,
			    struct ref_fetch *f)
{
	unsigned n = 0, missed = sectors ? tlbs_missed(g, sm, part, address) : 0;
	uint64_t walk = (missed > 0) * g->m.tlb_miss_cycles[0] +
		(missed > 1) * g->m.tlb_miss_cycles[1];
	struct ref_packet *p = NULL;

	for (unsigned s = 0; s < SECTORS; s++) {
		uint64_t at = address + 32 * s, line = at - at % g->m.l2.line_bytes;

		if (!has(sectors, s))
			continue;
		if (!p || p->address != line) {
			p = must(1, sizeof *p);
			*p = (struct ref_packet){ .address = line,
					      .instruction = by ? by->instruction : UINT32_MAX,
					      .cta = by ? by->cta : 0,
					      .warp = by ? by->warp : 0, .sm = (size_t)(sm - g->sm),
					      .kind = kind,
					      .written = by ? written_by(by) : NULL,
					      .fetch = f, .ready = g->cycle + walk,
					      .missed = missed };
			ref_list_add(walk ? &sm->walking : &sm->to_l2, p);
			n += !g->to_sms;
		}
		n += g->to_sms != NULL; /* replies are of sectors */
		p->sectors |= (uint32_t)1 << (at - line) / 32;
	}
	return n;
}

uint64_t ref_request_size(const struct ref_packet *p)
{
	return p->kind == WS_LOAD ? WS_HEADER_BYTES : size_of(p->sectors);
}

uint64_t ref_reply_size(const struct ref_packet *p)
{
	return p->kind == WS_STORE ? WS_HEADER_BYTES : size_of(p->sectors);
}

/* The MSHR that was just filled is in use until a cycle before its last load has its data. */
static void keep_held(const struct ref_gpu *g, struct ref_timed_cache *l1)
{
	uint64_t *free_at = must(1, sizeof *free_at);

	*free_at = g->served_at + g->m.l1_mshr_cycles - 1;
	ref_list_add(&l1->freed, free_at);
}

void ref_sm_receive(void *context, size_t number, uint64_t cycle)
{
	struct ref_gpu *g = context;
	struct ref_timed_sm *sm = &g->sm[number];
	struct ref_packet *p = sm->replies.count ? sm->replies.item[0] : NULL;

	g->cycle = cycle;
	take_written(g, sm);
	for (size_t i = 0; i < sm->credit.count;) {
		if (*(uint64_t *)sm->credit.item[i] > cycle) {
			i++;
			continue;
		}
		free(ref_list_take(&sm->credit, i));
		sm->credits++;
	}
	if (!p || p->arrival > cycle || sm->receiving > cycle)
		return;
	if (has_port(g) && !p->fetch->code && !p->fetch->mshr && p->kind != WS_STORE &&
	    place_is_taken(sm))
		return;
	ref_list_take(&sm->replies, 0);
	sm->receiving = cycle + (g->to_sms ? 1 : ref_port_cycles(g, ref_reply_size(p)));
	if (p->fetch->code) {
		ref_front_sector(p->fetch->code, p->fetch->number);
		free(p);
		return;
	}
	sm->stats->received_packets++;
	sm->stats->received_bytes += ref_reply_size(p);
	if (--p->fetch->pieces == 0 && p->fetch->mshr) {
		struct ref_mshr *m = p->fetch->mshr;
		struct ref_issue *by = &g->stream->item[p->fetch->number];
		struct ref_answer a = { .waits = false };

		by->fetch = cycle - by->cycle;
		g->at_sm = sm;
		g->at_l1 = p->fetch->l1;
		ref_fill(p->fetch->l1, ws_set_index(&g->m.l1, m->line), m, &a, waiter_served, g);
		if (has_port(g))
			g->at_last->last = true;
		else if (g->m.l1_lookup_cycles && g->m.l1_mshr_cycles)
			keep_held(g, p->fetch->l1);
		enter_queue(g, sm, (uint64_t)(p->fetch->l1 - sm->l1), WS_STORE, a.victim,
			    a.victim_sectors, NULL, NULL);
	} else if (has_port(g) && !p->fetch->mshr && p->kind != WS_STORE) {
		struct ref_part *part = add_waiting(g, sm, p->fetch->load);

		part->past = true;
		part->all = p->fetch->pieces == 0;
	} else if (p->fetch->pieces == 0 && p->kind == WS_STORE) {
		request_back(p->fetch->load, cycle);
	} else if (p->fetch->pieces == 0) {
		request_served(g, sm, p->fetch->load, cycle + g->m.l1_mshr_cycles);
	}
	free(p);
}

/* ---- an SM: ref_sm_issue, look up,
	send ------------------------------------------------------------ */

bool ref_sm_free(void *context, size_t number, uint64_t cycle)
{
	const struct ref_gpu *g = context;
	const struct ref_timed_sm *sm = &g->sm[number];

	return sm->op.count < (g->front ? 1 : g->m.sm_lsu_ops) && sm->issued != cycle + 1;
}

static int falling(const void *a, const void *b)
{
	const struct ws_request *p = a, *q = b;
	uint64_t first = ref_first_sector(p->address, p->sectors);
	uint64_t second = ref_first_sector(q->address, q->sectors);

	return (first < second) - (first > second);
}

void ref_sm_issue(void *context, size_t number, const struct ws_request *r, size_t n,
		  uint64_t *back, struct ref_parts *parts, uint64_t cycle)
{
	struct ref_gpu *g = context;
	struct ref_timed_sm *sm = &g->sm[number];

	struct ref_lsu_op *op = must(1, sizeof *op);

	*op = (struct ref_lsu_op){ .request = more(NULL, n + 1, sizeof *r), .requests = n };
	memcpy(op->request, r, n * sizeof *r);
	for (size_t i = 0; i < n && op->request[i].fetch; i++) {
		struct ws_written *kept = must(1, sizeof *kept);

		*kept = *written_by(&r[i]);
		op->request[i].fetch = (uint64_t)(uintptr_t)kept;
		ref_list_add(&g->written, kept);
	}
	if (g->m.sm_lsu_requests == WS_REQUESTS_FALLING)
		qsort(op->request, n, sizeof *r, falling);
	sm->issued = cycle + 1;
	sm->stats->memory_instructions++;
	if (back) {
		op->load = must(1, sizeof *op->load);
		*op->load = (struct ref_load){
			.issued = cycle > g->front ? cycle - g->front : 0, .back = back, .left = n,
			.parts = parts,
					   .store = n && ref_own_kind(r) == WS_STORE };
		ref_list_add(&g->loads, op->load);
	}
	ref_list_add(&sm->op, op);
}

static void log_accepted(struct ref_gpu *g, size_t number, const struct ws_request *r,
			 uint64_t cycle)
{
	const struct ref_issue item = {
		.sm = number, .cycle = cycle, .address = r->address, .sectors = r->sectors,
		.instruction = r->instruction, .cta = r->cta, .warp = r->warp, .kind = r->kind,
	};

	ref_stream_add(g->stream, &item);
}

static struct ref_fetch *new_fetch(struct ref_gpu *g, struct ref_timed_cache *l1,
				   struct ref_mshr *m,
			       struct ref_load *l)
{
	struct ref_fetch *f = must(1, sizeof *f);

	*f = (struct ref_fetch){ .mshr = m, .l1 = l1, .load = l };
	ref_list_add(&g->fetches, f);
	return f;
}

static void send_out(struct ref_gpu *g, struct ref_timed_sm *sm, struct ref_packet *p,
		     uint64_t cycle)
{
	uint64_t size = ref_request_size(p);

	sm->credits -= !g->to_sms;
	sm->stats->sent_packets++;
	sm->stats->sent_bytes += size;
	p->arrival = cycle + ws_icnt_cycles(&g->m);
	p->slice = (size_t)ws_l2_slice(&g->m, p->address);
	if (g->to_sms)
		ref_router_add(g->to_slices, ref_router_port(g, p->sm), p->slice,
			       ref_port_cycles(g, size), p);
	else if (g->m.icnt_queues == WS_QUEUES_INPUT)
		ref_list_add(&g->out.sent[p->sm], p);
	else
		ref_list_add(&g->slice[p->slice].queue, p);
}

static bool is_past(const struct ref_gpu *g, const struct ws_request *r)
{
	return r->kind == WS_ATOMIC || !g->m.l1.ways;
}

/* Does a request that goes past the L1 not queue? */
static bool passes(const struct ref_gpu *g, const struct ref_timed_sm *sm,
		   const struct ws_request *r)
{
	return g->m.profile == WS_BEHAVES_GPGPUSIM && g->m.l1_lookup_cycles && !g->m.tlb[0].runs &&
	       ref_pieces(sm->l1, r->address, r->sectors) == 1;
}

/* An atomic, what goes past the L1, or anything where there is none. */
static struct ref_answer l1_passed(struct ref_gpu *g, struct ref_timed_sm *sm,
				   const struct ws_request *r,
			       uint64_t room)
{
	struct ref_answer a = { .outcome = WS_MISS };
	struct ref_fetch *f = NULL;
	unsigned n;

	if (!passes(g, sm, r) && ref_pieces(sm->l1, r->address, r->sectors) > room) {
		ref_fail(&a, WS_FAIL_QUEUE);
		return a;
	}
	if (sm->load)
		f = new_fetch(g, NULL, NULL, sm->load);
	n = enter_queue(g, sm, r->part, (uint8_t)ref_own_kind(r), r->address, r->sectors, r, f);
	if (f)
		f->pieces = n;
	if (passes(g, sm, r))
		send_out(g, sm, ref_list_take(&sm->to_l2, sm->to_l2.count - 1), g->cycle);
	return a;
}

static void enter_gone(struct ref_gpu *g, struct ref_timed_sm *sm, uint64_t part,
		       const struct ref_grain_timed *t)
{
	for (size_t i = 0; i < t->gones;) {
		uint64_t line = t->gone[i] - t->gone[i] % g->m.l1.line_bytes;
		uint32_t sectors = 0;

		for (; i < t->gones && t->gone[i] < line + g->m.l1.line_bytes; i++)
			sectors |= (uint32_t)1 << (t->gone[i] - line) / 32;
		enter_queue(g, sm, part, WS_STORE, line, sectors, NULL, NULL);
	}
}

/* MSHRs in use that wait for nothing more. */
static uint64_t still_held(const struct ref_gpu *g, const struct ref_timed_sm *sm,
			   const struct ref_timed_cache *l1)
{
	uint64_t held = 0;

	for (size_t i = 0; i < sm->coming.count; i++) {
		const struct ref_part *part = sm->coming.item[i];

		held += part->last && !part->taken && part->l1 == l1;
	}

	for (size_t i = 0; i < l1->freed.count; i++)
		held += *(uint64_t *)l1->freed.item[i] > g->cycle;
	return held;
}

static struct ref_answer l1_cached(struct ref_gpu *g, struct ref_timed_sm *sm,
				   const struct ws_request *r,
			       uint64_t room)
{
	struct ref_timed_cache *l1 = &sm->l1[r->part];
	struct ref_waiter *w = must(1, sizeof *w);
	struct ref_answer a;

	w->owner = sm->load;
	l1->held = still_held(g, sm, l1);
	l1->full = g->m.profile == WS_BEHAVES_GPGPUSIM && r->kind == WS_LOAD && !room;
	l1->stays = g->m.profile == WS_BEHAVES_GPGPUSIM && g->m.l1.alloc == WS_ALLOC_ON_MISS;
	if (l1->words) {
		a = (struct ref_answer){ .waits = false };
		ref_look_up_words(l1, r, w, room, &a);
	} else {
		const struct ws_access by = {
			.address = r->address, .instruction = r->instruction,
			.sectors = r->sectors, .cta = r->cta, .warp = r->warp, .kind = r->kind,
		};

		a = ref_look_up(l1, ws_set_index(&g->m.l1, r->address), &by, written_by(r), w,
				room);
	}
	if (!a.waits)
		free(w);
	if (a.outcome == WS_FAILED)
		return a;
	enter_queue(g, sm, r->part, WS_STORE, a.victim, a.victim_sectors, NULL, NULL);
	enter_gone(g, sm, r->part, &a.words);
	if (a.send && sm->load) {
		struct ref_fetch *f = new_fetch(g, NULL, NULL, sm->load);

		f->pieces = enter_queue(g, sm, r->part, WS_STORE, r->address, a.send, r, f);
	} else {
		enter_queue(g, sm, r->part, WS_STORE, r->address, a.send, r, NULL);
	}
	if (!a.send && sm->load && r->kind == WS_STORE)
		request_back(sm->load, g->cycle);
	if (a.mshr) {
		struct ref_fetch *f = new_fetch(g, l1, a.mshr, NULL);

		f->number = g->stream->count;
		f->pieces = enter_queue(g, sm, r->part, WS_LOAD, r->address,
					a.mshr->fetch, r, f);
	}
	if (l1->words) {
		ref_grain_control(l1->words, r, a.words.hit, &a.words);
		enter_gone(g, sm, r->part, &a.words);
	}
	if (r->kind == WS_LOAD && !a.waits)
		request_served(g, sm, sm->load, g->cycle);
	return a;
}

static bool l1_request(struct ref_gpu *g, struct ref_timed_sm *sm, const struct ws_request *r)
{
	uint64_t used = sm->to_l2.count + sm->walking.count;
	uint64_t most = g->m.l1_queue +
		(g->m.profile == WS_BEHAVES_GPGPUSIM && r->kind == WS_STORE);
	uint64_t room = !used ? UINT64_MAX : used < most ? most - used : 0;
	struct ref_answer a = is_past(g, r) ? l1_passed(g, sm, r, room) : l1_cached(g, sm, r, room);

	ref_count(&sm->stats->l1[r->kind], &a, r->sectors);
	ref_count(&ref_site(g, r->instruction, ref_first_sector(r->address, r->sectors))->l1, &a,
		  r->sectors);
	return a.outcome != WS_FAILED;
}

/* Of a line of code. */
bool ref_sm_code(void *context, size_t number, uint64_t address, uint64_t bytes, size_t line)
{
	struct ref_gpu *g = context;
	uint64_t lower = address / g->m.l2.line_bytes * g->m.l2.line_bytes;
	size_t port = ref_router_port(g, number);
	struct ref_packet *p;

	if (ref_port_cycles(g, WS_HEADER_BYTES) > ref_router_room(g->to_slices, port))
		return false;
	p = must(1, sizeof *p);
	*p = (struct ref_packet){ .address = lower, .instruction = UINT32_MAX, .sm = number,
				  .kind = WS_LOAD, .fetch = new_fetch(g, NULL, NULL, NULL),
				  .slice = (size_t)ws_l2_slice(&g->m, lower) };
	p->fetch->code = g->turned[number];
	p->fetch->number = line;
	for (uint64_t at = address; at < address + bytes; at += 32)
		p->sectors |= (uint32_t)1 << (at - lower) / 32;
	ref_router_add(g->to_slices, port, p->slice, ref_port_cycles(g, WS_HEADER_BYTES), p);
	return true;
}

static uint64_t room_of(const struct ref_gpu *g, const struct ref_timed_sm *sm)
{
	return ref_router_room(g->to_slices, ref_router_port(g, (size_t)(sm - g->sm)));
}

/* A request that passes. */
static bool may_pass(const struct ref_gpu *g, const struct ref_timed_sm *sm,
		     const struct ws_request *r)
{
	const struct ref_packet p = { .kind = (uint8_t)ref_own_kind(r), .sectors = r->sectors };

	return g->to_sms ? ref_port_cycles(g, ref_request_size(&p)) <=
			   room_of(g, sm)
			 : sm->credits > 0;
}

static bool may_send(const struct ref_gpu *g, const struct ref_timed_sm *sm, uint64_t cycle)
{
	const struct ref_packet *p = sm->to_l2.count ? sm->to_l2.item[0] : NULL;

	if (g->to_sms)
		return p && ref_port_cycles(g, ref_request_size(p)) <=
			    room_of(g, sm);
	return sm->sending <= cycle && p && sm->credits;
}

static void send(struct ref_gpu *g, struct ref_timed_sm *sm, uint64_t cycle)
{
	struct ref_packet *p;

	for (unsigned missed = 1; missed <= 2; missed++)
		for (size_t i = 0; i < sm->walking.count;) {
			p = sm->walking.item[i];
			if (p->missed == missed && p->ready <= cycle)
				ref_list_add(&sm->to_l2, ref_list_take(&sm->walking, i));
			else
				i++;
		}
	if (!may_send(g, sm, cycle))
		return;
	p = ref_list_take(&sm->to_l2, 0);
	sm->sending = cycle + ref_port_cycles(g, ref_request_size(p));
	send_out(g, sm, p, cycle);
}

static void drop_done(struct ref_timed_sm *sm)
{
	while (sm->op.count) {
		struct ref_lsu_op *op = sm->op.item[0];

		if (op->next < op->requests)
			return;
		ref_list_take(&sm->op, 0);
		free(op->request);
		free(op);
	}
}

/* The first of each bank's queue that has waited. */
static void look_up_queued(struct ref_gpu *g, struct ref_timed_sm *sm, size_t number,
			   uint64_t cycle)
{
	for (size_t b = 0; b < g->m.l1_banks && g->m.l1_lookup_cycles; b++) {
		struct ref_list *queue = &sm->bank[b];
		struct ref_piped *p = queue->count ? queue->item[0] : NULL;

		if (!p || cycle - p->entered < g->m.l1_lookup_cycles)
			continue;
		sm->load = p->load;
		if (!l1_request(g, sm, &p->request))
			continue;
		log_accepted(g, number * g->m.l1_parts + p->request.part, &p->request, cycle);
		free(ref_list_take(queue, 0));
	}
}

/* Of the first op; false: it stays there. */
static bool enter_queued(struct ref_gpu *g, struct ref_timed_sm *sm, struct ref_list *queue,
			 const struct ws_request *r, uint64_t cycle)
{
	struct ref_piped *p;

	if (queue->count == g->m.l1_lookup_cycles)
		return false;
	p = must(1, sizeof *p);
	*p = (struct ref_piped){ *r, sm->load, cycle };
	ref_list_add(queue, p);
	return true;
}

void ref_sm_advance(void *context, size_t number, uint64_t cycle)
{
	struct ref_gpu *g = context;
	struct ref_timed_sm *sm = &g->sm[number];
	uint64_t used = 0; /* banks */
	bool last = false;

	if (g->to_sms)
		send(g, sm, cycle);
	look_up_queued(g, sm, number, cycle);
	drop_done(sm);
	for (uint64_t i = 0; i < g->m.l1_banks && sm->op.count && !last; i++) {
		struct ref_lsu_op *op = sm->op.item[0];
		const struct ws_request *r = &op->request[op->next];
		uint64_t of_bank = g->m.l1_banks_bytes ? g->m.l1_banks_bytes : g->m.l1.line_bytes;
		uint64_t bank = ref_first_sector(r->address, r->sectors) / of_bank % g->m.l1_banks;

		sm->load = op->load;
		if (used >> bank & 1)
			sm->stats->bank_conflicts++;
		if (used >> bank & 1)
			break;
		used |= 1ull << bank;
		if (g->m.l1_lookup_cycles && !is_past(g, r)) {
			if (!enter_queued(g, sm, &sm->bank[bank], r, cycle))
				break;
		} else {
			if (passes(g, sm, r) && !may_pass(g, sm, r))
				break;
			if (!l1_request(g, sm, r))
				break;
			log_accepted(g, number * g->m.l1_parts + r->part, r, cycle);
		}
		last = g->m.l1_lookup_cycles &&
			(op->next + 1 == op->requests || (is_past(g, r) && passes(g, sm, r)));
		if (++op->next < op->requests && g->m.sm_lsu_order == WS_LSU_TURNS)
			ref_list_add(&sm->op, ref_list_take(&sm->op, 0));
		drop_done(sm);
	}
	if (!g->to_sms)
		send(g, sm, cycle);
	for (uint64_t i = 0; i < g->m.l1_parts; i++)
		sm->stats->mshrs_sum += sm->l1[i].mshr.count;
}

void ref_sm_slot(void *context, size_t number, enum ref_slot what)
{
	struct ref_gpu *g = context;
	struct ws_core_stats *s = g->sm[number].stats;

	s->slots++;
	if (what == REF_ISSUED)
		s->issued++;
	else
		s->stalls[what - REF_EMPTY]++;
}
