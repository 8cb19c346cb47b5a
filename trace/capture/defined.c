/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/capture/defined.c -- what PTX defines and LLVM does not: shifts by the width and more, and
 * numbers that no integer holds.
 *
 * Programs rely on it, knowing or not: a mask is (1 << bits) - 1 for 32 bits, too, and a negative
 * float is 0 as an unsigned integer.  The host's own instructions have other results.
 * Rules: PTX ISA, "shl", "shr" (amounts are clamped to the width) and "cvt" (out of range: the
 * nearest integer; not a number: 0, or the highest bit alone where one of the two has 64 bits).
 * Integers of less than 32 bits are made of those of 32.
 */
#include "trace/capture/instrument.h"

#include <string.h>

/* Is it below the width whatever the operands are? */
static bool is_near(LLVMValueRef by, unsigned width)
{
	if (LLVMIsAInstruction(by) && LLVMGetInstructionOpcode(by) == LLVMAnd)
		by = LLVMGetOperand(by, 1);
	return LLVMIsAConstantInt(by) && LLVMConstIntGetZExtValue(by) < width;
}

/* NULL: it stays as it is. */
static LLVMValueRef shift(struct ws_module *m, LLVMValueRef i)
{
	LLVMOpcode op = LLVMGetInstructionOpcode(i);
	LLVMValueRef x = LLVMGetOperand(i, 0), by = LLVMGetOperand(i, 1), near, most, r;
	LLVMTypeRef type = LLVMTypeOf(by);
	unsigned width = LLVMGetTypeKind(type) == LLVMIntegerTypeKind ? LLVMGetIntTypeWidth(type)
								      : 0;

	if (!width || is_near(by, width))
		return NULL;
	most = LLVMConstInt(type, width - 1, 0);
	near = LLVMBuildICmp(m->builder, LLVMIntULE, by, most, "");
	by = LLVMBuildSelect(m->builder, near, by, most, "");
	r = LLVMBuildBinOp(m->builder, op, x, by, "");
	return op == LLVMAShr ? r : LLVMBuildSelect(m->builder, near, r, LLVMConstNull(type), "");
}

static LLVMValueRef saturated(struct ws_module *m, bool is_signed, LLVMValueRef x,
			      LLVMTypeRef type)
{
	const char *name = is_signed ? "llvm.fptosi.sat" : "llvm.fptoui.sat";
	LLVMTypeRef types[2] = { type, LLVMTypeOf(x) };
	unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
	LLVMValueRef f = LLVMGetIntrinsicDeclaration(m->module, id, types, 2);

	return LLVMBuildCall2(m->builder, LLVMIntrinsicGetType(m->context, id, types, 2), f, &x, 1,
			      "");
}

static LLVMValueRef convert(struct ws_module *m, LLVMValueRef i)
{
	bool is_signed = LLVMGetInstructionOpcode(i) == LLVMFPToSI;
	LLVMValueRef x = LLVMGetOperand(i, 0), r, none;
	LLVMTypeRef type = LLVMTypeOf(i), wide = type;
	unsigned width;

	if (LLVMGetTypeKind(type) != LLVMIntegerTypeKind)
		return NULL;
	width = LLVMGetIntTypeWidth(type);
	if (width < 32)
		wide = m->i32;
	r = saturated(m, is_signed, x, wide);
	if (width == 64 || LLVMGetTypeKind(LLVMTypeOf(x)) == LLVMDoubleTypeKind) {
		none = LLVMConstInt(wide, UINT64_C(1) << (LLVMGetIntTypeWidth(wide) - 1), 0);
		r = LLVMBuildSelect(m->builder, LLVMBuildFCmp(m->builder, LLVMRealUNO, x, x, ""),
				    none, r, "");
	}
	return wide == type ? r : LLVMBuildTrunc(m->builder, r, type, "");
}

static LLVMValueRef defined(struct ws_module *m, LLVMValueRef i)
{
	LLVMPositionBuilderBefore(m->builder, i);
	switch (LLVMGetInstructionOpcode(i)) {
	case LLVMShl:
	case LLVMLShr:
	case LLVMAShr:
		return shift(m, i);
	case LLVMFPToSI:
	case LLVMFPToUI:
		return convert(m, i);
	default:
		return NULL;
	}
}

static void define_in(struct ws_module *m, LLVMBasicBlockRef b)
{
	LLVMValueRef i, next, r;

	for (i = LLVMGetFirstInstruction(b); i; i = next) {
		next = LLVMGetNextInstruction(i);
		r = defined(m, i);
		if (!r)
			continue;
		LLVMReplaceAllUsesWith(i, r);
		LLVMInstructionEraseFromParent(i);
	}
}

void ws_cuda_define(struct ws_module *m)
{
	LLVMBasicBlockRef b;
	LLVMValueRef f;

	for (f = LLVMGetFirstFunction(m->module); f; f = LLVMGetNextFunction(f)) {
		for (b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
			define_in(m, b);
	}
}
