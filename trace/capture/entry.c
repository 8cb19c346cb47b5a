/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/capture/entry.c -- the function that the host calls for each work-item.
 */
#include "trace/capture/instrument.h"

#include <string.h>

/* args[i] is the address of the i-th argument's bytes. */
static LLVMValueRef load_argument(struct ws_module *m, LLVMValueRef args, unsigned i)
{
	LLVMValueRef at = LLVMConstInt(m->i64, i, 0), address, value;
	LLVMTypeRef type = LLVMTypeOf(LLVMGetParam(m->body, i + 1));

	address = LLVMBuildLoad2(m->builder, m->ptr,
				 LLVMBuildGEP2(m->builder, m->ptr, args, &at, 1, ""), "");
	if (m->kernel->arg[i].kind == WS_ARG_VALUE && LLVMGetTypeKind(type) == LLVMPointerTypeKind)
		return address; /* a struct, by its address */
	value = LLVMBuildLoad2(m->builder, type, address, "");
	LLVMSetAlignment(value, 1);
	return value;
}

static LLVMValueRef load_local(struct ws_module *m, LLVMValueRef context, unsigned i)
{
	LLVMValueRef at = LLVMConstInt(m->i64, offsetof(struct ws_lane_ctx, local), 0), table,
		     pointer;

	table = LLVMBuildLoad2(m->builder, m->ptr,
			       LLVMBuildGEP2(m->builder, m->i8, context, &at, 1, ""), "");
	at = LLVMConstInt(m->i64, i, 0);
	pointer = LLVMBuildLoad2(m->builder, m->ptr,
				 LLVMBuildGEP2(m->builder, m->ptr, table, &at, 1, ""), "");
	return LLVMBuildAddrSpaceCast(m->builder, pointer, LLVMPointerTypeInContext(m->context, 3),
				      "");
}

static void set_attribute(struct ws_module *m, LLVMValueRef f, unsigned where, const char *name)
{
	unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));

	LLVMAddAttributeAtIndex(f, where, LLVMCreateEnumAttribute(m->context, kind, 0));
}

/* i32 __ws_run(ctx, args, frame, point): loads the arguments and calls the body.  It is entered at
 * its beginning and runs to its end, whatever the last two are, unless it is cut (parts.c). */
void ws_module_entry(struct ws_module *m)
{
	LLVMTypeRef type[4] = { m->ptr, m->ptr, m->ptr, m->i32 };
	LLVMValueRef run =
		LLVMAddFunction(m->module, "__ws_run", LLVMFunctionType(m->i32, type, 4, 0));
	LLVMValueRef argument[2 * WS_ARG_MAX + 1];
	unsigned args = (unsigned)m->kernel->args, n = 0;

	set_attribute(m, run, 1, "noalias");
	set_attribute(m, run, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, "nounwind");
	LLVMPositionBuilderAtEnd(m->builder,
				 LLVMAppendBasicBlockInContext(m->context, run, "entry"));
	argument[n++] = LLVMGetParam(run, 0);
	for (unsigned i = 0; i < args; i++)
		argument[n++] = load_argument(m, LLVMGetParam(run, 1), i);
	for (unsigned i = 0; i < m->kernel->locals; i++)
		argument[n++] = load_local(m, LLVMGetParam(run, 0), i);
	LLVMBuildCall2(m->builder, LLVMGlobalGetValueType(m->body), m->body, argument, n, "");
	LLVMBuildRet(m->builder, LLVMConstInt(m->i32, 0, 0));
	LLVMSetLinkage(m->body, LLVMInternalLinkage);
	set_attribute(m, m->body, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, "alwaysinline");
}
