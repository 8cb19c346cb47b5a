/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * validate/counters/csv.h -- records of comma-separated values (RFC 4180).
 *
 * Cells may be quoted, with "" for a quote, commas and line breaks within; lines end with LF or
 * CRLF; a byte order mark is passed over.  What is no such record is an error that names the file
 * and the line on which the record begins.
 *
 * ws_csv_next   time in proportion to the record; memory for the longest one
 */
#ifndef WS_COUNTERS_CSV_H
#define WS_COUNTERS_CSV_H

#include "base/base.h"

struct ws_csv {
	const uint8_t *p, *end;	/* what is not read yet */
	const char *name;	/* of the file, for errors */
	uint64_t line;		/* that the record at hand begins on; from 1 */
	uint64_t next;		/* that p is on */
	char *text;		/* the cells, each with its NUL */
	size_t len, text_cap;
	size_t *at;		/* where each begins in text */
	size_t cells, at_cap;
};

/* name: stays the caller's.  No failure; ws_csv_clear frees. */
void ws_csv_init(struct ws_csv *c, const uint8_t *data, size_t len, const char *name);
void ws_csv_clear(struct ws_csv *c);
/* Is anything left? */
static inline bool ws_csv_more(const struct ws_csv *c)
{
	return c->p < c->end;
}

/* The line at p, without its end; p stays. */
size_t ws_csv_line(const struct ws_csv *c);
/* Passes over it, whatever it is. */
void ws_csv_skip(struct ws_csv *c);
/* The record at p.  Errors: WS_EFORMAT, WS_ENOMEM; p is somewhere within it then. */
enum ws_status ws_csv_next(struct ws_csv *c, struct ws_err *err) WS_MUST_CHECK;

static inline const char *ws_csv_cell(const struct ws_csv *c, size_t i)
{
	return c->text + c->at[i];
}

/* WS_EFORMAT of the record at hand: "FILE:LINE: ...". */
enum ws_status ws_csv_fail(const struct ws_csv *c, struct ws_err *err,
			   const char *fmt, ...) WS_COLD WS_PRINTF(3, 4);

#endif
