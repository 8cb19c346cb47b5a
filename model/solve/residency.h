/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * model/solve/residency.h -- private: self-consistent hits of policies under which a line dies of
 * evictions alone, hit or not (Random, FIFO, a probability for each way).
 *
 * Unknown: hit[i], the fraction of references of type i that find their line.  Given it, each
 * reference inside a window is an eviction with a probability x (1 - hit of its type; of COLD
 * references `evicting`, those that come to a full set).  A rule says how likely a line
 * survives the evictions of its window; that is the new hit[i].
 *
 *   Hajek's correction: the set holds W lines, so while the line of the window is resident others
 *   are less likely to be.  x grows by hit x pull, pull = (1 - stay) / (V - less own); stay: mean
 *   fraction of the window that the line is resident; V: variance of the number of residents, were
 *   they independent, half of it over all time, half as it is while the window lasts; own: the
 *   line's part of V (of n equal lines V - own is exact; elsewhere less is better).
 *   Closure: the mean number of residents O is what fits, T.  It decides one number that
 *   is not known otherwise, `tune`: how strong the pull is, or how many COLD references evict.
 *
 * The map is iterated with Anderson's acceleration.  O(iterations * terms), and what the rule
 * takes.
 */
#ifndef WS_MODEL_SOLVE_LIVES_H
#define WS_MODEL_SOLVE_LIVES_H

#include "model/reuse.h"

struct ws_life {		/* of the line in a window, S: its survival */
	double hit;		/* S at its end */
	double stay, square;	/* means of S and of S^2 over the window */
};

enum ws_lives_tune {
	WS_TUNE_PULL,		/* ln of a factor of the pull */
	WS_TUNE_EVICTING,	/* from evicting[0] at 0 to evicting[1] at 1 */
};

enum ws_lives_start {
	WS_START_LRU,		/* what LRU hits */
	WS_START_LEAST,		/* immediate repeats alone */
	WS_START_HERE,		/* the hits that there are */
};

struct ws_lives {
	/* Set by the rule: */
	const struct ws_reuse *windows;
	double ways;
	enum ws_lives_tune tunes;
	double less;		/* of own is left out of V */
	double evicting[2];	/* of COLD references: see tunes; else [0] */
	bool careful;		/* takes no large steps: slower, keeps to where the start leads */
	void (*live)(struct ws_lives *s, size_t row, double pull, struct ws_life *life);
	void *state;		/* of live() */
	/* Results: */
	double *hit;		/* [types] */
	double missing;		/* miss ratio */
	double occupancy;	/* O / T */
	double variance;	/* V */
	double tune;
	unsigned iterations;
	/* The iterations' own: */
	double resident;	/* T */
	double *x, *more;	/* [types]; more: hit * x of finite types */
	double *stay, *own;	/* [rows] */
	double *opens;		/* [types]: mean of time * own of the windows that follow one */
	double *room;
};

/* live() must be set, and is not called. */
enum ws_status ws_lives_init(struct ws_lives *s, const struct ws_reuse *windows, uint64_t ways,
			     struct ws_err *err) WS_MUST_CHECK;
void ws_lives_clear(struct ws_lives *s);

/* pulls: false leaves Hajek's correction out.  iterations: at most. */
void ws_lives_solve(struct ws_lives *s, enum ws_lives_start start, bool pulls, unsigned iterations);

/* What LRU misses, by types as here: of the bin that the ways cut, a fraction.  Spoils x. */
double ws_lives_lru(struct ws_lives *s);

/* How far off answers are, in points: a sum, of each term so much a point. */
struct ws_residency_uncertainty {
	double least;
	double lru, pull, start; /* of |missing - that of LRU, without the pull, from the other
				  * start|, each at most DOUBT_MOST */
	double chance;		/* of the standard deviation of so many independent draws */
	double wide;		/* the interval is so many times that, each way */
	double low_confidence;		/* more than that is low confidence */
};
struct ws_lives_other { double lru, plain, start; }; /* miss ratios */

void ws_lives_judge(struct ws_solution *out, const struct ws_lives *s,
		    const struct ws_residency_uncertainty *uncertainty,
		    const struct ws_lives_other *other);

/* For live(): moment[k - 1] = sum of c x^k over the row's window, k = 1 .. count. */
void ws_lives_moments(const struct ws_lives *s, size_t row, double pull, double *moment,
		      unsigned count);
/* Whether the row's reference fetches the line, so that no life goes before it. */
static inline bool ws_lives_fetches(const struct ws_reuse_row *row)
{
	return row->sort == WS_ROW_COLD || row->sort == WS_ROW_RELOAD;
}

#endif
