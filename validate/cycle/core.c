/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * validate/cycle/core.c -- the load-store unit, L1 and ports of one SM.
 *
 * Driven by events.  A failed request can only succeed after a fill or, if the queue was full,
 * after a packet was sent.  The cycles between are skipped, and their failures are counted
 * afterwards.  A credit is taken when it is needed, which has the same effect as taking it on
 * arrival.  mshrs_sum counts the MSHRs in use at the end of a cycle.
 *
 * A load counts what it waits for: unaccepted requests, MSHRs, replies to atomics.  At zero its
 * data's cycle is known and reported to the engine.
 *
 * A cycle's cost does not depend on the number of loads, MSHRs or packets.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "validate/cycle/core.h"

#define PAST (1u << 31)		/* a ticket of a load past the L1, not of an MSHR */

/* ---- packets ------------------------------------------------------------------------------- */

static inline size_t waiting(const struct ws_packets *p)
{
	return p->count - p->head;
}

/* As ws_lookup.room. */
static uint32_t room(const struct ws_core *c)
{
	size_t used = waiting(&c->queue) + waiting(&c->walk[0]) + waiting(&c->walk[1]);

	if (!used)
		return UINT32_MAX;
	return used < c->machine->l1_queue ? (uint32_t)(c->machine->l1_queue - used) : 0;
}

struct requester {			/* of packets */
	uint32_t instruction, ticket, cta;
	uint16_t warp;
	uint8_t kind;
	const struct ws_core_l1 *part;
	uint64_t cycle;
};

/* Where packets of the line go: into the queue, or first to those that are being translated. */
static struct ws_packets *translate(struct ws_core *c, const struct requester *by, uint64_t line,
				    uint64_t *until)
{
	unsigned missed = ws_tlb_ask(by->part->tlb, line);
	uint64_t cycles = ws_tlb_cycles(c->machine, missed);

	c->stats->tlb.requests++;
	for (unsigned i = 0; i < missed; i++)
		c->stats->tlb.misses[i]++;
	*until = by->cycle + cycles;
	return cycles ? &c->walk[missed - 1] : &c->queue;
}

/* The pieces of an L1 line's 32-byte sectors, in the queue.  Packets are built in place, field by
 * field: copying a struct that was just written in parts stalls the store buffer. */
static enum ws_status enqueue(struct ws_core *c, struct requester by, uint64_t line,
			      uint32_t sectors, uint32_t *pieces, struct ws_err *err)
{
	uint64_t piece = c->machine->l2.line_bytes;
	unsigned step = (unsigned)(piece / WS_SECTOR_BYTES), at = 0;
	uint32_t mask = UINT32_MAX >> (step < 32 ? 32 - step : 0);
	unsigned shift = (unsigned)((line & (piece - 1)) / WS_SECTOR_BYTES);
	struct ws_packets *to = &c->queue;
	uint64_t until = 0;

	if (c->translates)
		to = translate(c, &by, line, &until);
	*pieces = 0;
	for (; at < 32 && sectors >> at; at += step) {
		uint32_t part = sectors >> at & mask;
		struct ws_packet *p;

		if (!part)
			continue;
		p = ws_packets_next(to, err);
		if (!p)
			return WS_ENOMEM;
		p->arrival = until;
		p->address = (line + (uint64_t)at * WS_SECTOR_BYTES) & ~(piece - 1);
		p->sectors = part << shift;
		p->slice = (uint16_t)ws_l2_slice(c->machine, p->address);
		p->instruction = by.instruction;
		p->cta = by.cta;
		p->warp = by.warp;
		p->ticket = by.ticket;
		p->kind = by.kind;
		p->sm = c->sm;
		++*pieces;
	}
	return WS_OK;
}

/* How many there would be. */
static uint32_t pieces_of(const struct ws_core *c, uint32_t sectors)
{
	unsigned step = (unsigned)(c->machine->l2.line_bytes / WS_SECTOR_BYTES);
	uint32_t mask = UINT32_MAX >> (step < 32 ? 32 - step : 0), n = 0;

	for (unsigned at = 0; at < 32 && sectors >> at; at += step)
		n += (sectors >> at & mask) != 0;
	return n;
}

static enum ws_status enqueue_victim(struct ws_core *c, const struct ws_core_l1 *part,
				     uint64_t cycle,
				     uint64_t line, uint32_t sectors, struct ws_err *err)
{
	const struct requester nobody = { .instruction = UINT32_MAX,
				      .ticket = WS_NONE,
				      .kind = WS_STORE, .part = part, .cycle = cycle };
	uint32_t pieces;

	return sectors ? enqueue(c, nobody, line, sectors, &pieces, err) : WS_OK;
}

/* ---- loads and MSHRs ----------------------------------------------------------------------- */

static enum ws_status load_take(struct ws_core *c, uint32_t *number, struct ws_err *err)
{
	if (c->loads_free) {
		*number = c->loads_free - 1;
		c->loads_free = c->loads[*number].next;
		return WS_OK;
	}
	if (!WS_ROOM(c->loads, c->loads_cap, c->loads_used + (size_t)1))
		return ws_fail_memory(err, "loads of an SM");
	*number = c->loads_used++;
	return WS_OK;
}

static void count_latency(struct ws_core_stats *s, uint64_t latency)
{
	s->loads++;
	s->latency_sum += latency;
	if (latency > s->latency_max)
		s->latency_max = latency;
	s->latency[ws_cell(latency < UINT32_MAX ? (uint32_t)latency : UINT32_MAX,
			   WS_LATENCY_BITS)]++;
}

/* A load waits for one thing less; its data was back at a cycle. */
static void load_serve(struct ws_core *c, uint32_t number, uint64_t back)
{
	struct ws_core_load *l = &c->loads[number];

	if (back > l->back)
		l->back = back;
	if (--l->left)
		return;
	if (!l->store)
		count_latency(c->stats, l->back - l->issued);
	ws_sm_back(c->lsu.sm, l->warp, l->ticket, l->back);
	l->next = c->loads_free;
	c->loads_free = number + 1;
}

/* Counts the MSHRs in use in the cycles before this one. */
static void count_in_flight(struct ws_core *c, uint64_t cycle)
{
	c->stats->mshrs_sum += c->in_flight * (cycle - c->counted);
	c->counted = cycle;
	c->in_flight = 0;
	for (size_t i = 0; i < c->parts; i++) {
		const struct ws_core_l1 *p = &c->part[i];

		c->in_flight += p->words ? ws_words_in_flight(p->words)
					 : ws_tags_in_flight(p->tags);
	}
}

static inline struct ws_core_l1 *part_of(const struct ws_core *c, const struct ws_request *r)
{
	return &c->part[r->part];
}

/* A part's MSHR in a packet. */
static inline uint32_t ticket_of(const struct ws_core *c, const struct ws_core_l1 *p, uint32_t mshr)
{
	return mshr * (uint32_t)c->parts + (uint32_t)(p - c->part);
}

/* The request that is looked up will be in the stream as that number. */
static uint64_t number_of_request(const struct ws_core *c)
{
	return c->gone + (c->accepted ? c->accepted->count : 0) +
	       (c->singly ? 0 : c->op[c->front].next);
}

/* Of a request that was just accepted. */
static enum ws_status fetch_begin(struct ws_core *c, struct ws_core_l1 *p, struct ws_request *r,
				  uint32_t mshr, uint32_t pieces, struct ws_err *err)
{
	if (!WS_ROOM(p->coming, p->coming_cap, mshr + (size_t)1))
		return ws_fail_memory(err, "MSHRs");
	p->coming[mshr] = (struct ws_core_fetch){ pieces, number_of_request(c) };
	r->fetch = WS_FETCH_COMING;
	return WS_OK;
}

/* Its data is there: the request, which the caller may not have yet, learns how long that took. */
static void fetch_end(struct ws_core *c, const struct ws_core_fetch *of, uint64_t cycle)
{
	uint64_t at = of->request - c->gone;
	struct ws_request *r;

	if (!c->accepted)
		return;
	r = at < c->accepted->count ? &c->accepted->request[at]
				    : &c->op[c->front].request[at - c->accepted->count];
	assert(r->fetch == WS_FETCH_COMING && r->cycle < cycle);
	r->fetch = cycle - r->cycle;
}

/* ---- counting ------------------------------------------------------------------------------ */

static void count_fails(struct ws_core *c, uint64_t fails)
{
	c->count->fails[c->cause] += fails;
	if (c->site)
		c->site->fails[c->cause] += fails;
}

/* The address is that of the first sector asked for. */
static struct ws_cycle_site *site_counts(const struct ws_core *c, const struct ws_request *r)
{
	uint32_t first = r->sectors & -r->sectors;

	return c->sites ? ws_site_table_at(c->sites, r->instruction,
					   r->address + WS_SECTOR_BYTES * ws_log2(first)) : NULL;
}

static void count_answer(struct ws_core *c, const struct ws_request *r, uint64_t cycle,
			 const struct ws_answer *a)
{
	struct ws_cycle_site *site = site_counts(c, r);

	c->count = &c->stats->l1[r->kind];
	c->site = site ? &site->l1 : NULL;
	c->stuck = a->outcome == WS_FAILED;
	if (c->stuck) {
		c->cause = a->cause;
		c->tried = cycle;
		count_fails(c, 1);
		return;
	}
	ws_cycle_count(c->count, a->outcome, r->sectors);
	if (c->site)
		ws_cycle_count(c->site, a->outcome, r->sectors);
}

/* ---- phase 1: receive ---------------------------------------------------------------------- */

static enum ws_status fill_line(struct ws_core *c, struct ws_core_l1 *p, uint32_t mshr,
				uint64_t cycle,
				struct ws_err *err)
{
	const uint32_t *waiter;
	size_t count;
	uint64_t victim = 0;
	uint32_t victim_sectors = 0;
	enum ws_status status = p->words ? ws_words_fill(p->words, mshr, &waiter, &count, err)
		: ws_tags_fill(p->tags, mshr, &waiter, &count, &victim, &victim_sectors, err);

	if (status)
		return status;
	count_in_flight(c, cycle);
	for (size_t i = 0; i < count; i++)
		load_serve(c, waiter[i], cycle + c->latency);
	if (c->stuck) {
		count_fails(c, cycle - c->tried - 1);
		c->stuck = false;
	}
	return enqueue_victim(c, p, cycle, victim, victim_sectors, err);
}

static enum ws_status receive(struct ws_lsu *u, uint64_t cycle, struct ws_err *err)
{
	struct ws_core *c = (struct ws_core *)u;
	const struct ws_packet *p;
	struct ws_core_l1 *part;
	uint64_t bytes;
	uint32_t ticket;
	bool store;

	if (!waiting(&c->replies) || c->receive_free > cycle
	    || c->replies.packet[c->replies.head].arrival > cycle)
		return WS_OK;
	p = &c->replies.packet[c->replies.head];
	c->replies.head++;
	bytes = ws_reply_bytes(p);
	ticket = p->ticket;
	store = p->kind == WS_STORE;
	c->stats->received_packets++;
	c->stats->received_bytes += bytes;
	c->receive_free = cycle + ws_packet_cycles(bytes, c->machine->icnt_width);
	if (ticket & PAST) {
		load_serve(c, ticket & ~PAST, store ? cycle : cycle + c->latency);
		return WS_OK;
	}
	part = &c->part[ticket % c->parts];
	ticket /= (uint32_t)c->parts;
	if (--part->coming[ticket].pieces)
		return WS_OK;
	fetch_end(c, &part->coming[ticket], cycle);
	return fill_line(c, part, ticket, cycle, err);
}

/* ---- phase 2: issue ------------------------------------------------------------------------ */

/* Of the ops held, from the front on. */
static inline struct ws_core_op *nth(const struct ws_core *c, size_t n)
{
	size_t at = c->front + n, ops = (size_t)c->machine->sm_lsu_ops;

	return &c->op[at < ops ? at : at - ops];
}

static inline bool is_below(const struct ws_request *a, const struct ws_request *b)
{
	return a->address < b->address || (a->address == b->address && a->sectors < b->sectors);
}

/* From the highest address down; most come in the other order. */
static void let_fall(struct ws_request *r, size_t count)
{
	for (size_t i = 0; i < count / 2; i++) {
		struct ws_request swapped = r[i];

		r[i] = r[count - 1 - i];
		r[count - 1 - i] = swapped;
	}
	for (size_t i = 1; i < count; i++) {
		struct ws_request moved = r[i];
		size_t k = i;

		for (; k && is_below(&r[k - 1], &moved); k--)
			r[k] = r[k - 1];
		r[k] = moved;
	}
}

static enum ws_status issue(struct ws_lsu *u, const struct ws_lsu_op *op, uint64_t cycle,
			    struct ws_err *err)
{
	struct ws_core *c = (struct ws_core *)u;
	struct ws_core_op *to = nth(c, c->held);
	enum ws_status status = WS_OK;

	assert(c->held < c->machine->sm_lsu_ops);
	if (!WS_ROOM(to->request, to->cap, op->count))
		return ws_fail_memory(err, "a load-store unit");
	for (size_t i = 0; i < op->count; i++) {
		to->request[i].address = op->address[i];
		to->request[i].sectors = op->sectors[i];
		to->request[i].instruction = op->instruction;
		to->request[i].cta = op->cta;
		to->request[i].warp = op->number;
		to->request[i].kind = op->kind;
		to->request[i].fetch = 0;
		/* Requests that take turns with another op's are no neighbours in the stream. */
		to->request[i].follows = false;
		to->request[i].part = ws_l1_part(c->machine, op->warp) & 0x7fu;
	}
	if (c->machine->sm_lsu_requests == WS_REQUESTS_FALLING)
		let_fall(to->request, op->count);
	for (size_t i = 1; i < op->count && !c->turns; i++)
		to->request[i].follows = true;
	to->requests = op->count;
	to->next = 0;
	to->load = WS_NONE;
	if (op->count && (op->kind != WS_STORE || c->acknowledged)) {
		status = load_take(c, &to->load, err);
		if (status)
			return status;
		c->loads[to->load] = (struct ws_core_load){ .issued = cycle, .left =
			(uint32_t)op->count,
						    .warp = op->warp, .ticket = op->ticket,
						    .store = op->kind == WS_STORE };
	}
	c->held++;
	u->free = c->held == c->machine->sm_lsu_ops ? WS_LSU_BUSY : cycle + 1;
	u->due = cycle;
	return WS_OK;
}

/* ---- phase 3: look up ---------------------------------------------------------------------- */

/* The packets of what was accepted. */
static enum ws_status follow_request(struct ws_core *c, struct ws_request *r, uint32_t load,
				     uint64_t cycle, const struct ws_answer *a, struct ws_err *err)
{
	struct ws_core_l1 *part = part_of(c, r);
	struct requester by = { .instruction = r->instruction, .cta = r->cta, .warp = r->warp,
			    .kind = r->kind, .part = part, .cycle = cycle };
	enum ws_status status = enqueue_victim(c, part, cycle, a->victim, a->victim_sectors, err);
	uint32_t pieces;

	if (!status && a->send) {
		by.ticket = load == WS_NONE ? WS_NONE : load | PAST;
		status = enqueue(c, by, r->address, a->send, &pieces, err);
		if (load != WS_NONE)
			c->loads[load].left += pieces;
	}
	if (status || !a->fetch)
		return status;
	count_in_flight(c, cycle);
	by.ticket = ticket_of(c, part, a->mshr);
	status = enqueue(c, by, r->address, a->fetch, &pieces, err);
	return status ? status : fetch_begin(c, part, r, a->mshr, pieces, err);
}

/* Write-backs of an L1 with sub-sectors, before the packets of the accepted request and after. */
static enum ws_status enqueue_thrown(struct ws_core *c, const struct ws_core_l1 *p, uint64_t cycle,
				     bool after, struct ws_err *err)
{
	enum ws_status status = WS_OK;
	size_t first, count;
	const struct ws_thrown *out = ws_words_thrown(p->words, &first, &count);
	size_t end = after ? count : first;

	for (size_t i = after ? first : 0; i < end && !status; i++)
		status = enqueue_victim(c, p, cycle, out[i].line, out[i].sectors, err);
	return status;
}

static bool goes_past(const struct ws_core *c, const struct ws_request *r)
{
	return r->kind == WS_ATOMIC || !c->cache.ways || (c->past && c->past[r->instruction]);
}

static enum ws_status answer(struct ws_core *c, const struct ws_request *r, uint32_t load,
			     struct ws_answer *a, struct ws_err *err)
{
	struct ws_core_l1 *part = part_of(c, r);
	struct ws_lookup l = {
		.access = { .address = r->address, .instruction = r->instruction,
			    .sectors = r->sectors, .cta = r->cta, .warp = r->warp,
			    .kind = r->kind },
		.waiter = load, .room = room(c),
	};

	if (goes_past(c, r)) {
		bool fits = pieces_of(c, r->sectors) <= l.room;

		*a = (struct ws_answer){ .outcome = fits ? WS_MISS : WS_FAILED, .mshr = WS_NONE,
					 .cause = WS_FAIL_QUEUE, .send = r->sectors };
		return WS_OK;
	}
	if (part->words)
		return ws_words_lookup(part->words, &l, a, err);
	l.set = ws_set_index(&c->cache, r->address);
	return ws_tags_lookup(part->tags, &l, a, err);
}

/* Looks up a request of a load, or of none.  c->stuck: it failed. */
static enum ws_status try_request(struct ws_core *c, struct ws_request *r, uint32_t load,
				  uint64_t cycle, struct ws_err *err)
{
	struct ws_answer a;
	enum ws_status status = answer(c, r, load, &a, err);
	const struct ws_core_l1 *part = part_of(c, r);
	bool words = part->words && !goes_past(c, r);

	if (status)
		return status;
	count_answer(c, r, cycle, &a);
	if (c->stuck)
		return WS_OK;
	r->cycle = cycle;
	if (words)
		status = enqueue_thrown(c, part, cycle, false, err);
	if (!status)
		status = follow_request(c, r, load, cycle, &a, err);
	if (!status && words)
		status = enqueue_thrown(c, part, cycle, true, err);
	if (status || load == WS_NONE)
		return status;
	c->loads[load].left += a.waits;
	/* The request itself, whose data is here if it waits for nothing. */
	load_serve(c, load, r->kind == WS_LOAD && !a.waits ? cycle + c->latency : cycle);
	return WS_OK;
}

static enum ws_status try_next(struct ws_core *c, uint64_t cycle, struct ws_err *err)
{
	struct ws_core_op *op = &c->op[c->front];
	enum ws_status status = try_request(c, &op->request[op->next], op->load, cycle, err);

	op->next += !c->stuck;
	return status;
}

/* Ops at the front without another request leave. */
static enum ws_status leave(struct ws_core *c, uint64_t cycle, struct ws_err *err)
{
	size_t ops = (size_t)c->machine->sm_lsu_ops;
	enum ws_status status = WS_OK;

	while (c->held && !status) {
		struct ws_core_op *op = &c->op[c->front];

		if (op->next < op->requests)
			break;
		if (c->held == ops)
			c->lsu.free = cycle + 1;
		if (c->accepted && !c->singly)
			status = ws_stream_add(c->accepted, op->request, op->requests, err);
		c->front = c->front + 1 == ops ? 0 : c->front + 1;
		c->held--;
	}
	return status;
}

static enum ws_status keep_accepted(struct ws_core *c, const struct ws_request *r,
				    struct ws_err *err)
{
	return c->accepted && c->singly ? ws_stream_add(c->accepted, r, 1, err) : WS_OK;
}

/* The front's request is done with: it goes behind the other ops, or leaves. */
static enum ws_status pass_turn(struct ws_core *c, uint64_t cycle, struct ws_err *err)
{
	size_t ops = (size_t)c->machine->sm_lsu_ops;
	struct ws_core_op *op = &c->op[c->front];

	if (c->turns && op->next < op->requests && c->held > 1) {
		struct ws_core_op *end = nth(c, c->held), moved = *op;

		/* The place behind the last may be the front's own. */
		*op = *end;
		*end = moved;
		c->front = c->front + 1 == ops ? 0 : c->front + 1;
	}
	return leave(c, cycle, err);
}

static inline uint64_t bank_of(const struct ws_core *c, const struct ws_request *r)
{
	uint64_t first = r->address + WS_SECTOR_BYTES * (uint64_t)ws_log2(r->sectors & -r->sectors);

	return (first >> c->bank_bits) % c->machine->l1_banks;
}

static enum ws_status look_up(struct ws_core *c, uint64_t cycle, struct ws_err *err)
{
	uint64_t banks = c->machine->l1_banks, used = 0;
	enum ws_status status = leave(c, cycle, err);

	for (uint64_t n = 0; n < banks && c->held && !c->stuck && !status; n++) {
		const struct ws_core_op *op = &c->op[c->front];
		uint64_t bank = banks == 1 ? 0 : bank_of(c, &op->request[op->next]);

		if (used >> bank & 1) {
			c->stats->bank_conflicts++;
			break;
		}
		used |= UINT64_C(1) << bank;
		status = try_next(c, cycle, err);
		if (!status && !c->stuck)
			status = keep_accepted(c, &op->request[op->next - 1], err);
		if (!status && !c->stuck)
			status = pass_turn(c, cycle, err);
	}
	return status;
}

/* With l1.lookup: the first of each bank's queue.  One that fails is tried each cycle. */
static enum ws_status look_up_banks(struct ws_core *c, uint64_t cycle, struct ws_err *err)
{
	enum ws_status status = WS_OK;

	for (size_t i = 0; i < c->machine->l1_banks && c->piped && !status; i++) {
		struct ws_core_bank *b = &c->bank[i];
		struct ws_core_piped *first = &b->item[b->head];

		if (!b->count || first->due > cycle)
			continue;
		status = try_request(c, &first->request, first->load, cycle, err);
		if (!status && !c->stuck) {
			status = keep_accepted(c, &first->request, err);
			b->head = b->head + 1 == c->wait ? 0 : b->head + 1;
			b->count--;
			c->piped--;
		}
		c->stuck = false;
	}
	return status;
}

/* The front's request enters its bank's queue, or is looked up at once; false: it does not. */
static bool enter_bank(struct ws_core *c, size_t bank, uint64_t cycle, enum ws_status *status,
		       struct ws_err *err)
{
	struct ws_core_op *op = &c->op[c->front];
	struct ws_core_bank *b = &c->bank[bank];
	struct ws_request *r = &op->request[op->next];
	size_t end = b->head + b->count;

	if (goes_past(c, r)) {
		bool failed;

		*status = try_next(c, cycle, err);
		failed = c->stuck || *status;
		c->stuck = false;
		if (!failed)
			*status = keep_accepted(c, r, err);
		return !failed;
	}
	if (b->count == c->wait)
		return false;
	b->item[end < c->wait ? end : end - c->wait] =
		(struct ws_core_piped){ *r, cycle + c->wait, op->load };
	b->count++;
	c->piped++;
	op->next++;
	return true;
}

/* With l1.lookup: requests of the front op enter banks' queues. */
static enum ws_status enter(struct ws_core *c, uint64_t cycle, struct ws_err *err)
{
	uint64_t banks = c->machine->l1_banks, used = 0;
	enum ws_status status = leave(c, cycle, err);
	bool left = false;

	for (uint64_t n = 0; n < banks && c->held && !left && !status; n++) {
		const struct ws_core_op *op = &c->op[c->front];
		uint64_t bank = banks == 1 ? 0 : bank_of(c, &op->request[op->next]);

		if (used >> bank & 1) {
			c->stats->bank_conflicts++;
			break;
		}
		used |= UINT64_C(1) << bank;
		if (!enter_bank(c, (size_t)bank, cycle, &status, err))
			break;
		left = op->next == op->requests;
		if (!status)
			status = pass_turn(c, cycle, err);
	}
	return status;
}

/* ---- phase 4: send ------------------------------------------------------------------------- */

/* Takes the credits that have arrived.  Most are never searched, as others are left. */
static void take_credits(struct ws_core *c, uint64_t cycle)
{
	size_t kept = 0;

	c->credits_first = UINT64_MAX;
	for (size_t i = 0; i < c->credits_coming; i++) {
		uint64_t arrival = c->credits[i];

		if (arrival <= cycle) {
			c->credit++;
			continue;
		}
		c->credits[kept++] = arrival;
		c->credits_first = arrival < c->credits_first ? arrival : c->credits_first;
	}
	c->credits_coming = kept;
}

/* What is translated by now enters the queue: what one TLB missed first. */
static enum ws_status take_translated(struct ws_core *c, uint64_t cycle, struct ws_err *err)
{
	enum ws_status status = WS_OK;

	for (unsigned i = 0; i < 2; i++) {
		struct ws_packets *walk = &c->walk[i];

		while (status == WS_OK && waiting(walk) &&
		       walk->packet[walk->head].arrival <= cycle)
			status = ws_packets_add(&c->queue, &walk->packet[walk->head++], err);
	}
	return status;
}

static enum ws_status send(struct ws_core *c, uint64_t cycle, struct ws_err *err)
{
	const volatile struct ws_packet *p; /* field by field: see enqueue */
	struct ws_packet *to;
	uint64_t bytes;

	if (c->translates && take_translated(c, cycle, err) != WS_OK)
		return WS_ENOMEM;
	if (!waiting(&c->queue) || c->send_free > cycle)
		return WS_OK;
	if (!c->credit && c->credits_first <= cycle)
		take_credits(c, cycle);
	if (!c->credit)
		return WS_OK;
	p = &c->queue.packet[c->queue.head];
	c->queue.head++;
	c->credit--;
	bytes = ws_request_bytes(p->kind, p->sectors);
	to = ws_packets_next(&c->sent, err);
	if (!to)
		return WS_ENOMEM;
	to->arrival = cycle + c->network;
	to->address = p->address;
	to->sectors = p->sectors;
	to->ticket = p->ticket;
	to->instruction = p->instruction;
	to->sm = p->sm;
	to->slice = p->slice;
	to->kind = p->kind;
	c->send_free = cycle + ws_packet_cycles(bytes, c->machine->icnt_width);
	c->stats->sent_packets++;
	c->stats->sent_bytes += bytes;
	if (c->stuck && c->cause == WS_FAIL_QUEUE) {
		count_fails(c, cycle - c->tried);
		c->stuck = false;
	}
	return WS_OK;
}

/* ---- the engine's side --------------------------------------------------------------------- */

static inline uint64_t later(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* The next cycle with work, if the next cycle is `cycle`. */
static uint64_t due(const struct ws_core *c, uint64_t cycle)
{
	uint64_t first = UINT64_MAX, at = UINT64_MAX;

	if (c->held && !c->stuck)
		return cycle;
	if (waiting(&c->replies))
		first = later(c->replies.packet[c->replies.head].arrival, c->receive_free);
	for (size_t i = 0; c->piped && i < c->machine->l1_banks; i++)
		if (c->bank[i].count && c->bank[i].item[c->bank[i].head].due < first)
			first = c->bank[i].item[c->bank[i].head].due;
	for (unsigned i = 0; i < 2 && c->translates; i++)
		if (waiting(&c->walk[i]) && c->walk[i].packet[c->walk[i].head].arrival < first)
			first = c->walk[i].packet[c->walk[i].head].arrival;
	if (waiting(&c->queue) && c->credit)
		at = c->send_free;
	else if (waiting(&c->queue))
		at = later(c->credits_first, c->send_free);
	return later(at < first ? at : first, cycle);
}

static enum ws_status advance(struct ws_lsu *u, uint64_t cycle, struct ws_err *err)
{
	struct ws_core *c = (struct ws_core *)u;
	enum ws_status status = WS_OK;

	if (c->piped)
		status = look_up_banks(c, cycle, err);
	if (c->held && !c->stuck && !status)
		status = c->wait ? enter(c, cycle, err) : look_up(c, cycle, err);
	if (!status)
		status = send(c, cycle, err);
	u->due = due(c, cycle + 1);
	return status;
}

struct ws_lsu *ws_core_lsu(struct ws_core *c)
{
	return &c->lsu;
}

/* ---- the simulator's side ------------------------------------------------------------------ */

enum ws_status ws_core_reply(struct ws_core *c, const struct ws_packet *p, struct ws_err *err)
{
	enum ws_status status = ws_packets_add(&c->replies, p, err);
	uint64_t at = later(p->arrival, c->receive_free);

	if (!status && at < c->lsu.due)
		c->lsu.due = at;
	return status;
}

enum ws_status ws_core_credit(struct ws_core *c, uint64_t arrival, struct ws_err *err)
{
	uint64_t at = later(arrival, c->send_free);

	if (!WS_ROOM(c->credits, c->credits_cap, c->credits_coming + 1))
		return ws_fail_memory(err, "credits");
	c->credits[c->credits_coming++] = arrival;
	c->credits_first = arrival < c->credits_first ? arrival : c->credits_first;
	if (waiting(&c->queue) && !c->credit && at < c->lsu.due)
		c->lsu.due = at;
	return WS_OK;
}

struct ws_packets *ws_core_sent(struct ws_core *c)
{
	return &c->sent;
}

uint64_t ws_core_in_flight(const struct ws_core *c)
{
	return c->in_flight;
}

/* Another victim may need less of the queue. */
void ws_core_met(struct ws_core *c, uint64_t cycle)
{
	if (!c->stuck || c->cause != WS_FAIL_QUEUE)
		return;
	count_fails(c, cycle - c->tried - 1);
	c->stuck = false;
	c->lsu.due = cycle < c->lsu.due ? cycle : c->lsu.due;
}

void ws_core_drive(struct ws_core *c)
{
	c->lsu = (struct ws_lsu){ .due = UINT64_MAX, .receive = receive, .issue = issue,
				  .advance = advance };
}
