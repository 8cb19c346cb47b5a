/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * stackdist/stack/slots.c -- what happens to the slots of a set once in 64 uses, or less
 * often (slots.h).
 */
#include "stackdist/stack/slots.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define CAPACITY_MIN 64u
#define SPARE 4u	/* slots per occupied one after renumbering, at least */

#define FOUR(x) x, x, x, x
#define ALL(x) FOUR(x), FOUR(x), FOUR(x), FOUR(x), FOUR(x), FOUR(x), FOUR(x), FOUR(x)

const uint16_t ws_after16[2 * WS_NODE] = { ALL(0), ALL(UINT16_MAX) };
const uint32_t ws_after32[2 * WS_NODE] = { ALL(0), ALL(UINT32_MAX) };

void ws_slots_wide_add(struct ws_slots *s, uint32_t entry, bool more)
{
	uint32_t *wide = ws_slots_wide(s), top = s->top >> WS_FAR_BITS;

	for (uint32_t j = entry + 1; j <= top; j++)
		wide[j] += more ? 1 : UINT32_MAX;
}

/* The entries of the word, and those of the nodes that begin with it. */
void ws_slots_enter(struct ws_slots *s)
{
	uint32_t word = s->top / 64, mid = word / WS_NODE, far = mid / WS_NODE, n;
	uint32_t wide = far / WS_NODE;

	assert(s->top < s->capacity);
	if (word == 0)
		return;
	n = ws_bits(s->word[word - 1], false) + s->near[word - 1];
	s->near[word] = word % WS_NODE ? (uint16_t)n : 0;
	if (word % WS_NODE)
		return;
	n += s->mid[mid - 1];
	s->mid[mid] = mid % WS_NODE ? (uint16_t)n : 0;
	if (mid % WS_NODE)
		return;
	n += s->far[far - 1];
	s->far[far] = far % WS_NODE ? n : 0;
	if (far % WS_NODE == 0)
		ws_slots_wide(s)[wide] = n + ws_slots_wide(s)[wide - 1];
}

/* Entries of a level whose entry spans 2^bits slots, in whole nodes; none if there is one. */
static size_t entries(uint32_t capacity, unsigned bits)
{
	size_t n = capacity >> bits;

	return n <= 1 ? 0 : (n + WS_NODE - 1) / WS_NODE * WS_NODE;
}

static bool resize(struct ws_slots *s, uint32_t capacity)
{
	size_t words = capacity / 64, near = words < WS_NODE ? WS_NODE : words;
	size_t mid = entries(capacity, WS_NEAR_BITS), far = entries(capacity, WS_MID_BITS);
	size_t wide = entries(capacity, WS_FAR_BITS);
	uint64_t *memory = ws_alloc(words + (near + mid) / 4 + (far + wide) / 2, sizeof *memory);

	if (!memory)
		return false;
	free(s->word);
	s->word = memory;
	s->near = (uint16_t *)(memory + words);
	s->mid = s->near + near;
	s->far = (uint32_t *)(memory + words + (near + mid) / 4);
	s->capacity = capacity;
	s->levels = wide ? 3 : far ? 2 : mid ? 1 : 0;
	return true;
}

/* The lowest s->count slots occupied, no other. */
static void fill_lowest(struct ws_slots *s)
{
	uint32_t words = s->capacity / 64, full = s->count / 64;

	assert(s->count <= s->capacity && ws_is_pow2(s->capacity));
	memset(s->word, 0, words * sizeof *s->word);
	memset(s->word, 0xff, full * sizeof *s->word);
	if (s->count % 64)
		s->word[full] = ((uint64_t)1 << (s->count % 64)) - 1;
	memset(s->near, 0, (words < WS_NODE ? WS_NODE : words) * sizeof *s->near);
	for (uint32_t i = 0; i < words && i <= full; i++)
		s->near[i] = (uint16_t)(i % WS_NODE * 64);
	for (uint32_t i = 0; i < entries(s->capacity, WS_NEAR_BITS); i++)
		s->mid[i] = (uint16_t)(i % WS_NODE << WS_NEAR_BITS);
	for (uint32_t i = 0; i < entries(s->capacity, WS_MID_BITS); i++)
		s->far[i] = i % WS_NODE << WS_MID_BITS;
	for (uint32_t i = 0; i < entries(s->capacity, WS_FAR_BITS); i++)
		ws_slots_wide(s)[i] = i << WS_FAR_BITS;
	s->top = s->count;
}

bool ws_slots_close(struct ws_slots *s)
{
	uint32_t capacity = s->capacity ? s->capacity : CAPACITY_MIN;

	while (capacity / SPARE < s->count)
		capacity *= 2;
	if (capacity != s->capacity && !resize(s, capacity))
		return false;
	assert(s->count <= s->capacity / SPARE);
	fill_lowest(s);
	return true;
}

void ws_slots_clear(struct ws_slots *s)
{
	free(s->word);
	memset(s, 0, sizeof *s);
}
