/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * validate/validate.h -- caches simulated request by request, and cycle by cycle.
 *
 * Modelled by struct ws_sim, one cache per SM: any sets, ways, line, sector size, set-index
 * function, write policy and replacement policy.  A line is allocated when its request arrives,
 * unless the policy bypasses; the lowest invalid way is taken first.  Fills, hits and evictions
 * call the policy's hooks.  Stores follow enum ws_write; a store hit calls on_hit, or invalidates
 * the line under write-evict.  Atomics bypass an L1 and count as uncached misses; an L2
 * (ws_l2_whole) performs them as loads of their own kind.  A sectored cache hits iff the tag
 * matches and all requested sectors are valid; otherwise loads and allocating stores fetch the
 * missing sectors and refresh the line's recency.  A write-through store refreshes recency whenever
 * the tag matches.  For l1.organisation decoupled, elastic and dycache see validate/grain/grain.h.
 * Not modelled: time, MSHRs, pending hits.  Write-backs are not counted; ws_streams_behind passes
 * them on.
 *
 * To classify misses, a fully associative LRU cache of the same capacity, sector size and write
 * policy, and an infinite cache, are simulated as well; neither bypasses.  Cold and uncached misses
 * are as in stackdist.h.  Others are capacity misses if the fully associative cache misses too,
 * else conflict misses.
 */
#ifndef WS_VALIDATE_H
#define WS_VALIDATE_H

#include "model/model.h"

WS_API_BEGIN

struct ws_sim;

/* WS_EINVAL: an unknown policy, one that cannot manage the cache, more than 65536 ways or 2^28
 * lines.  Memory: 12 bytes a line of the cache, and 48 to 96 for each distinct line since a
 * flush. */
enum ws_status ws_sim_new(struct ws_sim **out, const struct ws_cache *cache,
			  struct ws_err *err) WS_MUST_CHECK;
/* Seeds the policy's random numbers; 1 if not called.  Call before the first push.  A flush does
 * not reseed. */
void ws_sim_seed(struct ws_sim *s, uint64_t seed);
/* O(1) a request, plus the policy's victim() for a full set.  An offline policy (opt) needs all
 * requests between two flushes in one push. */
enum ws_status ws_sim_push(struct ws_sim *s, const struct ws_request *r, size_t count,
			   struct ws_err *err) WS_MUST_CHECK;
void ws_sim_flush(struct ws_sim *s); /* between launches: empty, counts kept */
void ws_sim_counts(const struct ws_sim *s, struct ws_counts kind[WS_KINDS + 1]);
void ws_sim_free(struct ws_sim *s);

/* ---- request streams in any order --------------------------------------------------
 *
 * WS_ORDER_NOMINAL is ws_order_run.  WS_ORDER_CYCLES runs each launch through the cycle simulator
 * below, on the given machine.  Requests are in the order in which the L1s accept them, as hits,
 * pending hits or misses, each with the cycle of its acceptance; failed look-ups are left out.  So
 * LRU of the machine's own geometry hits in that stream as the simulated L1 did, except for
 * reservations: a reserved line cannot be evicted, and a store does not complete it.
 */
struct ws_orderer;

/* The trace stays; the machine and the options are copied.  options->memory: NULL, unless nominal.
 * Errors of WS_ORDER_CYCLES: as ws_cycles_run. */
enum ws_status ws_orderer_new(struct ws_orderer **out, enum ws_order order,
			      const struct ws_trace *t, const struct ws_machine *m,
			      const struct ws_order_options *options,
			      struct ws_err *err) WS_MUST_CHECK;
/* The launches in order.  WS_ORDER_CYCLES wants sink->requests, and has no lanes. */
enum ws_status ws_orderer_run(struct ws_orderer *o, size_t launch, const struct ws_sink *sink,
			      struct ws_order_stats *stats, struct ws_err *err) WS_MUST_CHECK;
/* The same, with all SMs merged: warp instructions by cycle, then by SM.  Keeps a launch's requests
 * in memory. */
enum ws_status ws_orderer_merged(struct ws_orderer *o, size_t launch, const struct ws_sink *sink,
				 struct ws_order_stats *stats, struct ws_err *err) WS_MUST_CHECK;
void ws_orderer_free(struct ws_orderer *o);

/* ---- streams kept in memory, for many caches -------------------- */

struct ws_stream { /* one SM's, of one launch */
	struct ws_request *request;
	size_t count, cap;
};

enum ws_status ws_stream_add(struct ws_stream *s, const struct ws_request *r, size_t count,
			     struct ws_err *err) WS_MUST_CHECK;

struct ws_streams {
	struct ws_stream *sm;	/* sms of them */
	size_t sms;
	char *kernel;		/* of the launch */
	const struct ws_launch *launch; /* the trace's, which outlives this */
	uint64_t line_bytes, coalesce_line; /* the machine's: what the requests are cut at */
	bool keeps;		/* the cache has at first what the stream before left in it */
	size_t warm;		/* requests at the front, which fill an L2 before the launch and are
				 * not counted */
	struct ws_order_stats stats;
};

/* All launches of a trace in the order options->order: (*out)[0..*launches-1].  40 bytes a
 * request. */
enum ws_status ws_streams_make(struct ws_streams **out, size_t *launches, const struct ws_trace *t,
			       const struct ws_machine *m,
			       const struct ws_profile_options *options,
			       struct ws_err *err) WS_MUST_CHECK;
void ws_streams_free(struct ws_streams *s, size_t launches);
/* Memory instructions of warps in the launches of a kernel (NULL: all). */
uint64_t ws_streams_instructions(const struct ws_streams *s, size_t launches, const char *kernel);

/* Simulates every launch whose kernel is `kernel` (NULL: all) on fresh caches.  For a cache of
 * another line than the streams' the requests are cut or merged (ws_recut).  seed: of the random
 * numbers that the policy draws. */
enum ws_status ws_simulate(const struct ws_streams *s, size_t launches, const char *kernel,
			   const struct ws_cache *cache, uint64_t seed,
				   struct ws_counts kind[WS_KINDS + 1],
			   struct ws_err *err) WS_MUST_CHECK;

/* The same streams through the L1s of *m: what their TLBs are asked (validate/sim/tlb.h), and how
 * often each does not know the page.  All zero without a TLB, and for an l1.organisation but line
 * and sector. */
struct ws_tlb_counts {
	uint64_t requests, misses[2];
};
enum ws_status ws_simulate_tlbs(const struct ws_streams *s, size_t launches, const char *kernel,
				const struct ws_machine *m, uint64_t seed,
				struct ws_tlb_counts *out, struct ws_err *err) WS_MUST_CHECK;

/* The requests to the L2 of *m, of which s are the L1s' requests: streams of one SM each, for
 * ws_simulate with the cache ws_l2_whole(m).  The L1s, of any policy, are simulated as by ws_sim;
 * the order is that of stackdist.h.  So with LRU in the L1s this is the stream of a profile with an
 * L2.  l1.organisation: line or sector.  40 bytes a request, twice that while it runs. */
enum ws_status ws_streams_behind(struct ws_streams **out, const struct ws_streams *s,
				 size_t launches, const struct ws_machine *m, uint64_t seed,
				 struct ws_err *err) WS_MUST_CHECK;

/* ---- cross-check --------------------------------------------------------------- */

struct ws_check {
	struct ws_prediction model;
	struct ws_counts exact[WS_KINDS + 1];
	bool other_stream;	/* input: model and simulation have different streams (an L2 behind
				 * L1s of another policy than LRU), so that numbers of requests may
				 * differ */
	bool agree;		/* exact: every count is equal; approx: every number of requests */
	double error_pp;	/* |model - exact| of the miss ratio over all kinds, in points;
				 * 100 if they do not agree */
	bool within_bound;	/* they agree and, approx: error_pp <= bound, or exact is in
				 * [low, high] of the model */
};

/* The rest from model and exact.  bound_pp < 0: an approximate model's own 95 % interval. */
void ws_check_judge(struct ws_check *c, bool count_pending, double bound_pp);

/* Predicts and simulates one kernel's streams for one cache, and compares.  For many caches use
 * ws_model_predict, ws_simulate and ws_check_judge, which repeat no work.  Errors: those of
 * ws_predict and ws_simulate. */
enum ws_status ws_crosscheck(const struct ws_profile *p, size_t section,
			     const struct ws_streams *s, size_t launches,
			     const struct ws_cache *cache, double bound_pp,
			     struct ws_check *out, struct ws_err *err) WS_MUST_CHECK;

/* ---- the cycle simulator ---------------------------------------------------------------
 *
 * Time, MSHRs, queues, ports, L2 slices and DRAM: validate/cycle/cycle.h says exactly what is
 * simulated, and what is not.
 */

enum ws_outcome { WS_HIT, WS_PENDING, WS_MISS, WS_SECTOR_MISS, WS_FAILED };
enum ws_fail {			/* why a look-up failed and was retried */
	WS_FAIL_LINE,		/* all ways of the set are reserved */
	WS_FAIL_QUEUE,		/* no room on the way to the L2 */
	WS_FAIL_MSHR,		/* all MSHRs are in use */
	WS_FAIL_MERGE,		/* the MSHR has as many requests as it can hold */
	WS_FAILS,
};
extern const char *const ws_fail_names[WS_FAILS];

struct ws_cycle_counts {	/* requests = hits + pending + misses; failed look-ups are not
				 * requests */
	uint64_t requests, hits, pending, misses;
	uint64_t sector_misses;	/* of the misses: the line was there */
	uint64_t sectors;	/* of 32 bytes, that the requests ask for */
	uint64_t fails[WS_FAILS]; /* look-ups: one a cycle while a request waits */
};

enum ws_stall {			/* why a scheduler issued nothing in a cycle */
	WS_STALL_EMPTY,		/* it has no warp */
	WS_STALL_LSU,		/* a warp is ready, but the load-store unit is not */
	WS_STALL_DATA,		/* no warp is ready; at least one waits for data */
	WS_STALL_BARRIER,	/* all wait at barriers */
	WS_STALL_OTHER,		/* other causes: a warp continues in the next cycle */
	WS_STALLS,
};
extern const char *const ws_stall_names[WS_STALLS];


struct ws_grain_stats {
	uint64_t size[WS_GRAIN_SIZES];	/* requests, not of a decoupled cache */
	uint64_t partial;		/* misses with some of the words there */
	uint64_t invalidated;		/* words, by partial hits */
	uint64_t written_back;		/* words */
	uint64_t finer, coarser;	/* changes of the grain */
	uint64_t flushed;		/* words, by changes to a larger grain */
};

/* Latencies of loads and atomics, from issue to data: by ws_cell(cycles, WS_LATENCY_BITS). */
#define WS_LATENCY_BITS 6u
#define WS_LATENCY_CELLS (64u + 16u * 26u)

#define WS_PACKET_HEADER_BYTES 8u	/* of what goes between SMs and the L2 */

struct ws_core_stats {		/* of an SM */
	struct ws_cycle_counts l1[WS_KINDS];
	uint64_t cycles;	/* up to the end of its last CTA */
	uint64_t issued;	/* ops: all instructions, barriers too */
	uint64_t memory_instructions;
	uint64_t warp_cycles;	/* resident warps, summed over cycles: each from its CTA's start to
				 * its last op */
	uint64_t bank_conflicts; /* cycles in which look-ups stopped at a bank in use */
	uint64_t waits;		/* times that a warp waited for data */
	uint64_t slots;		/* issue slots: schedulers * the launch's cycles = issued + all
				 * stalls */
	uint64_t stalls[WS_STALLS];
	uint64_t loads, latency_sum; /* loads and atomics whose data came back */
	uint64_t latency_max;	/* in a sum of SMs: of any */
	uint64_t latency[WS_LATENCY_CELLS];
	uint64_t mshrs_sum;	/* MSHRs in use, summed over cycles */
	uint64_t sent_packets, sent_bytes, received_packets, received_bytes;
	struct ws_grain_stats grain; /* of an L1 with sub-sectors */
	struct ws_tlb_counts tlb; /* of its L1s */
};

struct ws_slice_stats {
	struct ws_cycle_counts l2[WS_KINDS];
	uint64_t dram_read_bytes, dram_write_bytes;
	uint64_t dram_wait_sum;	/* cycles that requests waited for the channel */
	uint64_t mshrs_sum;
};

struct ws_cycle_site {		/* one static instruction at one array */
	uint32_t instruction, array; /* of the launch; array may be WS_NO_ARRAY */
	struct ws_cycle_counts l1, l2;
};

struct ws_cycle_result {	/* of one launch */
	char *kernel;
	size_t launch;		/* in the trace */
	uint64_t cycles;	/* of the SM that ends last */
	uint64_t resident_ctas;
	struct ws_core_stats *sm;
	struct ws_slice_stats *slice;
	size_t sms, slices;
	struct ws_cycle_site *site; /* if asked for: by instruction, then array; without empty
				     * ones */
	size_t sites;
};

void ws_cycle_result_clear(struct ws_cycle_result *r);
void ws_cycle_results_free(struct ws_cycle_result *r, size_t launches);

struct ws_cycle_sample {	/* of one SM over the cycles [from, to) */
	size_t launch, sm;
	uint64_t from, to;
	uint64_t issued, stalls[WS_STALLS];
	uint64_t requests, hits, pending, misses; /* of its L1, loads */
	uint64_t in_flight;	/* MSHRs in use at `to` */
	uint64_t warps;		/* resident at `to` */
};

struct ws_cycle_options {
	uint64_t seed;
	unsigned threads;	/* 0: all cores; the result does not depend on it */
	const char *kernel;	/* launches of this kernel only; NULL: all */
	bool sites;
	/* [instructions]: loads and stores of a launch that go past the L1, as if there were none;
	 * NULL: no function, or what it returns, none do.  Valid until the launch ends. */
	const bool *(*past)(void *context, size_t launch);
	uint64_t period;	/* cycles between samples, 0: none; rounded up to whole windows */
	void (*sample)(void *context, const struct ws_cycle_sample *s); /* in order of (from, SM) */
	/* NULL: not wanted.  Its requests (not NULL): those of WS_ORDER_CYCLES, above. */
	const struct ws_sink *sink;
	void (*progress)(void *context, uint64_t ctas_done, uint64_t ctas_total);
	/* The result of a launch when it ends, valid during the call: memory then stays at some
	 * kilobytes an SM, whatever the number of launches.  NULL: all results are returned. */
	enum ws_status (*launched)(void *context, const struct ws_cycle_result *r,
				   struct ws_err *err);
	void *context;
};

/* Whether the machine can be simulated in cycles.  WS_EINVAL as ws_cycles_run. */
enum ws_status ws_cycles_check(const struct ws_machine *m, struct ws_err *err) WS_MUST_CHECK;
/* Simulates all launches of a trace, each on its own.  sm.scheduler must be a timed one.  Errors:
 * as ws_order_run and launched(); WS_EINVAL for an untimed scheduler or an offline policy.
 * *out[0 .. *launches - 1]; NULL and 0 with launched(). */
enum ws_status ws_cycles_run(struct ws_cycle_result **out, size_t *launches,
			     const struct ws_trace *t, const struct ws_machine *m,
			     const struct ws_cycle_options *options,
			     struct ws_err *err) WS_MUST_CHECK;

void ws_cycle_counts_add(struct ws_cycle_counts *to, const struct ws_cycle_counts *from);
void ws_grain_stats_add(struct ws_grain_stats *to, const struct ws_grain_stats *from);
void ws_core_stats_add(struct ws_core_stats *to, const struct ws_core_stats *from);
/* Sums over SMs, and over slices; [WS_KINDS]: all kinds. */
void ws_cycle_l1(const struct ws_cycle_result *r, struct ws_cycle_counts kind[WS_KINDS + 1]);
/* Counts of the simulated L1s and L2 in the last launch; all 0 for another order. */
void ws_orderer_counts(const struct ws_orderer *o, struct ws_cycle_counts l1[WS_KINDS + 1],
		       struct ws_cycle_counts l2[WS_KINDS + 1]);
void ws_cycle_l2(const struct ws_cycle_result *r, struct ws_cycle_counts kind[WS_KINDS + 1]);
void ws_cycle_sm(const struct ws_cycle_result *r, struct ws_core_stats *sum);
/* The latency that a fraction of the loads did not exceed, 0 < share <= 1: the last value of its
 * cell, or the largest latency if that is less. */
uint64_t ws_cycle_latency(const struct ws_core_stats *s, double share);

WS_API_END
#endif
