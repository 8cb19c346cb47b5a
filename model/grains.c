/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * model/grains.c -- DyCache, replayed window by window (stackdist.h) for any threshold, period and
 * number of ways.
 *
 * Window w of a run has the grain g, which was chosen at the start of window s.  The grain before
 * it was h.  The cache was last empty at the start of window r.  n(g, u) is the number of requests
 * of window w, at grain g, whose words were last used in window u and are found within W lines.
 * Then
 *
 *   hits = sum over u = s .. w of n(g, u) + kept,
 *
 *   kept = 0                                          if g > h: the cache was emptied at s, r = s
 *        = max over x = h, g of sum over u = r .. s - 1 of n(x, u)
 *                                                     if g < h: the cache keeps what h held
 *        = sum over u = r .. s - 1 of n(h, u) of words fetched in blocks of g or more
 *                                                     if g > h and l1.grain.retain
 *
 * A smaller grain also finds words that a larger one fetched as neighbours and that no request
 * used before s.  Let v be the largest grain since r.  Let f be the fraction of the cache's lines
 * that v would have replaced from s to the middle of the window.  Some requests hit with v alone
 * and miss with g: sum over u = r .. w of n(v, u) - hits.  The fraction 1 - f of them is counted
 * as hits, but no more than the words that were fetched from r to s, or that the cache holds.
 *
 * At the end of a period, ws_grain_decide gets the misses and the requests by size of its windows.
 * A period that is no whole number of windows is rounded up.  A cell of several lags is divided
 * evenly among them.
 *
 * Not modelled: a flush under write-through removes the lines that stores touched, and so makes
 * room.  Requests that hit because of that room are counted as misses.
 */
#include "model/grains.h"

#include <math.h>

struct replay_state {
	const struct ws_section *s;
	const struct ws_chunked *c;
	const struct ws_cache *cache;
	struct ws_grain_control control;
	uint64_t since, floor;	/* s and r */
	unsigned grain, before;	/* g and h, log2 of words */
	int kept;		/* log2 of the words of the smallest block kept at s; -1: none */
	unsigned widest;	/* log2 of v */
	double replaced;	/* lines that v would have replaced since s */
	double fetched;		/* words, since r */
	double unused;		/* of those fetched before s: words that no request has used */
};

/* fraction[cell of lags]: the part of it that are lags from window w back to from .. to - 1. */
static void fractions(uint64_t w, uint64_t from, uint64_t to, double fraction[WS_BINS])
{
	uint64_t low = to > w ? 0 : w - to + 1, high = w - from; /* lags */

	for (unsigned i = 0; i < WS_BINS; i++) {
		uint64_t first = ws_bin_first(i), last = i + 1 < WS_BINS ? ws_bin_first(i + 1) - 1
									 : UINT32_MAX;
		uint64_t a = first > low ? first : low, b = last < high ? last : high;

		last = last < w ? last : w;
		fraction[i] = from < to && a <= b ? (double)(b - a + 1) / (double)(last - first + 1)
					       : 0;
	}
}

struct counted {		/* of a window at a grain */
	double hits[2], cold[2], uncached[2];
};

/* window: its number among those of all runs.  Blocks of fewer than 2^block words do not count. */
static struct counted count_blocks(const struct replay_state *t, unsigned grain, size_t window,
				   const double fraction[WS_BINS], unsigned block)
{
	const struct ws_grain_cells *c = t->c->window + grain;
	struct counted n = { { 0 }, { 0 }, { 0 } };

	for (size_t i = c->first[window]; i < c->first[window + 1]; i++) {
		unsigned at = c->at[i], of = at % WS_GRAINS, bin = at / WS_GRAINS % WS_BINS;
		unsigned lines = at / (WS_GRAINS * WS_BINS) % WS_GRAIN_LINES;
		unsigned kind = at / (WS_GRAINS * WS_BINS * WS_GRAIN_LINES);

		if (lines == WS_GRAIN_COLD)
			n.cold[kind] += (double)c->count[i];
		else if (lines == WS_GRAIN_UNCACHED)
			n.uncached[kind] += (double)c->count[i];
		else if (lines < t->cache->ways && lines < WS_CHUNK_LINES && of >= block)
			n.hits[kind] += (double)c->count[i] * fraction[bin];
	}
	return n;
}

/* Adds hits on what is left of the grain before. */
static void add_kept(const struct replay_state *t, size_t window, uint64_t w, struct counted *n)
{
	struct counted kept, own;
	double fraction[WS_BINS];

	if (t->kept < 0 || t->floor >= t->since)
		return;
	fractions(w, t->floor, t->since, fraction);
	kept = count_blocks(t, t->before, window, fraction, (unsigned)t->kept);
	own = count_blocks(t, t->grain, window, fraction, 0);
	for (unsigned kind = 0; kind < 2; kind++)
		n->hits[kind] += t->grain < t->before ? fmax(kept.hits[kind], own.hits[kind])
						      : kept.hits[kind];
}

/* The window's requests of the kind. */
static double requests_of(const struct replay_state *t, size_t window, unsigned kind)
{
	const struct ws_grain_cells *c = t->c->window + t->grain;
	double sum = 0;

	for (size_t i = c->first[window]; i < c->first[window + 1]; i++)
		if (c->at[i] / (WS_GRAINS * WS_BINS * WS_GRAIN_LINES) == kind)
			sum += (double)c->count[i];
	return sum;
}

static bool fills(const struct replay_state *t, unsigned kind)
{
	return kind == WS_LOAD || ws_store_allocates(t->cache->write);
}

static double lines_of(const struct replay_state *t)
{
	return (double)t->cache->sets * (double)t->cache->ways;
}

/* Adds hits on words that a larger grain fetched as neighbours of requested ones. */
static void add_neighbours(struct replay_state *t, size_t window, uint64_t w, struct counted *n)
{
	double fraction[WS_BINS], now = 0, there;
	struct counted wide;

	if (t->unused <= 0 || t->replaced >= lines_of(t))
		return;
	fractions(w, t->floor, w + 1, fraction);
	wide = count_blocks(t, t->widest, window, fraction, 0);
	for (unsigned kind = 0; kind < 2; kind++)
		if (fills(t, kind))
			now += fmax(0, requests_of(t, window, kind) - wide.hits[kind]);
	there = fmax(0, 1 - (t->replaced + now / 2) / lines_of(t));
	t->replaced += now;
	for (unsigned kind = 0; kind < 2; kind++) {
		double more = fmin((wide.hits[kind] - n->hits[kind]) * there, t->unused);

		n->hits[kind] += fmax(0, more);
		t->unused -= fmax(0, more);
	}
}

static void change(struct replay_state *t, uint64_t next)
{
	unsigned grain = ws_log2(t->control.grain);

	t->before = t->grain;
	t->kept = grain < t->grain ? 0 : t->cache->grain_retain ? (int)grain : -1;
	t->since = next;
	t->replaced = 0;
	t->unused = t->kept == 0
		    ? fmin(t->fetched, lines_of(t) * (WS_GRAIN_LINE / WS_SECTOR_BYTES)) : 0;
	if (t->kept < 0) {
		t->floor = next;
		t->fetched = 0;
		t->widest = grain;
	}
	t->grain = grain;
	t->widest = grain > t->widest ? grain : t->widest;
}

/* Replays a window; true: the grain changes at its end. */
static bool step_window(struct replay_state *t, size_t window, uint64_t w,
			struct ws_grain_replay *out)
{
	const uint32_t *size = t->s->grains.size[window];
	struct ws_grain_window sums = { 0 };
	double fraction[WS_BINS], misses = 0;
	struct counted n;

	fractions(w, t->since, w + 1, fraction);
	n = count_blocks(t, t->grain, window, fraction, 0);
	add_kept(t, window, w, &n);
	add_neighbours(t, window, w, &n);
	for (unsigned kind = 0; kind < 2; kind++) {
		double all = requests_of(t, window, kind);
		double hits = fmin(n.hits[kind], all), missed = all - hits;
		double uncached = fmin(n.uncached[kind], missed);
		double cold = fmin(n.cold[kind], missed - uncached);

		out->hits[kind] += hits;
		out->uncached[kind] += uncached;
		out->cold[kind] += cold;
		out->finite[kind][t->grain] += missed - uncached - cold;
		misses += missed;
		t->fetched += fills(t, kind) ? missed * (double)(1u << t->grain) : 0;
	}
	for (unsigned i = 0; i < WS_GRAINS; i++) {
		sums.size[i] = size[i];
		sums.requests += size[i];
	}
	sums.misses = (uint64_t)llround(misses);
	return ws_grain_take_all(&t->control, &sums);
}

void ws_grain_replay(const struct ws_section *s, const struct ws_chunked *c,
		     const struct ws_cache *cache, struct ws_grain_replay *out)
{
	size_t window = 0;

	*out = (struct ws_grain_replay){ .changes = 0 };
	for (size_t run = 0; run < s->grains.runs; run++) {
		struct replay_state t = { .s = s, .c = c, .cache = cache, .grain = 2, .before = 2,
				   .kept = -1, .widest = 2 };

		ws_grain_start(&t.control, cache);
		for (uint64_t w = 0; w < s->grains.run[run]; w++) {
			if (!step_window(&t, window++, w, out))
				continue;
			change(&t, w + 1);
			out->changes++;
		}
	}
}
