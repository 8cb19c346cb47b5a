/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cli/output.c -- where results go: -o or standard output, all or nothing.
 */
#include "cli/cli.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const struct ws_option cli_report[] = {
	CLI_OPT_OUTPUT("writes there instead of standard output, under a temporary name until it "
		       "is complete"),
	{ .name = "format", .type = WS_OPT_CHOICE, .offset = CLI_AT(format), .arg = "FORMAT",
	  .choices = "tsv csv json",
	  .help = "of the rows: tsv (the default), csv, or json, one object a line" },
	{ .name = "no-provenance", .type = WS_OPT_FLAG, .offset = CLI_AT(no_provenance),
	  .help = "leaves out the first line, which says how the rows were made" },
	{ 0 },
};

/* An argument as a shell would take it back. */
static void put_quoted(struct ws_buf *buf, const char *text)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789-_=:,./+@%";

	if (*text && text[strspn(text, plain)] == '\0') {
		ws_put_bytes(buf, text, strlen(text));
		return;
	}
	ws_put_u8(buf, '\'');
	for (; *text; text++) {
		if (*text == '\'')
			ws_put_bytes(buf, "'\\''", 4);
		else
			ws_put_u8(buf, (uint8_t)*text);
	}
	ws_put_u8(buf, '\'');
}

char *cli_provenance(const struct cli_call *call)
{
	struct ws_buf buf = { 0 };
	char seed[40];

	ws_put_bytes(&buf, "warpstack " WS_VERSION, strlen("warpstack " WS_VERSION));
	for (int i = 0; i < call->argc; i++) {
		ws_put_u8(&buf, ' ');
		put_quoted(&buf, call->argv[i]);
	}
	snprintf(seed, sizeof seed, " seed=%" PRIu64, call->seed);
	ws_put_bytes(&buf, seed, strlen(seed) + 1);
	if (!buf.failed)
		return (char *)buf.data;
	ws_buf_clear(&buf);
	return NULL;
}

enum ws_status cli_report_begin(struct cli_report *r, struct cli_call *call,
				const char *const *column, size_t columns, struct ws_err *err)
{
	enum ws_status status = ws_out_open(&r->out, call->options->output, err);
	enum ws_format format = WS_TSV;
	char *provenance;

	if (status != WS_OK)
		return status;
	r->begun = true;
	if (!ws_format_parse(call->options->format, &format))
		format = WS_TSV; /* the option table lets no other name through */
	if (!call->options->no_provenance) {
		provenance = cli_provenance(call);
		if (!provenance)
			return ws_fail_memory(err, "the provenance line");
		r->table = (struct ws_table){ .file = r->out.file, .format = format };
		ws_table_remark(&r->table, "%s", provenance);
		free(provenance);
	}
	ws_table_begin(&r->table, r->out.file, format, column, columns);
	return WS_OK;
}

enum ws_status cli_report_end(struct cli_report *r, enum ws_status status, struct ws_err *err)
{
	if (!r->begun)
		return status;
	r->begun = false;
	if (status == WS_OK)
		return ws_out_commit(&r->out, err);
	ws_out_abort(&r->out);
	return status;
}

enum ws_status cli_binary_open(struct ws_out *out, const struct cli_call *call, const char *what,
			       struct ws_err *err)
{
	const char *path = call->options->output;

	if ((!path || strcmp(path, "-") == 0) && isatty(STDOUT_FILENO))
		return cli_usage(call->command, err,
				 "a %s is binary and standard output is a terminal: "
				 "want -o FILE or a pipe", what);
	return ws_out_open(out, path, err);
}
