/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/import/crawford.c -- the memory trace of Crawford's "GPU L1 Cache Model for OpenCL
 * Programs" (Edinburgh 2014), listing 5.1: what work-items did, in whatever order.
 *
 *	local size:16 16 1
 *	0x9CAE000F0000319|0x0|0x10000000000
 *	0x1|0x10|0x0
 *	--
 *
 * Three numbers of 64 bits a line:
 *
 *	bits 63..32 the address, 31..28 F for a read and A for a write, 27..0 the
 *		instruction's name in base 36 (319 hexadecimal is M1); or 1 or 2 for a barrier
 *	the work-item's global number, 20 bits for each of x, y and z, x lowest
 *	the loops it was in: three fields of 20 bits, from bit 40, 20 and 0, in each the
 *		loop's number (bits 19..16) and its iteration (15..0); iteration 0: no loop
 *
 * Hyphens end a launch.  Another "local size:" line may begin the next.  Accesses are to words
 * of 4 bytes.  Warps are 32 work-items in linear order, as section 5.3 makes them:
 * crawford_warp.c.
 *
 * Written are the lanes' accesses in lockstep order, CTA after CTA, on no machine's account:
 * the low half of the address (the high half must be the same throughout a trace),
 * instructions M1, M2 ... by their number, and in the place of loops the number of the access
 * in its CTA, as three loops one within the other: so the order is kept exactly.  Atomics are
 * written as writes.
 */
#include "trace/import/crawford.h"
#include "trace/format/wst.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define LOCAL "local size:"
#define ITEM_BITS 20u
#define ITEM_MAX ((1u << ITEM_BITS) - 1)
#define NAME_MAX_BITS 28u
#define M 22u			/* the letter, in base 36 */
#define INSTRUCTIONS_MAX 9999u	/* "M9999" is the last name that fits */
#define ROUND 65535u		/* iterations of one of the three loops */
#define ENTRIES_MAX (1ull << 26) /* of a launch: 2.5 GiB */

enum what { ACCESS, BARRIER, END, HEADER, EMPTY, WRONG };

/* ---- reading ---------------------------------------------------------------------- */

static bool parse_local(const char *p, uint64_t local[3])
{
	if (!ws_text_word(&p, LOCAL))
		return false;
	for (int d = 0; d < 3; d++) {
		ws_text_gap(&p);
		if (!ws_text_decimal(&p, &local[d]))
			return false;
	}
	return ws_text_end(&p);
}

/* Leaves *e alone but for what the line says. */
static enum what crawford_parse(const char *line, struct ws_crawford *e, uint64_t local[3])
{
	const char *p = line;
	uint64_t access;

	if (ws_text_end(&p))
		return EMPTY;
	if (p[0] == '-' && p[strspn(p, "- \t")] == '\0')
		return END;
	if (parse_local(p, local))
		return HEADER;
	if (!ws_text_hex(&p, &access) || !ws_text_word(&p, "|") || !ws_text_hex(&p, &e->item) ||
	    !ws_text_word(&p, "|") || !ws_text_hex(&p, &e->loops) || !ws_text_end(&p))
		return WRONG;
	if (access == 1 || access == 2) {
		e->instruction = WS_CRAWFORD_BARRIER;
		return BARRIER;
	}
	if ((access >> 28 & 15) != 0xf && (access >> 28 & 15) != 0xa)
		return WRONG;
	e->address = (uint32_t)(access >> 32);
	e->store = (access >> 28 & 15) == 0xa;
	e->instruction = access & ((1u << NAME_MAX_BITS) - 1);
	return ACCESS;
}

static bool crawford_recognise(const uint8_t *data, size_t len)
{
	return len >= strlen(LOCAL) && memcmp(data, LOCAL, strlen(LOCAL)) == 0;
}

struct crawford_reading {
	struct ws_packed *s;
	struct ws_builder *b;
	uint64_t local[3];
	struct ws_crawford *entry;
	size_t count, cap;
	uint64_t launches;
};

static enum ws_status end_launch(struct crawford_reading *r, struct ws_err *err)
{
	size_t count = r->count;

	r->count = 0;
	r->launches++;
	return ws_crawford_launch(r->s, r->b, r->local, r->entry, count, err);
}

static enum ws_status add_entry(struct crawford_reading *r, const struct ws_crawford *e,
				struct ws_err *err)
{
	if (r->local[0] == 0)
		return ws_packed_fail(r->s, err, "an access before the line '" LOCAL "X Y Z'");
	if (e->item >> 3 * ITEM_BITS)
		return ws_packed_fail(r->s, err, "work-item 0x%" PRIx64 ": want three numbers of "
				      "%u bits", e->item, ITEM_BITS);
	if (r->count >= ENTRIES_MAX)
		return ws_packed_fail(r->s, err, "a launch of more than %llu accesses, want fewer",
				      ENTRIES_MAX);
	if (!WS_ROOM(r->entry, r->cap, r->count + 1))
		return ws_fail_memory(err, "the accesses of a launch");
	r->entry[r->count] = *e;
	r->entry[r->count].number = r->count;
	r->count++;
	return WS_OK;
}

static enum ws_status crawford_line(void *reader, char *line, struct ws_err *err)
{
	struct crawford_reading *r = reader;
	struct ws_crawford e = { 0 };
	uint64_t local[3];

	switch (crawford_parse(line, &e, local)) {
	case EMPTY:
		return WS_OK;
	case ACCESS:
	case BARRIER:
		return add_entry(r, &e, err);
	case END:
		if (r->local[0] == 0)
			return ws_packed_fail(r->s, err, "a launch ends before any began");
		return end_launch(r, err);
	case HEADER:
		if (r->count)
			return ws_packed_fail(r->s, err, "'%.60s' within a launch", line);
		if (!local[0] || !local[1] || !local[2])
			return ws_packed_fail(r->s, err, "'%.60s': want three numbers from 1 on",
					      line);
		memcpy(r->local, local, sizeof local);
		return WS_OK;
	default:
		return ws_packed_fail(r->s, err, "'%.60s': want 'ACCESS|WORK-ITEM|LOOPS', "
				      "hexadecimal, or hyphens", line);
	}
}

static enum ws_status read_crawford(struct ws_packed *s, const char *path, struct ws_builder *b,
				    struct ws_err *err)
{
	struct crawford_reading r = { .s = s, .b = b };
	enum ws_status status = ws_packed_lines(s, crawford_line, &r, err);

	(void)path;
	if (status == WS_OK && r.local[0] == 0)
		status = ws_packed_fail(s, err, "no line '" LOCAL "X Y Z'");
	/* The last launch may lack its hyphens. */
	if (status == WS_OK && (r.count || !r.launches))
		status = end_launch(&r, err);
	free(r.entry);
	return status;
}

/* ---- writing ------------------------------------------------------------------------ */

struct crawford_writing {
	struct ws_out *out;
	const struct ws_trace *t;
	const struct ws_launch *launch;
	uint64_t cta[3];	/* its place in the grid */
	uint64_t accesses;	/* of the CTA so far */
	uint64_t high;		/* half of addresses */
	bool has_high;
};

/* The global number of a lane of the CTA. */
static uint64_t item_of(const struct crawford_writing *w, size_t lane)
{
	const uint64_t *block = w->launch->block;
	uint64_t place[3] = { lane % block[0], lane / block[0] % block[1],
			      lane / block[0] / block[1] }, item = 0;

	for (unsigned d = 0; d < 3; d++)
		item |= (w->cta[d] * block[d] + place[d]) << d * ITEM_BITS;
	return item;
}

/* Access n of the CTA as iterations, counted from 1, of three nested loops. */
static uint64_t loops_of(uint64_t n)
{
	uint64_t inner = n % ROUND + 1, middle = n / ROUND % ROUND + 1;
	uint64_t outer = n / ROUND / ROUND + 1;

	return outer << 40 | (1ull << 16 | middle) << 20 | (2ull << 16 | inner);
}

/* "M" and the number, in base 36. */
static uint32_t name_of(uint32_t instruction)
{
	uint32_t number = instruction + 1, unit = 1, name = 0;

	for (; number; number /= 10, unit *= 36)
		name += number % 10 * unit;
	return name + M * unit;
}

static enum ws_status put_access(struct crawford_writing *w, uint64_t item, uint64_t loops,
				 uint32_t instruction, uint64_t address, struct ws_err *err)
{
	uint64_t mark = w->launch->instruction[instruction].kind == WS_LOAD ? 0xf : 0xa;
	char line[80];
	int n;

	if (w->has_high && address >> 32 != w->high)
		return ws_fail(err, WS_EINVAL, "%s: addresses 0x%" PRIx64 "... and 0x%" PRIx64
			       "...: this format has 32 bits of an address, so the others must be "
			       "the same in all", ws_trace_name(w->t), w->high, address >> 32);
	w->high = address >> 32;
	w->has_high = true;
	n = snprintf(line, sizeof line, "0x%" PRIX64 "|0x%" PRIX64 "|0x%" PRIX64 "\n",
		     address << 32 | mark << 28 | name_of(instruction), item, loops);
	ws_out_write(w->out, line, (size_t)n);
	return WS_OK;
}

/* One instruction of a step, or (address NULL) its barrier. */
static enum ws_status put_lanes(struct crawford_writing *w, const struct ws_step *step,
				uint32_t instruction, const uint64_t *address, struct ws_err *err)
{
	uint64_t loops = loops_of(w->accesses++);
	enum ws_status status = WS_OK;
	char line[64];

	for (size_t word = 0; word < step->words && status == WS_OK; word++) {
		for (uint64_t left = step->mask[word]; left && status == WS_OK; left &= left - 1) {
			size_t lane = word * 64 + ws_lowest_bit(left);
			uint64_t item = item_of(w, lane);

			if (address)
				status = put_access(w, item, loops, instruction, address[lane],
						    err);
			else
				ws_out_write(w->out, line, (size_t)snprintf(line, sizeof line,
					     "0x1|0x%" PRIX64 "|0x0\n", item));
		}
	}
	return status;
}

static enum ws_status put_step(struct crawford_writing *w, const struct ws_step *step,
			       struct ws_err *err)
{
	const struct ws_segment *segment = &w->launch->segment[step->segment];
	enum ws_status status = WS_OK;

	for (uint32_t i = 0; i < segment->count && status == WS_OK; i++) {
		uint32_t instruction = segment->first + i;

		if (w->launch->instruction[instruction].space == WS_SPACE_GLOBAL)
			status = put_lanes(w, step, instruction, step->address[i], err);
	}
	if (status == WS_OK && segment->barrier)
		status = put_lanes(w, step, 0, NULL, err);
	return status;
}

static enum ws_status put_cta(struct crawford_writing *w, struct ws_decoder *d, uint64_t cta,
			      struct ws_err *err)
{
	enum ws_status status = ws_decoder_seek(d, cta, err);
	const uint64_t *grid = w->launch->grid;
	struct ws_step step;
	bool more = true;

	w->cta[0] = cta % grid[0];
	w->cta[1] = cta / grid[0] % grid[1];
	w->cta[2] = cta / grid[0] / grid[1];
	w->accesses = 0;
	while (status == WS_OK) {
		status = ws_decoder_next(d, &step, &more, err);
		if (status != WS_OK || !more)
			break;
		status = put_step(w, &step, err);
	}
	return status;
}

static enum ws_status check_writing(const struct crawford_writing *w, struct ws_err *err)
{
	const struct ws_launch *l = w->launch;

	if (l->instructions > INSTRUCTIONS_MAX)
		return ws_fail(err, WS_EINVAL, "%s: kernel %s has %zu memory instructions: this "
			       "format has names for %u", ws_trace_name(w->t), l->kernel,
			       l->instructions, INSTRUCTIONS_MAX);
	for (int d = 0; d < 3; d++)
		if (l->grid[d] > (ITEM_MAX + 1ull) / l->block[d])
			return ws_fail(err, WS_EINVAL, "%s: kernel %s has %" PRIu64 " CTAs of %"
				       PRIu64 " threads along one dimension: this format has "
				       "numbers for %u threads", ws_trace_name(w->t), l->kernel,
				       l->grid[d], l->block[d], ITEM_MAX + 1);
	return WS_OK;
}

static enum ws_status write_launch(struct crawford_writing *w, size_t number, struct ws_err *err)
{
	struct ws_decoder *d = NULL;
	enum ws_status status;
	char line[128];

	w->launch = ws_trace_launch(w->t, number);
	status = check_writing(w, err);
	if (status == WS_OK)
		status = ws_decoder_new(&d, w->t, number, err);
	if (status != WS_OK)
		return status;
	ws_out_write(w->out, line, (size_t)snprintf(line, sizeof line,
		     LOCAL "%" PRIu64 " %" PRIu64 " %" PRIu64 "\n", w->launch->block[0],
		     w->launch->block[1], w->launch->block[2]));
	for (uint64_t cta = 0; cta < w->launch->ctas && status == WS_OK; cta++)
		status = put_cta(w, d, cta, err);
	ws_out_write(w->out, "--\n", 3);
	ws_decoder_free(d);
	return status;
}

static enum ws_status write_crawford(const struct ws_trace *t, const struct ws_writing *how,
				     struct ws_out *out, struct ws_err *err)
{
	struct crawford_writing w = { .out = out, .t = t };
	enum ws_status status = WS_OK;

	(void)how;
	for (size_t i = 0; i < ws_trace_launches(t) && status == WS_OK; i++)
		status = write_launch(&w, i, err);
	return status;
}

const struct ws_trace_format ws_trace_format_crawford = {
	.name = "crawford",
	.summary = "Crawford's traces of work-items: three columns",
	.recognise = crawford_recognise,
	.read = read_crawford,
	.write = write_crawford,
};
