/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cli/written.c -- checks that no output replaces an input or another output.
 *
 * Files are compared by device and inode, so that links and other spellings count.  Files named by
 * the command line are compared at the start; those named by a launch file or a list of traces,
 * after reading it and before a kernel runs or a file is imported.
 */
#include "cli/cli.h"
#include "trace/capture.h"
#include "trace/import.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define WRITTEN_MAX 8u

struct written {
	const char *option, *path;
};

/* What options name: those whose argument is one file are files to write. */
static size_t find_written(const struct cli_call *call, struct written *out)
{
	size_t count = 0;

	for (size_t t = 0; t < cli_tables(call->command); t++) {
		for (const struct ws_option *o = call->command->table[t]; o->name; o++) {
			const char *const *path = (const void *)((const char *)call->options +
								 o->offset);

			if (o->type == WS_OPT_STRING && o->complete &&
			    strcmp(o->complete, "file") == 0 && *path && count < WRITTEN_MAX)
				out[count++] = (struct written){ o->name, *path };
		}
	}
	return count;
}

/* The output that is that file, if any; devices are not files in this. */
static const struct written *find_same(const struct written *w, size_t count, const struct stat *st)
{
	struct stat at;

	for (size_t i = 0; i < count && S_ISREG(st->st_mode); i++)
		if (stat(w[i].path, &at) == 0 && at.st_dev == st->st_dev &&
		    at.st_ino == st->st_ino)
			return &w[i];
	return NULL;
}

/* ---- what is read -------------------------------------------------------------- */

/* by: what reads the file, NULL: the command itself. */
struct file_reading {
	struct cli_call *call;
	const char *by;
};

static bool remember(struct cli_call *call, const struct stat *st)
{
	if (!WS_ROOM(call->read, call->read_cap, call->reads + 1))
		return false;
	call->read[call->reads++] = (struct cli_file){ st->st_dev, st->st_ino };
	return true;
}

static enum ws_status check_read(void *context, const char *path, struct ws_err *err)
{
	const struct file_reading *r = context;
	struct written w[WRITTEN_MAX];
	size_t count = find_written(r->call, w);
	const struct written *same;
	struct stat st;

	enum ws_status status = WS_OK;

	if (r->call->visit && path)
		status = r->call->visit(r->call->visitor, path, err);
	if (status != WS_OK || !count || (path ? stat(path, &st) : fstat(STDIN_FILENO, &st)))
		return status; /* who reads it says if it is not there */
	if (!remember(r->call, &st))
		return ws_fail_memory(err, "the list of inputs");
	same = find_same(w, count, &st);
	if (!same)
		return WS_OK;
	if (!r->by)
		return cli_usage(r->call->command, err, "--%s=%s is the input too: want another "
				 "file", same->option, same->path);
	return cli_usage(r->call->command, err, "--%s=%s is %s, which %s reads: want another file",
			 same->option, same->path, path, r->by);
}

enum ws_status cli_reads(struct cli_call *call, const char *path, struct ws_err *err)
{
	struct file_reading r = { call, NULL };

	return check_read(&r, path && strcmp(path, "-") != 0 ? path : NULL, err);
}

enum ws_status cli_program_reads(struct cli_call *call, const struct ws_program *p,
				 struct ws_err *err)
{
	struct file_reading r = { call, p->name ? p->name : "the program" };

	return ws_program_files(p, check_read, &r, err);
}

enum ws_status cli_import_reads(struct cli_call *call, const struct ws_trace_format *format,
				const struct ws_in *in, struct ws_err *err)
{
	struct file_reading r = { call, in->name };

	return ws_import_files(format, in, check_read, &r, err);
}

static enum ws_status machine_reads(struct cli_call *call, const char *name, struct ws_err *err)
{
	struct file_reading r = { call, "the machine" };
	char *path = NULL;
	enum ws_status status = ws_machine_path(name, &path, err);

	if (status == WS_OK && path)
		status = check_read(&r, path, err);
	free(path);
	return status;
}

/* "machine=a,b,c" */
static enum ws_status varied_machines(struct cli_call *call, const char *range, struct ws_err *err)
{
	enum ws_status status = WS_OK;
	size_t len;

	if (strncmp(range, "machine=", 8) != 0)
		return WS_OK;
	for (range += 8; *range && status == WS_OK; range += len + (range[len] == ',')) {
		char *name;

		len = strcspn(range, ",");
		name = strndup(range, len);
		status = name ? machine_reads(call, name, err)
			      : ws_fail_memory(err, "the command line");
		free(name);
	}
	return status;
}

/* -m, or what stands for it. */
static enum ws_status check_machines(struct cli_call *call, struct ws_err *err)
{
	const struct cli_options *o = call->options;
	const char *name = o->machine;
	enum ws_status status = WS_OK;

	if (cli_has_option(call->command, "machine") && !name)
		name = WS_MACHINE_DEFAULT;
	if (call->command->complete && strcmp(call->command->complete, "machine") == 0)
		name = call->operands.count ? call->operands.item[0] : NULL;
	if (name)
		status = machine_reads(call, name, err);
	for (size_t i = 0; i < o->vary.count && status == WS_OK; i++)
		status = varied_machines(call, o->vary.item[i], err);
	return status;
}

/* ---- the command line ------------------------------------------------------------ */

enum ws_status cli_written_check(struct cli_call *call, struct ws_err *err)
{
	struct written w[WRITTEN_MAX];
	size_t count = find_written(call, w);
	bool any = count || call->visit; /* else no input need be looked at */
	enum ws_status status = WS_OK;

	for (size_t i = 0; i < count; i++) {
		if (!*w[i].path)
			return cli_usage(call->command, err, "--%s=: want a file name",
					 w[i].option);
		for (size_t k = 0; k < i; k++)
			if (ws_out_same(w[i].path, w[k].path))
				return cli_usage(call->command, err, "--%s=%s is --%s too: want "
						 "another file", w[i].option, w[i].path,
						 w[k].option);
	}
	for (size_t k = 0; k < call->operands.count && any && status == WS_OK; k++)
		status = strcmp(call->operands.item[k], "-") == 0
				 ? WS_OK : cli_reads(call, call->operands.item[k], err);
	return status == WS_OK && any ? check_machines(call, err) : status;
}

/* ---- files beside the output ----------------------------------------------------- */

enum ws_status cli_replaces(void *call, const char *path, struct ws_err *err)
{
	const struct cli_call *c = call;
	struct stat st;

	if (stat(path, &st) || !S_ISREG(st.st_mode))
		return WS_OK;
	for (size_t i = 0; i < c->reads; i++)
		if (c->read[i].device == st.st_dev && c->read[i].inode == st.st_ino)
			return cli_usage(c->command, err, "--output=%s replaces %s, which is read: "
					 "want another folder or name", c->options->output, path);
	return WS_OK;
}

enum ws_status cli_out_open(struct ws_out *out, const struct cli_call *call, const char *path,
			    struct ws_err *err)
{
	enum ws_status status = ws_out_open(out, path, err);

	out->no_sync = call->options->no_sync;
	return status;
}

enum ws_status cli_write_text(const struct cli_call *call, const char *path,
			      const struct ws_buf *text, const char *what, struct ws_err *err)
{
	struct ws_out out = { 0 };
	enum ws_status status;

	if (text->failed)
		return ws_fail_memory(err, what);
	status = cli_out_open(&out, call, path, err);
	if (status == WS_OK) {
		ws_out_write(&out, text->data, text->len);
		status = ws_out_commit(&out, err);
	}
	ws_out_abort(&out);
	return status;
}
