/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/capture/cut.c -- cuts a bare kernel where work-items wait for each other, so that a waiting
 * work-item needs no stack: it returns, and is called again to continue.
 *
 * Values that are needed behind a stop are kept in a frame of the work-item.  A value is stored
 * when it is computed or, if it is computed several times between two stops, at the stop.  Private
 * arrays lie in the frame, too.  The function takes the number of the stop behind which it
 * continues, and returns that of the next stop, or 0 at its end.  Control flow is arbitrary: a stop
 * may be in a loop, or in a branch that not all work-items take.
 *
 * A kernel with a loop that may wait for others in another way is not cut, and runs on fibres.
 */
#include "trace/capture/wide.h"

#include <llvm-c/Analysis.h>
#include <llvm-c/Linker.h>
#include <stdlib.h>
#include <string.h>

#include "base/bits.h"

#define CUT_MOST 20000u		     /* instructions; the wide version is several times longer */
#define WIDEN_MOST 3000u

/* Passes that remove most of what is built here. */
#define CLEAN                                                                                      \
	"function(sroa,early-cse<memssa>,simplifycfg,instcombine<no-verify-fixpoint>,gvn,"         \
	"loop-mssa(licm),adce,dse,simplifycfg)"

/* ---- frames ---------------------------------------------------------------------------------- */

/* Builds the address of a value in the frame. */
static LLVMValueRef in_frame(const struct ws_parts *p, size_t value, LLVMTypeRef type,
			     LLVMValueRef index)
{
	LLVMBuilderRef b = p->m->builder;
	LLVMValueRef at = LLVMConstInt(p->m->i64, p->slot[value] * WS_WIDE, 0), row;

	row = LLVMBuildGEP2(b, p->m->i8, LLVMGetParam(p->f, 2), &at, 1, "");
	return LLVMBuildGEP2(b, type, row, &index, 1, "");
}

/* ---- values in memory, while the control flow changes ---------------------------------------- */

struct cutter {
	struct ws_parts *p;
	LLVMBasicBlockRef entry, begin;
	LLVMValueRef index; /* of the work-item in its frame */
};

static void store_behind(struct cutter *c, size_t v)
{
	struct ws_parts *p = c->p;
	LLVMBuilderRef b = p->m->builder;
	LLVMValueRef value = p->value[v], at = LLVMGetNextInstruction(value);

	while (LLVMIsAPHINode(at))
		at = LLVMGetNextInstruction(at);
	LLVMPositionBuilderBefore(b, at);
	LLVMBuildStore(b, value, p->place[v]);
	if (!ws_bit(p->cyclic, ws_part_block(LLVMGetInstructionParent(value))))
		LLVMBuildStore(b, value, in_frame(p, v, LLVMTypeOf(value), c->index));
}

/* Replaces uses of v in other blocks by loads. */
static void load_for_uses(struct cutter *c, size_t v, LLVMValueRef *user, size_t users)
{
	struct ws_parts *p = c->p;
	LLVMBuilderRef b = p->m->builder;
	LLVMValueRef value = p->value[v];

	for (size_t i = 0; i < users; i++) {
		bool phi = LLVMIsAPHINode(user[i]) != NULL;

		if (!phi && LLVMGetInstructionParent(user[i]) == LLVMGetInstructionParent(value))
			continue;
		for (int k = LLVMGetNumOperands(user[i]); k-- > 0;) {
			if (LLVMGetOperand(user[i], (unsigned)k) != value)
				continue;
			LLVMPositionBuilderBefore(
				b, phi ? LLVMGetBasicBlockTerminator(
						 LLVMGetIncomingBlock(user[i], (unsigned)k))
				       : user[i]);
			LLVMSetOperand(user[i], (unsigned)k,
				       LLVMBuildLoad2(b, LLVMTypeOf(value), p->place[v], ""));
		}
	}
}

static bool demote(struct cutter *c, size_t v)
{
	struct ws_parts *p = c->p;
	LLVMValueRef *user = NULL;
	size_t users = 0, cap = 0;

	for (LLVMUseRef u = LLVMGetFirstUse(p->value[v]); u; u = LLVMGetNextUse(u)) {
		if (!WS_ROOM(user, cap, users + 1)) {
			free(user);
			return false;
		}
		user[users++] = LLVMGetUser(u);
	}
	LLVMPositionBuilderAtEnd(p->m->builder, c->entry);
	p->place[v] = LLVMBuildAlloca(p->m->builder, LLVMTypeOf(p->value[v]), "");
	load_for_uses(c, v, user, users);
	if (!ws_part_is_stop(p->value[v]))
		store_behind(c, v);
	free(user);
	return true;
}

/* Moves a private array to the frame. */
static void move_array(struct cutter *c, size_t v)
{
	struct ws_parts *p = c->p;
	LLVMValueRef a = p->value[v], at = c->index, count = LLVMGetOperand(a, 0);
	LLVMTypeRef type = LLVMGetAllocatedType(a);

	LLVMPositionBuilderAtEnd(p->m->builder, c->entry);
	at = LLVMBuildMul(p->m->builder, at,
			  LLVMConstInt(p->m->i64, LLVMConstIntGetZExtValue(count), 0), "");
	LLVMReplaceAllUsesWith(a, in_frame(p, v, type, at));
	LLVMInstructionEraseFromParent(a);
}

/* ---- control flow ---------------------------------------------------------------------------- */

/* Calls the runtime's `name` with the first arguments of the stop. */
static LLVMValueRef call_runtime(struct ws_parts *p, const char *name, LLVMTypeRef result,
				 LLVMValueRef stop, unsigned arguments)
{
	LLVMTypeRef type[4] = { p->m->ptr, p->m->i32, p->m->i32, p->m->i64 };
	LLVMTypeRef t = LLVMFunctionType(result, type, arguments, 0);
	LLVMValueRef f = ws_part_runtime(p->m, name, t), argument[4];

	for (unsigned i = 0; i < arguments; i++)
		argument[i] = LLVMGetOperand(stop, i);
	return LLVMBuildCall2(p->m->builder, t, f, argument, arguments, "");
}

/* Stores what lives behind a stop to the frame, and returns. */
static void build_leave(struct cutter *c, size_t k)
{
	struct ws_parts *p = c->p;
	LLVMBuilderRef b = p->m->builder;
	LLVMValueRef stop = p->point[k].stop;
	LLVMBasicBlockRef block = LLVMGetInstructionParent(stop);
	size_t behind = ws_part_block(p->point[k].block);

	LLVMInstructionEraseFromParent(LLVMGetBasicBlockTerminator(block));
	LLVMPositionBuilderAtEnd(b, block);
	if (!ws_part_is_void(stop))
		call_runtime(p, "ws_lane_meets", p->m->none, stop, 4);
	for (size_t v = 0; v < p->values; v++) {
		LLVMValueRef value = p->value[v];

		if (!p->place[v] || !ws_part_lives(p, behind, v) || value == stop ||
		    !ws_bit(p->cyclic, ws_part_block(LLVMGetInstructionParent(value))))
			continue;
		LLVMBuildStore(b, LLVMBuildLoad2(b, LLVMTypeOf(value), p->place[v], ""),
			       in_frame(p, v, LLVMTypeOf(value), c->index));
	}
	LLVMBuildRet(b, LLVMConstInt(p->m->i32, k, 0));
}

/* The entry behind a stop.  The results of a meeting are known there. */
static LLVMBasicBlockRef build_enter(struct cutter *c, size_t k)
{
	struct ws_parts *p = c->p;
	LLVMBuilderRef b = p->m->builder;
	LLVMBasicBlockRef block = LLVMAppendBasicBlockInContext(p->m->context, p->f, "");
	LLVMValueRef stop = p->point[k].stop;
	size_t behind = ws_part_block(p->point[k].block);

	LLVMPositionBuilderAtEnd(b, block);
	for (size_t v = 0; v < p->values; v++) {
		LLVMTypeRef type;
		LLVMValueRef now;

		if (!p->place[v] || !ws_part_lives(p, behind, v))
			continue;
		type = LLVMTypeOf(p->value[v]);
		if (p->value[v] == stop) {
			now = call_runtime(p, "ws_lane_met", p->m->ptr, stop, 1);
			LLVMBuildStore(b, now, in_frame(p, v, type, c->index));
		} else {
			now = LLVMBuildLoad2(b, type, in_frame(p, v, type, c->index), "");
		}
		LLVMBuildStore(b, now, p->place[v]);
	}
	LLVMBuildBr(b, p->point[k].block);
	return block;
}

static void begin_cut(struct cutter *c)
{
	struct ws_parts *p = c->p;
	LLVMBuilderRef b = p->m->builder;
	LLVMValueRef at = LLVMConstInt(p->m->i64, offsetof(struct ws_lane_ctx, lane), 0), lane;

	c->begin = LLVMGetEntryBasicBlock(p->f);
	c->entry = LLVMInsertBasicBlockInContext(p->m->context, c->begin, "enter");
	LLVMPositionBuilderAtEnd(b, c->entry);
	lane = LLVMBuildLoad2(b, p->m->i32,
			      LLVMBuildGEP2(b, p->m->i8, LLVMGetParam(p->f, 0), &at, 1, ""), "");
	lane = LLVMBuildAnd(b, lane, LLVMConstInt(p->m->i32, WS_WIDE - 1, 0), "");
	c->index = LLVMBuildZExt(b, lane, p->m->i64, "");
}

static bool cut(struct ws_parts *p)
{
	struct cutter c = { .p = p };
	LLVMValueRef choice;
	bool good = true;

	begin_cut(&c);
	for (size_t v = 0; v < p->values && good; v++) {
		if (ws_part_is_array(p->value[v]))
			move_array(&c, v);
		else if (p->slot[v] != WS_PART_NONE)
			good = demote(&c, v);
	}
	for (size_t k = 1; k < p->points && good; k++) {
		if (p->point[k].stop)
			build_leave(&c, k);
	}
	LLVMPositionBuilderAtEnd(p->m->builder, c.entry);
	choice = LLVMBuildSwitch(p->m->builder, LLVMGetParam(p->f, 3), c.begin,
				 (unsigned)p->points);
	for (size_t k = 1; k < p->points && good; k++)
		LLVMAddCase(choice, LLVMConstInt(p->m->i32, k, 0), build_enter(&c, k));
	for (size_t k = 1; k < p->points && good; k++) {
		if (p->point[k].stop)
			LLVMInstructionEraseFromParent(p->point[k].stop);
	}
	return good;
}

/* ---- the whole ------------------------------------------------------------------------------- */

/* Are all private arrays of known size, and at the function's beginning? */
static bool plain_arrays(LLVMValueRef f)
{
	LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(f), b;

	for (b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b)) {
		for (LLVMValueRef i = LLVMGetFirstInstruction(b); i;
		     i = LLVMGetNextInstruction(i)) {
			if (ws_part_is_array(i) &&
			    (b != entry || !LLVMIsAConstantInt(LLVMGetOperand(i, 0))))
				return false;
		}
	}
	return true;
}

static void forget_lifetimes(LLVMValueRef f)
{
	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b)) {
		for (LLVMValueRef i = LLVMGetFirstInstruction(b), next; i; i = next) {
			next = LLVMGetNextInstruction(i);
			if (ws_part_calls(i, "llvm.lifetime"))
				LLVMInstructionEraseFromParent(i);
		}
	}
}

/* Is it a field of the context at a constant offset? */
static bool is_field(LLVMValueRef user)
{
	return LLVMIsAGetElementPtrInst(user) && LLVMGetNumOperands(user) == 2 &&
	       LLVMIsAConstantInt(LLVMGetOperand(user, 1));
}

static bool is_access(LLVMValueRef user, LLVMValueRef pointer)
{
	return LLVMIsALoadInst(user) || LLVMIsACallInst(user) ||
	       (LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) != pointer);
}

/* Computes a field's address again at each use.  False: it has uses other than accesses. */
static bool move_field(LLVMBuilderRef b, LLVMValueRef field)
{
	LLVMUseRef use;

	while ((use = LLVMGetFirstUse(field))) {
		LLVMValueRef user = LLVMGetUser(use), copy;

		if (!is_access(user, field))
			return false;
		copy = LLVMInstructionClone(field);
		LLVMPositionBuilderBefore(b, user);
		LLVMInsertIntoBuilder(b, copy);
		for (int k = LLVMGetNumOperands(user); k-- > 0;) {
			if (LLVMGetOperand(user, (unsigned)k) == field)
				LLVMSetOperand(user, (unsigned)k, copy);
		}
	}
	return true;
}

/* Keeps addresses in the context from living across blocks: each work-item has its own context. */
static bool move_context(LLVMBuilderRef b, LLVMValueRef f)
{
	LLVMUseRef next, u = LLVMGetFirstUse(LLVMGetParam(f, 0));
	bool good = true;

	for (; u && good; u = next) {
		LLVMValueRef user = LLVMGetUser(u);

		next = LLVMGetNextUse(u);
		good = is_field(user) ? move_field(b, user) : is_access(user, LLVMGetParam(f, 0));
	}
	return good;
}

static bool keep_points(const struct ws_parts *p)
{
	struct ws_kernel *k = p->m->kernel;

	free(k->stop);
	k->stop = ws_alloc_zero(p->points, sizeof *k->stop);
	for (size_t i = 1; i < p->points && k->stop; i++) {
		LLVMValueRef stop = p->point[i].stop;

		k->stop[i].alone = !stop;
		if (!stop)
			continue;
		k->stop[i].segment = (uint32_t)LLVMConstIntGetZExtValue(LLVMGetOperand(stop, 1));
		k->stop[i].meets = !ws_part_is_void(stop);
	}
	k->frame = p->bytes > k->frame ? p->bytes : k->frame;
	return k->stop != NULL;
}

/* A copy of the kernel, named __ws_alone; NULL: it failed. */
static LLVMValueRef copy_kernel(struct ws_module *m)
{
	LLVMModuleRef copy = LLVMCloneModule(m->module);
	LLVMValueRef f = LLVMGetNamedFunction(copy, "__ws_run");

	LLVMSetValueName2(f, "__ws_alone", strlen("__ws_alone"));
	return LLVMLinkModules2(m->module, copy) ? NULL
						 : LLVMGetNamedFunction(m->module, "__ws_alone");
}

/* Builds the wide version.  Where work-items separate, each continues in __ws_alone. */
static bool widen(struct ws_module *m)
{
	struct ws_parts p = { .m = m, .f = copy_kernel(m) };
	bool good = p.f && ws_part_divide_at_stops(&p) && ws_wide_divide(&p) &&
		    ws_part_analyse(&p) &&
		    ws_part_lay_out(&p) && ws_wide_build(&p, p.cyclic) &&
		    keep_points(&p) && cut(&p);

	ws_parts_clear(&p);
	return good;
}

/* Removes a function that was only partly built. */
static void forget_function(struct ws_module *m, const char *name)
{
	LLVMValueRef f = LLVMGetNamedFunction(m->module, name);

	if (f)
		LLVMDeleteFunction(f);
}

/* Cuts the kernel for single work-items.  It stays whole if the frame would be too large. */
static enum ws_status cut_kernel(struct ws_module *m, struct ws_err *err)
{
	struct ws_parts p = { .m = m, .f = LLVMGetNamedFunction(m->module, "__ws_run") };
	enum ws_status status = WS_OK;

	m->kernel->parts = ws_part_divide_at_stops(&p) && ws_part_analyse(&p) &&
			   ws_part_lay_out(&p) &&
			   (m->kernel->widened || keep_points(&p));
	if (m->kernel->parts && !cut(&p))
		status = ws_fail_memory(err, "a kernel's parts");
	if (p.bytes > m->kernel->frame)
		m->kernel->frame = p.bytes;
	ws_parts_clear(&p);
	return status;
}

static enum ws_status verify_and_clean(struct ws_module *m, struct ws_err *err)
{
	char *message = NULL;
	bool wrong = LLVMVerifyModule(m->module, LLVMReturnStatusAction, &message);

	if (wrong)
		ws_fail(err, WS_EINPUT, "kernel %s: LLVM rejects its parts: %s", m->kernel->name,
			message);
	LLVMDisposeMessage(message);
	return wrong ? WS_EINPUT : ws_module_passes(m, CLEAN, err);
}

static size_t instructions_of(LLVMValueRef f)
{
	size_t n = 0;

	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b)) {
		for (LLVMValueRef i = LLVMGetFirstInstruction(b); i;
		     i = LLVMGetNextInstruction(i))
			n++;
	}
	return n;
}

/* Loops in which a work-item waits for others to run need a stack. */
static bool can_be_cut(const struct ws_module *m, LLVMValueRef f)
{
	const struct ws_kernel *k = m->kernel;

	return k->bare && !k->waits && !k->turns && !m->options->fibres &&
	       instructions_of(f) <= CUT_MOST && plain_arrays(f) && move_context(m->builder, f);
}

enum ws_status ws_module_parts(struct ws_module *m, struct ws_err *err)
{
	LLVMValueRef f = LLVMGetNamedFunction(m->module, "__ws_run");
	struct ws_kernel *k = m->kernel;
	enum ws_status status;

	if (!can_be_cut(m, f))
		return WS_OK;
	forget_lifetimes(f);
	k->widened = instructions_of(f) <= WIDEN_MOST && widen(m);
	status = cut_kernel(m, err);
	k->widened &= k->parts;
	if (!k->widened) {
		forget_function(m, "__ws_wide");
		forget_function(m, "__ws_alone");
	}
	return status == WS_OK ? verify_and_clean(m, err) : status;
}
