/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/capture/softcache.c -- a kernel rewritten to have a software cache in shared memory,
 * private to each thread: that of softcache/softcache.h.  It then calls data/opencl/softcache.cl.
 *
 * What is rewritten is the body when its memory instructions are settled, so that its calls are
 * those that are recorded of the kernel as it is.  In place of each load and store of global memory
 * comes a function, inlined later, that has both slices of the text: while the thread monitors, the
 * access as it was and simulateCache(); then the access to the line that accessThroughCache() has
 * looked up or, if its structure was not chosen, the access as it was.  The text has two copies of
 * a loop and leaves the first between two turns; here a thread leaves its monitoring slice after
 * exactly `threshold` calls, wherever that is (a compare and a branch a call), and threads in both
 * wait at the same barriers.  Barriers, fences and the end flush all lines, an atomic one.
 *
 * Structures are the launch's buffers: an argument's, or, if an address may come from several, that
 * which holds it, looked for at run time.  Which are chosen is read at run time from a table, so
 * one compiled kernel serves for monitoring and for caching.
 *
 * Refused: volatile and atomic loads and stores, which must reach memory; a buffer that is both
 * __constant and in a structure that is written to.
 */
#include "trace/capture/instrument.h"

#include <llvm-c/BitReader.h>
#include <llvm-c/DebugInfo.h>
#include <llvm-c/Linker.h>
#include <stdlib.h>
#include <string.h>

extern const uint8_t ws_softcache_start[], ws_softcache_end[];

#define SOFT_SIMPLIFY                                                                              \
	"globaldce,always-inline,globaldce,function(sroa,early-cse,simplifycfg,"                   \
	"instcombine<no-verify-fixpoint>,loop-unroll-full,sroa,early-cse,simplifycfg,"             \
	"instcombine<no-verify-fixpoint>,jump-threading,sroa,early-cse,"                           \
	"instcombine<no-verify-fixpoint>,adce,simplifycfg,loop-simplify),globaldce"

#define INACCESSIBLE_MEMORY 12u	/* of attribute memory: reads and writes none that others do */

enum { F_BEGIN, F_MONITOR, F_CHOSEN, F_HOLDS, F_FOUND, F_THROUGH, F_COPY, F_RELEASE, F_ATOMIC,
       F_FLUSH, F_END, F_DIRECT, F_LEFT, FUNCTIONS };
static const char *const function_names[] = {
	"ws_soft_begin",   "ws_soft_monitor", "ws_soft_chosen",  "ws_soft_holds",  "ws_soft_found",
	"ws_soft_through", "ws_soft_copy",    "ws_soft_release", "ws_soft_atomic", "ws_soft_flush",
	"ws_soft_end",     "ws_soft_direct",  "ws_soft_left",
};

struct soft_structure { /* the last one: what is in no array */
	LLVMValueRef line, base, bytes;	/* in the body: struct ws_soft_line *, the argument, its
					 * bytes */
	bool used, stored;
};

struct soft {
	struct ws_module *m;
	const struct ws_soft_pass *p;
	struct soft_structure *structure;
	size_t structures;		/* with the last one */
	bool dynamic;			/* some access must be looked for */
	LLVMValueRef function[FUNCTIONS], calls;
	LLVMTypeRef line, global, i1;
	LLVMValueRef *item;		/* instructions of the body to be rewritten */
	size_t items, item_cap;
	size_t accessors;
};

/* A function being made, which stands for an access. */
struct accessor {
	struct soft *s;
	LLVMValueRef f, calls, p, data;	/* data: the value to store, or where bytes are */
	LLVMValueRef at;		/* the access, in the body */
	enum ws_kind kind;
	uint64_t bytes;
	bool copy;			/* to and from data: perhaps several lines */
};

/* ---- small things -------------------------------------------------------------------- */

static LLVMValueRef c32(const struct soft *s, uint64_t value)
{
	return LLVMConstInt(s->m->i32, value, 0);
}

static unsigned slot_of(size_t structure)
{
	return WS_SLOT_FIRST + (unsigned)structure * WS_SLOTS;
}

static LLVMValueRef call(const struct soft *s, int function, LLVMValueRef *argument, unsigned n,
			 LLVMValueRef place)
{
	LLVMValueRef f = s->function[function];
	LLVMValueRef made = LLVMBuildCall2(s->m->builder, LLVMGlobalGetValueType(f), f, argument, n,
					   "");

	LLVMInstructionSetDebugLoc(made, LLVMInstructionGetDebugLoc(place));
	return made;
}

/* STRUCTURE of softcache.cl; returns how many. */
static unsigned put_structure(const struct soft *s, size_t i, LLVMValueRef line, LLVMValueRef base,
			      LLVMValueRef *argument)
{
	argument[0] = line;
	argument[1] = base;
	argument[2] = c32(s, s->p->line_bits);
	argument[3] = c32(s, s->structure[i].stored);
	argument[4] = c32(s, slot_of(i));
	return 5;
}

static enum ws_status refuse(const struct soft *s, LLVMValueRef i, const char *why,
			     struct ws_err *err)
{
	return ws_fail(err, WS_EINPUT, "kernel %s, line %u: no software cache: %s",
		       s->m->kernel->name, LLVMGetDebugLocLine(i), why);
}

/* ---- what there is to rewrite ----------------------------------------------------------- */

/* The structure of root; the last one but for arguments of buffers; `structures`: any. */
static size_t structure_of(const struct soft *s, int root)
{
	if (root == WS_ROOT_UNKNOWN)
		return s->structures;
	return root >= 0 && (size_t)root < s->m->kernel->args &&
			       s->p->structure[root] < s->structures - 1
		       ? s->p->structure[root]
		       : s->structures - 1;
}

static bool is_global(const struct soft *s, const struct ws_kernel_access *a, int *root)
{
	enum ws_space space;

	return a->bytes && ws_access_traced(s->m, a->pointer, root, &space) &&
	       space == WS_SPACE_GLOBAL;
}

static bool must_reach_memory(LLVMValueRef i)
{
	LLVMOpcode op = LLVMGetInstructionOpcode(i);

	if (op != LLVMLoad && op != LLVMStore)
		return op == LLVMCall && LLVMIsAMemIntrinsic(i) &&
		       !LLVMIsNull(LLVMGetOperand(i, 3));
	return LLVMGetVolatile(i) || LLVMGetOrdering(i) != LLVMAtomicOrderingNotAtomic;
}

static enum ws_status note_access(struct soft *s, LLVMValueRef i, const struct ws_kernel_access *a,
				  int root, struct ws_err *err)
{
	size_t at = structure_of(s, root);

	if (a->kind != WS_ATOMIC && must_reach_memory(i))
		return refuse(s, i, "a volatile or atomic access must reach memory", err);
	s->dynamic |= at == s->structures;
	for (size_t k = 0; k < s->structures; k++) {
		if (at != s->structures && at != k)
			continue;
		s->structure[k].used = true;
		s->structure[k].stored |= a->kind == WS_STORE;
	}
	return WS_OK;
}

static enum ws_status note(struct soft *s, LLVMValueRef i, struct ws_err *err)
{
	struct ws_kernel_access access[2];
	size_t n = ws_accesses_of(s->m, i, access);
	enum ws_status status = WS_OK;
	bool fence = LLVMGetInstructionOpcode(i) == LLVMFence;
	bool any = fence || ws_is_barrier(i) || LLVMGetInstructionOpcode(i) == LLVMRet;
	int root;

	s->m->kernel->fences |= fence;
	for (size_t k = 0; k < n && status == WS_OK; k++)
		if (is_global(s, &access[k], &root)) {
			any = true;
			status = note_access(s, i, &access[k], root, err);
		}
	if (!any || status != WS_OK)
		return status;
	if (!WS_ROOM(s->item, s->item_cap, s->items + 1))
		return ws_fail_memory(err, "a kernel's accesses");
	s->item[s->items++] = i;
	return WS_OK;
}

static enum ws_status gather_accesses(struct soft *s, struct ws_err *err)
{
	enum ws_status status = WS_OK;

	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(s->m->body); b && status == WS_OK;
	     b = LLVMGetNextBasicBlock(b))
		for (LLVMValueRef i = LLVMGetFirstInstruction(b); i && status == WS_OK;
		     i = LLVMGetNextInstruction(i))
			status = note(s, i, err);
	for (size_t i = 0; i < s->m->kernel->args && status == WS_OK; i++) {
		size_t at = structure_of(s, (int)i);

		if (s->m->kernel->arg[i].kind == WS_ARG_CONSTANT && at + 1 < s->structures &&
		    s->structure[at].stored)
			return ws_fail(err, WS_EINPUT,
				       "kernel %s: no software cache: the buffer of its __constant "
				       "argument %s is written to by another's name",
				       s->m->kernel->name, s->m->kernel->arg[i].name);
	}
	return status;
}

/* ---- the run time, and values at entry --------------------------------------------------- */

static void count_only(struct ws_module *m, LLVMValueRef f)
{
	static const struct {
		const char *name;
		uint64_t value;
	} attribute[] = {
		{ "memory", INACCESSIBLE_MEMORY }, { "nounwind", 0 }, { "willreturn", 0 },
	};

	for (size_t i = 0; i < WS_COUNT(attribute); i++) {
		const char *name = attribute[i].name;
		unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));

		LLVMAddAttributeAtIndex(f, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
					LLVMCreateEnumAttribute(m->context, kind,
								attribute[i].value));
	}
}

static enum ws_status link_cache(struct soft *s, struct ws_err *err)
{
	struct ws_module *m = s->m;
	LLVMMemoryBufferRef memory = LLVMCreateMemoryBufferWithMemoryRange(
		(const char *)ws_softcache_start, (size_t)(ws_softcache_end - ws_softcache_start),
		"softcache", 0);
	LLVMModuleRef cache;
	int failed = LLVMParseBitcodeInContext2(m->context, memory, &cache);

	LLVMDisposeMemoryBuffer(memory);
	if (failed)
		return ws_fail(err, WS_EIO, "LLVM cannot read the software cache's bitcode");
	LLVMSetTarget(cache, LLVMGetTarget(m->module));
	LLVMSetDataLayout(cache, LLVMGetDataLayoutStr(m->module));
	if (LLVMLinkModules2(m->module, cache))
		return ws_fail(err, WS_EIO, "LLVM cannot link the software cache");
	for (size_t i = 0; i < FUNCTIONS; i++) {
		s->function[i] = LLVMGetNamedFunction(m->module, function_names[i]);
		LLVMSetLinkage(s->function[i], LLVMInternalLinkage);
	}
	for (LLVMValueRef f = LLVMGetFirstFunction(m->module); f; f = LLVMGetNextFunction(f))
		if (ws_is_soft_count(f))
			count_only(m, f);
	s->line = LLVMGetTypeByName2(m->context, "struct.ws_soft_line");
	s->global = LLVMPointerTypeInContext(m->context, 1);
	s->i1 = LLVMInt1TypeInContext(m->context);
	return WS_OK;
}

static LLVMValueRef load_at(const struct soft *s, LLVMTypeRef type, LLVMValueRef base,
			    size_t offset)
{
	LLVMValueRef at = LLVMConstInt(s->m->i64, offset, 0);

	return LLVMBuildLoad2(s->m->builder, type,
			      LLVMBuildGEP2(s->m->builder, s->m->i8, base, &at, 1, ""), "");
}

/* The argument of structure i, and its size if one is ever looked for.  A constant of program scope
 * has none: no access to it is rewritten. */
static void bind_structure(struct soft *s, size_t i, LLVMValueRef bound)
{
	struct soft_structure *t = &s->structure[i];
	size_t a = 0;

	t->base = LLVMConstNull(s->global);
	t->bytes = LLVMConstInt(s->m->i64, 0, 0);
	while (a < s->m->kernel->args && s->p->structure[a] != i)
		a++;
	if (i + 1 == s->structures || a == s->m->kernel->args)
		return;
	t->base = LLVMGetParam(s->m->body, (unsigned)a + 1);
	if (s->dynamic)
		t->bytes = load_at(s, s->m->i64, bound,
				   a * sizeof(struct ws_bound_argument) +
				   offsetof(struct ws_bound_argument, bytes));
}

static void make_entry(struct soft *s)
{
	struct ws_module *m = s->m;
	LLVMValueRef first = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(m->body));
	LLVMValueRef context = LLVMGetParam(m->body, 0), table, thread, bound;
	size_t locals = m->kernel->args + m->kernel->locals;

	LLVMPositionBuilderBefore(m->builder, first);
	s->calls = LLVMBuildAlloca(m->builder, m->i32, "calls");
	for (size_t i = 0; i < s->structures; i++)
		s->structure[i].line = LLVMBuildAlloca(m->builder, s->line, "line");
	while (LLVMIsAAllocaInst(first))
		first = LLVMGetNextInstruction(first);
	LLVMPositionBuilderBefore(m->builder, first);
	LLVMBuildStore(m->builder, c32(s, 0), s->calls);
	table = load_at(s, m->ptr, context, offsetof(struct ws_lane_ctx, soft_line));
	bound = load_at(s, m->ptr, context, offsetof(struct ws_lane_ctx, bound));
	thread = load_at(s, m->i32, context, offsetof(struct ws_lane_ctx, lane));
	for (size_t i = 0; i < s->structures; i++) {
		LLVMValueRef argument[6] = {
			s->structure[i].line, LLVMGetParam(m->body, (unsigned)locals),
			i + 1 < s->structures ? load_at(s, m->i32, table, i * sizeof(int32_t))
					      : LLVMConstInt(m->i32, UINT32_MAX, 1),
			c32(s, s->p->threads), thread, c32(s, s->p->line_bits),
		};

		bind_structure(s, i, bound);
		if (s->structure[i].used)
			call(s, F_BEGIN, argument, WS_COUNT(argument), first);
	}
}

/* ---- one access --------------------------------------------------------------------------- */

static LLVMBasicBlockRef block(const struct accessor *a)
{
	return LLVMAppendBasicBlockInContext(a->s->m->context, a->f, "");
}

/* Parameters of the function: calls, p, data, and of each structure its line, base, bytes. */
static LLVMValueRef parameter(const struct accessor *a, size_t structure, unsigned which)
{
	return LLVMGetParam(a->f, 3 + 3 * (unsigned)structure + which);
}

static unsigned put_own(const struct accessor *a, size_t i, LLVMValueRef *argument)
{
	return put_structure(a->s, i, parameter(a, i, 0), parameter(a, i, 1), argument);
}

/* The kernel's load or store of a value at q: memory or a line. */
static void value_access(const struct accessor *a, LLVMValueRef q)
{
	LLVMBuilderRef b = a->s->m->builder;
	LLVMValueRef made;

	if (a->kind == WS_LOAD)
		made = LLVMBuildLoad2(b, LLVMGetReturnType(LLVMGlobalGetValueType(a->f)), q, "");
	else
		made = LLVMBuildStore(b, a->data, q);
	LLVMSetAlignment(made, LLVMGetAlignment(a->at));
	LLVMInstructionSetDebugLoc(made, LLVMInstructionGetDebugLoc(a->at));
	if (a->kind == WS_LOAD)
		LLVMBuildRet(b, made);
	else
		LLVMBuildRetVoid(b);
}

static void direct(const struct accessor *a, size_t i)
{
	LLVMBuilderRef b = a->s->m->builder;
	LLVMValueRef argument[2] = { c32(a->s, slot_of(i)), c32(a->s, a->kind) };
	LLVMValueRef size = LLVMConstInt(a->s->m->i64, a->bytes, 0), made;

	call(a->s, F_DIRECT, argument, 2, a->at);
	if (!a->copy) {
		value_access(a, a->p);
		return;
	}
	if (a->kind == WS_LOAD)
		made = LLVMBuildMemCpy(b, a->data, 1, a->p, 1, size);
	else
		made = LLVMBuildMemCpy(b, a->p, 1, a->data, 1, size);
	LLVMInstructionSetDebugLoc(made, LLVMInstructionGetDebugLoc(a->at));
	LLVMBuildRetVoid(b);
}

/* Through structure i's line. */
static void through(const struct accessor *a, size_t i)
{
	LLVMValueRef argument[9];
	unsigned n = put_own(a, i, argument);

	argument[n++] = a->p;
	argument[n++] = c32(a->s, a->bytes);
	argument[n++] = c32(a->s, a->kind);
	if (!a->copy) {
		value_access(a, call(a->s, F_THROUGH, argument, n, a->at));
		return;
	}
	argument[n++] = a->data;
	call(a->s, F_COPY, argument, n, a->at);
	LLVMBuildRetVoid(a->s->m->builder);
}

/* Goes on where condition is false; where it is true, at the block returned. */
static LLVMBasicBlockRef branch_if(const struct accessor *a, LLVMValueRef condition)
{
	LLVMBasicBlockRef yes = block(a), no = block(a);

	LLVMBuildCondBr(a->s->m->builder, condition, yes, no);
	LLVMPositionBuilderAtEnd(a->s->m->builder, no);
	return yes;
}

static void in_other(const struct accessor *a, size_t t)
{
	const struct soft *s = a->s;
	LLVMValueRef argument[6] = { parameter(a, t, 0), c32(s, s->p->line_bits),
				     c32(s, slot_of(t)), a->p,
				     c32(s, a->bytes), c32(s, a->kind) };

	value_access(a, call(s, F_FOUND, argument, WS_COUNT(argument), a->at));
}

/* Aliased: what lies at p may be in the line of another than i.  What spans lines is written
 * back. */
static void look_in_others(const struct accessor *a, size_t i)
{
	LLVMBuilderRef b = a->s->m->builder;

	for (size_t t = 0; t + 1 < a->s->structures; t++) {
		LLVMValueRef argument[7] = { parameter(a, t, 0), a->p,
					     c32(a->s, a->s->p->line_bits) };
		LLVMBasicBlockRef found, next;

		if (t == i || !a->s->structure[t].used)
			continue;
		if (a->copy || a->kind == WS_ATOMIC) {
			unsigned n = put_own(a, t, argument);

			argument[n++] = a->p;
			argument[n++] = c32(a->s, a->bytes);
			call(a->s, F_RELEASE, argument, n, a->at);
			continue;
		}
		found = branch_if(a, call(a->s, F_HOLDS, argument, 3, a->at));
		next = LLVMGetInsertBlock(b);
		LLVMPositionBuilderAtEnd(b, found);
		in_other(a, t);
		LLVMPositionBuilderAtEnd(b, next);
	}
}

static void access_atomic(const struct accessor *a, size_t i)
{
	LLVMValueRef argument[9] = { a->calls };
	unsigned n = 1 + put_own(a, i, argument + 1);

	argument[n++] = a->p;
	argument[n++] = c32(a->s, a->bytes);
	argument[n++] = c32(a->s, a->s->p->threshold);
	if (!(a->s->p->omit & WS_SOFT_OMIT_ATOMIC))
		call(a->s, F_ATOMIC, argument, n, a->at);
	if (a->s->p->aliased)
		look_in_others(a, i);
	LLVMBuildRetVoid(a->s->m->builder);
}

/* An access to structure i. */
static void access_structure(const struct accessor *a, size_t i)
{
	LLVMValueRef argument[10] = { a->calls }, line = parameter(a, i, 0);
	LLVMBuilderRef b = a->s->m->builder;
	LLVMBasicBlockRef memory, cached;
	unsigned n = 1 + put_own(a, i, argument + 1);

	if (a->kind == WS_ATOMIC) {
		access_atomic(a, i);
		return;
	}
	argument[n++] = a->p;
	argument[n++] = c32(a->s, a->bytes);
	argument[n++] = c32(a->s, a->kind);
	argument[n++] = c32(a->s, a->s->p->threshold);
	memory = branch_if(a, call(a->s, F_MONITOR, argument, n, a->at));
	if (a->s->p->aliased)
		look_in_others(a, i);
	if (i + 1 < a->s->structures) {
		cached = branch_if(a, call(a->s, F_CHOSEN, &line, 1, a->at));
		LLVMBuildBr(b, memory);
		LLVMPositionBuilderAtEnd(b, cached);
		through(a, i);
	} else {
		LLVMBuildBr(b, memory);
	}
	LLVMPositionBuilderAtEnd(b, memory);
	direct(a, i);
}

/* An access to whichever structure holds p. */
static void access_any(const struct accessor *a)
{
	LLVMBuilderRef b = a->s->m->builder;

	for (size_t i = 0; i + 1 < a->s->structures; i++) {
		LLVMValueRef offset = LLVMBuildSub(
			b, LLVMBuildPtrToInt(b, a->p, a->s->m->i64, ""),
			LLVMBuildPtrToInt(b, parameter(a, i, 1), a->s->m->i64, ""), "");
		LLVMBasicBlockRef here = branch_if(
			a, LLVMBuildICmp(b, LLVMIntULT, offset, parameter(a, i, 2), "")), next;

		next = LLVMGetInsertBlock(b);
		LLVMPositionBuilderAtEnd(b, here);
		access_structure(a, i);
		LLVMPositionBuilderAtEnd(b, next);
	}
	access_structure(a, a->s->structures - 1);
}

/* The function of an access: its parameters are what it may need of the body. */
static void make_accessor(struct accessor *a, LLVMTypeRef result, LLVMTypeRef data)
{
	LLVMTypeRef type[3 + 3 * (WS_ARG_MAX + 1)];
	struct ws_module *m = a->s->m;
	unsigned n = 0, kind = LLVMGetEnumAttributeKindForName("alwaysinline", 12);
	char name[40];

	type[n++] = m->ptr;
	type[n++] = a->s->global;
	type[n++] = data;
	for (size_t i = 0; i < a->s->structures; i++) {
		type[n++] = m->ptr;
		type[n++] = a->s->global;
		type[n++] = m->i64;
	}
	snprintf(name, sizeof name, "ws_soft_access_%zu", a->s->accessors++);
	a->f = LLVMAddFunction(m->module, name, LLVMFunctionType(result, type, n, 0));
	LLVMSetLinkage(a->f, LLVMInternalLinkage);
	LLVMAddAttributeAtIndex(a->f, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
				LLVMCreateEnumAttribute(m->context, kind, 0));
	a->calls = LLVMGetParam(a->f, 0);
	a->p = LLVMGetParam(a->f, 1);
	a->data = LLVMGetParam(a->f, 2);
	LLVMPositionBuilderAtEnd(m->builder, block(a));
}

/* Makes the function and, before the access, a call of it. */
static LLVMValueRef replace_access(struct accessor *a, size_t structure, LLVMTypeRef result,
				   LLVMValueRef p, LLVMValueRef data)
{
	LLVMValueRef argument[3 + 3 * (WS_ARG_MAX + 1)], made;
	LLVMBuilderRef b = a->s->m->builder;
	unsigned n = 0;

	make_accessor(a, result, LLVMTypeOf(data));
	if (structure == a->s->structures)
		access_any(a);
	else
		access_structure(a, structure);
	LLVMPositionBuilderBefore(b, a->at);
	if (LLVMGetPointerAddressSpace(LLVMTypeOf(p)) != 1)
		p = LLVMBuildAddrSpaceCast(b, p, a->s->global, "");
	argument[n++] = a->s->calls;
	argument[n++] = p;
	argument[n++] = data;
	for (size_t i = 0; i < a->s->structures; i++) {
		argument[n++] = a->s->structure[i].line;
		argument[n++] = a->s->structure[i].base;
		argument[n++] = a->s->structure[i].bytes;
	}
	made = LLVMBuildCall2(b, LLVMGlobalGetValueType(a->f), a->f, argument, n, "");
	LLVMInstructionSetDebugLoc(made, LLVMInstructionGetDebugLoc(a->at));
	return made;
}

/* ---- the kinds of access ------------------------------------------------------------------ */

/* Can all its bytes be in but one line, whatever the address? */
static bool in_one_line(const struct soft *s, LLVMValueRef i, uint64_t bytes)
{
	uint64_t align = LLVMGetAlignment(i), line = UINT64_C(1) << s->p->line_bits;

	return bytes <= align && bytes <= line;
}

static LLVMValueRef room(struct soft *s, uint64_t bytes)
{
	LLVMValueRef made;

	LLVMPositionBuilderBefore(s->m->builder,
				  LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(s->m->body)));
	made = LLVMBuildAlloca(s->m->builder, LLVMArrayType2(s->m->i8, bytes), "copy");
	LLVMSetAlignment(made, 16);
	return made;
}

static void rewrite_load(struct soft *s, LLVMValueRef i, const struct ws_kernel_access *access,
			 size_t at)
{
	struct accessor a = { .s = s, .at = i, .kind = WS_LOAD, .bytes = access->bytes,
			      .copy = !in_one_line(s, i, access->bytes) };
	LLVMTypeRef type = LLVMTypeOf(i);
	LLVMValueRef made;

	if (a.copy) {
		LLVMValueRef data = room(s, LLVMABISizeOfType(s->m->layout, type));

		replace_access(&a, at, s->m->none, access->pointer, data);
		made = LLVMBuildLoad2(s->m->builder, type, data, "");
		LLVMSetAlignment(made, 1);
	} else {
		made = replace_access(&a, at, type, access->pointer, LLVMConstNull(s->m->ptr));
	}
	LLVMReplaceAllUsesWith(i, made);
	LLVMInstructionEraseFromParent(i);
}

static void rewrite_store(struct soft *s, LLVMValueRef i, const struct ws_kernel_access *access,
			  size_t at)
{
	struct accessor a = { .s = s, .at = i, .kind = WS_STORE, .bytes = access->bytes,
			      .copy = !in_one_line(s, i, access->bytes) };
	LLVMValueRef value = LLVMGetOperand(i, 0);

	if (a.copy) {
		LLVMValueRef data = room(s, LLVMABISizeOfType(s->m->layout, LLVMTypeOf(value)));

		LLVMPositionBuilderBefore(s->m->builder, i);
		LLVMSetAlignment(LLVMBuildStore(s->m->builder, value, data), 1);
		value = data;
	}
	replace_access(&a, at, s->m->none, access->pointer, value);
	LLVMInstructionEraseFromParent(i);
}

/* A copy or fill by intrinsic: through private memory, with a load and a store of their own. */
static void rewrite_block(struct soft *s, LLVMValueRef i, const struct ws_kernel_access *access,
			  size_t n)
{
	LLVMValueRef data = room(s, access[0].bytes), to = LLVMGetOperand(i, 0);
	LLVMValueRef from = LLVMGetOperand(i, 1), size = LLVMGetOperand(i, 2);
	LLVMBuilderRef b = s->m->builder;
	int root;

	LLVMPositionBuilderBefore(b, i);
	for (size_t k = 0; k < n; k++) {
		struct accessor a = { .s = s, .at = i, .kind = access[k].kind,
				      .bytes = access[k].bytes, .copy = true };

		if (n == 1)
			LLVMBuildMemSet(b, data, from, size, 16);
		if (is_global(s, &access[k], &root))
			replace_access(&a, structure_of(s, root), s->m->none, access[k].pointer,
				       data);
		else if (access[k].kind == WS_LOAD)
			LLVMBuildMemCpy(b, data, 16, from, 1, size);
		else
			LLVMBuildMemCpy(b, to, 1, data, 16, size);
		LLVMPositionBuilderBefore(b, i);
	}
	LLVMInstructionEraseFromParent(i);
}

static void build_flush(struct soft *s, LLVMValueRef before)
{
	LLVMOpcode op = LLVMGetInstructionOpcode(before);
	LLVMValueRef argument[7] = { s->calls }, left[2] = { s->calls, c32(s, s->p->threshold) };
	bool omitted = op == LLVMRet ? s->p->omit & WS_SOFT_OMIT_END
				     : s->p->omit & WS_SOFT_OMIT_BARRIER;

	LLVMPositionBuilderBefore(s->m->builder, before);
	if (op != LLVMFence)
		call(s, F_LEFT, left, 2, before);
	for (size_t i = 0; i < s->structures; i++) {
		unsigned n = 1 + put_structure(s, i, s->structure[i].line, s->structure[i].base,
					       argument + 1);

		argument[n] = left[1];
		if (s->structure[i].used && !omitted)
			call(s, F_FLUSH, argument, n + 1, before);
		if (s->structure[i].used && op == LLVMRet)
			call(s, F_END, argument + 1, n - 1, before);
	}
}

static void rewrite(struct soft *s, LLVMValueRef i)
{
	struct ws_kernel_access access[2] = { { .bytes = 0 } };
	size_t n = ws_accesses_of(s->m, i, access);
	struct accessor a = { .s = s, .at = i, .kind = WS_ATOMIC, .bytes = access[0].bytes };
	int root;

	if (!n) {
		build_flush(s, i);
		return;
	}
	if (LLVMGetInstructionOpcode(i) == LLVMCall) {
		rewrite_block(s, i, access, n);
		return;
	}
	is_global(s, &access[0], &root);
	if (access[0].kind == WS_LOAD)
		rewrite_load(s, i, &access[0], structure_of(s, root));
	else if (access[0].kind == WS_STORE)
		rewrite_store(s, i, &access[0], structure_of(s, root));
	else
		replace_access(&a, structure_of(s, root), s->m->none, access[0].pointer,
			       LLVMConstNull(s->m->ptr));
}

static enum ws_status print(struct ws_module *m, struct ws_buf *to, struct ws_err *err)
{
	char *text = LLVMPrintModuleToString(m->module);

	ws_put_bytes(to, text, strlen(text));
	LLVMDisposeMessage(text);
	return to->failed ? ws_fail_memory(err, "a kernel's text") : WS_OK;
}

enum ws_status ws_module_soft(struct ws_module *m, const struct ws_soft_pass *p, struct ws_err *err)
{
	struct soft s = { .m = m, .p = p, .structures = p->structures + 1 };
	enum ws_status status;

	s.structure = ws_alloc_zero(s.structures, sizeof *s.structure);
	if (!s.structure)
		return ws_fail_memory(err, "a kernel's structures");
	status = gather_accesses(&s, err);
	if (status == WS_OK)
		status = link_cache(&s, err);
	if (status == WS_OK) {
		make_entry(&s);
		for (size_t i = 0; i < s.items; i++)
			rewrite(&s, s.item[i]);
		status = ws_module_passes(m, SOFT_SIMPLIFY, err);
	}
	free(s.item);
	free(s.structure);
	return status == WS_OK && p->ir ? print(m, p->ir, err) : status;
}
