/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cli/rows.c -- the table of predict, sweep and simulate, which study/cells.c fills.
 */
#include "cli/cli.h"

static enum ws_status begin_rows(struct cli_rows *rows, struct ws_err *err)
{
	enum ws_col column[WS_COLS];
	size_t count = ws_row_columns(&rows->call->ask, rows->plan, rows->translates, column);

	return cli_report_begin(&rows->report, rows->call, rows->plan, column, count, err);
}

enum ws_status cli_rows_put(void *context, const struct ws_row *r, struct ws_err *err)
{
	struct cli_rows *rows = context;
	enum ws_status status = rows->report.begun ? WS_OK : begin_rows(rows, err);

	if (status != WS_OK)
		return status;
	ws_cells_row(rows->report.table, r);
	ws_row_end(rows->report.table);
	return WS_OK;
}

enum ws_status cli_rows_end(struct cli_rows *rows, enum ws_status status, struct ws_err *err)
{
	if (status == WS_OK && !rows->report.begun) /* no kernel, no rows */
		status = begin_rows(rows, err);
	return cli_report_end(&rows->report, status, err);
}
