/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * stackdist/sample.h -- private: distances of streams too large to be profiled exactly.
 *
 * One SM's requests of one line size in one launch, for several set counts at once.
 *
 * Levels.  Level 0 sees all lines, level 1 a quarter of them, level 2 a quarter of these, and so
 * on down to the rate asked for.  Each level above the last keeps the WS_SAMPLE_LINES most
 * recent of its lines with their exact stacks (recent.h), and *passes* a request whose line is not
 * among them to the next.  So distances are measured at the highest rate at which
 * they fit: those below WS_SAMPLE_LINES (with S sets: of a request with q below it) are
 * exact, for all requests; and of the others, whose number is known, a level says how they
 * are distributed.  A position e among the lines of a level of rate r stands for
 * the distances [e / r, (e + 1) / r).  The last level keeps all its lines, so it tells
 * what is cold or uncached.  A level bounds itself only when it has more lines than it keeps:
 * a stream of at most WS_SAMPLE_LINES lines is profiled exactly.
 *
 * Fixed size (lines_max > 0): the last level is bounded too when it holds more than lines_max lines,
 * and the level below it, which sees a quarter of its lines and has done so all along, takes over.
 *
 * Lines are chosen by their number times the golden ratio, modulo 1, plus a random offset for
 * each block of 2^16 lines.  All lines are chosen with equal probability; of a contiguous array,
 * or one walked with a stride, any part has its due number of lines chosen to within one or two.
 * (Independent choice, as in SHARDS, would misplace a sweep of n lines by sqrt(n / r).)
 *
 * With S sets a distance beyond level 0 is taken to be a share 1/S of the one with one set,
 * spread as widely about it as the distances just within level 0 are.  So beyond
 * WS_SAMPLE_LINES / S ways sets are taken to be used evenly.
 *
 * Write policies: exact within level 0 for write-back, write-through-allocate and write-evict.
 * Under write-through a store to a line held makes it the newest whatever the number of ways.
 * Sectored caches: as exact; beyond level 0 m is scaled as a distance is.
 *
 * The variance has three parts.  Which lines were chosen: a level's lines are divided into
 * 32 groups by the place in the interval that chooses them, and the sums of the groups vary about
 * the ratio of all (levels are phases of a multi-phase sample, so their variances
 * add up).  A floor for few lines: 1 / (n + 2) of what n lines speak for.  Where a scaled
 * distance lies: the positions of a level are compared with those at a quarter of its rate, which
 * gives the variance of a count of chosen lines; a share of requests within two such standard
 * deviations of a number of ways may be on either side of it.
 * variance[WS_BINS - 1] is the largest at 2^16 ways or more.
 *
 * ws_sampler_push   O(set counts) + O(log WS_SAMPLE_LINES) per request
 * memory            O(WS_SAMPLE_LINES * (set counts + log(1 / rate)) + lines chosen), and of
 *                   these at most lines_max in the last level
 *
 * Sources: Waldspurger et al., FAST 2015 (SHARDS); Kish 1965 (ratio estimator, random groups).
 */
#ifndef WS_STACKDIST_SAMPLE_H
#define WS_STACKDIST_SAMPLE_H

#include "stackdist/stackdist.h"

#define WS_SAMPLE_LINES 8192u	/* 64 sets: 128 ways are exact */

struct ws_sampler;

/* Of the cache: line_bytes, sector_bytes, hash, write.  rate: in (0, 1].  lines_max: 0, fixed
 * rate.  The same seed chooses the same lines: give each SM its own.
 * WS_EINVAL: a rate out of range, or what ws_sets_new refuses. */
enum ws_status ws_sampler_new(struct ws_sampler **out, const struct ws_cache *cache,
			      const uint64_t *sets, size_t set_counts, double rate,
			      uint64_t lines_max, uint64_t seed,
			      struct ws_err *err) WS_MUST_CHECK;
enum ws_status ws_sampler_push(struct ws_sampler *s, const struct ws_request *request,
			       size_t count, struct ws_err *err) WS_MUST_CHECK;
/* Adds the estimates to kind[i][WS_KINDS] of sets[i]: requests and sectors are exact, and
 * what they are divided into adds up to them.  variance is allocated if it is NULL. */
enum ws_status ws_sampler_end(struct ws_sampler *s, struct ws_histogram *const *kind,
			      struct ws_err *err) WS_MUST_CHECK;
uint64_t ws_sampler_lines(const struct ws_sampler *s); /* held at present, in all levels */
void ws_sampler_free(struct ws_sampler *s);

#endif
