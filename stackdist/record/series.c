/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * stackdist/record/series.c -- requests by windows of time (series.h).
 *
 * Lists that grow have room for the next power of two of what they hold, so that none has to
 * say how much there is.
 */
#include "stackdist/record/series.h"

#include <stdlib.h>
#include <string.h>

static size_t room_for(size_t count)
{
	return ws_is_pow2(count) || !count ? count : (size_t)2 << ws_log2(count);
}

/* From `have` to `want` entries; NULL: out of memory, and *list is as it was. */
static void *lengthen(void *list, size_t have, size_t want, size_t size)
{
	if (list && room_for(want) <= room_for(have))
		return list;
	if (room_for(want) > SIZE_MAX / size)
		return NULL;
	return realloc(list, (room_for(want) ? room_for(want) : 1) * size);
}

/* ---- a window ------------------------------------------------------------------- */

bool ws_series_count(struct ws_series *s, unsigned kind, uint32_t lines, uint64_t lag,
		     unsigned words)
{
	unsigned bin = ws_bin(lag < UINT32_MAX ? (uint32_t)lag : UINT32_MAX);
	uint32_t at = (kind * WS_GRAIN_LINES + lines) * WS_BINS * WS_GRAINS;

	if (!s->count) {
		s->count = ws_alloc_zero(WS_GRAIN_CELLS, sizeof *s->count);
		s->used = ws_alloc(WS_GRAIN_CELLS, sizeof *s->used);
	}
	if (!s->count || !s->used)
		return false;
	if (lines < WS_CHUNK_LINES)
		at += bin * WS_GRAINS + ws_log2(words);
	if (s->count[at]++ == 0)
		s->used[s->cells++] = (uint16_t)at;
	return true;
}

static int by_cell(const void *a, const void *b)
{
	uint16_t x = *(const uint16_t *)a, y = *(const uint16_t *)b;

	return (x > y) - (x < y);
}

bool ws_series_end(struct ws_series *s)
{
	size_t first[2] = { 0, s->cells };
	struct ws_grain_cells one = { .first = first, .at = s->used };
	bool ok;

	one.count = ws_alloc(s->cells + 1, sizeof *one.count);
	if (!one.count)
		return false;
	if (s->cells)
		qsort(s->used, s->cells, sizeof *s->used, by_cell);
	for (size_t i = 0; i < s->cells; i++) {
		one.count[i] = s->count[s->used[i]];
		s->count[s->used[i]] = 0;
	}
	ok = ws_grain_cells_append(&s->ended, s->windows, &one, 1);
	free(one.count);
	s->cells = 0;
	s->windows += ok;
	return ok;
}

void ws_series_clear(struct ws_series *s)
{
	free(s->count);
	free(s->used);
	ws_grain_cells_clear(&s->ended);
	*s = (struct ws_series){ 0 };
}

/* ---- lists of windows ------------------------------------------------------------- */

bool ws_grain_cells_append(struct ws_grain_cells *to, size_t windows,
			   const struct ws_grain_cells *from, size_t count)
{
	size_t have = to->first ? to->first[windows] : 0, add = from->first ? from->first[count]
		      : 0;
	size_t *first = lengthen(to->first, to->first ? windows + 1 : 0, windows + count + 1,
				 sizeof *first);
	uint16_t *at;
	uint32_t *n;

	if (!first)
		return false;
	if (!to->first)
		first[0] = 0;
	to->first = first;
	at = lengthen(to->at, have, have + add, sizeof *at);
	to->at = at ? at : to->at;
	n = lengthen(to->count, have, have + add, sizeof *n);
	to->count = n ? n : to->count;
	if (!at || !n)
		return false;
	for (size_t i = 0; i < add; i++) {
		at[have + i] = from->at[i];
		n[have + i] = from->count[i];
	}
	for (size_t i = 0; i < count; i++)
		first[windows + i + 1] = have + from->first[i + 1];
	return true;
}

bool ws_grain_runs_append(struct ws_grain_runs *to, const struct ws_grain_runs *from)
{
	uint32_t *run = lengthen(to->run, to->runs, to->runs + from->runs, sizeof *run);
	uint32_t (*size)[WS_GRAINS];

	if (!run)
		return false;
	to->run = run;
	size = lengthen(to->size, to->windows, to->windows + from->windows, sizeof *size);
	if (!size)
		return false;
	to->size = size;
	for (size_t i = 0; i < from->runs; i++)
		to->run[to->runs++] = from->run[i];
	for (size_t i = 0; i < from->windows; i++)
		memcpy(to->size[to->windows++], from->size[i], sizeof *size);
	return true;
}

bool ws_grain_runs_add(struct ws_grain_runs *to, const uint32_t size[WS_GRAINS])
{
	uint32_t (*grown)[WS_GRAINS] = lengthen(to->size, to->windows, to->windows + 1,
						sizeof *grown);

	if (!grown)
		return false;
	to->size = grown;
	memcpy(to->size[to->windows++], size, sizeof *grown);
	return true;
}

void ws_grain_cells_clear(struct ws_grain_cells *c)
{
	free(c->first);
	free(c->at);
	free(c->count);
	*c = (struct ws_grain_cells){ 0 };
}

void ws_grain_runs_clear(struct ws_grain_runs *r)
{
	free(r->run);
	free(r->size);
	*r = (struct ws_grain_runs){ 0 };
}
