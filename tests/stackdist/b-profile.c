/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/stackdist/b-profile.c -- what a whole profile costs: 10M requests of one SM through the
 * profiler, five set counts (a machine's of 64 sets: 16 ... 256), everything that is recorded by
 * default, on 1 and 2 threads; the same with distances only; the file's size; peak memory.  Each
 * line is the median of RUNS.
 */
#include "tests/stackdist/bench.h"
#include "tests/stackdist/memory.h"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define ACCESSES 10000000u
#define BATCH 1024u
#define RUNS 3

struct result {
	double seconds;
	uint64_t file_bytes, peak_kib;
};

static struct ws_machine machine(void)
{
	struct ws_machine m = { .sm_count = 1, .l1_parts = 1, .coalesce_line = 128,
				.warp_width = 32 };

	m.l1 = (struct ws_cache){ .sets = 64, .ways = 4, .line_bytes = 128, .sector_bytes = 128,
				  .size_bytes = 64 * 4 * 128, .hash = ws_hash_find("modulo"),
				  .write = WS_WRITE_BACK };
	return m;
}

static bool feed(struct ws_profiler *p, const struct ws_request *r)
{
	struct ws_launch launch = { .kernel = (char[]){ "bench" }, .ctas = 1,
				    .grid = { 1, 1, 1 }, .block = { 1, 1, 1 } };
	struct ws_order_stats stats = { .cycles = ACCESSES };
	bool ok = !ws_profiler_launch(p, &launch, NULL);

	for (size_t i = 0; ok && i < ACCESSES; i += BATCH)
		ok = !ws_profiler_push(p, 0, r + i, ACCESSES - i < BATCH ? ACCESSES - i : BATCH,
				       NULL);
	return ok && !ws_profiler_end(p, &stats, NULL);
}

static bool run(const struct ws_request *r, unsigned record, unsigned threads, struct result *to)
{
	static const struct ws_shape shape[] = {
		{ 128, 16 }, { 128, 32 }, { 128, 64 }, { 128, 128 }, { 128, 256 },
	};
	struct ws_profile_options options = { .shape = shape, .shapes = WS_COUNT(shape),
					      .record = record, .threads = threads };
	struct ws_machine m = machine();
	struct ws_profiler *p = NULL;
	struct ws_profile *profile = NULL;
	struct memory file = { NULL, 0 };
	double start = ws_seconds();
	bool ok = !ws_profiler_new(&p, &m, &options, NULL) && feed(p, r) &&
		  !ws_profiler_finish(p, &profile, NULL);

	to->seconds = ws_seconds() - start;
	ws_profiler_free(p);
	if (ok)
		file = memory_write(profile);
	to->file_bytes = file.len;
	free(file.data);
	ws_profile_free(profile);
	return ok;
}

/* In a process of its own, so that its peak is its own; what the stream takes is taken off. */
static bool apart(const struct ws_request *r, unsigned record, unsigned threads,
		  struct result *to)
{
	struct rusage before, usage;
	int pipes[2], status = 0;
	pid_t pid;

	if (pipe(pipes))
		return false;
	pid = fork();
	if (pid == 0) {
		getrusage(RUSAGE_SELF, &before);
		if (!run(r, record, threads, to))
			_exit(1);
		getrusage(RUSAGE_SELF, &usage);
		to->peak_kib = (uint64_t)(usage.ru_maxrss - before.ru_maxrss);
		_exit(write(pipes[1], to, sizeof *to) != sizeof *to);
	}
	close(pipes[1]);
	if (pid < 0 || read(pipes[0], to, sizeof *to) != sizeof *to)
		status = 1;
	close(pipes[0]);
	if (pid > 0)
		waitpid(pid, &status, 0);
	return status == 0;
}

static int by_seconds(const void *a, const void *b)
{
	const struct result *x = a, *y = b;

	return (x->seconds > y->seconds) - (x->seconds < y->seconds);
}

static bool line(const char *stream, const char *what, const struct ws_request *r,
		 unsigned record, unsigned threads)
{
	struct result result[RUNS] = { { 0 } };

	for (unsigned i = 0; i < RUNS; i++)
		if (!apart(r, record, threads, result + i))
			return false;
	qsort(result, RUNS, sizeof *result, by_seconds);
	printf("{\"bench\": \"profile\", \"stream\": \"%s\", \"records\": \"%s\", "
	       "\"threads\": \"%u\", \"seconds\": %.3f, \"ns_per_access_and_set_count\": %.1f, "
	       "\"file_bytes\": %" PRIu64 ", \"peak_mib\": %.1f}\n", stream, what, threads,
	       result[RUNS / 2].seconds, result[RUNS / 2].seconds * 1e9 / ACCESSES / 5,
	       result[RUNS / 2].file_bytes, (double)result[RUNS / 2].peak_kib / 1024);
	fflush(stdout);
	return true;
}

int main(void)
{
	struct ws_request *r = ws_alloc(ACCESSES, sizeof *r);
	bool ok = r != NULL;

	for (unsigned i = 0; ok && i < BENCH_STREAMS; i++) {
		const char *name = bench_names[i];

		bench_fill((enum bench_stream)i, r, ACCESSES);
		ok = line(name, "default", r, WS_RECORD_DEFAULT, 1) &&
		     line(name, "default", r, WS_RECORD_DEFAULT, 2) &&
		     line(name, "distances", r, 0, 1) && line(name, "distances", r, 0, 2);
	}
	free(r);
	return !ok;
}
