/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/capture/ptx_number.c -- conversions in inline assembly of PTX, and arithmetic whose result
 * is wider than its operands, or is a function's.
 *
 * Floats that the integer cannot hold are as PTX has them (defined.c).  Approximate functions are
 * as exact as the C library's.
 */
#include "trace/capture/ptx_block.h"

#include <string.h>

static LLVMValueRef call_intrinsic(struct ptx_block *b, const char *name, LLVMValueRef *argument,
				   unsigned args)
{
	LLVMTypeRef type = LLVMTypeOf(argument[0]);
	unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
	LLVMValueRef f = LLVMGetIntrinsicDeclaration(b->m->module, id, &type, 1);

	return LLVMBuildCall2(b->m->builder, LLVMIntrinsicGetType(b->m->context, id, &type, 1), f,
			      argument, args, "");
}

LLVMValueRef ws_ptx_extreme(struct ptx_block *b, const char *opcode, LLVMValueRef x,
			    LLVMValueRef y)
{
	bool less = ws_ptx_begins(opcode, "min."), nan = ws_ptx_has(opcode, ".NaN");
	LLVMValueRef argument[2] = { x, y };

	if (b->bad)
		return NULL;
	return call_intrinsic(b, nan ? less ? "llvm.minimum" : "llvm.maximum"
				     : less ? "llvm.minnum" : "llvm.maxnum", argument, 2);
}

/* ---- comparisons ----------------------------------------------------------------------- */

/* "setp.lt.u32", "set.lt.u32.f32": how two numbers compare, of the type at the end. */
LLVMValueRef ws_ptx_compare(struct ptx_block *b, const char *opcode, LLVMValueRef x,
			    LLVMValueRef y)
{
	static const struct {
		const char *name;
		LLVMIntPredicate is_unsigned, is_signed;
		LLVMRealPredicate real;
	} row[] = {
		{ ".eq", LLVMIntEQ, LLVMIntEQ, LLVMRealOEQ },
		{ ".ne", LLVMIntNE, LLVMIntNE, LLVMRealONE },
		{ ".lt", LLVMIntULT, LLVMIntSLT, LLVMRealOLT },
		{ ".le", LLVMIntULE, LLVMIntSLE, LLVMRealOLE },
		{ ".gt", LLVMIntUGT, LLVMIntSGT, LLVMRealOGT },
		{ ".ge", LLVMIntUGE, LLVMIntSGE, LLVMRealOGE },
		{ ".lo", LLVMIntULT, LLVMIntULT, LLVMRealPredicateFalse },
		{ ".ls", LLVMIntULE, LLVMIntULE, LLVMRealPredicateFalse },
		{ ".hi", LLVMIntUGT, LLVMIntUGT, LLVMRealPredicateFalse },
		{ ".hs", LLVMIntUGE, LLVMIntUGE, LLVMRealPredicateFalse },
		{ ".equ", 0, 0, LLVMRealUEQ }, { ".neu", 0, 0, LLVMRealUNE },
		{ ".ltu", 0, 0, LLVMRealULT }, { ".leu", 0, 0, LLVMRealULE },
		{ ".gtu", 0, 0, LLVMRealUGT }, { ".geu", 0, 0, LLVMRealUGE },
		{ ".num", 0, 0, LLVMRealORD }, { ".nan", 0, 0, LLVMRealUNO },
	};
	bool is_signed = *ws_ptx_last_word(opcode) == 's';
	const char *how = strchr(opcode, '.');

	for (size_t i = 0; i < WS_COUNT(row) && x && y && !b->bad; i++) {
		size_t len = strlen(row[i].name);
		int ordered = is_signed ? (int)row[i].is_signed : (int)row[i].is_unsigned;

		if (strncmp(how, row[i].name, len) != 0 || how[len] != '.')
			continue;
		if (!ws_ptx_is_integer(LLVMTypeOf(x)))
			return LLVMBuildFCmp(b->m->builder, row[i].real, x, y, "");
		if (ordered)
			return LLVMBuildICmp(b->m->builder, (LLVMIntPredicate)ordered, x, y, "");
	}
	b->bad = true;
	return NULL;
}

/* ---- cvt ------------------------------------------------------------------------------- */

/* To a whole number, as a float. */
static LLVMValueRef rounded(struct ptx_block *b, const char *opcode, LLVMValueRef x)
{
	static const struct {
		const char *word, *name;
	} row[] = { { ".rni", "llvm.rint" }, { ".rzi", "llvm.trunc" }, { ".rmi", "llvm.floor" },
		    { ".rpi", "llvm.ceil" } };

	for (size_t i = 0; i < WS_COUNT(row); i++) {
		if (ws_ptx_has(opcode, row[i].word))
			return call_intrinsic(b, row[i].name, &x, 1);
	}
	return x;
}

/* Other directions than to the nearest are refused. */
static bool is_plain(const char *opcode)
{
	return !ws_ptx_has(opcode, ".rz") && !ws_ptx_has(opcode, ".rm") &&
	       !ws_ptx_has(opcode, ".rp") && !ws_ptx_has(opcode, ".relu");
}

/* A float as an integer of less than 32 bits: one beyond is the nearest. */
static LLVMValueRef saturated(struct ptx_block *b, LLVMValueRef x, LLVMTypeRef to, bool to_signed)
{
	const char *name = to_signed ? "llvm.fptosi.sat" : "llvm.fptoui.sat";
	LLVMTypeRef type[2] = { to, LLVMTypeOf(x) };
	unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
	LLVMValueRef f = LLVMGetIntrinsicDeclaration(b->m->module, id, type, 2);

	return LLVMBuildCall2(b->m->builder, LLVMIntrinsicGetType(b->m->context, id, type, 2), f,
			      &x, 1, "");
}

/* An integer within what another type holds. */
static LLVMValueRef limited(struct ptx_block *b, LLVMValueRef x, LLVMTypeRef to, bool from_signed,
			    bool to_signed)
{
	LLVMTypeRef type = LLVMTypeOf(x);
	unsigned from_bits = ws_ptx_bits(b, type), bits = ws_ptx_bits(b, to) - to_signed;
	LLVMValueRef argument[2] = { x };

	if (to_signed && from_signed && from_bits > bits + 1) {
		argument[1] = LLVMConstInt(type, ~0ull << bits, 1);
		argument[0] = call_intrinsic(b, "llvm.smax", argument, 2);
	} else if (!to_signed && from_signed) {
		argument[1] = LLVMConstNull(type);
		argument[0] = call_intrinsic(b, "llvm.smax", argument, 2);
	}
	if (from_bits - from_signed <= bits)
		return argument[0];
	argument[1] = LLVMConstInt(type, bits < 64 ? (1ull << bits) - 1 : ~0ull, 0);
	return call_intrinsic(b, from_signed ? "llvm.smin" : "llvm.umin", argument, 2);
}

/* "cvt.rzi.s32.f32 d, a": the last word is the operand's type, the one before it the result's. */
static LLVMValueRef convert(struct ptx_block *b, const char *opcode, LLVMValueRef x, LLVMTypeRef to,
			    bool to_signed)
{
	LLVMBuilderRef ir = b->m->builder;
	bool from_signed = *ws_ptx_last_word(opcode) == 's';
	bool real = !ws_ptx_is_integer(LLVMTypeOf(x));

	if (real && ws_ptx_is_integer(to)) {
		x = rounded(b, opcode, x);
		if (ws_ptx_bits(b, to) < 32)
			return saturated(b, x, to, to_signed);
		return to_signed ? LLVMBuildFPToSI(ir, x, to, "") : LLVMBuildFPToUI(ir, x, to, "");
	}
	if (real)
		return LLVMBuildFPCast(ir, rounded(b, opcode, x), to, "");
	if (ws_ptx_is_integer(to) && ws_ptx_has(opcode, ".sat"))
		x = limited(b, x, to, from_signed, to_signed);
	if (ws_ptx_is_integer(to))
		return LLVMBuildIntCast2(ir, x, to, from_signed, "");
	return from_signed ? LLVMBuildSIToFP(ir, x, to, "") : LLVMBuildUIToFP(ir, x, to, "");
}

static void translate_cvt(struct ptx_block *b, const struct ptx_statement *s, LLVMTypeRef from)
{
	const char *last = ws_ptx_last_word(s->opcode), *begin = last - 1;
	char word[WS_PTX_WORD];
	LLVMTypeRef to;
	LLVMValueRef x, r;

	while (begin > s->opcode && begin[-1] != '.')
		begin--;
	snprintf(word, sizeof word, "%.*s", (int)(last - 1 - begin), begin);
	to = ws_ptx_type(b, word);
	x = s->operands == 2 ? ws_ptx_value(b, &s->operand[1], 0, from) : NULL;
	b->bad |= to && ws_ptx_has(s->opcode, ".sat") && !ws_ptx_is_integer(to);
	if (!to || !x || b->bad || !is_plain(s->opcode) || strcmp(word, "pred") == 0) {
		b->bad = true;
		return;
	}
	r = convert(b, s->opcode, x, to, *word == 's');
	/* A shorter integer in a longer register has its sign there. */
	if (*word == 's' && ws_ptx_bits(b, to) < 64)
		r = LLVMBuildSExt(b->m->builder, r, b->m->i64, "");
	ws_ptx_assign(b, &s->operand[0], 0, r);
}

/* ---- products of twice the width ------------------------------------------------------- */

/* "mul.wide.s32 d, a, b", "mad.wide.u32 d, a, b, c", "mul.hi.s64 d, a, b", "mad.hi.u32" */
static void translate_wide(struct ptx_block *b, const struct ptx_statement *s, LLVMTypeRef type)
{
	LLVMBuilderRef ir = b->m->builder;
	unsigned bits = ws_ptx_bits(b, type), product = 3;
	bool is_signed = *ws_ptx_last_word(s->opcode) == 's', high = ws_ptx_has(s->opcode, ".hi");
	LLVMTypeRef wide = LLVMIntTypeInContext(b->m->context, 2 * bits);
	LLVMValueRef x, y, r;

	product += ws_ptx_begins(s->opcode, "mad.");
	b->bad |= !ws_ptx_is_integer(type) || s->operands != product ||
		  ws_ptx_has(s->opcode, ".cc") || ws_ptx_has(s->opcode, ".sat") ||
		  (!high && bits > 32);
	x = ws_ptx_value(b, &s->operand[1], 0, type);
	y = ws_ptx_value(b, &s->operand[2], 0, type);
	if (b->bad)
		return;
	r = LLVMBuildMul(ir, LLVMBuildIntCast2(ir, x, wide, is_signed, ""),
			 LLVMBuildIntCast2(ir, y, wide, is_signed, ""), "");
	if (high)
		r = LLVMBuildTrunc(ir, LLVMBuildLShr(ir, r, LLVMConstInt(wide, bits, 0), ""), type,
				   "");
	if (product == 4) {
		LLVMValueRef more = ws_ptx_value(b, &s->operand[3], 0, LLVMTypeOf(r));

		r = b->bad ? NULL : LLVMBuildAdd(ir, r, more, "");
	}
	ws_ptx_assign(b, &s->operand[0], 0, r);
}

/* ---- functions ------------------------------------------------------------------------- */

static LLVMValueRef quotient(struct ptx_block *b, const char *opcode, LLVMValueRef x,
			     LLVMValueRef y)
{
	LLVMBuilderRef ir = b->m->builder;
	bool is_signed = *ws_ptx_last_word(opcode) == 's', rest = ws_ptx_begins(opcode, "rem.");

	if (!ws_ptx_is_integer(LLVMTypeOf(x)))
		return LLVMBuildFDiv(ir, x, y, "");
	if (rest)
		return is_signed ? LLVMBuildSRem(ir, x, y, "") : LLVMBuildURem(ir, x, y, "");
	return is_signed ? LLVMBuildSDiv(ir, x, y, "") : LLVMBuildUDiv(ir, x, y, "");
}

/* "lop3.b32 d, a, b, c, table": bit i of the table is the result for the bits of i. */
static LLVMValueRef lop3(struct ptx_block *b, const LLVMValueRef *x)
{
	LLVMBuilderRef ir = b->m->builder;
	LLVMValueRef r = LLVMConstInt(b->m->i32, 0, 0), term;
	unsigned long long table = LLVMIsAConstantInt(x[3]) ? LLVMConstIntGetZExtValue(x[3]) : 256;

	b->bad |= table > 255;
	for (unsigned i = 0; i < 8 && !b->bad; i++) {
		if (!(table >> i & 1))
			continue;
		term = LLVMConstInt(b->m->i32, ~0ull, 0);
		for (unsigned k = 0; k < 3; k++)
			term = LLVMBuildAnd(ir, term, i >> (2 - k) & 1 ? x[k]
							: LLVMBuildNot(ir, x[k], ""), "");
		r = LLVMBuildOr(ir, r, term, "");
	}
	return r;
}

static LLVMValueRef magnitude(struct ptx_block *b, LLVMValueRef x)
{
	LLVMBuilderRef ir = b->m->builder;
	LLVMValueRef zero = LLVMConstNull(LLVMTypeOf(x));

	if (!ws_ptx_is_integer(LLVMTypeOf(x)))
		return call_intrinsic(b, "llvm.fabs", &x, 1);
	return LLVMBuildSelect(ir, LLVMBuildICmp(ir, LLVMIntSLT, x, zero, ""),
			       LLVMBuildNeg(ir, x, ""), x, "");
}

/* "set.lt.u32.f32 d, a, b": all ones where it holds, or 1.0. */
static LLVMValueRef set(struct ptx_block *b, const struct ptx_statement *s, const LLVMValueRef *x)
{
	LLVMTypeRef i32 = b->m->i32, real = LLVMFloatTypeInContext(b->m->context);
	LLVMValueRef holds = ws_ptx_compare(b, s->opcode, x[0], x[1]);

	b->bad |= s->operands != 3;
	if (b->bad)
		return NULL;
	if (strstr(s->opcode, ".f32."))
		return LLVMBuildUIToFP(b->m->builder, holds, real, "");
	return LLVMBuildSExt(b->m->builder, holds, i32, "");
}

static LLVMValueRef *address_of(struct ptx_block *b, LLVMValueRef *x)
{
	x[0] = ws_ptx_as(b, x[0], b->m->ptr);
	return x;
}

static const struct {
	const char *opcode, *name;
	unsigned args;
} functions[] = {
	{ "sqrt.", "llvm.sqrt", 1 },	 { "sin.approx.", "llvm.sin", 1 },
	{ "cos.approx.", "llvm.cos", 1 }, { "fma.rn.", "llvm.fma", 3 },
	{ "popc.b64", "llvm.ctpop", 1 }, { "brev.b64", "llvm.bitreverse", 1 },
};

static LLVMValueRef apply(struct ptx_block *b, const struct ptx_statement *s, LLVMValueRef *x,
			  unsigned args)
{
	const char *op = s->opcode;

	if ((ws_ptx_begins(op, "div.") || ws_ptx_begins(op, "rem.")) && args == 2)
		return quotient(b, op, x[0], x[1]);
	if (ws_ptx_begins(op, "abs.") && args == 1)
		return magnitude(b, x[0]);
	if (ws_ptx_begins(op, "neg.f") && args == 1)
		return LLVMBuildFNeg(b->m->builder, x[0], "");
	if (ws_ptx_begins(op, "lop3.b32") && args == 4)
		return lop3(b, x);
	if (ws_ptx_begins(op, "cvta.to.shared") && args == 1)
		return ws_ptx_call(b, "ws_ptx_to_shared", address_of(b, x));
	if (ws_ptx_begins(op, "cvta.shared") && args == 1)
		return ws_ptx_call(b, "ws_ptx_from_shared", x);
	if (ws_ptx_begins(op, "cvta") && args == 1)
		return x[0];
	if (ws_ptx_begins(op, "set.") && args == 2)
		return set(b, s, x);
	for (size_t i = 0; i < WS_COUNT(functions); i++) {
		if (ws_ptx_begins(op, functions[i].opcode) && args == functions[i].args)
			return call_intrinsic(b, functions[i].name, x, args);
	}
	return NULL;
}

static bool is_function(const char *op)
{
	static const char *const name[] = { "div.", "rem.", "abs.", "neg.f", "lop3.b32",
					    "cvta.global", "cvta.to.global", "cvta.shared",
					    "cvta.to.shared", "set." };

	for (size_t i = 0; i < WS_COUNT(name); i++) {
		if (ws_ptx_begins(op, name[i]))
			return true;
	}
	for (size_t i = 0; i < WS_COUNT(functions); i++) {
		if (ws_ptx_begins(op, functions[i].opcode))
			return true;
	}
	return false;
}

static void translate_function(struct ptx_block *b, const struct ptx_statement *s, LLVMTypeRef type)
{
	unsigned args = s->operands ? s->operands - 1 : 0;
	LLVMValueRef x[WS_PTX_OPERANDS], r = NULL;

	for (unsigned i = 0; i < args; i++)
		x[i] = ws_ptx_value(b, &s->operand[i + 1], 0, type);
	if (!b->bad && is_plain(s->opcode) && !ws_ptx_has(s->opcode, ".sat"))
		r = apply(b, s, x, args);
	b->bad |= !r;
	ws_ptx_assign(b, &s->operand[0], 0, r);
}

bool ws_ptx_number(struct ptx_block *b, const struct ptx_statement *s, LLVMTypeRef type)
{
	const char *op = s->opcode;
	bool wide = ws_ptx_begins(op, "mul.wide.") || ws_ptx_begins(op, "mad.wide.") ||
		    ws_ptx_begins(op, "mul.hi.") || ws_ptx_begins(op, "mad.hi.");

	if (ws_ptx_begins(op, "cvt."))
		translate_cvt(b, s, type);
	else if (wide && !ws_ptx_has(op, ".cc"))
		translate_wide(b, s, type);
	else if (is_function(op))
		translate_function(b, s, type);
	else
		return false;
	return true;
}
