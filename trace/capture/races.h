/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/capture/races.h -- accesses of a kernel that may race between two lanes of a warp
 * (races.c), and where its lanes have to meet because of it (together.c).  Private to
 * trace/capture/.
 */
#ifndef WS_RACES_H
#define WS_RACES_H

#include "trace/capture/lane_form.h"

#define WS_RACE_GUARDS 8u
#define WS_NO_BLOCK    UINT32_MAX
#define WS_RACE_POWERS 4u
#define WS_RACE_CASES  12u /* 0 and the powers of two up to WS_FORM_LANES */

/* A comparison whose result is known wherever the access is executed. */
struct raced_guard {
	LLVMIntPredicate predicate;
	bool as_said;
	unsigned bits;
	const struct ws_form *a, *b;
};

struct raced {
	LLVMValueRef at;
	uint32_t block;
	int64_t bytes; /* -1: not known */
	int root;
	bool reads, writes, shared, locked, is_volatile;
	bool strays; /* lanes leave a loop that it is in after different turns */
	LLVMValueRef pointer;
	const struct ws_form *form;
	struct raced_guard guard[WS_RACE_GUARDS];
	size_t guards;
	uint64_t lanes[WS_FORM_LANES / 64]; /* a bit each: may it execute the access? */
};

struct raced_loop {
	uint32_t head, latch; /* positions; the loop is every block between them */
};

struct ws_racer {
	struct ws_module *m;
	const struct ws_flow *flow;
	struct ws_forms *forms;
	struct raced *access;
	size_t accesses, access_cap, words;
	uint8_t *pair[2]; /* by two accesses: PAIR_*; [1]: the first was in an earlier iteration */
	uint32_t *dominator, *forward; /* by block; forward: its incoming edges, back edges aside */
	struct raced_loop *loop;
	size_t loops, loop_cap;
	uint64_t *own;		/* by block: its accesses */
	uint64_t *in[2];	/* by block: accesses that are pending at its beginning */
	uint64_t *now[2];
	uint64_t tried;
	LLVMValueRef power[WS_RACE_POWERS]; /* what is a power of two in each turn of a loop */
	struct ws_forms *fixed[WS_RACE_POWERS][WS_RACE_CASES]; /* while it is that one */
	size_t powers;
	struct ws_form_shape shape;
	uint64_t cases_tried;
	bool waits; /* the kernel has a loop that may wait for what the kernel writes */
};

static inline uint32_t ws_race_position(const struct ws_racer *r, uint32_t block)
{
	return r->flow->position[block];
}

static inline bool ws_race_in_loop(const struct ws_racer *r, const struct raced_loop *l,
				   uint32_t block)
{
	return ws_race_position(r, block) >= l->head && ws_race_position(r, block) <= l->latch;
}

/* ---- races.c --------------------------------------------------------------------------------- */
/* Fills r->dominator: WS_NO_BLOCK for unreachable blocks. */
void ws_race_dominators(struct ws_racer *r);
/* Fills r->loop, the innermost first, and r->forward; false: out of memory. */
bool ws_race_loops(struct ws_racer *r);
/* Fills r->power; those of the shape before are forgotten. */
void ws_race_powers(struct ws_racer *r);
void ws_race_forget_powers(struct ws_racer *r);
/* Which lanes may execute an access, and what holds there. */
void ws_race_guards(struct ws_racer *r, struct raced *a);
/* May any pending access (r->now) race with access n of another lane? */
bool ws_races_any(struct ws_racer *r, size_t n);

#endif
