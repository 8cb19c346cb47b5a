/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/ref/cycle_gpu.h -- the reference of the whole GPU: what cycle_sm.c and cycle.c share.
 */
#ifndef WS_TESTS_REF_CYCLE_GPU_H
#define WS_TESTS_REF_CYCLE_GPU_H

#include "tests/ref/cycle.h"
#include "tests/ref/cycle_cache.h"
#include "tests/ref/router.h"

struct ref_load {			/* a warp's load or atomic, on its way */
	uint64_t issued, latest, *back;
	struct ref_parts *parts;
	size_t left;		/* requests whose data is not known to be back */
	bool store;		/* it is a store that is to be acknowledged */
};

struct ref_fetch {			/* what a reply answers */
	struct ref_mshr *mshr;	/* of the L1; NULL: an atomic */
	struct ref_timed_cache *l1;
	struct ref_load *load;	/* the atomic's */
	unsigned pieces;	/* replies that have not come */
	size_t number;		/* in the stream, of the request that began it */
	struct ref_front *code;	/* of a line of code, its number; or NULL */
};

struct ref_packet {
	uint64_t arrival, address, ready, number; /* number: of those that the slice accepted */
	uint32_t sectors, instruction, cta;
	uint16_t warp;
	size_t sm, slice;
	uint8_t kind;
	const struct ws_written *written; /* NULL: whole sectors */
	struct ref_fetch *fetch;	/* NULL: no reply is wanted */
	unsigned missed;	/* TLBs */
	bool last;		/* of those that waited for an MSHR, which then is free */
};

struct ref_page {		/* in a TLB; used 0: none */
	uint64_t page, used;
};

struct ref_tlb {			/* one level of an L1's */
	struct ref_page *entry; /* of each set as many as there are in all */
	uint64_t clock;
};

struct ref_lsu_op {			/* a memory op in the LSU */
	struct ws_request *request;
	size_t requests, next;	/* next: the first not accepted */
	struct ref_load *load;	/* NULL: a store that nobody waits for */
};

struct ref_piped {			/* a request in a bank's queue */
	struct ws_request request;
	struct ref_load *load;
	uint64_t entered;
};

struct ref_timed_sm {
	struct ref_list bank[64];	/* with l1.lookup: their queues */
	struct ref_timed_cache *l1;	/* [l1.parts] */
	struct ref_tlb (*tlb)[2];	/* likewise */
	struct ref_list walking;	/* packets that are being translated until .ready */
	struct ref_list op;		/* whose turn it is, first */
	uint64_t issued;	/* the last cycle in which one came, + 1 */
	struct ref_load *load;	/* of the request at hand */
	struct ref_list to_l2, replies, credit; /* credit: their arrivals */
	uint64_t served_in, served;	/* waiters: in that cycle, so many */
	struct ref_list coming;		/* struct ref_part that wait to be written */
	uint64_t came;			/* how many there have been */
	uint64_t sending, receiving;	/* the ports are busy before */
	uint64_t credits;
	struct ws_core_stats *stats;
};

struct ref_crossbar {		/* icnt.queues = input; one each way */
	struct ref_list *sent;	/* [senders]: that have not crossed */
	uint64_t *sender, *receiver; /* their ports are busy before */
};

struct ref_slice {
	struct ref_timed_cache l2;
	struct ref_list come;	/* MSHRs: whose data comes from banks in this cycle */
	struct ref_list queue, ready, served; /* served: by the fills of this cycle, or behind a
					       * router of earlier ones */
	struct ref_list misses;	/* behind a router: on their way to banks */
	struct ref_list delayed;	/* behind a router, in front of the queue until .ready */
	uint64_t sending, accepted, looking; /* busy with look-ups before */
	uint64_t port;		/* behind a router: likewise, with a line thrown out */
	struct ws_slice_stats *stats;
};

struct ref_dram;			/* cycle_dram.c: a channel of banks */

struct ref_gpu {
	struct ws_machine m;
	struct ref_timed_sm *sm;
	struct ref_slice *slice;
	struct ref_crossbar out, back; /* of requests, of replies */
	struct ref_router *to_slices, *to_sms; /* NULL: there are none */
	uint64_t *channel;	/* from when on it is free, in 1 / dram.bandwidth cycles */
	struct ref_dram **dram;	/* of each: banks; NULL: there are none */
	uint64_t *row, *last;	/* of each: open, + 1; when its last data come */
	uint64_t channels, seed;
	uint64_t front;		/* cycles from issue to the LSU, of sm.pipeline; 0: there is none */
	struct ref_list fetches, loads, written; /* all of this launch, to be freed */
	const struct ws_launch *launch;
	struct ws_cycle_site *site; /* [instruction][array, and one for none] */
	struct ref_stream *stream;
	uint64_t cycle;
	uint64_t meetings[2];	/* of L1s, of slices: those that the launch has had */
	struct ref_timed_sm *at_sm;	/* that is being served, */
	struct ref_timed_cache *at_l1;
	struct ref_part *at_last;	/* of what waited for an MSHR, so far */
	uint64_t served_at;	/* the last of an L1's requests, in that cycle */
	struct ref_slice *at_slice;
	bool *kept;		/* [kept_lines]: of code, that earlier launches have */
	size_t kept_lines;
	bool *held;		/* [SM]: had a CTA of one */
	uint64_t ctas;		/* of earlier launches */
	uint64_t cycles_before;	/* of the last of them */
	struct ref_front **code, **turned; /* [SM]: sm.front; as the launch's SMs have it */
	size_t first;		/* SM that the launch's first CTA would go to */
};

/* Where an SM is at the routers. */
static inline size_t ref_router_port(const struct ref_gpu *g, size_t sm)
{
	return (g->first + sm) % (size_t)g->m.sm_count;
}

struct ref_dram *ref_dram_new(struct ref_gpu *g, size_t channel);
void ref_dram_free(struct ref_dram *d);
void ref_dram_empty(struct ref_dram *d);
bool ref_dram_busy(const struct ref_dram *d);
size_t ref_dram_waiting(const struct ref_dram *d, size_t slice); /* in the slice's queue */
/* mshr NULL: a write. */
void ref_dram_ask(struct ref_dram *d, size_t slice, uint64_t address, uint64_t bytes,
		  struct ref_mshr *mshr, uint64_t entered);
void ref_dram_cycle(struct ref_dram *d); /* the ticks of the cycle at hand */

/* cycle.c */
void ref_slice_fill(struct ref_gpu *g, struct ref_slice *s, struct ref_mshr *m);
void ref_slice_look_up(struct ref_gpu *g, size_t slice);
void ref_slice_miss(struct ref_gpu *g, size_t slice); /* one goes on to the banks */
void ref_meet(struct ref_gpu *g, bool l2, uint64_t cycle);

/* cycle_router.c: what a cycle has of slices and routers, before the SMs' part of it. */
void ref_behind_router(struct ref_gpu *g, uint64_t cycle);

struct ws_cycle_site *ref_site(struct ref_gpu *g, uint32_t instruction, uint64_t address);
uint64_t ref_first_sector(uint64_t line, uint32_t sectors);
uint64_t ref_port_cycles(const struct ref_gpu *g, uint64_t bytes);
uint64_t ref_request_size(const struct ref_packet *p);
uint64_t ref_reply_size(const struct ref_packet *p);
void ref_sm_receive(void *context, size_t number, uint64_t cycle);
bool ref_sm_free(void *context, size_t number, uint64_t cycle);
void ref_sm_issue(void *context, size_t number, const struct ws_request *r, size_t n,
		  uint64_t *back, struct ref_parts *parts, uint64_t cycle);
bool ref_sm_code(void *context, size_t number, uint64_t address, uint64_t bytes, size_t line);
void ref_sm_advance(void *context, size_t number, uint64_t cycle);
void ref_sm_slot(void *context, size_t number, enum ref_slot what);

#endif
