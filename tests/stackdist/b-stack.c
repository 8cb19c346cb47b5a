/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/stackdist/b-stack.c -- what a stack distance costs: 10M requests each of three
 * streams, by each structure of the library and by two simple ones of tests/ref/: the textbook
 * Fenwick tree and bits with a Fenwick tree over their words.  Those two treat every request
 * as a load and know one set.
 *
 * Each line is the median of RUNS runs, structures in turn, so that a busy machine slows all
 * of them.  bytes is what the structure holds at the end.
 */
#include "tests/ref/bitmap.h"
#include "tests/ref/fenwick.h"
#include "tests/stackdist/bench.h"

#include <malloc.h>
#include <time.h>

#include "stackdist/stack/bounded.h"

#define ACCESSES 10000000u
#define BATCH 4096u	/* what is pushed at once by one thread; by two: all of it */
#define RUNS 3u

/* ---- structures ------------------------------------------------------------------- */

enum what { FENWICK, BITMAP, STACK, BOUNDED };

static const struct structure {
	const char *name;
	enum what what;
	uint64_t sets, sector;
	enum ws_write write;
	unsigned threads;
	enum ws_simd simd;	/* BOUNDED */
} structure[] = {
	{ "fenwick", FENWICK, 1, 128, WS_WRITE_BACK, 1, 0 },
	{ "bitmap", BITMAP, 1, 128, WS_WRITE_BACK, 1, 0 },
	{ "1-set", STACK, 1, 128, WS_WRITE_BACK, 1, 0 },
	{ "64-sets", STACK, 64, 128, WS_WRITE_BACK, 1, 0 },
	{ "64-sets-2-threads", STACK, 64, 128, WS_WRITE_BACK, 2, 0 },
	{ "64-sets-sectored", STACK, 64, 32, WS_WRITE_BACK, 1, 0 },
	{ "64-sets-write-evict", STACK, 64, 128, WS_WRITE_EVICT, 1, 0 },
	{ "64-sets-write-through", STACK, 64, 128, WS_WRITE_THROUGH, 1, 0 },
	{ "bounded-portable", BOUNDED, 64, 128, WS_WRITE_BACK, 1, WS_SIMD_NONE },
	{ "bounded-avx2", BOUNDED, 64, 128, WS_WRITE_BACK, 1, WS_SIMD_AVX2 },
	{ "bounded-avx512", BOUNDED, 64, 128, WS_WRITE_BACK, 1, WS_SIMD_AVX512 },
};

#define STRUCTURES WS_COUNT(structure)

struct cost {
	double wall, cpu;	/* seconds */
	size_t bytes;
};

static size_t held(void)
{
#if defined(__GLIBC__) && (__GLIBC__ > 2 || __GLIBC_MINOR__ >= 33)
	struct mallinfo2 m = mallinfo2();

	return m.uordblks + m.hblkhd;
#else
	return 0;
#endif
}

static double cpu_seconds(void)
{
	struct timespec t = { 0 };

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* What a structure is made of: one of them is not NULL. */
struct made {
	struct ref_fenwick *fenwick;
	struct ref_bitmap *bitmap;
	struct ws_stack *stack;
	struct ws_bounded *bounded;
};

static bool make(const struct structure *s, struct made *m)
{
	struct ws_cache c = { .sets = s->sets, .line_bytes = 128, .sector_bytes = s->sector,
			      .write = s->write, .hash = ws_hash_find("modulo") };

	*m = (struct made){ 0 };
	if (s->what == FENWICK)
		m->fenwick = ref_fenwick_new();
	else if (s->what == BITMAP)
		m->bitmap = ref_bitmap_new();
	else if (s->what == STACK)
		return !ws_stack_new(&m->stack, &c, s->threads, NULL);
	else
		return !ws_bounded_new(&m->bounded, &c, NULL);
	return true;
}

static bool push(const struct structure *s, const struct made *m, const struct ws_request *r,
		 size_t n, uint32_t *d)
{
	if (s->what == FENWICK)
		ref_fenwick_push(m->fenwick, r, n, d);
	else if (s->what == BITMAP)
		ref_bitmap_push(m->bitmap, r, n, d);
	else if (s->what == STACK)
		return !ws_stack_push(m->stack, r, n, d, NULL);
	else
		return ws_bounded_push_by(m->bounded, s->simd, r, n, d);
	return true;
}

static void unmake(struct made *m)
{
	ref_fenwick_free(m->fenwick);
	ref_bitmap_free(m->bitmap);
	ws_stack_free(m->stack);
	ws_bounded_free(m->bounded);
}

/* Making and pushing; false: there is no such structure here. */
static bool measure(const struct structure *s, const struct ws_request *r, uint32_t *d,
		    struct cost *cost)
{
	size_t step = s->threads > 1 ? ACCESSES : BATCH, before = held();
	double wall = ws_seconds(), cpu = cpu_seconds();
	struct made m;
	bool ok = make(s, &m);

	for (size_t i = 0; ok && i < ACCESSES; i += step)
		ok = push(s, &m, r + i, ACCESSES - i < step ? ACCESSES - i : step, d + i);
	cost->wall = ws_seconds() - wall;
	cost->cpu = cpu_seconds() - cpu;
	cost->bytes = held() - before;
	unmake(&m);
	return ok;
}

/* ---- medians -------------------------------------------------------------------------- */

static int by_cpu(const void *a, const void *b)
{
	double x = ((const struct cost *)a)->cpu, y = ((const struct cost *)b)->cpu;

	return (x > y) - (x < y);
}

static int by_wall(const void *a, const void *b)
{
	double x = ((const struct cost *)a)->wall, y = ((const struct cost *)b)->wall;

	return (x > y) - (x < y);
}

static struct cost median(struct cost *run)
{
	struct cost middle;

	qsort(run, RUNS, sizeof *run, by_cpu);
	middle = run[RUNS / 2];
	qsort(run, RUNS, sizeof *run, by_wall);
	middle.wall = run[RUNS / 2].wall;
	return middle;
}

static void print(const char *stream, const struct structure *s, const struct cost *c,
		  const struct cost *fenwick, const struct cost *bitmap)
{
	printf("{\"name\": \"stack/%s/%s\", \"ns_per_access\": %.2f, \"cpu_ns_per_access\": %.2f, "
	       "\"accesses\": %u, \"bytes\": %zu, \"ratio_to_fenwick\": %.3f, "
	       "\"ratio_to_bitmap\": %.3f}\n", stream, s->name, c->wall * 1e9 / ACCESSES,
	       c->cpu * 1e9 / ACCESSES, ACCESSES, c->bytes, c->wall / fenwick->wall,
	       c->wall / bitmap->wall);
}

static void all(const char *name, const struct ws_request *r, uint32_t *d)
{
	struct cost cost[STRUCTURES][RUNS], middle[STRUCTURES];
	bool here[STRUCTURES];

	for (size_t run = 0; run < RUNS; run++)
		for (size_t i = 0; i < STRUCTURES; i++)
			here[i] = measure(structure + i, r, d, &cost[i][run]);
	for (size_t i = 0; i < STRUCTURES; i++)
		middle[i] = median(cost[i]);
	for (size_t i = 0; i < STRUCTURES; i++)
		if (here[i])
			print(name, structure + i, middle + i, middle + FENWICK, middle + BITMAP);
	fflush(stdout);
}

static bool stream(enum bench_stream which)
{
	struct ws_request *r = ws_alloc(ACCESSES, sizeof *r);
	uint32_t *d = ws_alloc_zero(ACCESSES, sizeof *d);

	if (r && d) {
		bench_fill(which, r, ACCESSES);
		for (size_t i = 0; i < ACCESSES; i++)
			d[i] = 1; /* so that the pages are there */
		all(bench_names[which], r, d);
	}
	free(r);
	free(d);
	return r && d;
}

int main(void)
{
	return !(stream(BENCH_ZIPF) && stream(BENCH_CYCLIC) && stream(BENCH_MATMUL));
}
