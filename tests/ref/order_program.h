/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/ref/order_program.h -- what the warps of a CTA do, for the machine of order.c.
 *
 * A warp's program is one entry per op, gaps written out.  Of a large warp every instruction is an
 * op for each sub-warp, which is dealt out lane by lane.
 */
#ifndef WS_TESTS_REF_ORDER_PROGRAM_H
#define WS_TESTS_REF_ORDER_PROGRAM_H

#include "tests/ref/order.h"
#include "tests/ref/pipeline.h"

enum ref_what { REF_OP_OTHER, REF_OP_MEMORY, REF_OP_BARRIER };

struct ref_op {
	enum ref_what what;
	uint32_t instruction;
	struct ws_request *request;
	struct ws_written *written; /* of a store, with profile = gpgpusim: where .fetch points */
	size_t count;
	uint64_t number;	/* of its instruction, among those of the warp that are no
				 * barriers */
	uint64_t back;		/* of a load, once issued */
	bool issued;
	size_t run;		/* number of its run's first op among the warp's */
	bool link;		/* comes after the run's link before, or its first op */
	uint64_t low, high;	/* the run's code; low > high: unknown */
	struct ref_code code;	/* of sm.pipeline */
	struct ref_parts parts;
};

struct ref_warp {
	struct ref_op *op;
	size_t ops, cap, next;
	size_t settled;		/* the data of all before is back */
	bool at_barrier, gone;	/* gone: ended, with sm.front */
	uint64_t issued;	/* the cycle in which the op before `next` was */
	uint64_t link;		/* ... and the run's last link, or its first op */
	uint64_t open;		/* the cycle from which the run's code is there */
	size_t opened;		/* 1 + the first op of that run; 0: of none */
	size_t fetched;		/* ops, with sm.fetch */
	uint64_t fetched_from;	/* the last of them are issued from then on */
	/* while the program is built: the run's first op, steps of its chains, its code */
	size_t run;
	uint64_t chain, low, high;
};

struct ref_cta {
	struct ref_warp *warp;
	uint64_t start, age;
	bool resident;
};

size_t ref_warp_rows(const struct ws_machine *m); /* of lanes; 1: warps are no large ones */
void ref_cta_build(struct ref_cta *c, const struct ref_launch *l, uint64_t cta,
		   const struct ws_machine *m, size_t warps);
void ref_cta_clear(struct ref_cta *c, size_t warps);

#endif
