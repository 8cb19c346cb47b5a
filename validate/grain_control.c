/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * validate/grain_control.c -- addresses, tag masks and DyCache's decisions (grain.h).
 *
 * Nothing here knows what a cache holds: a decision is a function of the window's counts.
 */
#include "validate/grain.h"

#define WORD_BITS 5u		/* log2 WS_SECTOR_BYTES */
#define LINE_WORD_BITS 2u	/* log2 WS_GRAIN_WORDS */
#define CALM 8u			/* decisions without a change that halve the period */
#define RESTLESS 2u		/* changes in succession that double it */
#define PERCENT 100u

#define VOID WS_TAG_VOID

const int8_t ws_tag_masks[WS_GRAIN_SIZES - 1][WS_GRAIN_SIZES][WS_GRAIN_WORDS] = {
	{ { 0, VOID, VOID, VOID }, { 0, 1, VOID, VOID }, { 0, 1, 2, 3 } },
	{ { 0, VOID, VOID, VOID }, { 0, VOID, VOID, VOID }, { 0, VOID, 2, VOID } },
};

/* Bits of a set's number, rounded up. */
static unsigned set_bits(const struct ws_cache *cache)
{
	unsigned bits = ws_log2(cache->sets);

	return bits + !ws_is_pow2(cache->sets);
}

struct ws_address ws_address_split(const struct ws_cache *cache, uint64_t address)
{
	unsigned sets = set_bits(cache);
	uint64_t word = address >> WORD_BITS & (WS_GRAIN_WORDS - 1);
	uint64_t tag = address >> (WORD_BITS + LINE_WORD_BITS + sets);
	uint64_t mask = ((uint64_t)1 << (cache->chunk_tag_bits - LINE_WORD_BITS)) - 1;

	return (struct ws_address){
		.common = address >> ws_region_shift(cache),
		.chunk = (tag & mask) << LINE_WORD_BITS | word,
		.set = address >> (WORD_BITS + LINE_WORD_BITS) & (((uint64_t)1 << sets) - 1),
		.byte = address & (WS_SECTOR_BYTES - 1),
	};
}

unsigned ws_grain_decide(const struct ws_grain_window *w, unsigned grain, uint32_t threshold,
			 enum ws_grain_fine fine)
{
	uint64_t bar = threshold * w->requests;
	bool poor = PERCENT * w->misses > bar;
	bool small = PERCENT * (w->size[0] + w->size[1]) > bar;

	if (!poor)
		return grain;
	if (!small)
		return WS_GRAIN_WORDS;
	if (grain < WS_GRAIN_WORDS && fine == WS_GRAIN_KEEP)
		return grain;
	return w->size[0] > w->size[1] ? 1 : 2;
}

void ws_grain_start(struct ws_grain_control *c, const struct ws_cache *cache)
{
	*c = (struct ws_grain_control){
		.threshold = cache->organised.parameter, .period_first = cache->grain_period,
		.period_max = cache->grain_period_max, .period = cache->grain_period,
		.fine = cache->grain_fine, .grain = WS_GRAIN_WORDS,
	};
}

static void adapt(struct ws_grain_control *c, bool change)
{
	c->same = change ? 0 : c->same + 1;
	c->changed = change ? c->changed + 1 : 0;
	if (c->changed == RESTLESS) {
		c->changed = 0;
		if (c->period < c->period_max)
			c->period = c->period > c->period_max / 2 ? c->period_max : 2 * c->period;
	} else if (c->same == CALM) {
		c->same = 0;
		if (c->period > c->period_first)
			c->period = c->period / 2 < c->period_first ? c->period_first
								    : c->period / 2;
	}
}

bool ws_grain_take(struct ws_grain_control *c, unsigned size, bool miss)
{
	unsigned before = c->grain;

	c->window.requests++;
	c->window.misses += miss;
	c->window.size[size]++;
	if (c->window.requests < c->period)
		return false;
	c->grain = ws_grain_decide(&c->window, before, c->threshold, c->fine);
	adapt(c, c->grain != before);
	c->window = (struct ws_grain_window){ 0 };
	return c->grain != before;
}
