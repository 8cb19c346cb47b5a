/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * validate/grain_decoupled.c -- sectors that each have the number of their tag (grain.h).
 *
 * Invariant: a word that is in the cache has a tag of its set, whose name is its line; a tag
 * without words is free.
 */
#include "validate/grain_parts.h"

#define NONE UINT32_MAX

static void clear(struct ws_grain *g, uint32_t set, struct ws_place *p)
{
	struct ws_grain_line *tag = &g->line[set * g->tags + p->tag];

	if (!p->word)
		return;
	ws_place_clear(g, p);
	tag->words--;
}

/* The tag of the line, in the set; NONE: it has none. */
static uint32_t tag_find(const struct ws_grain *g, const struct ws_grain_ask *a)
{
	const struct ws_grain_line *tag = &g->line[a->set * g->tags];

	for (uint32_t t = 0; t < g->tags; t++)
		if (tag[t].words && tag[t].name == a->address)
			return t;
	return NONE;
}

/* All words of a tag, at any place of the set. */
static void tag_clear(struct ws_grain *g, uint32_t set, uint32_t tag)
{
	size_t count = (size_t)g->cache.ways * g->line_words;
	struct ws_place *p = &g->place[set * count];

	for (size_t i = 0; i < count && g->line[set * g->tags + tag].words; i++)
		if (p[i].word && p[i].tag == tag)
			clear(g, set, &p[i]);
}

/* A free tag, or the one used longest ago, of which the words go. */
static uint32_t tag_take(struct ws_grain *g, const struct ws_grain_ask *a)
{
	struct ws_grain_line *tag = &g->line[a->set * g->tags];
	uint32_t found = 0;

	for (uint32_t t = 0; t < g->tags && tag[found].words; t++)
		if (!tag[t].words || tag[t].used < tag[found].used)
			found = t;
	tag_clear(g, a->set, found);
	tag[found].name = a->address;
	return found;
}

bool ws_decoupled_hit(struct ws_grain *g, const struct ws_grain_ask *a)
{
	for (unsigned w = 0; w < g->line_words; w++)
		if (a->need >> w & 1 && ws_grain_word(g, a->number[w])->slot == WS_NOWHERE)
			return false;
	return true;
}

static void fetch(struct ws_grain *g, const struct ws_grain_ask *a, uint32_t tag, unsigned w)
{
	size_t first = ((size_t)a->set * g->line_words + w) * (size_t)g->cache.ways, at = first;

	for (size_t i = first; i < first + g->cache.ways && g->place[at].word; i++)
		if (!g->place[i].word || g->place[i].used < g->place[at].used)
			at = i;
	clear(g, a->set, &g->place[at]);
	ws_place_fill(g, at, a->number[w], a->dirty);
	g->place[at].tag = tag;
	g->line[a->set * g->tags + tag].words++;
}

void ws_decoupled_access(struct ws_grain *g, const struct ws_grain_ask *a)
{
	uint32_t tag = tag_find(g, a);

	if (a->action != WS_GRAIN_FETCH && tag == NONE)
		return;
	if (a->action == WS_GRAIN_EVICT) {
		tag_clear(g, a->set, tag);
		return;
	}
	g->stats.partial += tag != NONE && !a->hit && a->action == WS_GRAIN_FETCH;
	if (tag == NONE)
		tag = tag_take(g, a);
	g->line[a->set * g->tags + tag].used = g->clock;
	for (unsigned w = 0; w < g->line_words; w++) {
		uint32_t slot = a->need >> w & 1 ? ws_grain_word(g, a->number[w])->slot : NONE;

		if (slot != NONE) {
			g->place[slot].used = g->clock;
			g->place[slot].dirty |= a->dirty;
		} else if (a->need >> w & 1 && a->action == WS_GRAIN_FETCH) {
			fetch(g, a, tag, w);
		}
	}
}
