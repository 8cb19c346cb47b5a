/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/stackdist/t-reservation.c -- how old a set's W-th last fetch is: by hand, and against a
 * list of all fetches of each set for each number of ways.
 */
#include "tests/stackdist/batches.h"

#define LONG 400u

static bool record(struct ws_rng *rng, const struct batches *b, struct ws_detail *to)
{
	struct ws_reservation *c = NULL;
	bool ok = !ws_reservation_new(&c, b->cache.sets, NULL);

	for (size_t i = 0, n; ok && i < b->count; i += n) {
		struct ws_batch piece;

		n = 1 + ws_rng_below(rng, b->count - i);
		piece = batches_piece(b, i, n);
		ws_reservation_push(c, &piece, to);
	}
	if (ok)
		ws_reservation_end(c, to);
	ws_reservation_free(c);
	return ok;
}

/* With 2^w ways. */
static void slow(const struct batches *b, unsigned w, uint32_t set, uint64_t *cells)
{
	uint64_t fetched[LONG], now = 0;
	size_t n = 0, ways = (size_t)1 << w;

	for (size_t i = 0; i < b->count; i++) {
		const struct ws_request *r = b->request + i;

		if (r->kind != WS_LOAD || b->position[i] == 0)
			continue;
		now = r->cycle > now ? r->cycle : now;
		if (b->set[i] != set || b->position[i] < ways)
			continue;
		if (n >= ways && now - fetched[n - ways] <= WS_FILL_REUSE_MAX)
			cells[ws_cell((uint32_t)(now - fetched[n - ways]), WS_FILL_REUSE_BITS)]++;
		fetched[n++] = now;
	}
}

static bool try(uint64_t seed)
{
	static struct ws_detail got, want;
	struct ws_cache cache;
	struct ws_rng rng;
	struct batches b;
	uint64_t counted = 0;
	bool ok;

	ws_rng_seed(&rng, seed);
	memset(&got, 0, sizeof(got));
	memset(&want, 0, sizeof(want));
	cache = batches_cache(&rng);
	batches_new(&b, &cache, 1 + (uint32_t)ws_rng_below(&rng, 200), ws_rng_below(&rng, LONG));
	batches_fill(&b, &rng);
	ok = record(&rng, &b, &got);
	for (unsigned w = 0; w < WS_RESERVATION_WAYS; w++)
		for (uint32_t set = 0; set < cache.sets; set++)
			slow(&b, w, set, want.reservation[w]);
	for (unsigned i = 0; i < WS_FILL_REUSE_CELLS; i++)
		counted += want.reservation[0][i];
	if (memcmp(got.reservation, want.reservation, sizeof got.reservation) != 0) {
		printf("# WS_TEST_SEED=%" PRIu64 ", %" PRIu64 " fetches counted\n", seed, counted);
		ok = false;
	}
	batches_free(&b);
	return ok;
}

static void test_random(uint64_t seed, unsigned rounds)
{
	unsigned i = 0;

	while (i < rounds && try(seed + i))
		i++;
	test_ok(i == rounds, "%u streams", i);
}

/* a b c in cycles 10, 12, 40, a again in 50 and 60, then b after a long time. */
static void test_by_hand(void)
{
	static const struct {
		uint64_t cycle;
		uint32_t id, position;
		uint8_t type, kind;
	} r[] = {
		{ 10, 0, WS_DISTANCE_COLD, WS_TYPE_COLD, WS_LOAD },
		{ 12, 1, WS_DISTANCE_COLD, WS_TYPE_COLD, WS_LOAD },
		{ 30, 1, 0, WS_TYPE_EVICT, WS_STORE },
		{ 40, 2, WS_DISTANCE_COLD, WS_TYPE_COLD, WS_LOAD },
		{ 50, 0, 2, 2, WS_LOAD },
		{ 60, 0, 0, 0, WS_LOAD },
		{ 50 + WS_FILL_REUSE_MAX + 1, 1, WS_DISTANCE_UNCACHED, WS_TYPE_RELOAD, WS_LOAD },
	};
	static struct ws_detail to;
	struct ws_reservation *c = NULL;
	uint32_t set = 0;
	uint64_t sum = 0;

	if (!test_ok(!ws_reservation_new(&c, 1, NULL), "by hand"))
		return;
	for (size_t i = 0; i < WS_COUNT(r); i++) {
		struct ws_request request = { .kind = r[i].kind, .cycle = r[i].cycle };
		struct ws_batch b = { .count = 1, .request = &request, .id = &r[i].id, .set = &set,
				      .position = &r[i].position, .distance = &r[i].position,
				      .type = &r[i].type };

		ws_reservation_push(c, &b, &to);
	}
	ws_reservation_end(c, &to);
	ws_reservation_free(c);
	test_u64(to.reservation[0][ws_cell(2, WS_FILL_REUSE_BITS)], 1, "one way: 12 - 10");
	test_u64(to.reservation[0][ws_cell(28, WS_FILL_REUSE_BITS)], 1, "40 - 12");
	test_u64(to.reservation[0][ws_cell(10, WS_FILL_REUSE_BITS)], 1,
		 "50 - 40; the last is too late");
	test_u64(to.reservation[1][ws_cell(30, WS_FILL_REUSE_BITS)], 1, "two ways: 40 - 10");
	test_u64(to.reservation[1][ws_cell(38, WS_FILL_REUSE_BITS)], 1, "50 - 12");
	for (unsigned w = 0; w < WS_RESERVATION_WAYS; w++)
		for (unsigned i = 0; i < WS_FILL_REUSE_CELLS; i++)
			sum += to.reservation[w][i];
	test_u64(sum, 5, "no more");
}

int main(void)
{
	uint64_t seed = test_seed(20261122);
	const char *rounds = getenv("WS_TEST_ROUNDS");

	test_by_hand();
	test_random(seed, rounds ? (unsigned)strtoul(rounds, NULL, 10) : 2000);
	return test_done();
}
