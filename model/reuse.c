/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * model/reuse.c -- prepares reuse windows for the models of policies.
 */
#include "model/reuse.h"

#include <math.h>
#include <stdlib.h>

/* ---- reading the matrices --------------------------------------------------------- */

struct source {
	const struct ws_detail *detail;
	uint32_t row_of[WS_TYPES]; /* the row, or NONE */
	size_t at;		/* terms written */
};

#define NONE UINT32_MAX
#define TERMS_MOST (2 * WS_TYPES * (WS_TYPES + WS_END_CLASSES))

enum { WITHIN, BEFORE, END_WITHIN, END_BEFORE };

static double references(const struct source *s, size_t type)
{
	double all = 0;

	for (unsigned kind = 0; kind < WS_KINDS; kind++)
		all += (double)s->detail->references[kind][type];
	return all;
}

/* detail's matrix `previous` is ordered by the type before; terms are ordered by the type after. */
static uint64_t cell(const struct source *s, int which, size_t line, size_t j)
{
	const struct ws_detail *d = s->detail;

	return which == WITHIN ? d->within[line][j] : which == BEFORE ? d->previous[j][line]
		: which == END_WITHIN ? d->end_within[line][j] : d->end_previous[line][j];
}

/* A line of a matrix as terms of the rows that occur, each divided by `by`. */
static struct ws_terms take_line(struct source *s, struct ws_reuse *w, int which, size_t line,
				 double by)
{
	struct ws_terms out = { w->terms + s->at, 0 };
	struct ws_term *to = w->terms + s->at;

	for (size_t j = 0; j < WS_TYPES; j++) {
		uint64_t count = cell(s, which, line, j);

		if (count && s->row_of[j] != NONE)
			to[out.count++] = (struct ws_term){ s->row_of[j], (double)count / by };
	}
	s->at += out.count;
	return out;
}

static double total(const struct ws_terms *t)
{
	double sum = 0;

	for (size_t i = 0; i < t->count; i++)
		sum += t->term[i].value;
	return sum;
}

/* Scales to fractions whose sum is 1. */
static struct ws_terms take_shares(struct source *s, struct ws_reuse *w, int which, size_t line)
{
	size_t from = s->at;
	struct ws_terms t = take_line(s, w, which, line, 1);
	double sum = total(&t);

	for (size_t i = 0; i < t.count; i++)
		w->terms[from + i].value /= sum;
	return t;
}

static enum ws_row_sort sort_of(unsigned type)
{
	return type == WS_TYPE_COLD ? WS_ROW_COLD : type == WS_TYPE_RELOAD ? WS_ROW_RELOAD
		: type == WS_TYPE_EVICT ? WS_ROW_EVICT : WS_ROW_FINITE;
}

static void fill_types(struct source *s, struct ws_reuse *w)
{
	for (unsigned type = 0; type < WS_TYPES; type++) {
		double n = references(s, type);
		struct ws_reuse_row *r = w->row + w->types;

		s->row_of[type] = NONE;
		if (!(n > 0))
			continue;
		s->row_of[type] = (uint32_t)w->types++;
		r->sort = sort_of(type);
		r->type = type;
		r->count = n;
		r->time = (double)s->detail->time[type] / n;
		w->references += n;
	}
}

static void fill_terms(struct source *s, struct ws_reuse *w)
{
	for (size_t type = 0; type < WS_TYPES; type++) {
		struct ws_reuse_row *r = w->row + s->row_of[type];

		if (s->row_of[type] == NONE)
			continue;
		r->within = take_line(s, w, WITHIN, type, r->count);
		r->before = take_shares(s, w, BEFORE, type);
	}
	for (unsigned class = 0; class < WS_END_CLASSES; class++) {
		struct ws_reuse_row *r = w->row + w->types + (w->rows - w->types);
		double n = (double)s->detail->end_count[class];

		if (!(n > 0))
			continue;
		w->rows++;
		*r = (struct ws_reuse_row){ .sort = WS_ROW_END, .type = class, .count = n,
				      .time = (double)s->detail->end_time[class] / n };
		r->within = take_line(s, w, END_WITHIN, class, n);
		r->before = take_shares(s, w, END_BEFORE, class);
	}
}

enum ws_status ws_reuse_new(struct ws_reuse **out, const struct ws_geometry *geometry,
			    struct ws_err *err)
{
	const struct ws_detail *detail = geometry->detail;
	struct source s = { .detail = detail };
	struct ws_reuse *w = ws_alloc_zero(1, sizeof *w);

	*out = NULL;
	if (w) {
		w->row = ws_alloc_zero(WS_TYPES + WS_END_CLASSES, sizeof *w->row);
		w->terms = ws_alloc(TERMS_MOST, sizeof *w->terms);
	}
	if (!w || !w->row || !w->terms) {
		ws_reuse_free(w);
		return ws_fail_memory(err, "the windows of a profile");
	}
	w->detail = detail;
	w->sets = (double)detail->arrivals[0];
	fill_types(&s, w);
	w->rows = w->types;
	fill_terms(&s, w);
	if (detail->references[WS_STORE][WS_TYPE_EVICT])
		ws_positions_of_stores(geometry, w->evicted);
	*out = w;
	return WS_OK;
}

void ws_reuse_free(struct ws_reuse *w)
{
	if (!w)
		return;
	free(w->row);
	free(w->terms);
	free(w);
}

/* ---- what fits --------------------------------------------------------------------- */

static uint32_t depth_cell(uint64_t ways)
{
	uint32_t cell = ws_cell(ways < UINT32_MAX ? (uint32_t)ways : UINT32_MAX, WS_DEPTH_BITS);

	return cell < WS_DEPTH_CELLS ? cell : WS_DEPTH_CELLS;
}

double ws_evicting(const struct ws_detail *detail, uint64_t ways)
{
	double all = 0, evicting = 0;
	uint32_t from = depth_cell(ways);

	for (uint32_t i = 0; i < WS_DEPTH_CELLS; i++) {
		all += (double)detail->arrivals[i];
		evicting += i >= from ? (double)detail->arrivals[i] : 0;
	}
	return all > 0 ? evicting / all : 0;
}

double ws_resident(const struct ws_reuse *w, uint64_t ways)
{
	uint32_t to = depth_cell(ways);
	double sum = 0;

	for (uint32_t i = 0; i < to; i++)
		sum += (double)w->detail->arrivals[i] + (double)w->detail->fill[i];
	return w->references > 0 ? sum / w->references : 0;
}

/* ---- hits ---------------------------------------------------------------------------- */

void ws_positions_of_stores(const struct ws_geometry *g, double *fraction)
{
	const struct ws_histogram *h = g->kind + WS_STORE;
	double all = 0;

	for (size_t i = 0; i < WS_BINS; i++)
		fraction[i] = 0;
	for (size_t i = 0; i < h->len; i++)
		all += (double)h->distance[i];
	for (uint32_t i = 0; i < h->len && all > 0; i++)
		fraction[ws_bin(ws_cell_first(i, WS_DISTANCE_BITS))] += (double)h->distance[i] /
									all;
}

void ws_positions_fill(const double *count, const double *guess, double *hit)
{
	double most = 1;

	for (unsigned i = 0, next; i < WS_BINS; i = next + 1) {
		double least = 0;

		for (next = i; next < WS_BINS && !(count[next] > 0); next++)
			;
		if (next < WS_BINS)
			least = fmin(most, hit[next]);
		for (; i < next; i++)
			hit[i] = i ? fmin(most, fmax(least, guess[i])) : 1;
		if (next < WS_BINS)
			most = hit[next];
	}
}

#define WORN_OUT 30.0		/* -ln of a hit ratio that is taken for 0 */

static double worn(double hit)
{
	return hit > 0 ? fmin(WORN_OUT, -log(hit)) : WORN_OUT;
}

void ws_positions_left(const double *count, const double *fraction, double own, const double *hit,
		       double *guess)
{
	double left = worn(own), part = 1;

	for (unsigned i = 0; i < WS_BINS; i++)
		if (count[i] > 0) {
			left -= fraction[i] * worn(hit[i]);
			part -= fraction[i];
		}
	for (unsigned i = 0; i < WS_BINS; i++)
		guess[i] = part > 1e-9 ? exp(-fmax(0, left) / part) : own;
}

void ws_reuse_answer(const struct ws_reuse *w, const double *hit, double *by_type)
{
	for (size_t i = 0; i < WS_TYPES; i++)
		by_type[i] = 0;
	for (size_t i = 0; i < w->types; i++)
		by_type[w->row[i].type] = hit[i];
}

/* EVICT references hit as often as others do at the same positions. */
static double evict_hits(const struct ws_reuse *w, const double *hit)
{
	double mean[WS_TYPES], all[WS_TYPES] = { 0 }, guess[WS_BINS], hits = 0;

	ws_reuse_answer(w, hit, mean);
	for (size_t i = 0; i < w->types; i++)
		all[w->row[i].type] += w->row[i].count;
	if (!(all[WS_TYPE_EVICT] > 0))
		return 0;
	ws_positions_left(all, w->evicted, mean[WS_TYPE_EVICT], mean, guess);
	ws_positions_fill(all, guess, mean);
	for (unsigned i = 0; i < WS_BINS; i++)
		hits += w->evicted[i] * mean[i];
	return hits;
}

void ws_reuse_lru(const struct ws_reuse *w, uint64_t ways, double *hit)
{
	for (size_t i = 0; i < w->types; i++)
		hit[i] = w->row[i].sort == WS_ROW_FINITE ? ws_type_lru(w->row[i].type, ways) : 0;
	for (size_t i = 0; i < w->types; i++)
		for (unsigned j = 0; j < WS_BINS && w->row[i].sort == WS_ROW_EVICT; j++)
			hit[i] += w->evicted[j] * ws_type_lru(j, ways);
}

double ws_reuse_missing(const struct ws_reuse *w, const double *hit)
{
	double hits = 0, evict = evict_hits(w, hit);

	for (size_t i = 0; i < w->types; i++)
		hits += w->row[i].count * (w->row[i].sort == WS_ROW_EVICT ? evict : hit[i]);
	return w->references > 0 ? 1 - hits / w->references : 0;
}

/* x as if there were no invalid ways; returns the fraction of fills that find none. */
static double weigh(const struct ws_reuse *w, const double *hit, double evicting, double evict,
		    double *x)
{
	double misses = 0, invalid_ways = 0;

	for (size_t i = 0; i < w->types; i++) {
		const struct ws_reuse_row *r = w->row + i;

		x[i] = r->sort == WS_ROW_FINITE ? 1 - hit[i]
			: r->sort == WS_ROW_COLD ? evicting : r->sort == WS_ROW_RELOAD;
		misses += r->count * x[i];
		invalid_ways += r->sort == WS_ROW_EVICT ? r->count * evict : 0;
	}
	return misses > invalid_ways ? 1 - invalid_ways / misses : 0;
}

void ws_reuse_weigh(const struct ws_reuse *w, const double *hit, double evicting, double *x)
{
	double evict = evict_hits(w, hit), fraction = weigh(w, hit, evicting, evict, x);

	for (size_t i = 0; i < w->types && evict > 0; i++)
		x[i] *= fraction;
}

void ws_reuse_weigh_net(const struct ws_reuse *w, const double *hit, double evicting, bool own,
			double *x)
{
	double evict = evict_hits(w, hit), fraction = weigh(w, hit, evicting, evict, x);
	double part = own ? 1 : fraction;

	for (size_t i = 0; i < w->types && evict > 0; i++)
		x[i] = w->row[i].sort == WS_ROW_EVICT ? -part * evict
			: x[i] * (1 - (1 - fraction) * (1 - part));
}

/* ---- how many evictions a window sees ------------------------------------------------- */

#define NEAR_WHOLE 0.012	/* exact loops: their mean is a whole number but for rounding */
#define CERTAIN 0.995		/* a binomial of more is its mean */
#define FEW 1e-6		/* odds of a binomial, at least; with less it is Poisson's law */
#define LAW_LEAST 1e-15		/* smaller probabilities are left out */

static void law_whole(double mean, size_t max, double *p)
{
	double whole = fabs(mean - round(mean)) < NEAR_WHOLE ? round(mean) : mean;
	double below = floor(whole);

	if (below <= (double)max)
		p[(size_t)below] += 1 - (whole - below);
	if (below + 1 <= (double)max)
		p[(size_t)below + 1] += whole - below;
}

/* weight * binomial(n, q), n whole: from the mode, or max if that is less, down and up by the ratio
 * of neighbours until terms are too small to matter. */
static void law_binomial(double n, double q, double weight, size_t max, double *p)
{
	double odds = q / (1 - q), mode = fmin(floor((n + 1) * q), fmin(n, (double)max));
	int sign;
	double peak = weight * exp(lgamma_r(n + 1, &sign) - lgamma_r(mode + 1, &sign) -
				   lgamma_r(n - mode + 1, &sign) + mode * log(q) +
				   (n - mode) * log1p(-q));
	double at = peak;

	for (size_t k = (size_t)mode; at > LAW_LEAST; k--) {
		p[k] += at;
		at *= (double)k / ((n - (double)k + 1) * odds); /* 0 at k = 0 */
	}
	at = peak;
	for (size_t k = (size_t)mode; k < max && (double)k < n && at > LAW_LEAST; k++) {
		at *= (n - (double)k) * odds / ((double)k + 1);
		p[k + 1] += at;
	}
}

void ws_eviction_law(double mean, double square, size_t max, double *p)
{
	double q, n;

	for (size_t i = 0; i <= max; i++)
		p[i] = 0;
	if (mean < 1e-12) {
		p[0] = 1;
		return;
	}
	q = fmin(1, square / mean);
	if (q > CERTAIN) {
		law_whole(mean, max, p);
		return;
	}
	if (q < FEW)
		q = FEW;
	n = mean / q;
	law_binomial(floor(n), q, 1 - (n - floor(n)), max, p);
	if (n > floor(n))
		law_binomial(floor(n) + 1, q, n - floor(n), max, p);
}
