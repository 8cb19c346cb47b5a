/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/base/t-map.c -- base/map.h beside a list that is searched from end to end: random keys put,
 * found, removed and flushed; records that share a hash; sets; and no memory.
 */
#include <sys/resource.h>

#include "base/map.h"
#include "tests/test.h"
#include "trace/capture/confine.h"

enum { RECORDS = 700, STEPS = 40000 };

struct record {
	uint64_t key;
	bool live;
	uint32_t value;
};

/* By looking at all of them. */
static uint32_t slow_find(const struct record *r, size_t count, uint64_t key)
{
	for (size_t i = 0; i < count; i++)
		if (r[i].live && r[i].key == key)
			return (uint32_t)i;
	return WS_MAP_NONE;
}

static uint64_t draw_key(struct ws_rng *rng, unsigned shape)
{
	uint64_t x = ws_rng_below(rng, RECORDS);

	return shape == 0 ? x * 128 : shape == 1 ? x << 52 :
	       shape == 2 ? x - RECORDS / 2 : x << 32 | 7;
}

/* Puts or removes; the records' numbers are those of the first that is free. */
static bool change(struct ws_map *m, struct record *r, size_t *count, uint64_t key)
{
	uint32_t known = slow_find(r, *count, key), free_one = 0, *slot;

	if (known != WS_MAP_NONE) {
		ws_map_remove(m, r, sizeof *r, known);
		r[known].live = false;
		return true;
	}
	while (free_one < *count && r[free_one].live)
		free_one++;
	*count += free_one == *count;
	if (!ws_map_room(m, r, sizeof *r, *count))
		return false;
	slot = ws_map_slot(m, r, sizeof *r, key);
	if (*slot)
		return false;
	r[free_one] = (struct record){ key, true, free_one };
	*slot = free_one + 1;
	return true;
}

static void test_random(struct ws_rng *rng, unsigned shape)
{
	static struct record r[RECORDS];
	struct ws_map m = { 0 };
	size_t count = 0, bad = 0, most = 0;

	memset(r, 0, sizeof r);
	for (unsigned step = 0; step < STEPS; step++) {
		uint64_t key = draw_key(rng, shape);

		if (ws_rng_below(rng, 4000) == 0) {
			for (size_t i = 0; i < count; i++)
				r[i].live = false;
			ws_map_flush(&m, count);
			count = 0;
		}
		bad += ws_map_find(&m, r, sizeof *r, key) != slow_find(r, count, key);
		if (ws_rng_below(rng, 3))
			bad += !change(&m, r, &count, key);
		most = count > most ? count : most;
	}
	for (uint64_t x = 0; x < RECORDS; x++)
		bad += ws_map_find(&m, r, sizeof *r, x * 128) != slow_find(r, count, x * 128);
	test_ok(bad == 0 && most > RECORDS / 4, "keys of shape %u: %zu of %d wrong, %zu at most",
		shape, bad, STEPS, most);
	ws_map_clear(&m);
	test_ok(ws_map_find(&m, r, sizeof *r, 0) == WS_MAP_NONE,
		"nothing is in a map that was cleared");
}

/* Records told apart by two numbers, all of one hash: the next key is tried. */
static void test_same_hash(void)
{
	struct { uint64_t key; unsigned a, b; } r[100];
	struct ws_map m = { 0 };
	unsigned count = 0, bad = 0;

	for (unsigned i = 0; i < 200; i++) {
		unsigned a = i % 10, b = i / 10 % 10;
		uint64_t key = 77;
		uint32_t *slot;

		if (!ws_map_room(&m, r, sizeof *r, count + 1))
			break;
		while (*(slot = ws_map_slot(&m, r, sizeof *r, key)) &&
		       (r[*slot - 1].a != a || r[*slot - 1].b != b))
			key++;
		if (!*slot) {
			r[count].key = key;
			r[count].a = a;
			r[count].b = b;
			*slot = ++count;
		}
		bad += *slot - 1 != i % 100;
	}
	test_ok(count == 100 && !bad, "100 records of one hash: %u, %u wrong", count, bad);
	ws_map_clear(&m);
}

static void test_keys(struct ws_rng *rng)
{
	struct ws_keys keys = { 0 };
	uint64_t seen[300];
	size_t count = 0, bad = 0;

	for (unsigned i = 0; i < 5000; i++) {
		uint64_t key = ws_rng_below(rng, 300) * 4096;
		size_t at = 0;

		while (at < count && seen[at] != key)
			at++;
		if (at == count)
			seen[count++] = key;
		bad += ws_keys_add(&keys, key) != at || keys.count != count;
	}
	for (size_t i = 0; i < count; i++)
		bad += keys.key[i] != seen[i];
	test_ok(!bad && count == 300, "a set numbers its keys as they come: %zu wrong of %zu", bad,
		count);
	ws_keys_flush(&keys);
	test_ok(!keys.count && ws_keys_add(&keys, seen[3]) == 0 && keys.count == 1,
		"a set that was flushed numbers anew");
	ws_keys_clear(&keys);
	test_ok(!keys.key && !keys.count, "a set that was cleared is empty");
}

static void test_no_memory(void)
{
#if WS_SANITIZED
	test_skip("no memory", "the sanitizer has its own limits");
#else
	struct rlimit before, none = { 0, 0 };
	struct record r[3] = { { 5, true, 0 }, { 6, true, 1 }, { 0, false, 0 } };
	struct ws_map m = { 0 };
	uint64_t *array = NULL;
	size_t cap = 0;
	bool ok = ws_map_room(&m, r, sizeof *r, 2) && getrlimit(RLIMIT_AS, &before) == 0;

	*ws_map_slot(&m, r, sizeof *r, 5) = 1;
	*ws_map_slot(&m, r, sizeof *r, 6) = 2;
	none.rlim_max = before.rlim_max;
	ok = ok && setrlimit(RLIMIT_AS, &none) == 0;
	ok = ok && !ws_map_room(&m, r, sizeof *r, 1u << 22) && !WS_ROOM(array, cap, 1u << 22);
	setrlimit(RLIMIT_AS, &before);
	test_ok(ok && !array && !cap, "no memory: said, and an array is as it was");
	test_ok(ws_map_find(&m, r, sizeof *r, 5) == 0 && ws_map_find(&m, r, sizeof *r, 6) == 1,
		"no memory: the map is as it was");
	ws_map_clear(&m);
#endif
	test_ok(!ws_map_room(&(struct ws_map){ 0 }, NULL, 8, WS_MAP_NONE),
		"more records than numbers");
}

int main(void)
{
	struct ws_rng rng;

	ws_rng_seed(&rng, test_seed(20));
	for (unsigned shape = 0; shape < 4; shape++)
		test_random(&rng, shape);
	test_same_hash();
	test_keys(&rng);
	test_no_memory();
	return test_done();
}
