/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/capture/print.c -- a kernel's printf, made one of C's.
 *
 * C knows no vectors: "%v4hlf" of a float4 becomes "%f,%f,%f,%f" of its elements.  What the call is
 * given is what the host's calling convention makes of a vector: the vector, a number of as many
 * bits, or a pointer to a copy.
 */
#include "trace/capture/instrument.h"

#include <stdlib.h>
#include <string.h>

#define PRINT_ARGS 256

struct print {
	struct ws_module *m;
	LLVMValueRef call;
	unsigned at;			/* the next of the call's arguments */
	LLVMValueRef arg[PRINT_ARGS];	/* of the call to be */
	unsigned args;
	struct ws_buf format;
	const char *why;		/* it cannot be done; NULL: it can */
};

/* One conversion of a format. */
struct conversion {
	const char *flags;		/* with width and precision, behind the % */
	size_t flags_len;
	unsigned long lanes;		/* 0: no vector */
	char length[3], letter;
	size_t bits;			/* of an element */
	bool real;
};

static bool is_in(char c, const char *set)
{
	return c && strchr(set, c);
}

/* A width or a precision: a number, or a star for a value. */
static const char *skip_number(const char *p)
{
	return *p == '*' ? p + 1 : p + strspn(p, "0123456789");
}

/* Reads one behind its %; returns what follows it.  In just this order: where C's printf reads it
 * otherwise, it would take the values that follow for others. */
static const char *read_conversion(const char *p, struct conversion *c)
{
	size_t n;

	*c = (struct conversion){ .flags = p };
	p = skip_number(p + strspn(p, "-+ #0"));
	if (*p == '.')
		p = skip_number(p + 1);
	c->flags_len = (size_t)(p - c->flags);
	if (*p == 'v') {
		char *end;

		c->lanes = p[1] >= '1' && p[1] <= '9' ? strtoul(p + 1, &end, 10) : 0;
		p = c->lanes ? end : p;
	}
	n = strspn(p, "hl");
	for (size_t i = 0; i < n && i < 2; i++)
		c->length[i] = p[i];
	p += n < 2 ? n : 2; /* a third is the letter, which is none */
	c->letter = *p;
	c->real = is_in(*p, "aAeEfFgG");
	if (strcmp(c->length, "hh") == 0)
		c->bits = 8;
	else if (strcmp(c->length, "h") == 0)
		c->bits = 16;
	else if (strcmp(c->length, "hl") == 0)
		c->bits = 32;
	else if (strcmp(c->length, "l") == 0)
		c->bits = 64;
	return *p ? p + 1 : p;
}

static void take_arg(struct print *p, LLVMValueRef value)
{
	if (p->args == PRINT_ARGS)
		p->why = "too many values";
	else
		p->arg[p->args++] = value;
}

/* The next argument of the call; NULL: there is none. */
static LLVMValueRef next_arg(struct print *p)
{
	if (p->at < LLVMGetNumArgOperands(p->call))
		return LLVMGetOperand(p->call, p->at++);
	p->why = "fewer values than its format has";
	return NULL;
}

static LLVMTypeRef element_type(const struct print *p, const struct conversion *c)
{
	if (!c->real)
		return LLVMIntTypeInContext(p->m->context, (unsigned)c->bits);
	if (c->bits == 16)
		return LLVMHalfTypeInContext(p->m->context);
	return c->bits == 32 ? LLVMFloatTypeInContext(p->m->context)
			     : LLVMDoubleTypeInContext(p->m->context);
}

/* As C passes it where it does not know the type. */
static LLVMValueRef promoted(const struct print *p, const struct conversion *c, LLVMValueRef v)
{
	LLVMBuilderRef b = p->m->builder;

	if (c->real)
		return c->bits == 64 ? v
				     : LLVMBuildFPExt(b, v, LLVMDoubleTypeInContext(p->m->context),
						      "");
	if (c->bits >= 32)
		return v;
	return is_in(c->letter, "di") ? LLVMBuildSExt(b, v, p->m->i32, "")
				      : LLVMBuildZExt(b, v, p->m->i32, "");
}

/* Element `lane` of what is a vector, a number of its bits (then `bits` of them), or a pointer. */
static LLVMValueRef element(const struct print *p, LLVMValueRef v, LLVMTypeRef type,
			    unsigned lane, bool pointer)
{
	LLVMValueRef index = LLVMConstInt(p->m->i32, lane, 0);

	if (!pointer)
		return LLVMBuildExtractElement(p->m->builder, v, index, "");
	return LLVMBuildLoad2(p->m->builder, type,
			      LLVMBuildGEP2(p->m->builder, type, v, &index, 1, ""), "");
}

static void add_elements(struct print *p, const struct conversion *c)
{
	LLVMValueRef v = next_arg(p);
	LLVMTypeRef type = element_type(p, c);
	bool pointer = v && LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMPointerTypeKind;

	if (v && !pointer) {
		unsigned long long bits = LLVMSizeOfTypeInBits(p->m->layout, LLVMTypeOf(v));

		if (bits % c->bits || bits / c->bits < c->lanes) {
			p->why = "a vector that is not of its format";
			return;
		}
		v = LLVMBuildBitCast(p->m->builder, v,
				     LLVMVectorType(type, (unsigned)(bits / c->bits)), "");
	}
	for (unsigned i = 0; v && i < c->lanes; i++)
		take_arg(p, promoted(p, c, element(p, v, type, i, pointer)));
}

static void put_vector(struct print *p, const struct conversion *c)
{
	bool good = (c->lanes == 2 || c->lanes == 3 || c->lanes == 4 || c->lanes == 8 ||
		     c->lanes == 16) &&
		    c->bits && !memchr(c->flags, '*', c->flags_len) &&
		    (c->real ? c->bits > 8 : is_in(c->letter, "diouxX"));

	if (!good) {
		p->why = "a format that OpenCL C does not have";
		return;
	}
	for (unsigned long i = 0; i < c->lanes; i++) {
		ws_put_bytes(&p->format, i ? ",%" : "%", i ? 2 : 1);
		ws_put_bytes(&p->format, c->flags, c->flags_len);
		if (!c->real && c->bits != 32)
			ws_put_bytes(&p->format, c->length, strlen(c->length));
		ws_put_bytes(&p->format, &c->letter, 1);
	}
	add_elements(p, c);
}

/* The text of a literal with its NUL; NULL: it is none. */
static const char *literal(LLVMValueRef v, size_t *len)
{
	LLVMValueRef text = LLVMIsAGlobalVariable(v) && LLVMIsGlobalConstant(v)
				    ? LLVMGetInitializer(v) : NULL;

	*len = 1;
	if (text && LLVMIsNull(text))
		return "";
	if (!text || !LLVMIsAConstantDataSequential(text) || !LLVMIsConstantString(text))
		return NULL;
	return LLVMGetAsString(text, len);
}

/* A string that is not a literal could be any memory, or none. */
static bool is_literal(LLVMValueRef v)
{
	size_t len;
	const char *text = literal(v, &len);

	return text && memchr(text, 0, len);
}

/* What is printed of a string that is no literal. */
static LLVMValueRef text_at(const struct print *p, LLVMValueRef v)
{
	LLVMTypeRef pointer = LLVMPointerTypeInContext(p->m->context, 0);
	LLVMTypeRef type = LLVMFunctionType(pointer, &pointer, 1, 0);
	LLVMValueRef f = LLVMGetNamedFunction(p->m->module, "ws_lane_text");

	if (!f)
		f = LLVMAddFunction(p->m->module, "ws_lane_text", type);
	if (LLVMTypeOf(v) != pointer)
		v = LLVMBuildAddrSpaceCast(p->m->builder, v, pointer, "");
	return LLVMBuildCall2(p->m->builder, type, f, &v, 1, "");
}

/* %n writes, and what OpenCL C does not have could take values that are not there. */
static const char *refused(const struct conversion *c)
{
	if (c->letter == 'n')
		return "%n, which writes to memory";
	if (!is_in(c->letter, "diouxXfFeEgGaAcsp%") || strcmp(c->length, "hl") == 0 ||
	    (c->length[0] && is_in(c->letter, "sp%")) || (c->flags_len && c->letter == '%'))
		return "a format that OpenCL C does not have";
	return NULL;
}

/* Numbers and reals come to C's printf in registers of their own: the values behind one of the
 * other kind would be others.  Pointers are numbers. */
static bool is_value_of(const struct print *p, const struct conversion *c, LLVMValueRef v)
{
	LLVMTypeRef type = LLVMTypeOf(v);

	switch (LLVMGetTypeKind(type)) {
	case LLVMDoubleTypeKind:
		return c->real;
	case LLVMIntegerTypeKind:
		return !c->real && c->letter != 's' && LLVMGetIntTypeWidth(type) <= 64;
	case LLVMPointerTypeKind:
		return !c->real && LLVMSizeOfTypeInBits(p->m->layout, type) == 64;
	default:
		return false;
	}
}

/* OpenCL C has literals alone. */
static LLVMValueRef string_of(struct print *p, LLVMValueRef v)
{
	if (p->m->warps)
		return text_at(p, v);
	p->why = "%s of what is no literal";
	return NULL;
}

static void put_scalar(struct print *p, const struct conversion *c, const char *end)
{
	if ((p->why = refused(c)))
		return;
	ws_put_u8(&p->format, '%');
	ws_put_bytes(&p->format, c->flags, (size_t)(end - c->flags));
	for (size_t i = 0; i <= c->flags_len && c->letter != '%'; i++) {
		const struct conversion width = { .letter = 'd' };
		LLVMValueRef v = i == c->flags_len || c->flags[i] == '*' ? next_arg(p) : NULL;

		if (v && !is_value_of(p, i == c->flags_len ? c : &width, v))
			p->why = "a value that is not of its format";
		else if (v && i == c->flags_len && c->letter == 's' && !is_literal(v))
			v = string_of(p, v);
		if (v)
			take_arg(p, v);
	}
}

static void convert(struct print *p, const char *text)
{
	while (*text && !p->why) {
		size_t plain = strcspn(text, "%");
		struct conversion c;
		const char *end;

		ws_put_bytes(&p->format, text, plain);
		text += plain;
		if (!*text)
			break;
		end = read_conversion(text + 1, &c);
		if (c.lanes)
			put_vector(p, &c);
		else
			put_scalar(p, &c, end);
		text = end;
	}
}

/* The call anew, with the elements. */
static void replace(struct print *p, LLVMValueRef f)
{
	LLVMValueRef old = LLVMGetOperand(p->call, 0), text, new;

	text = LLVMConstStringInContext(p->m->context, (const char *)p->format.data,
					(unsigned)p->format.len, 0);
	p->arg[0] = LLVMAddGlobalInAddressSpace(p->m->module, LLVMTypeOf(text), "",
						LLVMGetPointerAddressSpace(LLVMTypeOf(old)));
	LLVMSetInitializer(p->arg[0], text);
	LLVMSetGlobalConstant(p->arg[0], 1);
	LLVMSetLinkage(p->arg[0], LLVMPrivateLinkage);
	new = LLVMBuildCall2(p->m->builder, LLVMGlobalGetValueType(f), f, p->arg, p->args, "");
	LLVMReplaceAllUsesWith(p->call, new);
	LLVMInstructionEraseFromParent(p->call);
}

static const char no_memory[] = "no memory"; /* a reason that is not the kernel's */

/* The format of a call; NULL, and *why: it is no literal, or there is no memory. */
static char *format_of(LLVMValueRef call, const char **why)
{
	size_t len;
	const char *bytes = literal(LLVMGetOperand(call, 0), &len);
	char *copy = bytes && !bytes[len - 1] ? ws_strdup(bytes) : NULL;

	if (!copy)
		*why = bytes && !bytes[len - 1] ? no_memory : "a format that is no literal";
	return copy;
}

static const char *print_call(struct ws_module *m, LLVMValueRef f, LLVMValueRef call)
{
	struct print p = { .m = m, .call = call, .at = 1, .args = 1 };
	char *text = format_of(call, &p.why);

	if (!text)
		return p.why;
	LLVMPositionBuilderBefore(m->builder, call);
	convert(&p, text);
	if (!p.why && p.format.failed)
		p.why = no_memory;
	if (!p.why)
		replace(&p, f);
	ws_buf_clear(&p.format);
	free(text);
	return p.why;
}

enum ws_status ws_module_print(struct ws_module *m, const char *source, struct ws_err *err)
{
	LLVMValueRef f = LLVMGetNamedFunction(m->module, "__ws_printf");
	LLVMUseRef next;

	for (LLVMUseRef u = f ? LLVMGetFirstUse(f) : NULL; u; u = next) {
		LLVMValueRef call = LLVMGetUser(u);
		bool called = LLVMIsACallInst(call) && LLVMGetCalledValue(call) == f;
		unsigned line = LLVMIsAInstruction(call) ? LLVMGetDebugLocLine(call) : 0;
		const char *why;

		next = LLVMGetNextUse(u);
		why = called ? print_call(m, f, call) : "its address taken";
		if (why == no_memory)
			return ws_fail_memory(err, "a kernel's printf");
		if (why)
			return ws_fail(err, WS_EINPUT, "%s:%u: kernel %s: printf with %s", source,
				       line, m->kernel->name, why);
	}
	return WS_OK;
}
