/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/validate/t-compare.c -- outputs side by side: random launches written as statistics, rows
 * and a profiler's csv are read as they are; pairs and sums against loops; damaged files.
 */
#include "tests/test.h"
#include "validate/compare.h"

#include <glob.h>
#include <math.h>

#define LAUNCHES 12u

struct told {			/* launches, and what each has of the statistics */
	unsigned launches;
	char kernel[LAUNCHES][8];
	uint64_t stream[LAUNCHES];
	uint64_t value[LAUNCHES][WS_STATS];
};

static struct told random_launches(struct ws_rng *rng)
{
	struct told t = { .launches = 1 + (unsigned)ws_rng_below(rng, LAUNCHES) };

	for (unsigned i = 0; i < t.launches; i++) {
		uint64_t *v = t.value[i];

		sprintf(t.kernel[i], "k%u", (unsigned)ws_rng_below(rng, 3));
		t.stream[i] = ws_rng_below(rng, 3);
		for (unsigned k = 0; k < WS_STATS; k++)
			v[k] = ws_rng_below(rng, 4) ? ws_rng_below(rng, 1000) : 0;
		for (unsigned f = WS_STAT_L1_LOAD; f < WS_STAT_L2_ACCESSES; f += WS_OF_CACHE)
			v[f] = v[f + WS_OF_HITS] + v[f + WS_OF_PENDING] + v[f + WS_OF_MISSES];
	}
	return t;
}

static bool is_ratio(unsigned stat)
{
	return ws_stat_rows[stat].ratio;
}

/* Does a launch say what was told?  Ratios follow from the counts. */
static bool says(const struct ws_stats_launch *l, const struct told *t, unsigned i)
{
	for (unsigned k = 0; k < WS_STATS; k++)
		if (!is_ratio(k) && !(fabs(l->value[k] - (double)t->value[i][k]) < 0.5))
			return false;
	for (unsigned f = WS_STAT_L1_LOAD; f < WS_STAT_L2_ACCESSES; f += WS_OF_CACHE) {
		double part = (double)t->value[i][f + WS_OF_MISSES], all = (double)t->value[i][f];
		double ratio = l->value[f + WS_OF_MISS_RATIO];

		if (t->value[i][f] ? !(fabs(ratio - part / all) < 1e-12) : !isnan(ratio))
			return false;
	}
	return strcmp(l->kernel, t->kernel[i]) == 0;
}

static bool read_as(const char *text, size_t len, const struct told *t, const char *kind)
{
	struct ws_in in = { .data = (const uint8_t *)text, .len = len, .name = (char *)"x" };
	struct ws_err err = { .status = WS_OK };
	struct ws_stats *s = NULL;
	bool good = ws_stats_read(&s, &in, &err) == WS_OK && s->launches == t->launches &&
		    strcmp(s->kind, kind) == 0;

	for (unsigned i = 0; good && i < t->launches; i++)
		good = says(&s->launch[i], t, i);
	if (!good)
		printf("# %s\n%.*s\n", err.text, (int)len, text);
	ws_stats_free(s);
	return good;
}

/* ---- statistics ------------------------------------------------------------------------- */

static int put_cache(char *out, const char *what, uint64_t sum[WS_STATS], unsigned f, uint64_t half)
{
	return sprintf(out, "\t%s[HIT] = %llu\n\t%s[HIT_RESERVED] = %llu\n\t%s[MISS] = %llu\n"
		       "\t%s[SECTOR_MISS] = %llu\n\t%s[RESERVATION_FAIL] = %llu\r\n"
		       "\t%s[MSHR_HIT] = 5\n\t%s[TOTAL_ACCESS] = 1\n",
		       what, (unsigned long long)sum[f + WS_OF_HITS], what,
		       (unsigned long long)sum[f + WS_OF_PENDING], what,
		       (unsigned long long)(sum[f + WS_OF_MISSES] - half), what,
		       (unsigned long long)half, what, (unsigned long long)sum[f + WS_OF_FAILS],
		       what, what);
}

/* Half of the misses so far, in a way that neither part falls, are of sectors. */
static size_t put_text(char *out, const struct told *t)
{
	static const char *const what[] = {
		"Total_core_cache_stats_breakdown[GLOBAL_ACC_R]",
		"Total_core_cache_stats_breakdown[GLOBAL_ACC_W]",
		"L2_cache_stats_breakdown[GLOBAL_ACC_R]", "L2_cache_stats_breakdown[GLOBAL_ACC_W]",
	};
	uint64_t all[WS_STATS] = { 0 }, of[3][WS_STATS] = { { 0 } };
	char *p = out + sprintf(out, "anything at all = 3\n");

	for (unsigned i = 0; i < t->launches; i++) {
		uint64_t *sum = of[t->stream[i]];
		const uint64_t *v = t->value[i];

		for (unsigned k = 0; k < WS_STATS; k++) {
			all[k] += v[k];
			sum[k] += v[k];
		}
		p += sprintf(p, "kernel_name = %s \nkernel_stream_id = %u\ngpu_sim_cycle = %u\n"
			     "gpu_sim_insn = %u\n", t->kernel[i], (unsigned)t->stream[i],
			     (unsigned)v[WS_STAT_CYCLES], (unsigned)v[WS_STAT_THREAD_INSTRUCTIONS]);
		for (unsigned c = 0; c < 4; c++) {
			unsigned f = WS_STAT_L1_LOAD + c * WS_OF_CACHE;

			p += put_cache(p, what[c], sum, f, sum[f + WS_OF_MISSES] / 2);
		}
		p += sprintf(p, "gpgpu_n_tot_w_icount = %u\nL2_total_cache_accesses = %u\n"
			     "L2_total_cache_misses = %u\ntotal dram reads = %u\n"
			     "total dram writes = %u\n", (unsigned)all[WS_STAT_WARP_INSTRUCTIONS],
			     (unsigned)all[WS_STAT_L2_ACCESSES], (unsigned)all[WS_STAT_L2_MISSES],
			     (unsigned)all[WS_STAT_DRAM_READS], (unsigned)all[WS_STAT_DRAM_WRITES]);
	}
	p += sprintf(p, "GPGPU-Sim: *** exit detected ***\n");
	return (size_t)(p - out);
}

static void statistics(uint64_t seed)
{
	static char text[1 << 16];
	struct ws_rng rng;
	unsigned wrong = 0;

	ws_rng_seed(&rng, seed);
	for (unsigned round = 0; round < 300; round++) {
		struct told t = random_launches(&rng);

		wrong += !read_as(text, put_text(text, &t), &t, "statistics");
	}
	test_ok(wrong == 0, "statistics of three streams are taken apart by launches");
}

/* ---- pairs and sums ------------------------------------------------------------------------ */

static struct ws_stats *made(const struct told *t)
{
	static char text[1 << 16];
	size_t len = put_text(text, t);
	struct ws_in in = { .data = (const uint8_t *)text, .len = len, .name = (char *)"x" };
	struct ws_stats *s = NULL;

	return ws_stats_read(&s, &in, NULL) == WS_OK ? s : NULL;
}

/* The launch of b that is as many-th of its kernel as the i-th of a is; b->launches: none. */
static size_t partner(const struct ws_stats *a, size_t i, const struct ws_stats *b)
{
	size_t before = 0, k;

	for (k = 0; k < i; k++)
		before += strcmp(a->launch[k].kernel, a->launch[i].kernel) == 0;
	for (k = 0; k < b->launches; k++)
		if (strcmp(b->launch[k].kernel, a->launch[i].kernel) == 0 && before-- == 0)
			break;
	return k;
}

static bool pairs_right(const struct ws_stats *a, const struct ws_stats *b)
{
	struct ws_stats_pair *pair;
	size_t pairs, n = 0;
	bool good = ws_stats_match(&pair, &pairs, a, b, true, NULL) == WS_OK;

	for (size_t i = 0; good && i < a->launches; i++) {
		size_t k = partner(a, i, b);

		if (k == b->launches)
			continue;
		good = n < pairs && pair[n].a == &a->launch[i] && pair[n].b == &b->launch[k];
		n++;
	}
	good = good && n == pairs;
	free(pair);
	if (ws_stats_match(&pair, &pairs, a, b, false, NULL) == WS_OK)
		good = good && a->launches == b->launches && pairs == a->launches &&
		       pair[pairs - 1].b == &b->launch[pairs - 1];
	else
		good = good && a->launches != b->launches;
	free(pair);
	return good;
}

static bool sums_right(const struct ws_stats *a, unsigned stat)
{
	struct ws_stats_pair *pair;
	struct ws_stat_sum sum;
	double off = 0, most = 0;
	size_t pairs, n = 0, launches = 0, equal = 0;
	bool good = ws_stats_match(&pair, &pairs, a, a, false, NULL) == WS_OK;

	for (size_t i = 0; good && i < pairs; i++) { /* each beside the one before it */
		double x = a->launch[i].value[stat], y, d;

		pair[i].b = &a->launch[i ? i - 1 : pairs - 1];
		y = pair[i].b->value[stat];
		if (isnan(x) || isnan(y))
			continue;
		launches++;
		equal += fabs(x - y) <= 0;
		d = is_ratio(stat) ? 100 * (y - x) : 100 * (y / x - 1);
		if (!is_ratio(stat) && x <= 0)
			continue;
		off += fabs(d);
		most = fabs(d) > fabs(most) ? d : most;
		n++;
	}
	good = good && ws_stat_sum_of(pair, pairs, (enum ws_stat)stat, &sum, NULL) == WS_OK &&
	       sum.launches == launches && sum.equal == equal &&
	       (n ? fabs(sum.mean_abs - off / (double)n) < 1e-6 * (1 + off) &&
			    fabs(fabs(sum.largest) - fabs(most)) < 1e-6 * (1 + fabs(most))
		  : isnan(sum.mean_abs) && isnan(sum.largest));
	free(pair);
	return good;
}

static void sides(uint64_t seed)
{
	struct ws_rng rng;
	unsigned wrong = 0, apart = 0;

	ws_rng_seed(&rng, seed);
	for (unsigned round = 0; round < 300; round++) {
		struct told t = random_launches(&rng), u = random_launches(&rng);
		struct ws_stats *a = made(&t), *b = made(&u);

		wrong += !a || !b || !pairs_right(a, b);
		for (unsigned k = 0; a && k < WS_STATS; k++)
			apart += !sums_right(a, k);
		ws_stats_free(a);
		ws_stats_free(b);
	}
	test_ok(wrong == 0, "the n-th of a kernel beside the n-th, and by number");
	test_ok(apart == 0, "means, the largest, and how many are equal");
}

/* ---- seeds of the fuzzer, and damage -------------------------------------------------------- */

static bool read_once(const uint8_t *data, size_t len, enum ws_status *status)
{
	struct ws_in in = { .data = data, .len = len, .name = (char *)"x" };
	struct ws_err err = { .status = WS_OK };
	struct ws_stats *s = NULL;

	*status = ws_stats_read(&s, &in, &err);
	ws_stats_free(s);
	return *status == WS_OK ? !err.text[0]
				: *status == WS_EFORMAT && strncmp(err.text, "x:", 2) == 0;
}

static unsigned damaged(const struct ws_in *in, struct ws_rng *rng)
{
	uint8_t *data = ws_alloc(in->len + 1, 1);
	enum ws_status status;
	unsigned wrong = 0;

	for (unsigned round = 0; data && round < 200; round++) {
		size_t len = ws_rng_below(rng, 4) ? in->len : ws_rng_below(rng, in->len);

		memcpy(data, in->data, in->len);
		for (unsigned i = 0; i < 3 && len; i++)
			data[ws_rng_below(rng, len)] =
				(uint8_t)"0=\n\t,{}\"\\[] \0x-"[ws_rng_below(rng, 15)];
		wrong += !read_once(data, len, &status);
	}
	free(data);
	return wrong;
}

static void seeds(uint64_t seed)
{
	glob_t found;
	struct ws_rng rng;
	unsigned wrong = 0;

	ws_rng_seed(&rng, seed);
	if (glob("tests/fuzz/corpus-compare/*", 0, NULL, &found) != 0) {
		test_ok(false, "the corpus");
		return;
	}
	for (size_t i = 0; i < found.gl_pathc; i++) {
		bool ok = strstr(found.gl_pathv[i], "/ok-") != NULL;
		struct ws_in in = { 0 };
		enum ws_status status = WS_OK;
		bool good = ws_in_open(&in, found.gl_pathv[i], NULL) == WS_OK &&
			    read_once(in.data, in.len, &status);

		test_ok(good && (status == WS_OK) == ok, "%s", found.gl_pathv[i]);
		wrong += damaged(&in, &rng);
		ws_in_close(&in);
	}
	globfree(&found);
	test_ok(wrong == 0, "damaged files are read, or one error has file and line");
}

int main(void)
{
	uint64_t seed = test_seed(20261123);

	statistics(seed);
	sides(seed + 1);
	seeds(seed + 2);
	return test_done();
}
