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

/* ---- lists ------------------------------------------------------------------- */

/* Entries of lists of lists of numbers. */
static void put_pair(struct ws_json *j, uint64_t index, uint64_t count)
{
	const uint64_t pair[] = { index, count };

	if (count)
		ws_json_list(j, NULL, pair, 2);
}

static void put_triple(struct ws_json *j, uint64_t row, uint64_t column, uint64_t count)
{
	const uint64_t triple[] = { row, column, count };

	if (count)
		ws_json_list(j, NULL, triple, 3);
}

/* The cells of `bits`, by what each begins with, `above` added. */
static void cells_json(struct ws_json *j, const char *name, const uint64_t *count, size_t len,
		       unsigned bits, uint64_t above)
{
	ws_json_open(j, name, '[');
	for (size_t i = 0; i < len; i++)
		put_pair(j, ws_cell_first((uint32_t)i, bits) + above, count[i]);
	ws_json_close(j, ']');
}

static void matrix_json(struct ws_json *j, const char *name, const uint64_t (*m)[WS_TYPES],
			size_t rows)
{
	ws_json_open(j, name, '[');
	for (size_t i = 0; i < rows; i++)
		for (size_t type = 0; type < WS_TYPES; type++)
			put_triple(j, i, type, m[i][type]);
	ws_json_close(j, ']');
}

/* ---- histograms ---------------------------------------------------------------- */

static void histogram_json(struct ws_json *j, const struct ws_histogram *h, bool sectored)
{
	ws_json_u64(j, "requests", h->requests);
	ws_json_u64(j, "cold", h->cold);
	ws_json_u64(j, "uncached", h->uncached);
	cells_json(j, "distance", h->distance, h->len, WS_DISTANCE_BITS, 0);
	cells_json(j, "capacity", h->capacity, h->len, WS_DISTANCE_BITS, 0);
	if (sectored) {
		ws_json_u64(j, "sectors", h->sectors);
		ws_json_u64(j, "sector_cold", h->sector_cold);
		ws_json_u64(j, "sector_uncached", h->sector_uncached);
		cells_json(j, "sector", h->sector, h->sector_len, WS_DISTANCE_BITS, 0);
	}
	if (h->variance) {
		ws_json_open(j, "variance", '[');
		for (unsigned i = 0; i < WS_BINS; i++)
			put_pair(j, ws_bin_first(i), h->variance[i]);
		ws_json_close(j, ']');
	}
}

/* ---- details --------------------------------------------------------------------- */

static void retentions_json(struct ws_json *j, const struct ws_detail *d)
{
	ws_json_open(j, "retained", '[');
	for (unsigned i = 0; i < WS_RETENTIONS; i++)
		for (unsigned type = 0; type < WS_TYPES; type++)
			put_triple(j, ws_retained_ways[i], type, d->retained[i][type]);
	ws_json_close(j, ']');
	ws_json_open(j, "top", '[');
	for (unsigned i = 0; i < WS_RETENTIONS; i++)
		put_pair(j, ws_retained_ways[i], d->top[i]);
	ws_json_close(j, ']');
}

static void flights_json(struct ws_json *j, const struct ws_detail *d)
{
	ws_json_open(j, "fill_to_reuse", '{');
	for (unsigned kind = 0; kind < WS_KINDS; kind++) {
		const struct ws_fill_reuses *t = d->fill_reuse + kind;

		ws_json_open(j, ws_kind_names[kind], '[');
		for (size_t i = 0; i < t->count; i++) {
			ws_json_open(j, NULL, '[');
			ws_json_u64(j, NULL, ws_cell_first(t->entry[i].cell, WS_FILL_REUSE_BITS));
			ws_json_u64(j, NULL, t->entry[i].ways);
			ws_json_i64(j, NULL, t->entry[i].change);
			ws_json_close(j, ']');
		}
		ws_json_close(j, ']');
	}
	ws_json_close(j, '}');
}

static void reservation_json(struct ws_json *j, const struct ws_detail *d)
{
	ws_json_open(j, "reservation", '[');
	for (unsigned i = 0; i < WS_RESERVATION_WAYS; i++)
		for (uint32_t cell = 0; cell < WS_FILL_REUSE_CELLS; cell++)
			put_triple(j, 1u << i, ws_cell_first(cell, WS_FILL_REUSE_BITS),
				   d->reservation[i][cell]);
	ws_json_close(j, ']');
}

static void detail_json(struct ws_json *j, const struct ws_detail *d)
{
	if (!d) {
		ws_json_text(j, "detail", NULL);
		return;
	}
	ws_json_open(j, "detail", '{');
	ws_json_open(j, "references", '{');
	for (unsigned kind = 0; kind < WS_KINDS; kind++)
		ws_json_list(j, ws_kind_names[kind], d->references[kind], WS_TYPES);
	ws_json_close(j, '}');
	ws_json_list(j, "time", d->time, WS_TYPES);
	matrix_json(j, "within", (const uint64_t (*)[WS_TYPES])d->within, WS_TYPES);
	matrix_json(j, "previous", (const uint64_t (*)[WS_TYPES])d->previous, WS_TYPES);
	ws_json_list(j, "end_count", d->end_count, WS_END_CLASSES);
	ws_json_list(j, "end_time", d->end_time, WS_END_CLASSES);
	matrix_json(j, "end_within", (const uint64_t (*)[WS_TYPES])d->end_within, WS_END_CLASSES);
	matrix_json(j, "end_previous", (const uint64_t (*)[WS_TYPES])d->end_previous,
		    WS_END_CLASSES);
	cells_json(j, "arrivals", d->arrivals, WS_DEPTH_CELLS, WS_DEPTH_BITS, 1);
	cells_json(j, "fill", d->fill, WS_DEPTH_CELLS, WS_DEPTH_BITS, 1);
	retentions_json(j, d);
	flights_json(j, d);
	reservation_json(j, d);
	ws_json_close(j, '}');
}

static void sample_json(struct ws_json *j, const struct ws_set_sample *s)
{
	if (!s) {
		ws_json_text(j, "set_sample", NULL);
		return;
	}
	ws_json_open(j, "set_sample", '{');
	ws_json_u64(j, "halvings", s->halvings);
	ws_json_u64(j, "most", s->most);
	ws_json_u64(j, "requests", s->requests);
	ws_json_open(j, "runs", '[');
	for (size_t i = 0; i < s->runs; i++) {
		const uint64_t run[] = { s->run[i].launch, s->run[i].sm, s->run[i].requests,
					 s->run[i].lines };

		ws_json_list(j, NULL, run, WS_COUNT(run));
	}
	ws_json_close(j, ']');
	ws_json_close(j, '}');
}

/* ---- objects ----------------------------------------------------------------------- */

static void geometry_json(struct ws_json *j, const char *kernel, const struct ws_geometry *g)
{
	ws_json_line(j, "geometry");
	ws_json_text(j, "kernel", kernel);
	ws_json_u64(j, "line", g->line_bytes);
	ws_json_u64(j, "sector", g->sector_bytes);
	ws_json_u64(j, "sets", g->sets);
	for (unsigned kind = 0; kind < WS_KINDS; kind++) {
		ws_json_open(j, ws_kind_names[kind], '{');
		histogram_json(j, g->kind + kind, g->sector_bytes < g->line_bytes);
		ws_json_close(j, '}');
	}
	detail_json(j, g->detail);
	sample_json(j, g->sample);
	ws_json_line_end(j);
}

/* Of each window, [lines, lag, block, kind, count] of its cells; a lag is its bin's first. */
static void windows_json(struct ws_json *j, const struct ws_grain_cells *c, size_t windows)
{
	ws_json_open(j, "windows", '[');
	for (size_t w = 0; w < windows; w++) {
		ws_json_open(j, NULL, '[');
		for (size_t i = c->first[w]; i < c->first[w + 1]; i++) {
			unsigned at = c->at[i], of = at / (WS_GRAINS * WS_BINS);
			const uint64_t cell[] = {
				of % WS_GRAIN_LINES, ws_bin_first(at / WS_GRAINS % WS_BINS),
				1u << at % WS_GRAINS, of / WS_GRAIN_LINES, c->count[i],
			};

			ws_json_list(j, NULL, cell, 5);
		}
		ws_json_close(j, ']');
	}
	ws_json_close(j, ']');
}

static void chunks_json(struct ws_json *j, const struct ws_section *s, const struct ws_chunked *c,
			unsigned form)
{
	ws_json_line(j, "chunks");
	ws_json_text(j, "kernel", s->kernel);
	ws_json_text(j, "form", info_forms[form]);
	ws_json_u64(j, "sets", c->sets);
	for (unsigned kind = 0; kind < WS_KINDS; kind++) {
		ws_json_open(j, ws_kind_names[kind], '{');
		histogram_json(j, c->kind[form] + kind, false);
		ws_json_close(j, '}');
	}
	if (form < WS_GRAINS && s->grains.period)
		windows_json(j, c->window + form, s->grains.windows);
	ws_json_line_end(j);
}

static void site_json(struct ws_json *j, const char *kernel, const struct ws_site *s)
{
	ws_json_line(j, "site");
	ws_json_text(j, "kernel", kernel);
	ws_json_text(j, "array", *s->array ? s->array : NULL);
	ws_json_text(j, "file", *s->file ? s->file : NULL);
	if (s->line)
		ws_json_u64(j, "line", s->line);
	else
		ws_json_text(j, "line", NULL);
	ws_json_text(j, "kind", ws_kind_names[s->kind]);
	histogram_json(j, &s->count, false);
	ws_json_line_end(j);
}

static void section_json(struct ws_json *j, const struct ws_section *s)
{
	ws_json_line(j, "kernel");
	ws_json_text(j, "kernel", s->kernel);
	ws_json_list(j, "grid", s->grid, 3);
	ws_json_list(j, "block", s->block, 3);
	ws_json_u64(j, "launches", s->launches);
	ws_json_u64(j, "ctas", s->ctas);
	ws_json_u64(j, "resident_ctas", s->resident_ctas);
	ws_json_u64(j, "warp_instructions", s->warp_instructions);
	ws_json_u64(j, "cycles", s->cycles);
	ws_json_u64(j, "issued", s->issued);
	ws_json_u64(j, "waits", s->waits);
	ws_json_u64(j, "geometries", s->geometries);
	ws_json_u64(j, "sites", s->sites);
	ws_json_line_end(j);
	for (size_t g = 0; g < s->geometries; g++)
		geometry_json(j, s->kernel, &s->geometry[g]);
	for (size_t i = 0; i < s->chunkeds * WS_FORMS; i++)
		chunks_json(j, s, &s->chunked[i / WS_FORMS], (unsigned)(i % WS_FORMS));
	for (size_t i = 0; i < s->sites; i++)
		site_json(j, s->kernel, &s->site[i]);
}

static void sms_json(struct ws_json *j, const struct ws_profile *p)
{
	uint64_t range[2];

	ws_json_open(j, "sms", '[');
	for (uint64_t from = 0; info_sm_range(p, from, &range[0], &range[1]); from = range[1] + 1)
		ws_json_list(j, NULL, range, 2);
	ws_json_close(j, ']');
}

void info_profile_json(struct ws_json *j, const struct ws_profile *p, const char *name)
{
	char value[INFO_VALUE];

	ws_json_line(j, "profile");
	ws_json_text(j, "file", name);
	ws_json_u64(j, "seed", p->seed);
	ws_json_text(j, "order", ws_order_names[p->order]);
	sms_json(j, p);
	ws_json_f64(j, "sample_rate", p->sample_rate);
	ws_json_u64(j, "sample_lines", p->sample_lines);
	ws_json_u64(j, "kernels", p->sections);
	ws_json_open(j, "machine", '{');
	for (const struct ws_key *key = ws_keys; key->name; key++) {
		ws_machine_get(&p->machine, key, value, sizeof value);
		ws_json_text(j, key->name, value);
	}
	ws_json_close(j, '}');
	ws_json_line_end(j);
	for (size_t s = 0; s < p->sections; s++)
		section_json(j, &p->section[s]);
}
