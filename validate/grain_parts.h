/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * validate/grain_parts.h -- what the files of grain.h share.
 *
 * Every word ever asked for since the flush has a record in a directory (directory.h): `slot`, its
 * place in the cache, full_valid and the list of the fully associative one, kept and
 * ever, 0 or 1, in the infinite one.  Places point back.
 */
#ifndef WS_GRAIN_PARTS_H
#define WS_GRAIN_PARTS_H

#include "validate/grain.h"

#define WS_LINE_WORDS 32u	/* of the longest line */

enum ws_grain_action { WS_GRAIN_FETCH, WS_GRAIN_TOUCH, WS_GRAIN_EVICT };

struct ws_grain_ask {		/* a request, looked up */
	uint64_t address;	/* of its line */
	uint32_t set;
	uint32_t need;		/* words asked for, as a mask of the line's */
	uint32_t block;		/* what is fetched or thrown out; need and more */
	enum ws_grain_action action;
	bool dirty;		/* it leaves the words it needs dirty */
	bool hit;
	uint32_t number[WS_LINE_WORDS]; /* records, of the block's words */
};

struct ws_place {		/* room for a word */
	uint64_t used;
	uint32_t word;		/* number of its record + 1; 0: none */
	uint32_t tag;		/* decoupled: in the set */
	bool dirty;
};

struct ws_grain_line {		/* chunks: a way; decoupled: a tag */
	uint64_t used, name;	/* its region; its line's address */
	uint32_t words;		/* valid; 0: the line is */
};

struct ws_grain {
	struct ws_cache cache;
	enum ws_grain_action store;
	struct ws_grain_control control;
	struct ws_grain_stats stats;
	struct ws_directory directory;
	uint32_t line_words;
	uint32_t tags;		/* decoupled: of a set */
	size_t places, lines;
	struct ws_place *place;	/* chunks: by way, then word; decoupled: by word, then way */
	struct ws_grain_line *line;
	uint64_t clock;
	uint32_t newest, oldest; /* the fully associative cache's words */
	uint64_t resident;	/* there */
};

static inline struct ws_sim_line *ws_grain_word(struct ws_grain *g, uint32_t number)
{
	return &g->directory.line[number];
}

/* Takes what is at a place out of it; its line still counts it. */
static inline void ws_place_clear(struct ws_grain *g, struct ws_place *p)
{
	g->stats.written_back += p->dirty;
	ws_grain_word(g, p->word - 1)->slot = WS_NOWHERE;
	*p = (struct ws_place){ 0 };
}

static inline void ws_place_fill(struct ws_grain *g, size_t place, uint32_t number, bool dirty)
{
	g->place[place] = (struct ws_place){ .used = g->clock, .word = number + 1, .dirty = dirty };
	ws_grain_word(g, number)->slot = (uint32_t)place;
}

/* grain_chunks.c */
bool ws_chunks_hit(struct ws_grain *g, const struct ws_grain_ask *a);
void ws_chunks_access(struct ws_grain *g, const struct ws_grain_ask *a);
void ws_chunks_coarsen(struct ws_grain *g); /* the grain has become larger */
/* grain_decoupled.c */
bool ws_decoupled_hit(struct ws_grain *g, const struct ws_grain_ask *a);
void ws_decoupled_access(struct ws_grain *g, const struct ws_grain_ask *a);
#endif
