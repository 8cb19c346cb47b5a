/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cli/softcache.h -- `softcache`: launches rewritten with the cache in their kernels.  softcache_effect.c
 * writes them to a trace, or runs them through the rest of the tool; softcache_transform.c has the kernels
 * themselves rewritten, and runs those.
 */
#ifndef CLI_SOFTCACHE_H
#define CLI_SOFTCACHE_H

#include "cli/cli.h"

struct softcache_launch {	/* as it is to be */
	size_t launch;		/* of the trace */
	struct ws_soft soft;	/* line_bytes 0: as it is, without a cache */
	uint64_t chosen;	/* structures */
	uint64_t registers, added; /* of a thread: without the cache, 0 if not known; besides */
};

/* Lines of a thread that are put into shared memory. */
static inline uint64_t softcache_lines(const struct ws_soft *soft, uint64_t chosen)
{
	return chosen < soft->lines ? chosen : soft->lines;
}

struct softcache_job {
	const struct cli_call *call;
	const struct ws_trace *trace; /* whose launches have names of their own (ws_trace_part) */
	const struct cli_plan *plan;
	uint64_t config;
	struct softcache_launch *launch;
	size_t launches;
};

/* Writes them as a trace of their own, under their kernels' names. */
enum ws_status softcache_trace(const struct softcache_job *job, const char *path,
			       struct ws_err *err) WS_MUST_CHECK;

extern const char *const softcache_traffic_columns[];
extern const size_t softcache_traffic_count;
/* A row of each launch, in order: profiled once and, with --cycles, simulated in time. */
enum ws_status softcache_traffic(const struct softcache_job *job, struct ws_table *t,
				 struct ws_err *err) WS_MUST_CHECK;

struct softcache_transform {
	struct cli_call *call;	/* its operand is a launch file */
	const uint64_t *line, *threshold, *lines; /* each with each; no lines: what there is room for */
	size_t sizes, thresholds, counts;
	bool aliased;
	uint64_t registers;	/* of a thread without the cache, 0: the launch's */
	const char *trace, *ir;	/* files to be written, NULL: none */
};

/* A row of each launch and cache; call->no if one does not compute the same bytes, or does not count what
 * the model derives. */
enum ws_status softcache_transform(const struct softcache_transform *t,
				   struct ws_err *err) WS_MUST_CHECK;
#endif
