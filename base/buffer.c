/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * base/buffer.c -- growing arrays, and byte buffers of little-endian and
 * LEB128 integers that are written without error checks at each step and read
 * without ever passing the end.
 */
#include "base/base.h"

#include <stdlib.h>
#include <string.h>

bool ws_grow(void *array, size_t *cap, size_t need, size_t size)
{
	size_t want = *cap ? *cap : 16;
	void *old, *grown;

	while (want < need) {
		if (want > SIZE_MAX / 2)
			return false;
		want *= 2;
	}
	if (want > SIZE_MAX / 2 / size)
		return false;
	memcpy(&old, array, sizeof old); /* a pointer to whatever type */
	grown = realloc(old, want * size);
	if (!grown)
		return false;
	memcpy(array, &grown, sizeof grown);
	*cap = want;
	return true;
}

void *ws_alloc(size_t count, size_t size)
{
	if (size && count > SIZE_MAX / 2 / size)
		return NULL;
	return malloc(count && size ? count * size : 1);
}

void *ws_alloc_zero(size_t count, size_t size)
{
	if (size && count > SIZE_MAX / 2 / size)
		return NULL;
	return calloc(count ? count : 1, size ? size : 1);
}

char *ws_strdup(const char *text)
{
	size_t len = strlen(text) + 1;
	char *copy = malloc(len);

	return copy ? memcpy(copy, text, len) : NULL;
}

void ws_buf_clear(struct ws_buf *buf)
{
	free(buf->data);
	*buf = (struct ws_buf){ 0 };
}

/* Room for len more bytes, or NULL and .failed. */
static uint8_t *room(struct ws_buf *buf, size_t len)
{
	buf->failed |= len > SIZE_MAX - buf->len ||
		       !WS_ROOM(buf->data, buf->cap, buf->len + len);
	return buf->failed ? NULL : buf->data + buf->len;
}

void ws_put_bytes(struct ws_buf *buf, const void *data, size_t len)
{
	uint8_t *p = len ? room(buf, len) : NULL;

	if (p) {
		memcpy(p, data, len);
		buf->len += len;
	}
}

void ws_put_u8(struct ws_buf *buf, uint8_t value)
{
	ws_put_bytes(buf, &value, 1);
}

static void put_fixed(struct ws_buf *buf, uint64_t value, unsigned len)
{
	uint8_t byte[8];

	for (unsigned i = 0; i < len; i++)
		byte[i] = (uint8_t)(value >> 8 * i);
	ws_put_bytes(buf, byte, len);
}

void ws_put_u32(struct ws_buf *buf, uint32_t value)
{
	put_fixed(buf, value, 4);
}

void ws_put_u64(struct ws_buf *buf, uint64_t value)
{
	put_fixed(buf, value, 8);
}

void ws_put_var(struct ws_buf *buf, uint64_t value)
{
	uint8_t *p = room(buf, 10);

	if (!p)
		return;
	for (; value >= 0x80; value >>= 7)
		*p++ = (uint8_t)(value | 0x80);
	*p++ = (uint8_t)value;
	buf->len = (size_t)(p - buf->data);
}

void ws_put_printf(struct ws_buf *buf, const char *fmt, ...)
{
	char text[1024], *more = NULL;
	va_list ap;
	int len;

	va_start(ap, fmt);
	len = vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	if (len >= (int)sizeof text) {
		va_start(ap, fmt);
		len = vasprintf(&more, fmt, ap);
		va_end(ap);
		more = len < 0 ? NULL : more;
	}
	if (len < 0)
		buf->failed = true;
	else
		ws_put_bytes(buf, len < (int)sizeof text ? text : more, (size_t)len);
	free(more);
}

void ws_put_str(struct ws_buf *buf, const char *text)
{
	size_t len = strlen(text);

	ws_put_var(buf, len);
	ws_put_bytes(buf, text, len);
}

/* ---- reading -------------------------------------------------------------- */

const uint8_t *ws_get_bytes(struct ws_cursor *c, size_t len)
{
	const uint8_t *p = c->p;

	if (c->bad || len > (size_t)(c->end - c->p)) {
		c->bad = true;
		return NULL;
	}
	c->p += len;
	return p;
}

static uint64_t get_fixed(struct ws_cursor *c, unsigned len)
{
	const uint8_t *p = ws_get_bytes(c, len);
	uint64_t value = 0;

	for (unsigned i = 0; p && i < len; i++)
		value |= (uint64_t)p[i] << 8 * i;
	return value;
}

uint8_t ws_get_u8(struct ws_cursor *c)
{
	return (uint8_t)get_fixed(c, 1);
}

uint32_t ws_get_u32(struct ws_cursor *c)
{
	return (uint32_t)get_fixed(c, 4);
}

uint64_t ws_get_u64(struct ws_cursor *c)
{
	return get_fixed(c, 8);
}

uint64_t ws_get_var(struct ws_cursor *c)
{
	uint64_t value = 0;

	for (unsigned shift = 0; shift < 64 && !c->bad && c->p < c->end; shift += 7) {
		uint64_t byte = *c->p++;

		if (shift == 63 && byte > 1)
			break; /* past 64 bits */
		value |= (byte & 0x7f) << shift;
		if (!(byte & 0x80))
			return value;
	}
	c->bad = true;
	return 0;
}

char *ws_get_str(struct ws_cursor *c, size_t max)
{
	uint64_t len = ws_get_var(c);
	const uint8_t *p = len <= max ? ws_get_bytes(c, (size_t)len) : NULL;
	char *text = NULL;

	if (p && !memchr(p, 0, (size_t)len)) {
		text = malloc((size_t)len + 1);
		c->no_memory |= !text;
	}
	if (!text) {
		c->bad = true;
		return NULL;
	}
	memcpy(text, p, (size_t)len);
	text[len] = '\0';
	return text;
}

uint64_t ws_get_count(struct ws_cursor *c, size_t size)
{
	uint64_t count = ws_get_var(c);

	if (!c->bad && count <= (uint64_t)(c->end - c->p) / (size ? size : 1))
		return count;
	c->bad = true;
	return 0;
}
