/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * mpi/files.c -- --files DIR: each part's rows as a file of their own, written by the rank that ran
 * it, so that they neither go through rank 0 nor wait for each other.  Names sort as parts do:
 * part-01-of-16, ...; one after the other they are what the whole command writes.
 */
#include "mpi/mpi.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>

bool mpi_result_good(const struct mpi_result *r)
{
	return WIFEXITED((int)r->end) && WEXITSTATUS((int)r->end) <= 1;
}

/* Allocated; NULL: no memory. */
static char *path_of(const struct mpi_options *o, uint64_t parts, uint64_t part)
{
	int digits = snprintf(NULL, 0, "%" PRIu64, parts);
	size_t size = strlen(o->files) + 64;
	char *path = ws_alloc(size, 1);

	if (path)
		snprintf(path, size, "%s/part-%0*" PRIu64 "-of-%" PRIu64, o->files, digits, part,
			 parts);
	return path;
}

enum ws_status mpi_files_put(const struct mpi_options *o, uint64_t parts, struct mpi_result *r,
			     struct ws_err *err)
{
	struct ws_buf *rows = &r->stream[MPI_OUTPUT];
	struct ws_out out = { 0 };
	enum ws_status status;
	char *path;

	if (!o->files || !mpi_result_good(r) || r->part > parts)
		return WS_OK;
	path = path_of(o, parts, r->part);
	status = path ? ws_out_open(&out, path, err) : ws_fail_memory(err, "a part's file");
	if (status == WS_OK) {
		ws_out_write(&out, rows->data, rows->len);
		status = ws_out_commit(&out, err);
	}
	ws_out_abort(&out);
	free(path);
	rows->len = 0;
	return status;
}

bool mpi_files_has(const struct mpi_options *o, uint64_t parts, uint64_t part)
{
	char *path = o->files ? path_of(o, parts, part) : NULL;
	struct stat s;
	bool has = !o->files || (path && stat(path, &s) == 0 && S_ISREG(s.st_mode));

	free(path);
	return has;
}

enum ws_status mpi_files_check(const struct mpi_options *o, struct ws_err *err)
{
	DIR *dir = o->files ? opendir(o->files) : NULL;
	enum ws_status status = WS_OK;

	if (o->files && !dir)
		return ws_fail(err, WS_EINVAL, "--files=%.200s: want a folder that is there",
			       o->files);
	for (const struct dirent *e; dir && status == WS_OK && (e = readdir(dir));)
		if (strncmp(e->d_name, "part-", 5) == 0 && !o->resume)
			status = ws_fail(err, WS_EINVAL, "--files=%.200s: %.64s is there: --resume "
					 "goes on with a checkpoint, or want an empty folder",
					 o->files, e->d_name);
	if (dir)
		closedir(dir);
	return status;
}
