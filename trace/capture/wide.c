/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/capture/wide.c -- the wide version of a kernel that was cut into parts: it runs WS_WIDE
 * neighbouring work-items of a group at once.
 *
 * shapes.c says of each value whether it is the same for all of these work-items, grows by a fixed
 * step from one to the next, or differs.  Only values that differ become vectors.  The work-items
 * take branches together.  They separate where a branch would divide them, and before code that
 * cannot run as vectors: from there each runs alone to its next stop.  So a part begins at each
 * such point (cut.c), and values that are live there are stored in the frame.  Bounds checks of
 * accesses are branches like any other.
 *
 * Each work-item computes what it would compute alone, to the last bit.  Between two stops the
 * accesses of different work-items interleave, which only racing work-items can notice.  Atomics
 * are executed one by one, in the order of the work-items.
 */
#include "trace/capture/wide.h"

#include <stdlib.h>
#include <string.h>

#include "base/bits.h"

#define LAST (WS_WIDE - 1)

static LLVMTypeRef wide_type(LLVMTypeRef type)
{
	return LLVMVectorType(type, WS_WIDE);
}

static bool is_nothing(LLVMValueRef i)
{
	return LLVMGetTypeKind(LLVMTypeOf(i)) == LLVMVoidTypeKind;
}

/* ---- values as they are made ----------------------------------------------------------------- */

static LLVMBuilderRef builder(const struct ws_widener *w)
{
	return w->p->m->builder;
}

static LLVMValueRef number(const struct ws_widener *w, uint64_t n)
{
	return LLVMConstInt(w->p->m->i64, n, 0);
}

/* Piece k of a value's wide version, loaded at the builder's position if it is kept in memory. */
static LLVMValueRef part_of(const struct ws_widener *w, LLVMValueRef v, unsigned k)
{
	size_t n = ws_wide_number(v);
	LLVMValueRef made;

	for (unsigned i = 0; n == WS_PART_NONE && i < LLVMCountParams(w->p->f); i++) {
		if (v == LLVMGetParam(w->p->f, i))
			return LLVMGetParam(w->f, i);
	}
	if (n == WS_PART_NONE)
		return v;
	made = w->is[n][k];
	if (!w->place[n][k] ||
	    (made && ws_part_block(LLVMGetInstructionParent(v)) == w->now))
		return made;
	return LLVMBuildLoad2(builder(w), LLVMGetAllocatedType(w->place[n][k]), w->place[n][k], "");
}

static bool has_vector(const struct ws_widener *w, LLVMValueRef v)
{
	return ws_wide_shape(w, v).kind == SHAPE_EACH && ws_wide_simple(LLVMTypeOf(v));
}

/* base + by: in bytes if v is a pointer. */
static LLVMValueRef step_on(const struct ws_widener *w, LLVMValueRef v, LLVMValueRef base,
			    LLVMValueRef by)
{
	if (LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMPointerTypeKind)
		return LLVMBuildGEP2(builder(w), w->p->m->i8, base, &by, 1, "");
	return LLVMBuildAdd(builder(w), base, by, "");
}

static LLVMTypeRef counted_type(const struct ws_widener *w, LLVMValueRef v)
{
	return LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMPointerTypeKind ? w->p->m->i64 : LLVMTypeOf(v);
}

/* The value of one work-item. */
static LLVMValueRef of_lane(const struct ws_widener *w, LLVMValueRef v, unsigned lane)
{
	struct ws_row_shape s = ws_wide_shape(w, v);

	switch (s.kind) {
	case SHAPE_STEPS:
		return lane ? step_on(w, v, part_of(w, v, 0),
				      LLVMConstInt(counted_type(w, v),
						   (uint64_t)(s.step * (int64_t)lane), 1))
			    : part_of(w, v, 0);
	case SHAPE_EACH:
		if (!has_vector(w, v))
			return part_of(w, v, lane);
		return LLVMBuildExtractElement(builder(w), part_of(w, v, 0), number(w, lane), "");
	default:
		return part_of(w, v, 0);
	}
}

static LLVMValueRef splat(const struct ws_widener *w, LLVMValueRef scalar)
{
	LLVMTypeRef type = wide_type(LLVMTypeOf(scalar)), index = wide_type(w->p->m->i32);
	LLVMValueRef first = LLVMBuildInsertElement(builder(w), LLVMGetPoison(type), scalar,
						    number(w, 0), "");

	return LLVMBuildShuffleVector(builder(w), first, LLVMGetPoison(type),
				      LLVMConstNull(index), "");
}

/* The values of all work-items as a vector; v has a simple type. */
static LLVMValueRef of_all(const struct ws_widener *w, LLVMValueRef v)
{
	struct ws_row_shape s = ws_wide_shape(w, v);
	LLVMValueRef by[WS_WIDE], base;

	if (s.kind == SHAPE_EACH)
		return part_of(w, v, 0);
	base = part_of(w, v, 0);
	if (s.kind == SHAPE_ONE)
		return splat(w, base);
	for (unsigned k = 0; k < WS_WIDE; k++)
		by[k] = LLVMConstInt(counted_type(w, v), (uint64_t)(s.step * (int64_t)k), 1);
	return step_on(w, v, splat(w, base), LLVMConstVector(by, WS_WIDE));
}

/* ---- instructions ---------------------------------------------------------------------------- */

/* A copy of the instruction for one work-item. */
static LLVMValueRef copy_for(struct ws_widener *w, LLVMValueRef i, unsigned lane)
{
	LLVMValueRef operand[2 * WS_ARG_MAX], copy;
	int operands = LLVMGetNumOperands(i);

	for (int k = 0; k < operands; k++)
		operand[k] = of_lane(w, LLVMGetOperand(i, (unsigned)k), lane);
	copy = LLVMInstructionClone(i);
	for (int k = 0; k < operands; k++)
		LLVMSetOperand(copy, (unsigned)k, operand[k]);
	LLVMInsertIntoBuilder(builder(w), copy);
	return copy;
}

/* A copy for each work-item; the results go to w->is[n]. */
static void copy_for_each(struct ws_widener *w, LLVMValueRef i, size_t n)
{
	bool vector = has_vector(w, i);
	LLVMValueRef all = vector ? LLVMGetPoison(wide_type(LLVMTypeOf(i))) : NULL, got;

	for (unsigned lane = 0; lane < WS_WIDE; lane++) {
		got = copy_for(w, i, lane);
		if (vector)
			all = LLVMBuildInsertElement(builder(w), all, got, number(w, lane), "");
		else
			w->is[n][lane] = got;
	}
	if (vector)
		w->is[n][0] = all;
}

static bool is_row(const struct ws_widener *w, LLVMValueRef pointer, LLVMTypeRef type)
{
	struct ws_row_shape s = ws_wide_shape(w, pointer);

	return s.kind == SHAPE_STEPS && ws_wide_simple(type) && !ws_wide_bit(type) &&
	       s.step == (int64_t)ws_wide_bytes(w, type);
}

static LLVMValueRef build_row_load(struct ws_widener *w, LLVMValueRef i)
{
	LLVMValueRef load = LLVMBuildLoad2(builder(w), wide_type(LLVMTypeOf(i)),
					   part_of(w, LLVMGetOperand(i, 0), 0), "");

	LLVMSetAlignment(load, LLVMGetAlignment(i));
	return load;
}

static LLVMValueRef build_intrinsic(struct ws_widener *w, LLVMValueRef i)
{
	LLVMTypeRef type[2] = { wide_type(LLVMTypeOf(i)), wide_type(LLVMTypeOf(i)) }, t;
	LLVMValueRef argument[4], f, call;
	unsigned count = LLVMGetNumArgOperands(i), id;

	id = LLVMGetIntrinsicID(LLVMGetCalledValue(i));
	f = LLVMGetIntrinsicDeclaration(w->p->m->module, id, type, 1);
	t = LLVMGlobalGetValueType(f);
	for (unsigned k = 0; k < count; k++) {
		LLVMValueRef v = LLVMGetOperand(i, k);

		argument[k] = LLVMTypeOf(v) == LLVMTypeOf(i) ? of_all(w, v) : part_of(w, v, 0);
	}
	call = LLVMBuildCall2(builder(w), t, f, argument, count, "");
	if (LLVMCanValueUseFastMathFlags(i))
		LLVMSetFastMathFlags(call, LLVMGetFastMathFlags(i));
	return call;
}

static LLVMValueRef one_or_all(const struct ws_widener *w, LLVMValueRef v)
{
	return ws_wide_shape(w, v).kind == SHAPE_ONE ? part_of(w, v, 0) : of_all(w, v);
}

static LLVMValueRef build_vector_address(struct ws_widener *w, LLVMValueRef i)
{
	LLVMValueRef index[16], base = LLVMGetOperand(i, 0);
	int operands = LLVMGetNumOperands(i);

	for (int k = 1; k < operands; k++) {
		LLVMValueRef v = LLVMGetOperand(i, (unsigned)k);

		index[k - 1] = one_or_all(w, v);
	}
	return LLVMBuildGEP2(builder(w), LLVMGetGEPSourceElementType(i), of_all(w, base), index,
			     (unsigned)operands - 1, "");
}

static LLVMValueRef build_select(struct ws_widener *w, LLVMValueRef i)
{
	LLVMValueRef yes = of_all(w, LLVMGetOperand(i, 1)), no = of_all(w, LLVMGetOperand(i, 2));

	return LLVMBuildSelect(builder(w), one_or_all(w, LLVMGetOperand(i, 0)), yes, no, "");
}

/* One vector instruction for all work-items; NULL: there is none. */
static LLVMValueRef build_vector(struct ws_widener *w, LLVMValueRef i)
{
	LLVMOpcode op = LLVMGetInstructionOpcode(i);
	LLVMBuilderRef b = builder(w);
	LLVMValueRef first = LLVMGetOperand(i, 0);

	if (!ws_wide_simple(LLVMTypeOf(i)))
		return NULL;
	if (op == LLVMLoad)
		return is_row(w, first, LLVMTypeOf(i)) ? build_row_load(w, i) : NULL;
	if (op == LLVMCall)
		return ws_wide_by_vector(i) ? build_intrinsic(w, i) : NULL;
	if (op == LLVMGetElementPtr)
		return build_vector_address(w, i);
	if (op == LLVMSelect)
		return build_select(w, i);
	if (!ws_wide_simple(LLVMTypeOf(first)))
		return NULL;
	if (op == LLVMICmp)
		return LLVMBuildICmp(b, LLVMGetICmpPredicate(i), of_all(w, first),
				     of_all(w, LLVMGetOperand(i, 1)), "");
	if (op == LLVMFCmp)
		return LLVMBuildFCmp(b, LLVMGetFCmpPredicate(i), of_all(w, first),
				     of_all(w, LLVMGetOperand(i, 1)), "");
	if (op == LLVMFNeg)
		return LLVMBuildFNeg(b, of_all(w, first), "");
	if (op == LLVMFreeze)
		return LLVMBuildFreeze(b, of_all(w, first), "");
	if (LLVMIsACastInst(i))
		return LLVMBuildCast(b, op, of_all(w, first), wide_type(LLVMTypeOf(i)), "");
	if (LLVMIsABinaryOperator(i))
		return LLVMBuildBinOp(b, op, of_all(w, first), of_all(w, LLVMGetOperand(i, 1)), "");
	return NULL;
}

/* All work-items store to one address: only the last one's value remains. */
static void build_store(struct ws_widener *w, LLVMValueRef i)
{
	LLVMValueRef value = LLVMGetOperand(i, 0), to = LLVMGetOperand(i, 1), store;

	if (ws_wide_shape(w, to).kind == SHAPE_ONE) {
		copy_for(w, i, LAST);
	} else if (is_row(w, to, LLVMTypeOf(value))) {
		store = LLVMBuildStore(builder(w), of_all(w, value), part_of(w, to, 0));
		LLVMSetAlignment(store, LLVMGetAlignment(i));
	} else {
		for (unsigned lane = 0; lane < WS_WIDE; lane++)
			copy_for(w, i, lane);
	}
}

/* A comparison of a stepping value with a uniform one.  Builds its result for the first work-item,
 * and whether it is the same for all: equal for the last, and no overflow between the two. */
static void build_pair(struct ws_widener *w, LLVMValueRef i, size_t n)
{
	LLVMBuilderRef b = builder(w);
	LLVMIntPredicate how = LLVMGetICmpPredicate(i);
	bool is_signed = how == LLVMIntSGT || how == LLVMIntSGE || how == LLVMIntSLT ||
			 how == LLVMIntSLE;
	LLVMValueRef v = LLVMGetOperand(i, 0), same, grows;

	if (ws_wide_shape(w, v).kind != SHAPE_STEPS)
		v = LLVMGetOperand(i, 1);
	w->is[n][0] = copy_for(w, i, 0);
	same = LLVMBuildICmp(b, LLVMIntEQ, w->is[n][0], copy_for(w, i, LAST), "");
	if (ws_wide_shape(w, v).step > 0)
		how = is_signed ? LLVMIntSGE : LLVMIntUGE;
	else
		how = is_signed ? LLVMIntSLE : LLVMIntULE;
	grows = LLVMBuildICmp(b, how, of_lane(w, v, LAST), of_lane(w, v, 0), "");
	w->is[n][1] = LLVMBuildAnd(b, same, grows, "");
}

static LLVMTypeRef type_of_part(const struct ws_widener *w, LLVMValueRef v)
{
	return has_vector(w, v) ? wide_type(LLVMTypeOf(v)) : LLVMTypeOf(v);
}

static unsigned parts_of(const struct ws_widener *w, LLVMValueRef v)
{
	return ws_wide_shape(w, v).kind == SHAPE_EACH && !has_vector(w, v) ? WS_WIDE : 1;
}

/* Private arrays lie in the frame. */
static LLVMValueRef build_array(struct ws_widener *w, size_t n)
{
	LLVMValueRef at = number(w, w->p->slot[n] * WS_WIDE);

	return LLVMBuildGEP2(builder(w), w->p->m->i8, LLVMGetParam(w->f, 2), &at, 1, "");
}

static void make(struct ws_widener *w, LLVMValueRef i)
{
	size_t n = ws_wide_number(i);
	enum ws_row_kind kind = ws_wide_shape(w, i).kind;

	if (ws_wide_idle(i) || ws_wide_stop(i))
		return;
	if (LLVMIsAStoreInst(i)) {
		build_store(w, i);
	} else if (n == WS_PART_NONE) {
		for (unsigned lane = 0; lane < (ws_wide_copy(i) ? WS_WIDE : 1); lane++)
			copy_for(w, i, lane);
	} else if (LLVMIsAAllocaInst(i)) {
		return; /* make_places() has built it */
	} else if (LLVMIsAPHINode(i)) {
		for (unsigned k = 0; k < parts_of(w, i); k++)
			w->is[n][k] = LLVMBuildPhi(builder(w), type_of_part(w, i), "");
	} else if (kind == SHAPE_PAIR) {
		build_pair(w, i, n);
	} else if (kind == SHAPE_EACH) {
		w->is[n][0] = build_vector(w, i);
		if (!w->is[n][0])
			copy_for_each(w, i, n);
		else if (LLVMCanValueUseFastMathFlags(i) &&
			 LLVMCanValueUseFastMathFlags(w->is[n][0]))
			LLVMSetFastMathFlags(w->is[n][0], LLVMGetFastMathFlags(i));
	} else {
		w->is[n][0] = copy_for(w, i, 0);
	}
}

/* ---- frames ---------------------------------------------------------------------------------- */

static LLVMValueRef row_of(const struct ws_widener *w, size_t n, uint64_t lane)
{
	uint64_t bytes = ws_wide_bytes(w, LLVMTypeOf(w->p->value[n]));
	LLVMValueRef at = number(w, w->p->slot[n] * WS_WIDE + lane * bytes);

	return LLVMBuildGEP2(builder(w), w->p->m->i8, LLVMGetParam(w->f, 2), &at, 1, "");
}

/* Stores a value to the frame, where an i1 takes a byte. */
static void keep(struct ws_widener *w, size_t n)
{
	LLVMValueRef v = w->p->value[n], all;

	bool pair = ws_wide_shape(w, v).kind == SHAPE_PAIR;

	if (pair || !ws_wide_simple(LLVMTypeOf(v))) {
		for (unsigned lane = 0; lane < WS_WIDE; lane++)
			LLVMBuildStore(builder(w),
				       pair ? copy_for(w, v, lane) : of_lane(w, v, lane),
				       row_of(w, n, lane));
		return;
	}
	all = of_all(w, v);
	if (ws_wide_bit(LLVMTypeOf(v)))
		all = LLVMBuildZExt(builder(w), all, wide_type(w->p->m->i8), "");
	LLVMSetAlignment(LLVMBuildStore(builder(w), all, row_of(w, n, 0)),
			 LLVMABIAlignmentOfType(w->p->m->layout, LLVMTypeOf(v)));
}

static LLVMValueRef kept_row(const struct ws_widener *w, size_t n)
{
	LLVMTypeRef type = LLVMTypeOf(w->p->value[n]), in = ws_wide_bit(type) ? w->p->m->i8 : type;
	LLVMValueRef row = LLVMBuildLoad2(builder(w), wide_type(in), row_of(w, n, 0), "");

	LLVMSetAlignment(row, LLVMABIAlignmentOfType(w->p->m->layout, type));
	return ws_wide_bit(type) ? LLVMBuildTrunc(builder(w), row, wide_type(type), "") : row;
}

/* Whether the row that was loaded has the value's shape. */
static LLVMValueRef is_so(const struct ws_widener *w, LLVMValueRef v, LLVMValueRef row)
{
	LLVMValueRef same = of_all(w, v);
	LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(v));
	LLVMTypeRef bits = wide_type(kind == LLVMFloatTypeKind ? w->p->m->i32 : w->p->m->i64);

	if (kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind) {
		row = LLVMBuildBitCast(builder(w), row, bits, "");
		same = LLVMBuildBitCast(builder(w), same, bits, "");
	}
	return LLVMBuildICmp(builder(w), LLVMIntEQ, row, same, "");
}

static void put_in_place(const struct ws_widener *w, size_t n)
{
	for (unsigned k = 0; k < WS_WIDE && w->place[n][k]; k++)
		LLVMBuildStore(builder(w), w->is[n][k], w->place[n][k]);
}

/* Loads a value from the frame; *good &= it has its shape. */
static void read_row(struct ws_widener *w, size_t n, LLVMValueRef *good)
{
	LLVMValueRef v = w->p->value[n], row;

	if (!ws_wide_simple(LLVMTypeOf(v))) {
		for (unsigned lane = 0; lane < WS_WIDE; lane++)
			w->is[n][lane] = LLVMBuildLoad2(builder(w), LLVMTypeOf(v),
							row_of(w, n, lane), "");
		put_in_place(w, n);
		return;
	}
	row = kept_row(w, n);
	w->is[n][0] = ws_wide_shape(w, v).kind == SHAPE_EACH
			      ? row
			      : LLVMBuildExtractElement(builder(w), row, number(w, 0), "");
	put_in_place(w, n);
	if (ws_wide_shape(w, v).kind == SHAPE_EACH)
		return;
	row = is_so(w, v, row);
	*good = *good ? LLVMBuildAnd(builder(w), *good, row, "") : row;
}

/* ---- blocks ---------------------------------------------------------------------------------- */

static LLVMBasicBlockRef new_block(const struct ws_widener *w)
{
	return LLVMAppendBasicBlockInContext(w->p->m->context, w->f, "");
}

static LLVMValueRef point_number(const struct ws_widener *w, size_t k)
{
	return LLVMConstInt(w->p->m->i32, k, 0);
}

/* Is the value stored to the frame as soon as it is computed? */
static bool is_kept_early(const struct ws_widener *w, size_t n)
{
	LLVMBasicBlockRef b = LLVMGetInstructionParent(w->p->value[n]);

	return w->place[n][0] && !ws_bit(w->cyclic, ws_part_block(b));
}

/* The block that returns, so that each work-item continues alone at the beginning of block b. */
static LLVMBasicBlockRef part_before(struct ws_widener *w, size_t b)
{
	LLVMBasicBlockRef back = LLVMGetInsertBlock(builder(w));

	if (w->alone[b])
		return w->alone[b];
	w->alone[b] = new_block(w);
	LLVMPositionBuilderAtEnd(builder(w), w->alone[b]);
	for (size_t n = 0; n < w->p->values; n++) {
		if (ws_part_lives(w->p, b, n) && !is_kept_early(w, n))
			keep(w, n);
	}
	LLVMBuildRet(builder(w), point_number(w, w->point[b]));
	LLVMPositionBuilderAtEnd(builder(w), back);
	return w->alone[b];
}

/* An extension of a stepping value steps only if nothing wraps: checked at run time. */
static void check_extension(struct ws_widener *w, size_t b, LLVMValueRef i)
{
	LLVMValueRef from = ws_wide_extended(i), low = copy_for(w, i, 0), high, again;
	LLVMTypeRef narrow = LLVMTypeOf(from), type = LLVMTypeOf(i);
	int64_t last = ws_wide_shape(w, from).step * LAST;
	LLVMBasicBlockRef on = new_block(w);

	high = LLVMBuildAdd(builder(w), low, LLVMConstInt(type, (uint64_t)last, 1), "");
	if (LLVMGetInstructionOpcode(i) == LLVMAnd)
		again = LLVMBuildAnd(builder(w), high, LLVMGetOperand(i, 1), "");
	else if (narrow == type)
		again = LLVMBuildBinOp(builder(w), LLVMGetInstructionOpcode(i),
				       LLVMBuildShl(builder(w), high, LLVMGetOperand(i, 1), ""),
				       LLVMGetOperand(i, 1), "");
	else
		again = LLVMBuildCast(builder(w), LLVMGetInstructionOpcode(i),
				      LLVMBuildTrunc(builder(w), high, narrow, ""), type, "");
	LLVMBuildCondBr(builder(w), LLVMBuildICmp(builder(w), LLVMIntEQ, high, again, ""), on,
			part_before(w, b));
	LLVMPositionBuilderAtEnd(builder(w), on);
}

static LLVMBasicBlockRef target(const struct ws_widener *w, LLVMValueRef end, unsigned s)
{
	return w->to[ws_part_block(LLVMGetSuccessor(end, s))];
}

/* The work-items take the branch together, or separate before b. */
static void build_branch(struct ws_widener *w, size_t b, LLVMValueRef end)
{
	LLVMValueRef c = LLVMGetCondition(end), mask, choice;
	enum ws_row_kind kind = ws_wide_shape(w, c).kind;
	LLVMTypeRef i8 = w->p->m->i8;

	if (kind == SHAPE_EACH) {
		mask = LLVMBuildBitCast(builder(w), of_all(w, c), i8, "");
		choice = LLVMBuildSwitch(builder(w), mask, part_before(w, b), 2);
		LLVMAddCase(choice, LLVMConstInt(i8, 0, 0), target(w, end, 1));
		LLVMAddCase(choice, LLVMConstInt(i8, (1u << WS_WIDE) - 1, 0), target(w, end, 0));
		return;
	}
	if (kind == SHAPE_PAIR) {
		LLVMBasicBlockRef on = new_block(w);

		LLVMBuildCondBr(builder(w), part_of(w, c, 1), on, part_before(w, b));
		LLVMPositionBuilderAtEnd(builder(w), on);
	}
	LLVMBuildCondBr(builder(w), part_of(w, c, 0), target(w, end, 0), target(w, end, 1));
}

static void call_meets(struct ws_widener *w, LLVMValueRef stop)
{
	LLVMTypeRef type[4] = { w->p->m->ptr, w->p->m->i32, w->p->m->i32, w->p->m->i64 };
	LLVMTypeRef t = LLVMFunctionType(w->p->m->none, type, 4, 0);
	LLVMValueRef f = ws_part_runtime(w->p->m, "ws_lane_meets", t), argument[4];

	for (unsigned lane = 0; lane < WS_WIDE; lane++) {
		LLVMValueRef at = number(w, lane * sizeof(struct ws_lane_ctx));

		argument[0] = LLVMBuildGEP2(builder(w), w->p->m->i8, LLVMGetParam(w->f, 0), &at, 1,
					    "");
		for (unsigned k = 1; k < 4; k++)
			argument[k] = of_lane(w, LLVMGetOperand(stop, k), lane);
		LLVMBuildCall2(builder(w), t, f, argument, 4, "");
	}
}

static void build_stop(struct ws_widener *w, size_t b)
{
	const struct ws_parts *p = w->p;
	size_t k = 1;

	while (!p->point[k].stop || LLVMGetInstructionParent(p->point[k].stop) != p->block[b])
		k++;
	if (!is_nothing(p->point[k].stop))
		call_meets(w, p->point[k].stop);
	for (size_t n = 0; n < p->values; n++) {
		if (ws_part_lives(p, ws_part_block(p->point[k].block), n) &&
		    !is_kept_early(w, n) && p->value[n] != p->point[k].stop)
			keep(w, n);
	}
	LLVMBuildRet(builder(w), point_number(w, k));
}

static void build_end(struct ws_widener *w, size_t b)
{
	LLVMValueRef end = LLVMGetBasicBlockTerminator(w->p->block[b]);

	if (w->p->stops[b])
		build_stop(w, b);
	else if (LLVMIsAReturnInst(end))
		LLVMBuildRet(builder(w), point_number(w, 0));
	else if (LLVMIsABranchInst(end) && LLVMIsConditional(end))
		build_branch(w, b, end);
	else if (LLVMIsABranchInst(end))
		LLVMBuildBr(builder(w), target(w, end, 0));
	else
		LLVMBuildUnreachable(builder(w));
	w->end[b] = LLVMGetInsertBlock(builder(w));
}

/* Stores a value where it is kept, after it is computed. */
static void settle(struct ws_widener *w, LLVMValueRef i)
{
	size_t n = ws_wide_number(i);

	if (n == WS_PART_NONE || !w->place[n][0] || ws_wide_stop(i))
		return;
	put_in_place(w, n);
	if (is_kept_early(w, n))
		keep(w, n);
}

static void build_block(struct ws_widener *w, size_t b)
{
	LLVMValueRef first = LLVMGetFirstInstruction(w->p->block[b]), i = first;

	w->now = b;
	LLVMPositionBuilderAtEnd(builder(w), w->to[b]);
	if (ws_wide_goes_alone(w, b)) {
		LLVMBuildBr(builder(w), part_before(w, b));
		return;
	}
	if (ws_wide_extended(first) && w->point[b])
		check_extension(w, b, first);
	for (; LLVMIsAPHINode(i); i = LLVMGetNextInstruction(i))
		make(w, i);
	for (LLVMValueRef phi = first; phi != i; phi = LLVMGetNextInstruction(phi))
		settle(w, phi);
	for (; !LLVMIsATerminatorInst(i); i = LLVMGetNextInstruction(i)) {
		make(w, i);
		settle(w, i);
	}
	build_end(w, b);
}

static void fill_phi(struct ws_widener *w, LLVMValueRef i)
{
	size_t n = ws_wide_number(i);
	LLVMValueRef part;

	for (unsigned k = 0; k < LLVMCountIncoming(i); k++) {
		size_t from = ws_part_block(LLVMGetIncomingBlock(i, k));
		LLVMValueRef v = LLVMGetIncomingValue(i, k);

		if (!w->end[from])
			continue;
		w->now = from;
		LLVMPositionBuilderBefore(builder(w), LLVMGetBasicBlockTerminator(w->end[from]));
		for (unsigned j = 0; j < parts_of(w, i); j++) {
			part = has_vector(w, i)		    ? of_all(w, v)
			       : parts_of(w, i) == WS_WIDE ? of_lane(w, v, j)
							    : part_of(w, v, 0);
			LLVMAddIncoming(w->is[n][j], &part, &w->end[from], 1);
		}
	}
}

/* ---- the function ---------------------------------------------------------------------------- */

static void make_places(struct ws_widener *w)
{
	for (size_t n = 0; n < w->p->values; n++) {
		LLVMValueRef v = w->p->value[n];

		if (LLVMIsAAllocaInst(v))
			w->is[n][0] = build_array(w, n);
		if (LLVMIsAAllocaInst(v) || !ws_wide_kept(w, n))
			continue;
		for (unsigned k = 0; k < parts_of(w, v); k++)
			w->place[n][k] = LLVMBuildAlloca(builder(w), type_of_part(w, v), "");
	}
}

static LLVMValueRef call_met(struct ws_widener *w)
{
	LLVMTypeRef ptr = w->p->m->ptr, t = LLVMFunctionType(ptr, &ptr, 1, 0);
	LLVMValueRef f = ws_part_runtime(w->p->m, "ws_lane_met", t), all, context, at;

	all = LLVMGetPoison(wide_type(ptr));
	for (unsigned lane = 0; lane < WS_WIDE; lane++) {
		at = number(w, lane * sizeof(struct ws_lane_ctx));
		context = LLVMBuildGEP2(builder(w), w->p->m->i8, LLVMGetParam(w->f, 0), &at, 1, "");
		all = LLVMBuildInsertElement(builder(w), all,
					     LLVMBuildCall2(builder(w), t, f, &context, 1, ""),
					     number(w, lane), "");
	}
	return all;
}

/* The entry behind stop k.  It refuses to go on if a value in the frame does not have its shape. */
static LLVMBasicBlockRef build_entrance(struct ws_widener *w, size_t k)
{
	const struct ws_parts *p = w->p;
	size_t b = ws_part_block(p->point[k].block);
	LLVMBasicBlockRef block = new_block(w), refuse;
	LLVMValueRef good = NULL;

	w->now = SIZE_MAX;
	LLVMPositionBuilderAtEnd(builder(w), block);
	for (size_t n = 0; n < p->values; n++) {
		if (!ws_part_lives(p, b, n))
			continue;
		if (p->value[n] == p->point[k].stop) {
			w->is[n][0] = call_met(w);
			put_in_place(w, n);
			keep(w, n);
		} else {
			read_row(w, n, &good);
		}
	}
	if (!good) {
		LLVMBuildBr(builder(w), w->to[b]);
		return block;
	}
	refuse = new_block(w);
	good = LLVMBuildBitCast(builder(w), good, w->p->m->i8, "");
	good = LLVMBuildICmp(builder(w), LLVMIntEQ, good,
			     LLVMConstInt(w->p->m->i8, (1u << WS_WIDE) - 1, 0), "");
	LLVMBuildCondBr(builder(w), good, w->to[b], refuse);
	LLVMPositionBuilderAtEnd(builder(w), refuse);
	LLVMBuildRet(builder(w), point_number(w, WS_WIDE_REFUSES));
	return block;
}

static void build_function(struct ws_widener *w)
{
	LLVMBasicBlockRef enter = LLVMGetEntryBasicBlock(w->f);
	const struct ws_parts *p = w->p;
	LLVMValueRef choice;

	LLVMPositionBuilderAtEnd(builder(w), enter);
	make_places(w);
	for (size_t i = 0; i < w->ordered; i++)
		w->to[w->order[i]] = new_block(w);
	for (size_t i = 0; i < w->ordered; i++)
		build_block(w, w->order[i]);
	for (size_t i = 0; i < w->ordered; i++) {
		LLVMValueRef v = LLVMGetFirstInstruction(p->block[w->order[i]]);

		for (; LLVMIsAPHINode(v) && w->end[w->order[i]]; v = LLVMGetNextInstruction(v))
			fill_phi(w, v);
	}
	LLVMPositionBuilderAtEnd(builder(w), enter);
	choice = LLVMBuildSwitch(builder(w), LLVMGetParam(w->f, 3), w->to[0], (unsigned)p->points);
	for (size_t k = 1; k < p->points; k++) {
		if (p->point[k].stop)
			LLVMAddCase(choice, point_number(w, k), build_entrance(w, k));
	}
}

static void begin_function(struct ws_widener *w)
{
	struct ws_module *m = w->p->m;
	LLVMTypeRef type[4] = { m->ptr, m->ptr, m->ptr, m->i32 };

	w->f = LLVMAddFunction(m->module, "__ws_wide", LLVMFunctionType(m->i32, type, 4, 0));
	LLVMAppendBasicBlockInContext(m->context, w->f, "enter");
}

static void widener_clear(struct ws_widener *w)
{
	free(w->shape);
	free(w->is);
	free(w->place);
	free(w->to);
	free(w->end);
	free(w->alone);
	free(w->point);
	free(w->order);
}

/* Tables by value and by block. */
static bool widener_alloc(struct ws_widener *w)
{
	const struct ws_parts *p = w->p;

	w->is = ws_alloc_zero(p->values + 1, sizeof *w->is);
	w->place = ws_alloc_zero(p->values + 1, sizeof *w->place);
	w->to = ws_alloc_zero(p->blocks, sizeof(LLVMBasicBlockRef));
	w->end = ws_alloc_zero(p->blocks, sizeof(LLVMBasicBlockRef));
	w->alone = ws_alloc_zero(p->blocks, sizeof(LLVMBasicBlockRef));
	w->point = ws_alloc_zero(p->blocks, sizeof *w->point);
	return w->is && w->place && w->to && w->end && w->alone && w->point;
}

bool ws_wide_build(struct ws_parts *p, const uint64_t *cyclic)
{
	struct ws_widener w = { .p = p, .cyclic = cyclic };
	bool good = widener_alloc(&w) && ws_wide_shapes(&w);

	for (size_t k = 1; k < p->points && good; k++) {
		if (!p->point[k].stop)
			w.point[ws_part_block(p->point[k].block)] = k;
	}
	if (good)
		begin_function(&w);
	good = good && ws_wide_order(&w);
	if (good)
		build_function(&w);
	widener_clear(&w);
	return good;
}
