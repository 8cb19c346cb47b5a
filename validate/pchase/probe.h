/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * validate/pchase/probe.h -- asking a target, and reading its answers in spite of noise.
 *
 *   ws_probe_levels     which latencies there are
 *   ws_probe_read       one latency to hit, miss or neither
 *   ws_probe_overflows  whether lines are more than a set holds: a sequential test
 *   ws_probe_same_set   whether one of several lines is of the set that is known best
 */
#ifndef WS_PROBE_H
#define WS_PROBE_H

#include "validate/pchase.h"

#define WS_PROBE_BITS 64u

enum ws_probe_load { WS_PROBE_HIT, WS_PROBE_MISS, WS_PROBE_UNREAD };

struct ws_chase_list {		/* offsets */
	uint64_t *at;
	size_t count, cap;
};

struct ws_probe {
	struct ws_chase *found;
	const struct ws_chase_target *target;
	struct ws_rng rng;
	uint64_t budget;
	double until;		/* of ws_seconds(); 0: no limit */
	struct ws_chase_list program;
	double *cycles;
	size_t cycles_cap;
	double doubt;		/* summed probabilities that a test was wrong */
	/* Ways lines of one set, and one more of it. */
	struct ws_chase_list full;
	uint64_t other;
	uint64_t origin;	/* of the lines that are tried first */
	/* The set index, if it is one of sets that is known. */
	struct ws_cache shape;
	bool indexed;
	bool no_memory;		/* for a simulation to compare with */
	struct ws_chase_list trial, batch;
};

enum ws_status ws_chase_list_add(struct ws_chase_list *l, uint64_t at,
				 struct ws_err *err) WS_MUST_CHECK;
enum ws_status ws_chase_list_copy(struct ws_chase_list *to, const uint64_t *at, size_t count,
				  struct ws_err *err) WS_MUST_CHECK;
bool ws_chase_list_have(const struct ws_chase_list *l, uint64_t at);
void ws_chase_list_clear(struct ws_chase_list *l);

/* p->program, from an empty cache; p->cycles are the answers.  When the budget is spent
 * p->found->exhausted is set, nothing is run, and every load is a hit. */
enum ws_status ws_probe_run(struct ws_probe *p, struct ws_err *err) WS_MUST_CHECK;
/* found->level of these latencies, which are sorted. */
void ws_probe_clusters(struct ws_chase *found, double *cycles, size_t count);
enum ws_probe_load ws_probe_read(const struct ws_probe *p, double cycles);
enum ws_status ws_probe_levels(struct ws_probe *p, struct ws_err *err) WS_MUST_CHECK;
enum ws_status ws_probe_overflows(struct ws_probe *p, const uint64_t *at, size_t count, bool *yes,
				  struct ws_err *err) WS_MUST_CHECK;

/* Whether one of these lines is of the set that p->full fills; lines of other sets must be no more
 * than those hold. */
enum ws_status ws_probe_same_set(struct ws_probe *p, const uint64_t *at, size_t count, bool *yes,
				 struct ws_err *err) WS_MUST_CHECK;
/* *rank: the sets that lines of one page are of are 2^*rank, by address bits low to high. */
enum ws_status ws_probe_rank(struct ws_probe *p, unsigned low, unsigned high, unsigned *rank,
			     struct ws_err *err) WS_MUST_CHECK;
/* A line of the target, drawn at random. */
uint64_t ws_probe_draw(struct ws_probe *p);
/* That no test so far was wrong. */
double ws_probe_confidence(const struct ws_probe *p);

/* ---- walks over growing arrays under LRU -------------------------------------------------
 *
 * Of lines that are walked round and round a set keeps all, if they are no more than its ways, and
 * none else.  So what misses follows from the lines of each set. */
struct ws_chase_lru {
	const struct ws_cache *cache;
	uint64_t base, stride, window; /* window: loads of a pass that count; 0: all */
	uint64_t next;		/* the load that is to come */
	uint64_t line, sector;	/* of the one before */
	uint64_t *lines;	/* by set */
	uint64_t *loads;	/* by set: that count and are the first of their sector */
	uint64_t misses;
};

/* Of stride and loads of this walk; a stride of less than 32 bytes is taken for 32. */
enum ws_status ws_chase_lru_open(struct ws_chase_lru *l, const struct ws_cache *cache,
				 const struct ws_chase_point *walk,
				 struct ws_err *err) WS_MUST_CHECK;
/* The miss ratio of the passes after the first; arrays must not shrink.  O(new loads). */
double ws_chase_lru_walk(struct ws_chase_lru *l, uint64_t array);
void ws_chase_lru_close(struct ws_chase_lru *l);

/* ---- the steps of the inference, each of which needs those before ---------------------- */

/* Before all others. */
enum ws_status ws_chase_tlbs(struct ws_probe *p, struct ws_err *err) WS_MUST_CHECK;
enum ws_status ws_chase_sector(struct ws_probe *p, struct ws_err *err) WS_MUST_CHECK;
enum ws_status ws_chase_ways(struct ws_probe *p, struct ws_err *err) WS_MUST_CHECK;
enum ws_status ws_chase_line(struct ws_probe *p, struct ws_err *err) WS_MUST_CHECK;
enum ws_status ws_chase_index(struct ws_probe *p, struct ws_err *err) WS_MUST_CHECK;
enum ws_status ws_chase_colours(struct ws_probe *p, struct ws_err *err) WS_MUST_CHECK;
enum ws_status ws_chase_sets(struct ws_probe *p, struct ws_err *err) WS_MUST_CHECK;
enum ws_status ws_chase_policy(struct ws_probe *p, struct ws_err *err) WS_MUST_CHECK;

#endif
