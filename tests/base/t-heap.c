/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/base/t-heap.c -- base/heap.h beside a list of which the first is looked for.
 */
#include "base/heap.h"
#include "tests/test.h"

enum { ITEMS = 60, STEPS = 20000 };

static size_t first_of(const struct ws_heap_item *item, size_t count)
{
	size_t first = 0;

	for (size_t i = 1; i < count; i++)
		if (item[i].key < item[first].key ||
		    (item[i].key == item[first].key && item[i].id < item[first].id))
			first = i;
	return first;
}

/* The key of the second, or of the only one. */
static uint64_t second_of(const struct ws_heap_item *item, size_t count)
{
	size_t first = first_of(item, count);
	uint64_t key = UINT64_MAX;

	for (size_t i = 0; i < count; i++)
		if (i != first && item[i].key < key)
			key = item[i].key;
	return key;
}

static bool same_second(const struct ws_heap *h, uint64_t want)
{
	uint64_t key = UINT64_MAX;

	for (size_t i = 1; i < 3 && i < h->count; i++)
		key = h->item[i].key < key ? h->item[i].key : key;
	return key == want;
}

int main(void)
{
	struct ws_heap_item list[ITEMS];
	struct ws_heap h = { 0 };
	struct ws_rng rng;
	size_t count = 0, id = 0, bad = 0;

	ws_rng_seed(&rng, test_seed(21));
	for (unsigned step = 0; step < STEPS; step++) {
		uint64_t key = ws_rng_below(&rng, 40);
		size_t first = count ? first_of(list, count) : 0;
		unsigned what = (unsigned)ws_rng_below(&rng, 5);

		if (count < ITEMS && (what < 2 || !count)) {
			if (!ws_heap_room(&h, count + 1))
				return 1;
			ws_heap_push(&h, key, id);
			list[count++] = (struct ws_heap_item){ key, id++ };
		} else if (what < 4) {
			bad += ws_heap_pop(&h) != list[first].id;
			list[first] = list[--count];
		} else {
			ws_heap_change_top(&h, key);
			list[first].key = key;
		}
		if (count)
			bad += h.item[0].id != list[first_of(list, count)].id ||
			       !same_second(&h, second_of(list, count));
		bad += h.count != count;
	}
	test_ok(!bad, "push, pop, change: %zu of %d wrong", bad, STEPS);
	ws_heap_clear(&h);
	test_ok(!h.item && !h.count && !h.cap, "cleared");
	return test_done();
}
