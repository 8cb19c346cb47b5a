/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cli/info_profile.c -- what is in a profile.
 */
#include "cli/info.h"

#define VALUE_TEXT (2 * WS_NAME_MAX)

/* ---- rows ---------------------------------------------------------------- */

static uint64_t finite(const struct ws_histogram *h)
{
	return h->requests - h->cold - h->uncached;
}

static void geometry_rows(struct info *i, const char *kernel, const struct ws_geometry *g)
{
	char item[128];

	for (size_t k = 0; k < WS_KINDS; k++) {
		const struct ws_histogram *h = &g->kind[k];

		if (h->requests == 0)
			continue;
		snprintf(item, sizeof item, "%.64s sets %llu %s", kernel,
			 (unsigned long long)g->sets, ws_kind_names[k]);
		info_number(i, item, "requests", h->requests);
		info_number(i, item, "cold", h->cold);
		info_number(i, item, "uncached", h->uncached);
		info_number(i, item, "finite", finite(h));
		if (h->len)
			info_number(i, item, "largest_distance", h->len - 1);
	}
}

static void section_rows(struct info *i, const struct ws_section *s)
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
	for (size_t g = 0; g < s->geometries; g++)
		geometry_rows(i, item, &s->geometry[g]);
}

void info_profile(struct info *i, const struct ws_profile *p, const char *name)
{
	char value[VALUE_TEXT];

	info_text(i, "profile", "file", "%s", name);
	info_number(i, "profile", "seed", p->seed);
	info_number(i, "profile", "kernels", p->sections);
	for (const struct ws_key *key = ws_keys; key->name; key++) {
		ws_machine_get(&p->machine, key, value, sizeof value);
		info_text(i, "machine", key->name, "%s", value);
	}
	for (size_t s = 0; s < p->sections; s++)
		section_rows(i, &p->section[s]);
}

/* ---- json ---------------------------------------------------------------- */

static void histogram_json(FILE *f, const struct ws_histogram *h)
{
	fputc('{', f);
	json_number(f, true, "requests", h->requests);
	json_number(f, false, "cold", h->cold);
	json_number(f, false, "uncached", h->uncached);
	json_numbers(f, false, "distance", h->distance, h->len);
	json_numbers(f, false, "capacity", h->capacity, h->len);
	fputc('}', f);
}

static void section_json(FILE *f, const struct ws_section *s)
{
	fputc('{', f);
	json_text(f, true, "kernel", s->kernel);
	json_numbers(f, false, "grid", s->grid, 3);
	json_numbers(f, false, "block", s->block, 3);
	json_number(f, false, "launches", s->launches);
	json_number(f, false, "ctas", s->ctas);
	json_number(f, false, "resident_ctas", s->resident_ctas);
	json_number(f, false, "warp_instructions", s->warp_instructions);
	json_number(f, false, "cycles", s->cycles);
	json_name(f, false, "geometry");
	fputc('[', f);
	for (size_t g = 0; g < s->geometries; g++) {
		fputs(g ? ",{" : "{", f);
		json_number(f, true, "sets", s->geometry[g].sets);
		for (size_t k = 0; k < WS_KINDS; k++) {
			json_name(f, false, ws_kind_names[k]);
			histogram_json(f, &s->geometry[g].kind[k]);
		}
		fputc('}', f);
	}
	fputs("]}\n", f);
}

void info_profile_json(FILE *f, const struct ws_profile *p, const char *name)
{
	char value[VALUE_TEXT];

	fputc('{', f);
	json_text(f, true, "type", "profile");
	json_text(f, false, "file", name);
	json_number(f, false, "seed", p->seed);
	json_number(f, false, "kernels", p->sections);
	json_name(f, false, "machine");
	fputc('{', f);
	for (const struct ws_key *key = ws_keys; key->name; key++) {
		ws_machine_get(&p->machine, key, value, sizeof value);
		json_text(f, key == ws_keys, key->name, value);
	}
	fputs("}}\n", f);
	for (size_t s = 0; s < p->sections; s++)
		section_json(f, &p->section[s]);
}
