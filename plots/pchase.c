/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * plots/pchase.c -- the figures of pointer chasing, each made of the rows of a verb of pchase.
 *
 * Rows become a data block $rows: the number of the row's group, then cells, as whole numbers of
 * some part; NaN where a cell is missing or no number.
 */
#include "plots/rows.h"
#include "plots/script.h"

#include <math.h>
#include <string.h>

#define GROUPS_MOST 4096u
#define GROUPS_NAMED 64u
#define COLUMNS_MOST 5u
#define LARGEST_CELL 1e15
#define NONE SIZE_MAX

struct chase_column {
	const char *name;
	double scale;		/* what is written is the value times it */
};

struct chase_plot {
	const char *group;	/* its cells tell groups apart, in order of appearance; NULL: one */
	const char *only, *value; /* rows that have this value in the column; NULL: all */
	struct chase_column column[COLUMNS_MOST]; /* name NULL after the last */
};

struct chase_groups {
	const struct ws_rows *rows;
	size_t column;		/* NONE: there is one group */
	size_t first[GROUPS_MOST];
	size_t count;
};

static size_t group_of(struct chase_groups *g, size_t row)
{
	size_t i = 0;

	while (i < g->count && g->column != NONE &&
	       strcmp(ws_rows_cell(g->rows, g->first[i], g->column),
		      ws_rows_cell(g->rows, row, g->column)) != 0)
		i++;
	if (i == g->count && i < GROUPS_MOST)
		g->first[g->count++] = row;
	return i;
}

static enum ws_status find_columns(const struct chase_plot *p, const struct ws_rows *rows,
				   size_t *column, size_t *only, struct chase_groups *g,
				   struct ws_err *err)
{
	enum ws_status status = WS_OK;

	*only = g->column = NONE;
	if (p->only)
		status = ws_rows_column(rows, p->only, only, err);
	if (status == WS_OK && p->group)
		status = ws_rows_column(rows, p->group, &g->column, err);
	for (size_t i = 0; i < COLUMNS_MOST && p->column[i].name && status == WS_OK; i++)
		status = ws_rows_column(rows, p->column[i].name, &column[i], err);
	return status;
}

static void put_cell(struct ws_buf *script, const char *text, double scale)
{
	double v;

	if (ws_parse_double(text, &v) && fabs(v * scale) <= LARGEST_CELL)
		ws_put_printf(script, " %lld", llround(v * scale));
	else
		ws_put_printf(script, " NaN");
}

static enum ws_status put_rows(const struct chase_plot *p, struct chase_groups *g,
			       const size_t *column, size_t only, struct ws_buf *script,
			       size_t *put, struct ws_err *err)
{
	ws_put_printf(script, "$rows << EOD\n");
	for (size_t row = 0; row < g->rows->rows; row++) {
		size_t group;

		if (only != NONE && strcmp(ws_rows_cell(g->rows, row, only), p->value) != 0)
			continue;
		group = group_of(g, row);
		if (group == GROUPS_MOST)
			return ws_fail(err, WS_EINVAL, "%s:%zu: over %u curves, want fewer",
				       g->rows->name, g->rows->line[row], GROUPS_MOST);
		ws_put_printf(script, "%zu", group);
		for (size_t i = 0; i < COLUMNS_MOST && p->column[i].name; i++)
			put_cell(script, ws_rows_cell(g->rows, row, column[i]),
				 p->column[i].scale);
		ws_put_printf(script, "\n");
		++*put;
	}
	ws_put_printf(script, "EOD\n");
	return WS_OK;
}

static void name_groups(const struct chase_groups *g, struct ws_buf *script)
{
	ws_script_u64(script, "groups", g->count);
	for (size_t i = 0; i < g->count && i < GROUPS_NAMED; i++) {
		char name[32];

		snprintf(name, sizeof name, "group%zu", i);
		ws_script_string(script, name, g->column == NONE ? ""
				 : ws_rows_cell(g->rows, g->first[i], g->column));
	}
}

static enum ws_status chase_data(const struct chase_plot *p, const struct ws_figure_input *in,
				 struct ws_buf *script, struct ws_err *err)
{
	struct ws_rows rows = { 0 };
	struct chase_groups g = { .rows = &rows };
	size_t column[COLUMNS_MOST], only, put = 0;
	enum ws_status status = ws_rows_read(&rows, in->table, err);

	if (status == WS_OK)
		status = find_columns(p, &rows, column, &only, &g, err);
	if (status == WS_OK)
		status = put_rows(p, &g, column, only, script, &put, err);
	if (status == WS_OK && !put)
		status = ws_fail(err, WS_EINVAL, "%s: there is no row to draw", in->table->name);
	if (status == WS_OK)
		name_groups(&g, script);
	ws_script_source(script, in);
	ws_rows_clear(&rows);
	return status;
}

/* A figure: its name, what it shows, and the rows that it is made of. */
#define FIGURE(id, text, says, ...) \
	static enum ws_status id##_data(const struct ws_figure_input *in, \
					struct ws_buf *script, struct ws_err *err) \
	{ \
		static const struct chase_plot plot = { __VA_ARGS__ }; \
		return chase_data(&plot, in, script, err); \
	} \
	const struct ws_figure ws_figure_##id = { \
		.name = (text), .summary = (says), .needs = WS_FIGURE_TABLE, .data = id##_data, \
	};

FIGURE(pchase_size, "pchase-size",
       "pchase classic: mean latency against the size of the array, a curve per stride",
       .group = "stride_bytes",
       .column = { { "array_bytes", 1 }, { "latency_mean", 1000 } })
FIGURE(pchase_stride, "pchase-stride",
       "pchase classic: mean latency against the stride, a curve per array",
       .group = "array_bytes",
       .column = { { "stride_bytes", 1 }, { "latency_mean", 1000 } })
FIGURE(pchase_access, "pchase-access",
       "pchase trace: the latency of each load, misses marked",
       .column = { { "load", 1 }, { "latency", 1000 }, { "pass", 1 } })
FIGURE(pchase_map, "pchase-map",
       "pchase map: the words of each set's lines, as a table, or the set of each line",
       .column = { { "set", 1 }, { "line_of_set", 1 }, { "first_word", 1 },
		   { "last_word", 1 } })
FIGURE(pchase_sets, "pchase-sets", "pchase structure: the lines that each set holds",
       .only = "item", .value = "set", .column = { { "set", 1 }, { "ways", 1 } })
FIGURE(pchase_victims, "pchase-victims",
       "pchase structure: how often a full set loses each way",
       .only = "item", .value = "victim",
       .column = { { "way", 1 }, { "victim_share", 1000 } })
FIGURE(pchase_curve, "pchase-curve",
       "pchase curve: miss ratio against the size of the array, a curve per policy",
       .group = "policy", .only = "item", .value = "walk",
       .column = { { "array_bytes", 1 }, { "miss_ratio", 1000000 },
		   { "measured_miss_ratio", 1000000 }, { "latency_mean", 1000 } })
FIGURE(pchase_spectrum, "pchase-spectrum", "pchase spectrum: latencies by where a load hits",
       .group = "property",
       .column = { { "latency", 1000 }, { "latency_low", 1000 }, { "latency_high", 1000 } })
FIGURE(pchase_banks, "pchase-banks",
       "pchase banks: turns at the banks of shared memory against the stride, and their latency",
       .column = { { "stride_bytes", 1 }, { "turns", 1 }, { "latency", 1000 } })
