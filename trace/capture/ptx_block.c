/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/capture/ptx_block.c -- inline assembly of several instructions, as CUB has it: registers of
 * its own, predicates, packed pairs, sums with carry.
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

/* Formats that no arithmetic of LLVM's is for here are bits. */
static LLVMTypeRef register_type(const struct ptx_block *b, const char *text)
{
	bool half = strcmp(text, "f16") == 0 || strcmp(text, "bf16") == 0;
	bool pair = strcmp(text, "f16x2") == 0 || strcmp(text, "bf16x2") == 0;

	return ws_ptx_type(b, half ? "b16" : pair ? "b32" : text);
}

/* "t", or "t<3>": t0, t1, t2. */
static void declare(struct ptx_block *b, const char *name, LLVMTypeRef type)
{
	const char *open = strchr(name, '<');
	char one[WS_PTX_WORD + 24];
	unsigned long count = open ? strtoul(open + 1, NULL, 10) : 0;

	if (!open)
		ws_ptx_declare(b, name, type, NULL);
	for (unsigned long i = 0; i < count && !b->bad; i++) {
		snprintf(one, sizeof one, "%.*s%lu", (int)(open - name), name, i);
		ws_ptx_declare(b, one, type, NULL);
	}
}

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
		if (!ws_ptx_word(at, end, ",;", name))
			b->bad = true;
		else
			declare(b, name, register_type(b, type + 1));
		*at += *at < end && **at == ',';
	}
	*at += *at < end;
}

/* ---- instructions ---------------------------------------------------------------------- */

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
	if (real)
		return ws_ptx_extreme(b, opcode, x, y);
	less = LLVMBuildICmp(to, is_signed ? LLVMIntSLT : LLVMIntULT, x, y, "");
	return ws_ptx_begins(opcode, "min.") ? LLVMBuildSelect(to, less, x, y, "")
				      : LLVMBuildSelect(to, less, y, x, "");
}

/* Where the carry is kept from one assembly to the next (module.c). */
static LLVMValueRef carry_place(struct ptx_block *b)
{
	LLVMTypeRef type = LLVMFunctionType(b->m->ptr, NULL, 0, 0);
	LLVMValueRef f = LLVMGetNamedFunction(b->m->module, "__ws_carry");

	if (!f)
		f = LLVMAddFunction(b->m->module, "__ws_carry", type);
	return LLVMBuildCall2(b->m->builder, type, f, NULL, 0, "");
}

static LLVMValueRef carry_before(struct ptx_block *b)
{
	return b->carry ? b->carry : LLVMBuildLoad2(b->m->builder, b->m->i8, carry_place(b), "");
}

static void keep_carry(struct ptx_block *b, LLVMValueRef sum, LLVMValueRef width)
{
	b->carry = ws_ptx_as(b, LLVMBuildLShr(b->m->builder, sum, width, ""),
			     LLVMInt1TypeInContext(b->m->context));
	LLVMBuildStore(b->m->builder, ws_ptx_as(b, b->carry, b->m->i8), carry_place(b));
}

/* Sums with the carry of the instruction before, or whose own carry the next one takes (.cc):
 * "add.cc.u32 d, a, b", "subc.u32", "madc.hi.cc.u32 d, a, b, c".  All in twice the width. */
static void carried(struct ptx_block *b, const struct ptx_statement *s, LLVMTypeRef type)
{
	LLVMBuilderRef to = b->m->builder;
	bool less = ws_ptx_begins(s->opcode, "sub"), product = ws_ptx_begins(s->opcode, "mad");
	bool takes = s->opcode[3] == 'c', gives = strstr(s->opcode, ".cc.") != NULL;
	bool signed_high = strstr(s->opcode, ".hi.") && *ws_ptx_last_word(s->opcode) == 's';
	unsigned bits = ws_ptx_is_integer(type) ? ws_ptx_bits(b, type) : 0;
	LLVMTypeRef wide = LLVMIntTypeInContext(b->m->context, 2 * bits + !bits);
	LLVMValueRef x, y, width = LLVMConstInt(wide, bits, 0), r;

	if (!bits || s->operands != (product ? 4u : 3u) || b->guard ||
	    signed_high) {
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
		y = LLVMBuildAdd(to, y, ws_ptx_as(b, carry_before(b), wide), "");
	r = less ? LLVMBuildSub(to, x, y, "") : LLVMBuildAdd(to, x, y, "");
	if (gives)
		keep_carry(b, r, width);
	ws_ptx_assign(b, &s->operand[0], 0, ws_ptx_as(b, r, type));
}

static bool is_carried(const char *opcode)
{
	return ws_ptx_begins(opcode, "addc.") || ws_ptx_begins(opcode, "subc.") ||
	       ws_ptx_begins(opcode, "madc.") ||
	       ws_ptx_begins(opcode, "add.cc.") || ws_ptx_begins(opcode, "sub.cc.") ||
	       ws_ptx_begins(opcode, "mad.lo.cc.") || ws_ptx_begins(opcode, "mad.hi.cc.");
}

static bool is_arithmetic(const char *opcode)
{
	static const char *const name[] = { "add.", "sub.", "mul.lo.", "mul.f32", "mul.f64",
					    "mul.rn.f", "mul.ftz.f", "add.rn.f", "and.", "or.",
					    "xor.", "min.", "max." };

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

/* "setp.lt.and.u32 p|q, a, b, c": q is what the opposite gives. */
static void set_predicate(struct ptx_block *b, const struct ptx_statement *s, LLVMValueRef x,
			  LLVMValueRef y)
{
	static const char *const word[] = { ".and", ".or", ".xor" };
	LLVMBuilderRef to = b->m->builder;
	LLVMValueRef holds = ws_ptx_compare(b, s->opcode, x, y), with, r;
	size_t op = 0;

	while (op < WS_COUNT(word) && !ws_ptx_has(s->opcode, word[op]))
		op++;
	with = op < WS_COUNT(word) && s->operands == 4
		       ? ws_ptx_value(b, &s->operand[3], 0, LLVMInt1TypeInContext(b->m->context))
		       : NULL;
	b->bad |= s->operands != (op < WS_COUNT(word) ? 4u : 3u);
	for (unsigned part = 0; part < s->operand[0].parts && !b->bad; part++) {
		r = part ? LLVMBuildNot(to, holds, "") : holds;
		if (with)
			r = op == 0   ? LLVMBuildAnd(to, r, with, "")
			    : op == 1 ? LLVMBuildOr(to, r, with, "")
				      : LLVMBuildXor(to, r, with, "");
		ws_ptx_assign(b, &s->operand[0], part, r);
	}
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

/* ---- a statement ----------------------------------------------------------------------- */

/* The function for a statement, by its text with the operands numbered; by_name: those that are
 * registers of the machine have their names. */
static const char *find_listed(const struct ptx_statement *s, bool by_name)
{
	char text[WS_PTX_WORD + 24 * WS_PTX_OPERANDS]; /* which holds them all */
	size_t n = (size_t)snprintf(text, sizeof text, "%s", s->opcode);

	for (unsigned i = 0; i < s->operands; i++) {
		const char *name = s->operand[i].text[0], *comma = i ? "," : "";

		if (name[0] == '%' && by_name)
			n += (size_t)snprintf(text + n, sizeof text - n, "%s%.19s", comma, name);
		else
			n += (size_t)snprintf(text + n, sizeof text - n,
					      s->operand[i].address ? "%s[$%u]" : "%s$%u", comma,
					      i);
	}
	snprintf(text + n, sizeof text - n, ";");
	return ws_ptx_function(text);
}

/* One of the list: the first operand is the result, if there is one. */
static void listed(struct ptx_block *b, const struct ptx_statement *s)
{
	const char *special = find_listed(s, true);
	const char *name = special ? special : find_listed(s, false);
	LLVMValueRef argument[WS_PTX_OPERANDS], r;
	LLVMTypeRef type, param[WS_PTX_OPERANDS];
	unsigned args = 0, first;

	if (name && b->status == WS_OK)
		b->status = ws_ptx_link(b->m, b->err);
	if (!name || b->status != WS_OK) {
		b->bad = true;
		return;
	}
	ws_module_linked(b->m, name, &type);
	first = LLVMGetReturnType(type) != b->m->none;
	if (LLVMCountParamTypes(type) >= WS_PTX_OPERANDS) {
		b->bad = true;
		return;
	}
	LLVMGetParamTypes(type, param);
	for (; args < LLVMCountParamTypes(type) && args + first < s->operands; args++)
		argument[args] = ws_ptx_value(b, &s->operand[args + first], 0, param[args]);
	b->bad |= args != LLVMCountParamTypes(type);
	r = ws_ptx_guarded_call(b, name, argument);
	if (first)
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
	if (ws_ptx_begins(op, "setp.")) {
		set_predicate(b, s, x, y);
		return;
	}
	b->bad |= s->operands != 3;
	ws_ptx_assign(b, &s->operand[0], 0, ws_ptx_begins(op, "sh") ? shift(b, op, x, y)
							 : arithmetic(b, op, x, y));
}

static bool is_pure(const char *op)
{
	static const char *const name[] = { "not.", "neg.s", "selp.", "setp.", "shl.", "shr." };

	for (size_t i = 0; i < WS_COUNT(name); i++) {
		if (ws_ptx_begins(op, name[i]))
			return true;
	}
	return is_arithmetic(op);
}

static void translate(struct ptx_block *b, const struct ptx_statement *s)
{
	const char *op = s->opcode;
	LLVMTypeRef type = ws_ptx_type(b, ws_ptx_last_word(op));
	bool special = s->operands == 2 && s->operand[1].text[0][0] == '%' &&
		       !ws_ptx_find(b, s->operand[1].text[0]);

	if (ws_ptx_lanes(b, s) || ws_ptx_matrix(b, s) || ws_ptx_operation(b, s))
		return;
	if (type && is_carried(op))
		carried(b, s, type);
	else if (ws_ptx_begins(op, "mov.") && type && !special && s->operands == 2)
		move_value(b, s, type);
	else if (type && (ws_ptx_memory(b, s, type) || ws_ptx_number(b, s, type)))
		return;
	else if (type && is_pure(op))
		pure(b, s, type);
	else
		listed(b, s);
}

/* "add.sat.f32": what it would be without is kept from 0 to 1, and is no NaN. */
static bool translate_saturated(struct ptx_block *b, struct ptx_statement *s)
{
	char *at = strstr(s->opcode, ".sat.");
	struct ptx_name *to = ws_ptx_find(b, s->operand[0].text[0]);
	LLVMValueRef zero, one;

	if (!at || strcmp(ws_ptx_last_word(s->opcode), "f32") != 0 || !to || b->guard ||
	    (ws_ptx_begins(s->opcode, "cvt.") && strcmp(at, ".sat.f32.f32") != 0))
		return false;
	memmove(at, at + strlen(".sat"), strlen(at + strlen(".sat")) + 1);
	translate(b, s);
	if (b->bad || b->status != WS_OK)
		return true;
	zero = LLVMConstReal(LLVMFloatTypeInContext(b->m->context), 0);
	one = LLVMConstReal(LLVMTypeOf(zero), 1);
	to->value = ws_ptx_extreme(b, "max.f32", ws_ptx_as(b, to->value, LLVMTypeOf(zero)), zero);
	to->value = ws_ptx_as(b, ws_ptx_extreme(b, "min.f32", to->value, one), to->type);
	return true;
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

/* The one that cannot be read is named where the assembly is refused (module.c). */
static void name_statement(struct ptx_block *b, const char *from, const char *end)
{
	LLVMMetadataRef text = LLVMMDStringInContext2(b->m->context, from, (size_t)(end - from));
	LLVMMetadataRef node = LLVMMDNodeInContext2(b->m->context, &text, 1);

	LLVMSetMetadata(b->call, LLVMGetMDKindIDInContext(b->m->context, WS_REFUSED_MARK,
							 sizeof WS_REFUSED_MARK - 1),
			LLVMMetadataAsValue(b->m->context, node));
}

static void translate_all(struct ptx_block *b, const char *at, const char *end)
{
	size_t scope[16], depth = 0;

	for (at = ws_ptx_blanks(at, end); at < end && !b->bad && b->status == WS_OK;
	     at = ws_ptx_blanks(at, end)) {
		const char *before = at;
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
			if (!b->bad && !translate_saturated(b, &s))
				translate(b, &s);
			if (b->bad)
				name_statement(b, before, at);
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
			b->bad |= p[1] == '*';
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
