/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/capture/ptx_call.c -- calls in what becomes of inline assembly of PTX, and what is done
 * only where a predicate holds.
 *
 * The latter is in a function of its own, which is inlined later: LLVM's C interface cannot part a
 * block.
 */
#include "trace/capture/ptx_block.h"

#include <llvm-c/DebugInfo.h>

#define GUARDED_MOST 7u

static LLVMValueRef add_inlined(struct ptx_block *b, LLVMTypeRef type)
{
	LLVMValueRef f = LLVMAddFunction(b->m->module, "", type);
	unsigned kind = LLVMGetEnumAttributeKindForName("alwaysinline", 12);

	LLVMSetLinkage(f, LLVMInternalLinkage);
	LLVMAddAttributeAtIndex(f, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
				LLVMCreateEnumAttribute(b->m->context, kind, 0));
	return f;
}

LLVMValueRef ws_ptx_guarded(struct ptx_block *b, const struct ptx_access *a, ws_ptx_build *f,
			    LLVMValueRef *argument, unsigned args, LLVMTypeRef result)
{
	LLVMBuilderRef to = b->m->builder;
	LLVMTypeRef type[GUARDED_MOST + 1] = { LLVMInt1TypeInContext(b->m->context) }, ft;
	LLVMValueRef given[GUARDED_MOST + 1] = { b->guard }, param[GUARDED_MOST], outer, r, phi;
	LLVMBasicBlockRef entry, then, end;

	b->bad |= args > GUARDED_MOST;
	if (b->bad)
		return NULL;
	if (!b->guard)
		return f(b, a, argument);
	for (unsigned i = 0; i < args; i++) {
		given[i + 1] = argument[i];
		type[i + 1] = LLVMTypeOf(argument[i]);
	}
	ft = LLVMFunctionType(result, type, args + 1, 0);
	outer = add_inlined(b, ft);
	entry = LLVMAppendBasicBlockInContext(b->m->context, outer, "entry");
	then = LLVMAppendBasicBlockInContext(b->m->context, outer, "then");
	end = LLVMAppendBasicBlockInContext(b->m->context, outer, "end");
	LLVMSetCurrentDebugLocation2(to, NULL);
	LLVMPositionBuilderAtEnd(to, entry);
	LLVMBuildCondBr(to, LLVMGetParam(outer, 0), then, end);
	LLVMPositionBuilderAtEnd(to, then);
	for (unsigned i = 0; i < args; i++)
		param[i] = LLVMGetParam(outer, i + 1);
	r = f(b, a, param);
	LLVMBuildBr(to, end);
	LLVMPositionBuilderAtEnd(to, end);
	if (result == b->m->none) {
		LLVMBuildRetVoid(to);
	} else {
		LLVMValueRef value[2] = { LLVMConstNull(result), r };
		LLVMBasicBlockRef from[2] = { entry, then };

		phi = LLVMBuildPhi(to, result, "");
		LLVMAddIncoming(phi, value, from, 2);
		LLVMBuildRet(to, phi);
	}
	LLVMPositionBuilderBefore(to, b->call);
	LLVMSetCurrentDebugLocation2(to, LLVMInstructionGetDebugLoc(b->call));
	return LLVMBuildCall2(to, ft, outer, given, args + 1, "");
}

LLVMValueRef ws_ptx_called(struct ptx_block *b, const char *name, LLVMTypeRef *type)
{
	if (b->status == WS_OK)
		b->status = ws_ptx_link(b->m, b->err);
	return b->status == WS_OK && !b->bad ? ws_module_linked(b->m, name, type) : NULL;
}

LLVMValueRef ws_ptx_call(struct ptx_block *b, const char *name, LLVMValueRef *argument)
{
	LLVMTypeRef type;
	LLVMValueRef f = ws_ptx_called(b, name, &type);

	return f ? LLVMBuildCall2(b->m->builder, type, f, argument, LLVMCountParamTypes(type), "")
		 : NULL;
}

static LLVMValueRef build_call(struct ptx_block *b, const struct ptx_access *a,
			       LLVMValueRef *argument)
{
	return ws_ptx_call(b, a->function, argument);
}

LLVMValueRef ws_ptx_guarded_call(struct ptx_block *b, const char *name, LLVMValueRef *argument)
{
	struct ptx_access a = { .function = name };
	LLVMTypeRef type;

	if (!ws_ptx_called(b, name, &type))
		return NULL;
	return ws_ptx_guarded(b, &a, build_call, argument, LLVMCountParamTypes(type),
			      LLVMGetReturnType(type));
}
