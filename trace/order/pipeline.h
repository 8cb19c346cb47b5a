/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/order/pipeline.h -- machine code on an SM: sm.pipeline.
 *
 * Of a launch whose code is known, in the cycle simulator.  Of each scheduler there are a register
 * before the collectors and one behind them for each kind of instruction, collectors, banks of
 * registers, and a unit of each kind; the SM has one load-store unit.  With share=1 schedulers
 * share all that; of a kind there are COUNT registers before, COUNT behind and COUNT units, of
 * memory instructions one each.  A cycle of the SM:
 *
 *   1 The unit receives, looks up and sends (struct ws_lsu).
 *   2 Results that are due are written: their registers, of the warp, are free, and of those that
 *     come from units the banks are taken in the next phase 4, its first step.  So are the banks of
 *     a load's registers in each cycle in which a request of it that waited for an MSHR has data.
 *   3 Units take what is behind the collectors: single, double, int, special, branch, texture,
 *     matrix, uniform, each of the schedulers in order.  A unit takes one if it has not taken one
 *     in the last INTERVAL cycles, and fewer than `wb` results, none of its own, are due in the
 *     cycle that this one's would be: CYCLES + 2 later.  Units that are shared take, in order of
 *     their numbers, what was issued first of what is behind the collectors.  Then the load-store
 *     unit, if it is free in the next cycle, takes
 *     of what is behind the collectors of all schedulers the one issued first.  It begins with it
 *     in the next cycle.  Its results are due when all data is there; of shared memory `shared` + 2
 *     cycles later; of what does not access memory, in the next cycle.
 *   4 `step` times: (a) `out` times: a collector that has all its operands, and whose register
 *     behind is free, is left for that.  Each of the `out` ways looks at the collectors in order,
 *     from the first of the scheduler after that of which it took one last (at first, after
 *     scheduler 0); if they are shared, from the one behind that one (at first, behind the first)
 *     on.  (b) Each bank reads the operand that has waited for it longest.
 *     (c) `in` times, of each kind, single, special, memory, double, int, branch, texture, matrix,
 *     uniform: of what is in front of collectors the one issued first, if its scheduler has a
 *     collector free, takes the first of those.  Its operands wait for their banks: (register +
 *     warp slot) mod banks.
 *   5 Schedulers issue, as in sm.h, into the register in front of the collectors, if it is free:
 *     the instruction of a warp none of whose registers, operands or results, is the result of one
 *     that is under way.  After an atomic its warp waits until all of it is back.
 *
 * Half precision is in the registers and the unit of single, barriers and exits in those of int; a
 * kind whose unit the machine has not is int.  A CTA ends when all its instructions have left.
 */
#ifndef WS_TRACE_ORDER_PIPELINE_H
#define WS_TRACE_ORDER_PIPELINE_H

#include "trace/order/sm.h"

#define WS_NO_CODE	UINT32_MAX	/* an instruction of which nothing is known */
#define WS_CODE_SHARED	(1u << 31)	/* besides its number: accesses shared memory */

/* *out stays NULL if the launch is not executed so. */
enum ws_status ws_pipe_new(struct ws_pipe **out, const struct ws_sm *sm,
			   struct ws_err *err) WS_MUST_CHECK;
void ws_pipe_free(struct ws_pipe *p);

/* The warp waits for registers, or an atomic. */
bool ws_pipe_blocks(const struct ws_sm *sm, size_t slot);
/* It is ready. */
void ws_pipe_show(struct ws_sm *sm, size_t slot);
/* A scheduler's ready warps whose registers are free, as its masks; true: it may issue a memory
 * instruction. */
bool ws_pipe_offer(struct ws_sm *sm, size_t group);
bool ws_pipe_any(const struct ws_sm *sm, size_t group);
/* The PC behind the instruction that it issued last, or of its first; false: it is not known. */
bool ws_pipe_pc(const struct ws_sm *sm, size_t slot, uint64_t *pc);
/* Its next instruction is issued; memory: the op that it is, or WS_NO_OP. */
void ws_pipe_issue(struct ws_sm *sm, size_t slot, uint32_t memory);
struct ws_pipe_use {		/* what the SM does then */
	/* A memory op goes to the unit, which looks it up from a cycle on; its code's number comes
	 * back with ws_pipe_back. */
	enum ws_status (*hand_over)(struct ws_sm *sm, size_t slot, uint32_t op, uint32_t code,
				    uint64_t cycle, struct ws_err *err);
	/* An instruction of the warp has left, and what it wrote is there. */
	void (*released)(struct ws_sm *sm, size_t slot, uint64_t cycle);
};

/* Phases 2 to 4. */
enum ws_status ws_pipe_cycle(struct ws_sm *sm, const struct ws_pipe_use *use, uint64_t cycle,
			     struct ws_err *err) WS_MUST_CHECK;
/* The next cycle in which they do anything, from this one on; WS_NEVER: none. */
uint64_t ws_pipe_due(const struct ws_sm *sm, uint64_t cycle);
/* Data of a load, handed over with that number of its code, is there from a cycle on. */
enum ws_status ws_pipe_back(struct ws_sm *sm, size_t slot, uint32_t code, bool atomic,
			    uint64_t cycle, struct ws_err *err) WS_MUST_CHECK;

/* Data of a part of it are, likewise: they take its registers' banks. */
enum ws_status ws_pipe_part_back(struct ws_sm *sm, size_t slot, uint32_t code, uint64_t cycle,
				 struct ws_err *err) WS_MUST_CHECK;

#endif
