/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/capture/ptx.c -- special registers of PTX that programs read by inline assembly: where a
 * thread is in its warp and block.  All other assembly is refused (module.c).
 */
#include "trace/capture/instrument.h"

#include <ctype.h>
#include <llvm-c/DebugInfo.h>
#include <stddef.h>
#include <string.h>

/* lane: of the block. */
static const char ptx_ir[] =
	"declare ptr @__ws_ctx()\n"
	"define i32 @ws_ptx_thread() alwaysinline nounwind {\n"
	"  %%c = call ptr @__ws_ctx()\n"
	"  %%p = getelementptr i8, ptr %%c, i64 %d\n"
	"  %%v = load i32, ptr %%p\n"
	"  ret i32 %%v\n"
	"}\n"
	"define i32 @ws_ptx_laneid() alwaysinline nounwind {\n"
	"  %%t = call i32 @ws_ptx_thread()\n"
	"  %%r = and i32 %%t, 31\n"
	"  ret i32 %%r\n"
	"}\n"
	"define i32 @ws_ptx_warpid() alwaysinline nounwind {\n"
	"  %%t = call i32 @ws_ptx_thread()\n"
	"  %%r = lshr i32 %%t, 5\n"
	"  ret i32 %%r\n"
	"}\n"
	"define i32 @ws_ptx_lanemask_eq() alwaysinline nounwind {\n"
	"  %%l = call i32 @ws_ptx_laneid()\n"
	"  %%r = shl i32 1, %%l\n"
	"  ret i32 %%r\n"
	"}\n"
	"define i32 @ws_ptx_lanemask_lt() alwaysinline nounwind {\n"
	"  %%e = call i32 @ws_ptx_lanemask_eq()\n"
	"  %%r = sub i32 %%e, 1\n"
	"  ret i32 %%r\n"
	"}\n"
	"define i32 @ws_ptx_lanemask_le() alwaysinline nounwind {\n"
	"  %%e = call i32 @ws_ptx_lanemask_eq()\n"
	"  %%t = call i32 @ws_ptx_lanemask_lt()\n"
	"  %%r = or i32 %%e, %%t\n"
	"  ret i32 %%r\n"
	"}\n"
	"define i32 @ws_ptx_lanemask_ge() alwaysinline nounwind {\n"
	"  %%t = call i32 @ws_ptx_lanemask_lt()\n"
	"  %%r = xor i32 %%t, -1\n"
	"  ret i32 %%r\n"
	"}\n"
	"define i32 @ws_ptx_lanemask_gt() alwaysinline nounwind {\n"
	"  %%t = call i32 @ws_ptx_lanemask_le()\n"
	"  %%r = xor i32 %%t, -1\n"
	"  ret i32 %%r\n"
	"}\n";

static const struct {
	const char *text, *function; /* without blanks */
} reads[] = {
	{ "mov.u32$0,%laneid;", "ws_ptx_laneid" },
	{ "mov.u32$0,%warpid;", "ws_ptx_warpid" },
	{ "mov.u32$0,%lanemask_eq;", "ws_ptx_lanemask_eq" },
	{ "mov.u32$0,%lanemask_lt;", "ws_ptx_lanemask_lt" },
	{ "mov.u32$0,%lanemask_le;", "ws_ptx_lanemask_le" },
	{ "mov.u32$0,%lanemask_ge;", "ws_ptx_lanemask_ge" },
	{ "mov.u32$0,%lanemask_gt;", "ws_ptx_lanemask_gt" },
};

/* The function for what a call's assembly reads; NULL: it is no such call. */
static const char *function_for(LLVMValueRef call)
{
	LLVMValueRef callee = LLVMIsACallInst(call) ? LLVMGetCalledValue(call) : NULL;
	char text[40];
	const char *given;
	size_t len, n = 0;

	if (!callee || !LLVMIsAInlineAsm(callee) || LLVMGetNumOperands(call) != 1)
		return NULL;
	given = LLVMGetInlineAsmAsmString(callee, &len);
	for (size_t i = 0; i < len && n + 2 < sizeof text; i++) {
		if (!isspace((unsigned char)given[i]))
			text[n++] = given[i];
	}
	if (n && text[n - 1] != ';')
		text[n++] = ';';
	text[n] = '\0';
	for (size_t i = 0; i < WS_COUNT(reads); i++) {
		if (strcmp(text, reads[i].text) == 0)
			return reads[i].function;
	}
	return NULL;
}

static enum ws_status link_functions(struct ws_module *m, struct ws_err *err)
{
	char ir[sizeof ptx_ir + 16];

	if (LLVMGetNamedFunction(m->module, "ws_ptx_thread"))
		return WS_OK;
	snprintf(ir, sizeof ir, ptx_ir, (int)offsetof(struct ws_lane_ctx, lane));
	return ws_module_link(m, ir, err);
}

static enum ws_status replace_in(struct ws_module *m, LLVMBasicBlockRef b, struct ws_err *err)
{
	enum ws_status status = WS_OK;
	LLVMValueRef i, next, call;
	LLVMTypeRef type;

	for (i = LLVMGetFirstInstruction(b); i && status == WS_OK; i = next) {
		const char *name = function_for(i);

		next = LLVMGetNextInstruction(i);
		if (!name || LLVMTypeOf(i) != m->i32)
			continue;
		status = link_functions(m, err);
		if (status != WS_OK)
			break;
		LLVMPositionBuilderBefore(m->builder, i);
		LLVMSetCurrentDebugLocation2(m->builder, LLVMInstructionGetDebugLoc(i));
		call = ws_module_linked(m, name, &type);
		call = LLVMBuildCall2(m->builder, type, call, NULL, 0, "");
		LLVMSetCurrentDebugLocation2(m->builder, NULL);
		LLVMReplaceAllUsesWith(i, call);
		LLVMInstructionEraseFromParent(i);
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
