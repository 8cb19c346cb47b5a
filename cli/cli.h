/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cli/cli.h -- what the commands share.
 *
 * A command is one row: a struct cli_command in its cmd_<name>.c, listed in
 * CLI_COMMANDS.  The parser, --help, the man pages and shell completion walk
 * that list; nothing else names the commands.
 *
 * From a file to rows:
 *   input.c    FILE -> trace or profile; a launch file is captured first, a trace of
 *              another tool's converted
 *   plan.c     -m, --set and --vary -> machines; which configurations share a stream
 *   policies.c lists of policies; what they want of a profile
 *   level.c    --level; which L1s and set counts the L2 needs of a profile
 *   shapes.c   which line sizes and set counts they need of a profile
 *   source.c   a trace -> streams or profiles
 *   model.c    predict and sweep; rows.c writes what they and simulate have found
 *   verify.c   --verify: exact counts in place of unsure predictions
 *   engine.c   runs the plan: one preparation per group, configurations in
 *              parallel, rows in order
 *   output.c   -o, --format, --columns, --sort, --where, the provenance line
 * columns.c explains the columns, whose list is study/columns.c.
 * cycles.h is what commands with --cycles share, info.h and softcache.h what one command's files
 * do.
 */
#ifndef WS_CLI_H
#define WS_CLI_H

#include "plots/plots.h"

/* ---- commands ------------------------------------------------------------ */

struct cli_options { /* the first member of every command's options */
	bool help, quiet, verbose, no_provenance, provenance, verify;
	bool cycles;		/* simulate and crosscheck: with the cycle simulator */
	bool latency;		/* predict and sweep: pending hits and cycles */
	const char *format;	/* "auto": as output.c chooses */
	const char *output, *machine;
	const char *columns, *sort; /* of the rows; NULL: the usual ones, as they come */
	uint64_t top;		/* 0: all rows */
	struct ws_list set, vary, where;
	uint64_t threads, seed, runs;
	double sample;		/* 0: not given */
	uint64_t sample_lines;	/* 0: not given */
	const char *by, *kind, *from;
	const char *order;	/* a name of enum ws_order; NULL: the usual one, or the profile's */
	const char *level;	/* "l1", "l2", "all"; NULL: l1 */
	const char *per, *per_usual; /* usual: if --per is left out; NULL: see CLI_OPT_PER */
};

#define CLI_SAMPLE_MIN 1e-6
#define CLI_SAMPLE_LINES_MIN 64u

#define CLI_SEED_DEFAULT 1u
#define CLI_SEED_NONE UINT64_MAX /* --seed was not given */

struct cli_call { /* one run of a command */
	const struct cli_command *command;
	struct cli_options *options; /* of command->size bytes */
	struct ws_list operands;
	int argc;		/* argv[0] is the command's name */
	char **argv;
	uint64_t seed;		/* --seed, the profile's, or the default */
	bool no;		/* it ran, and the answer is no: exit 1 */
	bool *noted;		/* what there was to say of the machine has been said */
};

#define CLI_TABLES 3
enum {
	CLI_LIST_KEYS = 1, CLI_LIST_POLICIES = 2, CLI_LIST_FIGURES = 4, CLI_LIST_HASHES = 8,
	CLI_LIST_FORMATS = 16,
};

struct cli_command {
	const char *name, *summary;	/* summary NULL: not shown in lists */
	const char *usage;		/* after the name: "[options] [FILE]" */
	const char *description;	/* paragraphs, separated by a blank line */
	const char *examples;		/* lines: a command, or "# what it does" */
	const struct ws_option *table[CLI_TABLES]; /* NULL after the last */
	size_t size;			/* of its struct of options */
	size_t operands_min, operands_max;
	const char *complete;		/* the first operand: "file", "machine", "figure",
					 * "command" */
	unsigned lists;			/* CLI_LIST_*: also explained in its manual page */
	enum ws_status (*run)(struct cli_call *call, struct ws_err *err);
};

#define CLI_COMMANDS(X) \
	X(trace) X(convert) X(profile) X(merge) X(predict) X(sweep) X(simulate) X(crosscheck) X(plot) \
	X(softcache) X(machine) X(policies) X(info) X(help) X(version) X(manual) X(completion)
#define CLI_DECLARE(name) extern const struct cli_command cli_cmd_##name;
CLI_COMMANDS(CLI_DECLARE)
extern const struct cli_command *const cli_commands[]; /* NULL-terminated */
extern const char cli_help_command[], cli_version_command[]; /* what --help and --version mean */
const struct cli_command *cli_command_find(const char *name); /* NULL if there is none */
size_t cli_tables(const struct cli_command *command); /* how many tables of options it has */
bool cli_has_option(const struct cli_command *command, const char *name);
/* WS_EINVAL, with the nearest name. */
enum ws_status cli_command_unknown(const char *name, struct ws_err *err);

/* Rows of option tables that several commands have. */
#define CLI_AT(member) offsetof(struct cli_options, member)
extern const struct ws_option cli_general[]; /* --help, -q, -v */
extern const struct ws_option cli_report[];  /* CLI_OPT_REPORT */
#define CLI_OPT_MACHINE \
	{ .name = "machine", .letter = 'm', .type = WS_OPT_STRING, .offset = CLI_AT(machine), \
	  .arg = "NAME|FILE", .complete = "machine", \
	  .help = "the machine: a preset (`warpstack machine` lists them), a .conf file or a " \
		  "gpgpusim.config; " \
		  "a profile's own machine, or else " WS_MACHINE_DEFAULT ", if left out" }
#define CLI_OPT_SET \
	{ .name = "set", .type = WS_OPT_LIST, .offset = CLI_AT(set), .arg = "KEY=VALUE", \
	  .complete = "key", \
	  .help = "overrides one key of the machine; may be repeated" }
#define CLI_OPT_VARY \
	{ .name = "vary", .type = WS_OPT_LIST, .offset = CLI_AT(vary), .arg = "KEY=RANGE", \
	  .complete = "range", \
	  .help = "runs through a,b,c or LO:HI:+STEP or LO:HI:xFACTOR; repeated, the product " \
		  "of the ranges is swept, the last one fastest.  l1.policy=all stands for " \
		  "every policy but variants; in its lists what is no policy's name is one more " \
		  "parameter of the policy before: lru,srrip:2,fp,prob:1/2,1/2 are three" }
#define CLI_OPT_THREADS \
	{ .name = "threads", .type = WS_OPT_U64, .offset = CLI_AT(threads), .arg = "N", .min = 1, \
	  .max = 4096, .help = "threads to use; all cores if left out; no result depends on it" }
#define CLI_OPT_SEED \
	{ .name = "seed", .type = WS_OPT_U64, .offset = CLI_AT(seed), .arg = "S", .min = 0, \
	  .max = CLI_SEED_NONE - 1, \
	  .help = "seed of what is drawn at random (sm.assign, sm.scheduler, simulated " \
		  "policies); 1 if left out" }
#define CLI_OPT_RUNS \
	{ .name = "runs", .type = WS_OPT_U64, .offset = CLI_AT(runs), .arg = "N", .min = 1, \
	  .max = 10000, \
	  .help = "repeats with seeds S..S+N-1 and prints, for each row, the run of median " \
		  "miss ratio, and the spread in columns runs, miss_ratio_median, " \
		  "miss_ratio_sd, miss_ratio_min, miss_ratio_max" }
#define CLI_OPT_SAMPLE \
	{ .name = "sample", .type = WS_OPT_REAL, .offset = CLI_AT(sample), .arg = "RATE", \
	  .above = 0, .most = 1, \
	  .help = "profiles in part: of an SM's stream of more than 524288 requests, recent " \
		  "reuse is measured exactly, in bursts, in a sixteenth of its time, and the " \
		  "rest at this part of the lines, chosen evenly (0.01 is one in a hundred, " \
		  "1e-6 the least); shorter streams are profiled whole.  Rows then say how sure " \
		  "they are.  Pays from tens of millions of requests per SM on" }, \
	{ .name = "sample-lines", .type = WS_OPT_U64, .offset = CLI_AT(sample_lines), \
	  .arg = "N", .min = CLI_SAMPLE_LINES_MIN, .max = UINT64_MAX, \
	  .help = "the same with at most N lines of an SM at a time, a smaller part of them the " \
		  "more there are, besides those of a burst: bounds the memory" }
#define CLI_OPT_VERIFY \
	{ .name = "verify", .type = WS_OPT_FLAG, .offset = CLI_AT(verify), \
	  .help = "simulates what the model is not sure of: rows of low confidence, and policies " \
		  "that have no model, as opt, become exact counts with basis simulated.  Wants " \
		  "the trace; if there is such a row, its request streams are kept in memory, 32 " \
		  "bytes a request" }
#define CLI_OPT_BY \
	{ .name = "by", .type = WS_OPT_CHOICE, .offset = CLI_AT(by), .arg = "WHAT", \
	  .choices = "array line site", \
	  .help = "says who misses: a row for each array, source line, or site (both), in columns " \
		  "array and source, most misses first; at the machine's own l1.line, and of a " \
		  "profile at its machine's l1.sets, for any l1.ways" }
#define CLI_LAUNCHES_MAX 64u /* of another tool's trace, that are shown apart if --per is left out */
#define CLI_OPT_PER \
	{ .name = "per", .type = WS_OPT_CHOICE, .offset = CLI_AT(per), .arg = "WHAT", \
	  .choices = "kernel launch", \
	  .help = "what of a trace is counted together: the launches of a kernel, or each launch by " \
		  "itself, as NAME#N where a kernel is launched more than once, N being the " \
		  "launch's number in the trace, from 1; caches are empty when a launch begins " \
		  "either way.  kernel if left out, but launch for another tool's trace of at " \
		  "most 64 launches" }
#define CLI_OPT_FROM \
	{ .name = "from", .type = WS_OPT_STRING, .offset = CLI_AT(from), .arg = "FORMAT", \
	  .complete = "format", \
	  .help = "takes FILE for a trace of this format (`warpstack help convert` lists them); " \
		  "its content says which it is if left out" }
#define CLI_OPT_ORDER(more) \
	{ .name = "order", .type = WS_OPT_CHOICE, .offset = CLI_AT(order), .arg = "ORDER", \
	  .choices = "nominal cycles", \
	  .help = "where the order of requests comes from.  cycles: each launch is run through the " \
		  "cycle simulator (`warpstack help simulate`) once, and requests are in the order in " \
		  "which its L1s accept them.  nominal: latencies are fixed and no request is ever " \
		  "refused; quicker with many threads, and further off.  cycles if left out, but " \
		  "nominal if every launch is one warp or the machine has no time (sm.scheduler, or an " \
		  "offline policy)." more }
#define CLI_OPT_LEVEL \
	{ .name = "level", .type = WS_OPT_CHOICE, .offset = CLI_AT(level), .arg = "LEVEL", \
	  .choices = "l1 l2 all", \
	  .help = "the caches that rows are of: the L1s, the L2 behind them, or both; l1 if left " \
		  "out.  Of the L2 sets are those of a slice; it wants the trace, or a profile made " \
		  "with --l2" }
#define CLI_OPT_LATENCY \
	{ .name = "latency", .type = WS_OPT_FLAG, .offset = CLI_AT(latency), \
	  .help = "also predicts time: pending hits (with count_pending they count in miss_ratio) " \
		  "and, on the row of kind all of the L1s, cycles, what bounds them, and latencies" }
#define CLI_OPT_KIND(usual) \
	{ .name = "kind", .type = WS_OPT_CHOICE, .offset = CLI_AT(kind), .arg = "KIND", \
	  .choices = "all load store atomic each", \
	  .help = "requests that the rows count: all, load, store, atomic, or each: one row for " \
		  "each kind that occurs and one for all; " usual " if left out" }
#define CLI_FORMATS "auto tsv csv json md table"
#define CLI_FORMATS_HELP \
	"of the rows: tsv, csv, json, one object a line, md, a table in Markdown, or table, aligned; " \
	"auto if left out: table on a terminal, else tsv.  Missing values are empty, null in json.  " \
	"md and table leave columns out, and round"
#define CLI_OPT_REPORT(formats, what) \
	CLI_OPT_OUTPUT("writes there instead of standard output, under a temporary name until it " \
		       "is complete"), \
	{ .name = "format", .type = WS_OPT_CHOICE, .offset = CLI_AT(format), .arg = "FORMAT", \
	  .choices = formats, .help = what }, \
	{ .name = "columns", .type = WS_OPT_STRING, .offset = CLI_AT(columns), .arg = "LIST", \
	  .help = "the columns to write, in this order: NAME,NAME,...; +NAME,... adds to the usual " \
		  "ones; all: all that there are.  `warpstack help columns` explains them" }, \
	{ .name = "sort", .type = WS_OPT_STRING, .offset = CLI_AT(sort), .arg = "LIST", \
	  .help = "sorts the rows by NAME,..., each ascending or, as NAME:desc, descending; missing " \
		  "values come last.  Keeps all rows in memory" }, \
	{ .name = "top", .type = WS_OPT_U64, .offset = CLI_AT(top), .arg = "N", .min = 1, \
	  .max = UINT64_MAX, .help = "writes the first N rows only" }, \
	{ .name = "where", .type = WS_OPT_LIST, .offset = CLI_AT(where), .arg = "CONDITION", \
	  .help = "writes only rows for which it holds: NAME=VALUE, or with != < <= > >=, as in " \
		  "'miss_ratio<0.3' or 'l1.size>=32K'; `NAME=` means missing.  May be repeated: all " \
		  "must hold" }, \
	{ .name = "provenance", .type = WS_OPT_FLAG, .offset = CLI_AT(provenance), \
	  .help = "says how the rows were made in any format: in a first line \"# ...\", in json a " \
		  "first object; tsv has that line anyway" }, \
	{ .name = "no-provenance", .type = WS_OPT_FLAG, .offset = CLI_AT(no_provenance), \
	  .help = "leaves out the first line of tsv, which says how the rows were made" }
#define CLI_OPT_OUTPUT(what) \
	{ .name = "output", .letter = 'o', .type = WS_OPT_STRING, .offset = CLI_AT(output), \
	  .arg = "FILE", .complete = "file", .help = what }

/* ---- messages (message.c) ------------------------------------------------ */

/* "warpstack: note: ..." unless quiet. */
void cli_note(const struct cli_call *call, const char *fmt, ...) WS_PRINTF(2, 3);
/* What -v asks for. */
void cli_say(const struct cli_call *call, const char *fmt, ...) WS_PRINTF(2, 3);
/* WS_EINVAL with "; try 'warpstack CMD --help'" at the end of the line. */
enum ws_status cli_usage(const struct cli_command *command, struct ws_err *err,
			 const char *fmt, ...) WS_PRINTF(3, 4);
/* The line for a failure; control characters become blanks. */
void cli_complain(const char *text);

/* ---- input (input.c) ----------------------------------------------------- */

enum { CLI_TRACE = 1, CLI_PROFILE = 2 };

struct cli_input { /* one of the two is set */
	struct ws_trace *trace;
	struct ws_profile *profile;
	bool foreign;		/* the trace is another tool's */
};

/* The command's FILE, its only operand from number `operand` on, or standard input;
 * recognised by content.  accept: CLI_TRACE (a launch file too), CLI_PROFILE or both. */
enum ws_status cli_input_open(struct cli_input *input, struct cli_call *call, size_t operand,
			      unsigned accept, struct ws_err *err) WS_MUST_CHECK;
void cli_input_close(struct cli_input *input);

struct ws_trace_format;

/* The content of another tool's trace, made into ours.  arrays: infer them. */
enum ws_status cli_foreign_open(struct ws_trace **t, struct cli_call *call, const struct ws_in *in,
				const struct ws_trace_format *format, bool arrays,
				struct ws_err *err) WS_MUST_CHECK;
/* What --from and the content say of bytes that may be no trace; *format NULL: none. */
enum ws_status cli_foreign_find(const struct ws_trace_format **format, const struct cli_call *call,
				const struct ws_in *in, struct ws_err *err) WS_MUST_CHECK;
/* Is --from, if given, right of a file that says itself that it is ours? */
enum ws_status cli_own_check(const struct cli_call *call, const struct ws_in *in,
			     struct ws_err *err) WS_MUST_CHECK;
/* The operand as a trace, whatever kind of trace or launch file it is. */
enum ws_status cli_trace_open(struct ws_trace **out, struct cli_call *call, size_t operand,
			      bool arrays, struct ws_err *err) WS_MUST_CHECK;
/* Opens the operand as bytes; complains if nothing was named and a terminal is there. */
enum ws_status cli_input_bytes(struct ws_in *in, struct cli_call *call, size_t operand,
			       struct ws_err *err) WS_MUST_CHECK;

/* A file without a name, in $TMPDIR, for a trace; out->file is to be closed by fclose. */
enum ws_status cli_temporary_new(struct ws_out *out, struct ws_err *err) WS_MUST_CHECK;
/* Opens what was written to it, under the name of what it was made from. */
enum ws_status cli_temporary_open(struct ws_in *in, struct ws_out *out, const char *name,
				  struct ws_err *err) WS_MUST_CHECK;

/* Could it be a launch file?  And the error if it can be nothing. */
bool cli_is_text(const struct ws_in *in);
enum ws_status cli_unknown_file(const struct ws_in *in, struct ws_err *err);

struct ws_program;
/* Reads a launch file, of what may be no launch file at all: then the error says so. */
enum ws_status cli_launch_parse(struct ws_program *p, const struct ws_in *in,
				struct ws_err *err) WS_MUST_CHECK;
/* Runs a program into out with a progress line.  max_threads: of a CTA. */
enum ws_status cli_capture(struct cli_call *call, struct ws_program *program, uint64_t max_threads,
			   bool local, struct ws_out *out, struct ws_err *err) WS_MUST_CHECK;

/* The distinct kernels of a trace or a profile, in order of first launch. */
struct cli_kernels {
	const char **name;
	size_t count;
};
enum ws_status cli_kernels_find(struct cli_kernels *k, const struct cli_input *input,
				struct ws_err *err) WS_MUST_CHECK;
enum ws_status cli_kernels_of(struct cli_kernels *k, const struct ws_trace *trace,
			      struct ws_err *err) WS_MUST_CHECK;
void cli_kernels_clear(struct cli_kernels *k);

/* ---- plans (plan.c) ------------------------------------------------------ */

/* -m, --set and --vary.  A configuration is one element of the product of the
 * ranges; it has three machines:
 *   its own, with every key as given;
 *   the one that makes its stream: the machine of -m with the given keys of the stage ORDER only;
 *   the one that its profile is made with: that and the given keys of the stage PROFILE.
 * If the cycle simulator makes the order, l1.size (or the keys that decide it in its place) and the
 * keys of the stage CYCLES count as of the stage ORDER: who waits for whom depends on them most.  But
 * if they are varied over more than CLI_ORDERS_MAX orders, the one of -m and --set serves all.
 * So a what-if of another key (l1.ways, l1.line, l1.policy, ...) leaves the stream as it
 * is, and predict, sweep, simulate and crosscheck of one configuration agree with
 * each other and, for such a key, with a profile made beforehand. */
#define CLI_ORDERS_MAX 16u
struct cli_plan {
	struct ws_machine named, machine; /* -m; with all of --set */
	struct ws_list set;
	struct ws_vary *vary;
	size_t varies;
	uint64_t count;	/* configurations */
	bool l1, l2;	/* what is asked about */
	bool apart;	/* of a trace: l1.organisation has sectors among it, whose profile is another */
	bool behind;	/* the L2's profile is read: it is asked about, or time is */
	enum ws_order order;
	bool simulated;	/* its streams are: they are made here, in WS_ORDER_CYCLES */
	bool sized;	/* l1.size is given: l1.sets and l1.ways do not decide it */
	bool shared;	/* what is varied of time and size is too much to simulate: one order for all */
};

#define CLI_CONFIGURATIONS_MAX 10000000u

/* profile: what the plan will be asked of, or NULL for a trace.  Checks every configuration. */
enum ws_status cli_plan_init(struct cli_plan *plan, const struct cli_call *call,
			     const struct ws_profile *profile, const struct ws_trace *trace,
			     struct ws_err *err) WS_MUST_CHECK;
void cli_plan_clear(struct cli_plan *plan);
enum ws_status cli_plan_machine(const struct cli_plan *plan, uint64_t config,
				struct ws_machine *m, struct ws_err *err) WS_MUST_CHECK;
/* The machine that makes the stream of a configuration. */
enum ws_status cli_plan_stream(const struct cli_plan *plan, uint64_t config,
			       struct ws_machine *m, struct ws_err *err) WS_MUST_CHECK;
/* The machine that its profile is made with. */
enum ws_status cli_plan_measured(const struct cli_plan *plan, uint64_t config,
				 struct ws_machine *m, struct ws_err *err) WS_MUST_CHECK;
/* The text of the v-th varied key's value. */
const char *cli_plan_value(const struct cli_plan *plan, uint64_t config, size_t v);
/* All of them as cells. */
void cli_plan_cells(const struct cli_plan *plan, uint64_t config, struct ws_table *table);

/* Configurations whose varied keys of stages up to `depth` agree are a group;
 * groups are numbered by first member, members by configuration. */
struct cli_groups {
	uint64_t groups, members;
};
struct cli_groups cli_plan_groups(const struct cli_plan *plan, enum ws_stage depth);
uint64_t cli_plan_member(const struct cli_plan *plan, enum ws_stage depth, uint64_t group,
			 uint64_t member);
uint64_t cli_plan_group_of(const struct cli_plan *plan, enum ws_stage depth, uint64_t config);

/* Sets what is asked about, by --level and --latency (level.c).  profile: NULL, or what answers. */
void cli_plan_levels(struct cli_plan *plan, const struct cli_call *call,
		     const struct ws_profile *profile);
/* A key's stage for what is asked: of an L2 that is not, its keys are read by no one. */
enum ws_stage cli_plan_stage(const struct cli_plan *plan, const struct ws_key *key);

struct cli_behind {		/* what a profile of the L2 is to hold; zero: no L2 */
	struct ws_filter *filter;
	uint64_t *sets;		/* of a slice; none: the default */
	size_t filters, filter_cap, set_counts, set_cap;
};
enum ws_status cli_behind_add(struct cli_behind *b, const struct ws_machine *m,
			      struct ws_err *err) WS_MUST_CHECK;
void cli_behind_clear(struct cli_behind *b);
/* The L1s and L2 set counts of a group's configurations; none if the L2 is not asked about. */
enum ws_status cli_plan_behind(const struct cli_plan *plan, enum ws_stage depth, uint64_t group,
			       struct cli_behind *b, struct ws_err *err) WS_MUST_CHECK;

struct cli_shapes {		/* cleared by cli_shapes_clear; zero is empty */
	struct ws_shape *shape;
	size_t count, cap;
};
enum ws_status cli_shapes_add(struct cli_shapes *s, uint64_t line_bytes, uint64_t sets,
			      struct ws_err *err) WS_MUST_CHECK;
void cli_shapes_sort(struct cli_shapes *s); /* ascending, and each once */
void cli_shapes_clear(struct cli_shapes *s);
/* What time wants besides: the L1 and L2 of the machine that was simulated, from whose cycles others
 * are told.  own: that a profile is made with. */
enum ws_status cli_plan_anchor(const struct cli_plan *plan, const struct ws_machine *own,
			       struct cli_shapes *shapes, struct cli_behind *b,
			       struct ws_err *err) WS_MUST_CHECK;
/* WS_EINVAL if the profile does not hold all: says how to make one that does. */
enum ws_status cli_shapes_check(const struct cli_shapes *needed, const struct ws_profile *profile,
				struct ws_err *err) WS_MUST_CHECK;
/* WS_EINVAL if stacks of so many sets on so many SMs, and the tables of so many kernels, do not fit
 * into this machine's memory.  record: WS_RECORD_*. */
enum ws_status cli_shapes_fit(const struct cli_shapes *s, const struct cli_command *command,
			      const struct ws_machine *m, uint64_t sms, size_t kernels,
			      unsigned record, struct ws_err *err) WS_MUST_CHECK;
/* The distinct l1.line and l1.sets of a group's configurations, ascending. */
enum ws_status cli_plan_shapes(const struct cli_plan *plan, enum ws_stage depth, uint64_t group,
			       struct cli_shapes *shapes, struct ws_err *err) WS_MUST_CHECK;

/* The machine of -m (WS_MACHINE_DEFAULT if left out) with all of --set, checked. */
enum ws_status cli_machine(const struct cli_call *call, struct ws_machine *m,
			   struct ws_err *err) WS_MUST_CHECK;

/* ---- policies (policies.c) ------------------------------------------------- */

/* Is l1.policy a policy's name, with parameters that it takes, for such a cache?  And l2.policy,
 * but for the cache, which a command may never ask about. */
enum ws_status cli_policy_check(const struct ws_machine *m, struct ws_err *err) WS_MUST_CHECK;
/* Is it one for such an L2? */
enum ws_status cli_policy_check_l2(const struct ws_machine *m, struct ws_err *err) WS_MUST_CHECK;
/* The same of a machine just read, which the error names: WS_EFORMAT. */
enum ws_status cli_policy_loaded(const struct cli_call *call, const struct ws_machine *m,
				 const char *file, struct ws_err *err) WS_MUST_CHECK;
bool cli_policy_modelled(const struct ws_cache *cache); /* else it can be simulated only */
#define CLI_POLICY_FORM 128u
/* "lru", "srrip[:M[,fp]]": how it is typed.  text of CLI_POLICY_FORM. */
void cli_policy_form(const struct ws_policy *policy, char *text, size_t len);
bool cli_policies_key(const struct ws_key *key); /* is it the name of a policy? */
/* The values of such a key, which were separated at every comma: an item that names no policy is
 * one more parameter of the item before it, if that has a colon; `all` becomes the policies that
 * have a model and are no variants, but for those that the list names besides. */
enum ws_status cli_policies_list(struct ws_vary *v, struct ws_err *err) WS_MUST_CHECK;
/* WS_RECORD_*: what the models of the asked policies read. */
unsigned cli_plan_needs(const struct cli_plan *plan);
/* Requests of the windows that dycache's periods are made up of; 0: there is none. */
uint64_t cli_plan_period(const struct cli_plan *plan);
/* WS_EINVAL if a configuration's policy has no model; hint: what to do instead. */
enum ws_status cli_plan_modelled(const struct cli_plan *plan, const char *hint,
				 struct ws_err *err) WS_MUST_CHECK;

/* ---- the engine (engine.c) ----------------------------------------------- */

struct cli_engine {
	struct cli_call *call;
	const struct cli_plan *plan;
	enum ws_stage depth;	/* what a preparation is good for */
	uint64_t runs;
	size_t size;		/* of the result of one run of one configuration */
	void *context;
	/* Before the configurations of a group, for each run. */
	enum ws_status (*prepare)(void *context, uint64_t group, uint64_t run, struct ws_err *err);
	/* Any thread.  result is zeroed. */
	enum ws_status (*compute)(void *context, uint64_t config, const struct ws_machine *m,
				  void *result, struct ws_err *err);
	/* In order of configurations; result: runs of them. */
	enum ws_status (*print)(void *context, uint64_t config, const struct ws_machine *m,
				const void *result, struct ws_err *err);
	/* What one run's result holds, computed or still zeroed; may be NULL. */
	void (*clear)(void *context, void *result);
};

enum ws_status cli_engine_run(const struct cli_engine *e, struct ws_err *err) WS_MUST_CHECK;

/* ---- output (output.c) --------------------------------------------------- */

struct cli_report {
	struct ws_out out;
	struct ws_table *table;
	struct ws_column *key;	/* of the varied keys */
	const struct cli_call *call;
	bool begun;
};

/* WS_EINVAL if --columns, --sort or --where name what no table has. */
enum ws_status cli_report_check(const struct cli_call *call, struct ws_err *err) WS_MUST_CHECK;
/* Opens -o, writes the provenance line and the header: the keys that the plan varies (NULL: none),
 * then these columns, in the order of the schema. */
enum ws_status cli_report_begin(struct cli_report *r, struct cli_call *call,
				const struct cli_plan *plan, const enum ws_col *column,
				size_t columns, struct ws_err *err) WS_MUST_CHECK;
/* A line after the rows; a note if they are to have none. */
void cli_report_remark(struct cli_report *r, const char *fmt, ...) WS_PRINTF(2, 3);
/* status of the work: commits if it is WS_OK, else leaves what was there before. */
enum ws_status cli_report_end(struct cli_report *r, enum ws_status status,
			      struct ws_err *err) WS_MUST_CHECK;
/* Opens -o for a binary file; a terminal is refused. */
enum ws_status cli_binary_open(struct ws_out *out, const struct cli_call *call, const char *what,
			       struct ws_err *err) WS_MUST_CHECK;
/* "warpstack 0.1.0 predict mm.wst seed=1"; allocated. */
char *cli_provenance(const struct cli_call *call);

/* ---- predictions as rows (rows.c) ---------------------------------------- */

/* predict, sweep and simulate: the same columns, the varied keys before them; with --by array
 * and source after the kernel. */
struct cli_rows {
	struct cli_call *call;
	const struct cli_plan *plan;
	struct cli_kernels kernels;
	struct cli_report report;
	uint64_t runs;
	bool spread;		/* --runs was given */
	bool each;		/* rows per kind that occurs, and all; else only `kind` */
	unsigned kind;
	bool parts;		/* --by was given */
	bool latency;		/* --latency was given: timings follow a run's predictions */
};

struct cli_parts {		/* of a kernel */
	struct ws_part *part;
	size_t count;
	char *names;		/* what they point to: they outlive their profile */
};

/* result: [kernel]. */
enum ws_status cli_rows_print_parts(struct cli_rows *rows, uint64_t config,
				    const struct ws_machine *m, const struct cli_parts *result,
				    struct ws_err *err) WS_MUST_CHECK;
/* Bytes of a run's result: predictions, kernels of each level that the plan has, then timings if
 * there are. */
size_t cli_rows_size(const struct cli_rows *rows);
/* result: [run], each of cli_rows_size bytes. */
enum ws_status cli_rows_print(struct cli_rows *rows, uint64_t config, const struct ws_machine *m,
			      const struct ws_prediction *result, struct ws_err *err) WS_MUST_CHECK;
const char *cli_confidence(const struct ws_prediction *p); /* "high" or "low" */
const char *cli_order_text(const struct cli_plan *plan); /* where a row's order comes from */
/* Cells of machine, level, policy and geometry. */
void cli_cells_cache(struct ws_table *t, const struct ws_machine *m, bool l2);
/* Of array and source; "": unknown, NULL: any.  line 0: unknown. */
void cli_cells_part(struct ws_table *t, const char *array, const char *file, uint32_t line);
static inline void cli_columns_add(enum ws_col *to, size_t *count, const enum ws_col *from, size_t more)
{
	for (size_t i = 0; i < more; i++)
		to[(*count)++] = from[i];
}
enum ws_status cli_rows_end(struct cli_rows *rows, enum ws_status status,
			    struct ws_err *err) WS_MUST_CHECK;

/* predict and sweep: plan, engine and rows in one. */
enum ws_status cli_model(struct cli_call *call, const char *kind, /* if --kind is left out */
			 struct ws_err *err) WS_MUST_CHECK;

/* ---- profiles and streams with a progress line (source.c) ---------------- */

struct cli_source { /* what they are made of */
	const struct cli_call *call;
	const struct ws_trace *trace;
	struct ws_machine machine; /* as cli_plan_stream has it */
	enum ws_order order;
	uint64_t seed;
	/* Of a profile: */
	struct ws_machine measured; /* as cli_plan_measured has it */
	struct cli_shapes shapes; /* none: the default */
	struct cli_behind behind;
	unsigned record;	/* WS_RECORD_* */
	uint64_t grain_period;	/* 0: no windows of chunks */
	uint64_t sm[WS_SM_WORDS]; /* none: all */
};

/* SMs that the trace has CTAs for, of those in sm (none: all). */
uint64_t cli_busy_sms(const struct ws_trace *t, const struct ws_machine *m, const uint64_t *sm);
/* source->machine, order and measured of a configuration. */
enum ws_status cli_source_machines(struct cli_source *source, const struct cli_plan *plan,
				   uint64_t config, struct ws_err *err) WS_MUST_CHECK;

/* Counts of the simulation that an order is taken from, by kernel (simulated.c). */
struct cli_simulated {
	struct cli_simulated_row *row;
	size_t count, cap;
};
/* Of the launch that was run last; kernel stays the trace's. */
enum ws_status cli_simulated_add(struct cli_simulated *s, const struct ws_orderer *orderer,
				 const char *kernel, struct ws_err *err) WS_MUST_CHECK;
/* Says where LRU in that order is off by a point or more for the machine's own L1, of the worst kernel. */
void cli_simulated_note(const struct cli_simulated *s, const struct cli_call *call,
			const struct ws_profile *p, const struct ws_machine *m);
void cli_simulated_clear(struct cli_simulated *s);

enum ws_status cli_profile_make(const struct cli_source *source, struct ws_profile **out,
				struct ws_err *err) WS_MUST_CHECK;
enum ws_status cli_streams_make(const struct cli_source *source, struct ws_streams **out,
				size_t *launches, struct ws_err *err) WS_MUST_CHECK;

/* ---- --verify (verify.c) --------------------------------------------------- */

struct cli_verify;

enum ws_status cli_verify_new(struct cli_verify **out, struct cli_call *call,
			      const struct ws_trace *trace, const struct cli_plan *plan,
			      struct ws_err *err) WS_MUST_CHECK;
void cli_verify_free(struct cli_verify *v);
/* What follows is of a configuration's stream, made with that seed.  One thread. */
void cli_verify_turn(struct cli_verify *v, uint64_t config, uint64_t seed);
/* Puts a kernel's simulated counts in place of a prediction.  Any thread; the first one that asks
 * has the streams made. */
enum ws_status cli_verify_kernel(struct cli_verify *v, const char *kernel,
				 const struct ws_cache *cache, struct ws_prediction *out,
				 struct ws_err *err) WS_MUST_CHECK;

/* ---- formats of traces (cmd_convert.c) ----------------------------------- */

#define CLI_NATIVE "wst"
/* The format of that name, which an option gave; *out NULL: ours. */
enum ws_status cli_format_find(const struct cli_call *call, const char *option, const char *name,
			       const struct ws_trace_format **out,
			       struct ws_err *err) WS_MUST_CHECK;
/* Of what convert reads and, if the summary says so, writes; NULL after the last. */
const char *cli_format_name(size_t i);
const char *cli_format_summary(size_t i);

/* ---- help (help.c, manual.c, completion.c) ------------------------------- */

extern const char *const cli_exit_codes[][2]; /* code, meaning; NULL-terminated */
extern const char *const cli_stage_names[];   /* by enum ws_stage */
extern const char *const cli_stage_help[];
void cli_help(FILE *file, const struct cli_command *command); /* NULL: of warpstack itself */
extern const char cli_columns_name[]; /* what help and __manual take besides commands */
extern const char cli_columns_introduction[];
void cli_help_columns(FILE *file);
void cli_wrap(FILE *file, const char *text, size_t indent, size_t column);
/* "1..4096", "lrr gto ...": what a key may be set to. */
void cli_key_range(const struct ws_key *key, char *text, size_t len);
extern const char *const cli_key_types[];     /* by enum ws_key_type */

#endif
