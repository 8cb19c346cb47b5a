/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * base/table.h -- what the files that make up a table share.
 *
 * A row goes from table.c, which collects its cells, through the conditions and the sorting of
 * table_query.c to a writer: table_write.c has tsv, csv and json, table_aligned.c the formats for
 * people, which look at many rows before they write the first.
 */
#ifndef WS_BASE_TABLE_H
#define WS_BASE_TABLE_H

#include "base/base.h"

struct ws_table_value {
	bool set;		/* else the cell is missing */
	enum ws_column_type type; /* of this value: text, count or real */
	union {
		size_t text;	/* offset into the row's texts */
		uint64_t count;
		double real;
	} as;
};

struct ws_table_row {
	const struct ws_table_value *value; /* by field */
	const char *text;	/* the texts, each with its NUL */
};

struct ws_table_rows {		/* rows that are kept; zero is none */
	struct ws_table_row *row;
	size_t count, cap;
};

enum ws_relation { WS_EQUAL, WS_UNEQUAL, WS_LESS, WS_AT_MOST, WS_MORE, WS_AT_LEAST };

struct ws_table_test {		/* --where */
	size_t field;
	enum ws_relation relation;
	char *text;		/* the value as it was given */
	double number;		/* the same as a number; NAN: it is none */
};

struct ws_table_key {		/* --sort */
	size_t field;
	bool down;
};

struct ws_table {
	FILE *file;
	enum ws_format format;
	bool failed;		/* memory was out */
	bool remarks;		/* they are written */
	const char *others;
	struct ws_field *field;
	size_t fields;
	size_t *place;		/* of an id: its field, or SIZE_MAX */
	size_t places;
	size_t *shown;		/* fields that are written, in this order */
	size_t shows;
	bool asked;		/* they were asked for by name: all are written */
	bool *wanted;		/* by field: was asked for besides the usual ones */
	struct ws_table_value *value; /* of the row that is being made */
	struct ws_buf text;
	struct ws_table_test *test;
	size_t tests;
	struct ws_table_key *key;
	size_t keys;
	uint64_t top, written;	/* top 0: all */
	uint64_t made, passed;	/* rows; passed: that --where leaves */
	struct ws_table_rows sorted, page;
	bool begun;		/* aligned: the header is written */
	size_t *width;		/* aligned: by shown column, as that is */
	int *decimals;		/* likewise */
	bool cut;		/* aligned: texts of the last column are cut to its width */
	size_t hidden;		/* aligned: columns with values that there was no room for */
	struct ws_table_lines *lines; /* table_write.c */
	struct ws_buf ending;	/* remarks, each with its NUL */
};

/* ---- fixed.c ---- */
#define WS_NUMBER_TEXT 32u
/* As printf's PRIu64 and %.*f write it, without a NUL; returns the length.  0: the number is one
 * for printf. */
size_t ws_count_text(char text[WS_NUMBER_TEXT], uint64_t count);
size_t ws_fixed_text(char text[WS_NUMBER_TEXT], double value, int decimals);
/* The same as ws_shortest writes it. */
size_t ws_shortest_text(char text[WS_NUMBER_TEXT], double value);

/* ---- table_rows.c ---- */
bool ws_table_keep(struct ws_table *t, struct ws_table_rows *rows, const struct ws_table_row *row);
void ws_table_rows_clear(struct ws_table_rows *rows);

/* ---- table_query.c ---- */
enum ws_status ws_table_choose(struct ws_table *t, const struct ws_table_options *o,
			       struct ws_err *err) WS_MUST_CHECK;
bool ws_table_passes(const struct ws_table *t, const struct ws_table_row *row);
void ws_table_sort(struct ws_table *t);

/* ---- table_write.c ---- */
void ws_table_header(const struct ws_table *t);
bool ws_table_lines_new(struct ws_table *t); /* false: no memory */
void ws_table_line(const struct ws_table *t, const struct ws_table_row *row);
void ws_table_remark_line(const struct ws_table *t, const char *text);

/* ---- table_aligned.c ---- */
#define WS_TABLE_PAGE 1000u /* rows that the widths are taken from */
void ws_table_aligned_line(struct ws_table *t, const struct ws_table_row *row);
/* Writes the rows that are kept; last: no others follow. */
void ws_table_aligned_flush(struct ws_table *t, bool last);

static inline const struct ws_column *ws_table_column(const struct ws_table *t, size_t field)
{
	return t->field[field].column;
}

static inline bool ws_table_for_people(const struct ws_table *t)
{
	return t->format == WS_ALIGNED || t->format == WS_MARKDOWN;
}

#endif
