/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * validate/cycle/core_send.c -- packets of one SM: made for a request, translated, queued, and sent
 * against credits.
 */
#include "validate/cycle/core.h"

/* Where packets of the line go: into the queue, or first to those that are being translated. */
static struct ws_packets *translate(struct ws_core *c, const struct ws_requester *by, uint64_t line,
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

static WS_INLINE void count_sent(struct ws_core *c, bool plain, uint64_t bytes)
{
	c->credit -= plain || !c->router;
	if (!plain)
		ws_core_uses_room(c, bytes);
	c->stats->sent_packets++;
	c->stats->sent_bytes += bytes;
}

/* Packets are built in place, field by field: copying a struct that was just written in parts
 * stalls the store buffer. */
static WS_INLINE enum ws_status enqueue(struct ws_core *c, bool plain,
					const struct ws_requester *by, uint64_t line,
					uint32_t sectors, uint32_t *pieces, struct ws_err *err)
{
	uint64_t piece = c->machine->l2.line_bytes;
	unsigned step = (unsigned)(piece / WS_SECTOR_BYTES), at = 0;
	uint32_t mask = UINT32_MAX >> (step < 32 ? 32 - step : 0);
	unsigned shift = (unsigned)((line & (piece - 1)) / WS_SECTOR_BYTES);
	bool direct = !plain && by->direct;
	struct ws_packets *to = direct ? &c->sent : &c->queue;
	uint64_t until = direct ? by->cycle + c->network : 0;

	if (!plain && c->translates)
		to = translate(c, by, line, &until);
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
		p->instruction = by->instruction;
		p->cta = by->cta;
		p->warp = by->warp;
		p->ticket = by->ticket;
		p->kind = by->kind;
		p->sm = c->sm;
		p->partial = !plain && by->written;
		if (!plain && by->written)
			p->written = *by->written;
		p->code = false;
		if (direct)
			count_sent(c, false, ws_request_bytes(by->kind, part));
		*pieces += !plain && c->router ? ws_popcount(part) : 1;
	}
	return WS_OK;
}

enum ws_status ws_core_enqueue_plain(struct ws_core *c, const struct ws_requester *by,
				     uint64_t line, uint32_t sectors, uint32_t *pieces,
				     struct ws_err *err)
{
	return enqueue(c, true, by, line, sectors, pieces, err);
}

enum ws_status ws_core_enqueue(struct ws_core *c, const struct ws_requester *by, uint64_t line,
			       uint32_t sectors, uint32_t *pieces, struct ws_err *err)
{
	return enqueue(c, false, by, line, sectors, pieces, err);
}

uint32_t ws_core_pieces(const struct ws_core *c, uint32_t sectors)
{
	unsigned step = (unsigned)(c->machine->l2.line_bytes / WS_SECTOR_BYTES);
	uint32_t mask = UINT32_MAX >> (step < 32 ? 32 - step : 0), n = 0;

	for (unsigned at = 0; at < 32 && sectors >> at; at += step)
		n += (sectors >> at & mask) != 0;
	return n;
}

enum ws_status ws_core_enqueue_victim(struct ws_core *c, const struct ws_core_l1 *part,
				      uint64_t cycle, uint64_t line, uint32_t sectors,
				      struct ws_err *err)
{
	const struct ws_requester nobody = { .instruction = UINT32_MAX, .ticket = WS_NONE,
					     .kind = WS_STORE, .part = part, .cycle = cycle };
	uint32_t pieces;

	return sectors ? ws_core_enqueue(c, &nobody, line, sectors, &pieces, err) : WS_OK;
}

/* ---- the port to the network ---------------------------------------------------------- */

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

		while (status == WS_OK && ws_packets_waiting(walk) &&
		       walk->packet[walk->head].arrival <= cycle)
			status = ws_packets_add(&c->queue, &walk->packet[walk->head++], err);
	}
	return status;
}

/* Of the queue the first. */
static WS_INLINE bool may_send(struct ws_core *c, bool plain, uint64_t cycle)
{
	const struct ws_packet *p = &c->queue.packet[c->queue.head];

	if (!plain && c->router)
		return ws_request_bytes(p->kind, p->sectors) <= c->router_room;
	if (c->send_free > cycle)
		return false;
	if (!c->credit && c->credits_first <= cycle)
		take_credits(c, cycle);
	return c->credit > 0;
}

bool ws_core_may_pass(struct ws_core *c, const struct ws_request *r, uint64_t cycle)
{
	if (c->router)
		return ws_request_bytes(ws_request_below(r), r->sectors) <= c->router_room;
	if (!c->credit && c->credits_first <= cycle)
		take_credits(c, cycle);
	return c->credit > 0;
}

void ws_core_room_for(struct ws_core *c, uint64_t bytes)
{
	c->router_room = bytes;
}

static WS_INLINE enum ws_status send_packet(struct ws_core *c, bool plain, uint64_t cycle,
					    struct ws_err *err)
{
	const volatile struct ws_packet *p; /* field by field: see enqueue */
	struct ws_packet *to;
	uint64_t bytes;

	if (!ws_packets_waiting(&c->queue) || !may_send(c, plain, cycle))
		return WS_OK;
	p = &c->queue.packet[c->queue.head];
	c->queue.head++;
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
	to->partial = !plain && p->partial;
	if (!plain && p->partial)
		to->written = p->written;
	to->code = false;
	count_sent(c, plain, bytes);
	c->send_free = cycle + ws_packet_cycles(bytes, c->machine->icnt_width);
	if (c->stuck && c->cause == WS_FAIL_QUEUE) {
		/* Behind a router it is tried in this cycle. */
		ws_core_count_fails(c, cycle - c->tried - (!plain && c->router));
		c->stuck = false;
	}
	return WS_OK;
}

enum ws_status ws_core_send_plain(struct ws_core *c, uint64_t cycle, struct ws_err *err)
{
	return send_packet(c, true, cycle, err);
}

enum ws_status ws_core_send(struct ws_core *c, uint64_t cycle, struct ws_err *err)
{
	if (c->translates && take_translated(c, cycle, err) != WS_OK)
		return WS_ENOMEM;
	return send_packet(c, false, cycle, err);
}

enum ws_status ws_core_credit(struct ws_core *c, uint64_t arrival, struct ws_err *err)
{
	uint64_t at = ws_later(arrival, c->send_free);

	if (!WS_ROOM(c->credits, c->credits_cap, c->credits_coming + 1))
		return ws_fail_memory(err, "credits");
	c->credits[c->credits_coming++] = arrival;
	c->credits_first = arrival < c->credits_first ? arrival : c->credits_first;
	if (ws_packets_waiting(&c->queue) && !c->credit && at < c->lsu.due)
		c->lsu.due = at;
	return WS_OK;
}
