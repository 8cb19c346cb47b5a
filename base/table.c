/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * base/table.c -- rows of cells: a row is made cell by cell, by column, in any order.
 *
 * A cell that is not set is missing.  A cell of a column that the table does not have is dropped,
 * so that the code that makes rows need not know which columns were asked for.
 */
#include "base/table.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NOWHERE SIZE_MAX

static const char *const format_names[] = {
	[WS_TSV] = "tsv", [WS_CSV] = "csv", [WS_JSON] = "json", [WS_MARKDOWN] = "md",
	[WS_ALIGNED] = "table",
};

const char *const ws_column_types[] = {
	[WS_COLUMN_TEXT] = "text", [WS_COLUMN_COUNT] = "count", [WS_COLUMN_REAL] = "real",
	[WS_COLUMN_ANY] = "any",
};

bool ws_format_parse(const char *name, enum ws_format *format)
{
	for (size_t i = 0; i < WS_COUNT(format_names); i++) {
		if (strcmp(name, format_names[i]) == 0) {
			*format = (enum ws_format)i;
			return true;
		}
	}
	return false;
}

/* ---- a table ---------------------------------------------------------------- */

static enum ws_status set_fields(struct ws_table *t, const struct ws_field *field, size_t fields,
				 struct ws_err *err)
{
	t->fields = fields;
	for (size_t i = 0; i < fields; i++)
		t->places = field[i].id >= t->places ? field[i].id + 1u : t->places;
	t->field = ws_alloc(fields, sizeof *t->field);
	t->place = ws_alloc(t->places, sizeof *t->place);
	t->value = ws_alloc_zero(fields, sizeof *t->value);
	t->shown = ws_alloc(fields, sizeof *t->shown);
	t->wanted = ws_alloc_zero(fields, sizeof *t->wanted);
	if (!t->field || !t->place || !t->value || !t->shown || !t->wanted)
		return ws_fail_memory(err, "the columns");
	memcpy(t->field, field, fields * sizeof *field);
	for (size_t i = 0; i < t->places; i++)
		t->place[i] = NOWHERE;
	for (size_t i = 0; i < fields; i++) {
		assert(t->place[field[i].id] == NOWHERE); /* each once */
		t->place[field[i].id] = i;
	}
	return WS_OK;
}

enum ws_status ws_table_new(struct ws_table **out, FILE *file, const struct ws_field *field,
			    size_t fields, const struct ws_table_options *o, struct ws_err *err)
{
	struct ws_table *t = calloc(1, sizeof *t);
	enum ws_status status = WS_OK;

	*out = NULL;
	if (!t)
		return ws_fail_memory(err, "a table");
	t->file = file;
	t->format = o->format;
	t->remarks = o->remarks;
	t->others = o->others;
	t->top = o->top;
	status = set_fields(t, field, fields, err);
	if (status == WS_OK)
		status = ws_table_choose(t, o, err);
	if (status == WS_OK && !ws_table_lines_new(t))
		status = ws_fail_memory(err, "a table");
	if (status != WS_OK) {
		ws_table_free(t);
		return status;
	}
	if (o->provenance && t->remarks)
		ws_table_remark_line(t, o->provenance);
	if (!o->goes_on)
		ws_table_header(t);
	*out = t;
	return WS_OK;
}

void ws_table_free(struct ws_table *t)
{
	if (!t)
		return;
	ws_table_rows_clear(&t->sorted);
	ws_table_rows_clear(&t->page);
	for (size_t i = 0; i < t->tests; i++)
		free(t->test[i].text);
	free(t->test);
	free(t->key);
	free(t->field);
	free(t->place);
	free(t->shown);
	free(t->wanted);
	free(t->value);
	free(t->width);
	free(t->decimals);
	free(t->lines);
	ws_buf_clear(&t->text);
	ws_buf_clear(&t->ending);
	free(t);
}

/* ---- cells -------------------------------------------------------------------- */

/* The cell of a column of the table, NULL if the table does not have that column. */
static struct ws_table_value *cell(struct ws_table *t, unsigned id, enum ws_column_type type)
{
	size_t at = id < t->places ? t->place[id] : NOWHERE;
	struct ws_table_value *v;

	if (at == NOWHERE)
		return NULL;
	v = &t->value[at];
	assert(ws_table_column(t, at)->type == type ||
	       ws_table_column(t, at)->type == WS_COLUMN_ANY);
	assert(!v->set); /* once in a row */
	v->set = true;
	v->type = type;
	return v;
}

void ws_table_no_memory(struct ws_table *t)
{
	t->failed = true;
}

void ws_cell_str(struct ws_table *t, unsigned id, const char *text)
{
	struct ws_table_value *v = text ? cell(t, id, WS_COLUMN_TEXT) : NULL;

	if (!v)
		return;
	v->as.text = t->text.len;
	ws_put_bytes(&t->text, text, strlen(text) + 1);
	v->set = !t->text.failed;
}

void ws_cell_u64(struct ws_table *t, unsigned id, uint64_t value)
{
	struct ws_table_value *v = cell(t, id, WS_COLUMN_COUNT);

	if (v)
		v->as.count = value;
}

void ws_cell_f64(struct ws_table *t, unsigned id, double value)
{
	struct ws_table_value *v = isfinite(value) ? cell(t, id, WS_COLUMN_REAL) : NULL;

	if (v)
		v->as.real = value + 0.0; /* no "-0" */
}

void ws_cell_ratio(struct ws_table *t, unsigned id, double part, double whole)
{
	if (whole > 0)
		ws_cell_f64(t, id, part / whole);
}

static void write_row(struct ws_table *t, const struct ws_table_row *row)
{
	if (t->top && t->written == t->top)
		return;
	t->written++;
	if (ws_table_for_people(t))
		ws_table_aligned_line(t, row);
	else
		ws_table_line(t, row);
}

void ws_row_end(struct ws_table *t)
{
	const struct ws_table_row row = { t->value, (const char *)t->text.data };

	t->failed = t->failed || t->text.failed;
	t->made++;
	if (!t->failed && ws_table_passes(t, &row)) {
		t->passed++;
		if (t->keys)
			ws_table_keep(t, &t->sorted, &row);
		else
			write_row(t, &row);
	}
	memset(t->value, 0, t->fields * sizeof *t->value);
	t->text.len = 0;
}

bool ws_table_all_left_out(const struct ws_table *t)
{
	return t->tests && t->made && !t->passed;
}

/* ---- remarks, and the end ------------------------------------------------------- */

bool ws_table_remark(struct ws_table *t, const char *text)
{
	if (t->remarks || t->format == WS_ALIGNED)
		ws_put_bytes(&t->ending, text, strlen(text) + 1);
	return t->remarks || t->format == WS_ALIGNED;
}

enum ws_status ws_table_end(struct ws_table *t, struct ws_err *err)
{
	ws_table_sort(t);
	for (size_t i = 0; i < t->sorted.count; i++)
		write_row(t, &t->sorted.row[i]);
	if (ws_table_for_people(t))
		ws_table_aligned_flush(t, true);
	for (size_t at = 0; at < t->ending.len; at += strlen((char *)t->ending.data + at) + 1)
		ws_table_remark_line(t, (const char *)t->ending.data + at);
	return t->failed || t->ending.failed ? ws_fail_memory(err, "a table") : WS_OK;
}
