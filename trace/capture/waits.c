/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/capture/waits.c -- which loops only wait: what they go round for is in memory.
 *
 * A loop waits if a turn of it leaves nothing behind but what it has loaded.  It stores nothing,
 * its atomics do nothing when they are repeated (an exchange or a comparison of values from outside
 * the loop, a maximum, an addition of 0), and what it carries from turn to turn is what the turn
 * has loaded, or unchanged.  If it goes round once, it does so until another work-item writes to
 * what it loads.
 *
 * Loops that wait in another way (one that counts its turns, or with a barrier in it) are not
 * known as such.
 *
 * A loop may ask for the time, too: it is timed, and ends when others do nothing for long.  One
 * that ends when a counter has a value may miss it: others have counted on before it looks.  So
 * others have their turn before each atomic of the same array (instrument.c).
 */
#include "trace/capture/instrument.h"

#include <stdlib.h>
#include <string.h>

#define BODY_MAX  64u  /* blocks of a loop that is looked at */
#define CHAIN_MAX 256u /* instructions that a value comes from */

struct body { /* of a loop: the blocks that come to its end but through its beginning */
	const struct ws_waits *w;
	uint32_t header, latch;
	size_t blocks;
	uint32_t block[BODY_MAX];
	LLVMValueRef poll; /* the first load or atomic of memory that others see */
	bool timed;	   /* it asks for the time */
};

static uint32_t number_of(LLVMBasicBlockRef b)
{
	return (uint32_t)strtoul(LLVMGetBasicBlockName(b) + 1, NULL, 10);
}

static bool inside(const struct body *l, uint32_t block)
{
	for (size_t i = 0; i < l->blocks; i++) {
		if (l->block[i] == block)
			return true;
	}
	return false;
}

static bool made_inside(const struct body *l, LLVMValueRef v)
{
	return LLVMIsAInstruction(v) && inside(l, number_of(LLVMGetInstructionParent(v)));
}

/* False: it has another entry, or too many blocks. */
static bool find_body(struct body *l)
{
	const struct ws_waits *w = l->w;

	l->block[0] = l->header;
	l->blocks = 1;
	if (l->latch != l->header)
		l->block[l->blocks++] = l->latch;
	for (size_t i = 1; i < l->blocks; i++) {
		uint32_t b = l->block[i];

		if (b == 0)
			return false;
		for (size_t e = w->first_pred[b]; e < w->first_pred[b + 1]; e++) {
			if (inside(l, w->pred[e]))
				continue;
			if (l->blocks == BODY_MAX)
				return false;
			l->block[l->blocks++] = w->pred[e];
		}
	}
	return true;
}

/* ---- what a turn does --------------------------------------------------------------------- */

static bool is_zero(LLVMValueRef v)
{
	return LLVMIsAConstantInt(v) && LLVMIsNull(v);
}

/* An atomic that does nothing more when it is repeated. */
static bool repeats(const struct body *l, LLVMValueRef i)
{
	if (made_inside(l, LLVMGetOperand(i, 1)))
		return false;
	if (LLVMIsAAtomicCmpXchgInst(i))
		return !made_inside(l, LLVMGetOperand(i, 2));
	switch (LLVMGetAtomicRMWBinOp(i)) {
	case LLVMAtomicRMWBinOpXchg:
	case LLVMAtomicRMWBinOpAnd:
	case LLVMAtomicRMWBinOpOr:
	case LLVMAtomicRMWBinOpMax:
	case LLVMAtomicRMWBinOpMin:
	case LLVMAtomicRMWBinOpUMax:
	case LLVMAtomicRMWBinOpUMin:
		return true;
	case LLVMAtomicRMWBinOpAdd:
	case LLVMAtomicRMWBinOpSub:
	case LLVMAtomicRMWBinOpXor:
		return is_zero(LLVMGetOperand(i, 1));
	default:
		return false;
	}
}

static bool harmless_call(LLVMValueRef i)
{
	LLVMValueRef f = LLVMGetCalledValue(i);
	size_t len;
	const char *name = LLVMIsAFunction(f) ? LLVMGetValueName2(f, &len) : "";

	return strncmp(name, "llvm.", 5) == 0 && strncmp(name, "llvm.mem", 8) != 0;
}

/* The work-item's clock (data/cuda/include/cuda_device.h), which goes on when it is asked. */
static bool is_clock(const struct body *l, LLVMValueRef pointer)
{
	LLVMValueRef offset;

	if (!LLVMIsAGetElementPtrInst(pointer) || LLVMGetNumOperands(pointer) != 2 ||
	    LLVMGetOperand(pointer, 0) != LLVMGetParam(l->w->m->body, 0) ||
	    LLVMGetGEPSourceElementType(pointer) != l->w->m->i8)
		return false;
	offset = LLVMGetOperand(pointer, 1);
	return LLVMIsAConstantInt(offset) &&
	       LLVMConstIntGetZExtValue(offset) == offsetof(struct ws_lane_ctx, clock);
}

/* May a turn that has done this be as if it had not been? */
static bool leaves_nothing(struct body *l, LLVMValueRef i)
{
	struct ws_kernel_access access[2];
	enum ws_space space;
	int root;

	switch (LLVMGetInstructionOpcode(i)) {
	case LLVMStore:
		l->timed |= is_clock(l, LLVMGetOperand(i, 1));
		return is_clock(l, LLVMGetOperand(i, 1));
	case LLVMAlloca:
	case LLVMVAArg:
	case LLVMInvoke:
		return false;
	case LLVMCall:
		return harmless_call(i);
	case LLVMAtomicRMW:
	case LLVMAtomicCmpXchg:
		if (!repeats(l, i))
			return false;
		break;
	default:
		break;
	}
	if (ws_accesses_of(l->w->m, i, access) &&
	    ws_access_traced(l->w->m, access[0].pointer, &root, &space) &&
	    space != WS_SPACE_CONSTANT && !l->poll)
		l->poll = i;
	return true;
}

static bool turn_leaves_nothing(struct body *l)
{
	for (size_t b = 0; b < l->blocks; b++) {
		LLVMValueRef i = LLVMGetFirstInstruction(l->w->block[l->block[b]]);

		for (; i; i = LLVMGetNextInstruction(i)) {
			if (!leaves_nothing(l, i))
				return false;
		}
	}
	return l->poll != NULL;
}

/* ---- what it carries ---------------------------------------------------------------------- */

/* What the phi gets from the end of a turn. */
static LLVMValueRef carried(const struct body *l, LLVMValueRef phi)
{
	for (unsigned k = 0; k < LLVMCountIncoming(phi); k++) {
		if (number_of(LLVMGetIncomingBlock(phi, k)) == l->latch)
			return LLVMGetIncomingValue(phi, k);
	}
	return NULL;
}

struct chain {
	LLVMValueRef value[CHAIN_MAX];
	size_t values;
};

static bool add_to_chain(struct chain *c, const struct body *l, LLVMValueRef v)
{
	if (!v || !made_inside(l, v))
		return true;
	for (size_t i = 0; i < c->values; i++) {
		if (c->value[i] == v)
			return true;
	}
	if (c->values == CHAIN_MAX)
		return false;
	c->value[c->values++] = v;
	return true;
}

/* Does it come from what a turn began with, other than what never changes? */
static bool from_turn_before(const struct body *l, LLVMValueRef phi)
{
	struct chain c = { .values = 0 };
	LLVMValueRef first = carried(l, phi);

	if (!first || first == phi)
		return !first;
	if (!add_to_chain(&c, l, first))
		return true;
	for (size_t i = 0; i < c.values; i++) {
		LLVMValueRef v = c.value[i];
		bool is_phi = LLVMIsAPHINode(v) != NULL;

		if (is_phi && number_of(LLVMGetInstructionParent(v)) == l->header) {
			if (carried(l, v) != v)
				return true;
			continue;
		}
		for (int k = LLVMGetNumOperands(v); k-- > 0;) {
			LLVMValueRef o = LLVMGetOperand(v, (unsigned)k);

			if (!LLVMValueIsBasicBlock(o) && !add_to_chain(&c, l, o))
				return true;
		}
	}
	return false;
}

static bool carries_nothing(const struct body *l)
{
	LLVMValueRef i = LLVMGetFirstInstruction(l->w->block[l->header]);

	for (; i && LLVMIsAPHINode(i); i = LLVMGetNextInstruction(i)) {
		if (from_turn_before(l, i))
			return false;
	}
	return true;
}

/* ---- whether it may wait at all ------------------------------------------------------------- */

static bool has_stop(LLVMBasicBlockRef b)
{
	LLVMValueRef i = LLVMGetFirstInstruction(b);

	while (i && !ws_is_barrier(i) && !ws_is_meeting(i))
		i = LLVMGetNextInstruction(i);
	return i != NULL;
}

/* Does each turn come to a place where work-items wait for each other? */
static bool always_stops(const struct body *l)
{
	const struct ws_waits *w = l->w;
	struct body path = { .block = { l->latch }, .blocks = 1 };

	for (size_t i = 0; i < path.blocks; i++) {
		uint32_t b = path.block[i];

		if (has_stop(w->block[b]))
			continue;
		if (b == l->header)
			return false;
		for (size_t e = w->first_pred[b]; e < w->first_pred[b + 1]; e++) {
			if (!inside(&path, w->pred[e]))
				path.block[path.blocks++] = w->pred[e];
		}
	}
	return true;
}

/* What decides which way a block is left, NULL: nothing does. */
static LLVMValueRef decides(LLVMBasicBlockRef b)
{
	LLVMValueRef end = LLVMGetBasicBlockTerminator(b);

	return LLVMGetNumSuccessors(end) > 1 ? LLVMGetOperand(end, 0) : NULL;
}

static bool leaves(const struct body *l, uint32_t block)
{
	const struct ws_waits *w = l->w;
	bool any = false;

	for (size_t e = w->first_edge[block]; e < w->first_edge[block + 1]; e++)
		any |= !inside(l, w->edge[e]);
	return any;
}

/* Adds what decides which way the loop's blocks are left, or only those that may leave it. */
static bool add_decisions(struct chain *c, const struct body *l, bool all)
{
	bool good = true;

	for (size_t i = 0; i < l->blocks && good; i++) {
		if (all || leaves(l, l->block[i]))
			good = add_to_chain(c, l, decides(l->w->block[l->block[i]]));
	}
	return good;
}

static bool may_be_written(const struct ws_waits *w, LLVMValueRef i)
{
	struct ws_kernel_access access[2];
	enum ws_space space;
	int root;

	return ws_accesses_of(w->m, i, access) &&
	       ws_access_traced(w->m, access[0].pointer, &root, &space) &&
	       space != WS_SPACE_CONSTANT && (!w->written || root < 0 || w->written[root]);
}

/* A phi's value is also which way was taken to it, unless they are into the loop and round it. */
static bool tells_way(const struct body *l, LLVMValueRef i)
{
	return LLVMIsAPHINode(i) && (number_of(LLVMGetInstructionParent(i)) != l->header ||
				     LLVMCountIncoming(i) > 2);
}

/* Is how long it goes round decided by no memory that others may write to? */
static bool goes_alone(const struct body *l)
{
	struct chain c = { .values = 0 };
	bool good = add_decisions(&c, l, false), all = false;

	for (size_t i = 0; i < c.values && good; i++) {
		LLVMValueRef v = c.value[i];

		good = !may_be_written(l->w, v);
		if (tells_way(l, v) && !all) {
			all = true;
			good = good && add_decisions(&c, l, true);
		}
		for (int k = LLVMGetNumOperands(v); k-- > 0 && good;)
			good = LLVMValueIsBasicBlock(LLVMGetOperand(v, (unsigned)k)) ||
			       add_to_chain(&c, l, LLVMGetOperand(v, (unsigned)k));
	}
	return good;
}

/* Does v go up, or down, by one or by what it is known not to overflow by? */
static bool counts(const struct body *l, LLVMValueRef v)
{
	LLVMValueRef phi, step;

	if (!LLVMIsAInstruction(v))
		return false;
	if (LLVMIsAPHINode(v))
		v = number_of(LLVMGetInstructionParent(v)) == l->header ? carried(l, v) : NULL;
	if (!v || !LLVMIsABinaryOperator(v) || LLVMGetInstructionOpcode(v) != LLVMAdd)
		return false;
	phi = LLVMGetOperand(v, 0);
	step = LLVMGetOperand(v, 1);
	if (!LLVMIsAPHINode(phi) || !LLVMIsAConstantInt(step) || LLVMIsNull(step) ||
	    LLVMCountIncoming(phi) > 2 || carried(l, phi) != v ||
	    number_of(LLVMGetInstructionParent(phi)) != l->header)
		return false;
	return LLVMConstIntGetSExtValue(step) == 1 || LLVMConstIntGetSExtValue(step) == -1 ||
	       LLVMGetNSW(v) || LLVMGetNUW(v);
}

/* Is its end a comparison of a counter with what stays the same? */
static bool is_counted(const struct body *l)
{
	LLVMValueRef compare = decides(l->w->block[l->latch]);

	if (!leaves(l, l->latch))
		compare = leaves(l, l->header) ? decides(l->w->block[l->header]) : NULL;
	if (!compare || !LLVMIsAICmpInst(compare))
		return false;
	for (unsigned k = 0; k < 2; k++) {
		if (counts(l, LLVMGetOperand(compare, k)) &&
		    !made_inside(l, LLVMGetOperand(compare, 1 - k)))
			return true;
	}
	return false;
}

/* Does it go on until what it loads is equal to something?  Others may change that once more before
 * it looks. */
static bool ends_when_equal(const struct body *l)
{
	const struct ws_waits *w = l->w;

	for (size_t i = 0; i < l->blocks; i++) {
		uint32_t b = l->block[i];
		LLVMValueRef compare = decides(w->block[b]);
		LLVMIntPredicate how;

		if (!compare || !leaves(l, b) || !LLVMIsAICmpInst(compare))
			continue;
		how = LLVMGetICmpPredicate(compare);
		if ((how == LLVMIntEQ && !inside(l, w->edge[w->first_edge[b]])) ||
		    (how == LLVMIntNE && inside(l, w->edge[w->first_edge[b]])))
			return true;
	}
	return false;
}

static bool is_innermost(const struct body *l, const uint32_t *position)
{
	const struct ws_waits *w = l->w;
	bool any = false;

	for (size_t i = 0; i < l->blocks; i++) {
		uint32_t b = l->block[i];

		for (size_t e = w->first_edge[b]; e < w->first_edge[b + 1]; e++)
			any |= b != l->latch && position[w->edge[e]] <= position[b];
	}
	return !any;
}

static enum ws_turns turns_of(struct body *l, const uint32_t *position)
{
	if (!find_body(l))
		return WS_TURNS_GIVEN;
	if (always_stops(l))
		return WS_TURNS_FREE;
	if (!goes_alone(l))
		return WS_TURNS_GIVEN;
	return is_counted(l) && is_innermost(l, position) ? WS_TURNS_FREE : WS_TURNS_COUNTED;
}

/* ---- all loops ------------------------------------------------------------------------------ */

static enum ws_status find_predecessors(struct ws_waits *w, size_t blocks, struct ws_err *err)
{
	size_t edges = w->first_edge[blocks];

	w->first_pred = ws_alloc_zero(blocks + 2, sizeof *w->first_pred);
	w->pred = ws_alloc(edges, sizeof *w->pred);
	w->latch = ws_alloc_zero(blocks, sizeof *w->latch);
	w->polls = ws_alloc_zero(blocks, sizeof *w->polls);
	w->turns = ws_alloc_zero(blocks, sizeof *w->turns);
	if (!w->first_pred || !w->pred || !w->latch || !w->polls || !w->turns)
		return ws_fail_memory(err, "a kernel's control flow");
	for (size_t e = 0; e < edges; e++)
		w->first_pred[w->edge[e] + 2]++;
	for (size_t b = 0; b < blocks; b++)
		w->first_pred[b + 2] += w->first_pred[b + 1];
	for (size_t b = 0; b < blocks; b++) {
		for (size_t e = w->first_edge[b]; e < w->first_edge[b + 1]; e++)
			w->pred[w->first_pred[w->edge[e] + 1]++] = (uint32_t)b;
	}
	return WS_OK;
}

static void look_at(struct ws_waits *w, uint32_t latch, uint32_t header, const uint32_t *position)
{
	struct body l = { .w = w, .header = header, .latch = latch };
	enum ws_turns turns = turns_of(&l, position);

	w->turns[latch] = turns > w->turns[latch] ? turns : w->turns[latch];
	l = (struct body){ .w = w, .header = header, .latch = latch };
	if (LLVMGetInstructionOpcode(LLVMGetBasicBlockTerminator(w->block[latch])) != LLVMBr ||
	    !find_body(&l) || !turn_leaves_nothing(&l) || !carries_nothing(&l))
		return;
	w->latch[latch] = (struct ws_wait_latch){
		.header = w->block[header], .poll = l.poll, .timed = l.timed,
		.equal = ends_when_equal(&l),
	};
	for (size_t b = 0; b < l.blocks; b++)
		w->polls[l.block[b]] = true;
}

enum ws_status ws_waits_find(struct ws_waits *w, size_t blocks, const uint32_t *position,
			     struct ws_err *err)
{
	enum ws_status status = find_predecessors(w, blocks, err);

	for (uint32_t b = 0; status == WS_OK && b < blocks; b++) {
		for (size_t e = w->first_edge[b]; e < w->first_edge[b + 1]; e++) {
			if (position[w->edge[e]] <= position[b])
				look_at(w, b, w->edge[e], position);
		}
	}
	return status;
}

/* The array of an access of global memory; WS_ROOT_PRIVATE: it is none. */
static int root_of(const struct ws_module *m, LLVMValueRef i)
{
	struct ws_kernel_access access[2];
	enum ws_space space;
	int root;

	return ws_accesses_of(m, i, access) &&
			       ws_access_traced(m, access[0].pointer, &root, &space) &&
			       space == WS_SPACE_GLOBAL
		       ? root : WS_ROOT_PRIVATE;
}

bool ws_waits_miss(const struct ws_waits *w, size_t blocks, LLVMValueRef atomic)
{
	int root = LLVMIsAAtomicRMWInst(atomic) ? root_of(w->m, atomic) : WS_ROOT_PRIVATE;

	for (size_t b = 0; b < blocks && root != WS_ROOT_PRIVATE; b++) {
		const struct ws_wait_latch *l = &w->latch[b];
		int other = l->poll && l->equal ? root_of(w->m, l->poll) : WS_ROOT_PRIVATE;

		if (other != WS_ROOT_PRIVATE &&
		    (other == root || other == WS_ROOT_UNKNOWN || root == WS_ROOT_UNKNOWN))
			return true;
	}
	return false;
}

void ws_waits_clear(struct ws_waits *w)
{
	free(w->first_pred);
	free(w->pred);
	free(w->latch);
	free(w->polls);
	free(w->turns);
}
