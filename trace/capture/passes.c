/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/capture/passes.c -- what is done to a module as a whole: LLVM's passes run over it, and
 * functions in LLVM's assembly become part of it.
 */
#include "trace/capture/instrument.h"

#include <llvm-c/Error.h>
#include <llvm-c/IRReader.h>
#include <llvm-c/Linker.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <string.h>

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
		enum ws_status status = ws_fail(err, WS_EIO, "LLVM: %s", message);

		LLVMDisposeErrorMessage(message);
		return status;
	}
	return WS_OK;
}

enum ws_status ws_module_link(struct ws_module *m, const char *ir, struct ws_err *err)
{
	LLVMMemoryBufferRef memory =
		LLVMCreateMemoryBufferWithMemoryRangeCopy(ir, strlen(ir), "runtime");
	LLVMModuleRef runtime;
	char *message = NULL;

	if (LLVMParseIRInContext(m->context, memory, &runtime, &message)) {
		enum ws_status status = ws_fail(err, WS_EIO, "LLVM: %s", message);

		LLVMDisposeMessage(message);
		return status;
	}
	LLVMSetTarget(runtime, LLVMGetTarget(m->module));
	LLVMSetDataLayout(runtime, LLVMGetDataLayoutStr(m->module));
	if (LLVMLinkModules2(m->module, runtime))
		return ws_fail(err, WS_EIO, "LLVM cannot link the run time");
	return WS_OK;
}

LLVMValueRef ws_module_linked(struct ws_module *m, const char *name, LLVMTypeRef *type)
{
	LLVMValueRef f = LLVMGetNamedFunction(m->module, name);

	*type = LLVMGlobalGetValueType(f);
	LLVMSetLinkage(f, LLVMInternalLinkage);
	return f;
}
