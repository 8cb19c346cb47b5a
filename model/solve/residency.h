/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * model/solve/residency.h -- private: self-consistent hits of policies whose victims do not depend
 * on hits (Random, FIFO, a probability for each way).
 *
 * Unknown: hit[i], the fraction of references of type i that find their line.  Given hit[], each
 * reference inside a window is an eviction with probability x: 1 - hit of its type, or for COLD
 * references `evicting`, the fraction that come to a full set.  A rule gives the probability that a
 * line survives the evictions of its window: the new hit[i].
 *
 *   Hajek's correction: a set holds W lines, so while the line of the window is resident, others
 *   are less likely to be.  x grows by hit * x * pull, with pull = (1 - stay) / (V - less * own).
 *   stay: the mean fraction of the window for which the line is resident.  V: the variance of the
 *   number of resident lines if they were independent; half of it over all time, half as it is
 *   during the window.  own: the line's part of V (for n equal lines V - own is exact; elsewhere a
 *   part of it is better).
 *   Closure: the mean number of resident lines, O, equals what fits, T.  It determines one number
 *   that is unknown otherwise, `tune`: the strength of the pull, or how many COLD references evict.
 *
 * The map is iterated with Anderson's acceleration.  O(iterations * terms), plus the rule's cost.
 */
#ifndef WS_MODEL_SOLVE_RESIDENCY_H
#define WS_MODEL_SOLVE_RESIDENCY_H

#include "model/reuse.h"

struct ws_life {		/* of a line in a window; S: P(it is still resident) */
	double hit;		/* S at its end */
	double stay, square;	/* means of S and of S^2 over the window */
};

enum ws_survival_tune {
	WS_TUNE_PULL,		/* ln of a factor of the pull */
	WS_TUNE_EVICTING,	/* from evicting[0] at 0 to evicting[1] at 1 */
};

enum ws_survival_start {
	WS_START_LRU,		/* LRU's hits */
	WS_START_LEAST,		/* only immediate repeats hit */
	WS_START_HERE,		/* the present hits */
};

struct ws_survival {
	/* Set by the rule: */
	const struct ws_reuse *windows;
	double ways;
	enum ws_survival_tune tunes;
	double less;		/* the part of own that is left out of V */
	double evicting[2];	/* of COLD references: see tunes; else [0] */
	bool careful;		/* small steps: slower, but stays near the start */
	void (*live)(struct ws_survival *s, size_t row, double pull, struct ws_life *life);
	void *state;		/* of live() */
	/* Results: */
	double *hit;		/* [types] */
	double missing;		/* miss ratio */
	double occupancy;	/* O / T */
	double variance;	/* V */
	double tune;
	unsigned iterations;
	/* Private to the iteration: */
	double resident;	/* T */
	double *x, *more;	/* [types]; more: hit * x of finite types */
	double *stay, *own;	/* [rows] */
	double *opens;		/* [types]: mean of time * own of the windows that follow one */
	double *room;
};

/* live() must be set; it is not called here. */
enum ws_status ws_survival_init(struct ws_survival *s, const struct ws_reuse *windows,
				uint64_t ways, struct ws_err *err) WS_MUST_CHECK;
void ws_survival_clear(struct ws_survival *s);

/* pulls: false: without Hajek's correction.  iterations: the most. */
void ws_survival_solve(struct ws_survival *s, enum ws_survival_start start, bool pulls,
		       unsigned iterations);

/* LRU's misses by type, interpolated in the bin that holds the ways.  Overwrites x. */
double ws_survival_lru(struct ws_survival *s);

/* The uncertainty of an answer, in points: a sum of terms, each with a factor. */
struct ws_residency_uncertainty {
	double least;
	double lru, pull, start; /* of |missing - that of LRU, without the pull, from the other
				  * start|, each at most DOUBT_MOST */
	double chance;		/* factor of the standard deviation of so many independent draws */
	double wide;		/* half the interval, as a multiple of the sum */
	double low_confidence;		/* a larger sum is low confidence */
};
struct ws_survival_other { double lru, plain, start; }; /* miss ratios */

void ws_survival_judge(struct ws_solution *out, const struct ws_survival *s,
		       const struct ws_residency_uncertainty *uncertainty,
		    const struct ws_survival_other *other);

/* For live(): moment[k - 1] = sum of c x^k over the row's window, for k = 1 .. count. */
void ws_survival_moments(const struct ws_survival *s, size_t row, double pull, double *moment,
			 unsigned count);
/* Does the row's reference fetch the line, so that no residency precedes it? */
static inline bool ws_survival_fetches(const struct ws_reuse_row *row)
{
	return row->sort == WS_ROW_COLD || row->sort == WS_ROW_RELOAD;
}

#endif
