/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * model/time/time.h -- private: shared by the files of the model of time.
 *
 *   pending.c   which hits wait for a fetch, and how long
 *   demand.c    the L1s' requests to the L2, and its fetches
 *   stand.c     stalls of the LSU by reserved sets
 *   bounds.c    one row for each bound
 *   timing.c    the sum of these, and corrections
 */
#ifndef WS_MODEL_TIME_TIME_H
#define WS_MODEL_TIME_TIME_H

#include "model/answers.h"

static inline double ws_per(double x, double of)
{
	return of > 0 ? x / of : 0;
}

/* ---- fetches, and what waits for them ---------------------------------------------------- */

/* A fetch takes cycles[i] with probability fraction[i]: the data is in the next level, or not. */
struct ws_fetches {
	double cycles[2], fraction[2];
};

static inline double ws_fetches_mean(const struct ws_fetches *f)
{
	return f->cycles[0] * f->fraction[0] + f->cycles[1] * f->fraction[1];
}

struct ws_waiting {		/* requests whose data is being fetched */
	double requests;
	double cycles;		/* sum of their remaining waits */
};

/* Adds a cell of intervals from `first` up to `next`.  Intervals shorter than `fetch` cycles wait
 * for the rest of the fetch. */
void ws_waiting_add(struct ws_waiting *w, double requests, double first, double next,
		    double fetch);

/* Of LRU hits with this number of ways. */
struct ws_waiting ws_waiting_hits(const struct ws_fill_reuses *fill_reuses, uint64_t ways,
				  const struct ws_fetches *fetch);

struct ws_pending {
	double cycles[WS_KINDS]; /* cycles: sum of the pending hits' waits */
	double blocked;		/* requests that find no room in an MSHR */
	double lru_misses;	/* of loads, with LRU */
};

/* Turns some of the prediction's hits into pending hits.  WS_EINVAL: the profile has no
 * intervals. */
enum ws_status ws_pending_take(const struct ws_model *a, size_t section,
			       const struct ws_cache *cache, const struct ws_fetches *fetch,
			       struct ws_prediction *p, struct ws_pending *out,
			       struct ws_err *err) WS_MUST_CHECK;

/* ---- the L2 ------------------------------------------------------------------------------ */

struct ws_l2_demand {
	double requests[WS_KINDS], sectors[WS_KINDS]; /* stores: of those sent; sectors of 32 B */
	double misses, pending, blocked; /* of loads and atomics */
	double spread[WS_KINDS]; /* slices over which they are spread */
	double dram_bytes;
};

/* out->l1 must be set; sets out->l2 and out->l2_assumed. */
enum ws_status ws_l2_demand_find(const struct ws_model *a, size_t section,
				 const struct ws_machine *m, struct ws_l2_demand *d,
				 struct ws_timing *out, struct ws_err *err) WS_MUST_CHECK;

/* ---- bounds ------------------------------------------------------------------------------ */

struct ws_busiest {		/* SM */
	double launches;
	double sms;		/* with work */
	double fraction;		/* of all work */
	double warps;		/* resident */
	double requests_each;	/* requests of an instruction */
	double alone;		/* fraction of the waits that no other warp hides */
	double stand;		/* cycles that its LSU is stalled */
};

struct ws_bound_case {		/* what the bounds are computed from */
	const struct ws_section *section;
	const struct ws_machine *machine;
	const struct ws_busiest *busiest;
	double banks;		/* of its L1 */
	double requests;	/* of all L1s */
	double wait;		/* cycles that an instruction waits for data */
	/* Not read by the bounds of the SM's front: */
	const struct ws_l2_demand *demand;
	double misses;		/* loads of all L1s */
	double fetch;		/* cycles */
};

struct ws_bound_row {
	const char *name, *what;
	double (*cycles)(const struct ws_bound_case *c); /* if it were the only limit */
};

extern const struct ws_bound_row ws_bound_rows[WS_BOUNDS];

/* ---- the LSU stands still, on all SMs ---------------------------------------------------- */

/* Stalls because all ways of a set are reserved.  caches: SMs * launches; misses: of loads. */
double ws_stand_sets(const struct ws_machine *m, const struct ws_geometry *g, double caches,
		     double misses, double lru_misses, const struct ws_fetches *fetch);
/* Stalls because an MSHR takes no more requests. */
double ws_stand_mshrs(const struct ws_machine *m, const struct ws_geometry *g,
		      const struct ws_l2_demand *d, const struct ws_fetches *fetch);

#endif
