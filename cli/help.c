/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cli/help.c -- --help, from the same tables as the parser; the commands help and version.
 */
#include "cli/cli.h"
#include "trace/capture.h"

#include <errno.h>
#include <gmp.h>
#include <gsl/gsl_version.h>
#include <inttypes.h>
#include <lzma.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

#define HELP_COLUMN 26u

const char cli_help_command[] = "help";
const char cli_version_command[] = "version";

const char *const cli_exit_codes[][2] = {
	{ "0", "it worked" },
	{ "1", "it ran, and the answer is no: a check is outside its tolerance" },
	{ "2", "usage: an unknown command, option, machine or key, or a value out of its range" },
	{ "3", "an input is missing, unreadable or malformed" },
	{ "4", "the system: memory, disk, descriptors; a write that failed" },
	{ NULL, NULL },
};

/* ---- a command ----------------------------------------------------------- */

/* Its name and argument; returns the column after them. */
static size_t put_option(FILE *file, const struct ws_option *o)
{
	int n = o->letter ? fprintf(file, "  -%c, --%s", o->letter, o->name)
			  : fprintf(file, "      --%s", o->name);

	if (o->arg)
		n += fprintf(file, " %s", o->arg);
	return (size_t)n;
}

/* What it does, from HELP_COLUMN on: below the name, if that is longer. */
static void option_text(FILE *file, const struct ws_option *o, const char *text)
{
	size_t column = put_option(file, o);

	if (column + 2 > HELP_COLUMN) {
		fputc('\n', file);
		column = 0;
	}
	fprintf(file, "%*s", (int)(HELP_COLUMN - column), "");
	cli_wrap(file, text, HELP_COLUMN, HELP_COLUMN);
}

static bool same_group(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) == 0 : a == b;
}

/* Is it the last option of its group? */
static bool ends_group(const struct cli_command *c, const struct ws_option *option)
{
	const struct ws_option *last = option;

	for (size_t t = 0; t < cli_tables(c); t++)
		for (const struct ws_option *o = c->table[t]; o->name; o++)
			if (same_group(o->group, option->group))
				last = o;
	return last == option;
}

static void group_help(FILE *file, const struct cli_command *c, const char *group)
{
	fprintf(file, "\n%s:\n", group ? group : "options");
	for (size_t t = 0; t < cli_tables(c); t++)
		for (const struct ws_option *o = c->table[t]; o->name; o++)
			if (same_group(o->group, group))
				option_text(file, o, o->help);
}

/* The command's own options first, then the groups, in the order of their last ones. */
static void options_help(FILE *file, const struct cli_command *c)
{
	bool own = false;

	for (size_t t = 0; t < cli_tables(c); t++)
		for (const struct ws_option *o = c->table[t]; o->name; o++)
			own = own || !o->group;
	if (own)
		group_help(file, c, NULL);
	for (size_t t = 0; t < cli_tables(c); t++)
		for (const struct ws_option *o = c->table[t]; o->name; o++)
			if (o->group && ends_group(c, o))
				group_help(file, c, o->group);
}

/* The first commands of the examples; most 0: all, with what is said of them. */
static void examples_help(FILE *file, const char *examples, size_t most)
{
	size_t count = 0;

	fputs("\nexamples:\n", file);
	while (*examples && (!most || count < most)) {
		size_t len = strcspn(examples, "\n");

		if (*examples != '#')
			cli_wrap_command(file, examples, len);
		else if (!most)
			fprintf(file, "  %.*s\n", (int)len, examples);
		count += *examples != '#';
		examples += len;
		examples += *examples == '\n';
	}
}

static void lists_help(FILE *file, const struct cli_command *c)
{
	if (c->lists & CLI_LIST_FIGURES) {
		fputs("\nfigures:\n", file);
		cli_help_figures(file);
	}
	if (c->lists & CLI_LIST_FORMATS) {
		fputs("\nformats:\n", file);
		cli_help_formats(file);
	}
	if (c->lists & CLI_LIST_COUNTERS)
		fputs("\n`warpstack help counters` lists the counters.\n", file);
	if (cli_has_option(c, "set"))
		fputs("\nKeys: `warpstack help keys`.  Policies: `warpstack help policies`.  Sizes "
		      "take K, M, KiB,\nMiB.\n", file);
}

static void exit_help(FILE *file)
{
	fputs("\nexit codes:\n", file);
	for (size_t i = 0; cli_exit_codes[i][0]; i++)
		fprintf(file, "  %s  %s\n", cli_exit_codes[i][0], cli_exit_codes[i][1]);
}

static void short_help(FILE *file, const struct cli_command *c)
{
	fputc('\n', file);
	for (size_t t = 0; t < cli_tables(c); t++)
		for (const struct ws_option *o = c->table[t]; o->name; o++)
			if (o->brief)
				option_text(file, o, o->brief);
	if (c->examples)
		examples_help(file, c->examples, 2);
	fprintf(file, "\nMore: `warpstack %s --help`, warpstack-%s(1).\n", c->name, c->name);
}

void cli_help_of(FILE *file, const struct cli_command *c, bool whole)
{
	int column;

	fprintf(file, "warpstack %s -- %s\n\n", c->name, c->summary ? c->summary : "");
	column = fprintf(file, "usage: warpstack %s ", c->name);
	cli_wrap(file, c->usage, 7, (size_t)column);
	if (!whole) {
		short_help(file, c);
		return;
	}
	options_help(file, c);
	lists_help(file, c);
	if (c->examples)
		examples_help(file, c->examples, 0);
	fputs("\nwhat it does:\n\n", file);
	cli_wrap_paragraphs(file, c->description);
	exit_help(file);
}

static void program_help(FILE *file, const struct cli_command *const *commands, bool whole)
{
	fputs("warpstack -- miss rates of GPU caches from one pass over a kernel's memory trace\n"
	      "\nusage: warpstack COMMAND [options] [FILE]\n\ncommands:\n", file);
	for (size_t i = 0; commands[i]; i++)
		if (commands[i]->summary)
			fprintf(file, "  %-12s%s\n", commands[i]->name,
				commands[i]->summary);
	if (!whole) {
		fputs("\nMore: `warpstack COMMAND -h`, `warpstack --help`.\n", file);
		return;
	}
	fputs("\nA FILE may be a launch file, a trace or a profile: its content says which.  "
	      "Without\n"
	      "one, or with -, it is standard input, so commands pipe:\n\n"
	      "  warpstack trace mm.launch | warpstack profile -m gtx480 |\n"
	      "      warpstack sweep --vary l1.size=8K:128K:x2\n\n"
	      "`warpstack COMMAND -h` names the options people use most, `--help` all.\n\n"
	      "lists, by `warpstack help NAME`:\n", file);
	for (const struct cli_topic *t = cli_topics; t->name; t++)
		fprintf(file, "  %-12s%s\n", t->name, t->summary);
	exit_help(file);
}

static enum ws_status run_help(struct cli_call *call, struct ws_err *err)
{
	const struct cli_command *command;
	const struct cli_topic *topic, *nearest;
	const char *name;

	if (call->operands.count == 0) { /* warpstack -h is this command, too */
		program_help(stdout, call->commands, strcmp(call->argv[0], "-h") != 0);
		return WS_OK;
	}
	name = call->operands.item[0];
	topic = cli_topic_find(name);
	nearest = cli_topic_nearest(name);
	command = cli_command_find(call->commands, name);
	if (topic) {
		topic->print(stdout);
		if (command)
			printf("\n`warpstack %s --help` explains the command.\n", name);
		return WS_OK;
	}
	if (!command && nearest)
		return ws_fail(err, WS_EINVAL, "no help on '%.64s', did you mean 'warpstack help "
			       "%s'?", name, nearest->name);
	if (!command)
		return cli_command_unknown(call->commands, name, err);
	cli_help_of(stdout, command, true);
	return WS_OK;
}

static const struct ws_option help_only[] = { CLI_OPT_HELP, { 0 } };

const struct cli_command cli_cmd_help = {
	.name = cli_help_command,
	.summary = "explains a command; lists columns, keys, policies, ...",
	.usage = "[COMMAND|columns|keys|formats|policies|counters|figures]",
	.description = "Prints what `warpstack COMMAND --help` prints, or the list of commands.  "
		       "columns explains the columns of all tables, keys what can be changed about "
		       "a machine, formats whose traces are read, policies the replacement "
		       "policies, counters those of profilers, figures what can be drawn.",
	.examples = "warpstack help sweep\nwarpstack help columns",
	.table = { help_only },
	.size = sizeof(struct cli_options),
	.operands_max = 1,
	.complete = "command",
	.run = run_help,
};

/* ---- versions ------------------------------------------------------------ */

#ifndef WS_CFLAGS
#define WS_CFLAGS "(not recorded)"
#endif
#if defined(__clang__)
#define COMPILER __VERSION__
#else
#define COMPILER "gcc " __VERSION__
#endif

static enum ws_status capture_facts(struct ws_err *err)
{
	char confinement[WS_CONFINEMENT_TEXT], *cache;
	struct ws_err why = { 0 };

	if (ws_capture_load(&why) == WS_ENOMEM)
		return ws_fail_as(err, &why);
	if (why.status != WS_OK) {
		printf("capture: no; %s\n", why.text);
		return WS_OK;
	}
	errno = 0;
	cache = ws_capture_cache();
	if (!cache && errno == ENOMEM)
		return ws_fail_memory(err, "the name of a folder");
	ws_capture_confinement(confinement);
	printf("capture: yes\nconfinement: %s\ncache: %s\n", confinement, cache ? cache : "none");
	free(cache);
	return WS_OK;
}

static enum ws_status build_facts(struct ws_err *err)
{
	enum ws_status status;
	char *dirs[8];
	size_t count;

	printf("compiler: %s\nflags: %s\n", COMPILER, WS_CFLAGS);
	printf("libraries: GSL %s, GMP %s, zstd %s, liblzma %s, zlib %s\n", gsl_version,
	       gmp_version,
	       ZSTD_versionString(), lzma_version_string(), zlibVersion());
	status = capture_facts(err);
	count = ws_data_dirs(dirs, WS_COUNT(dirs));
	for (size_t i = 0; i < count; i++) {
		if (dirs[i])
			printf("data: %s\n", dirs[i]);
		else
			status = ws_fail_memory(err, "the data folders");
		free(dirs[i]);
	}
	return status;
}

static enum ws_status run_version(struct cli_call *call, struct ws_err *err)
{
	puts("warpstack " WS_VERSION);
	return call->options->verbose ? build_facts(err) : WS_OK;
}

const struct cli_command cli_cmd_version = {
	.name = cli_version_command,
	.summary = "prints the version; with -v what it was built with",
	.usage = "[-v]",
	.description = "Prints the version of warpstack; with -v also what it was built with, "
		       "whether kernels can be captured, and where its data files are.",
	.examples = "warpstack version -v",
	.table = { cli_general },
	.size = sizeof(struct cli_options),
	.run = run_version,
};
