/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/capture/ptx_lanes.c -- lanes of a warp in inline assembly of PTX: shuffles, votes, matches,
 * reductions; and barriers of a block.
 */
#include "trace/capture/ptx_block.h"

#include <string.h>

/* "shfl.sync.up.b32 d|p, a, b, c, mask", or before Volta "shfl.up.b32 d|p, a, b, c". */
static void shuffle(struct ptx_block *b, const struct ptx_statement *s)
{
	static const char *const mode[] = { "up", "down", "idx", "bfly" };
	bool sync = ws_ptx_begins(s->opcode, "shfl.sync.");
	const char *how = s->opcode + strlen(sync ? "shfl.sync." : "shfl.");
	char name[WS_PTX_WORD] = "";
	LLVMTypeRef i32 = b->m->i32;
	LLVMValueRef argument[3], lane, r;

	for (size_t i = 0; i < WS_COUNT(mode); i++) {
		if (ws_ptx_begins(how, mode[i]) && strcmp(how + strlen(mode[i]), ".b32") == 0)
			snprintf(name, sizeof name, "ws_ptx_lane_%s", mode[i]);
	}
	if (!*name || s->operands != (sync ? 5u : 4u) || b->guard) {
		b->bad = true;
		return;
	}
	argument[0] = ws_ptx_value(b, &s->operand[2], 0, i32);
	argument[1] = ws_ptx_value(b, &s->operand[3], 0, i32);
	lane = ws_ptx_call(b, name, argument);
	argument[0] = sync ? ws_ptx_value(b, &s->operand[4], 0, i32) : LLVMConstInt(i32, 0, 0);
	argument[1] = ws_ptx_value(b, &s->operand[1], 0, i32);
	argument[2] = lane;
	r = ws_ptx_call(b, "ws_ptx_take", argument);
	if (b->bad || b->status != WS_OK)
		return;
	ws_ptx_assign(b, &s->operand[0], 0, r);
	if (s->operand[0].parts == 2) /* is it another's? */
		ws_ptx_assign(b, &s->operand[0], 1,
		       LLVMBuildICmp(b->m->builder, LLVMIntULT, lane,
				     LLVMConstInt(i32, 32, 0), ""));
}

static LLVMValueRef is_some(struct ptx_block *b, LLVMValueRef v)
{
	return b->bad || !v ? LLVMConstInt(LLVMInt1TypeInContext(b->m->context), 0, 0)
			    : LLVMBuildICmp(b->m->builder, LLVMIntNE, v,
					    LLVMConstNull(LLVMTypeOf(v)), "");
}

/* "vote.sync.ballot.b32 d, p, mask", "vote.ballot.b32 d, p", "vote.sync.any.pred q, p, mask" */
static void vote(struct ptx_block *b, const struct ptx_statement *s)
{
	bool sync = strstr(s->opcode, ".sync") != NULL;
	bool ballot = strstr(s->opcode, ".ballot") != NULL;
	bool any = strstr(s->opcode, ".any") != NULL, all = strstr(s->opcode, ".all") != NULL;
	bool uni = strstr(s->opcode, ".uni") != NULL;
	LLVMTypeRef i32 = b->m->i32, i1 = LLVMInt1TypeInContext(b->m->context);
	LLVMValueRef argument[2], yes, r;

	if (s->operands != (sync ? 3u : 2u) || b->guard || !(ballot || any || all || uni)) {
		b->bad = true;
		return;
	}
	argument[0] = sync ? ws_ptx_value(b, &s->operand[2], 0, i32) : LLVMConstInt(i32, 0, 0);
	yes = ws_ptx_value(b, &s->operand[1], 0, i1);
	if (b->bad)
		return;
	argument[1] = all ? LLVMBuildNot(b->m->builder, yes, "") : yes;
	r = ws_ptx_call(b, "ws_ptx_ballot", argument);
	if (b->bad || b->status != WS_OK)
		return;
	if (uni) {
		argument[1] = LLVMBuildNot(b->m->builder, yes, "");
		r = LLVMBuildAnd(b->m->builder, is_some(b, r),
				 is_some(b, ws_ptx_call(b, "ws_ptx_ballot", argument)), "");
		r = LLVMBuildNot(b->m->builder, r, "");
	} else if (!ballot)
		r = LLVMBuildICmp(b->m->builder, all ? LLVMIntEQ : LLVMIntNE, r,
				  LLVMConstInt(i32, 0, 0), "");
	ws_ptx_assign(b, &s->operand[0], 0, r);
}

/* "match.any.sync.b32 d, a, mask", "match.all.sync.b64 d|p, a, mask" */
static void match(struct ptx_block *b, const struct ptx_statement *s)
{
	bool all = ws_ptx_begins(s->opcode, "match.all.sync.");
	LLVMTypeRef type = ws_ptx_type(b, ws_ptx_last_word(s->opcode));
	LLVMValueRef argument[2], r;

	if (s->operands != 3 || b->guard || !type ||
	    !(all || ws_ptx_begins(s->opcode, "match.any.sync."))) {
		b->bad = true;
		return;
	}
	argument[0] = ws_ptx_value(b, &s->operand[2], 0, b->m->i32);
	argument[1] = ws_ptx_as(b, ws_ptx_value(b, &s->operand[1], 0, type), b->m->i64);
	r = ws_ptx_call(b, all ? "ws_ptx_match_all" : "ws_ptx_match_any", argument);
	ws_ptx_assign(b, &s->operand[0], 0, r);
	if (s->operand[0].parts == 2 && !b->bad)
		ws_ptx_assign(b, &s->operand[0], 1, is_some(b, r));
}

/* "redux.sync.add.s32 d, a, mask" */
static void redux(struct ptx_block *b, const struct ptx_statement *s)
{
	static const char *const known[] = {
		"add.u32", "add.s32", "min.u32", "min.s32", "max.u32",
		"max.s32", "and.b32", "or.b32",	 "xor.b32",
	};
	const char *which = s->opcode + strlen("redux.sync.");
	char name[WS_PTX_WORD] = "";
	LLVMValueRef argument[2];

	for (size_t i = 0; i < WS_COUNT(known) && s->operands == 3 && !b->guard; i++) {
		if (strcmp(which, known[i]) == 0)
			snprintf(name, sizeof name, "ws_ptx_redux_%.3s%s%s", which,
				 which[2] == '.' ? "" : "_", strchr(which, '.') + 1);
	}
	for (char *dot = strchr(name, '.'); dot; dot = NULL)
		*dot = '_';
	if (!*name) {
		b->bad = true;
		return;
	}
	argument[0] = ws_ptx_value(b, &s->operand[2], 0, b->m->i32);
	argument[1] = ws_ptx_value(b, &s->operand[1], 0, b->m->i32);
	ws_ptx_assign(b, &s->operand[0], 0, ws_ptx_call(b, name, argument));
}

/* ---- barriers -------------------------------------------------------------------------- */

/* "bar.red.popc.u32 d, 0, p", "barrier.red.or.pred q, 0, p", of the whole block. */
static void reduce(struct ptx_block *b, const struct ptx_statement *s)
{
	LLVMTypeRef i1 = LLVMInt1TypeInContext(b->m->context);
	bool popc = ws_ptx_has(s->opcode, ".popc"), and = ws_ptx_has(s->opcode, ".and");
	LLVMValueRef id, holds, r;

	b->bad |= s->operands != 3 || b->guard || !(popc || and || ws_ptx_has(s->opcode, ".or"));
	id = ws_ptx_value(b, &s->operand[1], 0, b->m->i32);
	holds = ws_ptx_value(b, &s->operand[2], 0, i1);
	if (b->bad || !LLVMIsAConstantInt(id) || !LLVMIsNull(id)) {
		b->bad = true;
		return;
	}
	if (and)
		holds = LLVMBuildNot(b->m->builder, holds, "");
	holds = ws_ptx_as(b, holds, b->m->i32);
	r = ws_ptx_call(b, "ws_ptx_count", &holds);
	if (!popc && !b->bad)
		r = and ? LLVMBuildNot(b->m->builder, is_some(b, r), "") : is_some(b, r);
	ws_ptx_assign(b, &s->operand[0], 0, r);
}

/* "bar.sync 0", "barrier.sync 0" of the block; "bar.sync 1, 64", "bar.arrive 1, 64" of as many
 * threads; "bar.warp.sync mask". */
static void barrier(struct ptx_block *b, const struct ptx_statement *s)
{
	bool sync = ws_ptx_has(s->opcode, ".sync"), arrive = ws_ptx_has(s->opcode, ".arrive");
	LLVMTypeRef i32 = b->m->i32;
	LLVMValueRef argument[2] = { NULL, LLVMConstInt(i32, 0, 0) };

	b->bad |= s->operands < 1 || s->operands > 2 || !(sync || arrive);
	argument[0] = ws_ptx_value(b, &s->operand[0], 0, i32);
	if (s->operands == 2)
		argument[1] = ws_ptx_value(b, &s->operand[1], 0, i32);
	if (b->bad)
		return;
	if (ws_ptx_begins(s->opcode, "bar.warp.")) {
		argument[1] = LLVMConstInt(LLVMInt1TypeInContext(b->m->context), 0, 0);
		b->bad |= b->guard != NULL;
		(void)ws_ptx_call(b, "ws_ptx_ballot", argument);
	} else if (sync && s->operands == 1 && LLVMIsAConstantInt(argument[0]) &&
		   LLVMIsNull(argument[0])) {
		(void)ws_ptx_guarded_call(b, "ws_ptx_barrier", argument);
	} else {
		(void)ws_ptx_guarded_call(b, sync ? "ws_ptx_sync" : "ws_ptx_arrive", argument);
	}
}

bool ws_ptx_lanes(struct ptx_block *b, const struct ptx_statement *s)
{
	static const struct {
		const char *begin;
		void (*translate)(struct ptx_block *, const struct ptx_statement *);
	} row[] = {
		{ "shfl.", shuffle }, { "vote.", vote }, { "match.", match },
		{ "redux.sync.", redux }, { "bar.red.", reduce }, { "barrier.red.", reduce },
		{ "barrier.cta.red.", reduce }, { "bar.", barrier }, { "barrier.cluster.", NULL },
		{ "barrier.", barrier },
	};

	for (size_t i = 0; i < WS_COUNT(row); i++) {
		if (!ws_ptx_begins(s->opcode, row[i].begin))
			continue;
		if (row[i].translate)
			row[i].translate(b, s);
		else
			b->bad = true;
		return true;
	}
	return false;
}
