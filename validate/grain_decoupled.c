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
	tag->words--;
	tag->reserved -= p->fetch != 0;
	ws_place_clear(g, p);
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

/* A free tag, or the one used longest ago; NONE: all are reserved. */
static uint32_t tag_choose(const struct ws_grain *g, uint32_t set)
{
	const struct ws_grain_line *tag = &g->line[set * g->tags];
	uint32_t found = NONE;

	for (uint32_t t = 0; t < g->tags && (found == NONE || tag[found].words); t++)
		if (!tag[t].reserved &&
		    (found == NONE || !tag[t].words || tag[t].used < tag[found].used))
			found = t;
	return found;
}

/* The words of what had it go. */
static uint32_t tag_take(struct ws_grain *g, const struct ws_grain_ask *a)
{
	uint32_t found = tag_choose(g, a->set);

	tag_clear(g, a->set, found);
	g->line[a->set * g->tags + found].name = a->address;
	return found;
}

bool ws_decoupled_there(const struct ws_grain *g, const struct ws_grain_ask *a)
{
	return tag_find(g, a) != NONE;
}

bool ws_decoupled_hit(struct ws_grain *g, const struct ws_grain_ask *a)
{
	for (unsigned w = 0; w < g->line_words; w++)
		if (a->need >> w & 1 && ws_grain_word(g, a->number[w])->slot == WS_NOWHERE)
			return false;
	return true;
}

/* Where word w of a line goes: a free place, or the one used longest ago, those that tag `without`
 * has being free; NONE: all are reserved. */
static uint32_t place_choose(const struct ws_grain *g, const struct ws_grain_ask *a, unsigned w,
			     uint32_t without)
{
	uint32_t first = (a->set * g->line_words + w) * (uint32_t)g->cache.ways, at = NONE;

	for (uint32_t i = first; i < first + g->cache.ways; i++) {
		const struct ws_place *p = &g->place[i];

		if (!p->word || p->tag == without)
			return i;
		if (!p->fetch && (at == NONE || p->used < g->place[at].used))
			at = i;
	}
	return at;
}

static void fetch(struct ws_grain *g, const struct ws_grain_ask *a, uint32_t tag, unsigned w)
{
	uint32_t at = place_choose(g, a, w, NONE);

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

static void tag_going(const struct ws_grain *g, uint32_t set, uint32_t tag,
		      struct ws_grain_going *out)
{
	uint32_t count = (uint32_t)g->cache.ways * g->line_words, first = set * count;

	for (uint32_t i = first; i < first + count; i++)
		if (g->place[i].word && g->place[i].tag == tag)
			out->slot[out->count++] = i;
}

bool ws_decoupled_room(struct ws_grain *g, const struct ws_grain_ask *a,
		       struct ws_grain_going *out)
{
	uint32_t tag = NONE;

	out->count = 0;
	if (tag_find(g, a) == NONE) {
		tag = tag_choose(g, a->set);
		if (tag == NONE)
			return false;
		tag_going(g, a->set, tag, out);
	}
	for (unsigned w = 0; w < g->line_words; w++) {
		uint32_t at;

		if (!(a->need >> w & 1) || ws_grain_word(g, a->number[w])->slot != NONE)
			continue;
		at = place_choose(g, a, w, tag);
		if (at == NONE)
			return false;
		if (g->place[at].word && g->place[at].tag != tag)
			out->slot[out->count++] = at;
	}
	return true;
}
