/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * stackdist/profile.c -- what a profile holds, and may hold.
 */
#include "stackdist/profile.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "stackdist/record/detail.h"
#include "stackdist/record/series.h"
#include "stackdist/sample/set_sample.h"

struct ws_cache ws_geometry_cache(const struct ws_machine *m, uint64_t line_bytes,
				  uint64_t sector_bytes, uint64_t sets)
{
	struct ws_cache cache = m->l1;

	cache.line_bytes = line_bytes;
	cache.sector_bytes = sector_bytes;
	cache.sets = sets;
	cache.size_bytes = sets * cache.ways * line_bytes;
	if (sets != m->l1.sets)
		cache.set_ways.runs = 0;
	return cache;
}

/* ---- life ------------------------------------------------------------------- */

void ws_histogram_clear(struct ws_histogram *h)
{
	free(h->distance);
	free(h->capacity);
	free(h->sector);
	free(h->variance);
	memset(h, 0, sizeof *h);
}

static void clear_geometry(struct ws_geometry *g)
{
	for (unsigned kind = 0; kind < WS_KINDS; kind++)
		ws_histogram_clear(g->kind + kind);
	ws_detail_free(g->detail);
	ws_set_sample_free(g->sample);
}

static void clear_chunked(struct ws_chunked *c)
{
	for (unsigned i = 0; i < WS_FORMS * WS_KINDS; i++)
		ws_histogram_clear(c->kind[i / WS_KINDS] + i % WS_KINDS);
	for (unsigned i = 0; i < WS_GRAINS; i++)
		ws_grain_cells_clear(c->window + i);
}

void ws_section_clear(struct ws_section *s)
{
	for (size_t i = 0; i < s->geometries; i++)
		clear_geometry(s->geometry + i);
	for (size_t i = 0; i < s->sites; i++) {
		ws_histogram_clear(&s->site[i].count);
		free(s->site[i].array);
		free(s->site[i].file);
	}
	for (size_t i = 0; i < s->chunkeds; i++)
		clear_chunked(s->chunked + i);
	ws_grain_runs_clear(&s->grains);
	free(s->chunked);
	free(s->geometry);
	free(s->site);
	free(s->kernel);
	memset(s, 0, sizeof *s);
}

void ws_profile_free(struct ws_profile *p)
{
	if (!p)
		return;
	for (size_t i = 0; i < p->sections; i++)
		ws_section_clear(p->section + i);
	for (size_t i = 0; i < p->behinds; i++)
		ws_profile_free(p->behind[i].l2);
	for (size_t i = 0; i < p->others; i++)
		ws_profile_free(p->other[i]);
	free(p->other);
	free(p->behind);
	free(p->section);
	free(p);
}

enum ws_status ws_section_machine(const struct ws_section *s, const struct ws_machine *m,
				  struct ws_machine *out, struct ws_err *err)
{
	return ws_machine_adapt(m, &s->demand, out, err);
}

/* Only samples of the profile's own caches have times. */
enum ws_status ws_profile_forget_times(struct ws_profile *p, struct ws_err *err)
{
	enum ws_status status = WS_OK;

	for (size_t i = 0; i < p->sections; i++)
		for (size_t k = 0; k < p->section[i].geometries && status == WS_OK; k++) {
			const struct ws_geometry *g = p->section[i].geometry + k;
			struct ws_cache cache = ws_geometry_cache(&p->machine, g->line_bytes,
								  g->sector_bytes, g->sets);

			if (g->sample)
				status = ws_set_sample_forget_times(g->sample, &cache, err);
		}
	return status;
}

/* ---- geometries --------------------------------------------------------------- */

static bool before(const struct ws_geometry *g, uint64_t line_bytes, uint64_t sets)
{
	return g->line_bytes != line_bytes ? g->line_bytes < line_bytes : g->sets < sets;
}

const struct ws_geometry *ws_section_geometry(const struct ws_section *s, uint64_t line_bytes,
					      uint64_t sets)
{
	size_t low = 0, high = s->geometries;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (before(s->geometry + mid, line_bytes, sets))
			low = mid + 1;
		else
			high = mid;
	}
	assert(low == s->geometries || !before(s->geometry + low, line_bytes, sets));
	assert(low == 0 || before(s->geometry + low - 1, line_bytes, sets));
	if (low == s->geometries || s->geometry[low].line_bytes != line_bytes ||
	    s->geometry[low].sets != sets)
		return NULL;
	return s->geometry + low;
}

uint64_t ws_shape_sector(const struct ws_machine *m, uint64_t line_bytes)
{
	uint64_t sector = m->l1.sector_bytes;

	return sector < m->l1.line_bytes && sector < line_bytes ? sector : line_bytes;
}

enum ws_status ws_profile_check_shape(const struct ws_machine *m, const struct ws_shape *shape,
				      struct ws_err *err)
{
	const struct ws_key *key = ws_key_find("l1.sets");
	struct ws_cache cache = m->l1;
	uint64_t sets = shape->sets;

	if (!ws_is_pow2(shape->line_bytes) || shape->line_bytes < WS_SECTOR_BYTES ||
	    shape->line_bytes > WS_LINE_MAX)
		return ws_fail(err, WS_EINVAL, "lines of %" PRIu64 " bytes: expected a power of "
			       "two from %u to %u", shape->line_bytes, WS_SECTOR_BYTES,
				       WS_LINE_MAX);
	if (cache.slices && shape->sets > 1) { /* those of a slice */
		if (shape->sets % cache.slices)
			return ws_fail(err, WS_EINVAL, "%" PRIu64 " sets in %" PRIu64 " slices: "
				       "expected as many in each", shape->sets, cache.slices);
		sets /= cache.slices;
	}
	if (sets < key->min || sets > key->max)
		return ws_fail(err, WS_EINVAL, "%" PRIu64 " sets: expected %" PRIu64 " to %" PRIu64,
			       sets, key->min, key->max);
	if (sets == 1 || !cache.hash->check)
		return WS_OK;
	cache.line_bytes = shape->line_bytes;
	cache.sector_bytes = ws_shape_sector(m, shape->line_bytes);
	cache.sets = sets;
	cache.size_bytes = cache.sets * cache.ways * cache.line_bytes;
	return cache.hash->check(&cache, err);
}

/* The default set counts at one line size that the machine may have. */
static size_t default_sets(const struct ws_machine *m, uint64_t line_bytes, struct ws_shape *to)
{
	uint64_t n = m->l1.sets * m->l1.line_bytes / line_bytes;
	const uint64_t wanted[] = { 1, n / 4, n / 2, n, 2 * n, 4 * n };
	size_t count = 0;

	for (size_t i = 0; i < WS_COUNT(wanted); i++) {
		struct ws_shape shape = { line_bytes, wanted[i] };

		if (!ws_profile_check_shape(m, &shape, NULL))
			to[count++] = shape;
	}
	return count;
}

enum ws_status ws_profile_shapes(const struct ws_machine *m, struct ws_shape **shape,
				 size_t *shapes, struct ws_err *err)
{
	const uint64_t lines[] = { m->l1.line_bytes, 32, 128 };

	*shapes = 0;
	*shape = ws_alloc(6 * WS_COUNT(lines), sizeof **shape);
	if (!*shape)
		return ws_fail_memory(err, "set counts");
	for (size_t i = 0; i < WS_COUNT(lines); i++)
		if (i == 0 || lines[i] != lines[0])
			*shapes += default_sets(m, lines[i], *shape + *shapes);
	return WS_OK;
}

#define PLAIN_MAX 32u /* set counts, each twice the one before */
#define PLAIN_WAYS 32u

enum ws_status ws_profile_plain(const struct ws_machine *m, struct ws_shape **shape,
				size_t *shapes, struct ws_err *err)
{
	const struct ws_cache *c = &m->l1;
	uint64_t lines = c->sets * c->ways, sets = c->sets;

	*shapes = 0;
	*shape = ws_alloc(PLAIN_MAX, sizeof **shape);
	if (!*shape)
		return ws_fail_memory(err, "set counts");
	while (sets % 2 == 0 && sets > lines / (4 * PLAIN_WAYS))
		sets /= 2;
	for (; sets <= 8 * lines && *shapes < PLAIN_MAX; sets *= 2) {
		struct ws_shape one = { c->line_bytes, sets };

		if (!ws_profile_check_shape(m, &one, NULL))
			(*shape)[(*shapes)++] = one;
	}
	return WS_OK;
}
