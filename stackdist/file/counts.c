/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * stackdist/file/counts.c -- histograms in a profile file, and what must hold of them.
 *
 * Of any: counts add up, and capacity misses are no more than misses at any number of ways.
 * Of those that are no estimates: a distance is less than the number of cold requests, which
 * brought in the lines that it counts, and what is not finite does not depend on the
 * number of sets.
 */
#include "stackdist/file/file.h"

/* The table adds up to the finite requests. */
static void want_sum(struct ws_codec *c, const uint64_t *count, size_t len, uint64_t finite,
		     const char *otherwise)
{
	size_t i = 0;

	if (!ws_codec_got(c))
		return;
	for (; i < len && count[i] <= finite; i++)
		finite -= count[i];
	ws_codec_want(c, i == len && finite == 0, otherwise);
}

/* Of two of the same sum: no tail of capacity is heavier than the same one of distance. */
static void want_lighter_tail(struct ws_codec *c, const struct ws_histogram *h)
{
	uint64_t capacity = 0, distance = 0;
	bool lighter = true;

	for (size_t i = 0; ws_codec_got(c) && i < h->len; i++) {
		capacity += h->capacity[i];
		distance += h->distance[i];
		lighter &= capacity >= distance;
	}
	ws_codec_want(c, lighter, "more capacity misses than misses");
}

/* All requests, and those of them that no number of ways makes hits. */
static uint64_t code_totals(struct ws_codec *c, uint64_t *all, uint64_t *cold, uint64_t *uncached,
			    const char *const what[3])
{
	ws_code_any(c, all, what[0]);
	ws_code(c, cold, 0, *all, what[1]);
	ws_code(c, uncached, 0, *all - *cold, what[2]);
	return *all - *cold - *uncached;
}

static void code_distances(struct ws_codec *c, struct ws_histogram *h)
{
	static const char *const what[] = { "requests", "cold", "uncached" };
	uint64_t finite = code_totals(c, &h->requests, &h->cold, &h->uncached, what);

	ws_code_growing(c, &h->distance, &h->len, WS_DISTANCE_CELLS, "distance");
	if (h->len)
		ws_codec_alloc(c, &h->capacity, h->len, sizeof *h->capacity);
	ws_code_table(c, h->capacity, h->len, WS_TABLE_SMOOTH, "capacity");
	want_sum(c, h->distance, h->len, finite, "a histogram of distances does not add up");
	want_sum(c, h->capacity, h->len, finite, "a histogram of distances does not add up");
	want_lighter_tail(c, h);
}

static void code_sectors(struct ws_codec *c, struct ws_histogram *h)
{
	static const char *const what[] = { "sectors", "sector_cold", "sector_uncached" };
	uint64_t finite = code_totals(c, &h->sectors, &h->sector_cold, &h->sector_uncached, what);

	ws_code_growing(c, &h->sector, &h->sector_len, WS_DISTANCE_CELLS, "sector");
	want_sum(c, h->sector, h->sector_len, finite, "a histogram of sectors does not add up");
}

static void code_variance(struct ws_codec *c, struct ws_histogram *h)
{
	uint64_t there = h->variance != NULL;

	ws_code(c, &there, 0, 1, "whether there are variances");
	if (!there)
		return;
	ws_codec_alloc(c, &h->variance, WS_BINS, sizeof *h->variance);
	ws_code_table(c, h->variance, WS_BINS, WS_TABLE_PLAIN, "variance");
}

void ws_code_histogram(struct ws_codec *c, struct ws_histogram *h, unsigned with)
{
	code_distances(c, h);
	if (with & WS_WITH_SECTORS)
		code_sectors(c, h);
	if (with & WS_WITH_VARIANCE)
		code_variance(c, h);
}

/* ---- what must hold of several ---------------------------------------------------- */

/* The cell of the last entry begins below the number of lines, unless others were there before. */
static bool within(const struct ws_codec *c, size_t len, uint64_t lines)
{
	return len == 0 || ws_profile_keeps(c->profile) ||
	       ws_cell_first((uint32_t)len - 1, WS_DISTANCE_BITS) < lines;
}

static bool same_counts(const struct ws_histogram *a, const struct ws_histogram *b)
{
	return a->requests == b->requests && a->cold == b->cold && a->uncached == b->uncached &&
	       a->sectors == b->sectors && a->sector_cold == b->sector_cold &&
	       a->sector_uncached == b->sector_uncached;
}

void ws_codec_check_histograms(struct ws_codec *c, const struct ws_section *s,
			       const struct ws_geometry *g)
{
	const struct ws_geometry *other = g > s->geometry ? g - 1 : g;
	uint64_t requests = 0, lines = 0;

	if (other->line_bytes != g->line_bytes)
		other = g;
	for (unsigned kind = 0; kind < WS_KINDS; kind++) {
		const struct ws_histogram *h = g->kind + kind;

		ws_codec_want(c, h->requests <= UINT64_MAX - requests &&
			      h->sectors <= UINT64_MAX / WS_KINDS, "2^64 requests or more");
		requests += h->requests;
		lines += h->cold;
	}
	for (unsigned kind = 0; kind < WS_KINDS && !ws_profile_sampled(c->profile); kind++) {
		const struct ws_histogram *h = g->kind + kind;

		ws_codec_want(c, within(c, h->len, lines) && within(c, h->sector_len, lines),
			      "a distance is larger than the number of lines");
		ws_codec_want(c, same_counts(h, other->kind + kind),
			      "the number of requests depends on the number of sets");
	}
}

/* Do the sites of each kind add up to the requests of a geometry? */
static bool add_up_to(const struct ws_histogram *sum, const struct ws_geometry *g)
{
	for (unsigned kind = 0; kind < WS_KINDS; kind++)
		if (sum[kind].requests != g->kind[kind].requests ||
		    sum[kind].cold != g->kind[kind].cold ||
		    sum[kind].uncached != g->kind[kind].uncached)
			return false;
	return true;
}

void ws_codec_check_sites(struct ws_codec *c, const struct ws_section *s)
{
	struct ws_histogram sum[WS_KINDS] = { { 0 } };
	uint64_t requests = 0, lines = 0;
	size_t g = 0;

	for (size_t i = 0; i < s->sites; i++) {
		const struct ws_histogram *h = &s->site[i].count;
		struct ws_histogram *of_kind = sum + s->site[i].kind;

		ws_codec_want(c, h->requests <= UINT64_MAX - requests, "2^64 requests or more");
		requests += h->requests;
		lines += h->cold;
		of_kind->requests += h->requests;
		of_kind->cold += h->cold;
		of_kind->uncached += h->uncached;
	}
	if (s->sites == 0 || ws_profile_sampled(c->profile))
		return;
	for (size_t i = 0; i < s->sites; i++)
		ws_codec_want(c, within(c, s->site[i].count.len, lines),
			      "a site's distance is larger than the number of lines");
	while (g < s->geometries && !add_up_to(sum, s->geometry + g))
		g++;
	ws_codec_want(c, g < s->geometries, "the sites add up to no geometry's requests");
}
