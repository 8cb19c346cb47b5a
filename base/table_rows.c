/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * base/table_rows.c -- keeps rows, to sort them or until column widths are known.
 */
#include "base/table.h"

#include <stdlib.h>
#include <string.h>

/* Bytes of its texts: those of the last one end them. */
static size_t text_bytes(const struct ws_table *t, const struct ws_table_row *row)
{
	size_t bytes = 0;

	for (size_t i = 0; i < t->fields; i++) {
		const struct ws_table_value *v = &row->value[i];
		size_t end;

		if (!v->set || v->type != WS_COLUMN_TEXT)
			continue;
		end = v->as.text + strlen(row->text + v->as.text) + 1;
		bytes = end > bytes ? end : bytes;
	}
	return bytes;
}

bool ws_table_keep(struct ws_table *t, struct ws_table_rows *rows, const struct ws_table_row *row)
{
	size_t values = t->fields * sizeof *row->value, texts = text_bytes(t, row);
	char *copy = malloc(values + texts + 1);

	if (!copy || !WS_ROOM(rows->row, rows->cap, rows->count + 1)) {
		free(copy);
		t->failed = true;
		return false;
	}
	memcpy(copy, row->value, values);
	if (texts)
		memcpy(copy + values, row->text, texts);
	rows->row[rows->count++] = (struct ws_table_row){ (const void *)copy, copy + values };
	return true;
}

void ws_table_rows_clear(struct ws_table_rows *rows)
{
	for (size_t i = 0; i < rows->count; i++)
		free((void *)(uintptr_t)rows->row[i].value);
	free(rows->row);
	*rows = (struct ws_table_rows){ 0 };
}
