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

/* Adds a cell of intervals that begins at `first`, the next one beginning at `next`: those of
 * fewer than `fetch` cycles wait for the rest of them. */
void ws_waiting_add(struct ws_waiting *w, double requests, double first, double next,
		    double fetch);

/* Of LRU hits with so many ways. */
struct ws_waiting ws_waiting_hits(const struct ws_fill_reuses *fill_reuses, uint64_t ways,
				  const struct ws_fetches *fetch);

struct ws_pending {
	double cycles[WS_KINDS]; /* that pending hits wait, together */
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
	double spread[WS_KINDS]; /* slices that they are spread over */
	double dram_bytes;
};

/* out->l1 is there; out->l2 and out->l2_assumed are set. */
enum ws_status ws_l2_demand_find(const struct ws_model *a, size_t section,
				 const struct ws_machine *m, struct ws_l2_demand *d,
				 struct ws_timing *out, struct ws_err *err) WS_MUST_CHECK;

/* ---- bounds ------------------------------------------------------------------------------ */

struct ws_busiest {		/* SM */
	double launches;
	double sms;		/* with work */
	double fraction;		/* of all work */
	double warps;		/* resident */
	double requests_each;	/* of an instruction */
	double alone;		/* fraction of the waits that nothing hides */
	double stand;		/* cycles that its LSU is stalled */
};

struct ws_bound_case {		/* what cycles follow from */
	const struct ws_section *section;
	const struct ws_machine *machine;
	const struct ws_busiest *busiest;
	double banks;		/* of its L1 */
	double requests;	/* of all L1s */
	double wait;		/* cycles of an instruction that waits for data */
	/* Not for the bounds of the SM's front: */
	const struct ws_l2_demand *demand;
	double misses;		/* loads of all L1s */
	double fetch;		/* cycles */
};

struct ws_bound_row {
	const char *name, *what;
	double (*cycles)(const struct ws_bound_case *c); /* if nothing else took any */
};

extern const struct ws_bound_row ws_bound_rows[WS_BOUNDS];

/* ---- the LSU stands still, on all SMs ---------------------------------------------------- */

/* As all ways of a set are reserved.  caches: SMs * launches; misses: loads. */
double ws_stand_sets(const struct ws_machine *m, const struct ws_geometry *g, double caches,
		     double misses, double lru_misses, const struct ws_fetches *fetch);
/* As an MSHR has its fill of requests. */
double ws_stand_mshrs(const struct ws_machine *m, const struct ws_geometry *g,
		      const struct ws_l2_demand *d, const struct ws_fetches *fetch);

#endif
