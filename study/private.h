/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * study/private.h -- private: what the files of study/ share.
 */
#ifndef WS_STUDY_PRIVATE_H
#define WS_STUDY_PRIVATE_H

#include "study/study.h"

/* source.c */
struct ws_profile_options ws_source_options(const struct ws_source *source,
					    struct ws_progress *progress);
enum ws_status ws_source_orderer(const struct ws_source *source, struct ws_orderer **out,
				 struct ws_err *err) WS_MUST_CHECK;
uint64_t ws_launch_accesses(const struct ws_launch *l); /* of its lanes */

/* options.c */
enum ws_status ws_study_set(struct ws_machine *m, const struct ws_list *set,
			    struct ws_err *err) WS_MUST_CHECK;
enum ws_status ws_study_settle(struct ws_machine *m, struct ws_err *err) WS_MUST_CHECK;

/* configuration.c: the varied key "machine".  It is no key of a machine. */
extern const struct ws_key ws_study_machine_key;
bool ws_study_is_machine(const struct ws_key *key);
/* Which of the values of the v-th varied key a configuration has. */
size_t ws_study_plan_digit(const struct ws_study_plan *plan, uint64_t config, size_t v);
/* The named machine with those of the given keys that `take` takes; not checked. */
enum ws_status ws_study_plan_apply(const struct ws_study_plan *plan, uint64_t config,
				   bool (*take)(const struct ws_study_plan *plan,
						const struct ws_key *key),
				   struct ws_machine *m, struct ws_err *err) WS_MUST_CHECK;

/* search.c: numbers the elements of the product that are configurations.  WS_EINVAL: none is. */
enum ws_status ws_study_plan_leave_out(struct ws_study_plan *plan, const struct ws_study_options *o,
				       const struct ws_profile *profile,
				       struct ws_err *err) WS_MUST_CHECK;
/* WS_EINVAL: of all caches, the smallest is above the budget. */
enum ws_status ws_fits_none(uint64_t budget, uint64_t smallest, struct ws_err *err);
/* policies.c: are the names and parameters in l1.policy and l2.policy right, for whatever cache? */
enum ws_status ws_policy_named(const struct ws_machine *m, struct ws_err *err) WS_MUST_CHECK;
/* WS_EINVAL: nothing but a simulation knows of the cache.  hint: what to do then. */
enum ws_status ws_policy_must_model(const struct ws_cache *cache, const char *hint,
				    struct ws_err *err) WS_MUST_CHECK;
unsigned ws_policy_needs(const char *text); /* WS_RECORD_* of a profile */
size_t ws_policy_place(const struct ws_cache *cache); /* in the table */
/* Of L1s and, with l2, of L2s, with parameters. */
bool ws_policies_same(const struct ws_machine *a, const struct ws_machine *b, bool l2);

/* configuration.c: as ws_study_plan_machine, of a plan that has not passed.  beside: of all its
 * machines, with the first that passed. */
enum ws_status ws_study_plan_check(const struct ws_study_plan *plan, uint64_t config,
				   struct ws_beside *beside, struct ws_machine *m,
				   struct ws_err *err) WS_MUST_CHECK;
/* configuration.c: the simulation is told of the key, as it is. */
bool ws_anchor_told(const struct ws_study_plan *plan, const struct ws_key *key);
/* A sector for longer lines than the machine's own: not sectored. */
void ws_plan_limit_sector(struct ws_cache *c);
/* The machine whose simulation makes a configuration's order, or WS_EINVAL: there is none. */
enum ws_status ws_anchor_machine(const struct ws_study_plan *plan, uint64_t config,
				 struct ws_machine *m, struct ws_err *err) WS_MUST_CHECK;

/* partition.c */
/* Do the trace's warps come one after the other on such a machine, whatever it takes? */
bool ws_plan_single_file(const struct ws_study_plan *plan, const struct ws_machine *m);
bool ws_profile_single_file(const struct ws_profile *p);
enum ws_status ws_study_plan_partition(struct ws_study_plan *plan,
				       struct ws_err *err) WS_MUST_CHECK;
void ws_partition_clear(struct ws_partition *p);

/* configuration.c: does the key decide the nominal order, or what a profile holds? */
bool ws_plan_decides_order(const struct ws_study_plan *plan, const struct ws_key *key);
bool ws_plan_decides_profile(const struct ws_study_plan *plan, const struct ws_key *key);
/* Sets what is asked about.  profile: NULL, or what answers. */
void ws_study_plan_levels(struct ws_study_plan *plan, const struct ws_study_options *o,
			  const struct ws_profile *profile);

/* Counts of the simulation that an order is taken from, by kernel (simulated.c). */
struct ws_simulated {
	struct ws_simulated_kernel *row;
	size_t count, cap;
};
/* Of the launch that was run last; kernel stays the trace's. */
enum ws_status ws_simulated_add(struct ws_simulated *s, const struct ws_orderer *orderer,
				const char *kernel, struct ws_err *err) WS_MUST_CHECK;
/* Into the sections of those kernels. */
void ws_simulated_put(const struct ws_simulated *s, struct ws_profile *p);
/* Did loads miss otherwise on the machine that was simulated than under LRU in their order, by more
 * than a point in any kernel? */
bool ws_simulated_differs(const struct ws_profile *p, const struct ws_machine *m);
void ws_simulated_clear(struct ws_simulated *s);

/* Samples of sets with times. */
#define WS_STUDY_TIMES (WS_RECORD_DETAIL | WS_RECORD_SETS | WS_RECORD_TIMES)

/* ---- exact counts in place of predictions (verify.c) --------------------------------------- */

struct ws_verify;

enum ws_status ws_verify_new(struct ws_verify **out, const struct ws_study_options *o,
			     const struct ws_trace *trace, const struct ws_study_plan *plan,
			     struct ws_err *err) WS_MUST_CHECK;
void ws_verify_free(struct ws_verify *v);
/* What follows is of a configuration's stream, made with that seed.  One thread. */
void ws_verify_turn(struct ws_verify *v, uint64_t config, uint64_t seed);
/* Puts a kernel's simulated counts in place of a prediction.  Any thread; the first one that asks
 * has the streams made. */
enum ws_status ws_verify_kernel(struct ws_verify *v, const char *kernel,
				const struct ws_cache *cache, struct ws_prediction *out,
				struct ws_err *err) WS_MUST_CHECK;


/* ---- results and rows (rows.c) -------------------------------------------------------------- */

struct ws_answered {		/* a kernel in one configuration and run */
	struct ws_prediction l1, l2; /* those that the plan asks for */
	struct ws_timing timing; /* with .latency */
	struct ws_part *part;	/* with .by */
	size_t parts;
	char *names;		/* what the parts' names point to: they outlive their profile */
	size_t order;		/* of the profile's, which one answered */
	bool own[2];		/* [l2]: of an exact policy in its own order */
	struct ws_tlb_counts tlb; /* simulated; no requests: not known */
};

struct ws_emitter {		/* from results to rows */
	const struct ws_study_options *options;
	const struct ws_study_plan *plan;
	const struct ws_study_input *input;
	struct ws_study_kernels kernels;
	struct ws_suspects *suspects; /* [orders]: against a profile's machines */
	size_t orders;
	ws_row_sink *sink;
	void *context;
	/* Of the first machine of a band, until its last is there (band.c): */
	struct ws_answered *first; /* [runs][kernels] */
	struct ws_machine machine;
	uint64_t config;
	struct ws_band *band;	/* [2][kernels][WS_KINDS + 1] */
};

enum ws_status ws_emitter_init(struct ws_emitter *e, const struct ws_study_options *o,
			       const struct ws_study_plan *plan, const struct ws_study_input *input,
			       ws_row_sink *sink, void *context, struct ws_err *err) WS_MUST_CHECK;
void ws_emitter_clear(struct ws_emitter *e);
/* result: [runs][kernels]. */
enum ws_status ws_emitter_rows(const struct ws_emitter *e, uint64_t config,
			       const struct ws_machine *m, const struct ws_answered *result,
			       struct ws_err *err) WS_MUST_CHECK;
/* The same, but of the machines of a band one row each, as soon as the last of them is there.
 * Configurations come in order.  Results with parts have no bands. */
enum ws_status ws_emitter_put(struct ws_emitter *e, uint64_t config, const struct ws_machine *m,
			      const struct ws_answered *result, struct ws_err *err) WS_MUST_CHECK;
/* Makes a row of machine and level that of the kind: prediction, spread (into *s) and basis.
 * result: [runs] of the kernel, `kernels` apart. */
enum ws_status ws_emitter_kind(const struct ws_emitter *e, struct ws_row *row, unsigned kind,
			       const struct ws_answered *result, struct ws_spread *s,
			       struct ws_err *err) WS_MUST_CHECK;
/* e->band is there. */
struct ws_band *ws_band_of(const struct ws_emitter *e, bool l2, size_t kernel, unsigned kind);
/* Where the order is from, as struct ws_row has it.  number: of the profile's orders. */
enum ws_status ws_emitter_order(const struct ws_emitter *e, uint64_t config,
				const struct ws_machine *m, size_t number,
				char text[WS_ORDER_TEXT], struct ws_err *err) WS_MUST_CHECK;
void ws_answered_clear(struct ws_answered *a, size_t kernels);
unsigned ws_kind_number(const char *kind); /* WS_KINDS: all */

#define WS_LOW_CONFIDENCE 0.05	/* a half width of low confidence */

/* ---- orders (order.c) ------------------------------------------------------------------------ */

/* Is the machine's order independent of time, so that its definition alone decides it? */
bool ws_order_timeless(const struct ws_machine *m);
/* Are the machines alike in all that an order depends on, or in all of that but policies? */
bool ws_order_own(const struct ws_machine *own, const struct ws_machine *anchor, bool policies);
/* "own", or the keys in which the anchor differs, with its values. */
void ws_order_text(const struct ws_machine *own, const struct ws_machine *anchor,
		   char text[WS_ORDER_TEXT]);

struct ws_suspects {		/* the keys in which a plan's machines may differ from an anchor */
	const struct ws_machine *anchor;
	const struct ws_key **key;
	size_t count;
};

/* anchor stays where it is. */
enum ws_status ws_suspects_find(struct ws_suspects *s, const struct ws_study_plan *plan,
				const struct ws_machine *anchor, struct ws_err *err) WS_MUST_CHECK;
void ws_suspects_clear(struct ws_suspects *s);
/* As ws_order_own and ws_order_text, of a configuration's machine. */
bool ws_suspects_own(const struct ws_suspects *s, const struct ws_machine *own, bool policies);
void ws_suspects_text(const struct ws_suspects *s, const struct ws_machine *own,
		      char text[WS_ORDER_TEXT]);
/* Which of a profile's orders answers for the machine: the nearest of those that hold its L1.
 * first: only the first will do. */
size_t ws_order_pick(const struct ws_profile *p, size_t section, const struct ws_machine *m,
		     bool first);

struct ws_held {		/* what is known of the order that a kernel's cache was measured
				 * in */
	enum ws_order order;
	bool own;		/* it is the cache's own */
	bool policy;		/* the simulated machine's caches had another policy, */
	bool other;		/* or differed in something else */
	const double *at_anchor; /* [WS_KINDS + 1]: LRU's miss ratios of the simulated machine's
				  * cache in it; negative: not known */
	const double *lru;	/* [WS_KINDS + 1]: LRU's miss ratios of the cache that is asked
				 * about */
	const double *steepness; /* [WS_KINDS + 1]: LRU's miss ratio with half the ways less that
				  * with twice the ways, in it */
	const double *spread;	/* [WS_KINDS + 1]: how far, at most, LRU's miss ratio of the cache
				  * is from that in others of the orders at hand; NULL: there are
				  * none */
	const struct ws_missed *simulated; /* [WS_KINDS]: what the simulation itself counted of the
				  * cache; NULL: not known */
};

/* Of an L2 behind L1s of another policy, predicted as behind LRU's: `more` is by how much, relative
 * to its requests, that policy changes them ([WS_KINDS + 1]). */
void ws_order_behind(const double *more, struct ws_prediction *l2);
/* Makes basis, error and interval of the prediction those of the cache that was asked about, in its
 * own
 * order.  A simulated one of another order has none: they become negative. */
void ws_order_judge(const struct ws_held *held, struct ws_prediction *p);

#endif
