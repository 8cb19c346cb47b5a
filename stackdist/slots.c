/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * stackdist/slots.c -- renumbering of the time slots of a set (slots.h).
 */
#include "stackdist/slots.h"

#include <stdlib.h>
#include <string.h>

#define CAPACITY_MIN 64u
#define SPARE 4u	/* slots per occupied one after renumbering, at least */

/* While slots are renumbered tree[b] holds the occupied slots before block b. */
void ws_slots_open(struct ws_slots *s)
{
	uint32_t blocks = ws_slots_blocks(s), words = s->capacity / 64, sum = 0;

	for (uint32_t b = 0; b < blocks; b++) {
		uint32_t first = b * WS_BLOCK_WORDS;
		uint32_t n = words - first < WS_BLOCK_WORDS ? words - first : WS_BLOCK_WORDS;

		s->tree[b] = sum;
		sum += ws_bits(s->word[first], s->word + first + 1, n - 1);
	}
}

uint32_t ws_slots_rank(const struct ws_slots *s, uint32_t slot)
{
	uint32_t word = slot / 64, first = word & ~(WS_BLOCK_WORDS - 1);
	uint64_t below = s->word[word] & (((uint64_t)1 << (slot % 64)) - 1);

	return s->tree[slot / WS_BLOCK_SLOTS] + ws_bits(below, s->word + first, word - first);
}

static bool resize(struct ws_slots *s, uint32_t capacity)
{
	size_t words = capacity / 64, blocks = (capacity + WS_BLOCK_SLOTS - 1) / WS_BLOCK_SLOTS;
	/* blocks + 1 tree nodes of 4 bytes, in whole words */
	uint64_t *memory = ws_alloc(words + blocks / 2 + 1, sizeof(*memory));

	if (!memory)
		return false;
	free(s->word);
	s->word = memory;
	s->tree = (uint32_t *)(memory + words);
	s->capacity = capacity;
	return true;
}

/* The lowest s->count slots occupied, no other. */
static void fill(struct ws_slots *s)
{
	uint32_t words = s->capacity / 64, blocks = ws_slots_blocks(s);
	uint32_t full = s->count / WS_BLOCK_SLOTS;

	memset(s->word, 0, words * sizeof(*s->word));
	memset(s->word, 0xff, s->count / 64 * sizeof(*s->word));
	if (s->count % 64)
		s->word[s->count / 64] = ((uint64_t)1 << (s->count % 64)) - 1;
	for (uint32_t i = 1; i <= blocks; i++) {
		uint32_t from = i - (i & -i), to = i < full ? i : full;

		s->tree[i] = from < to ? (to - from) * WS_BLOCK_SLOTS : 0;
	}
	s->top = s->count;
}

bool ws_slots_close(struct ws_slots *s)
{
	uint32_t capacity = s->capacity ? s->capacity : CAPACITY_MIN;

	while (capacity / SPARE < s->count)
		capacity *= 2;
	if (capacity != s->capacity && !resize(s, capacity))
		return false;
	fill(s);
	return true;
}

void ws_slots_clear(struct ws_slots *s)
{
	free(s->word);
	memset(s, 0, sizeof(*s));
}
