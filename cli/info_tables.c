/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cli/info_tables.c -- all of a profile as json, for other programs: an object for the profile,
 * one for each kernel, and after it one for each of its geometries and sites.
 * warpstack-profile(5) says what is in them.
 *
 * Tables of few entries are arrays of [index..., count], of those entries that are not 0; the
 * index of a cell is its first value.
 */
#include "cli/info.h"

#include <inttypes.h>

/* ---- lists ------------------------------------------------------------------- */

/* A list of lists of numbers: open, then the numbers of each entry, then close. */
struct info_list {
	FILE *file;
	bool any;
};

static struct info_list open_list(FILE *f, const char *name)
{
	ws_json_name(f, false, name);
	fputc('[', f);
	return (struct info_list){ f, false };
}

static void put_entry(struct info_list *l, const uint64_t *number, size_t count)
{
	fputs(l->any ? ",[" : "[", l->file);
	l->any = true;
	for (size_t i = 0; i < count; i++)
		fprintf(l->file, "%s%" PRIu64, i ? "," : "", number[i]);
	fputc(']', l->file);
}

static void put_pair(struct info_list *l, uint64_t index, uint64_t count)
{
	const uint64_t pair[] = { index, count };

	if (count)
		put_entry(l, pair, 2);
}

static void put_triple(struct info_list *l, uint64_t row, uint64_t column, uint64_t count)
{
	const uint64_t triple[] = { row, column, count };

	if (count)
		put_entry(l, triple, 3);
}

static void close_list(struct info_list *l)
{
	fputc(']', l->file);
}

/* The cells of `bits`, by what each begins with, `above` added. */
static void cells_json(FILE *f, const char *name, const uint64_t *count, size_t len,
		       unsigned bits, uint64_t above)
{
	struct info_list l = open_list(f, name);

	for (size_t i = 0; i < len; i++)
		put_pair(&l, ws_cell_first((uint32_t)i, bits) + above, count[i]);
	close_list(&l);
}

static void matrix_json(FILE *f, const char *name, const uint64_t (*m)[WS_TYPES], size_t rows)
{
	struct info_list l = open_list(f, name);

	for (size_t i = 0; i < rows; i++)
		for (size_t j = 0; j < WS_TYPES; j++)
			put_triple(&l, i, j, m[i][j]);
	close_list(&l);
}

/* ---- histograms ---------------------------------------------------------------- */

static void histogram_json(FILE *f, const struct ws_histogram *h, bool sectored)
{
	ws_json_u64(f, true, "requests", h->requests);
	ws_json_u64(f, false, "cold", h->cold);
	ws_json_u64(f, false, "uncached", h->uncached);
	cells_json(f, "distance", h->distance, h->len, WS_DISTANCE_BITS, 0);
	cells_json(f, "capacity", h->capacity, h->len, WS_DISTANCE_BITS, 0);
	if (sectored) {
		ws_json_u64(f, false, "sectors", h->sectors);
		ws_json_u64(f, false, "sector_cold", h->sector_cold);
		ws_json_u64(f, false, "sector_uncached", h->sector_uncached);
		cells_json(f, "sector", h->sector, h->sector_len, WS_DISTANCE_BITS, 0);
	}
	if (h->variance) {
		struct info_list l = open_list(f, "variance");

		for (unsigned i = 0; i < WS_BINS; i++)
			put_pair(&l, ws_bin_first(i), h->variance[i]);
		close_list(&l);
	}
}

/* ---- details --------------------------------------------------------------------- */

static void sparse_json(FILE *f, const char *name, const struct ws_matrix *m)
{
	struct info_list l = open_list(f, name);

	for (size_t i = 0; i < m->count; i++)
		put_triple(&l, m->entry[i].row, m->entry[i].column, m->entry[i].count);
	close_list(&l);
}

static void pairs_json(FILE *f, const char *name, const uint64_t *count, size_t len)
{
	struct info_list l = open_list(f, name);

	for (size_t i = 0; i < len; i++)
		put_pair(&l, i, count[i]);
	close_list(&l);
}

static void counted_json(FILE *f, const struct ws_counted *c)
{
	ws_json_name(f, false, "counted");
	if (!c) {
		fputs("null", f);
		return;
	}
	fputs("{\"types\":512", f);
	pairs_json(f, "references", c->references, WS_COUNT_TYPES);
	pairs_json(f, "time", c->time, WS_COUNT_TYPES);
	sparse_json(f, "within", &c->within);
	sparse_json(f, "previous", &c->previous);
	sparse_json(f, "end_within", &c->end_within);
	sparse_json(f, "end_previous", &c->end_previous);
	fputc('}', f);
}

static void retentions_json(FILE *f, const struct ws_detail *d)
{
	struct info_list l = open_list(f, "retained");

	for (unsigned i = 0; i < WS_RETENTIONS; i++)
		for (unsigned type = 0; type < WS_TYPES; type++)
			put_triple(&l, ws_retained_ways[i], type, d->retained[i][type]);
	close_list(&l);
	l = open_list(f, "top");
	for (unsigned i = 0; i < WS_RETENTIONS; i++)
		put_pair(&l, ws_retained_ways[i], d->top[i]);
	close_list(&l);
}

static void flights_json(FILE *f, const struct ws_detail *d)
{
	ws_json_name(f, false, "fill_to_reuse");
	for (unsigned kind = 0; kind < WS_KINDS; kind++) {
		const struct ws_fill_reuses *t = d->fill_reuse + kind;

		fputc(kind ? ',' : '{', f);
		ws_json_name(f, true, ws_kind_names[kind]);
		fputc('[', f);
		for (size_t i = 0; i < t->count; i++)
			fprintf(f, "%s[%" PRIu32 ",%" PRIu32 ",%" PRId64 "]", i ? "," : "",
				ws_cell_first(t->entry[i].cell, WS_FILL_REUSE_BITS),
				t->entry[i].ways, t->entry[i].change);
		fputc(']', f);
	}
	fputc('}', f);
}

static void reservation_json(FILE *f, const struct ws_detail *d)
{
	struct info_list l = open_list(f, "reservation");

	for (unsigned i = 0; i < WS_RESERVATION_WAYS; i++)
		for (uint32_t cell = 0; cell < WS_FILL_REUSE_CELLS; cell++)
			put_triple(&l, 1u << i, ws_cell_first(cell, WS_FILL_REUSE_BITS),
				   d->reservation[i][cell]);
	close_list(&l);
}

static void detail_json(FILE *f, const struct ws_detail *d)
{
	ws_json_name(f, false, "detail");
	if (!d) {
		fputs("null", f);
		return;
	}
	fputc('{', f);
	ws_json_name(f, true, "references");
	for (unsigned kind = 0; kind < WS_KINDS; kind++) {
		fputc(kind ? ',' : '{', f);
		ws_json_list(f, true, ws_kind_names[kind], d->references[kind], WS_TYPES);
	}
	fputc('}', f);
	ws_json_list(f, false, "time", d->time, WS_TYPES);
	matrix_json(f, "within", (const uint64_t (*)[WS_TYPES])d->within, WS_TYPES);
	matrix_json(f, "previous", (const uint64_t (*)[WS_TYPES])d->previous, WS_TYPES);
	ws_json_list(f, false, "end_count", d->end_count, WS_END_CLASSES);
	ws_json_list(f, false, "end_time", d->end_time, WS_END_CLASSES);
	matrix_json(f, "end_within", (const uint64_t (*)[WS_TYPES])d->end_within, WS_END_CLASSES);
	matrix_json(f, "end_previous", (const uint64_t (*)[WS_TYPES])d->end_previous,
		    WS_END_CLASSES);
	cells_json(f, "arrivals", d->arrivals, WS_DEPTH_CELLS, WS_DEPTH_BITS, 1);
	cells_json(f, "fill", d->fill, WS_DEPTH_CELLS, WS_DEPTH_BITS, 1);
	retentions_json(f, d);
	flights_json(f, d);
	reservation_json(f, d);
	counted_json(f, d->counted);
	fputc('}', f);
}

/* ---- objects ----------------------------------------------------------------------- */

static void geometry_json(FILE *f, const char *kernel, const struct ws_geometry *g)
{
	fputc('{', f);
	ws_json_text(f, true, "type", "geometry");
	ws_json_text(f, false, "kernel", kernel);
	ws_json_u64(f, false, "line", g->line_bytes);
	ws_json_u64(f, false, "sector", g->sector_bytes);
	ws_json_u64(f, false, "sets", g->sets);
	for (unsigned kind = 0; kind < WS_KINDS; kind++) {
		ws_json_name(f, false, ws_kind_names[kind]);
		fputc('{', f);
		histogram_json(f, g->kind + kind, g->sector_bytes < g->line_bytes);
		fputc('}', f);
	}
	detail_json(f, g->detail);
	fputs("}\n", f);
}

/* Of each window, [lines, lag, block, kind, count] of its cells; a lag is its bin's first. */
static void windows_json(FILE *f, const struct ws_grain_cells *c, size_t windows)
{
	fputs(",\"windows\":[", f);
	for (size_t w = 0; w < windows; w++) {
		struct info_list l = { .file = f };

		fputs(w ? ",[" : "[", f);
		for (size_t i = c->first[w]; i < c->first[w + 1]; i++) {
			unsigned at = c->at[i], of = at / (WS_GRAINS * WS_BINS);
			const uint64_t cell[] = {
				of % WS_GRAIN_LINES, ws_bin_first(at / WS_GRAINS % WS_BINS),
				1u << at % WS_GRAINS, of / WS_GRAIN_LINES, c->count[i],
			};

			put_entry(&l, cell, 5);
		}
		close_list(&l);
	}
	fputc(']', f);
}

static void chunks_json(FILE *f, const struct ws_section *s, const struct ws_chunked *c,
			unsigned form)
{
	fputc('{', f);
	ws_json_text(f, true, "type", "chunks");
	ws_json_text(f, false, "kernel", s->kernel);
	ws_json_text(f, false, "form", info_forms[form]);
	ws_json_u64(f, false, "sets", c->sets);
	for (unsigned kind = 0; kind < WS_KINDS; kind++) {
		ws_json_name(f, false, ws_kind_names[kind]);
		fputc('{', f);
		histogram_json(f, c->kind[form] + kind, false);
		fputc('}', f);
	}
	if (form < WS_GRAINS && s->grains.period)
		windows_json(f, c->window + form, s->grains.windows);
	fputs("}\n", f);
}

static void site_json(FILE *f, const char *kernel, const struct ws_site *s)
{
	fputc('{', f);
	ws_json_text(f, true, "type", "site");
	ws_json_text(f, false, "kernel", kernel);
	ws_json_text(f, false, "array", *s->array ? s->array : NULL);
	ws_json_text(f, false, "file", *s->file ? s->file : NULL);
	ws_json_name(f, false, "line");
	if (s->line)
		fprintf(f, "%" PRIu32, s->line);
	else
		fputs("null", f);
	ws_json_text(f, false, "kind", ws_kind_names[s->kind]);
	fputc(',', f);
	histogram_json(f, &s->count, false);
	fputs("}\n", f);
}

static void section_json(FILE *f, const struct ws_section *s)
{
	fputc('{', f);
	ws_json_text(f, true, "type", "kernel");
	ws_json_text(f, false, "kernel", s->kernel);
	ws_json_list(f, false, "grid", s->grid, 3);
	ws_json_list(f, false, "block", s->block, 3);
	ws_json_u64(f, false, "launches", s->launches);
	ws_json_u64(f, false, "ctas", s->ctas);
	ws_json_u64(f, false, "resident_ctas", s->resident_ctas);
	ws_json_u64(f, false, "warp_instructions", s->warp_instructions);
	ws_json_u64(f, false, "cycles", s->cycles);
	ws_json_u64(f, false, "issued", s->issued);
	ws_json_u64(f, false, "waits", s->waits);
	ws_json_u64(f, false, "geometries", s->geometries);
	ws_json_u64(f, false, "sites", s->sites);
	fputs("}\n", f);
	for (size_t g = 0; g < s->geometries; g++)
		geometry_json(f, s->kernel, &s->geometry[g]);
	for (size_t i = 0; i < s->chunkeds * WS_FORMS; i++)
		chunks_json(f, s, &s->chunked[i / WS_FORMS], (unsigned)(i % WS_FORMS));
	for (size_t i = 0; i < s->sites; i++)
		site_json(f, s->kernel, &s->site[i]);
}

static void sms_json(FILE *f, const struct ws_profile *p)
{
	struct info_list l = open_list(f, "sms");
	uint64_t range[2];

	for (uint64_t from = 0; info_sm_range(p, from, &range[0], &range[1]); from = range[1] + 1)
		put_entry(&l, range, 2);
	close_list(&l);
}

void info_profile_json(FILE *f, const struct ws_profile *p, const char *name)
{
	char value[INFO_VALUE];

	fputc('{', f);
	ws_json_text(f, true, "type", "profile");
	ws_json_text(f, false, "file", name);
	ws_json_u64(f, false, "seed", p->seed);
	ws_json_text(f, false, "order", ws_order_names[p->order]);
	sms_json(f, p);
	ws_json_name(f, false, "sample_rate");
	fprintf(f, "%.17g", p->sample_rate);
	ws_json_u64(f, false, "sample_lines", p->sample_lines);
	ws_json_u64(f, false, "kernels", p->sections);
	ws_json_name(f, false, "machine");
	fputc('{', f);
	for (const struct ws_key *key = ws_keys; key->name; key++) {
		ws_machine_get(&p->machine, key, value, sizeof value);
		ws_json_text(f, key == ws_keys, key->name, value);
	}
	fputs("}}\n", f);
	for (size_t s = 0; s < p->sections; s++)
		section_json(f, &p->section[s]);
}
