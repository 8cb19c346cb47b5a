/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cli/cli.h -- the tool: options to questions, rows to tables.
 *
 * A command is one row: a struct cli_command in its cmd_<name>.c, listed in
 * CLI_COMMANDS.  The parser, --help, the man pages and shell completion walk
 * that list; nothing else names the commands.
 *
 * From a file to rows:
 *   input.c    FILE -> trace or profile; a launch file is captured first, a trace of
 *              another tool's converted
 *   plan.c     the options as those of a study (study/study.h), which does the rest
 *   model.c    predict and sweep; rows.c writes what they and simulate have found; best.c the best
 *              of it
 *   output.c   -o, --format, --columns, --sort, --where, the provenance line
 * columns.c explains the columns, whose list is study/columns.c.
 * cycles.h is what commands with --cycles share, info.h and softcache.h what one command's files
 * do.
 */
#ifndef WS_CLI_H
#define WS_CLI_H

#include "plots/plots.h"
#include "validate/counters.h"

/* ---- commands ------------------------------------------------------------ */

struct cli_options { /* the first member of every command's options */
	bool usage, help, quiet, verbose, no_sync, no_provenance, provenance, verify;
	bool cycles;		/* simulate and crosscheck: with the cycle simulator */
	bool latency;		/* predict and sweep: pending hits and cycles */
	const char *format;	/* "auto": as output.c chooses */
	const char *output, *machine;
	const char *columns, *sort; /* of the rows; NULL: the usual ones, as they come */
	uint64_t top;		/* 0: all rows */
	struct ws_list set, vary, where;
	uint64_t threads, seed, runs;
	double sample;		/* 0: not given; WS_OPT_WORD: auto, until it is chosen */
	const char *time;	/* of auto: see cli_sample_time */
	uint64_t sample_lines;	/* 0: not given */
	uint64_t kernel_timeout; /* seconds; 0: not given */
	const char *by, *kind, *from;
	const char *out_of_bounds; /* of ws_out_of_bounds_names; NULL: not given */
	const char *order;	/* a name of enum ws_order; NULL: the usual one, or the profile's */
	const char *level;	/* "l1", "l2", "all"; NULL: l1 */
	const char *best;	/* sweep: the column to choose by, "misses", "hits:max" */
	uint64_t budget;	/* sweep: bytes, 0: not given */
	const char *part;	/* sweep and crosscheck: "K/N" */
	const char *jobs_file;	/* sweep: where command lines of parts go; NULL: it runs */
	uint64_t jobs;		/* how many; 0: CLI_JOBS */
	const char *per, *per_usual; /* usual: if --per is left out; NULL: see CLI_OPT_PER */
};

#define CLI_SAMPLE_MIN 1e-6
#define CLI_SAMPLE_LINES_MIN 64u

#define CLI_SEED_NONE UINT64_MAX /* --seed was not given */

struct cli_file {
	uint64_t device, inode;
};

/* What a program that runs a command in parts asks for besides the command line, which stays as it
 * is: so do the provenance line and all messages. */
struct cli_part {
	uint64_t part, parts;	/* part K of N, to standard output, whatever -o says; K > N: what
				 * follows the parts, if the command has that */
	unsigned threads;	/* if --threads is not given; 0: all */
	int notes;		/* a regular file: a part's own findings are written to it; those
				 * of all parts are read from it by what follows them */
};

struct cli_call { /* one run of a command */
	const struct cli_command *const *commands; /* all that there are, then NULL */
	const struct cli_command *command;
	struct cli_options *options; /* of command->size bytes */
	struct ws_list operands;
	int argc;		/* argv[0] is the command's name */
	char **argv;
	uint64_t seed;		/* --seed, the profile's, or the default */
	bool no;		/* it ran, and the answer is no: exit 1 */
	int code;		/* exit code of a program that was run, which is passed on */
	struct ws_study_options ask; /* cli_ask */
	struct cli_file *read;	/* what is read, if something is written (written.c) */
	size_t reads, read_cap;
	bool band;		/* a machine's alternatives become a band */
	uint64_t part, parts;	/* of --part; 0: all */
	const struct cli_part *asked; /* NULL: the command line is all */
	ws_file_visit *visit;	/* also told of each file that is read; NULL */
	void *visitor;
	bool own_order;		/* what is measured is simulated just as it is */
};

#define CLI_TABLES 3
enum {
	CLI_LIST_KEYS = 1, CLI_LIST_POLICIES = 2, CLI_LIST_FIGURES = 4, CLI_LIST_HASHES = 8,
	CLI_LIST_FORMATS = 16, CLI_LIST_COUNTERS = 32,
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
	const char *verbs;		/* "infer|trace": what the first operand may be */
	unsigned lists;			/* CLI_LIST_*: also explained in its manual page */
	enum ws_status (*run)(struct cli_call *call, struct ws_err *err);
};

#define CLI_COMMANDS(X) \
	X(trace) X(convert) X(profile) X(merge) X(predict) X(sweep) X(simulate) X(crosscheck) \
	X(advise) X(report) X(validate) X(fit) X(compare) X(plot) X(softcache) X(pchase) \
	X(counters) X(machine) X(policies) X(info) X(help) X(version) X(manual) X(completion)
#define CLI_DECLARE(name) extern const struct cli_command cli_cmd_##name;
CLI_COMMANDS(CLI_DECLARE)
extern const char cli_help_command[], cli_version_command[]; /* what --help and --version mean */
/* Of a list that NULL ends, as cli_call has it; NULL if there is none. */
const struct cli_command *cli_command_find(const struct cli_command *const *commands,
					   const char *name);
size_t cli_tables(const struct cli_command *command); /* how many tables of options it has */
bool cli_has_option(const struct cli_command *command, const char *name);
/* WS_EINVAL, with the nearest name. */
enum ws_status cli_command_unknown(const struct cli_command *const *commands, const char *name,
				   struct ws_err *err);

/* Finds the command and parses its options; cli_end in any case.  part NULL: none is asked for. */
enum ws_status cli_begin(struct cli_call *call, const struct cli_part *part, int argc, char **argv,
			 struct ws_err *err) WS_MUST_CHECK;
void cli_end(struct cli_call *call);
/* The whole of it, as of main: the exit code.  Failures are told in one line. */
int cli_run(int argc, char **argv, const struct cli_part *part);
/* Is this what follows the parts? */
bool cli_follows(const struct cli_call *call);
/* --part K/N of sweep and crosscheck: into the call; WS_EINVAL with what goes with no part. */
enum ws_status cli_part_options(struct cli_call *call, struct ws_err *err) WS_MUST_CHECK;
#define CLI_JOBS 64u
/* Writes --jobs-file. */
enum ws_status cli_jobs(struct cli_call *call, struct ws_err *err) WS_MUST_CHECK;
/* "/proc/self/fd/N" of the notes of parts. */
#define CLI_NOTES_PATH 40u
void cli_notes_path(const struct cli_call *call, char path[CLI_NOTES_PATH]);

/* Rows of option tables that several commands have. */
#define CLI_AT(member) offsetof(struct cli_options, member)
extern const struct ws_option cli_general[]; /* -h, --help, -q, -v, --no-sync */
extern const struct ws_option cli_report[];  /* CLI_OPT_REPORT */
#define CLI_OPT_HELP \
	{ .name = "usage", .letter = 'h', .type = WS_OPT_FLAG, .offset = CLI_AT(usage), \
	  .group = "general", \
	  .help = "prints the options people use most, and two examples" }, \
	{ .name = "help", .type = WS_OPT_FLAG, .offset = CLI_AT(help), .group = "general", \
	  .help = "prints all options, and what the command does" }
#define CLI_OPT_MACHINE \
	{ .name = "machine", .letter = 'm', .type = WS_OPT_STRING, .offset = CLI_AT(machine), \
	  .arg = "NAME|FILE", .complete = "machine", \
	  .group = "machine", .brief = "a preset, a .conf file or a gpgpusim.config", \
	  .help = "the machine: a preset (`warpstack machine` lists them), a .conf file or a " \
		  "gpgpusim.config; " \
		  "a profile's own machine, or else " WS_MACHINE_DEFAULT ", if left out" }
#define CLI_OPT_SET \
	{ .name = "set", .type = WS_OPT_LIST, .offset = CLI_AT(set), .arg = "KEY=VALUE", \
	  .complete = "key", \
	  .group = "machine", .brief = "another value for one key of the machine", \
	  .help = "overrides one key of the machine; may be repeated" }
#define CLI_OPT_VARY \
	{ .name = "vary", .type = WS_OPT_LIST, .offset = CLI_AT(vary), .arg = "KEY=RANGE", \
	  .complete = "range", \
	  .brief = "values of a key: a,b,c or LO:HI:+STEP or LO:HI:xFACTOR", \
	  .help = "the values of a key: a,b,c or LO:HI:+STEP or LO:HI:xFACTOR. Repeated, " \
		  "all combinations are made, and the last key varies fastest. " \
		  "l1.policy=all stands for every policy but variants. In a list of " \
		  "policies, what is no policy's name is a parameter of the policy before: " \
		  "lru,srrip:2,fp,prob:1/2,1/2 are three" }
#define CLI_OPT_PART(more) \
	{ .name = "part", .type = WS_OPT_STRING, .offset = CLI_AT(part), .arg = "K/N", \
	  .group = "output", \
	  .help = "writes part K of N: the parts one after another are the rows, to the byte, " \
		  "as the first alone has the header.  For many processors or a batch system; " \
		  "formats tsv (if left out), csv and json" more }
#define CLI_OPT_THREADS \
	{ .name = "threads", .type = WS_OPT_U64, .offset = CLI_AT(threads), .arg = "N", .min = 1, \
	  .max = 4096, \
	  .group = "general", \
	  .help = "threads to use; all cores if left out; no result depends on it" }
#define CLI_OPT_SEED \
	{ .name = "seed", .type = WS_OPT_U64, .offset = CLI_AT(seed), .arg = "S", .min = 0, \
	  .max = CLI_SEED_NONE - 1, \
	  .group = "order of requests", \
	  .help = "seed of what is drawn at random (sm.assign, sm.scheduler, simulated " \
		  "policies); 1 if left out" }
#define CLI_OPT_RUNS \
	{ .name = "runs", .type = WS_OPT_U64, .offset = CLI_AT(runs), .arg = "N", .min = 1, \
	  .max = 10000, \
	  .group = "order of requests", \
	  .help = "repeats with seeds S..S+N-1. Each row is the run of median miss ratio, " \
		  "and has the spread in columns runs, miss_ratio_median, miss_ratio_sd, " \
		  "miss_ratio_min, miss_ratio_max" }
#define CLI_OPT_SAMPLE \
	{ .name = "sample", .type = WS_OPT_REAL, .offset = CLI_AT(sample), .arg = "RATE|auto", \
	  .choices = "auto", .above = 0, .most = 1, \
	  .group = "sampling", \
	  .help = "profiles a part of the lines: 0.01 is one in a hundred, 1e-6 the least. " \
		  "Of an SM's stream of more than 524288 requests, recent reuse is measured " \
		  "exactly, in bursts, in a sixteenth of its time; shorter streams are " \
		  "profiled whole. Rows then say how sure they are. Pays from tens of " \
		  "millions of requests per SM on.  auto: as much as --time leaves; what was " \
		  "chosen is said, and gives the same bytes again" }, \
	{ .name = "sample-lines", .type = WS_OPT_U64, .offset = CLI_AT(sample_lines), \
	  .arg = "N", .min = CLI_SAMPLE_LINES_MIN, .max = UINT64_MAX, \
	  .group = "sampling", \
	  .help = "as --sample, with at most N lines of an SM at a time besides those of a " \
		  "burst: bounds the memory" }, \
	{ .name = "time", .type = WS_OPT_STRING, .offset = CLI_AT(time), .arg = "TIME", \
	  .group = "sampling", \
	  .help = "of --sample auto: what profiling may take, about, as in 10s, 500ms, 5min or " \
		  "2h (seconds if no unit is given).  A beginning of the trace is ordered and " \
		  "profiled to see how long it takes" }
#define CLI_OPT_VERIFY \
	{ .name = "verify", .type = WS_OPT_FLAG, .offset = CLI_AT(verify), \
	  .help = "simulates what the model is not sure of: rows of low confidence and of " \
		  "policies without a model become exact counts, with basis simulated. " \
		  "Wants the trace. If there is such a row, its request streams are kept in " \
		  "memory, 32 bytes a request" }
#define CLI_OPT_BY \
	{ .name = "by", .type = WS_OPT_CHOICE, .offset = CLI_AT(by), .arg = "WHAT", \
	  .choices = "array line site", \
	  .brief = "rows by array, source line or site (both)", \
	  .help = "which array, source line, or site (both) misses: a row for each, most " \
		  "misses first, in columns array and source. At the machine's own l1.line; " \
		  "of a profile also at its machine's l1.sets, for any l1.ways" }
#define CLI_LAUNCHES_MAX 64u /* of another tool's trace, that are shown apart if --per is left
			      * out */
#define CLI_OPT_PER \
	{ .name = "per", .type = WS_OPT_CHOICE, .offset = CLI_AT(per), .arg = "WHAT", \
	  .choices = "kernel launch", \
	  .group = "input", \
	  .help = "what is counted together: all launches of a kernel, or each launch by " \
		  "itself, as NAME#N, where N is the launch's number in the trace. Caches " \
		  "are empty when a launch begins either way. kernel if left out, but " \
		  "launch for another tool's trace of at most 64 launches" }
#define CLI_OPT_FROM \
	{ .name = "from", .type = WS_OPT_STRING, .offset = CLI_AT(from), .arg = "FORMAT", \
	  .complete = "format", \
	  .group = "input", \
	  .help = "FILE is a trace of this format (`warpstack help formats`); its content " \
		  "says which if left out" }
#define CLI_OPT_OUT_OF_BOUNDS(usual) \
	{ .name = "out-of-bounds", .type = WS_OPT_CHOICE, .offset = CLI_AT(out_of_bounds), \
	  .arg = "WHAT", .choices = "fail record ignore", \
	  .group = "input", \
	  .help = "what becomes of a kernel's accesses outside their buffers or local memory, in " \
		  "part or whole.  fail: the first ends the run.  record: they are traced at the " \
		  "address they would have, loads give 0, stores vanish, atomics give 0 and " \
		  "change nothing, and a note for each source line says how many they were.  " \
		  "ignore: the " \
		  "same without the notes.  " usual }
#define CLI_KERNEL_TIMEOUT 600u	/* seconds */
#define CLI_OPT_KERNEL_TIMEOUT(goes) \
	{ .name = "kernel-timeout", .type = WS_OPT_U64, .offset = CLI_AT(kernel_timeout), \
	  .arg = "SECONDS", .min = 1, .max = 1000000000, \
	  .group = "input", \
	  .help = "what a launch of a kernel may take, and compiling one; 600 if left out" goes }
#define CLI_OPT_FROM_LAUNCH CLI_OPT_FROM, \
	CLI_OPT_OUT_OF_BOUNDS("fail if left out; goes with a launch file only"), \
	CLI_OPT_KERNEL_TIMEOUT("; goes with a launch file only")
#define CLI_OPT_ORDER(more) \
	{ .name = "order", .type = WS_OPT_CHOICE, .offset = CLI_AT(order), .arg = "ORDER", \
	  .choices = "nominal cycles own", \
	  .group = "order of requests", \
	  .help = "where the order of requests comes from.  cycles: each launch is run through " \
		  "the cycle simulator (`warpstack help simulate`) once, and requests are in " \
		  "the order in which its L1s accept them.  nominal: latencies are fixed and no " \
		  "request is ever refused; quicker with many threads, and further off.  own: " \
		  "as cycles, but of each configuration's very machine, policies and all, where " \
		  "cycles takes the nearest of four sizes an octave, under LRU.  cycles if left " \
		  "out, but nominal if every launch is one warp or the machine has no time " \
		  "(sm.scheduler, or an " \
		  "offline policy)." more }
#define CLI_OPT_LEVEL \
	{ .name = "level", .type = WS_OPT_CHOICE, .offset = CLI_AT(level), .arg = "LEVEL", \
	  .choices = "l1 l2 all", \
	  .brief = "rows of the L1s, of the L2 or of all", \
	  .help = "rows of the L1s, of the L2 behind them, or of both; l1 if left out. sets " \
		  "of an L2 are those of a slice. l2 wants the trace, or a profile made " \
		  "with --l2" }
#define CLI_OPT_LATENCY \
	{ .name = "latency", .type = WS_OPT_FLAG, .offset = CLI_AT(latency), \
	  .brief = "pending hits, latencies and cycles, too", \
	  .help = "also predicts time: pending hits (with count_pending they count in " \
		  "miss_ratio) and, in the L1's row of kind all, cycles, what limits them, " \
		  "and latencies" }
#define CLI_OPT_KIND(usual) \
	{ .name = "kind", .type = WS_OPT_CHOICE, .offset = CLI_AT(kind), .arg = "KIND", \
	  .choices = "all load store atomic each", \
	  .brief = "requests that count: all, load, store, atomic or each", \
	  .help = "which requests count: all, load, store, atomic, or each, which is a row " \
		  "for each kind that occurs and one for all; " \
		  usual \
		  " if left out" }
#define CLI_FORMATS "auto tsv csv json md table"
#define CLI_FORMATS_HELP \
	"of the rows: tsv, csv, json, one object a line, md, a table in Markdown, or table, " \
	"aligned; auto if left out: table on a terminal, else tsv.  Missing values are empty, " \
	"null in json.  md and " \
	"table leave columns out, and round"
#define CLI_OPT_REPORT(formats, what) \
	CLI_OPT_OUTPUT("writes there instead of standard output; what is there stays until the " \
		       "new file is complete"), \
	CLI_OPT_TABLE(formats, what)
#define CLI_OPT_TABLE(formats, what) \
	{ .name = "format", .type = WS_OPT_CHOICE, .offset = CLI_AT(format), .arg = "FORMAT", \
	  .choices = formats, \
	  .group = "output", .brief = "table, tsv, csv, json or md", \
	  .help = what }, \
	{ .name = "columns", .type = WS_OPT_STRING, .offset = CLI_AT(columns), .arg = "LIST", \
	  .group = "output", .brief = "the columns to write: NAME,... or +NAME,... or all", \
	  .help = "the columns to write, in this order: NAME,NAME,...; +NAME,... adds to the " \
		  "usual ones; all: all that there are.  `warpstack help columns` explains " \
		  "them" }, \
	{ .name = "sort", .type = WS_OPT_STRING, .offset = CLI_AT(sort), .arg = "LIST", \
	  .group = "output", \
	  .help = "sorts the rows by NAME,..., each ascending or, as NAME:desc, descending; " \
		  "missing values come last.  Keeps all rows in memory" }, \
	{ .name = "top", .type = WS_OPT_U64, .offset = CLI_AT(top), .arg = "N", .min = 1, \
	  .max = UINT64_MAX, \
	  .group = "output", \
	  .help = "writes the first N rows only" }, \
	{ .name = "where", .type = WS_OPT_LIST, .offset = CLI_AT(where), .arg = "CONDITION", \
	  .group = "output", .brief = "only rows with NAME=VALUE, 'miss_ratio<0.3', ...", \
	  .help = "writes only rows for which it holds: NAME=VALUE, or with != < <= > >=, as in " \
		  "'miss_ratio<0.3' or 'l1.size>=32K'; `NAME=` means missing.  May be repeated: " \
		  "all must hold" }, \
	{ .name = "provenance", .type = WS_OPT_FLAG, .offset = CLI_AT(provenance), \
	  .group = "output", \
	  .help = "says how the rows were made in any format: in a first line \"# ...\", in " \
		  "json a first object; tsv has that line anyway" }, \
	{ .name = "no-provenance", .type = WS_OPT_FLAG, .offset = CLI_AT(no_provenance), \
	  .group = "output", \
	  .help = "leaves out the first line of tsv, which says how the rows were made" }
#define CLI_OPT_OUTPUT(what) \
	{ .name = "output", .letter = 'o', .type = WS_OPT_STRING, .offset = CLI_AT(output), \
	  .arg = "FILE", .complete = "file", \
	  .group = "output", .brief = "the file to write", \
	  .help = what }

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
void cli_complain_of(const struct ws_err *err); /* and says which options help */

/* ---- files that are written (written.c) ---------------------------------- */

struct ws_program;
struct ws_trace_format;

/* No option may name a file to write that is an operand, a machine's, or another option's. */
enum ws_status cli_written_check(struct cli_call *call, struct ws_err *err) WS_MUST_CHECK;
/* Nor one that is read: a file (NULL: standard input), those of a launch file, of a list of
 * traces. */
enum ws_status cli_reads(struct cli_call *call, const char *path,
			 struct ws_err *err) WS_MUST_CHECK;
enum ws_status cli_program_reads(struct cli_call *call, const struct ws_program *p,
				 struct ws_err *err) WS_MUST_CHECK;
enum ws_status cli_import_reads(struct cli_call *call, const struct ws_trace_format *format,
				const struct ws_in *in, struct ws_err *err) WS_MUST_CHECK;
/* A ws_file_visit, call its context: a file that is written beside the output. */
enum ws_status cli_replaces(void *call, const char *path, struct ws_err *err) WS_MUST_CHECK;
/* ws_out_open, with --no-sync. */
enum ws_status cli_out_open(struct ws_out *out, const struct cli_call *call, const char *path,
			    struct ws_err *err) WS_MUST_CHECK;
/* All of a file; what: in the message if memory was too short for its text. */
enum ws_status cli_write_text(const struct cli_call *call, const char *path,
			      const struct ws_buf *text, const char *what,
			      struct ws_err *err) WS_MUST_CHECK;

/* ---- input (input.c) ----------------------------------------------------- */

enum { CLI_TRACE = 1, CLI_PROFILE = 2 };

struct cli_input { /* one of the two is set */
	struct ws_trace *trace;
	struct ws_profile *profile;
	bool foreign;		/* the trace is another tool's */
	bool captured;		/* the trace is of a launch file */
};

/* What a launch may take. */
uint64_t cli_kernel_seconds(const struct cli_call *call);
/* The command's FILE, its only operand from number `operand` on, or standard input;
 * recognised by content.  accept: CLI_TRACE (a launch file too), CLI_PROFILE or both. */
enum ws_status cli_input_open(struct cli_input *input, struct cli_call *call, size_t operand,
			      unsigned accept, struct ws_err *err) WS_MUST_CHECK;
void cli_input_close(struct cli_input *input);

/* The content of another tool's trace, made into ours.  arrays: infer them; listed: as in struct
 * ws_import_options. */
enum ws_status cli_foreign_open(struct ws_trace **t, struct cli_call *call, const struct ws_in *in,
				const struct ws_trace_format *format, bool arrays, bool listed,
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

/* From now on a file that is cut off while it is read ends the program with a message
 * (shrunk.c). */
void cli_catch_shrunk(void);

/* Could it be a launch file?  And the error if it can be nothing. */
bool cli_is_text(const struct ws_in *in);
enum ws_status cli_unknown_file(const struct ws_in *in, struct ws_err *err);
/* WS_EINVAL if it is a trace or a profile of ours; want: what the command reads, "X wants Y". */
enum ws_status cli_want_text(const struct ws_in *in, const char *want,
			     struct ws_err *err) WS_MUST_CHECK;

bool cli_is_source(const char *name); /* of a kernel */
/* WS_EINVAL, with what to type, if it is a program or a kernel's source, of which a trace can be
 * made; else WS_OK. */
enum ws_status cli_untraced(const struct ws_in *in, struct ws_err *err);
/* Reads a launch file, and checks that what it names is not written. */
enum ws_status cli_program_parse(struct ws_program *p, struct cli_call *call,
				 const struct ws_in *in, struct ws_err *err) WS_MUST_CHECK;
/* Reads a launch file, of what may be no launch file at all: then the error says so. */
enum ws_status cli_launch_parse(struct ws_program *p, struct cli_call *call,
				const struct ws_in *in, struct ws_err *err) WS_MUST_CHECK;
enum { CLI_CAPTURE_LOCAL = 1, CLI_CAPTURE_NO_SOURCE = 2 };
/* Runs a program into out with a progress line, as on machine m. */
enum ws_status cli_capture(struct cli_call *call, struct ws_program *program,
			   const struct ws_machine *m, unsigned what, struct ws_out *out,
			   struct ws_err *err) WS_MUST_CHECK;

/* ---- studies (plan.c) ----------------------------------------------------- */

/* The options as a study has them; the call's, and good until the next one asks. */
const struct ws_study_options *cli_ask(struct cli_call *call);
/* The machine of -m (WS_MACHINE_DEFAULT if left out) with all of --set, checked. */
enum ws_status cli_machine(struct cli_call *call, struct ws_machine *m,
			   struct ws_err *err) WS_MUST_CHECK;
/* cli_plan_init; says which keys decide nothing, and what a profile would have to hold. */
enum ws_status cli_plan_init(struct ws_study_plan *plan, struct cli_call *call,
			     const struct ws_profile *profile, const struct ws_trace *trace,
			     struct ws_err *err) WS_MUST_CHECK;
#define CLI_POLICY_FORM 128u
/* "lru", "srrip[:M[,fp]]": how it is typed.  text of CLI_POLICY_FORM. */
void cli_policy_form(const struct ws_policy *policy, char *text, size_t len);

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
/* Do rows go to standard output, aligned for a reader? */
bool cli_aligned(const struct cli_call *call);
/* Opens -o, writes the provenance line and the header: the keys that the plan varies (NULL: none),
 * then these columns, in the order of the schema. */
enum ws_status cli_report_begin(struct cli_report *r, struct cli_call *call,
				const struct ws_study_plan *plan, const enum ws_col *column,
				size_t columns, struct ws_err *err) WS_MUST_CHECK;
/* A line after the rows; a note if they are to have none. */
void cli_report_remark(struct cli_report *r, const char *fmt, ...) WS_PRINTF(2, 3);
/* status of the work: commits if it is WS_OK, else leaves what was there before. */
enum ws_status cli_report_end(struct cli_report *r, enum ws_status status,
			      struct ws_err *err) WS_MUST_CHECK;
/* Opens -o for a binary file; a terminal is refused. */
enum ws_status cli_binary_open(struct ws_out *out, const struct cli_call *call, const char *what,
			       struct ws_err *err) WS_MUST_CHECK;
/* An argument as a shell takes it back. */
void cli_put_quoted(struct ws_buf *buf, const char *text);
/* "warpstack 0.2.0 predict mm.wst seed=1"; allocated. */
char *cli_provenance(const struct cli_call *call, const struct ws_study_plan *plan);

/* ---- predictions as rows (rows.c) ---------------------------------------- */

/* predict, sweep and simulate: the same columns, the varied keys before them; with --by array
 * and source after the kernel. */
struct cli_callgrind {		/* predict --format callgrind (callgrind.c) */
	struct cli_call *call;
	struct ws_buf lines;
	uint64_t total[6];
};

extern const char cli_callgrind_name[];
/* Sets --by and --kind; WS_EINVAL for options that it cannot have. */
enum ws_status cli_callgrind_check(struct cli_call *call, struct ws_err *err) WS_MUST_CHECK;
enum ws_status cli_callgrind_put(void *callgrind, const struct ws_row *r,
				 struct ws_err *err) WS_MUST_CHECK;
/* Writes what was put. */
enum ws_status cli_callgrind_end(struct cli_callgrind *c, const struct ws_study_plan *plan,
				 struct ws_err *err) WS_MUST_CHECK;

/* predict --format ncu-csv (ncu.c); likewise. */
struct cli_ncu_launch {
	char *kernel;
	double value[WS_COUNTERS]; /* NAN: not predicted */
};
struct cli_ncu {
	struct cli_call *call;
	const struct ws_trace *trace;
	struct cli_ncu_launch *launch;
	size_t launches, cap;
};

extern const char cli_ncu_name[];
enum ws_status cli_ncu_check(struct cli_call *call, struct ws_err *err) WS_MUST_CHECK;
enum ws_status cli_ncu_put(void *ncu, const struct ws_row *r, struct ws_err *err) WS_MUST_CHECK;
enum ws_status cli_ncu_end(struct cli_ncu *n, const struct ws_study_plan *plan,
			   struct ws_err *err) WS_MUST_CHECK;
void cli_ncu_clear(struct cli_ncu *n);

struct cli_rows {
	struct cli_call *call;
	const struct ws_study_plan *plan;
	struct cli_report report;
	bool translates;	/* with the columns of TLBs */
};

/* A ws_row_sink: rows is a struct cli_rows. */
enum ws_status cli_rows_put(void *rows, const struct ws_row *row, struct ws_err *err) WS_MUST_CHECK;
static inline void cli_columns_add(enum ws_col *to, size_t *count, const enum ws_col *from,
				   size_t more)
{
	for (size_t i = 0; i < more; i++)
		to[(*count)++] = from[i];
}
enum ws_status cli_rows_end(struct cli_rows *rows, enum ws_status status,
			    struct ws_err *err) WS_MUST_CHECK;

/* ---- searches (best.c) ------------------------------------------------------ */

struct cli_search {		/* --best; nothing is done without it */
	struct cli_call *call;
	struct ws_goal goal;
	struct ws_search ranges; /* if none was given */
	struct ws_best *best;	/* NULL: not asked for */
	uint64_t top;
};

/* What the options alone say. */
enum ws_status cli_search_options(struct cli_search *s, struct cli_call *call,
				  struct ws_err *err) WS_MUST_CHECK;
/* Ranges that are searched take the place of --vary; clear after the plan. */
enum ws_status cli_search_begin(struct cli_search *s, const struct ws_profile *profile,
				struct ws_err *err) WS_MUST_CHECK;
/* What is searched. */
void cli_search_say(const struct cli_search *s, const struct ws_study_plan *plan);
/* Writes what was chosen, and the remarks. */
enum ws_status cli_search_rows(const struct cli_search *s, struct cli_rows *rows,
			       struct ws_err *err) WS_MUST_CHECK;
void cli_search_clear(struct cli_search *s);

/* ---- --sample auto (pilot.c) --------------------------------------------- */

/* *seconds: --time, as it was if there is none.  Each goes with the other, and not with --part. */
enum ws_status cli_sample_time(const struct cli_call *call, double *seconds,
			       struct ws_err *err) WS_MUST_CHECK;
/* The rate, as if it had been given; what cli_ask says then. */
const struct ws_study_options *cli_sample_chosen(struct cli_call *call,
						 const struct ws_pilot *pilot);

/* ---- a profile in parts (profile_parts.c) ---------------------------------- */

/* Of a part that was asked for: its notes. */
enum ws_status cli_profile_part(const struct cli_call *call, const struct ws_profile *p,
				enum ws_split how, struct ws_err *err) WS_MUST_CHECK;
/* Adds the next part, of what it wrote and its notes.  *sum: NULL at first; who calls frees it. */
enum ws_status cli_profile_add(struct ws_profile **sum, const struct ws_buf *bytes,
			       const struct ws_buf *notes, struct ws_err *err) WS_MUST_CHECK;
/* What is to be said of the whole, and writes it. */
enum ws_status cli_profile_end(const struct cli_call *call, struct ws_profile *p,
			       struct ws_out *out, struct ws_err *err) WS_MUST_CHECK;

/* predict and sweep: plan, engine and rows in one; of --best those that it chooses. */
enum ws_status cli_model(struct cli_call *call, const char *kind, /* if --kind is left out */
			 struct ws_err *err) WS_MUST_CHECK;

/* ---- formats of traces (formats.c) --------------------------------------- */

#define CLI_NATIVE "wst"
/* The format of that name, which an option gave; *out NULL: ours. */
enum ws_status cli_format_find(const struct cli_call *call, const char *option, const char *name,
			       const struct ws_trace_format **out,
			       struct ws_err *err) WS_MUST_CHECK;
/* Of what convert reads and, if the summary says so, writes; NULL after the last. */
const char *cli_format_name(size_t i);
const char *cli_format_summary(size_t i);

/* ---- counters (counters.c) ------------------------------------------------- */

struct ws_counters_name;
/* "ncu NAME, in sectors; note"; returns text. */
const char *cli_counter_form(const struct ws_counters_name *c, char *text, size_t len);

/* ---- text (wrap.c) --------------------------------------------------------- */

/* Writes text from column `column` on, later lines indented, filled to 80 characters. */
void cli_wrap(FILE *file, const char *text, size_t indent, size_t column);
/* Paragraphs, a blank line between them. */
void cli_wrap_paragraphs(FILE *file, const char *text);
/* A name of a list, and beside it what it is; more of that. */
void cli_entry(FILE *file, const char *name, const char *text);
void cli_entry_more(FILE *file, const char *text);
/* A command for a shell, its lines but the last with \\ at the end. */
void cli_wrap_command(FILE *file, const char *text, size_t len);

/* ---- help (help.c, manual.c, completion.c) ------------------------------- */

extern const char *const cli_exit_codes[][2]; /* code, meaning; NULL-terminated */
extern const char *const cli_stage_names[];   /* by enum ws_stage */
extern const char *const cli_stage_help[];
/* All of it, or usage, the usual options and two examples. */
void cli_help_of(FILE *file, const struct cli_command *command, bool whole);
struct cli_topic {
	const char *name, *summary;
	void (*print)(FILE *file);
};
extern const struct cli_topic cli_topics[]; /* up to a name of NULL */
const struct cli_topic *cli_topic_find(const char *name); /* NULL: none */
const struct cli_topic *cli_topic_nearest(const char *name); /* that is nearly called so */
void cli_help_key(FILE *file, const struct ws_key *key);
void cli_help_keys(FILE *file);
void cli_help_figures(FILE *file);
void cli_help_formats(FILE *file);
extern const char cli_columns_name[]; /* what __manual takes besides commands */
extern const char cli_columns_introduction[];
void cli_help_columns(FILE *file);
/* "1..4096", "lrr gto ...": what a key may be set to. */
void cli_key_range(const struct ws_key *key, char *text, size_t len);
/* What it is, with the command that says more; returns text. */
const char *cli_key_help(const struct ws_key *key, char *text, size_t len);
extern const char *const cli_key_types[];     /* by enum ws_key_type */

#endif
