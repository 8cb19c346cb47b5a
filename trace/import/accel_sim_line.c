/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/import/accel_sim_line.c -- an instruction of Accel-Sim's traces.
 *
 *	[x y z warp [sm warp]] [line] PC mask ndst R.. OPCODE nsrc R.. width [mode addresses] rest
 *
 * The rest (none, one or two immediates, values of registers) depends on the version and on who
 * wrote it: it is not looked at, so nothing depends on the version but the thread block in front.
 * mode, with n active lanes:
 *	0	n addresses
 *	1	base, stride: active lanes are neighbours
 *	2	base, n - 1 differences, each from the active lane before
 *	3	count, addresses: bulk copies
 *	4	base, count, count - 1 differences: bulk copies
 * Nothing is read of the addresses of an instruction that has no active lane: its writer had none.
 *
 * Every instruction but a barrier counts for gaps and uses; a load's use is the first
 * instruction that reads a register it wrote, or one of those after it that a wider load
 * writes, too.
 */
#include "base/bits.h"
#include "trace/import/accel_sim.h"

#include <inttypes.h>
#include <string.h>

#define DST_MAX 16u
#define SRC_MAX 32u
#define RZ 255u
#define INSTRUCTION_BYTES 16u

struct instruction {
	uint64_t pc, line, mask, width;
	const char *opcode;
	size_t opcode_len;
	unsigned dst[DST_MAX], dsts;
	uint16_t reg[DST_MAX + SRC_MAX]; /* results, then operands */
	uint8_t results, operands;
};

/* ---- fields -------------------------------------------------------------------- */

static inline const char *skip(const char *p)
{
	while (*p == ' ' || *p == '\t')
		p++;
	return p;
}

/* Each reads a field and the blanks after it; NULL if it is not there. */
static inline const char *after(const char *p)
{
	return *p == ' ' || *p == '\t' ? skip(p) : *p ? NULL : p;
}

static inline const char *decimal(const char *p, uint64_t *v)
{
	const char *start = p;
	uint64_t value = 0;

	for (; *p >= '0' && *p <= '9'; p++)
		value = value * 10 + (uint64_t)(*p - '0');
	*v = value;
	if (p - start > 19 || p == start) {
		p = start; /* it may not fit: with care */
		if (!ws_text_decimal(&p, v))
			return NULL;
	}
	return after(p);
}

static inline const char *signed_decimal(const char *p, uint64_t *v)
{
	bool minus = *p == '-';

	p = decimal(p + minus, v);
	if (!p || *v > (1ull << 63) - !minus)
		return NULL;
	if (minus)
		*v = 0 - *v;
	return p;
}

static const uint8_t nibble[256] = {
	['0'] = 1, ['1'] = 2, ['2'] = 3, ['3'] = 4, ['4'] = 5, ['5'] = 6, ['6'] = 7, ['7'] = 8,
	['8'] = 9, ['9'] = 10, ['a'] = 11, ['b'] = 12, ['c'] = 13, ['d'] = 14, ['e'] = 15,
	['f'] = 16, ['A'] = 11, ['B'] = 12, ['C'] = 13, ['D'] = 14, ['E'] = 15, ['F'] = 16,
};

static inline const char *digits16(const char *p, uint64_t *v)
{
	const char *start = p;
	uint64_t value = 0;
	unsigned d;

	for (; (d = nibble[(uint8_t)*p]) != 0; p++)
		value = value << 4 | (d - 1);
	*v = value;
	if (p - start > 16 || p == start) {
		p = start;
		if (!ws_text_hex(&p, v))
			return NULL;
	}
	return after(p);
}

static inline const char *hex(const char *p, uint64_t *v)
{
	return digits16(p[0] == '0' && p[1] == 'x' ? p + 2 : p, v);
}

static inline const char *word(const char *p, size_t *len)
{
	const char *start = p;

	while (*p && *p != ' ' && *p != '\t')
		p++;
	*len = (size_t)(p - start);
	return *len ? skip(p) : NULL;
}

static inline bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\0';
}

/* A register, RZ, too; WS_AS_REGISTERS if it is none. */
static inline const char *reg(const char *p, unsigned *number)
{
	unsigned bank = *p == 'U' ? 256 : 0, n = 0;

	*number = WS_AS_REGISTERS;
	if (is_blank(*p))
		return NULL;
	p += *p == 'U';
	if (*p == 'R') {
		for (p++; *p >= '0' && *p <= '9' && n < 256; p++)
			n = n * 10 + (unsigned)(*p - '0');
		if (is_blank(*p) && n < 256)
			*number = bank + n;
	}
	while (!is_blank(*p))
		p++;
	return skip(p);
}

static enum ws_status bad(const struct ws_as_kernel *k, const char *what, const char *line,
			  struct ws_err *err)
{
	return ws_packed_fail(k->s, err, "%s in '%.100s'", what, line);
}

/* ---- uses ---------------------------------------------------------------------- */

/* The instruction at hand, the executed-th, reads a register. */
static inline void use(struct ws_as_kernel *k, unsigned r)
{
	if (r >= WS_AS_REGISTERS || !ws_bit(k->live, r))
		return;
	ws_builder_use(k->b, k->load[r].instruction, k->executed - k->load[r].at);
	ws_bit_clear(k->live, r);
	k->alive--;
}

/* It writes one. */
static inline void overwrite(struct ws_as_kernel *k, unsigned r)
{
	if (r < WS_AS_REGISTERS && ws_bit(k->live, r)) {
		ws_bit_clear(k->live, r);
		k->alive--;
	}
}

static void load_into(struct ws_as_kernel *k, unsigned r)
{
	if (r >= WS_AS_REGISTERS || r == RZ)
		return;
	k->load[r] = (struct ws_as_load){ ws_builder_last(k->b), k->executed };
	k->alive += !ws_bit(k->live, r);
	ws_bit_set(k->live, r);
}

/* ---- chains and code ------------------------------------------------------------- */

/* The instruction at hand reads or writes a register: it comes after what wrote it. */
static inline void depend(struct ws_as_kernel *k, unsigned r)
{
	if (r < WS_AS_REGISTERS && r != RZ && k->result[r].run == k->run &&
	    k->result[r].depth >= k->depth)
		k->depth = k->result[r].depth + 1;
}

static inline void note_pc(struct ws_as_kernel *k, uint64_t pc)
{
	if (pc >= WS_CODE_MAX)
		return;
	if (!k->coded || pc < k->pace.code)
		k->pace.code = (uint32_t)pc;
	if (!k->coded || pc > k->pace.code_end)
		k->pace.code_end = (uint32_t)pc;
	k->coded = true;
}

/* All registers of the instruction are known. */
static void end_chain(struct ws_as_kernel *k, const struct instruction *i)
{
	for (unsigned d = 0; d < i->dsts; d++)
		depend(k, i->dst[d]);
	k->pace.chain = k->depth > k->pace.chain ? k->depth : k->pace.chain;
	/* Whoever adds an EXIT that was not recorded gives it any PC. */
	note_pc(k, i->opcode_len >= 4 && strncmp(i->opcode, "EXIT", 4) == 0 ?
		   k->pc + INSTRUCTION_BYTES : i->pc);
	k->pc = i->pc;
}

/* ---- accesses ------------------------------------------------------------------- */

static enum ws_status access(struct ws_as_kernel *k, const struct instruction *i,
			     const struct ws_sass *op, const uint64_t *address, struct ws_err *err)
{
	struct ws_built_access a = {
		.cta = k->cta, .warp = (uint32_t)k->warp, .pc = i->pc, .kind = op->kind,
		.bytes = (uint32_t)i->width, .lanes = i->mask, .address = address,
		.gap = (uint32_t)(k->gap < WS_GAP_MAX ? k->gap : WS_GAP_MAX),
		.used = op->kind != WS_STORE, .pace = k->pace,
	};
	struct ws_err why = { 0 };
	enum ws_status status;
	uint64_t pieces;

	if (i->width > WS_ACCESS_BYTES_MAX)
		return ws_packed_fail(k->s, err, "an access of %" PRIu64
				      " bytes a lane, want 1..%u", i->width, WS_ACCESS_BYTES_MAX);
	if (k->lines && i->line) {
		a.file = WS_AS_LINE;
		a.line = (uint32_t)i->line;
	} else if (!k->lines && i->pc && i->pc <= UINT32_MAX) {
		a.file = WS_AS_PC;
		a.line = (uint32_t)i->pc;
	}
	status = ws_sass_access(k->b, &k->shape, &a, (enum ws_sass_place)op->place, &pieces, &why);
	k->gap = 0;
	ws_as_run(k);
	k->executed += pieces - 1;
	k->accessed = true;
	return status == WS_OK ? WS_OK : ws_text_blame(k->s, status, &why, err);
}

/* ---- addresses ------------------------------------------------------------------- */

/* at + difference, if it does not pass either end of the address space. */
static inline bool move(uint64_t *at, uint64_t difference)
{
	uint64_t to = *at + difference;
	bool fits = difference >> 63 ? to < *at : to >= *at;

	*at = to;
	return fits;
}

/* The active lanes' addresses; an explanation if they are not there. */
static const char *lane_addresses(const char *p, uint64_t mode, uint64_t mask, uint64_t *address)
{
	uint64_t at = 0, difference = 0, run = mask / (mask & (0 - mask));
	bool first = true;

	if (mode == 1 && run & (run + 1))
		return "a base and a stride for lanes that are not neighbours";
	for (unsigned lane = 0; mask; lane++, mask >>= 1) {
		if (!(mask & 1))
			continue;
		if (mode == 0 || first)
			p = hex(p, &at);
		else if (mode == 2)
			p = signed_decimal(p, &difference);
		if (p && mode == 1 && first)
			p = signed_decimal(p, &difference);
		if (!p)
			return "not as many addresses as active lanes, or no numbers";
		if (mode != 0 && !first && !move(&at, difference))
			return "addresses that pass an end of the address space";
		address[lane] = at;
		first = false;
	}
	return NULL;
}

/* A list of any length: accesses of as many lanes as the warp has. */
static enum ws_status bulk(struct ws_as_kernel *k, struct instruction *i, const struct ws_sass *op,
			   const char *p, uint64_t mode, const char **what, struct ws_err *err)
{
	uint64_t threads = k->shape.threads - k->warp * WS_SASS_LANES;
	unsigned lanes = threads < WS_SASS_LANES ? (unsigned)threads : WS_SASS_LANES;
	uint64_t address[WS_SASS_LANES], at = 0, count = 0, difference;
	const char *q = mode == 3 ? decimal(p, &count) : hex(p, &at);
	enum ws_status status = WS_OK;
	unsigned n = 0;

	if (mode == 4 && q)
		q = decimal(q, &count);
	for (uint64_t c = 0; q && c < count && status == WS_OK; c++) {
		if (mode == 3)
			q = hex(q, &at);
		else if (c)
			q = signed_decimal(q, &difference);
		if (!q || (mode == 4 && c && !move(&at, difference)))
			break;
		address[n++] = at;
		if (n < lanes && c + 1 < count)
			continue;
		k->executed += c >= lanes;
		i->mask = ws_first_bits(n);
		status = access(k, i, op, address, err);
		n = 0;
	}
	if (status == WS_OK && (!q || n))
		*what = "fewer addresses than it says, or no numbers";
	return status;
}

static enum ws_status read_access(struct ws_as_kernel *k, struct instruction *i,
				  const struct ws_sass *op, const char *p, const char *line,
				  struct ws_err *err)
{
	uint64_t address[WS_SASS_LANES], mode;
	const char *what = NULL, *q = decimal(p, &mode);
	enum ws_status status = WS_OK;

	if (!q)
		return bad(k, "no form of addresses", line, err);
	if (mode > 4)
		return bad(k, "an unknown form of addresses", line, err);
	if (mode >= 3)
		status = bulk(k, i, op, q, mode, &what, err);
	else
		what = lane_addresses(q, mode, i->mask, address);
	if (what)
		return bad(k, what, line, err);
	return mode >= 3 ? status : access(k, i, op, address, err);
}

/* ---- machine code ------------------------------------------------------------------ */

static void note_register(struct instruction *i, uint8_t *count, unsigned most, unsigned r)
{
	if (r >= WS_AS_REGISTERS || *count >= most)
		return;
	i->reg[(unsigned)i->results + i->operands] = (uint16_t)r;
	++*count;
}

/* The unit of its opcode, most often that of the one before it at this PC. */
static uint8_t unit_of(struct ws_as_kernel *k, const struct instruction *i)
{
	struct ws_as_opcode *o = &k->opcode[i->pc / INSTRUCTION_BYTES % WS_COUNT(k->opcode)];

	if (i->opcode_len >= WS_AS_OPCODE)
		return ws_sass_unit(i->opcode, i->opcode_len);
	if (o->len != i->opcode_len || memcmp(o->name, i->opcode, o->len) != 0) {
		o->len = (uint8_t)i->opcode_len;
		memcpy(o->name, i->opcode, o->len);
		o->unit = ws_sass_unit(i->opcode, i->opcode_len);
	}
	return o->unit;
}

static enum ws_status note_op(struct ws_as_kernel *k, const struct instruction *i,
			      struct ws_err *err)
{
	const struct ws_built_op op = { .pc = i->pc, .unit = unit_of(k, i), .reg = i->reg,
					.results = i->results, .operands = i->operands };

	ws_builder_executed(k->b, ws_popcount(i->mask));
	return ws_builder_op(k->b, &op, err);
}

/* ---- instructions ----------------------------------------------------------------- */

static bool is_barrier(const struct instruction *i)
{
	return strncmp(i->opcode, "BAR", 3) == 0 && (i->opcode_len == 3 || i->opcode[3] == '.') &&
	       strncmp(i->opcode, "BAR.ARV", 7) != 0;
}

/* The thread block and warp in front of a line of old: as of the block it is in. */
static const char *read_place(const struct ws_as_kernel *k, const char *p)
{
	uint64_t id[4], core;
	const char *q = p;
	size_t len = 0;

	for (unsigned i = 0; q && i < 4; i++)
		q = decimal(q, &id[i]);
	if (!q || id[0] != k->at[0] || id[1] != k->at[1] || id[2] != k->at[2] || id[3] != k->warp)
		return NULL;
	/* The mask has 8 digits: if it is not the next but one, SM and its warp come first. */
	p = word(q, &len);
	if (p && word(p, &len) && len == 8)
		return q;
	q = decimal(q, &core);
	return q ? decimal(q, &core) : NULL;
}

/* Up to the width; *what says what is missing. */
static const char *read_front(struct ws_as_kernel *k, struct instruction *i, const char *p,
			      const char **what)
{
	uint64_t count;
	unsigned r;

	*what = "another thread block or warp than the one before it";
	if (k->old && !(p = read_place(k, p)))
		return NULL;
	*what = "no line, PC and mask of at most 32 lanes";
	if (k->lines && !(p = decimal(p, &i->line)))
		return NULL;
	if (!(p = digits16(p, &i->pc)) || !(p = digits16(p, &i->mask)) || i->mask > UINT32_MAX ||
	    i->line > UINT32_MAX)
		return NULL;
	*what = "not as many destination registers as it says";
	if (!(p = decimal(p, &count)))
		return NULL;
	for (uint64_t d = 0; d < count; d++) {
		if (!(p = reg(p, &r)))
			return NULL;
		if (i->dsts < DST_MAX)
			i->dst[i->dsts++] = r;
		note_register(i, &i->results, DST_MAX, r);
	}
	*what = "no opcode";
	i->opcode = p;
	if (!(p = word(p, &i->opcode_len)) || *i->opcode < 'A' || *i->opcode > 'Z')
		return NULL;
	*what = "not as many source registers as it says";
	if (!(p = decimal(p, &count)))
		return NULL;
	for (uint64_t s = 0; s < count; s++) {
		if (!(p = reg(p, &r)))
			return NULL;
		if (k->alive)
			use(k, r);
		depend(k, r);
		note_register(i, &i->operands, SRC_MAX, r);
	}
	*what = "no width";
	return decimal(p, &i->width);
}

/* A load's registers: those listed, and those after the first as the width has it. */
static void write_registers(struct ws_as_kernel *k, const struct instruction *i, bool load)
{
	unsigned wide = load ? (unsigned)((i->width < 64 ? i->width : 64) + 3) / 4 : 1;

	for (unsigned d = 0; d < i->dsts; d++) {
		if (!load)
			overwrite(k, i->dst[d]);
		if (!load && i->dst[d] < WS_AS_REGISTERS)
			k->result[i->dst[d]] = (struct ws_as_result){ k->run, k->depth };
		else if (i->dst[d] < WS_AS_REGISTERS)
			k->result[i->dst[d]].run = 0;
		for (unsigned r = 0; load && r < wide; r++)
			if (i->dst[d] / 256 == (i->dst[d] + r) / 256)
				load_into(k, i->dst[d] + r);
	}
}

static enum ws_status barrier(struct ws_as_kernel *k, struct ws_err *err)
{
	struct ws_err why = { 0 };
	enum ws_status status;

	k->executed--;
	status = ws_builder_others(k->b, k->cta, (uint32_t)k->warp, k->gap, &k->pace, &why);
	k->gap = 0;
	ws_as_run(k);
	if (status == WS_OK)
		status = ws_builder_barrier(k->b, k->cta, (uint32_t)k->warp, &why);
	return status == WS_OK ? WS_OK : ws_text_blame(k->s, status, &why, err);
}

enum ws_status ws_as_instruction(struct ws_as_kernel *k, const char *line, struct ws_err *err)
{
	struct instruction i = { .dsts = 0 };
	const struct ws_sass *op = NULL;
	const char *what, *p;
	enum ws_status status = WS_OK;

	k->seen++;
	k->executed++;
	k->accessed = false;
	k->depth = 0;
	p = read_front(k, &i, skip(line), &what);
	if (!p)
		return bad(k, what, line, err);
	end_chain(k, &i);
	status = note_op(k, &i, err);
	if (status != WS_OK)
		return status;
	if (i.width && i.mask)
		op = ws_sass_find(i.opcode, i.opcode_len);
	else if (is_barrier(&i))
		return barrier(k, err);
	if (op)
		status = read_access(k, &i, op, p, line, err);
	k->gap += !k->accessed;
	if (status == WS_OK)
		write_registers(k, &i, k->accessed && op->kind != WS_STORE);
	return status;
}
