/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * validate/cycle/core.h -- what one SM's load-store unit keeps, for core.c, where it works,
 * core_send.c, which sends its packets, and core_life.c, where it is made, set up for a launch and
 * read.
 */
#ifndef WS_CYCLE_CORE_H
#define WS_CYCLE_CORE_H

#include "base/inline.h"
#include "validate/cycle/cycle.h"
#include "validate/cycle/tags.h"
#include "validate/sim/tlb.h"

struct ws_core_load {			/* a load or atomic whose data is not back */
	uint64_t issued;
	uint64_t back;		/* as far as known */
	uint32_t left;		/* what it waits for */
	uint32_t warp, ticket;	/* the engine's */
	bool store;		/* or a store that is not acknowledged */
	uint32_t next;		/* of the free ones, + 1 */
};

struct ws_core_op {				/* a memory op in the unit */
	struct ws_request *request;
	struct ws_written *written;	/* of each, if .known */
	bool known;
	size_t requests, next, cap, written_cap; /* next: the first that is not accepted */
	uint32_t load;			/* whose they are, or WS_NONE */
};

struct ws_core_piped {				/* a request in a bank's queue */
	struct ws_request request;
	struct ws_written written;
	uint64_t due;			/* its look-up, not before */
	uint32_t load;			/* as of its op */
};

struct ws_core_bank {
	struct ws_core_piped *item;	/* ring of l1.lookup */
	size_t count, head;
};

struct ws_core_fetch {				/* what an MSHR has fetched */
	uint32_t pieces;	/* replies to come */
	uint64_t request;	/* that began it: its number in the launch's stream */
};

struct ws_core_l1 {				/* one of an SM's L1s */
	struct ws_tags *tags;
	struct ws_words *words;		/* instead of tags, if the L1 is organised so; else NULL */
	struct ws_core_fetch *coming;		/* of each MSHR */
	size_t coming_cap;
	struct ws_tlb *tlb;		/* NULL: there is none */
	uint64_t *freed;	/* [helds]: cycles, from .freed_first on: MSHRs' places are free */
	size_t helds, freed_first, freed_cap;
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
	uint64_t latency, network;	/* of the L1, and one way to the L2 */
	uint64_t entry;			/* cycles of a load before it comes here */
	uint64_t bank_bits;		/* log2 of a bank's consecutive bytes */
	bool knows;			/* profile = gpgpusim: which bytes stores write */
	bool direct;			/* what goes past the L1 does not queue */
	bool turns;			/* ops held take turns */
	bool singly;			/* requests are accepted in another order than the ops' */
	bool acknowledged;		/* a store waits for replies */
	uint64_t wait;			/* before a look-up, in a bank's queue; 0: none */
	struct ws_core_bank *bank;	/* [l1.banks] if there is a wait */
	size_t piped;			/* requests in these */

	struct ws_core_op *op;			/* [held] of a ring of sm.lsu, from .front on */
	size_t ops;			/* of those places, as many as are used */
	size_t held, front;
	bool stuck;			/* the front's first request failed in cycle .tried */
	uint64_t tried;
	uint8_t cause;
	struct ws_cycle_counts *count, *site; /* where that is counted; site may be NULL */
	struct ws_stream *accepted;	/* ops whose requests all are; NULL: not wanted */
	uint64_t gone;			/* of them, to the caller, earlier */

	struct ws_core_load *loads;
	size_t loads_cap;
	uint32_t loads_used, loads_free; /* as in mshr.h */
	uint64_t in_flight, counted;	/* MSHRs in use; their sum is up to this cycle, exclusive */

	struct ws_packets queue, sent, replies;
	struct ws_packets walk[2];	/* before the queue: being translated, by the TLBs that
					 * missed; arrival: until when */
	bool translates;
	uint64_t send_free, receive_free; /* ports */
	uint64_t serve_free;		/* in 1 / l1.mshr.rate cycles */
	bool router;			/* packets go into one, and a line's come back by sectors */
	uint64_t router_room;		/* ... bytes that it can take */
	uint64_t credit;		/* here */
	uint64_t *credits;		/* [credits_coming]: when they arrive */
	size_t credits_coming, credits_cap;
	uint64_t credits_first;		/* the first of them; UINT64_MAX: none */
};

struct ws_requester {			/* of packets */
	uint32_t instruction, ticket, cta;
	uint16_t warp;
	uint8_t kind;
	const struct ws_core_l1 *part;
	const struct ws_written *written; /* NULL: whole sectors, or not known */
	uint64_t cycle;
	bool direct;		/* they do not queue */
};

/* As ws_lookup.room.  plain: of a launch that is (core.c). */
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

/* ---- core_send.c ---- */
/* The packets of an L1 line's 32-byte sectors, in the queue or before it; *pieces: how many. */
enum ws_status ws_core_enqueue(struct ws_core *c, const struct ws_requester *by, uint64_t line,
			       uint32_t sectors, uint32_t *pieces,
			       struct ws_err *err) WS_MUST_CHECK;
/* The same in a plain launch (core.c), as below. */
enum ws_status ws_core_enqueue_plain(struct ws_core *c, const struct ws_requester *by,
				     uint64_t line, uint32_t sectors, uint32_t *pieces,
				     struct ws_err *err) WS_MUST_CHECK;
/* How many there would be. */
uint32_t ws_core_pieces(const struct ws_core *c, uint32_t sectors);
/* The packets of a line thrown out that was modified; no sectors: none. */
enum ws_status ws_core_enqueue_victim(struct ws_core *c, const struct ws_core_l1 *part,
				      uint64_t cycle, uint64_t line, uint32_t sectors,
				      struct ws_err *err) WS_MUST_CHECK;
/* Has it any to send, or that are being translated? */
static inline bool ws_core_sends(const struct ws_core *c)
{
	return c->translates || ws_packets_waiting(&c->queue);
}

/* A request that goes past the L1: does it not queue?  Then, can it be sent at once? */
static inline bool ws_core_passes(const struct ws_core *c, const struct ws_request *r)
{
	return c->direct && ws_core_pieces(c, r->sectors) == 1;
}

bool ws_core_may_pass(struct ws_core *c, const struct ws_request *r, uint64_t cycle);
/* One packet at most, if the port and a credit are free. */
enum ws_status ws_core_send(struct ws_core *c, uint64_t cycle, struct ws_err *err) WS_MUST_CHECK;
enum ws_status ws_core_send_plain(struct ws_core *c, uint64_t cycle,
				  struct ws_err *err) WS_MUST_CHECK;

/* A packet of so many bytes is sent. */
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

/* Failures of the request that is stuck. */
static inline void ws_core_count_fails(struct ws_core *c, uint64_t fails)
{
	c->count->fails[c->cause] += fails;
	if (c->site)
		c->site->fails[c->cause] += fails;
}

/* core.c: lets the engine drive it, in the launch that is set up. */
void ws_core_drive(struct ws_core *c);

#endif
