/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * model/solve/frequency.c -- least frequently used without ageing: retained lines and one way
 * that churns.
 *
 * Let Y(c) be the number of lines of a full set whose count is at most c.  A miss throws
 * out a line of the smallest count and brings one of count 0, so it leaves Y(c) as it is, or
 * raises it from 0 to 1; a hit of a line whose count is c lowers it by 1.  So Y(c) only falls
 * while it is above 1, and ends at 0 or 1: sooner or later ways - 1 lines have been used and
 * stay as long as there is a smaller count, and whatever else comes meets in the one way that
 * is left.
 *
 *   retained phi = fraction of a type's references that are to retained lines, taken to be the
 *   first
 *            ways - 1 lines of each set that are used at a position below `ways`
 *            (ws_detail.retained).  These hit.
 *   churn    any other line hits only if nothing was missed in its window.  As it holds the
 *            one way itself, all lines referenced there must be retained:
 *
 *     hit = phi + (1 - phi) alive prod over j of (1 - x_j)^c_j,   x_j = 1 - phi_j - repelled,
 *
 *            COLD: the fraction that throws a line out; position 0: hit = 1, nothing came between.
 *
 *   repelled ways - 1 lines of a set are retained, neither more nor fewer: that this line is not
 *            makes it likelier that others are (Hajek's correction, residency.h, the other way
 *            about).
 *   alive    retained lines whose last use is over fill their ways for good.  Then what is retained
 *            and what is in use are of different times, and a line that is not retained has
 *            others about it that are not.  Of ways - 1 retained lines, sum n t phi / N are
 *            in use at a time (Little's law).
 *
 * Nothing is iterated: the condition "it holds the one way itself" is what leaves hits of other
 * lines out of the right side.  With them there (the hit ratio itself for phi_j) a second solution
 * of few misses appears, which LFU never stays in.
 *
 * Not modelled: what is retained is found by LRU's positions, though a line is retained only if it
 * is used before as many misses as there are ways left; retained lines thrown out by lines that are
 * used more often before the next miss; the time until ways - 1 lines are retained.
 * O(terms); a few microseconds.
 */
#include "model/solve/frequency.h"
#include "model/constants.h"

#include <math.h>

#define POINTS 100.0

/* Between which ways of those recorded, and how far up. */
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

/* References of the type to retained lines. */
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

/* That all references in row i's window are to retained lines, or throw nothing out. */
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

/* What it errs by, from what is not modelled (paper/notes-frequency.md).  churn: hits of lines that
 * are not retained, but those at position 0; of all references.
 *   gap    how much more the most used lines have than those retained first, but no more than
 *          LRU finds of lines that are not retained: a line must be used to get in
 *   dead   what LRU finds only in the upper half of the ways, if it finds nearly all there,
 *          and retained lines are dead: other lines are then about to be of no use either
 * and from how short the launch is. */
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
