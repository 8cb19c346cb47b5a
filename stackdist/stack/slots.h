/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * stackdist/stack/slots.h -- private: time slots of one set, counted from the newest.
 *
 * A use of a line takes the next slot; the slot of its use before is given
 * back.  So the occupied slots above a line's own are the distinct lines used
 * since: its stack distance (Olken 1981; Bennett and Kruskal 1975 with a
 * counting tree over time).
 *
 * The slots are bits.  Above them stand four levels of counts, each node of
 * fan-out 32: an entry is the number of occupied slots of its node that are
 * older than the entry's own.
 *
 *   word   64 slots              near  2^11 slots, 16 bits an entry
 *   mid    2^16, 16 bits         far   2^21, 32 bits       wide  all, 32 bits
 *
 * To count is to read one entry a level.  A slot that is given back lowers the
 * entries after its own in one node a level: 32 additions side by side, without
 * a branch.  (A Fenwick tree does both in loops whose lengths no processor can
 * guess.)  New slots come at
 * the top only, so the entry of a word is written when the top reaches it, and
 * what is after it may be anything.  Levels that have one entry only are not there.
 *
 * When the slots run out the occupied ones are renumbered 0, 1, 2, ... in
 * their order; room is kept for at least four times what is occupied, so
 * renumbering costs a constant per use.
 *
 * ws_slots_take, _give, _restore, _above   O(log m): at most 6 + 4 * 32 words touched,
 *                                          up to 256 more above 2^21 slots
 * ws_slots_rank of all, _close             O(m), once in 3m uses or more
 * memory                                   5 to 10 bits per line, 72 bytes at least
 */
#ifndef WS_STACKDIST_SLOTS_H
#define WS_STACKDIST_SLOTS_H

#include "base/base.h"
#include "stackdist/stack/cpu.h"

#define WS_NODE 32u		/* entries of a node */
#define WS_NEAR_BITS 11u	/* log2 of the slots a node spans */
#define WS_MID_BITS 16u
#define WS_FAR_BITS 21u

struct ws_slots {		/* all zero: empty */
	uint64_t *word;		/* what follows is in the same memory */
	uint16_t *near, *mid;	/* mid, far, wide: NULL where capacity is one node below */
	uint32_t *far;		/* wide follows its last node */
	uint32_t capacity;	/* slots there are: 64 * 2^n, at most 2^29 */
	uint32_t top;		/* next slot to be taken */
	uint32_t count;		/* occupied */
	uint32_t levels;	/* there are above near: 0 to 3 */
};

/* [WS_NODE - 1 - k + j] is all ones iff j > k. */
extern const uint16_t ws_after16[2 * WS_NODE];
extern const uint32_t ws_after32[2 * WS_NODE];

/* popcnt: the caller may use that instruction (cpu.h); so below. */
static WS_INLINE uint32_t ws_bits(uint64_t x, bool popcnt)
{
#if WS_X86
	if (popcnt)
		return (uint32_t)__builtin_popcountll(x);
#else
	(void)popcnt;
#endif
	x -= x >> 1 & 0x5555555555555555u;
	x = (x & 0x3333333333333333u) + (x >> 2 & 0x3333333333333333u);
	x = (x + (x >> 4)) & 0x0f0f0f0f0f0f0f0fu;
	return (uint32_t)(x * 0x0101010101010101u >> 56);
}

static inline uint32_t *ws_slots_wide(const struct ws_slots *s)
{
	return s->far + (s->capacity >> WS_MID_BITS);
}

/* Occupied slots up to this one. */
static WS_INLINE uint32_t ws_slots_upto(const struct ws_slots *s, uint32_t slot, bool popcnt)
{
	uint32_t n = ws_bits(s->word[slot / 64] << (63 - slot % 64), popcnt) + s->near[slot / 64];

	if (s->levels == 0)
		return n;
	n += s->mid[slot >> WS_NEAR_BITS];
	if (s->levels == 1)
		return n;
	n += s->far[slot >> WS_MID_BITS];
	if (s->levels == 2)
		return n;
	return n + ws_slots_wide(s)[slot >> WS_FAR_BITS];
}

/* Occupied slots newer than this one. */
static WS_INLINE uint32_t ws_slots_above(const struct ws_slots *s, uint32_t slot, bool popcnt)
{
	return s->count - ws_slots_upto(s, slot, popcnt);
}

/* One less (or one more) in the entries of the node after this one. */
static WS_INLINE void ws_node16(uint16_t *level, uint32_t entry, bool more)
{
	const uint16_t *after = ws_after16 + (WS_NODE - 1 - entry % WS_NODE);
	uint16_t *node = level + entry / WS_NODE * WS_NODE;

	if (more)
		for (uint32_t j = 0; j < WS_NODE; j++)
			node[j] = (uint16_t)(node[j] - after[j]);
	else
		for (uint32_t j = 0; j < WS_NODE; j++)
			node[j] = (uint16_t)(node[j] + after[j]);
}

static WS_INLINE void ws_node32(uint32_t *level, uint32_t entry, bool more)
{
	const uint32_t *after = ws_after32 + (WS_NODE - 1 - entry % WS_NODE);
	uint32_t *node = level + entry / WS_NODE * WS_NODE;

	for (uint32_t j = 0; j < WS_NODE; j++)
		node[j] += more ? 0 - after[j] : after[j];
}

void ws_slots_wide_add(struct ws_slots *s, uint32_t entry, bool more);

static WS_INLINE void ws_slots_add(struct ws_slots *s, uint32_t slot, bool more)
{
	ws_node16(s->near, slot / 64, more);
	if (s->levels == 0)
		return;
	ws_node16(s->mid, slot >> WS_NEAR_BITS, more);
	if (s->levels == 1)
		return;
	ws_node32(s->far, slot >> WS_MID_BITS, more);
	if (s->levels == 3)
		ws_slots_wide_add(s, slot >> WS_FAR_BITS, more);
}

/* The top has reached a new word; nothing if it has done so before. */
void ws_slots_enter(struct ws_slots *s);

/* The next slot.  There must be one (top < capacity), and if it begins a word
 * (top % 64 == 0) that has been entered. */
static WS_INLINE uint32_t ws_slots_take(struct ws_slots *s, bool occupied)
{
	uint32_t slot = s->top++;

	s->word[slot / 64] |= (uint64_t)occupied << (slot % 64);
	s->count += occupied;
	return slot;
}

/* An occupied slot becomes free. */
static WS_INLINE void ws_slots_give(struct ws_slots *s, uint32_t slot)
{
	s->word[slot / 64] &= ~((uint64_t)1 << (slot % 64));
	s->count--;
	ws_slots_add(s, slot, false);
}

/* A free slot that was taken becomes occupied. */
static WS_INLINE void ws_slots_restore(struct ws_slots *s, uint32_t slot)
{
	s->word[slot / 64] |= (uint64_t)1 << (slot % 64);
	s->count++;
	ws_slots_add(s, slot, true);
}

/* The same as _above, _give and _take(true) one after the other, of an occupied slot that is
 * not the newest; *slot is the new one. */
static WS_INLINE uint32_t ws_slots_renew(struct ws_slots *s, uint32_t *slot, bool popcnt)
{
	uint32_t above, old = *slot, top = s->top++;
	uint64_t *word = s->word + old / 64;

	*slot = top;
	if (old / 64 == top / 64) {
		/* Nothing counts the top word yet. */
		above = ws_bits(*word >> (old % 64), popcnt) - 1;
		*word = (*word ^ (uint64_t)1 << (old % 64)) | (uint64_t)1 << (top % 64);
		return above;
	}
	above = ws_slots_above(s, old, popcnt);
	*word ^= (uint64_t)1 << (old % 64);
	s->word[top / 64] |= (uint64_t)1 << (top % 64);
	ws_slots_add(s, old, false);
	return above;
}

/* Renumbering: ws_slots_rank(slot) is the new number of an occupied slot;
 * ws_slots_close makes it so, with room for more.  False: out of memory, the
 * slots are as before, but the numbers are not. */
static inline uint32_t ws_slots_rank(const struct ws_slots *s, uint32_t slot)
{
	return ws_slots_upto(s, slot, false) - 1;
}

bool ws_slots_close(struct ws_slots *s);
void ws_slots_clear(struct ws_slots *s);

#endif
