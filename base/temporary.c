/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * base/temporary.c -- files without a name, to be written and then read.
 *
 * The name is gone as soon as the file is open, so nothing is left however the program ends.
 */
#include "base/base.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum ws_status ws_out_temporary(struct ws_out *out, struct ws_err *err)
{
	const char *folder = getenv("TMPDIR");
	char path[4096];
	int fd = -1;

	*out = (struct ws_out){ 0 };
	if (!folder || !*folder)
		folder = "/tmp";
	if ((size_t)snprintf(path, sizeof path, "%s/warpstack.XXXXXX", folder) < sizeof path)
		fd = mkstemp(path);
	if (fd < 0)
		return ws_fail(err, WS_EIO, "no temporary file in %s: %s", folder, strerror(errno));
	unlink(path);
	out->file = fdopen(fd, "w+b");
	if (!out->file) {
		close(fd);
		return ws_fail(err, WS_EIO, "a temporary file in %s: %s", folder, strerror(errno));
	}
	out->path = ws_strdup("(temporary file)");
	if (out->path)
		return WS_OK;
	fclose(out->file);
	out->file = NULL;
	return ws_fail_memory(err, "a file name");
}

enum ws_status ws_in_written(struct ws_in *in, struct ws_out *out, const char *name,
			     struct ws_err *err)
{
	enum ws_status status;
	char path[64], *copy;

	*in = (struct ws_in){ 0 };
	if (fflush(out->file) || out->failed || ferror(out->file))
		return ws_fail(err, WS_EIO, "%s: a temporary file: %s", name, strerror(errno));
	copy = ws_strdup(name);
	if (!copy)
		return ws_fail_memory(err, "a file name");
	snprintf(path, sizeof path, "/dev/fd/%d", fileno(out->file));
	rewind(out->file);
	status = ws_in_open(in, path, err);
	if (status != WS_OK) {
		free(copy);
		return status;
	}
	free(in->name);
	in->name = copy;
	return WS_OK;
}
