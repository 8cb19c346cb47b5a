/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/capture/module.c -- bitcode to one function that holds the whole kernel.
 *
 * OpenCL has no recursion and no function pointers, so everything is inlined.  What CUDA has of
 * them is rewritten before (pointers.c, recursion.c).
 * The kernel is called from body(ctx, its parameters): its pointer
 * arguments stay parameters, by which provenance.c knows them.  Static __local
 * variables become further parameters, since CTAs run side by side.  Then the passes of any
 * optimising compiler up to the point where memory instructions are settled: what remains is what
 * is recorded.
 */
#include "trace/capture/instrument.h"

#include <ctype.h>
#include <llvm-c/BitReader.h>
#include <llvm-c/Target.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define SIMPLIFY                                                                                   \
	"function(sroa,early-cse<memssa>,simplifycfg,instcombine<no-verify-fixpoint>,"             \
	"loop-simplify,loop-mssa(licm),simplifycfg,early-cse<memssa>,"                             \
	"instcombine<no-verify-fixpoint>,gvn,adce,simplifycfg,loop-simplify),globaldce"

static void initialise(void)
{
	LLVMInitializeNativeTarget();
	LLVMInitializeNativeAsmPrinter();
	LLVMInitializeNVPTXTargetInfo(); /* for registers.c */
	LLVMInitializeNVPTXTarget();
	LLVMInitializeNVPTXTargetMC();
}

enum ws_status ws_host_machine(LLVMTargetMachineRef *out, LLVMCodeGenOptLevel level,
			       struct ws_err *err)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	char *triple, *cpu, *features, *message = NULL;
	LLVMTargetRef target;

	*out = NULL;
	pthread_once(&once, initialise);
	triple = LLVMGetDefaultTargetTriple();
	if (!triple)
		return ws_fail_memory(err, "the host's name");
	if (LLVMGetTargetFromTriple(triple, &target, &message)) {
		enum ws_status status = ws_fail(err, WS_EIO, "LLVM: %s", message);

		LLVMDisposeMessage(message);
		LLVMDisposeMessage(triple);
		return status;
	}
	cpu = LLVMGetHostCPUName();
	features = LLVMGetHostCPUFeatures();
	if (cpu && features)
		*out = LLVMCreateTargetMachine(target, triple, cpu, features, level, LLVMRelocPIC,
					       LLVMCodeModelJITDefault);
	LLVMDisposeMessage(features);
	LLVMDisposeMessage(cpu);
	LLVMDisposeMessage(triple);
	return *out ? WS_OK : ws_fail_memory(err, "the host's code generator");
}

static enum ws_status open_target(struct ws_module *m, struct ws_err *err)
{
	enum ws_status status = ws_host_machine(&m->machine, LLVMCodeGenLevelDefault, err);

	if (status == WS_OK)
		m->layout = LLVMCreateTargetDataLayout(m->machine);
	return status != WS_OK || m->layout ? status
					    : ws_fail_memory(err, "the host's code generator");
}

/* What LLVM would print goes nowhere: the calls' results say enough. */
static void no_diagnostics(LLVMDiagnosticInfoRef info, void *context)
{
	(void)info;
	(void)context;
}

/* A kernel's printf is ours, before LLVM turns it into calls of puts and putchar. */
static void own_printf(struct ws_module *m)
{
	LLVMValueRef f = LLVMGetNamedFunction(m->module, "printf");

	if (f)
		LLVMSetValueName2(f, "__ws_printf", strlen("__ws_printf"));
}

/* What a source may not have: names of ours, by which it could take the place of what compiled code
 * calls, and assembler outside functions, at which code generation ends the process. */
static enum ws_status check_names(struct ws_module *m, const char *source, struct ws_err *err)
{
	const char *name;
	size_t len;

	LLVMGetModuleInlineAsm(m->module, &len);
	if (len)
		return ws_fail(err, WS_EFORMAT, "%s: assembler is not supported", source);
	for (LLVMValueRef f = LLVMGetFirstFunction(m->module); f; f = LLVMGetNextFunction(f)) {
		name = LLVMGetValueName2(f, &len);
		if (strncmp(name, "__ws_", 5) == 0 && !LLVMIsDeclaration(f))
			return ws_fail(err, WS_EFORMAT, "%s: function %s: want names that do not "
				       "begin with __ws_", source, name);
	}
	return WS_OK;
}

/* Where a source would have its constants in the file that is linked in memory: they could take the
 * place of tables of the linker's. */
static void forget_sections(struct ws_module *m)
{
	for (LLVMValueRef g = LLVMGetFirstGlobal(m->module); g; g = LLVMGetNextGlobal(g))
		LLVMSetSection(g, "");
	for (LLVMValueRef f = LLVMGetFirstFunction(m->module); f; f = LLVMGetNextFunction(f))
		LLVMSetSection(f, "");
}

static enum ws_status parse_bitcode(struct ws_module *m, const struct ws_bitcode *code,
				    struct ws_err *err)
{
	LLVMMemoryBufferRef memory;
	int failed;

	m->safe_context = LLVMOrcCreateNewThreadSafeContext();
	m->context = LLVMOrcThreadSafeContextGetContext(m->safe_context);
	LLVMContextSetDiagnosticHandler(m->context, no_diagnostics, NULL);
	memory = LLVMCreateMemoryBufferWithMemoryRange((const char *)code->data.data,
						       code->data.len, "kernel", 0);
	failed = LLVMParseBitcodeInContext2(m->context, memory, &m->module);
	LLVMDisposeMemoryBuffer(memory);
	if (failed)
		return ws_fail(err, WS_EFORMAT, "%s: LLVM cannot read the bitcode that clang wrote",
			       code->source);
	m->owned = true;
	own_printf(m);
	forget_sections(m);
	m->builder = LLVMCreateBuilderInContext(m->context);
	m->ptr = LLVMPointerTypeInContext(m->context, 0);
	m->i8 = LLVMInt8TypeInContext(m->context);
	m->i32 = LLVMInt32TypeInContext(m->context);
	m->i64 = LLVMInt64TypeInContext(m->context);
	m->none = LLVMVoidTypeInContext(m->context);
	return check_names(m, code->source, err);
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
	return ws_no_kernel(source, name, *list ? list : "none, it has no kernel", err);
}

static unsigned attribute_kind(const char *name)
{
	return LLVMGetEnumAttributeKindForName(name, strlen(name));
}

static void add_attribute(struct ws_module *m, LLVMValueRef f, unsigned where, const char *name)
{
	LLVMAddAttributeAtIndex(f, where,
				LLVMCreateEnumAttribute(m->context, attribute_kind(name), 0));
}

static void plain_calls(LLVMValueRef f)
{
	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b)) {
		for (LLVMValueRef i = LLVMGetFirstInstruction(b); i;
		     i = LLVMGetNextInstruction(i)) {
			if (LLVMIsACallInst(i))
				LLVMSetInstructionCallConv(i, LLVMCCallConv);
		}
	}
}

/* Everything internal, inlined always (a texture unit's work later), with C calls. */
static void make_inline(struct ws_module *m, LLVMValueRef kernel)
{
	for (LLVMValueRef f = LLVMGetFirstFunction(m->module); f; f = LLVMGetNextFunction(f)) {
		LLVMSetFunctionCallConv(f, LLVMCCallConv);
		if (LLVMIsDeclaration(f))
			continue;
		LLVMSetLinkage(f, f == kernel ? LLVMExternalLinkage : LLVMInternalLinkage);
		plain_calls(f);
		if (ws_is_texture(f))
			continue;
		LLVMRemoveEnumAttributeAtIndex(f, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
					       attribute_kind("noinline"));
		LLVMRemoveEnumAttributeAtIndex(f, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
					       attribute_kind("optnone"));
		add_attribute(m, f, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, "alwaysinline");
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

/* ---- static __local variables ------------------------------------------------ */

static bool static_local(LLVMValueRef global)
{
	return LLVMGetPointerAddressSpace(LLVMTypeOf(global)) == 3 && LLVMGetFirstUse(global) &&
	       !LLVMIsDeclaration(global);
}

static bool add_local(struct ws_kernel *k, size_t *cap, const char *name, uint64_t bytes)
{
	if (!WS_ROOM(k->local, *cap, k->locals + 1))
		return false;
	k->local[k->locals] = (struct ws_local){ .name = ws_strdup(name), .bytes = bytes };
	return k->local[k->locals++].name != NULL;
}

/* The lines of a software cache: one at least, so that there is a place. */
static uint64_t soft_bytes(const struct ws_soft_pass *p)
{
	return ((p->lines ? p->lines : 1) * p->threads) << p->line_bits;
}

/* The kernel's static __local variables, in the order of the module; then a software cache's. */
static enum ws_status find_locals(struct ws_module *m, struct ws_err *err)
{
	struct ws_kernel *k = m->kernel;
	size_t cap = 0;

	for (LLVMValueRef g = LLVMGetFirstGlobal(m->module); g; g = LLVMGetNextGlobal(g)) {
		size_t len;

		if (static_local(g) &&
		    LLVMABISizeOfType(m->layout, LLVMGlobalGetValueType(g)) > WS_LOCAL_MAX)
			return ws_fail(err, WS_EINPUT,
				       "kernel %s: __local variable %s: want at "
				       "most %u bytes",
				       k->name, LLVMGetValueName2(g, &len), WS_LOCAL_MAX);
		if (static_local(g) &&
		    !add_local(k, &cap, LLVMGetValueName2(g, &len),
			       LLVMABISizeOfType(m->layout, LLVMGlobalGetValueType(g))))
			return ws_fail_memory(err, "a kernel's __local variables");
	}
	if (m->options->soft && !add_local(k, &cap, "", soft_bytes(m->options->soft)))
		return ws_fail_memory(err, "a kernel's __local variables");
	return k->locals < WS_ARG_MAX ? WS_OK
				      : ws_fail(err, WS_EINPUT,
						"kernel %s: %zu __local variables, want at most %u",
						k->name, k->locals, WS_ARG_MAX - 1);
}

/* Found again by name: inlining may have dropped some. */
static enum ws_status move_locals(struct ws_module *m, struct ws_err *err)
{
	struct ws_kernel *k = m->kernel;
	enum ws_status status = WS_OK;

	LLVMPositionBuilderBefore(m->builder,
				  LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(m->body)));
	for (size_t i = 0; i < k->locals; i++) {
		LLVMValueRef g = *k->local[i].name
					 ? LLVMGetNamedGlobal(m->module, k->local[i].name) : NULL;

		if (g)
			status = ws_module_replace(m, g, LLVMGetParam(m->body,
								     (unsigned)(1 + k->args + i)));
		if (status == WS_EINPUT)
			return ws_fail(err, WS_EINPUT,
				       "kernel %s: an unsupported use of __local variable %s",
				       k->name, k->local[i].name);
		if (status != WS_OK)
			return ws_fail_memory(err, "a kernel's __local variables");
	}
	return WS_OK;
}

/* ---- what is not there ---------------------------------------------------------- */

/* Functions of the host's libraries that the built-ins end in; nothing else is let in from outside.
 * Those that write to memory are not among them (but lgamma_r, the sign), whoever calls them. */
static const char *const library[] = {
	"acos",   "acosh",    "asin",  "asinh",     "atan",   "atan2",     "atanh",  "cbrt",
	"ceil",   "copysign", "cos",   "cosh",      "erf",    "erfc",      "exp",    "exp10",
	"exp2",   "expm1",    "fabs",  "fdim",      "floor",  "fma",       "fmax",   "fmin",
	"fmod",   "hypot",    "ilogb", "ldexp",     "lgamma", "lgamma_r",  "log",    "log10",
	"log1p",  "log2",     "logb",  "nextafter", "pow",    "remainder", "rint",   "round",
	"scalbn", "sin",      "sinh",  "sqrt",      "tan",    "tanh",      "tgamma", "trunc",
	"j0",     "j1",       "jn",    "y0",        "y1",     "yn",
};

/* Our own: bound by the passes, or by jit.c. */
static const char *const own[] = {
	"__ws_ctx",	   "__ws_barrier",   "__ws_printf",	"__ws_soft_count",
	"__ws_soft_bits", "__ws_soft_past", "__ws_soft_phase",	"__ws_warp",
	"__ws_bad_call", "__ws_carry",
};

static bool known(const char *name)
{
	size_t len = strlen(name);

	if (strncmp(name, "llvm.", 5) == 0)
		return true;
	for (size_t i = 0; i < WS_COUNT(own); i++) {
		if (strcmp(name, own[i]) == 0)
			return true;
	}
	for (size_t i = 0; i < WS_COUNT(library); i++) {
		size_t n = strlen(library[i]);

		if (strncmp(name, library[i], n) == 0 &&
		    (len == n || (len == n + 1 && name[n] == 'f')))
			return true;
		if (strcmp(library[i], "lgamma_r") == 0 && strcmp(name, "lgammaf_r") == 0)
			return true;
	}
	return false;
}

static unsigned line_of_use(LLVMValueRef f)
{
	LLVMUseRef use = LLVMGetFirstUse(f);

	return use && LLVMIsAInstruction(LLVMGetUser(use)) ? LLVMGetDebugLocLine(LLVMGetUser(use))
							   : 0;
}

/* Everything must have been inlined but the body, and what is called known. */
static enum ws_status check_function(struct ws_module *m, LLVMValueRef f, const char *source,
				     struct ws_err *err)
{
	size_t len;
	const char *name = LLVMGetValueName2(f, &len), *base = name + 2;

	if (f == m->body || !LLVMGetFirstUse(f) || (LLVMIsDeclaration(f) && known(name)) ||
	    ws_is_texture(f))
		return WS_OK;
	if (!LLVMIsDeclaration(f))
		return ws_fail(err, WS_EINPUT,
			       "%s:%u: function %s calls itself: recursion is not supported",
			       source, line_of_use(f), name);
	if (strncmp(name, "_Z", 2) != 0)
		return ws_fail(err, WS_EINPUT, "%s:%u: function %s is called but not defined",
			       source, line_of_use(f), name);
	while (*base >= '0' && *base <= '9')
		base++;
	return ws_fail(err, WS_EINPUT,
		       "%s:%u: kernel %s calls built-in '%.*s' (%s), which is not supported",
		       source, line_of_use(f), m->kernel->name, atoi(name + 2), base, name);
}

static bool indirect_or_asm(LLVMValueRef i)
{
	return LLVMIsACallInst(i) && !LLVMIsAFunction(LLVMGetCalledValue(i));
}

/* Of assembly, if it is known which one was refused. */
static const char *refused_statement(LLVMValueRef call, size_t *len)
{
	LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(call));
	unsigned mark = LLVMGetMDKindIDInContext(context, WS_REFUSED_MARK,
						 sizeof WS_REFUSED_MARK - 1);
	LLVMValueRef node = LLVMGetMetadata(call, mark), text = NULL;
	unsigned bytes = 0;
	const char *found;

	if (!node || LLVMGetMDNodeNumOperands(node) != 1)
		return NULL;
	LLVMGetMDNodeOperands(node, &text);
	found = LLVMGetMDString(text, &bytes);
	*len = bytes;
	return found;
}

/* By its first instruction, and where it is: in a file that the source includes, perhaps. */
static enum ws_status refuse_call(LLVMValueRef call, const char *source, struct ws_err *err)
{
	LLVMValueRef callee = LLVMGetCalledValue(call);
	unsigned line = LLVMGetDebugLocLine(call), length = 0;
	const char *file = LLVMGetDebugLocFilename(call, &length), *text;
	size_t len = 0;

	if (!file || !length) {
		file = source;
		length = (unsigned)strlen(source);
	}
	if (!LLVMIsAInlineAsm(callee))
		return ws_fail(err, WS_EINPUT, "%.*s:%u: a call through a pointer with so many "
			       "arguments, or any number of them, is not supported", (int)length,
			       file, line);
	text = refused_statement(call, &len);
	if (!text)
		text = LLVMGetInlineAsmAsmString(callee, &len);
	while (len && isspace((unsigned char)*text))
		text++, len--;
	for (size_t i = 0; i < len; i++) {
		if (strchr(";\n", text[i]))
			len = i;
	}
	return ws_fail(err, WS_EINPUT, "%.*s:%u: inline assembly '%.*s' is not supported",
		       (int)length, file, line, len < 80 ? (int)len : 80, text);
}

/* Also refused: inline assembly, and variables that outlive a launch. */
static enum ws_status check_closed(struct ws_module *m, const char *source, struct ws_err *err)
{
	enum ws_status status = WS_OK;
	LLVMValueRef f, g, i;
	size_t len;

	for (f = LLVMGetFirstFunction(m->module); f && status == WS_OK; f = LLVMGetNextFunction(f))
		status = check_function(m, f, source, err);
	for (g = LLVMGetFirstGlobal(m->module); g && status == WS_OK; g = LLVMGetNextGlobal(g)) {
		if (LLVMIsDeclaration(g) && LLVMGetFirstUse(g))
			status = ws_fail(err, WS_EINPUT, "%s: variable %s is used but not defined",
					 source, LLVMGetValueName2(g, &len));
		else if (LLVMGetPointerAddressSpace(LLVMTypeOf(g)) == 1 && LLVMGetFirstUse(g) &&
			 !LLVMIsGlobalConstant(g))
			status = ws_fail(
				err, WS_EINPUT,
				"%s: program-scope variable %s in global memory is not supported",
				source, LLVMGetValueName2(g, &len));
	}
	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(m->body); b && status == WS_OK;
	     b = LLVMGetNextBasicBlock(b)) {
		for (i = LLVMGetFirstInstruction(b); i && status == WS_OK;
		     i = LLVMGetNextInstruction(i)) {
			if (indirect_or_asm(i))
				status = refuse_call(i, source, err);
		}
	}
	return status;
}

/* What a work-item's sums carry from one inline assembly to the next (ptx_block.c). */
static void bind_carry(struct ws_module *m)
{
	LLVMValueRef f = LLVMGetNamedFunction(m->module, "__ws_carry"), place;

	if (!f)
		return;
	LLVMPositionBuilderBefore(m->builder,
				  LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(m->body)));
	place = LLVMBuildAlloca(m->builder, m->i8, "");
	LLVMBuildStore(m->builder, LLVMConstInt(m->i8, 0, 0), place);
	for (LLVMUseRef u; (u = LLVMGetFirstUse(f));) {
		LLVMValueRef call = LLVMGetUser(u);

		LLVMReplaceAllUsesWith(call, place);
		LLVMInstructionEraseFromParent(call);
	}
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

/* Its arguments are known when it returns, and all else that the kernel does not need is gone. */
static enum ws_status open_kernel(struct ws_module *m, const struct ws_bitcode *code,
				  const char *name, LLVMValueRef *kernel, struct ws_err *err)
{
	LLVMValueRef f = NULL;
	enum ws_status status = WS_OK;

	m->warps = code->cuda;
	if (code->cuda) {
		status = ws_cuda_link(m, code, err);
		if (status == WS_OK)
			status = ws_cuda_open(m, code->source, name, &f, err);
	} else {
		f = LLVMGetNamedFunction(m->module, name);
		if (!f || LLVMIsDeclaration(f) || LLVMGetFunctionCallConv(f) != 76)
			status = no_kernel(m, code->source, name, err);
		if (status == WS_OK)
			status = ws_module_arguments(m, f, err);
	}
	if (status != WS_OK)
		return status;
	make_inline(m, f);
	status = ws_module_passes(m, "globaldce", err);
	m->params = LLVMCountParams(f);
	if (status == WS_OK && code->cuda)
		status = ws_cuda_arguments(m, &f, err);
	*kernel = f;
	return status;
}

/* The kernel's code in the body. */
static enum ws_status inline_all(struct ws_module *m, const struct ws_bitcode *code,
				 LLVMValueRef kernel, struct ws_err *err)
{
	enum ws_status status = find_locals(m, err);

	if (status != WS_OK)
		return status;
	LLVMSetLinkage(kernel, LLVMInternalLinkage);
	build_body(m, kernel);
	status = ws_module_passes(m, "globaldce,always-inline,globaldce", err);
	if (status == WS_OK && code->cuda)
		status = ws_ptx_exits(m, err);
	if (status == WS_OK && code->cuda)
		status = ws_cuda_recursion(m, err);
	if (status == WS_OK)
		status = ws_module_images(m, err);
	if (status == WS_OK && code->cuda)
		status = ws_cuda_bind(m, err);
	if (status == WS_OK)
		status = check_closed(m, code->source, err);
	return status == WS_OK ? move_locals(m, err) : status;
}

enum ws_status ws_module_open(struct ws_module *m, const struct ws_bitcode *code, const char *name,
			      struct ws_err *err)
{
	enum ws_status status = open_target(m, err);
	LLVMValueRef kernel = NULL;

	if (status == WS_OK)
		status = parse_bitcode(m, code, err);
	if (status == WS_OK)
		status = open_kernel(m, code, name, &kernel, err);
	if (status == WS_OK)
		status = inline_all(m, code, kernel, err);
	if (status == WS_OK) {
		bind_context(m);
		bind_carry(m);
		status = ws_module_passes(m, SIMPLIFY, err);
	}
	if (status == WS_OK && code->cuda)
		status = ws_module_generic(m, err);
	return status == WS_OK ? ws_module_print(m, code->source, err) : status;
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
