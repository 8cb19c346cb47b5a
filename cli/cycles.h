/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cli/cycles.h -- `simulate --cycles`: the cycle simulator on the command line.
 *
 * cycles.c runs it, cycles_sums.c adds up what the launches of a kernel counted, cycles_rows.c
 * prints that as a table, cycles_gpgpusim.c each launch in GPGPU-Sim's own lines, cycles_timeline.c
 * what happened when, for a trace viewer.  cycles_budget.c is `crosscheck --cycles`.
 */
#ifndef CLI_CYCLES_H
#define CLI_CYCLES_H

#include "cli/cli.h"

struct cycles_options {		/* those of simulate */
	const char *timeline;	/* file; NULL: none */
	uint64_t period;	/* cycles between samples; 0: so that a launch has some 1000 */
};

enum cycles_by { CYCLES_WHOLE, CYCLES_BY_ARRAY, CYCLES_BY_LINE, CYCLES_BY_SITE, CYCLES_BY_SM };

/* ---- one simulation (cycles.c) ---------------------------------------------- */

struct cycles_timeline;

struct cycles_job {
	const struct cli_call *call;
	const struct ws_trace *trace;
	const struct ws_machine *machine;
	const char *kernel;	/* NULL: all */
	uint64_t seed;
	unsigned threads;
	bool sites, progress;
	struct cycles_timeline *timeline; /* NULL: none */
	enum ws_status (*launched)(void *context, const struct ws_cycle_result *r,
				   struct ws_err *err);
	void *context;
};

/* Gives launched() the result of each launch as it ends. */
enum ws_status cycles_simulate(const struct cycles_job *job, struct ws_err *err) WS_MUST_CHECK;
/* Threads for each simulation, where a plan has several at once. */
unsigned cycles_threads(const struct cli_call *call, const struct ws_study_plan *plan);

struct cycles_part {		/* of a kernel: whose requests they are */
	const char *array;	/* "": unknown; NULL: all */
	const char *file;	/* likewise */
	uint32_t line;
	uint64_t unit;		/* CYCLES_BY_SM: an SM and, on the L2's side, a slice */
	struct ws_cycle_counts l1[WS_KINDS + 1], l2[WS_KINDS + 1];
};

struct cycles_kernel {		/* its launches added up */
	struct ws_cycle_counts l1[WS_KINDS + 1], l2[WS_KINDS + 1];
	struct ws_core_stats sm; /* sums over SMs */
	uint64_t cycles;	/* of launches, one after the other */
	uint64_t dram_read_bytes, dram_write_bytes;
	struct cycles_part *part; /* with --by; most misses first, or by number of the SM */
	size_t parts, parts_cap;
};

/* Adds a launch to its kernel, zero at first.  Names in parts are the trace's. */
enum ws_status cycles_add(struct cycles_kernel *k, enum cycles_by by, const struct ws_trace *t,
			  const struct ws_cycle_result *r, struct ws_err *err) WS_MUST_CHECK;
/* Puts its parts in order. */
void cycles_sort(struct cycles_kernel *k, enum cycles_by by);
void cycles_kernel_clear(struct cycles_kernel *k);
double cycles_miss_ratio(const struct ws_cycle_counts *c, bool count_pending); /* 0/0 is 0 */

/* The command. */
enum ws_status cycles_run(struct cli_call *call, const struct cycles_options *o,
			  const char *kernel, struct ws_err *err) WS_MUST_CHECK;
/* What of the options has a meaning with --cycles, or without. */
enum ws_status cycles_check(const struct cli_call *call, const struct cycles_options *o,
			    struct ws_err *err) WS_MUST_CHECK;

/* ---- output ------------------------------------------------------------------- */

struct cycles_rows {
	struct cli_call *call;
	const struct ws_study_plan *plan;
	struct ws_study_kernels kernels;
	enum cycles_by by;
	bool words;		/* a configuration's L1 has words under tags of their own */
	bool translates;	/* one has TLBs */
	struct cli_report report;
};

/* kernel: [kernels.count]. */
/* The table's head, once. */
enum ws_status cycles_rows_begin(struct cycles_rows *rows, struct ws_err *err);
enum ws_status cycles_rows_print(struct cycles_rows *rows, uint64_t config,
				 const struct ws_machine *m, const struct cycles_kernel *kernel,
				 struct ws_err *err) WS_MUST_CHECK;

/* Launches, in order, cumulative as GPGPU-Sim has it. */
struct cycles_gpgpusim;

enum ws_status cycles_gpgpusim_new(struct cycles_gpgpusim **out, const struct cli_call *call,
				   const struct ws_trace *t, const struct ws_machine *m,
				   struct ws_err *err) WS_MUST_CHECK;
enum ws_status cycles_gpgpusim_launch(struct cycles_gpgpusim *g, const struct ws_cycle_result *r,
				      struct ws_err *err) WS_MUST_CHECK;
/* status of the work: the output is there only if it is WS_OK. */
enum ws_status cycles_gpgpusim_end(struct cycles_gpgpusim *g, enum ws_status status,
				   struct ws_err *err) WS_MUST_CHECK;

enum ws_status cycles_timeline_new(struct cycles_timeline **out, const struct cli_call *call,
				   const char *path, const struct ws_trace *t,
				   const struct ws_machine *m, uint64_t period,
				   struct ws_err *err) WS_MUST_CHECK;
/* Says how many samples of a given period launches of a kernel (NULL: all) will make, if many. */
void cycles_timeline_expect(struct cycles_timeline *l, const char *kernel,
			    const struct ws_machine *m);
uint64_t cycles_timeline_period(const struct cycles_timeline *l); /* to sample with */
void cycles_timeline_sample(void *timeline, const struct ws_cycle_sample *s);
/* status of the work: if it is WS_OK the file is completed, so that little can fail after the other
 * output is in place.  Once; later calls pass status on. */
enum ws_status cycles_timeline_settle(struct cycles_timeline *l, enum ws_status status,
				      struct ws_err *err) WS_MUST_CHECK;
/* After that.  The file is there only if status is WS_OK. */
enum ws_status cycles_timeline_end(struct cycles_timeline *l, enum ws_status status,
				   struct ws_err *err) WS_MUST_CHECK;

/* ---- crosscheck --cycles (cycles_budget.c) ---------------------------------------- */

/* Of the rows so far, or of those of a part.  Errors are counted in units, so that parts add up to
 * the same sum in any order. */
#define CROSSCHECK_UNITS 1e9	/* in a point of the miss ratio */
struct crosscheck_sums {
	uint64_t error[3];	/* absolute, in units: policy, timing, total; or the first alone */
	uint64_t max;		/* of the total error, or of the only one */
	uint64_t configurations, rows, approximate;
	uint64_t outside, wrong, low_confidence; /* wrong: counts differ that must not */
};

struct cycles_budget {
	double bound;		/* of the total error in points; < 0: none */
	struct crosscheck_sums sums;
};

uint64_t crosscheck_units(double points); /* of its absolute value */

extern const enum ws_col cycles_budget_columns[];
extern const size_t cycles_budget_count;
/* The cells of its own. */
void cycles_budget_cells(struct cycles_budget *b, struct ws_table *t, const struct ws_row *r);
/* The last line, and whether the answer is no. */
void cycles_budget_end(const struct cycles_budget *b, struct cli_call *call,
		       struct cli_report *report);

#endif
