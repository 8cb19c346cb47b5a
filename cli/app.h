/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cli/app.h -- `warpstack trace --app`: somebody's OpenCL program, run under the layer.
 */
#ifndef CLI_APP_H
#define CLI_APP_H

#include "cli/cli.h"

struct app_options {
	const char *kernel, *launches; /* NULL: all */
	uint64_t ctas;		       /* 0: all */
	bool local;
	struct ws_machine machine;
};

/* Runs the operands as a command; the layer in it writes the trace to out, which it has as an open
 * file.  The program's exit code other than 0 is a "no", not an error: the trace is good. */
enum ws_status app_trace(struct cli_call *call, const struct app_options *o, struct ws_out *out,
			 struct ws_err *err) WS_MUST_CHECK;

#endif
