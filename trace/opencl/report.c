/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/opencl/report.c -- the trace file, messages, and what tracing cost.
 *
 * The trace is ended when the program exits.  A program that is killed, or leaves by _exit, leaves
 * no trace.  A process that forks keeps its trace; of several processes one is traced: the first
 * that writes.
 */
#include "trace/opencl/layer.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void ws_say(const char *fmt, ...)
{
	va_list ap;

	if (ws_layer.settings.quiet)
		return;
	va_start(ap, fmt);
	flockfile(stderr);
	fputs("warpstack: ", stderr);
	vfprintf(stderr, fmt, ap);
	fputc('\n', stderr);
	funlockfile(stderr);
	va_end(ap);
}

void ws_say_left(struct ws_compiled *c, const char *why)
{
	if (!c->said)
		ws_say("kernel %s: left to the platform, not traced: %s", c->name, why);
	c->said = true;
}

/* The file that the parent has open: ours if nobody has written to it or is about to. */
static enum ws_status take_file(int fd, struct ws_err *err)
{
	struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
	struct stat st;

	if (fcntl(fd, F_SETLK, &lock) || fstat(fd, &st))
		return ws_fail(err, WS_EIO, "another process is being traced");
	if (!S_ISREG(st.st_mode) || st.st_size > 0)
		return ws_fail(err, WS_EIO, "another process has been traced");
	ws_layer.out = (struct ws_out){ .file = fdopen(fd, "wb") };
	return ws_layer.out.file ? WS_OK : ws_fail(err, WS_EIO, "the trace: %s", strerror(errno));
}

enum ws_status ws_trace_begin(struct ws_err *err)
{
	const struct ws_settings *s = &ws_layer.settings;
	enum ws_status status;

	if (s->fd < 0 && !s->path)
		return ws_fail(err, WS_EINVAL, "nothing is traced: want WARPSTACK_TRACE=FILE");
	status = s->fd >= 0 ? take_file(s->fd, err) : ws_out_open(&ws_layer.out, s->path, err);
	if (status == WS_OK)
		status = ws_trace_writer_new(&ws_layer.writer, &ws_layer.out, err);
	return status;
}

/* ---- the end -------------------------------------------------------------------------------- */

static void report(uint64_t bytes)
{
	uint64_t traced = 0, cut = 0, left = ws_layer.left_other, kernels = 0;
	double all = ws_seconds() - ws_layer.begun,
	       own = ws_layer.compile_seconds + ws_layer.run_seconds;

	for (const struct ws_unit *u = ws_layer.units; u; u = u->next) {
		for (const struct ws_compiled *c = u->kernels; c; c = c->next) {
			traced += c->traced;
			cut += c->cut;
			left += c->left;
			kernels += c->traced > 0;
		}
	}
	ws_say("%" PRIu64 " launches of %" PRIu64 " kernels traced (%" PRIu64
	       " of them in part), %" PRIu64 " left to the platform, %" PRIu64 " bytes",
	       traced, kernels, cut, left, bytes);
	ws_say("overhead: %.3f of %.3f s since the first OpenCL call: %.3f s to compile, %.3f s to "
	       "run and record", own, all, ws_layer.compile_seconds, ws_layer.run_seconds);
}

static enum ws_status end(struct ws_err *err)
{
	enum ws_status status = ws_trace_writer_end(ws_layer.writer, err);

	if (status == WS_OK && ws_layer.out.path)
		return ws_out_commit(&ws_layer.out, err);
	if (status == WS_OK && (fflush(ws_layer.out.file) || ws_layer.out.failed))
		status = ws_fail(err, WS_EIO, "writing the trace: %s", strerror(errno));
	return status;
}

void ws_trace_finish(void)
{
	struct ws_err err = { WS_OK, "" };
	uint64_t bytes;

	if (ws_layer.process != (long)getpid())
		return;
	pthread_mutex_lock(&ws_layer.run); /* a launch that is running ends first */
	if (ws_layer.writer) {
		ws_layer.tracing = false;
		bytes = ws_layer.out.offset; /* but for the index */
		if (end(&err) != WS_OK)
			ws_say("%s", err.text);
		report(bytes);
		ws_trace_writer_free(ws_layer.writer);
		ws_layer.writer = NULL;
	}
	pthread_mutex_unlock(&ws_layer.run);
}
