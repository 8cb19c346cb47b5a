/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * model/reuse.h -- private: reuse windows (stackdist.h) in the form that the models of policies
 * read: sparse rows of doubles.
 *
 * Rows 0 .. types-1 are the types of references that occur.  Rows types .. rows-1 are the classes
 * of end windows that occur.  End windows say which lines were resident; they are never counted as
 * hits or misses.
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
	unsigned type;		/* WS_ROW_END: the class; else the type, 0 .. WS_TYPES - 1 */
	double count;		/* n: references of the type, or end windows of the class */
	double time;		/* t: mean number of references in the window, plus 1 */
	struct ws_terms within;	/* c: mean number of references of each row in the window */
	struct ws_terms before;	/* p: how often the line's previous reference is of each row; a
				 * fraction; the sum is 1, or there are no terms */
};

struct ws_reuse {
	struct ws_reuse_row *row;
	size_t types, rows;
	double references;	/* N, of all types */
	double sets;		/* sets that were touched, summed over SMs and launches */
	const struct ws_detail *detail;
	struct ws_term *terms;	/* of all rows */
	double evicted[WS_BINS]; /* positions at which EVICT finds its line, as fractions; the type
				 * does not say them; all 0 if there is no EVICT */
};

/* From the geometry's detail, which must be there and must outlive *out.  Memory: 16 B for each
 * entry of the matrices. */
enum ws_status ws_reuse_new(struct ws_reuse **out, const struct ws_geometry *geometry,
			    struct ws_err *err) WS_MUST_CHECK;
void ws_reuse_free(struct ws_reuse *w);

/* kappa: the fraction of COLD references whose set holds W = ways lines already, so that one is
 * thrown out.  0: no policy ever throws anything out. */
double ws_evicting(const struct ws_detail *detail, uint64_t ways);
/* T: the mean number of lines that are resident at a reference, its own included: those that have
 * come to its set, at most `ways` (without EVICT). */
double ws_resident(const struct ws_reuse *w, uint64_t ways);

/* hit[WS_BINS]: hit ratio by position; count[]: references at it.  Where count is 0, hit becomes
 * guess, but not below that of the next farther position and not above that of the next nearer.
 * At position 0 all hit. */
void ws_positions_fill(const double *count, const double *guess, double *hit);

/* Guesses for positions where only EVICT finds lines.  own: the hit ratio of all EVICT; fraction[]:
 * their positions.  EVICT at positions of other references hits as often as these; guess[WS_BINS]
 * of the other positions is what is left of `own`. */
void ws_positions_left(const double *count, const double *fraction, double own, const double *hit,
		       double *guess);

/* fraction[WS_BINS]: the positions at which stores find their lines; all 0 if none does. */
void ws_positions_of_stores(const struct ws_geometry *g, double *fraction);

/* A finite type is a bin of positions.  The fraction of it below `ways` is LRU's hit ratio. */
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

/* hit[types] of LRU: ws_type_lru of each finite row. */
void ws_reuse_lru(const struct ws_reuse *w, uint64_t ways, double *hit);
/* 1 - sum n hit / N. */
double ws_reuse_missing(const struct ws_reuse *w, const double *hit);
/* hit[types] by type; by_type[WS_TYPES] is zeroed first. */
void ws_reuse_answer(const struct ws_reuse *w, const double *hit, double *by_type);

/* x[types]: the expected evictions by a reference of each row: 1 - hit for finite rows, kappa for
 * COLD, 1 for RELOAD, 0 for EVICT; each times the fraction of misses that find no invalid way.  An
 * EVICT that finds its line leaves an invalid way.  Its windows have all lengths, so how often it
 * finds its line follows from hit[] of the rows at its positions, not of its own row alone. */
void ws_reuse_weigh(const struct ws_reuse *w, const double *hit, double evicting, double *x);
/* The same, but x of an EVICT is negative: a window's sum is its fills less the invalid ways that
 * are both left and taken in it.  own: all are; else only those left when the set has no other.
 * The
 * mean over all references is that of ws_reuse_weigh.  For rules that can take a sum below 0. */
void ws_reuse_weigh_net(const struct ws_reuse *w, const double *hit, double evicting, bool own,
			double *x);

/* The law of the number of evictions in a window, p[0 .. max]; larger numbers are left out.
 * mean = sum c x, square = sum c x^2.  It is the binomial of that mean and of the variance
 * mean - square.  If the variance is next to nothing it is the mean alone, rounded if that is very
 * near a whole number. */
void ws_eviction_law(double mean, double square, size_t max, double *p);

#endif
