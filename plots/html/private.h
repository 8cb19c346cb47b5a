/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * plots/html/private.h -- private: what the files of plots/html/ share.
 */
#ifndef WS_HTML_PRIVATE_H
#define WS_HTML_PRIVATE_H

#include "plots/report.h"

/* ---- text (text.c) -------------------------------------------------------------------------- */

void ws_html_put(struct ws_buf *html, const char *markup); /* as it is */
/* A text of anybody's: markup is escaped, what XML cannot hold becomes U+FFFD. */
void ws_html_text(struct ws_buf *html, const char *text, size_t len);
void ws_html_str(struct ws_buf *html, const char *text);
void ws_html_tenths(struct ws_buf *html, double value); /* "-1.5", in any locale */
void ws_html_size(struct ws_buf *html, uint64_t bytes); /* "16 KB" */
void ws_html_cell(struct ws_buf *html, uint64_t count); /* <td>, a number; ... */
void ws_html_percent(struct ws_buf *html, double ratio); /* ... in percent */

extern const char ws_html_style[], ws_html_script[]; /* page.c */

/* ---- rows (rows.c) -------------------------------------------------------------------------- */

struct ws_report_row {
	char *kernel;
	uint64_t sets, ways, size_bytes;
	char label[WS_NAME_MAX * 2]; /* of the varied key */
	struct ws_counts counts;
	struct ws_interval ratio;
	char *array, *file;	/* of a part; else NULL */
	uint32_t line;
};
struct ws_report_rows {		/* zero is empty */
	struct ws_report_row *row;
	size_t count, cap;
};
struct ws_report_query {
	struct ws_list vary;
	const char *by, *kind;
	uint64_t budget;
	bool search;
};
/* The predictions of a profile. */
enum ws_status ws_report_ask(struct ws_report_rows *rows, const struct ws_report_input *in,
			     const struct ws_report_query *query, struct ws_err *err) WS_MUST_CHECK;
void ws_report_rows_clear(struct ws_report_rows *rows);

/* ---- figures (chart.c) ---------------------------------------------------------------------- */

struct ws_chart_point {
	double x, y, low, high;	/* 0 <= y, low, high <= 1 */
};
struct ws_chart_line {
	const char *name;
	struct ws_chart_point *point;
	size_t points;
	bool own;		/* the machine's: bold, with its band */
};
struct ws_chart {
	const char *title, *x, *y; /* markup: what it is, and the axes */
	bool linear;		/* x from 0, a number; else log2 of bytes, with a cursor */
	const struct ws_chart_line *line;
	size_t lines;
	double mark;		/* an x that is pointed out; 0: none.  Not if linear */
};
void ws_chart_lines(struct ws_buf *html, const struct ws_chart *chart);
struct ws_chart_bar {
	const char *name;
	double value, low, high; /* of the largest, 0 to 1; low == high: no interval */
	bool own, stated;
	const char *text;	/* the value, for a reader */
};
void ws_chart_bars(struct ws_buf *html, const char *title, const struct ws_chart_bar *bar,
		   size_t bars);

/* ---- sections ------------------------------------------------------------------------------- */

void ws_report_advice(struct ws_buf *html, const struct ws_report_input *in);
/* The kernel's source with what each line misses (source.c). */
enum ws_status ws_report_source(struct ws_buf *html, const struct ws_report_input *in,
				const struct ws_report_rows *parts, const char *kernel,
				struct ws_err *err) WS_MUST_CHECK;
/* Misses against size, and reuse distances (curves.c). */
enum ws_status ws_report_curves(struct ws_buf *html, const struct ws_report_input *in,
				const struct ws_report_rows *rows, const char *kernel,
				struct ws_err *err) WS_MUST_CHECK;
enum ws_status ws_report_reuse(struct ws_buf *html, const struct ws_report_input *in,
			       const char *kernel, struct ws_err *err) WS_MUST_CHECK;
enum ws_status ws_report_choices(struct ws_buf *html, const struct ws_report_rows *rows,
				 const char *kernel, const char *key, const char *own,
				 struct ws_err *err) WS_MUST_CHECK;

/* What happens when, and which addresses are accessed in which order; from a trace (pictures.c). */
enum ws_status ws_report_timeline(struct ws_buf *html, const struct ws_report_input *in,
				  const char *kernel, struct ws_err *err) WS_MUST_CHECK;
enum ws_status ws_report_accesses(struct ws_buf *html, const struct ws_report_input *in,
				  const char *kernel, struct ws_err *err) WS_MUST_CHECK;
/* Counters of a GPU beside predictions; loads: rows of them (hardware.c). */
void ws_report_hardware(struct ws_buf *html, const struct ws_report_input *in,
			const struct ws_report_rows *loads);

#endif
