/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cli/softcache_rows.c -- `softcache`: rows of structures and of launches.
 */
#include "cli/softcache.h"

#include <string.h>

#define DECIMALS 6

const char *const softcache_structure_columns[] = {
	"kernel", "line_bytes", "threshold", "threads_per_sm", "bytes_per_thread", "lines",
	"structure", "access", "loads", "stores", "atomics", "monitored", "monitor_hits", "rank",
	"chosen", "why", "hits", "misses", "hit_ratio", "write_backs", "write_back_bytes", "direct",
	"threads",
};
const size_t softcache_structure_count = WS_COUNT(softcache_structure_columns);

const char *const softcache_launch_columns[] = {
	"kernel", "line_bytes", "threshold", "threads_per_sm", "bytes_per_thread", "lines",
	"chosen", "hits", "misses", "hit_ratio", "accesses_before", "accesses_after",
	"instructions", "extra_instructions", "extra_ratio", "registers_monitor", "registers_cache",
	"registers_spilled", "shared_bytes", "ctas_before", "ctas", "limit", "l1_requests_before",
	"l1_misses_before", "l1_load_misses_before", "l1_requests", "l1_misses", "l1_load_misses",
};
const size_t softcache_launch_count = WS_COUNT(softcache_launch_columns);

static void ratio_cell(struct ws_table *t, uint64_t part, uint64_t all)
{
	if (all)
		ws_cell_f64(t, (double)part / (double)all, DECIMALS);
	else
		ws_cell_none(t);
}

static void first_cells(const struct softcache_rows *r, const struct softcache_point *p,
			struct ws_table *t)
{
	const uint64_t cell[] = { p->soft.line_bytes, p->soft.threshold, p->room.threads,
				  p->room.thread_bytes, p->soft.lines };

	cli_vary_cells(r->plan, p->config, t);
	ws_cell_str(t, ws_trace_launch(r->trace, p->launch)->kernel);
	for (size_t i = 0; i < WS_COUNT(cell); i++)
		ws_cell_u64(t, cell[i]);
}

static void count_cells(struct ws_table *t, const struct ws_soft_counts *c, bool chosen)
{
	uint64_t hits = c->hits[WS_LOAD] + c->hits[WS_STORE];
	uint64_t misses = c->misses[WS_LOAD] + c->misses[WS_STORE];
	const uint64_t cell[] = { c->write_backs, c->write_back_bytes,
				  c->direct[WS_LOAD] + c->direct[WS_STORE] + c->direct[WS_ATOMIC] };

	ws_cell_u64(t, hits);
	ws_cell_u64(t, misses);
	ratio_cell(t, hits, chosen ? hits + misses : 0);
	for (size_t i = 0; i < WS_COUNT(cell); i++)
		ws_cell_u64(t, cell[i]);
}

/* ---- of structures -------------------------------------------------------------------------- */

static void structure_row(const struct softcache_rows *r, const struct softcache_point *p,
			  const struct ws_soft_part *s)
{
	const struct ws_launch *l = ws_trace_launch(r->trace, p->launch);
	struct ws_table *t = r->table;

	first_cells(r, p, t);
	ws_cell_str(t, s->array == WS_NO_ARRAY ? "(no array)" : l->array[s->array].name);
	ws_cell_str(t, s->writable ? "read-write" : "read-only");
	for (unsigned k = 0; k < WS_KINDS; k++)
		ws_cell_u64(t, s->counts.accesses[k]);
	ws_cell_u64(t, s->counts.monitored);
	ws_cell_u64(t, s->counts.monitor_hits);
	if (s->rank)
		ws_cell_u64(t, s->rank);
	else
		ws_cell_none(t);
	ws_cell_str(t, s->why == WS_SOFT_CHOSEN ? "yes" : "no");
	ws_cell_str(t, ws_soft_why_names[s->why]);
	count_cells(t, &s->counts, s->why == WS_SOFT_CHOSEN);
	ws_cell_u64(t, s->threads);
}

static void all_row(const struct softcache_rows *r, const struct softcache_point *p)
{
	struct ws_soft_counts sum = ws_soft_sum(&p->result);
	struct ws_table *t = r->table;

	first_cells(r, p, t);
	ws_cell_str(t, "all");
	ws_cell_none(t);
	for (unsigned k = 0; k < WS_KINDS; k++)
		ws_cell_u64(t, sum.accesses[k]);
	ws_cell_u64(t, sum.monitored);
	ws_cell_u64(t, sum.monitor_hits);
	ws_cell_none(t);
	ws_cell_u64(t, p->result.chosen);
	ws_cell_none(t);
	count_cells(t, &sum, p->result.chosen > 0);
	ws_cell_none(t);
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
			ws_put_bytes(&text, l->array[s->array].name, strlen(l->array[s->array].name));
		}
	ws_put_u8(&text, '\0');
	if (text.failed) {
		ws_buf_clear(&text);
		return ws_fail_memory(err, "a row");
	}
	if (p->result.chosen)
		ws_cell_str(r->table, (const char *)text.data);
	else
		ws_cell_none(r->table);
	ws_buf_clear(&text);
	return WS_OK;
}

static void l1_cells(const struct softcache_rows *r, const struct softcache_point *p)
{
	bool derived = !p->soft.by_thread;
	const uint64_t cell[] = {
		derived ? p->requests_before : p->before[WS_KINDS].requests,
		p->before[WS_KINDS].misses, p->before[WS_LOAD].misses,
		derived ? p->requests : p->after[WS_KINDS].requests,
		p->after[WS_KINDS].misses, p->after[WS_LOAD].misses,
	};

	for (size_t i = 0; i < WS_COUNT(cell); i++) {
		if (r->simulated || (derived && i % 3 == 0))
			ws_cell_u64(r->table, cell[i]);
		else
			ws_cell_none(r->table);
	}
}

enum ws_status softcache_launch_row(const struct softcache_rows *r, const struct softcache_point *p,
				    struct ws_err *err)
{
	struct ws_soft_counts c = ws_soft_sum(&p->result);
	uint64_t hits = c.hits[WS_LOAD] + c.hits[WS_STORE];
	uint64_t misses = c.misses[WS_LOAD] + c.misses[WS_STORE];
	const uint64_t numbers_of[] = {
		p->room.monitor_registers, p->room.cache_registers, p->room.spilled_registers,
		softcache_lines(&p->soft, p->result.chosen) * p->soft.line_bytes * p->room.threads,
		p->room.ctas_before,
		p->room.ctas,
	};
	struct ws_table *t = r->table;
	enum ws_status status;

	first_cells(r, p, t);
	status = chosen_cell(r, p, err);
	ws_cell_u64(t, hits);
	ws_cell_u64(t, misses);
	ratio_cell(t, hits, hits + misses);
	ws_cell_u64(t, c.accesses[WS_LOAD] + c.accesses[WS_STORE] + c.accesses[WS_ATOMIC]);
	ws_cell_u64(t, c.direct[WS_LOAD] + c.direct[WS_STORE] + c.direct[WS_ATOMIC] + misses +
		    c.write_backs);
	ws_cell_u64(t, p->result.instructions);
	ws_cell_u64(t, p->result.extra);
	ratio_cell(t, p->result.extra, p->result.instructions);
	for (size_t i = 0; i < WS_COUNT(numbers_of); i++)
		ws_cell_u64(t, numbers_of[i]);
	ws_cell_str(t, p->room.limit);
	l1_cells(r, p);
	return status;
}
