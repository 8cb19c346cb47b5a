/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * stackdist/sample/sample.h -- private: distances of streams too large to be profiled exactly.
 *
 * One SM's requests of one line size in one launch, for several set counts at once.
 *
 * The age of a request is the number of requests since the last fetch of its line (in a
 * sectored cache: of the sector it asks for that was fetched longest ago).  Young requests, of
 * an age up to half a burst, are sampled in time; old ones, first references among them, in
 * space.
 *
 * Bursts.  The stream begins with two bursts that are profiled exactly.  After that one burst
 * is profiled exactly in each period, at a random place of it and beginning with an empty cache; a
 * period is half of what has passed, but at least two and at most WS_SAMPLE_PERIOD bursts long.
 * A request of age a is seen as young in a burst of B with probability (B - a) / B, so it counts
 * B / (B - a).  What is seen is exact: distances in all set counts, sectors, the write policy
 * (but for the invalid ways that stores left before the burst began).
 *
 * Chosen lines.  Old requests are seen at a fixed fraction of the lines, which are profiled on
 * their own: a position e among lines chosen at rate r stands for the distances
 * [e / r, (e + 1) / r).  How many old requests there are is known from the bursts: all that are
 * not young.  With S sets, 1/S of the position with one set is less noisy than the position in the
 * set; so it is taken, spread as widely as the distances of requests not quite old are
 * about 1/S of theirs, unless positions in sets vary more than twice as much as by chance:
 * then sets are used unevenly, and the position in the set is taken.
 * Of T requests at most T * x / (B / 2) are old and have a distance below x (of B / 2 requests
 * at most one for each line), so small caches do not suffer from what is coarse here.
 *
 * In a sectored cache the m of an old request is the largest of several such estimates, so on
 * the average a little too large.
 *
 * Until a kind of request is met by a burst, its young ones too are known by the chosen lines
 * only (late.c); so it is in short streams whose exact beginning had too many lines.
 *
 * A stream of at most two bursts is profiled exactly, and so is any at rate 1.
 *
 * Fixed size (lines_max > 0): with rate 1, the beginning is exact as long as it has at most
 * lines_max lines.  Chosen lines are profiled at the rate asked for (if it is 1, at 1/4), a
 * quarter of it and so on; when there are more than lines_max at a rate, it is given up and the
 * next, which has seen its lines since the beginning, takes over.
 *
 * Lines are chosen by their number times the golden ratio, modulo 1, plus a random offset for
 * each block of 2^16 lines.  All lines are chosen with equal probability; of a contiguous array,
 * or one walked with a stride, any part has its due number of lines chosen to within one or two.
 * (Independent choice, as in SHARDS, would misplace a sweep of n lines by sqrt(n / r).)
 *
 * The variance has four parts.  Bursts: the squared differences between consecutive ones (which
 * see trends as little as the sample does), as wide as Student's t for that many, and never less
 * than 1/2000 of the requests, since what is rarer may happen between bursts only.  Which lines
 * were chosen: they are divided into 32 groups by the place in the interval that chooses them, and
 * the sums of the groups vary about the ratio of all; for few lines that requests of the kind were
 * to, n, at least 1 / (n + 2) of what they speak for; for none, eleven times all of it, so that
 * a sum over 128 SMs, all wrong in the same direction, is as wide as that.  Where an estimated
 * distance lies: positions are compared with those at a quarter of the rate, which gives the
 * variance of a count of chosen lines; all requests within two such standard deviations of a
 * number of ways may be on either side of it.
 * variance[WS_BINS - 1] is the largest at 2^16 ways or more.  The errors of loads and stores are
 * correlated: of their sum, the standard deviations add up rather than the variances.
 *
 * ws_sampler_new, _end   what was used: O(sets), and the tables of the distances met
 * ws_sampler_push   the exact cost for the bursts (1/16 of a long stream) and the chosen lines, and
 *                   about 2 ns to choose
 * memory            the exact profile's for the lines of a burst and the chosen ones; tables of
 *                   the distances met, and 0.2 MB once the exact beginning has ended
 *
 * Sources: Waldspurger et al., FAST 2015 (SHARDS); Wunderlich et al., ISCA 2003 (bursts);
 * Cochran, Sampling Techniques, 1977 (ratios, random groups, successive differences).
 */
#ifndef WS_STACKDIST_SAMPLE_H
#define WS_STACKDIST_SAMPLE_H

#include "stackdist/stackdist.h"

#define WS_SAMPLE_BURST (1u << 18) /* requests; a multiple of 512 */
#define WS_SAMPLE_PERIOD 16u	/* bursts */
#define WS_SAMPLE_LINES_MIN 64u	/* fixed size: fewer say nothing */

struct ws_sampler;

/* Of the cache: line_bytes, sector_bytes, hash, write.  rate: in (0, 1].  lines_max: 0, fixed
 * rate; fewer than WS_SAMPLE_LINES_MIN act as that many.  The same seed chooses the same lines
 * and bursts: give each SM its own.
 * WS_EINVAL: a rate out of range, or what ws_sets_new refuses. */
enum ws_status ws_sampler_new(struct ws_sampler **out, const struct ws_cache *cache,
			      const uint64_t *sets, size_t set_counts, double rate,
			      uint64_t lines_max, uint64_t seed,
			      struct ws_err *err) WS_MUST_CHECK;
/* Bursts of another length, a multiple of 512: before the first push. */
void ws_sampler_burst(struct ws_sampler *s, uint64_t requests);
enum ws_status ws_sampler_push(struct ws_sampler *s, const struct ws_request *request,
			       size_t count, struct ws_err *err) WS_MUST_CHECK;
/* Adds the estimates to kind[i][WS_KINDS] of sets[i]: requests and sectors are exact, and
 * what they are divided into adds up to them.  variance is allocated if it is NULL.
 * Then the sampler is spent. */
enum ws_status ws_sampler_end(struct ws_sampler *s, struct ws_histogram *const *kind,
			      struct ws_err *err) WS_MUST_CHECK;
uint64_t ws_sampler_lines(const struct ws_sampler *s); /* held at present */
void ws_sampler_free(struct ws_sampler *s);

#endif
