/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/stackdist/memory.h -- profiles as bytes in memory, and a small one to
 * play with.
 */
#ifndef WS_TEST_MEMORY_H
#define WS_TEST_MEMORY_H

#include <stdlib.h>
#include <string.h>

#include "stackdist/file/file.h"
#include "tests/stackdist/stream.h"

struct memory {
	char *data;
	size_t len;
};

/* The profile as a file's bytes, whatever does not hold of it; data is NULL if it cannot be
 * written. */
static inline struct memory memory_write(const struct ws_profile *p)
{
	struct memory m = { NULL, 0 };
	struct ws_out out = { .file = open_memstream(&m.data, &m.len) };
	struct ws_err err = { 0 };
	bool ok = out.file && !ws_profile_put(p, &out, &err) && !out.failed;

	if (out.file)
		ok = fclose(out.file) == 0 && ok;
	if (!ok) {
		free(m.data);
		m = (struct memory){ NULL, 0 };
	}
	return m;
}

/* From a block of its own length, so that a sanitizer sees a read past its end. */
static inline enum ws_status memory_read(struct ws_profile **out, const void *data, size_t len,
					 struct ws_err *err)
{
	uint8_t *copy = malloc(len ? len : 1);
	struct ws_in in = { .data = copy, .len = len, .name = (char[]){ "memory" } };
	enum ws_status status = WS_ENOMEM;

	*out = NULL;
	if (copy) {
		if (len)
			memcpy(copy, data, len);
		status = ws_profile_read(out, &in, err);
	}
	free(copy);
	return status;
}

/* ---- what any bytes must do --------------------------------------------------- */

/* Written, read and written again, it is the same. */
static inline bool memory_comes_back(const struct ws_profile *p)
{
	struct memory first = memory_write(p), second = { NULL, 0 };
	struct ws_profile *again = NULL;
	bool same = first.data && !memory_read(&again, first.data, first.len, NULL);

	if (same)
		second = memory_write(again);
	same = same && second.data && first.len == second.len &&
	       !memcmp(first.data, second.data, first.len);
	ws_profile_free(again);
	free(first.data);
	free(second.data);
	return same;
}

/* The checksums hide what is inside blocks from a fuzzer.  So input that begins with
 * 'B' ('C': of version 3, which may have an L2; 'D': of 4, which has chunks) is the raw contents:
 * for each block four bytes of type, two of length, contents. */
static inline bool memory_pack(struct ws_buf *file, uint8_t version, const uint8_t *data,
			       size_t len)
{
	const uint8_t head[16] = { 'W', 'S', 'P', 'R', 'O', 'F', 0, 0, version };
	struct ws_cursor c = { .p = data, .end = data + len };
	bool ok = true;

	ws_put_bytes(file, head, sizeof(head));
	while (c.p < c.end && ok) {
		uint32_t type = ws_get_u32(&c);
		size_t n = ws_get_u8(&c), left;

		n |= (size_t)ws_get_u8(&c) << 8;
		left = (size_t)(c.end - c.p);
		n = n < left ? n : left;
		ok = !c.bad && !ws_block_pack(file, type, ws_get_bytes(&c, n), n, NULL);
	}
	return ok;
}

/* A profile that comes back the same, or one sentence; false if neither. */
static inline bool memory_try(const uint8_t *data, size_t len)
{
	struct ws_err err = { .status = WS_OK };
	struct ws_buf file = { .data = NULL };
	struct ws_profile *p = NULL;
	enum ws_status status;
	bool ok;

	if (len > 0 && data[0] >= 'B' && data[0] <= 'D') {
		memory_pack(&file, (uint8_t)(data[0] - 'B' + 2), data + 1, len - 1);
		status = memory_read(&p, file.data, file.len, &err);
	} else {
		status = memory_read(&p, data, len, &err);
	}
	ok = status == err.status && (status == WS_OK) == (err.text[0] == '\0') &&
	     (status == WS_OK || status == WS_EFORMAT || status == WS_ENOMEM) &&
	     (p != NULL) == (status == WS_OK) && !strpbrk(err.text, "\n\r\033");
	if (p)
		ok = ok && memory_comes_back(p);
	ws_profile_free(p);
	ws_buf_clear(&file);
	return ok;
}

/* ---- profiles to play with -------------------------------------------------------- */

/* gtx480 with few SMs; false if there is no such machine. */
static inline bool memory_machine(struct ws_machine *m, struct ws_err *err)
{
	setenv("WARPSTACK_DATA", "data", 0);
	return !ws_machine_load(m, "gtx480", err) && !ws_machine_set(m, "sm.count=5", err) &&
	       !ws_machine_check(m, err);
}

#define MEMORY_PUSH 700u	/* requests at once */

/* What a launch is made of; equal ones are equal. */
struct memory_launch {
	const char *kernel;
	uint64_t seed;
};

static inline enum ws_status memory_push(struct ws_profiler *p, const struct ws_machine *m,
					 uint64_t seed, struct ws_err *err)
{
	static struct ws_request r[MEMORY_PUSH];
	enum ws_status status = WS_OK;
	struct ws_rng rng;

	ws_rng_seed(&rng, seed);
	for (int i = 0; i < 12 && !status; i++) {
		size_t n = 1 + ws_rng_below(&rng, MEMORY_PUSH);
		uint64_t cycle = 100 * ws_rng_below(&rng, 50);

		stream_fill(&rng, &m->l1, 300, 4, 1, r, n);
		for (size_t j = 0; j < n; j++) {
			cycle += ws_rng_below(&rng, 5);
			r[j].cycle = cycle;
			r[j].instruction = (uint32_t)ws_rng_below(&rng, 3);
		}
		status = ws_profiler_push(p, 2 * ws_rng_below(&rng, 3), r, n, err);
	}
	return status;
}

/* Random requests on 3 of 5 SMs in each launch, of three instructions at two arrays. */
static inline enum ws_status memory_launch(struct ws_profiler *p, const struct ws_machine *m,
					   const struct memory_launch *l, struct ws_err *err)
{
	struct ws_array array[] = { { (char[]){ "A" }, 4096, 16384 },
				    { (char[]){ "B" }, 20480, 65536 } };
	struct ws_instruction instruction[] = {
		{ .kind = WS_LOAD, .array = 1, .line = 7 }, { .array = WS_NO_ARRAY, .line = 9 },
		{ .kind = WS_STORE, .array = 0, .line = 7 },
	};
	char *file[] = { (char[]){ "k.cl" } }, kernel[16];
	struct ws_launch launch = { .kernel = kernel, .grid = { 4, 2, 1 }, .block = { 32, 1, 1 },
				    .ctas = 8, .array = array, .arrays = 2, .file = file,
				    .files = 1, .instruction = instruction, .instructions = 3 };
	struct ws_order_stats stats = { .cycles = 10, .warp_instructions = 20,
					.resident_ctas = 3 };
	enum ws_status status;

	snprintf(kernel, sizeof(kernel), "%s", l->kernel);
	status = ws_profiler_launch(p, &launch, err);
	if (!status)
		status = memory_push(p, m, l->seed, err);
	return status ? status : ws_profiler_end(p, &stats, err);
}

/* NULL if it fails. */
static inline struct ws_profile *memory_profile(const struct ws_machine *m,
						const struct ws_profile_options *options,
						const struct memory_launch *launch, size_t count,
						struct ws_err *err)
{
	struct ws_profiler *p = NULL;
	struct ws_profile *out = NULL;
	enum ws_status status = ws_profiler_new(&p, m, options, err);

	for (size_t i = 0; i < count && !status; i++)
		status = memory_launch(p, m, launch + i, err);
	if (!status)
		status = ws_profiler_finish(p, &out, err);
	ws_profiler_free(p);
	return status ? NULL : out;
}

#endif
