/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * stackdist/record/chunk_list.h -- private: the words of a set, those used last first, and the
 * invalid ways among them (stackdist.h).
 */
#ifndef WS_STACKDIST_CHUNK_LIST_H
#define WS_STACKDIST_CHUNK_LIST_H

#include "stackdist/stackdist.h"

#define WS_CHUNK_WORDS 4u	/* of a line */

struct ws_chunk_word {
	uint64_t word;		/* address / 32; of an invalid way, that of what was there */
	uint32_t fetch;		/* number of the request that fetched it */
	uint32_t used;		/* number of the request that used it last, */
	uint32_t loaded;	/* and that was no write-through store */
	uint8_t block;		/* words of the block that it came with */
	bool hole;
};

struct ws_chunk_list {		/* all zero: empty */
	struct ws_chunk_word *word; /* the last is the one used last */
	uint32_t count, room, invalid_ways;
	bool touched;		/* a store used a word where it is: places are not by use */
};


struct ws_chunk_ask {
	uint64_t first;		/* the line's first word */
	uint32_t need, block;	/* masks of its words */
	enum ws_act act;
	uint32_t number;	/* of the request */
	unsigned region;	/* a word's is word >> region */
	bool absent;		/* no word of the block can be in the list */
};

struct ws_chunk_found {		/* what is needed */
	uint32_t lines;		/* d; WS_CHUNK_LINES if it is that or more, or not there; else
				 * also: */
	uint32_t loaded;	/* the earliest of its words' */
	uint32_t block;		/* words of the block that it was fetched in */
};

/* False: out of memory. */
bool ws_chunk_list_push(struct ws_chunk_list *l, const struct ws_chunk_ask *a,
			struct ws_chunk_found *found);
void ws_chunk_list_clear(struct ws_chunk_list *l);

#endif
