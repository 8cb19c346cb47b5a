/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/capture/ptx.c -- what programs have as inline assembly of PTX: one instruction of a list
 * (ptx_list.c), or several (ptx_block.c).  All other assembly is refused (module.c).
 */
#include "trace/capture/instrument.h"

#include <ctype.h>
#include <llvm-c/DebugInfo.h>
#include <string.h>

#define OPERANDS_MAX 4u

static bool is_assembly(LLVMValueRef i)
{
	return LLVMIsACallInst(i) && LLVMIsAInlineAsm(LLVMGetCalledValue(i));
}

/* The function for what a call's assembly does; NULL: it is no such call. */
static const char *function_for(LLVMValueRef call)
{
	char text[80];
	const char *given;
	size_t len, n = 0;

	given = LLVMGetInlineAsmAsmString(LLVMGetCalledValue(call), &len);
	for (size_t i = 0; i < len && n + 2 < sizeof text; i++) {
		if (!isspace((unsigned char)given[i]))
			text[n++] = given[i];
	}
	if (n && text[n - 1] != ';')
		text[n++] = ';';
	text[n] = '\0';
	return ws_ptx_function(text);
}

/* Are the operands of the types that the function wants?  Addresses may be given as numbers. */
static bool take_operands(struct ws_module *m, LLVMValueRef call, LLVMTypeRef type,
			  LLVMValueRef *argument)
{
	unsigned args = LLVMGetNumArgOperands(call);
	LLVMTypeRef param[OPERANDS_MAX];

	if (args != LLVMCountParamTypes(type) || args > OPERANDS_MAX ||
	    LLVMGetReturnType(type) != LLVMTypeOf(call))
		return false;
	LLVMGetParamTypes(type, param);
	LLVMPositionBuilderBefore(m->builder, call);
	for (unsigned k = 0; k < args; k++) {
		argument[k] = LLVMGetOperand(call, k);
		if (param[k] == m->ptr && LLVMTypeOf(argument[k]) == m->i64)
			argument[k] = LLVMBuildIntToPtr(m->builder, argument[k], m->ptr, "");
		if (LLVMTypeOf(argument[k]) != param[k])
			return false;
	}
	return true;
}

/* One instruction of the list; false: it is none. */
static bool replace_one(struct ws_module *m, LLVMValueRef i, const char *name)
{
	LLVMValueRef f, argument[OPERANDS_MAX], call;
	LLVMTypeRef type;

	f = ws_module_linked(m, name, &type);
	if (!take_operands(m, i, type, argument))
		return false;
	LLVMSetCurrentDebugLocation2(m->builder, LLVMInstructionGetDebugLoc(i));
	call = LLVMBuildCall2(m->builder, type, f, argument, LLVMCountParamTypes(type), "");
	LLVMSetCurrentDebugLocation2(m->builder, NULL);
	LLVMReplaceAllUsesWith(i, call);
	LLVMInstructionEraseFromParent(i);
	return true;
}

static enum ws_status replace_in(struct ws_module *m, LLVMBasicBlockRef b, struct ws_err *err)
{
	enum ws_status status = WS_OK;
	LLVMValueRef i, next;

	for (i = LLVMGetFirstInstruction(b); i && status == WS_OK; i = next) {
		const char *name = is_assembly(i) ? function_for(i) : NULL;
		bool done;

		next = LLVMGetNextInstruction(i);
		if (name)
			status = ws_ptx_link(m, err);
		if (!is_assembly(i) || status != WS_OK || (name && replace_one(m, i, name)))
			continue;
		status = ws_ptx_block(m, i, &done, err);
	}
	return status;
}

enum ws_status ws_cuda_ptx(struct ws_module *m, struct ws_err *err)
{
	enum ws_status status = WS_OK;
	LLVMBasicBlockRef b;
	LLVMValueRef f;

	for (f = LLVMGetFirstFunction(m->module); f; f = LLVMGetNextFunction(f)) {
		for (b = LLVMGetFirstBasicBlock(f); b && status == WS_OK;
		     b = LLVMGetNextBasicBlock(b))
			status = replace_in(m, b, err);
	}
	return status;
}

/* ---- exit ------------------------------------------------------------------------------ */

/* The work-item ends there: what follows is not reached. */
static void end_at(struct ws_module *m, LLVMValueRef call)
{
	LLVMBasicBlockRef head = ws_module_divide(m, call);

	LLVMInstructionEraseFromParent(LLVMGetBasicBlockTerminator(head));
	LLVMPositionBuilderAtEnd(m->builder, head);
	LLVMSetCurrentDebugLocation2(m->builder, LLVMInstructionGetDebugLoc(call));
	LLVMBuildRetVoid(m->builder);
	LLVMSetCurrentDebugLocation2(m->builder, NULL);
	LLVMInstructionEraseFromParent(call);
}

enum ws_status ws_ptx_exits(struct ws_module *m, struct ws_err *err)
{
	LLVMValueRef f = LLVMGetNamedFunction(m->module, "__ws_exit"), inside = NULL;
	LLVMUseRef u, next;

	for (u = f ? LLVMGetFirstUse(f) : NULL; u; u = next) {
		LLVMValueRef call = LLVMGetUser(u);

		next = LLVMGetNextUse(u);
		if (LLVMGetBasicBlockParent(LLVMGetInstructionParent(call)) == m->body)
			end_at(m, call);
		else
			inside = call;
	}
	return inside ? ws_fail(err, WS_EINPUT, "kernel %s: exit in a function that calls itself, "
				"or that is called through a pointer", m->kernel->name) : WS_OK;
}
