/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * stackdist/slots.h -- private: time slots of one set, counted from the newest.
 *
 * A use of a line takes the next slot; the slot of its use before is given
 * back.  So the occupied slots above a line's own are the distinct lines used
 * since: its stack distance (Olken 1981; Bennett and Kruskal 1975 with a
 * counting tree over time).
 *
 * The slots are bits, and a Fenwick tree (Fenwick 1994) counts the bits of
 * blocks of 512 slots, one cache line.  New bits come in at the top only, so
 * the top block stays out of the tree until it is full: a use costs one walk
 * down the tree and one up, a popcount inside a block, and no more.
 * When the slots run out the occupied ones are renumbered 0, 1, 2, ... in
 * their order; room is kept for at least four times what is occupied, so
 * renumbering costs a constant per use.
 *
 * ws_slots_take, _give, _restore, _above   O(log m)
 * ws_slots_open, _rank of all, _close      O(m), once in 3m uses or more
 * memory                                   about 8 bits per line
 */
#ifndef WS_STACKDIST_SLOTS_H
#define WS_STACKDIST_SLOTS_H

#include "base/base.h"

#define WS_SLOT_NONE UINT32_MAX
#define WS_BLOCK_WORDS 8u
#define WS_BLOCK_SLOTS (64u * WS_BLOCK_WORDS)

struct ws_slots {		/* all zero: empty */
	uint64_t *word;		/* capacity / 64 words; the tree follows in the same memory */
	uint32_t *tree;		/* [1 .. blocks], of the full blocks */
	uint32_t capacity;	/* slots there are: 64 * 2^n */
	uint32_t top;		/* next slot to be taken */
	uint32_t count;		/* occupied */
};

/* Bits of each byte, without the last step that adds the bytes up. */
static inline uint64_t ws_bits_by_byte(uint64_t x)
{
	x -= x >> 1 & 0x5555555555555555u;
	x = (x & 0x3333333333333333u) + (x >> 2 & 0x3333333333333333u);
	return (x + (x >> 4)) & 0x0f0f0f0f0f0f0f0fu;
}

/* Bits set in first and in words [0, n), n < WS_BLOCK_WORDS: a byte holds
 * up to 64, so the bytes are added up once. */
static inline uint32_t ws_bits(uint64_t first, const uint64_t *word, uint32_t n)
{
#if defined(__POPCNT__) && defined(__GNUC__)
	uint32_t sum = (uint32_t)__builtin_popcountll(first);

	for (uint32_t i = 0; i < n; i++)
		sum += (uint32_t)__builtin_popcountll(word[i]);
	return sum;
#else
	uint64_t bytes = ws_bits_by_byte(first);

	for (uint32_t i = 0; i < n; i++)
		bytes += ws_bits_by_byte(word[i]);
	/* Eight bytes may add up to 512: add them in 16-bit lanes. */
	bytes = (bytes & 0x00ff00ff00ff00ffu) + (bytes >> 8 & 0x00ff00ff00ff00ffu);
	return (uint32_t)(bytes * 0x0001000100010001u >> 48);
#endif
}

static inline uint32_t ws_slots_blocks(const struct ws_slots *s)
{
	return (s->capacity + WS_BLOCK_SLOTS - 1) / WS_BLOCK_SLOTS;
}

/* Words of the block of this word, which may be the only one and short. */
static inline uint32_t ws_slots_block_end(const struct ws_slots *s, uint32_t word)
{
	uint32_t end = (word | (WS_BLOCK_WORDS - 1)) + 1;
	uint32_t words = s->capacity / 64;

	return end < words ? end : words;
}

static inline bool ws_slots_in_tree(const struct ws_slots *s, uint32_t slot)
{
	return slot / WS_BLOCK_SLOTS < s->top / WS_BLOCK_SLOTS;
}

static inline void ws_slots_tree_add(struct ws_slots *s, uint32_t block, uint32_t n)
{
	uint32_t blocks = ws_slots_blocks(s);

	for (uint32_t i = block + 1; i <= blocks; i += i & -i)
		s->tree[i] += n;
}

/* Occupied slots newer than this one. */
static inline uint32_t ws_slots_above(const struct ws_slots *s, uint32_t slot)
{
	uint32_t word = slot / 64;
	uint32_t end = ws_slots_block_end(s, word);
	uint32_t n = ws_bits(s->word[word] >> (slot % 64) >> 1, s->word + word + 1,
			     end - word - 1);

	if (!ws_slots_in_tree(s, slot))
		return n;
	n += s->count;
	for (uint32_t i = slot / WS_BLOCK_SLOTS + 1; i; i &= i - 1)
		n -= s->tree[i];
	return n;
}

/* The next slot; there must be one (top < capacity). */
static inline uint32_t ws_slots_take(struct ws_slots *s, bool occupied)
{
	uint32_t slot = s->top++;
	uint64_t *word = s->word + slot / 64;

	*word |= (uint64_t)occupied << (slot % 64);
	s->count += occupied;
	if (s->top % WS_BLOCK_SLOTS == 0)
		ws_slots_tree_add(s, slot / WS_BLOCK_SLOTS,
				  ws_bits(*word, word - (WS_BLOCK_WORDS - 1),
					  WS_BLOCK_WORDS - 1));
	return slot;
}

/* An occupied slot becomes free. */
static inline void ws_slots_give(struct ws_slots *s, uint32_t slot)
{
	s->word[slot / 64] &= ~((uint64_t)1 << (slot % 64));
	s->count--;
	if (ws_slots_in_tree(s, slot))
		ws_slots_tree_add(s, slot / WS_BLOCK_SLOTS, UINT32_MAX);
}

/* A free slot that was taken becomes occupied. */
static inline void ws_slots_restore(struct ws_slots *s, uint32_t slot)
{
	s->word[slot / 64] |= (uint64_t)1 << (slot % 64);
	s->count++;
	if (ws_slots_in_tree(s, slot))
		ws_slots_tree_add(s, slot / WS_BLOCK_SLOTS, 1);
}

/* Renumbering: after ws_slots_open, ws_slots_rank(slot) is the new number of
 * an occupied slot; ws_slots_close makes it so, with room for more.  Nothing
 * else may be asked in between.  False: out of memory, the slots are as
 * before ws_slots_open but for their tree, and must not be used. */
void ws_slots_open(struct ws_slots *s);
uint32_t ws_slots_rank(const struct ws_slots *s, uint32_t slot);
bool ws_slots_close(struct ws_slots *s);
void ws_slots_clear(struct ws_slots *s);

#endif
