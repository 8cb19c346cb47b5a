/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * plots/rows.c -- tsv and csv as base/table.c writes them, and as spreadsheets do.
 *
 * One pass over a copy of the file: cells are unescaped where they are, as that makes none longer.
 */
#include "plots/rows.h"

#include <stdlib.h>
#include <string.h>

struct row_reader {
	struct ws_rows *rows;
	char *p;		/* what is read next; a NUL is the end */
	size_t line;
	bool tsv;
};

static enum ws_status malformed(const struct row_reader *r, struct ws_err *err, const char *what)
{
	return ws_fail(err, WS_EFORMAT, "%s:%zu: %s", r->rows->name, r->line, what);
}

static bool add_cell(struct ws_rows *rows, size_t *cells, const char *text)
{
	if (!WS_ROOM(rows->cell, rows->cap, *cells + 1))
		return false;
	rows->cell[(*cells)++] = text;
	return true;
}

/* Both leave r->p at the character that ended the cell, which *end then is. */
static char *tsv_cell(struct row_reader *r, char **end)
{
	char *text = r->p, *to = r->p;

	for (; *r->p && *r->p != '\t' && *r->p != '\n'; r->p++) {
		if (*r->p == '\\' && r->p[1] && strchr("tnr\\", r->p[1])) {
			r->p++;
			*to++ = *r->p == 't' ? '\t' :
				*r->p == 'n' ? '\n' : *r->p == 'r' ? '\r' : '\\';
		} else {
			*to++ = *r->p;
		}
	}
	if (*r->p != '\t' && to > text && to[-1] == '\r' && r->p[-1] == '\r')
		to--;
	*end = to;
	return text;
}

/* NULL: a quote that is not closed, or something after one. */
static char *csv_cell(struct row_reader *r, char **end)
{
	char *text = r->p, *to = r->p;

	if (*r->p != '"') {
		r->p += strcspn(r->p, ",\n");
		*end = r->p > text && *r->p != ',' && r->p[-1] == '\r' ? r->p - 1 : r->p;
		return text;
	}
	for (r->p++; *r->p && (*r->p != '"' || r->p[1] == '"'); r->p++) {
		r->line += *r->p == '\n';
		*to++ = *r->p;
		r->p += *r->p == '"';
	}
	if (*r->p++ != '"')
		return NULL;
	r->p += *r->p == '\r' && r->p[1] == '\n';
	*end = to;
	return *r->p && *r->p != ',' && *r->p != '\n' ? NULL : text;
}

/* The cells of a line; past its end. */
static enum ws_status read_line(struct row_reader *r, size_t *cells, size_t *count,
				struct ws_err *err)
{
	char *end, *text, last;

	*count = 0;
	do {
		text = r->tsv ? tsv_cell(r, &end) : csv_cell(r, &end);
		if (!text)
			return malformed(r, err, "a quoted cell has no end, or something after it");
		last = *r->p;
		*end = '\0';
		r->p += last != '\0';
		if (++*count > WS_COLUMNS_MAX)
			return malformed(r, err, "more than 1024 cells in a row");
		if (!add_cell(r->rows, cells, text))
			return ws_fail_memory(err, "a table's cells");
	} while (last && last != '\n');
	return WS_OK;
}

/* Over remarks and empty lines; false at the end of the text. */
static bool next_line(struct row_reader *r)
{
	while (*r->p == '#' || *r->p == '\n' || (*r->p == '\r' && r->p[1] == '\n')) {
		r->p += strcspn(r->p, "\n");
		r->p += *r->p == '\n';
		r->line++;
	}
	return *r->p != '\0';
}

static enum ws_status read_header(struct row_reader *r, size_t *cells, struct ws_err *err)
{
	size_t len;

	if (strncmp(r->p, "\xef\xbb\xbf", 3) == 0)
		r->p += 3;
	if (!next_line(r))
		return ws_fail(err, WS_EFORMAT, "%s: holds no row: want a header of names, tsv or "
			       "csv", r->rows->name);
	if (*r->p == '{')
		return malformed(r, err, "json: want rows as tsv or csv");
	len = strcspn(r->p, "\n");
	r->tsv = memchr(r->p, '\t', len) || !memchr(r->p, ',', len);
	return read_line(r, cells, &r->rows->columns, err);
}

static enum ws_status read_row(struct row_reader *r, size_t *cells, struct ws_err *err)
{
	struct ws_rows *rows = r->rows;
	size_t line = r->line, count;
	enum ws_status status = read_line(r, cells, &count, err);

	if (status == WS_OK && count != rows->columns)
		return ws_fail(err, WS_EFORMAT, "%s:%zu: %zu cell%s, want %zu as in the header",
			       rows->name, line, count, count == 1 ? "" : "s", rows->columns);
	if (!WS_ROOM(rows->line, rows->line_cap, rows->rows + 1))
		return ws_fail_memory(err, "a table's rows");
	rows->line[rows->rows++] = line;
	r->line++;
	return status;
}

enum ws_status ws_rows_read(struct ws_rows *rows, const struct ws_in *in, struct ws_err *err)
{
	const uint8_t *nul = in->len ? memchr(in->data, 0, in->len) : NULL;
	struct row_reader r = { .rows = rows, .line = 1 };
	enum ws_status status;
	size_t cells = 0;

	*rows = (struct ws_rows){ .name = in->name };
	if (nul)
		return ws_fail(err, WS_EFORMAT, "%s: a zero byte at %zu: want rows as tsv or csv",
			       in->name, (size_t)(nul - in->data));
	rows->text = ws_alloc(in->len + 1, 1);
	if (!rows->text)
		return ws_fail_memory(err, "a table");
	if (in->len)
		memcpy(rows->text, in->data, in->len);
	rows->text[in->len] = '\0';
	r.p = rows->text;
	status = read_header(&r, &cells, err);
	r.line++;
	while (status == WS_OK && next_line(&r))
		status = read_row(&r, &cells, err);
	if (status == WS_OK && rows->rows == 0)
		status = ws_fail(err, WS_EFORMAT, "%s: a header, but no rows", in->name);
	if (status != WS_OK)
		ws_rows_clear(rows);
	return status;
}

void ws_rows_clear(struct ws_rows *rows)
{
	free(rows->text);
	free(rows->cell);
	free(rows->line);
	*rows = (struct ws_rows){ 0 };
}

static const char *column_name(size_t i, const void *context)
{
	const struct ws_rows *rows = context;

	return rows->cell[i];
}

enum ws_status ws_rows_column(const struct ws_rows *rows, const char *name, size_t *column,
			      struct ws_err *err)
{
	char all[512] = "";
	size_t len = 0;
	int nearest;

	for (*column = 0; *column < rows->columns; ++*column)
		if (strcmp(rows->cell[*column], name) == 0)
			return WS_OK;
	nearest = ws_nearest_name(name, rows->columns, column_name, rows);
	if (nearest >= 0)
		return ws_fail(err, WS_EINVAL, "%s has no column '%.64s', did you mean '%.64s'?",
			       rows->name, name, rows->cell[nearest]);
	for (size_t i = 0; i < rows->columns && len < sizeof all; i++)
		len += (size_t)snprintf(all + len, sizeof all - len, "%s%.64s", i ? ", " : "",
					rows->cell[i]);
	return ws_fail(err, WS_EINVAL, "%s has no column '%.64s': want one of %s", rows->name, name,
		       all);
}
