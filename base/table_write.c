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

#define GATHERED 1024u

/* What goes to the file: stdio takes some ten times as long for each of a row's many short texts as
 * for the copy. */
struct gathered {
	FILE *file;
	size_t len;
	char text[GATHERED];
};

static void flush(struct gathered *g)
{
	fwrite(g->text, 1, g->len, g->file);
	g->len = 0;
}

static inline void put_char(struct gathered *g, char c)
{
	if (g->len == GATHERED)
		flush(g);
	g->text[g->len++] = c;
}

static void put_bytes(struct gathered *g, const char *text, size_t len)
{
	if (len > GATHERED - g->len)
		flush(g);
	if (len > GATHERED) {
		fwrite(text, 1, len, g->file);
		return;
	}
	memcpy(g->text + g->len, text, len);
	g->len += len;
}

static void put_string(struct gathered *g, const char *text)
{
	put_bytes(g, text, strlen(text));
}

static void tsv_text(struct gathered *g, const char *text)
{
	for (; *text; text++) {
		switch (*text) {
		case '\t':
			put_string(g, "\\t");
			break;
		case '\n':
			put_string(g, "\\n");
			break;
		case '\r':
			put_string(g, "\\r");
			break;
		case '\\':
			put_string(g, "\\\\");
			break;
		default:
			put_char(g, *text);
		}
	}
}

/* A leading '#' is quoted too, so that no row looks like a remark. */
static void csv_text(struct gathered *g, const char *text)
{
	if (!strpbrk(text, ",\"\r\n") && text[0] != '#') {
		put_string(g, text);
		return;
	}
	put_char(g, '"');
	for (; *text; text++) {
		if (*text == '"')
			put_char(g, '"');
		put_char(g, *text);
	}
	put_char(g, '"');
}

static void json_text(struct gathered *g, const char *text)
{
	size_t len = ws_json_plain(text);

	if (text[len]) {
		flush(g);
		ws_json_string(g->file, text);
		return;
	}
	put_char(g, '"');
	put_bytes(g, text, len);
	put_char(g, '"');
}

static void put_quoted(const struct ws_table *t, struct gathered *g, const char *text)
{
	if (t->format == WS_JSON)
		json_text(g, text);
	else if (t->format == WS_CSV)
		csv_text(g, text);
	else
		tsv_text(g, text);
}

static void put_separator(const struct ws_table *t, struct gathered *g)
{
	put_char(g, t->format == WS_TSV ? '\t' : ',');
}

void ws_table_header(const struct ws_table *t)
{
	struct gathered g;

	if (t->format == WS_JSON || ws_table_for_people(t))
		return;
	g.file = t->file;
	g.len = 0;
	for (size_t i = 0; i < t->shows; i++) {
		if (i)
			put_separator(t, &g);
		put_quoted(t, &g, ws_table_column(t, t->shown[i])->name);
	}
	put_char(&g, '\n');
	flush(&g);
}

static void put_real(const struct ws_table *t, struct gathered *g, double value, int decimals)
{
	bool shortest = t->format == WS_JSON || decimals < 0;
	char text[WS_NUMBER_TEXT];
	size_t len = shortest ? ws_shortest_text(text, value)
			      : ws_fixed_text(text, value, decimals);

	put_bytes(g, text, len);
	if (len)
		return;
	flush(g);
	if (shortest)
		ws_shortest(g->file, value);
	else
		fprintf(g->file, "%.*f", decimals, value);
}

static void put_value(const struct ws_table *t, struct gathered *g,
		      const struct ws_column *column, const struct ws_table_value *v,
		      const char *texts)
{
	char text[WS_NUMBER_TEXT];

	if (!v->set) {
		if (t->format == WS_JSON)
			put_string(g, "null");
		return;
	}
	switch (v->type) {
	case WS_COLUMN_COUNT:
		put_bytes(g, text, ws_count_text(text, v->as.count));
		break;
	case WS_COLUMN_REAL:
		put_real(t, g, v->as.real, column->decimals);
		break;
	case WS_COLUMN_TEXT:
	case WS_COLUMN_ANY: /* no value is of that type */
		put_quoted(t, g, texts + v->as.text);
		break;
	}
}

void ws_table_line(const struct ws_table *t, const struct ws_table_row *row)
{
	struct gathered g;

	g.file = t->file;
	g.len = 0;
	for (size_t i = 0; i < t->shows; i++) {
		const struct ws_column *column = ws_table_column(t, t->shown[i]);

		if (t->format == WS_JSON) {
			put_char(&g, i ? ',' : '{');
			json_text(&g, column->name);
			put_char(&g, ':');
		} else if (i) {
			put_separator(t, &g);
		}
		put_value(t, &g, column, &row->value[t->shown[i]], row->text);
	}
	put_string(&g, t->format == WS_JSON ? "}\n" : "\n");
	flush(&g);
}

void ws_table_remark_line(const struct ws_table *t, const char *text)
{
	struct gathered g;

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
		g.file = t->file;
		g.len = 0;
		put_string(&g, "# ");
		tsv_text(&g, text);
		put_char(&g, '\n');
		flush(&g);
		break;
	}
}
