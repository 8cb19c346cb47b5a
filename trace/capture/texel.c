/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/capture/texel.c -- when a texel is used: how many instructions after its load, past what
 * the texture unit makes of it.
 */
#include "trace/capture/instrument.h"

#include <assert.h>

#define TEXEL_VALUES_MAX 64 /* in which what became of a texel is followed */
#define TEXEL_BLOCKS_MAX 64

struct texel { /* what a load's value became */
	LLVMValueRef value[TEXEL_VALUES_MAX];
	size_t values;
	uint32_t distance;
};

static bool uses(const struct texel *t, LLVMValueRef i)
{
	bool phi = LLVMIsAPHINode(i);
	unsigned count = phi ? LLVMCountIncoming(i) : (unsigned)LLVMGetNumOperands(i);

	for (unsigned k = 0; k < count; k++) {
		LLVMValueRef operand = phi ? LLVMGetIncomingValue(i, k) : LLVMGetOperand(i, k);

		for (size_t v = 0; v < t->values; v++) {
			if (t->value[v] == operand)
				return true;
		}
	}
	return false;
}

/* Goes on from i to the end of its block; true: the value was used. */
static bool used_in_block(struct texel *t, LLVMValueRef i)
{
	for (; i; i = LLVMGetNextInstruction(i)) {
		t->distance += !ws_is_free(i);
		if (!uses(t, i))
			continue;
		if (!(ws_is_texture_work(i) || LLVMIsAPHINode(i) || LLVMIsABitCastInst(i)) ||
		    t->values == TEXEL_VALUES_MAX)
			return true;
		assert(t->values < TEXEL_VALUES_MAX);
		t->value[t->values++] = i;
	}
	return false;
}

static LLVMBasicBlockRef only_successor(LLVMBasicBlockRef b)
{
	LLVMValueRef end = LLVMGetBasicBlockTerminator(b);

	return LLVMGetNumSuccessors(end) == 1 ? LLVMGetSuccessor(end, 0) : NULL;
}

/* The block behind b, past a texel's load that is left out where there is no texel. */
static LLVMBasicBlockRef behind(struct texel *t, LLVMBasicBlockRef b)
{
	LLVMValueRef end = LLVMGetBasicBlockTerminator(b), first;
	LLVMBasicBlockRef next = only_successor(b);

	if (next) {
		first = LLVMGetFirstInstruction(next);
		return LLVMIsAPHINode(first) && uses(t, first) ? next : NULL;
	}
	if (!ws_is_texture_work(end))
		return NULL;
	for (unsigned s = 0; s < 2; s++) {
		LLVMBasicBlockRef load = LLVMGetSuccessor(end, s);

		next = LLVMGetSuccessor(end, 1 - s);
		if (only_successor(load) != next)
			continue;
		t->distance++;
		return next;
	}
	return NULL;
}

uint32_t ws_texel_distance(LLVMValueRef load)
{
	struct texel t = { .value = { load }, .values = 1 };
	LLVMBasicBlockRef b = LLVMGetInstructionParent(load);
	LLVMValueRef i = LLVMGetNextInstruction(load);

	for (unsigned blocks = 0; b && blocks < TEXEL_BLOCKS_MAX; blocks++) {
		if (used_in_block(&t, i))
			break;
		b = behind(&t, b);
		i = b ? LLVMGetFirstInstruction(b) : NULL;
	}
	return t.distance ? t.distance : 1;
}
