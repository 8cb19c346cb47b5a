/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/stackdist/t-profiler.c -- histograms: equal to a count of distances
 * taken with one stack per SM and launch, whatever the batches and threads.
 */
#include "tests/test.h"

#include "tests/ref/stack.h"
#include "tests/stackdist/memory.h"

#define SMS 3u
#define LAUNCH_MAX 300u
#define LINES 40u

static struct ws_machine small(struct ws_rng *rng, unsigned write)
{
	struct ws_machine m = { .sm_count = SMS, .l1_parts = 1, .l1 = stream_cache(rng) };

	m.l1.hash = ws_hash_find("modulo");
	m.l1.write = (enum ws_write)write;
	return m;
}

/* Adds the requests of one SM and launch to want[kind]; LINES long each. */
static bool add_reference(struct ws_histogram *want, const struct ws_cache *l1, uint64_t sets,
			  const struct ws_request *r, size_t n)
{
	static uint32_t d[LAUNCH_MAX], q[LAUNCH_MAX];
	struct ws_cache c = *l1, full = *l1;

	c.sets = sets;
	full.sets = 1;
	if (!ref_distances(&c, LINES, r, n, d) || !ref_distances(&full, LINES, r, n, q))
		return false;
	for (size_t i = 0; i < n; i++) {
		struct ws_histogram *h = want + r[i].kind;
		uint64_t capacity = q[i] / sets < d[i] ? q[i] / sets : d[i];

		h->requests++;
		h->cold += d[i] == WS_DISTANCE_COLD;
		h->uncached += d[i] == WS_DISTANCE_UNCACHED;
		if (d[i] <= WS_DISTANCE_MAX) {
			h->distance[d[i]]++;
			h->capacity[capacity]++;
		}
	}
	return true;
}

static bool same_counts(const uint64_t *got, size_t len, const uint64_t *want)
{
	for (size_t i = 0; i < LINES; i++)
		if ((i < len ? got[i] : 0) != want[i])
			return false;
	return len <= LINES;
}

static bool same_histogram(const struct ws_histogram *got, const struct ws_histogram *want)
{
	return got->requests == want->requests && got->cold == want->cold &&
	       got->uncached == want->uncached &&
	       same_counts(got->distance, got->len, want->distance) &&
	       same_counts(got->capacity, got->len, want->capacity);
}

struct launches {
	struct ws_request r[2][SMS][LAUNCH_MAX];
	size_t n[2][SMS];
};

static bool compare(const struct ws_machine *m, const struct launches *l,
		    const struct ws_geometry *g)
{
	uint64_t distance[WS_KINDS][LINES] = { 0 }, capacity[WS_KINDS][LINES] = { 0 };
	struct ws_histogram want[WS_KINDS] = { 0 };

	for (unsigned kind = 0; kind < WS_KINDS; kind++) {
		want[kind].distance = distance[kind];
		want[kind].capacity = capacity[kind];
	}
	for (unsigned i = 0; i < 2; i++)
		for (unsigned sm = 0; sm < SMS; sm++)
			if (!add_reference(want, &m->l1, g->sets, l->r[i][sm], l->n[i][sm]))
				return false;
	for (unsigned kind = 0; kind < WS_KINDS; kind++)
		if (!same_histogram(g->kind + kind, want + kind))
			return false;
	return true;
}

static struct ws_profile *gather(const struct ws_machine *m, const struct launches *l,
				 struct ws_rng *rng, const uint64_t *sets, size_t count)
{
	char name[] = "kernel";
	struct ws_launch launch = { .kernel = name, .grid = { 3, 1, 1 }, .block = { 8, 2, 1 },
				    .ctas = 3 };
	struct ws_order_stats stats = { .cycles = 7, .warp_instructions = 5, .resident_ctas = 2 };
	struct ws_err err = { 0 };
	struct ws_profiler *p = NULL;
	struct ws_profile *out = NULL;
	struct ws_shape shape[8];
	struct ws_profile_options options = { .shape = shape, .shapes = count };
	bool ok;

	for (size_t i = 0; i < count; i++)
		shape[i] = (struct ws_shape){ m->l1.line_bytes, sets[i] };
	options.threads = 1 + (unsigned)ws_rng_below(rng, 2);
	ok = !ws_profiler_new(&p, m, &options, &err);

	for (unsigned i = 0; i < 2 && ok; i++) {
		size_t done[SMS] = { 0 }, left = 0;

		for (unsigned sm = 0; sm < SMS; sm++)
			left += l->n[i][sm];
		ok = !ws_profiler_launch(p, &launch, &err);
		while (ok && left) {
			uint64_t sm = ws_rng_below(rng, SMS);
			size_t n = ws_rng_below(rng, l->n[i][sm] - done[sm] + 1);

			ok = !ws_profiler_push(p, sm, l->r[i][sm] + done[sm], n, &err);
			done[sm] += n;
			left -= n;
		}
		ok = ok && !ws_profiler_end(p, &stats, &err);
	}
	ok = ok && !ws_profiler_finish(p, &out, &err);
	ws_profiler_free(p);
	if (!ok)
		printf("# %s\n", err.text);
	return out;
}

static bool section_ok(const struct ws_section *s)
{
	return !strcmp(s->kernel, "kernel") && s->grid[0] == 3 && s->block[1] == 2 &&
	       s->launches == 2 && s->ctas == 6 && s->warp_instructions == 10 &&
	       s->cycles == 14 && s->resident_ctas == 2;
}

static bool one(struct ws_rng *rng, unsigned write)
{
	static const uint64_t some[] = { 5, 2, 1, 5, 8 }, no_one[] = { 7, 3 };
	static struct launches l;
	struct ws_machine m = small(rng, write);
	bool with_one = ws_rng_below(rng, 2);
	struct ws_profile *p;
	bool ok;

	for (unsigned i = 0; i < 2; i++)
		for (unsigned sm = 0; sm < SMS; sm++) {
			l.n[i][sm] = ws_rng_below(rng, LAUNCH_MAX);
			stream_fill(rng, &m.l1, 2 + (unsigned)ws_rng_below(rng, LINES - 1), 4, 1,
				    l.r[i][sm], l.n[i][sm]);
		}
	p = with_one ? gather(&m, &l, rng, some, 5) : gather(&m, &l, rng, no_one, 2);
	ok = p && p->sections == 1 && p->section->geometries == (with_one ? 4 : 2) &&
	     section_ok(p->section) && !ws_section_geometry(p->section, m.l1.line_bytes, 4) &&
	     !ws_section_geometry(p->section, 2 * m.l1.line_bytes, 5) &&
	     ws_section_geometry(p->section, m.l1.line_bytes, with_one ? 8 : 3);
	for (size_t i = 0; ok && i < p->section->geometries; i++)
		ok = compare(&m, &l, p->section->geometry + i);
	ws_profile_free(p);
	return ok;
}

static void counts(uint64_t seed)
{
	const int times = 15;
	struct ws_rng rng;

	ws_rng_seed(&rng, seed);
	for (unsigned write = WS_WRITE_BACK; write <= WS_WRITE_EVICT; write++) {
		int same = 0;

		while (same < times && one(&rng, write))
			same++;
		test_ok(same == times, "%s: %d profiles as counted", stream_write_names[write],
			same);
	}
}

/* More requests than are gathered at once, in single file: a sweep of 30000
 * lines, so the distances and the capacity misses are known. */
static void large(void)
{
	enum { COUNT = 30000, ROUNDS = 20 };
	struct ws_machine m = { .sm_count = 1, .l1_parts = 1,
				 .l1 = { .line_bytes = 128, .sector_bytes = 128 } };
	struct ws_request *r = ws_alloc_zero(COUNT, sizeof *r);
	struct ws_launch launch = { .kernel = (char[]){ "sweep" }, .ctas = 1 };
	struct ws_order_stats stats = { 0 };
	const struct ws_shape shape[] = { { 128, 1 }, { 128, 16 } };
	const struct ws_profile_options options = { .shape = shape, .shapes = 2, .threads = 2 };
	struct ws_profiler *p = NULL;
	struct ws_profile *out = NULL;
	struct ws_err err = { 0 };
	bool ok = r != NULL;

	m.l1.hash = ws_hash_find("modulo");
	ok = ok && !ws_profiler_new(&p, &m, &options, &err) &&
	     !ws_profiler_launch(p, &launch, &err);
	for (size_t i = 0; ok && i < COUNT; i++)
		r[i].address = i * 128;
	for (int i = 0; ok && i < ROUNDS; i++)
		ok = !ws_profiler_push(p, 0, r, COUNT, &err);
	ok = ok && !ws_profiler_end(p, &stats, &err) && !ws_profiler_finish(p, &out, &err);
	if (test_ok(ok, "a long stream: %s", err.text)) {
		const struct ws_histogram *one = out->section->geometry[0].kind;
		const struct ws_histogram *many = out->section->geometry[1].kind;

		test_u64(one->len, COUNT, "longest distance and 1");
		test_u64(one->distance[COUNT - 1], COUNT * (ROUNDS - 1), "all there");
		test_u64(many->len, COUNT / 16, "the same in 16 sets");
		test_u64(many->distance[COUNT / 16 - 1], COUNT * (ROUNDS - 1), "all there");
		/* floor(29999 / 16) = 1874: all are capacity misses wherever they miss. */
		test_u64(many->capacity[1874], COUNT * (ROUNDS - 1), "capacity");
		test_u64(many->cold, COUNT, "cold");
	}
	ws_profile_free(out);
	ws_profiler_free(p);
	free(r);
}

/* ---- several arenas in flight ------------------------------------------------- */

#define LONG 90000u		/* requests of an SM: more than are gathered at once, for all */

struct feed {
	struct ws_request *r[SMS];
	size_t at[SMS];
};

static void fill_long(struct ws_request *r, struct ws_rng *rng)
{
	for (size_t i = 0; i < LONG; i++)
		r[i] = (struct ws_request){
			.address = ws_rng_below(rng, 1 + ws_rng_below(rng, 5000)) * 128,
			.sectors = 1 + (uint32_t)ws_rng_below(rng, 15),
			.kind = (uint8_t)(ws_rng_below(rng, 20) ? WS_LOAD :
					  ws_rng_below(rng, 3) ? WS_STORE : WS_ATOMIC),
			.cycle = i, .follows = i && ws_rng_below(rng, 2),
		};
}

/* Pushes what is left in pieces of up to `most`, each of whole warp instructions. */
static bool push_long(struct ws_profiler *p, struct feed *f, size_t most, struct ws_rng *rng)
{
	memset(f->at, 0, sizeof f->at);
	while (f->at[0] < LONG || f->at[1] < LONG || f->at[2] < LONG) {
		size_t sm = ws_rng_below(rng, SMS), n = 1 + ws_rng_below(rng, most);
		struct ws_request *r = f->r[sm] + f->at[sm];

		n = n < LONG - f->at[sm] ? n : LONG - f->at[sm];
		while (f->at[sm] + n < LONG && r[n].follows)
			n++;
		if (ws_profiler_push(p, sm, r, n, NULL))
			return false;
		f->at[sm] += n;
	}
	return true;
}

static struct memory long_bytes(const struct ws_machine *m, struct feed *f, unsigned threads,
				size_t most, struct ws_profile **profile)
{
	static const struct ws_shape shape[] = { { 128, 32 }, { 128, 1 }, { 32, 64 }, { 64, 8 } };
	const struct ws_profile_options options = { .shape = shape, .shapes = 4, .seed = 1,
						    .threads = threads,
						    .record = WS_RECORD_DEFAULT };
	struct ws_launch launch = { .kernel = (char[]){ "long" }, .ctas = 1,
				    .grid = { 1, 1, 1 }, .block = { 32, 1, 1 } };
	struct ws_order_stats stats = { .cycles = 1 };
	struct memory bytes = { NULL, 0 };
	struct ws_profiler *p = NULL;
	struct ws_rng rng;

	ws_rng_seed(&rng, most);
	*profile = NULL;
	if (!ws_profiler_new(&p, m, &options, NULL) && !ws_profiler_launch(p, &launch, NULL) &&
	    push_long(p, f, most, &rng) && !ws_profiler_end(p, &stats, NULL) &&
	    !ws_profiler_finish(p, profile, NULL))
		bytes = memory_write(*profile);
	ws_profiler_free(p);
	return bytes;
}

/* As one stack per SM counts the loads. */
static bool as_stacks(const struct ws_machine *m, const struct feed *f,
		      const struct ws_profile *p)
{
	const struct ws_geometry *g = ws_section_geometry(p->section, 128, 32);
	uint64_t *want = ws_alloc_zero(LONG, sizeof *want);
	uint32_t *d = ws_alloc(LONG, sizeof *d);
	struct ws_cache cache = m->l1;
	bool same = want && d;

	cache.sets = 32;
	for (unsigned sm = 0; sm < SMS && same; sm++) {
		struct ws_stack *s = NULL;

		same = !ws_stack_new(&s, &cache, 1, NULL) &&
		       !ws_stack_push(s, f->r[sm], LONG, d, NULL);
		for (size_t i = 0; i < LONG && same; i++)
			if (f->r[sm][i].kind == WS_LOAD && d[i] <= WS_DISTANCE_MAX)
				want[d[i]]++;
		ws_stack_free(s);
	}
	for (size_t i = 0; i < LONG && same; i++)
		same = want[i] == (i < g->kind->len ? g->kind->distance[i] : 0);
	free(want);
	free(d);
	return same;
}

static void arenas(uint64_t seed)
{
	struct ws_machine m = { .sm_count = SMS, .l1_parts = 1 };
	struct feed f = { .at = { 0 } };
	struct ws_rng rng;
	bool room = memory_machine(&m, NULL) && !ws_machine_set(&m, "l1.sector=32", NULL) &&
		    !ws_machine_check(&m, NULL);

	ws_rng_seed(&rng, seed);
	for (unsigned sm = 0; sm < SMS; sm++) {
		f.r[sm] = ws_alloc(LONG, sizeof **f.r);
		room = room && f.r[sm];
		if (room)
			fill_long(f.r[sm], &rng);
	}
	for (unsigned write = WS_WRITE_BACK; room && write <= WS_WRITE_EVICT; write++) {
		struct ws_profile *one, *three;
		struct memory a, b;

		m.l1.write = (enum ws_write)write;
		a = long_bytes(&m, &f, 1, 3000, &one);
		b = long_bytes(&m, &f, 3, 70000, &three);
		test_ok(a.data && a.len == b.len && !memcmp(a.data, b.data, a.len) &&
			as_stacks(&m, &f, one), "%s: long streams, whatever the pieces and threads",
			stream_write_names[write]);
		ws_profile_free(one);
		ws_profile_free(three);
		free(a.data);
		free(b.data);
	}
	for (unsigned sm = 0; sm < SMS; sm++)
		free(f.r[sm]);
}

/* Two lines that fall into one set of two: conflict, but no capacity miss. */
static void conflict(void)
{
	struct ws_machine m = { .sm_count = 1, .l1_parts = 1,
				 .l1 = { .line_bytes = 128, .sector_bytes = 128 } };
	struct ws_request r[] = { { .address = 0 }, { .address = 256 }, { .address = 0 } };
	struct launches l = { .n = { { 3 } } };
	const uint64_t sets[] = { 2 };
	struct ws_rng rng;
	struct ws_profile *p;

	ws_rng_seed(&rng, 1);
	m.l1.hash = ws_hash_find("modulo");
	memcpy(l.r[0][0], r, sizeof(r));
	m.sm_count = SMS;
	p = gather(&m, &l, &rng, sets, 1);
	if (test_ok(p != NULL, "two lines")) {
		const struct ws_histogram *h = p->section->geometry->kind;

		test_ok(h->len == 2 && h->distance[1] == 1 && h->capacity[0] == 1 &&
			h->cold == 2 && h->requests == 3, "d = 1, q / 2 = 0");
	}
	ws_profile_free(p);
}

static enum ws_status new_profiler(struct ws_profiler **p, const struct ws_machine *m,
				   const struct ws_shape *shape, size_t count,
				   struct ws_err *err)
{
	const struct ws_profile_options options = { .shape = shape, .shapes = count, .threads = 1 };

	return ws_profiler_new(p, m, &options, err);
}

static void errors(void)
{
	struct ws_machine m = { .sm_count = 2, .l1_parts = 1,
				 .l1 = { .line_bytes = 128, .sector_bytes = 128 } };
	const struct ws_shape good[] = { { 128, 4 } }, none[] = { { 128, 4 }, { 128, 0 } };
	const struct ws_shape many[] = { { 128, 1u << 30 } }, odd[] = { { 128, 6 } };
	const struct ws_shape wide[] = { { 2048, 1 } }, line[] = { { 96, 1 } };
	struct ws_launch launch = { .kernel = (char[]){ "k" } };
	struct ws_request r = { 0 };
	struct ws_profiler *p = NULL;
	struct ws_profile *out;
	struct ws_order_stats stats = { 0 };
	struct ws_err err = { 0 };

	m.l1.hash = ws_hash_find("xor");
	test_ok(new_profiler(&p, &m, good, 0, &err) == WS_EINVAL, "none: %s", err.text);
	err = (struct ws_err){ 0 };
	test_ok(new_profiler(&p, &m, none, 2, &err) == WS_EINVAL, "0 sets: %s", err.text);
	err = (struct ws_err){ 0 };
	test_ok(new_profiler(&p, &m, many, 1, &err) == WS_EINVAL, "too many: %s", err.text);
	err = (struct ws_err){ 0 };
	test_ok(new_profiler(&p, &m, odd, 1, &err) == WS_EINVAL, "xor of 6: %s", err.text);
	err = (struct ws_err){ 0 };
	test_ok(new_profiler(&p, &m, wide, 1, &err) == WS_EINVAL, "2 KiB lines: %s", err.text);
	err = (struct ws_err){ 0 };
	test_ok(new_profiler(&p, &m, line, 1, &err) == WS_EINVAL, "lines of 96: %s", err.text);
	err = (struct ws_err){ 0 };
	if (!test_ok(!new_profiler(&p, &m, good, 1, &err), "4 sets"))
		return;
	test_ok(ws_profiler_push(p, 0, &r, 1, &err) == WS_EINVAL, "too early: %s", err.text);
	test_ok(ws_profiler_end(p, &stats, NULL) == WS_EINVAL, "end before begin");
	test_ok(!ws_profiler_launch(p, &launch, NULL), "launch");
	err = (struct ws_err){ 0 };
	test_ok(ws_profiler_push(p, 2, &r, 1, &err) == WS_EINVAL, "no such SM: %s", err.text);
	r.sectors = 0x10;
	err = (struct ws_err){ 0 };
	test_ok(ws_profiler_push(p, 1, &r, 1, &err) == WS_EINVAL, "sectors: %s", err.text);
	r.kind = WS_KINDS;
	test_ok(ws_profiler_push(p, 1, &r, 1, NULL) == WS_EINVAL, "no such kind");
	test_ok(ws_profiler_finish(p, &out, NULL) == WS_EINVAL, "finish before end");
	test_ok(ws_profiler_launch(p, &launch, NULL) == WS_EINVAL, "a launch in a launch");
	ws_profiler_free(p);
	ws_profiler_free(NULL);
}

int main(void)
{
	uint64_t seed = test_seed(7002);

	counts(seed);
	large();
	arenas(seed);
	conflict();
	errors();
	return test_done();
}
