/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/validate/t-pchase-tlb.c -- pointer chasing finds TLBs drawn at random, in spite of noise,
 * and what lies before them; a machine without any has none.  And TLBs request by request against
 * caches of page numbers.
 *
 * With an argument: so many machines, a line of tab-separated values each.
 */
#include "tests/ref/policy.h"
#include "tests/ref/set_ways.h"
#include "tests/test.h"
#include "validate/pchase.h"
#include "validate/sim/tlb.h"

#define MACHINES 20u

static struct ws_rng rng;

static uint64_t pick(uint64_t low, uint64_t high)
{
	return low + ws_rng_below(&rng, high - low + 1);
}

static bool set_keys(struct ws_machine *m, const char *text)
{
	struct ws_err err = { 0 };
	char copy[512], *save, *key;
	bool good = ws_machine_load(m, "gtx480", &err) == WS_OK;

	snprintf(copy, sizeof copy, "%s", text);
	for (key = strtok_r(copy, ";", &save); key && good; key = strtok_r(NULL, ";", &save))
		good = ws_machine_set(m, key, &err) == WS_OK;
	return good && ws_machine_check(m, &err) == WS_OK;
}

/* Sets alike, or one that differs. */
static void draw_entries(char *text, size_t len, uint64_t most_sets, uint64_t low, uint64_t high)
{
	unsigned long long sets = pick(1, most_sets), ways = pick(low, high);

	if (sets > 2 && pick(0, 2) == 0)
		snprintf(text, len, "%llu+%llux%llu", ways + (unsigned long long)pick(1, 9),
			 sets - 1, ways);
	else
		snprintf(text, len, "%llux%llu", sets, ways);
}

static void draw_machine(struct ws_machine *m, char *text, size_t len)
{
	uint64_t kind;
	size_t at;

	do {
		char first[48], second[48];

		kind = pick(0, 5);
		draw_entries(first, sizeof first, pick(0, 1) ? 1 : 4, 4, 16);
		draw_entries(second, sizeof second, 16, 17, 40);
		at = (size_t)snprintf(text, len, "l1.ways=%u;l1.hash=modulo;tlb.page=%uK",
				      (unsigned)pick(1, 8), 64u << pick(0, 5));
		if (kind)
			at += (size_t)snprintf(text + at, len - at, ";tlb.l1=%s;tlb.l1.miss=%u",
					       first, (unsigned)pick(40, 120));
		if (kind > 1)
			snprintf(text + at, len - at, ";tlb.l2=%s;tlb.l2.miss=%u", second,
				 (unsigned)pick(80, 500));
	} while (!set_keys(m, text) ||
		 (kind > 1 && ws_set_ways_sum(&m->tlb[1]) < 3 * ws_set_ways_sum(&m->tlb[0])));
}

struct score {
	uint64_t machines, caches, levels, pages, entries, cycles, wrong;
};

static bool same_entries(const struct ws_set_ways *a, const struct ws_set_ways *b)
{
	return a->runs == b->runs && memcmp(a->run, b->run, a->runs * sizeof *a->run) == 0;
}

static void judge(struct score *s, const struct ws_machine *m, const struct ws_chase *c,
		  const char *text, bool list)
{
	unsigned tlbs = m->tlb[0].runs ? m->tlb[1].runs ? 2 : 1 : 0;
	bool levels = c->tlbs == tlbs, entries = levels, cycles = levels, sure = false;
	bool cache = c->ways.value == m->l1.ways && c->size.value == m->l1.size_bytes;
	bool page = !tlbs || (levels && c->page.value == m->tlb_page);

	for (unsigned i = 0; i < tlbs && levels; i++) {
		double off = fabs(c->tlb[i].cycles - (double)m->tlb_miss_cycles[i]);

		entries &= c->tlb[i].confidence > 0 &&
			same_entries(&c->tlb[i].entries, &m->tlb[i]);
		cycles &= off <= 3 + 0.05 * (double)m->tlb_miss_cycles[i];
		sure |= c->tlb[i].confidence > 0.9;
	}
	s->machines++;
	s->caches += cache;
	s->levels += levels;
	s->pages += page;
	s->entries += entries;
	s->cycles += cycles;
	s->wrong += !entries && sure && levels;
	if (list || !cache || !levels || !page || !entries || !cycles)
		printf("# %d %d %d %d %d\t%s\t%u TLBs, page %llu, %.0f %.0f cycles\t%llu\n", cache,
		       levels, page, entries, cycles, text, c->tlbs,
		       (unsigned long long)c->page.value, c->tlb[0].cycles, c->tlb[1].cycles,
		       (unsigned long long)c->loads);
}

static void chase_machine(struct score *s, bool list)
{
	struct ws_machine m;
	struct ws_chase_target target;
	struct ws_chase found;
	struct ws_chase_options options = { .seed = pick(1, 1u << 30) };
	struct ws_chase_noise noise = {
		.jitter = 0.05 * ws_rng_double(&rng), .outliers = 0.004 * ws_rng_double(&rng),
		.seed = pick(1, 1u << 30),
	};
	struct ws_err err = { 0 };
	char text[512];

	draw_machine(&m, text, sizeof text);
	if (!test_ok(ws_chase_machine(&target, &m, &noise, &err) == WS_OK &&
		     ws_chase_infer(&found, &target, &options, &err) == WS_OK, "%s %s", text,
		     err.text))
		return;
	ws_chase_close(&target);
	judge(s, &m, &found, text, list);
}

/* A level as a cache whose lines, of 32 bytes, are pages. */
static struct ws_sim *paged(const struct ws_set_ways *entries, struct ws_err *err)
{
	struct ws_cache c = { .sets = ws_set_ways_sets(entries), .ways = ws_set_ways_most(entries),
			      .line_bytes = 32, .sector_bytes = 32, .set_ways = *entries,
			      .hash = ws_hash_find("modulo"), .policy = "lru" };
	struct ws_sim *sim = NULL;

	c.size_bytes = ws_cache_lines(&c) * 32;
	return ws_sim_new(&sim, &c, err) == WS_OK ? sim : NULL;
}

static bool page_misses(struct ws_sim *sim, uint64_t page)
{
	struct ws_request r = { .address = page * 32, .sectors = 1, .kind = WS_LOAD };
	struct ws_counts before[WS_KINDS + 1], after[WS_KINDS + 1];

	ws_sim_counts(sim, before);
	if (ws_sim_push(sim, &r, 1, NULL))
		abort();
	ws_sim_counts(sim, after);
	return after[WS_KINDS].misses != before[WS_KINDS].misses;
}

static bool as_caches(void)
{
	struct ws_machine m;
	struct ws_tlb *tlb = NULL;
	struct ws_sim *sim[2] = { NULL, NULL };
	struct ws_err err = { 0 };
	char text[512];
	bool same = true;

	do
		draw_machine(&m, text, sizeof text);
	while (!m.tlb[1].runs);
	for (unsigned i = 0; i < 2 && same; i++)
		same = (sim[i] = paged(&m.tlb[i], &err)) != NULL;
	same = same && ws_tlb_new(&tlb, &m, &err) == WS_OK;
	for (unsigned i = 0; i < 4000 && same; i++) {
		uint64_t page = pick(0, pick(0, 1) ? 30 : 800);
		unsigned missed = page_misses(sim[0], page);

		missed += missed && page_misses(sim[1], page);
		same = ws_tlb_ask(tlb, page * m.tlb_page + pick(0, m.tlb_page - 1)) == missed;
		if (i % 1000 == 999) {
			ws_tlb_flush(tlb);
			ws_sim_flush(sim[0]);
			ws_sim_flush(sim[1]);
		}
	}
	ws_tlb_free(tlb);
	ws_sim_free(sim[0]);
	ws_sim_free(sim[1]);
	return same;
}

/* What goes past the L1s, of loads, asks the TLBs. */
static bool as_counted(void)
{
	enum { COUNT = 800, SMS = 3 };
	static struct ws_request r[SMS][COUNT];
	struct ws_stream stream[SMS];
	struct ws_streams s = { .sm = stream, .sms = SMS, .kernel = (char[]){ "k" } };
	struct ws_tlb_counts got, want = { 0 };
	struct ws_machine m;
	struct ws_err err = { 0 };
	char text[512];

	do
		draw_machine(&m, text, sizeof text);
	while (!m.tlb[1].runs);
	if (pick(0, 3) == 0)
		m.l1.ways = m.l1.size_bytes = 0;
	s.line_bytes = s.coalesce_line = m.l1.line_bytes;
	for (unsigned sm = 0; sm < SMS; sm++) {
		struct ref_cache *l1 = ref_cache_new(&m.l1, 1);
		struct ws_sim *page[2] = { paged(&m.tlb[0], &err), paged(&m.tlb[1], &err) };

		stream[sm] = (struct ws_stream){ r[sm], COUNT, COUNT };
		for (unsigned i = 0; i < COUNT; i++) {
			uint64_t at = pick(0, pick(0, 2) ? 60 : 900);

			r[sm][i] = (struct ws_request){ .address = at * m.tlb_page + pick(0, 1) *
							m.l1.line_bytes, .sectors = 1,
							.kind = WS_LOAD };
			if (m.l1.ways && ref_cache_request(l1, r[sm], COUNT, i))
				continue;
			want.requests++;
			if (!page_misses(page[0], at))
				continue;
			want.misses[0]++;
			want.misses[1] += page_misses(page[1], at);
		}
		ref_cache_free(l1);
		ws_sim_free(page[0]);
		ws_sim_free(page[1]);
	}
	return ws_simulate_tlbs(&s, 1, NULL, &m, 1, &got, &err) == WS_OK &&
	       memcmp(&got, &want, sizeof got) == 0;
}

int main(int argc, char **argv)
{
	struct score s = { 0 };
	uint64_t machines = MACHINES, same = 0;

	ws_rng_seed(&rng, test_seed(1));
	if (argc > 1 && !ws_parse_u64(argv[1], &machines))
		return 2;
	while (same < 100 && as_caches())
		same++;
	test_u64(same, 100, "TLBs are caches of page numbers");
	for (same = 0; same < 60 && as_counted();)
		same++;
	test_u64(same, 60, "what L1s ask their TLBs is counted");
	for (uint64_t i = 0; i < machines; i++)
		chase_machine(&s, argc > 1);
	printf("# %llu machines: caches %llu levels %llu pages %llu entries %llu cycles %llu, "
	       "wrong but sure %llu\n", (unsigned long long)s.machines,
	       (unsigned long long)s.caches, (unsigned long long)s.levels,
	       (unsigned long long)s.pages, (unsigned long long)s.entries,
	       (unsigned long long)s.cycles, (unsigned long long)s.wrong);
	test_ok(s.caches * 100 >= s.machines * 95, "what lies before the TLBs");
	test_ok(s.levels * 100 >= s.machines * 95 && s.pages * 100 >= s.machines * 95,
		"levels and page");
	test_ok(s.entries * 100 >= s.machines * 90, "entries");
	test_u64(s.wrong, 0, "wrong but sure");
	return test_done();
}
