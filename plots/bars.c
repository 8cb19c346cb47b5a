/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * plots/bars.c -- the figure `bars`: a column of a table of rows, as groups of bars beside each
 * other, and means over the groups.
 *
 * A row is a bar of a group: its cells of some columns say which (struct ws_bars).  If the table
 * has columns level and kind, as those of simulate, and nothing is asked of them, its rows are
 * those of L1 and all, if there are such.  A cell that is empty (or "-") is no bar and is in no
 * mean; the subtitle says how many there are.  With a base a bar is the row's value over that of
 * the row which has the base's cell, and else the same group and bar.
 */
#include "plots/rows.h"
#include "plots/script.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define GROUPS_MAX 200u
#define BARS_MAX 24u
#define BAR_COLUMNS_MAX 4u
#define LABEL 128u
#define DIGITS 9		/* of what is written, the largest value's */
#define LARGEST 1e300		/* gnuplot's axes reach beyond what they show, and means are sums */

struct bar_names {			/* each once, in order of appearance */
	char (*name)[LABEL];
	size_t count, most;
	const char *of;		/* for the error when there are too many */
};

struct row_filter {
	size_t column;
	const char *value;
};

struct bars {
	struct ws_rows rows;
	const struct ws_bars *asked;
	size_t value, group, mean, base;	/* columns; SIZE_MAX: none */
	const char *base_value;
	size_t bar[BAR_COLUMNS_MAX], bar_columns;
	char *split;		/* the text that columns' names lie in */
	struct row_filter *filter;
	size_t filters;
	struct bar_names groups, bars, rests, means; /* rests: bars but for the base's column */
	double *cell, *bases;	/* [group][bar], [group][rest]; NAN: none */
	size_t *cell_line, *base_line; /* 0: none */
	size_t *rest_of;	/* by bar */
	size_t *mean_of;	/* by group */
	size_t missing;		/* rows without a value */
};

/* ---- what is asked ------------------------------------------------------------------ */

/* "COLUMN=VALUE": the column, and where the value begins. */
static enum ws_status assignment(const struct bars *b, const char *option, const char *text,
				 size_t *column, const char **value, struct ws_err *err)
{
	const char *equals = strchr(text, '=');
	char name[LABEL];

	if (!equals || equals == text || (size_t)(equals - text) >= sizeof name)
		return ws_fail(err, WS_EINVAL, "%s %.64s: want COLUMN=VALUE", option, text);
	memcpy(name, text, (size_t)(equals - text));
	name[equals - text] = '\0';
	*value = equals + 1;
	return ws_rows_column(&b->rows, name, column, err);
}

static enum ws_status bar_columns(struct bars *b, struct ws_err *err)
{
	enum ws_status status = WS_OK;
	char *at, *name;

	if (!b->asked->bar) {
		b->bar_columns = b->group != 0;
		return WS_OK;
	}
	at = b->split = ws_strdup(b->asked->bar);
	if (!at)
		return ws_fail_memory(err, "a figure's columns");
	while (status == WS_OK && (name = strsep(&at, ","))) {
		if (b->bar_columns == BAR_COLUMNS_MAX)
			return ws_fail(err, WS_EINVAL, "bars of more than %u columns",
				       BAR_COLUMNS_MAX);
		status = ws_rows_column(&b->rows, name, &b->bar[b->bar_columns++], err);
	}
	return status;
}

static bool asked_of(const struct bars *b, size_t column)
{
	bool found = column == b->base || column == b->group;

	for (size_t i = 0; i < b->filters; i++)
		found = found || b->filter[i].column == column;
	for (size_t i = 0; i < b->bar_columns; i++)
		found = found || b->bar[i] == column;
	return found;
}

/* 16K is 16384. */
static bool same_cell(const char *cell, const char *value)
{
	uint64_t a, b;

	return strcmp(cell, value) == 0 ||
	       (ws_parse_size(cell, &a) && ws_parse_size(value, &b) && a == b);
}

static bool has_cell(const struct bars *b, size_t column, const char *value)
{
	for (size_t row = 0; row < b->rows.rows; row++)
		if (same_cell(ws_rows_cell(&b->rows, row, column), value))
			return true;
	return false;
}

/* The rows of kind all, level L1, if there are such and nobody says which. */
static void usual_filters(struct bars *b)
{
	static const char *const usual[][2] = { { "kind", "all" }, { "level", "L1" } };

	for (size_t i = 0; i < WS_COUNT(usual); i++) {
		size_t column;

		if (ws_rows_column(&b->rows, usual[i][0], &column, NULL) == WS_OK &&
		    !asked_of(b, column) && has_cell(b, column, usual[i][1]))
			b->filter[b->filters++] = (struct row_filter){ column, usual[i][1] };
	}
}

static enum ws_status filters(struct bars *b, struct ws_err *err)
{
	enum ws_status status = WS_OK;

	b->filter = ws_alloc_zero(b->asked->wheres + 2, sizeof *b->filter);
	if (!b->filter)
		return ws_fail_memory(err, "a figure's filters");
	for (size_t i = 0; i < b->asked->wheres && status == WS_OK; i++) {
		struct row_filter *f = &b->filter[b->filters++];

		status = assignment(b, "where", b->asked->where[i], &f->column, &f->value, err);
	}
	if (status == WS_OK)
		usual_filters(b);
	return status;
}

static enum ws_status columns(struct bars *b, struct ws_err *err)
{
	const struct ws_bars *a = b->asked;
	enum ws_status status = ws_rows_column(&b->rows, a->value ? a->value : "miss_ratio",
					       &b->value, err);

	b->base = b->mean = SIZE_MAX;
	if (status == WS_OK)
		status = ws_rows_column(&b->rows, a->group ? a->group : "kernel", &b->group, err);
	if (status == WS_OK && a->mean)
		status = ws_rows_column(&b->rows, a->mean, &b->mean, err);
	if (status == WS_OK && a->base)
		status = assignment(b, "base", a->base, &b->base, &b->base_value, err);
	if (status == WS_OK)
		status = bar_columns(b, err);
	return status == WS_OK ? filters(b, err) : status;
}

/* ---- rows --------------------------------------------------------------------------- */

/* Of one column any of the values, of each column one. */
static bool chosen(const struct bars *b, size_t row)
{
	for (size_t i = 0; i < b->filters; i++) {
		bool any = false;

		for (size_t k = 0; k < b->filters; k++)
			any = any || (b->filter[k].column == b->filter[i].column &&
				      same_cell(ws_rows_cell(&b->rows, row, b->filter[k].column),
						b->filter[k].value));
		if (!any)
			return false;
	}
	return true;
}

static enum ws_status number_of(struct bar_names *n, const char *name, size_t *number,
				struct ws_err *err)
{
	for (*number = 0; *number < n->count; ++*number)
		if (strncmp(n->name[*number], name, LABEL - 1) == 0)
			return WS_OK;
	if (n->count == n->most)
		return ws_fail(err, WS_EINVAL, "more than %zu %s: want fewer, by where", n->most,
			       n->of);
	snprintf(n->name[n->count++], LABEL, "%s", name);
	return WS_OK;
}

/* The cells that say which bar a row is; all but that of column `but`. */
static void label(const struct bars *b, size_t row, size_t but, char text[LABEL])
{
	size_t len = 0;

	text[0] = '\0';
	for (size_t i = 0; i < b->bar_columns && len < LABEL; i++)
		if (b->bar[i] != but)
			len += (size_t)snprintf(text + len, LABEL - len, "%s%s", len ? ", " : "",
						ws_rows_cell(&b->rows, row, b->bar[i]));
}

static enum ws_status note_mean(struct bars *b, size_t row, size_t group, struct ws_err *err)
{
	const char *name = b->mean == SIZE_MAX ? "" : ws_rows_cell(&b->rows, row, b->mean);
	size_t mean;
	enum ws_status status = number_of(&b->means, name, &mean, err);

	if (status != WS_OK)
		return status;
	if (b->mean_of[group] != SIZE_MAX && b->mean_of[group] != mean)
		return ws_fail(err, WS_EINVAL, "%s:%zu: %.64s is '%.64s' here and was '%.64s': "
			       "want one mean for each group", b->rows.name, b->rows.line[row],
			       b->groups.name[group], name, b->means.name[b->mean_of[group]]);
	b->mean_of[group] = mean;
	return WS_OK;
}

static enum ws_status put_value(struct bars *b, size_t row, double *cell, size_t *line,
				const char *bar, const char *group, struct ws_err *err)
{
	const char *text = ws_rows_cell(&b->rows, row, b->value);
	double value = (double)NAN;

	if (*line)
		return ws_fail(err, WS_EINVAL, "lines %zu and %zu of %s are both '%s' of %s: want "
			       "one, by where COLUMN=VALUE", *line, b->rows.line[row],
			       b->rows.name, bar, group);
	if (*text && strcmp(text, "-") && !ws_parse_double(text, &value))
		return ws_fail(err, WS_EINVAL, "%s:%zu: '%.64s' is no number, want one in column "
			       "%.64s",
			       b->rows.name, b->rows.line[row], text,
			       b->rows.cell[b->value]);
	b->missing += isnan(value) ? 1u : 0u;
	if (fabs(value) > LARGEST)
		return ws_fail(err, WS_EINVAL, "%s:%zu: %.64s = %.64s is too large to draw: want "
			       "at most %g", b->rows.name, b->rows.line[row],
			       b->rows.cell[b->value], text, LARGEST);
	*cell = value;
	*line = b->rows.line[row];
	return WS_OK;
}

static enum ws_status take_row(struct bars *b, size_t row, struct ws_err *err)
{
	char bar_name[LABEL], rest_name[LABEL];
	size_t group, bar = 0, rest = 0;
	bool base = b->base != SIZE_MAX &&
		    same_cell(ws_rows_cell(&b->rows, row, b->base), b->base_value);
	enum ws_status status = number_of(&b->groups, ws_rows_cell(&b->rows, row, b->group), &group,
					  err);

	label(b, row, SIZE_MAX, bar_name);
	label(b, row, b->base, rest_name);
	if (status == WS_OK)
		status = note_mean(b, row, group, err);
	if (status == WS_OK)
		status = number_of(&b->rests, rest_name, &rest, err);
	if (status == WS_OK && base) {
		size_t at = group * b->rests.most + rest;

		return put_value(b, row, &b->bases[at], &b->base_line[at], bar_name,
				 b->groups.name[group], err);
	}
	if (status == WS_OK)
		status = number_of(&b->bars, bar_name, &bar, err);
	if (status == WS_OK) {
		size_t at = group * b->bars.most + bar;

		b->rest_of[bar] = rest;
		status = put_value(b, row, &b->cell[at], &b->cell_line[at], bar_name,
				   b->groups.name[group], err);
	}
	return status;
}

static bool names_make(struct bar_names *n, size_t most, const char *of)
{
	*n = (struct bar_names){ .name = ws_alloc(most, sizeof *n->name), .most = most, .of = of };
	return n->name;
}

static enum ws_status make_bars(struct bars *b, struct ws_err *err)
{
	size_t cells = GROUPS_MAX * BARS_MAX;
	bool made = names_make(&b->groups, GROUPS_MAX, "groups") &&
		    names_make(&b->bars, BARS_MAX, "bars of a group") &&
		    names_make(&b->rests, BARS_MAX, "bars of a group") &&
		    names_make(&b->means, BARS_MAX, "means");

	b->cell = ws_alloc(cells, sizeof *b->cell);
	b->bases = ws_alloc(cells, sizeof *b->bases);
	b->cell_line = ws_alloc_zero(cells, sizeof *b->cell_line);
	b->base_line = ws_alloc_zero(cells, sizeof *b->base_line);
	b->rest_of = ws_alloc_zero(BARS_MAX, sizeof *b->rest_of);
	b->mean_of = ws_alloc(GROUPS_MAX, sizeof *b->mean_of);
	if (!made || !b->cell || !b->bases || !b->cell_line || !b->base_line || !b->rest_of ||
	    !b->mean_of)
		return ws_fail_memory(err, "a figure's bars");
	for (size_t i = 0; i < cells; i++)
		b->cell[i] = b->bases[i] = (double)NAN;
	for (size_t i = 0; i < GROUPS_MAX; i++)
		b->mean_of[i] = SIZE_MAX;
	return WS_OK;
}

static enum ws_status gather_rows(struct bars *b, struct ws_err *err)
{
	enum ws_status status = make_bars(b, err);
	size_t taken = 0;

	for (size_t row = 0; row < b->rows.rows && status == WS_OK; row++)
		if (chosen(b, row)) {
			status = take_row(b, row, err);
			taken++;
		}
	if (status != WS_OK)
		return status;
	if (!taken)
		return ws_fail(err, WS_EINVAL, "%s: no row of %zu is as where wants", b->rows.name,
			       b->rows.rows);
	if (!b->bars.count)
		return ws_fail(err, WS_EINVAL, "%s: all rows are the base's: want others beside "
			       "them",
			       b->rows.name);
	return WS_OK;
}

/* ---- the figure's data ---------------------------------------------------------------- */

/* Values over those of the base. */
static enum ws_status divide_by_base(struct bars *b, struct ws_err *err)
{
	for (size_t g = 0; g < b->groups.count; g++) {
		for (size_t i = 0; i < b->bars.count; i++) {
			size_t base = g * b->rests.most + b->rest_of[i];
			double *value = &b->cell[g * b->bars.most + i];

			if (isnan(*value))
				continue;
			if (!b->base_line[base])
				return ws_fail(err, WS_EINVAL, "%s: '%s' of %s has no row with %s "
					       "beside it", b->rows.name, b->bars.name[i],
						       b->groups.name[g],
					       b->asked->base);
			*value = b->bases[base] == 0 ? (double)NAN : *value / b->bases[base];
			if (fabs(*value) > LARGEST)
				return ws_fail(err, WS_EINVAL, "%s: '%s' of %s is too large to "
					       "draw relative to %s: want at most %g", b->rows.name,
					       b->bars.name[i], b->groups.name[g], b->asked->base,
					       LARGEST);
		}
	}
	return WS_OK;
}

/* Of the groups that have the bar and `mean` (SIZE_MAX: any): geometric if there is a base, then of
 * those that are positive; NAN if none. */
static double mean_value(const struct bars *b, size_t bar, size_t mean)
{
	bool ratios = b->base != SIZE_MAX;
	double sum = 0;
	size_t n = 0;

	for (size_t g = 0; g < b->groups.count; g++) {
		double value = b->cell[g * b->bars.most + bar];

		if (isnan(value) || (mean != SIZE_MAX && b->mean_of[g] != mean) ||
		    (ratios && value <= 0))
			continue;
		sum += ratios ? log(value) : value;
		n++;
	}
	if (!n)
		return (double)NAN;
	return ratios ? exp(sum / (double)n) : sum / (double)n;
}

/* Group, then the value in units of 10^-decimals. */
static void put_point(struct ws_buf *script, size_t at, double value, int decimals)
{
	if (!isnan(value))
		ws_put_printf(script, "%zu %.0f\n", at, value * pow(10, decimals));
}

static int decimals_of(const struct bars *b)
{
	double most = 0;

	for (size_t g = 0; g < b->groups.count; g++)
		for (size_t i = 0; i < b->bars.count; i++)
			if (fabs(b->cell[g * b->bars.most + i]) > most)
				most = fabs(b->cell[g * b->bars.most + i]);
	return most > 1e-290 ? DIGITS - (int)ceil(log10(most)) : 0;
}

static bool any_below(const struct bars *b)
{
	for (size_t g = 0; g < b->groups.count; g++)
		for (size_t i = 0; i < b->bars.count; i++)
			if (b->cell[g * b->bars.most + i] < 0)
				return true;
	return false;
}

/* Means follow the groups: of each that was named, then of all if that is another. */
static size_t means_of(const struct bars *b)
{
	return b->groups.count < 2 ? 0 : b->means.count > 1 ? b->means.count + 1 : 1;
}

static void put_values(struct ws_buf *script, const struct bars *b)
{
	size_t means = means_of(b), groups = b->groups.count;
	int decimals = decimals_of(b);

	for (size_t i = 0; i < b->bars.count; i++) {
		ws_put_printf(script, "$bar%zu << EOD\n", i + 1);
		for (size_t g = 0; g < groups; g++)
			put_point(script, g, b->cell[g * b->bars.most + i], decimals);
		ws_put_printf(script, "EOD\n$mean%zu << EOD\n", i + 1);
		for (size_t m = 0; m < means; m++)
			put_point(script, groups + m,
				  mean_value(b, i, m + 1 < means ? m : SIZE_MAX), decimals);
		ws_put_printf(script, "EOD\n");
	}
	ws_put_printf(script, "decimals = %d\n", decimals);
	ws_script_u64(script, "below", any_below(b));
	ws_script_u64(script, "groups", groups);
	ws_script_u64(script, "means", means);
	ws_script_u64(script, "bars", b->bars.count);
}

/* A value of a column; sizes are written as 16 KB. */
static const char *value_name(const char *column, const char *value, char size[32])
{
	const struct ws_key *key = ws_key_find(column);
	uint64_t bytes;

	if (!key || !key->unit || strcmp(key->unit, "bytes") != 0 || !ws_parse_u64(value, &bytes))
		return value;
	ws_script_bytes(size, bytes);
	return size;
}

static const char *bar_name(const struct bars *b, size_t i, char size[32])
{
	if (!b->bar_columns)
		return b->rows.cell[b->value];
	if (b->bar_columns > 1)
		return b->bars.name[i];
	return value_name(b->rows.cell[b->bar[0]], b->bars.name[i], size);
}

static void put_names(struct ws_buf *script, const struct bars *b)
{
	size_t means = means_of(b);
	char name[32], size[32];

	for (size_t i = 0; i < b->groups.count + means; i++) {
		size_t mean = i - b->groups.count;

		snprintf(name, sizeof name, "group%zu", i);
		ws_script_string(script, name, i < b->groups.count
				 ? value_name(b->rows.cell[b->group], b->groups.name[i], size)
				 : mean + 1 < means ? b->means.name[mean] : means > 1 ? "all"
					 : "mean");
	}
	ws_put_printf(script, "told_apart = ''");
	for (size_t i = 0; i < b->bar_columns; i++) {
		ws_put_printf(script, i ? ".', '." : ".");
		ws_script_quote(script, b->rows.cell[b->bar[i]]);
	}
	ws_put_u8(script, '\n');
	for (size_t i = 0; i < b->bars.count; i++) {
		snprintf(name, sizeof name, "name%zu", i + 1);
		ws_script_string(script, name, bar_name(b, i, size));
	}
}

/* What the rows were chosen by, in a line. */
static void put_title(struct ws_buf *script, const struct bars *b)
{
	char text[512] = "";
	size_t len = 0;

	for (size_t i = 0; i < b->filters && len < sizeof text; i++)
		len += (size_t)snprintf(text + len, sizeof text - len, ", %s=%s",
					b->rows.cell[b->filter[i].column], b->filter[i].value);
	if (b->missing && len < sizeof text)
		snprintf(text + len, sizeof text - len, "; %zu row%s without a value", b->missing,
			 b->missing == 1 ? "" : "s");
	ws_script_string(script, "value", b->rows.cell[b->value]);
	ws_script_string(script, "base", b->asked->base ? b->asked->base : "");
	ws_script_string(script, "rows", text);
}

static void clear_bars(struct bars *b)
{
	ws_rows_clear(&b->rows);
	free(b->split);
	free(b->filter);
	free(b->groups.name);
	free(b->bars.name);
	free(b->rests.name);
	free(b->means.name);
	free(b->cell);
	free(b->bases);
	free(b->cell_line);
	free(b->base_line);
	free(b->rest_of);
	free(b->mean_of);
}

static enum ws_status bars_data(const struct ws_figure_input *in, struct ws_buf *script,
				struct ws_err *err)
{
	struct bars b = { .asked = &in->bars };
	enum ws_status status = ws_rows_read(&b.rows, in->table, err);

	if (status == WS_OK)
		status = columns(&b, err);
	if (status == WS_OK)
		status = gather_rows(&b, err);
	if (status == WS_OK && b.base != SIZE_MAX)
		status = divide_by_base(&b, err);
	if (status == WS_OK) {
		put_title(script, &b);
		ws_script_source(script, in);
		put_names(script, &b);
		put_values(script, &b);
	}
	clear_bars(&b);
	return status;
}

const struct ws_figure ws_figure_bars = {
	.name = "bars",
	.summary = "a column of rows that other commands wrote, in groups of bars, as they are or "
		   "relative to a base, with their means",
	.needs = WS_FIGURE_TABLE,
	.data = bars_data,
};
