/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * base/file.c -- whole-file input, and where the data files are.
 */
#include "base/base.h"
#include "base/library.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- input ------------------------------------------------------------------ */

static enum ws_status input_error(const struct ws_in *in, struct ws_err *err)
{
	return ws_fail(err, ws_input_status(errno), "%s: %s", in->name, strerror(errno));
}

static bool write_all(int fd, const char *data, size_t len)
{
	while (len) {
		ssize_t n = write(fd, data, len);

		if (n < 0 && errno != EINTR)
			return false;
		data += n > 0 ? n : 0;
		len -= n > 0 ? (size_t)n : 0;
	}
	return true;
}

/* Of a device: /dev/zero and /dev/urandom never end, and would fill the disk. */
#define DEVICE_MOST (256u << 20)

/* Copies what a pipe gives into a temporary file, which takes its place. */
static enum ws_status spool(struct ws_in *in, int *fd, bool device, struct ws_err *err)
{
	uint64_t most = device ? DEVICE_MOST : UINT64_MAX, len = 0;
	char block[1 << 16];
	int copy;
	enum ws_status status = ws_temporary_fd(&copy, err);
	ssize_t n;

	if (status != WS_OK)
		return status;
	while (status == WS_OK && (n = read(*fd, block, sizeof block)) != 0) {
		if (n < 0 && errno != EINTR)
			status = input_error(in, err);
		else if (n > 0 && !write_all(copy, block, (size_t)n))
			status = ws_fail(err, WS_EIO, "%s: a temporary file to keep it in: %s",
					 in->name, strerror(errno));
		else if (n > 0 && (len += (uint64_t)n) > most)
			status = ws_fail(err, WS_EINPUT, "%s: a device that gives over %u MiB: "
					 "want a file or a pipe", in->name, DEVICE_MOST >> 20);
	}
	if (status != WS_OK) {
		close(copy);
		return status;
	}
	if (*fd != STDIN_FILENO)
		close(*fd);
	*fd = copy;
	return WS_OK;
}

static enum ws_status map(struct ws_in *in, int fd, struct ws_err *err)
{
	struct stat st;

	if (fstat(fd, &st))
		return input_error(in, err);
	in->len = (size_t)st.st_size;
	in->data = (const uint8_t *)"";
	if (in->len == 0)
		return WS_OK;
	in->map = mmap(NULL, in->len, PROT_READ, MAP_PRIVATE, fd, 0);
	if (in->map == MAP_FAILED) {
		in->map = NULL;
		return input_error(in, err);
	}
	in->data = in->map;
	return WS_OK;
}

enum ws_status ws_in_open(struct ws_in *in, const char *path, struct ws_err *err)
{
	bool standard = !path || strcmp(path, "-") == 0;
	enum ws_status status = WS_OK;
	struct stat st;
	int fd;

	*in = (struct ws_in){ .name = ws_strdup(standard ? "(standard input)" : path) };
	if (!in->name)
		return ws_fail_memory(err, "a file name");
	fd = standard ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &st))
		status = input_error(in, err);
	else if (S_ISDIR(st.st_mode))
		status = ws_fail(err, WS_EINPUT, "%s: is a directory, want a file", in->name);
	else if (!S_ISREG(st.st_mode) || (standard && lseek(fd, 0, SEEK_CUR) > 0))
		status = spool(in, &fd, S_ISCHR(st.st_mode), err);
	if (status == WS_OK)
		status = map(in, fd, err);
	if (fd > STDIN_FILENO)
		close(fd);
	if (status != WS_OK)
		ws_in_close(in);
	return status;
}

void ws_in_leave(const struct ws_in *in, size_t len)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);

	if (in->map && len <= in->len)
		madvise(in->map, len / page * page, MADV_DONTNEED);
}

void ws_in_close(struct ws_in *in)
{
	if (in->map)
		munmap(in->map, in->len);
	free(in->name);
	*in = (struct ws_in){ 0 };
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

/* ---- data files --------------------------------------------------------------- */

#ifndef WS_DATADIR
#define WS_DATADIR "/usr/local/share/warpstack"
#endif

static char *join_path(const char *folder, const char *relative)
{
	size_t len = strlen(folder) + strlen(relative) + 2;
	char *path = malloc(len);

	if (path)
		snprintf(path, len, "%s/%s", folder, relative);
	return path;
}

size_t ws_data_dirs(char **dirs, size_t max)
{
	/* build/MODE/warpstack; tests are one or two folders deeper */
	static const char *const beside[] = {
		"../share/warpstack", "../../data",          "../../../data",
		"../../../../data",   "../../../../../data",
	};
	const char *own = getenv("WARPSTACK_DATA");
	char folder[4096];
	size_t count = 0;

	if (own && *own && count < max && access(own, R_OK) == 0)
		dirs[count++] = ws_strdup(own);
	ws_own_folder(folder, sizeof folder);
	for (size_t i = 0; i < WS_COUNT(beside) && count < max; i++) {
		char *path = join_path(folder, beside[i]), *probe = path
			     ? join_path(path, "machine") : NULL;
		bool there = probe && access(probe, R_OK) == 0;

		if (there || !probe)
			dirs[count++] = there ? path : NULL;
		if (!there)
			free(path);
		free(probe);
	}
	if (count < max && access(WS_DATADIR, R_OK) == 0)
		dirs[count++] = ws_strdup(WS_DATADIR);
	return count;
}

char *ws_path_beside(const char *by, const char *path)
{
	const char *slash = by && *path != '/' ? strrchr(by, '/') : NULL;
	size_t folder = slash ? (size_t)(slash + 1 - by) : 0, len = strlen(path);
	char *joined = malloc(folder + len + 1);

	if (joined) {
		if (folder)
			memcpy(joined, by, folder);
		memcpy(joined + folder, path, len + 1);
	}
	return joined;
}

char *ws_data_path(const char *relative)
{
	char *dirs[8], *found = NULL;
	size_t count = ws_data_dirs(dirs, WS_COUNT(dirs));
	bool no_memory = false;

	for (size_t i = 0; i < count; i++) {
		char *path = !found && dirs[i] ? join_path(dirs[i], relative) : NULL;

		no_memory |= !found && !path;
		if (path && access(path, R_OK) == 0)
			found = path;
		else
			free(path);
		free(dirs[i]);
	}
	if (!found)
		errno = no_memory ? ENOMEM : ENOENT;
	return found;
}
