/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * validate/counters.h -- hardware counters as profilers write them.
 *
 *	struct ws_counters *c = NULL;
 *
 *	status = ws_in_open(&in, "ncu.csv", &err);
 *	if (status == WS_OK)
 *		status = ws_counters_read(&c, &in, NULL, &err);
 *	for (size_t i = 0; status == WS_OK && i < c->launches; i++)
 *		... c->launch[i].kernel, c->launch[i].value[WS_COUNTER_L2_READ_MISSES] ...
 *	ws_counters_free(c);
 *
 * Read are, told apart by their headers:
 *   ncu      Nsight Compute --csv: the raw page (a launch a row, units in the second row) and the
 *            details page (a metric a row), with or without --print-units base
 *   nvprof   --csv with --events and --metrics: tables of Min, Max, Avg over the invocations of a
 *            kernel, and --print-gpu-trace
 *   rocprof  rocprof's results.csv, rocprofv2's, rocprofv3's counter_collection.csv
 *
 * A profiler's names map to counters of ours by one table, ws_counters_names.  Counters that are
 * not in it are passed over.  What one says of a launch may be the sum of several of the
 * profiler's (slices, subpartitions); where two tell the same, the row that comes first counts.
 */
#ifndef WS_COUNTERS_H
#define WS_COUNTERS_H

#include "base/base.h"

WS_API_BEGIN

/* ---- counters ----------------------------------------------------------- */

#define WS_COUNTERS_LIST(X) \
	X(LOAD_REQUESTS) X(STORE_REQUESTS) X(ATOMIC_REQUESTS) \
	X(L1_LOAD_QUERIES) X(L1_LOAD_HITS) X(L1_LOAD_MISSES) X(L1_UNCACHED) \
	X(L1_STORE_QUERIES) X(L1_STORE_HITS) X(L1_STORE_MISSES) \
	X(L1_HIT_PCT) X(L1_ALL_HIT_PCT) X(TEX_SECTOR_QUERIES) X(TEX_SECTOR_MISSES) \
	X(L2_READ_QUERIES) X(L2_READ_HITS) X(L2_READ_MISSES) \
	X(L2_WRITE_QUERIES) X(L2_WRITE_HITS) X(L2_WRITE_MISSES) X(L2_ATOMIC_QUERIES) \
	X(L2_ALL_HITS) X(L2_ALL_MISSES) X(L2_HIT_PCT) X(L2_ALL_HIT_PCT) \
	X(DRAM_READ) X(DRAM_WRITE) X(CYCLES) X(INSTRUCTIONS)

enum ws_counter {
#define WS_COUNTER_OF(name) WS_COUNTER_##name,
	WS_COUNTERS_LIST(WS_COUNTER_OF)
#undef WS_COUNTER_OF
	WS_COUNTERS
};

struct ws_counter_row {
	const char *name;	/* "l2_read_misses" */
	const char *meaning;	/* a sentence without its full stop */
};
extern const struct ws_counter_row ws_counter_rows[WS_COUNTERS];

/* ---- names of the profilers --------------------------------------------- */

enum ws_gpu_profiler { WS_PROFILER_NCU, WS_PROFILER_NVPROF, WS_PROFILER_ROCPROF, WS_PROFILERS };
extern const char *const ws_gpu_profiler_names[WS_PROFILERS]; /* "ncu", "nvprof", "rocprof" */
extern const char *const ws_gpu_profiler_titles[WS_PROFILERS]; /* "Nsight Compute" */

struct ws_counters_name {
	enum ws_gpu_profiler profiler;
	const char *name;	/* * stands for digits, of which all that there are add up */
	enum ws_counter counter;
	const char *unit;	/* of the value, after scaling: "sector", "line", "request", "%" */
	double scale;		/* from the profiler's number; 1/32 of bytes */
	bool by_sm;		/* counted in SMs, of which a profiler may take a sample */
	bool apart;		/* of other sources or units too: with queries or hits it tells no
				 * third */
	const char *note;	/* how it differs from what its name says; NULL */
};
extern const struct ws_counters_name ws_counters_names[]; /* name NULL after the last */

/* ---- what was counted --------------------------------------------------- */

struct ws_counter_value {
	const struct ws_counters_name *from; /* NULL: not counted, nor told by the others */
	double value;		/* of one launch; of several the mean */
	double min, max;	/* of several */
	bool told;		/* by two others, `from` one of them */
};

struct ws_counters_launch {
	uint64_t key;		/* private */
	char *kernel;		/* without its parameters */
	char *gpu;		/* NULL: the file does not say */
	uint64_t number;	/* of the launch in the file, from 1; 0: the row is of several */
	uint64_t line;		/* of the file */
	uint64_t samples;	/* launches */
	uint64_t grid[3], block[3]; /* 0: unknown; rocprof gives products, as x */
	uint64_t registers, shared_bytes; /* UINT64_MAX: unknown */
	struct ws_counter_value value[WS_COUNTERS];
};

struct ws_counters {
	enum ws_gpu_profiler profiler;
	struct ws_counters_launch *launch;
	size_t launches, cap;
	uint64_t missing;	/* values of counters in the table that the profiler could not
				 * count: n/a, <OVERFLOW> */
};

struct ws_counters_options {
	const char *profiler;	/* one of ws_gpu_profiler_names; NULL: as the header says */
	double sms;		/* SMs there are for each that was counted; 0: 1 */
};

/* Reads a whole file.  Of queries, hits and misses of one unit two tell the third.  Errors:
 * WS_EFORMAT with file and line.  *out is freed by ws_counters_free.  Time and memory in
 * proportion to the file. */
enum ws_status ws_counters_read(struct ws_counters **out, const struct ws_in *in,
				const struct ws_counters_options *options,
				struct ws_err *err) WS_MUST_CHECK;
void ws_counters_free(struct ws_counters *c); /* NULL is fine */

/* ---- launches alike, together ------------------------------------------- */

struct ws_counters_spread {
	const struct ws_counters_name *from; /* NULL: not counted */
	double median, p10, p90; /* as numpy.percentile has them; of a row of several launches their
				  * mean, least and most */
	uint64_t runs;
	bool told;		/* by two others, `from` one of them */
};

struct ws_counters_group {	/* same GPU, kernel, grid, block, registers, shared */
	const struct ws_counters_launch *launch; /* the first */
	struct ws_counters_spread value[WS_COUNTERS];
};

/* Groups in the order of their first launches, each counter of those launches that have it under
 * the name that ws_counters_names has first; the files' launches stay theirs.  free(*out). */
enum ws_status ws_counters_gather(struct ws_counters_group **out, size_t *groups,
				 struct ws_counters *const *file, size_t files,
				 struct ws_err *err) WS_MUST_CHECK;

WS_API_END
#endif
