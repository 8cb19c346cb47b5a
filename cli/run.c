/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cli/run.c -- finds the command, parses its options, runs it, and turns the outcome into one line
 * and an exit code.
 */
#include "cli/cli.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LISTED(name) &cli_cmd_##name,
static const struct cli_command *const commands[] = { CLI_COMMANDS(LISTED) NULL };

/* ---- options -------------------------------------------------------------------- */

/* What -o names has been checked, and whoever puts the parts together writes it. */
static void become_part(struct cli_call *call)
{
	call->part = call->asked->part;
	call->parts = call->asked->parts;
	call->options->output = NULL;
	if (!call->options->threads)
		call->options->threads = call->asked->threads;
}

static enum ws_status parse_call(struct cli_call *call, struct ws_err *err)
{
	const struct cli_command *c = call->command;
	struct ws_err inner = { 0 };
	enum ws_status status = ws_options_parse(c->table, cli_tables(c), call->options,
						 call->argc, call->argv, &call->operands, &inner);

	if (status == WS_EINVAL)
		return cli_usage(c, err, "%s", inner.text);
	if (status != WS_OK)
		return ws_fail_as(err, &inner);
	if (call->options->help || call->options->usage)
		return WS_OK;
	if (call->operands.count < c->operands_min)
		return cli_usage(c, err, "an operand is missing: warpstack %s %s", c->name,
				 c->usage);
	if (call->operands.count > c->operands_max)
		return cli_usage(c, err, "one operand too many, '%s': warpstack %s %s",
				 call->operands.item[c->operands_max], c->name, c->usage);
	if (call->options->sample > 0 && call->options->sample < CLI_SAMPLE_MIN)
		return cli_usage(c, err, "--sample=%g: want at least %g, one line in a million",
				 call->options->sample, CLI_SAMPLE_MIN);
	call->seed = call->options->seed;
	if (call->seed == CLI_SEED_NONE)
		call->seed = WS_SEED_DEFAULT;
	status = cli_report_check(call, err);
	if (status == WS_OK)
		status = cli_written_check(call, err);
	if (status == WS_OK && call->asked)
		become_part(call);
	return status;
}

static void clear_lists(struct cli_call *call)
{
	for (size_t t = 0; t < cli_tables(call->command); t++) {
		for (const struct ws_option *o = call->command->table[t]; o->name; o++)
			if (o->type == WS_OPT_LIST)
				ws_list_clear((struct ws_list *)(void *)((char *)call->options +
									 o->offset));
	}
}

/* The command line's first word, and its common synonyms. */
static const char *first_word(int argc, char **argv)
{
	const char *word = argc > 1 ? argv[1] : NULL;

	if (word && (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0))
		return cli_help_command;
	if (word && (strcmp(word, "--version") == 0 || strcmp(word, "-V") == 0))
		return cli_version_command;
	return word;
}

static enum ws_status find_command(struct cli_call *call, const char *word, struct ws_err *err)
{
	if (!word)
		return ws_fail(err, WS_EINVAL, "no command given; try 'warpstack --help'");
	call->command = cli_command_find(commands, word);
	if (call->command)
		return WS_OK;
	if (word[0] == '-')
		return ws_fail(err, WS_EINVAL, "unknown option '%.64s' before a command; "
			       "try 'warpstack --help'", word);
	if (cli_topic_find(word))
		return ws_fail(err, WS_EINVAL, "unknown command '%s'; try 'warpstack help %s'",
			       word, word);
	return cli_command_unknown(commands, word, err);
}

enum ws_status cli_begin(struct cli_call *call, const struct cli_part *part, int argc, char **argv,
			 struct ws_err *err)
{
	enum ws_status status;

	call->commands = commands;
	call->asked = part;
	call->argc = argc - 1;
	call->argv = argv + 1;
	status = find_command(call, first_word(argc, argv), err);
	if (status != WS_OK)
		return status;
	call->options = calloc(1, call->command->size);
	if (!call->options)
		return ws_fail_memory(err, "the options");
	call->options->seed = CLI_SEED_NONE;
	call->options->format = "auto";
	return parse_call(call, err);
}

void cli_end(struct cli_call *call)
{
	ws_list_clear(&call->operands);
	if (call->options)
		clear_lists(call);
	free(call->read);
	free(call->options);
}

static enum ws_status run_command(struct cli_call *call, struct ws_err *err)
{
	if (!call->options->help && !call->options->usage)
		return call->command->run(call, err);
	cli_help_of(stdout, call->command, call->options->help);
	return WS_OK;
}

/* A closed standard output is no failure if nothing was written to it. */
static bool close_output(void)
{
	bool pending = __fpending(stdout) != 0, failed = ferror(stdout);

	errno = 0;
	return !(fclose(stdout) && (pending || errno != EBADF)) && !failed;
}

/* Descriptors 0 to 2 that are closed are opened so that they cannot be used: else the first files
 * we open would get their numbers, and messages and rows be written into them. */
static void hold_descriptors(void)
{
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0 && errno == EBADF)
			(void)!open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

int cli_run(int argc, char **argv, const struct cli_part *part)
{
	struct cli_call call = { .command = NULL };
	struct ws_err err = { 0 };
	enum ws_status status;
	int code;

	hold_descriptors();
	/* A reader that has seen enough ends this program as it ends any filter. */
	signal(SIGPIPE, SIG_DFL);
	/* A file that may not grow any more (ulimit -f) is a write that fails. */
	signal(SIGXFSZ, SIG_IGN);
	cli_catch_shrunk();
	status = cli_begin(&call, part, argc, argv, &err);
	if (status == WS_OK)
		status = run_command(&call, &err);
	code = call.no ? 1 : call.code;
	cli_end(&call);
	if (!close_output() && status == WS_OK)
		status = ws_fail(&err, WS_EIO, "(standard output): %s",
				 strerror(errno ? errno : EIO));
	if (status == WS_OK)
		return code;
	cli_complain_of(&err);
	return ws_exit_code(status);
}
