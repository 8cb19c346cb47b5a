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

#include <string.h>

static void tsv_text(FILE *file, const char *text)
{
	size_t plain = strcspn(text, "\t\n\r\\");

	fwrite(text, 1, plain, file);
	for (text += plain; *text; text++) {
		switch (*text) {
		case '\t':
			fputs("\\t", file);
			break;
		case '\n':
			fputs("\\n", file);
			break;
		case '\r':
			fputs("\\r", file);
			break;
		case '\\':
			fputs("\\\\", file);
			break;
		default:
			fputc(*text, file);
		}
	}
}

/* A leading '#' is quoted too, so that no row looks like a remark. */
static void csv_text(FILE *file, const char *text)
{
	if (!strpbrk(text, ",\"\r\n") && text[0] != '#') {
		fputs(text, file);
		return;
	}
	fputc('"', file);
	for (; *text; text++) {
		if (*text == '"')
			fputc('"', file);
		fputc(*text, file);
	}
	fputc('"', file);
}

static void put_quoted(const struct ws_table *t, const char *text)
{
	if (t->format == WS_JSON)
		ws_json_string(t->file, text);
	else if (t->format == WS_CSV)
		csv_text(t->file, text);
	else
		tsv_text(t->file, text);
}

static void put_separator(const struct ws_table *t)
{
	fputc(t->format == WS_TSV ? '\t' : ',', t->file);
}

void ws_table_header(const struct ws_table *t)
{
	if (t->format == WS_JSON || ws_table_for_people(t))
		return;
	for (size_t i = 0; i < t->shows; i++) {
		if (i)
			put_separator(t);
		put_quoted(t, ws_table_column(t, t->shown[i])->name);
	}
	fputc('\n', t->file);
}

static void put_real(const struct ws_table *t, double value, int decimals)
{
	char text[WS_NUMBER_TEXT];
	size_t len;

	if (t->format == WS_JSON || decimals < 0) {
		ws_shortest(t->file, value);
		return;
	}
	len = ws_fixed_text(text, value, decimals);
	if (len)
		fwrite(text, 1, len, t->file);
	else
		fprintf(t->file, "%.*f", decimals, value);
}

static void put_value(const struct ws_table *t, const struct ws_column *column,
		      const struct ws_table_value *v, const char *texts)
{
	char text[WS_NUMBER_TEXT];

	if (!v->set) {
		if (t->format == WS_JSON)
			fputs("null", t->file);
		return;
	}
	switch (v->type) {
	case WS_COLUMN_COUNT:
		fwrite(text, 1, ws_count_text(text, v->as.count), t->file);
		break;
	case WS_COLUMN_REAL:
		put_real(t, v->as.real, column->decimals);
		break;
	case WS_COLUMN_TEXT:
	case WS_COLUMN_ANY: /* no value is of that type */
		put_quoted(t, texts + v->as.text);
		break;
	}
}

void ws_table_line(const struct ws_table *t, const struct ws_table_row *row)
{
	for (size_t i = 0; i < t->shows; i++) {
		const struct ws_column *column = ws_table_column(t, t->shown[i]);

		if (t->format == WS_JSON) {
			fputc(i ? ',' : '{', t->file);
			ws_json_string(t->file, column->name);
			fputc(':', t->file);
		} else if (i) {
			put_separator(t);
		}
		put_value(t, column, &row->value[t->shown[i]], row->text);
	}
	fputs(t->format == WS_JSON ? "}\n" : "\n", t->file);
}

void ws_table_remark_line(const struct ws_table *t, const char *text)
{
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
		fputs("# ", t->file);
		tsv_text(t->file, text);
		fputc('\n', t->file);
		break;
	}
}
