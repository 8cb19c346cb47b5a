/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * base/table_query.c -- which columns and rows of a table are written, and in what order:
 *
 *   columns   a,b,c    these, in this order
 *             +a,+b    the usual ones and these, which the formats for people then have, too
 *             all      all that there are
 *   sort      a,b:desc by a, then by b from the largest; missing cells last; rows that are equal
 *                      stay in their order
 *   where     a<0.3    = != < <= > >=; a missing cell is equal to nothing but the empty text
 */
#include "base/table.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *column_name(size_t i, const void *context)
{
	return ((const struct ws_field *)context)[i].column->name;
}

/* Is the word, of three letters or more, one of the text's? */
static bool says(const char *text, const char *word)
{
	size_t len = strlen(word);

	for (const char *at = text; len > 2 && at && (at = strstr(at, word)); at += len)
		if ((at == text || !isalnum((unsigned char)at[-1])) &&
		    !isalnum((unsigned char)at[len]))
			return true;
	return false;
}

/* The field of the column of that name, of len characters. */
static enum ws_status find_field(size_t *found, const struct ws_field *field, size_t fields,
				 const char *name, size_t len, struct ws_err *err)
{
	char word[64];
	int nearest;

	for (*found = 0; *found < fields; ++*found) {
		const char *own = field[*found].column->name;

		if (strlen(own) == len && memcmp(own, name, len) == 0)
			return WS_OK;
	}
	*found = 0;
	snprintf(word, sizeof word, "%.*s", len < sizeof word ? (int)len : (int)sizeof word - 1,
		 name);
	nearest = ws_nearest_name(word, fields, column_name, field);
	if (nearest >= 0)
		return ws_fail(err, WS_EINVAL, "there is no column '%s' here, did you mean '%s'?",
			       word, field[nearest].column->name);
	for (size_t i = 0; i < fields; i++)
		if (says(field[i].column->meaning, word))
			return ws_fail(err, WS_EINVAL, "there is no column '%s' here, did you mean "
				       "'%s', %s?", word, field[i].column->name,
				       field[i].column->meaning);
	return ws_fail(err, WS_EINVAL, "there is no column '%s' here", word);
}

/* ---- columns -------------------------------------------------------------------- */

static bool is_shown(const struct ws_table *t, size_t field)
{
	for (size_t i = 0; i < t->shows; i++)
		if (t->shown[i] == field)
			return true;
	return false;
}

static void show_all(struct ws_table *t)
{
	for (size_t i = 0; i < t->fields; i++)
		if (!is_shown(t, i))
			t->shown[t->shows++] = i;
}

static enum ws_status show(struct ws_table *t, const char *name, size_t len, struct ws_err *err)
{
	bool more = *name == '+';
	size_t field;
	enum ws_status status;

	if (len == 3 && memcmp(name, "all", 3) == 0) {
		show_all(t);
		return WS_OK;
	}
	status = find_field(&field, t->field, t->fields, name + more, len - more, err);
	if (status != WS_OK)
		return status;
	if (more)
		t->wanted[field] = true;
	else if (!is_shown(t, field))
		t->shown[t->shows++] = field;
	return WS_OK;
}

/* Names alone are all that is shown; with "+" they are added to the usual columns. */
static enum ws_status choose_columns(struct ws_table *t, const char *list, struct ws_err *err)
{
	enum ws_status status = WS_OK;

	for (const char *name = list; *name && status == WS_OK; name += *name == ',') {
		size_t len = strcspn(name, ",");

		status = show(t, name, len, err);
		name += len;
	}
	if (status != WS_OK)
		return status;
	if (!*list)
		return ws_fail(err, WS_EINVAL, "no column is named: want NAME,NAME,..., +NAME or "
			       "all");
	t->asked = t->shows > 0;
	for (size_t i = 0; i < t->fields && t->asked; i++)
		if (t->wanted[i] && !is_shown(t, i))
			t->shown[t->shows++] = i;
	return WS_OK;
}

/* ---- order ----------------------------------------------------------------------- */

static enum ws_status add_key(struct ws_table *t, const char *item, size_t len, struct ws_err *err)
{
	const char *colon = memchr(item, ':', len);
	size_t name = colon ? (size_t)(colon - item) : len;
	bool down = colon && len - name == 5 && memcmp(colon, ":desc", 5) == 0;
	bool up = colon && len - name == 4 && memcmp(colon, ":asc", 4) == 0;
	size_t field;
	enum ws_status status = find_field(&field, t->field, t->fields, item, name, err);

	if (status == WS_OK && colon && !down && !up)
		return ws_fail(err, WS_EINVAL, "'%.*s': want NAME, NAME:asc or NAME:desc", (int)len,
			       item);
	if (status == WS_OK)
		t->key[t->keys++] = (struct ws_table_key){ field, down };
	return status;
}

static enum ws_status choose_order(struct ws_table *t, const char *list, struct ws_err *err)
{
	enum ws_status status = WS_OK;
	size_t items = 1;

	for (const char *p = list; *p; p++)
		items += *p == ',';
	t->key = ws_alloc(items, sizeof *t->key);
	if (!t->key)
		return ws_fail_memory(err, "the order of rows");
	for (const char *p = list; status == WS_OK; p++) {
		size_t len = strcspn(p, ",");

		status = add_key(t, p, len, err);
		p += len;
		if (!*p)
			break;
	}
	return status;
}

/* <0, 0, >0; text of a column whose values are of two types comes after its numbers. */
static int compare_values(const struct ws_table_row *a, const struct ws_table_row *b, size_t field)
{
	const struct ws_table_value *x = &a->value[field], *y = &b->value[field];
	double p, q;

	if (x->type == WS_COLUMN_TEXT && y->type == WS_COLUMN_TEXT)
		return strcmp(a->text + x->as.text, b->text + y->as.text);
	if (x->type == WS_COLUMN_TEXT || y->type == WS_COLUMN_TEXT)
		return x->type == WS_COLUMN_TEXT ? 1 : -1;
	if (x->type == WS_COLUMN_COUNT && y->type == WS_COLUMN_COUNT)
		return (x->as.count > y->as.count) - (x->as.count < y->as.count);
	p = x->type == WS_COLUMN_COUNT ? (double)x->as.count : x->as.real;
	q = y->type == WS_COLUMN_COUNT ? (double)y->as.count : y->as.real;
	return (p > q) - (p < q);
}

static int compare_rows(const struct ws_table *t, const struct ws_table_row *a,
			const struct ws_table_row *b)
{
	for (size_t k = 0; k < t->keys; k++) {
		size_t field = t->key[k].field;
		bool x = a->value[field].set, y = b->value[field].set;
		int order = x && y ? compare_values(a, b, field) : 0;

		if (x != y)
			return x ? -1 : 1; /* missing cells are last either way */
		if (order)
			return t->key[k].down ? -order : order;
	}
	return 0;
}

/* Sorts from[count] into to[count], which it is a copy of; merging keeps the order of equals. */
static void merge_sort(const struct ws_table *t, struct ws_table_row *from, struct ws_table_row *to,
		       size_t count)
{
	size_t half = count / 2, a = 0, b = half;

	if (count < 2)
		return;
	merge_sort(t, to, from, half);
	merge_sort(t, to + half, from + half, count - half);
	for (size_t i = 0; i < count; i++) {
		bool first = b == count ||
			     (a < half && compare_rows(t, &from[a], &from[b]) <= 0);

		to[i] = from[first ? a++ : b++];
	}
}

void ws_table_sort(struct ws_table *t)
{
	size_t bytes = t->sorted.count * sizeof *t->sorted.row;
	struct ws_table_row *copy;

	if (t->sorted.count < 2)
		return;
	copy = malloc(bytes);
	if (!copy) {
		t->failed = true;
		return;
	}
	memcpy(copy, t->sorted.row, bytes);
	merge_sort(t, copy, t->sorted.row, t->sorted.count);
	free(copy);
}

/* ---- conditions -------------------------------------------------------------------- */

/* The relation at p; its length, 0 if there is none. */
static size_t relation_at(const char *p, enum ws_relation *relation)
{
	static const struct {
		const char *text;
		enum ws_relation relation;
	} names[] = {
		{ "!=", WS_UNEQUAL }, { "<=", WS_AT_MOST }, { ">=", WS_AT_LEAST },
		{ "==", WS_EQUAL }, { "=", WS_EQUAL }, { "<", WS_LESS }, { ">", WS_MORE },
	};

	for (size_t i = 0; i < WS_COUNT(names); i++) {
		if (strncmp(p, names[i].text, strlen(names[i].text)) == 0) {
			*relation = names[i].relation;
			return strlen(names[i].text);
		}
	}
	return 0;
}

static double number_of(const char *text)
{
	uint64_t size;
	double value;

	if (ws_parse_double(text, &value))
		return value;
	return ws_parse_size(text, &size) ? (double)size : (double)NAN;
}

/* What may be compared: numbers with numbers, texts for being equal. */
static enum ws_status check_test(const struct ws_table *t, const struct ws_table_test *test,
				 const char *expression, struct ws_err *err)
{
	const struct ws_column *column = ws_table_column(t, test->field);
	bool equality = test->relation == WS_EQUAL || test->relation == WS_UNEQUAL;

	if (column->type == WS_COLUMN_TEXT && !equality)
		return ws_fail(err, WS_EINVAL, "'%.64s': %s is a text: want = or !=", expression,
			       column->name);
	if (column->type != WS_COLUMN_TEXT && isnan(test->number) &&
	    !(equality && (!*test->text || column->type == WS_COLUMN_ANY)))
		return ws_fail(err, WS_EINVAL, "'%.64s': %s is a number: '%.64s' is none",
			       expression,
			       column->name, test->text);
	return WS_OK;
}

static enum ws_status add_test(struct ws_table *t, const char *expression, struct ws_err *err)
{
	size_t len = strcspn(expression, "!<>="), sign;
	struct ws_table_test *test = &t->test[t->tests];
	enum ws_status status;

	sign = relation_at(expression + len, &test->relation);
	if (!sign)
		return ws_fail(err, WS_EINVAL, "'%.64s': want NAME=VALUE, or with != < <= > >=",
			       expression);
	status = find_field(&test->field, t->field, t->fields, expression, len, err);
	if (status != WS_OK)
		return status;
	test->text = ws_strdup(expression + len + sign);
	if (!test->text)
		return ws_fail_memory(err, "the conditions");
	test->number = number_of(test->text);
	t->tests++;
	return check_test(t, test, expression, err);
}

static bool holds(enum ws_relation relation, double a, double b)
{
	switch (relation) {
	case WS_EQUAL:
		return !(a < b) && !(a > b);
	case WS_UNEQUAL:
		return a < b || a > b;
	case WS_LESS:
		return a < b;
	case WS_AT_MOST:
		return a <= b;
	case WS_MORE:
		return a > b;
	case WS_AT_LEAST:
		return a >= b;
	}
	return false;
}

static bool passes(const struct ws_table_test *test, const struct ws_table_row *row)
{
	const struct ws_table_value *v = &row->value[test->field];
	bool same;

	if (!v->set || !*test->text) {
		same = !v->set && !*test->text;
	} else if (v->type == WS_COLUMN_TEXT) {
		same = strcmp(row->text + v->as.text, test->text) == 0;
	} else if (isnan(test->number)) {
		same = false;
	} else {
		double value = v->type == WS_COLUMN_COUNT ? (double)v->as.count : v->as.real;

		return holds(test->relation, value, test->number);
	}
	return test->relation == WS_EQUAL ? same
	     : test->relation == WS_UNEQUAL ? !same && (v->set || !*test->text) : false;
}

bool ws_table_passes(const struct ws_table *t, const struct ws_table_row *row)
{
	for (size_t i = 0; i < t->tests; i++)
		if (!passes(&t->test[i], row))
			return false;
	return true;
}

/* ---- all of it ----------------------------------------------------------------------- */

enum ws_status ws_table_choose(struct ws_table *t, const struct ws_table_options *o,
			       struct ws_err *err)
{
	enum ws_status status = WS_OK;

	if (o->columns)
		status = choose_columns(t, o->columns, err);
	if (!t->asked)
		show_all(t);
	if (status == WS_OK && o->sort)
		status = choose_order(t, o->sort, err);
	if (status != WS_OK || !o->where || !o->where->count)
		return status;
	t->test = ws_alloc_zero(o->where->count, sizeof *t->test);
	if (!t->test)
		return ws_fail_memory(err, "the conditions");
	for (size_t i = 0; i < o->where->count && status == WS_OK; i++)
		status = add_test(t, o->where->item[i], err);
	return status;
}
