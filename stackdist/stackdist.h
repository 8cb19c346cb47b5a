/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * stackdist/stackdist.h -- request streams to profiles.
 *
 * The stack distance d of a request is the smallest number of ways with which an LRU set would hit,
 * less one: a W-way set hits iff d < W.  For loads it is the number of distinct other lines of the
 * set referenced since the line's previous reference (Mattson et al. 1970); 0 is an immediate
 * repeat.
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
 *   write-evict     a store to the line at position k leaves an invalid way there.  A load of
 *                   the line at position k (a line not in the stack: k = infinity)
 *                   with an invalid way at h < k shifts the lines above h into it and moves
 *                   the invalid way to k (or consumes it); the first W positions are the
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
 * L1s are private to an SM and empty at the start of each launch.  Histograms of
 * SMs and of launches of the same kernel add.
 *
 * The L2.  Its requests are the L1s' misses, so they depend on the L1s' geometry and on how SMs are
 * interleaved.  For each L1 geometry asked for (struct ws_filter), every SM's requests go through a
 * functional LRU L1 with its sets, ways and line; hash, sector and write policy are the machine's.
 * Out of it come the sectors of loads that miss, stores as the write policy passes them on,
 * modified lines that are evicted, and atomics, each cut at lines of the L2.  These are merged in
 * order of (cycle of the request, SM, position).  For that stream a sliced L2 is one cache of
 * slices * sets sets, since slice and set are both functions of the address (ws_l2_whole).  All of
 * the above holds, with one difference: the L2 performs atomics, so an atomic moves the stack as a
 * load does, and is counted under its own kind.  One pass yields the exact LRU hits of every number
 * of ways, and the input of other policies' models, at each set count, for the machine's slices,
 * hashes, line, sector and write policy.
 *
 * LRU in the L2 behind LRU in the L1s is exact, in the order of the stream and without time: no
 * MSHRs, and fetched data is there at once.  Another policy in the L1s has other misses, so the
 * L2's prediction is then an approximation.  An L2 that starts warm (l2.start) has seen each line
 * of the launch's arrays, in order; one that starts with copies, of those that the launch reads.
 * These references are COLD, so subtracting their number (struct ws_section: warm) from the cold
 * loads removes exactly them, for every policy and size.  One that keeps what it has between
 * launches is one stream of all launches, whose requests are counted in their launches' sections:
 * COLD is the line's first reference since the first launch.  Of it there are distances alone:
 * windows do not end with launches.
 *
 * All SMs and all lines must be counted: some SMs, or a sample, do not make an L2's stream.
 *
 * Chunks.  Caches of chunks (validate/grain/grain.h) under a grain of g words of 32 B: a request
 * for the words N, an aligned block of 1, 2 or 4, fetches a block B of max(g, |N|) words that
 * contains N.  Words that are fetched together are evicted together.  Each set has a list of words
 * in order of last use, with *invalid ways* where a store evicted words.  A word at place i needs
 *
 *   d(i) = sum over regions r of ceil(words and invalid ways of r at places 0 .. i / 4) - 1
 *
 * other lines, since a line holds words of one region only.  A request for N, all fetched by one
 * request, hits in a set of W > d lines,
 *
 *   d = max of d(i) over N,
 *
 * since the words used after it then leave it room.  Otherwise it misses at any W: it is cold or
 * uncached if words are absent, and a partial hit, of distance WS_CHUNK_LINES, if several requests
 * fetched them.  Then, of loads, and of stores that allocate, B's words go to the front, and each
 * takes the first invalid way before its place that a block of |B| words or more left, of its
 * region or of a whole line; the invalid way moves to that place.  Write-evict stores make invalid
 * ways of those words of B that are there; write-through stores change their time of use only, and
 * words are handed down as lines are, above.
 *
 * With g = 4, or if all requests are of 128 B, d is the line's LRU distance, up to WS_CHUNK_LINES.
 * Otherwise d is an approximation: the line that a chunk lies in depends on the number of ways, and
 * in a full set a region with a line takes no other's.  l1.chunk.victim = any and l1.chunk.invalid
 * = first are assumed.  Cold and uncached counts are always exact.
 */
#ifndef WS_STACKDIST_H
#define WS_STACKDIST_H

#include "trace/trace.h"

WS_API_BEGIN

/* ---- one set-associative stack ------------------------------------------------ */

#define WS_DISTANCE_COLD UINT32_MAX
#define WS_DISTANCE_UNCACHED (UINT32_MAX - 1)
#define WS_DISTANCE_MAX (UINT32_MAX - 2)

/* Distances of one stream through one SM's cache of cache->sets sets, as above.
 * size_bytes and ways of the cache are not read but where its sets differ (set_ways): distances
 * are then from the end of the set with the most ways, so that below that many is a hit.  sets,
 * line_bytes, sector_bytes, hash and write are.
 *
 * ws_stack_new    O(sets)
 * ws_stack_push   O(1) for the most recent lines of a set, else O(log m) amortised per
 *                 request, m = distinct lines of the set; under write-through plus
 *                 O(lines of the set that a store lifted and no load has passed since)
 * memory          O(distinct lines)
 *
 * threads: a push is shared among that many (0: all cores), each with sets of its own;
 * the distances do not depend on it.  One thread is best for pushes of less than 2^16.
 */
struct ws_stack;

enum ws_status ws_stack_new(struct ws_stack **out, const struct ws_cache *cache,
			    unsigned threads, struct ws_err *err) WS_MUST_CHECK;
/* distance[i] of request[i], WS_DISTANCE_COLD or WS_DISTANCE_UNCACHED. */
enum ws_status ws_stack_push(struct ws_stack *s, const struct ws_request *request, size_t count,
			     uint32_t *distance, struct ws_err *err) WS_MUST_CHECK;
void ws_stack_free(struct ws_stack *s);

/* The same up to a depth: distances below WS_BOUNDED_DEPTH are exact, all others and first
 * references are WS_DISTANCE_COLD.  Not sectored; stores count as loads, atomics as everywhere.
 * O(1) per request, memory O(sets).  A fast path for LRU of few ways (tests/stackdist/b-stack.c);
 * profiles do not use it. */
#define WS_BOUNDED_DEPTH 32u
struct ws_bounded;

enum ws_status ws_bounded_new(struct ws_bounded **out, const struct ws_cache *cache,
			      struct ws_err *err) WS_MUST_CHECK;
void ws_bounded_push(struct ws_bounded *b, const struct ws_request *request, size_t count,
		     uint32_t *distance);
void ws_bounded_free(struct ws_bounded *b);

/* ---- cells: what a table is indexed by ------------------------------------------
 *
 * Distances are counted one by one up to a limit and in cells of 1/16 octave beyond:
 * cell(x) = x below 2^bits; else 2^bits + 16 (o - bits) + the four bits of x below its
 * highest, o = floor(log2 x).  A cell's first value is ws_cell_first.
 */
#define WS_DISTANCE_BITS 16u	/* distances: every number of ways a machine may have is exact */
#define WS_DEPTH_BITS 10u	/* arrivals and fill, by number of lines */
#define WS_DEPTH_CELLS ((1u << WS_DEPTH_BITS) + 16u * (28u - WS_DEPTH_BITS))

uint32_t ws_cell(uint32_t x, unsigned bits);
uint32_t ws_cell_first(uint32_t cell, unsigned bits);

/* ---- references and their types ----------------------------------------------------
 *
 * A *reference* is a request that may change the contents of a set: a load; a store that allocates
 * (write-back, write-through-allocate); a store that evicts its line (write-evict, the line in the
 * stack).  Under write-through stores are no references; atomics never are.  Its *type* is a coarse
 * form of the position p at which its line was found in the LRU stack of the set (in a sectored
 * cache too: of the line, not the sectors):
 *
 *   0 .. 59  p < 2^16: p itself below 8, then four bins per octave
 *   60       p >= 2^16
 *   61 COLD  the line's first reference on this SM in this launch
 *   62 RELOAD  the line was there and a store threw it out
 *   63 EVICT   the store that throws it out, whatever its p
 */
#define WS_TYPES 64u
#define WS_BINS 61u		/* of finite positions */
enum { WS_TYPE_COLD = 61, WS_TYPE_RELOAD = 62, WS_TYPE_EVICT = 63, WS_TYPE_NONE = 255 };

static inline unsigned ws_bin(uint32_t p) /* of a finite position */
{
	unsigned o;

	if (p < 8)
		return p;
	if (p >= 1u << 16)
		return WS_BINS - 1;
	o = ws_log2(p);
	return 8 + 4 * (o - 3) + (p >> (o - 2) & 3);
}

uint32_t ws_bin_first(unsigned bin); /* the smallest position of the bin */

/* ---- profiles --------------------------------------------------------------------- */

struct ws_histogram {		/* of one kind of request at one geometry */
	uint64_t requests, cold, uncached;
	uint64_t *distance;	/* by ws_cell(d, WS_DISTANCE_BITS); len entries, then none */
	uint64_t *capacity;	/* by the cell of min(d, floor(q / sets)); len entries */
	size_t len;
	/* Sectored only: the same of each sector asked for alone.  What is fetched with W
	 * ways, in sectors: sector_cold + sector_uncached + the tail of sector[] at W. */
	uint64_t sectors, sector_cold, sector_uncached;
	uint64_t *sector;	/* by the cell of the sector's own m */
	size_t sector_len;
	/* Sampled only, else NULL: [WS_BINS], the variance of the estimate of the requests
	 * with d >= ws_bin_first(i), cold and uncached ones included; 2^64 - 1 at most. */
	uint64_t *variance;
};

/* Fill-to-reuse times.  A hit in a cache of W ways is *pending* (hit under miss) if its line's
 * fetch began fewer cycles ago than a fetch takes.  With W ways, the fetch is the line's latest
 * reference of distance >= W, if that is a load or, in an L2, an atomic.  A store brings its own
 * data, so its entry has no fetch.  (Sectored: of the sectors asked for, the one fetched last; per
 * sector the latest reference to it of m >= W.) requests in cell(interval) with W ways = sum of
 * change over the entries of the cell with ways <= W, for the W that are counted: 1 .. 64 and the
 * first values of ws_cell(W, 6) up to 65536 (16 an octave: 68, 72, ... 128, 136, ...).  Requests
 * without a fetch at most WS_FILL_REUSE_MAX cycles ago are not counted.  Only references that
 * allocate count, and only those that hit with W ways. */
#define WS_FILL_REUSE_BITS 5u	/* intervals: by ws_cell(cycles, WS_FILL_REUSE_BITS) */
#define WS_FILL_REUSE_MAX 4095u
#define WS_FILL_REUSE_CELLS (32u + 16u * 7u)
#define WS_FILL_REUSE_WAYS_BITS 6u
#define WS_FILL_REUSE_WAYS (64u + 16u * 10u) /* numbers of ways that are counted */

struct ws_fill_reuse {
	uint32_t cell, ways;	/* ways: one of those that are counted */
	int64_t change;		/* not 0 */
};

struct ws_fill_reuses {		/* ascending by cell, then ways */
	struct ws_fill_reuse *entry;
	size_t count;
};

/* Reservation stalls.  With W ways, a load at a position >= W, or not in the stack, *fetches*: it
 * reserves a way of its set until its data arrives.  So if the W-th last fetch of the set is fewer
 * cycles ago than a fetch takes, all ways are reserved, and the load stalls.  W = 1, 2, 4, ...;
 * fetches more than WS_FILL_REUSE_MAX cycles apart are not counted.  Not recorded for an L2. */
#define WS_RESERVATION_WAYS 6u	/* 1 .. 32 */

/* Windows.  The *window* of a reference other than COLD and RELOAD is the references to its
 * set strictly between the previous reference to its line and itself.  When the launch
 * ends, each line of each set whose last reference is not EVICT has an *end window*: the
 * references to its set after that one.  Of t references, its class is
 * min(31, floor(log2(t + 1))). */
#define WS_END_CLASSES 32u

/* Retained lines.  A line is retained at w when it is referenced at a position < w and fewer than
 * w - 1 lines of its set are retained at w.  EVICT releases it at every w.  */
#define WS_RETENTIONS 24u
extern const uint32_t ws_retained_ways[WS_RETENTIONS]; /* the w, ascending */

struct ws_detail {		/* of one geometry, all kinds; sums over sets, SMs and launches */
	uint64_t references[WS_KINDS][WS_TYPES]; /* n */
	uint64_t time[WS_TYPES];	/* sum of (references in the window + 1); t */
	uint64_t within[WS_TYPES][WS_TYPES]; /* [i][j]: references of type j in windows of
					 * references of type i; C */
	uint64_t previous[WS_TYPES][WS_TYPES]; /* [i][j]: references of type j whose line's previous
					 * reference was of type i, and not EVICT; P */
	uint64_t end_count[WS_END_CLASSES];	/* end windows */
	uint64_t end_time[WS_END_CLASSES];	/* sum of (references in it + 1) */
	uint64_t end_within[WS_END_CLASSES][WS_TYPES];	/* references of a type in them */
	uint64_t end_previous[WS_END_CLASSES][WS_TYPES]; /* by the type of the line's last
							  * reference */
	/* By cell(k - 1, WS_DEPTH_BITS), k = 1, 2, ...: sets to which a k-th distinct line came
	 * (COLD references), and the references to those sets after it. */
	uint64_t arrivals[WS_DEPTH_CELLS], fill[WS_DEPTH_CELLS];
	/* [f][type]: references of a finite type to lines retained at ws_retained_ways[f],
	 * including the one that retained the line. */
	uint64_t retained[WS_RETENTIONS][WS_TYPES];
	/* [f]: finite references to the ws_retained_ways[f] - 1 lines of each set that have the
	 * most of them in the launch (EVICT is not finite); of a line at most 2^40 - 1. */
	uint64_t top[WS_RETENTIONS];
	/* [i][cell]: fetches with 2^i ways, by the cell(cycles, WS_FILL_REUSE_BITS) since the set's
	 * 2^i-th last one. */
	uint64_t reservation[WS_RESERVATION_WAYS][WS_FILL_REUSE_CELLS];
	struct ws_fill_reuses fill_reuse[WS_KINDS];
};

/* Set sampling (Kessler, Hill and Wood, IEEE Trans. Computers 43(6), 1994): of some sets of each
 * SM's cache in each launch all requests are kept, in their order, so that a policy's own rules can
 * be applied to them.  A set is in the sample if ws_set_key of it is below 2^64 >> halvings; as few
 * halvings as leave no more requests of a kernel than were asked for, or four times as many where
 * they are of few sets.  So it is of all sets where there are few requests, and else which are in
 * it depends on the requests alone.  Requests that do nothing to the cache, as stores to lines
 * that it never has, are left out, and counted.  Requests may have their times
 * (WS_RECORD_TIMES). */
#define WS_SET_SAMPLE_MOST (UINT64_C(1) << 17)
#define WS_SET_SAMPLE_FEW 16u	/* sets */
#define WS_SET_SAMPLE_LONG 4u	/* times the requests, of few sets */
#define WS_SET_HALVINGS_MAX 48u

struct ws_sampled_run {		/* of one SM's cache in one launch; it begins empty */
	uint64_t launch;	/* of the section's, from 0 */
	uint32_t sm;
	uint64_t requests, lines; /* lines: distinct */
	uint64_t sets;		/* in the sample, with requests */
	uint8_t *code;		/* [bytes], for ws_run_next */
	size_t bytes;
	unsigned halvings;	/* its sets are of so many, at most the sample's while it is made */
	bool timed;		/* requests have cycle and fetch */
};

struct ws_set_sample {
	unsigned halvings;	/* 0: all sets */
	struct ws_sampled_run *run; /* by launch, then SM; none is empty */
	size_t runs;
	uint64_t requests;	/* of all runs */
	uint64_t most;		/* of them, when it was made; merging keeps the larger */
};

struct ws_sampled_request {
	uint64_t address;	/* of the line */
	uint32_t line;		/* its number in the run: they are numbered as they come */
	uint32_t sectors;	/* of 32 B, as in a request; all where the cache is not sectored */
	uint32_t instruction;
	uint32_t idle;		/* requests to the set just before it that were left out */
	uint8_t kind;
	uint64_t cycle, fetch;	/* as of a request; 0 if the run is not timed */
};

struct ws_run_reader {		/* of one run; begin with ws_run_read */
	const uint8_t *p, *end;
	uint64_t left;		/* requests */
	uint64_t *address;	/* the caller's, [lines of the run] */
	uint64_t most;		/* lines of the run */
	uint64_t lines, last;	/* lines so far; the address of the last */
	uint64_t line_bytes;
	bool sectored, timed;
	struct ws_sampled_request before;
};

/* The same in all launches, so that profiles of launches add up to the sample of all. */
uint64_t ws_set_key(uint32_t sm, uint64_t set);
static inline bool ws_set_sampled(uint32_t sm, uint64_t set, unsigned halvings)
{
	return !halvings || ws_set_key(sm, set) >> (64 - halvings) == 0;
}
/* address: room for the run's lines, which it fills as they come. */
struct ws_run_reader ws_run_read(const struct ws_sampled_run *run, uint64_t line_bytes,
				 bool sectored, uint64_t *address);
/* False: there are no more, or, left being more than 0, the code is damaged. */
bool ws_run_next(struct ws_run_reader *r, struct ws_sampled_request *out);

struct ws_geometry {		/* one line size and set count */
	uint64_t line_bytes, sector_bytes, sets;
	struct ws_histogram kind[WS_KINDS];
	struct ws_detail *detail;	/* NULL: distances only */
	struct ws_set_sample *sample;	/* NULL: none was taken */
};

/* A site: an instruction of the source and the array it accesses.  Equal sites are counted
 * together.  The array is the instruction's or, if it has several, the one that holds the address
 * (of overlapping ones the one that begins last). */
struct ws_site {
	char *array, *file;	/* "" if unknown */
	uint32_t line;		/* 0: unknown */
	enum ws_kind kind;
	struct ws_histogram count; /* at the machine's own line and sets; no sectors, no variance */
};

/* Sites are merged if a kernel has more than 2^16 of them, or if their histograms exceed 256
 * MiB: */
enum ws_site_level {
	WS_SITES_ALL,
	WS_SITES_LINES,		/* arrays are merged: array is "" */
	WS_SITES_NONE,		/* source lines too */
};

#define WS_CHUNK_LINES 64u	/* distances beyond are one */
enum ws_chunk_form {		/* how lines of 128 B may be divided */
	WS_FORM_32, WS_FORM_64, WS_FORM_128, /* chunks under a grain so large */
	WS_FORM_SECTORS,	/* sectors of 32 B under one tag; exact.  Empty if the profile's
				 * machine is sectored: then its geometries say it */
};
#define WS_FORMS 4u
#define WS_GRAINS 3u		/* the forms of chunks */

/* Windows of time.  Loads and stores of an SM in a launch are counted from its start; each `period`
 * of them is a window, the last may be short.  In each, requests under each grain are counted by
 *
 *   at = ((kind * WS_GRAIN_LINES + lines) * WS_BINS + ws_bin(lag)) * WS_GRAINS + block,
 *
 * lines: d, WS_CHUNK_LINES for more, COLD or UNCACHED; lag: how many windows before this one the
 * words needed were last used, by no write-through store, the earliest of them; block: log2 of
 * the words of the block they were fetched in.  lag and block are 0 where lines is WS_CHUNK_LINES
 * or more. */
#define WS_GRAIN_COLD (WS_CHUNK_LINES + 1)
#define WS_GRAIN_UNCACHED (WS_CHUNK_LINES + 2)
#define WS_GRAIN_LINES (WS_CHUNK_LINES + 3)
#define WS_GRAIN_CELLS (2 * WS_GRAIN_LINES * WS_BINS * WS_GRAINS)

struct ws_grain_cells {		/* of one grain and set count, by window */
	size_t *first;		/* [windows + 1]: its first cell; the last: how many there are */
	uint16_t *at;		/* ascending in a window */
	uint32_t *count;	/* not 0 */
};

struct ws_chunked {		/* at one number of sets, lines of 128 B */
	uint64_t sets;
	struct ws_histogram kind[WS_FORMS][WS_KINDS]; /* distances of chunks: 0 .. WS_CHUNK_LINES;
				 * q is in words, capacity that of min(d, floor(q / (4 * sets))) */
	struct ws_grain_cells window[WS_GRAINS];
};

struct ws_grain_runs {		/* windows: of each SM with requests in each launch, a run */
	uint64_t period;	/* 0: no windows were recorded */
	uint32_t *run;		/* how many it has, at least 1 */
	size_t runs;
	uint32_t (*size)[WS_GRAINS]; /* of a window: requests of 1, 2, 4 words */
	size_t windows;		/* of all runs */
};

struct ws_missed {
	uint64_t requests, misses;
};

struct ws_section {		/* the launches of one kernel */
	char *kernel;
	uint64_t grid[3], block[3]; /* of the first launch */
	uint64_t launches, ctas, warp_instructions;
	uint64_t cycles;	/* in the profile's order, summed over launches */
	uint64_t issued, waits;	/* as in struct ws_order_stats, summed; 0: not known */
	uint64_t resident_ctas;	/* of the first launch */
	struct ws_demand demand; /* of the launch that stands for all (ws_demand_add) */
	struct ws_geometry *geometry; /* by ascending line, then sets */
	size_t geometries;
	struct ws_site *site;	/* by array, file, line, kind */
	size_t sites;
	unsigned sites_level;	/* enum ws_site_level: there were too many; not kept in a file */
	/* Of an L2: cold loads of each geometry that are no requests, but lines that it held at the
	 * start of the launches. */
	uint64_t warm;
	struct ws_chunked *chunked; /* by ascending sets; none: not recorded */
	size_t chunkeds;
	struct ws_grain_runs grains;
	/* WS_ORDER_CYCLES: counts of the simulation that the order is from, of its L1s and its L2;
	 * all 0: unknown. */
	struct ws_missed simulated[2][WS_KINDS];
};

/* The machine while the section's launches run (ws_machine_adapt).  Use its L1 to predict a machine
 * rather than one cache. */
enum ws_status ws_section_machine(const struct ws_section *s, const struct ws_machine *m,
				  struct ws_machine *out, struct ws_err *err) WS_MUST_CHECK;

/* Loads of all lines of the launch's arrays that an L2 has at such a start (ws_l2_filled), in
 * order.  WS_EINVAL if they are more than 2^27; fill()'s errors. */
enum ws_status ws_warm_lines(const struct ws_launch *launch, const struct ws_machine *m,
			     uint64_t line_bytes,
			     enum ws_status (*fill)(void *context, const struct ws_request *line,
						    struct ws_err *err),
			     void *context, struct ws_err *err) WS_MUST_CHECK;

#define WS_SM_WORDS 64u		/* of a set of SMs: bit sm % 64 of word sm / 64 */

struct ws_filter {		/* the L1s before an L2, as far as the machine may vary them */
	uint64_t line_bytes, sets, ways;
};

int ws_filter_compare(const struct ws_filter *a, const struct ws_filter *b);

struct ws_next_level {		/* the L2 behind such L1s */
	struct ws_filter l1;
	/* Its machine is ws_l2_machine of the profile's: one SM, whose L1 is the whole L2; the same
	 * kernels in the same order; no sites. */
	struct ws_profile *l2;
};

struct ws_profile {
	struct ws_machine machine; /* the machine that made the stream; keys of the stages
				    * WS_STAGE_ORDER and WS_STAGE_PROFILE are part of what was
				    * measured */
	uint64_t seed;
	enum ws_order order;	/* of the stream; WS_ORDER_CYCLES: every key of the machine but
				 * labels is part of what was measured */
	uint64_t sm[WS_SM_WORDS]; /* the SMs that were counted */
	double sample_rate;	/* of the lines; 1: all of them.  Else only distances are there */
	uint64_t sample_lines;	/* the most lines sampled at once (fixed size), or 0 (fixed rate) */
	struct ws_section *section; /* in order of first launch */
	size_t sections;
	struct ws_next_level
		*behind; /* by ascending line, sets, ways of the L1; none: not recorded */
	size_t behinds;
	/* The same launches in the orders of machines with L1s of other sizes, ascending: distances
	 * only, of the same sections, without an L2.  WS_ORDER_CYCLES only. */
	struct ws_profile **other;
	size_t others;
};

/* The orders of a profile: number 0 is its own, the others follow. */
static inline size_t ws_profile_orders(const struct ws_profile *p)
{
	return 1 + p->others;
}
static inline const struct ws_profile *ws_profile_order(const struct ws_profile *p, size_t number)
{
	return number ? p->other[number - 1] : p;
}

void ws_profile_free(struct ws_profile *p);
/* NULL if there is none. */
const struct ws_chunked *ws_section_chunked(const struct ws_section *s, uint64_t sets);
const struct ws_geometry *ws_section_geometry(const struct ws_section *s, uint64_t line_bytes,
					      uint64_t sets);
/* The machine whose only SM has the whole L2 of *m for an L1. */
struct ws_machine ws_l2_machine(const struct ws_machine *m);
/* The L2 behind such L1s; NULL: not recorded. */
const struct ws_next_level *ws_profile_behind(const struct ws_profile *p,
					      const struct ws_cache *l1);

/* Adds `from` to *to: sections of the same kernel are added up, others appended.
 *
 * Both must have the same seed, order, sampling, geometries (line, sector, sets) and records
 * (details, sites, chunks, L2s) in all sections; the same SMs or none in common; and,
 * of the machine, the same keys of the stages ORDER and PROFILE, of L2_PROFILE if they have L2s
 * (which want the same SMs, all of them), and l1.line, the line of the stream.  If both have
 * sites, l1.sets too: it says where those were counted.  Else l1.sets, and l1.ways always, say
 * nothing of what was measured, as keys of the stage PREDICT may be set in a profile's
 * machine.  In WS_ORDER_CYCLES all keys but labels must be the same.  So that both were measured
 * with the same L1 of the machine's own, which decides when loads return and thus the order of
 * requests, is for the caller to see to.
 *
 * With the same SMs launches, CTAs, warp instructions and cycles add up, as if one ran after
 * the other; with other SMs they must be equal, and remain.  Variances add with other SMs,
 * whose samples are independent; with the same SMs both may be of one sample, so standard
 * deviations add: the variance is (sqrt(a) + sqrt(b))^2, rounded up.  Both stop at 2^64 - 1.
 * After a failure *to is as before. */
enum ws_status ws_profile_merge(struct ws_profile *to, const struct ws_profile *from,
				struct ws_err *err) WS_MUST_CHECK;

/* The same of launches that follow those of *to in one trace (ws_profiler_skip), on the same SMs
 * (else WS_EINVAL).  Each launch is sampled by itself, so variances add: *to becomes what one
 * profiler measures of all these launches. */
enum ws_status ws_profile_append(struct ws_profile *to, const struct ws_profile *from,
				 struct ws_err *err) WS_MUST_CHECK;

/* Samples of sets lose the times of their requests (WS_RECORD_TIMES).  WS_ENOMEM: some have. */
enum ws_status ws_profile_forget_times(struct ws_profile *p, struct ws_err *err) WS_MUST_CHECK;

/* ---- measuring ------------------------------------------------------------------------ */

struct ws_shape {		/* a geometry asked for */
	uint64_t line_bytes, sets;
};

enum { /* what to record beside the distances, at every shape */
	WS_RECORD_WINDOWS = 1,	/* references ... end_previous */
	WS_RECORD_LINES = 2,	/* arrivals, fill, retained, top */
	WS_RECORD_FLIGHT = 4,
	WS_RECORD_CHUNKS = 32,	/* ws_section.chunked, at the set counts of lines of 128 B; of a
				 * machine with such lines */
	WS_RECORD_SITES = 16,	/* if the machine's own line and sets are among the shapes */
	WS_RECORD_SETS = 64,	/* a sample of sets; where there is DETAIL */
	WS_RECORD_TIMES = 128,	/* the times of its requests, in an order of cycles */
	WS_RECORD_DETAIL = WS_RECORD_WINDOWS | WS_RECORD_LINES | WS_RECORD_FLIGHT,
	WS_RECORD_DEFAULT = WS_RECORD_DETAIL | WS_RECORD_SITES | WS_RECORD_SETS,
};

struct ws_profile_options {
	const struct ws_shape *shape; /* any order, duplicates allowed; NULL: ws_profile_shapes */
	size_t shapes;
	const struct ws_shape *plain; /* further shapes, distances only */
	size_t plains;
	unsigned record;	/* WS_RECORD_*; some of DETAIL means all of it */
	enum ws_order order;	/* the order of the pushed requests */
	uint64_t seed;
	unsigned threads;	/* 0: all cores, where there is something for them to do */
	uint64_t sm[WS_SM_WORDS]; /* the SMs to count; none: all */
	double sample_rate;	/* 0 or 1: all lines */
	uint64_t sample_lines;	/* 0: no limit */
	uint64_t set_sample;	/* with WS_RECORD_SETS: requests of a kernel and geometry that are
				 * kept at most; 0: WS_SET_SAMPLE_MOST */
	/* The L1s behind which the L2 is recorded, any order, duplicates allowed; none: no L2. */
	const struct ws_filter *filter;
	size_t filters;
	/* Set counts of a slice; none: n/4, n/2, n, 2n, 4n, n the machine's, where the hash is
	 * defined. */
	const uint64_t *l2_sets;
	size_t l2_set_counts;
	/* With WS_RECORD_CHUNKS: requests of a window of time; 0: no windows. */
	uint64_t grain_period;
	void (*progress)(void *context, uint64_t ctas_done, uint64_t ctas_total);
	void *context;
};

/* The default: for the machine's line, 32 and 128 B (each once), with n = the machine's sets *
 * its line / that line: n/4, n/2, n, 2n, 4n and 1, as far as the hash is defined for them.
 * *shape is allocated; caller frees. */
enum ws_status ws_profile_shapes(const struct ws_machine *m, struct ws_shape **shape,
				 size_t *shapes, struct ws_err *err) WS_MUST_CHECK;
/* Those n * 2^k that L1s of a quarter to eight times the machine's size and 1 to 32 ways have, of
 * its line: cheap to measure plain, so that any such size and ways can be asked for.  As above. */
enum ws_status ws_profile_plain(const struct ws_machine *m, struct ws_shape **shape,
				size_t *shapes, struct ws_err *err) WS_MUST_CHECK;
/* The sector of the machine's L1 when its lines are line_bytes long: the line if it is not
 * sectored, else its own sector or the line, whichever is smaller. */
uint64_t ws_shape_sector(const struct ws_machine *m, uint64_t line_bytes);

/* What a sample of that rate of so many requests of an SM costs, in requests that are measured
 * whole, about. */
double ws_sample_cost(double requests, double rate);

/* Gathers a profile.  The machine has passed ws_machine_check.  The requests are those of lines
 * of m->l1.line_bytes; for other lines they are cut or merged (ws_recut).  Calls come from one
 * thread at a time.  The same bytes for any number of threads.  After a failure, but WS_EINVAL
 * for what was passed, a profiler is good only to be freed. */
struct ws_profiler;

enum ws_status ws_profiler_new(struct ws_profiler **out, const struct ws_machine *m,
			       const struct ws_profile_options *options,
			       struct ws_err *err) WS_MUST_CHECK;
/* Tells of a launch that another profiler measures, before those that this one does.  Samples of
 * lines are then chosen as if it had been measured here: parts of a trace add up to the whole
 * (ws_profile_append).  The launch must stay as it is until the profiler is freed. */
enum ws_status ws_profiler_skip(struct ws_profiler *p, const struct ws_launch *launch,
				struct ws_err *err) WS_MUST_CHECK;
/* Empties the caches.  The launch must stay as it is until ws_profiler_end. */
enum ws_status ws_profiler_launch(struct ws_profiler *p, const struct ws_launch *launch,
				  struct ws_err *err) WS_MUST_CHECK;
/* As the sink's requests: all of a warp instruction's in one call.  Addresses are of lines, the
 * sectors within them and, if other lines or an L2 were asked for, at least one and within one
 * segment of coalesce_line; with an L2, an SM's cycles do not go back, and SMs are numbered below
 * the launch's CTAs.  Batches are gathered and worked off in parallel. */
enum ws_status ws_profiler_push(struct ws_profiler *p, uint64_t sm, const struct ws_request *r,
				size_t count, struct ws_err *err) WS_MUST_CHECK;
enum ws_status ws_profiler_end(struct ws_profiler *p, const struct ws_order_stats *stats,
			       struct ws_err *err) WS_MUST_CHECK; /* of the launch */
/* Hands the profile over; p is spent (but must be freed). */
enum ws_status ws_profiler_finish(struct ws_profiler *p, struct ws_profile **out,
				  struct ws_err *err) WS_MUST_CHECK;
void ws_profiler_free(struct ws_profiler *p);

/* Orders, coalesces and profiles each launch of a trace, in one call.  The nominal order only (else
 * WS_EINVAL): the cycle simulator is in validate/, whose ws_orderer feeds a profiler in either
 * order.  *out is freed by ws_profile_free. */
enum ws_status ws_profile_trace(struct ws_profile **out, const struct ws_trace *t,
				const struct ws_machine *m,
				const struct ws_profile_options *options,
				struct ws_err *err) WS_MUST_CHECK;

/* ---- the profile file, warpstack-profile(5) ------------------------------------------ */

/* True if the bytes begin like a profile. */
bool ws_profile_recognise(const void *data, size_t len);
/* WS_ENOMEM: also if ws_profile_read would refuse the profile or one of its blocks as too large.
 * Write errors show at ws_out_commit. */
enum ws_status ws_profile_write(const struct ws_profile *p, struct ws_out *out,
				struct ws_err *err) WS_MUST_CHECK;
/* WS_EFORMAT names file and place.  All that is read is checked, sums too.  *in may be closed
 * afterwards; *out is freed by ws_profile_free. */
enum ws_status ws_profile_read(struct ws_profile **out, const struct ws_in *in,
			       struct ws_err *err) WS_MUST_CHECK;

WS_API_END
#endif
