/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/capture/images.c -- images and samplers in a kernel's body.
 *
 * To clang an image is a pointer to global memory, a sampler one to constant memory, and what is
 * done with them are calls that data/opencl/images.cl implements over three questions: where an
 * image's texels lie, in what format, and what a sampler's bits are.  They are answered here: by
 * the image's struct ws_image, and by constants that the kernel is made for, so that a read becomes
 * one load for each texel that it takes.
 */
#include "trace/capture/instrument.h"

#include <string.h>

/* The kernel's argument that v is; -1: none. */
static int argument_of(const struct ws_module *m, LLVMValueRef v)
{
	for (unsigned i = 0; i < m->kernel->args; i++) {
		if (LLVMGetParam(m->body, i + 1) == v)
			return (int)i;
	}
	return -1;
}

static const struct ws_opaque *opaque_of(const struct ws_module *m, int argument)
{
	static const struct ws_opaque none = { 0 };

	return (size_t)argument < m->options->opaques ? &m->options->opaque[argument] : &none;
}

/* &context->image[argument], asked for like what a texture unit does: it takes no slot either. */
static const char image_ir[] =
	"define ptr @ws.tex.image(ptr %%c, i64 %%i) nounwind willreturn memory(read) {\n"
	"  %%at = getelementptr i8, ptr %%c, i64 %d\n"
	"  %%table = load ptr, ptr %%at\n"
	"  %%image = getelementptr i8, ptr %%table, i64 %%i\n"
	"  ret ptr %%image\n"
	"}\n";

static enum ws_status link_image(struct ws_module *m, struct ws_err *err)
{
	char ir[sizeof image_ir + 16];

	snprintf(ir, sizeof ir, image_ir, (int)offsetof(struct ws_lane_ctx, image));
	return ws_module_link(m, ir, err);
}

static LLVMValueRef image_of(struct ws_module *m, int argument)
{
	LLVMTypeRef type;
	LLVMValueRef f = ws_module_linked(m, "ws.tex.image", &type);
	LLVMValueRef given[2] = {
		LLVMGetParam(m->body, 0),
		LLVMConstInt(m->i64, (unsigned long long)argument * sizeof(struct ws_image), 0),
	};

	return LLVMBuildCall2(m->builder, type, f, given, 2, "");
}

/* A sampler in the source is a call with its bits. */
static LLVMValueRef initialised(LLVMValueRef v)
{
	if (!LLVMIsACallInst(v) ||
	    !ws_is_named(LLVMGetCalledValue(v), "__translate_sampler_initializer") ||
	    !LLVMIsAConstantInt(LLVMGetOperand(v, 0)))
		return NULL;
	return LLVMGetOperand(v, 0);
}

/* The answer to a call of one of the three; NULL: it is not known. */
static LLVMValueRef answer(struct ws_module *m, LLVMValueRef call)
{
	LLVMValueRef of = LLVMGetOperand(call, 0);
	int argument = argument_of(m, of);

	if (argument < 0)
		return initialised(of);
	if (ws_is_named(LLVMGetCalledValue(call), "ws.ask.image"))
		return image_of(m, argument);
	return LLVMConstInt(m->i32, opaque_of(m, argument)->bits, 0);
}

static enum ws_status answer_all(struct ws_module *m, const char *name, struct ws_err *err)
{
	LLVMValueRef f = LLVMGetNamedFunction(m->module, name);

	for (LLVMUseRef u; f && (u = LLVMGetFirstUse(f));) {
		LLVMValueRef call = LLVMGetUser(u), found;

		LLVMPositionBuilderBefore(m->builder, call);
		found = answer(m, call);
		if (!found)
			return ws_fail(err, WS_EINPUT,
				       "kernel %s, line %u: an image or a sampler that depends on "
				       "a condition is not supported",
				       m->kernel->name, LLVMGetDebugLocLine(call));
		LLVMReplaceAllUsesWith(call, found);
		LLVMInstructionEraseFromParent(call);
	}
	return WS_OK;
}

static void erase_samplers(struct ws_module *m)
{
	LLVMValueRef f = LLVMGetNamedFunction(m->module, "__translate_sampler_initializer");

	for (LLVMUseRef u; f && (u = LLVMGetFirstUse(f));) {
		LLVMValueRef call = LLVMGetUser(u);

		LLVMReplaceAllUsesWith(call, LLVMGetUndef(LLVMTypeOf(call)));
		LLVMInstructionEraseFromParent(call);
	}
}

enum ws_status ws_module_images(struct ws_module *m, struct ws_err *err)
{
	static const char *const question[] = { "ws.ask.image", "ws.ask.format", "ws.ask.sampler" };
	bool any = LLVMGetNamedFunction(m->module, "__translate_sampler_initializer") != NULL;
	enum ws_status status = WS_OK;

	for (size_t i = 0; i < WS_COUNT(question); i++)
		any |= LLVMGetNamedFunction(m->module, question[i]) != NULL;
	if (!any)
		return WS_OK;
	status = ws_module_passes(m, "function(sroa)", err); /* arguments are themselves again */
	if (status == WS_OK)
		status = link_image(m, err);
	for (size_t i = 0; i < WS_COUNT(question) && status == WS_OK; i++)
		status = answer_all(m, question[i], err);
	if (status == WS_OK)
		erase_samplers(m);
	return status;
}
