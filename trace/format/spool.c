/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/format/spool.c -- a trace that one process writes and another completes.
 *
 * An entry is valid once the current mark includes it.  Of the two marks only the other one is ever
 * written, so a killed process leaves a valid mark.
 */
#include "trace/format/spool.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define ENTRIES 4096u /* where they begin in the spool: its first page is the struct */

static struct ws_spool *map(int fd)
{
	void *at = mmap(NULL, ENTRIES, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

	return at == MAP_FAILED ? NULL : at;
}

enum ws_status ws_spool_new(struct ws_spool **s, int *fd, struct ws_err *err)
{
	*s = NULL;
	*fd = memfd_create("spool", MFD_CLOEXEC);
	if (*fd >= 0 && ftruncate(*fd, ENTRIES) == 0 && (*s = map(*fd)))
		return WS_OK;
	return ws_fail(err, WS_EIO, "the trace's spool: %s", strerror(errno));
}

enum ws_status ws_spool_open(struct ws_spool **s, const char *path, struct ws_err *err)
{
	int fd = open(path, O_RDWR | O_CLOEXEC);
	struct stat st;

	*s = fd < 0 || fstat(fd, &st) || st.st_size < ENTRIES ? NULL : map(fd);
	if (fd >= 0)
		close(fd);
	if (!*s)
		return ws_fail(err, WS_EIO, "the trace's spool %s: %s", path, strerror(errno));
	__atomic_add_fetch(&(*s)->loaded, 1, __ATOMIC_SEQ_CST);
	return WS_OK;
}

bool ws_spool_claim(struct ws_spool *s)
{
	uint32_t nobody = 0;

	return __atomic_compare_exchange_n(&s->owner, &nobody, (uint32_t)getpid(), false,
					   __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
}

/* How far the trace is good. */
static const struct ws_spool_mark *mark_of(const struct ws_spool *s)
{
	return &s->mark[__atomic_load_n(&s->which, __ATOMIC_ACQUIRE) & 1];
}

void ws_spool_read(const struct ws_spool *s, struct ws_spool_state *out)
{
	*out = (struct ws_spool_state){
		.owner = (long)__atomic_load_n(&s->owner, __ATOMIC_SEQ_CST),
		.loaded = s->loaded, .running = s->running, .failed = (int)s->failed,
		.launches = mark_of(s)->launches, .bytes = mark_of(s)->end, .tally = s->tally,
	};
}

static bool put_entry(const char *path, const struct ws_buf *entry, uint64_t at)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	size_t done = 0;

	while (fd >= 0 && done < entry->len) {
		ssize_t n = pwrite(fd, entry->data + done, entry->len - done,
				   (off_t)(at + done));

		if (n <= 0 && errno != EINTR)
			break;
		done += n > 0 ? (size_t)n : 0;
	}
	if (fd >= 0)
		close(fd);
	return fd >= 0 && done == entry->len;
}

enum ws_status ws_spool_add(struct ws_spool *s, const char *path, const struct ws_trace_writer *w,
			    uint64_t end, struct ws_err *err)
{
	struct ws_spool_mark mark = *mark_of(s);
	struct ws_buf entry = { 0 };
	enum ws_status status = WS_OK;

	ws_trace_writer_entry(w, &entry);
	if (entry.failed)
		status = ws_fail_memory(err, "the index of a trace");
	else if (!put_entry(path, &entry, ENTRIES + mark.used))
		status = ws_fail(err, WS_EIO, "the trace's spool: %s", strerror(errno));
	if (status == WS_OK) {
		s->mark[!(s->which & 1)] = (struct ws_spool_mark){
			mark.launches + 1, mark.used + entry.len, end };
		__atomic_store_n(&s->which, !(s->which & 1), __ATOMIC_RELEASE);
	}
	ws_buf_clear(&entry);
	return status;
}

/* The program could have written anything; the reader checks the result. */
enum ws_status ws_spool_finish(const struct ws_spool *s, int fd, struct ws_out *trace,
			       struct ws_err *err)
{
	struct ws_spool_mark mark = *mark_of(s);
	enum ws_status status = WS_OK;
	struct stat spool, st;
	uint8_t *all;

	if (fstat(fd, &spool) || fstat(fileno(trace->file), &st))
		return ws_fail(err, WS_EIO, "the trace: %s", strerror(errno));
	if (mark.used > (uint64_t)spool.st_size - ENTRIES || mark.end > (uint64_t)st.st_size)
		return ws_fail(err, WS_EINPUT, "the program has spoilt the trace");
	all = mmap(NULL, ENTRIES + (size_t)mark.used, PROT_READ, MAP_SHARED, fd, 0);
	if (all == MAP_FAILED)
		return ws_fail_memory(err, "the index of a trace");
	if (ftruncate(fileno(trace->file), (off_t)mark.end) ||
	    fseeko(trace->file, (off_t)mark.end, SEEK_SET))
		status = ws_fail(err, WS_EIO, "the trace: %s", strerror(errno));
	trace->offset = mark.end;
	if (status == WS_OK)
		status = ws_trace_end(trace, mark.launches, all + ENTRIES, (size_t)mark.used, err);
	if (status == WS_OK && (trace->failed || fflush(trace->file)))
		status = ws_fail(err, WS_EIO, "writing the trace: %s", strerror(errno));
	munmap(all, ENTRIES + (size_t)mark.used);
	return status;
}

void ws_spool_close(struct ws_spool *s)
{
	if (s)
		munmap(s, ENTRIES);
}

void ws_tally_text(const struct ws_tally *t, uint64_t bytes, double now,
		   char launches[WS_TALLY_TEXT], char overhead[WS_TALLY_TEXT])
{
	snprintf(launches, WS_TALLY_TEXT,
		 "%" PRIu64 " launch%s of %" PRIu64 " kernel%s traced (%" PRIu64
		 " of them in part), %" PRIu64 " left to the platform, %" PRIu64 " bytes",
		 t->traced, t->traced == 1 ? "" : "es", t->kernels, t->kernels == 1 ? "" : "s",
		 t->cut, t->left, bytes);
	snprintf(overhead, WS_TALLY_TEXT,
		 "overhead: %.3f of %.3f s since the first call: %.3f s to compile, "
		 "%.3f s to run and record", t->compile_seconds + t->run_seconds, now - t->begun,
		 t->compile_seconds, t->run_seconds);
}
