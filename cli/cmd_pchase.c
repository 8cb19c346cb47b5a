/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cli/cmd_pchase.c -- what a cache is, from the latencies of loads.
 */
#include "cli/pchase.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define AT(member) offsetof(struct pchase_options, member)
#define VERBS \
	"infer|trace|conf|curve|classic|means|map|structure|spectrum|banks|report"
#define TRACE_MOST (1ull << 26) /* loads */

static const struct ws_option table[] = {
	CLI_OPT_MACHINE, CLI_OPT_SET,
	{ .name = "target", .type = WS_OPT_CHOICE, .offset = AT(target), .arg = "TARGET",
	  .choices = CLI_CHASE_TARGETS,
	  .brief = "what is measured: machine, cpu, opencl, cuda",
	  .help = "what answers the loads: the machine, as simulated; the processor that this "
		  "runs on; a device of OpenCL; a GPU of NVIDIA's; machine if left out" },
	{ .name = "platform", .type = WS_OPT_U64, .offset = AT(platform), .arg = "N", .max = 255,
	  .help = "--target opencl: the platform's number; 0, the first, if left out" },
	{ .name = "device", .type = WS_OPT_U64, .offset = AT(device), .arg = "N", .max = 255,
	  .help = "--target opencl, cuda: the device's number; 0, the first, if left out" },
	{ .name = "cache", .type = WS_OPT_CHOICE, .offset = AT(cache), .arg = "CACHE",
	  .choices = "l1 l2 readonly",
	  .brief = "of cpu and cuda: which cache",
	  .help = "--target cpu, cuda: what is asked: the L1, the L2 past it, or a GPU's "
		  "read-only cache; l1 if left out" },
	{ .name = "jitter", .type = WS_OPT_REAL, .offset = AT(jitter), .arg = "PART", .above = 0,
	  .most = 0.5,
	  .brief = "noise of latencies, relative",
	  .help = "the machine's latencies vary, with this standard deviation relative to them; "
		  "not at all if left out" },
	{ .name = "outliers", .type = WS_OPT_REAL, .offset = AT(outliers), .arg = "PART",
	  .above = 0, .most = 0.2,
	  .help = "this part of the loads takes 300 to 2000 cycles more; none if left out" },
	{ .name = "loads", .type = WS_OPT_U64, .offset = AT(loads), .arg = "N", .min = 1,
	  .max = UINT64_MAX,
	  .help = "infer and conf: loads at most; what they do not suffice for is not "
		  "determined; 67108864 if left out" },
	{ .name = "seconds", .type = WS_OPT_REAL, .offset = AT(limit), .arg = "S",
	  .above = 0, .most = 1e9,
	  .help = "infer and conf: at most so long, as a busy processor repeats what was "
		  "disturbed; no limit if left out" },
	{ .name = "array", .type = WS_OPT_U64, .offset = AT(array), .arg = "BYTES", .min = 1,
	  .max = 1ull << 34,
	  .help = "trace: the array that is walked; a line more than the cache if left out" },
	{ .name = "stride", .type = WS_OPT_U64, .offset = AT(stride), .arg = "BYTES", .min = 1,
	  .max = 1ull << 34,
	  .help = "trace: from one load to the next; the machine's l1.sector if left out" },
	{ .name = "passes", .type = WS_OPT_U64, .offset = AT(passes), .arg = "N", .min = 1,
	  .max = 1u << 20,
	  .help = "trace: walks over the array, from an empty cache; 2 if left out" },
	{ .name = "like", .type = WS_OPT_STRING, .offset = AT(like), .arg = "FILE",
	  .complete = "file",
	  .brief = "measured curves to compare with",
	  .help = "curve and report: the walks of this file, whose measured miss ratios "
		  "stand beside the predicted ones" },
	{ .name = "page", .type = WS_OPT_U64, .offset = AT(page), .arg = "BYTES", .min = 4096,
	  .max = 1ull << 30, .help = "spectrum: of a page of virtual memory; tlb.page, or 2M, "
		  "if left out" },
	{ .name = "base", .type = WS_OPT_U64, .offset = AT(base), .arg = "BYTES", .min = 0,
	  .max = 1ull << 34,
	  .help = "curve and map: the address of the array, which counts where a hash mixes "
		  "address bits; 0 if left out, with --nearest the one that fits" },
	{ .name = "nearest", .type = WS_OPT_FLAG, .offset = AT(nearest),
	  .help = "curve: predicts with the cache that infer FILE finds nearest as the machine's "
		  "L1; goes with --like" },
	{ .name = "policies", .type = WS_OPT_STRING, .offset = AT(policies), .arg = "LIST",
	  .help = "curve: replacement policies of the L1, as lru,fifo,random: each has a curve; "
		  "the machine's own if left out" },
	CLI_OPT_SEED, { 0 },
};

/* ---- infer -------------------------------------------------------------------------- */

static const enum ws_col infer_columns[] = {
	WS_COL_PROPERTY, WS_COL_VALUE, WS_COL_UNIT, WS_COL_DETERMINED, WS_COL_CERTAINTY,
	WS_COL_NOTE,
};

struct chase_row {
	const char *property, *value, *unit;
	double certainty;	/* 0: not determined */
	const char *note;
};

static void put_row(struct ws_table *t, struct chase_row row)
{
	ws_cell_str(t, WS_COL_PROPERTY, row.property);
	ws_cell_str(t, WS_COL_UNIT, row.unit);
	ws_cell_str(t, WS_COL_DETERMINED, row.certainty > 0 ? "yes" : "no");
	if (row.certainty > 0) {
		ws_cell_str(t, WS_COL_VALUE, row.value);
		ws_cell_f64(t, WS_COL_CERTAINTY, row.certainty);
	}
	ws_cell_str(t, WS_COL_NOTE, row.note);
	ws_row_end(t);
}

static void put_number(struct ws_table *t, const char *property, struct ws_chase_value v,
		       const char *unit, const char *note)
{
	char number[24];

	snprintf(number, sizeof number, "%" PRIu64, v.value);
	put_row(t, (struct chase_row){ property, number, unit, v.confidence, note });
}

static void put_levels(struct ws_table *t, const struct ws_chase *c)
{
	for (size_t i = 0; i < c->levels; i++) {
		const struct ws_chase_level *l = &c->level[i];
		char number[24], note[96];

		snprintf(number, sizeof number, "%.0f", l->cycles);
		snprintf(note, sizeof note, "%s; loads of %.0f to %.0f cycles", i ? "a miss" :
			 "a hit", l->low, l->high);
		put_row(t, (struct chase_row){ "latency", number, "cycles", 1, note });
	}
}

static void put_set_ways(struct ws_table *t, const struct ws_chase *c)
{
	char text[WS_CHASE_SETS * 4 + 8];
	size_t at = 0;

	for (size_t i = 0; i < c->sets.value && at < sizeof text; i++)
		at += (size_t)snprintf(text + at, sizeof text - at, "%s%" PRIu64, i ? "," : "",
				       c->set_ways[i]);
	put_row(t, (struct chase_row){ "set_ways", text, "lines", c->size.confidence,
				       "the lines of each set, counted by themselves" });
}

static void put_victims(struct ws_table *t, const struct ws_chase *c)
{
	char text[WS_CHASE_VICTIMS * 8 + 8] = "", note[96];
	uint64_t sum = 0;
	size_t at = 0;

	for (size_t i = 0; i < c->victim_ways; i++)
		sum += c->victims[i];
	for (size_t i = 0; i < c->victim_ways && sum; i++)
		at += (size_t)snprintf(text + at, sizeof text - at, "%s%.3f", i ? "," : "",
				       (double)c->victims[i] / (double)sum);
	snprintf(note, sizeof note, "the way that a full set loses first, by order of filling; %"
		 PRIu64 " times", sum);
	put_row(t, (struct chase_row){ "victims", text, NULL, sum > 0, note });
}

static void put_policy(struct ws_table *t, const struct ws_chase *c)
{
	char note[WS_CHASE_TEXT + 128] = "";

	if (c->policy_confidence > 0)
		snprintf(note, sizeof note, "%s%s", c->random ? "draws random numbers; misses as "
			 "often at each load" : "misses at the same loads as its simulation",
			 strchr(c->policy, ' ') ? "; these cannot be told apart" : "");
	else if (c->nearest[0])
		snprintf(note, sizeof note, "%s; the nearest is %.*s",
			 c->random ? "draws random numbers" : "draws no random numbers",
			 (int)WS_CHASE_TEXT, c->nearest);
	put_row(t, (struct chase_row){ "policy", c->policy, NULL, c->policy_confidence, note });
	if (c->random && c->victim_ways)
		put_victims(t, c);
}

/* Nothing where there is no TLB. */
static void put_tlbs(struct ws_table *t, const struct ws_chase *c)
{
	if (c->tlbs)
		put_number(t, "page", c->page, "bytes", "steps of which each misses in the TLBs");
	for (unsigned i = 0; i < c->tlbs; i++) {
		const struct ws_chase_tlb *tlb = &c->tlb[i];
		char name[24], text[2 * WS_NAME_MAX], number[24];

		snprintf(name, sizeof name, "tlb_l%u", i + 1);
		ws_set_ways_text(&tlb->entries, text, sizeof text);
		put_row(t, (struct chase_row){ name, text, "entries", tlb->confidence,
					       "of its sets, by the pages that miss" });
		snprintf(name, sizeof name, "tlb_l%u_reach", i + 1);
		put_number(t, name, tlb->reach, "pages", "one after the other, all found again");
		snprintf(name, sizeof name, "tlb_l%u_miss", i + 1);
		snprintf(number, sizeof number, "%.0f", tlb->cycles);
		put_row(t, (struct chase_row){ name, number, "cycles", 1, i ? "on top of that of "
					       "the first" : "on top of a miss in the L1" });
	}
}

static void put_found(struct ws_table *t, const struct ws_chase *c)
{
	char hash[96], size[96];

	put_levels(t, c);
	put_number(t, "sector", c->sector, "bytes", "distance of misses in a walk over new words");
	put_number(t, "line", c->line, "bytes", "offsets that share a way");
	put_number(t, "ways", c->ways, "lines", c->unequal ? "of the set that is full first" :
		   "one line less than the fewest that miss for ever");
	snprintf(hash, sizeof hash, "address bits %u to %u; confirmed by lines drawn at random",
		 c->hash_low, c->hash_high);
	put_row(t, (struct chase_row){ "hash", c->hash, NULL, c->hash_confidence,
				       c->hash_confidence > 0 ? hash : NULL });
	put_number(t, "sets", c->sets, NULL, !(c->sets.confidence > 0) ? NULL :
		   c->hash_confidence > 0 ? "by the index" :
		   "those of a page's lines, times the colours of pages");
	snprintf(size, sizeof size, c->hash_confidence > 0 ?
		 "each set was filled, and asked for a line more" :
		 "sets, ways and line multiplied");
	if (c->short_sets)
		snprintf(size, sizeof size, "something else has a line of %" PRIu64 " of the sets "
			 "all the time", c->short_sets);
	put_number(t, "size", c->size, "bytes", c->size.confidence > 0 ? size : NULL);
	if (c->unequal)
		put_set_ways(t, c);
	put_policy(t, c);
	put_tlbs(t, c);
	put_number(t, "loads", (struct ws_chase_value){ c->loads, 1 }, NULL, NULL);
}

static void put_measured(struct ws_table *t, const struct chase_call *c)
{
	char number[24];

	if (c->target.name[0])
		put_row(t, (struct chase_row){ "device", c->target.name, NULL, 1, NULL });
	snprintf(number, sizeof number, "%.2f", c->seconds);
	put_row(t, (struct chase_row){ "time", number, "seconds", 1, "of the measurement" });
}

/* Of a file: what is found there by trying caches. */
static void put_explained(struct ws_table *t, const struct ws_chase *c,
			  const struct ws_chase_nearest *n)
{
	const char *agreed = "caches that miss as measured agree on it";
	char text[WS_CHASE_TEXT], number[24], policy[WS_NAME_MAX];

	put_levels(t, c);
	put_number(t, "fits", (struct ws_chase_value){ n->fits, n->fits > 0 }, "bytes",
		   "the largest array of the curve that does not miss");
	put_number(t, "overflows", (struct ws_chase_value){ n->overflows, n->overflows > 0 },
		   "bytes", "the smallest that does");
	put_number(t, "sector", c->sector, "bytes", agreed);
	put_number(t, "line", c->line, "bytes", agreed);
	put_number(t, "ways", c->ways, "lines", agreed);
	put_row(t, (struct chase_row){ "hash", c->hash, NULL, c->hash_confidence, agreed });
	put_number(t, "sets", c->sets, NULL, agreed);
	put_number(t, "size", c->size, "bytes", agreed);
	put_row(t, (struct chase_row){ "policy", c->policy, NULL, c->policy_confidence,
				       "with the nearest cache; these cannot be told apart" });
	if (!n->cache.ways)
		return;
	snprintf(policy, sizeof policy, "%.*s", (int)strcspn(c->policy, " "), c->policy);
	snprintf(text, sizeof text, "%" PRIu64 " sets, %" PRIu64 " ways, lines of %" PRIu64
		 ", sectors of %" PRIu64 " bytes, %s, %s", n->cache.sets, n->cache.ways,
		 n->cache.line_bytes, n->cache.sector_bytes, n->cache.hash->name,
		 policy[0] ? policy : n->cache.policy);
	put_row(t, (struct chase_row){ "nearest", text, NULL, 1, "the cache that is off least" });
	snprintf(number, sizeof number, "%.2f", n->best_pp);
	put_row(t, (struct chase_row){ "error", number, "points", 1, "of the nearest" });
}

static enum ws_status explain_file(struct chase_call *c, struct ws_chase_nearest *nearest,
				   struct ws_err *err)
{
	struct ws_chase_file file = { 0 };
	struct ws_in in = { 0 };
	enum ws_status status = cli_input_bytes(&in, c->call, 1, err);

	if (status == WS_OK)
		status = ws_chase_read(&file, &in, err);
	if (status == WS_OK)
		status = ws_chase_explain(&c->found, nearest, &file, err);
	ws_chase_file_clear(&file);
	ws_in_close(&in);
	return status;
}

static enum ws_status run_infer(struct chase_call *c, struct ws_err *err)
{
	bool file = c->call->operands.count > 1;
	struct ws_chase_nearest nearest = { 0 };
	struct cli_report report = { 0 };
	enum ws_status status = file ? explain_file(c, &nearest, err) : cli_chase_infer(c, err);

	if (status == WS_OK && c->found.contradictory) {
		cli_note(c->call, "the evidence is contradictory: sets hold other numbers of lines "
			 "together than alone, so this is no set-associative cache");
		c->call->no = true;
	}

	if (status == WS_OK)
		status = cli_report_begin(&report, c->call, NULL, infer_columns,
					  WS_COUNT(infer_columns), err);
	if (status == WS_OK && file)
		put_explained(report.table, &c->found, &nearest);
	else if (status == WS_OK)
		put_found(report.table, &c->found);
	if (status == WS_OK && !cli_chase_simulated(c))
		put_measured(report.table, c);
	return cli_report_end(&report, status, err);
}

/* ---- trace --------------------------------------------------------------------------- */

static const enum ws_col trace_columns[] = {
	WS_COL_LOAD, WS_COL_PASS, WS_COL_OFFSET, WS_COL_LATENCY,
};

struct chase_walked {
	uint64_t *offset;
	double *cycles;
	uint64_t each, count;	/* loads of a pass, of all */
};

static enum ws_status walk_array(struct chase_call *c, struct chase_walked *w, struct ws_err *err)
{
	const struct ws_cache *l1 = &c->machine.l1;
	uint64_t array = c->o->array ? c->o->array : l1->size_bytes + l1->line_bytes;
	uint64_t stride = c->o->stride ? c->o->stride : l1->sector_bytes;
	uint64_t passes = c->o->passes ? c->o->passes : 2;
	enum ws_status status;

	w->each = (array - 1) / stride + 1;
	w->count = w->each * passes;
	if (w->each > TRACE_MOST / passes)
		return cli_usage(c->call->command, err, "%" PRIu64 " passes of %" PRIu64 " loads: "
				 "want at most %llu loads", passes, w->each, TRACE_MOST);
	w->offset = ws_alloc(w->count, sizeof *w->offset);
	w->cycles = ws_alloc(w->count, sizeof *w->cycles);
	if (!w->offset || !w->cycles)
		return ws_fail_memory(err, "the loads");
	for (uint64_t i = 0; i < w->count; i++)
		w->offset[i] = i % w->each * stride;
	status = cli_chase_open(c, err);
	if (status != WS_OK)
		return status;
	status = c->target.run(c->target.state, w->offset, w->count, true, w->cycles, err);
	cli_chase_tell(c);
	for (uint64_t i = 0; i < w->count && status == WS_OK && !cli_chase_simulated(c); i++)
		w->cycles[i] = fmax(0, rint(w->cycles[i] - c->target.offset));
	return status;
}

static enum ws_status run_trace(struct chase_call *c, struct ws_err *err)
{
	struct cli_report report = { 0 };
	struct chase_walked w = { 0 };
	enum ws_status status = walk_array(c, &w, err);

	if (status == WS_OK)
		status = cli_report_begin(&report, c->call, NULL, trace_columns,
					  WS_COUNT(trace_columns), err);
	for (uint64_t i = 0; i < w.count && status == WS_OK; i++) {
		ws_cell_u64(report.table, WS_COL_LOAD, i);
		ws_cell_u64(report.table, WS_COL_PASS, i / w.each);
		ws_cell_u64(report.table, WS_COL_OFFSET, w.offset[i]);
		ws_cell_f64(report.table, WS_COL_LATENCY, w.cycles[i]);
		ws_row_end(report.table);
	}
	free(w.offset);
	free(w.cycles);
	return cli_report_end(&report, status, err);
}

/* ---- conf ----------------------------------------------------------------------------- */

static void put_text(struct ws_buf *text, const char *what)
{
	ws_put_bytes(text, what, strlen(what));
}

static void put_comment(struct ws_buf *text, const char *what, const char *value, double certainty)
{
	char line[WS_CHASE_TEXT + 96];

	if (certainty > 0)
		snprintf(line, sizeof line, "# %s %s, certainty %.4f\n", what, value, certainty);
	else
		snprintf(line, sizeof line, "# %s was not determined: the value is not measured\n",
			 what);
	put_text(text, line);
}

static void put_evidence(struct ws_buf *text, const struct ws_chase *c)
{
	const struct {
		const char *name;
		struct ws_chase_value v;
	} value[] = {
		{ "sector", c->sector }, { "line", c->line }, { "ways", c->ways },
		{ "sets", c->sets }, { "size", c->size },
	};
	char line[2 * WS_NAME_MAX], name[24];

	snprintf(line, sizeof line, "# The L1 and the latencies are what %" PRIu64
		 " dependent loads say.\n", c->loads);
	put_text(text, line);
	for (size_t i = 0; i < WS_COUNT(value); i++) {
		snprintf(line, sizeof line, "%" PRIu64, value[i].v.value);
		put_comment(text, value[i].name, line, value[i].v.confidence);
	}
	put_comment(text, "hash", c->hash, c->hash_confidence);
	put_comment(text, "policy", c->policy, c->policy_confidence);
	for (unsigned i = 0; i < c->tlbs; i++) {
		snprintf(name, sizeof name, "tlb.l%u", i + 1);
		ws_set_ways_text(&c->tlb[i].entries, line, sizeof line);
		put_comment(text, name, line, c->tlb[i].confidence);
	}
}

static enum ws_status run_conf(struct chase_call *c, struct ws_err *err)
{
	struct ws_buf text = { 0 };
	enum ws_status status;

	if (!c->machine.l1.size_bytes)
		return ws_fail(err, WS_EINVAL, "%s has no L1: what its loads say is of the L2, "
			       "which infer shows", c->machine.name);
	status = cli_chase_infer(c, err);
	if (status == WS_OK)
		status = ws_chase_apply(&c->found, &c->machine, err);
	if (status == WS_OK) {
		put_evidence(&text, &c->found);
		ws_machine_write(&c->machine, &text);
		status = cli_write_text(c->call, c->call->options->output, &text,
					"the machine", err);
	}
	ws_buf_clear(&text);
	return status;
}

/* ---- the command ------------------------------------------------------------------------ */

static const struct chase_verb verbs[] = {
	{ "infer", run_infer, true }, { "trace", run_trace, true }, { "conf", run_conf, true },
	{ "curve", cli_chase_curve, false }, { "classic", cli_chase_classic, false },
	{ "means", cli_chase_means, false },
	{ "map", cli_chase_map, false }, { "structure", cli_chase_structure, true },
	{ "spectrum", cli_chase_spectrum, false }, { "banks", cli_chase_banks, false },
	{ "report", cli_chase_report, false },
};

static enum ws_status unknown_verb(const struct cli_call *call, const char *verb,
				   struct ws_err *err)
{
	char names[256] = "";
	size_t len = 0;

	for (size_t i = 0; i < WS_COUNT(verbs) && len < sizeof names; i++)
		len += (size_t)snprintf(names + len, sizeof names - len, "%s%s", verbs[i].name,
					i + 2 < WS_COUNT(verbs) ? ", " :
					i + 2 == WS_COUNT(verbs) ? " or " : "");
	return cli_usage(call->command, err, "'%.64s': want %s", verb, names);
}

static enum ws_status run_pchase(struct cli_call *call, struct ws_err *err)
{
	struct chase_call c = { .verbs = verbs, .call = call, .o = (const void *)call->options };
	const char *verb = call->operands.item[0];
	size_t i = 0;
	enum ws_status status = WS_OK;

	while (i < WS_COUNT(verbs) && strcmp(verbs[i].name, verb) != 0)
		i++;
	if (i == WS_COUNT(verbs))
		return unknown_verb(call, verb, err);
	if (call->operands.count > 1 && i > 0)
		return cli_usage(call->command, err, "%s reads no FILE, but %.64s is given", verb,
				 call->operands.item[1]);
	if (call->operands.count > 1 && (call->options->machine || call->options->set.count))
		return cli_usage(call->command, err, "a FILE and a machine (-m, --set): want one "
				 "of them");
	if (!cli_chase_simulated(&c) && !verbs[i].measured)
		return cli_usage(call->command, err, "%s is of a machine, but --target %s is "
				 "given", verb, c.o->target);
	if (!cli_chase_simulated(&c) && (call->operands.count > 1 || c.o->jitter > 0 ||
					 c.o->outliers > 0))
		return cli_usage(call->command, err, "--target %s is measured: want no FILE, "
				 "--jitter or --outliers", c.o->target);
	if (call->operands.count == 1)
		status = cli_machine(call, &c.machine, err);
	if (status == WS_OK)
		status = verbs[i].run(&c, err);
	ws_chase_close(&c.target);
	return status;
}

const struct cli_command cli_cmd_pchase = {
	.name = "pchase",
	.summary = "finds a cache's parameters from load latencies",
	.usage = "[options] " VERBS " [FILE]",
	.description =
		"Pointer chasing loads one address after the other, each read from the place "
		"before it, and times each load.  The machine of -m answers as a GPU would: the "
		"loads of one thread go through its L1, with the latencies l1.latency, l2.latency "
		"and dram.latency, and with noise if --jitter says so.  Nothing else about the "
		"machine is known to what follows.\n"
		"\n"
		"infer: rows of the latencies, sector, line, ways, set index, sets, size and "
		"replacement policy, each with what it rests on.  A set that is asked for more "
		"lines than it has ways misses at least once in each pass over them, whatever the "
		"policy; one that is asked for no more never misses again.  From that follow the "
		"fewest lines that overflow a set, the address bits, or XORs of them, that choose "
		"it, and by counting the size of each set.  A walk over one set, "
		"repeated, is held against the simulation of each policy; those that cannot be "
		"told apart are named together.  Where the first load of a page takes longer "
		"than others that miss: the page, and of each TLB the entries of its sets, its "
		"reach, and what a miss takes, from walks over pages, under LRU.  Noise is "
		"met by repeating what is not yet sure.  "
		"What cannot be determined has no value, and determined says no.  Exit code 1: "
		"the evidence is contradictory, as of a cache that is not set-associative.\n"
		"\n"
		"infer FILE: the same of loads that were measured elsewhere, in comma-separated "
		"values with a header: offset and latency of each load from an empty cache, as "
		"trace writes them, of which the quickest are hits; or a curve, a row a walk with "
		"array_bytes, stride_bytes, miss_ratio and, if not the whole pass was timed, loads "
		"(rows without array_bytes are of fresh memory).  A file cannot be asked for more: "
		"caches are tried, and what all have in common that miss as measured is "
		"determined.\n"
		"\n"
		"trace: the loads of walks over an array, each with its offset and cycles.\n"
		"\n"
		"conf: the machine with what was found as its L1, as a .conf file with the "
		"evidence in comments; other keys stay the machine's.\n"
		"\n"
		"curve: the miss ratio of the L1 and the mean latency of the loads of walks over "
		"arrays of growing size, after a whole pass over each.  With --like these are the "
		"walks of a measured file, as infer FILE takes it, and each curve of it ends with "
		"a row of the mean and the largest error.  basis says how a row was found: exact, "
		"derived from the lines of each set under LRU, and what a simulation counts; or "
		"simulated, as all other policies are.  FIFO misses in such walks where LRU does.\n"
		"\n"
		"classic: the mean latency of a whole pass over arrays and strides, after one "
		"pass, as Saavedra and Wong measured it.  means: the size, sets and ways that such "
		"means have, beside those that infer finds.  The two agree where sets are equal "
		"and the policy is LRU; from where the mean no longer rises is the row flat.\n"
		"\n"
		"map: the lines of an array by the set that has them, with their words counted "
		"from 1.  structure: the lines that each set holds, as infer counted them, and of "
		"a policy that draws random numbers how often a full set loses each way.\n"
		"\n"
		"spectrum: the latencies P1 to P6 of Mei and Chu, by the cache that has the data "
		"and by TLB, and an L1 hit's, which asks no TLB.  Lines that the L2 has are "
		"walked, of more and more pages: where the latency rises, a TLB misses.\n"
		"\n"
		"banks: shared memory, a warp's thread t loading the word at t times the stride: "
		"the turns that the busiest bank takes, which are the ways of the conflict, and "
		"the latency, from the keys shared.banks, shared.width, shared.latency and "
		"shared.conflict.\n"
		"\n"
		"report: all of them, into the folder of -o: the rows, every figure of them, and "
		"report.md, which shows them.  With --like the measured walks are in the figure of "
		"the curve.\n"
		"\n"
		"--target cpu asks the level 1 of the processor that this runs on, which has to be "
		"an x86-64, or with --cache l2 its level 2: a thread bound to it, huge pages where "
		"they are allowed, latencies in ticks of the time stamp counter without what its "
		"reading takes.  Nothing but the loads touches the cache, and of all passes over "
		"the lines the quietest count.  Where the counter moves in steps of many ticks, "
		"the mean of many runs does.  Prefetchers cannot be turned off: lines that fit "
		"must do so in one of several orders, and the sector and the policy are not "
		"determined.  Where pages lie in a level 2 is not known: its sets are those of a "
		"page's lines, times the colours of pages, a power of two that is told by how many "
		"pages share the set of one.  Two attempts have to agree; on a busy processor that "
		"may fail.\n"
		"\n"
		"--target opencl asks a device through the ICD loader.  One work-item makes the "
		"loads, their offsets and latencies lie in local memory, and the clock is the "
		"device's, as its compiler knows it, or else a work-group that counts.  A launch "
		"is taken to begin with an empty cache.  Of a device that is a processor less can "
		"be told than with --target cpu.\n"
		"\n"
		"--target cuda asks a GPU through NVIDIA's driver, of CUDA 8.0 or newer; no "
		"toolkit is wanted.  One thread makes the loads (ld.global.ca, .cg or .nc), "
		"clock64 times them, their offsets and latencies lie in shared memory.  Loads "
		"that hit are timed before and after: if that has changed, as on a GPU that "
		"throttles, the loads are repeated, and a note says so.\n"
		"\n"
		"Sources: Mei and Chu, TPDS 2017; Vila, Koepf and Morales, S&P 2019; Abel and "
		"Reineke, RTAS 2013.",
	.examples =
		"warpstack pchase infer -m p100\n"
		"warpstack pchase infer -m gtx480 --set l1.policy=fifo --jitter 0.05 --outliers "
		"0.002\n"
		"warpstack pchase trace -m gtx480 --array 17K --stride 128 --passes 3\n"
		"warpstack pchase trace -m gtx480 --passes 3 --format csv -o walk.csv\n"
		"warpstack pchase infer walk.csv\n"
		"warpstack pchase conf -m v100 -o inferred.conf\n"
		"warpstack pchase curve -m gtx480 --policies lru,fifo,random\n"
		"warpstack pchase infer --target cpu\n"
		"warpstack pchase infer --target cpu --cache l2\n"
		"warpstack pchase infer --target opencl --device 0\n"
		"warpstack pchase conf --target cuda -m v100 -o gpu.conf\n"
		"warpstack pchase curve -m gtx480 --format csv -o curve.csv\n"
		"warpstack pchase curve -m gtx680 --like curve.csv --where item=curve\n"
		"warpstack pchase map -m p100 --array 12K --format table\n"
		"warpstack pchase structure -m gtx480 --set l1.policy=prob:1/6,1/2,1/6,1/6\n"
		"warpstack pchase spectrum -m v100\n"
		"warpstack pchase banks -m gtx480 --where 'turns>1'\n"
		"warpstack pchase report -m p100 -o p100-report",
	.table = { table, cli_report, cli_general },
	.size = sizeof(struct pchase_options),
	.operands_min = 1,
	.operands_max = 2,
	.complete = "file",
	.verbs = VERBS,
	.run = run_pchase,
};
