/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/validate/written.h -- a trace that a test writes itself, step by step.
 */
#ifndef TEST_WRITTEN_H
#define TEST_WRITTEN_H

#include <stdlib.h>
#include <unistd.h>

#include "tests/test.h"
#include "trace/trace.h"

struct written {
	struct ws_launch (*launch)(size_t number);
	void (*steps)(struct ws_encoder *e, uint64_t cta, struct ws_rng *rng); /* of a CTA */
	size_t launches;
};

/* A launch's CTAs, as one chunk. */
static inline bool written_chunk(const struct written *t, struct ws_trace_writer *w,
				 const struct ws_launch *launch, size_t number, struct ws_rng *rng)
{
	struct ws_buf bytes = { 0 }, packed = { 0 };
	uint64_t *lens = ws_alloc((size_t)launch->ctas, sizeof *lens), accesses[WS_KINDS] = { 0 };
	struct ws_encoder *e = NULL;
	bool good = lens && !ws_encoder_new(&e, launch, NULL);

	for (uint64_t cta = 0; cta < launch->ctas && good; cta++) {
		size_t before = bytes.len;

		ws_encoder_begin(e);
		t->steps(e, cta, rng);
		good = !ws_encoder_end(e, &bytes, accesses, NULL);
		lens[cta] = bytes.len - before;
	}
	good = good && !ws_chunk_pack(&packed, number, 0, &bytes, lens, (size_t)launch->ctas, NULL)
		&& !ws_trace_writer_chunk(w, &packed, 0, (size_t)launch->ctas, accesses, NULL);
	ws_encoder_free(e);
	ws_buf_clear(&bytes);
	ws_buf_clear(&packed);
	free(lens);
	return good;
}

static inline bool written_file(const struct written *t, const char *path, struct ws_rng *rng)
{
	struct ws_trace_writer *w = NULL;
	struct ws_out out;
	bool good = !ws_out_open(&out, path, NULL);

	if (!good)
		return false;
	good = !ws_trace_writer_new(&w, &out, NULL);
	for (size_t i = 0; i < t->launches && good; i++) {
		struct ws_launch launch = t->launch(i);

		good = !ws_trace_writer_launch(w, &launch, NULL) &&
		       written_chunk(t, w, &launch, i, rng);
	}
	good = good && !ws_trace_writer_end(w, NULL);
	ws_trace_writer_free(w);
	good = good && !ws_out_commit(&out, NULL);
	ws_out_abort(&out);
	return good;
}

/* NULL if it cannot be written; its file is removed.  ws_trace_close frees it. */
static inline struct ws_trace *written(const struct written *t, struct ws_rng *rng)
{
	char path[] = "/tmp/ws-written-XXXXXX";
	struct ws_trace *trace = NULL;
	struct ws_err err = { 0 };
	int fd = mkstemp(path);

	if (fd < 0)
		return NULL;
	close(fd);
	if (!written_file(t, path, rng) || ws_trace_open(&trace, path, &err))
		printf("# no trace: %s\n", err.text);
	unlink(path);
	return trace;
}

#endif
