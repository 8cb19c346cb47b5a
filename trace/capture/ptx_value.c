/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/capture/ptx_value.c -- names in inline assembly of PTX and the values that they stand for;
 * words of an opcode.
 */
#include "trace/capture/ptx_block.h"

#include <stdlib.h>
#include <string.h>

/* ---- words ----------------------------------------------------------------------------- */

bool ws_ptx_begins(const char *text, const char *with)
{
	return strncmp(text, with, strlen(with)) == 0;
}

const char *ws_ptx_last_word(const char *opcode)
{
	const char *dot = strrchr(opcode, '.');

	return dot ? dot + 1 : "";
}

bool ws_ptx_has(const char *opcode, const char *word)
{
	const char *at = strstr(opcode, word);
	size_t len = strlen(word);

	while (at && at[len] && at[len] != '.')
		at = strstr(at + len, word);
	return at != NULL;
}

/* ---- names and values ------------------------------------------------------------------ */

struct ptx_name *ws_ptx_find(struct ptx_block *b, const char *text)
{
	for (size_t i = b->names; i-- > 0;) { /* an inner scope's first */
		if (strcmp(b->name[i].text, text) == 0)
			return &b->name[i];
	}
	return NULL;
}

void ws_ptx_declare(struct ptx_block *b, const char *text, LLVMTypeRef type, LLVMValueRef value)
{
	struct ptx_name *n = &b->name[b->names];

	if (b->names == NAMES_MOST || strlen(text) >= WS_PTX_WORD || !type) {
		b->bad = true;
		return;
	}
	*n = (struct ptx_name){ .type = type, .value = value };
	strcpy(n->text, text);
	b->names++;
}

LLVMTypeRef ws_ptx_type(const struct ptx_block *b, const char *text)
{
	unsigned bits = *text ? (unsigned)strtoul(text + 1, NULL, 10) : 0;

	if (strcmp(text, "pred") == 0)
		return LLVMInt1TypeInContext(b->m->context);
	if (*text == 'f' && bits == 32)
		return LLVMFloatTypeInContext(b->m->context);
	if (*text == 'f' && bits == 64)
		return LLVMDoubleTypeInContext(b->m->context);
	if (strchr("usb", *text) && (bits == 8 || bits == 16 || bits == 32 || bits == 64))
		return LLVMIntTypeInContext(b->m->context, bits);
	return NULL;
}

bool ws_ptx_is_integer(LLVMTypeRef t)
{
	return LLVMGetTypeKind(t) == LLVMIntegerTypeKind;
}

unsigned ws_ptx_bits(const struct ptx_block *b, LLVMTypeRef t)
{
	return (unsigned)LLVMSizeOfTypeInBits(b->m->layout, t);
}

LLVMValueRef ws_ptx_as(struct ptx_block *b, LLVMValueRef v, LLVMTypeRef type)
{
	LLVMTypeRef from = v ? LLVMTypeOf(v) : NULL;

	if (!v || !type || b->bad) {
		b->bad = true;
		return NULL;
	}
	if (from == type)
		return v;
	if (LLVMGetTypeKind(type) == LLVMPointerTypeKind && ws_ptx_is_integer(from))
		return LLVMBuildIntToPtr(b->m->builder, v, type, "");
	if (LLVMGetTypeKind(from) == LLVMPointerTypeKind && ws_ptx_is_integer(type))
		return LLVMBuildPtrToInt(b->m->builder, v, type, "");
	if (ws_ptx_is_integer(from) && ws_ptx_is_integer(type))
		return LLVMBuildIntCast2(b->m->builder, v, type, 0, "");
	if (ws_ptx_bits(b, from) == ws_ptx_bits(b, type) &&
	    LLVMGetTypeKind(from) != LLVMPointerTypeKind)
		return LLVMBuildBitCast(b->m->builder, v, type, "");
	b->bad = true;
	return NULL;
}

/* "0f3f800000", "-3", "0xff". */
LLVMValueRef ws_ptx_constant(struct ptx_block *b, const char *text, LLVMTypeRef type)
{
	bool real = text[0] == '0' && (text[1] == 'f' || text[1] == 'F') && strlen(text) == 10;
	char *end;
	unsigned long long bits = real ? strtoull(text + 2, &end, 16) : strtoull(text, &end, 0);
	LLVMTypeRef number = real ? b->m->i32 : b->m->i64;

	if (*end == 'U')
		end++;
	if (*end || end == text) {
		b->bad = true;
		return NULL;
	}
	return ws_ptx_as(b, LLVMConstInt(number, bits, 0),
			 ws_ptx_is_integer(type) || real ? type : NULL);
}

LLVMValueRef ws_ptx_special(struct ptx_block *b, const char *name)
{
	static const char *const width[] = { "u32", "u64" };
	char text[WS_PTX_WORD + 16];
	const char *function = NULL;

	for (size_t i = 0; i < WS_COUNT(width) && !function; i++) {
		snprintf(text, sizeof text, "mov.%s$0,%s;", width[i], name);
		function = ws_ptx_function(text);
	}
	b->bad |= !function;
	return function ? ws_ptx_call(b, function, NULL) : NULL;
}

LLVMValueRef ws_ptx_value(struct ptx_block *b, const struct ptx_operand *o, unsigned part,
			  LLVMTypeRef type)
{
	const struct ptx_name *n = part < o->parts ? ws_ptx_find(b, o->text[part]) : NULL;

	if (part >= o->parts || (n && !n->value)) {
		b->bad = true;
		return NULL;
	}
	if (!n && o->text[part][0] == '%')
		return ws_ptx_as(b, ws_ptx_special(b, o->text[part]), type);
	return n ? ws_ptx_as(b, n->value, type) : ws_ptx_constant(b, o->text[part], type);
}

void ws_ptx_assign(struct ptx_block *b, const struct ptx_operand *o, unsigned part, LLVMValueRef v)
{
	struct ptx_name *n = part < o->parts ? ws_ptx_find(b, o->text[part]) : NULL;

	if (part < o->parts && strcmp(o->text[part], "_") == 0)
		return;
	if (!n || !v || b->bad) {
		b->bad = true;
		return;
	}
	v = ws_ptx_as(b, v, n->type);
	if (v && b->guard)
		v = LLVMBuildSelect(b->m->builder, b->guard, v,
				    n->value ? n->value : LLVMGetUndef(n->type), "");
	n->value = v;
}
