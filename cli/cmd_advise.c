/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cli/cmd_advise.c -- what would make a kernel faster, each change simulated.
 */
#include "cli/cli.h"
#include "study/advise.h"

#include <inttypes.h>
#include <string.h>

struct advise_options {
	struct cli_options common;
	const char *kernel, *of;
	bool whole;
	uint64_t sample;
};

#define AT(member) offsetof(struct advise_options, member)

static const struct ws_option table[] = {
	CLI_OPT_MACHINE, CLI_OPT_SET,
	{ .name = "kernel", .type = WS_OPT_STRING, .offset = AT(kernel), .arg = "NAME",
	  .brief = "this kernel alone",
	  .help = "advice on this kernel only, or, as NAME#N, on launch N of the trace" },
	{ .name = "of", .type = WS_OPT_CHOICE, .offset = AT(of), .arg = "WHAT",
	  .choices = "kernel all",
	  .brief = "changes of the kernel alone, or of the cache, too",
	  .help = "kernel: changes of the kernel alone.  all: also other keys of the machine's L1: "
		  "set index, write policy, replacement policy.  all if left out" },
	{ .name = "whole", .type = WS_OPT_FLAG, .offset = AT(whole),
	  .brief = "simulate all of each kernel, however long it takes",
	  .help = "simulates all CTAs of each kernel; if left out, a sample of those of a kernel "
		  "that makes many requests" },
	{ .name = "sample", .type = WS_OPT_U64, .offset = AT(sample), .arg = "REQUESTS", .min = 1,
	  .max = INT64_MAX,
	  .brief = "about how many requests a simulation has",
	  .help = "about how many requests a simulation has, of all kernels together: of kernels "
		  "that make more some CTAs are simulated, four waves on some SMs if they have as "
		  "many.  550000 if left out" },
	CLI_OPT_PER, CLI_OPT_SEED, CLI_OPT_THREADS, CLI_OPT_FROM_LAUNCH, { 0 },
};

static const enum ws_col columns[] = {
	WS_COL_KERNEL, WS_COL_ARRAY, WS_COL_SOURCE, WS_COL_REQUESTS, WS_COL_MISSES, WS_COL_CYCLES,
	WS_COL_ADVICE, WS_COL_CHANGE_OF, WS_COL_GAIN_PERCENT, WS_COL_GAIN_ERROR,
	WS_COL_CHANGED_CYCLES, WS_COL_CHANGED_REQUESTS, WS_COL_CHANGED_MISSES, WS_COL_CHANGE,
	WS_COL_EVIDENCE, WS_COL_SAMPLE_PERCENT,
};

static const struct advise_options *options_of(const struct cli_call *call)
{
	return (const struct advise_options *)(const void *)call->options;
}

static void put_row(struct ws_table *t, const struct ws_advice *a)
{
	ws_cell_str(t, WS_COL_KERNEL, a->kernel);
	ws_cell_str(t, WS_COL_ARRAY, *a->array ? a->array : NULL);
	ws_cell_str(t, WS_COL_SOURCE, *a->source ? a->source : NULL);
	ws_cell_u64(t, WS_COL_REQUESTS, a->before.requests);
	ws_cell_u64(t, WS_COL_MISSES, a->before.misses);
	ws_cell_u64(t, WS_COL_CYCLES, a->before.cycles);
	ws_cell_str(t, WS_COL_ADVICE, ws_advice_rows[a->kind].name);
	ws_cell_str(t, WS_COL_CHANGE_OF, a->of_machine ? "machine" : "kernel");
	ws_cell_f64(t, WS_COL_GAIN_PERCENT, a->gain);
	ws_cell_f64(t, WS_COL_GAIN_ERROR, a->error);
	ws_cell_u64(t, WS_COL_CHANGED_CYCLES, a->after.cycles);
	ws_cell_u64(t, WS_COL_CHANGED_REQUESTS, a->after.requests);
	ws_cell_u64(t, WS_COL_CHANGED_MISSES, a->after.misses);
	ws_cell_str(t, WS_COL_CHANGE, a->change);
	ws_cell_str(t, WS_COL_EVIDENCE, a->evidence);
	ws_cell_f64(t, WS_COL_SAMPLE_PERCENT, a->sample);
	ws_row_end(t);
}

static void report_progress(void *context, uint64_t done, uint64_t total)
{
	struct ws_progress *p = context;

	p->total = total;
	ws_progress_step(p, done);
}

static enum ws_status advise(struct ws_advice_list *list, struct cli_call *call,
			     const struct ws_trace *t, struct ws_err *err)
{
	struct ws_study_options ask = *cli_ask(call);
	const char *of = options_of(call)->of;
	struct ws_progress progress;
	struct ws_advise_options o = { .study = &ask, .progress = report_progress,
				       .context = &progress,
				       .whole = options_of(call)->whole,
				       .sample = options_of(call)->sample,
				       .kernel_only = of && strcmp(of, "kernel") == 0 };
	struct ws_machine m;
	enum ws_status status = cli_machine(call, &m, err);

	ask.kernel = options_of(call)->kernel;
	if (status == WS_OK)
		status = ws_machine_single(&m, err);
	if (status != WS_OK)
		return status;
	ws_progress_begin(&progress, "trying changes", 0, call->options->quiet);
	status = ws_advise(t, &m, &o, list, err);
	ws_progress_end(&progress);
	return status;
}

static void put_remark(struct cli_report *report, const struct ws_advice_list *list)
{
	if (list->sampled)
		cli_report_remark(report, "tried=%" PRIu64 " advised=%zu sampled=%" PRIu64
				  " (kernels of which a sample was simulated: gain_error has its "
				  "error, --whole simulates all)", list->tried, list->count,
				  list->sampled);
	else
		cli_report_remark(report, "tried=%" PRIu64 " advised=%zu", list->tried,
				  list->count);
}

static enum ws_status run_advise(struct cli_call *call, struct ws_err *err)
{
	struct ws_advice_list list = { 0 };
	struct cli_report report = { .begun = false };
	struct cli_input input;
	enum ws_status status = cli_input_open(&input, call, 0, CLI_TRACE, err);

	if (status == WS_OK)
		status = advise(&list, call, input.trace, err);
	if (status == WS_OK)
		status = cli_report_begin(&report, call, NULL, columns, WS_COUNT(columns), err);
	for (size_t i = 0; i < list.count && status == WS_OK; i++)
		put_row(report.table, &list.advice[i]);
	if (status == WS_OK)
		put_remark(&report, &list);
	status = cli_report_end(&report, status, err);
	ws_advice_list_clear(&list);
	cli_input_close(&input);
	return status;
}

const struct cli_command cli_cmd_advise = {
	.name = "advise",
	.summary = "finds changes that make a kernel faster",
	.usage = "[options] [FILE]",
	.description =
		"Reads a trace or a launch file.  Makes changes in the trace, simulates the kernel "
		"with each of them cycle by cycle, and prints those that take fewer cycles, a row "
		"each: for each kernel its own changes, shared memory and a software cache after "
		"the others, then those of the L1, the largest gain first.  Nothing is advised "
		"that was not simulated.\n"
		"\n"
		"advice says what is wrong, and change what was changed:\n"
		"\n"
		"- uncoalesced: neighbouring lanes access sectors that are far apart.  Tried: the "
		"array transposed, so that elements which were a stride apart are neighbours; "
		"several arrays at once; x and y of the thread and block indexes exchanged.\n"
		"\n"
		"- conflict: lines that are in use map to the same sets.  Tried: rows of an array, "
		"or of all, padded by a line and by more; space between arrays, which keeps its "
		"gain only where they lie as in the trace; another l1.hash.\n"
		"\n"
		"- residency: the CTAs that are on an SM at once use more than its L1 holds.  "
		"Tried: fewer CTAs on an SM, by shared memory that each asks for.\n"
		"\n"
		"- tile: a CTA goes again and again through more data than its L1 holds.  Tried: "
		"the data in 2 to 16 pieces, all passes over one piece before the next.  Whether "
		"what the kernel computes allows that is not known.\n"
		"\n"
		"- streaming: data that is not used again replaces data that is.  Tried: all "
		"accesses to an array, or all stores, past the L1, as the cache operator cg does.\n"
		"\n"
		"- divergence: lanes of a warp take different branches.  Tried: the work-items of "
		"a CTA sorted, so that those which take the same branches are neighbours; those of "
		"the whole grid, with the data that they index, which the host or another kernel "
		"has to do.\n"
		"\n"
		"- shared: a CTA reads the same data again and again.  Tried: each CTA copies "
		"what it reads of an array to shared memory, waits, and reads it there.  Banks "
		"of shared memory take no time.\n"
		"\n"
		"- softcache: a work-item comes back to lines that others replaced meanwhile.  "
		"Tried: lines of its own in shared memory, as `warpstack softcache` has them, one "
		"to four of 16 bytes.\n"
		"\n"
		"- write, replacement: another l1.write or l1.policy.  change_of is machine for "
		"these, and --of kernel leaves them out.\n"
		"\n"
		"cycles, requests and misses (of the L1s) are those of the kernel as it is, "
		"changed_cycles, changed_requests and changed_misses those with the change alone. "
		"gain_percent is what it saves of the cycles.  gain_error is how far that moves "
		"when the arrays lie elsewhere in memory and when accesses with another index "
		"take more instructions: two each to a changed array, four to all if work-items "
		"change places, eight with a software cache.  It is at least 0.5, and at least 5 % "
		"of the cycles that are left where an array is transposed or a loop cut, 10 % "
		"where work-items are sorted.  A change whose gain is not larger than its error is "
		"not advised.  Gains do not add up.\n"
		"\n"
		"A change moves data or work-items and keeps what the kernel computes; what it "
		"does to other kernels that use the array is not looked at.  A profile has no "
		"addresses: give the trace.  Each change costs a simulation, some 0.5 µs a warp "
		"memory instruction, and one that gains three.\n"
		"\n"
		"Of kernels that make more requests than --sample says, a sample of whole CTAs is "
		"simulated, the same for all changes: some SMs with their share of the L2 and of "
		"DRAM, each with the CTAs that it would have among all SMs.  The last line says of "
		"how many kernels.  cycles, requests and misses are estimates of the whole then, "
		"and gain_error has the sample's error, up to 6 (12 if x and y change places), as "
		"well.",
	.examples =
		"warpstack advise mm.wst -m gtx480\n"
		"warpstack advise mm.wst --of kernel --columns +evidence\n"
		"warpstack advise data/kernel/mt-16x10.launch -m v100 --format json",
	.table = { table, cli_report, cli_general },
	.size = sizeof(struct advise_options),
	.operands_max = 1,
	.complete = "file",
	.run = run_advise,
};
