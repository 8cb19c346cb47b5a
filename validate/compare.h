/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * validate/compare.h -- what two outputs say of the same launches, side by side; not installed.
 *
 *	struct ws_stats *a = NULL, *b = NULL;
 *
 *	status = ws_stats_read(&a, &in, &err);		... and b
 *	status = ws_stats_match(&pair, &pairs, a, b, false, &err);
 *	... pair[i].a->value[WS_STAT_CYCLES], pair[i].b->value[WS_STAT_CYCLES] ...
 *	status = ws_stat_sum_of(pair, pairs, WS_STAT_CYCLES, &sum, &err);
 *
 * Read are, told apart by their content:
 *   statistics  what GPGPU-Sim and Accel-Sim print after each kernel, and `simulate --format
 *               gpgpusim`; other lines are passed over.  Most are cumulative: a launch has what
 *               they rose by since the one before it (of its stream, where they are by stream)
 *   rows        of `simulate`, `predict` or `sweep` as tsv, csv or json: of one configuration
 *   counters    of a profiler: validate/counters.h
 *
 * Reading takes time and memory in proportion to the file, matching O(n log n) of the launches.
 */
#ifndef WS_COMPARE_H
#define WS_COMPARE_H

#include "base/base.h"

/* ---- statistics -------------------------------------------------------------------------- */

/* Of a cache and kind of request, in this order. */
enum ws_stat_of_cache {
	WS_OF_ACCESSES, WS_OF_HITS, WS_OF_PENDING, WS_OF_MISSES, WS_OF_FAILS, WS_OF_MISS_RATIO,
	WS_OF_CACHE
};

enum ws_stat {
	WS_STAT_CYCLES, WS_STAT_THREAD_INSTRUCTIONS, WS_STAT_WARP_INSTRUCTIONS,
	WS_STAT_L1_LOAD,			    /* enum ws_stat_of_cache: six each */
	WS_STAT_L1_STORE = WS_STAT_L1_LOAD + WS_OF_CACHE,
	WS_STAT_L2_LOAD = WS_STAT_L1_STORE + WS_OF_CACHE, /* and atomics */
	WS_STAT_L2_STORE = WS_STAT_L2_LOAD + WS_OF_CACHE, /* and lines written back */
	WS_STAT_L2_ACCESSES = WS_STAT_L2_STORE + WS_OF_CACHE,
	WS_STAT_L2_MISSES, WS_STAT_L2_MISS_RATIO,
	WS_STAT_DRAM_READS, WS_STAT_DRAM_WRITES,
	WS_STATS
};

struct ws_stat_row {
	const char *name;	/* "l1_load_misses" */
	bool ratio;		/* of 0 to 1, else a count */
	const char *meaning;	/* a sentence without its full stop */
};
extern const struct ws_stat_row ws_stat_rows[WS_STATS];

/* ---- what an output says ------------------------------------------------------------------- */

struct ws_stats_launch {
	uint64_t key;		/* private */
	char *kernel;		/* "": the file does not say; without the #N of single launches */
	uint64_t number;	/* in the file, from 1 */
	uint64_t line;		/* that it begins on */
	double value[WS_STATS];	/* NAN: not known */
};

struct ws_stats {
	const char *kind;	/* "statistics", "rows" or "counters" */
	struct ws_stats_launch *launch;
	size_t launches, cap;
};

/* Errors: WS_EFORMAT with file and line.  *out is freed by ws_stats_free. */
enum ws_status ws_stats_read(struct ws_stats **out, const struct ws_in *in,
			     struct ws_err *err) WS_MUST_CHECK;
void ws_stats_free(struct ws_stats *s); /* NULL is fine */

/* ---- side by side --------------------------------------------------------------------------- */

struct ws_stats_pair {
	const struct ws_stats_launch *a, *b;
};

/* Each launch of a with the one of b that has its number or, by_name, the n-th of a kernel with the
 * n-th of the kernel of that name; in a's order.  Numbers want as many launches in both: WS_EINVAL.
 * free(*out); a and b stay the caller's. */
enum ws_status ws_stats_match(struct ws_stats_pair **out, size_t *pairs, const struct ws_stats *a,
			      const struct ws_stats *b, bool by_name,
			      struct ws_err *err) WS_MUST_CHECK;

struct ws_stat_sum {		/* of the pairs in which both are known */
	uint64_t launches, equal;
	double mean_abs, largest; /* of b less a: points of a ratio; percent of a, where a is not
				   * 0, of a count; largest with its sign; NAN: of none */
	double rank;		/* Spearman's, of a and b; NAN: not defined */
};
enum ws_status ws_stat_sum_of(const struct ws_stats_pair *pair, size_t pairs, enum ws_stat stat,
			      struct ws_stat_sum *out, struct ws_err *err) WS_MUST_CHECK;
/* Are both known, and the same? */
bool ws_stat_known(const struct ws_stats_pair *pair, enum ws_stat stat);
bool ws_stat_equal(const struct ws_stats_pair *pair, enum ws_stat stat);

#endif
