/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/capture/instrument.h -- shared by the files that touch LLVM: module.c
 * (bitcode to one function), print.c (printf), provenance.c (which argument an
 * address comes from), guard.c (checks), instrument.c (recording) and jit.c.  Private to
 * trace/capture/.
 */
#ifndef WS_INSTRUMENT_H
#define WS_INSTRUMENT_H

#include <llvm-c/Core.h>
#include <llvm-c/Orc.h>
#include <llvm-c/TargetMachine.h>

#include "trace/capture/kernel.h"

#define WS_ARG_MAX 128u

struct ws_module {
	const struct ws_instrument_options *options;
	struct ws_kernel *kernel;
	LLVMOrcThreadSafeContextRef safe_context;
	LLVMContextRef context;
	LLVMModuleRef module;
	LLVMTargetMachineRef machine;
	LLVMTargetDataRef layout;
	LLVMBuilderRef builder;
	LLVMValueRef body;	/* void body(ptr ctx, kernel's parameters, static __local ones) */
	LLVMTypeRef ptr, i8, i32, i64, none;
	size_t params;		/* of the kernel as it is written */
	bool owned;		/* the module is still ours, not the JIT's */
	bool warps;		/* lanes of a warp go together, as CUDA's do */
};

/* ---- passes.c ---- */
/* Runs passes, given as opt takes them. */
enum ws_status ws_module_passes(struct ws_module *m, const char *passes,
				struct ws_err *err) WS_MUST_CHECK;
/* Adds functions as text, or as bitcode; then one of them by its name. */
enum ws_status ws_module_link(struct ws_module *m, const char *ir,
			      struct ws_err *err) WS_MUST_CHECK;
enum ws_status ws_module_link_bitcode(struct ws_module *m, const uint8_t *code, size_t bytes,
				      struct ws_err *err) WS_MUST_CHECK;
LLVMValueRef ws_module_linked(struct ws_module *m, const char *name, LLVMTypeRef *type);
/* Replaces constant `from` by the instruction or parameter `to` in all users; constant expressions
 * among them become instructions where the builder is.  WS_EINPUT: one cannot be; the message is
 * the caller's. */
enum ws_status ws_module_replace(struct ws_module *m, LLVMValueRef from,
				 LLVMValueRef to) WS_MUST_CHECK;
/* Divides i's block before it; what has gone there goes to the new one in front, which is
 * returned. */
LLVMBasicBlockRef ws_module_divide(struct ws_module *m, LLVMValueRef i);

/* ---- module.c ---- */
/* The host's code generator, the caller's to dispose of. */
enum ws_status ws_host_machine(LLVMTargetMachineRef *out, LLVMCodeGenOptLevel level,
			       struct ws_err *err) WS_MUST_CHECK;
/* Parses, finds the kernel, inlines everything into body, and simplifies as a GPU compiler would
 * before register allocation. */
enum ws_status ws_module_open(struct ws_module *m, const struct ws_bitcode *code,
			      const char *name, struct ws_err *err) WS_MUST_CHECK;
void ws_module_close(struct ws_module *m);
/* Reads kernel_arg_* metadata and parameter types of function f into m->kernel. */
enum ws_status ws_module_arguments(struct ws_module *m, LLVMValueRef f,
				   struct ws_err *err) WS_MUST_CHECK;

/* ---- separate.c ---- */
/* Drops the lists of what must not be dropped: nothing is asked for by name here. */
void ws_cuda_forget_uses(LLVMModuleRef module);
/* Links what the module declares and other modules of the program define. */
enum ws_status ws_cuda_link(struct ws_module *m, const struct ws_bitcode *code,
			    struct ws_err *err) WS_MUST_CHECK;

/* ---- ptx.c, ptx_list.c, ptx_block.c ---- */
#define WS_REFUSED_MARK "ws.refused" /* metadata of assembly: the statement that cannot be read */
/* Inline assembly that is known becomes code that the host can run. */
enum ws_status ws_cuda_ptx(struct ws_module *m, struct ws_err *err) WS_MUST_CHECK;
/* Where the body's code has PTX's exit it returns. */
enum ws_status ws_ptx_exits(struct ws_module *m, struct ws_err *err) WS_MUST_CHECK;
/* The function for an instruction's text without blanks, in which operands are $0, $1, ...; NULL:
 * it is not in the list.  Operators of loads are taken out of the text. */
const char *ws_ptx_function(char *text);
/* Those functions become part of the module. */
enum ws_status ws_ptx_link(struct ws_module *m, struct ws_err *err) WS_MUST_CHECK;
/* A call of assembly that is not one instruction of the list; *done is false, and the call stays,
 * if it cannot be read. */
enum ws_status ws_ptx_block(struct ws_module *m, LLVMValueRef call, bool *done,
			    struct ws_err *err) WS_MUST_CHECK;

/* ---- defined.c ---- */
/* Shifts and conversions whose results the host would not have as PTX does. */
void ws_cuda_define(struct ws_module *m);

/* ---- exact.c ---- */
/* Calls of functions with one right result become the host's instructions. */
void ws_cuda_exact(struct ws_module *m);

/* ---- pointers.c ---- */
/* The address of each function becomes a number, the same in all kernels of a program. */
void ws_cuda_number_functions(LLVMModuleRef module, const char *source);
/* The number that a constant is in place of an address; 0: it is none. */
uint64_t ws_cuda_number(LLVMValueRef constant);
/* Is its address used? */
bool ws_cuda_is_numbered(LLVMValueRef f);
/* Does it call any function through a pointer? */
bool ws_cuda_calls_pointers(LLVMModuleRef module);
/* Functions whose address `from` uses have their number in `to`, or are missed there. */
void ws_cuda_share_numbers(LLVMModuleRef from, LLVMModuleRef to);
/* Calls through pointers become calls of one of the functions that it may be. */
void ws_cuda_choose_functions(struct ws_module *m);
enum ws_bad_call { WS_CALL_NOWHERE, WS_CALL_DEEP };
/* Builds what ends a work-item at such a call. */
void ws_cuda_bad_call(struct ws_module *m, enum ws_bad_call what, unsigned line);

/* ---- recursion.c ---- */
/* Once all else is inlined: functions that call themselves become loops, and are inlined, too. */
enum ws_status ws_cuda_recursion(struct ws_module *m, struct ws_err *err) WS_MUST_CHECK;

/* ---- registers.c ---- */
#define WS_REGISTERS_MOST 255u
/* How many registers a thread has, of a kernel in a module that is still NVIDIA's: an estimate.
 * 0: not known. */
unsigned ws_cuda_registers(LLVMModuleRef module, LLVMValueRef kernel);

/* ---- cuda.c ---- */
/* Finds the kernel in a module of CUDA device code, which becomes the host's. */
enum ws_status ws_cuda_open(struct ws_module *m, const char *source, const char *name,
			    LLVMValueRef *kernel, struct ws_err *err) WS_MUST_CHECK;
/* Once only what the kernel needs is left: its arguments into m->kernel; *kernel becomes one that
 * has the module's variables as further parameters. */
enum ws_status ws_cuda_arguments(struct ws_module *m, LLVMValueRef *kernel,
				 struct ws_err *err) WS_MUST_CHECK;
/* Once all is inlined: variables become the body's parameters. */
enum ws_status ws_cuda_bind(struct ws_module *m, struct ws_err *err) WS_MUST_CHECK;

/* ---- generic.c ---- */
/* Gives each access its space. */
enum ws_status ws_module_generic(struct ws_module *m, struct ws_err *err) WS_MUST_CHECK;

/* ---- print.c ---- */
/* The kernel's calls of printf as C's: vectors printed by element. */
enum ws_status ws_module_print(struct ws_module *m, const char *source,
			       struct ws_err *err) WS_MUST_CHECK;

/* ---- provenance.c ---- */
#define WS_ROOT_UNKNOWN (-1)
#define WS_ROOT_CONSTANT (-2)	/* a program-scope __constant: of no argument */
#define WS_ROOT_PRIVATE (-3)
/* Argument index; number of arguments + i for the i-th static __local; or above. */
int ws_provenance(const struct ws_module *m, LLVMValueRef pointer);

/* ---- access.c ---- */
struct ws_kernel_access {
	LLVMValueRef pointer;
	unsigned operand;	/* of the instruction: the pointer */
	enum ws_kind kind;
	uint64_t bytes;
};
bool ws_is_barrier(LLVMValueRef i);
/* Memory accesses of instruction i, wherever they go: at most two. */
size_t ws_accesses_of(const struct ws_module *m, LLVMValueRef i, struct ws_kernel_access out[2]);
/* An access's array and space; false if it is not even checked (private memory, program-scope
 * constants). */
bool ws_access_traced(const struct ws_module *m, LLVMValueRef pointer, int *root,
		      enum ws_space *space);
bool ws_access_recorded(const struct ws_module *m, enum ws_space space);
/* The program-scope __constant that load i reads; NULL: it is none of one. */
LLVMValueRef ws_program_constant(LLVMValueRef i);
/* Builds, before i, the device address of what such a load reads. */
/* WS_IS_CONSTANT | its number among those of the kernel, which it is added to; WS_NO_ARRAY and
 * err: out of memory. */
uint32_t ws_constant_number(const struct ws_module *m, LLVMValueRef i, struct ws_err *err);
LLVMValueRef ws_constant_address(const struct ws_module *m, LLVMValueRef i);
/* The instruction whose place in the source an access has: itself, or if a pass that moved it left
 * it none, as of loads in the conditions of loops, the first line's that use its value. */
LLVMValueRef ws_located(LLVMValueRef i);
/* Whether it is a load or store with an operator that has it go past the L1: ld.cg, ld.cv, st.cg,
 * st.wt. */
bool ws_is_past(LLVMValueRef i);
#define WS_PAST_MARK "nontemporal" /* the metadata that they have */
/* Whether it takes no issue slot: it vanishes in machine code, or a texture unit does it. */
bool ws_is_free(LLVMValueRef i);
/* Instructions until the first use of a load's value, up to the end of its block. */
uint32_t ws_use_distance(LLVMValueRef load);

/* ---- guard.c ---- */
struct ws_guards; /* of a body */
enum ws_status ws_guards_new(struct ws_guards **out, struct ws_module *m,
			     struct ws_err *err) WS_MUST_CHECK;
/* Begins to instrument a body; its first instruction. */
void ws_guards_begin(struct ws_guards *g, LLVMValueRef first);
/* Builds, before i, the check that its access is inside its array and aligned.  Returns its device
 * address; NULL: out of memory.  id: the instruction's number, or WS_GUARD | a guard's. */
LLVMValueRef ws_guard(struct ws_guards *g, LLVMValueRef i, const struct ws_kernel_access *a,
		      int root, uint32_t id, struct ws_err *err);
void ws_guards_free(struct ws_guards *g);

/* ---- images.c ---- */
/* Resolves images, formats and samplers where known, after all else is inlined. */
enum ws_status ws_module_images(struct ws_module *m, struct ws_err *err) WS_MUST_CHECK;

/* ---- texture.c ---- */
bool ws_is_named(LLVMValueRef f, const char *prefix); /* a function, with that prefix */
static inline bool ws_is_meeting(LLVMValueRef i) /* of lanes of a warp (meet.c) */
{
	return LLVMIsACallInst(i) && ws_is_named(LLVMGetCalledValue(i), "__ws_warp");
}
/* One that together.c has added. */
static inline bool ws_is_unwritten_meeting(LLVMValueRef i)
{
	LLVMValueRef mask = ws_is_meeting(i) ? LLVMGetOperand(i, 0) : NULL;

	return mask && !LLVMGetFirstUse(i) && LLVMIsAConstantInt(mask) && LLVMIsNull(mask);
}
/* Whether it is a function of data/opencl/images.cl that does a texture unit's work; these are
 * inlined after accesses are recorded. */
bool ws_is_texture(LLVMValueRef f);
void ws_module_inline_images(struct ws_module *m);
/* Whether it is work of a texture unit: a call of such a function, address arithmetic for it, or
 * picking a component. */
bool ws_is_texture_work(LLVMValueRef i);
/* Whether an access to array `root` is to an image. */
bool ws_is_texel(const struct ws_module *m, LLVMValueRef pointer, int root);

/* ---- texel.c ---- */
/* As ws_use_distance for a texel's load: until the first use of the texture unit's result. */
uint32_t ws_texel_distance(LLVMValueRef load);

/* ---- waits.c ---- */
struct ws_wait_latch { /* of the block that ends a loop which only waits; NULL: of others */
	LLVMBasicBlockRef header;
	LLVMValueRef poll; /* what it waits for: a load or an atomic */
	bool timed;	   /* it asks for the time: it may wait no longer than that */
	bool equal;	   /* it ends when what it loads is equal to something */
	uint32_t number;   /* in the kernel's wait[]; the caller's to set */
};
/* What turns of a loop need, of the block that ends it. */
enum ws_turns {
	WS_TURNS_FREE,	  /* nothing: it stops for others each time, or soon ends */
	WS_TURNS_COUNTED, /* no memory that others write to decides when it ends, if it does */
	WS_TURNS_GIVEN,	  /* others have to have theirs: it may wait for them */
};
struct ws_waits {
	const struct ws_module *m;
	const LLVMBasicBlockRef *block; /* by number, which is in their names: "b7" */
	const size_t *first_edge;	/* as ws_block_order has them */
	const uint32_t *edge;
	const bool *written;		/* by root, what the kernel writes: others write nothing.
					 * NULL: they may write anything */
	size_t *first_pred;
	uint32_t *pred;
	struct ws_wait_latch *latch;	/* by block */
	bool *polls;			/* whether it is in such a loop */
	enum ws_turns *turns;		/* of the block */
};
/* Before anything is added to the body.  w->m, block, first_edge and edge are given. */
enum ws_status ws_waits_find(struct ws_waits *w, size_t blocks, const uint32_t *position,
			     struct ws_err *err) WS_MUST_CHECK;
/* May the atomic change once more what a loop of these goes round for, before that looks? */
bool ws_waits_miss(const struct ws_waits *w, size_t blocks, LLVMValueRef atomic);
void ws_waits_clear(struct ws_waits *w);

/* ---- inlined.c ---- */
/* Adds the functions that instrument.c calls. */
enum ws_status ws_module_runtime(struct ws_module *m, struct ws_err *err) WS_MUST_CHECK;

/* ---- softcache.c ---- */
/* Rewrites the body, after ws_module_open; what it counts is in the body until
 * ws_module_soft_counts. */
enum ws_status ws_module_soft(struct ws_module *m, const struct ws_soft_pass *p,
			      struct ws_err *err) WS_MUST_CHECK;
bool ws_is_soft_count(LLVMValueRef f);	/* a function that only counts */
/* In place of calls of those: counting in the tally, or nothing. */
void ws_module_soft_counts(struct ws_module *m, bool tally);

/* ---- entry.c ---- */
/* Adds void __ws_run(ctx, args), which loads the arguments and calls the body. */
void ws_module_entry(struct ws_module *m);

/* ---- cut.c ---- */
/* Cuts what has been instrumented and simplified at its stops, if it can. */
enum ws_status ws_module_parts(struct ws_module *m, struct ws_err *err) WS_MUST_CHECK;

/* ---- instrument.c ---- */
enum ws_status ws_module_instrument(struct ws_module *m, struct ws_err *err) WS_MUST_CHECK;

#endif
