/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cli/pchase_sets.c -- pchase map and structure: which lines of an array share a set, how many each
 * set holds, and which way a full one loses.
 */
#include "cli/pchase.h"

#include <inttypes.h>
#include <stdlib.h>

#define MAP_MOST (1u << 20)	/* lines */
#define WORD 4u

/* ---- map --------------------------------------------------------------------------------- */

static const enum ws_col map_columns[] = {
	WS_COL_SET, WS_COL_LINE_OF_SET, WS_COL_OFFSET, WS_COL_FIRST_WORD, WS_COL_LAST_WORD,
};

enum ws_status cli_chase_map(struct chase_call *c, struct ws_err *err)
{
	struct ws_cache l2 = ws_l2_whole(&c->machine);
	const struct ws_cache *cache = c->machine.l1.size_bytes ? &c->machine.l1 : &l2;
	uint64_t array = c->o->array ? c->o->array : cache->size_bytes;
	uint64_t lines = (array - 1) / cache->line_bytes + 1;
	uint64_t *seen = ws_alloc_zero((size_t)cache->sets, sizeof *seen);
	struct cli_report report = { 0 };
	enum ws_status status = WS_OK;

	if (!seen)
		status = ws_fail_memory(err, "the sets");
	else if (lines > MAP_MOST)
		status = cli_usage(c->call->command, err, "%" PRIu64 " lines: want an --array of "
				   "at most %u", lines, MAP_MOST);
	if (status == WS_OK)
		status = cli_report_begin(&report, c->call, NULL, map_columns,
					  WS_COUNT(map_columns), err);
	for (uint64_t i = 0; i < lines && status == WS_OK; i++) {
		uint64_t at = i * cache->line_bytes;
		uint64_t set = ws_set_index(cache, c->o->base + at);

		ws_cell_u64(report.table, WS_COL_SET, set);
		ws_cell_u64(report.table, WS_COL_LINE_OF_SET, seen[set]++);
		ws_cell_u64(report.table, WS_COL_OFFSET, at);
		ws_cell_u64(report.table, WS_COL_FIRST_WORD, at / WORD + 1);
		ws_cell_u64(report.table, WS_COL_LAST_WORD, (at + cache->line_bytes) / WORD);
		ws_row_end(report.table);
	}
	free(seen);
	return cli_report_end(&report, status, err);
}

/* ---- structure --------------------------------------------------------------------------- */

static const enum ws_col structure_columns[] = {
	WS_COL_ITEM, WS_COL_SET, WS_COL_WAY, WS_COL_WAYS, WS_COL_VICTIM_SHARE,
};

static void put_ways(struct ws_table *t, const struct ws_chase *f)
{
	for (uint64_t i = 0; i < f->sets.value && i < WS_CHASE_SETS; i++) {
		ws_cell_str(t, WS_COL_ITEM, "set");
		ws_cell_u64(t, WS_COL_SET, i);
		ws_cell_u64(t, WS_COL_WAYS, f->unequal ? f->set_ways[i] : f->ways.value);
		ws_row_end(t);
	}
}

static void put_shares(struct ws_table *t, const struct ws_chase *f)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < f->victim_ways; i++)
		sum += f->victims[i];
	for (size_t i = 0; i < f->victim_ways && sum; i++) {
		ws_cell_str(t, WS_COL_ITEM, "victim");
		ws_cell_u64(t, WS_COL_WAY, i);
		ws_cell_ratio(t, WS_COL_VICTIM_SHARE, (double)f->victims[i], (double)sum);
		ws_row_end(t);
	}
}

enum ws_status cli_chase_structure(struct chase_call *c, struct ws_err *err)
{
	struct cli_report report = { 0 };
	enum ws_status status = cli_chase_infer(c, err);

	if (status == WS_OK && !(c->found.size.confidence > 0))
		cli_note(c->call, "how many lines each set holds was not determined");
	if (status == WS_OK)
		status = cli_report_begin(&report, c->call, NULL, structure_columns,
					  WS_COUNT(structure_columns), err);
	if (status == WS_OK && c->found.size.confidence > 0)
		put_ways(report.table, &c->found);
	if (status == WS_OK)
		put_shares(report.table, &c->found);
	return cli_report_end(&report, status, err);
}
