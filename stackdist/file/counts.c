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

#include <string.h>

void ws_histogram_put(struct ws_buf *raw, const struct ws_histogram *h, bool sectored,
		      bool sampled)
{
	ws_put_var(raw, h->requests);
	ws_put_var(raw, h->cold);
	ws_put_var(raw, h->uncached);
	ws_sparse_put(raw, h->distance, h->len, WS_SPARSE_SMOOTH);
	ws_sparse_put(raw, h->capacity, h->len, WS_SPARSE_SMOOTH);
	if (sectored) {
		ws_put_var(raw, h->sectors);
		ws_put_var(raw, h->sector_cold);
		ws_put_var(raw, h->sector_uncached);
		ws_sparse_put(raw, h->sector, h->sector_len, WS_SPARSE_SMOOTH);
	}
	if (sampled) {
		ws_put_var(raw, h->variance != NULL);
		if (h->variance)
			ws_sparse_put(raw, h->variance, WS_BINS, WS_SPARSE_PLAIN);
	}
}

/* ---- reading ------------------------------------------------------------------- */

/* cold + uncached + the sum of count is all. */
static bool adds_up(uint64_t all, uint64_t cold, uint64_t uncached, const uint64_t *count,
		    size_t len)
{
	if (cold > all || uncached > all - cold)
		return false;
	all -= cold + uncached;
	for (size_t i = 0; i < len; i++) {
		if (count[i] > all)
			return false;
		all -= count[i];
	}
	return all == 0;
}

/* Of two of the same sum: no tail of `capacity` is heavier than the same one of `distance`. */
static bool lighter_tail(const uint64_t *capacity, const uint64_t *distance, size_t len)
{
	uint64_t c = 0, d = 0;

	for (size_t i = 0; i < len; i++) {
		c += capacity[i];
		d += distance[i];
		if (c < d)
			return false;
	}
	return true;
}

static enum ws_status get_distances(struct ws_profile_reader *r, struct ws_histogram *h)
{
	struct ws_sparse d = ws_sparse_find(&r->c, WS_DISTANCE_CELLS, WS_SPARSE_SMOOTH);
	struct ws_sparse c = ws_sparse_find(&r->c, WS_DISTANCE_CELLS, WS_SPARSE_SMOOTH);
	enum ws_status status;

	if (r->c.bad)
		return ws_reader_bad(r, "a histogram of distances is malformed");
	if (c.len > d.len)
		return ws_reader_bad(r, "capacity misses where there are no misses");
	if (d.len > 0) {
		status = ws_reader_alloc(r, &h->distance, d.len, sizeof(*h->distance));
		if (!status)
			status = ws_reader_alloc(r, &h->capacity, d.len, sizeof(*h->capacity));
		if (status)
			return status;
		h->len = d.len;
		ws_sparse_expand(d, h->distance);
		ws_sparse_expand(c, h->capacity);
	}
	if (!adds_up(h->requests, h->cold, h->uncached, h->distance, h->len) ||
	    !adds_up(h->requests, h->cold, h->uncached, h->capacity, h->len))
		return ws_reader_bad(r, "a histogram of distances does not add up");
	if (!lighter_tail(h->capacity, h->distance, h->len))
		return ws_reader_bad(r, "more capacity misses than misses");
	return WS_OK;
}

static enum ws_status get_sectors(struct ws_profile_reader *r, struct ws_histogram *h)
{
	struct ws_sparse s;
	enum ws_status status;

	h->sectors = ws_get_var(&r->c);
	h->sector_cold = ws_get_var(&r->c);
	h->sector_uncached = ws_get_var(&r->c);
	s = ws_sparse_find(&r->c, WS_DISTANCE_CELLS, WS_SPARSE_SMOOTH);
	if (r->c.bad)
		return ws_reader_bad(r, "a histogram of sectors is malformed");
	if (s.len > 0) {
		status = ws_reader_alloc(r, &h->sector, s.len, sizeof(*h->sector));
		if (status)
			return status;
		h->sector_len = s.len;
		ws_sparse_expand(s, h->sector);
	}
	return adds_up(h->sectors, h->sector_cold, h->sector_uncached, h->sector, h->sector_len)
		? WS_OK : ws_reader_bad(r, "a histogram of sectors does not add up");
}

static enum ws_status get_variance(struct ws_profile_reader *r, struct ws_histogram *h)
{
	uint64_t there = ws_get_var(&r->c);
	struct ws_sparse s;
	enum ws_status status;

	if (there > 1)
		return ws_reader_bad(r, "variances that are neither there nor not");
	if (!there)
		return WS_OK;
	s = ws_sparse_find(&r->c, WS_BINS, WS_SPARSE_PLAIN);
	if (r->c.bad)
		return ws_reader_bad(r, "a table of variances is malformed");
	status = ws_reader_alloc(r, &h->variance, WS_BINS, sizeof(*h->variance));
	if (!status)
		ws_sparse_expand(s, h->variance);
	return status;
}

enum ws_status ws_histogram_get(struct ws_profile_reader *r, struct ws_histogram *h,
				bool sectored, bool sampled)
{
	enum ws_status status;

	h->requests = ws_get_var(&r->c);
	h->cold = ws_get_var(&r->c);
	h->uncached = ws_get_var(&r->c);
	status = get_distances(r, h);
	if (!status && sectored)
		status = get_sectors(r, h);
	if (!status && sampled)
		status = get_variance(r, h);
	return status;
}

/* ---- what must hold of several ---------------------------------------------------- */

/* The cell of the last entry begins below the number of lines. */
static bool within(size_t len, uint64_t lines)
{
	return len == 0 || ws_cell_first((uint32_t)len - 1, WS_DISTANCE_BITS) < lines;
}

static bool same_counts(const struct ws_histogram *a, const struct ws_histogram *b)
{
	return a->requests == b->requests && a->cold == b->cold && a->uncached == b->uncached &&
	       a->sectors == b->sectors && a->sector_cold == b->sector_cold &&
	       a->sector_uncached == b->sector_uncached;
}

const char *ws_histograms_check(const struct ws_profile *p, const struct ws_section *s,
			    const struct ws_geometry *g)
{
	const struct ws_geometry *other = g > s->geometry ? g - 1 : NULL;
	uint64_t requests = 0, lines = 0;

	for (unsigned kind = 0; kind < WS_KINDS; kind++) {
		const struct ws_histogram *h = g->kind + kind;

		if (h->requests > UINT64_MAX - requests || h->sectors > UINT64_MAX / WS_KINDS)
			return "2^64 requests or more";
		requests += h->requests;
		lines += h->cold;
	}
	if (ws_profile_sampled(p))
		return NULL;
	if (other && other->line_bytes != g->line_bytes)
		other = NULL;
	for (unsigned kind = 0; kind < WS_KINDS; kind++) {
		const struct ws_histogram *h = g->kind + kind;

		if (!within(h->len, lines) || !within(h->sector_len, lines))
			return "a distance is larger than the number of lines";
		if (other && !same_counts(h, other->kind + kind))
			return "the number of requests depends on the number of sets";
	}
	return NULL;
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

const char *ws_sites_check(const struct ws_profile *p, const struct ws_section *s)
{
	struct ws_histogram sum[WS_KINDS] = { { 0 } };
	uint64_t requests = 0, lines = 0;
	size_t g = 0;

	for (size_t i = 0; i < s->sites; i++) {
		const struct ws_histogram *h = &s->site[i].count;

		if (h->requests > UINT64_MAX - requests)
			return "2^64 requests or more";
		requests += h->requests;
		lines += h->cold;
		sum[s->site[i].kind].requests += h->requests;
		sum[s->site[i].kind].cold += h->cold;
		sum[s->site[i].kind].uncached += h->uncached;
	}
	if (s->sites == 0 || ws_profile_sampled(p))
		return NULL;
	for (size_t i = 0; i < s->sites; i++)
		if (!within(s->site[i].count.len, lines))
			return "a site's distance is larger than the number of lines";
	while (g < s->geometries && !add_up_to(sum, s->geometry + g))
		g++;
	return g < s->geometries ? NULL : "the sites add up to no geometry's requests";
}
