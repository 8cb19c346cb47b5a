/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * base/temporary.c -- files without a name, to be written and then read; folders for other
 * programs' files.
 *
 * They are in $TMPDIR, or /tmp.  No file has a name, or it loses it as soon as it is open, so
 * nothing is left however the program ends.
 */
#include "base/base.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *temporary_place(void)
{
	const char *folder = getenv("TMPDIR");

	return folder && *folder ? folder : "/tmp";
}

/* Where there are no unnamed files, one that loses its name. */
static int open_named(const char *folder)
{
	char path[4096];
	int fd = -1;

	if ((size_t)snprintf(path, sizeof path, "%s/warpstack.XXXXXX", folder) >= sizeof path)
		errno = ENAMETOOLONG;
	else
		fd = mkostemp(path, O_CLOEXEC);
	if (fd >= 0)
		unlink(path);
	return fd;
}

enum ws_status ws_temporary_fd(int *fd, struct ws_err *err)
{
	const char *folder = temporary_place();

	*fd = open(folder, O_TMPFILE | O_RDWR | O_EXCL | O_CLOEXEC, 0600);
	if (*fd < 0)
		*fd = open_named(folder);
	if (*fd >= 0)
		return WS_OK;
	return ws_fail(err, WS_EIO, "no temporary file in %s: %s", folder, strerror(errno));
}

enum ws_status ws_temporary_folder(char **path, struct ws_err *err)
{
	const char *place = temporary_place();

	if (asprintf(path, "%s/warpstack-XXXXXX", place) < 0) {
		*path = NULL;
		return ws_fail_memory(err, "a file name");
	}
	if (mkdtemp(*path))
		return WS_OK;
	free(*path);
	*path = NULL;
	return ws_fail(err, WS_EIO, "no temporary folder in %s: %s", place, strerror(errno));
}

enum ws_status ws_out_temporary(struct ws_out *out, struct ws_err *err)
{
	enum ws_status status;
	int fd;

	*out = (struct ws_out){ 0 };
	status = ws_temporary_fd(&fd, err);
	if (status != WS_OK)
		return status;
	out->file = fdopen(fd, "w+b");
	if (!out->file) {
		close(fd);
		return ws_fail_memory(err, "a temporary file");
	}
	out->path = ws_strdup("(temporary file)");
	if (out->path)
		return WS_OK;
	fclose(out->file);
	out->file = NULL;
	return ws_fail_memory(err, "a file name");
}
