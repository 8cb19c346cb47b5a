/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * plots/hardware.c -- the figure `hardware`: hit rates predicted against those that were measured,
 * a point a launch, with the band of what the machine leaves open.
 *
 * Of the rows of item launch those that are scored.
 */
#include "plots/rows.h"
#include "plots/script.h"

#include <math.h>
#include <string.h>

enum { ITEM, LEVEL, SCORED, MEASURED, PREDICTED, LOW, HIGH, HARDWARE_COLUMNS };

static enum ws_status find_columns(const struct ws_rows *rows, size_t column[HARDWARE_COLUMNS],
				   struct ws_err *err)
{
	static const char *const name[HARDWARE_COLUMNS] = {
		"item", "level", "scored", "measured_hit", "predicted_hit", "predicted_hit_low",
		"predicted_hit_high",
	};
	enum ws_status status = WS_OK;

	for (size_t i = 0; i < HARDWARE_COLUMNS && status == WS_OK; i++)
		status = ws_rows_column(rows, name[i], &column[i], err);
	return status;
}

/* Is it a point of the level?  *off: by how much the prediction is. */
static bool put_launch(struct ws_buf *script, const struct ws_rows *rows, size_t row,
		       const size_t *column, const char *level, double *off)
{
	double v[HARDWARE_COLUMNS];

	if (strcmp(ws_rows_cell(rows, row, column[ITEM]), "launch") != 0 ||
	    strcmp(ws_rows_cell(rows, row, column[SCORED]), "yes") != 0 ||
	    strcmp(ws_rows_cell(rows, row, column[LEVEL]), level) != 0)
		return false;
	for (size_t i = MEASURED; i < HARDWARE_COLUMNS; i++)
		if (!ws_parse_double(ws_rows_cell(rows, row, column[i]), &v[i]) ||
		    fabs(v[i]) > 1000)
			return false;
	ws_put_printf(script, "%.2f %.2f %.2f %.2f\n", v[MEASURED], v[PREDICTED], v[LOW],
		      v[HIGH]);
	*off = fabs(v[PREDICTED] - v[MEASURED]);
	return true;
}

static uint64_t put_level(struct ws_buf *script, const struct ws_rows *rows, const size_t *column,
			  const char *level)
{
	double sum = 0, off;
	uint64_t count = 0;

	ws_put_printf(script, "$%s << EOD\n", level);
	for (size_t i = 0; i < rows->rows; i++) {
		if (!put_launch(script, rows, i, column, level, &off))
			continue;
		sum += off;
		count++;
	}
	ws_put_printf(script, "EOD\nmean_%s = %.2f\n", level,
		      count ? sum / (double)count : 0.0);
	return count;
}

static enum ws_status hardware_data(const struct ws_figure_input *in, struct ws_buf *script,
				    struct ws_err *err)
{
	struct ws_rows rows = { 0 };
	size_t column[HARDWARE_COLUMNS];
	uint64_t l1 = 0, l2 = 0;
	enum ws_status status = ws_rows_read(&rows, in->table, err);

	if (status == WS_OK)
		status = find_columns(&rows, column, err);
	if (status == WS_OK) {
		l1 = put_level(script, &rows, column, "L1");
		l2 = put_level(script, &rows, column, "L2");
	}
	if (status == WS_OK && !l1 && !l2)
		status = ws_fail(err, WS_EINVAL, "%s: no launch of it is scored: there is nothing "
				 "to draw", in->table->name);
	ws_script_u64(script, "count_L1", l1);
	ws_script_u64(script, "count_L2", l2);
	ws_script_source(script, in);
	ws_rows_clear(&rows);
	return status;
}

const struct ws_figure ws_figure_hardware = {
	.name = "hardware",
	.summary = "hit rates predicted against those that a GPU counted, with their bands",
	.needs = WS_FIGURE_TABLE,
	.data = hardware_data,
};
