/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * validate/cycle/slice.c -- the slices of one DRAM channel, and the channel.
 *
 * A slice is visited in cycles with an event: data from DRAM, an arriving packet, a reply taken by
 * the port.  A failed look-up fails again until the slice's next fill, as nothing else frees space;
 * the failures between are counted then.  Behind a router one with requests is visited every cycle.
 *
 * As in core.c, what each packet passes is compiled for plain launches, too, with `plain` constant.
 */
#include "validate/cycle/slice.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define NEVER UINT64_MAX

/* ---- counts ---------------------------------------------------------------------------- */

static struct ws_cycle_counts *site_counts(const struct ws_channel *c, const struct ws_packet *p)
{
	struct ws_cycle_site *site;

	if (!c->sites)
		return NULL;
	assert(p->sectors);
	site = ws_site_table_at(c->sites, p->instruction,
				p->address + WS_SECTOR_BYTES * ws_lowest_bit(p->sectors));
	return site ? &site->l2 : NULL;
}

static WS_INLINE void count_answer(const struct ws_channel *c, bool plain,
				   struct ws_cycle_counts *n, const struct ws_packet *p,
				   const struct ws_answer *a)
{
	if (!plain && c->each)
		ws_cycle_count_each(n, a, p->sectors);
	else
		ws_cycle_count(n, a->outcome, p->sectors);
}

static void count_fails(const struct ws_channel *c, struct ws_slice *s, uint64_t cycles)
{
	const struct ws_packet *p = &s->in.packet[s->in.head];
	struct ws_cycle_counts *site = site_counts(c, p);

	if (p->code)
		return;
	s->stats->l2[p->kind].fails[s->cause] += cycles;
	if (site)
		site->fails[s->cause] += cycles;
}

/* Counts the unchanged state up to cycle - 1. */
static void catch_up(const struct ws_channel *c, struct ws_slice *s, uint64_t cycle)
{
	s->stats->mshrs_sum += s->in_flight * (cycle - s->counted);
	s->counted = cycle;
	if (s->blocked) {
		count_fails(c, s, cycle - s->looked);
		s->looked = cycle;
	}
}

/* ---- DRAM ------------------------------------------------------------------------------ */

/* The cycle in which the channel starts it. */
static uint64_t serve(struct ws_channel *c, struct ws_slice *s, uint64_t cycle, uint64_t bytes)
{
	uint64_t bandwidth = c->machine->dram_bandwidth, start = cycle * bandwidth, begin = cycle;

	if (c->free > start) {
		start = c->free;
		begin = (start + bandwidth - 1) / bandwidth;
	}
	c->free = start + bytes * c->work;
	s->stats->dram_wait_sum += begin - cycle;
	return begin;
}

/* The address's row is open from now on; what that takes. */
static uint64_t open_row(struct ws_channel *c, uint64_t address)
{
	uint64_t channel, before = c->row;

	if (!c->machine->dram_row)
		return 0;
	c->row = ws_dram_row(c->machine, address, &channel) + 1;
	return c->row == before ? 0 : c->machine->dram_row_miss_cycles;
}

/* The look-up's n-th sector, from 0, reaches the queue to DRAM; it began in a cycle. */
static uint64_t enters(const struct ws_channel *c, uint64_t begun, unsigned n)
{
	return begun + 1 + (c->machine->l2_rate ? n / c->machine->l2_rate : 0);
}

/* Or they wait for the banks' queue. */
static enum ws_status ask_banks(struct ws_channel *c, struct ws_slice *s,
				struct ws_bank_request r, struct ws_err *err)
{
	r.slice = (uint16_t)(s - c->slice);
	if (!c->misses)
		return ws_banks_add(c->banks, &r, err);
	if (s->miss_first == s->misses)
		s->miss_first = s->misses = 0;
	if (!WS_ROOM(s->miss, s->miss_cap, s->misses + 1))
		return ws_fail_memory(err, "misses");
	s->miss[s->misses++] = r;
	return WS_OK;
}

/* begun: the look-up; cycle: it ends. */
static WS_INLINE enum ws_status write_dram(struct ws_channel *c, struct ws_slice *s, bool plain,
					   uint64_t begun, uint64_t cycle, uint64_t address,
					   uint32_t sectors, struct ws_err *err)
{
	uint64_t bytes;

	if (!sectors)
		return WS_OK;
	bytes = ws_data_bytes(sectors);
	s->stats->dram_write_bytes += bytes;
	if (!plain && c->banks)
		return ask_banks(c, s, (struct ws_bank_request){
			.address = address, .entered = enters(c, begun, 0), .write = true,
			.bursts = (ws_popcount(sectors) + (uint32_t)c->atom - 1) /
				(uint32_t)c->atom }, err);
	serve(c, s, cycle, bytes);
	open_row(c, address);
	return WS_OK;
}

/* Each sector is a request of its own. */
static enum ws_status fetch_of_banks(struct ws_channel *c, struct ws_slice *s, uint64_t begun,
				     const struct ws_packet *p, const struct ws_answer *a,
				     struct ws_err *err)
{
	enum ws_status status = WS_OK;
	unsigned n = 0;

	if (!WS_ROOM(s->left, s->left_cap, a->mshr + (size_t)1))
		return ws_fail_memory(err, "requests of DRAM");
	s->left[a->mshr] = ws_popcount(a->fetch);
	for (uint32_t rest = a->fetch; rest && status == WS_OK; rest &= rest - 1) {
		uint32_t sector = rest & -rest;

		n = ws_popcount(p->sectors & (sector - 1));
		status = ask_banks(c, s, (struct ws_bank_request){
			.address = p->address + WS_SECTOR_BYTES * (uint64_t)ws_log2(sector),
			.entered = enters(c, begun, n), .ticket = a->mshr, .bursts = 1 }, err);
	}
	return status;
}

static enum ws_status fetch_once(struct ws_channel *c, struct ws_slice *s, uint64_t cycle,
				 uint64_t address, const struct ws_answer *a, struct ws_err *err)
{
	uint64_t bytes = ws_data_bytes(a->fetch);
	uint64_t back = serve(c, s, cycle, bytes) + c->machine->dram_latency_cycles +
		open_row(c, address);
	struct ws_packet *data = ws_packets_next(&s->dram, err);

	if (!data)
		return WS_ENOMEM;
	back = back > cycle ? back : cycle + 1;
	if (c->machine->dram_row) { /* data come in the order in which they were asked for */
		back = back > c->last ? back : c->last;
		c->last = back;
	}
	data->arrival = back;
	data->ticket = a->mshr;
	return WS_OK;
}

static WS_INLINE enum ws_status fetch(struct ws_channel *c, struct ws_slice *s, bool plain,
				      uint64_t begun, uint64_t cycle, const struct ws_packet *p,
				      const struct ws_answer *a, struct ws_err *err)
{
	if (!a->fetch)
		return WS_OK;
	s->stats->dram_read_bytes += ws_data_bytes(a->fetch);
	s->in_flight++;
	return !plain && c->banks ? fetch_of_banks(c, s, begun, p, a, err)
				  : fetch_once(c, s, cycle, p->address, a, err);
}

/* What an accepted look-up asks of DRAM. */
static WS_INLINE enum ws_status ask_dram(struct ws_channel *c, struct ws_slice *s, bool plain,
					 uint64_t begun, uint64_t cycle,
					 const struct ws_packet *p, const struct ws_answer *a,
					 struct ws_err *err)
{
	bool first = !plain && c->misses;
	enum ws_status status = first ? fetch(c, s, plain, begun, cycle, p, a, err) : WS_OK;

	if (status == WS_OK)
		status = write_dram(c, s, plain, begun, cycle, a->victim, a->victim_sectors, err);
	if (status == WS_OK)
		status = write_dram(c, s, plain, begun, cycle, p->address, a->send, err);
	return status == WS_OK && !first ? fetch(c, s, plain, begun, cycle, p, a, err) : status;
}

/* ---- a cycle of a slice ---------------------------------------------------------------- */

static inline bool arrived(const struct ws_packets *p, uint64_t cycle)
{
	return p->head < p->count && p->packet[p->head].arrival <= cycle;
}

static inline enum ws_status add_to(struct ws_packets *to, const struct ws_packet *p,
				    uint64_t cycle, struct ws_err *err)
{
	struct ws_packet *at = ws_packets_next(to, err);

	if (!at)
		return WS_ENOMEM;
	*at = *p;
	at->arrival = cycle;
	return WS_OK;
}

/* The requests that now wait for nothing else: their places in served[n ...], by number. */
static enum ws_status serve_waiting(struct ws_slice *s, const uint32_t *waiter, size_t waiters,
				    size_t *n, struct ws_err *err)
{
	if (!WS_ROOM(s->served, s->serve_cap, *n + waiters))
		return ws_fail_memory(err, "requests that wait");
	for (size_t i = 0; i < waiters; i++) {
		struct ws_slice_waiting *w = &s->waiting[waiter[i]];
		size_t k = *n;

		assert(w->fetches);
		if (--w->fetches)
			continue;
		for (; k && s->waiting[s->served[k - 1]].number > w->number; k--)
			s->served[k] = s->served[k - 1];
		s->served[k] = waiter[i];
		++*n;
	}
	return WS_OK;
}

/* What has come, or behind a router the first of it. */
static WS_INLINE enum ws_status fill_lines(const struct ws_channel *c, struct ws_slice *s,
					   bool plain, uint64_t cycle, struct ws_err *err)
{
	bool turns = !plain && c->turns;
	enum ws_status status = WS_OK;
	size_t n = 0;

	do {
		const uint32_t *waiter;
		size_t waiters;
		uint64_t victim;
		uint32_t sectors; /* none: the way was taken at the miss */

		status = ws_tags_fill(s->tags, s->dram.packet[s->dram.head++].ticket, &waiter,
				      &waiters, &victim, &sectors, err);
		assert(s->in_flight);
		s->in_flight--;
		s->blocked = false;
		if (status == WS_OK)
			status = serve_waiting(s, waiter, waiters, &n, err);
	} while (status == WS_OK && !turns && arrived(&s->dram, cycle));
	for (size_t i = 0; i < n && status == WS_OK; i++) {
		struct ws_slice_waiting *w = &s->waiting[s->served[i]];

		status = turns ? add_to(&s->answers, &w->packet, cycle, err)
			: add_to(&s->out, &w->packet, cycle + c->hit + (!plain && c->banks), err);
		w->next = s->vacant;
		s->vacant = s->served[i];
	}
	for (size_t i = 0; i < n && turns && status == WS_OK; i++)
		s->answers.packet[s->answers.count - 1 - i].last = c->holds && !i;
	s->held += n && c->holds;
	return status;
}

static enum ws_status make_vacant(struct ws_slice *s, struct ws_err *err)
{
	size_t old = s->cap;

	if (!WS_ROOM(s->waiting, s->cap, old + 16))
		return ws_fail_memory(err, "requests that wait");
	for (size_t k = s->cap; k-- > old; s->vacant = (uint32_t)k)
		s->waiting[k].next = s->vacant;
	return WS_OK;
}

/* In the place that was given to ws_tags_lookup. */
static void wait(struct ws_slice *s, const struct ws_packet *p, unsigned fetches)
{
	struct ws_slice_waiting *w = &s->waiting[s->vacant];

	s->vacant = w->next;
	w->packet = *p;
	w->number = s->numbers++;
	w->fetches = fetches;
}

static inline enum ws_status give_credit(struct ws_channel *c, uint32_t sm, uint64_t arrival,
				  struct ws_err *err)
{
	struct ws_credits *to = &c->credits;

	if (!WS_ROOM(to->credit, to->cap, to->count + 1))
		return ws_fail_memory(err, "credits");
	to->credit[to->count++] = (struct ws_credit){ .arrival = arrival, .sm = sm };
	return WS_OK;
}

/* That the look-up takes after its first. */
static uint64_t more_cycles(const struct ws_channel *c, const struct ws_packet *p)
{
	uint64_t rate = c->turns ? 0 : c->machine->l2_rate;

	return rate ? (ws_popcount(p->sectors) - 1) / rate : 0;
}

/* The data port reads the line that a store throws out; nothing is looked up until it has. */
static void hold_port(const struct ws_channel *c, struct ws_slice *s, const struct ws_packet *p,
		      const struct ws_answer *a, uint64_t cycle)
{
	uint64_t sectors = ws_popcount(a->victim_sectors), rate = c->machine->l2_rate;

	if (p->kind == WS_STORE && rate && sectors > rate)
		s->looked = cycle + sectors / rate;
}

/* Handles an accepted look-up. */
static WS_INLINE enum ws_status accept(struct ws_channel *c, struct ws_slice *s, bool plain,
				       uint64_t cycle, const struct ws_answer *a,
				       struct ws_err *err)
{
	const struct ws_packet *p = &s->in.packet[s->in.head++];
	struct ws_cycle_counts *site = site_counts(c, p);
	uint64_t more = plain ? 0 : more_cycles(c, p);
	bool turns = !plain && c->turns;
	enum ws_status status;

	s->looked += more;
	cycle += more;
	status = turns ? WS_OK : give_credit(c, p->sm, cycle + c->icnt, err);
	assert(s->queued || !turns);
	s->queued -= turns;
	if (turns && c->holds)
		hold_port(c, s, p, a, cycle);
	if (status != WS_OK)
		return status;
	if (plain || !p->code)
		count_answer(c, plain, &s->stats->l2[p->kind], p, a);
	if (site)
		count_answer(c, plain, site, p, a);
	status = ask_dram(c, s, plain, cycle - more, cycle, p, a, err);
	if ((p->kind == WS_STORE && p->ticket == UINT32_MAX) || status != WS_OK)
		return status;
	if (!a->waits)
		return add_to(&s->out, p, cycle + c->hit, err);
	wait(s, p, a->waits);
	return WS_OK;
}

/* Has the queue to DRAM's no place for what misses?  A load may throw out a line, too. */
static bool misses_full(const struct ws_channel *c, const struct ws_slice *s, uint8_t kind)
{
	size_t waiting = s->misses - s->miss_first;

	return waiting && waiting + (kind != WS_STORE) >= c->misses;
}

static WS_INLINE enum ws_status look_up(struct ws_channel *c, struct ws_slice *s, bool plain,
					uint64_t cycle, struct ws_err *err)
{
	const struct ws_packet *p = &s->in.packet[s->in.head];
	struct ws_lookup l = {
		.access = { .address = p->address, .instruction = p->instruction,
			    .sectors = p->sectors, .cta = p->cta, .warp = p->warp,
			    .kind = p->kind },
		.set = ws_slice_set(c, p->address), .room = UINT32_MAX,
		.written = !plain && p->partial ? &p->written : NULL,
		.full = !plain && c->misses && misses_full(c, s, p->kind),
		.held = plain ? 0 : s->held,
	};
	enum ws_status status = s->vacant != WS_SLICE_NOBODY ? WS_OK : make_vacant(s, err);
	struct ws_answer a;

	if (status != WS_OK)
		return status;
	l.waiter = s->vacant;
	status = ws_tags_lookup(s->tags, &l, &a, err);
	if (status != WS_OK)
		return status;
	s->looked = cycle + 1;
	if (a.outcome != WS_FAILED)
		return accept(c, s, plain, cycle, &a, err);
	s->blocked = plain || !c->turns; /* else it is tried anew */
	s->cause = a.cause;
	count_fails(c, s, 1);
	return WS_OK;
}

static enum ws_status send(struct ws_channel *c, struct ws_slice *s, uint64_t cycle,
			   struct ws_err *err)
{
	struct ws_packet *to = ws_packets_next(&c->replies, err);
	const struct ws_packet *p = &s->out.packet[s->out.head++];
	uint64_t bytes = ws_reply_bytes(p);

	if (!to)
		return WS_ENOMEM;
	*to = *p;
	to->arrival = cycle + c->icnt;
	s->port = cycle + ws_packet_cycles(bytes, c->machine->icnt_width);
	return WS_OK;
}

static inline uint64_t next_event(const struct ws_slice *s)
{
	uint64_t first = NEVER, cycle;

	if (s->dram.head < s->dram.count)
		first = s->dram.packet[s->dram.head].arrival;
	if (s->in.head < s->in.count && !s->blocked) {
		cycle = s->in.packet[s->in.head].arrival;
		cycle = cycle > s->looked ? cycle : s->looked;
		first = cycle < first ? cycle : first;
	}
	if (s->out.head < s->out.count) {
		cycle = s->out.packet[s->out.head].arrival;
		cycle = cycle > s->port ? cycle : s->port;
		first = cycle < first ? cycle : first;
	}
	return first;
}

static WS_INLINE enum ws_status simulate_slice(struct ws_channel *c, struct ws_slice *s, bool plain,
					       uint64_t cycle, struct ws_err *err)
{
	enum ws_status status = WS_OK;

	catch_up(c, s, cycle);
	if (arrived(&s->dram, cycle))
		status = fill_lines(c, s, plain, cycle, err);
	if (status == WS_OK && !s->blocked && s->looked <= cycle && arrived(&s->in, cycle))
		status = look_up(c, s, plain, cycle, err);
	if (status == WS_OK && s->port <= cycle && arrived(&s->out, cycle))
		status = send(c, s, cycle, err);
	return status;
}

/* ---- behind a router ------------------------------------------------------------------- */

static bool has_room(const struct ws_channel *c, const struct ws_packets *p)
{
	return ws_packets_waiting(p) < c->machine->l2_queue;
}

static bool dram_has_room(const struct ws_channel *c, const struct ws_slice *s)
{
	return !c->banks || ws_banks_waiting(c->banks, (size_t)(s - c->slice)) <
			    c->machine->l2_queue;
}

/* The first of the queue of misses joins that of the banks. */
static enum ws_status pass_miss(struct ws_channel *c, struct ws_slice *s, uint64_t cycle,
				struct ws_err *err)
{
	struct ws_bank_request *r;

	if (s->miss_first == s->misses || !dram_has_room(c, s))
		return WS_OK;
	r = &s->miss[s->miss_first];
	r->entered = cycle;
	s->miss_first++;
	return ws_banks_add(c->banks, r, err);
}

/* One that waited for a fill of an earlier cycle, one fill, a miss for DRAM, one look-up, one more
 * to look up. */
static enum ws_status take_turns(struct ws_channel *c, struct ws_slice *s, uint64_t cycle,
				 struct ws_err *err)
{
	enum ws_status status = WS_OK;
	const struct ws_packets *in = &s->in;

	catch_up(c, s, cycle);
	if (cycle && arrived(&s->answers, cycle - 1) && has_room(c, &s->out)) {
		const struct ws_packet *p = &s->answers.packet[s->answers.head++];

		s->held -= p->last;
		status = add_to(&s->out, p, cycle + 1, err);
	}
	if (status == WS_OK && arrived(&s->dram, cycle))
		status = fill_lines(c, s, false, cycle, err);
	if (status == WS_OK && c->misses)
		status = pass_miss(c, s, cycle, err);
	if (status == WS_OK && s->queued && s->looked <= cycle && dram_has_room(c, s) &&
	    has_room(c, &s->out))
		status = look_up(c, s, false, cycle, err);
	if (s->queued < ws_packets_waiting(in) && s->queued < c->machine->l2_queue &&
	    in->packet[in->head + s->queued].arrival <= cycle)
		s->queued++;
	return status;
}

static uint64_t next_turn(const struct ws_slice *s, uint64_t cycle)
{
	uint64_t first = NEVER;

	if (s->queued || s->miss_first < s->misses)
		return cycle + 1;
	if (ws_packets_waiting(&s->in))
		first = s->in.packet[s->in.head].arrival;
	if (ws_packets_waiting(&s->answers))
		first = cycle + 1;
	if (ws_packets_waiting(&s->dram) && s->dram.packet[s->dram.head].arrival < first)
		first = s->dram.packet[s->dram.head].arrival;
	if (ws_packets_waiting(&s->out) && s->out.packet[s->out.head].arrival < first)
		first = s->out.packet[s->out.head].arrival;
	return first > cycle ? first : cycle + 1;
}

/* The packet's sectors, each of its own. */
static enum ws_status push_sectors(struct ws_channel *c, size_t slice, const struct ws_packet *p,
				   struct ws_err *err)
{
	uint64_t arrival = p->arrival + c->wait - 1;
	enum ws_status status = WS_OK;

	for (uint32_t rest = p->sectors; rest && status == WS_OK; rest &= rest - 1) {
		struct ws_packet one = *p;

		one.sectors = rest & -rest;
		status = add_to(&c->slice[slice].in, &one, arrival, err);
	}
	c->due[slice] = arrival < c->due[slice] ? arrival : c->due[slice];
	return status;
}

bool ws_channel_open(const struct ws_channel *c, size_t slice)
{
	uint64_t most = c->cache.line_bytes / WS_SECTOR_BYTES; /* of a packet */

	return c->slice[slice].queued + most <= c->machine->l2_queue;
}

const struct ws_packet *ws_channel_offer(const struct ws_channel *c, size_t slice, uint64_t cycle)
{
	const struct ws_packets *out = &c->slice[slice].out;

	return arrived(out, cycle) ? &out->packet[out->head] : NULL;
}

void ws_channel_sent(struct ws_channel *c, size_t slice)
{
	c->slice[slice].out.head++;
}

/* ---- from outside ---------------------------------------------------------------------- */

enum ws_status ws_channel_push(struct ws_channel *c, const struct ws_packet *p, struct ws_err *err)
{
	size_t i = (size_t)(p->slice - c->first);
	struct ws_slice *s = &c->slice[i];
	uint64_t cycle = p->arrival > s->looked ? p->arrival : s->looked;

	if (c->turns)
		return push_sectors(c, i, p, err);
	if (!s->blocked && cycle < c->due[i])
		c->due[i] = cycle;
	return ws_packets_add(&s->in, p, err);
}

/* What DRAM's banks have for slices in a cycle. */
static enum ws_status receive_data(struct ws_channel *c, uint64_t cycle, struct ws_err *err)
{
	const struct ws_bank_data *data;
	size_t count;
	enum ws_status status = ws_banks_run(c->banks, cycle, &data, &count, err);

	for (size_t i = 0; i < count && status == WS_OK; i++) {
		struct ws_slice *s = &c->slice[data[i].slice];
		struct ws_packet *come;

		s->stats->dram_wait_sum += data[i].waited;
		assert(s->left[data[i].ticket]);
		if (--s->left[data[i].ticket])
			continue;
		come = ws_packets_next(&s->dram, err);
		if (!come)
			return WS_ENOMEM;
		come->arrival = cycle;
		come->ticket = data[i].ticket;
		c->due[data[i].slice] = cycle;
	}
	return status;
}

/* One that has work in a cycle. */
static WS_INLINE enum ws_status visit(struct ws_channel *c, size_t slice, bool plain,
				      uint64_t cycle, struct ws_err *err)
{
	struct ws_slice *s = &c->slice[slice];
	bool turns = !plain && c->turns;
	enum ws_status status = turns ? take_turns(c, s, cycle, err)
				      : simulate_slice(c, s, plain, cycle, err);

	c->due[slice] = turns ? next_turn(s, cycle) : next_event(s);
	return status;
}

static WS_INLINE enum ws_status run_channel(struct ws_channel *c, bool plain, uint64_t end,
					    uint64_t *due, struct ws_err *err)
{
	uint64_t cycle, dram;

	for (;;) {
		enum ws_status status = WS_OK;

		cycle = dram = !plain && c->banks ? ws_banks_due(c->banks) : NEVER;
		for (size_t i = 0; i < c->slices; i++)
			cycle = c->due[i] < cycle ? c->due[i] : cycle;
		if (cycle >= end)
			break;
		if (!plain && dram == cycle)
			status = receive_data(c, cycle, err);
		for (size_t i = 0; i < c->slices && status == WS_OK; i++)
			if (c->due[i] <= cycle)
				status = visit(c, i, plain, cycle, err);
		if (status != WS_OK)
			return status;
	}
	*due = cycle;
	return WS_OK;
}

enum ws_status ws_channel_run(struct ws_channel *c, uint64_t end, uint64_t *due,
			      struct ws_err *err)
{
	return c->plain ? run_channel(c, true, end, due, err)
			: run_channel(c, false, end, due, err);
}

struct ws_packets *ws_channel_replies(struct ws_channel *c)
{
	return &c->replies;
}

struct ws_credits *ws_channel_credits(struct ws_channel *c)
{
	return &c->credits;
}
