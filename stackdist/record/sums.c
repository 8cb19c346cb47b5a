/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * stackdist/record/sums.c -- sums of what is recorded beside the distances: fill-to-reuse times,
 * which are lists in order without zeros, and all of struct ws_detail.
 *
 * Two lists are merged into a new one, so a failure leaves both as they were; a struct with
 * several is changed only when all its new lists are there.  Sums are modulo 2^64: parts of
 * a matrix may be below zero as long as the whole is not.
 */
#include "stackdist/record/detail.h"

#include <stdlib.h>
#include <string.h>

/* ---- fill-to-reuse times --------------------------------------------------------------------- */

static int flight_order(const struct ws_fill_reuse *a, const struct ws_fill_reuse *b)
{
	if (a->cell != b->cell)
		return a->cell < b->cell ? -1 : 1;
	return (a->ways > b->ways) - (a->ways < b->ways);
}

static bool sum_flights(struct ws_fill_reuses *sum, const struct ws_fill_reuses *a,
			const struct ws_fill_reuses *b)
{
	size_t i = 0, j = 0;

	*sum = (struct ws_fill_reuses){ 0 };
	if (a->count + b->count == 0)
		return true;
	sum->entry = ws_alloc(a->count + b->count, sizeof *sum->entry);
	if (!sum->entry)
		return false;
	while (i < a->count || j < b->count) {
		bool left = j == b->count ||
			    (i < a->count && flight_order(a->entry + i, b->entry + j) <= 0);
		struct ws_fill_reuse e = left ? a->entry[i++] : b->entry[j++];

		if (left && j < b->count && !flight_order(&e, b->entry + j))
			e.change = (int64_t)((uint64_t)e.change + (uint64_t)b->entry[j++].change);
		if (e.change)
			sum->entry[sum->count++] = e;
	}
	return true;
}

enum ws_status ws_fill_reuses_add(struct ws_fill_reuses *to, const struct ws_fill_reuses *from,
			      struct ws_err *err)
{
	struct ws_fill_reuses sum;

	if (!from->count)
		return WS_OK;
	if (!sum_flights(&sum, to, from))
		return ws_fail_memory(err, "fill-to-reuse times");
	free(to->entry);
	*to = sum;
	return WS_OK;
}

/* ---- all of it ------------------------------------------------------------------------- */

void ws_detail_free(struct ws_detail *d)
{
	for (unsigned kind = 0; d && kind < WS_KINDS; kind++)
		free(d->fill_reuse[kind].entry);
	free(d);
}

static void add_u64(uint64_t *to, const uint64_t *from, size_t count)
{
	for (size_t i = 0; i < count; i++)
		to[i] += from[i];
}

static void add_numbers(struct ws_detail *to, const struct ws_detail *from)
{
	add_u64(to->references[0], from->references[0], (size_t)WS_KINDS * WS_TYPES);
	add_u64(to->time, from->time, WS_TYPES);
	add_u64(to->within[0], from->within[0], WS_TYPES * WS_TYPES);
	add_u64(to->previous[0], from->previous[0], WS_TYPES * WS_TYPES);
	add_u64(to->end_count, from->end_count, WS_END_CLASSES);
	add_u64(to->end_time, from->end_time, WS_END_CLASSES);
	add_u64(to->end_within[0], from->end_within[0], WS_END_CLASSES * WS_TYPES);
	add_u64(to->end_previous[0], from->end_previous[0], WS_END_CLASSES * WS_TYPES);
	add_u64(to->arrivals, from->arrivals, WS_DEPTH_CELLS);
	add_u64(to->fill, from->fill, WS_DEPTH_CELLS);
	add_u64(to->retained[0], from->retained[0], WS_RETENTIONS * WS_TYPES);
	add_u64(to->top, from->top, WS_RETENTIONS);
	add_u64(to->reservation[0], from->reservation[0],
		WS_RESERVATION_WAYS * WS_FILL_REUSE_CELLS);
}

enum ws_status ws_detail_add(struct ws_detail *to, const struct ws_detail *from,
			     struct ws_err *err)
{
	struct ws_fill_reuses sum[WS_KINDS] = { { 0 } };
	bool ok = true;

	for (unsigned kind = 0; kind < WS_KINDS && ok; kind++)
		ok = sum_flights(sum + kind, to->fill_reuse + kind, from->fill_reuse + kind);
	for (unsigned kind = 0; kind < WS_KINDS; kind++) {
		free(ok ? to->fill_reuse[kind].entry : sum[kind].entry);
		if (ok)
			to->fill_reuse[kind] = sum[kind];
	}
	if (!ok)
		return ws_fail_memory(err, "fill-to-reuse times");
	add_numbers(to, from);
	return WS_OK;
}
