/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * base/table.c -- rows of cells as tsv, csv or json lines.
 *
 * tsv   tab, newline, carriage return and backslash in a text become \t \n \r \\
 * csv   the quoting of RFC 4180; lines end in a newline alone
 * json  one object a line; numbers are the shortest that read back as the same
 *       double, whatever the decimals asked for; bytes that are not
 *       UTF-8 become U+FFFD
 *
 * Write errors stay in the FILE and are found when it is committed.
 */
#include "base/base.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

bool ws_format_parse(const char *name, enum ws_format *format)
{
	static const char *const names[] = { [WS_TSV] = "tsv", [WS_CSV] = "csv",
					     [WS_JSON] = "json" };

	for (size_t i = 0; i < WS_COUNT(names); i++) {
		if (strcmp(name, names[i]) == 0) {
			*format = (enum ws_format)i;
			return true;
		}
	}
	return false;
}

/* ---- text ---------------------------------------------------------------- */

static void tsv_text(FILE *file, const char *text)
{
	for (; *text; text++) {
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

/* Bytes of the UTF-8 sequence at s (Unicode 15, table 3-7); 0 if it is none. */
static size_t utf8_length(const unsigned char *s)
{
	size_t len = s[0] < 0x80 ? 1 : s[0] >= 0xc2 && s[0] < 0xe0 ? 2
		   : s[0] >= 0xe0 && s[0] < 0xf0 ? 3 : s[0] >= 0xf0 && s[0] < 0xf5 ? 4 : 0;

	for (size_t i = 1; i < len; i++)
		if ((s[i] & 0xc0) != 0x80)
			return 0;
	if ((s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] > 0x9f) ||
	    (s[0] == 0xf0 && s[1] < 0x90) || (s[0] == 0xf4 && s[1] > 0x8f))
		return 0;
	return len;
}

void ws_json_string(FILE *file, const char *text)
{
	const unsigned char *s = (const unsigned char *)text;

	fputc('"', file);
	while (*s) {
		size_t len = utf8_length(s);

		if (len == 0)
			fputs("\\ufffd", file);
		else if (*s == '"' || *s == '\\')
			fprintf(file, "\\%c", *s);
		else if (*s == '\n')
			fputs("\\n", file);
		else if (*s == '\t')
			fputs("\\t", file);
		else if (*s < 0x20 || *s == 0x7f)
			fprintf(file, "\\u%04x", *s);
		else
			fwrite(s, 1, len, file);
		s += len ? len : 1;
	}
	fputc('"', file);
}

/* ---- rows ---------------------------------------------------------------- */

void ws_table_begin(struct ws_table *t, FILE *file, enum ws_format format,
		    const char *const *column, size_t columns)
{
	*t = (struct ws_table){ file, format, column, columns, 0 };
	if (format == WS_JSON)
		return;
	for (size_t i = 0; i < columns; i++)
		ws_cell_str(t, column[i]);
}

/* What stands before a cell. */
static void begin_cell(struct ws_table *t)
{
	if (t->format != WS_JSON) {
		if (t->cell)
			fputc(t->format == WS_TSV ? '\t' : ',', t->file);
		return;
	}
	fputc(t->cell ? ',' : '{', t->file);
	ws_json_string(t->file, t->column[t->cell]);
	fputc(':', t->file);
}

static void end_cell(struct ws_table *t)
{
	if (++t->cell < t->columns)
		return;
	t->cell = 0;
	fputs(t->format == WS_JSON ? "}\n" : "\n", t->file);
}

void ws_cell_str(struct ws_table *t, const char *text)
{
	begin_cell(t);
	switch (t->format) {
	case WS_TSV:
		tsv_text(t->file, text);
		break;
	case WS_CSV:
		csv_text(t->file, text);
		break;
	case WS_JSON:
		ws_json_string(t->file, text);
		break;
	}
	end_cell(t);
}

void ws_cell_u64(struct ws_table *t, uint64_t value)
{
	begin_cell(t);
	fprintf(t->file, "%" PRIu64, value);
	end_cell(t);
}

/* 15 digits are enough for most decimal fractions, 17 for every double. */
static void shortest(FILE *file, double value)
{
	char text[40];

	for (int digits = 15; digits <= 17; digits++) {
		snprintf(text, sizeof text, "%.*g", digits, value);
		if (strtod(text, NULL) == value)
			break;
	}
	fputs(text, file);
}

void ws_cell_f64(struct ws_table *t, double value, int decimals)
{
	if (!isfinite(value)) {
		ws_cell_none(t);
		return;
	}
	begin_cell(t);
	value += 0.0; /* no "-0" */
	if (decimals < 0 || t->format == WS_JSON)
		shortest(t->file, value);
	else
		fprintf(t->file, "%.*f", decimals, value);
	end_cell(t);
}

void ws_cell_none(struct ws_table *t)
{
	begin_cell(t);
	fputs(t->format == WS_JSON ? "null" : "-", t->file);
	end_cell(t);
}

WS_PRINTF(1, 0)
static char *print_text(const char *fmt, va_list ap)
{
	va_list again;
	char *text = NULL;
	int len;

	va_copy(again, ap);
	len = vsnprintf(NULL, 0, fmt, again);
	va_end(again);
	if (len >= 0)
		text = malloc((size_t)len + 1);
	if (text)
		vsnprintf(text, (size_t)len + 1, fmt, ap);
	return text;
}

void ws_table_remark(struct ws_table *t, const char *fmt, ...)
{
	va_list ap;
	char *text;

	va_start(ap, fmt);
	text = print_text(fmt, ap);
	va_end(ap);
	if (t->format == WS_JSON) {
		fputs("{\"remark\":", t->file);
		ws_json_string(t->file, text ? text : "");
		fputs("}\n", t->file);
	} else {
		fputs("# ", t->file);
		tsv_text(t->file, text ? text : "");
		fputc('\n', t->file);
	}
	free(text);
}
