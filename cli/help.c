/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cli/help.c -- --help, from the same tables as the parser; the commands help and version.
 */
#include "cli/cli.h"
#include "trace/capture.h"
#include "validate/counters.h"

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

const char *const cli_stage_names[] = {
	[WS_STAGE_ORDER] = "order", [WS_STAGE_PROFILE] = "profile",
	[WS_STAGE_PREDICT] = "predict", [WS_STAGE_L2_PROFILE] = "l2-profile",
	[WS_STAGE_L2_PREDICT] = "l2-predict", [WS_STAGE_CYCLES] = "cycles",
	[WS_STAGE_LABEL] = "label",
};

const char *const cli_stage_help[] = {
	[WS_STAGE_ORDER] = "the request stream depends on it: another value needs the trace",
	[WS_STAGE_PROFILE] = "the profile depends on it: another value needs the trace",
	[WS_STAGE_PREDICT] = "one profile answers all its values (of line and sets, those it has)",
	[WS_STAGE_L2_PROFILE] =
		"as profile, where the L2 is asked for (--l2, --level); else as cycles",
	[WS_STAGE_L2_PREDICT] = "as predict, where the L2 is asked for; else as cycles",
	[WS_STAGE_CYCLES] = "described, but hit and miss counts do not depend on it",
	[WS_STAGE_LABEL] = "a text for people",
};

/* ---- a command ----------------------------------------------------------- */

static void option_help(FILE *file, const struct ws_option *o)
{
	int n = o->letter ? fprintf(file, "  -%c, --%s", o->letter, o->name)
			  : fprintf(file, "      --%s", o->name);

	if (o->arg)
		n += fprintf(file, " %s", o->arg);
	if ((size_t)n + 2 > HELP_COLUMN) {
		fputc('\n', file);
		n = 0;
	}
	fprintf(file, "%*s", (int)HELP_COLUMN - n, "");
	cli_wrap(file, o->help, HELP_COLUMN, HELP_COLUMN);
}

static void examples_help(FILE *file, const char *examples)
{
	fputs("\nexamples:\n", file);
	while (*examples) {
		size_t len = strcspn(examples, "\n");

		fprintf(file, "  %.*s\n", (int)len, examples);
		examples += len;
		examples += *examples == '\n';
	}
}

static void figures_help(FILE *file)
{
	fputs("\nfigures:\n", file);
	for (size_t i = 0; ws_figures[i]; i++) {
		int n = fprintf(file, "  %-10s ", ws_figures[i]->name);

		cli_wrap(file, ws_figures[i]->summary, 13, (size_t)n);
	}
}

static void formats_help(FILE *file)
{
	fputs("\nformats:\n", file);
	for (size_t i = 0; cli_format_name(i); i++) {
		int n = fprintf(file, "  %-15s ", cli_format_name(i));

		cli_wrap(file, cli_format_summary(i), 18, (size_t)n);
	}
}

static void counters_help(FILE *file)
{
	char text[512];

	fputs("\ncounters:\n", file);
	for (unsigned i = 0; i < WS_COUNTERS; i++) {
		int n = fprintf(file, "  %-18s ", ws_counter_rows[i].name);

		cli_wrap(file, ws_counter_rows[i].meaning, 21, (size_t)n);
		for (const struct ws_counters_name *c = ws_counters_names; c->name; c++)
			if (c->counter == i)
				cli_wrap(file, cli_counter_form(c, text, sizeof text), 25,
					 (size_t)fprintf(file, "%21s", ""));
	}
}

static void policies_help(FILE *file)
{
	char text[4096] = "policies:", form[CLI_POLICY_FORM];

	for (size_t i = 0; ws_policies[i]; i++) {
		size_t len = strlen(text);

		cli_policy_form(ws_policies[i], form, sizeof form);
		snprintf(text + len, sizeof text - len, " %s", form);
	}
	fputc('\n', file);
	cli_wrap(file, text, 10, 0);
}

static void exit_help(FILE *file)
{
	fputs("\nexit codes:\n", file);
	for (size_t i = 0; cli_exit_codes[i][0]; i++)
		fprintf(file, "  %s  %s\n", cli_exit_codes[i][0], cli_exit_codes[i][1]);
}

void cli_help_of(FILE *file, const struct cli_command *c)
{
	fprintf(file, "warpstack %s -- %s\n\nusage: warpstack %s %s\n\n", c->name,
		c->summary ? c->summary : "", c->name, c->usage);
	cli_wrap_paragraphs(file, c->description);
	fputs("\noptions:\n", file);
	for (size_t t = 0; t < cli_tables(c); t++)
		for (const struct ws_option *o = c->table[t]; o->name; o++)
			option_help(file, o);
	if (cli_has_option(c, "set"))
		fputs("\nkeys: sm.count sm.scheduler warp.width l1.size l1.ways l1.hash "
		      "l1.policy ...;\n"
		      "`warpstack machine -k` explains them all.  Sizes take K, M, KiB, MiB.\n",
		      file);
	if (cli_has_option(c, "set") || c->lists & CLI_LIST_POLICIES)
		policies_help(file);
	if (c->lists & CLI_LIST_FIGURES)
		figures_help(file);
	if (c->lists & CLI_LIST_FORMATS)
		formats_help(file);
	if (c->lists & CLI_LIST_COUNTERS)
		counters_help(file);
	if (c->examples)
		examples_help(file, c->examples);
	exit_help(file);
}

static void program_help(FILE *file, const struct cli_command *const *commands)
{
	fputs("warpstack -- miss rates of GPU caches from one pass over a kernel's memory trace\n"
	      "\nusage: warpstack COMMAND [options] [FILE]\n\ncommands:\n", file);
	for (size_t i = 0; commands[i]; i++)
		if (commands[i]->summary)
			fprintf(file, "  %-12s%s\n", commands[i]->name,
				commands[i]->summary);
	fputs("\nA FILE may be a launch file, a trace or a profile, told apart by content; "
	      "without\n"
	      "one, or with -, it is standard input, so commands pipe:\n\n"
	      "  warpstack trace mm.launch | warpstack profile -m gtx480 |\n"
	      "      warpstack sweep --vary l1.size=8K:128K:x2\n\n"
	      "`warpstack COMMAND --help` explains a command, `warpstack machine` the machines,\n"
	      "`warpstack machine -k` what about them can be changed, `warpstack help columns` "
	      "the\n"
	      "columns of the results.\n", file);
	exit_help(file);
}

static enum ws_status run_help(struct cli_call *call, struct ws_err *err)
{
	const struct cli_command *command;

	if (call->operands.count == 0) {
		program_help(stdout, call->commands);
		return WS_OK;
	}
	if (strcmp(call->operands.item[0], cli_columns_name) == 0) {
		cli_help_columns(stdout);
		return WS_OK;
	}
	command = cli_command_find(call->commands, call->operands.item[0]);
	if (!command)
		return cli_command_unknown(call->commands, call->operands.item[0], err);
	cli_help_of(stdout, command);
	return WS_OK;
}

static const struct ws_option help_only[] = {
	{ .name = "help", .letter = 'h', .type = WS_OPT_FLAG, .offset = CLI_AT(help),
	  .help = "prints this help" },
	{ 0 },
};

const struct cli_command cli_cmd_help = {
	.name = cli_help_command,
	.summary = "explains a command",
	.usage = "[COMMAND|columns]",
	.description = "Prints what `warpstack COMMAND --help` prints, or the list of commands; or "
		       "explains all columns of all tables.",
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
	.summary = "version; with -v compiler, flags and libraries",
	.usage = "[-v]",
	.description = "Prints the version of warpstack; with -v also what it was built with, "
		       "whether kernels can be captured, and where its data files are.",
	.examples = "warpstack version -v",
	.table = { cli_general },
	.size = sizeof(struct cli_options),
	.run = run_version,
};
