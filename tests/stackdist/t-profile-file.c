/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/stackdist/t-profile-file.c -- the profile file: comes back the same,
 * byte by byte for any number of threads; cut anywhere, or with any bit changed,
 * it is refused with one sentence; so is one whose checksums are right and
 * whose contents are not.  The fuzzer's seeds in tests/fuzz/corpus-profile run
 * through the fuzz target itself.
 */
#include "tests/test.h"

#include <dirent.h>

#include "tests/stackdist/memory.h"

#define CORPUS "tests/fuzz/corpus-profile"

static const uint64_t sets[] = { 32, 1, 64, 4 };

static bool same_histogram(const struct ws_histogram *a, const struct ws_histogram *b)
{
	return a->requests == b->requests && a->cold == b->cold &&
	       a->uncached == b->uncached && a->len == b->len &&
	       (!a->len || (!memcmp(a->distance, b->distance, a->len * sizeof(*a->distance)) &&
			    !memcmp(a->capacity, b->capacity, a->len * sizeof(*a->capacity))));
}

static bool same_section(const struct ws_section *a, const struct ws_section *b)
{
	bool same = !strcmp(a->kernel, b->kernel) && !memcmp(a->grid, b->grid, sizeof(a->grid)) &&
		    !memcmp(a->block, b->block, sizeof(a->block)) &&
		    a->launches == b->launches && a->ctas == b->ctas &&
		    a->warp_instructions == b->warp_instructions && a->cycles == b->cycles &&
		    a->resident_ctas == b->resident_ctas && a->geometries == b->geometries;

	for (size_t i = 0; same && i < a->geometries; i++) {
		same = a->geometry[i].sets == b->geometry[i].sets;
		for (unsigned kind = 0; same && kind < WS_KINDS; kind++)
			same = same_histogram(a->geometry[i].kind + kind,
					      b->geometry[i].kind + kind);
	}
	return same;
}

static void round_trip(struct ws_profile *p)
{
	struct memory m;
	struct ws_profile *back = NULL;
	struct ws_err err = { 0 };

	p->seed = UINT64_MAX;
	m = memory_write(p);
	test_ok(m.data && ws_profile_recognise(m.data, m.len) &&
		!ws_profile_recognise(m.data, 7) && !ws_profile_recognise("WSTRACE", 8),
		"recognised");
	if (test_ok(!memory_read(&back, m.data, m.len, &err), "comes back: %s", err.text)) {
		bool same = back->sections == p->sections && back->seed == p->seed;

		for (size_t i = 0; same && i < p->sections; i++)
			same = same_section(p->section + i, back->section + i);
		test_ok(same && p->sections == 2, "the same");
		test_str(back->machine.name, p->machine.name, "machine");
	}
	ws_profile_free(back);
	free(m.data);
}

static void threads(const struct ws_machine *m)
{
	struct ws_profile *one = memory_profile(m, 5, 1, sets, WS_COUNT(sets), NULL);
	struct ws_profile *four = memory_profile(m, 5, 4, sets, WS_COUNT(sets), NULL);

	if (test_ok(one && four, "profiles with 1 and 4 threads")) {
		struct memory a = memory_write(one), b = memory_write(four);

		test_ok(a.data && b.data && a.len == b.len && !memcmp(a.data, b.data, a.len),
			"the same %zu bytes", a.len);
		free(a.data);
		free(b.data);
	}
	ws_profile_free(one);
	ws_profile_free(four);
}

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
	size_t bad = 0;
	char *longer = malloc(m.len + 1);

	for (size_t n = 0; n < m.len; n++)
		bad += !refused(m.data, n);
	test_ok(!bad, "cut at each of %zu bytes: %zu accepted", m.len, bad);
	bad = 0;
	for (size_t i = 0; i < m.len; i++) {
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

/* ---- right checksums, wrong contents ------------------------------------------- */

/* Writes a profile after change(p); it must be refused. */
static void refuse(const struct ws_machine *m, const char *what,
		   void (*change)(struct ws_section *s))
{
	struct ws_profile *p = memory_profile(m, 9, 1, sets, WS_COUNT(sets), NULL);
	struct ws_err err = { 0 };
	struct ws_profile *back = NULL;

	if (p) {
		struct memory bytes;

		change(p->section);
		bytes = memory_write(p);
		test_ok(bytes.data && memory_read(&back, bytes.data, bytes.len, &err) == WS_EFORMAT,
			"%s: %s", what, err.text);
		free(bytes.data);
	}
	ws_profile_free(back);
	ws_profile_free(p);
}

static void less(struct ws_section *s)
{
	s->geometry[2].kind[WS_LOAD].distance[3]--;
}

static void more_cold(struct ws_section *s)
{
	s->geometry[1].kind[WS_LOAD].cold++;
	s->geometry[1].kind[WS_LOAD].requests++;
}

static void all_cold(struct ws_section *s)
{
	s->geometry[0].kind[WS_STORE].cold = UINT64_MAX;
}

static void descend(struct ws_section *s)
{
	s->geometry[2].sets = s->geometry[1].sets;
}

static void no_sets(struct ws_section *s)
{
	s->geometry[0].sets = 0;
}

static void heavy(struct ws_section *s)
{
	struct ws_histogram *h = s->geometry[0].kind;

	h->capacity[0]--;
	h->capacity[h->len - 1]++;
	h->distance[h->len - 1]--;
	h->distance[0]++;
}

static void far(struct ws_section *s)
{
	struct ws_histogram *h = s->geometry[0].kind;
	uint64_t *distance = ws_alloc_zero(100000, sizeof(*distance));

	if (!distance)
		return;
	memcpy(distance, h->distance, h->len * sizeof(*distance));
	distance[0]--;
	distance[99999]++;
	free(h->distance);
	h->distance = distance;
	h->capacity = realloc(h->capacity, 100000 * sizeof(*distance));
	if (!h->capacity)
		return;
	memset(h->capacity + h->len, 0, (100000 - h->len) * sizeof(*distance));
	h->len = 100000;
}

static void flat(struct ws_section *s)
{
	s->grid[1] = 0;
}

static void never(struct ws_section *s)
{
	s->launches = 0;
}

static void wrong_contents(const struct ws_machine *m)
{
	refuse(m, "one request less", less);
	refuse(m, "more cold at one set count", more_cold);
	refuse(m, "cold overflows", all_cold);
	refuse(m, "sets do not ascend", descend);
	refuse(m, "0 sets", no_sets);
	refuse(m, "capacity misses where there are no misses", heavy);
	refuse(m, "a distance past all lines", far);
	refuse(m, "an empty grid", flat);
	refuse(m, "no launch", never);
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

/* True if it and 300 mutants of it do what any bytes must do. */
static bool seed_ok(uint8_t *data, size_t len, struct ws_rng *rng)
{
	bool ok = memory_try(data, len);

	for (unsigned i = 0; i < 300 && ok; i++) {
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
		struct ws_profile *p;

		if (len == 0)
			continue;
		files++;
		test_ok(seed_ok(data, len, rng), "%s and mutants of it", name);
		if (!strncmp(name, "ok-", 3)) {
			test_ok(!memory_read(&p, data, len, NULL), "%s is read", name);
			ws_profile_free(p);
		}
	}
	if (dir)
		closedir(dir);
	return files;
}

int main(void)
{
	struct ws_err err = { 0 };
	struct ws_machine m;
	struct ws_profile *p;
	struct ws_rng rng;

	ws_rng_seed(&rng, test_seed(7003));
	if (!test_ok(memory_machine(&m, &err), "machine: %s", err.text))
		return test_done();
	p = memory_profile(&m, 3, 2, sets, WS_COUNT(sets), &err);
	if (test_ok(p != NULL, "a profile: %s", err.text))
		round_trip(p);
	ws_profile_free(p);
	threads(&m);
	p = memory_profile(&m, 4, 1, sets, 1, NULL);
	if (p) {
		struct memory bytes = memory_write(p);

		damage(bytes);
		free(bytes.data);
	}
	ws_profile_free(p);
	wrong_contents(&m);
	test_ok(corpus(&rng) >= 3, "the corpus");
	return test_done();
}
