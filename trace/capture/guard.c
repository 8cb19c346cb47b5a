/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/capture/guard.c -- checks of a kernel's accesses, built before each of them.
 *
 * An access must lie in the array that its address comes from (provenance.c): a compare of its
 * offset and a branch that is never taken.  If the array is not known, it is looked for at run
 * time.  What happens to an access that does not (`out_of_bounds`) is compiled in:
 *
 *   WS_OUT_OF_BOUNDS_FAIL	it ends the launch;
 *   others		it is made elsewhere: loads find zeros, stores and atomics a place that
 *			nobody looks at (outside.c).  Its device address is what it would be.
 *
 * Only the latter changes the access itself, whose address then has two sources: the kernel's own
 * code pays for that, if little.
 *
 * Vectors must be aligned to their size besides, as a GPU has it, whatever the CPU makes of it.
 */
#include "trace/capture/instrument.h"

#include <stdlib.h>
#include <string.h>

#define GENERIC_SPACE 4

struct limit { /* number of places in array `root` where an access of `bytes` may begin */
	int root;
	uint64_t bytes;
	LLVMValueRef count;
};

struct ws_guards {
	struct ws_module *m;
	LLVMValueRef *host, *bytes, *device; /* by root, made at entry on demand */
	LLVMValueRef entry;                  /* where such values go */
	struct limit *limit;
	size_t limits, limit_cap;
	LLVMTypeRef t_check, t_place, t_find, t_align, t_resolve, t_tile;
	LLVMValueRef f_check, f_place, f_find, f_align, f_resolve, f_tile;
};

/* ---- the inlined half of the run time ------------------------------------------ */

/* Calls that return tell what memory they touch, so that nothing about the kernel's own is
 * forgotten: an access outside its array writes its sink alone.  %d is the offset of struct
 * ws_lane_ctx's `place`. */
static const char runtime_ir[] =
	"declare void @ws_lane_fault(ptr, i32, i64) cold noreturn nounwind\n"
	"declare void @ws_lane_misaligned(ptr, i32, i64, i32) cold noreturn nounwind\n"
	"declare i64 @ws_lane_outside(ptr readonly, i32, i64, ptr) cold nounwind "
	"memory(argmem: readwrite, inaccessiblemem: readwrite)\n"
	"declare ptr @ws_lane_find(ptr, i32, ptr) nounwind\n"
	"define void @__ws_check(ptr %%c, i1 %%bad, i32 %%i, i64 %%a) alwaysinline nounwind {\n"
	"  br i1 %%bad, label %%fault, label %%good, !prof !0\n"
	"fault:\n"
	"  call void @ws_lane_fault(ptr %%c, i32 %%i, i64 %%a)\n"
	"  unreachable\n"
	"good:\n"
	"  ret void\n"
	"}\n"
	"define { ptr, i64 } @__ws_place(ptr %%c, i1 %%bad, i32 %%i, ptr %%p, i64 %%d, i64 %%o) "
	"alwaysinline nounwind {\n"
	"  br i1 %%bad, label %%outside, label %%good, !prof !0\n"
	"outside:\n"
	"  %%a = ptrtoint ptr %%p to i64\n"
	"  %%sp = getelementptr i8, ptr %%c, i64 %%o\n"
	"  %%s = load ptr, ptr %%sp\n"
	"  %%e = call i64 @ws_lane_outside(ptr %%c, i32 %%i, i64 %%a, ptr %%s)\n"
	"  br label %%good\n"
	"good:\n"
	"  %%q = phi ptr [ %%p, %%0 ], [ %%s, %%outside ]\n"
	"  %%f = phi i64 [ %%d, %%0 ], [ %%e, %%outside ]\n"
	"  %%r = insertvalue { ptr, i64 } poison, ptr %%q, 0\n"
	"  %%s2 = insertvalue { ptr, i64 } %%r, i64 %%f, 1\n"
	"  ret { ptr, i64 } %%s2\n"
	"}\n"
	"define { ptr, i64 } @__ws_find(ptr %%c, i32 %%i, ptr %%p) alwaysinline nounwind {\n"
	"  %%q = call ptr @ws_lane_find(ptr %%c, i32 %%i, ptr %%p)\n"
	"  %%fp = getelementptr i8, ptr %%c, i64 %d\n"
	"  %%f = load i64, ptr %%fp\n"
	"  %%r = insertvalue { ptr, i64 } poison, ptr %%q, 0\n"
	"  %%s = insertvalue { ptr, i64 } %%r, i64 %%f, 1\n"
	"  ret { ptr, i64 } %%s\n"
	"}\n"
	"define void @__ws_align(ptr %%c, i32 %%i, ptr %%p, i32 %%n) alwaysinline nounwind {\n"
	"  %%a = ptrtoint ptr %%p to i64\n"
	"  %%m = sub i32 %%n, 1\n"
	"  %%w = zext i32 %%m to i64\n"
	"  %%x = and i64 %%a, %%w\n"
	"  %%bad = icmp ne i64 %%x, 0\n"
	"  br i1 %%bad, label %%fault, label %%good, !prof !0\n"
	"fault:\n"
	"  call void @ws_lane_misaligned(ptr %%c, i32 %%i, i64 %%a, i32 %%n)\n"
	"  unreachable\n"
	"good:\n"
	"  ret void\n"
	"}\n"
	"!0 = !{!\"branch_weights\", i32 1, i32 100000}\n";

static enum ws_status link_runtime(struct ws_guards *g, struct ws_err *err)
{
	struct ws_module *m = g->m;
	LLVMTypeRef resolve[3] = { m->ptr, m->i64, m->i32 }, tile[3] = { m->ptr, m->i32, m->i64 };
	char ir[sizeof runtime_ir + 16];
	enum ws_status status;

	snprintf(ir, sizeof ir, runtime_ir, (int)offsetof(struct ws_lane_ctx, place));
	status = ws_module_link(m, ir, err);
	if (status != WS_OK)
		return status;
	g->f_check = ws_module_linked(m, "__ws_check", &g->t_check);
	g->f_place = ws_module_linked(m, "__ws_place", &g->t_place);
	g->f_find = ws_module_linked(m, "__ws_find", &g->t_find);
	g->f_align = ws_module_linked(m, "__ws_align", &g->t_align);
	g->t_tile = LLVMFunctionType(m->i64, tile, 3, 0);
	g->f_tile = LLVMAddFunction(m->module, "ws_lane_tile", g->t_tile);
	g->t_resolve = LLVMFunctionType(m->i64, resolve, 3, 0);
	g->f_resolve = LLVMAddFunction(m->module, "ws_lane_resolve", g->t_resolve);
	return WS_OK;
}

enum ws_status ws_guards_new(struct ws_guards **out, struct ws_module *m, struct ws_err *err)
{
	struct ws_guards *g = *out = ws_alloc_zero(1, sizeof *g);
	size_t roots = m->kernel->args + m->kernel->locals;

	if (!g)
		return ws_fail_memory(err, "a kernel's checks");
	g->m = m;
	g->host = ws_alloc_zero(roots, sizeof(LLVMValueRef));
	g->bytes = ws_alloc_zero(roots, sizeof(LLVMValueRef));
	g->device = ws_alloc_zero(roots, sizeof(LLVMValueRef));
	return g->host && g->bytes && g->device ? link_runtime(g, err)
						: ws_fail_memory(err, "a kernel's checks");
}

void ws_guards_free(struct ws_guards *g)
{
	if (!g)
		return;
	free(g->host);
	free(g->bytes);
	free(g->device);
	free(g->limit);
	free(g);
}

void ws_guards_begin(struct ws_guards *g, LLVMValueRef first)
{
	LLVMPositionBuilderBefore(g->m->builder, first);
	g->entry = LLVMBuildAlloca(g->m->builder, g->m->i8, "entry");
}

/* ---- values at entry --------------------------------------------------------------- */

static LLVMValueRef constant64(const struct ws_guards *g, uint64_t value)
{
	return LLVMConstInt(g->m->i64, value, 0);
}

/* Field `offset` of struct ws_bound_argument number `root`. */
static LLVMValueRef load_bound(struct ws_guards *g, int root, size_t offset)
{
	struct ws_module *m = g->m;
	LLVMValueRef at = constant64(g, offsetof(struct ws_lane_ctx, bound)), table, slot;

	slot = LLVMBuildGEP2(m->builder, m->i8, LLVMGetParam(m->body, 0), &at, 1, "");
	table = LLVMBuildLoad2(m->builder, m->ptr, slot, "");
	at = constant64(g, (size_t)root * sizeof(struct ws_bound_argument) + offset);
	return LLVMBuildLoad2(m->builder, m->i64,
			      LLVMBuildGEP2(m->builder, m->i8, table, &at, 1, ""), "");
}

static void make_root(struct ws_guards *g, int root)
{
	LLVMBuilderRef b = g->m->builder;
	LLVMValueRef device;

	if (g->host[root])
		return;
	LLVMPositionBuilderBefore(b, g->entry);
	g->host[root] = LLVMBuildPtrToInt(b, LLVMGetParam(g->m->body, (unsigned)root + 1),
					  g->m->i64, "host");
	if (g->m->kernel->inside)
		g->host[root] = LLVMBuildSub(b, g->host[root], load_bound(
						     g, root, offsetof(struct ws_bound_argument,
								       before)), "");
	g->bytes[root] = load_bound(g, root, offsetof(struct ws_bound_argument, bytes));
	device = load_bound(g, root, offsetof(struct ws_bound_argument, device));
	g->device[root] = LLVMBuildSub(b, device, g->host[root], "shift");
}

/* Offsets below this are in bounds for an access of `bytes`.  NULL: out of memory. */
static LLVMValueRef make_limit(struct ws_guards *g, int root, uint64_t bytes, struct ws_err *err)
{
	LLVMBuilderRef b = g->m->builder;
	LLVMValueRef fits, count;

	for (size_t i = 0; i < g->limits; i++) {
		if (g->limit[i].root == root && g->limit[i].bytes == bytes)
			return g->limit[i].count;
	}
	if (!WS_ROOM(g->limit, g->limit_cap, g->limits + 1)) {
		ws_fail_memory(err, "a kernel's bounds");
		return NULL;
	}
	LLVMPositionBuilderBefore(b, g->entry);
	fits = LLVMBuildICmp(b, LLVMIntUGE, g->bytes[root], constant64(g, bytes), "");
	count = LLVMBuildSelect(b, fits,
				LLVMBuildSub(b, g->bytes[root], constant64(g, bytes - 1), ""),
				constant64(g, 0), "limit");
	g->limit[g->limits++] = (struct limit){ root, bytes, count };
	return count;
}

/* ---- an access --------------------------------------------------------------------- */

/* What the address of a vector must be a multiple of, 0: nothing is asked.  Of copies too, which
 * the code generator makes moves of vectors of. */
static unsigned wanted_alignment(const struct ws_guards *g, LLVMValueRef i,
				 const struct ws_kernel_access *a)
{
	unsigned align = LLVMGetEnumAttributeKindForName("align", 5);
	LLVMAttributeRef given;
	LLVMTypeRef type;

	if (LLVMIsACallInst(i)) {
		given = LLVMGetCallSiteEnumAttribute(i, a->operand + 1, align);
		return given && LLVMGetEnumAttributeValue(given) >= 16
			       ? (unsigned)LLVMGetEnumAttributeValue(given)
			       : 0;
	}
	if (a->kind == WS_ATOMIC)
		return 0;
	type = a->kind == WS_LOAD ? LLVMTypeOf(i) : LLVMTypeOf(LLVMGetOperand(i, 0));
	if (LLVMGetTypeKind(type) != LLVMVectorTypeKind ||
	    LLVMGetAlignment(i) <= LLVMABISizeOfType(g->m->layout, LLVMGetElementType(type)))
		return 0;
	return LLVMGetAlignment(i);
}

static void check_alignment(struct ws_guards *g, LLVMValueRef i, const struct ws_kernel_access *a,
			    LLVMValueRef number)
{
	LLVMValueRef argument[4] = { LLVMGetParam(g->m->body, 0), number };
	unsigned wanted = wanted_alignment(g, i, a);

	if (!wanted)
		return;
	argument[2] = LLVMBuildAddrSpaceCast(g->m->builder, LLVMGetOperand(i, a->operand),
					     g->m->ptr, "");
	argument[3] = LLVMConstInt(g->m->i32, wanted, 0);
	LLVMBuildCall2(g->m->builder, g->t_align, g->f_align, argument, 4, "");
}

/* Gives the access the address of the first of the pair; returns the second. */
static LLVMValueRef move_access(struct ws_guards *g, LLVMValueRef i,
				const struct ws_kernel_access *a, LLVMValueRef pair)
{
	LLVMBuilderRef b = g->m->builder;
	LLVMValueRef to = LLVMBuildExtractValue(b, pair, 0, "");

	LLVMSetOperand(i, a->operand,
		       LLVMBuildAddrSpaceCast(b, to, LLVMTypeOf(a->pointer), ""));
	return LLVMBuildExtractValue(b, pair, 1, "");
}

/* Of an array that is not known.  Generic pointers may be to local or private memory, which is not
 * supported: nothing can be said of where they go. */
static LLVMValueRef look_for(struct ws_guards *g, LLVMValueRef i, const struct ws_kernel_access *a,
			     LLVMValueRef number)
{
	LLVMBuilderRef b = g->m->builder;
	LLVMValueRef argument[3] = { LLVMGetParam(g->m->body, 0) };

	if (g->m->options->out_of_bounds == WS_OUT_OF_BOUNDS_FAIL ||
	    LLVMGetPointerAddressSpace(LLVMTypeOf(a->pointer)) == GENERIC_SPACE) {
		argument[1] = LLVMBuildPtrToInt(b, a->pointer, g->m->i64, "");
		argument[2] = number;
		return LLVMBuildCall2(b, g->t_resolve, g->f_resolve, argument, 3, "");
	}
	argument[1] = number;
	argument[2] = LLVMBuildAddrSpaceCast(b, a->pointer, g->m->ptr, "");
	return move_access(g, i, a, LLVMBuildCall2(b, g->t_find, g->f_find, argument, 3, ""));
}

/* Of a tiled image not where its rows are. */
static LLVMValueRef device_address(struct ws_guards *g, int root, LLVMValueRef address,
				   LLVMValueRef offset)
{
	const struct ws_instrument_options *o = g->m->options;
	LLVMValueRef argument[3] = { LLVMGetParam(g->m->body, 0),
				     LLVMConstInt(g->m->i32, (unsigned)root, 0), offset };

	if ((size_t)root >= o->opaques || !o->opaque[root].tiled)
		return LLVMBuildAdd(g->m->builder, address, g->device[root], "");
	return LLVMBuildCall2(g->m->builder, g->t_tile, g->f_tile, argument, 3, "");
}

static LLVMValueRef build_compare(struct ws_guards *g, LLVMValueRef i,
				  const struct ws_kernel_access *a, int root, LLVMValueRef limit,
				  LLVMValueRef number)
{
	LLVMBuilderRef b = g->m->builder;
	LLVMValueRef context = LLVMGetParam(g->m->body, 0);
	LLVMValueRef address = LLVMBuildPtrToInt(b, a->pointer, g->m->i64, "");
	LLVMValueRef offset = LLVMBuildSub(b, address, g->host[root], "");
	LLVMValueRef bad = LLVMBuildICmp(b, LLVMIntUGE, offset, limit, "");
	size_t elsewhere = a->kind == WS_LOAD ? offsetof(struct ws_lane_ctx, zeros)
					      : offsetof(struct ws_lane_ctx, sink);

	if (g->m->options->out_of_bounds == WS_OUT_OF_BOUNDS_FAIL) {
		LLVMValueRef argument[4] = { context, bad, number, address };

		LLVMBuildCall2(b, g->t_check, g->f_check, argument, 4, "");
		return device_address(g, root, address, offset);
	}
	LLVMValueRef argument[6] = {
		context, bad, number, LLVMBuildAddrSpaceCast(b, a->pointer, g->m->ptr, ""),
		device_address(g, root, address, offset), constant64(g, elsewhere),
	};

	return move_access(g, i, a, LLVMBuildCall2(b, g->t_place, g->f_place, argument, 6, ""));
}

LLVMValueRef ws_guard(struct ws_guards *g, LLVMValueRef i, const struct ws_kernel_access *a,
		      int root, uint32_t id, struct ws_err *err)
{
	LLVMValueRef number = LLVMConstInt(g->m->i32, id, 0), limit = NULL, device;

	if (root >= 0) {
		make_root(g, root);
		limit = make_limit(g, root, a->bytes, err);
		if (!limit)
			return NULL;
	}
	LLVMPositionBuilderBefore(g->m->builder, i);
	device = limit ? build_compare(g, i, a, root, limit, number) : look_for(g, i, a, number);
	check_alignment(g, i, a, number);
	return device;
}
