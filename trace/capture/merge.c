/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/capture/merge.c -- modules of bitcode that become one, as the driver's linker has it.
 */
#include "trace/capture/kernel.h"

#include <llvm-c/BitReader.h>
#include <llvm-c/BitWriter.h>
#include <llvm-c/Core.h>
#include <llvm-c/Linker.h>

static void no_diagnostics(LLVMDiagnosticInfoRef info, void *data)
{
	(void)info;
	(void)data;
}

static LLVMModuleRef read_module(LLVMContextRef context, const struct ws_bitcode *code)
{
	LLVMMemoryBufferRef memory = LLVMCreateMemoryBufferWithMemoryRange(
		(const char *)code->data.data, code->data.len, "module", 0);
	LLVMModuleRef module;
	int failed = LLVMParseBitcodeInContext2(context, memory, &module);

	LLVMDisposeMemoryBuffer(memory);
	return failed ? NULL : module;
}

static enum ws_status write_module(struct ws_buf *out, LLVMModuleRef module, struct ws_err *err)
{
	LLVMMemoryBufferRef memory = LLVMWriteBitcodeToMemoryBuffer(module);

	ws_put_bytes(out, LLVMGetBufferStart(memory), LLVMGetBufferSize(memory));
	LLVMDisposeMemoryBuffer(memory);
	return out->failed ? ws_fail_memory(err, "a module") : WS_OK;
}

enum ws_status ws_bitcode_merge(struct ws_buf *out, const struct ws_bitcode *code, size_t count,
				struct ws_err *err)
{
	LLVMContextRef context = LLVMContextCreate();
	LLVMModuleRef all, next;
	enum ws_status status = WS_OK;

	LLVMContextSetDiagnosticHandler(context, no_diagnostics, NULL);
	all = read_module(context, &code[0]);
	if (!all)
		status = ws_fail(err, WS_EFORMAT, "%s: LLVM cannot read its bitcode",
				 code[0].source);
	for (size_t i = 1; i < count && status == WS_OK; i++) {
		next = read_module(context, &code[i]);
		if (!next || LLVMLinkModules2(all, next))
			status = ws_fail(err, WS_EFORMAT, "%s: it cannot be linked with %s: want "
					 "each name once", code[i].source, code[0].source);
	}
	if (status == WS_OK)
		status = write_module(out, all, err);
	if (all)
		LLVMDisposeModule(all);
	LLVMContextDispose(context);
	return status;
}
