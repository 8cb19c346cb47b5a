/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cli/cmd_simulate.c -- exact counts of a simulated L1; of a whole machine in time with --cycles
 * (cycles.c).
 */
#include "cli/cycles.h"

#include <stdlib.h>
#include <string.h>

struct simulate_options {
	struct cli_options common;
	struct cycles_options cycles;
	const char *kernel;
};

#define AT(member) offsetof(struct simulate_options, member)

static const struct ws_option table[] = {
	CLI_OPT_MACHINE, CLI_OPT_SET, CLI_OPT_VARY,
	{ .name = "kernel", .type = WS_OPT_STRING, .offset = AT(kernel), .arg = "NAME",
	  .brief = "this kernel alone",
	  .help = "rows of this kernel only, or, as NAME#N, of launch N of the trace, which is of "
		  "that kernel; with --cycles nothing else is simulated, unless l2.start = keep" },
	CLI_OPT_PER, CLI_OPT_RUNS,
	{ .name = "level", .type = WS_OPT_CHOICE, .offset = CLI_AT(level), .arg = "LEVEL",
	  .choices = "l1 l2 all",
	  .brief = "rows of the L1s, of the L2 or of all",
	  .help = "the caches that rows are of: the L1s, the L2 behind them, or both; l1 if left "
		  "out, and both with --cycles.  Of the L2 sets are those of a slice" },
	{ .name = "cycles", .type = WS_OPT_FLAG, .offset = CLI_AT(cycles),
	  .brief = "cycle by cycle: MSHRs, queues, network, L2, DRAM",
	  .help = "simulates the memory side of the whole machine cycle by cycle: MSHRs, queues, "
		  "the network, L2 slices, DRAM" },
	{ .name = "by", .type = WS_OPT_CHOICE, .offset = CLI_AT(by), .arg = "WHAT",
	  .choices = "array line site sm",
	  .help = "with --cycles, rows of parts.  array, line or site: for each array, source "
		  "line, or both, in columns array and source, most misses first.  sm: for each SM "
		  "and, on rows of level L2, slice, in a column unit_number" },
	{ .name = "timeline", .type = WS_OPT_STRING, .offset = AT(cycles.timeline), .arg = "FILE",
	  .complete = "file",
	  .brief = "with --cycles: what happens when, for Perfetto",
	  .help = "with --cycles, also writes there what happened when on each SM, as Chrome trace "
		  "events (JSON), which Perfetto (ui.perfetto.dev) and chrome://tracing open: "
		  "issue slots by cause, MSHRs in use, warps, and the L1's miss ratio; one "
		  "microsecond is one cycle" },
	{ .name = "period", .type = WS_OPT_U64, .offset = AT(cycles.period), .arg = "CYCLES",
	  .min = 1, .max = UINT64_C(1) << 40,
	  .help = "of the timeline: cycles between samples, rounded up to whole steps of the "
		  "simulation, each a way through the network long; if left out, as many as "
		  "make 500 to 1000 samples of a long launch.  A sample takes some 400 bytes for "
		  "each SM" },
	CLI_OPT_ORDER(""),
	CLI_OPT_SEED, CLI_OPT_THREADS, CLI_OPT_FROM_LAUNCH, { 0 },
};

/* As cli_report, with one more format. */
static const struct ws_option report[] = {
	CLI_OPT_REPORT(CLI_FORMATS " gpgpusim",
		       CLI_FORMATS_HELP "; or, with --cycles, gpgpusim: for each launch the lines "
		       "that GPGPU-Sim prints"),
	{ 0 },
};

static const struct simulate_options *options_of(const struct cli_call *call)
{
	return (const struct simulate_options *)(const void *)call->options;
}

static enum ws_status run_functional(struct cli_call *call, struct ws_err *err)
{
	struct cli_rows rows = { .call = call };
	struct ws_study_plan plan = { 0 };
	struct ws_study_input in = { NULL, NULL };
	struct ws_study_options ask;
	struct cli_input input;
	enum ws_status status;

	call->band = true;
	status = cli_input_open(&input, call, 0, CLI_TRACE, err);
	if (status == WS_OK)
		status = cli_plan_init(&plan, call, NULL, input.trace, err);
	rows.plan = &plan;
	in.trace = input.trace;
	ask = *cli_ask(call);
	ask.kernel = options_of(call)->kernel;
	if (status == WS_OK)
		status = ws_study_plan_translates(&plan, &rows.translates, err);
	if (status == WS_OK)
		status = ws_study_simulate(&ask, &plan, &in, cli_rows_put, &rows, err);
	status = cli_rows_end(&rows, status, err);
	ws_study_plan_clear(&plan);
	cli_input_close(&input);
	return status;
}

static enum ws_status run_simulate(struct cli_call *call, struct ws_err *err)
{
	const struct simulate_options *o = options_of(call);
	enum ws_status status = cycles_check(call, &o->cycles, err);

	/* NAME#N is one launch, NAME all launches of a kernel. */
	if (o->kernel)
		call->options->per_usual = strchr(o->kernel, '#') ? "launch" : "kernel";
	if (status != WS_OK)
		return status;
	return call->options->cycles ? cycles_run(call, &o->cycles, o->kernel, err)
				     : run_functional(call, err);
}

const struct cli_command cli_cmd_simulate = {
	.name = "simulate",
	.summary = "simulates the caches of one machine",
	.usage = "[options] [FILE]",
	.description =
		"Reads a trace or a launch file, orders its requests as the machine would, and "
		"runs them through a simulated L1 on each SM. The columns are those of "
		"`warpstack predict`, with basis simulated; varied keys come first. A machine "
		"with alternatives has a band in each row, as in predict. If the order of one "
		"is not known, alternatives_low and alternatives_high are the miss ratio "
		"itself. With --cycles --set has to choose.\n"
		"\n"
		"The request stream is that of the machine's own l1.line; for another line it "
		"is cut or merged, as for the model. In the order of cycles it is the cycle "
		"simulator's, on the machine of -m with its keys of the stages order and cycles "
		"and its L1's size.\n"
		"\n"
		"Every policy of `warpstack policies` can be simulated. What it draws at random "
		"follows from --seed.\n"
		"\n"
		"With TLBs (tlb.l1) the L1's row of kind all has tlb_requests, what the L1s "
		"asked their TLBs, tlb_l1_misses and tlb_l2_misses. Their cycles count with "
		"--cycles.\n"
		"\n"
		"l1.sets.ways gives sets ways of their own: 17+6x8 is a set of 17 lines and six "
		"of 8. Every policy but prob runs on it.\n"
		"\n"
		"l1.organisation says how the L1 holds what it fetches: line; sector, one tag "
		"for sectors of 32 bytes; decoupled, more tags than lines; elastic:32 and "
		"elastic:64, Elastic-Cache, whose lines are made of chunks from anywhere in one "
		"region; dycache:N, DyCache, which chooses 32, 64 or 128 bytes every "
		"l1.grain.period requests by a threshold of N percent. The keys l1.chunk.* and "
		"l1.grain.* say the rest. Requests of the last three are of 32, 64 or 128 "
		"bytes, and hit if one line has all of it.\n"
		"\n"
		"The simulation is functional: tags, replacement, sectors and write policy, but "
		"neither time nor MSHRs, so pending is 0. It keeps the request streams in "
		"memory, 32 bytes a request.\n"
		"\n"
		"With --level l2, what the L1s let through goes to a simulated L2, under any "
		"policy, all SMs in order of their cycles: loads that miss, stores that the "
		"write policy passes on, modified lines that are evicted, atomics. l2.start "
		"says what the L2 has when a launch begins: nothing (cold), the kernel's arrays "
		"(warm), those of them that it reads, as the host copied them one after the "
		"other (copies), or what the launch before left (keep).\n"
		"\n"
		"With --cycles the machine is simulated in time: each SM's warps, schedulers, "
		"load-store unit, L1 with MSHRs and a queue to the network; L2 slices; DRAM. "
		"Every key of the machine counts, those of the stage cycles too. sm.scheduler "
		"has to be one that knows time, and opt cannot be simulated. A request is then "
		"a hit, a pending hit (its data is on its way) or a miss. Rows are of the L1s "
		"and of the L2, all slices together; sets are a slice's. cold, capacity, "
		"conflict and uncached, which only an order without time can tell, are missing. "
		"Configurations run side by side. One alone runs in one thread unless --threads "
		"says more, which pays on some machines. There are more columns:\n"
		"\n"
		"sector_misses are misses whose line is there. fail_line, fail_queue, fail_mshr "
		"and fail_merge count look-ups that are tried again in the next cycle: all ways "
		"of the set were reserved, the queue was full, the MSHRs were full, or an MSHR "
		"had as many requests as it can merge. The L1's row of kind all has: cycles, of "
		"all launches of the kernel one after the other; issued_instructions of warps, "
		"and ipc; the latency of loads and atomics from issue to data, as latency_mean "
		"and percentiles (upper ends of classes at most 1/16 wide, and at most the "
		"largest latency); stall_*, the issue slots in which a scheduler issued "
		"nothing, by cause (empty: it has no warp; lsu: the load-store unit is busy; "
		"data; barrier; other), so that issued_instructions and stalls add up to the "
		"slots; bytes sent to the L2 and received; bytes read from and written to DRAM. "
		"If an L1 is decoupled, elastic or dycache (with l1.alloc = on-miss) it also "
		"has partial hits, the sectors that they evicted, changes to a finer and to a "
		"coarser grain, and sectors that the latter flushed.\n"
		"\n"
		"--format gpgpusim prints each launch as GPGPU-Sim does, with cumulative "
		"statistics, so that its scripts read it. Only lines that are simulated here "
		"are there. Requests are those of warps for lines, where GPGPU-Sim counts "
		"32-byte sectors of a sectored cache.",
	.examples =
		"warpstack simulate mm.wst -m gtx480\n"
		"warpstack simulate mm.wst --set l1.hash=xor\n"
		"warpstack simulate mm.wst --vary l1.policy=lru,srrip:2,fp,opt\n"
		"warpstack simulate mm.wst --vary "
		"l1.organisation=line,sector,elastic:32,dycache:50\n"
		"warpstack simulate data/kernel/mm-16x8.launch --vary l1.size=16K,64K\n"
		"warpstack simulate mm.wst --level all --vary l1.policy=lru,fifo --vary "
		"l2.policy=lru,srrip\n"
		"warpstack simulate mm.wst --cycles --vary l1.mshr=8,32,128\n"
		"warpstack simulate mm.wst --cycles --by array\n"
		"warpstack simulate mm.wst --cycles --format gpgpusim\n"
		"warpstack simulate mm.wst --cycles --timeline mm.json",
	.table = { table, report, cli_general },
	.size = sizeof(struct simulate_options),
	.operands_max = 1,
	.complete = "file",
	.run = run_simulate,
};
