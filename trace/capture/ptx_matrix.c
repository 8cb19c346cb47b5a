/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/capture/ptx_matrix.c -- what moves and multiplies matrices in inline assembly of PTX:
 * cp.async, ldmatrix, mma.sync.  A copy is done when it is asked for, so that nothing waits for it.
 *
 * What each does is a function of data/cuda/ptx.c, which has a matrix's words in private arrays.
 */
#include "trace/capture/ptx_block.h"

#include <llvm-c/DebugInfo.h>
#include <stdlib.h>
#include <string.h>

/* ---- private arrays ------------------------------------------------------------------------ */

static LLVMValueRef array(struct ptx_block *b, LLVMTypeRef type, unsigned count)
{
	LLVMBuilderRef to = b->m->builder;
	LLVMValueRef f = LLVMGetBasicBlockParent(LLVMGetInstructionParent(b->call)), place;

	LLVMPositionBuilderBefore(to, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(f)));
	LLVMSetCurrentDebugLocation2(to, NULL);
	place = LLVMBuildAlloca(to, LLVMArrayType2(type, count), "");
	LLVMPositionBuilderBefore(to, b->call);
	LLVMSetCurrentDebugLocation2(to, LLVMInstructionGetDebugLoc(b->call));
	return place;
}

static LLVMValueRef element(struct ptx_block *b, LLVMValueRef place, LLVMTypeRef type, unsigned i)
{
	LLVMValueRef index = LLVMConstInt(b->m->i64, i, 0);

	return LLVMBuildGEP2(b->m->builder, type, place, &index, 1, "");
}

static LLVMValueRef array_of(struct ptx_block *b, const struct ptx_operand *o, LLVMTypeRef type)
{
	LLVMValueRef place = array(b, type, o->parts);

	for (unsigned i = 0; i < o->parts; i++) {
		LLVMValueRef v = ws_ptx_value(b, o, i, type);

		if (b->bad)
			return NULL;
		LLVMBuildStore(b->m->builder, v, element(b, place, type, i));
	}
	return place;
}

static void assign_all(struct ptx_block *b, const struct ptx_operand *o, LLVMTypeRef type,
		       LLVMValueRef place)
{
	for (unsigned i = 0; i < o->parts && !b->bad; i++)
		ws_ptx_assign(b, o, i, LLVMBuildLoad2(b->m->builder, type,
						      element(b, place, type, i), ""));
}

/* ---- cp.async ------------------------------------------------------------------------------ */

/* "cp.async.cg.shared.global.L2::128B [to], [from], 16, bytes" */
static void copy(struct ptx_block *b, const struct ptx_statement *s)
{
	bool past = ws_ptx_begins(s->opcode, "cp.async.cg.");
	unsigned operands = s->operands - ws_ptx_has(s->opcode, ".L2::cache_hint");
	LLVMValueRef argument[3], size;
	unsigned long long bytes;
	const char *name;

	b->bad |= operands < 3 || operands > 4;
	if (b->bad)
		return;
	size = ws_ptx_value(b, &s->operand[2], 0, b->m->i32);
	bytes = size && LLVMIsAConstantInt(size) ? LLVMConstIntGetZExtValue(size) : 0;
	name = bytes == 16 ? past ? "ws_ptx_copy_past" : "ws_ptx_copy_16"
	       : past	   ? NULL
	       : bytes == 8 ? "ws_ptx_copy_8"
	       : bytes == 4 ? "ws_ptx_copy_4"
			    : NULL;
	argument[0] = ws_ptx_shared_number(b, &s->operand[0]);
	argument[1] = ws_ptx_address(b, &s->operand[1], false);
	argument[2] = operands == 4 ? ws_ptx_value(b, &s->operand[3], 0, b->m->i32) : size;
	b->bad |= !name;
	if (!b->bad)
		(void)ws_ptx_guarded_call(b, name, argument);
}

static void copies(struct ptx_block *b, const struct ptx_statement *s)
{
	static const char *const done[] = { "cp.async.commit_group", "cp.async.wait_group",
					    "cp.async.wait_all" };

	for (size_t i = 0; i < WS_COUNT(done); i++) {
		if (strcmp(s->opcode, done[i]) == 0)
			return;
	}
	if ((ws_ptx_begins(s->opcode, "cp.async.ca.shared") ||
	     ws_ptx_begins(s->opcode, "cp.async.cg.shared")) &&
	    strstr(s->opcode, ".global") && !strstr(s->opcode, "::cluster"))
		copy(b, s);
	else
		b->bad = true;
}

/* ---- ldmatrix ------------------------------------------------------------------------------ */

/* "ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {a, b, c, d}, [p]" */
static void load_matrix(struct ptx_block *b, const struct ptx_statement *s)
{
	const struct ptx_operand *to = &s->operand[0];
	unsigned count = ws_ptx_has(s->opcode, ".x4") ? 4 : ws_ptx_has(s->opcode, ".x2") ? 2 : 1;
	char name[WS_PTX_WORD];
	LLVMValueRef argument[2];

	b->bad |= s->operands != 2 || to->parts != count || b->guard ||
		  !ws_ptx_has(s->opcode, ".m8n8") || !strstr(s->opcode, ".shared") ||
		  strcmp(ws_ptx_last_word(s->opcode), "b16") != 0;
	if (b->bad)
		return;
	argument[0] = array(b, b->m->i32, count);
	argument[1] = ws_ptx_shared_number(b, &s->operand[1]);
	snprintf(name, sizeof name, "ws_ptx_ldmatrix%s_%u",
		 ws_ptx_has(s->opcode, ".trans") ? "_trans" : "", count);
	(void)ws_ptx_call(b, name, argument);
	assign_all(b, to, b->m->i32, argument[0]);
}

/* ---- mma.sync ------------------------------------------------------------------------------ */

enum kind_class { REAL, WHOLE, DOUBLE };
/* What a factor is, by the number that data/cuda/ptx.c knows it by. */
static const struct factor_kind {
	const char *name;
	enum kind_class is;
	unsigned each; /* in a word */
} kinds[] = {
	{ "f16", REAL, 2 }, { "bf16", REAL, 2 }, { "tf32", REAL, 1 }, { "s8", WHOLE, 4 },
	{ "u8", WHOLE, 4 }, { "s4", WHOLE, 8 },	 { "u4", WHOLE, 8 },  { "b1", WHOLE, 32 },
	{ "f64", DOUBLE, 1 },
};

struct product {
	unsigned rows, words;	/* 8 rows each; of a factor for each of these */
	const struct factor_kind *a, *b;
	char sum[8];		/* the type of c and d */
	bool limited, xor;
};

static const struct factor_kind *kind_of(const char *word, size_t len)
{
	for (size_t i = 0; i < WS_COUNT(kinds); i++) {
		if (strlen(kinds[i].name) == len && strncmp(word, kinds[i].name, len) == 0)
			return &kinds[i];
	}
	return NULL;
}

/* Of "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32"; false: it is none that is known. */
static bool read_product(const char *opcode, struct product *p)
{
	const char *at = strstr(opcode, ".row.col."), *shape = strstr(opcode, ".m"), *word[4];
	unsigned rows, columns, depth;
	size_t len[4];

	*p = (struct product){ .xor = strstr(opcode, ".xor.popc") != NULL };
	if (!at || !shape || sscanf(shape, ".m%un%uk%u.", &rows, &columns, &depth) != 3)
		return false;
	at += strlen(".row.col.");
	p->limited = ws_ptx_begins(at, "satfinite.");
	at += p->limited ? strlen("satfinite.") : 0;
	for (unsigned i = 0; i < 4; i++, at += *at == '.') {
		word[i] = at;
		len[i] = strcspn(at, ".");
		at += len[i];
	}
	p->a = kind_of(word[1], len[1]);
	p->b = kind_of(word[2], len[2]);
	if (!p->a || !p->b || p->a->is != p->b->is || p->a->each != p->b->each ||
	    len[0] >= sizeof p->sum || len[0] != len[3] || memcmp(word[0], word[3], len[0]) != 0)
		return false;
	memcpy(p->sum, word[0], len[0]);
	p->rows = rows / 8;
	p->words = depth / (4 * p->a->each);
	return columns == 8 && rows == 8 * p->rows && (p->rows == 1 || p->rows == 2) &&
	       depth == 4 * p->a->each * p->words && p->words &&
	       p->words <= (p->a->is == DOUBLE ? 4u : 2u);
}

static LLVMValueRef number(struct ptx_block *b, size_t n)
{
	return LLVMConstInt(b->m->i32, n, 0);
}

/* The function for sums of the type, and what it is told before the arrays. */
static const char *product_function(struct ptx_block *b, const struct product *p,
				    LLVMValueRef *argument, unsigned *args)
{
	size_t kind = (size_t)(p->a - kinds), kind_b = (size_t)(p->b - kinds);
	bool half = strcmp(p->sum, "f16") == 0;
	unsigned n = 0;

	if (p->a->is != DOUBLE)
		argument[n++] = number(b, kind);
	if (p->a->is == WHOLE)
		argument[n++] = number(b, p->a->each == 32 ? p->xor : kind_b);
	argument[n++] = number(b, p->rows);
	argument[n++] = number(b, p->words);
	if (p->a->is == WHOLE)
		argument[n++] = number(b, p->limited);
	*args = n;
	if (p->a->is == DOUBLE)
		return strcmp(p->sum, "f64") == 0 ? "ws_ptx_mma_double" : NULL;
	if (p->a->is == WHOLE)
		return strcmp(p->sum, "s32") == 0 ? "ws_ptx_mma_whole" : NULL;
	if (half)
		return kind == 0 ? "ws_ptx_mma_half" : NULL;
	return strcmp(p->sum, "f32") == 0 ? "ws_ptx_mma_real" : NULL;
}

static void multiply(struct ptx_block *b, const struct ptx_statement *s)
{
	LLVMTypeRef real = LLVMFloatTypeInContext(b->m->context), factor = b->m->i32, sum;
	LLVMValueRef argument[9];
	struct product p;
	const char *name;
	unsigned args, sums;

	if (s->operands != 4 || b->guard || !read_product(s->opcode, &p)) {
		b->bad = true;
		return;
	}
	name = product_function(b, &p, argument, &args);
	if (p.a->is == DOUBLE)
		factor = LLVMDoubleTypeInContext(b->m->context);
	sum = p.a->is == DOUBLE ? factor : strcmp(p.sum, "f32") == 0 ? real : b->m->i32;
	sums = strcmp(p.sum, "f16") == 0 ? p.rows : 2 * p.rows;
	b->bad |= !name || s->operand[0].parts != sums || s->operand[3].parts != sums ||
		  s->operand[1].parts != p.rows * p.words || s->operand[2].parts != p.words;
	if (b->bad)
		return;
	argument[args] = array_of(b, &s->operand[1], factor);
	argument[args + 1] = array_of(b, &s->operand[2], factor);
	argument[args + 2] = array_of(b, &s->operand[3], sum);
	argument[args + 3] = array(b, sum, sums);
	(void)ws_ptx_call(b, name, argument);
	assign_all(b, &s->operand[0], sum, argument[args + 3]);
}

bool ws_ptx_matrix(struct ptx_block *b, const struct ptx_statement *s)
{
	if (ws_ptx_begins(s->opcode, "cp.async."))
		copies(b, s);
	else if (ws_ptx_begins(s->opcode, "ldmatrix."))
		load_matrix(b, s);
	else if (ws_ptx_begins(s->opcode, "mma."))
		multiply(b, s);
	else
		return false;
	return true;
}
