/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * base/table_aligned.c -- rows for people: aligned columns on a terminal, or a Markdown table.
 *
 * The first 1000 rows are kept until the widths are known; later rows are written as they come, in
 * the widths that these had.  Unless columns were asked for by name:
 * - columns without a value are left out;
 * - a text or a count that is the same in all rows is said once, above the table, if it is not 0;
 * - on a terminal, columns go until the rest fits LINE characters, those with the highest number
 *   in ws_column.brief first.  A text in the last column is cut before a column goes.
 *
 * A real number has as many decimals as give the largest of its column four digits, and no more
 * than it has in tsv.
 */
#include "base/table.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LINE 100u
#define GAP 2u		/* blanks between columns */
#define CUT_MIN 24u	/* a text in the last column keeps so many characters */
#define DIGITS 4

/* ---- one cell ------------------------------------------------------------------ */

#define NUMBER 400u /* longest of a number: a double of 309 digits and its decimals */

/* The text of a cell; number has room for one. */
static const char *cell_text(const struct ws_table_row *row, size_t field, int decimals,
			     char number[NUMBER])
{
	const struct ws_table_value *v = &row->value[field];

	if (!v->set)
		return "";
	if (v->type == WS_COLUMN_TEXT)
		return row->text + v->as.text;
	if (v->type == WS_COLUMN_COUNT)
		snprintf(number, NUMBER, "%" PRIu64, v->as.count);
	else
		snprintf(number, NUMBER, "%.*f", decimals, v->as.real);
	return number;
}

/* Characters of UTF-8; in Markdown a bar has a backslash before it. */
static size_t text_width(const struct ws_table *t, const char *text)
{
	bool markdown = t->format == WS_MARKDOWN;
	size_t width = 0;

	for (; *text; text++)
		width += (size_t)(((unsigned char)*text & 0xc0) != 0x80) + (markdown &&
									    *text == '|');
	return width;
}

static void put_padded(const struct ws_table *t, const char *text, size_t width)
{
	size_t cut = text_width(t, text) > width ? width - 3 : SIZE_MAX;

	for (size_t seen = 0; *text; text++) {
		seen += ((unsigned char)*text & 0xc0) != 0x80;
		if (seen > cut) {
			fputs("...", t->file);
			return;
		}
		if (*text == '|' && t->format == WS_MARKDOWN)
			fputc('\\', t->file);
		fputc((unsigned char)*text < ' ' ? ' ' : *text, t->file);
	}
}

static void put_blanks(const struct ws_table *t, size_t width, char with)
{
	for (size_t i = 0; i < width; i++)
		fputc(with, t->file);
}

/* Numbers stand at the right; but a column of both is one of texts. */
static bool is_number(const struct ws_table *t, size_t field)
{
	enum ws_column_type type = ws_table_column(t, field)->type;

	return type == WS_COLUMN_COUNT || type == WS_COLUMN_REAL;
}

/* ---- which columns ---------------------------------------------------------------- */

static bool same_cell(const struct ws_table_row *a, const struct ws_table_row *b, size_t field)
{
	const struct ws_table_value *x = &a->value[field], *y = &b->value[field];

	if (x->set != y->set || !x->set)
		return x->set == y->set;
	if (x->type != y->type)
		return false;
	return x->type == WS_COLUMN_TEXT ? strcmp(a->text + x->as.text, b->text + y->as.text) == 0
	     : x->type == WS_COLUMN_COUNT ? x->as.count == y->as.count : x->as.real == y->as.real;
}

static bool has_value(const struct ws_table *t, size_t field)
{
	for (size_t r = 0; r < t->page.count; r++)
		if (t->page.row[r].value[field].set)
			return true;
	return false;
}

static bool is_constant(const struct ws_table *t, size_t field)
{
	if (t->page.count < 2 || ws_table_column(t, field)->type == WS_COLUMN_REAL)
		return false;
	for (size_t r = 1; r < t->page.count; r++)
		if (!same_cell(&t->page.row[0], &t->page.row[r], field))
			return false;
	return true;
}

/* Takes out of what is shown the columns that `out` tells; how many those are. */
static size_t take_out(struct ws_table *t, bool (*out)(const struct ws_table *t, size_t field))
{
	size_t kept = 0, before = t->shows;

	for (size_t i = 0; i < before; i++)
		if (t->wanted[t->shown[i]] || !out(t, t->shown[i]))
			t->shown[kept++] = t->shown[i];
	t->shows = kept;
	return before - kept;
}

static bool is_empty(const struct ws_table *t, size_t field)
{
	return !has_value(t, field);
}

/* Not all of them: a table has a column. */
static bool some_vary(const struct ws_table *t)
{
	for (size_t i = 0; i < t->shows; i++)
		if (!is_constant(t, t->shown[i]))
			return true;
	return false;
}

static bool is_detail(const struct ws_table *t, size_t field)
{
	return ws_table_column(t, field)->brief == 0;
}

/* Says what is the same in all rows, but for counts of 0. */
static void put_constants(struct ws_table *t)
{
	size_t column = 0;
	char number[NUMBER];

	for (size_t i = 0; i < t->shows; i++) {
		const char *name = ws_table_column(t, t->shown[i])->name, *text;
		size_t width;

		text = cell_text(&t->page.row[0], t->shown[i], 0, number);
		if (t->wanted[t->shown[i]] || !is_constant(t, t->shown[i]) ||
		    strcmp(text, "0") == 0)
			continue;
		width = strlen(name) + 1 + text_width(t, text);
		if (column)
			fputs(column + 2 + width < LINE ? ", " : ",\n", t->file);
		column = column && column + 2 + width < LINE ? column + 2 + width : width;
		fprintf(t->file, "%s ", name);
		put_padded(t, text, SIZE_MAX);
	}
	if (column)
		fputs("\n\n", t->file);
}

/* ---- widths ------------------------------------------------------------------------- */

/* So many that the largest value has DIGITS digits. */
static int decimals_of(const struct ws_table *t, size_t field)
{
	int decimals = ws_table_column(t, field)->decimals, wanted;
	double most = 0;

	for (size_t r = 0; r < t->page.count; r++) {
		const struct ws_table_value *v = &t->page.row[r].value[field];

		if (v->set && v->type == WS_COLUMN_REAL)
			most = fmax(most, fabs(v->as.real));
	}
	if (most <= 0)
		return 0;
	wanted = DIGITS - (int)ceil(log10(most));
	wanted = wanted < 0 ? 0 : wanted > 12 ? 12 : wanted;
	return decimals >= 0 && decimals < wanted ? decimals : wanted;
}

static void measure(struct ws_table *t)
{
	char number[NUMBER];

	for (size_t i = 0; i < t->shows; i++) {
		size_t field = t->shown[i];

		t->decimals[i] = decimals_of(t, field);
		t->width[i] = strlen(ws_table_column(t, field)->name);
		for (size_t r = 0; r < t->page.count; r++) {
			size_t width = text_width(t, cell_text(&t->page.row[r], field,
							       t->decimals[i], number));

			t->width[i] = width > t->width[i] ? width : t->width[i];
		}
	}
}

static size_t total(const struct ws_table *t)
{
	size_t sum = 0;

	for (size_t i = 0; i < t->shows; i++)
		sum += t->width[i] + (i ? GAP : 0);
	return sum;
}

/* Without the shown column at `place`. */
static void hide(struct ws_table *t, size_t place)
{
	t->shows--;
	for (size_t i = place; i < t->shows; i++) {
		t->shown[i] = t->shown[i + 1];
		t->width[i] = t->width[i + 1];
		t->decimals[i] = t->decimals[i + 1];
	}
	t->hidden++;
}

static bool cut_last(struct ws_table *t)
{
	size_t last = t->shows - 1, over = total(t) - LINE;

	if (is_number(t, t->shown[last]) || t->width[last] < over + CUT_MIN)
		return false;
	t->width[last] -= over;
	t->cut = true;
	return true;
}

static void fit(struct ws_table *t)
{
	while (total(t) > LINE && !cut_last(t)) {
		size_t worst = t->shows;
		unsigned most = 0;

		for (size_t i = 0; i < t->shows; i++) {
			unsigned brief = ws_table_column(t, t->shown[i])->brief;

			if (t->wanted[t->shown[i]] || brief < most)
				continue;
			worst = i;
			most = brief;
		}
		if (worst == t->shows || t->shows == 1)
			return;
		hide(t, worst);
	}
}

/* ---- writing -------------------------------------------------------------------------- */

static void put_cell(const struct ws_table *t, size_t place, const char *text)
{
	size_t width = text_width(t, text);
	size_t blanks = t->width[place] > width ? t->width[place] - width : 0;
	bool number = is_number(t, t->shown[place]), markdown = t->format == WS_MARKDOWN;

	if (markdown)
		fputs(place ? " | " : "| ", t->file);
	else if (place)
		put_blanks(t, GAP, ' ');
	if (number)
		put_blanks(t, blanks, ' ');
	put_padded(t, text, t->cut && place + 1 == t->shows ? t->width[place] : SIZE_MAX);
	if (!number && (markdown || place + 1 < t->shows))
		put_blanks(t, blanks, ' ');
}

static void end_line(const struct ws_table *t)
{
	fputs(t->format == WS_MARKDOWN ? " |\n" : "\n", t->file);
}

static void put_row(const struct ws_table *t, const struct ws_table_row *row)
{
	char number[NUMBER];

	for (size_t i = 0; i < t->shows; i++)
		put_cell(t, i, cell_text(row, t->shown[i], t->decimals[i], number));
	end_line(t);
}

static void put_header(const struct ws_table *t)
{
	for (size_t i = 0; i < t->shows; i++)
		put_cell(t, i, ws_table_column(t, t->shown[i])->name);
	end_line(t);
	if (t->format != WS_MARKDOWN)
		return;
	for (size_t i = 0; i < t->shows; i++) {
		bool number = is_number(t, t->shown[i]);

		fputs(i ? " | " : "| ", t->file);
		put_blanks(t, t->width[i] - number, '-');
		fputs(number ? ":" : "", t->file);
	}
	end_line(t);
}

static void choose_columns(struct ws_table *t, bool last)
{
	size_t fields = t->shows, empty = take_out(t, is_empty), constant = 0;

	take_out(t, is_detail);
	if (last && some_vary(t)) {
		put_constants(t);
		constant = take_out(t, is_constant);
	}
	t->hidden = fields - empty - constant - t->shows;
}

void ws_table_aligned_flush(struct ws_table *t, bool last)
{
	if (!t->begun) {
		t->begun = true;
		t->width = ws_alloc_zero(t->shows, sizeof *t->width);
		t->decimals = ws_alloc_zero(t->shows, sizeof *t->decimals);
		if (!t->width || !t->decimals) {
			t->failed = true;
			return;
		}
		if (!t->asked && t->page.count)
			choose_columns(t, last);
		measure(t);
		if (!t->asked && t->format == WS_ALIGNED)
			fit(t);
		put_header(t);
	}
	for (size_t r = 0; r < t->page.count; r++)
		put_row(t, &t->page.row[r]);
	ws_table_rows_clear(&t->page);
	if (last && t->hidden && t->format == WS_ALIGNED)
		fprintf(t->file, "\n(%zu more column%s%s%s)\n", t->hidden,
			t->hidden == 1 ? "" : "s", t->others ? ": " : "",
			t->others ? t->others : "");
}

void ws_table_aligned_line(struct ws_table *t, const struct ws_table_row *row)
{
	if (t->begun)
		put_row(t, row);
	else if (ws_table_keep(t, &t->page, row) && t->page.count == WS_TABLE_PAGE)
		ws_table_aligned_flush(t, false);
}
