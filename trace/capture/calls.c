/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/capture/calls.c -- what compiled kernels call while they run: a full buffer, barriers and
 * meetings, faults.  kernel.h declares them.
 *
 * A work-item that has to wait gives its fibre back to lockstep.c and says why.
 */
#include "trace/capture/lockstep.h"

void ws_lane_refill(struct ws_lane_ctx *ctx, uint64_t words)
{
	(void)words; /* a buffer holds the largest record */
	ws_lane_yield(ctx, LANE_FULL);
}

void ws_lane_barrier(struct ws_lane_ctx *ctx, uint32_t segment)
{
	ctx->waiting = segment;
	ws_lane_yield(ctx, LANE_BARRIER);
}

void ws_lane_meets(struct ws_lane_ctx *ctx, uint32_t segment, uint32_t mask, uint64_t value)
{
	struct ws_meeting *m = &ctx->run->meeting[ctx->lane];

	m->mask = mask >> ctx->lane % WS_MEETING_LANES & 1 ? mask : 0;
	m->mine = value;
	ctx->waiting = segment;
}

const struct ws_meeting *ws_lane_meet(struct ws_lane_ctx *ctx, uint32_t segment, uint32_t mask,
				      uint64_t value)
{
	ws_lane_meets(ctx, segment, mask, value);
	ws_lane_yield(ctx, LANE_MEET);
	return ctx->run->meeting[ctx->lane].seen;
}

const struct ws_meeting *ws_lane_met(struct ws_lane_ctx *ctx)
{
	return ctx->run->meeting[ctx->lane].seen;
}

/* At the end of a turn of a loop that only waits.  The longer it waits until a time, the faster
 * that goes: beyond what the clock itself takes for a question. */
void ws_lane_wait(struct ws_lane_ctx *ctx, uint32_t wait)
{
	if (ctx->run->config->kernel->wait[wait].timed && ++ctx->timed > 20)
		ctx->clock = (ctx->clock & ~WS_CLOCK_MASK) |
			     ((ctx->clock + (UINT64_C(1) << (ctx->timed < 30 ? ctx->timed : 30))) &
			      WS_CLOCK_MASK);
	ctx->waiting = wait;
	ws_lane_yield(ctx, LANE_WAIT);
}

static void fail(struct ws_lane_ctx *ctx, enum fault fault, uint32_t instruction, uint64_t address)
{
	struct ws_cta_run *r = ctx->run;

	if (r->fault == FAULT_NONE) {
		r->fault = fault;
		r->fault_lane = ctx->lane;
		r->fault_instruction = instruction;
		r->fault_address = address;
	}
	if (r->config->kernel->parts)
		siglongjmp(r->crash, 1); /* it has no stack of its own to wait on */
	for (;;)
		ws_lane_yield(ctx, LANE_FAULT); /* never resumed */
}

void ws_lane_fault(struct ws_lane_ctx *ctx, uint32_t instruction, uint64_t address)
{
	fail(ctx, FAULT_BOUNDS, instruction, address);
}

void ws_lane_misaligned(struct ws_lane_ctx *ctx, uint32_t instruction, uint64_t address,
			uint32_t wanted)
{
	ctx->run->wanted_alignment = wanted;
	fail(ctx, FAULT_ALIGN, instruction, address);
}

void ws_lane_bad_call(struct ws_lane_ctx *ctx, uint32_t what, uint32_t line)
{
	fail(ctx, FAULT_CALL, what, line);
}

void ws_lane_spin(struct ws_lane_ctx *ctx)
{
	fail(ctx, FAULT_BUDGET, 0, 0);
}

/* Of a kernel that tallies: others have their turn, if they take turns. */
void ws_lane_turn(struct ws_lane_ctx *ctx)
{
	uint64_t turn = ctx->run->config->turn;

	ctx->spin -= (int64_t)turn;
	if (!turn || ctx->spin < 0)
		fail(ctx, FAULT_BUDGET, 0, 0);
	ctx->turn = (int64_t)turn;
	ws_lane_yield(ctx, LANE_FULL);
}

uint32_t ws_lane_is_global(struct ws_lane_ctx *ctx, const void *pointer)
{
	const struct ws_cta_run *r = ctx->run;
	uint64_t address = (uint64_t)(uintptr_t)pointer;

	return address - (uint64_t)(uintptr_t)r->local >= r->local_bytes &&
	       address - (uint64_t)(uintptr_t)r->frame >= r->frame_bytes &&
	       address - (uint64_t)(uintptr_t)r->fibres->stacks >= r->fibres->mapped;
}

/* An address whose array is not known before: any buffer of the program. */
uint64_t ws_lane_resolve(struct ws_lane_ctx *ctx, uint64_t address, uint32_t instruction)
{
	uint64_t device;

	if (!ws_outside_resolve(ctx->outside, instruction, address, &device))
		fail(ctx, FAULT_BOUNDS, instruction, address);
	return device;
}
