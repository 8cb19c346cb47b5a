/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * model/time/stand.c -- stalls of the LSU, and of all warps that need it: contention stalls in
 * GPUMech (Huang et al. 2014).  It stalls in two cases.
 *
 * All ways of a set are reserved (l1.alloc = on-miss).  A fetch waits if the W-th last fetch of its
 * set began fewer cycles ago than a fetch takes; it waits for the rest of that time (struct
 * ws_detail: reservation).  In the nominal order nothing waits, so each of the W fetches of a burst
 * counts a wait that they share: the sum x is divided by W.  This is exact for a set that is always
 * full, where k fetches take k / W times one fetch.  But while the LSU waits for one set, fetches
 * of other sets go on.  So it stalls no longer than y: the time of all misses with R lines in
 * flight, R being the number of random fetches until some set is full (Klamkin and Newman 1967).
 * The stall is assumed to be x y / (x + y).
 *
 * An MSHR has taken all the requests it can.  The number of requests that a fetch serves is assumed
 * to be geometrically distributed, with the mean of the cold misses if no line is ever evicted.
 * Each fetch with more than mshr.merge requests stalls the LSU until it ends.  Fetches that a
 * smaller cache adds are assumed to serve few requests.
 */
#include "model/time/time.h"

#include <math.h>

#define WAYS_MOST 65536u	/* so many ways fill-to-reuse times are counted for */

/* Misses in flight until one finds all ways of its set reserved.  Lines fall into S sets at random
 * until one set has W + 1 of them, about ((W + 1)! S^W)^(1 / (W + 1)) lines (Klamkin and Newman
 * 1967). */
static double reservable(const struct ws_cache *l1, double sets)
{
	double more = (double)l1->ways + 1;
	int sign;

	return fmin((double)l1->sets * (more - 1),
		    exp((lgamma_r(more + 1, &sign) + (more - 1) * log(sets)) / more) *
		    tgamma(1 + 1 / more));
}

/* The effective number of sets: with lines spread evenly over so many, two lines of an SM would
 * share a set as often as they do. */
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

/* The sum of fetches' waits for a way of their set, with 2^i ways of LRU. */
static double waits_row(const struct ws_detail *d, unsigned i, const struct ws_fetches *fetch)
{
	double cycles = 0;

	for (unsigned k = 0; k < 2; k++) {
		struct ws_waiting w = { 0, 0 };

		for (uint32_t cell = 0; cell < WS_FILL_REUSE_CELLS; cell++)
			ws_waiting_add(&w, (double)d->reservation[i][cell],
				       ws_cell_first(cell, WS_FILL_REUSE_BITS),
				       ws_cell_first(cell + 1, WS_FILL_REUSE_BITS),
				       fetch->cycles[k]);
		cycles += w.cycles * fetch->fraction[k];
	}
	return cycles / (double)(1u << i);
}

/* Interpolates in the logarithm of the ways; beyond the most recorded ways it is constant. */
static double waits(const struct ws_detail *d, uint64_t ways, const struct ws_fetches *fetch)
{
	double at = fmin(log2((double)ways), WS_RESERVATION_WAYS - 1);
	unsigned i = (unsigned)at;

	if (at <= i)
		return waits_row(d, i, fetch);
	return (i + 1 - at) * waits_row(d, i, fetch) + (at - i) * waits_row(d, i + 1, fetch);
}

double ws_stand_sets(const struct ws_machine *m, const struct ws_geometry *g, double caches,
		     double misses, double lru_misses, const struct ws_fetches *fetch)
{
	double sum, most;

	if (m->l1.alloc != WS_ALLOC_ON_MISS || !m->l1.ways)
		return 0;
	sum = waits(g->detail, m->l1.ways, fetch) * ws_per(misses, lru_misses);
	most = misses * ws_fetches_mean(fetch) / reservable(&m->l1, sets_used(g, caches));
	return ws_per(sum * most, sum + most);
}

double ws_stand_mshrs(const struct ws_machine *m, const struct ws_geometry *g,
		      const struct ws_l2_demand *d, const struct ws_fetches *fetch)
{
	double cold = (double)g->kind[WS_LOAD].cold, miss = fmin(1, ws_per(d->misses, cold));
	const struct ws_fetches first = { { fetch->cycles[0], fetch->cycles[1] },
					  { 1 - miss, miss } };
	struct ws_waiting w = ws_waiting_hits(g->detail->fill_reuse + WS_LOAD, WAYS_MOST, &first);
	double each = ws_per(w.requests, cold);

	if (!m->l1.ways)
		return 0;
	return cold * ws_fetches_mean(&first) * pow(each / (1 + each), (double)m->l1.mshr_merge);
}
