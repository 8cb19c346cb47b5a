/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/capture/passes.c -- what is done to a module as a whole: LLVM's passes run over it, and
 * functions in LLVM's assembly become part of it, and what is constant in it becomes a value.
 */
#include "trace/capture/instrument.h"

#include <llvm-c/BitReader.h>
#include <llvm-c/Error.h>
#include <llvm-c/IRReader.h>
#include <llvm-c/Linker.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <stdlib.h>
#include <string.h>

enum ws_status ws_module_passes(struct ws_module *m, const char *passes, struct ws_err *err)
{
	LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
	LLVMErrorRef error;

	LLVMPassBuilderOptionsSetLoopVectorization(options, 0);
	LLVMPassBuilderOptionsSetSLPVectorization(options, 0);
	LLVMPassBuilderOptionsSetLoopUnrolling(options, 0);
	error = LLVMRunPasses(m->module, passes, m->machine, options);
	LLVMDisposePassBuilderOptions(options);
	if (error) {
		char *message = LLVMGetErrorMessage(error);
		enum ws_status status = ws_fail(err, WS_EIO, "LLVM: %s", message);

		LLVMDisposeErrorMessage(message);
		return status;
	}
	return WS_OK;
}

static enum ws_status link_in(struct ws_module *m, LLVMModuleRef runtime, struct ws_err *err)
{
	LLVMSetTarget(runtime, LLVMGetTarget(m->module));
	LLVMSetDataLayout(runtime, LLVMGetDataLayoutStr(m->module));
	if (LLVMLinkModules2(m->module, runtime))
		return ws_fail(err, WS_EIO, "LLVM cannot link the run time");
	return WS_OK;
}

enum ws_status ws_module_link_bitcode(struct ws_module *m, const uint8_t *code, size_t bytes,
				      struct ws_err *err)
{
	LLVMMemoryBufferRef memory =
		LLVMCreateMemoryBufferWithMemoryRange((const char *)code, bytes, "runtime", 0);
	LLVMModuleRef runtime;
	int failed = LLVMParseBitcodeInContext2(m->context, memory, &runtime);

	LLVMDisposeMemoryBuffer(memory);
	return failed ? ws_fail(err, WS_EIO, "LLVM cannot read the run time")
		      : link_in(m, runtime, err);
}

enum ws_status ws_module_link(struct ws_module *m, const char *ir, struct ws_err *err)
{
	LLVMMemoryBufferRef memory =
		LLVMCreateMemoryBufferWithMemoryRangeCopy(ir, strlen(ir), "runtime");
	LLVMModuleRef runtime;
	char *message = NULL;

	if (LLVMParseIRInContext(m->context, memory, &runtime, &message)) {
		enum ws_status status = ws_fail(err, WS_EIO, "LLVM: %s", message);

		LLVMDisposeMessage(message);
		return status;
	}
	return link_in(m, runtime, err);
}

LLVMValueRef ws_module_linked(struct ws_module *m, const char *name, LLVMTypeRef *type)
{
	LLVMValueRef f = LLVMGetNamedFunction(m->module, name);

	*type = LLVMGlobalGetValueType(f);
	LLVMSetLinkage(f, LLVMInternalLinkage);
	return f;
}

/* ---- constants as values ------------------------------------------------------------- */

static LLVMValueRef as_instruction(struct ws_module *m, LLVMValueRef constant, LLVMValueRef from,
				   LLVMValueRef to)
{
	LLVMValueRef operand[16];
	int count = LLVMGetNumOperands(constant);

	if (count > (int)WS_COUNT(operand))
		return NULL;
	for (int i = 0; i < count; i++) {
		operand[i] = LLVMGetOperand(constant, (unsigned)i);
		if (operand[i] == from)
			operand[i] = to;
	}
	switch (LLVMGetConstOpcode(constant)) {
	case LLVMGetElementPtr:
		return LLVMBuildGEP2(m->builder, LLVMGetGEPSourceElementType(constant), operand[0],
				     operand + 1, (unsigned)count - 1, "");
	case LLVMAddrSpaceCast:
		return LLVMBuildAddrSpaceCast(m->builder, operand[0], LLVMTypeOf(constant), "");
	case LLVMBitCast:
		return LLVMBuildBitCast(m->builder, operand[0], LLVMTypeOf(constant), "");
	case LLVMPtrToInt:
		return LLVMBuildPtrToInt(m->builder, operand[0], LLVMTypeOf(constant), "");
	case LLVMAdd:
		return LLVMBuildAdd(m->builder, operand[0], operand[1], "");
	case LLVMSub:
		return LLVMBuildSub(m->builder, operand[0], operand[1], "");
	default:
		return NULL;
	}
}

enum ws_status ws_module_replace(struct ws_module *m, LLVMValueRef from, LLVMValueRef to)
{
	struct {
		LLVMValueRef *item;
		size_t count, cap;
	} user = { 0 };
	enum ws_status status = WS_OK;

	for (LLVMUseRef u = LLVMGetFirstUse(from); u && status == WS_OK; u = LLVMGetNextUse(u)) {
		if (WS_ROOM(user.item, user.cap, user.count + 1))
			user.item[user.count++] = LLVMGetUser(u);
		else
			status = WS_ENOMEM;
	}
	for (size_t i = 0; i < user.count && status == WS_OK; i++) {
		if (LLVMIsAInstruction(user.item[i])) {
			for (int k = LLVMGetNumOperands(user.item[i]); k-- > 0;) {
				if (LLVMGetOperand(user.item[i], (unsigned)k) == from)
					LLVMSetOperand(user.item[i], (unsigned)k, to);
			}
		} else if (LLVMIsAConstantExpr(user.item[i]) && LLVMGetFirstUse(user.item[i])) {
			LLVMValueRef made = as_instruction(m, user.item[i], from, to);

			status = made ? ws_module_replace(m, user.item[i], made) : WS_EINPUT;
		}
	}
	free(user.item);
	return status;
}

/* ---- blocks ---------------------------------------------------------------------------- */

/* Those that go to `from` go to `to`. */
static void redirect(LLVMBasicBlockRef from, LLVMBasicBlockRef to)
{
	LLVMUseRef u = LLVMGetFirstUse(LLVMBasicBlockAsValue(from));

	while (u) {
		LLVMValueRef end = LLVMGetUser(u);

		for (unsigned s = 0; s < LLVMGetNumSuccessors(end); s++) {
			if (LLVMGetSuccessor(end, s) == from)
				LLVMSetSuccessor(end, s, to);
		}
		u = LLVMGetFirstUse(LLVMBasicBlockAsValue(from));
	}
}

/* What is before i moves, so that phis behind the block stay as they are. */
LLVMBasicBlockRef ws_module_divide(struct ws_module *m, LLVMValueRef i)
{
	LLVMBasicBlockRef b = LLVMGetInstructionParent(i), head;
	LLVMValueRef first;

	head = LLVMInsertBasicBlockInContext(m->context, b, "");
	redirect(b, head);
	LLVMPositionBuilderAtEnd(m->builder, head);
	while ((first = LLVMGetFirstInstruction(b)) != i) {
		char name[64];
		size_t len;

		snprintf(name, sizeof name, "%s", LLVMGetValueName2(first, &len));
		LLVMInstructionRemoveFromParent(first);
		LLVMInsertIntoBuilderWithName(m->builder, first, name);
	}
	LLVMBuildBr(m->builder, b);
	return head;
}
