/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * stackdist/file/chunks.c -- distances of chunks and sectors in a profile file, and what must
 * hold of them.
 */
#include "stackdist/file/file.h"

#include <stdlib.h>

#include "stackdist/profile.h"

/* ---- writing -------------------------------------------------------------------- */

/* Gaps and counts stand apart, as in tables of few entries. */
static void put_cells(struct ws_buf *raw, const struct ws_grain_cells *c, size_t windows)
{
	for (size_t w = 0; w < windows; w++)
		ws_put_var(raw, c->first[w + 1] - c->first[w]);
	for (size_t w = 0; w < windows; w++)
		for (size_t i = c->first[w], next = 0; i < c->first[w + 1]; i++) {
			ws_put_var(raw, c->at[i] - next);
			next = c->at[i] + 1u;
		}
	for (size_t i = 0; windows && i < c->first[windows]; i++)
		ws_put_var(raw, c->count[i]);
}

static void put_windows(struct ws_buf *raw, const struct ws_section *s)
{
	const struct ws_grain_runs *g = &s->grains;

	ws_put_var(raw, g->period);
	if (!g->period)
		return;
	ws_put_var(raw, g->runs);
	for (size_t i = 0; i < g->runs; i++)
		ws_put_var(raw, g->run[i]);
	for (size_t i = 0; i < g->windows * WS_GRAINS; i++)
		ws_put_var(raw, g->size[i / WS_GRAINS][i % WS_GRAINS]);
	for (size_t i = 0; i < s->chunkeds * WS_GRAINS; i++)
		put_cells(raw, s->chunked[i / WS_GRAINS].window + i % WS_GRAINS, g->windows);
}

void ws_chunked_put(struct ws_buf *raw, const struct ws_section *s)
{
	ws_put_var(raw, s->chunkeds);
	for (size_t i = 0; i < s->chunkeds; i++) {
		ws_put_var(raw, s->chunked[i].sets);
		for (unsigned j = 0; j < WS_FORMS * WS_KINDS; j++)
			ws_histogram_put(raw, s->chunked[i].kind[j / WS_KINDS] + j % WS_KINDS,
					 false, false);
	}
	put_windows(raw, s);
}

/* ---- reading -------------------------------------------------------------------- */

/* A set count of lines of 128 B that the profile has; ascending; in all sections the same. */
static bool sets_hold(const struct ws_profile_reader *r, const struct ws_section *s, size_t i)
{
	const struct ws_section *first = r->profile->section;
	const struct ws_chunked *c = s->chunked + i;

	return ws_section_geometry(s, WS_GRAIN_LINE, c->sets) &&
	       (i == 0 || c->sets > c[-1].sets) &&
	       (s == first || c->sets == first->chunked[i].sets);
}

/* The requests are those of the lines, and what is not finite does not depend on the sets. */
static const char *check_form(const struct ws_profile *p, const struct ws_section *s, size_t i,
			      unsigned form)
{
	const struct ws_chunked *c = s->chunked + i;
	const struct ws_geometry *g = ws_section_geometry(s, WS_GRAIN_LINE, c->sets);
	const struct ws_cache *l1 = &p->machine.l1;
	bool there = form != WS_FORM_SECTORS || l1->sector_bytes >= l1->line_bytes;

	for (unsigned kind = 0; kind < WS_KINDS; kind++) {
		const struct ws_histogram *h = c->kind[form] + kind;
		const struct ws_histogram *other = i ? c[-1].kind[form] + kind : h;

		if (h->requests != (there ? g->kind[kind].requests : 0))
			return "the requests of chunks are not those of lines";
		if (h->cold != other->cold || h->uncached != other->uncached)
			return "what is cold in chunks depends on the number of sets";
		if (form != WS_FORM_SECTORS && h->len > WS_CHUNK_LINES + 1)
			return "chunks at a distance of more lines than are told apart";
	}
	return NULL;
}

/* All windows of a run but its last are whole. */
static const char *check_runs(const struct ws_grain_runs *g)
{
	size_t window = 0;

	for (size_t i = 0; i < g->runs; i++)
		for (uint32_t w = 0; w < g->run[i]; w++, window++) {
			uint64_t sum = 0;

			for (unsigned j = 0; j < WS_GRAINS; j++)
				sum += g->size[window][j];
			if (sum == 0 || sum > g->period || (w + 1 < g->run[i] && sum < g->period))
				return "a window of too few requests, or of too many";
		}
	return NULL;
}

static enum ws_status get_runs(struct ws_profile_reader *r, struct ws_grain_runs *g)
{
	uint64_t runs = ws_get_count(&r->c, 1), windows = 0;
	const char *wrong;
	enum ws_status status = ws_reader_alloc(r, &g->run, (size_t)runs + 1, sizeof(*g->run));

	for (size_t i = 0; i < runs && !status && !r->c.bad; i++) {
		uint64_t count = ws_get_var(&r->c);

		if (count == 0 || count > r->raw.len - windows)
			return ws_reader_bad(r, "a run of no windows, or of more than the block holds");
		windows += count;
		g->run[g->runs++] = (uint32_t)count;
	}
	if (!status)
		status = ws_reader_alloc(r, &g->size, (size_t)windows + 1, sizeof(*g->size));
	if (status)
		return status;
	g->windows = (size_t)windows;
	for (size_t i = 0; i < windows * WS_GRAINS; i++) {
		uint64_t n = ws_get_var(&r->c);

		r->c.bad = r->c.bad || n > UINT32_MAX;
		g->size[i / WS_GRAINS][i % WS_GRAINS] = (uint32_t)n;
	}
	wrong = r->c.bad ? "malformed windows" : check_runs(g);
	return wrong ? ws_reader_bad(r, wrong) : WS_OK;
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

static enum ws_status get_cells(struct ws_profile_reader *r, const struct ws_grain_runs *g,
				struct ws_grain_cells *c, unsigned grain)
{
	size_t cells = 0, window = 0;
	enum ws_status status = ws_reader_alloc(r, &c->first, g->windows + 1, sizeof(*c->first));

	for (size_t w = 0; w < g->windows && !status; w++) {
		uint64_t n = ws_get_var(&r->c);

		if (n > r->raw.len - cells)
			return ws_reader_bad(r, "more cells in windows than the block holds");
		c->first[w + 1] = cells += (size_t)n;
	}
	if (!status)
		status = ws_reader_alloc(r, &c->at, cells + 1, sizeof(*c->at));
	if (!status)
		status = ws_reader_alloc(r, &c->count, cells + 1, sizeof(*c->count));
	for (size_t run = 0; run < g->runs && !status; run++)
		for (uint32_t w = 0; w < g->run[run]; w++, window++) {
			uint64_t next = 0;

			for (size_t i = c->first[window]; i < c->first[window + 1]; i++) {
				uint64_t gap = ws_get_var(&r->c);

				if (r->c.bad || gap >= WS_GRAIN_CELLS - next ||
				    !cell_holds(next + gap, grain, w))
					return ws_reader_bad(r, "a window has a cell that cannot be");
				c->at[i] = (uint16_t)(next + gap);
				next += gap + 1;
			}
		}
	for (size_t i = 0; i < cells && !status; i++) {
		uint64_t n = ws_get_var(&r->c);

		if (r->c.bad || n == 0 || n > UINT32_MAX)
			return ws_reader_bad(r, "a window's counts are malformed");
		c->count[i] = (uint32_t)n;
	}
	return status;
}

/* The cells of a window are its requests, and those of all windows the histograms. */
static const char *check_cells(const struct ws_grain_runs *g, const struct ws_grain_cells *c,
			       const struct ws_histogram *kind, uint64_t (*sum)[WS_GRAIN_LINES])
{
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

static enum ws_status get_windows(struct ws_profile_reader *r, struct ws_section *s)
{
	struct ws_grain_runs *g = &s->grains;
	enum ws_status status = WS_OK;

	g->period = ws_get_var(&r->c);
	if (r->c.bad || g->period != r->profile->section->grains.period)
		return ws_reader_bad(r, "windows of another length than those of another kernel");
	if (g->period)
		status = get_runs(r, g);
	for (size_t i = 0; g->period && i < s->chunkeds * WS_GRAINS && !status; i++) {
		uint64_t sum[2][WS_GRAIN_LINES] = { { 0 } };
		struct ws_chunked *c = s->chunked + i / WS_GRAINS;
		unsigned grain = (unsigned)(i % WS_GRAINS);
		const char *wrong;

		status = get_cells(r, g, c->window + grain, grain);
		wrong = status ? NULL : check_cells(g, c->window + grain, c->kind[grain], sum);
		if (wrong)
			status = ws_reader_bad(r, wrong);
	}
	return status;
}

enum ws_status ws_chunked_get(struct ws_profile_reader *r, struct ws_section *s)
{
	uint64_t count = ws_get_var(&r->c);
	enum ws_status status;

	if (count == 0 || count > s->geometries ||
	    (s > r->profile->section && count != r->profile->section->chunkeds))
		return ws_reader_bad(r, "chunks at no set count, at more than there are, or at as many "
				     "as depend on the kernel");
	status = ws_reader_alloc(r, &s->chunked, (size_t)count, sizeof(*s->chunked));
	if (status)
		return status;
	for (s->chunkeds = 0; s->chunkeds < count && !status;) {
		struct ws_chunked *c = s->chunked + s->chunkeds++;

		c->sets = ws_get_var(&r->c);
		if (!sets_hold(r, s, s->chunkeds - 1))
			return ws_reader_bad(r, "chunks at a set count that does not suit");
		for (unsigned j = 0; j < WS_FORMS * WS_KINDS && !status; j++)
			status = ws_histogram_get(r, c->kind[j / WS_KINDS] + j % WS_KINDS, false,
						  false);
		for (unsigned j = 0; j < WS_FORMS && !status; j++) {
			const char *wrong = check_form(r->profile, s, s->chunkeds - 1, j);

			status = wrong ? ws_reader_bad(r, wrong) : WS_OK;
		}
	}
	return status ? status : get_windows(r, s);
}
