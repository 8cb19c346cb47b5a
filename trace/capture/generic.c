/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/capture/generic.c -- accesses through generic pointers: the space each one goes to.
 *
 * CUDA's pointers are generic.  Where they come from an argument, from shared memory or from a
 * thread's own, LLVM infers their space.  A pointer in a struct that a launch is given points to
 * global memory, as NVIDIA's compiler takes it.  What is left, as a pointer that was read from
 * memory, is asked at run time: a branch for each such access, one side of it global memory, which
 * is recorded, the other one shared or a thread's own, which is not.  So a warp whose threads
 * differ in it diverges there, as on a GPU.
 */
#include "trace/capture/instrument.h"

#include <llvm-c/DebugInfo.h>
#include <llvm-c/Support.h>
#include <inttypes.h>
#include <pthread.h>
#include <string.h>

#define INFER	 "function(infer-address-spaces)"
#define COMBINE	 "function(instcombine<no-verify-fixpoint>)"
#define SIMPLIFY "always-inline,globaldce,function(sroa,early-cse<memssa>,simplifycfg," \
		 "instcombine<no-verify-fixpoint>,gvn,adce,simplifycfg,loop-simplify),globaldce"

/* The host has no generic space, so LLVM would infer nothing. */
static void initialise(void)
{
	static const char *const argv[] = { "warpstack", "-assume-default-is-flat-addrspace" };

	LLVMParseCommandLineOptions(WS_COUNT(argv), argv, "");
}

static bool is_generic(LLVMValueRef pointer)
{
	return LLVMGetPointerAddressSpace(LLVMTypeOf(pointer)) == 0;
}

static LLVMValueRef cast_to(struct ws_module *m, LLVMValueRef pointer, unsigned space)
{
	return LLVMBuildAddrSpaceCast(m->builder, pointer,
				      LLVMPointerTypeInContext(m->context, space), "");
}

/* Is the address in a struct that is an argument? */
static bool in_argument(LLVMValueRef pointer)
{
	while (LLVMIsAGetElementPtrInst(pointer))
		pointer = LLVMGetOperand(pointer, 0);
	return LLVMIsAArgument(pointer) != NULL;
}

/* Is it a pointer that is read from an argument? */
static bool is_member(const struct ws_module *m, LLVMValueRef i)
{
	return LLVMIsALoadInst(i) && LLVMTypeOf(i) == m->ptr && is_generic(LLVMGetOperand(i, 0)) &&
	       in_argument(LLVMGetOperand(i, 0)) &&
	       LLVMGetOperand(i, 0) != LLVMGetParam(m->body, 0);
}

static LLVMValueRef copy_before(struct ws_module *m, LLVMValueRef i)
{
	LLVMValueRef copy = LLVMInstructionClone(i);

	LLVMPositionBuilderBefore(m->builder, i);
	LLVMInsertIntoBuilder(m->builder, copy);
	return copy;
}

/* They are global: cast there and back, which LLVM infers from. */
static void cast_members(struct ws_module *m)
{
	LLVMBasicBlockRef b;
	LLVMValueRef i, next;

	for (b = LLVMGetFirstBasicBlock(m->body); b; b = LLVMGetNextBasicBlock(b)) {
		for (i = LLVMGetFirstInstruction(b); i; i = next) {
			next = LLVMGetNextInstruction(i);
			if (!is_member(m, i))
				continue;
			LLVMReplaceAllUsesWith(i, cast_to(m, cast_to(m, copy_before(m, i), 1), 0));
			LLVMInstructionEraseFromParent(i);
		}
	}
}

/* ---- volatile accesses ----------------------------------------------------------------- */

static bool can_be_volatile(LLVMValueRef i)
{
	return LLVMIsALoadInst(i) || LLVMIsAStoreInst(i) || LLVMIsAAtomicRMWInst(i) ||
	       LLVMIsAAtomicCmpXchgInst(i);
}

/* LLVM infers no space of a volatile access, so that for this while they are marked instead. */
static void hide_volatile(struct ws_module *m, unsigned mark)
{
	LLVMBasicBlockRef b;
	LLVMValueRef i, node = LLVMMDNodeInContext(m->context, NULL, 0);

	for (b = LLVMGetFirstBasicBlock(m->body); b; b = LLVMGetNextBasicBlock(b)) {
		for (i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
			if (!can_be_volatile(i) || !LLVMGetVolatile(i))
				continue;
			LLVMSetVolatile(i, 0);
			LLVMSetMetadata(i, mark, node);
		}
	}
}

static void show_volatile(const struct ws_module *m, unsigned mark)
{
	LLVMBasicBlockRef b;
	LLVMValueRef i;

	for (b = LLVMGetFirstBasicBlock(m->body); b; b = LLVMGetNextBasicBlock(b)) {
		for (i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
			if (!can_be_volatile(i) || !LLVMGetMetadata(i, mark))
				continue;
			LLVMSetVolatile(i, 1);
			LLVMSetMetadata(i, mark, NULL);
		}
	}
}

static enum ws_status infer(struct ws_module *m, struct ws_err *err)
{
	static const char name[] = "ws.volatile";
	unsigned mark = LLVMGetMDKindIDInContext(m->context, name, sizeof name - 1);
	enum ws_status status;

	hide_volatile(m, mark);
	status = ws_module_passes(m, INFER, err);
	show_volatile(m, mark);
	return status == WS_OK ? ws_module_passes(m, COMBINE, err) : status;
}

/* ---- asked at run time ----------------------------------------------------------------- */

#define OPERANDS_MAX 3u

/* The access in a block of its own, of a function whose parameters are the context and the access's
 * operands. */
static void build_side(struct ws_module *m, LLVMValueRef f, LLVMBasicBlockRef block,
		       LLVMValueRef access, unsigned pointer, unsigned space)
{
	LLVMValueRef copy = LLVMInstructionClone(access);
	int operands = LLVMGetNumOperands(access);

	LLVMInstructionSetDebugLoc(copy, NULL); /* the call's, once it is inlined */
	LLVMPositionBuilderAtEnd(m->builder, block);
	for (int k = 0; k < operands; k++) {
		LLVMValueRef value = LLVMGetParam(f, (unsigned)k + 1);

		if ((unsigned)k == pointer && space)
			value = cast_to(m, value, space);
		LLVMSetOperand(copy, (unsigned)k, value);
	}
	LLVMInsertIntoBuilder(m->builder, copy);
	if (LLVMGetTypeKind(LLVMTypeOf(copy)) == LLVMVoidTypeKind)
		LLVMBuildRetVoid(m->builder);
	else
		LLVMBuildRet(m->builder, copy);
}

static LLVMValueRef build_choice(struct ws_module *m, LLVMValueRef access, unsigned pointer)
{
	LLVMTypeRef type[OPERANDS_MAX + 1] = { m->ptr }, asked[2] = { m->ptr, m->ptr };
	LLVMTypeRef i1 = LLVMInt1TypeInContext(m->context), t_ask = LLVMFunctionType(i1, asked, 2,
										     0);
	LLVMValueRef ask = LLVMGetNamedFunction(m->module, "ws_lane_is_global"), f, argument[2];
	unsigned operands = (unsigned)LLVMGetNumOperands(access);
	LLVMBasicBlockRef entry, global, other;

	if (!ask)
		ask = LLVMAddFunction(m->module, "ws_lane_is_global", t_ask);
	for (unsigned k = 0; k < operands; k++)
		type[k + 1] = LLVMTypeOf(LLVMGetOperand(access, k));
	f = LLVMAddFunction(m->module, "__ws_generic",
			    LLVMFunctionType(LLVMTypeOf(access), type, operands + 1, 0));
	LLVMSetLinkage(f, LLVMInternalLinkage);
	LLVMAddAttributeAtIndex(f, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
				LLVMCreateEnumAttribute(m->context, LLVMGetEnumAttributeKindForName(
							"alwaysinline", 12), 0));
	entry = LLVMAppendBasicBlockInContext(m->context, f, "entry");
	global = LLVMAppendBasicBlockInContext(m->context, f, "global");
	other = LLVMAppendBasicBlockInContext(m->context, f, "other");
	LLVMPositionBuilderAtEnd(m->builder, entry);
	argument[0] = LLVMGetParam(f, 0);
	argument[1] = LLVMGetParam(f, pointer + 1);
	LLVMBuildCondBr(m->builder, LLVMBuildCall2(m->builder, t_ask, ask, argument, 2, ""), global,
			other);
	build_side(m, f, global, access, pointer, 1);
	build_side(m, f, other, access, pointer, 0);
	return f;
}

static void ask_at_run_time(struct ws_module *m, LLVMValueRef access, unsigned pointer)
{
	unsigned operands = (unsigned)LLVMGetNumOperands(access);
	LLVMValueRef f = build_choice(m, access, pointer), argument[OPERANDS_MAX + 1], call;

	argument[0] = LLVMGetParam(m->body, 0);
	for (unsigned k = 0; k < operands; k++)
		argument[k + 1] = LLVMGetOperand(access, k);
	LLVMPositionBuilderBefore(m->builder, access);
	LLVMSetCurrentDebugLocation2(m->builder, LLVMInstructionGetDebugLoc(access));
	call = LLVMBuildCall2(m->builder, LLVMGlobalGetValueType(f), f, argument, operands + 1, "");
	LLVMSetCurrentDebugLocation2(m->builder, NULL);
	LLVMReplaceAllUsesWith(access, call);
	LLVMInstructionEraseFromParent(access);
}

/* ---- copies of structures -------------------------------------------------------------- */

#define COPY_MAX 512u /* bytes */

static uint64_t alignment_of(LLVMValueRef call, unsigned operand)
{
	LLVMAttributeRef a = LLVMGetCallSiteEnumAttribute(
		call, operand + 1, LLVMGetEnumAttributeKindForName("align", 5));

	return a ? LLVMGetEnumAttributeValue(a) : 1;
}

/* A copy as loads and stores of words, each of which asks where it goes. */
static void expand_copy(struct ws_module *m, LLVMValueRef call, uint64_t bytes)
{
	LLVMValueRef to = LLVMGetOperand(call, 0), from = LLVMGetOperand(call, 1);
	uint64_t word = alignment_of(call, 0), other = alignment_of(call, 1);

	word = word < other ? word : other;
	word = word < 8 ? word : 8;
	LLVMPositionBuilderBefore(m->builder, call);
	LLVMSetCurrentDebugLocation2(m->builder, LLVMInstructionGetDebugLoc(call));
	for (uint64_t at = 0; at < bytes; at += word) {
		LLVMValueRef offset = LLVMConstInt(m->i64, at, 0), load, store;
		LLVMTypeRef type;

		while (at + word > bytes)
			word /= 2;
		type = LLVMIntTypeInContext(m->context, (unsigned)word * 8);
		load = LLVMBuildLoad2(m->builder, type,
				      LLVMBuildGEP2(m->builder, m->i8, from, &offset, 1, ""), "");
		store = LLVMBuildStore(m->builder, load,
				       LLVMBuildGEP2(m->builder, m->i8, to, &offset, 1, ""));
		LLVMSetAlignment(load, (unsigned)word);
		LLVMSetAlignment(store, (unsigned)word);
	}
	LLVMSetCurrentDebugLocation2(m->builder, NULL);
	LLVMInstructionEraseFromParent(call);
}

static enum ws_status expand_copies(struct ws_module *m, struct ws_err *err)
{
	struct ws_kernel_access access[2];
	LLVMBasicBlockRef b;
	LLVMValueRef i, next;

	for (b = LLVMGetFirstBasicBlock(m->body); b; b = LLVMGetNextBasicBlock(b)) {
		for (i = LLVMGetFirstInstruction(b); i; i = next) {
			size_t n = LLVMIsACallInst(i) ? ws_accesses_of(m, i, access) : 0;
			bool asks = false;

			next = LLVMGetNextInstruction(i);
			for (size_t k = 0; k < n; k++)
				asks |= is_generic(access[k].pointer) &&
					ws_provenance(m, access[k].pointer) == WS_ROOT_UNKNOWN;
			if (!asks)
				continue;
			if (n != 2 || !access[0].bytes || access[0].bytes > COPY_MAX ||
			    ws_is_named(LLVMGetCalledValue(i), "llvm.memmove"))
				return ws_fail(err, WS_EINPUT, "kernel %s, line %u: a copy of %"
					       PRIu64 " bytes through a pointer that was read from "
					       "memory is not supported: want at most %u",
					       m->kernel->name, LLVMGetDebugLocLine(i),
					       access[0].bytes, COPY_MAX);
			expand_copy(m, i, access[0].bytes);
		}
	}
	return WS_OK;
}

static void split(struct ws_module *m)
{
	struct ws_kernel_access access[2];
	LLVMBasicBlockRef b;
	LLVMValueRef i, next;

	for (b = LLVMGetFirstBasicBlock(m->body); b; b = LLVMGetNextBasicBlock(b)) {
		for (i = LLVMGetFirstInstruction(b); i; i = next) {
			size_t n = ws_accesses_of(m, i, access);
			bool asks = false;

			next = LLVMGetNextInstruction(i);
			for (size_t k = 0; k < n; k++)
				asks |= is_generic(access[k].pointer) &&
					ws_provenance(m, access[k].pointer) == WS_ROOT_UNKNOWN;
			if (asks)
				ask_at_run_time(m, i, access[0].operand);
		}
	}
}

enum ws_status ws_module_generic(struct ws_module *m, struct ws_err *err)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	enum ws_status status;

	pthread_once(&once, initialise);
	cast_members(m);
	status = infer(m, err);
	if (status == WS_OK)
		status = expand_copies(m, err);
	if (status == WS_OK)
		split(m);
	return status == WS_OK ? ws_module_passes(m, SIMPLIFY, err) : status;
}
