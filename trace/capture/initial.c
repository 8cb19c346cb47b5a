/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/capture/initial.c -- what variables of CUDA device code begin with, as the module's
 * constants say: bytes, and the addresses of other variables.
 */
#include "trace/capture/instrument.h"

#include <llvm-c/BitReader.h>
#include <stdlib.h>
#include <string.h>

struct initial {
	LLVMTargetDataRef layout;
	const struct ws_cuda_places *places;	/* NULL: no variable has one yet */
};

/* Bytes from the start of what a constant getelementptr begins at; false: they are not known. */
static bool offset_of(LLVMTargetDataRef layout, LLVMValueRef v, uint64_t *bytes)
{
	LLVMTypeRef type = LLVMGetGEPSourceElementType(v);
	unsigned operands = (unsigned)LLVMGetNumOperands(v);

	*bytes = 0;
	for (unsigned i = 1; i < operands; i++) {
		LLVMValueRef index = LLVMGetOperand(v, i);
		uint64_t n;

		if (!LLVMIsAConstantInt(index))
			return false;
		n = (uint64_t)LLVMConstIntGetSExtValue(index);
		if (i > 1 && LLVMGetTypeKind(type) == LLVMStructTypeKind) {
			*bytes += LLVMOffsetOfElement(layout, type, (unsigned)n);
			type = LLVMStructGetTypeAtIndex(type, (unsigned)n);
			continue;
		}
		if (i > 1)
			type = LLVMGetElementType(type);
		*bytes += n * LLVMABISizeOfType(layout, type);
	}
	return true;
}

/* Of a variable, or of a place in one; 0: it is none of these. */
static uint64_t address_of(const struct initial *in, LLVMValueRef v)
{
	uint64_t base, offset = 0;
	bool own;
	size_t len;

	if (LLVMIsAGlobalVariable(v)) {
		own = LLVMGetLinkage(v) == LLVMPrivateLinkage ||
		      LLVMGetLinkage(v) == LLVMInternalLinkage;
		return !in->places ? 0
				   : in->places->place(in->places->data,
						       LLVMGetValueName2(v, &len),
						       LLVMABISizeOfType(in->layout,
									 LLVMGlobalGetValueType(v)),
						       own);
	}
	if (!LLVMIsAConstantExpr(v))
		return 0;
	if (LLVMGetConstOpcode(v) == LLVMAddrSpaceCast)
		return address_of(in, LLVMGetOperand(v, 0));
	if (LLVMGetConstOpcode(v) != LLVMGetElementPtr || !offset_of(in->layout, v, &offset))
		return 0;
	base = address_of(in, LLVMGetOperand(v, 0));
	return base ? base + offset : 0;
}

static bool put_constant(const struct initial *in, LLVMValueRef v, uint8_t *to, uint64_t bytes);

/* Those of an array or a structure. */
static bool put_elements(const struct initial *in, LLVMValueRef v, uint8_t *to, uint64_t bytes)
{
	LLVMTargetDataRef layout = in->layout;
	LLVMTypeRef type = LLVMTypeOf(v);
	bool array = LLVMGetTypeKind(type) == LLVMArrayTypeKind;
	uint64_t count = array ? LLVMGetArrayLength2(type) : LLVMCountStructElementTypes(type);
	uint64_t each = array ? LLVMABISizeOfType(layout, LLVMGetElementType(type)) : 0;

	for (uint64_t i = 0; i < count; i++) {
		uint64_t at = array ? i * each : LLVMOffsetOfElement(layout, type, (unsigned)i);

		if (!put_constant(in, LLVMGetAggregateElement(v, (unsigned)i), to + at, bytes - at))
			return false;
	}
	return true;
}

/* The value's bytes, as far as they fit in. */
static bool put_constant(const struct initial *in, LLVMValueRef v, uint8_t *to, uint64_t bytes)
{
	LLVMTypeRef type = LLVMTypeOf(v);
	uint64_t size = LLVMABISizeOfType(in->layout, type), number = 0;
	LLVMBool lost;
	double real;
	float single;

	if (size > bytes)
		return false;
	if (LLVMIsNull(v) || LLVMIsUndef(v))
		return true;
	switch (LLVMGetTypeKind(type)) {
	case LLVMIntegerTypeKind:
		number = LLVMConstIntGetZExtValue(v);
		memcpy(to, &number, size < sizeof number ? (size_t)size : sizeof number);
		return size <= sizeof number;
	case LLVMFloatTypeKind:
		single = (float)LLVMConstRealGetDouble(v, &lost);
		memcpy(to, &single, sizeof single);
		return true;
	case LLVMDoubleTypeKind:
		real = LLVMConstRealGetDouble(v, &lost);
		memcpy(to, &real, sizeof real);
		return true;
	case LLVMPointerTypeKind:
		number = ws_cuda_number(v); /* of a function */
		number = number ? number : address_of(in, v);
		memcpy(to, &number, sizeof number);
		return number != 0;
	case LLVMArrayTypeKind:
	case LLVMStructTypeKind:
		return put_elements(in, v, to, bytes);
	default:
		return false;
	}
}

static void ignore(LLVMDiagnosticInfoRef info, void *data)
{
	(void)info;
	(void)data;
}

struct parsed {
	LLVMContextRef context;
	LLVMModuleRef module; /* NULL: it is none */
};

/* Variables and names: bodies of functions, nearly all of a module, are left unread.  A variable's
 * first value gives a function whose address it holds its number without them. */
static struct parsed parse(const struct ws_bitcode *code)
{
	struct parsed p = { .context = LLVMContextCreate() };
	LLVMMemoryBufferRef memory = LLVMCreateMemoryBufferWithMemoryRange(
		(const char *)code->data.data, code->data.len, "module", 0);

	LLVMContextSetDiagnosticHandler(p.context, ignore, NULL);
	if (LLVMGetBitcodeModuleInContext2(p.context, memory, &p.module)) {
		p.module = NULL;
		LLVMDisposeMemoryBuffer(memory); /* else the module's */
	} else {
		ws_cuda_forget_uses(p.module);
	}
	return p;
}

static void forget(struct parsed *p)
{
	if (p->module)
		LLVMDisposeModule(p->module);
	LLVMContextDispose(p->context);
}

bool ws_cuda_extent(const struct ws_bitcode *code, const char *symbol, uint64_t *bytes)
{
	struct parsed p = parse(code);
	LLVMValueRef g = p.module ? LLVMGetNamedGlobal(p.module, symbol) : NULL;

	if (g)
		*bytes = LLVMABISizeOfType(LLVMGetModuleDataLayout(p.module),
					   LLVMGlobalGetValueType(g));
	forget(&p);
	return g != NULL;
}

enum ws_status ws_cuda_initial(const struct ws_bitcode *code, const char *symbol,
			       const struct ws_cuda_places *places, uint8_t *to, uint64_t bytes,
			       struct ws_err *err)
{
	struct parsed p = parse(code);
	struct initial in = { .places = places };
	LLVMValueRef g = NULL, value;
	bool good = false;

	if (p.module) {
		ws_cuda_number_functions(p.module, code->source);
		g = LLVMGetNamedGlobal(p.module, symbol);
	}
	value = g ? LLVMGetInitializer(g) : NULL;
	if (value) {
		in.layout = LLVMGetModuleDataLayout(p.module);
		good = put_constant(&in, value, to, bytes);
	}
	forget(&p);
	return good ? WS_OK : ws_fail(err, WS_EINPUT, "%s: variable %s: what it begins with is "
				      "not supported", code->source, symbol);
}

enum ws_status ws_cuda_pointed(const struct ws_bitcode *code, const char *symbol, char **name,
			       struct ws_err *err)
{
	struct parsed p = parse(code);
	LLVMValueRef g = p.module ? LLVMGetNamedGlobal(p.module, symbol) : NULL;
	LLVMValueRef value = g ? LLVMGetInitializer(g) : NULL;
	size_t len;

	while (value && LLVMIsAConstantExpr(value))
		value = LLVMGetOperand(value, 0);
	*name = value && LLVMIsAFunction(value) ? ws_strdup(LLVMGetValueName2(value, &len)) : NULL;
	forget(&p);
	return *name ? WS_OK : ws_fail(err, WS_EINPUT, "%s: %s is no function's address",
				       code->source, symbol);
}
