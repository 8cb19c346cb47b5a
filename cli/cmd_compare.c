/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cli/cmd_compare.c -- two outputs of the same launches, side by side.
 *
 * validate/compare/ reads and matches them; this prints launches and sums.
 */
#include "cli/cli.h"
#include "validate/compare.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct compare_options {
	struct cli_options common;
	const char *match;
	bool means;
};

#define AT(member) offsetof(struct compare_options, member)

static const struct ws_option table[] = {
	{ .name = "match", .type = WS_OPT_CHOICE, .offset = AT(match), .arg = "BY",
	  .choices = "order name",
	  .brief = "launches by order or by name",
	  .help = "order: the n-th launch of A is the n-th of B; they have as many, whatever "
		  "their kernels are called.  name: the n-th launch of a kernel in A is the n-th "
		  "of the kernel of that name in B, and launches of one of them alone are left "
		  "out.  order if left out" },
	{ .name = "means", .type = WS_OPT_FLAG, .offset = AT(means),
	  .brief = "sums alone, no row of a single launch",
	  .help = "leaves out the rows of single launches" },
	{ 0 },
};

static const enum ws_col columns[] = {
	WS_COL_ITEM, WS_COL_KERNEL, WS_COL_LAUNCH, WS_COL_COUNTER, WS_COL_MEAN_ABS_PP,
	WS_COL_LARGEST_PP, WS_COL_RANK_CORRELATION, WS_COL_A, WS_COL_B, WS_COL_B_LESS_A_PP,
	WS_COL_B_OVER_A, WS_COL_EQUAL, WS_COL_LAUNCHES, WS_COL_EQUAL_LAUNCHES,
	WS_COL_MEAN_ABS_PERCENT, WS_COL_LARGEST_PERCENT,
};

struct comparing {
	struct cli_call *call;
	struct ws_stats *side[2];
	struct ws_stats_pair *pair;
	size_t pairs;
	struct cli_report report;
	uint64_t values, equal;	/* of all launches and counters */
};

/* ---- reading --------------------------------------------------------------------------- */

static const char *name_of(const struct comparing *c, unsigned side)
{
	return c->call->operands.item[side];
}

static enum ws_status read_sides(struct comparing *c, struct ws_err *err)
{
	enum ws_status status = WS_OK;

	if (strcmp(name_of(c, 0), "-") == 0 && strcmp(name_of(c, 1), "-") == 0)
		return cli_usage(c->call->command, err, "A and B are both standard input");
	for (unsigned i = 0; i < 2 && status == WS_OK; i++) {
		struct ws_in in = { 0 };

		status = cli_input_bytes(&in, c->call, i, err);
		if (status == WS_OK)
			status = cli_want_text(&in, "compare wants outputs, such as those of "
					       "`warpstack simulate --cycles`", err);
		if (status == WS_OK)
			status = ws_stats_read(&c->side[i], &in, err);
		if (status == WS_OK)
			cli_say(c->call, "%s: %zu launches, read as %s", in.name,
				c->side[i]->launches, c->side[i]->kind);
		ws_in_close(&in);
	}
	return status;
}

/* Pairs by order whose kernels have other names. */
static void note_names(const struct comparing *c)
{
	const struct ws_stats_pair *first = NULL;
	uint64_t others = 0;

	for (size_t i = 0; i < c->pairs; i++) {
		if (strcmp(c->pair[i].a->kernel, c->pair[i].b->kernel) == 0)
			continue;
		first = first ? first : &c->pair[i];
		others++;
	}
	if (first)
		cli_note(c->call, "%" PRIu64 " of %zu launches are called otherwise in the second "
			 "file: launch %" PRIu64 " is %.100s and %.100s", others, c->pairs,
			 first->a->number, first->a->kernel, first->b->kernel);
}

static enum ws_status match_sides(struct comparing *c, struct ws_err *err)
{
	const struct compare_options *o = (const void *)c->call->options;
	bool by_name = o->match && strcmp(o->match, "name") == 0;
	size_t count[2] = { c->side[0]->launches, c->side[1]->launches };
	enum ws_status status;

	if (!by_name && count[0] != count[1])
		return cli_usage(c->call->command, err, "%s has %zu launches, %s %zu: want as "
				 "many, or --match name", name_of(c, 0), count[0], name_of(c, 1),
				 count[1]);
	status = ws_stats_match(&c->pair, &c->pairs, c->side[0], c->side[1], by_name, err);
	if (status == WS_OK && !c->pairs)
		return cli_usage(c->call->command, err, "%s and %s have no kernel of the same name",
				 name_of(c, 0), name_of(c, 1));
	for (unsigned i = 0; i < 2 && status == WS_OK; i++)
		if (c->pairs < count[i])
			cli_note(c->call, "%s: %zu of %zu launches are not in the other file, left "
				 "out", name_of(c, i), count[i] - c->pairs, count[i]);
	if (status == WS_OK)
		note_names(c);
	return status;
}

/* ---- rows --------------------------------------------------------------------------------- */

/* Counts of a profiler may be means. */
static void value_cell(struct ws_table *t, enum ws_col column, enum ws_stat stat, double value)
{
	if (ws_stat_rows[stat].ratio || value > trunc(value))
		ws_cell_f64(t, column, value);
	else
		ws_cell_u64(t, column, (uint64_t)value);
}

static void pair_row(struct comparing *c, const struct ws_stats_pair *p, enum ws_stat stat)
{
	struct ws_table *t = c->report.table;
	double a = p->a->value[stat], b = p->b->value[stat];

	ws_cell_str(t, WS_COL_ITEM, "launch");
	ws_cell_str(t, WS_COL_KERNEL, *p->a->kernel ? p->a->kernel : NULL);
	ws_cell_u64(t, WS_COL_LAUNCH, p->a->number);
	ws_cell_str(t, WS_COL_COUNTER, ws_stat_rows[stat].name);
	value_cell(t, WS_COL_A, stat, a);
	value_cell(t, WS_COL_B, stat, b);
	if (ws_stat_rows[stat].ratio)
		ws_cell_f64(t, WS_COL_B_LESS_A_PP, 100 * (b - a));
	else
		ws_cell_ratio(t, WS_COL_B_OVER_A, b, a);
	ws_cell_str(t, WS_COL_EQUAL, ws_stat_equal(p, stat) ? "yes" : "no");
	ws_row_end(t);
}

static enum ws_status sum_row(struct comparing *c, enum ws_stat stat, struct ws_err *err)
{
	struct ws_table *t = c->report.table;
	bool ratio = ws_stat_rows[stat].ratio;
	struct ws_stat_sum sum;
	enum ws_status status = ws_stat_sum_of(c->pair, c->pairs, stat, &sum, err);

	if (status != WS_OK || !sum.launches)
		return status;
	ws_cell_str(t, WS_COL_ITEM, "all");
	ws_cell_str(t, WS_COL_COUNTER, ws_stat_rows[stat].name);
	ws_cell_u64(t, WS_COL_LAUNCHES, sum.launches);
	ws_cell_u64(t, WS_COL_EQUAL_LAUNCHES, sum.equal);
	ws_cell_f64(t, ratio ? WS_COL_MEAN_ABS_PP : WS_COL_MEAN_ABS_PERCENT, sum.mean_abs);
	ws_cell_f64(t, ratio ? WS_COL_LARGEST_PP : WS_COL_LARGEST_PERCENT, sum.largest);
	ws_cell_f64(t, WS_COL_RANK_CORRELATION, sum.rank);
	ws_row_end(t);
	c->values += sum.launches;
	c->equal += sum.equal;
	return WS_OK;
}

static enum ws_status put_rows(struct comparing *c, struct ws_err *err)
{
	const struct compare_options *o = (const void *)c->call->options;
	enum ws_status status = cli_report_begin(&c->report, c->call, NULL, columns,
						 WS_COUNT(columns), err);

	for (size_t i = 0; i < c->pairs && status == WS_OK && !o->means; i++)
		for (unsigned k = 0; k < WS_STATS; k++)
			if (ws_stat_known(&c->pair[i], (enum ws_stat)k))
				pair_row(c, &c->pair[i], (enum ws_stat)k);
	for (unsigned k = 0; k < WS_STATS && status == WS_OK; k++)
		status = sum_row(c, (enum ws_stat)k, err);
	if (status == WS_OK && !c->values)
		cli_note(c->call, "%s and %s have no counter in common", name_of(c, 0),
			 name_of(c, 1));
	if (status == WS_OK)
		cli_report_remark(&c->report, "launches=%zu values=%" PRIu64 " equal=%" PRIu64,
				  c->pairs, c->values, c->equal);
	return status;
}

static enum ws_status run_compare(struct cli_call *call, struct ws_err *err)
{
	struct comparing c = { .call = call };
	enum ws_status status = read_sides(&c, err);

	if (status == WS_OK)
		status = match_sides(&c, err);
	if (status == WS_OK)
		status = put_rows(&c, err);
	free(c.pair);
	ws_stats_free(c.side[0]);
	ws_stats_free(c.side[1]);
	return cli_report_end(&c.report, status, err);
}

const struct cli_command cli_cmd_compare = {
	.name = "compare",
	.summary = "compares two outputs of the same launches",
	.usage = "[options] A B",
	.description =
		"Reads two outputs that are of the same launches, and gives a row for each launch "
		"and counter that both have: b_less_a_pp of a ratio, in points, b_over_a of a "
		"count.  Then a row of item all for each counter: of how many launches it is "
		"equal, and how far it is off, in points or percent, in the mean and at most; "
		"rank_correlation says whether the launches are in the same order.  The last "
		"line has how many values were held beside each other, and how many are equal.\n"
		"\n"
		"An output is, told apart by its content:\n"
		"\n"
		"- what GPGPU-Sim or Accel-Sim print, all of it, or `simulate` in their format.  "
		"Most of their statistics are cumulative, and a launch has what they rose by; it "
		"is complete if it ends as a run does that came to its end.\n"
		"\n"
		"- rows of `simulate`, `predict` or `sweep`, as tsv, csv or json, of one "
		"configuration; those of the cycle simulator, a launch each, have most.  Rows "
		"by site, line or array are compared part by part, each called as in \"mm, A at "
		"mm.cl:13\": two versions of a kernel, two machines, or two profiles, by line, "
		"with --match name.\n"
		"\n"
		"- a profiler's csv, as `counters` reads it.  Nsight Compute counts sectors, and "
		"what is on its way as a hit: its miss ratios can be compared, its hits not.\n"
		"\n"
		"Counters are of global memory.  cycles and thread_instructions are as they are "
		"printed; warp_instructions; l1_load_*, l1_store_*, l2_load_* (with atomics), "
		"l2_store_* (with lines that are written back): accesses, hits, pending (hits on "
		"data that is on its way), misses (of lines and of sectors), fails (look-ups that "
		"were tried again), miss_ratio, which is misses / accesses; l2_accesses, l2_misses "
		"and l2_miss_ratio of requests of all kinds, which are code and constants, too, in "
		"GPGPU-Sim; dram_reads and dram_writes, of 32 bytes.",
	.examples =
		"warpstack compare accel-sim.log ours.tsv\n"
		"warpstack compare accel-sim.log ours.tsv --means --format csv\n"
		"warpstack compare old-sites.tsv new-sites.tsv --match name\n"
		"warpstack compare ncu.csv ours.tsv --match name --where counter=l1_load_misses",
	.table = { table, cli_report, cli_general },
	.size = sizeof(struct compare_options),
	.operands_min = 2,
	.operands_max = 2,
	.complete = "file",
	.run = run_compare,
};
