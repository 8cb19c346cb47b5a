/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/ref/profile_same.c -- two profiles field by field (profile.h).  One `struct place` goes
 * down through them; the first difference stops it and is written where it is.
 */
#include "tests/ref/profile.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

struct place {
	char *text;
	size_t len;
	char path[256];		/* "a, 128 B x 4 sets, load" */
	bool same;
};

static void differ(struct place *p, const char *field, size_t i, uint64_t got, uint64_t want)
{
	if (p->same)
		snprintf(p->text, p->len, "%s: %s[%zu]: got %" PRId64 ", want %" PRId64, p->path,
			 field, i, (int64_t)got, (int64_t)want);
	p->same = false;
}

static void same(struct place *p, const char *field, uint64_t got, uint64_t want)
{
	if (got != want)
		differ(p, field, 0, got, want);
}

static void same_text(struct place *p, const char *field, const char *got, const char *want)
{
	if (p->same && strcmp(got, want)) {
		snprintf(p->text, p->len, "%s: %s: got \"%s\", want \"%s\"", p->path, field, got,
			 want);
		p->same = false;
	}
}

/* What an array does not have is 0. */
static void same_array(struct place *p, const char *field, const uint64_t *got, size_t got_len,
		       const uint64_t *want, size_t want_len)
{
	size_t len = got_len > want_len ? got_len : want_len;

	for (size_t i = 0; i < len && p->same; i++) {
		uint64_t x = i < got_len ? got[i] : 0, y = i < want_len ? want[i] : 0;

		if (x != y)
			differ(p, field, i, x, y);
	}
}

/* Both of the same length, as fields of structs are. */
#define SAME_FIELD(p, got, want, field)                                                         \
	same_array(p, #field, (const uint64_t *)(got)->field,                                   \
		   sizeof((got)->field) / sizeof(uint64_t), (const uint64_t *)(want)->field,    \
		   sizeof((want)->field) / sizeof(uint64_t))

static void same_histogram(struct place *p, const struct ws_histogram *got,
			   const struct ws_histogram *want)
{
	same(p, "requests", got->requests, want->requests);
	same(p, "cold", got->cold, want->cold);
	same(p, "uncached", got->uncached, want->uncached);
	same_array(p, "distance", got->distance, got->len, want->distance, want->len);
	same_array(p, "capacity", got->capacity, got->len, want->capacity, want->len);
	same(p, "sectors", got->sectors, want->sectors);
	same(p, "sector_cold", got->sector_cold, want->sector_cold);
	same(p, "sector_uncached", got->sector_uncached, want->sector_uncached);
	same_array(p, "sector", got->sector, got->sector_len, want->sector, want->sector_len);
	same(p, "variance is there", got->variance != NULL, want->variance != NULL);
}

static void same_flights(struct place *p, const struct ws_fill_reuses *got,
			 const struct ws_fill_reuses *want)
{
	for (size_t i = 0; i < got->count && i < want->count && p->same; i++) {
		const struct ws_fill_reuse *x = got->entry + i, *y = want->entry + i;

		if (x->cell != y->cell)
			differ(p, "flight cell of entry", i, x->cell, y->cell);
		if (x->ways != y->ways)
			differ(p, "flight ways of entry", i, x->ways, y->ways);
		if (x->change != y->change)
			differ(p, "flight change of entry", i, (uint64_t)x->change,
			       (uint64_t)y->change);
	}
	same(p, "flight count", got->count, want->count);
}

static void same_detail(struct place *p, const struct ws_detail *got, const struct ws_detail *want)
{
	SAME_FIELD(p, got, want, references);
	SAME_FIELD(p, got, want, time);
	SAME_FIELD(p, got, want, within);
	SAME_FIELD(p, got, want, previous);
	SAME_FIELD(p, got, want, end_count);
	SAME_FIELD(p, got, want, end_time);
	SAME_FIELD(p, got, want, end_within);
	SAME_FIELD(p, got, want, end_previous);
	SAME_FIELD(p, got, want, arrivals);
	SAME_FIELD(p, got, want, fill);
	SAME_FIELD(p, got, want, retained);
	SAME_FIELD(p, got, want, top);
	SAME_FIELD(p, got, want, reservation);
	for (unsigned kind = 0; kind < WS_KINDS; kind++)
		same_flights(p, &got->fill_reuse[kind], &want->fill_reuse[kind]);
}

static void same_geometry(struct place *p, const char *kernel, const struct ws_geometry *got,
			  const struct ws_geometry *want)
{
	static const char *const kinds[] = { "load", "store", "atomic" };

	snprintf(p->path, sizeof p->path, "%s, %" PRIu64 " B x %" PRIu64 " sets", kernel,
		 want->line_bytes, want->sets);
	same(p, "line_bytes", got->line_bytes, want->line_bytes);
	same(p, "sector_bytes", got->sector_bytes, want->sector_bytes);
	same(p, "sets", got->sets, want->sets);
	same(p, "detail is there", got->detail != NULL, want->detail != NULL);
	if (p->same && got->detail)
		same_detail(p, got->detail, want->detail);
	for (unsigned kind = 0; kind < WS_KINDS && p->same; kind++) {
		snprintf(p->path, sizeof p->path, "%s, %" PRIu64 " B x %" PRIu64 " sets, %s",
			 kernel, want->line_bytes, want->sets, kinds[kind]);
		same_histogram(p, got->kind + kind, want->kind + kind);
	}
}

static void same_site(struct place *p, const char *kernel, const struct ws_site *got,
		      const struct ws_site *want)
{
	snprintf(p->path, sizeof p->path, "%s, site \"%s\" %s:%u", kernel, want->array,
		 want->file, want->line);
	same_text(p, "array", got->array, want->array);
	same_text(p, "file", got->file, want->file);
	same(p, "line", got->line, want->line);
	same(p, "kind", got->kind, want->kind);
	same_histogram(p, &got->count, &want->count);
}

static void same_section(struct place *p, const struct ws_section *got,
			 const struct ws_section *want)
{
	snprintf(p->path, sizeof p->path, "%s", want->kernel);
	same_text(p, "kernel", got->kernel, want->kernel);
	SAME_FIELD(p, got, want, grid);
	SAME_FIELD(p, got, want, block);
	same(p, "launches", got->launches, want->launches);
	same(p, "ctas", got->ctas, want->ctas);
	same(p, "warp_instructions", got->warp_instructions, want->warp_instructions);
	same(p, "cycles", got->cycles, want->cycles);
	same(p, "issued", got->issued, want->issued);
	same(p, "waits", got->waits, want->waits);
	same(p, "resident_ctas", got->resident_ctas, want->resident_ctas);
	same(p, "geometries", got->geometries, want->geometries);
	for (size_t i = 0; p->same && i < want->geometries; i++)
		same_geometry(p, want->kernel, got->geometry + i, want->geometry + i);
	snprintf(p->path, sizeof p->path, "%s", want->kernel);
	same(p, "sites", got->sites, want->sites);
	for (size_t i = 0; p->same && i < want->sites; i++)
		same_site(p, want->kernel, got->site + i, want->site + i);
}

bool ref_profile_same(const struct ws_profile *got, const struct ws_profile *want, char *where,
		      size_t len)
{
	struct place p = { .text = where, .len = len, .path = "profile", .same = true };

	same(&p, "seed", got->seed, want->seed);
	same(&p, "order", got->order, want->order);
	SAME_FIELD(&p, got, want, sm);
	same(&p, "all lines", got->sample_rate >= 1, want->sample_rate >= 1);
	same(&p, "sample_lines", got->sample_lines, want->sample_lines);
	same(&p, "sections", got->sections, want->sections);
	for (size_t i = 0; p.same && i < want->sections; i++)
		same_section(&p, got->section + i, want->section + i);
	return p.same;
}
