/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/stackdist/t-slots.c -- time slots of a set against an array of bools, up to sizes that have
 * all levels of counts.
 */
#include "tests/test.h"

#include "stackdist/stack/slots.h"

#define SLOTS_MAX (3u << 21) /* three entries of the widest level */

struct naive {
	bool *occupied;
	uint32_t top;
};

static uint32_t above(const struct naive *n, uint32_t slot)
{
	uint32_t sum = 0;

	for (uint32_t i = slot + 1; i < n->top; i++)
		sum += n->occupied[i];
	return sum;
}

/* Renumbers if it must; the naive array does the same, and the ranks must agree. */
static size_t room(struct ws_slots *s, struct naive *n)
{
	size_t bad = 0;
	uint32_t rank = 0;

	if (s->top % 64)
		return 0;
	if (s->top < s->capacity) {
		ws_slots_enter(s);
		return 0;
	}
	for (uint32_t i = 0; i < n->top; i++)
		if (n->occupied[i])
			bad += ws_slots_rank(s, i) != rank++;
	for (uint32_t i = 0; i < n->top; i++)
		n->occupied[i] = i < rank;
	n->top = rank;
	bad += !ws_slots_close(s) || s->top != rank || s->capacity / 4 < rank;
	if (s->top % 64 == 0)
		ws_slots_enter(s);
	return bad;
}

static void take(struct ws_slots *s, struct naive *n, bool occupied)
{
	n->occupied[n->top++] = occupied;
	ws_slots_take(s, occupied);
}

/* A slot changes, or is looked at. */
static size_t change(struct ws_slots *s, struct naive *n, struct ws_rng *rng, bool look)
{
	uint32_t slot = (uint32_t)ws_rng_below(rng, n->top), renewed = slot, want;

	if (look && n->occupied[slot] && slot + 1 < n->top && ws_rng_below(rng, 2)) {
		want = above(n, slot);
		n->occupied[slot] = false;
		n->occupied[n->top++] = true;
		return ws_slots_renew(s, &renewed, false) != want || renewed + 1 != n->top;
	}
	if (look)
		return ws_slots_above(s, slot, false) != above(n, slot);
	if (n->occupied[slot])
		ws_slots_give(s, slot);
	else
		ws_slots_restore(s, slot);
	n->occupied[slot] = !n->occupied[slot];
	return 0;
}

/* Takes until there are so many slots; looks at one in `apart`. */
static void grow(uint64_t seed, uint32_t slots, uint32_t apart)
{
	struct ws_slots s = { 0 };
	struct naive n = { .occupied = ws_alloc_zero(SLOTS_MAX, sizeof(bool)) };
	struct ws_rng rng;
	size_t bad = 0, looks = 0;

	ws_rng_seed(&rng, seed);
	while (n.occupied && n.top < slots && n.top < SLOTS_MAX - 2) {
		bad += room(&s, &n);
		take(&s, &n, ws_rng_below(&rng, 64) > 0);
		if (ws_rng_below(&rng, 16) == 0)
			bad += change(&s, &n, &rng, false);
		if (ws_rng_below(&rng, apart) == 0) {
			bad += room(&s, &n) + change(&s, &n, &rng, true);
			looks++;
		}
	}
	test_ok(!bad && looks > 20, "%u slots of %u: %zu looks, %zu wrong", n.top, s.capacity,
		looks, bad);
	ws_slots_clear(&s);
	free(n.occupied);
}

int main(void)
{
	uint64_t seed = test_seed(7301);

	grow(seed, 60, 1);
	grow(seed + 1, 2000, 1);
	grow(seed + 2, 60000, 20);
	grow(seed + 3, 1000000, 5000);
	grow(seed + 4, SLOTS_MAX - 2, 120000);
	return test_done();
}
