/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/validate/captured.h -- a launch file, run and traced.
 */
#ifndef TEST_CAPTURED_H
#define TEST_CAPTURED_H

#include <stdlib.h>
#include <unistd.h>

#include "trace/capture.h"

/* The trace, which ws_trace_close frees; its file is removed. */
static inline enum ws_status captured(struct ws_trace **out, const char *launch, struct ws_err *err)
{
	const struct ws_capture_options options = { .threads = 0 };
	char path[] = "/tmp/ws-captured-XXXXXX";
	struct ws_program p = { 0 };
	struct ws_out file = { 0 };
	enum ws_status status;
	int fd = mkstemp(path);

	*out = NULL;
	if (fd < 0)
		return ws_fail(err, WS_EIO, "%s: no temporary file", path);
	close(fd);
	status = ws_program_read(&p, launch, err);
	if (status == WS_OK)
		status = ws_out_open(&file, path, err);
	if (status == WS_OK) {
		status = ws_capture(&p, &options, &file, err);
		if (status == WS_OK)
			status = ws_out_commit(&file, err);
		else
			ws_out_abort(&file);
	}
	if (status == WS_OK)
		status = ws_trace_open(out, path, err);
	unlink(path);
	ws_program_clear(&p);
	return status;
}

#endif
