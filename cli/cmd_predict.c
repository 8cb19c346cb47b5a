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

/* As cli_report, with one more format. */
static const struct ws_option report[] = {
	CLI_OPT_REPORT(CLI_FORMATS " callgrind ncu-csv",
		       CLI_FORMATS_HELP "; or callgrind: the counts of source lines, for "
		       "callgrind_annotate, cg_annotate and KCachegrind; or ncu-csv: the counters "
		       "of launches, as Nsight Compute names them"),
	{ 0 },
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
		"Reads a profile, a trace or a launch file. Prints, for each kernel, a row for "
		"each kind of request that occurs (load, store, atomic) and one for all of "
		"them: requests, hits and misses of the machine's L1. requests = hits + pending "
		"+ misses, and misses = cold + capacity + conflict + uncached.\n"
		"\n"
		"order says in what order the requests were measured: own (that of a simulation "
		"of this very machine, or an order that does not depend on time), nominal, or "
		"the keys and values in which the simulated machine differs. basis is exact "
		"where the policy's model is exact, the order is own, and the simulation "
		"counted as many misses. Otherwise it is approx, or simulated (--verify). "
		"error_pp is the expected error of the miss ratio, in percentage points. "
		"miss_ratio_low and miss_ratio_high are the ends of its 95 % interval, which "
		"covers the policy's model, the sample, lines on their way, and the order. "
		"confidence is low where too few sets are known, or where the order leaves more "
		"than 5 points open.\n"
		"\n"
		"A machine may have alternatives (sm.scheduler = gto|lrr|two-level, see "
		"`warpstack help machine`). The row is then of the first of each; alternatives "
		"counts the combinations, and alternatives_low and alternatives_high are the "
		"least and the greatest end of their intervals. Such a row is exact only if all "
		"combinations are, with the same miss ratio. Its confidence is low where an end "
		"is more than 5 points away. Each combination costs what it costs alone; "
		"combinations that differ in keys of later stages share order and profile. "
		"--set chooses one. From a profile, keys that it answers may have alternatives. "
		"--by has none.\n"
		"\n"
		"LRU is exact for every number of ways. For the other policies (`warpstack help "
		"policies`) all requests to some sets are kept. The policy's own rules are run "
		"on these, and what hits there, by kind and stack distance, is applied to the "
		"distances of all requests. Of small launches all sets are kept, and the row is "
		"a simulation's; otherwise the interval follows from how the sets differ. A "
		"profile of distances alone, or of a sample of lines, predicts LRU alone "
		"(`warpstack help profile`), and so does an L1 whose sets differ in their ways "
		"(l1.sets.ways).\n"
		"\n"
		"A row of a sampled profile is approx. Its error_pp is half the width of the "
		"interval, or, where that ends at 0 or 1, the wider side. An interval without "
		"width was measured whole.\n"
		"\n"
		"From a profile, keys of the stage predict may be set (`warpstack help keys`); "
		"l1.line and l1.sets to values that it holds. Under LRU the nearest of its "
		"orders answers. From a trace any key may be set, and the order is taken on the "
		"machine that is asked about, with three exceptions: policies take LRU's order; "
		"l1.organisation and l1.line take the machine's own, and requests are cut or "
		"merged; sizes of an L1 or L2 between 4, 5, 6 and 7 times a power of two take "
		"the nearest of those.\n"
		"\n"
		"--level l2 asks about the L2 behind the L1s of all SMs. The misses of the L1s, "
		"in their order, are its requests; so is each atomic. From a profile made with "
		"--l2, keys of the stage l2-predict may be set; from a trace any key. The row "
		"is exact for LRU in both levels. With another l1.policy the L2 is still the "
		"one behind L1s of LRU; its interval follows from how many requests the other "
		"policy lets through (0 to 1 if the profile does not tell).\n"
		"\n"
		"--latency predicts time. A hit on data that is still on its way becomes "
		"pending. In the order of the requests this is exact if every fetch takes as "
		"long: l2.latency, and dram.latency more where the L2 is predicted to miss. At "
		"most mshr.merge requests share a fetch. count_pending=yes counts pending hits "
		"in miss_ratio. The L1's row of kind all also has cycles, of all launches of "
		"the kernel one after the other, and bound, what limits them most: issue "
		"(slots), lsu (look-ups), latency (of data, for the warps there are), mshr (or "
		"lines that may be reserved), send and receive (an SM's port), l2 (look-ups), "
		"reply (a slice's port), dram (bytes). latency_mean is from the issue of a load "
		"instruction to its data, access_cycles is of a request, and fetch_cycles is "
		"what a miss takes on top of a hit, both without queues. mshrs is how many an "
		"SM has in use. Every key of the machine counts.\n"
		"\n"
		"In the order of cycles, cycles follow from anchor_cycles, which the simulation "
		"took; a machine just like the simulated one is predicted to take as many. The "
		"simulation is not told what --set gives for keys of the stage profile "
		"(l1.hash, l1.write, l1.sector), nor what --set gives `warpstack profile` for "
		"the L2 and policies: put these into a file for -m. These are estimates; `make "
		"validate` compares them with the cycle simulator (validate/cycles.csv). From a "
		"trace the L2 is profiled for them. A profile made without --l2 assumes that "
		"the L2 misses once for each cold miss of an L1.\n"
		"\n"
		"--by says which array or source line misses. Its rows are parts of the others, "
		"and every column of counts adds up. It is known at the machine's own l1.line, "
		"from a trace at any l1.sets, from a profile at its machine's, and for policies "
		"whose prediction is exact.\n"
		"\n"
		"--format callgrind writes the counts of --by line, all kinds of requests "
		"together, as Callgrind's profile: a kernel is a function, and the events are "
		"Requests, Misses, Cold, Capacity, Conflict and Uncached. `callgrind_annotate "
		"FILE` prints the source with them.\n"
		"\n"
		"--format ncu-csv writes a row for each launch, as Nsight Compute's raw page "
		"does in CSV, with the counters that are predicted: sectors that loads and "
		"stores ask the L1 "
		"for, hits and misses among them; with --level all those of the L2, and with "
		"--latency cycles. `warpstack counters` reads it as it reads ncu's.",
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
		"warpstack predict mm.wst -m gtx480 --format callgrind -o mm.callgrind\n"
		"warpstack predict mm.wst -m v100 --level all --format ncu-csv -o mm.csv\n"
		"warpstack predict mm.wst --set sm.assign=random --runs 20 --format json",
	.table = { table, report, cli_general },
	.size = sizeof(struct cli_options),
	.operands_max = 1,
	.complete = "file",
	.run = run_predict,
};
