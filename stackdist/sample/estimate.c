/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * stackdist/sample/estimate.c -- from what a sampler has counted to histograms and their
 * variances (sample.h).
 *
 * The requests of a kind are the sure ones (of the exact beginning), those of periods with a whole
 * burst, and the *unmatched* of periods without one, of the last as a rule.  Of the N in
 * periods with bursts F are young, by the bursts, and N - F old.
 */
#include "base/bits.h"
#include "stackdist/sample/part.h"

#include <assert.h>
#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CELLS ((1u << WS_DISTANCE_BITS) + 16u * (32u - WS_DISTANCE_BITS))
#define FRACTION_MAX 4.0	/* sets: more than that is no scatter but uneven use; */
#define EVEN_MAX 2.0	/* so is this, by chosen lines, where 1 is chance */
#define UNSEEN 0.0005	/* of the requests: too rare to be met by a burst */
#define CHOSEN 4.0	/* variance of the number of chosen lines, at least: see place_of */
#define BLIND 128.0	/* variance of a fraction that nothing is known of: as many SMs' errors may
			 * all have one sign */
#define SURE 1.95	/* a difference this many standard deviations wide lies inside 95 % */

struct estimate {
	double total;		/* requests, or sectors */
	double sure, rest;	/* how often the sure ones, and those in periods with bursts, count:
				 * the latter for the unmatched too, if there are any */
	double unmatched;
	double old;		/* estimated, unmatched too */
	double fit;		/* how often what the bursts counted counts */
	double cold, uncached, blind; /* blind: old, and no line of theirs was chosen */
	struct ws_mass distance, capacity;
	struct ws_mass beyond;	/* old ones; then, those at the cell or beyond it */
};

/* ---- estimates ------------------------------------------------------------------------ */

static double dispersion(const struct ws_evenness *x)
{
	return x->expected > 0 ? x->square / x->expected : 1;
}

static double share_scatter(const struct ws_scatter *x)
{
	double d = x->expected > 0 ? x->square / x->expected : 0;

	return d < FRACTION_MAX ? d : FRACTION_MAX;
}

/* A fraction of the distances with one set. */
static bool add_shares(struct ws_mass *mass, const struct ws_sampler *s,
		       const struct ws_mass *before, size_t stack, double weight)
{
	double sets = (double)s->sets[stack],
	       scatter = stack ? share_scatter(s->fraction + stack) : 0;
	bool ok = true;

	for (uint32_t cell = 0; cell < before->len && ok; cell++) {
		double low = ws_cell_first(cell, WS_DISTANCE_BITS) / sets, wide;
		double high = ws_cell_first(cell + 1, WS_DISTANCE_BITS) / sets;

		if (before->at[cell] <= 0)
			continue;
		wide = sqrt(3 * scatter * (low + high) / 2);
		ok = ws_mass_spread(mass, low - wide, high + wide, weight * before->at[cell]);
	}
	return ok;
}

/* Old requests: to beyond by distance, to capacity by what a fully associative cache needs. */
static bool add_old(struct estimate *e, const struct ws_sampler *s, const struct ws_old *o,
		    size_t stack)
{
	double weight = o->seen > 0 ? e->old / o->seen : 0;

	e->beyond.len = 0;
	if (!add_shares(&e->beyond, s, o->before, stack, weight) ||
	    !ws_mass_sum(&e->capacity, &e->beyond, 1))
		return false;
	if (dispersion(s->even + stack) > EVEN_MAX) {
		e->beyond.len = 0;
		if (!ws_mass_sum(&e->beyond, o->before + stack, weight))
			return false;
	}
	return ws_mass_sum(&e->distance, &e->beyond, 1);
}

static bool add_masses(const struct estimate *e, struct ws_mass *to, const struct ws_mass *sure,
		       const struct ws_mass *part)
{
	to->len = 0;
	return ws_mass_sum(to, sure, e->sure) && ws_mass_sum(to, part, e->fit);
}

/* The unmatched are like the others in periods, if there are any, else like the sure ones. */
static void adopt(struct estimate *e, double sure, double part)
{
	e->sure = part > 0 || sure <= 0 ? 1 : e->total / sure;
	e->rest = part > 0 ? (e->total - sure) / part : 1;
	e->unmatched = e->total - sure - part;
}

/* All that does not depend on the number of sets. */
static void weigh(struct estimate *e, const struct ws_sampler *s, unsigned what, unsigned kind)
{
	const struct ws_sample_part *sure = s->sure[what] + kind, *part = s->part[what] + kind;
	const struct ws_old *o = s->old[what] + kind;
	bool allocates = kind == WS_LOAD ||
			 (kind == WS_STORE && ws_store_allocates(s->cache.write));
	double young = part->uncached, old;

	e->total = (double)(what == WS_SAMPLE_SECTORS ? s->sectors : s->requests)[kind];
	adopt(e, sure->all, part->all);
	for (size_t i = 0; i < part->distance->len; i++)
		young += part->distance->at[i];
	e->fit = e->rest * (young > part->all ? part->all / young : 1);
	e->old = part->all * e->rest - young * e->fit;
	e->blind = sure->all + part->all > 0 ? 0 : e->total;
	e->blind += o->seen > 0 ? 0 : e->old;
	old = o->seen > 0 ? e->old / o->seen : 0;
	e->cold = e->sure * sure->cold + old * o->cold;
	e->uncached = e->sure * sure->uncached + e->fit * part->uncached + old * o->uncached;
	*(allocates ? &e->cold : &e->uncached) += e->blind;
}

static bool distribute(struct estimate *e, const struct ws_sampler *s, unsigned what,
		       unsigned kind, size_t stack)
{
	const struct ws_sample_part *sure = s->sure[what] + kind, *part = s->part[what] + kind;
	bool ok = add_masses(e, &e->distance, sure->distance + stack, part->distance + stack);

	e->capacity.len = 0;
	if (what == WS_SAMPLE_REQUESTS) {
		const struct ws_mass *from = stack ? sure->capacity : sure->distance;
		const struct ws_mass *also = stack ? part->capacity : part->distance;

		ok = ok && add_masses(e, &e->capacity, from + stack, also + stack);
	}
	return ok && add_old(e, s, s->old[what] + kind, stack) &&
	       ws_mass_reach(&e->capacity, e->distance.len);
}

/* ---- histograms ------------------------------------------------------------------------- */

static bool extend(uint64_t **array, size_t from, size_t to)
{
	uint64_t *grown;

	if (to <= from)
		return true;
	grown = realloc(*array, to * sizeof *grown);
	if (!grown)
		return false;
	memset(grown + from, 0, (to - from) * sizeof *grown);
	*array = grown;
	return true;
}

static size_t length(const struct ws_mass *mass)
{
	size_t n = mass->len;

	while (n && mass->at[n - 1] <= 0)
		n--;
	return n;
}

/* Whole numbers whose sums are the rounded sums of mass, `total` in all, and at any cell not
 * less than those of `least`, unless that is NULL. */
static void round_sums(const double *mass, const double *least, size_t len, uint64_t total,
		       uint64_t *to)
{
	uint64_t done = 0, upto;
	double sum = 0, other = 0;

	for (size_t i = 0; i < len; i++) {
		sum += mass[i];
		other += least ? least[i] : 0;
		upto = (uint64_t)llround(sum > other ? sum : other);
		upto = upto < total && i + 1 < len ? upto : total;
		assert(upto >= done);
		to[i] += upto - done;
		done = upto;
	}
	assert(!len || done == total);
}

/* What is finite, cold and uncached: whole, and `total` together. */
static void divide_total(const struct estimate *e, size_t len, uint64_t total, uint64_t *finite,
			 uint64_t *cold, uint64_t *uncached)
{
	double sum = 0, c = e->cold, u = e->uncached;
	uint64_t n, upto;

	for (size_t i = 0; i < len; i++)
		sum += e->distance.at[i];
	n = (uint64_t)llround(sum);
	n = n > total || (c <= 0 && u <= 0 && len) ? total : n;
	n = len ? n : 0;
	upto = u > 0 ? (uint64_t)llround(sum + c) : total;
	upto = upto > total ? total : upto < n ? n : upto;
	*finite = n;
	*cold += upto - n;
	*uncached += total - upto;
}

static bool add_requests(struct ws_histogram *h, const struct estimate *e)
{
	uint64_t total = (uint64_t)e->total, finite;
	size_t len = length(&e->distance);

	if (!extend(&h->distance, h->len, len) || !extend(&h->capacity, h->len, len))
		return false;
	h->len = h->len > len ? h->len : len;
	h->requests += total;
	divide_total(e, len, total, &finite, &h->cold, &h->uncached);
	round_sums(e->distance.at, NULL, len, finite, h->distance);
	round_sums(e->capacity.at, e->distance.at, len, finite, h->capacity);
	return true;
}

static bool add_sectors(struct ws_histogram *h, const struct estimate *e)
{
	uint64_t total = (uint64_t)e->total, finite;
	size_t len = length(&e->distance);

	if (!extend(&h->sector, h->sector_len, len))
		return false;
	h->sector_len = h->sector_len > len ? h->sector_len : len;
	h->sectors += total;
	divide_total(e, len, total, &finite, &h->sector_cold, &h->sector_uncached);
	round_sums(e->distance.at, NULL, len, finite, h->sector);
	return true;
}

/* ---- variance ---------------------------------------------------------------------------- */

/* Of the old requests, with one set, the fraction at the first distance of the bin or beyond. */
struct tails {
	double fraction[WS_SAMPLE_BINS], variance[WS_SAMPLE_BINS];
	double wider;		/* variance of the young: by so much, see student() */
};

static bool used_group(const struct ws_sample_group *g)
{
	bool used = g->ended > 0;

	for (unsigned i = 0; i < WS_SAMPLE_BINS && !used; i++)
		used = g->bin[i] > 0;
	return used;
}

/* Of chosen lines that requests of the kind were to, at most; if groups are empty, about as many
 * as are not. */
static double lines_of(const struct ws_sampler *s, unsigned kind)
{
	double lines = (double)s->level[s->active].watch->lines.count, used = 0;
	double count = (double)s->old[WS_SAMPLE_REQUESTS][kind].count;

	for (unsigned i = 0; i < WS_SAMPLE_GROUPS; i++)
		used += used_group(s->group[kind] + i);
	lines = count < lines ? count : lines;
	return used < WS_SAMPLE_GROUPS && used < lines ? used : lines;
}

/* z: of each group, at the bin or beyond. */
static double choice(const struct ws_sample_group *group, const double *z, double fraction,
		     double all)
{
	double square = 0, groups = WS_SAMPLE_GROUPS;

	for (unsigned i = 0; i < WS_SAMPLE_GROUPS; i++) {
		double off = (z[i] - fraction * group[i].seen) / all;

		square += off * off;
	}
	return groups / (groups - 1) * square;
}

static void choices(struct tails *t, const struct ws_sampler *s, unsigned kind)
{
	const struct ws_sample_group *group = s->group[kind];
	double z[WS_SAMPLE_GROUPS], all = 0, floor = 1 / (lines_of(s, kind) + 2);
	double missed = 1 - s->level[s->active].rate;

	for (unsigned i = 0; i < WS_SAMPLE_GROUPS; i++) {
		z[i] = group[i].ended;
		all += group[i].seen;
	}
	for (unsigned bin = WS_SAMPLE_BINS; bin--; ) {
		double sum = 0;

		for (unsigned i = 0; i < WS_SAMPLE_GROUPS; i++)
			sum += z[i] += group[i].bin[bin];
		t->fraction[bin] = all > 0 && sum < all ? sum / all : 1;
		t->variance[bin] = all > 0 ? missed * choice(group, z, sum / all, all) +
					     floor * floor : BLIND;
	}
	t->variance[0] = 0;
}

/* How much wider, in variance, an interval of 95 % is of so many differences between bursts than of
 * any number: Student's t.  0: there are none. */
static double student(double differences)
{
	double freedom = (2 * differences + 1) / 3; /* the differences overlap */
	double ratio;

	if (differences <= 0)
		return 0;
	ratio = gsl_cdf_tdist_Pinv(0.975, freedom) / gsl_cdf_ugaussian_Pinv(0.975);
	return ratio * ratio;
}

/* The variance of the young below x, less a fraction t of all the young; per request. */
static double drift(const struct ws_sample_spread *all, const struct ws_drift *d, unsigned bin,
		    double t, double wider)
{
	double square = d->square[bin] - 2 * t * d->product[bin] + t * t * all->square;

	if (all->count <= 0)
		return 1;
	square = square > 0 ? square : 0;
	return wider * square / (2 * all->count) + UNSEEN * UNSEEN;
}

/* The standard deviation of an estimated distance x. */
static double place_deviation(const struct ws_sampler *s, size_t stack, double x)
{
	const struct ws_evenness *even = s->even + stack;
	double sets = (double)s->sets[stack], rate = s->level[s->active].rate, e = x * sets * rate;
	const struct ws_scatter *to = s->scatter + ws_sample_bin(x * sets);
	double scatter = to->expected > 1 ? 4 * to->square / to->expected : 1, uneven = 0;

	if (dispersion(even) > EVEN_MAX)
		return sqrt(e / sets + CHOSEN) / rate;
	if (stack && even->weight > 0 && dispersion(even) > 1)
		uneven = x * x * (dispersion(even) - 1) * even->expected / even->weight;
	scatter = scatter < 1 ? scatter : 1;
	scatter = sqrt(scatter * e * (1 - rate) + CHOSEN) / rate / sets;
	return sqrt(scatter * scatter + uneven);
}

/* Old requests at distance x or beyond. */
static double beyond(const struct estimate *e, double x)
{
	double here, after, first, next;
	uint32_t cell;

	if (x >= WS_SAMPLE_END || !e->beyond.len)
		return 0;
	if (x <= 0)
		return *e->beyond.at;
	cell = ws_cell((uint32_t)x, WS_DISTANCE_BITS);
	if (cell >= e->beyond.len)
		return 0;
	here = e->beyond.at[cell];
	after = cell + 1 < e->beyond.len ? e->beyond.at[cell + 1] : 0;
	first = ws_cell_first(cell, WS_DISTANCE_BITS);
	next = cell + 1 < CELLS ? ws_cell_first(cell + 1, WS_DISTANCE_BITS) : WS_SAMPLE_END;
	return here - (here - after) * (x - first) / (next - first);
}

static double variance_at(const struct estimate *e, const struct ws_sampler *s,
			  const struct tails *t, unsigned kind, size_t stack, double x)
{
	double q = x * (double)s->sets[stack], here = beyond(e, x), shift, v, deeper, shallower;
	double squared = s->spread[kind].squared + e->unmatched * e->unmatched;
	unsigned bin = ws_sample_bin(q), i = x < 1u << 16 ? ws_bin((uint32_t)x) : WS_BINS - 1;

	v = t->variance[bin];
	if (q > ws_sample_bin_first(bin) && bin + 1 < WS_SAMPLE_BINS && t->variance[bin + 1] > v)
		v = t->variance[bin + 1];
	v *= e->old * e->old;
	if (squared > 0)
		v += squared *
		     drift(s->spread + kind, s->drift[stack] + kind, i, 1 - t->fraction[bin],
			   t->wider);
	shift = 2 * place_deviation(s, stack, x);
	deeper = (here - beyond(e, x + shift)) / SURE;
	shallower = (beyond(e, x - shift) - here) / SURE;
	shift = deeper > shallower ? deeper : shallower;
	return v + shift * shift;
}

/* *to += v, rounded up, up to 2^64 - 1. */
static void add_up(uint64_t *to, double v)
{
	uint64_t x = v < 0x1p64 ? (uint64_t)ceil(v) : UINT64_MAX;

	*to = ws_add_sat(*to, x);
}

static bool add_variance(struct ws_histogram *h, struct estimate *e, const struct ws_sampler *s,
			 const struct tails *t, unsigned kind, size_t stack)
{
	double most = 0;

	if (!h->variance)
		h->variance = ws_alloc_zero(WS_BINS, sizeof *h->variance);
	if (!h->variance)
		return false;
	if (s->exact || e->total <= 0 || kind == WS_ATOMIC)
		return true;
	for (size_t i = e->beyond.len; i > 1; i--)
		e->beyond.at[i - 2] += e->beyond.at[i - 1];
	for (unsigned i = 0; i < WS_BINS - 1; i++)
		add_up(h->variance + i, variance_at(e, s, t, kind, stack, ws_bin_first(i)));
	for (double x = 1u << 16; x < WS_SAMPLE_END; x *= 2)
		for (unsigned i = 0; i < 4; i++) {
			double v = variance_at(e, s, t, kind, stack, x + x / 4 * i);

			most = v > most ? v : most;
		}
	add_up(h->variance + WS_BINS - 1, most);
	return true;
}

/* ---- all ---------------------------------------------------------------------------------- */

static bool end_kind(struct ws_sampler *s, struct ws_histogram *const *to, unsigned kind,
		     struct estimate *e)
{
	struct tails t;
	bool ok = true;

	weigh(e, s, WS_SAMPLE_REQUESTS, kind);
	if (!s->exact && e->total > 0) {
		choices(&t, s, kind);
		t.wider = student(s->spread[kind].count);
	}
	for (size_t i = 0; i < s->set_counts && ok; i++)
		ok = distribute(e, s, WS_SAMPLE_REQUESTS, kind, s->stack_of[i]) &&
		     add_requests(to[i] + kind, e) &&
		     add_variance(to[i] + kind, e, s, &t, kind, s->stack_of[i]);
	if (!s->sectored)
		return ok;
	weigh(e, s, WS_SAMPLE_SECTORS, kind);
	for (size_t i = 0; i < s->set_counts && ok; i++)
		ok = distribute(e, s, WS_SAMPLE_SECTORS, kind, s->stack_of[i]) &&
		     add_sectors(to[i] + kind, e);
	return ok;
}

/* The last chosen requests and the last period. */
static enum ws_status finish(struct ws_sampler *s, struct ws_err *err)
{
	enum ws_status status = ws_sampler_flush(s, err);
	bool ok = s->exact || ws_sampler_end_period(s);

	for (unsigned k = 0; k < WS_KINDS && s->levels; k++)
		for (unsigned what = 0; what < 2; what++)
			ok = ok && ws_old_spread(s->old[what] + k, s->stacks,
						 s->level + s->active);
	return status || ok ? status : ws_fail_memory(err, "the counts of a sampler");
}

enum ws_status ws_sampler_end(struct ws_sampler *s, struct ws_histogram *const *kind,
			      struct ws_err *err)
{
	struct estimate e = { 0 };
	enum ws_status status = finish(s, err);
	bool ok = true;

	for (unsigned k = 0; k < WS_KINDS && ok && status == WS_OK; k++)
		ok = end_kind(s, kind, k, &e);
	free(e.distance.at);
	free(e.capacity.at);
	free(e.beyond.at);
	return status || ok ? status : ws_fail_memory(err, "the estimates of a sample");
}
