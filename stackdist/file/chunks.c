/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * stackdist/file/chunks.c -- distances of chunks and sectors in a profile file, and what must
 * hold of them.
 */
#include "stackdist/file/file.h"

/* ---- distances -------------------------------------------------------------------- */

/* A set count of lines of 128 B that the profile has; ascending; in all sections the same. */
static bool sets_hold(const struct ws_codec *c, const struct ws_section *s, size_t i)
{
	const struct ws_section *first = c->profile->section;
	const struct ws_chunked *at = s->chunked + i;

	return ws_section_geometry(s, WS_GRAIN_LINE, at->sets) &&
	       (i == 0 || at->sets > at[-1].sets) &&
	       (s == first || at->sets == first->chunked[i].sets);
}

/* The requests are those of the lines, and what is not finite does not depend on the sets. */
static void check_form(struct ws_codec *c, const struct ws_section *s, size_t i, unsigned form)
{
	const struct ws_chunked *at = s->chunked + i;
	const struct ws_geometry *g = ws_section_geometry(s, WS_GRAIN_LINE, at->sets);
	const struct ws_cache *l1 = &c->profile->machine.l1;
	bool there = form != WS_FORM_SECTORS || l1->sector_bytes >= l1->line_bytes;

	for (unsigned kind = 0; kind < WS_KINDS; kind++) {
		const struct ws_histogram *h = at->kind[form] + kind;
		const struct ws_histogram *other = i ? at[-1].kind[form] + kind : h;

		ws_codec_want(c, h->requests == (there ? g->kind[kind].requests : 0),
			      "the requests of chunks are not those of lines");
		ws_codec_want(c, h->cold == other->cold && h->uncached == other->uncached,
			      "what is cold in chunks depends on the number of sets");
		ws_codec_want(c, form == WS_FORM_SECTORS || h->len <= WS_CHUNK_LINES + 1,
			      "chunks at a distance of more lines than are told apart");
	}
}

static void code_chunked(struct ws_codec *c, struct ws_section *s, size_t i)
{
	struct ws_chunked *at = s->chunked + i;

	ws_code_any(c, &at->sets, "sets of chunks");
	if (ws_codec_got(c))
		ws_codec_want(c, sets_hold(c, s, i), "chunks at a set count that does not suit");
	for (unsigned j = 0; j < WS_FORMS * WS_KINDS; j++)
		ws_code_histogram(c, at->kind[j / WS_KINDS] + j % WS_KINDS, 0);
	for (unsigned form = 0; form < WS_FORMS && ws_codec_got(c); form++)
		check_form(c, s, i, form);
}

/* ---- windows ------------------------------------------------------------------------ */

/* All windows of a run but its last are whole. */
static void check_runs(struct ws_codec *c, const struct ws_grain_runs *g)
{
	size_t window = 0;

	for (size_t i = 0; i < g->runs && ws_codec_got(c); i++)
		for (uint32_t w = 0; w < g->run[i]; w++, window++) {
			uint64_t sum = 0;

			for (unsigned j = 0; j < WS_GRAINS; j++)
				sum += g->size[window][j];
			ws_codec_want(c, sum && sum <= g->period &&
				      (w + 1 == g->run[i] || sum == g->period),
				      "a window of too few requests, or of too many");
		}
}

static void code_runs(struct ws_codec *c, struct ws_grain_runs *g)
{
	size_t windows = 0;

	ws_code_array(c, &g->run, &g->runs, sizeof *g->run, 1, "runs of windows");
	for (size_t i = 0; i < g->runs; i++) {
		ws_code_u32(c, g->run + i, 1, (uint32_t)(c->raw.len - windows),
			    "windows of a run");
		windows += g->run[i];
	}
	ws_codec_array(c, &g->size, &g->windows, windows, sizeof *g->size);
	for (size_t i = 0; i < g->windows * WS_GRAINS; i++)
		ws_code_u32(c, &g->size[i / WS_GRAINS][i % WS_GRAINS], 0, UINT32_MAX,
			    "requests of a window");
	check_runs(c, g);
}

/* Does the cell say what words of such a block can do? */
static bool cell_holds(uint64_t at, unsigned grain, uint32_t w)
{
	unsigned block = (unsigned)(at % WS_GRAINS), bin = (unsigned)(at / WS_GRAINS % WS_BINS);
	unsigned lines = (unsigned)(at / (WS_GRAINS * WS_BINS) % WS_GRAIN_LINES);

	if (lines >= WS_CHUNK_LINES)
		return block == 0 && bin == 0;
	return block >= grain && ws_bin_first(bin) <= w;
}

/* How many cells there are in each window.  Getting: memory for them. */
static size_t code_firsts(struct ws_codec *c, size_t windows, struct ws_grain_cells *cells)
{
	size_t total = 0;

	ws_codec_alloc(c, &cells->first, windows + 1, sizeof *cells->first);
	for (size_t w = 0; w < windows && !c->status; w++) {
		uint64_t n = c->putting ? cells->first[w + 1] - total : 0;

		ws_code(c, &n, 0, c->raw.len - total, "cells of a window");
		total += (size_t)n;
		if (!c->putting)
			cells->first[w + 1] = total;
	}
	ws_codec_alloc(c, &cells->at, total, sizeof *cells->at);
	ws_codec_alloc(c, &cells->count, total, sizeof *cells->count);
	return c->status == WS_OK ? total : 0;
}

/* Of window w of a run: its cells from `first` to `end`. */
static void code_places(struct ws_codec *c, struct ws_grain_cells *cells, size_t first, size_t end,
			unsigned grain, uint32_t w)
{
	uint64_t next = 0;

	for (size_t i = first; i < end; i++) {
		uint64_t at = cells->at[i];

		ws_code_index(c, &at, &next, WS_GRAIN_CELLS, "cells of a window");
		if (c->putting)
			continue;
		ws_codec_want(c, cell_holds(at, grain, w), "a window has a cell that cannot be");
		cells->at[i] = (uint16_t)at;
	}
}

static void code_cells(struct ws_codec *c, const struct ws_grain_runs *g,
		       struct ws_grain_cells *cells, unsigned grain)
{
	size_t total = code_firsts(c, g->windows, cells), window = 0;

	for (size_t run = 0; run < g->runs && !c->status; run++)
		for (uint32_t w = 0; w < g->run[run]; w++, window++)
			code_places(c, cells, cells->first[window], cells->first[window + 1], grain,
				    w);
	for (size_t i = 0; i < total; i++)
		ws_code_u32(c, cells->count + i, 1, UINT32_MAX, "count of a window's cell");
}

/* The cells of a window are its requests, and those of all windows the histograms. */
static const char *check_cells(const struct ws_grain_runs *g, const struct ws_grain_cells *c,
			       const struct ws_histogram *kind)
{
	uint64_t sum[2][WS_GRAIN_LINES] = { { 0 } };

	for (size_t w = 0; w < g->windows; w++) {
		uint64_t left = (uint64_t)g->size[w][0] + g->size[w][1] + g->size[w][2];

		for (size_t i = c->first[w]; i < c->first[w + 1]; i++) {
			unsigned at = c->at[i] / (WS_GRAINS * WS_BINS);

			if (c->count[i] > left)
				return "a window's cells are more than its requests";
			left -= c->count[i];
			sum[at / WS_GRAIN_LINES][at % WS_GRAIN_LINES] += c->count[i];
		}
		if (left)
			return "a window's cells are less than its requests";
	}
	for (unsigned k = 0; k < 2; k++) {
		if (sum[k][WS_GRAIN_COLD] != kind[k].cold ||
		    sum[k][WS_GRAIN_UNCACHED] != kind[k].uncached)
			return "what is cold in windows is not what is cold";
		for (size_t d = 0; d <= WS_CHUNK_LINES; d++)
			if (sum[k][d] != (d < kind[k].len ? kind[k].distance[d] : 0))
				return "the windows do not add up";
	}
	return NULL;
}

static void code_windows(struct ws_codec *c, struct ws_section *s)
{
	struct ws_grain_runs *g = &s->grains;

	ws_code_any(c, &g->period, "requests of a window");
	ws_codec_want(c, g->period == c->profile->section->grains.period,
		      "windows of another length than those of another kernel");
	if (g->period)
		code_runs(c, g);
	for (size_t i = 0; g->period && i < s->chunkeds * WS_GRAINS && !c->status; i++) {
		struct ws_chunked *at = s->chunked + i / WS_GRAINS;
		unsigned grain = (unsigned)(i % WS_GRAINS);

		code_cells(c, g, at->window + grain, grain);
		if (ws_codec_got(c))
			ws_codec_check(c, check_cells(g, at->window + grain, at->kind[grain]));
	}
}

void ws_code_chunks(struct ws_codec *c, struct ws_section *s)
{
	const struct ws_section *first = c->profile->section;
	bool any = ws_codec_next_is(c, WS_PCHK, WS_PROFILE_VERSION_CHUNKS, s->chunkeds > 0);
	uint64_t count = s->chunkeds;

	ws_codec_want(c, s == first || any == (first->chunkeds > 0),
		      "some kernels have chunks that others have not");
	if (!any)
		return;
	ws_codec_want(c, !ws_profile_sampled(c->profile), "chunks of a sample");
	ws_codec_open(c, WS_PCHK);
	ws_code(c, &count, 1, s->geometries, "set counts of chunks");
	ws_codec_want(c, s == first || count == first->chunkeds,
		      "the number of set counts of chunks depends on the kernel");
	ws_codec_array(c, &s->chunked, &s->chunkeds, count, sizeof *s->chunked);
	for (size_t i = 0; i < s->chunkeds && !c->status; i++)
		code_chunked(c, s, i);
	code_windows(c, s);
	ws_codec_close(c);
}
