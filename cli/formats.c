/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cli/formats.c -- formats of traces by name: wst, and those of the library's table.
 */
#include "cli/cli.h"
#include "trace/import.h"

#include <string.h>

const char *cli_format_name(size_t i)
{
	return i == 0 ? CLI_NATIVE : ws_trace_formats[i - 1] ? ws_trace_formats[i - 1]->name : NULL;
}

const char *cli_format_summary(size_t i)
{
	return i == 0 ? "warpstack's own; read and written" : ws_trace_formats[i - 1]->summary;
}

static const char *format_at(size_t i, const void *context)
{
	(void)context;
	return cli_format_name(i);
}

static size_t format_count(void)
{
	size_t count = 0;

	while (cli_format_name(count))
		count++;
	return count;
}

enum ws_status cli_format_find(const struct cli_call *call, const char *option, const char *name,
			       const struct ws_trace_format **out, struct ws_err *err)
{
	int nearest;

	*out = NULL;
	if (!name || strcmp(name, CLI_NATIVE) == 0)
		return WS_OK;
	*out = ws_trace_format_find(name);
	if (*out)
		return WS_OK;
	nearest = ws_nearest_name(name, format_count(), format_at, NULL);
	if (nearest >= 0)
		return cli_usage(call->command, err, "--%s=%.64s: unknown format, did you mean "
				 "'%s'?", option, name, cli_format_name((size_t)nearest));
	return cli_usage(call->command, err, "--%s=%.64s: unknown format: want one of those of "
			 "'warpstack help formats'", option, name);
}
