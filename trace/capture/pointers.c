/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/capture/pointers.c -- functions of CUDA device code that are called through pointers,
 * virtual ones among them.
 *
 * A kernel is one function in the end (module.c), made for itself, while pointers to functions lie
 * in memory that other kernels read.  So the address of a function is a number that follows from
 * its name.  A call through a pointer asks for the number of each function of its type, and calls
 * that one: threads of a warp that call different functions diverge, as on a GPU.  A class's table
 * of virtual functions becomes a variable of the program, since objects point to it.
 */
#include "trace/capture/instrument.h"

#include <inttypes.h>
#include <llvm-c/DebugInfo.h>
#include <stdlib.h>
#include <string.h>

#define NUMBER	"ws-number" /* attribute of a function whose address is used */
#define ADDRESS UINT64_C(0x4000000000000000) /* of none of the host's functions */

static const LLVMAttributeIndex of_function = (LLVMAttributeIndex)LLVMAttributeFunctionIndex;

/* ---- numbers --------------------------------------------------------------------------- */

static uint64_t add_hash(uint64_t hash, const char *text)
{
	for (; *text; text++)
		hash = (hash ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
	return hash;
}

/* Two files of a program may each have a function of a name that is theirs alone. */
static uint64_t number_for(LLVMValueRef f, const char *source)
{
	size_t len;
	uint64_t hash = add_hash(UINT64_C(0xcbf29ce484222325), LLVMGetValueName2(f, &len));

	if (LLVMGetLinkage(f) == LLVMInternalLinkage)
		hash = add_hash(hash, source);
	return ADDRESS | hash >> 2;
}

/* 0: it has none. */
static uint64_t given_number(LLVMValueRef f)
{
	LLVMAttributeRef a = LLVMGetStringAttributeAtIndex(f, of_function, NUMBER,
							   sizeof NUMBER - 1);
	unsigned len;

	return a ? strtoull(LLVMGetStringAttributeValue(a, &len), NULL, 16) : 0;
}

static void set_number(LLVMValueRef f, uint64_t number)
{
	char text[17];

	snprintf(text, sizeof text, "%016" PRIx64, number);
	LLVMAddAttributeAtIndex(f, of_function,
				LLVMCreateStringAttribute(LLVMGetModuleContext(
								  LLVMGetGlobalParent(f)),
							  NUMBER, sizeof NUMBER - 1, text, 16));
}

/* A function's number as a constant that stands for its address; 0: another constant. */
static uint64_t number_in(LLVMValueRef v)
{
	if (!LLVMIsAConstantExpr(v) || LLVMGetConstOpcode(v) != LLVMIntToPtr ||
	    !LLVMIsAConstantInt(LLVMGetOperand(v, 0)))
		return 0;
	return LLVMConstIntGetZExtValue(LLVMGetOperand(v, 0));
}

uint64_t ws_cuda_number(LLVMValueRef constant)
{
	return number_in(constant);
}

static LLVMValueRef numbered(LLVMModuleRef module, uint64_t number)
{
	for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
		if (given_number(f) == number)
			return f;
	}
	return NULL;
}

/* f(calls[i], data) of each call of the module's functions, which it may replace. */
static void each_call(LLVMModuleRef module, void f(LLVMValueRef call, void *data), void *data)
{
	LLVMValueRef g, i, next;
	LLVMBasicBlockRef b;

	for (g = LLVMGetFirstFunction(module); g; g = LLVMGetNextFunction(g)) {
		for (b = LLVMGetFirstBasicBlock(g); b; b = LLVMGetNextBasicBlock(b)) {
			for (i = LLVMGetFirstInstruction(b); i; i = next) {
				next = LLVMGetNextInstruction(i);
				if (LLVMIsACallInst(i))
					f(i, data);
			}
		}
	}
}

/* A call of a function that is known calls it again. */
static void call_by_name(LLVMValueRef call, void *data)
{
	uint64_t number = number_in(LLVMGetCalledValue(call));
	LLVMValueRef f = number ? numbered(data, number) : NULL;

	if (f)
		LLVMSetOperand(call, (unsigned)LLVMGetNumOperands(call) - 1, f);
}

/* Linking drops a function that nothing calls by its name; this one is kept. */
static void keep_linked(LLVMValueRef f, uint64_t number)
{
	char *name = NULL;
	size_t len;

	if (LLVMIsDeclaration(f))
		return;
	if (LLVMGetLinkage(f) == LLVMLinkOnceODRLinkage) {
		LLVMSetLinkage(f, LLVMWeakODRLinkage);
	} else if (LLVMGetLinkage(f) == LLVMInternalLinkage &&
		   asprintf(&name, "%s.%016" PRIx64, LLVMGetValueName2(f, &len),
			    number) >= 0) {
		LLVMSetValueName2(f, name, strlen(name));
		LLVMSetLinkage(f, LLVMExternalLinkage);
		free(name);
	}
}

static bool is_address_used(LLVMValueRef f)
{
	for (LLVMUseRef u = LLVMGetFirstUse(f); u; u = LLVMGetNextUse(u)) {
		LLVMValueRef user = LLVMGetUser(u);

		if (!LLVMIsACallInst(user) || LLVMGetCalledValue(user) != f)
			return true;
		for (int i = 0; i < LLVMGetNumOperands(user) - 1; i++) {
			if (LLVMGetOperand(user, (unsigned)i) == f)
				return true;
		}
	}
	return false;
}

void ws_cuda_number_functions(LLVMModuleRef module, const char *source)
{
	LLVMTypeRef i64 = LLVMInt64TypeInContext(LLVMGetModuleContext(module));
	bool any = false;

	for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
		uint64_t number = number_for(f, source);

		if (LLVMGetIntrinsicID(f) || !is_address_used(f))
			continue;
		set_number(f, number);
		LLVMReplaceAllUsesWith(f, LLVMConstIntToPtr(LLVMConstInt(i64, number, 0),
							    LLVMTypeOf(f)));
		keep_linked(f, number);
		any = true;
	}
	if (any)
		each_call(module, call_by_name, module);
}

/* ---- of several files ------------------------------------------------------------------ */

bool ws_cuda_is_numbered(LLVMValueRef f)
{
	return given_number(f) != 0;
}

static void note_pointer(LLVMValueRef call, void *data)
{
	LLVMValueRef callee = LLVMGetCalledValue(call);

	if (!LLVMIsAFunction(callee) && !LLVMIsAInlineAsm(callee))
		*(bool *)data = true;
}

bool ws_cuda_calls_pointers(LLVMModuleRef module)
{
	bool any = false;

	each_call(module, note_pointer, &any);
	return any;
}

void ws_cuda_share_numbers(LLVMModuleRef from, LLVMModuleRef to)
{
	for (LLVMValueRef f = LLVMGetFirstFunction(from); f; f = LLVMGetNextFunction(f)) {
		uint64_t number = given_number(f);
		LLVMValueRef g;
		size_t len;

		if (!number || LLVMGetLinkage(f) == LLVMInternalLinkage)
			continue;
		g = LLVMGetNamedFunction(to, LLVMGetValueName2(f, &len));
		if (!g && LLVMIsDeclaration(f)) /* else it is forgotten, as one without uses */
			g = LLVMAddFunction(to, LLVMGetValueName2(f, &len),
					    LLVMGlobalGetValueType(f));
		if (g)
			set_number(g, number);
	}
}

/* ---- tables of virtual functions ------------------------------------------------------- */

/* In global memory, as a variable that all kernels share. */
static void move_tables(struct ws_module *m)
{
	LLVMValueRef g, next, moved;

	for (g = LLVMGetFirstGlobal(m->module); g; g = next) {
		size_t len;
		char *name = strdup(LLVMGetValueName2(g, &len));
		LLVMTypeRef type = LLVMGlobalGetValueType(g);

		next = LLVMGetNextGlobal(g);
		if (name && strncmp(name, "_ZTV", 4) == 0 && LLVMGetFirstUse(g) &&
		    LLVMGetPointerAddressSpace(LLVMTypeOf(g)) == 0) {
			moved = LLVMAddGlobalInAddressSpace(m->module, type, "", 1);
			LLVMSetInitializer(moved, LLVMConstNull(type));
			LLVMSetLinkage(moved, LLVMInternalLinkage);
			LLVMReplaceAllUsesWith(g, LLVMConstAddrSpaceCast(moved, LLVMTypeOf(g)));
			LLVMDeleteGlobal(g);
			LLVMSetValueName2(moved, name, strlen(name));
		}
		free(name);
	}
}

/* ---- calls ----------------------------------------------------------------------------- */

/* NULL: the argument is a plain value.  Else it is a pointer to a copy that the callee owns. */
static LLVMAttributeRef by_value_at(LLVMValueRef call, unsigned i)
{
	return LLVMGetCallSiteEnumAttribute(call, i + 1,
					    LLVMGetEnumAttributeKindForName("byval", 5));
}

static bool is_callable(LLVMValueRef f, LLVMValueRef call)
{
	unsigned params = LLVMCountParams(f), kind = LLVMGetEnumAttributeKindForName("byval", 5);

	if (LLVMIsDeclaration(f) || !given_number(f) ||
	    LLVMGlobalGetValueType(f) != LLVMGetCalledFunctionType(call))
		return false;
	for (unsigned i = 0; i < params; i++) {
		if (LLVMGetEnumAttributeAtIndex(f, i + 1, kind) != by_value_at(call, i))
			return false;
	}
	return true;
}

/* Calls f with the parameters of `choice` behind its first, and returns what it returns. */
static void build_call(struct ws_module *m, LLVMValueRef choice, LLVMValueRef f)
{
	unsigned params = LLVMCountParams(f);
	LLVMValueRef *argument = ws_alloc_zero(params + 1, sizeof(LLVMValueRef)), call;
	LLVMTypeRef type = LLVMGlobalGetValueType(f);

	if (!argument)
		return;
	for (unsigned i = 0; i < params; i++)
		argument[i] = LLVMGetParam(choice, i + 1);
	call = LLVMBuildCall2(m->builder, type, f, argument, params, "");
	for (unsigned i = 0; i < params; i++) {
		LLVMAttributeRef a = LLVMGetEnumAttributeAtIndex(
			f, i + 1, LLVMGetEnumAttributeKindForName("byval", 5));

		if (a)
			LLVMAddCallSiteAttribute(call, i + 1, a);
	}
	if (LLVMGetReturnType(type) == m->none)
		LLVMBuildRetVoid(m->builder);
	else
		LLVMBuildRet(m->builder, call);
	free(argument);
}

/* The function that a pointer, its first parameter, stands for, called with the others. */
static LLVMValueRef build_choice(struct ws_module *m, LLVMValueRef call, unsigned line)
{
	LLVMTypeRef called = LLVMGetCalledFunctionType(call), type[WS_ARG_MAX + 1] = { m->ptr };
	LLVMValueRef choice, number, which;
	LLVMBasicBlockRef entry, none;

	LLVMGetParamTypes(called, type + 1);
	choice = LLVMAddFunction(m->module, "ws_cuda_choice",
				 LLVMFunctionType(LLVMGetReturnType(called), type,
						  LLVMCountParamTypes(called) + 1, 0));
	entry = LLVMAppendBasicBlockInContext(m->context, choice, "entry");
	none = LLVMAppendBasicBlockInContext(m->context, choice, "none");
	LLVMPositionBuilderAtEnd(m->builder, none);
	ws_cuda_bad_call(m, WS_CALL_NOWHERE, line);
	LLVMBuildUnreachable(m->builder);
	LLVMPositionBuilderAtEnd(m->builder, entry);
	number = LLVMBuildPtrToInt(m->builder, LLVMGetParam(choice, 0), m->i64, "");
	which = LLVMBuildSwitch(m->builder, number, none, 0);
	for (LLVMValueRef f = LLVMGetFirstFunction(m->module); f; f = LLVMGetNextFunction(f)) {
		LLVMBasicBlockRef block;

		if (!is_callable(f, call))
			continue;
		block = LLVMAppendBasicBlockInContext(m->context, choice, "call");
		LLVMAddCase(which, LLVMConstInt(m->i64, given_number(f), 0), block);
		LLVMPositionBuilderAtEnd(m->builder, block);
		build_call(m, choice, f);
	}
	return choice;
}

static void replace_call(LLVMValueRef call, void *data)
{
	struct ws_module *m = data;
	LLVMValueRef callee = LLVMGetCalledValue(call), argument[WS_ARG_MAX + 1], f, made;
	unsigned args = LLVMGetNumArgOperands(call);

	if (LLVMIsAFunction(callee) || LLVMIsAInlineAsm(callee) || args >= WS_ARG_MAX ||
	    LLVMIsFunctionVarArg(LLVMGetCalledFunctionType(call)))
		return;
	f = build_choice(m, call, LLVMGetDebugLocLine(call));
	argument[0] = callee;
	for (unsigned i = 0; i < args; i++)
		argument[i + 1] = LLVMGetOperand(call, i);
	LLVMPositionBuilderBefore(m->builder, call);
	LLVMSetCurrentDebugLocation2(m->builder, LLVMInstructionGetDebugLoc(call));
	made = LLVMBuildCall2(m->builder, LLVMGlobalGetValueType(f), f, argument, args + 1, "");
	LLVMSetCurrentDebugLocation2(m->builder, NULL);
	for (unsigned i = 0; i < args; i++) {
		LLVMAttributeRef a = by_value_at(call, i);

		if (a) {
			LLVMAddCallSiteAttribute(made, i + 2, a);
			LLVMAddAttributeAtIndex(f, i + 2, a);
		}
	}
	LLVMReplaceAllUsesWith(call, made);
	LLVMInstructionEraseFromParent(call);
}

void ws_cuda_choose_functions(struct ws_module *m)
{
	move_tables(m);
	each_call(m->module, replace_call, m);
}

/* ---- calls that go wrong ---------------------------------------------------------------- */

void ws_cuda_bad_call(struct ws_module *m, enum ws_bad_call what, unsigned line)
{
	LLVMTypeRef type[3] = { m->ptr, m->i32, m->i32 }, t_bad, t_ctx;
	LLVMValueRef bad = LLVMGetNamedFunction(m->module, "__ws_bad_call"), argument[3];
	LLVMValueRef ctx = LLVMGetNamedFunction(m->module, "__ws_ctx");

	t_bad = LLVMFunctionType(m->none, type, 3, 0);
	t_ctx = LLVMFunctionType(m->ptr, NULL, 0, 0);
	if (!bad)
		bad = LLVMAddFunction(m->module, "__ws_bad_call", t_bad);
	if (!ctx)
		ctx = LLVMAddFunction(m->module, "__ws_ctx", t_ctx);
	argument[0] = LLVMBuildCall2(m->builder, t_ctx, ctx, NULL, 0, "");
	argument[1] = LLVMConstInt(m->i32, what, 0);
	argument[2] = LLVMConstInt(m->i32, line, 0);
	LLVMBuildCall2(m->builder, t_bad, bad, argument, 3, "");
}
