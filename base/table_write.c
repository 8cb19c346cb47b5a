/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * base/table_write.c -- rows as tsv, csv or json lines.
 *
 * tsv   tab, newline, carriage return and backslash in a text become \t \n \r \\
 * csv   the quoting of RFC 4180; lines end in a newline alone
 * json  one object a line; numbers are the shortest that read back as the same
 *       double, whatever the decimals of the column
 *
 * A missing cell is empty; in json it is null.  Write errors stay in the FILE and are found when
 * it is committed.
 */
#include "base/json.h"
#include "base/table.h"

#include <stdlib.h>
#include <string.h>

static void put_string(struct ws_buf *out, const char *text)
{
	ws_put_bytes(out, text, strlen(text));
}

static void put_char(struct ws_buf *out, char c)
{
	ws_put_bytes(out, &c, 1);
}

static void tsv_text(struct ws_buf *out, const char *text)
{
	while (*text) {
		size_t plain = strcspn(text, "\t\n\r\\");

		ws_put_bytes(out, text, plain);
		text += plain;
		if (!*text)
			break;
		put_char(out, '\\');
		put_char(out, *text == '\t' ? 't' : *text == '\n' ? 'n'
			 : *text == '\r' ? 'r' : '\\');
		text++;
	}
}

/* A leading '#' is quoted too, so that no row looks like a remark. */
static void csv_text(struct ws_buf *out, const char *text)
{
	if (!strpbrk(text, ",\"\r\n") && text[0] != '#') {
		put_string(out, text);
		return;
	}
	put_char(out, '"');
	for (; *text; text++) {
		if (*text == '"')
			put_char(out, '"');
		put_char(out, *text);
	}
	put_char(out, '"');
}

static void put_quoted(const struct ws_table *t, struct ws_buf *out, const char *text)
{
	if (t->format == WS_JSON)
		ws_json_put_string(out, text);
	else if (t->format == WS_CSV)
		csv_text(out, text);
	else
		tsv_text(out, text);
}

static void put_separator(const struct ws_table *t, struct ws_buf *out)
{
	put_char(out, t->format == WS_TSV ? '\t' : ',');
}

/* Writes and clears it. */
static void write_out(struct ws_table *t, struct ws_buf *out)
{
	t->failed = t->failed || out->failed;
	if (!t->failed)
		fwrite(out->data, 1, out->len, t->file);
	ws_buf_clear(out);
}

void ws_table_header(struct ws_table *t)
{
	struct ws_buf out = { 0 };

	if (t->format == WS_JSON || ws_table_for_people(t))
		return;
	for (size_t i = 0; i < t->shows; i++) {
		if (i)
			put_separator(t, &out);
		put_quoted(t, &out, ws_table_column(t, t->shown[i])->name);
	}
	put_char(&out, '\n');
	write_out(t, &out);
}

static void put_real(const struct ws_table *t, struct ws_buf *out, double value, int decimals)
{
	bool shortest = t->format == WS_JSON || decimals < 0;
	char text[WS_NUMBER_TEXT], longer[WS_SHORTEST_TEXT];
	size_t len = shortest ? ws_shortest_text(text, value)
			      : ws_fixed_text(text, value, decimals);

	if (len) {
		ws_put_bytes(out, text, len);
	} else if (shortest) {
		ws_shortest(longer, value);
		put_string(out, longer);
	} else {
		ws_put_printf(out, "%.*f", decimals, value);
	}
}

static void put_value(const struct ws_table *t, struct ws_buf *out,
		      const struct ws_column *column, const struct ws_table_value *v,
		      const char *texts)
{
	char text[WS_NUMBER_TEXT];

	if (!v->set) {
		if (t->format == WS_JSON)
			put_string(out, "null");
		return;
	}
	switch (v->type) {
	case WS_COLUMN_COUNT:
		ws_put_bytes(out, text, ws_count_text(text, v->as.count));
		break;
	case WS_COLUMN_REAL:
		put_real(t, out, v->as.real, column->decimals);
		break;
	case WS_COLUMN_TEXT:
	case WS_COLUMN_ANY: /* no value is of that type */
		put_quoted(t, out, texts + v->as.text);
		break;
	}
}

/* ---- lines -------------------------------------------------------------------------
 *
 * Most cells of a row are as in the row before.  A line is made of the line before it: pieces of
 * it are copied, and only values that differ are written.
 */

/* What comes before the value. */
static void put_before(const struct ws_table *t, struct ws_buf *out, size_t i)
{
	if (t->format == WS_JSON) {
		put_char(out, i ? ',' : '{');
		ws_json_put_string(out, ws_table_column(t, t->shown[i])->name);
		put_char(out, ':');
	} else if (i) {
		put_separator(t, out);
	}
}

/* A line without values. */
static bool begin_lines(struct ws_table *t)
{
	t->kept = ws_alloc_zero(t->shows, sizeof *t->kept);
	if (!t->kept)
		return false;
	for (size_t i = 0; i < t->shows; i++) {
		size_t from = t->last.len;

		put_before(t, &t->last, i);
		t->kept[i].before = t->last.len - from;
		if (t->format == WS_JSON)
			put_string(&t->last, "null");
		t->kept[i].end = t->last.len;
	}
	return !t->last.failed;
}

void ws_table_line_clear(struct ws_table *t)
{
	for (size_t i = 0; i < t->shows && t->kept; i++)
		free(t->kept[i].text);
	free(t->kept);
	ws_buf_clear(&t->line);
	ws_buf_clear(&t->last);
}

static inline bool is_kept(const struct ws_table_kept *k, const struct ws_table_value *v,
			   const char *texts)
{
	if (v->set != k->value.set || v->type != k->value.type)
		return false;
	if (!v->set)
		return true;
	if (v->type == WS_COLUMN_COUNT)
		return v->as.count == k->value.as.count;
	if (v->type == WS_COLUMN_REAL)
		return memcmp(&v->as.real, &k->value.as.real, sizeof v->as.real) == 0;
	return strcmp(texts + v->as.text, k->text) == 0;
}

static bool keep_value(struct ws_table_kept *k, const struct ws_table_value *v, const char *texts)
{
	const char *text = texts + (v->type == WS_COLUMN_TEXT ? v->as.text : 0);
	size_t size;

	k->value = *v;
	if (!v->set || v->type != WS_COLUMN_TEXT)
		return true;
	size = strlen(text) + 1;
	if (!WS_ROOM(k->text, k->cap, size))
		return false;
	memcpy(k->text, text, size);
	return true;
}

/* Into t->line; false if memory was out. */
static bool make_line(struct ws_table *t, const struct ws_table_row *row)
{
	const uint8_t *last = t->last.data;
	size_t from = 0, end = 0; /* of the piece of the last line that is to be copied */
	bool kept = true;

	t->line.len = 0;
	for (size_t i = 0; i < t->shows && kept; i++) {
		const struct ws_table_value *v = &row->value[t->shown[i]];
		struct ws_table_kept *k = &t->kept[i];

		if (is_kept(k, v, row->text)) {
			end = k->end;
			k->end = t->line.len + (end - from);
			continue;
		}
		ws_put_bytes(&t->line, last + from, end + k->before - from);
		from = end = k->end;
		put_value(t, &t->line, ws_table_column(t, t->shown[i]), v, row->text);
		k->end = t->line.len;
		kept = keep_value(k, v, row->text);
	}
	ws_put_bytes(&t->line, last + from, end - from);
	put_string(&t->line, t->format == WS_JSON ? "}\n" : "\n");
	return kept && !t->line.failed;
}

void ws_table_line(struct ws_table *t, const struct ws_table_row *row)
{
	struct ws_buf last;

	if (t->failed || (!t->kept && !begin_lines(t)) || !make_line(t, row)) {
		t->failed = true;
		return;
	}
	fwrite(t->line.data, 1, t->line.len, t->file);
	last = t->last;
	t->last = t->line;
	t->line = last;
}

void ws_table_remark_line(struct ws_table *t, const char *text)
{
	struct ws_buf out = { 0 };

	switch (t->format) {
	case WS_JSON:
		fputs("{\"remark\":", t->file);
		ws_json_string(t->file, text);
		fputs("}\n", t->file);
		break;
	case WS_MARKDOWN:
		fputs("<!-- ", t->file);
		for (; *text; text++) { /* two dashes would end the comment */
			fputc(*text == '\n' ? ' ' : *text, t->file);
			if (*text == '-' && text[1] == '-')
				fputc(' ', t->file);
		}
		fputs(" -->\n", t->file);
		break;
	case WS_TSV:
	case WS_CSV:
	case WS_ALIGNED:
		put_string(&out, "# ");
		tsv_text(&out, text);
		put_char(&out, '\n');
		write_out(t, &out);
		break;
	}
}
