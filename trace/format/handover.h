/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/format/handover.h -- passes launches and chunks of a trace from the process that runs
 * kernels to the one that writes the file.
 *
 * Messages are checked as files are: a launch's tables must be consistent, a chunk must be complete
 * and the next one.  Readers of the trace check its steps.
 */
#ifndef WS_HANDOVER_H
#define WS_HANDOVER_H

#include "trace/trace.h"

/* Onto *message. */
void ws_handover_put_launch(struct ws_buf *message, const struct ws_launch *launch);
void ws_handover_put_chunk(struct ws_buf *message, const struct ws_buf *packed, uint64_t first,
			   uint64_t count, const uint64_t accesses[WS_KINDS]);

/* WS_EINPUT: it is none.  *launch is to be cleared in any case. */
enum ws_status ws_handover_get_launch(struct ws_launch *launch, const void *data, size_t len,
				      struct ws_err *err) WS_MUST_CHECK;
/* Into the file.  WS_EINPUT: it is none, or not the next. */
enum ws_status ws_handover_take_launch(struct ws_trace_writer *w, const void *data, size_t len,
				       struct ws_err *err) WS_MUST_CHECK;
enum ws_status ws_handover_take_chunk(struct ws_trace_writer *w, const void *data, size_t len,
				      struct ws_err *err) WS_MUST_CHECK;

#endif
