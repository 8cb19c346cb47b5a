/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cli/softcache_rows.c -- `softcache`: rows of structures and of launches.
 */
#include "cli/softcache.h"

#include <string.h>

const enum ws_col softcache_structure_columns[] = {
	WS_COL_MACHINE, WS_COL_KERNEL, WS_COL_SOFT_LINE_BYTES, WS_COL_THRESHOLD, WS_COL_LINES,
	WS_COL_THREADS_PER_SM, WS_COL_BYTES_PER_THREAD, WS_COL_STRUCTURE, WS_COL_ACCESS,
	WS_COL_LOADS, WS_COL_STORES, WS_COL_ATOMICS, WS_COL_MONITORED, WS_COL_MONITOR_HITS,
	WS_COL_RANK, WS_COL_CHOSEN, WS_COL_WHY, WS_COL_SOFT_HITS, WS_COL_SOFT_MISSES,
	WS_COL_SOFT_HIT_RATIO, WS_COL_WRITE_BACKS, WS_COL_WRITE_BACK_BYTES, WS_COL_DIRECT,
	WS_COL_THREADS,
};
const size_t softcache_structure_count = WS_COUNT(softcache_structure_columns);

const enum ws_col softcache_launch_columns[] = {
	WS_COL_MACHINE, WS_COL_KERNEL, WS_COL_SOFT_LINE_BYTES, WS_COL_THRESHOLD, WS_COL_LINES,
	WS_COL_THREADS_PER_SM, WS_COL_BYTES_PER_THREAD, WS_COL_CHOSEN, WS_COL_CHOSEN_STRUCTURES,
	WS_COL_SOFT_HITS, WS_COL_SOFT_MISSES, WS_COL_SOFT_HIT_RATIO, WS_COL_ACCESSES_BEFORE,
	WS_COL_ACCESSES, WS_COL_THREAD_INSTRUCTIONS, WS_COL_EXTRA_INSTRUCTIONS, WS_COL_EXTRA_RATIO,
	WS_COL_REGISTERS_MONITOR, WS_COL_REGISTERS_CACHE, WS_COL_REGISTERS_SPILLED,
	WS_COL_SOFT_SHARED_BYTES, WS_COL_CTAS_BEFORE, WS_COL_CTAS, WS_COL_LIMIT,
	WS_COL_L1_REQUESTS_BEFORE, WS_COL_L1_MISSES_BEFORE, WS_COL_L1_LOAD_MISSES_BEFORE,
	WS_COL_L1_REQUESTS, WS_COL_L1_MISSES, WS_COL_L1_LOAD_MISSES,
};
const size_t softcache_launch_count = WS_COUNT(softcache_launch_columns);

static void first_cells(const struct softcache_rows *r, const struct softcache_point *p,
			struct ws_table *t)
{
	ws_cells_varied(t, r->plan, p->config);
	ws_cell_str(t, WS_COL_MACHINE, p->m->name);
	ws_cell_str(t, WS_COL_KERNEL, ws_trace_launch(r->trace, p->launch)->kernel);
	ws_cell_u64(t, WS_COL_SOFT_LINE_BYTES, p->soft.line_bytes);
	ws_cell_u64(t, WS_COL_THRESHOLD, p->soft.threshold);
	ws_cell_u64(t, WS_COL_LINES, p->soft.lines);
	ws_cell_u64(t, WS_COL_THREADS_PER_SM, p->room.threads);
	ws_cell_u64(t, WS_COL_BYTES_PER_THREAD, p->room.thread_bytes);
}

static void hit_cells(struct ws_table *t, const struct ws_soft_counts *c, bool chosen)
{
	uint64_t hits = c->hits[WS_LOAD] + c->hits[WS_STORE];
	uint64_t misses = c->misses[WS_LOAD] + c->misses[WS_STORE];

	ws_cell_u64(t, WS_COL_SOFT_HITS, hits);
	ws_cell_u64(t, WS_COL_SOFT_MISSES, misses);
	ws_cell_ratio(t, WS_COL_SOFT_HIT_RATIO, (double)hits,
		      chosen ? (double)(hits + misses) : 0);
}

static void count_cells(struct ws_table *t, const struct ws_soft_counts *c, bool chosen)
{
	ws_cell_u64(t, WS_COL_LOADS, c->accesses[WS_LOAD]);
	ws_cell_u64(t, WS_COL_STORES, c->accesses[WS_STORE]);
	ws_cell_u64(t, WS_COL_ATOMICS, c->accesses[WS_ATOMIC]);
	ws_cell_u64(t, WS_COL_MONITORED, c->monitored);
	ws_cell_u64(t, WS_COL_MONITOR_HITS, c->monitor_hits);
	hit_cells(t, c, chosen);
	ws_cell_u64(t, WS_COL_WRITE_BACKS, c->write_backs);
	ws_cell_u64(t, WS_COL_WRITE_BACK_BYTES, c->write_back_bytes);
	ws_cell_u64(t, WS_COL_DIRECT,
		    c->direct[WS_LOAD] + c->direct[WS_STORE] + c->direct[WS_ATOMIC]);
}

/* ---- of structures -------------------------------------------------------------------------- */

static void structure_row(const struct softcache_rows *r, const struct softcache_point *p,
			  const struct ws_soft_part *s)
{
	const struct ws_launch *l = ws_trace_launch(r->trace, p->launch);
	struct ws_table *t = r->table;

	first_cells(r, p, t);
	ws_cell_str(t, WS_COL_STRUCTURE,
		    s->array == WS_NO_ARRAY ? "(no array)" : l->array[s->array].name);
	ws_cell_str(t, WS_COL_ACCESS, s->writable ? "read-write" : "read-only");
	if (s->rank)
		ws_cell_u64(t, WS_COL_RANK, s->rank);
	ws_cell_u64(t, WS_COL_CHOSEN, s->why == WS_SOFT_CHOSEN);
	ws_cell_str(t, WS_COL_WHY, ws_soft_why_names[s->why]);
	count_cells(t, &s->counts, s->why == WS_SOFT_CHOSEN);
	ws_cell_u64(t, WS_COL_THREADS, s->threads);
	ws_row_end(t);
}

static void all_row(const struct softcache_rows *r, const struct softcache_point *p)
{
	struct ws_soft_counts sum = ws_soft_sum(&p->result);
	struct ws_table *t = r->table;

	first_cells(r, p, t);
	ws_cell_str(t, WS_COL_STRUCTURE, "all");
	ws_cell_u64(t, WS_COL_CHOSEN, p->result.chosen);
	count_cells(t, &sum, p->result.chosen > 0);
	ws_row_end(t);
}

void softcache_structure_rows(const struct softcache_rows *r, const struct softcache_point *p)
{
	for (size_t i = 0; i < p->result.parts; i++)
		structure_row(r, p, &p->result.part[i]);
	all_row(r, p);
}

/* ---- of launches ----------------------------------------------------------------------------- */

static enum ws_status chosen_cell(const struct softcache_rows *r, const struct softcache_point *p,
				  struct ws_err *err)
{
	const struct ws_launch *l = ws_trace_launch(r->trace, p->launch);
	struct ws_buf text = { 0 };

	/* By rank, if there is one. */
	for (uint32_t rank = 0; rank <= p->result.chosen; rank++)
		for (size_t i = 0; i < p->result.parts; i++) {
			const struct ws_soft_part *s = &p->result.part[i];

			if (s->rank != rank || s->why != WS_SOFT_CHOSEN)
				continue;
			ws_put_bytes(&text, ",", text.len > 0);
			ws_put_bytes(&text, l->array[s->array].name,
				     strlen(l->array[s->array].name));
		}
	ws_put_u8(&text, '\0');
	if (text.failed) {
		ws_buf_clear(&text);
		return ws_fail_memory(err, "a row");
	}
	ws_cell_u64(r->table, WS_COL_CHOSEN, p->result.chosen);
	if (p->result.chosen)
		ws_cell_str(r->table, WS_COL_CHOSEN_STRUCTURES, (const char *)text.data);
	ws_buf_clear(&text);
	return WS_OK;
}

static void l1_cells(const struct softcache_rows *r, const struct softcache_point *p)
{
	struct ws_table *t = r->table;
	bool derived = !p->soft.by_thread;

	if (derived || r->simulated) {
		ws_cell_u64(t, WS_COL_L1_REQUESTS_BEFORE,
			    derived ? p->requests_before : p->before[WS_KINDS].requests);
		ws_cell_u64(t, WS_COL_L1_REQUESTS,
			    derived ? p->requests : p->after[WS_KINDS].requests);
	}
	if (!r->simulated)
		return;
	ws_cell_u64(t, WS_COL_L1_MISSES_BEFORE, p->before[WS_KINDS].misses);
	ws_cell_u64(t, WS_COL_L1_LOAD_MISSES_BEFORE, p->before[WS_LOAD].misses);
	ws_cell_u64(t, WS_COL_L1_MISSES, p->after[WS_KINDS].misses);
	ws_cell_u64(t, WS_COL_L1_LOAD_MISSES, p->after[WS_LOAD].misses);
}

static void room_cells(struct ws_table *t, const struct softcache_point *p)
{
	ws_cell_u64(t, WS_COL_REGISTERS_MONITOR, p->room.monitor_registers);
	ws_cell_u64(t, WS_COL_REGISTERS_CACHE, p->room.cache_registers);
	ws_cell_u64(t, WS_COL_REGISTERS_SPILLED, p->room.spilled_registers);
	ws_cell_u64(t, WS_COL_SOFT_SHARED_BYTES,
		    ws_soft_lines_used(&p->soft, p->result.chosen) * p->soft.line_bytes *
		    p->room.threads);
	ws_cell_u64(t, WS_COL_CTAS_BEFORE, p->room.ctas_before);
	ws_cell_u64(t, WS_COL_CTAS, p->room.ctas);
	ws_cell_str(t, WS_COL_LIMIT, p->room.limit);
}

enum ws_status softcache_launch_row(const struct softcache_rows *r, const struct softcache_point *p,
				    struct ws_err *err)
{
	struct ws_soft_counts c = ws_soft_sum(&p->result);
	struct ws_table *t = r->table;
	enum ws_status status;

	first_cells(r, p, t);
	status = chosen_cell(r, p, err);
	hit_cells(t, &c, true);
	ws_cell_u64(t, WS_COL_ACCESSES_BEFORE,
		    c.accesses[WS_LOAD] + c.accesses[WS_STORE] + c.accesses[WS_ATOMIC]);
	ws_cell_u64(t, WS_COL_ACCESSES, c.direct[WS_LOAD] + c.direct[WS_STORE] +
		    c.direct[WS_ATOMIC] + c.misses[WS_LOAD] + c.misses[WS_STORE] + c.write_backs);
	ws_cell_u64(t, WS_COL_THREAD_INSTRUCTIONS, p->result.instructions);
	ws_cell_u64(t, WS_COL_EXTRA_INSTRUCTIONS, p->result.extra);
	ws_cell_ratio(t, WS_COL_EXTRA_RATIO, (double)p->result.extra,
		      (double)p->result.instructions);
	room_cells(t, p);
	l1_cells(r, p);
	ws_row_end(t);
	return status;
}
