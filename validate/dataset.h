/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * validate/dataset.h -- hardware counters of launches that can be run again; not installed.
 *
 * A data set is a folder: set.conf, tables of counters (*.csv, a row a launch), machines, kernels.
 * set.conf (warpstack-dataset(5)) says in expressions over the columns of a row what was measured,
 * which rows are not to be scored, and how the launch is made.  A folder of tables without set.conf
 * has the project's own, data/counters/set.conf.
 *
 *   ws_data_set_open     O(bytes); errors name file and line: WS_EFORMAT
 *   ws_data_set_value    O(length of the expression)
 *
 * Plain data once it is open; any number of threads may read it.
 */
#ifndef WS_DATASET_H
#define WS_DATASET_H

#include "trace/capture.h"

/* ---- expressions (expression.c) ------------------------------------------------------
 *
 * Numbers, names, 'texts', ( ), - ! * / % + - < <= > >= = != & |, in the precedence of C.  Yes is
 * 1, no is 0.  NAN is missing: it is no, as is a comparison with it; what is computed of it is
 * missing.
 */
struct ws_scalar {
	double number;		/* NAN: missing, or a text */
	char text[64];		/* "": a number */
};

/* The value of a name; false: there is none of that name. */
typedef bool ws_scalar_find(const void *context, const char *name, struct ws_scalar *value);

enum ws_status ws_expression(const char *text, ws_scalar_find *find, const void *context,
			     struct ws_scalar *value, struct ws_err *err) WS_MUST_CHECK;
/* text with the whole number that each {expression} is in its place; onto buf, without a NUL. */
enum ws_status ws_expression_fill(const char *text, ws_scalar_find *find, const void *context,
				  struct ws_buf *buf, struct ws_err *err) WS_MUST_CHECK;

/* ---- set.conf (set_read.c) -------------------------------------------------------------- */

struct ws_set_entry {
	char *key, *value;
	size_t line;
};

struct ws_set_section {		/* [kind name of]; the first is of no kind: "" */
	char *kind, *name, *of;	/* name, of: "" if there is none */
	size_t line;
	struct ws_set_entry *entry;
	size_t entries, cap;
};

/* ---- tables (set_rows.c) ------------------------------------------------------------------ */

struct ws_set_table {		/* a csv file */
	char *path;
	size_t columns, rows;
	size_t *at;		/* [1 + rows][columns]: where each cell is in text; first the
				 * header's */
	size_t *line;		/* [1 + rows]: of the file */
	struct ws_buf text;
	size_t at_cap, line_cap;
};

struct ws_data_set {
	char *folder;		/* of the tables */
	char *conf;		/* path of set.conf */
	char *base;		/* its folder: of kernels and machines */
	struct ws_set_section *section;
	size_t sections, section_cap;
	struct ws_set_table *table;
	size_t tables, table_cap;
};

enum ws_status ws_data_set_open(struct ws_data_set *set, const char *folder,
				struct ws_err *err) WS_MUST_CHECK;
void ws_data_set_close(struct ws_data_set *set); /* of zero, too */
/* set.conf alone, of its text; path for messages.  Private: ws_data_set_open does it. */
enum ws_status ws_data_set_parse(struct ws_data_set *set, const char *path, const char *text,
				 size_t len, struct ws_err *err) WS_MUST_CHECK;
/* A table of its text, which is copied. */
enum ws_status ws_data_set_table(struct ws_data_set *set, const char *path, const char *text,
				 size_t len, struct ws_err *err) WS_MUST_CHECK;

const struct ws_set_section *ws_set_section_find(const struct ws_data_set *set, const char *kind,
						 const char *name, const char *of);
/* NULL: the key is not there; or the section is NULL. */
const char *ws_set_value(const struct ws_set_section *s, const char *key);

/* ---- rows (set_launch.c) -------------------------------------------------------------------- */

enum ws_set_level { WS_SET_L1, WS_SET_L2, WS_SET_LEVELS };
extern const char *const ws_set_level_names[WS_SET_LEVELS]; /* "l1", "l2" */

struct ws_set_row {
	const struct ws_data_set *set;
	const struct ws_set_table *table;
	size_t row;		/* of the table */
	uint64_t l1_bytes, l2_bytes; /* of its machine */
	double asked_sectors;	/* sectors that its loads ask for; NAN: not known yet */
};

/* A cell of the row; "": there is no such column, or nothing in it. */
const char *ws_set_cell(const struct ws_set_row *r, const char *column);
size_t ws_set_line(const struct ws_set_row *r); /* of its table, from 1 */
/* The section of its kernel; NULL: there is none. */
const struct ws_set_section *ws_set_kernel(const struct ws_set_row *r);
/* The file of its machine, allocated; *path NULL: none is named.  folder: of other machines, or
 * NULL. */
enum ws_status ws_set_machine(const struct ws_set_row *r, const char *folder, char **path,
			      struct ws_err *err) WS_MUST_CHECK;
/* An expression over the row's columns, and l1_bytes, l2_bytes, asked_sectors, and what its kernel
 * says of requests, footprint and streaming.  where: what messages begin with. */
enum ws_status ws_set_evaluate(const struct ws_set_row *r, const char *where, const char *text,
			       struct ws_scalar *value, struct ws_err *err) WS_MUST_CHECK;
/* What a key of a section is for the row, or `usual` if the section or the key is not there. */
enum ws_status ws_set_number(const struct ws_set_row *r, const struct ws_set_section *s,
			     const char *key, double usual, double *number,
			     struct ws_err *err) WS_MUST_CHECK;

struct ws_measured {		/* NAN: not measured */
	double median, p10, p90;
	bool sectors;		/* counted in sectors, else in requests */
};
/* The counter of that name, "l1.hit". */
enum ws_status ws_set_measured(const struct ws_set_row *r, const char *counter,
			       struct ws_measured *m, struct ws_err *err) WS_MUST_CHECK;
/* Why the row is not scored at that level; NULL: it is. */
enum ws_status ws_set_left_out(const struct ws_set_row *r, enum ws_set_level level,
			       const char **because, struct ws_err *err) WS_MUST_CHECK;
/* Its launch file, onto buf: a line for each key of set.conf that it has. */
enum ws_status ws_set_launch(const struct ws_set_row *r, struct ws_buf *text,
			     struct ws_err *err) WS_MUST_CHECK;
/* The line of set.conf that a line of the launch file is of. */
size_t ws_set_launch_line(const struct ws_set_row *r, size_t line);
/* The row in words: what [kernel] label says; onto buf. */
enum ws_status ws_set_label(const struct ws_set_row *r, struct ws_buf *text,
			    struct ws_err *err) WS_MUST_CHECK;

/* ---- predicted against measured (agreement.c) ------------------------------------------------ */

struct ws_agreement {
	uint64_t count;
	double mean_abs, bias, largest;	/* of predicted - measured; bias: the mean */
	double rank;		/* Spearman's; NAN where it is not defined */
};
/* count values each; of none all is NAN. */
enum ws_status ws_agreement_of(const double *predicted, const double *measured, size_t count,
			       struct ws_agreement *out, struct ws_err *err) WS_MUST_CHECK;

struct ws_error_budget {	/* in points; signed, of a hit rate in percent */
	double policy;		/* the policy's model less the simulation of the same requests */
	double time;		/* the nominal order less the order of cycles, both simulated */
	double machine;		/* the simulation in the order of cycles less the counter */
	double total;		/* model less counter: policy + machine */
};
struct ws_error_budget ws_error_budget_of(double model, double simulated, double nominal,
					  double measured);

#endif
