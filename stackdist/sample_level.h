/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * stackdist/sample_level.h -- private to sample.c and sample_estimate.c: what the levels of a
 * sampler have counted.
 */
#ifndef WS_STACKDIST_SAMPLE_LEVEL_H
#define WS_STACKDIST_SAMPLE_LEVEL_H

#include "stackdist/recent.h"
#include "stackdist/sample.h"

#define WS_SAMPLE_LEVELS 32u
#define WS_SAMPLE_GROUPS 32u
#define WS_SAMPLE_BINS 128u	/* as ws_bin, of distances with one set, to 2^32 */
enum { WS_SAMPLE_ENDED = 126, WS_SAMPLE_PASSED = 127 }; /* in place of a bin */

struct ws_counts {		/* all zero: none */
	uint64_t *count;	/* by cell */
	size_t len, cap;
};

/* Requests of one kind, or sectors asked for by them, that reached a level open: passed by
 * all levels above. */
struct ws_channel {
	uint64_t seen, cold, uncached, passed; /* and the sum of placed is seen */
	struct ws_counts placed; /* by cell of the position; level 0: see ws_exact */
};

struct ws_group {		/* open requests of a part of a level's lines */
	uint64_t count[WS_SAMPLE_BINS];
};

struct ws_scatter {		/* of positions in a level about those in the next, see there */
	double square, expected;
};

struct ws_level {
	struct ws_recent *recent;
	uint64_t last;		/* the lines whose place is at most this */
	double rate;
	uint64_t limit, keep;	/* bounded to `keep` when it has more than `limit` */
	bool bounded;
	struct ws_channel request[WS_KINDS], sector[WS_KINDS];
	struct ws_group (*group)[WS_SAMPLE_GROUPS]; /* [WS_KINDS]; NULL: none yet */
	struct ws_scatter scatter[WS_SAMPLE_BINS];
};

struct ws_exact {		/* level 0, of one stack */
	uint64_t sets;
	struct ws_counts distance[WS_KINDS], capacity[WS_KINDS], sector[WS_KINDS];
	struct ws_scatter share; /* of distances about 1/sets of those with one set */
};

struct ws_sampler {
	struct ws_cache cache;
	struct ws_level level[WS_SAMPLE_LEVELS];
	size_t levels;
	struct ws_exact *exact;	/* by stack: one set, then the others asked for */
	size_t stacks;
	size_t *stack_of;	/* of the set counts asked for, in their order */
	size_t set_counts;
	uint64_t requests[WS_KINDS], sectors[WS_KINDS];
	uint64_t offset;
	unsigned shift;		/* log2 of the line, or of a power of two that divides it */
	struct ws_found found;	/* of a batch */
	bool sectored;
};

/* The bin of a distance with one set, and its first; bins of a quarter of an octave. */
unsigned ws_sample_bin(double q);
double ws_sample_bin_first(unsigned bin);

#endif
