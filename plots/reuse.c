/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * plots/reuse.c -- the figure `reuse`: histogram of stack distances at the machine's set count.
 *
 * One bar per distance up to LINEAR, two per octave beyond, so that wide histograms stay readable;
 * the machine's ways are always the edge of a bar, so that hits lie left of the line exactly.
 * Where distances are counted in cells, a bar is whole cells: a half octave is eight of them.
 * Cold and uncached requests, which have no distance, stand apart on the right.
 * Counts are written as they are; the template makes percentages.
 */
#include "plots/script.h"

#include <inttypes.h>
#include <stdlib.h>

#define LINEAR 8u	/* beyond that, bars of half an octave ... */
#define SINGLE 24u	/* ... unless all distances up to here get by with one bar each */
#define BINS_MAX 160u	/* 8 + 2 * 32 octaves and the cut-off, with room */

struct bins {
	uint64_t edge[BINS_MAX + 1]; /* bar i: edge[i] <= distance < edge[i + 1]; of cells */
	size_t count;
};

/* The edge after `from`: next distance, or next half octave (8, 12, 16, 24 ...). */
static uint64_t next_edge(uint64_t from, uint64_t end)
{
	uint64_t octave;

	if (from < LINEAR || end <= SINGLE)
		return from + 1;
	octave = UINT64_C(1) << ws_log2(from);
	return from < octave + octave / 2 ? octave + octave / 2 : 2 * octave;
}

/* Bars for distances below end, with an edge at the cut-off. */
static void make_bins(struct bins *b, uint64_t end, uint64_t ways)
{
	uint64_t at = 0;

	b->count = 0;
	b->edge[0] = 0;
	while (at < end && b->count < BINS_MAX) {
		uint64_t next = next_edge(at, end);

		if (at < ways && ways < next)
			next = ways;
		at = next;
		b->edge[++b->count] = at;
	}
}

/* The cell of a distance; those past the longest there may be have none. */
static uint64_t cell(uint64_t distance)
{
	return distance <= WS_DISTANCE_MAX ? ws_cell((uint32_t)distance, WS_DISTANCE_BITS)
					   : UINT64_MAX;
}

static uint64_t sum(const struct ws_histogram *h, uint64_t from, uint64_t to)
{
	uint64_t total = 0;

	for (uint64_t c = cell(from), end = cell(to); c < end && c < h->len; c++)
		total += h->distance[c];
	return total;
}

/* More than the longest distance that occurs, and at least a bar past the cut-off. */
static uint64_t histogram_end(const struct ws_geometry *g, uint64_t ways)
{
	uint64_t end = ways < LINEAR ? LINEAR : 1;

	for (unsigned k = 0; k < WS_KINDS; k++) {
		size_t len = g->kind[k].len;

		while (len && g->kind[k].distance[len - 1] == 0)
			len--;
		if (ws_script_distances(len) > end)
			end = ws_script_distances(len);
	}
	return end;
}

/* Ends a bar's line; the tallest so far. */
static uint64_t put_counts(struct ws_buf *script, const uint64_t count[WS_KINDS], uint64_t tallest)
{
	for (unsigned k = 0; k < WS_KINDS; k++) {
		ws_put_printf(script, " %" PRIu64, count[k]);
		if (count[k] > tallest)
			tallest = count[k];
	}
	ws_put_printf(script, "\n");
	return tallest;
}

static void put_bars(struct ws_buf *script, const struct ws_geometry *g, const struct bins *b)
{
	uint64_t count[WS_KINDS], tallest = 0;

	ws_put_printf(script, "$bars << EOD\n");
	for (size_t i = 0; i < b->count; i++) {
		uint64_t from = b->edge[i], to = b->edge[i + 1];

		ws_put_printf(script, "%zu \"%" PRIu64, i, from);
		if (to > from + 1)
			ws_put_printf(script, "–%" PRIu64, to - 1);
		ws_put_printf(script, "\"");
		for (unsigned k = 0; k < WS_KINDS; k++)
			count[k] = sum(&g->kind[k], from, to);
		tallest = put_counts(script, count, tallest);
	}
	for (unsigned k = 0; k < WS_KINDS; k++)
		count[k] = g->kind[k].cold;
	ws_put_printf(script, "%zu \"cold\"", b->count + 1);
	tallest = put_counts(script, count, tallest);
	for (unsigned k = 0; k < WS_KINDS; k++)
		count[k] = g->kind[k].uncached;
	ws_put_printf(script, "%zu \"uncached\"", b->count + 2);
	tallest = put_counts(script, count, tallest);
	ws_put_printf(script, "EOD\n");
	ws_script_u64(script, "tallest", tallest);
}

static void put_sums(struct ws_buf *script, const struct ws_geometry *g, const struct bins *b,
		     uint64_t ways)
{
	uint64_t requests = 0, hits = 0;
	size_t cut = 0;

	for (unsigned k = 0; k < WS_KINDS; k++) {
		ws_put_printf(script, "%s_requests = %" PRIu64 "\n", ws_kind_names[k],
			      g->kind[k].requests);
		requests += g->kind[k].requests;
		hits += sum(&g->kind[k], 0, ways);
	}
	while (cut < b->count && b->edge[cut] < ways)
		cut++;
	ws_script_u64(script, "requests", requests);
	ws_script_u64(script, "hits", hits);
	ws_script_u64(script, "ways", ways);
	ws_script_u64(script, "sets", g->sets);
	ws_script_u64(script, "cut", cut);
	ws_script_u64(script, "bars", b->count);
}

static enum ws_status no_geometry(const struct ws_section *s, const struct ws_cache *cache,
				  struct ws_err *err)
{
	char known[400] = "";
	int len = 0;

	for (size_t i = 0; i < s->geometries && len >= 0 && (size_t)len < sizeof known; i++)
		if (s->geometry[i].line_bytes == cache->line_bytes)
			len += snprintf(known + len, sizeof known - (size_t)len, " %" PRIu64,
					s->geometry[i].sets);
	return ws_fail(err, WS_EINVAL, "l1.sets=%" PRIu64 ": of lines of %" PRIu64
		       " B the profile holds%s", cache->sets, cache->line_bytes,
		       known[0] ? known : " none");
}

static enum ws_status reuse_data(const struct ws_figure_input *in, struct ws_buf *script,
				 struct ws_err *err)
{
	const struct ws_machine *asked = in->machine ? in->machine : &in->profile->machine;
	struct ws_machine own = *asked;
	const struct ws_machine *m = &own;
	const struct ws_section *s;
	const struct ws_geometry *g;
	enum ws_status status;
	struct bins bins;
	size_t section;

	if (m->l1.set_ways.runs)
		return ws_fail(err, WS_EINVAL, "l1.sets.ways: reuse distances are drawn of sets of "
			       "equal ways: want equal");
	if (ws_organisation_of(&m->l1)->sub_sectors)
		return ws_fail(err, WS_EINVAL, "l1.organisation = %s: reuse distances are of "
			       "lines, want line or sector",
				       ws_organisation_of(&m->l1)->name);
	status = ws_script_section(in, &section, err);
	if (status != WS_OK)
		return status;
	s = &in->profile->section[section];
	status = ws_section_machine(s, asked, &own, err);
	if (status != WS_OK)
		return status;
	g = ws_section_geometry(s, m->l1.line_bytes, m->l1.sets);
	if (!g)
		return no_geometry(s, &m->l1, err);
	make_bins(&bins, histogram_end(g, m->l1.ways), m->l1.ways);
	ws_script_title(script, s->kernel, s->grid, s->block, m);
	put_sums(script, g, &bins, m->l1.ways);
	put_bars(script, g, &bins);
	return WS_OK;
}

const struct ws_figure ws_figure_reuse = {
	.name = "reuse",
	.summary = "histogram of per-set stack distances at the machine's set count, with the "
		   "cut-off between hits and misses",
	.data = reuse_data,
};
