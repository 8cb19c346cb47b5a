/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/capture/recursion.c -- functions of CUDA device code that call themselves.
 *
 * A kernel is one function in the end (module.c), into which such a function cannot be inlined.  So
 * it becomes a loop with a stack of its own: a frame holds its arguments, its variables and what it
 * keeps over a call.  A call fills the next frame and goes to the beginning; a return goes to where
 * the frame's call was.  Where functions call each other in a circle, inlining leaves one that
 * calls itself.
 */
#include "trace/capture/instrument.h"

#include <stdlib.h>
#include <string.h>

#define STACK_BYTES 65536u
#define DEPTH_MOST  1024u
#define DEPTH_LEAST 64u
#define TURNS_MAX   64u	 /* functions that call themselves */
#define FRAME_ALIGN 32u
#define INLINE	    "globaldce,always-inline,globaldce"
#define TO_MEMORY   "function(lower-switch,reg2mem)"

struct recursion { /* of one function */
	struct ws_module *m;
	LLVMValueRef f, stack, depth, result;
	LLVMBasicBlockRef begin, back;	/* what it begins with; where it returns to */
	LLVMValueRef where;		/* the switch there */
	uint64_t bytes;			/* of a frame; its first 4 say where it returns to */
	uint64_t *place;		/* of the parameters in it */
	unsigned calls, deepest;
};

static bool calls(LLVMValueRef i, LLVMValueRef f)
{
	return LLVMIsACallInst(i) && LLVMGetCalledValue(i) == f;
}

static bool calls_itself(LLVMValueRef f)
{
	for (LLVMUseRef u = LLVMGetFirstUse(f); u; u = LLVMGetNextUse(u)) {
		LLVMValueRef user = LLVMGetUser(u);

		if (calls(user, f) && LLVMGetBasicBlockParent(LLVMGetInstructionParent(user)) == f)
			return true;
	}
	return false;
}

static LLVMAttributeRef by_value_of(LLVMValueRef f, unsigned i)
{
	return LLVMGetEnumAttributeAtIndex(f, i + 1, LLVMGetEnumAttributeKindForName("byval", 5));
}

/* ---- blocks that end in calls ---------------------------------------------------------- */

static void move_after(struct ws_module *m, LLVMValueRef call)
{
	LLVMBasicBlockRef block = LLVMGetInstructionParent(call);
	LLVMBasicBlockRef rest = LLVMAppendBasicBlockInContext(
		m->context, LLVMGetBasicBlockParent(block), "rest");
	LLVMValueRef i;

	LLVMMoveBasicBlockAfter(rest, block);
	LLVMPositionBuilderAtEnd(m->builder, rest);
	while ((i = LLVMGetNextInstruction(call))) {
		LLVMInstructionRemoveFromParent(i);
		LLVMInsertIntoBuilder(m->builder, i);
	}
	LLVMPositionBuilderAtEnd(m->builder, block);
	LLVMBuildBr(m->builder, rest);
}

/* No block has values of another one by then, so that none has phis. */
static void cut_at_calls(struct ws_module *m, LLVMValueRef f)
{
	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b)) {
		LLVMValueRef i = LLVMGetFirstInstruction(b);

		while (i && !calls(i, f))
			i = LLVMGetNextInstruction(i);
		if (i)
			move_after(m, i);
	}
}

/* ---- the frame ------------------------------------------------------------------------- */

static uint64_t add_place(struct recursion *r, uint64_t bytes, uint64_t align)
{
	uint64_t at = (r->bytes + align - 1) / align * align;

	r->bytes = at + bytes;
	return at;
}

/* Its address in the frame at hand, or in the one `above` it. */
static LLVMValueRef address_in(struct recursion *r, uint64_t place, unsigned above)
{
	LLVMBuilderRef b = r->m->builder;
	LLVMValueRef depth = LLVMBuildLoad2(b, r->m->i64, r->depth, "");
	LLVMValueRef at = LLVMBuildMul(b, depth, LLVMConstInt(r->m->i64, r->bytes, 0), "");

	at = LLVMBuildAdd(b, at, LLVMConstInt(r->m->i64, place + above * r->bytes, 0), "");
	return LLVMBuildGEP2(b, r->m->i8, r->stack, &at, 1, "");
}

static bool is_lifetime(LLVMValueRef i)
{
	return LLVMIsACallInst(i) && ws_is_named(LLVMGetCalledValue(i), "llvm.lifetime");
}

/* Each user of v has it from the frame: its address there, or what is there. */
static void take_from_frame(struct recursion *r, LLVMValueRef v, uint64_t place, bool address)
{
	LLVMUseRef u;

	while ((u = LLVMGetFirstUse(v))) {
		LLVMValueRef user = LLVMGetUser(u), have;

		if (is_lifetime(user)) {
			LLVMInstructionEraseFromParent(user);
			continue;
		}
		LLVMPositionBuilderBefore(r->m->builder, user);
		have = address_in(r, place, 0);
		if (!address)
			have = LLVMBuildLoad2(r->m->builder, LLVMTypeOf(v), have, "");
		for (int k = LLVMGetNumOperands(user); k-- > 0;) {
			if (LLVMGetOperand(user, (unsigned)k) == v)
				LLVMSetOperand(user, (unsigned)k, have);
		}
	}
}

static uint64_t bytes_of(const struct recursion *r, LLVMTypeRef type)
{
	return LLVMABISizeOfType(r->m->layout, type);
}

static void place_parameters(struct recursion *r)
{
	for (unsigned i = 0; i < LLVMCountParams(r->f); i++) {
		LLVMAttributeRef a = by_value_of(r->f, i);
		LLVMTypeRef type = a ? LLVMGetTypeAttributeValue(a)
				     : LLVMTypeOf(LLVMGetParam(r->f, i));

		r->place[i] = add_place(r, bytes_of(r, type),
					a ? 16 : LLVMABIAlignmentOfType(r->m->layout, type));
	}
}

/* The variables of the function, all at its beginning.  False: one has no constant size, or memory
 * is out.  The frame's size is known when all have their places. */
static bool place_variables(struct recursion *r, LLVMValueRef **variable, uint64_t **place,
			    size_t *count)
{
	size_t cap = 0, places = 0;

	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(r->f); b; b = LLVMGetNextBasicBlock(b)) {
		for (LLVMValueRef i = LLVMGetFirstInstruction(b); i;
		     i = LLVMGetNextInstruction(i)) {
			LLVMValueRef many = LLVMIsAAllocaInst(i) ? LLVMGetOperand(i, 0) : NULL;

			if (!many)
				continue;
			if (!LLVMIsAConstantInt(many) || !WS_ROOM(*variable, cap, *count + 1) ||
			    !WS_ROOM(*place, places, *count + 1))
				return false;
			(*variable)[*count] = i;
			(*place)[(*count)++] = add_place(
				r, bytes_of(r, LLVMGetAllocatedType(i)) *
					   LLVMConstIntGetZExtValue(many), LLVMGetAlignment(i));
		}
	}
	r->bytes = (r->bytes + FRAME_ALIGN - 1) / FRAME_ALIGN * FRAME_ALIGN;
	return true;
}

/* ---- calls and returns ----------------------------------------------------------------- */

static void store_argument(struct recursion *r, unsigned i, LLVMValueRef value, unsigned above)
{
	LLVMAttributeRef a = by_value_of(r->f, i);
	LLVMValueRef to = address_in(r, r->place[i], above);

	if (a)
		LLVMBuildMemCpy(r->m->builder, to, 1, value, 1, LLVMConstInt(r->m->i64, bytes_of(
						r, LLVMGetTypeAttributeValue(a)), 0));
	else
		LLVMBuildStore(r->m->builder, value, to);
}

static void add_to_depth(struct recursion *r, int64_t by)
{
	LLVMBuilderRef b = r->m->builder;
	LLVMValueRef depth = LLVMBuildLoad2(b, r->m->i64, r->depth, "");

	LLVMBuildStore(b, LLVMBuildAdd(b, depth, LLVMConstInt(r->m->i64, (uint64_t)by, 1), ""),
		       r->depth);
}

/* At a call: is there another frame?  The block goes on in a new one, where the builder is. */
static void check_depth(struct recursion *r, unsigned line)
{
	LLVMBuilderRef b = r->m->builder;
	LLVMBasicBlockRef deep = LLVMAppendBasicBlockInContext(r->m->context, r->f, "deep");
	LLVMBasicBlockRef good = LLVMAppendBasicBlockInContext(r->m->context, r->f, "call");
	LLVMValueRef depth = LLVMBuildLoad2(b, r->m->i64, r->depth, ""), more;

	more = LLVMBuildICmp(b, LLVMIntULT, depth,
			     LLVMConstInt(r->m->i64, r->deepest - 1, 0), "");
	LLVMBuildCondBr(b, more, good, deep);
	LLVMPositionBuilderAtEnd(b, deep);
	ws_cuda_bad_call(r->m, WS_CALL_DEEP, line);
	LLVMBuildUnreachable(b);
	LLVMPositionBuilderAtEnd(b, good);
}

/* The end of a block that ends in a call, and the beginning of the next one. */
static void replace_call(struct recursion *r, LLVMValueRef call)
{
	LLVMBasicBlockRef block = LLVMGetInstructionParent(call), rest;
	LLVMValueRef end = LLVMGetBasicBlockTerminator(block), first, i, value;
	LLVMBuilderRef b = r->m->builder;

	rest = LLVMGetSuccessor(end, 0);
	first = LLVMGetFirstInstruction(rest);
	if (LLVMTypeOf(call) != r->m->none) {
		LLVMPositionBuilderBefore(b, first);
		value = LLVMBuildLoad2(b, LLVMTypeOf(call), r->result, "");
		LLVMReplaceAllUsesWith(call, value);
	}
	while ((i = LLVMGetNextInstruction(call)) != end) { /* what keeps the result */
		LLVMInstructionRemoveFromParent(i);
		LLVMPositionBuilderBefore(b, first);
		LLVMInsertIntoBuilder(b, i);
	}
	LLVMInstructionEraseFromParent(end);
	LLVMPositionBuilderAtEnd(b, block);
	check_depth(r, LLVMGetDebugLocLine(call));
	for (unsigned k = 0; k < LLVMCountParams(r->f); k++)
		store_argument(r, k, LLVMGetOperand(call, k), 1);
	LLVMBuildStore(b, LLVMConstInt(r->m->i32, ++r->calls, 0), address_in(r, 0, 1));
	add_to_depth(r, 1);
	LLVMBuildBr(b, r->begin);
	LLVMAddCase(r->where, LLVMConstInt(r->m->i32, r->calls, 0), rest);
	LLVMInstructionEraseFromParent(call);
}

static void replace_return(struct recursion *r, LLVMValueRef end)
{
	LLVMPositionBuilderBefore(r->m->builder, end);
	if (LLVMGetNumOperands(end))
		LLVMBuildStore(r->m->builder, LLVMGetOperand(end, 0), r->result);
	LLVMBuildBr(r->m->builder, r->back);
	LLVMInstructionEraseFromParent(end);
}

/* ---- the whole ------------------------------------------------------------------------- */

/* A beginning that is no part of the loop, with the first frame; and the end of all. */
static void build_ends(struct recursion *r)
{
	struct ws_module *m = r->m;
	LLVMTypeRef returns = LLVMGetReturnType(LLVMGlobalGetValueType(r->f));
	LLVMTypeRef frames = LLVMArrayType2(m->i8, r->bytes * r->deepest);
	LLVMBasicBlockRef start, end;
	LLVMValueRef where;

	start = LLVMInsertBasicBlockInContext(m->context, r->begin, "start");
	LLVMPositionBuilderAtEnd(m->builder, start);
	r->stack = LLVMBuildAlloca(m->builder, frames, "stack");
	LLVMSetAlignment(r->stack, FRAME_ALIGN);
	r->depth = LLVMBuildAlloca(m->builder, m->i64, "depth");
	r->result = returns == m->none ? NULL : LLVMBuildAlloca(m->builder, returns, "result");
	LLVMBuildStore(m->builder, LLVMConstInt(m->i64, 0, 0), r->depth);
	LLVMBuildStore(m->builder, LLVMConstInt(m->i32, 0, 0), address_in(r, 0, 0));
	r->back = LLVMAppendBasicBlockInContext(m->context, r->f, "back");
	end = LLVMAppendBasicBlockInContext(m->context, r->f, "end");
	LLVMPositionBuilderAtEnd(m->builder, r->back);
	where = LLVMBuildLoad2(m->builder, m->i32, address_in(r, 0, 0), "");
	add_to_depth(r, -1);
	r->where = LLVMBuildSwitch(m->builder, where, end, 0);
	LLVMPositionBuilderAtEnd(m->builder, end);
	if (r->result)
		LLVMBuildRet(m->builder, LLVMBuildLoad2(m->builder, returns, r->result, ""));
	else
		LLVMBuildRetVoid(m->builder);
	LLVMPositionBuilderAtEnd(m->builder, start);
}

static void replace_all(struct recursion *r, LLVMBasicBlockRef last)
{
	LLVMBasicBlockRef b = r->begin, next = NULL;

	for (; next != last; b = next) {
		LLVMValueRef end = LLVMGetBasicBlockTerminator(b), i = LLVMGetFirstInstruction(b);

		next = LLVMGetNextBasicBlock(b);
		if (LLVMIsAReturnInst(end))
			replace_return(r, end);
		while (i && !calls(i, r->f))
			i = LLVMGetNextInstruction(i);
		if (i)
			replace_call(r, i);
	}
}

/* The parameters, which the first frame has, too, and the variables. */
static void move_to_frame(struct recursion *r, LLVMValueRef *variable, const uint64_t *place,
			  size_t count)
{
	unsigned params = LLVMCountParams(r->f);

	for (unsigned i = 0; i < params; i++)
		take_from_frame(r, LLVMGetParam(r->f, i), r->place[i], by_value_of(r->f, i));
	for (size_t i = 0; i < count; i++) {
		take_from_frame(r, variable[i], place[i], true);
		LLVMInstructionEraseFromParent(variable[i]);
	}
	LLVMPositionBuilderAtEnd(r->m->builder, LLVMGetEntryBasicBlock(r->f));
	for (unsigned i = 0; i < params; i++)
		store_argument(r, i, LLVMGetParam(r->f, i), 0);
	LLVMBuildBr(r->m->builder, r->begin);
}

static enum ws_status unroll(struct ws_module *m, LLVMValueRef f, struct ws_err *err)
{
	struct recursion r = { .m = m, .f = f, .begin = LLVMGetEntryBasicBlock(f),
			       .bytes = sizeof(uint32_t) };
	LLVMValueRef *variable = NULL;
	uint64_t *place = NULL;
	size_t count = 0, len;
	bool good = (r.place = ws_alloc_zero(LLVMCountParams(f), sizeof *r.place)) != NULL;

	if (good) {
		place_parameters(&r);
		good = place_variables(&r, &variable, &place, &count);
	}
	if (good) {
		LLVMBasicBlockRef last = LLVMGetLastBasicBlock(f);

		r.deepest = (unsigned)(STACK_BYTES / r.bytes);
		r.deepest = r.deepest < DEPTH_LEAST ? DEPTH_LEAST : r.deepest;
		r.deepest = r.deepest > DEPTH_MOST ? DEPTH_MOST : r.deepest;
		build_ends(&r);
		replace_all(&r, LLVMGetNextBasicBlock(last));
		move_to_frame(&r, variable, place, count);
	}
	free(r.place);
	free(variable);
	free(place);
	return good ? WS_OK : ws_fail(err, WS_EINPUT, "kernel %s: function %s calls itself, and "
				      "has arrays of no constant size: that is not supported",
				      m->kernel->name, LLVMGetValueName2(f, &len));
}

static LLVMValueRef next_recursive(const struct ws_module *m)
{
	LLVMValueRef f = LLVMGetFirstFunction(m->module);

	while (f && !calls_itself(f))
		f = LLVMGetNextFunction(f);
	return f;
}

enum ws_status ws_cuda_recursion(struct ws_module *m, struct ws_err *err)
{
	enum ws_status status = WS_OK;
	LLVMValueRef f;
	size_t len;

	for (unsigned turn = 0; status == WS_OK && (f = next_recursive(m)); turn++) {
		if (turn == TURNS_MAX)
			return ws_fail(err, WS_EINPUT, "kernel %s: function %s: want at most %u "
				       "functions that call themselves", m->kernel->name,
				       LLVMGetValueName2(f, &len), TURNS_MAX);
		status = ws_module_passes(m, TO_MEMORY, err);
		if (status == WS_OK) {
			cut_at_calls(m, f);
			status = ws_module_passes(m, TO_MEMORY, err);
		}
		if (status == WS_OK)
			status = unroll(m, f, err);
		if (status == WS_OK)
			status = ws_module_passes(m, INLINE, err);
	}
	return status;
}
