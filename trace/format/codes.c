/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/format/codes.c -- of a launch's static part what only traces of machine code have: which
 * instructions warps executed between their accesses, with the registers that they read and write;
 * how many there were; and what was copied to the device before.
 */
#include "base/bits.h"
#include "trace/format/wst.h"

#include <inttypes.h>
#include <stdlib.h>

bool ws_codes_any(const struct ws_launch *l)
{
	return l->executed || l->codes || l->copies;
}

uint64_t ws_codes_items(const struct ws_launch *l)
{
	const uint64_t count[] = { l->codes, l->regs, l->runs, l->paths, l->copies };
	uint64_t sum = 0;

	for (size_t i = 0; i < WS_COUNT(count); i++)
		sum = ws_add_sat(sum, count[i]);
	return sum;
}

/* ---- what readers may rely on -------------------------------------------------------------- */

#define FAIL(fmt, ...) ws_fail(err, status, "%s: " fmt, where, __VA_ARGS__)

static enum ws_status check_ops(const struct ws_launch *l, enum ws_status status,
				const char *where, struct ws_err *err)
{
	for (size_t i = 0; i < l->codes; i++) {
		const struct ws_code_op *op = &l->code[i];
		size_t regs = (size_t)op->results + op->operands;

		if (op->unit >= WS_UNITS)
			return FAIL("code %zu: unit is %u, want 0..%d", i, op->unit, WS_UNITS - 1);
		if (regs > l->regs || op->first > l->regs - regs)
			return FAIL("code %zu: %zu registers from %" PRIu32 ", want them within "
				    "%zu", i, regs, op->first, l->regs);
	}
	for (size_t i = 0; i < l->regs; i++)
		if (l->reg[i] >= WS_REGISTERS)
			return FAIL("register %zu is %u, want less than %u", i, l->reg[i],
				    WS_REGISTERS);
	return WS_OK;
}

static enum ws_status check_path(const struct ws_launch *l, size_t i, enum ws_status status,
				 const char *where, struct ws_err *err)
{
	const struct ws_code_path *p = &l->path[i];
	uint64_t length = 0;

	if (p->first > l->runs || p->count > l->runs - p->first)
		return FAIL("path %zu: runs %" PRIu32 " + %" PRIu32 ", want them within %zu", i,
			    p->first, p->count, l->runs);
	for (uint32_t k = 0; k < p->count; k++) {
		const struct ws_code_run *r = &l->run[p->first + k];

		if (r->op > l->codes || r->count > l->codes - r->op)
			return FAIL("path %zu: code %" PRIu32 " + %" PRIu32 ", want it within %zu",
				    i, r->op, r->count, l->codes);
		length += r->count;
	}
	return length == p->length ? WS_OK
				   : FAIL("path %zu: its length is not that of its runs", i);
}

static enum ws_status check_place(const struct ws_launch *l, const char *what, size_t i,
				  uint32_t path, uint64_t want, enum ws_status status,
				  const char *where, struct ws_err *err)
{
	if (path > l->paths)
		return FAIL("%s %zu: path is %" PRIu32 ", want at most %zu", what, i, path,
			    l->paths);
	if (path && l->path[path - 1].length != want)
		return FAIL("%s %zu: its path has %" PRIu32 " instructions, want %" PRIu64, what,
			    i, l->path[path - 1].length, want);
	return WS_OK;
}

static enum ws_status check_copies(const struct ws_launch *l, enum ws_status status,
				   const char *where, struct ws_err *err)
{
	for (size_t i = 0; i < l->copies; i++)
		if (l->copy[i].bytes > UINT64_MAX - l->copy[i].base)
			return FAIL("copy %zu: %" PRIu64 " bytes to 0x%" PRIx64
				    " pass the end of the address space", i, l->copy[i].bytes,
				    l->copy[i].base);
	return WS_OK;
}

enum ws_status ws_codes_check(const struct ws_launch *l, enum ws_status status, const char *where,
			     struct ws_err *err)
{
	enum ws_status got = check_ops(l, status, where, err);

	for (size_t i = 0; i < l->paths && got == WS_OK; i++)
		got = check_path(l, i, status, where, err);
	for (size_t i = 0; i < l->instructions && got == WS_OK; i++)
		got = check_place(l, "instruction", i, l->instruction[i].path,
				  l->instruction[i].gap + 1ull, status, where, err);
	for (size_t i = 0; i < l->segments && got == WS_OK; i++)
		got = check_place(l, "segment", i, l->segment[i].path,
				  l->segment[i].tail + (uint64_t)l->segment[i].barrier, status,
				  where, err);
	return got == WS_OK ? check_copies(l, status, where, err) : got;
}

/* ---- to bytes ------------------------------------------------------------------------------ */

static void put_ops(struct ws_buf *raw, const struct ws_launch *l)
{
	uint64_t pc = 0;

	ws_put_var(raw, l->regs);
	ws_put_var(raw, l->codes);
	for (size_t i = 0; i < l->codes; i++) {
		const struct ws_code_op *op = &l->code[i];

		ws_put_var(raw, ws_zigzag(op->pc - pc));
		pc = op->pc;
		ws_put_u8(raw, op->unit);
		ws_put_u8(raw, op->results);
		ws_put_u8(raw, op->operands);
		for (unsigned r = 0; r < (unsigned)op->results + op->operands; r++)
			ws_put_var(raw, l->reg[op->first + r]);
	}
}

static void put_paths(struct ws_buf *raw, const struct ws_launch *l)
{
	ws_put_var(raw, l->runs);
	ws_put_var(raw, l->paths);
	for (size_t i = 0; i < l->paths; i++) {
		uint64_t next = 0;

		ws_put_var(raw, l->path[i].count);
		for (uint32_t k = 0; k < l->path[i].count; k++) {
			const struct ws_code_run *r = &l->run[l->path[i].first + k];

			ws_put_var(raw, ws_zigzag(r->op - next));
			ws_put_var(raw, r->count);
			next = (uint64_t)r->op + r->count;
		}
	}
	for (size_t i = 0; i < l->instructions; i++)
		ws_put_var(raw, l->instruction[i].path);
	for (size_t i = 0; i < l->segments; i++)
		ws_put_var(raw, l->segment[i].path);
}

void ws_codes_put(struct ws_buf *raw, const struct ws_launch *l)
{
	ws_put_var(raw, l->executed);
	ws_put_var(raw, l->copies);
	for (size_t i = 0; i < l->copies; i++) {
		ws_put_var(raw, l->copy[i].base);
		ws_put_var(raw, l->copy[i].bytes);
	}
	if (!l->codes)
		return;
	put_ops(raw, l);
	put_paths(raw, l);
}

/* ---- from bytes ---------------------------------------------------------------------------- */

uint32_t ws_u32_get(struct ws_cursor *c)
{
	uint64_t v = ws_get_var(c);

	if (v > UINT32_MAX)
		c->bad = true;
	return c->bad ? 0 : (uint32_t)v;
}

void *ws_room_get(struct ws_cursor *c, uint64_t *left, size_t *count, size_t least, size_t size)
{
	uint64_t n = ws_get_count(c, least);
	bool fits = !c->bad && n <= *left;
	void *room = fits ? ws_alloc_zero((size_t)n, size) : NULL;

	c->no_memory |= fits && !room;
	*count = room ? (size_t)n : 0;
	*left -= *count;
	if (!room)
		c->bad = true;
	return room;
}

/* A number below 2^32, from another one on. */
static uint32_t step_get(struct ws_cursor *c, uint64_t from)
{
	uint64_t v = from + ws_unzigzag(ws_get_var(c));

	c->bad |= v > UINT32_MAX;
	return c->bad ? 0 : (uint32_t)v;
}

static void get_ops(struct ws_cursor *c, uint64_t *left, struct ws_launch *l)
{
	size_t used = 0;

	l->reg = ws_room_get(c, left, &l->regs, 1, sizeof *l->reg);
	l->code = c->bad ? NULL : ws_room_get(c, left, &l->codes, 4, sizeof *l->code);
	for (size_t i = 0; !c->bad && i < l->codes; i++) {
		struct ws_code_op *op = &l->code[i];
		size_t regs;

		op->pc = step_get(c, i ? l->code[i - 1].pc : 0);
		op->unit = ws_get_u8(c);
		op->results = ws_get_u8(c);
		op->operands = ws_get_u8(c);
		op->first = (uint32_t)used;
		regs = (size_t)op->results + op->operands;
		c->bad |= regs > l->regs - used;
		for (size_t r = 0; !c->bad && r < regs; r++) {
			uint64_t number = ws_get_var(c);

			c->bad |= number >= WS_REGISTERS;
			l->reg[used++] = (uint16_t)(number % WS_REGISTERS);
		}
	}
	c->bad |= used != l->regs;
}

static void get_path(struct ws_cursor *c, struct ws_launch *l, struct ws_code_path *p, size_t *used)
{
	uint64_t next = 0, length = 0;

	p->first = (uint32_t)*used;
	p->count = ws_u32_get(c);
	c->bad |= p->count > l->runs - *used;
	for (uint32_t k = 0; !c->bad && k < p->count; k++) {
		struct ws_code_run *r = &l->run[(*used)++];

		r->op = step_get(c, next);
		r->count = ws_u32_get(c);
		next = (uint64_t)r->op + r->count;
		length += r->count;
	}
	c->bad |= length > UINT32_MAX;
	p->length = (uint32_t)length;
}

static void get_paths(struct ws_cursor *c, uint64_t *left, struct ws_launch *l)
{
	size_t used = 0;

	l->run = ws_room_get(c, left, &l->runs, 2, sizeof *l->run);
	l->path = c->bad ? NULL : ws_room_get(c, left, &l->paths, 1, sizeof *l->path);
	for (size_t i = 0; !c->bad && i < l->paths; i++)
		get_path(c, l, &l->path[i], &used);
	c->bad |= used != l->runs;
	for (size_t i = 0; !c->bad && i < l->instructions; i++)
		l->instruction[i].path = ws_u32_get(c);
	for (size_t i = 0; !c->bad && i < l->segments; i++)
		l->segment[i].path = ws_u32_get(c);
}

void ws_codes_get(struct ws_cursor *c, uint64_t *left, struct ws_launch *l)
{
	l->executed = ws_get_var(c);
	l->copy = ws_room_get(c, left, &l->copies, 2, sizeof *l->copy);
	for (size_t i = 0; !c->bad && i < l->copies; i++) {
		l->copy[i].base = ws_get_var(c);
		l->copy[i].bytes = ws_get_var(c);
	}
	if (c->bad || c->p == c->end)
		return;
	get_ops(c, left, l);
	if (!c->bad)
		get_paths(c, left, l);
}
