/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/stackdist/t-profile-file.c -- the profile file: comes back the same; cut anywhere, or
 * with any byte changed, it is refused with one sentence.  The fuzzer's seeds in
 * tests/fuzz/corpus-profile run through the fuzz target itself.
 */
#include "tests/test.h"

#include <dirent.h>

#include "stackdist/file/file.h"
#include "tests/stackdist/made.h"

#define CORPUS "tests/fuzz/corpus-profile"

/* ---- the same ------------------------------------------------------------------ */

/* Equal, or both nothing but zeros from where one ends. */
static bool same_numbers(const uint64_t *a, size_t na, const uint64_t *b, size_t nb)
{
	for (size_t i = 0; i < na || i < nb; i++)
		if ((i < na ? a[i] : 0) != (i < nb ? b[i] : 0))
			return false;
	return true;
}

static bool same_histogram(const struct ws_histogram *a, const struct ws_histogram *b)
{
	return a->requests == b->requests && a->cold == b->cold && a->uncached == b->uncached &&
	       same_numbers(a->distance, a->len, b->distance, b->len) &&
	       same_numbers(a->capacity, a->len, b->capacity, b->len) &&
	       a->sectors == b->sectors && a->sector_cold == b->sector_cold &&
	       a->sector_uncached == b->sector_uncached &&
	       same_numbers(a->sector, a->sector_len, b->sector, b->sector_len) &&
	       !a->variance == !b->variance &&
	       (!a->variance || same_numbers(a->variance, WS_BINS, b->variance, WS_BINS));
}

static bool same_flights(const struct ws_fill_reuses *a, const struct ws_fill_reuses *b)
{
	bool same = a->count == b->count;

	for (size_t i = 0; same && i < a->count; i++)
		same = a->entry[i].cell == b->entry[i].cell &&
		       a->entry[i].ways == b->entry[i].ways &&
		       a->entry[i].change == b->entry[i].change;
	return same;
}

static bool same_detail(const struct ws_detail *a, const struct ws_detail *b)
{
	if (!a || !b)
		return !a == !b;
	/* Up to the first list there are numbers only. */
	return !memcmp(a, b, offsetof(struct ws_detail, fill_reuse)) &&
	       same_flights(a->fill_reuse, b->fill_reuse) &&
	       same_flights(a->fill_reuse + 1, b->fill_reuse + 1) &&
	       same_flights(a->fill_reuse + 2, b->fill_reuse + 2);
}

static bool same_geometry(const struct ws_geometry *a, const struct ws_geometry *b)
{
	bool same = a->line_bytes == b->line_bytes && a->sector_bytes == b->sector_bytes &&
		    a->sets == b->sets && same_detail(a->detail, b->detail);

	for (unsigned kind = 0; same && kind < WS_KINDS; kind++)
		same = same_histogram(a->kind + kind, b->kind + kind);
	return same;
}

static bool same_site(const struct ws_site *a, const struct ws_site *b)
{
	return !strcmp(a->array, b->array) && !strcmp(a->file, b->file) && a->line == b->line &&
	       a->kind == b->kind && same_histogram(&a->count, &b->count);
}

static bool same_demand(const struct ws_demand *a, const struct ws_demand *b)
{
	return a->shared_bytes == b->shared_bytes && a->threads == b->threads &&
	       a->registers == b->registers && a->ctas == b->ctas;
}

static bool same_section(const struct ws_section *a, const struct ws_section *b)
{
	bool same = !strcmp(a->kernel, b->kernel) && !memcmp(a->grid, b->grid, sizeof a->grid) &&
		    !memcmp(a->block, b->block, sizeof a->block) &&
		    a->launches == b->launches && a->ctas == b->ctas &&
		    a->warp_instructions == b->warp_instructions && a->cycles == b->cycles &&
		    a->issued == b->issued && a->waits == b->waits &&
		    a->resident_ctas == b->resident_ctas && a->geometries == b->geometries &&
		    a->sites == b->sites;

	for (size_t i = 0; same && i < a->geometries; i++)
		same = same_geometry(a->geometry + i, b->geometry + i);
	for (size_t i = 0; same && i < a->sites; i++)
		same = same_site(a->site + i, b->site + i);
	return same;
}

static bool same_profile(const struct ws_profile *a, const struct ws_profile *b)
{
	bool same = a->sections == b->sections && a->seed == b->seed &&
		    a->order == b->order &&
		    !memcmp(a->sm, b->sm, sizeof a->sm) &&
		    !memcmp(&a->sample_rate, &b->sample_rate, sizeof a->sample_rate) &&
		    a->sample_lines == b->sample_lines &&
		    !strcmp(a->machine.name, b->machine.name);

	for (size_t i = 0; same && i < a->sections; i++)
		same = same_section(a->section + i, b->section + i) &&
		       (!ws_machine_adapts(&a->machine) ||
			same_demand(&a->section[i].demand, &b->section[i].demand));
	return same;
}

static void round_trips(struct ws_rng *rng)
{
	int same = 0, times = 60;
	struct ws_err err = { 0 };

	for (bool ok = true; ok && same < times; same += ok) {
		struct ws_profile *p = made_profile(rng, &err), *back = NULL;
		struct memory m = { NULL, 0 };

		if (p)
			m = memory_write(p);
		ok = m.data && ws_profile_recognise(m.data, m.len) &&
		     !memory_read(&back, m.data, m.len, &err) && same_profile(p, back) &&
		     memory_comes_back(p);
		ws_profile_free(p);
		ws_profile_free(back);
		free(m.data);
	}
	test_ok(same == times, "%d profiles come back%s%s", same, err.text[0] ? ": " : "",
		err.text);
	test_ok(!ws_profile_recognise("WSPROF\0", 7) && !ws_profile_recognise("WSTRACE", 8),
		"what is no profile is not recognised");
}

/* What a profiler makes is none of what a reader refuses. */
static void measured(unsigned write, const char *sector, double rate, unsigned record)
{
	static const struct ws_shape shapes[] = { { 128, 32 }, { 128, 1 }, { 64, 16 }, { 32, 1 } };
	const struct memory_launch launch[] = { { "k", 5 }, { "other", 6 }, { "k", 7 } };
	struct ws_profile_options o = { .shape = shapes, .shapes = WS_COUNT(shapes), .threads = 2,
					.record = record, .seed = UINT64_MAX,
					.sample_rate = rate };
	struct ws_profile *p = NULL, *back = NULL;
	struct memory m = { NULL, 0 };
	struct ws_machine machine;
	struct ws_err err = { 0 };
	char text[64];

	snprintf(text, sizeof(text), "l1.write=%s", stream_write_names[write]);
	if (memory_machine(&machine, &err) && !ws_machine_set(&machine, text, &err) &&
	    !ws_machine_set(&machine, sector, &err) && !ws_machine_check(&machine, &err))
		p = memory_profile(&machine, &o, launch, WS_COUNT(launch), &err);
	if (p)
		m = memory_write(p);
	test_ok(m.data && !memory_read(&back, m.data, m.len, &err) && same_profile(p, back) &&
		memory_comes_back(p), "%s, %s, %g of the lines: %zu bytes%s%s",
		stream_write_names[write], sector, rate, m.len, err.text[0] ? ": " : "", err.text);
	ws_profile_free(p);
	ws_profile_free(back);
	free(m.data);
}

static void profiler(void)
{
	for (unsigned write = WS_WRITE_BACK; write <= WS_WRITE_EVICT; write++) {
		measured(write, "l1.sector=128", 1, WS_RECORD_DEFAULT);
		measured(write, "l1.sector=32", 1, WS_RECORD_DEFAULT);
		measured(write, "l1.sector=64", 0.3, WS_RECORD_DEFAULT);
	}
}

/* ---- damage ---------------------------------------------------------------------- */

/* EFORMAT and one sentence. */
static bool refused(const void *data, size_t len)
{
	struct ws_err err = { 0 };
	struct ws_profile *p;
	enum ws_status status = memory_read(&p, data, len, &err);
	bool ok = status == WS_EFORMAT && err.text[0] && !strpbrk(err.text, "\n\r\033");

	ws_profile_free(p);
	return ok;
}

static void damage(struct memory m)
{
	size_t bad = 0, step = 1 + m.len / 1500;
	char *longer = malloc(m.len + 1);

	for (size_t n = 0; n < m.len; n += step)
		bad += !refused(m.data, n);
	test_ok(!bad, "cut at places of %zu bytes: %zu accepted", m.len, bad);
	bad = 0;
	for (size_t i = 0; i < m.len; i += i < 300 ? 1 : step) {
		char was = m.data[i];

		/* Bytes 12 to 15 of the header are spare. */
		m.data[i] = (char)(was ^ (1 << i % 8));
		bad += !refused(m.data, m.len) && (i < 12 || i > 15);
		m.data[i] = (char)~was;
		bad += !refused(m.data, m.len) && (i < 12 || i > 15);
		m.data[i] = was;
	}
	test_ok(!bad, "a byte changed at each place: %zu accepted", bad);
	if (longer) {
		memcpy(longer, m.data, m.len);
		longer[m.len] = 'x';
		test_ok(refused(longer, m.len + 1), "one byte more");
	}
	free(longer);
}

static void versions(struct memory m)
{
	struct ws_err err = { 0 };
	struct ws_profile *p;
	char was = m.data[8];

	m.data[8] = 1;
	test_ok(memory_read(&p, m.data, m.len, &err) == WS_EFORMAT &&
		strstr(err.text, "profile the trace again"), "version 1: %s", err.text);
	for (char other = 2; other <= 5; other++) {
		err = (struct ws_err){ 0 };
		m.data[8] = other;
		if (other != was)
			test_ok(memory_read(&p, m.data, m.len, &err) == WS_EFORMAT,
				"version %d of %d: %s", other, was, err.text);
	}
	m.data[8] = was;
}

/* ---- small files that ask for much --------------------------------------------- */

/* A first block that says it unpacks to 1 GiB. */
static void bomb(void)
{
	struct ws_buf file = { 0 };
	struct ws_err err = { 0 };
	struct ws_profile *p;

	ws_put_bytes(&file, "WSPROF\0\0\2\0\0\0\0\0\0\0", 16);
	ws_put_u32(&file, WS_PMAC);
	ws_put_u32(&file, 0);
	ws_put_u64(&file, 8);
	ws_put_u64(&file, 1u << 30);
	ws_put_u64(&file, 0);
	test_ok(!file.failed && memory_read(&p, file.data, file.len, &err) == WS_EFORMAT &&
		strstr(err.text, "MiB"), "%zu bytes that unpack to 1 GiB: %s", file.len, err.text);
	ws_buf_clear(&file);
}

/* One request at a far distance, at one geometry. */
static void far_geometry(struct ws_geometry *g)
{
	struct ws_histogram *h = g->kind;

	*g = (struct ws_geometry){ .line_bytes = 128, .sector_bytes = 128, .sets = 32 };
	h->requests = 4000000001u;
	h->cold = 4000000000u;
	h->len = WS_DISTANCE_CELLS - 20;
	h->distance = ws_alloc_zero(h->len, sizeof *h->distance);
	h->capacity = ws_alloc_zero(h->len, sizeof *h->capacity);
	if (h->distance && h->capacity)
		h->distance[h->len - 1] = h->capacity[0] = 1;
}

/* Many kernels, each of which has little to say of large tables. */
static void hollow(void)
{
	struct ws_profile *p = ws_alloc_zero(1, sizeof *p), *back = NULL;
	struct ws_section section = { .kernel = (char[8]){ "" }, .grid = { 1, 1, 1 },
				      .block = { 1, 1, 1 }, .launches = 1, .geometries = 1 };
	struct ws_geometry g;
	struct ws_err err = { 0 };
	struct memory m = { NULL, 0 };
	enum { MANY = 1000 };

	far_geometry(&g);
	section.geometry = &g;
	if (p && memory_machine(&p->machine, &err)) {
		p->sample_rate = 1;
		p->sm[0] = 1;
		p->section = ws_alloc_zero(MANY, sizeof(section));
		p->sections = MANY;
	}
	for (size_t i = 0; p && p->section && i < MANY; i++) {
		p->section[i] = section;
		p->section[i].kernel = ws_alloc(8, 1);
		if (p->section[i].kernel)
			snprintf(p->section[i].kernel, 8, "k%zu", i);
	}
	if (p && p->section)
		m = memory_write(p);
	test_ok(m.data && memory_read(&back, m.data, m.len, &err) == WS_EFORMAT,
		"%zu bytes of far distances: %s", m.len, err.text);
	ws_profile_free(back);
	for (size_t i = 0; p && p->section && i < MANY; i++)
		free(p->section[i].kernel);
	if (p)
		free(p->section);
	free(p);
	free(g.kind->distance);
	free(g.kind->capacity);
	free(m.data);
}

/* ---- the fuzzer's seeds ------------------------------------------------------------- */

static size_t slurp(const char *name, uint8_t *data, size_t max)
{
	char path[512];
	FILE *file;
	size_t len;

	snprintf(path, sizeof(path), CORPUS "/%s", name);
	file = fopen(path, "rb");
	if (!file)
		return 0;
	len = fread(data, 1, max, file);
	fclose(file);
	return len;
}

/* True if it and 200 mutants of it do what any bytes must do. */
static bool seed_ok(uint8_t *data, size_t len, struct ws_rng *rng)
{
	bool ok = memory_try(data, len);

	for (unsigned i = 0; i < 200 && ok; i++) {
		size_t at = ws_rng_below(rng, len);
		uint8_t was = data[at];

		data[at] = (uint8_t)ws_rng_u64(rng);
		ok = memory_try(data, ws_rng_below(rng, 8) ? len : at);
		data[at] = was;
	}
	return ok;
}

static size_t corpus(struct ws_rng *rng)
{
	static uint8_t data[1 << 16];
	DIR *dir = opendir(CORPUS);
	struct dirent *entry;
	size_t files = 0;

	while (dir && (entry = readdir(dir))) {
		const char *name = entry->d_name;
		size_t len = name[0] == '.' ? 0 : slurp(name, data, sizeof(data));
		struct ws_err err = { 0 };
		struct ws_profile *p;

		if (len == 0)
			continue;
		files++;
		test_ok(seed_ok(data, len, rng), "%s and mutants of it", name);
		if (!strncmp(name, "ok-", 3)) {
			test_ok(!memory_read(&p, data, len, &err), "%s is read%s%s", name,
				err.text[0] ? ": " : "", err.text);
			ws_profile_free(p);
		}
	}
	if (dir)
		closedir(dir);
	return files;
}

/* Bytes of a profile with at least one section. */
static struct memory some_bytes(struct ws_rng *rng)
{
	struct memory m = { NULL, 0 };
	struct ws_profile *p = made_profile(rng, NULL);

	while (p && !p->sections) {
		ws_profile_free(p);
		p = made_profile(rng, NULL);
	}
	if (p)
		m = memory_write(p);
	ws_profile_free(p);
	return m;
}

int main(void)
{
	struct memory m;
	struct ws_rng rng;

	ws_rng_seed(&rng, test_seed(7003));
	round_trips(&rng);
	profiler();
	m = some_bytes(&rng);
	if (test_ok(m.data, "a profile")) {
		versions(m);
		damage(m);
	}
	free(m.data);
	bomb();
	hollow();
	test_ok(corpus(&rng) >= 3, "the corpus");
	return test_done();
}
