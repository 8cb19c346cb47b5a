/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/ref/pipeline.h -- trace/order/pipeline.h, slowly: a list of instructions under way, each of
 * which knows where it is.
 */
#ifndef WS_TESTS_REF_PIPELINE_H
#define WS_TESTS_REF_PIPELINE_H

#include "tests/ref/order.h"

struct ref_code {		/* of an instruction of a warp */
	const struct ws_code_op *op; /* NULL: nothing is known */
	uint8_t unit;		/* enum ws_function_unit */
	bool shared, atomic;
	bool issued, done;	/* done: its results are there */
};

struct ref_pipe;

struct ref_pipe *ref_pipe_new(const struct ws_machine *m, const struct ws_launch *l);
void ref_pipe_free(struct ref_pipe *p);
/* Is the register in front of the collectors free? */
bool ref_pipe_takes(const struct ref_pipe *p, size_t scheduler, const struct ref_code *code);
/* op: for `hand_over`, of a global access; NULL: it is none. */
void ref_pipe_issue(struct ref_pipe *p, size_t slot, struct ref_code *code, void *op);
/* Does an instruction need what another of its warp, issued, has not written? */
bool ref_pipe_needs(const struct ws_launch *l, const struct ref_code *code,
		    const struct ref_code *of);

struct ref_pipe_unit {
	void *context;
	bool (*free)(void *context, uint64_t cycle);
	/* Returns where the cycle of its data will be; NULL: nobody waits for it.  *parts: where
	 * those of parts of it will be. */
	const uint64_t *(*hand_over)(void *context, size_t slot, void *op,
				     const struct ref_parts **parts, uint64_t cycle);
};

/* The load-store unit's way to the registers in a cycle, before the unit does anything. */
void ref_pipe_port(struct ref_pipe *p, uint64_t cycle);
void ref_pipe_cycle(struct ref_pipe *p, const struct ref_pipe_unit *u, uint64_t cycle);

#endif
