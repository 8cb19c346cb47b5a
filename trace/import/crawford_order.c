/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/import/crawford_order.c -- the scheduler's output in Crawford (Edinburgh 2014), listing
 * 5.3, which is his cache simulator's input.
 *
 *	32 4
 *	0x83BD000 R 0 0 1
 *
 * First the lanes of a warp and the number of work-groups, then a line for each lane's access:
 * address, R or W, work-group, warp in it, instruction.  As in section 6.5, lines of one
 * warp and one instruction that follow each other are a warp instruction, up to the lanes
 * of a warp; the lanes are numbered in this order, since the lines do not say which they are.  The
 * number of work-groups is the sum over dimensions in the thesis (equation 5.1) where the
 * product is meant: higher ones are accepted.  Accesses are to words of 4 bytes.  What is told of
 * warps is kept, how they took turns is not.  A line of two numbers begins another launch.
 *
 * Lines are packed while they are read, as the warps of a work-group are known last.
 *
 * Written are the lanes' accesses in the order of ordered.h, atomics as writes.
 */
#include "base/bits.h"
#include "trace/import/ordered.h"
#include "trace/import/text.h"
#include "trace/format/wst.h"

#include <inttypes.h>
#include <string.h>

#define PACKED_MAX (1ull << 31)	/* bytes of a launch's lines, packed */

struct crawford_order_entry {
	uint64_t address, group, warp, instruction;
	bool store;
};

static bool parse_header(const char *p, uint64_t *width, uint64_t *groups)
{
	ws_text_gap(&p);
	return ws_text_decimal(&p, width) && ws_text_gap(&p) && ws_text_decimal(&p, groups) &&
	       ws_text_end(&p);
}

static bool crawford_order_parse(const char *p, struct crawford_order_entry *e)
{
	char what;

	ws_text_gap(&p);
	if (!ws_text_hex(&p, &e->address) || !ws_text_gap(&p) || !ws_text_letter(&p, "RW", &what) ||
	    !ws_text_gap(&p) || !ws_text_decimal(&p, &e->group) || !ws_text_gap(&p) ||
	    !ws_text_decimal(&p, &e->warp) || !ws_text_gap(&p) ||
	    !ws_text_decimal(&p, &e->instruction))
		return false;
	e->store = what == 'W';
	return ws_text_end(&p);
}

static enum ws_line_kind crawford_order_kind(const char *line)
{
	uint64_t width, groups;
	struct crawford_order_entry e;

	if (ws_text_end(&line) || parse_header(line, &width, &groups))
		return WS_LINE_NEUTRAL;
	return crawford_order_parse(line, &e) ? WS_LINE_MINE : WS_LINE_OTHER;
}

static bool crawford_order_recognise(const uint8_t *data, size_t len)
{
	return ws_text_begins(data, len, crawford_order_kind);
}

/* ---- reading ------------------------------------------------------------------------- */

struct crawford_order_reading {
	struct ws_packed *s;
	struct ws_builder *b;
	uint64_t width, groups;	/* width 0: no launch yet */
	uint64_t warps;		/* of a work-group, so far */
	struct ws_buf packed;	/* entries, each less the one before */
	struct crawford_order_entry last;
};

static enum ws_status start_launch(struct crawford_order_reading *r, uint64_t width,
				   uint64_t groups, struct ws_err *err)
{
	if (width < 1 || width > 64)
		return ws_packed_fail(r->s, err, "warps of %" PRIu64 " lanes, want 1..64", width);
	r->width = width;
	r->groups = groups ? groups : 1;
	r->warps = 1;
	r->packed.len = 0;
	r->last = (struct crawford_order_entry){ 0 };
	return WS_OK;
}

static enum ws_status add_entry(struct crawford_order_reading *r,
				const struct crawford_order_entry *e, struct ws_err *err)
{
	if (!r->width)
		return ws_packed_fail(r->s, err, "an access before the line 'WARP-SIZE "
				      "WORK-GROUPS'");
	if (e->warp >= WS_CTA_THREADS_MAX / r->width)
		return ws_packed_fail(r->s, err, "warp %" PRIu64 " of %" PRIu64 " lanes in a "
				      "work-group: want at most %u work-items", e->warp, r->width,
				      WS_CTA_THREADS_MAX);
	if (e->group >> 32 || r->packed.len > PACKED_MAX)
		return ws_packed_fail(r->s, err, "work-group %" PRIu64 ", or a launch of too many "
				      "lines: want less than 2^32 and %llu bytes", e->group,
				      PACKED_MAX);
	ws_put_var(&r->packed, ws_zigzag(e->group - r->last.group) << 1 | e->store);
	ws_put_var(&r->packed, e->warp);
	ws_put_var(&r->packed, ws_zigzag(e->instruction - r->last.instruction));
	ws_put_var(&r->packed, ws_zigzag(e->address - r->last.address));
	r->last = *e;
	r->warps = e->warp >= r->warps ? e->warp + 1 : r->warps;
	r->groups = e->group >= r->groups ? e->group + 1 : r->groups;
	return r->packed.failed ? ws_fail_memory(err, "the accesses of a launch") : WS_OK;
}

static bool next_entry(struct ws_cursor *c, struct crawford_order_entry *e)
{
	uint64_t group;

	if (c->p == c->end)
		return false;
	group = ws_get_var(c);
	e->store = group & 1;
	e->group += ws_unzigzag(group >> 1);
	e->warp = ws_get_var(c);
	e->instruction += ws_unzigzag(ws_get_var(c));
	e->address += ws_unzigzag(ws_get_var(c));
	return !c->bad;
}

static enum ws_status put_entry(struct crawford_order_reading *r,
				const struct crawford_order_entry *e, unsigned lanes,
				const uint64_t *address, struct ws_err *err)
{
	struct ws_built_access a = {
		.cta = e->group, .warp = (uint32_t)e->warp, .pc = e->instruction,
		.kind = e->store ? WS_STORE : WS_LOAD, .space = WS_SPACE_GLOBAL,
		.bytes = WS_TEXT_BYTES, .address = address,
		.lanes = ws_first_bits(lanes),
	};
	struct ws_err why = { 0 };
	enum ws_status status = ws_builder_access(r->b, &a, &why);

	return status == WS_OK ? WS_OK : ws_text_blame(r->s, status, &why, err);
}

static bool together(const struct crawford_order_entry *a, const struct crawford_order_entry *b)
{
	return a->group == b->group && a->warp == b->warp && a->instruction == b->instruction &&
	       a->store == b->store;
}

static enum ws_status end_launch(struct crawford_order_reading *r, struct ws_err *err)
{
	struct ws_built_launch launch = {
		.kernel = WS_TEXT_KERNEL, .grid = { r->groups, 1, 1 },
		.block = { r->warps * r->width, 1, 1 }, .warp_width = (uint32_t)r->width,
	};
	struct ws_cursor c = { .p = r->packed.data, .end = r->packed.data };
	struct crawford_order_entry e = { 0 }, first = { 0 };
	uint64_t address[64];
	struct ws_err why = { 0 };
	unsigned lanes = 0;
	enum ws_status status = ws_builder_launch(r->b, &launch, &why);

	if (status != WS_OK)
		return ws_text_blame(r->s, status, &why, err);
	if (r->packed.len)
		c.end += r->packed.len;
	while (status == WS_OK && next_entry(&c, &e)) {
		if (lanes && (lanes == r->width || !together(&e, &first))) {
			status = put_entry(r, &first, lanes, address, err);
			lanes = 0;
		}
		first = lanes ? first : e;
		address[lanes++] = WS_TEXT_WORD(e.address);
	}
	return status == WS_OK && lanes ? put_entry(r, &first, lanes, address, err) : status;
}

static enum ws_status crawford_order_line(void *reader, char *text, struct ws_err *err)
{
	struct crawford_order_reading *r = reader;
	const char *line = text;
	uint64_t width, groups;
	enum ws_status status = WS_OK;
	struct crawford_order_entry e;

	if (ws_text_end(&line))
		return WS_OK;
	if (crawford_order_parse(line, &e))
		return add_entry(r, &e, err);
	if (!parse_header(line, &width, &groups))
		return ws_packed_fail(r->s, err, "'%.60s': want 'ADDRESS R|W WORK-GROUP WARP "
				      "INSTRUCTION', or 'WARP-SIZE WORK-GROUPS'", line);
	if (r->width)
		status = end_launch(r, err);
	return status == WS_OK ? start_launch(r, width, groups, err) : status;
}

static enum ws_status read_order(struct ws_packed *s, const char *path, struct ws_builder *b,
				 struct ws_err *err)
{
	struct crawford_order_reading r = { .s = s, .b = b };
	enum ws_status status = ws_packed_lines(s, crawford_order_line, &r, err);

	(void)path;
	if (status == WS_OK && !r.width)
		status = ws_packed_fail(s, err, "no line 'WARP-SIZE WORK-GROUPS'");
	if (status == WS_OK)
		status = end_launch(&r, err);
	ws_buf_clear(&r.packed);
	return status;
}

/* ---- writing --------------------------------------------------------------------------- */

struct crawford_order_writing {
	const struct ws_machine *m;
	struct ws_out *out;
};

static enum ws_status crawford_order_put_launch(void *context, const struct ws_launch *launch,
						size_t number,
						struct ws_err *err)
{
	const struct crawford_order_writing *w = context;
	uint64_t threads = ws_launch_threads(launch), width = w->m->warp_width;
	char line[64];

	(void)number;
	(void)err;
	ws_out_write(w->out, line, (size_t)snprintf(line, sizeof line, "%" PRIu64 " %" PRIu64 "\n",
		     threads < width ? threads : width, launch->ctas));
	return WS_OK;
}

static enum ws_status put_lanes(void *context, const struct ws_launch *launch,
				const struct ws_warp_access *a, struct ws_err *err)
{
	const struct crawford_order_writing *w = context;
	char kind = launch->instruction[a->instruction].kind == WS_LOAD ? 'R' : 'W', line[96];

	(void)err;
	for (uint64_t left = a->mask; left; left &= left - 1) {
		int n = snprintf(line, sizeof line,
				 "0x%" PRIX64 " %c %" PRIu64 " %" PRIu32 " %" PRIu64 "\n",
				 a->address[ws_lowest_bit(left)], kind, a->cta, a->warp,
				 (uint64_t)a->instruction + 1);

		ws_out_write(w->out, line, (size_t)n);
	}
	return WS_OK;
}

static enum ws_status write_order(const struct ws_trace *t, const struct ws_writing *how,
				  struct ws_out *out, struct ws_err *err)
{
	struct crawford_order_writing w = { how->machine, out };
	struct ws_ordered to = { .context = &w, .launch = crawford_order_put_launch,
				 .lanes = put_lanes };

	return ws_ordered_run(t, how, &to, err);
}

const struct ws_trace_format ws_trace_format_crawford_order = {
	.name = "crawford-order",
	.summary = "the scheduler's output in Crawford's model: accesses with warps",
	.recognise = crawford_order_recognise,
	.read = read_order,
	.write = write_order,
};
