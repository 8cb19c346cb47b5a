/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * stackdist/stackdist.h -- request streams to profiles.
 *
 * The stack distance d of a request is the number of ways an LRU set would
 * need, less one, for it to hit: a W-way set hits iff d < W.  For loads it is
 * the number of distinct other lines of the set referenced since the line's
 * previous reference (Mattson et al. 1970); 0 is an immediate repeat.
 *
 * With a write policy that does not allocate, or evicts, LRU is still a stack
 * algorithm (the contents of W ways are contained in those of W+1), so one
 * pass yields the exact hits of every W at once:
 *
 *   write-back, write-through-allocate   a store is a load.
 *   write-through   a store to a resident line makes it the most recent; to an absent
 *                   one it changes nothing.  A line resident in W ways has the
 *                   same time of last use in all larger ones, so Mattson's
 *                   priority stack applies: a load of the line at position k
 *                   puts it on top and hands down, for each position in turn up
 *                   to k, the less recent of what stood there and what was
 *                   handed down; a store changes the time only.
 *   write-evict     a store to the line at position k leaves a hole there.  A load of
 *                   the line at position k (a line not in the stack: k = infinity)
 *                   with a hole at h < k shifts the lines above h into it and moves
 *                   the hole to k (or consumes it); the first W positions are the
 *                   contents of a W-way set that fills invalid ways first.
 *
 * Atomics are performed in the L2 and leave the L1 as it is.
 *
 * Sectored caches: a request hits iff its line is resident and all its sectors
 * are valid.  Per line and sector, m = the largest position the line was seen at
 * since the sector was fetched (0 then); at an access at position k m becomes max(m, k)
 * for every fetched sector, and the request's distance is the largest m over the
 * sectors it asks for.  A store under write-evict throws out the whole line; under
 * write-through it refreshes recency when the line (the tag) is resident, and fetches
 * nothing.
 *
 * Each request is counted once, under its kind, as one of
 *   finite distance d   (d, q): q is the distance in a fully associative cache
 *   cold      infinite, allocates, and the line (or a sector asked for) was never
 *             fetched before on this SM in this launch
 *   uncached  infinite for another reason: a store that does not allocate, an atomic,
 *             a load of what a store threw out.  No size removes it.
 * so cold + uncached + sum(distance) = requests, per set count and kind.
 *
 * The three Cs, for every W at once with S sets: a finite request misses iff d >= W;
 * the miss is a capacity miss iff a fully associative cache of S*W lines
 * misses too, q >= S*W, else a conflict miss.  The histogram of
 * min(d, floor(q / S)) therefore holds the capacity misses as its tail at W.
 *
 * Caches are private to an SM and empty at the start of each launch.  Histograms of
 * SMs and of launches of the same kernel add.
 */
#ifndef WS_STACKDIST_H
#define WS_STACKDIST_H

#include "trace/trace.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- one set-associative stack ------------------------------------------------ */

#define WS_DISTANCE_COLD UINT32_MAX
#define WS_DISTANCE_UNCACHED (UINT32_MAX - 1)
#define WS_DISTANCE_MAX (UINT32_MAX - 2)

/* Distances of one stream through one SM's cache of cache->sets sets, as above.
 * size_bytes and ways of the cache are not read; sets, line_bytes, sector_bytes,
 * hash and write are.
 *
 * ws_stack_new    O(sets)
 * ws_stack_push   O(log m) amortised per request, m = distinct lines of the set; under
 *                 write-through plus O(lines of the set that a store lifted and
 *                 no load has passed since)
 * memory          O(distinct lines)
 */
struct ws_stack;

enum ws_status ws_stack_new(struct ws_stack **out, const struct ws_cache *cache,
			    struct ws_err *err) WS_MUST_CHECK;
/* distance[i] of request[i], WS_DISTANCE_COLD or WS_DISTANCE_UNCACHED. */
enum ws_status ws_stack_push(struct ws_stack *s, const struct ws_request *request, size_t count,
			     uint32_t *distance, struct ws_err *err) WS_MUST_CHECK;
void ws_stack_free(struct ws_stack *s);

/* ---- profiles --------------------------------------------------------------------- */

struct ws_histogram {		/* of one kind of request at one set count */
	uint64_t requests, cold, uncached;
	uint64_t *distance;	/* distance[d]: requests at d; len entries, then none */
	uint64_t *capacity;	/* capacity[c]: requests with min(d, q / sets) = c; len entries */
	size_t len;
};

struct ws_geometry {		/* one set count */
	uint64_t sets;
	struct ws_histogram kind[WS_KINDS];
};

struct ws_section {		/* the launches of one kernel */
	char *kernel;
	uint64_t grid[3], block[3]; /* of the first launch */
	uint64_t launches, ctas, warp_instructions;
	uint64_t cycles;	/* nominal, summed over launches */
	uint64_t resident_ctas;	/* of the first launch */
	struct ws_geometry *geometry; /* by ascending sets */
	size_t geometries;
};

struct ws_profile {
	struct ws_machine machine; /* as the stream was made: its keys of the stages
				    * WS_STAGE_ORDER and WS_STAGE_PROFILE are part of
				    * what was measured */
	uint64_t seed;
	struct ws_section *section; /* in order of first launch */
	size_t sections;
};

void ws_profile_free(struct ws_profile *p);
const struct ws_geometry *ws_section_geometry(const struct ws_section *s, uint64_t sets); /* NULL */

/* Gathers a profile.  set_counts: those wanted, any order, duplicates allowed; each must suit
 * the machine's hash.  The same bytes for any number of threads. */
struct ws_profiler;

enum ws_status ws_profiler_new(struct ws_profiler **out, const struct ws_machine *m,
			       const uint64_t *set_counts, size_t count, unsigned threads,
			       struct ws_err *err) WS_MUST_CHECK;
enum ws_status ws_profiler_launch(struct ws_profiler *p, const struct ws_launch *launch,
				  struct ws_err *err) WS_MUST_CHECK; /* empties the caches */
/* As the sink's requests; batches are gathered and worked off in parallel. */
enum ws_status ws_profiler_push(struct ws_profiler *p, uint64_t sm, const struct ws_request *r,
				size_t count, struct ws_err *err) WS_MUST_CHECK;
enum ws_status ws_profiler_end(struct ws_profiler *p, const struct ws_order_stats *stats,
			       struct ws_err *err) WS_MUST_CHECK; /* of the launch */
/* Hands the profile over; p is spent (but must be freed). */
enum ws_status ws_profiler_finish(struct ws_profiler *p, struct ws_profile **out,
				  struct ws_err *err) WS_MUST_CHECK;
void ws_profiler_free(struct ws_profiler *p);

/* The whole of it: order, coalesce, profile each launch of a trace.  set_counts NULL: the
 * default, the machine's and every power of two 1..4096 its hash is defined for. */
struct ws_profile_options {
	const uint64_t *set_counts;
	size_t count;
	uint64_t seed;
	unsigned threads;
	void (*progress)(void *context, uint64_t ctas_done, uint64_t ctas_total);
	void *context;
};

enum ws_status ws_profile_trace(struct ws_profile **out, const struct ws_trace *t,
				const struct ws_machine *m,
				const struct ws_profile_options *options,
				struct ws_err *err) WS_MUST_CHECK;

/* ---- the profile file, warpstack-profile(5) ------------------------------------------ */

bool ws_profile_recognise(const void *data, size_t len);
enum ws_status ws_profile_write(const struct ws_profile *p, struct ws_out *out,
				struct ws_err *err) WS_MUST_CHECK;
enum ws_status ws_profile_read(struct ws_profile **out, const struct ws_in *in,
			       struct ws_err *err) WS_MUST_CHECK;

#ifdef __cplusplus
}
#endif
#endif
