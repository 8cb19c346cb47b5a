/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/stackdist/t-merge.c -- profiles add: merging the profiles of launches is, byte by byte,
 * profiling them one after the other; merging those of SMs, profiling all SMs.  The order does
 * not matter but for the order of kernels.  What does not fit is refused, and what it was to
 * be added to is as before.
 */
#include "tests/test.h"

#include "tests/stackdist/made.h"

static const struct memory_launch first = { "mm", 11 }, again = { "mm", 12 },
	other = { "spmv", 13 };
static const struct ws_shape shapes[] = { { 128, 32 }, { 128, 1 }, { 32, 64 }, { 128, 8 } };

static struct ws_profile_options options(unsigned record)
{
	return (struct ws_profile_options){ .shape = shapes, .shapes = WS_COUNT(shapes),
					    .record = record, .seed = 5, .threads = 1 };
}

/* Of count launches; sm: the SMs counted, 0: all. */
static struct ws_profile *measure(const struct ws_machine *m, unsigned record, uint64_t sm,
				  const struct memory_launch *launch, size_t count)
{
	struct ws_profile_options o = options(record);
	struct ws_err err = { 0 };
	struct ws_profile *p;

	o.sm[0] = sm;
	p = memory_profile(m, &o, launch, count, &err);
	if (!p)
		test_ok(false, "a profile: %s", err.text);
	return p;
}

static bool same_bytes(const struct ws_profile *a, const struct ws_profile *b)
{
	struct memory x = { NULL, 0 }, y = { NULL, 0 };
	bool same;

	if (a && b) {
		x = memory_write(a);
		y = memory_write(b);
	}
	same = x.data && y.data && x.len == y.len && !memcmp(x.data, y.data, x.len);
	free(x.data);
	free(y.data);
	return same;
}

/* to += from, both as measured; the sum must be `want`.  Frees all. */
static void adds_up(const char *what, struct ws_profile *to, struct ws_profile *from,
		    struct ws_profile *want)
{
	struct ws_err err = { 0 };
	bool ok = to && from && want && !ws_profile_merge(to, from, &err);

	test_ok(ok && same_bytes(to, want) && memory_comes_back(to), "%s%s%s", what,
		err.text[0] ? ": " : "", err.text);
	ws_profile_free(to);
	ws_profile_free(from);
	ws_profile_free(want);
}

static void concatenations(const struct ws_machine *m, unsigned record, const char *what)
{
	const struct memory_launch both[] = { first, again }, kernels[] = { first, other };
	char text[80];

	snprintf(text, sizeof(text), "%s: two launches of a kernel", what);
	adds_up(text, measure(m, record, 0, &first, 1), measure(m, record, 0, &again, 1),
		measure(m, record, 0, both, 2));
	snprintf(text, sizeof(text), "%s: two kernels", what);
	adds_up(text, measure(m, record, 0, &first, 1), measure(m, record, 0, &other, 1),
		measure(m, record, 0, kernels, 2));
}

static void halves(const struct ws_machine *m)
{
	const struct memory_launch all[] = { first, other, again };
	const unsigned record = WS_RECORD_DEFAULT;

	adds_up("the SMs of three launches", measure(m, record, 3, all, 3),
		measure(m, record, 28, all, 3), measure(m, record, 0, all, 3));
	/* SMs 1 and 3 have no requests, so no sites either. */
	adds_up("SMs without requests", measure(m, record, 10, all, 3),
		measure(m, record, 21, all, 3), measure(m, record, 0, all, 3));
}

/* (a + b) + c and a + (b + c). */
static void associates(const struct ws_machine *m)
{
	struct ws_profile *p[2][3];
	bool ok = true;

	for (unsigned i = 0; i < 2; i++) {
		p[i][0] = measure(m, WS_RECORD_DEFAULT, 0, &first, 1);
		p[i][1] = measure(m, WS_RECORD_DEFAULT, 0, &other, 1);
		p[i][2] = measure(m, WS_RECORD_DEFAULT, 0, &again, 1);
		ok = ok && p[i][0] && p[i][1] && p[i][2];
	}
	ok = ok && !ws_profile_merge(p[0][0], p[0][1], NULL) &&
	     !ws_profile_merge(p[0][0], p[0][2], NULL) &&
	     !ws_profile_merge(p[1][1], p[1][2], NULL) &&
	     !ws_profile_merge(p[1][0], p[1][1], NULL);
	test_ok(ok && same_bytes(p[0][0], p[1][0]), "(a + b) + c = a + (b + c)");
	for (unsigned i = 0; i < 6; i++)
		ws_profile_free(p[i / 3][i % 3]);
}

/* Made profiles, sampled ones among them, twice themselves: what a reader checks holds. */
static void doubles(struct ws_rng *rng)
{
	const int times = 40;
	struct ws_err err = { 0 };
	int good = 0;

	for (bool ok = true; ok && good < times; good += ok) {
		struct ws_profile *p = made_profile(rng, &err), *back = NULL;
		struct memory m = { NULL, 0 };

		ok = p && !ws_profile_merge(p, p, &err);
		if (ok)
			m = memory_write(p);
		ok = ok && m.data && !memory_read(&back, m.data, m.len, &err);
		free(m.data);
		ws_profile_free(back);
		ws_profile_free(p);
	}
	test_ok(good == times, "%d doubled profiles are read%s%s", good, err.text[0] ? ": " : "",
		err.text);
}

/* The same SMs may be the same sample: standard deviations add.  Others are not: variances do. */
static const struct {
	uint64_t a, b, same, other;
} sums[] = {
	{ 0, 0, 0, 0 }, { 0, 7, 7, 7 }, { 7, 0, 7, 7 }, { 3, 3, 12, 6 }, { 2, 8, 18, 10 },
	{ 1, 2, 6, 3 }, { 5, 7, 24, 12 }, { 999999999999989, 999999999999989, 3999999999999956,
	1999999999999978 }, { (1ull << 60) + 1, 0, (1ull << 60) + 1, (1ull << 60) + 1 },
	{ 1ull << 62, 1ull << 62, UINT64_MAX, 1ull << 63 },
	{ 1ull << 63, 1ull << 63, UINT64_MAX, UINT64_MAX },
	{ UINT64_MAX, 1, UINT64_MAX, UINT64_MAX }, { UINT64_MAX, 0, UINT64_MAX, UINT64_MAX },
	{ 0, UINT64_MAX, UINT64_MAX, UINT64_MAX },
};

static uint64_t *some_variance(struct ws_profile *p)
{
	return p->section->geometry->kind->variance;
}

static void add_variances(const struct memory *m, bool same)
{
	struct ws_profile *a = NULL, *b = NULL;
	struct ws_err err = { 0 };
	uint64_t bad = 0;
	bool ok = !memory_read(&a, m->data, m->len, &err) &&
		  !memory_read(&b, m->data, m->len, &err);

	for (size_t i = 0; ok && i < WS_COUNT(sums); i++) {
		some_variance(a)[i] = sums[i].a;
		some_variance(b)[i] = sums[i].b;
	}
	if (ok) {
		a->sm[0] = 1;
		b->sm[0] = same ? 1 : 2;
	}
	ok = ok && !ws_profile_merge(a, b, &err);
	for (size_t i = 0; ok && i < WS_COUNT(sums); i++)
		bad += some_variance(a)[i] != (same ? sums[i].same : sums[i].other);
	test_ok(ok && !bad && memory_comes_back(a), "variances of %s SMs: %" PRIu64 " bad%s%s",
		same ? "the same" : "other", bad, err.text[0] ? ": " : "", err.text);
	ws_profile_free(a);
	ws_profile_free(b);
}

static void variances(struct ws_rng *rng)
{
	struct ws_profile *p = made_profile(rng, NULL);
	struct memory m = { NULL, 0 };

	while (p && (p->sample_rate >= 1 || !p->sections)) {
		ws_profile_free(p);
		p = made_profile(rng, NULL);
	}
	if (p)
		m = memory_write(p);
	if (test_ok(m.data, "a sampled profile")) {
		add_variances(&m, true);
		add_variances(&m, false);
	}
	ws_profile_free(p);
	free(m.data);
}

/* ---- what does not fit -------------------------------------------------------------- */

/* Frees from. */
static void refused(const char *what, struct ws_profile *to, struct ws_profile *from)
{
	struct memory before = memory_write(to), after;
	struct ws_err err = { 0 };
	bool ok = from && ws_profile_merge(to, from, &err) == WS_EINVAL && err.text[0];

	after = memory_write(to);
	test_ok(ok && before.data && after.data && before.len == after.len &&
		!memcmp(before.data, after.data, before.len), "%s: %s", what, err.text);
	free(before.data);
	free(after.data);
	ws_profile_free(from);
}

static struct ws_profile *plain(const struct ws_machine *m)
{
	return measure(m, WS_RECORD_DEFAULT, 0, &first, 1);
}

/* In the second section alone, which a reader would refuse. */
static void other_sections(const struct ws_machine *m)
{
	const struct memory_launch both[] = { first, other };
	const unsigned record = WS_RECORD_DEFAULT;
	struct ws_profile *to = measure(m, record, 0, both, 2);
	struct ws_profile *p[] = { measure(m, record, 0, both, 2), measure(m, record, 0, both, 2),
				   measure(m, record, 0, both, 2), measure(m, record, 0, both, 2) };

	if (!to || !p[0] || !p[1] || !p[2] || !p[3])
		return;
	p[0]->section[1].geometry[3].sector_bytes = 64;
	refused("other sectors of one kernel", to, p[0]);
	p[1]->section[1].geometry[2].sets *= 2;
	refused("other sets of one kernel", to, p[1]);
	ws_detail_free(p[2]->section[1].geometry[0].detail);
	p[2]->section[1].geometry[0].detail = NULL;
	refused("no details of one kernel", to, p[2]);
	made_drop_sites(p[3]->section + 1);
	refused("no sites of one kernel", to, p[3]);
	ws_profile_free(to);
}

/* The line of the stream counts without sites, too; sets and ways, without, do not. */
static void other_lines(const struct ws_machine *m)
{
	struct ws_machine a = *m, b = *m, c = *m;
	struct ws_profile *to, *p;

	test_ok(!ws_machine_set(&a, "l1.sector=32", NULL) && !ws_machine_check(&a, NULL) &&
		!ws_machine_set(&b, "l1.sector=32", NULL) &&
		!ws_machine_set(&b, "l1.line=64", NULL) && !ws_machine_check(&b, NULL) &&
		!ws_machine_set(&c, "l1.sector=32", NULL) &&
		!ws_machine_set(&c, "l1.sets=64", NULL) && !ws_machine_check(&c, NULL),
		"machines of other lines and sets");
	to = measure(&a, WS_RECORD_DETAIL, 0, &first, 1);
	p = measure(&c, WS_RECORD_DETAIL, 0, &first, 1);
	if (to && p) {
		refused("another line, no sites", to,
			measure(&b, WS_RECORD_DETAIL, 0, &first, 1));
		test_ok(!ws_profile_merge(to, p, NULL), "other sets, no sites");
	}
	ws_profile_free(to);
	ws_profile_free(p);
}

static void other_measures(const struct ws_machine *m, struct ws_profile *to)
{
	struct ws_machine changed = *m;
	struct ws_profile_options o = options(WS_RECORD_DEFAULT);
	struct ws_profile *p = plain(m);

	o.seed = 6;
	refused("another seed", to, memory_profile(m, &o, &first, 1, NULL));
	o = options(WS_RECORD_DEFAULT);
	o.order = WS_ORDER_CYCLES;
	refused("another order", to, memory_profile(m, &o, &first, 1, NULL));
	o = options(WS_RECORD_DEFAULT);
	o.shapes = 2;
	refused("other shapes", to, memory_profile(m, &o, &first, 1, NULL));
	if (p)
		p->sample_lines = 100;
	refused("a sample", to, p);
	test_ok(!ws_machine_set(&changed, "l1.write=write-back", NULL) &&
		!ws_machine_check(&changed, NULL), "another machine");
	refused("another write policy", to, plain(&changed));
	changed = *m;
	test_ok(!ws_machine_set(&changed, "l1.sets=8", NULL) &&
		!ws_machine_check(&changed, NULL), "another set count");
	refused("sites at other sets", to, plain(&changed));
	refused("no details", to, measure(m, WS_RECORD_SITES, 0, &first, 1));
	refused("no sites", to, measure(m, WS_RECORD_DETAIL, 0, &first, 1));
}

static void other_sms(const struct ws_machine *m)
{
	const struct memory_launch both[] = { first, again };
	struct ws_profile *half = measure(m, WS_RECORD_DEFAULT, 5, &first, 1);

	if (!half)
		return;
	refused("some SMs in common", half, measure(m, WS_RECORD_DEFAULT, 6, &first, 1));
	refused("all SMs", half, plain(m));
	refused("other SMs of other kernels", half, measure(m, WS_RECORD_DEFAULT, 2, &other, 1));
	refused("other SMs of other launches", half, measure(m, WS_RECORD_DEFAULT, 2, both, 2));
	refused("other SMs of no kernel", half, measure(m, WS_RECORD_DEFAULT, 2, NULL, 0));
	ws_profile_free(half);
}

static void too_many(const struct ws_machine *m, struct ws_profile *to)
{
	struct ws_profile *p = plain(m);
	struct ws_detail *d = p ? p->section->geometry[1].detail : NULL;

	if (!d)
		return;
	d->time[3] = UINT64_MAX;
	refused("2^64 references in windows", to, p);
	p = plain(m);
	if (p)
		p->section->cycles = UINT64_MAX - 3;
	refused("2^64 cycles", to, p);
	p = plain(m);
	if (p)
		p->section->geometry[2].kind[WS_STORE].uncached = UINT64_MAX;
	refused("2^64 stores", to, p);
	p = plain(m);
	if (p)
		p->section->geometry[2].kind[WS_STORE].requests = UINT64_MAX / 2;
	refused("2^63 requests", to, p);
	p = plain(m);
	if (p && p->section->sites)
		p->section->site->count.requests = UINT64_MAX;
	refused("2^64 requests of a site", to, p);
}

/* Keys that only predictions read may differ; the first one's are kept. */
static void other_ways(const struct ws_machine *m)
{
	struct ws_machine changed = *m;
	struct ws_profile *a = plain(m), *b;
	struct ws_err err = { 0 };

	test_ok(!ws_machine_set(&changed, "l1.ways=7", NULL) && !ws_machine_set(&changed,
		"l1.sets=32", NULL) && !ws_machine_check(&changed, NULL), "7 ways");
	b = plain(&changed);
	if (a && b) {
		test_ok(!ws_profile_merge(a, b, &err), "another number of ways: %s", err.text);
		test_u64(a->machine.l1.ways, m->l1.ways, "ways");
		test_u64(a->section->launches, 2, "launches");
	}
	ws_profile_free(a);
	ws_profile_free(b);
}

/* In the cycle simulator's order every key decided what was measured, but for names. */
static void simulated(const struct ws_machine *m)
{
	struct ws_profile_options o = options(WS_RECORD_DEFAULT);
	struct ws_machine changed = *m, named = *m;
	struct ws_profile *to, *same;
	struct ws_err err = { 0 };

	o.order = WS_ORDER_CYCLES;
	test_ok(!ws_machine_set(&changed, "l1.mshr=7", NULL) && !ws_machine_check(&changed, NULL) &&
		!ws_machine_set(&named, "title=other", NULL), "7 MSHRs, and another title");
	to = memory_profile(m, &o, &first, 1, NULL);
	same = memory_profile(&named, &o, &first, 1, NULL);
	if (to && same) {
		refused("other MSHRs, simulated", to,
			memory_profile(&changed, &o, &first, 1, NULL));
		test_ok(!ws_profile_merge(to, same, &err) && to->order == WS_ORDER_CYCLES,
			"another title: %s", err.text);
	}
	ws_profile_free(to);
	ws_profile_free(same);
}

int main(void)
{
	struct ws_err err = { 0 };
	struct ws_machine m;
	struct ws_profile *to;
	struct ws_rng rng;

	ws_rng_seed(&rng, test_seed(7007));
	if (!test_ok(memory_machine(&m, &err), "machine: %s", err.text))
		return test_done();
	concatenations(&m, WS_RECORD_DEFAULT, "all");
	concatenations(&m, 0, "distances");
	halves(&m);
	associates(&m);
	doubles(&rng);
	variances(&rng);
	to = plain(&m);
	if (test_ok(to != NULL, "a profile")) {
		other_measures(&m, to);
		too_many(&m, to);
	}
	ws_profile_free(to);
	other_sections(&m);
	other_lines(&m);
	other_sms(&m);
	other_ways(&m);
	simulated(&m);
	return test_done();
}
