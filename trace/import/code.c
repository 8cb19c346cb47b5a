/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/import/code.c -- instructions of machine code that a reader tells, each kept once, and the
 * paths of them that lead to accesses.
 *
 * A path is a list of runs of neighbours, so that straight code is one run, and each iteration of a
 * loop one more.  A launch with more than RUNS_MAX of them keeps no code at all.
 */
#include "trace/import/builder.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define RUNS_MAX (1u << 21)
#define OPS_MAX	 (1u << 20)
#define NONE	 UINT32_MAX

/* ---- instructions -------------------------------------------------------------------------- */

static bool same_op(const struct ws_built_code *c, const struct ws_code_op *a,
		    const struct ws_built_op *b)
{
	size_t regs = (size_t)b->results + b->operands;

	return a->pc == b->pc && a->unit == b->unit && a->results == b->results &&
	       a->operands == b->operands && /* without one there may be no array */
	       (!regs || memcmp(c->reg + a->first, b->reg, regs * sizeof *b->reg) == 0);
}

static uint32_t *op_slot(const struct ws_built_code *c, const struct ws_built_op *op,
			 uint64_t *key)
{
	uint32_t *slot;

	*key = ws_map_mix(op->pc, (uint64_t)op->unit << 16 | (uint64_t)op->results << 8 |
				  op->operands);
	for (unsigned i = 0; i < (unsigned)op->results + op->operands; i++)
		*key = ws_map_mix(*key, op->reg[i]);
	while (*(slot = ws_map_slot(&c->op_map, c->op, sizeof *c->op, *key)) &&
	       !same_op(c, &c->op[*slot - 1].op, op))
		++*key;
	return slot;
}

/* Its number; c->lost: there are too many. */
static enum ws_status find_op(struct ws_built_code *c, const struct ws_built_op *op, uint32_t *out,
			      struct ws_err *err)
{
	size_t regs = (size_t)op->results + op->operands;
	uint32_t *slot;
	uint64_t key;

	if (!ws_map_room(&c->op_map, c->op, sizeof *c->op, c->ops + 1) ||
	    !WS_ROOM(c->op, c->op_cap, c->ops + 1) || !WS_ROOM(c->reg, c->reg_cap, c->regs + regs))
		return ws_fail_memory(err, "machine code");
	slot = op_slot(c, op, &key);
	if (!*slot) {
		c->lost = c->ops == OPS_MAX;
		if (c->lost)
			return WS_OK;
		c->op[c->ops] = (struct ws_coded_op){
			.key = key, .next = NONE,
			.op = { .pc = (uint32_t)op->pc, .first = (uint32_t)c->regs,
				.unit = op->unit, .results = op->results,
				.operands = op->operands },
		};
		if (regs)
			memcpy(c->reg + c->regs, op->reg, regs * sizeof *op->reg);
		c->regs += regs;
		*slot = (uint32_t)++c->ops;
	}
	*out = *slot - 1;
	return WS_OK;
}

/* The same with what followed the last one tried first. */
static enum ws_status follow_op(struct ws_built_code *c, const struct ws_built_op *op,
				struct ws_err *err)
{
	uint32_t last = c->last, guess = last < c->ops ? c->op[last].next : NONE;
	enum ws_status status = WS_OK;

	if (guess < c->ops && same_op(c, &c->op[guess].op, op)) {
		c->last = guess;
		return WS_OK;
	}
	status = find_op(c, op, &c->last, err);
	if (status == WS_OK && !c->lost && last < c->ops)
		c->op[last].next = c->last;
	return status;
}

enum ws_status ws_builder_op(struct ws_builder *b, const struct ws_built_op *op,
			     struct ws_err *err)
{
	struct ws_built_code *c = &b->code;
	struct ws_code_run *last;
	enum ws_status status;

	assert(op->unit < WS_UNITS);
	c->lost |= op->pc > UINT32_MAX || c->runs + c->told >= RUNS_MAX;
	if (c->lost)
		return WS_OK;
	status = follow_op(c, op, err);
	if (status != WS_OK || c->lost)
		return status;
	if (!WS_ROOM(c->run, c->run_cap, c->runs + c->told + 1))
		return ws_fail_memory(err, "machine code");
	c->length++;
	last = c->told ? &c->run[c->runs + c->told - 1] : NULL;
	if (last && last->op + last->count == c->last)
		last->count++;
	else
		c->run[c->runs + c->told++] = (struct ws_code_run){ c->last, 1 };
	return WS_OK;
}

/* ---- paths --------------------------------------------------------------------------------- */

static bool same_path(const struct ws_built_code *c, const struct ws_code_path *p)
{
	return p->count == c->told && memcmp(c->run + p->first, c->run + c->runs,
					     c->told * sizeof *c->run) == 0;
}

static uint32_t *path_slot(const struct ws_built_code *c, uint64_t *key)
{
	uint32_t *slot;

	*key = c->told;
	for (size_t i = 0; i < c->told; i++)
		*key = ws_map_mix(*key, (uint64_t)c->run[c->runs + i].op << 32 |
						c->run[c->runs + i].count);
	while (*(slot = ws_map_slot(&c->path_map, c->path, sizeof *c->path, *key)) &&
	       !same_path(c, &c->path[*slot - 1].path))
		++*key;
	return slot;
}

enum ws_status ws_built_path(struct ws_built_code *c, uint32_t *path, struct ws_err *err)
{
	uint32_t *slot;
	uint64_t key;

	*path = 0;
	if (!c->told || c->lost)
		return WS_OK;
	if (!ws_map_room(&c->path_map, c->path, sizeof *c->path, c->paths + 1) ||
	    !WS_ROOM(c->path, c->path_cap, c->paths + 1))
		return ws_fail_memory(err, "machine code");
	slot = path_slot(c, &key);
	if (!*slot) {
		c->path[c->paths] = (struct ws_coded_path){
			.key = key, .path = { (uint32_t)c->runs, (uint32_t)c->told,
					      (uint32_t)c->length } };
		c->runs += c->told;
		*slot = (uint32_t)++c->paths;
	}
	*path = *slot;
	c->told = 0;
	c->length = 0;
	return WS_OK;
}

/* ---- life ---------------------------------------------------------------------------------- */

bool ws_built_code_end(struct ws_built_code *c, struct ws_launch *l)
{
	if (c->lost || !c->paths)
		return true;
	l->code = ws_alloc(c->ops, sizeof *l->code);
	l->path = ws_alloc(c->paths, sizeof *l->path);
	if (!l->code || !l->path)
		return false;
	for (size_t i = 0; i < c->ops; i++)
		l->code[i] = c->op[i].op;
	for (size_t i = 0; i < c->paths; i++)
		l->path[i] = c->path[i].path;
	l->codes = c->ops;
	l->paths = c->paths;
	l->regs = c->regs;
	l->runs = c->runs;
	l->reg = c->reg;
	l->run = c->run;
	c->reg = NULL;
	c->run = NULL;
	c->regs = c->reg_cap = c->runs = c->run_cap = 0;
	return true;
}

void ws_built_code_clear(struct ws_built_code *c)
{
	free(c->op);
	free(c->path);
	free(c->run);
	free(c->reg);
	ws_map_clear(&c->op_map);
	ws_map_clear(&c->path_map);
	*c = (struct ws_built_code){ .last = NONE };
}
