/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/capture/exact.c -- functions of the library that have one right result, which instructions
 * of the host have, too, for one work-item and for several at once (shapes.c).
 */
#include "trace/capture/instrument.h"

#include <string.h>

static const struct {
	const char *function, *intrinsic;
} exact[] = {
	{ "sqrt", "llvm.sqrt" },   { "fma", "llvm.fma" },	    { "fabs", "llvm.fabs" },
	{ "floor", "llvm.floor" }, { "ceil", "llvm.ceil" },	    { "trunc", "llvm.trunc" },
	{ "rint", "llvm.rint" },   { "copysign", "llvm.copysign" },
};

static void replace_calls(struct ws_module *m, const char *name, const char *intrinsic,
			  LLVMTypeRef type)
{
	LLVMValueRef f = LLVMGetNamedFunction(m->module, name), instead;
	LLVMUseRef u, next;

	if (!f || !LLVMIsDeclaration(f) || LLVMGetReturnType(LLVMGlobalGetValueType(f)) != type)
		return;
	instead = LLVMGetIntrinsicDeclaration(
		m->module, LLVMLookupIntrinsicID(intrinsic, strlen(intrinsic)), &type, 1);
	if (LLVMGlobalGetValueType(f) != LLVMGlobalGetValueType(instead))
		return;
	for (u = LLVMGetFirstUse(f); u; u = next) {
		LLVMValueRef call = LLVMGetUser(u);

		next = LLVMGetNextUse(u);
		if (LLVMIsACallInst(call) && LLVMGetCalledValue(call) == f)
			LLVMSetOperand(call, LLVMGetNumArgOperands(call), instead);
	}
}

void ws_cuda_exact(struct ws_module *m)
{
	LLVMTypeRef single = LLVMFloatTypeInContext(m->context);
	LLVMTypeRef twice = LLVMDoubleTypeInContext(m->context);

	for (size_t i = 0; i < WS_COUNT(exact); i++) {
		char name[16];

		snprintf(name, sizeof name, "%sf", exact[i].function);
		replace_calls(m, name, exact[i].intrinsic, single);
		replace_calls(m, exact[i].function, exact[i].intrinsic, twice);
	}
}
