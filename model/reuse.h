/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * model/reuse.h -- private: reuse windows (stackdist.h) as the models of policies read them:
 * few rows, doubles, only what is not zero.
 *
 * Rows 0 .. types-1 are the types of references that occur; rows types .. rows-1 the classes of
 * end windows that occur: these say what lines were resident, and are never counted as hits or
 * misses.
 */
#ifndef WS_MODEL_REUSE_H
#define WS_MODEL_REUSE_H

#include "model/model.h"

struct ws_term {
	uint32_t row;		/* below types */
	double value;		/* > 0 */
};

struct ws_terms {
	const struct ws_term *term; /* ascending by row */
	size_t count;
};

enum ws_row_sort { WS_ROW_FINITE, WS_ROW_COLD, WS_ROW_RELOAD, WS_ROW_EVICT, WS_ROW_END };

struct ws_reuse_row {
	enum ws_row_sort sort;
	unsigned type;		/* WS_ROW_END: class; else the type, 0 .. WS_TYPES - 1 */
	double count;		/* n: references of it, or end windows */
	double time;		/* t: mean number of references in its window, plus 1 */
	struct ws_terms within;	/* c: mean number of references of each row inside its window */
	struct ws_terms before;	/* p: fraction of each row as type of the line's previous reference;
				 * they add up to 1, or there are none */
};

struct ws_reuse {
	struct ws_reuse_row *row;
	size_t types, rows;
	double references;	/* N, of all types */
	double sets;		/* sets that were touched, of each SM and launch */
	const struct ws_detail *detail;
	struct ws_term *terms;	/* of all rows */
	double evicted[WS_BINS]; /* fractions of the positions at which EVICT finds its line, which
				 * its type does not say; all 0 if there is none */
};

/* Of the geometry's detail, which must be there.  Refers to it.  Memory: 16 B for each entry of the
 * matrices. */
enum ws_status ws_reuse_new(struct ws_reuse **out, const struct ws_geometry *geometry,
			    struct ws_err *err) WS_MUST_CHECK;
void ws_reuse_free(struct ws_reuse *w);

/* kappa: the fraction of COLD references that find W = ways lines in their set, and so throw one
 * out.  0: nothing is ever thrown out, whatever the policy. */
double ws_evicting(const struct ws_detail *detail, uint64_t ways);
/* T: the mean number of lines that have come to the set of a reference, it included, at most
 * `ways`: what is resident on average (without EVICT). */
double ws_resident(const struct ws_reuse *w, uint64_t ways);

/* hit[WS_BINS] of positions, count[] references of each: those where there are none get guess[],
 * but no less than what the next farther has, and no more than the next nearer.  At 0 all hit. */
void ws_positions_fill(const double *count, const double *guess, double *hit);

/* guess[WS_BINS] from what the mean window of EVICT gives, `own`: what is left of it for those
 * positions, the others having what others have there.  fraction: of positions of EVICT. */
void ws_positions_left(const double *count, const double *fraction, double own, const double *hit,
		       double *guess);

/* fraction[WS_BINS] of the positions at which stores find their lines; all 0 if none does. */
void ws_positions_of_stores(const struct ws_geometry *g, double *fraction);

/* The fraction of the references of a finite type, a bin of positions, that are below `ways`. */
static inline double ws_type_lru(unsigned type, uint64_t ways)
{
	double first, past, fraction;

	if (type >= WS_BINS)
		return 0;
	first = ws_bin_first(type);
	past = type + 1 < WS_BINS ? ws_bin_first(type + 1) : 2 * first;
	fraction = ((double)ways - first) / (past - first);
	return fraction < 0 ? 0 : fraction > 1 ? 1 : fraction;
}

/* hit[types]: what LRU has; of the bin that `ways` cuts, the fraction of it below. */
void ws_reuse_lru(const struct ws_reuse *w, uint64_t ways, double *hit);
/* 1 - sum n hit / N. */
double ws_reuse_missing(const struct ws_reuse *w, const double *hit);
/* hit[types] by type; by_type[WS_TYPES] is zeroed first. */
void ws_reuse_answer(const struct ws_reuse *w, const double *hit, double *by_type);

/* x[types]: how much of an eviction each reference is, 1 - hit for finite rows, kappa for COLD,
 * 1 for RELOAD, 0 for EVICT; all times the fraction of misses that do not find the invalid way that
 * an EVICT left.  Whether an EVICT finds its line, hit[] of its row does not decide alone: its
 * windows are of all lengths, so it finds what others find at the same positions. */
void ws_reuse_weigh(const struct ws_reuse *w, const double *hit, double evicting, double *x);
/* The same on balance: an EVICT that hits counts as less than nothing, so that a window's sum is
 * fills less invalid ways, as far as invalid ways are taken in the window in which they are made.
 * own: all are; else those made when there is no other.  The mean over all references is that of
 * ws_reuse_weigh; for rules that sums below 0 do no harm. */
void ws_reuse_weigh_net(const struct ws_reuse *w, const double *hit, double evicting, bool own,
			double *x);

/* The law of the number of evictions in a window: mean = sum c x, square = sum c x^2; a binomial of
 * that mean and variance mean - square, or where this is next to nothing the mean itself, snapped
 * to a whole number that is very near.  p[0 .. max]; what is above max is left out. */
void ws_eviction_law(double mean, double square, size_t max, double *p);

#endif
