/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/stackdist/sampled.h -- streams to sample, and how far the estimated misses are from the
 * exact ones at every size 2^k and 3 * 2^(k - 1) lines.
 */
#ifndef WS_TEST_SAMPLED_H
#define WS_TEST_SAMPLED_H

#include "stackdist/sample/sample.h"
#include "tests/stackdist/bench.h"

#define SAMPLED_SIZES 48u	/* 1, 2, 3, 4, 6, 8, ... lines */
#define SAMPLED_CURVES 2u
static const uint64_t sampled_sets[SAMPLED_CURVES] = { 1, 64 };

struct sampled_error {
	double most[SAMPLED_CURVES];	/* largest error, in percentage points */
	double wide[SAMPLED_CURVES];	/* largest half width of an interval, in points */
	bool missed[SAMPLED_CURVES][SAMPLED_SIZES]; /* the interval misses the truth */
	double error[SAMPLED_CURVES][SAMPLED_SIZES]; /* in points, signed */
};

static inline uint64_t sampled_size(unsigned i)
{
	return i == 0 ? 1 : i % 2 ? 2ull << (i / 2) : 3ull << (i / 2 - 1);
}

/* 0: this many lines are no whole number of ways. */
static inline uint64_t sampled_ways(unsigned curve, unsigned i)
{
	uint64_t lines = sampled_size(i), sets = sampled_sets[curve];

	return lines % sets ? 0 : lines / sets;
}

static inline struct ws_cache sampled_cache(uint64_t sets)
{
	return (struct ws_cache){ .sets = sets, .line_bytes = 128, .sector_bytes = 128,
				  .hash = ws_hash_find("modulo") };
}

/* ---- exact ------------------------------------------------------------------------------ */

/* miss[curve][size] of all requests. */
static inline bool sampled_exact(const struct ws_request *r, size_t count,
				 uint64_t miss[SAMPLED_CURVES][SAMPLED_SIZES])
{
	uint32_t *d = ws_alloc(count, sizeof *d);
	bool ok = d != NULL;

	memset(miss, 0, sizeof *miss * SAMPLED_CURVES);
	for (unsigned c = 0; c < SAMPLED_CURVES && ok; c++) {
		struct ws_cache cache = sampled_cache(sampled_sets[c]);
		struct ws_stack *s = NULL;

		ok = !ws_stack_new(&s, &cache, 1, NULL) && !ws_stack_push(s, r, count, d, NULL);
		ws_stack_free(s);
		for (size_t i = 0; i < count && ok; i++)
			for (unsigned k = 0; k < SAMPLED_SIZES; k++)
				miss[c][k] += d[i] >= sampled_size(k) / sampled_sets[c];
	}
	free(d);
	return ok;
}

/* ---- estimates ------------------------------------------------------------------------- */

struct sampled_run {
	struct ws_histogram kind[SAMPLED_CURVES][WS_KINDS];
	uint64_t lines;		/* held at the end */
	double seconds;
	bool ok;
};

static inline void sampled_clear(struct sampled_run *run)
{
	for (unsigned c = 0; c < SAMPLED_CURVES; c++)
		for (unsigned k = 0; k < WS_KINDS; k++) {
			struct ws_histogram *h = &run->kind[c][k];

			free(h->distance);
			free(h->capacity);
			free(h->sector);
			free(h->variance);
		}
	memset(run, 0, sizeof *run);
}

static size_t sampled_step = 4096; /* requests in a push */

/* burst: 0, as it is. */
static inline bool sampled_run_burst(struct sampled_run *run, const struct ws_cache *cache,
				     const struct ws_request *r, size_t count, size_t curves,
				     double rate, uint64_t lines_max, uint64_t seed,
				     uint64_t burst)
{
	size_t step = sampled_step;
	struct ws_histogram *kind[SAMPLED_CURVES] = { run->kind[0], run->kind[1] };
	struct ws_sampler *s = NULL;
	struct ws_err err = { 0 };

	memset(run, 0, sizeof *run);
	run->seconds = ws_seconds();
	run->ok = !ws_sampler_new(&s, cache, sampled_sets, curves, rate, lines_max, seed, &err);
	if (run->ok && burst)
		ws_sampler_burst(s, burst);
	for (size_t i = 0; i < count && run->ok; i += step)
		run->ok = !ws_sampler_push(s, r + i, count - i < step ? count - i : step, &err);
	run->ok = run->ok && !ws_sampler_end(s, kind, &err);
	run->seconds = ws_seconds() - run->seconds;
	if (run->ok)
		run->lines = ws_sampler_lines(s);
	else
		printf("# %s\n", err.text);
	ws_sampler_free(s);
	return run->ok;
}

static inline bool sampled_run(struct sampled_run *run, const struct ws_cache *cache,
			       const struct ws_request *r, size_t count, size_t curves,
			       double rate, uint64_t lines_max, uint64_t seed)
{
	return sampled_run_burst(run, cache, r, count, curves, rate, lines_max, seed, 0);
}

static inline uint64_t sampled_misses(const struct ws_histogram *h, uint64_t ways)
{
	uint64_t n = h->cold + h->uncached;

	for (size_t i = 0; i < h->len; i++)
		if (ws_cell_first((uint32_t)i, WS_DISTANCE_BITS) >= ways)
			n += h->distance[i];
	return n;
}

static inline uint64_t sampled_variance(const struct ws_histogram *h, uint64_t ways)
{
	unsigned bin = ws_bin((uint32_t)ways);
	uint64_t v = h->variance[bin];

	if (bin + 1 < WS_BINS && ways > ws_bin_first(bin) && h->variance[bin + 1] > v)
		v = h->variance[bin + 1];
	return v;
}

/* Errors over all sizes.  Those of the kinds are correlated: standard deviations are added. */
static inline void sampled_compare(const struct sampled_run *run, size_t count, size_t curves,
				   uint64_t miss[SAMPLED_CURVES][SAMPLED_SIZES],
				   struct sampled_error *e)
{
	memset(e, 0, sizeof *e);
	for (unsigned c = 0; c < curves; c++)
		for (unsigned i = 0; i < SAMPLED_SIZES; i++) {
			uint64_t ways = sampled_ways(c, i), got = 0;
			double error, half = 0;

			if (ways == 0)
				continue;
			for (unsigned k = 0; k < WS_KINDS; k++) {
				got += sampled_misses(&run->kind[c][k], ways);
				half += sqrt((double)sampled_variance(&run->kind[c][k], ways));
			}
			error = 100 * ((double)got - (double)miss[c][i]) / (double)count;
			half *= 100 * 1.96 / (double)count;
			e->error[c][i] = error;
			e->missed[c][i] = fabs(error) > half + 1e-9;
			e->most[c] = fabs(error) > e->most[c] ? fabs(error) : e->most[c];
			e->wide[c] = half > e->wide[c] ? half : e->wide[c];
		}
}

/* ---- a kernel on many SMs, by the profiler ------------------------------------------------ */

#define SAMPLED_SMS 16u

/* count requests on each SM, by a zipf law over one table of 2^bits lines; a tenth stores. */
static inline struct ws_profile *sampled_profile(struct ws_request *r, size_t count, unsigned bits,
						 double rate, uint64_t lines, uint64_t seed)
{
	struct ws_machine m = { .sm_count = SAMPLED_SMS, .l1_parts = 1, .l1 = sampled_cache(64) };
	struct ws_shape shape[SAMPLED_CURVES] = { { 128, sampled_sets[0] },
						  { 128, sampled_sets[1] } };
	struct ws_profile_options o = { .shape = shape, .shapes = SAMPLED_CURVES, .seed = seed,
					.threads = 2, .sample_rate = rate, .sample_lines = lines };
	char name[] = "table";
	struct ws_launch launch = { .kernel = name, .grid = { 1, 1, 1 }, .block = { 32, 1, 1 },
				    .ctas = 1 };
	struct ws_order_stats stats = { .cycles = 1 };
	struct ws_profile *out = NULL;
	struct ws_profiler *p = NULL;
	struct ws_err err = { 0 };
	bool ok = !ws_profiler_new(&p, &m, &o, &err) && !ws_profiler_launch(p, &launch, &err);

	for (unsigned sm = 0; sm < SAMPLED_SMS && ok; sm++) {
		bench_zipf(r, count, bits, sm + 1);
		for (size_t i = 0; i < count; i++) {
			r[i].kind = i % 10 ? WS_LOAD : WS_STORE;
			r[i].sectors = 15;
		}
		for (size_t i = 0; i < count && ok; i += 8192)
			ok = !ws_profiler_push(p, sm, r + i,
					       count - i < 8192 ? count - i : 8192, &err);
	}
	ok = ok && !ws_profiler_end(p, &stats, &err) && !ws_profiler_finish(p, &out, &err);
	ws_profiler_free(p);
	if (!ok)
		printf("# %s\n", err.text);
	return out;
}

/* Intervals of each kind that miss what the exact profile says, of those compared: at the sizes
 * up to 2^bits lines. */
static inline void sampled_judge(const struct ws_profile *got, const struct ws_profile *want,
				 unsigned bits, unsigned *compared, unsigned *missed)
{
	for (unsigned c = 0; c < SAMPLED_CURVES; c++)
		for (unsigned k = 0; k < WS_ATOMIC; k++)
			for (unsigned i = 0; i <= 2 * bits; i++) {
				const struct ws_histogram *h, *x;
				uint64_t ways = sampled_ways(c, i);

				if (!ways)
					continue;
				h = got->section->geometry[c].kind + k;
				x = want->section->geometry[c].kind + k;
				++*compared;
				*missed += fabs((double)sampled_misses(h, ways) -
						(double)sampled_misses(x, ways)) >
					   1.96 * sqrt((double)sampled_variance(h, ways)) + 0.5;
			}
}

/* Of many seeds. */
static inline bool sampled_sms(struct ws_request *r, size_t count, unsigned bits, double rate,
			       uint64_t lines, unsigned seeds, unsigned *compared, unsigned *missed)
{
	struct ws_profile *want = sampled_profile(r, count, bits, 0, 0, 1);
	bool ok = want != NULL;

	*compared = *missed = 0;
	for (unsigned seed = 0; seed < seeds && ok; seed++) {
		struct ws_profile *got = sampled_profile(r, count, bits, rate, lines, seed);

		ok = got != NULL;
		if (ok)
			sampled_judge(got, want, bits, compared, missed);
		ws_profile_free(got);
	}
	ws_profile_free(want);
	return ok;
}

#endif
