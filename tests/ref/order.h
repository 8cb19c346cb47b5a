/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/ref/order.h -- slow, obvious references for trace/order/: a coalescer
 * that looks at every byte, and the timed machine with every cycle, every SM
 * and every warp visited.  Also small random launches to run them on.
 */
#ifndef WS_TESTS_REF_ORDER_H
#define WS_TESTS_REF_ORDER_H

#include "trace/trace.h"

struct ref_step {
	uint32_t segment;
	uint64_t mask[WS_CTA_THREADS_MAX / 64];
	uint64_t **address;	/* [instruction of the segment][lane] */
};

struct ref_launch {
	struct ws_launch launch;
	struct ref_step **step;	/* [cta][step] */
	size_t *steps;		/* [cta] */
};

/* What is left of a request: for comparisons by memcmp. */
struct ref_issue {
	uint64_t sm, cycle, address;
	uint32_t sectors, instruction, cta, warp, kind, reserved;
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

struct ref_shape {
	uint64_t ctas, threads;	/* of a CTA */
	unsigned steps;		/* of a CTA, at most */
	unsigned gap;		/* largest gap and tail; now and then 100 times that */
	uint64_t bytes;		/* addresses lie below */
	bool barriers;
};

void ref_launch_random(struct ref_launch *l, struct ws_rng *rng, const struct ref_shape *shape);
void ref_launch_clear(struct ref_launch *l);

#endif
