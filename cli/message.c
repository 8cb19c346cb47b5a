/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cli/message.c -- messages on standard error, a line each.
 */
#include "cli/cli.h"

#include <string.h>

/* What a terminal may obey: ASCII's control characters, and those that Unicode adds. */
static size_t control_bytes(const unsigned char *at)
{
	if (*at == 0xc2 && at[1] >= 0x80 && at[1] < 0xa0)
		return 2;
	return *at < ' ' || *at == 0x7f;
}

/* Threads may write at once: no line has parts of two messages. */
static void line(const char *before, const char *text)
{
	flockfile(stderr);
	fputs(before, stderr);
	while (*text) {
		size_t len = control_bytes((const unsigned char *)text);

		fputc(len ? ' ' : *text, stderr);
		text += len ? len : 1;
	}
	fputc('\n', stderr);
	funlockfile(stderr);
}

void cli_complain(const char *text)
{
	line("warpstack: ", text);
}

/* The library's remedies in the tool's words. */
static const char *const remedies[WS_REMEDIES] = {
	[WS_REMEDY_KEYS] = " (`warpstack machine -k` lists them)",
	[WS_REMEDY_DETAIL] = " (without --distances and --sample)",
	[WS_REMEDY_CHUNKS] = " (--chunks)",
	[WS_REMEDY_WINDOWS] = " (--grains)",
	[WS_REMEDY_L2] = " (--l2)",
	[WS_REMEDY_SIMULATE] = ": use `warpstack simulate`, or --verify with a trace",
	[WS_REMEDY_CHOOSE] = " (--set KEY=VALUE chooses)",
	[WS_REMEDY_KERNEL] = " (--kernel NAME with --grid and --block, or with --global and "
			     "--local; or a launch file)",
	[WS_REMEDY_ARGUMENT] = " (--arg)",
	[WS_REMEDY_KERNEL_TIME] = " (--kernel-timeout allows more)",
};

void cli_complain_of(const struct ws_err *err)
{
	const char *remedy = remedies[err->remedy];
	char text[sizeof err->text + 64];

	snprintf(text, sizeof text, "%s%s", err->text, remedy ? remedy : "");
	cli_complain(text);
	for (const char *at = err->more; *at; at += strcspn(at, "\n") + 1) {
		snprintf(text, sizeof text, "%.*s", (int)strcspn(at, "\n"), at);
		line("", text);
	}
}

void cli_say(const struct cli_call *call, const char *fmt, ...)
{
	char text[1024];
	va_list ap;

	if (!call->options->verbose)
		return;
	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	line("warpstack: ", text);
}

void cli_note(const struct cli_call *call, const char *fmt, ...)
{
	char text[1024];
	va_list ap;

	if (call->options->quiet)
		return;
	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	line("warpstack: note: ", text);
}

enum ws_status cli_usage(const struct cli_command *command, struct ws_err *err,
			 const char *fmt, ...)
{
	char text[768];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	return ws_fail(err, WS_EINVAL, "%s%s try 'warpstack %s --help'", text,
		       text[0] && text[strlen(text) - 1] == '?' ? "" : ";", command->name);
}
