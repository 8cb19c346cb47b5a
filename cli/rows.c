/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cli/rows.c -- the table of predict, sweep and simulate.
 *
 * Of several runs (--runs) a row shows the one whose miss ratio is the lower
 * median of that row's, so its counts are counts that occurred; the spread
 * follows in columns of its own.
 */
#include "cli/cli.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char *const columns[] = {
	"kernel", "level", "policy", "size_bytes", "sets", "ways", "line_bytes", "kind",
	"requests", "hits", "pending", "misses", "cold", "capacity", "conflict", "miss_ratio",
	"basis", "error_pp", "uncached", "miss_ratio_low", "miss_ratio_high",
	"confidence", "order",
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
	const struct cli_options *o = rows->call->options;
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
		for (size_t j = 0; o->by && i == 0 && j < WS_COUNT(part_columns); j++)
			rows->column[at++] = part_columns[j];
	}
	for (size_t i = 0; o->runs && i < WS_COUNT(spread_columns); i++)
		rows->column[at++] = spread_columns[i];
	for (size_t i = 0; o->latency && i < WS_COUNT(time_columns); i++)
		rows->column[at++] = time_columns[i];
	return cli_report_begin(&rows->report, rows->call, rows->column, at, err);
}

/* ---- one row ------------------------------------------------------------- */

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

static void spread_cells(struct ws_table *t, const struct ws_spread *s)
{
	ws_cell_u64(t, s->runs);
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

/* Unknown is negative. */
static void known_cell(struct ws_table *t, double value)
{
	if (value >= 0)
		ws_cell_f64(t, value < 1 ? value : 1, DECIMALS);
	else
		ws_cell_none(t);
}

static void prediction_cells(struct ws_table *t, const struct ws_row *r)
{
	const struct ws_prediction *p = r->prediction;
	const struct ws_counts *c = &p->kind[r->kind];
	/* The interval is of what misses. */
	double ratio = ws_miss_ratio(c, r->machine->count_pending);
	double waiting = ratio - ws_miss_ratio(c, false), low = p->low[r->kind];

	counts_cells(t, c);
	if (c->requests)
		ws_cell_f64(t, ratio, DECIMALS);
	else
		ws_cell_none(t);
	ws_cell_str(t, ws_basis_names[p->basis]);
	if (p->error_pp[r->kind] >= 0)
		ws_cell_f64(t, p->error_pp[r->kind], DECIMALS);
	else
		ws_cell_none(t);
	ws_cell_u64(t, c->uncached);
	known_cell(t, low < 0 ? low : low + waiting);
	known_cell(t, low < 0 ? low : p->high[r->kind] + waiting);
	ws_cell_str(t, cli_confidence(p));
	ws_cell_str(t, r->order);
}

enum ws_status cli_rows_put(void *context, const struct ws_row *r, struct ws_err *err)
{
	struct cli_rows *rows = context;
	struct ws_table *t = &rows->report.table;
	const struct ws_cache *cache = r->l2 ? &r->machine->l2 : &r->machine->l1;
	const uint64_t geometry[] = { cache->size_bytes, cache->sets, cache->ways,
				      cache->line_bytes };
	enum ws_status status = rows->report.begun ? WS_OK : begin(rows, err);

	if (status != WS_OK)
		return status;
	cli_vary_cells(r->plan, r->config, t);
	ws_cell_str(t, r->kernel);
	if (r->part)
		part_cells(t, r->part);
	ws_cell_str(t, r->l2 ? "L2" : "L1");
	ws_cell_str(t, cache->policy);
	for (size_t i = 0; i < WS_COUNT(geometry); i++)
		ws_cell_u64(t, geometry[i]);
	ws_cell_str(t, ws_kind_names[r->kind]);
	prediction_cells(t, r);
	if (r->spread)
		spread_cells(t, r->spread);
	if (rows->call->options->latency)
		time_cells(t, r->timing);
	return WS_OK;
}

enum ws_status cli_rows_end(struct cli_rows *rows, enum ws_status status, struct ws_err *err)
{
	status = cli_report_end(&rows->report, status, err);
	free(rows->column);
	return status;
}
