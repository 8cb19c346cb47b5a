/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/capture/module.c -- bitcode to one function that holds the whole kernel.
 *
 * OpenCL has no recursion and no function pointers, so everything is inlined.
 * The kernel is called from body(ctx, its parameters): its pointer
 * arguments stay parameters, by which provenance.c knows them.  Static __local
 * variables become further parameters, since CTAs run side by side.  Then the passes of any optimising compiler up to the
 * point where memory instructions are settled: what remains is what
 * is recorded.
 */
#include "trace/capture/instrument.h"

#include <llvm-c/BitReader.h>
#include <llvm-c/Error.h>
#include <llvm-c/Target.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define SIMPLIFY \
	"function(sroa,early-cse<memssa>,simplifycfg,instcombine<no-verify-fixpoint>," \
	"loop-simplify,loop-mssa(licm),simplifycfg,early-cse<memssa>," \
	"instcombine<no-verify-fixpoint>,gvn,adce,simplifycfg,loop-simplify),globaldce"

static void initialise(void)
{
	LLVMInitializeNativeTarget();
	LLVMInitializeNativeAsmPrinter();
}

static enum ws_status open_target(struct ws_module *m, struct ws_err *err)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	char *triple, *cpu, *features, *message = NULL;
	LLVMTargetRef target;

	pthread_once(&once, initialise);
	triple = LLVMGetDefaultTargetTriple();
	if (LLVMGetTargetFromTriple(triple, &target, &message)) {
		enum ws_status status = ws_fail(err, WS_EINVAL, "LLVM: %s", message);

		LLVMDisposeMessage(message);
		LLVMDisposeMessage(triple);
		return status;
	}
	cpu = LLVMGetHostCPUName();
	features = LLVMGetHostCPUFeatures();
	m->machine = LLVMCreateTargetMachine(target, triple, cpu, features,
					     LLVMCodeGenLevelDefault, LLVMRelocPIC,
					     LLVMCodeModelJITDefault);
	m->layout = LLVMCreateTargetDataLayout(m->machine);
	LLVMDisposeMessage(features);
	LLVMDisposeMessage(cpu);
	LLVMDisposeMessage(triple);
	return WS_OK;
}

static enum ws_status parse(struct ws_module *m, const struct ws_bitcode *code,
			    struct ws_err *err)
{
	LLVMMemoryBufferRef memory;
	int failed;

	m->safe_context = LLVMOrcCreateNewThreadSafeContext();
	m->context = LLVMOrcThreadSafeContextGetContext(m->safe_context);
	memory = LLVMCreateMemoryBufferWithMemoryRange((const char *)code->data.data,
						       code->data.len, "kernel", 0);
	failed = LLVMParseBitcodeInContext2(m->context, memory, &m->module);
	LLVMDisposeMemoryBuffer(memory);
	if (failed)
		return ws_fail(err, WS_EFORMAT, "%s: LLVM cannot read the bitcode that clang wrote",
			       code->source);
	m->owned = true;
	m->builder = LLVMCreateBuilderInContext(m->context);
	m->ptr = LLVMPointerTypeInContext(m->context, 0);
	m->i8 = LLVMInt8TypeInContext(m->context);
	m->i32 = LLVMInt32TypeInContext(m->context);
	m->i64 = LLVMInt64TypeInContext(m->context);
	m->none = LLVMVoidTypeInContext(m->context);
	return WS_OK;
}

/* Fails with the names of the kernels that there are. */
static enum ws_status no_kernel(struct ws_module *m, const char *source, const char *name,
				struct ws_err *err)
{
	char list[512] = "";

	for (LLVMValueRef f = LLVMGetFirstFunction(m->module); f; f = LLVMGetNextFunction(f)) {
		size_t len, used = strlen(list);

		if (LLVMGetFunctionCallConv(f) == 76 /* spir_kernel */ && !LLVMIsDeclaration(f))
			snprintf(list + used, sizeof list - used, "%s%s", used ? ", " : "",
				 LLVMGetValueName2(f, &len));
	}
	return ws_fail(err, WS_EINVAL, "%s: no kernel '%s'; there %s", source, name,
		       *list ? list : "is none");
}

static unsigned attribute_kind(const char *name)
{
	return LLVMGetEnumAttributeKindForName(name, strlen(name));
}

static void add_attribute(struct ws_module *m, LLVMValueRef f, unsigned where, const char *name)
{
	LLVMAddAttributeAtIndex(f, where, LLVMCreateEnumAttribute(m->context, attribute_kind(name), 0));
}

static void plain_calls(LLVMValueRef f)
{
	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b)) {
		for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
			if (LLVMIsACallInst(i))
				LLVMSetInstructionCallConv(i, LLVMCCallConv);
		}
	}
}

/* Everything internal, inlined always, with C calls. */
static void make_inline(struct ws_module *m, LLVMValueRef kernel)
{
	for (LLVMValueRef f = LLVMGetFirstFunction(m->module); f; f = LLVMGetNextFunction(f)) {
		LLVMSetFunctionCallConv(f, LLVMCCallConv);
		if (LLVMIsDeclaration(f))
			continue;
		LLVMSetLinkage(f, f == kernel ? LLVMExternalLinkage : LLVMInternalLinkage);
		LLVMRemoveEnumAttributeAtIndex(f, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
					       attribute_kind("noinline"));
		LLVMRemoveEnumAttributeAtIndex(f, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
					       attribute_kind("optnone"));
		add_attribute(m, f, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, "alwaysinline");
		plain_calls(f);
	}
}

/* body's parameters: context, the kernel's, static __local variables. */
static void build_body(struct ws_module *m, LLVMValueRef kernel)
{
	LLVMTypeRef type[2 * WS_ARG_MAX + 1];
	LLVMValueRef argument[WS_ARG_MAX];
	unsigned count = LLVMCountParams(kernel), byval = attribute_kind("byval");
	unsigned locals = (unsigned)m->kernel->locals;

	type[0] = m->ptr;
	for (unsigned i = 0; i < count; i++)
		type[i + 1] = LLVMTypeOf(LLVMGetParam(kernel, i));
	for (unsigned i = 0; i < locals; i++)
		type[count + 1 + i] = LLVMPointerTypeInContext(m->context, 3);
	m->body = LLVMAddFunction(m->module, "__ws_body",
				  LLVMFunctionType(m->none, type, count + locals + 1, 0));
	add_attribute(m, m->body, 1, "noalias");
	add_attribute(m, m->body, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, "nounwind");
	LLVMPositionBuilderAtEnd(m->builder,
				 LLVMAppendBasicBlockInContext(m->context, m->body, "entry"));
	for (unsigned i = 0; i < count; i++)
		argument[i] = LLVMGetParam(m->body, i + 1);
	LLVMValueRef call = LLVMBuildCall2(m->builder, LLVMGlobalGetValueType(kernel), kernel,
					   argument, count, "");
	for (unsigned i = 0; i < count; i++) {
		LLVMAttributeRef a = LLVMGetEnumAttributeAtIndex(kernel, i + 1, byval);

		if (a)
			LLVMAddCallSiteAttribute(call, i + 1, a);
	}
	LLVMBuildRetVoid(m->builder);
}

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
		enum ws_status status = ws_fail(err, WS_EINVAL, "LLVM: %s", message);

		LLVMDisposeErrorMessage(message);
		return status;
	}
	return WS_OK;
}

/* ---- static __local variables ------------------------------------------------ */

static LLVMValueRef as_instruction(struct ws_module *m, LLVMValueRef constant,
				   LLVMValueRef from, LLVMValueRef to)
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

/* Replaces constant `from` by the instruction `to` in all users, turning
 * constant expressions among them into instructions of the entry block. */
static bool replace_constant(struct ws_module *m, LLVMValueRef from, LLVMValueRef to)
{
	struct {
		LLVMValueRef *item;
		size_t count, cap;
	} user = { 0 };
	bool good = true;

	for (LLVMUseRef u = LLVMGetFirstUse(from); u && good; u = LLVMGetNextUse(u)) {
		LLVMValueRef *grown = ws_grow(user.item, &user.cap, user.count + 1, sizeof *grown);

		good = grown != NULL;
		if (good) {
			user.item = grown;
			user.item[user.count++] = LLVMGetUser(u);
		}
	}
	for (size_t i = 0; i < user.count && good; i++) {
		if (LLVMIsAInstruction(user.item[i])) {
			for (int k = LLVMGetNumOperands(user.item[i]); k-- > 0;) {
				if (LLVMGetOperand(user.item[i], (unsigned)k) == from)
					LLVMSetOperand(user.item[i], (unsigned)k, to);
			}
		} else if (LLVMIsAConstantExpr(user.item[i]) && LLVMGetFirstUse(user.item[i])) {
			LLVMValueRef made = as_instruction(m, user.item[i], from, to);

			good = made && replace_constant(m, user.item[i], made);
		}
	}
	free(user.item);
	return good;
}

static bool static_local(LLVMValueRef global)
{
	return LLVMGetPointerAddressSpace(LLVMTypeOf(global)) == 3 && LLVMGetFirstUse(global);
}

/* Sizes of the kernel's static __local variables, in the order of the module. */
static enum ws_status find_locals(struct ws_module *m, struct ws_err *err)
{
	struct ws_kernel *k = m->kernel;
	size_t cap = 0;

	for (LLVMValueRef g = LLVMGetFirstGlobal(m->module); g; g = LLVMGetNextGlobal(g)) {
		uint64_t *bytes;

		if (!static_local(g))
			continue;
		bytes = ws_grow(k->local_bytes, &cap, k->locals + 1, sizeof *bytes);
		if (!bytes)
			return ws_fail_memory(err, "a kernel's __local variables");
		k->local_bytes = bytes;
		bytes[k->locals++] = LLVMABISizeOfType(m->layout, LLVMGlobalGetValueType(g));
	}
	return k->locals < WS_ARG_MAX ? WS_OK :
					ws_fail(err, WS_EINVAL, "kernel %s: %zu __local variables, want at most %u",
						k->name, k->locals, WS_ARG_MAX - 1);
}

static enum ws_status move_locals(struct ws_module *m, struct ws_err *err)
{
	struct ws_kernel *k = m->kernel;
	size_t i = 0;

	LLVMPositionBuilderBefore(m->builder,
				  LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(m->body)));
	for (LLVMValueRef g = LLVMGetFirstGlobal(m->module); g; g = LLVMGetNextGlobal(g)) {
		if (!static_local(g) || i == k->locals)
			continue;
		if (!replace_constant(m, g, LLVMGetParam(m->body, (unsigned)(1 + k->args + i++))))
			return ws_fail(err, WS_EINVAL,
				       "kernel %s: an unsupported use of a __local variable", k->name);
	}
	return WS_OK;
}

/* ---- built-ins ----------------------------------------------------------------- */

static bool resolved_elsewhere(const char *name)
{
	return strncmp(name, "_Z", 2) != 0;
}

/* Names the first call to a built-in that the library has not. */
static enum ws_status check_builtins(struct ws_module *m, const char *source, struct ws_err *err)
{
	for (LLVMValueRef f = LLVMGetFirstFunction(m->module); f; f = LLVMGetNextFunction(f)) {
		LLVMUseRef use = LLVMGetFirstUse(f);
		size_t len;
		const char *name = LLVMGetValueName2(f, &len), *base;
		unsigned line = 0;

		if (!LLVMIsDeclaration(f) || !use || resolved_elsewhere(name))
			continue;
		if (LLVMIsAInstruction(LLVMGetUser(use)))
			line = LLVMGetDebugLocLine(LLVMGetUser(use));
		for (base = name + 2; *base >= '0' && *base <= '9'; base++)
			;
		return ws_fail(err, WS_EINVAL,
			       "%s:%u: kernel %s calls built-in '%.*s' (%s), which is not supported",
			       source, line, m->kernel->name, atoi(name + 2), base, name);
	}
	return WS_OK;
}

/* Calls of __ws_ctx() are body's first parameter. */
static void bind_context(struct ws_module *m)
{
	LLVMValueRef f = LLVMGetNamedFunction(m->module, "__ws_ctx");

	for (LLVMUseRef u; f && (u = LLVMGetFirstUse(f));) {
		LLVMValueRef call = LLVMGetUser(u);

		LLVMReplaceAllUsesWith(call, LLVMGetParam(m->body, 0));
		LLVMInstructionEraseFromParent(call);
	}
}

enum ws_status ws_module_open(struct ws_module *m, const struct ws_bitcode *code,
			      const char *name, struct ws_err *err)
{
	enum ws_status status = open_target(m, err);
	LLVMValueRef kernel = NULL;

	if (status == WS_OK)
		status = parse(m, code, err);
	if (status == WS_OK) {
		kernel = LLVMGetNamedFunction(m->module, name);
		if (!kernel || LLVMIsDeclaration(kernel) || LLVMGetFunctionCallConv(kernel) != 76)
			status = no_kernel(m, code->source, name, err);
	}
	if (status == WS_OK)
		status = ws_module_arguments(m, kernel, err);
	if (status != WS_OK)
		return status;
	make_inline(m, kernel);
	status = ws_module_passes(m, "globaldce", err);
	if (status == WS_OK)
		status = find_locals(m, err);
	if (status != WS_OK)
		return status;
	LLVMSetLinkage(kernel, LLVMInternalLinkage);
	build_body(m, kernel);
	status = ws_module_passes(m, "globaldce,always-inline,globaldce", err);
	if (status == WS_OK)
		status = check_builtins(m, code->source, err);
	if (status == WS_OK)
		status = move_locals(m, err);
	if (status == WS_OK) {
		bind_context(m);
		status = ws_module_passes(m, SIMPLIFY, err);
	}
	return status;
}

void ws_module_close(struct ws_module *m)
{
	if (m->builder)
		LLVMDisposeBuilder(m->builder);
	if (m->owned && m->module)
		LLVMDisposeModule(m->module);
	if (m->safe_context)
		LLVMOrcDisposeThreadSafeContext(m->safe_context);
	if (m->layout)
		LLVMDisposeTargetData(m->layout);
	if (m->machine)
		LLVMDisposeTargetMachine(m->machine);
}
