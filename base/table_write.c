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
 *
 * Most cells of a sweep's row are those of the row before: what was written for them is copied.
 */
#include "base/json.h"
#include "base/table.h"

#include <stdlib.h>
#include <string.h>

#define GATHERED 4096u
#define TEXT_KEPT 96u		/* longer texts are written anew */

/* What goes to the file: stdio takes some ten times as long for each of a row's many short texts as
 * for the copy. */
struct gathered {
	FILE *file;
	size_t len;
	bool flushed;		/* what was gathered before is not here any more */
	char text[GATHERED];
};

static void flush(struct gathered *g)
{
	fwrite(g->text, 1, g->len, g->file);
	g->len = 0;
	g->flushed = true;
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

/* ---- lines ------------------------------------------------------------------------- */

struct piece {			/* of the line before: a cell with what stands before it */
	struct ws_table_value value;
	size_t from, len;	/* its bytes */
	bool lost;		/* the value is a text that is too long */
	char text[TEXT_KEPT];	/* else the text, if it is one */
};

struct ws_table_lines {
	struct gathered line[2]; /* this line and the one before, by turns */
	unsigned turn;
	bool kept;		/* there is one before, and all of it is here */
	struct piece piece[];	/* [shows] */
};

bool ws_table_lines_new(struct ws_table *t)
{
	t->lines = malloc(sizeof *t->lines + t->shows * sizeof *t->lines->piece);
	if (!t->lines)
		return false;
	t->lines->turn = 0;
	t->lines->kept = false;
	return true;
}

/* Is the cell that of the line before? */
static bool is_again(const struct piece *p, const struct ws_table_value *v, const char *texts)
{
	if (!v->set || !p->value.set)
		return v->set == p->value.set;
	if (v->type != p->value.type)
		return false;
	switch (v->type) {
	case WS_COLUMN_TEXT:
		return !p->lost && strcmp(p->text, texts + v->as.text) == 0;
	case WS_COLUMN_COUNT:
		return v->as.count == p->value.as.count;
	case WS_COLUMN_REAL:
		return memcmp(&v->as.real, &p->value.as.real, sizeof v->as.real) == 0;
	case WS_COLUMN_ANY:	/* no value is of that type */
		return false;
	}
	return false;
}

static void keep_value(struct piece *p, const struct ws_table_value *v, const char *texts)
{
	size_t len = v->set && v->type == WS_COLUMN_TEXT ? strlen(texts + v->as.text) : 0;

	p->value = *v;
	p->lost = len >= TEXT_KEPT;
	if (v->set && v->type == WS_COLUMN_TEXT && !p->lost)
		memcpy(p->text, texts + v->as.text, len + 1);
}

static void put_piece(const struct ws_table *t, struct gathered *g, size_t i,
		      const struct ws_table_row *row)
{
	const struct ws_column *column = ws_table_column(t, t->shown[i]);

	if (t->format == WS_JSON) {
		put_char(g, i ? ',' : '{');
		json_text(g, column->name);
		put_char(g, ':');
	} else if (i) {
		put_separator(t, g);
	}
	put_value(t, g, column, &row->value[t->shown[i]], row->text);
}

void ws_table_line(const struct ws_table *t, const struct ws_table_row *row)
{
	struct ws_table_lines *l = t->lines;
	struct gathered *g = &l->line[l->turn], *before = &l->line[!l->turn];

	g->file = t->file;
	g->len = 0;
	g->flushed = false;
	for (size_t i = 0; i < t->shows; i++) {
		const struct ws_table_value *v = &row->value[t->shown[i]];
		struct piece *p = &l->piece[i];
		size_t from = g->len;

		if (l->kept && is_again(p, v, row->text)) {
			put_bytes(g, before->text + p->from, p->len);
		} else {
			put_piece(t, g, i, row);
			keep_value(p, v, row->text);
			p->len = g->len - from;
		}
		p->from = from;
	}
	l->kept = !g->flushed;
	l->turn = !l->turn;
	put_string(g, t->format == WS_JSON ? "}\n" : "\n");
	flush(g);
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
