/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cli/command.c -- parses a command's options by its row; finds commands by name.
 */
#include "cli/cli.h"

#include <string.h>

const struct ws_option cli_general[] = {
	CLI_OPT_HELP,
	{ .name = "quiet", .letter = 'q', .type = WS_OPT_FLAG, .offset = CLI_AT(quiet),
	  .group = "general",
	  .help = "no notes and no progress line" },
	{ .name = "verbose", .letter = 'v', .type = WS_OPT_FLAG, .offset = CLI_AT(verbose),
	  .group = "general",
	  .help = "says on standard error what is being done" },
	{ .name = "no-sync", .type = WS_OPT_FLAG, .offset = CLI_AT(no_sync), .group = "general",
	  .help = "does not wait until a file that is written is on the disk before it takes its "
		  "name: quicker, but a power cut may leave it empty" },
	{ 0 },
};

size_t cli_tables(const struct cli_command *command)
{
	size_t count = 0;

	while (count < CLI_TABLES && command->table[count])
		count++;
	return count;
}

bool cli_has_option(const struct cli_command *c, const char *name)
{
	for (size_t t = 0; t < cli_tables(c); t++)
		for (const struct ws_option *o = c->table[t]; o->name; o++)
			if (strcmp(o->name, name) == 0)
				return true;
	return false;
}

const struct cli_command *cli_command_find(const struct cli_command *const *commands,
					   const char *name)
{
	for (; *commands; commands++)
		if (strcmp((*commands)->name, name) == 0)
			return *commands;
	return NULL;
}

static const char *command_name(size_t i, const void *context)
{
	const struct cli_command *const *commands = context;

	return commands[i]->name;
}

enum ws_status cli_command_unknown(const struct cli_command *const *commands, const char *name,
				   struct ws_err *err)
{
	size_t count = 0;
	int nearest;

	while (commands[count])
		count++;
	nearest = ws_nearest_name(name, count, command_name, commands);
	if (nearest >= 0 && commands[nearest]->summary)
		return ws_fail(err, WS_EINVAL,
			       "unknown command '%.64s', did you mean '%s'? try 'warpstack --help'",
			       name, commands[nearest]->name);
	return ws_fail(err, WS_EINVAL, "unknown command '%.64s'; try 'warpstack --help'", name);
}
