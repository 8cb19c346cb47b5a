/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/capture/ptx_block.h -- inline assembly of PTX becoming LLVM's instructions, statement by
 * statement.
 *
 * Private to ptx_block.c (statements), ptx_call.c, ptx_lanes.c, ptx_matrix.c, ptx_memory.c,
 * ptx_number.c, ptx_operation.c and ptx_value.c.  What cannot be read sets `bad`, and the assembly
 * is refused as a whole.
 */
#ifndef WS_PTX_BLOCK_H
#define WS_PTX_BLOCK_H

#include "trace/capture/instrument.h"
#include "trace/capture/ptx_read.h"

#define NAMES_MOST 192u

struct ptx_name {
	char text[WS_PTX_WORD];	/* "$0" of an operand of the call */
	LLVMTypeRef type;
	LLVMValueRef value;	/* NULL: none yet */
};

struct ptx_block {
	struct ws_module *m;
	LLVMValueRef call;	/* before which all is built */
	struct ptx_name name[NAMES_MOST];
	size_t names;
	LLVMValueRef guard;	/* of the statement at hand; NULL: none */
	LLVMValueRef carry;	/* of the instruction with .cc before; NULL: none */
	bool bad;
	struct ws_err *err;
	enum ws_status status;
};

/* ---- ptx_call.c ---- */
/* A function of the list or of data/cuda/ptx.c; NULL: the block is bad. */
LLVMValueRef ws_ptx_called(struct ptx_block *b, const char *name, LLVMTypeRef *type);
/* A call of one, whatever the guard is; or only where it
 * holds, else the result is undefined.  NULL: it has no result, or the block is bad. */
LLVMValueRef ws_ptx_call(struct ptx_block *b, const char *name, LLVMValueRef *argument);
LLVMValueRef ws_ptx_guarded_call(struct ptx_block *b, const char *name, LLVMValueRef *argument);
struct ptx_access { /* what is built, perhaps in another function */
	const struct ptx_statement *s;
	LLVMTypeRef whole;	/* of a number, or of a vector */
	int op;			/* of an atomic: enum LLVMAtomicRMWBinOp */
	const char *function;	/* of a call */
};
typedef LLVMValueRef ws_ptx_build(struct ptx_block *b, const struct ptx_access *a,
				  LLVMValueRef *argument);
/* What f builds, where the guard holds; else nothing, and a result of zeros. */
LLVMValueRef ws_ptx_guarded(struct ptx_block *b, const struct ptx_access *a, ws_ptx_build *f,
			    LLVMValueRef *argument, unsigned args, LLVMTypeRef result);

/* ---- ptx_value.c ---- */
/* NULL: there is none. */
struct ptx_name *ws_ptx_find(struct ptx_block *b, const char *text);
void ws_ptx_declare(struct ptx_block *b, const char *text, LLVMTypeRef type, LLVMValueRef value);
bool ws_ptx_begins(const char *text, const char *with);
/* "u32" of "setp.lt.u32". */
const char *ws_ptx_last_word(const char *opcode);
/* Is one of the opcode's words ".add"? */
bool ws_ptx_has(const char *opcode, const char *word);
/* Of "u32", "pred"; NULL: it is none. */
LLVMTypeRef ws_ptx_type(const struct ptx_block *b, const char *text);
bool ws_ptx_is_integer(LLVMTypeRef t);
unsigned ws_ptx_bits(const struct ptx_block *b, LLVMTypeRef t);
/* The same bits as another type; of integers the low ones, or more that are zero. */
LLVMValueRef ws_ptx_as(struct ptx_block *b, LLVMValueRef v, LLVMTypeRef type);
/* Part of an operand, read and written; "_" takes nothing.  Under a guard what was there stays. */
LLVMValueRef ws_ptx_value(struct ptx_block *b, const struct ptx_operand *o, unsigned part,
			  LLVMTypeRef type);
void ws_ptx_assign(struct ptx_block *b, const struct ptx_operand *o, unsigned part, LLVMValueRef v);
LLVMValueRef ws_ptx_constant(struct ptx_block *b, const char *text, LLVMTypeRef type);

/* A register of the machine, "%tid.x", or NULL: it is none. */
LLVMValueRef ws_ptx_special(struct ptx_block *b, const char *text);

/* ---- ptx_lanes.c ---- */
/* A warp's shuffles, votes and matches, a block's barriers; false: it is none. */
bool ws_ptx_lanes(struct ptx_block *b, const struct ptx_statement *s);

/* ---- ptx_matrix.c ---- */
/* Asynchronous copies, loads and products of matrices; false: it is none. */
bool ws_ptx_matrix(struct ptx_block *b, const struct ptx_statement *s);

/* ---- ptx_operation.c ---- */
/* What a function of data/cuda/ptx.c does; false: it is none. */
bool ws_ptx_operation(struct ptx_block *b, const struct ptx_statement *s);

/* ---- ptx_memory.c ---- */
/* "[a]", "[a+16]" as a pointer: into shared memory (address space 3), or a generic one. */
LLVMValueRef ws_ptx_address(struct ptx_block *b, const struct ptx_operand *o, bool shared);
/* An address of shared memory as a number of 32 bits. */
LLVMValueRef ws_ptx_shared_number(struct ptx_block *b, const struct ptx_operand *o);
/* A load, a store, an atomic: ld, st, atom, red; false: it is none of these. */
bool ws_ptx_memory(struct ptx_block *b, const struct ptx_statement *s, LLVMTypeRef type);

/* ---- ptx_number.c ---- */
/* How two numbers compare: "setp.lt.u32", "set.ge.f32.f32", by the type at the end. */
LLVMValueRef ws_ptx_compare(struct ptx_block *b, const char *opcode, LLVMValueRef x,
			    LLVMValueRef y);
/* The lesser or greater of two floats: "min.f32"; with .NaN it is NaN if one is, else the other. */
LLVMValueRef ws_ptx_extreme(struct ptx_block *b, const char *opcode, LLVMValueRef x,
			    LLVMValueRef y);
/* Conversions and arithmetic in which types differ; false: it is none of these. */
bool ws_ptx_number(struct ptx_block *b, const struct ptx_statement *s, LLVMTypeRef type);

#endif
