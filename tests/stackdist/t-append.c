/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/stackdist/t-append.c -- ranges of a trace's launches, profiled apart and appended, are byte
 * by byte what one profiler makes of all: samples of lines, whose errors are not zero, and of sets,
 * which lose sets as launches come.  Samples without their times are those that never had any.
 */
#include "tests/test.h"

#include "tests/stackdist/made.h"

#define REQUESTS 560000u	/* more than the two bursts that are exact */
#define LAUNCHES 4u

static const char *const kernels[LAUNCHES] = { "mm", "spmv", "mm", "mm" };
static const struct ws_shape shapes[] = { { 128, 32 }, { 128, 1 } };

static bool same_bytes(const struct ws_profile *a, const struct ws_profile *b)
{
	struct memory x = memory_write(a), y = memory_write(b);
	bool same = x.data && y.data && x.len == y.len && !memcmp(x.data, y.data, x.len);

	free(x.data);
	free(y.data);
	return same;
}

/* ---- samples of lines ------------------------------------------------------------------ */

static bool push_launch(struct ws_profiler *p, const struct ws_machine *m,
			const struct ws_launch *l, uint64_t number)
{
	static struct ws_request r[REQUESTS];
	const struct ws_order_stats stats = { .cycles = 10, .warp_instructions = 20 };
	struct ws_rng rng;

	ws_rng_seed(&rng, 100 + number);
	stream_fill(&rng, &m->l1, 30000, 4, 1, r, REQUESTS);
	return !ws_profiler_launch(p, l, NULL) && !ws_profiler_push(p, 1, r, REQUESTS, NULL) &&
	       !ws_profiler_end(p, &stats, NULL);
}

/* Launches begin .. end - 1; told: of those before, too. */
static struct ws_profile *sampled(const struct ws_machine *m, size_t begin, size_t end, bool told)
{
	const struct ws_profile_options o = { .shape = shapes, .shapes = WS_COUNT(shapes),
					      .seed = 5, .threads = 1, .sample_rate = 0.02 };
	struct ws_launch launch[LAUNCHES];
	struct ws_profiler *p = NULL;
	struct ws_profile *out = NULL;
	bool ok = !ws_profiler_new(&p, m, &o, NULL);

	for (size_t i = 0; i < end && ok; i++) {
		launch[i] = (struct ws_launch){ .kernel = (char *)(uintptr_t)kernels[i],
						.grid = { 4, 1, 1 }, .block = { 32, 1, 1 },
						.ctas = 4 };
		if (i < begin)
			ok = !told || !ws_profiler_skip(p, launch + i, NULL);
		else
			ok = push_launch(p, m, launch + i, i);
	}
	ok = ok && !ws_profiler_finish(p, &out, NULL);
	ws_profiler_free(p);
	return ok ? out : NULL;
}

static bool has_variance(const struct ws_profile *p)
{
	const uint64_t *v = p->section->geometry->kind[WS_LOAD].variance;
	bool any = false;

	for (unsigned i = 0; i < WS_BINS && v; i++)
		any = any || v[i];
	return any;
}

static void samples_of_lines(const struct ws_machine *m)
{
	struct ws_profile *all = sampled(m, 0, LAUNCHES, true), *sum = sampled(m, 0, 1, true);
	struct ws_profile *merged = sampled(m, 0, 1, true), *next = sampled(m, 1, 3, true);
	struct ws_profile *last = sampled(m, 3, 4, true), *untold = sampled(m, 3, 4, false);
	struct ws_err err = { 0 };
	bool made = all && sum && merged && next && last && untold;

	if (test_ok(made && has_variance(all), "samples with variances")) {
		test_ok(!ws_profile_append(sum, next, &err) &&
			!ws_profile_append(sum, last, &err) && same_bytes(sum, all),
			"samples of lines: three ranges of launches%s%s",
			err.text[0] ? ": " : "", err.text);
		test_ok(!same_bytes(last, untold), "which lines depends on launches before");
		test_ok(!ws_profile_merge(merged, next, &err) &&
			!ws_profile_merge(merged, last, &err) && !same_bytes(merged, all),
			"of what may be one sample deviations add");
	}
	ws_profile_free(all);
	ws_profile_free(sum);
	ws_profile_free(merged);
	ws_profile_free(next);
	ws_profile_free(last);
	ws_profile_free(untold);
}

/* ---- samples of sets ------------------------------------------------------------------- */

static const struct memory_launch some[] = {
	{ "mm", 11 }, { "spmv", 13 }, { "mm", 12 }, { "mm", 14 }, { "spmv", 15 },
};

static struct ws_profile *of_sets(const struct ws_machine *m, size_t begin, size_t end,
				  unsigned record, uint64_t most, uint64_t sm)
{
	const struct ws_profile_options o = { .shape = shapes, .shapes = WS_COUNT(shapes),
					      .seed = 5, .threads = 1, .set_sample = most,
					      .record = record, .order = WS_ORDER_CYCLES,
					      .sm[0] = sm };
	struct ws_err err = { 0 };
	struct ws_profile *p = memory_profile(m, &o, some + begin, end - begin, &err);

	if (!p)
		test_ok(false, "a profile: %s", err.text);
	return p;
}

/* What one launch keeps is fewer halvings than what all do. */
static void samples_of_sets(const struct ws_machine *m, uint64_t most)
{
	const unsigned record = WS_RECORD_DEFAULT;
	struct ws_profile *all = of_sets(m, 0, 5, record, most, 0);
	struct ws_profile *sum = of_sets(m, 0, 2, record, most, 0);
	struct ws_profile *next = of_sets(m, 2, 5, record, most, 0);
	struct ws_err err = { 0 };

	if (all && sum && next)
		test_ok(!ws_profile_append(sum, next, &err) && same_bytes(sum, all),
			"samples of sets of %" PRIu64 " requests%s%s", most,
			err.text[0] ? ": " : "", err.text);
	ws_profile_free(all);
	ws_profile_free(sum);
	ws_profile_free(next);
}

static void times(const struct ws_machine *m)
{
	const unsigned record = WS_RECORD_DEFAULT;
	struct ws_profile *timed = of_sets(m, 0, 5, record | WS_RECORD_TIMES, 3000, 0);
	struct ws_profile *without = of_sets(m, 0, 5, record, 3000, 0);

	if (timed && without) {
		test_ok(!same_bytes(timed, without), "times of requests");
		test_ok(!ws_profile_forget_times(timed, NULL) && same_bytes(timed, without),
			"times that are forgotten");
	}
	ws_profile_free(timed);
	ws_profile_free(without);
}

static void other_sms(const struct ws_machine *m)
{
	struct ws_profile *a = of_sets(m, 0, 2, 0, 0, 3), *b = of_sets(m, 2, 5, 0, 0, 28);
	struct ws_err err = { 0 };

	if (a && b)
		test_ok(ws_profile_append(a, b, &err) == WS_EINVAL && strstr(err.text, "SMs"),
			"launches on other SMs: %s", err.text);
	ws_profile_free(a);
	ws_profile_free(b);
}

int main(void)
{
	struct ws_err err = { 0 };
	struct ws_machine m;

	if (!test_ok(memory_machine(&m, &err), "machine: %s", err.text))
		return test_done();
	samples_of_lines(&m);
	for (uint64_t most = 100; most <= 30000; most = most * 7 / 2)
		samples_of_sets(&m, most);
	times(&m);
	other_sms(&m);
	return test_done();
}
