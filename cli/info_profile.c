/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cli/info_profile.c -- a profile's contents as rows: how it was measured, and totals of each
 * kernel.  Whole tables are in its json (info_tables.c).
 */
#include "cli/info.h"

#include <inttypes.h>
#include <string.h>

const char *const info_forms[WS_FORMS] = { "chunks of 32", "chunks of 64", "chunks of 128",
					   "sectors" };

/* ---- how it was measured --------------------------------------------------- */

/* "0-6,9", as --sm takes them. */
static void sms_row(struct info *i, const struct ws_profile *p)
{
	struct ws_buf text = { 0 };
	uint64_t first, last;
	char range[48];

	for (uint64_t from = 0; info_sm_range(p, from, &first, &last); from = last + 1) {
		if (text.len)
			ws_put_u8(&text, ',');
		snprintf(range, sizeof range, "%" PRIu64 "-%" PRIu64, first, last);
		ws_put_bytes(&text, range, first == last ? strcspn(range, "-") : strlen(range));
	}
	ws_put_u8(&text, '\0');
	if (text.failed)
		ws_table_no_memory(i->report.table);
	else
		info_text(i, "profile", "sms", "%s", (const char *)text.data);
	ws_buf_clear(&text);
}

static void sample_rows(struct info *i, const struct ws_profile *p)
{
	if (p->sample_rate < 1)
		info_text(i, "profile", "sample_rate", "%.17g", p->sample_rate);
	if (p->sample_lines)
		info_number(i, "profile", "sample_lines", p->sample_lines);
}

/* ---- kernels ---------------------------------------------------------------- */

static void kind_rows(struct info *i, const char *item, const struct ws_histogram *h)
{
	info_number(i, item, "requests", h->requests);
	info_number(i, item, "cold", h->cold);
	info_number(i, item, "uncached", h->uncached);
	info_number(i, item, "finite", h->requests - h->cold - h->uncached);
	if (h->len)
		info_number(i, item, "largest_distance",
			    ws_cell_first((uint32_t)h->len - 1, WS_DISTANCE_BITS));
}

static void geometry_rows(struct info *i, const char *kernel, const struct ws_geometry *g)
{
	char item[160], kind[176];

	snprintf(item, sizeof item, "%.80s line %" PRIu64 " sets %" PRIu64, kernel, g->line_bytes,
		 g->sets);
	if (g->sector_bytes < g->line_bytes)
		info_number(i, item, "sector", g->sector_bytes);
	info_text(i, item, "detail", "%s", g->detail ? "yes" : "no");
	if (g->sample)
		info_text(i, item, "set sample", "1 in %llu of the sets, %" PRIu64 " requests",
			  1ull << g->sample->halvings, g->sample->requests);
	for (size_t k = 0; k < WS_KINDS; k++) {
		snprintf(kind, sizeof kind, "%s %s", item, ws_kind_names[k]);
		if (g->kind[k].requests)
			kind_rows(i, kind, &g->kind[k]);
	}
}

static void chunk_rows(struct info *i, const char *kernel, const struct ws_chunked *c)
{
	char item[224];

	for (unsigned form = 0; form < WS_FORMS; form++)
		for (unsigned kind = 0; kind < WS_KINDS; kind++) {
			if (!c->kind[form][kind].requests)
				continue;
			snprintf(item, sizeof item, "%.80s %s sets %" PRIu64 " %s", kernel,
				 info_forms[form], c->sets, ws_kind_names[kind]);
			kind_rows(i, item, &c->kind[form][kind]);
		}
}

static void site_rows(struct info *i, const char *kernel, const struct ws_site *s, uint64_t ways)
{
	const struct ws_histogram *h = &s->count;
	uint64_t misses = h->cold + h->uncached;
	char item[512], place[160] = "?";

	if (s->line)
		snprintf(place, sizeof place, "%.128s:%" PRIu32, s->file, s->line);
	for (size_t cell = ws_cell((uint32_t)ways, WS_DISTANCE_BITS); cell < h->len; cell++)
		misses += h->distance[cell];
	snprintf(item, sizeof item, "%.80s array %.128s at %s %s", kernel,
		 *s->array ? s->array : "?", place, ws_kind_names[s->kind]);
	info_number(i, item, "requests", h->requests);
	info_number(i, item, "misses", misses);
}

static void section_rows(struct info *i, const struct ws_section *s, uint64_t ways)
{
	char item[80];

	snprintf(item, sizeof item, "kernel %.64s", s->kernel);
	info_triple(i, item, "grid", s->grid);
	info_triple(i, item, "block", s->block);
	info_number(i, item, "launches", s->launches);
	info_number(i, item, "ctas", s->ctas);
	info_number(i, item, "resident_ctas", s->resident_ctas);
	info_number(i, item, "warp_instructions", s->warp_instructions);
	info_number(i, item, "cycles", s->cycles);
	info_number(i, item, "issued", s->issued);
	info_number(i, item, "waits", s->waits);
	for (size_t g = 0; g < s->geometries; g++)
		geometry_rows(i, item, &s->geometry[g]);
	if (s->grains.period) {
		info_number(i, item, "window_requests", s->grains.period);
		info_number(i, item, "windows", s->grains.windows);
	}
	for (size_t n = 0; n < s->chunkeds; n++)
		chunk_rows(i, item, &s->chunked[n]);
	for (size_t n = 0; n < s->sites; n++)
		site_rows(i, item, &s->site[n], ways);
}

/* "kernel mm L2 behind 32 x 4 x 128 line 128 sets 768": sets, ways and line of the L1s. */
static void behind_rows(struct info *i, const struct ws_next_level *b)
{
	char item[80];

	for (size_t s = 0; s < b->l2->sections; s++) {
		const struct ws_section *section = &b->l2->section[s];

		snprintf(item, sizeof item, "kernel %.24s L2 behind %" PRIu64 " x %" PRIu64 " x %"
			 PRIu64, section->kernel, b->l1.sets, b->l1.ways, b->l1.line_bytes);
		if (section->warm)
			info_number(i, item, "warm", section->warm);
		for (size_t g = 0; g < section->geometries; g++)
			geometry_rows(i, item, &section->geometry[g]);
	}
}

void info_profile(struct info *i, const struct ws_profile *p, const char *name)
{
	char value[INFO_VALUE];

	info_text(i, "profile", "file", "%s", name);
	info_number(i, "profile", "seed", p->seed);
	info_text(i, "profile", "order", "%s", ws_order_names[p->order]);
	sms_row(i, p);
	sample_rows(i, p);
	info_number(i, "profile", "kernels", p->sections);
	for (const struct ws_key *key = ws_keys; key->name; key++) {
		ws_machine_get(&p->machine, key, value, sizeof value);
		info_text(i, "machine", key->name, "%s", value);
	}
	for (size_t s = 0; s < p->sections; s++) {
		struct ws_machine own = p->machine;
		struct ws_err ignored = { 0 };

		/* What does not fit is not predicted; its misses are those of the largest L1. */
		if (ws_section_machine(&p->section[s], &p->machine, &own, &ignored) != WS_OK)
			own = p->machine;
		section_rows(i, &p->section[s], own.l1.ways);
	}
	for (size_t n = 0; n < p->behinds; n++)
		behind_rows(i, &p->behind[n]);
}

bool info_sm_range(const struct ws_profile *p, uint64_t from, uint64_t *first, uint64_t *last)
{
	const uint64_t all = 64 * WS_SM_WORDS;

	while (from < all && !(p->sm[from / 64] >> (from % 64) & 1))
		from++;
	*first = from;
	while (from < all && p->sm[from / 64] >> (from % 64) & 1)
		from++;
	*last = from - 1;
	return from > *first;
}
