/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/capture/texture.c -- images and samplers in a kernel's body.
 *
 * To clang an image is a pointer to global memory, a sampler one to constant memory, and what is
 * done with them are calls that data/opencl/images.cl implements over three questions: where an
 * image's texels lie, in what format, and what a sampler's bits are.  They are answered here: by
 * the image's struct ws_image, and by constants that the kernel is made for, so that a read becomes
 * one load for each texel that it takes.
 *
 * What a texture unit computes (functions "ws.tex.NAME", as no source can call its own) stays
 * calls until the accesses are recorded: such a call takes no issue slot, the load beside it is the
 * texture instruction.
 */
#include "trace/capture/instrument.h"

#include <string.h>

#define TEXEL_VALUES_MAX 64 /* in which what became of a texel is followed */
#define TEXEL_BLOCKS_MAX 64

static bool is_named(LLVMValueRef f, const char *prefix)
{
	size_t len;

	return LLVMIsAFunction(f) &&
	       strncmp(LLVMGetValueName2(f, &len), prefix, strlen(prefix)) == 0;
}

bool ws_is_texture(LLVMValueRef f)
{
	return is_named(f, "ws.tex.");
}

static bool is_texture_call(LLVMValueRef v)
{
	return LLVMIsACallInst(v) && ws_is_texture(LLVMGetCalledValue(v));
}

/* ---- what is asked of images and samplers ---------------------------------------------------- */

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
	    !is_named(LLVMGetCalledValue(v), "__translate_sampler_initializer") ||
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
	if (is_named(LLVMGetCalledValue(call), "ws.ask.image"))
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

void ws_module_inline_images(struct ws_module *m)
{
	unsigned kind = LLVMGetEnumAttributeKindForName("alwaysinline", strlen("alwaysinline"));

	for (LLVMValueRef f = LLVMGetFirstFunction(m->module); f; f = LLVMGetNextFunction(f)) {
		if (ws_is_texture(f))
			LLVMAddAttributeAtIndex(f, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
						LLVMCreateEnumAttribute(m->context, kind, 0));
	}
}

/* ---- what takes no issue slot ---------------------------------------------------------------- */

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

/* ---- when a texel is used -------------------------------------------------------------------- */

struct texel { /* what a load's value became */
	LLVMValueRef value[TEXEL_VALUES_MAX];
	size_t values;
	uint32_t distance;
};

static bool uses(const struct texel *t, LLVMValueRef i)
{
	bool phi = LLVMIsAPHINode(i);
	unsigned count = phi ? LLVMCountIncoming(i) : (unsigned)LLVMGetNumOperands(i);

	for (unsigned k = 0; k < count; k++) {
		LLVMValueRef operand = phi ? LLVMGetIncomingValue(i, k) : LLVMGetOperand(i, k);

		for (size_t v = 0; v < t->values; v++) {
			if (t->value[v] == operand)
				return true;
		}
	}
	return false;
}

/* Goes on from i to the end of its block; true: the value was used. */
static bool used_in_block(struct texel *t, LLVMValueRef i)
{
	for (; i; i = LLVMGetNextInstruction(i)) {
		t->distance += !ws_is_free(i);
		if (!uses(t, i))
			continue;
		if (!(ws_is_texture_work(i) || LLVMIsAPHINode(i) || LLVMIsABitCastInst(i)) ||
		    t->values == TEXEL_VALUES_MAX)
			return true;
		t->value[t->values++] = i;
	}
	return false;
}

static LLVMBasicBlockRef only_successor(LLVMBasicBlockRef b)
{
	LLVMValueRef end = LLVMGetBasicBlockTerminator(b);

	return LLVMGetNumSuccessors(end) == 1 ? LLVMGetSuccessor(end, 0) : NULL;
}

/* The block behind b, past a texel's load that is left out where there is no texel. */
static LLVMBasicBlockRef behind(struct texel *t, LLVMBasicBlockRef b)
{
	LLVMValueRef end = LLVMGetBasicBlockTerminator(b), first;
	LLVMBasicBlockRef next = only_successor(b);

	if (next) {
		first = LLVMGetFirstInstruction(next);
		return LLVMIsAPHINode(first) && uses(t, first) ? next : NULL;
	}
	if (!ws_is_texture_work(end))
		return NULL;
	for (unsigned s = 0; s < 2; s++) {
		LLVMBasicBlockRef load = LLVMGetSuccessor(end, s);

		next = LLVMGetSuccessor(end, 1 - s);
		if (only_successor(load) != next)
			continue;
		t->distance++;
		return next;
	}
	return NULL;
}

uint32_t ws_texel_distance(LLVMValueRef load)
{
	struct texel t = { .value = { load }, .values = 1 };
	LLVMBasicBlockRef b = LLVMGetInstructionParent(load);
	LLVMValueRef i = LLVMGetNextInstruction(load);

	for (unsigned blocks = 0; b && blocks < TEXEL_BLOCKS_MAX; blocks++) {
		if (used_in_block(&t, i))
			break;
		b = behind(&t, b);
		i = b ? LLVMGetFirstInstruction(b) : NULL;
	}
	return t.distance ? t.distance : 1;
}
