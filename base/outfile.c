/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * base/outfile.c -- all-or-nothing output: a file is replaced by a complete one, or not at all.
 *
 * A file has no name until it is complete (O_TMPFILE), so that nothing is left of it however the
 * program ends.  The commit is fsync, link, rename, fsync of the folder: a link cannot replace a
 * file and a rename can, so where there is one the new file has a temporary name for the time
 * between those two calls.  A file system without unnamed files gives it that name from the
 * beginning.
 *
 * All calls are relative to the folder's descriptor: a program that changes its directory, or a
 * path that has just the longest length, changes nothing.
 */
#include "base/base.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define LINKS_MAX 40u /* as Linux */

struct ws_out_target {
	char *path;		/* links followed */
	const char *name;	/* its last part */
	int folder;
	bool replaces;		/* it is there, and *st its state */
	struct stat st;
	char temporary[24];	/* in the folder; "": it has no name */
	bool complete;		/* and on the disk */
};

/* ---- where a path leads ------------------------------------------------------ */

/* An open descriptor of this process, which a path such as /dev/fd/3 names; else -1. */
static int descriptor_of(const char *path)
{
	static const char *const folders[] = { "/dev/fd/", "/proc/self/fd/" };
	uint64_t number;

	for (size_t i = 0; i < WS_COUNT(folders); i++) {
		size_t len = strlen(folders[i]);

		if (strncmp(path, folders[i], len) == 0 && ws_parse_u64(path + len, &number) &&
		    number <= INT_MAX)
			return (int)number;
	}
	return -1;
}

/* The path with links in its last part followed, also to what does not exist; allocated.  NULL:
 * errno. */
static char *follow_links(const char *path)
{
	char *at = ws_strdup(path), link[PATH_MAX];

	for (unsigned links = 0; at && descriptor_of(at) < 0; links++) {
		ssize_t n = readlink(at, link, sizeof link - 1);
		char *next;

		if (n < 0)
			break; /* no link; what else is wrong shows when it is opened */
		link[n] = '\0';
		next = links < LINKS_MAX ? ws_path_beside(at, link) : NULL;
		if (!next)
			errno = links < LINKS_MAX ? ENOMEM : ELOOP;
		free(at);
		at = next;
	}
	return at;
}

static void target_free(struct ws_out_target *t)
{
	int before = errno;

	if (!t)
		return;
	if (t->folder >= 0)
		close(t->folder);
	free(t->path);
	free(t);
	errno = before;
}

static int open_folder(const char *path, const char *name)
{
	char folder[PATH_MAX] = "."; /* no allocation: what is settled asks for it again */

	if ((size_t)(name - path) >= sizeof folder) {
		errno = ENAMETOOLONG;
		return -1;
	}
	if (name > path) {
		memcpy(folder, path, (size_t)(name - path));
		folder[name - path] = '\0';
	}
	return open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
}

/* path: links followed; taken over.  NULL: errno. */
static struct ws_out_target *target_new(char *path)
{
	struct ws_out_target *t = ws_alloc_zero(1, sizeof *t);
	const char *slash = strrchr(path, '/');

	if (!t) {
		free(path);
		errno = ENOMEM;
		return NULL;
	}
	t->path = path;
	t->name = slash ? slash + 1 : path;
	t->folder = open_folder(path, t->name);
	if (t->folder >= 0) {
		t->replaces = fstatat(t->folder, t->name, &t->st, AT_SYMLINK_NOFOLLOW) == 0;
		if (t->replaces ? S_ISREG(t->st.st_mode) : errno == ENOENT && *t->name)
			return t;
		errno = t->replaces || !*t->name ? EISDIR : errno;
	}
	target_free(t);
	return NULL;
}

/* Of a path as given; NULL: none, or what is written in place. */
static struct ws_out_target *target_of(const char *path)
{
	char *target = follow_links(path);

	if (target && descriptor_of(target) >= 0) {
		free(target);
		target = NULL;
	}
	return target ? target_new(target) : NULL;
}

static bool same_target(const struct ws_out_target *a, const struct ws_out_target *b)
{
	struct stat x, y;

	if (a->replaces && b->replaces)
		return a->st.st_dev == b->st.st_dev && a->st.st_ino == b->st.st_ino;
	return !fstat(a->folder, &x) && !fstat(b->folder, &y) && x.st_dev == y.st_dev &&
	       x.st_ino == y.st_ino && strcmp(a->name, b->name) == 0;
}

bool ws_out_same(const char *a, const char *b)
{
	struct ws_out_target *x = target_of(a), *y = target_of(b);
	bool same = x && y && same_target(x, y);

	target_free(x);
	target_free(y);
	return same;
}

/* ---- the file until it is complete ------------------------------------------- */

static enum ws_status output_error(const char *path, struct ws_err *err)
{
	if (errno == ENOMEM)
		return ws_fail_memory(err, "an output file");
	return ws_fail(err, WS_EIO, "%s: %s", path ? path : "(standard output)",
		       strerror(errno ? errno : EIO));
}

/* Tries names until one is free: make(...) gives -1 and EEXIST for one that is not. */
static int with_name(struct ws_out_target *t,
		     int (*make)(struct ws_out_target *t, const char *from), const char *from)
{
	struct timespec now = { 0 };
	int made = -1;

	clock_gettime(CLOCK_REALTIME, &now);
	errno = EEXIST;
	for (uint32_t attempt = 0; made < 0 && errno == EEXIST && attempt < 1000; attempt++) {
		uint32_t number = (uint32_t)getpid() * 0x9e3779b9u + (uint32_t)now.tv_nsec +
				  attempt * 7919;

		snprintf(t->temporary, sizeof t->temporary, ".warpstack-%08x", number);
		made = make(t, from);
	}
	if (made < 0)
		t->temporary[0] = '\0';
	return made;
}

static int make_file(struct ws_out_target *t, const char *from)
{
	(void)from;
	return openat(t->folder, t->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
}

static int make_link(struct ws_out_target *t, const char *from)
{
	return linkat(AT_FDCWD, from, t->folder, t->temporary, AT_SYMLINK_FOLLOW);
}

/* A file gets its name through /proc; where there is none it has one. */
static int temporary_file(struct ws_out_target *t)
{
	int fd = access("/proc/self/fd", X_OK) ? -1 :
		 openat(t->folder, ".", O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);

	return fd >= 0 ? fd : with_name(t, make_file, NULL);
}

static FILE *open_file(int fd)
{
	FILE *file = fd >= 0 ? fdopen(fd, "wb") : NULL;

	if (fd >= 0 && !file) {
		int why = errno;

		close(fd);
		errno = why;
	}
	return file;
}

/* What is there and is no regular file, and open descriptors. */
static bool open_in_place(struct ws_out *out, const char *target, bool regular)
{
	int fd = descriptor_of(target);

	if (fd < 0 && regular)
		return false;
	out->file = fd >= 0 ? open_file(dup(fd)) : fopen(target, "wb");
	return true;
}

enum ws_status ws_out_open(struct ws_out *out, const char *path, struct ws_err *err)
{
	enum ws_status status = WS_OK;
	struct stat st;
	bool there;
	char *target = NULL;

	*out = (struct ws_out){ 0 };
	if (!path || strcmp(path, "-") == 0) {
		out->file = stdout;
		return WS_OK;
	}
	out->path = ws_strdup(path);
	if (!out->path)
		return ws_fail_memory(err, "a file name");
	/* The system's own rules for links apply here: whose it may follow, and how many. */
	there = stat(path, &st) == 0;
	if (there && S_ISDIR(st.st_mode))
		status = ws_fail(err, WS_EIO, "%s: is a directory, want a file to write", path);
	else if ((!there && errno != ENOENT) || !(target = follow_links(path)))
		status = output_error(path, err);
	else if (open_in_place(out, target, !there || S_ISREG(st.st_mode)))
		free(target);
	else if ((out->target = target_new(target)))
		out->file = open_file(temporary_file(out->target));
	if (status == WS_OK && !out->file)
		status = output_error(path, err);
	if (status != WS_OK)
		ws_out_abort(out);
	return status;
}

void ws_out_write(struct ws_out *out, const void *data, size_t len)
{
	/* Nothing may come without an address. */
	if (len && !out->failed && fwrite(data, 1, len, out->file) != len) {
		out->failed = true;
		out->why = errno;
	}
	out->offset += len;
}

/* ---- commit ------------------------------------------------------------------- */

/* A new file's mode is what the mask leaves of 0666; else that of the file that it replaces, and
 * its owner's, who may be another if we are root. */
static bool set_mode(const struct ws_out_target *t, int fd)
{
	mode_t mask = umask(0);

	umask(mask);
	if (t->replaces && (t->st.st_uid != geteuid() || t->st.st_gid != getegid()))
		(void)!fchown(fd, t->st.st_uid, t->st.st_gid);
	/* EPERM: the file system knows no modes. */
	return fchmod(fd, t->replaces ? t->st.st_mode & 0777 : 0666 & ~mask) == 0 || errno == EPERM;
}

/* Not all file systems can. */
static bool synced(int fd)
{
	return fsync(fd) == 0 || errno == EINVAL || errno == ENOTSUP || errno == EROFS;
}

/* The name is on the disk too; a folder that may not be read cannot be asked for it. */
static bool sync_folder(const struct ws_out_target *t)
{
	int fd = openat(t->folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	bool good = fd < 0 || synced(fd);

	if (fd >= 0)
		close(fd);
	return good;
}

/* Has all been written?  Else errno. */
static bool flushed(const struct ws_out *out)
{
	if (fflush(out->file))
		return false;
	if (out->failed)
		errno = out->why;
	return !out->failed && !ferror(out->file);
}

/* All of it on the disk, with its mode; it has no name yet, if it had none. */
static bool complete(struct ws_out *out)
{
	struct ws_out_target *t = out->target;
	int fd = fileno(out->file);

	if (!t->complete)
		t->complete = flushed(out) && set_mode(t, fd) && (out->no_sync || synced(fd));
	return t->complete;
}

/* Gives an unnamed file a name, its own if that is free and wanted, else a temporary one, and
 * closes it. */
static bool name_file(struct ws_out *out, bool own_name)
{
	struct ws_out_target *t = out->target;
	FILE *file = out->file;
	char from[32];

	snprintf(from, sizeof from, "/proc/self/fd/%d", fileno(file));
	own_name = own_name && !t->replaces && !t->temporary[0] &&
		   linkat(AT_FDCWD, from, t->folder, t->name, AT_SYMLINK_FOLLOW) == 0;
	if (!own_name && !t->temporary[0] && with_name(t, make_link, from) < 0)
		return false;
	out->file = NULL;
	return fclose(file) == 0;
}

enum ws_status ws_out_settle(struct ws_out *out, struct ws_err *err)
{
	enum ws_status status = WS_OK;

	if (out->file && !(out->target ? complete(out) : flushed(out))) {
		status = output_error(out->path, err);
		ws_out_abort(out);
	}
	return status;
}

enum ws_status ws_out_park(struct ws_out *out, struct ws_err *err)
{
	enum ws_status status = ws_out_settle(out, err);

	if (status != WS_OK || !out->target || !out->file)
		return status;
	if (!name_file(out, false)) {
		status = output_error(out->path, err);
		ws_out_abort(out);
		return status;
	}
	close(out->target->folder);
	out->target->folder = -1;
	return WS_OK;
}

/* The temporary file and the one it becomes, relative to the folder.  What is parked has closed
 * that; where it cannot be opened again, for want of descriptors, these are paths. */
struct out_place {
	int folder;
	const char *name, *temporary;
	char path[PATH_MAX];
};

static void find_place(struct out_place *p, struct ws_out_target *t)
{
	if (t->folder < 0)
		t->folder = open_folder(t->path, t->name);
	p->folder = t->folder;
	p->name = t->name;
	p->temporary = t->temporary;
	if (t->folder >= 0)
		return;
	p->folder = AT_FDCWD;
	p->name = t->path;
	p->temporary = p->path;
	snprintf(p->path, sizeof p->path, "%.*s%s", (int)(t->name - t->path), t->path,
		 t->temporary);
}

static bool put_in_place(struct ws_out *out)
{
	struct ws_out_target *t = out->target;
	struct out_place p;

	if (out->file && !(complete(out) && name_file(out, true)))
		return false;
	find_place(&p, t);
	if (t->temporary[0] && renameat(p.folder, p.temporary, p.folder, p.name))
		return false;
	t->temporary[0] = '\0';
	return out->no_sync || t->folder < 0 || sync_folder(t);
}

/* Standard output stays open. */
static bool end_in_place(struct ws_out *out)
{
	FILE *file = out->file;

	if (!flushed(out))
		return false;
	if (out->path)
		out->file = NULL;
	return !out->path || fclose(file) == 0;
}

enum ws_status ws_out_commit(struct ws_out *out, struct ws_err *err)
{
	enum ws_status status = WS_OK;

	if (!(out->target ? put_in_place(out) : end_in_place(out)))
		status = output_error(out->path, err);
	ws_out_abort(out);
	return status;
}

void ws_out_abort(struct ws_out *out)
{
	struct out_place p;

	if (out->file && out->path)
		fclose(out->file);
	if (out->target && out->target->temporary[0]) {
		find_place(&p, out->target);
		unlinkat(p.folder, p.temporary, 0);
	}
	target_free(out->target);
	free(out->path);
	*out = (struct ws_out){ 0 };
}
