/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/capture/launch_trace.c -- from a program to an open trace.
 */
#include "trace/capture.h"

enum ws_status ws_capture_trace(struct ws_trace **trace, struct ws_program *p,
				const struct ws_capture_options *options, struct ws_err *err)
{
	struct ws_out out;
	enum ws_status status = ws_out_temporary(&out, err);

	*trace = NULL;
	if (status == WS_OK)
		status = ws_capture(p, options, &out, err);
	if (status == WS_OK)
		status = ws_trace_open_written(trace, &out, p->name ? p->name : p->source, err);
	ws_out_abort(&out);
	return status;
}
