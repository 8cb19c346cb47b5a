/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/capture/ptx_memory.c -- loads, stores and atomics in inline assembly of PTX.
 *
 * Addresses are generic or global ones, or numbers of 32 bits in shared memory (data/cuda/ptx.c).
 */
#include "trace/capture/ptx_block.h"

#include <string.h>

static bool is_vector(const char *opcode, unsigned parts)
{
	return parts == 1 ? !strstr(opcode, ".v2.") && !strstr(opcode, ".v4.")
			  : strstr(opcode, parts == 2 ? ".v2." : ".v4.") != NULL;
}

/* "[a+16]" in its parts: the operand without an offset, and the offset, NULL: none. */
static LLVMValueRef offset_of(struct ptx_block *b, struct ptx_operand *base)
{
	char *plus = strchr(base->text[0], '+');
	struct ptx_operand offset = { .parts = 1 };

	if (!plus)
		return NULL;
	*plus = '\0';
	strcpy(offset.text[0], plus + 1);
	return ws_ptx_value(b, &offset, 0, b->m->i64);
}

LLVMValueRef ws_ptx_shared_number(struct ptx_block *b, const struct ptx_operand *o)
{
	struct ptx_operand base = *o;
	LLVMValueRef offset = offset_of(b, &base), at;

	b->bad |= !o->address;
	at = ws_ptx_as(b, ws_ptx_value(b, &base, 0, b->m->i64), b->m->i32);
	if (b->bad || !offset)
		return at;
	return LLVMBuildAdd(b->m->builder, at, ws_ptx_as(b, offset, b->m->i32), "");
}

LLVMValueRef ws_ptx_address(struct ptx_block *b, const struct ptx_operand *o, bool shared)
{
	struct ptx_operand base = *o;
	LLVMValueRef p, offset;

	if (shared) {
		p = ws_ptx_shared_number(b, o);
		return b->bad ? NULL : ws_ptx_call(b, "ws_ptx_shared", &p);
	}
	offset = offset_of(b, &base);
	b->bad |= !o->address;
	p = ws_ptx_value(b, &base, 0, b->m->ptr);
	if (b->bad || !offset)
		return p;
	return LLVMBuildGEP2(b->m->builder, b->m->i8, p, &offset, 1, "");
}

static bool is_shared(const char *opcode)
{
	return strstr(opcode, ".shared") != NULL;
}

static void mark_past(struct ptx_block *b, LLVMValueRef access)
{
	LLVMMetadataRef one = LLVMValueAsMetadata(LLVMConstInt(b->m->i32, 1, 0));

	LLVMSetMetadata(access, LLVMGetMDKindIDInContext(b->m->context, WS_PAST_MARK,
						       sizeof WS_PAST_MARK - 1),
			LLVMMetadataAsValue(b->m->context,
					    LLVMMDNodeInContext2(b->m->context, &one, 1)));
}

static bool is_volatile(const char *opcode)
{
	return ws_ptx_has(opcode, ".volatile") || ws_ptx_has(opcode, ".relaxed") ||
	       ws_ptx_has(opcode, ".acquire") || ws_ptx_has(opcode, ".release");
}

/* ---- loads and stores ------------------------------------------------------------------ */

static LLVMValueRef build_load(struct ptx_block *b, const struct ptx_access *a,
			       LLVMValueRef *argument)
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

/* Without the policy that is its last one. */
static unsigned operands_of(const struct ptx_statement *s)
{
	return s->operands - (s->operands && ws_ptx_has(s->opcode, ".L2::cache_hint"));
}

/* Of a load or a store, by its operand; NULL: it has too many. */
static LLVMValueRef address_at(struct ptx_block *b, const struct ptx_statement *s, unsigned i)
{
	return operands_of(s) == 2 ? ws_ptx_address(b, &s->operand[i], is_shared(s->opcode)) : NULL;
}

static void load(struct ptx_block *b, const struct ptx_statement *s, LLVMTypeRef type)
{
	const struct ptx_operand *to = &s->operand[0];
	struct ptx_access a = {
		.s = s, .whole = to->parts > 1 ? LLVMVectorType(type, to->parts) : type,
	};
	LLVMValueRef p = address_at(b, s, 1), v;

	if (!p || b->bad || !is_vector(s->opcode, to->parts)) {
		b->bad = true;
		return;
	}
	v = ws_ptx_guarded(b, &a, build_load, &p, 1, a.whole);
	for (unsigned i = 0; i < to->parts; i++)
		ws_ptx_assign(b, to, i, extended(b, s, to->parts == 1 ? v : LLVMBuildExtractElement(
			b->m->builder, v, LLVMConstInt(b->m->i32, i, 0), "")));
}

static LLVMValueRef build_store(struct ptx_block *b, const struct ptx_access *a,
				LLVMValueRef *argument)
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
	struct ptx_access a = {
		.s = s, .whole = from->parts > 1 ? LLVMVectorType(type, from->parts) : type,
	};
	LLVMValueRef argument[2] = { address_at(b, s, 0) };

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
		(void)ws_ptx_guarded(b, &a, build_store, argument, 2, b->m->none);
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

static LLVMValueRef build_atomic(struct ptx_block *b, const struct ptx_access *a,
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
	struct ptx_access a = { .s = s, .op = operation(s->opcode, type, none) };
	LLVMValueRef argument[3], was;

	args = a.op == CAS ? 3 : 2;
	if (a.op == none || operands_of(s) != first + args || ws_ptx_bits(b, type) < 32) {
		b->bad = true;
		return;
	}
	argument[0] = ws_ptx_address(b, &s->operand[first], is_shared(s->opcode));
	for (unsigned i = 1; i < args; i++)
		argument[i] = ws_ptx_value(b, &s->operand[first + i], 0, type);
	if (b->bad)
		return;
	was = ws_ptx_guarded(b, &a, build_atomic, argument, args, type);
	if (first)
		ws_ptx_assign(b, &s->operand[0], 0, was);
}

bool ws_ptx_memory(struct ptx_block *b, const struct ptx_statement *s, LLVMTypeRef type)
{
	static const struct {
		const char *name;
		void (*translate)(struct ptx_block *, const struct ptx_statement *, LLVMTypeRef);
	} row[] = {
		{ "ld.", load }, { "ldu.", load }, { "st.", store }, { "atom.", atomic },
		{ "red.", atomic },
	};

	for (size_t i = 0; i < WS_COUNT(row); i++) {
		if (!ws_ptx_begins(s->opcode, row[i].name))
			continue;
		if (strstr(s->opcode, "::cluster") || strstr(s->opcode, ".param") ||
		    strstr(s->opcode, ".const") || strstr(s->opcode, ".local"))
			b->bad = true;
		else
			row[i].translate(b, s, type);
		return true;
	}
	return false;
}
