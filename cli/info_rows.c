/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cli/info_rows.c -- one row of `warpstack info`: an item, a property and its value.
 */
#include "cli/info.h"

#include <inttypes.h>

void info_text(struct info *i, const char *item, const char *property, const char *fmt, ...)
{
	char text[1024];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	ws_cell_str(i->report.table, WS_COL_ITEM, item);
	ws_cell_str(i->report.table, WS_COL_PROPERTY, property);
	ws_cell_str(i->report.table, WS_COL_VALUE, text);
	ws_row_end(i->report.table);
}

void info_number(struct info *i, const char *item, const char *property, uint64_t value)
{
	info_text(i, item, property, "%" PRIu64, value);
}

void info_triple(struct info *i, const char *item, const char *property, const uint64_t v[3])
{
	info_text(i, item, property, "%" PRIu64 " %" PRIu64 " %" PRIu64, v[0], v[1], v[2]);
}
