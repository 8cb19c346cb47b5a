/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/capture/registers.c -- how many registers a thread of a CUDA kernel has, estimated.
 *
 * A copy of the kernel goes through LLVM's -O3 for NVIDIA's GPUs (unrolled loops, strengths
 * reduced).  Of its values the most that live at once, in words of 32 bits, is the estimate, with
 * the stack pointer and one register that is at work between two values.
 *
 * What takes no register: parameters and the sizes of the launch, which instructions read from
 * constant memory; truth values, which have registers of their own; casts, and sums with constants
 * that memory instructions do themselves.  A call of a function takes the function's own besides.
 * Not modelled: that the assembler moves loads up to hide their latency, or spills to reach a
 * limit, and what mathematical functions take.
 *
 * Values are in static single assignment: from each use one goes back to the definition, and each
 * block is walked once per value (Brandner et al. 2011, path exploration by use).
 */
#include "trace/capture/instrument.h"

#include <llvm-c/Error.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <stdlib.h>
#include <string.h>

#include "base/map.h"

#define CALLS_DEEP	32u	/* callees of callees that are looked at */
#define ALWAYS		2u	/* registers of any kernel */
#define FOLDED_DEEP	64u	/* casts of casts */
#define OPTIMISE	"globaldce,default<O3>,function(separate-const-offset-from-gep,"           \
			"early-cse,loop-reduce,instsimplify)"

/* Slots are the gaps between a block's instructions: the first before all of them. */
struct slot_place {
	uint64_t key;		/* the instruction or block */
	uint32_t slot;		/* an instruction's: the gap behind it; a block's: its first */
	uint32_t block;
};

struct value_block {
	uint32_t first, end;	/* slots, one past the last */
	uint32_t pred, preds;	/* in live.pred */
	uint32_t value;		/* whose walk has come here, and the slots that it lives in */
	uint32_t from, to;
	bool entered;		/* it lives from before the block */
};

struct callee_registers {
	uint64_t key;		/* the function */
	unsigned most;		/* 0 while it is looked at: it may call itself */
};

struct register_estimate {
	LLVMTargetDataRef layout;
	struct callee_registers *callee;
	struct ws_map map;
	size_t callees, cap;
	bool failed;		/* out of memory */
};

struct value_lives {
	struct register_estimate *estimate;
	LLVMValueRef function;
	bool kernel;
	struct slot_place *place;
	struct ws_map map;
	size_t places, place_cap;
	struct value_block *block;
	uint32_t *pred;
	size_t blocks, block_cap, slots;
	uint32_t *touched, *waiting;	/* blocks: [blocks] */
	size_t touches, waits;
	int64_t *change;	/* [slots + 1] words that begin to live, less those that end */
	uint32_t value;
	unsigned deep;
};

/* ---- where things are ------------------------------------------------------------------ */

static bool put_place(struct value_lives *l, void *what, uint32_t slot, uint32_t block)
{
	uint64_t key = (uint64_t)(uintptr_t)what;

	if (!WS_ROOM(l->place, l->place_cap, l->places + 1) ||
	    !ws_map_room(&l->map, l->place, sizeof *l->place, l->places + 1))
		return false;
	*ws_map_slot(&l->map, l->place, sizeof *l->place, key) = (uint32_t)l->places + 1;
	l->place[l->places++] = (struct slot_place){ .key = key, .slot = slot, .block = block };
	return true;
}

static const struct slot_place *place_of(const struct value_lives *l, void *what)
{
	uint32_t n = ws_map_find(&l->map, l->place, sizeof *l->place, (uint64_t)(uintptr_t)what);

	return n == WS_MAP_NONE ? NULL : &l->place[n];
}

static bool number(struct value_lives *l)
{
	uint32_t slot = 0;

	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(l->function); b;
	     b = LLVMGetNextBasicBlock(b)) {
		uint32_t block = (uint32_t)l->blocks;

		if (!WS_ROOM(l->block, l->block_cap, l->blocks + 1) ||
		    !put_place(l, b, slot, block))
			return false;
		l->block[l->blocks++] = (struct value_block){ .first = slot++ };
		for (LLVMValueRef i = LLVMGetFirstInstruction(b); i;
		     i = LLVMGetNextInstruction(i)) {
			if (!put_place(l, i, slot++, block))
				return false;
		}
		l->block[block].end = slot;
	}
	l->slots = slot;
	return true;
}

/* Counts the edges into blocks, or with `fill` notes where they come from. */
static void edges(struct value_lives *l, bool fill)
{
	uint32_t from = 0;

	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(l->function); b;
	     b = LLVMGetNextBasicBlock(b), from++) {
		LLVMValueRef end = LLVMGetBasicBlockTerminator(b);

		for (unsigned k = 0; end && k < LLVMGetNumSuccessors(end); k++) {
			const struct slot_place *to = place_of(l, LLVMGetSuccessor(end, k));
			struct value_block *t = &l->block[to->block];

			if (fill)
				l->pred[t->pred + t->preds] = from;
			t->preds++;
		}
	}
}

static bool lay_out(struct value_lives *l)
{
	uint32_t all = 0;

	if (!number(l))
		return false;
	edges(l, false);
	for (size_t b = 0; b < l->blocks; b++) {
		l->block[b].pred = all;
		all += l->block[b].preds;
		l->block[b].preds = 0;
	}
	l->pred = ws_alloc_zero(all + 1u, sizeof *l->pred);
	l->touched = ws_alloc_zero(l->blocks + 1, sizeof *l->touched);
	l->waiting = ws_alloc_zero(l->blocks + 1, sizeof *l->waiting);
	l->change = ws_alloc_zero(l->slots + 1, sizeof *l->change);
	if (!l->pred || !l->touched || !l->waiting || !l->change)
		return false;
	edges(l, true);
	return true;
}

static void clear(struct value_lives *l)
{
	free(l->place);
	ws_map_clear(&l->map);
	free(l->block);
	free(l->pred);
	free(l->touched);
	free(l->waiting);
	free(l->change);
}

/* ---- what takes registers -------------------------------------------------------------- */

static bool is_hook(LLVMValueRef v, const char *name)
{
	return LLVMIsACallInst(v) && LLVMIsAFunction(LLVMGetCalledValue(v)) &&
	       ws_is_named(LLVMGetCalledValue(v), name);
}

/* Sizes of block and grid are in constant memory; a thread's own numbers are not. */
static bool is_launch_size(LLVMValueRef load)
{
	LLVMValueRef p = LLVMGetOperand(load, 0), at;
	uint64_t offset;

	if (!LLVMIsAGetElementPtrInst(p) || LLVMGetNumOperands(p) != 2 ||
	    !is_hook(LLVMGetOperand(p, 0), "__ws_ctx"))
		return false;
	at = LLVMGetOperand(p, 1);
	if (!LLVMIsAConstantInt(at) ||
	    LLVMGetTypeKind(LLVMGetGEPSourceElementType(p)) != LLVMIntegerTypeKind)
		return false;
	offset = LLVMConstIntGetZExtValue(at);
	return offset >= offsetof(struct ws_lane_ctx, lsz) &&
	       offset < offsetof(struct ws_lane_ctx, off);
}

static bool all_constant(LLVMValueRef gep)
{
	for (int k = LLVMGetNumOperands(gep); k-- > 1;) {
		if (!LLVMIsAConstant(LLVMGetOperand(gep, (unsigned)k)))
			return false;
	}
	return true;
}

/* Used by memory instructions as their address, or (index) by sums of addresses, alone. */
static bool only_addresses(LLVMValueRef v, bool index)
{
	for (LLVMUseRef u = LLVMGetFirstUse(v); u; u = LLVMGetNextUse(u)) {
		LLVMValueRef user = LLVMGetUser(u);
		bool memory = LLVMIsALoadInst(user) ||
			      (LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) != v);

		if (index ? !LLVMIsAGetElementPtrInst(user) : !memory)
			return false;
	}
	return true;
}

/* It is its first operand in other words. */
static bool is_folded(LLVMValueRef v)
{
	if (!LLVMIsAInstruction(v))
		return false;
	switch (LLVMGetInstructionOpcode(v)) {
	case LLVMBitCast:
	case LLVMAddrSpaceCast:
	case LLVMIntToPtr:
	case LLVMPtrToInt:
	case LLVMFreeze:
	case LLVMTrunc:
		return true;
	case LLVMZExt:
	case LLVMSExt:
		return only_addresses(v, true);
	case LLVMGetElementPtr:
		return all_constant(v) && only_addresses(v, false);
	default:
		return false;
	}
}

static bool is_free(const struct value_lives *l, LLVMValueRef v)
{
	if (LLVMIsAArgument(v))
		return l->kernel;
	return LLVMIsAAllocaInst(v) || is_folded(v) || is_hook(v, "__ws_ctx") ||
	       is_hook(v, "__ws_warp") || (LLVMIsALoadInst(v) && is_launch_size(v));
}

/* In words. */
static unsigned width_of(const struct value_lives *l, LLVMValueRef v)
{
	LLVMTypeRef type = LLVMTypeOf(v);
	unsigned long long bits;

	if (!LLVMTypeIsSized(type) || is_free(l, v))
		return 0;
	bits = LLVMSizeOfTypeInBits(l->estimate->layout, type);
	return bits == 1 ? 0 : bits > 4096 ? 128 : (unsigned)(bits + 31) / 32;
}

/* ---- a value's life -------------------------------------------------------------------- */

static struct value_block *touch(struct value_lives *l, uint32_t b)
{
	struct value_block *block = &l->block[b];

	if (block->value != l->value) {
		block->value = l->value;
		block->from = block->to = block->first;
		block->entered = false;
		l->touched[l->touches++] = b;
	}
	return block;
}

/* It lives up to a slot of block b; `def` is where it begins. */
static void live_until(struct value_lives *l, uint32_t b, uint32_t slot,
		       const struct slot_place *def)
{
	struct value_block *block = touch(l, b);

	if (slot > block->to)
		block->to = slot;
	if ((b == def->block && slot > def->slot) || block->entered)
		return;
	block->entered = true;
	l->waiting[l->waits++] = b;
}

static void go_back(struct value_lives *l, const struct slot_place *def)
{
	while (l->waits) {
		const struct value_block *b = &l->block[l->waiting[--l->waits]];

		for (uint32_t k = 0; k < b->preds; k++) {
			uint32_t from = l->pred[b->pred + k];

			live_until(l, from, l->block[from].end, def);
		}
	}
}

static bool is_no_use(LLVMValueRef user)
{
	return is_hook(user, "llvm.assume") || is_hook(user, "llvm.lifetime") ||
	       is_hook(user, "llvm.dbg");
}

static void use_in_phi(struct value_lives *l, LLVMValueRef phi, LLVMValueRef v,
		       const struct slot_place *def)
{
	for (unsigned k = LLVMCountIncoming(phi); k-- > 0;) {
		const struct slot_place *from;

		if (LLVMGetIncomingValue(phi, k) != v)
			continue;
		from = place_of(l, LLVMGetIncomingBlock(phi, k));
		live_until(l, from->block, l->block[from->block].end, def);
	}
}

/* v: the value, or a cast of it. */
static void follow_uses(struct value_lives *l, LLVMValueRef v, const struct slot_place *def,
			unsigned deep)
{
	for (LLVMUseRef u = LLVMGetFirstUse(v); u; u = LLVMGetNextUse(u)) {
		LLVMValueRef user = LLVMGetUser(u);
		const struct slot_place *at = LLVMIsAInstruction(user) ? place_of(l, user) : NULL;

		if (!at || is_no_use(user))
			continue;
		if (LLVMIsAPHINode(user))
			use_in_phi(l, user, v, def);
		else if (is_folded(user) && deep < FOLDED_DEEP)
			follow_uses(l, user, def, deep + 1);
		else
			live_until(l, at->block, at->slot, def);
	}
	go_back(l, def);
}

static void live_value(struct value_lives *l, LLVMValueRef v, struct slot_place def)
{
	unsigned width = width_of(l, v);
	struct value_block *at;

	if (!width)
		return;
	if (LLVMIsAPHINode(v))
		def.slot = l->block[def.block].first;
	l->value++;
	l->touches = 0;
	at = touch(l, def.block);
	at->to = def.slot + 1; /* if nobody uses it, too */
	follow_uses(l, v, &def, 0);
	for (size_t i = 0; i < l->touches; i++) {
		struct value_block *b = &l->block[l->touched[i]];

		if (!b->entered)
			b->from = def.slot;
		l->change[b->from] += width;
		l->change[b->to] -= width;
	}
}

static void live_all(struct value_lives *l)
{
	const struct slot_place entry = { .slot = 0, .block = 0 };

	for (LLVMValueRef p = LLVMGetFirstParam(l->function); p; p = LLVMGetNextParam(p))
		live_value(l, p, entry);
	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(l->function); b;
	     b = LLVMGetNextBasicBlock(b)) {
		for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
			live_value(l, i, *place_of(l, i));
	}
}

/* ---- a function's most ------------------------------------------------------------------ */

static unsigned most_of(struct register_estimate *e, LLVMValueRef function, unsigned deep);

/* Of what a call calls; a texture unit's work is none of the thread's. */
static unsigned callee_of(const struct value_lives *l, LLVMValueRef call)
{
	LLVMValueRef f = LLVMIsACallInst(call) ? LLVMGetCalledValue(call) : NULL;
	struct register_estimate *e = l->estimate;
	uint64_t key = (uint64_t)(uintptr_t)f;
	uint32_t n;

	if (!f || !LLVMIsAFunction(f) || LLVMIsDeclaration(f) || ws_is_texture(f) ||
	    l->deep >= CALLS_DEEP)
		return 0;
	n = ws_map_find(&e->map, e->callee, sizeof *e->callee, key);
	if (n != WS_MAP_NONE)
		return e->callee[n].most;
	n = (uint32_t)e->callees;
	if (!WS_ROOM(e->callee, e->cap, e->callees + 1) ||
	    !ws_map_room(&e->map, e->callee, sizeof *e->callee, e->callees + 1)) {
		e->failed = true;
		return 0;
	}
	*ws_map_slot(&e->map, e->callee, sizeof *e->callee, key) = n + 1;
	e->callee[e->callees++] = (struct callee_registers){ .key = key };
	return e->callee[n].most = most_of(e, f, l->deep + 1);
}

static unsigned most_at_once(const struct value_lives *l)
{
	int64_t now = 0, most = 0;

	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(l->function); b;
	     b = LLVMGetNextBasicBlock(b)) {
		uint32_t slot = place_of(l, b)->slot;

		now += l->change[slot++];
		most = now > most ? now : most;
		for (LLVMValueRef i = LLVMGetFirstInstruction(b); i;
		     i = LLVMGetNextInstruction(i)) {
			int64_t more = callee_of(l, i);

			now += l->change[slot++];
			most = now + more > most ? now + more : most;
		}
	}
	return most > WS_REGISTERS_MOST ? WS_REGISTERS_MOST : (unsigned)most;
}

static unsigned most_of(struct register_estimate *e, LLVMValueRef function, unsigned deep)
{
	struct value_lives l = { .estimate = e, .function = function, .deep = deep,
			  .kernel = deep == 0 };
	unsigned most = 0;

	if (lay_out(&l)) {
		live_all(&l);
		most = most_at_once(&l);
	} else {
		e->failed = true;
	}
	clear(&l);
	return most;
}

/* ---- the kernel as NVIDIA's ------------------------------------------------------------- */

static LLVMTargetMachineRef open_target(const char *triple)
{
	LLVMTargetRef target;
	char *message = NULL;

	if (LLVMGetTargetFromTriple(triple, &target, &message)) {
		LLVMDisposeMessage(message);
		return NULL;
	}
	return LLVMCreateTargetMachine(target, triple, "sm_70", "+ptx63",
				       LLVMCodeGenLevelAggressive, LLVMRelocDefault,
				       LLVMCodeModelDefault);
}

static void keep_only(LLVMModuleRef module, LLVMValueRef kernel)
{
	ws_cuda_forget_uses(module);
	for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
		if (f != kernel && !LLVMIsDeclaration(f))
			LLVMSetLinkage(f, LLVMInternalLinkage);
	}
	for (LLVMValueRef g = LLVMGetFirstGlobal(module); g; g = LLVMGetNextGlobal(g)) {
		if (!LLVMIsDeclaration(g))
			LLVMSetLinkage(g, LLVMInternalLinkage);
	}
}

static bool optimise(LLVMModuleRef module)
{
	LLVMTargetMachineRef machine = open_target(LLVMGetTarget(module));
	LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
	LLVMErrorRef error = machine ? LLVMRunPasses(module, OPTIMISE, machine, options) : NULL;
	bool good = machine && !error;

	if (error)
		LLVMConsumeError(error);
	LLVMDisposePassBuilderOptions(options);
	if (machine)
		LLVMDisposeTargetMachine(machine);
	return good;
}

unsigned ws_cuda_registers(LLVMModuleRef module, LLVMValueRef kernel)
{
	LLVMModuleRef copy = LLVMCloneModule(module);
	size_t len;
	LLVMValueRef f = LLVMGetNamedFunction(copy, LLVMGetValueName2(kernel, &len));
	struct register_estimate e = { .layout = LLVMGetModuleDataLayout(copy),
				       .failed = f == NULL };
	unsigned most = 0;

	if (f) {
		keep_only(copy, f);
		e.failed = !optimise(copy);
	}
	if (!e.failed)
		most = ALWAYS + most_of(&e, f, 0);
	free(e.callee);
	ws_map_clear(&e.map);
	LLVMDisposeModule(copy);
	return e.failed ? 0 : most > WS_REGISTERS_MOST ? WS_REGISTERS_MOST : most;
}
