/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * validate/cycle/core.h -- the state of one SM's load-store unit.  core.c simulates it,
 * core_issue.c takes memory ops, core_send.c sends packets, core_life.c makes it, sets it up for a
 * launch and reads its results.
 */
#ifndef WS_CYCLE_CORE_H
#define WS_CYCLE_CORE_H

#include "base/inline.h"
#include "validate/cycle/cycle.h"
#include "validate/cycle/tags.h"
#include "validate/sim/tlb.h"

struct ws_core_load {		/* a load or atomic that waits for data, or a store for replies */
	uint64_t issued;
	uint64_t back;		/* the latest cycle of the data that is known of */
	uint32_t left;		/* requests and replies that it waits for */
	uint32_t warp, ticket;	/* the engine's */
	bool store;
	uint32_t next;		/* of a free one: the next free one + 1 */
};

struct ws_core_op {				/* a memory op in the unit */
	struct ws_request *request;
	struct ws_written *written;	/* of each, if .known */
	bool known;
	size_t requests, next, cap, written_cap; /* next: the first that is not accepted */
	uint32_t load;			/* the load they belong to, or WS_NONE */
};

struct ws_core_piped {				/* a request in a bank's queue */
	struct ws_request request;
	struct ws_written written;
	uint64_t due;			/* the first cycle in which it may be looked up */
	uint32_t load;			/* as its op's */
};

struct ws_core_bank {
	struct ws_core_piped *item;	/* ring of l1.lookup */
	size_t count, head;
};

struct ws_core_fetch {				/* what an MSHR fetches */
	uint32_t pieces;	/* replies that have not arrived */
	uint64_t request;	/* the request that began it, by number in the launch's stream */
};

struct ws_core_l1 {				/* one of an SM's L1s */
	struct ws_tags *tags;
	struct ws_words *words;		/* instead of tags, in an L1 of words; else NULL */
	struct ws_core_fetch *coming;		/* of each MSHR */
	size_t coming_cap;
	struct ws_tlb *tlb;		/* NULL: there is none */
	uint64_t *freed;	/* [helds] from .freed_first on: cycles that free MSHRs */
	size_t helds, freed_first, freed_cap;
	uint32_t kept;		/* likewise, with .port: MSHRs whose last load is not taken */
};

struct ws_core {
	struct ws_lsu lsu;	/* what the engine sees; the first member */
	const struct ws_machine *machine;
	struct ws_cache cache;
	const struct ws_use *use;	/* its policy */
	struct ws_core_l1 *part;		/* [parts] */
	size_t parts;
	struct ws_core_stats *stats;
	struct ws_site_table *sites;
	const bool *past;		/* [instruction]: goes past the L1; NULL: none does */
	uint16_t sm;
	uint64_t latency, network;	/* cycles of the L1; one way to the L2 */
	uint64_t entry;			/* cycles from a load's issue to the load-store unit */
	bool port;			/* what loads bring is written one after the other */
	uint64_t bank_bits;		/* log2 of a bank's consecutive bytes */
	bool knows;			/* profile = gpgpusim: bytes that stores write are known */
	bool direct;			/* what goes past the L1 does not queue */
	bool turns;			/* ops take turns */
	bool singly;			/* requests are accepted in another order than the ops' */
	bool acknowledged;		/* a store waits for replies */
	uint64_t wait;			/* cycles in a bank's queue before a look-up; 0: none */
	struct ws_core_bank *bank;	/* [l1.banks] if wait > 0 */
	size_t piped;			/* requests in the banks' queues */

	struct ws_core_op *op;		/* ring of sm.lsu places: [held] from .front on */
	size_t ops;			/* places that have ever been used */
	size_t held, front;
	bool stuck;			/* the front's first request failed in cycle .tried */
	uint64_t tried;
	uint8_t cause;
	struct ws_cycle_counts *count, *site; /* where failures are counted; site may be NULL */
	struct ws_stream *accepted;	/* ops with all requests accepted; NULL: not wanted */
	uint64_t gone;			/* requests that the caller has taken from it */

	struct ws_core_load *loads;
	size_t loads_cap;
	uint32_t loads_used, loads_free; /* as in mshr.h */
	uint64_t in_flight, counted;	/* MSHRs in use; cycles before this one are summed up */

	struct ws_packets queue, sent, replies;
	struct ws_packets walk[2];	/* packets that TLBs translate, by whether the second TLB
					 * missed; .arrival: the cycle in which that ends */
	bool translates;
	uint64_t send_free, receive_free; /* cycles in which the ports are free */
	uint64_t serve_free;		/* the same of serving MSHRs, in 1 / l1.mshr.rate cycles */
	bool router;			/* sends to a router; replies are of one sector each */
	uint64_t router_room;		/* ... bytes that the router can take */
	uint64_t credit;		/* credits that it has */
	uint64_t *credits;		/* [credits_coming]: cycles in which more arrive */
	size_t credits_coming, credits_cap;
	uint64_t credits_first;		/* the first of them; UINT64_MAX: none */
};

struct ws_requester {			/* the request that packets are sent for */
	uint32_t instruction, ticket, cta;
	uint16_t warp;
	uint8_t kind;
	const struct ws_core_l1 *part;
	const struct ws_written *written; /* NULL: whole sectors, or not known */
	uint64_t cycle;
	bool direct;		/* they do not queue */
};

/* As ws_lookup.room.  plain: the launch is plain (core.c). */
static inline uint32_t ws_core_queue_room(const struct ws_core *c, bool plain, bool store)
{
	size_t used = ws_packets_waiting(&c->queue);
	uint64_t most = c->machine->l1_queue + (!plain && store && c->knows);

	if (!plain && c->translates)
		used += ws_packets_waiting(&c->walk[0]) + ws_packets_waiting(&c->walk[1]);
	if (!used)
		return UINT32_MAX;
	return used < most ? (uint32_t)(most - used) : 0;
}

/* Of the ops held, from the front on. */
static inline struct ws_core_op *ws_core_nth(const struct ws_core *c, size_t n)
{
	size_t at = c->front + n;

	return &c->op[at < c->ops ? at : at - c->ops];
}

/* ---- core_issue.c: ws_lsu.issue, in a plain launch (core.c) and in any ---- */
enum ws_status ws_core_issue_plain(struct ws_lsu *u, const struct ws_lsu_op *op, uint64_t cycle,
				   struct ws_err *err) WS_MUST_CHECK;
enum ws_status ws_core_issue(struct ws_lsu *u, const struct ws_lsu_op *op, uint64_t cycle,
			     struct ws_err *err) WS_MUST_CHECK;

/* ---- core_send.c ---- */
/* Queues the packets of an L1 line's 32-byte sectors, or has them translated first; *pieces: how
 * many. */
enum ws_status ws_core_enqueue(struct ws_core *c, const struct ws_requester *by, uint64_t line,
			       uint32_t sectors, uint32_t *pieces,
			       struct ws_err *err) WS_MUST_CHECK;
/* The same in a plain launch (core.c); likewise ws_core_send_plain. */
enum ws_status ws_core_enqueue_plain(struct ws_core *c, const struct ws_requester *by,
				     uint64_t line, uint32_t sectors, uint32_t *pieces,
				     struct ws_err *err) WS_MUST_CHECK;
/* How many packets that would be. */
uint32_t ws_core_pieces(const struct ws_core *c, uint32_t sectors);
/* Queues the packets of a line that was thrown out: its modified sectors, if it has any. */
enum ws_status ws_core_enqueue_victim(struct ws_core *c, const struct ws_core_l1 *part,
				      uint64_t cycle, uint64_t line, uint32_t sectors,
				      struct ws_err *err) WS_MUST_CHECK;
/* Are there packets to send or to translate? */
static inline bool ws_core_sends(const struct ws_core *c)
{
	return c->translates || ws_packets_waiting(&c->queue);
}

/* Of a request that goes past the L1: does it not queue?  If so, ws_core_may_pass: can it be sent
 * now? */
static inline bool ws_core_passes(const struct ws_core *c, const struct ws_request *r)
{
	return c->direct && ws_core_pieces(c, r->sectors) == 1;
}

bool ws_core_may_pass(struct ws_core *c, const struct ws_request *r, uint64_t cycle);
/* Sends one packet at most, if the port is free and there is a credit. */
enum ws_status ws_core_send(struct ws_core *c, uint64_t cycle, struct ws_err *err) WS_MUST_CHECK;
enum ws_status ws_core_send_plain(struct ws_core *c, uint64_t cycle,
				  struct ws_err *err) WS_MUST_CHECK;

/* Takes a packet's bytes off the router's room. */
static inline void ws_core_uses_room(struct ws_core *c, uint64_t bytes)
{
	uint64_t width = c->machine->icnt_width;

	if (c->router)
		c->router_room -= ws_packet_cycles(bytes, width) * width;
}

static inline uint64_t ws_later(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* Adds failures of the request that is stuck. */
static inline void ws_core_count_fails(struct ws_core *c, uint64_t fails)
{
	c->count->fails[c->cause] += fails;
	if (c->site)
		c->site->fails[c->cause] += fails;
}

/* core.c: sets the hooks with which the engine drives it in the launch that is set up. */
void ws_core_drive(struct ws_core *c);

#endif
