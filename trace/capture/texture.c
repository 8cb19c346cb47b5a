/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/capture/texture.c -- what a texture unit does in a kernel's body (images.c).
 *
 * What it computes (functions "ws.tex.NAME", as no source can call its own) stays calls until the
 * accesses are recorded: such a call takes no issue slot, the load beside it is the texture
 * instruction.
 */
#include "trace/capture/instrument.h"

#include <string.h>

bool ws_is_named(LLVMValueRef f, const char *prefix)
{
	size_t len;

	return LLVMIsAFunction(f) &&
	       strncmp(LLVMGetValueName2(f, &len), prefix, strlen(prefix)) == 0;
}

bool ws_is_texture(LLVMValueRef f)
{
	return ws_is_named(f, "ws.tex.");
}

static bool is_texture_call(LLVMValueRef v)
{
	return LLVMIsACallInst(v) && ws_is_texture(LLVMGetCalledValue(v));
}

void ws_module_inline_images(struct ws_module *m)
{
	unsigned kind = LLVMGetEnumAttributeKindForName("alwaysinline", strlen("alwaysinline"));

	for (LLVMValueRef f = LLVMGetFirstFunction(m->module); f; f = LLVMGetNextFunction(f)) {
		if (ws_is_texture(f))
			LLVMAddAttributeAtIndex(f, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
						LLVMCreateEnumAttribute(m->context, kind, 0));
	}
}

static bool takes_texture_call(LLVMValueRef i)
{
	for (int k = LLVMGetNumOperands(i); k-- > 0;) {
		if (is_texture_call(LLVMGetOperand(i, (unsigned)k)))
			return true;
	}
	return false;
}

bool ws_is_texture_work(LLVMValueRef i)
{
	switch (LLVMGetInstructionOpcode(i)) {
	case LLVMCall:
		return is_texture_call(i);
	case LLVMGetElementPtr:
	case LLVMICmp:
	case LLVMExtractElement:
		return takes_texture_call(i);
	case LLVMBr:
		return LLVMIsConditional(i) && LLVMIsAInstruction(LLVMGetCondition(i)) &&
		       LLVMIsAICmpInst(LLVMGetCondition(i)) &&
		       takes_texture_call(LLVMGetCondition(i));
	default:
		return false;
	}
}

bool ws_is_texel(const struct ws_module *m, LLVMValueRef pointer, int root)
{
	if (root >= 0)
		return (size_t)root < m->kernel->args && m->kernel->arg[root].kind == WS_ARG_IMAGE;
	return LLVMIsAInstruction(pointer) && LLVMIsAGetElementPtrInst(pointer) &&
	       takes_texture_call(pointer);
}
