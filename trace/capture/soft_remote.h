/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/capture/soft_remote.h -- the hooks of ws_soft_run, called across processes.
 *
 * Private to trace/capture/.  The child's hooks send their arguments; the caller checks them and
 * calls the real hooks.
 */
#ifndef WS_SOFT_REMOTE_H
#define WS_SOFT_REMOTE_H

#include "trace/capture/child.h"

/* In the child: hooks that send.  *r stays where it is as long as they are called. */
struct ws_soft_sender {
	struct ws_port *port;
	const struct ws_program *program;
	const struct ws_launch *launch;	/* the one that runs */
	struct ws_buf message;
	struct ws_err err;		/* of what could not say */
};
struct ws_soft_hooks ws_soft_sending(struct ws_soft_sender *s);
/* At the end: the rewritten kernels as text. */
enum ws_status ws_soft_send_ir(struct ws_soft_sender *s, const struct ws_buf *ir,
			       struct ws_err *err) WS_MUST_CHECK;
void ws_soft_sender_clear(struct ws_soft_sender *s);

/* In the caller: takes such messages. */
struct ws_soft_taker;
enum ws_status ws_soft_taker_new(struct ws_soft_taker **out, const struct ws_program *p,
				 const struct ws_soft_hooks *hooks, struct ws_buf *ir,
				 struct ws_err *err) WS_MUST_CHECK;
enum ws_status ws_soft_take(struct ws_soft_taker *t, enum ws_message type, const uint8_t *data,
			    size_t len, struct ws_buf *answer, struct ws_err *err) WS_MUST_CHECK;
void ws_soft_taker_free(struct ws_soft_taker *t);

#endif
