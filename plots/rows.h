/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * plots/rows.h -- a table of texts, as ws_table writes it: tsv or csv, told apart by the header
 * row.
 *
 * "# remarks" and empty lines are passed over.  Every row has as many cells as the header.
 */
#ifndef WS_PLOTS_ROWS_H
#define WS_PLOTS_ROWS_H

#include "base/base.h"

#define WS_COLUMNS_MAX 1024u

struct ws_rows {		/* zero is empty; texts are in .text */
	char *text;
	const char **cell;	/* columns of the header, then of each row */
	size_t columns, rows, cap;
	size_t *line;		/* of the file, by row */
	size_t line_cap;
	const char *name;	/* of the file: the input's */
};

enum ws_status ws_rows_read(struct ws_rows *rows, const struct ws_in *in,
			    struct ws_err *err) WS_MUST_CHECK;
void ws_rows_clear(struct ws_rows *rows);
/* The column of that name; the error names the nearest, or all. */
enum ws_status ws_rows_column(const struct ws_rows *rows, const char *name, size_t *column,
			      struct ws_err *err) WS_MUST_CHECK;

static inline const char *ws_rows_cell(const struct ws_rows *rows, size_t row, size_t column)
{
	return rows->cell[(row + 1) * rows->columns + column];
}

#endif
