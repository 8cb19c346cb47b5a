/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/capture/provenance.c -- which kernel argument or __local variable an
 * address is computed from, if it is one only on every path.
 *
 * Walks from the pointer through address arithmetic, casts, selects and phis;
 * a phi met again while it is being resolved (a pointer that steps through a
 * loop) does not count.
 */
#include "trace/capture/instrument.h"

#define DEPTH_MAX 64
#define STEPS_MAX 4096 /* chains of selects have exponentially many paths */
#define NEUTRAL   (-4) /* a phi being resolved */

struct value_walk {
	const struct ws_module *m;
	LLVMValueRef open[DEPTH_MAX]; /* phis being resolved */
	int opened, steps;
};

static int root(struct value_walk *w, LLVMValueRef v);

static int join_roots(int a, int b)
{
	if (a == NEUTRAL)
		return b;
	if (b == NEUTRAL || a == b)
		return a;
	return WS_ROOT_UNKNOWN;
}

static int parameter(const struct ws_module *m, LLVMValueRef v)
{
	size_t args = m->kernel->args;

	for (unsigned i = 0; i < args + m->kernel->locals; i++) {
		if (LLVMGetParam(m->body, i + 1) != v)
			continue;
		if (i < args && (m->kernel->arg[i].kind == WS_ARG_VALUE ||
				 m->kernel->arg[i].kind == WS_ARG_SAMPLER))
			return WS_ROOT_PRIVATE;
		return (int)i;
	}
	return WS_ROOT_PRIVATE; /* the context itself */
}

static int phi(struct value_walk *w, LLVMValueRef v)
{
	int found = NEUTRAL;

	for (int i = 0; i < w->opened; i++) {
		if (w->open[i] == v)
			return NEUTRAL;
	}
	if (w->opened == DEPTH_MAX)
		return WS_ROOT_UNKNOWN;
	w->open[w->opened++] = v;
	for (unsigned i = 0; i < LLVMCountIncoming(v) && found != WS_ROOT_UNKNOWN; i++)
		found = join_roots(found, root(w, LLVMGetIncomingValue(v, i)));
	w->opened--;
	return found;
}

static int instruction(struct value_walk *w, LLVMValueRef v)
{
	switch (LLVMGetInstructionOpcode(v)) {
	case LLVMGetElementPtr:
	case LLVMBitCast:
	case LLVMAddrSpaceCast:
	case LLVMFreeze:
		return root(w, LLVMGetOperand(v, 0));
	case LLVMSelect:
		return join_roots(root(w, LLVMGetOperand(v, 1)), root(w, LLVMGetOperand(v, 2)));
	case LLVMPHI:
		return phi(w, v);
	case LLVMAlloca:
		return WS_ROOT_PRIVATE;
	case LLVMCall:
		return ws_is_meeting(v) ? WS_ROOT_PRIVATE : WS_ROOT_UNKNOWN;
	default:
		return WS_ROOT_UNKNOWN;
	}
}

static int root(struct value_walk *w, LLVMValueRef v)
{
	int found = WS_ROOT_UNKNOWN;

	if (++w->steps > STEPS_MAX)
		return WS_ROOT_UNKNOWN;
	if (LLVMIsAArgument(v))
		found = parameter(w->m, v);
	else if (LLVMIsAGlobalVariable(v))
		found = WS_ROOT_CONSTANT;
	else if (LLVMIsAConstantExpr(v) && LLVMGetNumOperands(v) > 0)
		found = root(w, LLVMGetOperand(v, 0));
	else if (LLVMIsAInstruction(v))
		found = instruction(w, v);
	return found;
}

int ws_provenance(const struct ws_module *m, LLVMValueRef pointer)
{
	struct value_walk w = { .m = m };
	int found = root(&w, pointer);

	return found == NEUTRAL ? WS_ROOT_UNKNOWN : found;
}
