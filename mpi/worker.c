/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * mpi/worker.c -- the process beside a rank that runs parts.
 *
 * It is forked before MPI begins, as a process that uses MPI must not fork.  It forks a child for
 * each part.
 * What that writes goes to files in memory that rank and worker share.
 */
#include "mpi/mpi.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

void mpi_result_clear(struct mpi_result *r)
{
	for (unsigned i = 0; i < MPI_STREAMS; i++)
		ws_buf_clear(&r->stream[i]);
	*r = (struct mpi_result){ 0 };
}

static enum ws_status worker_failed(const char *what, struct ws_err *err)
{
	return ws_fail(err, WS_EIO, "%s: %s", what, strerror(errno));
}

/* ---- in the worker ------------------------------------------------------------------ */

static void run_part(const struct mpi_worker *w, const struct mpi_options *o,
		     const struct cli_part *part)
{
	int null = open("/dev/null", O_RDONLY | O_CLOEXEC);

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (null < 0 || dup2(null, STDIN_FILENO) < 0 ||
	    dup2(w->stream[MPI_OUTPUT], STDOUT_FILENO) < 0 ||
	    dup2(w->stream[MPI_MESSAGES], STDERR_FILENO) < 0)
		_exit(4);
	_exit(cli_run(o->argc, o->argv, part));
}

static void work(const struct mpi_worker *w, const struct mpi_options *o, int from, int to)
{
	struct cli_part part;

	while (read(from, &part, sizeof part) == (ssize_t)sizeof part) {
		int end = 4 << 8;
		pid_t pid = fork();

		if (pid == 0)
			run_part(w, o, &part);
		if (pid > 0 && waitpid(pid, &end, 0) != pid)
			end = 4 << 8;
		if (write(to, &end, sizeof end) != (ssize_t)sizeof end)
			break;
	}
	_exit(0);
}

/* ---- in the rank ---------------------------------------------------------------------- */

static enum ws_status make_streams(struct mpi_worker *w, struct ws_err *err)
{
	for (unsigned i = 0; i < MPI_STREAMS; i++) {
		w->stream[i] = memfd_create("warpstack-part", MFD_CLOEXEC);
		if (w->stream[i] < 0)
			return worker_failed("a part's output", err);
	}
	return WS_OK;
}

enum ws_status mpi_worker_new(struct mpi_worker *w, const struct mpi_options *o,
			      struct ws_err *err)
{
	pid_t parent = getpid();
	int tasks[2], ends[2];
	enum ws_status status = make_streams(w, err);

	if (status != WS_OK)
		return status;
	if (pipe2(tasks, O_CLOEXEC) || pipe2(ends, O_CLOEXEC))
		return worker_failed("a worker", err);
	fflush(NULL);
	w->pid = fork();
	if (w->pid < 0)
		return worker_failed("a worker", err);
	if (w->pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		close(tasks[1]);
		close(ends[0]);
		if (getppid() == parent)
			work(w, o, tasks[0], ends[1]);
		_exit(0);
	}
	close(tasks[0]);
	close(ends[1]);
	w->options = o;
	w->to = tasks[1];
	w->from = ends[0];
	return WS_OK;
}

static bool write_whole(int fd, const struct ws_buf *buf)
{
	size_t at = 0;

	while (at < buf->len) {
		ssize_t n = write(fd, buf->data + at, buf->len - at);

		if (n < 0 && errno != EINTR)
			return false;
		at += n > 0 ? (size_t)n : 0;
	}
	return true;
}

enum ws_status mpi_worker_start(struct mpi_worker *w, const struct cli_part *part,
				const struct ws_buf *notes, struct ws_err *err)
{
	struct cli_part asked = *part;

	w->part = part->part;
	w->parts = part->parts;
	for (unsigned i = 0; i < MPI_STREAMS; i++)
		if (ftruncate(w->stream[i], 0) || lseek(w->stream[i], 0, SEEK_SET) < 0)
			return worker_failed("a part's output", err);
	if (notes && !write_whole(w->stream[MPI_NOTES], notes))
		return worker_failed("the parts' notes", err);
	asked.notes = w->stream[MPI_NOTES];
	if (write(w->to, &asked, sizeof asked) != (ssize_t)sizeof asked)
		return worker_failed("a worker", err);
	return WS_OK;
}

static enum ws_status read_stream(int fd, struct ws_buf *to, struct ws_err *err)
{
	off_t len = lseek(fd, 0, SEEK_END);

	if (len < 0)
		return worker_failed("a part's output", err);
	to->data = ws_alloc((size_t)len + 1, 1);
	if (!to->data)
		return ws_fail_memory(err, "a part's output");
	to->cap = (size_t)len + 1;
	while (to->len < (size_t)len) {
		ssize_t n = pread(fd, to->data + to->len, (size_t)len - to->len, (off_t)to->len);

		if (n <= 0)
			return worker_failed("a part's output", err);
		to->len += (size_t)n;
	}
	return WS_OK;
}

enum ws_status mpi_worker_poll(struct mpi_worker *w, int milliseconds, struct mpi_result *r,
			       bool *ended, struct ws_err *err)
{
	struct pollfd p = { .fd = w->from, .events = POLLIN };
	enum ws_status status = WS_OK;
	int end;

	*ended = false;
	if (poll(&p, 1, milliseconds) <= 0)
		return WS_OK;
	if (read(w->from, &end, sizeof end) != (ssize_t)sizeof end)
		return ws_fail(err, WS_EIO, "the process that runs parts has ended");
	*ended = true;
	*r = (struct mpi_result){ .part = w->part, .end = (uint64_t)(unsigned)end };
	for (unsigned i = 0; i < MPI_STREAMS && status == WS_OK; i++)
		status = read_stream(w->stream[i], &r->stream[i], err);
	return status == WS_OK ? mpi_files_put(w->options, w->parts, r, err) : status;
}

void mpi_worker_end(struct mpi_worker *w)
{
	if (w->pid <= 0)
		return;
	kill(w->pid, SIGKILL);
	waitpid(w->pid, NULL, 0);
	w->pid = 0;
}
