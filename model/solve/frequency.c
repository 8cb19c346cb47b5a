/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * model/solve/frequency.c -- least frequently used without ageing: retained lines, and one way in
 * which all other lines replace each other.
 *
 * Let Y(c) be the number of lines in a full set whose count is at most c.  A miss evicts a line of
 * the smallest count and fetches one of count 0.  So it leaves Y(c) unchanged, or raises it from 0
 * to 1.  A hit of a line whose count is c lowers it by 1.  So Y(c) can only fall while it is above
 * 1, and ends at 0 or 1.  Eventually ways - 1 lines have been used, and stay while some line has a
 * smaller count.  All other lines share the one way that is left.
 *
 *   retained phi is the fraction of a type's references that are to retained lines, which hit.  The
 *            retained lines are assumed to be the first ways - 1 lines of each set that are used at
 *            a position below `ways` (ws_detail.retained).
 *   churn    any other line hits only if nothing missed in its window.  Since it holds the one way
 *            itself, all lines referenced there must be retained:
 *
 *     hit = phi + (1 - phi) alive prod over j of (1 - x_j)^c_j,   x_j = 1 - phi_j - repelled,
 *
 *            COLD: the fraction that evicts a line.  Position 0: hit = 1, nothing came between.
 *
 *   repelled exactly ways - 1 lines of a set are retained.  If this line is not, others are more
 *            likely to be (Hajek's correction, residency.h, with the opposite sign).
 *   alive    retained lines occupy their ways for good, even after their last use.  Then the
 *            retained lines and the lines in use are of different times, and a line that is not
 *            retained has neighbours that are not, either.  Of the ways - 1 retained lines, sum n t
 *            phi / N are in use at a time (Little's law).
 *
 * Nothing is iterated: since the line holds the one way itself, hits of other lines do not appear
 * on the right side.  If they did (the hit ratio in place of phi_j), there would be a second
 * solution with few misses, in which LFU never stays.
 *
 * Not modelled: retained lines are found by LRU's positions, though a line is retained only if it
 * is used before there are as many misses as ways are left; retained lines that are evicted by
 * lines used more often before the next miss; the time until ways - 1 lines are retained.
 * O(terms); a few microseconds.
 */
#include "model/solve/frequency.h"
#include "model/constants.h"

#include <math.h>

#define POINTS 100.0

/* The recorded numbers of ways to interpolate between, and the position between them. */
struct ways_between {
	unsigned below, above;
	double fraction;
};

static struct ways_between place_of_ways(uint64_t ways)
{
	struct ways_between p = { 0, 0, 0 };
	double first, last;

	while (p.above < WS_RETENTIONS - 1 && ws_retained_ways[p.above] < ways)
		p.above++;
	p.below = p.above ? p.above - 1 : 0;
	first = ws_retained_ways[p.below];
	last = ws_retained_ways[p.above];
	p.fraction = last > first ? fmin(1, ((double)ways - first) / (last - first)) : 1;
	return p;
}

/* The type's references to retained lines. */
static double retained_mass(const struct ws_detail *d, struct ways_between p, unsigned type)
{
	return (1 - p.fraction) * (double)d->retained[p.below][type] +
	       p.fraction * (double)d->retained[p.above][type];
}

void ws_retained_find(const struct ws_reuse *w, uint64_t ways, struct ws_retained *out)
{
	struct ways_between p = place_of_ways(ways);
	double in_use = 0;

	*out = (struct ws_retained){ .top = ((1 - p.fraction) * (double)w->detail->top[p.below] +
					   p.fraction * (double)w->detail->top[p.above]) /
					  w->references };
	for (size_t i = 0; i < w->types; i++) {
		const struct ws_reuse_row *r = w->row + i;
		double phi, live;

		if (r->sort != WS_ROW_FINITE)
			continue;
		phi = fmin(1, retained_mass(w->detail, p, r->type) / r->count);
		live = r->count * r->time / w->references;
		out->fraction[i] = phi;
		out->mass += phi * r->count / w->references;
		out->variance += live * phi * (1 - phi);
		in_use += live * phi;
	}
	out->alive = fmin(1, in_use / (double)(ways - 1));
}

/* The probability that no reference in row i's window evicts: all are to retained lines, or COLD
 * ones that find a free way. */
static double undisturbed(const struct ws_reuse *w, size_t i, const struct ws_retained *f,
			  const double *x)
{
	const struct ws_reuse_row *r = w->row + i;
	double log_p = 0;

	for (size_t k = 0; k < r->within.count; k++) {
		const struct ws_term *c = r->within.term + k;
		double phi = f->fraction[c->row];
		double repelled = phi * (1 - phi) * f->fraction[i] / fmax(f->variance, 1e-6);

		log_p += c->value * log1p(-fmin(0.999999, fmax(0, x[c->row] - repelled)));
	}
	return exp(log_p);
}

void ws_frequency_evictions(const struct ws_query *q, struct ws_solution *out)
{
	const struct ws_histogram *h = q->geometry->kind + WS_STORE;
	double all = 0, hits = 0;

	for (uint32_t i = 0; i < h->len; i++) {
		all += (double)h->distance[i];
		hits += (double)h->distance[i] *
			out->hit[ws_bin(ws_cell_first(i, WS_DISTANCE_BITS))];
	}
	out->hit[WS_TYPE_EVICT] = all > 0 ? hits / all : 0;
}

/* The expected error, from what is not modelled (paper/notes-frequency.md).  churn: hits of lines
 * that are not retained, without those at position 0; a fraction of all references. gap    how many
 * more references the most used lines have than the lines retained first; at most what LRU hits of
 * lines that are not retained, since a line must be used to get in dead   what LRU hits only in the
 * upper half of the ways, if that is nearly everything and retained lines are dead: other lines
 * will then soon be dead, too The error is larger for short launches. */
static void margins(const struct ws_query *q, const struct ws_retained *f, double churn,
		    struct ws_solution *out)
{
	const struct ws_reuse *w = q->windows;
	double all[WS_TYPES], half[WS_TYPES], missing, usable = 0, gap, dead;

	ws_reuse_lru(w, q->cache->ways, all);
	ws_reuse_lru(w, (q->cache->ways + 1) / 2, half);
	missing = ws_reuse_missing(w, all);
	for (size_t i = 0; i < w->types; i++)
		if (w->row[i].sort == WS_ROW_FINITE)
			usable += w->row[i].count * all[i] * (1 - f->fraction[i]) / w->references;
	gap = POINTS * fmin(usable, fmax(0, f->top - f->mass));
	dead = missing < WS_LFU_NEARLY_FITS
		? POINTS * (1 - f->alive) * (ws_reuse_missing(w, half) - missing) : 0;
	churn *= POINTS;
	out->error_pp = WS_LFU_LEAST + WS_LFU_GAP * gap + WS_LFU_CHURN * churn +
			WS_LFU_DEAD * dead +
			WS_LFU_BEGIN * fmax(0, 1 - w->references / (w->sets * WS_LFU_SHORT));
	out->below_pp = out->above_pp = WS_LFU_LEAST + WS_LFU_WIDE * out->error_pp;
	out->low_confidence = gap + WS_LFU_CHURN_COUNTS * churn > WS_LFU_LOW_CONFIDENCE ||
		      dead > WS_LFU_LOW_CONFIDENCE_DEAD;
}

enum ws_status ws_solve_lfu(const struct ws_query *q, struct ws_solution *out,
			    struct ws_err *err)
{
	const struct ws_reuse *w = q->windows;
	double hit[WS_TYPES] = { 0 }, x[WS_TYPES], churn = 0;
	struct ws_retained f;

	(void)err;
	ws_retained_find(w, q->cache->ways, &f);
	ws_reuse_weigh(w, f.fraction, ws_evicting(w->detail, q->cache->ways), x);
	for (size_t i = 0; i < w->types; i++) {
		double phi = f.fraction[i], more;

		if (w->row[i].sort != WS_ROW_FINITE)
			continue;
		if (w->row[i].type == 0) {
			hit[i] = 1;
			continue;
		}
		more = (1 - phi) * f.alive * undisturbed(w, i, &f, x);
		hit[i] = fmin(1, phi + more);
		churn += more * w->row[i].count / w->references;
	}
	ws_reuse_answer(w, hit, out->hit);
	ws_frequency_evictions(q, out);
	margins(q, &f, churn, out);
	return WS_OK;
}
