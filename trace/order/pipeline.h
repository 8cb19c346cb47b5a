/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/order/pipeline.h -- machine code on an SM: sm.pipeline.
 *
 * This is for launches whose code is known, in the cycle simulator.  Each scheduler has operand
 * collectors, register banks, a functional unit of each kind, and for each kind of instruction a
 * pipeline register in front of the collectors and one behind them.  The SM has one load-store
 * unit.  With share=1, schedulers share all of this; of each kind there are COUNT registers in
 * front, COUNT behind and COUNT units, but one each for memory instructions.  A cycle of the SM has
 * five phases:
 *
 *   1 The load-store unit receives, looks up and sends (struct ws_lsu).
 *   2 Results that are due are written: the warp's registers become free.  Results of functional
 *     units occupy their banks in the first step of the next phase 4.  So do a load's registers in
 *     each cycle in which one of its requests that waited for an MSHR gets its data.
 *   With l1.mshr.rate = 1 and l1.mshr.latency > 1, all data that loads and atomics wait for, but
 *     that of hits, takes one way to the registers, in the order in which it came: from shared
 *     memory, from below past the L1, and for requests that waited for an MSHR.  In each cycle,
 *     before phase 1, the data on that way is written, register by register, as long as their
 *     banks are free: no result that is due in the cycle is written there, and no other register
 *     of this data.  The rest has to wait for the next cycle.  If all is written, or there was
 *     none, the next data is taken: of the first of these three, in turn from the one behind that
 *     served last (at first, shared memory), that has some for a cycle or more: of a request
 *     since it came (l1.mshr.latency - 2 later, and what is left of l1.latency), of shared memory
 *     one cycle before its result is due below.  An MSHR is in use until the data of the last
 *     request that waited for it is taken; and a reply that goes past the L1 is received only when
 *     that before it was taken.
 *   3 Functional units take instructions from the registers behind the collectors, in this order:
 *     single, double, int, special, branch, texture, matrix, uniform; within a kind, schedulers in
 *     order.  A unit takes an instruction if it has taken none in the last INTERVAL cycles and if,
 *     in the cycle in which its result would be due (CYCLES + 2 later), fewer than `wb` results are
 *     due, none of them its own.  Shared units take, in order of their numbers, the instruction
 *     that was issued first.  Then the load-store unit, if it is free in the next cycle, takes the
 *     memory instruction that was issued first, of all schedulers, and begins with it in the next
 *     cycle.  Results of memory instructions are due when all data is there; of shared memory,
 *     `shared` + 2 cycles later; of instructions that do not access memory, in the next cycle.
 *   4 `step` times:
 *     (a) `out` times, an instruction leaves a collector for the register behind it.  It needs all
 *     its operands, and the register must be free.  Each of the `out` ports looks at the collectors
 *     in order, beginning with the scheduler after the one it served last (at first, after
 *     scheduler 0) or, if collectors are shared, with the one behind the collector it served last
 *     (at first, behind the first).
 *     (b) Each bank reads the operand that has waited for it longest.
 *     (c) `in` times, for each kind (single, special, memory, double, int, branch, texture, matrix,
 *     uniform), the instruction that was issued first, of those in front of the collectors, takes
 *     the first free collector of its scheduler.  Its operands wait for their banks: (register +
 *     warp slot) mod banks.  A register that it reads more than once is one operand.
 *   5 Schedulers issue, as in sm.h, into the register in front of the collectors, if it is free.  A
 *     warp may issue if no register of its instruction, operand or result, is a result of an
 *     instruction in flight.  After an atomic, the warp waits until all of its data is back.
 *
 * Half precision uses the registers and the unit of single; barriers and exits use those of int, as
 * does any kind whose unit the machine lacks.  A CTA ends when all its instructions have left.
 */
#ifndef WS_TRACE_ORDER_PIPELINE_H
#define WS_TRACE_ORDER_PIPELINE_H

#include "trace/order/sm.h"

#define WS_NO_CODE	UINT32_MAX	/* an unknown instruction */
#define WS_CODE_SHARED	(1u << 31)	/* flag beside its number: it accesses shared memory */

/* *out is NULL if the launch is not executed this way. */
enum ws_status ws_pipe_new(struct ws_pipe **out, const struct ws_sm *sm,
			   struct ws_err *err) WS_MUST_CHECK;
void ws_pipe_free(struct ws_pipe *p);

/* Does the warp wait for registers or for an atomic? */
bool ws_pipe_blocks(const struct ws_sm *sm, size_t slot);
/* The warp has become ready. */
void ws_pipe_show(struct ws_sm *sm, size_t slot);
/* Sets a scheduler's masks to its ready warps whose pipeline register is free; true: it may issue a
 * memory instruction. */
bool ws_pipe_offer(struct ws_sm *sm, size_t group);
bool ws_pipe_any(const struct ws_sm *sm, size_t group);
/* The PC behind the warp's last issued instruction, or that of its first; false: unknown. */
bool ws_pipe_pc(const struct ws_sm *sm, size_t slot, uint64_t *pc);
/* Issues the warp's next instruction.  memory: its op, or WS_NO_OP. */
void ws_pipe_issue(struct ws_sm *sm, size_t slot, uint32_t memory);
struct ws_pipe_use {		/* callbacks of the SM */
	/* Passes a memory op to the load-store unit, which looks it up from `cycle` on.  The unit
	 * returns `code` by ws_pipe_back. */
	enum ws_status (*hand_over)(struct ws_sm *sm, size_t slot, uint32_t op, uint32_t code,
				    uint64_t cycle, struct ws_err *err);
	/* An instruction of the warp has left, and its results are written. */
	void (*released)(struct ws_sm *sm, size_t slot, uint64_t cycle);
};

/* Phases 2 to 4 of a cycle. */
enum ws_status ws_pipe_cycle(struct ws_sm *sm, const struct ws_pipe_use *use, uint64_t cycle,
			     struct ws_err *err) WS_MUST_CHECK;
/* The first cycle, from this one on, in which they do anything; WS_NEVER: none. */
uint64_t ws_pipe_due(const struct ws_sm *sm, uint64_t cycle);
/* All data of the load that was handed over with `code` is there from a cycle on. */
enum ws_status ws_pipe_back(struct ws_sm *sm, size_t slot, uint32_t code, bool atomic,
			    uint64_t cycle, struct ws_err *err) WS_MUST_CHECK;

/* Some of its data is, likewise: it occupies the banks of the load's registers. */
enum ws_status ws_pipe_part_back(struct ws_sm *sm, size_t slot, uint32_t code, uint64_t cycle,
				 struct ws_err *err) WS_MUST_CHECK;

#endif
