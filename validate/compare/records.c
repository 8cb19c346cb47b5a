/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * validate/compare/records.c -- tables as the tool writes them: tsv, csv, json lines.
 *
 * Lines that begin with # are remarks, as are objects of a single member "remark" or "provenance".
 * All objects have the members of the first, in its order.
 */
#include "validate/compare/stats.h"

#include <stdlib.h>
#include <string.h>

static bool add(struct ws_buf *text, size_t **at, size_t *count, size_t *cap)
{
	if (!WS_ROOM(*at, *cap, *count + 1))
		return false;
	(*at)[(*count)++] = text->len;
	return true;
}

/* ---- tsv ------------------------------------------------------------------------------ */

/* What a letter after a backslash stands for. */
static char escaped(char c)
{
	static const char letter[] = "tnrbf", means[] = "\t\n\r\b\f";
	const char *at = strchr(letter, c);

	return c && at ? means[at - letter] : c;
}

static enum ws_status tabbed(struct ws_records *r, const char *line, size_t len,
			     struct ws_err *err)
{
	r->cells = r->text.len = 0;
	if (!add(&r->text, &r->cell, &r->cells, &r->cell_cap))
		return ws_fail_memory(err, "a record");
	for (size_t i = 0; i < len; i++) {
		char c = line[i];

		if (c == '\t') {
			ws_put_u8(&r->text, 0);
			if (!add(&r->text, &r->cell, &r->cells, &r->cell_cap))
				return ws_fail_memory(err, "a record");
			continue;
		}
		if (c == '\\' && i + 1 < len)
			c = escaped(line[++i]);
		if (!c)
			return ws_csv_fail(&r->csv, err, "a zero byte");
		ws_put_u8(&r->text, (uint8_t)c);
	}
	ws_put_u8(&r->text, 0);
	return r->text.failed ? ws_fail_memory(err, "a record") : WS_OK;
}

/* ---- json ----------------------------------------------------------------------------- */

struct json_line {		/* an object */
	const char *p, *end;
};

static void put_utf8(struct ws_buf *text, unsigned code)
{
	if (code < 0x80) {
		ws_put_u8(text, (uint8_t)code);
	} else if (code < 0x800) {
		ws_put_u8(text, (uint8_t)(0xc0 | code >> 6));
		ws_put_u8(text, (uint8_t)(0x80 | (code & 0x3f)));
	} else {
		ws_put_u8(text, (uint8_t)(0xe0 | code >> 12));
		ws_put_u8(text, (uint8_t)(0x80 | (code >> 6 & 0x3f)));
		ws_put_u8(text, (uint8_t)(0x80 | (code & 0x3f)));
	}
}

/* Four hexadecimal digits that are not zero. */
static bool four_digits(struct json_line *l, struct ws_buf *text)
{
	char digits[7] = "0x";
	uint64_t code;

	if (l->end - l->p < 4)
		return false;
	memcpy(digits + 2, l->p, 4);
	l->p += 4;
	if (!ws_parse_u64(digits, &code) || !code)
		return false;
	put_utf8(text, (unsigned)code);
	return true;
}

/* A string, from its quote on; with its NUL. */
static bool json_text(struct json_line *l, struct ws_buf *text)
{
	if (l->p == l->end || *l->p++ != '"')
		return false;
	for (; l->p < l->end && *l->p != '"'; l->p++) {
		char c = *l->p;

		if (c == '\\') {
			if (++l->p == l->end)
				return false;
			c = escaped(*l->p);
		}
		if (!c)
			return false;
		if (c != 'u' || l->p[-1] != '\\') {
			ws_put_u8(text, (uint8_t)c);
			continue;
		}
		l->p++;
		if (!four_digits(l, text))
			return false;
		l->p--;
	}
	ws_put_u8(text, 0);
	return l->p < l->end && *l->p++ == '"';
}

/* A string, a number or null, which is "". */
static bool json_value(struct json_line *l, struct ws_buf *text)
{
	static const char plain[] = "0123456789+-.eE";
	size_t n = 0;

	if (l->p < l->end && *l->p == '"')
		return json_text(l, text);
	if (l->end - l->p >= 4 && memcmp(l->p, "null", 4) == 0) {
		l->p += 4;
		ws_put_u8(text, 0);
		return true;
	}
	while (l->p + n < l->end && l->p[n] && strchr(plain, l->p[n]))
		n++;
	ws_put_bytes(text, l->p, n);
	ws_put_u8(text, 0);
	l->p += n;
	return n > 0;
}

static bool json_mark(struct json_line *l, char mark)
{
	while (l->p < l->end && *l->p == ' ')
		l->p++;
	if (l->p == l->end || *l->p != mark)
		return false;
	for (l->p++; l->p < l->end && *l->p == ' '; l->p++)
		;
	return true;
}

/* The names of an object's members onto names, their values as the record. */
static enum ws_status members(struct ws_records *r, const char *line, size_t len,
			      struct ws_buf *names, size_t *count, struct ws_err *err)
{
	struct json_line l = { line, line + len };
	bool good = json_mark(&l, '{'), more = good;

	r->cells = r->text.len = *count = 0;
	while (more) {
		good = json_text(&l, names) && json_mark(&l, ':');
		if (good && !add(&r->text, &r->cell, &r->cells, &r->cell_cap))
			return ws_fail_memory(err, "a record");
		good = good && json_value(&l, &r->text);
		*count += good;
		more = good && json_mark(&l, ',');
	}
	if (names->failed || r->text.failed)
		return ws_fail_memory(err, "a record");
	if (!good || !json_mark(&l, '}') || l.p < l.end)
		return ws_csv_fail(&r->csv, err, "want an object of texts, numbers and nulls on "
				   "one line");
	return WS_OK;
}

static bool is_remark(const struct ws_buf *names, size_t count)
{
	const char *name = (const char *)names->data;

	return count == 1 && (strcmp(name, "remark") == 0 || strcmp(name, "provenance") == 0);
}

/* *took: it was no remark. */
static enum ws_status object(struct ws_records *r, const char *line, size_t len, bool *took,
			     struct ws_err *err)
{
	struct ws_buf names = { 0 };
	size_t count;
	enum ws_status status = members(r, line, len, &names, &count, err);

	*took = status == WS_OK && !is_remark(&names, count);
	if (*took && !r->columns) {
		for (size_t i = 0, at = 0; i < count && status == WS_OK; i++) {
			r->names.len = at;
			if (!add(&r->names, &r->name, &r->columns, &r->name_cap))
				status = ws_fail_memory(err, "the columns");
			at += strlen((const char *)names.data + at) + 1;
		}
		ws_buf_clear(&r->names);
		r->names = names;
		return status;
	}
	if (*took && (names.len != r->names.len ||
		      memcmp(names.data, r->names.data, names.len) != 0))
		status = ws_csv_fail(&r->csv, err, "an object of other members than the first");
	ws_buf_clear(&names);
	return status;
}

/* ---- lines ------------------------------------------------------------------------------ */

/* Passes over remarks and empty lines.  False: nothing is left. */
static bool next_line(struct ws_records *r)
{
	while (ws_csv_more(&r->csv) && (ws_csv_line(&r->csv) == 0 || *r->csv.p == '#'))
		ws_csv_skip(&r->csv);
	return ws_csv_more(&r->csv);
}

/* The record at hand as cells.  *took: it is none of json's remarks. */
static enum ws_status take_line(struct ws_records *r, bool *took, struct ws_err *err)
{
	const char *line = (const char *)r->csv.p;
	size_t len = ws_csv_line(&r->csv);

	*took = true;
	if (r->separator == ',')
		return ws_csv_next(&r->csv, err);
	r->csv.line = r->csv.next;
	ws_csv_skip(&r->csv);
	return r->separator == '{' ? object(r, line, len, took, err) : tabbed(r, line, len, err);
}

static size_t cells_of(const struct ws_records *r)
{
	return r->separator == ',' ? r->csv.cells : r->cells;
}

static const char *cell_of(const struct ws_records *r, size_t i)
{
	return r->separator == ',' ? ws_csv_cell(&r->csv, i)
				   : (const char *)r->text.data + r->cell[i];
}

enum ws_status ws_records_begin(struct ws_records *r, const struct ws_in *in, struct ws_err *err)
{
	enum ws_status status;
	size_t len;
	bool took;

	*r = (struct ws_records){ .separator = ',' };
	ws_csv_init(&r->csv, in->data, in->len, in->name);
	if (!next_line(r))
		return WS_OK;
	len = ws_csv_line(&r->csv);
	if (*r->csv.p == '{')
		r->separator = '{';
	else if (memchr(r->csv.p, '\t', len))
		r->separator = '\t';
	if (r->separator == '{') /* each object has the names */
		return WS_OK;
	status = take_line(r, &took, err);
	for (size_t i = 0; status == WS_OK && i < cells_of(r); i++) {
		const char *name = cell_of(r, i);

		if (!add(&r->names, &r->name, &r->columns, &r->name_cap))
			return ws_fail_memory(err, "the columns");
		ws_put_bytes(&r->names, name, strlen(name) + 1);
	}
	return status == WS_OK && r->names.failed ? ws_fail_memory(err, "the columns") : status;
}

enum ws_status ws_records_next(struct ws_records *r, bool *more, struct ws_err *err)
{
	enum ws_status status = WS_OK;
	bool took = false;

	while (status == WS_OK && !took && (*more = next_line(r)))
		status = take_line(r, &took, err);
	if (status == WS_OK && *more && cells_of(r) != r->columns)
		return ws_csv_fail(&r->csv, err, "%zu cells, but the header has %zu", cells_of(r),
				   r->columns);
	return status;
}

void ws_records_end(struct ws_records *r)
{
	ws_csv_clear(&r->csv);
	ws_buf_clear(&r->names);
	ws_buf_clear(&r->text);
	free(r->name);
	free(r->cell);
	*r = (struct ws_records){ 0 };
}

size_t ws_records_column(const struct ws_records *r, const char *name)
{
	for (size_t i = 0; i < r->columns; i++)
		if (strcmp((const char *)r->names.data + r->name[i], name) == 0)
			return i;
	return SIZE_MAX;
}

const char *ws_records_cell(const struct ws_records *r, size_t column)
{
	return column < cells_of(r) ? cell_of(r, column) : "";
}
