/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/capture/columns.h -- the inner loops of lockstep.c.  Private to trace/capture/.
 */
#ifndef WS_COLUMNS_H
#define WS_COLUMNS_H

#include "trace/capture/lockstep.h"

#define WS_TURNED_WORDS 16u /* at most at once, a multiple of 4 */

/* Records of some lanes, as rows of words: row k has each lane's word k. */
struct ws_turned {
	/* 1 to WS_TURNED_WORDS; a multiple of 4 is written, of `lanes` words each */
	size_t words;
	uint64_t *to;
	uint64_t differ[WS_TURNED_WORDS]; /* result: 0 where the row is one word, again and again */
};

struct ws_columns {
	/* Of 64 heads, the lowest. */
	uint32_t (*least)(const uint32_t head[64]);
	/* Which of 64 are at the segment; *other becomes the lowest of itself and the rest. */
	uint64_t (*at_segment)(const uint32_t head[64], uint32_t segment, uint32_t *other);
	/* Turns what the lanes of the mask have recorded and is not merged.  Returns how many
	 * words of t->words each of them has and can lose without being resumed.  like: what one
	 * of them has recorded.  Reads up to WS_TURNED_WORDS words of each lane's buffer, whether
	 * it has recorded them or not. */
	size_t (*turn)(const struct ws_lane_ctx *lane, size_t lanes, const uint64_t *mask,
		       const uint64_t *like, struct ws_turned *t);
};

/* simd: false, those that any processor has. */
const struct ws_columns *ws_columns_for(bool simd);

#endif
