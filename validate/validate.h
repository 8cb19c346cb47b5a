/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * validate/validate.h -- the exact side: caches that are simulated, request
 * by request, and the comparison of the model with them.
 *
 * Modelled by struct ws_sim, one cache per SM: any sets, ways, line, sector size, set-index
 * function, write policy and replacement policy; allocation when the
 * request arrives; invalid ways first, the lowest-numbered; a fill or a hit makes the policy's
 * hooks run; stores as enum ws_write says (a store hit runs on_hit, under write-evict
 * it invalidates the line instead); atomics bypass the cache and count as uncached misses; a request
 * of a sectored cache hits iff the tag matches and all its sectors are valid, else the missing
 * sectors are fetched (for a load, or a store that allocates) and the line's recency refreshed; a
 * write-through store refreshes recency whenever the tag matches.
 * Not modelled: time, MSHRs, pending hits, write-back traffic.
 *
 * Misses are split by simulating, beside it, a fully associative LRU cache of the same capacity, sector
 * size and write policy, and an infinite one: cold and uncached as in stackdist.h; of the rest, capacity
 * if the fully associative cache misses too, else conflict.
 */
#ifndef WS_VALIDATE_H
#define WS_VALIDATE_H

#include "model/model.h"

#ifdef __cplusplus
extern "C" {
#endif

struct ws_sim;

enum ws_status ws_sim_new(struct ws_sim **out, const struct ws_cache *cache,
			  struct ws_err *err) WS_MUST_CHECK; /* one SM's */
/* Of the random numbers that policies draw; 1 if not called.  Before the first push; a flush does
 * not begin them anew. */
void ws_sim_seed(struct ws_sim *s, uint64_t seed);
/* An offline policy (opt) wants all requests between two flushes in one push. */
enum ws_status ws_sim_push(struct ws_sim *s, const struct ws_request *r, size_t count,
			   struct ws_err *err) WS_MUST_CHECK;
void ws_sim_flush(struct ws_sim *s); /* between launches: empty, counts kept */
void ws_sim_counts(const struct ws_sim *s, struct ws_counts kind[WS_KINDS + 1]);
void ws_sim_free(struct ws_sim *s);

/* ---- streams kept in memory, to be run through many caches -------------------- */

struct ws_stream { /* one SM's, of one launch */
	struct ws_request *request;
	size_t count, cap;
};

struct ws_streams {
	struct ws_stream *sm;	/* sms of them */
	size_t sms;
	char *kernel;		/* of the launch */
	uint64_t line_bytes, coalesce_line; /* of the machine: what requests are of */
	struct ws_order_stats stats;
};

/* All launches of a trace in a machine's order: (*out)[0..*launches-1]; 32 bytes a request. */
enum ws_status ws_streams_make(struct ws_streams **out, size_t *launches, const struct ws_trace *t,
			       const struct ws_machine *m,
			       const struct ws_profile_options *options,
			       struct ws_err *err) WS_MUST_CHECK;
void ws_streams_free(struct ws_streams *s, size_t launches);

/* Simulates every launch whose kernel is `kernel` (NULL: all) on fresh caches.  For a cache of
 * another line than the streams' the requests are cut or merged (ws_recut).  seed: of the random
 * numbers that the policy draws. */
enum ws_status ws_simulate(const struct ws_streams *s, size_t launches, const char *kernel,
			   const struct ws_cache *cache, uint64_t seed, struct ws_counts kind[WS_KINDS + 1],
			   struct ws_err *err) WS_MUST_CHECK;

/* ---- cross-check --------------------------------------------------------------- */

struct ws_check {
	struct ws_prediction model;
	struct ws_counts exact[WS_KINDS + 1];
	bool agree;		/* exact: every count is equal; approx: every number of requests */
	double error_pp;	/* |model - exact| of the miss ratio over all kinds, in points;
				 * 100 if they do not agree */
	bool within_bound;	/* they agree and, approx: error_pp <= bound, or exact is in
				 * [low, high] of the model */
};

/* The rest from model and exact.  bound_pp < 0: an approximate model's own 95 % interval. */
void ws_check_judge(struct ws_check *c, bool count_pending, double bound_pp);

/* Model and simulation of one kernel's streams for one cache, judged.  For many caches
 * ws_answers_predict, ws_simulate and ws_check_judge solve nothing twice. */
enum ws_status ws_crosscheck(const struct ws_profile *p, size_t section,
			     const struct ws_streams *s, size_t launches,
			     const struct ws_cache *cache, double bound_pp,
			     struct ws_check *out, struct ws_err *err) WS_MUST_CHECK;

#ifdef __cplusplus
}
#endif
#endif
