/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cli/cmd_predict.c -- miss rates of one machine, by the model.
 */
#include "cli/cli.h"

static const struct ws_option table[] = {
	CLI_OPT_MACHINE, CLI_OPT_SET, CLI_OPT_LEVEL, CLI_OPT_LATENCY, CLI_OPT_KIND("each"),
	CLI_OPT_PER, CLI_OPT_BY, CLI_OPT_VERIFY,
	CLI_OPT_ORDER("  A profile has its own"),
	CLI_OPT_RUNS, CLI_OPT_SAMPLE, CLI_OPT_SEED, CLI_OPT_THREADS, CLI_OPT_FROM_LAUNCH, { 0 },
};

static enum ws_status run_predict(struct cli_call *call, struct ws_err *err)
{
	return cli_model(call, "each", err);
}

const struct cli_command cli_cmd_predict = {
	.name = "predict",
	.summary = "predicts the miss rates of one machine",
	.usage = "[options] [FILE]",
	.description =
		"Reads a profile, a trace or a launch file and prints, for each kernel, one "
		"row for "
		"each kind of request that occurs (load, store, atomic) and one for all: requests, "
		"hits, and misses split into cold, capacity, conflict and uncached ones, for the "
		"machine's L1.  requests = hits + pending + misses, and misses = cold + capacity "
		"+ conflict + uncached.\n"
		"\n"
		"order says what order of requests the row was measured in: own, that of a "
		"simulation of this very machine (or one that hangs on no time); nominal; or the "
		"keys, and their values, in which the machine that was simulated differs.  basis "
		"is exact where the policy's model is exact, the order is its own, and the "
		"simulation counted just as many misses; else approx, or simulated (--verify).  "
		"error_pp is how far off the row's miss ratio is expected to be, in percentage "
		"points, and miss_ratio_low and miss_ratio_high are the ends of its 95 % "
		"interval: for the policy's model, the sample, lines on their way, which LRU does "
		"not know of, and, in another cache's order, by a law that was measured.  "
		"confidence is low where too little of the sets is known, or the order leaves "
		"more than 5 points open.\n"
		"\n"
		"Of a machine with alternatives (sm.scheduler = gto|lrr|two-level, see "
		"`warpstack help machine`) the row is of that with the first of each, and "
		"alternatives_low and alternatives_high are the least and the greatest end of "
		"the intervals of all their combinations, which alternatives counts; error_pp, "
		"miss_ratio_low and miss_ratio_high are of that one machine.  Such a row is "
		"exact only if all of them are, with the same miss ratio, and its confidence is "
		"low where an end of the band is more than 5 points away.  Each combination "
		"costs what it costs alone; those that differ in keys of later stages share "
		"order and profile.  --set chooses.  From a profile keys that it answers may "
		"have alternatives; --by has none.\n"
		"\n"
		"LRU is exact for every number of ways; `warpstack policies` lists what else "
		"l1.policy may be.  The rules of these are run on the requests to some sets, which "
		"are kept for that, and what hits there, by kind and stack distance, is applied to "
		"the distances of all requests: of all sets, which are kept of small launches, as "
		"a simulation, else with an interval from how the sets differ.  A profile of "
		"distances alone, or of a sample of lines, predicts LRU alone; see `warpstack help "
		"profile`.  Of sets that differ in their ways (l1.sets.ways) LRU alone is "
		"predicted.\n"
		"\n"
		"Of a sampled profile error_pp is half the width of the interval (of one that ends "
		"at 0 or 1, the wider side of the miss ratio).  It is approx throughout; a row of "
		"it whose interval has no width was measured whole.\n"
		"\n"
		"From a profile every key may be set that does not decide what was measured (stage "
		"predict in `warpstack machine -k`), of l1.line and l1.sets those that it holds; "
		"the nearest of its orders answers under LRU.  From a trace any key may be set, "
		"and the order is taken on the machine that is asked about, but for policies "
		"(LRU's), l1.organisation and l1.line (the machine's own; requests are cut or "
		"merged), and sizes of an L1 or L2 between 4, 5, 6 and 7 times a power of two, "
		"for which the nearest of those is simulated.\n"
		"\n"
		"--level l2 asks about the L2 behind the L1s of all SMs, whose misses, in their "
		"order, are its requests: pieces of one of its lines; an atomic is one, too.  Keys "
		"of the stage l2-predict may be set for a profile made with --l2, for the L1s it "
		"was made with; from a trace any.  It is exact for LRU in both; with another "
		"l1.policy the L2 is the one behind L1s of LRU, and its interval follows from how "
		"many requests the other policy lets through (0 to 1 from a profile that does not "
		"tell that).\n"
		"\n"
		"--latency predicts time.  A hit on data that is still on its way becomes pending: "
		"exactly so in the order of the requests, if a fetch took as long for all; it "
		"takes l2.latency, and dram.latency more where the L2 is predicted to miss.  At "
		"most mshr.merge requests share a fetch.  count_pending=yes counts pending hits "
		"in miss_ratio, otherwise they are no misses.  Of the L1s the row of kind all also "
		"has cycles, of all launches of the kernel one after the other, and bound, what "
		"binds them most: issue (slots), lsu (look-ups), latency (of data, for the warps "
		"there are), mshr (or lines that may be reserved), send and receive (an SM's "
		"port), l2 (look-ups), reply (a slice's port), dram (bytes).  latency_mean is of a "
		"load instruction from issue to data, access_cycles of a request, and fetch_cycles "
		"what a miss takes on top of a hit, both without queues; mshrs is how many an SM "
		"has in use.  Every key of the machine counts.  In the order of cycles, cycles "
		"follow from those that the simulation took, anchor_cycles, which is without a "
		"value where they do not; a machine just like that one is predicted to take as "
		"many.  What --set gave of the stage profile (l1.hash, l1.write, l1.sector), and "
		"to `warpstack profile` of the L2 and policies, the simulation was not told, and "
		"cycles do not know it: a file for -m tells it all.  These are estimates, which "
		"`make validate` holds against the cycle simulator, in validate/cycles.csv.  From "
		"a trace the L2 is profiled for it; a profile made without --l2 assumes that the "
		"L2 misses once for each cold miss of an L1.\n"
		"\n"
		"--by says which array or source line misses.  Its rows are parts of the others: "
		"every column of counts adds up.  It is known at the machine's own l1.line; from a "
		"trace at any one l1.sets, from a profile at its machine's; and for policies whose "
		"prediction is exact.",
	.examples =
		"warpstack predict mm.wsp\n"
		"warpstack predict mm.wsp --set l1.size=64K --set l1.ways=8\n"
		"warpstack predict mm.wsp --set l1.line=32\n"
		"warpstack predict mm.wsp --set l1.policy=srrip:3\n"
		"warpstack predict mm.wst --set l1.policy=drrip --verify\n"
		"warpstack predict mm.wst --level all --set l2.size=384K\n"
		"warpstack predict mm.wsp --by array --kind load\n"
		"warpstack predict mm.wst --latency --kind all --set dram.latency=400\n"
		"warpstack predict data/kernel/mt-16x10.launch -m gtx480\n"
		"warpstack predict mm.wst --set sm.assign=random --runs 20 --format json",
	.table = { table, cli_report, cli_general },
	.size = sizeof(struct cli_options),
	.operands_max = 1,
	.complete = "file",
	.run = run_predict,
};
