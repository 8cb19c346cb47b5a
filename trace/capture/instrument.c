/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/capture/instrument.c -- makes the kernel's body record its accesses.
 *
 * The body's blocks are numbered (cfg.c) and cut at barriers into segments,
 * numbered in block order.  A segment reserves its record (a word
 * with its number, one per access) with a single bounds check when it begins,
 * and each access checks its address against the array it comes from (guard.c) and
 * stores the device address before it is made.
 *
 * Blocks that access nothing are recorded for what they compute, which takes issue slots.  They
 * may be left out (skip_silent), because control moves forward through them: a lane's next record
 * never has a lower number than where it stands, unless it goes round a loop, and loops that
 * hold a record have their latch recorded (ws_keep_latches).
 *
 * A kernel that tallies records nothing: a segment adds its instructions to a counter of the
 * work-item's phase.  A bare one records nothing and counts nothing but the turns of its loops.
 *
 * Other instructions are counted as one issue slot each, but for those that
 * vanish in machine code (phis, casts between equal representations, debug and
 * lifetime markers, unconditional branches).
 */
#include "trace/capture/lane_form.h"

#include <llvm-c/Analysis.h>
#include <llvm-c/DebugInfo.h>
#include <stdlib.h>
#include <string.h>

#define BLOCKS_MAX (1u << 20)

/* After instrumentation.  Not default<O2>: on kernels of thousands of blocks its rotation of
 * loops takes minutes, and the records are most of the work anyway. */
#define OPTIMISE                                                                                   \
	"always-inline,globaldce,function(sroa,early-cse<memssa>,simplifycfg,"                     \
	"instcombine<no-verify-fixpoint>,loop-mssa(licm),gvn,instcombine<no-verify-fixpoint>,"     \
	"dse,loop-mssa(licm),adce,simplifycfg),globaldce"
/* Kernels with a software cache are many times as large, and most run briefly. */
#define OPTIMISE_LITTLE "always-inline,globaldce,function(sroa,early-cse,simplifycfg),globaldce"

struct block {
	LLVMBasicBlockRef at;
	LLVMValueRef first; /* instruction of the body itself, before any of ours */
};

struct pass {
	struct ws_module *m;
	struct block *block;
	size_t blocks;
	size_t *first_edge;
	uint32_t *edge, *order, *position;
	bool *keep;
	struct ws_guards *guards;
	struct ws_waits waits;
	LLVMBasicBlockRef *list; /* of blocks */
	bool polls;		 /* is the block at hand in a loop that waits? */
	LLVMTypeRef t_segment, t_spin, t_tally, t_turn, t_barrier, t_wait, t_meet, t_timed;
	LLVMValueRef f_segment, f_spin, f_tally, f_turn, f_barrier, f_wait, f_meet, f_timed;
};

static enum ws_status link_runtime(struct pass *p, struct ws_err *err)
{
	struct ws_module *m = p->m;
	LLVMTypeRef barrier[2] = { m->ptr, m->i32 }, meet[4] = { m->ptr, m->i32, m->i32, m->i64 };
	enum ws_status status = ws_module_runtime(m, err);

	if (status != WS_OK)
		return status;
	p->f_segment = ws_module_linked(m, "__ws_segment", &p->t_segment);
	p->f_spin = ws_module_linked(m, "__ws_spin", &p->t_spin);
	p->f_tally = ws_module_linked(m, "__ws_tally", &p->t_tally);
	p->f_turn = ws_module_linked(m, "__ws_turn", &p->t_turn);
	p->f_wait = ws_module_linked(m, "__ws_wait", &p->t_wait);
	p->f_timed = ws_module_linked(m, "__ws_timed", &p->t_timed);
	p->t_barrier = LLVMFunctionType(m->none, barrier, 2, 0);
	p->f_barrier = LLVMAddFunction(m->module, "ws_lane_barrier", p->t_barrier);
	p->t_meet = LLVMFunctionType(m->ptr, meet, 4, 0);
	p->f_meet = LLVMAddFunction(m->module, "ws_lane_meet", p->t_meet);
	return WS_OK;
}

/* ---- control flow --------------------------------------------------------------- */

static enum ws_status gather_edges(struct pass *p, size_t edges, struct ws_err *err)
{
	size_t n = 0;

	p->edge = ws_alloc(edges, sizeof *p->edge);
	if (!p->edge)
		return ws_fail_memory(err, "a kernel's control flow");
	for (size_t b = 0; b < p->blocks; b++) {
		LLVMValueRef end = LLVMGetBasicBlockTerminator(p->block[b].at);

		p->first_edge[b] = n;
		for (unsigned s = 0; s < LLVMGetNumSuccessors(end); s++)
			p->edge[n++] = (uint32_t)strtoul(
				LLVMGetBasicBlockName(LLVMGetSuccessor(end, s)) + 1, NULL, 10);
	}
	p->first_edge[p->blocks] = n;
	return WS_OK;
}

static enum ws_status gather_blocks(struct pass *p, struct ws_err *err)
{
	LLVMValueRef body = p->m->body;
	size_t edges = 0;

	p->blocks = LLVMCountBasicBlocks(body);
	if (p->blocks > BLOCKS_MAX)
		return ws_fail(err, WS_EINPUT, "kernel %s has %zu basic blocks, want at most %u",
			       p->m->kernel->name, p->blocks, BLOCKS_MAX);
	p->block = ws_alloc_zero(p->blocks, sizeof *p->block);
	p->first_edge = ws_alloc_zero(p->blocks + 1, sizeof *p->first_edge);
	p->order = ws_alloc_zero(p->blocks, sizeof *p->order);
	p->position = ws_alloc_zero(p->blocks, sizeof *p->position);
	p->keep = ws_alloc_zero(p->blocks, sizeof *p->keep);
	p->list = ws_alloc(p->blocks, sizeof(LLVMBasicBlockRef));
	if (!p->block || !p->first_edge || !p->order || !p->position || !p->keep || !p->list)
		return ws_fail_memory(err, "a kernel's control flow");
	LLVMGetBasicBlocks(body, p->list);
	for (size_t b = 0; b < p->blocks; b++) {
		p->block[b].at = p->list[b];
		edges += LLVMGetNumSuccessors(LLVMGetBasicBlockTerminator(p->list[b]));
		/* Blocks are found again by a number in their name. */
		char name[24];
		snprintf(name, sizeof name, "b%zu", b);
		LLVMSetValueName2(LLVMBasicBlockAsValue(p->list[b]), name, strlen(name));
	}
	return gather_edges(p, edges, err);
}

static bool block_records(const struct ws_module *m, LLVMBasicBlockRef b)
{
	struct ws_kernel_access access[2];
	enum ws_space space;
	int root;

	for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
		size_t n = ws_accesses_of(m, i, access);

		if (ws_is_barrier(i) || ws_is_meeting(i) || ws_program_constant(i))
			return true;
		for (size_t k = 0; k < n; k++) {
			if (ws_access_traced(m, access[k].pointer, &root, &space) &&
			    ws_access_recorded(m, space))
				return true;
		}
	}
	return false;
}

/* Lanes of a warp, where it makes a difference. */
static enum ws_status keep_together(struct pass *p, struct ws_err *err)
{
	const struct ws_flow flow = { p->blocks, p->list, p->first_edge, p->edge, p->order,
				      p->position };

	return p->m->warps ? ws_keep_together(p->m, &flow, err) : WS_OK;
}

static enum ws_status number_blocks(struct pass *p, struct ws_err *err)
{
	enum ws_status status = gather_blocks(p, err);

	if (status == WS_OK)
		status = ws_block_order(p->blocks, p->first_edge, p->edge, p->order, err);
	if (status != WS_OK)
		return status;
	for (size_t i = 0; i < p->blocks; i++)
		p->position[p->order[i]] = (uint32_t)i;
	status = keep_together(p, err);
	for (size_t b = 0; b < p->blocks && status == WS_OK; b++) {
		LLVMValueRef i = LLVMGetFirstInstruction(p->block[b].at);

		while (LLVMIsAPHINode(i) || LLVMIsAAllocaInst(i))
			i = LLVMGetNextInstruction(i);
		p->block[b].first = i;
		p->keep[b] = !p->m->options->skip_silent || block_records(p->m, p->block[b].at);
	}
	ws_keep_latches(p->blocks, p->first_edge, p->edge, p->position, p->keep);
	return status;
}

/* ---- recording ----------------------------------------------------------------------- */

static LLVMValueRef constant64(const struct pass *p, uint64_t value)
{
	return LLVMConstInt(p->m->i64, value, 0);
}

/* The last component: folders differ between machines, traces do not. */
static const char *file_name(LLVMValueRef i, unsigned *len)
{
	const char *name = LLVMGetDebugLocFilename(i, len), *slash;

	if (!name || !*len) {
		*len = 1;
		return "?";
	}
	slash = memrchr(name, '/', *len);
	*len -= slash ? (unsigned)(slash + 1 - name) : 0;
	return slash ? slash + 1 : name;
}

/* Of those that accesses are in; k->files, of others. */
static uint32_t known_file(const struct ws_kernel *k, LLVMValueRef i)
{
	unsigned len = 0;
	const char *name = file_name(i, &len);

	for (size_t f = 0; f < k->files; f++) {
		if (strlen(k->file[f]) == len && memcmp(k->file[f], name, len) == 0)
			return (uint32_t)f;
	}
	return (uint32_t)k->files;
}

static uint32_t file_index(struct ws_kernel *k, LLVMValueRef i, struct ws_err *err)
{
	uint32_t known = known_file(k, i);
	unsigned len = 0;
	const char *name = file_name(i, &len);

	if (known < k->files)
		return known;
	if (!WS_ROOM(k->file, k->file_cap, k->files + 1) ||
	    !(k->file[k->files] = strndup(name, len))) {
		ws_fail_memory(err, "a file name");
		return 0;
	}
	return (uint32_t)k->files++;
}

static enum ws_status find_waits(struct pass *p, struct ws_err *err)
{
	struct ws_kernel *k = p->m->kernel;
	enum ws_status status;

	p->waits = (struct ws_waits){ .m = p->m, .block = p->list, .first_edge = p->first_edge,
				      .edge = p->edge };
	status = ws_waits_find(&p->waits, p->blocks, p->position, err);
	for (size_t b = 0; b < p->blocks && status == WS_OK; b++) {
		struct ws_wait_latch *w = &p->waits.latch[b];

		if (!w->poll)
			continue;
		if (!WS_ROOM(k->wait, k->wait_cap, k->waits + 1))
			return ws_fail_memory(err, "a kernel's loops");
		w->number = (uint32_t)k->waits;
		k->wait[k->waits++] = (struct ws_wait){ file_index(k, w->poll, err),
							LLVMGetDebugLocLine(w->poll), w->timed };
	}
	return status;
}

/* Appends an instruction to the kernel's table; WS_OK or out of memory. */
static enum ws_status add_instruction(struct pass *p, LLVMValueRef i,
				      const struct ws_kernel_access *a, int root,
				      enum ws_space space, struct ws_err *err)
{
	struct ws_kernel *k = p->m->kernel;
	LLVMValueRef place = ws_located(i);
	bool texture = ws_is_texel(p->m, a->pointer, root);

	if (!WS_ROOM(k->instruction, k->instruction_cap, k->instructions + 1))
		return ws_fail_memory(err, "a kernel's instructions");
	k->instruction[k->instructions++] = (struct ws_instruction){
		.kind = (uint8_t)a->kind,
		.space = (uint8_t)space,
		.bytes = (uint32_t)a->bytes,
		.array = root == WS_ROOT_CONSTANT ? ws_constant_number(p->m, i, err)
			 : root < 0		  ? WS_NO_ARRAY
						  : (uint32_t)root,
		.file = file_index(k, place, err),
		.line = LLVMGetDebugLocLine(place),
		.use = a->kind == WS_STORE ? 0
		       : texture ? ws_texel_distance(i) : ws_use_distance(i),
		.texture = texture,
		.past = space == WS_SPACE_GLOBAL && ws_is_past(i),
	};
	return err && err->status != WS_OK ? err->status : WS_OK;
}

struct open_segment {
	LLVMValueRef call; /* of __ws_segment or __ws_tally, its length still to be set; NULL:
			    * none is made */
	uint32_t id, gap;
	uint64_t instructions; /* up to the last access */
};

static enum ws_status begin_segment(struct pass *p, LLVMValueRef before, struct open_segment *s,
				    struct ws_err *err)
{
	struct ws_kernel *k = p->m->kernel;
	size_t need = k->segments + 1;
	LLVMValueRef argument[3];

	if (!WS_ROOM(k->segment, k->segment_cap, need) ||
	    !WS_ROOM(k->barrier_line, k->barrier_line_cap, need) ||
	    !WS_ROOM(k->barrier_file, k->barrier_file_cap, need) ||
	    !WS_ROOM(k->polls, k->polls_cap, need))
		return ws_fail_memory(err, "a kernel's segments");
	k->barrier_line[k->segments] = 0;
	k->polls[k->segments] = p->polls;
	k->segment[k->segments] = (struct ws_segment){ .first = (uint32_t)k->instructions };
	s->id = (uint32_t)k->segments++;
	s->gap = 0;
	s->instructions = 0;
	argument[0] = LLVMGetParam(p->m->body, 0);
	argument[1] = constant64(p, s->id);
	argument[2] = constant64(p, 0);
	LLVMPositionBuilderBefore(p->m->builder, before);
	if (p->m->options->bare)
		s->call = NULL;
	else if (p->m->options->tally)
		s->call = LLVMBuildCall2(p->m->builder, p->t_tally, p->f_tally, argument, 2, "");
	else
		s->call = LLVMBuildCall2(p->m->builder, p->t_segment, p->f_segment, argument, 3,
					 "");
	return WS_OK;
}

static void end_segment(struct pass *p, const struct open_segment *s, bool barrier)
{
	struct ws_segment *segment = &p->m->kernel->segment[s->id];

	segment->count = (uint32_t)p->m->kernel->instructions - segment->first;
	segment->tail = s->gap < WS_GAP_MAX ? s->gap : WS_GAP_MAX;
	segment->barrier = barrier;
	if (!s->call)
		return;
	if (p->m->options->tally)
		LLVMSetOperand(s->call, 1,
			       constant64(p, s->instructions + segment->tail + barrier));
	else
		LLVMSetOperand(s->call, 2, constant64(p, segment->count + 1));
}

/* A bit for the operator of an atomic that commutes with itself; 0 if none does. */
static unsigned operator_bit(LLVMValueRef atomic)
{
	if (LLVMIsAAtomicCmpXchgInst(atomic))
		return 0;
	switch (LLVMGetAtomicRMWBinOp(atomic)) {
	case LLVMAtomicRMWBinOpAdd:
	case LLVMAtomicRMWBinOpSub:
		return 1;
	case LLVMAtomicRMWBinOpAnd:
		return 2;
	case LLVMAtomicRMWBinOpOr:
		return 4;
	case LLVMAtomicRMWBinOpXor:
		return 8;
	case LLVMAtomicRMWBinOpMax:
		return 16;
	case LLVMAtomicRMWBinOpMin:
		return 32;
	case LLVMAtomicRMWBinOpUMax:
		return 64;
	case LLVMAtomicRMWBinOpUMin:
		return 128;
	default:
		return 0;
	}
}

/* Does the order of CTAs matter to the kernel's atomics? */
static void note_atomic(struct ws_kernel *k, LLVMValueRef atomic)
{
	unsigned bit = operator_bit(atomic);

	k->atomic_operators |= bit;
	k->ordered_atomics |= LLVMGetFirstUse(atomic) || !bit || !ws_is_pow2(k->atomic_operators);
}

static enum ws_status record(struct pass *p, LLVMValueRef i, const struct ws_kernel_access *a,
			     int root, enum ws_space space, struct open_segment *s,
			     struct ws_err *err)
{
	struct ws_kernel *k = p->m->kernel;
	LLVMValueRef address, slot, at;
	enum ws_status status;

	status = add_instruction(p, i, a, root, space, err);
	if (status != WS_OK)
		return status;
	address = root == WS_ROOT_CONSTANT
			  ? ws_constant_address(p->m, i)
			  : ws_guard(p->guards, i, a, root, (uint32_t)k->instructions - 1, err);
	if (!address)
		return WS_ENOMEM;
	if (a->kind == WS_ATOMIC && space == WS_SPACE_GLOBAL)
		note_atomic(k, i);
	k->instruction[k->instructions - 1].gap = s->gap < WS_GAP_MAX ? s->gap : WS_GAP_MAX;
	s->instructions += 1 + k->instruction[k->instructions - 1].gap;
	s->gap = 0;
	if (p->m->options->tally || p->m->options->bare)
		return WS_OK;
	at = constant64(p, k->instructions - k->segment[s->id].first);
	LLVMPositionBuilderBefore(p->m->builder, i);
	slot = LLVMBuildGEP2(p->m->builder, p->m->i64, s->call, &at, 1, "");
	LLVMBuildStore(p->m->builder, address, slot);
	return WS_OK;
}

/* A __local access that is not recorded is still checked. */
static enum ws_status guard(struct pass *p, LLVMValueRef i, const struct ws_kernel_access *a,
			    int root, struct ws_err *err)
{
	struct ws_kernel *k = p->m->kernel;

	if (!WS_ROOM(k->guard, k->guard_cap, k->guards + 1))
		return ws_fail_memory(err, "a kernel's instructions");
	k->guard[k->guards] = (struct ws_instruction){
		.kind = (uint8_t)a->kind,
		.space = WS_SPACE_LOCAL,
		.bytes = (uint32_t)a->bytes,
		.array = root < 0 ? WS_NO_ARRAY : (uint32_t)root,
		.file = file_index(k, i, err),
		.line = LLVMGetDebugLocLine(i),
	};
	if (err && err->status != WS_OK)
		return err->status;
	return ws_guard(p->guards, i, a, root, WS_GUARD | (uint32_t)k->guards++, err) ? WS_OK
										      : WS_ENOMEM;
}

/* Division by zero and the quotient that overflows trap on the CPU, not on a
 * GPU: the divisor becomes 1 there (the result is undefined in OpenCL C). */
static void tame_division(struct pass *p, LLVMValueRef i)
{
	LLVMOpcode op = LLVMGetInstructionOpcode(i);
	LLVMValueRef n = LLVMGetOperand(i, 0), d = LLVMGetOperand(i, 1), bad, one;
	LLVMTypeRef type = LLVMTypeOf(d);
	LLVMBuilderRef b = p->m->builder;

	LLVMPositionBuilderBefore(b, i);
	bad = LLVMBuildICmp(b, LLVMIntEQ, d, LLVMConstNull(type), "");
	if (op == LLVMSDiv || op == LLVMSRem) { /* -(n) == n: n is 0 or the least */
		LLVMValueRef minus = LLVMBuildICmp(b, LLVMIntEQ, d, LLVMConstAllOnes(type), "");
		LLVMValueRef least = LLVMBuildICmp(b, LLVMIntEQ, LLVMBuildNeg(b, n, ""), n, "");

		bad = LLVMBuildOr(b, bad, LLVMBuildAnd(b, minus, least, ""), "");
	}
	one = LLVMConstNeg(LLVMConstAllOnes(type));
	LLVMSetOperand(i, 1, LLVMBuildSelect(b, bad, one, d, ""));
}

static bool may_trap(LLVMValueRef i)
{
	LLVMOpcode op = LLVMGetInstructionOpcode(i);

	return (op == LLVMUDiv || op == LLVMSDiv || op == LLVMURem || op == LLVMSRem) &&
	       !LLVMIsAConstantInt(LLVMGetOperand(i, 1));
}

static enum ws_status instrument_accesses(struct pass *p, LLVMValueRef i, struct open_segment *s,
					  bool *any, struct ws_err *err)
{
	struct ws_kernel_access access[2];
	size_t n = ws_accesses_of(p->m, i, access);
	enum ws_status status = WS_OK;
	enum ws_space space;
	int root;

	*any = n && ws_program_constant(i);
	if (*any)
		return record(p, i, &access[0], WS_ROOT_CONSTANT, WS_SPACE_CONSTANT, s, err);
	for (size_t k = 0; k < n && status == WS_OK; k++) {
		if (access[k].bytes == 0 ||
		    !ws_access_traced(p->m, access[k].pointer, &root, &space))
			continue;
		if (access[k].bytes > WS_ACCESS_BYTES_MAX)
			return ws_fail(err, WS_EINPUT,
				       "kernel %s, line %u: a copy of more than %u bytes at once "
				       "is not supported",
				       p->m->kernel->name, LLVMGetDebugLocLine(i),
				       WS_ACCESS_BYTES_MAX);
		if (ws_access_recorded(p->m, space)) {
			status = record(p, i, &access[k], root, space, s, err);
			*any = true;
		} else {
			status = guard(p, i, &access[k], root, err);
		}
	}
	return status;
}

static void place_barrier(struct pass *p, LLVMValueRef call, uint32_t segment)
{
	LLVMValueRef argument[2] = { LLVMGetParam(p->m->body, 0),
				     LLVMConstInt(p->m->i32, segment, 0) };

	LLVMPositionBuilderBefore(p->m->builder, call);
	LLVMBuildCall2(p->m->builder, p->t_barrier, p->f_barrier, argument, 2, "");
	LLVMInstructionEraseFromParent(call);
}

static void place_meeting(struct pass *p, LLVMValueRef call, uint32_t segment)
{
	LLVMValueRef argument[4] = { LLVMGetParam(p->m->body, 0),
				     LLVMConstInt(p->m->i32, segment, 0), LLVMGetOperand(call, 0),
				     LLVMGetOperand(call, 1) };

	LLVMPositionBuilderBefore(p->m->builder, call);
	LLVMReplaceAllUsesWith(call, LLVMBuildCall2(p->m->builder, p->t_meet, p->f_meet, argument,
						    4, ""));
	LLVMInstructionEraseFromParent(call);
	p->m->kernel->meets = true;
}

/* At a place where work-items wait for others. */
static enum ws_status cut_segment(struct pass *p, LLVMValueRef i, struct open_segment *s,
				  struct ws_err *err)
{
	LLVMValueRef next = LLVMGetNextInstruction(i);
	bool barrier = ws_is_barrier(i);

	s->gap += !barrier && !ws_is_unwritten_meeting(i);
	end_segment(p, s, barrier);
	p->m->kernel->barrier_line[s->id] = LLVMGetDebugLocLine(i);
	p->m->kernel->barrier_file[s->id] = known_file(p->m->kernel, i);
	if (barrier)
		place_barrier(p, i, s->id);
	else
		place_meeting(p, i, s->id);
	return begin_segment(p, next, s, err);
}

/* Before an atomic: all who wait look first at what the one before has left. */
static enum ws_status let_others_look(struct pass *p, LLVMValueRef atomic, struct open_segment *s,
				      struct ws_err *err)
{
	struct ws_kernel *k = p->m->kernel;
	LLVMValueRef argument[3] = { LLVMGetParam(p->m->body, 0),
				     LLVMConstInt(LLVMInt1TypeInContext(p->m->context), 1, 0) };

	if (!WS_ROOM(k->wait, k->wait_cap, k->waits + 1))
		return ws_fail_memory(err, "a kernel's loops");
	argument[2] = LLVMConstInt(p->m->i32, k->waits, 0);
	k->wait[k->waits++] = (struct ws_wait){ .file = file_index(k, atomic, err),
						.line = LLVMGetDebugLocLine(atomic) };
	end_segment(p, s, false);
	LLVMPositionBuilderBefore(p->m->builder, atomic);
	LLVMBuildCall2(p->m->builder, p->t_wait, p->f_wait, argument, 3, "");
	return begin_segment(p, atomic, s, err);
}

/* Segments of a block that is kept. */
static enum ws_status instrument_block(struct pass *p, const struct block *block,
				       struct ws_err *err)
{
	struct open_segment s = { 0 };
	enum ws_status status = begin_segment(p, block->first, &s, err);
	LLVMValueRef next;

	for (LLVMValueRef i = block->first; i && status == WS_OK; i = next) {
		bool any = false;

		next = LLVMGetNextInstruction(i);
		if (may_trap(i))
			tame_division(p, i);
		if (ws_is_barrier(i) || ws_is_meeting(i)) {
			status = cut_segment(p, i, &s, err);
			continue;
		}
		if (!p->polls && ws_waits_miss(&p->waits, p->blocks, i))
			status = let_others_look(p, i, &s, err);
		if (status == WS_OK)
			status = instrument_accesses(p, i, &s, &any, err);
		s.gap += !any && !ws_is_free(i);
	}
	if (status == WS_OK)
		end_segment(p, &s, false);
	return status;
}

static bool closes_loop(const struct pass *p, size_t b)
{
	bool latch = false;

	for (size_t e = p->first_edge[b]; e < p->first_edge[b + 1]; e++)
		latch |= p->position[p->edge[e]] <= p->position[b];
	return latch;
}

/* A block that records nothing: its __local accesses are checked, and if it
 * closes a loop, its turns are counted, so that a loop that never ends is found. */
static enum ws_status instrument_silent(struct pass *p, size_t b, struct ws_err *err)
{
	LLVMValueRef context = LLVMGetParam(p->m->body, 0), next;
	struct open_segment none = { 0 };
	enum ws_status status = WS_OK;
	bool any;

	if (closes_loop(p, b) && !p->m->options->bare) {
		LLVMPositionBuilderBefore(p->m->builder, p->block[b].first);
		LLVMBuildCall2(p->m->builder, p->t_spin, p->f_spin, &context, 1, "");
	}
	for (LLVMValueRef i = p->block[b].first; i && status == WS_OK; i = next) {
		next = LLVMGetNextInstruction(i);
		if (may_trap(i))
			tame_division(p, i);
		status = instrument_accesses(p, i, &none, &any, err);
	}
	return status;
}

/* At the end of a loop that only waits: before another turn, others have theirs. */
static void place_wait(struct pass *p, const struct block *block, const struct ws_wait_latch *w)
{
	LLVMValueRef end = LLVMGetBasicBlockTerminator(block->at), argument[3];
	LLVMBuilderRef b = p->m->builder;

	LLVMPositionBuilderBefore(b, end);
	argument[0] = LLVMGetParam(p->m->body, 0);
	if (!LLVMIsConditional(end))
		argument[1] = LLVMConstInt(LLVMInt1TypeInContext(p->m->context), 1, 0);
	else if (LLVMGetSuccessor(end, 0) == w->header)
		argument[1] = LLVMGetCondition(end);
	else
		argument[1] = LLVMBuildNot(b, LLVMGetCondition(end), "");
	argument[2] = LLVMConstInt(p->m->i32, w->number, 0);
	LLVMBuildCall2(b, p->t_wait, p->f_wait, argument, 3, "");
}

/* Time begins to go slowly where a loop that waits until a time is entered. */
static void place_timed_entry(struct pass *p, size_t latch)
{
	const struct ws_waits *w = &p->waits;
	uint32_t header = (uint32_t)strtoul(LLVMGetBasicBlockName(w->latch[latch].header) + 1, NULL,
					    10);
	LLVMValueRef context = LLVMGetParam(p->m->body, 0);

	for (size_t e = w->first_pred[header]; e < w->first_pred[header + 1]; e++) {
		if (w->pred[e] == latch)
			continue;
		LLVMPositionBuilderBefore(p->m->builder, LLVMGetBasicBlockTerminator(
							       p->block[w->pred[e]].at));
		LLVMBuildCall2(p->m->builder, p->t_timed, p->f_timed, &context, 1, "");
	}
}

/* At the end of a loop of a bare kernel.  In one that has loops which only wait, what the others do
 * tells that it does more than that. */
static void place_turn(struct pass *p, size_t b)
{
	LLVMValueRef context = LLVMGetParam(p->m->body, 0);
	bool counted = p->waits.turns[b] == WS_TURNS_COUNTED && !p->m->kernel->waits;

	if (p->waits.turns[b] == WS_TURNS_FREE && !p->m->kernel->waits)
		return;
	LLVMPositionBuilderBefore(p->m->builder, LLVMGetBasicBlockTerminator(p->block[b].at));
	LLVMBuildCall2(p->m->builder, counted ? p->t_spin : p->t_turn,
		       counted ? p->f_spin : p->f_turn, &context, 1, "");
	p->m->kernel->turns |= !counted;
}

static void measure_frame(const struct ws_module *m)
{
	LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(m->body);

	for (LLVMValueRef i = LLVMGetFirstInstruction(entry); i; i = LLVMGetNextInstruction(i)) {
		LLVMValueRef count = LLVMIsAAllocaInst(i) ? LLVMGetOperand(i, 0) : NULL;

		if (count && LLVMIsAConstantInt(count))
			m->kernel->frame_bytes +=
				(size_t)(LLVMABISizeOfType(m->layout, LLVMGetAllocatedType(i)) *
					 LLVMConstIntGetZExtValue(count));
	}
}

static enum ws_status instrument_body(struct pass *p, struct ws_err *err)
{
	enum ws_status status = number_blocks(p, err);

	if (status == WS_OK)
		status = find_waits(p, err);
	if (status != WS_OK)
		return status;
	ws_guards_begin(p->guards, p->block[0].first);
	for (size_t i = 0; i < p->blocks && status == WS_OK; i++) {
		size_t b = p->order[i];

		p->polls = p->waits.polls[b];
		status = p->keep[b] ? instrument_block(p, &p->block[b], err)
				    : instrument_silent(p, b, err);
		if (p->waits.latch[b].timed)
			place_timed_entry(p, b);
		if (p->waits.latch[b].poll)
			place_wait(p, &p->block[b], &p->waits.latch[b]);
		else if (p->m->options->bare && closes_loop(p, b))
			place_turn(p, b);
	}
	return status;
}

static void pass_clear(struct pass *p)
{
	free(p->block);
	free(p->first_edge);
	free(p->edge);
	free(p->order);
	free(p->position);
	free(p->keep);
	free(p->list);
	ws_waits_clear(&p->waits);
	ws_guards_free(p->guards);
}

enum ws_status ws_module_instrument(struct ws_module *m, struct ws_err *err)
{
	struct pass p = { .m = m };
	enum ws_status status;
	char *message = NULL;

	m->kernel->bare = m->options->bare;
	measure_frame(m);
	status = ws_guards_new(&p.guards, m, err);
	if (status == WS_OK)
		status = link_runtime(&p, err);
	if (status == WS_OK)
		status = instrument_body(&p, err);
	pass_clear(&p);
	if (status != WS_OK)
		return status;
	if (m->options->soft)
		ws_module_soft_counts(m, m->options->tally);
	ws_module_inline_images(m);
	ws_module_entry(m);
	if (LLVMVerifyModule(m->module, LLVMReturnStatusAction, &message))
		status =
			ws_fail(err, WS_EINPUT, "kernel %s: LLVM rejects the instrumented code: %s",
				m->kernel->name, message);
	LLVMDisposeMessage(message);
	if (status != WS_OK)
		return status;
	return ws_module_passes(m, m->options->tally ? OPTIMISE_LITTLE : OPTIMISE, err);
}
