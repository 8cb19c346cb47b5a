/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/capture/parts.c -- analysis of a kernel that is to be cut into parts: numbers of blocks and
 * values, stops, liveness, and the layout of the frame.
 */
#include "trace/capture/parts.h"

#include <stdlib.h>
#include <string.h>

#include "base/bits.h"

#define BITS_MAX (UINT64_C(1) << 28) /* of all blocks; a larger kernel runs on fibres */
#define FRAME_MAX (64u << 10)	     /* bytes of a work-item */

/* ---- blocks and values ------------------------------------------------------------------ */

static size_t value_number(LLVMValueRef v)
{
	size_t len;
	const char *name = LLVMIsAInstruction(v) ? LLVMGetValueName2(v, &len) : "";

	return name[0] == 'v' ? strtoul(name + 1, NULL, 10) : WS_PART_NONE;
}

size_t ws_part_block(LLVMBasicBlockRef b)
{
	return strtoul(LLVMGetBasicBlockName(b) + 1, NULL, 10);
}

bool ws_part_lives(const struct ws_parts *p, size_t block, size_t value)
{
	return ws_bit(p->in + block * p->words, value);
}

bool ws_part_calls(LLVMValueRef i, const char *name)
{
	return LLVMIsACallInst(i) && LLVMIsAFunction(LLVMGetCalledValue(i)) &&
	       ws_is_named(LLVMGetCalledValue(i), name);
}

bool ws_part_is_stop(LLVMValueRef i)
{
	return ws_part_calls(i, "ws_lane_barrier") || ws_part_calls(i, "ws_lane_meet");
}

bool ws_part_point(struct ws_parts *p, LLVMValueRef stop)
{
	if (!WS_ROOM(p->point, p->point_cap, p->points + 1))
		return false;
	p->point[p->points++] = (struct ws_point){ .stop = stop };
	return true;
}

/* Divides blocks behind each stop. */
bool ws_part_divide_at_stops(struct ws_parts *p)
{
	LLVMBasicBlockRef b;
	LLVMValueRef i, next;
	bool good = ws_part_point(p, NULL);

	for (b = LLVMGetFirstBasicBlock(p->f); b && good; b = LLVMGetNextBasicBlock(b)) {
		for (i = LLVMGetFirstInstruction(b); i && good; i = next) {
			next = LLVMGetNextInstruction(i);
			if (!ws_part_is_stop(i))
				continue;
			ws_module_divide(p->m, next);
			good = ws_part_point(p, i);
		}
	}
	return good;
}

static void set_name(LLVMValueRef v, char letter, size_t number)
{
	char name[24];

	snprintf(name, sizeof name, "%c%zu", letter, number);
	LLVMSetValueName2(v, name, strlen(name));
}

bool ws_part_is_void(LLVMValueRef v)
{
	return LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMVoidTypeKind;
}

bool ws_part_is_array(LLVMValueRef i) /* it lies in the frame from the beginning */
{
	return LLVMIsAAllocaInst(i) != NULL;
}

/* The source's names could collide with ours. */
static void forget_names(LLVMValueRef f)
{
	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b)) {
		LLVMSetValueName2(LLVMBasicBlockAsValue(b), "", 0);
		for (LLVMValueRef i = LLVMGetFirstInstruction(b); i;
		     i = LLVMGetNextInstruction(i))
			LLVMSetValueName2(i, "", 0);
	}
}

/* Numbers all blocks and values; false: out of memory. */
static bool number_all(struct ws_parts *p)
{
	size_t value_cap = 0, block_cap = 0;
	LLVMBasicBlockRef b;
	LLVMValueRef i;

	forget_names(p->f);
	for (b = LLVMGetFirstBasicBlock(p->f); b; b = LLVMGetNextBasicBlock(b)) {
		if (!WS_ROOM(p->block, block_cap, p->blocks + 1))
			return false;
		set_name(LLVMBasicBlockAsValue(b), 'b', p->blocks);
		p->block[p->blocks++] = b;
		for (i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
			if (ws_part_is_void(i))
				continue;
			if (!WS_ROOM(p->value, value_cap, p->values + 1))
				return false;
			set_name(i, ws_part_is_array(i) ? 'a' : 'v', p->values);
			p->value[p->values++] = i;
		}
	}
	p->words = p->values / 64 + 1;
	return true;
}

/* ---- control flow ------------------------------------------------------------------------ */

/* Is `to` reachable from the end of `from` without a stop? */
static bool comes_round(const struct ws_parts *p, size_t from, uint32_t *stack, bool *seen)
{
	size_t depth = 0;

	memset(seen, 0, p->blocks);
	stack[depth++] = (uint32_t)from;
	while (depth) {
		size_t b = stack[--depth];
		LLVMValueRef end = LLVMGetBasicBlockTerminator(p->block[b]);

		for (unsigned s = 0; s < LLVMGetNumSuccessors(end) && !p->stops[b]; s++) {
			size_t next = ws_part_block(LLVMGetSuccessor(end, s));

			if (next == from)
				return true;
			if (!seen[next])
				stack[depth++] = (uint32_t)next;
			seen[next] = true;
		}
	}
	return false;
}

/* Finds the blocks that may run twice between two stops, and the values that they define. */
static bool find_cyclic(struct ws_parts *p)
{
	uint32_t *stack = ws_alloc(p->blocks, sizeof *stack);
	bool *seen = ws_alloc_zero(p->blocks, sizeof *seen), good;

	p->cyclic = ws_alloc_zero(p->blocks / 64 + 1, sizeof *p->cyclic);
	p->again = ws_alloc_zero(p->words, sizeof *p->again);
	good = stack && seen && p->cyclic && p->again;
	for (size_t b = 0; b < p->blocks && good; b++) {
		if (comes_round(p, b, stack, seen))
			ws_bit_set(p->cyclic, b);
	}
	for (size_t v = 0; v < p->values && good; v++) {
		if (ws_bit(p->cyclic, ws_part_block(LLVMGetInstructionParent(p->value[v]))))
			ws_bit_set(p->again, v);
	}
	free(stack);
	free(seen);
	return good;
}

/* ---- what lives where ------------------------------------------------------------------- */

static void note_use(const struct ws_parts *p, uint64_t *live, const uint64_t *defined,
		     LLVMValueRef v)
{
	size_t n = value_number(v);

	if (n != WS_PART_NONE && n < p->values && !(defined && ws_bit(defined, n)))
		ws_bit_set(live, n);
}

/* The values that a block uses from before, and those that it defines. */
static void scan_block(struct ws_parts *p, size_t b)
{
	uint64_t *in = p->in + b * p->words, *defined = p->defined + b * p->words;
	LLVMValueRef i = LLVMGetFirstInstruction(p->block[b]);

	for (; i; i = LLVMGetNextInstruction(i)) {
		size_t n = value_number(i);

		for (int k = LLVMGetNumOperands(i); !LLVMIsAPHINode(i) && k-- > 0;)
			note_use(p, in, defined, LLVMGetOperand(i, (unsigned)k));
		if (n != WS_PART_NONE)
			ws_bit_set(defined, n);
		p->stops[b] |= ws_part_is_stop(i);
	}
}

/* Values that phis of `to` take from `from` are live at the end of `from`. */
static void note_phis(struct ws_parts *p, size_t from, LLVMBasicBlockRef to)
{
	LLVMValueRef i = LLVMGetFirstInstruction(to);

	for (; i && LLVMIsAPHINode(i); i = LLVMGetNextInstruction(i)) {
		for (unsigned k = 0; k < LLVMCountIncoming(i); k++) {
			if (LLVMGetIncomingBlock(i, k) == p->block[from])
				note_use(p, p->out + from * p->words, NULL,
					 LLVMGetIncomingValue(i, k));
		}
	}
}

/* Propagates liveness; true: a set grew.  Values that are stored at stops must live up to each stop
 * before their use; other values are in the frame since they were defined. */
static bool flow(struct ws_parts *p, size_t b)
{
	LLVMValueRef end = LLVMGetBasicBlockTerminator(p->block[b]);
	uint64_t *in = p->in + b * p->words, *out = p->out + b * p->words;
	const uint64_t *defined = p->defined + b * p->words;
	bool more = false;

	for (unsigned s = 0; s < LLVMGetNumSuccessors(end); s++) {
		const uint64_t *next = p->in + ws_part_block(LLVMGetSuccessor(end, s)) * p->words;

		for (size_t w = 0; w < p->words; w++)
			out[w] |= p->stops[b] ? next[w] & p->again[w] : next[w];
	}
	for (size_t w = 0; w < p->words; w++) {
		uint64_t live = in[w] | (out[w] & ~defined[w]);

		more |= live != in[w];
		in[w] = live;
	}
	return more;
}

/* Phis are defined by their own blocks, so they do not live on edges from a stop. */
static bool find_lives(struct ws_parts *p)
{
	bool more = true;

	if (p->blocks * p->words * 64 > BITS_MAX)
		return false;
	p->in = ws_alloc_zero(p->blocks * p->words, sizeof *p->in);
	p->out = ws_alloc_zero(p->blocks * p->words, sizeof *p->out);
	p->defined = ws_alloc_zero(p->blocks * p->words, sizeof *p->defined);
	p->stops = ws_alloc_zero(p->blocks, sizeof *p->stops);
	if (!p->in || !p->out || !p->defined || !p->stops)
		return false;
	for (size_t b = 0; b < p->blocks; b++) {
		LLVMValueRef end = LLVMGetBasicBlockTerminator(p->block[b]);

		scan_block(p, b);
		for (unsigned s = 0; s < LLVMGetNumSuccessors(end); s++)
			note_phis(p, b, LLVMGetSuccessor(end, s));
	}
	if (!find_cyclic(p))
		return false;
	while (more) {
		more = false;
		for (size_t b = p->blocks; b-- > 0;)
			more |= flow(p, b);
	}
	return true;
}

static void forget_analysis(struct ws_parts *p)
{
	free(p->block);
	free(p->value);
	free(p->in);
	free(p->out);
	free(p->defined);
	free(p->stops);
	free(p->cyclic);
	free(p->again);
	p->cyclic = p->again = NULL;
	p->block = NULL;
	p->value = NULL;
	p->in = p->out = p->defined = NULL;
	p->stops = NULL;
	p->blocks = p->values = 0;
}

bool ws_part_analyse(struct ws_parts *p)
{
	forget_analysis(p);
	for (size_t k = 1; k < p->points; k++) {
		LLVMBasicBlockRef b = p->point[k].stop
					      ? LLVMGetInstructionParent(p->point[k].stop) : NULL;

		if (b)
			p->point[k].block = LLVMGetSuccessor(LLVMGetBasicBlockTerminator(b), 0);
	}
	return number_all(p) && find_lives(p);
}

/* ---- frames ----------------------------------------------------------------------------- */

static size_t bytes_of(const struct ws_parts *p, LLVMTypeRef type)
{
	return (size_t)LLVMABISizeOfType(p->m->layout, type);
}

static void give_slot(struct ws_parts *p, size_t value, LLVMTypeRef type, uint64_t count)
{
	size_t align = LLVMABIAlignmentOfType(p->m->layout, type);

	p->bytes = (p->bytes + align - 1) / align * align;
	p->slot[value] = p->bytes;
	p->bytes += bytes_of(p, type) * (size_t)count;
}

/* Lays out values that live behind stops, and private arrays; false: the frame is too large. */
bool ws_part_lay_out(struct ws_parts *p)
{
	p->slot = ws_alloc(p->values + 1, sizeof *p->slot);
	p->place = ws_alloc_zero(p->values + 1, sizeof(LLVMValueRef));
	if (!p->slot || !p->place)
		return false;
	for (size_t v = 0; v < p->values && p->bytes <= FRAME_MAX; v++) {
		bool lives = false;

		p->slot[v] = WS_PART_NONE;
		for (size_t k = 1; k < p->points; k++)
			lives |= ws_part_lives(p, ws_part_block(p->point[k].block), v);
		if (ws_part_is_array(p->value[v]))
			give_slot(p, v, LLVMGetAllocatedType(p->value[v]),
				  LLVMConstIntGetZExtValue(LLVMGetOperand(p->value[v], 0)));
		else if (lives)
			give_slot(p, v, LLVMTypeOf(p->value[v]), 1);
	}
	p->bytes = (p->bytes + 63) / 64 * 64;
	return p->bytes <= FRAME_MAX;
}

LLVMValueRef ws_part_runtime(struct ws_module *m, const char *name, LLVMTypeRef type)
{
	LLVMValueRef f = LLVMGetNamedFunction(m->module, name);

	return f ? f : LLVMAddFunction(m->module, name, type);
}

void ws_parts_clear(struct ws_parts *p)
{
	forget_analysis(p);
	free(p->point);
	free(p->slot);
	free(p->place);
}
