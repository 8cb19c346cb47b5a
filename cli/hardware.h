/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cli/hardware.h -- what validate and fit share: which launches of a data set are run.
 */
#ifndef CLI_HARDWARE_H
#define CLI_HARDWARE_H

#include "cli/cli.h"
#include "study/hardware.h"

struct cli_launches {		/* the second member of the options of both */
	struct cli_options common;
	const char *state, *gpu, *kernel, *rows;
	bool quick, all;
	double budget;		/* 0: not given */
};

#define CLI_LAUNCH_AT(member) offsetof(struct cli_launches, member)
#define CLI_OPT_QUICK \
	{ .name = "quick", .type = WS_OPT_FLAG, .offset = CLI_LAUNCH_AT(quick), \
	  .brief = "small launches alone", \
	  .help = "runs only the launches that set.conf calls quick" }
#define CLI_OPT_GPU_KERNEL \
	{ .name = "gpu", .type = WS_OPT_STRING, .offset = CLI_LAUNCH_AT(gpu), .arg = "NAME", \
	  .brief = "this GPU alone", \
	  .help = "runs only launches of this GPU" }, \
	{ .name = "kernel", .type = WS_OPT_STRING, .offset = CLI_LAUNCH_AT(kernel), \
	  .arg = "NAME", \
	  .help = "runs only launches of this kernel" }
#define CLI_OPT_LAUNCH_LEVEL(what) \
	{ .name = "level", .type = WS_OPT_CHOICE, .offset = CLI_AT(level), .arg = "LEVEL", \
	  .choices = "l1 l2 all", \
	  .brief = "rows of the L1s, of the L2 or of all", \
	  .help = what }
#define CLI_OPT_ROWS \
	{ .name = "rows", .type = WS_OPT_STRING, .offset = CLI_LAUNCH_AT(rows), \
	  .arg = "CONDITION", \
	  .help = "runs only launches for which it holds: an expression over the columns of the " \
		  "set's tables, as in \"n <= 1024 & tile = 16 & l1 = 'ca'\"" }
#define CLI_LAUNCH_BUDGET 2e7	/* requests: 1.3 GB a thread */
#define CLI_OPT_LAUNCH_BUDGET \
	{ .name = "budget", .type = WS_OPT_REAL, .offset = CLI_LAUNCH_AT(budget), \
	  .arg = "REQUESTS", .above = 0, .most = 1e15, \
	  .help = "launches that set.conf expects to make more requests of warps are not run; " \
		  "2e7 if left out.  Each takes 64 bytes, on each thread" }
#define CLI_OPT_STATE \
	{ .name = "state", .type = WS_OPT_STRING, .offset = CLI_LAUNCH_AT(state), .arg = "FILE", \
	  .complete = "file", \
	  .help = "keeps the results of launches there, and takes from it those whose launch, " \
		  "machine, seed and version are the same: an interrupted run goes on" }

/* What a study of the set is asked with; machines: a folder of others, or NULL. */
struct ws_hardware_options cli_hardware_options(struct cli_call *call, const char *machines);
/* No output replaces a file of the set, or of those machines. */
enum ws_status cli_hardware_reads(struct cli_call *call, const struct ws_data_set *set,
				  const char *machines, struct ws_err *err) WS_MUST_CHECK;
/* The level's words; level "all" or NULL: both. */
extern const char *const cli_level_words[WS_SET_LEVELS];
void cli_hardware_levels(const struct cli_call *call, bool level[WS_SET_LEVELS]);
/* WS_EINVAL if no row was asked for. */
enum ws_status cli_hardware_any(const struct cli_call *call, const struct ws_hardware *h,
				struct ws_err *err) WS_MUST_CHECK;
/* Notes on the launches that were not run. */
void cli_hardware_left(const struct cli_call *call, const struct ws_hardware *h);
/* Title, licence and attribution, under the rows. */
void cli_hardware_source(struct cli_report *r, const struct ws_data_set *set);

#endif
