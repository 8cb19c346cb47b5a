/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * study/cells.c -- a study's rows as rows of a table: columns and cells of predict, sweep and
 * simulate.
 */
#include "study/study.h"

#include <inttypes.h>
#include <stdio.h>
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

static void add(enum ws_col *column, size_t *count, const enum ws_col *from, size_t more)
{
	memcpy(column + *count, from, more * sizeof *from);
	*count += more;
}

size_t ws_row_columns(const struct ws_study_options *o, const struct ws_study_plan *plan, bool tlb,
		      enum ws_col column[WS_COLS])
{
	size_t count = 0;

	add(column, &count, columns, WS_COUNT(columns));
	if (o->search)
		add(column, &count, choice_columns, WS_COUNT(choice_columns));
	if (plan->alternatives > 1)
		add(column, &count, band_columns, WS_COUNT(band_columns));
	if (o->by)
		add(column, &count, part_columns, WS_COUNT(part_columns));
	if (o->runs)
		add(column, &count, spread_columns, WS_COUNT(spread_columns));
	if (o->latency)
		add(column, &count, time_columns, WS_COUNT(time_columns));
	if (tlb)
		ws_columns_tlb(column, &count);
	return count;
}

void ws_columns_tlb(enum ws_col *column, size_t *count)
{
	add(column, count, tlb_columns, WS_COUNT(tlb_columns));
}

enum ws_status ws_study_plan_translates(const struct ws_study_plan *plan, bool *yes,
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

void ws_cells_tlb(struct ws_table *t, const struct ws_tlb_counts *c)
{
	ws_cell_u64(t, WS_COL_TLB_REQUESTS, c->requests);
	ws_cell_u64(t, WS_COL_TLB_L1_MISSES, c->misses[0]);
	ws_cell_u64(t, WS_COL_TLB_L2_MISSES, c->misses[1]);
}

/* ---- one row ------------------------------------------------------------- */

const char *ws_confidence_name(bool low)
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

void ws_cells_part(struct ws_table *t, const char *array, const char *file, uint32_t line)
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

void ws_cells_cache(struct ws_table *t, const struct ws_machine *m, bool l2)
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

void ws_cells_varied(struct ws_table *t, const struct ws_study_plan *plan, uint64_t config)
{
	for (size_t v = 0; v < plan->shown; v++) {
		enum ws_key_type type = plan->vary[v].key->type;
		const char *text = ws_study_plan_value(plan, config, v);
		uint64_t value;

		if (type != WS_KEY_U64 && type != WS_KEY_SIZE)
			ws_cell_str(t, WS_COL_VARIED(v), text);
		else if (ws_parse_size(text, &value))
			ws_cell_u64(t, WS_COL_VARIED(v), value);
	}
}

void ws_cells_row(struct ws_table *t, const struct ws_row *r)
{
	const struct ws_prediction *p = r->prediction;

	ws_cells_varied(t, r->plan, r->config);
	ws_cell_str(t, WS_COL_KERNEL, r->kernel);
	if (r->part)
		ws_cells_part(t, r->part->array, r->part->file, r->part->line);
	ws_cells_cache(t, r->machine, r->l2);
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
	ws_cell_str(t, WS_COL_CONFIDENCE, ws_confidence_name(r->low_confidence));
	ws_cell_str(t, WS_COL_ORDER, r->order);
	if (r->spread)
		spread_cells(t, r);
	if (r->band)
		band_cells(t, r);
	if (r->timing)
		time_cells(t, r->timing);
	if (r->tlb)
		ws_cells_tlb(t, r->tlb);
}
