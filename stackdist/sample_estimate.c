/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * stackdist/sample_estimate.c -- from what the levels have counted to histograms and their
 * variances (sample.h).
 *
 * Of the P requests that level l - 1 passed, level l saw n: each stands for w = P / n of them.
 * P of level 1 is known; of the others it is w times what the level above passed.
 */
#include "stackdist/sample_level.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "stackdist/lines.h"

#define CELLS ((1u << WS_DISTANCE_BITS) + 16u * (32u - WS_DISTANCE_BITS))
#define DISTANCE_END 4294967040.0 /* a float above all distances, and below 2^32 */
#define SHARE_MAX 4.0	/* sets: more than that is no scatter but uneven use */
#define SURE 1.95	/* a difference this many standard deviations wide lies inside 95 % */

struct estimate {		/* of the requests, or sectors, that level 0 passed */
	double weight[WS_SAMPLE_LEVELS]; /* w; levels below `end` */
	size_t end;
	double cold, uncached, blind; /* blind: no line of theirs was chosen */
	double mass[CELLS];	/* by distance; then of all at the cell or beyond it */
};

static const struct ws_channel *channel_of(const struct ws_sampler *s, size_t level, unsigned kind,
					   bool sectors)
{
	return sectors ? s->level[level].sector + kind : s->level[level].request + kind;
}

/* The least distance of a request that is open in a level. */
static double least(const struct ws_level *l)
{
	return (double)l[-1].keep / l[-1].rate;
}

/* ---- estimates ------------------------------------------------------------------------ */

static void weigh(struct estimate *e, const struct ws_sampler *s, unsigned kind, bool sectors)
{
	bool allocates = kind == WS_LOAD || ws_store_allocates(s->cache.write);
	double left = (double)channel_of(s, 0, kind, sectors)->passed;

	e->cold = e->uncached = 0;
	for (e->end = 1; e->end < s->levels && left > 0; e->end++) {
		const struct ws_channel *c = channel_of(s, e->end, kind, sectors);
		double w = c->seen ? left / (double)c->seen : 0;

		if (c->seen == 0)
			break;
		e->weight[e->end] = w;
		e->cold += w * (double)c->cold;
		e->uncached += w * (double)c->uncached;
		left = w * (double)c->passed;
	}
	e->blind = left;
	*(allocates ? &e->cold : &e->uncached) += left;
}

/* Weight evenly over the distances [low, high). */
static void spread(double *mass, double low, double high, double weight)
{
	double density;
	uint32_t cell;

	low = low < 0 ? 0 : low > DISTANCE_END - 1 ? DISTANCE_END - 1 : low;
	high = high > DISTANCE_END ? DISTANCE_END : high;
	density = weight / (high - low);
	for (cell = ws_cell((uint32_t)low, WS_DISTANCE_BITS); low < high; cell++) {
		double end = cell + 1 < CELLS ? ws_cell_first(cell + 1, WS_DISTANCE_BITS) : high;

		end = end < high ? end : high;
		mass[cell] += density * (end - low);
		low = end;
	}
}

static double share_scatter(const struct ws_exact *x)
{
	double d = x->share.expected > 0 ? x->share.square / x->share.expected : 0;

	return d < SHARE_MAX ? d : SHARE_MAX;
}

/* Positions [first, end) of a level, at all distances they stand for. */
static void place(struct estimate *e, const struct ws_level *l, const struct ws_exact *x,
		  double first, double end, double weight)
{
	double low = first / l->rate, high = end / l->rate, bound = least(l), sets, wide;

	low = low > bound ? low : bound;
	high = high > low + 1 ? high : low + 1;
	sets = (double)x->sets;
	wide = x->sets > 1 ? sqrt(3 * share_scatter(x) * (low + high) / 2 / sets) : 0;
	spread(e->mass, low / sets - wide, high / sets + wide, weight);
}

static void distribute(struct estimate *e, const struct ws_sampler *s, const struct ws_exact *x,
		       unsigned kind, bool sectors)
{
	memset(e->mass, 0, sizeof(e->mass));
	for (size_t i = 1; i < e->end; i++) {
		const struct ws_counts *c = &channel_of(s, i, kind, sectors)->placed;

		for (uint32_t cell = 0; cell < c->len; cell++)
			if (c->count[cell])
				place(e, s->level + i, x, ws_cell_first(cell, WS_DISTANCE_BITS),
				      ws_cell_first(cell + 1, WS_DISTANCE_BITS),
				      e->weight[i] * (double)c->count[cell]);
	}
}

/* ---- histograms ------------------------------------------------------------------------- */

static bool extend(uint64_t **array, size_t from, size_t to)
{
	uint64_t *grown;

	if (to <= from)
		return true;
	grown = realloc(*array, to * sizeof(*grown));
	if (!grown)
		return false;
	memset(grown + from, 0, (to - from) * sizeof(*grown));
	*array = grown;
	return true;
}

static size_t last_cell(const double *mass)
{
	size_t n = CELLS;

	while (n && mass[n - 1] <= 0)
		n--;
	return n;
}

/* Whole numbers whose sums are the rounded sums, of `total` in all; what is left is cold or
 * uncached. */
static void whole(const struct estimate *e, size_t len, uint64_t total, uint64_t *to,
		  uint64_t *to_also, uint64_t *cold, uint64_t *uncached)
{
	double sum = 0;
	uint64_t done = 0, upto;

	for (size_t i = 0; i < len; i++) {
		sum += e->mass[i];
		upto = (uint64_t)llround(sum);
		upto = e->cold + e->uncached <= 0 && i + 1 == len ? total : upto;
		upto = upto < total ? upto : total;
		to[i] += upto - done;
		if (to_also)
			to_also[i] += upto - done;
		done = upto;
	}
	upto = e->uncached > 0 ? (uint64_t)llround(sum + e->cold) : total;
	upto = upto > total ? total : upto < done ? done : upto;
	*cold += upto - done;
	*uncached += total - upto;
}

static void add_counts(uint64_t *to, const struct ws_counts *c)
{
	for (size_t i = 0; i < c->len; i++)
		to[i] += c->count[i];
}

static bool add_requests(struct ws_histogram *h, const struct ws_sampler *s, size_t stack,
			 unsigned kind, const struct estimate *e)
{
	const struct ws_exact *x = s->exact + stack;
	const struct ws_channel *top = s->level[0].request + kind;
	size_t deep = last_cell(e->mass), len = x->distance[kind].len;

	len = len > deep ? len : deep;
	if (!extend(&h->distance, h->len, len) || !extend(&h->capacity, h->len, len))
		return false;
	h->len = h->len > len ? h->len : len;
	h->requests += s->requests[kind];
	h->cold += top->cold;
	h->uncached += top->uncached + (kind == WS_ATOMIC ? s->requests[kind] : 0);
	add_counts(h->distance, x->distance + kind);
	add_counts(h->capacity, stack ? x->capacity + kind : x->distance + kind);
	whole(e, deep, top->passed, h->distance, h->capacity, &h->cold, &h->uncached);
	return true;
}

static bool add_sectors(struct ws_histogram *h, const struct ws_sampler *s, size_t stack,
			unsigned kind, const struct estimate *e)
{
	const struct ws_exact *x = s->exact + stack;
	const struct ws_channel *top = s->level[0].sector + kind;
	size_t deep = last_cell(e->mass), len = x->sector[kind].len;

	len = len > deep ? len : deep;
	if (!extend(&h->sector, h->sector_len, len))
		return false;
	h->sector_len = h->sector_len > len ? h->sector_len : len;
	h->sectors += s->sectors[kind];
	h->sector_cold += top->cold;
	h->sector_uncached += top->uncached + (kind == WS_ATOMIC ? s->sectors[kind] : 0);
	add_counts(h->sector, x->sector + kind);
	whole(e, deep, top->passed, h->sector, NULL, &h->sector_cold, &h->sector_uncached);
	return true;
}

/* ---- variance ---------------------------------------------------------------------------- */

/* Of a group, or all: those at the bin or beyond, a share `below` of the passed ones. */
static double tail(const struct ws_group *g, unsigned bin, double below)
{
	uint64_t n = g->count[WS_SAMPLE_ENDED];

	for (unsigned i = bin; i < WS_SAMPLE_ENDED; i++)
		n += g->count[i];
	return (double)n + below * (double)g->count[WS_SAMPLE_PASSED];
}

static double level_variance(const struct ws_level *l, const struct ws_group *group, double weight,
			     unsigned bin, double *below)
{
	double z[WS_SAMPLE_GROUPS], x[WS_SAMPLE_GROUPS], zs = 0, xs = 0, square = 0, floor;
	double finite = 1 - l->rate / l[-1].rate, groups = WS_SAMPLE_GROUPS;

	for (unsigned i = 0; i < WS_SAMPLE_GROUPS; i++) {
		zs += z[i] = tail(group + i, bin, *below);
		xs += x[i] = tail(group + i, 0, 1);
	}
	*below = zs / xs;
	if (ws_sample_bin_first(bin) <= least(l))
		return 0;
	for (unsigned i = 0; i < WS_SAMPLE_GROUPS; i++)
		square += (z[i] - *below * x[i]) * (z[i] - *below * x[i]);
	floor = xs / ((double)ws_recent_lines(l->recent) + 2);
	return weight * weight * (finite * groups / (groups - 1) * square + floor * floor);
}

/* Of the requests at the first distance of each bin or beyond, with one set, for which lines
 * were chosen. */
static void choice_variance(const struct ws_sampler *s, const struct estimate *e, unsigned kind,
			    double *variance)
{
	for (unsigned bin = 0; bin < WS_SAMPLE_ENDED; bin++) {
		double below = 1;

		variance[bin] = 0;
		if (e->blind > 0 && ws_sample_bin_first(bin) > least(s->level + e->end))
			variance[bin] = e->blind * e->blind;
		for (size_t i = e->end; i-- > 1; )
			variance[bin] += level_variance(s->level + i, s->level[i].group[kind],
							e->weight[i], bin, &below);
	}
}

/* The standard deviation of an estimated distance q, with one set. */
static double place_deviation(const struct ws_sampler *s, const struct estimate *e, double q)
{
	const struct ws_level *l = s->level + 1;
	const struct ws_scatter *x;
	double scatter, position;

	while (l + 1 < s->level + e->end && least(l + 1) <= q)
		l++;
	x = l->scatter + ws_sample_bin(q);
	position = q * l->rate;
	scatter = x->expected > 1 ? 4 * x->square / x->expected : 1;
	scatter = scatter < 1 ? scatter : 1;
	return sqrt(scatter * position * (1 - l->rate) + 0.25) / l->rate;
}

/* Estimated requests at distance x or beyond; mass is sums by now. */
static double beyond(const struct estimate *e, double x)
{
	uint32_t cell, first, next;

	if (x <= 0)
		return e->mass[0];
	if (x >= DISTANCE_END)
		return 0;
	cell = ws_cell((uint32_t)x, WS_DISTANCE_BITS);
	if (cell + 1 >= CELLS)
		return 0;
	first = ws_cell_first(cell, WS_DISTANCE_BITS);
	next = ws_cell_first(cell + 1, WS_DISTANCE_BITS);
	return e->mass[cell] - (e->mass[cell] - e->mass[cell + 1]) *
	       (x - first) / ((double)next - first);
}

static double variance_at(const struct ws_sampler *s, const struct estimate *e,
			  const double *variance, uint64_t sets, double x)
{
	double q = x * (double)sets, here = beyond(e, x), shift, v;
	double deeper, shallower;
	unsigned bin = ws_sample_bin(q);

	if (bin + 1 >= WS_SAMPLE_ENDED)
		bin = WS_SAMPLE_ENDED - 2;
	v = variance[bin];
	if (q > ws_sample_bin_first(bin) && variance[bin + 1] > v)
		v = variance[bin + 1];
	shift = 2 * place_deviation(s, e, q) / (double)sets;
	deeper = (here - beyond(e, x + shift)) / SURE;
	shallower = (beyond(e, x - shift) - here) / SURE;
	shift = deeper > shallower ? deeper : shallower;
	return v + shift * shift;
}

static bool add_variance(struct ws_histogram *h, const struct ws_sampler *s, uint64_t sets,
			 struct estimate *e, const double *variance)
{
	double deep = 0;

	if (!h->variance)
		h->variance = ws_alloc_zero(WS_BINS, sizeof(*h->variance));
	if (!h->variance)
		return false;
	if (e->end == 1 && e->blind <= 0)
		return true;
	for (size_t i = CELLS - 1; i--; )
		e->mass[i] += e->mass[i + 1];
	for (unsigned i = 0; i < WS_BINS - 1; i++)
		h->variance[i] += (uint64_t)ceil(variance_at(s, e, variance, sets,
							     ws_bin_first(i)));
	for (double x = 1u << 16; x < DISTANCE_END; x *= 2)
		for (unsigned i = 0; i < 4; i++) {
			double v = variance_at(s, e, variance, sets, x + x / 4 * i);

			deep = v > deep ? v : deep;
		}
	h->variance[WS_BINS - 1] += (uint64_t)ceil(deep);
	return true;
}

/* ---- all ---------------------------------------------------------------------------------- */

static bool end_kind(struct ws_sampler *s, struct ws_histogram *const *to, unsigned kind,
		     struct estimate *e)
{
	double variance[WS_SAMPLE_ENDED];
	bool ok = true;

	weigh(e, s, kind, false);
	choice_variance(s, e, kind, variance);
	for (size_t i = 0; i < s->set_counts && ok; i++) {
		const struct ws_exact *x = s->exact + s->stack_of[i];

		distribute(e, s, x, kind, false);
		ok = add_requests(to[i] + kind, s, s->stack_of[i], kind, e) &&
		     add_variance(to[i] + kind, s, x->sets, e, variance);
	}
	if (!s->sectored)
		return ok;
	weigh(e, s, kind, true);
	for (size_t i = 0; i < s->set_counts && ok; i++) {
		distribute(e, s, s->exact + s->stack_of[i], kind, true);
		ok = add_sectors(to[i] + kind, s, s->stack_of[i], kind, e);
	}
	return ok;
}

enum ws_status ws_sampler_end(struct ws_sampler *s, struct ws_histogram *const *kind,
			      struct ws_err *err)
{
	struct estimate *e = ws_alloc(1, sizeof(*e));
	bool ok = e != NULL;

	for (unsigned k = 0; k < WS_KINDS && ok; k++)
		ok = end_kind(s, kind, k, e);
	free(e);
	return ok ? WS_OK : ws_fail_memory(err, "the estimates of a sample");
}
