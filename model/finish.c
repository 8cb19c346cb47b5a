/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * model/finish.c -- from a policy's solution, a probability of a hit for each type of
 * reference, to counts.
 *
 * Requests, cold misses and uncached misses of a kind do not depend on the policy: they are those
 * of the kind's histogram.  The other requests are finite: their line was fetched before.  Their
 * hits:
 *
 *   In general: sum over the types of references, of references of the kind * hit of the type.
 *
 *   Stores that are no references (write-through), and stores whose type does not say where they
 *   find their line (EVICT): sum over their distances of hit of the type of the distance.  If no
 *   reference has that type, write-through takes LRU's hit, and EVICT what the policy's answer
 *   for EVICT leaves for such distances, between the hits of the neighbouring types.
 *
 *   Sectored: a sector is valid if its line was found at each reference since the last request for
 *   the sector.  A line that is found after m other lines is mostly found after fewer as well.  So
 *   the reference with the largest position m decides:
 *   hits = sum over the requests' distances m of hit of the type of m.  That is exact under LRU,
 *   whose hit is 1 below the ways and 0 from them on.
 *
 *   From a sample of sets (replay.h): sum over the requests' distances of the sample's hit ratio of
 *   the kind at the distance.
 *
 * LRU whose data arrives late (replay/late.c): the hits of LRU, which distances tell exactly, plus
 * a difference from the sample: the hit ratio at a distance with late data, less that with data at
 * once.
 *
 * Misses are split approximately as the simulator does.  A miss of LRU at this size that is a miss
 * here, too, is a capacity miss in the proportion that LRU has.  The others are lines that LRU
 * would have kept: conflict misses.
 *
 * An error in points is a fraction of all references, and only finite ones err.  Finite requests of
 * every kind are taken to err as often as finite references, also those that are no references.
 */
#include "model/answers.h"
#include "model/constants.h"

#include <math.h>

#define POINTS 100.0

static double tail(const uint64_t *count, size_t len, uint32_t from)
{
	double sum = 0;

	for (size_t i = from; i < len; i++)
		sum += (double)count[i];
	return sum;
}

static uint32_t first_lost(const struct ws_query *q)
{
	uint64_t ways = q->cache->ways;

	return ws_cell(ways < UINT32_MAX ? (uint32_t)ways : UINT32_MAX, WS_DISTANCE_BITS);
}

/* The nearest whole number, at most `most`.  A double cannot hold every number up to 2^64 - 1. */
static uint64_t rounded(double x, uint64_t most)
{
	if (!(x > 0))
		return 0;
	return x < (double)most ? (uint64_t)x + (x - floor(x) >= 0.5) : most;
}

struct finite {			/* of one kind */
	double requests, hits, kept; /* kept: hits that LRU has too */
};

/* Of references of the kind, in lines without sectors. */
static struct finite from_types(const struct ws_query *q, const struct ws_solution *s,
				unsigned kind)
{
	const uint64_t *n = q->geometry->detail->references[kind];
	const struct ws_histogram *h = q->geometry->kind + kind;
	struct finite f = { (double)(h->requests - h->cold - h->uncached), 0, 0 };

	for (unsigned type = 0; type < WS_TYPES; type++) {
		double kept = ws_type_lru(type, q->cache->ways);

		f.hits += (double)n[type] * s->hit[type];
		f.kept += (double)n[type] * s->hit[type] * kept;
	}
	return f;
}

/* References of the type, of all kinds. */
static double references(const struct ws_detail *d, unsigned type)
{
	double sum = 0;

	for (unsigned kind = 0; kind < WS_KINDS; kind++)
		sum += (double)d->references[kind][type];
	return sum;
}

/* hit[WS_BINS] of all positions. */
static void by_position(const struct ws_query *q, const struct ws_solution *s, double *hit)
{
	double count[WS_BINS], guess[WS_BINS], fraction[WS_BINS];

	for (unsigned i = 0; i < WS_BINS; i++) {
		count[i] = references(q->geometry->detail, i);
		guess[i] = ws_type_lru(i, q->cache->ways);
		hit[i] = s->hit[i];
	}
	if (references(q->geometry->detail, WS_TYPE_EVICT) > 0) {
		ws_positions_of_stores(q->geometry, fraction);
		ws_positions_left(count, fraction, s->hit[WS_TYPE_EVICT], hit, guess);
	}
	ws_positions_fill(count, guess, hit);
}

/* Of requests whose references do not say where they find their line, or not all that matters: with
 * sectors, the distance is the farthest position since the last request for these sectors. */
static struct finite from_distances(const struct ws_query *q, const struct ws_solution *s,
				    unsigned kind)
{
	const struct ws_histogram *h = q->geometry->kind + kind;
	uint32_t from = first_lost(q);
	struct finite f = { 0, 0, 0 };
	double found[WS_BINS];
	const double *at = s->replayed ? s->at[kind] : found;

	if (!s->replayed)
		by_position(q, s, found);
	for (uint32_t i = 0; i < h->len; i++) {
		double hit = at[ws_bin(ws_cell_first(i, WS_DISTANCE_BITS))];

		f.requests += (double)h->distance[i];
		f.hits += (double)h->distance[i] * hit;
		f.kept += i < from ? (double)h->distance[i] * hit : 0;
	}
	return f;
}

static bool sectored(const struct ws_query *q)
{
	return q->geometry->sector_bytes < q->geometry->line_bytes;
}

static bool positioned(const struct ws_query *q, unsigned kind)
{
	if (sectored(q))
		return false;
	for (unsigned type = 0; type < WS_TYPE_EVICT; type++)
		if (q->geometry->detail->references[kind][type])
			return true;
	return false;
}

static void count_kind(const struct ws_query *q, const struct ws_solution *s, unsigned kind,
		       struct ws_counts *c)
{
	const struct ws_histogram *h = q->geometry->kind + kind;
	uint32_t from = first_lost(q);
	bool by_types = !s->replayed && positioned(q, kind);
	struct finite f = by_types ? from_types(q, s, kind) : from_distances(q, s, kind);
	double lost = tail(h->distance, h->len, from), capacity = tail(h->capacity, h->len, from);
	double both = lost - (f.hits - f.kept); /* LRU misses that are misses here */
	uint64_t finite = h->requests - h->cold - h->uncached, misses;

	c->requests = h->requests;
	c->cold = h->cold;
	c->uncached = h->uncached;
	c->hits = rounded(f.hits, finite);
	misses = finite - c->hits;
	c->capacity = rounded(lost > 0 ? both * (capacity / lost) : 0, misses);
	c->conflict = misses - c->capacity;
	c->misses = c->cold + c->uncached + misses;
}

/* A line that a store threw out before its data came is valid all the same. */
static void find_beyond(double beyond, struct ws_counts *c)
{
	uint64_t found = rounded(beyond, c->uncached);

	c->uncached -= found;
	c->misses -= found;
	c->hits += found;
}

static double finite_fraction(const struct ws_counts *c)
{
	uint64_t finite = c->requests - c->cold - c->uncached;

	return c->requests ? (double)finite / (double)c->requests : 0;
}

/* Factor from percentage points of all references to points of the finite ones. */
static double finite_scale(const struct ws_detail *d)
{
	double all = 0, finite = 0;

	for (unsigned type = 0; type < WS_TYPES; type++) {
		double n = references(d, type);

		all += n;
		finite += type < WS_BINS || type == WS_TYPE_EVICT ? n : 0;
	}
	return finite > 0 ? all / finite : 0;
}

/* low and high become distances from the ratio. */
static void margins(const struct ws_query *q, const struct ws_solution *s,
		    struct ws_prediction *out)
{
	struct ws_counts all = { 0 };
	double scale = s->replayed ? 1 : finite_scale(q->geometry->detail);
	bool by_rule = sectored(q) && !s->lru && !s->replayed;
	double error = s->error_pp + (by_rule ? WS_FINISH_SECTOR_ERROR : 0);
	double half = by_rule ? WS_FINISH_SECTOR_HALF : 0;

	for (unsigned kind = 0; kind < WS_KINDS; kind++)
		ws_counts_add(&all, out->kind + kind);
	for (unsigned kind = 0; kind <= WS_KINDS; kind++) {
		double fraction = scale *
				  finite_fraction(kind < WS_KINDS ? out->kind + kind : &all);

		out->error_pp[kind] = fmin(POINTS, error * fraction);
		out->low[kind] = fmin(1, (s->below_pp + half) * fraction / POINTS);
		out->high[kind] = fmin(1, (s->above_pp + half) * fraction / POINTS);
	}
	out->low_confidence = s->low_confidence;
}

/* The kind's counts with `more` hits in addition. */
static void add_hits(const struct ws_histogram *h, double more, struct ws_counts *c)
{
	uint64_t before = c->capacity + c->conflict, finite = c->hits + before, misses;
	double left;

	c->hits = rounded((double)c->hits + more, finite);
	misses = finite - c->hits;
	left = before ? (double)misses / (double)before : 1;
	c->capacity = rounded((double)c->capacity * left, misses);
	c->conflict = misses - c->capacity;
	c->misses = c->cold + c->uncached + misses;
	if (c->sectors) {
		uint64_t always = h->sector_cold + h->sector_uncached;

		c->sectors_missed = always + rounded((double)(c->sectors_missed - always) * left,
						     c->sectors - always);
	}
}

void ws_finish_late(const struct ws_query *q, const struct ws_solution *late,
		    const struct ws_solution *once, struct ws_prediction *out)
{
	for (unsigned kind = 0; kind < WS_KINDS; kind++) {
		const struct ws_histogram *h = q->geometry->kind + kind;
		double more = 0;

		for (uint32_t i = 0; i < h->len; i++) {
			unsigned bin = ws_bin(ws_cell_first(i, WS_DISTANCE_BITS));

			more += (double)h->distance[i] * (late->at[kind][bin] -
							  once->at[kind][bin]);
		}
		add_hits(h, more, out->kind + kind);
		find_beyond(late->beyond[kind], out->kind + kind);
	}
	margins(q, late, out);
	out->basis = WS_APPROX;
}

enum ws_status ws_finish(const struct ws_query *q, const struct ws_solution *s,
			 struct ws_prediction *out, struct ws_err *err)
{
	enum ws_status status = WS_OK;

	if (s->lru)
		status = ws_plain_policy()->predict(q, out, err);
	for (unsigned kind = 0; kind < WS_KINDS && !s->lru; kind++) {
		count_kind(q, s, kind, out->kind + kind);
		find_beyond(s->beyond[kind], out->kind + kind);
	}
	if (status == WS_OK)
		margins(q, s, out);
	return status;
}
