/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * study/study.h -- a query about caches, answered in rows.
 *
 * A study is made of a trace or a profile, a machine, and keys that are set or varied.
 *
 *   options   the query, as texts and numbers, and functions for messages
 *   plan      the configurations: each one's machine, the order of requests it is measured in,
 *             and which of them share a stream or a profile
 *   source    a trace and machines -> request streams or profiles
 *   runner    computes all configurations in parallel, and hands their results out in order
 *   best      the rows with the least value of a column, or possibly the least
 *
 * A configuration's rows depend on its own keys, the machine, the input and the seed alone, not on
 * the other configurations.
 */
#ifndef WS_STUDY_H
#define WS_STUDY_H

#include "softcache/softcache.h"

WS_API_BEGIN

/* ---- what is asked (options.c) --------------------------------------------------- */

#define WS_SEED_DEFAULT 1u

enum ws_study_levels { WS_STUDY_L1 = 1, WS_STUDY_L2 = 2 };

struct ws_study_options {	/* zero: all defaults, except `levels` */
	const char *machine;	/* a preset, a .conf file or a gpgpusim.config; NULL: the profile's
				 * own, or WS_MACHINE_DEFAULT */
	struct ws_list set;	/* "KEY=VALUE" */
	struct ws_list vary;	/* "KEY=A,B,C", "KEY=LO:HI:+STEP", "KEY=LO:HI:xFACTOR"; the key
				 * "machine" runs through machines */
	const char *order;	/* a name of enum ws_order; NULL: the usual one, or the profile's */
	bool l2_what_if;	/* in cycles: varied keys of the L2 stay what-ifs, so that their
				 * values share an order */
	bool own;		/* in cycles: simulates each configuration's own machine */
	unsigned levels;	/* enum ws_study_levels; 0: the L1 */
	bool latency;		/* time is predicted, too */
	bool cycles;		/* a cross-check: against the cycle simulator, too */
	uint64_t seed;		/* of what is drawn at random */
	uint64_t runs;		/* repeats, with seeds seed, seed + 1, ...; 0: one, without
				 * spread */
	const char *kind;	/* rows of "all", "load", "store", "atomic", or "each": those that
				 * occur, and all; NULL: each */
	const char *by;		/* NULL: whole kernels; "array", "line", "site": misses by these */
	const char *kernel;	/* rows of this kernel alone, or NULL */
	bool verify;		/* simulates rows of low confidence */
	bool band;		/* a machine's alternatives are a band of the rows of the first;
				 * else, and in a search or with `by`, they are an error */
	bool search;		/* leaves out combinations that no machine can have or the profile
				 * does not hold; else they are errors */
	uint64_t budget;	/* largest size of ws_study_plan_cache in bytes; larger caches are
				 * left out; 0: no limit */
	uint64_t part, parts;	/* the rows of part 1 to parts alone, which one after another are
				 * all rows; 0: all.  Not in a search */
	unsigned threads;	/* 0: all cores; no result depends on it */
	double sample;		/* 0: whole */
	uint64_t sample_lines;	/* 0: no limit */
	/* Messages of the study; each may be NULL.  Texts are valid during the call. */
	void *context;
	void (*note)(void *context, const char *text);	/* for everybody */
	void (*detail)(void *context, const char *text); /* for the curious */
	bool progress;		/* a progress line on a terminal */
	const char *hint;	/* ... and what it says of a profile that will take long; NULL */
	bool (*cancelled)(void *context); /* called between configurations; true stops the study */
};

void ws_study_detail(const struct ws_study_options *o, const char *fmt, ...) WS_PRINTF(2, 3);

/* The machine that is named, with all of `set`, checked; with `band` the first of its alternatives.
 * Errors as ws_machine_load and ws_machine_set. */
enum ws_status ws_study_machine(const struct ws_study_options *o, struct ws_machine *m,
				struct ws_err *err) WS_MUST_CHECK;
/* A machine by name or file, with its policies checked (WS_EFORMAT names the file's line).  notes:
 * notes of a foreign configuration go to the options' functions. */
enum ws_status ws_study_load(const struct ws_study_options *o, const char *name, bool notes,
			     struct ws_machine *m, struct ws_err *err) WS_MUST_CHECK;

/* The distinct kernels of a trace or a profile, in order of first launch.  Names stay theirs. */
struct ws_study_kernels {
	const char **name;
	struct ws_demand *demand; /* of each, as its section's */
	size_t count;
};
/* The machine while kernel i runs (ws_machine_adapt). */
enum ws_status ws_study_kernel_machine(const struct ws_study_kernels *k, size_t i,
				       const struct ws_machine *m, struct ws_machine *out,
				       struct ws_err *err) WS_MUST_CHECK;
enum ws_status ws_study_kernels_find(struct ws_study_kernels *k, const struct ws_trace *trace,
				    const struct ws_profile *profile,
				    struct ws_err *err) WS_MUST_CHECK;
/* Leaves the kernel of that name alone; false: there is none. */
bool ws_study_kernels_only(struct ws_study_kernels *k, const char *name);
void ws_study_kernels_clear(struct ws_study_kernels *k);

struct ws_study_input {		/* one of the two */
	const struct ws_trace *trace;
	const struct ws_profile *profile;
};

/* ---- policies in lists (policies.c) ------------------------------------------------- */

/* Checks that l1.policy names a policy with valid parameters that can manage such a cache; and
 * l2.policy, without the cache, as it may not be read. */
enum ws_status ws_policy_check(const struct ws_machine *m, struct ws_err *err) WS_MUST_CHECK;
/* The same check for such an L2. */
enum ws_status ws_policy_check_l2(const struct ws_machine *m, struct ws_err *err) WS_MUST_CHECK;
/* The same checks of a machine that was just read: WS_EFORMAT names it and the line of the file. */
enum ws_status ws_policy_loaded(const struct ws_study_options *o, const struct ws_machine *m,
				const char *file, struct ws_err *err) WS_MUST_CHECK;
bool ws_policy_modelled(const struct ws_cache *cache); /* else it can be simulated only */
bool ws_policies_key(const struct ws_key *key); /* is it the name of a policy? */
/* Joins the values of such a key, which were split at every comma: an item that names no policy is
 * a parameter of the item before, if that has a colon.  `all` becomes the policies that have a
 * model and are no variants, without those that the list also names. */
enum ws_status ws_policies_list(struct ws_vary *v, struct ws_err *err) WS_MUST_CHECK;

/* ---- line sizes and set counts (shapes.c) ----------------------------------------- */

struct ws_shapes {		/* zero is empty */
	struct ws_shape *shape;
	size_t count, cap;
};
enum ws_status ws_shapes_add(struct ws_shapes *s, uint64_t line_bytes, uint64_t sets,
			     struct ws_err *err) WS_MUST_CHECK;
void ws_shapes_sort(struct ws_shapes *s); /* ascending, and each once */
void ws_shapes_clear(struct ws_shapes *s);
/* WS_EINVAL if stacks of so many sets on so many SMs, and the tables of so many kernels, do not fit
 * into the memory there is.  record: WS_RECORD_*; at_once: profiles that are made side by side. */
enum ws_status ws_shapes_fit(const struct ws_shapes *s, const struct ws_machine *m, uint64_t sms,
			     size_t kernels, unsigned record, unsigned at_once,
			     struct ws_err *err) WS_MUST_CHECK;
/* WS_EINVAL, and what it is, if the profile does not hold all. */
enum ws_status ws_shapes_check(const struct ws_shapes *needed, const struct ws_profile *profile,
			       struct ws_err *err) WS_MUST_CHECK;

/* ---- plans (plan.c, configuration.c, partition.c, needs.c) -----------------------------------
 *
 * A configuration is one element of the product of the varied keys, the last fastest; a search
 * leaves elements out.  It has three machines:
 *
 *   its own     with every key as given;
 *   measured    that its profile is made with;
 *   anchor      that makes the order of its requests.
 *
 * Keys with alternatives (`band`) are varied keys, too, after those that were asked for: so the
 * configurations of a band, the machine with the first of all alternatives before the others,
 * follow each other, and rows are of the first.
 *
 * The order of cycles comes from a simulation of the configuration's own machine, except for:
 *
 *   policies, organisation and chunks, l1.line: those of the machine that was named;
 *   sizes: an L1 or L2 has one of four sizes an octave, 4, 5, 6, 7 times a power of two, or the
 *   named machine's own; the nearest stands for others;
 *   l1.ways, l1.sets: the cache of that size has the configuration's own if it is that size, else
 *   the ways or, where those do not divide it, the sets that ws_machine_check finds.
 *
 * So the order depends on the configuration and its machine alone, and a range of sizes needs a
 * bounded number of simulations.  A nominal order depends on the keys of the stage ORDER.
 */
#define WS_CONFIGURATIONS_MAX 10000000u
#define WS_PARTS_MAX 1000000u
#define WS_ALTERNATIVES_COUNT_MAX 4096u /* machines of one with alternatives */

struct ws_partition {		/* of configurations into groups, by first member */
	uint64_t groups;
	uint32_t *group;	/* [configurations]; NULL: all are in group 0 */
	uint32_t *member;	/* grouped, ascending in each */
	uint64_t *first;	/* [groups + 1]: of member */
};

struct ws_study_plan {
	struct ws_machine machine; /* the first that was named, with all of `set` */
	struct ws_machine *named; /* [nameds]: as loaded */
	size_t nameds;
	size_t machine_vary;	/* the varied key "machine"; varies: none */
	struct ws_list set;
	struct ws_vary *vary;
	size_t varies;
	size_t shown;		/* those that were asked for; the others have alternatives */
	uint64_t count;		/* configurations */
	uint64_t alternatives;	/* those of a band; 1: the machine has none */
	uint32_t *element;	/* [count]: of the product; NULL: they are all of it */
	uint64_t impossible, too_large;	/* elements that were left out */
	bool l1, l2;		/* what is asked about */
	bool timed;		/* and time */
	bool apart;	/* of a trace: some l1.organisation is sectored, which needs another
			 * profile */
	bool behind;		/* the L2's profile is read, for its own rows or for time */
	enum ws_order order;
	bool of_profile;	/* answered from a profile; else streams are made */
	bool simulated;		/* in WS_ORDER_CYCLES, where the machine has time */
	bool asked;		/* the order was named */
	bool l2_what_if;
	bool own;		/* each configuration's own machine is simulated, policies and
				 * all */
	uint64_t ctas, threads;	/* of the trace's largest launches */
	struct ws_partition streams, profiles; /* which share a stream, and a profile */
	enum ws_order *order_of; /* by group of streams */
	struct ws_shapes missing; /* the shapes that the profile lacks */
	bool checked;		/* `first`, of configuration 0, has passed, which saves much of
				 * checking the others */
	struct ws_machine first;
	bool passed;		/* all have, */
	uint64_t blocks;	/* and any differs from it in these (ws_machine_blocks) */
};

/* profile: the one that answers, or NULL.  trace: the one that streams are made from, or NULL.
 * Checks every configuration.  The options and their texts must stay.  Clear the plan even after a
 * failure; .missing says whether the profile was the reason. */
enum ws_status ws_study_plan_init(struct ws_study_plan *plan, const struct ws_study_options *o,
				  const struct ws_profile *profile, const struct ws_trace *trace,
				  struct ws_err *err) WS_MUST_CHECK;
void ws_study_plan_clear(struct ws_study_plan *plan);
/* A configuration's own machine.  O(keys). */
enum ws_status ws_study_plan_machine(const struct ws_study_plan *plan, uint64_t config,
				     struct ws_machine *m, struct ws_err *err) WS_MUST_CHECK;
enum ws_status ws_study_plan_anchor(const struct ws_study_plan *plan, uint64_t config,
				    struct ws_machine *m, struct ws_err *err) WS_MUST_CHECK;
enum ws_status ws_study_plan_measured(const struct ws_study_plan *plan, uint64_t config,
				      struct ws_machine *m, struct ws_err *err) WS_MUST_CHECK;
/* The cache that the budget limits: the L1, or the L2 if only that is asked about. */
const struct ws_cache *ws_study_plan_cache(const struct ws_study_plan *plan,
					   const struct ws_machine *m);
/* The text of the v-th varied key's value. */
const char *ws_study_plan_value(const struct ws_study_plan *plan, uint64_t config, size_t v);
enum ws_order ws_study_plan_order(const struct ws_study_plan *plan, uint64_t config);
#define WS_ORDER_TEXT 160u
/* Of a plan of a trace: what struct ws_row says of an order. */
enum ws_status ws_study_plan_order_text(const struct ws_study_plan *plan, uint64_t config,
					char text[WS_ORDER_TEXT], struct ws_err *err) WS_MUST_CHECK;
/* When a key is read, for what is asked. */
enum ws_stage ws_study_plan_stage(const struct ws_study_plan *plan, const struct ws_key *key);
const struct ws_key *ws_assigned_key(const char *assignment); /* of "KEY=VALUE"; NULL: none */

uint64_t ws_partition_groups(const struct ws_partition *p);
/* count: of configurations. */
uint64_t ws_partition_members(const struct ws_partition *p, uint64_t group, uint64_t count);
uint64_t ws_partition_member(const struct ws_partition *p, uint64_t group, uint64_t member);
uint64_t ws_partition_group(const struct ws_partition *p, uint64_t config);

/* WS_RECORD_* that the policies' models read. */
unsigned ws_study_plan_needs(const struct ws_study_plan *plan);
/* Length in requests of the windows that dycache's periods consist of; 0: none. */
uint64_t ws_study_plan_period(const struct ws_study_plan *plan, uint64_t config);
/* WS_EINVAL if a configuration's policy has no model; hint: what to do instead. */
enum ws_status ws_study_plan_modelled(const struct ws_study_plan *plan, const char *hint,
				      struct ws_err *err) WS_MUST_CHECK;

/* ---- ranges of a search (search.c) -----------------------------------------------
 *
 * The default search space if nothing is varied, as texts for .vary: sizes within the budget (0:
 * the cache's own size) by octaves down to an eighth of it, 1 to 32 ways, all policies and, for an
 * L1 of a trace, organisations.
 */
#define WS_SEARCH_RANGES 4u

struct ws_search {
	char *text[WS_SEARCH_RANGES];
	struct ws_list vary;	/* of them */
	uint64_t budget;	/* the options', or the cache's own size */
};
enum ws_status ws_search_init(struct ws_search *s, const struct ws_study_options *o,
			      const struct ws_profile *profile, struct ws_err *err) WS_MUST_CHECK;
void ws_search_clear(struct ws_search *s);

/* ---- what a profile is to hold (wanted.c) ------------------------------------ */

struct ws_l2_wanted {		/* what a profile of the L2 is to hold; zero: no L2 */
	const struct ws_trace *trace; /* whose kernels L1s adapt to; NULL: to none */
	struct ws_filter *filter;
	uint64_t *sets;		/* of a slice; none: the default */
	size_t filters, filter_cap, set_counts, set_cap;
};
enum ws_status ws_l2_wanted_add(struct ws_l2_wanted *b, const struct ws_machine *m,
				struct ws_err *err) WS_MUST_CHECK;
void ws_l2_wanted_clear(struct ws_l2_wanted *b);

/* The distinct l1.line and l1.sets of a profile group's configurations, ascending; the L1s and L2
 * set counts, none if the L2 is not asked about. */
enum ws_status ws_study_plan_shapes(const struct ws_study_plan *plan, uint64_t group,
				    struct ws_shapes *shapes, struct ws_err *err) WS_MUST_CHECK;
enum ws_status ws_study_plan_l2(const struct ws_study_plan *plan, uint64_t group,
				struct ws_l2_wanted *b, struct ws_err *err) WS_MUST_CHECK;
/* Time needs, besides, the L1 of the machine that a profile is made with, as base for cycles of
 * others; of a simulated machine the L2, too. */
enum ws_status ws_study_plan_timed(const struct ws_study_plan *plan, const struct ws_machine *own,
				   struct ws_shapes *shapes, struct ws_l2_wanted *b,
				   struct ws_err *err) WS_MUST_CHECK;

/* ---- streams and profiles (source.c) ------------------------------------------------- */

struct ws_source {		/* what they are made of */
	const struct ws_study_options *options;
	const struct ws_trace *trace;
	struct ws_machine machine; /* ws_study_plan_anchor */
	enum ws_order order;
	uint64_t seed;
	unsigned threads;	/* 0: the options' */
	bool quiet;		/* no progress line: others are made at the same time */
	/* Of a profile: */
	struct ws_machine measured; /* ws_study_plan_measured */
	struct ws_shapes shapes; /* none: the default */
	struct ws_shapes plain;	/* more of them, of distances alone */
	struct ws_l2_wanted behind;
	unsigned record;	/* WS_RECORD_* */
	bool timed;		/* and a sample of sets with times, where data that comes late
				 * changes what misses */
	uint64_t grain_period;	/* 0: no windows of chunks */
	uint64_t set_sample;	/* requests kept of a kernel and geometry; 0: the default */
	uint64_t sm[WS_SM_WORDS]; /* none: all */
	size_t begin, end;	/* its launches, the end exclusive; both 0: all */
	size_t others;		/* orders that ws_source_orders makes: of its cost */
	bool partial;		/* others make the rest: what depends on all of it is decided by
				 * ws_profile_settle */
};

/* SMs that the trace has CTAs for, of those in sm (none: all). */
uint64_t ws_busy_sms(const struct ws_trace *t, const struct ws_machine *m, const uint64_t *sm);
/* source->machine, order and measured of a configuration. */
enum ws_status ws_source_machines(struct ws_source *source, const struct ws_study_plan *plan,
				  uint64_t config, struct ws_err *err) WS_MUST_CHECK;
/* What is behind the machine's own L1s and those asked for: `what`'s L2, of its default set counts
 * (wanted.c). */
enum ws_status ws_source_behind(struct ws_source *source, const struct ws_machine *what,
				struct ws_err *err) WS_MUST_CHECK;
/* *out is freed by ws_profile_free.  Timed, in an order of cycles: samples of sets have times if
 * l1.alloc is on-fill; also if a kernel's loads missed otherwise in the simulation than under LRU
 * in its order, which is known when all is measured, and then it is measured a second time. */
enum ws_status ws_source_profile(const struct ws_source *source, struct ws_profile **out,
				 struct ws_err *err) WS_MUST_CHECK;
/* Part K of N of a source (split.c): begin and end, or sm, of the split whose longest part costs
 * less.  The same for all parts.  By launch the parts are to be appended in order
 * (ws_profile_append), by SM to be merged; WS_SPLIT_NONE: part 1 is the whole.  *any: the part
 * has something to do; of a trace without launches the first has. */
enum ws_split { WS_SPLIT_NONE, WS_SPLIT_SMS, WS_SPLIT_LAUNCHES };
enum ws_status ws_source_part(struct ws_source *source, uint64_t part, uint64_t parts,
			      enum ws_split *how, bool *any, struct ws_err *err) WS_MUST_CHECK;
/* Why the launches of the source cannot be profiled apart from each other; NULL: they can. */
const char *ws_launches_depend(const struct ws_source *source);
/* The whole of partial sources, put together, becomes what the source would have been. */
enum ws_status ws_profile_settle(struct ws_profile *p, struct ws_err *err) WS_MUST_CHECK;
/* The rate of a sample with which the source's profile takes about so many seconds of the clock,
 * the pilots that measure it included: two of at least 2^16 requests, and else a tenth of that
 * each, which order and profile a beginning of the trace.  Of two digits, at least `least`, 1 if
 * the whole takes no longer.  Which it is depends on how busy the machine is; what is made with it
 * does not. */
struct ws_pilot {
	double rate;
	double seconds;		/* that it is expected to take */
	bool late;		/* more than there are, though at `least` */
	double requests;	/* expected */
};
enum ws_status ws_source_pilot(const struct ws_source *source, double seconds, double least,
			       struct ws_pilot *out, struct ws_err *err) WS_MUST_CHECK;
/* Adds to a profile in the order of cycles the orders of the same machine with L1s of other sizes,
 * keeping its ways or sets: distances only, for the set counts of 1 to 32 ways and its own.
 * Impossible sizes are left out.  sizes: bytes, ascending. */
enum ws_status ws_source_orders(const struct ws_source *source, const uint64_t *sizes, size_t count,
				struct ws_profile *p, struct ws_err *err) WS_MUST_CHECK;
/* *out[*launches] is freed by ws_streams_free. */
enum ws_status ws_source_streams(const struct ws_source *source, struct ws_streams **out,
				 size_t *launches, struct ws_err *err) WS_MUST_CHECK;

/* ---- running all configurations (runner.c) ---------------------------------------------- */

struct ws_runner {
	const struct ws_study_options *options;
	const struct ws_study_plan *plan;
	const struct ws_partition *partition; /* what a preparation is good for: streams or
					       * profiles */
	uint64_t runs;
	size_t size;		/* of the result of one run of one configuration */
	void *context;
	/* slot: one of ws_runner_slots; configurations computed in a slot use what was prepared in
	 * it, and slots run concurrently.  prepare: before the configurations of a group, for each
	 * run; NULL: nothing to prepare.  compute: any thread of the slot's, which are numbered
	 * from 0; rows that follow each other mostly meet in one.  result is zeroed. */
	enum ws_status (*prepare)(void *context, unsigned slot, uint64_t group, uint64_t run,
				  struct ws_err *err);
	enum ws_status (*compute)(void *context, unsigned slot, unsigned thread, uint64_t config,
				  const struct ws_machine *m, void *result, struct ws_err *err);
	/* In order of configurations; result: runs of them. */
	enum ws_status (*print)(void *context, uint64_t config, const struct ws_machine *m,
				const void *result, struct ws_err *err);
	/* What one run's result holds, computed or still zeroed; may be NULL. */
	void (*clear)(void *context, void *result);
};

/* Groups in progress at once. */
unsigned ws_runner_slots(const struct ws_study_options *o, const struct ws_partition *p);
/* Threads of each slot, at most. */
unsigned ws_runner_threads(const struct ws_study_options *o, const struct ws_partition *p);
enum ws_status ws_runner_run(const struct ws_runner *r, struct ws_err *err) WS_MUST_CHECK;

/* ---- rows (rows.c, order.c) --------------------------------------------------------------- */

struct ws_spread {		/* of a row's miss ratio over the runs */
	uint64_t runs;
	double median, sd, min, max;
};

struct ws_band {		/* of a row's miss ratio over a machine's alternatives */
	uint64_t machines;	/* all combinations */
	/* The least and the greatest end of their intervals; of one whose error is not known, its
	 * miss ratio. */
	double low, high;
	bool exact;		/* all are */
};

/* A search's verdict on a row. */
enum ws_choice { WS_CHOICE_NONE, WS_CHOICE_BEST, WS_CHOICE_WITHIN };
extern const char *const ws_choice_names[]; /* "", "best", "within" */

struct ws_row {			/* what it points to lives until the sink returns */
	const struct ws_study_plan *plan;
	uint64_t config;
	const struct ws_machine *machine; /* the configuration's own */
	const char *kernel;
	bool l2;		/* of the L2, else of the L1s */
	unsigned kind;		/* enum ws_kind; WS_KINDS: all */
	/* Counts, interval, basis.  WS_EXACT only if the order is the cache's own and its
	 * simulation missed as often. */
	const struct ws_prediction *prediction;
	enum ws_basis basis;	/* of this kind of request: the prediction's, but WS_EXACT where the
				 * simulation counted just as many, and no alternative differs */
	bool low_confidence;	/* the prediction's, or alternatives are far from it */
	const struct ws_part *part; /* NULL: of the whole kernel */
	const struct ws_spread *spread; /* NULL: of one run; else the prediction is that of the run
				 * nearest to the median from below */
	const struct ws_band *band; /* NULL: the machine has no alternatives */
	const struct ws_tlb_counts *tlb; /* of the L1s' rows of all kinds; NULL: not known */
	const struct ws_timing *timing; /* of the L1s' rows of all kinds; NULL: not asked for */
	/* The order of the requests: "own" (of a simulation of this machine, or of one whose order
	 * does not depend on time), "nominal", or the keys and values in which the simulated
	 * machine differs: "l1.size=16384 l1.policy=lru". */
	const char *order;
	/* Of ws_study_crosscheck, where the prediction is check->model: */
	const struct ws_check *check;
	const struct ws_cycle_counts *timed; /* loads, in the cycle simulator; NULL: not asked
					      * for */
	uint64_t cycles;
	enum ws_choice choice;	/* of ws_best_rows */
};

struct ws_interval {
	double value, low, high;
	bool stated;		/* else both ends are the value: its error is unknown */
};
/* The miss ratio, in which pending hits count if the machine says so; of no requests 0. */
struct ws_interval ws_row_miss_ratio(const struct ws_row *row);

/* Takes one row; an error ends the study. */
typedef enum ws_status ws_row_sink(void *context, const struct ws_row *row, struct ws_err *err);

/* A plan is ws_study_plan_init's, of the same options and input.  Rows come in order of
 * configurations, then levels, kernels and kinds.  Any number of studies may run at once.
 *
 * predict     by the model, from a profile or a trace
 * simulate    by the functional simulator, from a trace
 * crosscheck  both, on the same streams: the prediction judged by `bound`, the largest error in
 *             points that an approximate one may have; negative: its own interval
 */
enum ws_status ws_study_predict(const struct ws_study_options *o, const struct ws_study_plan *plan,
				const struct ws_study_input *input, ws_row_sink *sink,
				void *context, struct ws_err *err) WS_MUST_CHECK;
/* As ws_source_pilot, of all profiles of a trace that ws_study_predict makes for the options: the
 * first one's pilots tell, as if the others took as long. */
enum ws_status ws_study_pilot(const struct ws_study_options *o, const struct ws_study_plan *plan,
			      const struct ws_study_input *input, double seconds, double least,
			      struct ws_pilot *out, struct ws_err *err) WS_MUST_CHECK;
enum ws_status ws_study_simulate(const struct ws_study_options *o, const struct ws_study_plan *plan,
				 const struct ws_study_input *input, ws_row_sink *sink,
				 void *context, struct ws_err *err) WS_MUST_CHECK;
enum ws_status ws_study_crosscheck(const struct ws_study_options *o,
				   const struct ws_study_plan *plan,
				   const struct ws_study_input *input, double bound,
				   ws_row_sink *sink, void *context,
				   struct ws_err *err) WS_MUST_CHECK;

/* ---- columns ----------------------------------------------------------------
 * All columns of all tables, in the order in which every table has those that it has; the varied
 * keys stand before them.  A name means the same everywhere.
 */
enum ws_col {
	/* what a row is of */
	WS_COL_ITEM, WS_COL_MACHINE, WS_COL_TITLE, WS_COL_FILE, WS_COL_GPU, WS_COL_KERNEL,
	WS_COL_LAUNCH,
	WS_COL_GRID_X, WS_COL_GRID_Y, WS_COL_GRID_Z, WS_COL_BLOCK_X, WS_COL_BLOCK_Y,
	WS_COL_BLOCK_Z, WS_COL_COUNTER, WS_COL_UNIT_NUMBER, WS_COL_ARRAY,
	WS_COL_SOURCE, WS_COL_LEVEL, WS_COL_POLICY, WS_COL_SIZE_BYTES, WS_COL_SETS, WS_COL_WAYS,
	WS_COL_LINE_BYTES, WS_COL_KIND, WS_COL_PROPERTY, WS_COL_KEY, WS_COL_FIELD, WS_COL_VALUE,
	WS_COL_CHOICE,
	/* what the cache did */
	WS_COL_REQUESTS, WS_COL_HITS, WS_COL_PENDING, WS_COL_MISSES, WS_COL_COLD, WS_COL_CAPACITY,
	WS_COL_CONFLICT, WS_COL_UNCACHED, WS_COL_MISS_RATIO, WS_COL_MODEL_MISS_RATIO,
	WS_COL_EXACT_MISS_RATIO, WS_COL_CYCLES_MISS_RATIO, WS_COL_DIFFERENCE_PP,
	WS_COL_POLICY_ERROR_PP, WS_COL_TIMING_ERROR_PP, WS_COL_TOTAL_ERROR_PP, WS_COL_BASIS,
	WS_COL_MODEL_BASIS, WS_COL_WITHIN_BOUND, WS_COL_ERROR_PP, WS_COL_MISS_RATIO_LOW,
	WS_COL_MISS_RATIO_HIGH, WS_COL_ALTERNATIVES, WS_COL_ALTERNATIVES_LOW,
	WS_COL_ALTERNATIVES_HIGH, WS_COL_CONFIDENCE, WS_COL_ORDER, WS_COL_PENDING_RATIO,
	WS_COL_INSTRUCTIONS, WS_COL_REQUESTS_PER_INSTRUCTION, WS_COL_SECTORS, WS_COL_SECTORS_HIT,
	WS_COL_SECTORS_MISSED, WS_COL_SECTORS_PER_REQUEST, WS_COL_BYTES, WS_COL_SM_SHARED_BYTES,
	/* what a profiler counted */
	WS_COL_COUNTED, WS_COL_SAMPLES, WS_COL_MEDIAN, WS_COL_P10, WS_COL_P90, WS_COL_PROFILER,
	WS_COL_COUNTED_AS, WS_COL_SCALE, WS_COL_NOTE,
	/* held against hardware */
	WS_COL_SHAPE, WS_COL_ALTERNATIVE, WS_COL_SCORED, WS_COL_MEASURED_HIT,
	WS_COL_MEASURED_HIT_P10, WS_COL_MEASURED_HIT_P90, WS_COL_PREDICTED_HIT,
	WS_COL_PREDICTED_HIT_LOW, WS_COL_PREDICTED_HIT_HIGH, WS_COL_HIT_DIFFERENCE_PP,
	WS_COL_INSIDE, WS_COL_MEASURED_SECTORS, WS_COL_PREDICTED_SECTORS,
	WS_COL_PREDICTED_SECTORS_LOW, WS_COL_PREDICTED_SECTORS_HIGH,
	WS_COL_SECTORS_DIFFERENCE, WS_COL_SCORED_LAUNCHES, WS_COL_INSIDE_LAUNCHES,
	WS_COL_MEAN_ABS_PP, WS_COL_BIAS_PP, WS_COL_LARGEST_PP, WS_COL_RANK_CORRELATION,
	WS_COL_NONTRIVIAL_LAUNCHES, WS_COL_NONTRIVIAL_MEAN_ABS_PP, WS_COL_NOISE_PP,
	WS_COL_SECTORS_ERROR, WS_COL_POLICY_PP, WS_COL_TIME_PP, WS_COL_MACHINE_PP,
	WS_COL_MOVE_PP, WS_COL_START, WS_COL_FITTED, WS_COL_DETERMINED, WS_COL_LOG_LIKELIHOOD,
	/* two outputs */
	WS_COL_A, WS_COL_B, WS_COL_B_LESS_A_PP, WS_COL_B_OVER_A, WS_COL_EQUAL, WS_COL_LAUNCHES,
	WS_COL_EQUAL_LAUNCHES, WS_COL_MEAN_ABS_PERCENT, WS_COL_LARGEST_PERCENT,
	/* pointer chasing */
	WS_COL_CERTAINTY, WS_COL_LOAD, WS_COL_PASS, WS_COL_OFFSET, WS_COL_LATENCY,
	WS_COL_ARRAY_BYTES, WS_COL_STRIDE_BYTES, WS_COL_TIMED_LOADS, WS_COL_MEASURED_MISS_RATIO,
	WS_COL_WALK_ERROR_PP, WS_COL_HIT_IN, WS_COL_TLB, WS_COL_LATENCY_LOW, WS_COL_LATENCY_HIGH,
	WS_COL_TURNS, WS_COL_SET, WS_COL_LINE_OF_SET, WS_COL_FIRST_WORD, WS_COL_LAST_WORD,
	WS_COL_WAY, WS_COL_VICTIM_SHARE, WS_COL_BY_MEANS, WS_COL_INFERRED,
	/* several runs */
	WS_COL_RUNS, WS_COL_MISS_RATIO_MEDIAN, WS_COL_MISS_RATIO_SD, WS_COL_MISS_RATIO_MIN,
	WS_COL_MISS_RATIO_MAX,
	/* look-ups in time */
	WS_COL_SECTOR_MISSES, WS_COL_FAIL_LINE, WS_COL_FAIL_QUEUE, WS_COL_FAIL_MSHR,
	WS_COL_FAIL_MERGE,
	/* time */
	WS_COL_CYCLES, WS_COL_SIMULATED_CYCLES, WS_COL_BOUND, WS_COL_ISSUED_INSTRUCTIONS,
	WS_COL_IPC, WS_COL_LATENCY_MEAN, WS_COL_LATENCY_P50, WS_COL_LATENCY_P95,
	WS_COL_LATENCY_P99, WS_COL_ACCESS_CYCLES, WS_COL_FETCH_CYCLES, WS_COL_MSHRS,
	WS_COL_ANCHOR_CYCLES, WS_COL_STALL_EMPTY, WS_COL_STALL_LSU, WS_COL_STALL_DATA,
	WS_COL_STALL_BARRIER, WS_COL_STALL_OTHER, WS_COL_SENT_BYTES, WS_COL_RECEIVED_BYTES,
	WS_COL_DRAM_BYTES, WS_COL_DRAM_READ_BYTES, WS_COL_DRAM_WRITE_BYTES,
	WS_COL_DRAM_READ_SECTORS, WS_COL_DRAM_WRITE_SECTORS,
	/* translation */
	WS_COL_TLB_REQUESTS, WS_COL_TLB_L1_MISSES, WS_COL_TLB_L2_MISSES,
	/* words under tags of their own */
	WS_COL_PARTIAL, WS_COL_INVALIDATED, WS_COL_FINER, WS_COL_COARSER, WS_COL_FLUSHED,
	/* the software cache */
	WS_COL_CACHE, WS_COL_SOFT_LINE_BYTES, WS_COL_THRESHOLD, WS_COL_LINES,
	WS_COL_THREADS_PER_SM, WS_COL_BYTES_PER_THREAD, WS_COL_STRUCTURE, WS_COL_ACCESS,
	WS_COL_LOADS, WS_COL_STORES, WS_COL_ATOMICS, WS_COL_MONITORED, WS_COL_MONITOR_HITS,
	WS_COL_RANK, WS_COL_CHOSEN, WS_COL_CHOSEN_STRUCTURES, WS_COL_WHY, WS_COL_SOFT_HITS,
	WS_COL_SOFT_MISSES, WS_COL_SOFT_HIT_RATIO, WS_COL_WRITE_BACKS, WS_COL_WRITE_BACK_BYTES,
	WS_COL_DIRECT, WS_COL_THREADS, WS_COL_ACCESSES_BEFORE, WS_COL_ACCESSES,
	WS_COL_THREAD_INSTRUCTIONS, WS_COL_EXTRA_INSTRUCTIONS, WS_COL_EXTRA_RATIO,
	WS_COL_MONITORING_INSTRUCTIONS, WS_COL_CACHED_INSTRUCTIONS, WS_COL_RUN_EXTRA_INSTRUCTIONS,
	WS_COL_RUN_EXTRA_RATIO, WS_COL_DIFFERENT_COUNTS, WS_COL_WRONG_BYTES,
	WS_COL_REGISTERS_MONITOR, WS_COL_REGISTERS_CACHE, WS_COL_REGISTERS_SPILLED,
	WS_COL_REGISTERS, WS_COL_SOFT_SHARED_BYTES, WS_COL_SHARED_BYTES, WS_COL_CTAS_BEFORE,
	WS_COL_CTAS, WS_COL_SM_THREADS, WS_COL_LIMIT, WS_COL_L1_REQUESTS_BEFORE,
	WS_COL_L1_MISSES_BEFORE, WS_COL_L1_LOAD_MISSES_BEFORE, WS_COL_L1_REQUESTS,
	WS_COL_L1_MISSES, WS_COL_L1_LOAD_MISSES, WS_COL_L2_REQUESTS, WS_COL_L2_MISSES,
	/* advice */
	WS_COL_ADVICE, WS_COL_CHANGE_OF, WS_COL_GAIN_PERCENT, WS_COL_GAIN_ERROR,
	WS_COL_CHANGED_CYCLES, WS_COL_CHANGED_REQUESTS, WS_COL_CHANGED_MISSES, WS_COL_CHANGE,
	WS_COL_EVIDENCE, WS_COL_SAMPLE_PERCENT,
	/* lists */
	WS_COL_PARAMETERS, WS_COL_MEAN_PP, WS_COL_MAX_PP, WS_COL_GPGPUSIM, WS_COL_VARIANT,
	WS_COL_SUMMARY, WS_COL_REFERENCE, WS_COL_LAW, WS_COL_STATES, WS_COL_JOINED,
	WS_COL_CHAIN_MISS_RATIO, WS_COL_CHAIN_WITHIN, WS_COL_SIMULATED_MISS_RATIO,
	WS_COL_STANDARD_ERROR, WS_COL_FRACTION, WS_COL_TYPE, WS_COL_RANGE, WS_COL_UNIT,
	WS_COL_STAGE, WS_COL_HELP, WS_COL_MEANING,
	WS_COLS
};
extern const struct ws_column ws_columns[WS_COLS];

struct ws_column_group {
	const char *title;
	enum ws_col first;	/* up to the first of the next group */
};
extern const struct ws_column_group ws_column_groups[]; /* title NULL after the last */

/* A varied key is column WS_COLS + its number. */
#define WS_COL_VARIED(v) ((unsigned)WS_COLS + (unsigned)(v))
/* The column of a key; its texts are the key's. */
struct ws_column ws_column_of_key(const struct ws_key *key);

/* ---- rows in tables (cells.c) --------------------------------------------------
 *
 * A table with the columns of `warpstack predict`, sweep and simulate.  A cell of a column that the
 * table does not have is dropped.
 */

/* The columns of a study's rows, besides the varied keys; tlb: those of TLBs, too. */
size_t ws_row_columns(const struct ws_study_options *o, const struct ws_study_plan *plan, bool tlb,
		      enum ws_col column[WS_COLS]);
/* Adds the columns of TLBs. */
void ws_columns_tlb(enum ws_col *column, size_t *count);
/* Has a configuration TLBs?  O(configurations), up to the first that has. */
enum ws_status ws_study_plan_translates(const struct ws_study_plan *plan, bool *yes,
					struct ws_err *err) WS_MUST_CHECK;
/* All cells of a row; ws_row_end ends it. */
void ws_cells_row(struct ws_table *t, const struct ws_row *row);
/* Some of them: the varied keys' values; machine, level, policy and geometry; TLBs. */
void ws_cells_varied(struct ws_table *t, const struct ws_study_plan *plan, uint64_t config);
void ws_cells_cache(struct ws_table *t, const struct ws_machine *m, bool l2);
void ws_cells_tlb(struct ws_table *t, const struct ws_tlb_counts *c);
/* Array and source; "": unknown, NULL: any.  line 0: unknown. */
void ws_cells_part(struct ws_table *t, const char *array, const char *file, uint32_t line);
const char *ws_confidence_name(bool low); /* "high" or "low" */

/* ---- whole studies for other languages (whole.c) -----------------------------------
 *
 * What takes no struct but the options: for a binding, such as python/warpstack.py.
 */

/* Plans and runs a study, and appends its rows to *out as text: one JSON object a row, and a line
 * each; varied keys first, then all columns, null where a value is missing.  simulate: by the
 * functional simulator, else by the model.  Errors: as ws_study_plan_init and the study; *out then
 * has the rows up to there.  Memory: some 700 bytes a row. */
enum ws_status ws_study_json(const struct ws_study_options *o, const struct ws_study_input *input,
			     bool simulate, struct ws_buf *out, struct ws_err *err) WS_MUST_CHECK;
/* Gives *l1 the line, sets and size of the L1 that was measured, if its line or sets are others.
 * Returns whether they were. */
bool ws_study_measured_l1(struct ws_cache *l1, const struct ws_cache *measured);
/* The profile that `warpstack profile` makes without lists: of the machine, set and order of the
 * options, with the lines, set counts and orders of requests that it has by default; with the L2
 * if `levels` asks for it.  *out is freed by ws_profile_free. */
enum ws_status ws_study_profile(const struct ws_study_options *o, const struct ws_trace *t,
				struct ws_profile **out, struct ws_err *err) WS_MUST_CHECK;
/* The machine that the options name, with all of `set`, as the text of a .conf file, onto *out. */
enum ws_status ws_study_conf(const struct ws_study_options *o, struct ws_buf *out,
			     struct ws_err *err) WS_MUST_CHECK;

/* ---- the best of the rows (best.c) ----------------------------------------------------------
 *
 * Of each kernel, level and kind: the row of the least value, and those that could have the least.
 * A row could not where another's interval lies wholly before its own.  Of equal values the cheaper
 * is the better: of the smaller cache, then of fewer ways, then of the policy and the organisation
 * that come first in their lists, then the row that came first.
 */
struct ws_goal {
	enum ws_col column;
	bool most;		/* the most is the best, not the least */
};
/* "misses", "hits:max".  WS_EINVAL: there is nothing of that name to choose by; has the nearest. */
enum ws_status ws_goal_parse(struct ws_goal *goal, const char *text,
			     struct ws_err *err) WS_MUST_CHECK;
/* Is it a prediction of time (.latency)? */
bool ws_goal_timed(const struct ws_goal *goal);

struct ws_best;

/* budget: rows of larger caches (ws_study_plan_cache) are not taken; 0: all are. */
enum ws_status ws_best_new(struct ws_best **out, const struct ws_goal *goal, uint64_t budget,
			   struct ws_err *err) WS_MUST_CHECK;
/* A ws_row_sink: best is a struct ws_best.  Keeps what could be the best of the rows so far, 2 KB
 * each. */
enum ws_status ws_best_take(void *best, const struct ws_row *row, struct ws_err *err) WS_MUST_CHECK;
/* The best of each, then the others, the better ones first; at most `top` of each, 0: all.
 * WS_EINVAL: there is none, as nothing fits the budget, or has a value. */
enum ws_status ws_best_rows(const struct ws_best *best, uint64_t top, ws_row_sink *sink,
			    void *context, struct ws_err *err) WS_MUST_CHECK;

struct ws_best_summary {	/* of one kernel, level and kind */
	const char *kernel;
	bool l2;
	unsigned kind;
	uint64_t rows;		/* of all that were taken: with a value, */
	uint64_t without;	/* and without one */
	uint64_t could;		/* be the best, that one included */
	bool stated;		/* the best's error */
};
/* The i-th, in order of their first rows; false past the last. */
bool ws_best_of(const struct ws_best *best, size_t i, struct ws_best_summary *of);
void ws_best_free(struct ws_best *best); /* NULL is fine */

WS_API_END
#endif
