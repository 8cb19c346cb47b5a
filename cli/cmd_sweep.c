/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cli/cmd_sweep.c -- miss rates over ranges of parameters, by the model.
 */
#include "cli/cli.h"

static const struct ws_option table[] = {
	CLI_OPT_VARY,
	{ .name = "best", .type = WS_OPT_STRING, .offset = CLI_AT(best), .arg = "COLUMN",
	  .brief = "searches the least of a column, as miss_ratio",
	  .help = "searches: writes, of each kernel, the row of the least COLUMN, and those that "
		  "could be as good for all that is known of their errors; COLUMN:max for the "
		  "most.  Without --vary it searches sizes, ways, policies and organisations" },
	{ .name = "budget", .type = WS_OPT_U64, .offset = CLI_AT(budget), .arg = "SIZE", .min = 1,
	  .max = UINT64_MAX,
	  .brief = "of --best: bytes that the cache may have, as 32K",
	  .help = "of --best: the cache has at most so many bytes (32K): the "
				     "L1, or with --level l2 the L2; without --vary the machine's "
				     "own size if left out" },
	CLI_OPT_PART(""),
	{ .name = "jobs-file", .type = WS_OPT_STRING, .offset = CLI_AT(jobs_file), .arg = "FILE",
	  .complete = "file", .group = "output",
	  .help = "runs nothing, and writes there the command line of each part, one a line, for "
		  "GNU parallel (parallel -k <FILE >rows.tsv) or a batch system" },
	{ .name = "jobs", .type = WS_OPT_U64, .offset = CLI_AT(jobs), .arg = "N", .min = 1,
	  .max = WS_PARTS_MAX, .group = "output",
	  .help = "of --jobs-file: how many parts; 64 if left out" },
	CLI_OPT_MACHINE, CLI_OPT_SET, CLI_OPT_LEVEL, CLI_OPT_LATENCY,
	CLI_OPT_KIND("all"), CLI_OPT_ORDER("  A profile has its own"),
	CLI_OPT_PER, CLI_OPT_BY, CLI_OPT_VERIFY, CLI_OPT_SAMPLE, CLI_OPT_SEED,
	CLI_OPT_THREADS, CLI_OPT_FROM_LAUNCH, { 0 },
};

static enum ws_status run_sweep(struct cli_call *call, struct ws_err *err)
{
	const struct cli_options *o = call->options;
	enum ws_status status;

	if (!o->vary.count && !o->best && !o->budget)
		return cli_usage(call->command, err, "nothing to sweep: want --vary KEY=RANGE at "
				 "least once, or --best COLUMN");
	status = cli_part_options(call, err);
	if (status == WS_OK && o->jobs_file)
		return cli_jobs(call, err);
	if (status == WS_OK && o->jobs)
		return cli_usage(call->command, err, "--jobs: want --jobs-file FILE too");
	return status == WS_OK ? cli_model(call, "all", err) : status;
}

const struct cli_command cli_cmd_sweep = {
	.name = "sweep",
	.summary = "predicts miss rates over ranges of parameters",
	.usage = "--vary KEY=RANGE | --best COLUMN [options] [FILE]",
	.description =
		"Reads a profile, a trace or a launch file. Prints one row for each "
		"configuration and kernel: the varied keys first, then the columns of "
		"`warpstack predict`. Several --vary make the product of their ranges; the last "
		"one varies fastest.\n"
		"\n"
		"From a profile, keys of the stage predict may vary (`warpstack help keys`), "
		"over the line sizes and set counts that it holds. A row then costs "
		"microseconds, or milliseconds under policies other than LRU, whatever the "
		"number of requests. From a trace any key may vary. The machine of each "
		"configuration is simulated for the order of its requests (`warpstack help "
		"predict`), and these are profiled for the line sizes and set counts that "
		"occur. A row depends on its own configuration alone. --vary machine=A,B "
		"compares machines. Alternatives of a machine that are neither set nor varied "
		"make a band in each row; with --best or --vary machine one of them has to be "
		"set.\n"
		"\n"
		"--vary l1.policy=all stands for every policy that has a model and is no "
		"variant. From a trace, --vary l1.policy=all,opt --verify adds the lower bound, "
		"and simulates the rows that the models are not sure of.\n"
		"\n"
		"--best searches. For each kernel, level and kind it writes the row of the "
		"least COLUMN, and then, the better ones first, the rows that could be as good: "
		"those whose interval does not lie wholly above another's. The column choice "
		"says best or within. --top counts the rows of each kernel. Among equal rows it "
		"prefers the smaller cache, then fewer ways, then the policy that `warpstack "
		"policies` lists first, then by line. COLUMN is any that says how good a cache "
		"is: miss_ratio, misses, sectors_missed, with --latency cycles. Only miss_ratio "
		"and misses have errors; of other columns only equal values are as good. "
		"Without --vary it searches sizes from an eighth of --budget on, 1 to 32 ways, "
		"all policies and, from a trace, the organisations that have a model. "
		"Combinations that no machine could have are left out.\n"
		"\n"
		"With --level l2 a varied l1.policy changes only the interval and the "
		"confidence of the L2's rows: they are of the L2 behind L1s of LRU.",
	.examples =
		"warpstack sweep mm.wsp --vary l1.size=4K:64K:x2\n"
		"warpstack sweep mm.wsp --vary l1.line=32,128 --vary l1.ways=1:64:+1\n"
		"warpstack sweep mm.wsp --vary l1.policy=all --vary l1.size=8K:64K:x2\n"
		"warpstack sweep mm.wst --vary l1.policy=lru,srrip:2,fp,prob:1/6,1/2,1/6,1/6,opt "
		"--verify\n"
		"warpstack sweep mm.wst --level l2 --vary l2.size=192K:3M:x2 --vary "
		"l2.policy=lru,srrip:2\n"
		"warpstack sweep mm.wst --vary l1.size=16K,64K --vary l1.ways=1,2,4,8\n"
		"warpstack sweep mm.wst --latency --vary l1.size=8K:64K:x2 --vary l1.mshr=8,32\n"
		"warpstack sweep mm.wst --best miss_ratio --budget 32K\n"
		"warpstack sweep mm.wst --best cycles --latency --vary l1.size=8K:64K:x2 --budget "
		"48K\n"
		"warpstack sweep mm.wst --vary sm.scheduler=lrr,gto --vary l1.hash=modulo,xor\n"
		"warpstack trace mm.launch | warpstack profile | warpstack sweep --vary "
		"l1.size=4K:64K:x2",
	.table = { table, cli_report, cli_general },
	.size = sizeof(struct cli_options),
	.operands_max = 1,
	.complete = "file",
	.run = run_sweep,
};
