/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * stackdist/file/codec.c -- what all parts of a profile file are made of (file.h).
 */
#include "stackdist/file/file.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define ROOM_ALWAYS (512ull << 20)
#define ROOM_PER_BYTE 1024u

void ws_codec_getter(struct ws_codec *c, const struct ws_in *in, uint64_t first)
{
	c->in = in;
	c->offset = c->next = first;
	c->limit = ROOM_ALWAYS;
	if (in->len < (UINT64_MAX - ROOM_ALWAYS) / ROOM_PER_BYTE)
		c->limit += in->len * ROOM_PER_BYTE;
	c->room = c->limit;
}

void ws_codec_clear(struct ws_codec *c)
{
	ws_buf_clear(&c->raw);
	ws_buf_clear(&c->packed);
	ws_packer_free(c->packer);
}

/* ---- failures and memory ----------------------------------------------------------- */

void ws_codec_fail(struct ws_codec *c, enum ws_status status)
{
	if (c->status || status == WS_OK)
		return;
	c->status = status;
	c->c = (struct ws_cursor){ .bad = true };
}

void ws_codec_bad(struct ws_codec *c, const char *format, ...)
{
	char text[512];
	va_list args;

	if (!ws_codec_got(c))
		return;
	va_start(args, format);
	vsnprintf(text, sizeof text, format, args);
	va_end(args);
	ws_codec_fail(c, ws_fail(c->err, WS_EFORMAT, "%s: offset %" PRIu64 ": %s", c->in->name,
				 c->offset, text));
}

static void too_large(struct ws_codec *c)
{
	ws_codec_bad(c, "a profile of more than %" PRIu64 " MiB in memory: a file of this size is "
		     "not expected to hold it", c->limit >> 20);
}

void ws_codec_alloc(struct ws_codec *c, void *out, size_t count, size_t size)
{
	void *memory = NULL;

	if (c->putting)
		return;
	if (ws_codec_got(c) && count > c->room / size)
		too_large(c);
	if (ws_codec_got(c)) {
		memory = ws_alloc_zero(count, size);
		c->room -= count * size;
		if (!memory)
			ws_codec_fail(c, ws_fail_memory(c->err, "a profile"));
	}
	memcpy(out, &memory, sizeof memory);
}

void ws_codec_array(struct ws_codec *c, void *array, size_t *count, uint64_t n, size_t size)
{
	ws_codec_alloc(c, array, (size_t)n, size);
	if (!c->putting)
		*count = c->status == WS_OK ? (size_t)n : 0;
}

/* ---- blocks -------------------------------------------------------------------------- */

static void get_block(struct ws_codec *c, uint32_t type)
{
	struct ws_block block = { 0 };

	ws_codec_fail(c, ws_block_at(c->in, c->next, &block, c->err));
	c->offset = block.offset;
	if (block.type != type)
		ws_codec_bad(c, "expected a block of type %c%c%c%c", (int)(type & 0xff),
			     (int)(type >> 8 & 0xff), (int)(type >> 16 & 0xff),
			     (int)(type >> 24));
	if (block.raw_len > c->room)
		too_large(c);
	if (!c->status)
		ws_codec_fail(c, ws_block_unpack(c->in, &block, &c->raw, c->err));
	if (c->status)
		return;
	c->c = (struct ws_cursor){ .p = c->raw.data, .end = c->raw.data + c->raw.len };
	c->next = block.next;
}

void ws_codec_open(struct ws_codec *c, uint32_t type)
{
	c->type = type;
	if (c->putting)
		c->raw.len = 0;
	else if (!c->status)
		get_block(c, type);
}

static void put_block(struct ws_codec *c)
{
	c->packed.len = 0;
	if (!c->packer)
		ws_codec_fail(c, ws_packer_new(&c->packer, c->err));
	if (c->raw.failed)
		ws_codec_fail(c, ws_fail_memory(c->err, "a block of the profile"));
	if (!c->status)
		ws_codec_fail(c, ws_packer_block(c->packer, &c->packed, c->type, c->raw.data,
						 c->raw.len, c->err));
	if (!c->status)
		ws_out_write(c->out, c->packed.data, c->packed.len);
}

void ws_codec_close(struct ws_codec *c)
{
	if (c->putting)
		put_block(c);
	else
		ws_codec_want(c, c->c.p == c->c.end, "the block is longer than what is in it");
}

uint64_t ws_codec_blocks(const struct ws_codec *c)
{
	return c->putting ? UINT64_MAX : (c->in->len - c->next) / WS_BLOCK_HEADER;
}

bool ws_codec_next_is(struct ws_codec *c, uint32_t type, uint32_t since, bool there)
{
	struct ws_block block = { 0 };

	if (c->putting)
		return there;
	if (c->status || c->version < since)
		return false;
	ws_codec_fail(c, ws_block_at(c->in, c->next, &block, c->err));
	return block.type == type && !c->status;
}

bool ws_codec_more(const struct ws_codec *c, uint32_t since, bool there)
{
	return c->putting ? there : c->version >= since && c->c.p < c->c.end;
}

/* ---- numbers and texts ------------------------------------------------------------------ */

static uint64_t get_number(struct ws_codec *c, const char *what)
{
	const uint8_t *p = c->c.p;
	uint64_t x;

	if (c->c.end - p >= 2 && p[0] >= 0x80 && p[1] < 0x80) {
		c->c.p += 2;
		return (p[0] & 0x7fu) | (uint64_t)p[1] << 7;
	}
	x = ws_get_var(&c->c);
	if (c->c.bad)
		ws_codec_bad(c, "%s: the block ends too soon, or has a malformed number in it",
			     what);
	return x;
}

void ws_code_long(struct ws_codec *c, uint64_t *x, uint64_t min, uint64_t max, const char *what)
{
	if (c->putting) {
		ws_put_var(&c->raw, *x);
		return;
	}
	*x = get_number(c, what);
	if (*x < min || *x > max) {
		ws_codec_bad(c, "%s is %" PRIu64 ", want %" PRIu64 "..%" PRIu64, what, *x, min,
			     max);
		*x = 0;
	}
}

void ws_code_signed(struct ws_codec *c, int64_t *x, const char *what)
{
	uint64_t v = (uint64_t)*x << 1 ^ (*x < 0 ? UINT64_MAX : 0);

	ws_code_any(c, &v, what);
	if (!c->putting)
		*x = (int64_t)(v >> 1 ^ (v & 1 ? UINT64_MAX : 0));
}

void ws_code_text(struct ws_codec *c, char **text, size_t max, const char *what)
{
	size_t len;

	if (c->putting && !c->status)
		ws_put_str(&c->raw, *text);
	if (c->putting)
		return;
	*text = c->status == WS_OK ? ws_get_str(&c->c, max) : NULL;
	if (c->c.no_memory)
		ws_codec_fail(c, ws_fail_memory(c->err, "a text of the profile"));
	if (!*text) {
		ws_codec_bad(c, "%s: a text that is cut off, of more than %zu bytes, or with a 0 "
			     "in it", what, max);
		return;
	}
	len = strlen(*text) + 1;
	c->room = len > c->room ? 0 : c->room - len;
}

/* ---- arrays and tables ---------------------------------------------------------------- */

static uint64_t bytes_left(const struct ws_codec *c)
{
	return (uint64_t)(c->c.end - c->c.p);
}

void ws_code_array(struct ws_codec *c, void *array, size_t *count, size_t size, size_t least,
		   const char *what)
{
	uint64_t n = *count;

	ws_code(c, &n, 0, bytes_left(c) / least, what);
	ws_codec_array(c, array, count, n, size);
}

void ws_codec_bad_index(struct ws_codec *c, uint64_t at, uint64_t size, const char *what)
{
	ws_codec_bad(c, "%s: index %" PRIu64 ", want less than %" PRIu64, what, at, size);
}

/* Where the entries are.  Getting: those become 1. */
static void code_places(struct ws_codec *c, uint64_t *count, size_t len, const char *what)
{
	uint64_t entries = 0, next = 0;

	for (size_t i = 0; c->putting && i < len; i++)
		entries += count[i] != 0;
	ws_code(c, &entries, 0, c->putting ? len : bytes_left(c) / 2, what);
	for (; entries && !c->status; entries--) {
		uint64_t at = next;

		while (c->putting && !count[at])
			at++;
		ws_code_index(c, &at, &next, len, what);
		if (ws_codec_got(c))
			count[at] = 1;
	}
}

static void code_smooth(struct ws_codec *c, uint64_t *count, uint64_t before, const char *what)
{
	int64_t step = (int64_t)(*count - before);

	ws_code_signed(c, &step, what);
	if (c->putting)
		return;
	*count = before + (uint64_t)step;
	if (*count == 0)
		ws_codec_bad(c, "%s: an entry is 0", what);
}

void ws_code_table(struct ws_codec *c, uint64_t *count, size_t len, enum ws_table_kind kind,
		   const char *what)
{
	uint64_t before = 0;

	code_places(c, count, len, what);
	for (size_t i = 0; i < len && !c->status; i++) {
		if (count[i] == 0)
			continue;
		if (kind == WS_TABLE_PLAIN)
			ws_code(c, count + i, 1, UINT64_MAX, what);
		else
			code_smooth(c, count + i, before, what);
		before = count[i];
	}
}

/* Of the table that follows: one more than its last index. */
static uint64_t table_length(const struct ws_codec *c, uint64_t most)
{
	struct ws_cursor walk = c->c;
	uint64_t entries = ws_get_count(&walk, 2), len = 0;

	for (; entries && !walk.bad; entries--) {
		uint64_t gap = ws_get_var(&walk);

		walk.bad |= gap >= most - len;
		len += gap + 1;
	}
	return walk.bad ? most : len;
}

void ws_code_growing(struct ws_codec *c, uint64_t **count, size_t *len, size_t most,
		     const char *what)
{
	uint64_t n = ws_codec_got(c) ? table_length(c, most) : 0;

	if (n)
		ws_codec_array(c, count, len, n, sizeof **count);
	ws_code_table(c, *count, *len, WS_TABLE_SMOOTH, what);
}
