/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cli/rows.c -- the table of predict, sweep and simulate.
 */
#include "cli/cli.h"

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
	WS_COL_SECTORS_MISSED, WS_COL_SECTORS_PER_REQUEST, WS_COL_BYTES, WS_COL_SM_SHARED_BYTES,
};

static const enum ws_col choice_columns[] = { WS_COL_CHOICE };

static const enum ws_col band_columns[] = {
	WS_COL_ALTERNATIVES, WS_COL_ALTERNATIVES_LOW, WS_COL_ALTERNATIVES_HIGH,
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

static const enum ws_col tlb_columns[] = {
	WS_COL_TLB_REQUESTS, WS_COL_TLB_L1_MISSES, WS_COL_TLB_L2_MISSES,
};

enum ws_status cli_plan_translates(const struct ws_study_plan *plan, bool *yes,
				   struct ws_err *err)
{
	enum ws_status status = WS_OK;

	*yes = false;
	for (uint64_t i = 0; i < plan->count && !*yes && status == WS_OK; i++) {
		struct ws_machine m;

		status = ws_study_plan_machine(plan, i, &m, err);
		*yes = status == WS_OK && m.tlb[0].runs;
	}
	return status;
}

void cli_columns_tlb(enum ws_col *column, size_t *count)
{
	cli_columns_add(column, count, tlb_columns, WS_COUNT(tlb_columns));
}

void cli_cells_tlb(struct ws_table *t, const struct ws_tlb_counts *c)
{
	ws_cell_u64(t, WS_COL_TLB_REQUESTS, c->requests);
	ws_cell_u64(t, WS_COL_TLB_L1_MISSES, c->misses[0]);
	ws_cell_u64(t, WS_COL_TLB_L2_MISSES, c->misses[1]);
}

static enum ws_status begin_rows(struct cli_rows *rows, struct ws_err *err)
{
	enum ws_col column[WS_COUNT(columns) + WS_COUNT(choice_columns) + WS_COUNT(part_columns) +
			   WS_COUNT(spread_columns) + WS_COUNT(time_columns) +
			   WS_COUNT(band_columns) + WS_COUNT(tlb_columns)];
	const struct cli_options *o = rows->call->options;
	size_t count = 0;

	cli_columns_add(column, &count, columns, WS_COUNT(columns));
	if (o->best)
		cli_columns_add(column, &count, choice_columns, WS_COUNT(choice_columns));
	if (rows->plan->alternatives > 1)
		cli_columns_add(column, &count, band_columns, WS_COUNT(band_columns));
	if (o->by)
		cli_columns_add(column, &count, part_columns, WS_COUNT(part_columns));
	if (o->runs)
		cli_columns_add(column, &count, spread_columns, WS_COUNT(spread_columns));
	if (o->latency)
		cli_columns_add(column, &count, time_columns, WS_COUNT(time_columns));
	if (rows->translates)
		cli_columns_tlb(column, &count);
	return cli_report_begin(&rows->report, rows->call, rows->plan, column, count, err);
}

/* ---- one row ------------------------------------------------------------- */

const char *cli_confidence(bool low)
{
	return low ? "low" : "high";
}

/* None without requests. */
static void ratio_cells(struct ws_table *t, const struct ws_row *r)
{
	struct ws_interval i = ws_row_miss_ratio(r);

	if (!r->prediction->kind[r->kind].requests)
		return;
	ws_cell_f64(t, WS_COL_MISS_RATIO, i.value);
	if (!i.stated)
		return;
	ws_cell_f64(t, WS_COL_ERROR_PP, r->prediction->error_pp[r->kind]);
	ws_cell_f64(t, WS_COL_MISS_RATIO_LOW, i.low);
	ws_cell_f64(t, WS_COL_MISS_RATIO_HIGH, i.high);
}

static void band_cells(struct ws_table *t, const struct ws_row *r)
{
	ws_cell_u64(t, WS_COL_ALTERNATIVES, r->band->machines);
	if (!r->prediction->kind[r->kind].requests)
		return;
	ws_cell_f64(t, WS_COL_ALTERNATIVES_LOW, r->band->low);
	ws_cell_f64(t, WS_COL_ALTERNATIVES_HIGH, r->band->high);
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

static void spread_cells(struct ws_table *t, const struct ws_row *r)
{
	const struct ws_spread *s = r->spread;

	ws_cell_u64(t, WS_COL_RUNS, s->runs);
	if (!r->prediction->kind[r->kind].requests)
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
	if (source.failed)
		ws_table_no_memory(t);
	else
		ws_cell_str(t, WS_COL_SOURCE, *file ? (const char *)source.data : "?");
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

static void time_cells(struct ws_table *t, const struct ws_timing *s)
{
	ws_cell_f64(t, WS_COL_ACCESS_CYCLES, s->access_cycles);
	ws_cell_f64(t, WS_COL_FETCH_CYCLES, s->fetch_cycles);
	if (!s->l2_assumed)
		ws_cell_f64(t, WS_COL_DRAM_BYTES, s->dram_bytes);
	if (!(s->cycles > 0))
		return;
	ws_cell_u64(t, WS_COL_CYCLES, (uint64_t)(s->cycles + 0.5));
	ws_cell_str(t, WS_COL_BOUND, ws_bound_name(s->binds));
	ws_cell_f64(t, WS_COL_LATENCY_MEAN, s->load_cycles);
	ws_cell_f64(t, WS_COL_MSHRS, s->mshrs);
	if (s->anchor_cycles > 0)
		ws_cell_u64(t, WS_COL_ANCHOR_CYCLES, (uint64_t)(s->anchor_cycles + 0.5));
}

enum ws_status cli_rows_put(void *context, const struct ws_row *r, struct ws_err *err)
{
	struct cli_rows *rows = context;
	enum ws_status status = rows->report.begun ? WS_OK : begin_rows(rows, err);
	const struct ws_prediction *p = r->prediction;
	struct ws_table *t = rows->report.table;

	if (status != WS_OK)
		return status;
	cli_vary_cells(r->plan, r->config, t);
	ws_cell_str(t, WS_COL_KERNEL, r->kernel);
	if (r->part)
		cli_cells_part(t, r->part->array, r->part->file, r->part->line);
	cli_cells_cache(t, r->machine, r->l2);
	ws_cell_str(t, WS_COL_KIND, ws_kind_names[r->kind]);
	if (r->machine->sm_unified_bytes)
		ws_cell_u64(t, WS_COL_SM_SHARED_BYTES, r->machine->sm_shared_bytes);
	if (r->choice)
		ws_cell_str(t, WS_COL_CHOICE, ws_choice_names[r->choice]);
	counts_cells(t, &p->kind[r->kind]);
	sector_cells(t, &p->kind[r->kind]);
	if (r->kind == WS_KINDS && !r->part && !r->l2)
		instruction_cells(t, p);
	ratio_cells(t, r);
	ws_cell_str(t, WS_COL_BASIS, ws_basis_names[r->basis]);
	ws_cell_str(t, WS_COL_CONFIDENCE, cli_confidence(r->low_confidence));
	ws_cell_str(t, WS_COL_ORDER, r->order);
	if (r->spread)
		spread_cells(t, r);
	if (r->band)
		band_cells(t, r);
	if (r->timing)
		time_cells(t, r->timing);
	if (r->tlb && rows->translates)
		cli_cells_tlb(t, r->tlb);
	ws_row_end(t);
	return WS_OK;
}

enum ws_status cli_rows_end(struct cli_rows *rows, enum ws_status status, struct ws_err *err)
{
	if (status == WS_OK && !rows->report.begun) /* no kernel, no rows */
		status = begin_rows(rows, err);
	return cli_report_end(&rows->report, status, err);
}
