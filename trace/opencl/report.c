/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/opencl/report.c -- the trace file, messages, and the cost of tracing.
 *
 * Under `warpstack trace --app` each launch goes to the trace as it ends, and warpstack ends it
 * (trace/format/spool.h); a layer by itself ends it when the program exits, and a program that is
 * killed or leaves by _exit then leaves no trace.  Of several processes the first that launches
 * something is traced; one that forks keeps its trace.
 */
#include "trace/opencl/layer.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
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

/* False: it was said before, or cannot be noted. */
static bool is_new(struct ws_compiled *c, const char *file, uint32_t line, bool barrier)
{
	for (size_t i = 0; i < c->lines; i++)
		if (c->line[i].line == line && c->line[i].barrier == barrier &&
		    strcmp(c->line[i].file, file) == 0)
			return false;
	if (!WS_ROOM(c->line, c->line_cap, c->lines + 1))
		return false;
	c->line[c->lines] = (struct ws_said){ ws_strdup(file), line, barrier };
	if (!c->line[c->lines].file)
		return false;
	c->lines++;
	return true;
}

void ws_say_outside(void *compiled, const struct ws_outside *o)
{
	char text[WS_OUTSIDE_TEXT];

	if (!is_new(compiled, o->file, o->line, false))
		return;
	ws_outside_text(o, text);
	ws_say("%s (said of the first launch that does)", text);
}

void ws_say_unmet(void *compiled, const struct ws_unmet_barrier *b)
{
	char text[WS_UNMET_TEXT];

	if (!is_new(compiled, b->file, b->at.line, true))
		return;
	ws_unmet_text(b, text);
	ws_say("%s", text);
}

void ws_say_left(struct ws_compiled *c, const char *why)
{
	if (!c->said)
		ws_say("kernel %s: left to the platform, not traced: %s", c->name, why);
	c->said = true;
}

/* ---- the file ------------------------------------------------------------------------------- */

enum ws_status ws_trace_begin(struct ws_err *err)
{
	const struct ws_settings *s = &ws_layer.settings;

	if (!s->path)
		return ws_fail(err, WS_EINVAL, "nothing is traced: want WARPSTACK_TRACE=FILE");
	return s->spool ? ws_spool_open(&ws_layer.spool, s->spool, err)
			: ws_out_open(&ws_layer.out, s->path, err);
}

/* The file that another process ends: open while something is written to it. */
static enum ws_status open_again(struct ws_err *err)
{
	int fd = open(ws_layer.settings.path, O_WRONLY | O_CLOEXEC);

	ws_layer.out.file = fd < 0 ? NULL : fdopen(fd, "wb");
	if (ws_layer.out.file &&
	    fseeko(ws_layer.out.file, (off_t)ws_layer.out.offset, SEEK_SET) == 0)
		return WS_OK;
	if (fd >= 0 && !ws_layer.out.file)
		close(fd);
	return ws_fail(err, WS_EIO, "the trace %s: %s", ws_layer.settings.path, strerror(errno));
}

static enum ws_status write_out(struct ws_err *err)
{
	FILE *file = ws_layer.out.file;
	bool good = !fflush(file) && !ws_layer.out.failed && !ferror(file);
	int why = errno ? errno : EIO;

	if (ws_layer.spool) {
		fclose(file);
		ws_layer.out.file = NULL;
	}
	if (good)
		return WS_OK;
	if (ws_layer.spool && !ws_layer.spool->failed)
		ws_layer.spool->failed = (uint32_t)why;
	ws_layer.tracing = false;
	return ws_fail(err, WS_EIO, "the trace cannot be written: %s", strerror(why));
}

/* The first launch: the file begins. */
static enum ws_status first(struct ws_err *err)
{
	enum ws_status status = ws_layer.spool ? open_again(err) : WS_OK;

	if (status == WS_OK)
		status = ws_trace_writer_new(&ws_layer.writer, &ws_layer.out, err);
	if (status == WS_OK)
		status = ws_cta_pool_new(&ws_layer.pool, err);
	return status == WS_OK ? write_out(err) : status;
}

/* Of several processes the first that launches something is traced. */
static bool claim(void)
{
	struct ws_err err = { 0 };

	if (ws_layer.spool && !ws_spool_claim(ws_layer.spool)) {
		ws_say("process %ld is not traced: another program is, or was", (long)getpid());
		return false;
	}
	if (ws_layer.spool) {
		ws_layer.spool->tally = *ws_layer.tally;
		ws_layer.tally = &ws_layer.spool->tally;
	}
	ws_layer.process = (long)getpid();
	if (first(&err) == WS_OK)
		return true;
	ws_say("%s", err.text);
	return false;
}

bool ws_trace_ours(void)
{
	if (!ws_layer.tracing)
		return false;
	if (!ws_layer.process) {
		ws_layer.tracing = claim();
	} else if (ws_layer.process != (long)getpid()) {
		ws_say("process %ld is not traced: the one that it was forked from is",
		       (long)getpid());
		ws_layer.tracing = false;
	}
	return ws_layer.tracing;
}

enum ws_status ws_trace_launch_begin(struct ws_err *err)
{
	if (!ws_layer.spool)
		return WS_OK;
	ws_layer.spool->running = 1;
	return open_again(err);
}

enum ws_status ws_trace_launch_end(bool good, struct ws_err *err)
{
	struct ws_spool *spool = ws_layer.spool;
	enum ws_status status = write_out(err);

	if (status == WS_OK && good && spool)
		status = ws_spool_add(spool, ws_layer.settings.spool, ws_layer.writer,
				      ws_layer.out.offset, err);
	if (spool)
		spool->running = 0;
	return status;
}

/* ---- the end -------------------------------------------------------------------------------- */

void ws_tally_traced(struct ws_compiled *c, bool whole)
{
	ws_layer.tally->traced++;
	ws_layer.tally->cut += !whole;
	ws_layer.tally->kernels += !c->traced;
	c->traced = true;
}

void ws_tally_left(void)
{
	ws_layer.tally->left++;
}

void ws_trace_finish(void)
{
	struct ws_err err = { 0 };
	char launches[WS_TALLY_TEXT], overhead[WS_TALLY_TEXT];
	uint64_t bytes;

	if (ws_layer.process != (long)getpid())
		return;
	pthread_mutex_lock(&ws_layer.run); /* a launch that is running ends first */
	ws_layer.tracing = false;
	if (ws_layer.spool) {
		pthread_mutex_unlock(&ws_layer.run);
		return;
	}
	if (ws_layer.writer && ws_trace_writer_end(ws_layer.writer, &err) != WS_OK)
		ws_say("%s", err.text);
	bytes = ws_layer.out.offset;
	if (ws_layer.writer && err.status == WS_OK && ws_out_commit(&ws_layer.out, &err) != WS_OK)
		ws_say("%s", err.text);
	ws_tally_text(ws_layer.tally, bytes, ws_seconds(), launches, overhead);
	ws_say("%s", launches);
	ws_say("%s", overhead);
	ws_trace_writer_free(ws_layer.writer);
	ws_layer.writer = NULL;
	ws_cta_pool_free(ws_layer.pool);
	ws_layer.pool = NULL;
	pthread_mutex_unlock(&ws_layer.run);
}
