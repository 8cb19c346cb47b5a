/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/format/header.c -- the static part of a launch: checked, written and read.  Writer and
 * reader use one check, so whatever is written can be read.
 */
#include "base/bits.h"
#include "trace/format/wst.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct check {
	enum ws_status status;
	const char *where;
	struct ws_err *err;
};

#define FAIL(c, fmt, ...) \
	ws_fail((c)->err, (c)->status, "%s: " fmt, (c)->where, __VA_ARGS__)

static enum ws_status check_shape(const struct check *c, const struct ws_launch *l)
{
	const uint64_t *b = l->block, *g = l->grid;
	uint64_t ctas = 1;

	for (int i = 0; i < 3; i++)
		if (b[i] < 1 || b[i] > WS_CTA_THREADS_MAX)
			return FAIL(c, "block[%d] is %" PRIu64 ", want 1..%u", i, b[i],
				    WS_CTA_THREADS_MAX);
	if (b[0] * b[1] * b[2] > WS_CTA_THREADS_MAX)
		return FAIL(c, "a block of %" PRIu64 "x%" PRIu64 "x%" PRIu64
			    " threads, want at most %u in all", b[0], b[1], b[2],
				    WS_CTA_THREADS_MAX);
	for (int i = 0; i < 3; i++) {
		if (g[i] < 1 || g[i] > WST_GRID_MAX / ctas)
			return FAIL(c, "a grid of %" PRIu64 "x%" PRIu64 "x%" PRIu64
				    " CTAs, want 1..%" PRIu64 " in all", g[0], g[1], g[2],
				    (uint64_t)WST_GRID_MAX);
		ctas *= g[i];
	}
	return WS_OK;
}

static enum ws_status check_name(const struct check *c, const char *what, size_t i,
				 const char *name)
{
	size_t len = name ? strlen(name) : 0;

	if (!name)
		return FAIL(c, "%s %zu has no name", what, i);
	if (len > WST_STRING_MAX)
		return FAIL(c, "the name of %s %zu has %zu bytes, want at most %u", what, i, len,
			    WST_STRING_MAX);
	return WS_OK;
}

static enum ws_status check_arrays(const struct check *c, const struct ws_launch *l)
{
	enum ws_status status = check_name(c, "kernel", 0, l->kernel);

	for (size_t i = 0; status == WS_OK && i < l->files; i++)
		status = check_name(c, "file", i, l->file[i]);
	for (size_t i = 0; status == WS_OK && i < l->arrays; i++) {
		const struct ws_array *a = &l->array[i];

		status = check_name(c, "array", i, a->name);
		if (status == WS_OK && a->bytes > UINT64_MAX - a->base)
			return FAIL(c, "array %zu: %" PRIu64 " bytes from 0x%" PRIx64
				    " pass the end of the address space", i, a->bytes, a->base);
	}
	for (size_t i = 0; status == WS_OK && l->text && i < l->files; i++)
		if (l->text[i] && strlen(l->text[i]) > WST_TEXT_MAX)
			return FAIL(c, "file %zu has %zu bytes, want at most %u", i,
				    strlen(l->text[i]), WST_TEXT_MAX);
	return status;
}

static enum ws_status check_pace(const struct check *c, const char *what, size_t i,
				 const struct ws_pace *p, uint32_t others)
{
	if (p->chain > others)
		return FAIL(c, "%s %zu: chain is %" PRIu32 ", want at most %" PRIu32
			    ", its other instructions", what, i, p->chain, others);
	if (p->code > p->code_end || p->code_end >= WS_CODE_MAX)
		return FAIL(c, "%s %zu: code from %" PRIu32 " to %" PRIu32
			    ", want them in order and less than %u", what, i, p->code, p->code_end,
			    WS_CODE_MAX);
	return WS_OK;
}

static enum ws_status check_instruction(const struct check *c, const struct ws_launch *l, size_t i)
{
	const struct ws_instruction *in = &l->instruction[i];

	if (in->kind >= WS_KINDS)
		return FAIL(c, "instruction %zu: kind is %u, want 0..%d", i, in->kind,
			    WS_KINDS - 1);
	if (in->space > WS_SPACE_LOCAL)
		return FAIL(c, "instruction %zu: space is %u, want 0..%d", i, in->space,
			    WS_SPACE_LOCAL);
	if (in->texture && (in->space != WS_SPACE_GLOBAL || in->kind == WS_ATOMIC))
		return FAIL(c, "instruction %zu: a texture access of kind %u in space %u, want a "
			    "load or store in space %d", i, in->kind, in->space, WS_SPACE_GLOBAL);
	if (in->past && (in->space != WS_SPACE_GLOBAL || in->kind == WS_ATOMIC))
		return FAIL(c, "instruction %zu: past the L1 one of kind %u in space %u, want a "
			    "load or store in space %d", i, in->kind, in->space, WS_SPACE_GLOBAL);
	if (in->bytes < 1 || in->bytes > WS_ACCESS_BYTES_MAX)
		return FAIL(c, "instruction %zu: bytes is %" PRIu32 ", want 1..%u", i, in->bytes,
			    WS_ACCESS_BYTES_MAX);
	if (in->array != WS_NO_ARRAY && in->array >= l->arrays)
		return FAIL(c, "instruction %zu: array is %" PRIu32 ", want less than %zu or none",
			    i,
			    in->array, l->arrays);
	if (in->file >= l->files && (in->file || in->line))
		return FAIL(c, "instruction %zu: file is %" PRIu32 ", want less than %zu", i,
			    in->file,
			    l->files);
	if (in->kind == WS_LOAD && in->use < 1)
		return FAIL(c, "instruction %zu: use of a load is %" PRIu32 ", want at least 1", i,
			    in->use);
	if (in->gap > WS_GAP_MAX)
		return FAIL(c, "instruction %zu: gap is %" PRIu32 ", want at most %u", i, in->gap,
			    WS_GAP_MAX);
	return check_pace(c, "instruction", i, &in->pace, in->gap);
}

static enum ws_status check_segment(const struct check *c, const struct ws_launch *l, size_t i)
{
	const struct ws_segment *s = &l->segment[i];
	uint64_t threads = ws_launch_threads(l);

	if (s->tail > WS_GAP_MAX)
		return FAIL(c, "segment %zu: tail is %" PRIu32 ", want at most %u", i, s->tail,
			    WS_GAP_MAX);
	if (s->first > l->instructions || s->count > l->instructions - s->first)
		return FAIL(c, "segment %zu: instructions %" PRIu32 " + %" PRIu32
			    ", want them within %zu", i, s->first, s->count, l->instructions);
	if (s->count > WST_LANE_WORDS_MAX / threads)
		return FAIL(c, "segment %zu: %" PRIu32 " instructions, want at most %" PRIu64
			    " for %" PRIu64 " threads", i, s->count,
			    (uint64_t)(WST_LANE_WORDS_MAX / threads), threads);
	return check_pace(c, "segment", i, &s->pace, s->tail);
}

enum ws_status ws_launch_check(const struct ws_launch *l, enum ws_status status,
				const char *where, struct ws_err *err)
{
	const struct check c = { .status = status, .where = where, .err = err };

	status = check_shape(&c, l);
	if (status == WS_OK && ws_launch_items(l) > WST_ITEMS_MAX)
		return FAIL(&c, "%" PRIu64 " arrays, instructions, segments and files, want at "
			    "most %" PRIu64, ws_launch_items(l), (uint64_t)WST_ITEMS_MAX);
	if (status == WS_OK)
		status = check_arrays(&c, l);
	for (size_t i = 0; status == WS_OK && i < l->instructions; i++)
		status = check_instruction(&c, l, i);
	for (size_t i = 0; status == WS_OK && i < l->segments; i++)
		status = check_segment(&c, l, i);
	return status == WS_OK ? ws_codes_check(l, c.status, where, err) : status;
}

/* Saturates: sizes from callers are not trusted to be small. */
uint64_t ws_launch_items(const struct ws_launch *l)
{
	const uint64_t count[] = { l->arrays, l->instructions, l->segments, l->files,
				   ws_codes_items(l) };
	uint64_t sum = 0;

	for (size_t i = 0; i < WS_COUNT(count); i++)
		sum = ws_add_sat(sum, count[i]);
	return sum;
}

/* ---- to bytes -------------------------------------------------------------- */

static bool is_paced(const struct ws_pace *p)
{
	return p->chain || p->code_end;
}

static void put_pace(struct ws_buf *raw, const struct ws_pace *p)
{
	if (!is_paced(p))
		return;
	ws_put_var(raw, p->chain);
	ws_put_var(raw, p->code);
	ws_put_var(raw, p->code_end - p->code);
}

static void put_instruction(struct ws_buf *raw, const struct ws_instruction *in)
{
	ws_put_u8(raw, in->kind);
	ws_put_u8(raw, (uint8_t)(in->space | (in->texture ? WST_TEXTURE : 0) |
				 (in->past ? WST_PAST : 0) |
				 (is_paced(&in->pace) ? WST_PACE : 0)));
	ws_put_var(raw, in->bytes);
	ws_put_var(raw, in->array == WS_NO_ARRAY ? 0 : (uint64_t)in->array + 1);
	ws_put_var(raw, in->file);
	ws_put_var(raw, in->line);
	ws_put_var(raw, in->gap);
	ws_put_var(raw, in->use);
	put_pace(raw, &in->pace);
}

static void put_texts(struct ws_buf *raw, const struct ws_launch *l)
{
	uint64_t count = 0;

	for (size_t i = 0; l->text && i < l->files; i++)
		count += l->text[i] != NULL;
	if (!count && !ws_codes_any(l))
		return;
	ws_put_var(raw, count);
	for (size_t i = 0; count && i < l->files; i++) {
		if (!l->text[i])
			continue;
		ws_put_var(raw, i);
		ws_put_str(raw, l->text[i]);
	}
}

void ws_launch_put(struct ws_buf *raw, uint64_t number, const struct ws_launch *l)
{
	ws_put_var(raw, number);
	ws_put_str(raw, l->kernel);
	for (int i = 0; i < 3; i++)
		ws_put_var(raw, l->grid[i]);
	for (int i = 0; i < 3; i++)
		ws_put_var(raw, l->block[i]);
	ws_put_var(raw, l->shared_bytes);
	ws_put_var(raw, l->registers);
	ws_put_var(raw, l->files);
	for (size_t i = 0; i < l->files; i++)
		ws_put_str(raw, l->file[i]);
	ws_put_var(raw, l->arrays);
	for (size_t i = 0; i < l->arrays; i++) {
		ws_put_str(raw, l->array[i].name);
		ws_put_var(raw, l->array[i].base);
		ws_put_var(raw, l->array[i].bytes);
	}
	ws_put_var(raw, l->instructions);
	for (size_t i = 0; i < l->instructions; i++)
		put_instruction(raw, &l->instruction[i]);
	ws_put_var(raw, l->segments);
	for (size_t i = 0; i < l->segments; i++) {
		ws_put_var(raw, l->segment[i].first);
		ws_put_var(raw, l->segment[i].count);
		ws_put_var(raw, l->segment[i].tail);
		ws_put_u8(raw, (uint8_t)(l->segment[i].barrier |
					 (is_paced(&l->segment[i].pace) ? WST_PACE : 0)));
		put_pace(raw, &l->segment[i].pace);
	}
	put_texts(raw, l);
	if (ws_codes_any(l))
		ws_codes_put(raw, l);
}

/* ---- from bytes ------------------------------------------------------------ */

static void get_pace(struct ws_cursor *c, struct ws_pace *p)
{
	uint32_t more;

	p->chain = ws_u32_get(c);
	p->code = ws_u32_get(c);
	more = ws_u32_get(c);
	if (more > UINT32_MAX - p->code)
		c->bad = true;
	else
		p->code_end = p->code + more;
}

static void get_instruction(struct ws_cursor *c, struct ws_instruction *in)
{
	uint64_t array;
	bool paced;

	in->kind = ws_get_u8(c);
	in->space = ws_get_u8(c);
	in->texture = in->space & WST_TEXTURE;
	in->past = in->space & WST_PAST;
	paced = in->space & WST_PACE;
	in->space &= (uint8_t)~(WST_TEXTURE | WST_PAST | WST_PACE);
	in->bytes = ws_u32_get(c);
	array = ws_get_var(c);
	if (array > WST_ITEMS_MAX)
		c->bad = true;
	in->array = array ? (uint32_t)(array - 1) : WS_NO_ARRAY;
	in->file = ws_u32_get(c);
	in->line = ws_u32_get(c);
	in->gap = ws_u32_get(c);
	in->use = ws_u32_get(c);
	if (paced)
		get_pace(c, &in->pace);
}

static void get_segment(struct ws_cursor *c, struct ws_segment *s)
{
	uint8_t barrier;

	s->first = ws_u32_get(c);
	s->count = ws_u32_get(c);
	s->tail = ws_u32_get(c);
	barrier = ws_get_u8(c);
	if (barrier & ~(1u | WST_PACE))
		c->bad = true;
	s->barrier = barrier & 1;
	if (barrier & WST_PACE)
		get_pace(c, &s->pace);
}

/* Of some of the files, in their order. */
static void get_texts(struct ws_cursor *c, struct ws_launch *l)
{
	uint64_t count = ws_get_count(c, 2), next = 0;

	if (!count && c->p < c->end)
		return;		/* but machine code */
	if (c->bad || !count || count > l->files) {
		c->bad = true;
		return;
	}
	l->text = ws_alloc_zero(l->files, sizeof *l->text);
	c->no_memory |= !l->text;
	c->bad |= !l->text;
	for (uint64_t i = 0; i < count && !c->bad; i++) {
		uint64_t file = ws_get_var(c);

		if (file < next || file >= l->files) {
			c->bad = true;
			return;
		}
		l->text[file] = ws_get_str(c, WST_TEXT_MAX);
		next = file + 1;
	}
}

bool ws_launch_get(struct ws_cursor *c, uint64_t *left, uint64_t *number, struct ws_launch *l)
{
	*l = (struct ws_launch){ 0 };
	*number = ws_get_var(c);
	l->kernel = ws_get_str(c, WST_STRING_MAX);
	for (int i = 0; i < 3; i++)
		l->grid[i] = ws_get_var(c);
	for (int i = 0; i < 3; i++)
		l->block[i] = ws_get_var(c);
	l->shared_bytes = ws_get_var(c);
	l->registers = ws_get_var(c);
	l->file = ws_room_get(c, left, &l->files, 1, sizeof *l->file);
	for (size_t i = 0; !c->bad && i < l->files; i++)
		l->file[i] = ws_get_str(c, WST_STRING_MAX);
	l->array = ws_room_get(c, left, &l->arrays, 3, sizeof *l->array);
	for (size_t i = 0; !c->bad && i < l->arrays; i++) {
		l->array[i].name = ws_get_str(c, WST_STRING_MAX);
		l->array[i].base = ws_get_var(c);
		l->array[i].bytes = ws_get_var(c);
	}
	l->instruction = ws_room_get(c, left, &l->instructions, 8, sizeof *l->instruction);
	for (size_t i = 0; !c->bad && i < l->instructions; i++)
		get_instruction(c, &l->instruction[i]);
	l->segment = ws_room_get(c, left, &l->segments, 4, sizeof *l->segment);
	for (size_t i = 0; !c->bad && i < l->segments; i++)
		get_segment(c, &l->segment[i]);
	if (!c->bad && c->p < c->end)
		get_texts(c, l);
	if (!c->bad && c->p < c->end)
		ws_codes_get(c, left, l);
	return !c->bad && c->p == c->end;
}
