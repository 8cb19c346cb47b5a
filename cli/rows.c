/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cli/rows.c -- the table of predict, sweep and simulate.
 *
 * Of several runs (--runs) a row shows the one whose miss ratio is the lower
 * median of that row's, so its counts are counts that occurred; the spread
 * follows in columns of its own.
 */
#include "cli/cli.h"

#include <gsl/gsl_statistics_double.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char *const columns[] = {
	"kernel", "level", "policy", "size_bytes", "sets", "ways", "line_bytes", "kind",
	"requests", "hits", "pending", "misses", "cold", "capacity", "conflict", "miss_ratio",
	"basis", "error_pp", "uncached", "miss_ratio_low", "miss_ratio_high",
	"confidence",
};

static const char *const part_columns[] = { "array", "source" }; /* after the first */

static const char *const spread_columns[] = {
	"runs", "miss_ratio_median", "miss_ratio_sd", "miss_ratio_min", "miss_ratio_max",
};

static const char *const time_columns[] = {
	"cycles", "bound", "latency_mean", "access_cycles", "fetch_cycles", "mshrs",
	"anchor_cycles",
};

#define DECIMALS 6

static enum ws_status begin(struct cli_rows *rows, struct ws_err *err)
{
	size_t varies = rows->plan->varies, at = 0;
	size_t count = varies + WS_COUNT(columns) + WS_COUNT(part_columns) +
		       WS_COUNT(spread_columns) + WS_COUNT(time_columns);

	rows->column = ws_alloc(count, sizeof *rows->column);
	if (!rows->column)
		return ws_fail_memory(err, "the columns");
	for (size_t v = 0; v < varies; v++)
		rows->column[at++] = rows->plan->vary[v].key->name;
	for (size_t i = 0; i < WS_COUNT(columns); i++) {
		rows->column[at++] = columns[i];
		for (size_t j = 0; rows->parts && i == 0 && j < WS_COUNT(part_columns); j++)
			rows->column[at++] = part_columns[j];
	}
	for (size_t i = 0; rows->spread && i < WS_COUNT(spread_columns); i++)
		rows->column[at++] = spread_columns[i];
	for (size_t i = 0; rows->latency && i < WS_COUNT(time_columns); i++)
		rows->column[at++] = time_columns[i];
	return cli_report_begin(&rows->report, rows->call, rows->column, at, err);
}

/* ---- one row ------------------------------------------------------------- */

struct spread { /* of one kernel and kind over the runs */
	const struct ws_prediction *shown; /* the run of the median */
	double median, sd, min, max;
};

/* Kernels of the L2 are numbered on from those of the L1s, if there are some of both. */
static const struct ws_prediction *at(const struct cli_rows *rows,
				      const struct ws_prediction *result, uint64_t run,
				      size_t kernel)
{
	return (const struct ws_prediction *)((const char *)result + run * cli_rows_size(rows)) +
	       kernel;
}

size_t cli_rows_size(const struct cli_rows *rows)
{
	size_t levels = (size_t)(rows->plan->l1 + rows->plan->l2);

	return rows->kernels.count * (levels * sizeof(struct ws_prediction) +
				      (rows->latency ? sizeof(struct ws_timing) : 0));
}

/* ratio: room for twice the runs. */
static struct spread spread_of(const struct cli_rows *rows, const struct ws_machine *m,
			       const struct ws_prediction *result, size_t kernel, unsigned kind,
			       double *ratio)
{
	struct spread s = { 0 };
	uint64_t shown = 0;
	double *sorted = ratio + rows->runs;
	size_t n = (size_t)rows->runs;

	for (uint64_t r = 0; r < n; r++)
		ratio[r] = ws_miss_ratio(&at(rows, result, r, kernel)->kind[kind],
					 m->count_pending);
	memcpy(sorted, ratio, n * sizeof *ratio);
	s.median = gsl_stats_median(sorted, 1, n); /* arranges its argument */
	s.sd = n > 1 ? gsl_stats_sd(ratio, 1, n) : 0;
	gsl_stats_minmax(&s.min, &s.max, ratio, 1, n);
	/* The run nearest to the median from below. */
	for (uint64_t r = 0; r < n; r++)
		if (ratio[r] <= s.median && (ratio[shown] > s.median || ratio[r] > ratio[shown]))
			shown = r;
	s.shown = at(rows, result, shown, kernel);
	return s;
}

const char *cli_confidence(const struct ws_prediction *p)
{
	return p->unsure ? "low" : "high";
}

static void counts_cells(struct ws_table *t, const struct ws_counts *c)
{
	const uint64_t cells[] = { c->requests, c->hits, c->pending, c->misses,
				   c->cold, c->capacity, c->conflict };

	for (size_t i = 0; i < WS_COUNT(cells); i++)
		ws_cell_u64(t, cells[i]);
}

static void spread_cells(struct ws_table *t, uint64_t runs, const struct spread *s)
{
	ws_cell_u64(t, runs);
	ws_cell_f64(t, s->median, DECIMALS);
	ws_cell_f64(t, s->sd, DECIMALS);
	ws_cell_f64(t, s->min, DECIMALS);
	ws_cell_f64(t, s->max, DECIMALS);
}

/* Which array, which place in the source; "-": all, "?": unknown. */
static void part_cells(struct ws_table *t, const struct ws_part *part)
{
	char line[24];
	struct ws_buf source = { 0 };

	if (part->array)
		ws_cell_str(t, part->array[0] ? part->array : "?");
	else
		ws_cell_none(t);
	if (!part->file) {
		ws_cell_none(t);
		return;
	}
	ws_put_bytes(&source, part->file, strlen(part->file));
	snprintf(line, sizeof line, ":%" PRIu32, part->line);
	ws_put_bytes(&source, line, part->line ? strlen(line) : 0);
	ws_put_u8(&source, 0);
	ws_cell_str(t, part->file[0] && !source.failed ? (const char *)source.data : "?");
	ws_buf_clear(&source);
}

/* Is row `kernel` of the L2? */
static bool behind(const struct cli_rows *rows, size_t kernel)
{
	return !rows->plan->l1 || kernel >= rows->kernels.count;
}

/* timing NULL: of a row that has none. */
static void time_cells(struct ws_table *t, const struct ws_timing *timing)
{
	const struct ws_timing none = { .binds = WS_BOUNDS };
	const struct ws_timing *s = timing ? timing : &none;
	const double cells[] = { s->load_cycles, s->access_cycles, s->fetch_cycles, s->mshrs };
	bool known = timing && s->cycles > 0;

	if (known)
		ws_cell_u64(t, (uint64_t)(s->cycles + 0.5));
	else
		ws_cell_none(t);
	if (known)
		ws_cell_str(t, ws_bound_names[s->binds]);
	else
		ws_cell_none(t);
	for (size_t i = 0; i < WS_COUNT(cells); i++)
		if (timing && (known || i == 1 || i == 2)) /* those need no cycles */
			ws_cell_f64(t, cells[i], 3);
		else
			ws_cell_none(t);
	if (known && s->anchor_cycles > 0)
		ws_cell_u64(t, (uint64_t)(s->anchor_cycles + 0.5));
	else
		ws_cell_none(t);
}

/* part NULL: of the whole kernel; p is its prediction, or that of the whole. */
static void row(struct cli_rows *rows, uint64_t config, const struct ws_machine *m, size_t kernel,
		const struct ws_part *part, unsigned kind, const struct ws_prediction *p)
{
	struct ws_table *t = &rows->report.table;
	const struct ws_counts *c = &p->kind[kind];
	const struct ws_cache *cache = behind(rows, kernel) ? &m->l2 : &m->l1;
	/* The interval is of what misses. */
	double waiting = ws_miss_ratio(c, m->count_pending) - ws_miss_ratio(c, false);
	double low = p->low[kind] + waiting, high = p->high[kind] + waiting;
	const uint64_t geometry[] = { cache->size_bytes, cache->sets, cache->ways,
				      cache->line_bytes };

	cli_plan_cells(rows->plan, config, t);
	ws_cell_str(t, rows->kernels.name[kernel % rows->kernels.count]);
	if (part)
		part_cells(t, part);
	ws_cell_str(t, behind(rows, kernel) ? "L2" : "L1");
	ws_cell_str(t, cache->policy);
	for (size_t i = 0; i < WS_COUNT(geometry); i++)
		ws_cell_u64(t, geometry[i]);
	ws_cell_str(t, ws_kind_names[kind]);
	counts_cells(t, c);
	ws_cell_f64(t, ws_miss_ratio(c, m->count_pending), DECIMALS);
	ws_cell_str(t, ws_basis_names[p->basis]);
	ws_cell_f64(t, p->error_pp[kind], DECIMALS);
	ws_cell_u64(t, c->uncached);
	ws_cell_f64(t, low < 1 ? low : 1, DECIMALS);
	ws_cell_f64(t, high < 1 ? high : 1, DECIMALS);
	ws_cell_str(t, cli_confidence(p));
}

static bool shown(const struct cli_rows *rows, const struct ws_prediction *first, unsigned kind)
{
	if (rows->each)
		return kind == WS_KINDS || first->kind[kind].requests > 0;
	return kind == rows->kind;
}

enum ws_status cli_rows_print(struct cli_rows *rows, uint64_t config, const struct ws_machine *m,
			      const struct ws_prediction *result, struct ws_err *err)
{
	double *ratio = ws_alloc((size_t)rows->runs, 2 * sizeof *ratio);
	size_t count = (size_t)(rows->plan->l1 + rows->plan->l2) * rows->kernels.count;
	const struct ws_timing *timing = NULL;
	enum ws_status status = WS_OK;

	if (rows->latency)
		timing = (const struct ws_timing *)(result + count);
	if (!ratio)
		return ws_fail_memory(err, "the runs");
	if (!rows->report.begun)
		status = begin(rows, err);
	for (size_t k = 0; k < count && status == WS_OK; k++) {
		struct ws_machine own;

		status = cli_kernel_machine(&rows->kernels, k % rows->kernels.count, m, &own, err);
		for (unsigned kind = 0; kind <= WS_KINDS && status == WS_OK; kind++) {
			struct spread s;

			if (!shown(rows, at(rows, result, 0, k), kind))
				continue;
			s = spread_of(rows, m, result, k, kind, ratio);
			row(rows, config, &own, k, NULL, kind, s.shown);
			if (rows->spread)
				spread_cells(&rows->report.table, rows->runs, &s);
			if (rows->latency)
				time_cells(&rows->report.table, kind == WS_KINDS && !behind(rows, k)
					   ? timing + k : NULL);
		}
	}
	free(ratio);
	return status;
}

enum ws_status cli_rows_print_parts(struct cli_rows *rows, uint64_t config,
				    const struct ws_machine *m, const struct cli_parts *result,
				    struct ws_err *err)
{
	enum ws_status status = rows->report.begun ? WS_OK : begin(rows, err);

	for (size_t k = 0; k < rows->kernels.count && status == WS_OK; k++) {
		struct ws_machine own;

		status = cli_kernel_machine(&rows->kernels, k, m, &own, err);
		for (size_t i = 0; i < result[k].count && status == WS_OK; i++) {
			const struct ws_part *part = &result[k].part[i];

			for (unsigned kind = 0; kind <= WS_KINDS; kind++)
				if (shown(rows, &part->prediction, kind) &&
				    part->prediction.kind[kind].requests)
					row(rows, config, &own, k, part, kind, &part->prediction);
		}
	}
	return status;
}

enum ws_status cli_rows_end(struct cli_rows *rows, enum ws_status status, struct ws_err *err)
{
	status = cli_report_end(&rows->report, status, err);
	free(rows->column);
	cli_kernels_clear(&rows->kernels);
	return status;
}
