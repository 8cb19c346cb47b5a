/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cli/cycles_sums.c -- sums of the counts of a kernel's launches: in all, and by array, line, site
 * or SM.
 */
#include "cli/cycles.h"

#include <stdlib.h>
#include <string.h>

static void add_kind(struct ws_cycle_counts to[WS_KINDS + 1], unsigned kind,
		     const struct ws_cycle_counts *from)
{
	ws_cycle_counts_add(&to[kind], from);
	ws_cycle_counts_add(&to[WS_KINDS], from);
}

double cycles_miss_ratio(const struct ws_cycle_counts *c, bool count_pending)
{
	uint64_t misses = c->misses + (count_pending ? c->pending : 0);

	return c->requests ? (double)misses / (double)c->requests : 0;
}

static void add_launch(struct cycles_kernel *k, const struct ws_cycle_result *r)
{
	struct ws_cycle_counts l1[WS_KINDS + 1], l2[WS_KINDS + 1];
	struct ws_core_stats sm;

	ws_cycle_l1(r, l1);
	ws_cycle_l2(r, l2);
	for (int i = 0; i <= WS_KINDS; i++) {
		ws_cycle_counts_add(&k->l1[i], &l1[i]);
		ws_cycle_counts_add(&k->l2[i], &l2[i]);
	}
	ws_cycle_sm(r, &sm);
	ws_core_stats_add(&k->sm, &sm);
	k->cycles += r->cycles;
	for (size_t i = 0; i < r->slices; i++) {
		k->dram_read_bytes += r->slice[i].dram_read_bytes;
		k->dram_write_bytes += r->slice[i].dram_write_bytes;
	}
}

/* Of the launches of one kernel on one machine, which all have the same SMs and slices. */
static void add_units(struct cycles_kernel *k, const struct ws_cycle_result *r)
{
	for (unsigned kind = 0; kind < WS_KINDS; kind++) {
		for (size_t i = 0; i < r->sms; i++)
			add_kind(k->part[i].l1, kind, &r->sm[i].l1[kind]);
		for (size_t i = 0; i < r->slices; i++)
			add_kind(k->part[i].l2, kind, &r->slice[i].l2[kind]);
	}
}

static struct cycles_part part_of(const struct ws_launch *l, const struct ws_cycle_site *from,
				  enum cycles_by by)
{
	const struct ws_instruction *at = &l->instruction[from->instruction];
	struct cycles_part p = { 0 };

	if (by != CYCLES_BY_LINE)
		p.array = from->array < l->arrays ? l->array[from->array].name : "";
	if (by != CYCLES_BY_ARRAY) {
		p.file = at->line && at->file < l->files ? l->file[at->file] : "";
		p.line = at->line;
	}
	add_kind(p.l1, at->kind, &from->l1);
	add_kind(p.l2, at->kind, &from->l2);
	return p;
}

static int compare_text(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) : (a != NULL) - (b != NULL);
}

static int compare_parts(const void *a, const void *b)
{
	const struct cycles_part *x = a, *y = b;
	int order = compare_text(x->array, y->array);

	if (order == 0)
		order = compare_text(x->file, y->file);
	return order ? order : (x->line > y->line) - (x->line < y->line);
}

static int by_misses(const void *a, const void *b)
{
	const struct cycles_part *x = a, *y = b;
	uint64_t m = x->l1[WS_KINDS].misses, n = y->l1[WS_KINDS].misses;

	return m != n ? (m < n) - (m > n) : compare_parts(a, b);
}

/* Parts of one name become one. */
static void merge_parts(struct cycles_kernel *k)
{
	size_t kept = 0;

	if (!k->parts)
		return;
	qsort(k->part, k->parts, sizeof *k->part, compare_parts);
	for (size_t i = 1; i < k->parts; i++) {
		if (compare_parts(&k->part[kept], &k->part[i]) != 0) {
			k->part[++kept] = k->part[i];
			continue;
		}
		for (int kind = 0; kind <= WS_KINDS; kind++) {
			ws_cycle_counts_add(&k->part[kept].l1[kind], &k->part[i].l1[kind]);
			ws_cycle_counts_add(&k->part[kept].l2[kind], &k->part[i].l2[kind]);
		}
	}
	k->parts = kept + 1;
}

static enum ws_status more_parts(struct cycles_kernel *k, size_t more, struct ws_err *err)
{
	return WS_ROOM(k->part, k->parts_cap, k->parts + more + 1)
		? WS_OK : ws_fail_memory(err, "misses by array and line");
}

static enum ws_status add_by_unit(struct cycles_kernel *k, const struct ws_cycle_result *r,
				  struct ws_err *err)
{
	size_t units = r->sms > r->slices ? r->sms : r->slices;
	enum ws_status status = k->parts ? WS_OK : more_parts(k, units, err);

	if (status != WS_OK)
		return status;
	while (k->parts < units) {
		k->part[k->parts] = (struct cycles_part){ .unit = k->parts };
		k->parts++;
	}
	add_units(k, r);
	return WS_OK;
}

enum ws_status cycles_add(struct cycles_kernel *k, enum cycles_by by, const struct ws_trace *t,
			  const struct ws_cycle_result *r, struct ws_err *err)
{
	enum ws_status status;

	add_launch(k, r);
	if (by == CYCLES_WHOLE)
		return WS_OK;
	if (by == CYCLES_BY_SM)
		return add_by_unit(k, r, err);
	status = more_parts(k, r->sites, err);
	if (status != WS_OK)
		return status;
	for (size_t p = 0; p < r->sites; p++)
		k->part[k->parts++] = part_of(ws_trace_launch(t, r->launch), &r->site[p], by);
	merge_parts(k);
	return WS_OK;
}

void cycles_sort(struct cycles_kernel *k, enum cycles_by by)
{
	if (k->parts && by != CYCLES_BY_SM)
		qsort(k->part, k->parts, sizeof *k->part, by_misses);
}

void cycles_kernel_clear(struct cycles_kernel *k)
{
	free(k->part);
	*k = (struct cycles_kernel){ 0 };
}
