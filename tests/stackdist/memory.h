/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/stackdist/memory.h -- profiles as bytes in memory, and a small one to
 * play with.
 */
#ifndef WS_TEST_MEMORY_H
#define WS_TEST_MEMORY_H

#include <stdlib.h>
#include <string.h>

#include "stackdist/stackdist.h"
#include "tests/stackdist/stream.h"

struct memory {
	char *data;
	size_t len;
};

/* The profile as a file's bytes; data is NULL if it cannot be written. */
static inline struct memory memory_write(const struct ws_profile *p)
{
	struct memory m = { NULL, 0 };
	struct ws_out out = { .file = open_memstream(&m.data, &m.len) };
	struct ws_err err = { 0 };
	bool ok = out.file && !ws_profile_write(p, &out, &err) && !out.failed;

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
 * 'B' is the raw contents: for each block four bytes of type, two of length, contents. */
static inline bool memory_pack(struct ws_buf *file, const uint8_t *data, size_t len)
{
	static const uint8_t head[16] = "WSPROF\0\0\1";
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

	if (len > 0 && data[0] == 'B') {
		memory_pack(&file, data + 1, len - 1);
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

/* Two launches of one kernel and one of another, random requests on 3 of 5 SMs. */
static inline struct ws_profile *memory_profile(const struct ws_machine *m, uint64_t seed,
						unsigned threads, const uint64_t *sets,
						size_t count, struct ws_err *err)
{
	static const char *const kernel[] = { "first", "second", "first" };
	enum { COUNT = 700 };
	static struct ws_request r[COUNT];
	struct ws_order_stats stats = { .cycles = 10, .warp_instructions = 20,
					.resident_ctas = 3 };
	struct ws_profiler *p = NULL;
	struct ws_profile *out = NULL;
	struct ws_rng rng;
	enum ws_status status = ws_profiler_new(&p, m, sets, count, threads, err);

	ws_rng_seed(&rng, seed);
	for (int i = 0; i < 3 && !status; i++) {
		char name[8];
		struct ws_launch launch = { .kernel = name, .grid = { 4, 2, 1 },
					    .block = { 32, 1, 1 }, .ctas = 8 };

		snprintf(name, sizeof(name), "%s", kernel[i]);
		status = ws_profiler_launch(p, &launch, err);
		for (int j = 0; j < 12 && !status; j++) {
			size_t n = 1 + ws_rng_below(&rng, COUNT);

			stream_fill(&rng, &m->l1, 300, 4, 1, r, n);
			status = ws_profiler_push(p, 2 * ws_rng_below(&rng, 3), r, n, err);
		}
		if (!status)
			status = ws_profiler_end(p, &stats, err);
	}
	if (!status)
		status = ws_profiler_finish(p, &out, err);
	ws_profiler_free(p);
	return status ? NULL : out;
}

#endif
