/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/capture/ptx_memory.c -- loads, stores and atomics in inline assembly of PTX.
 *
 * Under a predicate they are in a function of their own, which is inlined later: LLVM's C interface
 * cannot part a block.  Addresses are generic or global ones; those of shared memory are numbers of
 * 32 bits that nothing here has, and are refused.
 */
#include "trace/capture/ptx_block.h"

#include <llvm-c/DebugInfo.h>
#include <string.h>

struct access { /* what is built, perhaps in another function */
	const struct ptx_statement *s;
	LLVMTypeRef whole;	/* of a number, or of a vector */
	int op;			/* of an atomic: enum LLVMAtomicRMWBinOp */
};
typedef LLVMValueRef build(struct ptx_block *b, const struct access *a, LLVMValueRef *argument);

static bool is_vector(const char *opcode, unsigned parts)
{
	return parts == 1 ? !strstr(opcode, ".v2.") && !strstr(opcode, ".v4.")
			  : strstr(opcode, parts == 2 ? ".v2." : ".v4.") != NULL;
}

/* "[a]", "[a+16]" */
static LLVMValueRef address(struct ptx_block *b, const struct ptx_operand *o)
{
	struct ptx_operand base = *o;
	char *plus = strchr(base.text[0], '+');
	LLVMValueRef p, offset;

	if (!o->address) {
		b->bad = true;
		return NULL;
	}
	if (!plus)
		return ws_ptx_value(b, &base, 0, b->m->ptr);
	*plus = '\0';
	p = ws_ptx_value(b, &base, 0, b->m->ptr);
	offset = ws_ptx_constant(b, plus + 1, b->m->i64);
	return b->bad ? NULL : LLVMBuildGEP2(b->m->builder, b->m->i8, p, &offset, 1, "");
}

static void mark_past(struct ptx_block *b, LLVMValueRef access)
{
	LLVMMetadataRef one = LLVMValueAsMetadata(LLVMConstInt(b->m->i32, 1, 0));

	LLVMSetMetadata(access, LLVMGetMDKindIDInContext(b->m->context, WS_PAST_MARK,
						       sizeof WS_PAST_MARK - 1),
			LLVMMetadataAsValue(b->m->context,
					    LLVMMDNodeInContext2(b->m->context, &one, 1)));
}

static LLVMValueRef add_inlined(struct ptx_block *b, LLVMTypeRef type)
{
	LLVMValueRef f = LLVMAddFunction(b->m->module, "", type);
	unsigned kind = LLVMGetEnumAttributeKindForName("alwaysinline", 12);

	LLVMSetLinkage(f, LLVMInternalLinkage);
	LLVMAddAttributeAtIndex(f, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
				LLVMCreateEnumAttribute(b->m->context, kind, 0));
	return f;
}

/* The access if the predicate holds; else nothing, and an undefined value. */
static LLVMValueRef guarded(struct ptx_block *b, const struct access *a, build *f,
			    LLVMValueRef *argument, unsigned args, LLVMTypeRef result)
{
	LLVMBuilderRef to = b->m->builder;
	LLVMTypeRef type[4] = { LLVMInt1TypeInContext(b->m->context) }, ft;
	LLVMValueRef given[4] = { b->guard }, param[3], outer, r, phi = NULL;
	LLVMBasicBlockRef entry, then, end;

	if (!b->guard)
		return f(b, a, argument);
	for (unsigned i = 0; i < args; i++) {
		given[i + 1] = argument[i];
		type[i + 1] = LLVMTypeOf(argument[i]);
	}
	ft = LLVMFunctionType(result, type, args + 1, 0);
	outer = add_inlined(b, ft);
	entry = LLVMAppendBasicBlockInContext(b->m->context, outer, "entry");
	then = LLVMAppendBasicBlockInContext(b->m->context, outer, "then");
	end = LLVMAppendBasicBlockInContext(b->m->context, outer, "end");
	LLVMSetCurrentDebugLocation2(to, NULL);
	LLVMPositionBuilderAtEnd(to, entry);
	LLVMBuildCondBr(to, LLVMGetParam(outer, 0), then, end);
	LLVMPositionBuilderAtEnd(to, then);
	for (unsigned i = 0; i < args; i++)
		param[i] = LLVMGetParam(outer, i + 1);
	r = f(b, a, param);
	LLVMBuildBr(to, end);
	LLVMPositionBuilderAtEnd(to, end);
	if (result == b->m->none) {
		LLVMBuildRetVoid(to);
	} else {
		LLVMValueRef value[2] = { LLVMConstNull(result), r };
		LLVMBasicBlockRef from[2] = { entry, then };

		phi = LLVMBuildPhi(to, result, "");
		LLVMAddIncoming(phi, value, from, 2);
		LLVMBuildRet(to, phi);
	}
	LLVMPositionBuilderBefore(to, b->call);
	LLVMSetCurrentDebugLocation2(to, LLVMInstructionGetDebugLoc(b->call));
	return LLVMBuildCall2(to, ft, outer, given, args + 1, "");
}

static bool is_volatile(const char *opcode)
{
	return ws_ptx_has(opcode, ".volatile") || ws_ptx_has(opcode, ".relaxed") ||
	       ws_ptx_has(opcode, ".acquire") || ws_ptx_has(opcode, ".release");
}

/* ---- loads and stores ------------------------------------------------------------------ */

static LLVMValueRef build_load(struct ptx_block *b, const struct access *a, LLVMValueRef *argument)
{
	LLVMValueRef v = LLVMBuildLoad2(b->m->builder, a->whole, argument[0], "");

	LLVMSetAlignment(v, ws_ptx_bits(b, a->whole) / 8);
	LLVMSetVolatile(v, is_volatile(a->s->opcode));
	if (ws_ptx_has(a->s->opcode, ".cg") || ws_ptx_has(a->s->opcode, ".cv") ||
	    ws_ptx_has(a->s->opcode, ".L1::no_allocate"))
		mark_past(b, v);
	return v;
}

/* What is loaded may be shorter than the register: its sign goes on, or zeros do. */
static LLVMValueRef extended(struct ptx_block *b, const struct ptx_statement *s, LLVMValueRef v)
{
	bool shorter = *ws_ptx_last_word(s->opcode) == 's' && ws_ptx_bits(b, LLVMTypeOf(v)) < 64;

	return shorter ? LLVMBuildSExt(b->m->builder, v, b->m->i64, "") : v;
}

static void load(struct ptx_block *b, const struct ptx_statement *s, LLVMTypeRef type)
{
	const struct ptx_operand *to = &s->operand[0];
	struct access a = { s, to->parts > 1 ? LLVMVectorType(type, to->parts) : type, 0 };
	LLVMValueRef p = s->operands == 2 ? address(b, &s->operand[1]) : NULL, v;

	if (!p || b->bad || !is_vector(s->opcode, to->parts)) {
		b->bad = true;
		return;
	}
	v = guarded(b, &a, build_load, &p, 1, a.whole);
	for (unsigned i = 0; i < to->parts; i++)
		ws_ptx_assign(b, to, i, extended(b, s, to->parts == 1 ? v : LLVMBuildExtractElement(
			b->m->builder, v, LLVMConstInt(b->m->i32, i, 0), "")));
}

static LLVMValueRef build_store(struct ptx_block *b, const struct access *a, LLVMValueRef *argument)
{
	LLVMValueRef i = LLVMBuildStore(b->m->builder, argument[1], argument[0]);

	LLVMSetAlignment(i, ws_ptx_bits(b, a->whole) / 8);
	LLVMSetVolatile(i, is_volatile(a->s->opcode));
	if (ws_ptx_has(a->s->opcode, ".cg") || ws_ptx_has(a->s->opcode, ".wt"))
		mark_past(b, i);
	return i;
}

static void store(struct ptx_block *b, const struct ptx_statement *s, LLVMTypeRef type)
{
	const struct ptx_operand *from = &s->operand[1];
	struct access a = { s, from->parts > 1 ? LLVMVectorType(type, from->parts) : type, 0 };
	LLVMValueRef argument[2] = { s->operands == 2 ? address(b, &s->operand[0]) : NULL };

	if (!argument[0] || b->bad || !is_vector(s->opcode, from->parts)) {
		b->bad = true;
		return;
	}
	argument[1] = from->parts == 1 ? ws_ptx_value(b, from, 0, type) : LLVMGetUndef(a.whole);
	for (unsigned k = 0; k < from->parts && from->parts > 1 && !b->bad; k++)
		argument[1] = LLVMBuildInsertElement(b->m->builder, argument[1],
						     ws_ptx_value(b, from, k, type),
						     LLVMConstInt(b->m->i32, k, 0), "");
	if (!b->bad)
		(void)guarded(b, &a, build_store, argument, 2, b->m->none);
}

/* ---- atomics --------------------------------------------------------------------------- */

#define CAS (-1)

/* Which of LLVM's; `none` if there is none. */
static int operation(const char *opcode, LLVMTypeRef type, int none)
{
	bool real = !ws_ptx_is_integer(type), is_signed = *ws_ptx_last_word(opcode) == 's';
	const int least = is_signed ? LLVMAtomicRMWBinOpMin : LLVMAtomicRMWBinOpUMin;
	const int most = is_signed ? LLVMAtomicRMWBinOpMax : LLVMAtomicRMWBinOpUMax;
	const struct {
		const char *word;
		int op;
	} row[] = {
		{ ".add", real ? LLVMAtomicRMWBinOpFAdd : LLVMAtomicRMWBinOpAdd },
		{ ".min", least },
		{ ".max", most },
		{ ".inc", LLVMAtomicRMWBinOpUIncWrap },
		{ ".dec", LLVMAtomicRMWBinOpUDecWrap },
		{ ".and", LLVMAtomicRMWBinOpAnd },
		{ ".or", LLVMAtomicRMWBinOpOr },
		{ ".xor", LLVMAtomicRMWBinOpXor },
		{ ".exch", LLVMAtomicRMWBinOpXchg },
		{ ".cas", CAS },
	};

	for (size_t i = 0; i < WS_COUNT(row); i++) {
		if (ws_ptx_has(opcode, row[i].word))
			return real && i ? none : row[i].op;
	}
	return none;
}

static LLVMValueRef build_atomic(struct ptx_block *b, const struct access *a,
				 LLVMValueRef *argument)
{
	LLVMBuilderRef to = b->m->builder;

	if (a->op == CAS)
		return LLVMBuildExtractValue(
			to, LLVMBuildAtomicCmpXchg(to, argument[0], argument[1], argument[2],
						   LLVMAtomicOrderingMonotonic,
						   LLVMAtomicOrderingMonotonic, 0), 0, "");
	return LLVMBuildAtomicRMW(to, (LLVMAtomicRMWBinOp)a->op, argument[0], argument[1],
				  LLVMAtomicOrderingMonotonic, 0);
}

/* "atom.global.add.u32 d, [a], b", "atom.cas.b32 d, [a], b, c", "red.add.f32 [a], b" */
static void atomic(struct ptx_block *b, const struct ptx_statement *s, LLVMTypeRef type)
{
	const int none = -2;
	unsigned first = ws_ptx_begins(s->opcode, "atom."), args;
	struct access a = { s, type, operation(s->opcode, type, none) };
	LLVMValueRef argument[3], was;

	args = a.op == CAS ? 3 : 2;
	if (a.op == none || s->operands != first + args || ws_ptx_bits(b, type) < 32) {
		b->bad = true;
		return;
	}
	argument[0] = address(b, &s->operand[first]);
	for (unsigned i = 1; i < args; i++)
		argument[i] = ws_ptx_value(b, &s->operand[first + i], 0, type);
	if (b->bad)
		return;
	was = guarded(b, &a, build_atomic, argument, args, type);
	if (first)
		ws_ptx_assign(b, &s->operand[0], 0, was);
}

bool ws_ptx_memory(struct ptx_block *b, const struct ptx_statement *s, LLVMTypeRef type)
{
	static const struct {
		const char *name;
		void (*translate)(struct ptx_block *, const struct ptx_statement *, LLVMTypeRef);
	} row[] = { { "ld.", load }, { "st.", store }, { "atom.", atomic }, { "red.", atomic } };

	for (size_t i = 0; i < WS_COUNT(row); i++) {
		if (!ws_ptx_begins(s->opcode, row[i].name))
			continue;
		if (strstr(s->opcode, ".shared") || strstr(s->opcode, ".param"))
			b->bad = true;
		else
			row[i].translate(b, s, type);
		return true;
	}
	return false;
}
