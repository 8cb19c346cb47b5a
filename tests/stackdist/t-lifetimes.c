/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/stackdist/t-lifetimes.c -- arrivals, fill, retained lines and top lines against their
 * definitions carried out request by request.
 */
#include "tests/stackdist/batches.h"

/* ---- the slow way ---------------------------------------------------------- */

struct slow {
	const struct batches *b;
	bool (*retained)[WS_RETENTIONS];	/* by line number */
	uint64_t *finite;		/* by line number */
	uint32_t *set;			/* by line number */
	uint32_t *arrival;		/* by line number: the request */
};

static uint64_t retained_in_set(const struct slow *s, uint32_t set, unsigned f)
{
	uint64_t count = 0;

	for (uint32_t id = 0; id < s->b->numbers; id++)
		count += s->set[id] == set && s->retained[id][f];
	return count;
}

static void refer(struct slow *s, size_t i, struct ws_detail *to)
{
	const struct batches *b = s->b;
	uint32_t id = b->id[i], set = b->set[i];

	if (b->type[i] == WS_TYPE_COLD) {
		s->set[id] = set;
		s->arrival[id] = (uint32_t)i;
	} else if (b->type[i] == WS_TYPE_EVICT) {
		memset(s->retained[id], 0, sizeof s->retained[id]);
	} else if (b->type[i] < WS_BINS) {
		s->finite[id]++;
		for (unsigned f = 0; f < WS_RETENTIONS; f++) {
			uint32_t w = ws_retained_ways[f];

			if (b->position[i] < w && !s->retained[id][f] &&
			    retained_in_set(s, set, f) < w - 1)
				s->retained[id][f] = true;
			to->retained[f][b->type[i]] += s->retained[id][f];
		}
	}
}

/* Lines come in the order of their numbers. */
static void add_arrivals(const struct slow *s, struct ws_detail *to)
{
	for (uint32_t id = 0; id < s->b->numbers; id++) {
		uint32_t k = 1, cell;

		for (uint32_t other = 0; other < id; other++)
			k += s->set[other] == s->set[id];
		cell = ws_cell(k - 1, WS_DEPTH_BITS);
		to->arrivals[cell]++;
		for (size_t i = s->arrival[id] + 1; i < s->b->count; i++)
			to->fill[cell] += s->b->type[i] != WS_TYPE_NONE &&
					  s->b->set[i] == s->set[id];
	}
}

static int descending(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x < *y) - (*x > *y);
}

static void add_top(const struct slow *s, struct ws_detail *to)
{
	uint64_t *of_set = batches_room(s->b->numbers, sizeof *of_set);

	for (uint32_t set = 0; set < s->b->cache.sets; set++) {
		size_t count = 0;

		for (uint32_t id = 0; id < s->b->numbers; id++)
			if (s->set[id] == set)
				of_set[count++] = s->finite[id];
		qsort(of_set, count, sizeof *of_set, descending);
		for (unsigned f = 0; f < WS_RETENTIONS; f++)
			for (size_t i = 0; i < count && i < ws_retained_ways[f] - 1; i++)
				to->top[f] += of_set[i];
	}
	free(of_set);
}

static void slow_lifetimes(const struct batches *b, struct ws_detail *to)
{
	struct slow s = {
		.b = b, .retained = batches_room(b->lines, sizeof *s.retained),
		.finite = batches_room(b->lines, sizeof *s.finite),
		.set = batches_room(b->lines, sizeof *s.set),
		.arrival = batches_room(b->lines, sizeof *s.arrival),
	};

	for (size_t i = 0; i < b->count; i++)
		if (b->type[i] != WS_TYPE_NONE)
			refer(&s, i, to);
	add_arrivals(&s, to);
	add_top(&s, to);
	free(s.retained);
	free(s.finite);
	free(s.set);
	free(s.arrival);
}

/* ---- the recorder ---------------------------------------------------------- */

/* In pieces of random length. */
static bool record(struct ws_rng *rng, const struct batches *b, struct ws_detail *to)
{
	struct ws_lifetimes *l = NULL;
	bool ok = !ws_lifetimes_new(&l, b->cache.sets, NULL);

	for (size_t i = 0, n; ok && i < b->count; i += n) {
		struct ws_batch piece;

		n = ws_rng_below(rng, 1 + ws_rng_below(rng, b->count - i + 1));
		piece = batches_piece(b, i, n);
		ok = !ws_lifetimes_push(l, &piece, to, NULL);
	}
	ok = ok && !ws_lifetimes_end(l, to, NULL);
	ws_lifetimes_free(l);
	return ok;
}

static bool same(const char *what, const void *got, const void *want, size_t count)
{
	const uint64_t *x = got, *y = want;

	for (size_t i = 0; i < count; i++)
		if (x[i] != y[i]) {
			printf("# %s[%zu]: got %" PRIu64 " want %" PRIu64 "\n", what, i, x[i],
			       y[i]);
			return false;
		}
	return true;
}

static bool same_details(const struct ws_detail *got, const struct ws_detail *want)
{
	return same("arrivals", got->arrivals, want->arrivals, WS_DEPTH_CELLS) &&
	       same("fill", got->fill, want->fill, WS_DEPTH_CELLS) &&
	       same("retained", got->retained, want->retained, sizeof got->retained / 8) &&
	       same("top", got->top, want->top, WS_RETENTIONS);
}

/* Several streams, as of several SMs, into one detail. */
static bool try(struct ws_rng *rng, unsigned streams, uint32_t lines, size_t count)
{
	struct ws_detail *got = batches_room(1, sizeof *got);
	struct ws_detail *want = batches_room(1, sizeof *want);
	bool ok = true;

	for (unsigned i = 0; i < streams && ok; i++) {
		struct ws_cache cache = batches_cache(rng);
		struct batches b;

		batches_new(&b, &cache, 1 + (uint32_t)ws_rng_below(rng, lines),
			    ws_rng_below(rng, count));
		batches_fill(&b, rng);
		slow_lifetimes(&b, want);
		ok = record(rng, &b, got);
		batches_free(&b);
	}
	ok = ok && same_details(got, want);
	free(got);
	free(want);
	return ok;
}

static void test_random(uint64_t seed, const char *what, unsigned runs, uint32_t lines,
			size_t count)
{
	unsigned bad = 0;

	for (unsigned i = 0; i < runs && !bad; i++) {
		struct ws_rng rng;

		ws_rng_seed(&rng, seed + i);
		if (!try(&rng, 1 + i % 3, lines, count)) {
			printf("# WS_TEST_SEED=%" PRIu64 "\n", seed + i);
			bad++;
		}
	}
	test_ok(bad == 0, "%u times up to three streams of %s", runs, what);
}

/* ---- by hand --------------------------------------------------------------- */

/* Two sets, one stream: a b a b a in set 0, c c in set 1; then a store throws a out. */
static void test_by_hand(void)
{
	static const struct {
		uint32_t id, set, position;
		uint8_t type;
	} r[] = {
		{ 0, 0, WS_DISTANCE_COLD, WS_TYPE_COLD }, { 1, 0, WS_DISTANCE_COLD, WS_TYPE_COLD },
		{ 0, 0, 1, 1 }, { 1, 0, 1, 1 },
		{ 2, 1, WS_DISTANCE_COLD, WS_TYPE_COLD }, { 2, 1, 0, 0 },
		{ 0, 0, 1, 1 }, { 0, 0, 0, WS_TYPE_EVICT },
		{ WS_LINE_NONE, 0, 0, WS_TYPE_NONE },
		{ 1, 0, 1, 1 }, { 0, 0, WS_DISTANCE_UNCACHED, WS_TYPE_RELOAD }, { 1, 0, 1, 1 },
	};
	struct ws_detail *to = batches_room(1, sizeof *to);
	struct ws_lifetimes *l = NULL;
	bool ok = !ws_lifetimes_new(&l, 2, NULL);

	for (size_t i = 0; ok && i < WS_COUNT(r); i++) {
		struct ws_request request = { .kind = WS_LOAD };
		struct ws_batch b = { .count = 1, .request = &request, .id = &r[i].id,
				      .set = &r[i].set, .position = &r[i].position,
				      .distance = &r[i].position, .type = &r[i].type };

		ok = !ws_lifetimes_push(l, &b, to, NULL);
	}
	ok = ok && !ws_lifetimes_end(l, to, NULL);
	test_ok(ok, "by hand: recorded");
	test_u64(to->arrivals[0], 2, "sets with a first line");
	test_u64(to->arrivals[1], 1, "sets with a second line");
	test_u64(to->fill[0], 8 + 1, "references after the first lines");
	test_u64(to->fill[1], 7, "references after the second line");
	/* At two ways one line is retained: a, until it is thrown out, then b. */
	test_u64(to->retained[0][1], 2 + 2, "references to lines frozen at two ways");
	test_u64(to->retained[0][0], 1, "the same at position 0");
	test_u64(to->retained[1][1], 5, "references to lines frozen at three ways");
	test_u64(to->top[0], 3 + 1, "references to the top line of each set");
	test_u64(to->top[1], 5 + 1, "references to the two top lines of each set");
	ws_lifetimes_free(l);
	free(to);
}

/* More references to retained lines than a byte counts, and lines with many and with few. */
static void test_many(void)
{
	enum { LINES = 300, ROUNDS = 700 };
	struct ws_cache cache = { .sets = 1, .line_bytes = 128, .sector_bytes = 128 };
	struct ws_detail *got = batches_room(1, sizeof *got);
	struct ws_detail *want = batches_room(1, sizeof *want);
	struct ws_rng rng;
	struct batches b;

	ws_rng_seed(&rng, 1);
	batches_new(&b, &cache, LINES, LINES + ROUNDS * 8);
	for (uint32_t i = 0; i < b.count; i++) {
		uint64_t line = i < LINES ? i : (i - LINES) % 8 < 7 ? i % 7 : i * 31 % LINES;

		b.request[i].address = line * 128;
		b.request[i].sectors = 1;
		batches_locate(&b, i);
	}
	slow_lifetimes(&b, want);
	test_ok(record(&rng, &b, got) && same_details(got, want),
		"lines with hundreds of references");
	batches_free(&b);
	free(got);
	free(want);
}

/* Each threshold is the first position of its bin, which the recorder takes for granted. */
static void test_thresholds(void)
{
	bool ok = true;

	for (unsigned f = 0; f < WS_RETENTIONS; f++)
		ok = ok && ws_bin(ws_retained_ways[f] - 1) < ws_bin(ws_retained_ways[f]);
	test_ok(ok, "thresholds are edges of bins");
}

int main(void)
{
	uint64_t seed = test_seed(20240611);

	test_thresholds();
	test_by_hand();
	test_many();
	test_random(seed, "few lines", 1500, 20, 120);
	test_random(seed, "some lines", 100, 150, 700);
	test_random(seed, "many lines", 3, 2500, 5000);
	return test_done();
}
