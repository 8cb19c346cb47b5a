/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/capture/child.h -- a separate process that compiles and runs kernels.
 *
 * Private to trace/capture/.  The child is a fork of the caller that may only compute and send
 * messages (confine.h); it shares the program's buffers.  The caller reads and checks messages, and
 * enforces time limits.
 */
#ifndef WS_CHILD_H
#define WS_CHILD_H

#include <stdatomic.h>

#include "trace/capture.h"

enum ws_message {		/* from the child */
	WS_MSG_END,		/* its status and message; the last */
	WS_MSG_PROGRESS,	/* u64: launch of the program, CTAs done, CTAs in all */
	WS_MSG_LAUNCH, WS_MSG_CHUNK, /* format/handover.h */
	WS_MSG_UNMET,		/* barriers of the launch: unmet.c */
	WS_MSG_OUTSIDE,		/* struct ws_outside: u64 line, counts; three texts */
	/* Of a software cache's run: soft_remote.c */
	WS_MSG_SOFT_BEGIN, WS_MSG_SOFT_CTA, WS_MSG_SOFT_STEP, WS_MSG_SOFT_NEXT, WS_MSG_SOFT_CHOOSE,
	WS_MSG_SOFT_RAN, WS_MSG_SOFT_IR,
};

/* The child's position, in shared memory: for messages about children that crash. */
#define WS_CHILD_THREADS 64u
struct ws_where {
	_Atomic uint32_t turn;	/* counts steps; the time limit is of each step */
	_Atomic uint32_t launch; /* of the program */
	_Atomic uint32_t running; /* 0: it is compiled */
	_Atomic uint64_t cta[WS_CHILD_THREADS]; /* of each thread, + 1; 0: none */
};
/* A step begins: a kernel is compiled, or (running) launched. */
void ws_where_step(struct ws_where *w, size_t launch, bool running);
static inline void ws_where_cta(struct ws_where *w, unsigned thread, uint64_t cta)
{
	if (w)
		atomic_store_explicit(&w->cta[thread % WS_CHILD_THREADS], cta + 1,
				      memory_order_relaxed);
}
static inline void ws_where_done(struct ws_where *w, unsigned thread)
{
	if (w)
		atomic_store_explicit(&w->cta[thread % WS_CHILD_THREADS], 0, memory_order_relaxed);
}

/* ---- in the child ---- */
struct ws_port;
/* Small messages are buffered until the child flushes or asks.  WS_EIO: the caller is gone. */
enum ws_status ws_port_send(struct ws_port *p, enum ws_message type, const struct ws_buf *message,
			    struct ws_err *err) WS_MUST_CHECK;
enum ws_status ws_port_flush(struct ws_port *p, struct ws_err *err) WS_MUST_CHECK;
/* The caller's answer to the last message, of len bytes. */
enum ws_status ws_port_ask(struct ws_port *p, void *answer, size_t len,
			   struct ws_err *err) WS_MUST_CHECK;

/* ---- the whole ---- */
struct ws_child {
	/* In the child.  Its status and message become ws_child_run's. */
	enum ws_status (*run)(void *context, struct ws_port *port, struct ws_where *where,
			      struct ws_err *err);
	/* In the caller: handles a message other than WS_MSG_END.  *answer is sent back.  A failure
	 * ends the child. */
	enum ws_status (*take)(void *context, enum ws_message type, const uint8_t *data, size_t len,
			       struct ws_buf *answer, struct ws_err *err);
	void *context;
	const struct ws_program *program;
	uint64_t seconds;	/* time limit of a launch or of compiling a kernel; 0: none */
	uint64_t steps;		/* largest number of such steps (ws_where_step); 0: any */
	uint64_t memory;	/* the child's private memory in bytes; 0: the machine's */
};
enum ws_status ws_child_run(const struct ws_child *c, struct ws_err *err) WS_MUST_CHECK;

#endif
