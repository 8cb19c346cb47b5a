/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/capture/cuda.c -- a module of CUDA device code made what module.c has of OpenCL C.
 *
 * clang compiles device code for NVIDIA's GPUs, whose pointers are generic.  The module is told to
 * be the host's, and its kernel is called by another one that has what OpenCL's have: pointers to
 * global memory, and as further arguments the variables of the module that launches share
 * (__device__, __constant__) and the shared memory whose size a launch tells.  The spaces of
 * accesses then follow from these (generic.c).
 *
 * A kernel is found by its plain name, with template arguments where several have it.
 */
#include "base/demangle.h"
#include "trace/capture/instrument.h"

#include <stdlib.h>
#include <string.h>

#define NAMES_LISTED 12u

/* ---- names ----------------------------------------------------------------------------- */

/* What stands in the brackets behind the name: the types of its parameters. */
static const char *parameters_in(const char *text)
{
	size_t len;
	const char *p = ws_demangled_name(text, &len) + len;

	return *p ? p + 1 : p;
}

/* As the user may write it: blanks do not count. */
static bool same_name(const char *a, const char *b)
{
	for (;; a++, b++) {
		while (*a == ' ')
			a++;
		while (*b == ' ')
			b++;
		if (*a != *b || !*a)
			return *a == *b;
	}
}

/* "mm" is each of mm<float> and mm<double>. */
static bool is_plain_name(const char *plain, const char *full)
{
	size_t len = strlen(plain);

	return strncmp(plain, full, len) == 0 && full[len] == '<';
}

/* ---- the kernel that is asked for ------------------------------------------------------ */

/* Kernels are annotated: { function, "kernel", 1 }. */
static LLVMValueRef annotated_kernel(LLVMValueRef node)
{
	LLVMValueRef part[3];
	unsigned len = 0;
	const char *what;

	if (LLVMGetMDNodeNumOperands(node) != 3)
		return NULL;
	LLVMGetMDNodeOperands(node, part);
	what = part[1] ? LLVMGetMDString(part[1], &len) : NULL;
	if (!what || len != 6 || memcmp(what, "kernel", 6) != 0 || !part[0])
		return NULL;
	return LLVMIsAFunction(part[0]) && !LLVMIsDeclaration(part[0]) ? part[0] : NULL;
}

bool ws_cuda_is_named(const char *name, const char *asked)
{
	return same_name(name, asked) || is_plain_name(asked, name);
}

struct kernel_search {
	const char *name;
	char *full;		/* of the one that is asked for by its mangled name */
	LLVMValueRef exact, plain;
	unsigned plains, listed;
	char list[512];
};

static bool consider(struct kernel_search *s, LLVMValueRef f)
{
	size_t len, used = strlen(s->list);
	const char *mangled = LLVMGetValueName2(f, &len);
	char *name = ws_plain_name(mangled);

	if (!name)
		return false;
	if (same_name(name, s->name))
		s->exact = f;
	if (strcmp(mangled, s->name) == 0) {
		s->exact = f;
		free(s->full);
		s->full = ws_strdup(name);
	}
	if (is_plain_name(s->name, name)) {
		s->plain = f;
		s->plains++;
	}
	if (s->listed++ < NAMES_LISTED)
		snprintf(s->list + used, sizeof s->list - used, "%s%s", used ? ", " : "", name);
	free(name);
	return true;
}

static enum ws_status find_kernel(struct ws_module *m, const char *source, const char *name,
				  LLVMValueRef *kernel, struct ws_err *err)
{
	static const char annotations[] = "nvvm.annotations";
	unsigned count = LLVMGetNamedMetadataNumOperands(m->module, annotations);
	LLVMValueRef *node = ws_alloc_zero(count, sizeof *node);
	struct kernel_search s = { .name = name };
	bool good = node != NULL;

	if (good && count)
		LLVMGetNamedMetadataOperands(m->module, annotations, node);
	for (unsigned i = 0; i < count && good; i++) {
		LLVMValueRef f = annotated_kernel(node[i]);

		good = !f || consider(&s, f);
	}
	free(node);
	if (!good)
		return ws_fail_memory(err, "a kernel's name");
	*kernel = s.exact ? s.exact : s.plains == 1 ? s.plain : NULL;
	if (s.full) {
		free(m->kernel->name);
		m->kernel->name = s.full;
	}
	if (*kernel)
		return WS_OK;
	if (s.plains > 1)
		return ws_fail(err, WS_EINVAL, "%s: kernel '%s' is there %u times: want one of %s",
			       source, name, s.plains, s.list);
	return ws_no_kernel(source, name, *s.list ? s.list : "none, it has no kernel (templates "
			    "are there if they are launched, or instantiated, in the source)", err);
}

/* ---- the module as the host's ---------------------------------------------------------- */

static void forget_target(LLVMValueRef f)
{
	static const char *const name[] = { "target-cpu", "target-features" };
	const LLVMAttributeIndex at = (LLVMAttributeIndex)LLVMAttributeFunctionIndex;

	for (size_t i = 0; i < WS_COUNT(name); i++)
		LLVMRemoveStringAttributeAtIndex(f, at, name[i], (unsigned)strlen(name[i]));
}

static enum ws_status as_host(struct ws_module *m, struct ws_err *err)
{
	char *triple = LLVMGetDefaultTargetTriple();
	char *layout = LLVMCopyStringRepOfTargetData(m->layout);

	if (triple && layout) {
		LLVMSetTarget(m->module, triple);
		LLVMSetDataLayout(m->module, layout);
	}
	ws_cuda_forget_uses(m->module);
	for (LLVMValueRef f = LLVMGetFirstFunction(m->module); f; f = LLVMGetNextFunction(f))
		forget_target(f);
	for (LLVMValueRef g = LLVMGetFirstGlobal(m->module); g; g = LLVMGetNextGlobal(g)) {
		if (!LLVMIsDeclaration(g))
			LLVMSetLinkage(g, LLVMInternalLinkage);
	}
	LLVMDisposeMessage(layout);
	LLVMDisposeMessage(triple);
	return triple && layout ? WS_OK : ws_fail_memory(err, "the host's name");
}

/* What the header declares and C++ has no word for. */
static const char atomics_ir[] =
	"define i32 @__ws_atomic_inc(ptr %p, i32 %v) alwaysinline nounwind {\n"
	"  %r = atomicrmw uinc_wrap ptr %p, i32 %v monotonic\n"
	"  ret i32 %r\n"
	"}\n"
	"define i32 @__ws_atomic_dec(ptr %p, i32 %v) alwaysinline nounwind {\n"
	"  %r = atomicrmw udec_wrap ptr %p, i32 %v monotonic\n"
	"  ret i32 %r\n"
	"}\n";

/* What a texture reference is bound to: the host writes it there. */
static const char reference_ir[] =
	"define i64 @ws.tex.reference(ptr addrspace(1) %p) nounwind willreturn memory(read) {\n"
	"  %r = load i64, ptr addrspace(1) %p\n"
	"  ret i64 %r\n"
	"}\n";

static enum ws_status link_references(struct ws_module *m, struct ws_err *err)
{
	LLVMValueRef handle = LLVMGetNamedFunction(m->module,
						   "llvm.nvvm.texsurf.handle.internal.p1");
	LLVMTypeRef type;
	enum ws_status status;

	if (!handle)
		return WS_OK;
	status = ws_module_link(m, reference_ir, err);
	if (status == WS_OK) {
		LLVMReplaceAllUsesWith(handle, ws_module_linked(m, "ws.tex.reference", &type));
		LLVMDeleteFunction(handle);
	}
	return status;
}

/* { function, "maxntidx", 128 } of __launch_bounds__(128); 0: there is none. */
static unsigned launch_bound(LLVMModuleRef module, LLVMValueRef kernel)
{
	static const char annotations[] = "nvvm.annotations", key[] = "maxntidx";
	unsigned count = LLVMGetNamedMetadataNumOperands(module, annotations), bound = 0;
	LLVMValueRef *node = ws_alloc_zero(count, sizeof *node), part[3];

	if (node && count)
		LLVMGetNamedMetadataOperands(module, annotations, node);
	for (unsigned i = 0; node && i < count; i++) {
		const char *what;
		unsigned len = 0;

		if (LLVMGetMDNodeNumOperands(node[i]) != 3)
			continue;
		LLVMGetMDNodeOperands(node[i], part);
		what = part[1] ? LLVMGetMDString(part[1], &len) : NULL;
		if (part[0] == kernel && what && len == sizeof key - 1 &&
		    memcmp(what, key, len) == 0 && part[2] && LLVMIsAConstantInt(part[2]))
			bound = (unsigned)LLVMConstIntGetZExtValue(part[2]);
	}
	free(node);
	return bound;
}

/* What the kernel cannot come to goes first, since all that follows looks at the whole module: a
 * source of templates may have a hundred kernels. */
static enum ws_status keep_reached(struct ws_module *m, LLVMValueRef kernel, struct ws_err *err)
{
	bool pointers = ws_cuda_calls_pointers(m->module);

	ws_cuda_forget_uses(m->module);
	for (LLVMValueRef f = LLVMGetFirstFunction(m->module); f; f = LLVMGetNextFunction(f)) {
		if (f != kernel && !LLVMIsDeclaration(f) && !(pointers && ws_cuda_is_numbered(f)))
			LLVMSetLinkage(f, LLVMInternalLinkage);
	}
	for (LLVMValueRef g = LLVMGetFirstGlobal(m->module); g; g = LLVMGetNextGlobal(g)) {
		if (!LLVMIsDeclaration(g))
			LLVMSetLinkage(g, LLVMInternalLinkage);
	}
	LLVMSetLinkage(kernel, LLVMExternalLinkage);
	return ws_module_passes(m, "globaldce", err);
}

enum ws_status ws_cuda_open(struct ws_module *m, const char *source, const char *name,
			    LLVMValueRef *kernel, struct ws_err *err)
{
	enum ws_status status = find_kernel(m, source, name, kernel, err);

	if (status == WS_OK) {
		m->kernel->cta_most = launch_bound(m->module, *kernel);
		status = keep_reached(m, *kernel, err);
	}
	if (status == WS_OK) {
		m->kernel->registers = ws_cuda_registers(m->module, *kernel);
		status = as_host(m, err);
	}
	if (status == WS_OK)
		status = link_references(m, err);
	if (status == WS_OK)
		status = ws_cuda_ptx(m, err);
	if (status == WS_OK) {
		ws_cuda_define(m);
		ws_cuda_exact(m);
		ws_cuda_choose_functions(m);
	}
	return status == WS_OK ? ws_module_link(m, atomics_ir, err) : status;
}

/* ---- arguments ------------------------------------------------------------------------- */

/* CUDA's names of element types as OpenCL's, the longest first. */
static const struct {
	const char *cuda, *opencl;
} element[] = {
	{ "unsigned long long", "ulong" }, { "unsigned short", "ushort" },
	{ "unsigned char", "uchar" },	   { "unsigned long", "ulong" },
	{ "unsigned int", "uint" },	   { "signed char", "char" },
	{ "long long", "long" },	   { "bool", "uchar" },
};

/* "float*" of "float const* restrict", "uint" of "unsigned int". */
static char *base_type(const char *text)
{
	char *out = ws_strdup(text), *at;

	for (size_t i = 0; out && i < WS_COUNT(element); i++) {
		size_t len = strlen(element[i].cuda), with = strlen(element[i].opencl);

		if (strncmp(out, element[i].cuda, len) != 0)
			continue;
		memmove(out + with, out + len, strlen(out + len) + 1);
		memcpy(out, element[i].opencl, with);
		break;
	}
	if (out && (at = strstr(out, " const")))
		memmove(at, at + 6, strlen(at + 6) + 1);
	if (out && (at = strchr(out, '*')))
		at[1] = '\0';
	return out;
}

static const char *plain_type(LLVMTypeRef type)
{
	switch (LLVMGetTypeKind(type)) {
	case LLVMFloatTypeKind:
		return "float";
	case LLVMDoubleTypeKind:
		return "double";
	case LLVMIntegerTypeKind:
		return LLVMGetIntTypeWidth(type) == 64 ? "long" : "int";
	case LLVMPointerTypeKind:
		return "void*";
	default:
		return "?";
	}
}

static bool name_argument(struct ws_kernel_arg *arg, const char *name, const char *type)
{
	arg->name = ws_strdup(name);
	arg->type = ws_strdup(type);
	arg->base = base_type(type);
	return arg->name && arg->type && arg->base;
}

/* The type of the next parameter in a demangled text, and where the one behind it is. */
static char *next_type(const char **at, LLVMTypeRef type)
{
	const char *begin = *at, *end;

	if (!begin)
		return ws_strdup(plain_type(type));
	end = ws_skip_nested(begin, ",");
	*at = *end == ',' ? end + 1 + (end[1] == ' ') : end;
	return strndup(begin, (size_t)(end - begin));
}

static LLVMAttributeRef by_value(LLVMValueRef f, unsigned i)
{
	return LLVMGetEnumAttributeAtIndex(f, i + 1, LLVMGetEnumAttributeKindForName("byval", 5));
}

/* Of parameter i, where a launch's arguments lie one behind the other. */
static size_t alignment(const struct ws_module *m, LLVMValueRef f, unsigned i)
{
	LLVMAttributeRef a = LLVMGetEnumAttributeAtIndex(
		f, i + 1, LLVMGetEnumAttributeKindForName("align", 5));

	if (by_value(f, i) && a)
		return (size_t)LLVMGetEnumAttributeValue(a);
	return LLVMABIAlignmentOfType(m->layout, LLVMTypeOf(LLVMGetParam(f, i)));
}

static bool describe(struct ws_module *m, LLVMValueRef f, unsigned i, const char **types)
{
	struct ws_kernel_arg *arg = &m->kernel->arg[i];
	LLVMValueRef param = LLVMGetParam(f, i);
	LLVMTypeRef type = LLVMTypeOf(param);
	LLVMAttributeRef value = by_value(f, i);
	size_t len;
	const char *name = LLVMGetValueName2(param, &len);
	char *text = next_type(types, type);
	bool good = text && name_argument(arg, *name ? name : "?", text);

	free(text);
	arg->kind = WS_ARG_VALUE;
	arg->bytes = LLVMABISizeOfType(m->layout, value ? LLVMGetTypeAttributeValue(value) : type);
	arg->align = alignment(m, f, i);
	arg->integer = LLVMGetTypeKind(type) == LLVMIntegerTypeKind;
	if (!value && LLVMGetTypeKind(type) == LLVMPointerTypeKind)
		arg->kind = WS_ARG_GLOBAL;
	return good;
}

/* Shared memory whose size the launch tells. */
static bool is_dynamic(LLVMValueRef g)
{
	return LLVMGetPointerAddressSpace(LLVMTypeOf(g)) == 3 && LLVMIsDeclaration(g) &&
	       LLVMGetFirstUse(g);
}

/* Is v, or an address made from it, kept or given to a function?  Else it is only loaded from. */
static bool is_taken(LLVMValueRef v)
{
	for (LLVMUseRef u = LLVMGetFirstUse(v); u; u = LLVMGetNextUse(u)) {
		LLVMValueRef by = LLVMGetUser(u);
		bool place = LLVMIsAConstantExpr(by) || LLVMIsAGetElementPtrInst(by) ||
			     LLVMIsAAddrSpaceCastInst(by);

		if (place ? is_taken(by) : !LLVMIsALoadInst(by) && !LLVMIsAMemCpyInst(by))
			return true;
	}
	return false;
}

/* threadIdx and its like, which have no memory. */
static bool is_register(LLVMValueRef g)
{
	LLVMTypeRef type = LLVMGlobalGetValueType(g);
	bool structure = LLVMGetTypeKind(type) == LLVMStructTypeKind;
	const char *name = structure ? LLVMGetStructName(type) : NULL;

	return name && strncmp(name, "struct.__ws_", 12) == 0;
}

static bool has_index(LLVMValueRef place)
{
	bool any = false;

	for (int k = LLVMGetNumOperands(place); --k > 0;)
		any |= !LLVMIsAConstant(LLVMGetOperand(place, (unsigned)k));
	return any;
}

/* Is it a table, read at a place that is not known before?  Others are numbers in the code. */
static bool is_indexed(LLVMValueRef v)
{
	for (LLVMUseRef u = LLVMGetFirstUse(v); u; u = LLVMGetNextUse(u)) {
		LLVMValueRef by = LLVMGetUser(u);
		bool place = LLVMIsAGetElementPtrInst(by) != NULL;

		if ((place && has_index(by)) ||
		    ((place || LLVMIsAConstantExpr(by) || LLVMIsAAddrSpaceCastInst(by)) &&
		     is_indexed(by)))
			return true;
	}
	return false;
}

/* A constant that is a table, or is read through pointers: accesses know its address. */
static bool is_pointed_to(LLVMValueRef g)
{
	return LLVMGetLinkage(g) != LLVMPrivateLinkage && LLVMGetInitializer(g) &&
	       !is_register(g) && (is_taken(g) || is_indexed(g));
}

/* A variable that is there for all launches. */
static bool is_variable(LLVMValueRef g)
{
	unsigned space = LLVMGetPointerAddressSpace(LLVMTypeOf(g));

	return (space == 1 || space == 4) && LLVMGetFirstUse(g) &&
	       (!LLVMIsGlobalConstant(g) || is_pointed_to(g));
}

static const char *element_of(LLVMTypeRef type)
{
	while (LLVMGetTypeKind(type) == LLVMArrayTypeKind)
		type = LLVMGetElementType(type);
	return plain_type(type);
}

/* Renames g by its plain name, and makes it the next argument, of a value that is not known. */
static bool add_variable(struct ws_module *m, LLVMValueRef g, enum ws_arg_kind kind)
{
	struct ws_kernel_arg *arg = &m->kernel->arg[m->kernel->args++];
	size_t len;
	const char *name = LLVMGetValueName2(g, &len);
	char *text = ws_demangle(name), *colon = text ? strrchr(text, ':') : NULL, type[32];
	bool good;

	LLVMSetGlobalConstant(g, false);
	snprintf(type, sizeof type, "%s*", element_of(LLVMGlobalGetValueType(g)));
	good = name_argument(arg, colon ? colon + 1 : text ? text : name, type);
	arg->kind = kind;
	arg->bytes = sizeof(void *);
	arg->symbol = kind == WS_ARG_LOCAL ? NULL : ws_strdup(name);
	arg->extent = LLVMABISizeOfType(m->layout, LLVMGlobalGetValueType(g));
	free(text);
	return good && (arg->symbol || kind == WS_ARG_LOCAL);
}

static LLVMTypeRef pointer_to(const struct ws_module *m, unsigned space)
{
	return LLVMPointerTypeInContext(m->context, space);
}

/* Counts, and if `add` is set makes arguments of, what a launch is given beside the parameters. */
static bool variables(struct ws_module *m, bool add, size_t *count)
{
	bool dynamic = false, good = true;
	LLVMValueRef g;

	*count = 0;
	for (g = LLVMGetFirstGlobal(m->module); g && good; g = LLVMGetNextGlobal(g)) {
		bool constant = LLVMGetPointerAddressSpace(LLVMTypeOf(g)) == 4;

		if (!is_variable(g))
			continue;
		++*count;
		good = !add || add_variable(m, g, constant ? WS_ARG_CONSTANT : WS_ARG_GLOBAL);
	}
	for (g = LLVMGetFirstGlobal(m->module); g && good && !dynamic; g = LLVMGetNextGlobal(g)) {
		dynamic = is_dynamic(g);
		good = !dynamic || !add || add_variable(m, g, WS_ARG_LOCAL);
	}
	*count += dynamic;
	return good;
}

static enum ws_status describe_all(struct ws_module *m, LLVMValueRef f, struct ws_err *err)
{
	unsigned count = LLVMCountParams(f);
	struct ws_kernel *k = m->kernel;
	size_t more, len;
	char *text = ws_demangle(LLVMGetValueName2(f, &len));
	const char *types = text ? parameters_in(text) : NULL;
	bool good = variables(m, false, &more);

	if (count + more >= WS_ARG_MAX) {
		free(text);
		return ws_fail(err, WS_EINPUT, "kernel %s has %zu arguments and variables, want at "
			       "most %u", k->name, count + more, WS_ARG_MAX - 1);
	}
	k->arg = ws_alloc_zero(count + more, sizeof *k->arg);
	good = good && k->arg;
	for (unsigned i = 0; i < count && good; i++) {
		k->args++;
		good = describe(m, f, i, &types);
	}
	good = good && variables(m, true, &more);
	free(text);
	return good ? WS_OK : ws_fail_memory(err, "a kernel's arguments");
}

/* ---- the kernel with these arguments --------------------------------------------------- */

static LLVMTypeRef parameter_type(const struct ws_module *m, LLVMValueRef f, unsigned i)
{
	switch (m->kernel->arg[i].kind) {
	case WS_ARG_GLOBAL:
		return pointer_to(m, 1);
	case WS_ARG_CONSTANT:
		return pointer_to(m, 2);
	case WS_ARG_LOCAL:
		return pointer_to(m, 3);
	default:
		return LLVMTypeOf(LLVMGetParam(f, i));
	}
}

enum ws_status ws_cuda_arguments(struct ws_module *m, LLVMValueRef *kernel, struct ws_err *err)
{
	LLVMValueRef f = *kernel, argument[WS_ARG_MAX], call, outer;
	enum ws_status status = describe_all(m, f, err);
	unsigned count = LLVMCountParams(f), args = (unsigned)m->kernel->args;
	LLVMTypeRef type[WS_ARG_MAX];

	if (status != WS_OK)
		return status;
	for (unsigned i = 0; i < args; i++)
		type[i] = parameter_type(m, f, i);
	outer = LLVMAddFunction(m->module, "", LLVMFunctionType(m->none, type, args, 0));
	LLVMPositionBuilderAtEnd(m->builder,
				 LLVMAppendBasicBlockInContext(m->context, outer, "entry"));
	for (unsigned i = 0; i < count; i++) {
		argument[i] = LLVMGetParam(outer, i);
		if (m->kernel->arg[i].kind == WS_ARG_GLOBAL)
			argument[i] = LLVMBuildAddrSpaceCast(m->builder, argument[i], m->ptr, "");
		else if (by_value(f, i))
			LLVMAddAttributeAtIndex(outer, i + 1, by_value(f, i));
	}
	call = LLVMBuildCall2(m->builder, LLVMGlobalGetValueType(f), f, argument, count, "");
	for (unsigned i = 0; i < count; i++) {
		if (by_value(f, i))
			LLVMAddCallSiteAttribute(call, i + 1, by_value(f, i));
	}
	LLVMBuildRetVoid(m->builder);
	m->kernel->inside = true;
	LLVMSetLinkage(f, LLVMInternalLinkage);
	LLVMAddAttributeAtIndex(outer, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
				LLVMCreateEnumAttribute(m->context, LLVMGetEnumAttributeKindForName(
							"alwaysinline", 12), 0));
	*kernel = outer;
	return WS_OK;
}

/* ---- variables as parameters of the body ----------------------------------------------- */

enum ws_status ws_cuda_bind(struct ws_module *m, struct ws_err *err)
{
	LLVMValueRef next, g, first = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(m->body));
	size_t dynamic = m->kernel->args - 1, i = m->params;
	enum ws_status status = WS_OK;

	LLVMPositionBuilderBefore(m->builder, first);
	for (g = LLVMGetFirstGlobal(m->module); g && status == WS_OK; g = next) {
		bool shared = is_dynamic(g);
		LLVMValueRef value;
		size_t len;

		next = LLVMGetNextGlobal(g);
		if (!shared && !is_variable(g))
			continue;
		value = LLVMGetParam(m->body, (unsigned)(1 + (shared ? dynamic : i++)));
		if (LLVMTypeOf(value) != LLVMTypeOf(g))
			value = LLVMBuildAddrSpaceCast(m->builder, value, LLVMTypeOf(g), "");
		status = ws_module_replace(m, g, value);
		if (status == WS_EINPUT)
			return ws_fail(err, WS_EINPUT, "kernel %s: an unsupported use of variable "
				       "%s", m->kernel->name, LLVMGetValueName2(g, &len));
		if (status != WS_OK)
			return ws_fail_memory(err, "a kernel's variables");
		LLVMReplaceAllUsesWith(g, LLVMGetUndef(LLVMTypeOf(g))); /* of dead constants */
		LLVMDeleteGlobal(g);
	}
	return WS_OK;
}
