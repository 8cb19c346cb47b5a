/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * stackdist/file/detail.c -- details in a profile file: the tables of struct ws_detail in
 * order, each as a sparse one, then the changes of flights, then crowd if it is not empty; and
 * those of struct ws_counted.
 */
#include "stackdist/file/file.h"

#include <string.h>

#define OF(type, member) \
	{ offsetof(struct type, member), sizeof(((struct type *)0)->member) / sizeof(uint64_t) }

struct table {
	size_t offset, len;
};

static const struct table detail_tables[] = {
	OF(ws_detail, references), OF(ws_detail, time), OF(ws_detail, within),
	OF(ws_detail, previous), OF(ws_detail, end_count), OF(ws_detail, end_time),
	OF(ws_detail, end_within), OF(ws_detail, end_previous), OF(ws_detail, arrivals),
	OF(ws_detail, fill), OF(ws_detail, frozen), OF(ws_detail, top),
};

static const struct table crowd_table[] = { OF(ws_detail, crowd) };

static const struct table counted_tables[] = {
	OF(ws_counted, references), OF(ws_counted, time),
};

struct place {			/* of a matrix in struct ws_counted */
	size_t offset;
	uint32_t rows;
};

static const struct place matrices[] = {
	{ offsetof(struct ws_counted, within), WS_COUNT_TYPES },
	{ offsetof(struct ws_counted, previous), WS_COUNT_TYPES },
	{ offsetof(struct ws_counted, end_within), WS_END_CLASSES },
	{ offsetof(struct ws_counted, end_previous), WS_END_CLASSES },
};

static void put_tables(struct ws_buf *raw, const void *from, const struct table *t, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const void *at = (const char *)from + t[i].offset;

		ws_sparse_put(raw, at, t[i].len, WS_SPARSE_PLAIN);
	}
}

static bool get_tables(struct ws_cursor *c, void *to, const struct table *t, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct ws_sparse s = ws_sparse_find(c, t[i].len, WS_SPARSE_PLAIN);
		void *at = (char *)to + t[i].offset;

		ws_sparse_expand(s, at);
	}
	return !c->bad;
}

/* ---- flights -------------------------------------------------------------------
 *
 * Number of entries; the steps of the cells; of the ways' own cells, less one within a
 * cell; the changes.
 */

static uint32_t ways_cell(const struct ws_flight *f)
{
	return ws_cell(f->ways, WS_FLIGHT_WAYS_BITS);
}

static void put_flights(struct ws_buf *raw, const struct ws_flights *f)
{
	uint32_t cell = 0;

	ws_put_var(raw, f->count);
	for (size_t i = 0; i < f->count; cell = f->entry[i++].cell)
		ws_put_var(raw, f->entry[i].cell - cell);
	for (size_t i = 0; i < f->count; i++) {
		bool first = i == 0 || f->entry[i].cell != f->entry[i - 1].cell;

		ws_put_var(raw, ways_cell(f->entry + i) -
			   (first ? 0 : ways_cell(f->entry + i - 1)) - 1);
	}
	for (size_t i = 0; i < f->count; i++)
		ws_put_svar(raw, f->entry[i].change);
}

static bool get_cells(struct ws_cursor *c, struct ws_flights *f)
{
	uint64_t cell = 0;

	for (size_t i = 0; i < f->count && !c->bad; i++) {
		uint64_t step = ws_get_var(c);

		c->bad |= step >= WS_FLIGHT_CELLS - cell;
		cell += step;
		f->entry[i].cell = (uint32_t)cell;
	}
	return !c->bad;
}

static bool get_ways(struct ws_cursor *c, struct ws_flights *f)
{
	uint64_t ways = 0;

	for (size_t i = 0; i < f->count && !c->bad; i++) {
		uint64_t step = ws_get_var(c);

		if (i == 0 || f->entry[i].cell != f->entry[i - 1].cell)
			ways = 0;
		c->bad |= step >= WS_FLIGHT_WAYS - ways;
		ways += step + 1;
		f->entry[i].ways = ws_cell_first((uint32_t)ways, WS_FLIGHT_WAYS_BITS);
	}
	return !c->bad;
}

static enum ws_status get_flights(struct ws_profile_reader *r, struct ws_flights *f)
{
	size_t count = (size_t)ws_get_count(&r->c, 3);
	enum ws_status status;

	if (count == 0)
		return WS_OK;
	status = ws_reader_alloc(r, &f->entry, count, sizeof(*f->entry));
	if (status)
		return status;
	f->count = count;
	if (get_cells(&r->c, f) && get_ways(&r->c, f))
		for (size_t i = 0; i < count && !r->c.bad; i++) {
			f->entry[i].change = ws_get_svar(&r->c);
			r->c.bad |= f->entry[i].change == 0;
		}
	return WS_OK;
}

/* ---- details ---------------------------------------------------------------------- */

void ws_detail_put(struct ws_buf *raw, const struct ws_detail *d)
{
	put_tables(raw, d, detail_tables, WS_COUNT(detail_tables));
	for (unsigned kind = 0; kind < WS_KINDS; kind++)
		put_flights(raw, d->flight + kind);
	if (ws_detail_crowded(d))
		put_tables(raw, d, crowd_table, 1);
}

enum ws_status ws_detail_get(struct ws_profile_reader *r, struct ws_detail *d)
{
	enum ws_status status = WS_OK;

	if (!get_tables(&r->c, d, detail_tables, WS_COUNT(detail_tables)))
		return ws_reader_bad(r, "a table of a detail is malformed");
	for (unsigned kind = 0; kind < WS_KINDS && !status; kind++)
		status = get_flights(r, d->flight + kind);
	if (!status && r->c.bad)
		status = ws_reader_bad(r, "changes of in-flight intervals are malformed");
	if (status || r->version < WS_PROFILE_VERSION_CHUNKS || r->c.p == r->c.end)
		return status;
	if (!get_tables(&r->c, d, crowd_table, 1) || !ws_detail_crowded(d))
		return ws_reader_bad(r, "a table of a detail is malformed");
	return WS_OK;
}

void ws_counted_put(struct ws_buf *raw, const struct ws_counted *c)
{
	put_tables(raw, c, counted_tables, WS_COUNT(counted_tables));
	for (size_t i = 0; i < WS_COUNT(matrices); i++) {
		const void *m = (const char *)c + matrices[i].offset;

		ws_sparse_put_matrix(raw, m, WS_COUNT_TYPES);
	}
}

static enum ws_status get_matrix(struct ws_profile_reader *r, struct ws_matrix *m, uint32_t rows)
{
	struct ws_sparse s = ws_sparse_find(&r->c, (uint64_t)rows * WS_COUNT_TYPES,
					    WS_SPARSE_PLAIN);
	enum ws_status status;

	if (s.entries == 0)
		return WS_OK;
	status = ws_reader_alloc(r, &m->entry, s.entries, sizeof(*m->entry));
	if (status)
		return status;
	while (ws_sparse_next(&s))
		m->entry[m->count++] = (struct ws_entry){
			.row = (uint16_t)(s.index / WS_COUNT_TYPES),
			.column = (uint16_t)(s.index % WS_COUNT_TYPES),
			.count = s.value,
		};
	return WS_OK;
}

enum ws_status ws_counted_get(struct ws_profile_reader *r, struct ws_counted *c)
{
	bool ok = get_tables(&r->c, c, counted_tables, WS_COUNT(counted_tables));
	enum ws_status status = WS_OK;

	for (size_t i = 0; i < WS_COUNT(matrices) && ok && !status; i++) {
		void *m = (char *)c + matrices[i].offset;

		status = get_matrix(r, m, matrices[i].rows);
	}
	if (!status && r->c.bad)
		status = ws_reader_bad(r, "a table of count types is malformed");
	return status;
}
