/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/capture/access.c -- which instructions access memory, where, and which
 * of the others take an issue slot.
 */
#include "trace/capture/instrument.h"

#include <string.h>

#define CONSTANTS (UINT64_C(1) << 46) /* where program-scope constants are: far from all arrays */

static bool callee_is(LLVMValueRef call, const char *prefix)
{
	return ws_is_named(LLVMGetCalledValue(call), prefix);
}

bool ws_is_barrier(LLVMValueRef i)
{
	return LLVMIsACallInst(i) && callee_is(i, "__ws_barrier");
}

static uint64_t stored(const struct ws_module *m, LLVMTypeRef type)
{
	return LLVMStoreSizeOfType(m->layout, type);
}

/* Copies and fills by intrinsic: a load and a store, a store.  Their length is
 * constant, since OpenCL C has no memcpy of its own; UINT64_MAX if it is not. */
static size_t block_accesses(LLVMValueRef call, struct ws_kernel_access out[2])
{
	LLVMValueRef len;
	uint64_t bytes;
	size_t n = 0;

	if (!callee_is(call, "llvm.memcpy") && !callee_is(call, "llvm.memmove") &&
	    !callee_is(call, "llvm.memset"))
		return 0;
	len = LLVMGetOperand(call, 2);
	bytes = LLVMIsAConstantInt(len) ? LLVMConstIntGetZExtValue(len) : UINT64_MAX;
	if (!callee_is(call, "llvm.memset"))
		out[n++] = (struct ws_kernel_access){ LLVMGetOperand(call, 1), 1, WS_LOAD, bytes };
	out[n++] = (struct ws_kernel_access){ LLVMGetOperand(call, 0), 0, WS_STORE, bytes };
	return n;
}

/* Memory accesses of instruction i, wherever they go: at most two. */
size_t ws_accesses_of(const struct ws_module *m, LLVMValueRef i, struct ws_kernel_access out[2])
{
	switch (LLVMGetInstructionOpcode(i)) {
	case LLVMLoad:
		out[0] = (struct ws_kernel_access){ LLVMGetOperand(i, 0), 0, WS_LOAD,
					     stored(m, LLVMTypeOf(i)) };
		return 1;
	case LLVMStore:
		out[0] = (struct ws_kernel_access){ LLVMGetOperand(i, 1), 1, WS_STORE,
					     stored(m, LLVMTypeOf(LLVMGetOperand(i, 0))) };
		return 1;
	case LLVMAtomicRMW:
		out[0] = (struct ws_kernel_access){ LLVMGetOperand(i, 0), 0, WS_ATOMIC,
					     stored(m, LLVMTypeOf(i)) };
		return 1;
	case LLVMAtomicCmpXchg:
		out[0] = (struct ws_kernel_access){ LLVMGetOperand(i, 0), 0, WS_ATOMIC,
					     stored(m, LLVMTypeOf(LLVMGetOperand(i, 1))) };
		return 1;
	case LLVMCall:
		return block_accesses(i, out);
	default:
		return 0;
	}
}

/* The space an access goes to, if it is checked at all: global, constant and
 * local ones are; private memory and program-scope constants are not. */
bool ws_access_traced(const struct ws_module *m, LLVMValueRef pointer, int *root,
		      enum ws_space *space)
{
	unsigned address_space = LLVMGetPointerAddressSpace(LLVMTypeOf(pointer));

	if (address_space == 0)
		return false;
	*root = ws_provenance(m, pointer);
	*space = address_space == 2   ? WS_SPACE_CONSTANT
		 : address_space == 3 ? WS_SPACE_LOCAL
				      : WS_SPACE_GLOBAL;
	if (*root >= (int)m->kernel->args ||
	    (*root >= 0 && m->kernel->arg[*root].kind == WS_ARG_LOCAL))
		*space = WS_SPACE_LOCAL;
	else if (*root >= 0 && m->kernel->arg[*root].kind == WS_ARG_CONSTANT)
		*space = WS_SPACE_CONSTANT;
	return *root >= 0 || *root == WS_ROOT_UNKNOWN;
}

/* An index is applied to it, and casts; where it is one of several it is not told. */
LLVMValueRef ws_program_constant(LLVMValueRef i)
{
	LLVMValueRef at = LLVMIsALoadInst(i) ? LLVMGetOperand(i, 0) : NULL;

	if (!at || LLVMGetPointerAddressSpace(LLVMTypeOf(at)) != 2)
		return NULL;
	while (!LLVMIsAGlobalVariable(at)) {
		if (!LLVMIsAGetElementPtrInst(at) && !LLVMIsABitCastInst(at) &&
		    !LLVMIsAConstantExpr(at))
			return NULL;
		at = LLVMGetOperand(at, 0);
	}
	return at;
}

static uint64_t constant_bytes(const struct ws_module *m, LLVMValueRef g)
{
	return LLVMABISizeOfType(m->layout, LLVMGlobalGetValueType(g));
}

/* They lie one behind the other. */
static uint64_t constant_base(const struct ws_module *m, LLVMValueRef g)
{
	uint64_t base = CONSTANTS;

	for (LLVMValueRef o = LLVMGetFirstGlobal(m->module); o != g; o = LLVMGetNextGlobal(o))
		if (LLVMGetPointerAddressSpace(LLVMTypeOf(o)) == 2)
			base += (constant_bytes(m, o) + 255) & ~UINT64_C(255);
	return base;
}

/* One that is declared in a kernel is called "kernel.name" by clang. */
static char *constant_name(const struct ws_kernel *k, LLVMValueRef g)
{
	size_t len, own = strlen(k->name);
	const char *name = LLVMGetValueName2(g, &len);

	if (len > own + 1 && strncmp(name, k->name, own) == 0 && name[own] == '.')
		name += own + 1;
	return ws_strdup(len ? name : "constant");
}

uint32_t ws_constant_number(const struct ws_module *m, LLVMValueRef i, struct ws_err *err)
{
	struct ws_kernel *k = m->kernel;
	LLVMValueRef g = ws_program_constant(i);
	uint64_t base = constant_base(m, g);

	for (size_t n = 0; n < k->constants; n++)
		if (k->constant[n].base == base)
			return WS_IS_CONSTANT | (uint32_t)n;
	if (WS_ROOM(k->constant, k->constant_cap, k->constants + 1)) {
		k->constant[k->constants] = (struct ws_constant){ constant_name(k, g), base,
								  constant_bytes(m, g) };
		if (k->constant[k->constants].name)
			return WS_IS_CONSTANT | (uint32_t)k->constants++;
	}
	(void)ws_fail_memory(err, "a kernel's constants");
	return WS_NO_ARRAY;
}

LLVMValueRef ws_constant_address(const struct ws_module *m, LLVMValueRef i)
{
	LLVMBuilderRef b = m->builder;
	LLVMValueRef g = ws_program_constant(i), offset;
	uint64_t base = constant_base(m, g);

	LLVMPositionBuilderBefore(b, i);
	offset = LLVMBuildSub(b, LLVMBuildPtrToInt(b, LLVMGetOperand(i, 0), m->i64, ""),
			      LLVMBuildPtrToInt(b, g, m->i64, ""), "");
	return LLVMBuildAdd(b, offset, LLVMConstInt(m->i64, base, 0), "");
}

bool ws_access_recorded(const struct ws_module *m, enum ws_space space)
{
	return space != WS_SPACE_LOCAL || m->options->local;
}

static bool vanishes(LLVMValueRef i)
{
	switch (LLVMGetInstructionOpcode(i)) {
	case LLVMPHI:
	case LLVMAlloca:
	case LLVMBitCast:
	case LLVMAddrSpaceCast:
	case LLVMPtrToInt:
	case LLVMIntToPtr:
	case LLVMTrunc:
	case LLVMFreeze:
	case LLVMUnreachable:
		return true;
	case LLVMBr:
		return !LLVMIsConditional(i);
	case LLVMCall:
		return callee_is(i, "llvm.dbg") || callee_is(i, "llvm.lifetime") ||
		       callee_is(i, "llvm.assume") || callee_is(i, "__ws_barrier") ||
		       callee_is(i, "__ws_soft_");
	default:
		return false;
	}
}

bool ws_is_free(LLVMValueRef i)
{
	return vanishes(i) || ws_is_texture_work(i);
}

/* Instructions until the first use of a load's value, up to the end of its block. */
uint32_t ws_use_distance(LLVMValueRef load)
{
	uint32_t distance = 0;

	for (LLVMValueRef i = LLVMGetNextInstruction(load); i; i = LLVMGetNextInstruction(i)) {
		distance += !ws_is_free(i);
		for (int k = LLVMGetNumOperands(i); k-- > 0;) {
			if (LLVMGetOperand(i, (unsigned)k) == load)
				return distance ? distance : 1;
		}
	}
	return distance ? distance : 1;
}

bool ws_is_past(LLVMValueRef i)
{
	return (LLVMIsALoadInst(i) || LLVMIsAStoreInst(i)) &&
	       LLVMGetMetadata(i, LLVMGetMDKindID(WS_PAST_MARK, sizeof WS_PAST_MARK - 1));
}

LLVMValueRef ws_located(LLVMValueRef i)
{
	LLVMValueRef found = i;
	unsigned line = LLVMGetDebugLocLine(i), least = 0;

	for (LLVMUseRef u = LLVMGetFirstUse(i); u && !line; u = LLVMGetNextUse(u)) {
		LLVMValueRef user = LLVMGetUser(u);
		unsigned at = LLVMIsAInstruction(user) ? LLVMGetDebugLocLine(user) : 0;

		if (at && (!least || at < least)) {
			least = at;
			found = user;
		}
	}
	return found;
}
