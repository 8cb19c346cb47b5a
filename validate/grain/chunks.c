/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * validate/grain/chunks.c -- caches whose lines hold chunks from anywhere in a region (grain.h).
 *
 * Invariants: a line's words are of its region and set; under a grain of k words every aligned
 * group of k places is empty or holds one aligned block.
 */
#include "validate/grain/parts.h"

#define NONE UINT32_MAX

static struct ws_grain_line *line_of(struct ws_grain *g, uint32_t slot)
{
	return &g->line[slot / WS_GRAIN_WORDS];
}

static void clear_slot(struct ws_grain *g, uint32_t slot)
{
	if (!g->place[slot].word)
		return;
	line_of(g, slot)->words--;
	line_of(g, slot)->reserved -= g->place[slot].fetch != 0;
	ws_place_clear(g, &g->place[slot]);
}

bool ws_chunks_hit(struct ws_grain *g, const struct ws_grain_ask *a)
{
	struct ws_grain_line *line = NULL;

	for (unsigned w = 0; w < WS_GRAIN_WORDS; w++) {
		uint32_t slot;

		if (!(a->need >> w & 1))
			continue;
		slot = ws_grain_word(g, a->number[w])->slot;
		if (slot == WS_NOWHERE || (line && line != line_of(g, slot)))
			return false;
		line = line_of(g, slot);
	}
	return true;
}

/* Uses the words of the block that are there, wherever they are. */
static void touch_words(struct ws_grain *g, const struct ws_grain_ask *a)
{
	for (unsigned w = 0; w < WS_GRAIN_WORDS; w++) {
		uint32_t slot = a->block >> w & 1 ? ws_grain_word(g, a->number[w])->slot : NONE;

		if (slot == NONE)
			continue;
		g->place[slot].used = line_of(g, slot)->used = g->clock;
		g->place[slot].dirty |= a->dirty && a->need >> w & 1;
	}
}

static unsigned throw_out(struct ws_grain *g, const struct ws_grain_ask *a)
{
	unsigned thrown = 0;

	for (unsigned w = 0; w < WS_GRAIN_WORDS; w++) {
		uint32_t slot = a->block >> w & 1 ? ws_grain_word(g, a->number[w])->slot : NONE;

		if (slot == NONE)
			continue;
		clear_slot(g, slot);
		thrown++;
	}
	return thrown;
}

/* ---- where a block goes ------------------------------------------------------------ */

/* When the latest of the group's words was used; 0: it is empty; UINT64_MAX: one is reserved. */
static uint64_t group_used(const struct ws_grain *g, uint32_t first, unsigned words)
{
	uint64_t used = 0;

	for (uint32_t i = first; i < first + words; i++) {
		if (g->place[i].fetch)
			return UINT64_MAX;
		if (g->place[i].word && g->place[i].used > used)
			used = g->place[i].used;
	}
	return used;
}

static uint32_t line_invalid(const struct ws_grain *g, uint32_t first)
{
	for (uint32_t n = first; n < first + g->cache.ways; n++)
		if (!g->line[n].words)
			return n;
	return NONE;
}

/* Does reserving leave no group of the line? */
static bool all_reserved(const struct ws_grain *g, uint32_t line, unsigned words)
{
	uint32_t at = line * WS_GRAIN_WORDS, end = at + WS_GRAIN_WORDS;

	for (; at < end && g->line[line].reserved; at += words)
		if (group_used(g, at, words) < UINT64_MAX)
			return false;
	return g->line[line].reserved > 0;
}

/* The line used longest ago, or last, that has a group to be thrown out; of a region unless it is
 * NULL; NONE: there is none. */
static uint32_t line_used(const struct ws_grain *g, uint32_t first, const uint64_t *region,
			  unsigned words, bool last)
{
	uint32_t found = NONE;

	for (uint32_t n = first; n < first + g->cache.ways; n++) {
		const struct ws_grain_line *line = &g->line[n];

		if (!line->words || (region && line->name != *region) || all_reserved(g, n, words))
			continue;
		if (found == NONE || (last ? line->used > g->line[found].used
					   : line->used < g->line[found].used))
			found = n;
	}
	return found;
}

/* The group of the region's lines, or of the one line `only`, used longest ago; an empty one is
 * older than any, a reserved one none.  *used: when that was.  NONE: there is none. */
static uint32_t group_oldest(const struct ws_grain *g, uint32_t first, uint64_t region,
			     unsigned words, uint32_t only, uint64_t *used)
{
	uint32_t found = NONE;

	*used = UINT64_MAX;
	for (uint32_t n = first; n < first + g->cache.ways; n++) {
		if (!g->line[n].words || g->line[n].name != region || (only != NONE && n != only))
			continue;
		for (uint32_t at = n * WS_GRAIN_WORDS; at < (n + 1) * WS_GRAIN_WORDS; at += words) {
			uint64_t when = group_used(g, at, words);

			if (when < *used) {
				*used = when;
				found = at;
			}
		}
	}
	return found;
}

/* The first place of less than a line. */
static uint32_t group_choose(const struct ws_grain *g, uint32_t first, uint64_t region,
			     unsigned words)
{
	uint32_t invalid = line_invalid(g, first), line = NONE, group;
	uint64_t used;

	group = group_oldest(g, first, region, words, NONE, &used);
	if (group != NONE && !used)
		return group;
	if (invalid != NONE && (group == NONE ||
				g->cache.chunk_invalid == WS_CHUNK_INVALID_FIRST))
		return invalid * WS_GRAIN_WORDS;
	if (group == NONE)
		return NONE;
	if (g->cache.chunk_victim != WS_CHUNK_ANY)
		line = line_used(g, first, &region, words,
				 g->cache.chunk_victim == WS_CHUNK_NEWEST);
	return group_oldest(g, first, region, words, line, &used);
}

static uint64_t region_of(const struct ws_grain *g, const struct ws_grain_ask *a)
{
	return a->address >> ws_region_shift(&g->cache);
}

/* The first place for the block; NONE: all is reserved.  *words: so many are to be cleared. */
static uint32_t choose_place(const struct ws_grain *g, const struct ws_grain_ask *a,
			     unsigned *words)
{
	uint32_t first = a->set * (uint32_t)g->cache.ways, line, at = NONE;

	*words = (unsigned)__builtin_popcount(a->block);
	if (*words < WS_GRAIN_WORDS)
		at = group_choose(g, first, region_of(g, a), *words);
	if (at != NONE)
		return at;
	*words = WS_GRAIN_WORDS;	/* a whole line goes */
	line = line_invalid(g, first);
	if (line == NONE)
		line = line_used(g, first, NULL, WS_GRAIN_WORDS, false);
	return line == NONE ? NONE : line * WS_GRAIN_WORDS;
}

static void fill_chunk(struct ws_grain *g, const struct ws_grain_ask *a)
{
	unsigned low = (unsigned)__builtin_popcount(a->block) - 1, words;
	uint32_t at = choose_place(g, a, &words);

	for (unsigned i = 0; i < words; i++)
		clear_slot(g, at + i);
	line_of(g, at)->name = region_of(g, a);
	line_of(g, at)->used = g->clock;
	for (unsigned w = 0; w < WS_GRAIN_WORDS; w++) {
		if (!(a->block >> w & 1))
			continue;
		ws_place_fill(g, at + (w & low), a->number[w], a->dirty && a->need >> w & 1);
		line_of(g, at)->words++;
	}
}

void ws_chunks_access(struct ws_grain *g, const struct ws_grain_ask *a)
{
	unsigned thrown;

	if (a->action == WS_ACT_EVICT) {
		throw_out(g, a);
	} else if (a->hit || a->action == WS_ACT_TOUCH) {
		touch_words(g, a);
	} else {
		thrown = throw_out(g, a);
		g->stats.partial += thrown > 0;
		g->stats.invalidated += thrown;
		fill_chunk(g, a);
	}
}

/* The words of the block that are there are taken out while the choice is made, and put back. */
bool ws_chunks_room(struct ws_grain *g, const struct ws_grain_ask *a, struct ws_grain_going *out)
{
	struct ws_grain_place kept[WS_GRAIN_WORDS];
	unsigned partial, words;
	uint32_t at;

	out->count = 0;
	for (unsigned w = 0; w < WS_GRAIN_WORDS; w++) {
		uint32_t slot = a->block >> w & 1 ? ws_grain_word(g, a->number[w])->slot : NONE;

		if (slot == NONE)
			continue;
		kept[out->count] = g->place[slot];
		line_of(g, slot)->words--;
		line_of(g, slot)->reserved -= g->place[slot].fetch != 0;
		g->place[slot] = (struct ws_grain_place){ 0 };
		out->slot[out->count++] = slot;
	}
	partial = out->count;
	at = choose_place(g, a, &words);
	for (uint32_t i = at; at != NONE && i < at + words; i++)
		if (g->place[i].word)
			out->slot[out->count++] = i;
	for (unsigned i = 0; i < partial; i++) {
		g->place[out->slot[i]] = kept[i];
		line_of(g, out->slot[i])->words++;
		line_of(g, out->slot[i])->reserved += kept[i].fetch != 0;
	}
	return at != NONE;
}

/* ---- a larger grain ------------------------------------------------------------------ */

/* Does the group hold one aligned block? */
static bool holds_block(struct ws_grain *g, uint32_t first, unsigned words)
{
	uint64_t start;

	if (!g->place[first].word)
		return false;
	start = ws_grain_word(g, g->place[first].word - 1)->address;
	if (start % (words * WS_SECTOR_BYTES))
		return false;
	for (unsigned i = 1; i < words; i++) {
		uint32_t word = g->place[first + i].word;

		if (!word || ws_grain_word(g, word - 1)->address != start + i * WS_SECTOR_BYTES)
			return false;
	}
	return true;
}

void ws_chunks_coarsen(struct ws_grain *g)
{
	unsigned words = g->control.grain;

	for (uint32_t at = 0; at < g->places; at += words) {
		if (g->cache.grain_retain && holds_block(g, at, words))
			continue;
		for (uint32_t i = at; i < at + words; i++) {
			g->stats.flushed += g->place[i].word != 0;
			clear_slot(g, i);
		}
	}
}
