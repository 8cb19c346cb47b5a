/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/stackdist/b-sample.c -- what sampling 1 % of the lines costs and how good it is: 10M
 * requests each of three streams, misses at every size 2^k and 3 * 2^(k - 1) lines with one
 * set and with 64, for many seeds, beside the exact distances.  WS_BENCH_SEEDS: how many, if
 * not 20.  Time: of one set alone, and of both set counts at once.  Then intervals of sums
 * over 16 SMs.
 */
#include "tests/stackdist/sampled.h"

#define ACCESSES 10000000u
#define SM_ACCESSES 1300000u
#define RATE 0.01

static unsigned seeds(void)
{
	const char *text = getenv("WS_BENCH_SEEDS");
	uint64_t n = 20;

	if (text && (!ws_parse_u64(text, &n) || n == 0))
		n = 100;
	return (unsigned)n;
}

static int ascending(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

struct summary {
	double most[SAMPLED_CURVES], wide[SAMPLED_CURVES];
	unsigned beyond[SAMPLED_CURVES];	/* seeds off by more than a point at some size */
	unsigned missed[SAMPLED_CURVES][SAMPLED_SIZES];
	uint64_t lines;
	double seconds;			/* median */
};

static bool sample(const struct ws_request *r, uint64_t miss[SAMPLED_CURVES][SAMPLED_SIZES],
		   size_t curves, unsigned count, struct summary *to)
{
	double *seconds = ws_alloc(count, sizeof *seconds);
	struct ws_cache cache = sampled_cache(1);
	struct sampled_run run = { .ok = seconds != NULL };
	struct sampled_error e;

	memset(to, 0, sizeof *to);
	for (unsigned seed = 0; seed < count && run.ok; seed++) {
		if (!sampled_run(&run, &cache, r, ACCESSES, curves, RATE, 0, seed))
			break;
		sampled_compare(&run, ACCESSES, curves, miss, &e);
		seconds[seed] = run.seconds;
		to->lines = run.lines > to->lines ? run.lines : to->lines;
		for (unsigned c = 0; c < curves; c++) {
			to->most[c] = e.most[c] > to->most[c] ? e.most[c] : to->most[c];
			to->wide[c] = e.wide[c] > to->wide[c] ? e.wide[c] : to->wide[c];
			to->beyond[c] += e.most[c] > 1;
			for (unsigned i = 0; i < SAMPLED_SIZES; i++)
				to->missed[c][i] += e.missed[c][i];
		}
		sampled_clear(&run);
		run.ok = true;
	}
	if (run.ok) {
		qsort(seconds, count, sizeof *seconds, ascending);
		to->seconds = seconds[count / 2];
	}
	free(seconds);
	return run.ok;
}

static void print(const char *name, const struct summary *s, unsigned c, unsigned count)
{
	unsigned worst = 0;

	for (unsigned i = 0; i < SAMPLED_SIZES; i++)
		if (s->missed[c][i] > s->missed[c][worst])
			worst = i;
	printf("{\"name\": \"sample/%s/%llu\", \"rate\": %g, \"seeds\": %u, "
	       "\"largest_error_points\": %.3f, \"seeds_off_by_a_point\": %u, "
	       "\"widest_interval_points\": %.3f, \"least_coverage\": %.3f, "
	       "\"at_lines\": %llu}\n", name, (unsigned long long)sampled_sets[c], RATE, count,
	       s->most[c], s->beyond[c], s->wide[c],
	       1 - (double)s->missed[c][worst] / count,
	       (unsigned long long)sampled_size(worst));
}

static double exact_seconds(const struct ws_request *r)
{
	struct ws_cache cache = sampled_cache(1);
	uint32_t *d = ws_alloc(4096, sizeof *d);
	struct ws_stack *s = NULL;
	double start = ws_seconds();
	bool ok = d && !ws_stack_new(&s, &cache, 1, NULL);

	for (size_t i = 0; i < ACCESSES && ok; i += 4096)
		ok = !ws_stack_push(s, r + i, ACCESSES - i < 4096 ? ACCESSES - i : 4096, d, NULL);
	start = ws_seconds() - start;
	ws_stack_free(s);
	free(d);
	return ok ? start : -1;
}

static bool stream(const char *name, void (*make)(struct ws_request *r))
{
	static uint64_t miss[SAMPLED_CURVES][SAMPLED_SIZES];
	static struct summary one, both;
	struct ws_request *r = ws_alloc_zero(ACCESSES, sizeof *r);
	unsigned count = seeds();
	double exact;
	bool ok;

	if (!r)
		return false;
	make(r);
	exact = exact_seconds(r);
	ok = exact > 0 && sampled_exact(r, ACCESSES, miss) &&
	     sample(r, miss, 1, count < 5 ? count : 5, &one) && sample(r, miss, 2, count, &both);
	if (ok) {
		printf("{\"name\": \"sample/%s\", \"ns_per_access\": %.1f, "
		       "\"ns_per_access_both\": %.1f, \"ratio_to_exact\": %.3f, "
		       "\"lines_held\": %llu}\n", name, one.seconds * 1e9 / ACCESSES,
		       both.seconds * 1e9 / ACCESSES, one.seconds / exact,
		       (unsigned long long)both.lines);
		for (unsigned c = 0; c < SAMPLED_CURVES; c++)
			print(name, &both, c, count);
		fflush(stdout);
	}
	free(r);
	return ok;
}

static void zipf(struct ws_request *r)
{
	bench_zipf(r, ACCESSES, 20, 1);
}

static void cyclic(struct ws_request *r)
{
	bench_cyclic(r, ACCESSES, 200000);
}

static void matmul(struct ws_request *r)
{
	bench_matmul(r, ACCESSES);
}

/* Sums over SMs, through the profiler: 1.3M requests each, 2^19 of them profiled exactly. */
static bool sms(void)
{
	struct ws_request *r = ws_alloc_zero(SM_ACCESSES, sizeof *r);
	unsigned count = seeds() < 10 ? seeds() : 10, compared, missed;
	bool ok = r && sampled_sms(r, SM_ACCESSES, 17, RATE, 0, count, &compared, &missed);

	if (ok)
		printf("{\"name\": \"sample/sms\", \"rate\": %g, \"sms\": %u, \"seeds\": %u, "
		       "\"coverage\": %.3f}\n", RATE, SAMPLED_SMS, count,
		       1 - (double)missed / compared);
	free(r);
	return ok;
}

int main(void)
{
	return !(sms() && stream("zipf", zipf) && stream("cyclic", cyclic) &&
		 stream("matmul", matmul));
}
