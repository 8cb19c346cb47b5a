/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/capture/absent.c -- replaces capture in a build without LLVM.
 *
 * Launch files can still be read and checked; running one says what is missing.
 */
#include "trace/capture.h"

static const char missing[] =
	"capture was built without LLVM: install clang-19 and llvm-19-dev and build again";

bool ws_capture_available(void)
{
	return false;
}

const char *ws_capture_missing(void)
{
	return missing;
}

enum ws_status ws_soft_run(struct ws_program *p, const struct ws_soft_run_options *options,
			   const struct ws_soft_hooks *hooks, struct ws_err *err)
{
	(void)p;
	(void)options;
	(void)hooks;
	return ws_fail(err, WS_EINVAL, "%s", missing);
}

enum ws_status ws_capture(struct ws_program *p, const struct ws_capture_options *options,
			  struct ws_out *out, struct ws_err *err)
{
	(void)p;
	(void)options;
	(void)out;
	return ws_fail(err, WS_EINVAL, "%s", missing);
}
