/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/ref/order.h -- slow, obvious references for trace/order/: a coalescer
 * that looks at every byte, and the timed machine with every cycle, every SM
 * and every warp visited.  Also small random launches to run them on.
 */
#ifndef WS_TESTS_REF_ORDER_H
#define WS_TESTS_REF_ORDER_H

#include "trace/trace.h"

enum ref_slot {			/* what a scheduler did in a cycle, or why it did nothing */
	REF_ISSUED,
	REF_EMPTY, REF_LSU, REF_DATA, REF_BARRIER, REF_OTHER, /* in the order of enum ws_stall */
};

struct ref_front;

struct ref_part {		/* of a load's data, from below the L1 */
	uint64_t from;		/* the cycle in which it is back or, where it waits to be written,
				 * from which on it may be taken */
	uint64_t number;	/* in order of arrival in the SM */
	bool waits;		/* to be written, */
	bool past;		/* having gone past the L1 */
	bool taken, written;
	bool last;		/* of those that waited for an MSHR */
	bool all;		/* of its request */
	void *load, *l1;	/* the unit's */
};

struct ref_parts {
	struct ref_part **part;
	size_t count, cap;
};

/* The load-store units of the SMs and what lies behind, as the machine sees them. */
struct ref_unit {
	void *context;
	void (*receive)(void *context, size_t sm, uint64_t cycle); /* before issue */
	bool (*free)(void *context, size_t sm, uint64_t cycle);	/* for an op in this cycle? */
	/* With profile = gpgpusim a store's request has in .fetch the address of its struct
	 * ws_written, which lasts for the call.
	 * *back (NULL: a store that nobody waits for) is UINT64_MAX, until the cycle is known in
	 * which the data is back, or the store acknowledged. */
	void (*issue)(void *context, size_t sm, const struct ws_request *r, size_t count,
		      uint64_t *back, struct ref_parts *parts, uint64_t cycle);
	void (*advance)(void *context, size_t sm, uint64_t cycle); /* after issue */
	void (*rest)(void *context, uint64_t cycle);	/* after all SMs */
	void (*slot)(void *context, size_t sm, enum ref_slot slot); /* of each scheduler */
	bool (*busy)(void *context);	/* after the last CTA: is anything on its way? */
	bool codes;			/* sm.pipeline executes what it can */
	/* A line of code is asked for (sm.front); false: there is no room. */
	bool (*code)(void *context, size_t sm, uint64_t address, uint64_t bytes, size_t number);
};

struct ref_step {
	uint32_t segment;
	uint64_t mask[WS_CTA_THREADS_MAX / 64];
	uint64_t **address;	/* [instruction of the segment][lane] */
};

struct ref_launch {
	struct ws_launch launch;
	struct ref_step **step;	/* [cta][step] */
	size_t *steps;		/* [cta] */
	const bool *kept;	/* [kept_lines]: lines of code that the L2 has; NULL: none */
	size_t kept_lines;
	const bool *held;	/* [SM]: it had a CTA of an earlier launch; NULL: none had */
	uint64_t before;	/* CTAs of earlier launches */
	struct ref_front **front; /* [SM]; NULL: there is no sm.front */
	size_t *last;		/* out: the SM that got the last CTA; or NULL */
};

/* What is left of a request: for comparisons by memcmp. */
struct ref_issue {
	uint64_t sm, cycle, address;
	uint32_t sectors, instruction, cta, warp, kind, part;	/* part: of the L1s */
	uint64_t fetch;
};

struct ref_stream {
	struct ref_issue *item;
	size_t count, cap;
	uint64_t cycles;
};

void ref_stream_add(struct ref_stream *s, const struct ref_issue *item);
void ref_stream_clear(struct ref_stream *s);
/* By SM; within an SM the order is kept. */
void ref_stream_sort(struct ref_stream *s);

size_t ref_coalesce(const struct ws_machine *m, const uint64_t *address, uint64_t mask,
		    uint32_t bytes, struct ws_request *out);

/* Latencies that depend on the request alone, 0..span-1 cycles, so that any
 * order of calls gets the same answers. */
uint64_t ref_latency(const struct ws_request *r, uint64_t span);

/* lrr, gto and two-level; memory as ref_latency. */
void ref_order(const struct ref_launch *l, const struct ws_machine *m, uint64_t seed,
	       uint64_t span, struct ref_stream *out);
/* The same machine with other units.  end[sm]: cycles up to the end of its last CTA, 0 if it got
 * none.  Returns the CTAs that an SM holds at once. */
size_t ref_machine_run(const struct ref_launch *l, const struct ws_machine *m, uint64_t seed,
		       const struct ref_unit *unit, uint64_t *end);

struct ref_shape {
	uint64_t ctas, threads;	/* of a CTA */
	unsigned steps;		/* of a CTA, at most */
	unsigned gap;		/* largest gap and tail; now and then 100 times that */
	uint64_t bytes;		/* addresses lie below */
	bool barriers;
	bool paced;		/* chains and PCs */
};

void ref_launch_random(struct ref_launch *l, struct ws_rng *rng, const struct ref_shape *shape);
void ref_launch_clear(struct ref_launch *l);

#endif
