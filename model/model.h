/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * model/model.h -- profiles to miss rates, and the table of replacement policies.
 *
 * A policy has two faces.  The exact one is three hooks on a set's words; the
 * simulator (validate/) owns lookup, placement and counting, a policy only
 * ranks.  The analytic one predicts the counts from a profile.
 *
 * To add a policy:
 *   1. model/policy/<name>.c with a `const struct ws_policy ws_policy_<name>`;
 *   2. its row in POLICIES in model/policy.c;
 *   3. its known answer in tests/model/t-policy.c, which fails until it is there.
 * A rule in tests/ref/policy.c, the independent reference, is good to have besides: tests that
 * compare request by request skip, saying so, what has none.
 */
#ifndef WS_MODEL_H
#define WS_MODEL_H

#include "stackdist/stackdist.h"

WS_API_BEGIN

/* requests = hits + pending + misses;
 * misses = cold + capacity + conflict + uncached. */
struct ws_counts {
	uint64_t requests, hits, pending, misses;
	uint64_t cold, capacity, conflict, uncached;
	/* Sectors of 32 bytes that the requests ask for, and those of them that are not there.  No
	 * sectors of some requests: they are not known. */
	uint64_t sectors, sectors_missed;
};

enum ws_basis { WS_EXACT, WS_APPROX, WS_SIMULATED };
extern const char *const ws_basis_names[];

struct ws_prediction {
	struct ws_counts kind[WS_KINDS + 1]; /* [WS_KINDS]: all */
	/* The miss ratio's 95 % interval, as far as sampling and the policy's model leave it
	 * open: both ends are the ratio itself where that is exact. */
	double low[WS_KINDS + 1], high[WS_KINDS + 1];
	/* The policy's, but WS_EXACT wherever all policies do the same (one way, or nothing is
	 * thrown out); WS_APPROX of a sampled profile, of chunks, and of an L2 behind L1s of
	 * another policy than LRU.  WS_SIMULATED is set by who simulated, never here. */
	enum ws_basis basis;
	/* Expected absolute error of the miss ratio, in points, at most 100.  Of a sampled profile
	 * the distance of the interval's farther end is added: half its width, unless it is
	 * cut short at 0 or 1. */
	double error_pp[WS_KINDS + 1];
	bool unsure;		/* low confidence: the policy's model is known to err here */
	uint64_t instructions;	/* of warps, that access memory: of an L1; 0: not known */
};

/* ---- policies as they are asked for --------------------------------------------- */

#define WS_PARAMS_MAX 32u
struct ws_policy;

struct ws_use {			/* NAME or NAME:PARAMETERS, as l1.policy says it */
	const struct ws_policy *policy;
	double param[WS_PARAMS_MAX]; /* as the policy's parse left them */
	unsigned params;
};

/* Errors: WS_EINVAL for an unknown name (the message lists those there are) or parameters that the
 * policy does not take. */
enum ws_status ws_use_parse(struct ws_use *out, const char *text, struct ws_err *err) WS_MUST_CHECK;

/* For parse(): numbers in text, which is copied into the message if it is refused. */
enum ws_status ws_param_whole(const char *text, uint64_t low, uint64_t high, double *out,
			      struct ws_err *err) WS_MUST_CHECK;
/* "1/20" or "0.05", 0 to 1. */
enum ws_status ws_param_fraction(const char *text, double *out, struct ws_err *err) WS_MUST_CHECK;

/* ---- the exact face ----------------------------------------------------------------- */

/* What a policy's hooks may use.  Words are zero at first, and again after a flush. */
#define WS_SET_WORDS 2u
#define WS_CACHE_WORDS 4u
struct ws_set {
	uint64_t *meta;		/* [ways]: a word a way.  Of an invalid way it is what it was left at */
	uint64_t *own;		/* [WS_SET_WORDS], the set's */
	uint64_t *shared;	/* [WS_CACHE_WORDS], of all sets of the cache */
	unsigned ways;
	uint64_t clock;		/* counts the set's accesses, from 1, this one included */
	uint64_t index, sets;	/* this set, 0 .. sets - 1 */
	uint64_t next;		/* offline policies: when the line at hand is asked for next, as a
				 * number that grows with time; UINT64_MAX: never */
	struct ws_rng *rng;	/* the cache's, seeded */
	const struct ws_use *use;
};

/* ---- the analytic face --------------------------------------------------------------- */

struct ws_tail {		/* of a histogram: sums over its cells from cell i on; [len] = 0 */
	const uint64_t *distance, *capacity;
};

struct ws_reuse;		/* model/reuse.h */
struct ws_shared;		/* model/shared.h: what questions of one profile share */

struct ws_question {
	const struct ws_cache *cache;
	const struct ws_use *use;
	const struct ws_geometry *geometry; /* of the cache's line and sets */
	const struct ws_tail *tail; /* [WS_KINDS], its histograms'; NULL: not prepared */
	/* Only where something is evicted and the policy needs them: */
	const struct ws_reuse *windows;	/* by type (WS_RECORD_WINDOWS) */
	const struct ws_reuse *counted;	/* by count type; NULL if the profile has none */
	struct ws_shared *shared;
	size_t place;		/* of the geometry, in shared */
	const char *text;	/* NAME:PARAMETERS that solve() is to answer for, */
	const struct ws_question *asker; /* and the question whose solve() asks; NULL: none */
};

/* A policy's answer to a question, over all references (stackdist.h). */
struct ws_solution {
	bool lru;		/* it hits as LRU does, and hit[] is not read */
	double hit[WS_TYPES];	/* probability that a reference of the type finds its line; 0 of COLD
				 * and RELOAD */
	double error_pp;	/* expected absolute error of the miss ratio, in points */
	double below_pp, above_pp; /* the 95 % interval: so many points below and above */
	bool unsure;		/* low confidence */
};

struct ws_policy {
	const char *name;	/* what l1.policy takes: [a-z0-9-]+ */
	const char *params;	/* what may follow a colon, for `warpstack policies`; NULL: nothing */
	const char *summary;	/* one line for `warpstack policies` and the man page */
	const char *source;	/* paper, and the rule of its analytic face */
	char gpgpusim;		/* its letter in a GPGPU-Sim configuration, or 0 */
	bool variant;		/* of another policy, or nothing without parameters: not in `all` */
	bool offline;		/* its hooks read set->next */
	bool of_words;		/* the one that l1.organisation decoupled and later ones have */
	enum ws_basis basis;	/* WS_EXACT: has predict(), whose counts are sums over requests:
				 * those of parts of a histogram add up to those of the whole.
				 * WS_APPROX: has solve().  WS_SIMULATED: neither */
	/* Error of the miss ratio on the reporting streams (validate/results.csv), in points: mean
	 * of all rows, and the largest of those that are not unsure.  0: not measured */
	double mean_pp, max_pp;
	/* text: what follows the colon, "" if nothing does.  NULL: takes no parameters. */
	enum ws_status (*parse)(const char *text, struct ws_use *use, struct ws_err *err);
	/* Whether the cache suits; NULL: any does. */
	enum ws_status (*check)(const struct ws_use *use, const struct ws_cache *cache,
				struct ws_err *err);
	/* Exact.  on_hit and on_fill may be NULL; victim is asked only of a full set, before
	 * on_fill of the way it names. */
	void (*on_hit)(struct ws_set *set, unsigned way);
	void (*on_fill)(struct ws_set *set, unsigned way);
	unsigned (*victim)(struct ws_set *set);
	/* Analytic, one of these two or, if there is no model, neither.
	 * predict: exact counts of loads, stores, atomics; *out is zeroed.  The caller adds those
	 * of all, and checks that counts add up.
	 * solve: *out is zeroed; asked only where something is evicted and ways > 1.  It may ask
	 * for another policy's solution (ws_shared_solve), not its own, nor one that asks for it.
	 * A policy without windows in `needs` is asked with windows = NULL. */
	unsigned needs;		/* WS_RECORD_* without which solve is not asked */
	enum ws_status (*predict)(const struct ws_question *question, struct ws_prediction *out,
				  struct ws_err *err);
	enum ws_status (*solve)(const struct ws_question *question, struct ws_solution *out,
				struct ws_err *err);
};

/* NULL-terminated.  The first is the one that all are where nothing is thrown out, LRU. */
extern const struct ws_policy *const ws_policies[];
/* By name, with or without :PARAMETERS, or by GPGPU-Sim's letter; NULL if none. */
const struct ws_policy *ws_policy_find(const char *text);

/* ---- predictions ------------------------------------------------------------------ */

/* The prediction for one kernel and one L1.  cache->policy names the policy.  Errors:
 * WS_EINVAL for an unknown policy, or a line, sets, hash, sector or write policy that the
 * profile does not hold (the message lists what it holds).  O(distances) where policies do as
 * LRU does, and what solve() takes besides where they do not.  For one question: for many
 * ws_answers_predict prepares and solves nothing twice. */
enum ws_status ws_predict(const struct ws_profile *p, size_t section,
			  const struct ws_cache *cache, struct ws_prediction *out,
			  struct ws_err *err) WS_MUST_CHECK;

/* The errors of ws_predict alone, O(log shapes). */
enum ws_status ws_predict_check(const struct ws_profile *p, size_t section,
				const struct ws_cache *cache, struct ws_err *err) WS_MUST_CHECK;

/* A profile prepared for many questions, in O(distances): LRU then answers each in O(log shapes),
 * whatever the distances.  Takes as much memory as the histograms; *p must outlive it.
 * Any number of threads may ask at once.  WS_ENOMEM. */
struct ws_answers;

enum ws_status ws_answers_new(struct ws_answers **out, const struct ws_profile *p,
			      struct ws_err *err) WS_MUST_CHECK;
/* As ws_predict. */
enum ws_status ws_answers_predict(const struct ws_answers *a, size_t section,
				  const struct ws_cache *cache, struct ws_prediction *out,
				  struct ws_err *err) WS_MUST_CHECK;
void ws_answers_free(struct ws_answers *a);

/* The same of the L2 of *m behind its L1s, of a profile that has it (struct ws_behind).
 * m->l2.policy names the policy.  Exact for LRU in both; with another policy in the L1s it is the
 * L2 behind LRU's, an approximation of low confidence whose interval is [0, 1].  Errors, besides
 * those of ws_predict: no L2, or none behind such L1s; other keys of the stage L2_PROFILE than the
 * profile's.  For one question, as ws_predict. */
enum ws_status ws_predict_l2(const struct ws_profile *p, size_t section, const struct ws_machine *m,
			     struct ws_prediction *out, struct ws_err *err) WS_MUST_CHECK;
enum ws_status ws_predict_l2_check(const struct ws_profile *p, size_t section,
				   const struct ws_machine *m, struct ws_err *err) WS_MUST_CHECK;
enum ws_status ws_answers_predict_l2(const struct ws_answers *a, size_t section,
				     const struct ws_machine *m, struct ws_prediction *out,
				     struct ws_err *err) WS_MUST_CHECK;

/* ---- time (timing.c) ---------------------------------------------------------------- */

enum ws_bound {			/* what cycles are bound by; timing.c says how */
	WS_BOUND_ISSUE, WS_BOUND_LSU, WS_BOUND_LATENCY, /* the SM's front, */
	WS_BOUND_MSHR, WS_BOUND_SEND, WS_BOUND_RECEIVE, /* its way to the L2, */
	WS_BOUND_L2, WS_BOUND_REPLY, WS_BOUND_DRAM,
	WS_BOUNDS,
};
extern const char *const ws_bound_names[];

struct ws_timing {		/* of all launches of a kernel */
	struct ws_prediction l1, l2; /* with pending hits; l2 zero if there is none in the profile, and
				 * of the L1s it was recorded behind that are nearest to those asked for */
	bool l2_assumed;	/* there is none: what L1s miss cold misses there, too, and no more */
	double fetch_cycles;	/* that an L1's miss takes on the way, without queues */
	double access_cycles;	/* average memory access time of a load's request, likewise */
	double load_cycles;	/* of a load instruction from issue to data, queues included */
	double mshrs;		/* in use on an SM, on average */
	double dram_bytes;	/* read for loads and atomics that miss in the L2 and, where there is one
				 * in the profile, written back */
	double bound[WS_BOUNDS]; /* cycles, if nothing else took any */
	double cycles;
	/* What the profile's own machine took in the simulation that the profile was made of: cycles
	 * follow from that.  0: of another order, or the profile cannot tell the bounds there. */
	double anchor_cycles;
	enum ws_bound binds;	/* the largest */
};

/* Errors: those of ws_answers_predict, and of ws_answers_predict_l2 but for L1s that none was recorded
 * behind; a profile without details.  Of a profile that does not say what was
 * issued (struct ws_section), an older one or one of an untimed order, cycles and mshrs are 0.  One
 * without crowding, an older one, says of no set that it is full. */
enum ws_status ws_answers_timing(const struct ws_answers *a, size_t section,
				 const struct ws_machine *m, struct ws_timing *out,
				 struct ws_err *err) WS_MUST_CHECK;

/* Which array, which source line misses: a kernel's requests in parts, most misses first. */
enum ws_by { WS_BY_ARRAY, WS_BY_LINE, WS_BY_SITE };

struct ws_part {
	const char *array;	/* "": unknown; NULL: any (by line) */
	const char *file;	/* "": unknown; NULL: any (by array) */
	uint32_t line;		/* 0: unknown, or any */
	struct ws_prediction prediction;
};

/* The parts add up to what ws_answers_predict says.  Errors, besides its own: a line or sets
 * other than the machine's, a policy whose prediction is not exact, a profile without sites.
 * *part is allocated; caller frees.  most: the kind whose misses decide the order, WS_KINDS for
 * all.  O(sites log sites), and O(groups^2) moves at worst. */
enum ws_status ws_answers_parts(const struct ws_answers *a, size_t section,
				const struct ws_cache *cache, enum ws_by by, unsigned most,
				struct ws_part **part, size_t *count,
				struct ws_err *err) WS_MUST_CHECK;

/* Its error for a cache of another line or sets, or another than an exact policy. */
enum ws_status ws_parts_check(const struct ws_machine *own, const struct ws_cache *cache,
			      struct ws_err *err) WS_MUST_CHECK;

/* ---- DyCache's decisions (decide.c) ----------------------------------------------------- */

#define WS_GRAIN_WORDS 4u	/* of a line of chunks */
#define WS_GRAIN_SIZES WS_GRAINS /* of requests under elastic and dycache: 1, 2, 4 words */

struct ws_grain_window {
	uint64_t requests, misses;
	uint64_t size[WS_GRAIN_SIZES]; /* requests of 1, 2, 4 words */
};

struct ws_grain_control {	/* plain data; needs no end */
	uint32_t threshold;	/* percent */
	uint64_t period_first, period_max, period;
	enum ws_grain_fine fine;
	unsigned grain;		/* words */
	unsigned same, changed;	/* decisions in succession that did not change it, that did */
	struct ws_grain_window window;
};

/* The words of the next period's grain, after a window under `grain`.  More than `threshold`
 * percent of misses is poor locality; more than that of requests of less than 128 B is fine.  Poor
 * and fine: 128 B becomes 32 B if there were more requests of 32 than of 64 B, else 64 B.  Poor and
 * coarse: becomes 128 B.  All else stays; with WS_GRAIN_CHOOSE poor and fine chooses whatever it
 * was. */
unsigned ws_grain_decide(const struct ws_grain_window *w, unsigned grain, uint32_t threshold,
			 enum ws_grain_fine fine);
void ws_grain_start(struct ws_grain_control *c, const struct ws_cache *cache);
/* One request of log2 words `size`; true if a period ended with it and the grain changed. */
bool ws_grain_take(struct ws_grain_control *c, unsigned size, bool miss);
/* So many at once, at most as many as are left of the period. */
bool ws_grain_take_all(struct ws_grain_control *c, const struct ws_grain_window *w);

/* ---- a software cache in shared memory, private to each thread (soft.c, soft_record.c) ----------
 *
 * What is modelled.  The structures of a launch are its arrays.  Each thread counts its *calls*,
 * which are its loads and stores of global memory; the first `threshold` are its monitoring phase,
 * in which all go to memory, while an imaginary line for each structure counts what would have hit.
 * Then `lines` structures are chosen, and each thread has one line of line_bytes for each of them,
 * empty at first.  An access to a chosen structure looks up its line: a miss writes the bytes that
 * were modified back, then fetches the whole line, for a store too; a store sets the bits of its
 * bytes in the line's mask.  Accesses to other structures, to no array, and atomics go to memory.
 * A barrier, and a thread's end, write back and empty all its lines; before an atomic, its
 * structure's line is written back and emptied if it holds the address.  Barriers and atomics do so
 * with imaginary lines too.
 *
 * In the design's text each thread ranks its own hits, which are in its registers, and chooses for
 * itself: by_thread.  Else the choice is one for the launch, by the hits of all threads while they
 * monitored, as a host would make it that monitors one launch for those to come.  A structure is
 * read-write if a store names it; it goes before a read-only one if it has at least twice
 * its hits, else after; equals in the order of the arguments.  Without a hit none is chosen.
 *
 * Choices of ours: a thread stops monitoring after exactly `threshold` calls, not at the end of its
 * loop's turn; an access that does not lie in one line looks up each line it touches, in
 * ascending order, each a hit or a miss of its own.
 *
 * Aliased: structures' pointers may overlap, so every access looks in all lines in use, whatever
 * its own structure.  Lines of different arrays never do overlap here, as arrays begin at multiples
 * of 256 bytes and lines are no longer: only instructions differ.
 *
 * How it is derived.  A line of 2^k bytes holds the last access's line, so an access hits if the
 * bit length of (address XOR the last byte accessed) is at most k, and nothing emptied the line
 * between.  So each access adds to the histograms of all k at once; under the number of the call
 * before it in the same structure, as it hits in the cached phase of all thresholds below that.
 * Write-backs are stores less those that find the line dirty, by the number of the store before.
 *
 * Where each thread chooses for itself, its counts have to be kept apart until it has ended, by
 * what was up to the threshold and what after it.  So such histograms are of one threshold; of all
 * line sizes and all numbers of lines at once, as each thread's counts are added to the rank that a
 * structure has for it.
 *
 * What is left for the L1s is derived, in accesses of threads: `direct`, `misses`, `write_backs`;
 * of one choice for the launch in requests of warps, too (soft_requests.c).  Misses in the L1s and
 * the L2 depend on what else is chosen, and are not: for those the trace is rewritten with the
 * cache in it (ws_soft_rewrite in validate.h), and that is profiled.
 */
#define WS_SOFT_LINE_BITS 8u			/* lines of 1, 2, ... 256 bytes */
#define WS_SOFT_SIZES (WS_SOFT_LINE_BITS + 1)
#define WS_SOFT_THRESHOLD_MAX 1024u
#define WS_SOFT_STRUCTURES_MAX 256u		/* those after count as no array */

struct ws_soft {
	uint64_t line_bytes, threshold; /* 1..WS_SOFT_THRESHOLD_MAX */
	uint64_t lines;		/* of a thread, CLN */
	bool aliased;
	bool by_thread;		/* each thread chooses for itself */
};
#define WS_SOFT_INIT { .line_bytes = 16, .threshold = 300 }

enum ws_status ws_soft_check(const struct ws_soft *soft, struct ws_err *err) WS_MUST_CHECK;

struct ws_soft_counts {
	uint64_t accesses[WS_KINDS];	/* of threads */
	uint64_t monitored, monitor_hits; /* loads and stores of the monitoring phase */
	uint64_t hits[2], misses[2];	/* [WS_LOAD], [WS_STORE]: of the cached phase, each line that
					 * an access touches */
	uint64_t write_backs, write_back_bytes; /* lines; modified bytes */
	uint64_t direct[WS_KINDS];	/* accesses that went to memory as they were */
	/* By threads that have a line for the structure, in their cached phase: */
	uint64_t atomics;		/* they look for it */
	uint64_t emptied;		/* lines looked at by barriers and ends */
	uint64_t others;		/* of all threads: other lines that they have in use, of each
					 * load and store of the cached phase */
};

/* Instructions that the cache adds to a thread's; soft.c says of what they are. */
#define WS_SOFT_DO_MONITOR 5u
#define WS_SOFT_DO_DIRECT 3u
#define WS_SOFT_DO_LOOK_UP 5u
#define WS_SOFT_DO_FETCH 4u
#define WS_SOFT_DO_ATOMIC 3u
#define WS_SOFT_DO_EMPTY 1u
#define WS_SOFT_DO_OTHER_LINE 2u

enum ws_soft_why {
	WS_SOFT_CHOSEN,
	WS_SOFT_NO_ARRAY,	/* addresses in no array */
	WS_SOFT_NO_LINE,	/* CLN is 0 */
	WS_SOFT_NO_HIT,
	WS_SOFT_FEWER_HITS,	/* than the last that was chosen, in the order of the rule */
	WS_SOFT_NOT_TWICE,	/* read-write; it has more than the last, which is read-only, but not twice */
	WS_SOFT_BY_NONE,	/* by_thread: hits there were, but no thread chose it */
};
extern const char *const ws_soft_why_names[];

struct ws_soft_part {		/* a structure */
	uint32_t array;		/* of the launch; WS_NO_ARRAY: all else */
	uint32_t rank;		/* by the rule, from 1; 0: without a hit, or by_thread */
	bool writable;
	enum ws_soft_why why;	/* by_thread: chosen by any */
	uint64_t threads;	/* that were through with monitoring, and have a line for it */
	struct ws_soft_counts counts;
};

struct ws_soft_result {
	struct ws_soft_part *part; /* in the order of arguments, all else last, accessed ones only */
	size_t parts;
	uint64_t chosen;
	uint64_t barriers;	/* of threads, in the cached phase: all lines are looked at */
	uint64_t past;		/* calls after monitoring */
	uint64_t instructions;	/* of threads, as the kernel is */
	uint64_t extra;		/* of threads, that monitoring and caching add; soft.c says how many each */
};

void ws_soft_result_clear(struct ws_soft_result *r);
struct ws_soft_counts ws_soft_sum(const struct ws_soft_result *r);
/* Fills rank and why of r's parts, whose accesses, writable and monitor_hits are set; chosen. */
void ws_soft_choose(struct ws_soft_result *r, uint64_t lines);
/* The same where each thread chose for itself; their number is set, too. */
void ws_soft_chosen_by(struct ws_soft_result *r, uint64_t lines);
/* r->extra of all other counts. */
void ws_soft_instructions(struct ws_soft_result *r, const struct ws_soft *soft);

/* A launch's histograms: of one choice for the launch and any threshold, or, where each thread
 * chooses (by_thread not NULL), of by_thread->threshold. */
struct ws_soft_record;

enum ws_status ws_soft_record_new(struct ws_soft_record **out, const struct ws_launch *launch,
				  const struct ws_soft *by_thread, struct ws_err *err) WS_MUST_CHECK;
/* Before all, if by_thread: each step, as the choice has to know what is stored to. */
void ws_soft_record_stores(struct ws_soft_record *r, const struct ws_step *step);
void ws_soft_record_cta(struct ws_soft_record *r); /* before each CTA's steps, and after the last's */
enum ws_status ws_soft_record_step(struct ws_soft_record *r, const struct ws_step *step,
				   struct ws_err *err) WS_MUST_CHECK;
/* All of that of a launch of a trace. */
enum ws_status ws_soft_record_make(struct ws_soft_record **out, const struct ws_trace *t,
				   size_t launch, const struct ws_soft *by_thread,
				   struct ws_err *err) WS_MUST_CHECK;
void ws_soft_record_free(struct ws_soft_record *r);
/* Any number of threads may ask.  O(threshold * structures).  WS_EINVAL: soft->by_thread, and that
 * threshold, are not the record's. */
enum ws_status ws_soft_predict(const struct ws_soft_record *r, const struct ws_soft *soft,
			       struct ws_soft_result *out, struct ws_err *err) WS_MUST_CHECK;

/* Of a record for any threshold: of a structure with a line of its own all through the launch,
 * hits of lines of 2^k bytes, and lines looked up. */
void ws_soft_lines(const struct ws_soft_record *r, size_t structure, uint64_t hits[WS_SOFT_SIZES],
		   uint64_t look_ups[WS_SOFT_SIZES]);

/* Requests of warps that are left, for any threshold, line size and number of lines: of the
 * machine's warp.width, coalesce.line and l1.line.  For one choice for the launch.  Equal to those
 * of ws_soft_streams, and of a rewritten trace, where no request of a warp as it is holds both
 * bytes of an array and bytes of none; those are two here. */
struct ws_soft_requests;

enum ws_status ws_soft_requests_make(struct ws_soft_requests **out, const struct ws_trace *t,
				     size_t launch, const struct ws_machine *m,
				     struct ws_err *err) WS_MUST_CHECK;
void ws_soft_requests_free(struct ws_soft_requests *r);
/* choice: of ws_soft_predict, with the same soft; NULL: without a cache. */
void ws_soft_requests_left(const struct ws_soft_requests *r, const struct ws_soft *soft,
			   const struct ws_soft_result *choice, uint64_t kind[WS_KINDS]);

/* Which structure of the launch a thread's access is to: an array's number, or `structures` - 1 for
 * no array. */
size_t ws_soft_structures(const struct ws_launch *launch);
size_t ws_soft_structure(const struct ws_launch *launch, uint32_t instruction, uint64_t address);
/* [structure]: does a store instruction name it? */
bool ws_soft_stored(const struct ws_launch *launch, size_t structure);

/* What an SM has room for: CLN = floor(floor(shared memory free / threads) / line), where threads
 * are those of the CTAs that an SM holds, or of those that there are for it if they are fewer.
 * Monitoring takes two registers a structure, caching three, two if read-only; one kernel is
 * compiled for both. */
struct ws_soft_room {
	uint64_t ctas_before, ctas; /* of an SM, without and with the cache's registers; 0: not even one */
	const char *limit;	/* of the latter, as in ws_order_stats */
	uint64_t threads, shared_free, thread_bytes, lines;
	uint64_t shared_used;	/* by lines, on an SM */
	uint64_t monitor_registers, cache_registers; /* of a thread */
	uint64_t spilled_registers; /* the latter if structures that are not chosen keep one */
};

static inline uint64_t ws_soft_added(const struct ws_soft_room *room) /* registers, of a thread */
{
	return room->monitor_registers > room->cache_registers ? room->monitor_registers
							       : room->cache_registers;
}

/* registers: of a thread without the cache, 0: not known, they bound nothing.  r: of one structure
 * set; its parts say which are read-write and, for the last member, chosen. */
enum ws_status ws_soft_fit(struct ws_soft_room *out, const struct ws_launch *launch,
			    const struct ws_machine *m, uint64_t registers, uint64_t line_bytes,
			    const struct ws_soft_result *r, struct ws_err *err) WS_MUST_CHECK;

double ws_miss_ratio(const struct ws_counts *c, bool count_pending); /* 0 without requests */
/* low and high of a prediction that leaves nothing open. */
void ws_prediction_close(struct ws_prediction *p);
void ws_counts_add(struct ws_counts *to, const struct ws_counts *from);
/* Of n of them; sectors where both know them. */
bool ws_counts_equal(const struct ws_counts *a, const struct ws_counts *b, size_t n);
/* True if both sums above hold. */
bool ws_counts_check(const struct ws_counts *c);

WS_API_END
#endif
