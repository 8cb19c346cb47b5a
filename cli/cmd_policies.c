/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cli/cmd_policies.c -- lists the replacement policies; solves the chain of one.
 */
#include <string.h>

#include "cli/cli.h"
#include "validate/chain.h"

struct policies_options {
	struct cli_options common;
	const char *chain, *law;
	uint64_t ways, lines;
};

#define USUAL_LAW "zipf:1"
#define AT(member) offsetof(struct policies_options, member)

static const struct ws_option table[] = {
	{ .name = "chain", .type = WS_OPT_STRING, .offset = AT(chain), .arg = "POLICY",
	  .brief = "solves a policy exactly, for a small set",
	  .help = "solves one set under POLICY, a name with or without parameters, instead of "
		  "listing: a row with its miss ratio in the long run" },
	{ .name = "ways", .type = WS_OPT_U64, .offset = AT(ways), .arg = "W", .min = 1,
	  .max = WS_CHAIN_WAYS,
	  .brief = "of --chain: ways of the set",
	  .help = "the set's ways" },
	{ .name = "lines", .type = WS_OPT_U64, .offset = AT(lines), .arg = "N", .min = 1,
	  .max = WS_CHAIN_LINES,
	  .brief = "of --chain: lines that are asked for",
	  .help = "how many lines are asked for" },
	{ .name = "law", .type = WS_OPT_STRING, .offset = AT(law), .arg = "LAW",
	  .brief = "of --chain: how often each is asked for",
	  .help = "which line a reference is to, " WS_LAWS ".  zipf: line i as often as 1 / i^A, "
		  "independently of what was before; weights: as often as its weight, a whole "
		  "number; loop: one after the other, again and again.  " USUAL_LAW " if left "
		  "out" },
	CLI_OPT_SEED, { 0 },
};

static const enum ws_col columns[] = {
	WS_COL_POLICY, WS_COL_PARAMETERS, WS_COL_BASIS, WS_COL_MEAN_PP, WS_COL_MAX_PP,
	WS_COL_GPGPUSIM, WS_COL_VARIANT, WS_COL_SUMMARY, WS_COL_REFERENCE,
};

static void row(struct ws_table *t, const struct ws_policy *p)
{
	const char letter[] = { p->gpgpusim, '\0' };

	ws_cell_str(t, WS_COL_POLICY, p->name);
	ws_cell_str(t, WS_COL_PARAMETERS, p->params);
	ws_cell_str(t, WS_COL_BASIS, ws_basis_names[p->basis]);
	if (p->basis == WS_EXACT || (p->basis == WS_APPROX && p->max_pp > 0)) {
		ws_cell_f64(t, WS_COL_MEAN_PP, p->mean_pp);
		ws_cell_f64(t, WS_COL_MAX_PP, p->max_pp);
	}
	ws_cell_str(t, WS_COL_GPGPUSIM, p->gpgpusim ? letter : NULL);
	ws_cell_str(t, WS_COL_VARIANT, p->variant ? "yes" : "no");
	ws_cell_str(t, WS_COL_SUMMARY, p->summary);
	ws_cell_str(t, WS_COL_REFERENCE, p->source);
	ws_row_end(t);
}

/* ---- a chain ---------------------------------------------------------------------------- */

static const enum ws_col chain_columns[] = {
	WS_COL_POLICY, WS_COL_WAYS, WS_COL_LINES, WS_COL_LAW, WS_COL_STATES, WS_COL_JOINED,
	WS_COL_CHAIN_MISS_RATIO, WS_COL_CHAIN_WITHIN, WS_COL_MODEL_MISS_RATIO,
	WS_COL_MISS_RATIO_LOW, WS_COL_MISS_RATIO_HIGH, WS_COL_MODEL_BASIS, WS_COL_CONFIDENCE,
	WS_COL_SIMULATED_MISS_RATIO, WS_COL_STANDARD_ERROR, WS_COL_REQUESTS, WS_COL_FRACTION,
};

static void model_cells(struct ws_table *t, const struct ws_prediction *p)
{
	ws_cell_f64(t, WS_COL_MODEL_MISS_RATIO, ws_miss_ratio(&p->kind[WS_KINDS], false));
	ws_cell_f64(t, WS_COL_MISS_RATIO_LOW, p->low[WS_KINDS]);
	ws_cell_f64(t, WS_COL_MISS_RATIO_HIGH, p->high[WS_KINDS]);
	ws_cell_str(t, WS_COL_MODEL_BASIS, ws_basis_names[p->basis]);
	ws_cell_str(t, WS_COL_CONFIDENCE, p->low_confidence ? "low" : "high");
}

static void chain_row(struct ws_table *t, const struct policies_options *o,
		      const struct ws_chain_result *r, const struct ws_chain_beside *b)
{
	ws_cell_str(t, WS_COL_POLICY, o->chain);
	ws_cell_u64(t, WS_COL_WAYS, o->ways);
	ws_cell_u64(t, WS_COL_LINES, o->lines);
	ws_cell_str(t, WS_COL_LAW, o->law);
	ws_cell_u64(t, WS_COL_STATES, r->states);
	ws_cell_u64(t, WS_COL_JOINED, r->joined);
	ws_cell_f64(t, WS_COL_CHAIN_MISS_RATIO, r->ratio);
	ws_cell_f64(t, WS_COL_CHAIN_WITHIN, r->fraction ? 0 : (r->high - r->low) / 2);
	ws_cell_str(t, WS_COL_FRACTION, r->fraction);
	if (b->modelled)
		model_cells(t, &b->model);
	ws_cell_f64(t, WS_COL_SIMULATED_MISS_RATIO, b->simulated);
	ws_cell_f64(t, WS_COL_STANDARD_ERROR, b->standard_error);
	ws_cell_u64(t, WS_COL_REQUESTS, b->requests);
	ws_row_end(t);
}

static enum ws_status write_chain(struct cli_call *call, const struct ws_chain_result *r,
				  const struct ws_chain_beside *b, struct ws_err *err)
{
	struct cli_report report = { 0 };
	enum ws_status status = cli_report_begin(&report, call, NULL, chain_columns,
						 WS_COUNT(chain_columns), err);

	if (status == WS_OK)
		chain_row(report.table, (const void *)call->options, r, b);
	return cli_report_end(&report, status, err);
}

static enum ws_status run_chain(struct cli_call *call, struct policies_options *o,
				struct ws_err *err)
{
	struct ws_chain_result r = { 0 };
	struct ws_chain_beside beside;
	struct ws_line_law law;
	enum ws_status status;

	if (!o->ways || !o->lines)
		return ws_fail(err, WS_EINVAL, "--chain wants --ways and --lines: how large the "
			       "set is, and how many lines are asked for");
	o->law = o->law ? o->law : USUAL_LAW;
	status = ws_line_law_parse(&law, o->law, (unsigned)o->lines, err);
	if (status == WS_OK)
		status = ws_chain_solve(&r, o->chain, (unsigned)o->ways, &law, err);
	if (status == WS_OK && law.rounded)
		cli_note(call, "%s: weights are no fractions, and are rounded to a millionth of "
			 "the first", o->law);
	if (status == WS_OK && !r.fraction)
		cli_note(call, "%zu states are too many for a fraction (%u at most): the ratio is "
			 "between two bounds", r.joined, WS_CHAIN_SOLVED);
	if (status == WS_OK)
		status = ws_chain_beside(&beside, o->chain, (unsigned)o->ways, &law, call->seed,
					 err);
	if (status == WS_OK)
		status = write_chain(call, &r, &beside, err);
	ws_chain_result_clear(&r);
	return status;
}

/* ---- */

static enum ws_status list_policies(struct cli_call *call, struct ws_err *err)
{
	struct cli_report report = { 0 };
	enum ws_status status = cli_report_begin(&report, call, NULL, columns, WS_COUNT(columns),
						 err);

	for (size_t i = 0; ws_policies[i] && status == WS_OK; i++)
		row(report.table, ws_policies[i]);
	return cli_report_end(&report, status, err);
}

static enum ws_status run_policies(struct cli_call *call, struct ws_err *err)
{
	struct policies_options *o = (void *)call->options;

	if (o->chain)
		return run_chain(call, o, err);
	if (o->ways || o->lines || o->law)
		return ws_fail(err, WS_EINVAL, "--ways, --lines and --law go with --chain");
	return list_policies(call, err);
}

const struct cli_command cli_cmd_policies = {
	.name = "policies",
	.summary = "lists replacement policies; solves a set exactly",
	.usage = "[--chain POLICY --ways W --lines N] [options]",
	.description =
		"Lists what l1.policy may be set to: a name, or a name, a colon and parameters, "
		"as in srrip:3, brrip:1/20 or prob:1/6,1/2,1/6,1/6.  Decimals and whole numbers "
		"do where fractions stand.  All of them can be simulated exactly.\n"
		"\n"
		"basis says how `warpstack predict` computes it.  exact: equal to a simulation of "
		"the same request stream in every count.  approx: by the policy's own rules on "
		"the sets that the profile keeps, or, if it keeps none, by a model, with an "
		"expected error, an interval and a confidence in each row.\n"
		"\n"
		"mean_pp and max_pp are measured errors of the model's miss ratio, in percentage "
		"points: the mean over all rows of validate/results.csv that are for reporting "
		"(streams and caches that no model was fitted on), and the largest over those that "
		"are of high confidence; none where nothing was measured.\n"
		"\n"
		"gpgpusim is the policy's letter in a GPGPU-Sim configuration.  A variant is "
		"another policy with other details, one that wants parameters, or one that no "
		"hardware could have; a sweep of l1.policy=all leaves variants out.\n"
		"\n"
		"With --chain the miss ratio of one set is solved, as the long run of a Markov "
		"chain: its states are what the ways hold and what the policy remembers, reached "
		"by the policy's own rules; what it draws at random is followed every way.  The "
		"answer is a fraction, in columns fraction and, in decimals, chain_miss_ratio.  "
		"Beside it stand what the model predicts from the profile of 524288 references "
		"that the law draws, with the interval of 95 %, and what the simulator counts of "
		"them, with its standard error.  The model is that of distances, not of a sample "
		"of sets, as that would be the set itself.  Model and simulation owe nothing to "
		"the chain: each checks the others.\n"
		"\n"
		"Chains have at most 16 ways, 64 lines and 131072 states, counted before those "
		"that act alike are joined; of more than 2048 joined states the ratio is between "
		"two bounds, mostly 1e-12 apart, and there is no fraction.  lfu and mfu have no "
		"chain, as their counts grow without end (lfu-age has), nor have opt, ship-pc and "
		"pc-bypass, which look at more than lines.  A duel of one set is always won by the "
		"static policy.  Zipf weights are exact for whole A if their common denominator is "
		"below 2^31, else rounded to a millionth of the first, with a note.  The set "
		"begins empty; if how it was filled decides what it does for ever, the answer is "
		"the mean over the ways to fill it.",
	.examples =
		"warpstack policies\n"
		"# FIFO and random replacement have one miss ratio, and LRU has another\n"
		"warpstack policies --chain fifo --ways 3 --lines 6 --law zipf:1\n"
		"warpstack policies --chain random --ways 3 --lines 6 --law zipf:1\n"
		"warpstack policies --chain brrip:1/20 --ways 2 --lines 5 --law weights:5,4,3,2,1\n"
		"warpstack policies --format json",
	.table = { table, cli_report, cli_general },
	.size = sizeof(struct policies_options),
	.lists = CLI_LIST_POLICIES,
	.run = run_policies,
};
