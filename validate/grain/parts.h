/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * validate/grain/parts.h -- what the files of grain.h share.
 *
 * Every word ever asked for since the flush has a record in a directory (directory.h): `slot`, its
 * place in the cache, full_valid and the list of the fully associative one, kept and
 * ever, 0 or 1, in the infinite one.  Places point back.
 */
#ifndef WS_GRAIN_PARTS_H
#define WS_GRAIN_PARTS_H

#include "validate/grain/grain.h"
#include "validate/sim/oldest.h"

#define WS_LINE_WORDS 32u	/* of the longest line */
#define WS_NO_TAG UINT32_MAX

struct ws_grain_ask {		/* a request, looked up */
	uint64_t address;	/* of its line */
	uint32_t set;
	uint32_t need;		/* words asked for, as a mask of the line's */
	uint32_t block;		/* what is fetched or thrown out; need and more */
	enum ws_act action;
	bool dirty;		/* it leaves the words it needs dirty */
	bool hit;
	uint32_t number[WS_LINE_WORDS]; /* records, of the block's words */
	uint32_t tag;		/* decoupled: its line's, in the set, or WS_NO_TAG */
	uint32_t name;		/* with WS_NO_TAG: record of its line */
};

struct ws_grain_place {		/* room for a word */
	uint64_t used;
	uint32_t word;		/* number of its record + 1; 0: none */
	uint32_t tag;		/* decoupled: in the set */
	uint32_t fetch;		/* in cycles: 1 + the MSHR that brings it; 0: it is there */
	bool dirty;
};

struct ws_grain_line {		/* chunks: a way; decoupled: a tag */
	uint64_t used, name;	/* its region; its line's address */
	uint32_t words;		/* valid or on their way; 0: none of the line is */
	uint32_t reserved;	/* of these on their way; nothing makes room for another then */
};

struct ws_grain {
	struct ws_cache cache;
	enum ws_act store;
	bool decoupled;		/* else chunks, */
	bool dynamic;		/* whose size follows the requests */
	struct ws_grain_control control;
	struct ws_grain_stats stats;
	struct ws_directory directory;
	uint32_t line_words;
	uint32_t tags;		/* decoupled: of a set */
	size_t places, lines;
	struct ws_grain_place *place;	/* chunks: by way, then word; decoupled: by word, then
					 * way */
	struct ws_grain_line *line;
	/* Decoupled: lines, slot: the tag that one had last; where a tag has had words, [tag][place
	 * of a line], 1 + place; words at each place of a line, by set, then place; tags of each
	 * set. */
	struct ws_directory names;
	uint32_t *part;
	struct ws_oldest oldest_word, oldest_tag;
	uint64_t clock;
	uint32_t newest, oldest; /* the fully associative cache's words */
	uint64_t resident;	/* there */
	uint64_t *sent;		/* in cycles: addresses of dirty words thrown out; else NULL */
	size_t sent_count;
};

static inline struct ws_sim_line *ws_grain_word(struct ws_grain *g, uint32_t number)
{
	return &g->directory.line[number];
}

/* Takes what is at a place out of it; its line still counts it. */
static inline void ws_place_clear(struct ws_grain *g, struct ws_grain_place *p)
{
	g->stats.written_back += p->dirty;
	if (g->sent && p->dirty)
		g->sent[g->sent_count++] = ws_grain_word(g, p->word - 1)->address;
	ws_grain_word(g, p->word - 1)->slot = WS_NOWHERE;
	*p = (struct ws_grain_place){ 0 };
}

static inline void ws_place_fill(struct ws_grain *g, size_t place, uint32_t number, bool dirty)
{
	g->place[place] = (struct ws_grain_place){ .used = g->clock,
						   .word = number + 1,
						   .dirty = dirty };
	ws_grain_word(g, number)->slot = (uint32_t)place;
}

/* The line or tag of what is at a place. */
static inline struct ws_grain_line *ws_place_line(struct ws_grain *g, size_t place)
{
	size_t set = place / ((size_t)g->cache.ways * g->line_words);

	return g->decoupled ? &g->line[set * g->tags + g->place[place].tag]
						     : &g->line[place / WS_GRAIN_WORDS];
}

struct ws_grain_going {		/* places whose words a request that allocates would throw out */
	uint32_t slot[2 * WS_LINE_WORDS];
	unsigned count;
};

/* grain.c: the steps of a request */
static inline bool ws_grain_decoupled(const struct ws_grain *g)
{
	return g->decoupled;
}

/* Its words, their records, and whether it hits. */
enum ws_status ws_grain_look_up(struct ws_grain *g, struct ws_grain_ask *a,
				const struct ws_request *r, struct ws_err *err) WS_MUST_CHECK;
void ws_grain_access(struct ws_grain *g, const struct ws_grain_ask *a);
void ws_grain_account(struct ws_grain *g, const struct ws_grain_ask *a); /* and decides */
/* chunks.c */
bool ws_chunks_hit(struct ws_grain *g, const struct ws_grain_ask *a);
void ws_chunks_access(struct ws_grain *g, const struct ws_grain_ask *a);
void ws_chunks_coarsen(struct ws_grain *g); /* the grain has become larger */
/* Is there room for the block, and what would go? */
bool ws_chunks_room(struct ws_grain *g, const struct ws_grain_ask *a, struct ws_grain_going *out);
/* decoupled.c */
enum ws_status ws_decoupled_new(struct ws_grain *g, struct ws_err *err) WS_MUST_CHECK;
void ws_decoupled_free(struct ws_grain *g);
void ws_decoupled_forget(struct ws_grain *g, uint32_t slot); /* a flush empties it, and its tag */
/* The tag, or the name. */
enum ws_status ws_decoupled_look_up(struct ws_grain *g, struct ws_grain_ask *a,
				    struct ws_err *err) WS_MUST_CHECK;
bool ws_decoupled_hit(struct ws_grain *g, const struct ws_grain_ask *a);
void ws_decoupled_access(struct ws_grain *g, const struct ws_grain_ask *a);
bool ws_decoupled_room(struct ws_grain *g, const struct ws_grain_ask *a,
		       struct ws_grain_going *out);
#endif
