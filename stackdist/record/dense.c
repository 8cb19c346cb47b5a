/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * stackdist/record/dense.c -- sums of what is recorded beside the distances: matrices and
 * fill-to-reuse times, which are lists in order without zeros, and all of struct ws_detail.
 *
 * Two lists are merged into a new one, so a failure leaves both as they were; a struct with
 * several is changed only when all its new lists are there.  Sums are modulo 2^64: parts of
 * a matrix may be below zero as long as the whole is not.
 */
#include "stackdist/record/detail.h"

#include <stdlib.h>
#include <string.h>

/* ---- matrices ----------------------------------------------------------------------- */

static inline uint32_t place_of_entry(const struct ws_entry *e)
{
	return (uint32_t)e->row << 16 | e->column;
}

static bool room_for(struct ws_matrix *m, size_t count)
{
	*m = (struct ws_matrix){ 0 };
	if (count)
		m->entry = ws_alloc(count, sizeof *m->entry);
	return m->entry || !count;
}

/* *sum, new, is a + b. */
static bool sum_matrices(struct ws_matrix *sum, const struct ws_matrix *a,
			 const struct ws_matrix *b)
{
	size_t i = 0, j = 0;

	if (!room_for(sum, a->count + b->count))
		return false;
	while (i < a->count || j < b->count) {
		bool left = j == b->count ||
			    (i < a->count &&
			     place_of_entry(a->entry + i) <= place_of_entry(b->entry + j));
		struct ws_entry e = left ? a->entry[i++] : b->entry[j++];

		if (left && j < b->count && place_of_entry(b->entry + j) == place_of_entry(&e))
			e.count += b->entry[j++].count;
		if (e.count)
			sum->entry[sum->count++] = e;
	}
	return true;
}

static void replace(struct ws_matrix *m, const struct ws_matrix *by)
{
	free(m->entry);
	*m = *by;
}

enum ws_status ws_matrix_add(struct ws_matrix *to, const struct ws_matrix *from,
			     struct ws_err *err)
{
	struct ws_matrix sum;

	if (!from->count)
		return WS_OK;
	if (!sum_matrices(&sum, to, from))
		return ws_fail_memory(err, "a matrix of reuse windows");
	replace(to, &sum);
	return WS_OK;
}

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

/* ---- counted ------------------------------------------------------------------------- */

enum { MATRICES = 4 };

static inline struct ws_matrix *matrix_of(struct ws_counted *c, unsigned i)
{
	struct ws_matrix *m[MATRICES] = { &c->within, &c->previous, &c->end_within,
					  &c->end_previous };

	return m[i];
}

static void add_u64(uint64_t *to, const uint64_t *from, size_t count)
{
	for (size_t i = 0; i < count; i++)
		to[i] += from[i];
}

static void clear_matrices(struct ws_matrix *m)
{
	for (unsigned i = 0; i < MATRICES; i++)
		free(m[i].entry);
}

/* The sums of both's matrices, new. */
static enum ws_status sum_counted(struct ws_matrix *sum, struct ws_counted *a,
				  const struct ws_matrix *b, struct ws_err *err)
{
	for (unsigned i = 0; i < MATRICES; i++)
		sum[i] = (struct ws_matrix){ 0 };
	for (unsigned i = 0; i < MATRICES; i++) {
		if (sum_matrices(sum + i, matrix_of(a, i), b + i))
			continue;
		clear_matrices(sum);
		return ws_fail_memory(err, "the matrices of count types");
	}
	return WS_OK;
}

static void add_counted(struct ws_counted *to, const uint64_t *references, const uint64_t *time,
			const struct ws_matrix *sum)
{
	add_u64(to->references, references, WS_COUNT_TYPES);
	add_u64(to->time, time, WS_COUNT_TYPES);
	for (unsigned i = 0; i < MATRICES; i++)
		replace(matrix_of(to, i), sum + i);
}

static bool sparse(struct ws_matrix *m, const uint64_t (*dense)[WS_COUNT_TYPES], size_t rows)
{
	size_t count = 0;

	for (size_t i = 0; i < rows; i++)
		for (size_t j = 0; j < WS_COUNT_TYPES; j++)
			count += dense[i][j] != 0;
	if (!room_for(m, count))
		return false;
	for (size_t i = 0; i < rows; i++)
		for (size_t j = 0; j < WS_COUNT_TYPES; j++)
			if (dense[i][j])
				m->entry[m->count++] = (struct ws_entry){
					(uint16_t)i, (uint16_t)j, dense[i][j],
				};
	return true;
}

#define ROWS(matrix) ((const uint64_t (*)[WS_COUNT_TYPES])(matrix))

enum ws_status ws_dense_take(struct ws_dense *from, struct ws_counted *to, struct ws_err *err)
{
	struct ws_matrix m[MATRICES] = { { 0 } }, sum[MATRICES];
	enum ws_status status = WS_OK;

	if (!sparse(m, ROWS(from->within), WS_COUNT_TYPES) ||
	    !sparse(m + 1, ROWS(from->previous), WS_COUNT_TYPES) ||
	    !sparse(m + 2, ROWS(from->end_within), WS_END_CLASSES) ||
	    !sparse(m + 3, ROWS(from->end_previous), WS_END_CLASSES))
		status = ws_fail_memory(err, "the matrices of count types");
	if (status == WS_OK)
		status = sum_counted(sum, to, m, err);
	clear_matrices(m);
	if (status != WS_OK)
		return status;
	add_counted(to, from->references, from->time, sum);
	memset(from, 0, sizeof *from);
	return WS_OK;
}

/* ---- all of it ------------------------------------------------------------------------- */

void ws_detail_clear(struct ws_detail *d)
{
	for (unsigned kind = 0; kind < WS_KINDS; kind++)
		free(d->fill_reuse[kind].entry);
	if (d->counted)
		for (unsigned i = 0; i < MATRICES; i++)
			free(matrix_of(d->counted, i)->entry);
	free(d->counted);
	memset(d, 0, sizeof *d);
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

/* All that needs memory: fill-to-reuse times, and the matrices of what is counted.  *counted: NULL,
 * to's own, or a new one if only `from` has any. */
static enum ws_status sum_lists(struct ws_fill_reuses *fill_reuse, struct ws_matrix *matrix,
				struct ws_counted **counted, const struct ws_detail *to,
				const struct ws_detail *from, struct ws_err *err)
{
	struct ws_matrix m[MATRICES];

	for (unsigned kind = 0; kind < WS_KINDS; kind++)
		if (!sum_flights(fill_reuse + kind, to->fill_reuse + kind, from->fill_reuse + kind))
			return ws_fail_memory(err, "fill-to-reuse times");
	if (!from->counted)
		return WS_OK;
	*counted = to->counted ? to->counted : ws_alloc_zero(1, sizeof **counted);
	if (!*counted)
		return ws_fail_memory(err, "the matrices of count types");
	for (unsigned i = 0; i < MATRICES; i++)
		m[i] = *matrix_of(from->counted, i);
	return sum_counted(matrix, *counted, m, err);
}

enum ws_status ws_detail_add(struct ws_detail *to, const struct ws_detail *from,
			     struct ws_err *err)
{
	struct ws_fill_reuses fill_reuse[WS_KINDS] = { { 0 } };
	struct ws_matrix matrix[MATRICES] = { { 0 } };
	struct ws_counted *counted = NULL;
	enum ws_status status = sum_lists(fill_reuse, matrix, &counted, to, from, err);

	if (status != WS_OK) {
		for (unsigned kind = 0; kind < WS_KINDS; kind++)
			free(fill_reuse[kind].entry);
		if (counted != to->counted)
			free(counted);
		return status;
	}
	add_numbers(to, from);
	for (unsigned kind = 0; kind < WS_KINDS; kind++) {
		free(to->fill_reuse[kind].entry);
		to->fill_reuse[kind] = fill_reuse[kind];
	}
	if (counted) {
		add_counted(counted, from->counted->references, from->counted->time, matrix);
		to->counted = counted;
	}
	return WS_OK;
}
