/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cli/part.c -- a command in parts: --part, and what a program that runs parts asks for.
 */
#include "cli/cli.h"

#include <inttypes.h>
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

/* ---- --jobs-file ---------------------------------------------------------------------- */

static enum ws_status check_jobs(const struct cli_call *call, struct ws_err *err)
{
	const struct cli_options *o = call->options;
	const struct ws_list *files = &call->operands;

	if (o->part || o->output)
		return cli_usage(call->command, err, "--jobs-file and --%s: want one of them: each "
				 "line is a part, to standard output", o->part ? "part" : "output");
	if (!files->count || strcmp(files->item[0], "-") == 0)
		return cli_usage(call->command, err, "--jobs-file: want FILE, as each part reads "
				 "it");
	return check_part(call, err);
}

/* Is the argument, or it and the next one, --jobs-file or --jobs?  Moves *i over it. */
static bool names_jobs(const struct cli_call *call, int *i)
{
	static const char *const own[] = { "--jobs-file", "--jobs" };

	for (size_t k = 0; k < WS_COUNT(own); k++) {
		size_t len = strlen(own[k]);
		const char *text = call->argv[*i];

		if (strncmp(text, own[k], len) == 0 && (!text[len] || text[len] == '=')) {
			*i += !text[len];
			return true;
		}
	}
	return false;
}

static void put_arguments(const struct cli_call *call, struct ws_buf *line)
{
	ws_put_bytes(line, "warpstack", 9);
	for (int i = 0; i < call->argc; i++) {
		if (names_jobs(call, &i))
			continue;
		ws_put_u8(line, ' ');
		cli_put_quoted(line, call->argv[i]);
		if (i == 0) /* the command; "--" may end the options */
			ws_put_bytes(line, " --part=", 8);
		if (i == 0)
			ws_put_u8(line, 0);
	}
}

enum ws_status cli_jobs(struct cli_call *call, struct ws_err *err)
{
	uint64_t jobs = call->options->jobs ? call->options->jobs : CLI_JOBS;
	struct ws_buf line = { 0 }, text = { 0 };
	enum ws_status status = check_jobs(call, err);
	size_t head;
	char part[48];

	put_arguments(call, &line);
	head = line.failed ? 0 : strlen((const char *)line.data);
	for (uint64_t k = 1; k <= jobs && !line.failed && status == WS_OK; k++) {
		int n = snprintf(part, sizeof part, "%" PRIu64 "/%" PRIu64, k, jobs);

		ws_put_bytes(&text, line.data, head);
		ws_put_bytes(&text, part, (size_t)n);
		ws_put_bytes(&text, line.data + head + 1, line.len - head - 1);
		ws_put_u8(&text, '\n');
	}
	text.failed |= line.failed;
	if (status == WS_OK)
		status = cli_write_text(call, call->options->jobs_file, &text, "the parts", err);
	ws_buf_clear(&line);
	ws_buf_clear(&text);
	return status;
}
