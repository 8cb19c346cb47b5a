/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * validate/pchase/cpu.c -- the processor that this runs on as a target of pointer chasing.
 *
 * Nothing but the loads may touch the cache that is asked.  So each line holds the offset of the
 * next one, latencies go past the caches to memory (movnti), and what else is wanted is in
 * registers.  A walk that repeats is settled by passes that are not timed; then more passes are
 * timed than are wanted, and the quietest are the answer: interrupts and neighbours take lines
 * away, they never bring any.  A program that is no such walk is read from a list, which lies at
 * other offsets in a page than the lines do, so in other sets.
 *
 * Level 2: after each load the L1 is asked for WASH lines of the same set, so that it forgets the
 * line.  Assumed of the L1: its set index is within a page, and it has at most 16 ways.  Where a
 * page lies in an L2 is not known, not even of a huge one, which a virtual machine may lack
 * underneath.  So each program has other pages for the washing: in one of several none of them is
 * of the sets that are asked.
 *
 * Some clocks move in steps of more ticks than there are between two levels: 26 on an EPYC.  There
 * each program is run many times, each time begun at another part of a step, and the mean of a
 * load's latencies is its answer; the loudest quarter of the runs is left out.  The mean is as good
 * for any step: the number of runs grows with its square.
 *
 * Not modelled: prefetchers, which cannot be turned off, and see a pattern in some random orders.
 * Intel's have been seen to throw a line out in one of ten walks over 48 lines that fill four sets.
 */
#include "validate/pchase.h"

#if defined(__x86_64__)
#include <cpuid.h>
#include <inttypes.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <x86intrin.h>

#define HUGE_BYTES (2ull << 20)
#define PAGE_BYTES 4096u
#define LINE_BYTES 64u
#define LIST_EACH (LINE_BYTES / sizeof(uint32_t))
#define L1_HUGE HUGE_BYTES
#define L1_SMALL (128u << 10)	/* 32 pages: a level-1 TLB holds them */
#define L2_BYTES (16ull << 20)
#define SETTLE 6u		/* passes that are not timed */
#define SAMPLE 255u		/* timings of which the median is taken */
#define REPEATS 12u
#define DRIFT 1u		/* ticks */
/* Added to all latencies: the quickest would lie too far apart on the scale of logarithms. */
#define OFFSET 12.0
#define FAR 2.2			/* no level 3 is as near to a level 2 */
#define GRAIN 2.0		/* the clock counts in steps of so many cycles */
#define COARSE 4u		/* ticks: a step above it is more than GRAIN blurs */
#define STEP 26u		/* ticks: to such a step belong the next three */
#define RUNS_L1 96u		/* of a program, where the clock is coarse */
#define RUNS_L2 12u
#define BATCHES 64u
#define RUNS_LEAST 8u
#define STEPS_MOST 2u		/* a step above so many STEPs has no more runs */
#define BATCH 64u		/* timings between two pauses, where the clock is coarse */
/* Of a load that hits, at the most. */
#define TIMINGS (BATCH * BATCHES * STEPS_MOST * STEPS_MOST)
#define LOUD 1000u		/* a latency above it counts as this when passes are compared */
#define WASH 20u		/* lines */
#define WASH_PAGES 256u		/* to choose from; a power of two */
#define WASH_BYTES (PAGE_BYTES * WASH_PAGES)
#define WASH_LEAST 128u		/* lines that share a set of the L1 wash each other out */
#define ORDERS_L1 6u
#define ORDERS_L2 8u

struct chase_cpu {
	unsigned char *map, *base, *wash;
	size_t map_bytes, mapped, bytes;
	bool huge;		/* pages are asked for */
	uint32_t *result, *list;
	size_t result_cap, list_bytes;
	unsigned level;
	unsigned char *self;	/* holds the offset of itself, at the begin of a page */
	uint32_t step;		/* ticks: the clock counts in steps of so many */
	uint32_t round;		/* as step, for a clock that is made as coarse; 1: it is not */
	double hit;		/* ticks of a load that hits at the level */
	double latency;		/* of it, without the clock's own ticks */
	struct ws_rng rng;
	cpu_set_t before;
	bool pinned;
};

/* What the timed loops keep in registers.  wash NULL: the L1 is not washed. */
struct chase_run {
	const unsigned char *base, *wash;
	uint32_t first, step;	/* pages of the washing */
	uint32_t round;		/* ticks that the clock is rounded down to */
	uint32_t *result;	/* NULL: not timed */
};

/* ---- the loops that are timed ------------------------------------------------------------ */

static inline uint64_t clock_begin(void)
{
	uint64_t t;

	_mm_lfence();
	t = __rdtsc();
	_mm_lfence();
	return t;
}

/* The intrinsic would store what rdtscp says of the processor. */
static inline uint64_t clock_end(void)
{
	uint32_t low, high;

	__asm__ volatile("rdtscp" : "=a"(low), "=d"(high) : : "rcx", "memory");
	_mm_lfence();
	return (uint64_t)high << 32 | low;
}

static inline int ticks_between(uint64_t begin, uint64_t end, uint32_t round)
{
	if (__builtin_expect(round > 1, 0))
		return (int)(end - end % round - (begin - begin % round));
	return (int)(end - begin);
}

static inline uint32_t load(const unsigned char *at)
{
	uint32_t value;

	__asm__ volatile("movl (%1), %0" : "=r"(value) : "r"(at) : "memory");
	return value;
}

static inline uint32_t load_timed(const struct chase_run *r, uint32_t at, size_t i)
{
	uint64_t begin = clock_begin();
	uint32_t value = load(r->base + at);

	_mm_stream_si32((int *)(void *)(r->result + i),
			ticks_between(begin, clock_end(), r->round));
	return value;
}

static inline void wash_set(const struct chase_run *r, uint32_t at)
{
	const unsigned char *line = r->wash + at % PAGE_BYTES / LINE_BYTES * LINE_BYTES;
	uint32_t page = r->first;

	for (uint32_t k = 0; k < WASH; k++, page += r->step)
		load(line + page % WASH_PAGES * PAGE_BYTES);
	_mm_lfence();
}

static uint32_t chase_timed(const struct chase_run *run, uint32_t at, size_t count)
{
	struct chase_run r = *run;

	for (size_t i = 0; i < count; i++) {
		uint32_t next = load_timed(&r, at, i);

		if (r.wash)
			wash_set(&r, at);
		at = next;
	}
	return at;
}

static uint32_t chase(const struct chase_run *run, uint32_t at, size_t count)
{
	struct chase_run r = *run;

	for (size_t i = 0; i < count; i++) {
		uint32_t next = load(r.base + at);

		if (r.wash)
			wash_set(&r, at);
		at = next;
	}
	return at;
}

static size_t next_line(size_t line, uint64_t used)
{
	do
		line++;
	while (used >> line % 64 & 1);
	return line;
}

/* used: lines of a page, a bit each, that the list leaves out. */
static void list_timed(const struct chase_run *run, const uint32_t *list, uint64_t used,
		       size_t count)
{
	struct chase_run r = *run;
	size_t line = next_line(63, used);

	for (size_t i = 0; i < count; i++) {
		uint32_t at = list[line * LIST_EACH + i % LIST_EACH];

		load_timed(&r, at, i);
		if (r.wash)
			wash_set(&r, at);
		if (i % LIST_EACH == LIST_EACH - 1)
			line = next_line(line, used);
	}
}

static void empty_timed(uint32_t *result, size_t count, uint32_t round)
{
	for (size_t i = 0; i < count; i++) {
		uint64_t begin = clock_begin();

		_mm_stream_si32((int *)(void *)(result + i),
				ticks_between(begin, clock_end(), round));
	}
}

/* The greatest number that divides all differences of readings. */
static uint32_t step_of_clock(uint32_t round)
{
	uint64_t last = clock_begin(), step = 0;

	for (unsigned i = 0; i < SAMPLE; i++) {
		uint64_t now = clock_begin();
		uint64_t a = (uint64_t)ticks_between(last, now, round);

		while (a) {
			uint64_t rest = step % a;

			step = a;
			a = rest;
		}
		last = now;
	}
	return step && step < LOUD ? (uint32_t)step : 1;
}

static bool is_coarse(const struct chase_cpu *c)
{
	return c->step > COARSE;
}

/* So many for a clock of this step: the variance of a latency grows with its square. */
static size_t for_step(const struct chase_cpu *c, size_t of_usual)
{
	size_t step = c->step < STEPS_MOST * STEP ? c->step : STEPS_MOST * STEP;
	size_t count = of_usual * step * step / (STEP * STEP);

	return count < RUNS_LEAST ? RUNS_LEAST : count;
}

static size_t runs_of(const struct chase_cpu *c)
{
	return for_step(c, c->level > 1 ? RUNS_L2 : RUNS_L1);
}

/* So that what follows begins anywhere in a step of the clock. */
static void pause_anyhow(struct chase_cpu *c)
{
	for (uint64_t n = ws_rng_below(&c->rng, BATCH); n > 0; n--)
		_mm_lfence();
}

static int by_ticks(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

/* The median of timings, or the mean of all but the longest where the clock is coarse. */
static double typical_ticks(uint32_t *ticks, size_t count, bool coarse)
{
	size_t most = count - count / 64;
	double sum = 0;

	_mm_mfence();
	qsort(ticks, count, sizeof *ticks, by_ticks);
	if (!coarse)
		return ticks[count / 2];
	for (size_t i = 0; i < most; i++)
		sum += ticks[i];
	return sum / (double)most;
}

/* Ticks of a load that hits, or of reading the clock alone.  The processor's frequency changes, the
 * clock's does not: so between any two programs. */
static double time_often(struct chase_cpu *c, bool load)
{
	struct chase_run r = { .base = c->self, .result = c->result, .round = c->round,
			       .wash = c->level > 1 ? c->wash : NULL, .step = 1 };
	size_t batches = is_coarse(c) ? for_step(c, BATCHES) : 1;
	size_t each = is_coarse(c) ? BATCH : SAMPLE;

	for (size_t b = 0; b < batches; b++, r.result += each) {
		if (is_coarse(c))
			pause_anyhow(c);
		if (load)
			chase_timed(&r, 0, each);
		else
			empty_timed(r.result, each, c->round);
	}
	return typical_ticks(c->result, batches * each, is_coarse(c));
}

static enum ws_status time_latency(struct chase_cpu *c, struct ws_err *err)
{
	if (!WS_ROOM(c->result, c->result_cap, TIMINGS))
		return ws_fail_memory(err, "the latencies");
	memset(c->result, 0, c->result_cap * sizeof *c->result);
	c->step = step_of_clock(c->round);
	c->hit = time_often(c, true);
	c->latency = c->hit - time_often(c, false);
	return WS_OK;
}

static size_t period_of(const uint64_t *offset, size_t count)
{
	size_t d = 1;

	while (d < count && offset[d] != offset[0])
		d++;
	for (size_t i = d; i < count; i++)
		if (offset[i] != offset[i - d])
			return count;
	return d;
}

/* Writes the walk into its lines; false: it is none, as words are used twice or overlap. */
static bool link_walk(const struct chase_cpu *c, const uint64_t *offset, size_t period)
{
	for (size_t i = 0; i < period; i++) {
		uint32_t next = (uint32_t)offset[(i + 1) % period];

		memcpy(c->base + offset[i], &next, sizeof next);
	}
	for (size_t i = 0; i < period; i++)
		if (load(c->base + offset[i]) != offset[(i + 1) % period])
			return false;
	return true;
}

static void forget(const struct chase_cpu *c, const uint64_t *offset, size_t count)
{
	_mm_mfence();
	for (size_t i = 0; i < count; i++)
		_mm_clflush(c->base + offset[i]);
	_mm_mfence();
}

/* Whether the walk's lines are too few to wash each other out of the L1. */
static bool wants_wash(const uint64_t *offset, size_t count)
{
	uint64_t used = 0;

	for (size_t i = 0; i < count; i++)
		used |= 1ull << offset[i] % PAGE_BYTES / LINE_BYTES;
	return count < WASH_LEAST * (unsigned)__builtin_popcountll(used);
}

static uint64_t loudness(const uint32_t *ticks, size_t count)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < count; i++)
		sum += ticks[i] < LOUD ? ticks[i] : LOUD;
	return sum;
}

static double cycles_of(struct chase_cpu *c, double ticks)
{
	double t = ticks - c->hit + c->latency;

	if (c->level > 1 && t < FAR * c->latency) /* in the L1, or a far part of the L2 */
		t = c->latency;
	t += OFFSET + GRAIN / 2 - GRAIN * ws_rng_double(&c->rng);
	return t < 1 ? 1 : t;
}

static void answer(struct chase_cpu *c, double *cycles, const uint32_t *ticks, size_t count)
{
	for (size_t i = 0; i < count; i++)
		cycles[i] = cycles_of(c, ticks[i]);
}

static int by_loudness(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* Answers `count` loads by the quietest passes, in their order. */
static enum ws_status answer_quiet(struct chase_cpu *c, double *cycles, size_t count,
				   const uint32_t *ticks, size_t period, size_t passes,
				   struct ws_err *err)
{
	uint64_t *loud = ws_alloc(2 * passes, sizeof *loud), *sorted, most;
	size_t want = (count - 1) / period + 1, left = want;

	if (!loud)
		return ws_fail_memory(err, "the passes");
	sorted = loud + passes;
	for (size_t k = 0; k < passes; k++)
		loud[k] = sorted[k] = loudness(ticks + k * period, period);
	qsort(sorted, passes, sizeof *sorted, by_loudness);
	most = sorted[want - 1];
	for (size_t k = 0; k < want && sorted[k] < most; k++)
		left--;		/* so many of the loudest that are wanted */
	for (size_t k = 0, to = 0; k < passes && to < count; k++) {
		size_t each = count - to < period ? count - to : period;

		if (loud[k] > most || (loud[k] == most && !left))
			continue;
		left -= loud[k] == most;
		answer(c, cycles + to, ticks + k * period, each);
		to += each;
	}
	free(loud);
	return WS_OK;
}

static enum ws_status run_walk(struct chase_cpu *c, struct chase_run *r, const uint64_t *offset,
			       size_t period, size_t count, double *cycles, struct ws_err *err)
{
	size_t want = (count - 1) / period, passes = 2 * want + 2;
	uint32_t at = chase_timed(r, (uint32_t)offset[0], period);

	_mm_mfence();
	answer(c, cycles, r->result, period);
	if (!want)
		return WS_OK;
	at = chase(r, at, SETTLE * period);
	chase_timed(r, at, passes * period);
	_mm_mfence();
	return answer_quiet(c, cycles + period, count - period, r->result, period, passes, err);
}

/* Lines of a page that the loads use, a bit each; 0: all of them. */
static uint64_t lines_used(const uint64_t *offset, size_t count)
{
	uint64_t used = 0;

	for (size_t i = 0; i < count; i++)
		used |= 1ull << offset[i] % PAGE_BYTES / LINE_BYTES;
	return used == UINT64_MAX ? 0 : used;
}

static enum ws_status write_list(struct chase_cpu *c, const uint64_t *offset, size_t count,
				 uint64_t used, struct ws_err *err)
{
	size_t line, bytes = (count / LIST_EACH + 2) * PAGE_BYTES;

	if (bytes > c->list_bytes) {
		free(c->list);
		c->list_bytes = 0;
		c->list = aligned_alloc(PAGE_BYTES, bytes);
		if (!c->list)
			return ws_fail_memory(err, "the loads");
		c->list_bytes = bytes;
	}
	line = next_line(63, used);
	for (size_t i = 0; i < count; i++) {
		c->list[line * LIST_EACH + i % LIST_EACH] = (uint32_t)offset[i];
		if (i % LIST_EACH == LIST_EACH - 1)
			line = next_line(line, used);
	}
	return WS_OK;
}

static enum ws_status run_list(struct chase_cpu *c, const struct chase_run *r,
			       const uint64_t *offset, size_t count, double *cycles,
			       struct ws_err *err)
{
	uint64_t used = lines_used(offset, count);
	enum ws_status status = write_list(c, offset, count, used, err);

	if (status != WS_OK)
		return status;
	list_timed(r, c->list, used, count);
	_mm_mfence();
	answer(c, cycles, r->result, count);
	return WS_OK;
}

/* One run of a program, each load timed: a walk of `period` lines, or a list (period 0). */
static void run_once(struct chase_cpu *c, const struct chase_run *r, const uint64_t *offset,
		     size_t period, uint64_t used, size_t count)
{
	struct chase_run rest = *r;
	uint32_t at;

	if (!period) {
		list_timed(r, c->list, used, count);
		return;
	}
	at = chase_timed(r, (uint32_t)offset[0], period);
	if (count == period)
		return;
	at = chase(r, at, SETTLE * period);
	rest.result += period;
	chase_timed(&rest, at, count - period);
}

/* Answers by the mean of the quieter runs, of which each begins with a flush. */
static enum ws_status run_coarse(struct chase_cpu *c, struct chase_run *r, const uint64_t *offset,
				 size_t period, size_t count, double *cycles, struct ws_err *err)
{
	size_t runs = runs_of(c), kept = runs - runs / 4, left = kept;
	uint64_t *loud = ws_alloc(2 * runs, sizeof *loud), *sorted = loud + runs;
	uint64_t used = lines_used(offset, count);
	enum ws_status status = loud ? WS_OK : ws_fail_memory(err, "the runs");

	if (status == WS_OK && !period)
		status = write_list(c, offset, count, used, err);
	for (size_t k = 0; k < runs && status == WS_OK; k++) {
		struct chase_run one = *r;

		one.result += k * count;
		forget(c, offset, period ? period : count);
		pause_anyhow(c);
		run_once(c, &one, offset, period, used, count);
		_mm_mfence();
		loud[k] = sorted[k] = loudness(one.result, count);
	}
	if (status == WS_OK) {
		qsort(sorted, runs, sizeof *sorted, by_loudness);
		memset(cycles, 0, count * sizeof *cycles);
	}
	for (size_t k = 0; k < runs && left && status == WS_OK; k++) {
		if (loud[k] > sorted[kept - 1])
			continue;
		left--;
		for (size_t i = 0; i < count; i++)
			cycles[i] += r->result[k * count + i];
	}
	for (size_t i = 0; i < count && status == WS_OK; i++)
		cycles[i] = cycles_of(c, cycles[i] / (double)kept);
	free(loud);
	return status;
}

/* How often something else ran in this thread's stead. */
static long switches(void)
{
	struct rusage u;

	return getrusage(RUSAGE_THREAD, &u) ? 0 : u.ru_nvcsw + u.ru_nivcsw;
}

/* Again where the frequency has changed meanwhile, or something else has run. */
static enum ws_status run_steadily(struct chase_cpu *c, struct chase_run *r,
				   const uint64_t *offset, size_t count, bool flush,
				   double *cycles, struct ws_err *err)
{
	size_t period = period_of(offset, count);
	bool walk = link_walk(c, offset, period);
	enum ws_status status = WS_OK;

	for (unsigned k = 0; k < REPEATS && status == WS_OK; k++) {
		long before = switches();
		double hit = c->hit; /* after the program before */

		if (flush)
			forget(c, offset, walk ? period : count);
		if (flush && is_coarse(c))
			status = run_coarse(c, r, offset, walk ? period : 0, count, cycles, err);
		else if (walk)
			status = run_walk(c, r, offset, period, count, cycles, err);
		else
			status = run_list(c, r, offset, count, cycles, err);
		c->hit = time_often(c, true);
		if (c->hit <= hit + DRIFT && hit <= c->hit + DRIFT && switches() == before)
			break;
	}
	return status;
}

static enum ws_status chase_cpu_run(void *state, const uint64_t *offset, size_t count, bool flush,
				    double *cycles, struct ws_err *err)
{
	struct chase_cpu *c = state;
	struct chase_run r = { .base = c->base, .round = c->round };
	size_t had = c->result_cap, runs = 4;

	if (!count)
		return WS_OK;
	for (size_t i = 0; i < count; i++)
		if (offset[i] > c->bytes - sizeof(uint32_t))
			return ws_fail(err, WS_EINVAL, "offset %" PRIu64 ": this processor's array "
				       "has %zu bytes", offset[i], c->bytes);
	if (flush && is_coarse(c))
		runs = runs_of(c);
	if (!WS_ROOM(c->result, c->result_cap, runs * count + TIMINGS))
		return ws_fail_memory(err, "the latencies");
	if (c->result_cap > had) /* no page is new when it is written */
		memset(c->result, 0, c->result_cap * sizeof *c->result);
	r.result = c->result;
	if (c->level > 1 && wants_wash(offset, period_of(offset, count)))
		r.wash = c->wash;
	r.first = (uint32_t)ws_rng_below(&c->rng, WASH_PAGES);
	r.step = 2 * (uint32_t)ws_rng_below(&c->rng, WASH_PAGES / 2) + 1;
	return run_steadily(c, &r, offset, count, flush, cycles, err);
}

/* ---- memory and thread -------------------------------------------------------------------- */

/* Whether the mapping that begins at `at` has huge pages alone. */
static bool is_huge(const void *at, size_t bytes)
{
	FILE *f = fopen("/proc/self/smaps", "r");
	char line[512];
	bool here = false, huge = false;

	while (f && fgets(line, sizeof line, f)) {
		unsigned long long from, to, kib;
		char first;

		if (sscanf(line, "%llx-%llx %c", &from, &to, &first) == 3)
			here = from <= (uintptr_t)at && (uintptr_t)at < to;
		else if (here && sscanf(line, "AnonHugePages: %llu", &kib) == 1)
			huge = kib * 1024 >= bytes;
	}
	if (f)
		fclose(f);
	return huge;
}

static enum ws_status map_memory(struct chase_cpu *c, size_t bytes, bool *huge,
				 struct ws_err *err)
{
	size_t all = bytes + HUGE_BYTES;

	c->map_bytes = all + HUGE_BYTES;
	c->map = mmap(NULL, c->map_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
		      -1, 0);
	if ((void *)c->map == MAP_FAILED) {
		c->map = NULL;
		return ws_fail_memory(err, "the array");
	}
	c->base = c->map + (HUGE_BYTES - (uintptr_t)c->map % HUGE_BYTES) % HUGE_BYTES;
	c->wash = c->base + bytes;
	c->self = c->wash + WASH_BYTES;
	if (*huge)
		madvise(c->base, all, MADV_HUGEPAGE);
	memset(c->base, 0, all);
	*huge = *huge && is_huge(c->base, all);
	return WS_OK;
}

/* Other pages, as what lies beneath them may be ill for it: the old ones are given back after. */
static enum ws_status chase_cpu_renew(void *state, struct ws_err *err)
{
	struct chase_cpu *c = state;
	unsigned char *map = c->map;
	size_t map_bytes = c->map_bytes;
	bool huge = c->huge;
	enum ws_status status = map_memory(c, c->mapped, &huge, err);

	munmap(map, map_bytes);
	return status;
}

static bool has_rdtscp(void)
{
	unsigned a, b, c, d;

	return __get_cpuid(0x80000001u, &a, &b, &c, &d) && (d >> 27 & 1);
}

static void pin_thread(struct chase_cpu *c)
{
	int cpu = sched_getcpu();
	cpu_set_t one;

	CPU_ZERO(&one);
	if (cpu < 0 || cpu >= CPU_SETSIZE || sched_getaffinity(0, sizeof c->before, &c->before))
		return;
	CPU_SET((size_t)cpu, &one);
	c->pinned = sched_setaffinity(0, sizeof one, &one) == 0;
}

static void chase_cpu_free(void *state)
{
	struct chase_cpu *c = state;

	if (!c)
		return;
	if (c->pinned)
		(void)sched_setaffinity(0, sizeof c->before, &c->before);
	if (c->map)
		munmap(c->map, c->map_bytes);
	free(c->result);
	free(c->list);
	free(c);
}

enum ws_status ws_chase_cpu(struct ws_chase_target *out, const struct ws_chase_cpu *options,
			    struct ws_err *err)
{
	struct chase_cpu *c = ws_alloc_zero(1, sizeof *c);
	bool huge = !options->small_pages;
	enum ws_status status;

	*out = (struct ws_chase_target){ .state = c, .run = chase_cpu_run,
					 .renew = chase_cpu_renew,
					 .free = chase_cpu_free, .offset = OFFSET };
	if (!c)
		return ws_fail_memory(err, "the processor");
	if (!has_rdtscp()) {
		ws_chase_close(out);
		return ws_fail(err, WS_EINVAL, "this processor has no rdtscp, with which loads are "
			       "timed");
	}
	c->level = options->level;
	c->round = options->clock_step ? options->clock_step : 1;
	ws_rng_seed(&c->rng, options->seed);
	pin_thread(c);
	c->mapped = c->level > 1 ? L2_BYTES : L1_HUGE;
	c->huge = huge;
	status = map_memory(c, c->mapped, &huge, err);
	if (status == WS_OK)
		status = time_latency(c, err);
	if (status != WS_OK) {
		ws_chase_close(out);
		return status;
	}
	c->bytes = c->level > 1 ? L2_BYTES : huge ? L1_HUGE : L1_SMALL;
	out->bytes = c->bytes;
	out->orders = c->level > 1 ? ORDERS_L2 : ORDERS_L1;
	out->page = c->level > 1 ? PAGE_BYTES : 0;
	if (!huge)
		snprintf(out->note, sizeof out->note, "%s", c->level > 1 ?
			 "no huge pages: pages of 4 KiB are asked" :
			 "no huge pages: an array of 128 KiB in pages of 4 KiB is asked");
	if (!c->pinned)
		snprintf(out->note, sizeof out->note, "the thread could not be bound to a "
			 "processor: latencies may be of several");
	return WS_OK;
}

#else

enum ws_status ws_chase_cpu(struct ws_chase_target *out, const struct ws_chase_cpu *options,
			    struct ws_err *err)
{
	(void)options;
	*out = (struct ws_chase_target){ 0 };
	return ws_fail(err, WS_EINVAL, "this processor's architecture is not supported: loads "
		       "can be timed on x86-64 alone");
}

#endif
