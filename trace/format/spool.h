/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/format/spool.h -- a trace that one process writes and another completes.
 *
 * The one that started the program (its side is in trace/capture.h) has two open files: the trace,
 * and the spool beside it, which has no name.  The layer in the program writes each launch to the
 * trace as it ends, and then its entry of the index to the spool; the starter puts the index behind
 * them when the program is gone.  So the launches that had ended are in the trace however the
 * program ended: by exit, _exit, exec, or a signal.
 *
 * The layer opens both for each launch, by the paths that the starter's descriptors have in /proc,
 * and keeps neither: a program may close all files that it finds, fork and change its directory.
 *
 * The spool begins with struct ws_spool, which both have mapped.
 */
#ifndef WS_SPOOL_H
#define WS_SPOOL_H

#include "trace/capture.h"

struct ws_spool_mark { /* how far the trace is good */
	uint64_t launches, used, end; /* used: bytes of entries; end: of the trace */
};

struct ws_spool {
	uint32_t owner;	  /* the process that is traced; 0: none yet */
	uint32_t loaded;  /* processes in which the layer is */
	uint32_t running; /* 1: a launch has begun, and not ended */
	uint32_t failed;  /* errno of a write to the trace; 0: none */
	uint32_t which;	  /* of the marks: the other is being written */
	struct ws_spool_mark mark[2];
	struct ws_tally tally;
};

/* ---- the program's side ---- */
enum ws_status ws_spool_open(struct ws_spool **s, const char *path,
			     struct ws_err *err) WS_MUST_CHECK;
/* This process is the one that writes from now on: false if another is, or was. */
bool ws_spool_claim(struct ws_spool *s);
/* The last launch of w, which is in the trace up to end. */
enum ws_status ws_spool_add(struct ws_spool *s, const char *path, const struct ws_trace_writer *w,
			    uint64_t end, struct ws_err *err) WS_MUST_CHECK;

/* ---- writer.c ---- */
/* The last launch's entry of the index. */
void ws_trace_writer_entry(const struct ws_trace_writer *w, struct ws_buf *entry);
/* The index, of such entries, and the end of a file that began at 0 of out. */
enum ws_status ws_trace_end(struct ws_out *out, uint64_t launches, const void *entries,
			    size_t len, struct ws_err *err) WS_MUST_CHECK;

#endif
