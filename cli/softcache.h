/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cli/softcache.h -- what `softcache` is made of.  cmd_softcache.c has its options, and derives
 * what the cache does in each launch; softcache_lists.c reads the lists among the options,
 * softcache_rows.c writes what was derived.  softcache_effect.c rewrites launches with the
 * cache in their kernels, and writes them to a trace or runs them through the rest of the tool;
 * softcache_transform.c has the kernels themselves rewritten, and runs those.
 */
#ifndef CLI_SOFTCACHE_H
#define CLI_SOFTCACHE_H

#include "cli/cli.h"

/* ---- what is asked for (softcache_lists.c) --------------------------------------------------- */

#define SOFTCACHE_VALUES_MAX 64u

struct softcache_list {
	uint64_t value[SOFTCACHE_VALUES_MAX];
	size_t count;
};

struct softcache_lists {	/* each with each */
	struct softcache_list line, threshold, lines; /* no lines: what there is room for */
};

/* Each as its option has it, NULL: as if left out.  Checked: a usage error, or ws_soft_check's. */
enum ws_status softcache_lists_read(struct softcache_lists *l, const struct cli_call *call,
				    const char *line, const char *threshold, const char *lines,
				    struct ws_err *err) WS_MUST_CHECK;
size_t softcache_lists_points(const struct softcache_lists *l);
/* Point i: thresholds, line sizes, lines, the last fastest; lines 0 where there are none. */
struct ws_soft softcache_lists_at(const struct softcache_lists *l, size_t i);

/* ---- rows of what is derived (softcache_rows.c) ---------------------------------------------- */

/* One launch, one machine, one line size, one threshold. */
struct softcache_point {
	size_t launch;
	uint64_t config;
	const struct ws_machine *m;
	struct ws_soft soft;
	struct ws_soft_room room;
	struct ws_soft_result result;
	struct ws_counts before[WS_KINDS + 1], after[WS_KINDS + 1];
	uint64_t requests_before, requests; /* derived */
};

struct softcache_rows {
	const struct ws_trace *trace;
	const struct ws_study_plan *plan;
	struct ws_table *table;
	bool simulated;		/* before and after are set */
};

extern const enum ws_col softcache_structure_columns[], softcache_launch_columns[];
extern const size_t softcache_structure_count, softcache_launch_count;
/* A row of each structure, and one of all. */
void softcache_structure_rows(const struct softcache_rows *r, const struct softcache_point *p);
/* WS_ENOMEM. */
enum ws_status softcache_launch_row(const struct softcache_rows *r, const struct softcache_point *p,
				    struct ws_err *err) WS_MUST_CHECK;

/* ---- launches with the cache in them (softcache_effect.c) ------------------------------------ */

struct softcache_launch {	/* as it is to be */
	size_t launch;		/* of the trace */
	struct ws_soft soft;	/* line_bytes 0: as it is, without a cache */
	uint64_t chosen;	/* structures */
	uint64_t registers, added; /* of a thread: without the cache, 0 if not known; besides */
};

struct softcache_job {
	struct cli_call *call;
	const struct ws_trace *trace; /* whose launches have names of their own (ws_trace_part) */
	const struct ws_study_plan *plan;
	uint64_t config;
	struct softcache_launch *launch;
	size_t launches;
};

/* Writes them as a trace of their own, under their kernels' names; *out is complete then, and still
 * to be committed, or aborted if this fails. */
enum ws_status softcache_trace(const struct softcache_job *job, const struct cli_call *call,
			       const char *path, struct ws_out *out,
			       struct ws_err *err) WS_MUST_CHECK;

extern const enum ws_col softcache_traffic_columns[];
extern const size_t softcache_traffic_count;
/* A row of each launch, in order: profiled once and, with --cycles, simulated in time. */
enum ws_status softcache_traffic(const struct softcache_job *job, struct ws_table *t,
				 struct ws_err *err) WS_MUST_CHECK;

/* ---- kernels with the cache in them (softcache_transform.c) ---------------------------------- */

struct softcache_transform {
	struct cli_call *call;	/* its operand is a launch file */
	const struct softcache_lists *lists;
	bool aliased;
	uint64_t registers;	/* of a thread without the cache, 0: the launch's */
	const char *trace, *ir;	/* files to be written, NULL: none */
};

/* A row of each launch and cache; call->no if one does not compute the same bytes, or does not
 * count what the model derives. */
enum ws_status softcache_transform(const struct softcache_transform *t,
				   struct ws_err *err) WS_MUST_CHECK;
#endif
