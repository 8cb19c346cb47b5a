/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * validate/grain/decoupled.c -- a decoupled cache: each sector has the number of its tag (grain.h).
 *
 * Invariants: a word that is in the cache has a tag of its set, whose name is its line; a tag
 * without words is free; a tag has one word of each place of a line at most.
 */
#include <stdlib.h>

#include "validate/grain/parts.h"

#define NONE WS_NO_TAG

enum ws_status ws_decoupled_new(struct ws_grain *g, struct ws_err *err)
{
	size_t sets = (size_t)g->cache.sets;

	g->part = ws_alloc_zero(g->lines, g->line_words * sizeof *g->part);
	return g->part &&
	       ws_oldest_new(&g->oldest_word, sets * g->line_words, (uint32_t)g->cache.ways) &&
	       ws_oldest_new(&g->oldest_tag, sets, g->tags)
		? WS_OK : ws_fail_memory(err, "a simulated cache");
}

void ws_decoupled_free(struct ws_grain *g)
{
	free(g->part);
	ws_oldest_clear(&g->oldest_word);
	ws_oldest_clear(&g->oldest_tag);
	ws_directory_clear(&g->names);
}

/* What is at the place was used then; 0: it is free. */
static void place_use(struct ws_grain *g, uint32_t slot, uint64_t used)
{
	uint32_t ways = (uint32_t)g->cache.ways;

	g->place[slot].used = used;
	ws_oldest_set(&g->oldest_word, slot / ways, slot % ways, used);
}

void ws_decoupled_forget(struct ws_grain *g, uint32_t slot)
{
	place_use(g, slot, 0);
	ws_oldest_set(&g->oldest_tag, slot / (g->cache.ways * g->line_words), g->place[slot].tag,
		      0);
}

static void clear_slot(struct ws_grain *g, uint32_t set, uint32_t slot)
{
	struct ws_grain_place *p = &g->place[slot];
	struct ws_grain_line *tag = &g->line[set * g->tags + p->tag];

	if (!p->word)
		return;
	tag->words--;
	tag->reserved -= p->fetch != 0;
	if (!tag->words)
		ws_oldest_set(&g->oldest_tag, set, p->tag, 0);
	ws_place_clear(g, p);
	place_use(g, slot, 0);
}

/* Where the tag has word w of its line; NONE: it has not. */
static uint32_t tag_place(const struct ws_grain *g, uint32_t set, uint32_t tag, unsigned w)
{
	uint32_t slot = g->part[((size_t)set * g->tags + tag) * g->line_words + w];

	return slot && g->place[slot - 1].word && g->place[slot - 1].tag == tag ? slot - 1 : NONE;
}

/* All words of a tag. */
static void tag_clear(struct ws_grain *g, uint32_t set, uint32_t tag)
{
	for (unsigned w = 0; w < g->line_words; w++) {
		uint32_t slot = tag_place(g, set, tag, w);

		if (slot != NONE)
			clear_slot(g, set, slot);
	}
}

/* A free tag, or the one used longest ago; NONE: all are reserved. */
static uint32_t tag_choose(const struct ws_grain *g, uint32_t set)
{
	const struct ws_grain_line *tag = &g->line[(size_t)set * g->tags];
	uint32_t first = ws_oldest_first(&g->oldest_tag, set), found = NONE;

	if (!tag[first].reserved)
		return first;
	for (uint32_t t = 0; t < g->tags; t++)
		if (!tag[t].reserved && (found == NONE || tag[t].used < tag[found].used))
			found = t;
	return found;
}

/* The words of what had it go. */
static uint32_t tag_take(struct ws_grain *g, const struct ws_grain_ask *a)
{
	uint32_t found = tag_choose(g, a->set);

	tag_clear(g, a->set, found);
	g->line[a->set * g->tags + found].name = a->address;
	g->names.line[a->name].slot = a->set * g->tags + found;
	return found;
}

enum ws_status ws_decoupled_look_up(struct ws_grain *g, struct ws_grain_ask *a, struct ws_err *err)
{
	enum ws_status status;
	uint32_t tag;
	bool fresh;

	for (unsigned w = 0; w < g->line_words; w++) {
		uint32_t slot = a->need >> w & 1 ? ws_grain_word(g, a->number[w])->slot : NONE;

		if (slot != NONE) {
			a->tag = g->place[slot].tag;
			return WS_OK;
		}
	}
	a->tag = NONE;
	status = ws_directory_find(&g->names, a->address, &a->name, &fresh, err);
	if (status != WS_OK)
		return status;
	tag = g->names.line[a->name].slot;
	if (tag != WS_NOWHERE && g->line[tag].words && g->line[tag].name == a->address)
		a->tag = tag - a->set * g->tags;
	return WS_OK;
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
	size_t row = (size_t)a->set * g->line_words + w;
	uint32_t first = (uint32_t)(row * g->cache.ways), found = NONE;
	uint32_t at = first + ws_oldest_first(&g->oldest_word, row);
	uint32_t freed = without == NONE ? NONE : tag_place(g, a->set, without, w);

	if (!g->place[at].word || freed != NONE)
		return !g->place[at].word && at < freed ? at : freed;
	if (!g->place[at].fetch)
		return at;
	for (uint32_t i = first; i < first + g->cache.ways; i++)
		if (!g->place[i].fetch &&
		    (found == NONE || g->place[i].used < g->place[found].used))
			found = i;
	return found;
}

static void fetch(struct ws_grain *g, const struct ws_grain_ask *a, uint32_t tag, unsigned w)
{
	uint32_t at = place_choose(g, a, w, NONE);

	clear_slot(g, a->set, at);
	ws_place_fill(g, at, a->number[w], a->dirty);
	place_use(g, at, g->clock);
	g->place[at].tag = tag;
	g->part[((size_t)a->set * g->tags + tag) * g->line_words + w] = at + 1;
	g->line[a->set * g->tags + tag].words++;
}

void ws_decoupled_access(struct ws_grain *g, const struct ws_grain_ask *a)
{
	uint32_t tag = a->tag;
	struct ws_grain_line *line;

	if (a->action != WS_ACT_FETCH && tag == NONE)
		return;
	if (a->action == WS_ACT_EVICT) {
		tag_clear(g, a->set, tag);
		return;
	}
	g->stats.partial += tag != NONE && !a->hit && a->action == WS_ACT_FETCH;
	if (tag == NONE)
		tag = tag_take(g, a);
	line = &g->line[a->set * g->tags + tag];
	line->used = g->clock;
	for (unsigned w = 0; w < g->line_words; w++) {
		uint32_t slot = a->need >> w & 1 ? ws_grain_word(g, a->number[w])->slot : NONE;

		if (slot != NONE) {
			place_use(g, slot, g->clock);
			g->place[slot].dirty |= a->dirty;
		} else if (a->need >> w & 1 && a->action == WS_ACT_FETCH) {
			fetch(g, a, tag, w);
		}
	}
	ws_oldest_set(&g->oldest_tag, a->set, tag, line->words ? g->clock : 0);
}

bool ws_decoupled_room(struct ws_grain *g, const struct ws_grain_ask *a,
		       struct ws_grain_going *out)
{
	uint32_t tag = NONE;

	out->count = 0;
	if (a->tag == NONE) {
		tag = tag_choose(g, a->set);
		if (tag == NONE)
			return false;
		for (unsigned w = 0; w < g->line_words; w++)
			if (tag_place(g, a->set, tag, w) != NONE)
				out->slot[out->count++] = tag_place(g, a->set, tag, w);
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
