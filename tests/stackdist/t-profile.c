/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/stackdist/t-profile.c -- a trace file to a profile: c[i] = a[i] + b[i],
 * whose every count is known; a second run of it in the same trace; the same
 * bytes for any number of threads; progress; errors that pass through.
 */
#include "tests/test.h"

#include <unistd.h>

#include "tests/stackdist/memory.h"

#define CTAS 12u
#define THREADS 64u
#define LAUNCHES 2u

static struct ws_launch add_launch(void)
{
	static char kernel[] = "add", a[] = "a", b[] = "b", c[] = "c";
	static struct ws_array array[] = {
		{ a, 0x10000, 4096 }, { b, 0x20000, 4096 }, { c, 0x30000, 4096 },
	};
	static struct ws_instruction instruction[] = {
		{ .kind = WS_LOAD, .bytes = 4, .array = 0, .use = 1 },
		{ .kind = WS_LOAD, .bytes = 4, .array = 1, .use = 1 },
		{ .kind = WS_STORE, .bytes = 4, .array = 2 },
	};
	static struct ws_segment segment[] = { { .first = 0, .count = 3 } };

	return (struct ws_launch){
		.kernel = kernel, .grid = { CTAS, 1, 1 }, .block = { THREADS, 1, 1 },
		.array = array, .arrays = WS_COUNT(array), .instruction = instruction,
		.instructions = WS_COUNT(instruction), .segment = segment, .segments = 1,
		.ctas = CTAS,
	};
}

static enum ws_status encode(struct ws_encoder *e, uint64_t cta, struct ws_buf *out,
			     uint64_t accesses[WS_KINDS], struct ws_err *err)
{
	static uint64_t address[3][THREADS];
	const uint64_t *list[] = { address[0], address[1], address[2] };
	const uint64_t mask[] = { UINT64_MAX };

	for (unsigned a = 0; a < 3; a++)
		for (unsigned lane = 0; lane < THREADS; lane++)
			address[a][lane] = 0x10000 * (a + 1) + 4 * (cta * THREADS + lane);
	ws_encoder_begin(e);
	ws_encoder_step(e, 0, mask, list);
	return ws_encoder_end(e, out, accesses, err);
}

static enum ws_status write_launch(struct ws_trace_writer *w, uint64_t number,
				   struct ws_err *err)
{
	struct ws_launch launch = add_launch();
	struct ws_encoder *e = NULL;
	struct ws_buf data = { .data = NULL }, packed = { .data = NULL };
	uint64_t lens[CTAS], accesses[WS_KINDS] = { 0 };
	enum ws_status status = ws_encoder_new(&e, &launch, err);

	if (!status)
		status = ws_trace_writer_launch(w, &launch, err);
	for (uint64_t cta = 0; cta < CTAS && !status; cta++) {
		size_t before = data.len;

		status = encode(e, cta, &data, accesses, err);
		lens[cta] = data.len - before;
	}
	if (!status)
		status = ws_chunk_pack(&packed, number, 0, &data, lens, CTAS, err);
	if (!status)
		status = ws_trace_writer_chunk(w, &packed, 0, CTAS, accesses, err);
	ws_encoder_free(e);
	ws_buf_clear(&data);
	ws_buf_clear(&packed);
	return status;
}

static enum ws_status write_trace(const char *path, struct ws_err *err)
{
	struct ws_trace_writer *w = NULL;
	struct ws_out out;
	enum ws_status status = ws_out_open(&out, path, err);

	if (status)
		return status;
	status = ws_trace_writer_new(&w, &out, err);
	for (unsigned i = 0; i < LAUNCHES && !status; i++)
		status = write_launch(w, i, err);
	if (!status)
		status = ws_trace_writer_end(w, err);
	if (!status)
		status = ws_out_commit(&out, err);
	ws_out_abort(&out);
	ws_trace_writer_free(w);
	return status;
}

/* Each CTA has 2 warps, each 128 bytes of a, b and c: 24 lines of each in all, none
 * used twice.  Under write-evict the stores find nothing. */
static void known(const struct ws_section *s, const struct ws_machine *m)
{
	test_str(s->kernel, "add", "kernel");
	test_u64(s->sites, 3, "sites");
	for (size_t i = 0; i < s->sites; i++)
		test_ok(s->site[i].array[0] == "abc"[i] && s->site[i].line == 0 &&
			s->site[i].kind == (i < 2 ? WS_LOAD : WS_STORE) &&
			s->site[i].count.requests == LAUNCHES * 24 &&
			s->site[i].count.cold == (i < 2 ? LAUNCHES * 24 : 0),
			"site %zu: %s", i, s->site[i].array);
	test_u64(s->launches, LAUNCHES, "launches");
	test_u64(s->ctas, LAUNCHES * CTAS, "CTAs");
	test_u64(s->warp_instructions, LAUNCHES * CTAS * 2 * 3, "warp instructions");
	test_u64(s->geometries, 12, "128 bytes: 1, 8 .. 128 sets; 32 bytes: 1, 32 .. 512");
	test_ok(ws_section_geometry(s, m->l1.line_bytes, m->l1.sets) != NULL, "the machine's");
	for (size_t i = 0; i < s->geometries; i++) {
		const struct ws_histogram *load = s->geometry[i].kind + WS_LOAD;
		const struct ws_histogram *store = s->geometry[i].kind + WS_STORE;

		uint64_t n = LAUNCHES * 24 * 128 / s->geometry[i].line_bytes;

		test_ok(load->requests == 2 * n && load->cold == 2 * n &&
			store->requests == n && store->uncached == n,
			"lines of %" PRIu64 ", %" PRIu64 " sets", s->geometry[i].line_bytes,
			s->geometry[i].sets);
	}
}

static uint64_t reported, reported_total;

static void report(void *context, uint64_t done, uint64_t total)
{
	*(bool *)context = *(bool *)context && done >= reported && done <= total;
	reported = done;
	reported_total = total;
}

static struct ws_profile *profile(const struct ws_trace *t, const struct ws_machine *m,
				  unsigned threads, bool *monotone, struct ws_err *err)
{
	struct ws_profile_options options = { .seed = 3, .threads = threads,
					      .record = WS_RECORD_DEFAULT };
	struct ws_profile *p = NULL;

	if (monotone) {
		options.progress = report;
		options.context = monotone;
	}
	return ws_profile_trace(&p, t, m, &options, err) ? NULL : p;
}

static void same_bytes(const struct ws_profile *a, const struct ws_profile *b)
{
	struct memory x = memory_write(a), y = memory_write(b);

	test_ok(x.data && y.data && x.len == y.len && !memcmp(x.data, y.data, x.len),
		"the same bytes for 1 and 3 threads");
	free(x.data);
	free(y.data);
}

static void run(const struct ws_trace *t, struct ws_machine *m)
{
	bool monotone = true;
	struct ws_err err = { 0 };
	struct ws_profile *one = profile(t, m, 1, &monotone, &err);
	struct ws_profile *three = profile(t, m, 3, NULL, &err);

	if (test_ok(one && three && one->sections == 1, "profiles: %s", err.text)) {
		known(one->section, m);
		test_u64(one->seed, 3, "seed");
		same_bytes(one, three);
	}
	test_ok(monotone && reported == reported_total && reported == LAUNCHES * CTAS,
		"progress up to %" PRIu64, reported);
	ws_profile_free(one);
	ws_profile_free(three);
	m->sm_threads = 32;
	one = profile(t, m, 1, NULL, &err);
	test_ok(!one && err.status == WS_EINVAL, "a CTA too large: %s", err.text);
	ws_profile_free(one);
}

int main(void)
{
	char path[] = "/tmp/ws-t-profile-XXXXXX";
	int fd = mkstemp(path);
	struct ws_err err = { 0 };
	struct ws_trace *t = NULL;
	struct ws_machine m;

	if (fd >= 0)
		close(fd);
	if (test_ok(fd >= 0 && memory_machine(&m, &err) && !write_trace(path, &err) &&
		    !ws_trace_open(&t, path, &err), "a trace: %s", err.text))
		run(t, &m);
	ws_trace_close(t);
	unlink(path);
	return test_done();
}
