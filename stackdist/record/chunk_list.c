/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * stackdist/record/chunk_list.c -- how many lines a chunk's predecessors take (chunk_list.h).
 *
 * The list is an array whose end is its front, so only recently used words move.  When it is full
 * it is cut to the DEPTH words used last; older ones need WS_CHUNK_LINES lines or more.
 */
#include "stackdist/record/chunk_list.h"

#include <stdlib.h>
#include <string.h>

#define DEPTH (WS_CHUNK_LINES * WS_CHUNK_WORDS)
#define ROOM (2 * DEPTH)
#define ROOM_FIRST 16u		/* a power of two less */
#define NONE UINT32_MAX

struct word_found {			/* by word of the line */
	uint32_t place[WS_CHUNK_WORDS];	/* from the front; NONE: not there */
	uint32_t lines[WS_CHUNK_WORDS];	/* d(i) */
};

/* Lines that words take, by region; a region takes one at least. */
struct chunk_regions {
	uint64_t region[WS_CHUNK_LINES];
	uint32_t words[WS_CHUNK_LINES];
	uint32_t count, lines, last;
};

/* False: they take more than WS_CHUNK_LINES. */
static bool add_word(struct chunk_regions *s, uint64_t region)
{
	if (!s->count || s->region[s->last] != region) {
		for (s->last = 0; s->last < s->count; s->last++)
			if (s->region[s->last] == region)
				break;
	}
	if (s->last == s->count) {
		if (s->count == WS_CHUNK_LINES)
			return false;
		s->region[s->count] = region;
		s->words[s->count++] = 0;
	}
	s->lines += s->words[s->last]++ % WS_CHUNK_WORDS == 0;
	return s->lines <= WS_CHUNK_LINES;
}

static struct ws_chunk_word *at(const struct ws_chunk_list *l, uint32_t place)
{
	return l->word + (l->count - 1 - place);
}

static void find_word(const struct ws_chunk_list *l, const struct ws_chunk_ask *a,
		      struct word_found *f)
{
	unsigned left = (unsigned)__builtin_popcount(a->block);
	struct chunk_regions s;

	s.count = s.lines = s.last = 0;
	memset(f->place, 0xff, sizeof f->place);
	for (uint32_t i = 0; !a->absent && left && i < l->count; i++) {
		const struct ws_chunk_word *w = at(l, i);
		uint64_t which = w->word - a->first;

		if (!add_word(&s, w->word >> a->region))
			return;
		if (w->hole || which >= WS_CHUNK_WORDS || !(a->block >> which & 1))
			continue;
		f->place[which] = i;
		f->lines[which] = s.lines - 1;
		left--;
	}
}

/* Of the words needed: WS_CHUNK_LINES too if they are not of one fetch. */
static void look(const struct ws_chunk_list *l, const struct ws_chunk_ask *a,
		 const struct word_found *f, struct ws_chunk_found *found)
{
	const struct ws_chunk_word *one = NULL;
	uint32_t lines = 0;

	*found = (struct ws_chunk_found){ .lines = WS_CHUNK_LINES, .loaded = a->number };
	for (unsigned w = 0; w < WS_CHUNK_WORDS; w++) {
		if (!(a->need >> w & 1))
			continue;
		if (f->place[w] == NONE || (one && one->fetch != at(l, f->place[w])->fetch))
			return;
		one = at(l, f->place[w]);
		lines = f->lines[w] > lines ? f->lines[w] : lines;
		found->loaded = one->loaded < found->loaded ? one->loaded : found->loaded;
		found->block = one->block;
	}
	found->lines = lines;
}

static void remove_word(struct ws_chunk_list *l, uint32_t place)
{
	struct ws_chunk_word *w = at(l, place);

	l->invalid_ways -= w->hole;
	l->count--;
	memmove(w, w + 1, place * sizeof *w);
}

/* The first invalid way before the place that the word may take; NONE: there is none. */
static uint32_t hole_before(const struct ws_chunk_list *l, const struct ws_chunk_ask *a,
			    uint32_t place, unsigned words)
{
	uint32_t end = place < l->count ? place : l->count;

	for (uint32_t i = 0; l->invalid_ways && i < end; i++) {
		const struct ws_chunk_word *w = at(l, i);

		if (w->hole && w->block >= words && (w->block == WS_CHUNK_WORDS ||
						     w->word >> a->region == a->first >> a->region))
			return i;
	}
	return NONE;
}

/* Takes the word out, if it is there, and an invalid way in its stead. */
static void take_out_word(struct ws_chunk_list *l, const struct ws_chunk_ask *a, unsigned words,
			  uint32_t place)
{
	uint32_t hole = hole_before(l, a, place, words);

	if (place != NONE && hole != NONE) { /* the invalid way moves there */
		at(l, place)->word = at(l, hole)->word;
		at(l, place)->block = at(l, hole)->block;
		at(l, place)->hole = true;
		l->invalid_ways++;
		remove_word(l, hole);
	} else if (place != NONE) {
		remove_word(l, place);
	} else if (hole != NONE) {
		remove_word(l, hole);
	}
}

static bool enlarge_list(struct ws_chunk_list *l)
{
	uint32_t room = l->room ? 2 * l->room : ROOM_FIRST;
	struct ws_chunk_word *word = realloc(l->word, room * sizeof *word);

	if (!word)
		return false;
	l->word = word;
	l->room = room;
	return true;
}

static bool put_word(struct ws_chunk_list *l, const struct ws_chunk_word *w)
{
	if (l->count == l->room && l->room < ROOM && !enlarge_list(l))
		return false;
	if (l->count == ROOM) {
		memmove(l->word, l->word + (ROOM - DEPTH), DEPTH * sizeof *l->word);
		l->count = DEPTH;
		l->invalid_ways = 0;
		for (uint32_t i = 0; i < DEPTH; i++)
			l->invalid_ways += l->word[i].hole;
	}
	l->word[l->count++] = *w;
	return true;
}

static uint32_t place_of_word(const struct ws_chunk_list *l, uint64_t word)
{
	for (uint32_t i = 0; i < l->count; i++)
		if (at(l, i)->word == word && !at(l, i)->hole)
			return i;
	return NONE;
}

/* Puts the word in front, and hands down from place to place, up to its old one, what was used less
 * lately of what stands there and what was handed down. */
static bool hand_down(struct ws_chunk_list *l, const struct ws_chunk_word *w, uint32_t place)
{
	struct ws_chunk_word down = *w, there;
	uint32_t end = place < l->count ? place : l->count;

	for (uint32_t i = 0; i < end; i++) {
		there = *at(l, i);
		if (i > 0 && (int32_t)(there.used - down.used) > 0)
			continue;
		*at(l, i) = down;
		down = there;
	}
	if (place < l->count) {
		*at(l, place) = down;
		return true;
	}
	if (l->count == DEPTH)
		return true;	/* what is handed down is too deep */
	if (!put_word(l, &down))
		return false;
	memmove(l->word + 1, l->word, (l->count - 1) * sizeof down);
	l->word[0] = down;
	return true;
}

/* The block's words to the front, the last first. */
static bool use(struct ws_chunk_list *l, const struct ws_chunk_ask *a, const struct word_found *f,
		bool hit)
{
	struct ws_chunk_word moved;
	unsigned words = (unsigned)__builtin_popcount(a->block);
	bool ok = true;

	for (unsigned w = WS_CHUNK_WORDS; w-- > 0;) {
		uint32_t place = f->place[w];

		if (!(a->block >> w & 1))
			continue;
		if (place != NONE)
			place = place_of_word(l, a->first + w); /* others have moved since */
		moved = (struct ws_chunk_word){ .word = a->first + w, .fetch = a->number,
						.used = a->number, .loaded = a->number,
						.block = (uint8_t)words };
		if (hit && place != NONE) {
			moved.fetch = at(l, place)->fetch;
			moved.block = at(l, place)->block;
		}
		if (l->touched) {
			ok = hand_down(l, &moved, place) && ok;
		} else {
			take_out_word(l, a, words, place);
			ok = put_word(l, &moved) && ok;
		}
	}
	return ok;
}

static void touch_word(struct ws_chunk_list *l, const struct ws_chunk_ask *a,
		       const struct word_found *f)
{
	for (unsigned w = 0; w < WS_CHUNK_WORDS; w++) {
		if (!(a->block >> w & 1) || f->place[w] == NONE)
			continue;
		at(l, f->place[w])->used = a->number;
		l->touched = true;
	}
}

static void throw_out(struct ws_chunk_list *l, const struct ws_chunk_ask *a,
		      const struct word_found *f)
{
	for (unsigned w = 0; w < WS_CHUNK_WORDS; w++) {
		if (!(a->block >> w & 1) || f->place[w] == NONE)
			continue;
		at(l, f->place[w])->hole = true;
		l->invalid_ways++;
	}
}

bool ws_chunk_list_push(struct ws_chunk_list *l, const struct ws_chunk_ask *a,
			struct ws_chunk_found *found)
{
	struct word_found f;

	find_word(l, a, &f);
	look(l, a, &f, found);
	if (a->act == WS_ACT_FETCH)
		return use(l, a, &f, found->lines < WS_CHUNK_LINES);
	if (a->act == WS_ACT_TOUCH)
		touch_word(l, a, &f);
	else
		throw_out(l, a, &f);
	return true;
}

void ws_chunk_list_clear(struct ws_chunk_list *l)
{
	free(l->word);
	*l = (struct ws_chunk_list){ 0 };
}
