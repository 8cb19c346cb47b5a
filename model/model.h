/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * model/model.h -- profiles to miss rates, and the table of replacement policies.
 *
 * A policy has two faces.  The exact face is a few hooks on state whose size the policy states:
 * they rank the lines of a set and may bypass the cache, while the simulators (validate/) look up,
 * place and count.  The analytic face predicts the counts from a profile.
 *
 * To add a policy:
 *   1. model/policy/<name>.c with a `const struct ws_policy ws_policy_<name>`;
 *   2. its row in POLICIES in model/policy.c;
 *   3. its rule in tests/ref/policy.c, written from the paper and not from the code: the two are
 *      compared request by request; tests fail until the rule exists.
 * A known answer worked by hand, in tests/model/t-policy.c, is welcome too.
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
	/* Sectors of 32 bytes requested, and those that miss.  Both 0 where there are requests:
	 * unknown. */
	uint64_t sectors, sectors_missed;
};

enum ws_basis { WS_EXACT, WS_APPROX, WS_SIMULATED };
extern const char *const ws_basis_names[];

struct ws_prediction {
	struct ws_counts kind[WS_KINDS + 1]; /* [WS_KINDS]: all */
	/* The miss ratio's 95 % interval, from sampling and the policy's model.  Both ends are the
	 * ratio itself where it is exact. */
	double low[WS_KINDS + 1], high[WS_KINDS + 1];
	/* The policy's basis, but WS_EXACT where all policies agree (one way, or no evictions), and
	 * WS_APPROX for a sampled profile, for chunks, and for an L2 behind L1s of another policy
	 * than LRU.  Simulators set WS_SIMULATED. */
	enum ws_basis basis;
	/* Expected absolute error of the miss ratio, in points, at most 100.  A sampled profile
	 * adds the distance to the interval's farther end: half its width, unless it is cut at 0 or
	 * 1. */
	double error_pp[WS_KINDS + 1];
	bool low_confidence;	/* the policy's model is known to err here */
	uint64_t instructions;	/* memory instructions of warps, of an L1; 0: unknown */
};

/* ---- policies with parameters --------------------------------------------- */

#define WS_PARAMS_MAX 32u
struct ws_policy;

struct ws_use {			/* NAME or NAME:PARAMETERS, as l1.policy says it */
	const struct ws_policy *policy;
	const struct ws_policy *const *among; /* ws_policies, for policies of policies */
	double param[WS_PARAMS_MAX]; /* as the policy's parse() set them */
	unsigned params;
};

/* policy.c.  WS_EINVAL: an unknown name (the message lists all), or parameters that the policy does
 * not take. */
enum ws_status ws_use_parse(struct ws_use *out, const char *text, struct ws_err *err) WS_MUST_CHECK;
/* A cache's policy; of one without ways, in which nothing is replaced, the first of the table. */
enum ws_status ws_use_of(struct ws_use *out, const struct ws_cache *cache,
			 struct ws_err *err) WS_MUST_CHECK;

/* params.c.  A policy without a text: with its default parameters.  WS_EINVAL: it has none. */
enum ws_status ws_use_default(struct ws_use *out, const struct ws_policy *policy,
			      const struct ws_policy *const *among,
			      struct ws_err *err) WS_MUST_CHECK;
/* For parse(): reads numbers; messages quote the text. */
enum ws_status ws_param_whole(const char *text, uint64_t low, uint64_t high, double *out,
			      struct ws_err *err) WS_MUST_CHECK;
/* "1/20" or "0.05", 0 to 1. */
enum ws_status ws_param_fraction(const char *text, double *out, struct ws_err *err) WS_MUST_CHECK;

/* ---- the exact face ----------------------------------------------------------------- */

/* A request as a policy's hooks see it. */
struct ws_access {
	uint64_t address;	/* of the line */
	uint32_t instruction;	/* its program counter, as index in the launch's table; UINT32_MAX:
				 * none, for a line that an L1 wrote back or that an L2 holds at the
				 * start */
	uint32_t sectors;	/* bit s: 32-byte sector s of the line is asked for */
	uint32_t cta;		/* linear */
	uint16_t warp;		/* in its CTA */
	uint8_t kind;		/* enum ws_kind */
};

/* Decides what hooks would draw: chains (validate/chain.h) follow every outcome. */
struct ws_draws {
	/* True with this probability. */
	bool (*chance)(struct ws_draws *d, double probability);
	/* 0 .. n - 1, each as likely as its weight says; NULL: all alike. */
	unsigned (*among)(struct ws_draws *d, const double *weight, unsigned n);
};

#define WS_SETTLE_WAYS 16u	/* settle() is called of at most so many */

/* The view of a set that hooks get.  State is zero at first and after a flush. */
struct ws_set {
	uint64_t *meta;		/* [way_words][ways]: each way's words; an invalid way keeps its
				 * last ones */
	uint64_t *own;		/* [set_words], the set's */
	uint64_t *shared;	/* [cache_words], of all sets of the cache */
	uint8_t *table;		/* [table_bytes], of all sets; victim and on_fill only read it */
	unsigned ways;
	uint64_t clock;		/* the set's accesses so far, this one included */
	uint64_t index, sets;	/* this set, 0 .. sets - 1 */
	uint64_t next;		/* offline policies: when this line is requested next, as a number
				 * that grows with time; UINT64_MAX: never */
	const struct ws_access *access; /* the current request; on-fill: the request that began the
					 * fetch */
	struct ws_rng *rng;	/* the cache's, seeded */
	struct ws_draws *draws;	/* not NULL: it decides, and rng is not read; model/policy/draw.h */
	const struct ws_use *use;
};

/* The state of one cache.  Untouched sets cost only address space. */
struct ws_policy_state {
	uint64_t *meta, *own, *shared;
	uint8_t *table;
	size_t set_meta, set_own; /* words of a set */
	size_t shared_words, table_bytes;
};

/* WS_ENOMEM; clear *out even then. */
enum ws_status ws_policy_state_new(struct ws_policy_state *out, const struct ws_policy *policy,
				   uint64_t sets, uint64_t ways, struct ws_err *err) WS_MUST_CHECK;
void ws_policy_state_flush_set(struct ws_policy_state *s, size_t set);
void ws_policy_state_flush_shared(struct ws_policy_state *s);
void ws_policy_state_clear(struct ws_policy_state *s);

/* ---- the analytic face --------------------------------------------------------------- */

struct ws_tail {		/* of a histogram: sums over its cells from cell i on; [len] = 0 */
	const uint64_t *distance, *capacity;
};

struct ws_reuse;		/* model/reuse.h */
struct ws_shared;		/* model/shared.h: what queries of one profile share */

struct ws_query {
	const struct ws_cache *cache;
	const struct ws_use *use;
	const struct ws_geometry *geometry; /* with the cache's line size and sets */
	const struct ws_tail *tail; /* [WS_KINDS], its histograms'; NULL: not prepared */
	/* Only if lines are evicted and the policy reads windows (WS_RECORD_WINDOWS): */
	const struct ws_reuse *windows;
	struct ws_shared *shared;
	double cycles;		/* of a launch in the profile's order, in the mean; 0: not known */
	size_t place;		/* of the geometry, in shared */
	bool late;		/* the sample of sets knows when data comes (replay/late.c) */
	const struct ws_query *asker; /* whose solve() asked for this solution; NULL: the query is
				       * for a prediction */
};

#define WS_SOLUTION_PARTS 32u

/* A policy's answer to a query, over all references (stackdist.h). */
struct ws_solution {
	bool lru;		/* hits as LRU does; hit[] is not read */
	double hit[WS_TYPES];	/* hit probability of each type's references; 0 for COLD and
				 * RELOAD */
	double error_pp;	/* expected absolute error of the miss ratio, in points */
	double below_pp, above_pp; /* 95 % interval: distances below and above, in points */
	bool low_confidence;
	/* Told from a sample of sets (model/replay/replay.h): hit[] is not read, but at[], of the
	 * finite requests of a kind at the distances of a bin how many hit.  Errors are in points
	 * of the finite requests, and so is missing. */
	bool replayed;
	double at[WS_KINDS][WS_BINS];
	double beyond[WS_KINDS]; /* of all others how many hit: of what a store threw out before its
				  * data came */
	double missing;		/* a ratio: 0 .. 1 */
	/* In time: an SM's requests of a launch cut into equal parts.  Of an SM in a launch, in the
	 * mean: fills, finite requests, and those that hit. */
	struct ws_solution_part {
		double fills, finite, hits;
	} part[WS_SOLUTION_PARTS];
};

struct ws_policy {
	const char *name;	/* what l1.policy takes: [a-z0-9-]+ */
	const char *params;	/* what may follow a colon, for `warpstack policies`; NULL:
				 * nothing */
	const char *summary;	/* one line for `warpstack policies` and the man page */
	const char *source;	/* paper, and the rule of its analytic face */
	char gpgpusim;		/* its letter in a GPGPU-Sim configuration, or 0 */
	bool variant;		/* a variant of another policy, or empty without parameters: not in
				 * `all` */
	bool offline;		/* its hooks read set->next */
	bool of_words;		/* the policy of organisations with sub-sectors */
	enum ws_basis basis;	/* WS_EXACT: has predict(), whose counts add up over parts of a
				 * histogram.  WS_APPROX: told from samples of sets, and if it has
				 * solve() without them */
	/* Error of the miss ratio on the reporting streams (validate/results.csv), in points: mean
	 * of all rows; largest of rows of high confidence.  0: not measured */
	double mean_pp, max_pp;
	/* text: what follows the colon, or "".  NULL: takes no parameters. */
	enum ws_status (*parse)(const char *text, struct ws_use *use, struct ws_err *err);
	/* Whether the policy can manage the cache; NULL: any. */
	enum ws_status (*check)(const struct ws_use *use, const struct ws_cache *cache,
				struct ws_err *err);
	/* Exact face.  State of the hooks: words of a way, of a set, of the cache, and a table of
	 * bytes.  Caches allocate it.  Where a look-up may fail they copy all but the table, which
	 * may be large. */
	unsigned way_words, set_words, cache_words;
	size_t table_bytes;
	/* All but victim may be NULL.  victim is called for a full set only, before on_evict and
	 * on_fill of the way it returns.  on_evict is called when a line is replaced, or evicted by
	 * a store under write-evict; not by a flush.  bypass: whether the current load or store,
	 * which missed and would allocate, bypasses the cache.  It may be called repeatedly for one
	 * request; once a bypass is final, on_bypass is called.  It is not called for atomics. */
	void (*on_hit)(struct ws_set *set, unsigned way);
	void (*on_fill)(struct ws_set *set, unsigned way);
	void (*on_evict)(struct ws_set *set, unsigned way);
	unsigned (*victim)(struct ws_set *set);
	bool (*bypass)(const struct ws_set *set);
	void (*on_bypass)(struct ws_set *set);
	/* Policies that caches choose together, the L1s of all SMs or the slices of the L2: when in
	 * a launch they meet for the n-th time, n = 0, 1, ...: 0 at first, then ascending cycles.
	 * meet() is called before anything is asked in that cycle, but after what fills an L2
	 * before the launch; shared[i]: the words of cache i.  Both NULL: caches do not meet. */
	uint64_t (*meeting)(const struct ws_use *use, uint64_t n);
	void (*meet)(const struct ws_use *use, uint64_t n, uint64_t *const *shared, size_t caches);
	/* For chains: rewrites a set's state so that states that act alike from now on are equal,
	 * and returns the clock to go on from.  Invalid ways' words stay what they are to hooks.
	 * NULL: there is no chain; endless says why, after the policy's name. */
	uint64_t (*settle)(struct ws_set *set);
	bool ways_alike;	/* which way has what makes no difference: chains sort them */
	const char *endless;
	/* Analytic face: one of these, or neither if there is no model.  predict: exact counts of
	 * loads, stores and atomics; *out is zeroed; the caller adds the totals and checks the
	 * sums.  solve: *out is zeroed; called only if lines are evicted and ways > 1.  It may ask
	 * for another policy's solution (ws_shared_solve), but not in a circle.  A policy without
	 * windows in `needs` gets windows = NULL. */
	unsigned needs;		/* WS_RECORD_* that solve needs */
	enum ws_status (*predict)(const struct ws_query *query, struct ws_prediction *out,
				  struct ws_err *err);
	enum ws_status (*solve)(const struct ws_query *query, struct ws_solution *out,
				struct ws_err *err);
};

/* NULL-terminated.  Number 0 is LRU, which stands for all policies where nothing is evicted. */
extern const struct ws_policy *const ws_policies[];
/* By name, with or without :PARAMETERS, or by GPGPU-Sim's letter; NULL if none. */
const struct ws_policy *ws_policy_find(const char *text);
/* Whether such a cache always acts as LRU: it is LRU, or has one way and never bypasses. */
bool ws_policy_as_lru(const struct ws_cache *cache);
void ws_policy_set_lru(struct ws_cache *cache);

/* ---- predictions ------------------------------------------------------------------ */

/* The prediction for one kernel and one L1.  cache->policy names the policy.  WS_EINVAL: an unknown
 * policy, or a line, sets, hash, sector or write policy that the profile does not hold (the message
 * lists what it holds).  O(distances) where the policy acts as LRU, else solve()'s cost on top.
 * For many queries use ws_model_predict, which prepares and solves once. */
enum ws_status ws_predict(const struct ws_profile *p, size_t section,
			  const struct ws_cache *cache, struct ws_prediction *out,
			  struct ws_err *err) WS_MUST_CHECK;

/* Only ws_predict's checks, O(log shapes). */
enum ws_status ws_predict_check(const struct ws_profile *p, size_t section,
				const struct ws_cache *cache, struct ws_err *err) WS_MUST_CHECK;

/* A profile prepared for many queries, in O(distances).  LRU then answers a query in O(log shapes).
 * Takes as much memory as the histograms; *p must outlive it.  Any number of threads may query it
 * at once.  WS_ENOMEM.
 *
 * GSL's default error handler aborts.  The first model that uses GSL turns it off for the process,
 * unless the program has set a handler. */
struct ws_model;

enum ws_status ws_model_new(struct ws_model **out, const struct ws_profile *p,
			      struct ws_err *err) WS_MUST_CHECK;
/* As ws_predict. */
enum ws_status ws_model_predict(const struct ws_model *a, size_t section,
				  const struct ws_cache *cache, struct ws_prediction *out,
				  struct ws_err *err) WS_MUST_CHECK;
/* Do the L1s differ in nothing that ws_model_predict reads?  True is certain: they do not. */
bool ws_model_same(const struct ws_cache *a, const struct ws_cache *b);
/* LRU's miss ratios with that many ways in the L1's place, of each kind and of all, as the counts
 * of ws_model_predict have them; only sums are read.  False: only ws_model_predict can tell, or say
 * why not. */
bool ws_model_lru(const struct ws_model *a, size_t section, const struct ws_cache *l1,
		  uint64_t ways, double ratio[WS_KINDS + 1]);
void ws_model_free(struct ws_model *a);

/* The same for the L2 of *m behind its L1s; the profile must hold it (struct ws_next_level).
 * m->l2.policy names the policy.  Exact for LRU in both levels.  With another policy in the L1s the
 * answer is that behind LRU L1s: approximate, of low confidence, with the interval [0, 1].  Errors
 * besides ws_predict's: no L2, or none behind such L1s; keys of the stage L2_PROFILE differ from
 * the profile's.  For a single query, as ws_predict. */
enum ws_status ws_predict_l2(const struct ws_profile *p, size_t section, const struct ws_machine *m,
			     struct ws_prediction *out, struct ws_err *err) WS_MUST_CHECK;
enum ws_status ws_predict_l2_check(const struct ws_profile *p, size_t section,
				   const struct ws_machine *m, struct ws_err *err) WS_MUST_CHECK;
enum ws_status ws_model_predict_l2(const struct ws_model *a, size_t section,
				     const struct ws_machine *m, struct ws_prediction *out,
				     struct ws_err *err) WS_MUST_CHECK;

/* ---- time (time/timing.c) ----------------------------------------------------------- */

enum ws_bound {			/* limits on cycles; see time/bounds.c */
	WS_BOUND_ISSUE, WS_BOUND_LSU, WS_BOUND_LATENCY, /* the SM's front, */
	WS_BOUND_MSHR, WS_BOUND_SEND, WS_BOUND_RECEIVE, /* its way to the L2, */
	WS_BOUND_L2, WS_BOUND_REPLY, WS_BOUND_DRAM,
	WS_BOUNDS,
};
const char *ws_bound_name(enum ws_bound bound);

struct ws_timing {		/* of all launches of a kernel */
	struct ws_prediction l1, l2; /* with pending hits.  l2: behind the recorded L1s nearest to
				      * those asked for; zero if the profile has no L2 */
	bool l2_assumed;	/* no L2 recorded: it is assumed to miss exactly the L1s' cold
				 * misses */
	double fetch_cycles;	/* latency of an L1 miss, without queues */
	double access_cycles;	/* average memory access time of a load request, without queues */
	double load_cycles;	/* from a load's issue to its data, with queues */
	double mshrs;		/* in use on an SM, on average */
	double dram_bytes;	/* read for L2 misses of loads and atomics and, if the profile has
				 * an L2, written back */
	double bound[WS_BOUNDS]; /* cycles if this were the only limit */
	double cycles;
	/* Cycles of the profile's own machine in the simulation behind the profile; predictions are
	 * relative to them.  0: another order, or a profile that lacks what the bounds need. */
	double anchor_cycles;
	enum ws_bound binds;	/* the largest */
};

/* Errors: those of ws_model_predict and ws_model_predict_l2 (any L1 will do); a profile without
 * details.  If the profile lacks issue counts (an older one, or an untimed order), cycles and mshrs
 * are 0.  If it lacks reservation stalls (an older one), no set is ever full. */
enum ws_status ws_model_timing(const struct ws_model *a, size_t section,
				 const struct ws_machine *m, struct ws_timing *out,
				 struct ws_err *err) WS_MUST_CHECK;

/* Misses by array and source line, most first. */
enum ws_by { WS_BY_ARRAY, WS_BY_LINE, WS_BY_SITE };

struct ws_part {
	const char *array;	/* "": unknown; NULL: any (by line) */
	const char *file;	/* "": unknown; NULL: any (by array) */
	uint32_t line;		/* 0: unknown, or any */
	struct ws_prediction prediction;
};

/* The parts add up to ws_model_predict's counts.  Errors besides its own: a line or sets other than
 * the machine's, a policy that is not exact, a profile without sites.  *part is allocated; caller
 * frees.  most: the kind whose misses decide the order, WS_KINDS for all.  O(sites log sites), and
 * O(groups^2) moves at worst. */
enum ws_status ws_model_parts(const struct ws_model *a, size_t section,
				const struct ws_cache *cache, enum ws_by by, unsigned most,
				struct ws_part **part, size_t *count,
				struct ws_err *err) WS_MUST_CHECK;

/* Only its check of line, sets and policy. */
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
	unsigned same, changed;	/* successive decisions that kept it, that changed it */
	struct ws_grain_window window;
};

/* The words of the next period's grain, after a window under `grain`.  Locality is poor if more
 * than `threshold` percent miss; requests are fine if more than `threshold` percent are of less
 * than 128 B.  Poor and fine: 128 B becomes 32 B if there were more requests of 32 than of 64 B,
 * else 64 B.  Poor and coarse: 128 B.  Otherwise the grain stays.  With WS_GRAIN_CHOOSE, poor and
 * fine chooses anew from any grain. */
unsigned ws_grain_decide(const struct ws_grain_window *w, unsigned grain, uint32_t threshold,
			 enum ws_grain_fine fine);
void ws_grain_start(struct ws_grain_control *c, const struct ws_cache *cache);
/* One request of log2 words `size`.  True if it ended a period and the grain changed. */
bool ws_grain_take(struct ws_grain_control *c, unsigned size, bool miss);
/* Many requests at once, at most what is left of the period. */
bool ws_grain_take_all(struct ws_grain_control *c, const struct ws_grain_window *w);

double ws_miss_ratio(const struct ws_counts *c, bool count_pending); /* 0 without requests */
/* Sets low and high of an exact prediction. */
void ws_prediction_close(struct ws_prediction *p);
void ws_counts_add(struct ws_counts *to, const struct ws_counts *from);
/* Of n of them; sectors where both know them. */
bool ws_counts_equal(const struct ws_counts *a, const struct ws_counts *b, size_t n);
/* True if both sums above hold. */
bool ws_counts_check(const struct ws_counts *c);

WS_API_END
#endif
