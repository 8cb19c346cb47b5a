/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * validate/pchase/tlb.c -- page, levels and entries of TLBs that are asked by what misses the L1.
 *
 * No load of a program is of a line that one before it was of: each misses in the L1.  A
 * program is run several times over, each time from an empty L1 and empty TLBs: after the first
 * time the next level has its lines, and what loads of one program differ by is translation.
 *
 *   is there one?   the first load of a page takes longer than the others
 *   page            one load each in steps of s: min(1, s / page) of them are the first of a page
 *   levels          pages 0 .. n - 1 one after the other, twice; the second time a page takes
 *                   nothing more, or what a miss in the first TLB takes, or in both
 *   sets            of the least n with a miss, those that miss are of one set: under LRU a set
 *                   loses all its pages as soon as they are more than its ways.  Their distance is
 *                   the number of sets; then n = k * sets says which sets have less than k ways.
 *
 * Last, n in between are held against what the entries say: if they do otherwise (another index,
 * another policy), entries are not determined, and what is left is the reach.
 */
#include "validate/pchase/probe.h"

#include <math.h>
#include <stdlib.h>

#define BLOCK 1024u		/* lines are no longer */
#define PAGE_LEAST 4096u
#define PAGE_MOST (1u << 30)
#define FIRSTS 64u		/* pages of which the first loads are compared */
#define STEPS 128u		/* loads in steps */
#define PAGES_MOST 4096u
#define RUNS_FIRST 15u
#define RUNS_LEAST 5u
#define RUNS_MOST 101u
#define SIGMAS 6.0
#define LEAST_PART 0.02		/* of a latency, which a miss takes at least */
#define CHECKS 8u
#define WRONG_MOST 0.02		/* of the pages of a check */

struct tlb_search {
	struct ws_probe *probe;
	uint64_t page;
	size_t runs;
	double hit, cold;	/* a load whose page all know, that none knows */
	double sd;		/* of one load */
	double *middle;		/* the median of each page, of a walk */
	double border[2];	/* above it a page misses in the first TLB, the second */
};

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* The program `runs` times, after once more; median[i] of what its load from + i took. */
static enum ws_status run_often(struct ws_probe *p, size_t runs, size_t from, double *median,
				struct ws_err *err)
{
	size_t count = p->program.count - from;
	double *cycles = ws_alloc(count * runs, sizeof *cycles);
	enum ws_status status = cycles ? ws_probe_run(p, err) : ws_fail_memory(err, "the loads");

	for (size_t k = 0; k < runs && status == WS_OK; k++) {
		status = ws_probe_run(p, err);
		for (size_t i = 0; i < count && status == WS_OK; i++)
			cycles[i * runs + k] = p->cycles[from + i];
	}
	for (size_t i = 0; i < count && status == WS_OK; i++) {
		qsort(cycles + i * runs, runs, sizeof *cycles, by_value);
		median[i] = cycles[i * runs + runs / 2];
	}
	free(cycles);
	return status;
}

/* Somewhere in a page, in another block for each turn: no two loads of one line, and as even over
 * the sets of the next level as may be. */
static uint64_t place_in(uint64_t page, uint64_t bytes, unsigned turn)
{
	uint64_t blocks = bytes / BLOCK, mixed = (2 * page + turn + 1) * 0x9e3779b97f4a7c15u;

	return page * bytes + ((mixed >> 36) % (blocks / 2) * 2 + turn) * BLOCK +
		(mixed >> 20) % (BLOCK / WS_SECTOR_BYTES) * WS_SECTOR_BYTES;
}

/* ---- is there one? ------------------------------------------------------------------------ */

struct middle {
	double median, sd;
};

static struct middle middle_of(double *value, size_t count)
{
	qsort(value, count, sizeof *value, by_value);
	return (struct middle){ value[count / 2],
				(value[count * 3 / 4] - value[count / 4]) / 1.349 };
}

/* The first and the other loads of the pages of a run. */
static void divide(const struct ws_probe *p, struct middle *first, struct middle *other)
{
	double one[FIRSTS], more[3 * FIRSTS];

	for (size_t i = 0; i < FIRSTS; i++) {
		one[i] = p->cycles[4 * i];
		for (size_t k = 0; k < 3; k++)
			more[3 * i + k] = p->cycles[4 * i + 1 + k];
	}
	*first = middle_of(one, FIRSTS);
	*other = middle_of(more, WS_COUNT(more));
}

static enum ws_status look_for_it(struct tlb_search *s, bool *there, struct ws_err *err)
{
	struct ws_probe *p = s->probe;
	struct middle first = { 0 }, other = { 0 };
	enum ws_status status = WS_OK;

	p->program.count = 0;
	for (unsigned i = 0; i < FIRSTS && status == WS_OK; i++) {
		uint64_t at = ws_rng_below(&p->rng, p->target->bytes / PAGE_LEAST) * PAGE_LEAST;

		for (unsigned k = 0; k < 4 && status == WS_OK; k++)
			status = ws_chase_list_add(&p->program, at + k * BLOCK, err);
	}
	if (status == WS_OK)
		status = ws_probe_run(p, err);
	if (status != WS_OK || p->found->exhausted)
		return status;
	divide(p, &first, &other);
	p->found->behind[1] = other.median;
	status = ws_probe_run(p, err);
	if (status != WS_OK || p->found->exhausted)
		return status;
	divide(p, &first, &other);
	p->found->behind[0] = other.median;
	s->hit = other.median;
	s->cold = first.median;
	s->sd = fmax(other.sd, first.sd);
	*there = s->cold - s->hit > SIGMAS * 1.25 * s->sd / sqrt(FIRSTS) &&
		s->cold > (1 + LEAST_PART) * s->hit;
	return status;
}

/* So many that a median is not half of such a gap off. */
static size_t runs_for(const struct tlb_search *s, double gap)
{
	double runs = ceil(pow(2 * 1.25 * SIGMAS * s->sd / gap, 2));

	return (size_t)fmin(fmax(runs, RUNS_LEAST), RUNS_MOST);
}

/* ---- the page ------------------------------------------------------------------------- */

static enum ws_status step_mean(struct tlb_search *s, uint64_t step, double *mean,
				struct ws_err *err)
{
	struct ws_probe *p = s->probe;
	double median[STEPS], all = 0;
	size_t count = p->target->bytes / step < STEPS ? (size_t)(p->target->bytes / step) : STEPS;
	enum ws_status status = WS_OK;

	p->program.count = 0;
	for (unsigned i = 0; i < count && status == WS_OK; i++)
		status = ws_chase_list_add(&p->program, place_in(i, step, 0), err);
	if (status == WS_OK)
		status = run_often(p, s->runs, 0, median, err);
	for (size_t i = 0; i < count && status == WS_OK; i++)
		all += median[i];
	*mean = all / (double)count;
	return status;
}

static enum ws_status find_page(struct tlb_search *s, struct ws_err *err)
{
	double mean = 0, border = s->hit + 0.75 * (s->cold - s->hit);
	enum ws_status status = WS_OK;

	for (s->page = PAGE_LEAST / 2; s->page < PAGE_MOST && mean < border && status == WS_OK;) {
		s->page *= 2;
		status = step_mean(s, s->page, &mean, err);
	}
	if (status == WS_OK && mean >= border && !s->probe->found->exhausted)
		s->probe->found->page = (struct ws_chase_value){ s->page,
								 ws_probe_confidence(s->probe) };
	return status;
}

/* ---- walks over pages ------------------------------------------------------------------ */

/* s->middle of the second time. */
static enum ws_status walk_pages(struct tlb_search *s, size_t pages, struct ws_err *err)
{
	struct ws_probe *p = s->probe;
	enum ws_status status = WS_OK;

	p->program.count = 0;
	for (size_t i = 0; i < 2 * pages && status == WS_OK; i++)
		status = ws_chase_list_add(&p->program, place_in(i % pages, s->page, i >= pages),
					   err);
	return status == WS_OK ? run_often(p, s->runs, pages, s->middle, err) : status;
}

static size_t pages_most(const struct tlb_search *s)
{
	uint64_t all = s->probe->target->bytes / s->page;

	return all < PAGES_MOST ? (size_t)all : PAGES_MOST;
}

enum { NONE, BETWEEN, ALL, STATES };

struct states {			/* medians of pages: of a hit, of a miss in all TLBs, and others */
	double *cycles[STATES];
	size_t count[STATES];
};

static void sort_pages(struct states *t, const struct tlb_search *s, size_t pages)
{
	double near = 0.6 * SIGMAS * s->sd / sqrt((double)s->runs) + 0.005 * s->hit;

	t->count[ALL] = 0;
	for (size_t i = 0; i < pages; i++) {
		unsigned state = s->middle[i] >= s->cold - near ? ALL
			: s->middle[i] > s->hit + near ? BETWEEN : NONE;

		t->cycles[state][t->count[state]++] = s->middle[i];
	}
}

static void take_levels(const struct tlb_search *s, struct states *t)
{
	struct ws_chase *found = s->probe->found;
	double hit = t->count[NONE] ? middle_of(t->cycles[NONE], t->count[NONE]).median : s->hit;
	double cold = t->count[ALL] ? middle_of(t->cycles[ALL], t->count[ALL]).median : s->cold;

	found->tlbs = 1;
	found->tlb[0].cycles = cold - hit;
	if (t->count[BETWEEN] >= 4) {
		double between = middle_of(t->cycles[BETWEEN], t->count[BETWEEN]).median;

		found->tlbs = 2;
		found->tlb[0].cycles = between - hit;
		found->tlb[1].cycles = cold - between;
	}
}

/* What a miss in the first TLB takes: that of pages that neither all know nor none. */
static enum ws_status find_levels(struct tlb_search *s, struct ws_err *err)
{
	struct ws_chase *found = s->probe->found;
	struct states t = { .count = { 0 } };
	enum ws_status status = WS_OK;

	for (unsigned i = 0; i < STATES; i++)
		t.cycles[i] = ws_alloc(2 * pages_most(s), sizeof(double));
	if (!t.cycles[NONE] || !t.cycles[BETWEEN] || !t.cycles[ALL])
		status = ws_fail_memory(err, "the pages");
	/* Until most miss: longer walks may be more than the next level holds. */
	for (size_t n = 1; n <= pages_most(s) && status == WS_OK && !found->exhausted &&
	     4 * t.count[ALL] < n; n *= 2) {
		status = walk_pages(s, n, err);
		sort_pages(&t, s, n);
	}
	if (status == WS_OK && !found->exhausted) {
		take_levels(s, &t);
		s->border[0] = s->hit + found->tlb[0].cycles / 2;
		s->border[1] = s->hit + found->tlb[0].cycles + found->tlb[1].cycles / 2;
		s->runs = runs_for(s, found->tlbs == 2 ? fmin(found->tlb[0].cycles,
							       found->tlb[1].cycles)
						       : found->tlb[0].cycles);
	}
	for (unsigned i = 0; i < STATES; i++)
		free(t.cycles[i]);
	return status;
}

/* ---- entries ------------------------------------------------------------------------------ */

static size_t count_misses(const struct tlb_search *s, unsigned level, size_t pages)
{
	size_t misses = 0;

	for (size_t i = 0; i < pages; i++)
		misses += s->middle[i] > s->border[level];
	return misses;
}

/* The most pages that do not miss, *pages; more than are walked: not determined. */
static enum ws_status find_reach(struct tlb_search *s, unsigned level, size_t *pages,
				 struct ws_err *err)
{
	struct ws_chase *found = s->probe->found;
	size_t fits = 1, most = 2;
	enum ws_status status = WS_OK;

	for (bool misses = false; !misses && status == WS_OK && most <= pages_most(s); most *= 2) {
		status = walk_pages(s, most, err);
		misses = count_misses(s, level, most) > 0;
		if (misses)
			break;
		fits = most;
	}
	*pages = 0;
	if (most > pages_most(s))
		return status;
	while (most - fits > 1 && status == WS_OK) {
		size_t middle = fits + (most - fits) / 2;

		status = walk_pages(s, middle, err);
		*(count_misses(s, level, middle) ? &most : &fits) = middle;
	}
	if (status == WS_OK && !found->exhausted) {
		*pages = fits;
		found->tlb[level].reach = (struct ws_chase_value){ fits,
								   ws_probe_confidence(s->probe) };
	}
	return status;
}

/* The distance of the pages that miss, all alike; 0: they are not. */
static size_t distance_of_misses(const struct tlb_search *s, unsigned level, size_t pages)
{
	size_t before = SIZE_MAX, distance = 0;

	for (size_t i = 0; i < pages; i++) {
		if (s->middle[i] <= s->border[level])
			continue;
		if (before != SIZE_MAX && distance && i - before != distance)
			return 0;
		if (before != SIZE_MAX)
			distance = i - before;
		before = i;
	}
	/* A set of one way has two pages then; its first is less than a distance from the start. */
	return distance;
}

/* ways[] of each set, from walks over k pages of each. */
static enum ws_status count_entries(struct tlb_search *s, unsigned level, size_t sets,
				    uint64_t *ways, bool *all, struct ws_err *err)
{
	enum ws_status status = WS_OK;
	size_t left = sets;

	for (size_t k = 1; left && k * sets <= pages_most(s) && status == WS_OK; k++) {
		status = walk_pages(s, k * sets, err);
		for (size_t set = 0; set < sets && status == WS_OK; set++)
			if (!ways[set] && k > 1 && s->middle[set] > s->border[level]) {
				ways[set] = k - 1;
				left--;
			}
	}
	*all = left == 0;
	return status;
}

/* Do walks of other lengths miss as the entries say? */
static enum ws_status check_entries(struct tlb_search *s, unsigned level, size_t sets,
				    const uint64_t *ways, size_t first, size_t last, bool *good,
				    struct ws_err *err)
{
	enum ws_status status = WS_OK;
	size_t wrong = 0, all = 0;

	for (unsigned c = 0; c < CHECKS && status == WS_OK; c++) {
		size_t pages = first + (size_t)ws_rng_below(&s->probe->rng, last - first + 1);

		status = walk_pages(s, pages, err);
		for (size_t i = 0; i < pages; i++, all++) {
			size_t mine = (pages - i % sets + sets - 1) / sets;

			wrong += (s->middle[i] > s->border[level]) != (mine > ways[i % sets]);
		}
	}
	*good = (double)wrong <= WRONG_MOST * (double)all;
	return status;
}

static enum ws_status find_entries(struct tlb_search *s, unsigned level, struct ws_err *err)
{
	struct ws_chase_tlb *tlb = &s->probe->found->tlb[level];
	uint64_t *ways;
	size_t reach, sets = 0;
	bool good = false;
	enum ws_status status = find_reach(s, level, &reach, err);

	if (status != WS_OK || !reach || reach + 1 > pages_most(s))
		return status;
	status = walk_pages(s, reach + 1, err);
	if (status == WS_OK)
		sets = distance_of_misses(s, level, reach + 1);
	ways = ws_alloc_zero(sets ? sets : 1, sizeof *ways);
	if (!ways)
		return ws_fail_memory(err, "the sets of a TLB");
	if (status == WS_OK && sets)
		status = count_entries(s, level, sets, ways, &good, err);
	if (status == WS_OK && good)
		status = check_entries(s, level, sets, ways, reach, reach + sets, &good, err);
	for (size_t i = 0; i < sets && good; i++)
		good = ws_set_ways_add(&tlb->entries, 1, ways[i]);
	if (status == WS_OK && good && !s->probe->found->exhausted)
		tlb->confidence = ws_probe_confidence(s->probe);
	free(ways);
	return status;
}

enum ws_status ws_chase_tlbs(struct ws_probe *p, struct ws_err *err)
{
	struct tlb_search s = { .probe = p, .runs = RUNS_FIRST };
	bool there = false;
	enum ws_status status = WS_OK;

	if (p->target->bytes >= 4 * FIRSTS * (uint64_t)PAGE_LEAST)
		status = look_for_it(&s, &there, err);
	if (status != WS_OK || !there)
		return status;
	s.middle = ws_alloc(PAGES_MOST, sizeof *s.middle);
	if (!s.middle)
		return ws_fail_memory(err, "the pages");
	status = find_page(&s, err);
	if (status == WS_OK && p->found->page.confidence > 0)
		status = find_levels(&s, err);
	for (unsigned i = 0; i < p->found->tlbs && status == WS_OK && !p->found->exhausted; i++)
		status = find_entries(&s, i, err);
	free(s.middle);
	return status;
}
