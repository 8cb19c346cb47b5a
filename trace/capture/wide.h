/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/capture/wide.h -- several work-items at once: shapes.c and wide.c.  Private to
 * trace/capture/.
 */
#ifndef WS_WIDE_H
#define WS_WIDE_H

#include "trace/capture/parts.h"

enum ws_row_kind { SHAPE_NONE, SHAPE_ONE, SHAPE_STEPS, SHAPE_PAIR, SHAPE_EACH };
struct ws_row_shape {
	enum ws_row_kind kind;
	int64_t step;  /* of SHAPE_STEPS; of pointers in bytes */
	int64_t bound; /* its values are 0 to this; -1: not known */
};

struct ws_widener {
	struct ws_parts *p;
	LLVMValueRef f; /* what is made */
	struct ws_row_shape *shape;
	LLVMValueRef (*is)[WS_WIDE]; /* by value: one, a base, a vector, each, or of a pair whether
				      * it holds for the first and whether for all alike */
	LLVMValueRef (*place)[WS_WIDE]; /* of those that live behind stops; NULL: of others */
	LLVMBasicBlockRef *to, *end;	/* by block: where it begins and ends */
	LLVMBasicBlockRef *alone;	/* by block: where they part before it; NULL: nowhere */
	size_t *point;			/* by block; 0: none */
	const uint64_t *cyclic;
	uint32_t *order;
	size_t ordered, now; /* now: the block that is made */
};

/* ---- shapes.c -------------------------------------------------------------------------------- */
bool ws_wide_simple(LLVMTypeRef type); /* Vectors have elements of it. */
bool ws_wide_bit(LLVMTypeRef type);
uint64_t ws_wide_bytes(const struct ws_widener *w, LLVMTypeRef type);
/* Of a value, private arrays too; WS_PART_NONE: it has none. */
size_t ws_wide_number(LLVMValueRef v);
bool ws_wide_idle(LLVMValueRef i); /* does it do nothing? */
bool ws_wide_stop(LLVMValueRef i);
/* A call of a function that vectors have, too. */
bool ws_wide_by_vector(LLVMValueRef call);
bool ws_wide_copy(LLVMValueRef i); /* from memory to memory; not a volatile one */
/* What it makes a number of more bits of, in which steps may not be steps.  NULL: of nothing. */
LLVMValueRef ws_wide_extended(LLVMValueRef i);
struct ws_row_shape ws_wide_shape(const struct ws_widener *w, LLVMValueRef v);
bool ws_wide_kept(const struct ws_widener *w, size_t value); /* Does it live behind a stop? */
/* Fills w->shape, which is the caller's to free; false: out of memory. */
bool ws_wide_shapes(struct ws_widener *w);
/* Adds the points at which work-items that were together go on alone; then p is to be analysed
 * anew.  False: there are too many, or memory is out. */
bool ws_wide_divide(struct ws_parts *p);

bool ws_wide_goes_alone(const struct ws_widener *w, size_t block); /* from its beginning */
/* Fills w->order, the caller's to free: the blocks that they come to together, each behind those
 * that dominate it. */
bool ws_wide_order(struct ws_widener *w);

/* ---- wide.c ---------------------------------------------------------------------------------- */
/* Makes __ws_wide, of p as it is before it is cut.  cyclic: by block, a bit: may it be run twice
 * between two stops? */
bool ws_wide_build(struct ws_parts *p, const uint64_t *cyclic);

#endif
