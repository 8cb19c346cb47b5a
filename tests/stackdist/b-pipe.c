/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/stackdist/b-pipe.c -- a long stream through a pipe: a child writes a trace of 2^30 lane
 * accesses to a pipe, this process profiles it from there.  The memory that takes is bounded by
 * the distinct lines, not by how long the stream is, so a sixteenth of it goes first.
 *
 * The stream: CTAs of 256 threads, each 32 turns of a row of 1 KiB of its own (of 2^13, so they
 * come again later), one of 2^12 shared rows at random, and a store to its own row every eighth
 * turn.
 */
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "stackdist/stackdist.h"
#include "tests/test.h"

#define THREADS 256u
#define TURNS 32u
#define CHUNK 64u		/* CTAs */

static struct ws_launch stream_launch(uint64_t ctas)
{
	static char kernel[] = "stream", own[] = "own", shared[] = "shared";
	static struct ws_array array[] = {
		{ own, 1ull << 32, 1ull << 32 }, { shared, 1ull << 20, 1ull << 22 },
	};
	static struct ws_instruction instruction[] = {
		{ .kind = WS_LOAD, .bytes = 4, .array = 0, .use = 2 },
		{ .kind = WS_LOAD, .bytes = 4, .array = 1, .use = 1 },
		{ .kind = WS_STORE, .bytes = 4, .array = 0 },
	};
	static struct ws_segment segment[] = {
		{ .first = 0, .count = 2 }, { .first = 2, .count = 1 },
	};

	return (struct ws_launch){
		.kernel = kernel, .grid = { ctas, 1, 1 }, .block = { THREADS, 1, 1 },
		.array = array, .arrays = WS_COUNT(array), .instruction = instruction,
		.instructions = WS_COUNT(instruction), .segment = segment,
		.segments = WS_COUNT(segment), .ctas = ctas,
	};
}

static enum ws_status encode(struct ws_encoder *e, uint64_t cta, struct ws_buf *out,
			     uint64_t accesses[WS_KINDS], struct ws_err *err)
{
	static uint64_t address[2][THREADS];
	const uint64_t *list[] = { address[0], address[1] };
	const uint64_t mask[] = { UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX };
	struct ws_rng rng;

	ws_rng_seed(&rng, cta);
	ws_encoder_begin(e);
	for (uint64_t turn = 0; turn < TURNS; turn++) {
		uint64_t own = (1ull << 32) + (cta * TURNS + turn) % 8192 * 1024;
		uint64_t shared = (1ull << 20) + ws_rng_below(&rng, 4096) * 1024;

		for (unsigned lane = 0; lane < THREADS; lane++) {
			address[0][lane] = own + 4 * lane;
			address[1][lane] = shared + 4 * lane;
		}
		ws_encoder_step(e, 0, mask, list);
		if (turn % 8 == 7)
			ws_encoder_step(e, 1, mask, list);
	}
	return ws_encoder_end(e, out, accesses, err);
}

static enum ws_status write_chunk(struct ws_trace_writer *w, struct ws_encoder *e, uint64_t first,
				  struct ws_err *err)
{
	struct ws_buf data = { .data = NULL }, packed = { .data = NULL };
	uint64_t lens[CHUNK], accesses[WS_KINDS] = { 0 };
	enum ws_status status = WS_OK;

	for (uint64_t i = 0; i < CHUNK && !status; i++) {
		size_t before = data.len;

		status = encode(e, first + i, &data, accesses, err);
		lens[i] = data.len - before;
	}
	if (!status)
		status = ws_chunk_pack(&packed, 0, first, &data, lens, CHUNK, err);
	if (!status)
		status = ws_trace_writer_chunk(w, &packed, first, CHUNK, accesses, err);
	ws_buf_clear(&data);
	ws_buf_clear(&packed);
	return status;
}

static enum ws_status generate(int fd, uint64_t ctas)
{
	struct ws_out out = { .file = fdopen(fd, "wb") };
	struct ws_launch launch = stream_launch(ctas);
	struct ws_trace_writer *w = NULL;
	struct ws_encoder *e = NULL;
	enum ws_status status = out.file ? ws_trace_writer_new(&w, &out, NULL) : WS_EIO;

	if (!status)
		status = ws_encoder_new(&e, &launch, NULL);
	if (!status)
		status = ws_trace_writer_launch(w, &launch, NULL);
	for (uint64_t i = 0; i < ctas && !status; i += CHUNK)
		status = write_chunk(w, e, i, NULL);
	if (!status)
		status = ws_trace_writer_end(w, NULL);
	return status || out.failed || fclose(out.file) ? WS_EIO : WS_OK;
}

static enum ws_status consume(int fd, struct ws_profile **out, struct ws_err *err)
{
	struct ws_profile_options options = { .record = WS_RECORD_DEFAULT, .seed = 1 };
	struct ws_trace *t = NULL;
	struct ws_machine m;
	char path[32];
	enum ws_status status;

	snprintf(path, sizeof(path), "/dev/fd/%d", fd);
	status = ws_machine_load(&m, WS_MACHINE_DEFAULT, err);
	if (!status)
		status = ws_trace_open(&t, path, err);
	if (!status)
		status = ws_profile_trace(out, t, &m, &options, err);
	if (t)
		ws_trace_close(t);
	return status;
}

static bool stream(uint64_t accesses)
{
	uint64_t ctas = accesses / (THREADS * (2 * TURNS + TURNS / 8)) / CHUNK * CHUNK, n = 0;
	struct ws_profile *p = NULL;
	struct ws_err err = { 0 };
	double start = ws_seconds();
	struct rusage usage;
	int ends[2], child = 1;
	pid_t pid;
	bool ok;

	if (pipe(ends))
		return false;
	pid = fork();
	if (pid == 0) {
		close(ends[0]);
		_exit(generate(ends[1], ctas) != WS_OK);
	}
	close(ends[1]);
	ok = pid > 0 && !consume(ends[0], &p, &err);
	close(ends[0]);
	if (pid > 0)
		waitpid(pid, &child, 0);
	if (!ok || child) {
		fprintf(stderr, "b-pipe: %s\n", err.text);
		ws_profile_free(p);
		return false;
	}
	for (unsigned kind = 0; kind < WS_KINDS; kind++)
		n += p->section->geometry->kind[kind].requests;
	getrusage(RUSAGE_SELF, &usage);
	printf("{\"bench\": \"a trace through a pipe\", \"lane_accesses\": \"%" PRIu64 "\", "
	       "\"requests\": %" PRIu64 ", \"seconds\": %.2f, \"peak_mib\": %.1f}\n",
	       ctas * THREADS * (2 * TURNS + TURNS / 8), n, ws_seconds() - start,
	       (double)usage.ru_maxrss / 1024);
	fflush(stdout);
	ws_profile_free(p);
	return true;
}

int main(void)
{
	setenv("WARPSTACK_DATA", "data", 0);
	return !(stream(1u << 26) && stream(1u << 30));
}
