/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * model/finish.c -- from a policy's solution, a probability of a hit for each type of
 * reference, to counts.
 *
 * Whatever the policy, requests, cold and uncached misses of a kind are those of its histogram;
 * what is left are requests that find or miss a line fetched before:
 *
 *   hits = sum over types of references of the kind * hit
 *
 *   write-through stores are no references: theirs are sum over their distances of hit of the
 *   type of that distance.
 *
 *   sectored: references find the line; that they find their sectors too is taken to be as
 *   likely as under LRU with as many ways: hits * (LRU hits of requests / LRU hits of lines).
 *
 * Misses are split as the simulator does, approximately: LRU's misses at this size that are
 * misses here too are capacity misses in the proportion they are under LRU; the rest,
 * lines that LRU would have kept, are conflict misses.
 *
 * An error in points is one of all requests; as all of it is among the finite ones, a
 * kind's is that times its share of finite requests over that of all.
 */
#include "model/answers.h"

#include <math.h>

#define POINTS 100.0

static double tail(const uint64_t *count, size_t len, uint32_t from)
{
	double sum = 0;

	for (size_t i = from; i < len; i++)
		sum += (double)count[i];
	return sum;
}

/* The share of the type's references that LRU of so many ways finds. */
static double lru_share(unsigned type, uint64_t ways)
{
	double first, past;

	if (type >= WS_BINS)
		return 0;
	first = ws_bin_first(type);
	past = type + 1 < WS_BINS ? ws_bin_first(type + 1) : 2 * first;
	return fmin(1, fmax(0, ((double)ways - first) / (past - first)));
}

struct finite {			/* of one kind */
	double requests, hits, kept; /* kept: hits that LRU has too */
};

/* References of the kind. */
static struct finite from_types(const struct ws_question *q, const struct ws_solution *s,
				unsigned kind)
{
	const uint64_t *n = q->geometry->detail->references[kind];
	const struct ws_histogram *h = q->geometry->kind + kind;
	uint32_t from = ws_cell((uint32_t)q->cache->ways, WS_DISTANCE_BITS);
	struct finite f = { (double)(h->requests - h->cold - h->uncached), 0, 0 };
	double lru_lines = 0, lru = f.requests - tail(h->distance, h->len, from);

	for (unsigned type = 0; type < WS_TYPES; type++) {
		f.hits += (double)n[type] * s->hit[type];
		f.kept += (double)n[type] * s->hit[type] * lru_share(type, q->cache->ways);
		lru_lines += (double)n[type] * lru_share(type, q->cache->ways);
	}
	if (q->geometry->sector_bytes < q->geometry->line_bytes && lru_lines > 0) {
		f.hits *= fmin(1, lru / lru_lines);
		f.kept *= fmin(1, lru / lru_lines);
	}
	return f;
}

/* Requests that are no references. */
static struct finite from_distances(const struct ws_question *q, const struct ws_solution *s,
				    unsigned kind)
{
	const struct ws_histogram *h = q->geometry->kind + kind;
	uint32_t from = ws_cell((uint32_t)q->cache->ways, WS_DISTANCE_BITS);
	struct finite f = { 0, 0, 0 };

	for (uint32_t i = 0; i < h->len; i++) {
		double hit = s->hit[ws_bin(ws_cell_first(i, WS_DISTANCE_BITS))];

		f.requests += (double)h->distance[i];
		f.hits += (double)h->distance[i] * hit;
		f.kept += i < from ? (double)h->distance[i] * hit : 0;
	}
	return f;
}

static bool referred(const struct ws_question *q, unsigned kind)
{
	for (unsigned type = 0; type < WS_TYPES; type++)
		if (q->geometry->detail->references[kind][type])
			return true;
	return false;
}

static void count(const struct ws_question *q, const struct ws_solution *s, unsigned kind,
		  struct ws_counts *c)
{
	const struct ws_histogram *h = q->geometry->kind + kind;
	uint32_t from = ws_cell((uint32_t)q->cache->ways, WS_DISTANCE_BITS);
	struct finite f = referred(q, kind) ? from_types(q, s, kind) : from_distances(q, s, kind);
	double lost = tail(h->distance, h->len, from), capacity = tail(h->capacity, h->len, from);
	double both = lost - (f.hits - f.kept); /* LRU misses that are misses here */
	uint64_t finite = h->requests - h->cold - h->uncached, misses;

	c->requests = h->requests;
	c->cold = h->cold;
	c->uncached = h->uncached;
	c->hits = (uint64_t)llround(fmin(fmax(f.hits, 0), (double)finite));
	if (c->hits > finite)
		c->hits = finite;
	misses = finite - c->hits;
	c->capacity = (uint64_t)llround(lost > 0 ? fmax(0, both) * capacity / lost : 0);
	if (c->capacity > misses)
		c->capacity = misses;
	c->conflict = misses - c->capacity;
	c->misses = c->cold + c->uncached + misses;
}

static double finite_share(const struct ws_counts *c)
{
	return c->requests ? (double)(c->requests - c->cold - c->uncached) / (double)c->requests : 0;
}

/* low and high are left as distances from the ratio.  Points of references become points
 * of requests, of which there are more. */
static void margins(const struct ws_question *q, const struct ws_solution *s,
		    struct ws_prediction *out)
{
	struct ws_counts all = { 0 };
	double references = 0, whole;

	for (unsigned kind = 0; kind < WS_KINDS; kind++) {
		ws_counts_add(&all, out->kind + kind);
		for (unsigned type = 0; type < WS_TYPES; type++)
			references += (double)q->geometry->detail->references[kind][type];
	}
	whole = all.requests ? fmin(1, references / (double)all.requests) : 0;
	for (unsigned kind = 0; kind <= WS_KINDS; kind++) {
		double scale = whole;

		if (kind < WS_KINDS)
			scale *= finite_share(&all) > 0
				? finite_share(out->kind + kind) / finite_share(&all) : 0;
		out->error_pp[kind] = fmin(POINTS, s->error_pp * scale);
		out->low[kind] = fmin(1, s->below_pp * scale / POINTS);
		out->high[kind] = fmin(1, s->above_pp * scale / POINTS);
	}
	out->unsure = s->unsure;
}

enum ws_status ws_finish(const struct ws_question *q, const struct ws_solution *s,
			 struct ws_prediction *out, struct ws_err *err)
{
	enum ws_status status = WS_OK;

	if (s->lru)
		status = ws_policy_lru.predict(q, out, err);
	for (unsigned kind = 0; kind < WS_KINDS && !s->lru; kind++)
		count(q, s, kind, out->kind + kind);
	if (!status)
		margins(q, s, out);
	return status;
}
