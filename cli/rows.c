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

static const enum ws_col columns[] = {
	WS_COL_MACHINE, WS_COL_KERNEL, WS_COL_LEVEL, WS_COL_POLICY, WS_COL_SIZE_BYTES, WS_COL_SETS,
	WS_COL_WAYS, WS_COL_LINE_BYTES, WS_COL_KIND, WS_COL_REQUESTS, WS_COL_HITS, WS_COL_PENDING,
	WS_COL_MISSES, WS_COL_COLD, WS_COL_CAPACITY, WS_COL_CONFLICT, WS_COL_UNCACHED,
	WS_COL_MISS_RATIO, WS_COL_BASIS, WS_COL_ERROR_PP, WS_COL_MISS_RATIO_LOW,
	WS_COL_MISS_RATIO_HIGH, WS_COL_CONFIDENCE, WS_COL_ORDER, WS_COL_INSTRUCTIONS,
	WS_COL_REQUESTS_PER_INSTRUCTION, WS_COL_SECTORS, WS_COL_SECTORS_HIT,
	WS_COL_SECTORS_MISSED, WS_COL_SECTORS_PER_REQUEST, WS_COL_BYTES,
};

static const enum ws_col part_columns[] = { WS_COL_ARRAY, WS_COL_SOURCE };

static const enum ws_col spread_columns[] = {
	WS_COL_RUNS, WS_COL_MISS_RATIO_MEDIAN, WS_COL_MISS_RATIO_SD, WS_COL_MISS_RATIO_MIN,
	WS_COL_MISS_RATIO_MAX,
};

static const enum ws_col time_columns[] = {
	WS_COL_CYCLES, WS_COL_BOUND, WS_COL_LATENCY_MEAN, WS_COL_ACCESS_CYCLES,
	WS_COL_FETCH_CYCLES, WS_COL_MSHRS, WS_COL_ANCHOR_CYCLES, WS_COL_DRAM_BYTES,
};

static enum ws_status begin(struct cli_rows *rows, struct ws_err *err)
{
	enum ws_col column[WS_COUNT(columns) + WS_COUNT(part_columns) +
			   WS_COUNT(spread_columns) + WS_COUNT(time_columns)];
	size_t count = 0;

	cli_columns_add(column, &count, columns, WS_COUNT(columns));
	if (rows->parts)
		cli_columns_add(column, &count, part_columns, WS_COUNT(part_columns));
	if (rows->spread)
		cli_columns_add(column, &count, spread_columns, WS_COUNT(spread_columns));
	if (rows->latency)
		cli_columns_add(column, &count, time_columns, WS_COUNT(time_columns));
	return cli_report_begin(&rows->report, rows->call, rows->plan, column, count, err);
}

/* ---- one row ------------------------------------------------------------- */

struct spread { /* of one kernel and kind over the runs */
	const struct ws_prediction *shown; /* the run of the median */
	double median, sd, min, max;
	uint64_t requests;	/* of it */
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
	s.requests = s.shown->kind[kind].requests;
	return s;
}

const char *cli_confidence(const struct ws_prediction *p)
{
	return p->unsure ? "low" : "high";
}

/* Ends of the interval and the ratio between them; none without requests. */
static void ratio_cells(struct ws_table *t, const struct ws_prediction *p, unsigned kind,
			bool count_pending)
{
	const struct ws_counts *c = &p->kind[kind];
	/* The interval is of what misses. */
	double waiting = ws_miss_ratio(c, count_pending) - ws_miss_ratio(c, false);
	double low = p->low[kind] + waiting, high = p->high[kind] + waiting;

	if (!c->requests)
		return;
	ws_cell_f64(t, WS_COL_MISS_RATIO, ws_miss_ratio(c, count_pending));
	ws_cell_f64(t, WS_COL_ERROR_PP, p->error_pp[kind]);
	ws_cell_f64(t, WS_COL_MISS_RATIO_LOW, low < 1 ? low : 1);
	ws_cell_f64(t, WS_COL_MISS_RATIO_HIGH, high < 1 ? high : 1);
}

static void counts_cells(struct ws_table *t, const struct ws_counts *c)
{
	ws_cell_u64(t, WS_COL_REQUESTS, c->requests);
	ws_cell_u64(t, WS_COL_HITS, c->hits);
	ws_cell_u64(t, WS_COL_PENDING, c->pending);
	ws_cell_u64(t, WS_COL_MISSES, c->misses);
	ws_cell_u64(t, WS_COL_COLD, c->cold);
	ws_cell_u64(t, WS_COL_CAPACITY, c->capacity);
	ws_cell_u64(t, WS_COL_CONFLICT, c->conflict);
	ws_cell_u64(t, WS_COL_UNCACHED, c->uncached);
}

static void sector_cells(struct ws_table *t, const struct ws_counts *c)
{
	if (!c->sectors)
		return;
	ws_cell_u64(t, WS_COL_SECTORS, c->sectors);
	ws_cell_u64(t, WS_COL_SECTORS_HIT, c->sectors - c->sectors_missed);
	ws_cell_u64(t, WS_COL_SECTORS_MISSED, c->sectors_missed);
	ws_cell_ratio(t, WS_COL_SECTORS_PER_REQUEST, (double)c->sectors, (double)c->requests);
	ws_cell_u64(t, WS_COL_BYTES, c->sectors * WS_SECTOR_BYTES);
}

static void instruction_cells(struct ws_table *t, const struct ws_prediction *p)
{
	if (!p->instructions)
		return;
	ws_cell_u64(t, WS_COL_INSTRUCTIONS, p->instructions);
	ws_cell_ratio(t, WS_COL_REQUESTS_PER_INSTRUCTION, (double)p->kind[WS_KINDS].requests,
		      (double)p->instructions);
}

static void spread_cells(struct ws_table *t, uint64_t runs, const struct spread *s)
{
	ws_cell_u64(t, WS_COL_RUNS, runs);
	if (!s->requests)
		return;
	ws_cell_f64(t, WS_COL_MISS_RATIO_MEDIAN, s->median);
	ws_cell_f64(t, WS_COL_MISS_RATIO_SD, s->sd);
	ws_cell_f64(t, WS_COL_MISS_RATIO_MIN, s->min);
	ws_cell_f64(t, WS_COL_MISS_RATIO_MAX, s->max);
}

void cli_cells_part(struct ws_table *t, const char *array, const char *file, uint32_t line)
{
	struct ws_buf source = { 0 };
	char number[24];

	ws_cell_str(t, WS_COL_ARRAY, array && !*array ? "?" : array);
	if (!file)
		return;
	ws_put_bytes(&source, file, strlen(file));
	snprintf(number, sizeof number, ":%" PRIu32, line);
	ws_put_bytes(&source, number, line ? strlen(number) : 0);
	ws_put_u8(&source, 0);
	ws_cell_str(t, WS_COL_SOURCE, *file && !source.failed ? (const char *)source.data : "?");
	ws_buf_clear(&source);
}

void cli_cells_cache(struct ws_table *t, const struct ws_machine *m, bool l2)
{
	const struct ws_cache *cache = l2 ? &m->l2 : &m->l1;

	ws_cell_str(t, WS_COL_MACHINE, m->name);
	ws_cell_str(t, WS_COL_LEVEL, l2 ? "L2" : "L1");
	ws_cell_str(t, WS_COL_POLICY, cache->policy);
	ws_cell_u64(t, WS_COL_SIZE_BYTES, cache->size_bytes);
	ws_cell_u64(t, WS_COL_SETS, cache->sets);
	ws_cell_u64(t, WS_COL_WAYS, cache->ways);
	ws_cell_u64(t, WS_COL_LINE_BYTES, cache->line_bytes);
}

const char *cli_order_text(const struct cli_plan *plan)
{
	return ws_order_names[plan->order];
}

/* Is row `kernel` of the L2? */
static bool behind(const struct cli_rows *rows, size_t kernel)
{
	return !rows->plan->l1 || kernel >= rows->kernels.count;
}

static void time_cells(struct ws_table *t, const struct ws_timing *s)
{
	ws_cell_f64(t, WS_COL_ACCESS_CYCLES, s->access_cycles);
	ws_cell_f64(t, WS_COL_FETCH_CYCLES, s->fetch_cycles);
	if (!s->l2_assumed)
		ws_cell_f64(t, WS_COL_DRAM_BYTES, s->dram_bytes);
	if (!(s->cycles > 0))
		return;
	ws_cell_u64(t, WS_COL_CYCLES, (uint64_t)(s->cycles + 0.5));
	ws_cell_str(t, WS_COL_BOUND, ws_bound_names[s->binds]);
	ws_cell_f64(t, WS_COL_LATENCY_MEAN, s->load_cycles);
	ws_cell_f64(t, WS_COL_MSHRS, s->mshrs);
	if (s->anchor_cycles > 0)
		ws_cell_u64(t, WS_COL_ANCHOR_CYCLES, (uint64_t)(s->anchor_cycles + 0.5));
}

/* All but the end of a row.  part NULL: of the whole kernel; p is its prediction, or that of the
 * whole. */
static void row(struct cli_rows *rows, uint64_t config, const struct ws_machine *m, size_t kernel,
		const struct ws_part *part, unsigned kind, const struct ws_prediction *p)
{
	struct ws_table *t = rows->report.table;

	cli_plan_cells(rows->plan, config, t);
	ws_cell_str(t, WS_COL_KERNEL, rows->kernels.name[kernel % rows->kernels.count]);
	if (part)
		cli_cells_part(t, part->array, part->file, part->line);
	cli_cells_cache(t, m, behind(rows, kernel));
	ws_cell_str(t, WS_COL_KIND, ws_kind_names[kind]);
	counts_cells(t, &p->kind[kind]);
	sector_cells(t, &p->kind[kind]);
	if (kind == WS_KINDS && !part && !behind(rows, kernel))
		instruction_cells(t, p);
	ratio_cells(t, p, kind, m->count_pending);
	ws_cell_str(t, WS_COL_BASIS, ws_basis_names[p->basis]);
	ws_cell_str(t, WS_COL_CONFIDENCE, cli_confidence(p));
	ws_cell_str(t, WS_COL_ORDER, cli_order_text(rows->plan));
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
		for (unsigned kind = 0; kind <= WS_KINDS; kind++) {
			struct spread s;

			if (!shown(rows, at(rows, result, 0, k), kind))
				continue;
			s = spread_of(rows, m, result, k, kind, ratio);
			row(rows, config, m, k, NULL, kind, s.shown);
			if (rows->spread)
				spread_cells(rows->report.table, rows->runs, &s);
			if (rows->latency && kind == WS_KINDS && !behind(rows, k))
				time_cells(rows->report.table, timing + k);
			ws_row_end(rows->report.table);
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
		for (size_t i = 0; i < result[k].count; i++) {
			const struct ws_part *part = &result[k].part[i];

			for (unsigned kind = 0; kind <= WS_KINDS; kind++) {
				if (!shown(rows, &part->prediction, kind) ||
				    !part->prediction.kind[kind].requests)
					continue;
				row(rows, config, m, k, part, kind, &part->prediction);
				ws_row_end(rows->report.table);
			}
		}
	}
	return status;
}

enum ws_status cli_rows_end(struct cli_rows *rows, enum ws_status status, struct ws_err *err)
{
	status = cli_report_end(&rows->report, status, err);
	cli_kernels_clear(&rows->kernels);
	return status;
}
