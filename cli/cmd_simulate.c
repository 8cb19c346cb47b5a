/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cli/cmd_simulate.c -- exact counts of a simulated L1; of a whole machine in time with --cycles
 * (cycles.c).
 */
#include "cli/cycles.h"

#include <stdlib.h>
#include <string.h>

struct options {
	struct cli_options common;
	struct cycles_options cycles;
	const char *kernel;
};

#define AT(member) offsetof(struct options, member)

static const struct ws_option table[] = {
	CLI_OPT_MACHINE, CLI_OPT_SET, CLI_OPT_VARY,
	{ .name = "kernel", .type = WS_OPT_STRING, .offset = AT(kernel), .arg = "NAME",
	  .help = "rows of this kernel only, or, as NAME#N, of launch N of the trace, which is of "
		  "that kernel; with --cycles nothing else is simulated" },
	CLI_OPT_PER, CLI_OPT_RUNS,
	{ .name = "level", .type = WS_OPT_CHOICE, .offset = CLI_AT(level), .arg = "LEVEL",
	  .choices = "l1 l2 all",
	  .help = "the caches that rows are of: the L1s, the L2 behind them, or both; l1 if left "
		  "out, and both with --cycles.  Of the L2 sets are those of a slice" },
	{ .name = "cycles", .type = WS_OPT_FLAG, .offset = CLI_AT(cycles),
	  .help = "simulates the memory side of the whole machine cycle by cycle: MSHRs, queues, "
		  "the network, L2 slices, DRAM" },
	{ .name = "by", .type = WS_OPT_CHOICE, .offset = CLI_AT(by), .arg = "WHAT",
	  .choices = "array line site sm",
	  .help = "with --cycles, rows of parts.  array, line or site: for each array, source "
		  "line, or both, in columns array and source, most misses first.  sm: for each SM "
		  "and, on rows of level L2, slice, in a column unit_number" },
	{ .name = "timeline", .type = WS_OPT_STRING, .offset = AT(cycles.timeline), .arg = "FILE",
	  .complete = "file",
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
	CLI_OPT_SEED, CLI_OPT_THREADS, CLI_OPT_FROM, { 0 },
};

/* As cli_report, with one more format. */
static const struct ws_option report[] = {
	CLI_OPT_REPORT(CLI_FORMATS " gpgpusim",
		       CLI_FORMATS_HELP "; or, with --cycles, gpgpusim: for each launch the lines "
		       "that GPGPU-Sim prints"),
	{ 0 },
};

struct simulation {
	struct cli_call *call;
	struct cli_input input;
	struct cli_plan plan;
	struct cli_rows rows;
	struct ws_streams *streams;
	size_t launches;
	uint64_t seed;		/* of the run at hand */
};

static enum ws_status prepare(void *context, uint64_t group, uint64_t run, struct ws_err *err)
{
	struct simulation *s = context;
	uint64_t first = cli_plan_member(&s->plan, WS_STAGE_ORDER, group, 0);
	struct cli_source source = {
		.call = s->call, .trace = s->input.trace, .seed = s->call->seed + run,
		.order = s->plan.order,
	};
	enum ws_status status = cli_plan_stream(&s->plan, first, &source.machine, err);

	if (status != WS_OK)
		return status;
	ws_streams_free(s->streams, s->launches);
	s->streams = NULL;
	s->launches = 0;
	s->seed = source.seed;
	return cli_streams_make(&source, &s->streams, &s->launches, err);
}

static enum ws_status level(const struct simulation *s, const struct ws_streams *streams,
			    const struct ws_cache *cache, struct ws_prediction *p,
			    struct ws_err *err)
{
	enum ws_status status = WS_OK;

	for (size_t k = 0; k < s->rows.kernels.count && status == WS_OK; k++) {
		p[k].basis = WS_SIMULATED;
		p[k].instructions = ws_streams_instructions(streams, s->launches,
							    s->rows.kernels.name[k]);
		status = ws_simulate(streams, s->launches, s->rows.kernels.name[k], cache, s->seed,
				     p[k].kind, err);
		ws_prediction_close(&p[k]);
	}
	return status;
}

static enum ws_status compute(void *context, uint64_t config, const struct ws_machine *m,
			      void *result, struct ws_err *err)
{
	const struct simulation *s = context;
	const struct ws_cache whole = ws_l2_whole(m);
	struct ws_streams *behind = NULL;
	struct ws_prediction *p = result;
	enum ws_status status = WS_OK;

	(void)config;
	if (s->plan.l1)
		status = level(s, s->streams, &m->l1, p, err);
	if (status != WS_OK || !s->plan.l2)
		return status;
	status = ws_streams_behind(&behind, s->streams, s->launches, m, s->seed, err);
	if (status == WS_OK)
		status = level(s, behind, &whole, s->plan.l1 ? p + s->rows.kernels.count : p, err);
	ws_streams_free(behind, s->launches);
	return status;
}

static enum ws_status print(void *context, uint64_t config, const struct ws_machine *m,
			    const void *result, struct ws_err *err)
{
	struct simulation *s = context;

	return cli_rows_print(&s->rows, config, m, result, err);
}

static const struct options *options_of(const struct cli_call *call)
{
	return (const struct options *)(const void *)call->options;
}

static enum ws_status work(struct simulation *s, struct ws_err *err)
{
	uint64_t runs = s->call->options->runs;
	struct cli_engine engine = {
		.call = s->call, .plan = &s->plan, .depth = WS_STAGE_ORDER, .runs = runs ? runs : 1,
		.context = s, .prepare = prepare, .compute = compute, .print = print,
	};
	const char *kernel = options_of(s->call)->kernel;
	enum ws_status status = cli_kernels_find(&s->rows.kernels, &s->input, err);

	if (status == WS_OK && kernel)
		status = cycles_kernel_only(&s->rows.kernels, s->call, kernel, err);
	if (status != WS_OK)
		return status;
	s->rows.call = s->call;
	s->rows.plan = &s->plan;
	engine.size = cli_rows_size(&s->rows);
	s->rows.runs = engine.runs;
	s->rows.spread = runs != 0;
	s->rows.each = true;
	return cli_engine_run(&engine, err);
}

static enum ws_status run_functional(struct cli_call *call, struct ws_err *err)
{
	struct simulation s = { .call = call };
	enum ws_status status = cli_input_open(&s.input, call, 0, CLI_TRACE, err);

	if (status == WS_OK)
		status = cli_plan_init(&s.plan, call, NULL, s.input.trace, err);
	if (status == WS_OK)
		status = work(&s, err);
	status = cli_rows_end(&s.rows, status, err);
	ws_streams_free(s.streams, s.launches);
	cli_plan_clear(&s.plan);
	cli_input_close(&s.input);
	return status;
}

static enum ws_status run(struct cli_call *call, struct ws_err *err)
{
	const struct options *o = options_of(call);
	enum ws_status status = cycles_check(call, &o->cycles, err);

	/* A launch is asked for, or all of a kernel's. */
	if (o->kernel)
		call->options->per_usual = strchr(o->kernel, '#') ? "launch" : "kernel";
	if (status != WS_OK)
		return status;
	return call->options->cycles ? cycles_run(call, &o->cycles, o->kernel, err)
				     : run_functional(call, err);
}

const struct cli_command cli_cmd_simulate = {
	.name = "simulate",
	.summary = "miss rates of one machine, by simulating it",
	.usage = "[options] [FILE]",
	.description =
		"Reads a trace or a launch file, orders its requests as the machine would, and "
		"runs "
		"them through a simulated L1 on each SM.  The columns are those of `warpstack "
		"predict`, with basis simulated; with --vary, the varied keys come first.\n"
		"\n"
		"The request stream is that of the machine's own l1.line; for another it is cut or "
		"merged as for the model.  In the order of cycles it is the cycle simulator's on the machine of -m with "
		"the keys of the stages order and cycles, and of the L1's size; what else is asked about need not be "
		"known to it.\n"
		"\n"
		"Every policy of `warpstack policies` can be simulated; what it draws at random "
		"follows from --seed.\n"
		"\n"
		"l1.organisation says how the L1 holds what it fetches: line; sector, one tag for "
		"sectors of 32 bytes; decoupled, more tags than lines; elastic:32 and elastic:64, "
		"Elastic-Cache, whose lines are made of chunks from anywhere in one region; "
		"dycache:N, DyCache, which chooses 32, 64 or 128 bytes each l1.grain.period "
		"requests by a threshold of N percent.  The keys l1.chunk.* and l1.grain.* say the "
		"rest.  A request of the last three is of 32, 64 or 128 bytes, and hits if one "
		"line has all of it.\n"
		"\n"
		"The simulation is functional: tags, replacement, sectors and write policy, but "
		"neither time nor MSHRs, so pending is 0.  It keeps the request streams in "
		"memory, 32 "
		"bytes a request.\n"
		"\n"
		"With --level l2 what the L1s, of whatever policy, let through goes to a simulated L2, "
		"all SMs in order of their cycles: the loads that miss, the stores that the "
		"write policy passes on, what is modified and thrown out, atomics.  l2.start says "
		"whether it knows the arrays at the start.\n"
		"\n"
		"With --cycles the machine is simulated in time: each SM's warps, schedulers, "
		"load-store unit, L1 with MSHRs and a queue to the network; L2 slices; DRAM.  "
		"Every key of the machine counts (`warpstack machine -k`, those of the stage "
		"cycles too), sm.scheduler has to be one that knows time, and opt cannot be "
		"simulated.  A request is then a hit, a pending hit, on data that is on its way, "
		"or a miss; there are rows of level L1 and L2, the L2's being all its slices "
		"together, but for sets, a slice's.  What "
		"only an order without time can tell, cold, capacity, conflict and uncached, is "
		"missing.  Configurations run side by side; one alone runs in one thread "
		"unless --threads says more, which pays on some machines.  More columns follow:\n"
		"\n"
		"sector_misses are those misses whose line is there; fail_line, fail_queue, "
		"fail_mshr and fail_merge count look-ups that had to be tried again in the next "
		"cycle, as all ways of the set were reserved, the queue or the MSHRs full, or an "
		"MSHR had its fill of requests.  On the row of kind all of level L1: cycles, of "
		"all launches of the kernel one after the other; issued_instructions of warps, and ipc; "
		"the latency of loads and atomics from issue to data, latency_mean and percentiles "
		"(upper ends of classes 1/16 wide at most, but no more than the largest latency); "
		"stall_*, issue slots in which a scheduler issued nothing, by cause (empty: it has "
		"no warp; lsu: the load-store unit is busy; data; barrier; other), so that "
		"issued_instructions and stalls add up to the slots; bytes sent to the L2 and received, "
		"and bytes read from and written to DRAM; and, if an L1 is decoupled, elastic or "
		"dycache (l1.alloc = on-miss, then): partial hits, the sectors that they threw "
		"out, changes to a finer and to a coarser grain, and sectors that the latter "
		"flushed.\n"
		"\n"
		"--format gpgpusim prints each launch as GPGPU-Sim does, cumulative statistics "
		"and all, so that its scripts read it: only lines that are simulated here are "
		"there, and requests are those of warps for lines, where it counts 32-byte "
		"sectors of a sectored cache.",
	.examples =
		"warpstack simulate mm.wst -m gtx480\n"
		"warpstack simulate mm.wst --set l1.hash=xor\n"
		"warpstack simulate mm.wst --vary l1.policy=lru,srrip:2,fp,opt\n"
		"warpstack simulate mm.wst --vary l1.organisation=line,sector,elastic:32,dycache:50\n"
		"warpstack simulate data/kernel/mm-16x8.launch --vary l1.size=16K,64K\n"
		"warpstack simulate mm.wst --level all --vary l1.policy=lru,fifo --vary l2.policy=lru,srrip\n"
		"warpstack simulate mm.wst --cycles --vary l1.mshr=8,32,128\n"
		"warpstack simulate mm.wst --cycles --by array\n"
		"warpstack simulate mm.wst --cycles --format gpgpusim\n"
		"warpstack simulate mm.wst --cycles --timeline mm.json",
	.table = { table, report, cli_general },
	.size = sizeof(struct options),
	.operands_max = 1,
	.complete = "file",
	.run = run,
};
