/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/capture/jit.c -- module to machine code by ORC's LLJIT, and the making
 * of a kernel from bitcode by the stages before it.
 *
 * The one file that depends on ORC's C interface, which changes between LLVM
 * releases.
 */
#include "trace/capture/instrument.h"

#include <llvm-c/Error.h>
#include <llvm-c/ErrorHandling.h>
#include <llvm-c/LLJIT.h>
#include <llvm-c/TargetMachine.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define QUICK_INSTRUCTIONS 8192u
#define PRINTED_MAX	   (1u << 20)

/* A kernel's own printf: usually to standard error, since standard output may be the trace.
 * OpenCL's answers 0, not how much it printed. */
WS_PRINTF(1, 2)
static int printf_stderr(const char *format, ...)
{
	char *text = NULL;
	va_list ap;
	int n;

	va_start(ap, format);
	n = vasprintf(&text, format, ap);
	va_end(ap);
	if (n < 0)
		return -1;
	for (int i = 0; i < n; i++) { /* nothing that a terminal would obey */
		unsigned char c = (unsigned char)text[i], after = (unsigned char)text[i + 1];

		if ((c < ' ' && !strchr("\n\t\r", c)) || c == 0x7f)
			text[i] = '?';
		else if (c == 0xc2 && after >= 0x80 && after < 0xa0)
			text[i] = text[i + 1] = '?';
	}
	fwrite(text, 1, (size_t)n, stderr);
	free(text);
	return 0;
}

WS_PRINTF(1, 2)
static int printf_stdout(const char *format, ...)
{
	va_list ap;
	int n;

	va_start(ap, format);
	n = vfprintf(stdout, format, ap);
	va_end(ap);
	return n < 0 ? -1 : 0;
}

WS_PRINTF(1, 2)
static int printf_nowhere(const char *format, ...)
{
	(void)format;
	return 0;
}

/* A CUDA kernel's string, read before stdio holds a lock: memory that is not there is the
 * kernel's fault. */
static const char *printed_text(const char *text)
{
	if (!text)
		return "(null)";
	return memchr(text, 0, PRINTED_MAX) ? text : "(a string without an end)";
}

static void (*printf_of(enum ws_printf where))(void)
{
	switch (where) {
	case WS_PRINTF_STDOUT:
		return (void (*)(void))printf_stdout;
	case WS_PRINTF_NOWHERE:
		return (void (*)(void))printf_nowhere;
	case WS_PRINTF_STDERR:
		break;
	}
	return (void (*)(void))printf_stderr;
}

static enum ws_status llvm_failed(LLVMErrorRef error, struct ws_err *err)
{
	char *message = LLVMGetErrorMessage(error);
	enum ws_status status = ws_fail(err, WS_EIO, "LLVM: %s", message);

	LLVMDisposeErrorMessage(message);
	return status;
}

/* The names that compiled code may call. */
static enum ws_status define_runtime(LLVMOrcLLJITRef jit, enum ws_printf where,
				     struct ws_err *err)
{
	const struct {
		const char *name;
		void (*function)(void);
	} table[] = {
		{ "ws_lane_refill", (void (*)(void))ws_lane_refill },
		{ "ws_lane_fault", (void (*)(void))ws_lane_fault },
		{ "ws_lane_spin", (void (*)(void))ws_lane_spin },
		{ "ws_lane_wait", (void (*)(void))ws_lane_wait },
		{ "ws_lane_turn", (void (*)(void))ws_lane_turn },
		{ "ws_lane_barrier", (void (*)(void))ws_lane_barrier },
		{ "ws_lane_meet", (void (*)(void))ws_lane_meet },
		{ "ws_lane_meets", (void (*)(void))ws_lane_meets },
		{ "ws_lane_met", (void (*)(void))ws_lane_met },
		{ "ws_lane_is_global", (void (*)(void))ws_lane_is_global },
		{ "ws_lane_resolve", (void (*)(void))ws_lane_resolve },
		{ "__ws_bad_call", (void (*)(void))ws_lane_bad_call },
		{ "ws_lane_misaligned", (void (*)(void))ws_lane_misaligned },
		{ "ws_lane_outside", (void (*)(void))ws_lane_outside },
		{ "ws_lane_find", (void (*)(void))ws_lane_find },
		{ "ws_lane_tile", (void (*)(void))ws_lane_tile },
		{ "__ws_printf", printf_of(where) },
		{ "ws_lane_text", (void (*)(void))printed_text },
	};
	LLVMOrcCSymbolMapPair pair[WS_COUNT(table)];
	LLVMErrorRef error;

	for (size_t i = 0; i < WS_COUNT(table); i++) {
		pair[i].Name = LLVMOrcLLJITMangleAndIntern(jit, table[i].name);
		pair[i].Sym.Address = (LLVMOrcExecutorAddress)(uintptr_t)table[i].function;
		pair[i].Sym.Flags.GenericFlags =
			LLVMJITSymbolGenericFlagsExported | LLVMJITSymbolGenericFlagsCallable;
		pair[i].Sym.Flags.TargetFlags = 0;
	}
	error = LLVMOrcJITDylibDefine(LLVMOrcLLJITGetMainJITDylib(jit),
				      LLVMOrcAbsoluteSymbols(pair, WS_COUNT(table)));
	return error ? llvm_failed(error, err) : WS_OK;
}

/* Mathematical functions and what the code generator calls by itself. */
static enum ws_status search_libraries(LLVMOrcLLJITRef jit, struct ws_err *err)
{
	static const char *const library[] = { "libm.so.6", "libc.so.6" };

	for (size_t i = 0; i < WS_COUNT(library); i++) {
		LLVMOrcDefinitionGeneratorRef generator;
		LLVMErrorRef error = LLVMOrcCreateDynamicLibrarySearchGeneratorForPath(
			&generator, library[i], LLVMOrcLLJITGetGlobalPrefix(jit), NULL, NULL);

		if (error)
			return llvm_failed(error, err);
		LLVMOrcJITDylibAddGenerator(LLVMOrcLLJITGetMainJITDylib(jit), generator);
	}
	return WS_OK;
}

/* Code that is made quickly keeps every value on the stack: QUICK_STACK of worker.c is for so many.
 * One in parts has the stack of a thread. */
static bool is_short(LLVMModuleRef module)
{
	unsigned n = 0;

	for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
		LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f);

		for (; b && n <= QUICK_INSTRUCTIONS; b = LLVMGetNextBasicBlock(b)) {
			LLVMValueRef i = LLVMGetFirstInstruction(b);

			for (; i && n <= QUICK_INSTRUCTIONS; i = LLVMGetNextInstruction(i))
				n++;
		}
	}
	return n <= QUICK_INSTRUCTIONS;
}

/* NULL for *out: what LLVM takes by itself. */
static enum ws_status make_builder(LLVMOrcLLJITBuilderRef *out, bool quick, struct ws_err *err)
{
	LLVMTargetMachineRef machine;
	enum ws_status status;

	*out = NULL;
	if (!quick)
		return WS_OK;
	status = ws_host_machine(&machine, LLVMCodeGenLevelNone, err);
	if (status != WS_OK)
		return status;
	*out = LLVMOrcCreateLLJITBuilder();
	LLVMOrcLLJITBuilderSetJITTargetMachineBuilder(
		*out, LLVMOrcJITTargetMachineBuilderCreateFromTargetMachine(machine));
	return WS_OK;
}

static enum ws_status set_entry(struct ws_module *m, struct ws_err *err)
{
	LLVMOrcThreadSafeModuleRef module;
	LLVMOrcExecutorAddress address;
	LLVMOrcLLJITBuilderRef builder;
	LLVMOrcLLJITRef jit;
	LLVMErrorRef error;
	enum ws_status status;

	m->kernel->quick = m->options->quick && (m->kernel->parts || is_short(m->module));
	status = make_builder(&builder, m->kernel->quick, err);
	if (status != WS_OK)
		return status;
	error = LLVMOrcCreateLLJIT(&jit, builder);
	if (error)
		return llvm_failed(error, err);
	m->kernel->jit = jit;
	status = define_runtime(jit, m->options->printf, err);
	if (status == WS_OK)
		status = search_libraries(jit, err);
	if (status != WS_OK)
		return status;
	module = LLVMOrcCreateNewThreadSafeModule(m->module, m->safe_context);
	m->owned = false;
	error = LLVMOrcLLJITAddLLVMIRModule(jit, LLVMOrcLLJITGetMainJITDylib(jit), module);
	if (!error)
		error = LLVMOrcLLJITLookup(jit, &address, "__ws_run");
	if (error)
		return llvm_failed(error, err);
	m->kernel->entry = (ws_part *)(uintptr_t)address;
	if (!m->kernel->widened)
		return WS_OK;
	error = LLVMOrcLLJITLookup(jit, &address, "__ws_wide");
	m->kernel->wide = (ws_part *)(uintptr_t)address;
	if (!error)
		error = LLVMOrcLLJITLookup(jit, &address, "__ws_alone");
	if (error)
		return llvm_failed(error, err);
	m->kernel->alone = (ws_part *)(uintptr_t)address;
	return WS_OK;
}

static void free_jit(void *jit)
{
	LLVMErrorRef error = jit ? LLVMOrcDisposeLLJIT(jit) : NULL;

	if (error)
		LLVMConsumeError(error);
}

/* ---- from bitcode to code ---------------------------------------------------------------- */

static enum ws_status make_module(struct ws_module *m, const struct ws_bitcode *code,
				  const char *name, struct ws_err *err)
{
	enum ws_status status = ws_module_open(m, code, name, err);

	if (status == WS_OK && m->options->soft)
		status = ws_module_soft(m, m->options->soft, err);
	if (status == WS_OK)
		status = ws_module_instrument(m, err);
	if (status == WS_OK)
		status = ws_module_parts(m, err);
	return status == WS_OK ? set_entry(m, err) : status;
}

/* Where LLVM's own end of the process goes on instead; its handler is told the reason alone. */
struct last_words {
	jmp_buf back;
	char reason[256];
};
static _Thread_local struct last_words *last_words;

static void on_fatal(const char *reason)
{
	if (!last_words)
		return; /* another thread's: LLVM ends the process */
	snprintf(last_words->reason, sizeof last_words->reason, "%s", reason);
	longjmp(last_words->back, 1);
}

/* What LLVM held when it gave up stays allocated: it may be in any state. */
static enum ws_status make_or_give_up(struct ws_module *m, const struct ws_bitcode *code,
				      const char *name, struct ws_err *err)
{
	struct last_words words;
	enum ws_status status;

	if (setjmp(words.back)) {
		status = ws_fail(err, WS_EINPUT, "%s: kernel %s: LLVM cannot compile it: %s",
				 code->source, name, words.reason);
	} else {
		last_words = &words;
		LLVMInstallFatalErrorHandler(on_fatal);
		status = make_module(m, code, name, err);
		ws_module_close(m);
	}
	LLVMResetFatalErrorHandler();
	last_words = NULL;
	return status;
}

enum ws_status ws_kernel_make(struct ws_kernel **out, const struct ws_bitcode *code,
			      const char *name, const struct ws_instrument_options *options,
			      struct ws_err *err)
{
	struct ws_module m = { .options = options };
	enum ws_status status;

	*out = NULL;
	m.kernel = ws_alloc_zero(1, sizeof *m.kernel);
	if (!m.kernel || !(m.kernel->name = ws_strdup(name)) ||
	    !(m.kernel->opaque = ws_alloc_zero(options->opaques, sizeof *m.kernel->opaque))) {
		ws_kernel_free(m.kernel);
		return ws_fail_memory(err, "a kernel");
	}
	m.kernel->opaques = options->opaques;
	m.kernel->shapes = options->shapes;
	if (options->opaques)
		memcpy(m.kernel->opaque, options->opaque,
		       options->opaques * sizeof *m.kernel->opaque);
	status = make_or_give_up(&m, code, name, err);
	if (status != WS_OK) {
		ws_kernel_free(m.kernel);
		return status;
	}
	*out = m.kernel;
	return WS_OK;
}

uint64_t ws_quick_items(uint64_t before, const struct ws_launch_spec *spec)
{
	const uint64_t most = WS_QUICK_ITEMS + 1;
	uint64_t items = spec->repeat < most ? spec->repeat : most;

	for (unsigned d = 0; d < spec->dim; d++) {
		items *= spec->global[d] < most ? spec->global[d] : most;
		items = items < most ? items : most;
	}
	return before + items < most ? before + items : most;
}

bool ws_quick_program(const struct ws_program *p)
{
	uint64_t items = 0;

	for (size_t i = 0; i < p->launches && items <= WS_QUICK_ITEMS; i++)
		items = ws_quick_items(items, &p->launch[i]);
	return items <= WS_QUICK_ITEMS;
}

bool ws_kernel_made_for(const struct ws_kernel *k, const struct ws_instrument_options *o)
{
	bool same = k->opaques == o->opaques && (!k->quick || o->quick);

	for (size_t i = 0; same && i < k->opaques; i++)
		same = k->opaque[i].bits == o->opaque[i].bits &&
		       k->opaque[i].tiled == o->opaque[i].tiled;
	return same;
}

void ws_kernel_free(struct ws_kernel *k)
{
	if (!k)
		return;
	free_jit(k->jit);
	for (size_t i = 0; i < k->args; i++) {
		free(k->arg[i].name);
		free(k->arg[i].type);
		free(k->arg[i].base);
		free(k->arg[i].symbol);
	}
	for (size_t i = 0; i < k->files; i++)
		free(k->file[i]);
	free(k->arg);
	free(k->file);
	free(k->instruction);
	free(k->guard);
	for (size_t i = 0; i < k->constants; i++)
		free(k->constant[i].name);
	free(k->constant);
	free(k->segment);
	free(k->barrier_line);
	free(k->barrier_file);
	free(k->polls);
	free(k->stop);
	free(k->wait);
	for (size_t i = 0; i < k->locals; i++)
		free(k->local[i].name);
	free(k->local);
	free(k->opaque);
	free(k->name);
	free(k);
}

/* ---- by name ----------------------------------------------------------------------------- */

enum ws_status ws_kernels_get(struct ws_kernels *k, const struct ws_bitcode *code,
			      const struct ws_program *p, const struct ws_launch_spec *l,
			      const struct ws_instrument_options *options,
			      struct ws_kernel **out, struct ws_err *err)
{
	struct ws_err why = { 0 };
	enum ws_status status;

	for (size_t i = 0; i < k->count; i++) {
		if (strcmp(k->item[i]->name, l->kernel) == 0 &&
		    ws_kernel_made_for(k->item[i], options)) {
			*out = k->item[i];
			return WS_OK;
		}
	}
	if (!WS_ROOM(k->item, k->cap, k->count + 1))
		return ws_fail_memory(err, "a kernel");
	status = ws_kernel_make(out, code, l->kernel, options, &why);
	if (status == WS_EINVAL && l->line > 0) {
		const struct ws_text_place at = ws_place_of(p, l->line, "");

		return ws_place_fail(&at, err, "%s", why.text);
	}
	if (status != WS_OK)
		return ws_fail_as(err, &why);
	k->item[k->count++] = *out;
	return WS_OK;
}

void ws_kernels_clear(struct ws_kernels *k)
{
	for (size_t i = 0; i < k->count; i++)
		ws_kernel_free(k->item[i]);
	free(k->item);
	*k = (struct ws_kernels){ 0 };
}
