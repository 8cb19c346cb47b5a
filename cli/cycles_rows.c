/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cli/cycles_rows.c -- the table of `simulate --cycles`: the columns of predict, then its own.
 *
 * What a cache in time cannot say (whether a miss is cold, for want of capacity, a conflict, or
 * was never to be cached) is "-", null in JSON, and so is what is of an SM as a whole in rows that
 * are not of the whole.
 */
#include "cli/cycles.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char *const columns[] = {
	"level", "policy", "size_bytes", "sets", "ways", "line_bytes", "kind",
	"requests", "hits", "pending", "misses", "cold", "capacity", "conflict", "miss_ratio",
	"basis", "error_pp", "uncached", "miss_ratio_low", "miss_ratio_high", "confidence",
	"sector_misses", "fail_line", "fail_queue", "fail_mshr", "fail_merge",
};

static const char *const whole_columns[] = { /* of rows of level L1 and kind all */
	"cycles", "instructions", "ipc", "latency_mean", "latency_p50", "latency_p95",
	"latency_p99", "stall_empty", "stall_lsu", "stall_data", "stall_barrier", "stall_other",
	"sent_bytes", "received_bytes", "dram_read_bytes", "dram_write_bytes",
};

static const char *const words_columns[] = { /* of the same rows, if an L1 is organised so */
	"partial", "invalidated", "finer", "coarser", "flushed",
};

static const char *const part_columns[] = { "array", "source" };
static const char *const unit_columns[] = { "unit" };

#define DECIMALS 6
#define CYCLE_DECIMALS 3	/* of what is counted in cycles */

static void add_columns(struct cycles_rows *rows, size_t *at, const char *const *name,
			size_t count)
{
	for (size_t i = 0; i < count; i++)
		rows->column[(*at)++] = name[i];
}

static enum ws_status find_words(struct cycles_rows *rows, struct ws_err *err)
{
	enum ws_status status = WS_OK;

	for (uint64_t i = 0; i < rows->plan->count && !rows->words && status == WS_OK; i++) {
		struct ws_machine m;

		status = ws_study_plan_machine(rows->plan, i, &m, err);
		rows->words = status == WS_OK && m.l1.organised.as >= WS_DECOUPLED;
	}
	return status;
}

static enum ws_status begin(struct cycles_rows *rows, struct ws_err *err)
{
	size_t varies = rows->plan->varies, at = 0;
	enum ws_status status = rows->by ? WS_OK : find_words(rows, err);

	if (status != WS_OK)
		return status;
	rows->column = ws_alloc(varies + 1 + WS_COUNT(part_columns) + WS_COUNT(columns) +
				WS_COUNT(whole_columns) + WS_COUNT(words_columns),
				sizeof *rows->column);
	if (!rows->column)
		return ws_fail_memory(err, "the columns");
	for (size_t v = 0; v < varies; v++)
		rows->column[at++] = rows->plan->vary[v].key->name;
	rows->column[at++] = "kernel";
	if (rows->by == CYCLES_BY_SM)
		add_columns(rows, &at, unit_columns, WS_COUNT(unit_columns));
	else if (rows->by)
		add_columns(rows, &at, part_columns, WS_COUNT(part_columns));
	add_columns(rows, &at, columns, WS_COUNT(columns));
	if (!rows->by)
		add_columns(rows, &at, whole_columns, WS_COUNT(whole_columns));
	if (rows->words)
		add_columns(rows, &at, words_columns, WS_COUNT(words_columns));
	return cli_report_begin(&rows->report, rows->call, rows->column, at, err);
}

/* ---- one row ---------------------------------------------------------------- */

static void text_or_none(struct ws_table *t, const char *text)
{
	if (text)
		ws_cell_str(t, *text ? text : "?");
	else
		ws_cell_none(t);
}

static void part_cells(struct ws_table *t, const struct cycles_part *p)
{
	char line[24];
	struct ws_buf source = { 0 };

	text_or_none(t, p->array);
	if (!p->file || !*p->file) {
		text_or_none(t, p->file);
		return;
	}
	snprintf(line, sizeof line, ":%" PRIu32, p->line);
	ws_put_bytes(&source, p->file, strlen(p->file));
	ws_put_bytes(&source, line, p->line ? strlen(line) : 0);
	ws_put_u8(&source, 0);
	ws_cell_str(t, source.failed ? "?" : (const char *)source.data);
	ws_buf_clear(&source);
}

static void none(struct ws_table *t, size_t count)
{
	for (size_t i = 0; i < count; i++)
		ws_cell_none(t);
}

static void counts_cells(struct ws_table *t, const struct ws_cycle_counts *c, bool count_pending)
{
	double ratio = cycles_miss_ratio(c, count_pending);

	ws_cell_u64(t, c->requests);
	ws_cell_u64(t, c->hits);
	ws_cell_u64(t, c->pending);
	ws_cell_u64(t, c->misses);
	none(t, 3); /* cold, capacity, conflict */
	ws_cell_f64(t, ratio, DECIMALS);
	ws_cell_str(t, ws_basis_names[WS_SIMULATED]);
	ws_cell_f64(t, 0, DECIMALS);
	none(t, 1); /* uncached */
	ws_cell_f64(t, ratio, DECIMALS);
	ws_cell_f64(t, ratio, DECIMALS);
	ws_cell_str(t, "high");
	ws_cell_u64(t, c->sector_misses);
	for (int i = 0; i < WS_FAILS; i++)
		ws_cell_u64(t, c->fails[i]);
}

static double per(uint64_t part, uint64_t whole)
{
	return whole ? (double)part / (double)whole : 0;
}

static void whole_cells(struct ws_table *t, const struct cycles_kernel *k)
{
	static const double shares[] = { 0.5, 0.95, 0.99 };

	ws_cell_u64(t, k->cycles);
	ws_cell_u64(t, k->sm.issued);
	ws_cell_f64(t, per(k->sm.issued, k->cycles), DECIMALS);
	if (k->sm.loads)
		ws_cell_f64(t, per(k->sm.latency_sum, k->sm.loads), CYCLE_DECIMALS);
	for (size_t i = 0; k->sm.loads && i < WS_COUNT(shares); i++)
		ws_cell_u64(t, ws_cycle_latency(&k->sm, shares[i]));
	if (!k->sm.loads)
		none(t, 1 + WS_COUNT(shares));
	for (int i = 0; i < WS_STALLS; i++)
		ws_cell_u64(t, k->sm.stalls[i]);
	ws_cell_u64(t, k->sm.sent_bytes);
	ws_cell_u64(t, k->sm.received_bytes);
	ws_cell_u64(t, k->dram_read_bytes);
	ws_cell_u64(t, k->dram_write_bytes);
}

static void words_cells(struct ws_table *t, const struct ws_grain_stats *g)
{
	ws_cell_u64(t, g->partial);
	ws_cell_u64(t, g->invalidated);
	ws_cell_u64(t, g->finer);
	ws_cell_u64(t, g->coarser);
	ws_cell_u64(t, g->flushed);
}

struct subject { /* what a row is of */
	uint64_t config;
	const struct ws_machine *machine;
	const char *name;
	const struct cycles_kernel *kernel;
	const struct cycles_part *part; /* NULL: the whole */
};

static void row(struct cycles_rows *rows, const struct subject *s, bool l2, unsigned kind,
		const struct ws_cycle_counts *c)
{
	struct ws_table *t = &rows->report.table;
	const struct ws_cache *cache = l2 ? &s->machine->l2 : &s->machine->l1;
	const uint64_t geometry[] = { cache->size_bytes, cache->sets, cache->ways,
				      cache->line_bytes };
	bool whole = !s->part && !l2 && kind == WS_KINDS;

	cli_vary_cells(rows->plan, s->config, t);
	ws_cell_str(t, s->name);
	if (rows->by == CYCLES_BY_SM)
		ws_cell_u64(t, s->part->unit);
	else if (s->part)
		part_cells(t, s->part);
	ws_cell_str(t, l2 ? "L2" : "L1");
	ws_cell_str(t, cache->policy);
	for (size_t i = 0; i < WS_COUNT(geometry); i++)
		ws_cell_u64(t, geometry[i]);
	ws_cell_str(t, ws_kind_names[kind]);
	counts_cells(t, c, s->machine->count_pending);
	if (whole)
		whole_cells(t, s->kernel);
	else if (!s->part)
		none(t, WS_COUNT(whole_columns));
	if (rows->words && whole && cache->organised.as >= WS_DECOUPLED)
		words_cells(t, &s->kernel->sm.grain);
	else if (rows->words)
		none(t, WS_COUNT(words_columns));
}

static void level(struct cycles_rows *rows, const struct subject *s, bool l2,
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
	enum ws_status status = rows->report.begun ? WS_OK : begin(rows, err);

	for (size_t k = 0; k < rows->kernels.count && status == WS_OK; k++) {
		struct ws_machine own;
		struct subject s = { config, &own, rows->kernels.name[k], &kernel[k], NULL };

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
