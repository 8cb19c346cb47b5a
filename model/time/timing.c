/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * model/time/timing.c -- time, from a profile: which hits are on data that is still on its way, how long
 * an access takes, how many cycles a kernel takes and what bounds them.
 *
 * Pending hits.  The profile's in-flight intervals say, for every number of ways, how many LRU hits
 * come how many cycles of the order after the fetch of what they find (struct ws_flights).  Those of
 * fewer cycles than a fetch takes are pending.  A fetch that hits in the L2 takes 2 N + T, N =
 * ws_icnt_cycles, T = ws_l2_cycles, others dram.latency more; which hits wait for which is not
 * known, so both are counted, weighted by the L2's load miss ratio.  In the nominal order that is
 * exact where a fetch takes as many cycles as a cell begins with, and interpolated within a cell.
 * Of other policies than LRU as large a share of the hits is taken to be pending.  An MSHR takes
 * mshr.merge requests: pending hits are at most so many less one for each miss, the rest are hits.
 *
 * L2.  A profile with an L2 behind such L1s predicts its misses.  Behind other L1s than recorded,
 * or another policy in them, the L2 is taken to miss as often, in numbers, as behind the recorded
 * ones of the nearest size, as what it misses is mostly seen for the first time.  Without any: the
 * cold misses of the L1s miss in the L2, too, and nothing else.
 *
 * Cycles: bound and bottleneck.  With U SMs that have work, and the busiest one's share of it,
 *
 *   issue      ops issued / schedulers
 *   lsu        look-ups: one a cycle and bank, at least one an instruction
 *   latency    Little's law: a warp's ops, a cycle each, and what it waits for data, over
 *              resident warps; it waits as often as in the profile's order, each time as long as its
 *              instruction's slowest request is expected to take; and the LSU stands still, below
 *   mshr       misses * a fetch / MSHRs
 *   send, receive   packets in cycles of an SM's port; to send takes credits, too, which come back
 *              2 N cycles after they went; nobody waits for a launch's last stores
 *   l2         look-ups: one a cycle and slice
 *   reply      packets in cycles of a slice's port; both only of as many slices as a kind's lines
 *              are in
 *   dram       bytes / dram.bandwidth
 *
 * are each the cycles that the kernel would take if nothing else took any.  They are combined by a
 * p-norm, as bounds that are near each other add to what either costs (Little 1961 for latency; the
 * rest is the roofline's argument, Williams et al. 2009, with more roofs).  But that is what they
 * take as far as one hides the other, and a wait is hidden by warps that have data.  Of n waits that
 * a warp's place sees one after the other the first is hidden by nothing: the n-th part of the time
 * is latency and then the largest other bound.  (A kernel that loads once and then stores takes
 * both.)  Issue, lsu and latency are scaled by what the same three say of a nominal order, whose
 * cycles are known: barriers, tails and uneven SMs are in it.
 *
 * Anchor.  A profile in the order of cycles knows what its own machine took in the simulator.  There
 * the three are scaled so that the whole is just that for that machine: what a schedule costs beyond
 * the bounds is taken to grow with the front.  Where that would take too large a scale, as the other
 * bounds alone are more, say, what is left scales the whole.
 *
 * The LSU stands still, and all warps that need it with it (contention stalls, in the words of GPUMech,
 * Huang et al. 2014), where
 *
 *   all ways of a set are reserved (on-miss)   A fetch whose set's W-th last one is less cycles ago
 *              than a fetch takes waits for the rest (struct ws_detail: crowd).  Nobody waits in the
 *              nominal order, so there W fetches of a burst each count what they wait together: the
 *              sum x is taken by W.  That is exact for a set that is always full, which takes k / W
 *              times a fetch for k of them.  But while the LSU waits for one set the fetches of
 *              others go on: it stands still no longer than y, what all misses take if no more than R
 *              lines are in flight at once, R those that random fetches reserve before some
 *              set is full (Klamkin and Newman 1967).  It is taken to be x y / (x + y).
 *   an MSHR has its fill of requests   How many requests a fetch serves is taken to be geometrically
 *              distributed, with the mean of the cold misses if no line is ever thrown out; each fetch
 *              that is asked for more often than mshr.merge stops the LSU until it ends.
 *              Those that a smaller cache adds are taken to serve few.
 */
#include "model/answers.h"

#include <math.h>
#include <string.h>

#define HEADER_BYTES 8.0	/* of a packet, validate/cycle/cycle.h */
#define WAYS_MOST 65536u	/* in-flight intervals are counted up to */
/* Chosen by the mean error of cycles over the kernels of the set dev in validate/cycles.csv: */
#define ALIKE 0.2		/* n requests miss as if n^ALIKE of them were independent */
/* By that, and the rank of configurations in the set dev: */
#define NORM 4.0		/* p */
#define FRONT_MOST 4.0		/* an anchored front is scaled by this at most, or its inverse */
#define FRONT_STEPS 50u		/* each halves the logarithm's interval */

const char *const ws_bound_names[] = { "issue", "lsu", "latency", "mshr", "send", "receive", "l2",
				       "reply", "dram", NULL };

/* ---- in-flight intervals ------------------------------------------------------------- */

struct flying {			/* hits that wait for a fetch of so many cycles */
	double requests, cycles; /* and how long they still do, together */
};

/* Those of a cell, whose first interval is `first`, and the next one's `next`. */
static void add_cell(struct flying *f, double requests, double first, double next, double fetch)
{
	double inside = fmin(next, fetch) - first;

	if (!(inside > 0) || !(requests > 0))
		return;
	requests *= inside / (next - first);
	f->requests += requests;
	f->cycles += requests * (fetch - first - (inside - 1) / 2);
}

static struct flying flying(const struct ws_flights *flights, uint64_t ways, double fetch)
{
	struct flying f = { 0, 0 };

	for (size_t i = 0, j; i < flights->count; i = j) {
		uint32_t cell = flights->entry[i].cell;
		int64_t requests = 0;

		for (j = i; j < flights->count && flights->entry[j].cell == cell; j++)
			if (flights->entry[j].ways <= ways)
				requests += flights->entry[j].change;
		add_cell(&f, (double)requests, ws_cell_first(cell, WS_FLIGHT_BITS),
			 ws_cell_first(cell + 1, WS_FLIGHT_BITS), fetch);
	}
	return f;
}

/* Of a cache's hits: first[] are cycles of a fetch, with share[] of fetches. */
struct fetches {
	double cycles[2], share[2];
};

static struct flying flying_of(const struct ws_flights *flights, uint64_t ways,
			       const struct fetches *fetch)
{
	struct flying sum = { 0, 0 };

	for (unsigned i = 0; i < 2; i++) {
		struct flying f = flying(flights, ways, fetch->cycles[i]);

		sum.requests += f.requests * fetch->share[i];
		sum.cycles += f.cycles * fetch->share[i];
	}
	return sum;
}

/* Moves hits to pending; returns the cycles that these wait, together.  lru: hits of LRU. */
static double take_pending(struct ws_counts *c, const struct flying *f, uint64_t lru)
{
	double scale = lru ? (double)c->hits / (double)lru : 0;
	double pending = fmin((double)c->hits, round(f->requests * scale));

	c->pending = (uint64_t)pending;
	c->hits -= c->pending;
	return f->requests > 0 ? f->cycles * (pending / f->requests) : 0;
}

/* An MSHR takes so many requests, the one that misses included: what finds no room waits before
 * the look-up, and then hits.  Returns those. */
static double limit_pending(struct ws_prediction *p, uint64_t merge, double *waited)
{
	double misses = (double)(p->kind[WS_LOAD].misses + p->kind[WS_ATOMIC].misses), left = 0;
	double pending = 0, most = misses * ((double)merge - 1);

	for (unsigned kind = 0; kind < WS_KINDS; kind++)
		pending += (double)p->kind[kind].pending;
	for (unsigned kind = 0; kind < WS_KINDS && pending > most; kind++) {
		struct ws_counts *c = p->kind + kind;
		uint64_t keep = (uint64_t)(most / pending * (double)c->pending);

		left += (double)(c->pending - keep);
		c->hits += c->pending - keep;
		c->pending = keep;
		waited[kind] *= most / pending;
	}
	return left;
}

/* What fill_pending() says beside the counts. */
struct waiting {
	double cycles[WS_KINDS]; /* that pending hits wait, together */
	double blocked;		/* requests that find no room in an MSHR */
	double lru_misses;	/* of loads, with LRU */
};

static enum ws_status fill_pending(const struct ws_answers *a, size_t section,
				   const struct ws_cache *cache, const struct fetches *fetch,
				   struct ws_prediction *p, struct waiting *w, struct ws_err *err)
{
	const struct ws_geometry *g = ws_section_geometry(a->profile->section + section,
							  cache->line_bytes, cache->sets);
	struct ws_cache plain = *cache;
	struct ws_prediction lru;
	enum ws_status status;

	if (!g || !g->detail)
		return ws_fail_remedy(err, WS_REMEDY_DETAIL, "pending hits are predicted from in-flight "
				      "intervals, and the profile holds distances alone: profile "
				      "all lines of the trace again, with details");
	snprintf(plain.policy, sizeof(plain.policy), "%s", ws_plain_policy()->name);
	status = ws_answers_predict(a, section, &plain, &lru, err);
	if (status)
		return status;
	for (unsigned kind = 0; kind < WS_KINDS; kind++) {
		struct flying f = flying_of(g->detail->flight + kind, cache->ways, fetch);

		w->cycles[kind] = take_pending(p->kind + kind, &f, lru.kind[kind].hits);
	}
	w->lru_misses = (double)lru.kind[WS_LOAD].misses;
	w->blocked = limit_pending(p, cache->mshr_merge, w->cycles);
	p->kind[WS_KINDS] = (struct ws_counts){ 0 };
	for (unsigned kind = 0; kind < WS_KINDS; kind++)
		ws_counts_add(p->kind + WS_KINDS, p->kind + kind);
	return WS_OK;
}

/* ---- the L2 -------------------------------------------------------------------------- */

/* What the L1s ask of it, and what of that it fetches.  Sectors are of 32 bytes. */
struct demand {
	double requests[WS_KINDS], sectors[WS_KINDS]; /* stores: of those sent */
	double misses, pending, blocked; /* of loads and atomics */
	double spread[WS_KINDS]; /* slices that they are spread over */
	double dram_bytes;
};

/* Nearest in size; of the same line if any is; of those of its very size that with its sets and ways, if
 * there is one. */
static const struct ws_behind *nearest(const struct ws_profile *p, const struct ws_cache *l1)
{
	const struct ws_behind *best = NULL;
	double least = 0, size = (double)(l1->sets * l1->ways * l1->line_bytes);

	for (size_t i = 0; i < p->behinds; i++) {
		const struct ws_filter *f = &p->behind[i].l1;
		double far = fabs(log2((double)(f->sets * f->ways * f->line_bytes) / size)) +
			     (f->line_bytes == l1->line_bytes ? 0 : 64) +
			     (f->sets == l1->sets && f->ways == l1->ways ? 0 : 1e-9);

		if (!best || far < least) {
			best = p->behind + i;
			least = far;
		}
	}
	return best;
}

/* The machine with L1s that the L2 was recorded behind. */
static struct ws_machine recorded(const struct ws_profile *p, const struct ws_machine *m,
				  const struct ws_behind *b)
{
	struct ws_machine with = *m;

	with.l1.line_bytes = b->l1.line_bytes;
	with.l1.sets = b->l1.sets;
	with.l1.ways = b->l1.ways;
	with.l1.size_bytes = b->l1.sets * b->l1.ways * b->l1.line_bytes;
	with.l1.sector_bytes = ws_shape_sector(&p->machine, b->l1.line_bytes);
	snprintf(with.l1.policy, sizeof(with.l1.policy), "%s", ws_plain_policy()->name);
	return with;
}

static double per(double x, double of)
{
	return of > 0 ? x / of : 0;
}

/* 32-byte sectors of a request of the kind, as far as known. */
static double sectors_of(const struct ws_geometry *g, unsigned kind)
{
	const struct ws_histogram *h = g->kind + kind;

	if (g->sector_bytes == g->line_bytes || !h->requests)
		return (double)(g->line_bytes / WS_SECTOR_BYTES);
	return per((double)h->sectors, (double)h->requests) *
	       (double)(g->sector_bytes / WS_SECTOR_BYTES);
}

/* Lines that the L2 throws out which were stored to. */
static double written_back(const struct ws_machine *m, const struct ws_prediction *l2)
{
	const struct ws_counts *all = l2->kind + WS_KINDS, *stores = l2->kind + WS_STORE;
	double lines = (double)(m->l2_slices * m->l2.sets * m->l2.ways);
	double out = fmax(0, (double)all->misses - lines);

	if (m->l2.write != WS_WRITE_BACK)
		return 0;
	return out * per((double)stores->misses, (double)all->misses);
}

/* Slices that hold so many lines. */
static double spread(const struct ws_machine *m, double lines)
{
	double chunks = lines * (double)m->l2.line_bytes / (double)m->l2_interleave_bytes;

	return fmin((double)m->l2_slices, fmax(1, chunks));
}

/* From an L2's profile; loads: those that the L1s are predicted to fetch, in requests of the L1. */
static enum ws_status demand_of(const struct ws_answers *a, size_t section,
				const struct ws_machine *m, double loads, struct demand *d,
				struct ws_timing *out, struct ws_err *err)
{
	const struct ws_behind *b = nearest(a->profile, &m->l1);
	const struct ws_machine with = recorded(a->profile, m, b);
	const struct ws_answers *l2 = a->behind[b - a->profile->behind];
	const struct ws_cache whole = ws_l2_whole(&with);
	const struct fetches fetch = { { (double)m->dram_latency_cycles, 0 }, { 1, 0 } };
	const struct ws_geometry *g;
	struct ws_prediction first;
	struct waiting waiting = { .blocked = 0 };
	double scale, fetched;
	double launches = (double)b->l2->section[section].launches;
	enum ws_status status = ws_answers_predict_l2(a, section, &with, &out->l2, err);

	if (!status)
		status = ws_answers_predict(a, section, &with.l1, &first, err);
	if (status)
		return status;
	g = ws_section_geometry(b->l2->section + section, m->l2.line_bytes,
				m->l2.sets * m->l2_slices);
	if (g->detail) {
		status = fill_pending(l2, section, &whole, &fetch, &out->l2, &waiting, err);
		if (status)
			return status;
	}
	d->blocked = waiting.blocked;
	fetched = (double)first.kind[WS_LOAD].misses;
	scale = fetched > 0 ? loads / fetched : 1;
	for (unsigned kind = 0; kind < WS_KINDS; kind++) {
		d->requests[kind] = (double)out->l2.kind[kind].requests;
		if (kind == WS_LOAD)
			d->requests[kind] *= scale;
		d->sectors[kind] = d->requests[kind] * sectors_of(g, kind);
		d->spread[kind] = spread(m, (double)g->kind[kind].cold / launches);
	}
	d->misses = fmin(d->requests[WS_LOAD], (double)out->l2.kind[WS_LOAD].misses) +
		    (double)out->l2.kind[WS_ATOMIC].misses;
	d->pending = fmin(d->requests[WS_LOAD] + d->requests[WS_ATOMIC] - d->misses,
			  (double)(out->l2.kind[WS_LOAD].pending +
				   out->l2.kind[WS_ATOMIC].pending));
	d->dram_bytes = d->misses * sectors_of(g, WS_LOAD) + written_back(m, &out->l2) *
			sectors_of(g, WS_STORE);
	d->dram_bytes *= WS_SECTOR_BYTES;
	return WS_OK;
}

/* The assumption for a profile without one. */
static void assume(const struct ws_machine *m, const struct ws_geometry *g,
		   const struct ws_prediction *l1, struct demand *d)
{
	for (unsigned kind = 0; kind < WS_KINDS; kind++) {
		const struct ws_counts *c = l1->kind + kind;

		d->requests[kind] = (double)(kind == WS_STORE ? c->requests : c->misses);
		d->sectors[kind] = d->requests[kind] * sectors_of(g, kind);
		d->spread[kind] = (double)m->l2_slices;
	}
	d->misses = (double)l1->kind[WS_LOAD].cold;
	d->dram_bytes = d->misses * sectors_of(g, WS_LOAD) * WS_SECTOR_BYTES;
}

/* ---- how long an access takes -------------------------------------------------------- */

static struct fetches fetch_cycles(const struct ws_machine *m, const struct demand *d)
{
	double asked = d->requests[WS_LOAD] + d->requests[WS_ATOMIC];
	double hit = (double)(2 * ws_icnt_cycles(m) + ws_l2_cycles(m));
	double miss = per(d->misses + d->pending / 2, asked);

	miss = fmin(1, miss);
	hit += per(d->blocked, asked) * (double)m->dram_latency_cycles;
	return (struct fetches){ { hit, hit + (double)m->dram_latency_cycles },
				 { 1 - miss, miss } };
}

static double mean_fetch(const struct fetches *f)
{
	return f->cycles[0] * f->share[0] + f->cycles[1] * f->share[1];
}

/* What an instruction waits for. */
struct access {
	double miss, pending, atomic; /* shares: of loads' requests; of atomics among both */
	double l1, fetch, rest;	/* cycles: of a hit; more for a miss, for a pending hit */
};

/* Of an instruction's n requests the slowest. */
static double slowest(const struct access *a, double n, double banks)
{
	double alike = pow(n, ALIKE), none = pow(1 - a->miss, alike);
	double calm = pow(1 - fmin(1, a->miss + a->pending), alike);
	double load = (1 - none) * a->fetch + (none - calm) * a->rest;

	return a->l1 + (n - 1) / banks + (1 - a->atomic) * load + a->atomic * a->fetch;
}

static double atomics(const struct ws_prediction *p)
{
	double loads = (double)p->kind[WS_LOAD].requests, n = (double)p->kind[WS_ATOMIC].requests;

	return per(n, loads + n);
}

/* ---- bounds -------------------------------------------------------------------------- */

struct work {			/* of the busiest SM */
	double launches;
	double sms;		/* with work */
	double share;		/* of all work */
	double warps;		/* resident */
	double requests_each;	/* of an instruction */
	double wait;		/* cycles of one, without queues */
	double alone;		/* share of the waits that nothing hides */
	double stand;		/* cycles that its LSU stands still */
};

static struct work work_of(const struct ws_section *s, const struct ws_machine *m)
{
	double ctas = (double)s->ctas / (double)s->launches;
	double threads = (double)(s->block[0] * s->block[1] * s->block[2]);
	struct work w = { .launches = (double)s->launches, .sms = fmin((double)m->sm_count, ctas) };
	double most = ceil(ctas / w.sms), waits;

	w.share = per(most, ctas);
	w.warps = fmin((double)s->resident_ctas, most) * ceil(threads / (double)m->warp_width);
	waits = per((double)s->waits * w.share, w.warps * w.launches);
	w.alone = fmin(waits, per(1, waits)); /* less than one: so few warps wait at all */
	return w;
}

static double norm(const double *bound, unsigned upto)
{
	double sum = 0, most = 0;

	for (unsigned i = 0; i < upto; i++)
		most = fmax(most, bound[i]);
	for (unsigned i = 0; i < upto && most > 0; i++)
		sum += pow(bound[i] / most, NORM);
	return most * pow(sum, 1 / NORM);
}

/* Cycles of all bounds before upto. */
static double together(const double *bound, unsigned upto, const struct work *w)
{
	double hidden = norm(bound, upto), most = 0;

	for (unsigned i = 0; i < upto; i++)
		if (i != WS_BOUND_LATENCY)
			most = fmax(most, bound[i]);
	return hidden + w->alone * (bound[WS_BOUND_LATENCY] + most - hidden);
}

/* The bounds of the SM's front: issue, lsu, latency. */
static void front(const struct ws_section *s, const struct work *w, double schedulers, double banks,
		  double requests, double wait, double *bound)
{
	double ops = (double)s->issued, memory = (double)s->warp_instructions;

	bound[WS_BOUND_ISSUE] = ops * w->share / schedulers;
	bound[WS_BOUND_LSU] = (memory + fmax(0, requests - memory) / banks) * w->share;
	bound[WS_BOUND_LATENCY] = (ops + (double)s->waits * wait) * w->share / w->warps;
}

/* Cycles of a port for packets of so many sectors each. */
static double port(double packets, double sectors, const struct ws_machine *m)
{
	double size = HEADER_BYTES + WS_SECTOR_BYTES * per(sectors, packets);

	return packets * fmax(1, ceil(size / (double)m->icnt_width - 1e-9));
}

/* ---- the LSU stands still ------------------------------------------------------------ */

/* Misses in flight until one finds all ways of its set reserved: lines that fall into sets at
 * random until one of S sets has W + 1 of them, some ((W + 1)! S^W)^(1 / (W + 1)) (Klamkin and
 * Newman 1967). */
static double reservable(const struct ws_cache *l1, double sets)
{
	double more = (double)l1->ways + 1;

	return fmin((double)l1->sets * (more - 1),
		    exp((lgamma(more + 1) + (more - 1) * log(sets)) / more) * tgamma(1 + 1 / more));
}

/* As many sets as, with lines spread evenly, would make two of an SM's lines fall into one set as
 * often as they do.  caches: SMs * launches. */
static double sets_used(const struct ws_geometry *g, double caches)
{
	double lines = 0, squares = 0;

	for (uint32_t i = 0; i < WS_DEPTH_CELLS; i++) {
		double sets = (double)g->detail->arrivals[i];
		double k = ws_cell_first(i, WS_DEPTH_BITS) + 1;

		lines += sets;
		squares += sets * (2 * k - 1);
	}
	lines /= caches;
	squares /= caches;
	return squares > lines ? fmax(1, lines * (lines - 1) / (squares - lines)) : HUGE_VAL;
}

/* What fetches wait for a way of their set, each on its own, with 2^i ways of LRU. */
static double crowd_row(const struct ws_detail *d, unsigned i, const struct fetches *fetch)
{
	double cycles = 0;

	for (unsigned k = 0; k < 2; k++) {
		struct flying f = { 0, 0 };

		for (uint32_t cell = 0; cell < WS_FLIGHT_CELLS; cell++)
			add_cell(&f, (double)d->crowd[i][cell],
				 ws_cell_first(cell, WS_FLIGHT_BITS),
				 ws_cell_first(cell + 1, WS_FLIGHT_BITS), fetch->cycles[k]);
		cycles += f.cycles * fetch->share[k];
	}
	return cycles / (double)(1u << i);
}

/* Between the numbers of ways that are there on their logarithm; more than the most as the most. */
static double crowd(const struct ws_detail *d, uint64_t ways, const struct fetches *fetch)
{
	double at = fmin(log2((double)ways), WS_CROWD_WAYS - 1);
	unsigned i = (unsigned)at;

	if (at <= i)
		return crowd_row(d, i, fetch);
	return (i + 1 - at) * crowd_row(d, i, fetch) + (at - i) * crowd_row(d, i + 1, fetch);
}

/* For ways, on all SMs. */
static double full_sets(const struct ws_machine *m, const struct ws_geometry *g, double caches,
			double misses, double lru_misses, const struct fetches *fetch)
{
	double sum, most;

	if (m->l1.alloc != WS_ALLOC_ON_MISS)
		return 0;
	sum = crowd(g->detail, m->l1.ways, fetch) * per(misses, lru_misses);
	most = misses * mean_fetch(fetch) / reservable(&m->l1, sets_used(g, caches));
	return per(sum * most, sum + most);
}

/* For MSHRs with their fill, on all SMs. */
static double full_mshrs(const struct ws_machine *m, const struct ws_geometry *g,
			 const struct demand *d, const struct fetches *fetch)
{
	double cold = (double)g->kind[WS_LOAD].cold, miss = fmin(1, per(d->misses, cold));
	const struct fetches first = { { fetch->cycles[0], fetch->cycles[1] }, { 1 - miss, miss } };
	struct flying f = flying_of(g->detail->flight + WS_LOAD, WAYS_MOST, &first);
	double each = per(f.requests, cold);

	return cold * mean_fetch(&first) * pow(each / (1 + each), (double)m->l1.mshr_merge);
}

/* ---- all of them --------------------------------------------------------------------- */

/* What an SM sends: packets, stores of them, that take so many cycles of its port.  A launch ends
 * with its last warp, which does not wait for stores: the last may still be in the queue then, and
 * for credits that would come back after it nothing waits. */
static double sending(const struct ws_machine *m, const struct work *w, double stores,
		      double packets, double port_cycles)
{
	double left = fmin(stores, w->launches * (double)m->l1_queue);
	double go = packets - left, first = fmin(go, w->launches * (double)m->icnt_credits);
	double back = 2 * (double)ws_icnt_cycles(m) / (double)m->icnt_credits;
	double each = per(port_cycles, packets);

	return fmax(go * each, first * each + (go - first) * back);
}

static void back(const struct ws_machine *m, const struct work *w, const struct demand *d,
		 const struct ws_counts *l1, double fetch, double *bound)
{
	double loads = d->requests[WS_LOAD], stores = d->requests[WS_STORE];
	double atomic = d->requests[WS_ATOMIC];
	double data = port(loads, d->sectors[WS_LOAD], m);
	double atomic_data = port(atomic, d->sectors[WS_ATOMIC], m);
	double sent = loads + port(stores, d->sectors[WS_STORE], m) + atomic_data;

	bound[WS_BOUND_MSHR] = (double)l1->misses * w->share * fetch /
			       (double)m->l1.mshr_entries;
	bound[WS_BOUND_SEND] = sending(m, w, stores * w->share, (loads + stores + atomic) * w->share,
				       sent * w->share);
	bound[WS_BOUND_RECEIVE] = (data + atomic_data) * w->share;
	bound[WS_BOUND_L2] = loads / d->spread[WS_LOAD] + stores / d->spread[WS_STORE] +
			     atomic / d->spread[WS_ATOMIC];
	bound[WS_BOUND_REPLY] = data / d->spread[WS_LOAD] + atomic_data / d->spread[WS_ATOMIC];
	bound[WS_BOUND_DRAM] = d->dram_bytes / (double)m->dram_bandwidth;
}

/* All but the correction: counts, times without queues, bounds of which the front's are not scaled
 * and latency is without w->stand. */
static void estimate(const struct ws_section *s, const struct ws_machine *m,
		     const struct demand *d, const struct fetches *fetch,
		     const struct waiting *waiting, struct work *w, struct ws_timing *out)
{
	const struct ws_counts *loads = out->l1.kind + WS_LOAD;
	const struct ws_geometry *g = ws_section_geometry(s, m->l1.line_bytes, m->l1.sets);
	double requests = (double)out->l1.kind[WS_KINDS].requests;
	struct access access = {
		.miss = per((double)loads->misses, (double)loads->requests),
		.pending = per((double)loads->pending, (double)loads->requests),
		.atomic = atomics(&out->l1),
		.l1 = (double)m->l1.latency_cycles, .fetch = mean_fetch(fetch),
		.rest = per(waiting->cycles[WS_LOAD], (double)loads->pending),
	};

	*w = work_of(s, m);
	w->requests_each = fmax(1, per(requests, (double)s->warp_instructions));
	out->fetch_cycles = access.fetch;
	out->access_cycles = access.l1 + access.miss * access.fetch + access.pending * access.rest;
	w->wait = slowest(&access, w->requests_each, (double)m->l1_banks);
	front(s, w, (double)m->sm_schedulers, (double)m->l1_banks, requests, w->wait, out->bound);
	w->stand = w->share * (full_sets(m, g, w->sms * (double)s->launches,
					 (double)loads->misses, waiting->lru_misses, fetch) +
			       full_mshrs(m, g, d, fetch));
	back(m, w, d, loads, out->fetch_cycles, out->bound);
	out->load_cycles = w->wait;
}

static enum ws_status uncorrected(const struct ws_answers *a, size_t section,
				  const struct ws_machine *asked, struct work *w,
				  struct ws_timing *out, struct ws_err *err)
{
	const struct ws_profile *p = a->profile;
	const struct ws_section *s = p->section + section;
	struct demand d = { .misses = 0 };
	struct fetches fetch;
	struct waiting waiting = { .blocked = 0 };
	struct ws_machine own;
	const struct ws_machine *m = &own;
	enum ws_status status = ws_section_machine(s, asked, &own, err);

	memset(out, 0, sizeof(*out));
	if (!status)
		status = ws_plain_check(&m->l1, "time is", err);
	if (!status)
		status = ws_answers_predict(a, section, &m->l1, &out->l1, err);
	if (status)
		return status;
	out->l2_assumed = !p->behinds;
	if (p->behinds)
		status = demand_of(a, section, m, (double)out->l1.kind[WS_LOAD].misses, &d, out,
				   err);
	else
		assume(m, ws_section_geometry(s, m->l1.line_bytes, m->l1.sets), &out->l1, &d);
	out->dram_bytes = d.dram_bytes;
	fetch = fetch_cycles(m, &d);
	if (!status)
		status = fill_pending(a, section, &m->l1, &fetch, &out->l1, &waiting, err);
	if (!status)
		estimate(s, m, &d, &fetch, &waiting, w, out);
	return status;
}

/* ---- corrections from what is known -------------------------------------------------- */

struct correction {
	double front;		/* of its bounds */
	double all;		/* of cycles */
	double anchor;		/* cycles of the own machine, simulated; 0: not known */
};

/* What the nominal order took, over what the same bounds say of it. */
static enum ws_status from_nominal(const struct ws_answers *a, size_t section,
				   const struct work *w, double *out, struct ws_err *err)
{
	const struct ws_section *s = a->profile->section + section;
	struct ws_machine own;
	struct ws_cache plain;
	struct ws_prediction p;
	double bound[WS_BOUNDS] = { 0 }, said;
	struct access access;
	enum ws_status status = ws_section_machine(s, &a->profile->machine, &own, err);

	*out = 1;
	if (status)
		return status;
	plain = own.l1;
	access = (struct access){ .l1 = (double)own.l1.latency_cycles,
				  .fetch = (double)own.l2.latency_cycles };
	if (!ws_section_geometry(s, plain.line_bytes, plain.sets) || !s->issued)
		return WS_OK;
	snprintf(plain.policy, sizeof(plain.policy), "%s", ws_plain_policy()->name);
	status = ws_answers_predict(a, section, &plain, &p, err);
	if (status)
		return status;
	access.miss = per((double)p.kind[WS_LOAD].misses, (double)p.kind[WS_LOAD].requests);
	access.atomic = atomics(&p);
	front(s, w, (double)own.sm_schedulers, 1, (double)p.kind[WS_KINDS].requests,
	      slowest(&access, w->requests_each, 1), bound);
	said = together(bound, WS_BOUND_MSHR, w);
	if (said > 0)
		*out = (double)s->cycles / said;
	return WS_OK;
}

static void corrected(const struct work *w, double front, double *bound)
{
	for (unsigned i = 0; i < WS_BOUND_MSHR; i++)
		bound[i] *= front;
	bound[WS_BOUND_LATENCY] += w->stand;
}

static double cycles_with(const struct ws_timing *t, const struct work *w, double front)
{
	double bound[WS_BOUNDS];

	memcpy(bound, t->bound, sizeof(bound));
	corrected(w, front, bound);
	return together(bound, WS_BOUNDS, w);
}

/* What makes the own machine take as long as it did in the simulation. */
static struct correction solve(const struct ws_timing *own, const struct work *w, double cycles)
{
	double low = 1 / FRONT_MOST, high = FRONT_MOST;
	struct correction c = { .anchor = cycles };

	for (unsigned i = 0; i < FRONT_STEPS; i++) {
		c.front = sqrt(low * high);
		if (cycles_with(own, w, c.front) < cycles)
			low = c.front;
		else
			high = c.front;
	}
	c.all = cycles / cycles_with(own, w, c.front);
	return c;
}

static enum ws_status correction(const struct ws_answers *a, size_t section,
				 const struct work *w, struct correction *c, struct ws_err *err)
{
	const struct ws_section *s = a->profile->section + section;
	struct ws_timing own;
	struct work work;
	struct ws_err inner = { 0 };
	enum ws_status status;

	*c = (struct correction){ .front = 1, .all = 1 };
	if (a->profile->order == WS_ORDER_NOMINAL)
		return from_nominal(a, section, w, &c->front, err);
	status = uncorrected(a, section, &a->profile->machine, &work, &own, &inner);
	/* Its own geometry, say, need not be in the profile. */
	if (status == WS_EINVAL || (!status && !(cycles_with(&own, &work, 1) > 0)))
		return WS_OK;
	if (status)
		return ws_fail_as(err, &inner);
	*c = solve(&own, &work, (double)s->cycles);
	return WS_OK;
}

/* Cycles if requests wait only behind the LSU: what does not get past it has not been issued, and
 * is no part of a load's latency. */
static double beyond_lsu(const double *bound, const struct work *w)
{
	double some[WS_BOUNDS];

	memcpy(some, bound, sizeof(some));
	some[WS_BOUND_MSHR] = some[WS_BOUND_SEND] = 0;
	return together(some, WS_BOUNDS, w);
}

/* What follows from the bounds. */
static void sum_up(const struct ws_section *s, const struct work *w, const struct correction *c,
		   struct ws_timing *out)
{
	double misses = (double)out->l1.kind[WS_LOAD].misses;
	double sm = together(out->bound, WS_BOUND_MSHR, w);

	out->cycles = c->all * together(out->bound, WS_BOUNDS, w);
	out->anchor_cycles = c->anchor;
	for (unsigned i = 0; i < WS_BOUNDS; i++)
		if (out->bound[i] > out->bound[out->binds])
			out->binds = (enum ws_bound)i;
	out->load_cycles += per((beyond_lsu(out->bound, w) - sm) * w->warps,
				(double)s->waits * w->share);
	out->mshrs = per(misses * out->fetch_cycles, out->cycles * w->sms);
}

/* ---- answers ------------------------------------------------------------------------- */

enum ws_status ws_answers_timing(const struct ws_answers *a, size_t section,
				 const struct ws_machine *m, struct ws_timing *out,
				 struct ws_err *err)
{
	const struct ws_section *s = a->profile->section + section;
	struct correction c;
	struct work w;
	enum ws_status status = uncorrected(a, section, m, &w, out, err);

	if (!status)
		status = correction(a, section, &w, &c, err);
	if (status)
		return status;
	corrected(&w, c.front, out->bound);
	if (s->issued)
		sum_up(s, &w, &c, out);
	return WS_OK;
}
