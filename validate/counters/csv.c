/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * validate/counters/csv.c -- records of comma-separated values.
 */
#include "validate/counters/csv.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const uint8_t mark[] = { 0xef, 0xbb, 0xbf }; /* U+FEFF in UTF-8 */

void ws_csv_init(struct ws_csv *c, const uint8_t *data, size_t len, const char *name)
{
	*c = (struct ws_csv){ .p = data, .end = data + len, .name = name, .line = 1, .next = 1 };
	if (len >= sizeof mark && memcmp(data, mark, sizeof mark) == 0)
		c->p += sizeof mark;
}

void ws_csv_clear(struct ws_csv *c)
{
	free(c->text);
	free(c->at);
	*c = (struct ws_csv){ .p = NULL };
}

enum ws_status ws_csv_fail(const struct ws_csv *c, struct ws_err *err, const char *fmt, ...)
{
	char text[512];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	return ws_fail(err, WS_EFORMAT, "%s:%" PRIu64 ": %s", c->name, c->line, text);
}

size_t ws_csv_line(const struct ws_csv *c)
{
	const uint8_t *feed = memchr(c->p, '\n', (size_t)(c->end - c->p));
	size_t len = (size_t)((feed ? feed : c->end) - c->p);

	return feed && len && c->p[len - 1] == '\r' ? len - 1 : len;
}

void ws_csv_skip(struct ws_csv *c)
{
	const uint8_t *feed = memchr(c->p, '\n', (size_t)(c->end - c->p));

	c->p = feed ? feed + 1 : c->end;
	c->next += feed != NULL;
}

/* ---- cells ----------------------------------------------------------------- */

static bool put(struct ws_csv *c, const void *data, size_t len)
{
	if (!WS_ROOM(c->text, c->text_cap, c->len + len + 1))
		return false;
	if (len)
		memcpy(c->text + c->len, data, len);
	c->len += len;
	c->text[c->len] = '\0';
	return true;
}

static bool cell_begin(struct ws_csv *c)
{
	if (!WS_ROOM(c->at, c->at_cap, c->cells + 1))
		return false;
	c->at[c->cells++] = c->len;
	return put(c, NULL, 0);
}

/* Is p at the end of a line?  *len: of the line's end. */
static bool at_end(const struct ws_csv *c, size_t *len)
{
	*len = 0;
	if (c->p == c->end)
		return true;
	if (*c->p == '\n')
		*len = 1;
	else if (*c->p == '\r' && c->end - c->p > 1 && c->p[1] == '\n')
		*len = 2;
	else if (*c->p == '\r' && c->end - c->p == 1)
		*len = 1;
	return *len > 0;
}

/* What is between quotes, from the one that opens on. */
static enum ws_status quoted_cell(struct ws_csv *c, struct ws_err *err)
{
	size_t end;

	for (c->p++;;) {
		const uint8_t *quote = memchr(c->p, '"', (size_t)(c->end - c->p));

		if (!quote)
			return ws_csv_fail(c, err, "a quote is not closed");
		for (const uint8_t *q = c->p; q < quote; q++)
			c->next += *q == '\n';
		if (!put(c, c->p, (size_t)(quote - c->p)))
			return ws_fail_memory(err, "a record");
		c->p = quote + 1;
		if (c->p == c->end || *c->p != '"')
			break;
		if (!put(c, c->p++, 1))
			return ws_fail_memory(err, "a record");
	}
	if (at_end(c, &end) || *c->p == ',')
		return WS_OK;
	return ws_csv_fail(c, err, "text after a cell that was closed by a quote");
}

static enum ws_status plain_cell(struct ws_csv *c, struct ws_err *err)
{
	const uint8_t *from = c->p;
	size_t end;

	for (; !at_end(c, &end) && *c->p != ','; c->p++)
		if (*c->p == '"')
			return ws_csv_fail(c, err, "a quote within a cell that does not begin "
					   "with one");
	return put(c, from, (size_t)(c->p - from)) ? WS_OK : ws_fail_memory(err, "a record");
}

static enum ws_status one_cell(struct ws_csv *c, struct ws_err *err)
{
	enum ws_status status;
	size_t from;

	if (!cell_begin(c))
		return ws_fail_memory(err, "a record");
	from = c->len;
	status = c->p < c->end && *c->p == '"' ? quoted_cell(c, err) : plain_cell(c, err);
	if (status == WS_OK && strlen(c->text + from) != c->len - from)
		return ws_csv_fail(c, err, "a zero byte");
	c->len += status == WS_OK; /* past the NUL */
	return status;
}

enum ws_status ws_csv_next(struct ws_csv *c, struct ws_err *err)
{
	enum ws_status status;
	size_t end;

	c->line = c->next;
	c->len = c->cells = 0;
	for (;;) {
		status = one_cell(c, err);
		if (status != WS_OK)
			return status;
		if (at_end(c, &end))
			break;
		c->p++; /* a comma */
	}
	c->p += end;
	c->next += end > 0;
	return WS_OK;
}
