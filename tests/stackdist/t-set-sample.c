/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/stackdist/t-set-sample.c -- samples of sets: of random launches, what is in them is what a
 * filter over all requests leaves, times included where there are any, whatever the threads;
 * profiles of parts add up to the sample of the whole; damaged ones are refused.
 */
#include "tests/test.h"

#include "stackdist/sample/set_sample.h"
#include "tests/stackdist/memory.h"

#define SMS 5u
#define LAUNCHES 3u
#define REQUESTS 900u

struct all {			/* requests of all launches and SMs */
	struct ws_machine machine;
	enum ws_order order;
	struct ws_request request[LAUNCHES][SMS][REQUESTS];
	size_t count[LAUNCHES][SMS];
	uint64_t most;
};

static bool machine(struct ws_machine *m, struct ws_rng *rng)
{
	static const char *const sector[] = { "l1.sector=32", "l1.sector=64", "l1.sector=128" };
	static const char *const hash[] = { "l1.hash=modulo", "l1.hash=fermi", "l1.hash=xor" };
	char write[64];

	if (!memory_machine(m, NULL))
		return false;
	snprintf(write, sizeof write, "l1.write=%s", stream_write_names[ws_rng_below(rng, 4)]);
	m->l1.alloc = (enum ws_alloc_when)ws_rng_below(rng, 2);
	return !ws_machine_set(m, sector[ws_rng_below(rng, 3)], NULL) &&
	       !ws_machine_set(m, hash[ws_rng_below(rng, 3)], NULL) &&
	       !ws_machine_set(m, write, NULL) && !ws_machine_check(m, NULL);
}

static void fill(struct all *a, struct ws_rng *rng)
{
	for (unsigned i = 0; i < LAUNCHES * SMS; i++) {
		struct ws_request *r = a->request[i / SMS][i % SMS];
		size_t n = ws_rng_below(rng, 5) ? ws_rng_below(rng, REQUESTS) : 0;

		a->count[i / SMS][i % SMS] = n;
		stream_fill(rng, &a->machine.l1, 1 + (unsigned)ws_rng_below(rng, 300), 4, 1, r, n);
		for (size_t k = 0; k < n; k++) {
			r[k].instruction = (uint32_t)ws_rng_below(rng, 9);
			r[k].cycle = (k ? r[k - 1].cycle : 0) + ws_rng_below(rng, 300);
			r[k].fetch = ws_rng_u64(rng) >> (30 + ws_rng_below(rng, 34));
		}
	}
}

/* Launches from .. to - 1; sms: those counted, 0: all. */
static struct ws_profile *measure(const struct all *a, unsigned from, unsigned to, uint64_t sms,
				  uint64_t sets, unsigned threads)
{
	const struct ws_shape shape = { a->machine.l1.line_bytes, sets };
	struct ws_profile_options o = {
		.shape = &shape, .shapes = 1, .record = WS_RECORD_DETAIL | WS_RECORD_SETS,
		.order = a->order, .seed = 5, .threads = threads, .set_sample = a->most,
		.sm = { sms },
	};
	struct ws_order_stats stats = { .resident_ctas = 1 };
	struct ws_profile *p = NULL;
	struct ws_profiler *made;
	bool ok = !ws_profiler_new(&made, &a->machine, &o, NULL);

	for (unsigned i = from; ok && i < to; i++) {
		struct ws_launch launch = { .kernel = (char[]){ "k" }, .grid = { SMS, 1, 1 },
					    .block = { 32, 1, 1 }, .ctas = SMS };

		ok = !ws_profiler_launch(made, &launch, NULL);
		for (unsigned sm = 0; ok && sm < SMS; sm++)
			ok = !ws_profiler_push(made, sm, a->request[i][sm], a->count[i][sm], NULL);
		ok = ok && !ws_profiler_end(made, &stats, NULL);
	}
	ok = ok && !ws_profiler_finish(made, &p, NULL);
	ws_profiler_free(made);
	return ok ? p : NULL;
}

/* ---- the reference: a filter -------------------------------------------------------------- */

/* Does nothing to the cache, whatever its size: an atomic, a store to a line that no request of the
 * SM in the launch has brought in. */
static bool idle(const struct all *a, unsigned launch, unsigned sm, size_t at)
{
	const struct ws_request *r = a->request[launch][sm];

	if (r[at].kind == WS_ATOMIC)
		return true;
	if (r[at].kind == WS_LOAD || ws_store_allocates(a->machine.l1.write))
		return false;
	for (size_t i = 0; i < at; i++)
		if (r[i].kind == WS_LOAD && r[i].address == r[at].address)
			return false;
	return true;
}

static bool chosen(const struct all *a, const struct ws_cache *cache, unsigned launch, unsigned sm,
		   size_t at, unsigned halvings)
{
	uint64_t set = ws_set_index(cache, a->request[launch][sm][at].address);

	return !idle(a, launch, sm, at) && ws_set_sampled(sm, set, halvings);
}

/* Requests of the sample at so many halvings; *sets: of how many sets. */
static uint64_t count_chosen(const struct all *a, const struct ws_cache *cache, unsigned halvings,
			     uint64_t *sets)
{
	uint64_t requests = 0;

	*sets = 0;
	for (unsigned i = 0; i < LAUNCHES * SMS; i++) {
		unsigned launch = i / SMS, sm = i % SMS;
		bool seen[1024] = { false };

		for (size_t k = 0; k < a->count[launch][sm]; k++) {
			uint64_t set = ws_set_index(cache, a->request[launch][sm][k].address);

			if (!chosen(a, cache, launch, sm, k, halvings))
				continue;
			requests++;
			*sets += !seen[set];
			seen[set] = true;
		}
	}
	return requests;
}

static unsigned halvings_of(const struct all *a, const struct ws_cache *cache)
{
	uint64_t sets, requests;

	for (unsigned h = 0; ; h++) {
		requests = count_chosen(a, cache, h, &sets);
		if (requests <= a->most || (sets <= 16 && requests < 4 * a->most + 4))
			return h;
	}
}

/* Of one run; the next of the sample is *run. */
static bool same_run(const struct all *a, const struct ws_cache *cache, unsigned launch,
		     unsigned sm, unsigned halvings, const struct ws_sampled_run *run)
{
	bool sectored = cache->sector_bytes < cache->line_bytes, same = true;
	uint32_t every = UINT32_MAX >> (32 - cache->line_bytes / WS_SECTOR_BYTES);
	static uint64_t address[REQUESTS];
	uint32_t idle_of[1024] = { 0 };
	struct ws_run_reader reader = ws_run_read(run, cache->line_bytes, sectored, address);
	bool timed = a->machine.l1.alloc == WS_ALLOC_ON_FILL && a->order == WS_ORDER_CYCLES;

	for (size_t k = 0; k < a->count[launch][sm] && same; k++) {
		const struct ws_request *r = a->request[launch][sm] + k;
		uint32_t *left_out = idle_of + ws_set_index(cache, r->address);
		struct ws_sampled_request s;

		*left_out += idle(a, launch, sm, k) && r->kind != WS_ATOMIC;
		if (!chosen(a, cache, launch, sm, k, halvings))
			continue;
		same = ws_run_next(&reader, &s) && s.address == r->address && s.idle == *left_out &&
		       s.kind == r->kind && s.instruction == r->instruction &&
		       s.sectors == (sectored ? r->sectors : every) &&
		       address[s.line] == r->address &&
		       s.cycle == (timed ? r->cycle : 0) && s.fetch == (timed ? r->fetch : 0);
		*left_out = 0;
	}
	return same && !reader.left && run->launch == launch && run->sm == sm &&
	       run->timed == timed;
}

static bool any_chosen(const struct all *a, const struct ws_cache *cache, unsigned launch,
		       unsigned sm, unsigned halvings)
{
	for (size_t k = 0; k < a->count[launch][sm]; k++)
		if (chosen(a, cache, launch, sm, k, halvings))
			return true;
	return false;
}

static void filtered(const struct all *a, const struct ws_profile *p, uint64_t sets)
{
	const struct ws_geometry *g = ws_section_geometry(p->section, a->machine.l1.line_bytes,
							  sets);
	struct ws_cache cache = ws_geometry_cache(&a->machine, g->line_bytes, g->sector_bytes,
						  sets);
	unsigned halvings = halvings_of(a, &cache);
	uint64_t requests = 0;
	size_t run = 0;
	bool same = g->sample->halvings == halvings;

	test_u64(g->sample->halvings, halvings, "halvings");
	for (unsigned i = 0; i < LAUNCHES * SMS && same; i++) {
		if (!any_chosen(a, &cache, i / SMS, i % SMS, halvings))
			continue;
		same = run < g->sample->runs && same_run(a, &cache, i / SMS, i % SMS, halvings,
							 g->sample->run + run);
		requests += same ? g->sample->run[run].requests : 0;
		run++;
	}
	test_ok(same && run == g->sample->runs && requests == g->sample->requests,
		"%llu sets, at most %llu requests: the sample is what a filter leaves",
		(unsigned long long)sets, (unsigned long long)a->most);
}

/* ---- parts --------------------------------------------------------------------------------- */

static bool same_bytes(const struct ws_profile *a, const struct ws_profile *b)
{
	struct memory x = memory_write(a), y = memory_write(b);
	bool same = x.data && y.data && x.len == y.len && !memcmp(x.data, y.data, x.len);

	free(x.data);
	free(y.data);
	return same;
}

static void adds_up(const char *what, struct ws_profile *to, struct ws_profile *from,
		    const struct ws_profile *whole)
{
	bool ok = to && from && !ws_profile_merge(to, from, NULL);

	test_ok(ok && same_bytes(to, whole), "%s add up", what);
	ws_profile_free(to);
	ws_profile_free(from);
}

static void damage(const struct ws_profile *p, struct ws_rng *rng)
{
	struct memory m = memory_write(p);
	bool ok = m.data != NULL;

	for (int i = 0; i < 25 && ok; i++) {
		size_t at = ws_rng_below(rng, m.len);
		char was = m.data[at];

		m.data[at] ^= (char)(1 << ws_rng_below(rng, 8));
		ok = memory_try((const uint8_t *)m.data, m.len) &&
		     memory_try((const uint8_t *)m.data, at);
		m.data[at] = was;
	}
	test_ok(ok, "damaged files");
	free(m.data);
}

/* Contents of a sample that are damaged, which a checksum of the file does not see. */
static void wrong(struct ws_profile *p, struct ws_rng *rng)
{
	struct ws_set_sample *s = p->section->geometry->sample;
	struct ws_sampled_run *run = s->runs ? s->run + ws_rng_below(rng, s->runs) : NULL;
	bool ok = true;

	for (int i = 0; run && i < 70 && ok; i++) {
		uint8_t *byte = run->code + ws_rng_below(rng, run->bytes), was = *byte;
		struct ws_profile *again = NULL;
		struct memory m;

		*byte ^= (uint8_t)(1u << ws_rng_below(rng, 8));
		m = memory_write(p);
		if (m.data && !memory_read(&again, m.data, m.len, NULL))
			ok = memory_comes_back(again);
		ws_profile_free(again);
		free(m.data);
		*byte = was;
	}
	test_ok(ok, "damaged samples are refused, or are others");
}

static void once(struct all *a, struct ws_rng *rng)
{
	uint64_t sets = 1ull << ws_rng_below(rng, 8);
	struct ws_profile *p, *other;

	if (!machine(&a->machine, rng) ||
	    (sets != 32 && sets != 64 && ws_machine_set(&a->machine, "l1.hash=modulo", NULL))) {
		test_ok(false, "a machine");
		return;
	}
	fill(a, rng);
	a->order = (enum ws_order)ws_rng_below(rng, 2);
	a->most = 1 + ws_rng_below(rng, ws_rng_below(rng, 2) ? 20000 : 1500);
	p = measure(a, 0, LAUNCHES, 0, sets, 1);
	other = measure(a, 0, LAUNCHES, 0, sets, 3);
	test_ok(p && other && same_bytes(p, other), "the same on three threads");
	ws_profile_free(other);
	if (!p)
		return;
	filtered(a, p, sets);
	test_ok(memory_comes_back(p), "written and read");
	adds_up("launches", measure(a, 0, 1, 0, sets, 1), measure(a, 1, LAUNCHES, 0, sets, 1), p);
	adds_up("SMs", measure(a, 0, LAUNCHES, 0x15, sets, 1),
		measure(a, 0, LAUNCHES, 0x0a, sets, 1), p);
	damage(p, rng);
	wrong(p, rng);
	ws_profile_free(p);
}

int main(void)
{
	uint64_t seed = test_seed(7331);
	struct all *a = ws_alloc_zero(1, sizeof *a);
	struct ws_rng rng;

	ws_rng_seed(&rng, seed);
	for (int i = 0; i < 20 && a; i++)
		once(a, &rng);
	free(a);
	return test_done();
}
