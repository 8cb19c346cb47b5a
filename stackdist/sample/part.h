/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * stackdist/sample/part.h -- private to sample*.c: what a sampler has counted.
 */
#ifndef WS_STACKDIST_SAMPLE_PART_H
#define WS_STACKDIST_SAMPLE_PART_H

#include "stackdist/stack/lines.h"
#include "stackdist/sample/sample.h"
#include "stackdist/stack/sets.h"

#define WS_SAMPLE_LEVELS 24u
#define WS_SAMPLE_GROUPS 32u
#define WS_SAMPLE_BINS 126u	/* as ws_bin, of distances with one set, to 2^32 */
#define WS_SAMPLE_BATCH 256u
#define WS_SAMPLE_NEVER UINT64_MAX
#define WS_SAMPLE_END 4294967040.0 /* a float above all distances, and below 2^32 */

enum { WS_SAMPLE_REQUESTS, WS_SAMPLE_SECTORS };	/* what is counted: [2] below */

/* ---- exact stacks of a part of the stream (watch.c) --------------------------- */

struct ws_watch {
	struct ws_lines lines;
	struct ws_sets **sets;	/* by stack */
	size_t stacks;
	uint64_t *last;		/* [line * sectors + sector]: when last fetched */
	size_t known, last_cap;	/* known: lines with such times */
	enum ws_write write;
	struct ws_sectoring by;
};

/* Of a batch.  Ages are requests of the whole stream since the line was last asked for by a
 * request that allocates; in sectored caches, since the sector was, and a request's age is the
 * largest of its sectors'.  WS_SAMPLE_NEVER: it never was. */
struct ws_watched {
	uint32_t id[WS_SAMPLE_BATCH];
	uint64_t age[WS_SAMPLE_BATCH];
	uint32_t *distance;	/* [stack * WS_SAMPLE_BATCH + request] */
	uint32_t *sector;	/* [stack * sectors * WS_SAMPLE_BATCH + sector asked for] */
	uint64_t *sector_age;	/* [sector asked for] */
	size_t sectors;		/* asked for */
};

enum ws_status ws_watch_new(struct ws_watch **out, const struct ws_cache *cache,
			    const uint64_t *sets, size_t stacks,
			    struct ws_err *err) WS_MUST_CHECK;
/* when[i]: of request[i], ascending. */
enum ws_status ws_watch_push(struct ws_watch *w, const struct ws_request *request,
			     const uint64_t *when, size_t count, struct ws_watched *to,
			     struct ws_err *err) WS_MUST_CHECK;
void ws_watch_free(struct ws_watch *w);
/* The cache's own sectors, of the 32 B ones asked for. */
uint32_t ws_watch_mask(const struct ws_watch *w, uint32_t sectors);

/* ---- counts ------------------------------------------------------------------------------ */

struct ws_mass {		/* all zero: none */
	double *at;		/* by cell */
	size_t len, cap;
};

struct ws_sample_part {		/* requests of one kind, or the sectors they ask for */
	double all, cold, uncached; /* all: counted or not, but for atomics */
	struct ws_mass *distance, *capacity; /* by stack; sectors: no capacity */
};

/* The young of each burst, as shares of its requests, below the first distance of each bin; and
 * the sums of squares and products of the differences between bursts. */
struct ws_drift {
	double last[WS_BINS], square[WS_BINS];
	double product[WS_BINS];	/* with the difference of all the young */
};

struct ws_sample_spread {		/* of all the young, one kind */
	double last, square;	/* as above; last: below 0, none */
	double count;		/* differences */
	double squared;		/* sum of N^2 of the periods that had a burst */
};

struct ws_scatter {
	double square, expected;
};

/* Of positions among chosen lines, about 1/sets of those with one set. */
struct ws_evenness {
	double square, expected, weight; /* weight: sum of squares of what is expected */
};

struct ws_old {			/* requests of one kind, or sectors, that are old */
	double seen, cold, uncached; /* each as often as there are lines for one chosen */
	uint64_t count;		/* each once */
	struct ws_mass *placed;	/* by stack: by position in the active level */
	struct ws_mass *before;	/* by distance, of the levels given up; in the end of all */
};

struct ws_sample_group {		/* of an old kind: a part of the chosen lines */
	double seen, ended;	/* ended: cold or uncached */
	double bin[WS_SAMPLE_BINS];
};

struct ws_chosen {		/* requests to lines chosen, until there is a batch of them */
	struct ws_request request[WS_SAMPLE_BATCH];
	uint64_t when[WS_SAMPLE_BATCH], place[WS_SAMPLE_BATCH];
	uint32_t above[WS_SAMPLE_BATCH]; /* distance in the level before */
	size_t count;
};

struct ws_level {
	struct ws_watch *watch;	/* NULL: it had too many lines, or has none yet */
	uint64_t last;		/* the lines whose place is at most this */
	double rate;
};

struct ws_sampler {
	struct ws_cache cache;
	uint64_t *sets;		/* by stack: one, then the others asked for */
	size_t stacks;
	size_t *stack_of;	/* of the set counts asked for, in their order */
	size_t set_counts;
	uint64_t now, requests[WS_KINDS], sectors[WS_KINDS];
	bool sectored;
	unsigned shift;		/* log2 of the line, or of a power of two that divides it */
	struct ws_rng rng;

	/* Bursts. */
	uint64_t burst;		/* their length */
	uint64_t exact_until, lines_max; /* the beginning is exact until one of these */
	bool exact;
	struct ws_watch *watch;	/* NULL: between bursts */
	uint64_t begin, period_end; /* of the burst, of the period it stands for */
	uint64_t period_requests[2][WS_KINDS], burst_requests[2][WS_KINDS]; /* [1]: sectors */
	struct ws_sample_part now_part[2][WS_KINDS], part[2][WS_KINDS], sure[2][WS_KINDS];
	struct ws_drift (*drift)[WS_KINDS]; /* by stack */
	struct ws_sample_spread spread[WS_KINDS];
	struct ws_scatter *fraction; /* by stack: of distances about 1/sets of those with one set */
	uint64_t block;		/* of lines, and its offset */
	uint64_t block_offset, offset;

	/* Chosen lines. */
	struct ws_level level[WS_SAMPLE_LEVELS];
	size_t levels, active;	/* active: the first that is there */
	/* late: the young in the period at hand, until the kind has had a burst; they are added to
	 * the old if it has none. */
	struct ws_old old[2][WS_KINDS], late[2][WS_KINDS];
	struct ws_evenness *even; /* by stack */
	struct ws_sample_group (*group)[WS_SAMPLE_GROUPS]; /* by kind; NULL in the exact
							    * beginning */
	struct ws_sample_group (*late_group)[WS_SAMPLE_GROUPS];
	bool by_share[WS_KINDS]; /* what the late count: see late.c */
	struct ws_scatter scatter[WS_SAMPLE_BINS]; /* of positions in it, in those of the next */
	struct ws_chosen chosen;

	struct ws_watched found;
	uint64_t when[WS_SAMPLE_BATCH]; /* of a batch of a burst */
};

/* burst.c: what begins or ends here, where now is a multiple of WS_SAMPLE_BATCH; requests
 * of a burst; the end of a period, or of the stream in it (false: out of memory). */
enum ws_status ws_sampler_turn(struct ws_sampler *s, struct ws_err *err) WS_MUST_CHECK;
enum ws_status ws_sampler_watch(struct ws_sampler *s, const struct ws_request *request,
				size_t count, struct ws_err *err) WS_MUST_CHECK;
bool ws_sampler_end_period(struct ws_sampler *s);

/* chosen.c: gathers those of the requests whose lines are chosen; counts the gathered. */
enum ws_status ws_sampler_choose(struct ws_sampler *s, const struct ws_request *request,
				 size_t count, struct ws_err *err) WS_MUST_CHECK;
enum ws_status ws_sampler_flush(struct ws_sampler *s, struct ws_err *err) WS_MUST_CHECK;

/* late.c: adds the late to the old, all there were in the period, or forgets them. */
bool ws_late_add(struct ws_sampler *s, unsigned what, unsigned kind);
void ws_late_empty(struct ws_sampler *s, unsigned what, unsigned kind);

/* mass.c: false is out of memory.  From positions in the active level to distances. */
bool ws_old_spread(struct ws_old *o, size_t stacks, const struct ws_level *l);
bool ws_mass_reach(struct ws_mass *m, size_t len);   /* so many, if it has fewer */
bool ws_mass_add(struct ws_mass *m, uint32_t d, double weight);
bool ws_mass_sum(struct ws_mass *to, const struct ws_mass *from, double scale);
/* Weight evenly over the distances [low, high). */
bool ws_mass_spread(struct ws_mass *m, double low, double high, double weight);

/* The bin of a distance with one set, and its first; bins of a quarter of an octave. */
unsigned ws_sample_bin(double q);
double ws_sample_bin_first(unsigned bin);

#endif
