/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * stackdist/profiler.h -- private: the parts of the profiler.
 *
 *   profiler.c   life, launches, gathering of requests
 *   passes.c     what is done with an arena of requests, in parallel
 *   account.c    what each thread counts, and adding it up
 *   model/next_level.c     the L2 behind the SMs, a profiler of its own
 *   chunks.c     lines held in chunks or sectors
 *   sites.c      which instruction at which array a request is of
 *
 * A grain is a line size (struct ws_line_size); its geometries are its set counts, ascending, with
 * 1 before them even if it was not asked for: the capacity misses need it.
 */
#ifndef WS_STACKDIST_PROFILER_H
#define WS_STACKDIST_PROFILER_H

#include "base/pool.h"
#include "stackdist/next_level.h"
#include "stackdist/record/chunks.h"
#include "stackdist/record/detail.h"
#include "stackdist/stack/lines.h"
#include "stackdist/profile.h"
#include "stackdist/sample/sample.h"
#include "stackdist/sample/set_sample.h"
#include "stackdist/stack/sets.h"
#include "stackdist/record/sites.h"
#include "stackdist/record/tally.h"

#define WS_RUN_NONE SIZE_MAX

struct ws_line_size {
	uint64_t line, sector;
	uint64_t *sets;		/* ascending; the first is 1 */
	bool *plain;		/* distances alone */
	size_t set_counts;
	bool one_asked;		/* for 1 set too; else it is here for q alone */
	size_t first;		/* number of its first geometry among all */
	size_t factor;		/* pieces that a request may be cut into */
};

/* One SM's cache of one geometry in one launch. */
struct ws_sm_cache {
	struct ws_sets *sets;
	struct ws_windows *windows;
	struct ws_lifetimes *lifetimes;
	struct ws_fill_recorder *fill_recorder;
	struct ws_reservation *reservation;	/* NULL of an L2 */
	struct ws_set_recorder *sets_kept;	/* NULL: no sample of sets */
};

struct ws_sm_at_size {		/* an SM at one grain */
	struct ws_lines lines;
	struct ws_sm_cache *unit;	/* by set count */
	struct ws_sampler *sampler; /* if sampled: in place of all else */
};

struct ws_profiled_sm {
	struct ws_sm_at_size *core;	/* by grain; NULL: no request in this launch yet */
	struct ws_chunks *chunks; /* NULL: not recorded */
};

struct ws_arena_run {			/* requests of one SM, side by side in an arena */
	size_t first, count;
	size_t next;		/* run of the same SM, or WS_RUN_NONE */
};

/* An arena in the passes, cut at one grain: the pieces of the run that begins at request f are at
 * f * factor. */
struct ws_cut_arena {
	struct ws_request *request; /* NULL: the arena's own */
	uint32_t *id, *full;	/* line number, and distance with one set */
	size_t *count;		/* pieces, by run */
};

struct ws_cuts {
	struct ws_cut_arena *grain;
	size_t counts_cap;	/* of each grain's count */
};

struct ws_arena {
	struct ws_request *request;
	size_t count;
	struct ws_arena_run *run;
	size_t runs, runs_cap;
	size_t *busy, busy_count; /* SMs with runs in it */
	size_t *head, *tail;	/* by SM: its first and last run */
	struct ws_cuts cut;	/* none while it is filled */
};

/* What one thread counts at one geometry. */
struct ws_account {
	uint64_t pushed[WS_KINDS]; /* requests, of the grain: counted at its first geometry */
	struct ws_distance_tally kind[WS_KINDS];
	bool used;		/* in this launch: else there is nothing in the two below */
	struct ws_detail *detail; /* NULL until it is used */
	struct ws_changes *changes;
};

struct ws_scratch {		/* of one thread, for a piece of a run */
	uint32_t *distance, *position, *set, *sector;
	uint8_t *type;
};

struct ws_skipped {		/* launches of a kernel that others measure */
	const char *kernel;	/* the first one's */
	uint64_t launches;
};

struct ws_profiler {
	struct ws_profile *profile;
	struct ws_profile_options options;
	unsigned threads;
	struct ws_line_size *grain;	/* by ascending line */
	size_t grains, geometries; /* geometries: of all grains, the hidden ones too */
	bool cuts;		/* some grain's line is not the machine's */
	size_t own;		/* geometry of the machine's own line and sets; SIZE_MAX: none */
	struct ws_profiled_sm *sm;
	size_t sms;
	struct ws_arena arena[3]; /* the one that is filled, those in the first and second pass */
	struct ws_cuts spare;	/* for the next in the first pass */
	struct ws_pool *pool;	/* made for the first arena, and again when requests are not few */
	unsigned pool_threads;
	uint64_t requests;	/* of all launches, up to the arena in the first pass */
	bool under_way;		/* the passes */
	struct ws_account *account; /* [thread][geometry] */
	struct ws_scratch *scratch; /* by thread */
	struct ws_sites **sites; /* by thread, of this launch; NULL: not recorded */
	struct ws_back *back;	/* NULL: no L2 is recorded */
	uint64_t *chunk_sets;	/* at which chunks are recorded, ascending */
	size_t chunk_counts;
	size_t section;		/* of this launch */
	unsigned *halvings;	/* by geometry: of the samples of sets of this launch */
	struct ws_skipped *skipped;
	size_t skips, skips_cap;
	bool launched, failed;
};

static inline bool ws_sampled(const struct ws_profiler *p)
{
	return p->profile->sample_rate < 1 || p->profile->sample_lines > 0;
}

/* The grain that has the geometry. */
static inline size_t ws_profiler_grain(const struct ws_profiler *p, size_t geometry)
{
	size_t grain = p->grains - 1;

	while (p->grain[grain].first > geometry)
		grain--;
	return grain;
}

/* Is there more than distances of its set count i? */
static inline bool ws_has_detail(const struct ws_profiler *p, const struct ws_line_size *g,
				 size_t i)
{
	return p->options.record & WS_RECORD_DETAIL && !g->plain[i] && (i > 0 || g->one_asked);
}

#define WS_PIECE 1024u		/* requests at a time in a thread's scratch */
#define WS_ARENA (1u << 16)	/* requests gathered before they are worked off */
#define WS_FEW (1u << 13)	/* of a profile: its threads are begun for more */

/* passes.c */
enum ws_status ws_profiler_first_use(struct ws_profiler *p, size_t sm,
				     struct ws_err *err) WS_MUST_CHECK;
/* Waits for the passes under way, and begins the first pass of the filled arena and the second of
 * the one before; then another can be filled. */
enum ws_status ws_profiler_work(struct ws_profiler *p, struct ws_err *err) WS_MUST_CHECK;
/* Waits for the passes under way. */
enum ws_status ws_profiler_wait(struct ws_profiler *p, struct ws_err *err) WS_MUST_CHECK;
/* Ends the launch: records what is known only then. */
enum ws_status ws_profiler_close(struct ws_profiler *p, struct ws_err *err) WS_MUST_CHECK;
void ws_profiler_empty(struct ws_profiler *p); /* the caches */

/* account.c */
enum ws_status ws_account_new(struct ws_profiler *p, struct ws_err *err) WS_MUST_CHECK;
void ws_account_free(struct ws_profiler *p);
struct ws_account *ws_account_of(const struct ws_profiler *p, unsigned thread, size_t geometry);
/* By its own thread, before it counts into its detail and changes. */
enum ws_status ws_account_use(struct ws_account *a, struct ws_err *err) WS_MUST_CHECK;
/* Adds what the threads counted to the section's geometries and sites; empties the accounts. */
enum ws_status ws_account_take(struct ws_profiler *p, struct ws_section *s,
			       struct ws_err *err) WS_MUST_CHECK;

#endif
