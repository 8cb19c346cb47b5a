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
	LLVMValueRef f; /* the function that is built */
	struct ws_row_shape *shape;
	LLVMValueRef (*is)[WS_WIDE]; /* by value: a scalar, a base, a vector or one for each
				      * work-item; of SHAPE_PAIR: the first work-item's
				      * result, and whether all have it */
	LLVMValueRef (*place)[WS_WIDE]; /* values that live across stops; NULL: others */
	LLVMBasicBlockRef *to, *end;	/* by block: its first and last block here */
	LLVMBasicBlockRef *alone;	/* by block: part_before(); NULL: not built */
	size_t *point;			/* by block: the point at its beginning; 0: none */
	const uint64_t *cyclic;
	uint32_t *order;
	size_t ordered, now; /* now: the block being built */
};

/* ---- shapes.c -------------------------------------------------------------------------------- */
bool ws_wide_simple(LLVMTypeRef type); /* can it be a vector's element? */
bool ws_wide_bit(LLVMTypeRef type);
uint64_t ws_wide_bytes(const struct ws_widener *w, LLVMTypeRef type);
/* The number of a value, or of a private array; WS_PART_NONE: it has none. */
size_t ws_wide_number(LLVMValueRef v);
bool ws_wide_idle(LLVMValueRef i); /* does it have no effect? */
bool ws_wide_stop(LLVMValueRef i);
/* Is it a call of an intrinsic that exists for vectors, too? */
bool ws_wide_by_vector(LLVMValueRef call);
bool ws_wide_copy(LLVMValueRef i); /* a memcpy or memmove that is not volatile */
/* The operand that instruction i extends to more bits: where it wraps, steps are lost.  NULL: i is
 * no such instruction. */
LLVMValueRef ws_wide_extended(LLVMValueRef i);
struct ws_row_shape ws_wide_shape(const struct ws_widener *w, LLVMValueRef v);
bool ws_wide_kept(const struct ws_widener *w, size_t value); /* is it live across a stop? */
/* Fills w->shape, which is the caller's to free; false: out of memory. */
bool ws_wide_shapes(struct ws_widener *w);
/* Adds the points at which work-items separate.  The caller must analyse p again.  False: too many
 * points, or out of memory. */
bool ws_wide_divide(struct ws_parts *p);

bool ws_wide_goes_alone(const struct ws_widener *w, size_t block); /* do they run it alone? */
/* Fills w->order, which the caller frees: the blocks that work-items run together, dominators
 * first. */
bool ws_wide_order(struct ws_widener *w);

/* ---- wide.c ---------------------------------------------------------------------------------- */
/* Builds __ws_wide from p, which must not have been cut yet.  cyclic: one bit a block, set if it
 * may run twice between two stops. */
bool ws_wide_build(struct ws_parts *p, const uint64_t *cyclic);

#endif
