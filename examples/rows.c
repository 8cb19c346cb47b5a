/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * rows.c -- a table of one's own, written as the tool writes its own: tsv, csv or json.
 *
 *	./rows [tsv|csv|json]
 */
#include <warpstack/machine.h>

#include <stdlib.h>

static const char *const columns[] = { "machine", "sms", "l1_bytes", "l1_bytes_per_thread" };

int main(int argc, char **argv)
{
	enum ws_format format = WS_TSV;
	struct ws_table t;
	struct ws_err err = { 0 };
	enum ws_status status = WS_OK;
	char **names;
	size_t count;

	if (argc > 1 && !ws_format_parse(argv[1], &format)) {
		fprintf(stderr, "rows: %s: want tsv, csv or json\n", argv[1]);
		return 2;
	}
	status = ws_machine_list(&names, &count, &err);
	if (status == WS_OK)
		ws_table_begin(&t, stdout, format, columns, WS_COUNT(columns));
	for (size_t i = 0; i < count && status == WS_OK; i++) {
		struct ws_machine m;

		status = ws_machine_load(&m, names[i], &err);
		if (status != WS_OK)
			break;
		/* A row is its cells, in the order of the columns. */
		ws_cell_str(&t, m.name);
		ws_cell_u64(&t, m.sm_count);
		ws_cell_u64(&t, m.l1.size_bytes);
		ws_cell_f64(&t, (double)m.l1.size_bytes / (double)m.sm_threads, 2);
	}
	if (status != WS_OK)
		fprintf(stderr, "rows: %s\n", err.text);
	for (size_t i = 0; i < count; i++)
		free(names[i]);
	free(names);
	return ws_exit_code(status);
}
