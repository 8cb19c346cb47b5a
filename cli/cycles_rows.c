/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cli/cycles_rows.c -- the table of `simulate --cycles`: the columns of predict, then its own.
 *
 * Misses have no class in a simulation in time (cold, capacity, conflict, uncached), so those cells
 * are empty; values of a whole SM are empty in rows of parts.
 */
#include "cli/cycles.h"

#include <stdlib.h>
#include <string.h>

static const enum ws_col columns[] = {
	WS_COL_MACHINE, WS_COL_KERNEL, WS_COL_LEVEL, WS_COL_POLICY, WS_COL_SIZE_BYTES, WS_COL_SETS,
	WS_COL_WAYS, WS_COL_LINE_BYTES, WS_COL_KIND, WS_COL_REQUESTS, WS_COL_HITS, WS_COL_PENDING,
	WS_COL_MISSES, WS_COL_COLD, WS_COL_CAPACITY, WS_COL_CONFLICT, WS_COL_UNCACHED,
	WS_COL_MISS_RATIO, WS_COL_BASIS, WS_COL_ERROR_PP, WS_COL_MISS_RATIO_LOW,
	WS_COL_MISS_RATIO_HIGH, WS_COL_CONFIDENCE, WS_COL_ORDER, WS_COL_SECTORS,
	WS_COL_SECTORS_PER_REQUEST, WS_COL_BYTES, WS_COL_SECTOR_MISSES,
	WS_COL_FAIL_LINE, WS_COL_FAIL_QUEUE, WS_COL_FAIL_MSHR, WS_COL_FAIL_MERGE,
};

static const enum ws_col whole_columns[] = { /* of rows of level L1 and kind all */
	WS_COL_INSTRUCTIONS, WS_COL_REQUESTS_PER_INSTRUCTION, WS_COL_CYCLES,
	WS_COL_ISSUED_INSTRUCTIONS, WS_COL_IPC, WS_COL_LATENCY_MEAN, WS_COL_LATENCY_P50,
	WS_COL_LATENCY_P95, WS_COL_LATENCY_P99, WS_COL_STALL_EMPTY, WS_COL_STALL_LSU,
	WS_COL_STALL_DATA, WS_COL_STALL_BARRIER, WS_COL_STALL_OTHER, WS_COL_SENT_BYTES,
	WS_COL_RECEIVED_BYTES, WS_COL_DRAM_READ_BYTES, WS_COL_DRAM_WRITE_BYTES,
	WS_COL_DRAM_READ_SECTORS, WS_COL_DRAM_WRITE_SECTORS,
};

static const enum ws_col words_columns[] = { /* of the same rows, if an L1 is organised so */
	WS_COL_PARTIAL, WS_COL_INVALIDATED, WS_COL_FINER, WS_COL_COARSER, WS_COL_FLUSHED,
};

static const enum ws_col part_columns[] = { WS_COL_ARRAY, WS_COL_SOURCE };
static const enum ws_col unit_columns[] = { WS_COL_UNIT_NUMBER };

static enum ws_status find_words(struct cycles_rows *rows, struct ws_err *err)
{
	enum ws_status status = WS_OK;

	for (uint64_t i = 0; i < rows->plan->count && !rows->words && status == WS_OK; i++) {
		struct ws_machine m;

		status = ws_study_plan_machine(rows->plan, i, &m, err);
		rows->words = status == WS_OK && ws_organisation_of(&m.l1)->sub_sectors;
	}
	return status;
}

enum ws_status cycles_rows_begin(struct cycles_rows *rows, struct ws_err *err)
{
	enum ws_col column[WS_COUNT(columns) + WS_COUNT(part_columns) + WS_COUNT(whole_columns) +
			   WS_COUNT(words_columns) + 3];
	enum ws_status status = WS_OK;
	size_t count = 0;

	if (rows->report.begun)
		return WS_OK;
	if (!rows->by)
		status = find_words(rows, err);
	if (status == WS_OK && !rows->by)
		status = ws_study_plan_translates(rows->plan, &rows->translates, err);
	if (status != WS_OK)
		return status;
	cli_columns_add(column, &count, columns, WS_COUNT(columns));
	if (rows->by == CYCLES_BY_SM)
		cli_columns_add(column, &count, unit_columns, WS_COUNT(unit_columns));
	else if (rows->by)
		cli_columns_add(column, &count, part_columns, WS_COUNT(part_columns));
	else
		cli_columns_add(column, &count, whole_columns, WS_COUNT(whole_columns));
	if (rows->words)
		cli_columns_add(column, &count, words_columns, WS_COUNT(words_columns));
	if (rows->translates)
		ws_columns_tlb(column, &count);
	return cli_report_begin(&rows->report, rows->call, rows->plan, column, count, err);
}

/* ---- one row ---------------------------------------------------------------- */

static void sector_cells(struct ws_table *t, const struct ws_cycle_counts *c)
{
	ws_cell_u64(t, WS_COL_SECTORS, c->sectors);
	ws_cell_ratio(t, WS_COL_SECTORS_PER_REQUEST, (double)c->sectors, (double)c->requests);
	ws_cell_u64(t, WS_COL_BYTES, c->sectors * WS_SECTOR_BYTES);
}

static void counts_cells(struct ws_table *t, const struct ws_cycle_counts *c, bool count_pending)
{
	ws_cell_u64(t, WS_COL_REQUESTS, c->requests);
	ws_cell_u64(t, WS_COL_HITS, c->hits);
	ws_cell_u64(t, WS_COL_PENDING, c->pending);
	ws_cell_u64(t, WS_COL_MISSES, c->misses);
	ws_cell_str(t, WS_COL_BASIS, ws_basis_names[WS_SIMULATED]);
	ws_cell_str(t, WS_COL_CONFIDENCE, "high");
	ws_cell_str(t, WS_COL_ORDER, "own");
	ws_cell_u64(t, WS_COL_SECTOR_MISSES, c->sector_misses);
	if (c->requests)
		sector_cells(t, c);
	for (unsigned i = 0; i < WS_FAILS; i++)
		ws_cell_u64(t, WS_COL_FAIL_LINE + i, c->fails[i]);
	if (!c->requests)
		return;
	ws_cell_f64(t, WS_COL_ERROR_PP, 0);
	for (size_t i = 0; i < 3; i++) {
		static const enum ws_col ratio[] = { WS_COL_MISS_RATIO, WS_COL_MISS_RATIO_LOW,
						     WS_COL_MISS_RATIO_HIGH };

		ws_cell_f64(t, ratio[i], cycles_miss_ratio(c, count_pending));
	}
}

static void latency_cells(struct ws_table *t, const struct ws_core_stats *sm)
{
	if (!sm->loads)
		return;
	ws_cell_ratio(t, WS_COL_LATENCY_MEAN, (double)sm->latency_sum, (double)sm->loads);
	ws_cell_u64(t, WS_COL_LATENCY_P50, ws_cycle_latency(sm, 0.5));
	ws_cell_u64(t, WS_COL_LATENCY_P95, ws_cycle_latency(sm, 0.95));
	ws_cell_u64(t, WS_COL_LATENCY_P99, ws_cycle_latency(sm, 0.99));
}

static void whole_cells(struct ws_table *t, const struct cycles_kernel *k)
{
	const struct ws_core_stats *sm = &k->sm;

	ws_cell_u64(t, WS_COL_INSTRUCTIONS, sm->memory_instructions);
	ws_cell_ratio(t, WS_COL_REQUESTS_PER_INSTRUCTION, (double)k->l1[WS_KINDS].requests,
		      (double)sm->memory_instructions);
	ws_cell_u64(t, WS_COL_CYCLES, k->cycles);
	ws_cell_u64(t, WS_COL_ISSUED_INSTRUCTIONS, sm->issued);
	ws_cell_ratio(t, WS_COL_IPC, (double)sm->issued, (double)k->cycles);
	latency_cells(t, sm);
	for (unsigned i = 0; i < WS_STALLS; i++)
		ws_cell_u64(t, WS_COL_STALL_EMPTY + i, sm->stalls[i]);
	ws_cell_u64(t, WS_COL_SENT_BYTES, sm->sent_bytes);
	ws_cell_u64(t, WS_COL_RECEIVED_BYTES, sm->received_bytes);
	ws_cell_u64(t, WS_COL_DRAM_READ_BYTES, k->dram_read_bytes);
	ws_cell_u64(t, WS_COL_DRAM_WRITE_BYTES, k->dram_write_bytes);
	ws_cell_u64(t, WS_COL_DRAM_READ_SECTORS, k->dram_read_bytes / WS_SECTOR_BYTES);
	ws_cell_u64(t, WS_COL_DRAM_WRITE_SECTORS, k->dram_write_bytes / WS_SECTOR_BYTES);
}

static void words_cells(struct ws_table *t, const struct ws_grain_stats *g)
{
	ws_cell_u64(t, WS_COL_PARTIAL, g->partial);
	ws_cell_u64(t, WS_COL_INVALIDATED, g->invalidated);
	ws_cell_u64(t, WS_COL_FINER, g->finer);
	ws_cell_u64(t, WS_COL_COARSER, g->coarser);
	ws_cell_u64(t, WS_COL_FLUSHED, g->flushed);
}

struct rows_subject { /* what a row is of */
	uint64_t config;
	const struct ws_machine *machine;
	const char *name;
	const struct cycles_kernel *kernel;
	const struct cycles_part *part; /* NULL: the whole */
};

static void row(struct cycles_rows *rows, const struct rows_subject *s, bool l2, unsigned kind,
		const struct ws_cycle_counts *c)
{
	struct ws_table *t = rows->report.table;
	bool whole = !s->part && !l2 && kind == WS_KINDS;

	ws_cells_varied(t, rows->plan, s->config);
	ws_cell_str(t, WS_COL_KERNEL, s->name);
	if (rows->by == CYCLES_BY_SM)
		ws_cell_u64(t, WS_COL_UNIT_NUMBER, s->part->unit);
	else if (s->part)
		ws_cells_part(t, s->part->array, s->part->file, s->part->line);
	ws_cells_cache(t, s->machine, l2);
	ws_cell_str(t, WS_COL_KIND, ws_kind_names[kind]);
	counts_cells(t, c, s->machine->count_pending);
	if (whole)
		whole_cells(t, s->kernel);
	if (whole && ws_organisation_of(&s->machine->l1)->sub_sectors)
		words_cells(t, &s->kernel->sm.grain);
	if (whole && rows->translates && s->machine->tlb[0].runs)
		ws_cells_tlb(t, &s->kernel->sm.tlb);
	ws_row_end(t);
}

static void level(struct cycles_rows *rows, const struct rows_subject *s, bool l2,
		  const struct ws_cycle_counts count[WS_KINDS + 1])
{
	for (unsigned kind = 0; kind <= WS_KINDS; kind++)
		if (count[kind].requests || (kind == WS_KINDS && !s->part))
			row(rows, s, l2, kind, &count[kind]);
}

enum ws_status cycles_rows_print(struct cycles_rows *rows, uint64_t config,
				 const struct ws_machine *m, const struct cycles_kernel *kernel,
				 struct ws_err *err)
{
	enum ws_status status = cycles_rows_begin(rows, err);

	for (size_t k = 0; k < rows->kernels.count && status == WS_OK; k++) {
		struct ws_machine own;
		struct rows_subject s = { config, &own, rows->kernels.name[k], &kernel[k], NULL };

		status = ws_study_kernel_machine(&rows->kernels, k, m, &own, err);
		if (status != WS_OK)
			break;
		if (!rows->by) {
			level(rows, &s, false, kernel[k].l1);
			level(rows, &s, true, kernel[k].l2);
		}
		for (size_t i = 0; i < kernel[k].parts; i++) {
			s.part = &kernel[k].part[i];
			level(rows, &s, false, s.part->l1);
		}
		for (size_t i = 0; i < kernel[k].parts; i++) {
			s.part = &kernel[k].part[i];
			level(rows, &s, true, s.part->l2);
		}
	}
	return status;
}
