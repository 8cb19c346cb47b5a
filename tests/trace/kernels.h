/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/trace/kernels.h -- runs a launch file of data/kernel/ and has its buffers looked at.
 */
#ifndef TEST_KERNELS_H
#define TEST_KERNELS_H

#include "tests/test.h"
#include "trace/capture.h"

static inline const float *f32(const struct ws_program *p, const char *name, size_t *count)
{
	for (size_t i = 0; i < p->buffers; i++) {
		if (strcmp(p->buffer[i].name, name) == 0) {
			if (count)
				*count = (size_t)p->buffer[i].count;
			return (const float *)(const void *)p->buffer[i].host;
		}
	}
	abort();
}

static inline const uint32_t *u32(const struct ws_program *p, const char *name)
{
	return (const uint32_t *)(const void *)f32(p, name, NULL);
}

/* Captures the launch file; wrong says how many of its results are. */
static inline void run(const char *file, uint64_t (*wrong)(const struct ws_program *p),
		       unsigned threads)
{
	char relative[64], *path;
	struct ws_capture_options options = { .threads = threads };
	struct ws_program p = { 0 };
	struct ws_err err = { 0 };
	struct ws_out out = { 0 };
	enum ws_status status;

	snprintf(relative, sizeof relative, "kernel/%s.launch", file);
	path = ws_data_path(relative);
	if (!path) {
		test_ok(false, "data/%s is there", relative);
		return;
	}
	status = ws_program_read(&p, path, &err);
	if (status == WS_OK)
		status = ws_out_open(&out, "/dev/null", &err);
	if (status == WS_OK)
		status = ws_capture(&p, &options, &out, &err);
	if (status == WS_OK)
		status = ws_out_commit(&out, &err);
	if (test_ok(status == WS_OK, "%s runs %s", file, err.text))
		test_u64(wrong(&p), 0, "wrong results");
	ws_program_clear(&p);
	free(path);
}

#endif
