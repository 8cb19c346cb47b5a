/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * validate/cycle/core.c -- the load-store unit and L1 of one SM.
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
 *
 * What each request and packet passes is compiled twice, for plain launches (is_plain_launch) and
 * for all: `plain` is a constant, so that a plain launch tests no feature that it does not have.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "validate/cycle/core.h"

#define PAST (1u << 31)		/* a ticket of a load past the L1, not of an MSHR */
#define CODE (PAST | 1u << 30)	/* of a line of code */

/* ---- loads and MSHRs ----------------------------------------------------------------------- */

static void count_latency(struct ws_core_stats *s, uint64_t latency)
{
	s->loads++;
	s->latency_sum += latency;
	if (latency > s->latency_max)
		s->latency_max = latency;
	s->latency[ws_cell(latency < UINT32_MAX ? (uint32_t)latency : UINT32_MAX,
			   WS_LATENCY_BITS)]++;
}

static void load_end(struct ws_core *c, uint32_t number)
{
	struct ws_core_load *l = &c->loads[number];

	if (!l->store)
		count_latency(c->stats, l->back - l->issued);
	ws_sm_back(c->lsu.sm, l->warp, l->ticket, l->back);
	l->next = c->loads_free;
	c->loads_free = number + 1;
}

/* A load waits for one thing less; its data was back at a cycle. */
static inline void load_serve(struct ws_core *c, uint32_t number, uint64_t back)
{
	struct ws_core_load *l = &c->loads[number];

	assert(number < c->loads_used && l->left);
	if (back > l->back)
		l->back = back;
	if (--l->left == 0)
		load_end(c, number);
}

static uint64_t in_flight_of_all(const struct ws_core *c)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < c->parts; i++) {
		const struct ws_core_l1 *p = &c->part[i];

		sum += p->words ? ws_words_in_flight(p->words) : ws_tags_in_flight(p->tags);
	}
	return sum;
}

/* Counts the MSHRs in use in the cycles before this one. */
static WS_INLINE void count_in_flight(struct ws_core *c, bool plain, uint64_t cycle)
{
	c->stats->mshrs_sum += c->in_flight * (cycle - c->counted);
	c->counted = cycle;
	c->in_flight = plain ? ws_tags_in_flight(c->part->tags) : in_flight_of_all(c);
}

/* The request that is looked up will be in the stream as that number. */
static inline uint64_t number_of_request(const struct ws_core *c)
{
	return c->gone + (c->accepted ? c->accepted->count : 0) +
	       (c->singly ? 0 : c->op[c->front].next);
}

/* Of a request that was just accepted. */
static inline enum ws_status fetch_begin(struct ws_core *c, struct ws_core_l1 *p,
					 struct ws_request *r, uint32_t mshr, uint32_t pieces,
					 struct ws_err *err)
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

	r = at < c->accepted->count ? &c->accepted->request[at]
				    : &c->op[c->front].request[at - c->accepted->count];
	assert(r->fetch == WS_FETCH_COMING && r->cycle < cycle);
	r->fetch = cycle - r->cycle;
}

/* ---- counting ------------------------------------------------------------------------------ */

/* The address is that of the first sector asked for. */
static inline struct ws_cycle_site *site_counts(const struct ws_core *c,
						const struct ws_request *r)
{
	return c->sites ? ws_site_table_at(c->sites, r->instruction, r->address +
					   WS_SECTOR_BYTES * ws_lowest_bit(r->sectors)) : NULL;
}

static inline void count_answer(struct ws_core *c, const struct ws_request *r, uint64_t cycle,
			 const struct ws_answer *a)
{
	struct ws_cycle_site *site = site_counts(c, r);

	c->count = &c->stats->l1[r->kind];
	c->site = site ? &site->l1 : NULL;
	c->stuck = a->outcome == WS_FAILED;
	if (c->stuck) {
		c->cause = a->cause;
		c->tried = cycle;
		ws_core_count_fails(c, 1);
		return;
	}
	ws_cycle_count(c->count, a->outcome, r->sectors);
	if (c->site)
		ws_cycle_count(c->site, a->outcome, r->sectors);
}

/* ---- phase 1: receive ---------------------------------------------------------------------- */

/* The cycle in which the next request that waited is served, from this one on. */
static uint64_t turn_of_served(struct ws_core *c, uint64_t cycle)
{
	uint64_t rate = c->machine->l1_mshr_rate;

	if (!rate)
		return cycle;
	c->serve_free = c->serve_free > cycle * rate ? c->serve_free : cycle * rate;
	return c->serve_free++ / rate;
}

/* Places of MSHRs that are filled, but whose last request is not served. */
static uint32_t held_by(struct ws_core_l1 *p, uint64_t cycle)
{
	while (p->freed_first < p->helds && p->freed[p->freed_first] <= cycle)
		p->freed_first++;
	if (p->freed_first == p->helds)
		p->freed_first = p->helds = 0;
	return (uint32_t)(p->helds - p->freed_first);
}

/* The last that waited for an MSHR is served in a cycle. */
static enum ws_status hold_mshr(struct ws_core *c, struct ws_core_l1 *p, uint64_t cycle,
				struct ws_err *err)
{
	if (!c->wait || !c->machine->l1_mshr_cycles)
		return WS_OK;
	if (!WS_ROOM(p->freed, p->freed_cap, p->helds + 1))
		return ws_fail_memory(err, "MSHRs");
	p->freed[p->helds++] = cycle + c->machine->l1_mshr_cycles - 1;
	return WS_OK;
}

/* One after the other, those that waited for an MSHR. */
static enum ws_status serve_in_turn(struct ws_core *c, struct ws_core_l1 *p, const uint32_t *waiter,
				    size_t count, uint64_t cycle, struct ws_err *err)
{
	enum ws_status status = WS_OK;

	for (size_t i = 0; i < count; i++) {
		const struct ws_core_load *l = &c->loads[waiter[i]];
		uint64_t turn = turn_of_served(c, cycle);
		uint64_t back = turn + c->machine->l1_mshr_cycles + c->latency;

		if (i + 1 == count)
			status = hold_mshr(c, p, turn, err);
		if (c->entry)
			ws_sm_part_back(c->lsu.sm, l->warp, l->ticket, back);
		load_serve(c, waiter[i], back);
	}
	return status;
}

/* ---- phase 1 with c->port: data is written one after the other ------------------------- */

static void pass_to_port(struct ws_core *c, const struct ws_load_data *data, bool past,
			 uint64_t cycle)
{
	const struct ws_core_load *l = &c->loads[data->load];

	ws_sm_data(c->lsu.sm, l->warp, l->ticket, data, past,
		   cycle + c->machine->l1_mshr_cycles + c->latency - 1);
}

/* What waited for an MSHR, which is in use until the last of it is taken. */
static void pass_waiting(struct ws_core *c, struct ws_core_l1 *p, const uint32_t *waiter,
			 size_t count, uint64_t cycle)
{
	for (size_t i = 0; i < count; i++)
		pass_to_port(c, &(struct ws_load_data){ .load = waiter[i],
							.part = (uint32_t)(p - c->part),
							.last = i + 1 == count }, false, cycle);
	p->kept++;
}

/* The request that is stuck is tried again in this cycle. */
static inline void try_again(struct ws_core *c, uint64_t cycle)
{
	if (!c->stuck)
		return;
	ws_core_count_fails(c, cycle - c->tried - 1);
	c->stuck = false;
}

static void write_back(struct ws_core *c, uint64_t cycle)
{
	struct ws_port_cycle did = ws_sm_port(c->lsu.sm, cycle);

	if (did.written.load != WS_NO_LOAD)
		load_serve(c, did.written.load, cycle);
	if (!did.freed)
		return;
	assert(c->part[did.part].kept);
	c->part[did.part].kept--;
	try_again(c, cycle);
}


static WS_INLINE enum ws_status fill_line(struct ws_core *c, bool plain, struct ws_core_l1 *p,
					  uint32_t mshr, uint64_t cycle, struct ws_err *err)
{
	const uint32_t *waiter;
	size_t count;
	uint64_t victim = 0;
	uint32_t victim_sectors = 0;
	enum ws_status status = !plain && p->words
		? ws_words_fill(p->words, mshr, &waiter, &count, err)
		: ws_tags_fill(p->tags, mshr, &waiter, &count, &victim, &victim_sectors, err);

	if (status != WS_OK)
		return status;
	count_in_flight(c, plain, cycle);
	if (!plain && c->port)
		pass_waiting(c, p, waiter, count, cycle);
	else if (!plain)
		status = serve_in_turn(c, p, waiter, count, cycle, err);
	for (size_t i = 0; i < count && plain; i++)
		load_serve(c, waiter[i], cycle + c->latency);
	try_again(c, cycle);
	return status != WS_OK || !victim_sectors ? status
		: ws_core_enqueue_victim(c, p, cycle, victim, victim_sectors, err);
}

static WS_INLINE enum ws_status receive(struct ws_core *c, bool plain, uint64_t cycle,
					struct ws_err *err)
{
	const struct ws_packet *p;
	struct ws_core_l1 *part;
	uint64_t bytes;
	uint32_t ticket;
	bool store;

	if (!ws_packets_waiting(&c->replies) || c->receive_free > cycle
	    || c->replies.packet[c->replies.head].arrival > cycle)
		return WS_OK;
	p = &c->replies.packet[c->replies.head];
	ticket = p->ticket;
	store = p->kind == WS_STORE;
	if (!plain && c->port && (ticket & CODE) == PAST && !store && !ws_sm_port_takes(c->lsu.sm))
		return WS_OK;
	c->replies.head++;
	bytes = ws_reply_bytes(p);
	c->receive_free = cycle + (!plain && c->router ? 1 :
				   ws_packet_cycles(bytes, c->machine->icnt_width));
	if (!plain && (ticket & CODE) == CODE) {
		ws_sm_code(c->lsu.sm, ticket & ~CODE);
		return WS_OK;
	}
	c->stats->received_packets++;
	c->stats->received_bytes += bytes;
	if (!plain && c->port && ticket & PAST && !store) {
		pass_to_port(c, &(struct ws_load_data){ .load = ticket & ~PAST }, true, cycle);
		return WS_OK;
	}
	if (ticket & PAST) {
		load_serve(c, ticket & ~PAST,
			   store ? cycle : cycle + c->machine->l1_mshr_cycles + c->latency);
		return WS_OK;
	}
	part = plain ? c->part : &c->part[ticket % c->parts];
	ticket = plain ? ticket : ticket / (uint32_t)c->parts;
	assert(part->coming[ticket].pieces);
	if (--part->coming[ticket].pieces)
		return WS_OK;
	if (c->accepted)
		fetch_end(c, &part->coming[ticket], cycle);
	return fill_line(c, plain, part, ticket, cycle, err);
}

static enum ws_status receive_plain(struct ws_lsu *u, uint64_t cycle, struct ws_err *err)
{
	return receive((struct ws_core *)u, true, cycle, err);
}

static enum ws_status receive_any(struct ws_lsu *u, uint64_t cycle, struct ws_err *err)
{
	if (((struct ws_core *)u)->port)
		write_back((struct ws_core *)u, cycle);
	return receive((struct ws_core *)u, false, cycle, err);
}

/* ---- phase 3: look up ---------------------------------------------------------------------- */

static WS_INLINE bool goes_past(const struct ws_core *c, bool plain, const struct ws_request *r)
{
	return r->kind == WS_ATOMIC ||
	       (!plain && (!c->cache.ways || (c->past && c->past[r->instruction])));
}

static WS_INLINE enum ws_status enqueue(struct ws_core *c, bool plain,
					const struct ws_requester *by, uint64_t line,
					uint32_t sectors, uint32_t *pieces, struct ws_err *err)
{
	return plain ? ws_core_enqueue_plain(c, by, line, sectors, pieces, err)
		     : ws_core_enqueue(c, by, line, sectors, pieces, err);
}

/* The packets of what was accepted. */
static WS_INLINE enum ws_status follow_request(struct ws_core *c, bool plain,
					       struct ws_core_l1 *part, struct ws_request *r,
					       const struct ws_written *written, uint32_t load,
					       uint64_t cycle, const struct ws_answer *a,
					       struct ws_err *err)
{
	struct ws_requester by = { .instruction = r->instruction, .cta = r->cta, .warp = r->warp,
			    .kind = ws_request_below(r), .part = part, .written = written,
			    .cycle = cycle,
			    .direct = !plain && goes_past(c, false, r) && ws_core_passes(c, r) };
	enum ws_status status = WS_OK;
	uint32_t pieces;

	if (a->victim_sectors)
		status = ws_core_enqueue_victim(c, part, cycle, a->victim, a->victim_sectors, err);
	if (status == WS_OK && a->send) {
		by.ticket = load == WS_NONE ? WS_NONE : load | PAST;
		status = enqueue(c, plain, &by, r->address, a->send, &pieces, err);
		if (load != WS_NONE)
			c->loads[load].left += pieces;
	}
	if (status != WS_OK || !a->fetch)
		return status;
	count_in_flight(c, plain, cycle);
	by.ticket = plain ? a->mshr : a->mshr * (uint32_t)c->parts + (uint32_t)(part - c->part);
	status = enqueue(c, plain, &by, r->address, a->fetch, &pieces, err);
	return status != WS_OK ? status : fetch_begin(c, part, r, a->mshr, pieces, err);
}

/* Write-backs of an L1 with sub-sectors, before the packets of the accepted request and after. */
static enum ws_status enqueue_thrown(struct ws_core *c, const struct ws_core_l1 *p, uint64_t cycle,
				     bool after, struct ws_err *err)
{
	enum ws_status status = WS_OK;
	size_t first, count;
	const struct ws_thrown *out = ws_words_thrown(p->words, &first, &count);
	size_t end = after ? count : first;

	for (size_t i = after ? first : 0; i < end && status == WS_OK; i++)
		status = ws_core_enqueue_victim(c, p, cycle, out[i].line, out[i].sectors, err);
	return status;
}

static WS_INLINE enum ws_status answer(struct ws_core *c, bool plain, struct ws_core_l1 *part,
				       const struct ws_request *r,
				       const struct ws_written *written, uint32_t load, bool past,
				       uint64_t cycle, struct ws_answer *a, struct ws_err *err)
{
	struct ws_lookup l = {
		.access = { .address = r->address, .instruction = r->instruction,
			    .sectors = r->sectors, .cta = r->cta, .warp = r->warp,
			    .kind = r->kind },
		.waiter = load, .room = ws_core_queue_room(c, plain, r->kind == WS_STORE),
		.stays = !plain && c->knows, .written = written,
	};

	if (past) {
		bool fits = ws_core_passes(c, r) ||
			ws_core_pieces(c, r->sectors) <= l.room;

		*a = (struct ws_answer){ .outcome = fits ? WS_MISS : WS_FAILED, .mshr = WS_NONE,
					 .cause = WS_FAIL_QUEUE, .send = r->sectors };
		return WS_OK;
	}
	l.held = plain ? 0 : c->port ? part->kept : held_by(part, cycle);
	l.full = !plain && c->knows && r->kind == WS_LOAD && !l.room;
	if (!plain && part->words)
		return ws_words_lookup(part->words, &l, a, err);
	l.set = ws_set_index(&c->cache, r->address);
	return ws_tags_lookup(part->tags, &l, a, err);
}

/* Looks up a request of a load, or of none.  c->stuck: it failed. */
static WS_INLINE enum ws_status try_request(struct ws_core *c, bool plain, struct ws_request *r,
					    const struct ws_written *all, uint32_t load,
					    uint64_t cycle, struct ws_err *err)
{
	const struct ws_written *written = !plain && c->knows && ws_request_below(r) == WS_STORE
					 ? all : NULL;
	bool past = goes_past(c, plain, r);
	struct ws_core_l1 *part = plain ? c->part : &c->part[r->part];
	struct ws_answer a;
	enum ws_status status = answer(c, plain, part, r, written, load, past, cycle, &a, err);
	bool words = !plain && part->words && !past;

	if (status != WS_OK)
		return status;
	count_answer(c, r, cycle, &a);
	if (c->stuck)
		return WS_OK;
	r->cycle = cycle;
	if (words)
		status = enqueue_thrown(c, part, cycle, false, err);
	if (status == WS_OK && (a.send | a.fetch | a.victim_sectors)) /* few are followed */
		status = follow_request(c, plain, part, r, written, load, cycle, &a, err);
	if (status == WS_OK && words)
		status = enqueue_thrown(c, part, cycle, true, err);
	if (status != WS_OK || load == WS_NONE)
		return status;
	c->loads[load].left += a.waits;
	/* The request itself, whose data is here if it waits for nothing. */
	load_serve(c, load, r->kind == WS_LOAD && !a.waits ? cycle + c->latency : cycle);
	return WS_OK;
}

static WS_INLINE enum ws_status try_next(struct ws_core *c, bool plain, uint64_t cycle,
					 struct ws_err *err)
{
	struct ws_core_op *op = &c->op[plain ? 0 : c->front];
	const struct ws_written *written = !plain && op->known ? &op->written[op->next] : NULL;
	enum ws_status status = try_request(c, plain, &op->request[op->next], written, op->load,
					    cycle, err);

	op->next += !c->stuck;
	return status;
}

/* Ops at the front without another request leave. */
static WS_INLINE enum ws_status ops_leave(struct ws_core *c, bool plain, uint64_t cycle,
					  struct ws_err *err)
{
	size_t ops = plain ? 1 : c->ops;
	enum ws_status status = WS_OK;

	while (c->held && status == WS_OK) {
		struct ws_core_op *op = &c->op[plain ? 0 : c->front];

		assert(op->next <= op->requests);
		if (op->next < op->requests)
			break;
		if (plain || c->held == ops)
			c->lsu.free = cycle + 1;
		if (c->accepted && (plain || !c->singly))
			status = ws_stream_add(c->accepted, op->request, op->requests, err);
		if (!plain)
			c->front = c->front + 1 == ops ? 0 : c->front + 1;
		c->held--;
	}
	return status;
}

static WS_INLINE enum ws_status leave(struct ws_core *c, bool plain, uint64_t cycle,
				      struct ws_err *err)
{
	const struct ws_core_op *op = &c->op[plain ? 0 : c->front];

	return c->held && op->next == op->requests ? ops_leave(c, plain, cycle, err) : WS_OK;
}

static inline enum ws_status keep_accepted(struct ws_core *c, const struct ws_request *r,
				    struct ws_err *err)
{
	return c->accepted && c->singly ? ws_stream_add(c->accepted, r, 1, err) : WS_OK;
}

/* The front's request is done with: it goes behind the other ops, or leaves. */
static WS_INLINE enum ws_status pass_turn(struct ws_core *c, bool plain, uint64_t cycle,
					  struct ws_err *err)
{
	size_t ops = c->ops;
	struct ws_core_op *op = &c->op[c->front];

	if (!plain && c->turns && op->next < op->requests && c->held > 1) {
		struct ws_core_op *end = ws_core_nth(c, c->held), moved = *op;

		/* The place behind the last may be the front's own. */
		*op = *end;
		*end = moved;
		c->front = c->front + 1 == ops ? 0 : c->front + 1;
	}
	return leave(c, plain, cycle, err);
}

static inline uint64_t bank_of(const struct ws_core *c, const struct ws_request *r)
{
	uint64_t first = r->address + WS_SECTOR_BYTES * (uint64_t)ws_log2(r->sectors & -r->sectors);

	return (first >> c->bank_bits) % c->machine->l1_banks;
}

static WS_INLINE enum ws_status look_up(struct ws_core *c, bool plain, uint64_t cycle,
					struct ws_err *err)
{
	uint64_t banks = c->machine->l1_banks, used = 0;
	enum ws_status status = leave(c, plain, cycle, err);

	for (uint64_t n = 0; n < banks && c->held && !c->stuck && status == WS_OK; n++) {
		const struct ws_core_op *op = &c->op[plain ? 0 : c->front];
		uint64_t bank = banks == 1 ? 0 : bank_of(c, &op->request[op->next]);

		if (used >> bank & 1) {
			c->stats->bank_conflicts++;
			break;
		}
		used |= UINT64_C(1) << bank;
		status = try_next(c, plain, cycle, err);
		if (!plain && status == WS_OK && !c->stuck)
			status = keep_accepted(c, &op->request[op->next - 1], err);
		if (status == WS_OK && !c->stuck)
			status = pass_turn(c, plain, cycle, err);
	}
	return status;
}

/* With l1.lookup: the first of each bank's queue.  One that fails is tried each cycle. */
static enum ws_status look_up_banks(struct ws_core *c, uint64_t cycle, struct ws_err *err)
{
	enum ws_status status = WS_OK;

	for (size_t i = 0; i < c->machine->l1_banks && c->piped && status == WS_OK; i++) {
		struct ws_core_bank *b = &c->bank[i];
		struct ws_core_piped *first = &b->item[b->head];

		if (!b->count || first->due > cycle)
			continue;
		status = try_request(c, false, &first->request, &first->written, first->load,
				     cycle, err);
		if (status == WS_OK && !c->stuck) {
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
	struct ws_core_piped *piped;
	size_t end = b->head + b->count;

	if (goes_past(c, false, r)) {
		bool failed;

		if (ws_core_passes(c, r) && !ws_core_may_pass(c, r, cycle))
			return false;
		*status = try_next(c, false, cycle, err);
		failed = c->stuck || *status != WS_OK;
		c->stuck = false;
		if (!failed)
			*status = keep_accepted(c, r, err);
		return !failed;
	}
	if (b->count == c->wait)
		return false;
	piped = &b->item[end < c->wait ? end : end - c->wait];
	*piped = (struct ws_core_piped){ .request = *r, .due = cycle + c->wait, .load = op->load };
	if (op->known)
		piped->written = op->written[op->next];
	b->count++;
	c->piped++;
	op->next++;
	return true;
}

/* With l1.lookup: requests of the front op enter banks' queues. */
static enum ws_status enter(struct ws_core *c, uint64_t cycle, struct ws_err *err)
{
	uint64_t banks = c->machine->l1_banks, used = 0;
	enum ws_status status = leave(c, false, cycle, err);
	bool left = false;

	for (uint64_t n = 0; n < banks && c->held && !left && status == WS_OK; n++) {
		const struct ws_core_op *op = &c->op[c->front];
		uint64_t bank = banks == 1 ? 0 : bank_of(c, &op->request[op->next]);

		if (used >> bank & 1) {
			c->stats->bank_conflicts++;
			break;
		}
		used |= UINT64_C(1) << bank;
		left = goes_past(c, false, &op->request[op->next]) &&
			ws_core_passes(c, &op->request[op->next]);
		if (!enter_bank(c, (size_t)bank, cycle, &status, err))
			break;
		left |= op->next == op->requests;
		if (status == WS_OK)
			status = pass_turn(c, false, cycle, err);
	}
	return status;
}

/* ---- the engine's side --------------------------------------------------------------------- */

/* The next cycle with work, if the next cycle is `cycle`. */
static WS_INLINE uint64_t due(const struct ws_core *c, bool plain, uint64_t cycle)
{
	uint64_t first = UINT64_MAX, at = UINT64_MAX;

	if (c->held && !c->stuck)
		return cycle;
	if (ws_packets_waiting(&c->replies))
		first = ws_later(c->replies.packet[c->replies.head].arrival, c->receive_free);
	if (!plain && c->port && ws_sm_port_due(c->lsu.sm) < first)
		first = ws_sm_port_due(c->lsu.sm);
	for (size_t i = 0; !plain && c->piped && i < c->machine->l1_banks; i++)
		if (c->bank[i].count && c->bank[i].item[c->bank[i].head].due < first)
			first = c->bank[i].item[c->bank[i].head].due;
	for (unsigned i = 0; !plain && i < 2 && c->translates; i++)
		if (ws_packets_waiting(&c->walk[i]) &&
		    c->walk[i].packet[c->walk[i].head].arrival < first)
			first = c->walk[i].packet[c->walk[i].head].arrival;
	if (!plain && ws_packets_waiting(&c->queue) && c->router)
		at = cycle;
	else if (ws_packets_waiting(&c->queue) && c->credit)
		at = c->send_free;
	else if (ws_packets_waiting(&c->queue))
		at = ws_later(c->credits_first, c->send_free);
	return ws_later(at < first ? at : first, cycle);
}

static enum ws_status advance_plain(struct ws_lsu *u, uint64_t cycle, struct ws_err *err)
{
	struct ws_core *c = (struct ws_core *)u;
	enum ws_status status = c->held && !c->stuck ? look_up(c, true, cycle, err) : WS_OK;

	if (status == WS_OK && ws_packets_waiting(&c->queue))
		status = ws_core_send_plain(c, cycle, err);
	u->due = due(c, true, cycle + 1);
	return status;
}

static enum ws_status advance_any(struct ws_lsu *u, uint64_t cycle, struct ws_err *err)
{
	struct ws_core *c = (struct ws_core *)u;
	enum ws_status status = c->router ? ws_core_send(c, cycle, err) : WS_OK;

	if (c->piped && status == WS_OK)
		status = look_up_banks(c, cycle, err);
	if (c->held && !c->stuck && status == WS_OK)
		status = c->wait ? enter(c, cycle, err) : look_up(c, false, cycle, err);
	if (status == WS_OK && !c->router && ws_core_sends(c))
		status = ws_core_send(c, cycle, err);
	u->due = due(c, false, cycle + 1);
	return status;
}

/* It is sent behind what the L1 sends in the cycle. */
static enum ws_status send_code(struct ws_lsu *u, uint64_t address, uint64_t bytes,
				uint32_t number, uint64_t cycle, bool *sent, struct ws_err *err)
{
	struct ws_core *c = (struct ws_core *)u;
	uint64_t line = c->machine->l2.line_bytes;
	uint32_t sectors = (uint32_t)((UINT64_C(1) << bytes / WS_SECTOR_BYTES) - 1);
	struct ws_packet *to;

	*sent = c->router && ws_request_bytes(WS_LOAD, sectors) <= c->router_room;
	if (!*sent)
		return WS_OK;
	to = ws_packets_next(&c->sent, err);
	if (!to)
		return WS_ENOMEM;
	*to = (struct ws_packet){
		.arrival = cycle + c->network, .address = address & ~(line - 1),
		.sectors = sectors << (address & (line - 1)) / WS_SECTOR_BYTES,
		.ticket = CODE | number, .instruction = UINT32_MAX, .sm = c->sm, .kind = WS_LOAD,
		.code = true,
	};
	to->slice = (uint16_t)ws_l2_slice(c->machine, to->address);
	ws_core_uses_room(c, ws_request_bytes(WS_LOAD, sectors));
	return WS_OK;
}

struct ws_lsu *ws_core_lsu(struct ws_core *c)
{
	return &c->lsu;
}

/* ---- the simulator's side ------------------------------------------------------------------ */

enum ws_status ws_core_reply(struct ws_core *c, const struct ws_packet *p, struct ws_err *err)
{
	enum ws_status status = ws_packets_add(&c->replies, p, err);
	uint64_t at = ws_later(p->arrival, c->receive_free);

	if (status == WS_OK && at < c->lsu.due)
		c->lsu.due = at;
	return status;
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
	ws_core_count_fails(c, cycle - c->tried - 1);
	c->stuck = false;
	c->lsu.due = cycle < c->lsu.due ? cycle : c->lsu.due;
}

/* A launch that has one L1 of lines, looked up at once, a unit of one op, and nothing that few
 * machines ask for. */
static bool is_plain_launch(const struct ws_core *c)
{
	const struct ws_machine *m = c->machine;

	return c->parts == 1 && !c->part->words && c->ops == 1 && !c->past && !c->entry &&
	       !c->wait && !c->knows && !c->acknowledged && !c->router && !c->translates &&
	       m->sm_lsu_requests != WS_REQUESTS_FALLING && !m->l1_mshr_rate && !m->l1_mshr_cycles;
}

void ws_core_drive(struct ws_core *c)
{
	bool plain = is_plain_launch(c);

	c->lsu.receive = plain ? receive_plain : receive_any;
	c->lsu.issue = plain ? ws_core_issue_plain : ws_core_issue;
	c->lsu.advance = plain ? advance_plain : advance_any;
	c->lsu.code = send_code;
}
