/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * model/model.h -- profiles to miss rates, and the table of replacement policies.
 *
 * A policy has two faces.  The exact one is a few hooks on state whose size the policy names; the
 * simulators (validate/) own look-up, placement and counting, a policy only ranks, or lets a
 * request go past.  The analytic one predicts the counts from a profile.
 *
 * To add a policy:
 *   1. model/policy/<name>.c with a `const struct ws_policy ws_policy_<name>`;
 *   2. its row in POLICIES in model/policy.c;
 *   3. its rule in tests/ref/policy.c, written from the paper and not from the code: the two are
 *      compared request by request, and tests fail until it is there.
 * A known answer in tests/model/t-policy.c, worked by hand, is good to have besides.
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
	bool low_confidence;	/* low confidence: the policy's model is known to err here */
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

/* A request as a policy's hooks see it. */
struct ws_access {
	uint64_t address;	/* of the line */
	uint32_t instruction;	/* in the launch's table: its program counter.  UINT32_MAX:
				 * nobody's, a line that L1s throw out or that an L2 holds at the
				 * start */
	uint32_t sectors;	/* bit s: 32-byte sector s of the line is asked for */
	uint32_t cta;		/* linear */
	uint16_t warp;		/* in its CTA */
	uint8_t kind;		/* enum ws_kind */
};

/* What a policy's hooks may use.  State is zero at first, and again after a flush. */
struct ws_set {
	uint64_t *meta;		/* [way_words][ways]: each way's words.  Of an invalid way they are
				 * what they were left at */
	uint64_t *own;		/* [set_words], the set's */
	uint64_t *shared;	/* [cache_words], of all sets of the cache */
	uint8_t *table;		/* [table_bytes], of all sets too; victim and on_fill only read
				 * it */
	unsigned ways;
	uint64_t clock;		/* counts the set's accesses, from 1, this one included */
	uint64_t index, sets;	/* this set, 0 .. sets - 1 */
	uint64_t next;		/* offline policies: when the line at hand is asked for next, as a
				 * number that grows with time; UINT64_MAX: never */
	const struct ws_access *access; /* the request at hand; of a line that takes its way when
				 * its data comes (on-fill), the one that began the fetch */
	struct ws_rng *rng;	/* the cache's, seeded */
	const struct ws_use *use;
};

/* The state of one cache.  Sets of untouched words cost nothing but address space. */
struct ws_policy_state {
	uint64_t *meta, *own, *shared;
	uint8_t *table;
	size_t set_meta, set_own; /* words of a set */
	size_t shared_words, table_bytes;
};

/* WS_ENOMEM; *out is to be cleared all the same. */
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
struct ws_shared;		/* model/shared.h: what questions of one profile share */

struct ws_query {
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
	const struct ws_query *model; /* and the question whose solve() asks; NULL: none */
};

/* A policy's answer to a question, over all references (stackdist.h). */
struct ws_solution {
	bool lru;		/* it hits as LRU does, and hit[] is not read */
	double hit[WS_TYPES];	/* probability that a reference of the type finds its line; 0 of
				 * COLD and RELOAD */
	double error_pp;	/* expected absolute error of the miss ratio, in points */
	double below_pp, above_pp; /* the 95 % interval: so many points below and above */
	bool low_confidence;		/* low confidence */
};

struct ws_policy {
	const char *name;	/* what l1.policy takes: [a-z0-9-]+ */
	const char *params;	/* what may follow a colon, for `warpstack policies`; NULL:
				 * nothing */
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
	/* Exact.  How much state the hooks want: words of a way, of a set, of the cache, and a
	 * table of bytes.  All are the caches' to allocate, and copied where a look-up may fail,
	 * but for the table, which may be large. */
	unsigned way_words, set_words, cache_words;
	size_t table_bytes;
	/* All but victim may be NULL.  victim is asked only of a full set, before on_evict and
	 * on_fill of the way it names; on_evict, of a way whose line leaves, thrown out for another
	 * or by a store under write-evict, not by a flush.
	 * bypass: does the load or store at hand, whose line is not there and would be brought, go
	 * past the cache?  It may be asked more than once of one request; if that is accepted,
	 * on_bypass follows.  Atomics are not asked about. */
	void (*on_hit)(struct ws_set *set, unsigned way);
	void (*on_fill)(struct ws_set *set, unsigned way);
	void (*on_evict)(struct ws_set *set, unsigned way);
	unsigned (*victim)(struct ws_set *set);
	bool (*bypass)(const struct ws_set *set);
	void (*on_bypass)(struct ws_set *set);
	/* Analytic, one of these two or, if there is no model, neither.
	 * predict: exact counts of loads, stores, atomics; *out is zeroed.  The caller adds those
	 * of all, and checks that counts add up.
	 * solve: *out is zeroed; asked only where something is evicted and ways > 1.  It may ask
	 * for another policy's solution (ws_shared_solve), not its own, nor one that asks for it.
	 * A policy without windows in `needs` is asked with windows = NULL. */
	unsigned needs;		/* WS_RECORD_* without which solve is not asked */
	enum ws_status (*predict)(const struct ws_query *query, struct ws_prediction *out,
				  struct ws_err *err);
	enum ws_status (*solve)(const struct ws_query *query, struct ws_solution *out,
				struct ws_err *err);
};

/* NULL-terminated.  The first is the one that all are where nothing is thrown out, LRU. */
extern const struct ws_policy *const ws_policies[];
/* By name, with or without :PARAMETERS, or by GPGPU-Sim's letter; NULL if none. */
const struct ws_policy *ws_policy_find(const char *text);
/* Does such a cache do as LRU whatever is asked of it?  It is LRU, or one way that takes every
 * line. */
bool ws_policy_as_lru(const struct ws_cache *cache);
void ws_policy_set_lru(struct ws_cache *cache);

/* ---- predictions ------------------------------------------------------------------ */

/* The prediction for one kernel and one L1.  cache->policy names the policy.  Errors:
 * WS_EINVAL for an unknown policy, or a line, sets, hash, sector or write policy that the
 * profile does not hold (the message lists what it holds).  O(distances) where policies do as
 * LRU does, and what solve() takes besides where they do not.  For one question: for many
 * ws_model_predict prepares and solves nothing twice. */
enum ws_status ws_predict(const struct ws_profile *p, size_t section,
			  const struct ws_cache *cache, struct ws_prediction *out,
			  struct ws_err *err) WS_MUST_CHECK;

/* The errors of ws_predict alone, O(log shapes). */
enum ws_status ws_predict_check(const struct ws_profile *p, size_t section,
				const struct ws_cache *cache, struct ws_err *err) WS_MUST_CHECK;

/* A profile prepared for many questions, in O(distances): LRU then answers each in O(log shapes),
 * whatever the distances.  Takes as much memory as the histograms; *p must outlive it.
 * Any number of threads may ask at once.  WS_ENOMEM.
 *
 * Models rest on GSL, whose own handler of errors aborts: the first that needs it turns that off,
 * for the process, but leaves a handler that the program has set. */
struct ws_model;

enum ws_status ws_model_new(struct ws_model **out, const struct ws_profile *p,
			      struct ws_err *err) WS_MUST_CHECK;
/* As ws_predict. */
enum ws_status ws_model_predict(const struct ws_model *a, size_t section,
				  const struct ws_cache *cache, struct ws_prediction *out,
				  struct ws_err *err) WS_MUST_CHECK;
void ws_model_free(struct ws_model *a);

/* The same of the L2 of *m behind its L1s, of a profile that has it (struct ws_next_level).
 * m->l2.policy names the policy.  Exact for LRU in both; with another policy in the L1s it is the
 * L2 behind LRU's, an approximation of low confidence whose interval is [0, 1].  Errors, besides
 * those of ws_predict: no L2, or none behind such L1s; other keys of the stage L2_PROFILE than the
 * profile's.  For one question, as ws_predict. */
enum ws_status ws_predict_l2(const struct ws_profile *p, size_t section, const struct ws_machine *m,
			     struct ws_prediction *out, struct ws_err *err) WS_MUST_CHECK;
enum ws_status ws_predict_l2_check(const struct ws_profile *p, size_t section,
				   const struct ws_machine *m, struct ws_err *err) WS_MUST_CHECK;
enum ws_status ws_model_predict_l2(const struct ws_model *a, size_t section,
				     const struct ws_machine *m, struct ws_prediction *out,
				     struct ws_err *err) WS_MUST_CHECK;

/* ---- time (time/timing.c) ----------------------------------------------------------- */

enum ws_bound {			/* what cycles are bound by; time/bounds.c says how */
	WS_BOUND_ISSUE, WS_BOUND_LSU, WS_BOUND_LATENCY, /* the SM's front, */
	WS_BOUND_MSHR, WS_BOUND_SEND, WS_BOUND_RECEIVE, /* its way to the L2, */
	WS_BOUND_L2, WS_BOUND_REPLY, WS_BOUND_DRAM,
	WS_BOUNDS,
};
const char *ws_bound_name(enum ws_bound bound);

struct ws_timing {		/* of all launches of a kernel */
	struct ws_prediction l1, l2; /* with pending hits; l2 zero if there is none in the profile,
				 * and of the L1s it was recorded behind that are nearest to those
				 * asked for */
	bool l2_assumed;	/* there is none: what L1s miss cold misses there, too, and no
				 * more */
	double fetch_cycles;	/* that an L1's miss takes on the way, without queues */
	double access_cycles;	/* average memory access time of a load's request, likewise */
	double load_cycles;	/* of a load instruction from issue to data, queues included */
	double mshrs;		/* in use on an SM, on average */
	double dram_bytes;	/* read for loads and atomics that miss in the L2 and, where there
				 * is one in the profile, written back */
	double bound[WS_BOUNDS]; /* cycles, if nothing else took any */
	double cycles;
	/* What the profile's own machine took in the simulation that the profile was made of:
	 * cycles follow from that.  0: of another order, or the profile cannot tell the bounds
	 * there. */
	double anchor_cycles;
	enum ws_bound binds;	/* the largest */
};

/* Errors: those of ws_model_predict, and of ws_model_predict_l2 but for L1s that none was recorded
 * behind; a profile without details.  Of a profile that does not say what was
 * issued (struct ws_section), an older one or one of an untimed order, cycles and mshrs are 0.  One
 * without reservation stalls, an older one, says of no set that it is full. */
enum ws_status ws_model_timing(const struct ws_model *a, size_t section,
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

/* The parts add up to what ws_model_predict says.  Errors, besides its own: a line or sets
 * other than the machine's, a policy whose prediction is not exact, a profile without sites.
 * *part is allocated; caller frees.  most: the kind whose misses decide the order, WS_KINDS for
 * all.  O(sites log sites), and O(groups^2) moves at worst. */
enum ws_status ws_model_parts(const struct ws_model *a, size_t section,
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
