/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/stackdist/t-sites.c -- more sites than are told apart: they are put together, the same ones
 * however requests are divided among threads, and no request is lost; and a profile that could not
 * be read again is not written.
 */
#include "tests/test.h"

#include "stackdist/profile.h"
#include "stackdist/record/sites.h"
#include "tests/stackdist/memory.h"

#define BYTES 256u /* of an array */

struct made_launch {
	struct ws_launch launch;
	char *file[1];
};

/* Instructions of a line each, whose array the address tells. */
static void make_launch(struct made_launch *m, size_t instructions, size_t arrays)
{
	struct ws_launch *l = &m->launch;

	m->file[0] = ws_strdup("k.cl");
	*l = (struct ws_launch){ .file = m->file, .files = 1 };
	l->instruction = ws_alloc_zero(instructions, sizeof *l->instruction);
	l->array = ws_alloc_zero(arrays, sizeof *l->array);
	for (size_t i = 0; i < arrays; i++) {
		char name[32];

		snprintf(name, sizeof(name), "A%05zu", i);
		l->array[i] = (struct ws_array){ ws_strdup(name), i * BYTES, BYTES };
	}
	for (size_t i = 0; i < instructions; i++)
		l->instruction[i] = (struct ws_instruction){ .array = WS_NO_ARRAY,
							     .line = (uint32_t)i + 1 };
	l->instructions = instructions;
	l->arrays = arrays;
}

static void clear_launch(struct made_launch *m)
{
	for (size_t i = 0; i < m->launch.arrays; i++)
		free(m->launch.array[i].name);
	free(m->launch.array);
	free(m->launch.instruction);
	free(m->file[0]);
}

/* A request of every instruction to every array at distance d, divided among so many threads. */
static bool count(const struct ws_launch *l, unsigned threads, uint32_t d, struct ws_section *out)
{
	struct ws_sites *s[4] = { NULL };
	bool ok = true;
	size_t n = 0;

	*out = (struct ws_section){ 0 };
	for (unsigned t = 0; t < threads; t++)
		ok = ok && !ws_sites_new(&s[t], l, NULL);
	for (size_t a = 0; a < l->arrays && ok; a++)
		for (size_t i = 0; i < l->instructions && ok; i++, n++) {
			const struct ws_request r = { .address = a * BYTES, .sectors = 1,
						      .instruction = (uint32_t)i,
						      .kind = WS_LOAD };

			/* The last thread sees little. */
			ok = ws_sites_count(s[n % 97 ? 0 : threads - 1], &r, d, d);
		}
	for (unsigned t = threads - 1; t > 0 && ok; t--)
		ok = ws_sites_add(s[t - 1], s[t]);
	ok = ok && !ws_sites_take(s[0], out, NULL);
	for (unsigned t = 0; t < threads; t++)
		ws_sites_free(s[t]);
	return ok;
}

static bool same(const struct ws_section *a, const struct ws_section *b)
{
	bool ok = a->sites == b->sites && a->sites_level == b->sites_level;

	for (size_t i = 0; i < a->sites && ok; i++) {
		const struct ws_histogram *x = &a->site[i].count, *y = &b->site[i].count;

		ok = !ws_site_compare(a->site + i, b->site + i) && x->requests == y->requests &&
		     x->cold == y->cold && x->len == y->len &&
		     (!x->len || !memcmp(x->distance, y->distance, x->len * 8)) &&
		     (!x->len || !memcmp(x->capacity, y->capacity, x->len * 8));
	}
	return ok;
}

static void test_launch(size_t instructions, size_t arrays, uint32_t d, enum ws_site_level level,
			size_t sites)
{
	struct made_launch m;
	struct ws_section one, several;
	uint64_t requests = 0, at = 0;
	bool ascending = true;

	make_launch(&m, instructions, arrays);
	test_ok(count(&m.launch, 1, d, &one) && count(&m.launch, 3, d, &several),
		"%zu instructions, %zu arrays", instructions, arrays);
	test_u64(one.sites, sites, "sites");
	test_u64(one.sites_level, level, "level");
	for (size_t i = 0; i < one.sites; i++) {
		const struct ws_histogram *h = &one.site[i].count;

		requests += h->requests;
		at += d == WS_DISTANCE_COLD ? h->cold : h->distance[h->len - 1];
		ascending &= !i || ws_site_compare(one.site + i - 1, one.site + i) < 0;
	}
	test_u64(requests, instructions * arrays, "requests");
	test_u64(at, instructions * arrays, "of them at the distance");
	test_ok(ascending, "in order");
	test_ok(same(&one, &several), "the same of three threads");
	ws_section_clear(&one);
	ws_section_clear(&several);
	clear_launch(&m);
}

/* Launches of a kernel add up; once there were too many, there are no more. */
static void test_launches(void)
{
	struct ws_section sum = { 0 };

	for (unsigned i = 0; i < 3; i++) {
		struct made_launch m;
		struct ws_sites *s = NULL;

		make_launch(&m, i == 1 ? 70000 : 10, 2);
		test_ok(!ws_sites_new(&s, &m.launch, NULL), "a launch");
		for (uint32_t n = 0; n < m.launch.instructions; n++) {
			const struct ws_request r = { .address = n % 2 * BYTES, .sectors = 1,
						      .instruction = n, .kind = WS_STORE };

			ws_sites_count(s, &r, WS_DISTANCE_COLD, 0);
		}
		test_ok(!ws_sites_take(s, &sum, NULL), "is taken");
		ws_sites_free(s);
		clear_launch(&m);
		test_u64(sum.sites, i ? 1 : 10, "sites of a kernel so far");
	}
	test_u64(sum.site[0].count.requests, 70020, "requests");
	test_str(sum.site[0].array, "", "array");
	ws_section_clear(&sum);
}

/* ---- what cannot be read again ------------------------------------------------------- */

#define LARGE 600u /* sites of a MiB each in memory, and of some bytes in a file */

static void make_large(struct ws_section *s)
{
	s->site = ws_alloc_zero(LARGE, sizeof *s->site);
	for (s->sites = 0; s->sites < LARGE; s->sites++) {
		struct ws_site *site = s->site + s->sites;
		char name[32];

		snprintf(name, sizeof(name), "A%05zu", s->sites);
		site->array = ws_strdup(name);
		site->file = ws_strdup("");
		site->count.len = 65536;
		site->count.distance = calloc(65536, 8);
		site->count.capacity = calloc(65536, 8);
		site->count.distance[65535] = site->count.capacity[65535] = 1;
		site->count.requests = 1;
	}
}

static void test_refused(void)
{
	static const struct memory_launch launch = { "k", 1 };
	const struct ws_profile_options options = { .record = WS_RECORD_SITES,
						    .threads = 1 };
	struct ws_err err = { 0 };
	struct ws_machine m;
	struct ws_profile *p = NULL;
	char *data = NULL;
	size_t len = 0;
	struct ws_out out = { .file = open_memstream(&data, &len) };

	if (memory_machine(&m, &err))
		p = memory_profile(&m, &options, &launch, 1, &err);
	if (!test_ok(p != NULL, "a profile: %s", err.text))
		return;
	test_u64(ws_profile_write(p, &out, &err), WS_OK, "is written");
	test_ok(out.offset > 0, "%" PRIu64 " bytes", out.offset);
	for (size_t i = 0; i < p->section->sites; i++) {
		ws_histogram_clear(&p->section->site[i].count);
		free(p->section->site[i].array);
		free(p->section->site[i].file);
	}
	free(p->section->site);
	make_large(p->section);
	out.offset = 0;
	test_u64(ws_profile_write(p, &out, &err), WS_ENOMEM, "one that is too large is not");
	test_ok(strstr(err.text, "could not be read again") && strstr(err.text, " MiB in memory"),
		"%s", err.text);
	test_u64(out.offset, 0, "bytes");
	fclose(out.file);
	free(data);
	ws_profile_free(p);
}

int main(void)
{
	test_launch(50, 40, WS_DISTANCE_COLD, WS_SITES_ALL, 2000);
	test_launch(600, 600, WS_DISTANCE_COLD, WS_SITES_LINES, 600);	/* too many places */
	test_launch(400, 300, 3, WS_SITES_LINES, 400);			/* too many sites */
	test_launch(70000, 5, WS_DISTANCE_COLD, WS_SITES_NONE, 1);	/* of lines too */
	test_launch(30, 20, 65535, WS_SITES_LINES, 30);			/* too large histograms */
	test_launch(300, 2, 65535, WS_SITES_NONE, 1);
	test_launches();
	test_refused();
	return test_done();
}
