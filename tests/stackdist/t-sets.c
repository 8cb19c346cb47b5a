/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/stackdist/t-sets.c -- where requests are found: positions, sets and sectors, with
 * simulated caches of every number of ways (tests/ref/stack.h).
 *
 * A line's position is the distance of its request in the same cache without sectors.  A
 * sector's distance is that of the request if it asked for this sector alone.
 */
#include "tests/test.h"

#include "stackdist/stack/lines.h"
#include "stackdist/stack/pick.h"
#include "stackdist/stack/sets.h"
#include "tests/ref/stack.h"
#include "tests/stackdist/stream.h"

#define STREAM_MAX 60u
#define SECTORS_MAX 32u

struct found {
	uint32_t distance[STREAM_MAX], position[STREAM_MAX], set[STREAM_MAX], id[STREAM_MAX];
	uint32_t sector[STREAM_MAX * SECTORS_MAX];
	size_t sectors;
};

/* In batches of odd sizes.  wanted: bit 0 positions, 1 sets, 2 sectors. */
static bool places(const struct ws_cache *c, enum ws_simd simd, const struct ws_request *r,
		   size_t count, unsigned wanted, struct found *f)
{
	struct ws_lines lines = { 0 };
	struct ws_sets *s = NULL;
	bool ok = !ws_sets_new(&s, c, NULL);

	if (ok)
		ws_sets_limit(s, simd);
	f->sectors = 0;
	for (size_t i = 0, n = 1; ok && i < count; i += n, n = n % 17 * 2 + 1) {
		struct ws_set_places to = { .distance = f->distance + i };

		n = n < count - i ? n : count - i;
		to.position = wanted & 1 ? f->position + i : NULL;
		to.set = wanted & 2 ? f->set + i : NULL;
		to.sector = wanted & 4 ? f->sector + f->sectors : NULL;
		ok = !ws_lines_number(&lines, c->write, r + i, n, f->id + i, NULL) &&
		     !ws_sets_push(s, r + i, f->id + i, n, &to, NULL);
		f->sectors += to.sectors;
	}
	ws_lines_clear(&lines);
	ws_sets_free(s);
	return ok;
}

/* The distance of request i if it asked for these 32 B sectors only. */
static uint32_t asked_alone(const struct ws_cache *c, unsigned lines, const struct ws_request *r,
			    size_t i, uint32_t sectors)
{
	struct ws_request copy[STREAM_MAX];
	uint32_t d[STREAM_MAX];

	memcpy(copy, r, (i + 1) * sizeof *r);
	copy[i].sectors = sectors;
	ref_distances(c, lines, copy, i + 1, d);
	return d[i];
}

/* The sectors of request i are f->sector[at ...]; returns how many, or SIZE_MAX if wrong. */
static size_t check_sectors(const struct ws_cache *c, unsigned lines, const struct ws_request *r,
			    size_t i, const struct found *f, size_t at)
{
	uint64_t fold = c->sector_bytes / 32, count = c->line_bytes / c->sector_bytes;
	uint32_t group = (uint32_t)(((uint64_t)1 << fold) - 1), most = 0;
	size_t n = 0;

	for (uint64_t k = 0; k < count; k++) {
		uint32_t mask = r[i].sectors & group << k * fold;

		if (!mask)
			continue;
		if (at + n >= f->sectors ||
		    f->sector[at + n] != asked_alone(c, lines, r, i, mask))
			return SIZE_MAX;
		most = f->sector[at + n] > most ? f->sector[at + n] : most;
		n++;
	}
	return most == f->distance[i] ? n : SIZE_MAX;
}

static bool check(const struct ws_cache *c, unsigned lines, const struct ws_request *r, size_t n,
		  const struct found *f)
{
	struct ws_cache whole = *c;
	uint32_t position[STREAM_MAX];
	size_t at = 0;

	whole.sector_bytes = c->line_bytes;
	ref_distances(&whole, lines, r, n, position);
	for (size_t i = 0; i < n; i++) {
		bool good = f->position[i] == position[i];

		if (f->id[i] != WS_LINE_NONE)
			good = good && f->set[i] == ws_set_index(c, r[i].address);
		if (c->sector_bytes != c->line_bytes) {
			size_t more = check_sectors(c, lines, r, i, f, at);

			good = good && more != SIZE_MAX;
			at += more;
		}
		if (!good) {
			stream_print(c, r, i);
			printf("# position %u want %u\n", f->position[i], position[i]);
			return false;
		}
	}
	return at == f->sectors;
}

/* What is wanted beside the distances must not change them. */
static bool one_stream(struct ws_rng *rng, enum ws_write write)
{
	static struct found f, bare;
	struct ws_request r[STREAM_MAX];
	struct ws_cache c = stream_cache(rng);
	unsigned lines = 2 + (unsigned)ws_rng_below(rng, 8);
	size_t n = 1 + ws_rng_below(rng, STREAM_MAX);

	c.write = write;
	stream_fill(rng, &c, lines, (unsigned)ws_rng_below(rng, 12), 1, r, n);
	return places(&c, WS_SIMD_NONE, r, n, 7, &f) && check(&c, lines, r, n, &f) &&
	       places(&c, WS_SIMD_AVX512, r, n, (unsigned)ws_rng_below(rng, 7), &bare) &&
	       !memcmp(f.distance, bare.distance, n * sizeof *f.distance);
}

/* Many requests in one push, which are found where they are if pushed one by one. */
static void one_push(uint64_t seed, enum ws_write write)
{
	enum { COUNT = 1500 };
	static struct ws_request r[COUNT];
	static uint32_t id[COUNT], found[2][3][COUNT], sector[2][COUNT * SECTORS_MAX];
	struct ws_cache c = { .sets = 6, .line_bytes = 128, .sector_bytes = 32, .write = write,
			      .hash = ws_hash_find("modulo") };
	size_t sectors[2] = { 0, 0 };
	struct ws_rng rng;
	bool ok = true;

	ws_rng_seed(&rng, seed);
	stream_fill(&rng, &c, 200, 4, 1, r, COUNT);
	memset(found, 0, sizeof(found));
	for (unsigned way = 0; way < 2; way++) {
		size_t step = way ? 1 : COUNT;
		struct ws_lines lines = { 0 };
		struct ws_sets *s = NULL;

		ok = ok && !ws_sets_new(&s, &c, NULL);
		for (size_t i = 0; ok && i < COUNT; i += step) {
			struct ws_set_places to = {
				.distance = found[way][0] + i, .position = found[way][1] + i,
				.set = found[way][2] + i, .sector = sector[way] + sectors[way],
			};

			ok = !ws_lines_number(&lines, write, r + i, step, id + i, NULL) &&
			     !ws_sets_push(s, r + i, id + i, step, &to, NULL);
			sectors[way] += to.sectors;
		}
		ws_lines_clear(&lines);
		ws_sets_free(s);
	}
	test_ok(ok && !memcmp(found[0], found[1], sizeof found[0]) && sectors[0] == sectors[1] &&
		!memcmp(sector[0], sector[1], sectors[0] * sizeof **sector),
		"%s: one push as many", stream_write_names[write]);
}

static void picking(struct ws_rng *rng)
{
	uint8_t byte[300];
	uint32_t index[2][WS_COUNT(byte) + WS_PICK_SPARE];
	size_t bad = 0;

	for (size_t round = 0; round < 500; round++) {
		size_t n = ws_rng_below(rng, WS_COUNT(byte) + 1), want = 0;
		uint64_t values = 1 + ws_rng_below(rng, 5);

		for (size_t i = 0; i < n; i++)
			byte[i] = (uint8_t)ws_rng_below(rng, values);
		bad += ws_pick(byte, n, 0, index[0], WS_SIMD_NONE) !=
		       ws_pick(byte, n, 0, index[1], WS_SIMD_AVX512);
		for (size_t i = 0; i < n; i++)
			if (byte[i] == 0) {
				bad += index[0][want] != i || index[1][want] != i;
				want++;
			}
	}
	test_ok(!bad, "places of a value in bytes, %zu wrong", bad);
}

int main(void)
{
	const int streams = 300;
	uint64_t seed = test_seed(7201);
	struct ws_rng rng;

	for (unsigned write = WS_WRITE_BACK; write <= WS_WRITE_EVICT; write++) {
		int good = 0;

		ws_rng_seed(&rng, seed + write);
		while (good < streams && one_stream(&rng, (enum ws_write)write))
			good++;
		test_ok(good == streams, "%s: positions, sets, sectors of %d random streams",
			stream_write_names[write], good);
		one_push(seed + write, (enum ws_write)write);
	}
	picking(&rng);
	return test_done();
}
