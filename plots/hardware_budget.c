/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * plots/hardware_budget.c -- the figure `hardware-budget`: the mean error against hardware in its
 * parts, a stacked bar for the L1 and the L2 of each GPU, or of each kernel of each.
 *
 * Parts are means of magnitudes, so that they may add up to more than the mean error.
 */
#include "plots/rows.h"
#include "plots/script.h"

#include <math.h>
#include <string.h>

#define GROUPS_MAX 64u
#define HUNDREDTHS 100.0	/* in which points are written */
#define POINTS_MAX 1000.0

enum {
	BUDGET_ITEM, BUDGET_GPU, BUDGET_KERNEL, BUDGET_LEVEL, BUDGET_POLICY, BUDGET_TIME,
	BUDGET_MACHINE, BUDGET_NOISE, BUDGET_MEAN, BUDGET_COLUMNS
};

struct budget_groups {
	const struct ws_rows *rows;
	size_t column[BUDGET_COLUMNS];
	size_t first[GROUPS_MAX]; /* row of each */
	size_t count;
};

static const char *budget_cell(const struct budget_groups *g, size_t row, unsigned column)
{
	return ws_rows_cell(g->rows, row, g->column[column]);
}

static enum ws_status find_budget(struct budget_groups *g, struct ws_err *err)
{
	static const char *const name[BUDGET_COLUMNS] = {
		"item", "gpu", "kernel", "level", "policy_pp", "time_pp", "machine_pp", "noise_pp",
		"mean_abs_pp",
	};
	enum ws_status status = WS_OK;

	for (size_t i = 0; i < BUDGET_COLUMNS && status == WS_OK; i++)
		status = ws_rows_column(g->rows, name[i], &g->column[i], err);
	return status;
}

/* In hundredths of points; -1: none. */
static long hundredths(const struct budget_groups *g, size_t row, unsigned column)
{
	double v;

	if (!ws_parse_double(budget_cell(g, row, column), &v) || !(v >= 0 && v <= POINTS_MAX))
		return -1;
	return lround(v * HUNDREDTHS);
}

/* Rows of the same GPU and kernel are one group; GROUPS_MAX: there is no room for another. */
static size_t group_of_row(struct budget_groups *g, size_t row)
{
	size_t i = 0;

	while (i < g->count &&
	       (strcmp(budget_cell(g, g->first[i], BUDGET_GPU),
		       budget_cell(g, row, BUDGET_GPU)) != 0 ||
		strcmp(budget_cell(g, g->first[i], BUDGET_KERNEL),
		       budget_cell(g, row, BUDGET_KERNEL)) != 0))
		i++;
	if (i == g->count && i < GROUPS_MAX)
		g->first[g->count++] = row;
	return i;
}

static enum ws_status put_bars(struct budget_groups *g, const char *item, struct ws_buf *script,
			       struct ws_err *err)
{
	ws_put_printf(script, "$budget << EOD\n");
	for (size_t row = 0; row < g->rows->rows; row++) {
		bool l2 = strcmp(budget_cell(g, row, BUDGET_LEVEL), "L2") == 0;
		size_t group;

		if (strcmp(budget_cell(g, row, BUDGET_ITEM), item) != 0 ||
		    hundredths(g, row, BUDGET_MEAN) < 0)
			continue;
		group = group_of_row(g, row);
		if (group == GROUPS_MAX)
			return ws_fail(err, WS_EINVAL, "%s:%zu: bars of over %u groups: want rows "
				       "of fewer", g->rows->name, g->rows->line[row], GROUPS_MAX);
		ws_put_printf(script, "%zu %d", group, l2);
		for (unsigned c = BUDGET_POLICY; c < BUDGET_COLUMNS; c++)
			ws_put_printf(script, " %ld", hundredths(g, row, c));
		ws_put_printf(script, "\n");
	}
	ws_put_printf(script, "EOD\n");
	return WS_OK;
}

static void put_names(const struct budget_groups *g, struct ws_buf *script)
{
	for (size_t i = 0; i < g->count; i++) {
		const char *gpu = budget_cell(g, g->first[i], BUDGET_GPU);
		const char *kernel = budget_cell(g, g->first[i], BUDGET_KERNEL);
		char name[32], text[256];

		snprintf(name, sizeof name, "group%zu", i);
		snprintf(text, sizeof text, "%.100s%s%.100s", gpu, *kernel && *gpu ? ": " : "",
			 kernel);
		ws_script_string(script, name, *text ? text : "all");
	}
	ws_script_u64(script, "groups", g->count);
}

static enum ws_status hardware_budget_data(const struct ws_figure_input *in, struct ws_buf *script,
					   struct ws_err *err)
{
	const char *item = in->bars.group ? in->bars.group : "gpu";
	struct ws_rows rows = { 0 };
	struct budget_groups g = { .rows = &rows };
	enum ws_status status = ws_rows_read(&rows, in->table, err);

	if (status == WS_OK)
		status = find_budget(&g, err);
	if (status == WS_OK)
		status = put_bars(&g, item, script, err);
	if (status == WS_OK && !g.count)
		status = ws_fail(err, WS_EINVAL, "%s: no row of item %.32s has a mean: there is "
				 "nothing to draw", in->table->name, item);
	if (status == WS_OK)
		put_names(&g, script);
	ws_script_source(script, in);
	ws_rows_clear(&rows);
	return status;
}

const struct ws_figure ws_figure_hardware_budget = {
	.name = "hardware-budget",
	.summary = "the error against a GPU's counters in its parts: policy, time, machine",
	.needs = WS_FIGURE_TABLE,
	.data = hardware_budget_data,
};
