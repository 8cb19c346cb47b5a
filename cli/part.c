/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cli/part.c -- a command in parts: --part, and what a program that runs parts asks for.
 */
#include "cli/cli.h"

#include <stddef.h>
#include <string.h>

/* Rows that are sorted or chosen, or aligned, are known when all are. */
static enum ws_status check_part(const struct cli_call *call, struct ws_err *err)
{
	const struct cli_options *o = call->options;
	const char *what = call->asked ? "parts" : "--part";
	const char *other = o->best ? "best" : o->sort ? "sort" : o->top ? "top" : NULL;

	if (other)
		return cli_usage(call->command, err, "%s and --%s: want one of them", what, other);
	if (strcmp(o->format, "table") == 0 || strcmp(o->format, "md") == 0)
		return cli_usage(call->command, err, "%s and --format=%s: want tsv, csv or json",
				 what, o->format);
	return WS_OK;
}

enum ws_status cli_part_options(struct cli_call *call, struct ws_err *err)
{
	const char *text = call->options->part, *slash = text ? strchr(text, '/') : NULL;
	char first[24];

	if (text && call->asked)
		return cli_usage(call->command, err, "--part=%.64s: it is run in parts already",
				 text);
	if (!text)
		return call->parts ? check_part(call, err) : WS_OK;
	if (slash && slash > text && slash - text < (ptrdiff_t)sizeof first) {
		memcpy(first, text, (size_t)(slash - text));
		first[slash - text] = '\0';
		if (ws_parse_u64(first, &call->part) && ws_parse_u64(slash + 1, &call->parts) &&
		    call->part && call->part <= call->parts && call->parts <= WS_PARTS_MAX)
			return check_part(call, err);
	}
	return cli_usage(call->command, err, "--part=%.64s: want K/N, part K of N, at most %u",
			 text, WS_PARTS_MAX);
}

bool cli_follows(const struct cli_call *call)
{
	return call->part > call->parts;
}

void cli_notes_path(const struct cli_call *call, char path[CLI_NOTES_PATH])
{
	snprintf(path, CLI_NOTES_PATH, "/proc/self/fd/%d", call->asked->notes);
}
