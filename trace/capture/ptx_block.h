/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/capture/ptx_block.h -- inline assembly of PTX becoming LLVM's instructions, statement by
 * statement.
 *
 * Private to ptx_block.c (statements), ptx_memory.c, ptx_number.c and ptx_value.c.  What cannot be
 * read sets `bad`, and the assembly is refused as a whole.
 */
#ifndef WS_PTX_BLOCK_H
#define WS_PTX_BLOCK_H

#include "trace/capture/instrument.h"
#include "trace/capture/ptx_read.h"

#define NAMES_MOST 64u

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

/* ---- ptx_memory.c ---- */
/* A load, a store, an atomic: ld, st, atom, red; false: it is none of these. */
bool ws_ptx_memory(struct ptx_block *b, const struct ptx_statement *s, LLVMTypeRef type);

/* ---- ptx_number.c ---- */
/* Conversions and arithmetic in which types differ; false: it is none of these. */
bool ws_ptx_number(struct ptx_block *b, const struct ptx_statement *s, LLVMTypeRef type);

#endif
