/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/ref/grain_hardware.c -- addresses and tag masks (grain_hardware.h).
 */
#include "tests/ref/grain_hardware.h"

#define WORD_BITS 5u		/* log2 WS_SECTOR_BYTES */
#define LINE_WORD_BITS 2u	/* log2 WS_GRAIN_WORDS */

#define VOID REF_TAG_VOID

const int8_t ref_tag_masks[WS_GRAIN_SIZES - 1][WS_GRAIN_SIZES][WS_GRAIN_WORDS] = {
	{ { 0, VOID, VOID, VOID }, { 0, 1, VOID, VOID }, { 0, 1, 2, 3 } },
	{ { 0, VOID, VOID, VOID }, { 0, VOID, VOID, VOID }, { 0, VOID, 2, VOID } },
};

/* Bits of a set's number, rounded up. */
static unsigned set_bits(const struct ws_cache *cache)
{
	unsigned bits = ws_log2(cache->sets);

	return bits + !ws_is_pow2(cache->sets);
}

struct ref_address ref_address_split(const struct ws_cache *cache, uint64_t address)
{
	unsigned sets = set_bits(cache);
	uint64_t word = address >> WORD_BITS & (WS_GRAIN_WORDS - 1);
	uint64_t tag = address >> (WORD_BITS + LINE_WORD_BITS + sets);
	uint64_t mask = ((uint64_t)1 << (cache->chunk_tag_bits - LINE_WORD_BITS)) - 1;

	return (struct ref_address){
		.common = address >> ws_region_shift(cache),
		.chunk = (tag & mask) << LINE_WORD_BITS | word,
		.set = address >> (WORD_BITS + LINE_WORD_BITS) & (((uint64_t)1 << sets) - 1),
		.byte = address & (WS_SECTOR_BYTES - 1),
	};
}
