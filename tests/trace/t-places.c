/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/trace/t-places.c -- trace/places.h beside a list of places and a walk over all arrays:
 * numbers in order of occurrence, arrays that overlap, and less told apart.
 */
#include "tests/test.h"
#include "trace/places.h"

enum { ARRAYS = 9, INSTRUCTIONS = 7, REQUESTS = 3000, ROUNDS = 60 };

struct slow {
	struct ws_place place[REQUESTS];
	size_t count;
};

/* Of the arrays that begin at or below the address the last, if it holds it; of those that begin
 * together the one named last. */
static uint32_t slow_array(const struct ws_launch *l, uint64_t address)
{
	uint32_t last = WS_NO_ARRAY;

	for (uint32_t i = 0; i < l->arrays; i++)
		if (l->array[i].bytes && l->array[i].base <= address &&
		    (last == WS_NO_ARRAY || l->array[i].base >= l->array[last].base))
			last = i;
	if (last == WS_NO_ARRAY || address >= l->array[last].base + l->array[last].bytes)
		return WS_NO_ARRAY;
	return last;
}

static uint32_t slow_number(struct slow *s, struct ws_place place)
{
	for (size_t i = 0; i < s->count; i++)
		if (s->place[i].instruction == place.instruction &&
		    s->place[i].kind == place.kind && s->place[i].array == place.array)
			return (uint32_t)i;
	s->place[s->count] = place;
	return (uint32_t)s->count++;
}

/* How much is told apart: 0 all, 1 no arrays, 2 no instructions either. */
static unsigned run(struct ws_places *p, const struct ws_launch *l, struct ws_rng *rng,
		    unsigned level)
{
	static struct slow s;
	unsigned bad = 0;

	s.count = 0;
	for (unsigned i = 0; i < REQUESTS; i++) {
		uint32_t instruction = (uint32_t)ws_rng_below(rng, INSTRUCTIONS + 2);
		unsigned kind = (unsigned)ws_rng_below(rng, WS_KINDS);
		uint64_t address = 256 * ws_rng_below(rng, 40);
		struct ws_place want = { instruction < INSTRUCTIONS ? instruction : INSTRUCTIONS,
					 slow_array(l, address), kind }, got;
		uint32_t number = ws_places_at(p, instruction, kind, address);

		if (instruction < INSTRUCTIONS && l->instruction[instruction].array < ARRAYS)
			want.array = l->instruction[instruction].array;
		if (level > 0)
			want.array = WS_NO_ARRAY;
		if (level > 1)
			want.instruction = INSTRUCTIONS;
		bad += number != slow_number(&s, want) || p->key.count != s.count;
		got = ws_places_get(p, number);
		bad += got.instruction != want.instruction || got.array != want.array ||
		       got.kind != want.kind || ws_places_put(p, got) != number;
	}
	return bad;
}

int main(void)
{
	struct ws_array array[ARRAYS];
	struct ws_instruction instruction[INSTRUCTIONS];
	struct ws_launch l = { .array = array, .arrays = ARRAYS, .instruction = instruction,
			       .instructions = INSTRUCTIONS };
	unsigned bad[3] = { 0 };
	struct ws_rng rng;

	ws_rng_seed(&rng, test_seed(22));
	for (unsigned round = 0; round < ROUNDS; round++) {
		struct ws_places p;

		for (unsigned i = 0; i < ARRAYS; i++)
			array[i] = (struct ws_array){ .base = 256 * ws_rng_below(&rng, 30),
						      .bytes = 256 * ws_rng_below(&rng, 12) };
		for (unsigned i = 0; i < INSTRUCTIONS; i++)
			instruction[i] = (struct ws_instruction){
				.array = i % 2 ? WS_NO_ARRAY : (uint32_t)ws_rng_below(&rng,
				ARRAYS) };
		if (!ws_places_init(&p, &l, WS_KINDS))
			return 1;
		bad[0] += run(&p, &l, &rng, 0);
		ws_places_merge(&p, true, false);
		bad[1] += run(&p, &l, &rng, 1);
		ws_places_merge(&p, true, true);
		bad[2] += run(&p, &l, &rng, 2);
		ws_places_clear(&p);
	}
	test_ok(!bad[0], "all told apart: %u wrong", bad[0]);
	test_ok(!bad[1], "arrays are not: %u wrong", bad[1]);
	test_ok(!bad[2], "instructions are not: %u wrong", bad[2]);
	return test_done();
}
