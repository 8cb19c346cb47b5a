/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Chunks and sectors, predicted from their distances, and DyCache, replayed from windows, beside
 * the caches of validate/grain/grain.h that are simulated: to the last count where stackdist.h says
 * they are exact, else within bounds; in files, in sums; and what is refused.
 */
#include "stackdist/file/file.h"
#include "tests/validate/stream.h"
#include "validate/grain/grain.h"

#define SMS 2u
#define REQUESTS 4000u
#define PERIOD 100u	/* of windows */

struct fixture {
	struct ws_machine machine;
	struct ws_streams launch;
	struct ws_stream sm[SMS];
	struct ws_request request[SMS][REQUESTS];
	struct ws_profile *profile;
};

static char kernel[] = "k";

static struct ws_machine machine_make(enum ws_write write, uint64_t tag)
{
	struct ws_machine m;

	if (ws_machine_load(&m, "gtx480", NULL))
		abort();
	m.l1.hash = ws_hash_find("xor");
	m.l1.write = write;
	m.l1.chunk_tag_bits = tag;
	m.sm_count = SMS;
	if (ws_machine_check(&m, NULL))
		abort();
	return m;
}

/* Mostly 32 B, mostly 64 B or mostly whole lines, by phases; lines of `spread` regions. */
static void requests(struct fixture *f, bool whole, uint64_t lines, unsigned shape,
		     struct ws_rng *rng)
{
	for (size_t sm = 0; sm < SMS; sm++) {
		struct ws_request *r = f->request[sm];

		stream_random(r, REQUESTS, &f->machine.l1, lines, shape, rng);
		for (size_t i = 0; i < REQUESTS; i++) {
			unsigned words = 1u << ((i / 500 + (ws_rng_below(rng, 4) == 0)) % 3);
			unsigned first = (unsigned)ws_rng_below(rng, 4) / words * words;

			r[i].sectors = whole ? 0xf : ((1u << words) - 1) << first;
		}
		f->sm[sm] = (struct ws_stream){ r, REQUESTS, REQUESTS };
	}
	f->launch = (struct ws_streams){ .sm = f->sm, .sms = SMS, .kernel = kernel,
					 .line_bytes = 128, .coalesce_line = 128 };
}

static enum ws_status profile(struct fixture *f, unsigned record, struct ws_err *err)
{
	static const struct ws_shape shape[] = { { 128, 16 }, { 128, 4 }, { 128, 1 } };
	struct ws_profile_options o = { .shape = shape, .shapes = WS_COUNT(shape), .threads = 2,
					.record = record, .grain_period = PERIOD };
	struct ws_launch launch = { .kernel = kernel, .grid = { 1, 1, 1 }, .block = { 32, 1, 1 },
				    .ctas = SMS };
	struct ws_profiler *p = NULL;
	enum ws_status status = ws_profiler_new(&p, &f->machine, &o, err);

	if (!status)
		status = ws_profiler_launch(p, &launch, err);
	for (size_t sm = 0; sm < SMS && !status; sm++)
		status = ws_profiler_push(p, sm, f->request[sm], f->sm[sm].count, err);
	if (!status)
		status = ws_profiler_end(p, &f->launch.stats, err);
	if (!status)
		status = ws_profiler_finish(p, &f->profile, err);
	ws_profiler_free(p);
	return status;
}

static struct fixture *fixture_new(enum ws_write write, uint64_t tag, bool whole, uint64_t lines,
				   unsigned shape, struct ws_rng *rng)
{
	struct fixture *f = ws_alloc_zero(1, sizeof *f);

	if (!f)
		abort();
	f->machine = machine_make(write, tag);
	requests(f, whole, lines, shape, rng);
	if (profile(f, WS_RECORD_CHUNKS, NULL))
		abort();
	return f;
}

static void fixture_free(struct fixture *f)
{
	ws_profile_free(f->profile);
	free(f);
}

static struct ws_cache cache_as(const struct fixture *f, const char *organisation, uint64_t sets,
				uint64_t ways)
{
	struct ws_machine m = f->machine;
	char text[64];

	snprintf(text, sizeof text, "l1.organisation=%s", organisation);
	if (ws_machine_set(&m, text, NULL))
		abort();
	m.l1.sets = sets;
	m.l1.ways = ways;
	m.l1.size_bytes = sets * ways * 128;
	if (ws_machine_check(&m, NULL))
		abort();
	return m.l1;
}

static bool check(const struct fixture *f, const struct ws_cache *c, struct ws_check *out)
{
	return !ws_crosscheck(f->profile, 0, &f->launch, 1, c, -1, out, NULL);
}

static bool all_equal(const struct ws_check *c)
{
	bool same = true;

	for (unsigned kind = 0; kind <= WS_KINDS; kind++)
		same = same && counts_same(&c->model.kind[kind], &c->exact[kind]);
	return same;
}

/* ---- exact ------------------------------------------------------------------------------ */

static void whole_lines(struct ws_rng *rng, enum ws_write write)
{
	struct fixture *f = fixture_new(write, 40, true, 90, write, rng);
	const char *const names[] = { "elastic:32", "elastic:64", "sector" };
	unsigned bad[3] = { 0 };

	for (unsigned i = 0; i < WS_COUNT(names); i++)
		for (uint64_t ways = 1; ways <= WS_CHUNK_LINES; ways += 1 + ways / 4) {
			struct ws_cache c = cache_as(f, names[i], ways % 2 ? 16 : 4, ways);
			struct ws_cache line = cache_as(f, "line", c.sets, ways);
			struct ws_check as, plain;

			if (!check(f, &c, &as) || !check(f, &line, &plain))
				abort();
			bad[i] += !all_equal(&as);
			for (unsigned kind = 0; kind <= WS_KINDS; kind++)
				bad[i] += as.model.kind[kind].hits != plain.model.kind[kind].hits;
		}
	for (unsigned i = 0; i < WS_COUNT(names); i++)
		test_ok(!bad[i], "%s, requests of 128 B, %s: simulated, and as lines, to the last "
			"count: %u differ", write_names[write], names[i], bad[i]);
	fixture_free(f);
}

/* A grain of a line is lines, whatever the requests and regions. */
static void coarse_grain(struct ws_rng *rng, enum ws_write write)
{
	struct fixture *f = fixture_new(write, 2, false, 300, write, rng);
	const struct ws_section *s = f->profile->section;
	uint64_t differ = 0, some = 0;

	for (size_t i = 0; i < s->chunkeds; i++) {
		const struct ws_chunked *c = s->chunked + i;
		const struct ws_geometry *g = ws_section_geometry(s, 128, c->sets);

		for (unsigned kind = 0; kind < WS_KINDS; kind++) {
			const struct ws_histogram *a = c->kind[WS_FORM_128] + kind,
						  *b = g->kind + kind;
			uint64_t deep = 0;

			for (size_t d = WS_CHUNK_LINES; d < b->len; d++)
				deep += b->distance[d];
			for (size_t d = 0; d < WS_CHUNK_LINES; d++)
				differ += (d < a->len ? a->distance[d] : 0) !=
					  (d < b->len ? b->distance[d] : 0);
			differ += (a->len > WS_CHUNK_LINES ? a->distance[WS_CHUNK_LINES] : 0) !=
				  deep;
			differ += a->cold != b->cold || a->uncached != b->uncached;
			some += deep;
		}
	}
	test_ok(!differ && some, "%s: chunks of 128 B are lines at every distance: %" PRIu64
		" differ, %" PRIu64 " deep", write_names[write], differ, some);
	fixture_free(f);
}

/* ---- bounded ---------------------------------------------------------------------------- */

struct errors {
	double sum, max;
	unsigned count, wrong, far; /* far: by more than 4 points */
};

static void add_errors(struct errors *e, const struct fixture *f)
{
	static const char *const names[] = { "elastic:32", "elastic:64", "sector" };

	for (unsigned i = 0; i < WS_COUNT(names); i++)
		for (uint64_t ways = 2; ways <= 16; ways *= 2) {
			struct ws_cache c = cache_as(f, names[i], 16, ways);
			struct ws_check k;

			if (!check(f, &c, &k))
				abort();
			for (unsigned kind = 0; kind <= WS_KINDS; kind++) {
				e->wrong += k.model.kind[kind].cold != k.exact[kind].cold;
				e->wrong += k.model.kind[kind].uncached != k.exact[kind].uncached;
				e->wrong += !ws_counts_check(&k.model.kind[kind]);
			}
			e->wrong += !k.agree || (i == 2 && !all_equal(&k));
			e->sum += i < 2 ? k.error_pp : 0;
			e->count += i < 2;
			e->max = k.error_pp > e->max ? k.error_pp : e->max;
		}
}

static uint64_t rounds_of(uint64_t otherwise)
{
	const char *text = getenv("WS_TEST_ROUNDS");
	uint64_t rounds = otherwise;

	return text && ws_parse_u64(text, &rounds) ? rounds : otherwise;
}

static void mixed(struct ws_rng *rng, enum ws_write write, uint64_t tag, double mean, double max)
{
	struct errors e = { 0 };
	uint64_t rounds = rounds_of(6);

	for (uint64_t i = 0; i < rounds; i++) {
		struct fixture *f = fixture_new(write, tag, false, 40 + 90 * (i % 6), (unsigned)i,
						rng);

		add_errors(&e, f);
		fixture_free(f);
	}
	test_ok(!e.wrong, "%s, tags of %u: cold, uncached and sectors are exact: %u are not",
		write_names[write], (unsigned)tag, e.wrong);
	test_ok(e.sum <= mean * e.count && e.max <= max, "%s, tags of %u: off by %.3f points, at "
		"most %.3f; bounds %g and %g", write_names[write], (unsigned)tag, e.sum / e.count,
		e.max,
		mean, max);
}

/* Regions cost lines: one of the words of each of many has them all to itself. */
static void regions(void)
{
	double ratio[2][2];	/* by tag, then model and exact */

	for (unsigned i = 0; i < 2; i++) {
		struct fixture *f = ws_alloc_zero(1, sizeof *f);
		struct ws_check k;
		struct ws_cache c;

		if (!f)
			abort();
		f->machine = machine_make(WS_WRITE_BACK, i ? 2 : 16);
		f->machine.l1.hash = ws_hash_find("modulo");
		for (size_t n = 0; n < SMS * REQUESTS; n++)
			f->request[n / REQUESTS][n % REQUESTS] = (struct ws_request){
				.address = n % 12 * 16 * 128, .sectors = 1, .kind = WS_LOAD };
		f->launch = (struct ws_streams){ .sm = f->sm, .sms = SMS, .kernel = kernel,
						 .line_bytes = 128, .coalesce_line = 128 };
		for (size_t sm = 0; sm < SMS; sm++)
			f->sm[sm] = (struct ws_stream){ f->request[sm], REQUESTS, REQUESTS };
		if (profile(f, WS_RECORD_CHUNKS, NULL))
			abort();
		c = cache_as(f, "elastic:32", 16, 4);
		if (!check(f, &c, &k))
			abort();
		ratio[i][0] = ws_miss_ratio(&k.model.kind[WS_KINDS], false);
		ratio[i][1] = ws_miss_ratio(&k.exact[WS_KINDS], false);
		fixture_free(f);
	}
	test_ok(ratio[0][0] < 0.01 && ratio[1][0] > 0.99 &&
			fabs(ratio[0][0] - ratio[0][1]) < 1e-9 &&
			fabs(ratio[1][0] - ratio[1][1]) < 1e-9,
		"12 chunks in 4 lines: %.4f of one region, %.4f of 12; simulated %.4f, %.4f",
		ratio[0][0], ratio[1][0], ratio[0][1], ratio[1][1]);
}

/* ---- DyCache -------------------------------------------------------------------------- */

/* What never switches is lines. */
static void never(struct ws_rng *rng, enum ws_write write)
{
	struct fixture *f = fixture_new(write, 16, false, 200, write, rng);
	unsigned bad = 0;

	for (uint64_t ways = 1; ways <= 32; ways *= 2) {
		struct ws_cache line = cache_as(f, "line", 16, ways);
		struct ws_cache c = cache_as(f, "dycache:100", 16, ways);
		struct ws_check as, plain;

		if (!check(f, &line, &plain) || !check(f, &c, &as))
			abort();
		for (unsigned kind = 0; kind <= WS_KINDS; kind++) {
			const struct ws_counts *a = as.model.kind + kind,
					       *b = plain.model.kind + kind;

			bad += a->hits != b->hits || a->cold != b->cold ||
			       a->uncached != b->uncached;
			bad += as.exact[kind].hits != a->hits;
		}
	}
	test_ok(!bad, "%s: a threshold of 100 never switches: %u counts are not those of lines",
		write_names[write], bad);
	fixture_free(f);
}

/* Decisions of sums are those of requests one by one. */
static void replayed(struct ws_rng *rng)
{
	struct fixture *f = fixture_new(WS_WRITE_BACK, 16, false, 100, 0, rng);
	struct ws_cache c = cache_as(f, "dycache:25", 16, 4);
	struct ws_grain_window sums = { 0 };
	struct ws_grain_control control;
	unsigned bad = 0, changes = 0;
	struct ws_grain *g;

	c.grain_period = 2 * PERIOD;
	c.grain_period_max = 8 * PERIOD;
	ws_grain_start(&control, &c);
	if (ws_grain_new(&g, &c, NULL))
		abort();
	for (size_t i = 0; i < REQUESTS; i++) {
		const struct ws_request *r = f->request[0] + i;
		uint32_t block = ws_request_block(r->sectors);
		struct ws_counts n = { 0 };

		if (r->kind == WS_ATOMIC)
			continue;
		if (ws_grain_request(g, r, &n, NULL))
			abort();
		sums.requests++;
		sums.misses += n.misses;
		sums.size[ws_log2((uint64_t)__builtin_popcount(block))]++;
		if (sums.requests < PERIOD)
			continue;
		changes += ws_grain_take_all(&control, &sums);
		sums = (struct ws_grain_window){ 0 };
		bad += control.grain * WS_SECTOR_BYTES != ws_grain_now(g);
	}
	test_ok(!bad && changes, "decisions on sums of windows are the simulator's: %u differ, %u "
		"changes", bad, changes);
	ws_grain_free(g);
	fixture_free(f);
}

/* Windows of 100: 32 B each of 100 lines, which makes the grain 32 B; other words of the last 40 of
 * them, which are kept; 128 B each of 100 more lines, which flushes; the last 30 of those again and
 * again. */
static void by_hand(bool retain)
{
	struct fixture *f = ws_alloc_zero(1, sizeof *f);
	struct ws_request *r = f ? f->request[0] : NULL;
	uint64_t want = 100 + (retain ? 100 : 70), most = 400;
	struct ws_cache c;
	struct ws_check k;

	if (!f)
		abort();
	f->machine = machine_make(WS_WRITE_BACK, 16);
	f->machine.l1.hash = ws_hash_find("modulo");
	for (unsigned i = 0; i < 100; i++) {
		r[i] = (struct ws_request){ .address = 128 * i, .sectors = 1 };
		r[100 + i] = (struct ws_request){ .address = 128 * (60 + i % 40), .sectors = 2 };
		r[200 + i] = (struct ws_request){ .address = 128 * (1000 + i), .sectors = 0xf };
		r[300 + i] = (struct ws_request){ .address = 128 * (1070 + i % 30),
						  .sectors = 0xf };
	}
	f->launch = (struct ws_streams){ .sm = f->sm, .sms = SMS, .kernel = kernel,
					 .line_bytes = 128, .coalesce_line = 128 };
	f->sm[0] = (struct ws_stream){ r, most, REQUESTS };
	if (profile(f, WS_RECORD_CHUNKS, NULL))
		abort();
	c = cache_as(f, "dycache:50", 16, 4);
	c.grain_period = PERIOD;
	c.grain_retain = retain;
	if (!check(f, &c, &k))
		abort();
	test_ok(k.model.kind[WS_LOAD].hits == want && k.exact[WS_LOAD].hits == want,
		"kept, then %s: %" PRIu64 " hits, simulated %" PRIu64 ", want %" PRIu64,
		retain ? "retained" : "flushed", k.model.kind[WS_LOAD].hits, k.exact[WS_LOAD].hits,
		want);
	fixture_free(f);
}

/* Windows of 100: 32 B each of 100 lines that all fit, which makes the grain 32 B; then these words
 * of 50 of them, each before its neighbour, which came with it when the grain was 128 B. */
static void neighbours(void)
{
	struct fixture *f = ws_alloc_zero(1, sizeof *f);
	struct ws_request *r = f ? f->request[0] : NULL;
	struct ws_cache c;
	struct ws_check k;

	if (!f)
		abort();
	f->machine = machine_make(WS_WRITE_BACK, 16);
	f->machine.l1.hash = ws_hash_find("modulo");
	for (unsigned i = 0; i < 100; i++) {
		r[i] = (struct ws_request){ .address = 128 * i, .sectors = 1 };
		r[100 + i] = (struct ws_request){ .address = 128 * (i / 2), .sectors = 1 + i % 2 };
	}
	f->launch = (struct ws_streams){ .sm = f->sm, .sms = SMS, .kernel = kernel,
					 .line_bytes = 128, .coalesce_line = 128 };
	f->sm[0] = (struct ws_stream){ r, 200, REQUESTS };
	if (profile(f, WS_RECORD_CHUNKS, NULL))
		abort();
	c = cache_as(f, "dycache:50", 16, 8);
	c.grain_period = PERIOD;
	if (!check(f, &c, &k))
		abort();
	test_ok(k.model.kind[WS_LOAD].hits == 100 && k.exact[WS_LOAD].hits == 100,
		"neighbours that came with a word: %" PRIu64 " hits, simulated %" PRIu64
		", want 100",
		k.model.kind[WS_LOAD].hits, k.exact[WS_LOAD].hits);
	fixture_free(f);
}

static void add_dycache(struct errors *e, const struct fixture *f, bool retain)
{
	static const char *const names[] = { "dycache:25", "dycache:50", "dycache:75" };

	for (unsigned i = 0; i < WS_COUNT(names); i++)
		for (uint64_t period = PERIOD; period <= 5 * PERIOD; period += 2 * PERIOD)
			for (uint64_t ways = 2; ways <= 8; ways *= 2) {
				struct ws_cache c = cache_as(f, names[i], 16, ways);
				struct ws_check k;

				c.grain_period = period;
				c.grain_period_max = period * (1 + ways % 3);
				c.grain_fine = ways == 4 ? WS_GRAIN_CHOOSE : WS_GRAIN_KEEP;
				c.grain_retain = retain;
				if (!check(f, &c, &k))
					abort();
				for (unsigned kind = 0; kind <= WS_KINDS; kind++)
					e->wrong += !ws_counts_check(&k.model.kind[kind]);
				e->wrong += !k.agree;
				e->sum += k.error_pp;
				e->count++;
				e->far += k.error_pp > 4;
				e->max = k.error_pp > e->max ? k.error_pp : e->max;
			}
}

/* A decision that is a near thing may go the other way, and that for long.  Under write-through
 * what stores touched takes room in the lists that a flush has freed: more go wrong. */
static void switching(struct ws_rng *rng, enum ws_write write, bool retain, unsigned share)
{
	struct errors e = { 0 };
	uint64_t rounds = rounds_of(6);

	for (uint64_t i = 0; i < rounds; i++) {
		struct fixture *f = fixture_new(write, 16, false, 40 + 90 * (i % 6), (unsigned)i,
						rng);

		add_dycache(&e, f, retain);
		fixture_free(f);
	}
	test_ok(!e.wrong && e.sum <= e.count && e.far <= e.count / share,
		"%s, %s: off by %.3f "
		"points, want 1; %u of %u by more than 4, want 1 in %u; at most %.3f",
		write_names[write], retain ? "retained" : "flushed", e.sum / e.count, e.far,
		e.count, share, e.max);
}

/* ---- files and sums --------------------------------------------------------------------- */

struct memory {
	char *data;
	size_t len;
};

/* Whatever does not hold of it. */
static struct memory memory_write(const struct ws_profile *p)
{
	struct memory m = { NULL, 0 };
	struct ws_out out = { .file = open_memstream(&m.data, &m.len) };

	if (!out.file || ws_profile_put(p, &out, NULL) || out.failed || fclose(out.file))
		abort();
	return m;
}

static enum ws_status memory_read(struct ws_profile **out, const struct memory *m,
				  struct ws_err *err)
{
	struct ws_in in = { .data = (const uint8_t *)m->data, .len = m->len, .name = kernel };

	return ws_profile_read(out, &in, err);
}

static bool same_bytes(const struct memory *a, const struct memory *b)
{
	return a->data && b->data && a->len == b->len && !memcmp(a->data, b->data, a->len);
}

static const char *const windows_bad[] = {
	"a request too many in a window", "a window too long", "a cell that cannot be",
	"other lengths",
};

/* A file with something wrong in its windows; the profile is as it was. */
static void bad_window(struct fixture *f, unsigned what, struct memory *m)
{
	struct ws_section *s = f->profile->section;
	struct ws_grain_cells *c = s->chunked[1].window + 1;
	uint16_t at = c->at[0];

	c->count[3] += what == 0;
	s->grains.size[2][1] += what == 1;
	c->at[0] = what == 2 ? WS_GRAINS * (WS_BINS - 1) + 1 : at;
	s->grains.period += what == 3;
	*m = memory_write(f->profile);
	c->count[3] -= what == 0;
	s->grains.size[2][1] -= what == 1;
	c->at[0] = at;
	s->grains.period -= what == 3;
}

static void files(struct fixture *f)
{
	struct memory a = memory_write(f->profile), b;
	struct ws_profile *p = NULL;
	struct ws_err err = { 0 };
	uint64_t *count = f->profile->section->chunked[1].kind[WS_FORM_64][WS_LOAD].distance;

	test_ok(a.data && a.data[8] == 4 && !memory_read(&p, &a, &err),
		"a file of version 4: %s", err.text);
	b = memory_write(p);
	test_ok(same_bytes(&a, &b), "written and read again it is the same");
	free(b.data);
	++*count;
	b = memory_write(f->profile);
	--*count;
	ws_profile_free(p);
	test_ok(memory_read(&p, &b, &err) == WS_EFORMAT && strstr(err.text, "offset"),
		"a count too many is found: %s", err.text);
	free(b.data);
	f->profile->section->chunked[1].sets++;
	b = memory_write(f->profile);
	f->profile->section->chunked[1].sets--;
	err = (struct ws_err){ 0 };
	test_ok(memory_read(&p, &b, &err) == WS_EFORMAT, "other sets: %s", err.text);
	free(b.data);
	for (unsigned i = 0; i < 4; i++) {
		bad_window(f, i, &b);
		err = (struct ws_err){ 0 };
		test_ok(memory_read(&p, &b, &err) == WS_EFORMAT, "%s: %s", windows_bad[i],
			err.text);
		free(b.data);
	}
	free(a.data);
}

static void sums(struct fixture *f)
{
	struct ws_cache c = cache_as(f, "elastic:64", 16, 4);
	struct ws_cache dynamic = cache_as(f, "dycache:25", 16, 4);
	struct ws_profile *with = f->profile, *without;
	struct ws_prediction once, twice, windows;
	struct ws_err err = { 0 };

	dynamic.grain_period = PERIOD;
	if (ws_predict(with, 0, &dynamic, &windows, NULL) || ws_predict(with, 0, &c, &once, NULL) ||
	    ws_profile_merge(with, with, &err) || ws_predict(with, 0, &c, &twice, NULL))
		abort();
	test_ok(twice.kind[WS_KINDS].requests == 2 * once.kind[WS_KINDS].requests &&
		twice.kind[WS_KINDS].hits == 2 * once.kind[WS_KINDS].hits &&
		twice.kind[WS_KINDS].capacity == 2 * once.kind[WS_KINDS].capacity,
		"a profile and itself: twice the counts");
	if (profile(f, 0, NULL))
		abort();
	without = f->profile;
	f->profile = with;
	if (ws_predict(with, 0, &dynamic, &twice, NULL))
		abort();
	/* Parts of a hit are rounded, of loads and of stores. */
	test_ok(with->section->grains.runs == 2 * SMS &&
		twice.kind[WS_KINDS].hits + 2 >= 2 * windows.kind[WS_KINDS].hits &&
		twice.kind[WS_KINDS].hits <= 2 * windows.kind[WS_KINDS].hits + 2,
		"and twice the windows: %zu runs", with->section->grains.runs);
	test_ok(ws_profile_merge(with, without, &err) == WS_EINVAL && strstr(err.text, "chunks"),
		"and one without chunks: %s", err.text);
	err = (struct ws_err){ 0 };
	test_ok(ws_predict(without, 0, &c, &once, &err) == WS_EINVAL &&
			err.remedy == WS_REMEDY_CHUNKS,
		"that answers nothing: %s", err.text);
	ws_profile_free(without);
}

static void refused(struct fixture *f)
{
	struct ws_prediction out;
	struct ws_err err = { 0 };
	struct ws_cache c = cache_as(f, "elastic:32", 16, WS_CHUNK_LINES + 1);

	test_ok(ws_predict(f->profile, 0, &c, &out, &err) == WS_EINVAL &&
			strstr(err.text, "65 ways"),
		"%s", err.text);
	err = (struct ws_err){ 0 };
	c = cache_as(f, "elastic:32", 16, 4);
	c.chunk_tag_bits++;
	test_ok(ws_predict_check(f->profile, 0, &c, &err) == WS_EINVAL &&
		strstr(err.text, "l1.chunk.tag"), "%s", err.text);
	err = (struct ws_err){ 0 };
	c = cache_as(f, "elastic:32", 8, 4);
	test_ok(ws_predict_check(f->profile, 0, &c, &err) == WS_EINVAL &&
			strstr(err.text, "8 sets"),
		"%s", err.text);
	err = (struct ws_err){ 0 };
	c = cache_as(f, "decoupled:2", 16, 4);
	test_ok(ws_predict_check(f->profile, 0, &c, &err) == WS_EINVAL &&
		strstr(err.text, "decoupled"), "%s", err.text);
	err = (struct ws_err){ 0 };
	c = cache_as(f, "dycache:50", 16, 4);
	c.grain_period = PERIOD + 1;
	test_ok(ws_predict_check(f->profile, 0, &c, &err) == WS_EINVAL &&
			err.remedy == WS_REMEDY_WINDOWS && strstr(err.text, "windows of 101"),
		"%s", err.text);
	err = (struct ws_err){ 0 };
	c = cache_as(f, "elastic:32", 16, 4);
	c.chunk_victim = WS_CHUNK_OLDEST;
	test_ok(!ws_predict(f->profile, 0, &c, &out, &err) && out.low_confidence,
		"another victim than any: low confidence");
	err = (struct ws_err){ 0 };
	f->machine.l1.line_bytes = f->machine.l1.sector_bytes = 64;
	f->machine.l1.sets *= 2;
	test_ok(profile(f, WS_RECORD_CHUNKS, &err) == WS_EINVAL && strstr(err.text, "l1.line"),
		"%s", err.text);
}

int main(void)
{
	static const struct {
		enum ws_write write;
		uint64_t tag;
		double mean, max;
	} rows[] = {
		{ WS_WRITE_BACK, 16, 0.8, 3 }, { WS_WRITE_EVICT, 16, 0.8, 3 },
		{ WS_WRITE_THROUGH, 16, 0.8, 3 }, { WS_WRITE_THROUGH_ALLOCATE, 16, 0.8, 3 },
		{ WS_WRITE_BACK, 4, 3, 12 },
	};
	struct fixture *f;
	struct ws_rng rng;

	ws_rng_seed(&rng, test_seed(7));
	for (enum ws_write write = WS_WRITE_BACK; write <= WS_WRITE_EVICT; write++) {
		whole_lines(&rng, write);
		coarse_grain(&rng, write);
	}
	for (size_t i = 0; i < WS_COUNT(rows); i++)
		mixed(&rng, rows[i].write, rows[i].tag, rows[i].mean, rows[i].max);
	regions();
	never(&rng, WS_WRITE_BACK);
	never(&rng, WS_WRITE_EVICT);
	replayed(&rng);
	by_hand(false);
	by_hand(true);
	neighbours();
	switching(&rng, WS_WRITE_BACK, false, 20);
	switching(&rng, WS_WRITE_EVICT, false, 20);
	switching(&rng, WS_WRITE_THROUGH, false, 10);
	switching(&rng, WS_WRITE_BACK, true, 20);
	f = fixture_new(WS_WRITE_BACK, 16, false, 200, 1, &rng);
	files(f);
	sums(f);
	refused(f);
	fixture_free(f);
	return test_done();
}
