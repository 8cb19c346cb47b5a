/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/capture/separate.c -- separate compilation: functions and variables that a module of CUDA
 * device code declares, and another one of the program defines.
 */
#include "trace/capture/instrument.h"

#include <llvm-c/BitReader.h>
#include <llvm-c/Linker.h>
#include <stdlib.h>
#include <string.h>

static bool is_missing(LLVMValueRef v)
{
	size_t len;
	const char *name = LLVMGetValueName2(v, &len);

	return LLVMIsDeclaration(v) && strncmp(name, "llvm.", 5) != 0 &&
	       (LLVMGetFirstUse(v) || (LLVMIsAFunction(v) && ws_cuda_is_numbered(v)));
}

/* Does it define what the module only declares? */
static bool defines(LLVMModuleRef other, LLVMValueRef missing)
{
	size_t len;
	const char *name = LLVMGetValueName2(missing, &len);
	LLVMValueRef v = LLVMIsAFunction(missing) ? LLVMGetNamedFunction(other, name)
						  : LLVMGetNamedGlobal(other, name);

	return v && !LLVMIsDeclaration(v);
}

/* A function whose address it uses, and nothing that both define: two programs in one, linked only
 * because objects of the one may be used by the other. */
static bool has_pointers(const struct ws_module *m, LLVMModuleRef other)
{
	bool any = false;

	for (LLVMValueRef f = LLVMGetFirstFunction(other); f; f = LLVMGetNextFunction(f)) {
		any |= !LLVMIsDeclaration(f) && ws_cuda_is_numbered(f);
		if (!LLVMIsDeclaration(f) && LLVMGetLinkage(f) == LLVMExternalLinkage &&
		    defines(m->module, f))
			return false;
	}
	for (LLVMValueRef g = LLVMGetFirstGlobal(other); g; g = LLVMGetNextGlobal(g)) {
		if (!LLVMIsDeclaration(g) && LLVMGetLinkage(g) == LLVMExternalLinkage &&
		    defines(m->module, g))
			return false;
	}
	return any;
}

static bool is_wanted(const struct ws_module *m, LLVMModuleRef other)
{
	LLVMValueRef v;

	if (ws_cuda_calls_pointers(m->module) && has_pointers(m, other))
		return true;
	for (v = LLVMGetFirstFunction(m->module); v; v = LLVMGetNextFunction(v)) {
		if (is_missing(v) && defines(other, v))
			return true;
	}
	for (v = LLVMGetFirstGlobal(m->module); v; v = LLVMGetNextGlobal(v)) {
		if (is_missing(v) && defines(other, v))
			return true;
	}
	return false;
}

void ws_cuda_forget_uses(LLVMModuleRef module)
{
	static const char *const list[] = { "llvm.compiler.used", "llvm.used" };

	for (size_t i = 0; i < WS_COUNT(list); i++) {
		LLVMValueRef g = LLVMGetNamedGlobal(module, list[i]);

		if (g)
			LLVMDeleteGlobal(g);
	}
}

/* Kernels whose addresses were asked for by name alone (ws_cuda_pointed) stay kernels. */
static void forget_names(LLVMModuleRef module)
{
	LLVMValueRef g, next;
	size_t len;

	for (g = LLVMGetFirstGlobal(module); g; g = next) {
		next = LLVMGetNextGlobal(g);
		if (strncmp(LLVMGetValueName2(g, &len), WS_CUDA_POINTED,
			    strlen(WS_CUDA_POINTED)) == 0)
			LLVMDeleteGlobal(g);
	}
}

static enum ws_status link_other(struct ws_module *m, const struct ws_bitcode *code, bool *linked,
				 struct ws_err *err)
{
	LLVMMemoryBufferRef memory = LLVMCreateMemoryBufferWithMemoryRange(
		(const char *)code->data.data, code->data.len, "other", 0);
	LLVMModuleRef other = NULL;
	int failed = LLVMParseBitcodeInContext2(m->context, memory, &other);

	LLVMDisposeMemoryBuffer(memory);
	if (failed)
		return ws_fail(err, WS_EFORMAT, "%s: LLVM cannot read the bitcode that clang wrote",
			       code->source);
	ws_cuda_forget_uses(other);
	ws_cuda_number_functions(other, code->source);
	if (!is_wanted(m, other)) {
		LLVMDisposeModule(other);
		return WS_OK;
	}
	*linked = true;
	ws_cuda_share_numbers(m->module, other);
	ws_cuda_share_numbers(other, m->module); /* those that yet another one defines */
	if (LLVMLinkModules2(m->module, other))
		return ws_fail(err, WS_EINPUT, "%s: it cannot be linked to other device code: does "
			       "it define what another file does, too?", code->source);
	return WS_OK;
}

enum ws_status ws_cuda_link(struct ws_module *m, const struct ws_bitcode *code, struct ws_err *err)
{
	bool *done = ws_alloc_zero(code->others, sizeof *done), linked = code->others > 0;
	enum ws_status status = done ? WS_OK : ws_fail_memory(err, "a program's device code");

	ws_cuda_forget_uses(m->module);
	forget_names(m->module);
	ws_cuda_number_functions(m->module, code->source);
	while (linked && status == WS_OK) { /* what was linked may miss something, too */
		linked = false;
		for (size_t i = 0; i < code->others && status == WS_OK; i++) {
			bool now = false;

			if (!done[i])
				status = link_other(m, code->other[i], &now, err);
			done[i] |= now;
			linked |= now;
		}
	}
	free(done);
	return status;
}
