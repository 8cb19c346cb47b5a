/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * rows.c -- a table of one's own, written as the tool writes its own: tsv, csv, json, md or
 * aligned.
 *
 *	./rows [FORMAT]
 */
#include <warpstack/study.h>

#include <stdlib.h>

/* A column of the tool's, and two of one's own, with what there is to say of them. */
enum { SMS = 1000, PER_THREAD };
static const struct ws_column own[] = {
	{ .name = "sms", .type = WS_COLUMN_COUNT, .brief = 1, .meaning = "streaming "
		"multiprocessors" },
	{ .name = "l1_bytes_per_thread", .unit = "bytes", .type = WS_COLUMN_REAL, .decimals = 2,
	  .brief = 1, .meaning = "of the L1, if an SM is full", .formula = "size_bytes / threads" },
};

static enum ws_status fill(struct ws_table *t, char *const *names, size_t count, struct ws_err *err)
{
	enum ws_status status = WS_OK;
	struct ws_machine m;

	for (size_t i = 0; i < count && status == WS_OK; i++) {
		status = ws_machine_load(&m, names[i], err);
		if (status != WS_OK)
			break;
		/* Cells in any order; one that is left out is missing. */
		ws_cell_u64(t, SMS, m.sm_count);
		ws_cell_str(t, WS_COL_MACHINE, m.name);
		ws_cell_u64(t, WS_COL_SIZE_BYTES, m.l1.size_bytes);
		ws_cell_ratio(t, PER_THREAD, (double)m.l1.size_bytes, (double)m.sm_threads);
		ws_row_end(t);
	}
	return status;
}

int main(int argc, char **argv)
{
	const struct ws_field field[] = {
		{ WS_COL_MACHINE, &ws_columns[WS_COL_MACHINE] }, { SMS, &own[0] },
		{ WS_COL_SIZE_BYTES, &ws_columns[WS_COL_SIZE_BYTES] }, { PER_THREAD, &own[1] },
	};
	struct ws_table_options options = { .format = WS_TSV };
	struct ws_table *t = NULL;
	struct ws_err err = { 0 };
	char **names = NULL;
	size_t count = 0;
	enum ws_status status = WS_OK;

	if (argc > 1 && !ws_format_parse(argv[1], &options.format)) {
		fprintf(stderr, "rows: %s: no format\n", argv[1]);
		return 2;
	}
	status = ws_machine_list(&names, &count, &err);
	if (status == WS_OK)
		status = ws_table_new(&t, stdout, field, WS_COUNT(field), &options, &err);
	if (status == WS_OK)
		status = fill(t, names, count, &err);
	if (status == WS_OK)
		status = ws_table_end(t, &err);
	if (status != WS_OK)
		fprintf(stderr, "rows: %s\n", err.text);
	ws_table_free(t);
	for (size_t i = 0; i < count; i++)
		free(names[i]);
	free(names);
	return ws_exit_code(status);
}
