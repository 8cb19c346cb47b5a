/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cli/app.h -- `warpstack trace --app`: somebody's OpenCL program, run under the layer.
 */
#ifndef CLI_APP_H
#define CLI_APP_H

#include "cli/cli.h"

#include <sys/types.h>

struct app_options {
	const char *kernel, *launches; /* NULL: all */
	const char *images;	       /* their layout; NULL: row-major */
	uint64_t ctas;		       /* 0: all */
	uint64_t registers;	       /* of a thread; 0: as they are estimated */
	bool local, no_source;
	struct ws_machine machine;
};

struct app_end { /* of the program */
	pid_t pid;
	bool gone;
	int code;  /* as of waitpid */
	int asked; /* the last signal that came to us for it; 0: none */
};

/* Runs the operands as a command; the layer in it writes to out's file.  The program's exit code
 * other than 0, or its end by a signal, is a "no", not an error: the trace is good, as far as it
 * goes.  If it launched nothing, out is closed, and call->code its exit code.  Signals to us stay
 * blocked. */
enum ws_status app_trace(struct cli_call *call, const struct app_options *o, struct ws_out *out,
			 struct app_end *end, struct ws_err *err) WS_MUST_CHECK;
/* Was the program ended by a signal that came to us?  Then it ends us too. */
void app_end_alike(const struct app_end *end);

#endif
