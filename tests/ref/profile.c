/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/ref/profile.c -- profiles the slow way (profile.h): histograms, sites, sections.
 */
#include "tests/ref/profile.h"

#include <stdlib.h>
#include <string.h>

#include "tests/ref/detail.h"
#include "tests/ref/must.h"
#include "tests/ref/recut.h"

static char *copy(const char *text)
{
	return strcpy(must(strlen(text) + 1, 1), text);
}

static bool finite(uint32_t distance)
{
	return distance <= WS_DISTANCE_MAX;
}

/* ---- histograms ------------------------------------------------------------------- */

static void widen(uint64_t **array, size_t *len, size_t want)
{
	if (want <= *len)
		return;
	*array = more(*array, want, sizeof **array);
	memset(*array + *len, 0, (want - *len) * sizeof **array);
	*len = want;
}

static void count_request(struct ws_histogram *h, const struct ref_access *a, uint64_t sets)
{
	uint32_t d = ref_cell(a->distance, WS_DISTANCE_BITS, 4);
	uint32_t capacity = (uint32_t)(a->full / sets < a->distance ? a->full / sets : a->distance);
	size_t len = h->len;

	h->requests++;
	h->cold += a->distance == WS_DISTANCE_COLD;
	h->uncached += a->distance == WS_DISTANCE_UNCACHED;
	if (!finite(a->distance))
		return;
	widen(&h->capacity, &len, (size_t)d + 1);
	widen(&h->distance, &h->len, (size_t)d + 1);
	h->distance[d]++;
	h->capacity[ref_cell(capacity, WS_DISTANCE_BITS, 4)]++;
}

static void count_sectors(struct ws_histogram *h, const struct ref_access *a)
{
	for (unsigned s = 0; s < REF_SECTORS_MAX; s++) {
		uint32_t m = a->m[s], cell = ref_cell(m, WS_DISTANCE_BITS, 4);

		if (!(a->asked >> s & 1))
			continue;
		h->sectors++;
		h->sector_cold += m == WS_DISTANCE_COLD;
		h->sector_uncached += m == WS_DISTANCE_UNCACHED;
		if (!finite(m))
			continue;
		widen(&h->sector, &h->sector_len, (size_t)cell + 1);
		h->sector[cell]++;
	}
}

/* ---- one geometry ---------------------------------------------------------------------- */

static uint64_t sector_of(const struct ws_machine *m, uint64_t line)
{
	if (m->l1.sector_bytes == m->l1.line_bytes || m->l1.sector_bytes > line)
		return line;
	return m->l1.sector_bytes;
}

/* The requests of one SM in one launch as the geometry sees them; caller frees. */
static struct ref_access *places(const struct ws_machine *m, const struct ws_geometry *g,
				 const struct ws_request *r, size_t n, size_t *count)
{
	uint64_t from = m->l1.line_bytes;
	size_t pieces = from > g->line_bytes ? from / g->line_bytes : 1;
	struct ws_request *cut = must(n * pieces, sizeof *cut);
	struct ws_cache c = m->l1;
	struct ref_access *a, *full;

	*count = ref_recut(m->coalesce_line, from, g->line_bytes, r, n, cut);
	a = must(*count, sizeof *a);
	full = must(*count, sizeof *full);
	c.line_bytes = g->line_bytes;
	c.sector_bytes = g->sector_bytes;
	c.sets = g->sets;
	ref_listed(&c, cut, *count, a);
	c.sets = 1;
	ref_listed(&c, cut, *count, full);
	for (size_t i = 0; i < *count; i++) {
		a[i].full = full[i].distance;
		for (size_t j = i; j-- > 0 && a[i].before == SIZE_MAX;)
			if (a[j].r.address == a[i].r.address)
				a[i].before = j;
	}
	free(full);
	free(cut);
	return a;
}

static bool counts_sm(const struct ws_profile *p, uint64_t sm)
{
	return p->sm[sm / 64] >> sm % 64 & 1;
}

static bool is_of(const struct ws_section *s, const struct ref_launch *l)
{
	return !strcmp(s->kernel, l->launch->kernel);
}

static void count_geometry(const struct ws_profile *p, struct ws_section *s, struct ws_geometry *g,
			   const struct ref_launch *launch, size_t launches, unsigned record,
			   const uint32_t *retention)
{
	struct ref_counting c;

	if (record & WS_RECORD_DETAIL)
		g->detail = must(1, sizeof *g->detail);
	if (g->detail)
		ref_detail_begin(&c, g->detail, g->sets, retention);
	for (size_t l = 0; l < launches; l++)
		for (uint64_t sm = 0; sm < p->machine.sm_count; sm++) {
			struct ref_access *a;
			size_t n;

			if (!is_of(s, launch + l) || !counts_sm(p, sm))
				continue;
			a = places(&p->machine, g, launch[l].request[sm], launch[l].count[sm], &n);
			for (size_t i = 0; i < n; i++) {
				count_request(&g->kind[a[i].r.kind], a + i, g->sets);
				if (g->sector_bytes < g->line_bytes)
					count_sectors(&g->kind[a[i].r.kind], a + i);
			}
			if (g->detail)
				ref_detail_count(&c, a, n);
			free(a);
		}
	if (g->detail)
		ref_detail_end(&c);
}

/* ---- sites ---------------------------------------------------------------------------- */

static const char *array_of(const struct ws_launch *l, const struct ws_instruction *in,
			    uint64_t at)
{
	if (in->array != WS_NO_ARRAY)
		return l->array[in->array].name;
	for (size_t i = 0; i < l->arrays; i++)
		if (at >= l->array[i].base && at < l->array[i].base + l->array[i].bytes)
			return l->array[i].name;
	return "";
}

static uint64_t first_byte(const struct ws_request *r)
{
	uint64_t s = 0;

	while (!(r->sectors >> s & 1))
		s++;
	return r->address + s * WS_SECTOR_BYTES;
}

static int by_site(const void *a, const void *b)
{
	const struct ws_site *x = a, *y = b;
	int c = strcmp(x->array, y->array);

	c = c ? c : strcmp(x->file, y->file);
	if (c)
		return c;
	if (x->line != y->line)
		return x->line < y->line ? -1 : 1;
	return (int)x->kind - (int)y->kind;
}

static struct ws_site *site_of(struct ws_section *s, const struct ws_launch *l,
			       const struct ws_request *r)
{
	const struct ws_instruction *in = l->instruction + r->instruction;
	struct ws_site key = { .line = in->line, .kind = (enum ws_kind)r->kind };
	size_t i = 0;

	key.array = copy(array_of(l, in, first_byte(r)));
	key.file = copy(in->line ? l->file[in->file] : "");
	while (i < s->sites && by_site(s->site + i, &key))
		i++;
	if (i == s->sites) {
		s->site = more(s->site, ++s->sites, sizeof *s->site);
		s->site[i] = key;
		return s->site + i;
	}
	free(key.array);
	free(key.file);
	return s->site + i;
}

static void count_sites(const struct ws_profile *p, struct ws_section *s,
			const struct ref_launch *launch, size_t launches)
{
	struct ws_geometry own = { .line_bytes = p->machine.l1.line_bytes,
				   .sector_bytes = p->machine.l1.sector_bytes,
				   .sets = p->machine.l1.sets };

	for (size_t l = 0; l < launches; l++)
		for (uint64_t sm = 0; sm < p->machine.sm_count; sm++) {
			struct ref_access *a;
			size_t n;

			if (!is_of(s, launch + l) || !counts_sm(p, sm))
				continue;
			a = places(&p->machine, &own, launch[l].request[sm], launch[l].count[sm],
				   &n);
			for (size_t i = 0; i < n; i++)
				count_request(&site_of(s, launch[l].launch, &a[i].r)->count, a + i,
					      own.sets);
			free(a);
		}
	if (s->sites)
		qsort(s->site, s->sites, sizeof *s->site, by_site);
}

/* ---- the whole ------------------------------------------------------------------------- */

static struct ws_section *section_of(struct ws_profile *p, const struct ref_launch *l)
{
	struct ws_section *s = p->section;

	for (size_t i = 0; i < p->sections; i++)
		if (is_of(s + i, l))
			return s + i;
	p->section = more(s, ++p->sections, sizeof *s);
	s = p->section + p->sections - 1;
	memset(s, 0, sizeof *s);
	s->kernel = copy(l->launch->kernel);
	memcpy(s->grid, l->launch->grid, sizeof s->grid);
	memcpy(s->block, l->launch->block, sizeof s->block);
	s->resident_ctas = l->stats.resident_ctas;
	return s;
}

static void add_totals(struct ws_profile *p, const struct ref_launch *l)
{
	struct ws_section *s = section_of(p, l);

	s->launches++;
	s->ctas += l->launch->ctas;
	s->warp_instructions += l->stats.warp_instructions;
	s->cycles += l->stats.cycles;
	s->issued += l->stats.issued;
	s->waits += l->stats.waits;
}

static int by_line_sets(const void *a, const void *b)
{
	const struct ws_shape *x = a, *y = b;

	if (x->line_bytes != y->line_bytes)
		return x->line_bytes < y->line_bytes ? -1 : 1;
	return x->sets < y->sets ? -1 : x->sets > y->sets;
}

static void list_geometries(const struct ws_machine *m, const struct ws_profile_options *o,
			    struct ws_section *s)
{
	struct ws_shape *shape = must(o->shapes, sizeof *shape);

	memcpy(shape, o->shape, o->shapes * sizeof *shape);
	qsort(shape, o->shapes, sizeof *shape, by_line_sets);
	s->geometry = must(o->shapes, sizeof *s->geometry);
	for (size_t i = 0; i < o->shapes; i++) {
		if (i && !by_line_sets(shape + i - 1, shape + i))
			continue;
		s->geometry[s->geometries++] = (struct ws_geometry){
			.line_bytes = shape[i].line_bytes, .sets = shape[i].sets,
			.sector_bytes = sector_of(m, shape[i].line_bytes),
		};
	}
	free(shape);
}

static void choose_sms(struct ws_profile *p, const struct ws_profile_options *o)
{
	bool any = false;

	for (unsigned w = 0; w < WS_SM_WORDS; w++)
		any = any || o->sm[w];
	for (uint64_t sm = 0; sm < p->machine.sm_count; sm++)
		if (!any || o->sm[sm / 64] >> sm % 64 & 1)
			p->sm[sm / 64] |= (uint64_t)1 << sm % 64;
}

static bool has_own_shape(const struct ws_profile *p, const struct ws_section *s)
{
	for (size_t g = 0; g < s->geometries; g++)
		if (s->geometry[g].line_bytes == p->machine.l1.line_bytes &&
		    s->geometry[g].sets == p->machine.l1.sets)
			return true;
	return false;
}

struct ws_profile *ref_profile(const struct ws_machine *m,
			       const struct ws_profile_options *options, const uint32_t *retention,
			       const struct ref_launch *launch, size_t launches)
{
	struct ws_profile *p = must(1, sizeof *p);

	p->machine = *m;
	p->seed = options->seed;
	p->sample_rate = 1;
	choose_sms(p, options);
	for (size_t l = 0; l < launches; l++)
		add_totals(p, launch + l);
	for (size_t i = 0; i < p->sections; i++) {
		struct ws_section *s = p->section + i;

		list_geometries(m, options, s);
		for (size_t g = 0; g < s->geometries; g++)
			count_geometry(p, s, s->geometry + g, launch, launches, options->record,
				       retention);
		if (options->record & WS_RECORD_SITES && has_own_shape(p, s))
			count_sites(p, s, launch, launches);
	}
	return p;
}

static void histogram_free(struct ws_histogram *h)
{
	free(h->distance);
	free(h->capacity);
	free(h->sector);
}

static void detail_free(struct ws_detail *d)
{
	if (!d)
		return;
	for (unsigned kind = 0; kind < WS_KINDS; kind++)
		free(d->fill_reuse[kind].entry);
	free(d);
}

static void section_free(struct ws_section *s)
{
	for (size_t g = 0; g < s->geometries; g++) {
		for (unsigned kind = 0; kind < WS_KINDS; kind++)
			histogram_free(&s->geometry[g].kind[kind]);
		detail_free(s->geometry[g].detail);
	}
	for (size_t i = 0; i < s->sites; i++) {
		histogram_free(&s->site[i].count);
		free(s->site[i].array);
		free(s->site[i].file);
	}
	free(s->geometry);
	free(s->site);
	free(s->kernel);
}

void ref_profile_free(struct ws_profile *p)
{
	if (!p)
		return;
	for (size_t i = 0; i < p->sections; i++)
		section_free(p->section + i);
	free(p->section);
	free(p);
}
