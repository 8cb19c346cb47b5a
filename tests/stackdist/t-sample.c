/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/stackdist/t-sample.c -- sampled distances: near to the exact ones and as near as they
 * claim, exact where they should be, adding up whatever the stream.  The same at full
 * length and for many seeds is in b-sample.c.
 */
#include "tests/stackdist/sampled.h"
#include "tests/stackdist/stream.h"

#define ACCESSES 300000u
#define BURST 8192u

static struct ws_request stream[ACCESSES];

struct few {			/* misses */
	uint64_t found, real, variance;
};

struct few_sums {
	struct few of[SAMPLED_CURVES][WS_KINDS][SAMPLED_SIZES];
};

static void clear_stream(void)
{
	memset(stream, 0, sizeof(stream));
	for (size_t i = 0; i < ACCESSES; i++)
		stream[i].sectors = 15;
}

/* ---- near ------------------------------------------------------------------------ */

/* At every size within `bound` points, and the interval covers the truth for most seeds. */
static void near(const char *name, double rate, double bound)
{
	enum { SEEDS = 5 };
	static uint64_t miss[SAMPLED_CURVES][SAMPLED_SIZES];
	static struct sampled_error e;
	unsigned missed = 0, compared = 0, least = UINT32_MAX;
	struct ws_cache cache = sampled_cache(1);
	struct sampled_run run = { 0 };
	double most = 0;
	bool ok = sampled_exact(stream, ACCESSES, miss);

	for (unsigned seed = 0; seed < SEEDS && ok; seed++) {
		ok = sampled_run_burst(&run, &cache, stream, ACCESSES, SAMPLED_CURVES, rate, 0,
				       seed, BURST);
		sampled_compare(&run, ACCESSES, SAMPLED_CURVES, miss, &e);
		for (unsigned c = 0; c < SAMPLED_CURVES; c++)
			for (unsigned i = 0; i < SAMPLED_SIZES; i++) {
				compared += sampled_ways(c, i) > 0;
				missed += e.missed[c][i];
			}
		for (unsigned c = 0; c < SAMPLED_CURVES; c++)
			most = e.most[c] > most ? e.most[c] : most;
		least = run.lines < least ? (unsigned)run.lines : least;
		sampled_clear(&run);
	}
	test_ok(ok && most <= bound, "%s: off by %.2f points at most, allowed %.2f", name, most,
		bound);
	test_ok(ok && missed * 10 <= compared, "%s: %u of %u intervals miss the truth", name,
		missed, compared);
}

static void streams(void)
{
	clear_stream();
	bench_zipf(stream, ACCESSES, 15, 1);
	near("zipf", 0.1, 3);
	clear_stream();
	bench_cyclic(stream, ACCESSES, 20000);
	near("sweep", 0.05, 1);
	clear_stream();
	bench_matmul(stream, ACCESSES);
	near("tiled", 0.1, 4);
}

/* ---- equal -------------------------------------------------------------------------- */

static bool same_counts(const uint64_t *a, size_t a_len, const uint64_t *b, size_t b_len)
{
	size_t len = a_len > b_len ? a_len : b_len;

	for (size_t i = 0; i < len; i++)
		if ((i < a_len ? a[i] : 0) != (i < b_len ? b[i] : 0))
			return false;
	return true;
}

static bool same(const struct ws_histogram *a, const struct ws_histogram *b, bool variance)
{
	return a->requests == b->requests && a->cold == b->cold && a->uncached == b->uncached &&
	       a->sectors == b->sectors && a->sector_cold == b->sector_cold &&
	       a->sector_uncached == b->sector_uncached &&
	       same_counts(a->distance, a->len, b->distance, b->len) &&
	       same_counts(a->capacity, a->len, b->capacity, b->len) &&
	       same_counts(a->sector, a->sector_len, b->sector, b->sector_len) &&
	       (!variance || !memcmp(a->variance, b->variance, WS_BINS * sizeof *a->variance));
}

static bool same_runs(const struct sampled_run *a, const struct sampled_run *b)
{
	for (unsigned c = 0; c < SAMPLED_CURVES; c++)
		for (unsigned k = 0; k < WS_KINDS; k++)
			if (!same(&a->kind[c][k], &b->kind[c][k], true))
				return false;
	return true;
}

static void seeds(void)
{
	struct ws_cache cache = sampled_cache(1);
	struct sampled_run a, b, other, cut;
	bool ok;

	clear_stream();
	bench_zipf(stream, ACCESSES, 15, 3);
	ok = sampled_run_burst(&a, &cache, stream, ACCESSES, 2, 0.05, 0, 7, BURST) &&
	     sampled_run_burst(&b, &cache, stream, ACCESSES, 2, 0.05, 0, 7, BURST) &&
	     sampled_run_burst(&other, &cache, stream, ACCESSES, 2, 0.05, 0, 8, BURST);
	sampled_step = 1237;
	ok = sampled_run_burst(&cut, &cache, stream, ACCESSES, 2, 0.05, 0, 7, BURST) && ok;
	sampled_step = 4096;
	test_ok(ok && same_runs(&a, &b), "the same seed, the same numbers");
	test_ok(ok && same_runs(&a, &cut), "however the stream is cut");
	test_ok(ok && !same_runs(&a, &other), "another seed, others");
	sampled_clear(&a);
	sampled_clear(&b);
	sampled_clear(&other);
	sampled_clear(&cut);
}

/* The exact histogram of one kind, by ws_stack. */
static bool exact_histogram(struct ws_histogram *h, const struct ws_cache *cache, uint64_t sets,
			    size_t count, unsigned kind, uint64_t *distance, uint64_t *capacity)
{
	static uint32_t d[ACCESSES], q[ACCESSES];
	struct ws_cache one = *cache, some = *cache;
	struct ws_stack *s = NULL, *t = NULL;
	bool ok;

	one.sets = 1;
	some.sets = sets;
	ok = !ws_stack_new(&s, &some, 1, NULL) && !ws_stack_new(&t, &one, 1, NULL) &&
	     !ws_stack_push(s, stream, count, d, NULL) && !ws_stack_push(t, stream, count, q, NULL);
	ws_stack_free(s);
	ws_stack_free(t);
	memset(h, 0, sizeof *h);
	memset(distance, 0, ACCESSES * sizeof *distance);
	memset(capacity, 0, ACCESSES * sizeof *capacity);
	h->distance = distance;
	h->capacity = capacity;
	h->len = 1u << WS_DISTANCE_BITS;
	for (size_t i = 0; i < count && ok; i++) {
		uint64_t share = q[i] / sets;

		if (stream[i].kind != kind)
			continue;
		h->requests++;
		h->cold += d[i] == WS_DISTANCE_COLD;
		h->uncached += d[i] == WS_DISTANCE_UNCACHED;
		if (d[i] > WS_DISTANCE_MAX)
			continue;
		distance[d[i]]++;
		capacity[d[i] < share ? d[i] : share]++;
	}
	return ok;
}

/* Rate 1, and any rate where the stream is short: to the last count. */
static void exact(uint64_t seed)
{
	static uint64_t distance[ACCESSES], capacity[ACCESSES];
	static const double rates[] = { 1, 0.01 };
	struct ws_rng rng;
	unsigned bad = 0;

	ws_rng_seed(&rng, seed);
	for (unsigned trial = 0; trial < 32; trial++) {
		struct ws_cache cache = stream_cache(&rng);
		size_t count = 2000 + ws_rng_below(&rng, 14000);
		struct sampled_run run;
		struct ws_histogram h;
		bool ok;

		cache.hash = ws_hash_find("modulo");
		cache.write = (enum ws_write)(trial % 4);
		clear_stream();
		stream_fill(&rng, &cache, 3000, 4, 1, stream, count);
		ok = sampled_run_burst(&run, &cache, stream, count, 2, rates[trial / 4 % 2], 0,
				       trial, BURST);
		for (unsigned c = 0; c < SAMPLED_CURVES && ok; c++)
			for (unsigned k = 0; k < WS_KINDS && ok; k++) {
				struct ws_histogram *got = &run.kind[c][k];

				ok = exact_histogram(&h, &cache, sampled_sets[c], count, k,
						     distance, capacity);
				h.sectors = got->sectors; /* added up elsewhere */
				h.sector_cold = got->sector_cold;
				h.sector_uncached = got->sector_uncached;
				h.sector = got->sector;
				h.sector_len = got->sector_len;
				ok = ok && same(got, &h, false);
			}
		bad += !ok;
		sampled_clear(&run);
	}
	test_ok(!bad, "exact at rate 1, and while all is in two bursts: %u of 32 differ", bad);
}

/* ---- adding up ---------------------------------------------------------------------------- */

static bool sums(const struct ws_histogram *h)
{
	uint64_t distance = 0, capacity = 0, sector = 0;
	bool lighter = true;

	for (size_t i = 0; i < h->len; i++) {
		distance += h->distance[i];
		capacity += h->capacity[i];
		lighter = lighter && capacity >= distance;
	}
	for (size_t i = 0; i < h->sector_len; i++)
		sector += h->sector[i];
	return lighter && distance == capacity && h->variance &&
	       h->cold + h->uncached + distance == h->requests &&
	       h->sector_cold + h->sector_uncached + sector == h->sectors;
}

static bool run_sums(const struct sampled_run *run, const struct ws_cache *cache, size_t count)
{
	uint64_t kinds[WS_KINDS] = { 0 };
	bool allocates = cache->write == WS_WRITE_BACK ||
			 cache->write == WS_WRITE_THROUGH_ALLOCATE, ok = run->ok;

	for (size_t i = 0; i < count; i++)
		kinds[stream[i].kind]++;
	for (unsigned c = 0; c < SAMPLED_CURVES; c++) {
		const struct ws_histogram *kind = run->kind[c];

		for (unsigned k = 0; k < WS_KINDS; k++)
			ok = ok && sums(kind + k) && kind[k].requests == kinds[k];
		ok = ok && kind[WS_ATOMIC].uncached == kinds[WS_ATOMIC] &&
		     (allocates ? kind[WS_LOAD].uncached + kind[WS_STORE].uncached == 0 :
				  kind[WS_STORE].cold == 0);
	}
	return ok;
}

/* All write policies, sectors, hostile rates, fixed sizes: the parts add up. */
static void add_up(uint64_t seed)
{
	static const double rates[] = { 0.3, 0.02, 1e-9, 1e-300, 1 };
	static const uint64_t limits[] = { 0, 0, 1, 50, 400 };
	struct ws_rng rng;
	unsigned bad = 0;

	ws_rng_seed(&rng, seed);
	for (unsigned trial = 0; trial < 100; trial++) {
		struct ws_cache cache = stream_cache(&rng);
		double rate = rates[ws_rng_below(&rng, WS_COUNT(rates))];
		uint64_t limit = limits[ws_rng_below(&rng, WS_COUNT(limits))];
		size_t count = ws_rng_below(&rng, 12000);
		unsigned lines = 1u << ws_rng_below(&rng, 14);
		struct sampled_run run;

		cache.hash = ws_hash_find("modulo");
		cache.write = (enum ws_write)(trial % 4);
		clear_stream();
		stream_fill(&rng, &cache, lines, (unsigned)ws_rng_below(&rng, 8), 1, stream, count);
		sampled_run_burst(&run, &cache, stream, count, 2, rate, limit, trial, 512);
		if (!run_sums(&run, &cache, count)) {
			printf("# trial %u: %s, rate %g, limit %llu, %zu requests, %u lines\n",
			       trial, stream_write_names[cache.write], rate,
			       (unsigned long long)limit, count, lines);
			bad++;
		}
		sampled_clear(&run);
	}
	test_ok(!bad, "parts add up: %u of 100 do not", bad);
}

/* ---- fixed size --------------------------------------------------------------------------- */

static void fixed_size(void)
{
	static uint64_t miss[SAMPLED_CURVES][SAMPLED_SIZES];
	struct ws_cache cache = sampled_cache(1);
	static struct sampled_error e;
	struct sampled_run run;
	bool ok;

	clear_stream();
	bench_cyclic(stream, ACCESSES, 30000);
	ok = sampled_exact(stream, ACCESSES, miss) &&
	     sampled_run_burst(&run, &cache, stream, ACCESSES, 2, 1, 2000, 5, BURST);
	sampled_compare(&run, ACCESSES, 2, miss, &e);
	/* One level of at most 2000 lines, and a third of it in those below. */
	test_ok(ok && run.lines <= 2700 + BURST, "fixed size: %llu lines held",
		(unsigned long long)run.lines);
	test_ok(ok && e.most[0] <= 2 && e.most[1] <= 2, "fixed size: off by %.2f and %.2f points",
		e.most[0], e.most[1]);
	sampled_clear(&run);
	ok = sampled_run_burst(&run, &cache, stream, ACCESSES, 2, 1, 30000, 5, BURST);
	sampled_compare(&run, ACCESSES, 2, miss, &e);
	test_ok(ok && e.most[0] <= 0 && e.most[1] <= 0, "exact as long as the lines fit");
	sampled_clear(&run);
}

/* ---- few lines ------------------------------------------------------------------------------ */

#define FEW 6000u

/* Each line loaded by its neighbours too, and results stored, few of them twice. */
static void stencil(struct ws_request *r, struct ws_rng *rng)
{
	for (size_t i = 0; i < FEW; i++) {
		uint64_t step = i / 4;

		r[i].address = (1024 + step + i % 4 * 32) * 128;
		if (i % 4 < 3)
			continue;
		r[i].kind = WS_STORE;
		r[i].address = (1 << 20 | (step - (step && ws_rng_below(rng, 30) == 0))) * 128;
	}
}

/* A table by a zipf law, a tenth of it changed, some counted. */
static void table(struct ws_request *r, struct ws_rng *rng)
{
	bench_zipf(r, FEW, 12, ws_rng_u64(rng));
	for (size_t i = 0; i < FEW; i++) {
		uint64_t x = ws_rng_below(rng, 20);

		r[i].kind = x < 2 ? WS_STORE : x == 2 ? WS_ATOMIC : WS_LOAD;
	}
}

/* First one array, then another and its results, again and again. */
static void phases(struct ws_request *r, struct ws_rng *rng)
{
	for (size_t i = 0; i < FEW; i++) {
		r[i].address = i % 700 * 128;
		if (i < FEW / 3)
			continue;
		r[i].address = (4096 + i % (500 + ws_rng_below(rng, 2))) * 128;
		r[i].kind = i % 7 ? WS_LOAD : WS_STORE;
	}
}

/* Adds one SM's: what was found, and what is true. */
static bool add_few(const struct ws_cache *cache, const struct ws_request *r, uint64_t lines,
		    uint64_t seed, struct few_sums *to)
{
	struct sampled_run run, whole;
	bool ok = sampled_run_burst(&run, cache, r, FEW, SAMPLED_CURVES, 1, lines, seed, 0) &&
		  sampled_run(&whole, cache, r, FEW, SAMPLED_CURVES, 1, 0, seed);

	for (unsigned c = 0; c < SAMPLED_CURVES && ok; c++)
		for (unsigned k = 0; k < WS_KINDS; k++)
			for (unsigned i = 0; i < SAMPLED_SIZES; i++) {
				uint64_t ways = sampled_ways(c, i);
				struct few *f = &to->of[c][k][i];

				if (!ways)
					continue;
				f->found += sampled_misses(&run.kind[c][k], ways);
				f->real += sampled_misses(&whole.kind[c][k], ways);
				f->variance += sampled_variance(&run.kind[c][k], ways);
			}
	sampled_clear(&run);
	if (ok)
		sampled_clear(&whole);
	return ok;
}

/* Of intervals that could miss the truth, at all sizes up to 4096 lines. */
static void count_few(const struct few_sums *sums, unsigned kind, unsigned *compared,
		      unsigned *missed, unsigned *sure)
{
	for (unsigned c = 0; c < SAMPLED_CURVES; c++)
		for (unsigned i = 0; i < 25; i++) {
			const struct few *f = &sums->of[c][kind][i];
			double off = fabs((double)f->found - (double)f->real);

			if (!sampled_ways(c, i))
				continue;
			++*compared;
			*missed += off > 1.96 * sqrt((double)f->variance) + 0.5;
			*sure += kind != WS_ATOMIC && !f->variance;
		}
}

/* sms: streams of one kernel that are added up. */
static void few_lines(const char *name, void (*make)(struct ws_request *r, struct ws_rng *rng),
		      unsigned sms, unsigned trials)
{
	static const uint64_t lines[] = { 20, 64, 100, 200 };
	unsigned compared[WS_KINDS] = { 0 }, missed[WS_KINDS] = { 0 }, sure = 0;
	static struct few_sums sums;
	struct ws_rng rng;
	bool ok = true;

	ws_rng_seed(&rng, 3);
	for (unsigned trial = 0; trial < trials && ok; trial++) {
		struct ws_cache cache = sampled_cache(1);

		cache.write = (enum ws_write)(trial / WS_COUNT(lines) % 4);
		memset(&sums, 0, sizeof(sums));
		for (unsigned sm = 0; sm < sms && ok; sm++) {
			memset(stream, 0, FEW * sizeof *stream);
			make(stream, &rng);
			ok = add_few(&cache, stream, lines[trial % WS_COUNT(lines)],
				     ws_rng_u64(&rng), &sums);
		}
		for (unsigned k = 0; k < WS_KINDS; k++)
			count_few(&sums, k, compared + k, missed + k, &sure);
	}
	for (unsigned k = 0; k < WS_KINDS; k++)
		test_ok(ok && missed[k] * 10 <= compared[k],
			"%s, few lines of %u SMs: %u of %u "
			"intervals of kind %u miss the truth",
			name, sms, missed[k], compared[k], k);
	test_ok(ok && !sure, "%s, few lines of %u SMs: %u intervals without a width", name, sms,
		sure);
}

/* Errors of SMs even out as their variances say: each has a seed of its own. */
static void many_sms(void)
{
	unsigned compared, missed;
	bool ok;

	memset(stream, 0, sizeof(stream));
	ok = sampled_sms(stream, 10000, 13, 1, 300, 5, &compared, &missed);
	test_ok(ok && missed * 10 <= compared, "%u SMs: %u of %u intervals miss the truth",
		SAMPLED_SMS, missed, compared);
}

/* Stores that do not allocate, sectors: estimates are near in expectation. */
static void policies(void)
{
	static uint64_t distance[ACCESSES], capacity[ACCESSES];
	struct ws_cache cache = sampled_cache(1);

	cache.sector_bytes = 32;
	for (unsigned write = 0; write < 4; write++) {
		struct ws_histogram h;
		struct sampled_run run;
		struct ws_rng rng;
		double most = 0;
		bool ok;

		cache.write = (enum ws_write)write;
		clear_stream();
		ws_rng_seed(&rng, 11);
		stream_fill(&rng, &cache, 6000, 3, 1, stream, ACCESSES);
		ok = sampled_run_burst(&run, &cache, stream, ACCESSES, 2, 0.1, 0, 1, BURST);
		for (unsigned k = 0; k < WS_ATOMIC && ok; k++) {
			ok = exact_histogram(&h, &cache, 64, ACCESSES, k, distance, capacity);
			for (uint64_t ways = 1; ways < 200; ways++) {
				double off = fabs((double)sampled_misses(&run.kind[1][k], ways) -
						  (double)sampled_misses(&h, ways));

				most = fmax(most, 100 * off / (double)h.requests);
			}
		}
		test_ok(ok && most <= 5, "%s, sectors, 64 sets: off by %.2f points",
			stream_write_names[write], most);
		sampled_clear(&run);
	}
}

static void refused(void)
{
	static const double rates[] = { 0, -1, 1.5, (double)NAN };
	struct ws_cache cache = sampled_cache(1);
	struct ws_request bad = { .kind = WS_KINDS };
	struct ws_sampler *s = NULL;
	uint64_t sets = 4, none = 0;
	bool ok = true;

	for (size_t i = 0; i < WS_COUNT(rates); i++)
		ok = ok && ws_sampler_new(&s, &cache, &sets, 1, rates[i], 0, 1, NULL) == WS_EINVAL;
	ok = ok && ws_sampler_new(&s, &cache, &none, 1, 0.5, 0, 1, NULL) == WS_EINVAL;
	ok = ok && !ws_sampler_new(&s, &cache, &sets, 1, 0.5, 0, 1, NULL);
	ok = ok && ws_sampler_push(s, &bad, 1, NULL) == WS_EINVAL;
	ws_sampler_free(s);
	ws_sampler_free(NULL);
	test_ok(ok, "rates, sets and kinds out of range");
}

int main(void)
{
	uint64_t seed = test_seed(20);

	streams();
	seeds();
	exact(seed);
	add_up(seed);
	fixed_size();
	few_lines("stencil", stencil, 1, 32);
	few_lines("table", table, 1, 32);
	few_lines("phases", phases, 1, 32);
	few_lines("stencil", stencil, 16, 8);
	few_lines("table", table, 16, 8);
	few_lines("phases", phases, 16, 8);
	many_sms();
	policies();
	refused();
	return test_done();
}
