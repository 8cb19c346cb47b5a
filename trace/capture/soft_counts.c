/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/capture/soft_counts.c -- calls that only count, of kernels rewritten to have a software
 * cache (softcache.c): they become additions to the launch's tally, or nothing.
 */
#include "trace/capture/instrument.h"

#include <string.h>

bool ws_is_soft_count(LLVMValueRef f)
{
	size_t len;

	return strncmp(LLVMGetValueName2(f, &len), "__ws_soft_", 10) == 0;
}

/* Adds n to a counter of the work-item's launch. */
static void add_to(struct ws_module *m, LLVMValueRef slot, LLVMValueRef n)
{
	LLVMBuilderRef b = m->builder;
	LLVMValueRef at = LLVMConstInt(m->i64, offsetof(struct ws_lane_ctx, tally), 0), table, was;

	table = LLVMBuildLoad2(b, m->ptr,
			       LLVMBuildGEP2(b, m->i8, LLVMGetParam(m->body, 0), &at, 1, ""), "");
	at = LLVMBuildAdd(b, LLVMBuildZExt(b, slot, m->i64, ""),
			  LLVMConstInt(m->i64, WS_TALLY_SLOTS, 0), "");
	at = LLVMBuildGEP2(b, m->i64, table, &at, 1, "");
	was = LLVMBuildLoad2(b, m->i64, at, "");
	LLVMBuildStore(b, LLVMBuildAdd(b, was, n, ""), at);
}

static LLVMValueRef ones_of(struct ws_module *m, LLVMValueRef mask)
{
	unsigned id = LLVMLookupIntrinsicID("llvm.ctpop", 10);
	LLVMValueRef f = LLVMGetIntrinsicDeclaration(m->module, id, &m->i64, 1);

	return LLVMBuildCall2(m->builder, LLVMGlobalGetValueType(f), f, &mask, 1, "");
}

/* 1: calls is at least the threshold, and the structure is chosen. */
static LLVMValueRef past(struct ws_module *m, LLVMValueRef i)
{
	LLVMBuilderRef b = m->builder;
	LLVMValueRef calls = LLVMBuildICmp(b, LLVMIntUGE, LLVMGetOperand(i, 1),
					   LLVMGetOperand(i, 2), "");
	LLVMValueRef chosen = LLVMBuildICmp(b, LLVMIntNE, LLVMGetOperand(i, 3),
					    LLVMConstInt(m->i32, 0, 0), "");

	return LLVMBuildZExt(b, LLVMBuildAnd(b, calls, chosen, ""), m->i64, "");
}

static void expand(struct ws_module *m, const char *name, LLVMValueRef i)
{
	LLVMValueRef context = LLVMGetParam(m->body, 0);
	LLVMValueRef at = LLVMConstInt(m->i64, offsetof(struct ws_lane_ctx, phase), 0);
	LLVMBuilderRef b = m->builder;

	LLVMPositionBuilderBefore(b, i);
	if (strcmp(name, "__ws_soft_count") == 0)
		add_to(m, LLVMGetOperand(i, 0), LLVMGetOperand(i, 1));
	else if (strcmp(name, "__ws_soft_bits") == 0)
		add_to(m, LLVMGetOperand(i, 0), ones_of(m, LLVMGetOperand(i, 1)));
	else if (strcmp(name, "__ws_soft_past") == 0)
		add_to(m, LLVMGetOperand(i, 0), past(m, i));
	else
		LLVMBuildStore(b, LLVMConstInt(m->i64, 1, 0),
			       LLVMBuildGEP2(b, m->i8, context, &at, 1, ""));
}

void ws_module_soft_counts(struct ws_module *m, bool tally)
{
	for (LLVMValueRef f = LLVMGetFirstFunction(m->module); f; f = LLVMGetNextFunction(f)) {
		size_t len;
		const char *name = LLVMGetValueName2(f, &len);

		for (LLVMUseRef u; ws_is_soft_count(f) && (u = LLVMGetFirstUse(f));) {
			LLVMValueRef i = LLVMGetUser(u);

			if (tally)
				expand(m, name, i);
			LLVMInstructionEraseFromParent(i);
		}
	}
}
