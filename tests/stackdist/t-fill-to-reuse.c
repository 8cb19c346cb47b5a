/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/stackdist/t-fill-to-reuse.c -- fill-to-reuse times against their definition, looked up
 * reference by reference for each number of ways, and against caches that are simulated;
 * and the counting of changes alone.
 */
#include "stackdist/record/changes.h"
#include "tests/stackdist/batches.h"

/* ---- requests by kind, cell and ways --------------------------------------- */

static const uint32_t some_ways[] = {
	1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25,
	26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 63, 64, 68, 124, 128, 1024,
	1088, 1984, 61440, 65536,
};

struct table {
	uint64_t requests[WS_KINDS][WS_FILL_REUSE_CELLS][WS_COUNT(some_ways)];
};

static void count(struct table *t, unsigned kind, uint64_t interval, size_t w)
{
	if (interval <= WS_FILL_REUSE_MAX)
		t->requests[kind][ws_cell((uint32_t)interval, WS_FILL_REUSE_BITS)][w]++;
}

/* As the sums of changes say.  False: entries out of order, zero or out of range. */
static bool add_up(const struct ws_fill_reuses fill_reuse[WS_KINDS], struct table *t)
{
	for (unsigned kind = 0; kind < WS_KINDS; kind++)
		for (size_t i = 0; i < fill_reuse[kind].count; i++) {
			const struct ws_fill_reuse *e = fill_reuse[kind].entry + i;

			if (e->cell >= WS_FILL_REUSE_CELLS || e->ways < 1 || e->ways > 65536 ||
			    ws_cell_first(ws_cell(e->ways, WS_FILL_REUSE_WAYS_BITS),
					  WS_FILL_REUSE_WAYS_BITS) != e->ways ||
			    e->change == 0 ||
			    (i && (e[-1].cell > e->cell ||
				   (e[-1].cell == e->cell && e[-1].ways >= e->ways))))
				return false;
			for (size_t w = 0; w < WS_COUNT(some_ways); w++)
				if (some_ways[w] >= e->ways)
					t->requests[kind][e->cell][w] += (uint64_t)e->change;
		}
	return true;
}

static bool same(const struct table *got, const struct table *want)
{
	for (unsigned kind = 0; kind < WS_KINDS; kind++)
		for (unsigned cell = 0; cell < WS_FILL_REUSE_CELLS; cell++)
			for (size_t w = 0; w < WS_COUNT(some_ways); w++) {
				uint64_t x = got->requests[kind][cell][w];
				uint64_t y = want->requests[kind][cell][w];

				if (x == y)
					continue;
				printf("# kind %u, cell %u, %u ways: got %" PRId64 " want %" PRId64
				       "\n", kind, cell, some_ways[w], (int64_t)x, (int64_t)y);
				return false;
			}
	return true;
}

/* ---- the definition -------------------------------------------------------- */

struct past {			/* requests that allocate, each with the one before to its line */
	size_t *before;		/* SIZE_MAX: none */
	uint64_t *clock;	/* of each request; it does not go back */
};

static struct past past_new(const struct batches *b)
{
	struct past p = { batches_room(b->count, sizeof *p.before),
			  batches_room(b->count, sizeof *p.clock) };
	size_t *last = batches_room(b->lines, sizeof *last);
	uint64_t now = 0;

	for (uint32_t id = 0; id < b->lines; id++)
		last[id] = SIZE_MAX;
	for (size_t i = 0; i < b->count; i++) {
		if (b->type[i] >= WS_TYPE_EVICT)
			continue;
		now = b->request[i].cycle > now ? b->request[i].cycle : now;
		p.clock[i] = now;
		p.before[i] = last[b->id[i]];
		last[b->id[i]] = i;
	}
	free(last);
	return p;
}

/* m of the sector in request i; false: it is not asked for. */
static bool sector_of(const struct batches *b, size_t i, unsigned sector, uint32_t *m)
{
	uint32_t mask = batches_mask(b, b->request[i].sectors);
	size_t at = b->first_sector[i];

	if (b->sectors == 1) {
		*m = b->distance[i];
		return true;
	}
	for (unsigned s = 0; s < sector; s++)
		at += mask >> s & 1;
	if (mask >> sector & 1)
		*m = b->sector[at];
	return mask >> sector & 1;
}

/* Lowers age[w] to the cycles since the last fetch, with some_ways[w], of a sector that request i
 * asks for; clears hit[w] if it is a miss.  Fetches with more ways are no later.  What a store
 * brings is not fetched. */
static void age_of_sector(const struct batches *b, const struct past *p, size_t i, unsigned sector,
			  uint64_t *age, bool *hit)
{
	size_t j = p->before[i];
	uint32_t m, own;

	if (!sector_of(b, i, sector, &own))
		return;
	for (size_t w = 0; w < WS_COUNT(some_ways); w++) {
		hit[w] = hit[w] && own < some_ways[w];
		while (j != SIZE_MAX && !(sector_of(b, j, sector, &m) && m >= some_ways[w]))
			j = p->before[j];
		if (j != SIZE_MAX && b->request[j].kind != WS_STORE &&
		    p->clock[i] - p->clock[j] < age[w])
			age[w] = p->clock[i] - p->clock[j];
	}
}

static void define(const struct batches *b, struct table *t)
{
	struct past p = past_new(b);

	for (size_t i = 0; i < b->count; i++) {
		uint64_t age[WS_COUNT(some_ways)];
		bool hit[WS_COUNT(some_ways)];

		if (b->type[i] >= WS_TYPE_EVICT)
			continue;
		for (size_t w = 0; w < WS_COUNT(some_ways); w++) {
			age[w] = UINT64_MAX;
			hit[w] = true;
		}
		for (unsigned s = 0; s < b->sectors; s++)
			age_of_sector(b, &p, i, s, age, hit);
		for (size_t w = 0; w < WS_COUNT(some_ways); w++)
			if (hit[w])
				count(t, b->request[i].kind, age[w], w);
	}
	free(p.before);
	free(p.clock);
}

/* ---- caches ---------------------------------------------------------------- */

#define SIM_WAYS 12u

struct way {
	uint64_t used;		/* 0: free */
	uint32_t id;
	uint32_t valid;		/* sectors */
	uint64_t fetched[BATCHES_SECTORS]; /* the cycle after; 0: a store brought it */
};

/* The line's way, or NULL. */
static struct way *look_up(struct way *set, unsigned ways, uint32_t id)
{
	for (unsigned w = 0; w < ways; w++)
		if (set[w].used && set[w].id == id)
			return set + w;
	return NULL;
}

static struct way *victim(struct way *set, unsigned ways)
{
	struct way *least = set;

	for (unsigned w = 1; w < ways; w++)
		if (set[w].used < least->used)
			least = set + w;
	return least;
}

/* Requests that hit are counted at column `column`. */
static void simulate(const struct batches *b, unsigned ways, size_t column, struct table *t)
{
	struct way *cache = batches_room((size_t)b->cache.sets * ways, sizeof *cache);

	for (size_t i = 0; i < b->count; i++) {
		const struct ws_request *r = b->request + i;
		uint32_t mask = batches_mask(b, r->sectors), id = b->id[i];
		struct way *set = cache + (size_t)b->set[i] * ways, *way;
		uint64_t last = 0;

		if (id == WS_LINE_NONE)
			continue;
		if (b->sectors == 1)
			mask = 1;
		way = look_up(set, ways, id);
		if (!batches_allocates(b, r)) {
			if (way)
				way->used = b->cache.write == WS_WRITE_EVICT ? 0 : i + 1;
			continue;
		}
		if (!way) {
			way = victim(set, ways);
			*way = (struct way){ .id = id };
		}
		way->used = i + 1;
		for (unsigned s = 0; s < b->sectors; s++) {
			if (!(mask >> s & 1))
				continue;
			if (way->valid >> s & 1)
				last = way->fetched[s] > last ? way->fetched[s] : last;
			else
				way->fetched[s] = r->kind == WS_STORE ? 0 : r->cycle + 1;
		}
		if ((way->valid & mask) == mask && last)
			count(t, r->kind, r->cycle + 1 - last, column);
		way->valid |= mask;
	}
	free(cache);
}

/* ---- the recorder ---------------------------------------------------------- */

#define STREAMS 3u

/* The streams in turn, in pieces of random length, into one table of changes, which is taken
 * now and then. */
static bool record(struct ws_rng *rng, const struct batches *b, unsigned streams,
		   struct ws_fill_reuses fill_reuse[WS_KINDS])
{
	struct ws_fill_recorder *f[STREAMS] = { NULL };
	struct ws_changes *c = NULL;
	size_t done[STREAMS] = { 0 }, left = 0;
	bool ok = !ws_changes_new(&c, NULL);

	for (unsigned i = 0; i < streams && ok; i++) {
		ok = !ws_fill_recorder_new(f + i, &b[i].cache, NULL);
		left += b[i].count;
	}
	while (ok && left) {
		unsigned i = (unsigned)ws_rng_below(rng, streams);
		size_t rest = b[i].count - done[i];
		size_t n = ws_rng_below(rng, 1 + ws_rng_below(rng, rest + 1));
		struct ws_batch piece = batches_piece(b + i, done[i], n ? n : rest > 0);

		ok = !ws_fill_recorder_push(f[i], &piece, c, NULL) &&
		     (ws_rng_below(rng, 50) || !ws_changes_take(c, fill_reuse, NULL));
		done[i] += piece.count;
		left -= piece.count;
	}
	ok = ok && !ws_changes_take(c, fill_reuse, NULL);
	for (unsigned i = 0; i < streams; i++)
		ws_fill_recorder_free(f[i]);
	ws_changes_free(c);
	return ok;
}

static bool compare(struct ws_rng *rng, const struct batches *b, unsigned streams,
		    const struct table *want)
{
	struct ws_fill_reuses fill_reuse[WS_KINDS] = { { NULL, 0 } };
	struct table *got = batches_room(1, sizeof *got);
	bool ok = record(rng, b, streams, fill_reuse) && add_up(fill_reuse, got) && same(got, want);

	for (unsigned kind = 0; kind < WS_KINDS; kind++)
		free(fill_reuse[kind].entry);
	free(got);
	return ok;
}

/* Distances and m as no stack would give them, about the limits too. */
static void scramble(struct batches *b, struct ws_rng *rng)
{
	static const uint32_t wild[] = {
		0, 1, 30, 1022, 1023, 1024, 1025, 5000, 65534, 65535, 65536, 65537, 1u << 20,
		WS_DISTANCE_MAX, WS_DISTANCE_UNCACHED, WS_DISTANCE_COLD,
	};

	for (size_t i = 0; i < b->count; i++) {
		uint64_t limit = ws_rng_below(rng, 3) ? WS_COUNT(wild) : 3;

		b->distance[i] = b->sectors > 1 ? 0 : wild[ws_rng_below(rng, limit)];
		for (size_t s = b->first_sector[i]; s < b->first_sector[i + 1]; s++) {
			b->sector[s] = wild[ws_rng_below(rng, limit)];
			if (b->sector[s] > b->distance[i])
				b->distance[i] = b->sector[s];
		}
	}
}

/* What is done to a stream before it is recorded. */
enum { AS_IS, SCRAMBLED, BACKWARDS, SIMULATED };

static bool try(struct ws_rng *rng, int how, uint32_t lines, size_t requests)
{
	unsigned streams = how == SIMULATED ? 1 : 1 + (unsigned)ws_rng_below(rng, STREAMS);
	struct table *want = batches_room(1, sizeof *want);
	struct batches b[STREAMS];
	bool ok;

	for (unsigned i = 0; i < streams; i++) {
		struct ws_cache cache = batches_cache(rng);

		batches_new(b + i, &cache, 1 + (uint32_t)ws_rng_below(rng, lines),
			    ws_rng_below(rng, requests));
		batches_fill(b + i, rng);
		if (how == SCRAMBLED)
			scramble(b + i, rng);
		for (size_t j = 0; how == BACKWARDS && j < b[i].count; j++)
			if (ws_rng_below(rng, 3) == 0)
				b[i].request[j].cycle = ws_rng_below(rng, 20000);
		define(b + i, want);
	}
	ok = compare(rng, b, streams, want);
	if (how == SIMULATED) {
		struct table *caches = batches_room(1, sizeof *caches);

		for (unsigned w = 0; w < SIM_WAYS; w++)
			simulate(b, w + 1, w, caches);
		for (unsigned kind = 0; kind < WS_KINDS; kind++)
			for (unsigned cell = 0; cell < WS_FILL_REUSE_CELLS; cell++)
				for (size_t w = SIM_WAYS; w < WS_COUNT(some_ways); w++)
					caches->requests[kind][cell][w] =
						want->requests[kind][cell][w];
		ok = ok && same(want, caches);
		free(caches);
	}
	for (unsigned i = 0; i < streams; i++)
		batches_free(b + i);
	free(want);
	return ok;
}

static void test_random(uint64_t seed, const char *what, int how, unsigned runs, uint32_t lines,
			size_t requests)
{
	unsigned bad = 0;

	for (unsigned i = 0; i < runs && !bad; i++) {
		struct ws_rng rng;

		ws_rng_seed(&rng, seed + i);
		if (!try(&rng, how, lines, requests)) {
			printf("# WS_TEST_SEED=%" PRIu64 "\n", seed + i);
			bad++;
		}
	}
	test_ok(bad == 0, "%u times %s", runs, what);
}

/* ---- by hand --------------------------------------------------------------- */

static void test_by_hand(void)
{
	/* One line: a first reference, then at distances 3, 1, 2, 0 and cold no more. */
	static const uint32_t d[] = { WS_DISTANCE_COLD, 3, 1, 2, 0 };
	static const uint64_t cycle[] = { 100, 110, 130, 131, 4226 };
	/* cell, ways, change: cells below 32 are cycles; 4095 is in the last. */
	static const struct ws_fill_reuse want[] = {
		{ 1, 3, 0 }, { 10, 4, 1 }, { 20, 2, 1 }, { 20, 4, -1 }, { 21, 3, 1 }, { 21, 4, -1 },
		{ 30, 4, 1 }, { 31, 4, 1 }, { 143, 1, 1 }, { 143, 3, -1 },
	};
	struct ws_cache cache = { .sets = 1, .line_bytes = 128, .sector_bytes = 128 };
	struct ws_fill_reuses fill_reuse[WS_KINDS] = { { NULL, 0 } };
	struct ws_fill_recorder *f = NULL;
	struct ws_changes *c = NULL;
	bool ok = !ws_fill_recorder_new(&f, &cache, NULL) && !ws_changes_new(&c, NULL);
	size_t n = 0;

	for (size_t i = 0; ok && i < WS_COUNT(d); i++) {
		uint32_t zero = 0;
		uint8_t type = i ? (uint8_t)ws_bin(d[i]) : WS_TYPE_COLD;
		struct ws_request r = { .cycle = cycle[i], .kind = WS_LOAD, .sectors = 1 };
		struct ws_batch b = { .count = 1, .request = &r, .id = &zero, .set = &zero,
				      .position = d + i, .distance = d + i, .type = &type };

		ok = !ws_fill_recorder_push(f, &b, c, NULL);
	}
	ok = ok && !ws_changes_take(c, fill_reuse, NULL);
	for (size_t i = 0; ok && i < WS_COUNT(want); i++) {
		const struct ws_fill_reuse *e = fill_reuse[WS_LOAD].entry + n;

		if (!want[i].change)
			continue;
		ok = n++ < fill_reuse[WS_LOAD].count && e->cell == want[i].cell &&
		     e->ways == want[i].ways && e->change == want[i].change;
	}
	test_ok(ok, "by hand: recorded");
	test_u64(fill_reuse[WS_LOAD].count, n, "changes by hand");
	test_u64(fill_reuse[WS_STORE].count + fill_reuse[WS_ATOMIC].count, 0,
		 "changes of other kinds");
	ws_fill_recorder_free(f);
	ws_changes_free(c);
	free(fill_reuse[WS_LOAD].entry);
}

/* ---- changes alone --------------------------------------------------------- */

/* Two intervals of the same ways and a kind of their own, until sums are moved before the end. */
static void test_many_changes(void)
{
	const uint64_t spans = 5 * (uint64_t)WS_SPANS_MAX / 3 / 3 * 3;
	struct ws_fill_reuses fill_reuse[WS_KINDS] = { { NULL, 0 } };
	struct ws_changes *c = NULL;
	bool ok = !ws_changes_new(&c, NULL);
	uint32_t near, far;

	if (!ok)
		return;
	near = ws_changes_row(c, WS_STORE, 5);
	far = ws_changes_row(c, WS_STORE, 7);
	for (uint64_t i = 0; i < spans; i += 3) {
		ws_changes_span(c, near, ws_way_class(0), ws_way_class(1023));
		ws_changes_span(c, far, ws_way_class(1023), ws_way_class(1024));
		ws_changes_span(c, near, ws_way_class(1024), ws_way_class(65535));
		ws_changes_made(c, 3);
	}
	ok = !ws_changes_take(c, fill_reuse, NULL) && fill_reuse[WS_STORE].count == 6;
	for (size_t i = 0; i < 6 && ok; i++) {
		static const struct ws_fill_reuse want[] = {
			{ 5, 1, 1 }, { 5, 1024, -1 }, { 5, 1088, 1 }, { 5, 65536, -1 },
			{ 7, 1024, 1 }, { 7, 1088, -1 },
		};
		const struct ws_fill_reuse *e = fill_reuse[WS_STORE].entry + i;

		ok = e->cell == want[i].cell && e->ways == want[i].ways &&
		     e->change == want[i].change * (int64_t)(spans / 3);
	}
	test_ok(ok, "%" PRIu64 " spans", spans);
	ok = !ws_changes_take(c, fill_reuse, NULL) && fill_reuse[WS_STORE].count == 6;
	test_ok(ok, "once taken, they are gone");
	ws_changes_free(c);
	free(fill_reuse[WS_STORE].entry);
}

int main(void)
{
	uint64_t seed = test_seed(20240612);

	test_by_hand();
	test_many_changes();
	test_random(seed, "up to three streams", AS_IS, 700, 25, 150);
	test_random(seed, "a stream, as simulated caches have it", SIMULATED, 700, 25, 150);
	test_random(seed, "distances of no stack", SCRAMBLED, 500, 10, 150);
	test_random(seed, "clocks that go back", BACKWARDS, 200, 10, 150);
	test_random(seed, "long streams", AS_IS, 4, 60, 6000);
	test_random(seed, "long streams of many lines", SCRAMBLED, 4, 2000, 6000);
	return test_done();
}
