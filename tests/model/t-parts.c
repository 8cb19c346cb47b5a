/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/model/t-parts.c -- which array, which line misses: sites worked by hand, the sums over
 * parts of random profiles, and what cannot be said.
 */
#include "tests/test.h"

#include "model/model.h"
#include "tests/stackdist/memory.h"

/* ---- by hand ---------------------------------------------------------------------- */

/* Loads of A at lines 3 and 5, of B at line 5, a store of A at line 3.  Distances 0, 1, 2. */
static uint64_t a3[] = { 7, 0, 2 }, a5[] = { 1, 1, 0 }, b5[] = { 0, 4, 1 }, sum[] = { 8, 5, 3 };

static struct ws_site sites[] = {
	{ (char[]){ "A" }, (char[]){ "k.cl" }, 3, WS_LOAD,
	  { .requests = 10, .cold = 1, .distance = a3, .capacity = a3, .len = 3 } },
	{ (char[]){ "A" }, (char[]){ "k.cl" }, 3, WS_STORE, { .requests = 6, .uncached = 6 } },
	{ (char[]){ "A" }, (char[]){ "k.cl" }, 5, WS_LOAD,
	  { .requests = 3, .cold = 1, .distance = a5, .capacity = a5, .len = 3 } },
	{ (char[]){ "B" }, (char[]){ "k.cl" }, 5, WS_LOAD,
	  { .requests = 9, .cold = 4, .distance = b5, .capacity = b5, .len = 3 } },
};

static struct ws_profile by_hand(const struct ws_machine *m, struct ws_section *s,
				 struct ws_geometry *g)
{
	*g = (struct ws_geometry){ .line_bytes = 128, .sector_bytes = 128, .sets = 32 };
	g->kind[WS_LOAD] = (struct ws_histogram){ .requests = 22, .cold = 6, .distance = sum,
						  .capacity = sum, .len = 3 };
	g->kind[WS_STORE] = (struct ws_histogram){ .requests = 6, .uncached = 6 };
	*s = (struct ws_section){ .geometry = g, .geometries = 1, .site = sites,
				  .sites = WS_COUNT(sites) };
	return (struct ws_profile){ .machine = *m, .section = s, .sections = 1,
				    .sample_rate = 1 };
}

struct want {
	const char *array, *file;
	uint32_t line;
	uint64_t misses, loads;
};

static void parts_are(const struct ws_model *a, const struct ws_cache *c, enum ws_by by,
		      unsigned most, const struct want *want, size_t n)
{
	struct ws_part *part;
	struct ws_err err = { 0 };
	size_t count;

	if (!test_ok(!ws_model_parts(a, 0, c, by, most, &part, &count, &err), "parts %s",
		     err.text))
		return;
	test_u64(count, n, "parts");
	for (size_t i = 0; i < count && i < n; i++) {
		const struct ws_part *p = part + i;

		test_ok((want[i].array ? p->array && !strcmp(p->array, want[i].array)
				       : !p->array) &&
			(want[i].file ? p->file && !strcmp(p->file, want[i].file) : !p->file) &&
			p->line == want[i].line, "%zu: %s %s:%" PRIu32, i,
			p->array ? p->array : "-", p->file ? p->file : "-", p->line);
		test_u64(p->prediction.kind[WS_KINDS].misses, want[i].misses, "misses");
		test_u64(p->prediction.kind[WS_LOAD].misses, want[i].loads, "misses of loads");
		test_ok(p->prediction.basis == WS_EXACT && p->prediction.low[WS_KINDS] > 0 &&
			p->prediction.low[WS_KINDS] >= p->prediction.high[WS_KINDS], "exact");
	}
	free(part);
}

static void hand(const struct ws_machine *m)
{
	/* 2 ways: the loads of distance 2 and the cold ones miss, all stores do. */
	static const struct want array[] = { { "A", NULL, 0, 10, 4 }, { "B", NULL, 0, 5, 5 } };
	static const struct want loads[] = { { "B", NULL, 0, 5, 5 }, { "A", NULL, 0, 10, 4 } };
	static const struct want line[] = { { NULL, "k.cl", 3, 9, 3 }, { NULL, "k.cl", 5, 6, 6 } };
	static const struct want site[] = { { "A", "k.cl", 3, 9, 3 }, { "B", "k.cl", 5, 5, 5 },
					    { "A", "k.cl", 5, 1, 1 } };
	struct ws_section s;
	struct ws_geometry g;
	struct ws_profile p = by_hand(m, &s, &g);
	struct ws_cache c = m->l1;
	struct ws_model *a;

	c.ways = 2;
	if (!test_ok(!ws_model_new(&a, &p, NULL), "answers"))
		return;
	parts_are(a, &c, WS_BY_ARRAY, WS_KINDS, array, 2);
	parts_are(a, &c, WS_BY_ARRAY, WS_LOAD, loads, 2);
	parts_are(a, &c, WS_BY_LINE, WS_KINDS, line, 2);
	parts_are(a, &c, WS_BY_SITE, WS_KINDS, site, 3);
	ws_model_free(a);
}

/* ---- sums -------------------------------------------------------------------------- */

/* Counts of the parts together; false if they are not in order. */
static bool add_up(const struct ws_part *part, size_t count, struct ws_counts *kind)
{
	bool falls = true;

	memset(kind, 0, (WS_KINDS + 1) * sizeof *kind);
	for (size_t i = 0; i < count; i++) {
		for (unsigned k = 0; k <= WS_KINDS; k++)
			ws_counts_add(kind + k, part[i].prediction.kind + k);
		falls = falls && (!i || part[i].prediction.kind[WS_KINDS].misses <=
						part[i - 1].prediction.kind[WS_KINDS].misses);
	}
	return falls;
}

static void sums(const struct ws_machine *m, const struct ws_profile *p)
{
	bool same = true, falls = true;
	struct ws_model *a;
	size_t most = 0;

	if (!test_ok(!ws_model_new(&a, p, NULL), "answers"))
		return;
	for (size_t section = 0; section < p->sections; section++) {
		for (uint64_t ways = 1; ways < 40 && same; ways++) {
			for (unsigned by = WS_BY_ARRAY; by <= WS_BY_SITE && same; by++) {
				struct ws_counts kind[WS_KINDS + 1];
				struct ws_cache c = m->l1;
				struct ws_prediction whole;
				struct ws_part *part;
				size_t count;

				c.ways = ways;
				same = !ws_model_predict(a, section, &c, &whole, NULL) &&
				       !ws_model_parts(a, section, &c, (enum ws_by)by, WS_KINDS,
							 &part, &count, NULL);
				if (!same)
					break;
				falls = add_up(part, count, kind) && falls;
				same = ws_counts_equal(kind, whole.kind, WS_COUNT(kind));
				most = count > most ? count : most;
				free(part);
			}
		}
	}
	ws_model_free(a);
	test_ok(same && p->sections == 2, "parts add up to the whole, kind by kind");
	test_ok(falls && most >= 3, "most misses first; up to %zu parts", most);
}

/* ---- what cannot be said ------------------------------------------------------------- */

static void refused(const struct ws_profile *p, const struct ws_cache *c, const char *says)
{
	struct ws_err err = { 0 };
	struct ws_model *a;
	struct ws_part *part;
	size_t count;

	if (!test_ok(!ws_model_new(&a, p, NULL), "answers"))
		return;
	test_ok(ws_model_parts(a, 0, c, WS_BY_SITE, WS_KINDS, &part, &count, &err) ==
			WS_EINVAL && !part && !count && strstr(err.text, says), "%s: %s", says,
		err.text);
	ws_model_free(a);
}

static void errors(const struct ws_machine *m, struct ws_profile *p)
{
	struct ws_site *site = p->section->site;
	size_t sites_there = p->section->sites;
	struct ws_cache c = m->l1;

	c.sets = 1;
	refused(p, &c, "l1.sets = 32 alone, with any l1.ways; not for l1.line = 128 and "
		"l1.sets = 1");
	snprintf(c.policy, sizeof c.policy, "no-such");
	refused(p, &c, "no policy");
	c = m->l1;
	p->section->site = NULL;
	p->section->sites = 0;
	refused(p, &c, "has no misses by array and line");
	p->section->site = site;
	p->section->sites = sites_there;
}

int main(void)
{
	static const struct ws_shape shape[] = { { 128, 32 }, { 128, 1 } };
	struct ws_profile_options options = { .shape = shape, .shapes = WS_COUNT(shape),
					      .threads = 1, .record = WS_RECORD_SITES };
	uint64_t seed = test_seed(7005);
	struct memory_launch launch[] = { { "first", seed }, { "second", seed + 1 },
					  { "first", seed + 2 } };
	struct ws_err err = { 0 };
	struct ws_profile *p;
	struct ws_machine m;

	if (!test_ok(memory_machine(&m, &err), "machine: %s", err.text))
		return test_done();
	hand(&m);
	p = memory_profile(&m, &options, launch, WS_COUNT(launch), &err);
	if (test_ok(p != NULL, "a profile: %s", err.text)) {
		sums(&m, p);
		errors(&m, p);
	}
	ws_profile_free(p);
	return test_done();
}
