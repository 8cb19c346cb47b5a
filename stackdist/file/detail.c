/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * stackdist/file/detail.c -- details in a profile file: the tables of struct ws_detail in
 * order, then the changes of fill-to-reuse times, then reservation if it is not empty.
 */
#include "stackdist/file/file.h"

#include <stdlib.h>

#define OF(type, member) \
	{ #member, offsetof(struct type, member), \
	  sizeof(((struct type *)0)->member) / sizeof(uint64_t) }

struct table {
	const char *name;
	size_t offset, len;
};

static const struct table detail_tables[] = {
	OF(ws_detail, references), OF(ws_detail, time), OF(ws_detail, within),
	OF(ws_detail, previous), OF(ws_detail, end_count), OF(ws_detail, end_time),
	OF(ws_detail, end_within), OF(ws_detail, end_previous), OF(ws_detail, arrivals),
	OF(ws_detail, fill), OF(ws_detail, retained), OF(ws_detail, top),
};

static const struct table reservation_table[] = { OF(ws_detail, reservation) };

static void code_tables(struct ws_codec *c, void *of, const struct table *t, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		void *at = (char *)of + t[i].offset;

		ws_code_table(c, at, t[i].len, WS_TABLE_PLAIN, t[i].name);
	}
}

bool ws_detail_reserved(const struct ws_detail *d)
{
	for (unsigned i = 0; i < WS_RESERVATION_WAYS; i++)
		for (unsigned cell = 0; cell < WS_FILL_REUSE_CELLS; cell++)
			if (d->reservation[i][cell])
				return true;
	return false;
}

/* ---- fill-to-reuse times -------------------------------------------------------------------
 *
 * Number of entries; the steps of the cells; of the ways' own cells, less one within a
 * cell; the changes.
 */

static void code_ways(struct ws_codec *c, struct ws_fill_reuses *f)
{
	uint64_t next = 0;

	for (size_t i = 0; i < f->count && !c->status; i++) {
		struct ws_fill_reuse *e = f->entry + i;
		uint64_t at = c->putting ? ws_cell(e->ways, WS_FILL_REUSE_WAYS_BITS) - 1u : 0;

		if (i == 0 || e->cell != e[-1].cell)
			next = 0;
		ws_code_index(c, &at, &next, WS_FILL_REUSE_WAYS, "ways of a fill-to-reuse time");
		if (!c->putting)
			e->ways = ws_cell_first((uint32_t)next, WS_FILL_REUSE_WAYS_BITS);
	}
}

static void code_fill_reuses(struct ws_codec *c, struct ws_fill_reuses *f)
{
	uint32_t cell = 0;

	ws_code_array(c, &f->entry, &f->count, sizeof *f->entry, 3,
		      "changes of fill-to-reuse times");
	for (size_t i = 0; i < f->count; i++) {
		uint32_t step = f->entry[i].cell - cell;

		ws_code_u32(c, &step, 0, WS_FILL_REUSE_CELLS - 1 - cell,
			    "step of a fill-to-reuse time's cell");
		cell += step;
		if (!c->putting)
			f->entry[i].cell = cell;
	}
	code_ways(c, f);
	for (size_t i = 0; i < f->count; i++) {
		ws_code_signed(c, &f->entry[i].change, "change of fill-to-reuse times");
		ws_codec_want(c, f->entry[i].change, "a change of fill-to-reuse times is 0");
	}
}

/* ---- details ---------------------------------------------------------------------- */

void ws_code_detail(struct ws_codec *c, struct ws_geometry *g)
{
	struct ws_detail *d;

	ws_codec_open(c, WS_PDET);
	ws_codec_alloc(c, &g->detail, 1, sizeof *g->detail);
	d = g->detail;
	if (c->status)
		return;
	code_tables(c, d, detail_tables, WS_COUNT(detail_tables));
	for (unsigned kind = 0; kind < WS_KINDS; kind++)
		code_fill_reuses(c, d->fill_reuse + kind);
	if (ws_codec_more(c, WS_PROFILE_VERSION_CHUNKS, ws_detail_reserved(d))) {
		code_tables(c, d, reservation_table, WS_COUNT(reservation_table));
		ws_codec_want(c, ws_detail_reserved(d), "a table of reservation stalls is empty");
	}
	ws_codec_close(c);
	if (ws_codec_got(c))
		ws_codec_check(c, ws_detail_check(d, g, &c->profile->machine.l1));
}
