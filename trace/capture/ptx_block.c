/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/capture/ptx_block.c -- inline assembly of several instructions, as CUB has it: registers of
 * its own, predicates, packed pairs, shuffles and votes of a warp, loads and stores of vectors.
 *
 * One statement after the other becomes LLVM's instructions; what a name stands for is a value, and
 * under a predicate one of two.  An instruction that is not known here is looked for in the list
 * (ptx_list.c).  Labels and jumps are not read: such assembly is refused (module.c).
 */
#include "trace/capture/ptx_block.h"

#include <ctype.h>
#include <llvm-c/DebugInfo.h>
#include <stdlib.h>
#include <string.h>

/* ---- registers of its own -------------------------------------------------------------- */

/* ".reg .u32 a, b" */
static void read_registers(struct ptx_block *b, const char **at, const char *end)
{
	char type[WS_PTX_WORD], name[WS_PTX_WORD];

	*at = ws_ptx_blanks(*at + strlen(".reg"), end);
	if (!ws_ptx_word(at, end, " \t\n;", type) || type[0] != '.') {
		b->bad = true;
		return;
	}
	while (*at < end && **at != ';' && !b->bad) {
		if (!ws_ptx_word(at, end, ",;", name) || strchr(name, '<'))
			b->bad = true;
		else
			ws_ptx_declare(b, name, ws_ptx_type(b, type + 1), NULL);
		*at += *at < end && **at == ',';
	}
	*at += *at < end;
}

/* ---- instructions ---------------------------------------------------------------------- */

static LLVMValueRef call_named(struct ptx_block *b, const char *name, LLVMValueRef *argument)
{
	LLVMTypeRef type;
	LLVMValueRef f;

	if (b->status == WS_OK)
		b->status = ws_ptx_link(b->m, b->err);
	if (b->status != WS_OK || b->bad)
		return NULL;
	f = ws_module_linked(b->m, name, &type);
	return LLVMBuildCall2(b->m->builder, type, f, argument, LLVMCountParamTypes(type), "");
}

/* Two numbers to one. */
static LLVMValueRef arithmetic(struct ptx_block *b, const char *opcode, LLVMValueRef x,
			       LLVMValueRef y)
{
	LLVMBuilderRef to = b->m->builder;
	bool real = x && !ws_ptx_is_integer(LLVMTypeOf(x));
	bool is_signed = *ws_ptx_last_word(opcode) == 's';
	LLVMValueRef less;

	if (!x || !y || b->bad)
		return NULL;
	if (ws_ptx_begins(opcode, "add."))
		return real ? LLVMBuildFAdd(to, x, y, "") : LLVMBuildAdd(to, x, y, "");
	if (ws_ptx_begins(opcode, "sub."))
		return real ? LLVMBuildFSub(to, x, y, "") : LLVMBuildSub(to, x, y, "");
	if (ws_ptx_begins(opcode, "mul.lo.") || (ws_ptx_begins(opcode, "mul.") && real))
		return real ? LLVMBuildFMul(to, x, y, "") : LLVMBuildMul(to, x, y, "");
	if (ws_ptx_begins(opcode, "and."))
		return LLVMBuildAnd(to, x, y, "");
	if (ws_ptx_begins(opcode, "or."))
		return LLVMBuildOr(to, x, y, "");
	if (ws_ptx_begins(opcode, "xor."))
		return LLVMBuildXor(to, x, y, "");
	less = real ? LLVMBuildFCmp(to, LLVMRealOLT, x, y, "")
		    : LLVMBuildICmp(to, is_signed ? LLVMIntSLT : LLVMIntULT, x, y, "");
	return ws_ptx_begins(opcode, "min.") ? LLVMBuildSelect(to, less, x, y, "")
				      : LLVMBuildSelect(to, less, y, x, "");
}

/* Sums with the carry of the instruction before, or whose own carry the next one takes (.cc):
 * "add.cc.u32 d, a, b", "subc.u32", "madc.hi.cc.u32 d, a, b, c".  All in twice the width. */
static void carried(struct ptx_block *b, const struct ptx_statement *s, LLVMTypeRef type)
{
	LLVMBuilderRef to = b->m->builder;
	bool less = ws_ptx_begins(s->opcode, "sub"), product = ws_ptx_begins(s->opcode, "mad");
	bool takes = s->opcode[3] == 'c', gives = strstr(s->opcode, ".cc.") != NULL;
	unsigned bits = ws_ptx_is_integer(type) ? ws_ptx_bits(b, type) : 0;
	LLVMTypeRef wide = LLVMIntTypeInContext(b->m->context, 2 * bits + !bits);
	LLVMValueRef x, y, width = LLVMConstInt(wide, bits, 0), r;

	if (!bits || s->operands != (product ? 4u : 3u) || (takes && !b->carry) || b->guard) {
		b->bad = true;
		return;
	}
	x = ws_ptx_as(b, ws_ptx_value(b, &s->operand[1], 0, type), wide);
	y = ws_ptx_as(b, ws_ptx_value(b, &s->operand[2], 0, type), wide);
	if (product && !b->bad) {
		x = LLVMBuildMul(to, x, y, "");
		if (strstr(s->opcode, ".hi."))
			x = LLVMBuildLShr(to, x, width, "");
		x = ws_ptx_as(b, ws_ptx_as(b, x, type), wide);
		y = ws_ptx_as(b, ws_ptx_value(b, &s->operand[3], 0, type), wide);
	}
	if (b->bad)
		return;
	if (takes)
		y = LLVMBuildAdd(to, y, ws_ptx_as(b, b->carry, wide), "");
	r = less ? LLVMBuildSub(to, x, y, "") : LLVMBuildAdd(to, x, y, "");
	if (gives)
		b->carry = ws_ptx_as(b, LLVMBuildLShr(to, r, width, ""),
			      LLVMInt1TypeInContext(b->m->context));
	ws_ptx_assign(b, &s->operand[0], 0, ws_ptx_as(b, r, type));
}

static bool is_carried(const char *opcode)
{
	return ws_ptx_begins(opcode, "addc.") || ws_ptx_begins(opcode, "subc.") ||
	       ws_ptx_begins(opcode, "madc.") ||
	       ws_ptx_begins(opcode, "add.cc.u") || ws_ptx_begins(opcode, "sub.cc.u") ||
	       ws_ptx_begins(opcode, "mad.lo.cc.u") || ws_ptx_begins(opcode, "mad.hi.cc.u");
}

static bool is_arithmetic(const char *opcode)
{
	static const char *const name[] = { "add.", "sub.", "mul.lo.", "mul.f32", "mul.f64",
					    "mul.rn.f", "add.rn.f", "and.", "or.", "xor.", "min.",
					    "max." };

	for (size_t i = 0; i < WS_COUNT(name); i++) {
		if (ws_ptx_begins(opcode, name[i]))
			return !strstr(opcode, ".cc") && !strstr(opcode, ".sat");
	}
	return false;
}

/* Bits beyond the width are shifted out. */
static LLVMValueRef shift(struct ptx_block *b, const char *opcode, LLVMValueRef x, LLVMValueRef by)
{
	LLVMBuilderRef to = b->m->builder;
	LLVMTypeRef type = x ? LLVMTypeOf(x) : NULL;
	bool is_signed = *ws_ptx_last_word(opcode) == 's', left = ws_ptx_begins(opcode, "shl.");
	LLVMValueRef most, far, n, r;

	if (!x || !by || b->bad)
		return NULL;
	most = LLVMConstInt(type, ws_ptx_bits(b, type) - 1, 0);
	by = ws_ptx_as(b, by, type);
	far = LLVMBuildICmp(to, LLVMIntUGT, by, most, "");
	n = LLVMBuildSelect(to, far, most, by, "");
	r = left ? LLVMBuildShl(to, x, n, "") : is_signed ? LLVMBuildAShr(to, x, n, "")
							  : LLVMBuildLShr(to, x, n, "");
	return !left && is_signed ? r : LLVMBuildSelect(to, far, LLVMConstNull(type), r, "");
}

/* "setp.lt.u32" */
static LLVMValueRef compare(struct ptx_block *b, const char *opcode, LLVMValueRef x,
			    LLVMValueRef y)
{
	static const struct {
		const char *name;
		LLVMIntPredicate is_unsigned, is_signed;
		LLVMRealPredicate real;
	} row[] = {
		{ ".eq.", LLVMIntEQ, LLVMIntEQ, LLVMRealOEQ },
		{ ".ne.", LLVMIntNE, LLVMIntNE, LLVMRealONE },
		{ ".lt.", LLVMIntULT, LLVMIntSLT, LLVMRealOLT },
		{ ".le.", LLVMIntULE, LLVMIntSLE, LLVMRealOLE },
		{ ".gt.", LLVMIntUGT, LLVMIntSGT, LLVMRealOGT },
		{ ".ge.", LLVMIntUGE, LLVMIntSGE, LLVMRealOGE },
	};
	bool is_signed = *ws_ptx_last_word(opcode) == 's';

	for (size_t i = 0; i < WS_COUNT(row) && x && y && !b->bad; i++) {
		if (!ws_ptx_begins(opcode + strlen("setp"), row[i].name))
			continue;
		if (!ws_ptx_is_integer(LLVMTypeOf(x)))
			return LLVMBuildFCmp(b->m->builder, row[i].real, x, y, "");
		return LLVMBuildICmp(b->m->builder,
				     is_signed ? row[i].is_signed : row[i].is_unsigned, x, y, "");
	}
	b->bad = true;
	return NULL;
}

/* A pair of halves is one number: "mov.b64 {lo, hi}, d", "mov.b64 d, {lo, hi}". */
static void move_value(struct ptx_block *b, const struct ptx_statement *s, LLVMTypeRef type)
{
	const struct ptx_operand *to = &s->operand[0], *from = &s->operand[1];
	LLVMTypeRef half = LLVMIntTypeInContext(b->m->context, ws_ptx_bits(b, type) / 2);
	LLVMValueRef shift_by = LLVMConstInt(b->m->i64, ws_ptx_bits(b, type) / 2, 0), v, high;

	if (to->parts == 1 && from->parts == 1) {
		ws_ptx_assign(b, to, 0, ws_ptx_value(b, from, 0, type));
	} else if (to->parts == 2 && from->parts == 1 && ws_ptx_is_integer(type)) {
		v = ws_ptx_value(b, from, 0, type);
		if (b->bad)
			return;
		high = LLVMBuildLShr(b->m->builder, v, ws_ptx_as(b, shift_by, type), "");
		ws_ptx_assign(b, to, 0, ws_ptx_as(b, v, half));
		ws_ptx_assign(b, to, 1, ws_ptx_as(b, high, half));
	} else if (to->parts == 1 && from->parts == 2 && ws_ptx_is_integer(type)) {
		v = ws_ptx_as(b, ws_ptx_value(b, from, 0, half), type);
		high = ws_ptx_as(b, ws_ptx_value(b, from, 1, half), type);
		if (b->bad)
			return;
		high = LLVMBuildShl(b->m->builder, high, ws_ptx_as(b, shift_by, type), "");
		ws_ptx_assign(b, to, 0, LLVMBuildOr(b->m->builder, v, high, ""));
	} else {
		b->bad = true;
	}
}

/* "shfl.sync.up.b32 d|p, a, b, c, mask", or before Volta "shfl.up.b32 d|p, a, b, c". */
static void shuffle(struct ptx_block *b, const struct ptx_statement *s)
{
	static const char *const mode[] = { "up", "down", "idx", "bfly" };
	bool sync = ws_ptx_begins(s->opcode, "shfl.sync.");
	const char *how = s->opcode + strlen(sync ? "shfl.sync." : "shfl.");
	char name[WS_PTX_WORD] = "";
	LLVMTypeRef i32 = b->m->i32;
	LLVMValueRef argument[3], lane, r;

	for (size_t i = 0; i < WS_COUNT(mode); i++) {
		if (ws_ptx_begins(how, mode[i]) && strcmp(how + strlen(mode[i]), ".b32") == 0)
			snprintf(name, sizeof name, "ws_ptx_lane_%s", mode[i]);
	}
	if (!*name || s->operands != (sync ? 5u : 4u) || b->guard) {
		b->bad = true;
		return;
	}
	argument[0] = ws_ptx_value(b, &s->operand[2], 0, i32);
	argument[1] = ws_ptx_value(b, &s->operand[3], 0, i32);
	lane = call_named(b, name, argument);
	argument[0] = sync ? ws_ptx_value(b, &s->operand[4], 0, i32) : LLVMConstInt(i32, 0, 0);
	argument[1] = ws_ptx_value(b, &s->operand[1], 0, i32);
	argument[2] = lane;
	r = call_named(b, "ws_ptx_take", argument);
	if (b->bad || b->status != WS_OK)
		return;
	ws_ptx_assign(b, &s->operand[0], 0, r);
	if (s->operand[0].parts == 2) /* is it another's? */
		ws_ptx_assign(b, &s->operand[0], 1,
		       LLVMBuildICmp(b->m->builder, LLVMIntULT, lane,
				     LLVMConstInt(i32, 32, 0), ""));
}

/* "vote.sync.ballot.b32 d, p, mask", "vote.ballot.b32 d, p", "vote.sync.any.pred q, p, mask" */
static void vote(struct ptx_block *b, const struct ptx_statement *s)
{
	bool sync = strstr(s->opcode, ".sync") != NULL;
	bool ballot = strstr(s->opcode, ".ballot") != NULL;
	bool any = strstr(s->opcode, ".any") != NULL, all = strstr(s->opcode, ".all") != NULL;
	LLVMTypeRef i32 = b->m->i32, i1 = LLVMInt1TypeInContext(b->m->context);
	LLVMValueRef argument[2], yes, r;

	if (s->operands != (sync ? 3u : 2u) || b->guard || !(ballot || any || all)) {
		b->bad = true;
		return;
	}
	argument[0] = sync ? ws_ptx_value(b, &s->operand[2], 0, i32) : LLVMConstInt(i32, 0, 0);
	yes = ws_ptx_value(b, &s->operand[1], 0, i1);
	if (b->bad)
		return;
	argument[1] = all ? LLVMBuildNot(b->m->builder, yes, "") : yes;
	r = call_named(b, "ws_ptx_ballot", argument);
	if (b->bad || b->status != WS_OK)
		return;
	if (!ballot)
		r = LLVMBuildICmp(b->m->builder, all ? LLVMIntEQ : LLVMIntNE, r,
				  LLVMConstInt(i32, 0, 0), "");
	ws_ptx_assign(b, &s->operand[0], 0, r);
}

/* ---- a statement ----------------------------------------------------------------------- */

/* One of the list, by its text with the operands numbered. */
static void listed(struct ptx_block *b, const struct ptx_statement *s)
{
	char text[WS_PTX_WORD + 20 * WS_PTX_OPERANDS]; /* which holds them all */
	size_t n = (size_t)snprintf(text, sizeof text, "%s", s->opcode);
	LLVMValueRef argument[WS_PTX_OPERANDS], r;
	LLVMTypeRef type, param[WS_PTX_OPERANDS];
	const char *name;
	unsigned args = 0;

	for (unsigned i = 0; i < s->operands; i++) {
		bool special = s->operand[i].text[0][0] == '%';

		n += (size_t)snprintf(text + n, sizeof text - n, special ? "%s%.16s" : "%s$%.0s%u",
				      i ? "," : "", s->operand[i].text[0], i);
	}
	snprintf(text + n, sizeof text - n, ";");
	name = ws_ptx_function(text);
	if (name && b->status == WS_OK)
		b->status = ws_ptx_link(b->m, b->err);
	if (!name || b->status != WS_OK || b->guard) {
		b->bad = true;
		return;
	}
	ws_module_linked(b->m, name, &type);
	if (LLVMCountParamTypes(type) >= WS_PTX_OPERANDS || s->operands == 0) {
		b->bad |= s->operands != 0;
		return; /* fences */
	}
	LLVMGetParamTypes(type, param);
	for (; args < LLVMCountParamTypes(type) && args + 1 < s->operands; args++)
		argument[args] = ws_ptx_value(b, &s->operand[args + 1], 0, param[args]);
	b->bad |= args != LLVMCountParamTypes(type) ||
		  LLVMGetReturnType(type) == b->m->none;
	r = b->bad ? NULL : call_named(b, name, argument);
	ws_ptx_assign(b, &s->operand[0], 0, r);
}

static void pure(struct ptx_block *b, const struct ptx_statement *s, LLVMTypeRef type)
{
	const char *op = s->opcode;
	LLVMValueRef x, y;

	x = s->operands > 1 ? ws_ptx_value(b, &s->operand[1], 0, type) : NULL;
	if (ws_ptx_begins(op, "not.") || ws_ptx_begins(op, "neg.")) {
		b->bad |= s->operands != 2 || !ws_ptx_is_integer(type);
		ws_ptx_assign(b, &s->operand[0], 0, b->bad ? NULL
		       : *op == 'n' && op[1] == 'o' ? LLVMBuildNot(b->m->builder, x, "")
						     : LLVMBuildNeg(b->m->builder, x, ""));
		return;
	}
	y = s->operands > 2 ? ws_ptx_value(b, &s->operand[2], 0,
					   ws_ptx_begins(op, "sh") ? b->m->i32 : type)
			    : NULL;
	if (ws_ptx_begins(op, "selp.")) {
		LLVMTypeRef truth = LLVMInt1TypeInContext(b->m->context);
		LLVMValueRef p = s->operands == 4 ? ws_ptx_value(b, &s->operand[3], 0, truth)
						  : NULL;

		b->bad |= !p;
		ws_ptx_assign(b, &s->operand[0], 0,
		       b->bad ? NULL : LLVMBuildSelect(b->m->builder, p, x, y, ""));
		return;
	}
	b->bad |= s->operands != 3;
	ws_ptx_assign(b, &s->operand[0], 0, ws_ptx_begins(op, "setp.") ? compare(b, op, x, y)
				     : ws_ptx_begins(op, "sh") ? shift(b, op, x, y)
							: arithmetic(b, op, x, y));
}

/* "bar.sync 0", "barrier.sync 0" of the block; "bar.warp.sync mask". */
static void barrier(struct ptx_block *b, const struct ptx_statement *s)
{
	LLVMTypeRef i32 = b->m->i32;
	LLVMValueRef argument[2];

	b->bad |= s->operands != 1 || b->guard != NULL || !ws_ptx_has(s->opcode, ".sync");
	argument[0] = ws_ptx_value(b, &s->operand[0], 0, i32);
	if (ws_ptx_begins(s->opcode, "bar.warp.")) {
		argument[1] = LLVMConstInt(LLVMInt1TypeInContext(b->m->context), 0, 0);
		(void)call_named(b, "ws_ptx_ballot", argument);
	} else if (!b->bad && LLVMIsAConstantInt(argument[0]) && LLVMIsNull(argument[0])) {
		(void)call_named(b, "ws_ptx_barrier", argument);
	} else {
		b->bad = true;
	}
}

static void translate(struct ptx_block *b, const struct ptx_statement *s)
{
	const char *op = s->opcode;
	LLVMTypeRef type = ws_ptx_type(b, ws_ptx_last_word(op));
	bool special = s->operands == 2 && s->operand[1].text[0][0] == '%';

	if (ws_ptx_begins(op, "shfl."))
		shuffle(b, s);
	else if (type && is_carried(op))
		carried(b, s, type);
	else if (ws_ptx_begins(op, "vote."))
		vote(b, s);
	else if (ws_ptx_begins(op, "mov.") && type && !special && s->operands == 2)
		move_value(b, s, type);
	else if (type && (ws_ptx_memory(b, s, type) || ws_ptx_number(b, s, type)))
		return;
	else if (ws_ptx_begins(op, "bar.") || ws_ptx_begins(op, "barrier."))
		barrier(b, s);
	else if (type && (ws_ptx_begins(op, "not.") || ws_ptx_begins(op, "neg.s") ||
			  ws_ptx_begins(op, "selp.") || ws_ptx_begins(op, "setp.") ||
			  ws_ptx_begins(op, "shl.") || ws_ptx_begins(op, "shr.") ||
			  is_arithmetic(op)))
		pure(b, s, type);
	else
		listed(b, s);
}

static void set_guard(struct ptx_block *b, const struct ptx_statement *s)
{
	const struct ptx_name *n = *s->guard ? ws_ptx_find(b, s->guard) : NULL;

	b->guard = NULL;
	if (!*s->guard)
		return;
	if (!n || !n->value || ws_ptx_bits(b, n->type) != 1) {
		b->bad = true;
		return;
	}
	b->guard = s->unless ? LLVMBuildNot(b->m->builder, n->value, "") : n->value;
}

static void translate_all(struct ptx_block *b, const char *at, const char *end)
{
	size_t scope[8], depth = 0;

	for (at = ws_ptx_blanks(at, end); at < end && !b->bad && b->status == WS_OK;
	     at = ws_ptx_blanks(at, end)) {
		struct ptx_statement s;

		if (*at == ';') {
			at++;
		} else if (*at == '{' && depth < WS_COUNT(scope)) {
			scope[depth++] = b->names;
			at++;
		} else if (*at == '}' && depth) {
			b->names = scope[--depth];
			at++;
		} else if (end - at > 4 && ws_ptx_begins(at, ".reg")) {
			read_registers(b, &at, end);
		} else if (!ws_ptx_statement(&at, end, &s)) {
			b->bad = true;
		} else {
			set_guard(b, &s);
			if (!b->bad)
				translate(b, &s);
		}
	}
	b->bad |= depth != 0;
}

/* ---- the call -------------------------------------------------------------------------- */

static LLVMTypeRef output_type(LLVMTypeRef result, unsigned i)
{
	return LLVMGetTypeKind(result) == LLVMStructTypeKind ? LLVMStructGetTypeAtIndex(result, i)
							     : result;
}

/* Constraints "=r,=r,r,0,~{memory}": outputs, inputs of which some begin as an output. */
static unsigned declare_operands(struct ptx_block *b, LLVMValueRef call)
{
	size_t len;
	const char *c = LLVMGetInlineAsmConstraintString(LLVMGetCalledValue(call), &len), *p = c;
	unsigned outputs = 0, inputs = 0, args = LLVMGetNumArgOperands(call);
	unsigned long tied;
	char name[16];

	for (; p < c + len && !b->bad; p += *p == ',') {
		snprintf(name, sizeof name, "$%u", outputs + inputs);
		if (*p == '=') {
			b->bad |= p[1] == '&' || p[1] == '*';
			ws_ptx_declare(b, name, output_type(LLVMTypeOf(call), outputs++), NULL);
		} else if (*p != '~' && inputs < args) {
			LLVMValueRef v = LLVMGetArgOperand(call, inputs++);

			ws_ptx_declare(b, name, LLVMTypeOf(v), v);
			tied = isdigit((unsigned char)*p) ? strtoul(p, NULL, 10) : outputs;
			if (tied < outputs && !b->bad)
				b->name[tied].value = ws_ptx_as(b, v, b->name[tied].type);
		}
		while (p < c + len && *p != ',')
			p++;
	}
	b->bad |= inputs != args;
	return outputs;
}

static LLVMValueRef result_of(struct ptx_block *b, LLVMValueRef call, unsigned outputs)
{
	LLVMTypeRef type = LLVMTypeOf(call);
	LLVMValueRef all;

	for (unsigned i = 0; i < outputs; i++)
		b->bad |= !b->name[i].value;
	if (b->bad || !outputs)
		return NULL;
	if (LLVMGetTypeKind(type) != LLVMStructTypeKind)
		return b->name[0].value;
	all = LLVMGetUndef(type);
	for (unsigned i = 0; i < outputs; i++)
		all = LLVMBuildInsertValue(b->m->builder, all, b->name[i].value, i, "");
	return all;
}

enum ws_status ws_ptx_block(struct ws_module *m, LLVMValueRef call, bool *done, struct ws_err *err)
{
	struct ptx_block b = { .m = m, .call = call, .err = err };
	size_t len;
	const char *text = LLVMGetInlineAsmAsmString(LLVMGetCalledValue(call), &len);
	LLVMValueRef result = NULL;
	unsigned outputs;

	LLVMPositionBuilderBefore(m->builder, call);
	LLVMSetCurrentDebugLocation2(m->builder, LLVMInstructionGetDebugLoc(call));
	outputs = declare_operands(&b, call);
	if (!b.bad)
		translate_all(&b, text, text + len);
	if (!b.bad && b.status == WS_OK)
		result = result_of(&b, call, outputs);
	LLVMSetCurrentDebugLocation2(m->builder, NULL);
	*done = !b.bad && b.status == WS_OK;
	if (*done && result)
		LLVMReplaceAllUsesWith(call, result);
	if (*done)
		LLVMInstructionEraseFromParent(call);
	return b.status;
}
