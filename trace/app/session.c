/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/app/session.c -- the trace file, messages, and the cost of tracing.
 *
 * Under `warpstack trace --app` each launch goes to the trace as it ends, and warpstack ends it
 * (trace/format/spool.h); a layer by itself ends it when the program exits, and a program that is
 * killed or leaves by _exit then leaves no trace.  Of several processes the first that launches
 * something is traced; one that forks keeps its trace.
 */
#include "trace/app/app.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

void ws_say(const char *fmt, ...)
{
	va_list ap;

	if (ws_app.settings.quiet)
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
static bool is_new(struct ws_app_said *c, const char *file, uint32_t line, bool barrier)
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

void ws_say_outside(void *said, const struct ws_outside *o)
{
	char text[WS_OUTSIDE_TEXT];

	if (!is_new(said, o->file, o->line, false))
		return;
	ws_outside_text(o, text);
	ws_say("%s (said of the first launch that does)", text);
}

void ws_say_unmet(void *said, const struct ws_unmet_barrier *b)
{
	char text[WS_UNMET_TEXT];

	if (!is_new(said, b->file, b->at.line, true))
		return;
	ws_unmet_text(b, text);
	ws_say("%s", text);
}

/* ---- the file -------------------------------------------------------------------------- */

static enum ws_status begin_trace(struct ws_err *err)
{
	const struct ws_settings *s = &ws_app.settings;

	if (!s->path)
		return ws_fail(err, WS_EINVAL, "nothing is traced: want WARPSTACK_TRACE=FILE");
	return s->spool ? ws_spool_open(&ws_app.spool, s->spool, err)
			: ws_out_open(&ws_app.out, s->path, err);
}

bool ws_app_begin(void)
{
	struct ws_err err = { 0 };

	ws_app.own_tally.begun = ws_seconds();
	ws_app.tally = &ws_app.own_tally;
	if (ws_settings_read(&ws_app.settings, &err) != WS_OK) {
		ws_say("%s", err.text);
		return false;
	}
	ws_app.tracing = begin_trace(&err) == WS_OK;
	if (!ws_app.tracing && ws_app.settings.path)
		ws_say("%s", err.text);
	return true;
}

/* The file that another process ends: open while something is written to it. */
static enum ws_status open_again(struct ws_err *err)
{
	int fd = open(ws_app.settings.path, O_WRONLY | O_CLOEXEC);

	ws_app.out.file = fd < 0 ? NULL : fdopen(fd, "wb");
	if (ws_app.out.file &&
	    fseeko(ws_app.out.file, (off_t)ws_app.out.offset, SEEK_SET) == 0)
		return WS_OK;
	if (fd >= 0 && !ws_app.out.file)
		close(fd);
	return ws_fail(err, WS_EIO, "the trace %s: %s", ws_app.settings.path, strerror(errno));
}

static enum ws_status write_out(struct ws_err *err)
{
	FILE *file = ws_app.out.file;
	bool good = !fflush(file) && !ws_app.out.failed && !ferror(file);
	int why = errno ? errno : EIO;

	if (ws_app.spool) {
		fclose(file);
		ws_app.out.file = NULL;
	}
	if (good)
		return WS_OK;
	if (ws_app.spool && !ws_app.spool->failed)
		ws_app.spool->failed = (uint32_t)why;
	ws_app.tracing = false;
	return ws_fail(err, WS_EIO, "the trace cannot be written: %s", strerror(why));
}

/* The first launch: the file begins. */
static enum ws_status first(struct ws_err *err)
{
	enum ws_status status = ws_app.spool ? open_again(err) : WS_OK;

	if (status == WS_OK)
		status = ws_trace_writer_new(&ws_app.writer, &ws_app.out, err);
	if (status == WS_OK)
		status = ws_cta_pool_new(&ws_app.pool, err);
	return status == WS_OK ? write_out(err) : status;
}

/* Of several processes the first that launches something is traced. */
static bool claim(void)
{
	struct ws_err err = { 0 };

	if (ws_app.spool && !ws_spool_claim(ws_app.spool)) {
		ws_say("process %ld is not traced: another program is, or was", (long)getpid());
		return false;
	}
	if (ws_app.spool) {
		ws_app.spool->tally = *ws_app.tally;
		ws_app.tally = &ws_app.spool->tally;
	}
	ws_app.process = (long)getpid();
	if (first(&err) == WS_OK)
		return true;
	ws_say("%s", err.text);
	return false;
}

bool ws_trace_ours(void)
{
	if (!ws_app.tracing)
		return false;
	if (!ws_app.process) {
		ws_app.tracing = claim();
	} else if (ws_app.process != (long)getpid()) {
		ws_say("process %ld is not traced: the one that it was forked from is",
		       (long)getpid());
		ws_app.tracing = false;
	}
	return ws_app.tracing;
}

enum ws_status ws_trace_launch_begin(struct ws_err *err)
{
	if (!ws_app.spool)
		return WS_OK;
	ws_app.spool->running = 1;
	return open_again(err);
}

enum ws_status ws_trace_launch_end(bool good, struct ws_err *err)
{
	struct ws_spool *spool = ws_app.spool;
	enum ws_status status = write_out(err);

	if (status == WS_OK && good && spool)
		status = ws_spool_add(spool, ws_app.settings.spool, ws_app.writer,
				      ws_app.out.offset, err);
	if (spool)
		spool->running = 0;
	return status;
}

/* ---- the end --------------------------------------------------------------------------- */

void ws_tally_traced(struct ws_app_said *said, bool whole)
{
	ws_app.tally->traced++;
	ws_app.tally->cut += !whole;
	ws_app.tally->kernels += !said->traced;
	said->traced = true;
}

void ws_tally_left(void)
{
	ws_app.tally->left++;
}

#define LONG_SECONDS 20.0 /* of tracing, after which it is said what would take less */

void ws_tally_ran(double begun, const char *kernel)
{
	struct ws_tally *t = ws_app.tally;
	const struct ws_settings *s = &ws_app.settings;
	double before = t->run_seconds;

	t->run_seconds += ws_seconds() - begun;
	if (before < LONG_SECONDS && t->run_seconds >= LONG_SECONDS && !s->ctas &&
	    s->last == UINT64_MAX)
		ws_say("tracing has taken %.0f s, the last of it %s, launch %" PRIu64 "; fewer "
		       "launches or CTAs take less (WARPSTACK_LAUNCHES, WARPSTACK_CTAS)",
		       t->run_seconds, kernel, t->traced);
}

void ws_trace_finish(void)
{
	struct ws_err err = { 0 };
	char launches[WS_TALLY_TEXT], overhead[WS_TALLY_TEXT];
	uint64_t bytes;

	if (ws_app.process != (long)getpid())
		return;
	pthread_mutex_lock(&ws_app.run); /* a launch that is running ends first */
	ws_app.tracing = false;
	if (ws_app.spool) {
		pthread_mutex_unlock(&ws_app.run);
		return;
	}
	if (ws_app.writer && ws_trace_writer_end(ws_app.writer, &err) != WS_OK)
		ws_say("%s", err.text);
	bytes = ws_app.out.offset;
	if (ws_app.writer && err.status == WS_OK && ws_out_commit(&ws_app.out, &err) != WS_OK)
		ws_say("%s", err.text);
	ws_tally_text(ws_app.tally, bytes, ws_seconds(), launches, overhead);
	ws_say("%s", launches);
	ws_say("%s", overhead);
	ws_trace_writer_free(ws_app.writer);
	ws_app.writer = NULL;
	ws_cta_pool_free(ws_app.pool);
	ws_app.pool = NULL;
	pthread_mutex_unlock(&ws_app.run);
}
