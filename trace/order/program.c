/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/order/program.c -- flattens the steps of a CTA into a list of ops for
 * each of its warps.
 *
 * A step is an instruction of a warp iff one of the warp's lanes is active in
 * it (architecture, invariant 1).  All warps' ops share one array, in step
 * order, and each is chained to its warp's next.  Arrays are kept from CTA to
 * CTA, so nothing is allocated per access.
 *
 * Of a large warp (large.c) an instruction is an op for each of its sub-warps.
 *
 * What each step passes is compiled for plain plans (is_plain_plan), too, with `plain` constant.
 *
 * Costs: 24 B an op, 12 B a request; with lanes 8 * (warp width + 1) B an op more; with machine
 * code 4 B an instruction of it.
 */
#include "base/inline.h"
#include "trace/order/pipeline.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define CODES_MAX (1u << 25)	/* instructions of machine code of a CTA */

struct ws_cta_program *ws_program_new(size_t warps)
{
	struct ws_cta_program *p = ws_alloc_zero(1, sizeof *p);

	if (!p)
		return NULL;
	p->warps = warps;
	p->head = ws_alloc(warps, sizeof *p->head);
	p->tail = ws_alloc(warps, sizeof *p->tail);
	p->owed = ws_alloc(warps, sizeof *p->owed);
	p->owed_pace = ws_alloc(warps, sizeof *p->owed_pace);
	p->owed_code = ws_alloc_zero(warps, sizeof *p->owed_code);
	p->awaited.progress = ws_alloc_zero(warps, sizeof *p->awaited.progress);
	if (!p->head || !p->tail || !p->owed || !p->owed_pace || !p->owed_code ||
	    !p->awaited.progress) {
		ws_program_free(p);
		return NULL;
	}
	return p;
}

void ws_program_free(struct ws_cta_program *p)
{
	if (!p)
		return;
	free(p->op);
	free(p->address);
	free(p->sectors);
	free(p->written);
	free(p->head);
	free(p->tail);
	free(p->owed);
	free(p->owed_pace);
	free(p->pace);
	for (size_t i = 0; p->owed_code && i < p->warps; i++)
		free(p->owed_code[i].code);
	free(p->owed_code);
	free(p->code);
	free(p->code_first);
	free(p->awaited.load);
	free(p->awaited.progress);
	free(p->lane_mask);
	free(p->lane_address);
	free(p);
}

static inline bool grow_program(struct ws_cta_program *p, size_t ops, size_t requests, size_t lanes)
{
	if (ops <= p->op_cap && requests <= p->address_cap && requests <= p->sector_cap && !lanes)
		return true;
	return WS_ROOM(p->op, p->op_cap, ops) &&
	       WS_ROOM(p->address, p->address_cap, requests) &&
	       WS_ROOM(p->sectors, p->sector_cap, requests) &&
	       (!lanes || (WS_ROOM(p->lane_mask, p->mask_cap, ops) &&
			   WS_ROOM(p->lane_address, p->lane_cap, lanes)));
}

/* Room for one op and count requests. */
static WS_INLINE enum ws_status make_room_for_op(struct ws_cta_program *p,
						 const struct ws_plan *plan, bool plain,
						 size_t count, struct ws_err *err)
{
	size_t ops = p->ops + 1, requests = p->requests + count + 1; /* never none */

	if (ops >= WS_NO_OP || requests > UINT32_MAX)
		return ws_fail(err, WS_EINVAL, "CTA %" PRIu64 " of kernel %s has more than %u warp "
			       "instructions or requests", p->cta, plan->launch->kernel,
			       UINT32_MAX - 1);
	if ((!plain && plan->paced && !WS_ROOM(p->pace, p->pace_cap, ops)) ||
	    (!plain && plan->written && !WS_ROOM(p->written, p->written_cap, requests)) ||
	    !grow_program(p, ops, requests, !plain && plan->lanes
			  ? ops * (size_t)plan->machine->warp_width : 0))
		return ws_fail_memory(err, "a CTA's instructions");
	return WS_OK;
}

static const struct ws_pace no_pace = { .code = UINT32_MAX };

/* What is owed has that pace, too. */
static void owe_pace(struct ws_cta_program *p, const struct ws_plan *plan, size_t warp,
		     const struct ws_pace *more)
{
	struct ws_pace *owed = &p->owed_pace[warp];

	if (plan->rows <= 1) /* sub-warps of one instruction do not wait for each other */
		owed->chain += more->chain < UINT32_MAX - owed->chain ? more->chain : 0;
	if (!more->code_end)
		return;
	owed->code = more->code < owed->code ? more->code : owed->code;
	owed->code_end = more->code_end > owed->code_end ? more->code_end : owed->code_end;
}

/* Of the op that was added last. */
static void pay_pace(struct ws_cta_program *p, size_t warp)
{
	const struct ws_op *op = &p->op[p->ops - 1];
	struct ws_pace *pace = &p->pace[p->ops - 1];
	uint32_t steps = op->before - (op->action == WS_DO_NOTHING);

	*pace = p->owed_pace[warp];
	pace->chain = pace->chain < steps ? pace->chain : steps;
	p->owed_pace[warp] = no_pace;
}

/* The gap's instructions, and itself or a barrier, so many in all, by a path. */
static enum ws_status owe_code(struct ws_cta_program *p, const struct ws_plan *plan, size_t warp,
			       uint32_t path, uint64_t count, struct ws_err *err)
{
	const struct ws_code_path *at = path ? &plan->launch->path[path - 1] : NULL;
	struct ws_owed_code *owed = &p->owed_code[warp];

	if (p->codes + p->owed_codes + count > CODES_MAX)
		return ws_fail(err, WS_EINVAL, "CTA %" PRIu64 " of kernel %s has more than %u "
			       "instructions of machine code", p->cta, plan->launch->kernel,
			       CODES_MAX);
	if (!WS_ROOM(owed->code, owed->cap, owed->count + count))
		return ws_fail_memory(err, "a CTA's instructions");
	p->owed_codes += count;
	for (uint64_t i = 0; !at && i < count; i++)
		owed->code[owed->count++] = WS_NO_CODE;
	for (uint32_t k = 0; at && k < at->count; k++) {
		const struct ws_code_run *r = &plan->launch->run[at->first + k];

		for (uint32_t i = 0; i < r->count; i++)
			owed->code[owed->count++] = r->op + i;
	}
	return WS_OK;
}

/* Of a gap, and an instruction or a barrier after it: what few plans keep. */
static enum ws_status owe_more(struct ws_cta_program *p, const struct ws_plan *plan, size_t warp,
			       const struct ws_pace *pace, uint32_t path, uint64_t count,
			       struct ws_err *err)
{
	if (plan->paced)
		owe_pace(p, plan, warp, pace);
	return plan->coded ? owe_code(p, plan, warp, path, count, err) : WS_OK;
}

/* To the op that was added last. */
static bool pay_code(struct ws_cta_program *p, size_t warp)
{
	struct ws_owed_code *owed = &p->owed_code[warp];

	if (!WS_ROOM(p->code_first, p->first_cap, p->ops) ||
	    !WS_ROOM(p->code, p->code_cap, p->codes + owed->count))
		return false;
	p->code_first[p->ops - 1] = p->codes;
	if (owed->count)
		memcpy(p->code + p->codes, owed->code, owed->count * sizeof *owed->code);
	p->codes += owed->count;
	p->owed_codes -= owed->count;
	owed->count = 0;
	return true;
}

/* Chains an op to its warp's last; count requests follow in the pool. */
static WS_INLINE enum ws_status append_one(struct ws_cta_program *p, const struct ws_plan *plan,
					   bool plain, size_t warp, enum ws_action action,
					   uint32_t instruction, size_t count, struct ws_err *err)
{
	enum ws_status status = make_room_for_op(p, plan, plain, count, err);
	uint32_t id;

	if (status != WS_OK)
		return status;
	id = (uint32_t)p->ops++;
	p->op[id] = (struct ws_op){
		.before = (uint32_t)p->owed[warp], .next = WS_NO_OP, .instruction = instruction,
		.first = (uint32_t)p->requests, .count = (uint16_t)count,
		.action = (uint8_t)action,
	};
	if (p->head[warp] == WS_NO_OP)
		p->head[warp] = id;
	else
		p->op[p->tail[warp]].next = id;
	p->tail[warp] = id;
	p->owed[warp] = 0;
	if (!plain && plan->paced)
		pay_pace(p, warp);
	return plain || !plan->coded || pay_code(p, warp)
		? WS_OK : ws_fail_memory(err, "a CTA's instructions");
}

/* The same where more is owed than one op can carry: others that do nothing carry the rest. */
static enum ws_status append_many(struct ws_cta_program *p, const struct ws_plan *plan, size_t warp,
				  enum ws_action action, uint32_t instruction, size_t count,
				  struct ws_err *err)
{
	enum ws_status status = WS_OK;

	while (p->owed[warp] > UINT32_MAX && status == WS_OK) {
		uint64_t owed = p->owed[warp];

		p->owed[warp] = UINT32_MAX;
		status = append_one(p, plan, false, warp, WS_DO_NOTHING, 0, 0, err);
		p->owed[warp] = owed - UINT32_MAX;
	}
	return status == WS_OK ? append_one(p, plan, false, warp, action, instruction, count, err)
			       : status;
}

static WS_INLINE enum ws_status append(struct ws_cta_program *p, const struct ws_plan *plan,
				       bool plain, size_t warp, enum ws_action action,
				       uint32_t instruction, size_t count, struct ws_err *err)
{
	return p->owed[warp] > UINT32_MAX
		? append_many(p, plan, warp, action, instruction, count, err)
		: append_one(p, plan, plain, warp, action, instruction, count, err);
}

struct active {			/* lanes of a warp */
	size_t warp, lane;		/* the warp's first in the CTA */
	uint64_t mask;
	const struct ws_lane_run *run;	/* the first with one of them, if steps have planes */
	const struct ws_sub_warps *large; /* of a large warp; else NULL */
};

/* The requests of a segment's n-th instruction, by sub-warp `which` of a large warp. */
static WS_INLINE size_t coalesce(const struct ws_plan *plan, bool plain, const struct ws_step *step,
				 uint32_t n, const struct active *by, size_t which,
				 const struct ws_instruction *i, struct ws_request *out)
{
	uint32_t bytes = i->bytes;

	if (!plain && by->large)
		return ws_sub_warp_coalesce(plan, by->large, which, step->address[n], bytes, out);
	if (!plain && plan->machine->profile == WS_BEHAVES_GPGPUSIM && i->kind == WS_ATOMIC &&
	    bytes <= WS_SECTOR_BYTES)
		return ws_coalesce_atomics(plan->machine, step->address[n] + by->lane, by->mask,
					   bytes, out);
	if (step->plane && step->plane[n].even)
		return ws_coalesce_plane(plan->machine, &step->plane[n], by->run,
					 step->run + step->runs, by->lane,
					 (size_t)plan->machine->warp_width, bytes, out);
	return ws_coalesce(plan->machine, step->address[n] + by->lane, by->mask, bytes, out);
}

static void keep_lanes(struct ws_cta_program *p, size_t width, const uint64_t *address,
		       uint64_t mask)
{
	uint64_t *to = p->lane_address + (p->ops - 1) * width;

	p->lane_mask[p->ops - 1] = mask;
	for (; mask; mask &= mask - 1)
		to[ws_lowest_bit(mask)] = address[ws_lowest_bit(mask)];
}

/* Sets when the data of the op at hand, sub-warp `which` of its instruction, is needed. */
static enum ws_status set_sub_warp_wait(struct ws_cta_program *p, const struct active *by,
					size_t which, uint64_t use, struct ws_err *err)
{
	const struct ws_warp_progress *at = &p->awaited.progress[by->warp];
	uint32_t op = (uint32_t)p->ops - 1;

	p->op[op].wait = WS_WAIT_NEVER;
	/* Its instruction is counted already. */
	if (use < WS_GAP_MAX && p->op[op].action != WS_DO_STORE &&
	    !ws_await(&p->awaited, by->warp, op, at->slots - by->large->count + which,
		      at->instructions - 1 + use))
		return ws_fail_memory(err, "loads in flight");
	return WS_OK;
}

/* What few plans keep of the op at hand. */
static void keep_more(struct ws_cta_program *p, const struct ws_plan *plan,
		      const struct ws_step *step, uint32_t number, const struct active *by,
		      const struct ws_instruction *i, const struct ws_request *request, size_t n)
{
	const uint64_t *address = step->address[number] + by->lane;

	if (plan->written && i->kind == WS_STORE)
		ws_written_find(plan->machine, address, by->mask, i->bytes, request, n,
				p->written + p->requests);
	if (plan->lanes)
		keep_lanes(p, (size_t)plan->machine->warp_width, address, by->mask);
}

static WS_INLINE enum ws_status add_access(struct ws_cta_program *p, const struct ws_plan *plan,
					   bool plain, const struct ws_step *step, uint32_t number,
					   const struct active *by, size_t which,
					   struct ws_request *scratch, struct ws_err *err)
{
	uint32_t instruction = plan->launch->segment[step->segment].first + number;
	const struct ws_instruction *i = &plan->launch->instruction[instruction];
	size_t n = coalesce(plan, plain, step, number, by, which, i, scratch), warp = by->warp;
	uint32_t use = i->use ? i->use : 1;
	enum ws_status status;

	if (n == 0) { /* no bytes: nothing the memory would see */
		p->owed[warp]++;
		return WS_OK;
	}
	status = append(p, plan, plain, warp, (enum ws_action)i->kind, instruction, n, err);
	if (status != WS_OK)
		return status;
	p->op[p->ops - 1].past = i->past;
	p->op[p->ops - 1].wait = use;
	for (size_t r = 0; r < n; r++) {
		p->address[p->requests + r] = scratch[r].address;
		p->sectors[p->requests + r] = scratch[r].sectors;
	}
	if (!plain)
		keep_more(p, plan, step, number, by, i, scratch, n);
	p->requests += n;
	return !plain && by->large ? set_sub_warp_wait(p, by, which, use, err) : WS_OK;
}

/* The warp goes on by instructions that do nothing here, or are added one by one. */
static void go_on(struct ws_cta_program *p, const struct active *by, uint64_t instructions)
{
	if (by->large)
		ws_warp_goes_on(&p->awaited, p->op, by->warp, instructions, by->large->count);
}

static WS_INLINE enum ws_status add_step(struct ws_cta_program *p, const struct ws_plan *plan,
					 bool plain, const struct ws_step *step,
					 const struct active *by, struct ws_request *scratch,
					 struct ws_err *err)
{
	const struct ws_segment *segment = &plan->launch->segment[step->segment];
	size_t warp = by->warp, ops = !plain && by->large ? by->large->count : 1;
	bool more = !plain && (plan->paced || plan->coded);
	enum ws_status status = WS_OK;

	for (uint32_t a = 0; a < segment->count && status == WS_OK; a++) {
		const struct ws_instruction *i = &plan->launch->instruction[segment->first + a];

		p->owed[warp] += i->gap * (uint64_t)ops;
		if (more)
			status = owe_more(p, plan, warp, &i->pace, i->path, i->gap + 1ull, err);
		if (status != WS_OK)
			return status;
		if (!plain && plan->coded && i->path && i->space == WS_SPACE_LOCAL)
			p->owed_code[warp].code[p->owed_code[warp].count - 1] |= WS_CODE_SHARED;
		if (!plain)
			go_on(p, by, i->gap + 1ull);
		for (size_t k = 0; k < ops && status == WS_OK; k++) {
			if (i->space == WS_SPACE_GLOBAL)
				status = add_access(p, plan, plain, step, a, by, k, scratch, err);
			else
				p->owed[warp]++;
		}
	}
	p->owed[warp] += segment->tail * (uint64_t)ops;
	if (more && status == WS_OK)
		status = owe_more(p, plan, warp, &segment->pace, segment->path,
				  segment->tail + (uint64_t)segment->barrier, err);
	if (!plain)
		go_on(p, by, segment->tail);
	if (segment->barrier && status == WS_OK)
		status = append(p, plan, plain, warp, WS_DO_BARRIER, 0, 0, err);
	return status;
}

static WS_INLINE enum ws_status add_warps(struct ws_cta_program *p, const struct ws_plan *plan,
					  bool plain, const struct ws_step *step,
					  struct ws_request *scratch, struct ws_err *err)
{
	size_t width = (size_t)plan->machine->warp_width;
	struct active by = { .run = step->run };

	for (; by.warp < p->warps && by.lane / 64 < step->words; by.warp++, by.lane += width) {
		enum ws_status status;

		by.mask = ws_step_lanes(step, by.lane, width);
		if (!by.mask)
			continue;
		while (step->plane && (size_t)by.run->lane + by.run->len <= by.lane)
			by.run++;
		status = add_step(p, plan, plain, step, &by, scratch, err);
		if (status != WS_OK)
			return status;
	}
	return WS_OK;
}

static enum ws_status add_plain_warps(struct ws_cta_program *p, const struct ws_plan *plan,
				      const struct ws_step *step, struct ws_request *scratch,
				      struct ws_err *err)
{
	return add_warps(p, plan, true, step, scratch, err);
}

static enum ws_status add_any_warps(struct ws_cta_program *p, const struct ws_plan *plan,
				    const struct ws_step *step, struct ws_request *scratch,
				    struct ws_err *err)
{
	return add_warps(p, plan, false, step, scratch, err);
}

static enum ws_status add_large_warps(struct ws_cta_program *p, const struct ws_plan *plan,
				      const struct ws_step *step, struct ws_request *scratch,
				      struct ws_err *err)
{
	size_t width = (size_t)plan->machine->warp_width;
	struct ws_sub_warps large;
	struct active by = { .large = &large };
	enum ws_status status = WS_OK;

	for (; by.warp < p->warps && status == WS_OK; by.warp++, by.lane += width * plan->rows) {
		ws_sub_warps_form(&large, step, by.lane, width, plan->rows);
		if (large.count)
			status = add_step(p, plan, false, step, &by, scratch, err);
	}
	return status;
}

/* Are ops and requests all that is wanted, of warps as wide as the machine's? */
static bool is_plain_plan(const struct ws_plan *plan)
{
	return plan->rows <= 1 && !plan->paced && !plan->coded && !plan->written && !plan->lanes &&
	       plan->machine->profile == WS_BEHAVES_HARDWARE;
}

static void begin_program(struct ws_cta_program *p, uint64_t cta)
{
	p->cta = cta;
	p->ops = p->requests = p->awaited.loads = p->codes = p->owed_codes = 0;
	for (size_t warp = 0; warp < p->warps; warp++) {
		p->head[warp] = WS_NO_OP;
		p->owed[warp] = 0;
		p->owed_pace[warp] = no_pace;
		p->owed_code[warp].count = 0;
		p->awaited.progress[warp] = (struct ws_warp_progress){ .soonest = UINT64_MAX };
	}
}

enum ws_status ws_program_build(struct ws_cta_program *p, const struct ws_plan *plan,
				const struct ws_steps *steps, unsigned thread, uint64_t cta,
				struct ws_request *scratch, struct ws_err *err)
{
	enum ws_status (*add)(struct ws_cta_program *, const struct ws_plan *,
			      const struct ws_step *, struct ws_request *, struct ws_err *) =
		is_plain_plan(plan) ? add_plain_warps
				    : plan->rows > 1 ? add_large_warps : add_any_warps;
	enum ws_status status = steps->seek(steps->context, thread, cta, err);
	bool more = true;

	begin_program(p, cta);
	while (status == WS_OK) {
		struct ws_step step;

		status = steps->next(steps->context, thread, &step, &more, err);
		if (status != WS_OK || !more)
			break;
		status = add(p, plan, &step, scratch, err);
	}
	for (size_t warp = 0; warp < p->warps && status == WS_OK; warp++) {
		if (plan->rows > 1) /* a last barrier waits for what comes next, which is none */
			ws_warp_goes_on(&p->awaited, p->op, warp, 1, 1);
		if (p->owed[warp])
			status = append(p, plan, false, warp, WS_DO_NOTHING, 0, 0, err);
	}
	return status;
}
