/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/capture/shapes.c -- for the wide version of a kernel (wide.c): which values are the same
 * for all work-items, which grow by a fixed step from one work-item to the next, and which differ;
 * and before which instructions work-items separate.
 *
 * Sums, products with a constant and addresses of stepping values are stepping again.  Control flow
 * does not matter, since work-items that are together take the same path.
 */
#include "trace/capture/wide.h"

#include <stdlib.h>
#include <string.h>

/* ---- types ----------------------------------------------------------------------------------- */

bool ws_wide_simple(LLVMTypeRef type)
{
	unsigned bits;

	switch (LLVMGetTypeKind(type)) {
	case LLVMFloatTypeKind:
	case LLVMDoubleTypeKind:
	case LLVMPointerTypeKind:
		return true;
	case LLVMIntegerTypeKind:
		bits = LLVMGetIntTypeWidth(type);
		return bits == 1 || bits == 8 || bits == 16 || bits == 32 || bits == 64;
	default:
		return false;
	}
}

bool ws_wide_bit(LLVMTypeRef type)
{
	return LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) == 1;
}

uint64_t ws_wide_bytes(const struct ws_widener *w, LLVMTypeRef type)
{
	return LLVMABISizeOfType(w->p->m->layout, type);
}

/* The number of a value, or of a private array; WS_PART_NONE: it has none. */
size_t ws_wide_number(LLVMValueRef v)
{
	size_t len;
	const char *name = LLVMIsAInstruction(v) ? LLVMGetValueName2(v, &len) : "";

	return name[0] == 'v' || name[0] == 'a' ? strtoul(name + 1, NULL, 10) : WS_PART_NONE;
}

/* ---- what only one at a time can do ---------------------------------------------------------- */

/* The offset of a load or store in the work-item's context; false: it is not in there. */
static bool in_context(const struct ws_widener *w, LLVMValueRef pointer, uint64_t *at)
{
	LLVMValueRef offset;

	*at = 0;
	if (pointer == LLVMGetParam(w->p->f, 0))
		return true;
	if (!LLVMIsAGetElementPtrInst(pointer) ||
	    LLVMGetOperand(pointer, 0) != LLVMGetParam(w->p->f, 0) ||
	    LLVMGetNumOperands(pointer) != 2)
		return false;
	offset = LLVMGetOperand(pointer, 1);
	if (!LLVMIsAConstantInt(offset))
		return false;
	*at = LLVMConstIntGetZExtValue(offset) *
	      ws_wide_bytes(w, LLVMGetGEPSourceElementType(pointer));
	return true;
}

/* Intrinsics that exist for vectors, too, with the same results. */
static const char *const by_vector[] = {
	"llvm.sqrt.", "llvm.fabs.", "llvm.floor.", "llvm.ceil.", "llvm.trunc.", "llvm.rint.",
	"llvm.copysign.", "llvm.fma.", "llvm.smax.", "llvm.smin.", "llvm.umax.", "llvm.umin.",
	"llvm.abs.", "llvm.ctpop.", "llvm.usub.sat.", "llvm.uadd.sat.", "llvm.fshl.", "llvm.fshr.",
	"llvm.bswap.", "llvm.bitreverse.",
};
/* Intrinsics without effect. */
static const char *const idle[] = {
	"llvm.experimental.noalias.scope.decl", "llvm.assume", "llvm.dbg", "llvm.lifetime",
};

static bool is_called(LLVMValueRef i, const char *const *name, size_t names)
{
	LLVMValueRef f = LLVMGetCalledValue(i);

	for (size_t k = 0; k < names && LLVMIsAFunction(f); k++) {
		if (ws_is_named(f, name[k]))
			return true;
	}
	return false;
}

bool ws_wide_idle(LLVMValueRef i)
{
	return LLVMIsACallInst(i) && is_called(i, idle, WS_COUNT(idle));
}

bool ws_wide_by_vector(LLVMValueRef call)
{
	return is_called(call, by_vector, WS_COUNT(by_vector));
}

/* Copies of structures and the like. */
static const char *const copies[] = { "llvm.memcpy.", "llvm.memmove.", "llvm.memset." };

bool ws_wide_copy(LLVMValueRef i)
{
	return LLVMIsACallInst(i) && is_called(i, copies, WS_COUNT(copies)) &&
	       LLVMIsNull(LLVMGetOperand(i, 3));
}

/* Does the call access no memory? */
static bool is_pure(LLVMValueRef call)
{
	unsigned kind = LLVMGetEnumAttributeKindForName("memory", 6);
	const LLVMAttributeIndex at = (LLVMAttributeIndex)LLVMAttributeFunctionIndex;
	LLVMAttributeRef a;

	if (!LLVMIsAFunction(LLVMGetCalledValue(call)))
		return false;
	a = LLVMGetEnumAttributeAtIndex(LLVMGetCalledValue(call), at, kind);
	if (!a)
		a = LLVMGetCallSiteEnumAttribute(call, at, kind);
	return a && LLVMGetEnumAttributeValue(a) == 0;
}

bool ws_wide_stop(LLVMValueRef i)
{
	return LLVMIsACallInst(i) && LLVMIsAFunction(LLVMGetCalledValue(i)) &&
	       (ws_is_named(LLVMGetCalledValue(i), "ws_lane_barrier") ||
		ws_is_named(LLVMGetCalledValue(i), "ws_lane_meet"));
}

static bool is_clock(const struct ws_widener *w, LLVMValueRef pointer)
{
	uint64_t at;

	return in_context(w, pointer, &at) && at == offsetof(struct ws_lane_ctx, clock);
}

/* Is it an instruction that work-items must execute alone? */
static bool is_beyond(const struct ws_widener *w, LLVMValueRef i)
{
	switch (LLVMGetInstructionOpcode(i)) {
	case LLVMLoad:
		return LLVMGetVolatile(i) || LLVMGetOrdering(i) != LLVMAtomicOrderingNotAtomic ||
		       is_clock(w, LLVMGetOperand(i, 0));
	case LLVMStore:
		return LLVMGetVolatile(i) || LLVMGetOrdering(i) != LLVMAtomicOrderingNotAtomic ||
		       is_clock(w, LLVMGetOperand(i, 1));
	case LLVMCall:
		return !ws_wide_idle(i) && !is_pure(i) && !ws_wide_copy(i) && !ws_wide_stop(i);
	case LLVMAtomicRMW:
	case LLVMAtomicCmpXchg:
	case LLVMVAArg:
	case LLVMInvoke:
	case LLVMIndirectBr:
	case LLVMFence:
		return true;
	default:
		return false;
	}
}

/* ---- shapes ---------------------------------------------------------------------------------- */

static const struct ws_row_shape one = { SHAPE_ONE, 0, -1 }, each = { SHAPE_EACH, 0, -1 };

struct ws_row_shape ws_wide_shape(const struct ws_widener *w, LLVMValueRef v)
{
	size_t n = ws_wide_number(v);

	return n == WS_PART_NONE ? one : w->shape[n];
}

static struct ws_row_shape steps(int64_t step, int64_t bound)
{
	const int64_t most = INT64_C(1) << 31;

	if (step == 0)
		return one;
	if (step > most || step < -most)
		return each;
	return (struct ws_row_shape){ SHAPE_STEPS, step, bound < most ? bound : -1 };
}

static struct ws_row_shape join(struct ws_row_shape a, struct ws_row_shape b)
{
	if (a.kind == SHAPE_NONE)
		return b;
	if (b.kind == SHAPE_NONE)
		return a;
	if (a.kind == SHAPE_ONE && b.kind == SHAPE_ONE)
		return one;
	if (a.kind == SHAPE_STEPS && b.kind == SHAPE_STEPS && a.step == b.step)
		return steps(a.step, -1);
	return each;
}

/* The kind of all operands: SHAPE_NONE if one is unknown yet, SHAPE_ONE if all have it. */
static enum ws_row_kind kind_of_operands(const struct ws_widener *w, LLVMValueRef i)
{
	enum ws_row_kind kind = SHAPE_ONE;
	int operands = LLVMGetNumOperands(i) - (LLVMIsACallInst(i) ? 1 : 0);

	for (int k = 0; k < operands; k++) {
		enum ws_row_kind now = ws_wide_shape(w, LLVMGetOperand(i, (unsigned)k)).kind;

		if (now == SHAPE_NONE)
			return SHAPE_NONE;
		kind = now > kind ? now : kind;
	}
	return kind;
}

static bool number_in(LLVMValueRef v, int64_t *number)
{
	if (!LLVMIsAConstantInt(v) || LLVMGetIntTypeWidth(LLVMTypeOf(v)) > 64)
		return false;
	*number = LLVMConstIntGetSExtValue(v);
	return *number > INT32_MIN && *number < INT32_MAX;
}

static int64_t bound_plus(struct ws_row_shape a, LLVMValueRef other)
{
	int64_t n;

	return a.bound >= 0 && number_in(other, &n) && n >= 0 ? a.bound + n : -1;
}

static struct ws_row_shape shape_of_sum(struct ws_row_shape a, struct ws_row_shape b,
					LLVMValueRef i, int sign)
{
	int64_t bound = -1;

	if (sign > 0 && b.kind == SHAPE_ONE)
		bound = bound_plus(a, LLVMGetOperand(i, 1));
	return a.kind == SHAPE_EACH || b.kind == SHAPE_EACH
		       ? each : steps(a.step + sign * b.step, bound);
}

static struct ws_row_shape shape_of_product(struct ws_row_shape a, LLVMValueRef by, bool shift)
{
	int64_t n;

	if (a.kind != SHAPE_STEPS || !number_in(by, &n) || (shift && (n < 0 || n > 30)))
		return each;
	n = shift ? INT64_C(1) << n : n;
	return steps(a.step * n, a.bound >= 0 && n >= 0 ? a.bound * n : -1);
}

/* The operand of a left shift that i shifts back: together they extend a narrower number.  NULL: i
 * is no such shift. */
static LLVMValueRef shifted_back(LLVMValueRef i)
{
	LLVMValueRef up = LLVMGetOperand(i, 0), by = LLVMGetOperand(i, 1);
	int64_t n;

	if (!LLVMIsAInstruction(up) || LLVMGetInstructionOpcode(up) != LLVMShl ||
	    LLVMGetOperand(up, 1) != by || !number_in(by, &n) || n > 32 ||
	    LLVMGetIntTypeWidth(LLVMTypeOf(i)) != 64)
		return NULL;
	return LLVMGetOperand(up, 0);
}

LLVMValueRef ws_wide_extended(LLVMValueRef i)
{
	switch (LLVMGetInstructionOpcode(i)) {
	case LLVMSExt:
	case LLVMZExt:
	case LLVMAnd:
		return LLVMGetOperand(i, 0);
	case LLVMAShr:
	case LLVMLShr:
		return shifted_back(i);
	default:
		return NULL;
	}
}

/* A mask of low bits acts as an extension of a narrower number. */
static struct ws_row_shape shape_of_mask(struct ws_row_shape a, LLVMValueRef mask)
{
	uint64_t bits = LLVMIsAConstantInt(mask) ? LLVMConstIntGetZExtValue(mask) : 0;

	if (a.kind != SHAPE_STEPS || bits < INT32_MAX || (bits & (bits + 1)))
		return each;
	return steps(a.step, a.bound);
}

static struct ws_row_shape shape_of_binary(const struct ws_widener *w, LLVMValueRef i)
{
	struct ws_row_shape a = ws_wide_shape(w, LLVMGetOperand(i, 0));
	struct ws_row_shape b = ws_wide_shape(w, LLVMGetOperand(i, 1));

	switch (LLVMGetInstructionOpcode(i)) {
	case LLVMAdd:
		return shape_of_sum(a, b, i, 1);
	case LLVMSub:
		return shape_of_sum(a, b, i, -1);
	case LLVMOr:
		return LLVMGetIsDisjoint(i) && b.kind == SHAPE_ONE ? shape_of_sum(a, b, i, 1)
								   : each;
	case LLVMAnd:
		return shape_of_mask(a, LLVMGetOperand(i, 1));
	case LLVMAShr:
	case LLVMLShr:
		a = shifted_back(i) ? ws_wide_shape(w, shifted_back(i)) : each;
		return a.kind == SHAPE_STEPS ? steps(a.step, a.bound) : each;
	case LLVMMul:
		return shape_of_product(a, LLVMGetOperand(i, 1), false);
	case LLVMShl:
		return shape_of_product(a, LLVMGetOperand(i, 1), true);
	default:
		return each;
	}
}

/* An extended value steps if the narrower one does not wrap.  This is checked at run time, unless
 * the bound proves it. */
static struct ws_row_shape shape_of_cast(const struct ws_widener *w, LLVMValueRef i)
{
	struct ws_row_shape a = ws_wide_shape(w, LLVMGetOperand(i, 0));
	LLVMTypeRef type = LLVMTypeOf(i);

	switch (LLVMGetInstructionOpcode(i)) {
	case LLVMTrunc:
	case LLVMSExt:
	case LLVMZExt:
		if (a.kind != SHAPE_STEPS || LLVMGetIntTypeWidth(type) > 64 ||
		    LLVMGetIntTypeWidth(type) < 32 ||
		    LLVMGetIntTypeWidth(LLVMTypeOf(LLVMGetOperand(i, 0))) < 32)
			return each;
		return steps(a.step, a.bound);
	case LLVMPtrToInt:
		return LLVMGetIntTypeWidth(type) == 64 ? a : each;
	case LLVMIntToPtr:
		return LLVMGetIntTypeWidth(LLVMTypeOf(LLVMGetOperand(i, 0))) == 64 ? a : each;
	case LLVMAddrSpaceCast:
		return a;
	default:
		return each;
	}
}

/* Its step is in bytes. */
static struct ws_row_shape shape_of_address(const struct ws_widener *w, LLVMValueRef i)
{
	struct ws_row_shape base = ws_wide_shape(w, LLVMGetOperand(i, 0));
	LLVMTypeRef type = LLVMGetGEPSourceElementType(i);
	int64_t step = base.step;

	if (base.kind == SHAPE_EACH)
		return each;
	for (int k = 1; k < LLVMGetNumOperands(i); k++) {
		LLVMValueRef index = LLVMGetOperand(i, (unsigned)k);
		struct ws_row_shape s = ws_wide_shape(w, index);

		if (k > 1 && LLVMGetTypeKind(type) == LLVMStructTypeKind) {
			type = LLVMStructGetTypeAtIndex(
				type, (unsigned)LLVMConstIntGetZExtValue(index));
			continue;
		}
		if (k > 1)
			type = LLVMGetElementType(type);
		if (s.kind != SHAPE_ONE && s.kind != SHAPE_STEPS)
			return each;
		if (s.kind == SHAPE_STEPS && LLVMGetIntTypeWidth(LLVMTypeOf(index)) != 64)
			return each;
		step += s.step * (int64_t)ws_wide_bytes(w, type);
	}
	return steps(step, -1);
}

static bool only_branches(LLVMValueRef v)
{
	for (LLVMUseRef u = LLVMGetFirstUse(v); u; u = LLVMGetNextUse(u)) {
		if (!LLVMIsABranchInst(LLVMGetUser(u)))
			return false;
	}
	return true;
}

bool ws_wide_kept(const struct ws_widener *w, size_t value)
{
	const struct ws_parts *p = w->p;

	for (size_t k = 1; k < p->points; k++) {
		if (p->point[k].stop && ws_part_lives(p, ws_part_block(p->point[k].block), value))
			return true;
	}
	return false;
}

static struct ws_row_shape shape_of_compare(const struct ws_widener *w, LLVMValueRef i)
{
	struct ws_row_shape a = ws_wide_shape(w, LLVMGetOperand(i, 0));
	struct ws_row_shape b = ws_wide_shape(w, LLVMGetOperand(i, 1));
	LLVMIntPredicate how = LLVMGetICmpPredicate(i);
	bool ordered = how != LLVMIntEQ && how != LLVMIntNE;
	bool steps_and_one = (a.kind == SHAPE_STEPS && b.kind == SHAPE_ONE) ||
			     (a.kind == SHAPE_ONE && b.kind == SHAPE_STEPS);

	if (steps_and_one && ordered && only_branches(i) && !ws_wide_kept(w, ws_wide_number(i)) &&
	    LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(i, 0))) == LLVMIntegerTypeKind)
		return (struct ws_row_shape){ SHAPE_PAIR, 0, -1 };
	return each;
}

static struct ws_row_shape shape_of_load(const struct ws_widener *w, LLVMValueRef i)
{
	uint64_t at;

	if (!in_context(w, LLVMGetOperand(i, 0), &at))
		return ws_wide_shape(w, LLVMGetOperand(i, 0)).kind == SHAPE_ONE ? one : each;
	if (at == offsetof(struct ws_lane_ctx, lid) || at == offsetof(struct ws_lane_ctx, lane))
		return steps(1, WS_CTA_THREADS_MAX);
	return at == offsetof(struct ws_lane_ctx, gid) ? steps(1, -1) : one;
}

static struct ws_row_shape shape_of_phi(const struct ws_widener *w, LLVMValueRef i)
{
	struct ws_row_shape s = { SHAPE_NONE, 0, -1 };

	for (unsigned k = 0; k < LLVMCountIncoming(i); k++)
		s = join(s, ws_wide_shape(w, LLVMGetIncomingValue(i, k)));
	return s;
}

static struct ws_row_shape shape_of_select(const struct ws_widener *w, LLVMValueRef i)
{
	struct ws_row_shape s = join(ws_wide_shape(w, LLVMGetOperand(i, 1)),
			      ws_wide_shape(w, LLVMGetOperand(i, 2)));

	return ws_wide_shape(w, LLVMGetOperand(i, 0)).kind == SHAPE_ONE ? s : each;
}

static struct ws_row_shape find_shape(const struct ws_widener *w, LLVMValueRef i)
{
	LLVMOpcode op = LLVMGetInstructionOpcode(i);
	enum ws_row_kind kind;

	if (op == LLVMAlloca)
		return steps((int64_t)(ws_wide_bytes(w, LLVMGetAllocatedType(i)) *
				       LLVMConstIntGetZExtValue(LLVMGetOperand(i, 0))), -1);
	if (ws_wide_stop(i) || is_beyond(w, i))
		return each;
	if (op == LLVMPHI)
		return shape_of_phi(w, i);
	kind = kind_of_operands(w, i);
	if (kind == SHAPE_NONE)
		return (struct ws_row_shape){ SHAPE_NONE, 0, -1 };
	if (op == LLVMLoad)
		return shape_of_load(w, i);
	if (kind == SHAPE_ONE)
		return one;
	if (op == LLVMSelect)
		return shape_of_select(w, i);
	if (op == LLVMFreeze)
		return ws_wide_shape(w, LLVMGetOperand(i, 0));
	if (op == LLVMGetElementPtr)
		return shape_of_address(w, i);
	if (op == LLVMICmp)
		return shape_of_compare(w, i);
	if (LLVMIsACastInst(i))
		return shape_of_cast(w, i);
	return LLVMIsABinaryOperator(i) ? shape_of_binary(w, i) : each;
}

/* A value of no simple type that is read back from the frame counts as differing. */
bool ws_wide_shapes(struct ws_widener *w)
{
	struct ws_parts *p = w->p;
	bool more = true;

	w->shape = ws_alloc_zero(p->values + 1, sizeof *w->shape);
	if (!w->shape)
		return false;
	while (more) {
		more = false;
		for (size_t k = 0; k < p->values; k++) {
			struct ws_row_shape s = find_shape(w, p->value[k]);

			if (s.kind != SHAPE_NONE && !ws_wide_simple(LLVMTypeOf(p->value[k])) &&
			    ws_wide_kept(w, k))
				s = each;
			more |= s.kind != w->shape[k].kind || s.step != w->shape[k].step ||
				s.bound != w->shape[k].bound;
			w->shape[k] = s;
		}
	}
	return true;
}

/* ---- where they part ------------------------------------------------------------------------- */

/* May work-items separate before i?  They always do at a switch. */
static bool may_part(const struct ws_widener *w, LLVMValueRef i)
{
	LLVMOpcode op = LLVMGetInstructionOpcode(i);

	if (op == LLVMBr)
		return LLVMIsConditional(i) &&
		       ws_wide_shape(w, LLVMGetCondition(i)).kind != SHAPE_ONE;
	if (op == LLVMSwitch)
		return true;
	return ws_wide_extended(i) && ws_wide_shape(w, i).kind == SHAPE_STEPS &&
	       ws_wide_shape(w, ws_wide_extended(i)).bound < 0;
}

static bool begins_block(LLVMValueRef i)
{
	LLVMBasicBlockRef b = LLVMGetInstructionParent(i);

	return LLVMGetFirstInstruction(b) == i && b != LLVMGetEntryBasicBlock(
							       LLVMGetBasicBlockParent(b));
}

/* Divides blocks before each instruction for which `parts` is true. */
static void divide_where(struct ws_widener *w,
			 bool (*parts)(const struct ws_widener *, LLVMValueRef))
{
	LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(w->p->f);
	LLVMValueRef next;

	for (; b; b = LLVMGetNextBasicBlock(b)) {
		for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = next) {
			next = LLVMGetNextInstruction(i);
			if (parts(w, i) && !begins_block(i))
				ws_module_divide(w->p->m, i);
		}
	}
}

static bool add_points(struct ws_widener *w)
{
	bool good = true;

	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(w->p->f); b && good;
	     b = LLVMGetNextBasicBlock(b)) {
		LLVMValueRef i = LLVMGetFirstInstruction(b);

		if (!is_beyond(w, i) && !may_part(w, i))
			continue;
		good = ws_part_point(w->p, NULL);
		if (good)
			w->p->point[w->p->points - 1].block = b;
	}
	return good && w->p->points <= WS_POINTS_MAX;
}

bool ws_wide_divide(struct ws_parts *p)
{
	struct ws_widener w = { .p = p };
	bool good;

	divide_where(&w, is_beyond);
	good = ws_part_analyse(p) && ws_wide_shapes(&w);
	if (good) {
		divide_where(&w, may_part);
		good = add_points(&w);
	}
	free(w.shape);
	return good;
}

/* ---- the order of blocks --------------------------------------------------------------------- */

bool ws_wide_goes_alone(const struct ws_widener *w, size_t b)
{
	LLVMValueRef first = LLVMGetFirstInstruction(w->p->block[b]);

	return is_beyond(w, first) || LLVMIsASwitchInst(first);
}

struct block_walk {
	uint32_t *stack;
	unsigned *next; /* by block: the successor to visit next */
	bool *seen;
	size_t place;
};

/* Depth first from a block at which work-items begin; fills w->order in reverse post-order. */
static void order_from(struct ws_widener *w, size_t root, struct block_walk *at)
{
	const struct ws_parts *p = w->p;
	size_t depth = 0;

	at->stack[depth++] = (uint32_t)root;
	at->seen[root] = true;
	while (depth) {
		size_t b = at->stack[depth - 1], to;
		LLVMValueRef end = LLVMGetBasicBlockTerminator(p->block[b]);

		if (p->stops[b] || ws_wide_goes_alone(w, b) ||
		    at->next[b] == LLVMGetNumSuccessors(end)) {
			w->order[--at->place] = at->stack[--depth];
			continue;
		}
		to = ws_part_block(LLVMGetSuccessor(end, at->next[b]++));
		if (at->seen[to])
			continue;
		at->seen[to] = true;
		at->stack[depth++] = (uint32_t)to;
	}
}

bool ws_wide_order(struct ws_widener *w)
{
	const struct ws_parts *p = w->p;
	struct block_walk at = { .place = p->blocks };
	bool good;

	at.stack = ws_alloc(p->blocks + 1, sizeof *at.stack);
	at.next = ws_alloc_zero(p->blocks + 1, sizeof *at.next);
	at.seen = ws_alloc_zero(p->blocks + 1, sizeof *at.seen);
	w->order = ws_alloc(p->blocks + 1, sizeof *w->order);
	good = at.stack && at.next && at.seen && w->order;
	for (size_t k = 0; k < p->points && good; k++) {
		size_t root = k ? ws_part_block(p->point[k].block) : 0;

		if ((!k || p->point[k].stop) && !at.seen[root])
			order_from(w, root, &at);
	}
	free(at.stack);
	free(at.next);
	free(at.seen);
	w->ordered = good ? p->blocks - at.place : 0;
	if (good)
		memmove(w->order, w->order + at.place, w->ordered * sizeof *w->order);
	return good;
}
