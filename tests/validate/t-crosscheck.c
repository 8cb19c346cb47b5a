/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Streams made here, of two kernels on three SMs, profiled and simulated:
 * what ws_simulate adds up, and what ws_crosscheck finds equal, within a bound, or different;
 * at lines of other sizes than the streams' too.
 */
#include "tests/validate/stream.h"

#define SMS 3u
#define LAUNCHES 3u	/* of kernels a, b, a */
#define REQUESTS 2000u	/* an SM's, of a launch; fewer on later SMs */

static char names[2][2] = { "a", "b" };

struct fixture {
	struct ws_machine machine;
	struct ws_streams launch[LAUNCHES];
	struct ws_stream sm[LAUNCHES][SMS];
	struct ws_request request[LAUNCHES][SMS][REQUESTS];
	struct ws_profile *profile;
};

/* Requests of one kind in a row become warp instructions of up to 7. */
static void join(struct ws_request *r, size_t count, struct ws_rng *rng)
{
	for (size_t i = 1; i < count; i++)
		r[i].follows = r[i].kind == r[i - 1].kind && ws_rng_below(rng, 7) > 0;
}

static bool streams(struct fixture *f, struct ws_rng *rng)
{
	for (size_t i = 0; i < LAUNCHES; i++) {
		f->launch[i] = (struct ws_streams){ .sm = f->sm[i], .sms = SMS,
						    .kernel = names[i % 2], .line_bytes = 128,
						    .coalesce_line = f->machine.coalesce_line };
		for (size_t sm = 0; sm < SMS; sm++) {
			size_t count = sm == 1 && i == 1 ? 0 : REQUESTS - 300 * sm;

			f->sm[i][sm] = (struct ws_stream){ f->request[i][sm], count, REQUESTS };
			stream_random(f->request[i][sm], count, &f->machine.l1,
				      100 + ws_rng_below(rng, 400), (unsigned)(i + sm), rng);
			join(f->request[i][sm], count, rng);
			f->launch[i].stats.requests += count;
		}
	}
	return true;
}

static bool profile(struct fixture *f)
{
	static const struct ws_shape shape[] = { { 128, 16 }, { 128, 8 }, { 128, 1 }, { 32, 16 },
						 { 64, 8 }, { 256, 16 }, { 1024, 1 } };
	struct ws_profile_options o = {
		.shape = shape, .shapes = WS_COUNT(shape), .threads = 2,
		.record = WS_RECORD_DETAIL | WS_RECORD_SETS,
	};
	struct ws_profiler *p;
	bool good = !ws_profiler_new(&p, &f->machine, &o, NULL);

	for (size_t i = 0; i < LAUNCHES && good; i++) {
		struct ws_launch launch = { .kernel = f->launch[i].kernel, .grid = { 1, 1, 1 },
					    .block = { 32, 1, 1 }, .ctas = 1 };

		good = !ws_profiler_launch(p, &launch, NULL);
		for (size_t sm = 0; sm < SMS && good; sm++)
			good = !ws_profiler_push(p, sm, f->sm[i][sm].request, f->sm[i][sm].count,
						 NULL);
		good = good && !ws_profiler_end(p, &f->launch[i].stats, NULL);
	}
	good = good && !ws_profiler_finish(p, &f->profile, NULL);
	ws_profiler_free(p);
	return good;
}

static struct fixture *fixture_new(enum ws_write write, uint64_t sector, struct ws_rng *rng)
{
	struct fixture *f = ws_alloc_zero(1, sizeof *f);

	if (!f || ws_machine_load(&f->machine, WS_MACHINE_DEFAULT, NULL))
		return free(f), NULL;
	f->machine.sm_count = SMS;
	f->machine.l1 = cache_make(16, 4, 128, sector, "modulo", write);
	if (!streams(f, rng) || !profile(f))
		return free(f), NULL;
	return f;
}

static void fixture_free(struct fixture *f)
{
	ws_profile_free(f->profile);
	free(f);
}

/* Counts of a kernel's launches, each SM of each in a simulator of its own. */
static void apart(const struct fixture *f, const char *kernel, const struct ws_cache *cache,
		  struct ws_counts *kind)
{
	memset(kind, 0, (WS_KINDS + 1) * sizeof *kind);
	for (size_t i = 0; i < LAUNCHES; i++) {
		for (size_t sm = 0; sm < SMS; sm++) {
			struct ws_counts one[WS_KINDS + 1];
			struct ws_sim *sim;

			if (kernel && strcmp(f->launch[i].kernel, kernel))
				continue;
			if (ws_sim_new(&sim, cache, NULL)
			    || ws_sim_push(sim, f->sm[i][sm].request, f->sm[i][sm].count, NULL)) {
				test_ok(false, "a simulator for SM %zu", sm);
				return;
			}
			ws_sim_counts(sim, one);
			ws_sim_free(sim);
			for (int k = 0; k <= WS_KINDS; k++)
				ws_counts_add(&kind[k], &one[k]);
		}
	}
}

static void simulate(const struct fixture *f)
{
	const char *const kernel[] = { "a", "b", NULL };
	struct ws_counts got[WS_KINDS + 1], want[WS_KINDS + 1];
	struct ws_err err = { 0 };
	struct ws_cache unknown = f->machine.l1;

	for (size_t i = 0; i < WS_COUNT(kernel); i++) {
		bool good = !ws_simulate(f->launch, LAUNCHES, kernel[i], &f->machine.l1, 1, got,
					 NULL);

		apart(f, kernel[i], &f->machine.l1, want);
		test_ok(good && got[WS_KINDS].requests && memcmp(got, want, sizeof got) == 0,
			"SMs and launches of %s do not see each other's caches",
			kernel[i] ? kernel[i] : "all kernels");
	}
	test_ok(ws_simulate(f->launch, LAUNCHES, "c", &f->machine.l1, 1, got, &err) == WS_EINVAL
		&& strstr(err.text, "kernel c") && !got[WS_KINDS].requests,
		"refuses a kernel that is not there: %s", err.text);
	snprintf(unknown.policy, sizeof unknown.policy, "no-such");
	test_ok(ws_simulate(f->launch, LAUNCHES, NULL, &unknown, 1, got, NULL) == WS_EINVAL,
		"refuses a policy that is not there");
	test_ok(!ws_simulate(NULL, 0, NULL, &f->machine.l1, 1, got, NULL)
		&& !got[WS_KINDS].requests, "no launches: nothing counted");
}

static bool check_line(const struct fixture *f, size_t section, const struct ws_shape *shape,
		       uint64_t ways, const char *policy, double bound, struct ws_check *out)
{
	struct ws_cache c = f->machine.l1;
	uint64_t sets = shape->sets;

	c.line_bytes = shape->line_bytes;
	c.sector_bytes = ws_shape_sector(&f->machine, c.line_bytes);
	c.sets = sets;
	c.ways = ways;
	c.size_bytes = sets * ways * c.line_bytes;
	snprintf(c.policy, sizeof c.policy, "%s", policy);
	return !ws_crosscheck(f->profile, section, f->launch, LAUNCHES, &c, bound, out, NULL);
}

static bool check(const struct fixture *f, size_t section, uint64_t sets, uint64_t ways,
		  const char *policy, double bound, struct ws_check *out)
{
	const struct ws_shape shape = { f->machine.l1.line_bytes, sets };

	return check_line(f, section, &shape, ways, policy, bound, out);
}

/* The same streams cut or merged, for the profile and for the simulator. */
static void other_lines(const struct fixture *f)
{
	static const struct ws_shape shape[] = { { 32, 16 }, { 64, 8 }, { 256, 16 }, { 1024, 1 } };
	static const uint64_t ways[] = { 1, 2, 5, 31, 200 };

	for (size_t s = 0; s < WS_COUNT(shape); s++) {
		unsigned bad = 0;
		struct ws_check c, own;

		for (size_t section = 0; section < 2; section++)
			for (size_t w = 0; w < WS_COUNT(ways); w++)
				bad += !check_line(f, section, &shape[s], ways[w], "lru", 0, &c) ||
				       c.model.basis != WS_EXACT || !c.within_bound;
		test_ok(!bad, "lines of %" PRIu64 " B, %s, sectors of %" PRIu64
			": %u of %zu checks differ", shape[s].line_bytes,
			write_names[f->machine.l1.write], f->machine.l1.sector_bytes, bad,
			2 * WS_COUNT(ways));
		test_ok(check(f, 1, 16, 4, "lru", 0, &own) &&
			(shape[s].line_bytes < 128 ? c.exact[WS_KINDS].requests >
							     own.exact[WS_KINDS].requests
						   : c.exact[WS_KINDS].requests > 0),
			"shorter lines are more requests");
	}
}

/* LRU is exact: every count of every kind, for any sets profiled and any ways. */
static void exact(const struct fixture *f)
{
	static const uint64_t sets[] = { 1, 8, 16 }, ways[] = { 1, 2, 3, 5, 8, 31, 200, 5000 };
	unsigned bad = 0;

	for (size_t section = 0; section < 2; section++) {
		for (size_t s = 0; s < WS_COUNT(sets); s++) {
			for (size_t w = 0; w < WS_COUNT(ways); w++) {
				struct ws_check c;

				bad += !check(f, section, sets[s], ways[w], "lru", 0, &c)
					|| c.model.basis != WS_EXACT || !c.within_bound
					|| c.error_pp > 0 || !c.exact[WS_LOAD].hits
					|| !ws_counts_check(&c.exact[WS_KINDS]);
			}
		}
	}
	test_ok(!bad, "LRU, %s, sectors of %" PRIu64 ": %u of %zu checks differ",
		write_names[f->machine.l1.write], f->machine.l1.sector_bytes, bad,
		2 * WS_COUNT(sets) * WS_COUNT(ways));
}

/* A profile with one count moved: the miss ratio may stay, the check must not pass. */
static void tampered(struct fixture *f)
{
	struct ws_section *section = &f->profile->section[0];
	struct ws_histogram *h = NULL;
	struct ws_check c;

	for (size_t i = 0; i < section->geometries; i++)
		if (section->geometry[i].sets == 16 && section->geometry[i].line_bytes == 128)
			h = &section->geometry[i].kind[WS_LOAD];
	if (!h || !h->cold) {
		test_ok(false, "a profile of 16 sets with cold loads");
		return;
	}
	h->cold--;
	h->uncached++;
	test_ok(check(f, 0, 16, 4, "lru", 100, &c) && !c.within_bound && c.error_pp >= 100,
		"a miss of the wrong class is a difference");
	h->cold++;
	h->uncached--;
	test_ok(check(f, 0, 16, 4, "lru", 0, &c) && c.within_bound, "and none when put back");
	f->sm[0][2].count--;
	test_ok(check(f, 0, 16, 4, "lru", 100, &c) && !c.within_bound && c.error_pp >= 100,
		"one request less is a difference");
	f->sm[0][2].count++;
}

/* Every approximate policy of the table: the error is that of the miss ratio, and the bound
 * is a number of points or the prediction's own interval. */
static void approximate(struct fixture *f)
{
	size_t found = 0;

	for (size_t i = 0; ws_policies[i]; i++) {
		struct ws_use use;
		char name[WS_NAME_MAX];
		struct ws_check c, below, own, other;
		double model, exact;

		if (ws_policies[i]->basis != WS_APPROX)
			continue;
		found++;
		snprintf(name, sizeof name, "%s", ws_policies[i]->name);
		if (ws_use_parse(&use, name, NULL)) /* it wants a weight for each way */
			snprintf(name, sizeof name, "%s:1,2,3,4", ws_policies[i]->name);
		if (!check(f, 0, 16, 4, name, 1e9, &c) || !check(f, 0, 16, 4, name, 0, &below) ||
		    !check(f, 0, 16, 4, name, -1, &own)) {
			test_ok(false, "%s: checked", name);
			continue;
		}
		model = ws_miss_ratio(&c.model.kind[WS_KINDS], false);
		exact = ws_miss_ratio(&c.exact[WS_KINDS], false);
		test_abs(c.error_pp, 100 * fabs(model - exact), 1e-9, name);
		test_ok(c.within_bound && below.within_bound == (c.error_pp <= 0),
			"%s: bounds above and below", name);
		test_ok(own.within_bound == (exact >= own.model.low[WS_KINDS] - 1e-9 &&
					     exact <= own.model.high[WS_KINDS] + 1e-9) &&
			model >= own.model.low[WS_KINDS] && model <= own.model.high[WS_KINDS],
			"%s: its own interval holds the model and, or not, the simulation", name);
		f->sm[2][0].count--;
		test_ok(check(f, 0, 16, 4, name, 1e9, &other) && !other.within_bound &&
			!other.agree, "%s: other streams than were profiled", name);
		f->sm[2][0].count++;
	}
	if (!found)
		test_skip("approximate policies", "the table has none");
}

/* A prediction of 400 misses of 1000, and a simulation of so many. */
static struct ws_check made(enum ws_basis basis, uint64_t misses)
{
	const unsigned all[] = { WS_LOAD, WS_KINDS };
	struct ws_check c = { .model = { .basis = basis } };

	for (size_t i = 0; i < WS_COUNT(all); i++) {
		c.model.kind[all[i]] = (struct ws_counts){ .requests = 1000, .hits = 600,
							   .misses = 400, .capacity = 400 };
		c.model.low[all[i]] = 0.38;
		c.model.high[all[i]] = 0.41;
		c.exact[all[i]] = (struct ws_counts){ .requests = 1000, .hits = 1000 - misses,
						      .misses = misses, .capacity = misses };
	}
	return c;
}

static bool judged(enum ws_basis basis, uint64_t misses, double bound)
{
	struct ws_check c = made(basis, misses);

	ws_check_judge(&c, false, bound);
	return c.within_bound && c.agree;
}

static void judgement(void)
{
	struct ws_check c = made(WS_APPROX, 395);

	test_ok(judged(WS_APPROX, 380, -1) && judged(WS_APPROX, 410, -1),
		"the ends of the interval are within");
	test_ok(!judged(WS_APPROX, 379, -1) && !judged(WS_APPROX, 411, -1),
		"what lies beyond is not");
	test_ok(judged(WS_APPROX, 420, 2 + 1e-9) && !judged(WS_APPROX, 421, 2 + 1e-9),
		"a bound in points, whatever the interval");
	test_ok(judged(WS_APPROX, 400, 0) && !judged(WS_APPROX, 401, 0), "a bound of 0");
	test_ok(judged(WS_EXACT, 400, -1) && !judged(WS_EXACT, 401, -1) &&
		!judged(WS_EXACT, 401, 100), "an exact one has no bound");
	ws_check_judge(&c, false, -1);
	test_abs(c.error_pp, 0.5, 1e-12, "points");
	c.exact[WS_LOAD].requests++;
	ws_check_judge(&c, false, 100);
	test_ok(!c.agree && !c.within_bound && c.error_pp >= 100, "other requests do not agree");
}

static void errors(const struct fixture *f)
{
	struct ws_err err = { 0 };
	struct ws_check c;
	struct ws_cache cache = f->machine.l1;

	test_ok(ws_crosscheck(f->profile, 2, f->launch, LAUNCHES, &cache, 1, &c, &err) == WS_EINVAL
		&& !c.within_bound, "refuses section 2 of 2: %s", err.text);
	test_ok(!check(f, 0, 16, 4, "no-such", 1, &c), "refuses a policy that is not there");
	test_ok(!check(f, 0, 4, 4, "lru", 1, &c), "refuses sets that were not profiled");
	err = (struct ws_err){ 0 };
	test_ok(ws_crosscheck(f->profile, 1, f->launch, 1, &cache, 1, &c, &err) == WS_EINVAL &&
			strstr(err.text, "kernel b"),
		"refuses streams without the kernel: %s", err.text);
}

int main(void)
{
	struct ws_rng rng;

	setenv("WARPSTACK_DATA", "data", 1);
	ws_rng_seed(&rng, test_seed(31337));
	for (int write = WS_WRITE_BACK; write <= WS_WRITE_EVICT; write++) {
		for (uint64_t sector = 32; sector <= 128; sector *= 4) {
			struct fixture *f = fixture_new((enum ws_write)write, sector, &rng);

			if (!test_ok(f, "streams and their profile"))
				continue;
			exact(f);
			other_lines(f);
			if (write == WS_WRITE_EVICT) {
				simulate(f);
				tampered(f);
				approximate(f);
				errors(f);
			}
			fixture_free(f);
		}
	}
	judgement();
	return test_done();
}
