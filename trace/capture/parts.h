/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/capture/parts.h -- a kernel that is left and entered again at its stops: parts.c.
 * Private to trace/capture/.
 */
#ifndef WS_PARTS_H
#define WS_PARTS_H

#include "trace/capture/instrument.h"

#define WS_PART_NONE SIZE_MAX

struct ws_point { /* where a work-item goes on */
	LLVMBasicBlockRef block;
	LLVMValueRef stop; /* what it has stopped at; NULL: only a wide one stops here */
};

struct ws_parts {
	struct ws_module *m;
	LLVMValueRef f;
	LLVMBasicBlockRef *block; /* by number, which is in their names: "b7" */
	LLVMValueRef *value;	  /* by number, the same: "v7" */
	size_t blocks, values, words;
	uint64_t *in, *defined, *out; /* by block, a bit per value */
	bool *stops;		  /* by block: is it left at a stop? */
	struct ws_point *point;	  /* from 1 on */
	size_t points, point_cap;
	size_t *slot;		  /* by value, where it is kept in a frame; WS_PART_NONE: nowhere */
	size_t bytes;		  /* of a frame */
	LLVMValueRef *place;	  /* by value, while it is demoted */
	uint64_t *cyclic;	  /* by block: may it be run twice between two stops? */
	uint64_t *again;	  /* by value: is it made in such a block? */
};

/* A frame has WS_WIDE work-items, and of each value a row of them: at `slot` times WS_WIDE, that of
 * a work-item at its number times the value's bytes from there. */
#define WS_WIDE WS_FRAME_LANES

#define WS_POINTS_MAX 512u
#define WS_WIDE_REFUSES UINT32_MAX /* what a wide function returns that has done nothing */

/* ---- parts.c --------------------------------------------------------------------------------- */
size_t ws_part_block(LLVMBasicBlockRef b);
bool ws_part_lives(const struct ws_parts *p, size_t block, size_t value);
/* Adds a point; false: out of memory. */
bool ws_part_point(struct ws_parts *p, LLVMValueRef stop);
/* Numbers blocks and values as they are now, and finds what lives where, and what is cyclic.
 * False: out of memory, or there are too many. */
bool ws_part_analyse(struct ws_parts *p);
/* A function that jit.c binds. */
LLVMValueRef ws_part_runtime(struct ws_module *m, const char *name, LLVMTypeRef type);

/* Divides blocks behind their stops, which become its points. */
bool ws_part_divide_at_stops(struct ws_parts *p);
bool ws_part_is_stop(LLVMValueRef i);
bool ws_part_is_array(LLVMValueRef i); /* a private one, in a frame from the beginning */
bool ws_part_is_void(LLVMValueRef v);
bool ws_part_calls(LLVMValueRef i, const char *name);
/* Gives a slot to values that live behind a point, and to private arrays; false: a frame is too
 * large, or memory is out. */
bool ws_part_lay_out(struct ws_parts *p);
void ws_parts_clear(struct ws_parts *p);

#endif
