/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cli/cmd_profile.c -- measures a trace's stack distances into a profile.
 *
 * Measured are all --lines with all --sets.  Set counts are those of the machine's own line;
 * another line has as many sets as give the same bytes, and one set if one was asked for.  A list
 * that is not given has its default (ws_profile_shapes).  The machine's own line and sets, and
 * those of --set, are always measured.
 */
#include "base/bits.h"
#include "cli/cli.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct profile_options {
	struct cli_options common;
	const char *lines, *sets, *sm, *orders;
	bool distances, l2, chunks;
	uint64_t grains, set_sample;
	bool no_set_sample;
};

#define AT(member) offsetof(struct profile_options, member)

static const struct ws_option table[] = {
	CLI_OPT_MACHINE, CLI_OPT_SET,
	{ .name = "lines", .type = WS_OPT_STRING, .offset = AT(lines), .arg = "LIST",
	  .brief = "line sizes that it can answer for",
	  .help = "line sizes to measure: a,b,c or LO:HI:xFACTOR; the machine's own, 32 and 128 "
		  "if left out; its own is always among them" },
	{ .name = "sets", .type = WS_OPT_STRING, .offset = AT(sets), .arg = "LIST",
	  .brief = "set counts that it can answer for",
	  .help = "set counts to measure, of the machine's own line: a,b,c or LO:HI:xFACTOR or "
		  "LO:HI:+STEP; at other line sizes as many as make the same bytes, and 1 where "
		  "1 is asked for.  If left out: a quarter to four times the machine's own, in "
		  "powers of two, and 1.  On each SM that has CTAs, the memory grows by about 390 "
		  "bytes for each set of each count, and 100 KB for each count; with --distances "
		  "by 64 bytes for each set" },
	{ .name = "orders", .type = WS_OPT_STRING, .offset = AT(orders), .arg = "LIST",
	  .brief = "L1 sizes whose orders of requests it has",
	  .help = "also takes the order of requests with L1s of these sizes, a,b,c or "
		  "LO:HI:xFACTOR, so that a what-if is answered in the nearest one; none: the "
		  "machine's own alone.  If left out, a quarter, half, twice and four times the "
		  "machine's L1, of a machine in the order of cycles that is profiled whole" },
	{ .name = "distances", .type = WS_OPT_FLAG, .offset = AT(distances),
	  .brief = "stack distances alone: LRU, smaller and faster",
	  .help = "distances alone: all that LRU needs, and no other policy; smaller and faster" },
	{ .name = "l2", .type = WS_OPT_FLAG, .offset = AT(l2),
	  .brief = "the L2, too",
	  .help = "records the L2 too, behind L1s of the machine and of what --set asks for: "
		  "from it `warpstack predict --level l2` tells its misses for a quarter to four "
		  "times its sets, and any number of ways.  Takes up to as long again" },
	{ .name = "chunks", .type = WS_OPT_FLAG, .offset = AT(chunks),
	  .help = "records lines of 128 bytes held in sectors and chunks, too, from which "
		  "l1.organisation sector and elastic are predicted, at the set counts of such "
		  "lines.  Takes up to three times as long" },
	{ .name = "grains", .type = WS_OPT_U64, .offset = AT(grains), .arg = "N",
	  .min = 1, .max = UINT32_MAX,
	  .help = "records those chunks in windows of N requests of an SM, too, from which dycache "
		  "is predicted, at any threshold and for periods that are multiples of N" },
	{ .name = "set-sample", .type = WS_OPT_U64, .offset = AT(set_sample), .arg = "N",
	  .min = 1, .max = UINT32_MAX,
	  .help = "of the sets of all SMs keeps some whole, all their requests in order, of each "
		  "kernel and set count at most N requests (131072 if left out; four times that "
		  "where they are of few sets): the rules of any policy are applied to them.  All "
		  "sets are kept where that is enough" },
	{ .name = "no-set-sample", .type = WS_OPT_FLAG, .offset = AT(no_set_sample),
	  .help = "keeps none: policies other than LRU are told from their models alone, with "
		  "wider errors; files are a tenth as large" },
	{ .name = "sm", .type = WS_OPT_STRING, .offset = AT(sm), .arg = "LIST",
	  .help = "counts the requests of these SMs alone, as in 0-3,7; profiles of other SMs of "
		  "the same machine add up to the whole" },
	CLI_OPT_SAMPLE,
	CLI_OPT_OUTPUT("the profile; standard output if left out, unless that is a terminal"),
	CLI_OPT_ORDER(""),
	CLI_OPT_PER, CLI_OPT_SEED, CLI_OPT_THREADS, CLI_OPT_FROM_LAUNCH, { 0 },
};

static const struct profile_options *options_of(const struct cli_call *call)
{
	return (const struct profile_options *)(const void *)call->options;
}

/* ---- lists ----------------------------------------------------------------- */

struct numbers {
	uint64_t *value;
	size_t count;
};

/* What is wrong with a value of key, said of the option. */
static enum ws_status refuse(const char *option, const char *key, const struct ws_err *why,
			     struct ws_err *err)
{
	const char *rest = why->text;
	size_t len = strlen(key);

	if (strncmp(rest, key, len))
		return ws_fail(err, why->status, "%s: %s", option, rest);
	rest += strncmp(rest + len, " = ", 3) ? len + 1 : len + 3;
	return ws_fail(err, why->status, "%s=%s", option, rest);
}

/* A list of line sizes or set counts has the form and the range of its key. */
static enum ws_status read_numbers(struct numbers *out, const char *option, const char *key,
				   const char *list, struct ws_err *err)
{
	struct ws_err inner = { 0 };
	struct ws_buf spec = { 0 };
	struct ws_vary v = { 0 };
	enum ws_status status;

	if (!list)
		return WS_OK;
	if (!*list)
		return ws_fail(err, WS_EINVAL, "%s=: want A,B,C, LOW:HIGH:+STEP or "
			       "LOW:HIGH:xFACTOR", option);
	ws_put_bytes(&spec, key, strlen(key));
	ws_put_u8(&spec, '=');
	ws_put_bytes(&spec, list, strlen(list) + 1);
	status = spec.failed ? ws_fail_memory(err, key)
			     : ws_vary_parse(&v, (const char *)spec.data, &inner);
	ws_buf_clear(&spec);
	if (status != WS_OK)
		return inner.status == WS_OK ? status : refuse(option, key, &inner, err);
	out->value = ws_alloc(v.count + 1, sizeof *out->value);
	if (!out->value)
		status = ws_fail_memory(err, key);
	for (size_t i = 0; i < v.count && status == WS_OK; i++)
		if (!ws_parse_size(v.value[i], &out->value[out->count++]))
			status = ws_fail(err, WS_EINVAL, "%s=%s: want whole numbers", option,
					 v.value[i]);
	ws_vary_clear(&v);
	return status;
}

/* "3" or "0-3" at *text, which moves behind it. */
static bool read_range(const char **text, uint64_t *low, uint64_t *high)
{
	char range[48], *dash;
	size_t len = strcspn(*text, ",");

	if (len >= sizeof range)
		return false;
	memcpy(range, *text, len);
	range[len] = '\0';
	*text += len;
	dash = strchr(range, '-');
	if (dash)
		*dash = '\0';
	return ws_parse_u64(range, low) && ws_parse_u64(dash ? dash + 1 : range, high) &&
	       *low <= *high;
}

static enum ws_status read_sms(struct ws_source *source, const struct cli_call *call,
			       struct ws_err *err)
{
	const char *list = options_of(call)->sm, *text = list;
	uint64_t most = ws_l1s(&source->machine) - 1, low, high;

	while (text) {
		if (!read_range(&text, &low, &high))
			return cli_usage(call->command, err, "--sm=%s: want numbers and ranges, as "
					 "in 0-3,7", list);
		if (high > most)
			return cli_usage(call->command, err, "--sm=%s: want SMs 0..%" PRIu64, list,
					 most);
		for (; low <= high; low++)
			ws_bit_set(source->sm, low);
		text = *text == ',' ? text + 1 : NULL;
	}
	return WS_OK;
}

/* ---- shapes ------------------------------------------------------------------ */

/* The machine with lines of another size, and sets that keep its size. */
static struct ws_machine resized(const struct ws_machine *m, uint64_t line_bytes)
{
	struct ws_machine other = *m;

	other.l1.line_bytes = line_bytes;
	other.l1.sector_bytes = ws_shape_sector(m, line_bytes);
	other.l1.sets = m->l1.sets * m->l1.line_bytes / line_bytes;
	return other;
}

static enum ws_status add_default(struct ws_shapes *shapes, const struct ws_machine *own,
				  uint64_t line_bytes, struct ws_err *err)
{
	struct ws_machine m = resized(own, line_bytes);
	struct ws_shape *all;
	size_t count;
	enum ws_status status = ws_profile_shapes(&m, &all, &count, err);

	for (size_t i = 0; i < count && status == WS_OK; i++)
		if (all[i].line_bytes == line_bytes)
			status = ws_shapes_add(shapes, line_bytes, all[i].sets, err);
	free(all);
	return status;
}

/* What does not come out whole, or the hash does not take, is left out at other lines. */
static enum ws_status add_scaled(struct ws_shapes *shapes, const struct ws_machine *own,
				 uint64_t line_bytes, uint64_t sets, struct ws_err *err)
{
	struct ws_cache c = resized(own, line_bytes).l1;
	enum ws_status status = WS_OK;

	c.sets = sets * own->l1.line_bytes / line_bytes;
	if (line_bytes == own->l1.line_bytes || sets == 1)
		status = ws_shapes_add(shapes, line_bytes, sets, err);
	if (c.sets * line_bytes == sets * own->l1.line_bytes &&
	    c.sets <= ws_key_find("l1.sets")->max &&
	    (c.sets == 1 || !c.hash->check || c.hash->check(&c, NULL) == WS_OK) &&
	    status == WS_OK)
		status = ws_shapes_add(shapes, line_bytes, c.sets, err);
	return status;
}

static enum ws_status add_line(struct ws_shapes *shapes, const struct ws_machine *own,
			       uint64_t line_bytes, const struct numbers *sets, struct ws_err *err)
{
	enum ws_status status = WS_OK;

	if (!sets->count)
		return add_default(shapes, own, line_bytes, err);
	for (size_t i = 0; i < sets->count && status == WS_OK; i++)
		status = add_scaled(shapes, own, line_bytes, sets->value[i], err);
	return status;
}

/* The set counts of a profile for which none was given: predict may ask for sizes and ways around
 * the machine's. */
static enum ws_status add_plain(struct ws_shapes *plain, const struct ws_machine *own,
				struct ws_err *err)
{
	struct ws_shape *all;
	size_t count;
	enum ws_status status = ws_profile_plain(own, &all, &count, err);

	for (size_t i = 0; i < count && status == WS_OK; i++)
		status = ws_shapes_add(plain, all[i].line_bytes, all[i].sets, err);
	free(all);
	return status;
}

static enum ws_status suit_hash(const struct ws_machine *own, const struct numbers *sets,
				struct ws_err *err)
{
	struct ws_cache c = own->l1;
	struct ws_err inner = { 0 };

	for (size_t i = 0; c.hash->check && i < sets->count; i++) {
		c.sets = sets->value[i];
		if (c.sets > 1 && c.hash->check(&c, &inner) != WS_OK)
			return refuse("--sets", "l1.sets", &inner, err);
	}
	return WS_OK;
}

/* own: the machine that is measured with; what: the one that is asked about. */
static enum ws_status find_shapes(struct ws_shapes *shapes, const struct profile_options *o,
				  const struct ws_machine *own, const struct ws_machine *what,
				  struct ws_err *err)
{
	const uint64_t usual[] = { 32, 128 };
	struct numbers lines = { 0 }, sets = { 0 };
	enum ws_status status = read_numbers(&lines, "--lines", "l1.line", o->lines, err);
	size_t count;

	if (status == WS_OK)
		status = read_numbers(&sets, "--sets", "l1.sets", o->sets, err);
	if (status == WS_OK)
		status = suit_hash(own, &sets, err);
	if (status == WS_OK)
		status = add_line(shapes, own, own->l1.line_bytes, &sets, err);
	count = o->lines ? lines.count : WS_COUNT(usual);
	for (size_t i = 0; i < count && status == WS_OK; i++) {
		uint64_t line = o->lines ? lines.value[i] : usual[i];

		if (line != own->l1.line_bytes)
			status = add_line(shapes, own, line, &sets, err);
	}
	if (status == WS_OK)
		status = ws_shapes_add(shapes, own->l1.line_bytes, own->l1.sets, err);
	if (status == WS_OK)
		status = ws_shapes_add(shapes, what->l1.line_bytes, what->l1.sets, err);
	free(lines.value);
	free(sets.value);
	return status;
}

/* ---- the command ------------------------------------------------------------- */

/* Of a part of the lines, or of all but with distances alone. */
static bool is_sampled(const struct profile_options *o)
{
	return o->common.sample > 0 || o->common.sample < 0 || o->common.sample_lines;
}

static enum ws_status find_record(unsigned *record, const struct cli_call *call,
				  struct ws_err *err)
{
	const struct profile_options *o = options_of(call);
	bool sampled = is_sampled(o);

	if (o->set_sample && (o->no_set_sample || o->distances || sampled))
		return cli_usage(call->command, err, "--set-sample and --%s: want one of them",
				 o->no_set_sample ? "no-set-sample"
				 : o->distances ? "distances" : "sample");
	if (o->l2 && (o->sm || sampled))
		return cli_usage(call->command, err, "--l2 and --%s: want one of them: the L2 is "
				 "of all SMs and lines", o->sm ? "sm" : "sample");
	if ((o->chunks || o->grains) && sampled)
		return cli_usage(call->command, err, "--%s and --sample: want one of them",
				 o->grains ? "grains" : "chunks");
	*record = o->distances || sampled ? 0
		: WS_RECORD_DEFAULT & ~(o->no_set_sample ? (unsigned)WS_RECORD_SETS : 0u);
	*record |= o->chunks || o->grains ? WS_RECORD_CHUNKS : 0;
	return WS_OK;
}

/* predict starts from the machine as it was set, but for the L1's line and sets: sites are counted
 * at those that were measured. */
static void keep_machine(const struct cli_call *call, struct ws_profile *profile,
			 const struct ws_machine *what)
{
	struct ws_cache own = profile->machine.l1;

	profile->machine = *what;
	if (ws_study_measured_l1(&profile->machine.l1, &own))
		cli_note(call, "another l1.line or l1.sets is measured too, but predict starts "
			 "from the machine's own %" PRIu64 " sets of lines of %" PRIu64
			 " bytes: set it there again", own.sets, own.line_bytes);
}

#define ORDERS_USUAL 4u

/* Orders of other L1s, about. */
static size_t count_orders(const struct ws_source *source, const struct profile_options *o)
{
	size_t count = 1;

	if (source->order != WS_ORDER_CYCLES || (o->orders && strcmp(o->orders, "none") == 0))
		return 0;
	if (!o->orders)
		return is_sampled(o) ? 0 : ORDERS_USUAL;
	for (const char *c = o->orders; *c; c++)
		count += *c == ',';
	return count;
}

/* Adds them. */
static enum ws_status add_orders(const struct ws_source *source, const struct profile_options *o,
				 struct ws_profile *p, struct ws_err *err)
{
	uint64_t size = source->machine.l1.size_bytes;
	uint64_t usual[ORDERS_USUAL] = { size / 4, size / 2, 2 * size, 4 * size };
	struct numbers asked = { 0 };
	enum ws_status status;

	if (!count_orders(source, o))
		return WS_OK;
	if (!o->orders)
		return ws_source_orders(source, usual, WS_COUNT(usual), p, err);
	status = read_numbers(&asked, "--orders", "l1.size", o->orders, err);
	for (size_t i = 1; i < asked.count && status == WS_OK; i++)
		if (asked.value[i] <= asked.value[i - 1])
			status = ws_fail(err, WS_EINVAL, "--orders=%s: want ascending sizes",
					 o->orders);
	if (status == WS_OK)
		status = ws_source_orders(source, asked.value, asked.count, p, err);
	free(asked.value);
	return status;
}

static enum ws_status choose_sample(struct ws_source *source, struct cli_call *call,
				    double seconds, struct ws_err *err)
{
	struct ws_pilot pilot;
	enum ws_status status = ws_source_pilot(source, seconds, CLI_SAMPLE_MIN, &pilot, err);

	if (status == WS_OK)
		source->options = cli_sample_chosen(call, &pilot);
	return status;
}

/* *out stays NULL if the part has nothing to do. */
static enum ws_status measure_source(struct ws_profile **out, const struct cli_call *call,
				     struct ws_source *source, struct ws_err *err)
{
	enum ws_split how = WS_SPLIT_NONE;
	enum ws_status status = WS_OK;
	bool any = true;

	source->others = count_orders(source, options_of(call));
	if (call->parts > 1)
		status = ws_source_part(source, call->part, call->parts, &how, &any, err);
	if (status == WS_OK && any)
		status = ws_source_profile(source, out, err);
	if (status == WS_OK && any)
		status = add_orders(source, options_of(call), *out, err);
	return status == WS_OK && any && call->asked ? cli_profile_part(call, *out, how, err)
						     : status;
}

/* seconds: --time, or 0. */
static enum ws_status measure(struct ws_profile **out, struct cli_call *call,
			      const struct ws_trace *t, double seconds, struct ws_err *err)
{
	struct ws_source source = { .options = cli_ask(call), .trace = t, .seed = call->seed };
	struct ws_study_plan plan;
	enum ws_status status;

	call->options->level = options_of(call)->l2 ? "all" : NULL;
	call->own_order = true;
	status = cli_plan_init(&plan, call, NULL, t, err);
	if (status == WS_OK)
		status = find_record(&source.record, call, err);
	source.grain_period = options_of(call)->grains;
	source.set_sample = options_of(call)->set_sample;
	source.timed = source.record & WS_RECORD_SETS;
	if (status == WS_OK)
		status = ws_source_machines(&source, &plan, 0, err);
	if (status == WS_OK)
		status = read_sms(&source, call, err);
	if (status == WS_OK)
		status = find_shapes(&source.shapes, options_of(call), &source.measured,
				     &plan.machine, err);
	if (status == WS_OK && !options_of(call)->sets && !options_of(call)->lines)
		status = add_plain(&source.plain, &source.measured, err);
	if (status == WS_OK && plan.l2)
		status = ws_source_behind(&source, &plan.machine, err);
	if (status == WS_OK && seconds > 0)
		status = choose_sample(&source, call, seconds, err);
	if (status == WS_OK)
		status = measure_source(out, call, &source, err);
	if (*out && status == WS_OK)
		keep_machine(call, *out, &plan.machine);
	ws_shapes_clear(&source.shapes);
	ws_shapes_clear(&source.plain);
	ws_l2_wanted_clear(&source.behind);
	ws_study_plan_clear(&plan);
	return status;
}

static enum ws_status run_profile(struct cli_call *call, struct ws_err *err)
{
	struct ws_profile *profile = NULL;
	struct ws_out out = { 0 };
	struct cli_input input;
	double seconds = 0;
	enum ws_status status = cli_sample_time(call, &seconds, err);

	if (status == WS_OK)
		status = cli_input_open(&input, call, 0, CLI_TRACE, err);
	if (status != WS_OK)
		return status;
	status = cli_binary_open(&out, call, "profile", err);
	if (status == WS_OK)
		status = measure(&profile, call, input.trace, seconds, err);
	if (status == WS_OK && profile)
		status = call->asked ? ws_profile_write(profile, &out, err)
				     : cli_profile_end(call, profile, &out, err);
	if (status == WS_OK)
		status = ws_out_commit(&out, err);
	ws_out_abort(&out);
	ws_profile_free(profile);
	cli_input_close(&input);
	return status;
}

const struct cli_command cli_cmd_profile = {
	.name = "profile",
	.summary = "measures a trace once; the profile answers what-ifs",
	.usage = "[options] [FILE]",
	.description =
		"Reads a trace or a launch file and orders its requests as the machine's SMs "
		"would issue them. One pass over them makes the profile. From it `warpstack "
		"predict` and `warpstack sweep` compute miss rates of any associativity, at the "
		"line sizes and set counts that it has, without the trace.\n"
		"\n"
		"A profile holds the histograms of stack distances for each line size and set "
		"count, loads, stores and atomics apart; the same for each array and source "
		"line at the machine's own; and, for policies other than LRU and for latency, "
		"what lies between the uses of a line (warpstack-profile(5)). --distances "
		"leaves the last out.\n"
		"\n"
		"Keys of the stages order and profile (`warpstack help keys`) are part of what "
		"is measured; in the order of cycles so are those of the stage cycles and the "
		"L1's size. The other keys are kept as what predict starts from, but for "
		"l1.line, l1.sets and, in nominal order, l1.size.\n"
		"\n"
		"With --sample or --sample-lines only distances are recorded, and not all of an "
		"SM's stream of more than 524288 requests. Recent reuse is measured exactly, in "
		"bursts of one part in two to sixteen of the time, and the rest by some of the "
		"lines. This is for streams of tens of millions of requests per SM; shorter "
		"ones take about as long as whole. A line size and set count was measured whole "
		"if the variance of its kinds of request is zero or missing.",
	.examples =
		"warpstack profile mm.wst -m gtx480 -o mm.wsp\n"
		"warpstack profile mm.wst --set l1.hash=xor --sets 32,64 -o xor.wsp\n"
		"warpstack profile mm.wst --lines 64 --sets 1:4096:x2 --distances -o fine.wsp\n"
		"warpstack profile mm.wst --sample 0.01 -o sampled.wsp\n"
		"warpstack trace mm.launch | warpstack profile | warpstack predict",
	.table = { table, cli_general },
	.size = sizeof(struct profile_options),
	.operands_max = 1,
	.complete = "file",
	.run = run_profile,
};
