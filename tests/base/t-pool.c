/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/base/t-pool.c -- base/pool.h: every item once, in any number of threads and calls; the
 * first failure by item; items in order; long items and short ones.
 */
#include <stdatomic.h>
#include <time.h>

#include "base/pool.h"
#include "tests/test.h"

enum { ITEMS = 1000, CALLS = 300 };

struct work {
	atomic_uint times[ITEMS];
	size_t fails_from;	/* items from here on fail */
	size_t slow;		/* an item that takes long */
	unsigned threads;
	atomic_bool wrong_thread;
};

static enum ws_status one(void *context, size_t i, unsigned thread, struct ws_err *err)
{
	struct work *w = context;

	if (thread >= w->threads)
		atomic_store(&w->wrong_thread, true);
	if (i == w->slow)
		nanosleep(&(struct timespec){ .tv_nsec = 20000000 }, NULL);
	atomic_fetch_add(&w->times[i], 1);
	return i < w->fails_from ? WS_OK : ws_fail(err, WS_EINVAL, "item %zu", i);
}

static void begin(struct work *w, unsigned threads, size_t fails_from, size_t slow)
{
	memset(w, 0, sizeof *w);
	w->threads = threads;
	w->fails_from = fails_from;
	w->slow = slow;
}

/* All items once. */
static bool complete(const struct work *w, size_t count)
{
	size_t bad = 0;

	for (size_t i = 0; i < ITEMS; i++)
		bad += w->times[i] != (i < count);
	return !bad && !w->wrong_thread;
}

static void test_calls(unsigned threads)
{
	static struct work w;
	struct ws_pool *pool;
	unsigned bad = 0;

	if (ws_pool_new(&pool, threads, NULL))
		exit(1);
	for (unsigned call = 0; call < CALLS; call++) {
		size_t count = call % 5 ? call % 40 : ITEMS;

		begin(&w, threads, SIZE_MAX, call % 100 == 50 ? 3 : SIZE_MAX);
		bad += ws_pool_run(pool, count, one, &w, NULL) != WS_OK || !complete(&w, count);
	}
	test_ok(!bad, "%u threads, %d calls: %u wrong", threads, CALLS, bad);
	ws_pool_free(pool);
}

/* In two steps: what the others do meanwhile is done when the call ends, and with one thread all is
 * done then. */
static void test_meanwhile(unsigned threads)
{
	static struct work w;
	struct ws_pool *pool;
	unsigned bad = 0, early = 0;

	if (ws_pool_new(&pool, threads, NULL))
		exit(1);
	for (unsigned call = 0; call < CALLS; call++) {
		size_t count = call % 7 ? call % 40 : ITEMS;

		begin(&w, threads, SIZE_MAX, SIZE_MAX);
		ws_pool_begin(pool, count, one, &w);
		for (size_t i = 0; threads == 1 && i < count; i++)
			early += w.times[i];
		bad += ws_pool_end(pool, NULL) != WS_OK || !complete(&w, count);
	}
	/* One item: another thread can have it although the caller is busy. */
	begin(&w, threads, SIZE_MAX, SIZE_MAX);
	ws_pool_begin(pool, 1, one, &w);
	for (unsigned looks = 0; threads > 1 && looks < 5000 && !w.times[0]; looks++)
		nanosleep(&(struct timespec){ .tv_nsec = 1000000 }, NULL);
	early += w.times[0] != (threads > 1);
	bad += ws_pool_end(pool, NULL) != WS_OK || !complete(&w, 1);
	test_ok(!bad && !early, "%u threads, calls in two steps: %u wrong, %u at another time",
		threads, bad, early);
	ws_pool_free(pool);
}

/* Those before the first failure are all done, and it is the one that is told. */
static void test_failure(unsigned threads)
{
	static struct work w;
	unsigned bad = 0, all = 0;

	for (unsigned call = 0; call < CALLS; call++) {
		size_t first = call * 3;
		struct ws_err err = { 0 };
		char want[32];

		begin(&w, threads, first, call % 100 == 50 ? first : SIZE_MAX);
		snprintf(want, sizeof want, "item %zu", first);
		bad += ws_parallel(threads, ITEMS, one, &w, &err) != WS_EINVAL ||
		       strcmp(err.text, want) != 0;
		for (size_t i = 0; i < ITEMS; i++)
			bad += i <= first ? w.times[i] != 1 : w.times[i] > 1;
		all += w.times[ITEMS - 1];
	}
	test_ok(!bad && all < CALLS / 2,
		"%u threads: the first failure ends it: %u wrong, %u went on", threads, bad, all);
}

int main(void)
{
	static struct work w;

	for (unsigned threads = 1; threads <= 9; threads += 4) {
		test_calls(threads);
		test_failure(threads);
		test_meanwhile(threads);
	}
	begin(&w, ws_threads(0), SIZE_MAX, SIZE_MAX);
	test_ok(ws_parallel(0, ITEMS, one, &w, NULL) == WS_OK && complete(&w, ITEMS),
		"as many threads as cores");
	test_ok(ws_parallel(4, 0, one, NULL, NULL) == WS_OK, "nothing to do");
	ws_pool_free(NULL);
	return test_done();
}
