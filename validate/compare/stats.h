/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * validate/compare/stats.h -- what the readers of outputs share.
 */
#ifndef WS_COMPARE_STATS_H
#define WS_COMPARE_STATS_H

#include "validate/compare.h"
#include "validate/counters/csv.h"

#define WS_STAT_MOST 9007199254740992.0 /* counts are exact up to it */

/* ---- stats.c ---- */

/* One more, all of it unknown; kernel of len characters.  NULL: memory is out. */
struct ws_stats_launch *ws_stats_launch_new(struct ws_stats *s, const char *kernel, size_t len,
					    uint64_t line);
/* Ratios, and accesses where hits, pending hits and misses are known. */
void ws_stats_ratios(struct ws_stats_launch *l);

/* ---- one reader each: is it of that kind, and the launches ---- */

bool ws_stats_is_text(const struct ws_in *in);
enum ws_status ws_stats_text(struct ws_stats *s, const struct ws_in *in, struct ws_err *err)
	WS_MUST_CHECK;
bool ws_stats_is_rows(const struct ws_in *in);
enum ws_status ws_stats_rows(struct ws_stats *s, const struct ws_in *in, struct ws_err *err)
	WS_MUST_CHECK;

/* ---- records.c: tables of tsv, csv and json, as base/table.h has them ---- */

struct ws_records {
	struct ws_csv csv;	/* the file; of csv the cells as well */
	char separator;		/* '\t', ',' or, of json, '{' */
	struct ws_buf names, text; /* of the columns, of the record at hand: each with its NUL */
	size_t *name, *cell;	/* where each begins */
	size_t columns, cells, name_cap, cell_cap;
};

/* Reads the names.  Memory: of the longest line. */
enum ws_status ws_records_begin(struct ws_records *r, const struct ws_in *in,
				struct ws_err *err) WS_MUST_CHECK;
/* Reads a record; *more is false after the last. */
enum ws_status ws_records_next(struct ws_records *r, bool *more, struct ws_err *err) WS_MUST_CHECK;
void ws_records_end(struct ws_records *r);
/* The column of that name; SIZE_MAX: there is none. */
size_t ws_records_column(const struct ws_records *r, const char *name);
/* A cell of the record at hand; "": missing, or there is no such column. */
const char *ws_records_cell(const struct ws_records *r, size_t column);

#endif
